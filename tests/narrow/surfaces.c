/* Contacts of closed surfaces with a halo: minima compared with all pairs of triangles; known cases: vertices, edges
 * and faces on each other, grooves, and several contacts; symmetry; and independence from the triangulation. */
#include "narrow/surface_help.h"

/* ------------------------------------------------------------------ conditions for all contacts */

static void check_contacts(const contacts *o, const placed_surface *a, const placed_surface *b)
{
	real shortest = real_min(a->of->shortest * a->size, b->of->shortest * b->size);
	for (int32_t i = 0; i < o->list.count; ++i) {
		const point_found *p = o->list.item + i;
		NEAR(v3_norm(p->normal), 1, 1e-14, "length of the normal");
		CHECK(p->depth > 0 && p->depth <= a->halo + b->halo, "depth %g", p->depth);
		CHECK(p->ra == a->round && p->rb == b->round, "radii");
		CHECK(!i || p[-1].feature < p->feature, "features do not rise");
		for (int32_t k = 0; k < i; ++k) {
			const point_found *q = o->list.item + k;
			real cosine = v3_dot(p->normal, q->normal), apart = v3_norm(v3_sub(p->at, q->at));
			CHECK(cosine < 0.866 || apart >= shortest / 64, "contacts %d and %d are one", k, i);
			CHECK(cosine < 0.866 || cosine > 0.9995 || apart >= shortest, "contacts %d and %d are one", k, i);
		}
	}
}

/* the closest points of both surfaces */
static meeting meeting_of(const placed_surface *a, const placed_surface *b, const point_found *p)
{
	meeting m = {.distance = a->halo + b->halo - p->depth};
	vec3 mid = v3_madd(p->at, -(b->halo - a->halo) / 2, p->normal);
	m.x = v3_madd(mid, m.distance / 2, p->normal);
	m.y = v3_madd(mid, -m.distance / 2, p->normal);
	return m;
}

static real to_surface(const placed_surface *p, vec3 origin, vec3 x)
{
	double point[9] = {x.x, x.y, x.z, x.x, x.y, x.z, x.x, x.y, x.z}, c[9];
	real least = INFINITY;
	for (int32_t t = 0; t < p->of->triangles; ++t) {
		corners_of(p, origin, t, c);
		least = real_min(least, scree_triangles_thorough(point, c).distance);
	}
	return least;
}

/* Near the two points of each contact, the surfaces come no closer together, except within the level angle. */
static void check_are_minima(const contacts *o, const placed_surface *a, const placed_surface *b)
{
	for (int32_t i = 0; i < o->list.count; ++i) {
		meeting m = meeting_of(a, b, o->list.item + i);
		NEAR(to_surface(a, a->at, m.x), 0, 1e-13, "the contact's point of a");
		NEAR(to_surface(b, a->at, m.y), 0, 1e-13, "the contact's point of b");
		real part = 1e-3, reach = part * (a->of->extent * a->size + b->of->extent * b->size);
		real more = nearer_around(a, b, &m, part);
		CHECK(more <= 2 * reach / 32 * 2 + 1e-13, "contact %d: %g nearer within %g", i, more, reach);
	}
}

/* Returns whether a minimum is among the contacts, or was merged with a deeper one. */
static bool is_known(const contacts *o, const placed_surface *a, const placed_surface *b, const meeting *m)
{
	real shortest = real_min(a->of->shortest * a->size, b->of->shortest * b->size);
	vec3 n = v3_mul(1 / m->distance, v3_sub(m->x, m->y));
	vec3 at = v3_madd(v3_mul(0.5, v3_add(m->x, m->y)), (b->halo - a->halo) / 2, n);
	for (int32_t i = 0; i < o->list.count; ++i) {
		const point_found *p = o->list.item + i;
		real apart = v3_norm(v3_sub(p->at, at)), depth = a->halo + b->halo - m->distance;
		if (apart < 1e-8 && real_abs(depth - p->depth) < 1e-12 && v3_dot(n, p->normal) > 1 - 1e-8) return true;
		if (apart < shortest && v3_dot(n, p->normal) > 0.866 && p->depth >= depth - 1e-13) return true;
	}
	return false;
}

