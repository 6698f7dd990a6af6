/* work.h: what the narrow phase keeps from step to step; other stages do not see it. */
#ifndef SCREE_NARROW_WORK_H
#define SCREE_NARROW_WORK_H

#include "narrow/narrow.h"
#include "narrow/sharing.h"
#include "narrow/surface/surface.h"
#include "wall/facets.h"
#include "work/looks.h"
#include "work/threads.h"

/* One of the contacts of a slot, before it is put into a row (narrow/several_contacts.c). */
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
	found_contact *item; /* of a piece */
	patch_list patches;	 /* of a slot, or */
	point_list points;
	int32_t room;
	int32_t *of; /* [room] the old row of each new one */
	bool *kept;	 /* [room] old rows that go on */
	real *copy;	 /* [room] */
} several_scratch;

struct work;

/* What one thread works with; emptied every step. */
typedef struct narrow_thread {
	thread_work *to; /* what this thread hands on */
	several_scratch many;
	touch_list touch;
	facet_list near;
	feature_counts features; /* of pairs of bodies in this step */
	struct known_cuts *cuts; /* of polyhedra, or NULL; kept from step to step */
	surface_scratch surface; /* of surfaces with a halo; its counts since made */
	point_list ahead; /* contacts that were found ahead of their pieces, of one kind of pairs (narrow/sharing.h) */
	crossing crossed;
} narrow_thread;

struct narrow_work {
	narrow_thread *thread; /* [threads] */
	int32_t threads;
	int32_t turns;
	mat3 *turn; /* [turns] orientations of this step as matrices, for polyhedra; NULL where there are poses */
	struct polygon_pose *pose; /* [turns] likewise, where polygons may be looked at many at once; else NULL */
	points_found found;		   /* which pairs have theirs in narrow_thread.ahead */
};

/* a narrow_thread for each thread, emptied for a step */
void scree_narrow_threads(struct work *w);

#endif
