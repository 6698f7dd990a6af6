/* Periodic worlds: in every step, the contacts are the same as those found by brute force over all images, no matter
 * how many borders the bodies have crossed. */
#include "lab.h"
#include "test.h"

#include "base/maths.h"
#include "base/memory.h"
#include "broad/broad.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "kernel/sphere_contact.h"
#include "narrow/narrow.h"
#include "prepare/prepare.h"

#include <stdlib.h>

static const char *const axes[] = {"x", "y", "z", "xy", "xz", "yz", "xyz"};

/* displacement of the neighbouring images along the flow axis, in m, computed independently by plain multiplication */
static real moved(const scree_world *w)
{
	const periods *p = &w->model.period;
	if (!p->shears) return 0;
	real period = v3_part(p->size, p->flow);
	long double way = (long double)p->rate * v3_part(p->size, p->gradient) * w->model.dt * (long double)w->state.step;
	return (real)(way - period * (long double)scree_floor((real)(way / period)));
}

/* overlap of bodies i and j when j is displaced by `shift`; <= 0 if they do not touch */
static real overlap(const scree_world *w, int32_t i, int32_t j, vec3 shift)
{
	const bodies *b = &w->state.body;
	const shape *s = w->model.shape.row + b->shape[i], *t = w->model.shape.row + b->shape[j];
	vec3 r = v3_add(v3_sub(body_position(b, j), body_position(b, i)), shift);
	real reach = b->radius[i] + b->radius[j];
	if (v3_norm2(r) > reach * reach) return 0;
	placed pi = {s, v3(0, 0, 0), quat_matrix(body_orientation(b, i)), b->size[i]};
	placed pj = {t, r, quat_matrix(body_orientation(b, j)), b->size[j]};
	patch out;
	if (s->type == SHAPE_SPHERE && t->type == SHAPE_SPHERE) return reach - v3_norm(r);
	if (s->type == SHAPE_SPHERE)
		scree_sphere_convex(v3(0, 0, 0), b->radius[i], &pj, 0, &out);
	else if (t->type == SHAPE_SPHERE)
		scree_sphere_convex(r, b->radius[j], &pi, 0, &out);
	else
		scree_convex_convex(&pi, &pj, 0, &out);
	return out.points || out.depth > 0 ? out.depth : 0;
}

/* the largest overlap of i with an image of j, and the position of this image */
static real brute(const scree_world *w, int32_t i, int32_t j, vec3 *at)
{
	const periods *p = &w->model.period;
	real most = 0, offset = moved(w);
	for (int x = -3; x <= 3; ++x)
		for (int y = -3; y <= 3; ++y)
			for (int z = -3; z <= 3; ++z) {
				const int n[3] = {x, y, z};
				vec3 shift = v3(0, 0, 0);
				bool there = true;
				for (int d = 0; d < 3; ++d) {
					there = there && (n[d] == 0 || p->axis[d]);
					*v3_along(&shift, d) = n[d] * v3_part(p->size, d);
				}
				if (p->shears) *v3_along(&shift, p->flow) += n[p->gradient] * offset;
				real depth = there ? overlap(w, i, j, shift) : 0;
				if (!(depth > most)) continue;
				most = depth;
				*at = shift;
			}
	return most;
}

typedef struct found {
	int32_t i, j;
	real depth;
	vec3 shift; /* of j beside i */
} found;

static int by_pair(const void *x, const void *y)
{
	const found *a = x, *b = y;
	return a->i != b->i ? (a->i < b->i ? -1 : 1) : (a->j > b->j) - (a->j < b->j);
}

/* current contacts of the world, with i < j */
static int64_t contacts_of(const scree_world *w, found *out)
{
	int64_t count = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = w->state.pair + kind;
		if (pair_on_wall(kind)) continue;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
			vec3 shift = v3(0, 0, 0);
			if (w->model.period.on)
				shift = w->state.images.shift[scree_world_image(&w->model, &w->state, kind, l->slot[c.row])];
			bool turned = l->ca[c.row] > l->cb[c.row];
			out[count].i = turned ? l->cb[c.row] : l->ca[c.row];
			out[count].j = turned ? l->ca[c.row] : l->cb[c.row];
			out[count].shift = turned ? v3_neg(shift) : shift;
			out[count++].depth = scree_contact_look(&w->model, &w->state, &w->work, kind, c.row).depth;
		}
	}
	qsort(out, (size_t)count, sizeof *out, by_pair);
	return count;
}