/* Returns whether the line between the two points starts inside a body, so that there is no contact on the outside of
 * that body. */
static bool through(const placed_surface *a, const placed_surface *b, const meeting *m)
{
	vec3 way = v3_mul(1e-3, v3_sub(m->y, m->x)), p = v3_add(m->x, way),
		 q = v3_sub(v3_sub(m->y, way), v3_sub(b->at, a->at));
	return scree_trimesh_inside(a->of, v3_mul(1 / a->size, mat3_tmul(a->turn, p))) > 0 ||
		   scree_trimesh_inside(b->of, v3_mul(1 / b->size, mat3_tmul(b->turn, q))) > 0;
}

/* The literal method: closest points of all pairs of triangles; a pair of points is a contact if no points around it
 * are closer together. Returns their number. */
static int check_all_minima(const contacts *o, const placed_surface *a, const placed_surface *b)
{
	int minima = 0;
	for (int32_t i = 0; i < a->of->triangles; ++i)
		for (int32_t k = 0; k < b->of->triangles; ++k) {
			double c[9], d[9];
			corners_of(a, a->at, i, c), corners_of(b, a->at, k, d);
			triangle_gap g = scree_triangles_thorough(c, d);
			if (g.distance >= (a->halo + b->halo) * (1 - 1e-9)) continue;
			meeting m = {.distance = g.distance};
			real wa = 1 - g.a_b - g.a_c, wb = 1 - g.b_b - g.b_c;
			m.x = v3(wa * c[0] + g.a_b * c[3] + g.a_c * c[6], wa * c[1] + g.a_b * c[4] + g.a_c * c[7],
					 wa * c[2] + g.a_b * c[5] + g.a_c * c[8]);
			m.y = v3(wb * d[0] + g.b_b * d[3] + g.b_c * d[6], wb * d[1] + g.b_b * d[4] + g.b_c * d[7],
					 wb * d[2] + g.b_b * d[5] + g.b_c * d[8]);
			if (nearer_around(a, b, &m, 1e-3) > 1e-13 || through(a, b, &m)) continue;
			++minima;
			CHECK(is_known(o, a, b, &m), "the minimum %g at %g %g %g is no contact (%d there are)", m.distance, m.x.x,
				  m.x.y, m.x.z, o->list.count);
		}
	return minima;
}

static void check_mirrored(const contacts *o, contacts *other, const placed_surface *a, const placed_surface *b)
{
	meet(other, b, a);
	CHECK(other->list.count == o->list.count, "%d contacts, exchanged %d", o->list.count, other->list.count);
	vec3 d = v3_sub(b->at, a->at);
	for (int32_t i = 0; i < o->list.count; ++i) {
		const point_found *p = o->list.item + i;
		const uint64_t feature = p->feature << 32 | p->feature >> 32;
		int32_t k = 0;
		while (k < other->list.count && other->list.item[k].feature != feature) ++k;
		CHECK(k < other->list.count, "contact %d is not there when bodies are exchanged", i);
		const point_found *q = other->list.item + k;
		NEAR(p->depth, q->depth, 1e-13, "depth, exchanged");
		/* a direction is only as accurate as the rounding error divided by the distance */
		real sure = 1e-13 + 1e-14 / real_max(a->halo + b->halo - p->depth, 1e-14);
		NEAR(v3_norm(v3_add(p->normal, q->normal)), 0, sure, "normal, exchanged");
		NEAR(v3_norm(v3_sub(p->at, v3_add(q->at, d))), 0, 1e-9, "point, exchanged");
	}
}

/* ------------------------------------------------------------------ random pairs */

static grain random_grain(random_stream *r)
{
	switch (scree_random_bits(r) % 7) {
	case 0:
		return grain_tetrapod(0.2, 0.5);
	case 1:
		return grain_letter('U');
	case 2:
		return grain_jack(0.3);
	case 3:
		return grain_star(5, 0.2);
	case 4:
		return grain_caltrop(0.4, 0.7);
	default:
		return grain_granulate(r, 12 + (int32_t)(scree_random_bits(r) % 12), 0.75);
	}
}

typedef struct couple {
	trimesh m[2];
	placed_surface a, b;
	bool good;
} couple;

