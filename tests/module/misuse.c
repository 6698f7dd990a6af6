/* Misuse of the handle by a C program: each call returns a code or a value that reports the misuse, without crashing
 * or changing the simulation. The same program is run under sanitizers (./dev test asan, tsan). */
#include "module/library_help.h"

#include "scree/language.h"
#include "scree/measures.h"
#include "scree/outputs.h"
#include "scree/print.h"
#include "scree/ranks.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static const char scene[] = LIBRARY_BALL "run: {until: 1 s, step: {time: 10 us}}\n";

static bool says(const scree_sim *s, const char *words) { return strstr(scree_sim_error(s), words) != NULL; }

/* ------------------------------------------------------------------ handles that are not an open simulation */

/* Every function returns its documented code or value if there is no simulation. */
static void refuses_all(scree_sim *s, const char *which)
{
	double v[6] = {0}, lone = 0;
	const char *text;
	scree_progress_row row;
	scree_array array;
	scree_cursor at = {0};
	scree_contact contact;
	scree_wall wall;
	scree_cell cell = {0};
	scree_ledger ledger;
	scree_guards guards;
	scree_measures measures;
	scree_outputs out;
	const scree_file *file;
	int64_t count;
	uint64_t id = 1;
	const char *set[] = {"run.until=2 s"};
	const scree_code code[] = {
		scree_sim_save(s, "/tmp/never.snap"),
		scree_sim_check(s, &text),
		scree_sim_bench(s, 10, 0, &text),
		scree_sim_step(s, 1),
		scree_sim_run_until(s, 1),
		scree_sim_set_step_length(s, 1e-6),
		scree_sim_change_plan(s, 1, set, NULL),
		scree_sim_progress(s, &row),
		scree_sim_array_at(s, 0, &array),
		scree_sim_array(s, "x", &array),
		scree_sim_changing(s),
		scree_sim_changed(s, SCREE_POSITIONS),
		scree_sim_add(s, 1, &(scree_body){.shape = "ball", .material = "m", .size = 1e-3}, NULL),
		scree_sim_remove(s, 1, &id),
		scree_sim_place(s, 1, v, NULL, NULL, NULL),
		scree_sim_on_force(s, NULL, NULL),
		scree_sim_set_force(s, 1, v, v),
		scree_sim_wall(s, 0, &wall),
		scree_sim_move_wall(s, 0, v, v),
		scree_sim_set_gravity(s, v),
		scree_sim_material(s, "m", "young", &lone),
		scree_sim_set_material(s, "m", "young", 1e6),
		scree_sim_contact_rule(s, "m", "m", "friction", &lone),
		scree_sim_set_contact_rule(s, "m", "m", "friction", 0.1),
		scree_sim_cell(s, &cell),
		scree_sim_set_cell(s, &cell),
		scree_sim_ledger(s, &ledger),
		scree_sim_guards(s, &guards),
		scree_sim_stress(s, v),
		scree_sim_render(s, "/tmp/never.png", 0, NULL),
		scree_sim_export(s, "/tmp/never.vtp"),
		scree_sim_measure(s, &measures),
		scree_sim_wall_forces(s, v),
		scree_sim_outputs_open(s, NULL),
		scree_sim_outputs_write(s),
		scree_sim_outputs_finish(s),
		scree_sim_outputs_close(s),
		scree_sim_outputs(s, &out),
		scree_sim_outputs_files(s, &count, &file),
		scree_ranks_divide(s, NULL),
	};
	for (size_t k = 0; k < sizeof code / sizeof *code; ++k)
		CHECK(code[k] == SCREE_BAD_INPUT, "%s: call %d returns %d", which, (int)k, (int)code[k]);
	const double number[] = {scree_sim_time(s),		 scree_sim_time_of(s, 3), scree_sim_step_length(s),
							 scree_sim_safe_step(s), scree_sim_until(s),	  scree_sim_seconds(s)};
	for (size_t k = 0; k < sizeof number / sizeof *number; ++k) CHECK(isnan(number[k]), "%s: number %d", which, (int)k);
	const int64_t whole[] = {scree_sim_steps_until(s, 1), scree_sim_steps(s),  scree_sim_stages(s),
							 scree_sim_stage(s),		  scree_sim_arrays(s), scree_sim_bodies(s),
							 scree_sim_row(s, 1),		  scree_sim_walls(s),  scree_sim_find_wall(s, "floor"),
							 scree_sim_outputs_next(s, 5)};
	for (size_t k = 0; k < sizeof whole / sizeof *whole; ++k) CHECK(whole[k] == -1, "%s: count %d", which, (int)k);
	CHECK(!scree_sim_hash(s) && !scree_sim_epoch(s) && !scree_sim_next_contact(s, &at, &contact), "%s: zeros", which);
	CHECK(!scree_sim_title(s) && !scree_sim_stage_name(s, 0) && !scree_sim_shape_name(s, 0) &&
			  !scree_sim_material_name(s, 0),
		  "%s: names", which);
	CHECK(!*scree_sim_resolved(s) && !*scree_sim_notes(s) && !*scree_sim_notes_until(s, 1) && !*scree_sim_summary(s) &&
			  !*scree_sim_warnings(s) && !*scree_sim_closing(s),
		  "%s: texts", which);
	v[2] = 7;
	scree_sim_gravity(s, v);
	CHECK(isnan(v[2]), "%s: gravity", which);
}

