/* forces_to_motion: velocity Verlet in two halves (Swope et al. 1982), with the arithmetic of kernel/motion.h. The
 * drift sets positions, predicted velocities v + dt a, and records; the kick sets velocities at the full step.
 *
 * Bodies with three equal moments of inertia (spheres, cubes) are computed in a single vectorized loop. Other bodies,
 * and those that rotate by more than half a radian in a step, are computed by the general function. Where both methods
 * apply, they perform the same operations. */
#include "motion/stage.h"

#include "base/parallel.h"
#include "kernel/motion.h"
#include "model/integrator.h"
#include "model/model.h"
#include "motion/moving.h"
#include "state/state.h"
#include "work/work.h"

#include <string.h>

typedef void turn_fn(bodies *b, int64_t i, real dt);

enum { GRAIN = 1024 };

SCREE_FN vec3 force_of(const bodies *b, int64_t i) { return columns_at(b->fx, b->fy, b->fz, i); }
SCREE_FN vec3 torque_of(const bodies *b, int64_t i) { return columns_at(b->tx, b->ty, b->tz, i); }
SCREE_FN vec3 inertia_of(const bodies *b, int64_t i) { return columns_at(b->ix, b->iy, b->iz, i); }
SCREE_FN quat orientation_of(const bodies *b, int64_t i) { return quat_of(b->qw[i], b->qx[i], b->qy[i], b->qz[i]); }

/* euler: whether to use the symplectic Euler method; a compile-time constant */
SCREE_FN void drift_places(const bodies *all, int64_t from, int64_t to, vec3 g, real dt, bool euler)
{
	const bodies o = *all, *b = &o;
#pragma omp simd
	for (int64_t i = from; i < to; ++i) {
		const vec3 a = acceleration_of(force_of(b, i), b->inv_mass[i], g);
		const vec3 p = columns_at(b->x, b->y, b->z, i), v = columns_at(b->vx, b->vy, b->vz, i);
		const drifted d = euler ? euler_drift_of(p, v, a, dt) : drift_of(p, v, a, dt);
		columns_put(b->hx, b->hy, b->hz, i, d.middle);
		columns_put(b->x, b->y, b->z, i, d.position);
		columns_put(b->vx, b->vy, b->vz, i, d.velocity);
	}
}

SCREE_FN real way_of(const bodies *b, int64_t i, quat before, real dt)
{
	vec3 middle = v3(b->hx[i], b->hy[i], b->hz[i]);
	return way_in_step(before, orientation_of(b, i), middle, swing_of(b->radius[i], b->round[i]), dt);
}

/* Tests for free bodies with equal moments of inertia. little (compile-time): also for half a radian per step */
SCREE_FN bool all_round(const bodies *all, int64_t from, int64_t to, real dt, bool little)
{
	const bodies o = *all, *b = &o;
	int odd = 0;
#pragma omp simd reduction(+ : odd)
	for (int64_t i = from; i < to; ++i) {
		real inertia = b->ix[i];
		bool fast = little && !turns_little(v3(b->lx[i], b->ly[i], b->lz[i]), torque_of(b, i), inertia, dt);
		/* without ||: all columns are loaded in any case */
		odd += (b->iy[i] != inertia) | (b->iz[i] != inertia) | (b->flags[i] != 0) | fast;
	}
	return odd == 0;
}

SCREE_FN void put_turned(const bodies *b, int64_t i, turned t)
{
	columns_put(b->kx, b->ky, b->kz, i, t.middle);
	b->qw[i] = t.orientation.w;
	columns_put(b->qx, b->qy, b->qz, i, v3(t.orientation.x, t.orientation.y, t.orientation.z));
	columns_put(b->wx, b->wy, b->wz, i, t.angular_velocity);
}

SCREE_FN void put_kicked(const bodies *b, int64_t i, turn_kicked t)
{
	columns_put(b->lx, b->ly, b->lz, i, t.momentum);
	columns_put(b->wx, b->wy, b->wz, i, t.angular_velocity);
}

