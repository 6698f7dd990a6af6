/* memory: copies a world to the memory of a device and back, column by column, and launches the kernels of its steps.
 *
 * Contact rows keep their order, and rows out of use have no first body. A failure of the device breaks off the run:
 * the last snapshot is on disk. */
#include "resident/blocks.h"

#include "base/memory.h"
#include "kernel/contact.h"
#include "model/law.h"
#include "model/model.h"
#include "state/pairs.h"
#include "state/state.h"
#include "work/work.h"
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

static const int kinds[RESIDENT_LISTS] = {PAIR_SPHERE_SPHERE, PAIR_SPHERE_WALL, PAIR_SPHERE_CONVEX, PAIR_CONVEX_CONVEX,
										  PAIR_CONVEX_WALL};

static resident *of_work(const work *w) { return (resident *)(void *)w->device; }

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
	SCREE_FREE_ALL(r->load, r);
}

void scree_resident_forget(device *d) { ((resident *)(void *)d)->there = false; }

void scree_resident_check(const model *m, const state *s, const work *w)
{
	const resident *r = of_work(w);
	fail why;
	scree_block_need(r->there || scree_resident_takes(m, s, w, r->name, &why), &why);
}

void scree_resident_by_host(work *w)
{
	of_work(w)->there = false;
	of_work(w)->by_host += 1;
}

