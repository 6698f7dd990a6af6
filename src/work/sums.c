#include "work/sums.h"

#include "base/memory.h"

#include <string.h>

void scree_sum_rows_free(sum_rows *r)
{
	SCREE_FREE_ALL(r->body, r->touched, r->wide, r->wall);
	memset(r, 0, sizeof *r);
}

void scree_sum_rows_room(sum_rows *r, int64_t bodies, int64_t wides, int64_t walls)
{
	if (r->bodies < bodies) {
		SCREE_FREE_ALL(r->body, r->touched);
		r->bodies = bodies + bodies / 4;
		r->body = scree_alloc((size_t)r->bodies, sizeof *r->body);
		r->touched = scree_alloc((size_t)r->bodies / SUMS_BLOCK + 1, 1);
	}
	if (r->wides < wides) {
		scree_free(r->wide);
		r->wides = wides + wides / 4;
		r->wide = scree_alloc((size_t)r->wides, sizeof *r->wide);
	}
	if (r->walls < walls) {
		scree_free(r->wall);
		r->walls = walls;
		r->wall = scree_alloc((size_t)r->walls, sizeof *r->wall);
	}
}
