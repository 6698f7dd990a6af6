/* energy_shares: finds the bodies that turn energy over. A body in free flight keeps the sum of its kinetic and
 * potential energy; even if it is fast, its energy says nothing about contacts. Until contacts change its energy, it
 * counts at most as much as a body that took part. */
#include "guard/energy.h"

#include "base/parallel.h"
#include "kernel/motion.h"
#include "world/internal.h"

enum { GRAIN = 4096 };

/* Energy changes in free flight stay below FREE times the energies (rounding) plus SWINGS times swing_of_turning
 * (integration of a free rotation). */
static const real FREE = (real)1e-10, SWINGS = 8;
/* a body whose energy changed by a hundredth counts as if it had turned over all of its energy */
static const real EXCHANGED = 100;
/* part of weight times size */
static const real FLOOR = (real)0.1;

enum { MOVING, SWAPPED, RISE, WAITING, TURNING, SHARES };

typedef struct sharing_job {
	const model *m;
	state *s;
	fixed (*of)[SHARES]; /* [threads] */
	real *most;			 /* [threads] J, greatest energy of a body that took part */
	bool *waits;		 /* [threads] there is a moving body that has not taken part */
	real gravity, cap;
} sharing_job;

/* Whether a force or torque of contacts acts on the body. Forces of a fluid count as well. */
static bool is_acted_on(const bodies *b, int32_t i)
{
	return b->fx[i] != 0 || b->fy[i] != 0 || b->fz[i] != 0 || b->tx[i] != 0 || b->ty[i] != 0 || b->tz[i] != 0;
}

/* J: oscillation of the energy in free rotation. Bodies with equal moments, and bodies in the plane, rotate without
 * error. */
static real swing_of_turning(const model *m, const state *s, int32_t i, real kinetic)
{
	const bodies *b = &s->body;
	if (m->flat || is_round(v3(b->ix[i], b->iy[i], b->iz[i]))) return 0;
	return kinetic * v3_norm2(body_angular_velocity(b, i)) * m->dt * m->dt;
}

static void read_bodies(void *what, int64_t from, int64_t to, int thread)
{
	const sharing_job *j = what;
	bodies *b = &j->s->body;
	fixed *sum = j->of[thread];
	for (int32_t i = (int32_t)from; i < to; ++i) {
		real potential, kinetic = scree_energy_of_body(j->m, j->s, i, &potential), all = kinetic + potential;
		const real change = real_abs(all - b->energy[i]);
		b->energy[i] = all;
		const real swing = swing_of_turning(j->m, j->s, i, kinetic);
		if (is_acted_on(b, i) || change > SWINGS * swing + FREE * (kinetic + real_abs(potential))) b->stirred[i] = 1;
		if (b->inv_mass[i] == 0) continue;
		scree_fixed_add(sum + TURNING, swing);
		if (!b->stirred[i]) {
			j->waits[thread] |= kinetic > 0;
			continue;
		}
		const real rise = b->mass[i] * j->gravity * 2 * b->round[i];
		scree_fixed_add(sum + MOVING, kinetic);
		scree_fixed_add(sum + SWAPPED, real_min(kinetic + change, EXCHANGED * change));
		scree_fixed_add(sum + RISE, FLOOR * rise);
		j->most[thread] = real_max(j->most[thread], kinetic + rise);
	}
}

static void read_waiting(void *what, int64_t from, int64_t to, int thread)
{
	const sharing_job *j = what;
	const bodies *b = &j->s->body;
	for (int32_t i = (int32_t)from; i < to; ++i) {
		if (b->stirred[i]) continue;
		real potential, kinetic = scree_energy_of_body(j->m, j->s, i, &potential);
		scree_fixed_add(j->of[thread] + WAITING, real_min(kinetic, j->cap));
	}
}

energy_shares scree_energy_share(const model *m, state *s, work *w, real *most)
{
	fixed of[SCREE_MOST_THREADS][SHARES] = {{{0}}}, all[SHARES] = {{0}};
	real each[SCREE_MOST_THREADS] = {0};
	bool waits[SCREE_MOST_THREADS] = {false}, any = false;
	sharing_job j = {m, s, of, each, waits, v3_norm(m->gravity), 0};
	scree_parallel(read_bodies, &j, s->body.owned, GRAIN);
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) *most = real_max(*most, each[t]), any |= waits[t];
	scree_domain_most(&w->domain, 1, most);
	j.cap = *most > 0 ? *most : INFINITY; /* all bodies count until one takes part */
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
