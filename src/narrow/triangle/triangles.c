/* triangles: the distances between pairs of triangles, in double precision. */
#include "narrow/triangle/search.h"
#include "narrow/triangle/triangles.h"

const triangle_way_row scree_triangle_ways[TRIANGLE_WAYS] = {
	[TRIANGLES_CERTIFIED] = {"certified", "Newton with a penalty where bounds prove its result, brute force elsewhere",
							 true},
	[TRIANGLES_PENALTY] = {"penalty", "only Newton with a penalty, up to 99 steps; results are not proved", false},
	[TRIANGLES_HYBRID] = {"hybrid",
						  "8 Newton steps with a penalty, then brute force for each pair whose last step was long",
						  false},
	[TRIANGLES_BATCHES] = {"hybrid/batch", "as hybrid, for whole batches of run.triangle_batch pairs", false},
	[TRIANGLES_BRUTE] = {"brute", "all pairs of corners, edges and faces", true},
};

triangle_search scree_triangles_certified(real contact)
{
	return (triangle_search){.way = TRIANGLES_CERTIFIED, .steps = 2, .contact = contact, .tolerance = (real)1e-12};
}

triangle_search scree_triangles_chosen(triangle_choice c, real contact)
{
	triangle_search s = c.in_float ? scree_triangles_certified_float(contact) : scree_triangles_certified(contact);
	s.way = (enum triangle_way)c.way;
	s.batch = c.batch;
	if (s.way != TRIANGLES_CERTIFIED) s.steps = s.way == TRIANGLES_PENALTY ? 99 : 8, s.tolerance = (real)1e-4;
	return s;
}

void scree_triangles(const triangle_pairs *p, const triangle_search *s, triangle_gap *out, triangle_counts *counts)
{
	search_pairs(p, s, out, counts);
}
