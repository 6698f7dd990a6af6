/* Copies of bodies on other ranks: each rank holds all bodies that its own bodies may touch before the next search, and
 * not many more, even if a few bodies are far larger than the others, or larger than the parts of the ranks. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "broad/stage.h"
#include "prepare/prepare.h"
#include "rank_threads.h"
#include "rank_worlds.h"
#include "ranks/division/part.h"
#include "scene/scene.h"
#include "state/kept_contacts.h"

enum { SAID = 1200, MOST_RANKS = 64, SETS = 7 };

typedef struct row {
	const char *file, *set[SETS];
	int32_t ranks, parts[3];
	int steps;
	real most;			/* largest ratio of copies to needed bodies */
	int32_t neighbours; /* largest number of neighbours of any rank */
	real slide;			/* initial displacement of the sheared images, in periods */
} row;

typedef struct stepping {
	const row *of;
	partition_plan plan;
	uint64_t hash; /* hash of the whole world after the last step */
	int64_t touching, bodies;
	_Atomic int64_t copies, needed, across;
	_Atomic int32_t neighbours;
	char said[MOST_RANKS + 1][SAID];
} stepping;

static bool load(const row *o, scene *at, char *said)
{
	char path[400], *report = NULL;
	int sets = 0;
	while (sets < SETS && o->set[sets]) ++sets;
	snprintf(path, sizeof path, "%s/%s", SCREE_SOURCE, o->file);
	if (scree_scene_load(path, sets, o->set, at, &report)) return true;
	snprintf(said, SAID, "%.1100s", report);
	scree_free(report);
	return false;
}

static bool make_steps(const row *o, scree_world *w, char *said)
{
	fail why = {0};
	w->state.images.part_from = (int64_t)(o->slide * 4611686018427387904.0);
	bool good = scree_world_prepare(w, 0, w->model.dt, &why);
	for (int k = 0; k < o->steps && good; ++k)
		if (!(good = scree_step(w))) why = w->work.why;
	if (!good) snprintf(said, SAID, "%.1100s", why.text);
	return good;
}

static void step_whole(stepping *s)
{
	scene at;
	if (!load(s->of, &at, s->said[MOST_RANKS])) return;
	scree_world *w = at.world;
	s->bodies = w->state.body.count;
	if (make_steps(s->of, w, s->said[MOST_RANKS])) {
		s->hash = scree_world_hash(&w->model, &w->state, &w->work);
		s->touching = w->work.touching;
	}
	scree_scene_free(&at);
}

static void plan(const scree_world *w, const row *o, partition_plan *to)
{
	const guards *g = &w->model.guard;
	*to = (partition_plan){.ranks = o->ranks, .low = g->low, .high = g->high};
	memcpy(to->parts, o->parts, sizeof to->parts);
	plan_cell(w, to);
}

/* ------------------------------------------------------------------ needed bodies */

typedef struct ball {
	uint64_t id;
	vec3 at;
	real reach; /* distance within which the body may touch others before the next search, in m */
	int32_t rank;
} ball;

static ball *all_balls(const scree_world *w, int32_t rank, int64_t *count)
{
	const bodies *b = &w->state.body;
	ball *own = scree_alloc((size_t)b->owned, sizeof *own);
	for (int32_t i = 0; i < b->owned; ++i)
		own[i] = (ball){b->id[i], body_position(b, i), b->radius[i] + b->margin[i] + w->work.skin.reach, rank};
	*count = b->owned;
	ball *all = w->work.domain.by->gather(w->work.domain.at, count, sizeof *all, own);
	scree_free(own);
	return all;
}

static bool meet(const scree_world *w, const ball *a, const ball *b)
{
	const real most = a->reach + b->reach;
	if (!w->model.period.on) return v3_norm2(v3_sub(a->at, b->at)) <= most * most;
	return v3_norm2(scree_periods_apart(&w->model.period, &w->state.images, a->at, b->at)) <= most * most;
}

static bool has(const bodies *b, uint64_t id)
{
	for (int32_t i = b->owned; i < b->count; ++i)
		if (b->id[i] == id) return true;
	return false;
}

enum { BLOCK = 32 };

/* Boxes around bodies that are consecutive in memory and therefore close in space. */
typedef struct block {
	vec3 low, high;
	int64_t first, end;
} block;

