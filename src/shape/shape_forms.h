/* shape_forms.h: the table of types of shapes: one row for each shape_type. docs/adding.md lists the other parts
 * that a new one needs. */
#ifndef SCREE_SHAPE_SHAPE_FORMS_H
#define SCREE_SHAPE_SHAPE_FORMS_H

#include "shape/shapes.h"
#include "shape/pair_side.h"

enum { SHAPE_NUMBERS = 2 };

typedef struct shape_ball {
	vec3 at;
	real radius;
} shape_ball;

typedef struct shape_form {
	const char *name;				 /* in files */
	const char *in_space, *in_plane; /* plural in messages; NULL: not in such worlds */
	bool rare;						 /* named only if there are some */
	uint8_t side;					 /* side of a pair that its bodies take (state/pair_kinds.h) */
	bool source;					 /* files store its source (shape_source), not the derived data */
	int32_t numbers;				 /* reals of its own that files store besides the common ones */
	size_t number[SHAPE_NUMBERS];	 /* offsets of reals in struct shape */
	/* greatest extent along a direction of its own frame, size 1 */
	real (*reach)(const shape *s, vec3 n);
	/* the box of a body in space; NULL: not in space */
	void (*box)(const shape *s, real size, vec3 at, mat3 turn, vec3 *low, vec3 *high);
	/* the smallest radius of its surface, size 1; NULL: it has corners */
	real (*rounding)(const shape *s);
	/* the balls that represent it in pictures and in bounds on rotation, in its own frame, size 1: `balls` is their
	 * number; NULL: it is drawn by its faces or triangles */
	int32_t (*balls)(const shape *s);
	shape_ball (*ball)(const shape *s, int32_t k);
	/* makes the same shape again from its numbers, as the first row, to check a snapshot. False: impossible. NULL:
	 * it is made from tables or from its source (format/snapshot_checks.c) */
	bool (*again)(shapes *made, const shape *s, bool flat);
} shape_form;

extern const shape_form scree_shape_forms[SHAPE_TYPES];

SCREE_FN uint8_t shape_side(shape_type type) { return scree_shape_forms[type].side; }
/* Tests whether it is made of balls, or touches in single points like a ball. */
SCREE_FN bool shape_is_pointed(const shape *s) { return shape_side(s->type) & (TAKES_ROUND | TAKES_POINTED); }

#endif
