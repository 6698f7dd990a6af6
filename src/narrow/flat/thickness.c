/* thickness: sums over the border of an overlap in the plane, its energy, and the gradient of the energy.
 *
 * U = E* l u and u = t^2/2, where l is the length of the bodies along z and t the thickness of the overlap. t^2 = 12
 * lambda, where lambda is the variance in the overlap's thinnest direction: 1/lambda = trace of 1/K, and K is the
 * covariance of the overlap's points. The gradient corresponds to a pressure on the border, u/A (lambda |K^-1 (x -
 * c)|^2 - 1), where c is the centroid. See also solid/overlap_thickness.c. */
#include "narrow/flat/round.h"

#include "kernel/thickness.h"

/* monomials: 1, x, y, xx, xy, yy, xxx, xxy, xyy, yyy */
enum { X = 1, Y, XX, XY, YY, XXX, XXY, XYY, YYY };
static const int8_t TIMES_X[6] = {X, XX, XY, XXX, XXY, XYY}, TIMES_Y[6] = {Y, XY, YY, XXY, XYY, YYY};

flat_sums scree_flat_sums_start(xy from, xy along) { return (flat_sums){.from = from, .along = along}; }

/* Adds an edge from p to q. Two-point Gauss quadrature is exact up to the third degree. */
static void add_edge(flat_sums *s, xy p, xy q, bool second)
{
	static const real at[2] = {(real)0.2113248654051871, (real)0.7886751345948129};
	xy across = xy_of(s->along.y, -s->along.x);
	p = xy_sub(p, s->from);
	q = xy_sub(q, s->from);
	xy a = xy_of(xy_dot(across, p), xy_dot(s->along, p)), b = xy_of(xy_dot(across, q), xy_dot(s->along, q));
	xy d = xy_sub(b, a);
	real m[FLAT_MONOMIALS] = {0};
	for (int k = 0; k < 2; ++k) {
		real x = a.x + at[k] * d.x, y = a.y + at[k] * d.y, xx = x * x / 2, yy = y * y / 2;
		m[0] += (real)0.5;
		m[X] += x / 2;
		m[Y] += y / 2;
		m[XX] += xx;
		m[XY] += x * y / 2;
		m[YY] += yy;
		m[XXX] += xx * x;
		m[XXY] += xx * y;
		m[XYY] += yy * x;
		m[YYY] += yy * y;
	}
	/* outward normal: d rotated to the right */
	s->inner[0] -= d.x * m[Y];
	s->inner[X] -= d.x * m[XY];
	s->inner[Y] -= d.x * m[YY] / 2;
	s->inner[XX] -= d.x * m[XXY];
	s->inner[XY] -= d.x * m[XYY] / 2;
	s->inner[YY] -= d.x * m[YYY] / 3;
	for (int k = 0; k < FLAT_MONOMIALS && second; ++k) {
		s->border[0][k] += d.y * m[k];
		s->border[1][k] -= d.x * m[k];
	}
}

void scree_flat_sums_ring(flat_sums *s, const flat_ring *r)
{
	for (int32_t i = 0; i < r->count; ++i) {
		int32_t k = ring_next(i, r->count);
		add_edge(s, xy_of(r->x[i], r->y[i]), xy_of(r->x[k], r->y[k]), r->second[i]);
	}
}

bool scree_flat_energy_add(flat_energy *e, const flat_sums *s)
{
	const real *in = s->inner;
	real area = in[0];
	if (!(area > 0)) return false;
	xy c = xy_of(in[X] / area, in[Y] / area);
	real xx = in[XX] / area - c.x * c.x, mixed = in[XY] / area - c.x * c.y, yy = in[YY] / area - c.y * c.y;
	real determinant = xx * yy - mixed * mixed, trace = xx + yy;
	/* the region's area is only rounding error */
	if (!(determinant > 0 && trace > 0)) return false;
	real lambda = determinant / trace, u = THICKNESS_PLANE * 12 * lambda;
	/* lambda K^-2, from the inverse of K */
	real ix = yy / determinant, im = -mixed / determinant, iy = xx / determinant;
	real qx = lambda * (ix * ix + im * im), qm = lambda * im * (ix + iy), qy = lambda * (im * im + iy * iy);
	real px = qx * c.x + qm * c.y, py = qm * c.x + qy * c.y;
	real p[6] = {px * c.x + py * c.y - 1, -2 * px, -2 * py, qx, 2 * qm, qy};
	real fx = 0, fy = 0, turn = 0, scale = u / area;
	for (int k = 0; k < 6; ++k) {
		fx += p[k] * s->border[0][k];
		fy += p[k] * s->border[1][k];
		turn += p[k] * (s->border[1][TIMES_X[k]] - s->border[0][TIMES_Y[k]]);
	}
	xy across = xy_of(s->along.y, -s->along.x);
	xy push = xy_mul(scale, xy_madd(xy_mul(fx, across), fy, s->along));
	xy middle = xy_add(s->from, xy_madd(xy_mul(c.x, across), c.y, s->along));
	/* longer axis of the covariance ellipse */
	real half = (xx - yy) / 2, root = sqrt(half * half + mixed * mixed);
	xy axis = half > 0 ? xy_of(half + root, mixed) : xy_of(mixed, root - half);
	if (root > 0) axis = xy_mul(sqrt(trace / 2 + root) / xy_norm(axis), axis);
	e->wide = xy_madd(xy_mul(axis.x, across), axis.y, s->along);
	e->u += u;
	e->push = xy_add(e->push, push);
	e->moment += scale * turn + xy_cross(s->from, push);
	e->middle = xy_madd(e->middle, u, middle);
	return true;
}

void scree_flat_energy_patch(const flat_energy *e, mat3 turn, xy otherwise, real least, patch *out)
{
	real force = xy_norm(e->push);
	bool pushes = force > least;
	xy n = pushes ? xy_mul(1 / force, e->push) : otherwise, middle = xy_mul(1 / e->u, e->middle), at = middle;
	/* the point on the line of action of the force that is level with the middle */
	if (pushes) at = xy_madd(xy_mul(-e->moment / force, xy_left(n)), xy_dot(n, middle), n);
	force = real_max(force, least);
	/* three points that span the contact, the first in the middle; the law moves the others apart (tilt_part) */
	const real far[3] = {0, (real)1.224744871391589, (real)-1.224744871391589}; /* root of 3/2 */
	xy wide = xy_madd(e->wide, -xy_dot(e->wide, n), n);
	out->points = 3;
	out->normal = xy_solid(xy_turned(turn, n));
	out->depth = 2 * e->u / force;
	for (int k = 0; k < 3; ++k) {
		out->at[k] = xy_solid(xy_turned(turn, xy_madd(at, far[k], wide)));
		out->deep[k] = out->depth;
		out->weight[k] = force * force / (2 * e->u);
	}
}
