/* Quantities and expressions: numbers are rounded only once, units agree with udunits2, and dimensions are checked. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "scene/reader.h"

/* evaluates `value` as a quantity, with lets; returns false if it was refused */
static bool evaluate(const char *let, const char *value, quantity *out)
{
	reader *r = scree_alloc(1, sizeof *r);
	char text[4096];
	snprintf(text, sizeof text, "let: {%s}\nvalue: %s\n", let, value);
	r->folder = "";
	bool ok = scree_reader_tree(r, "test", text, strlen(text));
	if (ok) {
		scree_lets_open(&r->let, &r->r, scree_node_child(r->root, "let"));
		ok = scree_quantity(&r->let, scree_node_child(r->root, "value"), "value", out);
	}
	if (ok == (r->r.total > 0)) {
		char *report = scree_report_text(&r->r);
		print_error("%s", report);
		scree_free(report);
		fail();
	}
	scree_arena_free(&r->memory);
	scree_free(r);
	return ok;
}

static real value_of(const char *let, const char *text)
{
	quantity q = {0, {0, 0, 0, 0}, 0};
	CHECK(evaluate(let, text, &q), "'%s' was refused", text);
	return q.value;
}

static void numbers_are_rounded_once(void **state)
{
	(void)state;
	FOR_SEEDS(2000)
	{
		random_stream s = scree_random_start(test_seed, 1);
		char text[64], plain[120];
		int digits = 1 + (int)(scree_random_bits(&s) % 17);
		double x = scree_random_between(&s, -1000, 1000);
		snprintf(text, sizeof text, "%.*g", digits, x);
		char *e = strchr(text, 'e');
		if (e) continue;
		static const struct {
			const char *unit;
			int power;
		} row[] = {{"mm", -3}, {"um", -6}, {"cm", -2}, {"GPa", 9}, {"g/cm^3", 3}, {"kN/m", 3}, {"%", -2}, {"ms", -3}};
		for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
			char with[120];
			snprintf(with, sizeof with, "%s %s", text, row[i].unit);
			snprintf(plain, sizeof plain, "%se%d", text, row[i].power);
			double wanted = strtod(plain, NULL), got = value_of("", with);
			CHECK(got == wanted, "%s: %.17g is not %.17g", with, got, wanted);
		}
	}
}

/* value of a unit according to udunits2, with six digits; NAN if the unit is unknown */
static double oracle(const char *from, const char *to)
{
	char command[200], answer[400];
	snprintf(command, sizeof command, "udunits2 -H '%s' -W '%s' 2>/dev/null", from, to);
	FILE *pipe = popen(command, "r");
	if (!pipe) return NAN;
	size_t n = fread(answer, 1, sizeof answer - 1, pipe);
	answer[n] = 0;
	pclose(pipe);
	/* "1 mm = 0.001 m" */
	const char *equals = strchr(answer, '=');
	return equals ? strtod(equals + 1, NULL) : NAN;
}

static void units_agree_with_udunits(void **state)
{
	(void)state;
	if (system("command -v udunits2 >/dev/null 2>&1")) skip();
	int count = 0;
	const char *name;
	for (int i = 0; (name = scree_unit_names(NULL, i)); ++i, ++count) {
		unit u;
		char here[64];
		const char *theirs = !strcmp(name, "rpm")	? "(2*3.14159265358979323846/60) rad/s"
							 : !strcmp(name, "deg") ? "arc_degree"
													: name;
		writing si = {0};
		assert_true(scree_unit_find(name, strlen(name), &u));
		scree_dimension_unit(&si, u.of);
		snprintf(here, sizeof here, "1 %s", name);
		double got = value_of("", here), wanted = oracle(theirs, u.flags & HAS_ANGLE && !u.of.s ? "rad" : si.bytes);
		CHECK(real_abs(got - wanted) <= 5e-6 * real_abs(wanted), "1 %s is %.17g %s here and %.17g there", name, got,
			  si.bytes, wanted);
		scree_free(scree_writing_take(&si));
	}
	CHECK(count > 40, "only %d units", count);
	static const char *const compound[][2] = {{"1 kg/m^3", "kg/m^3"}, {"1 g/cm^3", "kg/m^3"}, {"1 m/s^2", "m/s^2"},
											  {"1 N/m", "kg/s^2"},	  {"1 kN/mm", "N/m"},	  {"1 1/min", "1/s"},
											  {"1 N*s/m", "kg/s"},	  {"1 mm^3", "m^3"},	  {"1 t/m^3", "kg/m^3"},
											  {"1 km/h", "m/s"},	  {"1 J/m^2", "N/m"},	  {"1 kg*m^2/s^2", "J"}};
	for (size_t i = 0; i < sizeof compound / sizeof *compound; ++i) {
		double got = value_of("", compound[i][0]),
			   wanted = oracle(!strcmp(compound[i][0], "1 1/min") ? "min^-1" : compound[i][0] + 2, compound[i][1]);
		CHECK(real_abs(got - wanted) <= 5e-6 * real_abs(wanted), "%s is %.17g here and %.17g there", compound[i][0],
			  got, wanted);
	}
}

