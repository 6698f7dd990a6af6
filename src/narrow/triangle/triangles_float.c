/* triangles_float: distances of pairs of triangles in single precision. Bounds hold for the rounded coordinates. */
#define SCREE_TRIANGLE_FLOAT
#include "narrow/triangle/search.h"

triangle_search scree_triangles_certified_float(real contact)
{
	return (triangle_search){.way = TRIANGLES_CERTIFIED, .steps = 2, .contact = contact, .tolerance = (real)1e-5};
}

void scree_triangles_float(const triangle_pairs_float *p, const triangle_search *s, triangle_gap_float *out,
						   triangle_counts *counts)
{
	search_pairs(p, s, out, counts);
}
