/* tube: contacts between a smooth body and the inside or outside of a cylinder or a cone.
 *
 * A tube is the envelope of the planes that touch it along a straight line from end to end; there is one plane for each
 * angle around the axis. A body inside touches at each angle where its overlap with the plane has a maximum, if the
 * body's deepest point is between the tube's ends; a long body across the tube touches twice. A body outside touches
 * where its gap to the plane is largest. Beyond an end the body may touch the rim.
 *
 * When a body of nearly the tube's curvature rolls, two contacts merge. To keep the force continuous, their share is
 * reduced if the body also overlaps the wall between them (docs/theory/smooth.md). */
#include "narrow/smooth/smooth.h"

#include "base/maths.h"

enum { MOST_DOUBLINGS = 6 };
static const real FIRST_STEP = 0.02; /* rad */
/* largest angle, in rad, between contacts with a valley between them */
static const real WIDEST = 2;
/* largest displacement, as a fraction of the bounding radius, of a contact that lost force to valleys */
static const real FARTHEST = 0.5;

/* True if the deepest point is between the ends and the centre has not passed through the wall of a finite tube. */
static bool is_beside(const tube *o, const tube_plane *p)
{
	if (o->endless) return true;
	const vec3 at = v3_add(o->from, p->at);
	const real along = (v3_dot(at, p->radial) - o->w->radius) * o->sine + v3_dot(at, o->w->axis) * o->c;
	const real out = o->c * v3_norm(o->beside) - o->level;
	return along >= 0 && along <= o->side && (o->inside ? !(out > 0) : !(out < 0));
}

static void touch_plane(const tube *o, const tube_plane *p, real depth)
{
	scree_tube_touch(o, o->inside ? v3_neg(p->out) : p->out, p->at, depth, p->angle);
}

static real to_force(const tube *o, real depth) { return o->power == 1 ? depth : depth * sqrt(depth); }
static real from_force(const tube *o, real force)
{
	return o->power == 1 || !(force > 0) ? force : scree_pow(force, 1 / o->power);
}

/* The contacts of a body inside, and the valley after each contact. */
typedef struct crown {
	int count;
	tube_plane peak[TUBE_PEAKS];
	real force[TUBE_PEAKS];	 /* forces that remain at the peaks */
	vec3 moment[TUBE_PEAKS]; /* force times its point, relative to the body's centre */
	bool joined[TUBE_PEAKS]; /* whether the body overlaps the wall between this peak and the next */
	bool gone[TUBE_PEAKS];
} crown;

/* Divides a force between two contacts at the angles `before` and `after` from the force. Returns the share of the
 * first contact; with the angles exchanged, the share of the second. The lines of action of all of a tube's forces
 * intersect on the tube's axis. */
static real part_of(real before, real after)
{
	const real way = before + after, shrink = way > WIDEST ? WIDEST / way : 1;
	return scree_sin(shrink * after) / scree_sin(shrink * way);
}

static real way_up(const crown *o, int from, int to)
{
	const real way = o->peak[to].angle - o->peak[from].angle;
	return to > from ? way : way + 2 * SCREE_PI;
}

/* The next remaining peak upwards (1) or downwards (-1), or -1 if the body does not overlap the wall up to it. */
static int neighbour(const crown *o, int k, int way)
{
	for (int i = k;;) {
		const int next = (i + way + o->count) % o->count;
		if (!o->joined[way > 0 ? i : next] || next == k) return -1;
		if (!o->gone[next]) return next;
		i = next;
	}
}

static void add_force(crown *o, int k, real part, real force, vec3 moment)
{
	o->force[k] += part * force;
	o->moment[k] = v3_madd(o->moment[k], part, moment);
}

static void give(crown *o, int k, real force, vec3 moment)
{
	const int up = neighbour(o, k, 1), down = neighbour(o, k, -1);
	const real before = down < 0 ? 0 : way_up(o, down, k), after = up < 0 ? 0 : way_up(o, k, up);
	if (up >= 0) add_force(o, up, down < 0 ? 1 : part_of(after, before), force, moment);
	if (down >= 0) add_force(o, down, up < 0 ? 1 : part_of(before, after), force, moment);
}

/* The point at which the remaining force exerts the moment of all its contributions, near the body's point. */
static vec3 point_of(const tube *o, const crown *c, int k)
{
	const tube_plane *p = c->peak + k;
	vec3 shift = v3_sub(v3_mul(1 / c->force[k], c->moment[k]), p->at);
	shift = v3_madd(shift, -v3_dot(shift, p->out), p->out);
	const real far = v3_norm(shift), most = FARTHEST * o->s->radius;
	return v3_madd(p->at, far > most ? most / far : 1, shift);
}

static bool has_lost(const tube *o, const crown *c, int k)
{
	const real depth = c->peak[k].depth - o->s->round;
	return !c->gone[k] && depth > 0 && c->force[k] > 0 && c->force[k] < to_force(o, depth);
}