static block *blocks_of(const ball *all, int64_t count, int32_t rank, int64_t *blocks)
{
	block *o = scree_alloc((size_t)count / BLOCK + 1, sizeof *o);
	*blocks = 0;
	for (int64_t i = 0, mine = 0; i < count; ++i) {
		if (all[i].rank != rank) continue;
		const vec3 r = v3(all[i].reach, all[i].reach, all[i].reach);
		const vec3 low = v3_sub(all[i].at, r), high = v3_add(all[i].at, r);
		if (mine++ % BLOCK == 0) o[(*blocks)++] = (block){low, high, i, i};
		block *last = o + *blocks - 1;
		*last = (block){v3_min(last->low, low), v3_max(last->high, high), last->first, i + 1};
	}
	return o;
}

static bool is_beside(const block *o, const ball *b)
{
	const vec3 d = v3_max(v3_sub(o->low, b->at), v3_sub(b->at, o->high));
	return real_max(d.x, real_max(d.y, d.z)) > b->reach;
}

/* Returns whether a body may touch any body in these blocks. */
static bool is_needed(const scree_world *w, const ball *all, const ball *other, int64_t blocks, const block *o)
{
	bool meets = false;
	for (int64_t k = 0; k < blocks && !meets; ++k) {
		if (!w->model.period.on && is_beside(o + k, other)) continue;
		for (int64_t i = o[k].first; i < o[k].end && !meets; ++i) meets = meet(w, all + i, other);
	}
	return meets;
}

static void compare_copies(stepping *s, const scree_world *w, int32_t rank)
{
	const bodies *b = &w->state.body;
	int64_t count, blocks;
	ball *all = all_balls(w, rank, &count);
	block *own = blocks_of(all, count, rank, &blocks);
	for (int64_t j = 0; j < count; ++j) {
		if (all[j].rank == rank || !is_needed(w, all, all + j, blocks, own)) continue;
		s->needed += 1;
		if (!has(b, all[j].id))
			snprintf(s->said[rank], SAID, "body %llu of rank %d is missing", (unsigned long long)all[j].id,
					 all[j].rank);
	}
	s->copies += b->count - b->owned;
	scree_free(own);
	scree_free(all);
}

static void step_rank(channel *c, void *what)
{
	stepping *s = what;
	scene at;
	rank_part part = {.c = c};
	char *said = s->said[c->rank];
	if (!load(s->of, &at, said)) return;
	scree_world *w = at.world;
	fail why;
	partition_plan o;
	plan(w, s->of, &o);
	CHECK(scree_partition_make(&part.space, &scree_partition_grid, &o, &why), "%s", why.text);
	keep_own_bodies(w, &part);
	if (make_steps(s->of, w, said)) {
		const uint64_t hash = scree_world_hash(&w->model, &w->state, &w->work);
		if (hash != s->hash || w->work.touching != s->touching)
			snprintf(said, SAID, "another hash, or %lld contacts, not %lld", (long long)w->work.touching,
					 (long long)s->touching);
		w->work.skin.stale = true; /* bodies are at the positions used by this search */
		scree_bodies_to_pairs(&w->model, &w->state, &w->work);
		compare_copies(s, w, c->rank);
		if (part.neighbours > s->neighbours) s->neighbours = part.neighbours;
	}
	scree_rank_part_free(&part);
	scree_scene_free(&at);
}

/* ------------------------------------------------------------------ rows */

#define BALLS	"tests/module/ranks/balls.scene.yaml"
#define GIANT	"tests/module/ranks/giant.scene.yaml"
#define STREAM	"tests/module/ranks/stream.scene.yaml"
#define SHEARED "scenes/periodic_shear.scene.yaml"
#define CELL	"world.periodic=[x, y]", "W=53.05 mm", "ratio=20", "layers=1"

static const row rows[] = {
	{BALLS, {"ratio=50"}, 8, {4, 2, 1}, 10, 2, 7, 0},
	{BALLS, {"ratio=100", "layers=1"}, 8, {4, 2, 1}, 10, 2, 7, 0},
	{BALLS, {"ratio=20", "balls=3", "W=66 mm", "layers=1"}, 16, {8, 2, 1}, 25, 2, 9, 0},
	{BALLS, {CELL}, 8, {4, 2, 1}, 25, 2.5, 7, 0},
	{BALLS, {CELL, "walls={}", "world.shear={rate: 20 1/s, flow: x, gradient: y}"}, 25, {5, 5, 1}, 25, 2.5, 9, 0.37},
	{GIANT, {NULL}, 16, {4, 4, 1}, 10, 12, 15, 0},
	{STREAM, {NULL}, 6, {3, 2, 1}, 400, 12, 5, 0},
	{SHEARED, {NULL}, 27, {3, 3, 3}, 40, 12, 26, 0},
};

