/* net.h: the triangles of a mesh while they become a wall; private to net.c, mesh.c, conform.c, overlaps.c
 * and covers.c.
 *
 * Narrow phases read only the table of walls (walls.h, `next`). Set-up guarantees that the mesh conforms up to the
 * tolerance of the wall. An edge belongs to one facet (then it is EDGE_OPEN, or covered by the face of another facet,
 * edge_is_covered) or to two facets that are each other's neighbours. Facets of one surface do not overlap. Where a
 * file has a corner within an edge, an edge within a face, cracks, or a sheet twice, facets are cut until this is
 * true. */
#ifndef SCREE_WALL_NET_H
#define SCREE_WALL_NET_H

#include "base/fail.h"
#include "base/sort.h"
#include "wall/facets.h"

typedef struct net {
	int32_t vertices, triangles; /* triangles: number of those that remain */
	int64_t vertex_room;
	int32_t triangle_room;
	vec3 *vertex;
	int32_t *triangle; /* [3*triangles] welded */
	vec3 *normal;	   /* [triangles] unit normals, from the triangles of the file */
	int32_t *source;   /* [triangles] the triangle of the file that contains it */
	/* [3*triangles] across side k of triangle t: corner 3 u + j of the side it meets; -1: nothing; -2 - u: face u */
	int32_t *across;
	int32_t *surface; /* [triangles] number of its surface, from 0 */
	int32_t surfaces;
	real extent, reach; /* largest edge of the bounds, largest coordinate */
	real near;			/* tolerance for equality within the digits of the file */
	bool two_sided;
	int32_t dropped; /* triangles without area, and copies */
	mesh_repairs found;
} net;

/* Twice the area of the triangle with these three vertices, along its normal by the order of the vertices. */
SCREE_FN vec3 net_area(const net *n, const int32_t *t)
{
	return v3_cross(v3_sub(n->vertex[t[1]], n->vertex[t[0]]), v3_sub(n->vertex[t[2]], n->vertex[t[0]]));
}
SCREE_FN int32_t net_after(int32_t corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; }
SCREE_FN vec3 net_corner(const net *n, int32_t corner) { return n->vertex[n->triangle[corner]]; }
/* Vector in the plane of the triangle, perpendicular to the side of this corner, pointing outwards; not normalised. */
SCREE_FN vec3 net_outward(const net *n, int32_t corner)
{
	return v3_cross(v3_sub(net_corner(n, net_after(corner)), net_corner(n, corner)), n->normal[corner / 3]);
}

int32_t scree_net_vertex(net *n, vec3 p);
/* Adds a triangle that is a part of triangle `of`. */
void scree_net_triangle(net *n, int32_t a, int32_t b, int32_t c, int32_t of);
/* Drops triangles that have a vertex twice. */
void scree_net_drop_collapsed(net *n);
/* Sorts triangles in the order of the file, so that surfaces have the numbers they would have without cuts; invalidates
 * `across`. */
void scree_net_sort(net *n);
/* Fills across: pairs triangles that traverse their common side in opposite directions (if the last argument is false,
 * in any direction). If more than two triangles share a side, the two that are most nearly in one plane are paired, and
 * the sides of the others lie on them. */
void scree_net_across(net *n, bool alike);
bool scree_net_has_border(const net *n);

/* A grid over triangles, which finds those whose bounds meet a box, as rows in ascending order. */
typedef struct net_grid {
	walls boxes;
	facet_grid *grid;
	facet_list list;
} net_grid;
net_grid scree_net_grid(const net *n);
/* Finds the triangles that are nearer to this box than the tolerance of the net. */
void scree_net_ask(const net *n, net_grid *g, vec3 low, vec3 high);
void scree_net_grid_free(net_grid *g);

/* A cut of a side at a vertex that lies on it. */
typedef struct net_cut {
	int32_t corner, vertex;
	real at; /* 0 .. 1, position from this corner to the next */
} net_cut;
typedef struct net_cuts {
	int32_t count;
	int64_t room;
	net_cut *item;
} net_cuts;
/* Cuts sides at these points and empties the list; invalidates `across`. */
void scree_net_cut_sides(net *n, net_cuts *l);

/* conform.c: closes cracks, separates sheets that lie on each other, and cuts sides at corners that lie on them */
void scree_net_conform(net *n);
/* overlaps.c: cuts off parts of triangles that lie on larger triangles in the same plane; false: there are none */
bool scree_net_part_overlaps(net *n);
/* covers.c: finds sides that lie on the face of another triangle, in a net with valid `across` */
void scree_net_cover(net *n);
/* Keeps triangle t as number *kept of those that remain. */
void scree_net_keep(net *n, int32_t t, int32_t *kept);
/* The triangles by area, largest first, then by number; the caller frees. */
sized *scree_net_sizes(const net *n);

#endif
