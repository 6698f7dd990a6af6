/* bench_ranks KEY=VALUE...: runs a world divided among ranks in one process and prints the messages, memory and work of
 * each rank as one line of JSON.
 *
 *   world=SCENE       a scene without bodies
 *   bodies=SCENE      the same scene with bodies, or
 *   gas=AxBxC         a lattice of spheres 1 m in diameter, 1 % solid, with velocities up to 1 m/s along each axis
 *   parts=AxBxC       a grid; 0x0x0 means the grid with the smallest cut
 *   partition=NAME    grid, hexagons or rcb
 *   ranks=N           number of ranks
 *   steps=N           number of steps
 *   seed=N            seed of the random numbers
 *   positions=FILE    file for the final bodies, a table for `from` of a fill, with the materials rank0, rank1, ...
 *
 * Steps are made in batches of a hundred. After each batch the program checks that no body is lost or owned twice. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "model/model.h"
#include "rank_threads.h"
#include "ranks/division/part.h"
#include "ranks/mpi/zoltan.h"
#include "scene/scene.h"
#include "shape/shape_axes.h"
#include "step/step.h"
#include "world/world.h"

enum { BATCH = 100 };
static const real PITCH =
	(real)3.7405; /* spacing in m at which spheres with a diameter of 1 m have a solid fraction of 1 % */

typedef struct run {
	const char *world, *bodies, *positions;
	int32_t gas[3];
	partition_plan plan;
	const partition_row *by;
	int64_t steps;
	uint64_t seed;
	scene all; /* of `bodies` */
	int64_t count;
} run;

/* messages, memory and work of a rank */
typedef struct account {
	int32_t owned, copies, neighbours;
	int64_t left, cuts, rebuilds;
	int64_t messages[PHASES], bytes[PHASES];
	double cpu;		/* s, over all steps */
	int64_t memory; /* bytes for all ranks */
	real work;		/* ratio of largest to mean work, the same on all ranks */
	uint64_t hash;
} account;

/* ------------------------------------------------------------------ the world of a rank */

static void need(bool good, const fail *why) { scree_ranks_need(good, why); }

static void load(const char *path, int sets, const char *const *set, scene *at)
{
	char *report = NULL;
	if (!scree_scene_load(path, sets, set, at, &report)) scree_break_off(FAIL_INPUT, "%s", report ? report : path);
}

static void load_world(const run *o, scene *at)
{
	char text[3][40];
	const char *const set[3] = {text[0], text[1], text[2]};
	for (int axis = 0; axis < 3; ++axis)
		snprintf(text[axis], sizeof text[axis], "let.%c=%.17g m", "xyz"[axis], PITCH * o -> gas[axis]);
	load(o->world, o->gas[0] ? 3 : 0, set, at);
}

static vec3 gas_position(const run *o, int64_t k)
{
	const int64_t x = k % o->gas[0], y = k / o->gas[0] % o->gas[1], z = k / o->gas[0] / o->gas[1];
	return v3_mul(PITCH, v3((real)x + (real)0.5, (real)y + (real)0.5, (real)z + (real)0.5));
}

/* A body's id is derived from the index of its lattice site. */
static void add_gas(const run *o, scree_world *w, const partition *p, int32_t rank)
{
	for (int64_t k = 0; k < o->count; ++k) {
		const vec3 at = gas_position(o, k);
		if (p->by->owner(p, at) != rank) continue;
		random_stream r = scree_random_start(o->seed, (uint64_t)k);
		const vec3 v =
			v3(scree_random_between(&r, -1, 1), scree_random_between(&r, -1, 1), scree_random_between(&r, -1, 1));
		const new_body b = {.size = 1, .position = at, .orientation = {1, 0, 0, 0}, .velocity = v};
		w->state.next_id = (uint64_t)k + 1;
		scree_world_add(&w->model, &w->state, &w->work, 1, &b);
	}
	w->state.next_id = (uint64_t)o->count + 1;
}

