/* Good scenes: their values reach the world, and the resolved scene is the same scene; --set, include, explain, and
 * docs. */
#include "lab.h"
#include "reference.h"
#include "scene_text.h"
#include "test.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "broad/broad.h"
#include "kernel/quat.h"
#include "papers/rows.h"
#include "scene/reader.h"

static void take(const char *name, const char *text, int sets, const char *const *set, scene *out)
{
	char *report = NULL;
	bool ok = read_scene(name, text, strlen(text), sets, set, false, out, &report);
	CHECK(ok, "%s was refused:\n%s", name, report ? report : "");
}

static char *refused(const char *text, int sets, const char *const *set)
{
	scene s;
	char *report = NULL;
	CHECK(!read_scene("test", text, strlen(text), sets, set, true, &s, &report), "this scene was accepted:\n%s", text);
	return report;
}

/* resolves a scene, loads the result, and compares the two bitwise */
static void check_resolved(const char *path, const scene *s)
{
	scene again;
	take(path, s->resolved, 0, NULL, &again);
	CHECK(scree_world_hash(&s->world->model, &s->world->state, &s->world->work) ==
			  scree_world_hash(&again.world->model, &again.world->state, &again.world->work),
		  "%s: the resolved scene gives another world", path);
	CHECK(s->world->model.dt == again.world->model.dt, "%s: the resolved scene gives another step", path);
	CHECK(!strcmp(s->resolved, again.resolved), "%s: resolved twice:\n%s\nonce:\n%s", path, again.resolved,
		  s->resolved);
	CHECK(s->run.until == again.run.until && s->run.step_part == again.run.step_part && s->run.step == again.run.step &&
			  s->run.snapshot_every == again.run.snapshot_every && s->run.snapshots_kept == again.run.snapshots_kept,
		  "%s: another plan", path);
	scree_scene_free(&again);
}

