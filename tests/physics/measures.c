/* Measures in regions compared with closed forms: grains with known contacts, the stress of the cell, and columns at
 * rest. */
#include "lab.h"
#include "test.h"

#include <math.h>

#include "base/memory.h"
#include "choices/choices.h"
#include "measure/measure.h"
#include "model/narrow.h"
#include "outputs/outputs.h"
#include "shape/shapes.h"
#include "world/world.h"

static const real D = 0.01, K = 1000, DT = 1e-7; /* m, N/m, s */

static measure_plan box_plan(vec3 low, vec3 high, int32_t x, int32_t y, int32_t z)
{
	measure_plan p = {.bounded = true, .cells = {x, y, z}, .classes = 1, .material = -1};
	p.where = (region){.type = REGION_BOX, .low = low, .high = high};
	return p;
}

enum { MOST_VALUES = 4000 };
static real measured[MOST_VALUES];
static int32_t width;

static void measure(const measure_plan *p, const scree_world *w)
{
	real *v = scree_measure(p, w, &width);
	const int32_t cells = p->cells[0] * p->cells[1] * p->cells[2] * p->classes;
	CHECK(cells * width <= MOST_VALUES, "%d values", cells * width);
	memcpy(measured, v, (size_t)(cells * width) * sizeof *v);
	scree_free(v);
}

/* column `part` of a measure in a cell */
static real value(const measure_plan *p, int32_t cell, const char *name, int part)
{
	int row[PLAN_FIELDS], at = 0;
	const int rows = scree_measure_rows(p, row);
	for (int k = 0; k < rows && strcmp(scree_measures[row[k]].name, name) != 0; ++k) {
		++at;
		for (const char *c = scree_measures[row[k]].columns; *c; ++c) at += *c == ' ';
	}
	return measured[cell * width + at + part];
}

/* ------------------------------------------------------------------ grains with known values */

static void two_grains_have_their_values(void **state)
{
	(void)state;
	const real overlap = 1e-4, x = (D - overlap) / 2, mass = 2500 * SCREE_PI / 6 * D * D * D, speed = 0.3;
	scree_world *w = lab_world(lab_linear(K, 1, 0));
	lab_add_moving(w, 0, D, v3(-x, 0, 0), (quat){1, 0, 0, 0}, v3(0, speed + 1, 0), v3(0, 0, 0));
	lab_add_moving(w, 0, D, v3(x, 0, 0), (quat){1, 0, 0, 0}, v3(0, -speed + 1, 0), v3(0, 0, 0));
	lab_prepare(w, DT);
	lab_steps(w, 1);
	const real volume = 8e-3, push = K * overlap * (2 * x) / volume;
	const measure_plan one = box_plan(v3(-0.1, -0.1, -0.1), v3(0.1, 0.1, 0.1), 1, 1, 1);
	measure(&one, w);
	NEAR(value(&one, 0, "mass", 0), 2 * mass, 1e-12 * mass, "mass");
	NEAR(value(&one, 0, "bodies", 0), 2, 0, "bodies");
	NEAR(value(&one, 0, "solid_fraction", 0), 2 * mass / 2500 / volume, 1e-15, "solid fraction");
	NEAR(value(&one, 0, "velocity", 1), 1, 1e-12, "velocity");
	NEAR(value(&one, 0, "temperature", 0), speed * speed / 3, 1e-6, "temperature");
	NEAR(value(&one, 0, "coordination", 0), 1, 0, "coordination");
	NEAR(value(&one, 0, "fabric", 0), 1, 1e-9, "normals along x");
	NEAR(value(&one, 0, "fabric", 1) + value(&one, 0, "fabric", 2), 0, 1e-9, "no normals across");
	NEAR(value(&one, 0, "stress", 0), push, 1e-5 * push, "stress of the contact");
	NEAR(value(&one, 0, "stress", 1), 2 * mass * speed * speed / volume, 1e-6 * push, "stress of the motion");
	const measure_plan two = box_plan(v3(-0.1, -0.1, -0.1), v3(0.1, 0.1, 0.1), 2, 1, 1);
	measure(&two, w);
	for (int k = 0; k < 2; ++k) {
		NEAR(value(&two, k, "bodies", 0), 1, 0, "bodies of half");
		NEAR(value(&two, k, "temperature", 0), 0, 1e-20, "one body has no temperature");
		NEAR(value(&two, k, "stress", 0), push, 1e-5 * push, "each body has its end of the contact");
	}
	scree_world_free(w);
}

