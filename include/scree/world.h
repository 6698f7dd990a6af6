/* world.h: a simulation driven by a program: open it, step it, read and change its bodies, contacts and walls.
 *
 * Functions that may fail return a scree_code; scree_sim_error gives the error message. Nothing is printed and no
 * function ends the process. Units are SI, and vectors are in the frame of the world. Orientations are unit quaternions
 * w, x, y, z of the axes in which a shape was defined. One thread at a time may use a simulation; several threads may
 * use different simulations at the same time. Results do not depend on the number of threads.
 *
 * A scree_sim is not an address but a number that is never reused. Each function tests it. A simulation that is NULL or
 * was closed is SCREE_BAD_INPUT, even if others were opened since. A simulation in use by another thread, or used
 * within a function that it calls itself (scree_force_fn), is SCREE_IN_USE. Then nothing is changed. Functions that
 * return no code return NaN, -1, 0 for an epoch or a hash, "" or NULL.
 *
 * A pointer that is NULL but must not be is SCREE_BAD_INPUT. Components of vectors and orientations given by a program
 * are at most 1e30. During each call the thread has the C locale: numbers in texts and files have decimal points
 * whatever setlocale has set, also those printed by functions of the program called meanwhile.
 *
 * */
#ifndef SCREE_WORLD_H
#define SCREE_WORLD_H

#include "scree/scree.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the library in use, such as "0.3.0"; SCREE_VERSION of scree.h is the version of the header. */
SCREE_API const char *scree_version(void);

/* Results of calls; also the exit codes of the command. */
typedef enum scree_code {
	SCREE_DONE = 0,
	SCREE_BAD_INPUT = 2, /* a scene, file, name or number is wrong; the simulation is unchanged */
	SCREE_GUARD = 3,	 /* a guard stopped the simulation: its state makes no physical sense (scree_sim_guards) */
	SCREE_FILES = 4,	 /* a snapshot or output failed; or memory ran out: the simulation can only be closed */
	SCREE_IN_USE = 6,	 /* another call for the simulation is in progress; the simulation is unchanged */
	SCREE_INTERNAL = 70	 /* an error of scree; the simulation can only be closed */
} scree_code;

typedef struct scree_sim scree_sim;

/* ------------------------------------------------------------------ open and close */

/* A problem of a scene, a mesh or a snapshot. */
typedef struct scree_problem {
	const char *file;	  /* as given, or "text"; NULL: none */
	int line, column;	  /* from 1; columns count characters; 0: none */
	const char *sentence; /* what is wrong and what is allowed */
	const char *cure;	  /* what to write instead; NULL: none */
} scree_problem;

typedef struct scree_problems scree_problems;
/* SCREE_BAD_INPUT: the scene or snapshot is wrong, or a scene, or a file named in it, cannot be read. SCREE_FILES: a
 * snapshot cannot be read, or memory ran out (also for NULL). */
SCREE_API scree_code scree_problems_code(const scree_problems *p);
SCREE_API int scree_problems_count(const scree_problems *p);				/* 0 for NULL */
SCREE_API scree_problem scree_problems_row(const scree_problems *p, int k); /* strings live as long as p */
/* All problems as text, in the form printed by the command, with the line of the file and a caret. The text lives as
 * long as p; "" for NULL. */
SCREE_API const char *scree_problems_text(const scree_problems *p);
SCREE_API void scree_problems_free(scree_problems *p);

/* Called with a sentence without a line end: a note, or progress of slow work. */
typedef void scree_log_fn(const char *sentence, void *context);

/* Name of a contact response, a value of run.response, from 0; NULL after the last one. The first is "forces". */
SCREE_API const char *scree_response(int k);

typedef struct scree_open_options {
	const char *path; /* scene file; with text: name in messages and base of relative paths; may be NULL */
	const char *text; /* the scene as YAML or JSON; NULL: read the file */
	size_t length;	  /* bytes of text; 0: up to its zero byte */
	int sets;		  /* number of changes "name=value", as in --set of the command */
	const char *const *set;
	/* NULL: that of the scene. A response other than run.response drops the keys specific to the latter: run.step,
	 * run.correction, run.friction_directions, output. */
	const char *response;
	int threads;			/* 0: as many as the machine has; at most SCREE_THREADS_MOST */
	int repair;				/* repair refused meshes of bodies where that is safe, as NAME.repaired.ply next to them
							 *
							 * */
	scree_log_fn *progress; /* called with the progress of slow work and with repaired meshes; NULL: the log */
	void *progress_context;
} scree_open_options;

