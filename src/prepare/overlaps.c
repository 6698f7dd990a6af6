/* overlaps: the largest overlap expected in a run, from the kinetic energy of impacts and the load due to weight and
 * servos (docs/theory/laws.md, "Expected overlaps"). This is an estimate for a warning; no step uses it. */
#include "prepare/internal.h"
#include "prepare/prepare.h"

#include "base/maths.h"
#include "base/memory.h"
#include "kernel/quat.h"
#include "model/law.h"
#include "model/model.h"
#include "shape/shape_forms.h"
#include "state/state.h"

/* Solid fraction of a pile at rest. A body falls until it rests on the bodies that were below it. */
static const real PILED[2] = {(real)0.6, (real)0.8}; /* in 3D and in 2D */
/* A wall with more facets than this counts as hit at full speed, since its facets are not tested one by one. */
enum { MOST_FACETS = 64 };

typedef struct heap {
	real low;	  /* lowest point on the surface of any body, in m along `down` */
	real part;	  /* height of the pile relative to the height of the fill */
	vec3 mean;	  /* m/s: mean velocity */
	real fastest; /* largest speed relative to the mean, in m/s */
	real next;	  /* the same for all but the fastest body, in m/s */
	real time;	  /* time until the end of the run, in s */
	falls to;	  /* falls onto walls */
} heap;

/* Rounding may depend on the number of parts of the world, but this measure of the fill is used only in a note. */
static void measure(const model *m, const state *s, const domain *d, heap *h)
{
	enum { LOW, HIGH = 3, DOWN = 6, ALL };
	const bodies *b = &s->body;
	real most[ALL];
	fixed sum[5] = {{0}};
	for (int k = 0; k < ALL; ++k) most[k] = -INFINITY;
	for (int32_t i = 0; i < b->owned; ++i) {
		if (!(b->inv_mass[i] > 0)) continue;
		const vec3 at = body_position(b, i), v = body_velocity(b, i);
		const real x[3] = {at.x, at.y, at.z}, r = b->round[i];
		for (int c = 0; c < 3; ++c) most[LOW + c] = real_max(most[LOW + c], r - x[c]);
		for (int c = 0; c < 3; ++c) most[HIGH + c] = real_max(most[HIGH + c], r + x[c]);
		most[DOWN] = real_max(most[DOWN], v3_dot(h->to.down, at) + r);
		scree_fixed_add(sum, scree_world_volume(m, m->shape.row + b->shape[i], b->size[i]));
		fixed_add_vector(sum + 1, v);
		sum[4].quanta += 1;
	}
	scree_domain_most(d, ALL, most);
	d->by->add(d->at, 5, sum);
	if (!(sum[4].quanta > 0)) return;
	const real count = (real)sum[4].quanta;
	const vec3 l = v3(most[LOW] + most[HIGH], most[LOW + 1] + most[HIGH + 1],
					  m->flat ? m->thickness : most[LOW + 2] + most[HIGH + 2]);
	const vec3 v = fixed_vector(sum + 1);
	h->mean = v3(v.x / count, v.y / count, v.z / count);
	h->low = most[DOWN];
	h->part = real_min(scree_fixed_value(sum[0]) / (l.x * l.y * l.z) / PILED[m->flat], 1);
}

static void note_fast(heap *h, real speed)
{
	h->next = real_max(h->next, real_min(h->fastest, speed));
	h->fastest = real_max(h->fastest, speed);
}

/* The two largest speeds relative to the mean velocity, which must be known. */
static void measure_fastest(const state *s, const domain *d, heap *h)
{
	const bodies *b = &s->body;
	heap here = {.fastest = 0};
	for (int32_t i = 0; i < b->owned; ++i)
		if (b->inv_mass[i] > 0) note_fast(&here, v3_norm(v3_sub(body_velocity(b, i), h->mean)));
	int64_t count = 2;
	const real two[2] = {here.fastest, here.next};
	real *all = d->by->gather(d->at, &count, sizeof *all, two);
	for (int64_t k = 0; k < count; ++k) note_fast(h, all[k]);
	scree_free(all);
}

/* ------------------------------------------------------------------ speeds of impact */