static void ranks_have_the_copies_that_they_need(void **state)
{
	(void)state;
	for (size_t n = 0; n < sizeof rows / sizeof *rows; ++n) {
		if (test_short() && n == 1) continue; /* the row with the most bodies */
		stepping *s = calloc(1, sizeof *s);
		s->of = rows + n;
		step_whole(s);
		CHECK(!*s->said[MOST_RANKS], "%s, row %zu: %s", rows[n].file, n, s->said[MOST_RANKS]);
		const thread_ranks all = {rows[n].ranks, 1, n + 1, step_rank, s};
		fail why[MOST_RANKS];
		CHECK(scree_thread_ranks_run(&all, why), "%d ranks", rows[n].ranks);
		for (int32_t k = 0; k < rows[n].ranks; ++k)
			CHECK(!*s->said[k] && !why[k].code, "%s, row %zu: rank %d: %s%s", rows[n].file, n, k, s->said[k],
				  why[k].text);
		print_message("%s, row %zu: %lld bodies, %lld contacts, %lld copies for %lld that are needed, %d neighbours\n",
					  rows[n].file, n, (long long)s->bodies, (long long)s->touching, (long long)s->copies,
					  (long long)s->needed, s->neighbours);
		CHECK((real)s->copies <= rows[n].most * (real)s->needed, "%s, row %zu: too many copies", rows[n].file, n);
		CHECK(s->neighbours <= rows[n].neighbours, "%s, row %zu: %d neighbours", rows[n].file, n, s->neighbours);
		free(s);
	}
}

/* ------------------------------------------------------------------ batches of steps */

enum { BATCH = 60 };

typedef struct batch {
	const row *of;
	bool single; /* step by step */
	uint64_t hash;
	_Atomic int64_t rounds; /* bytes in messages of all ranks */
	char said[MOST_RANKS][SAID];
} batch;

typedef struct moving {
	uint64_t id;
	vec3 velocity, spin;
	real way;
} moving;

static moving moving_of(const bodies *b, int32_t i)
{
	return (moving){b->id[i], body_velocity(b, i), body_angular_velocity(b, i), b->way[i]};
}

/* Ghosts have the velocities of their owners, and the same displacements, which are derived from their poses. */
static void check_velocities(const scree_world *w, char *said)
{
	const bodies *b = &w->state.body;
	moving *own = scree_alloc((size_t)b->owned, sizeof *own);
	for (int32_t i = 0; i < b->owned; ++i) own[i] = moving_of(b, i);
	int64_t count = b->owned;
	moving *all = w->work.domain.by->gather(w->work.domain.at, &count, sizeof *all, own);
	for (int32_t i = b->owned; i < b->count; ++i) {
		const moving ghost = moving_of(b, i);
		for (int64_t k = 0; k < count; ++k)
			if (all[k].id == ghost.id && (memcmp(all + k, &ghost, offsetof(moving, way)) ||
										  !(real_abs(all[k].way - ghost.way) <= 1e-6 * ghost.way)))
				snprintf(said, SAID, "ghost %llu has another velocity, or a way of %g, not %g",
						 (unsigned long long)ghost.id, ghost.way, all[k].way);
	}
	scree_free(all);
	scree_free(own);
}

static void step_batch(channel *c, void *what)
{
	batch *o = what;
	scene at;
	rank_part part = {.c = c};
	fail why;
	partition_plan p;
	char *said = o->said[c->rank];
	if (!load(o->of, &at, said)) return;
	scree_world *w = at.world;
	plan(w, o->of, &p);
	CHECK(scree_partition_make(&part.space, &scree_partition_grid, &p, &why), "%s", why.text);
	keep_own_bodies(w, &part);
	if (!make_steps(o->of, w, said)) return;
	const uint64_t before = c->number;
	bool good = true;
	for (int k = 0; k < (o->single ? BATCH : 1) && good; ++k) good = scree_steps(w, o->single ? 1 : BATCH);
	o->rounds += (int64_t)(c->number - before);
	if (!good) snprintf(said, SAID, "%.1100s", w->work.why.text);
	o->hash = scree_world_hash(&w->model, &w->state, &w->work);
	check_velocities(w, said);
	scree_rank_part_free(&part);
	scree_scene_free(&at);
}

