/* plane_patches: the impulses of a patch in the plane that respond to the present velocities of its bodies.
 *
 * This is space_patches.c with three unknowns: the change in the wrench w is (1 + K A)^-1 (b - K t - w), where t is
 * the twist, A the response of both bodies and K the stiffness of the loaded springs. The inverse is kept until the set
 * of loaded points changes or sliding starts or stops: at rest, a sweep is one multiplication. */
#include "solver/constraints.h"

#include "base/memory.h"
#include "state/contact_rows.h"

enum { NORMAL, ACROSS, ABOUT };
enum {
	STICKS = 0,
	SLIDES = 1,
	SLIDES_BACK = 2,
	STATE_POINTS = 2
}; /* a state encodes how friction acts, and one bit per point */
enum { GUESSES = 4 };

/* ------------------------------------------------------------------ positions */

static void room(plane_patches *o, int64_t count)
{
	if (o->capacity >= count) return;
	o->capacity = count + count / 4;
	o->row = scree_renew(o->row, (size_t)o->capacity, sizeof *o->row);
}

static void swap(plane_patches *o)
{
	const plane_patches had = *o;
	o->row = had.spare, o->capacity = had.spares;
	o->spare = had.row, o->spares = had.capacity;
}

void scree_plane_patches_place(solving *v, bool begins)
{
	struct constraints *const c = v->of;
	plane_patches *const o = &c->plane;
	const int64_t kept = begins || !v->m->flat ? 0 : o->count;
	if (kept) swap(o);
	if (v->m->flat) room(o, c->fulls);
	for (int64_t k = 0; k < c->fulls; ++k) {
		constraint *const r = c->row + c->balls.other[k];
		if (r - c->row < kept) o->row[k] = o->spare[r->ref.at];
		r->ref.at = (int32_t)k;
	}
	o->count = c->fulls;
}

void scree_plane_patches_free(plane_patches *o)
{
	scree_free(o->row);
	scree_free(o->spare);
}

/* ------------------------------------------------------------------ packing */

static void set_response(plane_patch *o)
{
	const real masses = o->inv_mass_a + o->inv_mass_b, na = o->inv_a * o->turn_na, nb = o->inv_b * o->turn_nb;
	const real ba = o->inv_a * o->turn_ba, bb = o->inv_b * o->turn_bb;
	real(*const to)[PLANE_WRENCH] = o->response;
	to[NORMAL][NORMAL] = masses + na * o->turn_na + nb * o->turn_nb;
	to[ACROSS][ACROSS] = masses + ba * o->turn_ba + bb * o->turn_bb;
	to[ABOUT][ABOUT] = o->size * o->size * (o->inv_a + o->inv_b);
	to[NORMAL][ACROSS] = to[ACROSS][NORMAL] = na * o->turn_ba + nb * o->turn_bb;
	to[NORMAL][ABOUT] = to[ABOUT][NORMAL] = o->size * (na + nb);
	to[ACROSS][ABOUT] = to[ABOUT][ACROSS] = o->size * (ba + bb);
}

static void set_points(const solving *v, const constraint *r, plane_patch *o)
{
	for (const constraint_point *p = v->of->point + r->first, *end = p + r->points; p < end; ++p) {
		if (!(p->weight > 0)) continue;
		const vec3 off = v3_sub(p->arm_a, r->arm_a);
		o->point[o->points++] = (plane_point){.off = v3_cross(off, r->normal).z / o->size,
											  .goal = p->goal,
											  .stiff = 1 / p->soft,
											  .meets = p->meets,
											  .impulse = p->impulse};
	}
}

static int32_t pressing_points(const solving *v, const constraint *r)
{
	int32_t points = 0;
	for (const constraint_point *p = v->of->point + r->first, *end = p + r->points; p < end; ++p)
		points += p->weight > 0;
	return points;
}

static bool may_pack(const solving *v, const constraint *r)
{
	const constraint_point *last = v->of->point + r->first + r->points - 1;
	return r->points > 1 && constraint_moves(v, &r->ref) && !r->curved && r->block.soft > 0 &&
		   last->rebound == NO_IMPACT && !resists_turning(r) && r->pull.kind == COHESION_NONE &&
		   pressing_points(v, r) <= PLANE_POINTS;
}

