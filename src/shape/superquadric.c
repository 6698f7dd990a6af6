/* superquadric: creates superquadrics, with volume, moments, bounding sphere, and triangles for pictures. */
#include "shape/shapes.h"

#include "base/maths.h"
#include "base/memory.h"
#include "shape/compound.h"

static const real SLENDER = 100; /* largest ratio of two axes */

/* Returns log Gamma(x) for x > 0: the recurrence raises x above 12, where Stirling's series is used. */
static real log_gamma(real x)
{
	static const real term[] = {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360, 1.0 / 156};
	real product = 1, sum = 0;
	for (; x < 12; x += 1) product *= x;
	const real inverse = 1 / x, square = inverse * inverse;
	for (int k = (int)(sizeof term / sizeof *term) - 1; k >= 0; --k) sum = sum * square + term[k];
	return (x - (real)0.5) * scree_log(x) - x + scree_log(2 * SCREE_PI) / 2 + sum * inverse - scree_log(product);
}

/* Returns the integral of x^i y^j z^k, with even exponents, over the body with semi-axes 1 (Dirichlet). */
static real moment_of(real power, int i, int j, int k)
{
	const real a = (i + 1) / power, b = (j + 1) / power, c = (k + 1) / power;
	const real gammas = log_gamma(a) + log_gamma(b) + log_gamma(c) - log_gamma(1 + a + b + c);
	return 8 / (power * power * power) * scree_exp(gammas);
}

/* The same integral for two exponents: Dirichlet's integral over a section z = const., then Euler's integral over z. */
static real nested_moment_of(real xy, real z, int i, int j, int k)
{
	const real a = (i + 1) / xy, b = (j + 1) / xy, c = (k + 1) / z, d = (i + j + 2) / z;
	const real section = log_gamma(a) + log_gamma(b) - log_gamma(1 + a + b);
	const real sections = log_gamma(c) + log_gamma(1 + d) - log_gamma(1 + c + d);
	return 8 / (xy * xy * z) * scree_exp(section + sections);
}

/* ------------------------------------------------------------------ extents */

/* Returns the norm of n numbers >= 0 with exponent q, which is x + y + .. for q = 1. */
static real norm_of(int n, const real *x, real q)
{
	real most = 0, sum = 0;
	for (int k = 0; k < n; ++k) most = real_max(most, x[k]);
	for (int k = 0; k < n; ++k) sum += x[k] > 0 ? scree_pow(x[k] / most, q) : 0;
	return sum > 0 ? most * scree_pow(sum, 1 / q) : 0;
}

real scree_superquadric_reach(const shape *s, vec3 n)
{
	const real y[3] = {real_abs(s->semi_x * n.x), real_abs(s->semi_y * n.y), real_abs(s->semi_z * n.z)};
	const real q = s->power_xy / (s->power_xy - 1), p = s->power_z / (s->power_z - 1);
	if (s->power_xy == 2 && s->power_z == 2) return v3_norm(v3(y[0], y[1], y[2]));
	if (s->power_xy == s->power_z) return norm_of(3, y, q);
	return norm_of(2, (const real[2]){norm_of(2, y, q), y[2]}, p);
}

/* Returns the largest distance from the origin of a point whose n coordinates, divided by the semi-axes, have a norm of
 * 1 with this exponent: if sum (x/a)^p = 1, sum x^2 is bounded by a norm of the squares a^2. */
static real far_of(int n, const real *semi, real power)
{
	real most = 0, sum = 0;
	for (int k = 0; k < n; ++k) most = real_max(most, semi[k]);
	if (power == 2) return most;
	const real r = 2 * power / (power - 2);
	for (int k = 0; k < n; ++k) sum += scree_pow(semi[k] / most, r);
	return most * scree_pow(sum, 1 / r);
}

static real farthest_of(const shape *s)
{
	const real semi[3] = {s->semi_x, s->semi_y, s->semi_z};
	if (s->power_xy == s->power_z) return far_of(3, semi, s->power_z);
	return far_of(2, (const real[2]){far_of(2, semi, s->power_xy), s->semi_z}, s->power_z);
}

real scree_superquadric_sharpest(const shape *s)
{
	return s->inradius * s->inradius / ((real_max(s->power_xy, s->power_z) - 1) * s->radius);
}

