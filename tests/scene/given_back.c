/* Settled packings read by another scene, from the table written by a run and from its snapshot. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "format/snapshot.h"
#include "format/tables.h"
#include "prepare/prepare.h"
#include "scene/scene.h"
#include "shape/shape_axes.h"
#include "state/pairs.h"
#include "world/world.h"

enum { TEXT = 4096, PATH = 128 };
static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof folder, "/tmp/scree_given_XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static const char *path_of(const char *name)
{
	static char path[PATH];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

/* A kind of world, with its fill and with additional keys of the run. */
typedef struct packing {
	const char *name, *shapes, *fill; /* fill: how the first scene creates bodies */
	const char *world, *walls, *run;
} packing;

#define BOX "b: {box: {min: [0, 0, 0], max: [32 mm, 32 mm, 200 mm], open: [z_max]}, material: m}"
#define FALL                                                                                                           \
	"{region: {box: {min: [0, 0, 0], max: [32 mm, 32 mm, 32 mm]}}, lattice: {spacing: 16 mm}, material: m, shape: g, " \
	"size: 9 mm, orientation: random, velocity: [0, 0, -0.3 m/s], seed: 7}"
#define LAYERS                                                                                                         \
	"{region: {box: {min: [0, 0], max: [32 mm, 48 mm]}}, lattice: {spacing: 16 mm}, material: m, shape: g, "           \
	"size: 8 mm, orientation: random, velocity: [0, -0.3 m/s], seed: 7}"
#define GRAINS(as) "g: {granulate: {seed: 3, count: 3, points: 12, scale: [0.4, 1], order: " as "}}"
#define CLUMP	   "g: {clump: {centers: [[0, 0, 0], [0.4, 0.2, 0.1], [0.5, 0.6, 0.2]], radii: [0.3, 0.35, 0.2]}}"
#define PERIOD	   "domain: {min: [0, 0, -5 mm], max: [32 mm, 32 mm, 200 mm]}, periodic: [x, y]"
#define FLOOR	   "b: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: m}"
#define FLAT	   "dimension: 2"
#define GROUND	   "b: {box: {min: [0, 0], max: [32 mm, 200 mm], open: [y_max]}, material: m}"

static const packing packings[] = {
	{"spheres of diameter 0.7", "g: {sphere: 0.7}", FALL, "", BOX, ""},
	{"cubes", "g: {regular: cube}", FALL, "", BOX, ""},
	{"grains", GRAINS("scale-then-hull"), FALL, "", BOX, ""},
	{"grains by depth", GRAINS("scale-then-hull"), FALL, "", BOX, ", narrow_phase: separating-plane"},
	{"compounds", GRAINS("hull-then-scale, as: compound"), FALL, "", BOX, ""},
	{"surfaces", GRAINS("hull-then-scale, as: surface, halo: 0.05"), FALL, "", BOX, ""},
	{"clumps", CLUMP, FALL, "", BOX, ""},
	{"periodic grains", GRAINS("scale-then-hull"), FALL, PERIOD, FLOOR, ""},
	{"periodic spheres", "g: {sphere: 1}", FALL, PERIOD, FLOOR, ""},
	{"polygons", "g: {polygon: [[0, 0], [1, 0], [0.9, 0.6], [0.2, 0.9]]}", LAYERS, FLAT, GROUND, ""},
	{"ellipses", "g: {ellipse: {length: 1, width: 0.6}}", LAYERS, FLAT, GROUND, ""},
	{"discs of diameter 1.3", "g: {disc: 1.3}", LAYERS, FLAT, GROUND, ""},
};
enum { PACKINGS = sizeof packings / sizeof *packings };

static real given_step; /* step in s for loaded scenes, or 0 for the default */

static void load(const packing *p, const char *fill, const char *contacts, scene *s)
{
	char text[TEXT], given[40] = "", *report = NULL;
	if (given_step > 0) snprintf(given, sizeof given, ", step: %.17g s", given_step);
	snprintf(text, sizeof text,
			 "scene: 1\nworld: {%s}\nmaterials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}\n"
			 "contacts: {default: {%s}}\nshapes: {%s}\nwalls: {%s}\nfill: [%s]\nrun: {until: 1 s%s%s}\n",
			 p->world, contacts, p->shapes, p->walls, fill, p->run, given);
	FILE *file = fopen(path_of("s.scene.yaml"), "w");
	CHECK(file && fputs(text, file) >= 0 && !fclose(file), "no file");
	bool ok = scree_scene_load(path_of("s.scene.yaml"), 0, NULL, s, &report);
	CHECK(ok, "%s: %s", p->name, report ? report : "");
}

