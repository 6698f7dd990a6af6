/* bar: contacts between a capsule and a wall. The balls at the capsule's ends touch the wall like spheres. The bar
 * between the balls touches ridges, borders, and corners of facets that it crosses, rims of tubes, and the outside of
 * tubes. Where the bar touches, the distance from the wall has a minimum along the bar, and a ball centred there
 * touches the wall.
 *
 * Only the amount by which the bar's overlap exceeds the ends' overlap with the same edge, corner, or tube counts: at
 * an end, bar and ball make the same contact, and a bar parallel to an edge touches the edge with both ends. */
#include "narrow/smooth/capsule.h"
#include "narrow/smooth/smooth.h"
#include "narrow/wall/work.h"

/* Slope of the bar's axis relative to a facet above which only contacts with edges count. Below this slope, a bar
 * resting across a facet touches both edges that it crosses. */
static const real LEVEL = 0.17;
/* distance, relative to the radius, up to which points count as the same */
static const real SAME = 1e-9;
enum { MOST_SAMPLES = 400 };

typedef struct bar {
	capsule c; /* its radius is the radius of the capsule enlarged by a ball */
	real grown;
	const near_wall *to;
	touch_list *probe, *out;
} bar;

/* Finds contacts of the ball at this coordinate, with the radius enlarged by `more`, and stores them as probes. */
static void probe_at(const bar *o, real along, real more)
{
	scree_sphere_wall(capsule_point(&o->c, along), o->c.radius + more, o->to, o->probe);
}

/* Adds contact t of the probe at this coordinate, with an overlap reduced by `less`. */
static void add_touch(const bar *o, int32_t t, real along, real less, int32_t feature)
{
	const touch *from = o->probe->item + t;
	if (!(from->depth - less > 0)) return;
	scree_touch_point(o->out, from->surface, from->normal, v3_madd(o->probe->at[from->first], along, o->c.along),
					  from->depth - less);
	o->out->item[o->out->count - 1].feature = feature;
}

/* Returns the derivative of the overlap along the bar, if it is known. */
static real rise_at(const void *of, real along)
{
	const bar *o = of;
	probe_at(o, along, 2 * (o->c.half + o->c.radius));
	return o->probe->count ? -v3_dot(o->probe->item[0].normal, o->c.along) : 0;
}

static real overlap_at(const bar *o, real along)
{
	probe_at(o, along, 0);
	return o->probe->count ? real_max(o->probe->item[0].depth - o->grown, 0) : 0;
}

static bool is_near_rim(const bar *o)
{
	const wall *w = o->to->s->row + o->to->wall;
	const real reach = o->c.half + o->c.radius;
	for (int end = 0; end < 2; ++end) {
		const vec3 d = v3_sub(o->c.at, v3_madd(w->point, end ? w->length : 0, w->axis));
		const real z = v3_dot(d, w->axis), rho = v3_norm(v3_madd(d, -z, w->axis));
		const real from = rho - (end && w->type == WALL_CONE ? w->radius2 : w->radius);
		if (z * z + from * from < reach * reach) return true;
	}
	return false;
}

static void meet_round(const bar *o)
{
	const wall *w = o->to->s->row + o->to->wall;
	const bool endless = !(w->length < INFINITY);
	if (w->side == SIDE_INSIDE && (endless || !is_near_rim(o))) return; /* the bar's ends are deepest */
	const real parts = 4 * o->c.half / o->c.radius + 4;
	const int samples = parts < MOST_SAMPLES ? (int)parts : MOST_SAMPLES;
	real found[MOST_SAMPLES], last = rise_at(o, -o->c.half), from = -o->c.half;
	int count = 0;
	for (int k = 1; k <= samples; ++k) {
		const real to = o->c.half * ((real)2 * k / samples - 1), rise = rise_at(o, to);
		if (last > 0 && rise <= 0)
			found[count++] = scree_smooth_zero(rise_at, o, (const real[2]){from, to}, (const real[2]){last, rise});
		last = rise, from = to;
	}
	if (!count) return;
	const real ends = real_max(overlap_at(o, -o->c.half), overlap_at(o, o->c.half));
	for (int k = 0; k < count; ++k) {
		if (!(real_abs(found[k]) < o->c.half)) continue;
		probe_at(o, found[k], 0);
		if (o->probe->count) add_touch(o, 0, found[k], ends, count == 1 ? 0 : 1 + k);
	}
}

static real overlap_with_segment(const bar *o, const capsule *edge, real along)
{
	const vec3 p = capsule_point(&o->c, along);
	return o->c.radius - o->grown - v3_norm(v3_sub(p, capsule_point(edge, capsule_foot(edge, p))));
}

/* Adds contacts of the ball at this coordinate with an edge or a corner, or with an adjacent facet parallel to the bar.
 * surface: surface of these facets; other: surface of the second facet, or -1 */
static void touch_edge(const bar *o, real along, const capsule *edge, int32_t surface, int32_t other, int32_t feature)
{
	const vec3 p = capsule_point(&o->c, along);
	const real away = v3_norm(v3_sub(p, capsule_point(edge, capsule_foot(edge, p))));
	if (!(away < o->c.radius)) return;
	probe_at(o, along, 0);
	const real first = overlap_with_segment(o, edge, -o->c.half), last = overlap_with_segment(o, edge, o->c.half);
	for (int32_t t = 0; t < o->probe->count; ++t) {
		const touch *a = o->probe->item + t;
		const bool is_edge = real_abs(o->c.radius - a->depth - away) <= SAME * o->c.radius;
		if (a->surface != surface && a->surface != other) continue;
		if (!is_edge && (edge->half == 0 || real_abs(v3_dot(a->normal, o->c.along)) > LEVEL)) continue;
		add_touch(o, t, along, real_max(real_max(first, last), 0), feature);
	}
}

