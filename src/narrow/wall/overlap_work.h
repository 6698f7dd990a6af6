/* overlap_work.h: code for planes and facets that cut a body (overlap_wall.c, overlap_facets.c); private to
 * src/narrow/wall. */
#ifndef SCREE_NARROW_WALL_OVERLAP_WORK_H
#define SCREE_NARROW_WALL_OVERLAP_WORK_H

#include "narrow/solid/overlap.h"
#include "narrow/wall/work.h"

#define OVERLAP_SLACK ((real)1e-12) /* relative to the size: smaller heights are rounding error */

/* Cuts the solid by the wall's plane through p, in the frame of the body. */
SCREE_FN bool cut(cutting *c, const placed *body, vec3 n, vec3 p)
{
	return scree_cut(c, mat3_tmul(body->turn, n), v3_dot(n, v3_sub(p, body->at)));
}

/* The deepest vertex along -n, in the frame of the body. */
SCREE_FN vec3 deepest(const placed *body, vec3 n)
{
	const shape *s = body->shape;
	vec3 m = view_direction(body, n);
	real least = INFINITY;
	int32_t best = 0;
	for (int32_t v = 0; v < s->vertices; ++v) {
		real h = v3_dot(m, shape_vertex(s, v));
		best = h < least ? v : best;
		least = real_min(least, h);
	}
	return v3_mul(body->size, shape_vertex(s, best));
}

SCREE_FN bool reaches(const placed *body, vec3 n, vec3 p)
{
	return v3_dot(n, v3_sub(v3_add(body->at, mat3_mul(body->turn, deepest(body, n))), p)) < 0;
}

/* The deepest point along -n of the cut body, in the frame of the body. The body's own deepest vertex may be beyond the
 * border of a facet; relative to it, sums over a thin region would be differences of large numbers. */
SCREE_FN vec3 deepest_of(const solid *left, const placed *body, vec3 n)
{
	vec3 of_body = deepest(body, n), m = view_direction(body, n), best = of_body;
	real least = INFINITY;
	for (int32_t v = 0; v < left->vertices; ++v) {
		vec3 x = left->vertex[v];
		if (v3_equal(x, of_body)) return of_body;
		real h = v3_dot(m, x);
		best = h < least ? x : best;
		least = real_min(least, h);
	}
	return best;
}

SCREE_FN void start(cutting *c, const placed *body)
{
	scree_cut_start(c, body->shape, body->size, OVERLAP_SLACK * placed_radius(body));
}

SCREE_FN real volume_of(const placed *body) { return body->shape->volume * body->size * body->size * body->size; }

SCREE_FN void set_touch(touch_list *out, int32_t surface, const placed *body, const overlap *sum, vec3 normal, real arm)
{
	overlap_contact c;
	if (!scree_overlap_contact(sum, volume_of(body), view_direction(body, normal), &c)) return;
	if (sum->of == ENERGY_OF_VOLUME) c.arm = arm;
	scree_overlap_touch(&c, sum->of, &body->turn, surface, out);
}

void scree_overlap_facets(const placed *body, const walls *s, int32_t wall, int32_t facets, const int32_t *candidate,
						  overlap_energy of, touch_list *out);

#endif
