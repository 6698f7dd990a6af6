/* step_forces: THE time step for soft contacts; step_impulses.c is its sibling. Velocity Verlet with velocities
 * predicted to the full step, so that the laws see positions and velocities of the same time (docs/architecture.md).
 * Read this first. */
#include "step.h"

#include "broad/stage.h"
#include "guard/guard.h"
#include "law/stage.h"
#include "model/integrator.h"
#include "motion/stage.h"
#include "narrow/narrow.h"
#include "narrow/stage.h"
#include "population/stage.h"
#include "sum/stage.h"
#include "world/world.h"

/* Energy held by contacts that exist at the start counts as brought, and they may give it back (kernel/restraint.h).
 * The law also counts the half step before each step; before the first step there was none. */
static void note_initial_patches(const model *m, state *s, int kind)
{
	pair_list *l = s->pair + kind;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
		real held = l->elastic[c.row], power = l->power[c.row], heat = l->heat[c.row];
		scree_history_restart(l, c.row);
		l->work[c.row] = -held - m->dt / 2 * power;
		l->lost_normal[c.row] = -m->dt / 2 * heat;
		if (scree_contact_counted(s, kind, c.row)) scree_fixed_add(&s->energy.brought, held);
	}
}

/* Clears a contact's springs. Contacts of the start have yielded to their overlap before, which lost nothing. */
static void begin_anew(pair_list *l, int64_t k)
{
	const bool yields = l->remembers & REMEMBERS_DEEPEST;
	const real deepest = yields ? l->deepest[k] : 0, torn = yields ? l->torn[k] : 0;
	scree_history_restart(l, k);
	if (yields) l->deepest[k] = deepest, l->torn[k] = torn;
}

/* For contacts without an account. */
static void note_initial_points(const model *m, state *s, const work *w, int kind)
{
	pair_list *l = s->pair + kind;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
		real held = scree_contact_look(m, s, w, kind, c.row).elastic;
		if (!scree_contact_counted(s, kind, c.row)) continue;
		scree_fixed_add(&s->energy.brought, held);
		if (!contact_work_plain(&w->pair[kind].contact)) scree_fixed_add(&s->energy.made, -held);
	}
	for (int32_t p = 0; p < l->pieces; ++p)
		for (int64_t k = l->base[p]; k < l->base[p] + l->used[p]; ++k) begin_anew(l, k);
}

/* before: the ledger without the contacts of the start */
static void note_initial_contacts(const model *m, state *s, work *w, const ledger *before)
{
	real power = s->energy.points_power, heat = s->energy.points_heat;
	s->energy = *before;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		if (s->pair[kind].remembers & REMEMBERS_ACCOUNT)
			note_initial_patches(m, s, kind);
		else
			note_initial_points(m, s, w, kind);
	}
	if (w->domain.first) {
		scree_fixed_add(&s->energy.made, -power / 2);
		scree_fixed_add(&s->energy.lost_normal, -heat / 2);
	}
	scree_sums_forget(w);
	scree_contacts_answer(m, s, w, s->time);
}

void scree_contacts_of_now(const model *m, state *s, work *w)
{
	if (scree_domain_any(&w->domain, w->skin.stale)) {
		scree_bodies_to_pairs(m, s, w);
		w->paired_at = s->time; /* walls have not moved yet */
	}
	scree_bodies_to_records(m, s, w);
	scree_halos_renew(m, s, w);
	scree_thinnest_renew(m, s, w);
	scree_pairs_to_rows(m, s, w);
	scree_sums_prepare(m, s, w, true);
	if (m->implicit)
		scree_bodies_limits(m, s, w);
	else
		scree_pairs_to_contacts(m, s, w);
}

void scree_contacts_answer(const model *m, state *s, work *w, real time)
{
	if (m->implicit) {
		scree_contacts_to_impulses(m, s, w, time);
		scree_domain_join(&w->domain);
		scree_external_forces_joined(m, s, w);
	} else {
		scree_contacts_to_forces(m, s, w);
		scree_domain_join(&w->domain);
		scree_contacts_to_forces_joined(m, s, w);
	}
}

/* time: s, of positions and velocities */
static void add_forces(const model *m, state *s, work *w, real time)
{
	scree_forces_to_bodies(m, s, w);
	s->energy.fluid_power = s->energy.method_now = 0;
	if (m->fluid.on) scree_fluid_to_bodies(m, s, w);
	if (m->applied) scree_applied_to_bodies(m, s, w, time);
}

void scree_external_forces_joined(const model *m, state *s, work *w)
{
	if (m->implicit) {
		scree_outer_work_joined(m, s, w);
		return;
	}
	if (m->fluid.on) scree_fluid_to_bodies_joined(m, s, w);
	if (m->applied) scree_applied_to_bodies_joined(m, s, w);
}

