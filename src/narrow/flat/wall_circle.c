/* wall_circle: contact between a disc, an ellipse, or a polygon and a drum around it or a round obstacle.
 *
 * An obstacle is treated as a disc. In a drum, an ellipse with its centre at c is nearest to the wall at the local
 * maxima of |c + s|, where s is a point on the ellipse's border. There is one maximum, or two if the ellipse is locally
 * flatter than the drum and spans part of the drum. With s = (a cos f, b sin f), a >= b, and c in the first quadrant of
 * the ellipse's frame, half the derivative of |c + s|^2 is
 *
 *     D(f) = -a c_x sin f + b c_y cos f - (a^2 - b^2) sin f cos f.
 *
 * In the first quadrant D / (sin f cos f) falls from +inf to -inf. The only root is the farthest point. In the second
 * quadrant D / (sin f cos f) is a c_x/|cos f| + b c_y/sin f - (a^2 - b^2). Its only minimum is (q^2 + p^2)^(3/2) - (a^2
 * - b^2) with q^3 = a c_x and p^3 = b c_y, at cos f : sin f = -q : p. If it is negative, the second maximum is between
 * this minimum and the tip. There is no maximum in the other two quadrants. */
#include "narrow/flat/round.h"

#include "base/maths.h"

static const shape disc = {.type = SHAPE_SPHERE, .radius = (real)0.5, .inradius = (real)0.5};

static placed obstacle(vec3 centre, real radius) { return (placed){&disc, centre, UPRIGHT, 2 * radius}; }

static xy to_wall(const placed *body, vec3 centre) { return xy_of(centre.x - body->at.x, centre.y - body->at.y); }

/* D as defined at the top of the file */
typedef struct slope {
	real x, y, k; /* a c_x, b c_y, a^2 - b^2 */
} slope;

static real slope_at(const slope *s, xy f) { return s->y * f.x - s->x * f.y - s->k * f.x * f.y; }

/* Returns the root at which D decreases, between two angles given by cosine and sine. Starts Newton steps from `f`, and
 * halves the bracket if a step leaves the bracket or makes too little progress. */
static xy falls_through_zero(const slope *s, xy low, xy high, xy f)
{
	real last = INFINITY;
	for (int32_t k = 0; k < 200; ++k) {
		if (!(xy_cross(low, f) > 0 && xy_cross(f, high) > 0)) {
			f = xy_unit(xy_add(low, high));
			if (!(xy_cross(low, f) > 0 && xy_cross(f, high) > 0)) return high;
		}
		real d = slope_at(s, f), fall = s->x * f.x + s->y * f.y + s->k * (f.x * f.x - f.y * f.y);
		*(d > 0 ? &low : &high) = f;
		bool slow = !(real_abs(d) < last / 2) || !(fall > 0);
		last = real_abs(d);
		real step = slow ? 0 : d / fall;
		f = slow ? xy_add(low, high) : xy_madd(f, step, xy_left(f));
		f = xy_unit(f);
		if (d == 0 || (!slow && real_abs(step) < (real)1e-8)) return f;
	}
	return f;
}

/* A point on a body where the distance from the drum's centre has a local maximum. */
typedef struct top {
	xy arm, n; /* arm: from the body's centre; n: unit normal, inwards */
	real depth;
} top;

static real cube_root(real x) { return x > 0 ? scree_pow(x, (real)1 / 3) : 0; }

/* Finds one or two maxima; the first is the farthest from the drum's centre. */
static int32_t tops(const placed *body, vec3 centre, real radius, top *out)
{
	oval o = scree_flat_oval(body, UPRIGHT);
	if (o.a < o.b) o = (oval){xy_left(o.along), o.b, o.a};
	xy c = xy_mul(-1, to_wall(body, centre)), own = xy_of(xy_dot(c, o.along), xy_cross(o.along, c));
	real side_x = own.x < 0 ? -1 : 1, side_y = own.y < 0 ? -1 : 1;
	slope s = {o.a * real_abs(own.x), o.b * real_abs(own.y), (o.a - o.b) * (o.a + o.b)};
	xy east = xy_of(1, 0), north = xy_of(0, 1), west = xy_of(-1, 0), at[2];
	int32_t count = 1;
	bool centred = !(s.x > 0 || s.y > 0);
	/* the search starts where the normal is parallel to c */
	at[0] = centred ? east : falls_through_zero(&s, east, north, xy_unit(xy_of(s.x, s.y)));
	real q = cube_root(s.x), p = cube_root(s.y), w = q * q + p * p;
	if (w * sqrt(w) < s.k) {
		xy from = centred ? north : xy_unit(xy_of(-q, p));
		at[count++] = falls_through_zero(&s, from, west, xy_unit(xy_add(from, west)));
	}
	for (int32_t k = 0; k < count; ++k) {
		real u = side_x * o.a * at[k].x, v = side_y * o.b * at[k].y;
		out[k].arm = xy_of(u * o.along.x - v * o.along.y, u * o.along.y + v * o.along.x);
		xy x = xy_add(c, out[k].arm);
		real far = xy_norm(x);
		out[k].n = xy_mul(-1 / far, x);
		out[k].depth = far - radius;
	}
	return count;
}

/* Returns 0 if there is no contact, and stores the distance in the patch. */
static int32_t tops_that_touch(const placed *body, vec3 centre, real radius, top *t, patch *out)
{
	int32_t count = tops(body, centre, radius, t);
	return flat_begin(out, t[0].n, t[0].depth) ? count : 0;
}

