/* thickness_pairs: overlaps, measured by thickness, of two bodies in the plane or of a body and a wall.
 *
 * For polygons, the sums over the overlap are in thickness.c. Discs and ellipses with depth d have the energy (pi/8)
 * d^2, which is within 5 % of the energy of many-sided polygons on a line. A drum is treated as a polygon with short
 * sides that rotates with the body: the middle of a side is always in the direction of the body's centre, so corners
 * have no effect. The gradient of the energy then includes a force at the body's centre that makes the torque about the
 * drum's centre zero (docs/theory/overlap.md). */
#include "narrow/flat/round.h"

#include "base/memory.h"

static const real LEAST_FORCE = 1e-12; /* limit, relative to the scale, below which a force counts as zero */

enum { ROOM = 64 };

typedef struct ring_room {
	flat_ring ring;
	real small[2 * ROOM];
	bool small_second[ROOM];
} ring_room;

static void room_for(ring_room *r, int32_t corners)
{
	bool large = corners > ROOM;
	r->ring.count = 0;
	r->ring.x = large ? scree_alloc((size_t)corners * 2, sizeof(real)) : r->small;
	r->ring.y = r->ring.x + (large ? corners : ROOM);
	r->ring.second = large ? scree_alloc((size_t)corners, sizeof(bool)) : r->small_second;
}

static void room_free(ring_room *r)
{
	if (r->ring.x == r->small) return;
	SCREE_FREE_ALL(r->ring.x, r->ring.second);
}

static xy lowest_of(const flat_ring *r, xy along)
{
	int32_t best = 0;
	real least = INFINITY;
	for (int32_t i = 0; i < r->count; ++i) {
		real h = xy_dot(along, ring_at(r, i));
		best = h < least ? i : best;
		least = real_min(least, h);
	}
	return ring_at(r, best);
}

static bool energy_of(const flat_ring *r, xy along, flat_energy *e)
{
	flat_sums s = scree_flat_sums_start(lowest_of(r, along), along);
	scree_flat_sums_ring(&s, r);
	return scree_flat_energy_add(e, &s);
}

void scree_flat_thickness_polygons(const placed *a, const placed *b, int32_t hint, patch *out)
{
	flat_placed fa = flat_of(a, a), fb = flat_of(b, a);
	polygon_pair p = polygon_pair_of(&fa, &fb);
	if (begin_patch(p.x, p.y, p.scale, hint, out)) return;
	flat_overlap o;
	ring_room room;
	flat_energy e = {0};
	real apart;
	room_for(&room, p.na + 2 * p.nb + 2);
	bool touching = scree_flat_overlap(&p, hint, &o, &room.ring, &apart);
	out->axis = o.hint;
	features_count(&out->features, hint, o.hint, o.changes, o.all, o.borders);
	out->depth = -real_max(apart - FLAT_ROUNDING * p.scale, 0);
	real g = xy_norm(o.g), way2 = p.x * p.x + p.y * p.y;
	/* one body is inside the other or passes straight through it, so there is no force, and the normal is arbitrary */
	xy any = way2 > 0 ? xy_mul(-1 / sqrt(way2), xy_of(p.x, p.y)) : xy_of(0, 1);
	xy along = g > LEAST_FORCE * p.scale ? xy_mul(1 / g, o.g) : any;
	if (touching && energy_of(&room.ring, along, &e))
		scree_flat_energy_patch(&e, a->turn, along, LEAST_FORCE * p.scale, out);
	room_free(&room);
}

/* Removes the part above n.p = off; the new edge is on the wall (Sutherland and Hodgman 1974). */
static void cut(const flat_ring *from, xy n, real off, flat_ring *to)
{
	int32_t crossings = 0; /* a line crosses a convex polygon at most twice; more is rounding error */
	to->count = 0;
	for (int32_t i = 0; i < from->count; ++i) {
		int32_t k = ring_next(i, from->count);
		real h = xy_dot(n, ring_at(from, i)) - off, g = xy_dot(n, ring_at(from, k)) - off;
		bool keep = !(h > 0), keep_next = !(g > 0);
		if (keep) ring_add(to, ring_at(from, i), from->second[i]);
		if (keep == keep_next || crossings++ > 1) continue;
		ring_add_between(to, from, i, k, real_clamp(h / (h - g), 0, 1), keep || from->second[i]);
	}
}

