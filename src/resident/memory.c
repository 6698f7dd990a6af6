/* memory: copies a world to the memory of a device and back, column by column, and launches the kernels of its steps.
 *
 * Contact rows are sorted by both bodies; rows out of use have the complement of a second one. */
#include "resident/blocks.h"

#include "base/memory.h"
#include "broad/stage.h"
#include "guard/guard.h"
#include "kernel/contact.h"
#include "model/law.h"
#include "model/model.h"
#include "model/sources.h"
#include "motion/stage.h"
#include "narrow/stage.h"
#include "state/state.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

typedef struct column {
	size_t at, size; /* offset of the array's pointer in its table; bytes per item */
	bool written;
} column;

#define OF_BODIES(name, written) {offsetof(bodies, name), sizeof *((bodies *)0)->name, written},
#define OF_ROWS(name, written)	 {offsetof(pair_list, name), sizeof *((pair_list *)0)->name, written},
static const column of_bodies[RESIDENT_BODIES] = {RESIDENT_BODY(OF_BODIES)};
static const column of_rows[RESIDENT_ROWS] = {RESIDENT_ROW(OF_ROWS)};

/* ------------------------------------------------------------------ the device */

resident *scree_resident_memory(machine *on, const char *name, device by)
{
	resident *r = scree_alloc(1, sizeof *r);
	r->by = by;
	r->on = on;
	r->name = name;
	r->law = r->extra = NOT_BUILT;
	return r;
}

void scree_resident_close(device *d)
{
	resident *r = (resident *)(void *)d;
	scree_machine_close(r->on);
	SCREE_FREE_ALL(r->sent, r->load, r);
}

void scree_resident_forget(device *d) { ((resident *)(void *)d)->there = false; }

static bool any_held(const bodies *b)
{
	for (int32_t i = 0; i < b->owned; ++i)
		if (b->inv_mass[i] == 0) return true;
	return false;
}

void scree_resident_check(const model *m, const state *s, const work *w)
{
	resident *r = resident_of(w);
	fail why;
	if (r->there) return;
	scree_block_need(scree_resident_takes(m, s, w->domain.by->sent != NULL, r->name, &why), &why);
	r->held = any_held(&s->body);
}

int64_t scree_resident_read_every(const work *w) { return resident_of(w)->held ? HELD_STEPS : ENERGY_STEPS; }

void scree_resident_by_host(work *w)
{
	resident *r = resident_of(w);
	r->there = r->due = false; /* the host searches if it must */
	r->by_host += 1;
}

resident_counts scree_resident_counts(const work *w)
{
	const resident *r = resident_of(w);
	resident_counts c = {r->made, r->by_host, 0, 0, r->on};
	for (int k = 0; k < BLOCKS; ++k) {
		c.bytes += r->of[k].bytes;
		if (r->of[k].bytes > c.largest) c.largest = r->of[k].bytes;
	}
	return c;
}

/* ------------------------------------------------------------------ columns */

static void *array_of(const void *store, const column *c)
{
	void *array;
	memcpy(&array, (const char *)store + c->at, sizeof array);
	return array;
}

/* Copies columns to the device; columns that the world lacks are left out. */
static void put_columns(resident *r, int which, const void *store, const column *c, int columns, int64_t stride,
						int64_t count)
{
	scree_block_room(r, which, columns * stride * (int64_t)sizeof(real));
	for (int k = 0; k < columns; ++k)
		if (array_of(store, c + k))
			scree_block_put(r, which, k * stride * (int64_t)sizeof(real), array_of(store, c + k),
							count * (int64_t)c[k].size);
}

static void get_columns(resident *r, int which, const void *store, const column *c, int columns, int64_t stride,
						int64_t count)
{
	for (int k = 0; k < columns; ++k)
		if (c[k].written && array_of(store, c + k))
			scree_block_get(r, which, k * stride * (int64_t)sizeof(real), array_of(store, c + k),
							count * (int64_t)c[k].size);
}

enum { MORE_ROWS = 1024 };

static int64_t row_count(const pair_list *l) { return l->pieces ? l->base[l->pieces] : 0; }

static bool has_column(const pair_list *l, int k)
{
	for (int f = 0; f < scree_history_table.count; ++f)
		if (scree_history_table.row[f].at == of_rows[k].at) return scree_pair_has(l, f);
	return true;
}

