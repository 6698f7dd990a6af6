/* pressure.h: the mean distance of a patch's pressure from its centre, arm = (sum of r p dA) / (sum of p dA). This
 * distance is the lever arm of friction against rotation about the normal (docs/theory/laws.md, "Friction"). A part of
 * a pressure distribution is a polygon in the plane perpendicular to the normal, given by its corners in order, with a
 * pressure that is linear in position, or a line with two ends, or a point with a force.
 *
 * A polygon is divided into signed triangles (c, a, b), one per side, with their apex at the centre c. In such a
 * triangle, r scales with the distance from c. The integral is therefore an integral along the side:
 *
 *     sum of r p dA = 2 area (1/4 <r p> + 1/12 p(c) <r>),      <>: mean along the side
 *
 * Here p is linear, and p(c) is its extrapolation to c. Let d_a and d_b be the distances of the ends from c, D their
 * sum, h the distance from c to the side's line, s the coordinate along the side from the foot of c, and S the sum of
 * the coordinates of both ends. Then
 *
 *     <r> = 1/4 (D + S^2/D) + h^2/(2 L) ln((D + L)/(D - L)).
 *
 * With q = sqrt(D^2 - L^2), the logarithm over 2 L is approximately (1.131 D + 0.166 q)/(D (0.297 D + q)). This is the
 * best quotient of this form that is exact for short sides: the error of <r> is at most 0.13 %, and no logarithm is
 * computed. */
#ifndef SCREE_KERNEL_PRESSURE_H
#define SCREE_KERNEL_PRESSURE_H

#include "base/real.h"

/* A corner and the pressure there, of which only ratios matter: a force for a point, a force per length for a line. */
typedef struct pressure_corner {
	real x, y, p;
} pressure_corner;

typedef struct pressure_part {
	int32_t end; /* end of the part's corners, which start where the previous part ends */
	real force;
} pressure_part;

SCREE_FN pressure_corner pressure_corner_of(real x, real y, real p)
{
	pressure_corner c = {x, y, p > 0 ? p : 0};
	return c;
}

SCREE_FN real pressure_length(SCREE_GLOBAL const pressure_corner *a, SCREE_GLOBAL const pressure_corner *b)
{
	real x = b->x - a->x, y = b->y - a->y;
	return sqrt(x * x + y * y);
}

/* Sums of p, p x, and p y over a part; exact if p is linear. */
typedef struct pressure_sums {
	real p, x, y;
} pressure_sums;

/* Sums over a fan from the first corner. All triangles count as positive, because rounding may flip slivers. */
SCREE_FN pressure_sums pressure_of_polygon(SCREE_GLOBAL const pressure_corner *c, int32_t count)
{
	pressure_sums o = {0, 0, 0};
	real ax = c[1].x - c->x, ay = c[1].y - c->y;
	SCREE_ROLLED
	for (int32_t i = 2; i < count; ++i) {
		real bx = c[i].x - c->x, by = c[i].y - c->y, pa = c[i - 1].p, pb = c[i].p, p = c->p + pa + pb;
		real area = real_abs(ax * by - ay * bx); /* twice the area */
		o.p += area * p;
		o.x += area * (p * (ax + bx) + pa * ax + pb * bx);
		o.y += area * (p * (ay + by) + pa * ay + pb * by);
		ax = bx;
		ay = by;
	}
	o.p /= 6;
	o.x = o.p * c->x + o.x / 24;
	o.y = o.p * c->y + o.y / 24;
	return o;
}

SCREE_FN pressure_sums pressure_of_line(SCREE_GLOBAL const pressure_corner *a, SCREE_GLOBAL const pressure_corner *b)
{
	real length = pressure_length(a, b), p = a->p + b->p;
	pressure_sums o = {length / 2 * p, length / 6 * (p * (a->x + b->x) + a->p * a->x + b->p * b->x),
					   length / 6 * (p * (a->y + b->y) + a->p * a->y + b->p * b->y)};
	return o;
}

SCREE_FN pressure_sums pressure_of_point(SCREE_GLOBAL const pressure_corner *a)
{
	pressure_sums o = {a->p, a->p * a->x, a->p * a->y};
	return o;
}

/* count: >= 1 */
SCREE_FN pressure_sums pressure_sums_of(SCREE_GLOBAL const pressure_corner *c, int32_t count)
{
	if (count > 2) return pressure_of_polygon(c, count);
	return count == 2 ? pressure_of_line(c, c + 1) : pressure_of_point(c);
}

