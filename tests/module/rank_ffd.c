/* Fast frictional dynamics on ranks: scenes evolve exactly as in one process, with scree's rule for dividing the world
 * and with pe's rule. Traces of pe's messages: Table 1, Figs. 5 and 6 of Iglberger and Ruede (2009), and forces on
 * shadow copies. Needs SCREE_PAPERS. */
#include "lab.h"
#include "rank_steps.h"
#include "test.h"

#include <stdlib.h>

#include "base/memory.h"
#include "broad/stage.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "model/response.h"
#include "papers/iglberger2009/exchanges.h"
#include "prepare/prepare.h"

#define PE			"scenes/iglberger2009_pe.scene.yaml"
#define CORRECTED	"scenes/iglberger2009_corrected.scene.yaml"
#define BY_FFD(way) "run={until: 0.1 s, step: 50 us, response: ffd/" way ", guard: {overlap: 0}}"
#define SLIPPERY	"contacts.default={restitution: 0.6, friction: 0.4}"

static const stepped_scene by_owners[] = {
	{PE, {0}, 600, false, false, {{3, {3, 1, 1}, true, false}, {8, {2, 2, 2}, true, false}, {7, {0}, false, true}}},
	{PE,
	 {0},
	 600,
	 true,
	 false,
	 {{2, {2, 1, 1}, false, false}, {3, {3, 1, 1}, false, false}, {8, {2, 2, 2}, false, false}}},
	{CORRECTED, {0}, 800, false, false, {{4, {2, 2, 1}, true, false}, {5, {0}, true, false}}},
	{STREAM, {BY_FFD("pe")}, 400, false, false, {{6, {3, 2, 1}, true, false}}},
	{STREAM, {BY_FFD("corrected")}, 600, false, false, {{3, {0}, true, false}, {8, {2, 2, 2}, false, false}}},
	{GIANT, {BY_FFD("pe"), SLIPPERY}, 400, false, false, {{6, {3, 2, 1}, true, false}}},
	{GIANT, {BY_FFD("corrected"), SLIPPERY}, 400, true, false, {{7, {0}, false, true}}},
};

/* Pe's rule supports neither moving cuts nor periodic axes. */
static const stepped_scene by_points[] = {
	{PE, {0}, 600, false, false, {{5, {5, 1, 1}, false, false}, {8, {2, 2, 2}, false, false}, {7, {0}, false, true}}},
	{PE,
	 {0},
	 600,
	 true,
	 false,
	 {{2, {2, 1, 1}, false, false}, {3, {3, 1, 1}, false, false}, {8, {2, 2, 2}, false, false}}},
	{PE, {0}, 250, true, false, {{64, {4, 4, 4}, false, false}}},
	{GIANT, {BY_FFD("pe"), SLIPPERY}, 400, false, false, {{6, {3, 2, 1}, false, false}}},
};

static void owners_step_like_the_whole(void **state)
{
	(void)state;
	step_like_the_whole(sizeof by_owners / sizeof *by_owners, by_owners, NULL);
}

static void four_exchanges_step_like_the_whole(void **state)
{
	(void)state;
	step_like_the_whole(sizeof by_points / sizeof *by_points, by_points, &scree_domain_pe);
}

/* ------------------------------------------------------------------ traces */

enum { SENT = 400, TAGS = 3, STEPS = 40, TWO = 2 };

/* A message, and the world of its sender at that time. */
typedef struct sending {
	uint32_t phase;
	size_t bytes, size[TAGS]; /* size: sizes of the segments */
	int32_t segments, bodies;
	uint64_t tag[TAGS];
	int64_t pairs;
	real x, v; /* impulse on body 1 along x, on ranks that have this body */
} sending;

/* Two ranks, one on each side of x = 0.4 m. */
typedef struct trace {
	const char *response;
	const domain_row *rule; /* NULL selects scree_domain_ranks */
	void (*add)(scree_world *w);
	applied_fn *applied;
	int steps, count[TWO];
	bool at_once; /* the world is read only after the last step */
	sending sent[TWO][SENT];
	role role[TWO][STEPS]; /* velocity of body 1 after each step */
	uint64_t hash[STEPS], alone[STEPS];
	real v[2]; /* final velocities of bodies 1 and 2 in one process */
	fail why[TWO];
} trace;

static _Thread_local struct {
	trace *t;
	const scree_world *w;
	int32_t rank;
} here;