/* halo: thickness of each body's halo, from 1e-8 to 1e-1 times the size, but less than the thickness of the body behind
 * the surface */
static void random_couple(couple *o, random_stream *r)
{
	for (int k = 0; k < 2; ++k) {
		grain g = random_grain(r);
		o->m[k] = built_of(&g);
		grain_free(&g);
	}
	real halo = scree_exp(scree_random_between(r, test_seed % 2 ? -18.4 : -3.5, -2.6));
	o->a = (placed_surface){&o->m[0], v3(3, -2, 5), random_turn(r), 1, halo * scree_random_between(r, 0.2, 1), 0.5};
	o->b = (placed_surface){&o->m[1], v3(0, 0, 0), random_turn(r), scree_random_between(r, 0.5, 1.5), halo, 0.4};
	o->b.at = v3_madd(o->a.at, 4, scree_random_direction(r));
	o->b.at = v3_madd(o->b.at, 0.3, scree_random_direction(r));
}

static void couple_free(couple *o) { scree_trimesh_free(o->m), scree_trimesh_free(o->m + 1); }

static void random_pairs(void **state)
{
	(void)state;
	contacts c = {0}, other = {0};
	int touching = 0, several = 0, minima = 0;
	FOR_SEEDS(60)
	{
		random_stream r = scree_random_start(test_seed, 17);
		couple o;
		random_couple(&o, &r);
		real reach = o.a.halo + o.b.halo;
		if (move_near(&o.a, &o.b, reach * scree_random_between(&r, 0.05, 0.95))) {
			meet(&c, &o.a, &o.b);
			CHECK(!c.crossed, "bodies that are apart cross");
			CHECK(c.list.count > 0 && c.least == 0, "%d contacts", c.list.count);
			real deepest = 0;
			for (int32_t i = 0; i < c.list.count; ++i) deepest = real_max(deepest, c.list.item[i].depth);
			NEAR(deepest, reach - distance_of(&o.a, &o.b).distance, 1e-12, "greatest depth");
			check_contacts(&c, &o.a, &o.b);
			check_are_minima(&c, &o.a, &o.b);
			minima += check_all_minima(&c, &o.a, &o.b);
			check_mirrored(&c, &other, &o.a, &o.b);
			++touching, several += c.list.count > 1;
		}
		couple_free(&o);
	}
	CHECK(test_cases(60) < 30 || (2 * touching > test_cases(60) && minima >= touching && several > 0),
		  "%d touch, %d have several", touching, several);
	CHECK(c.scratch.counts.uncertified == 0, "%lld uncertified", (long long)c.scratch.counts.uncertified);
	contacts_free(&c), contacts_free(&other);
}

/* Separate surfaces: there is no contact, and the bound is valid. */
static void apart(void **state)
{
	(void)state;
	contacts c = {0};
	FOR_SEEDS(60)
	{
		random_stream r = scree_random_start(test_seed, 18);
		couple o;
		random_couple(&o, &r);
		real reach = o.a.halo + o.b.halo;
		if (move_near(&o.a, &o.b, reach * scree_random_between(&r, 1.01, 3))) {
			meet(&c, &o.a, &o.b);
			real gap = distance_of(&o.a, &o.b).distance - reach;
			CHECK(c.list.count == 0 && !c.crossed, "%d contacts", c.list.count);
			CHECK(c.least >= 0 && c.least <= gap + 1e-13, "%g is no bound of %g", c.least, gap);
		}
		couple_free(&o);
	}
	contacts_free(&c);
}

/* ------------------------------------------------------------------ known cases */

static mat3 turn_about(vec3 axis, real degrees)
{
	real sine, cosine;
	scree_sincos(degrees * SCREE_PI / 360, &sine, &cosine);
	vec3 v = v3_mul(sine, v3_unit(axis));
	return quat_matrix((quat){cosine, v.x, v.y, v.z});
}

/* a cube of edge 1 standing on a corner */
static mat3 on_corner(void) { return turn_about(v3_cross(v3(-1, -1, -1), v3(0, 0, -1)), 54.735610317245346); }

typedef struct solids {
	trimesh cube, slab, letter;
} solids;