/* Columns up to the last one that the laws need. */
static int columns_of(const resident *r, int which, const pair_list *l, column of[RESIDENT_ROWS])
{
	int end = RESIDENT_ROWS, count = 0;
	while (!has_column(l, end - 1)) --end;
	for (int k = 0; k < end; ++k)
		if (which < LIST_SOLIDS || k < ROW_rx || k >= ROW_rx + r->left_out) of[count++] = of_rows[k];
	return count;
}

/* The law of patches without rolling has no use for the columns before those of patches. */
static int32_t left_out(const state *s)
{
	bool any = false;
	for (int which = LIST_SOLIDS; which <= LIST_SOLID_WALL; ++which)
		for (int k = ROW_rx; k < ROW_spun; ++k) any |= has_column(s->pair + resident_kinds[which], k);
	return any ? 0 : ROW_spun - ROW_rx;
}

/* Marks the rows of a piece that are not in use, in the order of the rows before them, since a piece may end between
 * rows of one body. */
static void mark_unused(pair_list *l, int32_t p)
{
	const int64_t end = l->base[p] + l->used[p];
	const int32_t a = end > 0 ? l->ca[end - 1] : -1, b = end > 0 ? l->cb[end - 1] : -1;
	for (int64_t k = end; k < l->base[p + 1]; ++k) l->ca[k] = a, l->cb[k] = b < 0 ? b : ~b;
}

/* Makes room for more rows, since searches of the device keep the block. */
static void put_rows(resident *r, int which, pair_list *l)
{
	const bool packed = which == (r->solids ? LIST_SOLIDS : LIST_SPHERES);
	const int64_t least = packed ? r->rows_per_body * r->rule.bodies : 0;
	const int64_t rows = row_count(l) > least ? row_count(l) : least;
	const int64_t most = rows > r->wanted[which] ? rows : r->wanted[which], stride = most + most / 8 + MORE_ROWS;
	column of[RESIDENT_ROWS];
	const int columns = r->columns[which] = columns_of(r, which, l, of);
	for (int32_t p = 0; p < l->pieces; ++p) mark_unused(l, p);
	put_columns(r, PAIRS + which, l, of, columns, stride, rows);
	r->rule.rows[which] = rows;
	r->rule.row_stride[which] = stride;
}

/* ------------------------------------------------------------------ the world */

static void put_constants(resident *r, const model *m)
{
	const size_t rules = (size_t)m->material.count * (size_t)m->material.count;
	law_constants *all = scree_copy(m->constants, rules, sizeof *all);
	for (size_t k = 0; k < rules; ++k) all[k].law = scree_laws[all[k].law].of_spheres;
	scree_block_put_all(r, CONSTANTS, all, (int64_t)(rules * sizeof *all));
	scree_free(all);
}

/* Largest overlap for which the guards do nothing (guard/guards.c). */
static real overlap_limit(const model *m, const work *w)
{
	const real known = real_max(DEEP_OVERLAP, (real)1.05 * w->deepest.part);
	return m->guard.overlap > 0 ? real_min(m->guard.overlap, known) : known;
}

static real speed2_limit(const model *m)
{
	const real most = m->guard.speed > 0 ? m->guard.speed : (real)1e100;
	return (1 - (real)1e-12) * most * most;
}

static bool any_passed(const model *m)
{
	bool any = false;
	for (int32_t k = 0; k < m->wall.count; ++k) any |= scree_wall_can_be_passed(m, m->wall.row + k);
	return any;
}

/* Bodies may leave the domain along periodic axes, but with walls that a centre may cross, the host tests the paths of
 * bodies that leave the cell (narrow/bodies_through_walls.c). */
static void set_domain(resident_rule *r, const model *m, bool sides)
{
	const real far = INFINITY;
	const vec3 low = m->period.low, high = v3_add(low, m->period.size);
	r->low = m->guard.bounded ? m->guard.low : v3(-far, -far, -far);
	r->high = m->guard.bounded ? m->guard.high : v3(far, far, far);
	for (int32_t k = 0; k < 3; ++k)
		if (m->period.axis[k]) {
			*v3_along(&r->low, k) = sides ? v3_part(low, k) : -far;
			*v3_along(&r->high, k) = sides ? v3_part(high, k) : far;
		}
}

