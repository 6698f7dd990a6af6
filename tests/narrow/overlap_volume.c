/* Overlap volumes of polyhedra and walls compared with the hull of the common points (qhull), their gradients compared
 * with finite differences of the volume; and alignments in which faces, edges and vertices coincide. */
#include "choices/choices.h"
#include "narrow/narrow.h"
#include "overlap_help.h"

static pull pull_of(real deep, real weight, real pitch, real smaller, vec3 n, vec3 at)
{
	real area = sqrt(weight * smaller);
	vec3 f = v3_mul(area, n);
	return (pull){deep * area, f, v3_madd(v3_cross(at, f), pitch, f)};
}

static pull pair_pull(const placed *a, const placed *b)
{
	patch p;
	scree_overlap_convex_convex(a, b, 0, &p);
	if (!p.points) return (pull){0, {0, 0, 0}, {0, 0, 0}};
	CHECK(p.points == 1 && p.depth > 0 && p.deep[0] == p.depth, "one point");
	NEAR(v3_norm(p.normal), 1, 1e-12, "length of the normal");
	return pull_of(p.deep[0], p.weight[0], p.pitch, real_min(volume_of(a), volume_of(b)), p.normal, p.at[0]);
}

/* ------------------------------------------------------------------ volume */

static bool inside(const placed *b, vec3 x)
{
	const shape *s = b->shape;
	vec3 p = mat3_tmul(b->turn, v3_sub(x, b->at));
	for (int32_t f = 0; f < s->faces; ++f)
		if (s->nx[f] * p.x + s->ny[f] * p.y + s->nz[f] * p.z > b->size * s->off[f]) return false;
	return true;
}

/* vertices of a inside b, and points where edges of a enter or leave b */
static int32_t common_points(const placed *a, const placed *b, vec3 *out)
{
	const shape *s = a->shape, *o = b->shape;
	int32_t count = 0;
	for (int32_t v = 0; v < s->vertices; ++v)
		if (inside(b, vertex_of(a, v))) out[count++] = vertex_of(a, v);
	for (int32_t e = 0; e < s->edges; ++e) {
		vec3 p = vertex_of(a, s->ends[2 * e]), d = v3_sub(vertex_of(a, s->ends[2 * e + 1]), p);
		real low = 0, high = 1;
		for (int32_t f = 0; f < o->faces; ++f) {
			vec3 n = mat3_mul(b->turn, v3(o->nx[f], o->ny[f], o->nz[f]));
			real h = b->size * o->off[f] - v3_dot(n, v3_sub(p, b->at)), slope = v3_dot(n, d);
			if (slope > 0) high = real_min(high, h / slope);
			if (slope < 0) low = real_max(low, h / slope);
			if (slope == 0 && h < 0) high = -1;
		}
		if (!(low < high)) continue;
		if (low > 0) out[count++] = v3_madd(p, low, d);
		if (high < 1) out[count++] = v3_madd(p, high, d);
	}
	return count;
}

/* returns -1 if qhull considers the hull too flat */
static real hull_volume(const placed *a, const placed *b)
{
	vec3 p[400];
	int32_t count = common_points(a, b, p);
	count += common_points(b, a, p + count);
	if (count < 4) return 0;
	shapes box = {0};
	fail why;
	real v = scree_shapes_add_hull(&box, "common", count, p, &why) == 0 ? box.row[0].volume : -1;
	scree_shapes_free(&box);
	return v;
}

static void volume_is_that_of_the_hull(void **state)
{
	(void)state;
	int64_t touching = 0, flat = 0;
	FOR_SEEDS(10000)
	{
		random_stream r;
		placed a, b;
		two_bodies(test_seed, 1, &a, &b, &r);
		real found = pair_pull(&a, &b).value, expected = hull_volume(&a, &b);
		if (expected < 0) {
			++flat;
			CHECK(found < 1e-4, "volume %g where qhull finds none", found);
			continue;
		}
		NEAR(found, expected, 1e-11 + 1e-9 * expected, "volume");
		touching += found > 0;
	}
	int64_t cases = test_cases(10000);
	print_message("%lld of %lld pairs touch, %lld too flat for qhull\n", (long long)touching, (long long)cases,
				  (long long)flat);
	CHECK(touching > cases / 3 && touching < cases && flat < cases / 20, "the cases are no mixture");
}

