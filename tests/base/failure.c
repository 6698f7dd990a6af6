/* Running out of memory and internal errors are reported to the caller, whether they occur in its own thread or in a
 * helper thread, during a step or in a public function; all memory is freed. */
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "format/snapshot.h"
#include "kernel/quat.h"
#include "lab.h"
#include "scree/outputs.h"

static struct heard {
	int calls, code;
	char text[400];
} heard;

static void hear(int code, const char *sentence, void *context)
{
	struct heard *h = context;
	++h->calls;
	h->code = code;
	snprintf(h->text, sizeof h->text, "%s", sentence);
}

static int listen(void **state)
{
	(void)state;
	memset(&heard, 0, sizeof heard);
	scree_failure_handler(hear, &heard);
	return 0;
}

static int be_quiet(void **state)
{
	(void)state;
	scree_memory_refuse(-1);
	scree_set_threads(0);
	scree_failure_handler(NULL, NULL);
	return 0;
}

static void count(void *what) { ++*(int *)what; }

static void assert_no(void *what)
{
	(void)what;
	SCREE_ASSERT(1 > 2);
}

static void a_fault_comes_back(void **state)
{
	(void)state;
	int calls = 0;
	fail why;
	CHECK(scree_attempt(count, &calls, &why) && calls == 1 && !heard.calls, "what does not break comes to its end");
	CHECK(!scree_attempt(assert_no, NULL, &why), "the fault is seen");
	CHECK(why.code == FAIL_INTERNAL && strstr(why.text, "tests/base/failure.c") && strstr(why.text, "1 > 2"), "%s",
		  why.text);
	CHECK(heard.calls == 1 && heard.code == 70 && !strcmp(heard.text, why.text), "the handler heard '%s'", heard.text);
}

typedef struct inner {
	attempt_fn *work;
	bool whole, again;
	fail why;
} inner;

static void attempt_inside(void *what)
{
	inner *i = what;
	i->whole = scree_attempt(i->work, NULL, &i->why);
	if (i->again) scree_break_again(&i->why);
}

static void the_innermost_attempt_gets_it(void **state)
{
	(void)state;
	inner i = {.work = assert_no};
	fail why;
	CHECK(scree_attempt(attempt_inside, &i, &why), "the outer one goes on");
	CHECK(!i.whole && i.why.code == FAIL_INTERNAL, "the inner one has it");
	i.again = true;
	CHECK(!scree_attempt(attempt_inside, &i, &why) && !strcmp(why.text, i.why.text), "handed on: %s", why.text);
	CHECK(heard.calls == 2, "the handler hears of each once, not %d times", heard.calls);
}

/* the process ends with SIGABRT and prints the error message to stderr */
static void without_an_attempt_it_aborts(void **state)
{
	(void)state;
	int out[2], status;
	char said[4000] = "";
	scree_failure_handler(NULL, NULL);
	assert_int_equal(pipe(out), 0);
	pid_t child = fork();
	if (child == 0) {
		const struct rlimit none = {0, 0};
		setrlimit(RLIMIT_CORE, &none);
		signal(SIGABRT, SIG_DFL);
		dup2(out[1], STDERR_FILENO);
		assert_no(NULL);
		_exit(0);
	}
	close(out[1]);
	waitpid(child, &status, 0);
	CHECK(read(out[0], said, sizeof said - 1) > 0 && strstr(said, "scree: internal error at "), "said: %s", said);
	close(out[0]);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "status %x", (unsigned)status);
}

static void take_too_much(void *what)
{
	(void)what;
	scree_free(scree_alloc(SIZE_MAX / 2 + 1, 1)); /* larger than the address space, so malloc is not called */
}

static void take_sizes_that_overflow(void *what)
{
	(void)what;
	scree_free(scree_alloc(SIZE_MAX / 4, 8));
}

static void memory_that_is_not_there(void **state)
{
	(void)state;
	fail why;
	CHECK(!scree_attempt(take_too_much, NULL, &why) && why.code == FAIL_IO, "%s", why.text);
	CHECK(strstr(why.text, "out of memory: 9223372036854775808 bytes requested, "), "%s", why.text);
	CHECK(!scree_attempt(take_sizes_that_overflow, NULL, &why) && why.code == FAIL_IO, "%s", why.text);
}

/* ------------------------------------------------------------------ lists */

