/* constraint_sweeps: relaxes the contacts one after another, by colours, until further sweeps would change little
 * (projected Gauss-Seidel). Each contact starts with its impulse of the last step. */
#include "solver/constraints.h"

#include "base/parallel.h"
#include "solver/point_springs.h"
#include "state/contact_rows.h"

#include <string.h>

/* largest fraction of all impulses that further sweeps may still change: for moving bodies, for bodies at rest
 * (relative to their momenta over all impulses), and the lower limit of the latter */
static const real ENOUGH = (real)2e-3, ENOUGH_AT_REST = 1, LEAST_ENOUGH = (real)1e-6;
/* the same fraction for creeping bodies, whose next step starts with the remaining error */
static const real ENOUGH_TO_CREEP = (real)0.1;
static const real MOST_RATE = (real)0.98;
/* After the first sweeps, contacts with one point are over-relaxed, so that changes propagate faster through many
 * contacts. The impulse of an isolated contact is exact by then, and remains so. */
static const real OVERSHOOT = (real)1.3;
enum { TILES_GRAIN = 128, MOST_SWEEPS = 200, FEWEST_SWEEPS = 3 };

/* Newton's method for a stiffness that depends on the overlap, one step per sweep: the law is linearized about the
 * overlap of the last step. The overlap may shrink to at most a quarter per step, to guard against overshooting. */
static void curve_point(const solving *v, const constraint *r, constraint_point *p, real separation)
{
	const real found = p->reaches - r->after * v->h * separation;
	constraint_point_linear(v, r, p, real_max(found, p->about / 4));
}

static real separation_of(const constraint *r, const point_levers *l, real moves, const velocity_pair *a,
						  const velocity_pair *b)
{
	return v3_dot(v3_sub(a->linear, b->linear), r->normal) + v3_dot(l->turn_a, a->angular) -
		   v3_dot(l->turn_b, b->angular) - moves;
}

static void put_velocities(impulse_body *to, const velocity_pair *v)
{
	if (!(to->inv_mass > 0)) return;
	to->velocity = v->linear, to->angular_velocity = v->angular;
}

static void push_along(velocity_pair *to, real inv_mass, vec3 normal, vec3 give, real by)
{
	to->linear = v3_madd(to->linear, inv_mass * by, normal);
	to->angular = v3_madd(to->angular, by, give);
}

/* Tests whether the springs of JKR are stretched beyond the point of contact while no pull holds the surfaces. */
static bool lets_go(const constraint *r) { return r->pull.length > 0 && !r->pull.held; }

static real over_of(const solving *v, const constraint *r)
{
	const bool fixed = r->pull.kind == COHESION_NONE || r->pull.kind == COHESION_CAPILLARY; /* in the sweeps */
	return r->points == 1 && fixed && r->bond < 0 ? v->over : 1;
}

/* Returns the sum of the normal impulses, in N s, and adds the change in impulses to *change. */
static real relax_points(const solving *v, constraint *r, real *change)
{
	const struct constraints *c = v->of;
	impulse_body *const on_a = c->body + r->ref.a, *const on_b = c->body + r->ref.b;
	velocity_pair a = velocities_of(on_a), b = velocities_of(on_b);
	real pressed = 0;
	for (constraint_point *p = c->point + r->first, *end = p + r->points; p < end; ++p) {
		const point_levers l = point_levers_of(r, p, on_a, on_b);
		const real separation = separation_of(r, &l, p->moves, &a, &b);
		const real limit = p->weight > 0 ? p->limit : real_max(p->limit - pressed, 0); /* springs count too */
		const real presses =
			normal_impulse(p->impulse, separation, p->goal, p->soft, p->mass, p->meets, p->rebound, limit, p->rigid);
		const real most = real_max(p->impulse + over_of(v, r) * (presses - p->impulse), 0);
		const real to = lets_go(r) ? 0 : most, by = to - p->impulse;
		push_along(&a, on_a->inv_mass, r->normal, l.give_a, by);
		push_along(&b, on_b->inv_mass, r->normal, l.give_b, -by);
		if (r->curved && p->weight > 0) curve_point(v, r, p, separation + by / p->rigid);
		*change += real_abs(by);
		p->impulse = to;
		pressed += to;
	}
	put_velocities(on_a, &a);
	put_velocities(on_b, &b);
	return pressed;
}

