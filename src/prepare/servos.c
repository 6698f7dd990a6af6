/* servos: derives data of walls that press with a given force, so that no tuning is needed (docs/theory/walls.md):
 * number, mass and diameter of the bodies that such a wall will meet, and the stiffness of a contact under its share of
 * the force. Data are derived at the start, and again if a change between two steps needs a greater mass. */

#include "base/maths.h"
#include "base/memory.h"
#include "base/sort.h"
#include "kernel/thickness.h"
#include "model/law.h"
#include "model/model.h"
#include "prepare/internal.h"
#include "prepare/prepare.h"
#include "state/state.h"
#include "wall/forms.h"

static const real SOURCE_BODIES = 1000;			   /* number of bodies assumed for a source without a limit */
static const real MOST_OVERLAP = (real)0.01;	   /* wall's displacement while one body stops it, in diameters */
static const real EULER = (real)2.718281828459045; /* for critical damping x(t) = v t exp(-omega t) <= v / (omega e) */
/* phase of the wall's oscillation on its contacts, in radians per step; the motion is unstable at 2 and above */
static const real MOST_ANGLE = (real)0.5;
static const real SHORTEST = (real)0.05; /* shortest step, as a fraction of the usual step */
static const real MARGIN = (real)0.8;	 /* default step, as a fraction of the largest step */
static const real NO_LIMIT = 1e30;		 /* speed in m/s; free walls have no speed limit */
static const real STANDARD_G = 9.81;	 /* m/s2 */

/* The bodies of a world and of its sources. */
typedef struct crowd {
	real count, mass, size; /* mass and size: sums over all bodies */
	real heaviest;			/* largest mass of a present body, in kg */
	span at;
	bool *has; /* [materials] */
} crowd;

static void note(crowd *c, real count, real mass, real size, int32_t material, span at)
{
	c->count += count;
	c->mass += count * mass;
	c->size += count * size;
	c->has[material] = true;
	span_add(&c->at, at.low, at.high);
}

static void note_part(const model *m, const source *source, const mix_part *part, crowd *c)
{
	const bool between = part->size.type == SPREAD_UNIFORM || part->size.type == SPREAD_SIEVE;
	const real size = between ? scree_spread_moment(&part->size, 1) : part->size.a;
	const shape *of = m->shape.row + part->shape;
	const real volume = scree_world_volume(m, of, size), round = 2 * scree_world_round(m, of, size);
	const real all = source->limit > 0 ? (real)source->limit : SOURCE_BODIES;
	const span at = scree_region_bounds(&source->where);
	note(c, all / (real)source->parts, m->material.row[part->material].density * volume, round, part->material, at);
}

/* Data of a body that moves. */
typedef struct crowd_row {
	uint64_t id;
	real mass, size;
	vec3 at;
	int32_t material;
} crowd_row;

static int by_id(const void *a, const void *b)
{
	const crowd_row *x = a, *y = b;
	return (x->id > y->id) - (x->id < y->id);
}

/* The moving bodies of all parts of the world, sorted by id: sums depend on the order of bodies, and the order of rows
 * changes at searches and differs between parts. */
static crowd_row *moving_bodies(const state *s, const domain *d, int64_t *count)
{
	const bodies *b = &s->body;
	crowd_row *here = scree_alloc((size_t)b->owned, sizeof *here);
	*count = 0;
	for (int32_t i = 0; i < b->owned; ++i)
		if (b->inv_mass[i] > 0)
			here[(*count)++] = (crowd_row){b->id[i], b->mass[i], 2 * b->round[i], body_position(b, i), b->material[i]};
	crowd_row *all = d->by->gather(d->at, count, sizeof *all, here);
	scree_sort_by(all, *count, sizeof *all, by_id);
	scree_free(here);
	return all;
}

static void note_by_id(crowd *c, const model *m, const state *s, const domain *d)
{
	int64_t count;
	crowd_row *row = moving_bodies(s, d, &count);
	for (int64_t k = 0; k < count; ++k) {
		SCREE_ASSERT(row[k].material >= 0 && row[k].material < m->material.count);
		note(c, 1, row[k].mass, row[k].size, row[k].material, (span){row[k].at, row[k].at});
		c->heaviest = real_max(c->heaviest, row[k].mass);
	}
	scree_free(row);
}

