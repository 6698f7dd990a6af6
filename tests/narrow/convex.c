/* Contact of polyhedra compared with a brute-force oracle (every face, every pair of edges, every vertex) and with
 * libccd. */
#include "base/memory.h"
#include "kernel/quat.h"
#include "narrow/narrow.h"
#include "shape/shapes.h"
#include "work/pair_work.h"
#include "sat_help.h"
#include "test.h"

#include <ccd/ccd.h>

enum { HULLS = 60 };
static shapes all;

static int make_shapes(void **state)
{
	(void)state;
	fail why = {0};
	const char *const solid[5] = {"tetrahedron", "cube", "octahedron", "dodecahedron", "icosahedron"};
	for (int k = 0; k < 5; ++k) assert_true(scree_shapes_add_regular(&all, solid[k], solid[k], &why) >= 0);
	assert_true(scree_shapes_add_box(&all, "brick", v3(1.2, 0.5, 0.8), &why) >= 0);
	random_stream r = scree_random_start(5, 5);
	for (int k = 0; all.count < HULLS; ++k) {
		vec3 p[36];
		int32_t n = 4 + k % 29;
		for (int32_t i = 0; i < n; ++i) {
			vec3 d = scree_random_direction(&r);
			p[i] = v3(d.x, d.y, (k % 3 == 0 ? 0.3 : 1) * d.z);
			if (k % 4 == 1) p[i] = v3_mul(scree_random_between(&r, 0.3, 1), p[i]);
		}
		char name[16];
		snprintf(name, sizeof name, "hull%d", k);
		if (scree_shapes_add_hull(&all, name, n, p, &why) < 0 && k > 1000) return -1;
	}
	return 0;
}

static placed random_placed(random_stream *r, vec3 at)
{
	placed p = {all.row + scree_random_bits(r) % (uint32_t)all.count, at, quat_matrix(scree_random_rotation(r)),
				scree_random_between(r, 0.5, 1.5)};
	return p;
}

/* random pairs: apart, touching, crossing or nested; and degenerate pairs: coplanar faces, shared edges and vertices,
 * and identical bodies */
static void random_case(random_stream *r, placed *a, placed *b)
{
	*a = random_placed(r, v3(0.3, -0.2, 0.7));
	*b = random_placed(r, v3(0, 0, 0));
	int kind = (int)(test_seed % 8);
	vec3 d = scree_random_direction(r);
	if (kind == 7) b->turn = a->turn, b->size = a->size, b->shape = a->shape;
	if (kind == 6) b->size *= 0.1;
	if (kind >= 4 && kind <= 6) b->turn = a->turn;
	real reach = a->size * a->shape->radius + b->size * b->shape->radius;
	b->at = v3_madd(a->at, reach * scree_random_between(r, 0, kind == 6 ? 0.6 : 1.05), d);
	if (kind >= 1 && kind <= 3) { /* moves b until the bodies just touch, are slightly apart or overlap slightly */
		b->at = v3_madd(a->at, reach, d);
		for (int i = 0; i < 60; ++i) {
			real s = oracle(a, b);
			if (fabs(s) < 1e-12) break;
			b->at = v3_madd(b->at, -s, d);
		}
		b->at = v3_madd(b->at, (kind - 2) * 1e-3 * reach * scree_random_real(r), d);
	}
	if (kind == 5 || kind == 4) { /* puts a vertex (or the plane of a face) of one body onto a vertex (or the plane of a
									 face) of the other */
		vec3 va = vertex(a, (int32_t)(scree_random_bits(r) % (uint32_t)a->shape->vertices));
		vec3 vb = vertex(b, (int32_t)(scree_random_bits(r) % (uint32_t)b->shape->vertices));
		b->at = v3_add(b->at, v3_sub(va, vb));
	}
	if (kind == 7 && test_seed % 16 < 8) { /* shifted along one face, so that faces are coplanar and edges are shared */
		vec3 shift = v3_sub(vertex(a, a->shape->corner[1]), vertex(a, a->shape->corner[0]));
		b->at = v3_madd(a->at, test_seed % 32 < 16 ? 1 : 0.5, shift);
	}
}

