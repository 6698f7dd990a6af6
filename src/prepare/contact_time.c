/* contact_time: the shortest contact time in a world, set by the lightest and smallest bodies, including bodies of
 * sources, and the time steps derived from this time (docs/theory/laws.md, motion.md). */
#include "prepare/internal.h"
#include "prepare/prepare.h"

#include "base/memory.h"
#include "kernel/thickness.h"
#include "model/integrator.h"
#include "model/law.h"
#include "model/model.h"
#include "shape/shape_forms.h"
#include "state/state.h"

/* ------------------------------------------------------------------ extremes */

static void note_round(extremes *e, real small, real large)
{
	e->small = e->large > 0 ? real_min(e->small, small) : small;
	e->large = real_max(e->large, large);
}

/* The widest chord of an overlap. Chords of round shapes, and of polygons with many corners, grow with the overlap; the
 * chord at an overlap of an eighth of the diameter is used. */
static real widest_chord(const shape *s)
{
	real longest = s->inradius;
	for (int32_t k = 0; k < s->flat.corners; ++k) longest = real_max(longest, s->flat.corner[k].length);
	return longest;
}

static void note_body(const model *m, extremes *e, const shape *form, real size, real mass, real radius)
{
	real face = m->flat ? widest_chord(form) : scree_shape_widest_face(form);
	e->slim =
		real_max(e->slim, m->flat ? face / scree_world_round(m, form, 1) : face * face * size / (form->volume * mass));
	if (!m->flat) e->broad = real_max(e->broad, sqrt(face) * size / mass);
	e->ball |= shape_is_pointed(form);
	e->mass = e->body ? real_min(e->mass, mass) : mass;
	e->radius = e->body ? real_min(e->radius, radius) : radius;
	e->body = true;
	e->bodies += 1;
}

/* Records the largest rotational mobility; moments and mass may be in any common unit. */
static void note_turning(const model *m, extremes *e, vec3 inertia, real mass, real round)
{
	real least = m->flat ? inertia.z : real_min(inertia.x, real_min(inertia.y, inertia.z));
	e->ease = real_max(e->ease, mass * round * round / least);
}

static void note_part(const model *m, const mix_part *part, extremes *e)
{
	const shape *o = m->shape.row + part->shape;
	real size = scree_spread_smallest(&part->size);
	real volume = o->volume * size * size * (m->flat ? m->thickness : size);
	real cut = part->size.cut > 0 ? part->size.cut : 3;
	const bool normal = part->size.type == SPREAD_NORMAL || part->size.type == SPREAD_LOGNORMAL;
	real large = normal ? part->size.a + cut * part->size.b : scree_spread_largest(&part->size);
	/* the centre of a hollow body or clump may be near its surface, or outside it */
	real radius = o->parts || o->mesh.triangles ? scree_world_round(m, o, size) : o->inradius * size;
	note_body(m, e, o, size, m->material.row[part->material].density * volume, radius);
	note_turning(m, e, o->inertia, o->volume, scree_world_round(m, o, 1));
	note_round(e, scree_world_round(m, o, size), scree_world_round(m, o, large));
	e->bodies += 1; /* a source adds more than one body */
}

static void note_mobility(mobility *most, const mobility *g)
{
	most->pushes = real_max(most->pushes, g->pushes);
	most->rubs = real_max(most->rubs, g->rubs);
	most->pointed |= g->pointed;
	most->faced |= g->faced;
	most->points = real_max(most->points, g->points);
	most->parts = real_max(most->parts, g->parts);
}

static void join(extremes *e, const extremes *o)
{
	if (o->body) {
		e->mass = e->body ? real_min(e->mass, o->mass) : o->mass;
		e->radius = e->body ? real_min(e->radius, o->radius) : o->radius;
	}
	if (o->large > 0) note_round(e, o->small, o->large);
	note_mobility(&e->most, &o->most);
	e->slim = real_max(e->slim, o->slim);
	e->broad = real_max(e->broad, o->broad);
	e->ease = real_max(e->ease, o->ease);
	e->bodies += o->bodies;
	e->wall |= o->wall, e->body |= o->body, e->ball |= o->ball;
}

