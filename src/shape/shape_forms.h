/* shape_forms.h: the table of shape types, one row per shape_type. docs/adding.md lists the other parts that a new type
 * needs. */
#ifndef SCREE_SHAPE_SHAPE_FORMS_H
#define SCREE_SHAPE_SHAPE_FORMS_H

#include "shape/shapes.h"
#include "shape/pair_side.h"

enum { SHAPE_NUMBERS = 5 };

typedef struct shape_ball {
	vec3 at;
	real radius;
} shape_ball;

typedef struct shape_form {
	const char *name;				 /* name in files */
	const char *in_space, *in_plane; /* the plural name in messages; NULL if the type does not exist in such worlds */
	bool rare;						 /* whether messages mention the type only if a scene has such shapes */
	uint8_t side;					 /* what bodies of this type are on either side of a pair (state/pair_kinds.h) */
	bool source;					 /* whether files store the shape's source (shape_source) instead of derived data */
	int32_t numbers;				 /* number of reals that files store for this type in addition to the common data */
	size_t number[SHAPE_NUMBERS];	 /* offsets of the additional reals in struct shape */
	/* returns the largest extent along a direction in the shape's frame, at size 1 */
	real (*reach)(const shape *s, vec3 n);
	/* computes the box of a body in 3D; NULL if the type does not exist in 3D */
	void (*box)(const shape *s, real size, vec3 at, mat3 turn, vec3 *low, vec3 *high);
	/* returns the smallest radius of curvature of the surface, at size 1; NULL if the shape has corners */
	real (*rounding)(const shape *s);
	/* `balls`: number of balls that represent the shape in pictures and in bounds on rotation; `ball`: ball k, in the
	 * shape's frame, at size 1. NULL if pictures show faces or triangles */
	int32_t (*balls)(const shape *s);
	shape_ball (*ball)(const shape *s, int32_t k);
	/* creates the shape again from its numbers, as the first row of `made`, to check a snapshot; returns false if this
	 * is impossible. NULL if the shape is created from tables or from its source (format/snapshot_checks.c) */
	bool (*again)(shapes *made, const shape *s, bool flat);
} shape_form;

extern const shape_form scree_shape_forms[SHAPE_TYPES];

SCREE_FN uint8_t shape_side(shape_type type) { return scree_shape_forms[type].side; }
/* Tests whether a shape consists of balls or, like a ball, touches at single points. */
SCREE_FN bool shape_is_pointed(const shape *s) { return shape_side(s->type) & (TAKES_ROUND | TAKES_POINTED); }

#endif
