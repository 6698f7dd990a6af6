/* wall_parts.h: inside of walls.c and wall_mesh.c. */
#ifndef SCREE_STATE_WALL_PARTS_H
#define SCREE_STATE_WALL_PARTS_H

#include "state/walls.h"

/* Checks name and motion, and resets what the table sets; false with a sentence. */
bool scree_wall_check(wall *w, fail *why);
bool scree_wall_check_point(const wall *w, const char *what, vec3 p, fail *why);
/* takes the wall into the table, with count new surfaces */
int32_t scree_walls_append(walls *s, const wall *w, int32_t surfaces);
/* room for this many facets and corners more */
void scree_walls_reserve(walls *s, int32_t facets, int32_t corners);
/* Adds one facet of the wall that will be the next row, surface counted from this wall's first; all its edges open. */
void scree_walls_add_facet(walls *s, int32_t surface, vec3 normal, real off, int32_t corners, const vec3 *corner);

#endif
