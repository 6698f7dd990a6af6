/* flow_planes.h: planes through which bodies are counted (output.measures); the counts are in state/state.h. */
#ifndef SCREE_MODEL_FLOW_PLANES_H
#define SCREE_MODEL_FLOW_PLANES_H

#include "base/fail.h"
#include "base/real.h"

#include <stdbool.h>

enum { FLOW_PLANES = 16 };

/* A whole plane or a rectangle; in plane worlds a line or a segment. */
typedef struct flow_plane {
	char name[48];
	vec3 point, normal; /* unit normal: bodies that cross in its direction count as positive */
	bool bounded;		/* whether this is a rectangle, whose middle is the point */
	vec3 along, across; /* if bounded: unit vectors along the edges of the rectangle */
	real half[2];		/* half lengths along these vectors, in m; the second is infinite in plane worlds */
	int32_t material;	/* only bodies of this material, given as a row; -1 for all */
	real sizes[2];		/* only bodies with sizes in this range, in m; an upper bound of 0 means all */
} flow_plane;

typedef struct flow_planes {
	int32_t count;
	flow_plane row[FLOW_PLANES];
} flow_planes;

struct periods;
struct materials;
/* Returns the axis along the normal if it is periodic; otherwise -1. */
int32_t scree_flow_plane_axis(const struct periods *p, const flow_plane *f);
/* Returns, as a sentence, why crossings of this plane cannot be counted with these periods; NULL if they can. */
const char *scree_flow_plane_fault(const struct periods *p, const flow_plane *f);
/* Returns the row with this name; -1 if there is none. */
int32_t scree_flow_plane_find(const flow_planes *f, const char *name);
/* Adds planes with new names. Returns false with an error message if a name is taken or there is no room. */
bool scree_flow_planes_add(flow_planes *f, const flow_planes *more, fail *why);

#endif