static extremes *of_all_parts(const model *m, const domain *d, extremes *here)
{
	int64_t rows = m->material.count;
	extremes *all = scree_alloc((size_t)rows, sizeof *all), *part = d->by->gather(d->at, &rows, sizeof *part, here);
	for (int64_t k = 0; k < rows; ++k) {
		SCREE_ASSERT(part[k].bodies >= 0 && part[k].bodies <= INT32_MAX);
		join(all + k % m->material.count, part + k);
	}
	SCREE_FREE_ALL(part, here);
	return all;
}

static extremes *extremes_of_bodies(const model *m, const state *s, const mobility *of)
{
	extremes *e = scree_alloc((size_t)m->material.count, sizeof *e);
	const bodies *body = &s->body;
	for (int32_t i = 0; i < body->owned; ++i) {
		extremes *o = e + body->material[i];
		if (body->inv_mass[i] > 0) {
			if (!scree_world_locked(s, i)) note_mobility(&o->most, of + body->shape[i]);
			note_body(m, o, m->shape.row + body->shape[i], body->size[i], body->mass[i], body->round[i]);
			note_turning(m, o, v3(body->ix[i], body->iy[i], body->iz[i]), body->mass[i], body->round[i]);
		}
		note_round(o, body->round[i], body->round[i]);
		o->wall |= body->inv_mass[i] == 0; /* fixed bodies do not yield, and neither do walls */
	}
	return e;
}

extremes *scree_extremes(const model *m, const state *s, const domain *d)
{
	mobility *of = scree_mobilities(m);
	extremes *e = of_all_parts(m, d, extremes_of_bodies(m, s, of));
	for (mix_walk w = {0}; mix_next(m, &w);) {
		note_part(m, w.part, e + w.part->material);
		note_mobility(&e[w.part->material].most, of + w.part->shape);
	}
	scree_free(of);
	for (int32_t k = 0; k < m->wall.count; ++k) e[m->wall.row[k].material].wall = true;
	return e;
}

/* ------------------------------------------------------------------ the step */

/* Largest weight in a law based on overlaps (law/each_patch.h). In the plane the weight is (chord/l)^2, where l is at
 * least twice the radius of the smaller body or, on a wall, four times the radius of the body. Laws that reproduce a
 * paper literally use chord/l as the weight, with l half as large. */
static real greatest_weight(const model *m, const extremes *a, const extremes *b, real mass, bool two, const law *l)
{
	if (!m->flat) return mass * (two ? a->slim + b->slim : a->slim);
	real part = (two ? real_max(a->slim, b->slim) / 2 : a->slim / 4);
	return l->literal ? 2 * part : part * part;
}

/* Spheres meet as under the law `hertz`. Other contacts are no wider than the widest face or, in the plane, edge. */
static real time_by_thickness(const model *m, const law_constants *c, const extremes *a, const extremes *b, real mass,
							  real radius, bool two, real speed)
{
	const law *l = scree_laws + c->law;
	if (m->flat) return l->contact_time(c, mass, 2 * THICKNESS_PLANE, speed);
	real faces = two ? (a->broad > 0 && b->broad > 0 ? a->broad + b->broad : 0) : a->broad, t = INFINITY;
	if (faces > 0) t = l->contact_time(c, mass, thickness_flat(1) * mass * faces, speed);
	if (a->ball || (two && b->ball)) t = real_min(t, scree_laws[l->of_spheres].contact_time(c, mass, radius, speed));
	return t;
}

static const real USUAL_PART = 0.02, LARGEST_PART = 0.1;
/* Usual step for bodies that land flat on several contacts, relative to the contact time. With a linear spring, the
 * force of the dashpot starts with a jump; with a spring whose stiffness grows with the overlap, it does not. */