/* ------------------------------------------------------------------ gradient */

static real with_b(const void *b, const placed *a) { return pair_pull(a, b).value; }
static real with_a(const void *a, const placed *b) { return pair_pull(a, b).value; }

static void force_and_torque_are_slopes_of_the_volume(void **state)
{
	(void)state;
	real worst = 0, screw = 0;
	int64_t touching = 0, bends = 0;
	FOR_SEEDS(10000)
	{
		random_stream r;
		placed a, b;
		two_bodies(test_seed, 2, &a, &b, &r);
		pull p = pair_pull(&a, &b);
		if (!(p.value > 0)) continue;
		++touching;
		/* the opposite force acts on b along the same line, and so does the opposite torque */
		vec3 apart = v3_sub(a.at, b.at);
		pull q = {p.value, v3_neg(p.force), v3_neg(v3_add(p.torque, v3_cross(apart, p.force)))};
		real error = real_max(slopes(&b, with_b, &a, &p), slopes(&a, with_a, &b, &q));
		CHECK(error < 1e-4, "force or torque off by %g of %g", error, v3_norm(p.force));
		bends += error > 1e-8;
		worst = real_max(worst, error);
		patch c;
		scree_overlap_convex_convex(&a, &b, 0, &c);
		if (v3_norm(p.force) > 1e-6) screw = real_max(screw, real_abs(c.pitch));
	}
	print_message("%lld touch; greatest error %.2g, above 1e-8 in %lld; greatest pitch %.3g\n", (long long)touching,
				  worst, (long long)bends, screw);
	CHECK(bends < touching / 50, "%lld of %lld are wrong by more than the differences are", (long long)bends,
		  (long long)touching);
	CHECK(screw > 1e-3, "no case needs a couple about the normal");
}

/* ------------------------------------------------------------------ symmetries */

static void near_pull(const pull *p, const pull *q, real tolerance)
{
	NEAR(p->value, q->value, tolerance, "volume");
	NEAR(v3_norm(v3_sub(p->force, q->force)), 0, tolerance, "force");
	NEAR(v3_norm(v3_sub(p->torque, q->torque)), 0, tolerance, "torque");
}

static void exchanged_and_moved_together(void **state)
{
	(void)state;
	FOR_SEEDS(10000)
	{
		random_stream r;
		placed a, b;
		two_bodies(test_seed, 3, &a, &b, &r);
		pull p = pair_pull(&a, &b), q = pair_pull(&b, &a);
		pull there = {q.value, v3_neg(q.force), v3_neg(v3_add(q.torque, v3_cross(v3_sub(b.at, a.at), q.force)))};
		near_pull(&p, &there, 1e-10);
		quat turn = scree_random_rotation(&r);
		mat3 m = quat_matrix(turn);
		placed c = a, d = b;
		c.turn = (mat3){mat3_mul(m, a.turn.x), mat3_mul(m, a.turn.y), mat3_mul(m, a.turn.z)};
		d.turn = (mat3){mat3_mul(m, b.turn.x), mat3_mul(m, b.turn.y), mat3_mul(m, b.turn.z)};
		c.at = mat3_mul(m, a.at);
		d.at = mat3_mul(m, b.at);
		q = pair_pull(&c, &d);
		pull back = {q.value, mat3_tmul(m, q.force), mat3_tmul(m, q.torque)};
		near_pull(&p, &back, 1e-10);
	}
}

static void hints_change_nothing(void **state)
{
	(void)state;
	FOR_SEEDS(5000)
	{
		random_stream r;
		placed a, b;
		two_bodies(test_seed, 4, &a, &b, &r);
		patch p, q;
		scree_overlap_convex_convex(&a, &b, 0, &p);
		for (int32_t hint = -3; hint <= a.shape->faces + b.shape->faces + 1; ++hint) {
			scree_overlap_convex_convex(&a, &b, hint, &q);
			CHECK(p.points == q.points, "the hint %d changes the verdict", hint);
			CHECK(!p.points || (p.depth == q.depth && p.weight[0] == q.weight[0] && p.pitch == q.pitch &&
								p.normal.x == q.normal.x && p.at[0].x == q.at[0].x),
				  "the hint %d changes the contact", hint);
			CHECK(p.points || q.depth <= 0, "apart, yet overlap %g", q.depth);
		}
	}
}

