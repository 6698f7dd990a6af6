/* overlap_round: contacts of a convex polyhedron with a cylinder or a cone, by the thickness of the region behind it.
 *
 * The wall is approximated by a prism or a pyramid with many narrow sides that rotates with the body. The direction
 * from the axis to the body's centre points to the middle of a side, so seams have no effect. The sides deviate from
 * the round wall by at most 3e-4 of the body's radius. The rotation of the sides corresponds to a force at the body's
 * centre that makes the torque about the axis zero. With this additional force, force and torque are the gradient of
 * the energy (docs/theory/overlap.md). Near the axis this direction changes quickly and is meaningless, so fixed sides
 * replace the rotating sides. Around a post the overlap is the region behind all sides. In a drum the overlap is the
 * sum of the regions behind each side, which are separated by half planes through the axis. A body that may touch both
 * sides of a drum has two energies, one for each half of the drum. */
#include "narrow/solid/overlap.h"
#include "narrow/wall/work.h"

static const real SLACK = 1e-12; /* height, relative to the size, below which heights are rounding error */
/* tangent of half a side's angle, divided by the square root of the ratio of body radius to wall radius */
static const real SIDE = (real)0.03;
static const int32_t MOST_SIDES = 4096;
/* distances from the axis, relative to the body's radius, below which sides are fixed and above which sides rotate */
static const real STILL_WITHIN = (real)0.25, TURNS_BEYOND = (real)0.5;

/* The wall in the frame of the body, at the body's size, relative to the body's centre. */
typedef struct tube {
	const placed *body;
	/* centre of the first end, unit axis, direction from the axis to the body, and direction perpendicular to both */
	vec3 end, axis, middle, across;
	real far, reach; /* distance of the body's centre from the axis; radius of the body */
	/* radius at the sides' midpoints: radius + taper z; least: minimum radius between the ends */
	real radius, taper, least;
	real length;
	real cosine, sine;	/* cosine and sine of a side's angle */
	bool inside, still; /* still: true if the sides do not rotate with the body */
} tube;

/* Initializes fixed sides, starting at a direction that is the same for all bodies. */
static void hold_still(tube *t, vec3 axis)
{
	t->middle = mat3_tmul(t->body->turn, v3_across(axis));
	t->across = v3_cross(t->axis, t->middle);
	t->still = true;
}

static tube see(const placed *body, const wall *w)
{
	real size = body->size, reach = size * body->shape->radius;
	tube t = {.body = body, .axis = view_direction(body, w->axis), .length = w->length, .reach = reach};
	real other = w->type == WALL_CONE ? w->radius2 : w->radius;
	t.inside = w->side == SIDE_INSIDE;
	t.end = mat3_tmul(body->turn, v3_sub(w->point, body->at));
	vec3 aside = v3_madd(v3_neg(t.end), v3_dot(t.end, t.axis), t.axis);
	t.far = v3_norm(aside);
	if (t.far > (real)1e-9 * real_max(w->radius, other)) {
		t.middle = v3_mul(1 / t.far, aside);
		t.across = v3_cross(t.axis, t.middle);
	} else {
		hold_still(&t, w->axis);
		t.far = 0;
	}
	real half = SIDE * sqrt(real_min(reach / real_max(w->radius, other), 1)), in = 1 / (1 + half * half);
	/* sides are as far outside the wall at their seams as they are inside at their middles */
	real apothem = 1 - half * half / 6;
	t.radius = apothem * w->radius;
	t.taper = w->type == WALL_CONE ? apothem * (other - w->radius) / w->length : 0;
	t.least = apothem * real_min(w->radius, other);
	t.cosine = (1 - half * half) * in;
	t.sine = 2 * half * in;
	return t;
}

static vec3 turned(const tube *t, vec3 e, real cosine, real sine)
{
	return v3_madd(v3_mul(cosine, e), sine, v3_cross(t->axis, e));
}

/* Returns the plane of the side in direction e: n.p <= off is inside the tube. */
static void side_plane(const tube *t, vec3 e, vec3 *n, real *off)
{
	vec3 m = v3_madd(e, -t->taper, t->axis);
	real length = v3_norm(m);
	*n = v3_mul(1 / length, m);
	*off = v3_dot(*n, t->end) + t->radius / length;
}