static const real FLAT_EVEN_PART = 0.0125, FLAT_PART = 0.05;
/* Usual step for patches under laws based on depth, with almost no dissipation, relative to the contact time. Each
 * change in the shape of a patch makes the force jump, and the energy errors of the steps add up. */
static const real ELASTIC_PATCH_PART = 0.005, NEARLY_ELASTIC = 0.02;
/* Gear's integrators: stiffness and damping of the stiffest mode in a packing, relative to one contact. Bodies have
 * several contacts, and rotation has less inertia than translation. Measured in heaps: 2.2 to 2.3. */
static const real GEAR_MODE = 3;
/* Velocity Verlet: components of the same ratios. For some laws, the fractions in law.h (at_rest) reduce both. */
static const real LEAST_CONTACTS = 6, PUSHES = 2, EDGED_RUBS = 3, ROUND_RUBS = 4, FLAT_RUBS = 6, FLAT_PUSHED = 4;
/* Default step as a fraction of the bound: large packings of balls oscillate at 0.9 of the bound and above, and impacts
 * of strongly damped polyhedra have errors of almost 1 % at the bound itself (measured). */
static const real HEADROOM = (real)0.8;
/* fractions (at_rest) under the load for which the contact time is computed */
static const at_rest UNDER_LOAD = {1, (real)3 / 4, 1};

/* One contact as an oscillator, with the contact time pi/(root omega). */
typedef struct swing {
	real zeta, root;
	real rub;	/* tangential damping divided by normal damping */
	real tilts; /* as law.tilts */
	real flat;	/* number of parallel contacts of a body that lands flat; their dashpots share the mass */
} swing;

/* balls: all bodies are balls, for which the law `overlap` is equivalent to `hertz` */
static swing swing_of(const law_constants *c, real mass, real speed, real time, bool balls)
{
	const law *l = scree_laws + c->law;
	bool even = scree_laws[balls ? l->of_spheres : c->law].spring == SPRING_EVEN;
	bool longer = even && c->damping < 1; /* damping prolongs a contact */
	swing s = {.zeta = scree_law_damping_ratio(c, mass, speed), .tilts = balls ? 0 : l->tilts, .flat = 1};
	s.root = longer ? sqrt(1 - s.zeta * s.zeta) : 1;
	s.rub = sqrt(c->shear / (l->slope * c->stiffness));
	if (l->viscous) s.rub = s.zeta > 0 ? c->shear * time / (SCREE_PI * mass * 2 * s.zeta) : 0;
	if (c->friction == 0) s.rub = 0;
	return s;
}

/* Damping of the stiffest mode in a packing, relative to the normal damping of one contact. If the caller squares
 * `rub`, the result is the relative stiffness of this mode. At corners of polyhedra, normal forces also rotate the
 * body. If there are few bodies and walls, there are few contacts, each with the full mobility of its point. */
static real gathered(const model *m, const mobility *g, real rub, at_rest rest, real contacts, real flat)
{
	real number, one;
	if (m->flat) {
		real pushed = rest.flat * (FLAT_PUSHED + PUSHES * g->pushes); /* this part exists even without friction */
		number = real_max(real_max(LEAST_CONTACTS, FLAT_RUBS * rub * rest.flat * g->rubs), pushed);
		one = 1 + g->pushes + rub * (1 + g->rubs);
	} else {
		real rubs = g->pointed ? ROUND_RUBS : EDGED_RUBS, least = (g->pointed ? 2 : 1) * LEAST_CONTACTS;
		real edged = rest.edged * (PUSHES * g->pushes + real_max(least, rubs * rub * g->rubs));
		real round = rest.round * real_max(LEAST_CONTACTS, ROUND_RUBS * rub * g->rubs);
		number = g->pushes > 0 ? real_max(rest.round * LEAST_CONTACTS, edged) : round;
		one = g->pushes > 0 ? 1 + g->pushes + rub * (1 + g->rubs) : real_max(1, rub * (1 + g->rubs));
		if (flat > 1) number = real_max(number, flat * (1 + g->pushes));
	}
	return real_max(1, real_min(number, contacts * one));
}

