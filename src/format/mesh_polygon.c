/* mesh_polygon: cuts polygons in space into triangles. If the fan from the first corner has no overlaps and no slivers,
 * the polygon becomes that fan. Other polygons are projected along the largest component of their normal (Newell's
 * sums), and ears are cut off (Meisters 1975; Eberly, Triangulation by Ear Clipping). A corner is an ear if its
 * triangle has the right orientation, contains no other corner and is not crossed by any side. The roundest ear is cut
 * first, so that corners on straight sides become corners of triangles of nonzero height. Signs are exact
 * (base/orient.h). A bridge that joins a hole to the outline appears as two sides that run in opposite directions. */
#include "base/memory.h"
#include "base/orient.h"
#include "format/mesh_reader.h"

enum { MOST_CORNERS = 10000 };	 /* limit for polygons that are not fans; the time grows with its square */
static const real SLIVER = 1e-6; /* smallest ratio of height to longest side that a triangle of a fan may have */
static const real DEEP = 1e-5;	 /* relative to the polygon's size: smaller crossings are attributed to rounding */

typedef struct outline {
	int32_t corners, left, made; /* left: corners that have not been cut off yet */
	const int32_t *vertex;
	real *x, *y;
	int32_t *next, *last;
	int32_t *triangle;
} outline;

/* Returns twice the area vector of the polygon. */
static vec3 normal_of(const vec3 *p, int32_t corners, const int32_t *c, real *sum)
{
	vec3 all = v3(0, 0, 0);
	*sum = 0;
	for (int32_t k = 1; k + 1 < corners; ++k) {
		vec3 area = v3_cross(v3_sub(p[c[k]], p[c[0]]), v3_sub(p[c[k + 1]], p[c[0]]));
		all = v3_add(all, area);
		*sum += v3_norm(area);
	}
	return all;
}

/* Tests whether the fan's triangles have nonzero height and the right orientation, and span less than half a turn. */
static bool is_fan(const vec3 *p, int32_t corners, const int32_t *c, vec3 normal, real least)
{
	const vec3 n = v3_unit(normal), from = p[c[0]], along = v3_sub(p[c[1]], from);
	for (int32_t k = 1; k + 1 < corners; ++k) {
		vec3 a = v3_sub(p[c[k]], from), b = v3_sub(p[c[k + 1]], from);
		real longest2 = real_max(v3_norm2(a), real_max(v3_norm2(b), v3_norm2(v3_sub(b, a))));
		if (!(v3_dot(n, v3_cross(a, b)) > least * longest2)) return false;
		if (!(v3_dot(n, v3_cross(along, b)) > 0)) return false;
	}
	return true;
}

static void write_fan(int32_t corners, const int32_t *c, int32_t *triangle)
{
	for (int32_t k = 1; k + 1 < corners; ++k, triangle += 3)
		triangle[0] = c[0], triangle[1] = c[k], triangle[2] = c[k + 1];
}

/* ------------------------------------------------------------------ in the plane */

static int turn(const outline *o, int32_t a, int32_t b, int32_t c)
{
	return scree_orient2(o->x[a], o->y[a], o->x[b], o->y[b], o->x[c], o->y[c]);
}

static bool same(const outline *o, int32_t a, int32_t b) { return o->x[a] == o->x[b] && o->y[a] == o->y[b]; }

static bool cross(const outline *o, int32_t a, int32_t b, int32_t c, int32_t d)
{
	return turn(o, a, b, c) * turn(o, a, b, d) < 0 && turn(o, c, d, a) * turn(o, c, d, b) < 0;
}

static outline start(const vec3 *p, int32_t corners, const int32_t *c, vec3 n, int32_t *triangle)
{
	outline o = {.corners = corners, .left = corners, .vertex = c, .triangle = triangle};
	const size_t count = (size_t)corners;
	o.x = scree_alloc(count, sizeof *o.x), o.y = scree_alloc(count, sizeof *o.y);
	o.next = scree_alloc(count, sizeof *o.next), o.last = scree_alloc(count, sizeof *o.last);
	const real size[3] = {real_abs(n.x), real_abs(n.y), real_abs(n.z)};
	const int along = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
	const bool back = v3_part(n, along) < 0;
	for (int32_t k = 0; k < corners; ++k) {
		const vec3 q = p[c[k]];
		const real u = v3_part(q, (along + 1) % 3), v = v3_part(q, (along + 2) % 3);
		o.x[k] = back ? v : u, o.y[k] = back ? u : v;
		o.next[k] = k + 1 < corners ? k + 1 : 0, o.last[k] = k ? k - 1 : corners - 1;
	}
	return o;
}

