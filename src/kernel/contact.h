/* contact.h: code common to contacts with one point and patches: cohesion in addition to the normal force, then
 * friction and energies. Also contains the data of both partners of a contact (two bodies, or a body and a wall). All
 * functions are pure. on_wall: whether b is a wall; a compile-time constant. */
#ifndef SCREE_KERNEL_CONTACT_H
#define SCREE_KERNEL_CONTACT_H

#include "base/real.h"
#include "kernel/cohesion.h"
#include "kernel/turning.h"

typedef struct partners {
	/* velocity of a relative to b (of the centres, or on a wall at the centre of a), and angular velocities */
	vec3 v, wa, wb;
	vec3 apart;	 /* vector from the centre of b (or the wall's position) to the centre of a */
	real ra, rb; /* radii */
	real ma, mb; /* 1 / masses; on a wall, ma is the mass of a */
} partners;

SCREE_FN real reduced_radius(const partners *p, bool on_wall)
{
	return on_wall ? p->ra : p->ra * p->rb / (p->ra + p->rb);
}
SCREE_FN real reduced_mass(const partners *p, bool on_wall) { return on_wall ? p->ma : 1 / (p->ma + p->mb); }
/* Overlap over the diameter of the smaller body. */
SCREE_FN real overlap_part(const partners *p, real depth) { return depth / (2 * real_min(p->ra, p->rb)); }

/* Velocity of a relative to b at the point `at` from the centre of a. */
SCREE_FN vec3 slip_velocity(const partners *p, vec3 at, bool on_wall)
{
	vec3 from_b = on_wall ? at : v3_add(at, p->apart); /* on a wall the stored velocity is that at the centre of a */
	return v3_add(p->v, v3_sub(v3_cross(p->wa, at), v3_cross(p->wb, from_b)));
}

/* Torque on b about its centre or a wall's position; with the opposite force, the sum about any point is zero. */
SCREE_FN vec3 torque_on(vec3 force, vec3 torque, vec3 apart) { return v3_neg(v3_add(torque, v3_cross(apart, force))); }

typedef struct sticking {
	real pull;	 /* addition to the normal force for friction and rolling, in N */
	real radius; /* radius of the contact circle for JKR, in m; otherwise 0 */
	/* whether the contact ended within the step; if so, the normal force is the fraction that still has to act */
	bool ended;
	real left; /* if ended: fraction of the tangential spring's force that still has to act */
} sticking;

SCREE_FN bool is_jkr(const contact_constants *c, enum law_row law)
{
	return c->cohesion == COHESION_JKR && law == LAW_HERTZ;
}

SCREE_FN bool is_capillary(const contact_constants *c) { return c->cohesion == COHESION_CAPILLARY; }

SCREE_FN bool jumps(const contact_constants *c, enum law_row law)
{
	return is_jkr(c, law) || c->cohesion == COHESION_DMT || is_capillary(c);
}

/* Scales the attraction of a contact that fades into another contact (docs/theory/smooth.md, "Capsules"), since the
 * attraction of DMT does not depend on the overlap. */
SCREE_FN contact_constants pull_in_part(contact_constants c, real part)
{
	if (c.cohesion == COHESION_DMT) c.surface *= part;
	return c;
}

/* Adds attraction to the spring; JKR replaces it. share: fraction of a force that jumps (kernel/cohesion.h) */
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
		o.pull =
			/* the force that presses the surfaces together for friction does not jump */
			jkr ? a.pull + (1 - share) * whole : 0;
		o.radius = jkr ? a.radius : 0;
	}
	adhesion d = adhesion_dmt(c->surface, c->radius, deep), m = adhesion_simple(c->surface, c->radius, deep);
	bool simple = c->cohesion == COHESION_SIMPLE;
	real pull = dmt ? share * d.force : simple ? m.force : 0, energy = dmt ? d.energy : simple ? m.energy : 0;
	if (is_capillary(c)) {
		const adhesion b = adhesion_capillary(c->surface, c->volume, c->radius, depth);
		const bool apart = depth < 0; /* no other force acts at a distance */
		normal->force = apart ? 0 : normal->force;
		normal->elastic = apart ? 0 : normal->elastic;
		normal->power = apart ? 0 : normal->power;
		normal->heat = apart ? 0 : normal->heat;
		pull = share * b.force, energy = b.energy;
	}
	normal->force -= pull;
	normal->elastic += energy;
	normal->power -= pull * vn;
	o.pull += pull;
	return o;
}

