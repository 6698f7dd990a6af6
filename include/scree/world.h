/* world.h: a simulation driven by a program: open it, step it, read and change its bodies, contacts and walls.
 *
 * Functions that may fail return a scree_code; scree_sim_error returns the error message. Nothing is printed, and no
 * function ends the process. Units are SI, and vectors are in the frame of the world. Orientations are unit quaternions
 * w, x, y, z, and refer to the axes in which a shape was defined. Only one thread at a time may use a simulation;
 * several threads may use different simulations at the same time. Results do not depend on the number of threads.
 *
 * A scree_sim is not an address but a number that is never reused, and each function checks it. For a simulation that
 * is NULL or has been closed, functions return SCREE_BAD_INPUT, even if others have been opened since. For a
 * simulation that is in use by another thread, or that is calling a function of the program (scree_force_fn),
 * functions return SCREE_IN_USE. In both cases, nothing is changed. Functions that do not return a code return NaN, -1,
 * 0 for an epoch or a hash, "" or NULL.
 *
 * SCREE_BAD_INPUT is also returned if a pointer that must not be NULL is NULL. Components of vectors and orientations
 * passed by a program may be at most 1e30. During each call, the thread uses the C locale: numbers in texts and files
 * have decimal points whatever setlocale has set, and so do numbers printed by functions of the program that are called
 * during the call. */
#ifndef SCREE_WORLD_H
#define SCREE_WORLD_H

#include "scree/scree.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the library in use, such as "0.3.0"; SCREE_VERSION in scree.h is the version of the header. */
SCREE_API const char *scree_version(void);

/* Return values of calls, and exit codes of the command. */
typedef enum scree_code {
	SCREE_DONE = 0,
	SCREE_BAD_INPUT = 2, /* a scene, file, name or number is wrong; the simulation is unchanged */
	SCREE_GUARD = 3,	 /* a guard stopped the simulation: its state is physically meaningless (scree_sim_guards) */
	SCREE_FILES = 4,	 /* a snapshot or output failed, or memory ran out and the simulation can only be closed */
	SCREE_IN_USE = 6,	 /* another call for this simulation is in progress; the simulation is unchanged */
	SCREE_INTERNAL = 70	 /* an internal error in scree; the simulation can only be closed */
} scree_code;

typedef struct scree_sim scree_sim;

/* ------------------------------------------------------------------ open and close */

/* A problem in a scene, a mesh or a snapshot. */
typedef struct scree_problem {
	const char *file;	  /* file name as given, or "text"; NULL if there is none */
	int line, column;	  /* counted from 1; columns count characters; 0 if there is none */
	const char *sentence; /* what is wrong and what is allowed */
	const char *cure;	  /* what to write instead, or NULL */
} scree_problem;

typedef struct scree_problems scree_problems;
/* Returns SCREE_BAD_INPUT if the scene or snapshot is wrong, or if a scene or a file named in it cannot be read, and
 * SCREE_FILES if a snapshot cannot be read or memory ran out (also for NULL). */
SCREE_API scree_code scree_problems_code(const scree_problems *p);
SCREE_API int scree_problems_count(const scree_problems *p);				/* 0 for NULL */
SCREE_API scree_problem scree_problems_row(const scree_problems *p, int k); /* strings are valid as long as p is */
/* All problems as text, in the form printed by the command, with the line from the file and a caret. The text is valid
 * as long as p is; it is "" for NULL. */
SCREE_API const char *scree_problems_text(const scree_problems *p);
SCREE_API void scree_problems_free(scree_problems *p);

/* Called with a sentence without a newline: a note, or the progress of slow work. */
typedef void scree_log_fn(const char *sentence, void *context);

/* Name of contact response k, a value of run.response, counted from 0; NULL after the last one. The first is "forces".
 */
SCREE_API const char *scree_response(int k);

