/* work.h: memory that the narrow phase keeps from step to step; private to it. */
#ifndef SCREE_NARROW_WORK_H
#define SCREE_NARROW_WORK_H

#include "narrow/narrow.h"
#include "narrow/sharing.h"
#include "narrow/surface/surface.h"
#include "wall/facets.h"
#include "work/looks.h"
#include "work/threads.h"

/* One of the contacts of a slot, before it is written to a row (narrow/several_contacts.c). */
typedef struct found_contact {
	int32_t slot;
	bool touches;
	uint64_t feature;
	vec3 normal, at;
	real depth, arm, part, ra, rb;
	int32_t points;
	uint64_t first;
} found_contact;

typedef struct several_scratch {
	int64_t count, capacity;
	found_contact *item; /* contacts of a piece */
	patch_list patches;	 /* patches, or else points, of a slot */
	point_list points;
	int32_t room;
	int32_t *of; /* [room] the old row of each new one */
	bool *kept;	 /* [room] old rows that continue */
	real *copy;	 /* [room] */
} several_scratch;

struct work;

/* Working memory of one thread; emptied every step. */
typedef struct narrow_thread {
	thread_work *to; /* results of this thread for later stages */
	several_scratch several;
	touch_list touch;
	facet_list near;
	feature_counts features; /* counts of pairs of bodies in this step */
	struct known_cuts *cuts; /* cache of polyhedra, or NULL; kept from step to step */
	surface_scratch surface; /* memory of surfaces with a halo, and its counts since creation */
	point_list ahead;		 /* contacts found before their pieces, for one kind of pairs (narrow/sharing.h) */
	crossing crossed;
} narrow_thread;

struct narrow_work {
	narrow_thread *thread; /* [threads] */
	int32_t threads;
	int32_t turns;
	mat3 *turn; /* [turns] orientations of this step as matrices, for polyhedra; NULL if there are poses */
	struct polygon_pose *pose; /* [turns] poses of polygons for tests of many at once; else NULL */
	points_found found;		   /* pairs whose contacts are in narrow_thread.ahead */
};

/* Provides a narrow_thread for each thread, emptied for a step. */
void scree_narrow_threads(struct work *w);

#endif
