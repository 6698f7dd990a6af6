/* A world divided among ranks by a partition of space steps like the whole: the same hash in every step, for any number
 * of ranks. Bodies go to the rank that owns their position; each is owned once; copies are as their owners. */
#include "test.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "bisect.h"
#include "prepare/prepare.h"
#include "ranks/part.h"
#include "scene/scene.h"
#include "solver/work.h"
#include "transport/faults.h"
#include "transport/threads.h"

enum { MOST_STEPS = 6000, LOOK_EVERY = 25, SAID = 1200, MOST_RANKS = 64 };

typedef struct stepping {
	const char *file;
	const char *const *set;
	int sets;
	int64_t steps;
	/* results of the whole, step by step */
	uint64_t hash[MOST_STEPS];
	int64_t touching[MOST_STEPS], ended; /* ended: step that a guard refused */
	char said[SAID];
	/* plan and results of ranks */
	partition_plan plan;
	const partition_row *by;
	const fault_script *script; /* NULL: no faults */
	char rank_said[MOST_RANKS][SAID];
	fail_code rank_code[MOST_RANKS];
	const struct breaking *breaking; /* of rank 3; NULL: none */
	bool wanders;					 /* the cuts move in each step */
	_Atomic int64_t across, moved;	 /* contacts with copies, in all steps; bodies that changed owners */
	_Atomic int64_t last;			 /* contacts with copies in the last block of a solver, in all steps */
	bool by_work;					 /* parts are cut by work; if they wander, at each search */
	_Atomic int64_t cuts;			 /* by work, of all ranks */
} stepping;

static bool load(const stepping *s, scene *at, char *said)
{
	char path[400], *report = NULL;
	snprintf(path, sizeof path, "%s/%s", SCREE_SOURCE, s->file);
	if (scree_scene_load(path, s->sets, s->set, at, &report)) return true;
	snprintf(said, SAID, "%.1100s", report);
	scree_free(report);
	return false;
}

static bool prepare(scree_world *w, char *said)
{
	fail why = {0};
	if (scree_world_prepare(w, 0, w->model.dt, &why)) return true;
	snprintf(said, SAID, "%.1100s", why.text);
	return false;
}

static void step_whole(stepping *s)
{
	scene at;
	scree_set_threads(1);
	if (!load(s, &at, s->said)) return;
	scree_world *w = at.world;
	bool good = prepare(w, s->said);
	for (int64_t k = 0; k < s->steps && good; ++k) {
		good = scree_step(w);
		s->hash[k] = good ? scree_world_hash(&w->model, &w->state, &w->work) : 0;
		s->touching[k] = w->work.touching;
		s->ended = k;
	}
	if (!good && !*s->said) snprintf(s->said, SAID, "%.1100s", w->work.why.text);
	scree_scene_free(&at);
}

/* the domain, or the box of all bodies; the cell along periodic axes */
static void choose_box(const scree_world *w, partition_plan *o)
{
	const bodies *b = &w->state.body;
	const periods *p = &w->model.period;
	o->low = v3(INFINITY, INFINITY, INFINITY), o->high = v3_neg(o->low);
	for (int32_t i = 0; i < b->count; ++i) {
		o->low = v3_min(o->low, body_position(b, i));
		o->high = v3_max(o->high, body_position(b, i));
	}
	if (!b->count) o->low = v3(0, 0, 0), o->high = v3(0.01, 0.01, 0.01); /* a source brings all */
	for (int32_t axis = 0; axis < 3; ++axis) {
		const real low = v3_part(w->model.guard.low, axis), high = v3_part(w->model.guard.high, axis);
		if (w->model.guard.bounded && high - low < 1) *v3_along(&o->low, axis) = low, *v3_along(&o->high, axis) = high;
		o->periodic[axis] = p->axis[axis];
		if (!p->axis[axis]) continue;
		*v3_along(&o->low, axis) = v3_part(p->low, axis);
		*v3_along(&o->high, axis) = v3_part(p->low, axis) + v3_part(p->size, axis);
	}
	o->flat = w->model.flat;
}

