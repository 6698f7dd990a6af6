/* Closed surfaces with a halo on walls of all shapes, compared with the distances of many surface points from the wall,
 * which are taken from the contacts of spheres; and poses with known contacts. */
#include "narrow/surface_help.h"

enum { SAMPLES = 3000 };

typedef struct site {
	walls wall;
	int32_t *all; /* facets */
	touch_list touch;
	surface_scratch scratch;
	point_list list;
	bool crossed;
} site;

static void site_free(site *o)
{
	scree_walls_free(&o->wall);
	scree_touch_list_free(&o->touch);
	scree_surface_scratch_free(&o->scratch);
	scree_point_list_free(&o->list);
	scree_free(o->all);
}

static void all_facets(site *o)
{
	const wall *w = o->wall.row;
	o->all = scree_alloc((size_t)w->facets + 1, sizeof *o->all);
	for (int32_t i = 0; i < w->facets; ++i) o->all[i] = w->first_facet + i;
}

/* distance of a point from the wall; a large number beyond the sphere's reach or behind the wall */
static const real REACH = 0.4;
static real to_wall(site *o, vec3 p)
{
	real deepest = 0;
	scree_sphere_wall(p, REACH, &(near_wall){&o->wall, 0, o->wall.row->facets, o->all}, &o->touch);
	for (int32_t i = 0; i < o->touch.count; ++i) deepest = real_max(deepest, o->touch.item[i].depth);
	return REACH - deepest;
}

/* Smallest difference between `h` and the distance of `p` from any of the wall's surfaces; in a groove, another surface
 * may be nearer. */
static real off_surface(site *o, vec3 p, real h)
{
	real least = INFINITY;
	to_wall(o, p);
	for (int32_t i = 0; i < o->touch.count; ++i) least = real_min(least, real_abs(REACH - o->touch.item[i].depth - h));
	return least;
}

static void touch_wall(site *o, const placed_surface *a)
{
	o->list.count = 0;
	scree_surface_wall(a, &(near_wall){&o->wall, 0, o->wall.row->facets, o->all}, &o->scratch, &o->list, &o->crossed);
}

static vec3 point_of(random_stream *r, const placed_surface *a)
{
	int32_t t = (int32_t)(scree_random_bits(r) % (uint32_t)a->of->triangles);
	real u = scree_random_real(r), v = scree_random_real(r);
	if (u + v > 1) u = 1 - u, v = 1 - v;
	/* corners and sides count like all other points */
	int kind = (int)(scree_random_bits(r) % 4);
	if (kind == 0) v = 0;
	if (kind == 1) u = v = 0;
	vec3 p = corner_at(a, v3(0, 0, 0), 3 * t), q = corner_at(a, v3(0, 0, 0), 3 * t + 1);
	return v3_madd(v3_madd(p, u, v3_sub(q, p)), v, v3_sub(corner_at(a, v3(0, 0, 0), 3 * t + 2), p));
}

/* These conditions hold for walls of all shapes. */
static void check_contacts(site *o, random_stream *r, const placed_surface *a, const char *what)
{
	real least = a->halo;
	for (int32_t i = 0; i < o->list.count; ++i) {
		const point_found *p = o->list.item + i;
		const real h = a->halo - p->depth;
		const vec3 x = v3_add(a->at, v3_madd(p->at, (h + a->halo) / 2, p->normal));
		NEAR(v3_norm(p->normal), 1, 1e-12, what);
		/* between nearly parallel faces, the contact may be at an edge even if a face is closer, by a factor of the
		 * cosine of the level angle */
		const real sure = 1e-9 + 5e-4 * h;
		NEAR(off_surface(o, x, h), 0, sure, what);
		CHECK(p->depth > 0, "%s: depth %g", what, p->depth);
		/* the contact repels: the distance to the wall grows along the normal, unless another part of the wall is
		 * closer */
		CHECK(to_wall(o, x) < h - sure || to_wall(o, v3_madd(x, 1e-3, p->normal)) > h, "%s: contact %d does not repel",
			  what, i);
		CHECK(!i || p[-1].surface < p->surface || (p[-1].surface == p->surface && p[-1].feature < p->feature),
			  "%s: contacts out of order", what);
		least = real_min(least, h);
	}
	for (int k = 0; k < SAMPLES; ++k) {
		vec3 x = point_of(r, a);
		real h = to_wall(o, x);
		CHECK(h >= least - 1e-9, "%s: a point is %g from the wall, the nearest of %d contacts %g", what, h,
			  o->list.count, least);
	}
}

