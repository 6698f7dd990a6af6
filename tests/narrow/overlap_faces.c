/* Integrals over the faces of an overlap in closed form, compared with the quadrature that they replace: four points of
 * each triangle, and the divergence theorem along the thin direction. Solids are cut from random bodies: any part, thin
 * slabs, edges and corners down to rounding errors, also far from the origin. For slabs and edges the errors of both
 * are compared with exact energies and forces. */
#include "overlap_help.h"

static const int POWER[MONOMIALS][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 0, 0}, {1, 1, 0}, {1, 0, 1},
										{0, 2, 0}, {0, 1, 1}, {0, 0, 2}, {3, 0, 0}, {2, 1, 0}, {2, 0, 1}, {1, 2, 0},
										{1, 1, 1}, {1, 0, 2}, {0, 3, 0}, {0, 2, 1}, {0, 1, 2}, {0, 0, 3}};

static real power_of(real x, int n) { return n == 0 ? 1 : x * power_of(x, n - 1); }
static real monomial(vec3 p, int m)
{
	return power_of(p.x, POWER[m][0]) * power_of(p.y, POWER[m][1]) * power_of(p.z, POWER[m][2]);
}

/* ------------------------------------------------------------------ the quadrature */

static void add_point(overlap_region *r, real weight, vec3 p, bool second, vec3 n)
{
	for (int m = 0; m < 10; ++m) r->inner[m] += weight * n.z * p.z * monomial(p, m) / (POWER[m][2] + 1);
	for (int m = 0; m < MONOMIALS && second; ++m) r->border[m] = v3_madd(r->border[m], weight * monomial(p, m), n);
}

static real triangle_area(vec3 n, const vec3 *corner)
{
	return v3_dot(n, v3_cross(v3_sub(corner[1], corner[0]), v3_sub(corner[2], corner[0]))) / 2;
}

/* Adds a triangle by four points (Hammer, Marlowe and Stroud 1956). */
static void add_triangle(overlap_region *r, const vec3 *corner, bool second, vec3 n)
{
	const vec3 middle = v3_mul((real)1 / 3, v3_add(corner[0], v3_add(corner[1], corner[2])));
	const real area = triangle_area(n, corner);
	add_point(r, area * -27 / 48, middle, second, n);
	for (int k = 0; k < 3; ++k) {
		const vec3 others = v3_add(corner[(k + 1) % 3], corner[(k + 2) % 3]);
		add_point(r, area * 25 / 48, v3_add(v3_mul(0.6, corner[k]), v3_mul(0.2, others)), second, n);
	}
}

static vec3 point_in(const overlap *o, const solid *p, int32_t corner)
{
	return mat3_tmul(o->axes, v3_sub(p->vertex[p->corner[corner]], o->from));
}

static overlap_region by_quadrature(const overlap *o, const solid *p)
{
	overlap_region r;
	scree_thickness_region(o, &r);
	for (int m = 0; m < 10; ++m) r.inner[m] = 0;
	for (int m = 0; m < MONOMIALS; ++m) r.border[m] = v3(0, 0, 0);
	for (int32_t f = 0; f < p->faces; ++f)
		for (int32_t i = p->first[f] + 2; i < p->first[f + 1]; ++i) {
			const vec3 corner[3] = {point_in(o, p, p->first[f]), point_in(o, p, i - 1), point_in(o, p, i)};
			add_triangle(&r, corner, p->second[f], mat3_tmul(o->axes, p->normal[f]));
		}
	return r;
}

/* ------------------------------------------------------------------ solids */

/* The mean of the faces' normals that is the thin direction, from the area of the second body's faces. */
static vec3 push_on(const solid *p, vec3 otherwise)
{
	vec3 sum = v3(0, 0, 0);
	for (int32_t f = 0; f < p->faces; ++f)
		for (int32_t i = p->first[f] + 2; i < p->first[f + 1] && p->second[f]; ++i) {
			const vec3 a = p->vertex[p->corner[p->first[f]]];
			sum = v3_add(sum, v3_cross(v3_sub(p->vertex[p->corner[i - 1]], a), v3_sub(p->vertex[p->corner[i]], a)));
		}
	return v3_norm(sum) > 0 ? v3_unit(sum) : otherwise;
}

