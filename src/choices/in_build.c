/* in_build: the rows of laws and of methods for triangles that this build has. */
#include "choices/choices.h"
#include "narrow/triangle/triangles.h"
#include "papers/rows.h"

#include <string.h>

bool scree_choice_left_out(const char *name) { return scree_paper_left_out(name); }

static const char *name_in_build(const char *name) { return scree_paper_left_out(name) ? NULL : name; }

const char *scree_law_name(int k) { return k < LAWS ? name_in_build(scree_laws[k].name) : NULL; }

const char *scree_triangle_way_name(int k)
{
	return k < TRIANGLE_WAYS ? name_in_build(scree_triangle_ways[k].name) : NULL;
}

int32_t scree_triangle_way_find(const char *name)
{
	for (int32_t k = 0; scree_triangle_way_name(k); ++k)
		if (!strcmp(scree_triangle_ways[k].name, name)) return k;
	return -1;
}