static void lists_give_back(void **state)
{
	(void)state;
	int64_t before = scree_memory_used();
	memory_list list = {0}, other = {0};
	char *block[9], *outside = scree_alloc(100, 1);
	CHECK(!scree_memory_into(&list), "there is none at first");
	for (int k = 0; k < 9; ++k) block[k] = scree_alloc(1000, 1);
	CHECK(scree_memory_into(&other) == &list, "the one before");
	block[3] = scree_grow(block[3], 1000, 2000, 1); /* the block moves to `other` */
	CHECK(scree_memory_into(NULL) == &other, "the one before");
	scree_free(block[0]); /* the last block of the chain, then the first one and one in the middle */
	scree_free(block[8]);
	scree_free(block[5]);
	scree_memory_drop(&list);
	CHECK(scree_memory_used() == before + 100 + 2000, "what is in no list, or in another one, stays");
	memset(block[3], 1, 2000);
	scree_memory_drop(&other);
	scree_memory_drop(&other);
	scree_free(outside);
	CHECK(scree_memory_used() == before, "all is given back");
}

typedef struct pieces {
	_Atomic int64_t done;
	int64_t bad;
	char *block[1000];
} pieces;

static void do_pieces(void *what, int64_t from, int64_t to, int thread)
{
	pieces *p = what;
	(void)thread;
	for (int64_t k = from; k < to; ++k) {
		p->block[k] = scree_alloc(64, 1);
		SCREE_ASSERT(k != p->bad);
		++p->done;
	}
}

static void share_out(void *what) { scree_parallel(do_pieces, what, 1000, 1); }

static void threads_pass_it_to_the_caller(void **state)
{
	(void)state;
	int64_t before = scree_memory_used();
	scree_set_threads(4);
	FOR_SEEDS(300)
	{
		pieces p = {.bad = -1};
		memory_list list = {0};
		fail why;
		if (test_seed % 4) p.bad = (int64_t)(test_seed * 37 % 1000);
		heard.calls = 0;
		scree_memory_into(&list);
		bool whole = scree_attempt(share_out, &p, &why);
		scree_memory_into(NULL);
		CHECK(whole == (p.bad < 0), "piece %lld", (long long)p.bad);
		CHECK(heard.calls == !whole, "the handler heard of it %d times", heard.calls);
		CHECK(p.bad >= 0 ? p.done < 1000 : p.done == 1000, "%lld done", (long long)p.done);
		if (!whole) CHECK(strstr(why.text, "k != p->bad"), "%s", why.text);
		scree_memory_drop(&list);
		CHECK(scree_memory_used() == before, "blocks of helpers are in the caller's list");
	}
}

/* ------------------------------------------------------------------ worlds */

static void fill_box(void *what)
{
	scree_world *w = what;
	fail why = {0};
	scree_materials_add(&w->model.material,
						(material){.name = "stuff", .density = 2500, .young = 1e7, .poisson = 0.25});
	scree_materials_set_rule(&w->model.material, 0, 0, lab_linear(1e5, 0.5, 0.5));
	scree_shapes_add_sphere(&w->model.shape, "ball");
	scree_shapes_add_box(&w->model.shape, "cube", v3(1, 1, 1), &why);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	w->model.gravity = v3(0, 0, -10);
	for (int k = 0; k < 27; ++k) {
		vec3 at = v3(k % 3 * 0.11, k / 3 % 3 * 0.11, 0.06 + k / 9 * 0.11);
		lab_add_moving(w, k % 2, k % 2 ? 0.08 : 0.1, at, quat_one(), v3(0.1 * (k % 5), 0.1 * (k % 7), -1), v3(0, 0, 0));
	}
	lab_prepare(w, 1e-4);
}

typedef struct tries {
	int broke, whole;
} tries;

/* A world of balls and cubes is stepped until its n-th allocation is refused. The step fails, after which the world can
 * only be freed, and all its memory is released. */
static void step_without_memory(int64_t n, tries *all)
{
	int64_t before = scree_memory_used();
	scree_world *w = scree_world_new();
	fail why;
	CHECK(scree_world_attempt(w, fill_box, w, &why), "%s", why.text);
	scree_memory_refuse(n);
	bool whole = true;
	for (int k = 0; k < 300 && whole; ++k) whole = scree_step(w);
	scree_memory_refuse(-1);
	++*(whole ? &all->whole : &all->broke);
	CHECK(w->broken == !whole, "the world knows");
	if (!whole) {
		int64_t step = w->state.step;
		CHECK(w->work.why.code == FAIL_IO && strstr(w->work.why.text, "out of memory: "), "%s", w->work.why.text);
		CHECK(!scree_step(w) && w->state.step == step, "it takes no further step");
		CHECK(!scree_world_attempt(w, count, &(int){0}, &why) && !strcmp(why.text, w->work.why.text), "%s", why.text);
		CHECK(!scree_snapshot_write(w, NULL, "/nowhere/x.snap", &why) && strstr(why.text, "the world is broken"), "%s",
			  why.text);
	}
	scree_world_free(w);
	CHECK(scree_memory_used() == before, "%lld bytes are left", (long long)(scree_memory_used() - before));
}

