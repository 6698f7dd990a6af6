/* mesh_holes: closes borders of a mesh, each of which must be one loop in a plane. A loop is cut into triangles ear by
 * ear (Meisters 1975), the highest ear first, as seen along the normal of its plane. Signs are exact (base/orient.h),
 * and no other corner may be inside an ear or on its border. A loop that does not cross itself always has such an ear,
 * even if several corners are collinear. Loops of zero area become zero-height triangles whose longest sides are sides
 * of the loop. mesh_flat.c then cuts the triangles across these sides. */
#include "base/memory.h"
#include "base/orient.h"
#include "format/mesh_mend.h"

/* largest distance of corners from the plane, relative to the extent: a few single-precision rounding errors */
static const real IN_PLANE = 1e-6;
enum { MOST_CORNERS = 20000 };

typedef struct loop {
	int32_t corners;
	int32_t *corner; /* [corners] in the winding order of the triangles that fill the loop */
} loop;

/* ------------------------------------------------------------------ borders */

static bool refuse_hole(const mender *r, const loop *l, const char *what)
{
	vec3 p = r->m.vertex[l->corner[0]];
	return scree_fail(r->why, FAIL_INPUT, "mesh '%s': the hole with %d sides at (%g, %g, %g) %s", r->name, l->corners,
					  p.x, p.y, p.z, what);
}

/* after[v]: the vertex after v on a border, in the winding order of the filling triangles; -1 if v is on no border */
static bool find_borders(const mender *r, int32_t *after)
{
	const int32_t *c = r->m.triangle;
	for (int32_t i = 0; i < r->m.vertices; ++i) after[i] = -1;
	for (int32_t k = 0; k < 3 * r->m.triangles; ++k) {
		if (r->across[k] >= 0) continue;
		int32_t from = c[side_next(k)], to = c[k];
		if (after[from] >= 0) {
			vec3 p = r->m.vertex[from];
			return scree_fail(
				r->why, FAIL_INPUT,
				"mesh '%s': holes meet at the vertex at (%g, %g, %g), so they can be closed in several ways", r->name,
				p.x, p.y, p.z);
		}
		after[from] = to;
	}
	return true;
}

/* Returns the loop that starts at this vertex, and removes it from `after`. */
static loop take_loop(int32_t start, int32_t *after, int32_t *corner)
{
	loop l = {.corner = corner};
	for (int32_t at = start, next; (next = after[at]) >= 0; at = next) {
		corner[l.corners++] = at;
		after[at] = -1;
	}
	return l;
}

/* ------------------------------------------------------------------ triangles that fill a loop */

static vec3 at(const mender *r, const loop *l, int32_t k)
{
	return r->m.vertex[l->corner[(k + l->corners) % l->corners]];
}

static real add_triangle(mender *r, int32_t a, int32_t b, int32_t c)
{
	mesh *m = &r->m;
	if (m->triangles == r->room) scree_mender_room(r, r->room + r->room / 2 + 8);
	int32_t *to = m->triangle + 3 * m->triangles;
	r->turned[m->triangles++] = false;
	to[0] = a, to[1] = b, to[2] = c;
	vec3 p = m->vertex[a];
	return 0.5 * v3_norm(v3_cross(v3_sub(m->vertex[b], p), v3_sub(m->vertex[c], p)));
}

static real cut_corner(mender *r, loop *l, int32_t k)
{
	int32_t n = l->corners;
	real area = add_triangle(r, l->corner[(k + n - 1) % n], l->corner[k], l->corner[(k + 1) % n]);
	for (int32_t j = k; j + 1 < n; ++j) l->corner[j] = l->corner[j + 1];
	--l->corners;
	return area;
}

typedef struct view {
	int axis, sign; /* whether the loop is viewed against this axis rather than along it */
} view;

static int turn(view v, vec3 a, vec3 b, vec3 c)
{
	const int i = (v.axis + 1) % 3, j = (v.axis + 2) % 3;
	return v.sign *
		   scree_orient2(v3_part(a, i), v3_part(a, j), v3_part(b, i), v3_part(b, j), v3_part(c, i), v3_part(c, j));
}

/* Tests whether corner k is an ear, that is, convex and without any other corner inside it. */
static bool is_ear(const mender *r, const loop *l, view v, int32_t k)
{
	vec3 a = at(r, l, k - 1), b = at(r, l, k), c = at(r, l, k + 1);
	if (turn(v, a, b, c) <= 0) return false;
	for (int32_t j = k + 2; j < k + l->corners - 1; ++j) {
		vec3 p = at(r, l, j);
		if (turn(v, a, b, p) >= 0 && turn(v, b, c, p) >= 0 && turn(v, c, a, p) >= 0) return false;
	}
	return true;
}