static const char DAMPED[] = "restitution: 0.4, friction: 0.5, rolling_friction: 0.05";

/* In sanitized builds, packings are read while they are still moving, so tests that need bodies at rest are skipped. */
static bool in_part(void) { return test_few(2, 1) == 1; }

/* the packing at rest, its table (which starts at an earlier time), and its snapshot */
static void settle(const packing *p, scene *s)
{
	fail why = {0};
	const csv_mark start = {0};
	given_step = 0;
	load(p, p->fill, DAMPED, s);
	given_step = 0.9 * s->world->model.dt; /* the default step and its limits depend on the initial speeds */
	scree_scene_free(s);
	load(p, p->fill, DAMPED, s);
	given_step = 0;
	scree_world *w = s->world;
	unlink(path_of("s_bodies.csv"));
	csv *t = scree_table_open(path_of("s_bodies.csv"), TABLE_BODIES, w, &start, &why);
	CHECK(t && scree_table_rows(t, TABLE_BODIES, w, 0, &why), "%s: %s", p->name, why.text);
	bool rests = false;
	for (int k = 0; k < 200 && !rests; ++k) {
		CHECK(scree_steps(w, 500), "%s: %s", p->name, w->work.why.text);
		const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		rests = e.kinetic < 1e-9 * e.elastic || (in_part() && k == 3);
	}
	CHECK(rests, "%s: it does not come to rest", p->name);
	CHECK(scree_table_rows(t, TABLE_BODIES, w, 0, &why) && scree_csv_close(t, &why), "%s: %s", p->name, why.text);
	CHECK(scree_snapshot_write(w, NULL, path_of("s.snap"), &why), "%s: %s", p->name, why.text);
}