resident_counts scree_resident_counts(const work *w)
{
	const resident *r = of_work(w);
	return (resident_counts){r->made, r->by_host, scree_machine_label(r->on)};
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

static int64_t row_count(const pair_list *l) { return l->pieces ? l->base[l->pieces] : 0; }

/* Number of columns up to the last one that the laws need. */
static int columns_needed(const pair_list *l)
{
	int last = 0;
	for (int k = 0; k < RESIDENT_ROWS; ++k)
		if (array_of(l, of_rows + k)) last = k + 1;
	return last;
}

static void put_rows(resident *r, int which, pair_list *l)
{
	const int64_t rows = row_count(l), stride = rows + 1;
	for (int32_t p = 0; p < l->pieces; ++p)
		for (int64_t k = l->base[p] + l->used[p]; k < l->base[p + 1]; ++k) l->ca[k] = -1;
	put_columns(r, PAIRS + which, l, of_rows, columns_needed(l), stride, rows);
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

static resident_wall wall_of(const wall *o, const wall_state *at, int32_t row)
{
	return (resident_wall){o->point,
						   o->axis,
						   at->position,
						   at->velocity,
						   at->angular_velocity,
						   at->orientation,
						   o->material,
						   o->motion.type == MOTION_STILL ? -1 : row};
}

/* Poses of walls at the end of each of the next steps, which are functions of time. */
static void put_walls(resident *r, const model *m, const state *s, int64_t steps)
{
	const walls *all = &m->wall;
	const size_t rows = (size_t)steps * (size_t)all->surfaces + 1;
	resident_wall *of = scree_alloc(rows, sizeof *of), *next = of;
	wall_state *at = scree_copy(s->wall, (size_t)all->count, sizeof *at);
	for (int64_t step = 0; step < steps; ++step) {
		scree_walls_move(all, at, scree_time_of(m, s, s->step + step) + m->dt);
		for (int32_t k = 0; k < all->surfaces; ++k) {
			const int32_t row = all->surface_wall[k];
			*next++ = wall_of(all->row + row, at + row, row);
		}
	}
	scree_block_put_all(r, WALLS, of, (int64_t)(rows * sizeof *of));
	SCREE_FREE_ALL(of, at);
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

static void set_rule(resident_rule *r, const model *m, const state *s, const work *w)
{
	const real far = INFINITY;
	r->dt = m->dt;
	r->gravity = m->gravity;
	r->low = m->guard.bounded ? m->guard.low : v3(-far, -far, -far);
	r->high = m->guard.bounded ? m->guard.high : v3(far, far, far);
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
	r->surfaces = m->wall.surfaces;
	r->walls = m->wall.count;
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

/* Compiles the kernels for the laws of this world. */
static void build(resident *r, const model *m, const state *s)
{
	const int64_t rules = (int64_t)m->material.count * m->material.count;
	const int32_t law = scree_laws_same(m->constants, rules), extra = scree_laws_extra(m->constants, rules);
	const narrow_kernels *solids = scree_solids_kernels(m, s);
	const int32_t large = solids && scree_solids_large(m);
	const size_t length = strlen(scree_kernels_text) + 300;
	fail why;
	if (law == r->law && extra == r->extra && solids == r->solids && large == r->large) return;
	r->law = law, r->extra = extra, r->solids = solids, r->large = large;
	char *text = scree_alloc(length, 1);
	int at = snprintf(text, length, "#define RESIDENT_EXTRA(r) ((enum extra)%d)\n#define RESIDENT_SOLIDS %d\n%s", extra,
					  solids ? solids->text : 0, large ? "#define SCREE_LARGE_SOLIDS\n" : "");
	if (law >= 0)
		at += snprintf(text + at, length - (size_t)at, "#define RESIDENT_LAW(c) ((enum law_row)%d)\n",
					   scree_laws[law].of_spheres);
	snprintf(text + at, length - (size_t)at, "%s", scree_kernels_text);
	const bool done = scree_machine_build(r->on, text, &why);
	scree_free(text);
	scree_block_need(done, &why);
	if (solids) scree_solids_built(r);
}

/* Bodies with far larger loads than others have sums of 128 bits, which no kernel has. */
static void check_sums(const resident *r, const work *w)
{
	fail why;
	scree_block_need(
		!w->sums.wide ||
			scree_refuse(&why,
						 "machine %s has no kernels for bodies whose loads differ by more than a factor of "
						 "64, such as spheres of very different sizes: use machine cpu",
						 r->name),
		&why);
}

void scree_resident_write(const model *m, state *s, const work *w, int64_t steps)
{
	resident *r = of_work(w);
	const bodies *b = &s->body;
	set_rule(&r->rule, m, s, w);
	if (!r->there) {
		check_sums(r, w);
		build(r, m, s);
		r->rule.lists = r->solids ? RESIDENT_LISTS : LISTS_OF_SPHERES;
		put_columns(r, BODIES, b, of_bodies, RESIDENT_BODIES, b->capacity, b->owned);
		for (int k = 0; k < r->rule.lists; ++k) put_rows(r, k, s->pair + kinds[k]);
		put_constants(r, m);
		scree_block_clear(r, SUMS, (int64_t)b->capacity * 8 * (int64_t)sizeof(uint64_t));
		r->rule.workers = workers_for(&r->rule);
		scree_block_clear(r, PARTIAL, r->rule.lists * r->rule.workers * REPORT_SUMS * (int64_t)sizeof(uint64_t));
		if (r->solids) scree_solids_write(r, m);
	}
	r->there = true;
	put_walls(r, m, s, steps);
	scree_block_put_all(r, RULE, &r->rule, sizeof r->rule);
}

bool scree_resident_read(state *s, const work *w)
{
	resident *r = of_work(w);
	if (!r->ahead) return false;
	get_columns(r, BODIES, &s->body, of_bodies, RESIDENT_BODIES, r->rule.body_stride, r->rule.bodies);
	for (int k = 0; k < r->rule.lists; ++k)
		get_columns(r, PAIRS + k, s->pair + kinds[k], of_rows, RESIDENT_ROWS, r->rule.row_stride[k], r->rule.rows[k]);
	if (r->solids) scree_solids_read(r, s, w);
	r->ahead = false;
	return true;
}

/* ------------------------------------------------------------------ launches */

static void launch_step(resident *r, int32_t step)
{
	enum { ADDERS = 1024 };
	const int64_t bodies = r->rule.bodies, workers = r->rule.workers;
	const int32_t number[2] = {step, workers < ADDERS ? (int32_t)workers : ADDERS};
	LAUNCH(r, "resident_drifts", bodies, number, 1, RULE, BODIES, REPORTS, STOP);
	if (r->solids) scree_solids_launch_find(r, step);
	LAUNCH(r, "resident_pairs", workers, number, 1, RULE, BODIES, PAIRS, CONSTANTS, SUMS, PARTIAL, REPORTS, STOP);
	LAUNCH(r, "resident_on_walls", workers, number, 1, RULE, BODIES, ON_WALLS, CONSTANTS, WALLS, SUMS, LOADS, PARTIAL,
		   REPORTS, STOP);
	if (r->solids) scree_solids_launch_law(r, step);
	LAUNCH(r, "resident_sums", number[1], number, 2, RULE, PARTIAL, REPORTS, STOP);
	LAUNCH(r, "resident_kicks", bodies, number, 1, RULE, BODIES, SUMS, REPORTS, STOP);
}

int64_t scree_resident_launch(work *w, int64_t steps)
{
	resident *r = of_work(w);
	const int64_t never = INT64_MAX, bytes = steps * REPORT_WORDS * (int64_t)sizeof *r->report;
	const int64_t loads = steps * r->rule.walls * LOAD_ON_WALL_WORDS * (int64_t)sizeof *r->load;
	int64_t made = 0;
	scree_block_clear(r, REPORTS, bytes);
	scree_block_clear(r, LOADS, loads);
	scree_block_put_all(r, STOP, &never, sizeof never);
	LAUNCH(r, "resident_look", r->rule.bodies, NULL, 0, RULE, BODIES, STOP);
	for (int64_t k = 0; k < steps; ++k) launch_step(r, (int32_t)k);
	scree_block_get(r, REPORTS, 0, r->report, bytes);
	scree_free(r->load);
	r->load = scree_alloc((size_t)loads, 1);
	scree_block_get(r, LOADS, 0, r->load, loads);
	while (made < steps && r->report[made * REPORT_WORDS + REPORT_DONE]) ++made;
	r->ahead |= made > 0 || scree_resident_is_within(w, made, steps);
	r->made += made;
	return made;
}

bool scree_resident_is_within(const work *w, int64_t made, int64_t steps)
{
	return made < steps && scree_resident_report(w, made)[REPORT_DRIFTED];
}

const uint64_t *scree_resident_report(const work *w, int64_t k) { return of_work(w)->report + k * REPORT_WORDS; }

const uint64_t *scree_resident_loads(const work *w, int64_t k)
{
	const resident *r = of_work(w);
	return r->load + k * r->rule.walls * LOAD_ON_WALL_WORDS;
}