static int32_t row_of(const bodies *b, uint64_t id)
{
	for (int32_t i = 0; i < b->count; ++i)
		if (b->id[i] == id) return i;
	return -1;
}

static void note(const message_head *h, const uint8_t *bytes)
{
	const state *s = &here.w->state;
	const int32_t row = row_of(&s->body, 1);
	sending o = {.phase = h->phase, .bytes = (size_t)h->bytes, .bodies = s->body.count};
	o.pairs = s->pair[PAIR_SPHERE_SPHERE].count;
	if (row >= 0) o.x = s->body.x[row], o.v = s->body.vx[row];
	message_reader r = {.head = *h, .bytes = bytes, .count = (size_t)h->bytes, .at = sizeof *h};
	segment g;
	while (scree_message_next(&r, &g)) {
		if (o.segments < TAGS) o.tag[o.segments] = g.tag, o.size[o.segments] = g.size;
		o.segments += 1;
	}
	if (here.t->count[here.rank] < SENT) here.t->sent[here.rank][here.t->count[here.rank]++] = o;
}

/* Records messages about bodies, but not messages about sums. */
static void send_noted(channel *c, int32_t to, int32_t tag, const void *bytes, size_t count)
{
	message_head h;
	memcpy(&h, bytes, sizeof h);
	if (here.w && h.phase >= PHASE_BODIES) note(&h, bytes);
	scree_transport_threads.send(c, to, tag, bytes, count);
}

static scree_world *world_of(const trace *t)
{
	scree_world *w =
		lab_world((contact_rule){.restitution = 0.5, .friction = 0.3, .law = LAW_LINEAR, .stiffness = (real)0.3});
	model_respond(&w->model, scree_response_find(t->response));
	w->model.narrow = scree_narrow_find("separating-plane");
	w->model.directions = 4;
	w->model.guard.lost_is_error = true;
	t->add(w);
	w->model.applied = t->applied;
	w->model.applied_context = (void *)(uintptr_t)t;
	return w;
}

static role role_of(const rank_part *part, const bodies *b)
{
	const pe_part *own = part->own;
	const int32_t row = row_of(b, 1);
	if (row < 0) return ROLE_NONE;
	if (own && own->rows == b->count) return own->role[row];
	return row < b->owned ? ROLE_OWN : ROLE_COPY;
}

static void step_traced(channel *c, void *what)
{
	trace *t = what;
	rank_part part = {.c = c, .rule = t->rule ? t->rule : &scree_domain_ranks};
	fail *why = t->why + c->rank;
	partition_plan plan = {.ranks = TWO, .low = v3(0, -1, -1), .high = v3((real)0.8, 1, 1), .parts = {TWO, 1, 1}};
	scree_world *w = world_of(t);
	bool good = scree_world_prepare(w, 0, (real)0.1, why) &&
				scree_partition_make(&part.space, &scree_partition_grid, &plan, why);
	if (!good) return;
	scree_world_divide(&w->model, &w->state, &w->work, &part);
	scree_bodies_to_pairs(&w->model, &w->state, &w->work);
	w->work.skin.stale = true;
	here.t = t, here.w = w, here.rank = c->rank;
	for (int k = t->at_once ? t->steps - 1 : 0; k < t->steps && good; ++k) {
		good = scree_steps(w, t->at_once ? t->steps : 1);
		t->role[c->rank][k] = role_of(&part, &w->state.body);
		t->hash[k] = scree_world_hash(&w->model, &w->state, &w->work);
	}
	here.w = NULL;
	if (!good) *why = w->work.why;
}

typedef struct traced_rank {
	channel *c;
	trace *t;
} traced_rank;

static void attempt(void *of)
{
	const traced_rank *o = of;
	step_traced(o->c, o->t);
}

static void trace_rank(channel *c, void *what)
{
	trace *t = what;
	transport_row noting = *c->by;
	const transport_row *was = c->by;
	memory_list list = {0};
	memory_list *before = scree_memory_into(&list);
	noting.send = send_noted;
	c->by = &noting;
	scree_attempt(attempt, &(traced_rank){c, t}, t->why + c->rank);
	c->by = was;
	scree_memory_into(before);
	scree_memory_drop(&list);
}