static void add_bodies(const run *o, scree_world *w, const partition *p, int32_t rank)
{
	const bodies *from = &o->all.world->state.body;
	bodies *to = &w->state.body;
	int32_t *row = scree_alloc((size_t)from->count, sizeof *row), count = 0;
	for (int32_t i = 0; i < from->count; ++i)
		if (p->by->owner(p, body_position(from, i)) == rank) row[count++] = i;
	char *packed = scree_alloc((size_t)count, scree_bodies_packed(from, SHARE_OWNER));
	scree_bodies_pack(from, SHARE_OWNER, count, row, packed);
	scree_bodies_reserve(to, count);
	scree_bodies_clear(to, 0, count);
	scree_bodies_unpack(to, SHARE_OWNER, 0, count, packed);
	to->count = to->owned = count;
	w->state.next_id = o->all.world->state.next_id;
	w->work.skin.stale = true;
	scree_free(packed);
	scree_free(row);
}

/* ------------------------------------------------------------------ checks and accounts */

static uint64_t mixed(uint64_t id)
{
	id = (id ^ id >> 30) * 0xbf58476d1ce4e5b9u;
	return (id ^ id >> 27) >> 8;
}

/* Each id must be on exactly one rank, so the number of ids and two sums over them must be correct. */
static void check_ids(const run *o, const scree_world *w)
{
	fixed is[3] = {{0}}, wanted[3] = {{0}};
	const bodies *b = &w->state.body;
	is[0].quanta = b->owned;
	for (int32_t i = 0; i < b->owned; ++i) is[1].quanta += (int64_t)b->id[i], is[2].quanta += (int64_t)mixed(b->id[i]);
	w->work.domain.by->add(w->work.domain.at, 3, is);
	wanted[0].quanta = o->count;
	for (int64_t k = 0; k < o->count; ++k) {
		const uint64_t id = o->gas[0] ? (uint64_t)k + 1 : o->all.world->state.body.id[k];
		wanted[1].quanta += (int64_t)id, wanted[2].quanta += (int64_t)mixed(id);
	}
	for (int k = 0; k < 3; ++k)
		if (is[k].quanta != wanted[k].quanta)
			scree_break_off(FAIL_INTERNAL, "step %lld: bodies are lost or owned twice: %lld of %lld are there",
							(long long)w->state.step, (long long)is[0].quanta, (long long)o->count);
}

static double cpu_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static account count_all(const rank_part *part, const scree_world *w, double cpu)
{
	account a = {.memory = scree_memory_used(),
				 .owned = w->state.body.owned,
				 .copies = w->state.body.count - w->state.body.owned,
				 .cpu = cpu};
	a.neighbours = part->neighbours;
	a.left = part->left, a.cuts = part->cuts, a.rebuilds = w->work.rebuilds;
	memcpy(a.messages, part->c->messages, sizeof a.messages);
	memcpy(a.bytes, part->c->bytes, sizeof a.bytes);
	a.work = scree_ranks_uneven(part, &w->state, &w->work);
	a.hash = scree_world_hash(&w->model, &w->state, &w->work);
	return a;
}

/* ------------------------------------------------------------------ the line */

typedef double number_fn(const account *a);
static double owned(const account *a) { return a->owned; }
static double copies(const account *a) { return a->copies; }
static double neighbours(const account *a) { return a->neighbours; }
static double cpu(const account *a) { return a->cpu; }
static bool is_sum(int phase) { return phase == PHASE_GREATEST || phase == PHASE_ADD || phase == PHASE_GATHER; }

/* number of messages or bytes sent in sums over all ranks, or to neighbours */
static double sent(const int64_t of[PHASES], bool sums)
{
	int64_t all = 0;
	for (int phase = 0; phase < PHASES; ++phase)
		if (is_sum(phase) == sums) all += of[phase];
	return (double)all;
}
static double messages_to_neighbours(const account *a) { return sent(a->messages, false); }
static double bytes_to_neighbours(const account *a) { return sent(a->bytes, false); }
static double messages_of_sums(const account *a) { return sent(a->messages, true); }

static void print(const char *name, const account *a, int32_t ranks, number_fn *of, double over)
{
	double most = 0, sum = 0;
	for (int32_t k = 0; k < ranks; ++k) most = of(a + k) > most ? of(a + k) : most, sum += of(a + k);
	printf(", \"%s\": [%.6g, %.6g]", name, most / over, sum / ranks / over);
}

