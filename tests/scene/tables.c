/* Tables written by spreadsheets and programs have exactly one meaning, or cause an error message. */
#include "scene_text.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "scene/scene.h"
#include "scene/text.h"
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

/* all of these tables contain two bodies, at (0.1, 0.2, 0.3) and (-1, 2000, 4e-2) */
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
		"x [mm],y (cm),z [m]\n100,20,0.3\n-1000,2e5,4e-2\n",
		"x [mm];y;z [um]\n100;0,2;300000\n-1e3;2000;40e3\n",
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
		{"x,y,z\n0,1,0,2,0,3\n", "decimal point, or separate them"},
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
		{"x [kg],y,z\n0.1,0.2,0.3\n", "x: the unit 'kg' was not expected here; for example, m"},
		{"x,y,z,vx [mm]\n0.1,0.2,0.3,1\n", "vx: the unit 'mm' was not expected here; for example, m/s"},
		{"x,y,z,wx [1/s]\n0.1,0.2,0.3,1\n", "wx: the unit '1/s' was not expected here; for example, rad/s"},
		{"x,y,z,shape [mm]\n0.1,0.2,0.3,s\n", "shape: the unit 'mm' was not expected here"},
		{"x [furlong],y,z\n0.1,0.2,0.3\n", "x: 'furlong' is not a unit"},
		{"x,y,z,size [mm]\n0.1,0.2,0.3,-2\n", "size: '-2' is out of range: it must be between"},
		{"x [km],y,z\n1e308,0.2,0.3\n", "'1e308' is not a number"},
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

/* Every column with a unit equals the same numbers in SI units, bitwise unless the unit contains a factor of pi. */
static void bodies_have_units(void **state)
{
	(void)state;
	static const char *const table[] = {
		"x [mm],y [cm],z [m],size [um],vx [mm/s],vy [cm/s],vz [m/s],wx [rpm],wy [deg/s],wz [rad/s]\n"
		"100,20,0.3,1500,1500,250,-4,60,180,7\n500,20,0.3,1500,1500,250,-4,60,180,7\n",
		"x,y,z,size,vx,vy,vz,wx,wy,wz\n0.1,0.2,0.3,1.5e-3,1.5,2.5,-4,6.283185307179586,3.141592653589793,7\n"
		"0.5,0.2,0.3,1.5e-3,1.5,2.5,-4,6.283185307179586,3.141592653589793,7\n"};
	scene s[2];
	for (int k = 0; k < 2; ++k) {
		char *report = NULL;
		const bool read = read_table(table[k], s + k, &report);
		CHECK(read, "table %d:\n%s", k, report ? report : "");
	}
	const bodies *a = &s[0].world->state.body, *b = &s[1].world->state.body;
	const real of_a[] = {a->x[0],  a->y[0],	 a->z[0],  a->size[0], a->vx[0],
						 a->vy[0], a->vz[0], a->wx[0], a->wy[0],   a->wz[0]};
	const real of_b[] = {b->x[0],  b->y[0],	 b->z[0],  b->size[0], b->vx[0],
						 b->vy[0], b->vz[0], b->wx[0], b->wy[0],   b->wz[0]};
	for (size_t k = 0; k < sizeof of_a / sizeof *of_a; ++k)
		CHECK(fabs(of_a[k] - of_b[k]) <= (k == 7 || k == 8 ? 4e-16 * of_b[k] : 0) && of_a[k] != 0,
			  "column %zu: %.17g, not %.17g", k, of_a[k], of_b[k]);
	scree_scene_free(s);
	scree_scene_free(s + 1);
}

/* ------------------------------------------------------------------ all kinds of tables */

#define HEAD                                                                                                           \
	"scene: 1\nworld: {gravity: [0, 0, 0]}\nmaterials: {m: {density: 1 g/cm^3, young: 1 MPa}}\nrun: {until: 1 s}\n"
#define BEAD "shapes: {s: {sphere: {diameter: 1}}}\n"
#define BOX	 "region: {box: {min: [0, 0, 0], max: [40 mm, 40 mm, 40 mm]}}, material: m, shape: s, "
#define LID	 "walls: {lid: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: m, motion: "
#define END                                                                                                            \
	"}}\nfill: [{region: {box: {min: [0, 0, 0], max: [9 mm, 9 mm, 9 mm]}}, material: m, shape: s, count: 2, size: 1 "  \
	"mm}]\n"