static void null_is_refused(void **state)
{
	(void)state;
	refuses_all(NULL, "NULL");
	CHECK(scree_sim_step(NULL, 1) == SCREE_BAD_INPUT && says(NULL, "scree_sim_step: the simulation is NULL"), "%s",
		  scree_sim_error(NULL));
	CHECK(scree_sim_close(NULL) == SCREE_DONE, "to close none is no mistake");
}

static void a_closed_simulation_is_refused(void **state)
{
	(void)state;
	scree_sim *s = library_text(scene);
	CHECK(scree_sim_close(s) == SCREE_DONE, "the first time");
	refuses_all(s, "closed");
	CHECK(scree_sim_close(s) == SCREE_BAD_INPUT && says(s, "closed before"), "%s", scree_sim_error(s));
}

/* Another simulation may have been opened at the same address in the meantime. */
static void it_is_not_taken_for_another(void **state)
{
	enum { OTHERS = 20 };
	(void)state;
	scree_sim *old = library_text(scene), *other[OTHERS];
	scree_sim_close(old);
	for (int k = 0; k < OTHERS; ++k) {
		other[k] = library_text(scene);
		CHECK(other[k] != old, "a number is given once");
		CHECK(scree_sim_close(old) == SCREE_BAD_INPUT && scree_sim_step(old, 1) == SCREE_BAD_INPUT, "after %d others",
			  k);
		if (k % 2) scree_sim_close(other[k]);
	}
	refuses_all(old, "closed before others");
	for (int k = 0; k < OTHERS; k += 2) {
		CHECK(scree_sim_steps(other[k]) == 0 && !scree_sim_step(other[k], 1), "others are as they were");
		scree_sim_close(other[k]);
	}
}

static void a_wrong_pointer_is_refused(void **state)
{
	(void)state;
	int on_the_stack = 5;
	scree_problems *problems;
	CHECK(!scree_sim_open(&(scree_open_options){.text = "scene: 2"}, &problems), "no scene");
	refuses_all((scree_sim *)&on_the_stack, "the stack");
	refuses_all((scree_sim *)problems, "problems");
	refuses_all((scree_sim *)(uintptr_t)1, "1");
	refuses_all((scree_sim *)UINTPTR_MAX, "all bits");
	CHECK(scree_sim_close((scree_sim *)problems) == SCREE_BAD_INPUT, "problems are not closed");
	scree_problems_free(problems);
	scree_sim *s = library_text(scene);
	refuses_all((scree_sim *)((uintptr_t)s + 1), "next to one");
	refuses_all((scree_sim *)((uintptr_t)s - 1), "before one");
	LIBRARY_DO(s, scree_sim_step(s, 1));
	scree_sim_close(s);
}

/* ------------------------------------------------------------------ NULL where a value is needed */

