/* constraint_patch: solves directly for the impulses of a patch that respond to the present velocities of its bodies.
 *
 * Points and friction of a patch affect each other through the rotation of the bodies. If the springs are stiff,
 * relaxing points and friction one by one reduces the error by only a few percent per round. Once it is known which
 * points are loaded, whether the contact sticks or slides, and in which direction, the impulses solve a linear problem
 * for the six components of the wrench w on a, about the point of friction:
 *
 *   w = b - K t    t = t_0 + A (w - w_0)    so that (1 + K A) (w - w_0) = b - K t_0 - w_0
 *
 * Here t is the relative twist, A the response of both bodies and K the stiffness of the springs. Points are first
 * assumed to be in their present state, then in the state of the solution, until the two states agree (an active set
 * method). A solution that never agrees with its assumptions about points or friction is not used. */
#include "solver/constraints.h"

#include <string.h>

/* components of twists and wrenches: along the normal and both directions of friction, then about these axes,
 * multiplied or divided by the size of the body */
enum { ALONG_NORMAL, ALONG_X, ALONG_Y, ABOUT_NORMAL, ABOUT_X, ABOUT_Y, WRENCH = PATCH_WRENCH };

/* The wrench components that exist in a world. In 2D `along` is perpendicular to the plane, so that a force has two
 * components and a couple one. Functions with this argument are compiled once for 2D and once for 3D. */
typedef struct components {
	int count, of[WRENCH];
} components;

static const components IN_SPACE = {WRENCH, {0, 1, 2, 3, 4, 5}}, IN_PLANE = {3, {ALONG_NORMAL, ALONG_Y, ABOUT_X}};
/* number of components for points without friction, in 3D */
static const components SLIPPERY = {3, {ALONG_NORMAL, ABOUT_X, ABOUT_Y}};

static void put_axes(const constraint *r, vec3 axis[3])
{
	axis[0] = r->normal, axis[1] = r->block.along, axis[2] = r->block.beside;
}

static void put_twist(real to[WRENCH], const vec3 axis[3], vec3 linear, vec3 angular, real size)
{
	for (int k = 0; k < 3; ++k) to[k] = v3_dot(linear, axis[k]), to[3 + k] = size * v3_dot(angular, axis[k]);
}

static void add_response_to(constraint *r, const components *c, const impulse_body *b, vec3 arm, const vec3 axis[3])
{
	for (int n = 0; n < c->count; ++n) {
		const int j = c->of[n];
		const vec3 push = j < 3 ? axis[j] : v3(0, 0, 0);
		const vec3 turning = j < 3 ? v3_cross(arm, push) : v3_mul(r->small, axis[j - 3]);
		const vec3 spin = inertia_response(b, turning);
		real column[WRENCH];
		put_twist(column, axis, v3_madd(v3_cross(spin, arm), b->inv_mass, push), spin, r->small);
		for (int i = 0; i < WRENCH; ++i) r->response[i][j] += column[i];
	}
}

static bool is_slippery(const solving *v, const constraint *r) { return !(r->rub > 0) && !v->m->flat; }

void scree_constraint_patch_set(const solving *v, constraint *r)
{
	vec3 axis[3];
	const components *c = v->m->flat ? &IN_PLANE : is_slippery(v, r) ? &SLIPPERY : &IN_SPACE;
	const constraint_point *last = v->of->point + r->first + r->points - 1;
	r->direct = constraint_moves(v, &r->ref) && r->points > 1 && !r->curved && r->block.soft > 0 &&
				last->rebound == NO_IMPACT && !(r->pull.press > 0);
	if (!r->direct || scree_plane_patch_takes(v, r)) return;
	put_axes(r, axis);
	for (int i = 0; i < WRENCH; ++i)
		for (int j = 0; j < WRENCH; ++j) r->response[i][j] = 0;
	add_response_to(r, c, v->of->body + r->ref.a, r->arm_a, axis);
	add_response_to(r, c, v->of->body + r->ref.b, r->arm_b, axis);
}

/* ------------------------------------------------------------------ the linear problem */

