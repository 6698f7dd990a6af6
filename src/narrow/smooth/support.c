/* support: support functions of superquadrics and their derivatives.
 *
 * The inside-outside function of a superquadric is a norm with exponent p in the coordinates x/a, y/b, z/c. The support
 * function is therefore the norm with the conjugate exponent p' = p/(p-1), in the coordinates a n_x, b n_y, c n_z. With
 * two exponents, the function is the p-norm of two numbers: z/c and the q-norm of x/a and y/b. The support function is
 * nested in the same way, with p' and q' = q/(q-1). */
#include "narrow/smooth/smooth.h"

#include "base/maths.h"
#include "shape/shapes.h"

/* smallest value, relative to a direction's largest component, that second derivatives use for a component */
static const real LEAST_PART = 1e-14;

static real sign_of(real x) { return x < 0 ? -1 : 1; }

static support of_ellipsoid(const smooth *s, vec3 v, vec3 t, vec3 u)
{
	const vec3 a = s->semi, y = v3(a.x * v.x, a.y * v.y, a.z * v.z);
	const vec3 at = v3(a.x * t.x, a.y * t.y, a.z * t.z), au = v3(a.x * u.x, a.y * u.y, a.z * u.z);
	const real h = v3_norm(y), one = 1 / h;
	const real yt = v3_dot(y, at) * one, yu = v3_dot(y, au) * one;
	return (support){h, v3(a.x * y.x * one, a.y * y.y * one, a.z * y.z * one), (v3_norm2(at) - yt * yt) * one,
					 (v3_dot(at, au) - yt * yu) * one, (v3_norm2(au) - yu * yu) * one};
}

/* With r = y / max y and e = r^(q-1), the sum S of r e gives h = max y S^(1/q) and the point (a e) S^(1/q - 1). */
static support of_superquadric(const smooth *s, vec3 v, vec3 t, vec3 u)
{
	const vec3 a = s->semi, y = v3(a.x * real_abs(v.x), a.y * real_abs(v.y), a.z * real_abs(v.z));
	const real most = real_max(y.x, real_max(y.y, y.z)), power = 1 / (s->power_z - 1);
	vec3 at, weight;
	real r[3], e[3], sum = 0;
	for (int k = 0; k < 3; ++k) {
		r[k] = v3_part(y, k) / most;
		e[k] = r[k] > 0 ? scree_pow(r[k], power) : 0;
		sum += r[k] * e[k];
	}
	const real root = scree_pow(sum, (s->power_z - 1) / s->power_z), h = most * root, shrink = root / sum;
	for (int k = 0; k < 3; ++k) {
		const real ak = v3_part(a, k), least = real_max(r[k], LEAST_PART);
		const real rise = r[k] < LEAST_PART ? scree_pow(least, power) : e[k];
		*v3_along(&at, k) = sign_of(v3_part(v, k)) * ak * e[k] * shrink;
		*v3_along(&weight, k) = ak * ak * rise * shrink * root / least;
	}
	const real xt = v3_dot(at, t), xu = v3_dot(at, u), scale = power / h;
	const vec3 wt = v3(weight.x * t.x, weight.y * t.y, weight.z * t.z);
	const real tt = v3_dot(wt, t), tu = v3_dot(wt, u),
			   uu = weight.x * u.x * u.x + weight.y * u.y * u.y + weight.z * u.z * u.z;
	return (support){h, at, scale * (tt - xt * xt), scale * (tu - xt * xu), scale * (uu - xu * xu)};
}

/* Norm of two numbers x, y >= 0 with exponent p', the conjugate of `power`. The second derivatives are (p' - 1) / size
 * times the diagonal matrix (bend of x, bend of y) minus the product of the slopes. */
typedef struct dual_norm {
	real size, slope[2], bend[2];
	real rise; /* p' - 1 */
} dual_norm;

