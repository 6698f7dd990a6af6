/* pairs.h: which bodies may touch before the next search, which of them do, and what each contact remembers.
 *
 * A *slot* is a pair that may touch; slots stay from one search for pairs to the next, sorted by the row of the first
 * body, then by the partner's id, then by the image of it. The first of two bodies is the one with the lower id where
 * both have one type of shape, else the one with the lower type.
 *
 * Slots are found with a skin so wide that a search is seldom needed. Of these, those that may touch soon are chosen
 * more often with a narrow skin (a dual pair list, as in Pall and Hess 2013) and get a *contact row*: what the stages
 * of a step look at. Slots are cut into pieces (what one thread works on at a time); the contact rows of a piece lie
 * packed from its place in the contact arrays on, in the order of slots: rows base[p] .. base[p]+used[p]-1.
 *
 * Where the narrow phase may find several contacts of two bodies (REMEMBERS_FEATURES), a slot has a range of rows, by
 * rising features: as many as touch, or one that does not. Elsewhere it has one.
 *
 * A *contact* is a row that touches in this step. What a row remembers is zero while it does not touch; when rows are
 * chosen anew histories are moved along, and at a search for pairs they follow by key (state/contact_key.h). */
#ifndef SCREE_STATE_PAIRS_H
#define SCREE_STATE_PAIRS_H

#include "base/field.h"
#include "base/real.h"
#include "model/periods.h"
#include "state/ledger.h"
#include "state/pair_kinds.h"

/* What a contact does to a. On b acts the opposite force, and the torque that keeps the sum about any point zero. */
typedef struct contact_force {
	vec3 force, torque; /* N, N m: on a, about its centre */
	real normal;		/* N, >= 0 */
} contact_force;

/* torque on b about its centre (of a wall: about its place); apart: from there to the centre of a */
SCREE_FN vec3 torque_on_b(const contact_force *c, vec3 apart)
{
	return v3_neg(v3_add(c->torque, v3_cross(apart, c->force)));
}

/* What contacts of a list have beside a tangential spring, as their laws ask for it. */
enum {
	REMEMBERS_TURNS = 1,	 /* springs of rolling and of torsion */
	REMEMBERS_ACCOUNT = 2,	 /* what it took and gave: patches, which are held to it (kernel/restraint.h) */
	REMEMBERS_GEOMETRY = 4,	 /* of this step: of all but two spheres (kernel/sphere_contact.h) */
	REMEMBERS_FORCE = 8,	 /* of this step: where it does not follow from the state when it is asked for */
	REMEMBERS_FEATURES = 16, /* which of several contacts of two bodies, or with one surface of a wall, it is */
	REMEMBERS_RADII = 32,	 /* of this step: radii where it touches, which are not those of the bodies */
	REMEMBERS_SHARES = 64,	 /* of this step: where several contacts of one pair share its mass */
	REMEMBERS_PARTS = 128	 /* of this step: where contacts of a body with surfaces of a wall share stiffness */
};

/* The history of contacts, which laws write and which is saved with the state, a line each: COLUMN(name, unit, help,
 * group). Growing, moving along with rows, snapshots, hashes and their checks follow from it. group: what a list has to
 * remember to have the column; 0: every list has it. */
