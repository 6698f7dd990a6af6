/* handle: public functions, each of which enters a simulation, calls the inner function (internal.h), and leaves.
 *
 * Instead of the address of a simulation, a program holds a number in the form of a pointer: the simulation's slot in a
 * table, and the number of simulations that have used the slot. Each number is given out only once, so that a closed
 * simulation is recognized even after others were opened. A slot is entered by one compare-and-swap, which tests both
 * that the simulation is open and that no other call is using it. */
#include "scree/measures.h"

#include "library/internal.h"
#include "world/world.h"

#include <math.h>
#include <stdatomic.h>

enum { SLOTS = 1 << 16 };
static const uintptr_t FIRST = UINTPTR_MAX / SLOTS / 3; /* no address on 64-bit machines begins like this */

enum { SLOT_FREE, SLOT_OPEN, SLOT_USED, SLOT_STATES };

/* A slot of zeros is free and has never held a simulation. */
static struct slot {
	_Atomic uintptr_t word; /* number of simulations so far, times SLOT_STATES, plus the state */
	uintptr_t inverted;		/* address with inverted bits, so that leak detectors report lost simulations */
} slots[SLOTS];

static uintptr_t word_of(uintptr_t count, int state) { return count * SLOT_STATES + (uintptr_t)state; }

/* ------------------------------------------------------------------ entering and leaving */

/* A call that is in progress in this thread. */
typedef struct entry {
	struct slot *slot;
	scree_sim *s;
	uintptr_t count;
	bool inner; /* called by a force function during a step of this simulation, so there is nothing to leave */
	const struct entry *outer;
} entry;

static _Thread_local const entry *entered;

/* The last call of this thread that could not enter a simulation. */
static _Thread_local struct {
	const scree_sim *handle;
	char sentence[240];
} refused;

static scree_code refuse(const scree_sim *handle, scree_code code, const char *function, const char *why)
{
	refused.handle = handle;
	snprintf(refused.sentence, sizeof refused.sentence, "%s: %s", function, why);
	return code;
}

static scree_code refuse_closed(const scree_sim *handle, const char *function)
{
	return refuse(handle, SCREE_BAD_INPUT, function,
				  handle ? "this is not an open simulation: it was closed before, or the pointer is wrong"
						 : "the simulation is NULL");
}

static scree_code refuse_used(const scree_sim *handle, const char *function, const entry *by)
{
	if (!by)
		return refuse(handle, SCREE_IN_USE, function,
					  "another thread is using this simulation; only one thread at a time may do so");
	return refuse(handle, SCREE_IN_USE, function,
				  by->s->in_force ? "a function of forces may not call this (scree_force_fn in world.h)"
								  : "a function that this simulation calls must not use it");
}

static const entry *entry_of(const struct slot *slot)
{
	const entry *e = entered;
	while (e && e->slot != slot) e = e->outer;
	return e;
}

/* Enters an open simulation that no call is using. reads: whether a force function may also enter */
static scree_code enter(entry *e, const scree_sim *handle, const char *function, bool reads)
{
	const uintptr_t number = (uintptr_t)handle;
	struct slot *slot = slots + number % SLOTS;
	const uintptr_t count = number / SLOTS - FIRST;
	uintptr_t is = word_of(count, SLOT_OPEN);
	const bool free = handle && atomic_compare_exchange_strong_explicit(&slot->word, &is, word_of(count, SLOT_USED),
																		memory_order_acquire, memory_order_relaxed);
	if (!free && (!handle || is != word_of(count, SLOT_USED))) return refuse_closed(handle, function);
	const entry *by = free ? NULL : entry_of(slot);
	if (!free && !(by && by->s->in_force && reads)) return refuse_used(handle, function, by);
	*e = (entry){slot, (scree_sim *)~slot->inverted, count, !free, entered};
	entered = e;
	if (refused.handle == handle) refused.handle = NULL, *refused.sentence = 0;
	return SCREE_DONE;
}

static void leave_as(const entry *e, int state)
{
	entered = e->outer;
	if (!e->inner) atomic_store_explicit(&e->slot->word, word_of(e->count, state), memory_order_release);
}

static scree_code leave(const entry *e, scree_code code)
{
	leave_as(e, SLOT_OPEN);
	return code;
}

static scree_code refuse_null(const entry *e, const char *function)
{
	return scree_sim_refuse(e->s, "%s: a required pointer is NULL", function);
}

/* ------------------------------------------------------------------ opening and closing */

/* Searches slots in cyclic order, so that each is reused as late as possible. Returns NULL if all are taken. */
static scree_sim *handle_of(scree_sim *s)
{
	static atomic_uint next;
	for (int k = 0; k < SLOTS; ++k) {
		const unsigned at = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed) % SLOTS;
		uintptr_t is = atomic_load_explicit(&slots[at].word, memory_order_relaxed);
		const uintptr_t count = is / SLOT_STATES + 1;
		if (is % SLOT_STATES != SLOT_FREE ||
			!atomic_compare_exchange_strong_explicit(&slots[at].word, &is, word_of(count, SLOT_USED),
													 memory_order_acquire, memory_order_relaxed))
			continue;
		slots[at].inverted = ~(uintptr_t)s;
		atomic_store_explicit(&slots[at].word, word_of(count, SLOT_OPEN), memory_order_release);
		return (scree_sim *)((FIRST + count) * SLOTS + at);
	}
	return NULL;
}