/* Runs the world on two ranks and in one process. */
static void run_traced(trace *t)
{
	scree_world *w = world_of(t);
	lab_prepare(w, (real)0.1);
	for (int k = 0; k < t->steps; ++k) {
		lab_steps(w, 1);
		t->alone[k] = scree_world_hash(&w->model, &w->state, &w->work);
	}
	for (int k = 0; k < 2 && k < w->state.body.count; ++k) t->v[k] = w->state.body.vx[lab_row(w, (uint64_t)k + 1)];
	scree_world_free(w);
	const thread_ranks all = {TWO, 1, 1, trace_rank, t};
	CHECK(scree_thread_ranks_run(&all, NULL), "two ranks");
	for (int k = 0; k < TWO; ++k) CHECK(!t->why[k].code, "rank %d: %s", k, t->why[k].text);
	for (int k = t->at_once ? t->steps - 1 : 0; k < t->steps; ++k)
		CHECK(t->hash[k] == t->alone[k], "step %d: another hash", k);
}

static void add_sphere(scree_world *w, real x, real radius, real v)
{
	lab_add_moving(w, 0, 2 * radius, v3(x, 0, 0), quat_one(), v3(v, 0, 0), v3(0, 0, 0));
}

/* ------------------------------------------------------------------ Fig. 6 */

/* x = 0.202 m + n 5 mm after half step n, radius 50 mm, dx = 5 mm: the body enters the overlap with process 1 at n =
 * 29, its centre follows at n = 40, and the body leaves the overlap with process 0 at n = 51. */
enum { COMES = 29, CROSSES = 40, LEAVES = 51 };

static void add_crossing(scree_world *w) { add_sphere(w, (real)0.202, (real)0.05, (real)0.1); }

static role role_by_figure(int rank, int n)
{
	if (rank == 0) return n < CROSSES ? ROLE_OWN : n < LEAVES ? ROLE_COPY : ROLE_NONE;
	return n < COMES ? ROLE_NONE : n < CROSSES ? ROLE_COPY : ROLE_OWN;
}

/* Segments of message n between the processes: the first message of Fig. 6 (b) contains the whole body. */
static int segments_by_figure(int rank, int n, uint64_t tag[TAGS])
{
	const bool owned = rank == (n <= CROSSES ? 0 : 1);
	if (!owned || n < COMES || n > LEAVES) return 0;
	tag[0] = n == COMES ? SEGMENT_FIRST : n == LEAVES ? SEGMENT_LAST : SEGMENT_UPDATE;
	tag[1] = SEGMENT_HANDED, tag[2] = SEGMENT_HOLDER;
	return n == CROSSES ? 3 : 1;
}

static size_t size_by_figure(uint64_t tag)
{
	const bodies b = {0};
	const size_t update = sizeof(uint64_t) + scree_bodies_packed(&b, SHARE_STEP);
	const size_t owner = scree_bodies_packed(&b, SHARE_OWNER) - scree_bodies_packed(&b, SHARE_BIRTH);
	return tag == SEGMENT_FIRST	   ? scree_bodies_packed(&b, SHARE_BIRTH)
		   : tag == SEGMENT_HANDED ? sizeof(uint64_t) + owner
		   : tag == SEGMENT_HOLDER ? sizeof(holding)
								   : update;
}

static void check_figure_6(int rank, int n, const sending *o)
{
	uint64_t tag[TAGS] = {0};
	const int segments = segments_by_figure(rank, n, tag);
	size_t bytes = sizeof(message_head);
	CHECK(o->segments == segments, "rank %d, message %d: %d segments, not %d", rank, n, o->segments, segments);
	for (int k = 0; k < segments; ++k) {
		const size_t size = size_by_figure(tag[k]);
		CHECK(o->tag[k] == tag[k] && o->size[k] == size, "rank %d, message %d, segment %d: tag %d, %zu bytes", rank, n,
			  k, (int)o->tag[k], o->size[k]);
		bytes += sizeof(segment_head) + (size + 15) / 16 * 16;
	}
	CHECK(o->bytes == bytes, "rank %d, message %d: %zu bytes, not %zu", rank, n, o->bytes, bytes);
}

