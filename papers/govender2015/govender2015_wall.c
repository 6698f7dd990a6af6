/* govender2015_wall: contact between a convex polyhedron and a wall by Algorithm 2 of Govender, Wilke and Kok (2015),
 * as printed: the vertices behind a surface, their mean point and their mean depth. docs/theory/walls.md describes the
 * choices made where the paper is silent. */
#include "papers/govender2015/govender2015.h"

#include "narrow/wall/work.h"

/* tolerance of Theorem 2, which requires equal areas: with rounding errors, exact equality is a matter of chance */
static const real AREA_SLACK = 1e-6;

bool scree_govender2015_inside(int32_t corners, const vec3 *corner, vec3 p)
{
	real sum = 0;
	vec3 whole = v3(0, 0, 0);
	for (int32_t k = 0; k < corners; ++k) {
		vec3 l = v3_sub(corner[k], p), m = v3_sub(corner[k + 1 < corners ? k + 1 : 0], p), c = v3_cross(l, m);
		sum += v3_norm(c);
		whole = v3_add(whole, c);
	}
	return sum <= (1 + AREA_SLACK) * v3_norm(whole);
}

/* The vertices found in contact with a surface. */
typedef struct found {
	int32_t count;
	vec3 sum;	/* sum of their positions */
	real depth; /* sum of their depths */
	vec3 n;
} found;

static void add_vertex(found *k, vec3 x, real depth, vec3 n)
{
	if (!k->count) k->n = n;
	++k->count;
	k->sum = v3_add(k->sum, x);
	k->depth += depth;
}

static void set_touch(touch_list *out, int32_t surface, const placed *body, const found *k)
{
	if (!k->count) return;
	vec3 mean = v3_mul(1 / (real)k->count, k->sum);
	scree_touch_point(out, surface, k->n, v3_sub(mean, body->at), k->depth / (real)k->count);
}

/* Lines 1-2: tests whether the body may touch a plane whose height below its centre is given. */
static bool in_question(const placed *body, real height, bool two_sided)
{
	if (height < 0 && !two_sided) return false;
	return real_abs(height) <= body->size * body->shape->radius;
}

static void at_plane(const placed *body, const wall *w, touch_list *out)
{
	real h = v3_dot(w->axis, v3_sub(body->at, w->point));
	if (!in_question(body, h, w->two_sided)) return;
	vec3 n = h < 0 ? v3_neg(w->axis) : w->axis;
	found k = {0};
	for (int32_t v = 0; v < body->shape->vertices; ++v) {
		vec3 x = govender2015_vertex(body, v);
		real d = v3_dot(n, v3_sub(x, w->point));
		if (d < 0) add_vertex(&k, x, -d, n);
	}
	set_touch(out, w->first_surface, body, &k);
}

/* A tube, seen from the inside: d = R - |x - (x.t) t|. The normal points from the mean point towards the axis. */
static void in_cylinder(const placed *body, const wall *w, touch_list *out)
{
	found k = {0};
	vec3 c = v3_sub(body->at, w->point);
	c = v3_madd(c, -v3_dot(c, w->axis), w->axis);
	if (!in_question(body, w->radius - v3_norm(c), false)) return;
	for (int32_t v = 0; v < body->shape->vertices; ++v) {
		vec3 x = govender2015_vertex(body, v), r = v3_sub(x, w->point);
		real z = v3_dot(r, w->axis), d = w->radius - v3_norm(v3_madd(r, -z, w->axis));
		bool beyond = w->length < (real)INFINITY && (z < 0 || z > w->length);
		if (d < 0 && !beyond) add_vertex(&k, x, -d, w->axis);
	}
	if (!k.count) return;
	vec3 r = v3_sub(v3_mul(1 / (real)k.count, k.sum), w->point);
	r = v3_madd(r, -v3_dot(r, w->axis), w->axis);
	if (!(v3_norm2(r) > 0)) return; /* the vertices surround the axis, so no side is nearer */
	k.n = v3_neg(v3_unit(r));
	set_touch(out, w->first_surface, body, &k);
}

/* ------------------------------------------------------------------ facets */

/* A surface of a wall, with the candidate facets on it. */
typedef struct patchwork {
	const near_wall *to;
	int32_t surface;
	bool two_sided;
} patchwork;

/* The next facet of the surface, from *i on, that passes lines 1 and 2, with the height of the body's centre above
 * it. */