static void null_arguments_are_refused(void **state)
{
	(void)state;
	scree_sim *s = library_text(scene);
	double lone;
	scree_contact contact;
	scree_cursor at = {0};
	const scree_file *file;
	int64_t count;
	const uint64_t hash = scree_sim_hash(s);
	const scree_code code[] = {
		scree_sim_save(s, NULL),
		scree_sim_check(s, NULL),
		scree_sim_bench(s, 10, 0, NULL),
		scree_sim_change_plan(s, 1, NULL, NULL),
		scree_sim_progress(s, NULL),
		scree_sim_array_at(s, 0, NULL),
		scree_sim_array(s, "x", NULL),
		scree_sim_array(s, NULL, &(scree_array){0}),
		scree_sim_add(s, 1, NULL, NULL),
		scree_sim_add(s, 1, &(scree_body){0}, NULL),
		scree_sim_remove(s, 1, NULL),
		scree_sim_wall(s, 0, NULL),
		scree_sim_set_gravity(s, NULL),
		scree_sim_material(s, "m", "young", NULL),
		scree_sim_material(s, NULL, "young", &lone),
		scree_sim_material(s, "m", NULL, &lone),
		scree_sim_set_material(s, NULL, NULL, 1),
		scree_sim_contact_rule(s, "m", "m", "friction", NULL),
		scree_sim_contact_rule(s, NULL, NULL, NULL, &lone),
		scree_sim_set_contact_rule(s, NULL, NULL, NULL, 1),
		scree_sim_cell(s, NULL),
		scree_sim_set_cell(s, NULL),
		scree_sim_ledger(s, NULL),
		scree_sim_guards(s, NULL),
		scree_sim_stress(s, NULL),
		scree_sim_render(s, NULL, 0, NULL),
		scree_sim_render(s, "/tmp/never.png", 1, NULL),
		scree_sim_export(s, NULL),
		scree_sim_measure(s, NULL),
		scree_sim_wall_forces(s, NULL),
		scree_sim_outputs(s, NULL),
		scree_sim_outputs_files(s, NULL, &file),
		scree_sim_outputs_files(s, &count, NULL),
		scree_list(NULL, NULL),
		scree_explain("run.step", NULL),
		scree_schema(NULL),
		scree_ranks_greatest(1, NULL),
		scree_ranks_greatest(-1, &lone),
	};
	for (size_t k = 0; k < sizeof code / sizeof *code; ++k)
		CHECK(code[k] == SCREE_BAD_INPUT, "call %d returns %d", (int)k, (int)code[k]);
	CHECK(!scree_sim_next_contact(s, NULL, &contact) && says(s, "scree_sim_next_contact") &&
			  !scree_sim_next_contact(s, &at, NULL),
		  "%s", scree_sim_error(s));
	CHECK(scree_sim_find_wall(s, NULL) == -1, "no name");
	scree_sim_gravity(s, NULL);
	CHECK(!scree_sim_open(NULL, NULL) && !scree_sim_restore(NULL, 0, NULL), "nothing to open");
	CHECK(!scree_problems_count(NULL) && !*scree_problems_text(NULL) && scree_problems_code(NULL) == SCREE_FILES,
		  "no problems");
	scree_problems_free(NULL);
	scree_text_free(NULL);
	scree_print_text(NULL, "x");
	CHECK(scree_sim_hash(s) == hash, "nothing has changed");
	scree_sim_close(s);
}

static void other_endings_are_refused(void **state)
{
	static const char *const wrong[] = {"/tmp/x.gif", "/tmp/x.jpeg", "/tmp/x.png.", "/tmp/a.svg.gz", "/tmp/"};
	char path[300];
	(void)state;
	scree_sim *s = library_text(scene);
	for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
		CHECK(scree_sim_render(s, wrong[k], 0, NULL) == SCREE_BAD_INPUT &&
				  scree_sim_export(s, wrong[k]) == SCREE_BAD_INPUT,
			  "%s", wrong[k]);
		CHECK(access(wrong[k], F_OK) || k == 4, "%s was written", wrong[k]);
	}
	CHECK(scree_sim_render(s, wrong[0], 0, NULL) && says(s, ".png, .svg or .pdf, not '.gif'"), "%s",
		  scree_sim_error(s));
	CHECK(scree_sim_export(s, wrong[0]) && says(s, "ends in .vtp, not '.gif'"), "%s", scree_sim_error(s));
	snprintf(path, sizeof path, "%s/misuse_%ld.VTP", SCREE_BINARY, (long)getpid());
	LIBRARY_DO(s, scree_sim_export(s, path));
	unlink(path);
	scree_sim_close(s);
}

/* ------------------------------------------------------------------ functions of forces */