typedef struct scree_open_options {
	/* scene file; if `text` is given, the name used in messages and the base for relative paths; may be NULL */
	const char *path;
	const char *text; /* the scene as YAML or JSON, or NULL to read the file */
	size_t length;	  /* length of `text` in bytes, or 0 if it ends with a zero byte */
	int sets;		  /* number of changes "name=value", as for the command's option --set */
	const char *const *set;
	/* NULL for the scene's own response. With a response other than run.response, the keys specific to run.response
	 * are dropped: run.step, run.correction, run.friction_directions, output. */
	const char *response;
	int threads; /* 0 for as many as the machine supports; at most SCREE_THREADS_MOST */
	int repair;	 /* whether to repair refused meshes of bodies where this is safe, and write them as NAME.repaired.ply
					next to the originals */
	scree_log_fn *progress; /* called with the progress of slow work and with repaired meshes; NULL for the log */
	void *progress_context;
} scree_open_options;

/* Reads, checks and builds a scene. Returns NULL if the scene has problems, which are then stored in *problems and
 * freed by the caller; `problems` may be NULL. */
SCREE_API scree_sim *scree_sim_open(const scree_open_options *options, scree_problems **problems);
/* Reads a snapshot (.snap) written by scree_sim_save or by the command; the simulation continues bitwise identically.
 */
SCREE_API scree_sim *scree_sim_restore(const char *path, int threads, scree_problems **problems);
/* Writes the state to a snapshot, completely or not at all: an existing file is replaced only when the new one is on
 * disk. The snapshot does not contain the program's functions and constant forces; a note is logged if there are
 * constant forces. */
SCREE_API scree_code scree_sim_save(scree_sim *s, const char *path);
/* Closes open outputs and frees the simulation. NULL has no effect. Returns SCREE_IN_USE, with the simulation still
 * open, if a call for it is in progress; SCREE_BAD_INPUT if it has already been closed; SCREE_FILES, with the
 * simulation closed, if the system reports a write failure of open outputs only when they are closed. */
SCREE_API scree_code scree_sim_close(scree_sim *s);

/* The error message of the last call that failed, or "" if none has failed. A step refused because a guard has stopped
 * the simulation, or because values in arrays are wrong, sets an error message with the reason. After SCREE_IN_USE, and
 * for NULL or a simulation that is not open, the function returns the error message of the last such call in this
 * thread. */
SCREE_API const char *scree_sim_error(const scree_sim *s);
SCREE_API const char *scree_sim_title(const scree_sim *s); /* the title of the scene, or NULL */
/* The scene as YAML, including the changes by `set`, included files and defaults, with the plan as last changed. */
SCREE_API const char *scree_sim_resolved(const scree_sim *s);

/* ------------------------------------------------------------------ reports */

/* These functions return the lines that the command prints, each with a newline, or "" if there are none. A text is
 * valid until the next call of a function in this section, except for the text from scree_sim_notes, which is valid
 * until the simulation is closed. Names in these texts are safe to print. */

/* Notes on weaknesses of a valid simulation at the time of the first call, which should be made before the first step.
 */
SCREE_API const char *scree_sim_notes(scree_sim *s);
/* The same notes, for a run that ends at the given time (s) instead of run.until. */
SCREE_API const char *scree_sim_notes_until(scree_sim *s, double until);
/* Numbers of bodies, shapes and walls; the time step, threads and memory. */
SCREE_API const char *scree_sim_summary(scree_sim *s);
/* The same numbers, plus each pair of materials, as in `scree check`. Returns SCREE_BAD_INPUT if the pictures
 * requested by the scene cannot be drawn. */
SCREE_API scree_code scree_sim_check(scree_sim *s, const char **text);
/* Lines about stages that have ended, and warnings about sources that find no room for their bodies, each reported
 * once. */
SCREE_API const char *scree_sim_warnings(scree_sim *s);
/* Times of stages, energies, guards, warnings about the run, and the hash. */
SCREE_API const char *scree_sim_closing(scree_sim *s);
/* Only the lines about servos: mean loads on walls and mean stresses of the cell, with warnings. */
SCREE_API const char *scree_sim_servos(scree_sim *s);
/* Makes steps and reports their speed, the largest overlap, and the energy drift. unsorted: bodies stay in the order
 * of their ids instead of being sorted by position, to measure the effect of sorting; this does not affect results.
 * The measurement is preceded by 20 additional steps, after which the largest overlap (scree_guards) is reset. */
