/* yielding_walls: walls moved by forces are bodies with one degree of freedom, whose speed the solver finds together
 * with the velocities of the bodies (docs/theory/implicit.md, "Walls that yield").
 *
 * All contacts of such a wall affect each other through it, so relaxing them one after another would converge slowly
 * for light walls. Instead they are relaxed with the wall at a fixed speed q, by colours, like the contacts of other
 * walls. The impulses of these contacts add up to an exact sum, the impulse Q on the wall, which gives the wall the
 * speed q'(Q) according to its rule of motion. Newton's method for q' = q needs the rate at which Q changes with q,
 * which is the sum of the rates of individual contacts, each of which moves only its own body. The contacts are relaxed
 * again at the speeds found, until q' and q agree. The sums do not depend on the number of threads or parts of the
 * world.
 *
 * A held body does not move: its contact is relaxed with the mass of the wall, or a share of it, and the impulse gives
 * the wall the required speed. So the rate of this contact is zero.
 *
 * In the arrays of bodies, walls have rows after all bodies. A wall has no mass in its row, since contacts do not
 * move it, and its velocity in this row is the change since before the step. */
#include "solver/constraints.h"

#include "base/memory.h"
#include "wall/wall_state.h"

/* largest number of rounds in a sweep, and the fraction of all impulses on a wall that may remain unsolved */
enum { MOST_ROUNDS = 20 };
static const real LEFT = (real)1e-7, ROUNDING = (real)1e-12;

/* Sums over the contacts of a wall. */
enum { WALL_IMPULSE, WALL_SIZES, WALL_RATE, WALL_PRESSED, WALL_ON_HELD, WALL_TERMS };

/* ------------------------------------------------------------------ the rule of motion */

static driven_action action_of(const solving *v, int32_t k, int64_t contacts)
{
	const real time = v->w->ahead.drifted ? v->s->time + v->m->dt : v->s->time;
	return scree_driven_action(v->m->wall.row + k, v->w->ahead.wall + k, contacts, v->m->gravity, v->m->dt, time);
}

/* Motion of the wall due to the impulses of its contacts in the step, as in motion/walls_to_poses.c; `middle`: speed
 * in the middle of the next step; `speed`: speed at the time of the state. */
typedef struct wall_course {
	real middle, speed;
	bool stopped; /* whether the wall is held by its limits */
	real ease;	  /* change in `middle` per impulse while the wall is not held */
} wall_course;

static wall_course course_of(const solving *v, int32_t k)
{
	const servo_state *at = &v->w->ahead.wall[k].servo;
	const fixed *sum = v->of->wall_sum + WALL_TERMS * (size_t)k;
	const driven_action a = action_of(v, k, (int64_t)sum[WALL_PRESSED].quanta);
	const real force = a.force + scree_fixed_value(sum[WALL_IMPULSE]) / v->tau, dt = v->m->dt;
	servo_motion now = {at->way, at->speed, v->of->wall[k].before, false};
	if (v->w->ahead.drifted) now = servo_kick(now, force, a.mass, a.rate, dt, a.limits);
	const real speed = now.speed;
	const bool stopped = now.stopped;
	now.stopped = false;
	now = servo_drift(now, force, a.mass, a.rate, dt, a.limits);
	const real slows = v->w->ahead.drifted ? 1 + a.rate * dt / 2 : 1;
	return (wall_course){now.middle, speed, stopped || now.stopped, 1 / (a.mass * slows)};
}

/* ------------------------------------------------------------------ contacts */

/* Impulse on the wall along its motion, and the rate at which this impulse decreases with the wall's speed. */
typedef struct wall_push {
	real impulse, rate;
	bool pressed;
} wall_push;

/* Sliding friction changes with the normal impulse. */
static real rate_of_friction(bool slides, real rub, real normal, real rate_normal, vec3 way, vec3 across, real sticks)
{
	const vec3 side = v3_madd(way, -normal, across);
	const real size2 = v3_norm2(side);
	return slides ? rub * real_abs(normal) * sqrt(size2) * rate_normal : size2 * sticks;
}

static wall_push push_by_ball(const solving *v, const contact_ref *o, vec3 axis)
{
	const ball_tile *t = v->of->balls.tile + o->at / BALL_LANES;
	const int k = o->at % BALL_LANES;
	const vec3 n = v3(t->nx[k], t->ny[k], t->nz[k]), friction = v3(t->tx[k], t->ty[k], t->tz[k]);
	const real along = v3_dot(axis, n), pressed = t->impulse[k], rigid = t->rigid[k];
	const real stiff = (t->curved[k] ? (real)1.5 * sqrt(t->about[k]) : 1) * t->spring[k];
	const real goes = t->after[k] * stiff + t->dashpot[k];
	const bool springs = t->rebound[k] == NO_IMPACT;
	wall_push p = {.impulse = -v3_dot(axis, v3_madd(friction, pressed, n)), .pressed = pressed > 0};
	if (!p.pressed) return p;
	const real presses = springs ? rigid * goes / (goes + rigid) : rigid, rub = t->rub[k];
	const bool slides = v3_norm2(friction) >= (real)(1 - 1e-9) * (rub * pressed) * (rub * pressed);
	const bool moves = constraint_moves(v, o);
	p.rate = (moves ? along * along * presses : 0) +
			 rate_of_friction(slides, rub, along, moves ? presses : 0, axis, n, t->slide[k]);
	return p;
}

