/* joint.h: numbers of a step that are needed from all parts of the world. They are those of this part until scree_join
 * has joined the numbers of several stages in one message (domain/domain.h). A stage that uses them afterwards
 * registers a function for it when it puts them (scree_after_join): steps call each stage once. */
#ifndef SCREE_WORK_JOINT_H
#define SCREE_WORK_JOINT_H

#include "base/fixed.h"
#include "work/sums.h"

/* sums over contacts: energies, work of images, forces through borders, and three counts */
enum { LAW_IMAGES = TALLIES, LAW_BORDER, LAW_UNBEARABLE = LAW_BORDER + 3, LAW_TOUCHING, LAW_BROKEN, LAW_SUMS };
/* components of the load on a wall */
enum { WALL_FORCE, WALL_TORQUE = 3, WALL_CONTACTS = 6, WALL_SUMS };

/* External forces in an implicit step: before its solution only a guess of the velocity is known, so their work follows
 * from the velocities before and after it. Power, W: with the mean of both, and with that after the step, which is kept
 * for the next step. SWINGS, J: as ledger.method_now */
enum { OUTER_POWER, OUTER_AFTER, OUTER_SWINGS, OUTER_SUMS };

typedef struct joint_numbers_of_step {
	real longest;				  /* m: displacement of the fastest body in the drift */
	real broken;				  /* 1: a position is NaN or infinite after the drift */
	real left;					  /* 1: a body is outside of the domain */
	real fastest;				  /* (m/s)^2 after the kick; NaN if any speed is NaN */
	real stale;					  /* 1: a body may have left the reach of its pairs */
	real overflow;				  /* 1: a body's sum of forces was beyond its range */
	real breach, crossed, passed; /* 1: found (work.h) */
	fixed law[LAW_SUMS];
	fixed fluid, applied;	 /* W: power of forces on bodies */
	fixed outer[OUTER_SUMS]; /* for implicit steps */
} joint_numbers_of_step;

struct model;
struct state;
struct work;

/* The part of a stage that needs the numbers of all parts of the world. */
typedef void after_join_fn(const struct model *m, struct state *s, struct work *w);
enum { MOST_AFTER_JOIN = 16 };
typedef struct after_join {
	int32_t count;
	after_join_fn *of[MOST_AFTER_JOIN];
} after_join;

/* Calls `use` in the next scree_join, after those registered before. */
void scree_after_join(struct work *w, after_join_fn *use);
/* Joins all numbers put by stages, in one message to all other parts, and calls the functions that wait for them. */
void scree_join(const struct model *m, struct state *s, struct work *w);

#endif
