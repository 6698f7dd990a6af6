/* Measures of packings compared with closed forms: solid fractions of lattices, slopes of given surfaces, and overlaps
 * and loads of bodies at rest. */
#include "module/library_help.h"

#include <math.h>

#include "scree/measures.h"

static const double DEGREE = 0.017453292519943295;

static scree_measures measure(scree_sim *s)
{
	scree_measures m;
	LIBRARY_DO(s, scree_sim_measure(s, &m));
	return m;
}

/* ------------------------------------------------------------------ solid fraction */

/* keys of the world and the shapes, and the spacing and extent of a lattice that starts at the origin, in units of 10
 * mm */
static double fraction_of(const char *world, const char *shape, const char *region, double spacing, int64_t count)
{
	char text[1200];
	snprintf(text, sizeof text,
			 "scene: 1\nworld: {%s}\nmaterials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}\n"
			 "contacts: {default: {restitution: 0.5, friction: 0.3}}\nshapes: {grain: {%s}}\n"
			 "fill: [{lattice: {spacing: %g mm}, region: {%s}, material: m, shape: grain, size: 10 mm}]\n"
			 "run: {until: 1 s}\n",
			 world, shape, 10 * spacing, region);
	scree_sim *s = library_text(text);
	CHECK(scree_sim_bodies(s) == count, "%lld bodies", (long long)scree_sim_bodies(s));
	const scree_measures m = measure(s);
	CHECK(isnan(m.slope) && isnan(m.carried) && m.weight == 0, "a surface without gravity");
	if (isnan(m.fraction))
		CHECK(isnan(m.density), "a density without a fraction");
	else
		NEAR(m.density, 2500 * m.fraction, 1e-6 * m.density, "density");
	scree_sim_close(s);
	return m.fraction;
}

static void lattices_have_their_solid_fractions(void **state)
{
	(void)state;
	const char *cube = "box: {min: [0, 0, 0], max: [120 mm, 120 mm, 120 mm]}", *ball = "sphere: {diameter: 1}";
	NEAR(fraction_of("gravity: [0, 0, 0]", ball, cube, 1, 1728), SCREE_PI / 6, 2e-3, "spheres, simple cubic");
	NEAR(fraction_of("gravity: [0, 0, 0]", "box: [1, 1, 1]", cube, 1, 1728), 1, 0.02, "cubes face to face");
	NEAR(fraction_of("gravity: [0, 0, 0]", "box: [1, 1, 0.5]", cube, 1, 1728), 0.5, 0.02, "half cubes");
	CHECK(isnan(fraction_of("gravity: [0, 0, 0]", ball, cube, 2, 216)), "a gas is no packing");
	CHECK(isnan(fraction_of("gravity: [0, 0, 0]", ball, "box: {min: [0, 0, 0], max: [120 mm, 120 mm, 20 mm]}", 1, 288)),
		  "two layers have no inside");
	NEAR(fraction_of("dimension: 2, gravity: [0, 0]", "disc: {diameter: 1}",
					 "box: {min: [0, 0], max: [200 mm, 200 mm]}", 1, 400),
		 SCREE_PI / 4, 2e-3, "discs, square");
}

/* ------------------------------------------------------------------ slope */

enum { MOST_GRAINS = 40000 };
static const double D = 0.01; /* m */
static const char EMPTY[] =
	"scene: 1\nworld: {gravity: [0, 0, -9.81 m/s^2]}\n"
	"materials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}\n"
	"contacts: {default: {restitution: 0.5, friction: 0.3}}\nshapes: {ball: {sphere: {diameter: 1}}}\n"
	"walls: {floor: {plane: {point: [0, 0, -1 m], normal: [0, 0, 1]}, material: m}}\nrun: {until: 1 s, step: 10 us}\n";
static const char EMPTY_FLAT[] =
	"scene: 1\nworld: {dimension: 2, gravity: [0, -9.81 m/s^2]}\n"
	"materials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}\n"
	"contacts: {default: {restitution: 0.5, friction: 0.3}}\nshapes: {ball: {disc: {diameter: 1}}}\n"
	"walls: {floor: {line: {point: [0, -1 m], normal: [0, 1]}, material: m}}\nrun: {until: 1 s, step: 10 us}\n";

