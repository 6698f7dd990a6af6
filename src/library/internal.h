/* internal.h: the handle, calls of its functions, and declarations that are private to src/library. */
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

/* The public functions for a simulation, named scree_in_X instead of scree_sim_X, for use inside the library, where a
 * simulation is a pointer and the calling thread has entered it (handle.c). */
struct scree_measures; /* declared in measures.h, which cannot be included together with the headers of src/measure */

#define CODE(name, inside, parameters, given, arguments)			  scree_code inside parameters;
#define PLAIN(reads, name, inside, parameters, given, arguments)	  scree_code inside parameters;
#define FOUND(type, none, name, inside, parameters, arguments)		  type inside parameters;
#define VALUE(type, none, reads, name, inside, parameters, arguments) type inside parameters;
#define MEMBER(type, none, name, value)
#include "library/functions.h"

/* held: whether rank 0 opens the simulation for all ranks */
scree_sim *scree_in_open(const scree_open_options *options, bool held, scree_problems **problems);
scree_sim *scree_in_restore(const char *path, int threads, bool held, scree_problems **problems);
scree_code scree_in_close(scree_sim *s);

/* Columns that are copies: orientations of the axes in which shapes were defined, and sizes in the scene's unit. */
enum { COPIES = 5 };
typedef struct copies {
	real *of[COPIES]; /* qw, qx, qy, qz, size; NULL if not made yet */
	uint64_t epoch;	  /* epoch in which the copies were made */
	int64_t made;	  /* value of scree_sim.changes when the copies were made */
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
	int threads; /* number of threads of the caller, which also has its own list of blocks and locale */
	memory_list *outer;
	locale_t before;
} sim_call;

struct scree_sim {
	scree_world *w;
	memory_list memory; /* list of all blocks of the simulation */
	sim_call call;
	snapshot_extra extra;
	stage_rule *stage;		  /* [w->state.stage.count] */
	char *from;				  /* path of the snapshot from which the simulation was restored; NULL if there is none */
	struct open_outputs *out; /* outputs.c; NULL if none are open */
	struct rank_part *part;	  /* ranks.c; NULL if the simulation is not divided among ranks */
	bool held;	 /* whether rank 0 opened the simulation for all ranks, and has all bodies until the first step */
	char *notes; /* NULL if not written yet */
	char *notes_of_scene;
	size_t told; /* number of bytes of extra.record already reported */
	char *text;	 /* the text that the last call returned */
	int threads;
	const char *machine; /* that was asked for, a constant; NULL if none was */
	scree_code broken;	 /* internal failure: the simulation can only be closed */
	bool stopped;		 /* stopped by a guard */
	bool planned;		 /* whether the plan has changed since the simulation was opened or restored */
	bool placed;		 /* whether the machine that makes the steps has been chosen */
	bool late;			 /* whether the stop is due to the time limit of a stage, in which case the state is good */
	bool fresh;			 /* no step has been made since opening or restoring, so contacts do not exist yet */
	int64_t first;		 /* step number at which the simulation was opened or restored */
	fail why;			 /* reason of the last failure */
	fail stop;			 /* the reason why no step may be made, if broken, stopped or wrong */
	fail lost;			 /* failure that left the open outputs incomplete; code 0 if there is none */
	int64_t changes;	 /* number of calls so far that may have moved bodies */
	copies copy;
	id_table id; /* rows of bodies */
	uint64_t id_epoch;
	bool wrong;	   /* whether the caller has written invalid values, in which case no step is made */
	bool in_force; /* whether the force function is being called */
	scree_force_fn *force;
	void *force_context;
	push_row *push; /* [push_room] */
	int64_t pushed, push_room;
	bool shown; /* whether contacts were found only for reading, and must be hidden before the next change */
	start_shown hidden;
	step_excess before; /* how far bounds were exceeded before the last tested change; tolerated */
};

SCREE_FN void put_vector(double to[3], vec3 v) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }

/* call.c: a call that does work is an attempt, with the threads and memory of the simulation. After a failure the
 * function returns 1, through a long jump. Codes other than SCREE_DONE come with an error message in s->why. */