static void relax_pull(const solving *v, constraint *r, real *change)
{
	attraction *o = &r->pull;
	if (o->kind == COHESION_NONE) return;
	o->held = scree_attraction_holds(v, r);
	const real to = o->held ? scree_attraction_pull(v, r) : 0, by = o->given - to;
	constraint_push(v, r, v3_mul(by, r->normal), r->arm_a, r->arm_b, v3(0, 0, 0));
	o->given = to;
	*change += real_abs(by);
}

static void relax_friction(const solving *v, constraint *r, real pressed, real *change)
{
	const vec3 had = r->friction, across = friction_across(r), couple = friction_couple(r);
	const vec3 gives = v3_mul(over_of(v, r), constraint_gives(v, r));
	r->friction = friction_impulse(&r->block, had, gives, r->rub * pressed);
	constraint_push(v, r, v3_sub(friction_across(r), across), r->arm_a, r->arm_b, v3_sub(friction_couple(r), couple));
	*change += v3_norm(v3_sub(r->friction, had));
}

/* Relaxes rolling and twisting: spring couples, limited to rolling and twisting lengths times the normal impulse. */
static void relax_turning(const solving *v, constraint *r, real pressed, real *change)
{
	if (!resists_turning(r)) return;
	const vec3 none = v3(0, 0, 0), n = r->normal, spin = spin_at(v->of, r), over = v3_sub(r->turning, r->bent);
	const vec3 rolls = v3_madd(r->turning, -r->roll.mass, v3_madd(spin, r->roll.soft, over));
	const vec3 flat = v3_madd(rolls, -v3_dot(rolls, n), n);
	const real size = v3_norm(flat), roll = r->roll.lever * pressed, twist = r->twist.lever * pressed;
	const real twists = v3_dot(v3_madd(r->turning, -r->twist.mass, v3_madd(spin, r->twist.soft, over)), n);
	const vec3 to = v3_madd(v3_mul(size > roll ? roll / size : 1, flat), real_clamp(twists, -twist, twist), n);
	const vec3 by = v3_sub(to, r->turning);
	constraint_push(v, r, none, none, none, by);
	*change += v3_norm(by) / r->small;
	r->turning = to;
}

/* Returns whether all impulses of the springs were found at once. */
static bool relax_packed(const solving *v, constraint *r, real *pressed, real *change)
{
	space_patch *packed = scree_space_patch_of(v, r);
	if (!packed) return false;
	const bool at_once = scree_space_patch_relax(v, packed, pressed, change);
	if (r->pull.kind != COHESION_NONE) constraint_unpack(v, r); /* attraction depends on the impulses */
	return at_once;
}

/* Points and friction of a patch affect each other through rotation, so a patch is relaxed until it changes little. */
static void relax(solving *v, constraint *r, int thread)
{
	const bool patch = r->points > 1 && constraint_moves(v, &r->ref), bonded = r->bond >= 0;
	real pressed = 0, first = 0;
	for (int n = 0; n < (patch ? ROUNDS : 1); ++n) {
		real change = 0;
		if (bonded) scree_bond_relax(v, r, v->over, &change);
		relax_pull(v, r, &change);
		const bool at_once = relax_packed(v, r, &pressed, &change);
		if (!scree_space_patch_of(v, r)) {
			pressed = relax_points(v, r, &change) + (r->pull.held ? r->pull.press : 0);
			if (!bonded || pressed > 0 || v3_norm2(r->friction) > 0) relax_friction(v, r, pressed, &change);
		}
		relax_turning(v, r, pressed, &change);
		if (n == 0) first = change;
		if (at_once && !resists_turning(r) && r->pull.kind == COHESION_NONE) break;
		if (!(change > ROUND_PART * first) || !(change > 1e-4 * pressed)) break;
	}
	if (!scree_contact_counted(v->s, r->ref.kind, r->ref.row)) return;
	scree_fixed_add(v->changed + thread, first);
	scree_fixed_add(v->all + thread, pressed + (bonded ? scree_bond_size(v, r) : 0));
}

