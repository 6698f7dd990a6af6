/* hash: one number for the whole state. Bodies and contacts have their own hashes, from their keys and saved data;
 * these are summed, so that the order of rows has no effect. Everything else is hashed in sequence. */
#include "world/world.h"

#include "base/hash.h"
#include "base/memory.h"
#include "model/integrator.h"
#include "model/narrow.h"
#include "model/response.h"
#include "model/sources.h"
#include "state/contact_key.h"
#include "state/contact_rows.h"
#include "state/names.h"
#include "state/pairs.h"

#include <string.h>

/* Tests whether a field is hashed: cells only with periods, and not the guard's energies, which do not affect
 * motion. */
static bool is_hashed(const field *f, bool repeats)
{
	if (f->at == offsetof(bodies, energy) || f->at == offsetof(bodies, stirred)) return false;
	return f->saved && (repeats || f->at < offsetof(bodies, cell_x) || f->at > offsetof(bodies, cell_z));
}

/* Packs bodies from .. from + count-1 into blocks of `size` bytes: saved fields in the order of the table. */
static void pack_bodies(const bodies *b, bool repeats, int64_t from, int64_t count, char *rows, size_t size)
{
	size_t at = 0;
	for (int f = 0; f < scree_body_rows(b); ++f) {
		const field *row = scree_body_row(b, f);
		if (!is_hashed(row, repeats)) continue;
		size_t wide = scree_kind_size(row->type);
		const char *array = (const char *)scree_field_array(b, row) + (size_t)from * wide;
		char *to = rows + at;
		if (wide == sizeof(uint64_t)) /* a copy of constant length compiles to one instruction */
			for (int64_t i = 0; i < count; ++i, to += size, array += sizeof(uint64_t))
				memcpy(to, array, sizeof(uint64_t));
		else
			for (int64_t i = 0; i < count; ++i, to += size, array += wide) memcpy(to, array, wide);
		at += wide;
	}
}

uint64_t scree_bodies_hash(const bodies *b, int32_t from, int32_t to, bool repeats)
{
	enum { BLOCK = 64 };
	size_t size = 0;
	for (int f = 0; f < scree_body_rows(b); ++f)
		if (is_hashed(scree_body_row(b, f), repeats)) size += scree_kind_size(scree_body_row(b, f)->type);
	char *rows = scree_alloc(BLOCK, size);
	uint64_t sum = 0;
	for (int64_t i = from; i < to; i += BLOCK) {
		int64_t count = to - i < BLOCK ? to - i : BLOCK;
		pack_bodies(b, repeats, i, count, rows, size);
		for (int64_t k = 0; k < count; ++k) sum += scree_hash(rows + (size_t)k * size, size);
	}
	scree_free(rows);
	return sum;
}

/* Mixes numbers, or one variable, into a running hash. */
#define JOIN(h, type, ...) scree_hash_join(h, (const type[]){__VA_ARGS__}, sizeof(const type[]){__VA_ARGS__})
#define JOIN_ONE(h, of)	   scree_hash_join(h, &(of), sizeof(of))

static uint64_t join_text(uint64_t h, const char *text) { return scree_hash_join(h, text, strlen(text)); }

/* the present size of the cell, if it changes */
static uint64_t hash_cell(const images *now, uint64_t h)
{
	const vec3 of[] = {now->low, now->size, now->growth, now->mean, now->border};
	for (size_t k = 0; k < sizeof of / sizeof *of; ++k) h = JOIN_ONE(h, of[k]);
	return h;
}

static uint64_t hash_periods(const periods *p, uint64_t h)
{
	h = JOIN(h, int32_t, p->axis[0], p->axis[1], p->axis[2], p->shears, p->flow, p->gradient);
	return JOIN(h, real, p->low.x, p->low.y, p->low.z, p->size.x, p->size.y, p->size.z, p->rate);
}

/* The hash covers the name of a kind and, for its histories, the names of the columns. */
static uint64_t hash_names(const pair_list *l, int kind)
{
	const char *name = scree_pair_kinds[kind].name;
	uint64_t h = scree_hash(name, strlen(name) + 1);
	for (int f = 0; f < scree_history_table.count; ++f)
		if (scree_pair_has(l, f))
			h = scree_hash_join(h, scree_history_table.row[f].name, strlen(scree_history_table.row[f].name) + 1);
	return h;
}

/* The hash of a contact covers its key and its history. */
static uint64_t hash_contacts(const model *m, const state *s, int kind)
{
	const pair_list *l = s->pair + kind;
	uint64_t sum = 0, names = hash_names(l, kind);
	const real *column[64];
	size_t columns = 0;
	for (int f = 0; f < scree_history_table.count; ++f)
		if (scree_pair_has(l, f)) column[columns++] = scree_field_array(l, scree_history_table.row + f);
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
		if (!scree_contact_counted(s, kind, c.row)) continue;
		real memory[64];
		for (size_t f = 0; f < columns; ++f) memory[f] = column[f][c.row];
		contact_key o = scree_contact_key(m, s, kind, c.row);
		uint64_t key[5] = {o.a, o.b, (uint64_t)(uint32_t)o.image.x << 32 | (uint32_t)o.image.y, (uint32_t)o.image.z,
						   o.feature};
		uint64_t h = scree_hash_join(names, key, sizeof key);
		if (l->feature && pair_on_wall(kind)) h = JOIN_ONE(h, o.part);
		sum += scree_hash_join(h, memory, columns * sizeof *memory);
	}
	return sum;
}

