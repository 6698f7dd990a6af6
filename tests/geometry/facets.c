/* The grid of facets, compared with a test of every facet. */
#include "test.h"

#include "base/memory.h"
#include "wall/facets.h"

enum { MOST = 600 };

static bool meets(const facet *f, vec3 low, vec3 high)
{
	return f->low.x <= high.x && low.x <= f->high.x && f->low.y <= high.y && low.y <= f->high.y && f->low.z <= high.z &&
		   low.z <= f->high.z;
}

static void ask(const facet_grid *g, const walls *s, int32_t row, vec3 low, vec3 high, facet_list *list)
{
	scree_facet_grid_query(g, s, low, high, list);
	int32_t at = 0;
	for (int32_t f = s->row[row].first_facet; f < s->row[row].first_facet + s->row[row].facets; ++f) {
		if (!meets(s->facet + f, low, high)) continue;
		CHECK(at < list->count && list->facet[at] == f, "facet %d is missed, or is not in its order", f);
		++at;
	}
	CHECK(at == list->count, "%d facets, expected %d", list->count, at);
}

static vec3 random_point(random_stream *r, vec3 size)
{
	return v3(size.x * scree_random_between(r, -1, 1), size.y * scree_random_between(r, -1, 1),
			  size.z * scree_random_between(r, -1, 1));
}

/* Clouds of triangles, of equal size, of all sizes, in a plane, or on a line, tested with small and large boxes, some
 * of them far outside. */
static void clouds(void **state)
{
	(void)state;
	facet_list list = {0};
	static vec3 p[3 * MOST];
	static int32_t t[3 * MOST];
	FOR_SEEDS(150)
	{
		random_stream r = scree_random_start(test_seed, 1);
		vec3 size = v3(1, test_seed % 3 ? 1 : 0, test_seed % 2 ? 1 : 0);
		int32_t count = 1 + (int32_t)(scree_random_bits(&r) % MOST);
		for (int32_t k = 0; k < count; ++k) {
			real part = scree_random_real(&r), own = test_seed % 5 ? 0.05 : part * part * part * part;
			vec3 at = random_point(&r, size);
			for (int c = 0; c < 3; ++c) {
				t[3 * k + c] = 3 * k + c;
				p[3 * k + c] = v3_add(at, random_point(&r, v3_mul(own, v3(1, 1, size.z))));
			}
		}
		walls s = {0};
		fail why = {0};
		CHECK(scree_walls_add_plane(&s, scree_wall_default("floor", 0), v3(0, 0, 0), v3(0, 0, 1), &why) == 0, "%s",
			  why.text);
		for (int k = 0; k < 2; ++k)
			CHECK(scree_walls_add_mesh(&s, scree_wall_default("mesh", 0), 3 * count, p, count, t, &why) == k + 1, "%s",
				  why.text);
		facet_grid *g = scree_facet_grid_new(&s, 2), *none = scree_facet_grid_new(&s, 0);
		for (int k = 0; k < 200; ++k) {
			vec3 at = random_point(&r, v3(1.5, 1.5, 1.5)), half = random_point(&r, v3(1, 1, 1));
			half = v3_mul(scree_random_real(&r), v3(real_abs(half.x), real_abs(half.y), real_abs(half.z)));
			ask(g, &s, 2, v3_sub(at, half), v3_add(at, half), &list);
		}
		/* boxes whose sides coincide with the sides of facets' boxes */
		for (int k = 0; k < 50; ++k) {
			const facet *f =
				s.facet + s.row[2].first_facet + (int32_t)(scree_random_bits(&r) % (uint32_t)s.row[2].facets);
			ask(g, &s, 2, f->high, v3_add(f->high, v3(0.1, 0.1, 0.1)), &list);
			ask(g, &s, 2, f->low, f->low, &list);
		}
		ask(g, &s, 2, v3(-INFINITY, -INFINITY, -INFINITY), v3(INFINITY, INFINITY, INFINITY), &list);
		CHECK(list.count == s.row[2].facets, "all of them: %d", list.count);
		scree_facet_grid_query(none, &s, v3(-1, -1, -1), v3(1, 1, 1), &list);
		CHECK(list.count == 0, "a plane has no facets: %d", list.count);
		scree_facet_grid_free(g);
		scree_facet_grid_free(none);
		scree_walls_free(&s);
	}
	scree_facet_list_free(&list);
}

/* One facet across the whole domain and many tiny ones: the grid must stay small. */
static void giant(void **state)
{
	(void)state;
	enum { N = 20000 };
	vec3 *p = scree_alloc(3 * N, sizeof *p);
	int32_t *t = scree_alloc(3 * N, sizeof *t);
	random_stream r = scree_random_start(5, 1);
	for (int32_t k = 0; k < N; ++k) {
		vec3 at = random_point(&r, v3(1, 1, 1));
		for (int c = 0; c < 3; ++c) {
			t[3 * k + c] = 3 * k + c;
			p[3 * k + c] = k % 100 ? v3_add(at, random_point(&r, v3(1e-4, 1e-4, 1e-4))) : random_point(&r, v3(1, 1, 1));
		}
	}
	walls s = {0};
	fail why = {0};
	CHECK(scree_walls_add_mesh(&s, scree_wall_default("mesh", 0), 3 * N, p, N, t, &why) == 0, "%s", why.text);
	int64_t before = scree_memory_used();
	facet_grid *g = scree_facet_grid_new(&s, 0);
	CHECK(scree_memory_used() - before < N * 80, "%lld bytes for %d facets", (long long)(scree_memory_used() - before),
		  N);
	facet_list list = {0};
	for (int k = 0; k < 200; ++k) {
		vec3 at = random_point(&r, v3(1, 1, 1));
		ask(g, &s, 0, at, v3_add(at, v3(0.05, 0.05, 0.05)), &list);
	}
	scree_facet_list_free(&list);
	scree_facet_grid_free(g);
	scree_walls_free(&s);
	scree_free(p);
	scree_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(clouds), cmocka_unit_test(giant)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