vec3 scree_superquadric_slope(vec3 semi, real power_xy, real power_z, vec3 p, real unit)
{
	vec3 n;
	real x[3], part[3];
	for (int k = 0; k < 3; ++k) x[k] = real_abs(v3_part(p, k) / v3_part(semi, k)) / unit;
	const bool nested = power_xy != power_z;
	const real w = nested ? norm_of(2, x, power_xy) : 1, outer = nested && w > 0 ? scree_pow(w, power_z - 1) : 1;
	for (int k = 0; k < 3; ++k) part[k] = k < 2 && w > 0 ? x[k] / w : x[k];
	for (int k = 0; k < 3; ++k) {
		const real power = k < 2 ? power_xy : power_z, size = part[k] > 0 ? scree_pow(part[k], power - 1) : 0;
		const real slope = (k < 2 ? outer * size : size) / v3_part(semi, k);
		*v3_along(&n, k) = v3_part(p, k) < 0 ? -slope : slope;
	}
	return n;
}

vec3 scree_superquadric_normal(const shape *s, vec3 p)
{
	const vec3 semi = v3(s->semi_x, s->semi_y, s->semi_z);
	return v3_unit(scree_superquadric_slope(semi, s->power_xy, s->power_z, p, 1));
}

/* ------------------------------------------------------------------ triangles for pictures */

enum { RINGS = 20, ROW = 2 * RINGS + 1, TRIANGLES = 8 * RINGS * RINGS, VERTICES = 4 * RINGS * RINGS + 2 };

/* Returns a point (i, j, k) of the octahedron |i| + |j| + |k| = RINGS, moved outward to the surface. */
static vec3 outward(const shape *s, int i, int j, int k)
{
	const vec3 u = v3_unit(v3(i, j, k));
	const real flat = sqrt(u.x * u.x + u.y * u.y);
	const bool nested = s->power_xy != s->power_z && flat > 0;
	const real semi[3] = {s->semi_x, s->semi_y, s->semi_z};
	vec3 p;
	for (int d = 0; d < 3; ++d) {
		const real x = real_abs(v3_part(u, d));
		const bool inner = nested && d < 2;
		real far = x == 0 ? 0 : scree_pow(inner ? x / flat : x, 2 / (inner ? s->power_xy : s->power_z));
		if (inner) far *= scree_pow(flat, 2 / s->power_z);
		*v3_along(&p, d) = semi[d] * (v3_part(u, d) < 0 ? -far : far);
	}
	return p;
}

typedef struct facing {
	int32_t vertices, triangles;
	int32_t *row; /* [ROW*ROW*2] vertex at (i, j) with k >= 0, and with k < 0; -1 if none yet */
	vec3 *vertex;
	int32_t *corner;
} facing;

static int32_t vertex_at(facing *f, const shape *s, int i, int j, int k)
{
	int32_t *row = f->row + 2 * ((i + RINGS) * ROW + j + RINGS) + (k < 0);
	if (*row < 0) {
		*row = f->vertices;
		f->vertex[f->vertices++] = outward(s, i, j, k);
	}
	return *row;
}

/* Adds a triangle in the octant with these signs; an odd number of reflections reverses it. */
static void add_triangle(facing *f, const shape *s, const int sign[3], const int at[3][3])
{
	const bool mirrored = sign[0] * sign[1] * sign[2] < 0;
	for (int c = 0; c < 3; ++c) {
		const int *p = at[mirrored ? 2 - c : c];
		f->corner[3 * f->triangles + c] = vertex_at(f, s, sign[0] * p[0], sign[1] * p[1], sign[2] * p[2]);
	}
	++f->triangles;
}

static void add_octant(facing *f, const shape *s, const int sign[3])
{
	for (int i = 0; i < RINGS; ++i)
		for (int j = 0; i + j < RINGS; ++j) {
			const int k = RINGS - i - j;
			const int up[3][3] = {{i + 1, j, k - 1}, {i, j + 1, k - 1}, {i, j, k}};
			add_triangle(f, s, sign, up);
			if (k < 2) continue;
			const int down[3][3] = {{i + 1, j, k - 1}, {i + 1, j + 1, k - 2}, {i, j + 1, k - 1}};
			add_triangle(f, s, sign, down);
		}
}

static bool add_skin(shape *s, fail *why)
{
	facing f = {0};
	f.row = scree_alloc((size_t)2 * ROW * ROW, sizeof *f.row);
	f.vertex = scree_alloc(VERTICES, sizeof *f.vertex);
	f.corner = scree_alloc((size_t)3 * TRIANGLES, sizeof *f.corner);
	for (int k = 0; k < 2 * ROW * ROW; ++k) f.row[k] = -1;
	for (int k = 0; k < 8; ++k) add_octant(&f, s, (const int[3]){k & 1 ? -1 : 1, k & 2 ? -1 : 1, k & 4 ? -1 : 1});
	s->skin = scree_alloc(1, sizeof *s->skin);
	const bool made = scree_trimesh_load(s->skin, s->name, f.vertices, f.vertex, f.triangles, f.corner, why);
	scree_free(f.row), scree_free(f.vertex), scree_free(f.corner);
	return made;
}