static void expressions(void **state)
{
	(void)state;
	static const struct {
		const char *let, *text;
		double value;
	} row[] = {
		{"", "= 1 + 2*3", 7},
		{"", "= -2^2", -4},
		{"", "= 2^3^2", 512},
		{"", "= (1 + 2)*3", 9},
		{"", "= 8/4/2", 1},
		{"", "= 7 - 3 - 2", 2},
		{"", "= 2*-3", -6},
		{"", "= sqrt(16) + abs(-2) + min(3, 4) + max(3, 4)", 13},
		{"", "= cos(0) + exp(0) + log(1)", 2},
		{"", "= 2*pi", 2 * SCREE_PI},
		{"R: 50 mm", "= 0.9*R", 0.9 * 0.05},
		{"R: 50 mm, d: = R/10", "= R - 2*d - 1 mm", 0.05 - 2 * (0.05 / 10) - 0.001},
		{"a: = b, b: = c, c: 3 m", "= a", 3},
		{"s: 2 m", "= 6 m/s", 3}, /* names take precedence over units */
		{"", "= 6 m/s", 6},
		{"", "= 10 kN/mm^2", 1e10},
		{"m: 2", "= 4 mm*m", 0.008},
		{"", "5mm", 0.005},
		{"", "  5   mm  ", 0.005},
		{"", "'5 mm'", 0.005},
		{"", "1e-3", 0.001},
		{"", ".5", 0.5},
		{"", "+5.", 5},
		{"", "= 1 m^2/(2 m)", 0.5},
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
		double got = value_of(row[i].let, row[i].text);
		CHECK(got == row[i].value, "'%s' with {%s} is %.17g, not %.17g", row[i].text, row[i].let, got, row[i].value);
	}
	NEAR(value_of("", "= sin(30 deg)"), 0.5, 1e-15, "sin(30 deg)");
	NEAR(value_of("", "30 rpm"), SCREE_PI, 1e-15, "30 rpm");
	NEAR(value_of("", "= 2^0.5"), 1.4142135623730951, 1e-15, "root of 2");
}

static void dimensions(void **state)
{
	(void)state;
	quantity q;
	assert_true(evaluate("v: 3 m/s", "= v^2/(9.81 m/s^2)", &q));
	assert_true(scree_dimension_same(q.of, (dimension){0, 1, 0, 0}));
	assert_true(evaluate("", "= sqrt(4 N/m/(1 kg))", &q));
	assert_true(scree_dimension_same(q.of, (dimension){0, 0, -1, 0}));
	NEAR(q.value, 2, 0, "sqrt(k/m)");
	static const char *const wrong[] = {
		"= 1 m + 1 s", "= sqrt(1 m)", "= sin(1 m)", "= 2^(1 m)", "= (1 m)^0.5", "= min(1 m, 1 s)",
		"= 1 m^40",	   "= foo(1)",	  "= (1",		"= 1)",		 "= ",			"= 1 +",
		"0,5",		   "0x10",		  "1e999",		"nan",		 "inf",			"1 m/",
		"1 /s",		   "5 5",		  "= log(-1)",	"= 1/0",	 "5 mm/s^",		"[1]",
		"= min(1)",	   "--5",		  "1_000",		"= 1 2",	 "5 m^99",		"= 1 $ 2"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
		CHECK(!evaluate("", wrong[i], &q), "'%s' was taken as %.17g", wrong[i], q.value);
	assert_false(evaluate("a: = b, b: = a", "= a", &q));
	assert_false(evaluate("a: = a", "= a", &q));
}

/* deeply nested brackets cause an error message, not a stack overflow */
static void deep_expressions(void **state)
{
	(void)state;
	static const char *const piece[] = {"(", "-(", "1^", "sqrt("};
	for (int k = 0; k < 4; ++k) {
		char text[3900] = "= ";
		quantity q;
		while (strlen(text) < 3800) strcat(text, piece[k]);
		strcat(text, "1");
		assert_false(evaluate("", text, &q));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_rounded_once),
		cmocka_unit_test(units_agree_with_udunits),
		cmocka_unit_test(expressions),
		cmocka_unit_test(dimensions),
		cmocka_unit_test(deep_expressions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