static real turned(const scree_world *a, int32_t i, const scree_world *b, int32_t k)
{
	const quat p = body_orientation(&a->state.body, i), q = body_orientation(&b->state.body, k);
	const quat d = quat_mul(quat_conj(p), q);
	return 2 * sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

static int32_t row_of(const scree_world *w, uint64_t id)
{
	for (int32_t i = 0; i < w->state.body.count; ++i)
		if (w->state.body.id[i] == id) return i;
	return -1;
}

/* Largest displacement of a body, relative to its size. */
static real moved(const scree_world *a, const scree_world *b)
{
	real most = 0;
	CHECK(a->state.body.count == b->state.body.count, "%d bodies, not %d", b->state.body.count, a->state.body.count);
	for (int32_t i = 0; i < a->state.body.count; ++i) {
		const int32_t k = row_of(b, a->state.body.id[i]);
		const vec3 way = v3_sub(body_position(&a->state.body, i), body_position(&b->state.body, k));
		most = real_max(most, v3_norm(way) / a->state.body.radius[i] + turned(a, i, b, k));
	}
	return most;
}

/* Checks that both worlds have the same bodies with the same positions and orientations. */
static void same_bodies(const packing *p, const scree_world *w, const scree_world *back)
{
	const bodies *a = &w->state.body, *b = &back->state.body;
	CHECK(a->count == b->count, "%s: %d bodies", p->name, b->count);
	for (int32_t i = 0; i < a->count; ++i) {
		const int32_t k = row_of(back, a->id[i]);
		CHECK(a->x[i] == b->x[k] && a->y[i] == b->y[k] && a->z[i] == b->z[k], "%s: body %d moved", p->name, i);
		CHECK(a->vx[i] == b->vx[k] && a->vy[i] == b->vy[k] && a->vz[i] == b->vz[k], "%s: velocity", p->name);
		CHECK(a->wx[i] == b->wx[k] && a->wy[i] == b->wy[k] && a->wz[i] == b->wz[k], "%s: turning", p->name);
		CHECK(turned(w, i, back, k) < 2e-15, "%s: turned by %g", p->name, turned(w, i, back, k));
		CHECK(!strcmp(w->model.shape.row[a->shape[i]].name, back->model.shape.row[b->shape[k]].name), "%s: shape",
			  p->name);
		NEAR(b->mass[k], a->mass[i], 1e-15 * a->mass[i], p->name);
	}
}

/* The rows of the last time are read: no overlap is larger than in the run, and bodies move only because friction
 * springs are stretched again. */
static void table_gives_back(const packing *p, const scree_world *w)
{
	scene back;
	load(p, "{from: s_bodies.csv}", DAMPED, &back);
	CHECK(strstr(back.notes, " bodies of s_bodies.csv at t = ") && strstr(back.notes, "no histories"), "%s: %s",
		  p->name, back.notes);
	CHECK(!strstr(back.notes, "mass"), "%s: %s", p->name, back.notes);
	same_bodies(p, w, back.world);
	NEAR(back.world->work.start.overlap, w->work.greatest_overlap_part, 1e-9 * w->work.greatest_overlap_part, p->name);
	for (int k = 0; k < 300; ++k) CHECK(scree_step(back.world), "%s: %s", p->name, back.world->work.why.text);
	CHECK(in_part() || moved(w, back.world) < 0.01, "%s: bodies moved by %g", p->name, moved(w, back.world));
	scree_scene_free(&back);
}

/* The rows of the time closest to the given one are read. */
static void table_has_times(const packing *p, const scree_world *w)
{
	scene first, last;
	char fill[PATH];
	load(p, "{from: s_bodies.csv, time: 0}", DAMPED, &first);
	CHECK(first.world->work.start.contacts == 0 && moved(w, first.world) > 0.5, "%s: that is the last time", p->name);
	snprintf(fill, sizeof fill, "{from: s_bodies.csv, time: %.9g s}", 0.999999 * w->state.time);
	load(p, fill, DAMPED, &last);
	CHECK(moved(w, last.world) < 1e-14, "%s: that is the first time", p->name);
	scree_scene_free(&first);
	scree_scene_free(&last);
}

/* The continued run is bitwise identical to the new one, and both stay at rest. */
static void same_motion(const packing *p, scree_world *w, scree_world *back)
{
	const bodies *a = &w->state.body, *b = &back->state.body;
	for (int step = 0; step < 50; ++step) {
		CHECK(scree_step(w) && scree_step(back), "%s: %s%s", p->name, w->work.why.text, back->work.why.text);
		for (int32_t i = 0; i < a->count; ++i) {
			const int32_t k = row_of(back, a->id[i]);
			for (int f = 0; f < scree_body_table.count; ++f) {
				const field *o = scree_body_table.row + f;
				if (!o->saved || o->type != KIND_F64) continue;
				CHECK(((real *)scree_field_array(a, o))[i] == ((real *)scree_field_array(b, o))[k],
					  "%s: %s of body %d is another one after %d steps", p->name, o->name, i, step + 1);
			}
		}
		CHECK(w->work.touching == back->work.touching, "%s: %lld contacts", p->name, (long long)back->work.touching);
	}
}

static real greatest_friction(const scree_world *w)
{
	real most = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		for (contact_walk c = contact_first(w->state.pair + kind); contact_more(w->state.pair + kind, &c); ++c.row)
			most = real_max(most, w->state.pair[kind].bent[c.row]);
	return most;
}

/* The whole state is kept: forces exist at t = 0, and histories continue. */
static void snapshot_gives_back(const packing *p, const scree_world *settled)
{
	scene back;
	fail why = {0};
	char wanted[PATH];
	scree_world *w = scree_snapshot_read(path_of("s.snap"), NULL, &why);
	CHECK(w, "%s: %s", p->name, why.text);
	given_step = w->model.dt;
	load(p, "{from: s.snap}", DAMPED, &back);
	given_step = 0;
	scree_world *n = back.world;
	const energy_row was = scree_world_energy(&settled->model, &settled->state, &settled->work);
	same_bodies(p, w, n);
	CHECK(strstr(back.notes, " contacts with their histories") && !strstr(back.notes, "without"), "%s: %s", p->name,
		  back.notes);
	for (int twice = 0; twice < 2; ++twice) {
		const start_shown before = scree_world_show_start(&n->model, &n->state, &n->work);
		const energy_row e = scree_world_energy(&n->model, &n->state, &n->work);
		snprintf(wanted, sizeof wanted, "and %lld contacts", (long long)n->work.touching);
		CHECK(strstr(back.notes, wanted), "%s: %s, not %s", p->name, back.notes, wanted);
		NEAR(e.elastic, was.elastic, 1e-12 * was.elastic, p->name);
		NEAR(real_abs(e.lost_normal) + real_abs(e.lost_friction) + real_abs(e.lost_rolling), 0, 1e-9 * was.elastic,
			 p->name);
		NEAR(e.residual, 0, 1e-11 * (e.elastic + e.kinetic + real_abs(e.potential)), p->name);
		NEAR(e.made, 0, 1e-9 * was.elastic, p->name);
		NEAR(greatest_friction(n), greatest_friction(w), 0, p->name);
		for (int32_t i = 0; i < w->state.body.count; ++i)
			NEAR(n->state.body.fx[row_of(n, w->state.body.id[i])], w->state.body.fx[i], 0, p->name);
		scree_world_hide_start(&n->model, &n->state, &n->work, &before);
	}
	same_motion(p, w, n);
	CHECK(in_part() || moved(settled, n) < 1e-5, "%s: moved by %g", p->name, moved(settled, n));
	scree_world_free(w);
	scree_scene_free(&back);
}

static void packings_are_given_back(void **state)
{
	(void)state;
	for (int64_t n = 0; n < test_few(PACKINGS, 2); ++n) {
		scene s;
		settle(packings + n, &s);
		table_gives_back(packings + n, s.world);
		table_has_times(packings + n, s.world);
		snapshot_gives_back(packings + n, s.world);
		scree_scene_free(&s);
	}
}

static const packing cubes = {"cubes", "g: {regular: cube}", FALL, "", BOX, ""};

/* a packing at rest, created once for all tests, with its snapshot; freed at the end */
static scene cubes_scene;

static const scree_world *cubes_at_rest(void)
{
	if (!cubes_scene.world) settle(&cubes, &cubes_scene);
	return cubes_scene.world;
}

/* continues the run for some time and returns the displacement of bodies */
static real settles(scene *s, const scree_world *was)
{
	for (int k = 0; k < 300; ++k) CHECK(scree_step(s->world), "%s", s->world->work.why.text);
	return moved(was, s->world);
}

/* Differences are reported, and the remaining histories are kept. */
static void what_differs_is_said(void **state)
{
	(void)state;
	static const struct {
		const char *walls, *contacts, *run, *said;
		bool whole; /* all histories are kept */
	} cases[] = {
		{BOX, DAMPED, "", NULL, true},
		{BOX, DAMPED, ", step: 5 us", NULL, true},
		{BOX, "restitution: 0.2, friction: 0.4, rolling_friction: 0.05", "",
		 "different law, or different constants, for 'm + m'", false},
		{"c: {box: {min: [0, 0, 0], max: [32 mm, 32 mm, 200 mm], open: [z_max]}, material: m}", DAMPED, "",
		 "this scene has no wall 'b.", false},
		{"b: {box: {min: [0, 0, -1 um], max: [32 mm, 32 mm, 200 mm], open: [z_max]}, material: m}", DAMPED, "",
		 "different form or position of wall 'b.z_min'", false},
		{BOX, "law: hertz, restitution: 0.2, friction: 0.5, rolling_friction: 0.05", "", "run.narrow_phase differs",
		 false},
	};
	const scree_world *rest = cubes_at_rest();
	for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
		packing p = cubes;
		scene back;
		p.walls = cases[k].walls;
		p.run = cases[k].run;
		load(&p, "{from: s.snap}", cases[k].contacts, &back);
		CHECK(cases[k].whole == !strstr(back.notes, "lose their histories"), "case %zu: %s", k, back.notes);
		CHECK(!cases[k].said || strstr(back.notes, cases[k].said), "case %zu: %s", k, back.notes);
		const start_shown before = scree_world_show_start(&back.world->model, &back.world->state, &back.world->work);
		const energy_row e = scree_world_energy(&back.world->model, &back.world->state, &back.world->work);
		NEAR(e.residual, 0, 1e-9 * (e.elastic + real_abs(e.potential)), "the ledger begins whole");
		scree_world_hide_start(&back.world->model, &back.world->state, &back.world->work, &before);
		const real most = settles(&back, rest);
		CHECK(in_part() || most < (cases[k].whole ? 1e-5 : 0.1), "case %zu: moved by %g", k, most);
		scree_scene_free(&back);
	}
}

