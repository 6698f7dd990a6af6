/* round.h: contact in the plane z = 0 of discs and ellipses with each other and with convex polygons, and of all three
 * with walls (docs/theory/ellipses.md). Functions of the poses alone.
 *
 * Bodies are rotated about z only, and a sphere is a disc. In every patch the normal points to the body that is named
 * first (from b to a; from the wall to the body). Points are relative to its centre and midway between the surfaces;
 * pitch and axis are 0. Without contact -depth is the distance. */
#ifndef SCREE_NARROW_FLAT_ROUND_H
#define SCREE_NARROW_FLAT_ROUND_H

#include "narrow/narrow.h"

/* By depth: the overlap is the shortest translation that separates the bodies. Pairs have one point, of weight 1;
 * `hint` is not used. a: disc or ellipse */
void scree_flat_depth_round_round(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_flat_depth_round_polygon(const placed *a, const placed *b, int32_t hint, patch *out);

/* By area, for energies W(A) of the area A of the overlap. There is one point with weight[0] = |G|, the length of the
 * gradient of A in m, and deep[0] = depth = A/|G|. So the force is W'(A) weight[0] along the normal, and A = weight[0]
 * deep[0]. If A does not change with the poses (one body inside the other) there is no contact, and depth is 0. For two
 * ellipses, or an ellipse and a disc, A is that of two discs of the same areas with the same depth. */
void scree_flat_area_round_round(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_flat_area_round_polygon(const placed *a, const placed *b, int32_t hint, patch *out);

/* Contact with the half plane behind a line. point: on the line; its unit normal points to the body */
void scree_flat_depth_round_line(const placed *body, vec3 point, vec3 normal, patch *out);
void scree_flat_depth_polygon_line(const placed *body, vec3 point, vec3 normal, patch *out);
void scree_flat_area_round_line(const placed *body, vec3 point, vec3 normal, patch *out);
void scree_flat_area_polygon_line(const placed *body, vec3 point, vec3 normal, patch *out);

/* Contact with a circle around bodies (a drum), or with a round obstacle. */
void scree_flat_depth_round_circle(const placed *body, vec3 centre, real radius, bool inside, patch *out);
void scree_flat_depth_polygon_circle(const placed *body, vec3 centre, real radius, bool inside, patch *out);
void scree_flat_area_round_circle(const placed *body, vec3 centre, real radius, bool inside, patch *out);
void scree_flat_area_polygon_circle(const placed *body, vec3 centre, real radius, bool inside, patch *out);

#endif