static const facet *next_facet(const placed *body, const patchwork *s, int32_t *i, real *height)
{
	for (; *i < s->to->facets; ++*i) {
		const facet *f = facet_near(s->to, *i);
		if (f->surface != s->surface) continue;
		*height = v3_dot(f->normal, body->at) - f->off;
		if (!in_question(body, *height, s->two_sided)) continue;
		++*i;
		return f;
	}
	return NULL;
}

/* Lines 4-5: tests whether x is behind a facet of the surface and within its outline. The point counts once for the
 * surface, even if several facets meet there. */
static void try_vertex(const placed *body, const patchwork *s, vec3 x, found *k)
{
	real height;
	for (int32_t i = 0;;) {
		const facet *f = next_facet(body, s, &i, &height);
		if (!f) return;
		real sign = height < 0 ? -1 : 1, d = sign * (v3_dot(f->normal, x) - f->off);
		if (d < 0 &&
			scree_govender2015_inside(f->corners, s->to->s->corner + f->first, v3_madd(x, -sign * d, f->normal))) {
			add_vertex(k, x, -d, v3_mul(sign, f->normal));
			return;
		}
	}
}

static void try_border(const placed *body, vec3 q, vec3 w, govender2015_cross *best)
{
	const shape *o = body->shape;
	vec3 inside = v3_sub(body->at, v3_madd(q, (real)0.5, w));
	real r = body->size * o->radius;
	for (int32_t e = 0; e < o->edges; ++e) {
		vec3 p = govender2015_vertex(body, o->ends[2 * e]),
			 u = v3_sub(govender2015_vertex(body, o->ends[2 * e + 1]), p);
		govender2015_cross pair = {.depth = best->depth};
		scree_govender2015_cross(p, u, q, w, inside, &pair);
		/* if the border is out of reach, its facet may be missing from the candidates */
		vec3 at = v3_madd(pair.p, pair.depth / 2, pair.n);
		if (pair.depth < best->depth && v3_norm2(v3_sub(at, body->at)) < r * r) *best = pair;
	}
}

/* Type 2 contacts for the border of an external surface. */
static govender2015_cross crossing_border(const placed *body, const patchwork *s)
{
	const walls *o = s->to->s;
	govender2015_cross best = {.depth = INFINITY};
	real height;
	for (int32_t i = 0;;) {
		const facet *f = next_facet(body, s, &i, &height);
		if (!f) return best;
		for (int32_t k = 0; k < f->corners; ++k) {
			int32_t beyond = o->next[f->first + k];
			if (edge_is_covered(beyond)) continue;
			if (beyond >= 0 && o->facet[beyond].surface == s->surface) continue;
			vec3 q = o->corner[f->first + k], to = o->corner[f->first + (k + 1 < f->corners ? k + 1 : 0)];
			try_border(body, q, v3_sub(to, q), &best);
		}
	}
}

static void at_surface(const placed *body, const patchwork *s, bool internal, touch_list *out)
{
	found k = {0};
	for (int32_t v = 0; v < body->shape->vertices; ++v) try_vertex(body, s, govender2015_vertex(body, v), &k);
	set_touch(out, s->surface, body, &k);
	if (k.count || internal) return;
	govender2015_cross cross = crossing_border(body, s);
	if (cross.depth < INFINITY) scree_touch_point(out, s->surface, cross.n, v3_sub(cross.p, body->at), cross.depth);
}

void scree_govender2015_convex_wall(const placed *body, const near_wall *to, touch_list *out)
{
	const struct wall *w = to->s->row + to->wall;
	out->count = out->points = 0;
	if (w->removed) return;
	if (w->type == WALL_PLANE) at_plane(body, w, out);
	if (w->type == WALL_CYLINDER && w->side == SIDE_INSIDE) in_cylinder(body, w, out);
	if (w->type != WALL_FACETS) return;
	patchwork p = {to, -1, w->two_sided};
	while ((p.surface = next_surface(to, p.surface)) >= 0) at_surface(body, &p, w->internal, out);
}

const char *scree_govender2015_refuses(const walls *s, int32_t wall)
{
	const struct wall *w = s->row + wall;
	if (w->type == WALL_CONE) return "Govender, Wilke and Kok have no algorithm for a cone";
	if (w->type == WALL_CYLINDER && w->side == SIDE_OUTSIDE)
		return "Govender, Wilke and Kok have no algorithm for the outside of a cylinder";
	if (w->type != WALL_PLANE && w->type != WALL_CYLINDER && w->type != WALL_FACETS && w->type != WALL_POLYGON)
		return "Govender, Wilke and Kok have no algorithm for this kind of wall";
	if (w->internal && w->type != WALL_FACETS)
		return "only polygons, meshes and cylinders made of facets can be declared internal";
	return NULL;
}