/* Rotates simple bodies in the same way as drift_turns; returns the longest path of any point in this step. */
SCREE_FN real drift_turns_simple(const bodies *all, int64_t from, int64_t to, real dt)
{
	const bodies o = *all, *b = &o;
	real longest = 0;
#pragma omp simd reduction(max : longest)
	for (int64_t i = from; i < to; ++i) {
		quat before = orientation_of(b, i);
		turned t = turn_little(before, v3(b->lx[i], b->ly[i], b->lz[i]), torque_of(b, i), b->ix[i], dt);
		put_turned(b, i, t);
		real way = way_of(b, i, before, dt);
		b->way[i] += way;
		longest = way > longest ? way : longest;
	}
	return longest;
}

void scree_turn_drift(bodies *b, int64_t i, real dt)
{
	quat q = orientation_of(b, i);
	vec3 l = v3(b->lx[i], b->ly[i], b->lz[i]);
	turned t;
	if (b->flags[i] & BODY_HELD) {
		t.middle = l;
		t.angular_velocity = v3(b->wx[i], b->wy[i], b->wz[i]);
		t.orientation = quat_unit(quat_mul(quat_exp(t.angular_velocity, dt), q));
	} else {
		t = turn_drift(q, l, torque_of(b, i), inertia_of(b, i), dt);
	}
	put_turned(b, i, t);
}

static real drift_turns(bodies *b, int64_t from, int64_t to, real dt, turn_fn *turn)
{
	real longest = 0;
	for (int64_t i = from; i < to; ++i) {
		quat before = orientation_of(b, i);
		turn(b, i, dt);
		real way = way_of(b, i, before, dt);
		b->way[i] += way;
		longest = way > longest ? way : longest;
	}
	return longest;
}

/* Tests whether positions, speeds and orientations are finite; the path length includes both speeds. */
static bool all_finite(const bodies *all, int64_t from, int64_t to)
{
	const bodies o = *all, *b = &o;
	real sum = 0;
#pragma omp simd reduction(+ : sum)
	for (int64_t i = from; i < to; ++i)
		sum += (b->way[i] - b->way[i]) + (b->qw[i] + b->qx[i] + b->qy[i] + b->qz[i]) * 0;
	return sum == 0;
}

real scree_verlet_drift(const model *m, bodies *b, int64_t from, int64_t to)
{
	real dt = m->dt;
	turn_fn *turn = m->integrator->drift;
	if (m->integrator->symplectic_euler)
		drift_places(b, from, to, m->gravity, dt, true);
	else
		drift_places(b, from, to, m->gravity, dt, false);
	if (turn == scree_turn_drift && all_round(b, from, to, dt, true)) return drift_turns_simple(b, from, to, dt);
	return drift_turns(b, from, to, dt, turn);
}

void scree_note_places(bodies *b, int64_t from, int64_t to)
{
	size_t bytes = (size_t)(to - from) * sizeof *b->x;
	memcpy(b->ox + from, b->x + from, bytes);
	memcpy(b->oy + from, b->y + from, bytes);
	memcpy(b->oz + from, b->z + from, bytes);
}

/* largest excess of a path length over the length up to which rows are valid, in m. */
static real most_beyond(const bodies *all, int64_t from, int64_t to)
{
	const bodies o = *all, *b = &o;
	real most = -INFINITY;
#pragma omp simd reduction(max : most)
	for (int64_t i = from; i < to; ++i) {
		real beyond = b->way[i] - b->inner[i];
		most = beyond > most ? beyond : most;
	}
	return most;
}

/* Computes one half of the motion, piece by piece for all bodies that do not fly, with one result per thread. */
typedef struct motion_half {
	const model *m;
	state *s;
	work *w;
	bodies *b;	/* bodies of the state, or of `ground` if some bodies are in free flight */
	bool flies; /* some bodies are in free flight */
	bool notes; /* whether to store positions before the drift, since a body could cross a wall or a plane */
	bool looks; /* whether to test for bodies outside the domain */
	real beyond[SCREE_MOST_THREADS];  /* drift: as in broad_skin */
	real largest[SCREE_MOST_THREADS]; /* kick: speed squared */
	real step[SCREE_MOST_THREADS];	  /* longest path in this step, in m */
	bool left[SCREE_MOST_THREADS], broken[SCREE_MOST_THREADS];
} motion_half;

