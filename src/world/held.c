#include "world/held.h"

#include "base/memory.h"
#include "base/sort.h"
#include "model/model.h"
#include "state/state.h"

held_row *scree_held_rows(const model *m, const state *s, const domain *d, int64_t *count)
{
	const bodies *b = &s->body;
	int64_t held = 0;
	for (int32_t i = 0; i < b->owned; ++i) held += b->inv_mass[i] == 0;
	held_row *here = scree_alloc((size_t)held + 1, sizeof *here);
	*count = 0;
	for (int32_t i = 0; i < b->owned && held; ++i) {
		if (b->inv_mass[i] != 0) continue;
		const real radius = m->shape.row[b->shape[i]].inradius * b->size[i];
		here[(*count)++] = (held_row){b->id[i], body_position(b, i), body_velocity(b, i), radius, b->material[i]};
	}
	held_row *all = d->by->gather(d->at, count, sizeof *all, here);
	scree_free(here);
	return all;
}

static int by_low_x(const void *a, const void *b)
{
	const held_row *p = a, *q = b;
	const real x = p->at.x - p->radius, y = q->at.x - q->radius;
	return x != y ? (x > y) - (x < y) : (p->id > q->id) - (p->id < q->id);
}

static void keep_lowest(held_meeting *best, held_meeting found)
{
	if (!best->id || found.id < best->id || (found.id == best->id && found.other < best->other)) *best = found;
}

/* Relative speeds below this fraction of the larger speed are rounding errors: partners that move together do not
 * collide. */
static const real ROUNDING = (real)1e-6;

static void look_at_two(const held_row *p, const held_row *q, held_meeting *best)
{
	const vec3 apart = v3_sub(q->at, p->at);
	const real reach = p->radius + q->radius, far2 = v3_norm2(apart);
	if (!(far2 < reach * reach) || !(far2 > 0)) return;
	const real speed = -v3_dot(v3_sub(q->velocity, p->velocity), apart) / sqrt(far2);
	if (!(speed > ROUNDING * (v3_norm(p->velocity) + v3_norm(q->velocity)))) return;
	const bool first = p->id < q->id;
	keep_lowest(best, (held_meeting){first ? p->id : q->id, first ? q->id : p->id, -1, speed});
}

static void look_at_pairs(int64_t count, held_row *row, held_meeting *best)
{
	bool any = false;
	for (int64_t k = 0; k < count; ++k) any |= v3_norm2(row[k].velocity) > 0;
	if (!any) return;
	scree_sort_by(row, count, sizeof *row, by_low_x);
	for (int64_t k = 0; k < count; ++k)
		for (int64_t n = k + 1; n < count && row[n].at.x - row[n].radius < row[k].at.x + row[k].radius; ++n)
			look_at_two(row + k, row + n, best);
}

/* The nearest point of a convex facet, in the wall's frame. */
static vec3 nearest_on_facet(const walls *s, const facet *f, vec3 p)
{
	const vec3 foot = v3_madd(p, f->off - v3_dot(f->normal, p), f->normal);
	vec3 best = foot;
	real least = INFINITY;
	bool inside = true;
	for (int32_t k = 0; k < f->corners; ++k) {
		const vec3 a = s->corner[f->first + k], e = v3_sub(s->corner[f->first + (k + 1) % f->corners], a);
		if (v3_dot(v3_cross(f->normal, e), v3_sub(foot, a)) >= 0) continue;
		inside = false;
		const real part = real_min(real_max(v3_dot(e, v3_sub(p, a)) / v3_norm2(e), 0), 1);
		const vec3 on = v3_madd(a, part, e);
		const real far2 = v3_norm2(v3_sub(p, on));
		if (far2 < least) least = far2, best = on;
	}
	return inside ? foot : best;
}

