/* The outputs at t = 0 include the initial contacts, and the run is bitwise identical with and without outputs. */
#include "scene_text.h"
#include "test.h"

#include "prepare/prepare.h"
#include "scene/scene.h"
#include "world/world.h"

typedef struct start_case {
	const char *name, *text;
	bool forces; /* whether the response is `forces`; otherwise, a solver computes impulses */
} start_case;

#define HEAD  "scene: 1\nmaterials: {m: {density: 2500 kg/m^3, young: 5 MPa, poisson: 0.25}}\n"
#define FLOOR "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: m}}\n"
#define ONE(shape, height)                                                                                             \
	"fill: [{region: {box: {min: [-2 cm, -2 cm, -1 cm], max: [2 cm, 2 cm, " height                                     \
	"]}}, lattice: {spacing: 2 cm, count: [1, 1, 1]}, material: m, shape: " shape                                      \
	", size: 10 mm, velocity: [0.1 m/s, 0, -0.05 m/s], angular_velocity: [1 rad/s, 0, 2 rad/s]}]\n"
#define HERTZ	  "contacts: {default: {law: hertz, restitution: 0.7, friction: 0.3, rolling_friction: 0.1}}\n"
#define RUN		  "run: {until: 1 s, step: 10 us"
#define GRAIN(as) "shapes: {g: {granulate: {seed: 2, points: 12, order: hull-then-scale, as: " as "}}}\n"

/* A body of size 10 mm whose centre is 4 to 4.9 mm above the floor. */
static const start_case cases[] = {
	{"ball, hertz", HEAD HERTZ "shapes: {g: {sphere: 1}}\n" FLOOR ONE("g", "1.98 cm") RUN "}\n", true},
	{"cube, default law", HEAD "shapes: {g: {regular: cube}}\n" FLOOR ONE("g", "1.98 cm") RUN "}\n", true},
	{"cube, hertz", HEAD HERTZ "shapes: {g: {regular: cube}}\n" FLOOR ONE("g", "1.98 cm") RUN "}\n", true},
	{"clump",
	 HEAD "shapes: {g: {clump: {centers: [[0, 0, 0], [0.2, 0, 0.1]], radii: [0.4, 0.3]}}}\n" FLOOR ONE("g", "1.75 cm")
		 RUN "}\n",
	 true},
	{"compound", HEAD GRAIN("compound") FLOOR ONE("g", "1.75 cm") RUN "}\n", true},
	{"surface", HEAD GRAIN("surface, halo: 0.1") FLOOR ONE("g", "1.98 cm") "run: {until: 1 s, step: 1 us}\n", true},
	{"wall that moves, fluid",
	 HEAD HERTZ "world: {fluid: {density: 1000 kg/m^3, viscosity: 1 mPa*s}}\nshapes: {g: {sphere: 1}}\n"
				"walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: m, motion: {velocity: [1 "
				"cm/s, 0, 2 cm/s]}}}\n" ONE("g", "1.98 cm") RUN "}\n",
	 true},
#if SCREE_PAPERS
	{"Gear", HEAD HERTZ "shapes: {g: {sphere: 1}}\n" FLOOR ONE("g", "1.98 cm") RUN ", integrator: gear5}\n", true},
#endif
	{"periodic and sheared",
	 HEAD "world: {gravity: [0, 0, 0], domain: {min: [0, 0, 0], max: [4 cm, 4 cm, 4 cm]}, periodic: [x, y, z], shear: "
		  "{rate: 2 1/s}}\n"
		  "shapes: {g: {sphere: 1}}\n"
		  "fill: [{region: {box: {min: [0, 0, 0], max: [4 cm, 4 cm, 4 cm]}}, lattice: {spacing: 9.9 mm, count: [4, 4, "
		  "4]}, material: m, shape: g, size: 10 mm}]\n" RUN "}\n",
	 true},
	{"plane, polygons on a line",
	 HEAD "world: {dimension: 2}\nshapes: {g: {box: [1, 1]}}\n"
		  "walls: {floor: {line: {point: [0, 0], normal: [0, 1]}, material: m}}\n"
		  "fill: [{region: {box: {min: [0, 0], max: [4 cm, 1.98 cm]}}, lattice: {spacing: [9.98 mm, 9.9 mm], count: "
		  "[4, 2]}, material: m, shape: g, size: 10 mm}]\n" RUN "}\n",
	 true},
	{"impulses",
	 HEAD "contacts: {default: {restitution: 1}}\nshapes: {g: {sphere: 1}}\n" FLOOR ONE("g", "1.98 cm") RUN
	 ", response: elastic}\n",
	 false},
};
enum { CASES = sizeof cases / sizeof *cases };

