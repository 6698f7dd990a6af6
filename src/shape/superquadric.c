/* superquadric: makes superquadrics: volume, moments, bounding sphere, and triangles for pictures. */
#include "shape/superquadric.h"

#include "base/maths.h"
#include "base/memory.h"
#include "shape/compound.h"

/* largest ratio of two axes */
static const real SLENDER = 100;

/* ------------------------------------------------------------------ the gamma function */

/* log Gamma(x) for x > 0: Stirling's series beyond 12, to which the recurrence leads. */
static real log_gamma(real x)
{
	static const real term[] = {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360, 1.0 / 156};
	real product = 1, sum = 0;
	for (; x < 12; x += 1) product *= x;
	const real inverse = 1 / x, square = inverse * inverse;
	for (int k = (int)(sizeof term / sizeof *term) - 1; k >= 0; --k) sum = sum * square + term[k];
	return (x - (real)0.5) * scree_log(x) - x + scree_log(2 * SCREE_PI) / 2 + sum * inverse - scree_log(product);
}

/* The integral of x^i y^j z^k, even exponents, over the body with semi-axes 1 (Dirichlet). */
static real moment_of(real power, int i, int j, int k)
{
	const real a = (i + 1) / power, b = (j + 1) / power, c = (k + 1) / power;
	const real gammas = log_gamma(a) + log_gamma(b) + log_gamma(c) - log_gamma(1 + a + b + c);
	return 8 / (power * power * power) * scree_exp(gammas);
}

/* ------------------------------------------------------------------ extents */

real scree_superquadric_reach(vec3 semi, real power, vec3 n)
{
	const vec3 y = v3(real_abs(semi.x * n.x), real_abs(semi.y * n.y), real_abs(semi.z * n.z));
	if (power == 2) return v3_norm(y);
	const real most = real_max(y.x, real_max(y.y, y.z)), q = power / (power - 1);
	real sum = 0;
	for (int k = 0; k < 3; ++k) sum += v3_part(y, k) > 0 ? scree_pow(v3_part(y, k) / most, q) : 0;
	return sum > 0 ? most * scree_pow(sum, 1 / q) : 0;
}

/* The distance of the farthest point from the centre: sum (x/a)^p = 1 bounds sum x^2 by a norm of the squares a^2. */
static real farthest_of(vec3 semi, real power)
{
	const real most = real_max(semi.x, real_max(semi.y, semi.z));
	if (power == 2) return most;
	const real r = 2 * power / (power - 2);
	real sum = 0;
	for (int k = 0; k < 3; ++k) sum += scree_pow(v3_part(semi, k) / most, r);
	return most * scree_pow(sum, 1 / r);
}

real scree_superquadric_sharpest(const shape *s) { return s->inradius * s->inradius / ((s->power - 1) * s->radius); }

vec3 scree_superquadric_normal(const shape *s, vec3 p)
{
	vec3 n;
	const real semi[3] = {s->semi_x, s->semi_y, s->semi_z};
	for (int k = 0; k < 3; ++k) {
		const real x = v3_part(p, k) / semi[k], size = scree_pow(real_abs(x), s->power - 1) / semi[k];
		*v3_along(&n, k) = x < 0 ? -size : size;
	}
	return v3_unit(n);
}

/* ------------------------------------------------------------------ triangles for pictures */

/* A point (i, j, k) of the octahedron |i| + |j| + |k| = RINGS, moved outward to the surface. */
enum { RINGS = 20, ROW = 2 * RINGS + 1, TRIANGLES = 8 * RINGS * RINGS, VERTICES = 4 * RINGS * RINGS + 2 };

static vec3 outward(vec3 semi, real power, int i, int j, int k)
{
	const vec3 u = v3_unit(v3(i, j, k));
	vec3 p;
	for (int d = 0; d < 3; ++d) {
		const real x = v3_part(u, d), far = x == 0 ? 0 : scree_pow(real_abs(x), 2 / power);
		*v3_along(&p, d) = v3_part(semi, d) * (x < 0 ? -far : far);
	}
	return p;
}

typedef struct facing {
	int32_t vertices, triangles;
	int32_t *row; /* [ROW*ROW*2] vertex at (i, j) with k >= 0, and with k < 0; -1: none yet */
	vec3 *vertex;
	int32_t *corner;
} facing;

static int32_t vertex_at(facing *f, vec3 semi, real power, int i, int j, int k)
{
	int32_t *row = f->row + 2 * ((i + RINGS) * ROW + j + RINGS) + (k < 0);
	if (*row < 0) {
		*row = f->vertices;
		f->vertex[f->vertices++] = outward(semi, power, i, j, k);
	}
	return *row;
}