static motion_half half_of(const model *m, state *s, work *w)
{
	const bool flies = w->flight.any;
	return (motion_half){.m = m, .s = s, .w = w, .b = flies ? &w->flight.ground : &s->body, .flies = flies};
}

static void drift_piece(void *half, int64_t from, int64_t to, int thread)
{
	motion_half *j = half;
	bodies *b = j->b;
	if (j->notes) scree_note_places(b, from, to);
	const integrator *by = j->m->integrator;
	real longest = by->gear ? by->drift_whole(j->m, j->s, from, to) : scree_verlet_drift(j->m, b, from, to);
	j->step[thread] = real_max(j->step[thread], longest);
	j->broken[thread] |= !all_finite(b, from, to);
	if (j->looks) j->left[thread] |= scree_any_outside(b, from, to, &j->m->guard);
	scree_pack_records(j->m, b, j->flies ? j->w->flight.of : NULL, j->w->record, from, to);
	if (j->flies) scree_ground_show_poses(j->s, &j->w->flight, j->notes, from, to);
	j->beyond[thread] = real_max(j->beyond[thread], most_beyond(b, from, to));
}

bool scree_walls_have_sides(const model *m)
{
	bool notes = false;
	for (int32_t k = 0; k < m->wall.count; ++k) notes |= scree_wall_has_sides(m->wall.row + k);
	return notes;
}

/* Postpones the steps of bodies in free flight. */
static void put_off_drift(work *w)
{
	flights *f = &w->flight;
	f->left -= 1;
	if (!f->any) return;
	f->drifts += 1;
	w->skin.spent |= f->left <= f->last;
}

/* Tests whether positions are kept until the next drift; otherwise the kick tests whether bodies left the domain. */
static bool drift_places_all(const model *m) { return !m->integrator->gear && !m->period.on && !m->solver; }

static void end_drift(const motion_half *j)
{
	work *w = j->w;
	joint_numbers_of_step *o = &w->joint;
	o->broken = o->left = o->longest = 0;
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) {
		o->broken = real_max(o->broken, j->broken[t]);
		o->left = real_max(o->left, j->left[t]);
		w->skin.beyond = real_max(w->skin.beyond, j->beyond[t]);
		o->longest = real_max(o->longest, j->step[t]);
	}
	put_off_drift(w);
	scree_domain_put_most(&w->domain, 1, &o->broken);
	scree_domain_put_most(&w->domain, 1, &o->left);
	scree_domain_put_most(&w->domain, 1, &o->longest);
	w->skin.since += 1;
}

static void use_drift(SCREE_UNUSED const model *m, SCREE_UNUSED state *s, work *w)
{
	const joint_numbers_of_step *o = &w->joint;
	w->not_a_number = o->broken > 0;
	w->left_domain = o->left > 0;
	w->skin.step = o->longest;
	w->drift_way = w->flight.any ? real_max(o->longest, w->flight.step) : o->longest;
}

void scree_forces_to_motion_drift(const model *m, state *s, work *w)
{
	scree_records_room(s, w);
	motion_half j = half_of(m, s, w);
	j.notes = scree_walls_have_sides(m) || m->flow.count > 0;
	j.looks = m->guard.bounded && drift_places_all(m);
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) j.beyond[t] = -INFINITY;
	scree_parallel(drift_piece, &j, j.b->owned, GRAIN);
	end_drift(&j);
	scree_after_join(w, use_drift);
}

void scree_turn_kick(bodies *b, int64_t i, real dt)
{
	if (b->flags[i] & BODY_HELD) return;
	const vec3 middle = columns_at(b->kx, b->ky, b->kz, i);
	put_kicked(b, i, turn_kick(orientation_of(b, i), middle, torque_of(b, i), inertia_of(b, i), dt));
}

/* Does the work of scree_turn_kick for pieces that pass all_round. */
SCREE_FN void kick_turns_round(const bodies *all, int64_t from, int64_t to, real dt)
{
	const bodies o = *all, *b = &o;
#pragma omp simd
	for (int64_t i = from; i < to; ++i) {
		const vec3 middle = columns_at(b->kx, b->ky, b->kz, i);
		put_kicked(b, i, turn_kick_round(middle, torque_of(b, i), b->ix[i], dt));
	}
}

