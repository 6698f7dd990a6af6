/* first_contacts: contacts before the first step of a new or loaded world, for warnings, outputs at t = 0 and programs
 * that read the world. These contacts are then discarded, except for pairs, which the first step uses, and forces,
 * which it computes again: the run is bitwise identical with and without these stages. */
#include "prepare/prepare.h"

#include "broad/stage.h"
#include "law/stage.h"
#include "model/response.h"
#include "motion/stage.h"
#include "narrow/stage.h"
#include "state/contact_rows.h"
#include "state/pairs.h"
#include "step/step.h"
#include "sum/stage.h"
#include "world/internal.h"
#include "world/world.h"

#include <string.h>

/* Warnings are given for overlaps of more than this fraction of the size of a body, or with more energy than lifting
 * the lighter body by its diameter would need: bodies at rest do not have such overlaps. */
static const real WORTH_A_WARNING = (real)0.01;

static void note_contact(start_look *look, const model *m, const state *s, const work *w, int kind, int64_t k)
{
	const pair_list *l = s->pair + kind;
	const bodies *b = &s->body;
	bool on_wall = pair_on_wall(kind);
	int32_t i = l->ca[k], j = l->cb[k];
	contact_look c = scree_contact_look(m, s, w, kind, k);
	real ease = b->inv_mass[i] + (on_wall ? 0 : b->inv_mass[j]);
	real small = scree_contact_round(s, w, kind, k);
	real part = c.depth / scree_contact_small(m, s, w, kind, k), held = m->solver ? 0 : real_max(c.elastic, 0);
	if (!(part > 0)) return;
	real lifts = 2 * small * v3_norm(m->gravity) / ease;
	if (scree_contact_counted(s, kind, k)) {
		scree_fixed_add(&look->elastic, held);
		look->contacts += part > WORTH_A_WARNING || (lifts > 0 && held > lifts);
	}
	if (!(part > look->overlap)) return;
	look->overlap = part;
	look->body = b->id[i];
	look->other = on_wall ? 0 : b->id[j];
	look->wall = on_wall ? m->wall.surface_wall[j] : -1;
	look->speed = sqrt(2 * held * ease);
}

/* Clears the state of all contacts; pairs stay valid until the first step. border: forces before contacts were found */
static void forget_contacts(model *m, state *s, work *w, vec3 border)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		pair_list *l = s->pair + kind;
		for (int32_t p = 0; p < l->pieces; ++p) {
			int64_t from = l->base[p], to = from + l->used[p];
			scree_history_clear(l, from, to);
			memset(l->touch + from, 0, (size_t)l->used[p] * sizeof *l->touch);
		}
	}
	scree_sums_forget(w);
	w->paired_at = s->time; /* walls are where pairs were found, not where they will be after a step */
	w->skin.stale = m->solver != NULL;
	w->features = w->wall_features = (feature_counts){0};
	w->greatest_overlap_part = w->greatest_overlap_ever = 0;
	w->touching = 0;
	w->unbearable = false;
	w->images_power = 0;
	s->images.border = border;
}

static void look(model *m, state *s, work *w)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		for (int32_t p = 0; p < l->pieces; ++p)
			for (int64_t k = l->base[p]; k < l->base[p] + l->used[p]; ++k)
				/* the law, not the narrow phase, determines whether two spheres touch */
				if (scree_pair_kinds[kind].formula || l->touch[k]) note_contact(&w->start, m, s, w, kind, k);
	}
}

/* Finds the largest overlap over all parts of the world; among equal overlaps, selects the body with the lowest id. */
static void join_looks(const model *m, work *w)
{
	start_look all = w->start;
	int64_t parts = 1;
	start_look *part = w->domain.by->gather(w->domain.at, &parts, sizeof *part, &w->start);
	for (int64_t k = 0; k < parts; ++k) {
		const start_look *o = part + k;
		SCREE_ASSERT(o->wall >= -1 && o->wall < m->wall.count);
		const bool deeper = o->overlap > all.overlap || (o->overlap == all.overlap && o->body < all.body);
		if (deeper && o->overlap > 0) {
			all.overlap = o->overlap, all.speed = o->speed;
			all.body = o->body, all.other = o->other, all.wall = o->wall;
		}
	}
	scree_free(part);
	all.contacts = scree_domain_count(&w->domain, all.contacts);
	w->domain.by->add(w->domain.at, 1, &all.elastic);
	w->start = all;
}

void scree_world_look_at_start(model *m, state *s, work *w)
{
	const ledger energy = s->energy;
	const clock_table clock = w->clock;
	const vec3 border = s->images.border;
	scree_bodies_to_pairs(m, s, w);
	scree_bodies_to_records(m, s, w);
	scree_pairs_to_rows(m, s, w);
	if (!m->implicit) scree_pairs_to_contacts(m, s, w);
	scree_sums_prepare(m, s, w, true);
	if (!m->solver) scree_contacts_answer(m, s, w, s->time);
	const sums *q = &w->sums;
	w->start = (start_look){.wall = -1, .quantum = q->rounded, .coarsest = q->coarsest, .lightest = q->lightest};
	look(m, s, w);
	join_looks(m, w);
	forget_contacts(m, s, w, border);
	s->energy = energy;
	w->clock = clock;
}

