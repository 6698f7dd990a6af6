/* triangles: the distances of pairs of triangles, in double. */
#include "narrow/triangle/search.h"

const char *const scree_triangle_ways[TRIANGLE_WAYS] = {
	[TRIANGLES_BRUTE] = "brute",	 [TRIANGLES_PENALTY] = "penalty",	  [TRIANGLES_HYBRID] = "hybrid",
	[TRIANGLES_BATCHES] = "batches", [TRIANGLES_CERTIFIED] = "certified",
};

triangle_search scree_triangles_certified(real contact)
{
	return (triangle_search){.way = TRIANGLES_CERTIFIED, .steps = 2, .contact = contact, .tolerance = (real)1e-12};
}

void scree_triangles(const triangle_pairs *p, const triangle_search *s, triangle_gap *out, triangle_counts *counts)
{
	search_pairs(p, s, out, counts);
}