static void names_must_match(void **state)
{
	(void)state;
	static const struct {
		const char *shapes, *world, *fill, *said;
	} cases[] = {
		{"h: {regular: cube}", "", "{from: s.snap}", "has bodies of a shape that is missing from this scene, 'g'"},
		{"g: {box: [1, 1, 1.1]}", "", "{from: s.snap}", "has bodies of a different shape with the same name, 'g'"},
		{"g: {box: [1, 1]}", "dimension: 2", "{from: s.snap}", "has dimension 3"},
		{"g: {regular: cube}", "", "{from: s.snap, time: 1 s}", "'time' cannot be used with a snapshot"},
		{"g: {regular: cube}", "", "{from: s.snap, velocity: [0, 0, 1 m/s]}",
		 "'velocity' cannot be used with a snapshot"},
		{"g: {regular: cube}", "", "{from: t.snap}", "t.snap"},
	};
	cubes_at_rest();
	FILE *file = fopen(path_of("t.snap"), "w");
	CHECK(file && fputs("scree snapshot 1\n", file) >= 0 && !fclose(file), "no file");
	for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
		char text[TEXT], *report = NULL;
		scene back;
		snprintf(text, sizeof text,
				 "scene: 1\nworld: {%s}\nmaterials: {m: {density: 2500 kg/m^3, young: 1 MPa}}\nshapes: {%s}\n"
				 "fill: [%s]\nrun: {until: 1 s}\n",
				 cases[k].world, cases[k].shapes, cases[k].fill);
		file = fopen(path_of("u.scene.yaml"), "w");
		CHECK(file && fputs(text, file) >= 0 && !fclose(file), "no file");
		CHECK(!scree_scene_load(path_of("u.scene.yaml"), 0, NULL, &back, &report), "case %zu is taken", k);
		CHECK(strstr(report, cases[k].said), "case %zu: %s", k, report);
		scree_free(report);
	}
}

