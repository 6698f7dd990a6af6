/* vtk_walls.h: walls as polygons, in their current position. */
#ifndef SCREE_FORMAT_VTK_WALLS_H
#define SCREE_FORMAT_VTK_WALLS_H

#include "format/vtk_xml.h"

struct scree_world;
void scree_vtk_wall(const struct scree_world *w, int32_t wall, vtk_mesh *m);

#endif
