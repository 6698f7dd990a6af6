/* pairs.h: pairs that may touch before the next search, their contacts, and the histories of contacts.
 *
 * A *slot* is a pair that may touch. Slots are kept from one search to the next, sorted by the row of the first body,
 * the partner's id and its image. The first of two bodies has the lower type of shape or, if these are equal, the lower
 * id.
 *
 * Slots are found with a skin so wide that searches are rare. Slots that may touch soon are selected more often, with a
 * narrow skin (a dual pair list, as in Pall and Hess 2013), and get a *contact row*, which the stages of a step read.
 * Slots are divided into pieces (work items of a thread). The contact rows of piece p are contiguous, in the order of
 * slots: rows base[p] .. base[p]+used[p]-1.
 *
 * Where the narrow phase may find several contacts between two bodies (REMEMBERS_FEATURES), a slot has a range of rows:
 * one per contact in ascending order of features, or one that does not touch. All other slots have one row each.
 *
 * A *contact* is a row that touches in this step; other rows have a zero history. Histories move with rows when these
 * are selected again, and are matched by key after a search for pairs (state/contact_key.h). Normals, overlaps and
 * caches are derived data with the same indices (work/pair_work.h). */
#ifndef SCREE_STATE_PAIRS_H
#define SCREE_STATE_PAIRS_H

#include "base/field.h"
#include "base/real.h"
#include "model/periods.h"
#include "state/ledger.h"
#include "state/pair_kinds.h"

/* Data that the laws of a list require for its contacts, in addition to the tangential spring. */
enum {
	REMEMBERS_TURNS = 1, /* springs for rolling and torsion */
	REMEMBERS_ACCOUNT =
		2, /* energy taken up and returned, which limits the force of patches (kernel/patch_contact.h) */
	REMEMBERS_FEATURES =
		4, /* index among several contacts between two bodies, or between a body and one surface of a wall */
	REMEMBERS_IMPULSES = 8, /* impulses of implicit steps */
	REMEMBERS_MOMENT = 16,	/* moment of the normal impulses on a patch */
	REMEMBERS_DEEPEST = 32, /* largest overlap so far of elastic-plastic contacts */
	REMEMBERS_BONDS = 64,	/* bonds of spheres (state/bonds.h) */
	REMEMBERS_PLACES = 128	/* positions of smooth bodies' contacts on round walls, by which these are tracked */
};

/* The history of contacts, written by laws and saved, as COLUMN(name, unit, help, group). Code that grows, moves,
 * saves, hashes and checks it is generated from this list. group: REMEMBERS_.. flag of lists with the column; 0: all */