/* For separate bodies, a lower bound on their distance is returned, even if only edges and no faces separate them. */
static void distances_are_bounds(void **state)
{
	(void)state;
	int64_t by_edges = 0;
	FOR_SEEDS(4000)
	{
		random_stream r;
		placed a, b;
		two_bodies(test_seed, 6, &a, &b, &r);
		patch p, q;
		scree_overlap_convex_convex(&a, &b, 0, &p);
		if (p.points || !(p.depth < 0)) continue;
		by_edges += p.axis == 0 && v3_norm(v3_sub(b.at, a.at)) < a.size * a.shape->radius + b.size * b.shape->radius;
		for (int k = 0; k < 5; ++k) {
			vec3 way = k ? scree_random_direction(&r) : v3_unit(v3_sub(a.at, b.at));
			placed moved = shifted(&b, v3_mul(-0.9999 * p.depth, way));
			scree_overlap_convex_convex(&a, &moved, 0, &q);
			CHECK(!q.points, "contact nearer than %g", -p.depth);
		}
	}
	CHECK(by_edges > 0, "no pair that edges keep apart");
}

/* ------------------------------------------------------------------ alignments */

/* a cube on a cube with parallel faces, shifted onto borders and corners, with overlaps down to rounding errors */
static void faces_on_faces(void **state)
{
	(void)state;
	placed b = place(&all, 0, v3(0, 0, 0), UPRIGHT, 1);
	for (real deep = 0.1; deep > 1e-9; deep /= 10) {
		for (int k = 0; k < 25; ++k) {
			real x = 0.25 * (k % 5 - 2), y = 0.25 * (k / 5 - 2), area = (1 - real_abs(x)) * (1 - real_abs(y));
			placed a = place(&all, 0, v3(x, y, 1 - deep), UPRIGHT, 1);
			pull p = pair_pull(&a, &b);
			NEAR(p.value, area * deep, 1e-14, "volume");
			NEAR(p.force.z, area, 1e-12, "force");
			/* the cube is pushed sideways, unless the sides are aligned: there V has a ridge, and the sideways force
			 * has no definite direction */
			NEAR(p.force.x, x == 0 ? 0 : (x > 0 ? deep : -deep) * (1 - real_abs(y)), 1e-12, "force aside");
			NEAR(p.torque.y, x / 2 * area + (x == 0 ? 0 : (x > 0 ? 1 : -1) * deep * (1 - real_abs(y)) * (deep - 1) / 2),
				 1e-12, "torque");
		}
	}
	for (int k = -2; k <= 2; ++k) {
		placed a = place(&all, 0, v3(0, 0, 1 + k * 1e-13), UPRIGHT, 1);
		pull p = pair_pull(&a, &b);
		CHECK(p.value <= 3e-13 && (k < 0 || p.value < 1e-15), "gap of %d e-13: volume %g", k, p.value);
	}
	patch p;
	placed apart = place(&all, 0, v3(0, 0, 1 + 2e-12), UPRIGHT, 1);
	scree_overlap_convex_convex(&apart, &b, 0, &p);
	CHECK(!p.points, "contact across a gap");
}

/* rotations by tiny angles about all axes cause no jumps, and the volume is still the volume of the slab */
static void faces_nearly_parallel(void **state)
{
	(void)state;
	FOR_SEEDS(20000)
	{
		random_stream r = scree_random_start(test_seed, 5);
		real angle = 0.1, deep = 1e-3;
		for (uint64_t k = 0; k < test_seed % 16; ++k) angle /= 10;
		placed b = place(&all, 0, v3(0, 0, 0), UPRIGHT, 1), a = place(&all, 0, v3(0, 0, 1 - deep), UPRIGHT, 1);
		if (test_seed % 3) a.at.x = 0.25 * (real)(test_seed / 16 % 5) - 0.5;
		a = turned(&a, scree_random_direction(&r), angle);
		pull p = pair_pull(&a, &b), q = pair_pull(&b, &a);
		NEAR(p.value, q.value, 1e-14, "volume, exchanged");
		if (angle < 1e-6) NEAR(p.value, deep * (1 - real_abs(a.at.x)), 2 * angle, "volume");
		/* the lateral force may have either direction if sides are aligned */
		NEAR(v3_norm(v3_add(p.force, q.force)), 0, 2.1 * deep, "opposite forces");
		real expected = hull_volume(&a, &b);
		if (expected > 0 && angle > 1e-5) NEAR(p.value, expected, 1e-9, "volume of the hull");
	}
}

