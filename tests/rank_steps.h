/* rank_steps.h: steps a scene as a whole, then by ranks in threads, which compare each step with the whole. */
#ifndef SCREE_TESTS_RANK_STEPS_H
#define SCREE_TESTS_RANK_STEPS_H

#include "format/plan.h"
#include "rank_faults.h"
#include "rank_threads.h"
#include "ranks/division/part.h"
#include "world/world.h"

enum { MOST_STEPS = 10000, LOOK_EVERY = 25, SAID = 1200, MOST_RANKS = 96 };

/* Another response before this step (numbered from 0), with its usual step; NULL: it stays. Multiplies friction and
 * stiffness of all materials by `by`. */
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
	/* results of the whole, step by step */
	uint64_t hash[MOST_STEPS];
	uint64_t measured[MOST_STEPS];
	measure_plan measure;
	int64_t touching[MOST_STEPS], ended; /* ended: step that a guard refused */
	char said[SAID];
	/* plan and results of ranks */
	partition_plan plan;
	const partition_row *by;
	const fault_script *script; /* NULL: no faults */
	/* called after the last step of the whole, and by each rank; false with an error message. NULL: not called
	 */
	bool (*at_end)(struct stepping *s, scree_world *w, char *said);
	void *for_end;
	char rank_said[MOST_RANKS][SAID];
	fail_code rank_code[MOST_RANKS];
	const struct breaking *breaking; /* message of rank 3 to break; NULL: none */
	bool wanders;					 /* the cuts move in each step */
	uint64_t way;					 /* seed of their positions */
	_Atomic int64_t empty, emptied;	 /* ranks without bodies: at the start; in a step, after one with bodies */
	_Atomic int64_t filled, on_cuts; /* the reverse; bodies whose position is exactly on a cut, in all steps */
	_Atomic int64_t across, moved;	 /* contacts with copies, in all steps; bodies that changed owners */
	_Atomic int64_t messages, bytes; /* sent, excluding those of sums */
	_Atomic int64_t last;			 /* contacts with copies in the last block of a solver, in all steps */
	const domain_row *rule;			 /* divides; NULL: scree_domain_ranks */
	bool handed;					 /* the first rank hands all bodies to their owners */
	bool by_work;					 /* parts are cut by work; if they move, at each search */
	_Atomic int64_t cuts;			 /* by work, over all ranks */
	_Atomic int32_t awaited;		 /* largest number of ranks from which one may get a message in an exchange */
	int threads;					 /* inside a rank; 0: one */
	real balance;					 /* largest over mean work above which parts are cut again; 0: 1.1 */
	const char *from; /* a snapshot with which ranks begin, after `first` steps of the whole; NULL: none */
	int64_t first;
} stepping;

/* A failure in the middle of a step, in rank 3. */
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

/* A scene to be stepped whole and on ranks. */
typedef struct stepped_scene {
	const char *file, *set[4]; /* changes of the scene */
	int steps;
	bool longer, crowds; /* longer: only with SCREE_TEST_FACTOR; crowds: contacts with copies get into the last block */
	division of[3];
} stepped_scene;

/* Steps the scene in one world, and stores its hashes. */
void step_whole(stepping *s);
/* The work of one rank: `what` is a stepping with its plan. A difference is in rank_said. */
void step_rank(channel *c, void *what);
/* Steps on ranks, `at_once` of which run at a time; all must step like the whole. */
void step_on(stepping *s, const division *d, int32_t at_once);
/* Steps on ranks whose messages are delayed, and in two thirds of the runs lost, cut off or changed with this
 * frequency: each rank steps like the whole, or ends with an error message that names ranks. */
void step_in_spite_of_faults(stepping *s, int32_t ranks, real often, int cases);
/* A scene with these changes, stepped in one part for `steps` steps, or fewer if tests run in short form. */
stepping *whole(const char *file, const char *const *set, int sets, int steps);
/* All of these scenes. rule: divides; NULL: scree_domain_ranks */
void step_like_the_whole(size_t count, const stepped_scene *of, const domain_row *rule);

#endif
