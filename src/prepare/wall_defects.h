/* wall_defects.h: defects of walls made of facets, described in sentences. Defects are refused or reported before a
 * run, and are reported first when bodies are lost at a wall. Also finds halos that are too thin or too soft. */
#ifndef SCREE_PREPARE_WALL_DEFECTS_H
#define SCREE_PREPARE_WALL_DEFECTS_H

#include "model/declared.h"
#include "ranks/together/domain.h"
#include "wall/wall_surface.h"

typedef enum defect_weight {
	DEFECT_REFUSED, /* bodies pass through the wall, or are ejected from it */
	DEFECT_WARNED,	/* likely a mistake */
	DEFECT_ALLOWED, /* an opening for bodies, which may be intended */
	DEFECT_HARMLESS /* reported, but harmless */
} defect_weight;

typedef struct wall_defect {
	defect_weight weight;
	char text[480]; /* text that follows the wall's name: "has 2 triangles that ..." */
} wall_defect;

enum { WALL_DEFECTS = 8 };
typedef struct wall_defects {
	int count;
	wall_defect row[WALL_DEFECTS]; /* found by the rules of wall_defects.c, most serious first */
} wall_defects;

/* Defects of a wall with the current bodies and sources, over all parts of the world, which must call this together.
 * Walls with at most one facet have no defects. */
wall_defects scree_wall_defects(const model *m, const state *s, const domain *d, int32_t wall);

/* Called by all parts of the world. Tests for a halo too weak for the expected impacts; if so, text names a remedy. */
bool scree_halo_defect(const model *m, const state *s, const domain *d, char *text, size_t room);

#endif
