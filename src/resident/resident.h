/* resident.h: worlds whose steps are made on a device (docs/gpu.md). */
#ifndef SCREE_RESIDENT_RESIDENT_H
#define SCREE_RESIDENT_RESIDENT_H

#include "model/periods.h" /* before kernel/period.h */

#include "base/fail.h"
#include "base/fixed.h"
#include "kernel/resident.h"
#include "model/declared.h"

struct device;
struct machine;

enum { RESIDENT_BATCH = 100 }; /* maximum number of steps that are launched together */

typedef struct resident resident;

/* Tests whether the kernels support this world; if not, returns false with the name of what they lack. divided: whether
 * it is divided among ranks, or will be */
bool scree_resident_takes(const model *m, const state *s, bool divided, const char *machine, fail *why);
/* solids.c: tests whether a polyhedron has few enough faces and vertices for the kernels. */
struct shape;
bool scree_resident_holds(const struct shape *s);
/* Ranks take the devices of their computer in turn. */
typedef struct resident_ranks {
	int here, near; /* number of this rank on its computer; number of ranks there */
	int parts;		/* number of ranks among which this world will still be divided */
} resident_ranks;
/* steps.c: opens a device for the steps of a world, as its work.device. Returns NULL, with a message, if there is none,
 * or if its memory is too small. */
struct device *scree_resident_open(const char *machine, resident_ranks by, const model *m, state *s, const work *w,
								   fail *why);

/* A sum in two words. */
SCREE_FN int128 resident_sum(const uint64_t *word) { return (int128)((unsigned __int128)word[1] << 64 | word[0]); }

/* Steps since the device was opened, made by it and by the host; bytes of its blocks of memory, and of the largest. */
typedef struct resident_counts {
	int64_t device, host, bytes, largest;
	struct machine *on;
} resident_counts;
resident_counts scree_resident_counts(const work *w);
/* bytes.c: the memory that the world needs on a device, with its present contact rows, or with this number of rows of
 * two bodies per body if that is more. */
resident_counts scree_resident_needs(const model *m, state *s, const work *w, int64_t rows_per_body);

/* ------------------------------------------------------------------ memory.c, for steps.c */

/* Memory of an open device, which `close` releases. */
resident *scree_resident_memory(struct machine *on, const char *name, struct device by);
void scree_resident_close(struct device *d);
/* The copy on the device is out of date: a caller may have changed the state, or the host makes a step. */
void scree_resident_forget(struct device *d);
void scree_resident_by_host(work *w);
/* Breaks off the run if the world has changed to one for which there are no kernels. */
void scree_resident_check(const model *m, const state *s, const work *w);
/* Number of steps between those at whose end the guards read the state. */
int64_t scree_resident_read_every(const work *w);
/* Copies the state to the device, if the copy there is out of date, and the poses of walls in the next steps. */
void scree_resident_write(const model *m, state *s, const work *w, int64_t steps);
/* Launches this number of steps; returns how many were made before one that the host must make. */
int64_t scree_resident_launch(state *s, work *w, int64_t steps);
/* Tests whether the device left the step after step k of the last launch to the host. */
bool scree_resident_stopped(const work *w, int64_t k);
/* Tests whether the device has stopped within step `made` of so many, after the drift: the host makes the rest of it.
 */
bool scree_resident_is_within(const work *w, int64_t made, int64_t steps);
/* The report of step k of the last launch (REPORT_..), and the loads on all walls in it (LOAD_ON_WALL_..). */
const uint64_t *scree_resident_report(const work *w, int64_t k);
const uint64_t *scree_resident_loads(const work *w, int64_t k);
/* Copies the state back; returns false if the arrays of the host are up to date. */
bool scree_resident_read(const model *m, state *s, work *w);
/* Tests whether the launch ended because bodies need new pairs. */
bool scree_resident_due(const work *w);
/* search.c: finds pairs at the present positions on the device; returns false if the host must do this. */
bool scree_resident_search(const model *m, state *s, work *w);

#endif