static bool same(const patch *p, const patch *q)
{
	if (p->points != q->points) return false;
	if (!p->points) return true;
	size_t n = (size_t)p->points;
	return !memcmp(&p->normal, &q->normal, sizeof p->normal) && p->depth == q->depth && p->arm == q->arm &&
		   !memcmp(p->at, q->at, n * sizeof *p->at) && !memcmp(p->deep, q->deep, n * sizeof *p->deep) &&
		   !memcmp(p->weight, q->weight, n * sizeof *p->weight);
}

static void check_patch(const placed *a, const placed *b, const patch *p, real size)
{
	real sum = 0, deepest = 0;
	NEAR(v3_norm(p->normal), 1, 1e-12, "normal is a unit vector");
	for (int32_t i = 0; i < p->points; ++i) {
		sum += p->weight[i];
		deepest = real_max(deepest, p->deep[i]);
		CHECK(p->weight[i] >= 0 && p->deep[i] >= 0, "weight %g, depth %g", p->weight[i], p->deep[i]);
		/* the contact point is inside both bodies, or, where faces meet at an angle, outside one of them by at most
		 * the overlap */
		vec3 x = v3_add(a->at, p->at[i]);
		const placed *both[2] = {a, b};
		for (int k = 0; k < 2; ++k) {
			vec3 local = v3_mul(1 / both[k]->size, mat3_tmul(both[k]->turn, v3_sub(x, both[k]->at)));
			for (int32_t f = 0; f < both[k]->shape->faces; ++f) {
				const shape *s = both[k]->shape;
				real out = (s->nx[f] * local.x + s->ny[f] * local.y + s->nz[f] * local.z - s->off[f]) * both[k]->size;
				if (p->depth < 0.01 * size)
					CHECK(out <= 2 * p->depth + 1e-9 * size, "a contact point lies %g outside, depth %g", out,
						  p->deep[i]);
			}
		}
	}
	NEAR(sum, 1, 1e-12, "weights");
	CHECK(deepest <= p->depth + 1e-9 * size, "a point is deeper (%g) than the patch (%g)", deepest, p->depth);
}

static void agrees_with_brute_force(void **state)
{
	(void)state;
	random_stream r = scree_random_start(17, 0);
	static patch p, q;
	int64_t touching = 0;
	FOR_SEEDS(3000)
	{
		placed a, b;
		random_case(&r, &a, &b);
		real size = a.size * a.shape->radius + b.size * b.shape->radius, s = oracle(&a, &b);
		scree_convex_convex(&a, &b, 0, &p);
		touching += p.points > 0;
		if (s > 1e-9 * size) CHECK(!p.points, "contact where there is none: separation %g", s);
		if (s < -1e-9 * size) CHECK(p.points, "no contact where there is one: depth %g", -s);
		if (p.points) {
			NEAR(p.depth, -s, 1e-6 * size, "depth");
			check_patch(&a, &b, &p, size);
		}
		int32_t hint[3] = {p.axis, (int32_t)scree_random_bits(&r), 1 + (int32_t)(scree_random_bits(&r) % 400)};
		for (int k = 0; k < 3; ++k) {
			scree_convex_convex(&a, &b, hint[k], &q);
			CHECK(same(&p, &q), "hint %d changed the result", hint[k]);
		}
		scree_convex_convex(&b, &a, 0, &q);
		if (fabs(s) > 1e-9 * size) CHECK(!q.points == !p.points, "not symmetric");
		if (p.points && q.points) NEAR(q.depth, p.depth, 1e-6 * size, "depth of the swapped pair");
	}
	CHECK(touching > test_cases(900), "hardly any contacts were tried: %lld", (long long)touching);
}

/* ------------------------------------------------------------------ data stored for a touching pair */

