/* space_patches: the impulses of a patch in space that respond to the present velocities of its bodies.
 *
 * Points and friction of a patch affect each other through the rotation of the bodies. If the springs are stiff,
 * relaxing points and friction one by one reduces the error by only a few percent per round. Once it is known which
 * points are loaded, whether the contact sticks or slides, and in which direction, the impulses solve a linear problem.
 * Let n be the impulse along the normal with its moments about both directions of friction, f the friction, t_n and t_f
 * the velocities that belong to them, and A the response of both bodies to changes in n and f:
 *
 *   t_n = t_n0 + A_nn dn + A_nf df     n = K (b - t_n)                     K: sum over the loaded springs
 *   t_f = t_f0 + A_fn dn + A_ff df     t_f + c (f - f_0) = 0, or f = d n   c: compliance; d: direction of sliding
 *
 * In both cases df is a known first change plus a multiple of dn. With the first change made, dn follows from
 * (1 + K A') dn = K (b - t_n) - n, where A' = A_nn - A_nf (A_ff + c)^-1 A_fn, or A_nn + A_nf d if the contact slides.
 * The inverse for a contact that sticks is kept until the set of loaded points changes: at rest, a sweep takes a few
 * small multiplications. Points are first assumed to be in their present state, then in the state of the solution,
 * until the two states agree (an active set method). A solution that never agrees with its assumptions is not used. */
#include "solver/constraints.h"

#include "base/memory.h"
#include "state/contact_rows.h"

enum { GUESSES = 4 };

/* The two groups of three: along the normal with both moments, and friction. */
typedef struct patch_pair {
	vec3 n, f;
} patch_pair;

typedef struct matrix {
	real of[PATCH_GROUP][PATCH_GROUP];
} matrix;

/* ------------------------------------------------------------------ positions */

/* Tests whether a patch in the plane cannot be one of the plane_patches. */
static bool is_special(const solving *v, const constraint *r)
{
	const law_constants *c = scree_constraint_constants(v, &r->ref);
	return c->rolling > 0 || c->twisting > 0 || c->cohesion != COHESION_NONE || r->points - 1 > PLANE_POINTS;
}

void scree_space_patches_add(const solving *v, constraint *r)
{
	space_patches *const o = &v->of->space;
	const int64_t blocks = (r->points - 1 + PATCH_LANES - 1) / PATCH_LANES;
	r->packed = -1;
	if (blocks == 0 || (v->m->flat && !is_special(v, r))) return;
	r->packed = (int32_t)o->count;
	o->row = scree_room_for(o->row, o->count, 1, &o->capacity, sizeof *o->row);
	o->more = scree_room_for(o->more, o->further, blocks - 1, &o->further_room, sizeof *o->more);
	o->row[o->count++].more = o->further;
	o->further += blocks - 1;
}

void scree_space_patches_place(const solving *v)
{
	struct constraints *const c = v->of;
	space_patches *const o = &c->space;
	if (o->orders < c->fulls) {
		o->orders = (int32_t)(c->fulls + c->fulls / 4);
		o->order = scree_renew(o->order, (size_t)o->orders, sizeof *o->order);
	}
	for (int64_t k = 0; k < c->fulls; ++k) o->order[k] = c->row[c->balls.other[k]].packed;
}

void scree_space_patches_fetch(const solving *v, int64_t place, int64_t end)
{
	enum { AHEAD = 4, BODIES_AHEAD = 2 };
	const space_patches *o = &v->of->space;
	if (place + AHEAD >= end) return;
	const int32_t later = o->order[place + AHEAD], next = o->order[place + BODIES_AHEAD];
	if (later >= 0)
		for (size_t at = 0; at < sizeof *o->row; at += 64) __builtin_prefetch((const char *)(o->row + later) + at, 1);
	if (next < 0) return;
	for (int half = 0; half < 2; ++half) {
		__builtin_prefetch((const char *)(v->of->body + o->row[next].a) + half * 64, 1);
		__builtin_prefetch((const char *)(v->of->body + o->row[next].b) + half * 64, 1);
	}
}

space_patch *scree_space_patch_of(const solving *v, const constraint *r)
{
	space_patch *o = r->packed < 0 ? NULL : v->of->space.row + r->packed;
	return o && o->blocks > 0 ? o : NULL;
}