/* Returns the corners of the body in the axes of the wall's frame, relative to the body's centre. */
static void whole_body(const placed *body, flat_ring *r)
{
	const flat_polygon *p = &body->shape->flat;
	r->count = 0;
	for (int32_t k = 0; k < p->corners; ++k)
		ring_add(r, xy_turned(body->turn, flat_corner_at(p, k, body->size)), false);
}

/* The depth beyond a line, measured opposite to n. over: distance of the body's centre from the line */
static real beyond(const placed *body, xy n, real over)
{
	const flat_polygon *p = &body->shape->flat;
	xy m = xy_unturned(body->turn, n);
	return -xy_dot(m, flat_corner_at(p, scree_flat_farthest(p, xy_mul(-1, m)), body->size)) - over;
}

void scree_flat_thickness_polygon_line(const placed *body, vec3 point, vec3 normal, patch *out)
{
	xy n = xy_flat(normal);
	real over = xy_dot(n, xy_of(body->at.x - point.x, body->at.y - point.y));
	flat_energy e = {0};
	ring_room room, left;
	if (!flat_begin(out, n, beyond(body, n, over))) return;
	out->depth = 0;
	int32_t most = body->shape->flat.corners + 2;
	room_for(&room, most);
	room_for(&left, most);
	whole_body(body, &room.ring);
	cut(&room.ring, n, -over, &left.ring);
	if (energy_of(&left.ring, n, &e)) scree_flat_energy_patch(&e, UPRIGHT, n, LEAST_FORCE * placed_radius(body), out);
	room_free(&left);
	room_free(&room);
}

/* Tangent of half a side's angle, divided by the square root of the ratio of body radius to drum radius. The sides then
 * deviate from the circle by at most 3e-4 of the body's radius. */
static const real SIDE = (real)0.03;

/* distances from the drum's centre, in body radii, below which sides are fixed and above which they rotate */
static const real STILL_WITHIN = (real)0.25, TURNS_BEYOND = (real)0.5;

/* A drum around a body: the direction from the drum's centre to the body's centre, the perpendicular direction, the
 * distance between the centres, and the angle of half a side. */
typedef struct drum {
	xy middle, across, centre; /* centre: centre of the drum relative to the body */
	real far, apothem, cosine, sine;
	bool wide;	/* the body may touch the drum on two opposite sides, and each side has its own energy */
	bool still; /* the sides do not rotate with the body */
} drum;

static void hold_still(drum *d)
{
	d->middle = xy_of(1, 0);
	d->across = xy_left(d->middle);
	d->still = true;
}

static drum drum_around(const placed *body, vec3 centre, real radius)
{
	xy c = xy_of(centre.x - body->at.x, centre.y - body->at.y);
	real far = xy_norm(c), r = placed_radius(body), half = SIDE * sqrt(real_min(r / radius, 1)),
		 t = 1 / (1 + half * half);
	drum d = {.centre = c,
			  .far = far,
			  .apothem = radius * (1 - half * half / 6),
			  .cosine = (1 - half * half) * t,
			  .sine = 2 * half * t,
			  .wide = r > radius / 2};
	if (far > (real)1e-9 * radius) {
		d.middle = xy_mul(-1 / far, c);
		d.across = xy_left(d.middle);
	} else {
		hold_still(&d);
		d.far = 0;
	}
	return d;
}

/* Finds the region of the body outside the side in direction e, between lines at half a side's angle from e. */
static bool outside_of_side(const drum *d, const placed *body, xy e, xy before, xy after, ring_room *a, ring_room *b)
{
	xy n = xy_mul(-1, e);
	/* distance of the body's centre from the side, inwards */
	real over = d->apothem - xy_dot(e, xy_mul(-1, d->centre));
	if (!(beyond(body, n, over) > 0)) return false;
	whole_body(body, &a->ring);
	cut(&a->ring, n, -over, &b->ring);
	/* left of the line in direction `before`, and right of the line in direction `after` */
	xy right = xy_mul(-1, xy_left(before)), left = xy_left(after);
	cut(&b->ring, right, xy_dot(right, d->centre), &a->ring);
	cut(&a->ring, left, xy_dot(left, d->centre), &b->ring);
	return b->ring.count > 2;
}

/* Adds the sides to the left (turn > 0) or right of the middle side. half_first: only the outer half of the middle side
 * counts; skip_first: the middle side does not count */
