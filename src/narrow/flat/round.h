/* round.h: contact of discs and ellipses with one another, with convex polygons and with walls, and of all three
 * with walls, in the plane z = 0 (docs/theory/ellipses.md). Functions of the poses alone.
 *
 * Bodies are turned about z only. A sphere is a disc. In every patch the normal points to the body that is named first
 * (from b to a; from the wall to the body), points are taken from its centre and lie midway between the surfaces, pitch
 * and axis are 0. Without contact -depth is the distance. */
#ifndef SCREE_NARROW_FLAT_ROUND_H
#define SCREE_NARROW_FLAT_ROUND_H

#include "narrow/narrow.h"

/* By depth: the overlap is the least way to part the two. Pairs have one point of weight 1; `hint` is not needed, and
 * not used. a: disc or ellipse. */
void scree_flat_depth_round_round(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_flat_depth_round_polygon(const placed *a, const placed *b, int32_t hint, patch *out);

/* By area, for energies W(A) of the area A of the overlap: one point, weight[0] the length |G| of the gradient of A, in
 * m, and deep[0] = depth = A/|G|, so that the force is W'(A) weight[0] along the normal, and A = weight[0] deep[0].
 * Where A does not change (one inside the other) there is no contact, with depth 0. Of two ellipses, or of an ellipse
 * and a disc, A is that of two discs of the same areas with the same depth. */
void scree_flat_area_round_round(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_flat_area_round_polygon(const placed *a, const placed *b, int32_t hint, patch *out);

/* The half plane behind a line, through `point`, its unit normal towards the body. */
void scree_flat_depth_round_line(const placed *body, vec3 point, vec3 normal, patch *out);
void scree_flat_depth_polygon_line(const placed *body, vec3 point, vec3 normal, patch *out);
void scree_flat_area_round_line(const placed *body, vec3 point, vec3 normal, patch *out);
void scree_flat_area_polygon_line(const placed *body, vec3 point, vec3 normal, patch *out);

/* A circle that bodies are inside of (a drum), or a round obstacle that they are outside of. */
void scree_flat_depth_round_circle(const placed *body, vec3 centre, real radius, bool inside, patch *out);
void scree_flat_depth_polygon_circle(const placed *body, vec3 centre, real radius, bool inside, patch *out);
void scree_flat_area_round_circle(const placed *body, vec3 centre, real radius, bool inside, patch *out);
void scree_flat_area_polygon_circle(const placed *body, vec3 centre, real radius, bool inside, patch *out);

#endif
