/* The history: headers, chosen columns, truncation on resume. */
#include "base/memory.h"
#include "format/file.h"
#include "format/history.h"
#include "lab.h"
#include "test.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], path[128];

static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof folder, "/tmp/scree_history_XXXXXX");
	if (!mkdtemp(folder)) return -1;
	snprintf(path, sizeof path, "%s/history.csv", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	char command[128];
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command);
}

static scree_world *two_balls(void)
{
	scree_world *w = lab_world(lab_linear(1000, 0.5, 0.3));
	w->model.gravity = v3(0, 0, -9.81);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add(w, 0, 0.01, v3(0, 0, 0.006));
	lab_add(w, 0, 0.01, v3(0.004, 0, 0.017));
	lab_prepare(w, 1e-5);
	return w;
}

static energy_row noted[32];
static const csv_mark START;
static const history_more NO_MORE;

/* appends `count` rows to the file after the mark; returns the resulting file length */
static csv_mark rows(const history_plan *plan, scree_world *w, csv_mark from, int count)
{
	fail why = {0};
	history *h = scree_history_open(path, plan, NO_MORE, w, &from, &why);
	CHECK(h != NULL, "%s", why.text);
	for (int k = 0; k < count; ++k) {
		noted[k] = scree_world_energy(&w->model, &w->state, &w->work);
		CHECK(scree_history_row(h, NULL, w, &why), "%s", why.text);
		lab_steps(w, 200);
	}
	csv_mark mark = scree_csv_mark(scree_history_file(h));
	CHECK(scree_csv_sync(scree_history_file(h), &why) && scree_history_close(h, &why), "%s", why.text);
	return mark;
}

static char *contents(void)
{
	static void *text;
	size_t length;
	fail why = {0};
	CHECK(scree_file_read(path, 1 << 20, &text, &length, &why), "%s", why.text);
	return text;
}

static void columns_hold_the_ledger(void **state)
{
	(void)state;
	const history_plan plan = {.on = true};
	scree_world *w = two_balls();
	rows(&plan, w, START, 20);
	char *text = contents(), *line = text;
	CHECK(!strncmp(text, "# units: time[s] step[1] kinetic[J]", 35), "%s", text);
	line = strchr(line, '\n') + 1;
	CHECK(!strncmp(line, "time,step,kinetic,potential,elastic,", 36), "%s", line);
	int count = 0;
	double most = 0;
	for (line = strchr(line, '\n') + 1; *line; line = strchr(line, '\n') + 1, ++count) {
		double v[18];
		char *at = line;
		for (int c = 0; c < 18; ++c) {
			v[c] = strtod(at, &at);
			CHECK(*at == (c < 17 ? ',' : '\n'), "row %d, column %d", count, c);
			++at;
		}
		NEAR(v[1], 200.0 * count, 0, "step");
		NEAR(v[0], 200e-5 * count, 1e-12, "time");
		const energy_row *e = noted + count;
		const double wanted[] = {e->kinetic,	  e->potential, e->elastic, e->lost_normal, e->lost_friction,
								 e->lost_rolling, e->wall_work, e->made,	e->brought,		e->residual};
		for (int c = 0; c < 10; ++c)
			NEAR(v[2 + c], wanted[c], 1e-8 * real_abs(wanted[c]), scree_history_values[2 + c].name);
		NEAR(v[12], 2, 0, "bodies");
		most = real_max(most, v[13]);
	}
	CHECK(count == 20, "%d rows", count);
	CHECK(most >= 1, "no contact was counted");
	scree_free(text);
	scree_world_free(w);
}

static void a_resumed_history_ends_like_a_whole_one(void **state)
{
	(void)state;
	const history_plan plan = {.on = true, .values = 2, .value = {"max_speed", "kinetic"}};
	scree_world *w = two_balls(), *v = two_balls();
	rows(&plan, w, START, 10);
	char *whole = contents();
	CHECK(strstr(whole, "\ntime,max_speed,kinetic\n"), "%s", whole);
	csv_mark mark = rows(&plan, v, START, 6);
	FILE *f = fopen(path, "a"); /* rows written after the snapshot, the last one incomplete */
	CHECK(f && fprintf(f, "0.9,9,9\n0.91,") > 0 && !fclose(f), "no file");
	rows(&plan, v, mark, 4);
	char *parts = contents();
	CHECK(!strcmp(whole, parts), "%s\nis not\n%s", parts, whole);
	scree_free(whole);
	scree_free(parts);
	scree_world_free(v);
	scree_world_free(w);
}

