/* capsule_solid: contacts between a capsule and a convex polyhedron, from the distance to the capsule's segment.
 *
 * Like two capsules side by side (capsule.c), the bodies touch at both ends of their common range: the part of the
 * segment over a face, which ends at the face's border or at the segment's end, or the part along an edge. Only the
 * face or edge that carries most of the force counts. Without a common range, the bodies touch where they are nearest.
 * A segment through the polyhedron has one contact, along the shortest way out. */
#include "narrow/smooth/capsule.h"

typedef struct job {
	capsule c; /* in the frame of the polyhedron */
	const shape *o;
	real size;
	real reach; /* distance in m within which parts of the segment count */
} job;

typedef struct spot {
	vec3 on, at, normal; /* unit vector away from the polyhedron */
	real distance;		 /* < 0 if the segment is inside */
} spot;

static spot spot_of(between b)
{
	const vec3 way = v3_sub(b.on_a, b.on_b);
	return (spot){b.on_a, b.on_b, b.distance > 0 ? v3_mul(1 / b.distance, way) : v3(0, 0, 1), b.distance};
}

static spot nearer(spot x, spot y) { return y.distance < x.distance ? y : x; }

static vec3 vertex_of(const job *j, int32_t v) { return v3_mul(j->size, shape_vertex(j->o, v)); }

static capsule edge_between(const job *j, int32_t v, int32_t w)
{
	const vec3 p = vertex_of(j, v), q = vertex_of(j, w), way = v3_sub(q, p);
	const real length = v3_norm(way);
	return (capsule){v3_mul((real)0.5, v3_add(p, q)), v3_mul(1 / length, way), length / 2, 0};
}

static capsule edge_of(const job *j, int32_t e) { return edge_between(j, j->o->ends[2 * e], j->o->ends[2 * e + 1]); }

/* Returns the height of the segment's midpoint above the plane of a face. */
static real height_over(const job *j, int32_t f)
{
	return v3_dot(shape_normal(j->o, f), j->c.at) - j->size * j->o->off[f];
}

static spot spot_over(const job *j, int32_t f, real along)
{
	const vec3 n = shape_normal(j->o, f), on = capsule_point(&j->c, along);
	const real height = v3_dot(n, on) - j->size * j->o->off[f];
	return (spot){on, v3_madd(on, -height, n), n, height};
}

static bool is_within(const job *j)
{
	real low = -j->c.half, high = j->c.half;
	for (int32_t f = 0; f < j->o->faces && low <= high; ++f) {
		const real height = height_over(j, f), slope = v3_dot(shape_normal(j->o, f), j->c.along);
		if (slope > 0) high = real_min(high, -height / slope);
		if (slope < 0) low = real_max(low, -height / slope);
		if (slope == 0 && height > 0) return false;
	}
	return low <= high;
}

