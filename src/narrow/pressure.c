/* pressure: the mean distance of the pressure on a patch from the patch's centre, arm = (sum of r p dA) / (sum of p
 * dA).
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
#include "narrow/touch_list.h"

#include "base/memory.h"

#include <string.h>

static void *doubled(void *array, const void *few, int32_t *room, size_t size)
{
	void *more = scree_alloc(2 * (size_t)*room, size);
	memcpy(more, array, (size_t)*room * size);
	if (array != few) scree_free(array);
	*room *= 2;
	return more;
}

void scree_pressure_room(pressure *o)
{
	o->corner = doubled(o->corner, o->few_corners, &o->corner_room, sizeof *o->corner);
}

static real length_of(const pressure_corner *a, const pressure_corner *b)
{
	real x = b->x - a->x, y = b->y - a->y;
	return sqrt(x * x + y * y);
}

/* Sums of p, p x, and p y over a part; exact if p is linear. */
typedef struct sums {
	real p, x, y;
} sums;

/* Sums over a fan from the first corner. All triangles count as positive, because rounding may flip slivers. */
static sums sums_of_polygon(const pressure_corner *c, int32_t count)
{
	sums o = {0, 0, 0};
	real ax = c[1].x - c->x, ay = c[1].y - c->y;
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

static sums sums_of_line(const pressure_corner *a, const pressure_corner *b)
{
	real length = length_of(a, b), p = a->p + b->p;
	return (sums){length / 2 * p, length / 6 * (p * (a->x + b->x) + a->p * a->x + b->p * b->x),
				  length / 6 * (p * (a->y + b->y) + a->p * a->y + b->p * b->y)};
}

static sums sums_of_point(const pressure_corner *a) { return (sums){a->p, a->p * a->x, a->p * a->y}; }

void scree_pressure_close(pressure *o)
{
	int32_t first = o->parts ? o->part[o->parts - 1].end : 0, count = o->corners - first;
	if (!count) return;
	const pressure_corner *c = o->corner + first;
	sums s = count > 2 ? sums_of_polygon(c, count) : count == 2 ? sums_of_line(c, c + 1) : sums_of_point(c);
	if (!(s.p > 0)) { /* no pressure */
		o->corners = first;
		return;
	}
	if (o->parts == o->part_room) o->part = doubled(o->part, o->few_parts, &o->part_room, sizeof *o->part);
	o->part[o->parts++] = (pressure_part){o->corners, s.p};
	o->force += s.p;
	o->x += s.x;
	o->y += s.y;
}

/* A corner of a part relative to the centre. */
typedef struct end {
	real x, y, p, r;
} end;

SCREE_FN end end_at(const pressure_corner *c, real x, real y)
{
	end e = {c->x - x, c->y - y, c->p, 0};
	e.r = sqrt(e.x * e.x + e.y * e.y);
	return e;
}

/* coefficients of the quotient that approximates the logarithm */
static const real NEAR_SUM = 1.131, NEAR_ROOT = 0.166, NEAR_WIDE = 0.297;

/* Mean values along one side. `over` combines three quotients into one division, because division is the slowest
 * operation. */
typedef struct side {
	real cross;			/* twice the area of the triangle */
	real mean, pressed; /* <r>, <r p> */
} side;

SCREE_FN side side_of(end a, end b)
{
	const real nothing = 1e-300;
	real ex = b.x - a.x, ey = b.y - a.y, square = ex * ex + ey * ey, sum = a.r + b.r;
	real cross = a.x * b.y - a.y * b.x, dot = a.x * b.x + a.y * b.y,
		 along = (a.x + b.x) * ex + (a.y + b.y) * ey; /* S L */
	real inside = a.r * b.r + dot, q = sqrt(2 * (inside > 0 ? inside : 0)), wide = NEAR_WIDE * sum + q;
	/* S/L: ratio of the coordinate to the sum */
	real all = square * sum * wide, over = all > nothing ? 1 / all : 0, place = along * wide;
	real bend = cross * cross * (NEAR_SUM * sum + NEAR_ROOT * q);
	real mean = (real)0.25 * sum + ((real)0.25 * along * place + bend) * over;
	/* <r (s - middle)> / L */
	real skew = place * over * ((a.r * a.r + a.r * b.r + b.r * b.r) / 3 - mean / 2 * sum);
	return (side){cross, mean, (a.p + b.p) / 2 * mean + (b.p - a.p) * skew};
}

/* Returns the sum of r p dA about (x, y) over a polygon, given the sum of p dA. */
static real of_polygon(const pressure_corner *corner, int32_t count, real force, real x, real y)
{
	real twice = 0, mean = 0, pressed = 0, ends = 0, most = 0;
	end a = end_at(corner + count - 1, x, y);
	for (int32_t i = 0; i < count; ++i) {
		end b = end_at(corner + i, x, y);
		side s = side_of(a, b);
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

static real of_part(const pressure_corner *corner, int32_t count, real force, real x, real y)
{
	if (count > 2) return of_polygon(corner, count, force, x, y);
	end a = end_at(corner, x, y);
	return count == 1 ? a.r * force : length_of(corner, corner + 1) * side_of(a, end_at(corner + 1, x, y)).pressed;
}

real scree_pressure_arm(pressure *o)
{
	real sum = 0, over = o->parts ? 1 / o->force : 0, x = over * o->x, y = over * o->y;
	int32_t first = 0;
	for (int32_t k = 0; k < o->parts; ++k) {
		int32_t end = o->part[k].end;
		sum += of_part(o->corner + first, end - first, o->part[k].force, x, y);
		first = end;
	}
	if (o->corner != o->few_corners) scree_free(o->corner);
	if (o->part != o->few_parts) scree_free(o->part);
	pressure_start(o);
	return over * sum;
}