static void a_body_crosses_as_in_fig_6(void **state)
{
	(void)state;
	trace *t = calloc(1, sizeof *t);
	*t = (trace){.response = "ffd/pe", .rule = &scree_domain_pe, .add = add_crossing, .steps = 30};
	run_traced(t);
	for (int rank = 0; rank < TWO; ++rank) {
		int n = 0;
		for (int k = 0; k < t->count[rank]; ++k)
			if (t->sent[rank][k].phase == PHASE_UPDATE) check_figure_6(rank, ++n, t->sent[rank] + k);
		CHECK(n == 2 * t->steps, "rank %d: %d messages", rank, n);
		for (int k = 0; k < t->steps; ++k)
			CHECK(t->role[rank][k] == role_by_figure(rank, 2 * k + 2), "rank %d, step %d: role %d", rank, k,
				  (int)t->role[rank][k]);
	}
	print_message("bytes: empty 64, whole body %zu, update %zu\n", size_by_figure(SEGMENT_FIRST),
				  size_by_figure(SEGMENT_UPDATE));
	CHECK(size_by_figure(SEGMENT_UPDATE) < size_by_figure(SEGMENT_FIRST), "updates are not smaller");
	free(t);
}

/* ------------------------------------------------------------------ Fig. 5 and Table 1 */

/* The spheres meet at 0.42 m, in process 1; sphere 2 is too far to the right (from 0.415 m on) for process 0 to have a
 * copy of it. */
static void add_meeting(scree_world *w)
{
	add_sphere(w, (real)0.365, (real)0.05, (real)0.2);
	add_sphere(w, (real)0.465, (real)0.04, (real)-0.2);
}

static void pull(const struct state *s, real time, real *const force[6], void *context)
{
	(void)time, (void)context;
	for (int32_t i = 0; i < s->body.owned; ++i)
		if (s->body.id[i] == 1) force[0][i] += (real)0.25;
}

static trace *trace_meeting(applied_fn *applied)
{
	trace *t = calloc(1, sizeof *t);
	*t = (trace){.response = "ffd/pe", .rule = &scree_domain_pe, .add = add_meeting, .applied = applied, .steps = 1};
	run_traced(t);
	return t;
}

/* Only process 1 finds the contact, and it sends the constraint on sphere 1 to process 0. */
static void constraints_travel_as_in_fig_5(void **state)
{
	(void)state;
	trace *t = trace_meeting(NULL);
	enum { CONSTRAINTS = 2 };
	const sending *zero = t->sent[0] + CONSTRAINTS, *one = t->sent[1] + CONSTRAINTS;
	CHECK(zero->phase == PHASE_CONSTRAINTS && one->phase == PHASE_CONSTRAINTS, "phases %d, %d", (int)zero->phase,
		  (int)one->phase);
	CHECK(zero->bodies == 1 && zero->pairs == 0 && zero->segments == 0, "process 0: %d bodies, %lld pairs, %d segments",
		  zero->bodies, (long long)zero->pairs, zero->segments);
	CHECK(one->bodies == 2 && one->pairs == 1 && one->segments == 1, "process 1: %d bodies, %lld pairs, %d segments",
		  one->bodies, (long long)one->pairs, one->segments);
	const real m[2] = {125, 64}; /* relative */
	NEAR(m[0] * t->v[0] + m[1] * t->v[1], (m[0] - m[1]) * (real)0.2, 1e-12, "momentum");
	NEAR(t->v[1] - t->v[0], (real)0.5 * (real)0.4, 1e-12, "restitution");
	free(t);
}

/* Phases in order, each with the work done before it and the work that remains. The paper does not have the
 * second-to-last phase, which sends results for the ledger. */
static void exchanges_are_those_of_table_1(void **state)
{
	(void)state;
	trace *t = trace_meeting(pull);
	static const uint32_t phases[] = {PHASE_FORCES, PHASE_UPDATE, PHASE_CONSTRAINTS, PHASE_RECORDS, PHASE_UPDATE};
	enum { ALL = sizeof phases / sizeof *phases };
	for (int rank = 0; rank < TWO; ++rank) {
		CHECK(t->count[rank] == ALL, "rank %d: %d messages", rank, t->count[rank]);
		for (int k = 0; k < ALL; ++k)
			CHECK(t->sent[rank][k].phase == phases[k], "rank %d, message %d: phase %d", rank, k,
				  (int)t->sent[rank][k].phase);
	}
	const sending *o = t->sent[0];
	const real half = (real)0.05, mass = 2500 * 4 * (real)SCREE_PI / 3 * (real)0.05 * (real)0.05 * (real)0.05;
	const real x = (real)0.365, middle = x + half * (real)0.2, v = (real)0.2 + half * (real)0.25 / mass;
	NEAR(o[0].x, x, 0, "1, before the first position half step");
	NEAR(o[0].v, 0.2, 0, "1, before the first velocity half step");
	NEAR(o[1].x, middle, 1e-16, "2, after the first position half step");
	NEAR(o[1].v, v, 1e-15, "2, after the first velocity half step");
	CHECK(t->sent[1][1].pairs == 0, "2, before the collision detection");
	CHECK(t->sent[1][2].pairs == 1, "3, after the collision detection");
	NEAR(o[2].v, v, 1e-15, "3, before the second velocity half step");
	NEAR(o[2].x, middle, 1e-16, "3, before the second position half step");
	CHECK(o[4].v < v / 2, "4, after the second velocity half step: %g", o[4].v);
	NEAR(o[4].v, t->v[0], 0, "4, after the second velocity half step");
	NEAR(o[4].x, middle + half * t->v[0], 1e-16, "4, after the second position half step");
	free(t);
}

