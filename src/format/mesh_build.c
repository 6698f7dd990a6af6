/* mesh_build: a mesh that grows while a file is read; polygons become triangles once all vertices are available. */
#include "base/maths.h"
#include "base/memory.h"
#include "format/mesh_reader.h"

void scree_build_reserve(mesh_builder *b, int32_t vertices, int32_t triangles)
{
	mesh *m = &b->made;
	if (vertices > b->vertex_room - m->vertices) {
		b->vertex_room = m->vertices + vertices;
		m->vertex = scree_grow(m->vertex, (size_t)m->vertices, (size_t)b->vertex_room, sizeof *m->vertex);
	}
	if (triangles > b->triangle_room - m->triangles) {
		b->triangle_room = m->triangles + triangles;
		m->triangle =
			scree_grow(m->triangle, 3 * (size_t)m->triangles, 3 * (size_t)b->triangle_room, sizeof *m->triangle);
	}
}

/* Number of items added when a list grows. A 1 GiB file has at most 2^28 vertices and 2^29 triangles, so that
 * doubling stays within 32 bits, except for the last doubling. */
static int32_t more(int32_t count) { return count < 64 ? 64 : count < INT32_MAX / 6 ? count : INT32_MAX / 6; }

void scree_build_vertex(mesh_builder *b, vec3 p)
{
	if (b->made.vertices == b->vertex_room) scree_build_reserve(b, more(b->made.vertices), 0);
	b->made.vertex[b->made.vertices++] = p;
}

void scree_build_triangle(mesh_builder *b, int32_t i, int32_t j, int32_t k)
{
	if (b->made.triangles == b->triangle_room) scree_build_reserve(b, 0, more(b->made.triangles));
	int32_t *c = b->made.triangle + 3 * (size_t)b->made.triangles++;
	c[0] = i, c[1] = j, c[2] = k;
}

void scree_build_corner(mesh_builder *b, fan *f, int32_t vertex)
{
	if (f->corners == 0) f->first = vertex;
	if (f->corners >= 2) scree_build_triangle(b, f->first, f->last, vertex);
	f->last = vertex;
	++f->corners;
}

void scree_build_face(mesh_builder *b, const fan *f, int64_t where)
{
	if (f->corners <= 3 || f->corners > INT32_MAX / 3) return;
	if (b->polygons == b->polygon_room) {
		b->polygon_room = b->polygons + more(b->polygons);
		b->polygon = scree_grow(b->polygon, (size_t)b->polygons, (size_t)b->polygon_room, sizeof *b->polygon);
	}
	const int32_t corners = (int32_t)f->corners;
	b->polygon[b->polygons++] = (polygon_face){b->made.triangles - (corners - 2), corners, where};
}

/* Replaces a polygon's fan with other triangles. If corners repeat, triangles that are not needed are set to -1. */
static bool cut_polygon(mesh_builder *b, const polygon_face *p, const text *t)
{
	int32_t *triangle = b->made.triangle + 3 * (size_t)p->first,
			*corner = scree_alloc((size_t)p->corners, sizeof *corner);
	corner[0] = triangle[0], corner[1] = triangle[1];
	for (int32_t k = 2; k < p->corners; ++k) corner[k] = triangle[3 * (k - 2) + 2];
	const char *reason = "";
	const int32_t made = scree_polygon_cut(b->made.vertex, p->corners, corner, triangle, &reason);
	const vec3 at = b->made.vertex[corner[0]];
	scree_free(corner);
	for (int32_t k = 3 * (made < 0 ? 0 : made); k < 3 * (p->corners - 2); ++k) triangle[k] = -1;
	return made >= 0 ||
		   scree_fail(t->why, FAIL_INPUT, "%s%s%lld: the face of %d corners from (%g, %g, %g) on %s", t->name,
					  t->binary ? ", byte " : ":", (long long)p->where, p->corners, at.x, at.y, at.z, reason);
}

static void drop_unused(mesh *m)
{
	int32_t kept = 0;
	for (int32_t t = 0; t < m->triangles; ++t) {
		if (m->triangle[3 * (size_t)t] < 0) continue;
		memmove(m->triangle + 3 * (size_t)kept++, m->triangle + 3 * (size_t)t, 3 * sizeof *m->triangle);
	}
	m->triangles = kept;
}