/* In the plane, bodies and cells are as thick as the world. */
static void discs_have_their_solid_fraction(void **state)
{
	(void)state;
	const real side = 0.02;
	scree_world *w = lab_world((contact_rule){.law = LAW_OVERLAP, .restitution = 0.5, .friction = 0.5});
	fail why = {0};
	scree_shapes_free(&w->model.shape);
	w->model.flat = true;
	w->model.thickness = 3 * D;
	w->model.narrow = scree_narrow_find("overlap-thickness/plane");
	CHECK(scree_shapes_add_disc(&w->model.shape, "disc", &why) == 0, "%s", why.text);
	lab_add(w, 0, D, v3(0, 0, 0));
	lab_prepare(w, DT);
	const measure_plan one = box_plan(v3(-side / 2, -side / 2, -0.5), v3(side / 2, side / 2, 0.5), 1, 1, 1);
	measure(&one, w);
	NEAR(value(&one, 0, "mass", 0), 2500 * 3 * D * SCREE_PI / 4 * D * D, 1e-15, "mass");
	NEAR(value(&one, 0, "solid_fraction", 0), SCREE_PI / 4 * D * D / side / side, 1e-12, "solid fraction of a disc");
	scree_world_free(w);
}

static void cells_of_all_regions_add_up(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_linear(K, 1, 0));
	random_stream r = scree_random_start(11, 0);
	for (int k = 0; k < 400; ++k) {
		const real x = scree_random_between(&r, -0.1, 0.1), y = scree_random_between(&r, -0.1, 0.1);
		lab_add(w, 0, scree_random_between(&r, 0.5, 1) * D, v3(x, y, scree_random_between(&r, -0.1, 0.1)));
	}
	lab_prepare(w, DT);
	const real third = v3_norm(v3(1, 2, 2));
	measure_plan plan[3];
	for (int k = 0; k < 3; ++k) plan[k] = box_plan(v3(-0.07, -0.08, -0.1), v3(0.1, 0.1, 0.1), 1, 1, 1);
	plan[1].where =
		(region){.type = REGION_CYLINDER, .radius = 0.09, .length = 0.12, .axis = v3(1 / third, 2 / third, 2 / third)};
	plan[2].where = (region){.type = REGION_SPHERE, .radius = 0.095};
	const int32_t cells[3][3] = {{3, 4, 5}, {4, 1, 6}, {7, 1, 1}};
	for (int k = 0; k < 3; ++k) {
		const bodies *b = &w->state.body;
		int inside = 0;
		for (int32_t i = 0; i < b->owned; ++i) inside += scree_region_holds(&plan[k].where, body_position(b, i), 0);
		memcpy(plan[k].cells, cells[k], sizeof cells[k]);
		measure(plan + k, w);
		real count = 0, volume = 0;
		for (int32_t c = 0; c < scree_cells(plan + k); ++c) {
			count += value(plan + k, c, "bodies", 0);
			volume += scree_cell_volume(plan + k, c);
		}
		NEAR(volume, scree_region_volume(&plan[k].where), 1e-12, "cells fill the region");
		NEAR(count, inside, 0, "every body of the region is in one cell");
		for (int d = 0; d < 3; ++d) plan[k].cells[d] = 1;
		measure(plan + k, w);
		NEAR(value(plan + k, 0, "bodies", 0), inside, 0, "one cell has all");
	}
	scree_world_free(w);
}