static grain body_of(random_stream *r)
{
	switch (scree_random_bits(r) % 4) {
	case 0:
		return grain_letter('U');
	case 1:
		return grain_tetrapod(0.2, 0.5);
	case 2:
		return grain_jack(0.3);
	default:
		return grain_granulate(r, 20, 0.75);
	}
}

/* reach: largest distance from the middle of the wall */
static void at_random(site *o, real reach, const char *what)
{
	int touching = 0, tried = 0;
	all_facets(o);
	FOR_SEEDS(150)
	{
		random_stream r = scree_random_start(test_seed, 40);
		grain g = body_of(&r);
		trimesh m = built_of(&g);
		placed_surface a = {&m, v3(0, 0, 0), random_turn(&r), scree_random_between(&r, 0.2, 1), 0, 0.5};
		a.halo = a.size * scree_random_between(&r, 0.02, 0.1);
		vec3 from = v3_mul(reach, scree_random_direction(&r)), to = v3_mul(reach / 2, scree_random_direction(&r));
		/* a path towards the wall, and the last position on it where the body does not touch the wall */
		for (int k = 0; k < 40; ++k) {
			placed_surface b = a;
			b.at = v3_madd(from, k / 20.0, v3_sub(to, from));
			touch_wall(o, &b);
			if (o->crossed) continue;
			bool behind = false;
			for (int i = 0; i < 60 && o->list.count; ++i) {
				real h = to_wall(o, point_of(&r, &b));
				behind = behind || h < 0;
			}
			if (behind || !o->list.count) continue;
			check_contacts(o, &r, &b, what);
			++touching;
			break;
		}
		++tried;
		scree_trimesh_free(&m), grain_free(&g);
	}
	CHECK(tried < 30 || 10 * touching > tried, "%s: %d of %d touch", what, touching, tried);
	CHECK(o->scratch.counts.uncertified == 0, "%s: uncertified", what);
	site_free(o);
}

static void closed_forms(void **state)
{
	(void)state;
	fail why = {0};
	site o = {0};
	const vec3 tilted = v3_unit(v3(0.2, 0.3, 1));
	scree_walls_add_plane(&o.wall, scree_wall_default("plane", 0), v3(0, 0, 0), tilted, &why);
	at_random(&o, 1.5, "plane");
	o = (site){0};
	wall two = scree_wall_default("both", 0);
	two.two_sided = true;
	scree_walls_add_plane(&o.wall, two, v3(0, 0, 0), tilted, &why);
	at_random(&o, 1.5, "plane of two sides");
	o = (site){0};
	scree_walls_add_cylinder(&o.wall, scree_wall_default("tube", 0), v3(0, 0, 0), tilted, 1.4, INFINITY, SIDE_INSIDE,
							 &why);
	at_random(&o, 1.2, "inside of a tube");
	o = (site){0};
	scree_walls_add_cylinder(&o.wall, scree_wall_default("rod", 0), v3(0, 0, 0), tilted, 0.3, INFINITY, SIDE_OUTSIDE,
							 &why);
	at_random(&o, 1.5, "rod");
	o = (site){0};
	scree_walls_add_cylinder(&o.wall, scree_wall_default("stub", 0), v3(0, 0, -0.3), v3(0, 0, 1), 0.4, 0.6,
							 SIDE_OUTSIDE, &why);
	at_random(&o, 1.5, "stub");
	o = (site){0};
	scree_walls_add_cone(&o.wall, scree_wall_default("cone", 0), v3(0, 0, -0.5), v3(0, 0, 1), 0.5, 0.2, 1, SIDE_OUTSIDE,
						 &why);
	at_random(&o, 1.5, "cone");
	o = (site){0};
	scree_walls_add_cone(&o.wall, scree_wall_default("funnel", 0), v3(0, 0, -0.8), v3(0, 0, 1), 0.6, 2, 1.6,
						 SIDE_INSIDE, &why);
	at_random(&o, 1.5, "funnel");
}

