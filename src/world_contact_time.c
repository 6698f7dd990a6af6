/* world_contact_time: the shortest contact that can happen in a world, from the lightest and smallest bodies that there
 * are or will be, and the time steps that follow from it (docs/theory/laws.md, motion.md). */
#include "world_parts.h"

#include "base/memory.h"

/* ------------------------------------------------------------------ extremes */

static void note_round(extremes *e, real small, real large)
{
	e->small = e->large > 0 ? real_min(e->small, small) : small;
	e->large = real_max(e->large, large);
}

/* Chords of round shapes, and of polygons of many corners, grow with the overlap: that of an eighth of the diameter. */
static real widest_chord(const shape *s)
{
	real longest = s->inradius;
	for (int32_t k = 0; k < s->flat.corners; ++k) longest = real_max(longest, s->flat.corner[k].length);
	return longest;
}

static void note_body(const scree_world *w, extremes *e, const shape *s, real size, real mass, real radius)
{
	real face = w->flat ? widest_chord(s) : scree_shape_widest_face(s);
	e->slim = real_max(e->slim, w->flat ? face / scree_world_round(w, s, 1) : face * face * size / (s->volume * mass));
	if (w->flat) e->arm = real_max(e->arm, s->volume * s->radius * s->radius / s->inertia.z);
	e->mass = e->body ? real_min(e->mass, mass) : mass;
	e->radius = e->body ? real_min(e->radius, radius) : radius;
	e->body = true;
	e->bodies += 1;
}

/* what turns it most easily; moments and mass of any unit that they share */
static void note_turning(const scree_world *w, extremes *e, vec3 inertia, real mass, real round)
{
	real least = w->flat ? inertia.z : real_min(inertia.x, real_min(inertia.y, inertia.z));
	e->ease = real_max(e->ease, mass * round * round / least);
}

static void note_source(const scree_world *w, const source *s, extremes *e)
{
	for (int32_t p = 0; p < s->parts; ++p) {
		const mix_part *m = s->part + p;
		const shape *o = w->shape.row + m->shape;
		real size = scree_spread_smallest(&m->size);
		real volume = o->volume * size * size * (w->flat ? w->thickness : size);
		real cut = m->size.cut > 0 ? m->size.cut : 3;
		real large = m->size.type == SPREAD_ONE		  ? m->size.a
					 : m->size.type == SPREAD_UNIFORM ? m->size.b
													  : m->size.a + cut * m->size.b;
		note_body(w, e, o, size, w->material.row[s->material].density * volume, o->inradius * size);
		note_turning(w, e, o->inertia, o->volume, scree_world_round(w, o, 1));
		note_round(e, scree_world_round(w, o, size), scree_world_round(w, o, large));
		e->bodies += 1; /* a source makes more than one */
	}
}

/* a speed that will hardly be exceeded: the guard's, or the initial one and that of a fall through the bodies' extent
 */
static real typical_speed(const scree_world *w)
{
	if (w->guard.speed > 0) return w->guard.speed;
	const bodies *b = &w->body;
	real v2 = 0;
	vec3 low = v3(0, 0, 0), high = low;
	for (int32_t i = 0; i < b->count; ++i) {
		vec3 p = body_position(b, i);
		if (i == 0) low = high = p;
		low = v3(real_min(low.x, p.x), real_min(low.y, p.y), real_min(low.z, p.z));
		high = v3(real_max(high.x, p.x), real_max(high.y, p.y), real_max(high.z, p.z));
		v2 = real_max(v2, v3_norm2(body_velocity(b, i)));
	}
	v2 += 2 * v3_norm(w->gravity) * v3_norm(v3_sub(high, low));
	return v2 > 0 ? sqrt(v2) : 1;
}

extremes *scree_extremes(const scree_world *w)
{
	extremes *e = scree_alloc((size_t)w->material.count, sizeof *e);
	const bodies *body = &w->body;
	for (int32_t i = 0; i < body->count; ++i) {
		extremes *o = e + body->material[i];
		if (body->inv_mass[i] > 0) {
			note_body(w, o, w->shape.row + body->shape[i], body->size[i], body->mass[i], body->round[i]);
			note_turning(w, o, v3(body->ix[i], body->iy[i], body->iz[i]), body->mass[i], body->round[i]);
		}
		note_round(o, body->round[i], body->round[i]);
	}
	for (int32_t k = 0; k < w->people.sources; ++k)
		note_source(w, w->people.source + k, e + w->people.source[k].material);
	for (int32_t k = 0; k < w->wall.count; ++k) e[w->wall.row[k].material].wall = true;
	for (int32_t i = 0; i < w->body.count; ++i) /* held bodies give way as little as walls */
		if (w->body.inv_mass[i] == 0) e[w->body.material[i]].wall = true;
	return e;
}