typedef struct calls {
	scree_sim *s;
	int made;
	double time;
	uint64_t other; /* hash */
} calls;

/* All calls except those that only read values. */
static void misuse(const scree_force_rows *r, void *context)
{
	calls *c = context;
	scree_sim *s = c->s;
	double v[3] = {0};
	uint64_t id = r->id[0];
	scree_array array;
	scree_ledger ledger;
	scree_cursor at = {0};
	scree_contact contact;
	if (c->made++ != 3) return;
	const scree_code code[] = {
		scree_sim_close(s),
		scree_sim_step(s, 1),
		scree_sim_run_until(s, 1),
		scree_sim_save(s, "/tmp/never.snap"),
		scree_sim_remove(s, 1, &id),
		scree_sim_add(s, 1, &(scree_body){.shape = "ball", .material = "m", .size = 1e-3}, NULL),
		scree_sim_place(s, id, v, NULL, NULL, NULL),
		scree_sim_array(s, "x", &array),
		scree_sim_changed(s, SCREE_POSITIONS),
		scree_sim_on_force(s, NULL, NULL),
		scree_sim_set_force(s, id, v, v),
		scree_sim_move_wall(s, 0, v, v),
		scree_sim_set_gravity(s, v),
		scree_sim_set_step_length(s, 1e-6),
		scree_sim_ledger(s, &ledger),
		scree_sim_outputs_open(s, NULL),
	};
	for (size_t k = 0; k < sizeof code / sizeof *code; ++k)
		CHECK(code[k] == SCREE_IN_USE, "call %d returns %d", (int)k, (int)code[k]);
	CHECK(says(s, "a function of forces may not call this"), "%s", scree_sim_error(s));
	CHECK(!scree_sim_hash(s) && !scree_sim_next_contact(s, &at, &contact) && scree_sim_row(s, id) == -1, "values");
}

static void read_values(const scree_force_rows *r, void *context)
{
	calls *c = context;
	scree_sim *s = c->s;
	double g[3], young;
	c->made += 1;
	c->time = scree_sim_time(s);
	CHECK(scree_sim_bodies(s) == r->rows && scree_sim_walls(s) == 1 && scree_sim_find_wall(s, "floor") == 0, "counts");
	CHECK(scree_sim_step_length(s) == 10e-6 && scree_sim_until(s) == 1 && scree_sim_steps_until(s, 1) > 0, "times");
	CHECK(!strcmp(scree_sim_shape_name(s, 0), "ball") && !scree_sim_shape_name(s, 1), "shapes");
	CHECK(!strcmp(scree_sim_material_name(s, 0), "m") && !scree_sim_material_name(s, 1), "materials");
	LIBRARY_DO(s, scree_sim_material(s, "m", "young", &young));
	scree_sim_gravity(s, g);
	CHECK(young == 1e6 && fabs(g[2] + 9.81) < 0.01, "values of the scene");
}

/* A second simulation may be used at the same time. */
static void open_another(const scree_force_rows *r, void *context)
{
	calls *c = context;
	(void)r;
	if (c->made++ != 3) return;
	scree_sim *other = library_text(scene);
	LIBRARY_DO(other, scree_sim_step(other, 100));
	c->other = scree_sim_hash(other);
	CHECK(scree_sim_close(other) == SCREE_DONE, "another is closed");
}

static uint64_t hash_with(scree_force_fn *force, calls *c)
{
	c->s = library_text(scene);
	LIBRARY_DO(c->s, scree_sim_on_force(c->s, force, c));
	LIBRARY_DO(c->s, scree_sim_step(c->s, 100));
	const uint64_t hash = scree_sim_hash(c->s);
	CHECK(scree_sim_steps(c->s) == 100, "all steps");
	LIBRARY_DO(c->s, scree_sim_close(c->s));
	return hash;
}

static void functions_of_forces_may_only_read(void **state)
{
	calls none = {0}, wrong = {0}, reading = {0}, another = {0};
	(void)state;
	scree_sim *s = library_text(scene);
	LIBRARY_DO(s, scree_sim_step(s, 100));
	const uint64_t plain = scree_sim_hash(s);
	scree_sim_close(s);
	CHECK(hash_with(NULL, &none) == plain, "without a function");
	CHECK(hash_with(misuse, &wrong) == plain && wrong.made > 3, "misuse changes nothing");
	CHECK(hash_with(read_values, &reading) == plain && reading.made >= 100 && reading.time > 9e-4,
		  "reading is allowed");
	CHECK(hash_with(open_another, &another) == plain && another.other == plain, "so is another simulation");
}