static int64_t through_border; /* number of contacts with an image */

static void compare(const scree_world *w, found *list)
{
	int64_t count = contacts_of(w, list), next = 0;
	real size = w->state.body.radius[0];
	for (int32_t i = 0; i < w->state.body.count; ++i)
		for (int32_t j = i + 1; j < w->state.body.count; ++j) {
			vec3 at = v3(0, 0, 0);
			real depth = brute(w, i, j, &at);
			bool has = next < count && list[next].i == i && list[next].j == j;
			CHECK(has || depth < 1e-9 * size, "step %lld: bodies %d and %d overlap by %g m and have no contact",
				  (long long)w->state.step, i, j, depth);
			if (!has) continue;
			NEAR(list[next].depth, depth, 1e-9 * size, "overlap");
			NEAR(v3_norm(v3_sub(list[next].shift, at)), 0, 1e-9 * size, "image");
			through_border += v3_norm2(at) > 0;
			++next;
		}
	CHECK(next == count, "step %lld: a contact that brute force does not see, or a pair that has two",
		  (long long)w->state.step);
}

static const char *a_phase(uint64_t k)
{
	return scree_choice_name(&scree_broads, (int)(k % (uint64_t)choice_count(&scree_broads)));
}

/* a crowd of cubes, octahedra and spheres in a small cell, so soft that they pass through each other */
static scree_world *crowd(const char *which, bool shears, const char *search, uint64_t seed)
{
	scree_world *w = lab_world(lab_linear(20, 0.6, 0.4));
	random_stream r = scree_random_start(seed, 5);
	fail why = {0};
	real d = 0.01;
	vec3 low = v3(-0.02, 0.3, 1), size = v3(0.06, 0.055, 0.07);
	int32_t solid = scree_shapes_add_regular(&w->model.shape, "octahedron", "octahedron", &why);
	CHECK(solid == 2, "%s", why.text);
	w->model.search = scree_broad_find(search);
	lab_periods(w, which, low, size);
	if (shears) {
		w->model.period.shears = true;
		w->model.period.flow = which[seed % 2] - 'x';
		w->model.period.gradient = which[(seed + 1) % 2] - 'x';
		w->model.period.rate = scree_random_between(&r, -60, 60);
		w->state.step = (int64_t)(scree_random_real(&r) * 1e7); /* the images have been displaced by many periods */
	}
	for (int k = 0; k < 60; ++k) {
		/* bodies almost at rest: only the images move */
		real speed = scree_random_between(&r, 0, 1.5) * (seed % 4 == 1 ? 0.01 : 1);
		vec3 at, v = v3_mul(speed, scree_random_direction(&r));
		at.x = low.x + size.x * scree_random_real(&r);
		at.y = low.y + size.y * scree_random_real(&r);
		at.z = low.z + size.z * scree_random_real(&r);
		int32_t form = seed % 3 == 0 ? 0 : (int32_t)(scree_random_bits(&r) % 3);
		real wide = d * scree_random_between(&r, 0.5, form == 1 ? 0.6 : 1);
		lab_add_moving(w, form, wide, at, scree_random_rotation(&r), v, v3(20, 0, 10));
	}
	w->model.unsafe = true; /* the step is slightly too long for small bodies */
	lab_prepare(w, 2e-4);
	return w;
}

static void contacts_are_those_of_all_images(void **state)
{
	(void)state;
	static found list[4000];
	int64_t crossed = 0, rebuilds = 0, steps = 0;
	FOR_SEEDS(28)
	{
		const char *which = axes[test_seed % 7];
		bool shears = which[1] && test_seed % 2;
		scree_world *w = crowd(which, shears, a_phase(test_seed / 2), test_seed);
		for (int k = 0; k < 120; ++k) {
			CHECK(scree_step(w), "%s", w->work.why.text);
			if (k < 2 || k % 12 == 0) compare(w, list);
		}
		for (int32_t i = 0; i < w->state.body.count; ++i)
			crossed += (w->state.body.cell_x[i] != 0) + (w->state.body.cell_y[i] != 0) + (w->state.body.cell_z[i] != 0);
		steps += 120;
		rebuilds += w->work.rebuilds;
		scree_world_free(w);
	}
	CHECK(crossed > 5 * test_cases(28) && through_border > test_cases(28) && rebuilds < steps * 4 / 5,
		  "%lld crossings, %lld contacts through borders, %lld searches in %lld steps", (long long)crossed,
		  (long long)through_border, (long long)rebuilds, (long long)steps);
}

