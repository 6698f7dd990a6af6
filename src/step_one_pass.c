/* step_one_pass: the end of a step and the beginning of the next in one pass over the bodies. What contacts have added
 * up is taken when a body is touched first, which then gets the other half of its kick and drifts on: its cache lines
 * come once (the pipelining of Krestenitis 2017: what a traversal finds is applied in the next one).
 *
 * Only where nobody asks for anything in between: within scree_steps, where no guard can have anything to say, which
 * is known from bounds before the pass, and where no other stage works on bodies there. Else the stages of
 * step_forces.c, which give the same bits. */
#include "stages.h"

#include "guard/guard.h"

#include <stdatomic.h>

/* BLOCK: bodies whose lines stay in the nearest cache from stage to stage */
enum { GRAIN = 1024, BLOCK = 256 };
_Static_assert(BLOCK % FLIGHT_WORD == 0 && BLOCK % SUMS_BLOCK == 0, "a piece of all three stages");

/* Does nothing but the three stages work on bodies between them? */
static bool world_fits(const scree_world *w)
{
	const bool wanted = w->passes == PASSES_ONE || (w->passes == PASSES_CHOSEN && w->flight.any);
	return wanted && !w->mover->gear && !w->fluid.on && !w->period.shears && !w->parts.by->refresh &&
		   !w->people.sources && !w->people.sinks && !(w->period.on && w->guard.bounded);
}

/* m/s: no body is faster once it is kicked. In the drift it had the velocity of the half step. */
static real fastest_after(scree_world *w)
{
	const real rounding = (real)1.001;
	real acceleration = scree_sums_most(w) + v3_norm(w->gravity);
	return rounding * (w->drift_way / w->dt + w->dt / 2 * acceleration);
}

bool scree_one_pass_fits(scree_world *w)
{
	const int64_t step = w->step + 1;
	if (!world_fits(w) || step == w->flight.until || step % ENERGY_STEPS == 0) return false;
	w->greatest_speed = fastest_after(w);
	w->breach = (breach){0};
	if (!scree_guards_silent(w)) return false;
	scree_clock_lap(&w->clock, CLOCK_SUM);
	scree_bodies_through_walls(w, (real)step * w->dt);
	scree_clock_lap(&w->clock, CLOCK_WALLS);
	return scree_guards_silent(w);
}

typedef struct pass {
	scree_world *w;
	motion_half kick, drift;
	atomic_bool overflow;
} pass;

static void pass_piece(void *what, int64_t from, int64_t to, int thread)
{
	pass *p = what;
	const int64_t block = p->drift.flies ? GRAIN : BLOCK; /* of those who do not fly there are few */
	for (int64_t i = from; i < to; i += block) {
		const int64_t end = i + block < to ? i + block : to;
		if (!scree_sum_piece(p->w, i, end, p->kick.flies)) atomic_store(&p->overflow, true);
		scree_kick_piece(&p->kick, i, end, thread);
		scree_drift_piece(&p->drift, i, end, thread);
	}
}

void scree_one_pass(scree_world *w)
{
	const real bound = w->greatest_speed;
	pass p = {.w = w};
	scree_sum_walls(w);
	scree_servos_kick(&w->wall, w->time, w->dt);
	p.kick = scree_kick_begin(w);
	w->time = (real)(w->step + 1) * w->dt;
	w->step += 1;
	scree_flights_begin(w); /* from the drift on */
	p.drift = scree_drift_begin(w);
	scree_parallel(pass_piece, &p, w->body.owned, GRAIN);
	scree_kick_end(&p.kick);
	SCREE_ASSERT(w->greatest_speed <= bound && !atomic_load(&p.overflow)); /* guards have been asked about the bound */
	scree_drift_end(&p.drift);
	w->drifted = true;
	w->one_passes += 1;
	scree_clock_lap(&w->clock, CLOCK_KICK);
}