/* Bodies of other ranks go, with their share of the ledger. */
static void divide(scree_world *w, rank_part *part)
{
	bodies *b = &w->state.body;
	int32_t *gone = scree_alloc((size_t)b->count, sizeof *gone), count = 0;
	for (int32_t i = 0; i < b->count; ++i)
		if (part->space.by->owner(&part->space, body_position(b, i)) != part->c->rank) gone[count++] = i;
	scree_world_remove(&w->model, &w->state, &w->work, count, gone);
	scree_free(gone);
	w->work.domain = (domain){.by = &scree_domain_ranks, .at = part, .first = part->c->rank == 0};
}

typedef struct told {
	uint64_t id, hash;
} told;

static told tell(const bodies *b, int32_t i)
{
	char row[400];
	scree_bodies_pack(b, SHARE_STEP, 1, &i, row);
	return (told){b->id[i], scree_hash(row, scree_bodies_packed(b, SHARE_STEP))};
}

/* Each body has one owner, and copies have its values. */
static bool copies_are_as_owners(const scree_world *w, char *said)
{
	const bodies *b = &w->state.body;
	told *own = scree_alloc((size_t)b->owned, sizeof *own);
	for (int32_t i = 0; i < b->owned; ++i) own[i] = tell(b, i);
	int64_t count = b->owned;
	told *all = w->work.domain.by->gather(w->work.domain.at, &count, sizeof *all, own);
	bool right = true;
	for (int32_t i = b->owned; i < b->count && right; ++i) {
		const told copy = tell(b, i);
		int found = 0, same = 0;
		for (int64_t k = 0; k < count; ++k)
			found += all[k].id == copy.id, same += all[k].id == copy.id && all[k].hash == copy.hash;
		right = found == 1 && same == 1;
		if (!right)
			snprintf(said, SAID, "copy of body %llu: %d owners, %d equal", (unsigned long long)copy.id, found, same);
	}
	scree_free(all);
	scree_free(own);
	return right;
}

static bool look(const stepping *s, const scree_world *w, int64_t k, char *said)
{
	const uint64_t hash = scree_world_hash(&w->model, &w->state, &w->work);
	if (hash != s->hash[k] || w->work.touching != s->touching[k]) {
		snprintf(said, SAID, "step %lld: hash %016llx, not %016llx; %lld contacts, not %lld", (long long)k,
				 (unsigned long long)hash, (unsigned long long)s->hash[k], (long long)w->work.touching,
				 (long long)s->touching[k]);
		return false;
	}
	return k % LOOK_EVERY || copies_are_as_owners(w, said);
}

static int64_t count_across(const state *s)
{
	int64_t across = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c) && !pair_on_wall(kind); ++c.row)
			across += l->ca[c.row] >= s->body.owned || l->cb[c.row] >= s->body.owned;
	}
	return across;
}

static int64_t count_last(const scree_world *w)
{
	const colouring *c = w->model.implicit ? &w->work.solver->of.colours : &w->work.solver->touching;
	int64_t last = 0;
	for (int64_t k = c->first[c->colours]; k < c->all.count; ++k) last += c->all.item[k].ghost > 0;
	return last;
}

/* Parts are cut at each search, also if their work is even. */
static void cut_always(rank_part *o) { o->space.plan.balance = o->reached = (real)1e-9; }

/* Moves the cuts by up to a third of the box, in the same way on all ranks; not along periodic axes. */
static void wander(partition *p, const partition_plan *plan, int64_t step)
{
	random_stream r = scree_random_start(7, (uint64_t)step);
	for (int32_t axis = 0; axis < 3; ++axis) {
		const real size = v3_part(plan->high, axis) - v3_part(plan->low, axis);
		const real by = plan->periodic[axis] ? 0 : scree_random_between(&r, -size / 3, size / 3);
		*v3_along(&p->plan.low, axis) = v3_part(plan->low, axis) + by;
		*v3_along(&p->plan.high, axis) = v3_part(plan->high, axis) + by;
	}
}