static void add_sides(const drum *d, const placed *body, real turn, bool half_first, bool skip_first, ring_room *a,
					  ring_room *b, flat_sums *s, bool *any)
{
	real r = placed_radius(body), hc = sqrt((1 + d->cosine) / 2), hs = d->sine / (2 * hc) * turn;
	xy e = d->middle;
	for (int32_t k = 0; k < 4096; ++k) {
		xy before = xy_madd(xy_mul(hc, e), -hs, xy_left(e)), after = xy_madd(xy_mul(hc, e), hs, xy_left(e));
		real aside = xy_cross(d->middle, before) * turn, ahead = xy_dot(d->middle, before);
		/* all further sides are out of reach or on the drum's opposite side */
		if (k > 0 && (aside < 0 || (d->far > r && (ahead < 0 || d->far * aside > r)))) return;
		xy first = k == 0 && half_first ? d->middle : before;
		bool skipped = k == 0 && skip_first;
		if (!skipped && outside_of_side(d, body, e, turn > 0 ? first : after, turn > 0 ? after : first, a, b)) {
			if (!*any) *s = scree_flat_sums_start(lowest_of(&b->ring, xy_mul(-1, e)), xy_mul(-1, e));
			scree_flat_sums_ring(s, &b->ring);
			*any = true;
		}
		e = xy_madd(xy_mul(d->cosine, e), turn * d->sine, xy_left(e));
	}
}

/* Adds the force due to the rotation of the drum with the body, which makes the torque about the drum's centre zero. */
static void turn_with_body(const drum *d, flat_energy *e)
{
	if (d->still) return;
	real torque = e->moment - xy_cross(d->centre, e->push);
	e->push = xy_madd(e->push, -torque / d->far, d->across);
}

static flat_energy energy_by_sides(const drum *d, const placed *body, ring_room *a, ring_room *b)
{
	flat_energy e = {0};
	flat_sums s;
	bool any = false;
	add_sides(d, body, 1, d->wide, false, a, b, &s, &any);
	if (d->wide && any) scree_flat_energy_add(&e, &s);
	if (d->wide) any = false;
	add_sides(d, body, -1, d->wide, !d->wide, a, b, &s, &any);
	if (any) scree_flat_energy_add(&e, &s);
	if (e.u > 0) turn_with_body(d, &e);
	return e;
}

static flat_energy mixed(const flat_energy *a, const flat_energy *b, real part) /* part: weight of b */
{
	return (flat_energy){.u = (1 - part) * a->u + part * b->u,
						 .push = xy_madd(xy_mul(1 - part, a->push), part, b->push),
						 .moment = (1 - part) * a->moment + part * b->moment,
						 .wide = part > (real)0.5 ? b->wide : a->wide,
						 .middle = xy_madd(xy_mul(1 - part, a->middle), part, b->middle)};
}

/* Near the centre, fixed sides replace rotating ones, as in 3D (wall/overlap_round.c). */
static flat_energy energy_in_drum(const drum *d, const placed *body, ring_room *a, ring_room *b)
{
	const real low = placed_radius(body) * STILL_WITHIN, way = placed_radius(body) * (TURNS_BEYOND - STILL_WITHIN);
	const real x = real_min(real_max((d->far - low) / way, 0), 1), part = x * x * (3 - 2 * x);
	if (part == 1) return energy_by_sides(d, body, a, b);
	drum s = *d;
	hold_still(&s);
	const flat_energy still = energy_by_sides(&s, body, a, b);
	if (part == 0) return still;
	const flat_energy turning = energy_by_sides(d, body, a, b);
	flat_energy e = mixed(&still, &turning, part);
	e.push = xy_madd(e.push, -6 * x * (1 - x) / way * (turning.u - still.u), d->middle);
	return e;
}

void scree_flat_thickness_polygon_circle(const placed *body, vec3 centre, real radius, bool inside, patch *out)
{
	if (!inside) {
		scree_flat_depth_polygon_circle(body, centre, radius, false, out);
		flat_stiff_as_disc(out);
		return;
	}
	drum d = drum_around(body, centre, radius);
	real r = placed_radius(body);
	if (!flat_begin(out, xy_mul(-1, d.middle), d.far + r - d.apothem)) return;
	out->depth = 0;
	ring_room a, b;
	room_for(&a, body->shape->flat.corners + 6);
	room_for(&b, body->shape->flat.corners + 6);
	const flat_energy e = energy_in_drum(&d, body, &a, &b);
	if (e.u > 0) scree_flat_energy_patch(&e, UPRIGHT, xy_mul(-1, d.middle), LEAST_FORCE * r, out);
	room_free(&b);
	room_free(&a);
}