/* Tests whether a facet's edge protrudes as seen from this point: a border, or a ridge to another surface. */
static bool stands_out(const bar *o, const facet *f, int32_t edge, vec3 from)
{
	const int32_t next = o->to->s->next[edge];
	if (next == EDGE_OPEN) return true;
	if (next < 0 || o->to->s->facet[next].surface == f->surface) return false;
	const facet *g = o->to->s->facet + next;
	const bool behind = v3_dot(f->normal, from) < f->off && v3_dot(g->normal, from) < g->off;
	return behind ? o->to->s->bend[edge] > 0 : o->to->s->bend[edge] < 0;
}

static void meet_edge(const bar *o, int32_t row, int32_t k)
{
	const facet *f = o->to->s->facet + row;
	const int32_t here = f->first + k, next = o->to->s->next[here];
	const vec3 p = o->to->s->corner[here], q = o->to->s->corner[f->first + (k + 1 < f->corners ? k + 1 : 0)];
	const real length = v3_norm(v3_sub(q, p));
	if ((next >= 0 && next < row) || !(length > 0)) return; /* the other facet also has this edge */
	const capsule edge = {v3_mul((real)0.5, v3_add(p, q)), v3_mul(1 / length, v3_sub(q, p)), length / 2, 0};
	real along, on_edge;
	if (!scree_capsules_cross(&o->c, &edge, &along, &on_edge)) return;
	if (!stands_out(o, f, here, capsule_point(&o->c, along))) return;
	touch_edge(o, along, &edge, f->surface, next >= 0 ? o->to->s->facet[next].surface : -1, 2 * here);
}

/* Tests whether a contact with this corner was already added, since facets share corners. */
static bool has_corner(const bar *o, real along, vec3 corner, int32_t before)
{
	for (int32_t t = before; t < o->out->count; ++t) {
		const touch *a = o->out->item + t;
		if (a->feature % 2 &&
			real_abs(v3_dot(v3_sub(o->out->at[a->first], v3_mul(along, o->c.along)), o->c.along)) <
				SAME * o->c.radius &&
			v3_norm2(v3_sub(o->to->s->corner[a->feature / 2], corner)) <= SAME * SAME * o->c.radius * o->c.radius)
			return true;
	}
	return false;
}

/* Tests whether a corner protrudes and is the nearest point to p on all edges that meet at this corner. On a flat part
 * of a surface or on a straight ridge, a corner is the nearest point only for points exactly above it. */
static bool is_a_tip(const bar *o, vec3 corner, vec3 p)
{
	const vec3 d = v3_sub(p, corner);
	bool out = false;
	for (int32_t i = 0; i < o->to->facets; ++i) {
		const facet *f = facet_near(o->to, i);
		for (int32_t k = 0; k < f->corners; ++k) {
			const int32_t here = f->first + k, next = f->first + (k + 1 < f->corners ? k + 1 : 0);
			const int32_t last = f->first + (k > 0 ? k - 1 : f->corners - 1);
			const vec3 at = o->to->s->corner[here];
			if (v3_norm2(v3_sub(at, corner)) > SAME * SAME * o->c.radius * o->c.radius) continue;
			if (v3_dot(d, v3_sub(o->to->s->corner[next], at)) > 0 || v3_dot(d, v3_sub(o->to->s->corner[last], at)) > 0)
				return false;
			out |= stands_out(o, f, here, p) || stands_out(o, f, last, p);
		}
	}
	return out;
}

static void meet_corner(const bar *o, int32_t row, int32_t k)
{
	const facet *f = o->to->s->facet + row;
	const int32_t here = f->first + k;
	const capsule corner = {o->to->s->corner[here], v3(1, 0, 0), 0, 0};
	const real along = capsule_foot(&o->c, corner.at);
	if (!(real_abs(along) < o->c.half) || has_corner(o, along, corner.at, 0)) return;
	const vec3 p = capsule_point(&o->c, along);
	if (v3_norm2(v3_sub(p, corner.at)) < o->c.radius * o->c.radius && is_a_tip(o, corner.at, p))
		touch_edge(o, along, &corner, f->surface, -1, 2 * here + 1);
}

static void meet_facets(const bar *o)
{
	for (int32_t i = 0; i < o->to->facets; ++i)
		for (int32_t k = 0; k < facet_near(o->to, i)->corners; ++k) {
			meet_edge(o, o->to->facet[i], k);
			meet_corner(o, o->to->facet[i], k);
		}
}

static void end_wall(const bar *o, int32_t part)
{
	const real along = part ? o->c.half : -o->c.half;
	scree_sphere_wall(capsule_point(&o->c, along), o->c.radius, o->to, o->out);
	for (int32_t t = 0; t < o->out->points; ++t) o->out->at[t] = v3_madd(o->out->at[t], along, o->c.along);
}

void scree_capsule_wall(const placed *body, int32_t part, real grown, const near_wall *to, touch_list *probe,
						touch_list *out)
{
	bar o = {scree_capsule_of(body), grown, to, probe, out};
	const wall *w = to->s->row + to->wall;
	o.c.radius += grown;
	out->count = out->points = 0;
	if (w->removed || (part > 0 && !(o.c.half > 0))) return; /* a ball has only one part */
	if (part < 2)
		end_wall(&o, part);
	else if (w->type == WALL_CYLINDER || w->type == WALL_CONE)
		meet_round(&o);
	else if (w->type == WALL_FACETS)
		meet_facets(&o);
}