/* Returns the square of the ear's height over its longest side. */
static real ear_height2(const mender *r, const loop *l, int32_t k)
{
	vec3 a = at(r, l, k - 1), b = at(r, l, k), c = at(r, l, k + 1), u = v3_sub(b, a), v = v3_sub(c, b);
	real longest2 = real_max(v3_norm2(v3_sub(c, a)), real_max(v3_norm2(u), v3_norm2(v)));
	return v3_norm2(v3_cross(u, v)) / longest2;
}

static bool cut_ears(mender *r, loop *l, view v, real *area)
{
	while (l->corners >= 3) {
		int32_t best = -1;
		real most = -1;
		for (int32_t k = 0; k < l->corners; ++k) {
			real height2 = ear_height2(r, l, k);
			if (height2 > most && is_ear(r, l, v, k)) most = height2, best = k;
		}
		if (best < 0)
			return refuse_hole(r, l, "has a border that crosses itself when seen along the normal of its plane");
		*area += cut_corner(r, l, best);
	}
	return true;
}

/* Cuts a loop whose corners are all collinear at the corners where the loop reverses its direction. */
static bool cut_slit(mender *r, loop *l)
{
	while (l->corners >= 3) {
		int32_t k = 0;
		while (k < l->corners &&
			   v3_dot(v3_sub(at(r, l, k - 1), at(r, l, k)), v3_sub(at(r, l, k + 1), at(r, l, k))) <= 0)
			++k;
		if (k == l->corners)
			return refuse_hole(r, l, "has no area, and cutting the triangles along it does not close it");
		cut_corner(r, l, k);
	}
	return true;
}

/* Computes twice the area vector of the loop, the mean of its corners, and its span. */
static vec3 area_of(const mender *r, const loop *l, vec3 *mean, real *span)
{
	vec3 o = at(r, l, 0), area = v3(0, 0, 0), sum = area;
	real far2 = 0;
	for (int32_t k = 0; k < l->corners; ++k) {
		vec3 p = v3_sub(at(r, l, k), o);
		area = v3_add(area, v3_cross(p, v3_sub(at(r, l, k + 1), o)));
		sum = v3_madd(sum, 1 / (real)l->corners, p);
		far2 = real_max(far2, v3_norm2(p));
	}
	*mean = v3_add(o, sum);
	*span = sqrt(far2);
	return area;
}

static bool fill(mender *r, loop *l, real *area)
{
	if (l->corners > MOST_CORNERS) return refuse_hole(r, l, "is too large to be filled, expected up to 20000 sides");
	vec3 mean, whole;
	real span;
	whole = area_of(r, l, &mean, &span);
	if (v3_norm(whole) <= r->height * span) {
		r->done->slits += l->corners - 2;
		return cut_slit(r, l);
	}
	vec3 n = v3_unit(whole);
	real off = 0, x = real_abs(n.x), y = real_abs(n.y), z = real_abs(n.z);
	for (int32_t k = 0; k < l->corners; ++k) off = real_max(off, real_abs(v3_dot(n, v3_sub(at(r, l, k), mean))));
	if (off > IN_PLANE * r->extent)
		return refuse_hole(r, l, "is not planar, so the missing surface cannot be reconstructed");
	int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
	++r->done->holes;
	return cut_ears(r, l, (view){axis, v3_part(n, axis) > 0 ? 1 : -1}, area);
}

static real surface_of(const mesh *m)
{
	real sum = 0;
	for (const int32_t *c = m->triangle; c < m->triangle + 3 * m->triangles; c += 3)
		sum +=
			0.5 * v3_norm(v3_cross(v3_sub(m->vertex[c[1]], m->vertex[c[0]]), v3_sub(m->vertex[c[2]], m->vertex[c[0]])));
	return sum;
}

bool scree_mend_holes(mender *r)
{
	int32_t *after = scree_alloc((size_t)r->m.vertices, sizeof *after), before = r->m.triangles, slit = 0;
	int32_t *corner = scree_alloc((size_t)r->m.vertices, sizeof *corner);
	real area = 0;
	bool good = find_borders(r, after);
	for (int32_t i = 0; good && i < r->m.vertices; ++i) {
		loop l = take_loop(i, after, corner);
		int32_t slits = r->done->slits, triangles = r->m.triangles;
		good = !l.corners || fill(r, &l, &area);
		if (r->done->slits > slits) slit += r->m.triangles - triangles;
	}
	SCREE_FREE_ALL(corner, after);
	if (!good) return false;
	r->done->filled = r->m.triangles - before - slit;
	if (r->done->holes) r->done->hole_share = area / surface_of(&r->m);
	return scree_mend_across(r);
}
