/* The library's handle: arrays of bodies, contacts, walls, energies and guards, compared with the world and with each
 * other; reading them does not change the state. */
#include "module/library_help.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/maths.h"
#include "base/memory.h"
#include "prepare/prepare.h"
#include "scene/scene.h"
#include "shape/shape_axes.h"
#include "world/world.h"

enum { STEPS = 40 };

static const double *column(scree_sim *s, const char *name, int64_t *rows)
{
	scree_array a;
	LIBRARY_DO(s, scree_sim_array(s, name, &a));
	CHECK(a.type == SCREE_F64 && a.epoch == scree_sim_epoch(s), "%s", name);
	if (rows) *rows = a.rows;
	return a.data;
}

static const uint64_t *ids(scree_sim *s, int64_t *rows)
{
	scree_array a;
	LIBRARY_DO(s, scree_sim_array(s, "id", &a));
	CHECK(a.type == SCREE_U64, "id");
	*rows = a.rows;
	return a.data;
}

/* the world of the same scene after the same number of steps, without using the handle */
static scene world_of(const char *file, int64_t steps)
{
	char path[400], *report = NULL;
	scene s;
	snprintf(path, sizeof path, "%s/%s", SCREE_SOURCE, file);
	CHECK(scree_scene_load(path, 0, NULL, &s, &report), "%s", report ? report : "");
	CHECK(scree_steps(s.world, steps), "%s", s.world->work.why.text);
	return s;
}

static void check_columns(scree_sim *s, const bodies *b)
{
	int64_t count;
	const uint64_t *id = ids(s, &count);
	CHECK(count == b->owned && scree_sim_bodies(s) == count, "%lld rows", (long long)count);
	for (int c = 0; c < scree_sim_arrays(s); ++c) {
		scree_array a, same;
		LIBRARY_DO(s, scree_sim_array_at(s, c, &a));
		LIBRARY_DO(s, scree_sim_array(s, a.name, &same));
		CHECK(same.data == a.data && a.rows == count, "%s", a.name);
		if (a.name[0] == 'q') continue;
		const field *f = NULL;
		for (int k = 0; k < scree_body_table.count; ++k)
			if (!strcmp(scree_body_table.row[k].name, a.name)) f = scree_body_table.row + k;
		CHECK(f && !strcmp(f->unit, a.unit), "%s", a.name);
		const size_t size = scree_kind_size(f->type);
		for (int32_t i = 0; i < b->owned; ++i) {
			const int64_t row = scree_sim_row(s, b->id[i]);
			CHECK(row >= 0 && id[row] == b->id[i], "row %lld", (long long)row);
			CHECK(
				!memcmp((char *)a.data + (size_t)row * size, (char *)scree_field_array(b, f) + (size_t)i * size, size),
				"%s of body %llu", a.name, (unsigned long long)b->id[i]);
		}
	}
	CHECK(scree_sim_row(s, 0) == -1 && scree_sim_row(s, UINT64_MAX) == -1, "ids that do not exist");
}

static void check_orientations(scree_sim *s, const scree_world *w)
{
	const double *q[4] = {column(s, "qw", NULL), column(s, "qx", NULL), column(s, "qy", NULL), column(s, "qz", NULL)};
	const bodies *b = &w->state.body;
	for (int32_t i = 0; i < b->owned; ++i) {
		const int64_t row = scree_sim_row(s, b->id[i]);
		const quat want = shape_axes_out(w->model.shape.row + b->shape[i], body_orientation(b, i));
		NEAR(q[0][row], want.w, 0, "qw"), NEAR(q[1][row], want.x, 0, "qx");
		NEAR(q[2][row], want.y, 0, "qy"), NEAR(q[3][row], want.z, 0, "qz");
	}
}

static void arrays_are_those_of_the_world(void **state)
{
	(void)state;
	for (int k = 0; k < LIBRARY_FILES; ++k) {
		scree_sim *s = library_open(library_files[k], 1);
		scene same = world_of(library_files[k], STEPS);
		LIBRARY_DO(s, scree_sim_step(s, STEPS));
		check_columns(s, &same.world->state.body);
		check_orientations(s, same.world);
		scree_scene_free(&same);
		scree_sim_close(s);
	}
}

