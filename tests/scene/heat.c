/* Random velocities with a granular temperature: the temperature is exact, the total momentum is the momentum of the
 * mean velocity, and the components are normally distributed. */
#include "scene_text.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "scene/scene.h"
#include "world/world.h"

static void load(const char *world, const char *keys, scene *s)
{
	char text[2048], *report = NULL;
	snprintf(text, sizeof text,
			 "scene: 1\nworld: {%s}\nmaterials: {m: {density: 1 g/cm^3, young: 1 MPa}}\n%s\nrun: {until: 1 s}\n", world,
			 keys);
	const bool ok = read_scene("test", text, strlen(text), 0, NULL, false, s, &report);
	CHECK(ok, "%s", report ? report : "");
	scree_free(report);
}

static void the_temperature_is_exact(void **state)
{
	(void)state;
	scene s;
	load("gravity: [0, 0, 0]",
		 "shapes: {s: {sphere: {diameter: 1}}}\n"
		 "fill: [{region: {box: {min: [0, 0, 0], max: [100 mm, 100 mm, 100 mm]}}, count: 2000, material: m, shape: s, "
		 "size: {uniform: [2 mm, 4 mm]}, temperature: 0.01 m^2/s^2, velocity: [1 m/s, 2 m/s, -3 m/s], "
		 "angular_temperature: 400 rad^2/s^2, seed: 7}]",
		 &s);
	const bodies *b = &s.world->state.body;
	const vec3 mean = v3(1, 2, -3);
	vec3 momentum = v3(0, 0, 0), fourth = v3(0, 0, 0), second = v3(0, 0, 0);
	real mass = 0, squares = 0, spins = 0;
	for (int32_t i = 0; i < b->count; ++i) {
		const vec3 v = v3_sub(body_velocity(b, i), mean);
		momentum = v3_madd(momentum, b->mass[i], v);
		mass += b->mass[i];
		squares += b->mass[i] * v3_norm2(v);
		spins += b->wx[i] * b->wx[i] + b->wy[i] * b->wy[i] + b->wz[i] * b->wz[i];
		const vec3 v2 = v3(v.x * v.x, v.y * v.y, v.z * v.z);
		second = v3_add(second, v2);
		fourth = v3_add(fourth, v3(v2.x * v2.x, v2.y * v2.y, v2.z * v2.z));
	}
	NEAR(squares / mass / 3, 0.01, 1e-14, "temperature");
	NEAR(spins / b->count / 3, 400, 1e-9, "angular temperature");
	NEAR(v3_norm(momentum) / mass, 0, 1e-15, "momentum per mass");
	/* the kurtosis of a normal distribution is 3, with a standard deviation of sqrt(24/n) */
	NEAR(b->count * fourth.x / (second.x * second.x), 3, 5 * sqrt(24.0 / b->count), "kurtosis");
	NEAR(b->count * fourth.z / (second.z * second.z), 3, 5 * sqrt(24.0 / b->count), "kurtosis");
	scree_scene_free(&s);
}

static void in_the_plane_and_on_a_lattice(void **state)
{
	(void)state;
	scene s;
	load("dimension: 2, gravity: [0, 0]",
		 "shapes: {s: {disc: {diameter: 1}}}\n"
		 "fill: [{region: {box: {min: [0, 0], max: [100 mm, 100 mm]}}, lattice: 5 mm, material: m, shape: s, "
		 "size: 4 mm, temperature: 2 m^2/s^2}]",
		 &s);
	const bodies *b = &s.world->state.body;
	vec3 sum = v3(0, 0, 0);
	real squares = 0;
	for (int32_t i = 0; i < b->count; ++i) {
		sum = v3_add(sum, body_velocity(b, i));
		squares += v3_norm2(body_velocity(b, i));
		CHECK(b->vz[i] == 0 && b->wx[i] == 0 && b->wz[i] == 0, "body %d leaves the plane, or turns", i);
	}
	NEAR(squares / b->count / 2, 2, 1e-12, "temperature");
	NEAR(v3_norm(sum) / b->count, 0, 1e-14, "mean velocity");
	scree_scene_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_temperature_is_exact),
		cmocka_unit_test(in_the_plane_and_on_a_lattice),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
