/* world.h: a simulation that a program drives: open it, step it, read and change its bodies, contacts and walls.
 *
 * Functions that may fail return a scree_code; scree_sim_error gives the error message. Nothing is printed and no
 * function ends the process. Units are SI, and vectors are in the frame of the world. Rotations are unit quaternions w,
 * x, y, z of the axes in which a shape was given. One thread at a time may use a simulation; several threads may use
 * different simulations at the same time. Results do not depend on the number of threads.
 *
 * A scree_sim is no address but a number, which is given once. Each function tests it. A simulation that is NULL or was
 * closed is SCREE_BAD_INPUT, also if others were opened since. A simulation that another thread is using, or that is
 * used by a function that it calls itself (scree_force_fn), is SCREE_IN_USE. Nothing is changed then. Functions that
 * return no code return NaN, -1, 0 for an epoch or a hash, "" or NULL.
 *
 * A pointer that must not be NULL, but is, is SCREE_BAD_INPUT. Vectors and orientations that a program gives are at
 * most 1e30 in each part. In each call the thread has the C locale: numbers in texts and files have decimal points
 * whatever setlocale has set, also those that a function of the program prints while it is called.
 */
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
	SCREE_IN_USE = 6,	 /* another call of the simulation is in progress; the simulation is unchanged */
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
/* SCREE_BAD_INPUT: the scene or snapshot is wrong, or a scene or a file that it names cannot be read. SCREE_FILES: a
 * snapshot cannot be read, or memory ran out (also for NULL). */
SCREE_API scree_code scree_problems_code(const scree_problems *p);
SCREE_API int scree_problems_count(const scree_problems *p);				/* 0 for NULL */
SCREE_API scree_problem scree_problems_row(const scree_problems *p, int k); /* strings live as long as p */
/* All problems as text, as the command prints them: with the line of the file and a caret. The text lives as long as p;
 * "" for NULL. */
SCREE_API const char *scree_problems_text(const scree_problems *p);
SCREE_API void scree_problems_free(scree_problems *p);

/* A sentence without a line end: a note, or progress of slow work. */
typedef void scree_log_fn(const char *sentence, void *context);

/* Name of a response of contacts, a value of run.response, from 0; NULL after the last one. The first is "forces". */
SCREE_API const char *scree_response(int k);

typedef struct scree_open_options {
	const char *path; /* scene file; with text: the name in messages and the origin of relative paths; may be NULL */
	const char *text; /* the scene as YAML or JSON; NULL: read the file */
	size_t length;	  /* bytes of text; 0: up to its end */
	int sets;		  /* number of changes, "name=value", as --set of the command */
	const char *const *set;
	/* NULL: that of the scene. With another response than run.response, keys that hold for the scene's own are left
	 * out: run.step, run.correction, run.friction_directions, output. */
	const char *response;
	int threads; /* 0: all of the machine; at most SCREE_THREADS_MOST */
	int repair;	 /* meshes of bodies that are refused are repaired where that is safe, as NAME.repaired.ply next to them
				  */
	scree_log_fn *progress; /* called with the progress of slow work and the meshes repaired; NULL: the log */
	void *progress_context;
} scree_open_options;

/* Reads, checks and builds a scene. NULL if it has problems, which are then in *problems, to be freed; problems may
 * be NULL. */
SCREE_API scree_sim *scree_sim_open(const scree_open_options *options, scree_problems **problems);
/* Reads a snapshot (.snap), from scree_sim_save or from the command; continues with the same bits. */
SCREE_API scree_sim *scree_sim_restore(const char *path, int threads, scree_problems **problems);
/* Writes the state, complete or not at all: an existing file is replaced only when the new one is on disk. Functions
 * and constant forces of the program are not in it; the log gets a note if there are constant forces. */
SCREE_API scree_code scree_sim_save(scree_sim *s, const char *path);
/* Closes open outputs and frees the simulation. NULL: nothing happens. SCREE_IN_USE, with the simulation still open, if
 * a call of it is in progress; SCREE_BAD_INPUT if it was closed before; SCREE_FILES, with the simulation closed, if the
 * system reports a failure of open outputs only now. */
SCREE_API scree_code scree_sim_close(scree_sim *s);