/* orientation in the axes of the scene: an L rotated by 90 degrees about z has this orientation, whatever its principal
 * axes are */
static void orientations_are_those_of_the_scene(void **state)
{
	(void)state;
	scree_sim *s = library_text(
		"scene: 1\nmaterials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}\n"
		"contacts: {default: {restitution: 0.5, friction: 0.3}}\n"
		"shapes: {l: {clump: {centers: [[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0.5]], radii: [0.6, 0.6, 0.6, 0.6]}}}\n"
		"walls: {floor: {plane: {point: [0 m, 0 m, -1 m], normal: [0, 0, 1]}, material: m}}\n"
		"fill: [{lattice: {spacing: 60 mm}, region: {box: {min: [0 m, 0 m, 0 m], max: [60 mm, 60 mm, 60 mm]}}, "
		"material: m, shape: l, size: 10 mm, orientation: [1, 0, 0, 1]}]\nrun: {until: 1 s}\n");
	CHECK(scree_sim_bodies(s) == 1, "%lld bodies", (long long)scree_sim_bodies(s));
	const double half = sqrt(0.5);
	NEAR(*column(s, "qw", NULL), half, 1e-14, "qw"), NEAR(*column(s, "qx", NULL), 0, 1e-14, "qx");
	NEAR(*column(s, "qy", NULL), 0, 1e-14, "qy"), NEAR(*column(s, "qz", NULL), half, 1e-14, "qz");
	scree_sim_close(s);
}

static void wrong_columns_are_refused(void **state)
{
	(void)state;
	scree_sim *s = library_text(LIBRARY_BALL "run: {until: 1 s}\n");
	scree_array a;
	const char *const wrong[] = {"energy", "hx", "principal", "", NULL};
	for (int k = 0; k < 5; ++k) CHECK(scree_sim_array(s, wrong[k], &a) == SCREE_BAD_INPUT, "%d", k);
	CHECK(scree_sim_array_at(s, -1, &a) == SCREE_BAD_INPUT, "-1");
	CHECK(scree_sim_array_at(s, scree_sim_arrays(s), &a) == SCREE_BAD_INPUT, "one too many");
	LIBRARY_DO(s, scree_sim_array(s, "vx", &a));
	CHECK(a.writable, "velocities may be written to");
	LIBRARY_DO(s, scree_sim_array(s, "mass", &a));
	CHECK(!a.writable, "masses may not");
	NEAR(*(double *)a.data, 2500 * SCREE_PI / 6 * 1e-6, 1e-15, "mass of the ball");
	scree_sim_close(s);
}

/* ------------------------------------------------------------------ contacts */

typedef struct load_sum {
	double force[3], torque[3];
} load_sum;

