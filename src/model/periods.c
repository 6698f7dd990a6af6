#include "model/periods.h"

#include "base/fixed.h"
#include "base/maths.h"

static const real WHOLE = 4611686018427387904.0; /* 2^62: quanta per period */

static real shift_along(const periods *p, const images *now, image e, int32_t axis)
{
	if (!p->axis[axis]) return 0;
	real whole = (real)image_along(e, axis) * v3_part(now->size, axis);
	return p->shears && axis == p->flow ? whole + (real)image_along(e, p->gradient) * now->offset : whole;
}

void scree_periods_start(const periods *p, images *now, vec3 rate)
{
	now->begun = true;
	now->low = p->low;
	now->size = p->size;
	now->growth = now->middle = v3(rate.x * p->size.x, rate.y * p->size.y, rate.z * p->size.z);
	now->mean = now->border = now->speeding = v3(0, 0, 0);
}

void scree_periods_grow(const periods *p, images *now, real dt)
{
	now->middle = v3_madd(now->growth, dt / 2, now->speeding);
	now->growth = v3_madd(now->growth, dt, now->speeding);
	now->size = v3_madd(now->size, dt, now->middle);
	now->low = v3_madd(periods_centre(p), (real)-0.5, now->size);
}

void scree_periods_set(const periods *p, images *now, int64_t steps, real dt)
{
	if (!p->on) return;
	if (!p->deforms) now->low = p->low, now->size = p->size;
	now->speed = now->offset = 0;
	now->turns = now->part = 0;
	if (p->shears) {
		real period = v3_part(p->size, p->flow);
		now->speed = p->rate * v3_part(p->size, p->gradient);
		real each = real_clamp(now->speed * dt / period, -1, 1); /* the preparation of a world refuses higher speeds */
		int128 way = now->part_from + (int128)steps * (int64_t)(each * WHOLE);
		int128 turns = way >> 62; /* rounds down */
		now->turns = now->turns_from + (int64_t)turns;
		now->part = (int64_t)(way - turns * ((int128)1 << 62));
		now->offset = (real)now->part / WHOLE * period;
	}
	for (int32_t code = 0; code < IMAGE_CODES; ++code) {
		image e = image_of_code(code);
		now->shift[code] = v3(shift_along(p, now, e, 0), shift_along(p, now, e, 1), shift_along(p, now, e, 2));
		now->drift[code] = v3(0, 0, 0);
		if (p->shears) *v3_along(now->drift + code, p->flow) = (real)image_along(e, p->gradient) * now->speed;
		if (p->deforms) now->drift[code] = image_drift(e, now->growth);
	}
}

void scree_periods_hold(images *now)
{
	now->turns_from = now->turns;
	now->part_from = now->part;
}

int32_t scree_periods_into_cell(const images *now, int32_t axis, real *x)
{
	return into_cell(x, v3_part(now->low, axis), v3_part(now->size, axis));
}

vec3 scree_periods_wrap(const periods *p, const images *now, vec3 at, image *crossed, vec3 *drift)
{
	const vec3 in = wrap_into_cell(p, now, at, crossed, drift);
	if (p->deforms) *drift = image_drift(*crossed, now->growth);
	return in;
}

vec3 scree_periods_unwrap(const periods *p, const images *now, vec3 at, image crossed)
{
	const int32_t c[3] = {crossed.x, crossed.y, crossed.z};
	for (int32_t d = 0; d < 3; ++d) {
		int64_t whole = c[d];
		if (p->shears && d == p->flow) {
			whole += now->turns * c[p->gradient];
			*v3_along(&at, d) += (real)c[p->gradient] * now->offset;
		}
		if (p->axis[d]) *v3_along(&at, d) += (real)whole * v3_part(now->size, d);
	}
	return at;
}

/* whole periods to add to x to bring it nearest to 0 */
static int32_t whole_periods(real x, real size)
{
	real k = -scree_floor(x / size + (real)0.5);
	return k > (real)-1e9 && k < (real)1e9 ? (int32_t)k : 0;
}

int32_t scree_periods_nearest(const periods *p, const images *now, vec3 a, vec3 b)
{
	vec3 r = v3_sub(b, a);
	int32_t e[3] = {0, 0, 0};
	if (p->shears) {
		e[p->gradient] = whole_periods(v3_part(r, p->gradient), v3_part(now->size, p->gradient));
		*v3_along(&r, p->flow) += (real)e[p->gradient] * now->offset;
	}
	for (int32_t d = 0; d < 3; ++d)
		if (p->axis[d] && !(p->shears && d == p->gradient)) e[d] = whole_periods(v3_part(r, d), v3_part(now->size, d));
	for (int32_t d = 0; d < 3; ++d)
		if (e[d] < -IMAGE_MOST || e[d] > IMAGE_MOST) return IMAGE_NONE;
	return image_code((image){e[0], e[1], e[2]});
}

vec3 scree_periods_apart(const periods *p, const images *now, vec3 a, vec3 b)
{
	image crossed;
	vec3 drift;
	a = scree_periods_wrap(p, now, a, &crossed, &drift);
	b = scree_periods_wrap(p, now, b, &crossed, &drift);
	return v3_sub(v3_sub(a, b), now->shift[scree_periods_nearest(p, now, a, b)]);
}

vec3 scree_periods_flow(const periods *p, const images *now, vec3 at)
{
	vec3 v = v3(0, 0, 0);
	if (p->deforms) {
		const vec3 r = v3_sub(at, periods_centre(p)), u = now->growth, l = now->size;
		return v3(r.x * (u.x / l.x), r.y * (u.y / l.y), r.z * (u.z / l.z));
	}
	if (!p->shears) return v;
	real above = v3_part(at, p->gradient) - (v3_part(p->low, p->gradient) + v3_part(p->size, p->gradient) / 2);
	*v3_along(&v, p->flow) = p->rate * above;
	return v;
}
