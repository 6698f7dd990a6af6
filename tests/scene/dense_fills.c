/* Dense random fills: where bounding spheres would leave no room, shapes fill one fifth of their region, clear of each
 * other, of its border and of walls. The test tries, by brute force, every plane along a face or parallel to two edges.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "kernel/quat.h"
#include "scene/scene.h"
#include "world/world.h"

static const char L_MESH[] =
	"v 0 0 0\nv 1 0 0\nv 1 .4 0\nv .4 .4 0\nv .4 1 0\nv 0 1 0\nv 0 0 .4\nv 1 0 .4\nv 1 .4 .4\nv .4 .4 .4\nv .4 1 .4\n"
	"v 0 1 .4\nf 1 6 5 4 3 2\nf 7 8 9 10 11 12\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 "
	"12\n";

static const real SIDE = 0.06, A_LITTLE = 1e-12;

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0 && fclose(f) == 0);
}

static void copy_text(const char *from, const char *to)
{
	static char text[1 << 16];
	FILE *f = fopen(from, "r");
	assert_non_null(f);
	text[fread(text, 1, sizeof text - 1, f)] = 0;
	assert_true(!fclose(f));
	write_text(to, text);
}

static void load(const char *shape, const char *walls, int seed, scene *s)
{
	char folder[] = "/tmp/scree_fill_XXXXXX", path[64], text[2048], *report = NULL;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/t.obj", folder);
	copy_text(SCREE_SOURCE "/examples/meshes/tetrapod.obj", path);
	snprintf(path, sizeof path, "%s/l.obj", folder);
	write_text(path, L_MESH);
	snprintf(text, sizeof text,
			 "scene: 1\nworld: {gravity: [0, 0, 0]}\nmaterials: {m: {density: 1 g/cm^3, young: 1 MPa}}\n"
			 "shapes: {s: {%s}}\n%s"
			 "fill: [{region: {box: {min: [0, 0, 0], max: [6 cm, 6 cm, 6 cm]}}, solid_fraction: 0.2, material: m, "
			 "shape: s, size: 2 cm, orientation: random, seed: %d}]\nrun: {until: 1 s}\n",
			 shape, walls, seed);
	snprintf(path, sizeof path, "%s/s.yaml", folder);
	write_text(path, text);
	const bool ok = scree_scene_load(path, 0, NULL, s, &report);
	CHECK(ok, "%s, seed %d: %s", shape, seed, report ? report : "");
	static const char *const files[] = {"t.obj", "l.obj", "s.yaml"};
	for (int k = 0; k < 3; ++k) {
		snprintf(path, sizeof path, "%s/%s", folder, files[k]);
		unlink(path);
	}
	rmdir(folder);
}

/* ------------------------------------------------------------------ by brute force */

/* a convex part of a body, in world coordinates */
typedef struct solid {
	const shape *of;
	vec3 at;
	mat3 turn;
	real size;
} solid;

static solid part(const scree_world *w, int32_t i, int32_t k)
{
	const bodies *b = &w->state.body;
	const shape *s = w->model.shape.row + b->shape[i];
	const mat3 turn = quat_matrix(body_orientation(b, i));
	if (!s->parts) return (solid){s, body_position(b, i), turn, b->size[i]};
	const shape_part *p = s->part + k;
	return (solid){p->solid,
				   v3_madd(body_position(b, i), b->size[i], mat3_mul(turn, p->at)),
				   {mat3_mul(turn, p->turn.x), mat3_mul(turn, p->turn.y), mat3_mul(turn, p->turn.z)},
				   b->size[i]};
}

static int32_t parts(const scree_world *w, int32_t i)
{
	const int32_t n = w->model.shape.row[w->state.body.shape[i]].parts;
	return n ? n : 1;
}

static vec3 corner(const solid *s, int32_t v)
{
	return v3_madd(s->at, s->size, mat3_mul(s->turn, v3(s->of->vx[v], s->of->vy[v], s->of->vz[v])));
}

static void span(const solid *s, vec3 n, real *low, real *high)
{
	*low = INFINITY, *high = -INFINITY;
	for (int32_t v = 0; v < s->of->vertices; ++v) {
		*low = real_min(*low, v3_dot(n, corner(s, v)));
		*high = real_max(*high, v3_dot(n, corner(s, v)));
	}
}

/* gap in m to a plane perpendicular to n that separates two parts; negative if the plane cuts both */
static real parted(const solid *a, const solid *b, vec3 n)
{
	real al, ah, bl, bh;
	if (!(v3_norm2(n) > 1e-18)) return -INFINITY;
	n = v3_unit(n);
	span(a, n, &al, &ah);
	span(b, n, &bl, &bh);
	return real_max(al - bh, bl - ah);
}

static vec3 normal(const solid *s, int32_t f)
{
	return mat3_mul(s->turn, v3(s->of->nx[f], s->of->ny[f], s->of->nz[f]));
}
static vec3 edge(const solid *s, int32_t e)
{
	return v3_mul(1 / s->size, v3_sub(corner(s, s->of->ends[2 * e + 1]), corner(s, s->of->ends[2 * e])));
}

