/* surface: welding and edges, both based on sorting, so that the result depends only on the coordinates. For welding,
 * space is divided into cells four tolerances wide, and points are sorted by cell. Partners of a point are in the at
 * most eight cells that overlap the box one tolerance around the point. Points linked through nearby points are merged
 * (union-find with the lowest row as root). */
#include "shape/mesh/surface.h"

#include <string.h>

#include "base/join.h"
#include "base/maths.h"
#include "base/memory.h"
#include "base/sort.h"

typedef struct celled {
	int64_t cell[3];
	int32_t row;
} celled;

static int cell_order(const int64_t a[3], const int64_t b[3])
{
	for (int k = 0; k < 3; ++k)
		if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
	return 0;
}

static int celled_order(const void *p, const void *q)
{
	const celled *a = p, *b = q;
	int order = cell_order(a->cell, b->cell);
	return order ? order : a->row < b->row ? -1 : a->row > b->row;
}

static int64_t cell_of(real x, real low, real size) { return (int64_t)scree_floor((x - low) / size); }

static void join_cell(int32_t i, const int64_t cell[3], int32_t count, const celled *order, const vec3 *p,
					  real tolerance, int32_t *to)
{
	int32_t low = 0, high = count;
	while (low < high) {
		int32_t mid = low + (high - low) / 2;
		if (cell_order(order[mid].cell, cell) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (int32_t k = low; k < count && cell_order(order[k].cell, cell) == 0; ++k) {
		int32_t j = order[k].row;
		if (j >= i) break; /* rows increase within a cell; this pair is tested when the other point is processed */
		if (v3_norm2(v3_sub(p[i], p[j])) <= tolerance * tolerance) {
			join_two(to, i, j);
			if (v3_equal(p[i], p[j])) break; /* j was already joined with the other points */
		}
	}
}

bool scree_check_points(const char *kind, const char *name, const char *what, int32_t count, const vec3 *p, fail *why)
{
	static const real largest = 1e30; /* limit that keeps fifth powers of lengths in the range of doubles */
	for (int32_t i = 0; i < count; ++i)
		if (!v3_within(p[i], largest))
			return scree_refuse(why, "%s '%s': %s %d is (%g, %g, %g), expected finite numbers up to 1e30", kind, name,
								what, i, p[i].x, p[i].y, p[i].z);
	return true;
}

real scree_extent(int32_t count, const vec3 *p)
{
	if (!count) return 0;
	vec3 low = p[0], high = p[0];
	for (int32_t i = 1; i < count; ++i) v3_widen(&low, &high, p[i]);
	return v3_greatest(v3_sub(high, low));
}

int32_t scree_weld(int32_t count, const vec3 *p, real tolerance, int32_t *to)
{
	if (!count) return 0;
	vec3 low = p[0];
	for (int32_t i = 0; i < count; ++i) {
		to[i] = i;
		low = v3_min(low, p[i]);
	}
	/* at least 2^-50 of the bounds, because cells are counted in 64 bits, and closer points are equal anyway */
	real size = real_max(4 * tolerance, scree_extent(count, p) * 0x1p-50);
	if (!(size > 0)) size = 1;
	celled *order = scree_alloc((size_t)count, sizeof *order);
	for (int32_t i = 0; i < count; ++i)
		order[i] =
			(celled){{cell_of(p[i].x, low.x, size), cell_of(p[i].y, low.y, size), cell_of(p[i].z, low.z, size)}, i};
	scree_sort_by(order, count, sizeof *order, celled_order);
	for (int32_t i = 0; i < count; ++i) {
		int64_t from[3] = {cell_of(p[i].x - tolerance, low.x, size), cell_of(p[i].y - tolerance, low.y, size),
						   cell_of(p[i].z - tolerance, low.z, size)};
		int64_t end[3] = {cell_of(p[i].x + tolerance, low.x, size), cell_of(p[i].y + tolerance, low.y, size),
						  cell_of(p[i].z + tolerance, low.z, size)};
		int64_t c[3];
		for (c[0] = from[0]; c[0] <= end[0]; ++c[0])
			for (c[1] = from[1]; c[1] <= end[1]; ++c[1])
				for (c[2] = from[2]; c[2] <= end[2]; ++c[2]) join_cell(i, c, count, order, p, tolerance, to);
	}
	scree_free(order);
	int32_t distinct = 0;
	for (int32_t i = 0; i < count; ++i) {
		to[i] = join_root(to, i);
		distinct += to[i] == i;
	}
	return distinct;
}

side *scree_sides(int32_t triangles, const int32_t *triangle)
{
	side *all = scree_alloc(3 * (size_t)triangles, sizeof *all);
	for (int32_t t = 0; t < triangles; ++t)
		for (int32_t k = 0; k < 3; ++k) {
			int32_t a = triangle[3 * t + k], b = triangle[3 * t + (k + 1) % 3];
			all[3 * t + k] = (side){a < b ? a : b, a < b ? b : a, 3 * t + k, a < b};
		}
	scree_sort_by(all, 3 * (int64_t)triangles, sizeof *all, scree_sort_three);
	return all;
}

int64_t scree_sides_end(const side *at, int64_t count, int64_t from)
{
	int64_t end = from + 1;
	while (end < count && at[end].low == at[from].low && at[end].high == at[from].high) ++end;
	return end;
}

bool *scree_triangle_copies(int32_t count, named_triangle *all)
{
	bool *copy = scree_alloc((size_t)count, sizeof *copy);
	scree_sort_by(all, count, sizeof *all, scree_sort_four);
	for (int32_t k = 1; k < count; ++k)
		copy[all[k].row] = !memcmp(all[k].corner, all[k - 1].corner, sizeof all[k].corner);
	scree_free(all);
	return copy;
}