/* ------------------------------------------------------------------ the step */

/* Of a law of overlaps: the greatest weight (law/patches.c). In the plane it is (chord/l)^2 with l twice the radius of
 * the smaller one at least, with a wall four times that of the body; literally no square, and l half as long. */
static real greatest_weight(const scree_world *w, const extremes *a, const extremes *b, real mass, bool two,
							int32_t law)
{
	if (!w->flat) return mass * (two ? a->slim + b->slim : a->slim);
	real part = (two ? real_max(a->slim, b->slim) / 2 : a->slim / 4);
	return law == LAW_AREA_LITERAL ? 2 * part : part * part;
}

static const real USUAL_PART = 0.02, LARGEST_PART = 0.1;
/* In a packing a body has several contacts, and what turns is lighter than what moves: its stiffest mode and the
 * damping of that are 2.2 to 2.3 times those of one contact (measured in heaps, docs/theory/motion.md). */
static const real USUAL_MODE = 3, LEAST_MODE = 2.2;
static const real CALM_MODE = 2.5; /* of velocity Verlet in space, for a note */
/* Of velocity Verlet in the plane: the contacts of a body that count, for a step that is safe and for the longest one.
 * By laws this part of them: a spring that grows with the overlap is softer at rest than in the impact that gives the
 * contact time, and one of areas than flat along the longest edge (measured, docs/theory/motion.md). */
static const real USUAL_CONTACTS = 6, LEAST_CONTACTS = 4;
static const real AT_REST[LAWS] = {
	[LAW_LINEAR] = 1, [LAW_HERTZ] = (real)1 / 2, [LAW_POWER] = (real)1 / 2,
	[LAW_VOLUME] = 1, [LAW_AREA] = (real)1 / 3,	 [LAW_AREA_LITERAL] = (real)1 / 3,
};

/* One contact as an oscillator: its time is pi/(root omega). */
typedef struct swing {
	real zeta, root;
	real rub; /* damping of what slides, over m omega */
} swing;

static swing swing_of(const law_constants *c, real mass, real speed, real time)
{
	bool longer = (c->law == LAW_LINEAR || scree_laws[c->law].overlaps) && c->damping < 1; /* by its damping */
	swing s = {.zeta = scree_law_damping_ratio(c, mass, speed)};
	s.root = longer ? sqrt(1 - s.zeta * s.zeta) : 1;
	real spring = c->law == LAW_HERTZ ? (real)1.5 * c->stiffness : c->stiffness; /* as c->shear is one */
	s.rub = c->law == LAW_POWER ? c->shear * time / (SCREE_PI * mass) : 2 * s.zeta * sqrt(c->shear / spring);
	if (c->friction == 0) s.rub = 0;
	return s;
}

/* What a packing makes of one contact: its stiffest mode has omega and zeta times `mode`. In the plane `contacts` count
 * besides; bodies that all turn the same way slide on each other twice as fast as either turns, so that what rubs has
 * contacts times `arm`, that is mass R^2/moment of inertia, the damping of one. */
typedef struct packing {
	real mode, contacts, arm;
} packing;

/* The longest step that a packing bears, in parts of the time of a contact. Gear's integrators bear little damping. */
static real stable_part(const scree_world *w, const swing *s, packing p)
{
	const gear_rule *r = w->mover->gear;
	if (r) return s->root / (SCREE_PI * p.mode * (r->limit[0] + r->limit[1] * p.mode * s->zeta));
	real many = w->flat ? p.contacts : p.mode * p.mode;
	real damped = real_max(2 * s->zeta * many, w->flat ? s->rub * many * p.arm : 0);
	return s->root / SCREE_PI * scree_step_angle(w, many, damped);
}

static real shorter(real a, real b) { return a > 0 ? real_min(a, b) : b; }

static bool heeds_damping(const scree_world *w) { return w->mover->gear || w->flat; }

/* Steps for contacts of this time, of which these parts are safe and the most that a packing bears. In space velocity
 * Verlet takes longer ones, too, also where no step is given: a note says so. */
static void note_steps(scree_world *w, real time, real safe, real most)
{
	bool heeded = heeds_damping(w);
	w->usual_step = shorter(w->usual_step, time * (heeded ? real_min(USUAL_PART, safe) : USUAL_PART));
	w->safe_step = shorter(w->safe_step, time * (heeded ? real_min(LARGEST_PART, most) : LARGEST_PART));
	w->calm_step = shorter(w->calm_step, time * (heeded ? safe : most));
}