SCREE_API scree_code scree_sim_bench(scree_sim *s, int64_t steps, int unsorted, const char **text);

/* ------------------------------------------------------------------ time */

/* Makes this number of steps, or fewer if a guard stops them (SCREE_GUARD). */
SCREE_API scree_code scree_sim_step(scree_sim *s, int64_t steps);
/* Makes steps up to the one nearest to `time` (s), or none if this time has passed. */
SCREE_API scree_code scree_sim_run_until(scree_sim *s, double time);
/* Number of steps that scree_sim_run_until would make, or -1 if `time` is not a valid end of a run. */
SCREE_API int64_t scree_sim_steps_until(const scree_sim *s, double time);
SCREE_API double scree_sim_time(const scree_sim *s);				  /* s */
SCREE_API double scree_sim_time_of(const scree_sim *s, int64_t step); /* time at the end of a later step, in s */
SCREE_API int64_t scree_sim_steps(const scree_sim *s);				  /* made since t = 0 */
SCREE_API double scree_sim_step_length(const scree_sim *s);			  /* s */
SCREE_API double scree_sim_safe_step(const scree_sim *s);			  /* longest step in s that is known to be safe */
/* Sets the length of subsequent steps. Returns SCREE_BAD_INPUT if it is not a positive number, or exceeds the longest
 * step that a scene may specify. */
SCREE_API scree_code scree_sim_set_step_length(scree_sim *s, double seconds);
/* The machine that makes the following steps: "cpu", "opencl" or "cuda" for a device, "auto" for a card if there is one
 * and the world is large enough, with a note that gives the reason, or NULL for the scene's run.machine. Without a
 * call, the first step has the same effect as NULL. Results do not depend on the machine; snapshots continue on the
 * processor. Returns SCREE_BAD_INPUT, with the reason, if there is no such device, or if it has no kernels for this
 * world (docs/gpu.md). */
SCREE_API scree_code scree_sim_use_machine(scree_sim *s, const char *machine);
SCREE_API double scree_sim_until(const scree_sim *s); /* run.until of the scene in s, or 0 if there is none */
/* Changes values of the scene from the current time on, before outputs are opened: the plan ("run.until=2 s",
 * "run.snapshot...", "output..."), and everything that a stage can change ("contacts.default.friction=0.2";
 * docs/scene.md, "Stages"). Snapshots contain one line for each change. Returns SCREE_BAD_INPUT, with problems that the
 * caller frees, if a value is wrong, and without problems if a value cannot be changed. If the values turn out to be
 * impossible for the world, the simulation can only be closed. `problems` may be NULL. */
SCREE_API scree_code scree_sim_change_plan(scree_sim *s, int sets, const char *const *set, scree_problems **problems);
SCREE_API double scree_sim_seconds(const scree_sim *s); /* time that this process has spent in steps, in s */

/* Number of stages in the scene; number of the current stage, counted from 0 (-1 if the scene has no stages); name of
 * a stage (NULL if there is no such stage). A stage ends, and the next one begins, during scree_sim_step. */
SCREE_API int scree_sim_stages(const scree_sim *s);
SCREE_API int scree_sim_stage(const scree_sim *s);
SCREE_API const char *scree_sim_stage_name(const scree_sim *s, int stage);
/* Whether the time limit of a stage has stopped the simulation (SCREE_GUARD). The state of the simulation is valid: a
 * run can continue from the snapshot written by the outputs once the limit is raised (scree_sim_change_plan,
 * "stages.0.until.at_most=2s"). */
SCREE_API int scree_sim_is_late(const scree_sim *s);
/* Whether steps are made on a device. Its state is copied back at the end of each call that makes steps, so that a call
 * should make hundreds of them. */
SCREE_API int scree_sim_on_device(const scree_sim *s);
/* The machine that was last asked for, by scree_sim_use_machine or by the scene: "auto", even if that is the processor;
 * "cpu" before anyone has asked. */
SCREE_API const char *scree_sim_machine(const scree_sim *s);