static void all_scenes_load_and_step(void **state)
{
	(void)state;
	glob_t found;
	int taken = 0;
	assert_int_equal(glob("scenes/*.scene.yaml", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; ++i) {
		const char *path = found.gl_pathv[i];
		scene s;
		char *report = NULL;
		int64_t before = scree_memory_used();
		if (!scree_scene_load(path, 0, NULL, &s, &report)) {
			CHECK(lab_left_out(report), "%s:\n%s", path, report);
			scree_free(report);
			continue;
		}
		++taken;
		check_resolved(path, &s);
		CHECK(s.world->state.body.count < 200, "%s has %d bodies", path, s.world->state.body.count);
		for (int k = 0; k < 300; ++k) CHECK(scree_step(s.world), "%s: step %d: %s", path, k, s.world->work.why.text);
		/* bodies are placed without overlap, so any overlap is due to falling */
		CHECK(s.world->work.greatest_overlap_ever < 0.1, "%s: overlap %g", path, s.world->work.greatest_overlap_ever);
		scree_scene_free(&s);
		CHECK(scree_memory_used() == before, "%s leaves %lld bytes", path, (long long)(scree_memory_used() - before));
	}
	CHECK(taken >= 20, "%d scenes", taken);
	globfree(&found);
}

static const char EVERYTHING[] =
	"scene: 1\n"
	"title: \"All: of \\\"it\\\" \\\\ here\"\n"
	"let: {R: 50 mm, n: 4}\n"
	"world: {gravity: [1 m/s^2, 0, = -9.81 m/s^2], domain: {min: [-1 m, -1 m, -1 m], max: [1 m, 1 m, 1 m]}}\n"
	"materials: {a: {density: 2 g/cm^3, young: 5 MPa, poisson: 0.2}, b: {density: 1 t/m^3, young: 1 MPa}}\n"
	"contacts:\n"
	"  default: {law: linear, stiffness: 1 kN/m, restitution: 0.9, friction: 0.1}\n"
	"  b + a: {law: hertz, friction: 0.2}\n"
	"  a + a: {law: power, power: {overlap: 1 cm, force: 10 kN, damping: 2 kg/s, exponent: 0.25, tangential: 3 kg/s, "
	"attraction: true}}\n"
	"  b + b: {law: linear, stiffness: 10 kN/m, tangential_ratio: 0.3, rolling_friction: 0.02}\n"
	"shapes: {s: {sphere: {diameter: 2}}, c: {regular: cube}, h: {hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}, "
	"q: {box: [1, 2, 3]}}\n"
	"walls:\n"
	"  tube: {cylinder: {radius: = R, axis: [0, 1, 1], center: [1 mm, 2 mm, 3 mm], length: 20 cm}, material: b,\n"
	"         motion: {angular_velocity: 60 rpm, about: y, point: [1 mm, 0, 0], from: 1 s, ramp: 2 s, until: 5 s}}\n"
	"  post: {cylinder: {radius: 1 cm, side: outside}, material: a, motion: {velocity: [0, 0, 1 cm/s]}}\n"
	"  cone: {cone: {radius: 0, radius2: 10 mm, length: 30 mm, axis: x}, material: a}\n"
	"  plate: {polygon: [[0, 0, 0], [1 m, 0, 0], [0, 1 m, 0]], material: a, two_sided: true,\n"
	"          motion: {vibration: {amplitude: [0, 0, 1 mm], frequency: 50 Hz, phase: 90 deg}}}\n"
	"  room: {box: {min: [-1 m, -1 m, -1 m], max: [1 m, 1 m, 1 m], open: [z_max, x_min]}, material: b}\n"
	"fill:\n"
	"  - {region: {box: {min: [0.5 m, 0, 0], max: [0.6 m, 0.1 m, 0.1 m]}}, lattice: {spacing: 50 mm}, material: a, "
	"shape: s, size: 10 mm,\n"
	"     orientation: [1, 1, 0, 0], velocity: [1 m/s, 0, 0], angular_velocity: [0, 0, 2 rad/s]}\n"
	"  - {name: more, region: {sphere: {radius: 100 mm, center: [-0.5 m, -0.5 m, 0]}}, count: = n, material: b, "
	"orientation: random,\n"
	"     mix: [{shape: c, size: 10 mm}, {shape: h, share: 2, size: {lognormal: {mean: 9 mm, sd: 1 mm}}}], seed: 5}\n"
	"sources:\n"
	"  - {region: {cylinder: {radius: 50 mm, length: 50 mm, axis: x, center: [0.5 m, 0.5 m, 0.5 m]}}, rate: 100 1/s, "
	"from: 1 ms, until: 1 s,\n"
	"     count: 7, material: a, shape: s, size: {uniform: [4 mm, 5 mm]}}\n"
	"sinks:\n"
	"  - {below: {y: -0.9 m}}\n"
	"  - {name: out, region: {sphere: {radius: 1 mm, center: [0.9 m, 0.9 m, 0.9 m]}}}\n"
	"run: {until: 2 min, step: 2 us, guard: {overlap: 5 %, speed: 20 m/s, lost: remove}, snapshot: {every: 0.5 h, "
	"keep: 1}, broad_phase: brute}\n"
	"output:\n"
	"  vtk: {every: 20 ms, fields: [velocity, contacts]}\n"
	"  images: {every: 0.1 s, at: [1 ms, 2 ms], size: [640, 480], color: angular_velocity, range: [0, 20 1/s], walls: "
	"cut, samples: 4,\n"
	"           camera: {eye: [1 m, 0, 0], target: [0, 0, 0], fov: 40 deg}, cut: {point: [0, 0, 0], normal: [0, 2, "
	"0]}}\n"
	"  history: {every: 1 ms, values: [kinetic, residual]}\n";

static void everything_arrives(void **state)
{
	(void)state;
	scene s;
	take("test", EVERYTHING, 0, NULL, &s);
	const scree_world *w = s.world;
	assert_string_equal(s.title, "All: of \"it\" \\ here");
	NEAR(w->model.gravity.x, 1, 0, "gravity");
	NEAR(w->model.gravity.z, -9.81, 0, "gravity");
	NEAR(w->model.material.row[0].density, 2000, 0, "density");
	NEAR(w->model.material.row[1].poisson, 0.25, 0, "the default of poisson");
	const contact_rule *ab = scree_materials_rule(&w->model.material, 0, 1),
					   *bb = scree_materials_rule(&w->model.material, 1, 1);
	NEAR(ab->friction, 0.2, 0, "friction of the pair");
	NEAR(ab->restitution, 0.9, 0, "the pair takes the restitution of default");
	assert_int_equal(ab->law, LAW_HERTZ);
	assert_int_equal(bb->law, LAW_LINEAR);
	const contact_rule *aa = scree_materials_rule(&w->model.material, 0, 0);
	assert_int_equal(aa->law, LAW_POWER);
	NEAR(aa->power.stiffness, 1e7, 1e-8, "1e4 N at 1 cm");
	NEAR(aa->power.damping, 2 / sqrt(sqrt(0.01)), 1e-14, "2 kg/s at 1 cm");
	NEAR(aa->power.tangential, 3, 0, "tangential");
	assert_true(aa->power.attraction);
	NEAR(bb->stiffness, 1e4, 0, "stiffness");
	NEAR(bb->tangential_ratio, 0.3, 0, "ratio");
	/* four walls, and four of the six sides of the room */
	assert_int_equal(w->model.wall.count, 8);
	const wall *tube = &w->model.wall.row[0], *post = &w->model.wall.row[1];
	NEAR(tube->motion.rate, 2 * SCREE_PI, 1e-15, "rate");
	NEAR(tube->motion.axis.y, 1, 0, "axis");
	NEAR(tube->motion.until, 5, 0, "until");
	NEAR(tube->length, 0.2, 0, "length");
	NEAR(v3_norm(v3_sub(v3_madd(tube->point, 0.1, tube->axis), v3(0.001, 0.002, 0.003))), 0, 1e-15, "middle");
	assert_true(isinf(post->length) && post->side == SIDE_OUTSIDE && post->motion.type == MOTION_VELOCITY);
	assert_true(isinf(post->motion.until));
	assert_true(w->model.wall.row[3].two_sided && w->model.wall.row[3].motion.type == MOTION_VIBRATION);
	NEAR(w->model.wall.row[3].motion.phase, SCREE_PI / 2, 1e-15, "phase");
	assert_string_equal(w->model.wall.row[4].name, "room.x_max");
	NEAR(w->model.wall.row[4].axis.x, -1, 0, "normal of the room");
	/* 2 x 2 x 2 bodies on the lattice, and 4 more */
	assert_int_equal(w->state.body.count, 12);
	int32_t *row = scree_bodies_by_id(&w->state.body); /* the search for initial contacts has reordered them */
	NEAR(w->state.body.size[row[0]], 0.02, 1e-18, "a sphere of diameter 2 and size 10 mm");
	NEAR(w->state.body.x[row[0]], 0.525, 1e-15, "place on the lattice");
	NEAR(w->state.body.wz[row[0]], 2, 1e-12, "angular velocity");
	NEAR(w->state.body.vx[row[0]], 1, 0, "velocity");
	for (int32_t k = 8; k < 12; ++k) {
		int32_t i = row[k];
		vec3 d = v3_sub(body_position(&w->state.body, i), v3(-0.5, -0.5, 0));
		CHECK(v3_norm(d) + w->state.body.radius[i] <= 0.1, "body %d is outside of its region", i);
		assert_int_equal(w->state.body.material[i], 1);
	}
	scree_free(row);
	assert_int_equal(w->model.population.sources, 1);
	assert_int_equal(w->model.population.source[0].limit, 7);
	NEAR(w->model.population.source[0].part[0].size.b, 0.01, 1e-18, "size of the source");
	assert_int_equal(w->model.population.sinks, 2);
	NEAR(w->model.population.sink[0].normal.y, 1, 0, "sink");
	NEAR(w->model.population.sink[0].off, -0.9, 0, "sink");
	assert_true(w->model.guard.bounded && !w->model.guard.lost_is_error);
	NEAR(w->model.guard.overlap, 0.05, 0, "guard");
	assert_string_equal(w->model.search->name, "brute");
	NEAR(w->model.dt, 2e-6, 0, "step");
	NEAR(s.run.until, 120, 0, "until");
	NEAR(s.run.snapshot_every, 1800, 0, "snapshot");
	assert_string_equal(s.output.vtk.field[1], "contacts");
	assert_int_equal(s.output.images.times, 2);
	NEAR(s.output.images.range[1], 20, 0, "range");
	NEAR(s.output.images.cut_normal.y, 1, 0, "cut");
	assert_int_equal(s.output.history.values, 2);
	check_resolved("test", &s);
	/* the plan of a resumed run */
	const char *const set = "run.until=3 min";
	scene later;
	scene_problems problems;
	const scene_input in = {
		.name = "test", .text = s.resolved, .length = strlen(s.resolved), .sets = 1, .set = &set, .plan_only = true};
	assert_true(scree_scene_read(&in, &later, &problems));
	NEAR(later.run.until, 180, 0, "until of the plan");
	NEAR(later.output.vtk.every, 0.02, 0, "frames of the plan");
	assert_string_equal(later.output.images.color, "angular_velocity");
	assert_int_equal(later.output.images.walls, LOOK_CUT);
	assert_int_equal(later.output.history.values, 2);
	assert_non_null(strstr(later.resolved, "until: 180"));
	scree_scene_free(&later);
	scree_scene_free(&s);
}

static const char SMALL[] = "scene: 1\nlet: {d: 10 mm, gap: = 2*d}\nmaterials: {m: {density: 1 g/cm^3, young: 1 "
							"MPa}}\nshapes: {s: {sphere: {diameter: 1}}}\n"
							"fill:\n  - {region: {box: {min: [0, 0, 0], max: [= 2*gap, = gap, = gap]}}, lattice: "
							"{spacing: = gap}, material: m, shape: s, size: = d}\n"
							"run: {until: 1 ms}\n";

static void sets_change_lets_and_keys(void **state)
{
	(void)state;
	scene s;
	const char *const set[] = {"d=5mm",
							   "run.until=0.02s",
							   "run.step.fraction=0.05",
							   "fill.0.velocity=[0, 0, = 2*d/(1 ms)]",
							   "world.gravity=[0, 0, 0]",
							   "title=set",
							   "contacts.default.friction=0.25"};
	take("test", SMALL, 7, set, &s);
	assert_int_equal(s.world->state.body.count, 2);
	NEAR(s.world->state.body.size[0], 0.005, 0, "size");
	NEAR(s.world->state.body.vz[0], 10, 1e-14, "velocity");
	NEAR(s.run.until, 0.02, 0, "until");
	NEAR(s.run.step_part, 0.05, 0, "step");
	NEAR(s.world->model.gravity.z, 0, 0, "gravity");
	NEAR(scree_materials_rule(&s.world->model.material, 0, 0)->friction, 0.25, 0, "friction");
	assert_string_equal(s.title, "set");
	scree_scene_free(&s);
}

static void sets_that_are_wrong(void **state)
{
	(void)state;
	static const struct {
		const char *set, *says;
	} row[] = {
		{"dd=5mm", "--set:1:1: error: 'dd' is neither a name of let nor a key (did you mean d?)"},
		{"d=5qm", "--set:1:4: error: d: 'qm' is not a unit"},
		{"run.untl=5 s", "--set:1:5: error: run: there is no key 'untl' (did you mean until?)"},
		{"fill.3.count=5", "--set:1:6: error: '3' is not the number of an entry: the list has 1, counted from 0"},
		{"run.until.x=5", "--set:1:11: error: 'x': the part before it is a value"},
		{"run.until", "has no name or no value"},
		{"=5", "has no name or no value"},
		{"run.until=", "'run.until=' has no value"},
		{"run.until=5 mm", "--set:1:11: error: until: a time (s) was expected, not a length (m)"},
		{"title=[", "not well-formed YAML"},
		{"include=x", "include: cannot be set"},
		{"a.b=1",
		 "--set:1:1: error: 'a' is neither a name of let nor a key\n     1 | a.b=1\n       | ^\n       = names of "
		 "let: d, gap; keys: scene, title"},
		{"gap.x=1", "--set:1:1: error: 'gap' is a name of let: it has a value and no keys"},
		{"gap=18*d", "--set:1:7: error: gap: '*d' is not a unit\n     1 | gap=18*d\n       |       ^~\n       = an "
					 "expression begins with =: --set 'gap==18*d'"},
		{"gap=d", "= an expression begins with =: --set 'gap==d'"},
		{"materials.mm.young=1 MPa", "--set:1:11: error: there is no 'mm' under materials (did you mean m?)"},
		{"d=5", "--set:1:3: error: d: a length (m) was expected, as in the scene, not a plain number\n     1 | d=5\n"
				"       |   ^\n       = the scene has d: 10 mm\n"},
		{"gap=2 s", "gap: a length (m) was expected, as in the scene, not a time (s)"},
		{"d=1e80 m", "error: size: '= d' (1e80 m) is out of range: it must be between 1e-12 and 1e12 m"},
		{"d=1e80 m", "       = this results from --set d=1e80 m\n"},
		{"d=-1 mm", "       = this results from --set d=-1 mm\n"}, /* through gap, too */
		{"fill.0.region={box: {min: [1e10 m, 0, 0], max: [= 1e10 m + gap, = gap, = gap]}}",
		 "\nthe scene was changed by --set fill.0.region={box"},
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
		char *report = refused(SMALL, 1, &row[i].set);
		CHECK(strstr(report, row[i].says), "--set %s says\n%s", row[i].set, report);
		CHECK(strstr(report, "--set"), "--set %s is not named:\n%s", row[i].set, report);
		scree_free(report);
	}
	/* an error caused by --set is reported only once */
	const char *unit = "d=5";
	char *report = refused(SMALL, 1, &unit);
	CHECK(!strstr(strstr(report, "error: ") + 1, "error: "), "more than one message:\n%s", report);
	scree_free(report);
}

static void sets_keep_what_can_be(void **state)
{
	(void)state;
	static const char *const good[] = {"gap==3*d", "gap=25 mm", "let.extra=5", "contacts.m + m.friction=0.1",
									   "walls.floor={plane: {point: [0, 0, -1 m], normal: [0, 0, 1]}, material: m}"};
	for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
		scene s;
		take("test", SMALL, 1, &good[i], &s);
		scree_scene_free(&s);
	}
}