static solids solids_make(void)
{
	grain u = grain_letter('U');
	solids s = {built_box(v3(-0.5, -0.5, -0.5), v3(0.5, 0.5, 0.5)), built_box(v3(-2, -2, -0.5), v3(2, 2, 0)),
				built_of(&u)};
	grain_free(&u);
	return s;
}
static void solids_free(solids *s)
{
	scree_trimesh_free(&s->cube), scree_trimesh_free(&s->slab), scree_trimesh_free(&s->letter);
}

static void check_one(const contacts *c, int32_t i, vec3 normal, real depth, vec3 at, const char *what)
{
	const point_found *p = c->list.item + i;
	NEAR(v3_norm(v3_sub(p->normal, normal)), 0, 1e-7, what);
	NEAR(p->depth, depth, 1e-13, what);
	NEAR(v3_norm(v3_sub(p->at, at)), 0, 1e-8, what);
}

static void single(void **state)
{
	(void)state;
	solids s = solids_make();
	contacts c = {0};
	for (real halo = 1e-8; halo < 0.2; halo *= 10) {
		const real d = 0.5 * halo, diagonal = sqrt(0.75);
		placed_surface slab = put_at(&s.slab, v3(7, 8, 9), halo), cube = put_at(&s.cube, v3(0, 0, 0), halo / 2);
		/* the corner of the cube on a face, with halos of two thicknesses */
		cube.turn = on_corner();
		cube.at = v3_add(slab.at, v3(0.3, 0.4, diagonal + d));
		meet(&c, &cube, &slab);
		CHECK(c.list.count == 1 && !c.crossed, "corner on face: %d", c.list.count);
		check_one(&c, 0, v3(0, 0, 1), halo, v3(0, 0, -diagonal - d / 2 + halo / 4), "corner on face");
		/* edge across edge */
		placed_surface roof = cube;
		cube.turn = turn_about(v3(1, 0, 0), 45), roof.turn = turn_about(v3(0, 1, 0), 45);
		cube.at = v3_add(roof.at, v3(0.1, -0.2, 2 * sqrt(0.5) + d));
		meet(&c, &cube, &roof);
		CHECK(c.list.count == 1 && !c.crossed, "edge on edge: %d", c.list.count);
		check_one(&c, 0, v3(0, 0, 1), halo - d, v3(-0.1, 0, -sqrt(0.5) - d / 2), "edge on edge");
	}
	contacts_free(&c);
	solids_free(&s);
}

/* Faces rest on the corners of their common area, regardless of rounding errors in the angle. */
static void flat(void **state)
{
	(void)state;
	solids s = solids_make();
	contacts c = {0}, tilted = {0};
	static const vec3 off[] = {{0, 0, 0}, {0.3, 0, 0}, {0.3, 0.2, 0}, {0, -0.9, 0}, {0.1, 0.1, 0}};
	for (int k = 0; k < 5; ++k)
		for (real halo = 1e-8; halo < 0.2; halo *= 10) {
			placed_surface a = put_at(&s.cube, v3(0.1, 0.2, 1 + halo), halo),
						   b = put_at(&s.cube, v3(0.1, 0.2, 0), halo);
			a.at = v3_add(a.at, off[k]);
			meet(&c, &a, &b);
			CHECK(c.list.count == 4, "case %d: %d corners of the common area", k, c.list.count);
			vec3 mean = v3(0, 0, 0);
			for (int i = 0; i < 4; ++i) {
				vec3 p = c.list.item[i].at;
				NEAR(c.list.item[i].depth, halo, 1e-14, "depth");
				NEAR(c.list.item[i].normal.z, 1, 1e-14, "normal");
				mean = v3_madd(mean, 0.25, p);
			}
			NEAR(v3_norm(v3_sub(mean, v3(-off[k].x / 2, -off[k].y / 2, -0.5 - halo / 2))), 0, 1e-9, "middle");
			FOR_SEEDS(6)
			{
				random_stream r = scree_random_start(test_seed, 33);
				vec3 way = scree_random_direction(&r);
				real e = 2e-16;
				placed_surface t = a;
				t.turn = quat_matrix((quat){1, e * way.x, e * way.y, e * way.z});
				t.at = v3_madd(a.at, e, scree_random_direction(&r));
				meet(&tilted, &t, &b);
				CHECK(tilted.list.count == 4, "case %d, tilted: %d", k, tilted.list.count);
				for (int i = 0; i < 4; ++i)
					CHECK(tilted.list.item[i].feature == c.list.item[i].feature, "case %d, tilted: corner %d", k, i);
			}
		}
	/* on a slab, the contacts are at the corners of the cube, or at the ends of an edge if only an edge touches */
	placed_surface slab = put_at(&s.slab, v3(0, 0, 0), 1e-3), a = put_at(&s.cube, v3(0.2, 0.1, 0.501), 1e-3);
	meet(&c, &a, &slab);
	CHECK(c.list.count == 4, "on a slab: %d", c.list.count);
	a.turn = turn_about(v3(1, 0, 0), 45), a.at.z = sqrt(0.5) + 1e-3;
	meet(&c, &a, &slab);
	CHECK(c.list.count == 2, "an edge on a face: %d", c.list.count);
	/* a cube rotated by 45 degrees on another cube: eight corners */
	placed_surface b = put_at(&s.cube, v3(0, 0, 0), 1e-3);
	a.turn = turn_about(v3(0, 0, 1), 45), a.at = v3(0, 0, 1.001);
	meet(&c, &a, &b);
	CHECK(c.list.count == 8, "across each other: %d", c.list.count);
	contacts_free(&c), contacts_free(&tilted);
	solids_free(&s);
}