/* pairs are searched for in every step or rarely, with any broad phase, with or without a skin: the results are bitwise
 * identical */
static void searches_change_nothing(void **state)
{
	(void)state;
	int64_t fewer = 0;
	FOR_SEEDS(16)
	{
		bool shears = test_seed / 4 % 2;
		scree_world *w = crowd("xyz", shears, "grid", test_seed),
					*twin = crowd("xyz", shears, a_phase(test_seed), test_seed);
		twin->model.skin_given = test_seed / 2 % 2;
		for (int k = 0; k < 300; ++k) {
			twin->work.skin.beyond = 0;
			if (k % 5 == 0) twin->work.skin.stale = true;
			CHECK(scree_step(w) && scree_step(twin), "%s %s", w->work.why.text, twin->work.why.text);
		}
		CHECK(scree_world_hash(&w->model, &w->state, &w->work) ==
				  scree_world_hash(&twin->model, &twin->state, &twin->work),
			  "another state");
		fewer += twin->work.rebuilds - w->work.rebuilds;
		scree_world_free(w);
		scree_world_free(twin);
	}
	CHECK(fewer > 0, "the twins search alike");
}

/* as in non-periodic worlds, steps between two searches allocate no memory */
static void no_memory_within_a_step(void **state)
{
	(void)state;
	scree_world *w = crowd("xyz", true, "grid", 9);
	w->model.period.rate = 1;
	for (int32_t i = 0; i < w->state.body.count; ++i)
		w->state.body.vx[i] = w->state.body.vy[i] = w->state.body.vz[i] = 0;
	int64_t met = 0;
	int quiet = 0;
	for (int k = 0; k < 400; ++k) {
		int64_t calls = scree_allocations(), rebuilds = w->work.rebuilds;
		CHECK(scree_step(w), "%s", w->work.why.text);
		if (k < 100 || w->work.rebuilds != rebuilds) continue;
		CHECK(scree_allocations() == calls, "step %d takes memory", k);
		++quiet;
		met += w->work.touching;
	}
	CHECK(quiet > 50 && met > 200, "%d steps without a search, %lld contacts", quiet, (long long)met);
	scree_world_free(w);
}

/* a position and its cell count are wrapped into the cell once; wrapping again changes nothing */
static void wrapping_is_exact(void **state)
{
	(void)state;
	random_stream r = scree_random_start(8, 8);
	periods p = {.axis = {true, true, false},
				 .low = v3(-1, 2, 0),
				 .size = v3(0.7, 1.3, 1),
				 .shears = true,
				 .gradient = 1,
				 .rate = 2};
	images now = {0};
	periods_begin(&p);
	FOR_SEEDS(20000)
	{
		scree_periods_set(&p, &now, (int64_t)(scree_random_real(&r) * 1e9), 1e-3);
		real y = scree_random_between(&r, -9, 9);
		vec3 at = v3(scree_random_between(&r, -9, 9), y, 5), drift;
		if (test_seed % 4 == 0) at.x = -1 - 1e-17 * (real)(test_seed % 3); /* the border itself */
		if (test_seed % 5 == 0) at.y = 2 + (test_seed % 2 ? 1.3 : -4e-16);
		image crossed, none;
		vec3 in = scree_periods_wrap(&p, &now, at, &crossed, &drift),
			 again = scree_periods_wrap(&p, &now, in, &none, &drift);
		CHECK(in.x >= -1 && in.x <= -0.3 + 1e-15 && in.y >= 2 && in.y <= 3.3 + 1e-15 && in.z == 5, "%.17g %.17g", in.x,
			  in.y);
		CHECK(!none.x && !none.y && !none.z && again.x == in.x && again.y == in.y, "wrapped twice");
		vec3 back = scree_periods_unwrap(&p, &now, in, crossed);
		NEAR(v3_norm(v3_sub(back, at)), 0, 2e-14, "unwrapped");
	}
}