/* the byte order mark that some editors put before UTF-8 text is not part of a scene or a table */
static void marks_are_skipped(void **state)
{
	(void)state;
	char text[2048], path[600];
	scene s, plain;
	snprintf(text, sizeof text, "\xEF\xBB\xBF%s", SMALL);
	take("test", text, 0, NULL, &s);
	take("test", SMALL, 0, NULL, &plain);
	assert_true(scree_world_hash(&s.world->model, &s.world->state, &s.world->work) ==
				scree_world_hash(&plain.world->model, &plain.world->state, &plain.world->work));
	scree_scene_free(&plain);
	scree_scene_free(&s);
	snprintf(path, sizeof path, "%s/marked.csv", SCREE_BINARY);
	FILE *file = fopen(path, "wb");
	assert_true(file && fputs("\xEF\xBB\xBFx,y,z\n1,2,3\n4,5,6\n", file) >= 0 && fclose(file) == 0);
	snprintf(path, sizeof path, "%s/marked.scene.yaml", SCREE_BINARY);
	take(path,
		 "scene: 1\nmaterials: {m: {density: 1 g/cm^3, young: 1 MPa}}\nshapes: {s: {sphere: 1}}\n"
		 "fill: [{from: marked.csv, material: m, shape: s, size: 1 mm}]\nrun: {until: 1 s}\n",
		 0, NULL, &s);
	assert_int_equal(s.world->state.body.count, 2);
	NEAR(s.world->state.body.x[0], 1, 0, "x");
	scree_scene_free(&s);
}

