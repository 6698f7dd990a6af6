/* sphere_facets: contacts of spheres and of other round bodies with the facets of a wall (kernel/sphere_facets.h). For
 * other round bodies (round_body in work.h) the bounding ball replaces the sphere, with the body's overlap. */
#include "narrow/wall/work.h"

#define SCREE_ROUNDED /* the names of kernel/sphere_facets.h */
typedef struct rounded {
	vec3 c;
	real radius;
	const round_body *body; /* NULL: a sphere */
	bool faced;
} rounded;

static bool rounded_is_ball(const rounded *o) { return !o->body; }
static vec3 rounded_farthest(const rounded *o, vec3 n) { return o->body->farthest(o->body->of, n); }
static bool rounded_meets(const rounded *o, const walls *s, const facet *f, struct near_point *a);
static bool near_room(near_points *w);

#include "kernel/sphere_facets.h"

static bool near_room(near_points *w)
{
	w->near = scree_wall_room(w->near, w->nears, &w->near_capacity, sizeof *w->near);
	w->point = scree_wall_room(w->point, w->nears, &w->point_capacity, sizeof *w->point);
	return true;
}

/* Finds the contact with the plane if the body's deepest point is above the facet, otherwise with the nearest edge. */
static bool rounded_meets(const rounded *o, const walls *s, const facet *f, near_point *a)
{
	const vec3 deepest = v3_add(o->c, rounded_farthest(o, v3_neg(a->n)));
	const bool behind = a->n.x != f->normal.x || a->n.y != f->normal.y || a->n.z != f->normal.z;
	const real height = v3_dot(a->n, deepest) - (behind ? -f->off : f->off);
	if (!(height < 0)) return false;
	a->inside = is_over(s, f, deepest);
	a->normal = a->n;
	a->point = v3_madd(deepest, -height, a->n);
	real depth = a->inside ? -height : -INFINITY;
	for (int32_t k = 0; !a->inside && k < f->corners; ++k) {
		const vec3 p = s->corner[f->first + k], q = edge_end(s, f, k);
		if (v3_norm2(v3_sub(closest_on_edge(p, q, o->c), o->c)) >= o->radius * o->radius) continue;
		const round_meeting m = o->body->segment(o->body->of, p, q);
		if (!(m.depth > depth)) continue;
		depth = m.depth, a->normal = m.normal, a->point = m.point;
		a->valley = is_valley(s, f, f->first + k, o->c, behind);
	}
	a->h = a->away = o->radius - depth;
	/* equals the contact with the plane within rounding: the point is between two facets of a surface */
	if (-height - depth <= SPHERE_SAME * o->radius) a->inside = true;
	return depth > 0;
}

void scree_round_facets(const round_body *body, vec3 centre, real radius, const near_wall *to, touch_list *out)
{
	near_points *w = &scree_wall_scratch(out)->round;
	meet_facets(w, &(rounded){centre, radius, body, false}, to);
	for (int32_t k = 0; k < w->points; ++k) scree_touch_wall_point(out, w->point + k);
}
