/* energy: the energies of a world at one moment. Sums are fixed point, so that threads may share them. */
#include "world/parts.h"

#include "base/memory.h"
#include "base/parallel.h"

enum { GRAIN = 4096 }; /* bodies, or slots, that a thread takes at once */

/* what one thread has added up */
typedef struct energy_sums {
	fixed kinetic, potential, elastic, springs, heat, normal, friction, rolling, made, wall_work, brought;
} energy_sums;
enum { ENERGIES = sizeof(energy_sums) / sizeof(fixed) };

typedef struct adding {
	const scree_world *w;
	const pair_list *list;
	int kind;
	energy_sums *of; /* [threads] */
} adding;

static void add_bodies(void *what, int64_t from, int64_t to, int thread)
{
	const adding *j = what;
	energy_sums *s = j->of + thread;
	for (int64_t i = from; i < to; ++i) {
		real p, k = scree_energy_of_body(j->w, (int32_t)i, &p);
		scree_fixed_add(&s->kinetic, k);
		scree_fixed_add(&s->potential, p);
	}
}

static real held_across(const pair_list *l, int64_t k)
{
	return l->remembers & REMEMBERS_TURNS ? l->bent[k] + l->rolled[k] + l->twisted[k] : l->bent[k];
}

static void add_held(energy_sums *s, real held)
{
	scree_fixed_add(&s->elastic, held);
	scree_fixed_add(&s->springs, real_abs(held));
}

/* what it is held to */
static void add_patch(energy_sums *s, const pair_list *l, int64_t k, real dt)
{
	add_held(s, l->elastic[k] + held_across(l, k));
	scree_fixed_add(&s->normal, l->lost_normal[k]);
	scree_fixed_add(&s->friction, l->lost_friction[k]);
	scree_fixed_add(&s->rolling, l->lost_rolling[k]);
	scree_fixed_add(&s->made, l->elastic[k] + l->work[k] - dt / 2 * l->power[k]);
	scree_fixed_add(&s->heat, l->heat[k]);
}

/* the rest of it is in the ledger of all */
static void add_point(energy_sums *s, const pair_list *l, int64_t k, real elastic)
{
	add_held(s, elastic + held_across(l, k));
	scree_fixed_add(&s->made, elastic);
}

static void add_contacts(void *what, int64_t from, int64_t to, int thread)
{
	const adding *j = what;
	const pair_list *l = j->list;
	energy_sums *s = j->of + thread;
	for (int64_t p = from; p < to; ++p) {
		for (int64_t k = l->base[p]; k < l->base[p] + l->used[p]; ++k) {
			if (!l->touch[k] || !scree_contact_counted(j->w, j->kind, k)) continue;
			if (l->remembers & REMEMBERS_ACCOUNT)
				add_patch(s, l, k, j->w->dt);
			else
				add_point(s, l, k, scree_contact_look(j->w, j->kind, k).elastic);
		}
	}
}

static energy_sums join(const energy_sums *of, const ledger *ended)
{
	energy_sums all = {.normal = ended->lost_normal,
					   .friction = ended->lost_friction,
					   .rolling = ended->lost_rolling,
					   .made = ended->made,
					   .wall_work = ended->wall_work,
					   .brought = ended->brought};
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) {
		scree_fixed_join(&all.kinetic, of[t].kinetic);
		scree_fixed_join(&all.potential, of[t].potential);
		scree_fixed_join(&all.elastic, of[t].elastic);
		scree_fixed_join(&all.springs, of[t].springs);
		scree_fixed_join(&all.heat, of[t].heat);
		scree_fixed_join(&all.normal, of[t].normal);
		scree_fixed_join(&all.friction, of[t].friction);
		scree_fixed_join(&all.rolling, of[t].rolling);
		scree_fixed_join(&all.made, of[t].made);
	}
	return all;
}

energy_row scree_world_energy(const scree_world *w)
{
	adding j = {.w = w, .of = scree_alloc(SCREE_MOST_THREADS, sizeof *j.of)};
	scree_parallel(add_bodies, &j, w->body.owned, GRAIN);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		j.list = w->pair + kind;
		j.kind = kind;
		scree_parallel(add_contacts, &j, j.list->pieces, scree_pair_list_grain(j.list, GRAIN));
	}
	energy_sums s = join(j.of, &w->energy);
	scree_free(j.of);
	w->parts.by->add(w->parts.at, ENERGIES, &s.kinetic);
	energy_row e = {.kinetic = scree_fixed_value(s.kinetic),
					.potential = scree_fixed_value(s.potential),
					.elastic = scree_fixed_value(s.elastic),
					.springs = scree_fixed_value(s.springs),
					.lost_normal = scree_fixed_value(s.normal),
					.lost_friction = scree_fixed_value(s.friction),
					.lost_rolling = scree_fixed_value(s.rolling),
					.made = scree_fixed_value(s.made) - w->energy.points_power / 2,
					.brought = scree_fixed_value(s.brought)};
	e.wall_work = scree_fixed_value(s.wall_work) - w->dt / 2 * (w->energy.wall_power + w->energy.fluid_power);
	/* rates were counted for the half step to come as well */
	real lost = e.lost_normal + e.lost_friction + e.lost_rolling - w->dt / 2 * scree_fixed_value(s.heat) -
				w->energy.points_heat / 2;
	e.residual = e.kinetic + e.potential + e.elastic + lost - e.wall_work - e.made - e.brought;
	return e;
}