/* Reads, checks and builds a scene. NULL if it has problems: these are then in *problems, which the caller frees;
 * problems may be NULL. */
SCREE_API scree_sim *scree_sim_open(const scree_open_options *options, scree_problems **problems);
/* Reads a snapshot (.snap) from scree_sim_save or from the command; the simulation continues bitwise the same. */
SCREE_API scree_sim *scree_sim_restore(const char *path, int threads, scree_problems **problems);
/* Writes the state, complete or not at all: an existing file is replaced only when the new one is on disk. It does not
 * contain functions and constant forces of the program; the log gets a note if there are constant forces. */
SCREE_API scree_code scree_sim_save(scree_sim *s, const char *path);
/* Closes open outputs and frees the simulation. NULL: no effect. SCREE_IN_USE, with the simulation still open, if a
 * call for it is in progress; SCREE_BAD_INPUT if it was closed before; SCREE_FILES, with the simulation closed, if the
 * system reports a failure of open outputs only now. */
SCREE_API scree_code scree_sim_close(scree_sim *s);

/* The error message of the last call that failed; "" if none did. A step refused because a guard has stopped the
 * simulation, or because values in arrays are wrong, sets an error message with the reason. After SCREE_IN_USE, and for
 * NULL or a simulation that is not open, it is the error message of the last such call in this thread. */
SCREE_API const char *scree_sim_error(const scree_sim *s);
SCREE_API const char *scree_sim_title(const scree_sim *s); /* the title of the scene; NULL: none */
/* The scene as YAML with sets, included files and defaults filled in, and with the plan as last changed. */
SCREE_API const char *scree_sim_resolved(const scree_sim *s);

/* ------------------------------------------------------------------ reports */

/* The lines that the command prints, each with its line end; "" if there are none. A text lives until the next call in
 * this section; that of scree_sim_notes until the simulation is closed. Names in it are safe to print. */

/* Notes on weaknesses of a valid simulation, as of the first call; to be read before the first step. */
SCREE_API const char *scree_sim_notes(scree_sim *s);
/* The same for a run that ends at the given time (s) instead of run.until. */
SCREE_API const char *scree_sim_notes_until(scree_sim *s, double until);
/* Bodies, shapes and walls; the time step, threads, memory. */
SCREE_API const char *scree_sim_summary(scree_sim *s);
/* The same with each pair of materials, as in `scree check`. SCREE_BAD_INPUT if its pictures cannot be drawn.
 *
 * */
SCREE_API scree_code scree_sim_check(scree_sim *s, const char **text);
/* Lines on stages that have ended, and warnings about sources that find no position for their bodies, each once.
 *
 * */
SCREE_API const char *scree_sim_warnings(scree_sim *s);
/* Times of stages, energies, guards, warnings about the run, the hash. */
SCREE_API const char *scree_sim_closing(scree_sim *s);
/* Only the lines about servos: mean loads of walls and mean stresses of the cell, with warnings. */
SCREE_API const char *scree_sim_servos(scree_sim *s);
/* Makes steps and reports their speed, the largest overlap and the energy drift. unsorted: bodies stay in the order of
 * their ids instead of being sorted by position, to measure the gain; results are the same. It first makes 20 further
 * steps, which are not measured, and after which the largest overlap (scree_guards) is reset. */
SCREE_API scree_code scree_sim_bench(scree_sim *s, int64_t steps, int unsorted, const char **text);

/* ------------------------------------------------------------------ time */

/* Makes this number of steps, or fewer if a guard stops them (SCREE_GUARD). */
SCREE_API scree_code scree_sim_step(scree_sim *s, int64_t steps);
/* Makes steps up to the one nearest to `time` (s); none if that is past. */
SCREE_API scree_code scree_sim_run_until(scree_sim *s, double time);
/* Number of steps that scree_sim_run_until would make; -1: not a valid end of a run. */
SCREE_API int64_t scree_sim_steps_until(const scree_sim *s, double time);
SCREE_API double scree_sim_time(const scree_sim *s);				  /* s */
SCREE_API double scree_sim_time_of(const scree_sim *s, int64_t step); /* s: time at the end of a later step */
SCREE_API int64_t scree_sim_steps(const scree_sim *s);				  /* made since t = 0 */
SCREE_API double scree_sim_step_length(const scree_sim *s);			  /* s */
SCREE_API double scree_sim_safe_step(const scree_sim *s);			  /* s: longer steps are not known to be safe */
/* Sets the length of the following steps. SCREE_BAD_INPUT if it is not a positive number, or longer than a scene may
 * set. */