static overlap closed_form(const solid *p, vec3 otherwise)
{
	const vec3 along = push_on(p, otherwise);
	overlap o = scree_overlap_start(ENERGY_OF_THICKNESS, p, solid_lowest(p, along), along);
	scree_overlap_add(&o, p);
	return o;
}

/* Cuts off all but a part of this height along n. */
static bool keep_lowest(cutting *c, vec3 n, real height)
{
	const solid *p = c->part + c->now;
	return scree_cut(c, n, v3_dot(n, solid_lowest(p, n)) + height);
}

static void move_solid(solid *p, mat3 turn, vec3 by)
{
	for (int32_t v = 0; v < p->vertices; ++v) p->vertex[v] = v3_add(by, mat3_mul(turn, p->vertex[v]));
	for (int32_t f = 0; f < p->faces; ++f) p->normal[f] = mat3_mul(turn, p->normal[f]);
}

/* The directions in which a body's lowest points are a face, an edge or a corner. */
enum { AT_FACE, AT_EDGE, AT_CORNER, PLACES };

static vec3 lowest_at(const shape *s, int place, random_stream *r)
{
	const int32_t f = (int32_t)scree_random_between(r, 0, (real)s->faces);
	const vec3 n = v3_neg(shape_normal(s, f));
	if (place == AT_FACE) return n;
	const int32_t e = (int32_t)scree_random_between(r, 0, (real)s->edges);
	const vec3 p = shape_vertex(s, s->ends[2 * e]), q = shape_vertex(s, s->ends[2 * e + 1]);
	if (place == AT_CORNER) return v3_unit(v3_neg(p));
	const vec3 middle = v3_add(p, q), way = v3_sub(q, p);
	return v3_unit(v3_neg(v3_madd(middle, -v3_dot(middle, way) / v3_norm2(way), way)));
}

/* ------------------------------------------------------------------ the same integrals */

/* Extents of a solid in the axes of its region. */
static vec3 extents(const overlap *o, const solid *p)
{
	vec3 most = v3(0, 0, 0);
	for (int32_t k = 0; k < p->corners; ++k) {
		const vec3 x = point_in(o, p, k);
		most = v3_max(most, v3(real_abs(x.x), real_abs(x.y), real_abs(x.z)));
	}
	return most;
}

/* Largest difference, relative to the integral of the largest value over a box that contains the region. */
static real difference(const overlap_region *q, const overlap_region *r, vec3 most)
{
	const real volume = most.x * most.y * most.z;
	const vec3 face = v3(most.y * most.z, most.z * most.x, most.x * most.y);
	real worst = 0;
	for (int m = 0; m < 10; ++m)
		worst = real_max(worst, real_abs(q->inner[m] - r->inner[m]) / (volume * monomial(most, m)));
	for (int m = 0; m < MONOMIALS; ++m) {
		const vec3 d = v3_sub(q->border[m], r->border[m]);
		const real scale = monomial(most, m);
		worst = real_max(worst, real_abs(d.x) / (scale * face.x));
		worst = real_max(worst, real_abs(d.y) / (scale * face.y));
		worst = real_max(worst, real_abs(d.z) / (scale * face.z));
	}
	return worst;
}

/* Cuts a random body to a part that is as high as 0.3 to 1e-9 of its size, and compares both. far: distance from the
 * origin, which rounds the corners of the solid */
static real difference_of_a_part(real far, int64_t *parts)
{
	random_stream r = scree_random_start(test_seed, 31);
	const placed body = place_random(&all, (int32_t)(test_seed % SOLIDS), &r, 1, 0.5, 1.5);
	const real reach = body.size * body.shape->radius;
	static cutting c;
	real deep = 0.3 * reach;
	for (uint64_t k = 0; k < test_seed / 8 % 9; ++k) deep /= 10;
	scree_cut_start(&c, body.shape, body.size, OVERLAP_SLACK * reach);
	bool any = keep_lowest(&c, lowest_at(body.shape, (int)(test_seed % PLACES), &r), deep);
	for (int k = 0; k < 2 && any && test_seed % 5 < 3; ++k) /* more cuts nearly across */
		any = scree_cut(&c, scree_random_direction(&r), 0.3 * reach);
	if (!any) return 0;
	solid *p = c.part + c.now;
	move_solid(p, quat_matrix(scree_random_rotation(&r)), v3_mul(far * reach, scree_random_direction(&r)));
	const overlap o = closed_form(p, v3(0, 0, 1));
	const vec3 most = extents(&o, p);
	overlap_region q = by_quadrature(&o, p), mine;
	scree_thickness_region(&o, &mine);
	++*parts;
	/* distances by which rounded corners are off their planes */
	const real off = 1e-15 * reach * (1 + far) / real_min(most.x, real_min(most.y, most.z));
	return difference(&q, &mine, most) / (1e-14 + off);
}

