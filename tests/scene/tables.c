/* Tables of bodies as spreadsheets and programs write them: one meaning, or a sentence. */
#include "scene_text.h"
#include "test.h"

#include <stdio.h>

#include "base/memory.h"
#include "scene/scene.h"
#include "world/world.h"

static const char scene_text[] =
	"scene: 1\nworld: {gravity: [0, 0, 0]}\nmaterials: {m: {density: 1 g/cm^3, young: 1 MPa}}\n"
	"shapes: {s: {sphere: 1}, t: {sphere: 2}}\n"
	"fill: [{from: dialect.csv, material: m, shape: s, size: 1 mm}]\nrun: {until: 1 s}\n";

static bool read_table(const char *bytes, scene *out, char **report)
{
	FILE *file = fopen(SCREE_BINARY "/dialect.csv", "wb");
	assert_true(file && fputs(bytes, file) >= 0 && fclose(file) == 0);
	*report = NULL;
	return read_scene(SCREE_BINARY "/dialect.scene.yaml", scene_text, strlen(scene_text), 0, NULL, false, out, report);
}

/* all of them two bodies, at (0.1, 0.2, 0.3) and (-1, 2000, 4e-2) */
static void one_meaning(void **state)
{
	(void)state;
	static const char *const good[] = {
		"x,y,z\n0.1,0.2,0.3\n-1,2000,4e-2\n",
		"x;y;z\n0,1;0,2;0,3\n-1;2000;4e-2\n",
		"x;y;z\r\n0.1; 0,2 ;0,3\r\n-1;2000,0;0,04\r\n",
		"x\ty\tz\n0.1\t0,2\t0,300\n-1\t2000\t4e-2\n",
		"\"x\",\"y\",\"z\"\n\"0.1\",\"0.2\",\"0.3\"\n-1,\"2000\" , \" 4e-2 \"\n",
		"\"x\";\"y\";\"z\"\n\"0,1\";0,2;\"0,3\"\n-1;2000;4e-2\n",
		"x,y,z,\n0.1,0.2,0.3,\n-1,2000,4e-2,\n",
		"x,y,z\n0.1,0.2,0.3,,,\n-1,2000,4e-2 , \n,,\n",
		"x,y,z,,\n0.1,0.2,0.3\n-1,2000,4e-2\n",
		"  x   y  z \n 0.1 0.2\t0.3  \n -1 2000 4e-2\n",
		"\xEF\xBB\xBFsep=;\r\nx;y;z\r\n0,1;0,2;0,3\r\n;;\r\n-1;2000;4e-2\r\n",
		"# of a program\rx,y,z\r0.1,0.2,0.3\r-1,2000,4e-2\r",
		"shape,x,y,z\n\"s\",0.1,0.2,0.3\ns,-1,2000,4e-2\n",
		"z,\"y\",x,wz,\n0.3,0.2,0.1,0,\n4e-2,2000,-1,0,",
	};
	for (size_t k = 0; k < sizeof good / sizeof *good; ++k) {
		scene s;
		char *report = NULL;
		const bool read = read_table(good[k], &s, &report);
		CHECK(read, "table %zu:\n%s", k, report ? report : "");
		const bodies *b = &s.world->state.body;
		CHECK(b->count == 2, "table %zu: %d bodies", k, b->count);
		for (int i = 0; i < 2; ++i) {
			const vec3 at = i ? v3(-1, 2000, 4e-2) : v3(0.1, 0.2, 0.3);
			int32_t row = b->id[0] == (uint64_t)i + 1 ? 0 : 1;
			CHECK(b->x[row] == at.x && b->y[row] == at.y && b->z[row] == at.z, "table %zu: (%g, %g, %g)", k, b->x[row],
				  b->y[row], b->z[row]);
		}
		scree_scene_free(&s);
	}
}

static void refused_in_words(void **state)
{
	(void)state;
	static const char *const bad[][2] = {
		{"x,y,z\n0,1,0,2,0,3\n", "decimal point, or semicolons"},
		{"x,y,z\n\"0,1\",\"0,2\",\"0,3\"\n", "'0,1' is not a number"},
		{"x\ty\tz\n1,234\t0\t0\n", "'1,234' is not a number"},
		{"x;y;z\n1.234,5;0;0\n", "'1.234,5' is not a number"},
		{"x;y;z\n1,234,5;0;0\n", "'1,234,5' is not a number"},
		{"x,y,z\n0.1,0.2,\n", "'' is not a number"},
		{"x,y,z\n0.1,,0.2\n", "'' is not a number"},
		{"x,,y,z\n0.1,,0.2,0.3\n", "there is no column ''"},
		{"x,y,z,\n0.1,0.2,0.3,0.4\n", "more values than the 3 columns"},
		{"x,y,z\n\"0.1,0.2,0.3\n", "is not a number"},
		{"x,y,z\n\"0.1\"5,0.2,0.3\n", "is not a number"},
		{"x;y;z\n0.1,0.2,0.3\n", "is not a number"},
		{"x y z\n0.1 0.2\n", "2 values instead of 3"},
	};
	for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
		scene s;
		char *report = NULL;
		const bool read = read_table(bad[k][0], &s, &report);
		CHECK(!read, "table %zu was read", k);
		CHECK(report && strstr(report, bad[k][1]), "table %zu:\n%s", k, report ? report : "");
		scree_free(report);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_meaning),
		cmocka_unit_test(refused_in_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
