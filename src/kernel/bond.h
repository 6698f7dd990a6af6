/* bond.h: a parallel bond (Potyondy and Cundall 2004; docs/theory/laws.md, "Bonds"): an elastic beam between the
 * centres of two spheres or discs that breaks when its largest stress reaches its strength. All functions are pure. */
#ifndef SCREE_KERNEL_BOND_H
#define SCREE_KERNEL_BOND_H

#include "base/real.h"

/* Rules for bonds between two materials, from the scene. */
typedef struct bond_rule {
	real young, ratio;	 /* normal stiffness in Pa; ratio of normal to shear stiffness */
	real tension, shear; /* mean strengths in Pa; there are no bonds if tension is 0 */
	real deviation;		 /* relative deviation of the strengths */
	real factor;		 /* radius of the bond over the radius of the smaller body */
	real damping;		 /* damping ratio of the springs */
	real gap;			 /* bodies closer than this become bonded, in m */
	real from;			 /* time at which bonds form, in s */
	int64_t seed;		 /* seed of the random strengths */
} bond_rule;

typedef struct bonded_body {
	real radius, inv_mass;
} bonded_body;

/* Springs and dashpots of one bond. */
typedef struct bond_form {
	real area, radius, second, polar;	/* the section and its moments, in m2, m, m4; polar is 0 in the plane */
	real along, across, bends, twists;	/* N/m, N m */
	real along_dashpot, across_dashpot; /* N s/m */
	real bends_dashpot, twists_dashpot; /* N m s */
	/* squared frequencies of the two bodies in isolation, in tension and in shear, in 1/s2 */
	real along_omega2, across_omega2;
	real bends_omega2, twists_omega2;
} bond_form;

/* inverse inertia of a sphere, or of a disc in the plane, in 1/(kg m2) */
SCREE_FN real bonded_ease(const bonded_body *b, bool flat)
{
	return b->inv_mass / ((flat ? (real)0.5 : (real)0.4) * b->radius * b->radius);
}

SCREE_FN real bond_dashpot(real damping, real spring, real ease) { return 2 * damping * sqrt(spring / ease); }

/* length: distance between the centres when the bond formed, in m; thickness: thickness of the plane, in m; 0 in space.
 * At least one of the bodies must have a finite mass. */
SCREE_FN bond_form bond_form_of(const bond_rule *r, bonded_body a, bonded_body b, real length, real thickness)
{
	const real pi = (real)3.14159265358979323846;
	const bool flat = thickness > 0;
	const real radius = r->factor * real_min(a.radius, b.radius), radius2 = radius * radius;
	const real normal = r->young / length, shear = normal / r->ratio;
	const real turn_a = bonded_ease(&a, flat), turn_b = bonded_ease(&b, flat);
	const real push = a.inv_mass + b.inv_mass, turn = turn_a + turn_b;
	bond_form o;
	o.radius = radius;
	o.area = flat ? 2 * radius * thickness : pi * radius2;
	o.second = flat ? (real)2 / 3 * radius * radius2 * thickness : pi / 4 * radius2 * radius2;
	o.polar = flat ? 0 : 2 * o.second;
	o.along = normal * o.area;
	o.across = shear * o.area;
	o.bends = normal * o.second;
	o.twists = shear * o.polar;
	o.along_dashpot = bond_dashpot(r->damping, o.along, push);
	o.across_dashpot = bond_dashpot(r->damping, o.across, push);
	o.bends_dashpot = bond_dashpot(r->damping, o.bends, turn);
	o.twists_dashpot = bond_dashpot(r->damping, o.twists, turn);
	o.along_omega2 = o.along * push;
	o.across_omega2 = o.across * (push + turn_a * a.radius * a.radius + turn_b * b.radius * b.radius) + o.bends * turn;
	o.bends_omega2 = o.bends * turn;
	o.twists_omega2 = o.twists * turn;
	return o;
}

typedef struct bond_motion {
	vec3 normal;		 /* from b to a */
	vec3 at;			 /* vector from the centre of a to the point at which the bond acts, in m */
	vec3 velocity, spin; /* velocity at that point, in m/s; angular velocity, in rad/s */
	/* rotation of the bond, in rad/s: rotation of the line of centres, and the mean spin of both bodies about it */
	vec3 turns;
	real distance; /* m, between the centres */
} bond_motion;

/* v: velocity of the centre of a relative to the centre of b; apart: vector from b to a */
SCREE_FN bond_motion bond_motion_of(vec3 normal, vec3 at, real distance, vec3 v, vec3 apart, vec3 wa, vec3 wb)
{
	const vec3 from_b = v3_add(at, apart), mean = v3_mul((real)0.5, v3_add(wa, wb));
	bond_motion m;
	m.normal = normal;
	m.at = at;
	m.velocity = v3_add(v, v3_sub(v3_cross(wa, at), v3_cross(wb, from_b)));
	m.spin = v3_sub(wa, wb);
	m.turns = v3_madd(v3_mul(1 / distance, v3_cross(normal, v)), v3_dot(mean, normal), normal);
	m.distance = distance;
	return m;
}