static bool reaches_beyond(const tube *t, vec3 n, real off)
{
	const shape *s = t->body->shape;
	for (int32_t v = 0; v < s->vertices; ++v)
		if (t->body->size * v3_dot(n, shape_vertex(s, v)) > off) return true;
	return false;
}

static bool between_ends(const tube *t, cutting *c)
{
	if (!(t->length < INFINITY)) return true;
	real z = v3_dot(t->axis, t->end);
	return scree_cut(c, v3_neg(t->axis), -z) && scree_cut(c, t->axis, z + t->length);
}

/* The region is between the half planes through `before` and `after`, counter-clockwise. */
static bool outside_of_side(const tube *t, vec3 e, vec3 before, vec3 after, cutting *c)
{
	vec3 n, right = v3_cross(before, t->axis), left = v3_cross(t->axis, after);
	real off;
	side_plane(t, e, &n, &off);
	if (!reaches_beyond(t, n, off)) return false;
	scree_cut_start(c, t->body->shape, t->body->size, SLACK * t->reach);
	return scree_cut(c, v3_neg(n), -off) && scree_cut(c, right, v3_dot(right, t->end)) &&
		   scree_cut(c, left, v3_dot(left, t->end)) && between_ends(t, c);
}

/* True if all further sides are out of reach or opposite. turn: to the left (1) or to the right (-1) */
static bool done(const tube *t, vec3 before, real turn)
{
	real aside = v3_dot(t->across, before) * turn, ahead = v3_dot(t->middle, before);
	return aside < 0 || (t->far > t->reach && (ahead < 0 || t->far * aside > t->reach));
}

/* The sides to the left or right of the middle side, starting at its middle, or with or without the middle side. */
typedef enum first_side { HALF_FIRST, WITH_FIRST, WITHOUT_FIRST } first_side;

static void add_sides(const tube *t, real turn, first_side first, overlap *sum, bool *any)
{
	cutting c;
	real hc = sqrt((1 + t->cosine) / 2), hs = turn * t->sine / (2 * hc);
	vec3 e = t->middle;
	for (int32_t k = 0; k < MOST_SIDES; ++k, e = turned(t, e, t->cosine, turn * t->sine)) {
		vec3 before = turned(t, e, hc, -hs), after = turned(t, e, hc, hs);
		if (k > 0 && done(t, before, turn)) return;
		if (k == 0 && first == WITHOUT_FIRST) continue;
		if (k == 0 && first == HALF_FIRST) before = e;
		if (!outside_of_side(t, e, turn > 0 ? before : after, turn > 0 ? after : before, &c)) continue;
		const solid *left = c.part + c.now;
		if (!*any) *sum = scree_overlap_start(ENERGY_OF_THICKNESS, left, solid_lowest(left, v3_neg(e)), v3_neg(e));
		scree_overlap_add(sum, left);
		*any = true;
	}
}

static void in_drum(const tube *t, overlap_effect *e)
{
	overlap sum;
	bool any = false, wide = t->reach > t->least / 2;
	add_sides(t, 1, wide ? HALF_FIRST : WITH_FIRST, &sum, &any);
	if (wide && any) scree_thickness_effect(&sum, e);
	any &= !wide;
	add_sides(t, -1, wide ? HALF_FIRST : WITHOUT_FIRST, &sum, &any);
	if (any) scree_thickness_effect(&sum, e);
}

/* Cuts along the sides left or right of the middle side; returns false if nothing remains. */
static bool cut_sides(const tube *t, real turn, cutting *c)
{
	vec3 e = t->middle, n;
	real off;
	for (int32_t k = 0; k < MOST_SIDES; ++k, e = turned(t, e, t->cosine, turn * t->sine)) {
		if (k > 0 && v3_dot(t->across, e) * turn <= 0) return true;
		if (t->far * v3_dot(t->middle, e) + t->reach < t->least) return true;
		side_plane(t, e, &n, &off);
		if ((k > 0 || turn > 0) && !scree_cut(c, n, off)) return false;
	}
	return true;
}

