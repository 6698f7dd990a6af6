/* polygon: creates a convex polygon from a user's corners: checks, area, centroid, second moment, and edges. Tolerances
 * are much larger than rounding error: in any direction at most two stored corners are lowest within rounding, and
 * these are the ends of an edge. The narrow phase relies on this. */
#include "shape/shapes.h"

#include "base/memory.h"

static const real SHORTEST = 1e-6; /* smallest length of an edge relative to the extent */
static const real STRAIGHT = 1e-6; /* smallest sine of the angle by which the border turns at a corner */
static const real THIN = 1e-6;	   /* smallest inradius relative to the radius */
static const real LARGEST = 1e30;  /* limit that keeps fourth powers of lengths in the range of doubles */

/* Data passed between the steps of building a polygon. */
typedef struct build {
	const char *name;
	int32_t corners;
	const vec3 *point;
	flat_corner *corner; /* [corners] */
	real mean_x, mean_y; /* mean of the corners */
	real extent;		 /* largest distance of a corner from the mean */
	real area, moment, centre_x, centre_y;
	fail *why;
} build;

static bool check_points(build *b)
{
	if (b->corners < 3 || b->corners > POLYGON_CORNERS)
		return scree_refuse(b->why, "shape '%s': a polygon of %d corners, expected 3 to %d", b->name, b->corners,
							POLYGON_CORNERS);
	real x = 0, y = 0;
	for (int32_t i = 0; i < b->corners; ++i) {
		vec3 p = b->point[i];
		if (!(real_abs(p.x) <= LARGEST && real_abs(p.y) <= LARGEST)) /* NaN fails too */
			return scree_refuse(b->why, "shape '%s': corner %d is (%g, %g), expected finite numbers up to 1e30",
								b->name, i, p.x, p.y);
		x += p.x;
		y += p.y;
	}
	b->mean_x = x / b->corners;
	b->mean_y = y / b->corners;
	for (int32_t i = 0; i < b->corners; ++i) {
		real dx = b->point[i].x - b->mean_x, dy = b->point[i].y - b->mean_y;
		b->extent = real_max(b->extent, sqrt(dx * dx + dy * dy));
	}
	if (!(b->extent > 1 / LARGEST))
		return scree_refuse(b->why, "shape '%s': all its corners are at one point", b->name);
	return true;
}

/* sets the corners relative to (x, y), before area and centroid are known */
static void place_corners(build *b)
{
	for (int32_t i = 0; i < b->corners; ++i) {
		b->corner[i].x = (b->point[i].x - b->mean_x) - b->centre_x;
		b->corner[i].y = (b->point[i].y - b->mean_y) - b->centre_y;
	}
}

/* Computes sums over triangles between the edges and the origin, which is near the polygon; exact for any origin. */
static void integrate(build *b)
{
	real area = 0, x = 0, y = 0, moment = 0;
	for (int32_t i = 0; i < b->corners; ++i) {
		const flat_corner *p = b->corner + i, *q = b->corner + (i + 1 < b->corners ? i + 1 : 0);
		real twice = p->x * q->y - p->y * q->x;
		area += twice / 2;
		x += twice * (p->x + q->x) / 6;
		y += twice * (p->y + q->y) / 6;
		moment += twice * (p->x * p->x + p->x * q->x + q->x * q->x + p->y * p->y + p->y * q->y + q->y * q->y) / 12;
	}
	b->area = area;
	b->moment = moment;
	b->centre_x = x;
	b->centre_y = y;
}

