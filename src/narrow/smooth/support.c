/* support: support functions of superquadrics and their derivatives.
 *
 * The inside-outside function of a superquadric is a norm with the exponent p in the coordinates x/a, y/b, z/c. So its
 * support function is the norm with the conjugate exponent q = p/(p-1), in the coordinates a n_x, b n_y, c n_z. */
#include "narrow/smooth/support.h"

#include "base/maths.h"

/* a component of a direction below this part of the largest one counts as this large in second derivatives */
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
	const real most = real_max(y.x, real_max(y.y, y.z)), power = 1 / (s->power - 1);
	vec3 at, weight;
	real r[3], e[3], sum = 0;
	for (int k = 0; k < 3; ++k) {
		r[k] = v3_part(y, k) / most;
		e[k] = r[k] > 0 ? scree_pow(r[k], power) : 0;
		sum += r[k] * e[k];
	}
	const real root = scree_pow(sum, (s->power - 1) / s->power), h = most * root, shrink = root / sum;
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

support scree_smooth_support(const smooth *s, vec3 n, vec3 t, vec3 u)
{
	support f = {0, v3(0, 0, 0), 0, 0, 0};
	if (s->semi.x > 0) {
		const vec3 v = mat3_tmul(s->turn, n), vt = mat3_tmul(s->turn, t), vu = mat3_tmul(s->turn, u);
		f = (s->power == 2 ? of_ellipsoid : of_superquadric)(s, v, vt, vu);
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
	vec3 n, part = v3(p.x / s->semi.x, p.y / s->semi.y, p.z / s->semi.z);
	const real most = real_max(real_abs(part.x), real_max(real_abs(part.y), real_abs(part.z)));
	for (int k = 0; k < 3; ++k) {
		const real x = real_abs(v3_part(part, k)) / most;
		*v3_along(&n, k) = sign_of(v3_part(part, k)) * (x > 0 ? scree_pow(x, s->power - 1) : 0) / v3_part(s->semi, k);
	}
	return v3_unit(n);
}

smooth_plane scree_smooth_plane(const smooth *s, vec3 n, vec3 t)
{
	const support f = scree_smooth_support(s, n, t, v3_cross(n, t));
	return (smooth_plane){f.reach, f.at, f.tt};
}

smooth scree_smooth_of(const placed *p, real grown)
{
	const shape *o = p->shape;
	smooth s = {.at = p->at, .turn = p->turn, .power = 2, .round = grown, .sharp = grown, .radius = grown};
	if (o->type != SHAPE_SUPERQUADRIC) {
		const real r = p->size * o->radius;
		s.round += r, s.sharp += r, s.radius += r;
		return s;
	}
	s.semi = v3(p->size * o->semi_x, p->size * o->semi_y, p->size * o->semi_z);
	s.power = o->power;
	s.sharp += p->size * o->inradius * o->inradius / ((o->power - 1) * o->radius);
	s.radius += p->size * o->radius;
	return s;
}
