/* internal.h: the handle, and how its functions are called; private to src/library. */
#ifndef SCREE_LIBRARY_INTERNAL_H
#define SCREE_LIBRARY_INTERNAL_H

#include "library/calls.h"

#include "base/fail.h"
#include "base/memory.h"
#include "format/snapshot.h"
#include "prepare/prepare.h"
#include "scene/scene.h"
#include "state/id_table.h"
#include "world/world.h"

/* Columns that are copies: orientations of the axes in which shapes were given, and sizes in the scene's unit. */
enum { COPIES = 5 };
typedef struct copies {
	real *of[COPIES]; /* qw, qx, qy, qz, size; NULL: not made yet */
	uint64_t epoch;	  /* when they were made */
	int64_t made;	  /* scree_sim.changes then */
} copies;

/* a constant force and torque on a body */
typedef struct push_row {
	uint64_t id;
	real force[6];
} push_row;

struct scree_sim {
	scree_world *w;
	memory_list memory; /* all blocks of the simulation */
	snapshot_extra extra;
	stage_rule *stage;		  /* [w->state.stage.count] */
	char *from;				  /* the snapshot that it was restored from; NULL: none */
	struct open_outputs *out; /* outputs.c; NULL: none are open */
	struct rank_part *part;	  /* ranks.c; NULL: it is not divided among ranks */
	bool held;				  /* opened by rank 0 for all ranks: until the first step it has all bodies */
	char *notes;			  /* NULL: not written yet */
	char *notes_of_scene;
	size_t told; /* bytes of extra.record that were reported */
	char *text;	 /* the last text that a call returned */
	int threads;
	scree_code broken; /* an internal failure: the simulation can only be closed */
	bool stopped;	   /* by a guard */
	bool planned;	   /* the plan has changed since it was opened or restored */
	bool late;		   /* that is the time limit of a stage: the state is good */
	bool fresh;		   /* no step was made since it was opened or restored: contacts are not there yet */
	int64_t first;	   /* step at which it was opened or restored */
	fail why;		   /* reason of the last failure */
	fail stop;		   /* why no step may be made: if broken, stopped or wrong */
	fail lost;		   /* failure that left the open outputs incomplete; code 0: none */
	int64_t changes;   /* number of calls so far that may have moved bodies */
	copies copy;
	id_table id; /* rows of bodies */
	uint64_t id_epoch;
	bool wrong;	   /* the caller has written values that cannot be: no step is made */
	bool in_force; /* the function of forces is being called */
	scree_force_fn *force;
	void *force_context;
	push_row *push; /* [push_room] */
	int64_t pushed, push_room;
	bool shown; /* they exist to be read, and must be hidden before the next change */
	start_shown hidden;
	step_excess before; /* before the last change that is tested: what the run tolerates */
};

SCREE_FN void put_vector(double to[3], vec3 v) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }

/* Work of a public function; `of` is its arguments and results. Anything but SCREE_DONE leaves an error message in
 * s->why. */
typedef scree_code call_fn(scree_sim *s, void *of);
/* Calls work(s, of) as an attempt, with the threads and the memory of the simulation. */
scree_code scree_sim_call(scree_sim *s, call_fn *work, void *of);
/* The same, refused for a simulation that is divided among ranks, or that rank 0 has opened for all. */
scree_code scree_sim_call_undivided(scree_sim *s, call_fn *work, void *of);
/* stores the error message; returns SCREE_BAD_INPUT */
scree_code scree_sim_refuse(scree_sim *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* call.c: after steps that the world refused: notes the reason and returns its code */
scree_code scree_sim_stopped(scree_sim *s);
/* problems.c: the code of a failure */
scree_code scree_sim_code(const fail *why);

/* looks.c: before the world is changed, stepped or saved, hides contacts that a step has not found. */
void scree_sim_touch(scree_sim *s);
/* Before contacts, energies or forces are read: finds the contacts if no step has. */
void scree_sim_look(scree_sim *s);
/* Before energies alone are read. */
void scree_sim_look_at_ledger(scree_sim *s);

/* outputs.c: refuses steps that pass the time of an output before it is written; these steps are allowed then */
scree_code scree_sim_outputs_allow(scree_sim *s, int64_t steps);
/* whether this is the snapshot of the open outputs */
bool scree_sim_outputs_hold(const scree_sim *s, const char *path);

/* steps.c: SCREE_DONE, or why no step may be made */
scree_code scree_sim_may_step(scree_sim *s);
/* before steps */
void scree_sim_begin_steps(scree_sim *s);
/* Makes steps, in which stages of the scene end and begin. */
scree_code scree_sim_make_steps(scree_sim *s, int64_t steps);
/* looks.c: makes, where a run or a stage ends, the tests that guards otherwise make only at intervals. */
bool scree_sim_holds_at_end(scree_sim *s);

/* Row of a body as rows are now, for changes; -1: no such body. */
int64_t scree_sim_find(scree_sim *s, uint64_t id);

/* Before the state is hashed or saved: at t = 0 it has the forces of the start, as in a run. */
void scree_sim_settle(scree_sim *s);

/* process.c: progress of slow work in this thread goes to this function; NULL: to the log, or nowhere */
void scree_sim_log_begin(scree_log_fn *progress, void *context);
void scree_sim_log_end(void);
bool scree_sim_has_log(void);
/* each line of a text */
void scree_sim_log_lines(const char *text);

#endif
