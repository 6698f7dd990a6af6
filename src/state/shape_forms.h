/* shape_forms.h: the table of types of shapes: one row for each shape_type. docs/adding.md says what a new one needs
 * beside its row. */
#ifndef SCREE_STATE_SHAPE_FORMS_H
#define SCREE_STATE_SHAPE_FORMS_H

#include "state/shapes.h"

typedef struct shape_form {
	const char *in_space, *in_plane; /* what many of them are called there; NULL: there are none */
	/* the farthest that it reaches along a direction of its own frame, size 1 */
	real (*reach)(const shape *s, vec3 n);
	/* the box of a body in space; NULL: there are none */
	void (*box)(const shape *s, real size, vec3 at, mat3 turn, vec3 *low, vec3 *high);
} shape_form;

extern const shape_form scree_shape_forms[SHAPE_TYPES];

#endif