/* Displacement of a point of the wall per unit of the wall's motion; arm: vector from the axis to the point, in m */
static vec3 way_of(const wall_motion *o, vec3 arm)
{
	return motion_is_turned(o->type) ? v3_cross(o->axis, arm) : o->axis;
}

/* Rate of parallel springs on a body, at most the rate of a body that moves with the wall. rigid: rate of the contacts
 * without a spring */
static real rate_of_springs(real springs, real rigid, real most)
{
	return real_min(rigid + springs * most / (springs + most), most);
}

static wall_push push_by_constraint(const solving *v, constraint *r, const wall_motion *o)
{
	const bodies *b = &v->s->body;
	const int32_t i = r->ref.a;
	constraint_unpack(v, r);
	const vec3 way = way_of(o, r->arm_b);
	vec3 along = v3_madd(friction_across(r), -r->pull.given, r->normal);
	wall_push p = {.impulse = -v3_dot(way, along)};
	if (motion_is_turned(o->type)) p.impulse -= v3_dot(o->axis, v3_add(r->turning, friction_couple(r)));
	real springs = 0, rigid = 0, pressed = 0;
	for (const constraint_point *q = v->of->point + r->first, *end = q + r->points; q < end; ++q) {
		const real normal = v3_dot(way_of(o, q->arm_b), r->normal);
		p.impulse -= normal * q->impulse;
		if (!(q->impulse > 0)) continue;
		pressed += q->impulse;
		if (q->rebound == NO_IMPACT && q->soft > 0)
			springs += normal * normal / q->soft;
		else
			rigid += normal * normal * q->rigid;
	}
	p.pressed = pressed > 0;
	const real normal = v3_dot(way, r->normal), cap = r->rub * (pressed + r->pull.press);
	const bool slides = v3_norm2(r->friction) >= (real)(1 - 1e-9) * cap * cap;
	const real sticks = r->block.soft > 0 ? 1 / r->block.soft : b->mass[i];
	if (!constraint_moves(v, &r->ref)) {
		p.rate = rate_of_friction(slides, r->rub, normal, 0, way, r->normal, sticks);
		return p;
	}
	springs += rate_of_friction(slides, r->rub, normal, springs + rigid > 0 ? b->mass[i] : 0, way, r->normal, sticks);
	const real inertia = r->points > 1 || resists_turning(r) ? real_max(b->ix[i], real_max(b->iy[i], b->iz[i])) : 0;
	p.rate = rate_of_springs(springs, rigid, b->mass[i] * v3_norm2(way) + (motion_is_turned(o->type) ? inertia : 0));
	return p;
}

typedef struct adding {
	const solving *v;
	fixed *sum; /* [threads][walls][WALL_TERMS] */
} adding;

static void add_pushes(void *what, int64_t from, int64_t to, int thread)
{
	const adding *o = what;
	const struct constraints *c = o->v->of;
	const walls *all = &o->v->m->wall;
	for (int64_t k = from; k < to; ++k) {
		const contact_ref *r = c->ref + c->on_wall[k];
		const int32_t wall = all->surface_wall[o->v->s->pair[r->kind].cb[r->row]];
		const wall_motion *by = &all->row[wall].motion;
		const wall_push p =
			r->full < 0 ? push_by_ball(o->v, r, by->axis) : push_by_constraint(o->v, c->row + r->full, by);
		fixed *to_sum = o->sum + WALL_TERMS * ((size_t)thread * (size_t)all->count + (size_t)wall);
		scree_fixed_add(to_sum + WALL_IMPULSE, p.impulse);
		scree_fixed_add(to_sum + WALL_SIZES, real_abs(p.impulse));
		scree_fixed_add(to_sum + WALL_RATE, p.rate);
		to_sum[WALL_PRESSED].quanta += p.pressed;
		to_sum[WALL_ON_HELD].quanta += !constraint_moves(o->v, r);
	}
}

static void add_up(const solving *v)
{
	struct constraints *c = v->of;
	const size_t count = WALL_TERMS * (size_t)v->m->wall.count, threads = (size_t)scree_threads();
	const domain *d = &v->w->domain;
	adding o = {v, c->wall_sum};
	memset(c->wall_sum, 0, threads * count * sizeof *c->wall_sum);
	scree_parallel(add_pushes, &o, c->on_walls, CONSTRAINTS_GRAIN);
	for (size_t t = 1; t < threads; ++t)
		for (size_t k = 0; k < count; ++k) scree_fixed_join(c->wall_sum + k, c->wall_sum[t * count + k]);
	d->by->add(d->at, (int32_t)count, c->wall_sum);
}

/* ------------------------------------------------------------------ speeds */