/* Returns the largest rounding error of a coordinate: the larger of the error due to a fixed number of decimals, equal
 * for all coordinates, and the error due to a fixed number of significant digits, which grows with the coordinate.
 * Numbers that are all exact in single precision are assumed to have been rounded to single precision. */
static real rounding_of(real far, const written *d)
{
	real text = 0;
	if (d->digits) {
		int exponent = -310;
		while (exponent < 310 && scree_ten_to(exponent + 1) <= far) ++exponent;
		text = 0.5 * real_max(scree_ten_to(-d->decimals), scree_ten_to(exponent + 1 - d->digits));
	}
	return d->wide ? text : real_max(text, 0x1p-24 * far);
}

real scree_mesh_farthest(const mesh *m)
{
	real far = 0;
	for (int32_t i = 0; i < m->vertices; ++i) {
		const vec3 p = m->vertex[i];
		far = real_max(far, real_max(real_abs(p.x), real_max(real_abs(p.y), real_abs(p.z))));
	}
	return far;
}

bool scree_build_finish(mesh_builder *b, bool good, const text *t)
{
	for (int32_t k = 0; good && k < b->polygons; ++k) good = cut_polygon(b, b->polygon + k, t);
	if (good && b->polygons) drop_unused(&b->made);
	const real far = scree_mesh_farthest(&b->made);
	b->made.rounding = rounding_of(far, &t->digits);
	b->made.apart = far * (t->binary && !t->digits.wide ? 0x1p-24 : 0x1p-53);
	scree_free(b->polygon);
	return good;
}

/* Numbers in a file are either decimals with few digits or single-precision numbers. All numbers in a file have either
 * the same number of significant digits or the same number of decimals. This count is the largest number of decimals
 * that several distinct numbers need, among the numbers with the largest power of ten or, if these are few, the next
 * lower power. For full doubles, or if all numbers are round, the result is 0. */

enum { WITNESSES = 4, DECIMALS = 15 };

/* Finds the distinct numbers with a given power of ten that need the most decimals. */
typedef struct witnesses {
	int decimals, count;
	real number[WITNESSES];
} witnesses;

static real nearest_whole(real x) { return scree_floor(x + (real)0.5); }

static int decimals_of(real x)
{
	real power = 1;
	for (int d = 0; d < DECIMALS; ++d, power *= 10) {
		real y = x * power;
		if (real_abs(y - nearest_whole(y)) <= 0x1p-50 * real_abs(y)) return d;
	}
	return DECIMALS;
}

static void witness(witnesses *w, real x)
{
	const int d = decimals_of(x);
	if (d < w->decimals) return;
	if (d > w->decimals) w->decimals = d, w->count = 0;
	for (int k = 0; k < w->count; ++k)
		if (w->number[k] == x) return;
	if (w->count < WITNESSES) w->number[w->count++] = x;
}

/* Tests whether all numbers are exact in single precision and at least one of them is not round. */
static bool is_single(const mesh *m)
{
	bool fine = false;
	for (int32_t i = 0; i < m->vertices; ++i)
		for (int k = 0; k < 3; ++k) {
			const real x = real_abs(v3_part(m->vertex[i], k));
			if ((real)(float)x != x) return false;
			fine = fine || decimals_of(x) > 9;
		}
	return fine;
}

real scree_mesh_unit(const mesh *m)
{
	const real most = scree_mesh_farthest(m);
	if (!(most > 1e-30 && most < 1e30)) return 0;
	if (is_single(m)) return 0x1p-23 * most;
	real down = 1, up = 1; /* powers of ten that bring the largest number into the range 1 .. 10 */
	while (most / down >= 10) down *= 10;
	while (most * up < 1) up *= 10;
	witnesses top = {0}, below = {0};
	for (int32_t i = 0; i < m->vertices; ++i)
		for (int k = 0; k < 3; ++k) {
			const real x = real_abs(v3_part(m->vertex[i], k)) / down * up;
			if (x >= 1)
				witness(&top, x);
			else if (x >= (real)0.1)
				witness(&below, x);
		}
	const witnesses *w = top.count >= WITNESSES ? &top : &below;
	if (w->count < WITNESSES || w->decimals > 12) return 0;
	real unit = down / up;
	for (int d = 0; d < w->decimals; ++d) unit /= 10;
	return unit;
}