/* The longest stable step in a packing, as a fraction of the contact time. Gear's integrators tolerate little damping.
 * rest: fractions of the law; drag: rate at which the fluid brakes the same body, times the contact time */
static real stable_part(const model *m, const swing *swing, const mobility *g, at_rest rest, real contacts, real drag)
{
	const gear_rule *r = m->integrator->gear;
	/* time, relative to the contact time, in which the oscillator's phase advances by 1 rad */
	real once = swing->root / SCREE_PI;
	if (r) return once / (GEAR_MODE * (r->limit[0] + r->limit[1] * GEAR_MODE * swing->zeta));
	real stiff = gathered(m, g, m->flat ? 0 : swing->rub * swing->rub, rest, contacts, swing->flat);
	real damped = gathered(m, g, swing->rub, rest, contacts, sqrt(swing->flat));
	bool tilts = !m->flat && swing->tilts > 0 && g->pushes > 0 && !g->pointed;
	if (tilts) damped += swing->tilts * real_min(1, contacts / 2);
	return once * scree_step_angle(m, stiff, 2 * swing->zeta * damped + drag * once);
}

real scree_world_known_step(const model *m) { return real_max(HEADROOM * m->safe_step, m->usual_step); }

static real shorter(real a, real b) { return a > 0 ? real_min(a, b) : b; }

/* usual and safe: steps in s; time: time of the shortest contact */
static void note_steps(model *m, real time, real usual, real safe)
{
	m->usual_step = shorter(m->usual_step, real_min(usual, safe));
	m->safe_step = shorter(m->safe_step, real_min(LARGEST_PART * time, safe));
}

static void note_shortest(model *m, real time, int32_t a, int32_t b)
{
	if (m->contact_time > 0 && !(time < m->contact_time)) return;
	m->contact_time = time;
	m->stiffest[0] = a, m->stiffest[1] = b;
}

/* m R^2 of a contact, relative to m R^2 of body a, for relative rotation: 1/4 for two equal bodies. The number of
 * points at which a body touches walls is one third of the number at which it touches other bodies. */
static real turned_together(const extremes *a, const extremes *b, bool two)
{
	real part = two ? b->radius / (a->radius + b->radius) : 1;
	return two ? 2 * part * part * b->mass / (a->mass + b->mass) : (real)1 / 3;
}

static void heed_turning(model *m, real step)
{
	m->turning_step = real_min(m->turning_step, step);
	m->usual_step = real_min(m->usual_step, step);
	m->safe_step = real_min(m->safe_step, step);
}

static void heed_bound(model *m, step_bound b, real *most)
{
	*most = b.most;
	if (!(m->usual_step > 0)) return;
	m->usual_step = real_min(m->usual_step, b.safe);
	m->safe_step = real_min(m->safe_step, b.most);
}

/* A contact between two materials, or between a material and walls, at a speed or under a load. */
typedef struct meets {
	const law_constants *c;
	real mass, radius, time; /* time: duration of one contact */
	real flat;				 /* number of parallel contacts of a body that lands flat */
	real shortest;			 /* duration, in s, of an impact with these parallel contacts */
	mobility most;
	bool balls, some; /* balls: all bodies are spheres, in 3D; some: at least one is */
} meets;

/* Under a load, a spring whose stiffness grows with the overlap may be stiffer than in any impact. Returns half of its
 * period, or 0 if this does not apply. */
static real loaded_time(const law_constants *c, real mass, real radius, bool balls, real load)
{
	law_spring spring = scree_laws[balls ? scree_laws[c->law].of_spheres : c->law].spring;
	if (!(load > 0) || spring == SPRING_EVEN) return 0;
	real k = spring == SPRING_OF_RADIUS ? c->stiffness * sqrt(radius) : c->stiffness;
	real stiffness = (real)1.5 * scree_pow(k * k * load, (real)1 / 3);
	return SCREE_PI * sqrt(mass / stiffness);
}

