/* Accuracy of the corners in a mesh file, estimated from the digits of its numbers, whichever program wrote them. */
#include "test.h"

#include <stdlib.h>

#include "format/mesh.h"

enum { CORNERS = 60 };

static vec3 corner[CORNERS];

static real unit_of(void)
{
	mesh m = {.vertices = CORNERS, .vertex = corner};
	return scree_mesh_unit(&m);
}

static real written(const char *format, int digits, real x)
{
	char text[64];
	snprintf(text, sizeof text, format, digits, x);
	return strtod(text, NULL);
}

/* random corners in a box, rounded as a format writes them */
static void write_all(random_stream *r, const char *format, int digits, real size)
{
	for (int i = 0; i < CORNERS; ++i) {
		real x[3];
		for (int k = 0; k < 3; ++k) x[k] = written(format, digits, scree_random_between(r, -size, size));
		corner[i] = v3(x[0], x[1], x[2]);
	}
}

static void digits_are_counted(void **state)
{
	(void)state;
	FOR_SEEDS(100)
	{
		random_stream r = scree_random_start(test_seed, 1);
		const int digits = 4 + (int)(test_seed % 6);
		const real size = (real[]){0.009, 0.9, 7, 95, 4000}[test_seed % 5];
		real unit = 1;
		for (int k = 0; k < digits; ++k) unit /= 10;
		write_all(&r, "%.*f", digits, size);
		if (size > 100 * unit) NEAR(unit_of(), unit, 1e-6 * unit, "decimals");
		write_all(&r, "%.*g", digits, size);
		const real at_most = size < 0.01 ? 0.001 : size < 1 ? 0.1 : size < 10 ? 1 : size < 100 ? 10 : 1000;
		NEAR(unit_of(), 10 * unit * at_most, 1e-6 * unit * at_most, "digits");
	}
}

static void nothing_is_said_by_full_or_round_numbers(void **state)
{
	(void)state;
	random_stream r = scree_random_start(1, 2);
	write_all(&r, "%.*g", 17, 1);
	CHECK(unit_of() == 0, "full doubles: %g", unit_of());
	for (int i = 0; i < CORNERS; ++i) corner[i] = v3((float)corner[i].x, (float)corner[i].y, (float)corner[i].z);
	NEAR(unit_of(), 0x1p-23, 0.1 * 0x1p-23, "single precision");
	for (int i = 0; i < CORNERS; ++i) corner[i] = v3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1e-9 : 0);
	CHECK(unit_of() == 0, "a cube with a speck: %g", unit_of());
	for (int i = 0; i < CORNERS; ++i) corner[i] = v3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1.0001 : 1);
	CHECK(unit_of() == 0, "a step that is meant: %g", unit_of());
	for (int i = 0; i < CORNERS; ++i) corner[i] = v3(0, 0, 0);
	CHECK(unit_of() == 0, "nothing: %g", unit_of());
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(digits_are_counted),
									   cmocka_unit_test(nothing_is_said_by_full_or_round_numbers)};
	return cmocka_run_group_tests_name("mesh digits", tests, NULL, NULL);
}
