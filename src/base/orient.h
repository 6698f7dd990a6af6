/* orient.h: exact predicates (signs of determinants) for the side on which a point lies, for decisions that must be
 * consistent, such as intersections of triangles and tests for inside or outside. */
#ifndef SCREE_BASE_ORIENT_H
#define SCREE_BASE_ORIENT_H

#include "base/real.h"

/* The sign of (b-a) x (c-a) . (d-a): 1 if d is on the side from which a, b, c run counter-clockwise, -1 if d is on the
 * other side, and 0 if d is in their plane. Exact if no product of three differences exceeds the range of doubles: for
 * coordinates up to 1e100, and differences that are 0 or at least 1e-80. */
int scree_orient3(vec3 a, vec3 b, vec3 c, vec3 d);
/* In the plane: 1 if a, b, c run counter-clockwise, -1 if clockwise, 0 if collinear. */
int scree_orient2(real ax, real ay, real bx, real by, real cx, real cy);

#endif