/* The error message of the last call that failed; "" if none did. A step that is refused because a guard has stopped
 * the simulation, or because values in arrays are wrong, sets the error message that says why. After SCREE_IN_USE, and
 * for a simulation that is not open, also for NULL, it is the error message of the last such call of this thread. */
SCREE_API const char *scree_sim_error(const scree_sim *s);
SCREE_API const char *scree_sim_title(const scree_sim *s); /* the title of the scene; NULL: none */
/* The scene as YAML with sets, files that it includes and defaults filled in, and the plan as it was last changed. */
SCREE_API const char *scree_sim_resolved(const scree_sim *s);

/* ------------------------------------------------------------------ reports */

/* The lines that the command prints, each with its line end; "" if there are none. A text lives until the next call
 * of this part, that of scree_sim_notes until the simulation is closed. Names in it are safe to print. */

/* Notes on a simulation that is allowed but weak, as it is at the first call; to be read before the first step. */
SCREE_API const char *scree_sim_notes(scree_sim *s);
/* The same for a run that ends at this time (s) instead of run.until. */
SCREE_API const char *scree_sim_notes_until(scree_sim *s, double until);
/* Bodies, shapes and walls; the time step, threads, memory. */
SCREE_API const char *scree_sim_summary(scree_sim *s);
/* The same with each pair of materials, as of `scree check`. SCREE_BAD_INPUT if pictures that the scene has cannot be
 * drawn. */
SCREE_API scree_code scree_sim_check(scree_sim *s, const char **text);
/* Lines on stages that have ended, and warnings of sources that find no position for their bodies, each of them once.
 */
SCREE_API const char *scree_sim_warnings(scree_sim *s);
/* Times of stages, energies, guards, warnings about the run, the hash. */
SCREE_API const char *scree_sim_closing(scree_sim *s);
/* Lines of these on servos alone: mean loads of walls and mean stresses of the cell, and warnings about them. */
SCREE_API const char *scree_sim_servos(scree_sim *s);
/* Makes steps and reports their speed, the largest overlap and the drift of the energy. unsorted: bodies stay in the
 * order of their ids instead of being sorted by position, to measure the gain; results are the same. It makes 20 steps
 * more, which are not measured, and the largest overlap ever (scree_guards) begins again after these. */
SCREE_API scree_code scree_sim_bench(scree_sim *s, int64_t steps, int unsorted, const char **text);

/* ------------------------------------------------------------------ time */

/* Makes this number of steps, or fewer if a guard stops them (SCREE_GUARD). */
SCREE_API scree_code scree_sim_step(scree_sim *s, int64_t steps);
/* Makes the steps up to the one whose time is nearest to `time` (s); none if that is past. */
SCREE_API scree_code scree_sim_run_until(scree_sim *s, double time);
/* Number of steps that scree_sim_run_until would make; -1: the time is not an end of a run. */
SCREE_API int64_t scree_sim_steps_until(const scree_sim *s, double time);
SCREE_API double scree_sim_time(const scree_sim *s);				  /* s */
SCREE_API double scree_sim_time_of(const scree_sim *s, int64_t step); /* s: at the end of a later step */
SCREE_API int64_t scree_sim_steps(const scree_sim *s);				  /* made since t = 0 */
SCREE_API double scree_sim_step_length(const scree_sim *s);			  /* s */
SCREE_API double scree_sim_safe_step(const scree_sim *s);			  /* s: longer steps are not known to be safe */
/* Sets the length of the following steps. SCREE_BAD_INPUT if it is not a positive number, or longer than a scene may
 * set it. */
SCREE_API scree_code scree_sim_set_step_length(scree_sim *s, double seconds);
SCREE_API double scree_sim_until(const scree_sim *s); /* s: run.until of the scene; 0: none */
/* Changes values of the scene from now on, before outputs are opened: the plan ("run.until=2 s", "run.snapshot...",
 * "output..."), and all that a stage may change ("contacts.default.friction=0.2"; docs/scene.md, "Stages"). Snapshots
 * hold a line on each change. SCREE_BAD_INPUT with problems, to be freed, if a value is wrong; without, if a value
 * cannot change. If the world cannot have the values, it can only be closed. problems may be NULL. */
SCREE_API scree_code scree_sim_change_plan(scree_sim *s, int sets, const char *const *set, scree_problems **problems);
SCREE_API double scree_sim_seconds(const scree_sim *s); /* s: that this process has spent in its steps */

