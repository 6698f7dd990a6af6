/* facets.h: finds the facets of a wall that a box may touch, with a grid built once in the wall's frame. */
#ifndef SCREE_WALL_FACETS_H
#define SCREE_WALL_FACETS_H

#include "wall/walls.h"

typedef struct facet_grid facet_grid;

typedef struct facet_list {
	int32_t count;
	int64_t capacity;
	int32_t *facet; /* rows of walls.facet, in ascending order */
} facet_list;

facet_grid *scree_facet_grid_new(const walls *s, int32_t wall);
/* Sets the list to the facets whose bounds overlap low..high (wall's frame). Thread-safe for different lists. */
void scree_facet_grid_query(const facet_grid *g, const walls *s, vec3 low, vec3 high, facet_list *out);
void scree_facet_grid_free(facet_grid *g);
/* Finds facets of other walls that borders touch (walls.meets). grid: one per wall, NULL for walls without facets */
void scree_walls_meet(walls *s, facet_grid *const *grid);
void scree_facet_list_free(facet_list *l);

#endif