/* ------------------------------------------------------------------ the shape */

static bool is_right(const shape *s, const char *name, fail *why)
{
	const vec3 semi = v3(s->semi_x, s->semi_y, s->semi_z);
	const real large = real_max(semi.x, real_max(semi.y, semi.z)), small = real_min(semi.x, real_min(semi.y, semi.z));
	const real power[2] = {s->power_xy, s->power_z};
	if (!(small > 0 && large < INFINITY && large <= SLENDER * small))
		return scree_refuse(
			why, "shape '%s': axes %g, %g and %g, expected three lengths above 0, each at most %g times any other",
			name, 2 * semi.x, 2 * semi.y, 2 * semi.z, SLENDER);
	for (int k = 0; k < 2; ++k)
		if (!(power[k] >= 2 && power[k] <= SUPERQUADRIC_MOST_POWER))
			return scree_refuse(why, "shape '%s': an exponent of %g, expected 2 to %g", name, power[k],
								SUPERQUADRIC_MOST_POWER);
	return true;
}

static void measure(shape *s)
{
	const real xy = s->power_xy, z = s->power_z, box = s->semi_x * s->semi_y * s->semi_z;
	const vec3 square = v3(s->semi_x * s->semi_x, s->semi_y * s->semi_y, s->semi_z * s->semi_z);
	if (xy == z) {
		s->volume = box * (z == 2 ? 4 * SCREE_PI / 3 : moment_of(z, 0, 0, 0));
		const real part = z == 2 ? s->volume / 5 : box * moment_of(z, 2, 0, 0);
		s->inertia = v3(part * (square.y + square.z), part * (square.z + square.x), part * (square.x + square.y));
		return;
	}
	s->volume = box * nested_moment_of(xy, z, 0, 0, 0);
	const real across = box * nested_moment_of(xy, z, 2, 0, 0), along = box * nested_moment_of(xy, z, 0, 0, 2);
	s->inertia =
		v3(across * square.y + along * square.z, along * square.z + across * square.x, across * (square.x + square.y));
}

int32_t scree_shapes_add_superquadric(shapes *s, const char *name, vec3 semi, real power_xy, real power_z, fail *why)
{
	shape made = {.type = SHAPE_SUPERQUADRIC, .frame = {1, 0, 0, 0}, .power_xy = power_xy, .power_z = power_z};
	made.semi_x = semi.x, made.semi_y = semi.y, made.semi_z = semi.z;
	if (!is_right(&made, name, why) || !scree_shape_name(&made, name, why)) return -1;
	made.radius = farthest_of(&made);
	made.inradius = real_min(semi.x, real_min(semi.y, semi.z));
	measure(&made);
	if (add_skin(&made, why)) return scree_shapes_append(s, &made);
	scree_shape_clear(&made);
	return -1;
}

/* The norm of two numbers, and its slopes, for the exponent conjugate to a power (narrow/smooth/support.c). */
typedef struct conjugate_norm {
	real size, slope[2];
} conjugate_norm;

static conjugate_norm conjugate_norm_of(real x, real y, real power)
{
	const real most = real_max(x, y), part[2] = {most > 0 ? x / most : 1, most > 0 ? y / most : 1};
	real e[2];
	for (int k = 0; k < 2; ++k) e[k] = part[k] > 0 ? scree_pow(part[k], 1 / (power - 1)) : 0;
	const real sum = part[0] * e[0] + part[1] * e[1], root = scree_pow(sum, (power - 1) / power);
	return (conjugate_norm){most * root, {e[0] * root / sum, e[1] * root / sum}};
}

vec3 scree_superquadric_farthest(vec3 semi, real power_xy, real power_z, vec3 n)
{
	const vec3 a = {n.x < 0 ? -semi.x : semi.x, n.y < 0 ? -semi.y : semi.y, n.z < 0 ? -semi.z : semi.z};
	const conjugate_norm flat = conjugate_norm_of(a.x * n.x, a.y * n.y, power_xy);
	const conjugate_norm all = conjugate_norm_of(flat.size, a.z * n.z, power_z);
	return v3(all.slope[0] * flat.slope[0] * a.x, all.slope[0] * flat.slope[1] * a.y, all.slope[1] * a.z);
}