/* ------------------------------------------------------------------ callbacks from the program */

static void use_while_saving(const char *sentence, void *context)
{
	calls *c = context;
	CHECK(strstr(sentence, "constant forces"), "%s", sentence);
	c->made += 1;
	CHECK(isnan(scree_sim_time(c->s)) && scree_sim_close(c->s) == SCREE_IN_USE &&
			  says(c->s, "a function that this simulation calls must not use it"),
		  "%s", scree_sim_error(c->s));
}

static void the_log_uses_nothing(void **state)
{
	const double force[3] = {0, 0, 1e-6};
	char path[300];
	(void)state;
	snprintf(path, sizeof path, "%s/misuse_%ld.snap", SCREE_BINARY, (long)getpid());
	calls c = {.s = library_text(scene)};
	LIBRARY_DO(c.s, scree_sim_set_force(c.s, 1, force, NULL));
	scree_on_log(use_while_saving, &c);
	LIBRARY_DO(c.s, scree_sim_save(c.s, path));
	scree_on_log(NULL, NULL);
	CHECK(c.made == 1 && scree_sim_time(c.s) == 0, "it was called once, and the simulation is free");
	unlink(path);
	LIBRARY_DO(c.s, scree_sim_close(c.s));
}

/* ------------------------------------------------------------------ threads */

static void wait_a_little(void) { nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL); }

typedef struct sharing {
	scree_sim *s;
	atomic_int begun;
	int64_t made, refused;
} sharing;

enum { CALLS = 200, EACH = 3 };

static void *step_often(void *of)
{
	sharing *o = of;
	for (int k = 0; k < CALLS; ++k) {
		const scree_code code = scree_sim_step(o->s, EACH);
		if (code == SCREE_DONE) o->made += EACH;
		if (code == SCREE_IN_USE) o->refused += 1;
		CHECK(code == SCREE_DONE || (code == SCREE_IN_USE && says(o->s, "another thread")), "%d", (int)code);
	}
	return NULL;
}

/* Refused calls make no steps; all other calls do. */
static void threads_lose_no_steps(void **state)
{
	enum { THREADS = 4 };
	pthread_t thread[THREADS];
	sharing of[THREADS];
	int64_t made = 0, calls = 0;
	(void)state;
	scree_sim *s = library_text(scene);
	for (int k = 0; k < THREADS; ++k) {
		of[k] = (sharing){.s = s};
		pthread_create(thread + k, NULL, step_often, of + k);
	}
	for (int k = 0; k < THREADS; ++k) {
		pthread_join(thread[k], NULL);
		made += of[k].made;
		calls += of[k].made / EACH + of[k].refused;
	}
	CHECK(calls == THREADS * CALLS && made > 0 && scree_sim_steps(s) == made, "%lld steps of %lld",
		  (long long)scree_sim_steps(s), (long long)made);
	scree_sim *other = library_text(scene);
	LIBRARY_DO(other, scree_sim_step(other, made));
	CHECK(scree_sim_hash(s) == scree_sim_hash(other), "the same bits");
	scree_sim_close(other);
	scree_sim_close(s);
}

/* The force function blocks the step until the other thread has attempted its calls. */
static void hold(const scree_force_rows *r, void *context)
{
	sharing *o = context;
	(void)r;
	if (atomic_load(&o->begun)) return;
	atomic_store(&o->begun, 1);
	while (atomic_load(&o->begun) == 1) wait_a_little();
}

static void *step_once(void *of)
{
	sharing *o = of;
	LIBRARY_DO(o->s, scree_sim_step(o->s, 20));
	return NULL;
}