/* The corner of a cube extends over the border of another one by 1/250 of an edge: the three corners of the common
 * area are within 1/64 of an edge of each other, and count as one contact, at the deepest corner. If it extends over
 * the border by 1/10 of an edge, there are three contacts. */
static void deepest_stays(void **state)
{
	(void)state;
	solids s = solids_make();
	contacts c = {0};
	const real over[2] = {0.004, 0.1}, tilt = 0.02, gap = 1e-3;
	for (int k = 0; k < 2; ++k)
		for (int lowest = 0; lowest < 2; ++lowest) {
			/* the cube's corner extends over the border at x = 0.5; if the cube is tilted, it is the lowest or the
			 * highest of the three
			 */
			const mat3 turn = turn_about(v3(0, 1, 0), lowest ? -tilt : tilt), flat = turn_about(v3(0, 0, 1), 45);
			const vec3 corner = mat3_mul(turn, mat3_mul(flat, v3(-0.5, 0.5, -0.5)));
			placed_surface b = put_at(&s.cube, v3(0, 0, 0), gap), a = b;
			a.turn = (mat3){mat3_mul(turn, flat.x), mat3_mul(turn, flat.y), mat3_mul(turn, flat.z)};
			a.at = v3_sub(v3(0.5 - over[k], 0, 0.5 + gap), corner);
			const int64_t before = c.scratch.counts.duplicates;
			meet(&c, &a, &b);
			CHECK(c.list.count == (k ? 3 : 1), "%g over the border: %d contacts", over[k], c.list.count);
			CHECK(c.scratch.counts.duplicates - before == (k ? 0 : 2), "%g over the border: %lld were joined", over[k],
				  (long long)(c.scratch.counts.duplicates - before));
			const real rise = (lowest ? 0 : -over[k]) * scree_sin(tilt * SCREE_PI / 180);
			if (!k) NEAR(c.list.item[0].depth, gap - rise, 1e-9, "the deepest");
		}
	contacts_free(&c);
	solids_free(&s);
}