typedef struct one_rank {
	stepping *s;
	channel *c;
	char *said;
} one_rank;

/* A failure in the middle of a step, in rank 3. */
typedef struct breaking {
	fail_code code;
	int64_t step;
} breaking;

static void break_in_step(const state *s, real time, real *const force[6], void *context)
{
	const breaking *o = context;
	(void)time, (void)force;
	if (!o) return;
	if (s->step == o->step && o->code == FAIL_INTERNAL) scree_broken("3 + 1 == 3", "a file", 7);
	if (s->step == o->step) scree_break_off(o->code, "the disk is made of cheese");
}

static void step_part(void *what)
{
	const one_rank *o = what;
	stepping *s = o->s;
	channel *c = o->c;
	char *said = o->said;
	scene at;
	fail why;
	rank_part part = {.c = c};
	if (!load(s, &at, said)) return;
	scree_world *w = at.world;
	partition_plan plan = s->plan;
	choose_box(w, &plan);
	if (!scree_partition_make(&part.space, s->by, &plan, &why)) {
		snprintf(said, SAID, "%.1100s", why.text);
		scree_scene_free(&at);
		return;
	}
	divide(w, &part);
	if (s->breaking) w->model.applied = break_in_step;
	if (s->breaking && c->rank == 3) w->model.applied_context = (void *)s->breaking;
	bool good = prepare(w, said);
	for (int64_t k = 0; k < s->steps && good; ++k) {
		if (s->wanders && part.space.by->cut)
			cut_always(&part);
		else if (s->wanders)
			wander(&part.space, &plan, k);
		good = scree_step(w);
		if (!good) snprintf(said, SAID, "step %lld: %.1100s", (long long)k, w->work.why.text);
		s->rank_code[c->rank] = w->work.why.code;
		good = good && look(s, w, k, said);
		if (good) s->across += count_across(&w->state);
		if (good && (w->model.implicit || w->model.solver)) s->last += count_last(w);
	}
	s->moved += part.left;
	s->cuts += part.cuts;
	scree_partition_free(&part.space);
	scree_rank_part_free(&part);
	scree_scene_free(&at);
}

/* An exchange that fails outside of a step ends the attempt; then all blocks go with the list. */
static void step_rank(channel *c, void *what)
{
	one_rank o = {what, c, ((stepping *)what)->rank_said[c->rank]};
	memory_list list = {0};
	fail why;
	if (o.s->script) scree_faults_begin(c, o.s->script);
	memory_list *before = scree_memory_into(&list);
	if (!scree_attempt(step_part, &o, &why)) snprintf(o.said, SAID, "%.1100s", why.text);
	scree_memory_into(before);
	scree_memory_drop(&list);
	if (o.s->script) scree_faults_end(c);
}

/* ------------------------------------------------------------------ scenes */

#define GIANT  "tests/module/ranks/giant.scene.yaml"
#define STREAM "tests/module/ranks/stream.scene.yaml"

/* A run of a scene on ranks. */
typedef struct division {
	int32_t ranks, parts[3];
	bool wanders, hexagons;
} division;

