/* internal.h: the handle, how its functions are called, and what the files of src/library share; private to them. */
#ifndef SCREE_LIBRARY_INTERNAL_H
#define SCREE_LIBRARY_INTERNAL_H

#include "scree/outputs.h"
#include "scree/ranks.h"
#include "scree/world.h"

#include "base/locale.h"
#include "base/memory.h"
#include "format/snapshot.h"
#include "kernel/quat.h"
#include "model/declared.h"
#include "prepare/prepare.h"
#include "scene/scene.h"
#include "state/id_table.h"

#include <stdio.h>

/* Functions that the headers declare for a simulation, as scree_in_X instead of scree_sim_X, for use inside of the
 * library: here a simulation is a pointer to it, and the calling thread has entered it (handle.c). */
struct scree_measures; /* of measures.h, which files of src/measure cannot include: they have others */

#define CODE(name, inside, parameters, given, arguments)			  scree_code inside parameters;
#define PLAIN(reads, name, inside, parameters, given, arguments)	  scree_code inside parameters;
#define FOUND(type, none, name, inside, parameters, arguments)		  type inside parameters;
#define VALUE(type, none, reads, name, inside, parameters, arguments) type inside parameters;
#define MEMBER(type, none, name, value)
#include "library/functions.h"

/* held: rank 0 opens it for all ranks */
scree_sim *scree_in_open(const scree_open_options *options, bool held, scree_problems **problems);
scree_sim *scree_in_restore(const char *path, int threads, bool held, scree_problems **problems);
scree_code scree_in_close(scree_sim *s);

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

/* A call in progress. */
typedef struct sim_call {
	open_attempt made;
	fail why;
	int threads; /* those of the caller, and its list and locale */
	memory_list *outer;
	locale_t before;
} sim_call;

