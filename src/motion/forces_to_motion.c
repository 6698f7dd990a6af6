/* forces_to_motion: velocity Verlet in two halves (Swope et al. 1982) with the free rotation of kernel/rotation.h.
 *
 * in   position, velocity, force of the last step       out  drift: position, predicted velocity v + dt a, records
 * in   velocity at the half step, new force             out  kick: velocity of the full step
 *
 * Bodies whose moments are all equal (spheres, cubes) take one straight loop that vectorises; any other body, or one
 * that turns by more than half a radian in a step, takes the general way, with the same operations where both apply. */
#include "stages.h"

#include "base/parallel.h"
#include "kernel/rotation.h"
#include "motion/gear.h"
#include "motion/outside.h"
#include "motion/records.h"

#include <string.h>

enum { GRAIN = 1024, MAX_PIECES = SCREE_MOST_THREADS };

typedef struct job {
	scree_world *w;
	real largest[MAX_PIECES]; /* by thread */
	real step[MAX_PIECES];	  /* the longest way in this step, by thread */
	bool left[MAX_PIECES];
	bool broken[MAX_PIECES];
} job;

/* the longest way of any point of a body in this step */
static real drift_places(const bodies *all, int64_t from, int64_t to, vec3 g, real dt)
{
	const bodies o = *all, *b = &o;
	real longest = 0;
#pragma omp simd reduction(max : longest)
	for (int64_t i = from; i < to; ++i) {
		real free = b->inv_mass[i] > 0 ? 1 : 0;
		real ax = b->fx[i] * b->inv_mass[i] + free * g.x;
		real ay = b->fy[i] * b->inv_mass[i] + free * g.y;
		real az = b->fz[i] * b->inv_mass[i] + free * g.z;
		real hx = b->vx[i] + dt / 2 * ax, hy = b->vy[i] + dt / 2 * ay, hz = b->vz[i] + dt / 2 * az;
		b->hx[i] = hx;
		b->hy[i] = hy;
		b->hz[i] = hz;
		b->x[i] += dt * hx;
		b->y[i] += dt * hy;
		b->z[i] += dt * hz;
		b->vx[i] = hx + dt / 2 * ax;
		b->vy[i] = hy + dt / 2 * ay;
		b->vz[i] = hz + dt / 2 * az;
		real speed = sqrt(hx * hx + hy * hy + hz * hz);
		real spin = sqrt(b->wx[i] * b->wx[i] + b->wy[i] * b->wy[i] + b->wz[i] * b->wz[i]);
		/* a little more than the way, since the spin changes within the step */
		real way = dt * (speed + (real)1.01 * spin * b->radius[i]);
		b->way[i] += way;
		longest = way > longest ? way : longest;
	}
	return longest;
}

/* all three moments equal and at most half a radian a step, for every body of the piece */
static bool is_simple(const bodies *all, int64_t from, int64_t to, real dt)
{
	const bodies o = *all, *b = &o;
	int odd = 0;
#pragma omp simd reduction(+ : odd)
	for (int64_t i = from; i < to; ++i) {
		real inertia = b->ix[i];
		real lx = b->lx[i] + dt / 2 * b->tx[i], ly = b->ly[i] + dt / 2 * b->ty[i], lz = b->lz[i] + dt / 2 * b->tz[i];
		real l2 = lx * lx + ly * ly + lz * lz;
		/* no &&: everything is loaded anyway */
		odd += (b->iy[i] != inertia) | (b->iz[i] != inertia) | (b->flags[i] != 0) |
			   !(l2 * dt * dt < (real)0.2 * inertia * inertia);
	}
	return odd == 0;
}

static void drift_turns_simple(const bodies *all, int64_t from, int64_t to, real dt)
{
	const bodies o = *all, *b = &o;
#pragma omp simd
	for (int64_t i = from; i < to; ++i) {
		real soft = 1 / b->ix[i];
		vec3 t = v3(b->tx[i], b->ty[i], b->tz[i]);
		vec3 k = v3_madd(v3(b->lx[i], b->ly[i], b->lz[i]), dt / 2, t);
		b->kx[i] = k.x;
		b->ky[i] = k.y;
		b->kz[i] = k.z;
		vec3 w = v3_mul(soft, k);
		/* quat_exp without its loop: the angle is small */
		real half = dt / 2, s2 = v3_norm2(w) * half * half;
		real c = 1 - s2 / 2 * (1 - s2 / 12 * (1 - s2 / 30 * (1 - s2 / 56 * (1 - s2 / 90 * (1 - s2 / 132)))));
		real s = 1 - s2 / 6 * (1 - s2 / 20 * (1 - s2 / 42 * (1 - s2 / 72 * (1 - s2 / 110 * (1 - s2 / 156)))));
		quat d = quat_of(c, s * half * w.x, s * half * w.y, s * half * w.z);
		quat q = quat_unit(quat_mul(d, quat_of(b->qw[i], b->qx[i], b->qy[i], b->qz[i])));
		b->qw[i] = q.w;
		b->qx[i] = q.x;
		b->qy[i] = q.y;
		b->qz[i] = q.z;
		vec3 ahead = v3_mul(soft, v3_madd(k, dt / 2, t));
		b->wx[i] = ahead.x;
		b->wy[i] = ahead.y;
		b->wz[i] = ahead.z;
	}
}

