/* parallel: a pool of threads that wait for work and share it piece by piece. No other file uses threads.
 *
 * A call is a *job*: every thread that is awake, the caller included, takes the next piece until none is left. A job
 * never waits for a thread that has not taken a piece. A thread that the system does not run, on a busy machine or on a
 * virtual processor that was taken away, therefore delays no job. (Barriers of OpenMP's runtimes wait for all threads
 * and spin for milliseconds: on such a machine two threads were ten times slower than one.)
 *
 * There is one pool of threads. While the pool works for one thread of the program, other threads do their jobs without
 * the pool: two threads may step two worlds at the same time, with the same results. A piece that fails (fail.h) ends
 * the job; the failure is raised in the caller after all helpers have left.
 *
 * A waiting thread spins for about ten microseconds, roughly the duration of a stage of a small scene, and then sleeps.
 * Threads do not spin if there are more of them than processors. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/parallel.h"

#include "base/fail.h"
#include "base/locale.h"
#include "base/memory.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { SPINS = 400 };

typedef struct job {
	parallel_fn *work;
	void *what;
	int64_t count, grain, pieces;
	int threads;
	memory_list *memory; /* list for the caller's new blocks */
} job;

static struct pool {
	atomic_flag taken;		  /* in use by a caller */
	job now;				  /* constant while `open` is set and while any helper is inside */
	_Atomic uint64_t call;	  /* calls so far */
	atomic_bool open;		  /* helpers may join the job */
	atomic_int inside;		  /* number of helpers inside the job */
	_Atomic int64_t next;	  /* next piece to take */
	atomic_int sleepers;	  /* number of helpers asleep or about to sleep */
	atomic_bool caller_waits; /* the caller sleeps until all helpers have left */
	pthread_mutex_t lock;
	pthread_cond_t begun, left;
	int helpers; /* threads started, in addition to the caller */
	atomic_bool spin;
	atomic_bool broken; /* a piece failed; `why` has the error message of the first one */
	fail why;
} pool = {.taken = ATOMIC_FLAG_INIT,
		  .lock = PTHREAD_MUTEX_INITIALIZER,
		  .begun = PTHREAD_COND_INITIALIZER,
		  .left = PTHREAD_COND_INITIALIZER};

static _Thread_local int threads;  /* number of threads that this thread of the program requested */
static _Thread_local bool spins;   /* the machine has enough processors for all of them */
static _Thread_local bool working; /* this thread is inside a shared job */

/* Seed for the order in which pieces are taken, set by tests for all threads of the program. Any order is allowed. */
static _Atomic uint64_t shuffle;

void scree_parallel_shuffle(uint64_t seed) { atomic_store(&shuffle, seed); }

static int64_t nth_piece(int64_t k, int64_t pieces)
{
	const uint64_t prime = 1000003; /* coprime to any smaller number of pieces */
	uint64_t seed = atomic_load_explicit(&shuffle, memory_order_relaxed);
	if (!seed || pieces >= (int64_t)prime) return k;
	return (int64_t)(((uint64_t)k * prime + seed) % (uint64_t)pieces);
}

/* processors available to this thread of the program, counted only at its first call, since every step makes one */
static int count_processors(void)
{
	static _Thread_local int processors;
	cpu_set_t set;
	if (!processors)
		processors = sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0 ? CPU_COUNT(&set) : 1;
	return processors;
}

void scree_set_threads(int wanted)
{
	int processors = count_processors();
	threads = wanted > 0 ? wanted : processors;
	if (threads > SCREE_MOST_THREADS) threads = SCREE_MOST_THREADS;
	spins = threads <= processors;
}

int scree_threads(void)
{
	if (!threads) scree_set_threads(0);
	return threads;
}

static void breathe(void)
{
#if defined __x86_64__
	__builtin_ia32_pause();
#endif
}

typedef struct share {
	const job *j;
	int thread;
} share;

static void do_piece(const job *j, int64_t n, int thread)
{
	const int64_t k = nth_piece(n, j->pieces), end = (k + 1) * j->grain;
	j->work(j->what, k * j->grain, end < j->count ? end : j->count, thread);
}

static void take_pieces(void *what)
{
	const share *s = what;
	const job *j = s->j;
	for (;;) {
		int64_t k = atomic_fetch_add(&pool.next, 1);
		if (k >= j->pieces) return;
		do_piece(j, k, s->thread);
	}
}

