#include "ranks/division/partition.h"

#include "base/memory.h"

bool scree_partition_make(partition *p, const partition_row *by, const partition_plan *plan, fail *why)
{
	*p = (partition){.by = by, .plan = *plan};
	for (int32_t axis = 0; axis < 3; ++axis) {
		const real size = v3_part(plan->high, axis) - v3_part(plan->low, axis);
		if (!(size >= 0 && size < INFINITY))
			return scree_fail(why, FAIL_INPUT, "a world that is divided among ranks needs bounds along %c",
							  "xyz"[axis]);
	}
	return by->make(p, why);
}

void scree_partition_free(partition *p)
{
	scree_free(p->plane);
	p->plane = NULL;
}

/* gap within the cell, in m */
static real gap_inside(int32_t axis, const part_box *a, const part_box *b)
{
	const real up = v3_part(b->low, axis) - v3_part(a->high, axis),
			   down = v3_part(a->low, axis) - v3_part(b->high, axis);
	return real_max(up, down);
}

real scree_partition_gap(const partition *p, int32_t axis, const part_box *a, const part_box *b)
{
	const real size = v3_part(p->plan.high, axis) - v3_part(p->plan.low, axis);
	const real up = v3_part(b->low, axis) - v3_part(a->high, axis),
			   down = v3_part(a->low, axis) - v3_part(b->high, axis);
	const real inside = real_max(up, down);
	return p->plan.periodic[axis] ? real_min(inside, real_min(up + size, down + size)) : inside;
}

/* gap along the flow between a, displaced by the slide, and b, in m */
static real gap_after_slide(const partition *p, const part_box *a, const part_box *b)
{
	const int32_t axis = p->slide.flow;
	const real size = v3_part(p->plan.high, axis) - v3_part(p->plan.low, axis);
	real least = INFINITY;
	for (int k = -2; k <= 2; ++k) {
		part_box moved = *a;
		*v3_along(&moved.low, axis) += p->slide.by + k * size;
		*v3_along(&moved.high, axis) += p->slide.by + k * size;
		least = real_min(least, gap_inside(axis, &moved, b));
	}
	return least;
}

/* Tests whether the image of a above the cell, along the gradient, is near b. */
static bool is_near_above(const partition *p, const part_box *a, const part_box *b, real reach)
{
	const int32_t axis = p->slide.gradient, other = 3 - axis - p->slide.flow;
	const real size = v3_part(p->plan.high, axis) - v3_part(p->plan.low, axis);
	return v3_part(a->low, axis) + size - v3_part(b->high, axis) <= reach &&
		   scree_partition_gap(p, other, a, b) <= reach && gap_after_slide(p, a, b) <= reach;
}

bool scree_partition_near(const partition *p, const part_box *a, const part_box *b, real reach)
{
	bool near = true;
	for (int32_t axis = 0; axis < 3; ++axis) {
		/* images beyond the gradient's ends are displaced */
		const bool ends = p->slide.on && axis == p->slide.gradient;
		near = near && (ends ? gap_inside(axis, a, b) : scree_partition_gap(p, axis, a, b)) <= reach;
	}
	return near || (p->slide.on && (is_near_above(p, a, b, reach) || is_near_above(p, b, a, reach)));
}