void scree_turn_drift(bodies *b, int64_t i, real dt)
{
	vec3 inertia = v3(b->ix[i], b->iy[i], b->iz[i]);
	quat q = quat_of(b->qw[i], b->qx[i], b->qy[i], b->qz[i]);
	vec3 t = v3(b->tx[i], b->ty[i], b->tz[i]);
	bool held = b->flags[i] & BODY_HELD, round = inertia.x == inertia.y && inertia.y == inertia.z;
	vec3 k = held ? v3(b->lx[i], b->ly[i], b->lz[i]) : v3_madd(v3(b->lx[i], b->ly[i], b->lz[i]), dt / 2, t);
	vec3 w = v3(b->wx[i], b->wy[i], b->wz[i]);
	if (held) {
		q = quat_unit(quat_mul(quat_exp(w, dt), q));
	} else if (round) {
		real soft = 1 / inertia.x;
		q = quat_unit(quat_mul(quat_exp(v3_mul(soft, k), dt), q));
		w = v3_mul(soft, v3_madd(k, dt / 2, t));
	} else {
		q = turn_free(q, k, inertia, dt);
		w = spin_of(q, v3_madd(k, dt / 2, t), inertia);
	}
	b->kx[i] = k.x;
	b->ky[i] = k.y;
	b->kz[i] = k.z;
	b->qw[i] = q.w;
	b->qx[i] = q.x;
	b->qy[i] = q.y;
	b->qz[i] = q.z;
	b->wx[i] = w.x;
	b->wy[i] = w.y;
	b->wz[i] = w.z;
}

/* places, speeds and orientations are numbers; a way holds both speeds */
static bool all_finite(const bodies *all, int64_t from, int64_t to)
{
	const bodies o = *all, *b = &o;
	real sum = 0;
#pragma omp simd reduction(+ : sum)
	for (int64_t i = from; i < to; ++i)
		sum += (b->way[i] - b->way[i]) + (b->qw[i] + b->qx[i] + b->qy[i] + b->qz[i]) * 0;
	return sum == 0;
}

static real drift_verlet(scree_world *w, int64_t from, int64_t to)
{
	bodies *b = &w->body;
	real dt = w->dt;
	void (*turn)(bodies *, int64_t, real) = w->mover->drift;
	bool simple = turn == scree_turn_drift && is_simple(b, from, to, dt); /* before the spins change */
	real longest = drift_places(b, from, to, w->gravity, dt);
	if (simple)
		drift_turns_simple(b, from, to, dt);
	else
		for (int64_t i = from; i < to; ++i) turn(b, i, dt);
	return longest;
}

static void note_places(bodies *b, int64_t from, int64_t to)
{
	size_t bytes = (size_t)(to - from) * sizeof *b->x;
	memcpy(b->ox + from, b->x + from, bytes);
	memcpy(b->oy + from, b->y + from, bytes);
	memcpy(b->oz + from, b->z + from, bytes);
}

static void drift_piece(void *what, int64_t from, int64_t to, int thread)
{
	job *j = what;
	bodies *b = &j->w->body;
	if (j->w->wall.count) note_places(b, from, to);
	real longest = j->w->mover->gear ? scree_gear_drift(j->w, from, to) : drift_verlet(j->w, from, to);
	j->step[thread] = real_max(j->step[thread], longest);
	j->broken[thread] |= !all_finite(b, from, to);
	scree_pack_records(j->w, from, to);
	real largest = j->largest[thread];
#pragma omp simd reduction(max : largest)
	for (int64_t i = from; i < to; ++i) largest = b->way[i] > largest ? b->way[i] : largest;
	j->largest[thread] = largest;
}

void scree_forces_to_motion_drift(scree_world *w)
{
	job j = {.w = w};
	scree_records_room(w);
	scree_parallel(drift_piece, &j, w->body.count, GRAIN);
	real longest = 0;
	w->not_a_number = false;
	for (int t = 0; t < MAX_PIECES; ++t) {
		w->not_a_number |= j.broken[t];
		w->margin.moved = real_max(w->margin.moved, j.largest[t]);
		longest = real_max(longest, j.step[t]);
	}
	w->margin.inner_moved += longest;
	w->margin.step = longest;
	w->margin.since += 1;
}

