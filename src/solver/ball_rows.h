/* ball_rows.h: contacts between balls in tiles of eight, which sweeps process at once; private to src/solver.
 *
 * Except for friction, the impulse of a contact between balls passes through both centres, and the response
 * perpendicular to the normal is the same in all directions. Contacts of a colour share no moving body, so the lanes of
 * a tile are independent. A tile is contiguous: processors prefetch one stream well, but not one per column. */
#ifndef SCREE_SOLVER_BALL_ROWS_H
#define SCREE_SOLVER_BALL_ROWS_H

#include "base/parallel.h"
#include "base/real.h"
#include "solver/colours.h"

/* One column per line: COLUMN(name). SI units, as in constraint and constraint_point. */
#define BALL_COLUMNS(COLUMN)                                                                                           \
	COLUMN(nx)                                                                                                         \
	COLUMN(ny)                                                                                                         \
	COLUMN(nz)                                                                                                         \
	COLUMN(impulse)                                                                                                    \
	COLUMN(tx)                                                                                                         \
	COLUMN(ty)                                                                                                         \
	COLUMN(tz)                                                                                                         \
	COLUMN(sx) /* friction without slip after the step */                                                              \
	COLUMN(sy)                                                                                                         \
	COLUMN(sz)                                                                                                         \
	COLUMN(mx) /* velocity of b's surface in addition to its body's velocity */                                        \
	COLUMN(my)                                                                                                         \
	COLUMN(mz)                                                                                                         \
	COLUMN(spring)	/* tau times force over overlap, or over overlap^(3/2) */                                          \
	COLUMN(dashpot) /* tau times it */                                                                                 \
	COLUMN(about)                                                                                                      \
	COLUMN(least)	/* of `about` */                                                                                   \
	COLUMN(reaches) /* overlap in m if the bodies do not separate in the step */                                       \
	COLUMN(after)	/* time in s for which the new velocities change that overlap */                                   \
	COLUMN(rigid)                                                                                                      \
	COLUMN(meets) /* as in constraint_point */                                                                         \
	COLUMN(rebound)                                                                                                    \
	COLUMN(limit)                                                                                                      \
	COLUMN(soft) /* along the surface */                                                                               \
	COLUMN(slide)                                                                                                      \
	COLUMN(rub)                                                                                                        \
	COLUMN(arm_a) /* from the centres to the contact, along the normal */                                              \
	COLUMN(arm_b)                                                                                                      \
	COLUMN(scale) /* scale of the stiffness along the surface, and this stiffness in N/m; both over the root of the    \
					 overlap if curved */                                                                              \
	COLUMN(shear)

enum { BALL_LANES = 8 };

struct solving;
struct contact_ref;

typedef struct ball_tile {
	int32_t a[BALL_LANES], b[BALL_LANES];
	int32_t curved[BALL_LANES]; /* 1 if the stiffness is proportional to the root of the overlap */
	int32_t count;				/* number of lanes in use, starting from the first */
	int32_t uncounted;			/* 1 if another part of the world adds up the impulses of this contact */
	int32_t unused[BALL_LANES - 2];
#define MEMBER(name) real name[BALL_LANES];
	BALL_COLUMNS(MEMBER)
#undef MEMBER
} ball_tile;

SCREE_FN void fetch_tile(const ball_tile *t)
{
	for (size_t at = 0; at < sizeof *t; at += 64) __builtin_prefetch((const char *)t + at, 1);
}

typedef struct ball_rows {
	int64_t tiles, capacity, spares;
	ball_tile *tile;				/* [capacity] */
	ball_tile *spare;				/* [spares] the tiles from before contacts were added */
	int64_t first[COLOUR_MOST + 1]; /* first tile of each colour */
	/* for each colour; tiles with walls that yield are last */
	int64_t wall_tile[COLOUR_MOST + 1], wall_rest[COLOUR_MOST + 1];
	/* constraints, by colours; the last block starts at first[colours] and rest[colours] */
	int64_t others, other_capacity;
	int64_t *other;
	int64_t rest[COLOUR_MOST + 1];
	real quantum;													  /* quantum of the sums below, in N s */
	int64_t changed[SCREE_MOST_THREADS], pressed[SCREE_MOST_THREADS]; /* sums of this sweep, in quanta */
} ball_rows;

/* Tests whether tiles hold a contact: of two balls or a ball and a wall, with springs and without rolling friction. */
bool scree_ball_row_holds(const struct solving *v, const struct contact_ref *o);
/* Places all contacts, by colour, in tiles or among other constraints. Rows of contacts below `had` are kept. */
void scree_ball_rows_place(struct solving *v, int64_t had);
/* The first function relaxes the rows of tiles from .. to-1 of one colour; the second relaxes an individual row. */
void scree_ball_rows_sweep(struct solving *v, int64_t from, int64_t to, int thread);
void scree_ball_row_sweep(struct solving *v, const struct contact_ref *o);
/* Adds the impulses of these rows to the velocities of the bodies. */
void scree_ball_rows_push(struct solving *v, int64_t from, int64_t to);
void scree_ball_row_push(struct solving *v, const struct contact_ref *o);
/* Adds the change in a contact's impulse and the normal impulse, both in N s, to the sums of this sweep. */
void scree_ball_rows_count(struct solving *v, real change, real pressed, int thread);
void scree_ball_rows_free(ball_rows *o);

#endif
