/* periods.h: space that repeats. A body stands for all its images, one in each cell of a lattice; it is kept in the
 * cell low .. low + size, with counts of the cells that it has crossed. Two axes may shear: images across the gradient
 * axis then move along the flow axis at rate * size (Lees and Edwards 1972). docs/theory/periodic.md
 *
 * A pair of bodies acts through one image at most, since a period is longer than two cut-offs. Which one follows from
 * the counts alone: the sum m below stays what it was when the pair was found, whatever boundaries they cross. */
#ifndef SCREE_MODEL_PERIODS_H
#define SCREE_MODEL_PERIODS_H

#include "base/fail.h"
#include "base/real.h"

enum { IMAGE_MOST = 2, IMAGE_SIDE = 2 * IMAGE_MOST + 1, IMAGE_CODES = IMAGE_SIDE * IMAGE_SIDE * IMAGE_SIDE };

typedef struct periods {
	/* state */
	bool axis[3]; /* which repeat */
	vec3 low, size;
	bool shears;
	int32_t flow, gradient; /* axes, of a world that shears */
	real rate;				/* 1/s: d velocity along flow / d position along gradient */
	/* derived, by scree_periods_set */
	bool on;				 /* any axis repeats */
	real speed;				 /* m/s: rate * size along the gradient: of the images above, along flow */
	real offset;			 /* m: how far they have moved along flow, less whole periods */
	int64_t turns;			 /* these whole periods */
	vec3 shift[IMAGE_CODES]; /* m: where the image of each code lies beside the body itself, */
	vec3 drift[IMAGE_CODES]; /* m/s: and its velocity beside that of the body */
} periods;

/* An image by whole numbers of periods, of which flow's count from the offset on: a small number, so that no large ones
 * are subtracted from each other. */
typedef struct image {
	int32_t x, y, z;
} image;

/* < 0, 0 or > 0 */
SCREE_FN int image_order(image p, image q)
{
	if (p.x != q.x) return p.x < q.x ? -1 : 1;
	if (p.y != q.y) return p.y < q.y ? -1 : 1;
	return (p.z > q.z) - (p.z < q.z);
}

SCREE_FN int32_t image_code(image e)
{
	int32_t code = ((e.x + IMAGE_MOST) * IMAGE_SIDE + e.y + IMAGE_MOST) * IMAGE_SIDE + e.z + IMAGE_MOST;
	return code;
}
enum { IMAGE_NONE = IMAGE_CODES / 2 }; /* the body itself */
SCREE_FN image image_of_code(int32_t code)
{
	image e = {code / (IMAGE_SIDE * IMAGE_SIDE) - IMAGE_MOST, code / IMAGE_SIDE % IMAGE_SIDE - IMAGE_MOST,
			   code % IMAGE_SIDE - IMAGE_MOST};
	return e;
}
/* a seen from b instead of b from a */
SCREE_FN int32_t image_reverse(int32_t code) { return IMAGE_CODES - 1 - code; }

SCREE_FN int32_t image_along(image e, int32_t axis) { return axis == 0 ? e.x : axis == 1 ? e.y : e.z; }

/* along flow: whole periods that the images have moved are in the counts, but not in the code */
SCREE_FN image image_turned(const periods *p, image s, int64_t sign)
{
	if (!p->shears) return s;
	uint32_t more = (uint32_t)(uint64_t)(sign * p->turns * image_along(s, p->gradient));
	int32_t *f = p->flow == 0 ? &s.x : p->flow == 1 ? &s.y : &s.z;
	*f = (int32_t)((uint32_t)*f + more);
	return s;
}

/* The image of b that meets a: m is the pair's, ca and cb are the counts of the cells that they have crossed. Unsigned
 * sums: counts that a damaged snapshot makes large come out wrong, but as numbers. */
SCREE_FN int32_t image_met(const periods *p, image m, image ca, image cb)
{
	image s = {(int32_t)((uint32_t)m.x + (uint32_t)cb.x - (uint32_t)ca.x),
			   (int32_t)((uint32_t)m.y + (uint32_t)cb.y - (uint32_t)ca.y),
			   (int32_t)((uint32_t)m.z + (uint32_t)cb.z - (uint32_t)ca.z)};
	image e = image_turned(p, s, 1);
	bool near = e.x >= -IMAGE_MOST && e.x <= IMAGE_MOST && e.y >= -IMAGE_MOST && e.y <= IMAGE_MOST &&
				e.z >= -IMAGE_MOST && e.z <= IMAGE_MOST;
	return near ? image_code(e) : IMAGE_NONE; /* far from each other: motion beyond sense, which the guards report */
}
/* and back: m of a pair whose image has this code now */
SCREE_FN image image_kept(const periods *p, int32_t code, image ca, image cb)
{
	image s = image_turned(p, image_of_code(code), -1);
	image m = {(int32_t)((uint32_t)s.x - (uint32_t)cb.x + (uint32_t)ca.x),
			   (int32_t)((uint32_t)s.y - (uint32_t)cb.y + (uint32_t)ca.y),
			   (int32_t)((uint32_t)s.z - (uint32_t)cb.z + (uint32_t)ca.z)};
	return m;
}

/* Derives what is derived, for the end of step `step`. The offset is a whole number of 2^-62 periods: it grows by the
 * same number each step, so that it is as exact after a million periods as at the start. */
void scree_periods_set(periods *p, int64_t step, real dt);
/* m/s: half of the speed at which images across the gradient pass each other; of bodies at rest, too */
SCREE_FN real periods_slip(const periods *p)
{
	return p->shears ? real_abs(p->rate * v3_part(p->size, p->gradient)) / 2 : 0;
}
/* A place put into the cell; crossed gets the periods that were taken off, drift the velocity. */
vec3 scree_periods_wrap(const periods *p, vec3 at, image *crossed, vec3 *drift);
/* Where a body is that never was put back: its place, and its count of cells. */
vec3 scree_periods_unwrap(const periods *p, vec3 at, image crossed);
/* The code of the image of b nearest to a; both lie in the cell. */
int32_t scree_periods_nearest(const periods *p, vec3 a, vec3 b);
/* from b's nearest image to a, both anywhere */
vec3 scree_periods_apart(const periods *p, vec3 a, vec3 b);
/* velocity of the homogeneous flow at a place of the cell; zero without shear */
vec3 scree_periods_flow(const periods *p, vec3 at);

#endif