/* The nearest point on all facets within this distance. */
static bool nearest_of_facets(const walls *s, const wall *o, vec3 p, real within, vec3 *on)
{
	real least = INFINITY;
	for (int32_t f = o->first_facet; f < o->first_facet + o->facets; ++f) {
		const real above = v3_dot(s->facet[f].normal, p) - s->facet[f].off;
		if (real_abs(above) > within || (!o->two_sided && above < 0)) continue;
		const vec3 q = nearest_on_facet(s, s->facet + f, p);
		const real far2 = v3_norm2(v3_sub(p, q));
		if (far2 < least) least = far2, *on = q;
	}
	return least < INFINITY;
}

/* For a point on a one-sided plane or tube that has the wall's material behind it, the direction out of the material.
 * For any other point, the direction from the nearest point to the centre. */
static vec3 way_out(const wall *o, vec3 p, vec3 on)
{
	const vec3 apart = v3_sub(p, on);
	if (o->two_sided || o->type == WALL_FACETS) return apart;
	if (o->type == WALL_PLANE) return v3_dot(apart, o->axis) < 0 ? v3_neg(apart) : apart;
	const vec3 from = v3_sub(on, o->point), radial = v3_madd(from, -v3_dot(from, o->axis), o->axis);
	const bool outwards = v3_dot(apart, radial) > 0;
	return outwards == (o->side == SIDE_OUTSIDE) ? apart : v3_neg(apart);
}

/* Tests whether the nearest point of a wall can be computed: it cannot for cones, or for polygons in the plane. */
static bool nearest_of_wall(const walls *s, const wall *o, vec3 p, real within, vec3 *on)
{
	const vec3 from = v3_sub(p, o->point);
	const real along = v3_dot(from, o->axis);
	if (o->type == WALL_FACETS) return nearest_of_facets(s, o, p, within, on);
	*on = v3_madd(p, -along, o->axis);
	if (o->type == WALL_PLANE) return true;
	if (o->type != WALL_CYLINDER || along < 0 || along > o->length) return false;
	const vec3 middle = v3_madd(o->point, along, o->axis), out = v3_sub(p, middle);
	const real far = v3_norm(out);
	if (!(far > 0)) return false;
	*on = v3_madd(middle, o->radius / far, out);
	return true;
}

static void look_at_wall(const model *m, int32_t k, const wall_state *now, const held_row *p, held_meeting *best)
{
	const wall *o = m->wall.row + k;
	vec3 on;
	const vec3 at = world_to_wall(now, p->at);
	if (!wall_acts_on(o, p->material) || !nearest_of_wall(&m->wall, o, at, p->radius, &on)) return;
	const vec3 apart = quat_rotate(now->orientation, way_out(o, at, on));
	on = wall_to_world(now, on);
	const vec3 moves = wall_velocity(now, v3_sub(on, now->position));
	const real far2 = v3_norm2(apart);
	if (!(far2 < p->radius * p->radius) || !(far2 > 0)) return;
	const real speed = v3_dot(v3_sub(moves, p->velocity), apart) / sqrt(far2);
	if (speed > ROUNDING * (v3_norm(moves) + v3_norm(p->velocity)))
		keep_lowest(best, (held_meeting){p->id, 0, k, speed});
}

static bool rests(const wall_state *o) { return !(v3_norm2(o->velocity) > 0) && !(v3_norm2(o->angular_velocity) > 0); }

bool scree_held_meet(const model *m, const wall_state *pose, int64_t count, held_row *row, held_meeting *out)
{
	*out = (held_meeting){.wall = -1};
	if (!m->period.on) look_at_pairs(count, row, out);
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const wall *o = m->wall.row + k;
		if (o->removed || motion_is_driven(o->motion.type)) continue;
		const bool rest = rests(pose + k);
		for (int64_t n = 0; n < count; ++n)
			if (!rest || v3_norm2(row[n].velocity) > 0) look_at_wall(m, k, pose + k, row + n, out);
	}
	return out->id > 0;
}