typedef struct patch_problem {
	vec3 axis[3];
	real twist[WRENCH], had[WRENCH]; /* t_0 and w_0 */
	real stiff[WRENCH][WRENCH];		 /* K */
	real rest[WRENCH];				 /* b */
	vec3 slides; /* direction of sliding friction, as components in the block; 0 if the contact sticks */
} patch_problem;

static void point_parts(const constraint *r, const patch_problem *o, const constraint_point *p, real part[WRENCH])
{
	const vec3 off = v3_mul(1 / r->small, v3_sub(p->arm_a, r->arm_a));
	part[ALONG_NORMAL] = 1, part[ALONG_X] = part[ALONG_Y] = part[ABOUT_NORMAL] = 0;
	part[ABOUT_X] = v3_dot(off, o->axis[2]), part[ABOUT_Y] = -v3_dot(off, o->axis[1]);
}

/* Tests whether the spring and dashpot push at this separation velocity; dashpots do not act across a gap. */
static bool presses(const constraint_point *p, real separation)
{
	return separation + p->goal < 0 && separation < p->meets;
}

SCREE_FN real dot_parts(const components *c, const real a[WRENCH], const real b[WRENCH])
{
	real sum = 0;
	for (int k = 0; k < c->count; ++k) sum += a[c->of[k]] * b[c->of[k]];
	return sum;
}

SCREE_FN void add_points(const solving *v, const constraint *r, const components *c, patch_problem *o)
{
	for (const constraint_point *p = v->of->point + r->first, *end = p + r->points; p < end; ++p) {
		if (!(p->weight > 0)) continue;
		real part[WRENCH];
		point_parts(r, o, p, part);
		for (int k = 0; k < c->count; ++k) o->had[c->of[k]] += p->impulse * part[c->of[k]];
		if (!p->pressed) continue;
		const real stiff = 1 / p->soft;
		for (int n = 0; n < c->count; ++n) {
			const int i = c->of[n];
			o->rest[i] -= stiff * p->goal * part[i];
			for (int j = 0; j < c->count; ++j) o->stiff[i][c->of[j]] += stiff * part[i] * part[c->of[j]];
		}
	}
}

/* Sticking friction is a spring; sliding friction is proportional to the normal impulse. */
static void add_friction(const constraint *r, patch_problem *o)
{
	const friction_block *f = &r->block;
	const real lever[3] = {1, 1, f->arm / r->small}, had[3] = {r->friction.x, r->friction.y, r->friction.z};
	const real start[3] = {r->start.x, r->start.y, r->start.z}, along[3] = {o->slides.x, o->slides.y, o->slides.z};
	const bool sticks = !(v3_norm2(o->slides) > 0);
	for (int k = 0; k < 3; ++k) {
		const int i = ALONG_X + k;
		o->had[i] += lever[k] * had[k];
		if (sticks) {
			o->rest[i] = lever[k] * start[k];
			o->stiff[i][i] = lever[k] * lever[k] / f->soft;
			continue;
		}
		const real part = lever[k] * r->rub * along[k];
		o->rest[i] = part * o->rest[ALONG_NORMAL];
		for (int j = 0; j < WRENCH; ++j) o->stiff[i][j] = part * o->stiff[ALONG_NORMAL][j];
	}
}

static patch_problem problem_of(const solving *v, const constraint *r, vec3 slides)
{
	patch_problem o = {.slides = slides};
	put_axes(r, o.axis);
	put_twist(o.twist, o.axis, slip_at(v->of, r, r->arm_a, r->arm_b), spin_at(v->of, r), r->small);
	return o;
}

/* Starts from the assumption that the points stay in their present state. */
SCREE_FN void guess_points(const solving *v, const constraint *r, const components *c, const patch_problem *o)
{
	for (constraint_point *p = v->of->point + r->first, *end = p + r->points; p < end; ++p) {
		real part[WRENCH];
		point_parts(r, o, p, part);
		p->pressed = p->impulse > 0 || presses(p, dot_parts(c, part, o->twist));
	}
}

SCREE_FN void set_springs(const solving *v, const constraint *r, const components *c, patch_problem *o)
{
	memset(o->had, 0, sizeof o->had);
	memset(o->rest, 0, sizeof o->rest);
	memset(o->stiff, 0, sizeof o->stiff);
	add_points(v, r, c, o);
	add_friction(r, o);
}