/* rotates and shifts a such that no point moves farther than `way`: due to rotation only, translation only, or both */
static void move_by(random_stream *r, placed *p, real way)
{
	real turning = way * (scree_random_bits(r) % 3) / 2;
	vec3 axis = scree_random_direction(r);
	real half = turning / (2 * p->size * p->shape->radius); /* sine of half the rotation angle */
	quat q = {sqrt(1 - half * half), half * axis.x, half * axis.y, half * axis.z};
	mat3 turn = quat_matrix(q);
	p->turn = (mat3){mat3_mul(turn, p->turn.x), mat3_mul(turn, p->turn.y), mat3_mul(turn, p->turn.z)};
	p->at = v3_madd(p->at, way - turning, scree_random_direction(r));
}

/* Bodies that rest on each other as in a packing: slightly tilted, slightly overlapping, and sometimes exactly flat. */
static void lying_case(random_stream *r, placed *a, placed *b)
{
	*a = random_placed(r, v3(0, 0, 0));
	*b = random_placed(r, v3(0, 0, 0));
	if (test_seed % 2) b->shape = a->shape = all.row + 1; /* cubes */
	if (test_seed % 3) b->size = a->size;
	if (test_seed % 7 == 0) b->size *= 0.04;
	b->turn = a->turn;
	vec3 n = mat3_mul(a->turn, v3(a->shape->nx[0], a->shape->ny[0], a->shape->nz[0])), d = scree_random_direction(r);
	quat tilt = quat_exp(d, pow(10, -scree_random_between(r, 0, 11)));
	/* usually also rotates it about the normal */
	if (test_seed % 4) tilt = quat_mul(quat_exp(n, scree_random_between(r, 0, 3)), tilt);
	mat3 turn = quat_matrix(quat_unit(tilt));
	if (test_seed % 5)
		b->turn = (mat3){mat3_mul(turn, b->turn.x), mat3_mul(turn, b->turn.y), mat3_mul(turn, b->turn.z)};
	real reach = a->size * a->shape->radius + b->size * b->shape->radius;
	vec3 across = v3_cross(n, d);
	b->at = v3_madd(v3_mul(reach, n), reach * scree_random_between(r, 0, 0.5), across);
	for (int i = 0; i < 60; ++i) {
		real s = oracle(a, b);
		if (fabs(s) < 1e-12) break;
		b->at = v3_madd(b->at, -s, n);
	}
	b->at = v3_madd(b->at, -reach * pow(10, -scree_random_between(r, 1, 7)), n);
}

/* Two bodies with nearly parallel edges, and a box whose corners are 0.5e-10 off the planes of its faces, which is the
 * limit for shapes: the arcs of these edges appear to cross far beyond their ends. */
static void make_warped(shapes *to)
{
	fail why = {0};
	const real off = 0.5e-10;
	vec3 box[8], prism[16];
	for (int k = 0; k < 8; ++k) {
		bool right = k & 1, back = k & 2, top = k & 4;
		box[k] = v3(right ? 0.2 : -0.2, back ? 1 : -1, (top ? 0.5 : -0.5) + (top ? (right == back ? off : -off) : 0));
		real angle = (k + 0.5) * SCREE_PI / 4;
		prism[k] = v3(0.5 * cos(angle), 0.5 * sin(angle), -0.4);
		prism[k + 8] = v3(prism[k].x, prism[k].y, 0.4);
	}
	CHECK(scree_shapes_add_hull(to, "box", 8, box, &why) == 0 &&
			  scree_shapes_add_hull(to, "prism", 16, prism, &why) == 1,
		  "%s", why.text);
}

static void nearly_parallel_case(const shapes *of, random_stream *r, placed *a, placed *b)
{
	real tilt = pow(10, -scree_random_between(r, 3, 4)), lean = pow(10, -scree_random_between(r, 7, 11));
	real yaw = pow(10, -scree_random_between(r, 5, 7)), depth = scree_random_between(r, 0.002, 0.02);
	quat turn = quat_mul(quat_exp(v3(1, 0, 0), tilt), quat_exp(v3(0, 1, 0), lean));
	turn = quat_mul(quat_exp(v3(0, 0, 1), test_seed % 2 ? yaw : -yaw), turn);
	*a = (placed){of->row, v3(0, 0, 0), quat_matrix(quat_one()), 1};
	*b = (placed){of->row + 1, v3(0, 0, 0), quat_matrix(quat_unit(turn)), 1};
	b->at = v3(-0.3914 - scree_random_between(r, 4, 9) * depth, -0.53806 + scree_random_between(r, 0, 1.2) * depth,
			   0.9 - depth);
}

