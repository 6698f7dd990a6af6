/* mesh_flat: replaces zero-height triangles; used by several repairs in mesh_repair.c. A zero-height triangle has one
 * vertex on the side between the other two (coincident vertices are already welded). Together with the neighbour across
 * that side it forms a quadrilateral, which is cut along its other diagonal. The surface keeps its shape and stays
 * closed. If the neighbour has no height either, the neighbour is replaced first, or the longest side is shortened. */
#include "base/memory.h"
#include "format/mesh_mend.h"
#include "shape/mesh/surface.h"

void scree_mender_room(mender *r, int32_t triangles)
{
	if (triangles <= r->room) return;
	size_t kept = (size_t)r->m.triangles, room = (size_t)triangles;
	r->m.triangle = scree_grow(r->m.triangle, 3 * kept, 3 * room, sizeof *r->m.triangle);
	r->turned = scree_grow(r->turned, kept, room, sizeof *r->turned);
	r->across = scree_grow(r->across, 3 * (size_t)r->room, 3 * room, sizeof *r->across);
	r->room = triangles;
}

bool scree_mend_refuse_side(const mender *r, int32_t from, int32_t to, const char *what)
{
	vec3 p = r->m.vertex[from], q = r->m.vertex[to];
	return scree_fail(r->why, FAIL_INPUT, "mesh '%s': the side from (%g, %g, %g) to (%g, %g, %g) %s", r->name, p.x, p.y,
					  p.z, q.x, q.y, q.z, what);
}

bool scree_mend_across(mender *r)
{
	int64_t count = 3 * (int64_t)r->m.triangles;
	side *at = scree_sides(r->m.triangles, r->m.triangle);
	bool good = true;
	for (int64_t from = 0, end; good && from < count; from = end) {
		end = scree_sides_end(at, count, from);
		const side *a = at + from;
		r->across[a->corner] = -1;
		if (end - from == 2) r->across[a->corner] = a[1].corner, r->across[a[1].corner] = a->corner;
		good = end - from <= 2 ||
			   scree_mend_refuse_side(
				   r, a->low, a->high,
				   "belongs to more than two triangles, so it is not clear which of them form the surface");
	}
	scree_free(at);
	return good;
}

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

/* Tests whether a side connects `vertex` to the first vertex of `side`, by a walk around that vertex. */
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

/* Side s runs from p to q, and b is opposite s; the other triangle's side runs from q to p, and d is opposite that
 * side. Replaces the two triangles with p d b and d q b. */
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

/* Replaces one triangle; returns false if that is not possible. */
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
					  "mesh '%s': the triangle (%g, %g, %g) (%g, %g, %g) (%g, %g, %g) has no height and cannot be "
					  "removed, because its neighbours cannot be cut without it",
					  r->name, a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z);
}

bool scree_mend_flat(mender *r)
{
	enum { MOST_ROUNDS = 1000 };
	int32_t left = -1; /* row of a triangle that could not be replaced; -1 if none */
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