static uint64_t hash_fluid(const fluid *f, uint64_t h)
{
	h = JOIN(h, real, f->density, f->viscosity, f->velocity.x, f->velocity.y, f->velocity.z);
	return join_text(JOIN(h, int32_t, f->buoyancy), scree_drag_names.of[f->drag]);
}

/* for solvers with one problem per body */
static uint64_t hash_one_bodies(const model *m, const state *s, uint64_t h)
{
	const impulses *o = &s->impulse;
	h = JOIN(h, int64_t, m->directions, o->stopped, o->limited);
	return JOIN_ONE(JOIN_ONE(h, o->given.quanta), o->unbalanced.quanta);
}

static uint64_t hash_implicit(const model *m, const state *s, uint64_t h)
{
	const impulses *i = &s->impulse;
	return JOIN(join_text(h, m->response->name), real, (real)i->sweeps, (real)i->capped, i->solved, i->unsolved,
				i->window_solved, i->window_unsolved);
}

/* hashes the parameters of motions that began during the run */
static uint64_t hash_placed(const wall_motion *o, uint64_t h)
{
	return JOIN(h, real, o->start.x, o->start.y, o->start.z, o->amplitude.x, o->amplitude.y, o->amplitude.z,
				o->frequency, o->phase, o->servo.force, o->servo.before, o->ramp);
}

/* hashes walls that a program moves, and walls whose motion began during the run */
static uint64_t hash_given(const model *m, uint64_t h)
{
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const wall_motion *o = &m->wall.row[k].motion;
		if (o->type == MOTION_GIVEN || o->placed)
			h = JOIN(h, real, o->point.x, o->point.y, o->point.z, o->base.w, o->base.x, o->base.y, o->base.z,
					 o->velocity.x, o->velocity.y, o->velocity.z, o->axis.x, o->axis.y, o->axis.z, o->rate, o->from);
		if (o->placed) h = hash_placed(o, h);
	}
	return h;
}

/* hashes tables of motions that began during the run, and the poses of walls with several motions */
static uint64_t hash_parts(const model *m, const state *s, uint64_t h)
{
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const wall *o = m->wall.row + k;
		const wall_state *at = s->wall + k;
		const motion_table *t[2] = {&o->motion.table, &o->motion.servo.over};
		for (int i = 0; i < 2; ++i)
			if (t[i]->rows) h = scree_hash_join(h, t[i]->row, (size_t)t[i]->rows * sizeof *t[i]->row);
		const vec3 p = at->position;
		const quat q = at->orientation;
		if (o->parts || o->motion.table.rows) h = JOIN(h, real, p.x, p.y, p.z, q.w, q.x, q.y, q.z);
	}
	return h;
}

/* hashes strain rates and stresses of the cell as functions of time */
static uint64_t hash_cell_tables(const cell_rule *c, uint64_t h)
{
	const motion_table *t[2] = {&c->over, &c->goal};
	const real from[2] = {c->from, c->goal_from};
	for (int i = 0; i < 2; ++i) {
		if (!t[i]->rows) continue;
		h = JOIN_ONE(scree_hash_join(h, t[i]->row, (size_t)t[i]->rows * sizeof *t[i]->row), from[i]);
	}
	return h;
}

/* hashes servos; the positions of other walls follow from the time */
static uint64_t hash_servos(const model *m, const state *s, uint64_t h)
{
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const wall *o = m->wall.row + k;
		const servo_constants *c = &o->servo;
		const servo_state *v = &s->wall[k].servo;
		const vec3 f = s->wall[k].force;
		if (!motion_is_driven(o->motion.type)) continue;
		h = JOIN(h, real, c->mass, c->stiffness, c->max_speed, v->way, v->speed, f.x, f.y, f.z);
		h = JOIN_ONE(h, v->contacts);
		if (!motion_is_free(o->motion.type)) h = JOIN(h, real, v->carried, v->reached);
	}
	return h;
}

static uint64_t hash_stage(const stage_state *o, uint64_t h)
{
	h = JOIN(h, int64_t, o->count, o->now, o->over, o->step);
	return JOIN(h, real, o->time, o->since, o->reference, o->mass);
}

/* flow: sums over the parts of a world, for each plane two counts of bodies and two masses */
static uint64_t hash_flow(const model *m, const fixed *flow, uint64_t h)
{
	for (int32_t k = 0; k < FLOW_SUMS * m->flow.count; ++k) h = JOIN_ONE(JOIN_ONE(h, flow[k].quanta), flow[k].beyond);
	return h;
}

