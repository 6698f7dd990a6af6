/* Every number in a scene has a range: for each row of the table of keys, the limits and values beyond them are tried;
 * values within the range yield finite steps for every law. */
#include "reference.h"
#include "scene_text.h"
#include "test.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "scene/reader.h"

/* ------------------------------------------------------------------ each key */

static bool is_number(const key *k)
{
	return scree_takes_numbers(k) || k->kind == KEY_DIRECTION || k->kind == KEY_ORIENTATION;
}

typedef void visit_fn(const section *s, const key *k);

static int walk(visit_fn *visit)
{
	const section *row[80] = {&scree_scene_section};
	int sections = 1, numbers = 0;
	for (int i = 0; i < sections; ++i)
		for (int32_t k = 0; k < row[i]->rows; ++k) {
			const key *one = &row[i]->row[k];
			bool known = !one->of;
			for (int j = 0; j < sections; ++j) known |= row[j] == one->of;
			if (!known) row[sections++] = one->of;
			if (!is_number(one)) continue;
			visit(row[i], one);
			++numbers;
		}
	return numbers;
}

/* Returns the reader's message for one number as the value of this key, or NULL if the number is accepted. The caller
 * frees the message with scree_free */
static char *said_of(const key *k, double value)
{
	reader *r = scree_alloc(1, sizeof *r);
	char text[100], *said = NULL;
	double out;
	snprintf(text, sizeof text, "value: %.17g%s%s\n", value, k->unit ? " " : "", k->unit ? k->unit : "");
	r->folder = "";
	assert_true(scree_reader_tree(r, "test", text, strlen(text)));
	scree_lets_open(&r->let, &r->r, NULL);
	bool ok = scree_reader_real(r, k, scree_node_child(r->root, "value"), &out);
	assert_true(ok == (r->r.total == 0));
	if (!ok) said = scree_report_text(&r->r);
	scree_arena_free(&r->memory);
	scree_free(r);
	return said;
}

static void ends_hold(const section *s, const key *k)
{
	range g = scree_range(k);
	CHECK(g.low - g.low == 0 && g.high - g.high == 0 && g.low <= g.high, "%s.%s: from %g to %g", s->name, k->name,
		  g.low, g.high);
	const struct {
		double value;
		bool taken;
	} row[] = {{g.low, !g.open_low},
			   {g.high, !g.open_high},
			   {nextafter(g.low, -INFINITY), g.or_zero && nextafter(g.low, -INFINITY) == 0},
			   {nextafter(g.high, INFINITY), false},
			   {g.low / 2 + g.high / 2, true},
			   {0, scree_range_holds(g, 0)},
			   {1e308, false},
			   {-1e308, false},
			   {1e-308, g.low <= 0 && g.high > 0}};
	for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
		char *said = said_of(k, row[i].value);
		CHECK((said == NULL) == row[i].taken, "%s.%s: %.17g is %s", s->name, k->name, row[i].value,
			  said ? said : "taken");
		CHECK(!said ||
				  (strstr(said, k->name) && strstr(said, g.low == g.high ? "must be" : "out of range: it must be")),
			  "%s", said);
		scree_free(said);
	}
}

static void every_number_has_a_range(void **state)
{
	(void)state;
	int numbers = walk(ends_hold);
	CHECK(numbers > 100, "only %d keys", numbers);
}

static char *reference, *schema;

/* the ranges are in the reference, which is generated in the same way as the output of `scree explain`, and in the JSON
 * Schema */
static void words_are_told(const section *s, const key *k)
{
	if (!scree_takes_numbers(k)) return;
	writing words = {0};
	fail why;
	scree_range_text(&words, scree_range(k), NULL);
	const char *of_section = strstr(reference, s->help);
	CHECK(of_section && strstr(of_section, words.bytes), "%s.%s: the reference does not tell '%s'", s->name, k->name,
		  words.bytes);
	if (s == &scree_section_run) { /* the path of this section, and of no other, is a single word */
		char path[100], *told;
		snprintf(path, sizeof path, "run.%s", k->name);
		told = scree_scene_explain(path, &why);
		CHECK(told && strstr(told, words.bytes), "%s", told);
		scree_free(told);
	}
	if (k->unit) {
		scree_writing_add(&words, " %s", k->unit);
		CHECK(strstr(schema, words.bytes), "%s.%s: the schema does not tell '%s'", s->name, k->name, words.bytes);
	}
	scree_free(scree_writing_take(&words));
}

