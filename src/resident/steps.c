/* steps: the time step by forces of a world whose state stays on a device, with the same bits as in step/forces.c.
 *
 * Kernels make steps in batches, as long as all are usual ones, and search for pairs before a body leaves the reach of
 * its pairs. A step in which a body leaves the domain, or moves unusually far, is made by the host, with the function
 * of all other worlds. After a batch the host takes the report of each step, in order: it moves walls, adds energies to
 * the ledger, counts the step and tests the guards. */
#include "resident/resident.h"

#include "broad/stage.h"
#include "guard/guard.h"
#include "law/stage.h"
#include "model/response.h"
#include "motion/stage.h"
#include "machine/machine.h"
#include "population/stage.h"
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

static void take_sums(state *s, work *w, const uint64_t *report)
{
	fixed *all = w->joint.law;
	memset(all, 0, sizeof w->joint.law);
	all[TALLY_NORMAL].quanta = resident_sum(report + REPORT_NORMAL);
	all[TALLY_FRICTION].quanta = resident_sum(report + REPORT_FRICTION);
	all[TALLY_ROLLING].quanta = resident_sum(report + REPORT_ROLLING);
	all[TALLY_MADE].quanta = resident_sum(report + REPORT_MADE);
	all[TALLY_POWER].quanta = resident_sum(report + REPORT_POWER);
	all[TALLY_HEAT].quanta = resident_sum(report + REPORT_HEAT);
	all[LAW_IMAGES].quanta = resident_sum(report + REPORT_IMAGES);
	all[LAW_TOUCHING].quanta = (int128)report[REPORT_TOUCHING];
	all[LAW_UNBEARABLE].quanta = (int128)report[REPORT_UNBEARABLE] + (int128)report[REPORT_OVERFLOW];
	w->sums.most = number_of(report[REPORT_MOST]);
	w->greatest_overlap_part = number_of(report[REPORT_OVERLAP]);
	scree_fixed_join(&s->energy.lost_normal, (fixed){resident_sum(report + REPORT_LEFT_NORMAL), 0});
	scree_fixed_join(&s->energy.lost_friction, (fixed){resident_sum(report + REPORT_LEFT_FRICTION), 0});
	scree_fixed_join(&s->energy.lost_rolling, (fixed){resident_sum(report + REPORT_LEFT_ROLLING), 0});
	scree_fixed_join(&s->energy.made, (fixed){resident_sum(report + REPORT_LEFT_MADE), 0});
	scree_fixed_join(&s->energy.wall_work, (fixed){resident_sum(report + REPORT_CROSSED), 0});
	s->energy.fluid_power = s->energy.method_now = 0;
}

/* The loads on moving walls. */
static void take_loads(const model *m, work *w, const uint64_t *load)
{
	for (int32_t k = 0; k < m->wall.count; ++k, load += LOAD_ON_WALL_WORDS) {
		fixed *all = w->load + (size_t)k * WALL_SUMS;
		for (int c = 0; c < WALL_CONTACTS; ++c) all[c] = (fixed){resident_sum(load + 2 * c), 0};
		all[WALL_CONTACTS] = (fixed){(int128)load[LOAD_ON_WALL_CONTACTS], 0};
		w->joint.law[LAW_UNBEARABLE].quanta += load[LOAD_ON_WALL_BEYOND];
	}
}

static void take_motion(const model *m, state *s, work *w, const uint64_t *report)
{
	w->skin.since += 1;
	w->skin.step = number_of(report[REPORT_LONGEST]);
	scree_periods_set(&m->period, &s->images, s->step + 1 - s->step_from, m->dt);
	w->joint.fastest = number_of(report[REPORT_FASTEST]);
	w->left_domain = false;
	w->passed.found = false;
	w->joint.breach = w->joint.crossed = w->joint.passed = 0;
}

/* Combines the numbers of all parts of the world, and enters them in the ledger. stopped: 1 if the next step is left to
 * the host */
