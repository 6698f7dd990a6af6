/* constraint_bodies: velocities and responses of bodies, and the forces that follow from new velocities. */
#include "solver/constraints.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "kernel/quat.h"
#include "work/ways_ahead.h"

#include <string.h>

enum { GRAIN = 1024 };

static bool is_fixed(const bodies *b, int64_t i) { return b->flags[i] & BODY_HELD || !(b->inv_mass[i] > 0); }

static void respond(impulse_body *o, vec3 inertia, quat orientation)
{
	const vec3 p = v3(1 / inertia.x, 1 / inertia.y, 1 / inertia.z);
	if (p.x == p.y && p.y == p.z) {
		o->inv_x = o->inv_y = o->inv_z = p.x;
		return;
	}
	const mat3 t = quat_matrix(orientation);
	o->inv_x = p.x * t.x.x * t.x.x + p.y * t.y.x * t.y.x + p.z * t.z.x * t.z.x;
	o->inv_y = p.x * t.x.y * t.x.y + p.y * t.y.y * t.y.y + p.z * t.z.y * t.z.y;
	o->inv_z = p.x * t.x.z * t.x.z + p.y * t.y.z * t.y.z + p.z * t.z.z * t.z.z;
	o->inv_xy = p.x * t.x.x * t.x.y + p.y * t.y.x * t.y.y + p.z * t.z.x * t.z.y;
	o->inv_xz = p.x * t.x.x * t.x.z + p.y * t.y.x * t.y.z + p.z * t.z.x * t.z.z;
	o->inv_yz = p.x * t.x.y * t.x.z + p.y * t.y.y * t.y.z + p.z * t.z.y * t.z.z;
}

/* Returns the present orientation while bodies are at their predicted poses. This orientation determines the inertia
 * with which torques are computed from changes in angular velocity. */
static quat orientation_now(const work *w, int64_t i)
{
	real *const *q = w->ahead.column + 3;
	return quat_of(q[0][i], q[1][i], q[2][i], q[3][i]);
}

static vec3 position_now(const work *w, int64_t i)
{
	real *const *x = w->ahead.column;
	return v3(x[0][i], x[1][i], x[2][i]);
}

/* The change in the cell's rate acts before the contacts, so contacts do not change the motion of images. */
static impulse_body body_of(const solving *v, int64_t i)
{
	const bodies *b = &v->s->body;
	const bool drifted = v->w->ahead.drifted;
	impulse_body o = {.inv_mass = is_fixed(b, i) ? 0 : b->inv_mass[i]};
	o.velocity = drifted ? v3(b->hx[i], b->hy[i], b->hz[i]) : body_velocity(b, (int32_t)i);
	o.velocity = v3_add(o.velocity, periods_pull(&v->m->period, &v->w->ahead.images, position_now(v->w, i)));
	o.angular_velocity = body_angular_velocity(b, (int32_t)i);
	if (is_fixed(b, i)) return o;
	respond(&o, v3(b->ix[i], b->iy[i], b->iz[i]), orientation_now(v->w, i));
	const vec3 l = drifted ? v3(b->kx[i], b->ky[i], b->kz[i]) : v3(b->lx[i], b->ly[i], b->lz[i]);
	o.angular_velocity = inertia_response(&o, l);
	return o;
}

static void begin_velocities(const solving *v, int64_t i)
{
	struct constraints *c = v->of;
	const real part = part_ahead(v->m);
	c->before[i] = (velocity_pair){c->body[i].velocity, c->body[i].angular_velocity};
	c->aim[i].linear = v3_mul(part, c->body[i].velocity);
	c->aim[i].angular = v3_mul(part, c->body[i].angular_velocity);
}

/* speed relative to the cell's flow, which depends on the positions of borders, in m/s */
static real own_speed(const solving *v, int64_t i)
{
	const images *now = &v->w->ahead.images;
	const vec3 u = v->of->body[i].velocity;
	if (!v->m->period.deforms) return v3_norm(u);
	const vec3 r = v3_sub(position_now(v->w, i), periods_centre(&v->m->period)), l = now->size, grows = now->coming;
	return v3_norm(v3_sub(u, v3(r.x * (grows.x / l.x), r.y * (grows.y / l.y), r.z * (grows.z / l.z))));
}