static void facets(void **state)
{
	(void)state;
	fail why = {0};
	site o = {0};
	const vec3 square[4] = {{-0.8, -0.8, 0}, {0.8, -0.8, 0}, {0.8, 0.8, 0}, {-0.8, 0.8, 0}};
	wall two = scree_wall_default("both", 0);
	two.two_sided = true;
	scree_walls_add_polygon(&o.wall, two, 4, square, &why);
	at_random(&o, 1.3, "square of two sides");
	for (int side = 0; side < 2; ++side) {
		/* the outside and the inside of a jack */
		grain g = grain_jack(0.3);
		grain_place(&g, side ? 4 : 1, (quat){1, 0, 0, 0}, v3(0, 0, 0));
		for (int32_t t = 0; side && t < g.triangles; ++t) {
			int32_t swap = g.triangle[3 * t];
			g.triangle[3 * t] = g.triangle[3 * t + 1], g.triangle[3 * t + 1] = swap;
		}
		o = (site){0};
		CHECK(scree_walls_add_mesh(&o.wall, scree_wall_default("jack", 0), g.vertices, g.vertex, g.triangles,
								   g.triangle, &why) == 0,
			  "%s", why.text);
		at_random(&o, side ? 0.3 : 1.3, side ? "inside of a jack" : "jack");
		grain_free(&g);
	}
}

/* A cube on a plane, on facets with a seam under it, across a ridge, and on a rod. */
static void known(void **state)
{
	(void)state;
	fail why = {0};
	trimesh cube = built_box(v3(-0.5, -0.5, -0.5), v3(0.5, 0.5, 0.5));
	placed_surface a = put_at(&cube, v3(0.1, 0.2, 0.5 + 0.004), 0.01);
	site o = {0};
	scree_walls_add_plane(&o.wall, scree_wall_default("floor", 0), v3(0, 0, 0), v3(0, 0, 1), &why);
	all_facets(&o);
	touch_wall(&o, &a);
	CHECK(o.list.count == 4 && !o.crossed, "on a plane: %d", o.list.count);
	for (int i = 0; i < 4; ++i) NEAR(o.list.item[i].depth, 0.006, 1e-15, "on a plane");
	a.at.z = 0.45;
	touch_wall(&o, &a);
	CHECK(o.list.count == 4 && o.crossed, "in a plane: %d", o.list.count);
	NEAR(o.list.item[0].depth, 0.06, 1e-15, "in a plane");
	site_free(&o);
	/* the seam between the two triangles of a square does not count as an edge */
	const vec3 v[6] = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}, {2, -2, -3}, {2, 2, -3}};
	const int32_t t[12] = {0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2};
	for (int two = 0; two < 2; ++two) {
		wall w = scree_wall_default("table", 0);
		w.two_sided = two;
		o = (site){0};
		CHECK(scree_walls_add_mesh(&o.wall, w, 6, v, 4, t, &why) == 0, "%s", why.text);
		all_facets(&o);
		a.at = v3(0.1, 0.2, 0.504);
		touch_wall(&o, &a);
		CHECK(o.list.count == 4 && !o.crossed, "on a table: %d", o.list.count);
		a.at = v3(1.9, 0.2, 0.504); /* beyond the border: corners of the cube, and crossings with the ridge */
		touch_wall(&o, &a);
		CHECK(o.list.count == 4 && !o.crossed, "over the border of a table: %d", o.list.count);
		a.at = v3(0.1, 0.2, -0.504);
		touch_wall(&o, &a);
		CHECK(o.list.count == (two ? 4 : 0) && !o.crossed, "under a table: %d", o.list.count);
		site_free(&o);
	}
	/* on a rod along y: contacts at the ends of the segment shared by the rod and the face */
	o = (site){0};
	scree_walls_add_cylinder(&o.wall, scree_wall_default("rod", 0), v3(0, 0, -0.25), v3(0, 1, 0), 0.25, INFINITY,
							 SIDE_OUTSIDE, &why);
	all_facets(&o);
	a.at = v3(0.1, 0.2, 0.504);
	touch_wall(&o, &a);
	CHECK(o.list.count == 2 && !o.crossed, "on a rod: %d", o.list.count);
	NEAR(v3_norm(v3_sub(o.list.item[0].at, v3(-0.1, o.list.item[0].at.y, -0.507))), 0, 1e-8, "on a rod");
	site_free(&o);
	scree_trimesh_free(&cube);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms), cmocka_unit_test(facets),
									   cmocka_unit_test(known)};
	return cmocka_run_group_tests_name("surface walls", tests, NULL, NULL);
}