static void edges_and_corners(void **state)
{
	(void)state;
	const real root2 = sqrt(2.0), root3 = sqrt(3.0);
	quat edge_up = turn_about(v3(1, 0, 0), SCREE_PI / 4);
	for (real deep = 0.1; deep > 1e-6; deep /= 10) {
		/* crossed edges: cross sections at height z are rectangles of 2 z by 2 (deep - z) */
		placed b = place(&all, 0, v3(0, 0, 0), edge_up, 1);
		placed a = turned(&b, v3(0, 0, 1), SCREE_PI / 2);
		a.at.z = root2 - deep;
		pull p = pair_pull(&a, &b);
		NEAR(p.value / (deep * deep * deep), 2.0 / 3, 1e-9 / deep, "crossed edges");
		NEAR(p.force.z / (deep * deep), 2, 1e-9 / deep, "crossed edges, force");
		NEAR(v3_norm(p.torque) / (deep * deep), 0, 1e-9 / deep, "crossed edges, torque");
		/* an edge pressed into a face */
		placed flat = place(&all, 0, v3(0, 0, -0.5), UPRIGHT, 4);
		flat.at.z = -2;
		placed edge = place(&all, 0, v3(0, 0, root2 / 2 - deep), edge_up, 1);
		p = pair_pull(&edge, &flat);
		NEAR(p.value / (deep * deep), 1, 1e-9, "an edge in a face");
		NEAR(p.force.z / deep, 2, 1e-9, "an edge in a face, force");
		/* a corner pressed into a face: three legs of length sqrt(3) deep */
		quat corner_up = quat_mul(turn_about(v3(0, 1, 0), -atan(1 / root2)), edge_up);
		placed corner = place(&all, 0, v3(0, 0, 0), corner_up, 1);
		real low = 0;
		for (int32_t v = 0; v < 8; ++v) low = real_min(low, vertex_of(&corner, v).z);
		corner.at.z = -low - deep;
		if (real_abs(low + root3 / 2) > 1e-9) fail_msg("the cube does not stand on its corner: %g", low);
		p = pair_pull(&corner, &flat);
		NEAR(p.value / (deep * deep * deep), root3 / 2, 1e-8 / deep, "a corner in a face");
		NEAR(p.force.z / (deep * deep), 1.5 * root3, 1e-8 / deep, "a corner in a face, force");
	}
	/* corner on corner, or edge along edge: almost no common volume */
	for (int k = 1; k < 8; ++k) {
		placed b = place(&all, 0, v3(0, 0, 0), UPRIGHT, 1);
		placed a = place(&all, 0, v3(k & 1 ? 1 : 0, k & 2 ? 1 : 0, k & 4 ? 1 : 0), UPRIGHT, 1);
		CHECK(pair_pull(&a, &b).value < 1e-15, "bodies that touch have %g in common", pair_pull(&a, &b).value);
	}
}

/* a body that is inside another one, or equal to it, is not pushed, but the energy is still computed */
static void nested(void **state)
{
	(void)state;
	for (int32_t row = 0; row <= SOLIDS; ++row) {
		placed b = place(&all, row, v3(0.1, 0.2, 0.3), turn_about(v3(0.6, 0, 0.8), 1), 1), a = b;
		pull same = pair_pull(&a, &b);
		NEAR(same.value, volume_of(&a), 1e-12, "identical bodies");
		a.size = 0.2;
		pull p = pair_pull(&a, &b), q = pair_pull(&b, &a);
		NEAR(p.value, volume_of(&a), 1e-13, "nested");
		NEAR(q.value, volume_of(&a), 1e-13, "nested, the other way round");
		NEAR(v3_norm(p.force), 0, 1e-13, "nothing pushes");
		NEAR(v3_norm(q.force), 0, 1e-13, "nothing pushes");
	}
}