void scree_plane_patch_set(const solving *v, const constraint *r, plane_patch *to)
{
	*to = (plane_patch){.points = 0, .state = -1};
	if (!may_pack(v, r)) return;
	const impulse_body *a = v->of->body + r->ref.a, *b = v->of->body + r->ref.b;
	const vec3 n = r->normal, across = r->block.beside, moves = v3_add(r->moves, v3_cross(r->spins, r->arm_a));
	to->a = r->ref.a, to->b = r->ref.b;
	to->counted = scree_contact_counted(v->s, r->ref.kind, r->ref.row);
	to->nx = n.x, to->ny = n.y, to->bx = across.x, to->by = across.y;
	to->turn_na = v3_cross(r->arm_a, n).z, to->turn_nb = v3_cross(r->arm_b, n).z;
	to->turn_ba = v3_cross(r->arm_a, across).z, to->turn_bb = v3_cross(r->arm_b, across).z;
	to->inv_mass_a = a->inv_mass, to->inv_mass_b = b->inv_mass, to->inv_a = a->inv_z, to->inv_b = b->inv_z;
	to->size = r->small;
	to->moves[NORMAL] = v3_dot(moves, n), to->moves[ACROSS] = v3_dot(moves, across);
	to->moves[ABOUT] = to->size * r->spins.z;
	to->friction = r->friction.y, to->start = r->start.y, to->soft = r->block.soft, to->stiff = 1 / to->soft,
	to->rub = r->rub;
	set_response(to);
	set_points(v, r, to);
}

void scree_plane_patch_unpack(const solving *v, constraint *r, const plane_patch *from)
{
	const plane_point *has = from->point;
	for (constraint_point *p = v->of->point + r->first, *end = p + r->points; p < end; ++p)
		if (p->weight > 0) p->impulse = (has++)->impulse;
	r->friction.y = from->friction;
}

/* ------------------------------------------------------------------ velocities */

typedef struct plane_twist {
	real of[PLANE_WRENCH];
} plane_twist;

SCREE_FN plane_twist twist_of(const solving *v, const plane_patch *o)
{
	const impulse_body *a = v->of->body + o->a, *b = v->of->body + o->b;
	const real x = a->velocity.x - b->velocity.x, y = a->velocity.y - b->velocity.y;
	const real wa = a->angular_velocity.z, wb = b->angular_velocity.z;
	return (plane_twist){{o->nx * x + o->ny * y + o->turn_na * wa - o->turn_nb * wb - o->moves[NORMAL],
						  o->bx * x + o->by * y + o->turn_ba * wa - o->turn_bb * wb - o->moves[ACROSS],
						  o->size * (wa - wb) - o->moves[ABOUT]}};
}

/* Nothing is written to bodies that contacts do not move, since several contacts of a colour may share them. */
SCREE_FN void push(const solving *v, const plane_patch *o, const real by[PLANE_WRENCH])
{
	impulse_body *a = v->of->body + o->a, *b = v->of->body + o->b;
	const real x = o->nx * by[NORMAL] + o->bx * by[ACROSS], y = o->ny * by[NORMAL] + o->by * by[ACROSS];
	const real about = o->size * by[ABOUT];
	if (o->inv_mass_a > 0) {
		a->velocity.x += o->inv_mass_a * x, a->velocity.y += o->inv_mass_a * y;
		a->angular_velocity.z += o->inv_a * (o->turn_na * by[NORMAL] + o->turn_ba * by[ACROSS] + about);
	}
	if (o->inv_mass_b > 0) {
		b->velocity.x -= o->inv_mass_b * x, b->velocity.y -= o->inv_mass_b * y;
		b->angular_velocity.z -= o->inv_b * (o->turn_nb * by[NORMAL] + o->turn_bb * by[ACROSS] + about);
	}
}

void scree_plane_patch_push(const solving *v, const plane_patch *o)
{
	real by[PLANE_WRENCH] = {0, o->friction, 0};
	for (int32_t k = 0; k < o->points; ++k)
		by[NORMAL] += o->point[k].impulse, by[ABOUT] += o->point[k].off * o->point[k].impulse;
	push(v, o, by);
}

SCREE_FN real separation_of(const plane_point *p, const plane_twist *t)
{
	return t->of[NORMAL] + p->off * t->of[ABOUT];
}

/* Tests whether the spring and dashpot push at this separation velocity; dashpots do not act across a gap. */
SCREE_FN bool presses(const plane_point *p, real separation)
{
	return separation + p->goal < 0 && separation < p->meets;
}

/* ------------------------------------------------------------------ all impulses at once */

SCREE_FN bool is_pressed(int32_t state, int32_t point) { return state >> (STATE_POINTS + point) & 1; }

SCREE_FN real sign_of(int32_t state)
{
	const int how = state & ((1 << STATE_POINTS) - 1);
	return how == SLIDES ? 1 : how == SLIDES_BACK ? -1 : 0;
}