static void what_is_kept_lasts(void **state)
{
	(void)state;
	enum { MOVES = 6 };
	random_stream r = scree_random_start(31, 0);
	static patch p, q, as_kept;
	int64_t faces = 0, edges = 0, touching = 0;
	shapes warped = {0};
	make_warped(&warped);
	FOR_SEEDS(4000)
	{
		placed a, b;
		if (test_seed % 4)
			lying_case(&r, &a, &b);
		else if (test_seed % 8)
			nearly_parallel_case(&warped, &r, &a, &b);
		else
			random_case(&r, &a, &b);
		pair_kept kept = {0};
		uint8_t waited = 0;
		for (int k = 0; k < 33; ++k)
			scree_convex_kept(&a, &b, 0, &waited, &kept, &p); /* the first calls store nothing */
		touching += p.points > 0;
		if (test_seed % 8 == 4) NEAR(p.depth, -oracle(&a, &b), 1e-9, "no arcs cross beyond their ends");
		for (int k = 0; k < MOVES && waited == PAIR_IS_KEPT; ++k) {
			placed c = a, d = b;
			pair_kept known = kept;
			uint8_t looks = waited;
			real way = kept.lead * pow(10, scree_random_between(&r, -1.5, 0.5)), of_a = way * (k % 3) / 2;
			move_by(&r, &c, of_a);
			move_by(&r, &d, way - of_a);
			scree_convex_kept(&c, &d, 0, &looks, &known, &as_kept);
			scree_convex_convex(&c, &d, 0, &q);
			CHECK(same(&q, &as_kept), "kept for %g m, moved by %g m: depths %g and %g", kept.lead, way, as_kept.depth,
				  q.depth);
			if (q.points)
				CHECK(q.axis == as_kept.axis, "kept for %g m: %d, found: %d", kept.lead, as_kept.axis, q.axis);
			faces += known.held && !kept.edges;
			edges += known.held && kept.edges;
		}
	}
	CHECK(faces > test_cases(400) && edges > test_cases(400),
		  "hardly any was kept: %lld by faces, %lld by edges, of %lld", (long long)faces, (long long)edges,
		  (long long)touching);
	scree_shapes_free(&warped);
}

/* ------------------------------------------------------------------ libccd as a second opinion */

static void support(const void *obj, const ccd_vec3_t *dir, ccd_vec3_t *v)
{
	const placed *p = obj;
	vec3 d = v3(dir->v[0], dir->v[1], dir->v[2]), best = vertex(p, 0);
	for (int32_t k = 1; k < p->shape->vertices; ++k)
		if (v3_dot(d, vertex(p, k)) > v3_dot(d, best)) best = vertex(p, k);
	ccdVec3Set(v, best.x, best.y, best.z);
}

static void centre(const void *obj, ccd_vec3_t *v)
{
	const placed *p = obj;
	ccdVec3Set(v, p->at.x, p->at.y, p->at.z);
}

/* The GJK of libccd sometimes misses a deep overlap of identical bodies, which its MPR detects: these cases are listed.
 */
static void libccd_has_the_same_opinion(void **state)
{
	(void)state;
	random_stream r = scree_random_start(23, 0);
	static patch p;
	int64_t near = 0, other = 0, divided = 0;
	FOR_SEEDS(2500)
	{
		placed a, b;
		random_case(&r, &a, &b);
		real size = a.size * a.shape->radius + b.size * b.shape->radius, s = oracle(&a, &b);
		scree_convex_convex(&a, &b, 0, &p);
		ccd_t ccd;
		CCD_INIT(&ccd);
		ccd.support1 = ccd.support2 = support;
		ccd.max_iterations = 500;
		ccd.center1 = ccd.center2 = centre;
		ccd.mpr_tolerance = 1e-10 * size;
		bool gjk = ccdGJKIntersect(&a, &b, &ccd) != 0, mpr = ccdMPRIntersect(&a, &b, &ccd) != 0;
		if (gjk == (p.points > 0) && mpr == (p.points > 0)) continue;
		if (fabs(s) < 1e-6 * size) {
			++near;
			continue;
		}
		print_message("libccd's GJK says %d, its MPR %d at separation %g (seed %llu)\n", gjk, mpr, s / size,
					  (unsigned long long)test_seed);
		if (gjk != mpr)
			++divided;
		else
			++other;
	}
	print_message(
		"libccd: %lld verdicts differ within 1e-6 of size, %lld beyond; %lld times its two methods disagree\n",
		(long long)near, (long long)other, (long long)divided);
	CHECK(other == 0, "libccd has another opinion %lld times", (long long)other);
}