static void includes_stand_beside(void **state)
{
	(void)state;
	scene s;
	char *report = NULL;
	CHECK(scree_scene_load("tests/scene/files/including.scene.yaml", 0, NULL, &s, &report), "%s", report ? report : "");
	/* from parts/common.yaml and the files that it includes; the scene's own definition of stone takes precedence */
	assert_int_equal(s.world->model.material.count, 3);
	NEAR(s.world->model.material.row[scree_materials_find(&s.world->model.material, "stone")].density, 3000, 0,
		 "own entry");
	NEAR(s.world->model.material.row[scree_materials_find(&s.world->model.material, "glass")].density, 2500, 0,
		 "included entry");
	NEAR(s.world->model.material.row[scree_materials_find(&s.world->model.material, "steel")].density, 7800, 0,
		 "included twice over");
	assert_int_equal(s.world->state.body.count,
					 2); /* its own fill and an included one, from a table in the folder of the included file */
	check_resolved("tests/scene/files/including.scene.yaml", &s);
	scree_scene_free(&s);
}

static void sealed_scenes_touch_no_files(void **state)
{
	(void)state;
	static const char *const text[] = {"scene: 1\ninclude: [a.yaml]\n",
									   "scene: 1\nmaterials: {m: {density: 1 g/cm^3, young: 1 MPa}}\nshapes: {s: "
									   "{mesh: {file: chute.obj}}}\nrun: {until: 1 s}\n"};
	for (int i = 0; i < 2; ++i) {
		char *report = refused(text[i], 0, NULL);
		CHECK(strstr(report, "may not read files"), "%s", report);
		scree_free(report);
	}
}

