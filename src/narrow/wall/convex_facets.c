/* convex_facets: contacts of a convex polyhedron with a plane or facets by depth (kernel/wall_patch.h,
 * kernel/facet_contacts.h). */
#include "base/memory.h"
#include "narrow/wall/work.h"

#define SCREE_FACET_PATCH /* the names of kernel/facet_rows.h */
typedef wall_scratch facet_patch;
typedef touch_list wall_touches;

SCREE_FN wall_patch *facet_nodes(wall_scratch *w) { return w; }
SCREE_FN struct fold_room *facet_fold(wall_scratch *w) { return w->fold; }
static bool facet_touch(wall_scratch *w, touch_list *out, int32_t surface, const placed *body, real factor);

#include "kernel/facet_rows.h"

typedef struct fold_room {
	int32_t members, member_capacity, bond_capacity, middle_capacity;
	fold_member *member;
	real *bond;			   /* [members * members] */
	wall_centroid *middle; /* [members * faces of the body] */
	int32_t spans, span_capacity;
	fold_span *span;
	int32_t pieces, piece_capacity;
	fold_piece *piece;
	int32_t polygons, polygon_capacity;
	fold_polygon *polygon;
	int32_t corners, corner_capacity;
	fold_corner *corner;
	int32_t nodes, node_capacity;
	fold_node *node;
} fold_room;

#include "kernel/facet_contacts.h"

static bool facet_touch(wall_scratch *w, touch_list *out, int32_t surface, const placed *body, real factor)
{
	const int32_t before = out->count;
	(void)w;
	scree_touch_nodes(out, surface, body, factor);
	return out->count > before;
}

void scree_wall_fold_free(fold_room *r)
{
	if (!r) return;
	SCREE_FREE_ALL(r->member, r->bond, r->middle, r->span, r->piece, r->polygon, r->corner, r->node, r);
}

void scree_convex_facets(const placed *body, const near_wall *to, touch_list *out)
{
	wall_scratch *w = scree_wall_scratch(out);
	const shape *s = body->shape;
	if (!w->fold) w->fold = scree_alloc(1, sizeof *w->fold);
	facet_gather(w, s, body, to, false);
	fold_region(w, s, to->s);
	facet_meet_all(w, s, body, to, out);
	facet_finish(w, s, body, to, out);
}

void scree_convex_plane(const placed *body, const wall *w, touch_list *out)
{
	vec3 n;
	wall_scratch *scratch = scree_wall_scratch(out);
	if (!wall_plane_nodes(scratch, body->shape, body, w, &n)) return;
	scratch->arm = scree_pressure_arm(&scratch->press);
	scree_touch_nodes(out, w->first_surface, body, 1);
	if (out->count) out->item[0].normal = n;
}
