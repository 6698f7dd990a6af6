/* calls.h: the functions that the headers declare for a simulation, as scree_in_X instead of scree_sim_X, for use
 * inside of the library: here a simulation is a pointer to it, and the calling thread has entered it (handle.c).
 * Private to src/library. */
#ifndef SCREE_LIBRARY_CALLS_H
#define SCREE_LIBRARY_CALLS_H

#include "scree/outputs.h"
#include "scree/ranks.h"
#include "scree/world.h"

struct scree_measures; /* of measures.h, which files of src/measure cannot include: they have others */

#define CODE(name, inside, parameters, given, arguments)			  scree_code inside parameters;
#define PLAIN(reads, name, inside, parameters, given, arguments)	  scree_code inside parameters;
#define FOUND(type, none, name, inside, parameters, arguments)		  type inside parameters;
#define VALUE(type, none, reads, name, inside, parameters, arguments) type inside parameters;
#define MEMBER(type, none, name, value)
#include "library/functions.h"

scree_sim *scree_in_open(const scree_open_options *options, scree_problems **problems);
scree_sim *scree_in_restore(const char *path, int threads, scree_problems **problems);
scree_sim *scree_in_ranks_open(const scree_open_options *options, scree_problems **problems);
scree_sim *scree_in_ranks_restore(const char *path, int threads, scree_problems **problems);
scree_code scree_in_close(scree_sim *s);

#endif
