/* step_forces: THE time step for soft contacts; step_impulses.c is its sibling. Velocity Verlet with velocities
 * predicted to the full step, so that the laws see positions and velocities of one moment (docs/architecture.md). Read
 * this first. */
#include "stages.h"

#include "guard/guard.h"

/* What contacts hold that are there from the start was brought along, and they may give it back (kernel/restraint.h).
 * The law counts half a step before each moment, too: before this one there was none. */
static void bring_patches(scree_world *w, int kind)
{
	pair_list *l = w->pair + kind;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
		real held = l->elastic[c.row], power = l->power[c.row], heat = l->heat[c.row];
		scree_history_clear(l, c.row, c.row + 1);
		l->work[c.row] = -held - w->dt / 2 * power;
		l->lost_normal[c.row] = -w->dt / 2 * heat;
		if (scree_contact_counted(w, kind, c.row)) scree_fixed_add(&w->energy.brought, held);
	}
}

/* The same of contacts that keep no account. */
static void bring_points(scree_world *w, int kind)
{
	pair_list *l = w->pair + kind;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
		real held = scree_contact_look(w, kind, c.row).elastic;
		if (!scree_contact_counted(w, kind, c.row)) continue;
		scree_fixed_add(&w->energy.brought, held);
		scree_fixed_add(&w->energy.made, -held);
	}
	for (int32_t p = 0; p < l->pieces; ++p) scree_history_clear(l, l->base[p], l->base[p] + l->used[p]);
}

/* before: the ledger without the contacts, of which only one look was taken */
static void bring_contacts(scree_world *w, const ledger *before)
{
	real power = w->energy.points_power, heat = w->energy.points_heat;
	w->energy = *before;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		if (w->pair[kind].remembers & REMEMBERS_ACCOUNT)
			bring_patches(w, kind);
		else
			bring_points(w, kind);
	}
	if (w->parts.first) {
		scree_fixed_add(&w->energy.made, -power / 2);
		scree_fixed_add(&w->energy.lost_normal, -heat / 2);
	}
	scree_sums_forget(w);
	scree_contacts_to_forces(w);
}

/* Bodies that are set up in contact feel it from the first moment: without the forces of the start the first half kick
 * would be missing, an error of first order. */
void scree_forces_of_the_start(scree_world *w)
{
	/* else somebody has looked at the contacts of the start */
	if (scree_domain_any(&w->parts, w->skin.stale)) scree_bodies_to_pairs(w);
	scree_bodies_to_records(w);
	scree_halos_renew(w);
	scree_thinnest_renew(w);
	scree_pairs_to_rows(w);
	scree_sums_prepare(w, true);
	scree_pairs_to_contacts(w);
	const ledger before = w->energy;
	brought *came = w->step == 0 ? scree_brought_find(w) : NULL;
	scree_contacts_to_forces(w);
	if (came)
		scree_brought_settle(w, came, &before);
	else if (w->step == 0)
		bring_contacts(w, &before);
	scree_forces_to_bodies(w);
	if (w->fluid.on) scree_fluid_to_bodies(w);
	if (came) scree_brought_end(w, came);
	scree_bodies_into_bodies(w);
	scree_motion_start(w, 0, w->body.owned);
	w->paired_at = w->time; /* walls move on from here */
}

bool scree_step_forces(scree_world *w)
{
	clock_table *clock = &w->clock;
	scree_clock_start(clock);

	scree_population_run(w); /* sinks take, sources add: marks the pairs stale */
	scree_clock_lap(clock, CLOCK_POPULATION);

	if (w->step == 0) scree_forces_of_the_start(w);
	scree_forces_to_motion_drift(w);
	if (w->not_a_number) return scree_guard_report(w, false, true); /* before anything searches space for it */
	if (w->period.on) scree_bodies_to_cells(w);
	scree_servos_drift(&w->wall, w->time, w->dt);
	scree_walls_move(&w->wall, w->time + w->dt);
	scree_clock_lap(clock, CLOCK_DRIFT);

	scree_pairs_renew(w); /* when something may have left the reach of its pairs */
	scree_clock_lap(clock, CLOCK_BROAD);

	scree_pairs_to_contacts(w); /* stops the time of bodies and of walls by itself */

	scree_contacts_to_forces(w);
	scree_clock_lap(clock, CLOCK_LAW);

	scree_bodies_into_bodies(w);
	scree_bodies_over_bodies(w);
	scree_clock_lap(clock, CLOCK_NARROW);

	scree_forces_to_bodies(w);
	if (w->fluid.on) scree_fluid_to_bodies(w);
	scree_clock_lap(clock, CLOCK_SUM);

	scree_forces_to_motion_kick(w); /* the other half of the kick */
	scree_servos_kick(&w->wall, w->time, w->dt);
	scree_ghosts_follow(w);
	w->time = (real)(w->step + 1) * w->dt;
	w->step += 1;
	if (w->step == w->flight.until || w->step % ENERGY_STEPS == 0 || w->left_domain || !scree_halos_quiet(w) ||
		w->passed.found)
		scree_flights_land(w); /* somebody looks at bodies */
	else
		scree_flights_begin(w);
	scree_clock_lap(clock, CLOCK_KICK);

	scree_bodies_through_walls(w, w->time);
	scree_clock_lap(clock, CLOCK_WALLS);

	return scree_guards_hold(w) && scree_energy_holds(w);
}
