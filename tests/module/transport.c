/* Messages between ranks: their bytes, Algorithm 1 line by line, hundreds of ranks in one process, and faults of all
 * kinds, after which each rank has correct data or an error message, and ranks never wait forever. */
#include "rank_play.h"
#include "test.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "rank_faults.h"
#include "rank_threads.h"
#include "rank_trees.h"

/* ------------------------------------------------------------------ bytes of a message */

static const message_head HEAD = {.phase = PHASE_BODIES, .from = 3, .to = 5, .step = 120, .number = 17};

/* Writes the message for a seed. Returns the number of segments. */
static uint32_t random_message(message *m, uint64_t seed)
{
	random_stream r = scree_random_start(seed, 1);
	const uint32_t segments = scree_random_bits(&r) % 5;
	scree_message_begin(m, &HEAD);
	for (uint32_t k = 0; k < segments; ++k) {
		const size_t size = scree_random_bits(&r) % 3 ? scree_random_bits(&r) % 300 : scree_random_bits(&r) % 3;
		uint8_t *to = scree_message_segment(m, 100 + k, size);
		for (size_t n = 0; n < size; ++n) to[n] = (uint8_t)scree_random_bits(&r);
	}
	scree_message_end(m);
	return segments;
}

static void messages_are_read_as_written(void **state)
{
	(void)state;
	message m = {0};
	FOR_SEEDS(300)
	{
		const uint32_t segments = random_message(&m, test_seed);
		random_stream r = scree_random_start(test_seed, 1);
		message_reader reader;
		segment s;
		fail why;
		scree_random_bits(&r);
		CHECK(scree_message_open(&reader, m.bytes, m.count, &HEAD, &why), "%s", why.text);
		for (uint32_t k = 0; k < segments; ++k) {
			const size_t size = scree_random_bits(&r) % 3 ? scree_random_bits(&r) % 300 : scree_random_bits(&r) % 3;
			CHECK(scree_message_next(&reader, &s) && s.tag == 100 + k && s.size == size, "segment %u", k);
			CHECK((uintptr_t)s.bytes % 16 == 0, "segment %u is not aligned", k);
			for (size_t n = 0; n < size; ++n)
				CHECK(((const uint8_t *)s.bytes)[n] == (uint8_t)scree_random_bits(&r), "byte %zu of segment %u", n, k);
		}
		CHECK(!scree_message_next(&reader, &s), "a segment more than %u", segments);
	}
	scree_message_free(&m);
}

/* Every truncated message, and every message with a changed bit, is refused with a message that names the rank and the
 * phase. */