/* ------------------------------------------------------------------ continuity */

static real pressure(const patch *p)
{
	real sum = 0;
	for (int32_t i = 0; i < p->points; ++i) sum += p->weight[i] * p->deep[i];
	return sum;
}

/* the mean overlap, and the resistance to rotation about the normal computed from it */
static real held(const patch *p) { return (1 + 0.7 * p->arm) * pressure(p); }

/* A cube slides over the edge of another cube and rocks on it: the mean overlap does not jump as long as the same faces
 * are involved. */
static void force_is_continuous_in_a_face_contact(void **state)
{
	(void)state;
	fail why = {0};
	int32_t cube = scree_shapes_find(&all, "cube");
	assert_true(cube >= 0 && !why.code);
	static patch p;
	real last = 0;
	for (int k = 0; k <= 20000; ++k) {
		real x = 0.8 * k / 20000, tilt = 0.002 * k / 20000;
		placed a = {all.row + cube, v3(0, 0, 0), quat_matrix(quat_one()), 1};
		placed b = {all.row + cube, v3(x, 0.3 * x, 0.995), quat_matrix(quat_exp(v3(tilt, 2 * tilt, 100 * tilt), 1)), 1};
		scree_convex_convex(&a, &b, 0, &p);
		CHECK(p.points > 0, "contact lost at %g", x);
		real now = held(&p);
		if (k) NEAR(now, last, 1e-6, "mean overlap jumps");
		last = now;
	}
}

/* The depth is the distance to the surface of the Minkowski difference: moving a body by d changes it by at most |d|.
 */
static void depth_changes_no_faster_than_the_bodies_move(void **state)
{
	(void)state;
	random_stream r = scree_random_start(29, 0);
	static patch p;
	enum { STEPS = 50 };
	FOR_SEEDS(300)
	{
		placed a = random_placed(&r, v3(0, 0, 0)), b = random_placed(&r, v3(0, 0, 0));
		real size = a.size * a.shape->radius + b.size * b.shape->radius,
			 step = size * scree_random_between(&r, 1e-6, 0.02);
		vec3 d = scree_random_direction(&r);
		b.at = v3_mul(0.7 * size, v3_unit(v3_madd(d, 0.5, scree_random_direction(&r))));
		real last = 0;
		for (int k = 0; k <= STEPS; ++k) {
			b.at = v3_madd(b.at, -step, d);
			scree_convex_convex(&a, &b, p.axis, &p);
			real now = p.points ? p.depth : 0;
			if (k)
				CHECK(fabs(now - last) <= step + 1e-8 * size, "depth goes from %g to %g in a step of %g", last, now,
					  step);
			last = now;
		}
	}
}

/* A motion of b past a, for t from 0 to 1: b rotates at a constant rate and moves along a line. */
typedef struct motion {
	placed a, b;
	quat turn;
	vec3 spin, slide;
} motion;

/* The mean overlap at t, and the lever arm; *axis: the reference face, or 0 if there is none. */
static real mean_overlap(const motion *m, real t, int32_t *axis)
{
	static patch p;
	placed b = m->b;
	b.turn = quat_matrix(quat_unit(quat_mul(quat_exp(m->spin, t), m->turn)));
	b.at = v3_madd(b.at, t, m->slide);
	scree_convex_convex(&m->a, &b, 0, &p);
	*axis = p.points && -p.axis <= m->a.shape->faces + b.shape->faces ? -p.axis : 0;
	return *axis ? held(&p) : 0;
}

