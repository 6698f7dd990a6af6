/* overlap_wall: a convex polyhedron and a wall by the volume of the body that is behind the wall's surface: behind a
 * plane, or behind the facets of a surface.
 *
 * What is behind a facet ends beside it where its border is open, and where the wall is a ridge half way to the facet
 * beyond; in a valley it goes on, since the neighbour is in front of it there. Between facets of one surface lies a
 * wall that belongs to both, so that their sum knows no seam. */
#include "narrow/solid/overlap.h"
#include "narrow/wall/work.h"

static const real SLACK = 1e-12; /* of the size: heights below it are rounding */

static bool is_known(const wall *w)
{
	switch (w->type) {
	case WALL_PLANE:
	case WALL_CYLINDER:
	case WALL_CONE:
	case WALL_FACETS:
	case WALL_POLYGON: /* of other worlds */
		return true;
	default:
		return false;
	}
}

const char *scree_thickness_refuses(const walls *s, int32_t wall)
{
	const struct wall *w = s->row + wall;
	if (!is_known(w)) return "it knows planes, boxes, cylinders, cones, polygons and meshes";
	for (int32_t f = w->first_facet; w->type == WALL_FACETS && f < w->first_facet + w->facets; ++f)
		if (s->facet[f].corners > OVERLAP_CORNERS) return "it knows polygons of up to 250 corners";
	return NULL;
}

const char *scree_overlap_refuses(const walls *s, int32_t wall)
{
	const struct wall *w = s->row + wall;
	if (!is_known(w) || w->type == WALL_CYLINDER || w->type == WALL_CONE)
		return "it knows planes, boxes, polygons and meshes; a cylinder can be made of facets";
	return scree_thickness_refuses(s, wall);
}

/* The wall's plane through p in the frame of the body: cuts what is left. */
static bool cut(cutting *c, const placed *body, vec3 n, vec3 p)
{
	return scree_cut(c, mat3_tmul(body->turn, n), v3_dot(n, v3_sub(p, body->at)));
}

/* the deepest vertex along -n, in the frame of the body */
static vec3 deepest(const placed *body, vec3 n)
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

static bool reaches(const placed *body, vec3 n, vec3 p)
{
	return v3_dot(n, v3_sub(v3_add(body->at, mat3_mul(body->turn, deepest(body, n))), p)) < 0;
}

/* The point of what is left of the body that lies deepest along -n, in the frame of the body. The body's own deepest
 * vertex may be beyond the border of a facet: seen from there, a region of little thickness would be a difference of
 * large numbers. */
static vec3 deepest_of(const solid *left, const placed *body, vec3 n)
{
	vec3 of_body = deepest(body, n), m = view_direction(body, n), best = of_body;
	real least = INFINITY;
	for (int32_t v = 0; v < left->vertices; ++v) {
		vec3 x = left->vertex[v];
		if (x.x == of_body.x && x.y == of_body.y && x.z == of_body.z) return of_body;
		real h = v3_dot(m, x);
		best = h < least ? x : best;
		least = real_min(least, h);
	}
	return best;
}

static real scale_of(const placed *body) { return body->size * body->shape->radius; }

static void start(cutting *c, const placed *body)
{
	scree_cut_start(c, body->shape, body->size, SLACK * scale_of(body));
}

static real volume_of(const placed *body) { return body->shape->volume * body->size * body->size * body->size; }

static void set_touch(touch_list *out, int32_t surface, const placed *body, const overlap *sum, vec3 normal, real arm)
{
	overlap_contact c;
	if (!scree_overlap_contact(sum, volume_of(body), view_direction(body, normal), &c)) return;
	if (sum->of == ENERGY_OF_VOLUME) c.arm = arm;
	scree_overlap_touch(&c, sum->of, &body->turn, surface, out);
}

static void at_plane(const placed *body, const wall *w, overlap_energy of, touch_list *out)
{
	real h = v3_dot(w->axis, v3_sub(body->at, w->point));
	vec3 n = w->two_sided && h < 0 ? v3_neg(w->axis) : w->axis;
	if ((h < 0 ? -h : h) >= scale_of(body) && (h > 0 || w->two_sided)) return;
	if (!reaches(body, n, w->point)) return;
	cutting c;
	start(&c, body);
	if (!cut(&c, body, n, w->point)) return;
	overlap sum = scree_overlap_start(of, c.part + c.now, deepest(body, n), view_direction(body, n));
	scree_overlap_add(&sum, c.part + c.now);
	pressure on;
	pressure_start(&on);
	if (of == ENERGY_OF_VOLUME) scree_overlap_press(c.part + c.now, view_direction(body, n), &on);
	set_touch(out, w->first_surface, body, &sum, n, scree_pressure_arm(&on));
}

/* ------------------------------------------------------------------ facets */

/* Do the bounds of the facet meet those of the body's sphere? More candidates change nothing. */
static bool near_facet(const placed *body, const facet *f)
{
	real r = scale_of(body);
	vec3 c = body->at;
	return c.x + r >= f->low.x && c.x - r <= f->high.x && c.y + r >= f->low.y && c.y - r <= f->high.y &&
		   c.z + r >= f->low.z && c.z - r <= f->high.z;
}