/* JSON is a subset of YAML, so programs can write scenes in JSON */
static void json_is_a_scene(void **state)
{
	(void)state;
	scene s;
	take("test",
		 "{\"scene\": 1, \"materials\": {\"m\": {\"density\": \"1 g/cm^3\", \"young\": \"1 MPa\"}}, \"shapes\": "
		 "{\"s\": {\"regular\": \"cube\"}},"
		 " \"fill\": [{\"region\": {\"box\": {\"min\": [0, 0, 0], \"max\": [\"1 m\", \"1 m\", \"1 m\"]}}, \"count\": "
		 "3, \"material\": \"m\","
		 " \"shape\": \"s\", \"size\": \"1 cm\"}], \"run\": {\"until\": \"1 s\"}}",
		 0, NULL, &s);
	assert_int_equal(s.world->state.body.count, 3);
	check_resolved("test", &s);
	scree_scene_free(&s);
}

static void explain_tells(void **state)
{
	(void)state;
	static const char *const good[][2] = {{"fill.mix.size", "or a distribution"},
										  {"walls.shell.motion.ramp", "increases linearly from zero"},
										  {"materials.stone.young", "in Pa"},
										  {"materials.young", "Young"},
										  {"fill.0.count", "whole number"},
										  {"run", "until"},
										  {"walls.plate", "later version"},
										  {"stages.until", "kinetic_energy"},
										  {"stages.walls.lid.motion.ramp", "increases linearly from zero"},
										  {"run.step.fraction", "above 0, at most 10"},
										  {"walls.shell", "cylinder"},
										  {"contacts.default.law", "linear, hertz"}};
	fail why = {0};
	for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
		char *told = scree_scene_explain(good[i][0], &why);
		CHECK(told && strstr(told, good[i][1]), "%s: %s", good[i][0], told ? told : why.text);
		scree_free(told);
	}
	assert_null(scree_scene_explain("run.unitl", &why));
	assert_non_null(strstr(why.text, "did you mean until?"));
	assert_null(scree_scene_explain("fil", &why));
	assert_non_null(strstr(why.text, "did you mean fill?"));
	assert_null(scree_scene_explain("run.until.x", &why));
	/* suggestions of keys from other sections; an entry is given by one name, not two */
	assert_null(scree_scene_explain("friction", &why));
	assert_non_null(strstr(why.text, "did you mean contacts.friction?"));
	assert_null(scree_scene_explain("walls.servo.force", &why));
	assert_non_null(strstr(why.text, "walls.motion.servo.force"));
}