static scree_body grains_of[MOST_GRAINS];

/* Height above the floor of the column at (x, y), in diameters; heights below 0.5 mean no column. */
typedef double surface_fn(double x, double y, double slope);

/* columns of grains up to the surface, over [-half, half] x [-wide, wide]; returns the measured slope, in degrees */
static double slope_found(const char *scene, surface_fn *surface, double degrees, int half, int wide, bool flat)
{
	scree_sim *s = library_text(scene);
	int64_t count = 0;
	for (int i = -half; i <= half; ++i)
		for (int j = -wide; j <= wide; ++j)
			for (double h = surface(i, j, tan(degrees * DEGREE)); h >= 0.5 && count < MOST_GRAINS; h -= 1) {
				const double at[3] = {i * D, flat ? h * D : j * D, flat ? 0 : h * D};
				scree_body *b = grains_of + count++;
				*b = (scree_body){.shape = "ball", .material = "m", .size = D};
				memcpy(b->position, at, sizeof at);
			}
	CHECK(count > 0 && count < MOST_GRAINS, "%lld grains", (long long)count);
	LIBRARY_DO(s, scree_sim_add(s, count, grains_of, NULL));
	const double found = measure(s).slope / DEGREE;
	scree_sim_close(s);
	return found;
}

/* a number in -0.3 .. 0.3 that depends only on the column */
static double rough(double x, double y)
{
	const uint64_t n = (uint64_t)(int64_t)(x * 7919 + y * 104729 + 1000003) * UINT64_C(0x9E3779B97F4A7C15);
	return 0.6 * ((double)(n >> 40) / 16777216.0 - 0.5);
}

static double cone(double x, double y, double t) { return 14 - t * sqrt(x * x + y * y) + rough(x, y); }
static double ridge(double x, double y, double t) { return 14 - t * fabs(x) + rough(x, y); }
static double across(double x, double y, double t) { return 14 - t * fabs(x + y) / sqrt(2) + rough(x, y); }
/* the surface of a low heap whose roughness is a tenth of its height */
static double low(double x, double y, double t) { return 7 - t * sqrt(x * x + y * y) + 1.2 * rough(x, y); }
static double four_layers(double x, double y, double t) { return 4 - t * sqrt(x * x + y * y) + rough(x, y); }
static double plane(double x, double y, double t) { return 20 + t * (0.6 * x + 0.8 * y) + rough(x, y); }
static double level(double x, double y, double t) { return 8 + 0 * t + rough(x, y); }
/* a cone with a few individual grains on the floor around it and a few grains far above it */
static double littered(double x, double y, double t)
{
	const double h = cone(x, y, t);
	if (fabs(x) < 2.5 && fabs(y) < 2.5) return h + 1;
	return h >= 0.5 ? h : (int)(x + 3 * y) % 4 == 0 ? 0.5 : 0;
}

static void slopes_of_known_surfaces_are_found(void **state)
{
	(void)state;
	for (double a = 20; a <= 35; a += 7.5) {
		NEAR(slope_found(EMPTY, cone, a, 40, 40, false), a, 0.7, "a cone");
		NEAR(slope_found(EMPTY, low, a, 40, 40, false), a, 1.5, "a low and rough cone");
		NEAR(slope_found(EMPTY, littered, a, 40, 40, false), a, 1, "a cone, with grains around it");
		NEAR(slope_found(EMPTY, ridge, a, 40, 6, false), a, 0.7, "a ridge in a slot");
		NEAR(slope_found(EMPTY, across, a, 25, 25, false), a, 0.7, "a diagonal ridge");
		NEAR(slope_found(EMPTY, plane, a, 12, 12, false), a, 0.7, "a tilted plane");
		NEAR(slope_found(EMPTY_FLAT, ridge, a, 40, 0, true), a, 0.7, "a heap in the plane");
		NEAR(slope_found(EMPTY_FLAT, plane, 1.5 * a, 14, 0, true), atan(0.6 * tan(1.5 * a * DEGREE)) / DEGREE, 1,
			 "a slope in the plane");
	}
	NEAR(slope_found(EMPTY, four_layers, 16, 40, 40, false), 16, 1.5, "a heap of four layers");
	CHECK(isnan(slope_found(EMPTY, level, 0, 15, 15, false)), "a level surface has no slope");
	CHECK(isnan(slope_found(EMPTY_FLAT, level, 0, 30, 0, true)), "nor has one in the plane");
}