static void put_speed(const solving *v, int32_t k)
{
	const yielding *y = v->of->wall + k;
	const wall_motion *o = &v->m->wall.row[k].motion;
	impulse_body *to = v->of->body + v->s->body.count + 1 + k;
	const vec3 faster = v3_mul(y->now - y->before, o->axis);
	if (motion_is_turned(o->type))
		to->angular_velocity = faster;
	else
		to->velocity = faster;
}

/* Makes a Newton step within the known bounds. Returns true while the wall and its contacts do not agree yet. */
static bool next_speed(const solving *v, int32_t k)
{
	yielding *y = v->of->wall + k;
	const fixed *sum = v->of->wall_sum + WALL_TERMS * (size_t)k;
	const wall_course to = course_of(v, k);
	const real sizes = scree_fixed_value(sum[WALL_SIZES]), off = to.middle - y->now, ease = to.stopped ? 0 : to.ease;
	if (off > 0)
		y->low = y->now;
	else
		y->high = y->now;
	real next = y->now + off / (1 + ease * scree_fixed_value(sum[WALL_RATE]));
	/* impulses on held bodies do not depend on the speed, so they do not bound it */
	const bool bounded = y->low > -INFINITY && y->high < INFINITY && sum[WALL_ON_HELD].quanta == 0;
	if (bounded && !(next > y->low && next < y->high)) next = (y->low + y->high) / 2;
	const bool agrees = !(real_abs(off) > LEFT * sizes * to.ease + ROUNDING * (real_abs(y->now) + real_abs(to.middle)));
	if (!agrees) y->now = next;
	return !agrees;
}

static bool next_speeds(const solving *v)
{
	bool more = false;
	add_up(v);
	for (int32_t k = 0; k < v->m->wall.count; ++k) {
		if (!v->of->wall[k].yields) continue;
		more |= next_speed(v, k);
		put_speed(v, k);
	}
	return more;
}

void scree_yielding_relax(const solving *v, void (*again)(solving *v), solving *by)
{
	if (!v->of->yields) return;
	for (int32_t k = 0; k < v->m->wall.count; ++k) v->of->wall[k].low = -INFINITY, v->of->wall[k].high = INFINITY;
	for (int n = 0; n < MOST_ROUNDS && next_speeds(v); ++n) again(by);
}

static void room(const solving *v)
{
	struct constraints *c = v->of;
	const size_t walls = (size_t)v->m->wall.count, threads = (size_t)scree_threads();
	if (c->walls >= v->m->wall.count && c->wall_threads >= (int32_t)threads) return;
	c->walls = v->m->wall.count, c->wall_threads = (int32_t)threads;
	c->wall = scree_renew(c->wall, walls, sizeof *c->wall);
	c->wall_sum = scree_renew(c->wall_sum, threads * walls * WALL_TERMS, sizeof *c->wall_sum);
}

void scree_yielding_begin(const solving *v)
{
	struct constraints *c = v->of;
	c->yields = scree_walls_driven(&v->m->wall);
	if (!c->yields) return;
	room(v);
	for (int32_t k = 0; k < v->m->wall.count; ++k) {
		const int64_t row = v->s->body.count + 1 + k;
		yielding *y = c->wall + k;
		c->body[row] = (impulse_body){.inv_mass = 0};
		c->before[row] = c->aim[row] = (velocity_pair){{0, 0, 0}, {0, 0, 0}};
		*y = (yielding){.yields = motion_is_driven(v->m->wall.row[k].motion.type) && action_of(v, k, 0).acts};
		if (y->yields) y->before = driven_before(v->w->ahead.wall + k, v->w->wall[k].half, v->w->ahead.drifted);
		y->now = y->before;
	}
}

void scree_yielding_first(const solving *v)
{
	if (!v->of->yields) return;
	add_up(v);
	for (int32_t k = 0; k < v->m->wall.count; ++k) {
		if (!v->of->wall[k].yields) continue;
		v->of->wall[k].now = course_of(v, k).middle;
		put_speed(v, k);
	}
}

/* At the start only half a step acts, so the wall, like the bodies, has the mean of the speeds before and after it. */
static real speed_now(const solving *v, int32_t k)
{
	const yielding *y = v->of->wall + k;
	return v->w->ahead.drifted ? course_of(v, k).speed : (y->before + y->now) / 2;
}

void scree_yielding_end(const solving *v)
{
	if (!v->of->yields) return;
	add_up(v);
	for (int32_t k = 0; k < v->m->wall.count; ++k)
		if (v->of->wall[k].yields) scree_driven_speed(v->m->wall.row + k, v->s->wall + k, speed_now(v, k));
}

void scree_yielding_start(const solving *v)
{
	if (!v->of->yields || v->w->ahead.drifted) return;
	for (int32_t k = 0; k < v->m->wall.count; ++k)
		if (v->of->wall[k].yields) scree_driven_speed(v->m->wall.row + k, v->s->wall + k, v->of->wall[k].before);
}

void scree_yielding_free(struct constraints *c)
{
	scree_free(c->wall);
	scree_free(c->wall_sum);
	scree_free(c->on_wall);
}