#define CONTACT_HISTORY(COLUMN)                                                                                        \
	COLUMN(sx, "m", "tangential spring, world axes, half a step ahead", 0)                                             \
	COLUMN(sy, "m", "tangential spring", 0)                                                                            \
	COLUMN(sz, "m", "tangential spring", 0)                                                                            \
	COLUMN(stiff, "m", "what the tangential stiffness was scaled by (Hertz: contact radius)", 0)                       \
	COLUMN(bent, "J", "stored in the tangential spring", 0)                                                            \
	COLUMN(rx, "rad", "rolling spring", REMEMBERS_TURNS)                                                               \
	COLUMN(ry, "rad", "rolling spring", REMEMBERS_TURNS)                                                               \
	COLUMN(rz, "rad", "rolling spring", REMEMBERS_TURNS)                                                               \
	COLUMN(rolled, "J", "stored in the rolling spring", REMEMBERS_TURNS)                                               \
	COLUMN(twist, "rad", "torsional spring", REMEMBERS_TURNS)                                                          \
	COLUMN(twisted, "J", "stored in the torsional spring", REMEMBERS_TURNS)                                            \
	COLUMN(elastic, "J", "stored in the normal spring", REMEMBERS_ACCOUNT)                                             \
	COLUMN(power, "W", "of the normal spring, with its restraint, on the bodies", REMEMBERS_ACCOUNT)                   \
	COLUMN(work, "J", "made by changes of geometry: made = work + elastic - dt/2 power", REMEMBERS_ACCOUNT)            \
	COLUMN(heat, "W", "rate of dissipation now: what is lost is known half a step ahead", REMEMBERS_ACCOUNT)           \
	COLUMN(lost_normal, "J", "dissipated normally since the contact began", REMEMBERS_ACCOUNT)                         \
	COLUMN(lost_friction, "J", "dissipated by friction since the contact began", REMEMBERS_ACCOUNT)                    \
	COLUMN(lost_rolling, "J", "dissipated by rolling and twisting since the contact began", REMEMBERS_ACCOUNT)         \
	COLUMN(spun, "m", "tangential spring about the normal: arm times angle", REMEMBERS_ACCOUNT)

/* Cache of the narrow phase: what it chose of two polyhedra that touch, and how far they may move for that to be sure
 * (solid/convex_keep.c). */
typedef struct pair_kept {
	float lead;				 /* m; 0: nothing is known */
	float apart[3], turn[9]; /* m, and no unit: the second body in the frame of the first one when it was chosen */
	int16_t face;
	uint8_t held;  /* looks that it was good for, as far as anybody counts */
	int64_t edges; /* 0: none */
} pair_kept;

/* pair_list.waited: there is something in `kept` */
#define PAIR_IS_KEPT 255

typedef struct pair_list {
	int64_t count, capacity;				 /* slots; contact rows have room for as many, or for base[pieces] */
	int32_t pieces, piece_capacity, largest; /* largest: slots of the largest piece, or room for its rows */
	int64_t *piece, *base;					 /* [pieces+1] first slot and first contact row of each piece */
	int32_t *used, *wants;					 /* [pieces] contact rows; how many there should be room for, or 0 */
	/* slots */
	int32_t *a, *b; /* rows of bodies; b of wall pairs: the surface */
	int32_t *row;	/* contact row, the first one, or -1: cannot touch before rows are chosen anew */
	real *clear;	/* cache: m; no contact while the ways of a and b since the search add up to less */
	int32_t *axis;	/* cache: last separating or least-penetration axis, as the narrow phase codes it */
					/* contact rows */
#define MEMBER(name, unit, help, group) real *name;
	CONTACT_HISTORY(MEMBER)
#undef MEMBER
	/* this step */
	int32_t *slot;	  /* whose row it is                                                broad   */
	int32_t *ca, *cb; /* its a and b                                                    broad   */
	uint64_t *touch;  /* 1: touches                                                     narrow, law */
	/* REMEMBERS_GEOMETRY */
	real *nx, *ny, *nz; /* unit normal, from b to a                                       narrow  */
	real *px, *py,
		*pz;		 /* m   contact point from the centre of a, world axes; of a patch: of its deepest point  narrow */
	real *depth;	 /* m   greatest overlap, > 0                                      narrow  */
	real *arm;		 /* m   of a patch: mean distance of the pressure from its centre  narrow  */
	int32_t *points; /* how many points the patch has (kinds with one point: not used) narrow  */
	uint64_t *first; /* where they begin: pool << 32 | row of that pool of contact_points  narrow */
	/* REMEMBERS_FEATURES */
	uint64_t *feature; /* which contact of its slot: part of its key                      narrow  */
	/* REMEMBERS_RADII */
	real *ra, *rb; /* m   of balls of clumps; b's on a wall is a's                        narrow  */
	/* REMEMBERS_SHARES */
	real *firm;	 /* stiffness of the normal spring, over a number that all contacts of the pair have   law     */
	real *share; /* part of the reduced mass that its dashpots damp: 1 of a contact that is alone      law     */
	/* REMEMBERS_PARTS */
	real *part; /* of the stiffness that the contact would have alone                                  narrow  */
	/* outside of the tables */
	contact_force *force; /* REMEMBERS_FORCE, else NULL; zero where nothing touches              law     */
	uint32_t remembers;
	int32_t *rows;	 /* REMEMBERS_FEATURES, of a slot: how many rows from `row` on; else NULL: one     narrow */
	pair_kept *kept; /* of polyhedra, a slot, or NULL: none yet                                 narrow */
	uint8_t *waited; /* beside it: searches that asked for nothing to keep, or PAIR_IS_KEPT     narrow */
	image *met; /* of worlds with periods, a slot: which image of b a meets (model/periods.h), or NULL       broad */
} pair_list;

