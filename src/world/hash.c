/* hash: one number for the whole state, whatever the order of rows: bodies by id, contacts by the ids of their
 * partners. */
#include "world/world.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

/* cells are counted only where space repeats */
static uint64_t hash_bodies(const bodies *b, bool repeats, uint64_t h)
{
	size_t n = (size_t)b->count;
	sort_item *item = scree_alloc(n, sizeof *item), *tmp = scree_alloc(n, sizeof *tmp);
	for (int32_t i = 0; i < b->count; ++i) item[i] = (sort_item){b->id[i], i};
	scree_sort(item, tmp, b->count);
	char *column = scree_alloc(n, 8);
	for (int f = 0; f < scree_body_rows(b); ++f) {
		const field *row = scree_body_row(b, f);
		if (!row->saved || (!repeats && row->at >= offsetof(bodies, cell_x) && row->at <= offsetof(bodies, cell_z)))
			continue;
		size_t size = scree_kind_size(row->type);
		const char *from = scree_field_array(b, row);
		for (size_t i = 0; i < n; ++i) memcpy(column + i * size, from + (size_t)item[i].value * size, size);
		h = scree_hash_join(h, column, n * size);
	}
	scree_free(column);
	scree_free(item);
	scree_free(tmp);
	return h;
}

static uint64_t hash_periods(const periods *p, uint64_t h)
{
	int32_t which[6] = {p->axis[0], p->axis[1], p->axis[2], p->shears, p->flow, p->gradient};
	real numbers[7] = {p->low.x, p->low.y, p->low.z, p->size.x, p->size.y, p->size.z, p->rate};
	return scree_hash_join(scree_hash_join(h, which, sizeof which), numbers, sizeof numbers);
}

/* One contact's hash is of its keys and its history; contacts are joined by a sum, which has no order. */
static uint64_t hash_contacts(const scree_world *w, int kind)
{
	const pair_list *l = w->pair + kind;
	uint64_t sum = 0;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
		int64_t k = c.row;
		real memory[32];
		for (int f = 0; f < scree_history_table.count; ++f)
			memory[f] = ((const real *)scree_field_array(l, scree_history_table.row + f))[k];
		uint64_t key[3] = {(uint64_t)kind, w->body.id[l->ca[k]],
						   kind >= PAIR_SPHERE_WALL ? (uint64_t)l->cb[k] : w->body.id[l->cb[k]]};
		uint64_t one = scree_hash_join(0, key, sizeof key);
		/* springs about the normal come last, and only where there are some */
		size_t count = (size_t)scree_history_table.count;
		if (l->spun[k] == 0) count -= l->twist[k] == 0 && l->twisted[k] == 0 ? 3 : 1;
		sum += scree_hash_join(one, memory, count * sizeof *memory);
	}
	return sum;
}

static uint64_t hash_fluid(const fluid *f, uint64_t h)
{
	const real numbers[5] = {f->density, f->viscosity, f->velocity.x, f->velocity.y, f->velocity.z};
	const int32_t choices[2] = {f->drag, f->buoyancy};
	return scree_hash_join(scree_hash_join(h, numbers, sizeof numbers), choices, sizeof choices);
}

/* Other walls stand where the time says. */
static uint64_t hash_servos(const walls *s, uint64_t h)
{
	for (int32_t k = 0; k < s->count; ++k) {
		const wall *o = s->row + k;
		const servo_state *v = &o->servo;
		if (o->motion.type != MOTION_SERVO) continue;
		const real numbers[8] = {v->mass,  v->stiffness, v->max_speed, v->way,
								 v->speed, o->force.x,	 o->force.y,   o->force.z};
		h = scree_hash_join(scree_hash_join(h, numbers, sizeof numbers), &v->contacts, sizeof v->contacts);
	}
	return h;
}

uint64_t scree_world_hash(const scree_world *w)
{
	int64_t counts[5] = {w->step, (int64_t)w->next_id, w->lost, w->body.count, w->wall.count};
	real numbers[5] = {w->time, w->dt, w->gravity.x, w->gravity.y, w->gravity.z};
	uint64_t h = scree_hash_join(scree_hash_join(0, counts, sizeof counts), numbers, sizeof numbers);
	h = hash_bodies(&w->body, w->period.on, h);
	if (w->period.on) h = hash_periods(&w->period, h);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		uint64_t contacts = hash_contacts(w, kind);
		h = scree_hash_join(h, &contacts, sizeof contacts);
	}
	const fixed ledger[6] = {w->energy.lost_normal, w->energy.lost_friction, w->energy.lost_rolling,
							 w->energy.made,		w->energy.wall_work,	 w->energy.brought};
	for (int k = 0; k < 6; ++k) h = scree_hash_join(h, &ledger[k].quanta, sizeof ledger[k].quanta);
	for (int32_t k = 0; k < w->people.sources; ++k) {
		const source *s = w->people.source + k;
		uint64_t state[3] = {(uint64_t)s->made, s->random.counter, (uint64_t)s->random.left};
		h = scree_hash_join(h, state, sizeof state);
	}
	for (int32_t k = 0; k < w->people.sinks; ++k) {
		const sink *s = w->people.sink + k;
		h = scree_hash_join(h, &s->taken, sizeof s->taken);
		h = scree_hash_join(h, &s->mass_taken, sizeof s->mass_taken);
	}
	/* the standard one adds nothing */
	if (w->mover != scree_integrators) h = scree_hash_join(h, w->mover->name, strlen(w->mover->name));
	if (w->fluid.on) h = hash_fluid(&w->fluid, h);
	h = hash_servos(&w->wall, h);
	if (w->solver) {
		h = scree_hash_join(h, w->solver->name, strlen(w->solver->name));
		h = scree_hash_join(h, &w->impulse.correction, sizeof w->impulse.correction);
		h = scree_hash_join(h, &w->impulse.collisions, sizeof w->impulse.collisions);
	}
	/* of the standard by an energy and by depth the laws tell */
	if (w->narrow != scree_narrows && w->narrow->gives != OVERLAP_THICKNESS)
		h = scree_hash_join(h, w->narrow->name, strlen(w->narrow->name));
	if (w->flat) h = scree_hash_join(h, &w->thickness, sizeof w->thickness);
	return h;
}