static scree_world *load(const start_case *c, scene *s)
{
	char *report = NULL;
	bool ok = read_scene("test", c->text, strlen(c->text), 0, NULL, true, s, &report);
	CHECK(ok, "%s: %s", c->name, report ? report : "");
	return s->world;
}

static real total_force(const scree_world *w)
{
	real sum = 0;
	for (int32_t i = 0; i < w->state.body.owned; ++i)
		sum += real_abs(w->state.body.fx[i]) + real_abs(w->state.body.fy[i]) + real_abs(w->state.body.fz[i]);
	return sum;
}

static void the_start_has_contacts_forces_and_energies(void **state)
{
	(void)state;
	for (int k = 0; k < CASES; ++k) {
		const start_case *c = cases + k;
		scene s;
		scree_world *w = load(c, &s);
		const real held = scree_fixed_value(w->work.start.elastic);
		const start_shown before = scree_world_show_start(&w->model, &w->state, &w->work);
		energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		CHECK(w->work.touching > 0 && w->work.greatest_overlap_part > 0, "%s: %lld contacts", c->name,
			  (long long)w->work.touching);
		NEAR(w->work.greatest_overlap_part, w->work.start.overlap, 1e-12 * w->work.start.overlap, c->name);
		CHECK((total_force(w) > 0) == c->forces, "%s: forces of %g N", c->name, total_force(w));
		CHECK((e.elastic > 0) == c->forces, "%s: %g J", c->name, e.elastic);
		if (c->forces) NEAR(e.elastic, held, 1e-12 * held, c->name);
		const real all = e.kinetic + e.elastic + real_abs(e.potential);
		NEAR(e.residual, 0, 1e-12 * all, c->name);
		NEAR(e.made, 0, 1e-12 * all, c->name);
		CHECK(e.lost_normal == 0 && e.lost_friction == 0 && e.lost_rolling == 0, "%s: something is lost", c->name);
		NEAR(e.wall_work, 0, 0, c->name);
		NEAR(w->work.greatest_speed, v3_norm(body_velocity(&w->state.body, 0)), 0.1, c->name);
		scree_world_hide_start(&w->model, &w->state, &w->work, &before);
		scree_scene_free(&s);
	}
}

/* The outputs at t = 0 show the state at the start of the first step. */
static void the_first_step_goes_on_from_it(void **state)
{
	(void)state;
	for (int k = 0; k < CASES; ++k) {
		scene shown, plain;
		scree_world *a = load(cases + k, &shown), *b = load(cases + k, &plain);
		for (int twice = 0; twice < 2; ++twice) {
			const start_shown before = scree_world_show_start(&a->model, &a->state, &a->work);
			scree_world_hide_start(&a->model, &a->state, &a->work, &before);
		}
		for (int step = 0; step < 50; ++step) {
			CHECK(scree_step(a) && scree_step(b), "%s: %s%s", cases[k].name, a->work.why.text, b->work.why.text);
			CHECK(scree_world_hash(&a->model, &a->state, &a->work) == scree_world_hash(&b->model, &b->state, &b->work),
				  "%s: step %d is another one", cases[k].name, step);
		}
		scree_scene_free(&shown);
		scree_scene_free(&plain);
	}
}

/* Known values: a ball of diameter 10 mm and modulus 5 MPa that overlaps the floor by 0.1 mm. E* = E/(2 (1 - nu^2)), F
 * = 4/3 E* R^(1/2) d^(3/2). */
static void a_ball_in_the_floor(void **state)
{
	(void)state;
	scene s;
	scree_world *w = load(cases, &s);
	const real depth = 0.005 - w->state.body.z[0];
	NEAR(depth, 1e-4, 1e-15, "overlap");
	w->state.body.vx[0] = w->state.body.vz[0] = w->state.body.wx[0] = w->state.body.wz[0] = 0;
	w->state.body.lx[0] = w->state.body.lz[0] = 0;
	const start_shown before = scree_world_show_start(&w->model, &w->state, &w->work);
	NEAR(w->state.body.fz[0], 0.25141574442, 1e-10, "force");
	NEAR(scree_wall_load(&w->model, &w->state, &w->work, 0).force.z, -0.25141574442, 1e-10, "force on the floor");
	NEAR(scree_world_energy(&w->model, &w->state, &w->work).elastic, 1.00566298e-5, 1e-13, "energy");
	scree_world_hide_start(&w->model, &w->state, &w->work, &before);
	scree_scene_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_start_has_contacts_forces_and_energies),
		cmocka_unit_test(the_first_step_goes_on_from_it),
		cmocka_unit_test(a_ball_in_the_floor),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