static void push_springs(const solving *v, const constraint *r)
{
	for (const constraint_point *p = v->of->point + r->first, *end = p + r->points; p < end; ++p)
		constraint_push(v, r, v3_mul(p->impulse, r->normal), p->arm_a, p->arm_b, v3(0, 0, 0));
	constraint_push(v, r, friction_across(r), r->arm_a, r->arm_b, friction_couple(r));
}

static void push_first(const solving *v, const constraint *r)
{
	const space_patch *packed = scree_space_patch_of(v, r);
	if (packed)
		scree_space_patch_push(v, packed);
	else
		push_springs(v, r);
	if (r->pull.kind != COHESION_NONE || resists_turning(r))
		constraint_push(v, r, v3_mul(-r->pull.given, r->normal), r->arm_a, r->arm_b, r->turning);
	if (r->bond >= 0) scree_bond_push(v, r);
}

static void sweep_balls(void *what, int64_t from, int64_t to, int thread)
{
	solving *v = what;
	scree_ball_rows_sweep(v, v->from + from, v->from + to, thread);
}

static void fetch(const void *from, size_t size)
{
	for (size_t at = 0; at < size; at += 64) __builtin_prefetch((const char *)from + at, 1);
}

/* Prefetches a later constraint that is not packed, and the points and bodies of one prefetched earlier. */
static void fetch_constraint(const struct constraints *c, int64_t k, int64_t end)
{
	enum { AHEAD = 4, REST_AHEAD = 2 };
	if (k + AHEAD >= end) return;
	const constraint *const later = c->row + c->balls.other[k + AHEAD];
	const constraint *const next = c->row + c->balls.other[k + REST_AHEAD];
	if (c->space.order[k + AHEAD] < 0) fetch(later, sizeof *later);
	if (c->space.order[k + REST_AHEAD] >= 0) return;
	fetch(c->point + next->first, sizeof *c->point);
	fetch(c->body + next->ref.a, sizeof *c->body);
	fetch(c->body + next->ref.b, sizeof *c->body);
}

/* Prefetches a later patch, and the bodies of a patch prefetched earlier. */
static void fetch_in_plane(const solving *v, int64_t k, int64_t end)
{
	enum { AHEAD = 6, BODIES_AHEAD = 3 };
	if (k + AHEAD >= end) return;
	const plane_patch *row = v->of->plane.row + k, *next = row + BODIES_AHEAD;
	fetch(row + AHEAD, sizeof *row);
	__builtin_prefetch(v->of->body + next->a, 1);
	__builtin_prefetch(v->of->body + next->b, 1);
}

static void fetch_later(const solving *v, int64_t k, int64_t end)
{
	if (v->m->flat) {
		fetch_in_plane(v, k, end);
		return;
	}
	scree_space_patches_fetch(v, k, end);
	fetch_constraint(v->of, k, end);
}

static void relax_at(solving *v, int64_t place, int thread)
{
	plane_patch *plane = packed_as(v, place);
	const int32_t row = v->of->space.order[place];
	space_patch *space = row < 0 ? NULL : v->of->space.row + row;
	if (plane)
		scree_plane_patch_sweep(v, plane, thread);
	else if (space && space->alone)
		scree_space_patch_sweep(v, space, thread);
	else
		relax(v, v->of->row + v->of->balls.other[place], thread);
}

static void push_at(const solving *v, int64_t place)
{
	const plane_patch *packed = packed_as(v, place);
	if (packed)
		scree_plane_patch_push(v, packed);
	else
		push_first(v, v->of->row + v->of->balls.other[place]);
}

static void sweep_others(void *what, int64_t from, int64_t to, int thread)
{
	solving *v = what;
	for (int64_t k = v->from + from; k < v->from + to; ++k) {
		fetch_later(v, k, v->from + to);
		relax_at(v, k, thread);
	}
}

static void push_balls(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	solving *v = what;
	scree_ball_rows_push(v, v->from + from, v->from + to);
}

