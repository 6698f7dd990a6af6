/* start: contacts that there are before the first step. They are found in a copy of what the stages write, so
 * that the world that begins afterwards is the same to the last bit whether anybody looked or not. */
#include "prepare/prepare.h"

#include "base/memory.h"
#include "stages.h"
#include "world/parts.h"

#include <string.h>

/* Overlaps of more than this part of a body, or with more energy than lifts the lighter one by its diameter, are not
 * what bodies that rest have. */
static const real WORTH_A_WARNING = (real)0.01;

static bodies copy_of_bodies(const bodies *from)
{
	bodies to = {0};
	scree_bodies_reserve(&to, from->count);
	for (int k = 0; k < scree_body_table.count; ++k) {
		const field *f = scree_body_table.row + k;
		if (from->count)
			memcpy(scree_field_array(&to, f), scree_field_array(from, f),
				   (size_t)from->count * scree_kind_size(f->type));
	}
	to.count = from->count;
	to.owned = from->owned;
	return to;
}

/* bodies and places of walls are its own, what no stage writes is shared, what the stages make is empty */
static scree_world *copy_of(const scree_world *w)
{
	scree_world *c = scree_world_new();
	c->flat = w->flat;
	c->thickness = w->thickness;
	c->dt = w->dt;
	c->gravity = w->gravity;
	c->shape = w->shape;
	c->material = w->material;
	c->constants = w->constants;
	c->grid = w->grid;
	c->guard = w->guard;
	c->period = w->period;
	c->search = w->search;
	c->narrow = w->narrow;
	c->mover = w->mover;
	c->solver = w->solver;
	c->parts = w->parts;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) c->pair[kind].remembers = w->pair[kind].remembers;
	c->body = copy_of_bodies(&w->body);
	c->wall = w->wall;
	c->wall.row = scree_alloc((size_t)w->wall.count, sizeof *c->wall.row);
	if (w->wall.count) memcpy(c->wall.row, w->wall.row, (size_t)w->wall.count * sizeof *c->wall.row);
	return c;
}

static void free_copy(scree_world *c)
{
	scree_free(c->wall.row);
	c->wall = (walls){0};
	c->shape = (shapes){0};
	c->material = (materials){0};
	c->constants = NULL;
	c->grid = NULL;
	scree_world_free(c);
}

static void note_contact(start_look *s, const scree_world *w, int kind, int64_t k)
{
	const pair_list *l = w->pair + kind;
	const bodies *b = &w->body;
	bool on_wall = pair_on_wall(kind);
	int32_t i = l->ca[k], j = l->cb[k];
	real part = scree_contact_part(w, kind, k),
		 held = w->solver ? 0 : real_max(scree_contact_look(w, kind, k).elastic, 0);
	if (!(part > 0)) return;
	real ease = b->inv_mass[i] + (on_wall ? 0 : b->inv_mass[j]);
	real small = on_wall ? b->round[i] : real_min(b->round[i], b->round[j]);
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

void scree_world_look_at_start(scree_world *w)
{
	scree_world *c = copy_of(w);
	scree_bodies_to_pairs(c);
	scree_bodies_to_records(c);
	scree_pairs_to_rows(c);
	scree_pairs_to_contacts(c);
	scree_sums_prepare(c, true);
	if (!c->solver) scree_contacts_to_forces(c);
	const sums *q = &c->sums;
	w->start = (start_look){.wall = -1, .quantum = q->force_quantum, .coarsest = q->coarsest, .lightest = q->lightest};
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = c->pair + kind;
		for (int32_t p = 0; p < l->pieces; ++p)
			for (int64_t k = l->base[p]; k < l->base[p] + l->used[p]; ++k)
				/* that two spheres touch is seen by those who answer it, not before */
				if (scree_pair_kinds[kind].formula || l->touch[k]) note_contact(&w->start, c, kind, k);
	}
	free_copy(c);
}
