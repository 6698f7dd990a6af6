/* parts.h: the parts of a polyhedron of any size behind a wall, under the names of kernel/wall_parts.h. A file that
 * includes it defines parts_add. Private to src/narrow/wall. */
#ifndef SCREE_NARROW_WALL_PARTS_H
#define SCREE_NARROW_WALL_PARTS_H

#include "narrow/solid/convex_solid.h"
#include "narrow/solid/overlap.h"
#include "narrow/wall/work.h"

#define SCREE_WALL_PARTS /* the names of kernel/wall_parts.h; parts are added to their sums at once */
typedef struct parts_cutting {
	cutting c;
	overlap *sum;
	bool *any; /* tubes: whether the sums have begun */
	/* facets: the measure, and for energies of volume the pressure on the parts */
	overlap_energy of;
	pressure on;
} parts_cutting;

SCREE_FN void parts_start(parts_cutting *c, const shape *s, real size, real slack)
{
	scree_cut_start(&c->c, s, size, slack);
}
SCREE_FN bool parts_cut(parts_cutting *c, vec3 n, real off) { return scree_cut(&c->c, n, off); }
SCREE_FN const solid *parts_left(const parts_cutting *c) { return c->c.part + c->c.now; }
static void parts_add(parts_cutting *c, int32_t sum, vec3 along);

#endif
