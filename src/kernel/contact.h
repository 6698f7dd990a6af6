/* contact.h: what contacts with one point and patches share: cohesion beside the normal force; friction and energies
 * once the normal part is known. Values in, values out. */
#ifndef SCREE_KERNEL_CONTACT_H
#define SCREE_KERNEL_CONTACT_H

#include "kernel/cohesion.h"
#include "kernel/turning.h"

/* What comes beside the normal force and friction, each with what stands before it: as few loops as will do. */
enum extra { EXTRA_NONE, EXTRA_TURNS, EXTRA_STICKS, EXTRAS };

/* what attraction means for friction, rolling and the history */
typedef struct sticking {
	real pull;	 /* N: what they feel beside the normal force */
	real radius; /* m, JKR: of the circle of contact; else 0 */
	bool ended;	 /* it ended within the step: the normal force is what is left of it, and acts once more */
	real left;	 /* then the share of the spring across it that does */
} sticking;

SCREE_FN bool is_jkr(const contact_constants *c, enum law_row law)
{
	return c->cohesion == COHESION_JKR && law == LAW_HERTZ;
}

/* Does attraction begin and end with a jump? */
SCREE_FN bool jumps(const contact_constants *c, enum law_row law)
{
	return is_jkr(c, law) || c->cohesion == COHESION_DMT;
}

/* Attraction beside, or with JKR in place of, the spring of the law; share: of what jumps (kernel/cohesion.h). */
SCREE_FN sticking adhere(const contact_constants *c, enum law_row law, real depth, real vn, real share,
						 normal_part *normal)
{
	real young = (real)0.75 * c->stiffness, deep = real_max(depth, 0);
	bool jkr = is_jkr(c, law), dmt = c->cohesion == COHESION_DMT;
	sticking o = {0, 0, false, 0};
	if (law == LAW_HERTZ) {
		real gamma = jkr ? c->surface : 1, length = jkr_length(gamma, young, c->radius);
		adhesion a = adhesion_jkr(gamma, c->radius, length, depth);
		real dashpot = c->damping * sqrt(c->mass * a.radius) * vn, whole = a.force - dashpot;
		normal->force = jkr ? share * whole : normal->force;
		normal->elastic = jkr ? a.energy : normal->elastic;
		normal->power = jkr ? share * (a.force * vn) : normal->power;
		normal->heat = jkr ? share * (dashpot * vn) : normal->heat;
		o.pull = jkr ? a.pull + (1 - share) * whole : 0; /* friction has no jump */
		o.radius = jkr ? a.radius : 0;
	}
	adhesion d = adhesion_dmt(c->surface, c->radius, deep), m = adhesion_simple(c->surface, c->radius, deep);
	bool simple = c->cohesion == COHESION_SIMPLE;
	real pull = dmt ? share * d.force : simple ? m.force : 0, energy = dmt ? d.energy : simple ? m.energy : 0;
	normal->force -= pull;
	normal->elastic += energy;
	normal->power -= pull * vn;
	o.pull += pull;
	return o;
}

/* the overlap, below zero, at which a contact that sticks ends */
SCREE_FN real end_of(const contact_constants *c, enum law_row law)
{
	bool jkr = is_jkr(c, law);
	real length = law == LAW_HERTZ ? jkr_length(jkr ? c->surface : 1, (real)0.75 * c->stiffness, c->radius) : 0;
	return jkr ? -JKR_SNAP * length : 0;
}

/* How the two partners move at the place where friction acts. */
typedef struct contact_motion {
	vec3 normal;		   /* from b to a */
	vec3 at;			   /* m, from the centre of a: where friction acts */
	vec3 velocity;		   /* m/s, of a against b there */
	vec3 angular_velocity; /* rad/s, of a against b */
	real arm;			   /* m, of a patch: mean distance of the pressure from its centre */
} contact_motion;

/* How the surfaces of a contact hold each other, before anything slips. */
typedef struct tangential {
	slip rate;		  /* at which they move */
	stretch spring;	  /* across the normal */
	stiffening stiff; /* of all springs */
	real damping, cap;
	real less; /* J, of a spring that got softer */
} tangential;

/* what presses the surfaces: with cohesion more than what is seen from outside */
SCREE_FN real pressing(const normal_part *normal, const sticking *sticks, enum extra extra)
{
	return extra == EXTRA_STICKS ? real_max(normal->force + sticks->pull, 0) : real_abs(normal->force);
}

/* mean: overlap that sets the tangential stiffness, of volumes and areas the weight that stiffnesses are proportional
 * to; patch: a constant to the compiler, whether friction resists a turn about the normal, too; law and extra likewise.
 */