/* If a body overlaps the wall on all sides, the shallowest valley separates the contacts. */
static void take_valleys(const tube *o, crown *c, bool all_around)
{
	tube_plane low[TUBE_PEAKS];
	real depth[TUBE_PEAKS], after[TUBE_PEAKS], least = INFINITY;
	for (int k = 0; k < c->count; ++k) {
		const bool last = k + 1 == c->count;
		tube_plane next = c->peak[last ? 0 : k + 1];
		if (last) next.angle += 2 * SCREE_PI;
		depth[k] = -INFINITY;
		if (!last || all_around) {
			low[k] = scree_tube_valley(o, c->peak + k, &next);
			depth[k] = low[k].depth - o->s->round;
			after[k] = next.angle - low[k].angle;
		}
		least = real_min(least, depth[k]);
	}
	for (int k = 0; k < c->count; ++k) {
		c->joined[k] = depth[k] > 0 && depth[k] != least;
		if (!c->joined[k]) continue;
		const real force = -to_force(o, depth[k]), before = low[k].angle - c->peak[k].angle;
		const vec3 moment = v3_mul(force, low[k].at);
		add_force(c, k, part_of(before, after[k]), force, moment);
		add_force(c, k + 1 == c->count ? 0 : k + 1, part_of(after[k], before), force, moment);
	}
	/* a peak that would lose more force than it has is not a contact, and its neighbours supply the rest */
	for (int k = 0; k < c->count; ++k) {
		if (c->gone[k] || !(c->force[k] < 0) || !(c->peak[k].depth > o->s->round)) continue;
		give(c, k, c->force[k], v3_mul(c->force[k], point_of(o, c, k)));
		c->gone[k] = true;
		k = -1; /* other peaks may have become negative */
	}
}

/* `round` is nonzero only for bodies enlarged to find contacts in advance, with overlaps smaller than `round`. */
static void meet_inside(const tube *o)
{
	crown c = {0};
	bool all_around = false;
	for (int k = 0, all = scree_tube_peaks(o, c.peak, &all_around); k < all; ++k)
		if (is_beside(o, c.peak + k)) c.peak[c.count++] = c.peak[k];
	for (int k = 0; k < c.count; ++k) {
		c.force[k] = to_force(o, real_max(c.peak[k].depth - o->s->round, 0));
		c.moment[k] = v3_mul(c.force[k], c.peak[k].at);
	}
	if (c.count > 1) take_valleys(o, &c, all_around);
	for (int k = 0; k < c.count; ++k) {
		tube_plane p = c.peak[k];
		real depth = p.depth - o->s->round;
		if (c.gone[k]) continue;
		if (has_lost(o, &c, k)) p.at = point_of(o, &c, k), depth = from_force(o, c.force[k]);
		touch_plane(o, &p, depth + o->s->round);
	}
}

static real aside_of(const void *of, real angle) { return scree_tube_plane(of, angle).aside; }

/* Moves away from a plane while the gap increases. Returns whether the gap stops increasing; x, y: the last two angles
 * and slopes, ascending */
static bool climb(const tube *o, const tube_plane *from, real x[2], real y[2])
{
	const bool up = from->aside > 0;
	tube_plane p = *from, q = p;
	real step = up ? FIRST_STEP : -FIRST_STEP;
	for (int k = 0; k < MOST_DOUBLINGS; ++k, step *= 2) {
		p = q, q = scree_tube_plane(o, p.angle + step);
		if ((q.aside > 0) != up) break;
	}
	x[!up] = p.angle, x[up] = q.angle;
	y[!up] = p.aside, y[up] = q.aside;
	return (q.aside > 0) != up;
}

/* The gap is largest near the direction in which the body is nearest to the axis (exactly there for a cylinder). Unless
 * the axis passes through the body, this is the only maximum. */
static void meet_outside(const tube *o)
{
	smooth body = *o->s;
	body.at = o->beside;
	const vec3 n = v3_neg(scree_smooth_line_gap(&body, v3(0, 0, 0), o->w->axis).normal);
	real x[2], y[2];
	tube_plane p = scree_tube_plane(o, scree_atan2(v3_dot(n, o->y), v3_dot(n, o->x)));
	if (climb(o, &p, x, y)) p = scree_tube_plane(o, scree_smooth_zero(aside_of, o, x, y));
	if (is_beside(o, &p)) touch_plane(o, &p, p.depth);
}

void scree_smooth_tube(const smooth *s, const wall *w, real power, touch_list *out)
{
	tube o = {.s = s, .w = w, .out = out, .power = power, .from = v3_sub(s->at, w->point), .x = v3_across(w->axis)};
	o.y = v3_cross(w->axis, o.x);
	o.inside = w->side == SIDE_INSIDE;
	o.endless = !(w->length < INFINITY);
	const real taper = w->type == WALL_CONE ? w->radius2 - w->radius : 0, high = v3_dot(o.from, w->axis);
	o.side = o.endless ? INFINITY : sqrt(w->length * w->length + taper * taper);
	o.c = o.endless ? 1 : w->length / o.side;
	o.sine = o.endless ? 0 : taper / o.side;
	o.beside = v3_madd(o.from, -high, w->axis);
	o.facing = scree_atan2(v3_dot(o.beside, o.y), v3_dot(o.beside, o.x));
	o.level = w->radius * o.c + high * o.sine;
	const vec3 wider = o.sine < 0 ? v3_neg(w->axis) : w->axis;
	o.bulge = o.sine != 0 ? real_abs(o.sine) * scree_smooth_plane(s, wider, o.x).reach : 0;
	(o.inside ? meet_inside : meet_outside)(&o);
	if (!o.endless) scree_tube_rims(&o);
}