/* In a batch of steps, ghosts are updated once per step, because their velocities after the kick are not read. */
static void compare_batches(const row *packing)
{
	batch *of[2];
	for (int single = 0; single < 2; ++single) {
		batch *o = of[single] = calloc(1, sizeof *o);
		o->of = packing, o->single = single;
		const thread_ranks all = {packing->ranks, 1, 3, step_batch, o};
		fail why[MOST_RANKS];
		CHECK(scree_thread_ranks_run(&all, why), "4 ranks");
		for (int32_t k = 0; k < packing->ranks; ++k)
			CHECK(!*o->said[k] && !why[k].code, "rank %d: %s%s", k, o->said[k], why[k].text);
	}
	const int64_t saved = of[1]->rounds - of[0]->rounds;
	CHECK(of[0]->hash == of[1]->hash, "another hash in a batch");
	CHECK(saved == packing->ranks * (BATCH - 1), "%lld rounds of messages less", (long long)saved);
	free(of[0]);
	free(of[1]);
}

static void batches_have_fewer_messages(void **state)
{
	(void)state;
	static const row packings[] = {
		{"tests/module/ranks/shapes.scene.yaml", {NULL}, 4, {2, 2, 1}, 5, 0, 0, 0},
		{"tests/module/ranks/shapes.scene.yaml",
		 {"run.response=implicit", "run.step=0.1 ms"},
		 4,
		 {2, 2, 1},
		 5,
		 0,
		 0,
		 0},
	};
	compare_batches(packings);
	compare_batches(packings + 1);
}

/* ------------------------------------------------------------------ contacts that travel */

typedef struct travel {
	const row *of;
	_Atomic int64_t moved, kept;
	char said[MOST_RANKS][SAID];
} travel;

/* Moves the cutting planes, so that many bodies change owners, and reads the contacts before they are sorted into
 * lists.
 */
static void move_cuts(channel *c, void *what)
{
	travel *t = what;
	scene at;
	rank_part part = {.c = c};
	fail why;
	partition_plan o;
	char *said = t->said[c->rank];
	if (!load(t->of, &at, said)) return;
	scree_world *w = at.world;
	plan(w, t->of, &o);
	CHECK(scree_partition_make(&part.space, &scree_partition_grid, &o, &why), "%s", why.text);
	keep_own_bodies(w, &part);
	if (!make_steps(t->of, w, said)) return;
	part.space.plan.low.x += (o.high.x - o.low.x) / 5, part.space.plan.low.y -= (o.high.y - o.low.y) / 4;
	w->work.domain.by->settle(&part, &w->model, &w->state, &w->work);
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		for (int64_t k = 0; k < part.kept->count[kind]; ++k) {
			t->kept += 1;
			if (k && contact_key_order(part.kept->key[kind] + k - 1, part.kept->key[kind] + k) >= 0)
				snprintf(said, SAID, "contacts %lld and %lld of kind %d are equal", (long long)k - 1, (long long)k,
						 kind);
		}
	t->moved += part.left;
	w->work.domain.by->renew(&part, &w->model, &w->state, &w->work);
	scree_rank_part_free(&part);
	scree_scene_free(&at);
}

/* A contact may be sent to a third rank by the owners of both of its bodies, or by one owner to the other. */
static void contacts_that_travel_come_once(void **state)
{
	(void)state;
	static const row packing = {"tests/module/ranks/shapes.scene.yaml", {NULL}, 6, {3, 2, 1}, 5, 0, 0, 0};
	travel *t = calloc(1, sizeof *t);
	t->of = &packing;
	const thread_ranks all = {packing.ranks, 1, 3, move_cuts, t};
	fail why[MOST_RANKS];
	CHECK(scree_thread_ranks_run(&all, why), "6 ranks");
	for (int32_t k = 0; k < packing.ranks; ++k)
		CHECK(!*t->said[k] && !why[k].code, "rank %d: %s%s", k, t->said[k], why[k].text);
	CHECK(t->moved >= 10 && t->kept > 100, "%lld bodies moved, %lld contacts", (long long)t->moved, (long long)t->kept);
	free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_have_the_copies_that_they_need),
		cmocka_unit_test(batches_have_fewer_messages),
		cmocka_unit_test(contacts_that_travel_come_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