/* Stages of the scene; the number of the present one, from 0 (-1: the scene has none); the name of a stage (NULL: there
 * is no such stage). A stage ends, and the next one begins, inside of scree_sim_step. */
SCREE_API int scree_sim_stages(const scree_sim *s);
SCREE_API int scree_sim_stage(const scree_sim *s);
SCREE_API const char *scree_sim_stage_name(const scree_sim *s, int stage);
/* Whether the time limit of a stage has stopped the simulation (SCREE_GUARD). Its state is good: the snapshot that the
 * outputs write continues once the limit is raised (scree_sim_change_plan, "stages.0.until.at_most=2s"). */
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
	int writable;	/* the caller may write to data, and calls scree_sim_changed afterwards */
	uint64_t epoch; /* data is valid while scree_sim_epoch returns this */
} scree_array;

/* Columns by number, from 0 up to scree_sim_arrays - 1, or by name: id, x, y, z, qw, qx, qy, qz, vx .. vz, wx .. wz,
 * fx .. fz, tx .. tz, radius, size, mass, ... Orientations and sizes, in the axes and the unit of the scene, are copies
 * made by this call. The next call for any of them after a step or a change makes all again, in the same memory while
 * the epoch is the same. SCREE_BAD_INPUT for an unknown name or number. */
SCREE_API int scree_sim_arrays(const scree_sim *s);
SCREE_API scree_code scree_sim_array_at(scree_sim *s, int column, scree_array *out);
SCREE_API scree_code scree_sim_array(scree_sim *s, const char *name, scree_array *out);
/* A number that changes whenever rows of bodies are moved, added or removed, or their arrays are allocated again: by
 * steps, changes, additions and removals. */
SCREE_API uint64_t scree_sim_epoch(const scree_sim *s);

/* Call this before writing to arrays: it records the ledger, and moves no rows that have been read. Without this call,
 * `brought` also gets the energy that the time integration made or lost since the last reading of the energy guard. */
SCREE_API scree_code scree_sim_changing(scree_sim *s);
/* Call this after writing to arrays, with the kinds of what was changed or-ed together. Everything that depends on
 * these values is derived again. Energy that the change adds or removes enters the ledger as `brought`. Orientations
 * belong to SCREE_POSITIONS. SCREE_BAD_INPUT if a value is not a number or beyond 1e30, if an orientation is zero, or
 * if a body leaves the plane of a world of dimension 2: no step is made until a call succeeds. SCREE_BAD_INPUT also if
 * orientations were written, but `what` does not have SCREE_POSITIONS. */
enum { SCREE_POSITIONS = 1, SCREE_VELOCITIES = 2 };
SCREE_API scree_code scree_sim_changed(scree_sim *s, int what);

SCREE_API int64_t scree_sim_bodies(const scree_sim *s);
/* Row of a body in the arrays; -1: no such body. Valid while the epoch is the same. */
SCREE_API int64_t scree_sim_row(scree_sim *s, uint64_t id);

/* Name of a shape of the scene, from 0; NULL after the last one. */
SCREE_API const char *scree_sim_shape_name(const scree_sim *s, int k);

/* A body to be added. {0} with shape, material and size is a body at rest at the origin. */
typedef struct scree_body {
	const char *shape, *material; /* names in the scene */
	double size;				  /* m: scale of the shape */
	double position[3];			  /* m: of its centre of mass */
	double orientation[4];		  /* w, x, y, z; all zero: not rotated */
	double velocity[3];			  /* m/s */
	double angular_velocity[3];	  /* 1/s */
	int held;					  /* moves with constant velocity, whatever acts on it */
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
	int sliding;						/* friction has reached the Coulomb limit */
	int columns;						/* number of history values, named by scree_history_name */
	double history[SCREE_HISTORY_MOST]; /* NaN where the law keeps no such value */
} scree_contact;

/* Set to {0} before the first call. Valid while the epoch and the step are the same. */
typedef struct scree_cursor {
	int kind;
	int64_t piece, row;
} scree_cursor;

/* Writes the next contact to *out and returns 1; returns 0 after the last one, and if the call fails (a simulation that
 * can only be closed, or a cursor with negative numbers). The order is not specified. */