/* The scene also has other bodies, with lower ids: the packing is at rest, and a snapshot at t = 0 contains the
 * histories as well. */
static void others_come_beside(void **state)
{
	(void)state;
	scene back;
	fail why = {0};
	const scree_world *rest = cubes_at_rest();
	load(&cubes,
		 "{region: {box: {min: [0, 0, 100 mm], max: [32 mm, 32 mm, 140 mm]}}, count: 3, material: m, shape: g, size: 9 "
		 "mm}, "
		 "{from: s.snap}",
		 DAMPED, &back);
	scree_world *n = back.world;
	assert_int_equal(n->state.body.count, rest->state.body.count + 3);
	CHECK(!strstr(back.notes, "without"), "%s", back.notes);
	const start_shown before = scree_world_show_start(&n->model, &n->state, &n->work);
	CHECK(n->work.touching > 0, "nothing touches");
	scree_world_hide_start(&n->model, &n->state, &n->work, &before);
	CHECK(scree_snapshot_write(n, NULL, path_of("n.snap"), &why), "%s", why.text);
	scree_world *again = scree_snapshot_read(path_of("n.snap"), NULL, &why);
	CHECK(again, "%s", why.text);
	for (int k = 0; k < 300; ++k) {
		CHECK(scree_step(n) && scree_step(again), "%s%s", n->work.why.text, again->work.why.text);
		CHECK(scree_world_hash(&n->model, &n->state, &n->work) ==
				  scree_world_hash(&again->model, &again->state, &again->work),
			  "step %d is another one", k + 1);
	}
	for (int32_t i = 0; i < rest->state.body.count && !in_part(); ++i) {
		const int32_t k = row_of(n, rest->state.body.id[i] + 3);
		NEAR(n->state.body.z[k], rest->state.body.z[i], 5e-8, "it moved");
		NEAR(n->state.body.x[k], rest->state.body.x[i], 5e-8, "it moved");
	}
	scree_world_free(again);
	scree_scene_free(&back);
}