SCREE_API scree_code scree_sim_set_step_length(scree_sim *s, double seconds);
SCREE_API double scree_sim_until(const scree_sim *s); /* s: run.until of the scene; 0: none */
/* Changes values of the scene from now on, before outputs are opened: the plan ("run.until=2 s", "run.snapshot...",
 * "output..."), and everything that a stage may change ("contacts.default.friction=0.2"; docs/scene.md, "Stages").
 * Snapshots contain a line per change. SCREE_BAD_INPUT with problems, to be freed, if a value is wrong; without
 * problems if a value cannot change. If the world does not allow the values, it can only be closed. problems may be
 * NULL. */
SCREE_API scree_code scree_sim_change_plan(scree_sim *s, int sets, const char *const *set, scree_problems **problems);
SCREE_API double scree_sim_seconds(const scree_sim *s); /* s: time that this process has spent in steps */

/* Stages of the scene; number of the present one, from 0 (-1: the scene has none); name of a stage (NULL: no such
 * stage). A stage ends, and the next one begins, inside of scree_sim_step. */
SCREE_API int scree_sim_stages(const scree_sim *s);
SCREE_API int scree_sim_stage(const scree_sim *s);
SCREE_API const char *scree_sim_stage_name(const scree_sim *s, int stage);
/* Whether the time limit of a stage has stopped the simulation (SCREE_GUARD). Its state is valid: the snapshot written
 * by the outputs can continue once the limit is raised (scree_sim_change_plan, "stages.0.until.at_most=2s"). */
SCREE_API int scree_sim_is_late(const scree_sim *s);

typedef struct scree_progress_row {
	int64_t bodies, contacts;
	double overlap; /* largest overlap of a contact now, as a fraction of the smaller body */
	double speed;	/* m/s, largest in the last step */
} scree_progress_row;
SCREE_API scree_code scree_sim_progress(scree_sim *s, scree_progress_row *out);

/* ------------------------------------------------------------------ arrays of bodies */

typedef enum scree_type { SCREE_F64, SCREE_I32, SCREE_U64 } scree_type;

/* A column of the table of bodies, [rows], contiguous, in place. */
typedef struct scree_array {
	const char *name, *unit, *help;
	void *data;
	scree_type type;
	int64_t rows;
	int writable;	/* the caller may write to data, and must call scree_sim_changed afterwards */
	uint64_t epoch; /* data is valid while scree_sim_epoch returns this value */
} scree_array;

/* Columns by number, from 0 up to scree_sim_arrays - 1, or by name: id, x, y, z, qw, qx, qy, qz, vx .. vz, wx .. wz, fx
 * .. fz, tx .. tz, radius, size, mass, ... Orientations and sizes, in the axes and the unit of the scene, are copies
 * made by this call. After a step or a change the next call for any of them renews all copies, in the same memory while
 * the epoch is the same. SCREE_BAD_INPUT for an unknown name or number. */
SCREE_API int scree_sim_arrays(const scree_sim *s);
SCREE_API scree_code scree_sim_array_at(scree_sim *s, int column, scree_array *out);
SCREE_API scree_code scree_sim_array(scree_sim *s, const char *name, scree_array *out);
/* A number that changes whenever rows of bodies are moved, added or removed, or their arrays are reallocated: by steps,
 * changes, additions and removals. */
SCREE_API uint64_t scree_sim_epoch(const scree_sim *s);

/* Call this before writing to arrays: it records the ledger, without moving rows that have been read. Otherwise
 * `brought` also includes energy made or lost by the time integration since the last reading of the energy guard.
 *
 * */
SCREE_API scree_code scree_sim_changing(scree_sim *s);
/* Call this after writing to arrays, with the or-ed kinds of changed values. Everything that depends on them is
 * updated. Energy that the change adds or removes enters the ledger as `brought`. Orientations belong to
 * SCREE_POSITIONS. SCREE_BAD_INPUT if a value is not a number or beyond 1e30, if an orientation is zero, or if a body
 * leaves the plane of a world of dimension 2: no step is made until a call succeeds. SCREE_BAD_INPUT also if
 * orientations were written, but `what` lacks SCREE_POSITIONS. */
