/* start: contacts that there are before the first step. The stages find them, and what they write is taken back but for
 * the pairs, which the first step goes on with: the world that begins afterwards is the same to the last bit whether
 * anybody looked or not. */
#include "prepare/prepare.h"

#include "stages.h"
#include "world/parts.h"

#include <string.h>

/* Overlaps of more than this part of a body, or with more energy than lifts the lighter one by its diameter, are not
 * what bodies that rest have. */
static const real WORTH_A_WARNING = (real)0.01;

static void note_contact(start_look *s, const scree_world *w, int kind, int64_t k)
{
	const pair_list *l = w->pair + kind;
	const bodies *b = &w->body;
	bool on_wall = pair_on_wall(kind);
	int32_t i = l->ca[k], j = l->cb[k];
	contact_look c = scree_contact_look(w, kind, k);
	real ease = b->inv_mass[i] + (on_wall ? 0 : b->inv_mass[j]);
	real small = scree_contact_round(w, kind, k);
	real part = c.depth / (2 * small), held = w->solver ? 0 : real_max(c.elastic, 0);
	if (!(part > 0)) return;
	real lifts = 2 * small * v3_norm(w->gravity) / ease;
	s->elastic += held;
	s->contacts += part > WORTH_A_WARNING || (lifts > 0 && held > lifts);
	if (!(part > s->overlap)) return;
	s->overlap = part;
	s->body = b->id[i];
	s->other = on_wall ? 0 : b->id[j];
	s->wall = on_wall ? w->wall.surface_wall[j] : -1;
	s->speed = sqrt(2 * held * ease);
}

/* What the look left of contacts: of what is state, nothing. Where the pairs are stays known, to the first step. */
static void forget_contacts(scree_world *w)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		pair_list *l = w->pair + kind;
		for (int32_t p = 0; p < l->pieces; ++p) {
			int64_t from = l->base[p], to = from + l->used[p];
			scree_history_clear(l, from, to);
			memset(l->touch + from, 0, (size_t)l->used[p] * sizeof *l->touch);
			if (l->force) memset(l->force + from, 0, (size_t)l->used[p] * sizeof *l->force);
		}
	}
	scree_sums_forget(w);
	w->paired_at = w->time; /* walls stand where they were found, not where they will be at the end of a step */
	w->skin.stale = w->solver != NULL;
	w->features = w->wall_features = (feature_counts){0};
	w->greatest_overlap_part = w->greatest_overlap_ever = 0;
	w->touching = 0;
	w->unbearable = false;
	w->images_power = 0;
}

static void look(scree_world *w)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = w->pair + kind;
		for (int32_t p = 0; p < l->pieces; ++p)
			for (int64_t k = l->base[p]; k < l->base[p] + l->used[p]; ++k)
				/* that two spheres touch is seen by those who answer it, not before */
				if (scree_pair_kinds[kind].formula || l->touch[k]) note_contact(&w->start, w, kind, k);
	}
}

void scree_world_look_at_start(scree_world *w)
{
	const ledger energy = w->energy;
	const clock_table clock = w->clock;
	scree_bodies_to_pairs(w);
	scree_bodies_to_records(w);
	scree_pairs_to_rows(w);
	scree_pairs_to_contacts(w);
	scree_sums_prepare(w, true);
	if (!w->solver) scree_contacts_to_forces(w);
	const sums *q = &w->sums;
	w->start = (start_look){.wall = -1, .quantum = q->force_quantum, .coarsest = q->coarsest, .lightest = q->lightest};
	look(w);
	forget_contacts(w);
	w->energy = energy;
	w->clock = clock;
}
