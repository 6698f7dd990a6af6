/* joint.h: numbers of a step that must be combined over all parts of the world. The numbers refer to this part until
 * scree_join combines the numbers of several stages in one message (ranks/together/domain.h). A stage that needs the
 * combined numbers registers a function (scree_after_join), since a step calls each stage once. */
#ifndef SCREE_WORK_JOINT_H
#define SCREE_WORK_JOINT_H

#include "base/fixed.h"
#include "work/sums.h"

/* sums over contacts: energies, work of images, forces through borders, and three counts */
enum { LAW_IMAGES = TALLIES, LAW_BORDER, LAW_UNBEARABLE = LAW_BORDER + 3, LAW_TOUCHING, LAW_BROKEN, LAW_SUMS };
enum { WALL_FORCE, WALL_TORQUE = 3, WALL_CONTACTS = 6, WALL_SUMS };

/* External forces in an implicit step, whose work needs the final velocities before and after it. Power in W: with the
 * mean of both, and with the velocity after the step, for use in the next. SWINGS, in J: like ledger.method_now */
enum { OUTER_POWER, OUTER_AFTER, OUTER_SWINGS, OUTER_SUMS };

typedef struct joint_numbers_of_step {
	real longest;				  /* displacement of the fastest body in the drift, in m */
	real broken;				  /* 1 if a position is NaN or infinite after the drift */
	real left;					  /* 1 if a body is outside the domain */
	real fastest;				  /* square of the largest speed after the kick, in (m/s)^2; NaN if any speed is NaN */
	real stale;					  /* 1 if a body may have moved so far that its pairs are no longer valid */
	real overflow;				  /* 1 if the sum of forces on a body was out of range */
	real breach, crossed, passed; /* 1: found (work.h) */
	fixed law[LAW_SUMS];
	fixed fluid, applied;	 /* power of forces on bodies, in W */
	fixed outer[OUTER_SUMS]; /* for implicit steps */
} joint_numbers_of_step;

struct model;
struct state;
struct work;

/* The part of a stage that needs the numbers combined over all parts of the world. */
typedef void after_join_fn(const struct model *m, struct state *s, struct work *w);
enum { MOST_AFTER_JOIN = 16 };
typedef struct after_join {
	int32_t count;
	after_join_fn *of[MOST_AFTER_JOIN];
} after_join;

/* Calls `use` in the next scree_join, after the functions registered earlier. */
void scree_after_join(struct work *w, after_join_fn *use);
/* Combines all numbers set by stages, in one message to all other parts, and calls the functions that wait for them. */
void scree_join(const struct model *m, struct state *s, struct work *w);

#endif
