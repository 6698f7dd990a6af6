/* grains.h: one step of touching spheres, for the host and for a device: contacts, sums and motion as in the engine,
 * from the headers in src/kernel. */
#ifndef GRAINS_H
#define GRAINS_H

#include "kernel/contact_quanta.h"
#include "kernel/motion.h"
#include "kernel/point_contact.h"

/* no padding, because records are compared byte by byte */
typedef struct grain {
	vec3 position, velocity, middle; /* middle: velocity halfway through the step */
	quat orientation;
	vec3 momentum, middle_momentum, spin;
	real radius, inv_mass, inertia, way;
} grain;

/* two grains that may touch, and their current contact */
typedef struct meeting {
	int64_t a, b, touches;
	contact_history history;
	contact_result result;
	contact_quanta quanta;
	tally_quanta tally;
} meeting;

typedef struct rule {
	law_constants of;
	int64_t law, extra;
	vec3 gravity;
	real dt, force_quantum, torque_quantum, energy_quantum;
} rule;

SCREE_FN meeting meet_by(meeting m, const grain *a, const grain *b, const rule *r, enum law_row law, enum extra extra)
{
	partners p = {v3_sub(a->velocity, b->velocity),
				  a->spin,
				  b->spin,
				  v3_sub(a->position, b->position),
				  a->radius,
				  b->radius,
				  a->inv_mass,
				  b->inv_mass};
	sphere_contact at = sphere_contact_of(p.apart, p.ra, p.rb);
	contact_constants c = constants_of(law, &r->of, reduced_radius(&p, false), reduced_mass(&p, false));
	point_step s = {slip_velocity(&p, at.at, false), v3_sub(p.wa, p.wb), at.depth > 0, r->dt};
	point_result o = point_contact(&c, &at, &s, &m.history, law, extra);
	real gone = o.touches ? 0 : m.history.stored + m.history.rolled + m.history.twisted;
	contact_load load = contact_load_of(o.of.force, o.of.torque, p.apart, 1 / r->force_quantum, 1 / r->torque_quantum);
	tally_load tally = tally_load_of(&o.of.tally, gone, o.torn, 1 / r->energy_quantum, r->dt);
	m.quanta = contact_quanta_of(&load);
	m.tally = tally_quanta_of(&tally);
	m.result = o.of;
	m.history = o.of.history;
	m.touches = o.touches ? 1 : 0;
	return m;
}

/* law and extra are constants, as in the engine's loops */
SCREE_FN meeting meet_extra(meeting m, const grain *a, const grain *b, const rule *r, enum law_row law)
{
	switch (r->extra) {
	case EXTRA_NONE:
		return meet_by(m, a, b, r, law, EXTRA_NONE);
	case EXTRA_TURNS:
		return meet_by(m, a, b, r, law, EXTRA_TURNS);
	default:
		return meet_by(m, a, b, r, law, law == LAW_POWER ? EXTRA_TURNS : EXTRA_STICKS);
	}
}

SCREE_FN meeting meet(meeting m, const grain *a, const grain *b, const rule *r)
{
	switch (r->law) {
	case LAW_LINEAR:
		return meet_extra(m, a, b, r, LAW_LINEAR);
	case LAW_POWER:
		return meet_extra(m, a, b, r, LAW_POWER);
	case LAW_PLASTIC:
		return meet_extra(m, a, b, r, LAW_PLASTIC);
	default:
		return meet_extra(m, a, b, r, LAW_HERTZ);
	}
}

/* force and torque from a sum of quanta */
typedef struct load {
	vec3 force, torque;
} load;

SCREE_FN load load_of(const int64_t sum[6], const rule *r)
{
	real f = r->force_quantum, t = r->torque_quantum;
	load o = {v3(f * (real)sum[0], f * (real)sum[1], f * (real)sum[2]),
			  v3(t * (real)sum[3], t * (real)sum[4], t * (real)sum[5])};
	return o;
}

SCREE_FN grain drift(grain g, load l, const rule *r)
{
	drifted d = drift_of(g.position, g.velocity, acceleration_of(l.force, g.inv_mass, r->gravity), r->dt);
	bool little = turns_little(g.momentum, l.torque, g.inertia, r->dt);
	vec3 inertia = v3(g.inertia, g.inertia, g.inertia);
	turned t = little ? turn_little(g.orientation, g.momentum, l.torque, g.inertia, r->dt)
					  : turn_drift(g.orientation, g.momentum, l.torque, inertia, r->dt);
	g.way += way_in_step(g.orientation, t.orientation, d.middle, swing_of(g.radius, g.radius), r->dt);
	g.position = d.position;
	g.velocity = d.velocity;
	g.middle = d.middle;
	g.orientation = t.orientation;
	g.middle_momentum = t.middle;
	g.spin = t.angular_velocity;
	return g;
}

SCREE_FN grain kick(grain g, load l, const rule *r)
{
	vec3 inertia = v3(g.inertia, g.inertia, g.inertia);
	turn_kicked t = turn_kick(g.orientation, g.middle_momentum, l.torque, inertia, r->dt);
	g.velocity = kick_of(g.middle, acceleration_of(l.force, g.inv_mass, r->gravity), r->dt);
	g.momentum = t.momentum;
	g.spin = t.angular_velocity;
	return g;
}

#endif