/* speed, in m/s, with which a body reaches a plane within the time of the run, without gravity */
static real speed_to_plane(vec3 normal, vec3 point, bool two_sided, vec3 at, vec3 v, const heap *h)
{
	const real away = v3_dot(normal, v3_sub(at, point));
	const real speed = away < 0 && two_sided ? v3_dot(normal, v) : -v3_dot(normal, v);
	return speed > 0 && speed * h->time >= real_abs(away) / 2 ? speed : 0;
}

static real speed_to_facets(const model *m, const wall *o, const wall_state *now, vec3 at, vec3 v, const heap *h)
{
	real most = 0;
	if (o->facets > MOST_FACETS) return v3_norm(v);
	for (int32_t f = o->first_facet; f < o->first_facet + o->facets; ++f) {
		const facet *c = m->wall.facet + f;
		const vec3 corner = wall_to_world(now, m->wall.corner[c->first]);
		most = real_max(most, speed_to_plane(quat_rotate(now->orientation, c->normal), corner, o->two_sided, at, v, h));
	}
	return most;
}

/* speed normal to this wall, in m/s; a bound that ignores edges */
static real speed_to_wall(const model *m, const state *s, int32_t k, vec3 at, vec3 v, const heap *h)
{
	const wall *o = m->wall.row + k;
	const wall_state *now = s->wall + k;
	const vec3 axis = quat_rotate(now->orientation, o->axis);
	if (o->type == WALL_FACETS) return speed_to_facets(m, o, now, at, v, h);
	if (o->type == WALL_PLANE) return speed_to_plane(axis, wall_to_world(now, o->point), o->two_sided, at, v, h);
	return o->type == WALL_POLYGON ? v3_norm(v) : v3_norm(v3_madd(v, -v3_dot(axis, v), axis));
}

/* The largest of these speeds for all walls, but not less than `least`. */
static real speed_to_walls(const model *m, const state *s, vec3 at, vec3 v, const heap *h, real least)
{
	for (int32_t k = 0; k < m->wall.count && v3_norm2(v) > 0; ++k)
		if (!m->wall.row[k].removed) least = real_max(least, speed_to_wall(m, s, k, at, v, h));
	return least;
}

/* height, in m, of the pile formed by the bodies below this position */
static real pile_below(const heap *h, vec3 at, real radius)
{
	return h->part * real_max(h->low - radius - v3_dot(h->to.down, at), 0);
}

/* speed, in m/s, of a body after the rest of its fall; 0 if the fall does not end within the run */
static real speed_of_fall(const model *m, const heap *h, vec3 at, vec3 v, real radius)
{
	const real g = v3_norm(m->gravity), down = real_max(v3_dot(h->to.down, v), 0);
	const real fall = scree_fall_from(&h->to, at) - radius - pile_below(h, at, radius);
	if (m->fluid.on || !(g > 0) || !(fall > radius / 10)) return 0;	 /* a body at rest already lies on the wall */
	if (fall > down * h->time + g * h->time * h->time / 2) return 0; /* the body does not arrive in time */
	return sqrt(down * down + 2 * g * fall);
}

/* ------------------------------------------------------------------ overlaps */

/* largest overlap of a damped impact, relative to an elastic impact: an oscillator up to its turning point, with its
 * energy as a power of the overlap (the dashpot of the law hertz gives the same path in the phase plane) */
static real damped_part(const law_constants *c, real power)
{
	const real z = scree_laws[c->law].viscous ? 0 : c->damping, w = sqrt(real_abs(1 - z * z));
	if (!(z > 0)) return 1;
	const real phase = z < 1 ? scree_atan2(w, z) / w : w > 0 ? scree_log(z + w) / w : 1;
	return scree_pow(scree_exp(-z * phase), 2 / (power + 1));
}

/* The force K d^power at first loading; K is 0 if the force is not of this form. */
typedef struct loading_curve {
	real stiffness, power;
} loading_curve;

/* F/(E* d^2) at the corner of a cube with energy E* sqrt(V t^3)/2: volume V = sqrt(3)/2 h^3 and thickness t = sqrt(12 *
 * 3/80) h of a corner of height h (kernel/thickness.h), d = 3/2 h (narrow/bodies_into_bodies.c). */