/* Creates a part from the corners added since the last part; drops them if there is no pressure. */
SCREE_FN void pressure_close(SCREE_GLOBAL int32_t *corners, SCREE_GLOBAL int32_t *parts,
							 SCREE_GLOBAL pressure_sums *sum, SCREE_GLOBAL const pressure_corner *corner,
							 SCREE_GLOBAL pressure_part *part)
{
	const int32_t first = *parts ? part[*parts - 1].end : 0;
	if (*corners == first) return;
	const pressure_sums s = pressure_sums_of(corner + first, *corners - first);
	if (!(s.p > 0)) {
		*corners = first;
		return;
	}
	part[*parts].end = *corners;
	part[*parts].force = s.p;
	++*parts;
	sum->p += s.p;
	sum->x += s.x;
	sum->y += s.y;
}

typedef struct pressure_end {
	real x, y, p, r;
} pressure_end;

SCREE_FN pressure_end pressure_end_at(SCREE_GLOBAL const pressure_corner *c, real x, real y)
{
	pressure_end e = {c->x - x, c->y - y, c->p, 0};
	e.r = sqrt(e.x * e.x + e.y * e.y);
	return e;
}

/* coefficients of the quotient that approximates the logarithm */
SCREE_CONSTANT real PRESSURE_SUM = 1.131, PRESSURE_ROOT = 0.166, PRESSURE_WIDE = 0.297;

/* Mean values along one side. `over` combines three quotients into one division, the slowest operation. */
typedef struct pressure_side {
	real cross;			/* twice the area of the triangle */
	real mean, pressed; /* <r>, <r p> */
} pressure_side;

SCREE_FN pressure_side pressure_side_of(pressure_end a, pressure_end b)
{
	const real nothing = 1e-300;
	real ex = b.x - a.x, ey = b.y - a.y, square = ex * ex + ey * ey, sum = a.r + b.r;
	real cross = a.x * b.y - a.y * b.x, dot = a.x * b.x + a.y * b.y,
		 along = (a.x + b.x) * ex + (a.y + b.y) * ey; /* S L */
	real inside = a.r * b.r + dot, q = sqrt(2 * (inside > 0 ? inside : 0)), wide = PRESSURE_WIDE * sum + q;
	/* S/L: ratio of the coordinate to the sum */
	real all = square * sum * wide, over = all > nothing ? 1 / all : 0, place = along * wide;
	real bend = cross * cross * (PRESSURE_SUM * sum + PRESSURE_ROOT * q);
	real mean = (real)0.25 * sum + ((real)0.25 * along * place + bend) * over;
	/* <r (s - middle)> / L */
	real skew = place * over * ((a.r * a.r + a.r * b.r + b.r * b.r) / 3 - mean / 2 * sum);
	pressure_side s = {cross, mean, (a.p + b.p) / 2 * mean + (b.p - a.p) * skew};
	return s;
}

/* Returns the sum of r p dA about (x, y) over a polygon, given the sum of p dA. */
SCREE_FN real pressure_polygon_turn(SCREE_GLOBAL const pressure_corner *corner, int32_t count, real force, real x,
									real y)
{
	real twice = 0, mean = 0, pressed = 0, ends = 0, most = 0;
	pressure_end a = pressure_end_at(corner + count - 1, x, y);
	SCREE_ROLLED
	for (int32_t i = 0; i < count; ++i) {
		pressure_end b = pressure_end_at(corner + i, x, y);
		pressure_side s = pressure_side_of(a, b);
		twice += s.cross;
		mean += s.cross * s.mean;
		pressed += s.cross * s.pressed;
		ends += s.cross * (a.p + b.p);
		most = real_max(most, b.r);
		a = b;
	}
	/* the sum of p dA also equals the sum over the triangles, sum of cross (p(c) + p_a + p_b) / 6 */
	real turned = twice < 0 ? -1 : 1;
	real centre = twice != 0 ? (6 * turned * force - ends) / twice : 0;
	real sum = turned * (pressed / 4 + centre * mean / 12);
	return real_clamp(sum, 0, most * force); /* for distant slivers the sum contains only rounding error */
}

SCREE_FN real pressure_part_turn(SCREE_GLOBAL const pressure_corner *corner, int32_t count, real force, real x, real y)
{
	if (count > 2) return pressure_polygon_turn(corner, count, force, x, y);
	pressure_end a = pressure_end_at(corner, x, y);
	if (count == 1) return a.r * force;
	return pressure_length(corner, corner + 1) * pressure_side_of(a, pressure_end_at(corner + 1, x, y)).pressed;
}

/* Returns the mean distance of the pressure of all parts from its centre, or 0 if there are none. sum: over them */
SCREE_FN real pressure_arm(SCREE_GLOBAL const pressure_corner *corner, SCREE_GLOBAL const pressure_part *part,
						   int32_t parts, pressure_sums all)
{
	real sum = 0, over = parts ? 1 / all.p : 0, x = over * all.x, y = over * all.y;
	int32_t first = 0;
	SCREE_ROLLED
	for (int32_t k = 0; k < parts; ++k) {
		int32_t end = part[k].end;
		sum += pressure_part_turn(corner + first, end - first, part[k].force, x, y);
		first = end;
	}
	return over * sum;
}

#endif