/* A bar across the ends of a U, and one inside it; a corner in the groove of an L, where it touches both faces. */
static void several(void **state)
{
	(void)state;
	solids s = solids_make();
	contacts c = {0};
	trimesh bar = built_box(v3(-0.2, 0, 0.1), v3(0.9, 0.1, 0.2));
	placed_surface u = put_at(&s.letter, v3(0, 0, 0), 0.004), b = put_at(&bar, v3(0, 0.705, 0), 0.004);
	meet(&c, &u, &b);
	CHECK(c.list.count == 8 && !c.crossed, "a bar across a U: %d", c.list.count);
	for (int i = 0; i < 8; ++i) NEAR(c.list.item[i].normal.y, -1, 1e-12, "a bar across a U");
	trimesh ball = built_box(v3(-0.1478, -0.1, -0.1), v3(0.1478, 0.1, 0.1));
	b = put_at(&ball, v3(0.35, 0.45, 0.15), 0.004);
	meet(&c, &u, &b);
	CHECK(c.list.count == 8, "between the arms: %d", c.list.count);
	int left = 0;
	for (int i = 0; i < 8; ++i) left += c.list.item[i].normal.x < -0.99;
	CHECK(left == 4, "%d push to the left", left);
	grain l = grain_letter('L');
	trimesh groove = built_of(&l);
	const vec3 d = v3_mul(0.4, v3_unit(v3(1, 1, 0))), t = v3_mul(0.05, v3_unit(v3(1, -1, 0))), z = v3(0, 0, 0.1);
	grain thorn = {0};
	grain_vertex(&thorn, v3(0, 0, 0)), grain_vertex(&thorn, v3_add(d, z));
	grain_vertex(&thorn, v3_add(v3_sub(d, z), t)), grain_vertex(&thorn, v3_sub(v3_sub(d, z), t));
	grain_triangle(&thorn, 0, 2, 1), grain_triangle(&thorn, 0, 3, 2), grain_triangle(&thorn, 0, 1, 3);
	grain_triangle(&thorn, 1, 2, 3);
	trimesh spike = built_of(&thorn);
	placed_surface g = put_at(&groove, v3(0, 0, 0), 0.01), corner = put_at(&spike, v3(0.211, 0.212, 0.15), 0.01);
	meet(&c, &corner, &g);
	CHECK(c.list.count == 2, "a corner in a groove: %d", c.list.count);
	real depths = c.list.item[0].depth + c.list.item[1].depth;
	NEAR(depths, 0.04 - 0.023, 1e-13, "depths in a groove");
	NEAR(v3_dot(c.list.item[0].normal, c.list.item[1].normal), 0, 1e-12, "normals in a groove");
	/* the groove is not an edge for a body behind it, although the groove is within reach through the material */
	g.halo = corner.halo = 0.2, corner.of = &s.cube, corner.size = 0.1, corner.at = v3(-0.1, -0.1, 0.15);
	meet(&c, &corner, &g);
	CHECK(c.list.count == 2, "behind a groove: %d", c.list.count);
	scree_trimesh_free(&bar), scree_trimesh_free(&ball), scree_trimesh_free(&groove), grain_free(&l);
	scree_trimesh_free(&spike), grain_free(&thorn);
	contacts_free(&c);
	solids_free(&s);
}

/* The contacts are the same if triangles are in a different order, or faces are divided along the other diagonal. */
static void cut_again(grain *g, random_stream *r)
{
	for (int32_t t = 0; t + 1 < g->triangles; t += 2) {
		int32_t *c = g->triangle + 3 * t, a = c[0], b = c[1], d = c[5];
		if (c[0] == c[3] && c[2] == c[4] && scree_random_real(r) < 0.5)
			c[0] = a, c[1] = b, c[2] = d, c[3] = b, c[4] = g->triangle[3 * t + 4], c[5] = d;
	}
	for (int32_t t = g->triangles - 1; t > 0; --t) {
		int32_t u = (int32_t)(scree_random_bits(r) % (uint32_t)(t + 1));
		for (int k = 0; k < 3; ++k) {
			int32_t x = g->triangle[3 * t + k];
			g->triangle[3 * t + k] = g->triangle[3 * u + k], g->triangle[3 * u + k] = x;
		}
	}
}

