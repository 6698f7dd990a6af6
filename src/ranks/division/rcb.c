/* rcb: boxes of equal work, by recursive coordinate bisection (Berger and Bokhari 1987). A library chooses the planes;
 * owners are found only by comparison with these planes, and points on a plane belong to the parts below it. Until the
 * first cut everything belongs to rank 0. */
#include "ranks/division/partition.h"

#include "base/memory.h"

#include <stdlib.h>

static bool make(partition *p, fail *why)
{
	if (!(p->plan.balance > 0)) p->plan.balance = (real)1.1;
	if (p->plan.cut) return true;
	return scree_fail(why, FAIL_INPUT, "parts of equal work need Zoltan, and this scree was built without it");
}

/* ------------------------------------------------------------------ planes */

/* Parts first .. end-1, and the plane that divides them. */
typedef struct branch {
	const cut_plane *by;
	int32_t first, end;
} branch;

/* Returns all parts, or one part if the world has not been cut. */
static branch root(const partition *p) { return (branch){p->plane, 0, p->plane ? p->plan.ranks : 1}; }

static bool is_part(branch o) { return o.end - o.first == 1; }

static branch lower(branch o) { return (branch){o.by + 1, o.first, o.by->middle}; }

static branch upper(branch o) { return (branch){o.by + (o.by->middle - o.first), o.by->middle, o.end}; }

bool scree_rcb_planes_divide(const cut_plane *p, int32_t first, int32_t end)
{
	if (end - first < 2) return true;
	const bool right = p->axis >= 0 && p->axis < 3 && p->middle > first && p->middle < end && p->at - p->at == 0;
	return right && scree_rcb_planes_divide(p + 1, first, p->middle) &&
		   scree_rcb_planes_divide(p + (p->middle - first), p->middle, end);
}

/* ------------------------------------------------------------------ owners */

static int32_t owner(const partition *p, vec3 at)
{
	branch o = root(p);
	while (!is_part(o)) o = v3_part(at, o.by->axis) > o.by->at ? upper(o) : lower(o);
	return o.first;
}

static bool meets(const partition *p, int32_t rank, vec3 low, vec3 high)
{
	branch o = root(p);
	while (!is_part(o)) {
		const bool above = rank >= o.by->middle;
		if (above ? !(v3_part(high, o.by->axis) > o.by->at) : v3_part(low, o.by->axis) > o.by->at) return false;
		o = above ? upper(o) : lower(o);
	}
	return o.first == rank;
}

/* ------------------------------------------------------------------ neighbours */

/* A plane may be outside a box without points, in which case one of the parts is empty. */
static void cut_above(part_box *b, const cut_plane *c)
{
	real *high = v3_along(&b->high, c->axis);
	*high = real_min(*high, c->at);
}

static void cut_below(part_box *b, const cut_plane *c)
{
	real *low = v3_along(&b->low, c->axis);
	*low = real_max(*low, c->at);
}

/* Returns the cell along periodic axes, with no bounds along other axes. */
static part_box whole(const partition *p)
{
	part_box o = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
	for (int32_t axis = 0; axis < 3; ++axis) {
		if (!p->plan.periodic[axis]) continue;
		*v3_along(&o.low, axis) = v3_part(p->plan.low, axis);
		*v3_along(&o.high, axis) = v3_part(p->plan.high, axis);
	}
	return o;
}

static part_box box_of(const partition *p, int32_t rank)
{
	part_box b = whole(p);
	for (branch o = root(p); !is_part(o);) {
		const bool above = rank >= o.by->middle;
		(above ? cut_below : cut_above)(&b, o.by);
		o = above ? upper(o) : lower(o);
	}
	return b;
}

typedef struct looking {
	const partition *p;
	part_box own;
	int32_t rank, count;
	int32_t *found;
	real reach;
} looking;

/* A box that contains another box is no farther away than that box. */
static void look(looking *l, branch o, part_box b)
{
	if (!scree_partition_near(l->p, &l->own, &b, l->reach)) return;
	if (is_part(o)) {
		if (o.first != l->rank) l->found[l->count++] = o.first;
		return;
	}
	part_box high = b;
	cut_above(&b, o.by);
	cut_below(&high, o.by);
	look(l, lower(o), b);
	look(l, upper(o), high);
}