/* The inverse of a matrix with a determinant of at least about 1, from its cofactors. */
SCREE_FN void invert(const real m[PLANE_WRENCH][PLANE_WRENCH], real to[PLANE_WRENCH][PLANE_WRENCH])
{
	const real x = m[1][1] * m[2][2] - m[1][2] * m[2][1], y = m[1][2] * m[2][0] - m[1][0] * m[2][2];
	const real z = m[1][0] * m[2][1] - m[1][1] * m[2][0], per = 1 / (m[0][0] * x + m[0][1] * y + m[0][2] * z);
	to[0][0] = per * x, to[1][0] = per * y, to[2][0] = per * z;
	to[0][1] = per * (m[0][2] * m[2][1] - m[0][1] * m[2][2]);
	to[1][1] = per * (m[0][0] * m[2][2] - m[0][2] * m[2][0]);
	to[2][1] = per * (m[0][1] * m[2][0] - m[0][0] * m[2][1]);
	to[0][2] = per * (m[0][1] * m[1][2] - m[0][2] * m[1][1]);
	to[1][2] = per * (m[0][2] * m[1][0] - m[0][0] * m[1][2]);
	to[2][2] = per * (m[0][0] * m[1][1] - m[0][1] * m[1][0]);
}

/* 1 + K A and its inverse: sticking friction is a spring; sliding friction is proportional to the normal impulse. */
static void factor(plane_patch *o, int32_t state)
{
	real all = 0, lean = 0, about = 0, m[PLANE_WRENCH][PLANE_WRENCH];
	for (int32_t k = 0; k < o->points; ++k) {
		if (!is_pressed(state, k)) continue;
		const real stiff = o->point[k].stiff, off = o->point[k].off;
		all += stiff, lean += stiff * off, about += stiff * off * off;
	}
	const real sign = sign_of(state), slides = o->rub * sign, springs = sign != 0 ? 0 : o->stiff;
	for (int j = 0; j < PLANE_WRENCH; ++j) {
		const real along = o->response[NORMAL][j], across = o->response[ACROSS][j], turns = o->response[ABOUT][j];
		m[NORMAL][j] = all * along + lean * turns + (j == NORMAL);
		m[ACROSS][j] = slides * (all * along + lean * turns) + springs * across + (j == ACROSS);
		m[ABOUT][j] = lean * along + about * turns + (j == ABOUT);
	}
	invert((const real(*)[PLANE_WRENCH])m, o->inverse);
	o->state = state;
}

/* Computes the change in the wrench for this state, and the twist after this change. */
SCREE_FN plane_twist solve(plane_patch *o, int32_t state, const plane_twist *t, real by[PLANE_WRENCH])
{
	real left[PLANE_WRENCH] = {0, 0, 0}, normal = 0;
	if (state != o->state) factor(o, state);
	for (int32_t k = 0; k < o->points; ++k) {
		const plane_point *p = o->point + k;
		const real gives = is_pressed(state, k) ? -(separation_of(p, t) + p->goal) * p->stiff : 0;
		normal += gives;
		left[NORMAL] += gives - p->impulse, left[ABOUT] += p->off * (gives - p->impulse);
	}
	const real sign = sign_of(state);
	left[ACROSS] = (sign != 0 ? sign * o->rub * normal : o->start - t->of[ACROSS] * o->stiff) - o->friction;
	plane_twist after = *t;
	for (int i = 0; i < PLANE_WRENCH; ++i)
		by[i] = o->inverse[i][0] * left[0] + o->inverse[i][1] * left[1] + o->inverse[i][2] * left[2];
	for (int i = 0; i < PLANE_WRENCH; ++i)
		after.of[i] += o->response[i][0] * by[0] + o->response[i][1] * by[1] + o->response[i][2] * by[2];
	return after;
}

SCREE_FN int32_t pressed_by(const plane_patch *o, const plane_twist *t, bool as_now)
{
	int32_t points = 0;
	for (int32_t k = 0; k < o->points; ++k) {
		const plane_point *p = o->point + k;
		const bool pressed = (as_now && p->impulse > 0) || presses(p, separation_of(p, t));
		points |= (int32_t)pressed << (STATE_POINTS + k);
	}
	return points;
}

/* Tests whether the contact sticks with friction within its bound, or slides against friction. */
SCREE_FN bool friction_agrees(const plane_patch *o, int32_t state, const plane_twist *t, real friction, real pressed)
{
	const real sign = sign_of(state);
	if (sign == 0) return real_abs(friction) <= o->rub * pressed;
	return sign * (t->of[ACROSS] + o->soft * (friction - o->start)) <= 0;
}

/* Impulses of a sweep: the sum along the normal, and the change. */
typedef struct plane_sums {
	real pressed, change;
} plane_sums;