enum { SCREE_POSITIONS = 1, SCREE_VELOCITIES = 2 };
SCREE_API scree_code scree_sim_changed(scree_sim *s, int what);

SCREE_API int64_t scree_sim_bodies(const scree_sim *s);
/* Row of a body in the arrays; -1: no such body. Valid while the epoch is the same. */
SCREE_API int64_t scree_sim_row(scree_sim *s, uint64_t id);

/* Name of a shape of the scene, from 0; NULL after the last one. */
SCREE_API const char *scree_sim_shape_name(const scree_sim *s, int k);

/* A body to add. {0} with shape, material and size is a body at rest at the origin. */
typedef struct scree_body {
	const char *shape, *material; /* names in the scene */
	double size;				  /* m: scale of the shape */
	double position[3];			  /* m: position of its centre of mass */
	double orientation[4];		  /* w, x, y, z; all zero: not rotated */
	double velocity[3];			  /* m/s */
	double angular_velocity[3];	  /* 1/s */
	int held;					  /* moves with constant velocity, regardless of forces */
} scree_body;

/* Adds all of these bodies or none, with the ids *first_id, *first_id + 1, ...; first_id may be NULL. */
SCREE_API scree_code scree_sim_add(scree_sim *s, int64_t count, const scree_body *body, uint64_t *first_id);
/* Removes all of these bodies or none: SCREE_BAD_INPUT if an id does not exist or occurs twice. */
SCREE_API scree_code scree_sim_remove(scree_sim *s, int64_t count, const uint64_t *id);
/* Moves one body: position (m), orientation, velocity (m/s), angular velocity (1/s); NULL: unchanged. */
SCREE_API scree_code scree_sim_place(scree_sim *s, uint64_t id, const double position[3], const double orientation[4],
									 const double velocity[3], const double angular_velocity[3]);

/* ------------------------------------------------------------------ contacts */

enum { SCREE_HISTORY_MOST = 64 };

/* A contact of body a with body b or a wall, at the current time. */
typedef struct scree_contact {
	uint64_t a, b;						/* ids; b is 0 for a wall */
	int wall;							/* number of the wall; -1: a body */
	double point[3];					/* m, next to a; in a periodic world b may be an image */
	double normal[3];					/* unit, from b to a */
	double overlap;						/* m */
	double normal_force;				/* N, on a along the normal: spring, damping and cohesion */
	double friction[3];					/* N, on a, across the normal */
	double torque[3];					/* N m, on a, about the point: rolling, twisting, off-centre pressure */
	double elastic;						/* J, in the normal spring */
	int sliding;						/* whether friction has reached the Coulomb limit */
	int columns;						/* number of history values, named by scree_history_name */
	double history[SCREE_HISTORY_MOST]; /* NaN where the law keeps no such value */
} scree_contact;

/* Initialise to {0} before the first call. Valid while the epoch and the step are the same. */
typedef struct scree_cursor {
	int kind;
	int64_t piece, row;
} scree_cursor;

/* Writes the next contact to *out and returns 1; returns 0 after the last one, or if the call fails (a simulation that
 * can only be closed, or a cursor with negative numbers). The order is not specified. */
SCREE_API int scree_sim_next_contact(scree_sim *s, scree_cursor *at, scree_contact *out);
SCREE_API const char *scree_history_name(int column); /* "sx", ...; NULL beyond the last one */
SCREE_API const char *scree_history_unit(int column);
SCREE_API const char *scree_history_help(int column);

/* ------------------------------------------------------------------ external forces */

/* Rows of all bodies at the end of a step: positions and velocities are current. The function adds external forces and
 * torques (about the centres of mass) to f and t. Initially these are zero, or the values of scree_sim_set_force,
 * without contact forces and gravity. In periodic worlds positions are within the cell. */
typedef struct scree_force_rows {
	int64_t rows;
	double time; /* s */
	const uint64_t *id;
	const double *x, *y, *z;	/* m */
	const double *vx, *vy, *vz; /* m/s */
	const double *mass;			/* kg */
	double *fx, *fy, *fz;		/* N */
	double *tx, *ty, *tz;		/* N m */
	/* On ranks (scree/ranks.h): number of additional rows at the end, for nearby bodies of other ranks. Forces on them
	 * are added to those on the body on its own rank. */
	int64_t copies;
} scree_force_rows;