void scree_turn_kick(bodies *b, int64_t i, real dt)
{
	if (b->flags[i] & BODY_HELD) return;
	vec3 inertia = v3(b->ix[i], b->iy[i], b->iz[i]);
	vec3 l = v3_madd(v3(b->kx[i], b->ky[i], b->kz[i]), dt / 2, v3(b->tx[i], b->ty[i], b->tz[i]));
	bool round = inertia.x == inertia.y && inertia.y == inertia.z;
	vec3 w = round ? v3_mul(1 / inertia.x, l) : spin_of(quat_of(b->qw[i], b->qx[i], b->qy[i], b->qz[i]), l, inertia);
	b->lx[i] = l.x;
	b->ly[i] = l.y;
	b->lz[i] = l.z;
	b->wx[i] = w.x;
	b->wy[i] = w.y;
	b->wz[i] = w.z;
}

/* greatest speed squared; a NaN anywhere is kept */
static real kick_places(const bodies *all, int64_t from, int64_t to, vec3 g, real dt)
{
	const bodies o = *all, *b = &o;
	real fastest = 0, nan = 0;
#pragma omp simd reduction(max : fastest) reduction(+ : nan)
	for (int64_t i = from; i < to; ++i) {
		real free = b->inv_mass[i] > 0 ? 1 : 0;
		real vx = b->hx[i] + dt / 2 * (b->fx[i] * b->inv_mass[i] + free * g.x);
		real vy = b->hy[i] + dt / 2 * (b->fy[i] * b->inv_mass[i] + free * g.y);
		real vz = b->hz[i] + dt / 2 * (b->fz[i] * b->inv_mass[i] + free * g.z);
		b->vx[i] = vx;
		b->vy[i] = vy;
		b->vz[i] = vz;
		real v2 = vx * vx + vy * vy + vz * vz;
		fastest = v2 > fastest ? v2 : fastest;
		nan += v2 - v2 + (b->tx[i] - b->tx[i]); /* 0, or NaN where anything is not finite */
	}
	return nan == 0 ? fastest : (real)NAN;
}

/* the same of velocities that are there already */
static real greatest_speed2(const bodies *all, int64_t from, int64_t to)
{
	const bodies o = *all, *b = &o;
	real fastest = 0, nan = 0;
#pragma omp simd reduction(max : fastest) reduction(+ : nan)
	for (int64_t i = from; i < to; ++i) {
		real v2 = b->vx[i] * b->vx[i] + b->vy[i] * b->vy[i] + b->vz[i] * b->vz[i];
		fastest = v2 > fastest ? v2 : fastest;
		nan += v2 - v2 + (b->tx[i] - b->tx[i]);
	}
	return nan == 0 ? fastest : (real)NAN;
}

static void kick_piece(void *what, int64_t from, int64_t to, int thread)
{
	job *j = what;
	bodies *b = &j->w->body;
	const bool gear = j->w->mover->gear;
	if (gear) j->step[thread] = real_max(j->step[thread], scree_gear_kick(j->w, from, to));
	real v2 = gear ? greatest_speed2(b, from, to) : kick_places(b, from, to, j->w->gravity, j->w->dt);
	if (!(v2 <= j->largest[thread]))
		j->largest[thread] = j->largest[thread] == j->largest[thread] ? v2 : j->largest[thread];
	if (j->w->guard.bounded && scree_any_outside(b, from, to, &j->w->guard)) j->left[thread] = true;
	if (gear) return;
	void (*turn)(bodies *, int64_t, real) = j->w->mover->kick;
	if (turn == scree_turn_kick) /* inlined */
		for (int64_t i = from; i < to; ++i) scree_turn_kick(b, i, j->w->dt);
	else
		for (int64_t i = from; i < to; ++i) turn(b, i, j->w->dt);
}

void scree_forces_to_motion_kick(scree_world *w)
{
	job j = {.w = w};
	scree_parallel(kick_piece, &j, w->body.count, GRAIN);
	real fastest = 0, longest = 0;
	w->left_domain = false;
	for (int t = 0; t < MAX_PIECES; ++t) {
		longest = real_max(longest, j.step[t]);
		if (!(j.largest[t] <= fastest) && fastest == fastest) fastest = j.largest[t];
		w->left_domain |= j.left[t];
	}
	w->margin.inner_moved += longest; /* correctors move bodies, too */
	w->margin.step += longest;
	w->greatest_speed = sqrt(fastest);
}