/* ------------------------------------------------------------------ walls */

static pull wall_pull(stage *s, const placed *body, int32_t row)
{
	int32_t n = all_facets(s, row);
	pull sum = {0, {0, 0, 0}, {0, 0, 0}};
	scree_overlap_convex_wall(body, &(near_wall){&s->wall, row, n, s->all}, &s->list);
	for (int32_t i = 0; i < s->list.count; ++i) {
		const touch *t = s->list.item + i;
		CHECK(t->points == 1 && t->depth > 0, "one point");
		CHECK(!i || t[-1].surface < t->surface, "surfaces do not rise");
		pull p =
			pull_of(t->depth, s->list.weight[t->first], t->pitch, volume_of(body), t->normal, s->list.at[t->first]);
		sum = (pull){sum.value + p.value, v3_add(sum.force, p.force), v3_add(sum.torque, p.torque)};
	}
	return sum;
}

typedef struct wall_case {
	stage *s;
	int32_t row;
} wall_case;

static real with_wall(const void *what, const placed *a)
{
	const wall_case *w = what;
	return wall_pull(w->s, a, w->row).value;
}

/* the sum over a triangulated floor acts like a plane, wherever the seams are, and so does a large block */
static void floors_are_planes(void **state)
{
	(void)state;
	stage s = {0};
	fail why;
	add_solids(&s);
	int32_t plane = scree_walls_add_plane(&s.wall, scree_wall_default("plane", 0), v3(0, 0, 0), v3(0, 0, 1), &why);
	int32_t mesh = add_random_floor(&s, 6, 12, 0.2, 3, false);
	vec3 corner[4] = {{-6, -6, 0}, {6, -6, 0}, {6, 6, 0}, {-6, 6, 0}};
	int32_t quad = scree_walls_add_polygon(&s.wall, scree_wall_default("quad", 0), 4, corner, &why);
	placed block = place(&s, 0, v3(0, 0, -10), UPRIGHT, 20);
	int64_t touching = 0;
	FOR_SEEDS(3000)
	{
		random_stream r = scree_random_start(test_seed, 6);
		placed a = over_floor(&s, &r, 4);
		pull p = wall_pull(&s, &a, plane), q = wall_pull(&s, &a, mesh), t = wall_pull(&s, &a, quad);
		pull u = pair_pull(&a, &block);
		near_pull(&p, &q, 1e-9);
		near_pull(&p, &t, 1e-12);
		near_pull(&p, &u, 1e-10);
		wall_case w = {&s, plane};
		if (p.value > 0) CHECK(slopes(&w, with_wall, &a, &p) < 1e-4, "not the slope");
		touching += p.value > 0;
	}
	CHECK(touching > test_cases(3000) / 2, "%lld touch", (long long)touching);
	stage_clear(&s);
}

/* energy, force and torque divided by E*; connected surfaces have a common energy, which is not the sum of their
 * energies */
static pull wall_energy(stage *s, const placed *body, int32_t row)
{
	int32_t n = all_facets(s, row);
	pull sum = {0, {0, 0, 0}, {0, 0, 0}};
	scree_overlap_convex_wall(body, &(near_wall){&s->wall, row, n, s->all}, &s->list);
	for (int32_t i = 0; i < s->list.count; ++i) {
		const touch *t = s->list.item + i;
		const real weight = s->list.weight[t->first];
		const vec3 f = v3_mul(weight * t->depth, t->normal), at = s->list.at[t->first];
		sum.value += weight * t->depth * t->depth / 2;
		sum.force = v3_add(sum.force, f);
		sum.torque = v3_add(sum.torque, v3_madd(v3_cross(at, f), t->pitch, f));
	}
	return sum;
}

static real energy_with_wall(const void *what, const placed *a)
{
	const wall_case *w = what;
	return wall_energy(w->s, a, w->row).value;
}