/* Called once in each step, after all contacts, by the thread that steps. A run is repeatable if the forces on each
 * body depend only on the arguments and the context; the order of rows may vary. Its work is part of `wall_work` in the
 * ledger. NULL: none. The function is not part of a snapshot: to continue one bitwise the same, set it after restoring,
 * before anything else. With fast frictional dynamics it is called at the start of each step. All ranks must set it
 * before the simulation is divided. SCREE_BAD_INPUT in worlds with elastic collisions.
 *
 * The function may use other simulations, and may read its own one by these functions, which only return a value:
 * scree_sim_error, _title, _resolved, _time, _time_of, _steps, _steps_until, _step_length, _safe_step, _until,
 * _seconds, _stages, _stage, _stage_name, _bodies, _arrays, _epoch, _walls, _find_wall, _shape_name, _material_name,
 * _gravity, _material, _contact_rule. Any other call of its own simulation returns SCREE_IN_USE, and so does any call
 * by another thread. It must not change anything but f and t, nor exit by longjmp or an exception. */
typedef void scree_force_fn(const scree_force_rows *rows, void *context);
SCREE_API scree_code scree_sim_on_force(scree_sim *s, scree_force_fn *force, void *context);
/* Sets a constant force (N) and torque (N m) on a body, which act in each step until they are set again. NULL: zero.
 * Snapshots do not contain these forces: set them again after restoring, before anything else. */
SCREE_API scree_code scree_sim_set_force(scree_sim *s, uint64_t id, const double force[3], const double torque[3]);

/* ------------------------------------------------------------------ walls */

typedef struct scree_wall {
	const char *name;
	double position[3];			/* m */
	double orientation[4];		/* w, x, y, z */
	double velocity[3];			/* m/s */
	double angular_velocity[3]; /* 1/s */
	double force[3];			/* N, by all bodies in the last step */
	double torque[3];			/* N m, about its position */
	int64_t contacts;
	int removed;
} scree_wall;

SCREE_API int scree_sim_walls(const scree_sim *s);
SCREE_API int scree_sim_find_wall(const scree_sim *s, const char *name); /* -1: no such wall */
SCREE_API scree_code scree_sim_wall(scree_sim *s, int wall, scree_wall *out);
/* Moves the wall from its current position, with this velocity (m/s) of its position and angular velocity (1/s) about
 * it, until they are set again. The scene's motion of the wall ends. NULL: zero. */
SCREE_API scree_code scree_sim_move_wall(scree_sim *s, int wall, const double velocity[3],
										 const double angular_velocity[3]);

/* ------------------------------------------------------------------ gravity, materials */

SCREE_API void scree_sim_gravity(const scree_sim *s, double g[3]); /* m/s2 */
SCREE_API scree_code scree_sim_set_gravity(scree_sim *s, const double g[3]);
/* Name of a material of the scene, from 0; NULL after the last one. */
SCREE_API const char *scree_sim_material_name(const scree_sim *s, int k);
/* A number of a material ("density", "young", "poisson") or of the contact of two materials ("restitution", "friction",
 * "rolling_friction", "twisting_friction", "stiffness", "tangential_ratio"), as in `materials:` and `contacts:` of a
 * scene, in SI units. SCREE_BAD_INPUT for an unknown name, a value not allowed in a scene, a value that the contact law
 * does not use, or a value for which the current step is too long (shorten the step first). A new density applies to
 * bodies added later. */
SCREE_API scree_code scree_sim_material(scree_sim *s, const char *material, const char *property, double *value);
SCREE_API scree_code scree_sim_set_material(scree_sim *s, const char *material, const char *property, double value);
SCREE_API scree_code scree_sim_contact_rule(scree_sim *s, const char *a, const char *b, const char *property,
											double *value);
SCREE_API scree_code scree_sim_set_contact_rule(scree_sim *s, const char *a, const char *b, const char *property,
												double value);

/* ------------------------------------------------------------------ the cell of a periodic world */