/* Overlap, below zero, at which a cohesive contact ends. */
SCREE_FN real end_of(const contact_constants *c, enum law_row law)
{
	bool jkr = is_jkr(c, law);
	real length = law == LAW_HERTZ ? jkr_length(jkr ? c->surface : 1, (real)0.75 * c->stiffness, c->radius) : 0;
	return jkr ? -JKR_SNAP * length : is_capillary(c) ? -c->ruptures : 0;
}

/* Ratio of overlap to radius that sets the stiffness of springs perpendicular to the normal if only a bridge holds the
 * bodies. There is then no friction, but a scale above 0 marks the contact as lasting. */
SCREE_CONSTANT real BRIDGED = (real)1e-18;

typedef struct contact_motion {
	vec3 normal;		   /* from b to a */
	vec3 at;			   /* vector from the centre of a to the point where friction acts, in m */
	vec3 velocity;		   /* velocity of a relative to b at that point, in m/s */
	vec3 angular_velocity; /* angular velocity of a relative to b, in rad/s */
	real arm;			   /* patches only: mean distance of the pressure from its centre, in m */
} contact_motion;

/* Tangential state of a contact before it slips. */
typedef struct tangential {
	slip rate;		  /* tangential relative velocity */
	stretch spring;	  /* tangential spring */
	stiffening stiff; /* change in the stiffness of all springs */
	real damping, cap;
	real less; /* energy released by a spring whose stiffness decreased, in J */
} tangential;

/* Returns the force that presses the surfaces together. Cohesion makes this force larger than the external force. */
SCREE_FN real pressing(const normal_part *normal, const sticking *sticks, enum law_row law, enum extra extra)
{
	const bool pulls = extra == EXTRA_STICKS || law == LAW_PLASTIC;
	return pulls ? real_max(normal->force + sticks->pull, 0) : real_abs(normal->force);
}

/* mean: overlap that sets the tangential stiffness, or, for laws of volume and area, the factor of all stiffnesses.
 * patch: whether friction also resists rotation about the normal. patch, law and extra are compile-time constants. */
SCREE_FN tangential tangential_of(const contact_constants *c, const contact_motion *m, real mean,
								  const normal_part *normal, const contact_history *h, const sticking *sticks,
								  bool patch, enum law_row law, enum extra extra, real dt)
{
	const vec3 n = m->normal;
	real arm = patch ? m->arm : 0;
	const slip rate = {v3_madd(m->velocity, -v3_dot(m->velocity, n), n),
					   patch ? arm * v3_dot(m->angular_velocity, n) : 0};
	const slip held = {h->spring, patch ? h->spun : 0};

	const bool bridged = extra == EXTRA_STICKS && is_capillary(c);
	real scale = law == LAW_HERTZ ? sqrt(c->radius * (bridged ? real_max(mean, BRIDGED * c->radius) : mean))
				 : is_energy(law) ? mean
								  : 1;
	if (extra == EXTRA_STICKS) scale = sticks->radius > 0 ? sticks->radius : scale;
	if (extra != EXTRA_NONE && law == LAW_POWER) scale = sqrt(real_max(mean, 0));
	if (patch) scale *= c->part;
	tangential g;
	g.rate = rate;
	g.stiff = stiffening_of(h->scale, scale);
	slip spring = carried_slip(&g.stiff, held, rate, dt);
	g.damping = c->shear_damping * sqrt(c->mass * scale);
	g.less = dropped(&g.stiff, c->shear, spring, rate, patch, dt);
	g.cap = c->friction * pressing(normal, sticks, law, extra);
	g.spring = stretch_of(spring, rate, n, patch, dt);
	return g;
}

/* Returns friction, energies and the next history of a contact from its normal part and tangential state, without
 * resistance to turning. The history is zero if there is no contact now. moment: moment of the normal forces about the
 * centre of a */
SCREE_FN contact_result contact_friction(const contact_constants *c, const contact_motion *m, const tangential *g,
										 normal_part normal, vec3 moment, const contact_history *h,
										 const sticking *sticks, bool now, bool patch, enum law_row law,
										 enum extra extra, real dt)
{
	const vec3 n = m->normal;
	const real arm = patch ? m->arm : 0, bent = h->stored, scale = g->stiff.now, ratio = g->stiff.ratio;
	slider t = law == LAW_POWER ? drag(g->rate, patch, c->shear, g->cap)
								: slide(g->spring, bent * ratio, g->stiff.fresh, g->rate, patch, c->shear * scale,
										g->damping, g->cap, dt);
	bool ended = extra == EXTRA_STICKS && sticks->ended, acts = now || ended;
	bool rough = c->friction > 0;

