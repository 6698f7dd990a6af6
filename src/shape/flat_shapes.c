/* flat_shapes: discs and ellipses; shapes of the plane as polygons, for pictures. */
#include "shape/flat_shapes.h"

#include "base/maths.h"

/* largest ratio of the axes of an ellipse; more slender ones are lines within the precision of the contact point */
static const real SLENDER = 1000;

int32_t scree_shapes_add_disc(shapes *s, const char *name, fail *why)
{
	int32_t row = scree_shapes_add_sphere(s, name);
	if (row < 0) {
		scree_fail(why, FAIL_INPUT, "shape '%s': the name is too long, expected at most %zu bytes", name,
				   sizeof s->row->name - 1);
		return -1;
	}
	real moment = SCREE_PI / 32; /* pi r^4 / 2 */
	s->row[row].volume = SCREE_PI / 4;
	s->row[row].inertia = v3(moment, moment, moment);
	return row;
}

int32_t scree_shapes_add_ellipse(shapes *s, const char *name, real semi_x, real semi_y, fail *why)
{
	real large = real_max(semi_x, semi_y), small = real_min(semi_x, semi_y);
	if (!(semi_x > 0 && semi_y > 0 && large < INFINITY && large <= SLENDER * small)) {
		scree_fail(why, FAIL_INPUT,
				   "shape '%s': semi-axes %g and %g, expected two lengths above 0, one at most %g times the other",
				   name, semi_x, semi_y, SLENDER);
		return -1;
	}
	int32_t row = scree_shapes_add_disc(s, name, why);
	if (row < 0) return -1;
	shape *made = s->row + row;
	made->type = SHAPE_ELLIPSE;
	made->semi_x = semi_x;
	made->semi_y = semi_y;
	made->radius = large;
	made->inradius = small;
	made->thick = 2 * small;
	made->volume = SCREE_PI * semi_x * semi_y;
	real moment = made->volume * (semi_x * semi_x + semi_y * semi_y) / 4;
	made->inertia = v3(moment, moment, moment);
	return row;
}

enum { AROUND = 64 };

int32_t scree_shape_corners(const shape *s) { return s->type == SHAPE_POLYGON ? s->flat.corners : AROUND; }

vec3 scree_shape_corner(const shape *s, int32_t k)
{
	real y, x;
	if (s->type == SHAPE_POLYGON) return v3(s->flat.corner[k].x, s->flat.corner[k].y, 0);
	scree_sincos(2 * SCREE_PI * k / AROUND, &y, &x);
	return s->type == SHAPE_ELLIPSE ? v3(s->semi_x * x, s->semi_y * y, 0) : v3(s->radius * x, s->radius * y, 0);
}