static bool set_edges(build *b)
{
	for (int32_t i = 0; i < b->corners; ++i) {
		int32_t next = i + 1 < b->corners ? i + 1 : 0;
		flat_corner *c = b->corner + i;
		real dx = b->corner[next].x - c->x, dy = b->corner[next].y - c->y;
		c->length = sqrt(dx * dx + dy * dy);
		if (!(c->length > 0))
			return scree_refuse(b->why, "shape '%s': corners %d and %d are the same point, expected each point once",
								b->name, i, next);
		if (!(c->length >= SHORTEST * b->extent))
			return scree_refuse(b->why,
								"shape '%s': the length of the edge from corner %d to corner %d is %g of the polygon's "
								"extent, expected at least %g",
								b->name, i, next, c->length / b->extent, SHORTEST);
		c->tx = dx / c->length;
		c->ty = dy / c->length;
	}
	return true;
}

/* Tests that the border turns left at every corner, and by one full turn in total. */
static bool check_turns(build *b)
{
	int32_t turns = 0;
	for (int32_t i = 0; i < b->corners; ++i) {
		const flat_corner *p = b->corner + (i > 0 ? i - 1 : b->corners - 1), *q = b->corner + i;
		real sine = p->tx * q->ty - p->ty * q->tx, cosine = p->tx * q->tx + p->ty * q->ty;
		if (sine >= STRAIGHT) {
			turns += p->ty < 0 && q->ty >= 0;
			continue;
		}
		if (sine > -STRAIGHT && cosine > 0)
			return scree_refuse(b->why, "shape '%s': corner %d is in line with its neighbours: leave it out", b->name,
								i);
		if (sine > -STRAIGHT)
			return scree_refuse(b->why, "shape '%s': corner %d is the tip of a needle without width", b->name, i);
		return scree_refuse(b->why, "shape '%s': corner %d is a dent, expected a convex polygon", b->name, i);
	}
	if (turns != 1)
		return scree_refuse(b->why, "shape '%s': its border winds around %d times, expected once", b->name, turns);
	return true;
}

static void measure(const build *b, flat_polygon *p)
{
	p->radius = 0, p->inradius = INFINITY;
	for (int32_t i = 0; i < b->corners; ++i) {
		const flat_corner *c = b->corner + i;
		p->radius = real_max(p->radius, sqrt(c->x * c->x + c->y * c->y));
		p->inradius = real_min(p->inradius, c->ty * c->x - c->tx * c->y);
	}
}

static bool fill(build *b, flat_polygon *out)
{
	place_corners(b);
	integrate(b);
	if (b->area < 0)
		return scree_refuse(
			b->why, "shape '%s': its corners run clockwise, expected counter-clockwise: reverse their order", b->name);
	if (!(b->area > 0)) return scree_refuse(b->why, "shape '%s': a polygon without area", b->name);
	b->centre_x /= b->area;
	b->centre_y /= b->area;
	place_corners(b);
	real x = b->centre_x, y = b->centre_y;
	integrate(b);
	b->centre_x = x;
	b->centre_y = y;
	if (!set_edges(b) || !check_turns(b)) return false;
	measure(b, out);
	return out->inradius > THIN * out->radius ||
		   scree_refuse(b->why, "shape '%s': too thin: inradius %g, radius %g, expected a ratio above %g", b->name,
						out->inradius, out->radius, THIN);
}

bool scree_polygon_build(flat_polygon *out, const char *name, int32_t corners, const vec3 *point, vec3 *centre,
						 real *area, real *moment, fail *why)
{
	build b = {.name = name, .corners = corners, .point = point, .why = why};
	if (!check_points(&b)) return false;
	out->corner = (flat_corner *)scree_alloc((size_t)corners + 2, sizeof *out->corner) + 1;
	b.corner = out->corner;
	if (!fill(&b, out)) {
		scree_polygon_free(out);
		return false;
	}
	out->corner[-1] = out->corner[corners - 1];
	out->corner[corners] = out->corner[0];
	out->corners = corners;
	*centre = v3(b.mean_x + b.centre_x, b.mean_y + b.centre_y, 0);
	*area = b.area;
	*moment = b.moment;
	return true;
}

void scree_polygon_free(flat_polygon *p)
{
	if (p->corner) scree_free(p->corner - 1);
	*p = (flat_polygon){0};
}
