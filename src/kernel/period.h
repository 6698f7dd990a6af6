/* period.h: images of bodies in periodic space (model/periods.h). On a processor, that header defines SCREE_PERIODS and
 * the same names for its own structs. All functions are pure. */
#ifndef SCREE_KERNEL_PERIOD_H
#define SCREE_KERNEL_PERIOD_H

#include "kernel/image.h"

/* Members as in `periods`. */
typedef struct period_row {
	int32_t axis[3], shears, flow, gradient;
} period_row;

/* Members as in `images`, at one time. */
typedef struct images_row {
	vec3 low, size;
	real speed, offset;
	int64_t turns;
	vec3 shift[IMAGE_CODES], drift[IMAGE_CODES];
} images_row;

#ifndef SCREE_PERIODS
typedef period_row period_rule;
typedef images_row period_images;
#endif

/* Adds (sign 1) or subtracts (sign -1) the whole periods of images' displacement along the flow, which codes omit. */
SCREE_FN image image_turned(SCREE_GLOBAL const period_rule *p, SCREE_GLOBAL const period_images *now, image s,
							int64_t sign)
{
	if (!p->shears) return s;
	uint32_t more = (uint32_t)(uint64_t)(sign * now->turns * image_along(s, p->gradient));
	int32_t *f = p->flow == 0 ? &s.x : p->flow == 1 ? &s.y : &s.z;
	*f = (int32_t)((uint32_t)*f + more);
	return s;
}

/* The image of b that meets a. m is the pair's image; ca and cb count the cells that a and b have crossed. Sums are
 * unsigned: large counts in a damaged snapshot give wrong numbers, but not undefined behaviour. */
SCREE_FN int32_t image_met(SCREE_GLOBAL const period_rule *p, SCREE_GLOBAL const period_images *now, image m, image ca,
						   image cb)
{
	image s = {(int32_t)((uint32_t)m.x + (uint32_t)cb.x - (uint32_t)ca.x),
			   (int32_t)((uint32_t)m.y + (uint32_t)cb.y - (uint32_t)ca.y),
			   (int32_t)((uint32_t)m.z + (uint32_t)cb.z - (uint32_t)ca.z)};
	image e = image_turned(p, now, s, 1);
	bool near = e.x >= -IMAGE_MOST && e.x <= IMAGE_MOST && e.y >= -IMAGE_MOST && e.y <= IMAGE_MOST &&
				e.z >= -IMAGE_MOST && e.z <= IMAGE_MOST;
	return near ? image_code(e) : IMAGE_NONE; /* if they are too far apart, the guards report such motion */
}

/* inverse of image_met: m of a pair whose image has this code now */
SCREE_FN image image_kept(SCREE_GLOBAL const period_rule *p, SCREE_GLOBAL const period_images *now, int32_t code,
						  image ca, image cb)
{
	image s = image_turned(p, now, image_of_code(code), -1);
	image m = {(int32_t)((uint32_t)s.x - (uint32_t)cb.x + (uint32_t)ca.x),
			   (int32_t)((uint32_t)s.y - (uint32_t)cb.y + (uint32_t)ca.y),
			   (int32_t)((uint32_t)s.z - (uint32_t)cb.z + (uint32_t)ca.z)};
	return m;
}

/* ------------------------------------------------------------------ the cell */

/* whole periods between the cell and x; 0 if x is NaN or out of range */
SCREE_FN int32_t periods_off(real x, real low, real size)
{
	const real k = real_floor((x - low) / size);
	return k > (real)-1e9 && k < (real)1e9 ? (int32_t)k : 0;
}

/* Removes all whole periods from x; if rounding puts x at the upper end of the cell, x becomes the lower end. Returns
 * their number. */
SCREE_FN int32_t into_cell(real *x, real low, real size)
{
	const int32_t k = periods_off(*x, low, size);
	if (!k) return 0;
	*x -= (real)k * size;
	const int32_t more = periods_off(*x, low, size);
	*x = more ? low : *x;
	return k + (more > 0 ? 1 : 0);
}

SCREE_FN bool cell_holds_point(SCREE_GLOBAL const period_rule *p, SCREE_GLOBAL const period_images *now, vec3 at)
{
	const vec3 r = v3_sub(at, now->low), size = now->size;
	const bool x = !p->axis[0] || (r.x >= 0 && r.x / size.x < 1), y = !p->axis[1] || (r.y >= 0 && r.y / size.y < 1);
	return x && y && (!p->axis[2] || (r.z >= 0 && r.z / size.z < 1));
}

SCREE_FN void count_along(image *e, int32_t axis, int32_t more)
{
	int32_t *c = axis == 0 ? &e->x : axis == 1 ? &e->y : &e->z;
	*c = (int32_t)((uint32_t)*c + (uint32_t)more);
}

SCREE_FN int32_t wrap_along(SCREE_GLOBAL const period_images *now, int32_t axis, vec3 *at)
{
	real x = v3_part(*at, axis);
	const int32_t k = into_cell(&x, v3_part(now->low, axis), v3_part(now->size, axis));
	*v3_along(at, axis) = x;
	return k;
}

/* Wraps a position into a cell of constant size. crossed, drift: the removed periods and their velocity */
SCREE_FN vec3 wrap_into_cell(SCREE_GLOBAL const period_rule *p, SCREE_GLOBAL const period_images *now, vec3 at,
							 image *crossed, vec3 *drift)
{
	const image none = {0, 0, 0};
	*crossed = none;
	*drift = v3(0, 0, 0);
	if (p->shears) { /* the gradient axis is first, because wrapping along it moves the body along the flow */
		const int32_t k = wrap_along(now, p->gradient, &at);
		if (k) {
			*v3_along(&at, p->flow) -= (real)k * now->offset;
			*v3_along(drift, p->flow) = (real)k * now->speed;
			count_along(crossed, p->gradient, k);
			*crossed = image_turned(p, now, *crossed, -1);
		}
	}
	for (int32_t d = 0; d < 3; ++d)
		if (p->axis[d] && !(p->shears && d == p->gradient)) count_along(crossed, d, wrap_along(now, d, &at));
	return at;
}

/* increase in kinetic energy when v becomes v - drift, in J */
SCREE_FN real kinetic_more(real mass, vec3 v, vec3 drift) { return mass * (v3_norm2(drift) / 2 - v3_dot(v, drift)); }

#endif
