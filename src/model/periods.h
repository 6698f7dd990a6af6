/* periods.h: periodic space (docs/theory/periodic.md). A body represents all its images, one in each cell of a lattice;
 * its position is kept in the cell low .. low + size, together with counts of the cells that it has crossed. Two axes
 * may shear: images across the gradient axis then move along the flow axis at rate * size (Lees and Edwards 1972).
 * Otherwise the cell may change size (cell_rule of model/model.h) about a fixed centre; its size is part of the state.
 *
 * A pair interacts through at most one image, since a period is longer than two cut-offs. The counts determine the
 * image: the sum m below stays constant after the search, whatever boundaries the bodies cross. */
#ifndef SCREE_MODEL_PERIODS_H
#define SCREE_MODEL_PERIODS_H

#include "base/fail.h"
#include "kernel/image.h"

typedef struct periods {
	bool axis[3];	/* which axes are periodic */
	vec3 low, size; /* the initial cell */
	bool deforms;	/* whether the size of the cell changes */
	bool shears;
	int32_t flow, gradient; /* axes of a sheared world */
	real rate;				/* d velocity along flow / d position along gradient, in 1/s */
	bool on;				/* whether any axis is periodic (periods_begin) */
} periods;

/* Positions of images at one time, relative to the body. */
typedef struct images {
	/* displacement of upper images at the last change of the time step: whole periods, and the rest in 2^-62 periods */
	int64_t turns_from, part_from;
	/* whether the cell below belongs to the state; otherwise the world's preparation sets it to the initial cell */
	bool begun;
	vec3 low, size; /* m: the present cell */
	vec3 growth;	/* rate at which the size of the cell changes, in m/s */
	vec3 mean;		/* running mean of the strain rate along axes with a given stress, in 1/s */
	/* required stresses and stresses of the cell, integrated over time, in Pa s, along each axis with a servo since its
	 * stress was first reached; for reports */
	vec3 asked, given;
	vec3 border; /* sum of f_d s_d over the contacts of the last step, in N, where s is the image of b that a meets */
	/* in a cell that changes size, for the present step; set before the drift */
	vec3 speeding; /* second derivative of the cell's size, constant in a step, in m/s^2 */
	vec3 middle;   /* rate of change of the size in the middle of the step, in m/s */
	/* the rate that implicit steps expect for the middle of the next step; and, due to the change in this rate, the
	 * velocity per distance from the centre, in 1/s (scree_cell_ahead) */
	vec3 coming, pull;
	/* members that scree_periods_set computes */
	real speed;				 /* velocity of the upper images along the flow, in m/s: rate * size along the gradient */
	real offset;			 /* displacement of these images along the flow, less whole periods, in m */
	int64_t turns, part;	 /* whole periods of this displacement, and the offset in units of 2^-62 periods */
	vec3 shift[IMAGE_CODES]; /* position of the image of each code relative to the body, in m */
	vec3 drift[IMAGE_CODES]; /* velocity of this image relative to the body, in m/s */
} images;

/* Called after the axes have been set. */
SCREE_FN void periods_begin(periods *p) { p->on = p->axis[0] || p->axis[1] || p->axis[2]; }

#define SCREE_PERIODS /* the names of kernel/period.h */
typedef periods period_rule;
typedef images period_images;
#include "kernel/period.h"

/* a vector of one period along each axis */
SCREE_FN vec3 image_drift(image e, vec3 by) { return v3((real)e.x * by.x, (real)e.y * by.y, (real)e.z * by.z); }

/* Computes the derived members for this number of steps since the last change of the time step. The offset is a
 * multiple of 2^-62 periods and increases linearly, so it is as exact after a million periods as at the start. */
void scree_periods_set(const periods *p, images *now, int64_t steps, real dt);
/* Sets the cell to the initial one, growing at these strain rates (1/s). */
void scree_periods_start(const periods *p, images *now, vec3 rate);
/* Changes the size of the cell by one step, before scree_periods_set. */
void scree_periods_grow(const periods *p, images *now, real dt);
/* Called before the time step changes: the offset continues from its current value. */
void scree_periods_hold(images *now);
/* change in the velocity of a body at this position, in m/s, due to the expected change in the rate of the cell */
SCREE_FN vec3 periods_pull(const periods *p, const images *now, vec3 at)
{
	if (!p->deforms) return v3(0, 0, 0);
	const vec3 r = v3_sub(at, v3_madd(p->low, (real)0.5, p->size)), k = now->pull;
	return v3(r.x * k.x, r.y * k.y, r.z * k.z);
}
/* half of the speed of images relative to each other, which is not zero even for bodies at rest, in m/s */
SCREE_FN real periods_slip(const periods *p, const images *now)
{
	if (p->deforms) return v3_norm(now->growth) / 2;
	return p->shears ? real_abs(p->rate * v3_part(p->size, p->gradient)) / 2 : 0;
}
/* Wraps a coordinate into the cell, except along the flow in a sheared world; returns the number of removed periods. */
int32_t scree_periods_into_cell(const images *now, int32_t axis, real *x);
/* Wraps a position into the cell; adds the removed periods to crossed and their velocity to drift. */
vec3 scree_periods_wrap(const periods *p, const images *now, vec3 at, image *crossed, vec3 *drift);
/* Returns the unwrapped position, from the position in the cell and the counts of crossed cells. */
vec3 scree_periods_unwrap(const periods *p, const images *now, vec3 at, image crossed);
/* The code of the image of b nearest to a; both are in the cell. */
int32_t scree_periods_nearest(const periods *p, const images *now, vec3 a, vec3 b);
/* displacement from b's nearest image to a; both may be anywhere */
vec3 scree_periods_apart(const periods *p, const images *now, vec3 a, vec3 b);
/* velocity of the homogeneous flow at a position in the cell; zero in a cell that keeps its shape */
vec3 scree_periods_flow(const periods *p, const images *now, vec3 at);
SCREE_FN bool periods_flow_any(const periods *p) { return p->shears || p->deforms; }
/* the centre of the cell, which does not move, in m */
SCREE_FN vec3 periods_centre(const periods *p) { return v3_madd(p->low, (real)0.5, p->size); }

#endif