/* The columns for measures come last, and a table with different columns cannot be continued. */
static void further_columns_follow(void **state)
{
	(void)state;
	static const csv_column column[2] = {{.name = "bed.mass", .unit = "kg"}, {.name = "bed.bodies", .unit = "1"}};
	const history_plan plan = {.on = true, .values = 1, .value = {"contacts"}};
	const history_more more = {2, column}, fewer = {1, column};
	const real value[] = {0.1, (real)-NAN};
	fail why = {0};
	scree_world *w = two_balls();
	history *h = scree_history_open(path, &plan, more, w, &START, &why);
	CHECK(h && scree_history_row(h, value, w, &why), "%s", why.text);
	const csv_mark mark = scree_csv_mark(scree_history_file(h));
	CHECK(scree_history_close(h, &why), "%s", why.text);
	char *text = contents();
	assert_string_equal(text, "# units: time[s] contacts[1] bed.mass[kg] bed.bodies[1]\n"
							  "time,contacts,bed.mass,bed.bodies\n0,0,0.1,nan\n");
	scree_free(text);
	CHECK(!scree_history_open(path, &plan, fewer, w, &mark, &why) && strstr(why.text, "other columns"), "%s", why.text);
	scree_world_free(w);
}

static void wrong_plans_are_refused(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = two_balls();
	history_plan plan = {.on = true, .values = 1, .value = {"heat"}};
	CHECK(!scree_history_open(path, &plan, NO_MORE, w, &START, &why), "unknown value");
	CHECK(strstr(why.text, "'heat'") && strstr(why.text, "lost_friction"), "%s", why.text);
	snprintf(plan.value[0], sizeof plan.value[0], "made");
	csv_mark mark = rows(&plan, w, START, 2);
	snprintf(plan.value[0], sizeof plan.value[0], "bodies");
	CHECK(!scree_history_open(path, &plan, NO_MORE, w, &mark, &why) && strstr(why.text, "other columns"), "%s",
		  why.text);
	CHECK(!scree_history_open("/no/such/folder/h.csv", &plan, NO_MORE, w, &START, &why) && why.code == FAIL_IO, "%s",
		  why.text);
	CHECK(scree_history_close(NULL, &why), "nothing to close");
	scree_world_free(w);
}

/* Rows that the snapshot counted are missing or different: continuing the run would silently leave a gap. */
static void damaged_files_are_refused(void **state)
{
	(void)state;
	fail why = {0};
	const history_plan plan = {.on = true};
	scree_world *w = two_balls();
	csv_mark mark = rows(&plan, w, START, 5);
	char *whole = contents();
	for (int kind = 0; kind < 3; ++kind) {
		FILE *f = fopen(path, "wb");
		char *text = scree_copy_text(whole), *last = strrchr(text, '.');
		if (kind == 0) *strrchr(text, '\n') = 0; /* truncated within the last row */
		if (kind == 1) text[strlen(text) / 2] = 0;
		if (kind == 2) *last = ','; /* a file of the same length, but from another run */
		CHECK(f && fputs(text, f) >= 0 && !fclose(f), "no file");
		history *h = scree_history_open(path, &plan, NO_MORE, w, &mark, &why);
		CHECK(!h && why.code == FAIL_INPUT && strstr(why.text, kind == 2 ? "different" : "missing"), "kind %d: %s",
			  kind, why.text);
		char *after = contents();
		CHECK(!strcmp(after, text), "a refused file was changed");
		scree_free(after);
		scree_free(text);
	}
	scree_free(whole);
	scree_world_free(w);
}

static void what_is_not_a_file_is_refused(void **state)
{
	(void)state;
	fail why = {0};
	const history_plan plan = {.on = true};
	scree_world *w = two_balls();
	unlink(path);
	CHECK(mkfifo(path, 0600) == 0, "no pipe");
	CHECK(!scree_history_open(path, &plan, NO_MORE, w, &START, &why) && strstr(why.text, "it is a pipe"), "%s",
		  why.text);
	CHECK(!scree_file_write(path, "a", 1, &why) && strstr(why.text, "it is a pipe"), "%s", why.text);
	unlink(path);
	CHECK(!scree_file_write("/dev/null", "a", 1, &why) && strstr(why.text, "it is a device"), "%s", why.text);
	CHECK(!scree_file_write(folder, "a", 1, &why) && strstr(why.text, "it is a folder"), "%s", why.text);
	scree_world_free(w);
}

