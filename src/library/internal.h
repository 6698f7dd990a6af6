/* internal.h: the handle, and how its functions are called; private to src/library. */
#ifndef SCREE_LIBRARY_INTERNAL_H
#define SCREE_LIBRARY_INTERNAL_H

#include "scree/world.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/sort.h"
#include "format/snapshot.h"
#include "prepare/prepare.h"
#include "world/world.h"

/* copies of the orientations of the axes in which shapes were given */
typedef struct user_axes {
	real *q[4];		/* w, x, y, z; NULL: not made yet */
	uint64_t epoch; /* when they were made */
	int64_t made;	/* scree_sim.changes then */
} user_axes;

struct scree_sim {
	scree_world *w;
	memory_list memory; /* all blocks of the simulation */
	snapshot_extra extra;
	char *notes;
	int threads;
	scree_code broken; /* an internal failure: the simulation can only be closed */
	bool stopped;	   /* by a guard */
	bool fresh;		   /* no step was made since it was opened or restored: contacts are not there yet */
	fail why;		   /* reason of the last failure */
	uint64_t epoch;
	int64_t changes; /* number of calls so far that may have moved bodies */
	user_axes axes;
	sort_item *id; /* ids of bodies in order, with their rows */
	uint64_t id_epoch;
	bool shown; /* they are there nevertheless, to be read, and must be hidden before the next change */
	start_shown hidden;
};

/* Work of a public function; `of` is its arguments and results. Anything but SCREE_DONE leaves a sentence in s->why. */
typedef scree_code call_fn(scree_sim *s, void *of);
/* Calls work(s, of) as an attempt, with the threads and the memory of the simulation. */
scree_code scree_sim_call(scree_sim *s, call_fn *work, void *of);
/* stores the sentence; returns SCREE_BAD_INPUT */
scree_code scree_sim_refuse(scree_sim *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* the code of a failure */
scree_code scree_sim_code(const fail *why);

/* Before the world is changed, stepped or saved: hides contacts that a step has not found. */
void scree_sim_touch(scree_sim *s);
/* Before contacts, energies or forces are read: finds the contacts if no step has. */
void scree_sim_look(scree_sim *s);

/* says that there is no such wall; returns SCREE_BAD_INPUT */
scree_code scree_sim_refuse_wall(scree_sim *s, int wall);

/* Before the state is hashed or saved: at t = 0 it has the forces of the start, as in a run. */
void scree_sim_settle(scree_sim *s);

/* process.c: progress of slow work in this thread goes to the log, or nowhere */
void scree_sim_log_begin(void);
void scree_sim_log_end(void);
/* each line of a text */
void scree_sim_log_lines(const char *text);

#endif