static void join_report(const model *m, state *s, work *w, real *stopped)
{
	scree_domain_put_most(&w->domain, 1, stopped);
	scree_domain_put_most(&w->domain, 1, &w->skin.step);
	scree_domain_put_most(&w->domain, 1, &w->joint.fastest);
	scree_domain_put_most(&w->domain, 1, &w->greatest_overlap_part);
	scree_domain_put_sum(&w->domain, LAW_SUMS, w->joint.law);
	scree_domain_put_sum(&w->domain, WALL_SUMS * m->wall.count, w->load);
	scree_domain_join(&w->domain);
	w->drift_way = w->skin.step + m->dt * periods_slip(&m->period, &s->images);
	w->greatest_speed = sqrt(w->joint.fastest);
	scree_contact_sums_use(m, s, w);
	scree_wall_loads_use(m, s, w);
}

/* Contacts with walls are found again at the present poses. */
static void find_contacts(const model *m, state *s, work *w)
{
	scree_bodies_to_records(m, s, w);
	m->response->steps->find(m, s, w);
}

/* Copies between host and device are timed as outputs. */
static bool copy_back(const model *m, state *s, work *w)
{
	scree_clock_lap(&w->clock, CLOCK_LAW);
	const bool copied = scree_resident_read(m, s, w);
	scree_clock_lap(&w->clock, CLOCK_OUTPUT);
	return copied;
}

/* Reads the state back before anything else reads it. */
static void read_back(const model *m, state *s, work *w)
{
	if (copy_back(m, s, w)) find_contacts(m, s, w);
}

/* last: the device makes no further step before the host has taken this one */
static bool take_step(const model *m, state *s, work *w, int64_t k, bool last)
{
	const uint64_t *report = scree_resident_report(w, k);
	take_motion(m, s, w, report);
	scree_walls_drift(m, s, w);
	take_sums(s, w, report);
	take_loads(m, w, scree_resident_loads(w, k));
	real stopped = scree_resident_stopped(w, k);
	join_report(m, s, w, &stopped);
	const bool read = (last || stopped > 0) && copy_back(m, s, w);
	scree_step_end(m, s, w); /* may send bodies to other parts */
	if (read) find_contacts(m, s, w);
	return scree_step_holds(m, s, w);
}

/* ------------------------------------------------------------------ batches */

/* Steps until someone reads the state. */
static int64_t steps_ahead(const state *s, const work *w)
{
	const int64_t every = scree_resident_read_every(w);
	int64_t steps = every - s->step % every;
	if (w->flight.until - s->step < steps) steps = w->flight.until - s->step;
	return steps < RESIDENT_BATCH ? steps : RESIDENT_BATCH;
}

/* The number of these steps in which no wall moves so far that it needs other pairs, and no source adds bodies. Walls
 * moved by forces need the loads of each step. */
static int64_t steps_alone(const model *m, const state *s, const work *w, int64_t steps)
{
	state at = *s;
	int64_t k = 0;
	if (!s->begun || w->skin.stale || !(w->skin.width > 0)) return 0;
	if (scree_walls_driven(&m->wall) && steps > 1) steps = 1;
	for (; k < steps && !scree_pairs_stale_here(m, &at, w) && !scree_sources_owe(m, &at); ++k)
		at.time = scree_time_of(m, s, s->step + k + 1);
	return k;
}

/* Parts of a divided world exchange bodies in each step. */
static int64_t steps_together(const work *w, int64_t steps)
{
	if (!w->domain.by->sent) return steps;
	return !scree_domain_any(&w->domain, steps == 0);
}

static bool host_step(const model *m, state *s, work *w)
{
	read_back(m, s, w);
	scree_resident_by_host(w);
	return m->response->steps->step(m, s, w);
}

/* Makes the rest of a step whose drift the device has made, since it cannot find all contacts. The device has found
 * before that pairs remain valid, and that no centre can cross a wall in this step. Positions before the drift are not
 * known, and present ones instead are a path without a crossing. */
static bool end_step(const model *m, state *s, work *w, int64_t k)
{
	take_motion(m, s, w, scree_resident_report(w, k));
	w->drift_way = w->skin.step;
	w->joint.stale = 0;
	copy_back(m, s, w);
	scree_note_places(&s->body, 0, s->body.owned);
	scree_bodies_to_records(m, s, w);
	scree_walls_drift(m, s, w);
	w->not_a_number = false;
	scree_resident_by_host(w);
	return scree_step_after_drift(m, s, w);
}