/* twelve small and four large bodies: sizes weighted by number and by mass, size classes, shares, and heights */
static void mixtures_have_their_values(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_linear(K, 1, 0));
	w->model.gravity = v3(0, 0, -10);
	for (int k = 0; k < 16; ++k)
		lab_add(w, 0, (k < 12 ? 1 : 2) * D, v3(3 * (k % 4) * D, 3 * (k / 4) * D, k < 12 ? 0 : D));
	lab_prepare(w, DT);
	measure_plan p = box_plan(v3(-D, -D, -D), v3(10 * D, 10 * D, 2 * D), 1, 1, 1);
	measure(&p, w);
	NEAR(value(&p, 0, "size", 0), 20 * D / 16, 1e-12, "mean size by number");
	NEAR(value(&p, 0, "size", 1), sqrt(28 * D * D / 16 - 400 * D * D / 256), 1e-12, "deviation");
	NEAR(value(&p, 0, "size", 2), (12 * D + 4 * 8 * 2 * D) / 44, 1e-12, "mean size by mass");
	NEAR(value(&p, 0, "height", 0), 2 * D, 1e-12, "the large bodies are on top");
	p.sizes[0] = D / 2, p.sizes[1] = 5 * D / 2, p.classes = 2;
	measure(&p, w);
	NEAR(value(&p, 0, "bodies", 0), 12, 0, "small");
	NEAR(value(&p, 1, "bodies", 0), 4, 0, "large");
	NEAR(value(&p, 0, "share", 0), 12.0 / 44, 1e-12, "share of the small ones");
	NEAR(value(&p, 1, "share", 0), 32.0 / 44, 1e-12, "share of the large ones");
	p = box_plan(v3(-D, -D, -D), v3(10 * D, 10 * D, 2 * D), 1, 4, 1);
	p.sizes[0] = 3 * D / 2, p.sizes[1] = 5 * D / 2;
	p.where.low.y = -3 * D / 2, p.where.high.y = 21 * D / 2;
	measure(&p, w);
	const real share = 32.0 / 44;
	real index = 0;
	for (int k = 0; k < 4; ++k) {
		NEAR(value(&p, k, "share", 0), k < 3 ? 0 : 1, 0, "rows are of one kind");
		index += value(&p, k, "segregation", 0) * (k < 3 ? 4 : 32) / 44;
	}
	NEAR(value(&p, 0, "segregation", 0), share / (1 - share), 1e-12, "segregation");
	NEAR(index, 1, 1e-12, "separate");
	scree_world_free(w);
}

/* ------------------------------------------------------------------ columns */

/* Ball k of a stack at rest supports the balls above it: K times the overlap equals the weight of these balls. */
static void stack_has_the_weight_above(void **state)
{
	enum { BALLS = 10 };
	(void)state;
	const real g = 10, weight = 2500 * SCREE_PI / 6 * D * D * D * g;
	scree_world *w = lab_world(lab_linear(K, 0.5, 0));
	w->model.gravity = v3(0, 0, -g);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	real z = 0, under[BALLS], above[BALLS];
	for (int k = 0; k < BALLS; ++k) {
		const real load = (BALLS - k) * weight;
		z += (k ? D : D / 2) - load / K;
		under[k] = load * (D / 2 - load / K / 2);
		above[k] = (load - weight) * (D / 2 - (load - weight) / K / 2);
		lab_add(w, 0, D, v3(0, 0, z));
	}
	lab_prepare(w, 1e-6);
	lab_steps(w, 10);
	const measure_plan p = box_plan(v3(-D, -D, 0), v3(D, D, BALLS * D), 1, 1, BALLS);
	measure(&p, w);
	for (int k = 0; k < BALLS; ++k) {
		NEAR(value(&p, k, "stress", 2) * 4 * D * D * D, under[k] + above[k], 1e-6 * BALLS * weight * D,
			 "stress of a ball");
		NEAR(value(&p, k, "coordination", 0), k < BALLS - 1 ? 2 : 1, 0, "neighbours");
	}
	scree_world_free(w);
}

/* In a layer of the fields, the integral of stress_zz is the weight above the layer; together with the weight below
 * the layer, it equals the load on the floor. */