/* No text in the reference mentions a row that the build omits. Names that are also words of the language are skipped.
 */
static void check_left_out(const char *reference)
{
	for (const char *const *name = scree_paper_names; *name; ++name)
		if (scree_paper_left_out(*name) && strcspn(*name, "/_0123456789") < strlen(*name))
			CHECK(!strstr(reference, *name), "the reference names %s", *name);
}

/* the values in the table itself must be acceptable, and the generated part of docs/scene.md must be up to date */
static void the_reference_is_up_to_date(void **state)
{
	(void)state;
	static const char BEGIN[] = "<!-- made by the table of keys: SCREE_UPDATE=1 test_scene_scenes -->\n";
	char *reference = scene_reference();
	check_left_out(reference);
	if (!SCREE_PAPERS) { /* docs/scene.md describes a build with papers */
		scree_free(reference);
		return;
	}
	FILE *file = fopen("docs/scene.md", "rb");
	CHECK(file, "docs/scene.md is missing");
	char *docs = scree_alloc(1 << 20, 1);
	size_t n = fread(docs, 1, (1 << 20) - 1, file);
	fclose(file);
	docs[n] = 0;
	char *made = strstr(docs, BEGIN);
	CHECK(made, "docs/scene.md has no line %s", BEGIN);
	made += strlen(BEGIN);
	if (getenv("SCREE_UPDATE") && strcmp(made, reference)) {
		file = fopen("docs/scene.md", "wb");
		assert_non_null(file);
		fwrite(docs, 1, (size_t)(made - docs), file);
		fputs(reference, file);
		fclose(file);
	} else {
		CHECK(!strcmp(made, reference),
			  "docs/scene.md is not what the table of keys says; run SCREE_UPDATE=1 build/*/tests/test_scene_scenes");
	}
	scree_free(docs);
	scree_free(reference);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_scenes_load_and_step),
		cmocka_unit_test(everything_arrives),
		cmocka_unit_test(sets_change_lets_and_keys),
		cmocka_unit_test(sets_that_are_wrong),
		cmocka_unit_test(sets_keep_what_can_be),
		cmocka_unit_test(marks_are_skipped),
		cmocka_unit_test(includes_stand_beside),
		cmocka_unit_test(sealed_scenes_touch_no_files),
		cmocka_unit_test(json_is_a_scene),
		cmocka_unit_test(explain_tells),
		cmocka_unit_test(the_reference_is_up_to_date),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