static void ranges_are_told(void **state)
{
	(void)state;
	reference = scene_reference();
	schema = scree_scene_schema();
	walk(words_are_told);
	assert_non_null(strstr(schema, "\"exclusiveMinimum\":-1,\"maximum\":0.5"));
	assert_non_null(strstr(schema, "\"minimum\":1,\"maximum\":1000000000"));
	scree_free(reference);
	scree_free(schema);
}

/* ------------------------------------------------------------------ together */

/* Two bodies above a wall. If a scene is accepted, its step is finite and its state remains finite; if it is refused,
 * the message gives the cause. */
static bool try_extremes(const char *law, const char *shape, bool flat, double size, double density, double young,
						 double until)
{
	char text[2048];
	scene s;
	char *report = NULL;
	const char *z = flat ? "" : ", 0", *deep = flat ? "" : ", = 2*d";
	snprintf(text, sizeof text,
			 "scene: 1\nlet: {d: %g m}\nworld: {gravity: [0, -1e12 m/s^2%s]%s}\n"
			 "materials: {m: {density: %g kg/m^3, young: %g Pa}}\ncontacts: {default: {%s}}\nshapes: {s: {%s}}\n"
			 "walls: {w: {%s: {point: [0, = -d%s], normal: [0, 1%s]}, material: m}}\n"
			 "fill: [{region: {box: {min: [0, 0%s], max: [= 4*d, = 2*d%s]}}, lattice: {spacing: = 2*d}, material: m, "
			 "shape: s, size: = d}]\nrun: {until: %g s}\n",
			 size, z, flat ? ", dimension: 2" : "", density, young, law, shape, flat ? "line" : "plane", z, z, z, deep,
			 until);
	bool ok = read_scene("test", text, strlen(text), 0, NULL, true, &s, &report);
	if (!ok) {
		CHECK(!strstr(report, "nan") && !strstr(report, "inf ") && !strstr(report, "can touch"), "%s\n%s", text,
			  report);
		scree_free(report);
		return false;
	}
	CHECK(s.world->model.dt > 0 && s.world->model.dt < INFINITY, "%s\nstep %g", text, s.world->model.dt);
	assert_int_equal(s.world->state.body.count, 2);
	for (int k = 0; k < 2 && scree_step(s.world); ++k) {
		vec3 p = v3(s.world->state.body.x[0], s.world->state.body.y[0], s.world->state.body.z[0]);
		CHECK(v3_norm(p) - v3_norm(p) == 0, "%s\nat (%g, %g, %g)", text, p.x, p.y, p.z);
	}
	scree_scene_free(&s);
	return true;
}

static void extremes_give_finite_steps(void **state)
{
	(void)state;
	static const struct {
		const char *law, *shape;
		bool flat;
	} form[] = {
		{"law: hertz", "sphere: 1", false},
		{"law: hertz, restitution: 1e-300", "regular: cube", false},
		{"law: linear, stiffness: 1e-15 N/m", "sphere: 1", false},
		{"law: linear, stiffness: 1e24 N/m", "box: [1, 2, 3]", false},
		{"law: power, power: {overlap: 1e-12 m, force: 1e30 N}", "sphere: 1", false},
		{"law: power, power: {overlap: 1e12 m, force: 1e-30 N, damping: 1e30 kg/s}", "sphere: 1", false},
		{"law: volume", "regular: cube", false},
		{"law: area", "disc: 1", true},
		{"law: area", "box: [1, 1]", true},
		{"law: hertz, cohesion: {dmt: 1e12 J/m^2}", "sphere: 1", false},
		{"law: hertz, rolling_friction: 1e9, friction: 1e9", "sphere: 1", false},
	};
	static const double size[] = {1e-12, 1e-3, 2e11}, density[] = {1e-9, 1e3, 1e9}, young[] = {1e-6, 1e7, 1e24};
	int taken = 0, all = 0;
	for (size_t f = 0; f < sizeof form / sizeof *form; ++f)
		for (int i = 0; i < 27; ++i) {
			taken += try_extremes(form[f].law, form[f].shape, form[f].flat, size[i % 3], density[i / 3 % 3],
								  young[i / 9], 0);
			++all;
		}
	CHECK(taken > all / 2, "only %d of %d", taken, all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_number_has_a_range),
		cmocka_unit_test(ranges_are_told),
		cmocka_unit_test(extremes_give_finite_steps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