static void set_rule(resident_rule *r, const model *m, const state *s, const work *w, bool sides)
{
	r->dt = m->dt;
	r->gravity = m->gravity;
	set_domain(r, m, sides);
	r->periodic = m->period.on;
	r->flows = periods_flow_any(&m->period);
	r->slip = m->dt * periods_slip(&m->period, &s->images);
	r->force_quantum = w->sums.force_quantum;
	r->torque_quantum = w->sums.torque_quantum;
	r->energy_quantum = w->sums.energy_quantum;
	r->reach = w->skin.clings;
	r->way = STEP_OF_THICKNESS * w->thinnest / 2;
	r->speed2 = speed2_limit(m);
	r->overlap = overlap_limit(m, w);
	r->bodies = s->body.owned;
	r->body_stride = s->body.capacity;
	r->materials = m->material.count;
	r->walls = m->wall.count;
	r->shared = !contact_work_plain(&w->pair[PAIR_SPHERE_WALL].contact);
	r->meetings = m->wall.meets ? m->wall.meetings : 0;
	r->surfaces = m->wall.surfaces;
	r->meet_near = m->wall.meet_near;
	r->part = m->guard.overlap;
	r->loose = m->narrow->literal ? INFINITY : 0;
	r->deeper = m->narrow->gives == OVERLAP_DEPTH ? 1 : 2;
}

/* Enough workers to occupy a card, with a few rows each. */
static int64_t workers_for(const resident_rule *r)
{
	enum { LEAST = 64, MOST = 65536, ROWS = 4 };
	int64_t wanted = 0;
	for (int k = 0; k < r->lists; ++k) wanted += r->rows[k] / ROWS;
	return wanted < LEAST ? LEAST : wanted > MOST ? MOST : wanted;
}

/* Compiles the kernels for the laws and shapes of this world. */
static void compile(resident *r)
{
	const size_t length = strlen(scree_kernels_text) + 300;
	fail why;
	char *text = scree_alloc(length, 1);
	int at =
		snprintf(text, length,
				 "#define RESIDENT_EXTRA(r) ((enum extra)%d)\n#define RESIDENT_SOLIDS %d\n#define RESIDENT_TUBES %d\n"
				 "#define RESIDENT_FACETS %d\n#define RESIDENT_LEFT_OUT %d\n%s",
				 r->extra, r->solids ? r->solids->text : 0, r->tubes, r->facets, r->left_out,
				 r->large ? "#define SCREE_LARGE_SOLIDS\n" : "");
	if (r->law >= 0)
		at += snprintf(text + at, length - (size_t)at, "#define RESIDENT_LAW(c) ((enum law_row)%d)\n",
					   scree_laws[r->law].of_spheres);
	snprintf(text + at, length - (size_t)at, "%s", scree_kernels_text);
	const bool done = scree_machine_build(r->on, text, &why);
	scree_free(text);
	scree_block_need(done, &why);
}

static void build(resident *r, const model *m, const state *s)
{
	const int64_t rules = (int64_t)m->material.count * m->material.count;
	const int32_t law = scree_laws_same(m->constants, rules), extra = scree_laws_extra(m->constants, rules);
	const narrow_kernels *solids = scree_solids_kernels(m, s);
	const int32_t large = solids && scree_solids_large(m);
	const int32_t tubes = solids && scree_solids_at_tubes(m), facets = solids && scree_solids_at_facets(m);
	const int32_t left = solids && extra == EXTRA_NONE ? left_out(s) : 0;
	const bool same = law == r->law && extra == r->extra && solids == r->solids && large == r->large &&
					  tubes == r->tubes && facets == r->facets && left == r->left_out;
	r->law = law, r->extra = extra, r->solids = solids, r->large = large, r->tubes = tubes, r->facets = facets;
	r->left_out = left;
	if (!same && r->on) compile(r);
	if (!same && solids) scree_solids_built(r);
}

static resident_sink box_of(const sink *s)
{
	const vec3 far = v3(INFINITY, INFINITY, INFINITY);
	resident_sink o = {v3_neg(far), far, s->normal, s->off};
	if (s->type == SINK_BELOW) return o;
	scree_region_reach(&s->where, &o.low, &o.high);
	const vec3 more = v3_mul((real)1e-9, v3_add(v3_max(o.high, v3_neg(o.low)), v3_sub(o.high, o.low)));
	return (resident_sink){v3_sub(o.low, more), v3_add(o.high, more), v3(0, 0, 0), 1};
}

static void put_sinks(resident *r, const population *p)
{
	resident_sink *of = scree_alloc((size_t)p->sinks, sizeof *of);
	r->rule.sinks = 0;
	for (int32_t k = 0; k < p->sinks; ++k)
		if (!p->sink[k].idle) of[r->rule.sinks++] = box_of(p->sink + k);
	scree_block_put_all(r, SINKS, of, r->rule.sinks * (int64_t)sizeof *of);
	scree_free(of);
}