typedef struct scree_progress_row {
	int64_t bodies, contacts;
	double overlap; /* largest current overlap of a contact, as a fraction of the smaller body */
	double speed;	/* largest speed in the last step, in m/s */
} scree_progress_row;
SCREE_API scree_code scree_sim_progress(scree_sim *s, scree_progress_row *out);

/* ------------------------------------------------------------------ arrays of bodies */

typedef enum scree_type { SCREE_F64, SCREE_I32, SCREE_U64 } scree_type;

/* A column of the table of bodies, [rows], contiguous and in place (except for the copies described below). */
typedef struct scree_array {
	const char *name, *unit, *help;
	void *data;
	scree_type type;
	int64_t rows;
	int writable;	/* the caller may write to `data`, and must then call scree_sim_changed */
	uint64_t epoch; /* `data` is valid while scree_sim_epoch returns this value */
} scree_array;

/* Columns by number, from 0 up to scree_sim_arrays - 1, or by name: id, x, y, z, qw, qx, qy, qz, vx .. vz, wx .. wz, fx
 * .. fz, tx .. tz, radius, size, mass, ... Orientations and sizes, in the axes and units of the scene, are copies made
 * by this call. After a step or a change, the next call for one of these columns updates all copies, which keep their
 * addresses while the epoch is unchanged. Returns SCREE_BAD_INPUT for an unknown name or number. */
SCREE_API int scree_sim_arrays(const scree_sim *s);
SCREE_API scree_code scree_sim_array_at(scree_sim *s, int column, scree_array *out);
SCREE_API scree_code scree_sim_array(scree_sim *s, const char *name, scree_array *out);
/* A number that changes whenever steps or calls move, add or remove rows of bodies, or reallocate their arrays. */
SCREE_API uint64_t scree_sim_epoch(const scree_sim *s);

/* Call this before writing to arrays: it records the current ledger, without moving rows that have been read. Without
 * this call, `brought` will also include energy created or lost by the time integration since the energy guard last
 * read the energy. */
SCREE_API scree_code scree_sim_changing(scree_sim *s);
/* Call this after writing to arrays, with the kinds of changed values combined by bitwise OR. Everything that depends
 * on them is updated. Energy added or removed by the change is recorded in the ledger as `brought`. Orientations count
 * as SCREE_POSITIONS. Returns SCREE_BAD_INPUT if a value is not a number or exceeds 1e30, if an orientation is zero, or
 * if a body leaves the plane of a two-dimensional world; steps are then refused until a call succeeds. Also returns
 * SCREE_BAD_INPUT if orientations were written but `what` lacks SCREE_POSITIONS. */
enum { SCREE_POSITIONS = 1, SCREE_VELOCITIES = 2 };
SCREE_API scree_code scree_sim_changed(scree_sim *s, int what);

SCREE_API int64_t scree_sim_bodies(const scree_sim *s);
/* Row of a body in the arrays, or -1 if there is no such body. The row is valid while the epoch is unchanged. */
SCREE_API int64_t scree_sim_row(scree_sim *s, uint64_t id);

/* Name of shape k of the scene, counted from 0; NULL after the last one. */
SCREE_API const char *scree_sim_shape_name(const scree_sim *s, int k);

/* A body to add. {0} with shape, material and size is a body at rest at the origin. */
typedef struct scree_body {
	const char *shape, *material; /* names used in the scene */
	double size;				  /* scale of the shape, in m */
	double position[3];			  /* position of the centre of mass, in m */
	double orientation[4];		  /* w, x, y, z; all zero for no rotation */
	double velocity[3];			  /* m/s */
	double angular_velocity[3];	  /* 1/s */
	int held;					  /* whether the body moves with constant velocity, regardless of forces */
} scree_body;

/* Adds either all of these bodies or none; their ids are *first_id, *first_id + 1, ...; first_id may be NULL. */
SCREE_API scree_code scree_sim_add(scree_sim *s, int64_t count, const scree_body *body, uint64_t *first_id);
/* Removes either all of these bodies or none: returns SCREE_BAD_INPUT if an id does not exist or occurs twice. */
SCREE_API scree_code scree_sim_remove(scree_sim *s, int64_t count, const uint64_t *id);
/* Changes the position (m), orientation, velocity (m/s) and angular velocity (1/s) of a body; NULL leaves a value
 * unchanged. */
