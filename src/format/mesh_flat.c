/* mesh_flat: replaces triangles without height. Such a triangle has a vertex on its side between the two others
 * (coincident vertices are already welded). With the neighbour across that side it forms a quadrangle, which is cut
 * along the other diagonal. The surface does not move, and stays closed. If the neighbour has no height either, it is
 * replaced first, or the longest side becomes shorter. */
#include "format/mesh_mend.h"

static vec3 corner_of(const mender *r, int32_t side) { return r->m.vertex[r->m.triangle[side]]; }

static real length2(const mender *r, int32_t side)
{
	return v3_norm2(v3_sub(corner_of(r, side_next(side)), corner_of(r, side)));
}

static int32_t longest_side(const mender *r, int32_t t)
{
	int32_t best = 3 * t;
	for (int32_t side = 3 * t + 1; side < 3 * t + 3; ++side)
		if (length2(r, side) > length2(r, best)) best = side;
	return best;
}

static bool is_flat(const mender *r, int32_t t)
{
	vec3 u = v3_sub(corner_of(r, 3 * t + 1), corner_of(r, 3 * t));
	vec3 v = v3_sub(corner_of(r, 3 * t + 2), corner_of(r, 3 * t));
	return !(v3_norm(v3_cross(u, v)) > r->height * sqrt(length2(r, longest_side(r, t))));
}

/* Whether a side joins the vertex at which `side` begins and the other vertex. Walks around the first vertex. */
static bool joined(const mender *r, int32_t side, int32_t vertex)
{
	int32_t start = side;
	do {
		if (r->m.triangle[side_next(side)] == vertex || r->m.triangle[side_last(side)] == vertex) return true;
		side = r->across[side_last(side)];
	} while (side >= 0 && side != start);
	return false;
}

static void set(mender *r, int32_t side, int32_t vertex, int32_t across)
{
	r->m.triangle[side] = vertex;
	r->across[side] = across;
	if (across >= 0) r->across[across] = side;
}

/* Side s runs from p to q, with b opposite; its other side runs from q to p, with d opposite. Replaces both triangles
 * by p d b and d q b. */
static void cut_other_way(mender *r, int32_t s)
{
	int32_t o = r->across[s], t = s / 3 * 3, u = o / 3 * 3, *c = r->m.triangle;
	int32_t p = c[s], q = c[o], b = c[side_last(s)], d = c[side_last(o)];
	int32_t bp = r->across[side_last(s)], qb = r->across[side_next(s)];
	int32_t dq = r->across[side_last(o)], pd = r->across[side_next(o)];
	set(r, t, p, pd), set(r, t + 2, b, bp);
	set(r, u, d, dq), set(r, u + 1, q, qb);
	set(r, t + 1, d, u + 2);
	set(r, u + 2, b, t + 1);
}

/* Replaces one triangle; false if that is not possible. */
static bool mend_one(mender *r, int32_t t)
{
	int32_t s = longest_side(r, t), o = r->across[s];
	if (o < 0 || joined(r, side_last(s), r->m.triangle[side_last(o)])) return false;
	bool both = is_flat(r, o / 3);
	if (both && longest_side(r, o / 3) != o) return false; /* the neighbour must be replaced first */
	cut_other_way(r, s);
	return true;
}

int32_t scree_flat_triangles(const mender *r)
{
	int32_t count = 0;
	for (int32_t t = 0; t < r->m.triangles; ++t) count += is_flat(r, t);
	return count;
}

static bool refuse(const mender *r, int32_t t)
{
	vec3 a = corner_of(r, 3 * t), b = corner_of(r, 3 * t + 1), c = corner_of(r, 3 * t + 2);
	return scree_fail(r->why, FAIL_INPUT,
					  "mesh '%s': the triangle (%g, %g, %g) (%g, %g, %g) (%g, %g, %g) has no height, and its "
					  "neighbours cannot be cut without it",
					  r->name, a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z);
}

bool scree_mend_flat(mender *r)
{
	enum { MOST_ROUNDS = 1000 };
	int32_t left = -1; /* a triangle that could not be replaced */
	bool progress = true;
	for (int round = 0; progress && round < MOST_ROUNDS; ++round) {
		left = -1;
		progress = false;
		for (int32_t t = 0; t < r->m.triangles; ++t) {
			if (!is_flat(r, t)) continue;
			left = t;
			if (mend_one(r, t)) progress = true;
		}
	}
	return left < 0 || refuse(r, left);
}