#define CELL                                                                                                           \
	"scene: 1\nmaterials: {m: {density: 1 g/cm^3, young: 1 MPa}}\nrun: {until: 1 ms}\n" BEAD                           \
	"world: {gravity: [0, 0, 0], periodic: [x, y, z], domain: {min: [0, 0, 0], max: [9 mm, 9 mm, 9 mm]}, "
#define CELL_END                                                                                                       \
	"}\nfill: [{region: {box: {min: [0, 0, 0], max: [9 mm, 9 mm, 9 mm]}}, material: m, shape: s, count: 2, size: 1 "   \
	"mm}]\n"

/* A kind of table: a scene that reads the file, the same scene with the values of the table (or NULL), and two rows of
 * the table. */
typedef struct table_kind {
	const char *name, *filed, *direct;
	int columns;
	const char *column[4], *row[2][4]; /* numbers with a decimal point */
} table_kind;

static const table_kind kinds[] = {
	{"bodies",
	 HEAD BEAD "fill: [{from: dialect.csv, material: m, shape: s, size: 1 mm}]\n",
	 NULL,
	 3,
	 {"x", "y [mm]", "z (cm)"},
	 {{"0.1", "0.2", "0.3"}, {"-1", "2000.5", "4e-2"}}},
	{"sieve curve",
	 HEAD BEAD "fill: [{" BOX "count: 20, size: {sieve: {file: dialect.csv}}}]\n",
	 HEAD BEAD "fill: [{" BOX "count: 20, size: {sieve: {size: [1.5 mm, 4.25 mm], passing: [0, 100]}}}]\n",
	 2,
	 {"size [mm]", "passing"},
	 {{"1.5", "0"}, {"4.25", "100"}}},
	{"spheres of a clump",
	 HEAD "shapes: {s: {clump: {file: dialect.csv}}}\nfill: [{" BOX "count: 20, size: 2 mm}]\n",
	 HEAD "shapes: {s: {clump: {centers: [[0, 0, 0.25], [0.5, 0, 0]], radii: [0.5, 0.75]}}}\nfill: [{" BOX
		  "count: 20, size: 2 mm}]\n",
	 4,
	 {"x", "y", "z", "r"},
	 {{"0", "0", "0.25", "0.5"}, {"0.5", "0", "0", "0.75"}}},
	{"motion of a wall",
	 HEAD BEAD LID "{table: {file: dialect.csv}}" END,
	 HEAD BEAD LID "{table: {time: [0 s, 2.5 s], position: [[0.5 mm, 0, 1 mm], [0, 0, 2.5 mm]]}}" END,
	 3,
	 {"time", "x [mm]", "z (mm)"},
	 {{"0", "0.5", "1"}, {"2.5", "0", "2.5"}}},
	{"load of a servo",
	 HEAD BEAD LID "{servo: {table: {file: dialect.csv}, max_speed: 1 m/s, mass: 1 kg}}" END,
	 HEAD BEAD LID "{servo: {table: {time: [0 s, 2.5 s], force: [0.5 N, 1.5 N]}, max_speed: 1 m/s, mass: 1 kg}}" END,
	 2,
	 {"time [s]", "force [N]"},
	 {{"0", "0.5"}, {"2.5", "1.5"}}},
	{"strain rates of the cell",
	 CELL "strain_table: {file: dialect.csv}" CELL_END,
	 CELL "strain_table: {time: [0 s, 2.5 ms], rate: [[0.5 1/s, 0, 0], [-1.5e-2 1/s, 0, 2.25 "
		  "1/s]]}" CELL_END,
	 3,
	 {"time [ms]", "rate_x", "rate_z (1/s)"},
	 {{"0", "0.5", "0"}, {"2.5", "-1.5e-2", "2.25"}}},
	{"stresses of the cell",
	 CELL "servo: {axes: [x, z], max_rate: 1 1/s, lag: 1 ms, table: {file: dialect.csv}}" CELL_END,
	 CELL "servo: {axes: [x, z], max_rate: 1 1/s, lag: 1 ms, table: {time: [0 s, 2.5 ms], stress: [[1.5 kPa, 0, 20 "
		  "kPa], [3 kPa, 0, 0.25 kPa]]}}" CELL_END,
	 3,
	 {"time [ms]", "stress_x [kPa]", "stress_z (kPa)"},
	 {{"0", "1.5", "20"}, {"2.5", "3", "0.25"}}},
};