SCREE_API scree_code scree_sim_place(scree_sim *s, uint64_t id, const double position[3], const double orientation[4],
									 const double velocity[3], const double angular_velocity[3]);

/* ------------------------------------------------------------------ contacts */

enum { SCREE_HISTORY_MOST = 64 };

/* A contact of body a with body b or a wall, at the current time. */
typedef struct scree_contact {
	uint64_t a, b;		 /* ids; b is 0 for a wall */
	int wall;			 /* number of the wall, or -1 for a body */
	double point[3];	 /* contact point near a, in m; in a periodic world, the contact may be with an image of b */
	double normal[3];	 /* unit, from b to a */
	double overlap;		 /* m */
	double normal_force; /* force on a along the normal in N: spring, damping and cohesion */
	double friction[3];	 /* force on a perpendicular to the normal, in N */
	double torque[3];	 /* torque on a about the contact point in N m: rolling, twisting, and off-centre pressure */
	double elastic;		 /* energy stored in the normal spring, in J */
	int sliding;		 /* whether friction has reached the Coulomb limit */
	int columns;		 /* number of history values, named by scree_history_name */
	double history[SCREE_HISTORY_MOST]; /* NaN if the law has no such value */
} scree_contact;

/* Initialise to {0} before the first call. A cursor is valid while the epoch and the step are unchanged. */
typedef struct scree_cursor {
	int kind;
	int64_t piece, row;
} scree_cursor;

/* Writes the next contact to *out and returns 1; returns 0 after the last one, or if the call fails (a simulation that
 * can only be closed, or a cursor with negative numbers). The order of contacts is unspecified. */
SCREE_API int scree_sim_next_contact(scree_sim *s, scree_cursor *at, scree_contact *out);
SCREE_API const char *scree_history_name(int column); /* "sx", ...; NULL after the last one */
SCREE_API const char *scree_history_unit(int column);
SCREE_API const char *scree_history_help(int column);

/* ------------------------------------------------------------------ external forces */

/* Rows of all bodies at the end of a step: positions and velocities are current. The function adds external forces and
 * torques (about the centres of mass) to f and t. Initially, f and t are zero or the values from scree_sim_set_force,
 * without contact forces and gravity. In periodic worlds, positions are within the cell. */
typedef struct scree_force_rows {
	int64_t rows;
	double time; /* s */
	const uint64_t *id;
	const double *x, *y, *z;	/* m */
	const double *vx, *vy, *vz; /* m/s */
	const double *mass;			/* kg */
	double *fx, *fy, *fz;		/* N */
	double *tx, *ty, *tz;		/* N m */
	/* On ranks (scree/ranks.h): number of additional rows at the end, for nearby bodies of other ranks. Forces on
	 * these copies are added to the forces on the same body on its own rank. */
	int64_t copies;
} scree_force_rows;

/* Called once in each step, after all contacts, by the thread that makes the step. A run is repeatable if the forces on
 * each body depend only on the arguments and the context; the order of rows may vary. The work of these forces is
 * included in `wall_work` in the ledger. NULL for none. The function is not part of a snapshot: to continue bitwise
 * identically from a snapshot, set the function after restoring, before anything else. With fast frictional dynamics,
 * the function is called at the start of each step. All ranks must set it before the simulation is divided. Returns
 * SCREE_BAD_INPUT in worlds with elastic collisions.
 *
 * The function may use other simulations, and may read its own simulation with these functions, which only return a
 * value: scree_sim_error, _title, _resolved, _time, _time_of, _steps, _steps_until, _step_length, _safe_step, _until,
 * _seconds, _stages, _stage, _stage_name, _bodies, _arrays, _epoch, _walls, _find_wall, _shape_name, _material_name,
 * _gravity, _material, _contact_rule. Any other call for its own simulation returns SCREE_IN_USE, and so does any call
 * from another thread. The function must not change anything except f and t, or be left by longjmp or an exception. */