	vec3 friction = v3(rough ? t.force.x : 0, rough ? t.force.y : 0, rough ? t.force.z : 0);
	real let_go = 0; /* power in W; times dt, it is the work of the last spring force since its evaluation */
	if (extra == EXTRA_STICKS) {
		/* only one-point contacts can end within a step, never patches */
		vec3 flat = v3_madd(h->spring, -v3_dot(h->spring, n), n);
		vec3 last = v3_mul(-c->shear * g->stiff.before, flat);
		friction = v3(ended ? sticks->left * last.x : friction.x, ended ? sticks->left * last.y : friction.y,
					  ended ? sticks->left * last.z : friction.z);
		let_go = ended ? ((real)0.5 + sticks->left) * v3_dot(last, g->rate.flat) : 0;
	}
	vec3 f = v3_madd(friction, normal.force, n);
	vec3 ta = v3_add(moment, v3_cross(m->at, friction));
	if (patch) ta = v3_madd(ta, rough ? arm * t.turns : 0, n);
	contact_result o;
	o.history.rolling = v3(0, 0, 0);
	o.history.rolled = o.history.twist = o.history.twisted = 0;
	o.history.deepest = o.history.torn = 0;
	o.force = v3(acts ? f.x : 0, acts ? f.y : 0, acts ? f.z : 0);
	o.torque = v3(acts ? ta.x : 0, acts ? ta.y : 0, acts ? ta.z : 0);
	o.normal = acts ? normal.force : 0;
	bool keeps = now && rough;
	o.history.spring = v3(keeps ? t.spring.x : 0, keeps ? t.spring.y : 0, keeps ? t.spring.z : 0);
	o.history.spun = patch && keeps ? t.spun : 0;
	o.history.scale = now ? scale : 0;
	o.history.stored = keeps ? t.stored : 0;

	/* energies follow the trapezoidal rule (docs/theory/laws.md, "The ledger") */
	real friction_heat = rough ? t.heat : 0;
	o.tally.normal = acts ? dt * normal.heat : 0;
	/* a spring whose stiffness changes (eq. 12) only loses energy, by slip at the contact's rim, which is friction */
	o.tally.friction = now ? dt * friction_heat + bent * (1 - ratio) + (rough ? t.lost + g->less : 0) : 0;
	o.tally.rolling = 0;
	o.tally.work = now ? dt * normal.power : ended ? dt * (normal.power + let_go) : 0;
	o.tally.elastic = acts ? normal.elastic : 0;
	/* a contact that has ended does not have a second half step */
	o.tally.power = now ? normal.power : 0;
	o.tally.heat = now ? normal.heat + friction_heat : 0;
	return o;
}

/* Resistance of a contact to rolling and torsion, with its next history, which is zero if there is no contact now. */
typedef struct contact_turning {
	vec3 rolls;		 /* torque on a against rolling, in N m */
	real twists;	 /* torque on a about the normal, in N m */
	real lost, heat; /* energy lost in this step, in J, and present dissipation, in W */
	vec3 rolling;	 /* as in contact_history */
	real rolled, twist, twisted;
} contact_turning;

SCREE_FN contact_turning turning_of(const contact_constants *c, const contact_motion *m, const stiffening *stiff,
									const normal_part *normal, const contact_history *h, const sticking *sticks,
									bool now, enum law_row law, enum extra extra, real dt)
{
	const real pressed = pressing(normal, sticks, law, extra);
	const turning r = roll(h, c, m->normal, m->angular_velocity, pressed, law, stiff, dt);
	const turning q = twist(h, c, m->normal, m->angular_velocity, pressed, law, stiff, dt);
	contact_turning u = {r.by.force, q.by.force.x, r.lost + q.lost, r.by.heat + q.by.heat, {0, 0, 0}, 0, 0, 0};
	u.rolling = v3(now ? r.by.spring.x : 0, now ? r.by.spring.y : 0, now ? r.by.spring.z : 0);
	u.rolled = now ? r.by.stored : 0;
	u.twist = now ? q.by.spring.x : 0;
	u.twisted = now ? q.by.stored : 0;
	return u;
}

/* Adds the resistance to turning, but not its history. */
SCREE_FN void add_turning(contact_result *o, const contact_turning *u, vec3 n, bool now)
{
	const vec3 with = v3_madd(v3_add(o->torque, u->rolls), u->twists, n);
	o->torque = v3(now ? with.x : o->torque.x, now ? with.y : o->torque.y, now ? with.z : o->torque.z);
	o->tally.rolling = now ? u->lost : 0;
	o->tally.heat = now ? o->tally.heat + u->heat : 0;
}

SCREE_FN void turning_kept(contact_history *h, const contact_turning *u)
{
	h->rolling = u->rolling;
	h->rolled = u->rolled;
	h->twist = u->twist;
	h->twisted = u->twisted;
}

#endif