/* ------------------------------------------------------------------ loads and overlaps */

/* a ball of mass m on linear springs of stiffness k rests at an overlap of m g/k */
static void ball_at_rest_has_its_weight(void **state)
{
	(void)state;
	scree_sim *s =
		library_text("scene: 1\nworld: {gravity: [0, 0, -10 m/s^2]}\nmaterials: {m: {density: 2500 kg/m^3}}\n"
					 "contacts: {default: {law: linear, stiffness: 1 kN/m, restitution: 0.3, friction: 0}}\n"
					 "shapes: {ball: {sphere: {diameter: 1}}}\n"
					 "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: m}}\n"
					 "fill: [{lattice: {spacing: [30 mm, 30 mm, 10 mm]}, region: {box: {min: [0, 0, 0], max: [60 mm, "
					 "30 mm, 10 mm]}}, "
					 "material: m, shape: ball, size: 10 mm}]\nrun: {until: 1 s}\n");
	double force[1];
	const double mass = 2500 * SCREE_PI / 6 * 1e-6, count = (double)scree_sim_bodies(s);
	CHECK(count == 2, "%g bodies", count);
	LIBRARY_DO(s, scree_sim_run_until(s, 1));
	const scree_measures m = measure(s);
	LIBRARY_DO(s, scree_sim_wall_forces(s, force));
	NEAR(m.weight, 10 * count * mass, 1e-12 * mass, "weight");
	NEAR(m.carried, m.weight, 1e-6 * m.weight, "load on the floor");
	NEAR(force[0], m.weight, 1e-6 * m.weight, "normal forces on the floor");
	NEAR(m.mean, 10 * mass / 1000 / D, 1e-6 * m.mean, "mean overlap");
	NEAR(m.overlap, m.mean, 1e-6 * m.mean, "greatest overlap");
	scree_sim_close(s);
}

/* a frictionless ball between two planes at 45 degrees presses on each with m g/sqrt(2) */
static void walls_that_face_each_other_have_normal_forces(void **state)
{
	(void)state;
	scree_sim *s = library_text(
		"scene: 1\nworld: {gravity: [0, 0, -10 m/s^2]}\nmaterials: {m: {density: 2500 kg/m^3}}\n"
		"contacts: {default: {law: linear, stiffness: 1 kN/m, restitution: 0.3, friction: 0}}\n"
		"shapes: {ball: {sphere: {diameter: 1}}}\n"
		"walls: {left: {plane: {point: [0, 0, 0], normal: [1, 0, 1]}, material: m}, "
		"right: {plane: {point: [0, 0, 0], normal: [-1, 0, 1]}, material: m}}\n"
		"fill: [{lattice: {spacing: 10 mm}, region: {box: {min: [-5 mm, 0, 3 mm], max: [5 mm, 10 mm, 13 mm]}}, "
		"material: m, shape: ball, size: 10 mm}]\nrun: {until: 1 s}\n");
	double force[2];
	LIBRARY_DO(s, scree_sim_run_until(s, 1));
	const scree_measures m = measure(s);
	LIBRARY_DO(s, scree_sim_wall_forces(s, force));
	CHECK(m.weight > 0 && scree_sim_walls(s) == 2, "%g N", m.weight);
	NEAR(m.carried, m.weight, 1e-6 * m.weight, "load");
	for (int k = 0; k < 2; ++k) NEAR(force[k], m.weight / sqrt(2), 1e-6 * m.weight, "normal force");
	scree_sim_close(s);
}

/* reading measures does not change the state */
static void measures_leave_the_state(void **state)
{
	(void)state;
	scree_sim *plain = library_open("examples/heap2d.scene.yaml", 1),
			  *read = library_open("examples/heap2d.scene.yaml", 1);
	for (int k = 0; k < 5; ++k) {
		LIBRARY_DO(plain, scree_sim_step(plain, 400));
		LIBRARY_DO(read, scree_sim_step(read, 400));
		measure(read);
	}
	CHECK(scree_sim_hash(plain) == scree_sim_hash(read), "the hash has changed");
	scree_sim_close(plain);
	scree_sim_close(read);
}

