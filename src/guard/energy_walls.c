/* energy_walls: free walls in the balance of the guard of energy. They are bodies of one degree of freedom, and their
 * energy is in the ledger. A wall that touches no body is like a body in free flight: however fast, its energy is no
 * measure of contacts. But springs and dampers act on it, and the integration of these has an error of its own. */
#include "guard/energy.h"

#include "model/model.h"
#include "state/state.h"

/* J, in motion and in its spring. The weight of a wall only moves energy between both. */
static real energy_of(const wall *o, const wall_state *s)
{
	const servo_rule *r = &o->motion.servo;
	return r->mass / 2 * s->servo.speed * s->servo.speed + r->spring / 2 * s->servo.way * s->servo.way;
}

energy_walls scree_energy_walls(const model *m, const state *s, real most)
{
	energy_walls sum = {0, 0};
	for (int32_t k = 0; k < m->wall.count; ++k) {
		if (!motion_is_free(m->wall.row[k].motion.type)) continue;
		const real energy = energy_of(m->wall.row + k, s->wall + k);
		if (s->wall[k].servo.contacts > 0)
			sum.moving += energy;
		else
			sum.waiting += most > 0 ? real_min(energy, most) : energy;
	}
	return sum;
}

/* Velocity Verlet conserves the energy of a spring but for a part (omega dt)^2/4 of it, which swings. */
real scree_energy_walls_swing(const model *m, const state *s)
{
	real sum = 0;
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const wall *o = m->wall.row + k;
		if (!motion_is_free(o->motion.type) || !(o->servo.mass > 0)) continue;
		const real damps = o->motion.servo.damper / o->servo.mass;
		const real rate = o->motion.servo.spring / o->servo.mass + damps * damps;
		sum += real_min(rate * m->dt * m->dt, 1) * energy_of(o, s->wall + k);
	}
	return sum;
}