/* impossible cells are refused with a message that contains numbers */
static void refused(scree_world *w, const char *text)
{
	fail why = {0};
	CHECK(!scree_world_prepare(w, 0, 1e-5, &why), "was accepted, expected: %s", text);
	CHECK(strstr(why.text, text), "expected '%s', found '%s'", text, why.text);
	scree_world_free(w);
}

static scree_world *cell(const char *which, bool shears)
{
	scree_world *w = lab_world(lab_linear(1e4, 0.5, 0.5));
	lab_periods(w, which, v3(0, 0, 0), v3(0.1, 0.1, 0.1));
	w->model.period.shears = shears;
	w->model.period.rate = 1;
	lab_add(w, 0, 0.01, v3(0.05, 0.05, 0.05));
	return w;
}

static void add_tube(scree_world *w, vec3 end, vec3 axis, real length, wall_motion motion)
{
	fail why = {0};
	wall tube = scree_wall_default("tube", 0);
	tube.motion = motion;
	CHECK(scree_walls_add_cylinder(&w->model.wall, tube, end, axis, 0.03, length, SIDE_INSIDE, &why) >= 0, "%s",
		  why.text);
}

static void add_plate(scree_world *w, real from, real to)
{
	fail why = {0};
	vec3 corner[4] = {v3(from, from, 0.02), v3(to, from, 0.02), v3(to, to, 0.02), v3(from, to, 0.02)};
	CHECK(scree_walls_add_polygon(&w->model.wall, scree_wall_default("plate", 0), 4, corner, &why) >= 0, "%s",
		  why.text);
}

static void what_cannot_repeat_is_refused(void **state)
{
	(void)state;
	wall_motion still = {.until = INFINITY},
				turns = {.type = MOTION_ROTATION, .axis = v3(1, 0, 0), .rate = 1, .until = INFINITY};
	scree_world *w = cell("x", false);
	lab_add(w, 0, 0.051, v3(0.08, 0.08, 0.08));
	refused(w, "the period along x is 0.1 m, but the largest body is 0.051 m across");
	w = cell("xy", true); /* images slide past each other, and need room for this motion between two searches */
	lab_add(w, 0, 0.039, v3(0.08, 0.08, 0.08));
	refused(w, "the period along x is 0.1 m, but the largest body is 0.039 m across");
	w = cell("x", false);
	lab_add(w, 0, 0.039, v3(0.08, 0.08, 0.08));
	lab_prepare(w, 1e-5);
	scree_world_free(w);
	w = cell("x", true);
	refused(w, "both periodic");
	w = cell("xy", true);
	w->model.gravity = v3(1, 0, 0);
	refused(w, "gravity along x");
	w = cell("xy", true);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	refused(w, "cannot have walls");
	w = cell("xy", true);
	w->model.period.rate = 1e5;
	refused(w, "quarter of the period");
	w = cell("xy", false);
	lab_plane(w, v3(0, 0, 0), v3(0.6, 0, 0.8));
	refused(w, "normal with a component along the periodic axis x");
	w = cell("x", false);
	add_tube(w, v3(0.05, 0.05, 0.05), v3_unit(v3(1, 1, 0)), INFINITY, still);
	refused(w, "oblique");
	w = cell("x", false);
	add_tube(w, v3(0.02, 0.05, 0.05), v3(0, 1, 0), INFINITY, still);
	refused(w, "within the period");
	w = cell("y", false);
	add_tube(w, v3(0, 0.05, 0.05), v3(0, 1, 0), INFINITY, turns);
	refused(w, "its motion");
	w = cell("xy", false);
	add_plate(w, 0, 0.1);
	refused(w, "must be within the period, or extend from -0.005 m");
	w = cell("xy", false);
	add_plate(w, -0.002, 0.2);
	refused(w, "wall 'plate' extends from -0.002 m");
	/* walls that fit into the cell are not refused */
	w = cell("x", false);
	add_plate(w, -0.005, 0.105);
	add_tube(w, v3(0, 0.05, 0.05), v3(1, 0, 0), INFINITY, turns);
	lab_prepare(w, 1e-5);
	scree_world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contacts_are_those_of_all_images), cmocka_unit_test(searches_change_nothing),
		cmocka_unit_test(no_memory_within_a_step),			cmocka_unit_test(wrapping_is_exact),
		cmocka_unit_test(what_cannot_repeat_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
