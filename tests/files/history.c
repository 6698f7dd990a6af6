/* The history: heads, chosen columns, cutting on a resume. */
#include "base/memory.h"
#include "format/file.h"
#include "format/history.h"
#include "lab.h"
#include "test.h"

#include <stdlib.h>
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
	w->gravity = v3(0, 0, -9.81);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add(w, 0, 0.01, v3(0, 0, 0.006));
	lab_add(w, 0, 0.01, v3(0.004, 0, 0.017));
	lab_prepare(w, 1e-5);
	return w;
}

static energy_row noted[32];

static void rows(const history_plan *plan, scree_world *w, int64_t kept, int count)
{
	fail why = {0};
	history *h = scree_history_open(path, plan, w, kept, &why);
	CHECK(h != NULL, "%s", why.text);
	for (int k = 0; k < count; ++k) {
		noted[k] = scree_world_energy(w);
		CHECK(scree_history_row(h, w, &why), "%s", why.text);
		lab_steps(w, 200);
	}
	scree_history_close(h);
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
	rows(&plan, w, 0, 20);
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
	rows(&plan, w, 0, 10);
	char *whole = contents();
	CHECK(strstr(whole, "\ntime,max_speed,kinetic\n"), "%s", whole);
	rows(&plan, v, 0, 6);
	FILE *f = fopen(path, "a"); /* rows after the snapshot, the last one torn */
	CHECK(f && fprintf(f, "0.9,9,9\n0.91,") > 0 && !fclose(f), "no file");
	rows(&plan, v, 6, 4);
	char *parts = contents();
	CHECK(!strcmp(whole, parts), "%s\nis not\n%s", parts, whole);
	scree_free(whole);
	scree_free(parts);
	scree_world_free(v);
	scree_world_free(w);
}

static void wrong_plans_are_refused(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = two_balls();
	history_plan plan = {.on = true, .values = 1, .value = {"heat"}};
	CHECK(!scree_history_open(path, &plan, w, 0, &why), "unknown value");
	CHECK(strstr(why.text, "'heat'") && strstr(why.text, "lost_friction"), "%s", why.text);
	snprintf(plan.value[0], sizeof plan.value[0], "made");
	rows(&plan, w, 0, 2);
	snprintf(plan.value[0], sizeof plan.value[0], "bodies");
	CHECK(!scree_history_open(path, &plan, w, 2, &why) && strstr(why.text, "other columns"), "%s", why.text);
	CHECK(!scree_history_open("/no/such/folder/h.csv", &plan, w, 0, &why) && why.code == FAIL_IO, "%s", why.text);
	scree_history_close(NULL);
	unlink(path);
	rows(&plan, w, 2, 1); /* another folder: begun anew */
	scree_world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_hold_the_ledger),
		cmocka_unit_test(a_resumed_history_ends_like_a_whole_one),
		cmocka_unit_test(wrong_plans_are_refused),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
