/* rank_steps.h: steps a scene as one world, then on ranks in threads, which compare each step with the undivided world.
 */
#ifndef SCREE_TESTS_RANK_STEPS_H
#define SCREE_TESTS_RANK_STEPS_H

#include "format/plan.h"
#include "rank_faults.h"
#include "rank_threads.h"
#include "ranks/division/part.h"
#include "world/world.h"

enum { MOST_STEPS = 10000, LOOK_EVERY = 25, SAID = 1200, MOST_RANKS = 96 };

/* A different response from this step on (numbered from 0), with its default step length; NULL for no change.
 * Multiplies friction and stiffness of all materials by `by`. */
typedef struct change_at {
	int64_t step;
	const char *response;
	real by;
} change_at;

typedef struct stepping {
	const char *file;
	const char *const *set;
	int sets;
	int64_t steps;
	const change_at *change; /* [changes] */
	int changes;
	/* results of the undivided world, step by step */
	uint64_t hash[MOST_STEPS];
	uint64_t measured[MOST_STEPS];
	measure_plan measure;
	int64_t touching[MOST_STEPS], ended; /* ended: the step in which a guard stopped the run */
	char said[SAID];
	/* plan and results of ranks */
	partition_plan plan;
	const partition_row *by;
	const fault_script *script; /* NULL: no faults */
	/* called after the last step of the undivided world, and by each rank; returns false with an error message on
	 * failure. NULL: not called */
	bool (*at_end)(struct stepping *s, scree_world *w, char *said);
	void *for_end;
	char rank_said[MOST_RANKS][SAID];
	fail_code rank_code[MOST_RANKS];
	const struct breaking *breaking; /* failure to cause in a step on rank 3, or NULL */
	bool wanders;					 /* whether the cuts move in each step */
	uint64_t way;					 /* seed for the positions of the cuts */
	_Atomic int64_t empty, emptied;	 /* ranks without bodies at the start; ranks that lost their last body in a step */
	/* ranks that got their first body in a step; bodies exactly on a cut, in all steps */
	_Atomic int64_t filled, on_cuts;
	_Atomic int64_t across, moved;	 /* contacts with copies, in all steps; number of bodies that changed owners */
	_Atomic int64_t messages, bytes; /* numbers of messages and bytes sent, excluding messages for sums */
	_Atomic int64_t last;			 /* number of contacts with copies in the last block of a solver, in all steps */
	const domain_row *rule;			 /* the rule for dividing the world; NULL selects scree_domain_ranks */
	bool handed;					 /* whether the first rank distributes all bodies to their owners */
	bool by_work;					 /* whether parts are divided by work (at each search if cuts move) */
	_Atomic int64_t cuts;			 /* number of divisions by work, over all ranks */
	_Atomic int32_t awaited;		 /* largest number of ranks from which a rank may receive messages in an exchange */
	int threads;					 /* threads of each rank; 0 for one */
	real balance;					 /* ratio of largest to mean work above which parts are divided again; 0 for 1.1 */
	const char *from; /* a snapshot from which ranks start, after `first` steps of the undivided world, or NULL */
	int64_t first;
} stepping;

/* A failure during a step on rank 3. */
typedef struct breaking {
	fail_code code;
	int64_t step;
} breaking;

/* A run of a scene on ranks. */
typedef struct division {
	int32_t ranks, parts[3];
	bool wanders, hexagons;
} division;

#define GIANT  "tests/module/ranks/giant.scene.yaml"
#define STREAM "tests/module/ranks/stream.scene.yaml"

/* A scene to be stepped both as one world and on ranks. */
typedef struct stepped_scene {
	const char *file, *set[4]; /* changes to the scene */
	int steps;
	bool longer, crowds; /* longer: runs only with SCREE_TEST_FACTOR; crowds: some contacts with copies must be in the
							last block */
	division of[3];
} stepped_scene;

/* Steps the scene as one world, and stores its hashes. */
void step_whole(stepping *s);
/* Runs one rank; `what` is a stepping with its plan. A difference is reported in rank_said. */
void step_rank(channel *c, void *what);
/* Steps on ranks, `at_once` of which run at the same time; all must give the same results as the undivided world. */
void step_on(stepping *s, const division *d, int32_t at_once);
/* Steps on ranks whose messages are delayed and, in two thirds of the runs, lost, truncated or changed with this
 * probability: each rank gives the same results as the undivided world, or ends with an error message that names ranks.
 */
void step_in_spite_of_faults(stepping *s, int32_t ranks, real often, int cases);
/* A scene with these changes, stepped as one world for `steps` steps, or fewer if tests run in the short form. */
stepping *whole(const char *file, const char *const *set, int sets, int steps);
/* Steps all of these scenes. rule: the rule for dividing the world; NULL selects scree_domain_ranks */
void step_like_the_whole(size_t count, const stepped_scene *of, const domain_row *rule);

#endif