/* Clears all but the normal energy. Returns the energy of one-point contacts whose `made` is in the common ledger. */
static real settle_contact(const model *m, const state *s, const work *w, int kind, int64_t k)
{
	const pair_list *l = s->pair + kind;
	l->bent[k] = 0;
	if (l->remembers & REMEMBERS_TURNS) l->rolled[k] = l->twisted[k] = 0;
	if (!(l->remembers & REMEMBERS_ACCOUNT) && contact_work_plain(&w->pair[kind].contact)) return 0;
	if (!(l->remembers & REMEMBERS_ACCOUNT)) return scree_contact_look(m, s, w, kind, k).elastic;
	l->lost_normal[k] = l->lost_friction[k] = l->lost_rolling[k] = l->heat[k] = l->power[k] = 0;
	l->work[k] = -l->elastic[k];
	return 0;
}

/* The law has advanced half a step, but at t = 0 nothing is lost, no spring of friction is displaced, and no wall,
 * image or fluid has done work. The energy of the normal springs is entered as `brought`. */
static void settle_energies(model *m, state *s, const work *w, const ledger *before)
{
	ledger *e = &s->energy;
	const fixed brought = e->brought;
	*e = *before;
	e->brought = brought;
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		for (contact_walk c = contact_first(s->pair + kind); contact_more(s->pair + kind, &c); ++c.row) {
			const real held = settle_contact(m, s, w, kind, c.row);
			if (scree_contact_counted(s, kind, c.row)) scree_fixed_add(&e->made, -held);
		}
}

/* For contacts with restored histories (restored.c), takes back only the half step. */
static void settle_halves(model *m, state *s, work *w)
{
	ledger *e = &s->energy;
	if (w->domain.first) {
		scree_fixed_add(&e->lost_normal, -e->points_heat / 2);
		scree_fixed_add(&e->made, -e->points_power / 2);
	}
	e->points_heat = e->points_power = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c) && l->remembers & REMEMBERS_ACCOUNT; ++c.row) {
			l->lost_normal[c.row] -= m->dt / 2 * l->heat[c.row];
			l->work[c.row] -= m->dt / 2 * l->power[c.row];
			l->heat[c.row] = l->power[c.row] = 0;
		}
	}
}

/* Finds contacts and overlaps for output, but no forces, since a solver has not applied impulses yet. */
static void show_meetings(model *m, state *s, work *w)
{
	scree_bodies_to_pairs(m, s, w);
	scree_bodies_to_records(m, s, w);
	scree_pairs_to_rows(m, s, w);
	scree_pairs_to_contacts(m, s, w);
	m->solver->prepare(m, s, w);
}

/* Saves a loaded world's forces, in ascending order of ids, and walls, which must not change as contacts are shown. */
static void keep_loads(start_shown *o, const state *s)
{
	const size_t count = (size_t)s->body.owned;
	int32_t *order = scree_bodies_by_id(&s->body);
	const real *const from[6] = {s->body.fx, s->body.fy, s->body.fz, s->body.tx, s->body.ty, s->body.tz};
	o->force = scree_alloc(6 * count, sizeof *o->force);
	for (size_t c = 0; c < 6; ++c)
		for (size_t k = 0; k < count; ++k) o->force[c * count + k] = from[c][order[k]];
	o->wall = scree_copy(s->wall, (size_t)s->walls, sizeof *o->wall);
	scree_free(order);
}

static void put_back_loads(const start_shown *o, state *s)
{
	const size_t count = (size_t)s->body.owned;
	int32_t *order = scree_bodies_by_id(&s->body);
	real *const to[6] = {s->body.fx, s->body.fy, s->body.fz, s->body.tx, s->body.ty, s->body.tz};
	for (size_t c = 0; c < 6; ++c)
		for (size_t k = 0; k < count; ++k) to[c][order[k]] = o->force[c * count + k];
	for (int32_t k = 0; k < s->walls; ++k) s->wall[k] = o->wall[k];
	scree_free(o->force);
	scree_free(o->wall);
	scree_free(order);
}

static void show_forces(model *m, state *s, work *w, const start_shown *before)
{
	m->response->first(m, s, w);
	if (before->came)
		settle_halves(m, s, w);
	else
		settle_energies(m, s, w, &before->energy);
	s->energy.wall_work = before->energy.wall_work;
	s->energy.wall_power = s->energy.fluid_power = s->energy.method_now = 0;
	s->energy.lost_method = before->energy.lost_method;
}

/* Histories and ledger remain as in the file. */
static void show_loaded(model *m, state *s, work *w, start_shown *before)
{
	keep_loads(before, s);
	m->response->first(m, s, w);
	s->energy = before->energy;
}

start_shown scree_world_show_start(model *m, state *s, work *w)
{
	start_shown before = {.energy = s->energy,
						  .impulse = s->impulse,
						  .broken = s->broken,
						  .clock = w->clock,
						  .border = s->images.border,
						  .came = scree_world_keep_contacts(m, s)};
	if (m->solver)
		show_meetings(m, s, w);
	else if (!s->begun)
		show_forces(m, s, w, &before);
	else
		show_loaded(m, s, w, &before);
	w->greatest_speed = scree_world_greatest_speed(s, w);
	return before;
}

void scree_world_hide_start(model *m, state *s, work *w, const start_shown *before)
{
	forget_contacts(m, s, w, before->border);
	w->greatest_speed = 0;
	s->energy = before->energy;
	s->impulse = before->impulse;
	s->broken = before->broken;
	w->clock = before->clock;
	if (before->force) put_back_loads(before, s);
	if (before->came) scree_world_restore_contacts(m, s, w, before->came);
}