static void fields_carry(const scree_world *w, real mass, real g, real floor)
{
	enum { X = 32, Z = 56 };
	const real cell = (real)0.0025, area = cell * cell, low = -8 * cell;
	const field_plan p = {.low = v3(-X / 2 * cell, -X / 2 * cell, low),
						  .high = v3(X / 2 * cell, X / 2 * cell, low + Z * cell),
						  .cells = {X, X, Z},
						  .width = (real)0.0075,
						  .function = FIELD_LUCY};
	grid_fields f = scree_grid_fields(&p, w);
	real above = 0, whole = 0, moment = 0, worst = 0;
	for (int z = Z - 1; z >= 0; --z) {
		real force = 0, layer = 0;
		for (int64_t k = (int64_t)z * X * X; k < (int64_t)(z + 1) * X * X; ++k) {
			force += f.contact[6 * k + 2] * area;
			layer += f.density[k] * area * cell;
		}
		above += layer / 2; /* weight above the middle of the layer */
		if (low + z * cell > 0.016) worst = real_max(worst, real_abs(force + (mass - above) * g - floor));
		above += layer / 2;
		moment += force * cell;
	}
	whole = above;
	CHECK(worst < 0.01 * floor, "%g N of %g N", worst, floor);
	NEAR(whole, mass, 2e-3 * mass, "mass of the density");
	real height = 0;
	for (int32_t i = 0; i < w->state.body.owned; ++i) height += w->state.body.mass[i] * w->state.body.z[i];
	NEAR(moment, height * g, 0.01 * height * g, "stress of all space");
	scree_grid_fields_free(&f);
}

/* both weighting functions integrate to 1, and yield the momentum, mean velocity and kinetic stress of two bodies
 */
static void fields_of_two_bodies(void **state)
{
	enum { N = 40 };
	(void)state;
	scree_world *w = lab_world(lab_linear(K, 1, 0));
	const real mass = 2500 * SCREE_PI / 6 * D * D * D, cell = 0.002;
	lab_add_moving(w, 0, D, v3(-D, 0, 0), (quat){1, 0, 0, 0}, v3(1, 0, 0), v3(0, 0, 0));
	lab_add_moving(w, 0, D, v3(D, 0, 0), (quat){1, 0, 0, 0}, v3(0, 3, 0), v3(0, 0, 0));
	lab_prepare(w, DT);
	for (int function = FIELD_LUCY; function <= FIELD_GAUSSIAN; ++function) {
		const field_plan p = {.low = v3(-0.04, -0.04, -0.04),
							  .high = v3(0.04, 0.04, 0.04),
							  .cells = {N, N, N},
							  .width = 0.008,
							  .function = (field_function)function};
		grid_fields f = scree_grid_fields(&p, w);
		real sum = 0, momentum[2] = {0}, wrong = 0, flux = 0;
		for (int64_t k = 0; k < f.count; ++k) {
			const real volume = cell * cell * cell;
			const real *v = f.velocity + 3 * k;
			sum += f.density[k] * volume;
			for (int d = 0; d < 2; ++d) momentum[d] += f.momentum[3 * k + d] * volume;
			/* two bodies with shares s and 1 - s have a mean velocity of (s, 3 (1 - s)), stress_xx = density s (1 -
			 * s) */
			wrong = real_max(wrong, f.density[k] > 0 ? real_abs(v[0] + v[1] / 3 - 1) : 0);
			flux = real_max(flux, real_abs(f.kinetic[6 * k] - f.density[k] * v[0] * (1 - v[0])));
			CHECK(f.contact[6 * k] == 0, "no contact");
		}
		NEAR(sum, 2 * mass, 2e-3 * mass, "mass");
		NEAR(momentum[0], mass, 2e-3 * mass, "momentum along x");
		NEAR(momentum[1], 3 * mass, 6e-3 * mass, "momentum along y");
		NEAR(wrong, 0, 1e-9, "velocity");
		NEAR(flux, 0, 1e-9 * mass / (cell * cell * cell), "kinetic stress");
		scree_grid_fields_free(&f);
	}
	scree_world_free(w);
}

/* Without wall friction, V sigma_zz equals M g times the height of the centre of mass, and the stress in a slice is the
 * weight above its middle divided by the area. */