typedef void scree_force_fn(const scree_force_rows *rows, void *context);
SCREE_API scree_code scree_sim_on_force(scree_sim *s, scree_force_fn *force, void *context);
/* Sets a constant force (N) and torque (N m) on a body, which act in each step until they are set again. NULL sets
 * zero. Snapshots do not contain these forces: set them again after restoring, before anything else. */
SCREE_API scree_code scree_sim_set_force(scree_sim *s, uint64_t id, const double force[3], const double torque[3]);

/* ------------------------------------------------------------------ walls */

typedef struct scree_wall {
	const char *name;
	double position[3];			/* m */
	double orientation[4];		/* w, x, y, z */
	double velocity[3];			/* m/s */
	double angular_velocity[3]; /* 1/s */
	double force[3];			/* force exerted by all bodies on the wall in the last step, in N */
	double torque[3];			/* N m, about its position */
	int64_t contacts;
	int removed;
} scree_wall;

SCREE_API int scree_sim_walls(const scree_sim *s);
SCREE_API int scree_sim_find_wall(const scree_sim *s, const char *name); /* -1: no such wall */
SCREE_API scree_code scree_sim_wall(scree_sim *s, int wall, scree_wall *out);
/* Moves the wall from its current position, with this velocity (m/s) of its position and this angular velocity (1/s)
 * about its position, until they are set again. This ends any motion specified by the scene. NULL sets zero. */
SCREE_API scree_code scree_sim_move_wall(scree_sim *s, int wall, const double velocity[3],
										 const double angular_velocity[3]);

/* ------------------------------------------------------------------ gravity, materials */

SCREE_API void scree_sim_gravity(const scree_sim *s, double g[3]); /* m/s2 */
SCREE_API scree_code scree_sim_set_gravity(scree_sim *s, const double g[3]);
/* Name of material k of the scene, counted from 0; NULL after the last one. */
SCREE_API const char *scree_sim_material_name(const scree_sim *s, int k);
/* A property of a material ("density", "young", "poisson") or of the contact between two materials ("restitution",
 * "friction", "rolling_friction", "twisting_friction", "stiffness", "tangential_ratio"), as in `materials:` and
 * `contacts:` of a scene, in SI units. Returns SCREE_BAD_INPUT for an unknown name, a value not allowed in a scene, a
 * value that the contact law does not use, or a value for which the current step is too long (shorten the step first).
 * A new density applies only to bodies added later. */
SCREE_API scree_code scree_sim_material(scree_sim *s, const char *material, const char *property, double *value);
SCREE_API scree_code scree_sim_set_material(scree_sim *s, const char *material, const char *property, double value);
SCREE_API scree_code scree_sim_contact_rule(scree_sim *s, const char *a, const char *b, const char *property,
											double *value);
SCREE_API scree_code scree_sim_set_contact_rule(scree_sim *s, const char *a, const char *b, const char *property,
												double value);

/* ------------------------------------------------------------------ the cell of a periodic world */

typedef struct scree_cell {
	double low[3], size[3]; /* current cell, in m; its centre is fixed */
	double strain[3];		/* logarithm of the ratio of the current to the initial size, negative in compression */
	double rate[3];			/* current strain rate, in 1/s */
	int deforms; /* whether the cell can change size: the scene has world.strain_rate, strain_table or servo */
	/* how the cell changes size, as for scree_sim_set_cell */
	double strain_rate[3]; /* prescribed rates in 1/s; 0 along axes with a servo */
	int servo[3];		   /* whether a servo on the stress controls the size along this axis */
	double stress[3];	   /* current target in Pa along axes with a servo, compression positive; 0 along others */
	double max_rate, lag;  /* servo limits in 1/s and s; 0 for defaults derived from the bodies present */
} scree_cell;
/* Returns SCREE_BAD_INPUT in a non-periodic world. Ranks may also call this function. */
SCREE_API scree_code scree_sim_cell(scree_sim *s, scree_cell *out);
/* Uses the last five members to set how the cell changes size. The current rate changes to a prescribed rate within one
 * step, and bodies move with the cell. This ends the scene's tables of strain rates and stresses. A later stage that
 * changes the cell overrides all of this. Returns SCREE_BAD_INPUT, with the cell unchanged, if the cell cannot change
 * size, if a number is not allowed in a scene, or if the world could not run with these numbers (docs/scene.md, "Cells
 * under strain or stress"). */
