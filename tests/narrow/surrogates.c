/* Surrogates: no point on the triangles of a node is farther from its surrogate than the radius, and the contacts are
 * the same with and without surrogates. */
#include "narrow/surface_help.h"

#include <string.h>

enum { ON_LINE = 32, ACROSS = 18 };

/* a ring with bumps and hollows, with enough triangles to have surrogates */
static trimesh random_ring(random_stream *r)
{
	const real tube = scree_random_between(r, 0.05, 0.22), bumps = scree_random_between(r, 0, 0.3);
	const vec3 phase = v3_mul(5, scree_random_direction(r));
	grain g = grain_torus(ON_LINE, ACROSS, 0.28, tube);
	for (int32_t v = 0; v < g.vertices; ++v) {
		vec3 *p = g.vertex + v;
		const vec3 middle = v3_mul((real)0.28, v3_unit(v3(p->x, p->y, 0)));
		const real wave =
			scree_sin(9 * p->x + phase.x) * scree_sin(11 * p->y + phase.y) * scree_cos(20 * p->z + phase.z);
		*p = v3_madd(*p, bumps * wave, v3_sub(*p, middle));
	}
	trimesh m = built_of(&g);
	grain_free(&g);
	return m;
}

static void triangles_of(const trimesh *m, int32_t node, int32_t *first, int32_t *last)
{
	const trimesh_node *low = m->node + node, *high = low;
	while (!low->count) low = m->node + low->first;
	while (!high->count) high = m->node + high->first + 1;
	*first = low->first, *last = high->first + high->count;
}

static real from_surrogate(const trimesh_surrogate *s, vec3 p)
{
	const double point[9] = {p.x, p.y, p.z, p.x, p.y, p.z, p.x, p.y, p.z};
	double c[9];
	for (int k = 0; k < 3; ++k) c[3 * k] = s->corner[k].x, c[3 * k + 1] = s->corner[k].y, c[3 * k + 2] = s->corner[k].z;
	return scree_triangles_thorough(point, c).distance;
}

/* Tests a random point, which may be a corner. */
static void every_point_is_within_the_radius(void **state)
{
	(void)state;
	random_stream r = scree_random_start(310, 1);
	for (int i = 0; i < test_cases(6); ++i) {
		trimesh m = random_ring(&r);
		int64_t have = 0, leaves = 0;
		CHECK(m.surrogate, "%d triangles have no surrogates", m.triangles);
		for (int32_t k = 0; k < m.nodes && m.surrogate; ++k) {
			const trimesh_surrogate *s = m.surrogate + k;
			int32_t first, last;
			triangles_of(&m, k, &first, &last);
			leaves += m.node[k].count > 0, have += m.node[k].count > 0 && s->radius < INFINITY;
			if (!(s->radius < INFINITY)) continue;
			real most = 0;
			for (int32_t t = first; t < last; ++t)
				for (int n = 0; n < 6; ++n) {
					const vec3 *v = m.vertex;
					const int32_t *c = m.corner + 3 * t;
					real f = scree_random_real(&r), g = scree_random_real(&r) * (1 - f);
					if (n < 3) f = n == 1, g = n == 2;
					const vec3 p = v3_madd(v3_madd(v3_mul(1 - f - g, v[c[0]]), f, v[c[1]]), g, v[c[2]]);
					most = real_max(most, from_surrogate(s, p));
				}
			CHECK(most <= s->radius, "node %d: a point is %.17g from its surrogate, whose radius is %.17g", k, most,
				  s->radius);
			CHECK(s->radius <= most + 1e-13, "node %d: radius %g, its points are within %g", k, s->radius, most);
			NEAR(v3_norm(s->normal), 1, 1e-14, "normal");
		}
		CHECK(have == leaves, "%lld of %lld leaves have surrogates", (long long)have, (long long)leaves);
		scree_trimesh_free(&m);
	}
}