static void damaged_messages_are_refused(void **state)
{
	(void)state;
	message m = {0};
	message_reader r;
	segment s;
	fail why;
	uint64_t seed = 1;
	while (random_message(&m, seed) < 2) ++seed;
	uint8_t *copy = scree_alloc(m.count, 1);
	memcpy(copy, m.bytes, m.count);
	for (size_t count = 0; count < m.count; ++count) {
		CHECK(!scree_message_open(&r, copy, count, &HEAD, &why), "%zu of %zu bytes", count, m.count);
		CHECK(strstr(why.text, "rank 5: the message from rank 3, phase bodies, step 120"), "%s", why.text);
		CHECK(count < sizeof HEAD || strstr(why.text, "it is truncated after"), "%s", why.text);
		CHECK(!scree_message_next(&r, &s), "a refused message has no segments");
	}
	for (size_t bit = 0; bit < 8 * m.count; ++bit) {
		copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
		CHECK(!scree_message_open(&r, copy, m.count, &HEAD, &why), "bit %zu is changed", bit);
		copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	CHECK(scree_message_open(&r, copy, m.count, &HEAD, &why), "%s", why.text);
	scree_free(copy);
	scree_message_free(&m);
}

/* Corrects the hash of a changed message, so that only its content is wrong. */
static void forge(message *m)
{
	message_head *h = (message_head *)m->bytes;
	h->hash =
		scree_hash_join(scree_hash(m->bytes + sizeof *h, m->count - sizeof *h), m->bytes, offsetof(message_head, hash));
}

static void refused(message *m, const char *words)
{
	message_reader r;
	fail why;
	forge(m);
	CHECK(!scree_message_open(&r, m->bytes, m->count, &HEAD, &why), "read, instead of '%s'", words);
	CHECK(strstr(why.text, words), "'%s', not '%s'", why.text, words);
}

static void fresh(message *m)
{
	scree_message_begin(m, &HEAD);
	scree_message_segment(m, 1, 40);
	scree_message_segment(m, 2, 0);
	scree_message_end(m);
}

static void wrong_contents_are_refused(void **state)
{
	(void)state;
	message m = {0};
	static const uint64_t sizes[] = {41, 48, 49, 100, UINT64_MAX, UINT64_MAX - 15, (uint64_t)1 << 63};
	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
		fresh(&m);
		((segment_head *)(m.bytes + sizeof HEAD))->size = sizes[k];
		if (sizes[k] <= 48) continue; /* sizes inside the content are valid */
		refused(&m, "segment");
	}
	message_head *h = (message_head *)m.bytes;
	scree_message_begin(&m, &HEAD);
	scree_message_segment(&m, 1, 40);
	scree_message_end(&m);
	h = (message_head *)m.bytes;
	m.count -= 5, h->bytes -= 5; /* within its padding */
	refused(&m, "segment 0 is longer than the rest of the message");
	fresh(&m), h->segments = 1, refused(&m, "segments do not fill the message");
	fresh(&m), h->segments = 3, refused(&m, "segments do not fill the message");
	fresh(&m), h->version = 2, refused(&m, "version 2, but this is version 1");
	fresh(&m), h->magic = __builtin_bswap32(h->magic), refused(&m, "another byte order");
	fresh(&m), h->magic += 1, refused(&m, "not a scree message");
	fresh(&m), h->bytes += 1, refused(&m, "truncated after");
	fresh(&m), h->bytes -= 1, refused(&m, "arrived, but its header says");
	fresh(&m), h->phase = PHASE_ADD, refused(&m, "phase add");
	fresh(&m), h->phase = 77, refused(&m, "phase unknown");
	fresh(&m), h->from = 4, refused(&m, "from rank 4 to rank 5");
	fresh(&m), h->to = 6, refused(&m, "from rank 3 to rank 6");
	fresh(&m), h->step = 121, refused(&m, "step 121");
	fresh(&m), h->number = 16, refused(&m, "exchange 16");
	scree_message_free(&m);
}

/* ------------------------------------------------------------------ many ranks in one process */

typedef struct game {
	play_plan plan;
	const fault_script *script; /* NULL: no faults */
	bool *right;				/* [ranks] */
	fail *why;
	int64_t (*made)[MESSAGE_FAULTS];
} game;

static void play_rank(channel *c, void *what)
{
	const game *g = what;
	const int32_t k = c->rank;
	memory_list list = {0};
	c->number = TAG_FAILURE - 9; /* tags wrap around during the run */
	faults *o = g->script ? scree_faults_begin(c, g->script) : NULL;
	memory_list *before = scree_memory_into(&list); /* a list like a world's, which is freed first */
	g->right[k] = rank_play(c, &g->plan, g->why + k);
	scree_memory_into(before);
	scree_memory_drop(&list);
	for (int f = 0; o && f < MESSAGE_FAULTS; ++f) g->made[k][f] = scree_faults_made(o, (message_fault)f);
	if (o) scree_faults_end(c);
}

/* Runs the exchange with this number of ranks. */
static game begin_game(const play_plan *plan, const fault_script *script, int32_t ranks, int32_t at_once, uint64_t seed)
{
	const size_t n = (size_t)ranks;
	game g = {*plan, script, calloc(n, sizeof(bool)), calloc(n, sizeof(fail)), calloc(n, sizeof *g.made)};
	const thread_ranks all = {ranks, at_once, seed, play_rank, &g};
	CHECK(scree_thread_ranks_run(&all, NULL), "%d ranks", ranks);
	return g;
}