static void print_line(const run *o, const account *a, const scree_world *w)
{
	const int32_t ranks = o->plan.ranks;
	const double steps = (double)(o->steps ? o->steps : 1);
	int64_t left = 0;
	struct rusage used;
	getrusage(RUSAGE_SELF, &used);
	for (int32_t k = 0; k < ranks; ++k) left += a[k].left;
	printf("{\"ranks\": %d, \"partition\": \"%s\", \"parts\": [%d, %d, %d], \"bodies\": %lld, \"steps\": %lld", ranks,
		   o->by->name, o->plan.parts[0], o->plan.parts[1], o->plan.parts[2], (long long)o->count, (long long)o->steps);
	printf(", \"hash\": \"%016llx\", \"contacts\": %lld, \"searches\": %lld, \"moves\": %lld, \"cuts\": %lld",
		   (unsigned long long)a->hash, (long long)w->work.touching, (long long)a->rebuilds, (long long)left,
		   (long long)a->cuts);
	print("owned", a, ranks, owned, 1);
	print("copies", a, ranks, copies, 1);
	print("neighbours", a, ranks, neighbours, 1);
	print("messages_per_step", a, ranks, messages_to_neighbours, steps);
	print("bytes_per_step", a, ranks, bytes_to_neighbours, steps);
	print("messages_of_sums_per_step", a, ranks, messages_of_sums, steps);
	print("cpu_us_per_step", a, ranks, cpu, 1e-6 * steps);
	printf(", \"work\": %.4g, \"bytes_per_rank\": %.6g, \"resident_MB\": %.4g}\n", a->work, (double)a->memory / ranks,
		   (double)used.ru_maxrss / 1024);
	fflush(stdout);
}

typedef struct placed {
	vec3 at;
	quat turn; /* user's frame */
	real size;
	int32_t shape, rank;
} placed;

static rank_rows place_own(const model *m, const bodies *b, int32_t rank)
{
	placed *own = scree_alloc((size_t)b->owned, sizeof *own);
	for (int32_t i = 0; i < b->owned; ++i) {
		const quat turn = shape_axes_out(m->shape.row + b->shape[i], body_orientation(b, i));
		own[i] = (placed){body_position(b, i), turn, b->size[i], b->shape[i], rank};
	}
	return (rank_rows){own, (size_t)b->owned * sizeof *own};
}

static void write_rows(FILE *to, const model *m, const rank_rows *of)
{
	const placed *p = of->bytes;
	for (size_t n = 0; n < of->size / sizeof *p; ++n, ++p)
		fprintf(to, "%.9g,%.9g,%.9g,%.9g,%s,%.9g,%.9g,%.9g,%.9g,rank%d\n", p->at.x, p->at.y, p->at.z, p->size,
				m->shape.row[p->shape].name, p->turn.w, p->turn.x, p->turn.y, p->turn.z, p->rank);
}

static void write_positions(const run *o, const scree_world *w, const rank_part *part)
{
	rank_rows *all = scree_alloc((size_t)o->plan.ranks, sizeof *all);
	fail why;
	all[part->c->rank] = place_own(&w->model, &w->state.body, part->c->rank);
	need(scree_tree_collect(part->c, all, &why), &why);
	FILE *to = part->c->rank ? NULL : fopen(o->positions, "w");
	if (to) fprintf(to, "x,y,z,size,shape,qw,qx,qy,qz,material\n");
	for (int32_t k = 0; k < o->plan.ranks; ++k) {
		if (to) write_rows(to, &w->model, all + k);
		scree_free(all[k].bytes);
	}
	if (to) fclose(to);
	scree_free(all);
}

/* ------------------------------------------------------------------ ranks */