/* A sheared world: velocities in a table are absolute, not relative to the flow. */
static void a_table_knows_the_flow(void **state)
{
	(void)state;
	static const packing p = {"sheared",
							  "g: {sphere: 1}",
							  "{region: {box: {min: [0, 0, 0], max: [32 mm, 32 mm, 32 mm]}}, lattice: {spacing: 16 "
							  "mm}, material: m, shape: g, "
							  "size: 9 mm}",
							  "gravity: [0, 0, 0], domain: {min: [0, 0, 0], max: [32 mm, 32 mm, 32 mm]}, periodic: [x, "
							  "y, z], shear: {rate: 3 1/s}",
							  "",
							  ", step: 1 us"};
	const csv_mark start = {0};
	fail why = {0};
	scene s, back, slow;
	load(&p, p.fill, DAMPED, &s);
	CHECK(real_abs(s.world->state.body.vx[0]) > 0.01, "nothing flows");
	unlink(path_of("s_bodies.csv"));
	csv *t = scree_table_open(path_of("s_bodies.csv"), TABLE_BODIES, s.world, &start, &why);
	CHECK(t && scree_table_rows(t, TABLE_BODIES, s.world, 0, &why) && scree_csv_close(t, &why), "%s", why.text);
	load(&p, "{from: s_bodies.csv}", DAMPED, &back);
	same_bodies(&p, s.world, back.world);
	FILE *file = fopen(path_of("s_bodies.csv"), "w");
	CHECK(file && fputs("x,y,z\n0.001,0.004,0.01\n", file) >= 0 && !fclose(file), "no file");
	load(&p, "{from: s_bodies.csv, material: m, shape: g, size: 9 mm}", DAMPED, &slow);
	NEAR(slow.world->state.body.vx[0], 3 * (0.004 - 0.016), 1e-15, "without velocities it flows");
	scree_scene_free(&s);
	scree_scene_free(&back);
	scree_scene_free(&slow);
}

#define CELL                                                                                                           \
	"gravity: [0, 0, 0], periodic: [x, y, z], strain_rate: [-24 1/s, -24 1/s, 0], servo: {stress: [0, 0, 1 kPa], "     \
	"axes: [z], max_rate: 20 1/s, lag: 1 ms}, "
#define AT_START "domain: {min: [0, 0, 0], max: [32 mm, 32 mm, 32 mm]}"

static void is_refused(const packing *p, const char *fill, char *report, size_t room)
{
	char text[TEXT], *said = NULL;
	scene back;
	snprintf(text, sizeof text,
			 "scene: 1\nworld: {%s}\nmaterials: {m: {density: 2500 kg/m^3, young: 1 MPa}}\nshapes: {%s}\nfill: [%s]\n"
			 "run: {until: 1 s}\n",
			 p->world, p->shapes, fill);
	FILE *file = fopen(path_of("u.scene.yaml"), "w");
	CHECK(file && fputs(text, file) >= 0 && !fclose(file), "no file");
	CHECK(!scree_scene_load(path_of("u.scene.yaml"), 0, NULL, &back, &said), "%s: it is taken", p->name);
	CHECK(strstr(said, "world.domain must be the cell of the snapshot"), "%s: %s", p->name, said);
	snprintf(report, room, "%s", said);
	scree_free(said);
}

/* A scene can instead specify the cell named in the error message; strains then start from this cell. */
static void cell_is_given(packing *p, const char *rule, const char *report, const scree_world *w)
{
	char world[TEXT];
	scene back;
	const char *from = strstr(report, "domain: {min"), *end = from ? strchr(from, '}') : NULL;
	CHECK(end, "no domain in %s", report);
	snprintf(world, sizeof world, "%s%.*s", rule, (int)(end + 1 - from), from);
	p->world = world;
	load(p, "{from: s.snap}", DAMPED, &back);
	CHECK(!strstr(back.notes, "lose"), "%s", back.notes);
	const images *was = &w->state.images, *now = &back.world->state.images;
	CHECK(v3_equal(was->size, now->size) && v3_equal(was->low, now->low), "another cell");
	CHECK(v3_equal(back.world->model.period.size, now->size), "strained at the start");
	for (int k = 0; k < 50; ++k) CHECK(scree_step(back.world), "%s", back.world->work.why.text);
	scree_scene_free(&back);
}