jmp_buf *scree_sim_begin_call(scree_sim *s);
scree_code scree_sim_end_call(scree_sim *s, scree_code code);
/* after a failure: records it, and returns its code */
scree_code scree_sim_break_call(scree_sim *s);
/* Calls work(s, of) as an attempt, for calls outside the handle. */
typedef scree_code call_fn(scree_sim *s, void *of);
scree_code scree_sim_call(scree_sim *s, call_fn *work, void *of);
/* SCREE_DONE, or an error if the simulation is divided among ranks or was opened by rank 0 for all ranks */
scree_code scree_sim_undivided(scree_sim *s);
/* stores the error message; returns SCREE_BAD_INPUT */
scree_code scree_sim_refuse(scree_sim *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* call.c: after refused steps, records the reason and returns its code */
scree_code scree_sim_stopped(scree_sim *s);
scree_code scree_sim_code(const fail *why);

/* change.c: hides contacts that were not found by a step, before the world is changed, stepped or saved. */
void scree_sim_touch(scree_sim *s);
/* Finds the contacts, if no step has found them, before contacts, energies or forces are read. */
void scree_sim_look(scree_sim *s);
/* Finds the contacts in the same way if only energies are read. */
void scree_sim_look_at_ledger(scree_sim *s);

/* outputs.c: from now on, this call reports slow work to the notes of the outputs, or to the log. */
void scree_sim_outputs_log(const scree_sim *s);
/* Refuses steps that would pass an output time before the output is written */
scree_code scree_sim_outputs_allow(scree_sim *s, int64_t steps);
/* returns whether the snapshot at this path belongs to the open outputs */
bool scree_sim_outputs_hold(const scree_sim *s, const char *path);

/* steps.c: SCREE_DONE, or the reason why no step may be made */
scree_code scree_sim_may_step(scree_sim *s);
void scree_sim_begin_steps(scree_sim *s);
/* Makes steps, during which stages of the scene may end and begin. */
scree_code scree_sim_make_steps(scree_sim *s, int64_t steps);
/* machine.c: opens the machine of the scene before the first step, unless the caller has chosen one. */
scree_code scree_sim_place_steps(scree_sim *s);
/* Prints the device, if there is one. */
void scree_sim_print_device(FILE *to, const scree_sim *s);
/* Prints the memory that the world needs on its device, if it has one. */
void scree_sim_print_machine(FILE *to, const scree_sim *s);
/* change.c: at the end of a run or a stage, makes the tests that guards otherwise make only at intervals. */
bool scree_sim_holds_at_end(scree_sim *s);

/* Returns the present row of a body, for changes; -1 if there is no such body. */
int64_t scree_sim_find(scree_sim *s, uint64_t id);

/* Called before the state is hashed or saved: at t = 0 adds the initial forces, as in a run. */
void scree_sim_settle(scree_sim *s);

/* process.c: sets the function to which slow work in this thread reports its progress; NULL for the log, or nowhere */
void scree_sim_log_begin(scree_log_fn *progress, void *context);
void scree_sim_log_end(void);
bool scree_sim_has_log(void);
/* calls the function for each line of a text */
void scree_sim_log_lines(const char *text);

/* ------------------------------------------------------------------ change.c */

/* Called before the caller writes to arrays. Rows that the caller has seen are not moved. */
void scree_sim_note_ledger(scree_sim *s);
/* Before a change, records the ledger. After a change, updates all that depends on the changed data (CHANGED_..). */
void scree_sim_changing_now(scree_sim *s);
scree_code scree_sim_changed_now(scree_sim *s, uint32_t what);
/* Before a change that scree_sim_is_possible tests: also records by how much the step already exceeds its bounds. */
void scree_sim_testing_now(scree_sim *s);

/* Changes the world to another response; returns false with an error message on failure. */
bool scree_sim_respond_now(scree_sim *s, const new_response *to, uint32_t what, fail *why);

/* Tests, after a change that can be undone, whether the world can run; if not, returns false with an error message. */
bool scree_sim_is_possible(scree_sim *s, fail *why);
/* like scree_sim_is_possible, with a new step that is set at once, as for scree_world_prepare */
bool scree_sim_is_possible_in_steps(scree_sim *s, real part, real step, fail *why);
/* called after a change has been undone */
void scree_sim_prepare_again(scree_sim *s);

/* Returns whether the numbers of a vector are valid */
bool scree_sim_is_vector(const double v[3]);
/* normalizes the quaternion w, x, y, z; returns false if that is impossible */
bool scree_sim_orientation(const double q[4], quat *out);
/* whether a body stays in the plane in a world of dimension 2; always true in other worlds */
bool scree_sim_in_plane(const scree_sim *s, vec3 position, quat q, vec3 velocity, vec3 spin);

/* whether the caller has copies of the present orientations, and the orientation of a row in these copies */
bool scree_sim_has_copies(const scree_sim *s);
quat scree_sim_copied_orientation(const scree_sim *s, int32_t row);
/* Tests whether all bodies, and with `copies` their copied orientations, are valid; if not, sets `wrong`. */
scree_code scree_sim_check_rows(scree_sim *s, bool copies);

/* ------------------------------------------------------------------ stages.c */

/* Returns the source of the scene with these --set changes, to be read again for its plan. */
scene_input scree_sim_scene(const scree_sim *s, int sets, const char *const *set);
/* Reads the stages of a restored simulation from the scene in its snapshot. */
scree_code scree_sim_read_stages(scree_sim *s);
/* Before steps: begins the next stage if one has ended. */
scree_code scree_sim_begin_stage(scree_sim *s);
/* After steps: tests whether the stage is over. Returns SCREE_GUARD if the stage's time limit stops the run. */
scree_code scree_sim_end_stage(scree_sim *s);
/* Called before the first steps of a run: ends a stage whose time limit has passed. */
scree_code scree_sim_end_late(scree_sim *s);
/* Returns whether a stage has ended with this step and the next one has not begun. */
bool scree_sim_is_over(const scree_sim *s);
/* Sets the ends of stages as given by --set. A stage that has ended continues if its new end is in the future. */
void scree_sim_take_stages(scree_sim *s, const stage_rule *rule, int32_t count);
/* Returns the number of steps up to the next test of the stage's end, at most `most`. */
int64_t scree_sim_stage_steps(const scree_sim *s, int64_t most);
/* Returns the next step after which the time step required by contacts is tested. A step chosen by the run is then
 * adjusted, more often while bodies come into contact. */
int64_t scree_sim_next_watch(const scree_sim *s);
/* Returns the number of steps until the run may next change its step, at most `most`. */
int64_t scree_sim_watch_steps(const scree_sim *s, int64_t most);
/* Adds the shortening of the step to the run's record. */
void scree_sim_record_step(scree_sim *s, double before);
/* Adds a --set change to the run's record. */
void scree_sim_record_set(scree_sim *s, const char *set);
/* a line per stage */
void scree_sim_print_stages(FILE *to, const scree_sim *s);
/* Adopts the run and the outputs of a plan, but keeps the colour ranges. */
void scree_sim_take_plan(scree_sim *s, const scene *plan);
/* Applies the changes of a scene, made by --set or a stage, to a world whose model already contains these changes. */
scree_code scree_sim_apply_change(scree_sim *s, const scene_change *change);

/* ------------------------------------------------------------------ ranks.c */

/* Returns the set of all ranks, before or after a simulation is divided; in a single process, the only part. */
domain scree_ranks_domain(void);
/* Returns whether the call has succeeded on all ranks; if not, s->why is the same reason on all ranks. */
bool scree_ranks_agree(bool here, fail *why);
/* Returns the channel from this rank to the others; NULL if there are none. */
struct channel *scree_ranks_channel(void);
/* Tests whether this process is one of several ranks. */
bool scree_ranks_have_begun(void);
/* Tests whether this number is the same on all ranks. */
bool scree_ranks_same(uint64_t hash);
/* Copies the world and the plan of rank 0, without bodies and contacts, to the other ranks. False, with s->why. */
bool scree_sim_from_first(scree_sim *s);
/* Replaces finite numbers with the numbers of rank 0 while only rank 0 has the bodies, between scree_ranks_divide and
 * the first step of a simulation that rank 0 opened for all ranks. All ranks call this function. */
void scree_sim_as_first(const scree_sim *s, int count, double *x);
/* Returns the number of threads per rank on a node with this many threads. */
int scree_ranks_share(int threads);
/* number of this rank among those of its node; 0 without ranks */
int scree_ranks_local(void);
int scree_ranks_near(void); /* number of ranks on this computer; 1 if unknown */
/* Informs the other ranks that the work of this rank was aborted. */
void scree_ranks_tell(const fail *why);

/* Keeps only this rank's part, before the first step of a simulation whose division scree_ranks_divide has planned. */
void scree_sim_divide(scree_sim *s);
/* Tests whether `here` is true on any rank of a divided simulation. */
bool scree_sim_any(scree_sim *s, bool here);
/* All ranks call both functions. Returns the whole world on rank 0 and NULL on others, or the undivided world. */
scree_world *scree_sim_whole(scree_sim *s);
void scree_sim_whole_end(scree_sim *s, scree_world *whole);

/* ------------------------------------------------------------------ problems.c */

/* Copies problems for the caller, if it wants them. */
void scree_problems_give(const scene_problems *from, scree_problems **to);
/* Reports a failure to the caller as a problem of a file; `file` may be NULL. */
void scree_problems_say(const char *file, const fail *why, scree_problems **to);

/* ------------------------------------------------------------------ text.c */

typedef struct written_text {
	char *bytes;
	size_t length;
	FILE *to;
} written_text;
FILE *scree_text_begin(written_text *t);
/* returns the text, which the caller must free */
char *scree_text_end(written_text *t);
/* report.c: like the text above, but stored as s->text, which remains valid until the next call of this function */
const char *scree_sim_keep_text(scree_sim *s, written_text *t);

#endif