static spot end_spot(const job *j, bool upper)
{
	const placed here = {j->o, v3(0, 0, 0), {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, j->size};
	const vec3 on = capsule_point(&j->c, upper ? j->c.half : -j->c.half);
	const real far = v3_norm(on) + j->size * j->o->radius; /* a ball of this radius touches it */
	patch p;
	scree_sphere_convex(on, far, &here, 0, &p);
	const real distance = far - p.depth;
	return (spot){on, v3_madd(on, -distance, p.normal), p.normal, distance};
}

static spot nearest_outside(const job *j)
{
	spot best = nearer(end_spot(j, false), end_spot(j, true));
	for (int32_t e = 0; e < j->o->edges; ++e) {
		const capsule edge = edge_of(j, e);
		const real far = j->c.half + edge.half + best.distance;
		if (v3_norm2(v3_sub(edge.at, j->c.at)) > far * far) continue;
		best = nearer(best, spot_of(scree_capsules_nearest(&j->c, &edge)));
	}
	return best;
}

/* Finds the gap along the direction perpendicular to an edge and to the segment. */
static bool gap_across(const job *j, int32_t e, spot *out)
{
	const capsule edge = edge_of(j, e);
	const vec3 p = shape_normal(j->o, j->o->sides[2 * e]), q = shape_normal(j->o, j->o->sides[2 * e + 1]);
	const vec3 across = v3_cross(edge.along, j->c.along);
	if (!(v3_norm2(across) > 0)) return false;
	const vec3 n = v3_dot(across, v3_add(p, q)) < 0 ? v3_neg(v3_unit(across)) : v3_unit(across);
	if (v3_dot(n, v3_cross(edge.along, p)) < 0 || v3_dot(n, v3_cross(q, edge.along)) < 0) return false;
	real on_bar = 0, on_edge;
	scree_capsules_cross(&j->c, &edge, &on_bar, &on_edge);
	const vec3 on = capsule_point(&j->c, real_clamp(on_bar, -j->c.half, j->c.half));
	const real gap = v3_dot(n, v3_sub(j->c.at, edge.at));
	*out = (spot){on, v3_madd(on, -gap, n), n, gap};
	return true;
}

/* Direction of the shortest way out. */
static spot way_out(const job *j)
{
	spot best = {.distance = -INFINITY}, x;
	for (int32_t f = 0; f < j->o->faces; ++f) {
		const real slope = v3_dot(shape_normal(j->o, f), j->c.along);
		x = spot_over(j, f, slope > 0 ? -j->c.half : slope < 0 ? j->c.half : 0);
		if (x.distance > best.distance) best = x;
	}
	for (int32_t e = 0; e < j->o->edges; ++e)
		if (gap_across(j, e, &x) && x.distance > best.distance) best = x;
	return best;
}

typedef struct common {
	spot end[2];
	shares of;
	real level; /* 1 if both parts are parallel */
} common;

/* Computes how two end contacts and the nearest contact, whose overlap is `deepest`, share the force. aligned: cosine
 * of the angle between the segment and the edge, or 1; a segment across an edge has no common range */
static common common_of(const job *j, spot lower, spot upper, real aligned, real deepest, real power)
{
	const real overlap[2] = {j->c.radius - lower.distance, j->c.radius - upper.distance};
	const real on = v3_norm(v3_sub(upper.on, lower.on)), at = v3_norm(v3_sub(upper.at, lower.at));
	const real length = aligned * real_min(on, at), longer = real_max(on, at);
	return (common){{lower, upper},
					scree_capsule_shares(deepest, overlap, length / (2 * j->c.radius), power),
					longer > 0 ? length / longer : 0};
}

/* Returns false if no part of the segment is over the face, or if an end does not touch the face. */
static bool part_over(const job *j, int32_t f, spot end[2])
{
	const shape *o = j->o;
	const vec3 n = shape_normal(o, f);
	const real height = height_over(j, f), slope = v3_dot(n, j->c.along);
	if (height - real_abs(slope) * j->c.half >= j->reach) return false;
	real limit[2] = {-j->c.half, j->c.half};
	capsule border[2];
	bool crosses[2] = {false, false};
	for (int32_t k = o->first[f]; k < o->first[f + 1]; ++k) {
		const capsule edge = edge_between(j, o->corner[k], o->corner[k + 1 < o->first[f + 1] ? k + 1 : o->first[f]]);
		const vec3 out = v3_cross(edge.along, n);
		const real beyond = v3_dot(out, v3_sub(j->c.at, edge.at)), rise = v3_dot(out, j->c.along);
		if (rise == 0 && beyond > 0) return false;
		const int side = rise > 0;
		const real to = -beyond / rise;
		if (rise == 0 || (side ? to >= limit[1] : to <= limit[0])) continue;
		limit[side] = to, border[side] = edge, crosses[side] = true;
	}
	if (!(limit[0] < limit[1])) return false;
	for (int k = 0; k < 2; ++k) {
		end[k] = spot_over(j, f, limit[k]);
		if (!(end[k].distance > 0 && end[k].distance < j->reach)) return false;
		if (crosses[k]) end[k] = spot_of(scree_capsules_nearest(&j->c, border + k));
	}
	return true;
}

static void keep_larger(common *best, common x)
{
	if (x.of.nearest < best->of.nearest) *best = x;
}

/* Returns an end of the part of the segment along an edge: an end of the segment, or a corner at an end of the edge. */
static spot end_along(const capsule *c, const capsule *edge, bool upper)
{
	const bool of_edge = v3_dot(c->along, edge->along) < 0 ? !upper : upper;
	const vec3 end = capsule_point(c, upper ? c->half : -c->half);
	const vec3 corner = capsule_point(edge, of_edge ? edge->half : -edge->half);
	const vec3 on_edge = capsule_point(edge, capsule_foot(edge, end)),
			   on_bar = capsule_point(c, capsule_foot(c, corner));
	const spot x = spot_of((between){end, on_edge, v3_norm(v3_sub(end, on_edge))});
	return nearer(x, spot_of((between){on_bar, corner, v3_norm(v3_sub(on_bar, corner))}));
}

/* Returns the segment's common range with the face or edge that carries most of the force. */
static common best_part(const job *j, real deepest, real power)
{
	common best = {.of = {{0, 0}, 1, 0}};
	spot end[2];
	for (int32_t f = 0; f < j->o->faces; ++f)
		if (part_over(j, f, end)) keep_larger(&best, common_of(j, end[0], end[1], 1, deepest, power));
	for (int32_t e = 0; e < j->o->edges; ++e) {
		const capsule edge = edge_of(j, e);
		const real far = j->c.half + edge.half + j->reach;
		if (v3_norm2(v3_sub(edge.at, j->c.at)) > far * far) continue;
		for (int k = 0; k < 2; ++k) end[k] = end_along(&j->c, &edge, k);
		if (end[0].distance < j->reach && end[1].distance < j->reach)
			keep_larger(&best, common_of(j, end[0], end[1], real_abs(v3_dot(edge.along, j->c.along)), deepest, power));
	}
	return best;
}

typedef struct target {
	capsule_query *o;
	const placed *solid;
	real radius;
	bool first;
} target;

static void add(const target *t, uint64_t feature, const spot *x, real share)
{
	const real depth = t->radius - x->distance;
	const vec3 n = mat3_mul(t->solid->turn, x->normal);
	const vec3 on = v3_add(t->solid->at, mat3_mul(t->solid->turn, x->on));
	const vec3 at = v3_madd(v3_sub(on, t->o->centre), depth / 2 - t->radius, n);
	const uint64_t of = t->first ? feature << 32 : feature; /* the other half identifies the part of a compound */
	scree_capsule_add(t->o, of, t->first ? n : v3_neg(n), at, depth, share);
}

static spot moved_to_middle(spot x, const common *c)
{
	const real each = c->level * c->level * c->of.to_middle / 2, rest = 1 - 2 * each;
	if (!(each > 0)) return x;
	const vec3 on = v3_madd(v3_mul(rest, x.on), each, v3_add(c->end[0].on, c->end[1].on));
	const vec3 at = v3_madd(v3_mul(rest, x.at), each, v3_add(c->end[0].at, c->end[1].at));
	return spot_of((between){on, at, v3_norm(v3_sub(on, at))});
}

void scree_capsule_with_solid(capsule_query *o, const placed *rod, const placed *solid, bool first)
{
	job j = {.c = scree_capsule_of(rod), .o = solid->shape, .size = solid->size};
	j.reach = j.c.radius + o->reach;
	j.c.at = mat3_tmul(solid->turn, v3_sub(rod->at, solid->at));
	j.c.along = mat3_tmul(solid->turn, j.c.along);
	const target t = {o, solid, j.c.radius, first};
	if (!(j.c.half > 0)) {
		const spot ball = end_spot(&j, false);
		add(&t, 0, &ball, 1);
		return;
	}
	const bool within = is_within(&j);
	const spot nearest = within ? way_out(&j) : nearest_outside(&j);
	const real deepest = j.c.radius - nearest.distance;
	o->least = real_min(o->least, nearest.distance - j.c.radius);
	if (within || !(nearest.distance < j.reach)) {
		add(&t, FEATURE_NEAREST, &nearest, 1);
		return;
	}
	const common part = best_part(&j, deepest, o->power);
	const spot middle = moved_to_middle(nearest, &part);
	for (int k = 0; k < 2; ++k)
		if (part.of.end[k] > 0) add(&t, (uint64_t)k, part.end + k, part.of.end[k]);
	add(&t, FEATURE_NEAREST, &middle, part.of.nearest);
}