static void triangulation(void **state)
{
	(void)state;
	contacts c = {0}, d = {0};
	int compared = 0, cut = 0;
	FOR_SEEDS(40)
	{
		random_stream r = scree_random_start(test_seed, 19);
		grain g = test_seed % 2 ? grain_letter('U') : grain_jack(0.3), h = grain_letter('L'), other = {0};
		other.vertices = g.vertices, other.triangles = g.triangles;
		other.vertex = scree_copy(g.vertex, (size_t)g.vertices, sizeof *g.vertex);
		other.triangle = scree_copy(g.triangle, 3 * (size_t)g.triangles, sizeof *g.triangle);
		cut_again(&other, &r);
		trimesh m = built_of(&g), n = built_of(&h), o = built_of(&other);
		cut += memcmp(m.corner, o.corner, 3 * (size_t)m.triangles * sizeof *m.corner) != 0;
		placed_surface a = {&m, v3(1, 2, 3), random_turn(&r), 1, 0.02, 0.5}, b = put_at(&n, v3(0, 0, 0), 0.03);
		if (test_seed % 4 < 2) a.turn = UPRIGHT; /* face on face */
		b.at = v3_madd(a.at, 3, scree_random_direction(&r));
		if (move_near(&a, &b, scree_random_between(&r, 0.001, 0.04))) {
			placed_surface e = a;
			e.of = &o;
			meet(&c, &a, &b), meet(&d, &e, &b);
			CHECK(c.list.count == d.list.count && c.list.count > 0, "%d contacts and %d", c.list.count, d.list.count);
			for (int32_t i = 0; i < c.list.count; ++i) {
				bool found = false;
				const point_found *p = c.list.item + i;
				for (int32_t k = 0; k < d.list.count; ++k)
					found = found || (v3_norm(v3_sub(p->at, d.list.item[k].at)) < 1e-8 &&
									  v3_dot(p->normal, d.list.item[k].normal) > 1 - 1e-9);
				CHECK(found, "contact %d of %d is not there when faces are cut otherwise", i, c.list.count);
			}
			++compared;
		}
		scree_trimesh_free(&m), scree_trimesh_free(&n), scree_trimesh_free(&o);
		grain_free(&g), grain_free(&h), grain_free(&other);
	}
	CHECK(2 * compared > test_cases(40) && 2 * cut > test_cases(40), "%d compared, %d cut", compared, cut);
	contacts_free(&c), contacts_free(&d);
}

/* Surfaces that cross each other, and one inside the other. */
static void crossed(void **state)
{
	(void)state;
	solids s = solids_make();
	contacts c = {0};
	placed_surface a = put_at(&s.cube, v3(0, 0, 0), 0.01), b = put_at(&s.cube, v3(0.2, 0.3, 0.95), 0.01);
	meet(&c, &a, &b);
	CHECK(c.crossed && c.least == 0, "cubes go through each other");
	b.at = v3(0.1, 0, 0), b.size = 0.2;
	meet(&c, &a, &b);
	CHECK(c.crossed && c.list.count == 0, "one cube in another");
	meet(&c, &b, &a);
	CHECK(c.crossed && c.list.count == 0, "one cube around another");
	b.at = v3(0.35, 0.45, 0.15), b.size = 0.1, a.of = &s.letter;
	meet(&c, &a, &b);
	CHECK(!c.crossed && c.list.count == 0 && c.least > 0, "between the arms of a U");
	contacts_free(&c);
	solids_free(&s);
}

/* Allocated memory is reused. */
static void warm(void **state)
{
	(void)state;
	solids s = solids_make();
	contacts c = {0};
	placed_surface a = put_at(&s.letter, v3(0, 0, 0), 0.01), b = put_at(&s.cube, v3(0.35, 1.205, 0.15), 0.01);
	int64_t before = 0;
	for (int i = 0; i < 10; ++i) {
		meet(&c, &a, &b);
		c.list.count = 0;
		scree_sphere_surface(v3(0.1, 1, 0.1), 0.31, &a, &c.scratch, &c.list, &c.crossed);
		CHECK(c.list.count > 0, "a sphere touches");
		if (i == 0) before = scree_allocations();
	}
	CHECK(scree_allocations() == before, "%lld blocks", (long long)(scree_allocations() - before));
	contacts_free(&c);
	solids_free(&s);
}

/* ------------------------------------------------------------------ spheres */

