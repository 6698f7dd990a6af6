/* govender2015.cl: the contacts of papers/govender2015/kernel, one per item; OpenCL C and CUDA */
#include "kernel/item.h"
#include "papers/govender2015/kernel/govender2015_pair.h"
#include "papers/govender2015/kernel/govender2015_surface.h"
#include "wall_arguments.h"

#define PAIR                                                                                                           \
	const int64_t i = item_number();                                                                                   \
	SCREE_GLOBAL const convex_pose *p = body + 2 * i, *q = p + 1;                                                      \
	const govender2015_body a = govender2015_body_at(v3(0, 0, 0), p, shapes);                                          \
	const govender2015_body b = govender2015_body_at(v3_sub(q->at, p->at), q, shapes)

/* certain: whether no edges need to be tested */
SCREE_KERNEL_128 void by_vertices(SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL const convex_pose *body,
								  SCREE_GLOBAL int32_t *certain, SCREE_GLOBAL govender2015_contact *contact)
{
	PAIR;
	certain[i] = govender2015_by_vertices(&a, &b, contact + i);
}

SCREE_KERNEL_128 void separated(SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL const convex_pose *body,
								SCREE_GLOBAL int32_t *certain)
{
	PAIR;
	if (!certain[i]) certain[i] = govender2015_separated(&a, &b);
}

SCREE_KERNEL_128 void by_edges(SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL const convex_pose *body,
							   SCREE_GLOBAL const int32_t *certain, SCREE_GLOBAL govender2015_contact *contact)
{
	PAIR;
	if (!certain[i]) govender2015_by_edges(&a, &b, contact + i);
}

/* The contact of a body with one surface of a wall, of_wall; -1 in the contact: none. */
SCREE_KERNEL_128 void at_surfaces(WALLS, SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL const convex_pose *body,
								  SCREE_GLOBAL const int32_t *wall, SCREE_GLOBAL const int32_t *of_wall,
								  SCREE_GLOBAL wall_point *contact)
{
	const int64_t i = item_number();
	const wall_table table = TABLE;
	SCREE_GLOBAL const wall_row *w = row + wall[i];
	const govender2015_body b = govender2015_body_at(body[i].at, body + i, shapes);
	const near_facets to = {&table, wall[i], w->facets, all + w->first_facet};
	const bool touches = w->type == WALL_FACETS ? govender2015_at_surface(&b, &to, of_wall[i], contact + i)
												: govender2015_at_wall(&b, w, contact + i);
	if (!touches) contact[i].surface = -1;
}