static void around_post(const tube *t, overlap_effect *e)
{
	cutting c;
	scree_cut_start(&c, t->body->shape, t->body->size, SLACK * t->reach);
	if (!cut_sides(t, 1, &c) || !cut_sides(t, -1, &c) || !between_ends(t, &c)) return;
	const solid *left = c.part + c.now;
	overlap sum = scree_overlap_start(ENERGY_OF_THICKNESS, left, solid_lowest(left, t->middle), t->middle);
	scree_overlap_add(&sum, left);
	scree_thickness_effect(&sum, e);
}

/* Adds the force due to the rotation of the sides with the body, which makes the torque about the axis zero. */
static void turn_with_body(const tube *t, overlap_effect *e)
{
	if (t->still) return;
	real torque = v3_dot(t->axis, v3_sub(e->moment, v3_cross(t->end, e->push)));
	e->push = v3_madd(e->push, -torque / t->far, t->across);
}

static overlap_effect effect_of(const tube *t)
{
	overlap_effect e = {0};
	(t->inside ? in_drum : around_post)(t, &e);
	if (e.energy > 0) turn_with_body(t, &e);
	return e;
}

static vec3 between(vec3 a, vec3 b, real part) { return v3_madd(v3_mul(1 - part, a), part, b); }
static real level(real a, real b, real part) { return (1 - part) * a + part * b; }

/* Returns the mean of two effects; the second effect has the weight `part`. */
static overlap_effect mixed(const overlap_effect *a, const overlap_effect *b, real part)
{
	overlap_effect e = part > (real)0.5 ? *b : *a;
	e.energy = level(a->energy, b->energy, part);
	e.nothing = level(a->nothing, b->nothing, part);
	e.arm = level(a->arm, b->arm, part);
	e.push = between(a->push, b->push, part);
	e.moment = between(a->moment, b->moment, part);
	e.middle = between(a->middle, b->middle, part);
	e.hold = between(a->hold, b->hold, part);
	e.areas = between(a->areas, b->areas, part);
	e.widest = real_max(a->widest, b->widest);
	return e;
}

/* Computes the effect in a drum: with rotating sides far from the axis, and with fixed sides near the axis. In between,
 * the energy is a weighted sum of both energies, with weights that depend only on the distance, so the energy is still
 * a function of position. The derivative of the weights gives a force along the line between axis and centre. */
static overlap_effect effect_in_drum(const tube *t, vec3 axis)
{
	const real low = t->reach * STILL_WITHIN, way = t->reach * (TURNS_BEYOND - STILL_WITHIN);
	const real x = real_min(real_max((t->far - low) / way, 0), 1), part = x * x * (3 - 2 * x);
	if (part == 1) return effect_of(t);
	tube s = *t;
	hold_still(&s, axis);
	const overlap_effect still = effect_of(&s);
	if (part == 0) return still;
	const overlap_effect turning = effect_of(t);
	const real slope = 6 * x * (1 - x) / way * (turning.energy - still.energy);
	overlap_effect e = mixed(&still, &turning, part);
	e.push = v3_madd(e.push, -slope, t->middle);
	return e;
}

/* Tests whether the body is outside a tube with ends, so that the tube's inner side has no effect on the body. */
static bool is_beside(const tube *t)
{
	real z = -v3_dot(t->end, t->axis), side = t->radius + t->taper * z;
	return t->inside && t->length < INFINITY && t->far > side;
}

void scree_thickness_round(const placed *body, const wall *w, touch_list *out)
{
	tube t = see(body, w);
	overlap_contact c;
	real most = w->type == WALL_CONE ? real_max(w->radius, w->radius2) : w->radius, z = -v3_dot(t.end, t.axis);
	bool ends = t.length < INFINITY;
	if ((ends && (z < -t.reach || z > t.length + t.reach)) || is_beside(&t)) return;
	if (t.inside ? t.far + t.reach < t.least : t.far - t.reach > most) return;
	const overlap_effect e = t.inside ? effect_in_drum(&t, w->axis) : effect_of(&t);
	if (!(e.energy > 0)) return;
	scree_overlap_screw(&e, t.inside ? v3_neg(t.middle) : t.middle, &c);
	scree_overlap_touch(&c, ENERGY_OF_THICKNESS, &body->turn, w->first_surface, out);
}