/* The same data without materials, from exact sums, so that no part of the world needs the bodies of other parts. */
static void note_parts(crowd *c, const bodies *b, const domain *d)
{
	fixed sum[3] = {{0}};
	real most[7] = {0, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY};
	for (int32_t i = 0; i < b->owned; ++i) {
		const vec3 at = body_position(b, i);
		const real bounds[7] = {b->mass[i], -at.x, -at.y, -at.z, at.x, at.y, at.z};
		if (!(b->inv_mass[i] > 0)) continue;
		for (int k = 0; k < 7; ++k) most[k] = real_max(most[k], bounds[k]);
		sum[0].quanta += 1;
		scree_fixed_add(sum + 1, b->mass[i]);
		scree_fixed_add(sum + 2, 2 * b->round[i]);
	}
	scree_domain_most(d, 7, most);
	d->by->add(d->at, 3, sum);
	c->count = (real)sum[0].quanta, c->mass = scree_fixed_value(sum[1]), c->size = scree_fixed_value(sum[2]);
	c->heaviest = most[0];
	if (c->count > 0) c->at = (span){v3(-most[1], -most[2], -most[3]), v3(most[4], most[5], most[6])};
}

static crowd present_crowd(const model *m, const state *s, const domain *d)
{
	crowd c = {.at = NO_SPAN, .has = scree_alloc((size_t)m->material.count, sizeof *c.has)};
	if (scree_walls_driven(&m->wall))
		note_by_id(&c, m, s, d);
	else
		note_parts(&c, &s->body, d);
	return c;
}

static crowd crowd_of(const model *m, const state *s, const domain *d)
{
	crowd c = present_crowd(m, s, d);
	for (mix_walk w = {0}; mix_next(m, &w);) note_part(m, w.from, w.part, &c);
	return c;
}

/* Number of bodies that fit side by side across the axis. */
static real bodies_across(const crowd *c, vec3 axis)
{
	real d = c->size / c->count;
	vec3 l = v3_add(span_size(&c->at), v3(d, d, d));
	real area = real_abs(axis.x) * l.y * l.z + real_abs(axis.y) * l.x * l.z + real_abs(axis.z) * l.x * l.y;
	return real_clamp(area / (d * d), 1, c->count);
}

/* The length on which the contact time at a wall depends besides mass and stiffness (prepare/contact_time.c). In the
 * plane, laws based on area or thickness have dimensionless weights; a chord of half the radius is used. */
static real width_at(const model *m, const law *l, real size)
{
	const real chord = (real)0.25;
	if (l->overlaps == OVERLAP_THICKNESS) return m->flat ? 2 * THICKNESS_PLANE : thickness_flat(size * size);
	if (m->flat && l->overlaps) return l->literal ? 2 * chord : chord * chord;
	return size / 2;
}

/* Stiffness of a contact between body and wall, from the contact time of a collision with this peak force. F = v
 * sqrt(k m), and k grows less than linearly with v, so the iteration converges. */
static real stiffness_at(const model *m, const law_constants *c, real mass, real size, real force)
{
	real speed = 1, k = 0;
	const real width = width_at(m, scree_laws + c->law, size);
	for (int i = 0; i < 40; ++i) {
		real turn = SCREE_PI / scree_laws[c->law].contact_time(c, mass, width, speed);
		k = mass * turn * turn;
		speed = force / sqrt(k * mass);
	}
	return k;
}

/* The distance at which a rotating wall meets bodies: the distance of its farthest corner from the axis or, for an
 * infinite wall, of the farthest body; 1 for a wall that does not rotate. */
static real lever_of(const model *m, const wall *o, const crowd *c)
{
	vec3 low = c->at.low, high = c->at.high;
	real most = 0;
	if (!motion_is_turned(o->motion.type)) return 1;
	if (!scree_wall_is_endless(o)) scree_wall_bounds(&m->wall, o, &m->shape, &low, &high);
	for (int k = 0; k < 8; ++k) {
		const vec3 at = v3(k & 1 ? low.x : high.x, k & 2 ? low.y : high.y, k & 4 ? low.z : high.z);
		most = real_max(most, v3_norm(v3_cross(o->motion.axis, v3_sub(at, o->motion.point))));
	}
	return most > 0 ? most : 1;
}

