/* energy_shares: finds the bodies that exchange energy. The energy of a body in free flight does not measure what
 * contacts do. Until contacts change a body's energy, its share is at most the largest energy of a body that took
 * part. */
#include "guard/energy.h"

#include "base/parallel.h"
#include "kernel/motion.h"
#include "model/model.h"
#include "state/state.h"
#include "work/work.h"
#include "world/internal.h"

enum { GRAIN = 4096 };

/* In free flight, energies change by less than FREE times their size (rounding) plus SWINGS times swing_of_turning. */
static const real FREE = (real)1e-10, SWINGS = 8;
static const real EXCHANGED = 100;	 /* a change of one hundredth in a body's energy counts as a complete exchange */
static const real FLOOR = (real)0.1; /* fraction of weight times size */

enum { MOVING, SWAPPED, RISE, WAITING, TURNING, SHARES };

typedef struct sharing_job {
	const model *m;
	state *s;
	fixed (*of)[SHARES]; /* [threads] */
	real *most;			 /* [threads] largest energy of a body that took part, in J */
	bool *waits;		 /* [threads] whether a moving body has not taken part */
	real gravity, cap;
	bool keeps; /* whether bodies store the data of this reading until the next */
} sharing_job;

/* Tests whether a force or torque from contacts acts on the body. Fluid forces count as well. */
static bool is_acted_on(const bodies *b, int32_t i)
{
	return b->fx[i] != 0 || b->fy[i] != 0 || b->fz[i] != 0 || b->tx[i] != 0 || b->ty[i] != 0 || b->tz[i] != 0;
}

/* oscillation of the computed energy in free rotation, in J; none in the plane or with equal moments of inertia */
static real swing_of_turning(const model *m, const state *s, int32_t i, real kinetic)
{
	const bodies *b = &s->body;
	if (m->flat || is_round(v3(b->ix[i], b->iy[i], b->iz[i]))) return 0;
	return kinetic * v3_norm2(body_angular_velocity(b, i)) * m->dt * m->dt;
}

/* Energies of a body, J. change: change of energy since the last reading; stirred: whether the body takes part */
typedef struct body_energies {
	real kinetic, all, change, swing;
	bool stirred;
} body_energies;

static body_energies energies_of(const sharing_job *j, int32_t i)
{
	const bodies *b = &j->s->body;
	real potential;
	body_energies e = {.kinetic = scree_energy_of_body(j->m, j->s, i, &potential)};
	e.all = e.kinetic + potential;
	e.change = real_abs(e.all - b->energy[i]);
	e.swing = swing_of_turning(j->m, j->s, i, e.kinetic);
	e.stirred =
		b->stirred[i] || is_acted_on(b, i) || e.change > SWINGS * e.swing + FREE * (e.kinetic + real_abs(potential));
	return e;
}

static void read_bodies(void *what, int64_t from, int64_t to, int thread)
{
	const sharing_job *j = what;
	bodies *b = &j->s->body;
	fixed *sum = j->of[thread];
	for (int32_t i = (int32_t)from; i < to; ++i) {
		const body_energies e = energies_of(j, i);
		if (j->keeps) b->energy[i] = e.all, b->stirred[i] = e.stirred;
		if (b->inv_mass[i] == 0) continue;
		scree_fixed_add(sum + TURNING, e.swing);
		if (!e.stirred) {
			j->waits[thread] |= e.kinetic > 0;
			continue;
		}
		const real rise = b->mass[i] * j->gravity * 2 * b->round[i];
		scree_fixed_add(sum + MOVING, e.kinetic);
		scree_fixed_add(sum + SWAPPED, real_min(e.kinetic + e.change, EXCHANGED * e.change));
		scree_fixed_add(sum + RISE, FLOOR * rise);
		j->most[thread] = real_max(j->most[thread], e.kinetic + rise);
	}
}

static void read_waiting(void *what, int64_t from, int64_t to, int thread)
{
	const sharing_job *j = what;
	const bodies *b = &j->s->body;
	for (int32_t i = (int32_t)from; i < to; ++i) {
		if (b->stirred[i] || (!j->keeps && energies_of(j, i).stirred)) continue;
		real potential, kinetic = scree_energy_of_body(j->m, j->s, i, &potential);
		scree_fixed_add(j->of[thread] + WAITING, real_min(kinetic, j->cap));
	}
}

energy_shares scree_energy_share(const model *m, state *s, work *w, bool keeps, real *most)
{
	fixed of[SCREE_MOST_THREADS][SHARES] = {{{0}}}, all[SHARES] = {{0}};
	real each[SCREE_MOST_THREADS] = {0};
	bool waits[SCREE_MOST_THREADS] = {false}, any = false;
	sharing_job j = {m, s, of, each, waits, v3_norm(m->gravity), 0, keeps};
	scree_parallel(read_bodies, &j, s->body.owned, GRAIN);
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) *most = real_max(*most, each[t]), any |= waits[t];
	scree_domain_most(&w->domain, 1, most);
	j.cap = *most > 0 ? *most : INFINITY; /* all bodies are counted until one of them takes part */
	if (any) scree_parallel(read_waiting, &j, s->body.owned, GRAIN);
	for (int t = 0; t < SCREE_MOST_THREADS; ++t)
		for (int k = 0; k < SHARES; ++k) scree_fixed_join(all + k, of[t][k]);
	w->domain.by->add(w->domain.at, SHARES, all);
	return (energy_shares){.moving = scree_fixed_value(all[MOVING]),
						   .waiting = scree_fixed_value(all[WAITING]),
						   .exchanged = scree_fixed_value(all[SWAPPED]),
						   .floor = scree_fixed_value(all[RISE]),
						   .turning = scree_fixed_value(all[TURNING])};
}