/* Gaussian elimination with row pivoting; replaces x with the solution. Returns whether a solution exists. */
SCREE_FN bool eliminate(int count, real m[WRENCH][WRENCH], real x[WRENCH])
{
	for (int k = 0; k < count; ++k) {
		int best = k;
		for (int i = k + 1; i < count; ++i)
			if (real_abs(m[i][k]) > real_abs(m[best][k])) best = i;
		if (!(real_abs(m[best][k]) > (real)1e-9)) return false;
		for (int j = k; j < count; ++j) {
			const real had = m[k][j];
			m[k][j] = m[best][j], m[best][j] = had;
		}
		const real had = x[k];
		x[k] = x[best], x[best] = had;
		for (int i = k + 1; i < count; ++i) {
			const real part = m[i][k] / m[k][k];
			for (int j = k; j < count; ++j) m[i][j] -= part * m[k][j];
			x[i] -= part * x[k];
		}
	}
	for (int k = count - 1; k >= 0; --k) {
		for (int j = k + 1; j < count; ++j) x[k] -= m[k][j] * x[j];
		x[k] /= m[k][k];
	}
	return true;
}

/* Computes the change in the wrench, and the twist after this change. */
SCREE_FN bool solve(const constraint *r, const components *c, const patch_problem *o, real by[WRENCH],
					real twist[WRENCH])
{
	real m[WRENCH][WRENCH], x[WRENCH];
	for (int i = 0; i < c->count; ++i) {
		const int k = c->of[i];
		x[i] = o->rest[k] - dot_parts(c, o->stiff[k], o->twist) - o->had[k];
		for (int j = 0; j < c->count; ++j) m[i][j] = (i == j) + dot_parts(c, o->stiff[k], r->response[c->of[j]]);
	}
	if (!eliminate(c->count, m, x)) return false;
	for (int k = 0; k < WRENCH; ++k) by[k] = 0, twist[k] = o->twist[k];
	for (int i = 0; i < c->count; ++i) by[c->of[i]] = x[i];
	for (int i = 0; i < c->count; ++i) twist[c->of[i]] += dot_parts(c, r->response[c->of[i]], by);
	return true;
}

/* ------------------------------------------------------------------ its solution */

/* Sets the points to their state for this twist. Returns whether this is the assumed state. */
SCREE_FN bool points_agree(const solving *v, const constraint *r, const components *c, const patch_problem *o,
						   const real twist[WRENCH])
{
	bool agree = true;
	for (constraint_point *p = v->of->point + r->first, *end = p + r->points; p < end; ++p) {
		if (!(p->weight > 0)) continue;
		real part[WRENCH];
		point_parts(r, o, p, part);
		const bool pressed = presses(p, dot_parts(c, part, twist));
		agree = agree && pressed == p->pressed;
		p->pressed = pressed;
	}
	return agree;
}

static vec3 friction_after(const constraint *r, const real by[WRENCH])
{
	const real arm = r->block.arm / r->small;
	const vec3 change = v3(by[ALONG_X], by[ALONG_Y], arm > 0 ? by[ABOUT_NORMAL] / arm : 0);
	return v3_add(r->friction, change);
}

/* Tests whether the contact sticks with friction within its bound, or slides against friction. */
static bool friction_agrees(const constraint *r, const patch_problem *o, const real twist[WRENCH], vec3 friction,
							real pressed)
{
	if (!(v3_norm2(o->slides) > 0)) return v3_norm(friction) <= r->rub * pressed;
	const vec3 slip = v3(twist[ALONG_X], twist[ALONG_Y], r->block.arm / r->small * twist[ABOUT_NORMAL]);
	return v3_dot(v3_madd(slip, r->block.soft, v3_sub(friction, r->start)), o->slides) <= 0;
}