/* Change between two times after repeated bisection towards the half that changes more: a continuous change vanishes,
 * but a jump remains. Returns 0 if the reference face changes in between. */
static real jump(const motion *m, real t0, real t1)
{
	int32_t axis, other;
	real f0 = mean_overlap(m, t0, &axis), f1 = mean_overlap(m, t1, &other);
	for (int k = 0; k < 25 && axis; ++k) {
		if (axis != other) return 0;
		real t = (t0 + t1) / 2, f = mean_overlap(m, t, &other);
		if (axis != other) return 0;
		if (fabs(f - f0) > fabs(f1 - f))
			t1 = t, f1 = f;
		else
			t0 = t, f0 = f;
	}
	return axis ? fabs(f1 - f0) : 0;
}

/* As long as the reference face is the same, the mean overlap may not jump: it is continuous when a corner appears,
 * splits or vanishes, when a face comes into reach, and when a face becomes the flattest. */
static void force_is_continuous(void **state)
{
	(void)state;
	random_stream r = scree_random_start(31, 0);
	int64_t compared = 0;
	enum { STEPS = 40 };
	FOR_SEEDS(500)
	{
		placed a = random_placed(&r, v3(0, 0, 0)), b = random_placed(&r, v3(0, 0, 0));
		real size = a.size * a.shape->radius + b.size * b.shape->radius;
		vec3 d = scree_random_direction(&r);
		motion m = {a, b, scree_random_rotation(&r), v3_mul(0.1, scree_random_direction(&r)),
					v3_mul(0.1 * size, scree_random_direction(&r))};
		m.b.at = v3_mul(size, d);
		m.b.turn = quat_matrix(m.turn);
		for (int k = 0; k < 40; ++k) m.b.at = v3_madd(m.b.at, -real_max(oracle(&a, &m.b), 0), d);
		m.b.at = v3_madd(m.b.at, -0.02 * size, d);
		for (int k = 0; k < STEPS; ++k) {
			int32_t axis;
			mean_overlap(&m, (real)k / STEPS, &axis);
			compared += axis > 0;
			real left = jump(&m, (real)k / STEPS, (real)(k + 1) / STEPS);
			CHECK(left <= 1e-7 * size, "the mean overlap jumps by %g of the size in step %d", left / size, k);
		}
	}
	CHECK(compared > test_cases(5000), "hardly any steps were compared: %lld", (long long)compared);
}

static void moving_both_bodies_moves_the_contact(void **state)
{
	(void)state;
	random_stream r = scree_random_start(37, 0);
	static patch p, q;
	FOR_SEEDS(2000)
	{
		placed a = random_placed(&r, scree_random_direction(&r)), b = random_placed(&r, v3(0, 0, 0)), c, d;
		real size = a.size * a.shape->radius + b.size * b.shape->radius;
		b.at = v3_madd(a.at, size * scree_random_between(&r, 0.3, 0.9), scree_random_direction(&r));
		mat3 turn = quat_matrix(scree_random_rotation(&r));
		vec3 shift = v3_mul(3, scree_random_direction(&r));
		c = a, d = b;
		c.at = v3_add(shift, mat3_mul(turn, a.at));
		d.at = v3_add(shift, mat3_mul(turn, b.at));
		c.turn = (mat3){mat3_mul(turn, a.turn.x), mat3_mul(turn, a.turn.y), mat3_mul(turn, a.turn.z)};
		d.turn = (mat3){mat3_mul(turn, b.turn.x), mat3_mul(turn, b.turn.y), mat3_mul(turn, b.turn.z)};
		scree_convex_convex(&a, &b, 0, &p);
		scree_convex_convex(&c, &d, 0, &q);
		NEAR(p.depth, q.depth, p.points ? 1e-12 * size : INFINITY, "depth of the moved pair");
		CHECK(p.points == q.points || fabs(p.depth) < 1e-9 * size, "%d points, moved %d", p.points, q.points);
		if (!p.points || !q.points) continue;
		NEAR(v3_norm(v3_sub(mat3_mul(turn, p.normal), q.normal)), 0, 1e-8, "normal of the moved pair");
		NEAR(pressure(&p), pressure(&q), 1e-8 * size, "mean overlap of the moved pair");
	}
}