static void parts_of_bodies(void **state)
{
	(void)state;
	static const real far[] = {0, 30, 1e3};
	for (int k = 0; k < 3; ++k) {
		real worst = 0;
		int64_t parts = 0;
		FOR_SEEDS(20000)
		{
			const real d = difference_of_a_part(far[k], &parts);
			CHECK(d < 4, "integrals differ by %g of rounding errors", d);
			worst = real_max(worst, d);
		}
		print_message("far by %g: %lld parts, greatest difference %.2g of rounding errors\n", far[k], (long long)parts,
					  worst);
		CHECK(parts > test_cases(20000) / 2, "only %lld parts", (long long)parts);
	}
}

/* ------------------------------------------------------------------ exact energies */

/* A part of a unit cube: its energy, and the force on the cut. */
typedef struct exact {
	real energy, force;
} exact;

/* 1 by 1 by h */
static exact exact_slab(real h)
{
	const real t2 = 1 / (2 + 1 / (h * h)), t = sqrt(t2), u = sqrt(h * t) * t / 2;
	return (exact){u, u * (1 / (2 * h) + 1.5 * t2 / (h * h * h))};
}

/* a prism with a right angle at the bottom, whose variances are 1/12, h^2/6 and h^2/18 */
static exact exact_edge(real h)
{
	const real lambda = 1 / (12 + 24 / (h * h)), t = sqrt(12 * lambda), u = sqrt(h * h * t) * t / 2;
	return (exact){u, u / h * (1 + 36 * lambda / (h * h))};
}

/* Largest relative error of energy and force, times the height, in units of rounding errors of the cube. */
static real error_of(const overlap_region *r, exact x, real h)
{
	overlap_effect e = overlap_no_effect();
	CHECK(region_effect(r, &e), "no effect");
	const real energy = real_abs(e.energy / x.energy - 1), force = real_abs(v3_norm(e.push) / x.force - 1);
	return real_max(energy, force) * h / 1e-16;
}

static void energies_are_exact(void **state)
{
	(void)state;
	static cutting c;
	static const char *const name[] = {"slab", "edge"};
	for (int edge = 0; edge < 2; ++edge)
		for (real h = 0.1; h > 1e-9; h /= 10) {
			real mine = 0, old = 0;
			FOR_SEEDS(500)
			{
				random_stream r = scree_random_start(test_seed, 32);
				const vec3 n = edge ? v3(sqrt(0.5), sqrt(0.5), 0) : v3(0, 0, 1);
				scree_cut_start(&c, all.shape.row, 1, OVERLAP_SLACK);
				CHECK(keep_lowest(&c, n, h), "nothing left");
				solid *p = c.part + c.now;
				move_solid(p, quat_matrix(scree_random_rotation(&r)), v3(0, 0, 0));
				const overlap o = closed_form(p, n);
				overlap_region region, q = by_quadrature(&o, p);
				scree_thickness_region(&o, &region);
				const exact x = edge ? exact_edge(h) : exact_slab(h);
				mine = real_max(mine, error_of(&region, x, h));
				old = real_max(old, error_of(&q, x, h));
			}
			print_message("%s of height %.0e: greatest error %.2g, by quadrature %.2g\n", name[edge], h, mine, old);
			CHECK(mine < 1.5 * old + 1, "error %g, by quadrature %g", mine, old);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_of_bodies),
		cmocka_unit_test(energies_are_exact),
	};
	return cmocka_run_group_tests(tests, make_shapes, free_shapes);
}