void scree_space_patches_free(space_patches *o)
{
	scree_free(o->row);
	scree_free(o->order);
	scree_free(o->more);
}

SCREE_FN patch_points *points_of(const solving *v, space_patch *o, int32_t block)
{
	return block ? v->of->space.more + o->more + block - 1 : &o->first;
}

SCREE_FN const patch_points *points_in(const solving *v, const space_patch *o, int32_t block)
{
	return block ? v->of->space.more + o->more + block - 1 : &o->first;
}

/* ------------------------------------------------------------------ packing */

static bool may_pack(const solving *v, const constraint *r)
{
	return constraint_moves(v, &r->ref) && !r->curved && r->block.soft > 0 && !(r->pull.press > 0);
}

/* Lever arms of the two groups about the centre of a body, in m, and the rotation that each causes, in 1/(kg m). */
typedef struct levers {
	vec3 turn[2 * PATCH_GROUP], give[2 * PATCH_GROUP];
} levers;

static levers levers_of(const space_patch *o, const impulse_body *b, vec3 arm)
{
	const friction_block *f = &o->block;
	levers l = {{v3_cross(arm, o->normal), v3_mul(o->size, f->along), v3_mul(o->size, f->beside),
				 v3_cross(arm, f->along), v3_cross(arm, f->beside), v3_mul(f->arm, o->normal)},
				{{0, 0, 0}}};
	for (int k = 0; k < 2 * PATCH_GROUP; ++k) l.give[k] = inertia_response(b, l.turn[k]);
	return l;
}

static real response_of(const levers *a, const levers *b, int i, int j)
{
	return v3_dot(a->turn[i], a->give[j]) + v3_dot(b->turn[i], b->give[j]);
}

static void set_response(space_patch *o, const impulse_body *a, const impulse_body *b)
{
	const levers x = levers_of(o, a, o->arm_a), y = levers_of(o, b, o->arm_b);
	const real masses = a->inv_mass + b->inv_mass;
	o->along = (sym3){masses + response_of(&x, &y, 0, 0), response_of(&x, &y, 1, 1), response_of(&x, &y, 2, 2),
					  response_of(&x, &y, 0, 1),		  response_of(&x, &y, 0, 2), response_of(&x, &y, 1, 2)};
	o->across =
		(sym3){masses + response_of(&x, &y, 3, 3), masses + response_of(&x, &y, 4, 4), response_of(&x, &y, 5, 5),
			   response_of(&x, &y, 3, 4),		   response_of(&x, &y, 3, 5),		   response_of(&x, &y, 4, 5)};
	for (int i = 0; i < PATCH_GROUP; ++i)
		for (int j = 0; j < PATCH_GROUP; ++j) o->mixed[i][j] = response_of(&x, &y, i, PATCH_GROUP + j);
}

SCREE_FN vec3 row_of(const space_patch *o, int i) { return v3(o->mixed[i][0], o->mixed[i][1], o->mixed[i][2]); }

SCREE_FN vec3 mixed_times(const space_patch *o, vec3 f)
{
	return v3(v3_dot(row_of(o, 0), f), v3_dot(row_of(o, 1), f), v3_dot(row_of(o, 2), f));
}

SCREE_FN vec3 mixed_from(const space_patch *o, vec3 n)
{
	return v3_madd(v3_madd(v3_mul(n.x, row_of(o, 0)), n.y, row_of(o, 1)), n.z, row_of(o, 2));
}

/* the response of the first group while the springs of friction answer */
static void set_held(space_patch *o)
{
	const vec3 r[PATCH_GROUP] = {row_of(o, 0), row_of(o, 1), row_of(o, 2)};
	const vec3 s[PATCH_GROUP] = {sym3_mul(&o->block.stick, r[0]), sym3_mul(&o->block.stick, r[1]),
								 sym3_mul(&o->block.stick, r[2])};
	const sym3 *a = &o->along;
	o->held = (sym3){a->xx - v3_dot(r[0], s[0]), a->yy - v3_dot(r[1], s[1]), a->zz - v3_dot(r[2], s[2]),
					 a->xy - v3_dot(r[0], s[1]), a->xz - v3_dot(r[0], s[2]), a->yz - v3_dot(r[1], s[2])};
}

