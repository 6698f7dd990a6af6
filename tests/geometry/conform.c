/* Non-conforming meshes (whose triangles do not meet edge to edge) become conforming surfaces, with the area, border
 * and folds of the original panels. Gaps and steps that exceed the precision of a file remain. */
#include "nonconforming.h"

#include "wall/walls.h"

static void add(walls *w, const mesh_soup *m, bool two_sided)
{
	fail why = {0};
	wall of = scree_wall_default("mesh", 0);
	of.two_sided = two_sided;
	CHECK(scree_walls_add_mesh(w, of, 3 * m->triangles, m->vertex, m->triangles, m->corner, &why) >= 0, "%s", why.text);
}

static int32_t after(const facet *f, int32_t k) { return k + 1 < f->first + f->corners ? k + 1 : f->first; }

/* Lengths of open edges, covered edges, ridges and valleys, and area of the facets. */
typedef struct sums {
	real open, covered, ridge, valley, area;
} sums;

static sums sums_of(const walls *w)
{
	sums o = {0};
	for (int32_t i = 0; i < w->facets; ++i) {
		const facet *f = w->facet + i;
		o.area += v3_dot(f->normal, v3_cross(v3_sub(w->corner[f->first + 1], w->corner[f->first]),
											 v3_sub(w->corner[f->first + 2], w->corner[f->first]))) /
				  2;
		for (int32_t k = f->first; k < f->first + f->corners; ++k) {
			real length = v3_norm(v3_sub(w->corner[after(f, k)], w->corner[k]));
			int32_t next = w->next[k];
			if (next == EDGE_OPEN) o.open += length;
			if (edge_is_covered(next)) {
				o.covered += length;
				CHECK(edge_cover(next) < w->facets && edge_cover(next) != i, "covered by %d", edge_cover(next));
			}
			if (next < 0) continue;
			if (w->facet[next].surface == f->surface) CHECK(w->bend[k] == 0, "bend %g in a surface", w->bend[k]);
			o.ridge += w->bend[k] < 0 ? length / 2 : 0;
			o.valley += w->bend[k] > 0 ? length / 2 : 0;
		}
	}
	return o;
}

static real perimeter(const panel *p) { return 2 * (v3_norm(p->u) + v3_norm(p->v)); }
static real area_of(const panel *p) { return v3_norm(v3_cross(p->u, p->v)); }

static mesh_soup made;

/* Two panels that meet at an angle along the vector v of the first one, rotated in space, with faults. */
static void folds(void **state)
{
	(void)state;
	FOR_SEEDS(400)
	{
		random_stream r = scree_random_start(test_seed, 1);
		const real angle = test_seed % 4 ? scree_random_between(&r, -2, 2) : 0;
		const quat turn = scree_random_rotation(&r);
		const vec3 v = v3(0, scree_random_between(&r, (real)0.5, 2), 0);
		panel p[2] = {{v3(-1, 0, 0), v3(1, 0, 0), v}, {v3(0, 0, 0), v3(scree_cos(angle), 0, scree_sin(angle)), v}};
		for (int i = 0; i < 2; ++i)
			p[i] = (panel){quat_rotate(turn, p[i].at), quat_rotate(turn, p[i].u), quat_rotate(turn, p[i].v)};
		const mesh_faults f = {scree_random_bits(&r) & 1, scree_random_bits(&r) & 1,
							   scree_random_bits(&r) & 1 ? 3e-7 : 0};
		walls w = {0};
		made.triangles = 0;
		soup_faulty(&made, &r, 2, p, &f);
		add(&w, &made, test_seed % 3 == 0);
		const sums o = sums_of(&w);
		const real length = v3_norm(v);
		CHECK(w.surfaces == (angle == 0 ? 1 : 2), "%d surfaces, angle %g, junctions %d, doubled %d, off %g", w.surfaces,
			  angle, f.junctions, f.doubled, f.off);
		NEAR(o.area, area_of(p) + area_of(p + 1), 1e-4, "area");
		NEAR(o.open, perimeter(p) + perimeter(p + 1) - 2 * length, 1e-4, "open edges");
		NEAR(o.ridge + o.valley, angle == 0 ? 0 : length, 1e-4, "fold");
		NEAR(o.covered, 0, 1e-4, "covered");
		if (angle != 0 && test_seed % 3) NEAR(angle > 0 ? o.ridge : o.valley, 0, 1e-4, "valleys rise, ridges fall");
		scree_walls_free(&w);
	}
}