static void push_others(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	const solving *v = what;
	for (int64_t k = v->from + from; k < v->from + to; ++k) {
		fetch_later(v, k, v->from + to);
		push_at(v, k);
	}
}

static const contact_ref *last_contact(const solving *v, int64_t k)
{
	const colouring *c = &v->of->colours;
	return v->of->ref + c->all.item[c->first[c->colours] + k].row;
}

static void sweep_last(void *what, int64_t from, int64_t to, int thread)
{
	solving *v = what;
	for (int64_t k = from; k < to; ++k) {
		const contact_ref *o = last_contact(v, k);
		if ((scree_yielding_wall(v, o->kind, o->row) >= 0) != v->on_walls) continue;
		if (o->full < 0)
			scree_ball_row_sweep(v, o);
		else
			relax_at(v, v->of->row[o->full].ref.at, thread);
	}
}

static void push_last(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	solving *v = what;
	for (int64_t k = from; k < to; ++k) {
		const contact_ref *o = last_contact(v, k);
		if (o->full < 0)
			scree_ball_row_push(v, o);
		else
			push_at(v, v->of->row[o->full].ref.at);
	}
}

/* Relaxes contacts with walls that yield at the walls' present speeds, and contacts in the last block one by one. */
static void sweep_walls(solving *v)
{
	const struct constraints *c = v->of;
	const ball_rows *o = &c->balls;
	const int32_t colours = c->colours.colours;
	for (int32_t k = 0; k < colours; ++k) {
		v->from = o->wall_tile[k];
		scree_parallel(sweep_balls, v, o->first[k + 1] - v->from, TILES_GRAIN);
		v->from = o->wall_rest[k];
		scree_parallel(sweep_others, v, o->rest[k + 1] - v->from, CONSTRAINTS_GRAIN);
	}
	v->on_walls = true;
	sweep_last(v, 0, c->colours.all.count - c->colours.first[colours], 0);
	v->on_walls = false;
}

/* Sweeps once more, but counts each pressing contact only once per sweep. */
static void sweep_walls_again(solving *v)
{
	struct constraints *c = v->of;
	fixed all[SCREE_MOST_THREADS];
	int64_t pressed[SCREE_MOST_THREADS];
	memcpy(all, v->all, sizeof all);
	memcpy(pressed, c->balls.pressed, sizeof pressed);
	sweep_walls(v);
	memcpy(v->all, all, sizeof all);
	memcpy(c->balls.pressed, pressed, sizeof pressed);
}

static void relax_walls(solving *v)
{
	const body_columns velocities = scree_constraints_columns(v->of, BODY_VELOCITIES);
	const domain *d = &v->w->domain;
	if (!v->of->yields) return;
	v->over = 1;
	sweep_walls(v);
	scree_yielding_relax(v, sweep_walls_again, v);
	if (d->by->share) d->by->share(d->at, &velocities, NULL, 0);
}

/* Contacts of bodies with very many contacts are processed last, one after another. */
static void each_colour(solving *v, parallel_fn *balls, parallel_fn *others, parallel_fn *last, bool walls)
{
	const struct constraints *c = v->of;
	const ball_rows *o = &c->balls;
	const body_columns velocities = scree_constraints_columns(c, BODY_VELOCITIES);
	for (int32_t k = 0; k < c->colours.colours; ++k) {
		v->from = o->first[k];
		scree_parallel(balls, v, (walls ? o->first[k + 1] : o->wall_tile[k]) - o->first[k], TILES_GRAIN);
		v->from = o->rest[k];
		scree_parallel(others, v, (walls ? o->rest[k + 1] : o->wall_rest[k]) - o->rest[k], CONSTRAINTS_GRAIN);
		scree_colours_share(&c->colours, k, &velocities);
	}
	scree_colours_last(&c->colours, last, v, &velocities);
}