static const struct {
	const char *file;
	int steps;
	bool longer;	/* runs only if SCREE_TEST_FACTOR is above 1 */
	division of[3]; /* 0 ranks: none */
} scenes[] = {
	{"scenes/settling_spheres.scene.yaml", 2400, false, {{1, {0}, false, false}, {3, {0}, true, false}}},
	{"scenes/settling_spheres.scene.yaml", 2400, true, {{8, {0}, true, false}, {7, {0}, false, true}}},
	{"scenes/settling_cubes.scene.yaml", 3000, false, {{3, {0}, true, false}}},
	{"scenes/settling_cubes.scene.yaml", 3000, true, {{8, {0}, false, false}}},
	{"scenes/mixed_drum.scene.yaml", 400, false, {{5, {0}, true, false}}},
	{"scenes/flat_shear.scene.yaml", 1600, false, {{2, {0}, false, false}}},
	{"scenes/flat_shear.scene.yaml", 1600, true, {{8, {0}, false, false}}},
	{"scenes/periodic_shear.scene.yaml", 1600, false, {{3, {3, 1, 1}, false, false}}},
	{"scenes/periodic_shear.scene.yaml", 1600, true, {{8, {2, 2, 2}, false, false}}},
	{"scenes/periodic_bricks.scene.yaml", 2300, false, {{4, {2, 2, 1}, true, false}}},
	{"scenes/periodic_bricks.scene.yaml", 2300, true, {{5, {0}, false, false}, {8, {2, 2, 2}, true, false}}},
	{"scenes/servo_lid.scene.yaml", 300, false, {{8, {0}, true, false}}},
	{"scenes/sticky_beads.scene.yaml", 3000, false, {{3, {0}, true, false}}},
	{"scenes/halos.scene.yaml", 200, false, {{5, {0}, true, false}}},
#if SCREE_PAPERS
	{"scenes/gear_beads.scene.yaml", 600, false, {{5, {0}, true, false}}},
#endif
	{"scenes/rain.scene.yaml", 5800, true, {{8, {0}, true, false}}}, /* parts that are empty at the start */
	{GIANT, 500, false, {{16, {4, 4, 1}, true, false}, {7, {0}, false, true}}},
	{GIANT, 2000, true, {{8, {2, 2, 2}, false, false}, {25, {5, 5, 1}, true, false}}},
	{STREAM, 800, false, {{6, {3, 2, 1}, false, false}, {4, {2, 1, 2}, true, false}}},
	{STREAM, 3000, true, {{6, {3, 2, 1}, false, false}, {8, {2, 2, 2}, true, false}}},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

static void step_on(stepping *s, const division *d, int32_t at_once)
{
	const thread_ranks all = {d->ranks, at_once, 1, step_rank, s};
	fail *why = calloc((size_t)d->ranks, sizeof *why);
	s->plan = (partition_plan){.ranks = d->ranks, .parts = {d->parts[0], d->parts[1], d->parts[2]}, .cut = bisect};
	s->by = s->by_work ? &scree_partition_rcb : d->hexagons ? &scree_partition_hexagons : &scree_partition_grid;
	s->wanders = d->wanders;
	s->across = s->moved = s->last = s->cuts = 0;
	memset(s->rank_said, 0, sizeof s->rank_said);
	CHECK(scree_thread_ranks_run(&all, why), "%d ranks", d->ranks);
	for (int32_t k = 0; k < d->ranks; ++k)
		CHECK(!*s->rank_said[k] && !why[k].code, "%s: rank %d of %d: %s%s", s->file, k, d->ranks, s->rank_said[k],
			  why[k].text);
	free(why);
}

static stepping *whole(const char *file, const char *const *set, int sets, int steps)
{
	stepping *s = calloc(1, sizeof *s);
	s->file = file, s->set = set, s->sets = sets;
	s->steps = test_cases(steps) < steps ? test_cases(steps) : steps;
	step_whole(s);
	return s;
}

/* Contacts across borders and moves of bodies, in all runs of full length. */
static void ranks_step_like_the_whole(void **state)
{
	(void)state;
	for (int n = 0; n < SCENES; ++n) {
		if (scenes[n].longer && test_factor() < 2) continue;
		stepping *s = whole(scenes[n].file, NULL, 0, scenes[n].steps);
		int64_t across = 0, moved = 0;
		CHECK(!*s->said, "%s: %s", s->file, s->said);
		for (const division *d = scenes[n].of; d < scenes[n].of + 3 && d->ranks; ++d) {
			step_on(s, d, 1 + (int32_t)(d - scenes[n].of));
			across += s->across, moved += s->moved;
		}
		print_message("%s: %lld contacts across borders, %lld moves\n", s->file, (long long)across, (long long)moved);
		CHECK(moved > 0 || s->steps < scenes[n].steps, "%s: no body has moved", s->file);
		free(s);
	}
}

/* ------------------------------------------------------------------ solvers */

#define CROWD	 "tests/module/ranks/crowd.scene.yaml"
#define GAS		 "scenes/shaken_gas.scene.yaml"
#define FLAT_GAS "scenes/flat_gas.scene.yaml"

static const struct {
	const char *file, *set[4]; /* changes of the scene */
	int steps;
	bool longer, crowds; /* crowds: contacts with copies come into the last block */
	division of[3];
} solved[] = {
	{GAS, {"run.until=1 s"}, 1500, false, false, {{1, {0}, false, false}, {5, {0}, true, false}}},
	{FLAT_GAS,
	 {"contacts.default.restitution=0.5"},
	 1200,
	 false,
	 false,
	 {{2, {0}, true, false}, {7, {0}, false, true}}},
	{CROWD, {"run.step=60 us"}, 700, false, true, {{3, {3, 1, 1}, true, false}, {8, {2, 2, 2}, true, false}}},
	{CROWD, {"run.step=60 us"}, 1500, true, true, {{25, {5, 5, 1}, true, false}, {5, {5, 1, 1}, false, false}}},
};
enum { SOLVED = sizeof solved / sizeof *solved };

static int count_sets(const char *const *set)
{
	int sets = 0;
	while (sets < 4 && set[sets]) ++sets;
	return sets;
}

static void solvers_step_like_the_whole(void **state)
{
	(void)state;
	for (int n = 0; n < SOLVED; ++n) {
		if (solved[n].longer && test_factor() < 2) continue;
		stepping *s = whole(solved[n].file, solved[n].set, count_sets(solved[n].set), solved[n].steps);
		int64_t across = 0, moved = 0, last = 0;
		CHECK(!*s->said, "%s: %s", s->file, s->said);
		for (const division *d = solved[n].of; d < solved[n].of + 3 && d->ranks; ++d) {
			step_on(s, d, 1 + (int32_t)(d - solved[n].of));
			across += s->across, moved += s->moved, last += s->last;
		}
		print_message("%s: %lld contacts across borders, %lld in the last block, %lld moves\n", s->file,
					  (long long)across, (long long)last, (long long)moved);
		CHECK((moved > 0 && across > 0 && (last > 0) == solved[n].crowds) || s->steps < solved[n].steps, "%s: too few",
			  s->file);
		free(s);
	}
}

/* Parts that are cut by work, once, when it is uneven or at each search, change no result. */
static void balance_changes_nothing(void **state)
{
	(void)state;
	static const struct {
		const char *file;
		int steps;
		division of[4];
	} rows[] = {
		{"scenes/settling_spheres.scene.yaml",
		 1200,
		 {{1, {0}, false, false}, {2, {0}, true, false}, {3, {0}, false, false}, {5, {0}, true, false}}},
		{"scenes/settling_cubes.scene.yaml", 2600, {{5, {0}, true, false}}},
		{"scenes/periodic_bricks.scene.yaml", 1200, {{5, {0}, true, false}}},
		{GIANT, 300, {{8, {0}, true, false}}},
		{STREAM, 800, {{5, {0}, true, false}}},
		{"scenes/settling_spheres.scene.yaml", 60, {{64, {0}, true, false}}},
	};
	for (size_t n = 0; n < sizeof rows / sizeof *rows; ++n) {
		stepping *s = whole(rows[n].file, NULL, 0, rows[n].steps);
		CHECK(!*s->said, "%s: %s", s->file, s->said);
		s->by_work = true;
		for (const division *d = rows[n].of; d < rows[n].of + 4 && d->ranks; ++d) {
			step_on(s, d, 1);
			CHECK(s->cuts >= d->ranks, "%s, %d ranks: not cut", s->file, d->ranks);
			print_message("%s, %d ranks: %lld cuts, %lld moves, %lld contacts across borders\n", s->file, d->ranks,
						  (long long)s->cuts / d->ranks, (long long)s->moved, (long long)s->across);
		}
		free(s);
	}
}

static void sixty_four_ranks(void **state)
{
	(void)state;
	const division fine = {64, {4, 4, 4}, true, false};
	stepping *s = whole("scenes/settling_spheres.scene.yaml", NULL, 0, 60);
	CHECK(!*s->said, "%s", s->said);
	step_on(s, &fine, 2);
	free(s);
}

/* ------------------------------------------------------------------ guards and faults */

/* All ranks stop in the step in which the whole does, with the same sentence. */
static void guards_stop_all_ranks(void **state)
{
	(void)state;
	static const char spheres[] = "scenes/settling_spheres.scene.yaml", cubes[] = "scenes/settling_cubes.scene.yaml";
	static const char outside[] = "world.domain={min: [-1 m, -1 m, 5 mm], max: [1 m, 1 m, 1 m]}";
	static const struct {
		const char *file, *set, *words;
	} rows[] = {{spheres, "run.guard.speed=0.3 m/s", "body "}, /* two are equally fast */
				{spheres, "run.guard.overlap=0.01 %", "overlap of "},
				{cubes, "run.guard.energy=0.01 %", "energy is not conserved"},
				{spheres, outside, "body "}};
	for (size_t n = 0; n < sizeof rows / sizeof *rows; ++n) {
		stepping *s = calloc(1, sizeof *s);
		*s = (stepping){.file = rows[n].file, .set = &rows[n].set, .sets = 1, .steps = MOST_STEPS};
		step_whole(s);
		CHECK(!strncmp(s->said, rows[n].words, strlen(rows[n].words)), "%s: '%s'", rows[n].set, s->said);
		s->plan = (partition_plan){.ranks = 4};
		s->by = &scree_partition_grid;
		s->wanders = true;
		const thread_ranks all = {4, 1, 1, step_rank, s};
		CHECK(scree_thread_ranks_run(&all, NULL), "4 ranks");
		char expected[SAID];
		snprintf(expected, sizeof expected, "step %lld: %.1100s", (long long)s->ended, s->said);
		for (int k = 0; k < 4; ++k)
			CHECK(!strcmp(s->rank_said[k], expected), "%s: rank %d: '%s', not '%s'", rows[n].set, k, s->rank_said[k],
				  expected);
		free(s);
	}
}

static void breaking_row(const breaking *row, const char *sentence)
{
	stepping *s = calloc(1, sizeof *s);
	*s = (stepping){.file = "scenes/settling_spheres.scene.yaml", .steps = 10};
	step_whole(s);
	s->breaking = row;
	s->plan = (partition_plan){.ranks = 5};
	s->by = &scree_partition_grid;
	for (uint64_t seed = 1; seed <= 8; ++seed) {
		const thread_ranks all = {5, 1 + (int32_t)(seed % 2), seed, step_rank, s};
		char expected[SAID];
		snprintf(expected, sizeof expected, "step %d: rank 3 has failed: %s", (int)row->step, sentence);
		CHECK(scree_thread_ranks_run(&all, NULL), "5 ranks");
		for (int k = 0; k < 5; ++k) {
			CHECK(!strncmp(s->rank_said[k], expected, strlen(expected)), "rank %d: '%s', not '%s'", k, s->rank_said[k],
				  expected);
			CHECK(s->rank_code[k] == row->code, "rank %d: code %d", k, (int)s->rank_code[k]);
		}
	}
	free(s);
}

/* All ranks end, with the same sentence and code. */
static void one_rank_breaks_off(void **state)
{
	(void)state;
	const breaking fault = {FAIL_INTERNAL, 4}, disk = {FAIL_IO, 0};
	breaking_row(&fault, "internal error at a file:7: 3 + 1 == 3");
	breaking_row(&disk, "the disk is made of cheese");
}

/* Failures of some ranks: 0, or a code. */
static fail_code random_code(uint64_t seed, int32_t rank)
{
	static const fail_code codes[] = {FAIL_NONE, FAIL_INPUT, FAIL_GUARD, FAIL_IO, FAIL_INTERNAL};
	random_stream r = scree_random_start(seed, (uint64_t)rank);
	return codes[scree_random_bits(&r) % 5 * (scree_random_bits(&r) % 3 == 0)];
}

static void agree_on(channel *c, void *what)
{
	rank_part part = {.c = c};
	const domain d = {.by = &scree_domain_ranks, .at = &part};
	const uint64_t seed = *(const uint64_t *)what;
	const fail_code here = random_code(seed, c->rank);
	fail_code least = FAIL_NONE;
	fail why = {.code = here, .error = here ? 28 : 0};
	char expected[40] = "";
	/* the second half has no sentence, as parts without the culprit */
	if (here && c->rank < c->ranks / 2) snprintf(why.text, sizeof why.text, "rank %d says %d", c->rank, here);
	for (int32_t k = c->ranks / 2; k-- > 0;) {
		const fail_code there = random_code(seed, k);
		if (!there || (least && there > least)) continue;
		least = there;
		snprintf(expected, sizeof expected, "rank %d says %d", k, there);
	}
	if (c->rank >= c->ranks / 2 && here) why.code = least ? least : FAIL_NONE;
	const bool good = scree_domain_agree(&d, !why.code, &why);
	CHECK(good == !least && (good || (why.code == least && why.error == 28 && !strcmp(why.text, expected))),
		  "rank %d: %d '%s', not %d '%s'", c->rank, why.code, why.text, least, expected);
}

static void ranks_agree_on_a_failure(void **state)
{
	(void)state;
	FOR_SEEDS(40)
	{
		const thread_ranks all = {2 + (int32_t)(test_seed % 17), 1, test_seed, agree_on, &test_seed};
		CHECK(scree_thread_ranks_run(&all, NULL), "ranks");
	}
}

/* Each rank steps like the whole, or ends with a sentence that names ranks. */
static void faults_end_in_a_sentence(void **state)
{
	(void)state;
	int64_t right = 0, wrong = 0;
	stepping *s = whole("scenes/settling_spheres.scene.yaml", NULL, 0, 60);
	s->plan = (partition_plan){.ranks = 8};
	s->by = &scree_partition_grid;
	s->wanders = true;
	FOR_SEEDS(60)
	{
		const real often = test_seed % 3 ? (real)1e-4 : (real)0;
		const fault_script script = {test_seed, {often, (real)0.1, often, often}};
		const thread_ranks all = {8, 1 + (int32_t)(test_seed % 2), test_seed, step_rank, s};
		memset(s->rank_said, 0, sizeof s->rank_said);
		s->script = &script;
		CHECK(scree_thread_ranks_run(&all, NULL), "8 ranks");
		for (int k = 0; k < 8; ++k) {
			const char *said = s->rank_said[k];
			right += !*said, wrong += *said != 0;
			CHECK(!*said || (often > 0 && strstr(said, "rank ")), "rank %d: '%s'", k, said);
			CHECK(!strstr(said, ": hash "), "rank %d: '%s'", k, said);
		}
	}
	CHECK(right && wrong, "%lld right, %lld with a sentence", (long long)right, (long long)wrong);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_step_like_the_whole), cmocka_unit_test(solvers_step_like_the_whole),
		cmocka_unit_test(sixty_four_ranks),			 cmocka_unit_test(guards_stop_all_ranks),
		cmocka_unit_test(ranks_agree_on_a_failure),	 cmocka_unit_test(one_rank_breaks_off),
		cmocka_unit_test(balance_changes_nothing),	 cmocka_unit_test(faults_end_in_a_sentence),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
