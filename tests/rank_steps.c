#include "rank_steps.h"
#include "test.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "bisect.h"
#include "broad/stage.h"
#include "choices/choices.h"
#include "format/snapshot.h"
#include "measure/measure.h"
#include "model/response.h"
#include "prepare/prepare.h"
#include "rank_worlds.h"
#include "scene/scene.h"
#include "solver/work.h"

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

/* the domain, or the bounding box of all bodies; the cell along periodic axes */
static void choose_box(const scree_world *w, partition_plan *o)
{
	const bodies *b = &w->state.body;
	o->low = v3(INFINITY, INFINITY, INFINITY), o->high = v3_neg(o->low);
	for (int32_t i = 0; i < b->count; ++i) {
		o->low = v3_min(o->low, body_position(b, i));
		o->high = v3_max(o->high, body_position(b, i));
	}
	if (!b->count) o->low = v3(0, 0, 0), o->high = v3(0.01, 0.01, 0.01); /* a source will add all bodies */
	for (int32_t axis = 0; axis < 3; ++axis) {
		const real low = v3_part(w->model.guard.low, axis), high = v3_part(w->model.guard.high, axis);
		if (w->model.guard.bounded && high - low < 1) *v3_along(&o->low, axis) = low, *v3_along(&o->high, axis) = high;
	}
	plan_cell(w, o);
}

static bool make_change(const change_at *o, scree_world *w, fail *why)
{
	const new_response to = {.by = o->response ? scree_response_find(o->response) : NULL};
	materials *m = &w->model.material;
	if (!scree_world_changing(w)) return scree_fail(why, FAIL_INTERNAL, "%.1000s", w->work.why.text);
	for (int32_t k = 0; k < m->count * m->count; ++k) m->rule[k].friction *= o->by;
	for (int32_t k = 0; k < m->count; ++k) m->row[k].young *= o->by;
	return to.by ? scree_world_respond(w, &to, CHANGED_MATERIALS, why) : scree_world_changed(w, CHANGED_MATERIALS, why);
}

/* Makes the changes that are due before step k. */
static bool respond(const stepping *s, scree_world *w, int64_t k, char *said)
{
	for (int c = 0; c < s->changes; ++c) {
		fail why = {0};
		if (s->change[c].step != k || make_change(s->change + c, w, &why)) continue;
		snprintf(said, SAID, "%.1100s", why.text);
		return false;
	}
	return true;
}

static measure_plan cells_of_box(const scree_world *w)
{
	partition_plan box = {0};
	choose_box(w, &box);
	measure_plan p = {.bounded = true, .cells = {3, 2, w->model.flat ? 1 : 4}, .classes = 1, .material = -1};
	p.where = (region){.type = REGION_BOX, .flat = w->model.flat, .low = box.low, .high = box.high};
	return p;
}

static uint64_t measure_hash(const measure_plan *p, const scree_world *w)
{
	int32_t columns;
	real *value = scree_measure(p, w, &columns);
	const size_t count = (size_t)columns * (size_t)(p->cells[0] * p->cells[1] * p->cells[2]);
	for (size_t k = 0; k < count; ++k)
		if (value[k] != value[k]) value[k] = 0; /* cells without bodies */
	const uint64_t hash = scree_hash(value, count * sizeof *value);
	scree_free(value);
	return hash;
}

void step_whole(stepping *s)
{
	scene at;
	scree_set_threads(1);
	if (!load(s, &at, s->said)) return;
	scree_world *w = at.world;
	bool good = prepare(w, s->said);
	s->measure = cells_of_box(w);
	for (int64_t k = 0; k < s->steps && good; ++k) {
		good = respond(s, w, k, s->said) && scree_step(w);
		if (good && k % LOOK_EVERY == 0) s->measured[k] = measure_hash(&s->measure, w);
		s->hash[k] = good ? scree_world_hash(&w->model, &w->state, &w->work) : 0;
		s->touching[k] = w->work.touching;
		s->ended = k;
	}
	if (!good && !*s->said) snprintf(s->said, SAID, "%.1100s", w->work.why.text);
	if (good && s->at_end) s->at_end(s, w, s->said);
	scree_scene_free(&at);
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

/* Checks that each body has exactly one owner, and that copies have the same values as the body. */
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
	if (k % LOOK_EVERY) return true;
	const bool same = measure_hash(&s->measure, w) == s->measured[k];
	if (!same) snprintf(said, SAID, "step %lld: measures differ", (long long)k);
	return copies_are_as_owners(w, said) && same;
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
	if (w->model.solver && w->model.solver->halves) return 0; /* no colours */
	const colouring *c = w->model.implicit ? &w->work.solver->of.colours : &w->work.solver->touching;
	int64_t last = 0;
	for (int64_t k = c->first[c->colours]; k < c->all.count; ++k) last += c->all.item[k].ghost > 0;
	return last;
}

/* Counts owned bodies exactly at the lower border of their part along an axis, where the next smaller floating-point
 * number has a different owner. */