void scree_resident_clear_sums(resident *r)
{
	scree_block_clear(r, SUMS, r->rule.body_stride * 8 * (int64_t)sizeof(uint64_t));
}

static void put_wide(resident *r, const state *s, const work *w)
{
	r->rule.wides = w->sums.wide ? w->sums.wides : 0;
	scree_block_put_all(r, WIDE_ROWS, w->sums.wide, r->rule.wides ? s->body.count * (int64_t)sizeof(int32_t) : 0);
	scree_block_clear(r, WIDE_SUMS, r->rule.wides * WIDE_WORDS * (int64_t)sizeof(uint64_t));
}

void scree_resident_write(const model *m, state *s, const work *w, int64_t steps)
{
	resident *r = resident_of(w);
	const bodies *b = &s->body;
	r->sides = any_passed(m);
	set_rule(&r->rule, m, s, w, r->sides);
	if (!r->there) {
		build(r, m, s);
		r->rule.lists = r->solids ? ALL_LISTS : RESIDENT_LISTS;
		put_columns(r, BODIES, b, of_bodies, RESIDENT_BODIES, b->capacity, b->count);
		for (int k = 0; k < r->rule.lists; ++k) put_rows(r, k, s->pair + resident_kinds[k]);
		put_constants(r, m);
		put_wide(r, s, w);
		put_sinks(r, &m->population);
		scree_resident_put_tables(r, m);
		scree_resident_put_groups(r, m, s, w);
		scree_resident_put_pairs_images(r, s->pair + PAIR_SPHERE_SPHERE);
		scree_resident_put_sent(r, w);
		scree_resident_clear_sums(r);
		if (r->solids) scree_solids_write(r, m);
		r->due = r->searched = false;
	}
	r->there = true;
	r->rule.workers = workers_for(&r->rule);
	scree_block_clear(r, PARTIAL, r->rule.lists * r->rule.workers * ITEM_WORDS * (int64_t)sizeof(uint64_t));
	scree_resident_put_walls(r, m, s, w, steps);
	scree_resident_put_images(r, m, s, steps);
	scree_block_put_all(r, RULE, &r->rule, sizeof r->rule);
}

/* Replaces a list of the host by that of the last search. */
static void get_list(const model *m, state *s, work *w, int which)
{
	resident *r = resident_of(w);
	const int64_t rows = r->rule.rows[which], stride = r->rule.row_stride[which] * (int64_t)sizeof(real);
	int32_t *of[2];
	image *met = NULL;
	if (m->period.on && !list_on_wall(which)) {
		met = scree_alloc((size_t)rows, sizeof *met);
		if (which == LIST_SPHERES) scree_block_get(r, MET, 0, met, rows * (int64_t)sizeof *met);
	}
	for (int k = 0; k < 2; ++k) {
		of[k] = scree_alloc((size_t)rows, sizeof **of);
		scree_block_get(r, PAIRS + which, (k ? ROW_cb : ROW_ca) * stride, of[k], rows * (int64_t)sizeof **of);
	}
	scree_pair_list_give(s, w, resident_kinds[which], rows, of[0], of[1], met);
	SCREE_FREE_ALL(of[0], of[1], met);
}

static void get_rows(resident *r, int which, const pair_list *l)
{
	column of[RESIDENT_ROWS];
	const int columns = columns_of(r, which, l, of);
	get_columns(r, PAIRS + which, l, of, columns, r->rule.row_stride[which], r->rule.rows[which]);
}

bool scree_resident_read(const model *m, state *s, work *w)
{
	resident *r = resident_of(w);
	if (!r->ahead) return false;
	if (r->searched) scree_resident_get_groups(r, w);
	for (int k = 0; r->searched && k < r->rule.lists; ++k) get_list(m, s, w, k);
	r->searched = false;
	get_columns(r, BODIES, &s->body, of_bodies, RESIDENT_BODIES, r->rule.body_stride, r->rule.bodies);
	for (int k = 0; k < r->rule.lists; ++k) get_rows(r, k, s->pair + resident_kinds[k]);
	if (r->solids) scree_solids_read(r, s, w);
	r->ahead = false;
	return true;
}

/* ------------------------------------------------------------------ launches */

static void launch_drift(resident *r, int32_t step)
{
	LAUNCH(r, "resident_drifts", r->rule.bodies, &step, 1, RULE, BODIES, PERIOD, IMAGES, REPORTS, STOP);
}

