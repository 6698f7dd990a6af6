/* vtk_walls.h: walls as polygons, in their current position. */
#ifndef SCREE_FORMAT_VTK_WALLS_H
#define SCREE_FORMAT_VTK_WALLS_H

#include "format/vtk_xml.h"

struct scree_world;
/* The ball around all bodies and finite walls; infinite walls are drawn within it. */
typedef struct vtk_extent {
	vec3 middle;
	real radius;
} vtk_extent;
vtk_extent scree_vtk_extent(const struct scree_world *w);
void scree_vtk_wall(const struct scree_world *w, int32_t wall, const vtk_extent *all, vtk_mesh *m);

#endif
