/* wall_loads.h: what bodies do to walls, for tables and VTK files. */
#ifndef SCREE_FORMAT_WALL_LOADS_H
#define SCREE_FORMAT_WALL_LOADS_H

#include "base/real.h"

struct scree_world;

typedef struct wall_loads {
	vec3 force, torque; /* N, N m: of bodies on the wall, about its position */
	real pressure;		/* Pa: normal forces over the area; NaN: it has none */
	real power;			/* W: of these forces on the moving wall */
} wall_loads;

/* All parts of the world call this. */
wall_loads scree_wall_loads(const struct scree_world *w, int32_t wall);

#endif