/* Returns the fraction of all impulses that the last sweep changed, over all parts of the world. */
static real part_changed(solving *v)
{
	enum { CHANGED, ALL, BALLS_CHANGED, BALLS_ALL, SUMS };
	const domain *d = &v->w->domain;
	fixed of[SUMS] = {{0, 0}};
	ball_rows *o = &v->of->balls;
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) {
		scree_fixed_join(of + CHANGED, v->changed[t]);
		scree_fixed_join(of + ALL, v->all[t]);
		of[BALLS_CHANGED].quanta += o->changed[t], of[BALLS_ALL].quanta += o->pressed[t];
	}
	d->by->add(d->at, SUMS, of);
	memset(v->changed, 0, sizeof v->changed);
	memset(v->all, 0, sizeof v->all);
	memset(o->changed, 0, sizeof o->changed);
	memset(o->pressed, 0, sizeof o->pressed);
	const real sum = v->of->pressed = scree_fixed_value(of[ALL]) + o->quantum * (real)of[BALLS_ALL].quanta;
	const real change = scree_fixed_value(of[CHANGED]) + o->quantum * (real)of[BALLS_CHANGED].quanta;
	return sum > 0 ? change / sum : 0;
}

/* Returns the mean decay rate of the last changes, since individual ratios fluctuate. */
static real rate_of(const real *change, int32_t sweeps)
{
	enum { OVER = 8 };
	if (sweeps < OVER) return sweeps < 1 ? (real)0.9 : real_min(change[sweeps] / change[sweeps - 1], MOST_RATE);
	return real_min(sqrt(sqrt(sqrt(change[sweeps] / change[sweeps - OVER]))), MOST_RATE);
}

/* Returns the fraction of all impulses that further sweeps may change. The next step starts with the errors of this
 * step. In stiff chains at rest, errors grow to the allowed error, so this must be small compared with the motion. */
static real enough(const solving *v)
{
	const struct constraints *c = v->of;
	if (v->m->creeps) return ENOUGH_TO_CREEP;
	return real_clamp(c->pressed > 0 ? ENOUGH_AT_REST * c->moving / c->pressed : ENOUGH, LEAST_ENOUGH, ENOUGH);
}

static void sweep(solving *v)
{
	struct constraints *c = v->of;
	real change[MOST_SWEEPS];
	c->left = c->everywhere ? 1 : 0;
	c->pressed = 0;
	if (v->first) each_colour(v, push_balls, push_others, push_last, true);
	if (v->first) scree_yielding_first(v);
	for (int32_t n = 0; n < MOST_SWEEPS && (c->left > enough(v) || (c->everywhere && n < FEWEST_SWEEPS)); ++n) {
		v->over = n < FEWEST_SWEEPS ? 1 : OVERSHOOT;
		each_colour(v, sweep_balls, sweep_others, sweep_last, false);
		relax_walls(v);
		change[n] = part_changed(v);
		const real rate = rate_of(change, n);
		c->left = change[n] * rate / (1 - rate);
		c->sweeps += 1;
	}
	c->capped |= c->left > ENOUGH;
}

/* ------------------------------------------------------------------ bonds that break */

typedef struct breaking {
	const solving *v;
	bool any[SCREE_MOST_THREADS];
} breaking;

static void break_bonds(void *what, int64_t from, int64_t to, int thread)
{
	breaking *o = what;
	for (int64_t k = from; k < to; ++k) {
		const constraint *r = o->v->of->row + k;
		if (r->bond >= 0) o->any[thread] |= scree_bond_breaks(o->v, r);
	}
}

/* Breaks all bonds that the present velocities would break; returns whether there were any. */
static bool some_break(const solving *v)
{
	breaking o = {.v = v};
	bool any = false;
	if (!(v->s->pair[PAIR_SPHERE_SPHERE].remembers & REMEMBERS_BONDS)) return false;
	scree_parallel(break_bonds, &o, v->of->bonds ? v->of->fulls : 0, CONSTRAINTS_GRAIN);
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) any |= o.any[t];
	return scree_domain_any(&v->w->domain, any);
}

void scree_constraints_solve(solving *v)
{
	enum { MOST_BREAKS = 4 };
	sweep(v);
	for (int k = 0; k < MOST_BREAKS && some_break(v); ++k) {
		v->first = false;
		sweep(v);
	}
}