static void column_is_hydrostatic(void **state)
{
	enum { EDGE = 5, LAYERS = 12, SLICES = 3 };
	(void)state;
	const real side = EDGE * D, g = 10;
	scree_world *w = lab_world(lab_linear(20 * K, 0.2, 0));
	random_stream r = scree_random_start(3, 0);
	w->model.gravity = v3(0, 0, -g);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	for (int s = -1; s <= 1; s += 2) {
		lab_plane(w, v3(s * side / 2, 0, 0), v3(-s, 0, 0));
		lab_plane(w, v3(0, s * side / 2, 0), v3(0, -s, 0));
	}
	for (int k = 0; k < EDGE * EDGE * LAYERS; ++k)
		lab_add(w, 0, scree_random_between(&r, 0.8, 0.99) * D,
				v3((k % EDGE + (real)0.5) * D - side / 2, (k / EDGE % EDGE + (real)0.5) * D - side / 2,
				   (k / EDGE / EDGE + (real)0.5) * D));
	lab_prepare(w, 1e-5);
	lab_steps(w, 50000);
	const bodies *b = &w->state.body;
	real moment = 0, mass = 0;
	for (int32_t i = 0; i < b->owned; ++i) moment += b->mass[i] * g * b->z[i], mass += b->mass[i];
	measure_plan p = box_plan(v3(-side / 2, -side / 2, 0), v3(side / 2, side / 2, LAYERS * D), 1, 1, 1);
	measure(&p, w);
	const real floor = scree_wall_push(&w->model, &w->state, &w->work, 0);
	NEAR(floor, mass * g, 2e-3 * mass * g, "load of the floor");
	const real whole = value(&p, 0, "stress", 2);
	NEAR(whole * side * side * LAYERS * D, moment, 2e-3 * moment, "M g z");
	NEAR(value(&p, 0, "mass", 0), mass, 1e-12, "mass");
	const real high = 0.06;
	p = box_plan(v3(-side / 2, -side / 2, 0), v3(side / 2, side / 2, high), 1, 1, SLICES);
	measure(&p, w);
	for (int k = 0; k < SLICES; ++k) {
		const real middle = high * (k + (real)0.5) / SLICES;
		const real low = high * k / SLICES, top = high * (k + 1) / SLICES;
		real above = 0, solid = 0;
		for (int32_t i = 0; i < b->owned; ++i) {
			above += b->z[i] > middle ? b->mass[i] * g : 0;
			solid += b->z[i] >= low && b->z[i] < top ? b->mass[i] / 2500 : 0;
		}
		NEAR(value(&p, k, "stress", 2), above / side / side, 0.1 * mass * g / side / side, "weight above");
		NEAR(value(&p, k, "solid_fraction", 0), solid / side / side / (top - low), 1e-12, "solid fraction");
	}
	fields_carry(w, mass, g, floor);
	scree_world_free(w);
}

/* In each cross section, out of reach of the walls, the integral of the coarse-grained normal stress equals the load
 * on a wall perpendicular to the same axis. */
static void sections_carry(const scree_world *w, real side, const real load[3])
{
	enum { N = 44 };
	const real cell = side / 32, low = -(N - 32) / 2 * cell;
	const field_plan p = {.low = v3(low, low, low),
						  .high = v3(low + N * cell, low + N * cell, low + N * cell),
						  .cells = {N, N, N},
						  .width = 3 * cell,
						  .function = FIELD_LUCY};
	grid_fields f = scree_grid_fields(&p, w);
	for (int axis = 0; axis < 3; ++axis) {
		for (int s = 0; s < N; ++s) {
			const real at = low + (s + (real)0.5) * cell;
			real force = 0;
			if (at < 2 * p.width || at > side - 2 * p.width) continue;
			for (int64_t k = 0; k < f.count; ++k) {
				const int64_t place[3] = {k % N, k / N % N, k / N / N};
				if (place[axis] == s) force += f.contact[6 * k + axis] * cell * cell;
			}
			NEAR(force, load[axis], 0.01 * load[axis], "a section");
		}
	}
	scree_grid_fields_free(&f);
}

/* Six planes around a box with one corner at the origin, with their own frictionless material. */
static void smooth_box(scree_world *w, real side)
{
	fail why = {0};
	scree_materials_add(&w->model.material,
						(material){.name = "smooth", .density = 2500, .young = 1e7, .poisson = 0.25});
	for (int32_t k = 0; k < 2; ++k) scree_materials_set_rule(&w->model.material, k, 1, lab_linear(K, 0.1, 0));
	for (int k = 0; k < 6; ++k) {
		vec3 n = v3(0, 0, 0);
		*v3_along(&n, k / 2) = k % 2 ? -1 : 1;
		const vec3 at = k % 2 ? v3(side, side, side) : v3(0, 0, 0);
		CHECK(scree_walls_add_plane(&w->model.wall, scree_wall_default("plane", 1), at, n, &why) == k, "%s", why.text);
	}
	lab_rows(w);
}