static dual_norm dual_norm_of(real x, real y, real power)
{
	const real most = real_max(x, y), part[2] = {most > 0 ? x / most : 1, most > 0 ? y / most : 1};
	dual_norm o = {.rise = 1 / (power - 1)};
	real e[2], sum = 0;
	for (int k = 0; k < 2; ++k) {
		e[k] = power == 2 ? part[k] : part[k] > 0 ? scree_pow(part[k], o.rise) : 0;
		sum += part[k] * e[k];
	}
	const real root = power == 2 ? sqrt(sum) : scree_pow(sum, (power - 1) / power), shrink = root / sum;
	o.size = most * root;
	for (int k = 0; k < 2; ++k) {
		const real least = real_max(part[k], LEAST_PART);
		const real up = power == 2 ? least : part[k] < LEAST_PART ? scree_pow(least, o.rise) : e[k];
		o.slope[k] = e[k] * shrink;
		o.bend[k] = up / least * shrink * root;
	}
	return o;
}

static support of_nested(const smooth *s, vec3 v, vec3 t, vec3 u)
{
	const vec3 a = v3(sign_of(v.x) * s->semi.x, sign_of(v.y) * s->semi.y, sign_of(v.z) * s->semi.z);
	const dual_norm in = dual_norm_of(a.x * v.x, a.y * v.y, s->power_xy),
					h = dual_norm_of(in.size, a.z * v.z, s->power_z);
	const vec3 rise = v3(in.slope[0] * a.x, in.slope[1] * a.y, 0); /* gradient of the inner norm */
	const vec3 at = v3(h.slope[0] * rise.x, h.slope[0] * rise.y, h.slope[1] * a.z);
	const vec3 wide = v3(in.bend[0] * a.x * a.x, in.bend[1] * a.y * a.y, 0);
	const vec3 way[3][2] = {{t, t}, {t, u}, {u, u}};
	real second[3];
	for (int k = 0; k < 3; ++k) {
		const vec3 p = way[k][0], q = way[k][1];
		const real inner = v3_dot(rise, p) * v3_dot(rise, q);
		const real outer = h.bend[0] * inner + h.bend[1] * a.z * a.z * p.z * q.z - v3_dot(at, p) * v3_dot(at, q);
		const real across = wide.x * p.x * q.x + wide.y * p.y * q.y - inner;
		second[k] = (h.rise * outer + in.rise * h.bend[0] * across) / h.size;
	}
	return (support){h.size, at, second[0], second[1], second[2]};
}

support scree_smooth_support(const smooth *s, vec3 n, vec3 t, vec3 u)
{
	support f = {0, v3(0, 0, 0), 0, 0, 0};
	if (s->semi.x > 0) {
		const vec3 v = mat3_tmul(s->turn, n), vt = mat3_tmul(s->turn, t), vu = mat3_tmul(s->turn, u);
		f = (s->power_xy != s->power_z ? of_nested : s->power_z == 2 ? of_ellipsoid : of_superquadric)(s, v, vt, vu);
		f.at = mat3_mul(s->turn, f.at);
	}
	f.reach += s->round;
	f.at = v3_madd(f.at, s->round, n);
	f.tt += s->round;
	f.uu += s->round;
	return f;
}

vec3 scree_smooth_normal(const smooth *s, vec3 p)
{
	const vec3 part = v3(p.x / s->semi.x, p.y / s->semi.y, p.z / s->semi.z);
	const real most = real_max(real_abs(part.x), real_max(real_abs(part.y), real_abs(part.z)));
	return v3_unit(scree_superquadric_slope(s->semi, s->power_xy, s->power_z, p, most));
}

smooth_plane scree_smooth_plane(const smooth *s, vec3 n, vec3 t)
{
	const support f = scree_smooth_support(s, n, t, v3_cross(n, t));
	return (smooth_plane){f.reach, f.at, f.tt};
}

smooth scree_smooth_of(const placed *p, real grown)
{
	const shape *o = p->shape;
	smooth s = {
		.at = p->at, .turn = p->turn, .power_xy = 2, .power_z = 2, .round = grown, .sharp = grown, .radius = grown};
	if (o->type != SHAPE_SUPERQUADRIC) {
		const real r = p->size * o->radius;
		s.round += r, s.sharp += r, s.radius += r;
		return s;
	}
	s.semi = v3(p->size * o->semi_x, p->size * o->semi_y, p->size * o->semi_z);
	s.power_xy = o->power_xy, s.power_z = o->power_z;
	s.sharp += p->size * o->inradius * o->inradius / ((real_max(o->power_xy, o->power_z) - 1) * o->radius);
	s.radius += p->size * o->radius;
	return s;
}