/* Returns 0, or NaN if a velocity before the step or a force is not a number, so that the sum is NaN in all parts. */
static real none_of(const solving *v, int64_t i)
{
	const bodies *b = &v->s->body;
	const vec3 of[4] = {v->of->body[i].velocity, v->of->body[i].angular_velocity, v3(b->fx[i], b->fy[i], b->fz[i]),
						v3(b->tx[i], b->ty[i], b->tz[i])};
	real none = 0;
	for (int k = 0; k < 4; ++k) none += of[k].x - of[k].x + (of[k].y - of[k].y) + (of[k].z - of[k].z);
	return none;
}

static void put_bodies(void *what, int64_t from, int64_t to, int thread)
{
	solving *v = what;
	struct constraints *c = v->of;
	const real *const mass = v->s->body.mass;
	for (int64_t i = from; i < to; ++i) {
		c->body[i] = body_of(v, i);
		begin_velocities(v, i);
		if (!(c->body[i].inv_mass > 0)) continue;
		scree_fixed_add(v->momenta + thread, mass[i] * own_speed(v, i));
		scree_fixed_add(v->given + thread, mass[i] * v->tau * v->gravity + none_of(v, i));
	}
}

static void room(struct constraints *c, int64_t count)
{
	if (c->bodies >= count) return;
	c->bodies = count + count / 4 + 16;
	c->body = scree_renew(c->body, (size_t)c->bodies, sizeof *c->body);
	c->before = scree_renew(c->before, (size_t)c->bodies, sizeof *c->before);
	c->aim = scree_renew(c->aim, (size_t)c->bodies, sizeof *c->aim);
}

body_columns scree_constraints_columns(const struct constraints *c, int32_t count)
{
	body_columns o = {.count = count, .finite = c->finite, .stride = sizeof *c->body};
	for (int32_t k = 0; k < count; ++k) o.of[k] = &c->body->velocity.x + k;
	return o;
}

/* Sends the first `count` numbers of each body to its ghosts. */
static void share_bodies(const solving *v, int32_t count)
{
	const domain *d = &v->w->domain;
	const body_columns values = scree_constraints_columns(v->of, count);
	if (d->by->share) d->by->share(d->at, &values, NULL, 0);
}

/* Returns the largest power of two that does not exceed x > 0. */
static real power_of_two(real x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	bits &= 0x7ff0000000000000u;
	memcpy(&x, &bits, sizeof x);
	return x;
}

/* Sum over all threads and all parts of the world; all terms are nonnegative. */
static real sum_of(const solving *v, const fixed *of_threads)
{
	const domain *d = &v->w->domain;
	fixed sum = {0};
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) scree_fixed_join(&sum, of_threads[t]);
	const real here = scree_fixed_value(sum);
	d->by->add(d->at, 1, &sum);
	const real all = scree_fixed_value(sum);
	scree_domain_need(d, !(all < here), "add", "the momenta of all ranks are less than the momenta of one rank");
	return all;
}

/* Returns a quantum from a bound on the impulses of a step: all momenta, plus the momenta due to gravity. */
static real quantum_of(real all)
{
	const real quanta = 0x1p44;
	return all > 1e-200 ? power_of_two(all) / quanta : 1 / quanta;
}

/* Masses and inertias of ghosts come from their owners, and another rank may send wrong numbers. */
static void need_ghost(const solving *v, int64_t i)
{
	const impulse_body *o = v->of->body + i;
	const bool right =
		(o->inv_mass == 0 || o->inv_mass == v->s->body.inv_mass[i]) && o->inv_x >= 0 && o->inv_y >= 0 && o->inv_z >= 0;
	scree_domain_need(&v->w->domain, right, "values", "a body has a wrong mass or moment of inertia");
}

void scree_constraints_bodies(solving *v)
{
	const int64_t n = v->s->body.count;
	room(v->of, n + 1 + v->m->wall.count);
	v->of->body[n] = (impulse_body){.inv_mass = 0};
	v->of->before[n] = v->of->aim[n] = (velocity_pair){{0, 0, 0}, {0, 0, 0}};
	scree_yielding_begin(v);
	scree_parallel(put_bodies, v, v->s->body.owned, GRAIN);
	v->of->moving = sum_of(v, v->momenta);
	const real all = v->of->moving + sum_of(v, v->given);
	v->of->finite = all < INFINITY;
	v->of->balls.quantum = quantum_of(all);
	share_bodies(v, sizeof(impulse_body) / sizeof(real));
	for (int64_t i = v->s->body.owned; i < n; ++i) {
		need_ghost(v, i);
		begin_velocities(v, i);
	}
}