static const real CORNER = (real)0.226;

/* Discs and polygons under the law overlap have a stiffness per length (kernel/thickness.h). Under laws based on
 * volume, bodies count as spheres of the same volume. */
static loading_curve loading_of(const model *m, const law_constants *c, real radius, bool corner)
{
	const real disc = (real)1.05 * SCREE_PI / 4;
	if (c->law == LAW_AREA || c->law == LAW_AREA_LITERAL) return (loading_curve){0, 1};
	if (scree_laws[c->law].takes & TAKES_PLASTIC) return (loading_curve){c->loading, 1};
	if (m->flat && c->law == LAW_OVERLAP) return (loading_curve){disc * (real)0.75 * c->stiffness * m->thickness, 1};
	if (!m->flat && corner && c->law == LAW_OVERLAP) return (loading_curve){CORNER * (real)0.75 * c->stiffness, 2};
	const real power = scree_law_power(c->law), modulus = c->law == LAW_VOLUME ? (real)4 / 3 : 1;
	return (loading_curve){(c->law == LAW_POWER || power == 1 ? 1 : modulus * sqrt(radius)) * c->stiffness, power};
}

/* overlap, in m, at which K d^(power + 1) / (power + 1) is the kinetic energy of the reduced mass */
static real overlap_of_impact(const model *m, const law_constants *c, real mass, real radius, bool corner, real speed)
{
	const loading_curve k = loading_of(m, c, radius, corner);
	if (!(speed > 0 && k.stiffness > 0)) return 0;
	const real elastic = (k.power + 1) * mass * speed * speed / 2 / k.stiffness;
	return damped_part(c, k.power) * scree_pow(elastic, 1 / (k.power + 1));
}

static real overlap_of_load(const model *m, const law_constants *c, real radius, real load)
{
	const loading_curve k = loading_of(m, c, radius, false);
	return load > 0 && k.stiffness > 0 ? scree_pow(load / k.stiffness, 1 / k.power) : 0;
}

typedef struct overlap_search {
	const model *m;
	const state *s;
	const extremes *e; /* [materials] */
	expected_overlap best;
} overlap_search;

static const law_constants *constants_of(const overlap_search *o, int32_t a, int32_t b)
{
	return o->m->constants + a * o->m->material.count + b;
}

static void keep(overlap_search *o, int32_t a, int32_t b, expected_overlap x)
{
	if (!(x.part > o->best.part)) return;
	o->best = x;
	o->best.material[0] = a, o->best.material[1] = b;
}

/* A body with the speeds at which it hits walls and other bodies. */
typedef struct striker {
	int32_t material;
	bool corner; /* it has faces */
	real mass, radius, on_walls, on_bodies;
} striker;

static expected_overlap on_wall(const overlap_search *o, const striker *x, int32_t b)
{
	const real deep =
		overlap_of_impact(o->m, constants_of(o, x->material, b), x->mass, x->radius, x->corner, x->on_walls);
	return (expected_overlap){.part = deep / (2 * x->radius), .wall = true, .speed = x->on_walls};
}

/* impact on a similar body, or on the largest body of another material */
static expected_overlap on_body(const overlap_search *o, const striker *x, int32_t b)
{
	const bool same = b == x->material;
	const real large = same ? x->radius : o->e[b].large, over = large / o->e[b].small;
	const real mass = same ? x->mass : o->e[b].mass * over * over * (o->m->flat ? 1 : over);
	const real deep = overlap_of_impact(o->m, constants_of(o, x->material, b), x->mass * mass / (x->mass + mass),
										x->radius * large / (x->radius + large), x->corner, x->on_bodies);
	return (expected_overlap){.part = deep / (2 * real_min(x->radius, large)), .speed = x->on_bodies};
}

static void note_impact(overlap_search *o, const striker *x)
{
	for (int32_t b = 0; b < o->m->material.count; ++b) {
		if (o->e[b].wall) keep(o, x->material, b, on_wall(o, x, b));
		if (extremes_meet(o->e, x->material, b)) keep(o, x->material, b, on_body(o, x, b));
	}
}

