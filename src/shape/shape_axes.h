/* shape_axes.h: conversion between the axes in which a user gave a shape and those in which the state stores it.
 *
 * Orientations in the state, its stages and snapshots are those of a shape's principal axes. Scenes, tables, frames and
 * all other files use the axes in which the shape was written (docs/files.md, "Orientations"). These functions are the
 * only conversion between the two. */
#ifndef SCREE_SHAPE_SHAPE_AXES_H
#define SCREE_SHAPE_SHAPE_AXES_H

#include "kernel/quat.h"
#include "shape/shapes.h"

/* Orientation of the principal axes from that of the user's axes. */
SCREE_FN quat shape_axes_in(const shape *s, quat given) { return quat_unit(quat_mul(given, s->frame)); }

/* Orientation of the user's axes from that of the principal axes; bitwise the same if both have the same axes. */
SCREE_FN quat shape_axes_out(const shape *s, quat turn)
{
	return s->frame.w == 1 ? turn : quat_unit(quat_mul(turn, quat_conj(s->frame)));
}

#endif
