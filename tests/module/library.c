/* The library's handle: scenes and snapshots are opened, stepped and saved, with results bitwise identical to the
 * results of the command. */
#include "module/library_help.h"

#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "format/snapshot.h"
#include "scene/scene.h"
#include "scree/language.h"
#include "scree/outputs.h"
#include "world/world.h"

static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof folder, "/tmp/scree_library_XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static const char *path_of(const char *name)
{
	static char path[128];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

enum { STEPS = 60 };

/* uses the functions that the command uses internally */
static uint64_t hash_without_the_handle(const char *file, int64_t steps)
{
	char path[400], *report = NULL;
	scene s;
	snprintf(path, sizeof path, "%s/%s", SCREE_SOURCE, file);
	CHECK(scree_scene_load(path, 0, NULL, &s, &report), "%s", report ? report : "");
	CHECK(scree_steps(s.world, steps), "%s", s.world->work.why.text);
	const uint64_t hash = scree_world_hash(&s.world->model, &s.world->state, &s.world->work);
	scree_scene_free(&s);
	return hash;
}

static void steps_have_the_bits_of_a_run(void **state)
{
	(void)state;
	for (int k = 0; k < LIBRARY_FILES; ++k) {
		scree_sim *s = library_open(library_files[k], 1 + k % 2);
		const uint64_t start = scree_sim_hash(s);
		CHECK(start == scree_sim_hash(s), "%s", library_files[k]);
		CHECK(scree_sim_step(s, 1) == SCREE_DONE, "%s", scree_sim_error(s));
		CHECK(scree_sim_step(s, STEPS - 1) == SCREE_DONE, "%s", scree_sim_error(s));
		CHECK(scree_sim_steps(s) == STEPS, "%lld steps", (long long)scree_sim_steps(s));
		NEAR(scree_sim_time(s), STEPS * scree_sim_step_length(s), 1e-15, "time");
		CHECK(scree_sim_hash(s) == hash_without_the_handle(library_files[k], STEPS), "%s", library_files[k]);
		CHECK(scree_sim_hash(s) != start, "%s", library_files[k]);
		CHECK(!*scree_sim_error(s), "%s", scree_sim_error(s));
		scree_sim_close(s);
	}
}

static void a_restored_world_continues_with_the_same_bits(void **state)
{
	(void)state;
	for (int k = 0; k < LIBRARY_FILES; ++k) {
		scree_sim *s = library_open(library_files[k], 1);
		const int64_t at = k % 2 ? 0 : STEPS / 2; /* half of the simulations are saved before the first step */
		CHECK(scree_sim_step(s, at) == SCREE_DONE, "%s", scree_sim_error(s));
		CHECK(scree_sim_save(s, path_of("a.snap")) == SCREE_DONE, "%s", scree_sim_error(s));
		CHECK(scree_sim_step(s, STEPS) == SCREE_DONE, "%s", scree_sim_error(s));
		scree_problems *p;
		scree_sim *r = scree_sim_restore(path_of("a.snap"), 2, &p);
		CHECK(r, "%s", scree_problems_text(p));
		CHECK(scree_sim_steps(r) == at && scree_sim_until(r) == scree_sim_until(s), "%s", library_files[k]);
		CHECK(scree_sim_step(r, STEPS) == SCREE_DONE, "%s", scree_sim_error(r));
		CHECK(scree_sim_hash(r) == scree_sim_hash(s), "%s", library_files[k]);
		scree_sim_close(r);
		scree_sim_close(s);
	}
}

static void run_until_stops_where_a_run_ends(void **state)
{
	(void)state;
	scree_sim *s = library_open(library_files[0], 1);
	const double dt = scree_sim_step_length(s);
	CHECK(scree_sim_run_until(s, 10.4 * dt) == SCREE_DONE && scree_sim_steps(s) == 10, "%lld",
		  (long long)scree_sim_steps(s));
	CHECK(scree_sim_run_until(s, 10.6 * dt) == SCREE_DONE && scree_sim_steps(s) == 11, "%lld",
		  (long long)scree_sim_steps(s));
	CHECK(scree_sim_run_until(s, -1) == SCREE_DONE && scree_sim_steps(s) == 11, "a past time");
	CHECK(scree_sim_run_until(s, (double)NAN) == SCREE_BAD_INPUT, "NaN");
	CHECK(scree_sim_run_until(s, (double)INFINITY) == SCREE_BAD_INPUT, "infinity");
	CHECK(scree_sim_step(s, -1) == SCREE_BAD_INPUT, "-1 step");
	CHECK(scree_sim_step(s, INT64_MAX) == SCREE_BAD_INPUT, "more steps than there are numbers");
	CHECK(scree_sim_steps(s) == 11 && *scree_sim_error(s), "%lld", (long long)scree_sim_steps(s));
	scree_sim_close(s);
}

static void problems_are_values(void **state)
{
	(void)state;
	scree_problems *p;
	const char *text = LIBRARY_BALL "run: {until: 1 s}\nword: 2\nworld: {gravity: [0, 0, 1]}\n";
	CHECK(!scree_sim_open(&(scree_open_options){.text = text}, &p), "no problem");
	CHECK(scree_problems_count(p) == 2, "%d problems: %s", scree_problems_count(p), scree_problems_text(p));
	const scree_problem first = scree_problems_row(p, 0), beyond = scree_problems_row(p, 2);
	assert_string_equal(first.file, "text");
	CHECK(first.line == 8 && first.column == 1, "%d:%d", first.line, first.column);
	CHECK(strstr(first.sentence, "did you mean world?") && !first.cure, "%s", first.sentence);
	CHECK(beyond.line == 0 && !beyond.file, "beyond the last one");
	CHECK(strstr(scree_problems_text(p), "text:8:1: error: "), "%s", scree_problems_text(p));
	scree_problems_free(p);

	const char *const set[] = {"run.until=1 kg"};
	CHECK(!scree_sim_open(&(scree_open_options){.text = LIBRARY_BALL "run: {until: 1 s}\n", .sets = 1, .set = set}, &p),
		  "kg");
	const scree_problem unit = scree_problems_row(p, 0);
	CHECK(scree_problems_count(p) == 1 && unit.line == 1 && unit.column > 10, "%s", scree_problems_text(p));
	CHECK(strstr(unit.file, "--set") && strstr(unit.sentence, "time"), "%s: %s", unit.file, unit.sentence);
	scree_problems_free(p);

	CHECK(!scree_sim_open(&(scree_open_options){.path = "/no/such.scene.yaml"}, &p), "no file");
	CHECK(scree_problems_count(p) == 1 && scree_problems_row(p, 0).line == 0, "%s", scree_problems_text(p));
	assert_string_equal(scree_problems_row(p, 0).file, "/no/such.scene.yaml");
	scree_problems_free(p);

	CHECK(!scree_sim_open(&(scree_open_options){.text = LIBRARY_BALL, .threads = SCREE_THREADS_MOST + 1}, &p),
		  "threads");
	CHECK(strstr(scree_problems_text(p), "threads"), "%s", scree_problems_text(p));
	scree_problems_free(p);
	CHECK(!scree_sim_open(&(scree_open_options){0}, &p) && scree_problems_count(p) == 1, "nothing");
	scree_problems_free(p);
	CHECK(!scree_sim_restore("/no/such.snap", 0, &p) && scree_problems_count(p) == 1, "no snapshot");
	scree_problems_free(p);
	CHECK(!scree_sim_restore(SCREE_SOURCE "/README.md", 0, NULL), "no snapshot, and no list");
	CHECK(scree_problems_count(NULL) == 0 && !*scree_problems_text(NULL), "none");
	scree_problems_free(NULL);
	scree_sim_close(NULL);
}

static void a_text_can_have_a_length(void **state)
{
	(void)state;
	const char *text = LIBRARY_BALL "run: {until: 1 s}\nword: 2\n";
	const size_t length = strlen(text) - strlen("word: 2\n");
	scree_sim *s = scree_sim_open(&(scree_open_options){.text = text, .length = length}, NULL);
	CHECK(s, "the rest of the text was read");
	NEAR(scree_sim_until(s), 1, 0, "until");
	CHECK(!*scree_sim_notes(s), "%s", scree_sim_notes(s));
	CHECK(scree_sim_save(s, "/no/such/folder/a.snap") == SCREE_FILES && *scree_sim_error(s), "saved nowhere");
	CHECK(scree_sim_save(s, NULL) == SCREE_BAD_INPUT, "saved without a path");
	CHECK(scree_sim_step(s, 1) == SCREE_DONE, "it can be used after these errors");
	scree_sim_close(s);
}

static void a_guard_stops_it(void **state)
{
	(void)state;
	scree_sim *s = library_text(
		LIBRARY_BALL
		"world: {gravity: [0 m/s^2, 0 m/s^2, 9.81 m/s^2], domain: {min: [0 m, 0 m, 0 m], max: [1 m, 1 m, 50 mm]}}\n"
		"run: {until: 1 s}\n");
	CHECK(scree_sim_step(s, 10000) == SCREE_GUARD, "%s", scree_sim_error(s));
	CHECK(strstr(scree_sim_error(s), "domain"), "%s", scree_sim_error(s));
	const int64_t steps = scree_sim_steps(s);
	CHECK(scree_sim_step(s, 1) == SCREE_GUARD && scree_sim_steps(s) == steps, "it continued");
	CHECK(scree_sim_wall(s, 99, NULL) == SCREE_BAD_INPUT && strstr(scree_sim_error(s), "wall 99"), "no such wall");
	CHECK(scree_sim_step(s, 1) == SCREE_GUARD && strstr(scree_sim_error(s), "domain"), "%s", scree_sim_error(s));
	CHECK(scree_sim_save(s, path_of("stopped.snap")) == SCREE_DONE, "%s", scree_sim_error(s));
	scree_sim *r = scree_sim_restore(path_of("stopped.snap"), 0, NULL);
	CHECK(r && scree_sim_step(r, 1) == SCREE_GUARD, "the snapshot has lost the mark");
	scree_sim_close(r);
	scree_sim_close(s);
}

/* Memory held by libyaml when reading fails is leaked, as described in scree.h; the sanitizer must not report it. */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

/* Each allocation is refused once: the call returns an error code, and the simulation can still be closed. */
static void lack_of_memory_is_a_code(void **state)
{
	(void)state;
	if (__lsan_disable) __lsan_disable();
	const int64_t used = scree_memory_used();
	int failed = 0, whole = 0;
	for (int64_t after = 0; after < 3000 && !whole; after += 1 + after / 40) {
		scree_problems *p = NULL;
		scree_memory_refuse(after);
		scree_sim *s =
			scree_sim_open(&(scree_open_options){.text = LIBRARY_BALL "run: {until: 1 s}\n", .threads = 1}, &p);
		const scree_code code = s ? scree_sim_step(s, 3) : SCREE_FILES;
		const scree_code second = s ? scree_sim_step(s, 1) : SCREE_FILES;
		scree_memory_refuse(-1);
		CHECK(code == SCREE_DONE || code == SCREE_FILES, "%d: %s", code, s ? scree_sim_error(s) : "");
		if (code) CHECK(second == code && (!s || strstr(scree_sim_error(s), "memory")), "%d", second);
		if (s && code) CHECK(scree_sim_hash(s) == 0, "a hash of what is broken");
		failed += code != SCREE_DONE, whole += code == SCREE_DONE;
		scree_problems_free(p);
		scree_sim_close(s);
		CHECK(scree_memory_used() == used, "%lld bytes are lost", (long long)(scree_memory_used() - used));
	}
	if (__lsan_enable) __lsan_enable();
	CHECK(failed > 20 && whole == 1, "%d failed, %d did not", failed, whole);
}

/* blocks from the caller's own allocator, which counts the blocks in use */
typedef struct given {
	int64_t blocks, calls;
} given;

static void *give(void *context, void *block, size_t size)
{
	given *g = context;
	g->calls += 1;
	g->blocks += size ? 1 : -1;
	if (size) return memset(malloc(size), 0x5a, size);
	free(block);
	return NULL;
}

static void *give_none(void *context, void *block, size_t size)
{
	(void)context, (void)size;
	free(block);
	return NULL;
}

static void memory_comes_from_the_caller(void **state)
{
	(void)state;
	given g = {0, 0};
	const uint64_t usual = hash_without_the_handle(library_files[0], STEPS);
	scree_on_memory(give, &g);
	scree_sim *s = library_open(library_files[0], 1);
	LIBRARY_DO(s, scree_sim_step(s, STEPS));
	CHECK(g.blocks > 50 && scree_sim_hash(s) == usual, "%lld blocks", (long long)g.blocks);
	scree_sim_close(s);
	CHECK(g.blocks == 0 && g.calls > 300, "%lld blocks are left of %lld", (long long)g.blocks, (long long)g.calls);
	scree_on_memory(give_none, NULL);
	scree_problems *p = NULL;
	CHECK(!scree_sim_open(&(scree_open_options){.text = LIBRARY_BALL "run: {until: 1 s}\n"}, &p) && !p, "from nothing");
	scree_on_memory(NULL, NULL);
}

/* the notes of a scene are written to the log */
static void log_line(const char *sentence, void *context)
{
	char *all = context;
	strncat(all, sentence, 200);
	CHECK(!strchr(sentence, '\n'), "a line end in '%s'", sentence);
}

static void notes_go_to_the_log(void **state)
{
	(void)state;
	char all[1000] = "";
	FILE *table = fopen(path_of("balls.csv"), "w");
	assert_non_null(table);
	fputs("x,y,z,size,id,mass\n0,0,0.02,0.01,1,5\n", table);
	fclose(table);
	char text[1000];
	snprintf(text, sizeof text,
			 "scene: 1\nmaterials: {m: {density: 2500 kg/m^3, young: 1 MPa}}\nshapes: {ball: {sphere: 1}}\n"
			 "walls: {floor: {plane: {point: [0 m, 0 m, 0 m], normal: [0, 0, 1]}, material: m}}\n"
			 "fill: [{from: balls.csv, material: m, shape: ball}]\nrun: {until: 1 s}\n");
	scree_on_log(log_line, all);
	scree_problems *p;
	scree_sim *s = scree_sim_open(&(scree_open_options){.path = path_of("a.scene.yaml"), .text = text}, &p);
	scree_on_log(NULL, NULL);
	CHECK(s, "%s", scree_problems_text(p));
	CHECK(strstr(scree_sim_notes(s), "the mass of") && strstr(all, "the mass of"), "notes '%s', log '%s'",
		  scree_sim_notes(s), all);
	scree_sim_close(s);
}

/* the language and the reports on a simulation are returned as text; wrong names produce error messages */
static void texts_are_returned(void **state)
{
	(void)state;
	const int64_t before = scree_memory_used();
	char *text = NULL;
	CHECK(scree_list("laws", &text) == SCREE_DONE && text && strstr(text, "  hertz "), "%s", text ? text : "");
	scree_text_free(text);
	CHECK(scree_list("responses", &text) == SCREE_DONE && strstr(text, "\n  forces ") && strstr(text, "\n  elastic "),
		  "%s", text);
	scree_text_free(text);
	CHECK(scree_list("lows", &text) == SCREE_BAD_INPUT && text && strstr(text, "no table 'lows'"), "%s",
		  text ? text : "");
	scree_text_free(text);
	CHECK(scree_explain("run.step", &text) == SCREE_DONE && text && strstr(text, "run.step"), "%s", text ? text : "");
	scree_text_free(text);
	CHECK(scree_explain("xyzzy", &text) == SCREE_BAD_INPUT && text && strstr(text, "xyzzy"), "%s", text ? text : "");
	scree_text_free(text);
	CHECK(scree_schema(&text) == SCREE_DONE && text && *text == '{', "%.20s", text ? text : "");
	scree_text_free(text);
	const char *report;
	scree_sim *s = library_text(LIBRARY_BALL "run: {until: 1 s}\n");
	CHECK(scree_sim_check(s, &report) == SCREE_DONE && strstr(report, "  m + m: law "), "%s", report);
	CHECK(!strncmp(scree_sim_summary(s), "1 spheres", 9), "%s", scree_sim_summary(s));
	CHECK(!*scree_sim_warnings(s), "%s", scree_sim_warnings(s));
	const char *closing = scree_sim_closing(s), *hash = strstr(closing, "hash ");
	CHECK(hash && strtoull(hash + 5, NULL, 16) == scree_sim_hash(s), "%s", closing);
	CHECK(scree_sim_bench(s, 0, 0, &report) == SCREE_BAD_INPUT, "no step");
	CHECK(scree_sim_bench(s, 30, 0, &report) == SCREE_DONE && strstr(report, "steps 30"), "%s", report);
	CHECK(scree_sim_steps(s) == 50, "%lld steps", (long long)scree_sim_steps(s)); /* including 20 warm-up steps */
	scree_sim_close(s);
	CHECK(scree_memory_used() == before, "%lld bytes are left", (long long)(scree_memory_used() - before));
}

/* the plan of a run may be changed, but not its initial state */
static void the_plan_changes(void **state)
{
	(void)state;
	const char *const until[] = {"run.until=2 s"}, *const wrong[] = {"run.until=2 kg"},
					  *const other[] = {"fill.0.seed=3"};
	scree_problems *p;
	scree_sim *s = library_text(LIBRARY_BALL "run: {until: 1 s}\n");
	LIBRARY_DO(s, scree_sim_change_plan(s, 1, until, &p));
	CHECK(scree_sim_until(s) == 2 && !p, "until %g s", scree_sim_until(s));
	CHECK(strstr(scree_sim_resolved(s), "until: 2"), "%s", scree_sim_resolved(s));
	CHECK(scree_sim_change_plan(s, 1, wrong, &p) == SCREE_BAD_INPUT && p, "a wrong unit");
	CHECK(strstr(scree_problems_text(p), "kg") && scree_problems_code(p) == SCREE_BAD_INPUT, "%s",
		  scree_problems_text(p));
	scree_problems_free(p);
	CHECK(scree_sim_change_plan(s, 1, other, &p) == SCREE_BAD_INPUT && !p, "another key");
	CHECK(scree_sim_change_plan(s, -1, NULL, &p) == SCREE_BAD_INPUT && !p, "-1 changes");
	CHECK(scree_sim_until(s) == 2, "until %g s", scree_sim_until(s));
	scree_sim_close(s);
	CHECK(!scree_sim_restore("/nowhere.snap", 1, &p) && scree_problems_code(p) == SCREE_FILES,
		  "a file that is not there");
	scree_problems_free(p);
}

/* makes steps, with outputs, from the current step to this one */
static void run_to(scree_sim *s, int64_t last)
{
	while (scree_sim_steps(s) < last) {
		LIBRARY_DO(s, scree_sim_step(s, scree_sim_outputs_next(s, last - scree_sim_steps(s))));
		LIBRARY_DO(s, scree_sim_outputs_write(s));
	}
	LIBRARY_DO(s, scree_sim_outputs_finish(s));
}

/* the files that the library writes for a scene, in one run or in two runs, the second of which is restored from the
 * first, are identical to those written by the command */
static void outputs_are_those_of_the_command(void **state)
{
	enum { LAST = 240 };
	(void)state;
	char ours[200], theirs[200], snapshot[300], scene[300];
	snprintf(scene, sizeof scene, "%s/examples/heap2d.scene.yaml", SCREE_SOURCE);
	snprintf(ours, sizeof ours, "%s/ours", folder);
	snprintf(theirs, sizeof theirs, "%s/theirs", folder);
	snprintf(snapshot, sizeof snapshot, "%s/heap2d.snap", ours);
	const char *const set[] = {"output.history.every=20us", "output.vtk.every=0.4ms", "output.images.every=1ms"};
	assert_int_equal(library_shell("%s/scree run %s -o %s --steps %d -q -s %s -s %s -s %s >/dev/null", SCREE_BINARY,
								   scene, theirs, LAST, set[0], set[1], set[2]),
					 0);
	for (int parts = 1; parts <= 2; ++parts) {
		scree_sim *s = scree_sim_open(&(scree_open_options){.path = scene, .sets = 3, .set = set}, NULL);
		scree_outputs o;
		CHECK(s, "%s", scene);
		CHECK(scree_sim_outputs_write(s) == SCREE_BAD_INPUT, "no outputs are open");
		LIBRARY_DO(s, scree_sim_outputs_open(s, &(scree_outputs_options){.folder = ours, .overwrite = parts > 1}));
		LIBRARY_DO(s, scree_sim_outputs_write(s));
		run_to(s, LAST / parts);
		LIBRARY_DO(s, scree_sim_outputs(s, &o));
		CHECK(!strcmp(o.name, "heap2d") && !strcmp(o.folder, ours) && o.snapshot_time == scree_sim_time(s), "%s/%s",
			  o.folder, o.name);
		LIBRARY_DO(s, scree_sim_outputs_close(s));
		scree_sim_close(s);
		if (parts > 1) {
			s = scree_sim_restore(snapshot, 2, NULL);
			LIBRARY_DO(s, scree_sim_outputs_open(s, NULL));
			run_to(s, LAST);
			scree_sim_close(s);
		}
		assert_int_equal(library_shell("diff -r -x '*.old.snap' %s %s", ours, theirs), 0);
	}
	assert_int_equal(
		library_shell("test $(wc -l <%s/heap2d_history.csv) -gt 100 && test -e %s/heap2d_0001.png", ours, ours), 0);
}

/* files that are in use or contain results are refused; a stopped simulation saves its state */
static void outputs_that_are_refused(void **state)
{
	(void)state;
	char ours[200], stopped[300];
	snprintf(ours, sizeof ours, "%s/refused", folder);
	snprintf(stopped, sizeof stopped, "%s/text.stopped.snap", ours);
	const scree_outputs_options in_ours = {.folder = ours};
	scree_sim *s = library_text(LIBRARY_BALL "run: {until: 1 s, guard: {speed: 1 mm/s}}\n"), *t;
	const scree_file *file;
	int64_t files;
	LIBRARY_DO(s, scree_sim_outputs_open(s, &in_ours));
	CHECK(scree_sim_outputs_open(s, &in_ours) == SCREE_BAD_INPUT, "twice");
	t = library_text(LIBRARY_BALL "run: {until: 1 s}\n");
	CHECK(scree_sim_outputs_open(t, &in_ours) == SCREE_BAD_INPUT && strstr(scree_sim_error(t), "of this process"), "%s",
		  scree_sim_error(t));
	CHECK(scree_sim_step(s, 100000) == SCREE_GUARD, "no guard stopped it");
	LIBRARY_DO(s, scree_sim_outputs_finish(s));
	LIBRARY_DO(s, scree_sim_outputs_files(s, &files, &file));
	CHECK(files >= 1 && file[0].kind == SCREE_FILE_STOPPED_SNAPSHOT && !strcmp(file[0].path, stopped), "%lld files",
		  (long long)files);
	scree_sim_close(s); /* unlocks */
	LIBRARY_DO(t, scree_sim_outputs_open(t, &in_ours));
	LIBRARY_DO(t, scree_sim_outputs_write(t));
	run_to(t, 10);
	scree_sim_close(t);
	t = library_text(LIBRARY_BALL "run: {until: 1 s}\n");
	CHECK(scree_sim_outputs_open(t, &in_ours) == SCREE_BAD_INPUT && strstr(scree_sim_error(t), "--overwrite"), "%s",
		  scree_sim_error(t));
	LIBRARY_DO(t, scree_sim_step(t, 1));
	CHECK(scree_sim_outputs_open(t, &in_ours) == SCREE_BAD_INPUT && strstr(scree_sim_error(t), "first step"), "%s",
		  scree_sim_error(t));
	scree_sim_close(t);
}

typedef struct run {
	const char *file;
	int threads;
	uint64_t hash;
} run;

static void *open_and_step(void *what)
{
	run *r = what;
	scree_sim *s = library_open(r->file, r->threads);
	if (scree_sim_step(s, STEPS) == SCREE_DONE) r->hash = scree_sim_hash(s);
	scree_sim_close(s);
	return NULL;
}

/* ------------------------------------------------------------------ decimal signs */

/* returns whether the process now uses a locale with decimal commas, created for the test */
static bool set_commas(void)
{
	char command[400];
	FILE *to = fopen(path_of("commas"), "w");
	fputs("LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \"\"\ngrouping -1\nEND LC_NUMERIC\n", to);
	fclose(to);
	snprintf(command, sizeof command, "cd %s && localedef -c -i commas --no-archive ./xx_XX 2>/dev/null", folder);
	if (system(command) < 0 || setenv("LOCPATH", folder, 1) || !setlocale(LC_ALL, "xx_XX")) return false;
	return *localeconv()->decimal_point == ',';
}

/* texts that contain numbers: a summary, an error message, an explanation, and a file */
static void write_texts(FILE *to, const char *name)
{
	scree_sim *s = library_text(LIBRARY_BALL "run: {until: 1 s}\noutput: {history: {every: 1 ms}}\n");
	LIBRARY_DO(s, scree_sim_outputs_open(s, &(scree_outputs_options){.folder = path_of(name)}));
	LIBRARY_DO(s, scree_sim_outputs_write(s));
	LIBRARY_DO(s, scree_sim_step(s, scree_sim_outputs_next(s, 37)));
	LIBRARY_DO(s, scree_sim_outputs_write(s));
	LIBRARY_DO(s, scree_sim_outputs_finish(s));
	const scree_file *file;
	int64_t files;
	LIBRARY_DO(s, scree_sim_outputs_files(s, &files, &file));
	for (int64_t k = 0; k < files; ++k) {
		char line[4000];
		FILE *from = file[k].kind == SCREE_FILE_HISTORY ? fopen(file[k].path, "r") : NULL;
		while (from && fgets(line, sizeof line, from)) fputs(line, to);
		if (from) fclose(from);
	}
	fputs(scree_sim_summary(s), to);
	CHECK(scree_sim_set_step_length(s, 0.5) == SCREE_BAD_INPUT, "half a second");
	fputs(scree_sim_error(s), to);
	CHECK(scree_sim_run_until(s, 1.5e300) == SCREE_BAD_INPUT, "for ever");
	fputs(scree_sim_error(s), to);
	char *text;
	CHECK(scree_explain("run.guard", &text) == SCREE_DONE, "%s", text);
	fputs(text, to);
	scree_text_free(text);
	scree_sim_close(s);
}

static char *texts_of(const char *name)
{
	char *text = NULL;
	size_t length = 0;
	FILE *to = open_memstream(&text, &length);
	write_texts(to, name);
	fclose(to);
	return text;
}

static void decimal_signs_are_points(void **state)
{
	(void)state;
	char half[8];
	char *wanted = texts_of("points");
	CHECK(strstr(wanted, "0.00") && strstr(wanted, "1.5e+300"), "no numbers: %s", wanted);
	if (!set_commas()) {
		free(wanted);
		skip();
	}
	char *text = texts_of("commas_too");
	snprintf(half, sizeof half, "%g", 0.5);
	setlocale(LC_ALL, "C");
	CHECK(!strcmp(text, wanted), "with commas:\n%s\nwith points:\n%s", text, wanted);
	CHECK(!strcmp(half, "0,5"), "the locale of the program is not restored: %s", half);
	free(text);
	free(wanted);
}

static void two_worlds_in_two_threads(void **state)
{
	(void)state;
	for (int k = 0; k < LIBRARY_FILES; ++k) {
		run r[2] = {{library_files[k], 2, 0}, {library_files[(k + 1) % LIBRARY_FILES], 1, 0}};
		pthread_t thread[2];
		for (int t = 0; t < 2; ++t) assert_int_equal(pthread_create(&thread[t], NULL, open_and_step, &r[t]), 0);
		for (int t = 0; t < 2; ++t) pthread_join(thread[t], NULL);
		for (int t = 0; t < 2; ++t)
			CHECK(r[t].hash == hash_without_the_handle(r[t].file, STEPS), "%s beside another", r[t].file);
	}
}

/* stdout and stderr are redirected to a file, which must stay empty */
static int streams[2];

static int catch_streams(void **state)
{
	(void)state;
	fflush(stdout), fflush(stderr);
	const int file = open(path_of("printed"), O_CREAT | O_RDWR, 0600);
	for (int k = 0; k < 2; ++k) streams[k] = dup(k + 1), dup2(file, k + 1);
	return close(file);
}

static int release_streams(void **state)
{
	(void)state;
	fflush(stdout), fflush(stderr);
	for (int k = 0; k < 2; ++k) dup2(streams[k], k + 1), close(streams[k]);
	char text[400] = "";
	FILE *printed = fopen(path_of("printed"), "r");
	const size_t length = fread(text, 1, sizeof text - 1, printed);
	fclose(printed);
	if (length) fprintf(stderr, "printed: %s\n", text);
	return length ? -1 : 0;
}

static void nothing_is_printed(void **state)
{
	problems_are_values(state);
	a_text_can_have_a_length(state);
	a_guard_stops_it(state);
	lack_of_memory_is_a_code(state);
	run_until_stops_where_a_run_ends(state);
	scree_sim *s = library_open("scenes/servo_lid.scene.yaml", 1);
	CHECK(strstr(scree_sim_notes(s), "servo lid: "), "notes of a run: '%s'", scree_sim_notes(s));
	scree_sim_step(s, 1);
	scree_sim_close(s);
}

static void version(void **state)
{
	(void)state;
	assert_string_equal(scree_version(), SCREE_VERSION);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(version),
		cmocka_unit_test(problems_are_values),
		cmocka_unit_test(a_text_can_have_a_length),
		cmocka_unit_test(steps_have_the_bits_of_a_run),
		cmocka_unit_test(a_restored_world_continues_with_the_same_bits),
		cmocka_unit_test(run_until_stops_where_a_run_ends),
		cmocka_unit_test(a_guard_stops_it),
		cmocka_unit_test(lack_of_memory_is_a_code),
		cmocka_unit_test(memory_comes_from_the_caller),
		cmocka_unit_test(notes_go_to_the_log),
		cmocka_unit_test(texts_are_returned),
		cmocka_unit_test(the_plan_changes),
		cmocka_unit_test(outputs_are_those_of_the_command),
		cmocka_unit_test(outputs_that_are_refused),
		cmocka_unit_test(decimal_signs_are_points),
		cmocka_unit_test(two_worlds_in_two_threads),
		cmocka_unit_test_setup_teardown(nothing_is_printed, catch_streams, release_streams),
	};
	return cmocka_run_group_tests(tests, make_folder, NULL);
}