static void run_rank(channel *c, void *what)
{
	const run *o = what;
	scene at;
	fail why;
	rank_part part = {.c = c};
	scree_set_threads(1);
	load_world(o, &at);
	scree_world *w = at.world;
	need(scree_partition_make(&part.space, o->by, &o->plan, &why), &why);
	if (o->bodies) scree_ranks_cut(&part, &o->all.world->state);
	(o->gas[0] ? add_gas : add_bodies)(o, w, &part.space, c->rank);
	w->work.domain = (domain){.by = &scree_domain_ranks, .at = &part, .first = c->rank == 0};
	need(scree_world_prepare(w, 0, w->model.dt, &why), &why);
	const double began = cpu_now();
	double checks = 0;
	for (int64_t k = 0; k < o->steps; k += BATCH) {
		need(scree_steps(w, o->steps - k < BATCH ? o->steps - k : BATCH), &w->work.why);
		const double now = cpu_now();
		check_ids(o, w);
		checks += cpu_now() - now;
	}
	account mine = count_all(&part, w, cpu_now() - began - checks);
	int64_t count = 1;
	account *all = w->work.domain.by->gather(&part, &count, sizeof mine, &mine);
	if (c->rank == 0) print_line(o, all, w);
	if (o->positions) write_positions(o, w, &part);
	scree_free(all);
	scree_partition_free(&part.space);
	scree_rank_part_free(&part);
	scree_scene_free(&at);
}

/* ------------------------------------------------------------------ arguments */

static void read_three(const char *text, int32_t to[3])
{
	if (sscanf(text, "%dx%dx%d", to, to + 1, to + 2) != 3) exit(2);
}

static bool is_key(const char *argument, const char *key, const char **value)
{
	const size_t length = strlen(key);
	*value = argument + length + 1;
	return !strncmp(argument, key, length) && argument[length] == '=';
}

static void read_argument(run *o, const char *argument)
{
	const char *v;
	if (is_key(argument, "world", &v))
		o->world = v;
	else if (is_key(argument, "bodies", &v))
		o->bodies = v;
	else if (is_key(argument, "positions", &v))
		o->positions = v;
	else if (is_key(argument, "gas", &v))
		read_three(v, o->gas);
	else if (is_key(argument, "parts", &v))
		read_three(v, o->plan.parts);
	else if (is_key(argument, "partition", &v))
		o->by = scree_partition_find(v);
	else if (is_key(argument, "ranks", &v))
		o->plan.ranks = atoi(v);
	else if (is_key(argument, "steps", &v))
		o->steps = atoll(v);
	else if (is_key(argument, "seed", &v))
		o->seed = strtoull(v, NULL, 10);
	else
		o->by = NULL;
}

/* Sets the box to divide: the box of all bodies or of the gas, or the domain along axes where the domain is narrower
 * than a kilometre. */
static void choose_box(run *o)
{
	const bodies *b = o->bodies ? &o->all.world->state.body : NULL;
	o->plan.low = b ? v3(INFINITY, INFINITY, INFINITY) : v3(0, 0, 0);
	o->plan.high = b ? v3_neg(o->plan.low) : v3_mul(PITCH, v3(o->gas[0], o->gas[1], o->gas[2]));
	for (int32_t i = 0; b && i < b->count; ++i) {
		o->plan.low = v3_min(o->plan.low, body_position(b, i));
		o->plan.high = v3_max(o->plan.high, body_position(b, i));
	}
	o->count = b ? b->count : (int64_t)o->gas[0] * o->gas[1] * o->gas[2];
	o->plan.cut = scree_zoltan_cut;
}

int main(int count, char **argument)
{
	run o = {
		.world = "bench/ranks_gas.scene.yaml", .plan.ranks = 1, .by = &scree_partition_grid, .steps = 100, .seed = 1};
	for (int k = 1; k < count && o.by; ++k) read_argument(&o, argument[k]);
	if (!o.by || (!o.bodies == !o.gas[0])) return 2;
	if (o.bodies) load(o.bodies, 0, NULL, &o.all);
	choose_box(&o);
	fail *why = calloc((size_t)o.plan.ranks, sizeof *why);
	const thread_ranks all = {o.plan.ranks, 1, 1, run_rank, &o};
	int code = scree_thread_ranks_run(&all, why) ? 0 : 1;
	for (int32_t k = 0; k < o.plan.ranks; ++k)
		if (why[k].code) code = fprintf(stderr, "rank %d: %s\n", k, why[k].text) > 0;
	return code;
}
