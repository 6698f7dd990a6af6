/* grid: boxes of equal size. The rank is x + parts along x * (y + parts along y * z). */
#include "ranks/division/partition.h"

#include "base/memory.h"

typedef struct cell {
	int32_t at[3];
} cell;

static real size_of(const partition_plan *o, int32_t axis) { return v3_part(o->high, axis) - v3_part(o->low, axis); }

/* ------------------------------------------------------------------ number of parts */

/* area of all cuts, in m^2 */
static real area_of(const partition_plan *o, const int32_t parts[3])
{
	real area = 0;
	for (int32_t axis = 0; axis < 3; ++axis) {
		const int32_t cuts = parts[axis] - 1 + (o->periodic[axis] && parts[axis] > 1);
		area += cuts * size_of(o, (axis + 1) % 3) * size_of(o, (axis + 2) % 3);
	}
	return area;
}

/* Chooses the smallest area; among equal ones, the one with the fewest cuts along z, then along y. */
static void choose_parts(partition_plan *o)
{
	partition_plan trial = *o;
	if (o->flat) trial.high.z = trial.low.z + 1; /* areas per length */
	real least = INFINITY;
	for (int32_t z = 1; z <= (o->flat ? 1 : o->ranks); ++z)
		for (int32_t y = 1; y <= o->ranks / z; ++y) {
			const int32_t x = o->ranks / (y * z), parts[3] = {x, y, z};
			if (x * y * z != o->ranks || !(area_of(&trial, parts) < least)) continue;
			least = area_of(&trial, parts);
			o->parts[0] = x, o->parts[1] = y, o->parts[2] = z;
		}
}

static bool make(partition *p, fail *why)
{
	partition_plan *o = &p->plan;
	const int32_t *n = o->parts;
	if (!n[0] && !n[1] && !n[2]) choose_parts(o);
	if (n[0] > 0 && n[1] > 0 && n[2] > 0 && (int64_t)n[0] * n[1] * n[2] == o->ranks) return true;
	return scree_fail(why, FAIL_INPUT, "a grid of %d x %d x %d parts does not match %d ranks", n[0], n[1], n[2],
					  o->ranks);
}

/* ------------------------------------------------------------------ owners */

static cell cell_of(const partition *p, int32_t rank)
{
	const int32_t *n = p->plan.parts;
	return (cell){{rank % n[0], rank / n[0] % n[1], rank / n[0] / n[1]}};
}

static int32_t rank_of(const partition *p, cell c)
{
	return c.at[0] + p->plan.parts[0] * (c.at[1] + p->plan.parts[1] * c.at[2]);
}

/* position at which part k along an axis begins and part k - 1 ends, in m */
static real edge(const partition *p, int32_t axis, int32_t k)
{
	return v3_part(p->plan.low, axis) + size_of(&p->plan, axis) * k / p->plan.parts[axis];
}

/* Returns the last part that begins at or before x; the first part if there is none or x is NaN. */
static int32_t part_at(const partition *p, int32_t axis, real x)
{
	int32_t first = 0, end = p->plan.parts[axis];
	while (end - first > 1) {
		const int32_t middle = first + (end - first) / 2;
		if (x >= edge(p, axis, middle))
			first = middle;
		else
			end = middle;
	}
	return first;
}

static int32_t owner(const partition *p, vec3 at)
{
	return rank_of(p, (cell){{part_at(p, 0, at.x), part_at(p, 1, at.y), part_at(p, 2, at.z)}});
}

static bool meets(const partition *p, int32_t rank, vec3 low, vec3 high)
{
	const cell c = cell_of(p, rank);
	for (int32_t axis = 0; axis < 3; ++axis)
		if (c.at[axis] < part_at(p, axis, v3_part(low, axis)) || c.at[axis] > part_at(p, axis, v3_part(high, axis)))
			return false;
	return true;
}

/* ------------------------------------------------------------------ neighbours */

/* The box of part k along an axis, with no extent along the other axes. */
static part_box slice(const partition *p, int32_t axis, int32_t k)
{
	part_box o = {{0, 0, 0}, {0, 0, 0}};
	*v3_along(&o.low, axis) = edge(p, axis, k), *v3_along(&o.high, axis) = edge(p, axis, k + 1);
	return o;
}

static part_box box_of(const partition *p, cell c)
{
	part_box o;
	for (int32_t axis = 0; axis < 3; ++axis) {
		*v3_along(&o.low, axis) = edge(p, axis, c.at[axis]);
		*v3_along(&o.high, axis) = edge(p, axis, c.at[axis] + 1);
	}
	return o;
}

/* Lists the parts along an axis near part `of`, including `of`; in a sheared world, all along flow and gradient. */
static int32_t *near_along(const partition *p, int32_t axis, int32_t of, real reach, int32_t *count)
{
	int32_t *part = scree_alloc((size_t)p->plan.parts[axis], sizeof *part);
	const bool all = p->slide.on && (axis == p->slide.flow || axis == p->slide.gradient);
	const part_box own = slice(p, axis, of);
	*count = 0;
	for (int32_t k = 0; k < p->plan.parts[axis]; ++k) {
		const part_box other = slice(p, axis, k);
		if (k == of || all || scree_partition_gap(p, axis, &own, &other) <= reach) part[(*count)++] = k;
	}
	return part;
}

static bool is_near(const partition *p, cell a, cell b, real reach)
{
	const part_box one = box_of(p, a), other = box_of(p, b);
	return scree_partition_near(p, &one, &other, reach);
}

static int32_t *neighbours(const partition *p, int32_t rank, real reach, int32_t *count)
{
	const cell c = cell_of(p, rank);
	int32_t *near[3], n[3];
	for (int32_t axis = 0; axis < 3; ++axis) near[axis] = near_along(p, axis, c.at[axis], reach, n + axis);
	int32_t *all = scree_alloc((size_t)n[0] * (size_t)n[1] * (size_t)n[2], sizeof *all);
	*count = 0;
	for (int32_t z = 0; z < n[2]; ++z)
		for (int32_t y = 0; y < n[1]; ++y)
			for (int32_t x = 0; x < n[0]; ++x) {
				const cell other = {{near[0][x], near[1][y], near[2][z]}};
				const bool same = rank_of(p, other) == rank;
				if (!same && (!p->slide.on || is_near(p, c, other, reach))) all[(*count)++] = rank_of(p, other);
			}
	for (int32_t axis = 0; axis < 3; ++axis) scree_free(near[axis]);
	return all;
}

const partition_row scree_partition_grid = {
	.name = "grid", .make = make, .owner = owner, .meets = meets, .neighbours = neighbours};