/* The force with which the wall presses on all bodies together, which includes the weight of a free wall. */
static real pressing_force(const model *m, const wall *o, real lever)
{
	const servo_rule *r = &o->motion.servo;
	const real weight = r->weight ? r->mass * real_abs(v3_dot(m->gravity, o->motion.axis)) : 0;
	return motion_is_free(o->motion.type) ? (real_abs(r->force) + weight) / lever : r->force / lever;
}

/* largest load of a contact, in N, due to the weight of a column on this number of contacts, or to a pressing wall */
static real greatest_load(const model *m, const crowd *c, real contacts)
{
	const real g = v3_norm(m->gravity);
	real most = 0;
	if (c->count > 0 && g > 0)
		most = g * (c->heaviest + c->mass / bodies_across(c, v3_mul(1 / g, m->gravity)) / contacts);
	for (int32_t k = 0; k < m->wall.count && c->count > 0; ++k) {
		const wall *o = m->wall.row + k;
		if (motion_is_driven(o->motion.type))
			most = real_max(most, pressing_force(m, o, lever_of(m, o, c)) / bodies_across(c, o->motion.axis));
	}
	return most;
}

/* See internal.h. The weight of a body rests on three contacts, but the weight of the heaviest body may rest on one. */
real scree_world_pressed(const model *m, const state *s, const domain *d)
{
	crowd c = crowd_of(m, s, d);
	const real most = greatest_load(m, &c, 3);
	scree_free(c.has);
	return most;
}

body_load scree_world_carried(const model *m, const state *s, const domain *d)
{
	crowd c = present_crowd(m, s, d);
	const bool any = c.count > 0;
	const body_load of = {greatest_load(m, &c, 1), any ? c.size / c.count : 1, any ? c.mass / c.count : 0, c.count};
	scree_free(c.has);
	return of;
}

/* Smallest mass M that the step requires of a wall with all its contacts. By equation (13) of motion.md, springs and
 * dashpots may use up to a quarter of the stability limit; the bodies need the rest. Dashpots damp the reduced mass
 * (law/wall_shares.c), so for bodies with this total mass they are weaker by the factor sqrt(1 + mass/M). */
typedef struct wall_hold {
	real springs;  /* kg/s2; M is at least this times the square of the step */
	real dashpots; /* kg/s; without bodies, M is at least this times the step */
	real mass;	   /* kg */
} wall_hold;

static real least_mass(const wall_hold *h, real dt)
{
	const real dashpots = h->dashpots * dt;
	return real_max(h->springs * dt * dt, (sqrt(h->mass * h->mass + 4 * dashpots * dashpots) - h->mass) / 2);
}

/* Default step for a wall of this mass: shorter than the longest step that the mass permits, and than the usual step,
 * since contacts with a light wall are shorter. Masses that need far shorter steps are refused as probable errors. */
static real default_step(const wall_hold *h, real mass, real usual)
{
	const real most = real_min(sqrt(mass / h->springs), sqrt(mass * (mass + h->mass)) / h->dashpots);
	const real shorter = real_min(1, 2 * mass / (mass + h->mass));
	return real_max(real_min(MARGIN * most, usual * sqrt(shorter)), SHORTEST * usual);
}

