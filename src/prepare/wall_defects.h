/* wall_defects.h: what is wrong, or weak, about a wall of facets, in sentences: refused or told before a run, and the
 * first thing to say when bodies get lost at it; and about halos that are too thin or too soft. */
#ifndef SCREE_PREPARE_WALL_DEFECTS_H
#define SCREE_PREPARE_WALL_DEFECTS_H

#include "wall/wall_surface.h"
#include "world/world.h"

typedef enum flaw_weight {
	DEFECT_REFUSED, /* bodies pass through the wall, or are thrown out of it */
	DEFECT_WARNED,	/* likely a mistake */
	DEFECT_ALLOWED, /* a way out for bodies that may be meant */
	DEFECT_HARMLESS /* told, but no cause of anything */
} flaw_weight;

typedef struct wall_defect {
	flaw_weight weight;
	char text[480]; /* follows the wall's name: "has 2 triangles that ..." */
} wall_defect;

enum { WALL_DEFECTS = 8 };
typedef struct wall_defects {
	int count;
	wall_defect row[WALL_DEFECTS]; /* by the rules of flaws.c, the gravest first */
} wall_defects;

/* Of walls that are one facet, or no facets, there is nothing to say. With bodies and sources as they are now. */
wall_defects scree_wall_defects(const model *m, const state *s, int32_t wall);

/* Does the halo of some shape not stand the impacts that are known of? Then a sentence that names what would. */
bool scree_halo_flaw(const model *m, const state *s, char *text, size_t room);

#endif