static void check_same(const contacts *o, const contacts *p)
{
	CHECK(o->crossed == p->crossed && o->list.count == p->list.count, "%d contacts, %d by boxes", o->list.count,
		  p->list.count);
	for (int32_t k = 0; k < o->list.count && k < p->list.count; ++k) {
		const point_found *x = o->list.item + k, *y = p->list.item + k;
		CHECK(x->feature == y->feature && !memcmp(&x->normal, &y->normal, sizeof x->normal) &&
				  !memcmp(&x->at, &y->at, sizeof x->at) && x->depth == y->depth,
			  "contact %d differs", k);
	}
}

/* Surfaces are moved together until they cross, and partly back, so that pairs are close, touching or crossing. */
static void contacts_are_those_of_boxes(void **state)
{
	(void)state;
	random_stream r = scree_random_start(311, 1);
	int64_t touching = 0, crossing = 0;
	contacts c = {0}, d = {0};
	for (int i = 0; i < test_cases(8); ++i) {
		trimesh of[2];
		of[0] = random_ring(&r), of[1] = random_ring(&r);
		trimesh_surrogate *kept[2] = {of[0].surrogate, of[1].surrogate};
		const real halo = 0.03 * scree_random_real(&r);
		placed_surface a = put_at(of, v3(0, 0, 0), halo), b = put_at(of + 1, v3(0, 0, 0), halo / 2);
		a.turn = random_turn(&r), b.turn = random_turn(&r), b.size = scree_random_between(&r, 0.5, 1.5);
		const vec3 way = scree_random_direction(&r);
		real low = 0, high = 3;
		for (int k = 0; k < 30; ++k) {
			b.at = v3_mul(k < 20 ? (low + high) / 2 : high + (real)0.01 * (25 - k) * (high - low + halo), way);
			meet(&c, &a, &b);
			of[0].surrogate = of[1].surrogate = NULL;
			meet(&d, &a, &b);
			of[0].surrogate = kept[0], of[1].surrogate = kept[1];
			check_same(&c, &d);
			touching += c.list.count > 0, crossing += c.crossed;
			if (k < 20 && c.crossed)
				low = (low + high) / 2;
			else if (k < 20)
				high = (low + high) / 2;
		}
		for (int k = 0; k < 2; ++k) scree_trimesh_free(of + k);
	}
	CHECK(c.scratch.counts.surrogates > 0 && d.scratch.counts.surrogates == 0, "surrogates were not asked");
	CHECK(c.scratch.counts.planes > 0 && c.scratch.counts.uncertified == 0, "planes were not asked");
	CHECK(touching > 10 && crossing > 10, "%lld touch, %lld cross", (long long)touching, (long long)crossing);
	contacts_free(&c), contacts_free(&d);
}

/* A bound is never larger than the distance between the closest two triangles left out. */
static void bounds_are_below_the_distance(void **state)
{
	(void)state;
	random_stream r = scree_random_start(312, 1);
	contacts c = {0};
	for (int i = 0; i < test_cases(3); ++i) {
		trimesh of[2];
		of[0] = random_ring(&r), of[1] = random_ring(&r);
		placed_surface a = put_at(of, v3(0, 0, 0), 1e-3), b = put_at(of + 1, v3(0, 0, 0), 1e-3);
		a.turn = random_turn(&r), b.turn = random_turn(&r);
		const real far = scree_random_between(&r, 0.8, 1.2);
		const vec3 way = scree_random_direction(&r);
		b.at = v3_mul(far, way);
		meet(&c, &a, &b);
		real least = INFINITY;
		for (int32_t t = 0; t < of[0].triangles; ++t) {
			double p[9], q[9];
			corners_of(&a, a.at, t, p);
			for (int32_t u = t % 7; u < of[1].triangles; u += 7) {
				corners_of(&b, a.at, u, q);
				least = real_min(least, scree_triangles_thorough(p, q).distance);
			}
		}
		CHECK(c.crossed || c.list.count || c.least <= least - 2e-3, "bound %g, distance %g", c.least, least - 2e-3);
		for (int k = 0; k < 2; ++k) scree_trimesh_free(of + k);
	}
	contacts_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_point_is_within_the_radius),
		cmocka_unit_test(contacts_are_those_of_boxes),
		cmocka_unit_test(bounds_are_below_the_distance),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
