#include "rank_threads.h"

#include "base/locale.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "rank_trees.h"

#include <pthread.h>
#include <string.h>

/* stack size in bytes; the narrow phase of two polyhedra needs 120 kB */
#ifdef SCREE_SANITIZED
enum { STACK = 8 << 20 };
#else
enum { STACK = 1 << 20 };
#endif

typedef struct queued {
	struct queued *next;
	int32_t from, tag;
	size_t count;
	uint8_t *bytes;
} queued;

typedef struct thread_group thread_group;

/* A rank. */
typedef struct rank_thread {
	thread_group *in;
	channel c;
	pthread_t thread;
	pthread_cond_t called; /* has its turn */
	bool runs, waits;
	bool in_vain;  /* deadlock: no rank can continue, so this rank's wait returns */
	int32_t tag;   /* the tag that this rank is waiting for */
	queued *first; /* messages for this rank, in the order in which they were sent */
	fail *why;
} rank_thread;

/* The lock protects all members below, and the members of ranks from `called` on. */
struct thread_group {
	const thread_ranks *of;
	pthread_mutex_t lock;
	rank_thread *rank; /* [ranks] */
	int32_t *ready;	   /* [ranks] ranks that can run but are waiting for a turn */
	int32_t readies, turns, left;
	bool closed; /* a thread could not be started, so no rank starts */
	random_stream order;
};

/* ------------------------------------------------------------------ turns */

static void make_ready(thread_group *g, int32_t rank) { g->ready[g->readies++] = rank; }

static int32_t next_ready(thread_group *g)
{
	const int32_t k = g->of->seed ? (int32_t)(scree_random_bits(&g->order) % (uint32_t)g->readies) : 0;
	const int32_t rank = g->ready[k];
	memmove(g->ready + k, g->ready + k + 1, (size_t)(g->readies - k - 1) * sizeof *g->ready);
	g->readies -= 1;
	return rank;
}

/* In a deadlock (no rank can continue), ends the waits in the earliest exchange, to which the missing message belongs;
 * ranks in later exchanges wait for these ranks. */
static void end_first_waits(thread_group *g)
{
	uint64_t first = UINT64_MAX;
	for (int32_t k = 0; k < g->of->ranks; ++k)
		if (g->rank[k].waits && g->rank[k].c.number < first) first = g->rank[k].c.number;
	for (int32_t k = 0; k < g->of->ranks; ++k) {
		rank_thread *r = g->rank + k;
		if (!r->waits || r->c.number > first) continue;
		r->waits = false;
		r->in_vain = true;
		make_ready(g, k);
	}
}

static void pass_turns(thread_group *g)
{
	const bool all_wait = g->turns == g->of->at_once && !g->readies && g->left > 0;
	if (all_wait) end_first_waits(g);
	while (g->turns > 0 && g->readies > 0) {
		rank_thread *r = g->rank + next_ready(g);
		g->turns -= 1;
		r->runs = true;
		pthread_cond_signal(&r->called);
	}
}

static void take_turn(rank_thread *r)
{
	while (!r->runs) pthread_cond_wait(&r->called, &r->in->lock);
}

static void give_turn(rank_thread *r)
{
	r->runs = false;
	r->in->turns += 1;
	pass_turns(r->in);
}

/* ------------------------------------------------------------------ messages */

static bool answers(const queued *l, int32_t tag) { return l->tag == tag || l->tag == TAG_FAILURE; }

/* A message that a rank may receive; if several ranks have sent a message with this tag, any one of them. */
static queued *find(const rank_thread *r, int32_t tag)
{
	thread_group *g = r->in;
	queued *found = NULL;
	uint32_t count = 0;
	for (queued *l = r->first; l; l = l->next) {
		if (!answers(l, tag)) continue;
		count += 1;
		if (!found || (g->of->seed && scree_random_bits(&g->order) % count == 0)) found = l;
	}
	for (queued *l = r->first; found && l != found; l = l->next) /* messages from the same rank arrive in order */
		if (l->from == found->from && l->tag == found->tag) return l;
	return found;
}

static void append(rank_thread *to, queued *l)
{
	queued **end = &to->first;
	while (*end) end = &(*end)->next;
	*end = l;
	if (!to->waits || !answers(l, to->tag)) return;
	to->waits = false;
	make_ready(to->in, to->c.rank);
	pass_turns(to->in);
}

/* Blocks of messages are passed from thread to thread, so they are in no list. */
static queued *queued_of(int32_t from, int32_t tag, const void *bytes, size_t count)
{
	memory_list *before = scree_memory_into(NULL);
	queued *l = scree_alloc(1, sizeof *l);
	*l = (queued){.from = from, .tag = tag, .count = count, .bytes = scree_copy(bytes, count, 1)};
	scree_memory_into(before);
	return l;
}

static void queued_free(queued *l)
{
	scree_free(l->bytes);
	scree_free(l);
}

static void send_copy(channel *c, int32_t to, int32_t tag, const void *bytes, size_t count)
{
	rank_thread *r = c->at;
	queued *l = queued_of(c->rank, tag, bytes, count);
	pthread_mutex_lock(&r->in->lock);
	append(r->in->rank + to, l);
	pthread_mutex_unlock(&r->in->lock);
}

