/* sums.h: what contacts add to bodies, in whole quanta, so that no order and no division among threads changes the
 * sums (docs/theory/sums.md).
 *
 * A contact adds to both of its partners at once, whoever computes it. Each thread has rows of its own; the sum over
 * threads is taken where forces are asked for. One power of two for all forces and one for all torques: action is
 * reaction to the bit. Bodies that bear more than 64 times what the least of them bears, or so much that 64 bits do not
 * hold that and the quantum that the lightest one needs, add in 128 bits: wide bodies. */
#ifndef SCREE_WORK_SUMS_H
#define SCREE_WORK_SUMS_H

#include "base/fixed.h"
#include "base/real.h"

/* one cache line */
typedef struct body_sum {
	int64_t force[3], torque[3];
	/* sums of absolute values over SUMS_COARSER (kernel/contact_quanta.h): of them follows whether the others may have
	 * overflowed */
	int64_t forces, torques;
} body_sum;
_Static_assert(sizeof(body_sum) == 64, "a cache line");

typedef struct wide_sum {
	fixed force[3], torque[3];
} wide_sum;

/* of a wall that moves or tells its load */
typedef struct wall_sum {
	fixed force[3], torque[3];
	int64_t contacts;
} wall_sum;

/* What contacts that keep no account of their own add to the ledger in one step: J, the rates times the step. */
enum { TALLY_NORMAL, TALLY_FRICTION, TALLY_ROLLING, TALLY_MADE, TALLY_POWER, TALLY_HEAT, TALLIES };
typedef struct law_tally {
	int128 energy[TALLIES]; /* quanta */
	fixed images;			/* W: by images that move */
	int64_t unbearable;		/* contacts whose force is beyond what sums hold, or no number */
	int64_t touching;
	real most; /* quanta: the greatest load of a contact, and more; infinite where one is no number */
} law_tally;

enum { SUMS_BLOCK = 32 }; /* bodies that are emptied and added up together */

/* what one thread adds to */
typedef struct sum_rows {
	body_sum *body;				  /* [bodies] zero between steps */
	uint8_t *touched;			  /* [bodies/SUMS_BLOCK] 1: has rows that may not be zero */
	wide_sum *wide;				  /* [wides] */
	wall_sum *wall;				  /* [walls] */
	int64_t bodies, wides, walls; /* room */
} sum_rows;

void scree_sum_rows_free(sum_rows *r);
/* Rows for so many; what is there is zero, as it is between two steps. */
void scree_sum_rows_room(sum_rows *r, int64_t bodies, int64_t wides, int64_t walls);

/* What one quantum is, and who is wide: functions of the bodies that there are (src/sum/sums_scale.c). */
typedef struct sums {
	int32_t *wide;		/* [bodies] row of wide_sum, or -1; NULL: no body is wide */
	uint64_t *wide_set; /* [bodies/64] a bit a body: it is wide; as wide */
	int32_t wides, room;
	real force_quantum, torque_quantum; /* N, N m: powers of two */
	real energy_quantum;				/* J */
	/* Of the last step: no contact's force, nor torque, was of more quanta. */
	real most;
	/* Derived, when it is asked for after rows were chosen: the most contact rows of a body that is not wide, and the
	 * greatest of rows over mass, 1/kg, of all. */
	bool counted;
	int32_t rows_most, *rows, rows_room;
	real rows_by_mass;
	real rounded; /* N: forces are whole multiples of this: the force quantum, or where all bodies are wide theirs */
	/* that over the weight of the body for which it is the most; 0 without gravity */
	real coarsest;
	uint64_t lightest; /* its id */
} sums;

SCREE_FN bool sum_is_wide(const sums *s, int64_t i) { return s->wide && s->wide_set[i / 64] >> i % 64 & 1; }

/* Forces that are coarser than this part of a body's weight would be seen. */
static const real SUMS_COARSEST = (real)1e-7;
#define SCREE_QUANTUM_CURE "set run.guard.overlap to less, take softer materials or heavier bodies"

#endif
