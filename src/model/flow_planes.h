/* flow_planes.h: planes through which bodies are counted (output.measures). The counts are state: state/state.h. */
#ifndef SCREE_MODEL_FLOW_PLANES_H
#define SCREE_MODEL_FLOW_PLANES_H

#include "base/fail.h"
#include "base/real.h"

#include <stdbool.h>

enum { FLOW_PLANES = 16 };

/* A whole plane, or a rectangle; in worlds in the plane a line, or a segment. */
typedef struct flow_plane {
	char name[48];
	vec3 point, normal; /* unit normal: bodies that cross along it count as positive */
	bool bounded;		/* a rectangle with its middle at the point */
	vec3 along, across; /* if bounded: directions of its edges, unit */
	real half[2];		/* m: half of its length along both; in the plane the second is infinite */
	int32_t material;	/* only bodies of this row of materials; -1: all */
	real sizes[2];		/* m: only bodies of these sizes; upper bound 0: all */
} flow_plane;

typedef struct flow_planes {
	int32_t count;
	flow_plane row[FLOW_PLANES];
} flow_planes;

struct periods;
struct materials;
/* The axis along the normal, if it is periodic; otherwise -1. */
int32_t scree_flow_plane_axis(const struct periods *p, const flow_plane *f);
/* The reason, in a sentence, why bodies through this plane cannot be counted in a world with these periods; or NULL. */
const char *scree_flow_plane_fault(const struct periods *p, const flow_plane *f);
/* The row of this name; -1: none. */
int32_t scree_flow_plane_find(const flow_planes *f, const char *name);
/* Adds planes with new names. False, with an error message, if a name belongs to another plane, or there is no room. */
bool scree_flow_planes_add(flow_planes *f, const flow_planes *more, fail *why);

#endif