/* Derives the data of a wall from these bodies, except the mass. */
static wall_hold hold_of(const model *m, wall *o, const crowd *c)
{
	servo_constants *servo = &o->servo;
	real mass = c->mass / c->count, size = c->size / c->count, across = bodies_across(c, o->motion.axis);
	const real lever = lever_of(m, o, c), lever2 = lever * lever;
	/* a free wall without its own load presses with the load that the bodies exert */
	const real force = real_max(pressing_force(m, o, lever), motion_is_free(o->motion.type) ? mass * STANDARD_G : 0);
	real damped = 0;
	for (int32_t count = 0; count < m->material.count; ++count) {
		if (!c->has[count]) continue;
		const law_constants *l = m->constants + count * m->material.count + o->material;
		real k = stiffness_at(m, l, mass, size, force / across), zeta = scree_laws[l->law].viscous ? 0 : l->damping;
		servo->stiffness = real_max(servo->stiffness, k);
		damped = real_max(damped, 2 * zeta * sqrt(k * mass));
	}
	/* if the wall turns, these are a moment of inertia, a stiffness against rotation, and an angular velocity */
	servo->stiffness *= lever2;
	return (wall_hold){across * servo->stiffness / (MOST_ANGLE * MOST_ANGLE), 4 * across * damped * lever2,
					   across * mass * lever2};
}

/* Derives the data of a wall from these bodies. *least: smallest mass for the step */
static void derive_servo(const model *m, wall *o, const crowd *c, real *least)
{
	const wall_hold h = hold_of(m, o, c);
	const real size = c->size / c->count, lever = lever_of(m, o, c);
	servo_constants *servo = &o->servo;
	const servo_rule *r = &o->motion.servo;
	*least = m->implicit ? 0 : least_mass(&h, m->dt); /* the solver moves walls with their contacts */
	servo->mass = r->mass > 0 ? r->mass : real_max(h.mass, *least);
	if (!motion_is_free(o->motion.type))
		servo->max_speed = r->max_speed > 0
							   ? r->max_speed
							   : MOST_OVERLAP * EULER * size / lever * sqrt(servo->stiffness / servo->mass);
}

static bool refuse_servo(const model *m, const wall *o, const crowd *c, real least, fail *why)
{
	const servo_constants *servo = &o->servo;
	const real across = bodies_across(c, o->motion.axis), lever = lever_of(m, o, c);
	if (motion_is_turned(o->motion.type))
		return scree_refuse(why,
							"wall '%s': a moment of inertia of %.3g kg m2 on about %.0f contacts, %.3g m from the "
							"axis, oscillates too fast for steps of %.3g s: set it to at least %.3g kg m2, or run.step "
							"to at most %.3g s; run.step.unsafe: true allows it",
							o->name, servo->mass, across, lever, m->dt, least, m->dt * servo->mass / least);
	return scree_refuse(
		why,
		"wall '%s': a servo of %.3g kg on about %.0f contacts of %.3g N/m oscillates too fast for steps of %.3g s: set "
		"its mass to at least %.3g kg, or run.step to at most %.3g s; run.step.unsafe: true allows it",
		o->name, servo->mass, across, servo->stiffness, m->dt, least, m->dt * servo->mass / least);
}

static bool set_servo(const model *m, wall *o, const crowd *c, fail *why)
{
	real least;
	derive_servo(m, o, c, &least);
	return o->servo.mass >= least || m->unsafe || refuse_servo(m, o, c, least, why);
}

real scree_step_walls(const model *m, const state *s, const domain *d)
{
	real most = INFINITY;
	if (!scree_walls_driven(&m->wall)) return most;
	crowd c = crowd_of(m, s, d);
	for (int32_t k = 0; c.count > 0 && k < m->wall.count; ++k) {
		wall o = m->wall.row[k];
		if (!motion_is_driven(o.motion.type) || !(o.motion.servo.mass > 0)) continue;
		o.servo = (servo_constants){0};
		const wall_hold h = hold_of(m, &o, &c);
		most = real_min(most, default_step(&h, o.motion.servo.mass, m->usual_step));
	}
	scree_free(c.has);
	return most;
}

/* Prepares a free wall in a world without bodies, and its spring. */
static bool set_free(const model *m, wall *o, fail *why)
{
	const servo_rule *r = &o->motion.servo;
	const real angle = m->dt * sqrt(r->spring / r->mass);
	o->servo.mass = r->mass;
	o->servo.max_speed = NO_LIMIT;
	if (angle <= MOST_ANGLE || m->unsafe) return true;
	return scree_refuse(why,
						"wall '%s': its spring advances by %.3g rad in a step of %.3g s, expected at most %g: set "
						"run.step to at most %.3g s, or give it more mass; run.step.unsafe: true allows it",
						o->name, angle, m->dt, MOST_ANGLE, m->dt * MOST_ANGLE / angle);
}