/* Number of contacts of a body that lands flat if each contact has its own stiffness: n contacts act like one with 1/n
 * of the mass. Under laws based on overlaps, a compound's widest face includes all of its faces. */
static real flat_contacts(const model *m, const meets *met)
{
	if (m->flat) return 1;
	return real_max(1,
					scree_laws[met->c->law].overlaps ? met->most.points : real_max(met->most.points, met->most.parts));
}

static real flat_time(const meets *m, real speed)
{
	const law *l = scree_laws + m->c->law;
	if (!(m->flat > 1)) return m->time;
	return real_min(m->time, scree_laws[l->of_spheres].contact_time(m->c, m->mass / m->flat, m->radius, speed));
}

static real meeting_time(const model *m, const meets *met, const extremes *a, const extremes *b, bool two, real speed)
{
	const law *l = scree_laws + met->c->law;
	if (l->overlaps == OVERLAP_THICKNESS) return time_by_thickness(m, met->c, a, b, met->mass, met->radius, two, speed);
	real size = l->overlaps ? greatest_weight(m, a, b, met->mass, two, l) : met->radius;
	return l->contact_time(met->c, met->mass, size, speed);
}

/* The law's fractions (at_rest) for the shapes in a contact. Points away from the centre make a body rotate, as corners
 * do, but each has its own stiffness. A body that lands flat has many points in contact during the impact. */
static at_rest rest_of(const meets *m, at_rest rest)
{
	if (m->most.pointed) rest.edged = m->most.faced ? 1 : rest.round;
	return rest;
}

static void note_meeting(model *m, const meets *met, const surroundings *o, real share)
{
	swing swing = swing_of(met->c, met->mass, o->speed, met->time, met->balls);
	swing.flat = met->flat;
	real safe = stable_part(m, &swing, &met->most, rest_of(met, scree_laws[met->c->law].rest), o->contacts,
							o->drag * met->time);
	real loaded = loaded_time(met->c, met->mass, met->radius, met->some, o->load);
	if (loaded > 0)
		safe = real_min(
			safe, loaded / met->time *
					  stable_part(m, &swing, &met->most, rest_of(met, UNDER_LOAD), o->contacts, o->drag * loaded));
	bool patches = !scree_laws[met->c->law].overlaps && met->most.pushes > 0;
	bool even = scree_laws[scree_laws[met->c->law].of_spheres].spring == SPRING_EVEN;
	real usual = met->time * (patches && swing.zeta < NEARLY_ELASTIC ? ELASTIC_PATCH_PART : USUAL_PART);
	if (met->flat > 1) usual = real_min(usual, met->shortest * (even ? FLAT_EVEN_PART : FLAT_PART));
	usual = real_min(usual, met->time * safe * HEADROOM);
	note_steps(m, met->shortest, usual, met->time * safe);
	heed_turning(m, met->time * swing.root / SCREE_PI * scree_step_turning(m, met->c, swing.zeta, share));
}

/* Stiffest mode of bonded bodies in a packing, with up to a dozen bonds each, relative to two isolated bodies. */
static const real BONDED = 6;

/* Bonds of the smallest bodies oscillate fastest. The shortest half period of two bonded bodies counts as a contact. */
static void heed_bonds(model *m, const extremes *e)
{
	const int32_t n = m->material.count;
	for (int32_t k = 0; k < n * n; ++k) {
		const bond_rule *r = &m->material.rule[k].bond;
		const extremes *a = e + k / n, *b = e + k % n;
		if (!(r->tension > 0) || !a->body) continue;
		const bool two = b->body;
		const bonded_body one = {a->radius, 1 / a->mass}, other = {two ? b->radius : a->radius, two ? 1 / b->mass : 0};
		const bond_form f = bond_form_of(r, one, other, one.radius + other.radius, m->flat ? m->thickness : 0);
		const real omega = sqrt(real_max(real_max(f.along_omega2, f.across_omega2), f.twists_omega2));
		const real time = SCREE_PI / omega;
		if (time < m->bond_time) m->bond_time = time, m->swinging[0] = k / n, m->swinging[1] = k % n;
		note_steps(m, time, USUAL_PART * time, scree_step_angle(m, BONDED, 2 * r->damping * BONDED) / omega);
		note_shortest(m, time, k / n, k % n);
	}
}