/* Returns the body with the velocities that it would have at the end of the step without contacts. */
static impulse_body flying(const solving *v, int64_t i)
{
	const bodies *b = &v->s->body;
	impulse_body o = v->of->body[i];
	o.velocity = v->of->before[i].linear, o.angular_velocity = v->of->before[i].angular;
	if (!(o.inv_mass > 0)) return o;
	const vec3 a = v3_madd(v->m->gravity, o.inv_mass, v3(b->fx[i], b->fy[i], b->fz[i]));
	const vec3 turning = v3_mul(v->tau, v3(b->tx[i], b->ty[i], b->tz[i]));
	o.velocity = v3_madd(o.velocity, v->tau, a);
	o.angular_velocity = v3_add(o.angular_velocity, inertia_response(&o, turning));
	return o;
}

static void move_freely(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	const solving *v = what;
	for (int64_t i = from; i < to; ++i) v->of->body[i] = flying(v, i);
}

void scree_constraints_move_freely(solving *v)
{
	scree_parallel(move_freely, v, v->s->body.owned, GRAIN);
	share_bodies(v, BODY_VELOCITIES);
}

static vec3 inertia_times(const bodies *b, int64_t i, vec3 w)
{
	const vec3 p = v3(b->ix[i], b->iy[i], b->iz[i]);
	if (p.x == p.y && p.y == p.z) return v3_mul(p.x, w);
	const mat3 t = quat_matrix(body_orientation(b, (int32_t)i));
	const vec3 own = mat3_tmul(t, w);
	return mat3_mul(t, v3(p.x * own.x, p.y * own.y, p.z * own.z));
}

/* Adds the work of gravity and other external forces, which are now in the body's force sums. Each force acts for half
 * a step before the time of the state and half a step after it, with different velocities; work is force times
 * displacement. The kinetic energy, from the mean of both velocities, is larger by F (u - v) h/8. */
static void add_outer(const solving *v, int64_t i, fixed *sum)
{
	const bodies *b = &v->s->body;
	const impulse_body *has = v->of->body + i;
	const velocity_pair *had = v->of->before + i;
	const vec3 f = v3(b->fx[i], b->fy[i], b->fz[i]), t = v3(b->tx[i], b->ty[i], b->tz[i]);
	const vec3 more = v3_sub(has->velocity, had->linear), spin = v3_sub(has->angular_velocity, had->angular);
	const real after = v3_dot(f, has->velocity) + v3_dot(t, has->angular_velocity);
	const real change = v3_dot(f, more) + v3_dot(t, spin), falls = b->mass[i] * v3_dot(v->m->gravity, more);
	scree_fixed_add(sum + OUTER_AFTER, after);
	scree_fixed_add(sum + OUTER_POWER, after - change / 2);
	scree_fixed_add(sum + OUTER_SWINGS, v->h * v->h / (8 * v->tau) * (change + falls));
}

/* Adds the forces of contacts to the external forces: for bodies in free flight only the latter remain. */
static void add_forces(void *what, int64_t from, int64_t to, int thread)
{
	solving *v = what;
	bodies *b = &v->s->body;
	const real per = 1 / v->tau;
	for (int64_t i = from; i < to; ++i) {
		const impulse_body *has = v->of->body + i, flies = flying(v, i);
		if (!(has->inv_mass > 0)) continue;
		add_outer(v, i, v->outer[thread]);
		const vec3 f = v3_mul(b->mass[i] * per, v3_sub(has->velocity, flies.velocity));
		const vec3 spin = v3_sub(has->angular_velocity, flies.angular_velocity);
		const vec3 t = v3_mul(per, inertia_times(b, i, spin));
		b->fx[i] += f.x, b->fy[i] += f.y, b->fz[i] += f.z;
		b->tx[i] += t.x, b->ty[i] += t.y, b->tz[i] += t.z;
	}
}

void scree_constraints_forces(solving *v)
{
	fixed *sum = v->w->joint.outer;
	memset(v->outer, 0, sizeof v->outer);
	scree_parallel(add_forces, v, v->s->body.owned, GRAIN);
	memset(sum, 0, sizeof v->w->joint.outer);
	for (int t = 0; t < SCREE_MOST_THREADS; ++t)
		for (int k = 0; k < OUTER_SUMS; ++k) scree_fixed_join(sum + k, v->outer[t][k]);
	v->w->applied.steps = v->w->ahead.drifted;
	scree_domain_put_sum(&v->w->domain, OUTER_SUMS, sum);
}