SCREE_API int scree_sim_next_contact(scree_sim *s, scree_cursor *at, scree_contact *out);
SCREE_API const char *scree_history_name(int column); /* "sx", ...; NULL beyond the last one */
SCREE_API const char *scree_history_unit(int column);
SCREE_API const char *scree_history_help(int column);

/* ------------------------------------------------------------------ forces from outside */

/* Rows of all bodies at the end of a step: positions and velocities are current. The function adds external forces and
 * torques (about the centres of mass) to f and t. These contain zero, or the values of scree_sim_set_force, but neither
 * contact forces nor gravity. In periodic worlds positions are within the cell. */
typedef struct scree_force_rows {
	int64_t rows;
	double time; /* s */
	const uint64_t *id;
	const double *x, *y, *z;	/* m */
	const double *vx, *vy, *vz; /* m/s */
	const double *mass;			/* kg */
	double *fx, *fy, *fz;		/* N */
	double *tx, *ty, *tz;		/* N m */
	/* On ranks (scree/ranks.h): number of further rows, behind the others, of bodies of other ranks that are near.
	 * Forces on them are added to those on the body where it belongs. */
	int64_t copies;
} scree_force_rows;

/* Called once in each step, after all contacts, by the thread that steps. A run is repeatable if the forces on each
 * body are a function of the arguments and the context alone; the order of rows may vary. Its work is part of
 * `wall_work` in the ledger. NULL: none. The function is not part of a snapshot: to continue one with the same bits,
 * set it after restoring, before anything else. With fast frictional dynamics it is called at the start of each step.
 * Ranks set it before the simulation is divided, all of them. SCREE_BAD_INPUT in worlds with elastic collisions.
 *
 * The function may use other simulations, and may read its own one by those of these functions that only return a
 * value: scree_sim_error, _title, _resolved, _time, _time_of, _steps, _steps_until, _step_length, _safe_step, _until,
 * _seconds, _stages, _stage, _stage_name, _bodies, _arrays, _epoch, _walls, _find_wall, _shape_name, _material_name,
 * _gravity, _material, _contact_rule. Any other call of its own simulation returns SCREE_IN_USE, and so does any call
 * by another thread. It changes nothing but f and t, and must not leave by longjmp or an exception. */
typedef void scree_force_fn(const scree_force_rows *rows, void *context);
SCREE_API scree_code scree_sim_on_force(scree_sim *s, scree_force_fn *force, void *context);
/* Sets a constant force (N) and torque (N m) on a body, which act in each step until they are set again. NULL: zero.
 * Snapshots do not hold these forces: set them again after restoring, before anything else. */
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
/* Moves the wall on from its current position, with this velocity (m/s) of its position and angular velocity (1/s)
 * about it, until they are set again. The motion given in the scene ends. NULL: zero. */
SCREE_API scree_code scree_sim_move_wall(scree_sim *s, int wall, const double velocity[3],
										 const double angular_velocity[3]);

/* ------------------------------------------------------------------ gravity, materials */

SCREE_API void scree_sim_gravity(const scree_sim *s, double g[3]); /* m/s2 */
SCREE_API scree_code scree_sim_set_gravity(scree_sim *s, const double g[3]);
/* Name of a material of the scene, from 0; NULL after the last one. */
SCREE_API const char *scree_sim_material_name(const scree_sim *s, int k);
/* A number of a material ("density", "young", "poisson") or of the contact of two materials ("restitution", "friction",
 * "rolling_friction", "twisting_friction", "stiffness", "tangential_ratio"), as in `materials:` and `contacts:` of a
 * scene, in SI units. SCREE_BAD_INPUT for an unknown name, a value that a scene may not have, a value that the contact
 * law does not use, or a value for which the current step is too long (shorten the step first). A new density applies
 * to bodies added later. */
SCREE_API scree_code scree_sim_material(scree_sim *s, const char *material, const char *property, double *value);
SCREE_API scree_code scree_sim_set_material(scree_sim *s, const char *material, const char *property, double value);
SCREE_API scree_code scree_sim_contact_rule(scree_sim *s, const char *a, const char *b, const char *property,
											double *value);
SCREE_API scree_code scree_sim_set_contact_rule(scree_sim *s, const char *a, const char *b, const char *property,
												double value);

/* ------------------------------------------------------------------ the cell of a periodic world */