static bool has_faces(const model *m, int32_t row) { return scree_shape_widest_face(m->shape.row + row) > 0; }

static void note_body(overlap_search *o, const heap *h, int32_t i)
{
	const state *s = o->s;
	const bodies *b = &s->body;
	const vec3 at = body_position(b, i), v = body_velocity(b, i);
	/* a body with others below it does not fall to the wall */
	const bool lowest = pile_below(h, at, b->round[i]) < 2 * b->round[i];
	const real falls = speed_of_fall(o->m, h, at, v, b->round[i]);
	const real on_walls = speed_to_walls(o->m, s, at, v, h, lowest ? falls : 0);
	const real own = v3_norm(v3_sub(v, h->mean)), apart = own + (own < h->fastest ? h->fastest : h->next);
	note_impact(o, &(striker){b->material[i], has_faces(o->m, b->shape[i]), b->mass[i], b->round[i], on_walls,
							  real_max(falls, apart)});
}

/* Bodies of a source fall from the top of its region, and some of them fall all the way down. */
static void note_part(overlap_search *o, const source *from, const mix_part *part, const heap *h)
{
	const model *m = o->m;
	const vec3 top = scree_region_top(&from->where, m->gravity), v = from->velocity;
	const real size = scree_spread_largest(&part->size);
	const shape *of = m->shape.row + part->shape;
	const real round = scree_world_round(m, of, size);
	const real mass = m->material.row[part->material].density * scree_world_volume(m, of, size);
	const heap one = {.to = h->to, .time = h->time, .low = -INFINITY};
	const real speed = speed_to_walls(m, o->s, top, v, &one, speed_of_fall(m, &one, top, v, round));
	note_impact(o, &(striker){part->material, has_faces(m, part->shape), mass, round, speed, speed});
}

/* Records the largest load of a contact at the bottom or on a servo, for bodies of mean size. */
static void note_load(overlap_search *o, const body_load *load)
{
	static const real GREATEST = 2, FEW = 10; /* beyond FEW bodies, a load is shared unevenly */
	const real radius = load->size / 2;
	for (int32_t k = 0; k < o->m->material.count * o->m->material.count; ++k) {
		const int32_t a = k / o->m->material.count, b = k % o->m->material.count;
		const bool two = extremes_meet(o->e, a, b);
		if (!o->e[a].body || !(two || o->e[b].wall)) continue;
		const real force = (load->count > FEW ? GREATEST : 1) * load->force;
		const real part = overlap_of_load(o->m, constants_of(o, a, b), two ? radius / 2 : radius, force) / (2 * radius);
		keep(o, a, b, (expected_overlap){.part = part, .wall = !two, .force = force});
	}
}

/* The largest overlap over all parts of the world; if several are equal, the overlap in the first of these parts. */
static expected_overlap of_all_parts(const domain *d, expected_overlap here)
{
	int64_t parts = 1;
	expected_overlap best = {.part = 0};
	expected_overlap *all = d->by->gather(d->at, &parts, sizeof *all, &here);
	for (int64_t k = 0; k < parts; ++k)
		if (all[k].part > best.part) best = all[k];
	scree_free(all);
	return best;
}

expected_overlap scree_world_expected_overlap(const model *m, const state *s, const domain *d, real until)
{
	overlap_search o = {.m = m, .s = s};
	if (m->solver || m->hard || m->material.count == 0 || !(until > s->time)) return o.best;
	extremes *e = scree_extremes(m, s, d);
	heap h = {.to = scree_falls_of(m, s), .time = until - s->time};
	o.e = e;
	measure(m, s, d, &h);
	measure_fastest(s, d, &h);
	for (int32_t i = 0; i < s->body.owned; ++i)
		if (s->body.inv_mass[i] > 0) note_body(&o, &h, i);
	for (mix_walk w = {0}; mix_next(m, &w);) note_part(&o, w.from, w.part, &h);
	const body_load load = scree_world_carried(m, s, d);
	note_load(&o, &load);
	scree_free(e);
	return of_all_parts(d, o.best);
}
