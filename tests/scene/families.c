/* Families of grains: each body of a fill has its own shape, which depends only on the body's index; and these grains
 * return the energy that they store in impacts. */
#include "scene_text.h"
#include "test.h"

#include <stdio.h>

#include "scene/scene.h"
#include "world/world.h"

enum { GRAINS = 12, TEXT = 2048 };
static const char *const ways[] = {"order: scale-then-hull, as: hull", "order: hull-then-scale, as: compound",
								   "order: scale-then-hull, as: surface, halo: 0.01"};

static void load(const char *text, scene *s)
{
	char *report = NULL;
	bool ok = read_scene("test", text, strlen(text), 0, NULL, true, s, &report);
	CHECK(ok, "%s", report ? report : "");
}

/* Two groups of bodies flying towards each other in a box. */
static void load_gas(const char *shapes, int each, scene *s)
{
	char text[TEXT];
	snprintf(text, sizeof text,
			 "scene: 1\nworld: {gravity: [0, 0, 0]}\n"
			 "materials: {m: {density: 2500 kg/m^3, young: 1 GPa, poisson: 0.2}}\n"
			 "contacts: {default: {restitution: 1, friction: 0}}\nshapes: {%s}\n"
			 "walls: {b: {box: {min: [0, 0, 0], max: [60 mm, 60 mm, 60 mm]}, material: m}}\nfill:\n"
			 "  - {region: {box: {min: [0, 0, 0], max: [60 mm, 60 mm, 60 mm]}}, count: %d, material: m, shape: g, "
			 "size: 15 mm, orientation: random, velocity: [0.2 m/s, 0.1 m/s, 0.3 m/s]}\n"
			 "  - {region: {box: {min: [0, 0, 0], max: [60 mm, 60 mm, 60 mm]}}, count: %d, material: m, shape: g, "
			 "size: 15 mm, orientation: random, velocity: [-0.2 m/s, -0.1 m/s, -0.3 m/s], seed: 2}\n"
			 "run: {until: 1 s, step: 1 us}\n",
			 shapes, each, each);
	load(text, s);
}

static const shape *shape_of(const scene *s, int32_t body)
{
	return s->world->model.shape.row + s->world->state.body.shape[body];
}

static void each_body_has_a_grain_of_its_own(void **state)
{
	(void)state;
	for (int way = 0; way < 3; ++way) {
		char shapes[256];
		scene all, one;
		snprintf(shapes, sizeof shapes, "g: {granulate: {seed: 4, number: 30, count: %d, points: 20, %s}}", (int)GRAINS,
				 ways[way]);
		load_gas(shapes, GRAINS / 2, &all);
		assert_int_equal(all.world->state.body.count, GRAINS);
		assert_int_equal(all.world->model.shape.count, GRAINS);
		for (int32_t i = 0; i < GRAINS; ++i) {
			char name[16];
			snprintf(name, sizeof name, "g.%d", (int)(all.world->state.body.id[i] - 1));
			CHECK(!strcmp(shape_of(&all, i)->name, name), "body %d has %s", i, shape_of(&all, i)->name);
			for (int32_t k = 0; k < i; ++k)
				CHECK(all.world->state.body.mass[i] != all.world->state.body.mass[k], "bodies %d and %d are alike", i,
					  k);
		}
		snprintf(shapes, sizeof shapes, "g: {granulate: {seed: 4, number: 37, points: 20, %s}}", ways[way]);
		load_gas(shapes, 1, &one);
		assert_string_equal(one.world->model.shape.row[0].name, "g");
		CHECK(one.world->model.shape.row[0].volume == all.world->model.shape.row[7].volume, "grain 37 is another one");
		scree_scene_free(&one);
		scree_scene_free(&all);
	}
}

static void more_bodies_than_grains_begin_again(void **state)
{
	(void)state;
	scene s;
	load_gas("g: {granulate: {count: 5}}", 6, &s);
	int count[5] = {0};
	for (int32_t i = 0; i < 12; ++i) ++count[s.world->state.body.shape[i]];
	for (int k = 0; k < 5; ++k) assert_int_equal(count[k], k < 2 ? 3 : 2);
	scree_scene_free(&s);
}

/* Surfaces lose or gain energy where a minimum appears or vanishes within the halo (docs/theory/halo.md). */
static void elastic_grains_keep_their_energy(void **state)
{
	(void)state;
	static const real within[] = {1e-5, 1e-5, 1e-3};
	for (int way = 0; way < 3; ++way) {
		char shapes[256];
		scene s;
		snprintf(shapes, sizeof shapes, "g: {granulate: {seed: 6, count: %d, points: 20, %s}}", (int)GRAINS, ways[way]);
		load_gas(shapes, GRAINS / 2, &s);
		energy_row e = scree_world_energy(&s.world->model, &s.world->state, &s.world->work);
		const real before = e.kinetic + e.elastic;
		real most = 0, stored = 0;
		for (int k = 0; k < 30000; ++k) {
			CHECK(scree_step(s.world), "%s", s.world->work.why.text);
			if (k % 20) continue;
			e = scree_world_energy(&s.world->model, &s.world->state, &s.world->work);
			most = real_max(most, real_abs((e.kinetic + e.elastic) / before - 1));
			stored = real_max(stored, e.elastic / before);
		}
		CHECK(stored > 0.01, "%s: contacts never had more than %g of the energy", ways[way], stored);
		CHECK(most < within[way], "%s: energy is off by %g", ways[way], most);
		scree_scene_free(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_body_has_a_grain_of_its_own),
		cmocka_unit_test(more_bodies_than_grains_begin_again),
		cmocka_unit_test(elastic_grains_keep_their_energy),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
