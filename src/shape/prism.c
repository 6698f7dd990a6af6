/* prism: a cylinder with flat ends and sharp edges, as a convex polyhedron. Its section is a regular polygon of the
 * cylinder's area, so that volume and mass are those of the cylinder (docs/theory/shapes.md, "Cylinders"). */
#include "shape/shapes.h"

#include "base/maths.h"
#include "base/memory.h"

/* The corners of both ends: those at the bottom first, counter-clockwise seen from above. A flat is across x. */
static vec3 *corners_of(real length, real diameter, int32_t n)
{
	const real turn = SCREE_PI / (real)n;
	real sine, cosine;
	scree_sincos(2 * turn, &sine, &cosine);
	const real radius = diameter / 2 * sqrt(2 * turn / sine);
	vec3 *at = scree_alloc(2 * (size_t)n, sizeof *at);
	for (int32_t k = 0; k < n; ++k) {
		scree_sincos(turn * (real)(2 * k + 1), &sine, &cosine);
		at[k] = v3(radius * cosine, radius * sine, -length / 2);
		at[k + n] = v3(at[k].x, at[k].y, length / 2);
	}
	return at;
}

/* The loops of both ends and then of the flats, counter-clockwise seen from outside; first: [n+3]. */
static void join_corners(int32_t n, int32_t *first, int32_t *corner)
{
	int32_t f = 0, c = 0;
	first[f++] = 0;
	for (int32_t k = 0; k < n; ++k) corner[c++] = n - 1 - k;
	first[f++] = c;
	for (int32_t k = 0; k < n; ++k) corner[c++] = n + k;
	first[f++] = c;
	for (int32_t k = 0; k < n; ++k) {
		const int32_t next = (k + 1) % n;
		corner[c++] = k, corner[c++] = next, corner[c++] = n + next, corner[c++] = n + k;
		first[f++] = c;
	}
}

int32_t scree_shapes_add_prism(shapes *s, const char *name, real length, real diameter, int32_t n, fail *why)
{
	vec3 *at = corners_of(length, diameter, n);
	int32_t *first = scree_alloc((size_t)n + 3, sizeof *first), *corner = scree_alloc(6 * (size_t)n, sizeof *corner);
	join_corners(n, first, corner);
	const int32_t row = scree_shapes_add_convex(s, name, 2 * n, at, n + 2, first, corner, why);
	SCREE_FREE_ALL(at, first, corner);
	return row;
}
