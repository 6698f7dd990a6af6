/* scratch.h: candidates of walls, and what one thread works with. */
#ifndef SCREE_WORK_SCRATCH_H
#define SCREE_WORK_SCRATCH_H

#include "narrow/narrow.h"
#include "narrow/surface/surface.h"
#include "state/energy_classes.h"
#include "wall/facets.h"
#include "state/ledger.h"
#include "work/sums.h"
#include "work/looks.h"

/* The slots of one body and one wall, which the narrow phase looks at together (seams). */
typedef struct wall_group {
	int32_t body, wall;
	int64_t slot; /* its slots are rows slot .. slot+slots-1 of the pair list, by rising surface */
	int32_t slots, facets;
	int64_t facet; /* its candidate facets are rows facet .. facet+facets-1 of wall_groups.facet */
	real apart;	   /* cache: m; the centre meets no facet of a wall at rest while the body's way is below this */
} wall_group;

typedef struct wall_groups {
	int64_t count, capacity, facets, facet_capacity;
	wall_group *group;
	int32_t *facet;
	int64_t *piece, piece_capacity; /* first group of each piece of the pair list, and the end */
} wall_groups;

/* One of the contacts of a slot, as it will stand in a row (narrow/many.c). */
typedef struct found_contact {
	int32_t slot;
	bool touches;
	uint64_t feature;
	vec3 normal, at;
	real depth, arm, part, ra, rb;
	int32_t points;
	uint64_t first;
} found_contact;

typedef struct many_scratch {
	int64_t count, capacity;
	found_contact *item; /* of a piece */
	patch_list patches;	 /* of a slot, or */
	point_list points;
	int32_t room;
	int32_t *of; /* [room] the old row of each new one */
	bool *kept;	 /* [room] old rows that go on */
	real *copy;	 /* [room] */
} many_scratch;

/* What one thread works with; emptied every step. */
typedef struct thread_scratch {
	contact_points points;
	many_scratch many;
	touch_list touch;
	facet_list near;
	int32_t *was, *of; /* [room] slots that had a row before; the old row of each new one */
	real *copy;		   /* [room] */
	int32_t room;
	ledger ended;						 /* of contacts that ended */
	energy_class classes[ENERGY_LEVELS]; /* likewise, of patches */
	sum_rows rows;						 /* what contacts add to bodies and walls */
	law_tally tally;
	feature_counts features; /* of pairs of bodies in this step */
	struct known_cuts *cuts; /* of polyhedra, or NULL; kept from step to step */
	surface_scratch surface; /* of surfaces with a halo; its counts since made */
	point_list ahead; /* contacts that were found ahead of their pieces, of one kind of pairs (narrow/sharing.h) */
	crossing crossed;
} thread_scratch;

#endif