SCREE_FN tangential tangential_of(const contact_constants *c, const contact_motion *m, real mean,
								  const normal_part *normal, const contact_history *h, const sticking *sticks,
								  bool patch, enum law_row law, enum extra extra, real dt)
{
	const vec3 n = m->normal;
	real arm = patch ? m->arm : 0;
	const slip rate = {v3_madd(m->velocity, -v3_dot(m->velocity, n), n),
					   patch ? arm * v3_dot(m->angular_velocity, n) : 0};
	const slip held = {h->spring, patch ? h->spun : 0};

	real scale = law == LAW_HERTZ ? sqrt(c->radius * mean) : is_energy(law) ? mean : 1;
	if (extra == EXTRA_STICKS) scale = sticks->radius > 0 ? sticks->radius : scale;
	if (extra != EXTRA_NONE && law == LAW_POWER) scale = sqrt(real_max(mean, 0));
	if (patch) scale *= c->part;
	tangential g;
	g.rate = rate;
	g.stiff = stiffening_of(h->scale, scale);
	slip spring = carried_slip(&g.stiff, held, rate, dt);
	g.damping = c->shear_damping * sqrt(c->mass * scale);
	g.less = dropped(&g.stiff, c->shear, spring, rate, patch, dt);
	g.cap = c->friction * pressing(normal, sticks, extra);
	g.spring = stretch_of(spring, rate, n, patch, dt);
	return g;
}

/* Friction, rolling resistance and energies of a contact whose normal part and tangential are known, and what it will
 * remember: nothing if it does not touch now. moment: that of the normal forces about the centre of a */
SCREE_FN contact_result contact_of(const contact_constants *c, const contact_motion *m, const tangential *g,
								   normal_part normal, vec3 moment, const contact_history *h, const sticking *sticks,
								   bool now, bool patch, enum law_row law, enum extra extra, real dt)
{
	const vec3 n = m->normal;
	const real arm = patch ? m->arm : 0, bent = h->stored, scale = g->stiff.now, ratio = g->stiff.ratio;
	slider t = law == LAW_POWER ? drag(g->rate, patch, c->shear, g->cap)
								: slide(g->spring, bent * ratio, g->stiff.fresh, g->rate, patch, c->shear * scale,
										g->damping, g->cap, dt);
	bool ended = extra == EXTRA_STICKS && sticks->ended, acts = now || ended;
	bool rough = c->friction > 0;

	vec3 friction = v3(rough ? t.force.x : 0, rough ? t.force.y : 0, rough ? t.force.z : 0);
	real let_go = 0; /* work of the last spring's force since it was last looked at */
	if (extra == EXTRA_STICKS) {
		vec3 flat = v3_madd(h->spring, -v3_dot(h->spring, n), n); /* no patch ends so */
		vec3 last = v3_mul(-c->shear * g->stiff.before, flat);
		friction = v3(ended ? sticks->left * last.x : friction.x, ended ? sticks->left * last.y : friction.y,
					  ended ? sticks->left * last.z : friction.z);
		let_go = ended ? ((real)0.5 + sticks->left) * v3_dot(last, g->rate.flat) : 0;
	}
	vec3 f = v3_madd(friction, normal.force, n);
	vec3 ta = v3_add(moment, v3_cross(m->at, friction));
	if (patch) ta = v3_madd(ta, rough ? arm * t.turns : 0, n);
	contact_result o;
	real turned = 0; /* J, lost by turning; W: */
	real roll_heat = 0;
	o.history.rolling = v3(0, 0, 0);
	o.history.rolled = o.history.twist = o.history.twisted = 0;
	if (extra != EXTRA_NONE) {
		const real pressed = pressing(&normal, sticks, extra);
		turning r = roll(h, c, n, m->angular_velocity, pressed, law, &g->stiff, dt);
		turning q = twist(h, c, n, m->angular_velocity, pressed, law, &g->stiff, dt);
		vec3 with = v3_madd(v3_add(ta, r.by.force), q.by.force.x, n);
		ta = v3(ended ? ta.x : with.x, ended ? ta.y : with.y, ended ? ta.z : with.z);
		roll_heat = r.by.heat + q.by.heat;
		turned = now ? r.lost + q.lost : 0;
		o.history.rolling = v3(now ? r.by.spring.x : 0, now ? r.by.spring.y : 0, now ? r.by.spring.z : 0);
		o.history.rolled = now ? r.by.stored : 0;
		o.history.twist = now ? q.by.spring.x : 0;
		o.history.twisted = now ? q.by.stored : 0;
	}
	o.force = v3(acts ? f.x : 0, acts ? f.y : 0, acts ? f.z : 0);
	o.torque = v3(acts ? ta.x : 0, acts ? ta.y : 0, acts ? ta.z : 0);
	o.normal = acts ? normal.force : 0;
	bool keeps = now && rough;
	o.history.spring = v3(keeps ? t.spring.x : 0, keeps ? t.spring.y : 0, keeps ? t.spring.z : 0);
	o.history.spun = patch && keeps ? t.spun : 0;
	o.history.scale = now ? scale : 0;
	o.history.stored = keeps ? t.stored : 0;

	/* energies by the trapezoidal rule: docs/theory/laws.md, "The ledger" */
	real friction_heat = rough ? t.heat : 0;
	o.tally.normal = acts ? dt * normal.heat : 0;
	/* a spring whose stiffness changes (12) only loses, by slip at the rim of the contact: friction's */
	o.tally.friction = now ? dt * friction_heat + bent * (1 - ratio) + (rough ? t.lost + g->less : 0) : 0;
	o.tally.rolling = turned;
	o.tally.work = now ? dt * normal.power : ended ? dt * (normal.power + let_go) : 0;
	o.tally.elastic = acts ? normal.elastic : 0;
	/* of one that ended no half step is still to come */
	o.tally.power = now ? normal.power : 0;
	o.tally.heat = now ? normal.heat + friction_heat + roll_heat : 0;
	return o;
}

#endif