static void a_step_without_memory(void **state)
{
	(void)state;
	tries all = {0};
	for (int threads = 1; threads <= 3; threads += 2) {
		scree_set_threads(threads);
		all.whole = 0;
		for (int64_t n = 0; !all.whole && n < 1000000; n += 1 + n / 20) step_without_memory(n, &all);
		CHECK(all.broke > 40 * threads && all.whole, "%d broke, %d did not", all.broke, all.whole);
	}
}

/* Memory held by other libraries during a failed call is leaked, as described in scree.h; the sanitizer must not report
 * it. */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

/* Opens a scene and reads the texts about it; returns an error code. */
static int check_a_scene(const char *path)
{
	const char *text;
	scree_sim *s = scree_sim_open(&(scree_open_options){.path = path}, NULL);
	if (!s) return SCREE_FILES;
	scree_code code = scree_sim_check(s, &text);
	scree_sim_notes(s);
	scree_sim_summary(s);
	if (!code) code = scree_sim_step(s, 0);
	if (!code) code = scree_sim_check(s, &text);
	scree_sim_close(s);
	return (int)code;
}

/* runs a simulation with all its files and texts; returns an error code */
static int run_a_scene(const char *path, const char *folder)
{
	scree_sim *s = scree_sim_open(&(scree_open_options){.path = path}, NULL);
	if (!s) return SCREE_FILES;
	scree_code code = scree_sim_outputs_open(s, &(scree_outputs_options){.folder = folder, .overwrite = 1});
	if (!code) code = scree_sim_outputs_write(s);
	for (int k = 0; k < 20 && !code; ++k)
		if (!(code = scree_sim_step(s, 1))) code = scree_sim_outputs_write(s);
	if (!code) code = scree_sim_outputs_finish(s);
	scree_sim_closing(s);
	const scree_code closed = scree_sim_outputs_close(s);
	scree_sim_close(s);
	return (int)(code ? code : closed);
}

/* If memory runs out after a given number of blocks, in any call, the command returns an exit code and leaks
 * nothing. */
static void calls_without_memory(void **state)
{
	(void)state;
	char folder[] = "/tmp/scree_failure_XXXXXX", path[200], command[300];
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/out", folder);
	const char *const scene = SCREE_SOURCE "/examples/press.scene.yaml";
	int broke = 0, code = -1, keep = dup(STDOUT_FILENO), keep_errors = dup(STDERR_FILENO);
	int64_t before = scree_memory_used();
	if (__lsan_disable) __lsan_disable();
	fflush(stdout);
	int nowhere = open("/dev/null", O_WRONLY);
	dup2(nowhere, STDOUT_FILENO);
	dup2(nowhere, STDERR_FILENO);
	for (int64_t n = 0; code != 0 && n < 100000000; n += 1 + n / 6) {
		heard.calls = 0;
		scree_memory_refuse(n);
		code = n % 2 ? check_a_scene(scene) : run_a_scene(scene, path);
		scree_memory_refuse(-1);
		if (scree_memory_used() != before || heard.calls != (code == 4) || (code != 0 && code != 4)) break;
		broke += code == 4;
	}
	fflush(stdout);
	if (__lsan_enable) __lsan_enable();
	dup2(keep, STDOUT_FILENO);
	dup2(keep_errors, STDERR_FILENO);
	close(keep), close(keep_errors), close(nowhere);
	CHECK(code == 0 && broke > 20, "the last code %d after %d that broke; %lld bytes left", code, broke,
		  (long long)(scree_memory_used() - before));
	snprintf(command, sizeof command, "rm -r %s", folder);
	CHECK(system(command) == 0, "%s", command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_fault_comes_back, listen, be_quiet),
		cmocka_unit_test_setup_teardown(the_innermost_attempt_gets_it, listen, be_quiet),
		cmocka_unit_test_setup_teardown(without_an_attempt_it_aborts, listen, be_quiet),
		cmocka_unit_test_setup_teardown(memory_that_is_not_there, listen, be_quiet),
		cmocka_unit_test_setup_teardown(lists_give_back, listen, be_quiet),
		cmocka_unit_test_setup_teardown(threads_pass_it_to_the_caller, listen, be_quiet),
		cmocka_unit_test_setup_teardown(a_step_without_memory, listen, be_quiet),
		cmocka_unit_test_setup_teardown(calls_without_memory, listen, be_quiet),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
