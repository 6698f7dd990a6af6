/* Outputs of the library's handle: no output is silently lost, duplicated or missed, whatever the order of calls. */
#include "module/library_help.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scree/outputs.h"

static char box[64];

static int make_box(void **state)
{
	(void)state;
	snprintf(box, sizeof box, "/tmp/scree_outputs_XXXXXX");
	signal(SIGXFSZ, SIG_IGN); /* writing beyond the file size limit then fails */
	return mkdtemp(box) ? 0 : -1;
}

static int remove_box(void **state)
{
	char command[100];
	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", box);
	return system(command);
}

static const char *in_box(const char *name)
{
	static char path[4][200];
	static int next;
	char *p = path[next++ % 4];
	snprintf(p, sizeof *path, "%s/%s", box, name);
	return p;
}

/* a call that is refused with an error message containing these words */
#define REFUSED(s, call, words)                                                                                        \
	CHECK((call) == SCREE_BAD_INPUT && strstr(scree_sim_error(s), words), #call ": %s", scree_sim_error(s))

static const char *const plan[] = {"run.until=2 ms", "run.step=10 us", "output.history.every=0.1 ms"};
static const char *const frames[] = {"run.until=2 ms", "run.step=10 us", "output.history.every=0.1 ms",
									 "output.vtk.every=0.2 ms"};

/* the ball scene, under the name `ball` */
static scree_sim *ball(int sets, const char *const *set)
{
	static const char text[] = LIBRARY_BALL "run: {until: 1 s}\n";
	scree_problems *p;
	scree_sim *s = scree_sim_open(
		&(scree_open_options){.path = "ball.scene.yaml", .text = text, .sets = sets, .set = set, .threads = 1}, &p);
	CHECK(s, "%s", scree_problems_text(p));
	return s;
}

static scree_sim *restored(const char *path)
{
	scree_problems *p;
	scree_sim *s = scree_sim_restore(path, 1, &p);
	CHECK(s, "%s", scree_problems_text(p));
	return s;
}

static void open_in(scree_sim *s, const char *folder)
{
	LIBRARY_DO(s, scree_sim_outputs_open(s, &(scree_outputs_options){.folder = folder}));
}

/* makes steps with outputs up to this step */
static void steps_to(scree_sim *s, int64_t last)
{
	LIBRARY_DO(s, scree_sim_outputs_write(s));
	while (scree_sim_steps(s) < last) {
		LIBRARY_DO(s, scree_sim_step(s, scree_sim_outputs_next(s, last - scree_sim_steps(s))));
		LIBRARY_DO(s, scree_sim_outputs_write(s));
	}
}

/* makes a run of 60 steps, with seven rows of history in this folder; returns the path of its snapshot */
static const char *short_run(const char *folder)
{
	scree_sim *s = ball(3, plan);
	open_in(s, in_box(folder));
	steps_to(s, 60);
	LIBRARY_DO(s, scree_sim_outputs_finish(s));
	scree_sim_close(s);
	char name[100];
	snprintf(name, sizeof name, "%s/ball.snap", folder);
	return in_box(name);
}

static int rows(const char *folder)
{
	char path[300];
	int lines = 0;
	snprintf(path, sizeof path, "%s/%s/ball_history.csv", box, folder);
	FILE *f = fopen(path, "r");
	CHECK(f, "%s", path);
	for (int c; (c = fgetc(f)) != EOF;) lines += c == '\n';
	fclose(f);
	return lines - 2; /* a line of units and a line of names */
}

/* limits the length of files, which has the same effect as a full disk */
static void limit_files(rlim_t most)
{
	struct rlimit limit;
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = most < limit.rlim_max ? most : limit.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void a_failed_open_changes_nothing(void **state)
{
	(void)state;
	scree_sim *s = restored(short_run("kept"));
	assert_int_equal(rows("kept"), 7);
	limit_files(200);
	const scree_code code = scree_sim_outputs_open(s, &(scree_outputs_options){.folder = in_box("elsewhere")});
	limit_files(RLIM_INFINITY);
	assert_int_equal(code, SCREE_FILES);
	open_in(s, NULL);
	assert_int_equal(rows("kept"), 7);
	steps_to(s, 80);
	assert_int_equal(rows("kept"), 9);
	scree_sim_close(s);
}

/* a run that is stopped and continued has the same tables as an uninterrupted one, and can start new tables */
static void measures_continue(void **state)
{
	static const char *const sets[] = {"run.until=2 ms", "run.step=10 us", "output.measures.all.every=0.1 ms",
									   "output.measures.ball.every=0.2 ms",
									   "output.measures.ball.region={sphere: {radius: 30 mm}}"};
	(void)state;
	scree_sim *s = ball(5, sets);
	open_in(s, in_box("one"));
	steps_to(s, 120);
	scree_sim_close(s);
	s = ball(4 - 1, sets);
	open_in(s, in_box("two"));
	steps_to(s, 60);
	LIBRARY_DO(s, scree_sim_outputs_finish(s));
	scree_sim_close(s);
	s = restored(in_box("two/ball.snap"));
	scree_problems *p;
	LIBRARY_DO(s, scree_sim_change_plan(s, 2, sets + 3, &p));
	/* a plane starts counting after a run is restored, and cannot be replaced by another one */
	const char *const gate = "output.measures.gate={every: 0.2 ms, plane: {point: [0, 0, 49 mm], normal: [0, 0, -1]}}";
	const char *const other = "output.measures.gate={every: 0.2 ms, plane: {point: [0, 0, 48 mm], normal: [0, 0, -1]}}";
	LIBRARY_DO(s, scree_sim_change_plan(s, 1, &gate, &p));
	assert_int_equal(scree_sim_change_plan(s, 1, &other, &p), SCREE_BAD_INPUT);
	CHECK(strstr(scree_sim_error(s), "counted since the start"), "%s", scree_sim_error(s));
	open_in(s, NULL);
	steps_to(s, 120);
	scree_sim_close(s);
	assert_int_equal(library_shell("cmp %s/one/ball_measure_all.csv %s/two/ball_measure_all.csv", box, box), 0);
	assert_int_equal(library_shell("test $(wc -l < %s/one/ball_measure_ball.csv) = 9", box), 0);
	assert_int_equal(library_shell("test $(wc -l < %s/two/ball_measure_ball.csv) = 5", box), 0);
	assert_int_equal(library_shell("grep -q '^time,mass,bodies,solid_fraction,' %s/two/ball_measure_ball.csv", box), 0);
}

#define STREAM                                                                                                         \
	"scene: 1\nworld: {gravity: [0, 0, -10 m/s^2]}\n"                                                                  \
	"materials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}\n"                                            \
	"shapes: {ball: {sphere: 1}}\n"                                                                                    \
	"fill: [{lattice: {spacing: 10 mm}, region: {box: {min: [0, 0, 0], max: [40 mm, 40 mm, 80 mm]}}, material: m, "    \
	"shape: ball, size: {uniform: [5 mm, 8 mm]}}]\n"                                                                   \
	"sinks: [{name: pit, below: {z: -100 mm}}]\n"                                                                      \
	"run: {until: 0.3 s, step: 100 us}\n"                                                                              \
	"output:\n"                                                                                                        \
	"  measures:\n"                                                                                                    \
	"    all: {every: 10 ms, values: [mass, bodies]}\n"                                                                \
	"    above: {every: 10 ms, region: {box: {min: [-1 m, -1 m, -50 mm], max: [1 m, 1 m, 1 m]}}, values: [bodies]}\n"  \
	"    pit: {every: 10 ms, sink: pit}\n"                                                                             \
	"    gate: {every: 10 ms, plane: {point: [0, 0, -50 mm], normal: [0, 0, -1]}}\n"                                   \
	"    up: {every: 10 ms, plane: {point: [0, 0, -50 mm], normal: [0, 0, 1]}, sizes: [5 mm, 6 mm]}\n"

static scree_sim *stream(void)
{
	scree_problems *p;
	scree_sim *s = scree_sim_open(&(scree_open_options){.path = "stream.scene.yaml", .text = STREAM, .threads = 1}, &p);
	CHECK(s, "%s", scree_problems_text(p));
	return s;
}

/* value in column `column` (counted from 0) of the last row of a measure */
static double last_of(const char *folder, const char *measure, int column)
{
	char path[300], line[400], last[400] = "";
	snprintf(path, sizeof path, "%s/%s/stream_measure_%s.csv", box, folder, measure);
	FILE *f = fopen(path, "r");
	CHECK(f, "%s", path);
	while (fgets(line, sizeof line, f)) memcpy(last, line, sizeof last);
	fclose(f);
	const char *at = last;
	for (; column; --column) at = strchr(at, ',') + 1;
	return atof(at);
}

/* Every body is either in the world or in the sink, even if the run is stopped and continued. */
static void flows_balance(void **state)
{
	(void)state;
	scree_sim *s = stream();
	open_in(s, in_box("whole"));
	steps_to(s, 1750);
	scree_sim_close(s);
	s = stream();
	open_in(s, in_box("parts"));
	steps_to(s, 1333);
	LIBRARY_DO(s, scree_sim_outputs_finish(s));
	scree_sim_close(s);
	s = restored(in_box("parts/stream.snap"));
	open_in(s, NULL);
	steps_to(s, 1750);
	scree_sim_close(s);
	const char *const names[] = {"all", "above", "pit", "gate", "up"};
	for (int k = 0; k < 5; ++k)
		assert_int_equal(library_shell("cmp %s/whole/stream_measure_%s.csv %s/parts/stream_measure_%s.csv", box,
									   names[k], box, names[k]),
						 0);
	const double left = last_of("whole", "all", 1), taken = last_of("whole", "pit", 1);
	CHECK(taken > 0 && left > 0, "%g kg left, %g taken", left, taken);
	assert_true(last_of("whole", "all", 2) + last_of("whole", "pit", 2) == 128);
	assert_true(last_of("whole", "pit", 4) > 0);
	/* a plane counts all bodies that have left the region above it */
	assert_true(last_of("whole", "above", 1) + last_of("whole", "gate", 2) == 128);
	assert_true(last_of("whole", "gate", 6) == 0);
	const double small = last_of("whole", "up", 2);
	assert_true(small < -20 && small > -60 && last_of("whole", "up", 6) == -small);
	s = stream();
	open_in(s, in_box("start"));
	LIBRARY_DO(s, scree_sim_outputs_write(s));
	scree_sim_close(s);
	NEAR(left + taken, last_of("start", "all", 1), 1e-15, "mass");
}

/* one row of a table of the run `pair` as numbers; words are read as 0 */
static void read_row(const char *table, int row, int count, double *value)
{
	char path[300], line[600] = "";
	snprintf(path, sizeof path, "%s/pair/pair_%s.csv", box, table);
	FILE *f = fopen(path, "r");
	CHECK(f, "%s", path);
	for (int k = 0; k < row + 3; ++k) CHECK(fgets(line, sizeof line, f), "%s has no row %d", path, row);
	fclose(f);
	const char *at = line;
	for (int k = 0; k < count; ++k) {
		value[k] = atof(at);
		at = k + 1 < count ? strchr(at, ',') + 1 : at;
	}
}

/* Two balls overlap each other by 0.01 mm, and one of them overlaps a moving wall by 0.005 mm; contact springs of 1
 * kN/m. */
static void contacts_and_walls_have_their_loads(void **state)
{
	static const char text[] =
		"scene: 1\nworld: {gravity: [0, 0, 0]}\nmaterials: {m: {density: 2500 kg/m^3}, w: {density: 2500 kg/m^3}}\n"
		"contacts: {default: {law: linear, stiffness: 1 kN/m, restitution: 1, friction: 0}}\n"
		"shapes: {ball: {sphere: 1}}\n"
		"walls: {side: {polygon: {points: [[0, 0, 0], [0, 20 mm, 0], [0, 20 mm, 20 mm], [0, 0, 20 mm]]}, material: w, "
		"motion: {velocity: [1 m/s, 0, 0]}}}\n"
		"fill: [{lattice: {spacing: [9.99 mm, 20 mm, 20 mm]}, region: {box: {min: [0, 0, 0], max: [19.98 mm, 20 mm, "
		"20 mm]}}, material: m, shape: ball, size: 10 mm}]\n"
		"run: {until: 1 ms, step: 1 us}\n"
		"output: {contacts: {every: 1 ms}, walls: {every: 1 ms}, vtk: {every: 1 ms}}\n";
	enum { A = 1, B = 2, X = 4, NORMAL = 7, FORCE = 10, NORMAL_FORCE = 13, TANGENTIAL, OVERLAP, COLUMNS };
	double row[COLUMNS];
	scree_problems *p;
	(void)state;
	scree_sim *s = scree_sim_open(&(scree_open_options){.path = "pair.scene.yaml", .text = text, .threads = 1}, &p);
	CHECK(s, "%s", scree_problems_text(p));
	open_in(s, in_box("pair"));
	LIBRARY_DO(s, scree_sim_outputs_write(s));
	scree_sim_close(s);
	read_row("contacts", 0, COLUMNS, row);
	assert_true(row[A] == 1 && row[B] == 2 && row[NORMAL] == -1 && row[TANGENTIAL] == 0);
	NEAR(row[X], 0.00999, 1e-12, "point between the balls");
	NEAR(row[FORCE], -0.01, 1e-9, "force on the first");
	NEAR(row[NORMAL_FORCE], 0.01, 1e-9, "normal force");
	NEAR(row[OVERLAP], 1e-5, 1e-12, "overlap");
	read_row("contacts", 1, COLUMNS, row);
	assert_true(row[A] == 1 && row[B] == 0 && row[NORMAL] == 1);
	NEAR(row[FORCE], 0.005, 1e-9, "force of the wall");
	read_row("walls", 0, 16, row);
	NEAR(row[14], 0.005 / 4e-4, 1e-5, "pressure");
	NEAR(row[15], -0.005, 1e-9, "power");
	assert_int_equal(library_shell("grep -q 'Name=\"tangential_force\"' %s/pair/pair_contacts_000000.vtp", box), 0);
	assert_int_equal(library_shell("grep -q '^0,1,0,side,.*,m,w$' %s/pair/pair_contacts.csv", box), 0);
}

/* after outputs to another folder are closed, outputs to the run's own folder can be opened again */
static void a_second_folder_changes_nothing(void **state)
{
	(void)state;
	scree_sim *s = restored(short_run("home"));
	open_in(s, in_box("away"));
	LIBRARY_DO(s, scree_sim_outputs_close(s));
	open_in(s, NULL);
	assert_int_equal(rows("home"), 7);
	scree_sim_close(s);
}

static void a_saved_state_erases_no_results(void **state)
{
	(void)state;
	scree_sim *s = ball(4, frames);
	open_in(s, in_box("saved"));
	steps_to(s, 60);
	REFUSED(s, scree_sim_save(s, in_box("saved/ball.snap")), "open outputs");
	LIBRARY_DO(s, scree_sim_save(s, in_box("saved/other.snap")));
	LIBRARY_DO(s, scree_sim_outputs_close(s));
	LIBRARY_DO(s, scree_sim_save(s, in_box("saved/ball.snap")));
	scree_sim_close(s);
	s = restored(in_box("saved/ball.snap"));
	REFUSED(s, scree_sim_outputs_open(s, NULL), "does not count");
	assert_int_equal(rows("saved"), 7);
	assert_int_equal(library_shell("test -e %s", in_box("saved/ball_particles_000003.vtp")), 0);
	LIBRARY_DO(s, scree_sim_outputs_open(s, &(scree_outputs_options){.overwrite = 1}));
	assert_int_equal(rows("saved"), 0);
	scree_sim_close(s);
}

/* a resumed run that starts a table and ends without a new snapshot can be resumed again */
static void a_table_that_begins_is_counted(void **state)
{
	(void)state;
	const char *path = short_run("begins");
	for (int k = 0; k < 2; ++k) {
		scree_sim *s = restored(path);
		LIBRARY_DO(s, scree_sim_change_plan(s, 1, (const char *const[]){"output.bodies.every=0.1 ms"}, NULL));
		open_in(s, NULL);
		steps_to(s, 80);
		scree_sim_close(s);
		assert_int_equal(library_shell("test $(grep -c ^0 %s) = 2", in_box("begins/ball_bodies.csv")), 0);
	}
}

static void the_library_and_the_command(const char *scene, const char *name, const char *until)
{
	char path[400], ours[200], theirs[200];
	snprintf(path, sizeof path, "%s/%s", SCREE_SOURCE, scene);
	snprintf(ours, sizeof ours, "%s/%s_ours", box, name);
	snprintf(theirs, sizeof theirs, "%s/%s_theirs", box, name);
	const char *const set[] = {until, "output.history.every=0.5 ms", "output.images.size=[32, 24]"};
	assert_int_equal(library_shell("%s/scree run %s -o %s -q -s '%s' -s '%s' -s '%s' >/dev/null", SCREE_BINARY, path,
								   theirs, set[0], set[1], set[2]),
					 0);
	scree_sim *s = scree_sim_open(&(scree_open_options){.path = path, .sets = 3, .set = set}, NULL);
	open_in(s, ours);
	LIBRARY_DO(s, scree_sim_outputs_write(s));
	while (scree_sim_steps_until(s, scree_sim_until(s)) > 0) {
		LIBRARY_DO(s, scree_sim_step(s, scree_sim_outputs_next(s, 96)));
		LIBRARY_DO(s, scree_sim_outputs_write(s));
	}
	LIBRARY_DO(s, scree_sim_outputs_finish(s));
	scree_sim_close(s);
	CHECK(library_shell("diff -r %s %s", ours, theirs) == 0, "%s", scene);
}

static void the_loop_of_the_documents_ends_as_the_command(void **state)
{
	(void)state;
	the_library_and_the_command("examples/gas.scene.yaml", "gas", "run.until=0.0051 s");
	the_library_and_the_command("examples/dominoes.scene.yaml", "dominoes", "run.until=0.003 s");
}

/* the number of steps has the same meaning as in run_until, and batches never continue past the end */
static void steps_until_a_time(void **state)
{
	(void)state;
	scree_sim *s = ball(3, plan), *t = ball(3, plan);
	const double ends[] = {-1, 0, 4e-6, 6e-6, 1e-5, 1.234e-3, 2e-3};
	assert_int_equal(scree_sim_steps_until(s, (double)NAN), -1);
	assert_int_equal(scree_sim_steps_until(s, (double)INFINITY), -1);
	assert_int_equal(scree_sim_steps_until(s, 1.234e-3), 123);
	for (size_t k = 0; k < sizeof ends / sizeof *ends; ++k) {
		const int64_t steps = scree_sim_steps_until(s, ends[k]);
		LIBRARY_DO(s, scree_sim_step(s, steps));
		LIBRARY_DO(t, scree_sim_run_until(t, ends[k]));
		assert_int_equal(scree_sim_steps(s), scree_sim_steps(t));
		assert_int_equal(scree_sim_steps_until(s, ends[k]), 0);
	}
	scree_sim_close(t);
	scree_sim_close(s);
	s = ball(2, plan);
	open_in(s, in_box("batches"));
	assert_int_equal(scree_sim_outputs_next(s, 1000), 200);
	scree_sim_close(s);
}

static void a_failed_output_stays_failed(void **state)
{
	(void)state;
	scree_sim *s = ball(3, plan);
	open_in(s, in_box("full"));
	steps_to(s, 20);
	LIBRARY_DO(s, scree_sim_step(s, 10));
	limit_files(100);
	const scree_code code = scree_sim_outputs_write(s);
	limit_files(RLIM_INFINITY);
	assert_int_equal(code, SCREE_FILES);
	char sentence[400];
	snprintf(sentence, sizeof sentence, "%s", scree_sim_error(s));
	assert_int_equal(scree_sim_step(s, 1), SCREE_FILES);
	assert_int_equal(scree_sim_run_until(s, 1e-3), SCREE_FILES);
	assert_int_equal(scree_sim_outputs_write(s), SCREE_FILES);
	assert_int_equal(scree_sim_outputs_finish(s), SCREE_FILES);
	assert_string_equal(scree_sim_error(s), sentence);
	assert_int_equal(scree_sim_steps(s), 30);
	LIBRARY_DO(s, scree_sim_outputs_close(s));
	LIBRARY_DO(s, scree_sim_step(s, 1));
	assert_int_equal(library_shell("test ! -e %s", in_box("full/ball.snap")), 0);
	scree_sim_close(s);
}

/* closing and reopening before the first step has the same result as opening once */
static void opened_twice(void **state)
{
	(void)state;
	for (int times = 1; times <= 2; ++times) {
		scree_sim *s = ball(4, frames);
		for (int k = 0; k < times; ++k) {
			LIBRARY_DO(s, scree_sim_outputs_close(s));
			open_in(s, in_box(times > 1 ? "twice" : "once"));
			LIBRARY_DO(s, scree_sim_outputs_write(s));
		}
		steps_to(s, 60);
		LIBRARY_DO(s, scree_sim_outputs_finish(s));
		scree_sim_close(s);
	}
	assert_int_equal(library_shell("diff -r %s %s", in_box("once"), in_box("twice")), 0);
}

static void no_output_is_doubled(void **state)
{
	(void)state;
	scree_sim *s = ball(3, plan);
	open_in(s, in_box("doubled"));
	steps_to(s, 60);
	steps_to(s, 60);
	assert_int_equal(rows("doubled"), 7);
	LIBRARY_DO(s, scree_sim_outputs_finish(s));
	REFUSED(s, scree_sim_outputs_write(s), "finished");
	REFUSED(s, scree_sim_outputs_finish(s), "finished");
	scree_sim_close(s);
	s = restored(in_box("doubled/ball.snap"));
	open_in(s, NULL);
	LIBRARY_DO(s, scree_sim_outputs_write(s));
	assert_int_equal(rows("doubled"), 7);
	scree_sim_close(s);
}

static void no_output_is_missed(void **state)
{
	(void)state;
	scree_sim *s = ball(3, plan);
	const char *text;
	open_in(s, in_box("missed"));
	REFUSED(s, scree_sim_step(s, 1), "outputs of t = 0 s");
	REFUSED(s, scree_sim_outputs_finish(s), "outputs of t = 0 s");
	LIBRARY_DO(s, scree_sim_outputs_write(s));
	REFUSED(s, scree_sim_step(s, 500), "outputs of t = 0.0001 s");
	REFUSED(s, scree_sim_run_until(s, 1e-3), "scree_sim_outputs_next");
	REFUSED(s, scree_sim_step(s, 11), "scree_sim_outputs_write");
	REFUSED(s, scree_sim_bench(s, 100, 0, &text), "outputs");
	assert_int_equal(scree_sim_steps(s), 0);
	LIBRARY_DO(s, scree_sim_step(s, 10));
	REFUSED(s, scree_sim_set_step_length(s, 5e-6), "outputs of t = 0.0001 s");
	LIBRARY_DO(s, scree_sim_outputs_write(s));
	LIBRARY_DO(s, scree_sim_set_step_length(s, 5e-6));
	LIBRARY_DO(s, scree_sim_step(s, 20));
	LIBRARY_DO(s, scree_sim_outputs_write(s));
	assert_int_equal(rows("missed"), 3);
	LIBRARY_DO(s, scree_sim_outputs_close(s));
	LIBRARY_DO(s, scree_sim_step(s, 500));
	scree_sim_close(s);
}

static void a_changed_world_is_still_before_its_first_step(void **state)
{
	(void)state;
	const char *path = short_run("changed");
	scree_sim *s = restored(path);
	LIBRARY_DO(s, scree_sim_set_gravity(s, (double[3]){0, 0, -9}));
	open_in(s, NULL);
	scree_sim_close(s);
	s = restored(path);
	LIBRARY_DO(s, scree_sim_set_step_length(s, 5e-6));
	open_in(s, NULL);
	steps_to(s, 100);
	assert_int_equal(rows("changed"), 9);
	LIBRARY_DO(s, scree_sim_outputs_finish(s));
	LIBRARY_DO(s, scree_sim_outputs_close(s));
	REFUSED(s, scree_sim_outputs_open(s, NULL), "before the first step");
	scree_sim_close(s);
}

static void only_states_that_can_be_restored_are_saved(void **state)
{
	(void)state;
	scree_sim *s = ball(3, plan);
	scree_array vz;
	open_in(s, in_box("numbers"));
	steps_to(s, 10);
	for (int k = 0; k < 2; ++k) {
		LIBRARY_DO(s, scree_sim_array(s, "vz", &vz));
		const double kept = *(double *)vz.data;
		*(double *)vz.data = (double)NAN;
		assert_int_equal(scree_sim_changed(s, SCREE_VELOCITIES), SCREE_BAD_INPUT);
		REFUSED(s, scree_sim_save(s, in_box("nan.snap")), "not a number");
		REFUSED(s, scree_sim_outputs_finish(s), "not a number");
		LIBRARY_DO(s, scree_sim_array(s, "vz", &vz));
		*(double *)vz.data = kept;
		LIBRARY_DO(s, scree_sim_changed(s, SCREE_VELOCITIES));
	}
	assert_int_equal(library_shell("test ! -e %s -a ! -e %s", in_box("nan.snap"), in_box("numbers/ball.snap")), 0);
	LIBRARY_DO(s, scree_sim_outputs_finish(s));
	scree_sim_close(s);
	scree_sim_close(restored(in_box("numbers/ball.snap")));
}

static void push_without_number(const scree_force_rows *rows, void *unused)
{
	(void)unused;
	for (int64_t i = 0; i < rows->rows; ++i) rows->fx[i] = (double)NAN;
}

static void note_sentence(const char *sentence, void *found)
{
	if (strstr(sentence, "no snapshot is written")) *(bool *)found = true;
}

/* A guard stops a run whose numbers have become NaN: no unreadable snapshot remains. */
static void a_stop_without_numbers_is_noted(void **state)
{
	(void)state;
	bool noted = false;
	scree_sim *s = ball(3, plan);
	LIBRARY_DO(s, scree_sim_outputs_open(
					  s, &(scree_outputs_options){.folder = in_box("stop"), .note = note_sentence, .context = &noted}));
	steps_to(s, 10);
	LIBRARY_DO(s, scree_sim_on_force(s, push_without_number, NULL));
	assert_int_equal(scree_sim_step(s, 5), SCREE_GUARD);
	LIBRARY_DO(s, scree_sim_outputs_finish(s));
	assert_true(noted);
	assert_int_equal(library_shell("test ! -e %s", in_box("stop/ball.stopped.snap")), 0);
	scree_sim_close(s);
}

static void names_are_never_empty(void **state)
{
	(void)state;
	static const char *const path[] = {"", "a/b/"};
	for (int k = 0; k < 2; ++k) {
		scree_outputs o;
		scree_sim *s = scree_sim_open(
			&(scree_open_options){.path = path[k], .text = LIBRARY_BALL "run: {until: 1 s}\n", .threads = 1}, NULL);
		REFUSED(s, scree_sim_outputs_open(s, &(scree_outputs_options){.folder = ""}), "empty");
		open_in(s, in_box(k ? "name1" : "name0"));
		LIBRARY_DO(s, scree_sim_outputs(s, &o));
		assert_string_equal(o.name, "scene");
		scree_sim_close(s);
	}
}

/* a folder belongs to one simulation, even with many open files */
static void a_thousand_open_files(void **state)
{
	(void)state;
	enum { FILES = 1100 };
	int file[FILES];
	struct rlimit limit;
	getrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_max < FILES + 100) skip();
	limit.rlim_cur = FILES + 100;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	for (int k = 0; k < FILES; ++k) file[k] = open("/dev/null", O_RDONLY);
	scree_sim *s = ball(3, plan), *t = ball(3, plan);
	open_in(s, in_box("many"));
	REFUSED(t, scree_sim_outputs_open(t, &(scree_outputs_options){.folder = in_box("many")}), "of this process");
	LIBRARY_DO(s, scree_sim_outputs_close(s));
	open_in(t, in_box("many"));
	scree_sim_close(s);
	scree_sim_close(t);
	for (int k = 0; k < FILES; ++k) close(file[k]);
}

/* a child process does not hold its parent's lock, and can neither take nor remove it */
static void a_child_leaves_the_lock(void **state)
{
	(void)state;
	scree_sim *s = ball(3, plan);
	open_in(s, in_box("forked"));
	const pid_t child = fork();
	if (!child) {
		scree_sim *t = ball(3, plan);
		const scree_outputs_options o = {.folder = in_box("forked")};
		const bool refused =
			scree_sim_outputs_open(t, &o) == SCREE_BAD_INPUT && !strstr(scree_sim_error(t), "of this process");
		scree_sim_close(s);
		_exit(refused ? 0 : 1);
	}
	int status;
	waitpid(child, &status, 0);
	assert_int_equal(status, 0);
	assert_int_equal(library_shell("test -e %s", in_box("forked/ball.lock")), 0);
	scree_sim_close(s);
	assert_int_equal(library_shell("test ! -e %s", in_box("forked/ball.lock")), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_failed_open_changes_nothing),
		cmocka_unit_test(measures_continue),
		cmocka_unit_test(flows_balance),
		cmocka_unit_test(contacts_and_walls_have_their_loads),
		cmocka_unit_test(a_second_folder_changes_nothing),
		cmocka_unit_test(a_saved_state_erases_no_results),
		cmocka_unit_test(a_table_that_begins_is_counted),
		cmocka_unit_test(the_loop_of_the_documents_ends_as_the_command),
		cmocka_unit_test(steps_until_a_time),
		cmocka_unit_test(a_failed_output_stays_failed),
		cmocka_unit_test(opened_twice),
		cmocka_unit_test(no_output_is_doubled),
		cmocka_unit_test(no_output_is_missed),
		cmocka_unit_test(a_changed_world_is_still_before_its_first_step),
		cmocka_unit_test(only_states_that_can_be_restored_are_saved),
		cmocka_unit_test(a_stop_without_numbers_is_noted),
		cmocka_unit_test(names_are_never_empty),
		cmocka_unit_test(a_thousand_open_files),
		cmocka_unit_test(a_child_leaves_the_lock),
	};
	return cmocka_run_group_tests(tests, make_box, remove_box);
}