/* Steps until someone reads the state or pairs are stale; a search precedes them if it is due. 0: the host makes one */
static int64_t prepare_steps(const model *m, state *s, work *w)
{
	const int64_t steps = steps_alone(m, s, w, steps_ahead(s, w));
	if (w->domain.by->sent) return steps_together(w, steps);
	if (steps && !scree_resident_due(w)) return steps;
	if (!s->begun || scree_sources_owe(m, s) || !scree_resident_search(m, s, w)) return 0;
	scree_clock_lap(&w->clock, CLOCK_BROAD);
	return steps_alone(m, s, w, steps_ahead(s, w));
}

/* Launches steps again if the first launch ended because pairs were needed. */
static int64_t launch_steps(const model *m, state *s, work *w, int64_t *wanted)
{
	int64_t made = 0;
	for (int turn = 0; turn < 2 && !made && (!turn || scree_resident_due(w)); ++turn) {
		*wanted = prepare_steps(m, s, w);
		if (!*wanted) return 0;
		scree_resident_write(m, s, w, *wanted);
		scree_clock_lap(&w->clock, CLOCK_OUTPUT);
		made = scree_resident_launch(s, w, *wanted);
	}
	return made;
}

static bool make_steps(const model *m, state *s, work *w)
{
	int64_t wanted = 0;
	bool holds = true;
	scree_resident_check(m, s, w);
	scree_clock_start(&w->clock);
	const int64_t made = launch_steps(m, s, w, &wanted);
	const bool within = scree_resident_is_within(w, made, wanted);
	if (!made) return within ? end_step(m, s, w, 0) : host_step(m, s, w);
	const int64_t end = s->step + made;
	const bool stops = made < wanted && !within && !scree_resident_due(w);
	const bool read = stops || end == w->flight.until || end % scree_resident_read_every(w) == 0;
	for (int64_t k = 0; k < made && holds; ++k) holds = take_step(m, s, w, k, read && k + 1 == made);
	scree_clock_lap(&w->clock, CLOCK_LAW);
	return within ? holds && end_step(m, s, w, made) : holds;
}

static bool is_enough(const machine *on, const char *what, int64_t needed, const char *there, int64_t limit, fail *why)
{
	const real mega = (real)1e-6;
	return needed <= limit ||
		   scree_refuse(why, "machine %s (%s): %s %.1f MB, but the device has %s%.1f MB: use machine cpu",
						scree_machine_kind_of(on), scree_machine_label(on), what, mega * (real)needed, there,
						mega * (real)limit);
}

/* Refuses what certainly has no room; contact rows may need more later. sharers: ranks with this device */
static bool has_room(const machine *on, resident_counts needs, int sharers, int parts, fail *why)
{
	const int64_t bytes = needs.bytes * sharers / parts, memory = scree_machine_memory(on);
	return is_enough(on, "the world needs", bytes, "", memory, why) &&
		   is_enough(on, "the world needs", bytes, "only ", scree_machine_free(on), why) &&
		   is_enough(on, "the world needs a block of", needs.largest / parts, "blocks of at most ",
					 scree_machine_largest(on), why);
}

device *scree_resident_open(const char *name, resident_ranks ranks, const model *m, state *s, const work *w, fail *why)
{
	const device by = {.step = make_steps, .forget = scree_resident_forget, .close = scree_resident_close};
	const machine_kind *kind = scree_machine_kind(name);
	const int count = scree_machine_count(kind, why), each = count ? count : 1;
	machine *on = scree_machine_open(kind, ranks.here % each, why);
	const int sharers = (ranks.near + each - 1) / each;
	if (on && has_room(on, scree_resident_needs(m, s, w, 0), sharers, ranks.parts, why))
		return (device *)(void *)scree_resident_memory(on, scree_machine_kind_name(kind), by);
	scree_machine_close(on);
	return NULL;
}
