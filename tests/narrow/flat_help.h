/* flat_help.h: code shared by tests of round bodies in the plane: bodies with random poses, and finite differences of a
 * potential with respect to a pose. */
#ifndef SCREE_TESTS_FLAT_HELP_H
#define SCREE_TESTS_FLAT_HELP_H

#include "test.h"

#include "base/maths.h"
#include "narrow/flat/round.h"
#include "shape/shapes.h"

/* One body with its own shape, so that each case has different proportions. */
typedef struct flat_body {
	shape shape;
	/* as in shape/shapes.h, the last corner is repeated at the start and the first one at the end */
	flat_corner ring[1026];
	placed placed;
	real angle;
} flat_body;

typedef enum flat_kind { FLAT_DISC, FLAT_ELLIPSE, FLAT_POLYGON } flat_kind;

SCREE_FN mat3 turn_about_z(real angle)
{
	real c = cos(angle), s = sin(angle);
	return (mat3){{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
}

/* Sets the corners of a polygon, counter-clockwise, not yet centred. */
SCREE_FN void take_corners(flat_body *b, int32_t count, const real (*at)[2])
{
	real twice = 0, x = 0, y = 0, radius = 0;
	for (int32_t k = 0; k < count; ++k) {
		const real *p = at[k], *q = at[(k + 1) % count];
		real cross = p[0] * q[1] - p[1] * q[0];
		twice += cross;
		x += (p[0] + q[0]) * cross / 3;
		y += (p[1] + q[1]) * cross / 3;
	}
	flat_corner *to = b->ring + 1;
	b->shape = (shape){.type = SHAPE_POLYGON, .flat = {.corners = count, .corner = to}, .volume = twice / 2};
	for (int32_t k = 0; k < count; ++k) {
		const real *p = at[k], *q = at[(k + 1) % count];
		real ex = q[0] - p[0], ey = q[1] - p[1], length = sqrt(ex * ex + ey * ey);
		to[k] = (flat_corner){p[0] - x / twice, p[1] - y / twice, ex / length, ey / length, length};
		radius = fmax(radius, hypot(to[k].x, to[k].y));
	}
	to[-1] = to[count - 1];
	to[count] = to[0];
	b->shape.radius = b->shape.flat.radius = radius;
}

/* a polygon whose corners are on an ellipse, at random angles not too close to each other */
SCREE_FN void random_polygon(flat_body *b, random_stream *r, int32_t corners, real flatness)
{
	real at[1024][2];
	for (int32_t k = 0; k < corners; ++k) {
		real angle = 2 * SCREE_PI * (k + 0.8 * scree_random_real(r)) / corners;
		at[k][0] = cos(angle);
		at[k][1] = flatness * sin(angle);
	}
	take_corners(b, corners, at);
}

SCREE_FN void set_pose(flat_body *b, vec3 at, real angle)
{
	b->angle = angle;
	b->placed.shape = &b->shape;
	b->placed.at = at;
	b->placed.turn = turn_about_z(angle);
}

SCREE_FN void random_shape(flat_body *b, flat_kind kind, random_stream *r)
{
	static const int32_t corners[8] = {3, 4, 5, 6, 8, 16, 64, 300};
	real flatness = exp(-3 * scree_random_real(r));
	switch (kind) {
	case FLAT_DISC:
		b->shape = (shape){.type = SHAPE_SPHERE, .radius = 0.5, .inradius = 0.5, .volume = SCREE_PI / 4};
		break;
	case FLAT_ELLIPSE:
		if (scree_random_bits(r) % 2)
			b->shape = (shape){.semi_x = 1, .semi_y = flatness};
		else
			b->shape = (shape){.semi_x = flatness, .semi_y = 1};
		b->shape.type = SHAPE_ELLIPSE;
		b->shape.radius = 1;
		b->shape.inradius = flatness;
		b->shape.volume = SCREE_PI * flatness;
		break;
	case FLAT_POLYGON:
		random_polygon(b, r, corners[scree_random_bits(r) % 8], flatness);
		break;
	}
	b->placed.size = exp(scree_random_between(r, -2.3, 2.3));
	set_pose(b, v3(0, 0, 0), scree_random_between(r, 0, 2 * SCREE_PI));
}

SCREE_FN void copy_body(flat_body *to, const flat_body *from)
{
	*to = *from;
	to->placed.shape = &to->shape;
	if (to->shape.type == SHAPE_POLYGON) to->shape.flat.corner = to->ring + 1;
}

SCREE_FN real reach_of(const flat_body *b) { return b->placed.size * b->shape.radius; }

/* the support function, computed with libm from all corners */
SCREE_FN real support_of(const flat_body *b, real nx, real ny)
{
	real c = cos(b->angle), s = sin(b->angle), x = c * nx + s * ny, y = c * ny - s * nx, most = -INFINITY;
	if (b->shape.type == SHAPE_SPHERE) return b->placed.size * b->shape.radius;
	if (b->shape.type == SHAPE_ELLIPSE) return b->placed.size * hypot(b->shape.semi_x * x, b->shape.semi_y * y);
	for (int32_t k = 0; k < b->shape.flat.corners; ++k) most = fmax(most, x * b->ring[k + 1].x + y * b->ring[k + 1].y);
	return b->placed.size * most;
}

/* Value of a potential for a body, and its derivatives with respect to x, y and the angle. */
typedef struct flat_slopes {
	real value, x, y, turn;
} flat_slopes;

#endif