static void cross(const double a[3], const double b[3], double to[3])
{
	for (int c = 0; c < 3; ++c) to[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
}

/* adds `sign` times the load from the contact to a body or wall centred at `centre` */
static void add_contact(load_sum *to, const scree_contact *k, double sign, const double centre[3])
{
	double force[3], arm[3], moment[3];
	for (int c = 0; c < 3; ++c) {
		force[c] = k->normal_force * k->normal[c] + k->friction[c];
		arm[c] = k->point[c] - centre[c];
	}
	cross(arm, force, moment);
	for (int c = 0; c < 3; ++c) to->force[c] += sign * force[c], to->torque[c] += sign * (moment[c] + k->torque[c]);
}

static void check_contact(const scree_contact *k)
{
	double along = 0, length = 0;
	for (int c = 0; c < 3; ++c) along += k->friction[c] * k->normal[c], length += k->normal[c] * k->normal[c];
	NEAR(length, 1, 1e-12, "length of the normal");
	NEAR(along, 0, 1e-9 * (fabs(k->normal_force) + 1e-6), "friction along the normal");
	CHECK(k->a && (k->b || k->wall >= 0) && !(k->b && k->wall >= 0), "partners");
	CHECK(k->columns > 4 && k->columns <= SCREE_HISTORY_MOST, "%d columns", k->columns);
}

/* the forces and torques of all contacts add up to the forces and torques on the bodies and walls */
static void check_sums(scree_sim *s, const char *file, double tolerance)
{
	int64_t rows;
	const double *x[3] = {column(s, "x", &rows), column(s, "y", NULL), column(s, "z", NULL)};
	const char *const names[] = {"fx", "fy", "fz", "tx", "ty", "tz"};
	load_sum *body = calloc((size_t)rows, sizeof *body), *wall = calloc((size_t)scree_sim_walls(s) + 1, sizeof *wall);
	double most[2] = {0, 0};
	int64_t count = 0, sliding = 0;
	scree_contact k;
	for (scree_cursor at = {0}; scree_sim_next_contact(s, &at, &k); ++count) {
		check_contact(&k);
		sliding += k.sliding;
		const int64_t a = scree_sim_row(s, k.a), b = k.b ? scree_sim_row(s, k.b) : -1;
		add_contact(body + a, &k, 1, (double[3]){x[0][a], x[1][a], x[2][a]});
		if (b >= 0) {
			add_contact(body + b, &k, -1, (double[3]){x[0][b], x[1][b], x[2][b]});
		} else {
			scree_wall w;
			LIBRARY_DO(s, scree_sim_wall(s, k.wall, &w));
			add_contact(wall + k.wall, &k, -1, w.position);
		}
	}
	CHECK(count > 0 && sliding <= count, "%s: %lld contacts", file, (long long)count);
	for (int c = 0; c < 6; ++c)
		for (int64_t i = 0; i < rows; ++i) most[c / 3] = fmax(most[c / 3], fabs(column(s, names[c], NULL)[i]));
	most[1] = fmax(most[1], 1e-3 * most[0]); /* because all torques may be zero */
	for (int c = 0; c < 6; ++c)
		for (int64_t i = 0; i < rows; ++i) {
			const double sum = c < 3 ? body[i].force[c] : body[i].torque[c - 3];
			CHECK(fabs(sum - column(s, names[c], NULL)[i]) <= tolerance * most[c / 3], "%s: %s of row %lld: %g, not %g",
				  file, names[c], (long long)i, column(s, names[c], NULL)[i], sum);
		}
	for (int w = 0; w < scree_sim_walls(s); ++w) {
		scree_wall is;
		LIBRARY_DO(s, scree_sim_wall(s, w, &is));
		for (int c = 0; c < 3; ++c) {
			NEAR(is.force[c], wall[w].force[c], 1e-9 * (most[0] + 1), "load of a wall");
			NEAR(is.torque[c], wall[w].torque[c], 1e-9 * (most[1] + 1), "torque of a wall");
		}
	}
	free(body);
	free(wall);
}

static void contacts_add_up(void **state)
{
	(void)state;
	/* patches store the force used in the step; the force at a single contact point depends on the velocities after the
	 * kick */
	const struct {
		const char *file;
		int64_t steps;
		double tolerance;
	} of[] = {{"scenes/settling_cubes.scene.yaml", 9000, 1e-9},
			  {"examples/dominoes.scene.yaml", 3000, 1e-9},
			  {"scenes/settling_spheres.scene.yaml", 6000, 1e-2}};
	for (int k = 0; k < (int)(sizeof of / sizeof *of); ++k) {
		scree_sim *s = library_open(of[k].file, 2);
		LIBRARY_DO(s, scree_sim_step(s, of[k].steps));
		check_sums(s, of[k].file, of[k].tolerance);
		scree_sim_close(s);
	}
}

/* a ball resting on the floor: the contact supports its weight, at the overlap given by Hertz's law */
static void a_ball_at_rest(void **state)
{
	(void)state;
	scree_sim *s = library_text(LIBRARY_BALL "world: {gravity: [0 m/s^2, 0 m/s^2, -9.81 m/s^2]}\nrun: {until: 1 s}\n");
	LIBRARY_DO(s, scree_sim_run_until(s, 1.5));
	const double weight = 9.81 * *column(s, "mass", NULL),
				 stiffness = 4.0 / 3 * (1e6 / (2 * (1 - 0.0625))) * sqrt(5e-3);
	scree_cursor at = {0};
	scree_contact k;
	CHECK(scree_sim_next_contact(s, &at, &k), "it does not touch the floor");
	NEAR(k.normal_force, weight, 1e-5 * weight, "force");
	NEAR(k.overlap, pow(weight / stiffness, 2.0 / 3), 1e-4 * k.overlap, "overlap");
	NEAR(k.elastic, 0.4 * weight * k.overlap, 1e-3 * weight * k.overlap, "2/5 of force times depth");
	NEAR(k.normal[2], 1, 1e-12, "normal");
	NEAR(k.point[2], 0, k.overlap, "point");
	CHECK(k.b == 0 && k.wall == scree_sim_find_wall(s, "floor") && !k.sliding, "wall %d", k.wall);
	CHECK(!scree_sim_next_contact(s, &at, &k), "there is a second contact");
	scree_wall floor;
	LIBRARY_DO(s, scree_sim_wall(s, 0, &floor));
	NEAR(floor.force[2], -weight, 1e-5 * weight, "load of the floor");
	CHECK(floor.contacts == 1 && !strcmp(floor.name, "floor") && !floor.removed, "%s", floor.name);
	CHECK(scree_sim_find_wall(s, "wall") == -1 && scree_sim_find_wall(s, NULL) == -1, "walls that do not exist");
	CHECK(scree_sim_wall(s, 1, &floor) == SCREE_BAD_INPUT && scree_sim_wall(s, -1, &floor) == SCREE_BAD_INPUT, "walls");
	at = (scree_cursor){.kind = -1};
	CHECK(!scree_sim_next_contact(s, &at, &k), "a wrong cursor");
	at = (scree_cursor){.kind = 1 << 30, .piece = INT64_MAX, .row = INT64_MAX};
	CHECK(!scree_sim_next_contact(s, &at, &k), "a cursor far beyond");
	double stress[6];
	CHECK(scree_sim_stress(s, stress) == SCREE_BAD_INPUT, "stress without periods");
	scree_sim_close(s);
}

static void histories_have_names(void **state)
{
	(void)state;
	assert_string_equal(scree_history_name(0), "sx");
	assert_string_equal(scree_history_unit(0), "m");
	CHECK(strstr(scree_history_help(0), "spring"), "%s", scree_history_help(0));
	CHECK(!scree_history_name(-1) && !scree_history_name(SCREE_HISTORY_MOST) && !scree_history_unit(99), "beyond");
}

/* ------------------------------------------------------------------ energies and guards */

static void check_energies(scree_sim *s, const scree_world *w)
{
	scree_ledger is;
	scree_guards g;
	const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	LIBRARY_DO(s, scree_sim_ledger(s, &is));
	NEAR(is.kinetic, e.kinetic, 0, "kinetic"), NEAR(is.potential, e.potential, 0, "potential");
	NEAR(is.elastic, e.elastic, 0, "elastic"), NEAR(is.lost_normal, e.lost_normal, 0, "lost_normal");
	NEAR(is.lost_friction, e.lost_friction, 0, "lost_friction"),
		NEAR(is.lost_rolling, e.lost_rolling, 0, "lost_rolling");
	NEAR(is.made, e.made, 0, "made"), NEAR(is.wall_work, e.wall_work, 0, "wall_work");
	NEAR(is.brought, e.brought, 0, "brought"), NEAR(is.residual, e.residual, 0, "residual");
	LIBRARY_DO(s, scree_sim_guards(s, &g));
	NEAR(g.overlap, w->work.greatest_overlap_ever, 0, "overlap"),
		NEAR(g.overlap_limit, w->model.guard.overlap, 0, "limit");
	NEAR(g.speed, w->work.greatest_speed, 0, "speed"), NEAR(g.energy_limit, w->model.guard.energy, 0, "energy limit");
	CHECK(g.lost == w->state.lost && !g.stopped && !g.unsafe, "%lld lost", (long long)g.lost);
	CHECK(g.step_used >= 0 && g.step_used < 1, "%g of the step", g.step_used);
	if (!w->model.period.on) return;
	real want[6];
	double stress[6];
	scree_world_stress(&w->model, &w->state, &w->work, want);
	LIBRARY_DO(s, scree_sim_stress(s, stress));
	for (int c = 0; c < 6; ++c) NEAR(stress[c], want[c], 0, "stress");
}

static void energies_are_those_of_the_world(void **state)
{
	(void)state;
	for (int k = 0; k < LIBRARY_FILES; ++k) {
		scree_sim *s = library_open(library_files[k], 1);
		scene same = world_of(library_files[k], STEPS);
		LIBRARY_DO(s, scree_sim_step(s, STEPS));
		check_energies(s, same.world);
		scree_scene_free(&same);
		scree_sim_close(s);
	}
}

/* ------------------------------------------------------------------ reading changes nothing */

typedef struct seen {
	int64_t contacts;
	double overlap, elastic, normal, history, force;
	scree_ledger energy;
} seen;

/* sums over contacts, whose order affects only rounding */
static seen look_at(scree_sim *s)
{
	seen all = {0};
	scree_contact k;
	scree_wall w;
	scree_guards g;
	double stress[6];
	for (scree_cursor at = {0}; scree_sim_next_contact(s, &at, &k); ++all.contacts) {
		all.overlap += k.overlap, all.elastic += k.elastic, all.normal += k.normal_force;
		for (int c = 0; c < k.columns; ++c) all.history += isnan(k.history[c]) ? 0 : fabs(k.history[c]);
	}
	LIBRARY_DO(s, scree_sim_ledger(s, &all.energy));
	LIBRARY_DO(s, scree_sim_guards(s, &g));
	for (int c = 0; c < scree_sim_walls(s); ++c) LIBRARY_DO(s, scree_sim_wall(s, c, &w));
	(void)scree_sim_stress(s, stress);
	for (int64_t rows, i = 0; column(s, "qx", &rows) && i < rows; ++i) all.force += fabs(column(s, "fz", NULL)[i]);
	return all;
}

/* as the command does for its outputs at t = 0, after which the state contains the initial forces */
static void show_and_hide(scree_world *w)
{
	const start_shown before = scree_world_show_start(&w->model, &w->state, &w->work);
	scree_world_hide_start(&w->model, &w->state, &w->work, &before);
}

/* the time spent finding initial contacts for a reader is not part of the time spent in steps */
static void reading_takes_no_time_of_steps(void **state)
{
	(void)state;
	scree_sim *s = library_open("scenes/settling_cubes.scene.yaml", 1);
	CHECK(scree_sim_seconds(s) == 0, "%g s", scree_sim_seconds(s));
	look_at(s);
	CHECK(scree_sim_seconds(s) == 0, "%g s", scree_sim_seconds(s));
	LIBRARY_DO(s, scree_sim_step(s, STEPS));
	CHECK(scree_sim_seconds(s) > 0 && scree_sim_seconds(s) < 60, "%g s", scree_sim_seconds(s));
	scree_sim_close(s);
}

static void reading_changes_nothing(void **state)
{
	(void)state;
	for (int k = 0; k < LIBRARY_FILES; ++k)
		for (int64_t before = 0; before <= STEPS; before += STEPS) {
			scree_sim *s = library_open(library_files[k], 1);
			LIBRARY_DO(s, scree_sim_step(s, before));
			const uint64_t hash = scree_sim_hash(s);
			look_at(s);
			CHECK(hash == scree_sim_hash(s), "%s at %lld is changed", library_files[k], (long long)before);
			look_at(s);
			LIBRARY_DO(s, scree_sim_step(s, STEPS));
			scene same = world_of(library_files[k], before);
			if (!before) show_and_hide(same.world);
			CHECK(hash == scree_world_hash(&same.world->model, &same.world->state, &same.world->work), "%s at %lld",
				  library_files[k], (long long)before);
			CHECK(scree_steps(same.world, STEPS), "%s", same.world->work.why.text);
			CHECK(scree_sim_hash(s) == scree_world_hash(&same.world->model, &same.world->state, &same.world->work),
				  "%s after %lld", library_files[k], (long long)before);
			scree_scene_free(&same);
			scree_sim_close(s);
		}
}

static void check_same(const seen *a, const seen *b, const char *file)
{
	CHECK(a->contacts == b->contacts, "%s: %lld contacts, %lld restored", file, (long long)a->contacts,
		  (long long)b->contacts);
	NEAR(b->overlap, a->overlap, 1e-12 * a->overlap, file), NEAR(b->elastic, a->elastic, 1e-9 * a->elastic, file);
	NEAR(b->history, a->history, 1e-12 * a->history, file), NEAR(b->force, a->force, 1e-12 * a->force, file);
	/* impulses from the last step are not part of the state */
	if (b->normal != 0) NEAR(b->normal, a->normal, 0.02 * fabs(a->normal), file);
	NEAR(b->energy.kinetic, a->energy.kinetic, 0, file), NEAR(b->energy.made, a->energy.made, 1e-12, file);
	NEAR(b->energy.lost_friction, a->energy.lost_friction, 1e-15, file);
	NEAR(b->energy.residual, a->energy.residual, 1e-12, file);
}

/* a restored world shows the same values as when it was saved, and continues bitwise identically */
static void a_restored_world_can_be_read(void **state)
{
	(void)state;
	char path[] = "/tmp/scree_read_XXXXXX";
	assert_true(close(mkstemp(path)) == 0);
	for (int k = 0; k < LIBRARY_FILES; ++k) {
		scree_sim *s = library_open(library_files[k], 1);
		LIBRARY_DO(s, scree_sim_step(s, 12 * STEPS));
		LIBRARY_DO(s, scree_sim_save(s, path));
		scree_sim *r = scree_sim_restore(path, 2, NULL);
		const seen saved = look_at(s), restored = look_at(r);
		check_same(&saved, &restored, library_files[k]);
		CHECK(scree_sim_hash(r) == scree_sim_hash(s), "%s", library_files[k]);
		look_at(r);
		LIBRARY_DO(s, scree_sim_step(s, STEPS));
		LIBRARY_DO(r, scree_sim_step(r, STEPS));
		CHECK(scree_sim_hash(r) == scree_sim_hash(s), "%s continued", library_files[k]);
		scree_sim_close(r);
		scree_sim_close(s);
	}
	unlink(path);
}

/* ------------------------------------------------------------------ pictures */

static void a_picture_is_drawn(void **state)
{
	(void)state;
	char path[] = "/tmp/scree_picture_XXXXXX";
	assert_true(close(mkstemp(path)) == 0);
	scree_sim *s = library_open("examples/heap2d.scene.yaml", 1);
	LIBRARY_DO(s, scree_sim_step(s, STEPS));
	const uint64_t hash = scree_sim_hash(s);
	const char *const set[] = {"output.images.size=[80, 60]", "output.images.color=speed"};
	LIBRARY_DO(s, scree_sim_render(s, path, 2, set));
	unsigned char head[24];
	FILE *png = fopen(path, "rb");
	assert_true(png && fread(head, 1, sizeof head, png) == sizeof head);
	fclose(png);
	CHECK(!memcmp(head, "\x89PNG", 4) && head[19] == 80 && head[23] == 60, "%d x %d", head[19], head[23]);
	CHECK(scree_sim_hash(s) == hash, "the picture changed the state");
	const char *const wrong[] = {"run.until=1 s"}, *const color[] = {"output.images.color=taste"};
	const char *const format[] = {"output.images.format=svg"};
	CHECK(scree_sim_render(s, path, 1, wrong) == SCREE_BAD_INPUT, "another key");
	CHECK(scree_sim_render(s, path, 1, color) == SCREE_BAD_INPUT && strstr(scree_sim_error(s), "taste"),
		  "a wrong value");
	CHECK(scree_sim_render(s, path, 1, format) == SCREE_BAD_INPUT && strstr(scree_sim_error(s), "name of the file"),
		  "the name decides");
	CHECK(scree_sim_render(s, NULL, 0, NULL) == SCREE_BAD_INPUT, "no path");
	CHECK(scree_sim_render(s, "/no/such/folder/a.png", 0, NULL) == SCREE_FILES, "no folder");
	scree_sim_close(s);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arrays_are_those_of_the_world),
		cmocka_unit_test(orientations_are_those_of_the_scene),
		cmocka_unit_test(wrong_columns_are_refused),
		cmocka_unit_test(contacts_add_up),
		cmocka_unit_test(a_ball_at_rest),
		cmocka_unit_test(histories_have_names),
		cmocka_unit_test(energies_are_those_of_the_world),
		cmocka_unit_test(reading_takes_no_time_of_steps),
		cmocka_unit_test(reading_changes_nothing),
		cmocka_unit_test(a_restored_world_can_be_read),
		cmocka_unit_test(a_picture_is_drawn),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
