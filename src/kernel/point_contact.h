/* point_contact.h: one step of a contact with one point, for example between spheres. All functions are pure. */
#ifndef SCREE_KERNEL_POINT_CONTACT_H
#define SCREE_KERNEL_POINT_CONTACT_H

#include "kernel/contact.h"
#include "kernel/contact_law.h"
#include "kernel/sphere_contact.h"

typedef struct point_step {
	vec3 velocity;		   /* velocity of a relative to b at the contact point, in m/s */
	vec3 angular_velocity; /* angular velocity of a relative to b, in rad/s */
	bool touches;		   /* whether the overlap is >= 0; point_trial_of computes when a cohesive contact ends */
	real dt;			   /* step in s; 0 to evaluate only, without advancing springs */
} point_step;

/* First half of the computation: normal force, and tangential state before slip. */
typedef struct point_trial {
	bool touches;
	normal_part normal;
	real deepest, torn,
		yielded; /* for the plastic law: largest overlap as in the history; energy lost in this step, in J */
	sticking sticks;
	tangential of;
} point_trial;

typedef struct point_result {
	contact_result of;
	bool touches;
	real torn; /* energy lost by a contact that broke or yielded, in J */
} point_result;

SCREE_FN contact_motion motion_at(const sphere_contact *at, const point_step *s)
{
	contact_motion m = {at->normal, at->at, s->velocity, s->angular_velocity, 0};
	return m;
}

SCREE_FN point_trial point_trial_of(const contact_constants *c, const sphere_contact *at, const point_step *s,
									const contact_history *h, enum law_row law, enum extra extra)
{
	bool now = s->touches, ended = false;
	real end = 0, depth = at->depth;
	if (extra == EXTRA_STICKS) {
		bool touched = h->scale > 0;
		end = end_of(c, law);
		now = at->depth > 0 ? now : touched && at->depth > end;
		ended = jumps(c, law) && touched && !now;
		depth = ended ? end : at->depth;
	}
	real vn = v3_dot(s->velocity, at->normal);
	point_trial g;
	g.touches = now;
	g.sticks.pull = g.sticks.radius = g.sticks.left = 0, g.sticks.ended = false;
	g.deepest = g.torn = g.yielded = 0;
	if (law == LAW_PLASTIC) {
		/* for a row that does not touch, only the history is known */
		const plastic_part p = normal_plastic(c, depth, vn, h->deepest);
		g.normal = p.normal, g.sticks.pull = p.pull;
		g.deepest = now ? p.deepest : 0, g.torn = now ? p.torn : 0, g.yielded = now ? p.lost : h->torn;
	} else {
		g.normal = normal_by(law, c, 1, extra == EXTRA_STICKS ? real_max(depth, 0) : depth, vn);
	}
	if (extra == EXTRA_STICKS && law != LAW_PLASTIC) {
		real left = ended ? share_ended(end - at->depth, vn * s->dt) : 0;
		real begun = h->scale > 0 || !jumps(c, law) ? 1 : share_begun(at->depth, -vn * s->dt);
		g.sticks = adhere(c, law, depth, vn, ended ? left : begun, &g.normal);
		g.sticks.left = left;
		g.sticks.ended = ended;
	}
	contact_motion m = motion_at(at, s);
	g.of = tangential_of(c, &m, depth, &g.normal, h, &g.sticks, false, law, extra, s->dt);
	return g;
}

/* The resistance to turning, which is the last term of the second half. */
SCREE_FN contact_turning point_turning(const contact_constants *c, const sphere_contact *at, const point_step *s,
									   const point_trial *g, const contact_history *h, enum law_row law,
									   enum extra extra)
{
	contact_motion m = motion_at(at, s);
	return turning_of(c, &m, &g->of.stiff, &g->normal, h, &g->sticks, g->touches, law, extra, s->dt);
}

/* The second half without the resistance to turning. */
SCREE_FN point_result point_friction(const contact_constants *c, const sphere_contact *at, const point_step *s,
									 const point_trial *g, const contact_history *h, enum law_row law, enum extra extra)
{
	vec3 moment = v3_cross(at->at, v3_mul(g->normal.force, at->normal));
	contact_motion m = motion_at(at, s);
	point_result r = {
		contact_friction(c, &m, &g->of, g->normal, moment, h, &g->sticks, g->touches, false, law, extra, s->dt),
		g->touches, 0};
	if (law == LAW_PLASTIC) {
		r.of.history.deepest = g->deepest, r.of.history.torn = g->torn;
		r.torn = g->yielded;
	}
	/* the energy left in a broken contact heats the grains */
	if (extra == EXTRA_STICKS && law != LAW_PLASTIC) r.torn = g->sticks.ended ? real_max(r.of.tally.elastic, 0) : 0;
	return r;
}

SCREE_FN point_result point_slip(const contact_constants *c, const sphere_contact *at, const point_step *s,
								 const point_trial *g, const contact_history *h, enum law_row law, enum extra extra)
{
	point_result r = point_friction(c, at, s, g, h, law, extra);
	if (extra == EXTRA_NONE) return r;
	const contact_turning u = point_turning(c, at, s, g, h, law, extra);
	add_turning(&r.of, &u, at->normal, g->touches);
	turning_kept(&r.of.history, &u);
	return r;
}

SCREE_FN point_result point_contact(const contact_constants *c, const sphere_contact *at, const point_step *s,
									const contact_history *h, enum law_row law, enum extra extra)
{
	point_trial g = point_trial_of(c, at, s, h, law, extra);
	return point_slip(c, at, s, &g, h, law, extra);
}

/* Returns the history of a contact at the present time; stored springs are half a step ahead. A step with dt = 0 then
 * evaluates the contact between two steps. */
SCREE_FN contact_history history_now(contact_history h, vec3 velocity, vec3 spin, vec3 n, real dt)
{
	vec3 flat = v3_madd(velocity, -v3_dot(velocity, n), n), roll = v3_madd(spin, -v3_dot(spin, n), n);
	h.spring = v3_madd(h.spring, -dt / 2, flat);
	h.rolling = v3_madd(h.rolling, -dt / 2, roll);
	h.twist -= dt / 2 * v3_dot(spin, n);
	return h;
}

#endif
