/* handle: the functions that the headers declare for a simulation. Each of them enters the simulation, calls the
 * function of calls.h that does the work, and leaves it.
 *
 * A program does not hold the address of a simulation but a number in the form of a pointer: its slot in a table, and
 * the number of simulations that the slot has had. Each number is given once, so a simulation that was closed is
 * recognized, also after others were opened. A slot is entered by one compare-and-swap, which tests at once that the
 * simulation is open and that no call is using it. */
#include "scree/measures.h"

#include "library/internal.h"
#include "library/problems.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

enum { SLOTS = 1 << 16 };
static const uintptr_t FIRST = UINTPTR_MAX / SLOTS / 3; /* on machines with 64 bits no address begins like this */

enum { SLOT_FREE, SLOT_OPEN, SLOT_USED, SLOT_STATES };

/* A slot that is zero is free, and has had no simulation. */
static struct slot {
	_Atomic uintptr_t word; /* number of simulations so far, times SLOT_STATES, plus the state */
	/* The address with its bits inverted: tools that look for leaks must not find it here, or they would report no
	 * simulation that a program has lost. */
	uintptr_t inverted;
} slots[SLOTS];

static uintptr_t word_of(uintptr_t count, int state) { return count * SLOT_STATES + (uintptr_t)state; }

/* ------------------------------------------------------------------ entering and leaving */

/* A call in progress in this thread. */
typedef struct entry {
	struct slot *slot;
	scree_sim *s;
	uintptr_t count;
	bool inner; /* by a function of forces, while a step of the same simulation is in progress: nothing to leave */
	const struct entry *outer;
} entry;

static _Thread_local const entry *entered;

/* The last call of this thread that could not enter. */
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
				  handle ? "this is no open simulation: it was closed before, or the pointer is wrong"
						 : "the simulation is NULL");
}

static scree_code refuse_used(const scree_sim *handle, const char *function, const entry *by)
{
	if (!by)
		return refuse(handle, SCREE_IN_USE, function,
					  "another thread is in a call of this simulation, which one thread at a time may use");
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

/* Enters an open simulation that no call is using. reads: a function of forces may do it, too */
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

static void leave(const entry *e) { leave_as(e, SLOT_OPEN); }

static scree_code refuse_null(const entry *e, const char *function)
{
	return scree_sim_refuse(e->s, "%s: a pointer is NULL that must not be", function);
}

/* ------------------------------------------------------------------ opening and closing */

/* The slots are searched in turn, so that a slot is used again as late as possible. NULL: all are taken. */
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
	return given(scree_in_open(options, problems), problems);
}

scree_sim *scree_sim_restore(const char *path, int threads, scree_problems **problems)
{
	return given(scree_in_restore(path, threads, problems), problems);
}

scree_sim *scree_ranks_open(const scree_open_options *options, scree_problems **problems)
{
	return given(scree_in_ranks_open(options, problems), problems);
}