static int64_t count_on_cuts(const partition *p, const bodies *b)
{
	int64_t count = 0;
	for (int32_t i = 0; i < b->owned; ++i)
		for (int32_t axis = 0; axis < 3; ++axis) {
			vec3 below = body_position(b, i);
			*v3_along(&below, axis) = nextafter(v3_part(below, axis), -INFINITY);
			count += p->by->owner(p, below) != p->by->owner(p, body_position(b, i));
		}
	return count;
}

/* Parts are divided again at each search, even if their work is balanced. */
static void cut_always(rank_part *o) { o->space.plan.balance = o->reached = (real)1e-9; }

/* Moves the cuts by up to a third of the box, in the same way on all ranks, except along periodic axes. */
static void wander(partition *p, const partition_plan *plan, uint64_t seed, int64_t step)
{
	random_stream r = scree_random_start(seed, (uint64_t)step);
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

static void break_in_step(const state *s, real time, real *const force[6], void *context)
{
	const breaking *o = context;
	(void)time, (void)force;
	if (!o) return;
	if (s->step == o->step && o->code == FAIL_INTERNAL) scree_broken("3 + 1 == 3", "a file", 7);
	if (s->step == o->step) scree_break_off(o->code, "the disk is made of cheese");
}

/* The first rank has all bodies, and distributes them to their owners. */
static void get_own_bodies(scree_world *w, rank_part *part)
{
	int32_t *gone = scree_alloc((size_t)w->state.body.count, sizeof *gone);
	for (int32_t i = 0; i < w->state.body.count; ++i) gone[i] = i;
	if (part->c->rank > 0) scree_world_remove(&w->model, &w->state, &w->work, w->state.body.count, gone);
	scree_free(gone);
	scree_world_hand_out(&w->model, &w->state, &w->work, part);
	const bodies *b = &w->state.body;
	for (int32_t i = 0; i < b->owned; ++i) {
		const int32_t owner = part->space.by->owner(&part->space, body_position(b, i));
		CHECK(owner == part->c->rank, "rank %d has a body of rank %d", part->c->rank, owner);
	}
}

/* Opens the whole world at its start, or from a snapshot. */
static bool begin_with(const stepping *s, scene *at, char *said)
{
	fail why = {0};
	if (!s->from) return load(s, at, said);
	*at = (scene){.world = scree_snapshot_read(s->from, NULL, &why)};
	if (!at->world) snprintf(said, SAID, "%.1100s", why.text);
	return at->world != NULL;
}

/* A world that continues from a snapshot already has contacts, whose histories are moved with the bodies. */
static bool divide(const stepping *s, scree_world *w, rank_part *part, char *said)
{
	if (s->from) {
		scree_world_divide(&w->model, &w->state, &w->work, part);
		scree_bodies_to_pairs(&w->model, &w->state, &w->work);
		w->work.skin.stale = true;
		return true;
	}
	(s->handed ? get_own_bodies : keep_own_bodies)(w, part);
	if (s->breaking) w->model.applied = break_in_step;
	if (s->breaking && part->c->rank == 3) w->model.applied_context = (void *)s->breaking;
	return prepare(w, said);
}

static void step_part(void *what)
{
	const one_rank *o = what;
	stepping *s = o->s;
	channel *c = o->c;
	char *said = o->said;
	scene at;
	fail why;
	rank_part part = {.c = c, .rule = s->rule ? s->rule : &scree_domain_ranks};
	scree_set_threads(s->threads > 1 ? s->threads : 1);
	if (!begin_with(s, &at, said)) return;
	scree_world *w = at.world;
	partition_plan plan = s->plan;
	choose_box(w, &plan);
	if (!scree_partition_make(&part.space, s->by, &plan, &why)) {
		snprintf(said, SAID, "%.1100s", why.text);
		scree_scene_free(&at);
		return;
	}
	bool good = divide(s, w, &part, said);
	for (int64_t k = s->first; k < s->steps && good; ++k) {
		if (s->wanders && part.space.by->cut)
			cut_always(&part);
		else if (s->wanders)
			wander(&part.space, &plan, 7 + s->way, k);
		const int32_t before = w->state.body.owned;
		s->empty += k == s->first && !before;
		good = respond(s, w, k, said) && scree_step(w);
		s->emptied += before && !w->state.body.owned;
		s->filled += !before && w->state.body.owned;
		if (!good && !*said) snprintf(said, SAID, "step %lld: %.1100s", (long long)k, w->work.why.text);
		s->rank_code[c->rank] = w->work.why.code;
		good = good && look(s, w, k, said);
		if (good) s->across += count_across(&w->state);
		if (good) s->on_cuts += count_on_cuts(&part.space, &w->state.body);
		if (good && (w->model.implicit || w->model.solver)) s->last += count_last(w);
	}
	if (good && s->at_end) s->at_end(s, w, said);
	s->moved += part.left;
	for (int p = PHASE_BODIES; p < PHASES; ++p) {
		s->messages += c->messages[p];
		s->bytes += c->bytes[p];
	}
	s->cuts += part.cuts;
	if (c->hears > s->awaited) s->awaited = c->hears;
	scree_partition_free(&part.space);
	scree_rank_part_free(&part);
	scree_scene_free(&at);
}

/* A failed exchange outside a step ends the attempt, and all blocks are freed with the list. */
void step_rank(channel *c, void *what)
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

void step_on(stepping *s, const division *d, int32_t at_once)
{
	const thread_ranks all = {d->ranks, at_once, 1, step_rank, s};
	fail *why = calloc((size_t)d->ranks, sizeof *why);
	s->plan = (partition_plan){.ranks = d->ranks, .parts = {d->parts[0], d->parts[1], d->parts[2]}, .cut = bisect};
	s->plan.balance = s->balance;
	s->by = s->by_work ? &scree_partition_rcb : d->hexagons ? &scree_partition_hexagons : &scree_partition_grid;
	s->wanders = d->wanders;
	s->messages = s->bytes = s->across = s->moved = s->last = s->cuts = s->empty = s->emptied = s->filled = s->on_cuts =
		0;
	s->awaited = 0;
	memset(s->rank_said, 0, sizeof s->rank_said);
	CHECK(scree_thread_ranks_run(&all, why), "%d ranks", d->ranks);
	for (int32_t k = 0; k < d->ranks; ++k)
		CHECK(!*s->rank_said[k] && !why[k].code, "%s: rank %d of %d: %s%s", s->file, k, d->ranks, s->rank_said[k],
			  why[k].text);
	free(why);
}

stepping *whole(const char *file, const char *const *set, int sets, int steps)
{
	stepping *s = calloc(1, sizeof *s);
	s->file = file, s->set = set, s->sets = sets;
	s->steps = test_cases(steps) < steps ? test_cases(steps) : steps;
	step_whole(s);
	return s;
}

void step_in_spite_of_faults(stepping *s, int32_t ranks, real often, int cases)
{
	int64_t right = 0, wrong = 0;
	s->plan = (partition_plan){.ranks = ranks};
	s->by = &scree_partition_grid;
	FOR_SEEDS(cases)
	{
		const real faults = test_seed % 3 ? often : 0;
		const fault_script script = {test_seed, {faults, (real)0.1, faults, faults}};
		const thread_ranks all = {ranks, 1 + (int32_t)(test_seed % 2), test_seed, step_rank, s};
		memset(s->rank_said, 0, sizeof s->rank_said);
		s->script = &script;
		CHECK(scree_thread_ranks_run(&all, NULL), "%d ranks", ranks);
		for (int k = 0; k < ranks; ++k) {
			const char *said = s->rank_said[k];
			right += !*said, wrong += *said != 0;
			CHECK(!*said || (faults > 0 && strstr(said, "rank ")), "rank %d: '%s'", k, said);
			CHECK(!strstr(said, ": hash "), "rank %d: '%s'", k, said);
		}
	}
	s->script = NULL;
	print_message("%lld runs: %lld ranks right, %lld with a sentence\n", (long long)test_cases(cases), (long long)right,
				  (long long)wrong);
	CHECK((right && wrong) || test_cases(cases) < cases, "%lld right, %lld with a sentence", (long long)right,
		  (long long)wrong);
}

static int count_sets(const char *const *set)
{
	int sets = 0;
	while (sets < 4 && set[sets]) ++sets;
	return sets;
}

static int count_divisions(const stepped_scene *o)
{
	int count = 0;
	while (count < 3 && o->of[count].ranks) ++count;
	return count;
}

void step_like_the_whole(size_t count, const stepped_scene *of, const domain_row *rule)
{
	for (const stepped_scene *o = of; o < of + count; ++o) {
		if ((o->longer && test_factor() < 2) || !test_drawn(o - of)) continue;
		stepping *s = whole(o->file, o->set, count_sets(o->set), o->steps);
		s->rule = rule;
		int64_t across = 0, moved = 0, last = 0;
		CHECK(!*s->said, "%s: %s", s->file, s->said);
		for (const division *d = o->of; d < o->of + count_divisions(o); ++d) {
			if (test_short() && (d - o->of) != (o - of) % count_divisions(o)) continue; /* in turn */
			step_on(s, d, 1 + (int32_t)(d - o->of));
			across += s->across, moved += s->moved, last += s->last;
			print_message("%s on %d ranks: %lld messages, %lld bytes\n", s->file, d->ranks, (long long)s->messages,
						  (long long)s->bytes);
		}
		print_message("%s: %lld contacts across borders, %lld in the last block, %lld moves\n", s->file,
					  (long long)across, (long long)last, (long long)moved);
		CHECK((moved > 0 && across > 0 && (last > 0) == o->crowds) || s->steps < o->steps, "%s: too few", s->file);
		free(s);
	}
}