/* If the size of a cell has changed, it is adopted, or must be specified. */
static void a_strained_cell_comes_along(void **state)
{
	(void)state;
	static const char fill[] = "{region: {box: {min: [0, 0, 0], max: [32 mm, 32 mm, 32 mm]}}, solid_fraction: 0.25, "
							   "material: m, shape: g, size: 7 mm, seed: 5}",
					  held[] = "gravity: [0, 0, 0], periodic: [x, y, z], ";
	packing p = {"a cell", "g: {sphere: 1}", fill, CELL AT_START, "", ""};
	char report[TEXT];
	fail why = {0};
	scene s, back;
	given_step = 2e-5;
	load(&p, fill, DAMPED, &s);
	for (int k = 0; k < 600; ++k) CHECK(scree_step(s.world), "%s", s.world->work.why.text);
	CHECK(s.world->work.touching > 20, "%lld contacts", (long long)s.world->work.touching);
	CHECK(scree_snapshot_write(s.world, NULL, path_of("s.snap"), &why), "%s", why.text);
	load(&p, "{from: s.snap}", DAMPED, &back);
	CHECK(strstr(back.notes, " contacts with their histories") && !strstr(back.notes, "lose"), "%s", back.notes);
	const vec3 was = s.world->state.images.size, now = back.world->state.images.size;
	CHECK(v3_equal(was, now), "the cell is %.17g %.17g %.17g, not %.17g %.17g %.17g", now.x, now.y, now.z, was.x, was.y,
		  was.z);
	CHECK(v3_equal(s.world->model.period.size, back.world->model.period.size), "another start");
	p.world = "gravity: [0, 0, 0], periodic: [x, y, z], " AT_START;
	is_refused(&p, "{from: s.snap}", report, sizeof report);
	cell_is_given(&p, held, report, s.world);
	p.world = CELL "domain: {min: [0, 0, 0], max: [32 mm, 32 mm, 40 mm]}";
	is_refused(&p, "{from: s.snap}", report, sizeof report);
	cell_is_given(&p, CELL, report, s.world);
	p.world = CELL AT_START;
	is_refused(
		&p,
		"{from: s.snap}, {lattice: {spacing: 16 mm}, region: {box: {min: [0, 0, 0], max: [32 mm, 32 mm, 32 mm]}}, "
		"material: m, shape: g, size: 1 mm}",
		report, sizeof report);
	/* bitwise identical, including the servo axis, whose initial stress is taken from the other run */
	for (int k = 0; k < 50; ++k)
		CHECK(scree_step(s.world) && scree_step(back.world), "%s%s", s.world->work.why.text, back.world->work.why.text);
	same_bodies(&p, s.world, back.world);
	const images *one = &s.world->state.images, *other = &back.world->state.images;
	CHECK(v3_equal(one->size, other->size) && v3_equal(one->growth, other->growth) &&
			  v3_equal(one->mean, other->mean) && v3_equal(one->border, other->border),
		  "another cell after 50 steps");
	given_step = 0;
	scree_scene_free(&back);
	scree_scene_free(&s);
}

/* Direction from the axis of a round wall to a contact, computed from the contact's position in the frame of the wall.
 */
static vec3 side_of(const scree_world *w, int kind, int64_t k)
{
	const pair_list *l = w->state.pair + kind;
	const int32_t row = w->model.wall.surface_wall[l->cb[k]];
	const vec3 axis = w->model.wall.row[row].axis, x = v3_across(axis), y = v3_cross(axis, x);
	const vec3 own = v3_add(v3_mul(cos(l->place[k]), x), v3_mul(sin(l->place[k]), y));
	return quat_rotate(w->state.wall[row].orientation, own);
}

typedef struct side {
	uint64_t id;
	vec3 at;
	real bent;
} side;

enum { SIDES = 64 };
static int sides_of(const scree_world *w, side found[SIDES])
{
	int count = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = w->state.pair + kind;
		if (!pair_on_wall(kind) || !l->place) continue;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
			CHECK(count < SIDES, "more contacts than there is room for");
			found[count++] = (side){w->state.body.id[l->ca[c.row]], side_of(w, kind, c.row), l->bent[c.row]};
		}
	}
	return count;
}

