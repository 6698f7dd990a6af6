/* sums.h: contributions of contacts to bodies, as integer multiples of a quantum, so that sums do not depend on their
 * order or on the division among threads (docs/theory/sums.md).
 *
 * A contact adds to both partners at the same time, on whichever thread computes it. Each thread has its own rows,
 * which are added when forces are read. All forces use the same power of two as quantum, and all torques another:
 * action and reaction are bitwise identical. Bodies use 128-bit sums (wide bodies) if their load is above 64 times the
 * smallest load or does not fit into 64 bits with the quantum of the lightest body. */
#ifndef SCREE_WORK_SUMS_H
#define SCREE_WORK_SUMS_H

#include "base/fixed.h"
#include "base/real.h"

/* one cache line */
typedef struct body_sum {
	int64_t force[3], torque[3];
	/* sums of absolute values over SUMS_COARSER (kernel/contact_quanta.h), which show possible overflow */
	int64_t forces, torques;
} body_sum;
_Static_assert(sizeof(body_sum) == 64, "a cache line");

typedef struct wide_sum {
	fixed force[3], torque[3];
} wide_sum;

/* sums for walls that move or whose load is reported */
typedef struct wall_sum {
	fixed force[3], torque[3];
	int64_t contacts;
} wall_sum;

/* Terms that contacts without an energy account add to the ledger in one step, in J: rates times the step. */
enum { TALLY_NORMAL, TALLY_FRICTION, TALLY_ROLLING, TALLY_MADE, TALLY_POWER, TALLY_HEAT, TALLIES };
typedef struct law_tally {
	int128 energy[TALLIES];	  /* quanta */
	fixed images;			  /* power of moving images, in W */
	fixed border[3];		  /* forces through the borders of a cell of variable size, in N */
	int64_t unbearable;		  /* number of contacts whose force exceeds the range of sums or is not a number */
	int64_t touching, broken; /* broken: bonds */
	real most;				  /* upper bound on the largest load of a contact, in quanta; infinite if one is NaN */
} law_tally;

enum { SUMS_BLOCK = 32 }; /* number of bodies that are cleared and summed together */

/* the sums of one thread */
typedef struct sum_rows {
	body_sum *body;				  /* [bodies] zero between steps */
	uint8_t *touched;			  /* [bodies/SUMS_BLOCK] 1 if some rows may not be zero */
	wide_sum *wide;				  /* [wides] */
	wall_sum *wall;				  /* [walls] */
	int64_t bodies, wides, walls; /* capacities */
} sum_rows;

/* Makes room for this number of rows; all rows are zero, as they are between two steps. */
void scree_sum_rows_room(sum_rows *r, int64_t bodies, int64_t wides, int64_t walls);

/* Size of a quantum, and wide bodies: both are functions of the current bodies (src/sum/sums_scale.c). */
typedef struct sums {
	int32_t *wide;		/* [bodies] row of wide_sum, or -1; NULL if no body is wide */
	uint64_t *wide_set; /* [bodies/64] one bit per body, set if it is wide; allocated together with `wide` */
	int32_t wides, room;
	real force_quantum, torque_quantum; /* N, N m: powers of two */
	real energy_quantum;				/* J */
	/* In the last step: upper bound on the force or torque of a contact, in quanta. */
	real most;
	real rounded; /* forces are multiples of this, in N: the quantum, or the wide quantum if all bodies are wide */
	/* largest ratio of `rounded` to the weight of a body; 0 without gravity */
	real coarsest;
	uint64_t lightest; /* id of the body with this ratio */
} sums;

SCREE_FN bool sum_is_wide(const sums *s, int64_t i) { return s->wide && s->wide_set[i / 64] >> i % 64 & 1; }

/* A quantum of force above this fraction of a body's weight would be noticeable. */
static const real SUMS_COARSEST = (real)1e-7;
#define SCREE_QUANTUM_CURE "lower run.guard.overlap, or use softer materials or heavier bodies"

#endif
