/* cell_to_bodies: the flow of bodies in a periodic cell of variable size (docs/theory/periodic.md). With X = L s and
 * coordinates s relative to the cell's centre, a body without forces has constant s while L changes at a constant rate.
 * When that rate changes, the body is given the acceleration (d2L/dt2 / L) X, a homogeneous field for all images. The
 * acceleration of L is constant within a step, so that sizes are exact. The work of this field on the bodies is counted
 * at both ends of a step, like the work of contacts. */
#include "motion/stage.h"

#include "base/parallel.h"
#include "model/model.h"
#include "state/state.h"
#include "work/work.h"

enum { GRAIN = 1024, SUMS = 7 }; /* mass; momentum; momentum flux, and forces times positions */

typedef struct job {
	const model *m;
	state *s;
	vec3 pull; /* acceleration per distance from the centre, in 1/s^2 */
	bool ends; /* the step ends: the velocities already include the kick */
	fixed work[SCREE_MOST_THREADS];
	fixed sum[SCREE_MOST_THREADS][SUMS];
} job;

static vec3 each(vec3 a, vec3 b) { return v3(a.x * b.x, a.y * b.y, a.z * b.z); }
static vec3 over(vec3 a, vec3 b) { return v3(a.x / b.x, a.y / b.y, a.z / b.z); }

static void sum_piece(void *what, int64_t from, int64_t to, int thread)
{
	job *j = what;
	const bodies *b = &j->s->body;
	const vec3 centre = periods_centre(&j->m->period);
	fixed *sum = j->sum[thread];
	for (int64_t i = from; i < to; ++i) {
		const vec3 r = v3_sub(body_position(b, (int32_t)i), centre);
		const real mass = b->inv_mass[i] > 0 ? b->mass[i] : 0;
		const vec3 v = v3_sub(body_velocity(b, (int32_t)i),
							  scree_periods_flow(&j->m->period, &j->s->images, body_position(b, (int32_t)i)));
		scree_fixed_add(sum, mass);
		fixed_add_vector(sum + 1, v3_mul(mass, v));
		fixed_add_vector(sum + 4, v3_madd(each(v3(b->fx[i], b->fy[i], b->fz[i]), r), mass, each(v, v)));
	}
}

/* Returns the normal stresses, like scree_world_stress: the sum of forces times branch vectors equals the sum of the
 * forces on bodies times their positions, minus the forces through the borders times the size. */
static vec3 stress_of(const model *m, state *s, const work *w)
{
	job j = {.m = m, .s = s};
	fixed sum[SUMS] = {{0}};
	scree_parallel(sum_piece, &j, s->body.owned, GRAIN);
	for (int t = 0; t < SCREE_MOST_THREADS; ++t)
		for (int k = 0; k < SUMS; ++k) scree_fixed_join(sum + k, j.sum[t][k]);
	w->domain.by->add(w->domain.at, SUMS, sum);
	const real mass = scree_fixed_value(sum[0]);
	const vec3 size = s->images.size, momentum = fixed_vector(sum + 1);
	vec3 flux = v3_sub(fixed_vector(sum + 4), each(s->images.border, size));
	if (mass > 0) flux = v3_madd(flux, -1 / mass, each(momentum, momentum));
	return v3_mul(1 / (size.x * size.y * size.z), flux);
}

/* ------------------------------------------------------------------ the cell */

/* Tests whether the mean rate may follow the rate: it may not while the stress is far from its goal, as in a gas being
 * compressed, or while the mean drives the stress past the goal. As for the rate, the error is averaged over several
 * contact times, since the error of a single step includes impacts. */
static bool mean_follows(real rate, real mean, real limit)
{
	static const real NEAR = (real)0.2, LOW = (real)-0.5, HIGH = (real)0.9;
	const real error = (rate - mean) / limit;
	if (error * mean < 0) return real_abs(error) < NEAR;
	return error > LOW && error < HIGH;
}

/* The servo's strain rate at the end of a step. The rate follows the error in the stress with a lag, up to a limit; a
 * slow mean of the rate is added, so that no error remains while the other axes move. */
static real servo_rate(real lag, real limit, real error, real rate, real *mean, real dt)
{
	static const real SLOW = 10;
	const real part = real_min(dt / lag, 1), slow = real_min(dt / (SLOW * lag), 1);
	const real asked = limit * real_clamp(error, -1, 1);
	const real next = rate + part * (real_clamp(asked + *mean, -limit, limit) - rate);
	*mean += mean_follows(rate, *mean, limit) ? slow * (rate - *mean) : -part * *mean;
	return next;
}

