/* work.h: memory that the narrow phase keeps from step to step; private to src/narrow. The contacts of surfaces with a
 * halo are distributed among threads (docs/theory/sharing.md); this does not affect results. */
#ifndef SCREE_NARROW_WORK_H
#define SCREE_NARROW_WORK_H

#include "narrow/narrow.h"
#include "narrow/surface/surface.h"
#include "wall/facets.h"
#include "work/looks.h"
#include "work/threads.h"
#include "model/sharing.h"

/* Result of one thread for one pair, or for a body and a wall: rows first .. first+count-1 of the thread's list. */
typedef struct points_ahead {
	int32_t of; /* the slot; for walls, the group */
	int32_t thread, first, count;
	real apart;			  /* as returned by scree_surface_surface */
	bool crossed, shared; /* shared: all threads share the triangles of this pair */
	real work;			  /* estimated work in triangles; 0: there are no triangles to share */
} points_ahead;

typedef struct points_found {
	int64_t count, capacity;
	points_ahead *item; /* in the order of slots or groups */
	real work;			/* total work of all items */
} points_found;

/* One of the contacts of a slot before it is written to a row (narrow/several_contacts.c). */
typedef struct found_contact {
	int32_t slot;
	bool touches;
	point_found of;
	real arm;
	real place; /* touch.place */
	int32_t points;
	uint64_t first;
} found_contact;

typedef struct several_scratch {
	int64_t count, capacity;
	found_contact *item; /* contacts of all slots of a piece */
	patch_list patches;	 /* patches of a slot, or points */
	point_list points;
	int32_t room;
	int32_t *of; /* [room] the old row that each new row continues */
	bool *kept;	 /* [room] whether an old row continues */
	real *copy;	 /* [room] */
} several_scratch;

struct work;

/* Working memory of one thread, emptied in every step. */
typedef struct narrow_thread {
	thread_work *to; /* results of this thread for the next stages */
	several_scratch several;
	touch_list touch, probe; /* contacts with a wall; those of balls along a capsule */
	facet_list near;
	feature_counts features; /* counts of pairs of bodies in this step */
	struct known_cuts *cuts; /* cache of polyhedra, kept from step to step; or NULL */
	surface_scratch surface; /* memory of surfaces with a halo, and their counts since the world was made */
	point_list ahead;		 /* contacts of one kind of pairs that were found before their pieces (narrow/sharing.c) */
	crossing crossed;
} narrow_thread;

struct narrow_work {
	narrow_thread *thread; /* [threads] */
	int32_t threads;
	int32_t turns;
	mat3 *turn; /* [turns] orientations in this step as matrices, for polyhedra; NULL if there are poses */
	struct polygon_pose *pose; /* [turns] poses of polygons, for tests of many pairs together; else NULL */
	points_found found;		   /* pairs whose contacts are in narrow_thread.ahead */
};

/* Provides an emptied narrow_thread for each thread, at the start of a step. */
void scree_narrow_threads(struct work *w);

#endif