/* moments, about the directions of friction, of a unit impulse along the normal at this distance from the friction */
static real moment_x(const space_patch *o, vec3 off) { return v3_dot(off, o->block.beside) / o->size; }
static real moment_y(const space_patch *o, vec3 off) { return -v3_dot(off, o->block.along) / o->size; }

static void clear_lanes(patch_points *q)
{
	for (int k = 0; k < PATCH_LANES; ++k) {
		q->x[k] = q->y[k] = q->goal[k] = q->stiff[k] = q->impulse[k] = q->pressed[k] = 0;
		q->meets[k] = -INFINITY;
	}
}

static void put_point(const space_patch *o, const constraint_point *p, vec3 off, patch_points *q, int k)
{
	q->x[k] = moment_x(o, off), q->y[k] = moment_y(o, off);
	q->goal[k] = p->goal, q->stiff[k] = 1 / p->soft, q->meets[k] = p->meets, q->impulse[k] = p->impulse;
}

/* The last point of a patch is for its impact. */
static void set_points(const solving *v, const constraint *r, space_patch *o)
{
	const constraint_point *p = v->of->point + r->first, *const last = p + r->points - 1;
	const vec3 way = v3_sub(last->arm_a, r->arm_a);
	o->blocks = (r->points - 1 + PATCH_LANES - 1) / PATCH_LANES;
	for (int32_t b = 0; b < o->blocks; ++b) {
		patch_points *q = points_of(v, o, b);
		clear_lanes(q);
		for (int k = 0; k < PATCH_LANES && p < last; ++k, ++p)
			if (p->weight > 0) put_point(o, p, v3_sub(p->arm_a, r->arm_a), q, k);
	}
	o->bounces = last->rebound > NO_IMPACT;
	o->bounce = (patch_bounce){moment_x(o, way), moment_y(o, way), last->rebound, last->limit,
							   last->meets,		 last->rigid,	   last->impulse};
}

void scree_space_patch_set(const solving *v, const constraint *r)
{
	space_patch *const to = r->packed < 0 ? NULL : v->of->space.row + r->packed;
	if (!to) return;
	to->blocks = 0, to->alone = false;
	if (!may_pack(v, r)) return;
	to->alone = !resists_turning(r) && r->pull.kind == COHESION_NONE;
	const impulse_body *a = v->of->body + r->ref.a, *b = v->of->body + r->ref.b;
	to->a = r->ref.a, to->b = r->ref.b;
	to->counted = scree_contact_counted(v->s, r->ref.kind, r->ref.row);
	to->normal = r->normal, to->arm_a = r->arm_a, to->arm_b = r->arm_b;
	to->moves = v3_add(r->moves, v3_cross(r->spins, r->arm_a)), to->spins = r->spins;
	to->size = r->small, to->rub = r->rub, to->block = r->block;
	to->friction = r->friction, to->start = r->start;
	to->known = false;
	set_response(to, a, b);
	set_held(to);
	set_points(v, r, to);
}

void scree_space_patch_unpack(const solving *v, constraint *r, const space_patch *from)
{
	constraint_point *p = v->of->point + r->first, *const last = p + r->points - 1;
	for (int32_t b = 0; b < from->blocks; ++b) {
		const patch_points *q = points_in(v, from, b);
		for (int k = 0; k < PATCH_LANES && p < last; ++k, ++p)
			if (p->weight > 0) p->impulse = q->impulse[k];
	}
	last->impulse = from->bounce.impulse;
	r->friction = from->friction;
}

/* ------------------------------------------------------------------ velocities */

static patch_pair velocity_of(const solving *v, const space_patch *o)
{
	const impulse_body *a = v->of->body + o->a, *b = v->of->body + o->b;
	const friction_block *f = &o->block;
	const vec3 u = v3_sub(velocity_at(a, o->arm_a), v3_add(velocity_at(b, o->arm_b), o->moves));
	const vec3 w = v3_sub(v3_sub(a->angular_velocity, b->angular_velocity), o->spins);
	return (patch_pair){
		v3(v3_dot(u, o->normal), o->size * v3_dot(w, f->along), o->size * v3_dot(w, f->beside)),
		v3(v3_dot(u, f->along), v3_dot(u, f->beside), f->arm * v3_dot(w, o->normal)),
	};
}