/* Returns the square of the largest speed, or NaN if any is NaN. kicks (compile-time): whether to compute velocities */
SCREE_FN real kick_places(const bodies *all, int64_t from, int64_t to, vec3 g, real dt, bool kicks)
{
	const bodies o = *all, *b = &o;
	real fastest = 0, nan = 0;
#pragma omp simd reduction(max : fastest) reduction(+ : nan)
	for (int64_t i = from; i < to; ++i) {
		const vec3 v =
			kicks ? kick_of(columns_at(b->hx, b->hy, b->hz, i), acceleration_of(force_of(b, i), b->inv_mass[i], g), dt)
				  : columns_at(b->vx, b->vy, b->vz, i);
		if (kicks) columns_put(b->vx, b->vy, b->vz, i, v);
		real v2 = v3_norm2(v);
		fastest = v2 > fastest ? v2 : fastest;
		nan += v2 - v2 + (b->tx[i] - b->tx[i]); /* 0, or NaN if any value is not finite */
	}
	return nan == 0 ? fastest : (real)NAN;
}

real scree_verlet_kick(const model *m, bodies *b, int64_t from, int64_t to)
{
	/* symplectic Euler: the drift has already computed the velocity at the end of the step */
	real v2 = m->integrator->symplectic_euler ? kick_places(b, from, to, m->gravity, m->dt, false)
											  : kick_places(b, from, to, m->gravity, m->dt, true);
	turn_fn *turn = m->integrator->kick;
	if (turn == scree_turn_kick && all_round(b, from, to, m->dt, false))
		kick_turns_round(b, from, to, m->dt);
	else if (turn == scree_turn_kick) /* the compiler inlines this call */
		for (int64_t i = from; i < to; ++i) scree_turn_kick(b, i, m->dt);
	else
		for (int64_t i = from; i < to; ++i) turn(b, i, m->dt);
	return v2;
}

/* Kicks the bodies of a piece; returns the square of the largest speed. */
static real kick_bodies(motion_half *j, int64_t from, int64_t to, int thread)
{
	const model *m = j->m;
	state *s = j->s;
	if (j->looks) j->left[thread] |= scree_any_outside(j->b, from, to, &m->guard);
	if (!m->integrator->gear) return scree_verlet_kick(m, j->b, from, to);
	j->step[thread] = real_max(j->step[thread], m->integrator->kick_whole(m, s, from, to));
	return kick_places(&s->body, from, to, m->gravity, m->dt, false);
}

static void kick_piece(void *half, int64_t from, int64_t to, int thread)
{
	motion_half *j = half;
	real v2 = kick_bodies(j, from, to, thread);
	if (!(v2 <= j->largest[thread]))
		j->largest[thread] = j->largest[thread] == j->largest[thread] ? v2 : j->largest[thread];
	if (j->flies) scree_ground_show_velocities(j->s, &j->w->flight, from, to);
}

static void end_kick(const motion_half *j)
{
	work *w = j->w;
	joint_numbers_of_step *o = &w->joint;
	real longest = 0, fastest = 0;
	o->left = 0;
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) {
		longest = real_max(longest, j->step[t]);
		if (!(j->largest[t] <= fastest) && fastest == fastest) fastest = j->largest[t];
		o->left = real_max(o->left, j->left[t]);
	}
	o->fastest = fastest;
	w->flight.kicks += j->flies;
	w->skin.step += longest; /* correctors of Gear's method also move bodies */
	scree_domain_put_most(&w->domain, 1, &w->skin.step);
	scree_domain_put_most(&w->domain, 1, &o->fastest);
	scree_domain_put_most(&w->domain, 1, &o->left);
}

static bool kick_looks(const model *m) { return m->guard.bounded && !drift_places_all(m); }

static void use_kick(const model *m, SCREE_UNUSED state *s, work *w)
{
	w->greatest_speed = sqrt(w->joint.fastest);
	if (kick_looks(m)) w->left_domain = w->joint.left > 0;
}

void scree_forces_to_motion_kick(const model *m, state *s, work *w)
{
	motion_half j = half_of(m, s, w);
	j.looks = kick_looks(m);
	scree_parallel(kick_piece, &j, j.b->owned, GRAIN);
	end_kick(&j);
	scree_after_join(w, use_kick);
}
