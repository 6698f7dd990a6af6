/* surface_bond.h: how much stiffness a body's contacts with two surfaces of a wall have in common. It is symmetric and
 * depends only on the wall (docs/theory/walls.md, "Folds"). */
#ifndef SCREE_KERNEL_SURFACE_BOND_H
#define SCREE_KERNEL_SURFACE_BOND_H

#include "kernel/item.h"
#include "kernel/wall_rows.h"

SCREE_CONSTANT real BOND_SQUARE = 1e-6; /* cosines below this count as zero, as for a right angle */
SCREE_CONSTANT real BOND_SHALLOW = 0.5; /* sine of the largest angle at which faces count as nearly coplanar */

typedef struct surface_bond {
	real part;	 /* the common fraction, 0 to 1 */
	real level;	 /* flatness of the pair: 1 if coplanar, 0 above 30 degrees */
	bool convex; /* each surface is behind the other surface's plane */
} surface_bond;

SCREE_FN real bond_of_valley(real cosine) { return cosine > BOND_SQUARE ? real_min(cosine, 1) : 0; }

/* Returns the strength of the weakest link between two surfaces. Links nearer to the root were added later. The surface
 * with the earlier link is repeatedly replaced with its parent, until both surfaces are the same. */
SCREE_FN real bond_weakest_link(SCREE_GLOBAL const surface_link *link, int32_t a, int32_t b)
{
	real part = 1;
	while (a != b) {
		const bool first = link[a].when <= link[b].when;
		SCREE_GLOBAL const surface_link *l = link + (first ? a : b);
		if (l->up < 0) return 0;
		part = l->part;
		if (first)
			a = l->up;
		else
			b = l->up;
	}
	return part;
}

SCREE_FN_APART surface_bond surface_bond_of(const wall_table *s, int32_t a, int32_t b, bool behind)
{
	SCREE_GLOBAL const surface_face *p = s->face + a, *q = s->face + b;
	const real sign = behind ? -1 : 1;
	const vec3 way = v3_sub(q->middle, p->middle);
	surface_bond o;
	o.part = bond_weakest_link(s->link[behind ? 1 : 0], a, b);
	o.convex = sign * v3_dot(way, p->normal) < 0 && sign * v3_dot(way, q->normal) > 0;
	const real cosine = real_min(o.part, bond_of_valley(v3_dot(p->normal, q->normal)));
	o.level = real_max(1 - (1 - cosine * cosine) / (BOND_SHALLOW * BOND_SHALLOW), 0);
	if (!o.convex) o.part = cosine;
	return o;
}

#endif
