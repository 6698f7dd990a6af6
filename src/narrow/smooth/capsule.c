/* capsule: contacts of a capsule with capsules, balls and superquadrics, from the distance of its segment.
 *
 * Two capsules touch at both ends of the part along which they are side by side, so that parallel ones rest on each
 * other. There, an end of one segment is nearest to a point of the other segment. Where the segments cross in between,
 * the nearest points are a contact, too; its overlap counts as far as it exceeds that of the ends. So the crossing
 * contact of two capsules that become parallel fades, as does that at an end which the crossing point reaches. */
#include "narrow/smooth/capsule.h"

#include "kernel/sphere_contact.h"
#include "narrow/smooth/smooth.h"
#include "shape/capsule.h"

/* cosine of the angle between the axes from which an end of the second capsule has the name of the first one's end */
static const real SIDE_BY_SIDE = 0.9;

capsule scree_capsule_of(const placed *p)
{
	return (capsule){p->at, p->turn.z, p->size * scree_capsule_half(p->shape), p->size * p->shape->semi_x};
}

bool scree_capsules_cross(const capsule *a, const capsule *b, real *on_a, real *on_b)
{
	const vec3 way = v3_sub(a->at, b->at);
	const real both = v3_dot(a->along, b->along), across2 = v3_norm2(v3_cross(a->along, b->along));
	const real p = v3_dot(way, a->along), q = v3_dot(way, b->along);
	if (!(across2 > 0)) return false;
	*on_a = (both * q - p) / across2, *on_b = (q - both * p) / across2;
	return real_abs(*on_a) < a->half && real_abs(*on_b) < b->half;
}

/* A query about two bodies. */
typedef struct query {
	real ra, rb, reach;
	vec3 from, centre; /* the first body's centre, and the point from which contact points are given */
	uint64_t feature;
	real least; /* the least distance so far */
	point_list *out;
} query;

/* Adds the contact of two points of the segments, whose overlap is reduced by `less`. */
static void add_point(query *o, uint64_t feature, vec3 on_a, vec3 on_b, real less)
{
	const sphere_contact c = sphere_contact_of(v3_sub(on_a, on_b), o->ra, o->rb);
	const real depth = c.depth - less;
	o->least = real_min(o->least, -depth);
	if (!(depth > -o->reach)) return;
	point_found *p = scree_point_list_add(o->out, o->feature + feature);
	p->normal = c.normal;
	p->at = v3_add(c.at, v3_sub(on_a, o->centre));
	p->depth = depth;
	p->ra = o->ra;
	p->rb = o->rb;
}

/* ------------------------------------------------------------------ two capsules */

/* A contact at an end of the common part. */
typedef struct end_contact {
	bool any;
	uint64_t feature;
	vec3 on_a, on_b;
	real distance2;
} end_contact;

static void keep_nearer(end_contact *e, uint64_t feature, vec3 on_a, vec3 on_b)
{
	const real distance2 = v3_norm2(v3_sub(on_a, on_b));
	if (e->any && e->distance2 <= distance2) return;
	*e = (end_contact){true, feature, on_a, on_b, distance2};
}

/* The nearest of an end of a and the end of b on the same side. The end of a counts if its nearest point of b is
 * between the ends of b, or if both are the nearest ends of each other; the end of b in the former case. */
static end_contact end_of(const capsule *a, const capsule *b, int side)
{
	const real both = v3_dot(a->along, b->along), s = side ? a->half : -a->half;
	const int side_b = both < 0 ? !side : side;
	const vec3 end_a = capsule_point(a, s), end_b = capsule_point(b, side_b ? b->half : -b->half);
	const real t = capsule_foot(b, end_a);
	const vec3 foot_a = capsule_point(b, t), foot_b = capsule_point(a, capsule_foot(a, end_b));
	end_contact e = {.any = false};
	if (real_abs(t) < b->half || capsule_foot(a, foot_a) == s) keep_nearer(&e, (uint64_t)side, end_a, foot_a);
	if (real_abs(capsule_foot(a, end_b)) < a->half)
		keep_nearer(&e, (uint64_t)(real_abs(both) > SIDE_BY_SIDE ? side : 2 + side_b), foot_b, end_b);
	return e;
}

static void two_capsules(query *o, const capsule *a, const capsule *b)
{
	end_contact end[2] = {end_of(a, b, 0), end_of(a, b, 1)};
	real s, t, deepest = 0;
	if (end[0].any && end[1].any && end[0].feature > end[1].feature) {
		const end_contact first = end[1];
		end[1] = end[0], end[0] = first;
	}
	for (int k = 0; k < 2; ++k) {
		if (!end[k].any) continue;
		add_point(o, end[k].feature, end[k].on_a, end[k].on_b, 0);
		deepest = real_max(deepest, a->radius + b->radius - sqrt(end[k].distance2));
	}
	if (scree_capsules_cross(a, b, &s, &t)) add_point(o, 4, capsule_point(a, s), capsule_point(b, t), deepest);
}

/* ------------------------------------------------------------------ other bodies */

/* The contact with a superquadric, from the distance of the segment. */
static void with_smooth(query *o, const capsule *c, const placed *b, bool first)
{
	const smooth s = scree_smooth_of(b, 0), middle = smooth_point(c->at);
	smooth_line m;
	if (c->half > 0)
		m = scree_smooth_segment(&s, capsule_point(c, -c->half), capsule_point(c, c->half));
	else
		m = (smooth_line){scree_smooth_gap(&s, &middle), c->at, 0};
	const real depth = c->radius - m.gap.gap;
	o->least = real_min(o->least, -depth);
	if (!(depth > -o->reach)) return;
	point_found *p = scree_point_list_add(o->out, o->feature);
	p->normal = first ? m.gap.normal : v3_neg(m.gap.normal);
	p->at = v3_sub(v3_madd(m.point, depth / 2 - c->radius, m.gap.normal), o->centre);
	p->depth = depth;
	p->ra = o->ra;
	p->rb = o->rb;
}

real scree_capsule_points(const placed *a, const placed *b, real ra, real rb, real reach, vec3 centre, uint64_t feature,
						  point_list *out)
{
	query o = {ra, rb, reach, a->at, centre, feature, INFINITY, out};
	const int32_t before = out->count;
	const capsule p = scree_capsule_of(a), q = scree_capsule_of(b);
	const bool ball_a = placed_is_ball(a) || (placed_is_capsule(a) && !(p.half > 0));
	const bool ball_b = placed_is_ball(b) || (placed_is_capsule(b) && !(q.half > 0));
	if (ball_a && ball_b)
		add_point(&o, 0, a->at, b->at, 0);
	else if (ball_a && placed_is_capsule(b))
		add_point(&o, 0, a->at, capsule_point(&q, capsule_foot(&q, a->at)), 0);
	else if (ball_b && placed_is_capsule(a))
		add_point(&o, 0, capsule_point(&p, capsule_foot(&p, b->at)), b->at, 0);
	else if (placed_is_capsule(a) && placed_is_capsule(b))
		two_capsules(&o, &p, &q);
	if (placed_is_smooth(a)) with_smooth(&o, &q, a, false);
	if (placed_is_smooth(b)) with_smooth(&o, &p, b, true);
	return out->count > before ? 0 : o.least;
}
