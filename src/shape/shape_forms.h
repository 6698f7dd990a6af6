/* shape_forms.h: the table of types of shapes: one row for each shape_type. docs/adding.md says what a new one needs
 * beside its row. */
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
	const char *in_space, *in_plane; /* what many of them are called there; NULL: there are none */
	bool rare;						 /* named only where there are some */
	uint8_t side;					 /* which side of a pair its bodies stand on (state/pair_kinds.h) */
	bool source;					 /* files keep what it was made from (shape_source), and not what follows */
	int32_t numbers;				 /* of its own, which files keep beside what all shapes have */
	size_t number[SHAPE_NUMBERS];	 /* offsets of reals in struct shape */
	/* the farthest that it reaches along a direction of its own frame, size 1 */
	real (*reach)(const shape *s, vec3 n);
	/* the box of a body in space; NULL: there are none */
	void (*box)(const shape *s, real size, vec3 at, mat3 turn, vec3 *low, vec3 *high);
	/* the smallest radius of its surface, size 1; NULL: it has corners */
	real (*rounding)(const shape *s);
	/* the balls that it is drawn as and turned by, in its own frame, size 1: as many as `balls` says; NULL: it is drawn
	 * as its faces or triangles */
	int32_t (*balls)(const shape *s);
	shape_ball (*ball)(const shape *s, int32_t k);
	/* the same shape once more, as the first row, from its numbers: what a snapshot says must fit to it. False: there
	 * is none such. NULL: it is made from tables or from its source (format/snapshot_checks.c) */
	bool (*again)(shapes *made, const shape *s, bool flat);
} shape_form;

extern const shape_form scree_shape_forms[SHAPE_TYPES];

SCREE_FN uint8_t shape_side(shape_type type) { return scree_shape_forms[type].side; }
/* Is it made of balls, or does it touch in single points like a ball? */
SCREE_FN bool shape_is_pointed(const shape *s) { return shape_side(s->type) & (TAKES_ROUND | TAKES_POINTED); }

#endif