/* A packing with friction pressed by six smooth walls: opposite walls have the same load, and the stress in the whole
 * box is the load divided by the area, whatever the packing, up to an error due to the overlap with walls, since the
 * contact points are half of the overlap behind the wall. */
static void pressed_box_has_the_loads_of_its_walls(void **state)
{
	enum { EDGE = 6 };
	(void)state;
	const real side = EDGE * (real)0.935 * D;
	scree_world *w = lab_world(lab_linear(K, 0.1, 0.4));
	random_stream r = scree_random_start(8, 0);
	smooth_box(w, side);
	for (int k = 0; k < EDGE * EDGE * EDGE; ++k)
		lab_add(w, 0, scree_random_between(&r, 0.9, 1) * D,
				v3((k % EDGE + (real)0.5) * side / EDGE, (k / EDGE % EDGE + (real)0.5) * side / EDGE,
				   (k / EDGE / EDGE + (real)0.5) * side / EDGE));
	lab_prepare(w, 2e-5);
	lab_steps(w, 20000);
	real load[3];
	for (int d = 0; d < 3; ++d) {
		load[d] = scree_wall_push(&w->model, &w->state, &w->work, 2 * d);
		NEAR(scree_wall_push(&w->model, &w->state, &w->work, 2 * d + 1), load[d], 1e-4 * load[d], "opposite walls");
	}
	const measure_plan p = box_plan(v3(0, 0, 0), v3(side, side, side), 1, 1, 1);
	measure(&p, w);
	for (int d = 0; d < 3; ++d)
		NEAR(value(&p, 0, "stress", d), load[d] / side / side, 4e-3 * load[d] / side / side, "stress");
	sections_carry(w, side, load);
	scree_world_free(w);
}

/* ------------------------------------------------------------------ periods */

/* A cubic lattice of overlapping grains: the stress in each grain equals the stress along the edges of the lattice. */
static scree_world *lattice(vec3 overlap)
{
	enum { SIDE = 7 };
	scree_world *w = lab_world(lab_linear(K, 1, 0));
	for (int k = 0; k < SIDE * SIDE * SIDE; ++k) {
		const vec3 at = v3(k % SIDE - SIDE / 2, k / SIDE % SIDE - SIDE / 2, k / SIDE / SIDE - SIDE / 2);
		lab_add(w, 0, D, v3(at.x * (D - overlap.x), at.y * (D - overlap.y), at.z * (D - overlap.z)));
	}
	lab_prepare(w, DT);
	lab_steps(w, 1);
	return w;
}

static measure_plan tube(real radius, real length, int32_t rings)
{
	measure_plan p = {.bounded = true, .cells = {rings, 1, 1}, .classes = 1, .material = -1, .values = 2};
	p.where = (region){.type = REGION_CYLINDER, .radius = radius, .length = length, .axis = v3(0, 0, 1)};
	strcpy(p.value[0], "stress");
	strcpy(p.value[1], "stress_cylindrical");
	return p;
}

/* one component of the tensor in the axes of the cylinder: rr, tt, aa, rt, ra, ta */
static real round_part(const measure_plan *p, int32_t cell, int part)
{
	return value(p, cell, "stress_cylindrical", part);
}

/* with hydrostatic stress, and with half of that stress perpendicular to the axis */
static void rings_have_the_stress_of_a_lattice(void **state)
{
	(void)state;
	for (int k = 1; k <= 2; ++k) {
		const real along = 1e-4, across = along / k, side = D - across, high = D - along;
		scree_world *w = lattice(v3(across, across, along));
		const measure_plan p = tube((real)2.5 * D, 5 * high, 4);
		measure(&p, w);
		int rings = 0;
		for (int32_t cell = 0; cell < 4; ++cell) {
			const real aa = round_part(&p, cell, 2), rr = round_part(&p, cell, 0), tt = round_part(&p, cell, 1);
			if (aa == 0) continue; /* a region without grains */
			const real ratio = across * side / (along * high);
			NEAR(rr, ratio * aa, 1e-5 * aa, "along the radius");
			NEAR(tt, ratio * aa, 1e-5 * aa, "around the axis");
			NEAR(aa, value(&p, cell, "stress", 2), 1e-12 * aa, "along the axis");
			for (int part = 3; part < 6; ++part) NEAR(round_part(&p, cell, part), 0, 1e-5 * aa, "shear");
			++rings;
		}
		CHECK(rings >= 3, "%d rings with grains", rings);
		scree_world_free(w);
	}
}