static void end_game(game *g)
{
	free(g->right);
	free(g->why);
	free(g->made);
}

static void all_are_right(const game *g, int32_t ranks)
{
	for (int32_t k = 0; k < ranks; ++k) CHECK(g->right[k], "rank %d of %d: %s", k, ranks, g->why[k].text);
}

static void ranks_exchange(void **state)
{
	(void)state;
	static const int32_t ranks[] = {1, 2, 3, 5, 8, 64};
	for (size_t k = 0; k < sizeof ranks / sizeof *ranks; ++k)
		for (int32_t at_once = 1; at_once <= 3; ++at_once)
			for (uint64_t seed = 0; seed < 3; ++seed) {
				if (!test_drawn((int64_t)k + at_once + (int64_t)seed)) continue;
				const play_plan plan = {.seed = seed + 7, .rounds = 12, .reach = 1 + (int32_t)k, .most = 200};
				game g = begin_game(&plan, NULL, ranks[k], at_once, seed);
				all_are_right(&g, ranks[k]);
				end_game(&g);
			}
}

static void hundreds_of_ranks_exchange(void **state)
{
	(void)state;
	const play_plan plan = {.seed = 3, .rounds = 5, .reach = 13, .most = 100};
	for (int32_t at_once = 1; at_once <= (test_short() ? 1 : 2); ++at_once) {
		game g = begin_game(&plan, NULL, 512, at_once, 1);
		all_are_right(&g, 512);
		end_game(&g);
	}
}

#ifndef SCREE_SANITIZED /* sanitizers need terabytes of address space */
static void do_nothing(channel *c, void *what) { (void)c, (void)what; }

