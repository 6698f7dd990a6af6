/* contact.h: what contacts with one point and patches share: cohesion beside the normal force; friction and energies
 * once the normal part is known. */
#ifndef SCREE_LAW_CONTACT_H
#define SCREE_LAW_CONTACT_H

#include "kernel/cohesion.h"
#include "law/turning.h"

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

/* Friction, rolling resistance and energies of a contact whose normal part is known; writes what it remembers;
 * returns zeros if it does not touch now.
 * at: where the force acts, from the centre of a; mean: overlap that sets the tangential stiffness, of volumes and
 * areas the weight that stiffnesses are proportional to; moment: that of the normal forces about the centre of a;
 * patch: a constant to the compiler, whether friction resists a turn about the normal, too. The torque on b follows
 * from force and torque on a: sum/ does it. */
SCREE_FN contact_force finish(const job *j, int64_t k, bool now, const partners *p, const contact_constants *c, vec3 n,
							  vec3 at, vec3 v, real mean, normal_part normal, vec3 moment, bool patch, enum law_row law,
							  enum extra extra, const sticking *sticks)
{
	pair_list *l = j->list;
	real dt = j->dt, arm = patch ? l->arm[k] : 0;
	const slip rate = {v3_madd(v, -v3_dot(v, n), n), patch ? arm * v3_dot(v3_sub(p->wa, p->wb), n) : 0};
	const slip held = {v3(l->sx[k], l->sy[k], l->sz[k]), patch ? l->spun[k] : 0};

	real scale = law == LAW_HERTZ ? sqrt(c->radius * mean) : is_energy(law) ? mean : 1;
	if (extra == EXTRA_STICKS) scale = sticks->radius > 0 ? sticks->radius : scale;
	if (extra != EXTRA_NONE && law == LAW_POWER) scale = sqrt(real_max(mean, 0));
	const stiffening stiff = stiffening_of(l->stiff[k], scale);
	slip spring = carried_slip(&stiff, held, rate, dt);
	real damping = c->shear_damping * sqrt(c->mass * scale);
	real less = dropped(&stiff, c->shear, spring, rate, patch, dt), bent = l->bent[k];
	/* what presses the surfaces: with cohesion more than what is seen from outside */
	real pressed = extra == EXTRA_STICKS ? real_max(normal.force + sticks->pull, 0) : real_abs(normal.force);
	real cap = c->friction * pressed;
	slider t = law == LAW_POWER
				   ? drag(rate, patch, c->shear, cap)
				   : slide(spring, bent * stiff.ratio, stiff.fresh, rate, n, patch, c->shear * scale, damping, cap, dt);
	bool ended = extra == EXTRA_STICKS && sticks->ended, acts = now || ended;
	bool rough = c->friction > 0;

	vec3 friction = v3(rough ? t.force.x : 0, rough ? t.force.y : 0, rough ? t.force.z : 0);
	real let_go = 0; /* work of the last spring's force since it was last looked at */
	if (extra == EXTRA_STICKS) {
		vec3 flat = v3_madd(held.flat, -v3_dot(held.flat, n), n); /* no patch ends so */
		vec3 last = v3_mul(-c->shear * stiff.before, flat);
		friction = v3(ended ? sticks->left * last.x : friction.x, ended ? sticks->left * last.y : friction.y,
					  ended ? sticks->left * last.z : friction.z);
		let_go = ended ? ((real)0.5 + sticks->left) * v3_dot(last, rate.flat) : 0;
	}
	vec3 f = v3_madd(friction, normal.force, n);
	vec3 ta = v3_add(moment, v3_cross(at, friction));
	if (patch) ta = v3_madd(ta, rough ? arm * t.turns : 0, n);
	real roll_heat = 0;
	if (extra != EXTRA_NONE) {
		slider r = roll(j, k, now, p, c, n, pressed, law, &stiff);
		slider q = twist(j, k, now, p, c, n, pressed, law, &stiff);
		vec3 turned = v3_madd(v3_add(ta, r.force), q.force.x, n);
		ta = v3(ended ? ta.x : turned.x, ended ? ta.y : turned.y, ended ? ta.z : turned.z);
		roll_heat = r.heat + q.heat;
	}
	contact_force out = {v3(acts ? f.x : 0, acts ? f.y : 0, acts ? f.z : 0),
						 v3(acts ? ta.x : 0, acts ? ta.y : 0, acts ? ta.z : 0), acts ? normal.force : 0, 0};
	l->sx[k] = now ? (rough ? t.spring.x : 0) : l->sx[k];
	l->sy[k] = now ? (rough ? t.spring.y : 0) : l->sy[k];
	l->sz[k] = now ? (rough ? t.spring.z : 0) : l->sz[k];
	if (patch) l->spun[k] = now ? (rough ? t.spun : 0) : l->spun[k];
	l->stiff[k] = now ? scale : stiff.before;
	l->bent[k] = now ? (rough ? t.stored : 0) : bent;

	/* energies by the trapezoidal rule: docs/theory/laws.md, "The ledger" */
	real friction_heat = rough ? t.heat : 0;
	l->lost_normal[k] += acts ? dt * normal.heat : 0;
	/* a spring whose stiffness changes (12) only loses, by slip at the rim of the contact: friction's */
	l->lost_friction[k] += now ? dt * friction_heat + bent * (1 - stiff.ratio) + (rough ? t.lost + less : 0) : 0;
	l->work[k] += now ? dt * normal.power : ended ? dt * (normal.power + let_go) : 0;
	l->elastic[k] = acts ? normal.elastic : l->elastic[k];
	/* of one that ended no half step is still to come */
	l->power[k] = now ? normal.power : ended ? 0 : l->power[k];
	l->heat[k] = now ? normal.heat + friction_heat + roll_heat : l->heat[k];
	return out;
}

#endif