static void outline_free(outline *o) { SCREE_FREE_ALL(o->x, o->y, o->next, o->last); }

/* Removes a corner; returns one of the remaining corners. */
static int32_t leave_out(outline *o, int32_t k)
{
	o->next[o->last[k]] = o->next[k];
	o->last[o->next[k]] = o->last[k];
	--o->left;
	return o->last[k];
}

/* Removes corners that coincide with a neighbour, and spikes of zero area. */
static int32_t leave_spikes(outline *o, int32_t at)
{
	for (int32_t steps = 0; o->left > 2 && steps <= o->left; ++steps) {
		if (same(o, at, o->next[at]) || same(o, o->last[at], o->next[at]))
			at = leave_out(o, at), steps = -1;
		else
			at = o->next[at];
	}
	return at;
}

/* Tests whether a corner lies, up to rounding, on the cut, which would become a side of the remaining polygon. */
static bool on_cut(const outline *o, int32_t a, int32_t c, int32_t v)
{
	const real ux = o->x[c] - o->x[a], uy = o->y[c] - o->y[a], vx = o->x[v] - o->x[a], vy = o->y[v] - o->y[a];
	const real length2 = ux * ux + uy * uy, along = ux * vx + uy * vy;
	return along > 0 && along < length2 && real_abs(ux * vy - uy * vx) <= SLIVER * length2;
}

/* Tests whether corner v is in an ear. loose: whether to ignore corners on the two sides of the ear, and corners on the
 * cut unless they are inside the ear */
static bool in_ear(const outline *o, int32_t a, int32_t b, int32_t c, int32_t v, bool loose)
{
	if (same(o, v, a) || same(o, v, b) || same(o, v, c)) return false;
	if (!loose && on_cut(o, a, c, v)) return true;
	const int i = turn(o, a, b, v), j = turn(o, b, c, v);
	return turn(o, c, a, v) >= 0 && (loose ? i > 0 && j > 0 : i >= 0 && j >= 0);
}

static bool is_ear(const outline *o, int32_t b, bool loose)
{
	const int32_t a = o->last[b], c = o->next[b];
	if (turn(o, a, b, c) <= 0) return false;
	real left = real_min(o->x[a], real_min(o->x[b], o->x[c])), right = real_max(o->x[a], real_max(o->x[b], o->x[c]));
	real low = real_min(o->y[a], real_min(o->y[b], o->y[c])), high = real_max(o->y[a], real_max(o->y[b], o->y[c]));
	const real near = SLIVER * (right - left + high - low);
	left -= near, right += near, low -= near, high += near;
	for (int32_t v = c, w = o->next[v]; v != a; v = w, w = o->next[v]) {
		const bool beside = (o->x[v] < left && o->x[w] < left) || (o->x[v] > right && o->x[w] > right) ||
							(o->y[v] < low && o->y[w] < low) || (o->y[v] > high && o->y[w] > high);
		if (beside) continue;
		if (v != c && in_ear(o, a, b, c, v, loose)) return false;
		if (cross(o, a, c, v, w)) return false;
	}
	return true;
}

/* Ratio of the height of the corner's triangle to its longest side. */
static real roundness(const outline *o, int32_t b)
{
	const int32_t a = o->last[b], c = o->next[b];
	const real ux = o->x[b] - o->x[a], uy = o->y[b] - o->y[a], vx = o->x[c] - o->x[b], vy = o->y[c] - o->y[b];
	const real wx = ux + vx, wy = uy + vy;
	return (ux * vy - uy * vx) / real_max(ux * ux + uy * uy, real_max(vx * vx + vy * vy, wx * wx + wy * wy));
}

/* Returns the roundest ear, or -1 if there is none. tried: corners that are known not to be ears in this round */
static int32_t best_ear(const outline *o, int32_t at, bool *tried, const real *round, bool loose)
{
	for (int32_t k = at, n = 0; n < o->left; ++n, k = o->next[k]) tried[k] = false;
	for (;;) {
		int32_t best = -1;
		for (int32_t k = at, n = 0; n < o->left; ++n, k = o->next[k])
			if (!tried[k] && (best < 0 || round[k] > round[best])) best = k;
		if (best < 0 || (!loose && !(round[best] > SLIVER))) return -1;
		if (is_ear(o, best, loose)) return best;
		tried[best] = true;
	}
}

