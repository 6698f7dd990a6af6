/* energy: the energies of a world at the current time; sums are in fixed point, so that threads can share them. */
#include "world/internal.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "state/bonds.h"
#include "state/contact_rows.h"
#include "world/world.h"

enum { GRAIN = 4096 }; /* number of bodies or slots per work item of a thread */

/* sums of one thread */
typedef struct energy_sums {
	fixed kinetic, potential, elastic, springs, owed, heat, normal, friction, rolling, method, made, wall_work, brought;
} energy_sums;
enum { ENERGIES = sizeof(energy_sums) / sizeof(fixed) };

typedef struct adding {
	const model *m;
	const state *s;
	const work *w;
	const pair_list *list;
	int kind;
	energy_sums *of; /* [threads] */
} adding;

static void add_bodies(void *what, int64_t from, int64_t to, int thread)
{
	const adding *j = what;
	energy_sums *s = j->of + thread;
	for (int64_t i = from; i < to; ++i) {
		real p, k = scree_energy_of_body(j->m, j->s, (int32_t)i, &p);
		scree_fixed_add(&s->kinetic, k);
		scree_fixed_add(&s->potential, p);
	}
}

static real held_across(const pair_list *l, int64_t k)
{
	const real bent = l->bent[k] + bond_held(l, k);
	return l->remembers & REMEMBERS_TURNS ? bent + l->rolled[k] + l->twisted[k] : bent;
}

static void add_held(energy_sums *s, real held)
{
	scree_fixed_add(&s->elastic, held);
	scree_fixed_add(&s->springs, real_abs(held));
}

/* adds the energies and losses stored by a patch */
static void add_patch(energy_sums *s, const pair_list *l, int64_t k, real dt)
{
	add_held(s, l->elastic[k] + held_across(l, k));
	scree_fixed_add(&s->normal, l->lost_normal[k]);
	scree_fixed_add(&s->friction, l->lost_friction[k]);
	scree_fixed_add(&s->rolling, l->lost_rolling[k]);
	scree_fixed_add(&s->made, l->elastic[k] + l->work[k] - dt / 2 * l->power[k]);
	scree_fixed_add(&s->heat, l->heat[k]);
}

/* Adds the energy that an unfinished impact has taken beyond the energy of its springs and may return at its end. */
static void add_owed(energy_sums *s, const pair_list *l, int64_t k)
{
	if (!(l->remembers & REMEMBERS_IMPULSES) || !(l->brought[k] > 0)) return;
	scree_fixed_add(&s->owed, real_clamp(l->took[k] - l->elastic[k], 0, l->brought[k]));
}

static void add_contacts(void *what, int64_t from, int64_t to, int thread)
{
	const adding *j = what;
	const pair_list *l = j->list;
	energy_sums *s = j->of + thread;
	const bool plain = contact_work_plain(&j->w->pair[j->kind].contact);
	for (int64_t p = from; p < to; ++p) {
		for (int64_t k = l->base[p]; k < l->base[p] + l->used[p]; ++k) {
			if (!l->touch[k] || !scree_contact_counted(j->s, j->kind, k)) continue;
			add_owed(s, l, k);
			if (l->remembers & REMEMBERS_ACCOUNT) {
				add_patch(s, l, k, j->m->dt);
				continue;
			} /* otherwise a one-point contact, whose losses are in the common ledger */
			const real elastic = scree_contact_look(j->m, j->s, j->w, j->kind, k).elastic;
			add_held(s, elastic + held_across(l, k));
			if (!plain) scree_fixed_add(&s->made, elastic);
		}
	}
}

/* Free walls are bodies of the world; each part of the world has a copy of them. */
static void add_walls(energy_sums *to, const model *m, const state *s)
{
	for (int32_t k = 0; k < m->wall.count; ++k) {
		if (!motion_is_free(m->wall.row[k].motion.type)) continue;
		real potential, kinetic = scree_wall_free_energy(m->wall.row + k, s->wall + k, m->gravity, &potential);
		scree_fixed_add(&to->kinetic, kinetic);
		scree_fixed_add(&to->potential, potential);
	}
}

static energy_sums join(const energy_sums *of, const ledger *ended)
{
	energy_sums all = {.normal = ended->lost_normal,
					   .friction = ended->lost_friction,
					   .rolling = ended->lost_rolling,
					   .method = ended->lost_method,
					   .made = ended->made,
					   .wall_work = ended->wall_work,
					   .brought = ended->brought};
	for (int t = 0; t < SCREE_MOST_THREADS; ++t)
		for (size_t k = 0; k < ENERGIES; ++k) scree_fixed_join((fixed *)&all + k, ((const fixed *)(of + t))[k]);
	return all;
}

energy_row scree_world_energy(const model *m, const state *s, const work *w)
{
	adding j = {.m = m, .s = s, .w = w, .of = scree_alloc(SCREE_MOST_THREADS, sizeof *j.of)};
	scree_parallel(add_bodies, &j, s->body.owned, GRAIN);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		j.list = s->pair + kind;
		j.kind = kind;
		scree_parallel(add_contacts, &j, j.list->pieces, scree_pair_list_grain(j.list, GRAIN));
	}
	energy_sums sums = join(j.of, &s->energy);
	if (w->domain.first) add_walls(&sums, m, s);
	scree_free(j.of);
	w->domain.by->add(w->domain.at, ENERGIES, &sums.kinetic);
	energy_row e = {.kinetic = scree_fixed_value(sums.kinetic),
					.potential = scree_fixed_value(sums.potential),
					.elastic = scree_fixed_value(sums.elastic),
					.springs = scree_fixed_value(sums.springs),
					.owed = scree_fixed_value(sums.owed),
					.lost_normal = scree_fixed_value(sums.normal),
					.lost_friction = scree_fixed_value(sums.friction),
					.lost_rolling = scree_fixed_value(sums.rolling),
					.lost_method = scree_fixed_value(sums.method) - s->energy.method_now,
					.made = scree_fixed_value(sums.made) - s->energy.points_power / 2,
					.brought = scree_fixed_value(sums.brought)};
	e.wall_work = scree_fixed_value(sums.wall_work) - m->dt / 2 * (s->energy.wall_power + s->energy.fluid_power);
	/* the sums of losses also include the rates over the next half step, which are subtracted */
	e.lost = e.lost_normal + e.lost_friction + e.lost_rolling + e.lost_method -
			 m->dt / 2 * scree_fixed_value(sums.heat) - s->energy.points_heat / 2;
	e.residual = e.kinetic + e.potential + e.elastic + e.lost - e.wall_work - e.made - e.brought;
	return e;
}

heat_row scree_world_heat(const model *m, const state *s, const work *w)
{
	fixed sum[4] = {{0, 0}, s->energy.heat_walls, s->energy.heat_friction, s->energy.heat_brought};
	for (int32_t i = 0; i < s->body.owned; ++i) scree_fixed_add(sum, scree_heat_of_body(m, s, i));
	w->domain.by->add(w->domain.at, 4, sum);
	return (heat_row){scree_fixed_value(sum[0]), scree_fixed_value(sum[1]), scree_fixed_value(sum[2]),
					  scree_fixed_value(sum[3])};
}
