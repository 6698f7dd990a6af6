/* world.h: a simulation that a program drives: open it, step it, read and change its bodies, contacts and walls.
 *
 * Functions that may fail return a scree_code; scree_sim_error gives the sentence. Nothing is printed and no function
 * ends the process. SI units; vectors in the world's frame; rotations are those of the axes in which a shape was
 * given, as unit quaternions w, x, y, z. One simulation may be used by one thread at a time; different simulations
 * may be used by different threads at the same time. Results do not depend on the number of threads. */
#ifndef SCREE_WORLD_H
#define SCREE_WORLD_H

#include "scree/scree.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that runs, "0.3.0"; SCREE_VERSION of scree.h is that of the header. */
SCREE_API const char *scree_version(void);

/* Results of calls; also the exit codes of the command. */
typedef enum scree_code {
	SCREE_DONE = 0,
	SCREE_BAD_INPUT = 2, /* a scene, file, name or number is wrong; the simulation is unchanged */
	SCREE_GUARD = 3,	 /* a guard stopped the simulation: its state makes no physical sense (scree_sim_guards) */
	SCREE_FILES = 4,	 /* a file could not be read or written, or memory ran out */
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
SCREE_API int scree_problems_count(const scree_problems *p);				/* 0 for NULL */
SCREE_API scree_problem scree_problems_row(const scree_problems *p, int k); /* strings live as long as p */
/* All of them as the command prints them: with the line of the file and a caret. Lives as long as p; "" for NULL. */
SCREE_API const char *scree_problems_text(const scree_problems *p);
SCREE_API void scree_problems_free(scree_problems *p);

typedef struct scree_open_options {
	const char *path; /* scene file; with text: the name in messages and the origin of relative paths; may be NULL */
	const char *text; /* the scene as YAML or JSON; NULL: read the file */
	size_t length;	  /* bytes of text; 0: up to its end */
	int sets;		  /* number of changes, "name=value", as --set of the command */
	const char *const *set;
	int threads; /* 0: all of the machine; at most SCREE_THREADS_MOST */
} scree_open_options;

/* Reads, checks and builds a scene. NULL if it has problems, which are then in *problems, to be freed; problems may
 * be NULL. */
SCREE_API scree_sim *scree_sim_open(const scree_open_options *options, scree_problems **problems);
/* Reads a snapshot (.snap), from scree_sim_save or from the command; continues with the same bits. */
SCREE_API scree_sim *scree_sim_restore(const char *path, int threads, scree_problems **problems);
/* Writes the state, complete or not at all: an existing file is replaced only when the new one is on disk. */
SCREE_API scree_code scree_sim_save(scree_sim *s, const char *path);
SCREE_API void scree_sim_close(scree_sim *s); /* NULL: nothing */

/* The sentence of the last call that failed; "" if none did. */
SCREE_API const char *scree_sim_error(const scree_sim *s);
/* Notes on a scene that is allowed but weak, one per line; "" if there are none. */
SCREE_API const char *scree_sim_notes(const scree_sim *s);

/* ------------------------------------------------------------------ time */

/* Makes that many steps, or fewer if a guard stops them (SCREE_GUARD). */
SCREE_API scree_code scree_sim_step(scree_sim *s, int64_t steps);
/* Makes the steps up to the one whose time is nearest to `time` (s); none if that is past. */
SCREE_API scree_code scree_sim_run_until(scree_sim *s, double time);
SCREE_API double scree_sim_time(const scree_sim *s);		/* s */
SCREE_API int64_t scree_sim_steps(const scree_sim *s);		/* made since t = 0 */
SCREE_API double scree_sim_step_length(const scree_sim *s); /* s */
SCREE_API double scree_sim_safe_step(const scree_sim *s);	/* s: longer ones are not known to be safe */
SCREE_API double scree_sim_until(const scree_sim *s);		/* s: run.until of the scene; 0: none */

/* ------------------------------------------------------------------ state as a whole */

/* Hash of the state: equal for equal states, whatever the number of threads; that of `scree run` and `scree hash`. */
SCREE_API uint64_t scree_sim_hash(scree_sim *s);

/* ------------------------------------------------------------------ of the whole process */

/* Called with each note and progress message of slow work, a sentence without a line end, instead of printing it.
 * NULL: messages are dropped. Set it before other threads call scree. */
typedef void scree_log_fn(const char *sentence, void *context);
SCREE_API void scree_on_log(scree_log_fn *log, void *context);
#ifdef __cplusplus
}
#endif

#endif
