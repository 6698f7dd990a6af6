/* forces: the main time step, for soft contacts (alternatives: implicit.c, impulses.c). Velocity Verlet with velocities
 * predicted for the full step, so that laws see positions and velocities at the same time (docs/architecture.md). Each
 * stage is one call; numbers from all parts are available after scree_join (work/joint.h). Read this first. */
#include "step/step.h"

#include "broad/stage.h"
#include "law/stage.h"
#include "model/response.h"
#include "motion/stage.h"
#include "narrow/stage.h"
#include "sum/stage.h"
#include "world/world.h"

/* Sums contact forces and adds forces of the fluid and of a program. time: of positions and velocities, in s */
static void add_forces(const model *m, state *s, work *w, real time)
{
	scree_forces_to_bodies(m, s, w);
	s->energy.fluid_power = s->energy.method_now = 0;
	if (m->fluid.on) scree_fluid_to_bodies(m, s, w);
	if (m->applied) scree_applied_to_bodies(m, s, w, time);
}

bool scree_step_forces(const model *m, state *s, work *w)
{
	scree_step_begin(m, s, w); /* sinks remove bodies and sources add them; also computes initial forces */
	if (!scree_step_drift(m, s, w)) return false;
	scree_clock_lap(&w->clock, CLOCK_DRIFT);
	return scree_step_after_drift(m, s, w);
}

bool scree_step_after_drift(const model *m, state *s, work *w)
{
	clock_table *clock = &w->clock;
	scree_pairs_renew(m, s, w); /* if bodies may have moved so far that their pairs are no longer valid */
	real *noted = scree_planes_note(m, s);
	scree_clock_lap(clock, CLOCK_BROAD);

	scree_pairs_to_contacts(m, s, w); /* times bodies and walls separately */
	scree_heat_begin(m, s, w);
	scree_contacts_to_forces(m, s, w);
	scree_heat_end(m, s, w);
	scree_bonds_form(m, s, s->time, scree_time_of(m, s, s->step + 1));
	scree_clock_lap(clock, CLOCK_LAW);

	scree_bodies_into_bodies(m, s, w);
	scree_bodies_over_bodies(m, s, w);
	scree_clock_lap(clock, CLOCK_NARROW);

	add_forces(m, s, w, scree_time_of(m, s, s->step + 1));
	scree_clock_lap(clock, CLOCK_SUM);

	scree_forces_to_motion_kick(m, s, w); /* the other half of the kick */
	scree_step_join(m, s, w);			  /* the second of two messages to all other parts of the world */
	scree_planes_after(m, s, noted);
	scree_step_end(m, s, w);
	scree_flights_decide(m, s, w, scree_step_is_read(m, s, w));
	scree_clock_lap(clock, CLOCK_KICK);
	return scree_step_holds(m, s, w);
}

static void answer(const model *m, state *s, work *w, real time)
{
	(void)time;
	scree_contacts_to_forces(m, s, w);
}

static void load(const model *m, state *s, work *w) { add_forces(m, s, w, s->time); }

const step_kind scree_step_by_forces = {.step = scree_step_forces,
										.stale_here = scree_pairs_stale_here,
										.ghosts = SHARE_STEP,
										.find = scree_pairs_to_contacts,
										.answer = answer,
										.load = load};