/* A dialect used by programs that write tables. An asterisk represents the separators within a line. */
typedef struct dialect {
	const char *before, *between, *after, *separator, *end, *tail; /* lines; end of line; text after the last value */
	bool comma, quoted;											   /* with decimal commas; with quotes around values */
} dialect;

static const dialect dialects[] = {
	{"", "", "", ",", "\n", "", false, false},
	{"\xEF\xBB\xBFsep=;\r\n", "*\r\n", "*\r\n*\r\n", ";", "\r\n", "", true, false},
	{"sep=,\n# of a spreadsheet\n*\n", "# a comment\n\n*\n", " * \n", ",", "\n", " ,", false, true},
	{"# semicolons\n\n", "  # a comment\n", "\n", ";", "\n", ";;", true, true},
	{"sep=\t\r\n", "*\r\n", "*\r\n", "\t", "\r\n", "", true, false},
	{"# of an old program\r", "\r", "*\r", ",", "\r", "", false, false},
};

/* writes lines in which * stands for the separators */
static void write_lines(writing *t, const char *lines, const dialect *d, int columns)
{
	for (; *lines; ++lines)
		if (*lines == '*')
			for (int k = 1; k < columns; ++k) scree_writing_add(t, "%s", d->separator);
		else
			scree_writing_bytes(t, lines, 1);
}

static void write_row(writing *t, const table_kind *k, const dialect *d, const char *const *value)
{
	for (int c = 0; c < k->columns; ++c) {
		const size_t start = t->length + (c > 0) + d->quoted;
		scree_writing_add(t, d->quoted ? "%s\"%s\"" : "%s%s", c ? d->separator : "", value[c]);
		char *point = value != k->column ? strchr(t->bytes + start, '.') : NULL;
		if (point && d->comma) *point = ',';
	}
	scree_writing_add(t, "%s%s", d->tail, d->end);
}

static char *write_table(const table_kind *k, const dialect *d)
{
	writing t = {0};
	write_lines(&t, d->before, d, k->columns);
	write_row(&t, k, d, k->column);
	for (int row = 0; row < 2; ++row) {
		write_lines(&t, d->between, d, k->columns);
		write_row(&t, k, d, k->row[row]);
	}
	write_lines(&t, d->after, d, k->columns);
	return scree_writing_take(&t);
}

static bool read_kind(const table_kind *k, const char *scene_of, const char *bytes, scene *out, char **report)
{
	FILE *file = fopen(SCREE_BINARY "/dialect.csv", "wb");
	CHECK(file && fputs(bytes, file) >= 0 && fclose(file) == 0, "%s cannot be written", k->name);
	return read_scene(SCREE_BINARY "/dialect.scene.yaml", scene_of, strlen(scene_of), 0, NULL, false, out, report);
}

static scene scene_of(const table_kind *k, const char *text, const char *bytes)
{
	scene s;
	char *report;
	const bool read = read_kind(k, text, bytes, &s, &report);
	CHECK(read, "%s:\n%s\n%s", k->name, bytes, report);
	scree_free(report);
	return s;
}

static uint64_t hash_of(const scene *s)
{
	return scree_world_hash(&s->world->model, &s->world->state, &s->world->work);
}

/* All dialects give the same result as the scene with the values of the table or, if there is none, as the first
 * dialect. */
static void all_kinds_read_all_dialects(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
		const table_kind *k = kinds + i;
		char *plain = write_table(k, dialects);
		scene oracle = scene_of(k, k->direct ? k->direct : k->filed, plain);
		for (size_t n = 0; n < sizeof dialects / sizeof *dialects; ++n) {
			char *bytes = write_table(k, dialects + n);
			scene s = scene_of(k, k->filed, bytes);
			CHECK(hash_of(&s) == hash_of(&oracle), "%s, dialect %zu: another world\n%s", k->name, n, bytes);
			/* tables of motions and of the cell appear in the resolved scene */
			const bool whole = strstr(k->filed, "walls") || strstr(k->filed, "world: {gravity: [0, 0, 0], periodic");
			CHECK(!whole || !strcmp(s.resolved, oracle.resolved), "%s, dialect %zu:\n%s\n%s", k->name, n, s.resolved,
				  oracle.resolved);
			scree_free(bytes);
			scree_scene_free(&s);
		}
		scree_free(plain);
		scree_scene_free(&oracle);
	}
}