/* ------------------------------------------------------------------ responses */

static scree_sim *open_by(const char *response, scree_problems **p)
{
	static const char text[] =
		"scene: 1\nmaterials: {m: {density: 2500 kg/m^3, young: 1 MPa}}\ncontacts: {default: {restitution: 1}}\n"
		"shapes: {ball: {sphere: 1}}\n"
		"fill: [{region: {box: {min: [0, 0, 0], max: [1 m, 1 m, 1 m]}}, count: 3, material: m, shape: ball, "
		"size: 5 mm, velocity: [1 m/s, 0, 0]}]\n"
		"run: {until: 1 ms, step: {fraction: 0.03}}\noutput: {images: {at: [0], color: force}}\n";
	return scree_sim_open(&(scree_open_options){.text = text, .response = response}, p);
}

/* With the scene's own response, the step is as given in the scene; with another response, it is the default. */
static void scenes_open_with_another_response(void **state)
{
	(void)state;
	scree_problems *p;
	scree_sim *own = open_by(NULL, &p), *forces = open_by("forces", &p), *elastic = open_by("elastic", &p);
	CHECK(own && forces && elastic, "%s", scree_problems_text(p));
	CHECK(scree_sim_step_length(own) == scree_sim_step_length(forces), "the scene's own response");
	CHECK(strstr(scree_sim_resolved(forces), "fraction: 0.03"), "%s", scree_sim_resolved(forces));
	CHECK(!strstr(scree_sim_resolved(elastic), "fraction"), "%s", scree_sim_resolved(elastic));
	CHECK(strstr(scree_sim_resolved(elastic), "response: elastic"), "%s", scree_sim_resolved(elastic));
	CHECK(!strstr(scree_sim_resolved(elastic), "images"), "%s", scree_sim_resolved(elastic));
	scree_sim_close(own);
	scree_sim_close(forces);
	scree_sim_close(elastic);
	CHECK(!open_by("none", &p) && strstr(scree_problems_text(p), "response"), "%s", scree_problems_text(p));
	scree_problems_free(p);
}

/* a key that exists only for another response */
static void keys_of_the_own_response_are_left_out(void **state)
{
	(void)state;
	const char *text =
		"scene: 1\nmaterials: {m: {density: 2500 kg/m^3, young: 1 MPa}}\ncontacts: {default: {restitution: 1}}\n"
		"shapes: {ball: {sphere: 1}}\n"
		"fill: [{region: {box: {min: [0, 0, 0], max: [1 m, 1 m, 1 m]}}, count: 3, material: m, shape: ball, size: 5 "
		"mm}]\n"
		"run: {until: 1 ms, response: elastic, correction: 0.1, step: {way: 0.01}}\n";
	scree_problems *p;
	scree_sim *s = scree_sim_open(&(scree_open_options){.text = text, .response = "forces"}, &p);
	CHECK(s, "%s", scree_problems_text(p));
	CHECK(!strstr(scree_sim_resolved(s), "correction"), "%s", scree_sim_resolved(s));
	scree_sim_close(s);
}

static void responses_have_names(void **state)
{
	(void)state;
	bool elastic = false;
	CHECK(!strcmp(scree_response(0), "forces") && !scree_response(-1), "the first is forces");
	for (int k = 0; scree_response(k); ++k) elastic |= !strcmp(scree_response(k), "elastic");
	CHECK(elastic, "elastic is one");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lattices_have_their_solid_fractions),
		cmocka_unit_test(slopes_of_known_surfaces_are_found),
		cmocka_unit_test(ball_at_rest_has_its_weight),
		cmocka_unit_test(walls_that_face_each_other_have_normal_forces),
		cmocka_unit_test(measures_leave_the_state),
		cmocka_unit_test(scenes_open_with_another_response),
		cmocka_unit_test(keys_of_the_own_response_are_left_out),
		cmocka_unit_test(responses_have_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