/* The axis of the cylinder differs from the axis of the load, and its centre is next to two grains that are pressed
 * together. */
static void stress_turns_with_the_radius(void **state)
{
	(void)state;
	const real overlap = 1e-4, x = (D - overlap) / 2;
	scree_world *w = lab_world(lab_linear(K, 1, 0));
	lab_add(w, 0, D, v3(-x, 0, 0));
	lab_add(w, 0, D, v3(x, 0, 0));
	lab_prepare(w, DT);
	lab_steps(w, 1);
	measure_plan p = tube(0.05, 0.1, 1);
	const real push = K * overlap * 2 * x / scree_region_volume(&p.where);
	measure(&p, w);
	NEAR(round_part(&p, 0, 0), push, 1e-5 * push, "the axis between both");
	NEAR(round_part(&p, 0, 1), 0, 1e-5 * push, "nothing around");
	p.where.centre = v3(0, -x, 0); /* the radii to both grains are at 45 degrees to the load */
	measure(&p, w);
	NEAR(round_part(&p, 0, 0), push / 2, 1e-5 * push, "half along the radius");
	NEAR(round_part(&p, 0, 1), push / 2, 1e-5 * push, "half around");
	NEAR(round_part(&p, 0, 3), 0, 1e-5 * push, "the shear of one is against that of the other");
	p.where.centre = v3(-2 * x, -x, 0); /* the radius to one grain is at 45 degrees */
	p.where.radius = 2 * x;
	measure(&p, w);
	const real one = push * (real)(0.05 * 0.05) / (4 * x * x) / 2;
	NEAR(round_part(&p, 0, 3), -one / 2, 1e-5 * one, "shear: t is a quarter turn about the axis before r");
	p.where.axis = v3(1, 0, 0);
	p.where.centre = v3(0, 0, 0);
	p.where.radius = 0.05;
	measure(&p, w);
	NEAR(round_part(&p, 0, 2), push, 1e-5 * push, "along the axis, also of bodies on it");
	NEAR(round_part(&p, 0, 0) + round_part(&p, 0, 1), 0, 1e-5 * push, "nothing across");
	scree_world_free(w);
}

static void whole_cell_has_the_stress_of_the_history(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_linear(K, 0.5, 0.3));
	random_stream r = scree_random_start(5, 0);
	lab_periods(w, "xyz", v3(0, 0, 0), v3(6 * D, 5 * D, 4 * D));
	for (int k = 0; k < 120; ++k)
		lab_add_moving(w, 0, 1.05 * D,
					   v3((k % 6 + (real)0.1) * D, (k / 6 % 5 + (real)0.9) * D, (k / 30 + (real)0.01) * D),
					   (quat){1, 0, 0, 0}, v3_mul(0.1, scree_random_direction(&r)), v3(0, 0, 0));
	lab_prepare(w, 2e-5);
	lab_steps(w, 200);
	real stress[6];
	scree_world_stress(&w->model, &w->state, &w->work, stress);
	const measure_plan p = box_plan(v3(0, 0, 0), v3(6 * D, 5 * D, 4 * D), 1, 1, 1);
	measure(&p, w);
	for (int k = 0; k < 6; ++k)
		NEAR(value(&p, 0, "stress", k), stress[k], 1e-12 * (stress[0] + stress[1] + stress[2]), "stress");
	CHECK(stress[0] > 1 && value(&p, 0, "coordination", 0) > 5, "contacts across the borders");
	scree_world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_grains_have_their_values),
		cmocka_unit_test(discs_have_their_solid_fraction),
		cmocka_unit_test(cells_of_all_regions_add_up),
		cmocka_unit_test(mixtures_have_their_values),
		cmocka_unit_test(fields_of_two_bodies),
		cmocka_unit_test(stack_has_the_weight_above),
		cmocka_unit_test(column_is_hydrostatic),
		cmocka_unit_test(pressed_box_has_the_loads_of_its_walls),
		cmocka_unit_test(rings_have_the_stress_of_a_lattice),
		cmocka_unit_test(stress_turns_with_the_radius),
		cmocka_unit_test(whole_cell_has_the_stress_of_the_history),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