/* A plate that stands on a floor: the lower edge is covered where it touches the floor, and split elsewhere. */
static void feet(void **state)
{
	(void)state;
	FOR_SEEDS(100)
	{
		random_stream r = scree_random_start(test_seed, 2);
		const real from = scree_random_between(&r, (real)-0.5, (real)0.9),
				   to = from + scree_random_between(&r, (real)0.2, 2);
		const panel floor = {v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0)},
					plate = {v3(from, (real)0.4, scree_random_between(&r, -5e-7, 5e-7)), v3(to - from, (real)0.1, 0),
							 v3(0, 0, 1)};
		const mesh_faults f = {scree_random_bits(&r) & 1, false, 0};
		walls w = {0};
		made.triangles = 0;
		soup_faulty(&made, &r, 1, &floor, &f);
		soup_right(&made, 1, &plate);
		add(&w, &made, false);
		const real part = real_max(real_min(to, 1) - real_max(from, 0), 0) / (to - from) * v3_norm(plate.u);
		const sums o = sums_of(&w);
		NEAR(o.covered, part, 1e-4, "covered");
		NEAR(o.open, 4 + perimeter(&plate) - part, 1e-4, "open");
		CHECK(w.surfaces == 2, "%d surfaces", w.surfaces);
		scree_walls_free(&w);
	}
}

/* Corners farther apart than the precision of a file stay apart, and a sheet that faces the opposite way is kept. */
static void what_stays(void **state)
{
	(void)state;
	walls w = {0};
	panel p[2] = {{v3(-1, 0, 0), v3(1, 0, 0), v3(0, 1, 0)}, {v3(1e-4, 0, 0), v3(1, 0, 0), v3(0, 1, 0)}};
	made.triangles = 0;
	soup_right(&made, 2, p);
	add(&w, &made, false);
	CHECK(w.surfaces == 2 && !w.row[0].repaired.cracks, "a gap of 1e-4: %d surfaces", w.surfaces);
	NEAR(sums_of(&w).open, 8, 1e-12, "both borders are open");
	scree_walls_free(&w);
	p[1].at = v3(0, 0, 1e-4);
	made.triangles = 0;
	soup_right(&made, 2, p);
	add(&w, &made, false);
	CHECK(w.surfaces == 2, "a step of 1e-4: %d surfaces", w.surfaces);
	NEAR(sums_of(&w).open, 8, 1e-12, "a step is a border");
	scree_walls_free(&w);
	for (int two_sided = 0; two_sided < 2; ++two_sided) {
		made.triangles = 0;
		p[1] = (panel){v3(-1, 0, 0), v3(0, 1, 0), v3(1, 0, 0)};
		soup_right(&made, 2, p);
		add(&w, &made, two_sided);
		CHECK(w.surfaces == (two_sided ? 1 : 2), "a plate from both sides: %d surfaces, two-sided %d, %d facets",
			  w.surfaces, two_sided, w.facets);
		scree_walls_free(&w);
	}
}

/* The defects are counted correctly. */
static void counts(void **state)
{
	(void)state;
	walls w = {0};
	panel p[3] = {{v3(-1, 0, 0), v3(1, 0, 0), v3(0, 1, 0)},
				  {v3(0, 0, 0), v3(1, 0, 0), v3(0, (real)0.5, 0)},
				  {v3(0, (real)0.5, 1e-7), v3(1, 0, 0), v3(0, (real)0.5, 0)}};
	made.triangles = 0;
	soup_right(&made, 3, p);
	soup_right(&made, 1, p);
	add(&w, &made, false);
	const mesh_repairs *o = &w.row[0].repaired;
	CHECK(o->junctions == 1 && o->first_junction.y == 0.5, "%d junctions", o->junctions);
	CHECK(o->cracks >= 1 && o->doubled == 0 && w.row[0].dropped == 2, "%d cracks, %d doubled, %d dropped", o->cracks,
		  o->doubled, w.row[0].dropped);
	scree_walls_free(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(folds), cmocka_unit_test(feet), cmocka_unit_test(what_stays),
									   cmocka_unit_test(counts)};
	return cmocka_run_group_tests_name("conform", tests, NULL, NULL);
}