/* Displacement of a relative to b perpendicular to the normal, and rotation, both since the bond formed. */
typedef struct bond_springs {
	vec3 shear, turn; /* m, rad */
} bond_springs;

SCREE_FN vec3 bond_across(vec3 v, vec3 n) { return v3_madd(v, -v3_dot(v, n), n); }

/* v rotated by a small angle with Cayley's rotation, which preserves lengths */
SCREE_FN vec3 bond_turned(vec3 v, vec3 angle)
{
	const vec3 h = v3_mul((real)0.5, angle), once = v3_cross(h, v);
	return v3_madd(v, 2 / (1 + v3_dot(h, h)), v3_add(once, v3_cross(h, once)));
}

SCREE_FN bond_springs bond_ahead(bond_springs s, const bond_motion *m, real ahead)
{
	s.shear = v3_madd(s.shear, ahead, bond_across(m->velocity, m->normal));
	s.turn = v3_madd(s.turn, ahead, m->spin);
	return s;
}

/* Returns the springs at the current time from the springs of the last step, which are half a step ahead. */
SCREE_FN bond_springs bond_carried(bond_springs s, const bond_motion *m, real dt)
{
	const vec3 angle = v3_mul(dt, m->turns);
	s.shear = bond_across(bond_turned(s.shear, angle), m->normal);
	s.turn = bond_turned(s.turn, angle);
	return bond_ahead(s, m, dt / 2);
}

/* Returns the springs at the end of a long step; m is the motion at its middle. The update is symmetric in time, so a
 * pair that oscillates and rotates gains no energy. normal: normal at the end of the step */
SCREE_FN bond_springs bond_moved(bond_springs s, const bond_motion *m, vec3 normal, real dt)
{
	const vec3 turns = v3_mul(dt / 2, m->turns);
	s.shear = bond_turned(s.shear, turns), s.turn = bond_turned(s.turn, turns);
	s = bond_ahead(s, m, dt);
	s.shear = bond_across(bond_turned(s.shear, turns), normal), s.turn = bond_turned(s.turn, turns);
	return s;
}

typedef struct bond_load {
	real held;			 /* J */
	real tension, shear; /* Pa */
} bond_load;

/* stretch: increase in length, in m */
SCREE_FN bond_load bond_load_of(const bond_form *f, vec3 n, real stretch, const bond_springs *s)
{
	const vec3 bending = bond_across(s->turn, n);
	const real twist = v3_dot(s->turn, n), bent = v3_dot(bending, bending), sheared = v3_dot(s->shear, s->shear);
	bond_load o;
	o.held =
		(real)0.5 * (f->along * stretch * stretch + f->across * sheared + f->bends * bent + f->twists * twist * twist);
	o.tension = f->along * stretch / f->area + f->bends * sqrt(bent) * f->radius / f->second;
	o.shear = f->across * sqrt(sheared) / f->area;
	o.shear += f->polar > 0 ? f->twists * real_abs(twist) * f->radius / f->polar : 0;
	return o;
}

typedef struct bond_result {
	vec3 force, torque; /* force and moment on a, about its centre, in N and N m */
	real normal;		/* N, > 0: pushes */
	bond_load load;
	real heat, heat_across, heat_turning; /* W */
} bond_result;

SCREE_FN bond_result bond_act(const bond_form *f, const bond_motion *m, const bond_springs *s, real length)
{
	const vec3 n = m->normal, slides = bond_across(m->velocity, n), bending = bond_across(s->turn, n);
	const vec3 rolls = bond_across(m->spin, n);
	const real twist = v3_dot(s->turn, n), twists = v3_dot(m->spin, n), vn = v3_dot(m->velocity, n);
	const real stretch = m->distance - length;
	bond_result o;
	o.normal = -f->along * stretch - f->along_dashpot * vn;
	const vec3 across = v3_madd(v3_mul(-f->across, s->shear), -f->across_dashpot, slides);
	const vec3 moment = v3_madd(v3_madd(v3_mul(-f->bends, bending), -f->bends_dashpot, rolls),
								-(f->twists * twist + f->twists_dashpot * twists), n);
	o.force = v3_madd(across, o.normal, n);
	o.torque = v3_add(v3_cross(m->at, o.force), moment);
	o.load = bond_load_of(f, n, stretch, s);
	o.heat = f->along_dashpot * vn * vn;
	o.heat_across = f->across_dashpot * v3_dot(slides, slides);
	o.heat_turning = f->bends_dashpot * v3_dot(rolls, rolls) + f->twists_dashpot * twists * twists;
	return o;
}

#endif