static void launch_look_at_walls(resident *r, int32_t step)
{
	LAUNCH(r, "resident_look_at_walls", r->rule.groups, &step, 1, RULE, BODIES, WALLS, GROUPS, STOP, WALL_TABLES,
		   AT_WALLS);
}

static void launch_contacts(resident *r, int32_t step)
{
	enum { ADDERS = 1024 };
	const int64_t bodies = r->rule.bodies, workers = r->rule.workers;
	const int32_t number[2] = {step, workers < ADDERS ? (int32_t)workers : ADDERS};
	LAUNCH(r, "resident_meets", r->rule.groups, number, 1, RULE, BODIES, ON_WALLS, CONSTANTS, WALLS, GROUPS, LOADS,
		   STOP, WALL_TABLES, AT_WALLS);
	if (r->sides) launch_look_at_walls(r, step);
	if (r->solids) scree_solids_launch_find(r, step);
	LAUNCH(r, "resident_pairs", workers, number, 1, RULE, BODIES, PAIRS, CONSTANTS, PERIOD, IMAGES, MET, SUMS,
		   WIDE_ROWS, WIDE_SUMS, PARTIAL, REPORTS, STOP);
	LAUNCH(r, "resident_on_walls", workers, number, 1, RULE, BODIES, ON_WALLS, CONSTANTS, WALLS, TOUCHES, SUMS,
		   WIDE_ROWS, WIDE_SUMS, LOADS, PARTIAL, REPORTS, STOP);
	if (r->solids) scree_solids_launch_law(r, step);
	LAUNCH(r, "resident_sums", number[1], number, 2, RULE, PARTIAL, REPORTS, STOP);
	LAUNCH(r, "resident_kicks", bodies, number, 1, RULE, BODIES, SUMS, WIDE_ROWS, WIDE_SUMS, SINKS, REPORTS, STOP);
}

int64_t scree_resident_launch(state *s, work *w, int64_t steps)
{
	resident *r = resident_of(w);
	const int64_t never[STOP_WORDS] = {INT64_MAX}, bytes = steps * REPORT_WORDS * (int64_t)sizeof *r->report;
	const int64_t loads = steps * r->rule.walls * LOAD_ON_WALL_WORDS * (int64_t)sizeof *r->load;
	int64_t made = 0, stop[STOP_WORDS];
	scree_block_clear(r, REPORTS, bytes);
	scree_block_clear(r, LOADS, loads);
	scree_block_put_all(r, STOP, never, sizeof never);
	LAUNCH(r, "resident_look", r->rule.bodies, NULL, 0, RULE, BODIES, SINKS, STOP);
	launch_look_at_walls(r, -1);
	const bool divided = w->domain.by->sent != NULL;
	if (divided && scree_resident_stops(r, w)) return 0;
	for (int32_t k = 0; k < steps; ++k) {
		launch_drift(r, k);
		if (divided) scree_resident_follow(r, s, w);
		launch_contacts(r, k);
	}
	memset(r->report, 0, sizeof r->report);
	scree_block_get(r, REPORTS, 0, r->report, bytes);
	uint64_t *const before = r->load; /* a call that breaks off must not leave it freed */
	r->load = scree_alloc((size_t)loads, 1);
	scree_free(before);
	scree_block_get(r, LOADS, 0, r->load, loads);
	scree_block_get(r, STOP, 0, stop, sizeof stop);
	while (made < steps && (!r->rule.bodies || r->report[made * REPORT_WORDS + REPORT_DONE])) ++made;
	r->stop = stop[STOP_STEP];
	r->due = made < steps && !divided && !stop[STOP_BY_HOST];
	r->ahead |= made > 0 || scree_resident_is_within(w, made, steps);
	r->made += made;
	return made;
}

bool scree_resident_stopped(const work *w, int64_t k)
{
	const resident *r = resident_of(w);
	return !r->due && r->stop <= k + 1 && !scree_resident_is_within(w, k + 1, RESIDENT_BATCH);
}

bool scree_resident_is_within(const work *w, int64_t made, int64_t steps)
{
	const uint64_t *report = scree_resident_report(w, made);
	return resident_of(w)->solids && made < steps && report[REPORT_DRIFTED] && !report[REPORT_DONE];
}

const uint64_t *scree_resident_report(const work *w, int64_t k) { return resident_of(w)->report + k * REPORT_WORDS; }

const uint64_t *scree_resident_loads(const work *w, int64_t k)
{
	const resident *r = resident_of(w);
	return r->load + k * r->rule.walls * LOAD_ON_WALL_WORDS;
}