typedef struct scree_cell {
	double low[3], size[3]; /* m: the cell now; its centre stays */
	double strain[3];		/* logarithm of its size over that at the start, negative in compression */
	double rate[3];			/* 1/s: of the strain, now */
	int deforms;			/* it can change its size: the scene has world.strain_rate, strain_table or servo */
	/* how it changes, as scree_sim_set_cell takes it */
	double strain_rate[3]; /* 1/s: rates that are given, 0 along axes with a servo */
	int servo[3];		   /* the size along this axis follows from its stress */
	double stress[3];	   /* Pa, compression positive: now given to axes with a servo, 0 along others */
	double max_rate, lag;  /* 1/s and s: of the servo; 0: by default, from the bodies at that time */
} scree_cell;
/* SCREE_BAD_INPUT in a world without periods. Ranks may call it. */
SCREE_API scree_code scree_sim_cell(scree_sim *s, scree_cell *out);
/* Changes how the cell changes its size, by the last five members. The present rate changes to a given one within one
 * step, and bodies are carried along. Tables of strain rates and stresses of the scene end. A later stage that
 * changes the cell replaces all of this. SCREE_BAD_INPUT, with the cell as before, if the cell cannot change its size,
 * for numbers that a scene may not have, and for those with which the world could not run (docs/scene.md, "Cells under
 * strain or stress"). */
SCREE_API scree_code scree_sim_set_cell(scree_sim *s, const scree_cell *to);

/* ------------------------------------------------------------------ energy, guards, stress */

/* Energies in J; docs/theory/laws.md, "The ledger". residual = kinetic + potential + elastic + lost_* - wall_work -
 * made - brought: the energy made or lost by the time integration itself. lost_method: by implicit steps, beyond what
 * the laws of contacts take. */
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
	double method, method_limit;   /* largest fraction that implicit steps lost by themselves; limit 0: not watched */
	double step_used;			   /* largest fraction of the stability limit that contacts used */
	double unsolved;			   /* with implicit steps: part of all impulses that further sweeps would change */
	int64_t lost;				   /* bodies that left the domain */
	int stopped;				   /* a guard stopped the simulation; each further step gives its error message */
	int unsafe;					   /* the step is longer than is known to be safe */
	double run_overlap, run_speed; /* largest of all steps of the run, earlier parts of a resumed one included; m/s */
	double own_step; /* s: step with which a run that chooses its step began, which it has shortened if its steps are
						shorter now; 0: the step is given */
} scree_guards;
SCREE_API scree_code scree_sim_guards(scree_sim *s, scree_guards *out);

/* Stress of a world with periods, Pa, compression positive: xx, yy, zz, xy, xz, yz. */
SCREE_API scree_code scree_sim_stress(scree_sim *s, double stress[6]);

/* ------------------------------------------------------------------ state as a whole */

/* Hash of the state, independent of the number of threads; `scree run` and `scree hash` print the same. 0 if the call
 * fails: the simulation can only be closed. */
SCREE_API uint64_t scree_sim_hash(scree_sim *s);

/* Draws the world into a file, by its ending a PNG, an SVG or a PDF (.png, .svg, .pdf; without an ending a PNG), with
 * the output.images of its scene, changed by sets ("output.images.color=speed"). SCREE_BAD_INPUT for another ending. */
SCREE_API scree_code scree_sim_render(scree_sim *s, const char *png, int sets, const char *const *set);
/* Writes the full surface meshes of all bodies, for ParaView (.vtp, or without an ending). SCREE_BAD_INPUT for another
 * ending. */
SCREE_API scree_code scree_sim_export(scree_sim *s, const char *path);

/* ------------------------------------------------------------------ the whole process */

/* The log receives each note and each progress message of slow work; scree prints none of them. NULL: messages are
 * dropped. Set it before other threads call scree. */
SCREE_API void scree_on_log(scree_log_fn *log, void *context);
/* Gives the memory of simulations: (context, NULL, size) gives a block, aligned for any type, or NULL; (context, block,
 * 0) frees it. Any thread of scree may call it. Set it before the first other call, and not again while a simulation is
 * open; NULL: malloc. Libraries that scree uses for files and pictures keep malloc. */
typedef void *scree_memory_fn(void *context, void *block, size_t size);
SCREE_API void scree_on_memory(scree_memory_fn *allocate, void *context);

#ifdef __cplusplus
}
#endif

#endif