void scree_world_contact_time(model *m, const state *s, const domain *d, const extremes *e)
{
	int32_t n = m->material.count;
	surroundings around = scree_surroundings(m, s, d);
	m->contact_time = m->safe_step = m->usual_step = 0;
	m->turning_step = m->bond_time = INFINITY;
	for (int32_t a = 0; a < n; ++a) {
		for (int32_t b = 0; b < n; ++b) {
			/* the reduced mass of two bodies is smaller than the mass of one body, which applies at a wall */
			bool two = extremes_meet(e, a, b);
			if (!e[a].body || !(two || e[b].wall)) continue;
			const law_constants *c = m->constants + a * n + b;
			meets met = {
				c, e[a].mass, e[a].radius, 0, 1, 0, e[a].most, !(e[a].broad > 0) && !m->flat, e[a].ball && !m->flat};
			if (two) {
				met.mass = e[a].mass * e[b].mass / (e[a].mass + e[b].mass);
				met.radius = e[a].radius * e[b].radius / (e[a].radius + e[b].radius);
				note_mobility(&met.most, &e[b].most);
			}
			met.balls &= !two || !(e[b].broad > 0);
			met.some |= two && e[b].ball && !m->flat;
			met.time = meeting_time(m, &met, e + a, e + b, two, around.speed);
			met.flat = flat_contacts(m, &met);
			met.shortest = flat_time(&met, around.speed);
			note_meeting(m, &met, &around, e[a].ease * turned_together(e + a, e + b, two));
			note_shortest(m, met.shortest, a, b);
		}
	}
	heed_bonds(m, e);
	heed_bound(m, scree_step_drag(m, s, d), &m->drag_step);
	heed_bound(m, scree_step_halos(m, s, d), &m->halo_step);
}

/* end of every message that refuses a step */
static const char ALLOW[] = "run.step.unsafe: true allows it";

static bool refuse_turning(const model *m, fail *why)
{
	return scree_refuse(why,
						"the time step %.3g s is too large for rolling_friction or twisting_friction with this "
						"damping: bodies that rest on several contacts would gain energy; set run.step to %.3g s, at "
						"most %.3g s, or use a higher restitution; %s",
						m->dt, m->usual_step, m->safe_step, ALLOW);
}

bool scree_world_bonds_refuse(const model *m, fail *why)
{
	return scree_refuse(why,
						"the time step %.3g s is too large for bonds of %s and %s: two bodies oscillate with a period "
						"of %.3g s, and implicit steps would not converge; set run.step to %.3g s, at most %.3g s; %s",
						m->dt, m->material.row[m->swinging[0]].name, m->material.row[m->swinging[1]].name,
						2 * m->bond_time, m->bond_time, BOND_MOST * m->bond_time, ALLOW);
}

bool scree_step_refuse_contacts(const model *m, fail *why)
{
	const real rounding = (real)1e-9;
	bool follows = !(m->dt > (1 + rounding) * LARGEST_PART * m->contact_time);
	if (m->dt > m->turning_step && follows) return refuse_turning(m, why);
	return scree_refuse(why,
						"the time step %.3g s is too large%s%s%s: a contact of %s with %s lasts only %.3g s; set "
						"run.step to %.3g s (1/%.0f of it), at most %.3g s%s; %s",
						m->dt, follows ? " for damping and integrator " : "", follows ? m->integrator->name : "",
						follows ? ", bodies on several contacts would gain energy" : "",
						m->material.row[m->stiffest[0]].name, m->material.row[m->stiffest[1]].name, m->contact_time,
						m->usual_step, m->contact_time / m->usual_step, m->safe_step,
						follows ? ", or use a higher restitution" : "", ALLOW);
}