bool scree_world_servos_set(model *m, state *s, const domain *d, fail *why)
{
	bool right = true;
	crowd c = {0};
	for (int32_t k = 0; right && k < m->wall.count; ++k) {
		wall *o = m->wall.row + k;
		if (!motion_is_driven(o->motion.type) || (s->begun && o->servo.mass > 0)) continue;
		o->servo = (servo_constants){.mass = 1, .max_speed = 1}; /* values for a wall that nothing can touch */
		s->wall[k].servo = (servo_state){0};
		if (motion_is_free(o->motion.type)) {
			s->wall[k].servo.speed = o->motion.servo.speed;
			right = set_free(m, o, why);
		}
		if (!c.has) c = crowd_of(m, s, d);
		if (right && c.count > 0) right = set_servo(m, o, &c, why);
	}
	scree_free(c.has);
	return right;
}

/* The wall as if its mass were given, with the data derived from these bodies. *least: as above */
static wall weighed(const model *m, const wall *from, const crowd *c, real *least)
{
	wall o = *from;
	o.motion.servo.mass = from->servo.mass;
	o.servo = (servo_constants){.mass = from->servo.mass};
	*least = 0;
	if (c->count > 0) derive_servo(m, &o, c, least);
	return o;
}

static bool mass_is_given(const wall *o) { return o->motion.servo.mass > 0; }

/* Tests whether a wall is too light by more than was tolerated before. */
static bool is_light(const model *m, const wall *o, real least, real before)
{
	static const real ROUNDING = (real)1e-9;
	return !m->unsafe && least > (1 + ROUNDING) * real_max(1, before) * o->servo.mass;
}

static bool holds(const model *m, const wall *from, const crowd *c, real before, fail *why)
{
	real least;
	wall o = weighed(m, from, c, &least);
	if (motion_is_free(o.motion.type) && !set_free(m, &o, why)) return false;
	return !mass_is_given(from) || !is_light(m, &o, least, before) || refuse_servo(m, &o, c, least, why) ||
		   scree_step_refuse_more(before, least / o.servo.mass, why);
}

/* Derives the mass again if it was not given and is now too small. */
static void follow(const model *m, wall *o, servo_state *at, const crowd *c, real before)
{
	real least;
	const wall is = weighed(m, o, c, &least);
	if (mass_is_given(o) || !is_light(m, &is, least, before)) return;
	o->servo = (servo_constants){0};
	derive_servo(m, o, c, &least);
	at->speed = real_clamp(at->speed, -o->servo.max_speed, o->servo.max_speed);
	at->carried = real_clamp(at->carried, -o->servo.max_speed, o->servo.max_speed);
}

bool scree_world_servos_follow(model *m, state *s, const domain *d, const real *before, fail *why)
{
	bool right = true;
	if (!scree_walls_driven(&m->wall)) return true;
	crowd c = crowd_of(m, s, d);
	for (int32_t k = 0; right && k < m->wall.count; ++k)
		if (motion_is_driven(m->wall.row[k].motion.type))
			right = holds(m, m->wall.row + k, &c, before ? before[k] : 0, why);
	for (int32_t k = 0; right && k < m->wall.count; ++k)
		if (motion_is_driven(m->wall.row[k].motion.type))
			follow(m, m->wall.row + k, &s->wall[k].servo, &c, before ? before[k] : 0);
	scree_free(c.has);
	return right;
}

real *scree_world_servo_needs(const model *m, const state *s, const domain *d)
{
	real *need, least;
	if (!scree_walls_driven(&m->wall)) return NULL;
	need = scree_alloc((size_t)m->wall.count, sizeof *need);
	crowd c = crowd_of(m, s, d);
	for (int32_t k = 0; k < m->wall.count; ++k) {
		if (!motion_is_driven(m->wall.row[k].motion.type)) continue;
		const wall o = weighed(m, m->wall.row + k, &c, &least);
		need[k] = least / o.servo.mass;
	}
	scree_free(c.has);
	return need;
}