/* Checks that the contacts of both worlds are on the same sides, with springs of equal length. */
static void same_sides(const char *name, const scree_world *a, const scree_world *b, real near, real bent)
{
	side p[SIDES], q[SIDES];
	const int count = sides_of(a, p), others = sides_of(b, q);
	CHECK(count > 3 && count == others, "%s: %d and %d contacts with the drum", name, count, others);
	for (int i = 0; i < count; ++i) {
		real least = INFINITY;
		int best = 0;
		for (int k = 0; k < others; ++k) {
			const real off = v3_norm(v3_sub(p[i].at, q[k].at));
			if (q[k].id == p[i].id && off < least) least = off, best = k;
		}
		CHECK(least < near, "%s: a contact is %g away", name, least);
		NEAR(q[best].bent, p[i].bent, bent * (p[i].bent + 1e-12), name);
	}
}

/* Eggs fall into a drum that has turned before they touch it. In the other scene, the drum has not turned: the
 * positions of contacts around its axis are angles in a different frame, and friction springs stay with their
 * contacts. */
static void contacts_keep_their_sides_in_a_turned_drum(void **state)
{
	(void)state;
	static const struct {
		const char *name, *turned, *still;
	} cases[] = {
		{"as it was", "axis: y}, material: m", "axis: y}, material: m"},
		{"turned about its axis",
		 "axis: y}, material: m, motion: {angular_velocity: 200 rad/s, about: y, until: 10 ms}",
		 "axis: y}, material: m"},
		{"turned back", "axis: y}, material: m, motion: {angular_velocity: -200 rad/s, about: y, until: 10 ms}",
		 "axis: y}, material: m"},
		{"turned across", "axis: y}, material: m, motion: {angular_velocity: 9000 deg/s, about: z, until: 10 ms}",
		 "axis: [-1, 0, 0]}, material: m"},
	};
	for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
		static const char fill[] = "{region: {box: {min: [-8 mm, -12 mm, -8 mm], max: [8 mm, 12 mm, 8 mm]}}, lattice: "
								   "{spacing: 8 mm}, material: m, shape: g, size: 4 mm, orientation: random, seed: 7}";
		char turned[PATH * 2], still[PATH * 2];
		snprintf(turned, sizeof turned, "b: {cylinder: {radius: 20 mm, %s}", cases[k].turned);
		snprintf(still, sizeof still, "b: {cylinder: {radius: 20 mm, %s}", cases[k].still);
		packing p = {cases[k].name, "g: {ellipsoid: [1, 1, 1.6]}", fill, "", turned, ""};
		scene s, back;
		fail why = {0};
		load(&p, fill, DAMPED, &s);
		for (int step = 0; step < 20000 && s.world->state.time < 0.12; ++step)
			CHECK(scree_step(s.world), "%s: %s", p.name, s.world->work.why.text);
		unlink(path_of("s.snap"));
		CHECK(scree_snapshot_write(s.world, NULL, path_of("s.snap"), &why), "%s: %s", p.name, why.text);
		p.walls = still;
		given_step = s.world->model.dt;
		load(&p, "{from: s.snap}", DAMPED, &back);
		given_step = 0;
		CHECK(!strstr(back.notes, "lose"), "%s: %s", p.name, back.notes);
		same_sides(p.name, s.world, back.world, 1e-9, 0);
		for (int step = 0; step < 20; ++step)
			CHECK(scree_step(s.world) && scree_step(back.world), "%s: %s%s", p.name, s.world->work.why.text,
				  back.world->work.why.text);
		same_sides(p.name, s.world, back.world, 1e-6, 1e-6);
		scree_scene_free(&back);
		scree_scene_free(&s);
	}
}

static int remove_folder(void **state)
{
	(void)state;
	scree_scene_free(&cubes_scene);
	char command[PATH];
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packings_are_given_back),
		cmocka_unit_test(what_differs_is_said),
		cmocka_unit_test(names_must_match),
		cmocka_unit_test(others_come_beside),
		cmocka_unit_test(a_table_knows_the_flow),
		cmocka_unit_test(a_strained_cell_comes_along),
		cmocka_unit_test(contacts_keep_their_sides_in_a_turned_drum),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