/* Outward normal of what ends the region behind a facet at its edge k; false: nothing does. sign: -1 seen from behind.
 */
static bool side_of(const walls *s, const facet *f, int32_t k, real sign, bool internal, vec3 *n)
{
	int32_t beyond = s->next[f->first + k];
	*n = s->outward[f->first + k];
	if (edge_is_covered(beyond)) return false; /* what it lies on is in front, as in a valley */
	if (beyond < 0) return !internal;
	if (s->facet[beyond].surface == f->surface) return true;
	if (sign * s->bend[f->first + k] > 0) return false;
	*n = v3_unit(v3_mul(sign, v3_sub(s->facet[beyond].normal, f->normal)));
	return true;
}

static bool behind_facet(cutting *c, const placed *body, const walls *s, const facet *f, real sign)
{
	start(c, body);
	if (!cut(c, body, v3_mul(sign, f->normal), s->corner[f->first])) return false;
	for (int32_t k = 0; k < f->corners; ++k) {
		vec3 n;
		if (!side_of(s, f, k, sign, s->row[f->wall].internal, &n)) continue;
		if (!cut(c, body, n, s->corner[f->first + k])) return false;
	}
	return true;
}

/* What a surface has of a body, and what the surface is made of. */
typedef struct share {
	overlap_energy of;
	int32_t surface, facets;
	const int32_t *candidate;
	overlap sum;
	vec3 normal;
	real arm;
} share;

/* side: of each facet, on which the body is: 1, -1, or 0 for that of its centre. False without overlap. */
static bool share_of(share *o, const placed *body, const walls *s, real side)
{
	cutting c;
	bool any = false;
	pressure on;
	pressure_start(&on);
	for (int32_t i = 0; i < o->facets; ++i) {
		const facet *f = s->facet + o->candidate[i];
		if (f->surface != o->surface || !near_facet(body, f)) continue;
		real h = v3_dot(f->normal, body->at) - f->off, sign = side != 0 ? side : h < 0 ? -1 : 1;
		if (sign < 0 && !s->row[f->wall].two_sided) continue;
		vec3 n = v3_mul(sign, f->normal);
		if (!reaches(body, n, s->corner[f->first]) || !behind_facet(&c, body, s, f, sign)) continue;
		if (!any) {
			o->normal = n;
			const solid *left = c.part + c.now;
			o->sum = scree_overlap_start(o->of, left, deepest_of(left, body, n), view_direction(body, n));
		}
		any = true;
		scree_overlap_add(&o->sum, c.part + c.now);
		if (o->of == ENERGY_OF_VOLUME) scree_overlap_press(c.part + c.now, view_direction(body, o->normal), &on);
	}
	o->arm = scree_pressure_arm(&on);
	return any;
}

static bool centre_is_over(const share *o, const placed *body, const walls *s)
{
	for (int32_t i = 0; i < o->facets; ++i) {
		const facet *f = s->facet + o->candidate[i];
		if (f->surface == o->surface && is_over(s, f, body->at)) return true;
	}
	return false;
}

static real energy_of(const share *o, const placed *body)
{
	overlap_contact c;
	bool any = scree_overlap_contact(&o->sum, volume_of(body), view_direction(body, o->normal), &c);
	return any ? c.weight * c.depth * c.depth : 0;
}

/* As in convex_facets.c: what hangs over the border of a two-sided surface is on the side of which less is behind. */
static void at_surface(share o, const placed *body, const walls *s, bool two_sided, touch_list *out)
{
	if (!share_of(&o, body, s, 0)) return;
	if (two_sided && !centre_is_over(&o, body, s)) {
		share front = o, back = o;
		if (!share_of(&front, body, s, 1) || !share_of(&back, body, s, -1)) return;
		o = energy_of(&back, body) < energy_of(&front, body) ? back : front;
	}
	set_touch(out, o.surface, body, &o.sum, o.normal, o.arm);
}

static void contacts_of(const placed *body, const walls *s, int32_t which, int32_t facets, const int32_t *candidate,
						overlap_energy of, touch_list *out)
{
	const struct wall *w = s->row + which;
	out->count = out->points = 0;
	if (w->removed) return;
	if (w->type == WALL_PLANE) at_plane(body, w, of, out);
	if (of == ENERGY_OF_THICKNESS && (w->type == WALL_CYLINDER || w->type == WALL_CONE))
		scree_thickness_round(body, w, out);
	if (w->type != WALL_FACETS) return;
	int32_t surface = -1;
	while ((surface = next_surface(s, facets, candidate, surface)) >= 0)
		at_surface((share){.of = of, .surface = surface, .facets = facets, .candidate = candidate}, body, s,
				   w->two_sided, out);
}

void scree_overlap_convex_wall(const placed *body, const walls *s, int32_t wall, int32_t facets, const int32_t *facet,
							   touch_list *out)
{
	contacts_of(body, s, wall, facets, facet, ENERGY_OF_VOLUME, out);
}

void scree_thickness_convex_wall(const placed *body, const walls *s, int32_t wall, int32_t facets, const int32_t *facet,
								 touch_list *out)
{
	contacts_of(body, s, wall, facets, facet, ENERGY_OF_THICKNESS, out);
}
