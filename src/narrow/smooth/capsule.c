/* capsule: contacts between a capsule and other capsules, balls, and superquadrics, from the distance to its segment;
 * contacts with polyhedra are in capsule_solid.c.
 *
 * Two capsules side by side touch at both ends of their common range, so parallel capsules rest stably on each other.
 * Otherwise, two capsules touch where their segments are nearest to each other. Between these cases the overlaps of all
 * three contacts vary continuously (docs/theory/smooth.md). */
#include "narrow/smooth/capsule.h"

#include "kernel/sphere_contact.h"
#include "narrow/smooth/smooth.h"

static void add_point(capsule_query *o, uint64_t feature, vec3 on_a, vec3 on_b, real share)
{
	const sphere_contact c = sphere_contact_of(v3_sub(on_a, on_b), o->ra, o->rb);
	scree_capsule_add(o, feature, c.normal, v3_add(c.at, v3_sub(on_a, o->centre)), c.depth, share);
}

static void two_capsules(capsule_query *o, const capsule *a, const capsule *b)
{
	const between p = scree_capsules_common_end(a, b, false), q = scree_capsules_common_end(a, b, true),
				  n = scree_capsules_nearest(a, b);
	const real radii = a->radius + b->radius, end[2] = {radii - p.distance, radii - q.distance};
	const real long_a = v3_norm(v3_sub(p.on_a, q.on_a)), long_b = v3_norm(v3_sub(p.on_b, q.on_b));
	const real length = real_min(long_a, long_b), longer = real_max(long_a, long_b);
	const real along = longer > 0 ? length / longer : 0; /* 1 if the axes are parallel */
	const shares s = scree_capsule_shares(radii - n.distance, end, length / radii, o->power);
	const real each = along * along * s.to_middle / 2, rest = 1 - 2 * each;
	const vec3 on_a = v3_madd(v3_mul(rest, n.on_a), each, v3_add(p.on_a, q.on_a));
	const vec3 on_b = v3_madd(v3_mul(rest, n.on_b), each, v3_add(p.on_b, q.on_b));
	add_point(o, 0, p.on_a, p.on_b, s.end[0]);
	add_point(o, 1, q.on_a, q.on_b, s.end[1]);
	add_point(o, FEATURE_NEAREST, on_a, on_b, s.nearest);
	o->least = real_min(o->least, n.distance - radii);
}

static void with_smooth(capsule_query *o, const capsule *c, const placed *b, bool first)
{
	const smooth s = scree_smooth_of(b, 0), middle = smooth_point(c->at);
	const smooth_line m = c->half > 0 ? scree_smooth_segment(&s, capsule_point(c, -c->half), capsule_point(c, c->half))
									  : (smooth_line){scree_smooth_gap(&s, &middle), c->at, 0};
	const real depth = c->radius - m.gap.gap;
	o->least = real_min(o->least, -depth);
	if (!(depth > -o->reach)) return;
	const vec3 normal = first ? m.gap.normal : v3_neg(m.gap.normal);
	const vec3 at = v3_sub(v3_madd(m.point, depth / 2 - c->radius, m.gap.normal), o->centre);
	scree_point_list_add(o->out, (point_found){o->feature, 0, normal, at, depth, o->ra, o->rb, 1});
}

static void look_at(capsule_query *o, const placed *a, const placed *b)
{
	const capsule p = scree_capsule_of(a), q = scree_capsule_of(b);
	const bool ball_a = placed_is_ball(a) || (placed_is_capsule(a) && !(p.half > 0));
	const bool ball_b = placed_is_ball(b) || (placed_is_capsule(b) && !(q.half > 0));
	if (ball_a && ball_b)
		add_point(o, 0, a->at, b->at, 1);
	else if (ball_a && placed_is_capsule(b))
		add_point(o, 0, a->at, capsule_nearest(&q, a->at), 1);
	else if (ball_b && placed_is_capsule(a))
		add_point(o, 0, capsule_nearest(&p, b->at), b->at, 1);
	else if (placed_is_capsule(a) && placed_is_capsule(b))
		two_capsules(o, &p, &q);
	if (a->shape->type == SHAPE_CONVEX) scree_capsule_with_solid(o, b, a, false);
	if (b->shape->type == SHAPE_CONVEX) scree_capsule_with_solid(o, a, b, true);
	if (placed_is_smooth(a)) with_smooth(o, &q, a, false);
	if (placed_is_smooth(b)) with_smooth(o, &p, b, true);
}

real scree_capsule_points(const placed *a, const placed *b, real ra, real rb, real reach, real power, vec3 centre,
						  uint64_t feature, point_list *out)
{
	capsule_query o = {ra, rb, reach, power, a->at, centre, feature, INFINITY, out};
	const int32_t before = out->count;
	look_at(&o, a, b);
	return out->count > before ? 0 : o.least;
}

real scree_capsule_gap(const placed *a, const placed *b)
{
	point_list found = {0};
	const real ra = placed_is_capsule(a) ? a->size * a->shape->semi_x : a->size / 2;
	const real rb = placed_is_capsule(b) ? b->size * b->shape->semi_x : b->size / 2;
	capsule_query o = {ra, rb, 0, 1, a->at, a->at, 0, INFINITY, &found};
	look_at(&o, a, b);
	scree_point_list_free(&found);
	return o.least;
}