static void forces_joined(const model *m, state *s, work *w)
{
	scree_forces_to_bodies_joined(m, s, w);
	scree_external_forces_joined(m, s, w);
}

void scree_contacts_read(const model *m, state *s, work *w)
{
	if (!s->begun || m->solver) return;
	/* correctors have moved bodies since */
	if (m->integrator->gear || scree_domain_any(&w->domain, !w->rebuilds)) scree_contacts_of_now(m, s, w);
}

void scree_forces_of_now(const model *m, state *s, work *w)
{
	if (m->implicit)
		scree_loads_to_walls(m, w); /* the forces on bodies are there */
	else
		add_forces(m, s, w, s->time);
	scree_domain_join(&w->domain);
	if (m->implicit)
		scree_loads_to_walls_joined(m, s, w);
	else
		forces_joined(m, s, w);
}

void scree_overlaps_of_now(const model *m, state *s, work *w)
{
	scree_bodies_into_bodies(m, s, w);
	scree_domain_join(&w->domain);
	scree_overlap_noted(w);
}

/* Bonds of the start count as contacts at once. */
static void begin_bonds(const model *m, state *s, work *w)
{
	const int64_t apart = scree_bonds_begin(m, s);
	if (s->pair[PAIR_SPHERE_SPHERE].remembers & REMEMBERS_BONDS) w->touching += scree_domain_count(&w->domain, apart);
}

/* Bodies set up in contact feel it from the start: without these forces the first half kick would be missing, an
 * error of first order. */
void scree_forces_of_the_start(const model *m, state *s, work *w)
{
	if (m->implicit) scree_bodies_limits(m, s, w);
	scree_contacts_of_now(m, s, w);
	const ledger before = s->energy;
	restored *came = scree_restored_find(s, w);
	if (m->implicit && !s->begun) scree_bonds_begin(m, s); /* they act in the first half step */
	scree_contacts_answer(m, s, w, s->time);
	if (came)
		scree_restored_settle(m, s, w, came, &before);
	else if (!s->begun)
		note_initial_contacts(m, s, w, &before);
	if (!m->implicit && !s->begun) begin_bonds(m, s, w);
	scree_forces_of_now(m, s, w);
	/* there was no half step before; the power of walls is great only if an implicit step begins with their impact */
	const real power = m->implicit ? s->energy.wall_power : s->energy.fluid_power;
	if (w->domain.first) scree_fixed_add(&s->energy.wall_work, -m->dt / 2 * power);
	if (m->implicit) scree_outer_work_begin(m, s, w);
	if (came) scree_restored_end(s, came);
	scree_overlaps_of_now(m, s, w);
	if (!s->begun && m->integrator->start) m->integrator->start(m, s, 0, s->body.owned);
}

/* Whether bodies are read between this step and the next: flying bodies must then be where they belong. */
static bool bodies_are_read(const model *m, const state *s, const work *w)
{
	return s->step % ENERGY_STEPS == 0 || !(w->greatest_speed >= 0) || w->left_domain || w->passed.found ||
		   !scree_halos_quiet(m, s, w);
}

bool scree_step_forces(const model *m, state *s, work *w)
{
	clock_table *clock = &w->clock;
	scree_clock_start(clock);
	scree_population_run(m, s, w,
						 scree_ball_meets_wall); /* sinks remove bodies, sources add bodies: marks the pairs stale */
	scree_clock_lap(clock, CLOCK_POPULATION);

	if (!s->begun) scree_forces_of_the_start(m, s, w);
	if (!scree_step_drift(m, s, w)) return false;
	scree_clock_lap(clock, CLOCK_DRIFT);

	scree_pairs_renew(m, s, w); /* when bodies may have left the reach of their pairs */
	real *noted = scree_planes_note(m, s);
	scree_clock_lap(clock, CLOCK_BROAD);

	scree_pairs_to_contacts(m, s, w); /* measures the time of bodies and of walls itself */
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
	if (m->period.deforms) scree_cell_end(m, s);
	scree_clock_lap(clock, CLOCK_KICK);

	scree_step_look(m, s, w, scree_time_of(m, s, s->step + 1));
	scree_domain_join(&w->domain); /* the second message of two to all other parts of the world */
	scree_contacts_to_forces_joined(m, s, w);
	forces_joined(m, s, w);
	scree_forces_to_motion_kick_joined(m, w);

	scree_planes_after(m, s, noted);
	scree_walls_kick(m, s, w);
	w->ghosts_behind = w->domain.by->refresh != NULL;
	scree_step_count(m, s);
	if (s->step % ENERGY_STEPS == 0) scree_ghosts_catch_up(m, s, w);
	scree_flights_decide(m, s, w, bodies_are_read(m, s, w));
	scree_clock_lap(clock, CLOCK_KICK);
	return scree_step_holds(m, s, w);
}