/* A link remains a link, and the file it points to is replaced, whether it already exists, is new, or is at the end of
 * a chain of links. */
static void links_are_followed(void **state)
{
	(void)state;
	fail why = {0};
	char to[160], link_path[160], chain[160], bytes[8] = "";
	snprintf(to, sizeof to, "%s/target", folder);
	snprintf(link_path, sizeof link_path, "%s/link", folder);
	snprintf(chain, sizeof chain, "%s/chain", folder);
	CHECK(symlink("target", link_path) == 0 && symlink(link_path, chain) == 0, "no links");
	for (int k = 0; k < 2; ++k) {
		CHECK(scree_file_write(k ? chain : link_path, k ? "two" : "one", 3, &why), "%s", why.text);
		FILE *f = fopen(to, "rb");
		CHECK(f && fread(bytes, 1, 3, f) == 3 && !strcmp(bytes, k ? "two" : "one"), "'%s'", bytes);
		fclose(f);
		struct stat about;
		CHECK(lstat(k ? chain : link_path, &about) == 0 && S_ISLNK(about.st_mode), "the link went");
	}
	CHECK(symlink(chain, to) != 0 && unlink(to) == 0 && symlink(chain, to) == 0, "no loop");
	CHECK(!scree_file_write(chain, "a", 1, &why) && why.code == FAIL_IO, "%s", why.text);
}

/* An existing temporary file is left alone, and the name of the new file contains a random mark, by which another
 * process that knows the mark can find the file and write to it. */
static void taken_names_are_left(void **state)
{
	(void)state;
	fail why = {0};
	char victim[160], result[160], taken[160], bytes[8] = "";
	snprintf(victim, sizeof victim, "%s/victim", folder);
	snprintf(result, sizeof result, "%s/result", folder);
	snprintf(taken, sizeof taken, "%s/result.tmp", folder);
	CHECK(scree_file_write(victim, "kept", 4, &why) && symlink(victim, taken) == 0, "%s", why.text);
	new_file first, second, free_name;
	CHECK(scree_file_begin(&first, result, &why) && first.mark && strcmp(first.name, taken) != 0, "%s", why.text);
	CHECK(scree_file_join(&second, result, first.mark, &why) && !strcmp(first.name, second.name), "%s", why.text);
	CHECK(scree_file_put_at(&first, 0, "ab", 2) && scree_file_put_at(&second, 2, "cd", 2), "not written");
	CHECK(scree_file_sync(&second, result, &why) && scree_file_sync(&first, result, &why), "%s", why.text);
	CHECK(scree_file_end(&first, result, NULL, &why), "%s", why.text);
	FILE *f = fopen(result, "rb");
	CHECK(f && fread(bytes, 1, 4, f) == 4 && !strcmp(bytes, "abcd"), "'%s'", bytes);
	fclose(f);
	CHECK(!scree_file_join(&second, result, 0, &why) && strstr(why.text, "result"), "a link was joined");
	f = fopen(victim, "rb");
	CHECK(f && fread(bytes, 1, 4, f) == 4 && !strcmp(bytes, "kept"), "'%s'", bytes);
	fclose(f);
	CHECK(unlink(taken) == 0 && scree_file_begin(&free_name, result, &why) && !free_name.mark, "%s", why.text);
	scree_file_drop(&free_name);
	CHECK(access(taken, F_OK) != 0 && access(result, F_OK) == 0, "it is not dropped");
	CHECK(scree_file_unmarked("a.snap.tmp") == 6 && scree_file_unmarked("a.snap.0123456789abcdef.tmp") == 6 &&
			  scree_file_unmarked("a.snap.0123456789abcdeg.tmp") == 23 && !scree_file_unmarked("a.snap"),
		  "names without marks");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_hold_the_ledger),	 cmocka_unit_test(a_resumed_history_ends_like_a_whole_one),
		cmocka_unit_test(further_columns_follow),	 cmocka_unit_test(wrong_plans_are_refused),
		cmocka_unit_test(damaged_files_are_refused), cmocka_unit_test(what_is_not_a_file_is_refused),
		cmocka_unit_test(taken_names_are_left),		 cmocka_unit_test(links_are_followed),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
