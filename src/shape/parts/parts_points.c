/* parts_points: points and planes shared by all parts. Points closer than `near`/4 are merged. A new point is on its
 * plane and never one of the ends of the cut edge, which are at least `near` away from that plane. */
#include "shape/parts/parts.h"

#include "base/memory.h"
#include "base/sort.h"

static const real REACH = 1e-5; /* largest displacement, due to rounding, of a point common to three planes */

enum { BUCKETS = 1 << 12, FINENESS = 1 << 16 };

static int32_t bucket_of(int64_t x, int64_t y, int64_t z)
{
	uint64_t h =
		(uint64_t)x * 0x9e3779b97f4a7c15U + (uint64_t)y * 0xc2b2ae3d27d4eb4fU + (uint64_t)z * 0x165667b19e3779f9U;
	return (int32_t)((h >> 40) % BUCKETS);
}

static int64_t cell_of(real x) { return (int64_t)((real_clamp(x, -16, 16) + 32) * FINENESS); }

static int32_t append(parts_space *s, vec3 x)
{
	if (s->points == s->point_room) {
		int32_t room = 2 * s->point_room + 64;
		s->point = scree_grow(s->point, (size_t)s->points, (size_t)room, sizeof *s->point);
		s->next = scree_grow(s->next, (size_t)s->points, (size_t)room, sizeof *s->next);
		s->point_room = room;
	}
	int32_t *b = s->bucket + bucket_of(cell_of(x.x), cell_of(x.y), cell_of(x.z));
	s->point[s->points] = x;
	s->next[s->points] = *b;
	*b = s->points;
	return s->points++;
}

parts_space scree_parts_space_start(int32_t points, const vec3 *point, real near)
{
	parts_space s = {.near = near};
	s.bucket = scree_alloc(BUCKETS, sizeof *s.bucket);
	for (int32_t k = 0; k < BUCKETS; ++k) s.bucket[k] = -1;
	for (int32_t k = 0; k < points; ++k) append(&s, point[k]);
	return s;
}

void scree_parts_space_free(parts_space *s)
{
	SCREE_FREE_ALL(s->point, s->next, s->bucket, s->plane);
	*s = (parts_space){0};
}

/* Returns the nearest point within `reach` of x on each of three planes (-1: any); the lowest if equally near, or -1 */
static int32_t nearest(const parts_space *s, vec3 x, real reach, const int32_t plane[3])
{
	real least = reach * reach;
	int32_t best = -1;
	for (int64_t i = cell_of(x.x - reach); i <= cell_of(x.x + reach); ++i)
		for (int64_t j = cell_of(x.y - reach); j <= cell_of(x.y + reach); ++j)
			for (int64_t k = cell_of(x.z - reach); k <= cell_of(x.z + reach); ++k)
				for (int32_t p = s->bucket[bucket_of(i, j, k)]; p >= 0; p = s->next[p]) {
					real d = v3_norm2(v3_sub(s->point[p], x));
					if (d > least || (d == least && p > best && best >= 0)) continue;
					bool on = true;
					for (int n = 0; n < 3; ++n) on = on && (plane[n] < 0 || parts_sign(s, p, plane[n]) == 0);
					if (!on) continue;
					least = d;
					best = p;
				}
	return best;
}

int32_t scree_parts_point(parts_space *s, vec3 x)
{
	static const int32_t any[3] = {-1, -1, -1};
	int32_t best = nearest(s, x, s->near / 4, any);
	return best >= 0 ? best : append(s, x);
}

int32_t scree_parts_crossing(parts_space *s, int32_t a, int32_t b, int32_t plane, int32_t f, int32_t g)
{
	if (a > b) SCREE_SWAP(a, b);
	real u = parts_height(s, a, plane), v = parts_height(s, b, plane);
	vec3 p = s->point[a], q = s->point[b];
	/* computed from the nearer end, where the rounding error is smaller */
	vec3 x = real_abs(u) <= real_abs(v) ? v3_madd(p, u / (u - v), v3_sub(q, p)) : v3_madd(q, v / (v - u), v3_sub(p, q));
	const int32_t all[3] = {plane, f, g};
	int32_t known = f < 0 || g < 0 ? -1 : nearest(s, x, REACH, all);
	return known >= 0 ? known : scree_parts_point(s, x);
}

int32_t scree_parts_side(parts_space *s, vec3 normal, real off)
{
	for (int32_t k = 0; k < s->planes; ++k)
		for (int32_t back = 0; back < 2; ++back) {
			real turned = back ? -1 : 1;
			real apart = v3_norm(v3_madd(normal, -turned, s->plane[k].normal));
			if (2 * apart + real_abs(off - turned * s->plane[k].off) <= s->near) return 2 * k + back;
		}
	SCREE_APPEND(s->plane, s->planes, s->plane_room, (parts_plane){normal, off});
	return 2 * (s->planes - 1);
}