static int32_t *neighbours(const partition *p, int32_t rank, real reach, int32_t *count)
{
	looking l = {p, box_of(p, rank), rank, 0, scree_alloc((size_t)p->plan.ranks, sizeof *l.found), reach};
	if (p->plane) look(&l, root(p), whole(p)); /* other ranks have no bodies before the first cut */
	*count = l.count;
	return l.found;
}

/* ------------------------------------------------------------------ cuts */

/* Returns a position halfway between two coordinates, or at the lower one; one of them may be infinite if there are no
 * points on its side. */
static real between(real low, real high)
{
	const real middle = low + (high - low) / 2;
	if (low == -INFINITY) return high < INFINITY ? high - (1 + real_abs(high)) : 0;
	return middle < high ? middle : low;
}

/* Searches along an axis for the plane that divides these parts most evenly; keeps *best if that plane is equally even.
 * strict: no point of the upper parts is on the plane. */
static void find_plane(const part_box *part, int32_t first, int32_t end, int32_t axis, bool strict, cut_plane *best)
{
	real *above = scree_alloc((size_t)(end - first), sizeof *above), low = INFINITY, high = -INFINITY;
	for (int32_t k = end; k-- > first;) above[k - first] = low = real_min(low, v3_part(part[k].low, axis));
	for (int32_t k = first + 1; k < end; ++k) {
		high = real_max(high, v3_part(part[k - 1].high, axis));
		const int32_t uneven = abs(2 * k - first - end), least = abs(2 * best->middle - first - end);
		const bool divides = strict ? high < above[k - first] : high <= above[k - first];
		if (divides && (!best->middle || uneven < least)) *best = (cut_plane){between(high, above[k - first]), axis, k};
	}
	scree_free(above);
}

/* Writes the planes of parts first .. end-1. Returns false if planes cannot divide the parts. */
static bool find_planes(const part_box *part, int32_t first, int32_t end, cut_plane *to)
{
	cut_plane best = {0};
	if (end - first == 1) return true;
	for (int32_t axis = 0; axis < 3; ++axis) find_plane(part, first, end, axis, true, &best);
	for (int32_t axis = 0; axis < 3 && !best.middle; ++axis) find_plane(part, first, end, axis, false, &best);
	if (!best.middle) return false;
	*to = best;
	return find_planes(part, first, best.middle, to + 1) &&
		   find_planes(part, best.middle, end, to + (best.middle - first));
}

/* The bounding box of the points of each part; for a part without points it is empty. */
static part_box *find_boxes(int32_t parts, const weighted_points *p, const int32_t *part)
{
	part_box *o = scree_alloc((size_t)parts, sizeof *o);
	for (int32_t k = 0; k < parts; ++k)
		o[k] = (part_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
	for (int64_t k = 0; k < p->count; ++k) {
		part_box *b = o + part[k];
		*b = (part_box){v3_min(b->low, p->row[k].at), v3_max(b->high, p->row[k].at)};
	}
	return o;
}

static bool divide(int32_t ranks, const weighted_points *all, const int32_t *part, cut_plane *plane, fail *why)
{
	for (int64_t k = 0; k < all->count; ++k)
		if (part[k] < 0 || part[k] >= ranks) return scree_fail(why, FAIL_INTERNAL, "a point belongs to no part");
	part_box *of = find_boxes(ranks, all, part);
	const bool good = find_planes(of, 0, ranks, plane);
	scree_free(of);
	return good || scree_fail(why, FAIL_INTERNAL, "planes do not separate the %d parts of equal work", ranks);
}

static bool cut(partition *p, const weighted_points *all, fail *why)
{
	const int32_t ranks = p->plan.ranks;
	int32_t *part = scree_alloc((size_t)all->count, sizeof *part);
	cut_plane *plane = scree_alloc((size_t)ranks, sizeof *plane);
	const bool good = p->plan.cut(ranks, all, part, why) && divide(ranks, all, part, plane, why);
	scree_free(part);
	scree_free(good ? p->plane : plane);
	if (good) p->plane = plane;
	return good;
}

const partition_row scree_partition_rcb = {
	.name = "rcb", .make = make, .owner = owner, .meets = meets, .neighbours = neighbours, .cut = cut};