SCREE_API scree_code scree_sim_set_cell(scree_sim *s, const scree_cell *to);

/* ------------------------------------------------------------------ energy, guards, stress */

/* Energies in J; see docs/theory/laws.md, "The ledger". residual = kinetic + potential + elastic + lost_* - wall_work -
 * made - brought: the energy created or lost by the time integration itself. lost_method: energy lost by implicit steps
 * in addition to the losses of the contact laws. */
typedef struct scree_ledger {
	double kinetic, potential, elastic, lost_normal, lost_friction, lost_rolling, lost_method, made, wall_work, brought;
	double residual;
} scree_ledger;
SCREE_API scree_code scree_sim_ledger(scree_sim *s, scree_ledger *out);

typedef struct scree_guards {
	double overlap, overlap_limit; /* largest overlap since the simulation was opened, as a fraction of the smaller
									  body; limit 0 if not monitored */
	double speed, speed_limit;	   /* largest speed in the last step, in m/s; limit 0 if not monitored */
	double energy, energy_limit;   /* largest fraction of energy created or lost; limit 0 if not monitored */
	double method,
		method_limit; /* largest fraction of energy lost by the implicit method itself; limit 0 if not monitored */
	double step_used; /* largest fraction of the stability limit used by contacts */
	double unsolved;  /* with implicit steps, the fraction of the total impulse that further sweeps would change */
	int64_t lost;	  /* number of bodies that have left the domain */
	int stopped;	  /* whether a guard has stopped the simulation; each further step then returns its error message */
	int unsafe;		  /* whether the step is longer than the longest step known to be safe */
	double run_overlap, run_speed; /* maxima over all steps of the run, including earlier parts of a resumed run; speed
									  in m/s */
	double own_step; /* initial step in s of a run that chooses its own step, which may have been shortened since; 0 if
						the scene specifies the step */
} scree_guards;
SCREE_API scree_code scree_sim_guards(scree_sim *s, scree_guards *out);

/* Stress in a periodic world, in Pa, compression positive: xx, yy, zz, xy, xz, yz. */
SCREE_API scree_code scree_sim_stress(scree_sim *s, double stress[6]);

/* ------------------------------------------------------------------ whole state */

/* Hash of the state, independent of the number of threads; `scree run` and `scree hash` print the same value. The hash
 * is 0 if the call fails; the simulation can then only be closed. */
SCREE_API uint64_t scree_sim_hash(scree_sim *s);

/* Draws the world to a PNG, SVG or PDF file, depending on the extension (.png, .svg, .pdf; PNG without an extension),
 * with the options in the scene's output.images, changed by `set` ("output.images.color=speed"). Returns
 * SCREE_BAD_INPUT for other extensions. */
SCREE_API scree_code scree_sim_render(scree_sim *s, const char *png, int sets, const char *const *set);
/* Writes the full surface meshes of all bodies for ParaView (.vtp, or without an extension). Returns SCREE_BAD_INPUT
 * for other extensions. */
SCREE_API scree_code scree_sim_export(scree_sim *s, const char *path);

/* ------------------------------------------------------------------ the whole process */

/* The log receives notes and progress messages from slow work, which scree never prints itself. NULL discards all
 * messages. Set the log before other threads call scree. */
SCREE_API void scree_on_log(scree_log_fn *log, void *context);
/* Sets the allocator for the memory of simulations: (context, NULL, size) returns a block, aligned for any type, or
 * NULL; (context, block, 0) frees it. Any of scree's threads may call the allocator. Set it before any other call, and
 * do not set it again while a simulation is open; NULL selects malloc. Libraries used for files and pictures still use
 * malloc. */
typedef void *scree_memory_fn(void *context, void *block, size_t size);
SCREE_API void scree_on_memory(scree_memory_fn *allocate, void *context);

#ifdef __cplusplus
}
#endif

#endif
