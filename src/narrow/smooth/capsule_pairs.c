/* capsule_pairs: nearest points of the segments of two capsules, and each contact's share of the force. */
#include "narrow/smooth/capsule.h"

#include "base/maths.h"
#include "shape/shapes.h"

/* contacts with a smaller share of the force are omitted */
static const real LEAST_SHARE = 1e-12;

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

void scree_capsule_add(capsule_query *o, uint64_t feature, vec3 normal, vec3 at, real depth, real share)
{
	const bool less = depth > 0 && share > LEAST_SHARE && share < 1;
	const real part = less ? depth * scree_pow(share, 1 / o->power) : depth;
	o->least = real_min(o->least, -depth);
	if (!(part > -o->reach) || !(share > LEAST_SHARE)) return;
	scree_point_list_add(o->out, (point_found){o->feature + feature, 0, normal, at, part, o->ra, o->rb, share});
}

static vec3 end_of(const capsule *c, bool upper) { return capsule_point(c, upper ? c->half : -c->half); }

static between between_of(vec3 on_a, vec3 on_b) { return (between){on_a, on_b, v3_norm(v3_sub(on_a, on_b))}; }

static between nearer_of(between p, between q) { return q.distance < p.distance ? q : p; }

between scree_capsules_nearest(const capsule *a, const capsule *b)
{
	real s, t;
	between best = between_of(end_of(a, false), capsule_nearest(b, end_of(a, false)));
	best = nearer_of(best, between_of(end_of(a, true), capsule_nearest(b, end_of(a, true))));
	best = nearer_of(best, between_of(capsule_nearest(a, end_of(b, false)), end_of(b, false)));
	best = nearer_of(best, between_of(capsule_nearest(a, end_of(b, true)), end_of(b, true)));
	if (!scree_capsules_cross(a, b, &s, &t)) return best;
	return nearer_of(best, between_of(capsule_point(a, s), capsule_point(b, t)));
}

between scree_capsules_common_end(const capsule *a, const capsule *b, bool upper)
{
	const bool of_b = v3_dot(a->along, b->along) < 0 ? !upper : upper;
	return between_of(capsule_nearest(a, end_of(b, of_b)), capsule_nearest(b, end_of(a, upper)));
}

/* Returns the energy of the contact at an end for its full overlap, divided by the largest energy. */
static real energy_part(real overlap, real deepest, real power)
{
	const real scale = real_abs(deepest), part = scale > 0 ? 1 - (deepest - overlap) / scale : overlap >= deepest;
	return part > 0 ? scree_pow(real_min(part, 1), power + 1) : 0;
}

/* Common length, divided by the sum of the radii, above which both ends are separate contacts. */
static const real LONG = 0.125;

shares scree_capsule_shares(real deepest, const real end[2], real length, real power)
{
	const real two = real_min(length / LONG, 1);
	const real first = energy_part(end[0], deepest, power), second = energy_part(end[1], deepest, power);
	const real line = first * second, nearest = 1 - two * line;
	return (shares){{two * second, two * first}, nearest, nearest > 0 ? line * (1 - two) / nearest : 0};
}