static void another_thread_is_refused(void **state)
{
	pthread_t thread;
	scree_array array;
	scree_guards guards;
	uint64_t id = 1;
	(void)state;
	sharing o = {.s = library_text(scene)};
	LIBRARY_DO(o.s, scree_sim_step(o.s, 1));
	atomic_store(&o.begun, 2); /* setting the force function calls it once */
	LIBRARY_DO(o.s, scree_sim_on_force(o.s, hold, &o));
	atomic_store(&o.begun, 0);
	pthread_create(&thread, NULL, step_once, &o);
	while (!atomic_load(&o.begun)) wait_a_little();
	CHECK(scree_sim_close(o.s) == SCREE_IN_USE && says(o.s, "another thread"), "close: %s", scree_sim_error(o.s));
	CHECK(scree_sim_step(o.s, 1) == SCREE_IN_USE && scree_sim_remove(o.s, 1, &id) == SCREE_IN_USE &&
			  scree_sim_array(o.s, "x", &array) == SCREE_IN_USE && scree_sim_guards(o.s, &guards) == SCREE_IN_USE &&
			  scree_sim_save(o.s, "/tmp/never.snap") == SCREE_IN_USE,
		  "%s", scree_sim_error(o.s));
	CHECK(isnan(scree_sim_time(o.s)) && scree_sim_steps(o.s) == -1 && !scree_sim_hash(o.s), "values");
	atomic_store(&o.begun, 2);
	pthread_join(thread, NULL);
	CHECK(scree_sim_steps(o.s) == 21 && scree_sim_time(o.s) > 0 && !*scree_sim_error(o.s), "it is free then: %s",
		  scree_sim_error(o.s));
	LIBRARY_DO(o.s, scree_sim_close(o.s));
}

static void *close_it(void *of)
{
	sharing *o = of;
	o->refused = scree_sim_close(o->s) != SCREE_DONE;
	return NULL;
}

/* If several threads close the simulation, only one of them succeeds. */
static void one_thread_closes(void **state)
{
	enum { THREADS = 4 };
	(void)state;
	for (int round = 0; round < 20; ++round) {
		pthread_t thread[THREADS];
		sharing of[THREADS];
		int64_t refused = 0;
		scree_sim *s = library_text(scene);
		for (int k = 0; k < THREADS; ++k) {
			of[k] = (sharing){.s = s};
			pthread_create(thread + k, NULL, close_it, of + k);
		}
		for (int k = 0; k < THREADS; ++k) {
			pthread_join(thread[k], NULL);
			refused += of[k].refused;
		}
		CHECK(refused == THREADS - 1 && scree_sim_step(s, 1) == SCREE_BAD_INPUT, "%d refused", (int)refused);
	}
}

static void *open_and_step(void *of)
{
	sharing *o = of;
	for (int k = 0; k < 20; ++k) {
		scree_sim *s = library_text(scene);
		LIBRARY_DO(s, scree_sim_step(s, 10));
		o->made += scree_sim_steps(s);
		LIBRARY_DO(s, scree_sim_close(s));
		CHECK(scree_sim_close(s) == SCREE_BAD_INPUT, "twice");
	}
	return NULL;
}

/* Correct use: each thread has its own simulations, or threads use one alternately. */
static void threads_may_have_their_own(void **state)
{
	enum { THREADS = 4 };
	pthread_t thread[THREADS];
	sharing of[THREADS];
	(void)state;
	for (int k = 0; k < THREADS; ++k) {
		of[k] = (sharing){0};
		pthread_create(thread + k, NULL, open_and_step, of + k);
	}
	for (int k = 0; k < THREADS; ++k) {
		pthread_join(thread[k], NULL);
		CHECK(of[k].made == 200, "%lld steps", (long long)of[k].made);
	}
	sharing turn = {.s = library_text(scene)};
	for (int k = 0; k < THREADS; ++k) {
		pthread_create(thread, NULL, step_once, &turn);
		pthread_join(*thread, NULL);
	}
	CHECK(scree_sim_steps(turn.s) == 20 * THREADS, "in turns");
	scree_sim_close(turn.s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(null_is_refused),
		cmocka_unit_test(a_closed_simulation_is_refused),
		cmocka_unit_test(it_is_not_taken_for_another),
		cmocka_unit_test(a_wrong_pointer_is_refused),
		cmocka_unit_test(null_arguments_are_refused),
		cmocka_unit_test(other_endings_are_refused),
		cmocka_unit_test(functions_of_forces_may_only_read),
		cmocka_unit_test(the_log_uses_nothing),
		cmocka_unit_test(threads_lose_no_steps),
		cmocka_unit_test(another_thread_is_refused),
		cmocka_unit_test(one_thread_closes),
		cmocka_unit_test(threads_may_have_their_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