/* Tests whether the remaining polygon has degenerated to a line. */
static bool is_line(const outline *o, int32_t at)
{
	for (int32_t k = at, n = 0; n < o->left; ++n, k = o->next[k])
		if (turn(o, o->last[k], k, o->next[k])) return false;
	return true;
}

static bool cut_ears(outline *o)
{
	real *round = scree_alloc((size_t)o->corners, sizeof *round);
	bool *tried = scree_alloc((size_t)o->corners, sizeof *tried), good = true;
	int32_t at = leave_spikes(o, 0);
	for (int32_t k = at, n = 0; n < o->left; ++n, k = o->next[k]) round[k] = roundness(o, k);
	while (good && o->left > 2) {
		int32_t ear = best_ear(o, at, tried, round, false);
		if (ear < 0) ear = best_ear(o, at, tried, round, true);
		good = ear >= 0 || is_line(o, at);
		if (ear < 0) break;
		const int32_t c[3] = {o->last[ear], ear, o->next[ear]};
		for (int k = 0; k < 3; ++k) o->triangle[3 * o->made + k] = o->vertex[c[k]];
		++o->made;
		at = leave_spikes(o, leave_out(o, ear));
		round[c[0]] = roundness(o, c[0]), round[c[2]] = roundness(o, c[2]);
		round[at] = roundness(o, at), round[o->next[at]] = roundness(o, o->next[at]);
		round[o->last[at]] = roundness(o, o->last[at]);
	}
	SCREE_FREE_ALL(round, tried);
	return good;
}

/* Distance from c to the line through a and b. */
static real off_line(const outline *o, int32_t a, int32_t b, int32_t c)
{
	const real ux = o->x[b] - o->x[a], uy = o->y[b] - o->y[a], vx = o->x[c] - o->x[a], vy = o->y[c] - o->y[a];
	return real_abs(ux * vy - uy * vx) / sqrt(ux * ux + uy * uy);
}

/* Tests whether two sides cross by more than the rounding error of coordinates. */
static bool crosses_itself(const outline *o, real deep)
{
	for (int32_t i = 0; i < o->corners; ++i) {
		const int32_t a = i, b = i + 1 < o->corners ? i + 1 : 0;
		const real left = real_min(o->x[a], o->x[b]), right = real_max(o->x[a], o->x[b]);
		const real low = real_min(o->y[a], o->y[b]), high = real_max(o->y[a], o->y[b]);
		for (int32_t j = i + 2; j < o->corners; ++j) {
			const int32_t c = j, d = j + 1 < o->corners ? j + 1 : 0;
			if ((o->x[c] < left && o->x[d] < left) || (o->x[c] > right && o->x[d] > right)) continue;
			if ((o->y[c] < low && o->y[d] < low) || (o->y[c] > high && o->y[d] > high)) continue;
			if (!cross(o, a, b, c, d)) continue;
			if (off_line(o, a, b, c) > deep && off_line(o, a, b, d) > deep && off_line(o, c, d, a) > deep &&
				off_line(o, c, d, b) > deep)
				return true;
		}
	}
	return false;
}

/* Computes the size of the polygon, and the rounding error due to its distance from the origin. */
static real size_of(const vec3 *p, int32_t corners, const int32_t *c)
{
	real most = 0, far = 0;
	for (int32_t k = 0; k < corners; ++k) {
		most = real_max(most, v3_norm(v3_sub(p[c[k]], p[c[0]])));
		far = real_max(far, v3_norm(p[c[k]]));
	}
	return most + far / 10;
}

int32_t scree_polygon_cut(const vec3 *vertex, int32_t corners, const int32_t *corner, int32_t *triangle,
						  const char **reason)
{
	real sum;
	const vec3 n = normal_of(vertex, corners, corner, &sum);
	if (!(sum > 0) || is_fan(vertex, corners, corner, n, corners > MOST_CORNERS ? 0 : SLIVER)) {
		write_fan(corners, corner, triangle);
		return corners - 2;
	}
	*reason = "has more than 10000 corners and is not convex: cut it into smaller faces";
	if (corners > MOST_CORNERS) return -1;
	*reason = "crosses itself: it cannot be cut into triangles";
	if (!(v3_norm(n) > 1e-9 * sum)) return -1;
	outline o = start(vertex, corners, corner, n, triangle);
	const bool good = !crosses_itself(&o, DEEP * size_of(vertex, corners, corner)) && cut_ears(&o);
	const int32_t made = o.made;
	outline_free(&o);
	return good ? made : -1;
}