static void a_hair_apart_is_no_contact(void **state)
{
	(void)state;
	static patch p;
	fail why = {0};
	shapes s = {0};
	assert_true(scree_shapes_add_box(&s, "box", v3(1, 2, 3), &why) >= 0);
	const real gap[4] = {1e-12, 1e-14, -1e-12, -1e-14};
	for (int k = 0; k < 12; ++k) {
		placed a = {s.row, v3(0, 0, 0), quat_matrix(quat_one()), 1}, b = a;
		real half[3] = {1, 2, 3}, at[3] = {0.1, 0.2, 0.3};
		at[k % 3] = half[k % 3] + gap[k / 3];
		b.at = v3(at[0], at[1], at[2]);
		scree_convex_convex(&a, &b, 0, &p);
		CHECK((p.points > 0) == (gap[k / 3] < 0), "gap %g along axis %d: %d points", gap[k / 3], k % 3, p.points);
		if (p.points) NEAR(p.depth, -gap[k / 3], 1e-15, "depth");
	}
	scree_shapes_free(&s);
}

/* faces with more corners than a patch has points */
static void faces_may_have_any_number_of_corners(void **state)
{
	(void)state;
	enum { CORNERS = 300 };
	static vec3 vertex_at[2 * CORNERS];
	static int32_t first[CORNERS + 3], corner[6 * CORNERS];
	for (int k = 0; k < CORNERS; ++k) {
		real angle = 2 * SCREE_PI * k / CORNERS;
		for (int z = 0; z < 2; ++z) vertex_at[k + z * CORNERS] = v3(cos(angle), sin(angle), z - 0.5);
		corner[k] = CORNERS - 1 - k;
		corner[CORNERS + k] = CORNERS + k;
		int32_t side[4] = {k, (k + 1) % CORNERS, CORNERS + (k + 1) % CORNERS, CORNERS + k};
		memcpy(corner + 2 * CORNERS + 4 * k, side, sizeof side);
		first[k + 3] = 2 * CORNERS + 4 * (k + 1);
	}
	first[0] = 0, first[1] = CORNERS, first[2] = 2 * CORNERS;
	shapes s = {0};
	fail why = {0};
	CHECK(scree_shapes_add_convex(&s, "drum", 2 * CORNERS, vertex_at, CORNERS + 2, first, corner, &why) == 0, "%s",
		  why.text);
	static patch p;
	for (int k = 0; k < 50; ++k) {
		placed a = {s.row, v3(0, 0, 0), quat_matrix(quat_one()), 1};
		placed b = {s.row, v3(0.02 * k, 0.01 * k, 0.99), quat_matrix(quat_exp(v3(0, 0, 0.001 * k), 1)), 1};
		scree_convex_convex(&a, &b, 0, &p);
		CHECK(p.points > 2 && p.points <= PATCH_POINTS, "%d points", p.points);
		NEAR(p.depth, 0.01, 1e-12, "depth");
		NEAR(pressure(&p), 0.01, 1e-12, "mean overlap");
		check_patch(&a, &b, &p, 2);
	}
	scree_shapes_free(&s);
}

static int forget_shapes(void **state)
{
	(void)state;
	scree_shapes_free(&all);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_brute_force),
		cmocka_unit_test(what_is_kept_lasts),
		cmocka_unit_test(libccd_has_the_same_opinion),
		cmocka_unit_test(force_is_continuous_in_a_face_contact),
		cmocka_unit_test(force_is_continuous),
		cmocka_unit_test(depth_changes_no_faster_than_the_bodies_move),
		cmocka_unit_test(moving_both_bodies_moves_the_contact),
		cmocka_unit_test(a_hair_apart_is_no_contact),
		cmocka_unit_test(faces_may_have_any_number_of_corners),
	};
	return cmocka_run_group_tests(tests, make_shapes, forget_shapes);
}