/* Sets the impulses to the solution. Returns the sum of the normal impulses in N s; adds the change to *change. */
SCREE_FN real take(const solving *v, constraint *r, const components *c, const patch_problem *o,
				   const real twist[WRENCH], vec3 friction, real *change)
{
	real pressed = 0;
	for (constraint_point *p = v->of->point + r->first, *end = p + r->points; p < end; ++p) {
		if (!(p->weight > 0)) continue;
		real part[WRENCH];
		point_parts(r, o, p, part);
		const real separation = dot_parts(c, part, twist);
		const real to = presses(p, separation) ? -(separation + p->goal) / p->soft : 0;
		*change += real_abs(to - p->impulse);
		p->impulse = to;
		pressed += to;
	}
	*change += v3_norm(v3_sub(friction, r->friction));
	r->friction = friction;
	return pressed;
}

static vec3 in_world(const patch_problem *o, const real by[3])
{
	return v3_madd(v3_madd(v3_mul(by[0], o->axis[0]), by[1], o->axis[1]), by[2], o->axis[2]);
}

SCREE_FN bool solve_points(const solving *v, const constraint *r, const components *c, patch_problem *o,
						   real by[WRENCH], real twist[WRENCH])
{
	enum { GUESSES = 4 };
	guess_points(v, r, c, o);
	for (int n = 0; n < GUESSES; ++n) {
		set_springs(v, r, c, o);
		if (!solve(r, c, o, by, twist)) return false;
		if (points_agree(v, r, c, o, twist)) return true;
	}
	return false;
}

static void push_wrench(const solving *v, const constraint *r, const patch_problem *o, const real by[WRENCH])
{
	constraint_push(v, r, in_world(o, by), r->arm_a, r->arm_b, v3_mul(r->small, in_world(o, by + 3)));
}

SCREE_FN bool relax_with(const solving *v, constraint *r, const components *c, vec3 slides, real *pressed, real *change)
{
	patch_problem o = problem_of(v, r, slides);
	real by[WRENCH], twist[WRENCH];
	if (!solve_points(v, r, c, &o, by, twist)) return false;
	const vec3 friction = friction_after(r, by);
	if (!friction_agrees(r, &o, twist, friction, o.had[ALONG_NORMAL] + by[ALONG_NORMAL])) return false;
	*pressed = take(v, r, c, &o, twist, friction, change);
	push_wrench(v, r, &o, by);
	return true;
}

static bool relax_in_space(const solving *v, constraint *r, vec3 slides, real *pressed, real *change)
{
	return relax_with(v, r, &IN_SPACE, slides, pressed, change);
}

static bool relax_in_plane(const solving *v, constraint *r, vec3 slides, real *pressed, real *change)
{
	return relax_with(v, r, &IN_PLANE, slides, pressed, change);
}

static bool relax_if(const solving *v, constraint *r, vec3 slides, real *pressed, real *change)
{
	return (v->m->flat ? relax_in_plane : relax_in_space)(v, r, slides, pressed, change);
}

/* Without friction the points form a problem with three unknowns. */
static bool relax_slippery(const solving *v, constraint *r, real *pressed, real *change)
{
	patch_problem o = problem_of(v, r, v3(0, 0, 0));
	real by[WRENCH], twist[WRENCH];
	if (!solve_points(v, r, &SLIPPERY, &o, by, twist)) return false;
	*pressed = take(v, r, &SLIPPERY, &o, twist, r->friction, change);
	push_wrench(v, r, &o, by);
	return true;
}

bool scree_constraint_patch_relax(const solving *v, constraint *r, real *pressed, real *change)
{
	const vec3 sticks = v3(0, 0, 0);
	if (!r->direct) return false;
	if (is_slippery(v, r)) return !(v3_norm2(r->friction) > 0) && relax_slippery(v, r, pressed, change);
	real had = 0;
	for (const constraint_point *p = v->of->point + r->first, *end = p + r->points; p < end; ++p) had += p->impulse;
	const real cap = r->rub * had;
	const vec3 to = friction_impulse(&r->block, r->friction, constraint_gives(v, r), cap);
	const bool slides = cap > 0 && v3_norm(to) >= (real)(1 - 1e-12) * cap;
	if (slides && relax_if(v, r, v3_mul(1 / v3_norm(to), to), pressed, change)) return true;
	return relax_if(v, r, sticks, pressed, change);
}
