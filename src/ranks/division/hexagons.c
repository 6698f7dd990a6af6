/* hexagons: columns along z over a hexagon of hexagons, 1 + 3 n (n + 1) columns for n rings. A point belongs to the
 * nearest centre, so outer columns have no outer bounds.
 *
 * Coordinates (q, r) of a hexagon: its centre is at apart (q + r/2, r sqrt(3)/2) from the middle, with |q|, |r|, |q +
 * r| <= n. Ranks increase along q within a row, and with r from row to row. */
#include "ranks/division/partition.h"

#include "base/memory.h"

typedef struct hexagon {
	int32_t q, r;
} hexagon;

static const real HALF_ROOT_3 = (real)0.86602540378443865;
/* radius of the corners relative to the distance between centres */
static const real CORNER = (real)0.57735026918962576;
static const hexagon around[6] = {{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}};

static int32_t all_with(int32_t rings) { return 1 + 3 * rings * (rings + 1); }

static bool make(partition *p, fail *why)
{
	const partition_plan *o = &p->plan;
	while (all_with(p->rings) < o->ranks) ++p->rings;
	if (all_with(p->rings) != o->ranks)
		return scree_fail(why, FAIL_INPUT, "hexagonal columns need 1, 7, 19, 37, 61, 91 ... ranks, not %d", o->ranks);
	if (o->periodic[0] || o->periodic[1])
		return scree_fail(why, FAIL_INPUT, "hexagonal columns cannot divide a world that is periodic along x or y");
	const vec3 size = v3_sub(o->high, o->low);
	p->apart = real_min(size.x, size.y) / (2 * p->rings + 1);
	p->middle = v3_madd(o->low, (real)0.5, size);
	if (p->apart > 0) return true;
	return scree_fail(why, FAIL_INPUT, "hexagonal columns need a box with a positive width along x and y");
}

/* ------------------------------------------------------------------ ranks and centres */

static int32_t first_of_row(int32_t rings, int32_t r) { return r < 0 ? -rings - r : -rings; }
static int32_t last_of_row(int32_t rings, int32_t r) { return r < 0 ? rings : rings - r; }

static bool is_inside(const partition *p, hexagon h)
{
	const int32_t n = p->rings;
	return h.r >= -n && h.r <= n && h.q >= first_of_row(n, h.r) && h.q <= last_of_row(n, h.r);
}

static int32_t rank_of(const partition *p, hexagon h)
{
	int32_t rank = 0;
	for (int32_t r = -p->rings; r < h.r; ++r) rank += last_of_row(p->rings, r) - first_of_row(p->rings, r) + 1;
	return rank + h.q - first_of_row(p->rings, h.r);
}

static hexagon hexagon_of(const partition *p, int32_t rank)
{
	hexagon h = {0, -p->rings};
	for (int32_t row; rank >= (row = last_of_row(p->rings, h.r) - first_of_row(p->rings, h.r) + 1); ++h.r) rank -= row;
	h.q = first_of_row(p->rings, h.r) + rank;
	return h;
}

/* m; z is 0 */
static vec3 centre_of(const partition *p, hexagon h)
{
	return v3(p->middle.x + p->apart * (h.q + (real)0.5 * h.r), p->middle.y + p->apart * HALF_ROOT_3 * h.r, 0);
}

/* ------------------------------------------------------------------ owners */

/* Returns the integer in low .. high nearest to x; low if x is NaN. */
static int32_t nearest(real x, int32_t low, int32_t high)
{
	if (!(x > low)) return low;
	return x < high ? low + (int32_t)(x - low + (real)0.5) : high;
}

/* Returns a hexagon close to a point, or one at the edge in the direction of the point. */
static hexagon guess(const partition *p, vec3 at)
{
	const int32_t n = p->rings;
	hexagon h;
	h.r = nearest((at.y - p->middle.y) / (p->apart * HALF_ROOT_3), -n, n);
	h.q = nearest((at.x - p->middle.x) / p->apart - (real)0.5 * h.r, first_of_row(n, h.r), last_of_row(n, h.r));
	return h;
}

static real distance2(const partition *p, hexagon h, vec3 at)
{
	return v3_norm2(v3_sub(centre_of(p, h), v3(at.x, at.y, 0)));
}