extern const field_table scree_slot_table;
extern const field_table scree_contact_table; /* every array of contacts */
extern const field_table scree_history_table; /* the history only, the head of scree_contact_table */

/* What a list has to remember (REMEMBERS_..) to have the array of row k of scree_contact_table; 0: every list has it.
 */
uint32_t scree_pair_needs(int k);
/* Has a list the arrays of row k of scree_contact_table? */
bool scree_pair_has(const pair_list *l, int k);
/* From here on contacts remember this; what they remember beside it is lost, what is new is zero. */
void scree_pair_list_remember(pair_list *l, uint32_t what);
/* A contact's history begins anew. */
void scree_history_clear(pair_list *l, int64_t from, int64_t to);

void scree_pair_list_reserve(pair_list *l, int64_t count);
/* Pieces, one at least, that have `wanted` slots together. */
int64_t scree_pair_list_grain(const pair_list *l, int64_t wanted);
/* Cuts the slots into pieces at these starts (pieces+1 of them, the last is count); no slot touches. */
void scree_pair_list_cut(pair_list *l, int32_t pieces, const int64_t *start);
/* Room for room[p] contact rows of each piece, at least what there is; those in use are moved along. */
void scree_pair_list_widen(pair_list *l, const int32_t *room);
/* Row r of the `count` first ones from `base` on remembers what row of[r] of the `had` first ones did, or nothing where
 * that is below 0; whether it touches, and its feature, go along. copy: room for `had`. */
void scree_pair_rows_move(pair_list *l, int64_t base, int32_t had, int32_t count, const int32_t *of, real *copy);
/* The same into equal pieces. */
void scree_pair_list_cut_even(pair_list *l, int32_t size);
/* Room to keep what the narrow phase chooses; nothing is known yet. */
void scree_pair_list_keep(pair_list *l);
void scree_pair_list_forget_kept(pair_list *l);
void scree_pair_list_free(pair_list *l);

/* how many rows slot k has, from l->row[k] on; do any of them touch? */
SCREE_FN int32_t slot_rows(const pair_list *l, int64_t k) { return l->row[k] < 0 ? 0 : l->rows ? l->rows[k] : 1; }
SCREE_FN bool slot_touches(const pair_list *l, int64_t k)
{
	for (int32_t r = l->row[k], end = r + slot_rows(l, k); r < end; ++r)
		if (l->touch[r]) return true;
	return false;
}

/* hands what contact row k of a list remembers to the ledger (NULL: another part of the world counts it) and
 * forgets it: it does not touch any more */
void scree_contact_end(ledger *to, pair_list *l, int64_t k, real dt);

/* part of the reduced mass that the dashpots of contact row k damp */
SCREE_FN real contact_share(const pair_list *l, int64_t k) { return l->share ? l->share[k] : 1; }

/* part of the stiffness that contact row k would have alone */
SCREE_FN real contact_part(const pair_list *l, int64_t k) { return l->part ? l->part[k] : 1; }

/* Every contact row of a list: for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) ... c.row */
typedef struct contact_walk {
	int32_t piece;
	int64_t row;
} contact_walk;

SCREE_FN contact_walk contact_first(const pair_list *l)
{
	contact_walk c = {0, l->pieces ? l->base[0] : 0};
	return c;
}
SCREE_FN bool contact_more(const pair_list *l, contact_walk *c)
{
	while (c->piece < l->pieces) {
		if (c->row >= l->base[c->piece] + l->used[c->piece])
			c->row = l->base[++c->piece];
		else if (!l->touch[c->row])
			++c->row;
		else
			return true;
	}
	return false;
}

#endif