/* Nothing is written to bodies that contacts do not move, since several contacts of a colour may share them. */
static void push(const solving *v, const space_patch *o, vec3 n, vec3 f)
{
	impulse_body *a = v->of->body + o->a, *b = v->of->body + o->b;
	const vec3 x = o->block.along, y = o->block.beside;
	const vec3 impulse = v3_madd(v3_madd(v3_mul(n.x, o->normal), f.x, x), f.y, y);
	const vec3 moment = v3_madd(v3_madd(v3_mul(o->block.arm * f.z, o->normal), o->size * n.y, x), o->size * n.z, y);
	if (a->inv_mass > 0) push_body(a, impulse, o->arm_a, moment);
	if (b->inv_mass > 0) push_body(b, v3_neg(impulse), o->arm_b, v3_neg(moment));
}

/* The sum of all lanes, in a fixed order that vectors of any width can follow. */
SCREE_FN real sum_of(const real x[PATCH_LANES])
{
	return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

/* the sum of the points' impulses with their moments */
static vec3 loads_of(const solving *v, const space_patch *o)
{
	vec3 all = v3(o->bounce.impulse, o->bounce.x * o->bounce.impulse, o->bounce.y * o->bounce.impulse);
	for (int32_t b = 0; b < o->blocks; ++b) {
		const patch_points *q = points_in(v, o, b);
		real x[PATCH_LANES], y[PATCH_LANES];
		for (int k = 0; k < PATCH_LANES; ++k) x[k] = q->x[k] * q->impulse[k], y[k] = q->y[k] * q->impulse[k];
		all = v3_add(all, v3(sum_of(q->impulse), sum_of(x), sum_of(y)));
	}
	return all;
}

void scree_space_patch_push(const solving *v, const space_patch *o) { push(v, o, loads_of(v, o), o->friction); }

/* ------------------------------------------------------------------ all impulses at once */

SCREE_FN real separation_of(const patch_points *q, int k, vec3 t) { return t.x + q->x[k] * t.y + q->y[k] * t.z; }

/* Tests whether the spring and dashpot push at this separation velocity; dashpots do not act across a gap. */
SCREE_FN bool presses(const patch_points *q, int k, real separation)
{
	return separation + q->goal[k] < 0 && separation < q->meets[k];
}

/* Assumes that points carry load if they do now or if they would at these velocities. */
static void guess_points(const solving *v, space_patch *o, vec3 t)
{
	real changes = 0;
	for (int32_t b = 0; b < o->blocks; ++b) {
		patch_points *q = points_of(v, o, b);
		for (int k = 0; k < PATCH_LANES; ++k) {
			const real to = q->impulse[k] > 0 || presses(q, k, separation_of(q, k, t)) ? 1 : 0;
			changes += real_abs(to - q->pressed[k]);
			q->pressed[k] = to;
		}
	}
	if (changes > 0) o->known = false;
}

/* Sets the points to their state at these velocities. Returns whether this is the assumed state. */
static bool points_agree(const solving *v, space_patch *o, vec3 t)
{
	real changes = 0;
	for (int32_t b = 0; b < o->blocks; ++b) {
		patch_points *q = points_of(v, o, b);
		for (int k = 0; k < PATCH_LANES; ++k) {
			const real to = presses(q, k, separation_of(q, k, t)) ? 1 : 0;
			changes += real_abs(to - q->pressed[k]);
			q->pressed[k] = to;
		}
	}
	if (changes > 0) o->known = false;
	return !(changes > 0);
}

/* the impulse of a loaded point in excess of its present one */
SCREE_FN real gains(const patch_points *q, int k, vec3 t)
{
	return q->pressed[k] * (-(separation_of(q, k, t) + q->goal[k]) * q->stiff[k]) - q->impulse[k];
}

/* K (b - t) - n, for the loaded points */
static vec3 missing(const solving *v, const space_patch *o, vec3 t)
{
	vec3 all = v3(0, 0, 0);
	for (int32_t b = 0; b < o->blocks; ++b) {
		const patch_points *q = points_in(v, o, b);
		real by[PATCH_LANES], x[PATCH_LANES], y[PATCH_LANES];
		for (int k = 0; k < PATCH_LANES; ++k) {
			by[k] = gains(q, k, t);
			x[k] = q->x[k] * by[k], y[k] = q->y[k] * by[k];
		}
		all = v3_add(all, v3(sum_of(by), sum_of(x), sum_of(y)));
	}
	return all;
}

/* K, for the loaded points */
static sym3 springs_of(const solving *v, const space_patch *o)
{
	sym3 all = {0, 0, 0, 0, 0, 0};
	for (int32_t b = 0; b < o->blocks; ++b) {
		const patch_points *q = points_in(v, o, b);
		real s[PATCH_LANES], x[PATCH_LANES], y[PATCH_LANES], xx[PATCH_LANES], yy[PATCH_LANES], xy[PATCH_LANES];
		for (int k = 0; k < PATCH_LANES; ++k) {
			s[k] = q->pressed[k] * q->stiff[k];
			x[k] = s[k] * q->x[k], y[k] = s[k] * q->y[k];
			xx[k] = x[k] * q->x[k], yy[k] = y[k] * q->y[k], xy[k] = x[k] * q->y[k];
		}
		all.xx += sum_of(s), all.xy += sum_of(x), all.xz += sum_of(y);
		all.yy += sum_of(xx), all.zz += sum_of(yy), all.yz += sum_of(xy);
	}
	return all;
}

SCREE_FN vec3 matrix_times(const matrix *m, vec3 x)
{
	return v3(m->of[0][0] * x.x + m->of[0][1] * x.y + m->of[0][2] * x.z,
			  m->of[1][0] * x.x + m->of[1][1] * x.y + m->of[1][2] * x.z,
			  m->of[2][0] * x.x + m->of[2][1] * x.y + m->of[2][2] * x.z);
}

static matrix matrix_of(const sym3 *s)
{
	return (matrix){{{s->xx, s->xy, s->xz}, {s->xy, s->yy, s->yz}, {s->xz, s->yz, s->zz}}};
}

/* Inverts 1 + K A from its cofactors. Returns false if it is nearly singular: a sliding contact may jam. */
static bool factor(const solving *v, const space_patch *o, const matrix *response, matrix *to)
{
	const real least = (real)1e-9;
	const sym3 springs = springs_of(v, o);
	matrix all = matrix_of(&springs), whole;
	real(*const m)[PATCH_GROUP] = whole.of;
	for (int j = 0; j < PATCH_GROUP; ++j) {
		const vec3 column = matrix_times(&all, v3(response->of[0][j], response->of[1][j], response->of[2][j]));
		m[0][j] = column.x + (j == 0), m[1][j] = column.y + (j == 1), m[2][j] = column.z + (j == 2);
	}
	const real x = m[1][1] * m[2][2] - m[1][2] * m[2][1], y = m[1][2] * m[2][0] - m[1][0] * m[2][2];
	const real z = m[1][0] * m[2][1] - m[1][1] * m[2][0], det = m[0][0] * x + m[0][1] * y + m[0][2] * z;
	if (!(real_abs(det) > least)) return false;
	const real per = 1 / det;
	*to = (matrix){
		{{per * x, per * (m[0][2] * m[2][1] - m[0][1] * m[2][2]), per * (m[0][1] * m[1][2] - m[0][2] * m[1][1])},
		 {per * y, per * (m[0][0] * m[2][2] - m[0][2] * m[2][0]), per * (m[0][2] * m[1][0] - m[0][0] * m[1][2])},
		 {per * z, per * (m[0][1] * m[2][0] - m[0][0] * m[2][1]), per * (m[0][0] * m[1][1] - m[0][1] * m[1][0])}}};
	return true;
}

/* How friction responds: it sticks, or it has rub times the normal impulse in a direction. */
typedef struct patch_response {
	bool sticks;
	vec3 slides;	 /* friction per normal impulse */
	matrix response; /* to the impulse along the normal and its moments */
} patch_response;

static patch_response sticking(const space_patch *o)
{
	return (patch_response){true, v3(0, 0, 0), matrix_of(&o->held)};
}

static patch_response sliding(const space_patch *o, vec3 direction)
{
	patch_response r = {false, v3_mul(o->rub, direction), matrix_of(&o->along)};
	const vec3 more = mixed_times(o, r.slides);
	r.response.of[0][0] += more.x, r.response.of[1][0] += more.y, r.response.of[2][0] += more.z;
	return r;
}

static bool inverse_of(const solving *v, space_patch *o, const patch_response *r, matrix *to)
{
	if (!r->sticks) return factor(v, o, &r->response, to);
	if (!o->known) {
		if (!factor(v, o, &r->response, to)) return false;
		for (int i = 0; i < PATCH_GROUP; ++i)
			for (int j = 0; j < PATCH_GROUP; ++j) o->inverse[i][j] = to->of[i][j];
		o->known = true;
		return true;
	}
	for (int i = 0; i < PATCH_GROUP; ++i)
		for (int j = 0; j < PATCH_GROUP; ++j) to->of[i][j] = o->inverse[i][j];
	return true;
}

/* Finds the change dn for which the state of the points agrees with their velocities t. */
static bool solve_points(const solving *v, space_patch *o, const patch_response *r, vec3 *t, vec3 *dn)
{
	const vec3 from = *t;
	for (int n = 0; n < GUESSES; ++n) {
		matrix inverse;
		if (!inverse_of(v, o, r, &inverse)) return false;
		*dn = matrix_times(&inverse, missing(v, o, from));
		*t = v3_add(from, matrix_times(&r->response, *dn));
		if (points_agree(v, o, *t)) return true;
	}
	return false;
}

/* Impulses of a relaxation: the sum along the normal, and the change. */
typedef struct patch_sums {
	real pressed, change;
} patch_sums;

static patch_sums take(const solving *v, space_patch *o, vec3 t, vec3 friction)
{
	patch_sums s = {0, v3_norm(v3_sub(friction, o->friction))};
	for (int32_t b = 0; b < o->blocks; ++b) {
		patch_points *q = points_of(v, o, b);
		real change[PATCH_LANES];
		for (int k = 0; k < PATCH_LANES; ++k) {
			const real by = gains(q, k, t);
			change[k] = real_abs(by);
			q->impulse[k] += by;
		}
		s.change += sum_of(change), s.pressed += sum_of(q->impulse);
	}
	o->friction = friction;
	return s;
}

/* Tests whether the contact sticks with friction within its bound, or slides against friction. */
static bool friction_agrees(const space_patch *o, const patch_response *r, vec3 slip, vec3 friction, real pressed)
{
	if (r->sticks) return v3_norm(friction) <= o->rub * pressed;
	return v3_dot(v3_madd(slip, o->block.soft, v3_sub(friction, o->start)), r->slides) <= 0;
}

/* Relaxes for one assumption about friction. first: the change of friction before dn; normal: the sum of impulses */
static bool relax_with(const solving *v, space_patch *o, const patch_response *r, const patch_pair *has, vec3 first,
					   real normal, patch_sums *sums)
{
	vec3 t = v3_add(has->n, mixed_times(o, first)), dn;
	guess_points(v, o, has->n);
	if (!solve_points(v, o, r, &t, &dn)) return false;
	const vec3 follows = r->sticks ? v3_neg(sym3_mul(&o->block.stick, mixed_from(o, dn))) : v3_mul(dn.x, r->slides);
	const vec3 df = v3_add(first, follows), friction = v3_add(o->friction, df);
	const vec3 slip = v3_add(v3_add(has->f, mixed_from(o, dn)), sym3_mul(&o->across, df));
	if (!friction_agrees(o, r, slip, friction, normal + dn.x)) return false;
	*sums = take(v, o, t, friction);
	push(v, o, dn, df);
	return true;
}

/* The slip, and the rate at which the springs of friction yield. A patch without an arm has no couple. */
static vec3 gives_of(const space_patch *o, vec3 slip)
{
	vec3 gives = v3_madd(slip, o->block.soft, v3_sub(o->friction, o->start));
	if (!(o->block.arm > 0)) gives.z = 0;
	return gives;
}

static bool relax_at_once(const solving *v, space_patch *o, const patch_pair *has, patch_sums *sums)
{
	const real normal = loads_of(v, o).x, cap = o->rub * normal;
	const vec3 gives = gives_of(o, has->f);
	const vec3 to = friction_impulse(&o->block, o->friction, gives, cap);
	const bool rubs = o->rub > 0, slides = !rubs || (cap > 0 && v3_norm(to) >= (real)(1 - 1e-12) * cap);
	if (slides) {
		const patch_response r = sliding(o, rubs ? v3_mul(1 / v3_norm(to), to) : v3(0, 0, 0));
		const vec3 first = v3_sub(v3_mul(normal, r.slides), o->friction);
		if (relax_with(v, o, &r, has, first, normal, sums)) return true;
		if (!rubs) return false;
	}
	const patch_response r = sticking(o);
	return relax_with(v, o, &r, has, v3_neg(sym3_mul(&o->block.stick, gives)), normal, sums);
}

/* ------------------------------------------------------------------ one impulse after another */

/* Velocities, and the changes in impulses that led to them. */
typedef struct patch_course {
	patch_pair has, by;
	patch_sums sums;
} patch_course;

static void add_load(const space_patch *o, patch_course *c, real x, real y, real by, real to)
{
	const vec3 dn = v3(by, x * by, y * by);
	c->has.n = v3_add(c->has.n, sym3_mul(&o->along, dn));
	c->has.f = v3_add(c->has.f, mixed_from(o, dn));
	c->by.n = v3_add(c->by.n, dn);
	c->sums.change += real_abs(by), c->sums.pressed += to;
}

static void relax_point(const space_patch *o, patch_points *q, int k, patch_course *c)
{
	const vec3 part = v3(1, q->x[k], q->y[k]);
	const real response = v3_dot(part, sym3_mul(&o->along, part)), soft = 1 / q->stiff[k];
	const real to = normal_impulse(q->impulse[k], separation_of(q, k, c->has.n), q->goal[k], soft,
								   1 / (response + soft), q->meets[k], NO_IMPACT, 0, 1 / response);
	add_load(o, c, q->x[k], q->y[k], to - q->impulse[k], to);
	q->impulse[k] = to;
}

/* The springs count towards the limit of an impact. */
static void relax_bounce(space_patch *o, patch_course *c)
{
	patch_bounce *q = &o->bounce;
	const real separation = c->has.n.x + q->x * c->has.n.y + q->y * c->has.n.z;
	const real limit = real_max(q->limit - c->sums.pressed, 0);
	const real to =
		normal_impulse(q->impulse, separation, -q->rebound, 0, q->rigid, q->meets, q->rebound, limit, q->rigid);
	add_load(o, c, q->x, q->y, to - q->impulse, to);
	q->impulse = to;
}

static void relax_friction(space_patch *o, patch_course *c)
{
	const vec3 to = friction_impulse(&o->block, o->friction, gives_of(o, c->has.f), o->rub * c->sums.pressed);
	const vec3 df = v3_sub(to, o->friction);
	c->has.n = v3_add(c->has.n, mixed_times(o, df));
	c->has.f = v3_add(c->has.f, sym3_mul(&o->across, df));
	c->by.f = v3_add(c->by.f, df);
	c->sums.change += v3_norm(df);
	o->friction = to;
}

static patch_sums relax_in_turn(const solving *v, space_patch *o, const patch_pair *has)
{
	patch_course c = {*has, {{0, 0, 0}, {0, 0, 0}}, {0, 0}};
	for (int32_t b = 0; b < o->blocks; ++b) {
		patch_points *q = points_of(v, o, b);
		for (int k = 0; k < PATCH_LANES; ++k)
			if (q->stiff[k] > 0) relax_point(o, q, k, &c);
	}
	if (o->bounces) relax_bounce(o, &c);
	relax_friction(o, &c);
	push(v, o, c.by.n, c.by.f);
	return c.sums;
}

static bool relax(const solving *v, space_patch *o, patch_sums *sums)
{
	const patch_pair has = velocity_of(v, o);
	if (!o->bounces && relax_at_once(v, o, &has, sums)) return true;
	*sums = relax_in_turn(v, o, &has);
	return false;
}

bool scree_space_patch_relax(const solving *v, space_patch *o, real *pressed, real *change)
{
	patch_sums s;
	const bool at_once = relax(v, o, &s);
	*pressed = s.pressed;
	*change += s.change;
	return at_once;
}

void scree_space_patch_sweep(solving *v, space_patch *o, int thread)
{
	patch_sums s;
	real first = 0;
	for (int n = 0; n < ROUNDS; ++n) {
		const bool at_once = relax(v, o, &s);
		if (n == 0) first = s.change;
		if (at_once || !(s.change > ROUND_PART * first) || !(s.change > (real)1e-4 * s.pressed)) break;
	}
	scree_ball_rows_count(v, o->counted * first, o->counted * s.pressed, thread);
}