#define CONTACT_HISTORY(COLUMN)                                                                                        \
	COLUMN(sx, "m", "tangential spring, world axes; ahead by half a step, or a whole implicit step", 0)                \
	COLUMN(sy, "m", "tangential spring", 0)                                                                            \
	COLUMN(sz, "m", "tangential spring", 0)                                                                            \
	COLUMN(stiff, "m", "scale of the tangential stiffness (Hertz: contact radius)", 0)                                 \
	COLUMN(bent, "J", "energy stored in the tangential spring", 0)                                                     \
	COLUMN(rx, "rad", "rolling spring", REMEMBERS_TURNS)                                                               \
	COLUMN(ry, "rad", "rolling spring", REMEMBERS_TURNS)                                                               \
	COLUMN(rz, "rad", "rolling spring", REMEMBERS_TURNS)                                                               \
	COLUMN(rolled, "J", "energy stored in the rolling spring", REMEMBERS_TURNS)                                        \
	COLUMN(twist, "rad", "torsional spring", REMEMBERS_TURNS)                                                          \
	COLUMN(twisted, "J", "energy stored in the torsional spring", REMEMBERS_TURNS)                                     \
	COLUMN(elastic, "J", "energy stored in the normal spring", REMEMBERS_ACCOUNT)                                      \
	COLUMN(power, "W", "power of the normal spring, including its restraint, on the bodies", REMEMBERS_ACCOUNT)        \
	COLUMN(work, "J", "energy gained by changes of geometry: made = work + elastic - dt/2 power", REMEMBERS_ACCOUNT)   \
	COLUMN(heat, "W", "current rate of dissipation; losses are known half a step ahead", REMEMBERS_ACCOUNT)            \
	COLUMN(lost_normal, "J", "dissipated along the normal since the contact began", REMEMBERS_ACCOUNT)                 \
	COLUMN(lost_friction, "J", "dissipated by friction since the contact began", REMEMBERS_ACCOUNT)                    \
	COLUMN(lost_rolling, "J", "dissipated by rolling and twisting since the contact began", REMEMBERS_ACCOUNT)         \
	COLUMN(spun, "m", "tangential spring about the normal: arm times angle", REMEMBERS_ACCOUNT)                        \
	COLUMN(deepest, "m", "greatest overlap so far; less if an adhesive contact was pulled apart", REMEMBERS_DEEPEST)   \
	COLUMN(torn, "J", "lost when the bodies of an elastic-plastic contact part", REMEMBERS_DEEPEST)                    \
	COLUMN(place, "rad", "angle of the contact around the axis of a round wall", REMEMBERS_PLACES)                     \
	COLUMN(jn, "N s", "normal impulse of the last step", REMEMBERS_IMPULSES)                                           \
	COLUMN(jx, "N s", "impulse of friction", REMEMBERS_IMPULSES)                                                       \
	COLUMN(jy, "N s", "impulse of friction", REMEMBERS_IMPULSES)                                                       \
	COLUMN(jz, "N s", "impulse of friction", REMEMBERS_IMPULSES)                                                       \
	COLUMN(gx, "N m s", "impulsive torque of friction, and of rolling without springs", REMEMBERS_IMPULSES)            \
	COLUMN(gy, "N m s", "impulsive torque of friction, and of rolling without springs", REMEMBERS_IMPULSES)            \
	COLUMN(gz, "N m s", "impulsive torque of friction, and of rolling without springs", REMEMBERS_IMPULSES)            \
	COLUMN(brought, "J", "energy that an impact brought into the contact; 0 if no impact", REMEMBERS_IMPULSES)         \
	COLUMN(took, "J", "energy taken from the bodies along the normal since the impact began", REMEMBERS_IMPULSES)      \
	COLUMN(lasts, "", "number of steps of the impact, plus 1e6 if bodies rotate, plus 1e12 if the impact has ended",   \
		   REMEMBERS_IMPULSES)                                                                                         \
	COLUMN(mx, "N m s", "moment of the normal impulses about the point of friction", REMEMBERS_MOMENT)                 \
	COLUMN(my, "N m s", "moment of the normal impulses", REMEMBERS_MOMENT)                                             \
	COLUMN(mz, "N m s", "moment of the normal impulses", REMEMBERS_MOMENT)                                             \
	COLUMN(bond_length, "m", "distance of the centres when the bond formed; 0 if no bond", REMEMBERS_BONDS)            \
	COLUMN(bond_strength, "", "strength of the bond divided by the mean strength", REMEMBERS_BONDS)                    \
	COLUMN(bond_held, "J", "energy stored in the bond", REMEMBERS_BONDS)                                               \
	COLUMN(bond_x, "m", "displacement across the bond, world axes; ahead by half a step with forces", REMEMBERS_BONDS) \
	COLUMN(bond_y, "m", "displacement across the bond", REMEMBERS_BONDS)                                               \
	COLUMN(bond_z, "m", "displacement across the bond", REMEMBERS_BONDS)                                               \
	COLUMN(bond_rx, "rad", "rotation of the bond's ends, world axes; ahead by half a step with forces",                \
		   REMEMBERS_BONDS)                                                                                            \
	COLUMN(bond_ry, "rad", "rotation of the bond's ends", REMEMBERS_BONDS)                                             \
	COLUMN(bond_rz, "rad", "rotation of the bond's ends", REMEMBERS_BONDS)

