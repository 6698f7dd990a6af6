#include "broad/broad.h"

#include "base/memory.h"
#include "broad/phases.h"

#include <string.h>

const broad scree_broads[] = {
	{"grid", "boxes sorted into cells as large as the largest box; unbounded space", scree_grid_find},
	{"brute", "every pair: the referee of the others", scree_brute_find},
};
const int scree_broad_count = (int)(sizeof scree_broads / sizeof *scree_broads);

const broad *scree_broad_find(const char *name)
{
	for (int k = 0; k < scree_broad_count; ++k)
		if (!strcmp(scree_broads[k].name, name)) return scree_broads + k;
	return NULL;
}

void scree_box_pairs_add(box_pairs *p, int32_t a, int32_t b)
{
	if (p->count == p->capacity) {
		int64_t capacity = p->capacity + p->capacity / 2 + 256;
		p->pair = scree_grow(p->pair, (size_t)p->count, (size_t)capacity, sizeof *p->pair);
		p->capacity = capacity;
	}
	p->pair[p->count][0] = a;
	p->pair[p->count++][1] = b;
}

void scree_box_pairs_free(box_pairs *p)
{
	scree_free(p->pair);
	memset(p, 0, sizeof *p);
}