static void depth_in_drum(const placed *body, vec3 centre, real radius, patch *out)
{
	top t[2];
	int32_t count = tops_that_touch(body, centre, radius, t, out);
	xy normal = xy_of(0, 0);
	if (!count) return;
	flat_rows rows = flat_rows_start(out, count);
	for (int32_t k = 0; k < count; ++k) {
		real deep = t[k].depth;
		if (!(deep > 0)) continue;
		normal = xy_madd(normal, deep * deep, t[k].n);
		flat_rows_add(&rows, xy_madd(t[k].arm, deep / 2, t[k].n), deep, deep);
	}
	flat_rows_end(&rows);
	out->normal = xy_solid(xy_norm(normal) > 0 ? xy_unit(normal) : t[0].n);
}

static void area_in_drum(const placed *body, vec3 centre, real radius, patch *out)
{
	top t[2];
	int32_t count = tops_that_touch(body, centre, radius, t, out);
	flat_area sum = {0};
	if (!count) return;
	for (int32_t k = 0; k < count; ++k) {
		flat_lens l = scree_flat_lune(scree_flat_radius(body), radius, t[k].depth);
		if (l.chord > 0) flat_area_add(&sum, l.area, xy_mul(l.chord, t[k].n), xy_madd(t[k].arm, l.sagitta, t[k].n));
	}
	flat_area_patch(&sum, t[0].n, out);
}

void scree_flat_depth_round_circle(const placed *body, vec3 centre, real radius, bool inside, patch *out)
{
	placed post = obstacle(centre, radius);
	if (inside)
		depth_in_drum(body, centre, radius, out);
	else
		scree_flat_depth_round_round(body, &post, 0, out);
}

void scree_flat_area_round_circle(const placed *body, vec3 centre, real radius, bool inside, patch *out)
{
	placed post = obstacle(centre, radius);
	if (inside)
		area_in_drum(body, centre, radius, out);
	else
		scree_flat_area_round_round(body, &post, 0, out);
}

/* ------------------------------------------------------------------ polygons */

/* Returns how far corner k of a polygon is outside a drum, and the corner relative to the drum's centre. */
static real outside_by(const placed *body, xy to_centre, real radius, int32_t k, xy *from_centre)
{
	*from_centre = xy_sub(flat_corner_at(&body->shape->flat, k, body->size), to_centre);
	return xy_norm(*from_centre) - radius;
}

/* Returns half the extent, perpendicular to `n`, of the edges at corner k that face the wall. */
static real width_at(const flat_polygon *p, int32_t k, xy n)
{
	const flat_corner *b = p->corner + flat_before(p, k), *a = p->corner + k;
	real before = xy_dot(n, xy_of(b->ty, -b->tx)) * b->length, after = xy_dot(n, xy_of(a->ty, -a->tx)) * a->length;
	return (real_max(before, 0) + real_max(after, 0)) / 2;
}

static int32_t corners_outside(const placed *body, xy to_centre, real radius, int32_t *farthest)
{
	int32_t count = 0;
	real most = -INFINITY;
	for (int32_t k = 0; k < body->shape->flat.corners; ++k) {
		xy x = xy_sub(flat_corner_at(&body->shape->flat, k, body->size), to_centre);
		real far = xy_dot(x, x);
		count += far > radius * radius;
		if (far > most) {
			most = far;
			*farthest = k;
		}
	}
	return count;
}

void scree_flat_depth_polygon_circle(const placed *body, vec3 centre, real radius, bool inside, patch *out)
{
	const flat_polygon *p = &body->shape->flat;
	xy to = to_wall(body, centre), x, normal = xy_of(0, 0);
	if (!inside) {
		placed wall = obstacle(centre, radius);
		scree_flat_depth_round_polygon(&wall, body, 0, out);
		flat_swap(out, xy_mul(-1, to));
		return;
	}
	to = xy_unturned(body->turn, to);
	int32_t farthest = 0, count = corners_outside(body, to, radius, &farthest);
	real most = outside_by(body, to, radius, farthest, &x);
	xy inwards = xy_mul(-1 / xy_norm(x), x);
	if (!flat_begin(out, xy_turned(body->turn, inwards), most)) return;
	flat_rows rows = flat_rows_start(out, count);
	for (int32_t k = 0; k < p->corners; ++k) {
		real deep = outside_by(body, to, radius, k, &x);
		if (!(deep > 0)) continue;
		xy n = xy_mul(1 / (radius + deep), x);
		real strength = width_at(p, k, n) * deep;
		normal = xy_madd(normal, -strength * deep, n);
		flat_rows_add(&rows, xy_turned(body->turn, xy_add(xy_madd(x, -deep / 2, n), to)), deep, strength);
	}
	flat_rows_end(&rows);
	if (xy_norm(normal) > 0) out->normal = xy_solid(xy_turned(body->turn, xy_unit(normal)));
}

void scree_flat_area_polygon_circle(const placed *body, vec3 centre, real radius, bool inside, patch *out)
{
	xy to = to_wall(body, centre), c = xy_unturned(body->turn, to);
	placed wall = obstacle(centre, radius);
	if (!inside) {
		scree_flat_area_round_polygon(&wall, body, 0, out);
		flat_swap(out, xy_mul(-1, to));
		return;
	}
	scree_flat_depth_polygon_circle(body, centre, radius, true, out);
	if (!out->points) return;
	xy normal = xy_flat(out->normal);
	oval o = {{1, 0}, radius, radius};
	flat_area sum = {0};
	scree_flat_cut(&o, c, &body->shape->flat, body->size, true, xy_of(0, 0), &sum);
	scree_flat_area_turn(&sum, body->turn);
	flat_area_patch(&sum, normal, out);
}