SCREE_FN plane_sums take(plane_patch *o, int32_t state, const plane_twist *t, real friction)
{
	plane_sums s = {0, real_abs(friction - o->friction)};
	for (int32_t k = 0; k < o->points; ++k) {
		plane_point *p = o->point + k;
		const real to = is_pressed(state, k) ? -(separation_of(p, t) + p->goal) * p->stiff : 0;
		s.change += real_abs(to - p->impulse);
		s.pressed += to;
		p->impulse = to;
	}
	o->friction = friction;
	return s;
}

/* An active set method: points start in their present state, then take the state of the solution. */
SCREE_FN bool relax_with(const solving *v, plane_patch *o, int how, int32_t points, const plane_twist *t,
						 plane_sums *sums)
{
	real by[PLANE_WRENCH], normal = 0;
	for (int n = 0; n < GUESSES; ++n) {
		const int32_t state = points | how;
		const plane_twist after = solve(o, state, t, by);
		points = pressed_by(o, &after, false);
		if ((points | how) != state) continue;
		for (int32_t k = 0; k < o->points; ++k) normal += o->point[k].impulse;
		const real friction = o->friction + by[ACROSS];
		if (!friction_agrees(o, state, &after, friction, normal + by[NORMAL])) return false;
		*sums = take(o, state, &after, friction);
		push(v, o, by);
		return true;
	}
	return false;
}

/* Guesses how friction acts from the present velocities and impulses. */
SCREE_FN int friction_guess(const plane_patch *o, const plane_twist *t)
{
	real normal = 0;
	for (int32_t k = 0; k < o->points; ++k) normal += o->point[k].impulse;
	const real cap = o->rub * normal, gives = t->of[ACROSS] + o->soft * (o->friction - o->start);
	const real to = o->friction - gives / (o->response[ACROSS][ACROSS] + o->soft);
	return !(cap > 0) || real_abs(to) < cap ? STICKS : to > 0 ? SLIDES : SLIDES_BACK;
}

static bool relax_at_once(const solving *v, plane_patch *o, plane_sums *sums)
{
	const plane_twist t = twist_of(v, o);
	const int32_t points = pressed_by(o, &t, true);
	const int guess = friction_guess(o, &t);
	if (relax_with(v, o, guess, points, &t, sums)) return true;
	for (int how = STICKS; how <= SLIDES_BACK; ++how)
		if (how != guess && relax_with(v, o, how, points, &t, sums)) return true;
	return false;
}

/* ------------------------------------------------------------------ one impulse after another */

static real relax_point(const solving *v, plane_patch *o, plane_point *p)
{
	const plane_twist t = twist_of(v, o);
	const real(*const a)[PLANE_WRENCH] = (const real(*)[PLANE_WRENCH])o->response;
	const real response = a[NORMAL][NORMAL] + p->off * (2 * a[NORMAL][ABOUT] + p->off * a[ABOUT][ABOUT]);
	const real soft = 1 / p->stiff, separation = separation_of(p, &t);
	const real to = normal_impulse(p->impulse, separation, p->goal, soft, 1 / (response + soft), p->meets, NO_IMPACT, 0,
								   1 / response);
	const real by = to - p->impulse, wrench[PLANE_WRENCH] = {by, 0, p->off * by};
	push(v, o, wrench);
	p->impulse = to;
	return real_abs(by);
}

static real relax_friction(const solving *v, plane_patch *o, real cap)
{
	const plane_twist t = twist_of(v, o);
	const real gives = t.of[ACROSS] + o->soft * (o->friction - o->start);
	const real to = real_clamp(o->friction - gives / (o->response[ACROSS][ACROSS] + o->soft), -cap, cap);
	const real by = to - o->friction, wrench[PLANE_WRENCH] = {0, by, 0};
	push(v, o, wrench);
	o->friction = to;
	return real_abs(by);
}

static plane_sums relax_in_turn(const solving *v, plane_patch *o)
{
	plane_sums s = {0, 0};
	for (int32_t k = 0; k < o->points; ++k) {
		s.change += relax_point(v, o, o->point + k);
		s.pressed += o->point[k].impulse;
	}
	s.change += relax_friction(v, o, o->rub * s.pressed);
	return s;
}

void scree_plane_patch_sweep(solving *v, plane_patch *o, int thread)
{
	plane_sums s;
	real first = 0;
	for (int n = 0; n < ROUNDS; ++n) {
		const bool at_once = relax_at_once(v, o, &s);
		if (!at_once) s = relax_in_turn(v, o);
		if (n == 0) first = s.change;
		if (at_once || !(s.change > ROUND_PART * first) || !(s.change > (real)1e-4 * s.pressed)) break;
	}
	scree_ball_rows_count(v, o->counted * first, o->counted * s.pressed, thread);
}