typedef struct pair_list {
	int64_t count, capacity; /* slots; arrays of contact rows have the same capacity, or a capacity of base[pieces] */
	int32_t pieces, piece_capacity, largest; /* largest: slots of the largest piece, or the capacity of its rows */
	int64_t *piece, *base;					 /* [pieces+1] first slot and first contact row of each piece */
	int32_t *used, *wants; /* [pieces] contact rows in use; rows needed if the piece is too small, otherwise 0 */
	/* slots */
	int32_t *a, *b; /* rows of bodies; for wall pairs, b is the surface */
	int32_t *row;	/* first contact row; -1 if the pair cannot touch before rows are selected again */
					/* contact rows */
#define MEMBER(name, unit, help, group) real *name;
	CONTACT_HISTORY(MEMBER)
#undef MEMBER
	/* A row's slot and bodies follow from its position; touch and feature belong to the history. */
	int32_t *slot;	   /* slot of this row (broad) */
	int32_t *ca, *cb;  /* a and b of that slot (broad) */
	uint64_t *touch;   /* 1 if the row touches (narrow, law) */
	uint64_t *feature; /* with REMEMBERS_FEATURES: index among the contacts of the slot, used in the key (narrow) */
	/* the following members are not in the tables */
	uint32_t remembers;
	int32_t *rows; /* with REMEMBERS_FEATURES: rows of each slot, from `row` on; NULL: one row each (narrow) */
	image *met;	   /* per slot in periodic worlds: the image of b that a meets, or NULL (broad) */
} pair_list;

extern const field_table scree_history_table;

/* The REMEMBERS_.. flag of lists that have the array of row k of scree_history_table; 0 if every list has it. */
uint32_t scree_pair_needs(int k);
/* Tests whether a list has the array of row k of scree_history_table. */
bool scree_pair_has(const pair_list *l, int k);
/* Sets the data that contacts have from now on; other data are lost, and new data are zero. */
void scree_pair_list_remember(pair_list *l, uint32_t what);
void scree_history_clear(pair_list *l, int64_t from, int64_t to);
/* Clears the history of a contact except its position and its bond. */
void scree_history_restart(pair_list *l, int64_t k);

void scree_pair_list_reserve(pair_list *l, int64_t count);
/* Number of pieces, at least one, for a total of `wanted` slots. */
int64_t scree_pair_list_grain(const pair_list *l, int64_t wanted);
/* Divides the slots into pieces that start at these pieces+1 slots, the last of which is count; no slot keeps a row. */
void scree_pair_list_cut(pair_list *l, int32_t pieces, const int64_t *start);
/* Makes room for room[p] contact rows in each piece, but not fewer than exist; rows in use are moved. */
void scree_pair_list_widen(pair_list *l, const int32_t *room);
/* Moves histories among rows from `base` on: row r of the first `count` rows gets the history of row of[r] of the first
 * `had` rows, or none if of[r] < 0. touch and feature move with it. copy: a buffer for `had` items. */
void scree_pair_rows_move(pair_list *l, int64_t base, int32_t had, int32_t count, const int32_t *of, real *copy);
void scree_pair_list_cut_even(pair_list *l, int32_t size);
void scree_pair_list_free(pair_list *l);

/* number of rows of slot k, from l->row[k] on */
SCREE_FN int32_t slot_rows(const pair_list *l, int64_t k) { return l->row[k] < 0 ? 0 : l->rows ? l->rows[k] : 1; }
SCREE_FN bool slot_touches(const pair_list *l, int64_t k)
{
	for (int32_t r = l->row[k], end = r + slot_rows(l, k); r < end; ++r)
		if (l->touch[r]) return true;
	return false;
}

/* Adapts the account of row k, which is half a step ahead, to a new time step; steps in s. Past impulses of implicit
 * steps are kept; first guesses of the next impulses are scaled. */
void scree_contact_restep(pair_list *l, int64_t k, real before, real after);
/* For implicit steps: counts the energy of row k's springs as lost, since a contact may end within a step. */
void scree_contact_release(pair_list *l, int64_t k);
/* Clears contact row k, which no longer touches, and adds its energies to the ledger (NULL if counted elsewhere). */
void scree_contact_end(ledger *to, pair_list *l, int64_t k, real dt);

/* Loops over the rows of a list: for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) ... c.row */
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