/* Tests whether a is nearer to the point than b; at equal distance the lower rank counts as nearer. */
static bool is_nearer(const partition *p, hexagon a, hexagon b, vec3 at)
{
	const real to_a = distance2(p, a, at), to_b = distance2(p, b, at);
	return to_a < to_b || (to_a == to_b && rank_of(p, a) < rank_of(p, b));
}

/* Finds the neighbour along direction k; returns whether there is one. */
static bool step_to(const partition *p, hexagon h, int k, hexagon *next)
{
	*next = (hexagon){h.q + around[k].q, h.r + around[k].r};
	return is_inside(p, *next);
}

/* Moves from hexagon to hexagon towards the point. */
static int32_t owner(const partition *p, vec3 at)
{
	hexagon best = guess(p, at), from;
	do {
		from = best;
		for (int k = 0; k < 6; ++k) {
			hexagon next;
			if (step_to(p, from, k, &next) && is_nearer(p, next, best, at)) best = next;
		}
	} while (best.q != from.q || best.r != from.r);
	return rank_of(p, best);
}

/* least product of d and x - m over all points x of a box, in m^2 */
static real least_along(vec3 d, vec3 m, vec3 low, vec3 high)
{
	const real x = real_min(d.x * (low.x - m.x), d.x * (high.x - m.x));
	return x + real_min(d.y * (low.y - m.y), d.y * (high.y - m.y));
}

/* A part contains the points that are no nearer to any neighbour. The bounds with two neighbours meet in a corner at
 * the top, and with two others at the bottom. A box beyond one bounding line, or a corner, does not meet the part. */
static bool meets(const partition *p, int32_t rank, vec3 low, vec3 high)
{
	const hexagon h = hexagon_of(p, rank);
	const vec3 here = centre_of(p, h), far = v3_max(v3_max(low, v3_neg(low)), v3_max(high, v3_neg(high)));
	const real rounding = (real)1e-9 * (p->apart + far.x + far.y), corner = CORNER * p->apart + rounding;
	bool there[6];
	for (int k = 0; k < 6; ++k) {
		hexagon next;
		if (!(there[k] = step_to(p, h, k, &next))) continue;
		const vec3 by = v3_sub(centre_of(p, next), here);
		if (least_along(by, v3_madd(here, (real)0.5, by), low, high) > rounding * p->apart) return false;
	}
	const bool ends_above = there[1] && there[2], ends_below = there[4] && there[5];
	return !(ends_above && low.y > here.y + corner) && !(ends_below && high.y < here.y - corner);
}

/* ------------------------------------------------------------------ neighbours */

/* The parts of outer hexagons extend outwards, where they are no nearer to each other than the hexagons. */
static bool is_near(const partition *p, hexagon a, hexagon b, real reach)
{
	const real root_2 = (real)1.4142135623730951, corners = 2 * CORNER * p->apart;
	const real most = (1 + (real)1e-12) * (root_2 * reach + corners);
	const int32_t q = b.q - a.q, r = b.r - a.r;
	return p->apart * p->apart * (q * q + q * r + r * r) <= most * most;
}

static int32_t *neighbours(const partition *p, int32_t rank, real reach, int32_t *count)
{
	const hexagon h = hexagon_of(p, rank);
	const int32_t most = nearest((2 * reach) / (p->apart * HALF_ROOT_3) + 2, 2, 2 * p->rings), n = p->rings;
	int32_t *all = scree_alloc((size_t)(2 * most + 1) * (size_t)(2 * most + 1), sizeof *all);
	*count = 0;
	for (int32_t r = h.r - most < -n ? -n : h.r - most; r <= n && r <= h.r + most; ++r)
		for (int32_t q = h.q - most; q <= h.q + most; ++q) {
			const hexagon other = {q, r};
			const bool same = q == h.q && r == h.r;
			if (!same && is_inside(p, other) && is_near(p, h, other, reach)) all[(*count)++] = rank_of(p, other);
		}
	return all;
}

const partition_row scree_partition_hexagons = {
	.name = "hexagons", .make = make, .owner = owner, .meets = meets, .neighbours = neighbours};
