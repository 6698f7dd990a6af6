/* net.h: the triangles of a mesh while it is converted into a wall. Private to net.c, mesh.c, conform.c, overlaps.c,
 * and covers.c. Narrow phases only read the table of walls (walls.h, `next`). Set-up ensures that the mesh is
 * conforming within the tolerance of the wall. An edge belongs either to one facet (and is EDGE_OPEN or covered by the
 * face of another facet; see edge_is_covered) or to two facets that are each other's neighbours. Facets of one surface
 * do not overlap. If a file contains a corner within an edge, an edge within a face, cracks, or a duplicate sheet,
 * facets are cut until this is true. */
#ifndef SCREE_WALL_NET_H
#define SCREE_WALL_NET_H

#include "base/fail.h"
#include "base/sort.h"
#include "wall/facets.h"

typedef struct net {
	int32_t vertices, triangles; /* triangles: number of remaining triangles */
	int64_t vertex_room;
	int32_t triangle_room;
	vec3 *vertex;
	int32_t *triangle; /* [3*triangles] welded */
	vec3 *normal;	   /* [triangles] unit normals from the triangles in the file */
	int32_t *source;   /* [triangles] the triangle in the file that contains this triangle */
	/* [3*triangles] across side k of triangle t: corner 3 u + j of the adjacent side, -1 for none, -2 - u for face u */
	int32_t *across;
	int32_t *surface; /* [triangles] number of the triangle's surface, from 0 */
	int32_t surfaces;
	real extent, reach; /* largest edge of the bounds, and largest coordinate */
	real near;			/* tolerance for equality within the precision of the file */
	bool two_sided;
	int32_t dropped; /* triangles without area, and copies */
	mesh_repairs found;
} net;

/* Twice the area of the triangle with these vertices, as a vector along the normal given by their order */
SCREE_FN vec3 net_area(const net *n, const int32_t *t)
{
	return v3_cross(v3_sub(n->vertex[t[1]], n->vertex[t[0]]), v3_sub(n->vertex[t[2]], n->vertex[t[0]]));
}
SCREE_FN int32_t net_after(int32_t corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; }
SCREE_FN vec3 net_corner(const net *n, int32_t corner) { return n->vertex[n->triangle[corner]]; }
/* Outward vector in the triangle's plane, perpendicular to the side that starts at this corner; not normalized */
SCREE_FN vec3 net_outward(const net *n, int32_t corner)
{
	return v3_cross(v3_sub(net_corner(n, net_after(corner)), net_corner(n, corner)), n->normal[corner / 3]);
}

int32_t scree_net_vertex(net *n, vec3 p);
/* Adds a triangle that is a part of triangle `of`. */
void scree_net_triangle(net *n, int32_t a, int32_t b, int32_t c, int32_t of);
/* Removes triangles that contain a vertex twice. */
void scree_net_drop_collapsed(net *n);
/* Sorts triangles as in the file, so that surfaces are numbered as without cuts; invalidates `across`. */
void scree_net_sort(net *n);
/* Fills `across`: pairs triangles that traverse a common side in opposite directions (in any, if the last argument is
 * false). Of more than two at a side, the two most nearly coplanar are paired, and sides of the others are on these. */
void scree_net_across(net *n, bool alike);
bool scree_net_has_border(const net *n);

/* A grid over triangles, used to find the triangles whose bounds overlap a box, as rows in ascending order. */
typedef struct net_grid {
	walls boxes;
	facet_grid *grid;
	facet_list list;
} net_grid;
net_grid scree_net_grid(const net *n);
/* Finds the triangles nearer to this box than the tolerance of the net. */
void scree_net_ask(const net *n, net_grid *g, vec3 low, vec3 high);
void scree_net_grid_free(net_grid *g);

/* A cut of a side at a vertex on this side. */
typedef struct net_cut {
	int32_t corner, vertex;
	real at; /* position from this corner to the next, 0 .. 1 */
} net_cut;
typedef struct net_cuts {
	int32_t count;
	int64_t room;
	net_cut *item;
} net_cuts;
/* Cuts sides at these points and clears the list; invalidates `across`. */
void scree_net_cut_sides(net *n, net_cuts *l);

/* conform.c: closes cracks, separates coincident sheets, and cuts sides at corners on these sides */
void scree_net_conform(net *n);
/* overlaps.c: cuts off parts that overlap larger triangles in the same plane; returns false if there are none */
bool scree_net_part_overlaps(net *n);
/* covers.c: finds sides that are on the face of another triangle, in a net with valid `across` */
void scree_net_cover(net *n);
/* Keeps triangle t as number *kept of the remaining triangles. */
void scree_net_keep(net *n, int32_t t, int32_t *kept);
/* Returns the triangles sorted by area, largest first, then by number; to be freed by the caller. */
sized *scree_net_sizes(const net *n);

#endif