/* Waits until a message arrives or a deadlock is detected. */
static queued *await(rank_thread *r, int32_t tag)
{
	queued *l = find(r, tag);
	r->tag = tag;
	r->in_vain = false;
	while (!l && !r->in_vain) {
		r->waits = true;
		give_turn(r);
		take_turn(r);
		l = find(r, tag);
	}
	return l;
}

static int32_t probe(channel *c, int32_t tag, real patience, int32_t *from, size_t *count)
{
	rank_thread *r = c->at;
	pthread_mutex_lock(&r->in->lock);
	const queued *l = patience > 0 ? await(r, tag) : find(r, tag);
	const int32_t found = l ? l->tag : -1;
	if (l) *from = l->from, *count = l->count;
	pthread_mutex_unlock(&r->in->lock);
	return found;
}

static void receive(channel *c, int32_t from, int32_t tag, void *bytes, size_t count)
{
	rank_thread *r = c->at;
	pthread_mutex_lock(&r->in->lock);
	queued **at = &r->first;
	while (*at && ((*at)->from != from || (*at)->tag != tag)) at = &(*at)->next;
	queued *l = *at;
	if (l) *at = l->next;
	pthread_mutex_unlock(&r->in->lock);
	SCREE_ASSERT(l && l->count == count);
	if (count) memcpy(bytes, l->bytes, count);
	queued_free(l);
}

/* Messages are copies. */
static void sent(channel *c) { (void)c; }

const transport_row scree_transport_threads = {.send = send_copy,
											   .probe = probe,
											   .receive = receive,
											   .sent = sent,
											   .greatest = scree_tree_greatest,
											   .add = scree_tree_add,
											   .both = scree_tree_both};

/* ------------------------------------------------------------------ ranks */

static void work(void *what)
{
	rank_thread *r = what;
	r->in->of->work(&r->c, r->in->of->what);
}

static void run_rank(rank_thread *r)
{
	fail why = {0};
	if (scree_attempt(work, r, &why)) return;
	if (r->why) *r->why = why;
	scree_channel_fail(&r->c, &why);
}

static void *begin(void *what)
{
	rank_thread *r = what;
	thread_group *g = r->in;
	scree_locale_enter(); /* for error messages */
	scree_set_threads(1);
	pthread_mutex_lock(&g->lock);
	take_turn(r);
	pthread_mutex_unlock(&g->lock);
	if (!g->closed) run_rank(r);
	scree_channel_free(&r->c);
	pthread_mutex_lock(&g->lock);
	g->left -= 1;
	give_turn(r);
	pthread_mutex_unlock(&g->lock);
	return NULL;
}

static void set_up(thread_group *g, int32_t rank, fail *why)
{
	rank_thread *r = g->rank + rank;
	*r = (rank_thread){.in = g, .why = why ? why + rank : NULL};
	r->c =
		(channel){.by = &scree_transport_threads, .at = r, .rank = rank, .ranks = g->of->ranks, .patience = INFINITY};
	if (r->why) *r->why = (fail){0};
	pthread_cond_init(&r->called, NULL);
}

/* Starts a thread for each rank; returns the number of threads. No thread runs before turns are assigned. */
static int32_t start_threads(thread_group *g)
{
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, STACK);
	int32_t started = 0;
	while (started < g->of->ranks && !pthread_create(&g->rank[started].thread, &small, begin, g->rank + started))
		++started;
	pthread_attr_destroy(&small);
	return started;
}

static void run_threads(thread_group *g)
{
	const int32_t started = start_threads(g);
	pthread_mutex_lock(&g->lock);
	g->closed = started < g->of->ranks;
	g->left = started;
	for (int32_t k = 0; k < started; ++k) make_ready(g, k);
	pass_turns(g);
	pthread_mutex_unlock(&g->lock);
	for (int32_t k = 0; k < started; ++k) pthread_join(g->rank[k].thread, NULL);
}

static void tear_down(rank_thread *r)
{
	for (queued *l = r->first, *next; l; l = next) {
		next = l->next;
		queued_free(l);
	}
	pthread_cond_destroy(&r->called);
}

bool scree_thread_ranks_run(const thread_ranks *o, fail *why)
{
	thread_group g = {.of = o, .turns = o->at_once, .order = scree_random_start(o->seed, 0)};
	SCREE_ASSERT(o->ranks > 0 && o->at_once > 0);
	g.rank = scree_alloc((size_t)o->ranks, sizeof *g.rank);
	g.ready = scree_alloc((size_t)o->ranks, sizeof *g.ready);
	pthread_mutex_init(&g.lock, NULL);
	for (int32_t k = 0; k < o->ranks; ++k) set_up(&g, k, why);
	run_threads(&g);
	for (int32_t k = 0; k < o->ranks; ++k) tear_down(g.rank + k);
	pthread_mutex_destroy(&g.lock);
	scree_free(g.rank);
	scree_free(g.ready);
	if (g.closed && why) scree_fail(why, FAIL_INTERNAL, "the system refuses threads for %d ranks", o->ranks);
	return !g.closed;
}