/* Steps that resistance to turning bears are heeded in space as well: the default is shorter where it has to be. */
static void note_turning_steps(scree_world *w, real angle_time, step_bound b)
{
	w->usual_step = real_min(w->usual_step, angle_time * b.safe);
	w->calm_step = real_min(w->calm_step, angle_time * b.safe);
	w->turning_step = real_min(w->turning_step, angle_time * b.most);
	w->safe_step = real_min(w->safe_step, w->turning_step);
}

/* m R^2 of a contact over that of body a alone, for the turning of both against each other: 1/4 for two that are alike.
 * Walls touch a body in a third as many places as other bodies do. */
static real turned_together(const extremes *a, const extremes *b, bool two)
{
	real part = two ? b->radius / (a->radius + b->radius) : 1;
	return two ? 2 * part * part * b->mass / (a->mass + b->mass) : (real)1 / 3;
}

static void heed_drag(scree_world *w)
{
	step_bound b = scree_step_drag(w);
	w->drag_step = b.most;
	if (w->usual_step > 0) w->usual_step = real_min(w->usual_step, b.safe);
}

/* the shortest contact that two bodies, or a body and a wall, can have */
void scree_world_contact_time(scree_world *w, const extremes *e)
{
	int32_t n = w->material.count;
	real speed = typical_speed(w);
	w->contact_time = w->safe_step = w->usual_step = w->calm_step = 0;
	w->turning_step = INFINITY;
	for (int32_t a = 0; a < n; ++a) {
		for (int32_t b = 0; b < n; ++b) {
			bool two = extremes_meet(e, a, b); /* lighter together than a body against a wall */
			if (!e[a].body || !(two || e[b].wall)) continue;
			const law_constants *c = w->constants + a * n + b;
			real mass = two ? e[a].mass * e[b].mass / (e[a].mass + e[b].mass) : e[a].mass;
			real radius = two ? e[a].radius * e[b].radius / (e[a].radius + e[b].radius) : e[a].radius;
			if (scree_laws[c->law].overlaps) radius = greatest_weight(w, e + a, e + b, mass, two, c->law);
			real t = scree_laws[c->law].contact_time(c, mass, radius, speed);
			real arm = AT_REST[c->law] * real_max(e[a].arm, two ? e[b].arm : 0);
			swing s = swing_of(c, mass, speed, t);
			note_steps(w, t, stable_part(w, &s, (packing){USUAL_MODE, USUAL_CONTACTS, arm}),
					   stable_part(w, &s, (packing){w->mover->gear ? LEAST_MODE : CALM_MODE, LEAST_CONTACTS, arm}));
			real share = e[a].ease * turned_together(e + a, e + b, two);
			note_turning_steps(w, t * s.root / SCREE_PI, scree_step_turning(w, c, s.zeta, share));
			if (w->contact_time > 0 && !(t < w->contact_time)) continue;
			w->contact_time = t;
			w->stiffest[0] = a;
			w->stiffest[1] = b;
		}
	}
	heed_drag(w);
}

static bool refuse_turning(const scree_world *w, fail *why)
{
	return scree_fail(why, FAIL_INPUT,
					  "the time step %.3g s is too large for rolling_friction or twisting_friction with this damping: "
					  "bodies that rest on several contacts would gain energy; take %.3g s, at most %.3g s, or a "
					  "higher restitution",
					  w->dt, w->usual_step, w->turning_step);
}

bool scree_world_step_fits(const scree_world *w, fail *why)
{
	/* bodies of a resumed run may have become faster, which must not stop it */
	if (w->step > 0 || w->unsafe) return true;
	if (w->dt > w->drag_step) return scree_step_refuse_drag(w, why);
	if (!(w->contact_time > 0) || !(w->dt > w->safe_step)) return true;
	if (w->dt > w->turning_step && !(w->dt > LARGEST_PART * w->contact_time)) return refuse_turning(w, why);
	bool damping = heeds_damping(w) && !(w->dt > LARGEST_PART * w->contact_time);
	return scree_fail(
		why, FAIL_INPUT,
		"the time step %.3g s is too large%s%s: a contact of %s with %s lasts only %.3g s; take %.3g s (1/%.0f of it), "
		"at most %.3g s",
		w->dt, damping ? " for damping and integrator " : "", damping ? w->mover->name : "",
		w->material.row[w->stiffest[0]].name, w->material.row[w->stiffest[1]].name, w->contact_time, w->usual_step,
		w->contact_time / w->usual_step, w->safe_step);
}