static bool apart(const solid *a, const solid *b)
{
	real most = -INFINITY;
	for (int32_t f = 0; f < a->of->faces; ++f) most = real_max(most, parted(a, b, normal(a, f)));
	for (int32_t f = 0; f < b->of->faces; ++f) most = real_max(most, parted(a, b, normal(b, f)));
	for (int32_t e = 0; most < -A_LITTLE && e < a->of->edges; ++e)
		for (int32_t k = 0; most < -A_LITTLE && k < b->of->edges; ++k)
			most = real_max(most, parted(a, b, v3_cross(edge(a, e), edge(b, k))));
	return most >= -A_LITTLE;
}

static void check_pairs(const scree_world *w)
{
	for (int32_t i = 0; i < w->state.body.count; ++i)
		for (int32_t j = 0; j < i; ++j) {
			const real reach = w->state.body.radius[i] + w->state.body.radius[j];
			if (v3_norm(v3_sub(body_position(&w->state.body, i), body_position(&w->state.body, j))) > reach) continue;
			for (int32_t k = 0; k < parts(w, i); ++k)
				for (int32_t l = 0; l < parts(w, j); ++l) {
					const solid a = part(w, i, k), b = part(w, j, l);
					CHECK(apart(&a, &b), "parts %d and %d of bodies %d and %d overlap", k, l, i, j);
				}
		}
}

/* Returns the number of bodies closer to the border than their bounding spheres would allow. */
static int32_t check_border(const scree_world *w)
{
	int32_t near = 0;
	for (int32_t i = 0; i < w->state.body.count; ++i) {
		const vec3 c = body_position(&w->state.body, i);
		const real r = w->state.body.radius[i];
		for (int32_t k = 0; k < parts(w, i); ++k) {
			const solid s = part(w, i, k);
			for (int32_t v = 0; v < s.of->vertices; ++v) {
				const vec3 p = corner(&s, v);
				const real least = real_min(p.x, real_min(p.y, p.z)), most = real_max(p.x, real_max(p.y, p.z));
				CHECK(least >= -A_LITTLE && most <= SIDE + A_LITTLE, "body %d: %g .. %g", i, least, most);
			}
		}
		near += real_min(c.x, real_min(c.y, c.z)) < r || real_max(c.x, real_max(c.y, c.z)) > SIDE - r;
	}
	return near;
}

static real fraction(const scree_world *w)
{
	real sum = 0;
	for (int32_t i = 0; i < w->state.body.count; ++i) {
		const real size = w->state.body.size[i];
		sum += w->model.shape.row[w->state.body.shape[i]].volume * size * size * size;
	}
	return sum / (SIDE * SIDE * SIDE);
}

static const char *const shapes_of[] = {"mesh: {file: t.obj, as: compound}", "mesh: {file: l.obj, as: compound}",
										"regular: cube", "regular: icosahedron"};
enum { SHAPES_OF = sizeof shapes_of / sizeof *shapes_of };

static void a_fifth_is_reached(void **state)
{
	(void)state;
	int32_t near = 0;
	for (int k = 0; k < SHAPES_OF; ++k)
		for (int seed = 1; seed <= (k == 1 ? 2 : test_few(2, 0)); ++seed) {
			scene s;
			load(shapes_of[k], "", seed, &s);
			CHECK(fraction(s.world) >= 0.2, "%s: %g", shapes_of[k], fraction(s.world));
			check_pairs(s.world);
			near += check_border(s.world);
			scree_scene_free(&s);
		}
	CHECK(near > test_few(15, 1), "only %d bodies are nearer to the border than their spheres", near);
}

/* Walls on borders and through the middle: planes, a tube, and facets. */
static void walls_are_kept_clear(void **state)
{
	(void)state;
	static const char *const walls[] = {
		"walls: {a: {plane: {point: [0, 0, 0], normal: [1, 0, 0]}, material: m}, b: {plane: {point: [0, 0, 6 cm], "
		"normal: [0, 0, -1]}, material: m}}\n",
		"walls: {a: {cylinder: {radius: 4 cm, axis: [0, 0, 1], center: [3 cm, 3 cm, 3 cm]}, material: m}}\n",
		"walls: {a: {polygon: {points: [[-1 cm, -1 cm, 0.2 cm], [7 cm, -1 cm, 0.2 cm], [7 cm, 7 cm, 0.2 cm], [-1 cm, "
		"7 cm, 0.2 cm]]}, material: m}}\n"};
	for (int k = 2; k >= 0; k -= 2)
		for (int n = 0; n < (k ? 3 : test_few(3, 0)); ++n) {
			scene s;
			load(shapes_of[k], walls[n], 5, &s);
			check_pairs(s.world);
			check_border(s.world);
			CHECK(scree_step(s.world), "%s", s.world->work.why.text);
			CHECK(s.world->work.greatest_overlap_ever == 0, "%s, walls %d: overlap by %g", shapes_of[k], n,
				  s.world->work.greatest_overlap_ever);
			scree_scene_free(&s);
		}
}

static void the_same_bits_again(void **state)
{
	(void)state;
	scene a, b;
	load(shapes_of[1], "", 2, &a);
	load(shapes_of[1], "", 2, &b);
	assert_true(scree_world_hash(&a.world->model, &a.world->state, &a.world->work) ==
				scree_world_hash(&b.world->model, &b.world->state, &b.world->work));
	scree_scene_free(&a);
	scree_scene_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fifth_is_reached),
		cmocka_unit_test(walls_are_kept_clear),
		cmocka_unit_test(the_same_bits_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