static void spheres(void **state)
{
	(void)state;
	contacts c = {0};
	int touching = 0;
	FOR_SEEDS(200)
	{
		random_stream r = scree_random_start(test_seed, 20);
		grain g = random_grain(&r);
		trimesh m = built_of(&g);
		placed_surface b = {&m, v3(1, 2, 3), random_turn(&r), 1.5, scree_random_between(&r, 0, 0.05), 0.5};
		vec3 at = v3_madd(b.at, scree_random_between(&r, 0, 1.2), scree_random_direction(&r));
		real radius = scree_random_between(&r, 0.01, 0.3), reach = radius + b.halo,
			 least = to_surface(&b, at, v3(0, 0, 0));
		vec3 own = v3_mul(1 / b.size, mat3_tmul(b.turn, v3_sub(at, b.at)));
		bool inside = scree_trimesh_inside(&m, own) > 0;
		c.list.count = 0;
		c.least = scree_sphere_surface(at, radius, &b, &c.scratch, &c.list, &c.crossed);
		if (inside) {
			CHECK(c.list.count == 0 && (c.crossed || c.least <= least - reach + 1e-13), "a centre inside");
			CHECK(c.crossed || least > reach, "a centre inside is not seen");
		} else {
			real deepest = 0;
			for (int32_t i = 0; i < c.list.count; ++i) {
				const point_found *p = c.list.item + i;
				deepest = real_max(deepest, p->depth);
				vec3 foot = v3_mul(-(reach - p->depth), p->normal);
				NEAR(to_surface(&b, at, foot), 0, 1e-12, "the contact's point of the surface");
				NEAR(v3_norm(v3_madd(p->at, (radius + reach - p->depth - b.halo) / 2, p->normal)), 0, 1e-13, "point");
				CHECK(p->ra == radius && p->rb == b.round, "radii");
			}
			NEAR(deepest, real_max(reach - least, 0), 1e-12, "greatest depth");
			CHECK(!c.crossed && c.least <= real_max(least - reach, 0) + 1e-13, "%g is no bound", c.least);
			touching += c.list.count > 0;
		}
		scree_trimesh_free(&m), grain_free(&g);
	}
	CHECK(10 * touching > test_cases(200), "%d touch", touching);
	contacts_free(&c);
}

/* Contacts on a face, beyond an edge, beyond a corner, and in a groove; near an edge, there is one contact, not two. */
static void sphere_places(void **state)
{
	(void)state;
	solids s = solids_make();
	contacts c = {0};
	placed_surface b = put_at(&s.cube, v3(0, 0, 0), 0.01);
	static const vec3 at[] = {{0.2, 0.1, 0.9},		 {0.499999, 0.1, 0.9}, {0.5, 0.1, 0.9}, {0.500001, 0.1, 0.9},
							  {0.7, 0.1, 0.75},		 {0.7, 0.7, 0.7},	   {0.5, 0.5, 0.9}, {0.51, 0.51, 0.9},
							  {0.4999999, 0.5, 0.9}, {0, 0, 0.9}};
	for (size_t k = 0; k < sizeof at / sizeof *at; ++k) {
		vec3 near = v3(real_min(at[k].x, 0.5), real_min(at[k].y, 0.5), 0.5), n = v3_unit(v3_sub(at[k], near));
		c.list.count = 0;
		scree_sphere_surface(at[k], 0.4, &b, &c.scratch, &c.list, &c.crossed);
		CHECK(c.list.count == 1, "place %zu: %d", k, c.list.count);
		NEAR(v3_norm(v3_sub(c.list.item[0].normal, n)), 0, 1e-7, "normal");
		NEAR(c.list.item[0].depth, 0.41 - v3_norm(v3_sub(at[k], near)), 1e-13, "depth");
	}
	placed_surface u = put_at(&s.letter, v3(0, 0, 0), 0.01);
	c.list.count = 0;
	scree_sphere_surface(v3(0.35, 0.355, 0.15), 0.145, &u, &c.scratch, &c.list, &c.crossed);
	CHECK(c.list.count == 3, "in a U: %d", c.list.count);
	contacts_free(&c);
	solids_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_pairs),	 cmocka_unit_test(apart),		 cmocka_unit_test(single),
		cmocka_unit_test(flat),			 cmocka_unit_test(several),		 cmocka_unit_test(deepest_stays),
		cmocka_unit_test(triangulation), cmocka_unit_test(crossed),		 cmocka_unit_test(warm),
		cmocka_unit_test(spheres),		 cmocka_unit_test(sphere_places)};
	return cmocka_run_group_tests_name("surfaces", tests, NULL, NULL);
}