/* ------------------------------------------------------------------ fewer messages */

/* With scree's rule, two exchanges per step are enough as long as a program sets no forces; otherwise four are needed.
 * Another exchange follows the last step, after which the world is read. */
static void fewer_exchanges_without_forces(void **state)
{
	(void)state;
	enum { ROUNDS = 8 };
	for (int pulled = 0; pulled < 2; ++pulled) {
		trace *t = calloc(1, sizeof *t);
		*t = (trace){.response = "ffd/pe", .add = add_meeting, .applied = pulled ? pull : NULL, .steps = ROUNDS};
		t->at_once = true;
		run_traced(t);
		int exchanges = 0;
		for (int k = 0; k < t->count[0]; ++k) exchanges += t->sent[0][k].phase != PHASE_BODIES;
		CHECK(exchanges == (pulled ? 4 * ROUNDS : 2 * ROUNDS + 1), "%d exchanges", exchanges);
		free(t);
	}
}

/* ------------------------------------------------------------------ forces on copies */

static void add_overlapping(scree_world *w)
{
	add_sphere(w, (real)0.38, (real)0.05, (real)0.01);
	add_sphere(w, (real)0.6, (real)0.05, (real)-0.01);
}

/* Ranks that compute the force on body 1: bit 0 for the owner, bit 1 for the copy; if both are set, each rank adds
 * half of the force. */
static int pushed_by;

static void push_where(const struct state *s, real time, real *const force[6], void *context)
{
	(void)context;
	const int32_t i = row_of(&s->body, 1);
	const bool owner = i >= 0 && i < s->body.owned, alone = s->body.owned == 2;
	const real part = pushed_by == 3 && !alone ? (real)0.5 : 1;
	if (i < 0 || !(alone || pushed_by & (owner ? 1 : 2))) return;
	force[0][i] += part * (real)0.1;
	force[4][i] += part * (real)1e-4 * (1 + time);
}

static void forces_on_copies_count(void **state)
{
	(void)state;
	static const char *const responses[] = {"ffd/pe", "ffd/pe", "ffd/corrected", "forces"};
	for (int k = 0; k < 4; ++k)
		for (pushed_by = 1; pushed_by <= 3; ++pushed_by) {
			trace *t = calloc(1, sizeof *t);
			*t = (trace){.response = responses[k], .add = add_overlapping, .applied = push_where, .steps = 6};
			if (k == 0) t->rule = &scree_domain_pe;
			run_traced(t);
			CHECK(t->v[0] > (real)0.05, "%s: no push", responses[k]);
			free(t);
		}
}

/* Pe's four messages per step, with cuts that do not move. */
static void faults_of_pe_end_in_a_sentence(void **state)
{
	(void)state;
	static const char *const set[] = {BY_FFD("pe"), SLIPPERY};
	stepping *s = whole(GIANT, set, 2, 40);
	s->rule = &scree_domain_pe;
	step_in_spite_of_faults(s, 6, (real)1e-4, 30);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_body_crosses_as_in_fig_6),
		cmocka_unit_test(constraints_travel_as_in_fig_5),
		cmocka_unit_test(exchanges_are_those_of_table_1),
		cmocka_unit_test(fewer_exchanges_without_forces),
		cmocka_unit_test(forces_on_copies_count),
		cmocka_unit_test(owners_step_like_the_whole),
		cmocka_unit_test(four_exchanges_step_like_the_whole),
		cmocka_unit_test(faults_of_pe_end_in_a_sentence),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