/* Adds the triangle of three points of the octant with these signs; an odd number of mirrors reverses it. */
static void add_triangle(facing *f, vec3 semi, real power, const int sign[3], const int at[3][3])
{
	const bool mirrored = sign[0] * sign[1] * sign[2] < 0;
	for (int c = 0; c < 3; ++c) {
		const int *p = at[mirrored ? 2 - c : c];
		f->corner[3 * f->triangles + c] = vertex_at(f, semi, power, sign[0] * p[0], sign[1] * p[1], sign[2] * p[2]);
	}
	++f->triangles;
}

static void add_octant(facing *f, vec3 semi, real power, const int sign[3])
{
	for (int i = 0; i < RINGS; ++i)
		for (int j = 0; i + j < RINGS; ++j) {
			const int k = RINGS - i - j;
			const int up[3][3] = {{i + 1, j, k - 1}, {i, j + 1, k - 1}, {i, j, k}};
			add_triangle(f, semi, power, sign, up);
			if (k < 2) continue;
			const int down[3][3] = {{i + 1, j, k - 1}, {i + 1, j + 1, k - 2}, {i, j + 1, k - 1}};
			add_triangle(f, semi, power, sign, down);
		}
}

static bool add_skin(shape *s, fail *why)
{
	const vec3 semi = v3(s->semi_x, s->semi_y, s->semi_z);
	facing f = {0};
	f.row = scree_alloc((size_t)2 * ROW * ROW, sizeof *f.row);
	f.vertex = scree_alloc(VERTICES, sizeof *f.vertex);
	f.corner = scree_alloc((size_t)3 * TRIANGLES, sizeof *f.corner);
	for (int k = 0; k < 2 * ROW * ROW; ++k) f.row[k] = -1;
	for (int k = 0; k < 8; ++k)
		add_octant(&f, semi, s->power, (const int[3]){k & 1 ? -1 : 1, k & 2 ? -1 : 1, k & 4 ? -1 : 1});
	s->skin = scree_alloc(1, sizeof *s->skin);
	const bool made = scree_trimesh_load(s->skin, s->name, f.vertices, f.vertex, f.triangles, f.corner, why);
	scree_free(f.row), scree_free(f.vertex), scree_free(f.corner);
	return made;
}

/* ------------------------------------------------------------------ the shape */

static bool is_right(const char *name, vec3 semi, real power, fail *why)
{
	const real large = real_max(semi.x, real_max(semi.y, semi.z)), small = real_min(semi.x, real_min(semi.y, semi.z));
	if (!(small > 0 && large < INFINITY && large <= SLENDER * small))
		return scree_fail(why, FAIL_INPUT,
						  "shape '%s': axes %g, %g and %g, expected three lengths above 0, each at most %g times any "
						  "other",
						  name, 2 * semi.x, 2 * semi.y, 2 * semi.z, SLENDER);
	if (!(power >= 2 && power <= SUPERQUADRIC_MOST_POWER))
		return scree_fail(why, FAIL_INPUT, "shape '%s': an exponent of %g, expected 2 to %g", name, power,
						  SUPERQUADRIC_MOST_POWER);
	return true;
}

int32_t scree_shapes_add_superquadric(shapes *s, const char *name, vec3 semi, real power, fail *why)
{
	shape made = {.type = SHAPE_SUPERQUADRIC, .frame = {1, 0, 0, 0}, .power = power};
	if (!is_right(name, semi, power, why) || !scree_shape_name(&made, name, why)) return -1;
	made.semi_x = semi.x, made.semi_y = semi.y, made.semi_z = semi.z;
	made.radius = farthest_of(semi, power);
	made.inradius = real_min(semi.x, real_min(semi.y, semi.z));
	const real box = semi.x * semi.y * semi.z;
	made.volume = box * (power == 2 ? 4 * SCREE_PI / 3 : moment_of(power, 0, 0, 0));
	const real part = power == 2 ? made.volume / 5 : box * moment_of(power, 2, 0, 0);
	const vec3 square = v3(semi.x * semi.x, semi.y * semi.y, semi.z * semi.z);
	made.inertia = v3(part * (square.y + square.z), part * (square.z + square.x), part * (square.x + square.y));
	if (add_skin(&made, why)) return scree_shapes_append(s, &made);
	scree_shape_clear(&made);
	return -1;
}
