/* thick_piece: the thickness of a body's parts, also of the balls that represent it (shape/shape_forms.h). */
#include "shape/shape_forms.h"
#include "shape/thickness.h"

static real thinnest_ball(const shape *s)
{
	const shape_form *f = scree_shape_forms + s->type;
	real least = INFINITY;
	for (int32_t k = 0; k < f->balls(s); ++k) least = real_min(least, 2 * f->ball(s, k).radius);
	return least;
}

thick_piece scree_thick_piece(const shape *s, int32_t part, real size)
{
	if (s->parts) return (thick_piece){size * s->part[part].thick, s->parts > 1};
	const shape_form *f = scree_shape_forms + s->type;
	if (f->balls && s->type != SHAPE_SPHERE) return (thick_piece){size * thinnest_ball(s), f->balls(s) > 1};
	return (thick_piece){size * s->thick, false};
}