scree_sim *scree_ranks_restore(const char *path, int threads, scree_problems **problems)
{
	return given(scree_in_ranks_restore(path, threads, problems), problems);
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

/* The error message of a call that could not enter is that of this thread. */
const char *scree_sim_error(const scree_sim *handle)
{
	entry e;
	if (*refused.sentence && refused.handle == handle) return refused.sentence;
	if (enter(&e, handle, "scree_sim_error", true)) return refused.sentence;
	const char *sentence = scree_in_error(e.s);
	leave(&e);
	return sentence;
}

/* ------------------------------------------------------------------ the other functions */

/* A function that returns a code. given: the pointers that it needs */
#define CODE(name, parameters, given, call)                                                                            \
	scree_code name parameters                                                                                         \
	{                                                                                                                  \
		entry e;                                                                                                       \
		scree_code code = enter(&e, handle, #name, false);                                                             \
		if (code) return code;                                                                                         \
		code = (given) ? call : refuse_null(&e, #name);                                                                \
		leave(&e);                                                                                                     \
		return code;                                                                                                   \
	}

/* A function that returns a value: `none` if it cannot enter. reads: also a function of forces may call it */
#define VALUE(type, none, reads, name, parameters, call)                                                               \
	type name parameters                                                                                               \
	{                                                                                                                  \
		entry e;                                                                                                       \
		if (enter(&e, handle, #name, reads)) return none;                                                              \
		type value = call;                                                                                             \
		leave(&e);                                                                                                     \
		return value;                                                                                                  \
	}

#define NUMBER(name, call)		VALUE(double, NAN, true, name, (const scree_sim *handle), call)
#define COUNT(type, name, call) VALUE(type, -1, true, name, (const scree_sim *handle), call)
#define TEXT(name, call)		VALUE(const char *, "", false, name, (scree_sim * handle), call)

/* texts, files */
VALUE(const char *, NULL, true, scree_sim_title, (const scree_sim *handle), scree_in_title(e.s))
VALUE(const char *, "", true, scree_sim_resolved, (const scree_sim *handle), scree_in_resolved(e.s))
TEXT(scree_sim_notes, scree_in_notes(e.s))
VALUE(const char *, "", false, scree_sim_notes_until, (scree_sim * handle, double until),
	  scree_in_notes_until(e.s, until))
TEXT(scree_sim_summary, scree_in_summary(e.s))
TEXT(scree_sim_warnings, scree_in_warnings(e.s))
TEXT(scree_sim_closing, scree_in_closing(e.s))
TEXT(scree_sim_servos, scree_in_servos(e.s))
CODE(scree_sim_check, (scree_sim * handle, const char **text), text, scree_in_check(e.s, text))
CODE(scree_sim_bench, (scree_sim * handle, int64_t steps, int unsorted, const char **text), text,
	 scree_in_bench(e.s, steps, unsorted, text))
CODE(scree_sim_save, (scree_sim * handle, const char *path), path, scree_in_save(e.s, path))
CODE(scree_sim_render, (scree_sim * handle, const char *png, int sets, const char *const *set), png,
	 scree_in_render(e.s, png, sets, set))
CODE(scree_sim_export, (scree_sim * handle, const char *path), path, scree_in_export(e.s, path))

/* time */
CODE(scree_sim_step, (scree_sim * handle, int64_t steps), true, scree_in_step(e.s, steps))
CODE(scree_sim_run_until, (scree_sim * handle, double time), true, scree_in_run_until(e.s, time))
VALUE(int64_t, -1, true, scree_sim_steps_until, (const scree_sim *handle, double time), scree_in_steps_until(e.s, time))
NUMBER(scree_sim_time, scree_in_time(e.s))
VALUE(double, NAN, true, scree_sim_time_of, (const scree_sim *handle, int64_t step), scree_in_time_of(e.s, step))
COUNT(int64_t, scree_sim_steps, scree_in_steps(e.s))
NUMBER(scree_sim_step_length, scree_in_step_length(e.s))
NUMBER(scree_sim_safe_step, scree_in_safe_step(e.s))
CODE(scree_sim_set_step_length, (scree_sim * handle, double seconds), true, scree_in_set_step_length(e.s, seconds))
NUMBER(scree_sim_until, scree_in_until(e.s))
CODE(scree_sim_change_plan, (scree_sim * handle, int sets, const char *const *set, scree_problems **problems),
	 set || sets < 1, scree_in_change_plan(e.s, sets, set, problems))
NUMBER(scree_sim_seconds, scree_in_seconds(e.s))
COUNT(int, scree_sim_stages, scree_in_stages(e.s))
COUNT(int, scree_sim_stage, scree_in_stage(e.s))
VALUE(int, 0, true, scree_sim_is_late, (const scree_sim *handle), scree_in_is_late(e.s))
VALUE(const char *, NULL, true, scree_sim_stage_name, (const scree_sim *handle, int stage),
	  scree_in_stage_name(e.s, stage))
CODE(scree_sim_progress, (scree_sim * handle, scree_progress_row *out), out, scree_in_progress(e.s, out))

/* bodies */
COUNT(int, scree_sim_arrays, scree_in_arrays(e.s))
CODE(scree_sim_array_at, (scree_sim * handle, int column, scree_array *out), out, scree_in_array_at(e.s, column, out))
CODE(scree_sim_array, (scree_sim * handle, const char *name, scree_array *out), out, scree_in_array(e.s, name, out))
VALUE(uint64_t, 0, true, scree_sim_epoch, (const scree_sim *handle), scree_in_epoch(e.s))
CODE(scree_sim_changing, (scree_sim * handle), true, scree_in_changing(e.s))
CODE(scree_sim_changed, (scree_sim * handle, int what), true, scree_in_changed(e.s, what))
COUNT(int64_t, scree_sim_bodies, scree_in_bodies(e.s))
VALUE(int64_t, -1, false, scree_sim_row, (scree_sim * handle, uint64_t id), scree_in_row(e.s, id))
VALUE(const char *, NULL, true, scree_sim_shape_name, (const scree_sim *handle, int k), scree_in_shape_name(e.s, k))
CODE(scree_sim_add, (scree_sim * handle, int64_t count, const scree_body *body, uint64_t *first_id), true,
	 scree_in_add(e.s, count, body, first_id))
CODE(scree_sim_remove, (scree_sim * handle, int64_t count, const uint64_t *id), true, scree_in_remove(e.s, count, id))
CODE(scree_sim_place,
	 (scree_sim * handle, uint64_t id, const double position[3], const double orientation[4], const double velocity[3],
	  const double angular_velocity[3]),
	 true, scree_in_place(e.s, id, position, orientation, velocity, angular_velocity))

/* contacts, forces, walls */
VALUE(int, 0, false, scree_sim_next_contact, (scree_sim * handle, scree_cursor *at, scree_contact *out),
	  at &&out ? scree_in_next_contact(e.s, at, out) : (refuse_null(&e, "scree_sim_next_contact"), 0))
CODE(scree_sim_on_force, (scree_sim * handle, scree_force_fn *force, void *context), true,
	 scree_in_on_force(e.s, force, context))
CODE(scree_sim_set_force, (scree_sim * handle, uint64_t id, const double force[3], const double torque[3]), true,
	 scree_in_set_force(e.s, id, force, torque))
COUNT(int, scree_sim_walls, scree_in_walls(e.s))
VALUE(int, -1, true, scree_sim_find_wall, (const scree_sim *handle, const char *name), scree_in_find_wall(e.s, name))
CODE(scree_sim_wall, (scree_sim * handle, int wall, scree_wall *out), true, scree_in_wall(e.s, wall, out))
CODE(scree_sim_move_wall, (scree_sim * handle, int wall, const double velocity[3], const double angular_velocity[3]),
	 true, scree_in_move_wall(e.s, wall, velocity, angular_velocity))
CODE(scree_sim_wall_forces, (scree_sim * handle, double *force), force, scree_in_wall_forces(e.s, force))

/* gravity, materials, the cell */
CODE(scree_sim_set_gravity, (scree_sim * handle, const double g[3]), g, scree_in_set_gravity(e.s, g))
VALUE(const char *, NULL, true, scree_sim_material_name, (const scree_sim *handle, int k),
	  scree_in_material_name(e.s, k))
CODE(scree_sim_set_material, (scree_sim * handle, const char *material, const char *property, double value), true,
	 scree_in_set_material(e.s, material, property, value))
CODE(scree_sim_set_contact_rule, (scree_sim * handle, const char *a, const char *b, const char *property, double value),
	 true, scree_in_set_contact_rule(e.s, a, b, property, value))
CODE(scree_sim_cell, (scree_sim * handle, scree_cell *out), out, scree_in_cell(e.s, out))
CODE(scree_sim_set_cell, (scree_sim * handle, const scree_cell *to), true, scree_in_set_cell(e.s, to))

void scree_sim_gravity(const scree_sim *handle, double g[3])
{
	entry e;
	if (!g) return;
	g[0] = g[1] = g[2] = NAN;
	if (enter(&e, handle, "scree_sim_gravity", true)) return;
	scree_in_gravity(e.s, g);
	leave(&e);
}

scree_code scree_sim_material(scree_sim *handle, const char *material, const char *property, double *value)
{
	entry e;
	scree_code code = enter(&e, handle, "scree_sim_material", true);
	if (code) return code;
	code = value ? scree_in_material(e.s, material, property, value) : refuse_null(&e, "scree_sim_material");
	leave(&e);
	return code;
}

scree_code scree_sim_contact_rule(scree_sim *handle, const char *a, const char *b, const char *property, double *value)
{
	entry e;
	scree_code code = enter(&e, handle, "scree_sim_contact_rule", true);
	if (code) return code;
	code = value ? scree_in_contact_rule(e.s, a, b, property, value) : refuse_null(&e, "scree_sim_contact_rule");
	leave(&e);
	return code;
}

/* energies, the state as a whole, measures */
CODE(scree_sim_ledger, (scree_sim * handle, scree_ledger *out), out, scree_in_ledger(e.s, out))
CODE(scree_sim_guards, (scree_sim * handle, scree_guards *out), out, scree_in_guards(e.s, out))
CODE(scree_sim_stress, (scree_sim * handle, double stress[6]), stress, scree_in_stress(e.s, stress))
VALUE(uint64_t, 0, false, scree_sim_hash, (scree_sim * handle), scree_in_hash(e.s))
CODE(scree_sim_measure, (scree_sim * handle, scree_measures *out), out, scree_in_measure(e.s, out))

/* outputs, ranks */
CODE(scree_sim_outputs_open, (scree_sim * handle, const scree_outputs_options *options), true,
	 scree_in_outputs_open(e.s, options))
VALUE(int64_t, -1, false, scree_sim_outputs_next, (const scree_sim *handle, int64_t most),
	  scree_in_outputs_next(e.s, most))
CODE(scree_sim_outputs_write, (scree_sim * handle), true, scree_in_outputs_write(e.s))
CODE(scree_sim_outputs_finish, (scree_sim * handle), true, scree_in_outputs_finish(e.s))
CODE(scree_sim_outputs_close, (scree_sim * handle), true, scree_in_outputs_close(e.s))
CODE(scree_sim_outputs, (scree_sim * handle, scree_outputs *out), out, scree_in_outputs(e.s, out))
CODE(scree_sim_outputs_files, (scree_sim * handle, int64_t *count, const scree_file **file), count &&file,
	 scree_in_outputs_files(e.s, count, file))
CODE(scree_ranks_divide, (scree_sim * handle, const char *partition), true, scree_in_ranks_divide(e.s, partition))
