/* ball_rows.h: contacts of balls as columns, for sweeps of several contacts side by side; private to src/solver.
 *
 * The impulse of such a contact passes through both centres, except friction, and its response across the normal is the
 * same in all directions. Contacts of a colour share no body that moves, so lanes do not wait for each other. */
#ifndef SCREE_SOLVER_BALL_ROWS_H
#define SCREE_SOLVER_BALL_ROWS_H

#include "base/parallel.h"
#include "base/real.h"
#include "solver/colours.h"

/* One column per line: COLUMN(name). SI units of an impulse step: those of constraint and constraint_point. */
#define BALL_COLUMNS(COLUMN)                                                                                           \
	COLUMN(nx)                                                                                                         \
	COLUMN(ny)                                                                                                         \
	COLUMN(nz)                                                                                                         \
	COLUMN(impulse)                                                                                                    \
	COLUMN(tx)                                                                                                         \
	COLUMN(ty)                                                                                                         \
	COLUMN(tz)                                                                                                         \
	COLUMN(sx) /* friction for springs as bent as at the start */                                                      \
	COLUMN(sy)                                                                                                         \
	COLUMN(sz)                                                                                                         \
	COLUMN(mx) /* velocity of b's surface in addition to its body's */                                                 \
	COLUMN(my)                                                                                                         \
	COLUMN(mz)                                                                                                         \
	COLUMN(spring)	/* tau times force over overlap, or over its power 3/2 */                                          \
	COLUMN(dashpot) /* tau times it */                                                                                 \
	COLUMN(about)                                                                                                      \
	COLUMN(least)	/* of `about` */                                                                                   \
	COLUMN(reaches) /* overlap at the end of the step without separation velocity */                                   \
	COLUMN(rigid)                                                                                                      \
	COLUMN(rebound)                                                                                                    \
	COLUMN(soft) /* along the surface */                                                                               \
	COLUMN(slide)                                                                                                      \
	COLUMN(rub)                                                                                                        \
	COLUMN(arm_a) /* from the centres to the contact, along the normal */                                              \
	COLUMN(arm_b)

struct solving;
struct constraint;
struct contact_ref;

/* A row on its own, next to its constraint: compact, since the colours scatter rows. */
typedef struct ball_row {
#define MEMBER(name) real name;
	BALL_COLUMNS(MEMBER)
#undef MEMBER
	real scale; /* scale of the stiffness along the surface */
	int32_t curved;
} ball_row;

typedef struct ball_rows {
	int64_t count, capacity;
#define MEMBER(name) real *name;
	BALL_COLUMNS(MEMBER)
#undef MEMBER
	int32_t *a, *b;
	int32_t *curved;				/* 1: the stiffness is proportional to the root of the overlap */
	int64_t *of;					/* [count] contact */
	int64_t first[COLOUR_MOST + 1]; /* first row of each colour */
	/* constraints, by colours; from first[colours] and rest[colours] on those of the last block */
	int64_t others;
	int64_t *other;
	int64_t rest[COLOUR_MOST + 1];
	real quantum;													  /* N s: of the sums below */
	int64_t changed[SCREE_MOST_THREADS], pressed[SCREE_MOST_THREADS]; /* quanta, of this sweep */
} ball_rows;

/* Whether columns can hold a contact: of two balls, or of a ball with a wall, by a law with a spring, without rolling
 * friction. */
bool scree_ball_row_holds(const struct solving *v, const struct contact_ref *o);
/* The row of a constraint that is set up; and the constraint again, as far as its results need it, with its point at
 * r->first. */
ball_row scree_ball_row_of(const struct solving *v, const struct constraint *r);
struct constraint scree_ball_row_end(const struct solving *v, int64_t k, int64_t point);
/* Puts the contacts into columns and others, by colours; and impulses back. */
void scree_ball_rows_take(struct solving *v);
void scree_ball_rows_give(struct solving *v);
/* Relaxes rows from .. to-1 of one colour. */
void scree_ball_rows_sweep(struct solving *v, int64_t from, int64_t to, int thread);
/* Adds the impulses of rows from .. to-1 of one colour to the velocities. */
void scree_ball_rows_push(struct solving *v, int64_t from, int64_t to);
void scree_ball_rows_free(ball_rows *o);

#endif