/* Size of the address space in use by this process. */
static rlim_t addresses(void)
{
	long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");
	if (!file) return 0;
	if (fscanf(file, "%ld", &pages) != 1) pages = 0;
	fclose(file);
	return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* Limits the address space, which then has room for only a few stacks. */
static bool refused_for_want_of_room(void)
{
	fail why[500] = {0};
	const thread_ranks all = {500, 1, 0, do_nothing, NULL};
	const rlim_t room = addresses() + (40 << 20);
	struct rlimit some = {room, room};
	if (setrlimit(RLIMIT_AS, &some) != 0) return false;
	return !scree_thread_ranks_run(&all, why) && strstr(why[0].text, "the system refuses threads for 500 ranks");
}

/* A system that grants too few threads leads to an error message. */
static void refused_threads_are_reported(void **state)
{
	(void)state;
	int code = 1;
	const pid_t child = fork();
	if (child == 0) _exit(refused_for_want_of_room() ? 0 : 1);
	CHECK(child > 0 && waitpid(child, &code, 0) == child && code == 0, "it ended with %d", code);
}
#endif

/* ------------------------------------------------------------------ Algorithm 1 */

enum { TRACE = 4000 };
typedef struct traced {
	const transport_row *by; /* that is traced */
	char text[TRACE];
} traced;

/* One entry per rank of the traced run. */
static traced trace[3];

static void tell(const channel *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void tell(const channel *c, const char *format, ...)
{
	traced *t = trace + c->rank;
	va_list args;
	va_start(args, format);
	const size_t at = strlen(t->text);
	vsnprintf(t->text + at, TRACE - at, format, args);
	va_end(args);
}

static void send_traced(channel *c, int32_t to, int32_t tag, const void *bytes, size_t count)
{
	tell(c, "send %d tag %d bytes %zu\n", to, tag, count);
	scree_transport_threads.send(c, to, tag, bytes, count);
}

static int32_t probe_traced(channel *c, int32_t tag, real patience, int32_t *from, size_t *count)
{
	const int32_t found = scree_transport_threads.probe(c, tag, patience, from, count);
	tell(c, "probe tag %d: rank %d bytes %zu\n", tag, *from, *count);
	return found;
}

static void receive_traced(channel *c, int32_t from, int32_t tag, void *bytes, size_t count)
{
	tell(c, "receive %d bytes %zu\n", from, count);
	scree_transport_threads.receive(c, from, tag, bytes, count);
}

static void sent_traced(channel *c) { tell(c, "wait for sends\n"); }

static const transport_row tracing = {send_traced,		   probe_traced,   receive_traced, sent_traced,
									  scree_tree_greatest, scree_tree_add, scree_tree_both};

/* Rank 1 sends 24 bytes to rank 0; all other messages are empty. */
static void encode_few(void *what, int32_t to, message *m)
{
	const channel *c = what;
	tell(c, "encode for %d\n", to);
	if (c->rank == 1 && to == 0) scree_message_segment(m, 1, 24);
}

static bool decode_few(void *what, int32_t from, message_reader *r, fail *why)
{
	const channel *c = what;
	segment s;
	(void)why;
	int32_t segments = 0;
	while (scree_message_next(r, &s)) ++segments;
	tell(c, "decode of %d: %d segments\n", from, segments);
	return true;
}

static void exchange_traced(channel *c, void *what)
{
	(void)what;
	const int32_t ends[] = {1}, middle[] = {0, 2};
	exchange x = {
		.phase = PHASE_BODIES, .neighbours = 1, .neighbour = ends, .encode = encode_few, .decode = decode_few};
	fail why;
	x.what = c;
	if (c->rank == 1) x.neighbours = 2, x.neighbour = middle;
	c->by = &tracing;
	for (int k = 0; k < 2; ++k) CHECK(scree_exchange(c, &x, &why), "%s", why.text);
}

/* Lines 1 to 4: encode and send, for each neighbour; 5 to 11: probe, receive, decode; 12: wait for the sends. Empty
 * messages are sent as well, with only their header of 64 bytes. A segment has a header of 16 bytes before its payload,
 * which is padded to 32 bytes. Messages may arrive in any order; in this run the order is always the same. */
static void algorithm_1_is_literal(void **state)
{
	(void)state;
	static const char zero[] = "encode for 1\nsend 1 tag 1 bytes 64\n"
							   "probe tag 1: rank 1 bytes 112\nreceive 1 bytes 112\ndecode of 1: 1 segments\n"
							   "wait for sends\n"
							   "encode for 1\nsend 1 tag 2 bytes 64\n"
							   "probe tag 2: rank 1 bytes 112\nreceive 1 bytes 112\ndecode of 1: 1 segments\n"
							   "wait for sends\n";
	static const char one[] = "encode for 0\nsend 0 tag 1 bytes 112\nencode for 2\nsend 2 tag 1 bytes 64\n"
							  "probe tag 1: rank 0 bytes 64\nreceive 0 bytes 64\ndecode of 0: 0 segments\n"
							  "probe tag 1: rank 2 bytes 64\nreceive 2 bytes 64\ndecode of 2: 0 segments\n"
							  "wait for sends\n"
							  "encode for 0\nsend 0 tag 2 bytes 112\nencode for 2\nsend 2 tag 2 bytes 64\n"
							  "probe tag 2: rank 2 bytes 64\nreceive 2 bytes 64\ndecode of 2: 0 segments\n"
							  "probe tag 2: rank 0 bytes 64\nreceive 0 bytes 64\ndecode of 0: 0 segments\n"
							  "wait for sends\n";
	const thread_ranks three = {3, 1, 0, exchange_traced, NULL};
	memset(trace, 0, sizeof trace);
	CHECK(scree_thread_ranks_run(&three, NULL), "three ranks");
	CHECK(!strcmp(trace[0].text, zero), "rank 0:\n%s", trace[0].text);
	CHECK(!strcmp(trace[1].text, one), "rank 1:\n%s", trace[1].text);
}

/* ------------------------------------------------------------------ sums */

static void sum_odd_numbers(channel *c, void *what)
{
	fail *said = (fail *)what + c->rank;
	rank_sums(c, said);
}

static void odd_numbers_are_summed(void **state)
{
	(void)state;
	fail said[7] = {0};
	for (int32_t ranks = 1; ranks <= 7; ++ranks) {
		const thread_ranks all = {ranks, 2, 5, sum_odd_numbers, said};
		CHECK(scree_thread_ranks_run(&all, NULL), "%d ranks", ranks);
		for (int k = 0; k < ranks; ++k) CHECK(!said[k].code, "rank %d: %s", k, said[k].text);
	}
}

/* ------------------------------------------------------------------ faults */

enum { FEW = 6 };
static const play_plan short_play = {.seed = 5, .rounds = 4, .reach = 2, .most = 60};

/* Each rank has correct data or an error message; after a failure, every rank has an error message. */
static void right_or_clear(const game *g, const fault_script *s)
{
	int failed = 0;
	for (int32_t k = 0; k < FEW; ++k) {
		failed += !g->right[k];
		CHECK(g->right[k] || strstr(g->why[k].text, "rank"), "rank %d: '%s'", k, g->why[k].text);
		CHECK(g->right[k] || !strstr(g->why[k].text, "wrong content"), "rank %d: '%s'", k, g->why[k].text);
	}
	int64_t harm = 0;
	for (int32_t k = 0; k < FEW; ++k)
		harm += g->made[k][FAULT_LOSE] + g->made[k][FAULT_TRUNCATE] + g->made[k][FAULT_GARBLE];
	CHECK(harm || !failed, "a failure without a fault, seed %llu", (unsigned long long)s->seed);
}

static void faults_end_in_a_sentence(void **state)
{
	(void)state;
	int64_t made[MESSAGE_FAULTS] = {0}, right = 0, wrong = 0;
	FOR_SEEDS(1000)
	{
		const real often = test_seed % 2 ? (real)0.03 : (real)0.002;
		const fault_script s = {test_seed, {often, (real)0.3, often, often}};
		game g = begin_game(&short_play, &s, FEW, 1 + (int32_t)(test_seed % 3), test_seed);
		right_or_clear(&g, &s);
		for (int32_t k = 0; k < FEW; ++k) {
			for (int f = 0; f < MESSAGE_FAULTS; ++f) made[f] += g.made[k][f];
			right += g.right[k], wrong += !g.right[k];
		}
		end_game(&g);
	}
	for (int f = 0; f < MESSAGE_FAULTS; ++f) CHECK(made[f] > 0, "no fault of kind %d", f);
	CHECK(right && wrong, "%lld ranks right, %lld with a sentence", (long long)right, (long long)wrong);
}

/* Delays, even beyond messages of later exchanges, do not change results. */
static void delays_do_no_harm(void **state)
{
	(void)state;
	int64_t made = 0;
	FOR_SEEDS(100)
	{
		const fault_script s = {test_seed, {[FAULT_DELAY] = (real)0.5}};
		game g = begin_game(&short_play, &s, FEW, 1 + (int32_t)(test_seed % 3), test_seed);
		all_are_right(&g, FEW);
		for (int32_t k = 0; k < FEW; ++k) made += g.made[k][FAULT_DELAY];
		end_game(&g);
	}
	CHECK(made > 0, "no delays");
}

/* All messages from one of the ranks have the same kind of fault. */
typedef struct culprit {
	int32_t rank;
	fault_script script;
	fail why[FEW];
	bool right[FEW];
} culprit;

static void play_with_culprit(channel *c, void *what)
{
	culprit *o = what;
	const int32_t k = c->rank;
	if (k == o->rank) scree_faults_begin(c, &o->script);
	o->right[k] = rank_play(c, &short_play, o->why + k);
	if (k == o->rank) scree_faults_end(c);
}

/* One rank names the faulty rank and the phase; all other ranks pass this error on or report it themselves. */
static void one_culprit(message_fault kind, const char *words)
{
	culprit o = {.rank = 3, .script = {.seed = 11}};
	o.script.part[kind] = 1;
	const thread_ranks all = {FEW, 1, 9, play_with_culprit, &o};
	int said = 0;
	CHECK(scree_thread_ranks_run(&all, NULL), "%d ranks", FEW);
	for (int32_t k = 0; k < FEW; ++k) {
		CHECK(!o.right[k], "rank %d is right", k);
		said += strstr(o.why[k].text, words) && strstr(o.why[k].text, "phase bodies, step 0, exchange 1");
	}
	CHECK(said > 0, "none says '%s'; rank 2: '%s'", words, o.why[2].text);
}

static void faults_are_named(void **state)
{
	(void)state;
	one_culprit(FAULT_LOSE, "no message from rank 3");
	one_culprit(FAULT_TRUNCATE, "the message from rank 3");
	one_culprit(FAULT_GARBLE, "the message from rank 3");
}

/* ------------------------------------------------------------------ memory */

/* As in a step, blocks allocated during the work are freed with its list. */
static void play_in_a_list(channel *c, void *what)
{
	fail *said = (fail *)what + c->rank;
	memory_list list = {0};
	for (int k = 0; k < 3; ++k) {
		memory_list *before = scree_memory_into(&list);
		rank_play(c, &short_play, said);
		scree_memory_into(before);
		scree_memory_drop(&list);
	}
}

static void channels_keep_their_memory(void **state)
{
	(void)state;
	fail said[FEW] = {0};
	const thread_ranks all = {FEW, 2, 0, play_in_a_list, said};
	const int64_t before = scree_memory_used();
	CHECK(scree_thread_ranks_run(&all, NULL), "%d ranks", FEW);
	for (int32_t k = 0; k < FEW; ++k) CHECK(!said[k].code, "rank %d: '%s'", k, said[k].text);
	CHECK(scree_memory_used() == before, "%lld bytes are left", (long long)(scree_memory_used() - before));
}

/* ------------------------------------------------------------------ failures of ranks */

static void fail_in_the_middle(channel *c, void *what)
{
	fail *said = (fail *)what + c->rank;
	play_plan plan = short_play;
	plan.rounds = c->rank == 4 ? 2 : 100;
	if (!rank_play(c, &plan, said)) return;
	SCREE_ASSERT(c->rank != 4);
}

/* A rank whose work fails ends the waits of all other ranks, which are notified of the reason. */
static void a_failure_reaches_all(void **state)
{
	(void)state;
	fail said[FEW] = {0}, why[FEW];
	const thread_ranks all = {FEW, 2, 3, fail_in_the_middle, said};
	CHECK(scree_thread_ranks_run(&all, why), "%d ranks", FEW);
	for (int32_t k = 0; k < FEW; ++k) {
		const char *text = k == 4 ? why[k].text : said[k].text;
		CHECK(strstr(text, "c->rank != 4") && (k == 4 || strstr(text, "rank 4 has failed: ")), "rank %d: '%s'", k,
			  text);
		CHECK((why[k].code == FAIL_INTERNAL) == (k == 4), "rank %d has code %d", k, why[k].code);
	}
}

/* Ranks 1 and 3 exit silently: a rank that needs their messages reports it. */
static void leave_early(channel *c, void *what)
{
	fail *said = (fail *)what + c->rank;
	play_plan plan = short_play;
	plan.rounds = c->rank == 1 || c->rank == 3 ? 1 : 3;
	rank_play(c, &plan, said);
}

static void the_silent_are_named(void **state)
{
	(void)state;
	fail said[FEW] = {0};
	const thread_ranks all = {FEW, 1, 0, leave_early, said};
	CHECK(scree_thread_ranks_run(&all, NULL), "%d ranks", FEW);
	CHECK(strstr(said[2].text, "rank 2: no message from rank 1, 3, phase bodies, step 1, exchange 4") ||
			  strstr(said[2].text, " has failed: rank "),
		  "'%s'", said[2].text);
	int named = 0;
	for (int32_t k = 0; k < FEW; ++k)
		named += !strncmp(said[k].text, "rank ", 5) && strstr(said[k].text, ": no message from rank 1");
	CHECK(named > 0, "'%s'", said[0].text);
}

/* ------------------------------------------------------------------ exchanges alone */

static void encode_nothing(void *what, int32_t to, message *m) { (void)what, (void)to, (void)m; }

static bool decode_nothing(void *what, int32_t from, message_reader *r, fail *why)
{
	(void)what, (void)from, (void)r, (void)why;
	return true;
}

static bool refuse_rank_2(void *what, int32_t from, message_reader *r, fail *why)
{
	const channel *c = what;
	(void)r;
	return c->rank != 3 || from != 2 || scree_fail(why, FAIL_INPUT, "rank 3 does not want this");
}

/* Exchanges along a circle. */
static bool exchange_in_circle(channel *c, int steps, bool refuse, fail *why)
{
	int32_t neighbour[4];
	exchange x = {.phase = PHASE_BODIES,
				  .neighbours = rank_neighbours(c->rank, c->ranks, 1, neighbour),
				  .neighbour = neighbour,
				  .encode = encode_nothing,
				  .decode = refuse ? refuse_rank_2 : decode_nothing,
				  .what = c};
	for (; x.step < steps; ++x.step)
		if (!scree_exchange(c, &x, why)) return false;
	return true;
}

static void refuse_one(channel *c, void *what)
{
	fail *said = (fail *)what + c->rank;
	exchange_in_circle(c, 50, true, said);
}

static void a_refusal_reaches_all(void **state)
{
	(void)state;
	fail said[FEW] = {0};
	const thread_ranks all = {FEW, 2, 4, refuse_one, said};
	CHECK(scree_thread_ranks_run(&all, NULL), "%d ranks", FEW);
	for (int32_t k = 0; k < FEW; ++k)
		CHECK(said[k].code == FAIL_INPUT && strstr(said[k].text, "rank 3 does not want this"), "rank %d: '%s'", k,
			  said[k].text);
}

static void leave_circle(channel *c, void *what)
{
	fail *said = (fail *)what + c->rank;
	exchange_in_circle(c, c->rank == 0 ? 1 : 9, false, said);
}

/* Rank 0 makes one exchange, then exits. The neighbours of rank 0 wait for it in the second exchange; the other ranks
 * have completed that exchange, and wait for these neighbours. Only the neighbours fail, naming rank 0. */
static void the_first_wait_is_the_cause(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 20; ++seed) {
		fail said[FEW] = {0};
		const thread_ranks all = {FEW, 1, seed, leave_circle, said};
		CHECK(scree_thread_ranks_run(&all, NULL), "%d ranks", FEW);
		CHECK(!said[0].code, "rank 0: '%s'", said[0].text);
		for (int32_t k = 1; k < FEW; ++k)
			CHECK(strstr(said[k].text, "no message from rank 0, phase bodies, step 1, exchange 2"), "rank %d: '%s'", k,
				  said[k].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#ifndef SCREE_SANITIZED
		cmocka_unit_test(refused_threads_are_reported),
#endif
		cmocka_unit_test(messages_are_read_as_written),
		cmocka_unit_test(damaged_messages_are_refused),
		cmocka_unit_test(wrong_contents_are_refused),
		cmocka_unit_test(ranks_exchange),
		cmocka_unit_test(hundreds_of_ranks_exchange),
		cmocka_unit_test(algorithm_1_is_literal),
		cmocka_unit_test(odd_numbers_are_summed),
		cmocka_unit_test(faults_end_in_a_sentence),
		cmocka_unit_test(delays_do_no_harm),
		cmocka_unit_test(faults_are_named),
		cmocka_unit_test(channels_keep_their_memory),
		cmocka_unit_test(a_failure_reaches_all),
		cmocka_unit_test(the_silent_are_named),
		cmocka_unit_test(a_refusal_reaches_all),
		cmocka_unit_test(the_first_wait_is_the_cause),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