/* Sums stresses for reports, each from the time at which it first came near its goal. */
static void note_stress(images *now, int32_t d, real has, real goal, real dt)
{
	static const real REACHED = (real)0.1;
	real *asked = v3_along(&now->asked, d);
	if (!(*asked > 0) && real_abs(has - goal) > REACHED * goal) return;
	*asked += dt * goal;
	*v3_along(&now->given, d) += dt * has;
}

/* growth rate of a size in m/s after a step of constant acceleration, if it equals `rate` (1/s) times the size */
static real growth_after(real size, real growth, real rate, real dt)
{
	return rate * (size + dt / 2 * growth) / (1 - dt / 2 * rate);
}

/* Sets the acceleration of the cell in this step from the strain rates at its end. A servo's rate limit applies at the
 * largest stress in its table; at other stresses it is scaled to the same inertial number. */
static void steer(const model *m, state *s, const work *w)
{
	const cell_rule *c = &m->cell;
	images *now = &s->images;
	const bool presses = cell_has_servo(c);
	const vec3 has = presses ? stress_of(m, s, w) : v3(0, 0, 0);
	const vec3 given = scree_cell_rate(c, s->time + m->dt), goal = scree_cell_goal(c, s->time);
	real scale = 0, most = 0;
	for (int32_t d = 0; d < 3; ++d) {
		if (!c->servo[d]) continue;
		scale = real_max(scale, real_abs(v3_part(goal, d)));
		most = real_max(most, real_abs(v3_part(c->stress, d)));
	}
	const real limit = presses ? c->limit * sqrt(scale / most) : 0;
	for (int32_t d = 0; d < 3; ++d) {
		const real size = v3_part(now->size, d), growth = v3_part(now->growth, d);
		real rate = v3_part(given, d);
		if (c->servo[d]) note_stress(now, d, v3_part(has, d), v3_part(goal, d), m->dt);
		if (c->servo[d])
			rate = servo_rate(c->lag, limit, (v3_part(has, d) - v3_part(goal, d)) / scale, growth / size,
							  v3_along(&now->mean, d), m->dt);
		else
			*v3_along(&now->mean, d) = 0;
		*v3_along(&now->speeding, d) = (growth_after(size, growth, rate, m->dt) - growth) / m->dt;
	}
}

/* A given rate is known in advance; a servo keeps its acceleration. */
void scree_cell_ahead(const model *m, state *s, bool drifted)
{
	images *now = &s->images;
	const vec3 given = scree_cell_rate(&m->cell, s->time + (drifted ? 2 : 1) * m->dt);
	for (int32_t d = 0; d < 3; ++d) {
		const real size = v3_part(now->size, d), growth = v3_part(now->growth, d);
		const real has = drifted ? v3_part(now->speeding, d) : 0;
		const real next = m->cell.servo[d] ? growth : growth_after(size, growth, v3_part(given, d), m->dt);
		*v3_along(&now->coming, d) = (growth + next) / 2;
		*v3_along(&now->pull, d) = (m->dt / 2 * has + (next - growth) / 2) / size;
	}
}

/* ------------------------------------------------------------------ bodies */

static void pull_piece(void *what, int64_t from, int64_t to, int thread)
{
	job *j = what;
	const bodies *b = &j->s->body;
	const vec3 centre = periods_centre(&j->m->period);
	const real dt = j->m->dt;
	for (int64_t i = from; i < to; ++i) {
		if (!(b->inv_mass[i] > 0)) continue;
		const vec3 a = each(j->pull, v3_sub(body_position(b, (int32_t)i), centre)), v = body_velocity(b, (int32_t)i);
		const vec3 next = v3_madd(v, dt / 2, a);
		scree_fixed_add(j->work + thread, dt / 2 * b->mass[i] * v3_dot(a, j->ends ? next : v));
		b->vx[i] = next.x, b->vy[i] = next.y, b->vz[i] = next.z;
	}
}

static void pull(const model *m, state *s, bool ends)
{
	job j = {.m = m, .s = s, .ends = ends, .pull = over(s->images.speeding, s->images.size)};
	if (v3_norm2(j.pull) == 0) return;
	scree_parallel(pull_piece, &j, s->body.owned, GRAIN);
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) scree_fixed_join(&s->energy.wall_work, j.work[t]);
}

void scree_cell_begin(const model *m, state *s, work *w)
{
	steer(m, s, w);
	pull(m, s, false);
}

void scree_cell_end(const model *m, state *s) { pull(m, s, true); }