/* Ledger terms that are sums over the parts of a world. */
enum { LEDGER = 6, HEAT = 3 };
typedef struct whole_sums {
	uint64_t bodies, contacts, count;
	int128 ledger[LEDGER], heat[HEAT], method;
	fixed flow[FLOW_SUMS * FLOW_PLANES];
} whole_sums;

static whole_sums sum_parts(const model *m, const state *s, const work *w)
{
	const ledger *e = &s->energy;
	uint64_t contacts = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) contacts += hash_contacts(m, s, kind);
	fixed sum[4 + LEDGER + HEAT + FLOW_SUMS * FLOW_PLANES] = {
		[3] = e->lost_normal, e->lost_friction, e->lost_rolling,  e->made,		   e->wall_work,
		e->brought,			  e->heat_walls,	e->heat_friction, e->heat_brought, e->lost_method};
	sum[0].quanta = scree_bodies_hash(&s->body, 0, s->body.owned, m->period.on);
	sum[1].quanta = contacts, sum[2].quanta = s->body.owned;
	fixed *flow = sum + 4 + LEDGER + HEAT;
	for (int32_t k = 0; k < m->flow.count; ++k) flow_to_sums(s->flow + k, flow + FLOW_SUMS * k);
	w->domain.by->add(w->domain.at, 4 + LEDGER + HEAT + FLOW_SUMS * m->flow.count, sum);
	whole_sums o = {(uint64_t)sum[0].quanta, (uint64_t)sum[1].quanta, (uint64_t)sum[2].quanta, {0}, {0}, 0, {{0}}};
	o.method = sum[3 + LEDGER + HEAT].quanta;
	for (int k = 0; k < LEDGER; ++k) o.ledger[k] = sum[3 + k].quanta;
	for (int k = 0; k < HEAT; ++k) o.heat[k] = sum[3 + LEDGER + k].quanta;
	memcpy(o.flow, flow, sizeof o.flow);
	return o;
}

uint64_t scree_world_hash(const model *m, const state *s, const work *w)
{
	whole_sums whole = sum_parts(m, s, w);
	uint64_t h = JOIN(0, int64_t, s->step, (int64_t)s->next_id, s->lost, (int64_t)whole.count, m->wall.count);
	h = JOIN_ONE(JOIN(h, real, s->time, m->dt, m->gravity.x, m->gravity.y, m->gravity.z), whole.bodies);
	if (m->period.on) h = hash_periods(&m->period, h);
	if (m->period.deforms) h = hash_cell_tables(&m->cell, hash_cell(&s->images, h));
	h = JOIN_ONE(h, whole.contacts);
	for (int k = 0; k < LEDGER; ++k) h = JOIN_ONE(h, whole.ledger[k]);
	h = JOIN(h, real, s->energy.points_power, s->energy.points_heat);
	if (whole.method) h = JOIN_ONE(h, whole.method); /* for implicit steps */
	for (int32_t k = 0; k < m->population.sources; ++k) {
		const source_state *now = s->source + k;
		h = JOIN(h, uint64_t, (uint64_t)now->made, now->random.counter, (uint64_t)now->random.left);
		const source *of = m->population.source + k;
		if (of->mass_rate > 0 || of->mass_limit > 0) h = JOIN_ONE(h, now->mass);
	}
	for (int32_t k = 0; k < m->population.sinks; ++k)
		h = JOIN_ONE(JOIN_ONE(h, s->sink[k].taken), s->sink[k].mass_taken);
	if (!m->integrator->standard) h = join_text(h, m->integrator->name);
	if (m->fluid.on) h = hash_fluid(&m->fluid, h);
	h = hash_servos(m, s, h);
	h = hash_parts(m, s, h);
	h = hash_given(m, h);
	if (m->implicit || s->impulse.sweeps > 0) h = hash_implicit(m, s, h);
	if (m->solver) {
		h = join_text(h, m->solver->name);
		h = JOIN_ONE(h, m->correction);
		h = JOIN_ONE(h, s->impulse.collisions);
		if (m->solver->halves) h = hash_one_bodies(m, s, h);
	}
	/* the default is not hashed: its results in single and double precision are bitwise identical */
	if (m->triangles.way != 0) h = JOIN_ONE(h, m->triangles);
	/* the default narrow phases are not hashed: the laws determine which of them is used */
	if (strcmp(m->narrow->name, "separating-plane") && m->narrow->gives != OVERLAP_THICKNESS)
		h = join_text(h, m->narrow->name);
	if (m->flat) h = JOIN_ONE(h, m->thickness);
	if (m->flow.count) h = hash_flow(m, whole.flow, h);
	if (s->stage.count) h = hash_stage(&s->stage, h);
	if (body_temperatures(&s->body)) h = scree_hash_join(h, whole.heat, sizeof whole.heat);
	if (s->pair[PAIR_SPHERE_SPHERE].remembers & REMEMBERS_BONDS) h = JOIN_ONE(h, s->broken);
	return h;
}
