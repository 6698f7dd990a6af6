/* steps: the time step by forces of a world whose state stays on a device, with the same bits as in step/forces.c.
 *
 * Kernels make steps in batches, as long as all are usual ones. A step in which a body leaves the reach of its pairs or
 * the domain, or moves unusually far, is made by the host, with the function of all other worlds, and so are all
 * searches for pairs. After a batch the host takes the report of each step, in order: it moves walls, adds energies to
 * the ledger, counts the step and tests the guards. */
#include "resident/resident.h"

#include "broad/stage.h"
#include "guard/guard.h"
#include "law/stage.h"
#include "model/response.h"
#include "motion/stage.h"
#include "machine/machine.h"
#include "step/step.h"
#include "sum/stage.h"
#include "world/world.h"

#include <string.h>

static real number_of(uint64_t bits)
{
	real x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

/* ------------------------------------------------------------------ the report of a step */

static void take_sums(const model *m, state *s, work *w, const uint64_t *report)
{
	fixed *all = w->joint.law;
	memset(all, 0, sizeof w->joint.law);
	all[TALLY_NORMAL].quanta = resident_sum(report + REPORT_NORMAL);
	all[TALLY_FRICTION].quanta = resident_sum(report + REPORT_FRICTION);
	all[TALLY_ROLLING].quanta = resident_sum(report + REPORT_ROLLING);
	all[TALLY_HEAT].quanta = resident_sum(report + REPORT_HEAT);
	all[LAW_TOUCHING].quanta = (int128)report[REPORT_TOUCHING];
	all[LAW_UNBEARABLE].quanta = (int128)report[REPORT_UNBEARABLE] + (int128)report[REPORT_OVERFLOW];
	w->sums.most = number_of(report[REPORT_MOST]);
	w->greatest_overlap_part = number_of(report[REPORT_OVERLAP]);
	scree_fixed_join(&s->energy.lost_normal, (fixed){resident_sum(report + REPORT_LEFT_NORMAL), 0});
	scree_fixed_join(&s->energy.lost_friction, (fixed){resident_sum(report + REPORT_LEFT_FRICTION), 0});
	scree_fixed_join(&s->energy.lost_rolling, (fixed){resident_sum(report + REPORT_LEFT_ROLLING), 0});
	scree_fixed_join(&s->energy.made, (fixed){resident_sum(report + REPORT_LEFT_MADE), 0});
	scree_contact_sums_use(m, s, w);
	s->energy.fluid_power = s->energy.method_now = 0;
}

/* The loads on moving walls, and their work. */
static void take_loads(const model *m, state *s, work *w, const uint64_t *load)
{
	for (int32_t k = 0; k < m->wall.count; ++k, load += LOAD_ON_WALL_WORDS) {
		fixed *all = w->load + (size_t)k * WALL_SUMS;
		for (int c = 0; c < WALL_CONTACTS; ++c) all[c] = (fixed){resident_sum(load + 2 * c), 0};
		all[WALL_CONTACTS] = (fixed){(int128)load[LOAD_ON_WALL_CONTACTS], 0};
	}
	scree_wall_loads_use(m, s, w);
}

static void take_motion(work *w, const uint64_t *report)
{
	w->skin.since += 1;
	w->drift_way = w->skin.step = number_of(report[REPORT_LONGEST]);
	w->greatest_speed = sqrt(number_of(report[REPORT_FASTEST]));
	w->left_domain = false;
	w->passed.found = false;
	w->joint.breach = w->joint.crossed = w->joint.passed = 0;
}

/* Reads the state back before anything else reads it. Contacts with walls are found again at the present poses. */
static void read_back(const model *m, state *s, work *w)
{
	if (!scree_resident_read(s, w)) return;
	scree_bodies_to_records(m, s, w);
	m->response->steps->find(m, s, w);
}

/* last: the device makes no further step before the host has taken this one */
static bool take_step(const model *m, state *s, work *w, int64_t k, bool last)
{
	const uint64_t *report = scree_resident_report(w, k);
	take_motion(w, report);
	scree_walls_drift(m, s, w);
	take_sums(m, s, w, report);
	take_loads(m, s, w, scree_resident_loads(w, k));
	scree_step_end(m, s, w);
	if (last) read_back(m, s, w);
	return scree_step_holds(m, s, w);
}

/* ------------------------------------------------------------------ batches */

/* Steps until someone reads the state. */
static int64_t steps_ahead(const state *s, const work *w)
{
	int64_t steps = ENERGY_STEPS - s->step % ENERGY_STEPS;
	if (w->flight.until - s->step < steps) steps = w->flight.until - s->step;
	return steps < RESIDENT_BATCH ? steps : RESIDENT_BATCH;
}

/* The number of these steps in which no wall moves so far that it needs other pairs. */
static int64_t steps_of_walls(const model *m, const state *s, const work *w, int64_t steps)
{
	state at = *s;
	int64_t k = 0;
	for (; k < steps && !scree_pairs_stale_here(m, &at, w); ++k) at.time = scree_time_of(m, s, s->step + k + 1);
	return k;
}

static bool host_step(const model *m, state *s, work *w)
{
	read_back(m, s, w);
	scree_resident_by_host(w);
	return m->response->steps->step(m, s, w);
}

/* Makes the rest of a step whose drift the device has made, since it cannot find all contacts. */
static bool end_step(const model *m, state *s, work *w, int64_t k)
{
	take_motion(w, scree_resident_report(w, k));
	scree_resident_read(s, w);
	scree_bodies_to_records(m, s, w);
	scree_walls_drift(m, s, w);
	w->not_a_number = false;
	scree_resident_by_host(w);
	return scree_step_after_drift(m, s, w);
}

static bool make_steps(const model *m, state *s, work *w)
{
	scree_resident_check(m, s, w);
	if (!s->begun || w->skin.stale) return host_step(m, s, w);
	const int64_t wanted = steps_of_walls(m, s, w, steps_ahead(s, w));
	if (!wanted) return host_step(m, s, w);
	scree_clock_start(&w->clock);
	scree_resident_write(m, s, w, wanted);
	const int64_t made = scree_resident_launch(w, wanted);
	const int64_t end = s->step + made;
	const bool within = scree_resident_is_within(w, made, wanted);
	const bool read = (made < wanted && !within) || end == w->flight.until || end % ENERGY_STEPS == 0;
	bool holds = true;
	for (int64_t k = 0; k < made && holds; ++k) holds = take_step(m, s, w, k, read && k + 1 == made);
	scree_clock_lap(&w->clock, CLOCK_LAW);
	if (within) return holds && end_step(m, s, w, made);
	return made ? holds : host_step(m, s, w);
}

device *scree_resident_open(const char *name, fail *why)
{
	const device by = {.step = make_steps, .forget = scree_resident_forget, .close = scree_resident_close};
	const machine_kind *kind = scree_machine_kind(name);
	machine *on = kind ? scree_machine_open(kind, 0, why) : NULL;
	if (!kind) scree_refuse(why, "unknown machine %s: expected cpu, auto, opencl or cuda", name);
	return on ? (device *)(void *)scree_resident_memory(on, scree_machine_kind_name(kind), by) : NULL;
}
