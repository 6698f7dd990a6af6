/* net.h: the triangles of a mesh while they become a wall; private to mesh.c, conform.c, overlaps.c and covers.c.
 *
 * The interface for narrow phases is the table of walls itself (walls.h, `next`). Set-up guarantees a mesh that
 * conforms up to the tolerance of the wall: each edge belongs to one facet (EDGE_OPEN, or covered by the face of
 * another facet, edge_is_covered), or to two facets that are each other's neighbours; facets of one surface do not
 * overlap. Where a file has a corner within an edge, an edge within a face, cracks, or a sheet twice, facets are cut
 * until this is true. */
#ifndef SCREE_WALL_NET_H
#define SCREE_WALL_NET_H

#include "base/fail.h"
#include "wall/facets.h"

typedef struct net {
	int32_t vertices, triangles; /* triangles: the remaining ones */
	int32_t vertex_room, triangle_room;
	vec3 *vertex;
	int32_t *triangle; /* [3*triangles] welded */
	vec3 *normal;	   /* [triangles] unit normals, from the triangles of the file */
	int32_t *source;   /* [triangles] the triangle of the file that contains it */
	int32_t *across;   /* [3*triangles] side k of t: corner 3 u + j of the side it meets, -1, or -2 - u: on face u */
	int32_t *surface;  /* [triangles] from 0 */
	int32_t surfaces;
	real extent, reach; /* greatest edge of the bounds, greatest coordinate */
	real near;			/* tolerance for equality within the digits of the file */
	bool two_sided;
	int32_t dropped; /* triangles without an area, and copies */
	mesh_repairs found;
} net;

/* twice the area of the triangle with these three vertices, along its normal by the order of its vertices */
SCREE_FN vec3 net_area(const net *n, const int32_t *t)
{
	return v3_cross(v3_sub(n->vertex[t[1]], n->vertex[t[0]]), v3_sub(n->vertex[t[2]], n->vertex[t[0]]));
}
SCREE_FN int32_t net_after(int32_t corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; }
SCREE_FN vec3 net_corner(const net *n, int32_t corner) { return n->vertex[n->triangle[corner]]; }
/* vector across the side of this corner, in the plane of its triangle, pointing out of it; not normalised */
SCREE_FN vec3 net_outward(const net *n, int32_t corner)
{
	return v3_cross(v3_sub(net_corner(n, net_after(corner)), net_corner(n, corner)), n->normal[corner / 3]);
}

int32_t scree_net_vertex(net *n, vec3 p);
/* Adds a part of triangle `of`. */
void scree_net_triangle(net *n, int32_t a, int32_t b, int32_t c, int32_t of);
/* Sorts triangles in the order of the file, so that surfaces are numbered as if nothing had been cut; invalidates
 * `across`. */
void scree_net_sort(net *n);
/* Fills across: pairs triangles that traverse their side in opposite directions (in any, if the last argument is
 * false). Of more than two the two that continue each other most flatly are paired, and the others lie on these. */
void scree_net_across(net *n, bool alike);
bool scree_net_has_border(const net *n);

/* A grid over triangles, and a search for those whose bounds meet a box; rows of triangles, rising. */
typedef struct net_grid {
	walls boxes;
	facet_grid *grid;
	facet_list list;
} net_grid;
net_grid scree_net_grid(const net *n);
void scree_net_ask(net_grid *g, vec3 low, vec3 high);
void scree_net_grid_free(net_grid *g);

/* A cut of a side at a vertex that lies on it. */
typedef struct net_cut {
	int32_t corner, vertex;
	real at; /* 0 .. 1, position from this corner to the next */
} net_cut;
typedef struct net_cuts {
	int32_t count, room;
	net_cut *item;
} net_cuts;
void scree_net_cut_add(net_cuts *l, net_cut c);
/* Cuts triangles at these points, and empties the list; invalidates `across`. */
void scree_net_cut_sides(net *n, net_cuts *l);

/* conform.c: closes cracks, separates sheets that lie on each other, cuts sides at corners that lie on them */
void scree_net_conform(net *n);
/* overlaps.c: cuts off parts of triangles that lie on larger ones in the same plane; false: none */
bool scree_net_part_overlaps(net *n);
/* covers.c: finds sides that lie on the face of another triangle, in a net with valid `across` */
void scree_net_cover(net *n);

#endif