static void work_on(const job *j, int thread)
{
	share s = {j, thread};
	fail why;
	memory_list *before = scree_memory_into(j->memory);
	working = true;
	bool whole = scree_attempt(take_pieces, &s, &why);
	working = false;
	scree_memory_into(before);
	if (whole) return;
	atomic_store(&pool.next, j->pieces);
	if (!atomic_exchange(&pool.broken, true)) pool.why = why;
}

/* A helper may read the job only while `inside` counts it, since the caller ends the call once this count is 0. */
static void help(int thread)
{
	atomic_fetch_add(&pool.inside, 1);
	if (atomic_load(&pool.open) && thread < pool.now.threads) work_on(&pool.now, thread);
	if (atomic_fetch_sub(&pool.inside, 1) == 1 && atomic_load(&pool.caller_waits)) {
		pthread_mutex_lock(&pool.lock);
		pthread_cond_signal(&pool.left);
		pthread_mutex_unlock(&pool.lock);
	}
}

/* returns once a call with a number above `seen` has begun */
static void wait_for_call(uint64_t seen)
{
	for (int k = 0; k < SPINS && atomic_load(&pool.spin); ++k) {
		if (atomic_load(&pool.call) != seen) return;
		breathe();
	}
	pthread_mutex_lock(&pool.lock);
	atomic_fetch_add(&pool.sleepers, 1);
	while (atomic_load(&pool.call) == seen) pthread_cond_wait(&pool.begun, &pool.lock);
	atomic_fetch_sub(&pool.sleepers, 1);
	pthread_mutex_unlock(&pool.lock);
}

static void *helper(void *number)
{
	int thread = (int)(intptr_t)number;
	scree_locale_enter(); /* for error messages */
	for (uint64_t seen = 0;;) {
		wait_for_call(seen);
		seen = atomic_load(&pool.call);
		help(thread);
	}
	return NULL;
}

/* Signals are handled by the main thread. If the system refuses to start threads, fewer are used, without an error. */
static void start_helpers(void)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_attr_t detached;
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	while (pool.helpers < threads - 1) {
		pthread_t id;
		if (pthread_create(&id, &detached, helper, (void *)(intptr_t)(pool.helpers + 1)) != 0) break;
		++pool.helpers;
	}
	pthread_attr_destroy(&detached);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void begin(job j)
{
	pool.now = j;
	atomic_store(&pool.spin, spins);
	atomic_store(&pool.broken, false);
	atomic_store(&pool.next, 0);
	atomic_store(&pool.open, true);
	atomic_fetch_add(&pool.call, 1);
	if (atomic_load(&pool.sleepers) == 0) return;
	pthread_mutex_lock(&pool.lock);
	pthread_cond_broadcast(&pool.begun);
	pthread_mutex_unlock(&pool.lock);
}

/* Ends a job whose pieces have all been taken: waits for the threads still at work, which `inside` counts. */
static void end(void)
{
	atomic_store(&pool.open, false);
	for (int k = 0; k < SPINS && atomic_load(&pool.spin); ++k) {
		if (atomic_load(&pool.inside) == 0) return;
		breathe();
	}
	pthread_mutex_lock(&pool.lock);
	atomic_store(&pool.caller_waits, true);
	while (atomic_load(&pool.inside) > 0) pthread_cond_wait(&pool.left, &pool.lock);
	atomic_store(&pool.caller_waits, false);
	pthread_mutex_unlock(&pool.lock);
}

void scree_parallel(parallel_fn *work, void *what, int64_t count, int64_t grain)
{
	if (count <= 0) return;
	job j = {work, what, count, grain, (count + grain - 1) / grain, scree_threads(), scree_memory_now()};
	const bool alone = j.threads == 1 || j.pieces == 1;
	SCREE_ASSERT(alone || !working); /* jobs within jobs are not shared */
	if (alone || atomic_flag_test_and_set(&pool.taken)) {
		for (int64_t n = 0; n < j.pieces; ++n) do_piece(&j, n, 0);
		return;
	}
	if (pool.helpers < j.threads - 1) start_helpers();
	begin(j);
	work_on(&j, 0);
	end();
	fail why;
	bool broken = atomic_load(&pool.broken);
	if (broken) why = pool.why;
	atomic_flag_clear(&pool.taken);
	if (broken) scree_break_again(&why);
}