static scree_sim *given(scree_sim *s, scree_problems **problems)
{
	scree_sim *handle = s ? handle_of(s) : NULL;
	if (handle || !s) return handle;
	fail why;
	scree_in_close(s);
	scree_fail(&why, FAIL_INPUT, "%d simulations are open: close some of them first", SLOTS);
	scree_problems_say(NULL, &why, problems);
	return NULL;
}

scree_sim *scree_sim_open(const scree_open_options *options, scree_problems **problems)
{
	return given(scree_in_open(options, false, problems), problems);
}

scree_sim *scree_sim_restore(const char *path, int threads, scree_problems **problems)
{
	return given(scree_in_restore(path, threads, false, problems), problems);
}

scree_sim *scree_ranks_open(const scree_open_options *options, scree_problems **problems)
{
	return given(scree_in_open(options, scree_ranks_have_begun(), problems), problems);
}

scree_sim *scree_ranks_restore(const char *path, int threads, scree_problems **problems)
{
	return given(scree_in_restore(path, threads, scree_ranks_have_begun(), problems), problems);
}

scree_code scree_sim_close(scree_sim *handle)
{
	entry e;
	if (!handle) return SCREE_DONE;
	scree_code code = enter(&e, handle, "scree_sim_close", false);
	if (code) return code;
	code = scree_in_close(e.s);
	leave_as(&e, SLOT_FREE);
	return code;
}

/* The error message of a call that could not enter a simulation belongs to this thread. */
const char *scree_sim_error(const scree_sim *handle)
{
	entry e;
	if (*refused.sentence && refused.handle == handle) return refused.sentence;
	if (enter(&e, handle, "scree_sim_error", true)) return refused.sentence;
	const char *sentence = e.s->why.text;
	leave(&e, SCREE_DONE);
	return sentence;
}

/* ------------------------------------------------------------------ the other functions */

#define CODE(name, inside, parameters, given, arguments)                                                               \
	scree_code name parameters                                                                                         \
	{                                                                                                                  \
		entry e;                                                                                                       \
		const scree_code code = enter(&e, handle, #name, false);                                                       \
		if (code) return code;                                                                                         \
		if (!(given)) return leave(&e, refuse_null(&e, #name));                                                        \
		if (e.s->broken) return leave(&e, e.s->broken);                                                                \
		if (setjmp(*scree_sim_begin_call(e.s))) return leave(&e, scree_sim_break_call(e.s));                           \
		return leave(&e, scree_sim_end_call(e.s, inside arguments));                                                   \
	}
#define PLAIN(reads, name, inside, parameters, given, arguments)                                                       \
	scree_code name parameters                                                                                         \
	{                                                                                                                  \
		entry e;                                                                                                       \
		const scree_code code = enter(&e, handle, #name, reads);                                                       \
		if (code) return code;                                                                                         \
		return leave(&e, (given) ? inside arguments : refuse_null(&e, #name));                                         \
	}
#define FOUND(type, none, name, inside, parameters, arguments)                                                         \
	type name parameters                                                                                               \
	{                                                                                                                  \
		entry e;                                                                                                       \
		if (enter(&e, handle, #name, false)) return none;                                                              \
		if (e.s->broken) return leave(&e, SCREE_DONE), none;                                                           \
		if (setjmp(*scree_sim_begin_call(e.s))) return leave(&e, scree_sim_break_call(e.s)), none;                     \
		type value = inside arguments;                                                                                 \
		leave(&e, scree_sim_end_call(e.s, SCREE_DONE));                                                                \
		return value;                                                                                                  \
	}
#define RETURN_VALUE(type, none, reads, name, parameters, work)                                                        \
	type name parameters                                                                                               \
	{                                                                                                                  \
		entry e;                                                                                                       \
		if (enter(&e, handle, #name, reads)) return none;                                                              \
		type value = work;                                                                                             \
		leave(&e, SCREE_DONE);                                                                                         \
		return value;                                                                                                  \
	}
#define VALUE(type, none, reads, name, inside, parameters, arguments)                                                  \
	RETURN_VALUE(type, none, reads, name, parameters, inside arguments)
#define MEMBER(type, none, name, value) RETURN_VALUE(type, none, true, name, (const scree_sim *handle), value)
#include "library/functions.h"

void scree_sim_gravity(const scree_sim *handle, double g[3])
{
	entry e;
	if (!g) return;
	g[0] = g[1] = g[2] = NAN;
	if (enter(&e, handle, "scree_sim_gravity", true)) return;
	put_vector(g, e.s->w->model.gravity);
	leave(&e, SCREE_DONE);
}