/* A table with an error in line 4 or 6, which follows lines that are skipped. */
static char *write_mistake(const table_kind *k, const char *column, const char *cell, const char *more)
{
	writing t = {0};
	scree_writing_add(&t, "sep=;\r\n# a comment\r\n;;;\r\n");
	for (int c = 0; c < k->columns; ++c) scree_writing_add(&t, c ? ";%s" : "%s", c == 1 ? column : k->column[c]);
	scree_writing_add(&t, "\r\n;;\r\n");
	for (int c = 0; c < k->columns; ++c) scree_writing_add(&t, c ? ";%s" : "%s", c == 1 ? cell : k->row[0][c]);
	scree_writing_add(&t, "%s\r\n", more);
	return scree_writing_take(&t);
}

static void is_refused(const table_kind *k, const char *bytes, int line, size_t column, const char *words)
{
	scene s;
	char *report, at[64];
	snprintf(at, sizeof at, "dialect.csv:%d:%zu: error: ", line, column);
	const bool read = read_kind(k, k->filed, bytes, &s, &report);
	CHECK(!read, "%s was read:\n%s", k->name, bytes);
	CHECK(strstr(report, at) && strstr(report, words), "%s: expected %s%s, found\n%s", k->name, at, words, report);
	scree_free(report);
}

/* Messages contain the line of the file, the column, and the expected content. */
static void all_kinds_say_where(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
		const table_kind *k = kinds + i;
		char *number = write_mistake(k, k->column[1], "1.2.3", ""), *name = write_mistake(k, "colour", "1", ""),
			 *more = write_mistake(k, k->column[1], k->row[0][1], ";7"),
			 *fewer = write_mistake(k, k->column[1], "1", "");
		size_t end = 0;
		for (int c = 0; c < k->columns; ++c) end += strlen(k->row[0][c]) + 1;
		is_refused(k, name, 4, strlen(k->column[0]) + 2, "there is no column 'colour'");
		is_refused(k, number, 6, strlen(k->row[0][0]) + 2, "1.2.3");
		is_refused(k, more, 6, end + 1, "more values than the ");
		char *line = strstr(fewer, "\n;;\r\n") + 5;
		snprintf(line, 4, "1\r\n"); /* the line has only its first value */
		is_refused(k, fewer, 6, 3, "1 values instead of ");
		scree_free(number);
		scree_free(name);
		scree_free(more);
		scree_free(fewer);
	}
}

/* A unit that cannot be parsed is never mistaken for an SI unit. */
static void units_are_whole(void **state)
{
	static const char *const bad[][2] = {
		{" [mm", "is not closed: ']' was expected"},
		{" (mm]", "is not closed: ')' was expected"},
		{" [mm)", "is not closed: ']' was expected"},
		{" [", "is not closed: ']' was expected"},
		{" [mm] (lab)", "is not closed: ']' was expected"},
		{" (mm) lab", "is not closed: ')' was expected"},
		{" []", "is empty"},
		{" ( )", "is empty"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
		for (size_t b = 0; b < sizeof bad / sizeof *bad; ++b) {
			const table_kind *k = kinds + i;
			char name[32], words[96];
			writing column = {0};
			snprintf(name, sizeof name, "%.*s", (int)strcspn(k->column[1], " "), k->column[1]);
			snprintf(words, sizeof words, "the unit of '%s' %s", name, bad[b][1]);
			scree_writing_add(&column, "%s%s", name, bad[b][0]);
			char *bytes = write_mistake(k, column.bytes, k->row[0][1], "");
			is_refused(k, bytes, 4, strlen(k->column[0]) + 2, words);
			scree_free(bytes);
			scree_free(scree_writing_take(&column));
		}
}

static void a_snapshot_is_no_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
		scene s;
		char *report;
		const bool read = read_kind(kinds + i, kinds[i].filed, "scree snapshot 9\n", &s, &report);
		CHECK(!read, "%s was read", kinds[i].name);
		CHECK(strstr(report, "'dialect.csv' is a snapshot, not a table"), "%s:\n%s", kinds[i].name, report);
		scree_free(report);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_meaning),
		cmocka_unit_test(refused_in_words),
		cmocka_unit_test(bodies_have_units),
		cmocka_unit_test(all_kinds_read_all_dialects),
		cmocka_unit_test(all_kinds_say_where),
		cmocka_unit_test(units_are_whole),
		cmocka_unit_test(a_snapshot_is_no_table),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