struct scree_sim {
	scree_world *w;
	memory_list memory; /* all blocks of the simulation */
	sim_call call;
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

/* call.c: each call that does work is an attempt, with the threads and the memory of the simulation. Jumps back with 1
 * after a failure. Anything but SCREE_DONE leaves an error message in s->why. */
jmp_buf *scree_sim_begin_call(scree_sim *s);
/* returns its code */
scree_code scree_sim_end_call(scree_sim *s, scree_code code);
/* after a failure: notes it, and returns its code */
scree_code scree_sim_break_call(scree_sim *s);
/* Calls work(s, of) in this way where the handle does not. */
typedef scree_code call_fn(scree_sim *s, void *of);
scree_code scree_sim_call(scree_sim *s, call_fn *work, void *of);
/* SCREE_DONE; refused for a simulation that is divided among ranks, or that rank 0 has opened for all */
scree_code scree_sim_undivided(scree_sim *s);
/* stores the error message; returns SCREE_BAD_INPUT */
scree_code scree_sim_refuse(scree_sim *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* call.c: after steps that the world refused: notes the reason and returns its code */
scree_code scree_sim_stopped(scree_sim *s);
/* problems.c: the code of a failure */
scree_code scree_sim_code(const fail *why);

/* change.c: before the world is changed, stepped or saved, hides contacts that a step has not found. */
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
/* change.c: makes, where a run or a stage ends, the tests that guards otherwise make only at intervals. */
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

/* ------------------------------------------------------------------ change.c */

/* Before the caller writes to arrays. Rows that are shown stay where they are. */
void scree_sim_note_ledger(scree_sim *s);
/* Before a change: notes the ledger. After it: everything that depends on what has changed (CHANGED_..) follows. */
void scree_sim_changing_now(scree_sim *s);
scree_code scree_sim_changed_now(scree_sim *s, uint32_t what);
/* Before a change that scree_sim_is_possible tests: notes also how far the step exceeds its bounds already. */
void scree_sim_testing_now(scree_sim *s);

/* The same with another response; false with an error message. */
bool scree_sim_respond_now(scree_sim *s, const new_response *to, uint32_t what, fail *why);

/* Whether the world can run as it is, after a change that may be taken back: false with an error message. */
bool scree_sim_is_possible(scree_sim *s, fail *why);
/* the same if another step is set at once, as for scree_world_prepare */
bool scree_sim_is_possible_in_steps(scree_sim *s, real part, real step, fail *why);
/* after it was taken back */
void scree_sim_prepare_again(scree_sim *s);

/* Whether its numbers can be used */
bool scree_sim_is_vector(const double v[3]);
/* the unit quaternion of w, x, y, z; false: there is none */
bool scree_sim_orientation(const double q[4], quat *out);
/* whether a body stays in the plane, in a world of dimension 2; others may be anywhere */
bool scree_sim_in_plane(const scree_sim *s, vec3 position, quat q, vec3 velocity, vec3 spin);

/* Whether the caller has copies of the orientations as they are now, and the one of a row. */
bool scree_sim_has_copies(const scree_sim *s);
quat scree_sim_copied_orientation(const scree_sim *s, int32_t row);
/* Whether all bodies have values that can be; else `wrong` is set, and no step is made. copies: also those of
 * orientations. */
scree_code scree_sim_check_rows(scree_sim *s, bool copies);

/* ------------------------------------------------------------------ stages.c */

/* The scene of the simulation with these sets, to be read again for its plan. */
scene_input scree_sim_scene(const scree_sim *s, int sets, const char *const *set);
/* The stages of a simulation that was restored, from the scene in its snapshot. */
scree_code scree_sim_read_stages(scree_sim *s);
/* Before steps: begins the next stage if one is over. */
scree_code scree_sim_begin_stage(scree_sim *s);
/* After steps: finds whether the stage is over. SCREE_GUARD: its time limit stops the run. */
scree_code scree_sim_end_stage(scree_sim *s);
/* Called before the steps of a run that begins: the same for a time limit that has passed. */
scree_code scree_sim_end_late(scree_sim *s);
/* Whether a stage has ended with this step and the next one has not begun. */
bool scree_sim_is_over(const scree_sim *s);
/* The ends of stages, by --set. A stage that has ended continues if it is given another end that is still to come. */
void scree_sim_take_stages(scree_sim *s, const stage_rule *rule, int32_t count);
/* Number of steps up to the next test of the stage's end, at most this number. */
int64_t scree_sim_stage_steps(const scree_sim *s, int64_t most);
/* The next step after which the demand of contacts on the time step is tested. A step that the run has chosen
 * follows it, more often while bodies come into contact. */
int64_t scree_sim_next_watch(const scree_sim *s);
/* Number of steps up to the next at which the run may change its step, at most this number. */
int64_t scree_sim_watch_steps(const scree_sim *s, int64_t most);
/* Notes in the record of the run that it has shortened its step. */
void scree_sim_record_step(scree_sim *s, double before);
/* Notes a change by --set in the record of the run. */
void scree_sim_record_set(scree_sim *s, const char *set);
/* a line per stage */
void scree_sim_print_stages(FILE *to, const scree_sim *s);
/* Takes run and outputs of a plan; ranges of colours stay. */
void scree_sim_take_plan(scree_sim *s, const scene *plan);
/* Applies the changes of a scene, by --set or of a stage, to a world that has it already in its model. */
scree_code scree_sim_apply_change(scree_sim *s, const scene_change *change);

/* ------------------------------------------------------------------ ranks.c */

/* All ranks, before and after a simulation is divided; the only part in a single process. */
domain scree_ranks_domain(void);
/* Whether the call has succeeded at all ranks; else s->why is the reason at all of them. */
bool scree_ranks_agree(bool here, fail *why);
/* The channel of this rank to the others; NULL: there are none. */
struct channel *scree_ranks_channel(void);
/* Whether this process is one of several ranks. */
bool scree_ranks_have_begun(void);
/* Whether all ranks have this number. */
bool scree_ranks_same(uint64_t hash);
/* The world and the plan that rank 0 has, without bodies and contacts, at the other ranks. False, with s->why. */
bool scree_sim_from_first(scree_sim *s);
/* Replaces finite numbers by those of rank 0, if it alone has the bodies yet: between scree_ranks_divide and the first
 * step of a simulation that it opened for all. All ranks call it. */
void scree_sim_as_first(const scree_sim *s, int count, double *x);
/* The number of threads of a rank that may use this many, all of its node. */
int scree_ranks_share(int threads);
/* Tells the other ranks that the work of this one was broken off. */
void scree_ranks_tell(const fail *why);

/* Keeps this rank's part, before the first step of a simulation that scree_ranks_divide has planned. */
void scree_sim_divide(scree_sim *s);
/* Whether it is so at any rank of a divided simulation. */
bool scree_sim_any(scree_sim *s, bool here);
/* The world of all ranks at rank 0, NULL at others; the world itself if it is not divided. All ranks call both. */
scree_world *scree_sim_whole(scree_sim *s);
void scree_sim_whole_end(scree_sim *s, scree_world *whole);

/* ------------------------------------------------------------------ problems.c */

/* Copies problems for the caller, if it wants them. */
void scree_problems_give(const scene_problems *from, scree_problems **to);
/* The same for a failure with a file; NULL: with none. */
void scree_problems_say(const char *file, const fail *why, scree_problems **to);

/* ------------------------------------------------------------------ text.c */

/* A text while it is written. */
typedef struct written_text {
	char *bytes;
	size_t length;
	FILE *to;
} written_text;
FILE *scree_text_begin(written_text *t);
/* the text, to be freed */
char *scree_text_end(written_text *t);
/* report.c: the same as s->text, which lives until the next call of this */
const char *scree_sim_keep_text(scree_sim *s, written_text *t);

#endif