/* borders, ridges and valleys: force and torque remain the derivatives of the energy */
static void borders_and_ridges(void **state)
{
	(void)state;
	stage s = {0};
	fail why;
	add_solids(&s);
	vec3 corner[3] = {{-1, -1, 0}, {1, -1, 0}, {0, 1.5, 0}};
	wall two = scree_wall_default("sheet", 0), border = scree_wall_default("inner", 0);
	two.two_sided = border.internal = true;
	int32_t rows[5] = {scree_walls_add_polygon(&s.wall, scree_wall_default("triangle", 0), 3, corner, &why),
					   scree_walls_add_polygon(&s.wall, two, 3, corner, &why),
					   scree_walls_add_polygon(&s.wall, border, 3, corner, &why),
					   add_box(&s, v3(-1.1, -0.9, -1.3), v3(1, 0.8, 0), false, true),
					   add_box(&s, v3(-1.5, -1.5, 0), v3(1.4, 1.3, 3), true, true)};
	int64_t touching[5] = {0}, off[5] = {0};
	FOR_SEEDS(5000)
	{
		random_stream r = scree_random_start(test_seed, 7);
		placed a = over_floor(&s, &r, 1.2);
		for (int k = 0; k < 5; ++k) {
			wall_case w = {&s, rows[k]};
			pull p = wall_energy(&s, &a, rows[k]);
			if (!(p.value > 0)) continue;
			++touching[k];
			real error = slopes(&w, energy_with_wall, &a, &p);
			CHECK(error < 2e-4, "wall %d: force or torque off by %g", k, error);
			off[k] += error > 1e-7;
		}
	}
	for (int k = 0; k < 5; ++k)
		CHECK(touching[k] > test_cases(5000) / 10 && off[k] < touching[k] / 20, "wall %d: %lld touch, %lld off", k,
			  (long long)touching[k], (long long)off[k]);
	/* a cube flat on top of a block and partly beyond its border: the overhanging part does not contribute */
	placed cube = place(&s, 0, v3(1, 0, 0.49), UPRIGHT, 1);
	pull p = wall_energy(&s, &cube, rows[3]);
	NEAR(sqrt(2 * p.value), 0.5 * 0.01, 1e-12, "half of the face");
	stage_clear(&s);
}

static void walls_that_are_refused(void **state)
{
	(void)state;
	stage s = {0};
	fail why;
	const narrow *way = scree_narrow_find("overlap-volume");
	wall w = scree_wall_default("wall", 0);
	int32_t tube = scree_walls_add_cylinder(&s.wall, w, v3(0, 0, 0), v3(0, 0, 1), 1, 2, SIDE_INSIDE, &why);
	int32_t cone = scree_walls_add_cone(&s.wall, w, v3(0, 0, 0), v3(0, 0, 1), 1, 2, 2, SIDE_INSIDE, &why);
	vec3 corner[300];
	for (int k = 0; k < 300; ++k) corner[k] = v3(cos(k * SCREE_PI / 150), sin(k * SCREE_PI / 150), 0);
	int32_t wide = scree_walls_add_polygon(&s.wall, w, 300, corner, &why);
	int32_t less = scree_walls_add_polygon(&s.wall, w, 3, corner, &why);
	CHECK(way->refuses(&s.wall, tube) && way->refuses(&s.wall, cone) && way->refuses(&s.wall, wide), "not refused");
	CHECK(!way->refuses(&s.wall, less), "a triangle is refused");
	stage_clear(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(volume_is_that_of_the_hull),
		cmocka_unit_test(force_and_torque_are_slopes_of_the_volume),
		cmocka_unit_test(exchanged_and_moved_together),
		cmocka_unit_test(hints_change_nothing),
		cmocka_unit_test(distances_are_bounds),
		cmocka_unit_test(faces_on_faces),
		cmocka_unit_test(faces_nearly_parallel),
		cmocka_unit_test(edges_and_corners),
		cmocka_unit_test(nested),
		cmocka_unit_test(floors_are_planes),
		cmocka_unit_test(borders_and_ridges),
		cmocka_unit_test(walls_that_are_refused),
	};
	return cmocka_run_group_tests(tests, make_shapes, free_shapes);
}
