/* shape_axes.h: the only conversion between a user's axes for a shape and the axes in which the state stores the shape.
 * Orientations in the state, in stages, and in snapshots refer to a shape's principal axes. Scenes, tables, frames, and
 * all other files use the axes in which the user specified the shape (docs/files.md, "Orientations"). */
#ifndef SCREE_SHAPE_SHAPE_AXES_H
#define SCREE_SHAPE_SHAPE_AXES_H

#include "kernel/quat.h"
#include "shape/shapes.h"

SCREE_FN quat shape_axes_in(const shape *s, quat given) { return quat_unit(quat_mul(given, s->frame)); }

/* Returns the orientation of the user's axes; bitwise equal if both axes are the same. */
SCREE_FN quat shape_axes_out(const shape *s, quat turn)
{
	return s->frame.w == 1 ? turn : quat_unit(quat_mul(turn, quat_conj(s->frame)));
}

#endif
