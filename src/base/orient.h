/* orient.h: on which side a point lies, exactly: the sign of a determinant of the coordinates as they are, whatever
 * rounding does to its value. For what must not contradict itself: which triangles cross, what is inside. */
#ifndef SCREE_BASE_ORIENT_H
#define SCREE_BASE_ORIENT_H

#include "base/real.h"

/* The sign of (b-a) x (c-a) . (d-a): 1 where d lies on the side from which a, b, c run counter-clockwise, -1 on the
 * other one, 0 in their plane. Exact where no product of three differences leaves the range of doubles: up to 1e100,
 * and differences that are not 0 from 1e-80. */
int scree_orient3(vec3 a, vec3 b, vec3 c, vec3 d);
/* In the plane: 1 where a, b, c run counter-clockwise, -1 clockwise, 0 on one line. */
int scree_orient2(real ax, real ay, real bx, real by, real cx, real cy);

#endif