typedef struct scree_cell {
	double low[3], size[3]; /* m: the present cell; its centre is fixed */
	double strain[3];		/* logarithm of its size over that at the start, negative in compression */
	double rate[3];			/* 1/s: present rate of the strain */
	int deforms;			/* whether it can change its size: the scene has world.strain_rate, strain_table or servo */
	/* how it changes, in the form of scree_sim_set_cell */
	double strain_rate[3]; /* 1/s: prescribed rates, 0 along axes with a servo */
	int servo[3];		   /* whether the size along this axis follows from its stress */
	double stress[3];	   /* Pa, compression positive: present target along axes with a servo, 0 along others */
	double max_rate, lag;  /* 1/s and s: of the servo; 0: default, from the bodies at that time */
} scree_cell;
/* SCREE_BAD_INPUT in a world without periods. Ranks may call it. */
SCREE_API scree_code scree_sim_cell(scree_sim *s, scree_cell *out);
/* Changes how the cell's size changes, by the last five members. The present rate changes to a prescribed one within
 * one step, and bodies are carried along. Tables of strain rates and stresses of the scene end. A later stage that
 * changes the cell replaces all of this. SCREE_BAD_INPUT, with the cell unchanged, if the cell cannot change its size,
 * for numbers not allowed in a scene, and for those with which the world could not run (docs/scene.md, "Cells under
 * strain or stress"). */
SCREE_API scree_code scree_sim_set_cell(scree_sim *s, const scree_cell *to);

/* ------------------------------------------------------------------ energy, guards, stress */

/* Energies in J; docs/theory/laws.md, "The ledger". residual = kinetic + potential + elastic + lost_* - wall_work -
 * made - brought: the energy made or lost by the time integration itself. lost_method: by implicit steps, beyond the
 * losses of the contact laws. */
typedef struct scree_ledger {
	double kinetic, potential, elastic, lost_normal, lost_friction, lost_rolling, lost_method, made, wall_work, brought;
	double residual;
} scree_ledger;
SCREE_API scree_code scree_sim_ledger(scree_sim *s, scree_ledger *out);

typedef struct scree_guards {
	double overlap, overlap_limit; /* largest overlap since the simulation was opened, as a fraction of the smaller
									  body; limit 0: not watched */
	double speed, speed_limit;	   /* m/s, largest in the last step; limit 0: not watched */
	double energy, energy_limit;   /* largest fraction of energy made or lost; limit 0: not watched */
	double method,
		method_limit; /* largest fraction of energy lost by the implicit method itself; limit 0: not watched */
	double step_used; /* largest fraction of the stability limit that contacts used */
	double unsolved;  /* with implicit steps: fraction of all impulses that further sweeps would change */
	int64_t lost;	  /* number of bodies that left the domain */
	int stopped;	  /* a guard stopped the simulation; each further step returns its error message */
	int unsafe;		  /* the step is longer than is known to be safe */
	double run_overlap, run_speed; /* largest of all steps of the run, including earlier parts of a resumed one; m/s */
	double own_step; /* s: initial step of a run that chooses its own, which may have been shortened since; 0: the step
						is given */
} scree_guards;
SCREE_API scree_code scree_sim_guards(scree_sim *s, scree_guards *out);

/* Stress of a world with periods, Pa, compression positive: xx, yy, zz, xy, xz, yz. */
SCREE_API scree_code scree_sim_stress(scree_sim *s, double stress[6]);

/* ------------------------------------------------------------------ whole state */

/* Hash of the state, independent of the number of threads; `scree run` and `scree hash` print the same. 0 if the call
 * fails: the simulation can only be closed. */
SCREE_API uint64_t scree_sim_hash(scree_sim *s);

/* Draws the world into a PNG, SVG or PDF file, depending on its ending (.png, .svg, .pdf; without an ending a PNG),
 * with the scene's output.images, changed by sets ("output.images.color=speed"). SCREE_BAD_INPUT for other endings. */
SCREE_API scree_code scree_sim_render(scree_sim *s, const char *png, int sets, const char *const *set);
/* Writes the full surface meshes of all bodies, for ParaView (.vtp, or without an ending). SCREE_BAD_INPUT for other
 * endings. */
SCREE_API scree_code scree_sim_export(scree_sim *s, const char *path);

/* ------------------------------------------------------------------ the whole process */

/* The log receives notes and progress messages of slow work, which scree never prints itself. NULL: messages are
 * dropped. Set it before other threads call scree. */
SCREE_API void scree_on_log(scree_log_fn *log, void *context);
/* Sets the allocator for memory of simulations: (context, NULL, size) returns a block, aligned for any type, or NULL;
 * (context, block, 0) frees it. Any thread of scree may call it. Set it before the first other call, and not again
 * while a simulation is open; NULL: malloc. Libraries used for files and pictures still use malloc. */
typedef void *scree_memory_fn(void *context, void *block, size_t size);
SCREE_API void scree_on_memory(scree_memory_fn *allocate, void *context);

#ifdef __cplusplus
}
#endif

#endif
