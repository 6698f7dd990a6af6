#include "solver/ball_rows.h"

#include "base/memory.h"
#include "model/law.h"
#include "solver/constraints.h"
#include "state/pair_kinds.h"

#include <string.h>

/* impulses of a step over the quantum of their sums: sums stay exact integers */
static const real QUANTA = 0x1p44, MOST_QUANTA = 0x1p50;

bool scree_ball_row_holds(const solving *v, const contact_ref *o)
{
	if (!scree_pair_kinds[o->kind].formula && o->kind != PAIR_SPHERE_WALL) return false;
	const law_constants *c = scree_constraint_constants(v, o);
	return !v->m->hard && scree_laws[c->law].of_spheres != LAW_POWER && !(c->rolling > 0 || c->twisting > 0);
}

static void room(ball_rows *o, int64_t count)
{
	if (o->capacity >= count) return;
	o->capacity = count + count / 4 + 64;
#define MAKE(name) scree_free(o->name), o->name = scree_alloc((size_t)o->capacity, sizeof *o->name);
	BALL_COLUMNS(MAKE)
	MAKE(a)
	MAKE(b)
	MAKE(curved)
	MAKE(of)
	MAKE(other)
#undef MAKE
}

/* The greatest power of two up to x > 0. */
static real power_of_two(real x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	bits &= 0x7ff0000000000000u;
	memcpy(&x, &bits, sizeof x);
	return x;
}

/* A bound of the impulses of a step: all momenta, and those that gravity gives. */
static real quantum_of(const solving *v)
{
	const bodies *b = &v->s->body;
	fixed sum = {0};
	for (int64_t i = 0; i < b->count; ++i)
		if (v->of->body[i].inv_mass > 0)
			scree_fixed_add(&sum, b->mass[i] * (v3_norm(v->of->before[i].linear) + v->tau * v->gravity));
	const real all = scree_fixed_value(sum);
	return all > 1e-200 ? power_of_two(all) / QUANTA : 1 / QUANTA;
}

ball_row scree_ball_row_of(const solving *v, const constraint *r)
{
	const constraint_point *p = v->of->point + r->first;
	const vec3 n = r->normal, t = friction_across(r), m = v3_add(r->moves, v3_cross(r->spins, r->arm_a));
	const vec3 s = v3_madd(v3_mul(r->start.x, r->block.along), r->start.y, r->block.beside);
	const real weight = v->tau * r->share * p->weight * r->constants.stiffness;
	return (ball_row){.nx = n.x,
					  .ny = n.y,
					  .nz = n.z,
					  .impulse = p->impulse,
					  .tx = t.x,
					  .ty = t.y,
					  .tz = t.z,
					  .sx = s.x,
					  .sy = s.y,
					  .sz = s.z,
					  .mx = m.x,
					  .my = m.y,
					  .mz = m.z,
					  .spring = r->curved ? weight * sqrt(r->constants.radius) : weight,
					  .dashpot = v->tau * p->dashpot,
					  .about = p->about,
					  .least = (real)1e-5 * r->radius,
					  .reaches = p->depth + v->h * p->had,
					  .rigid = p->rigid,
					  .rebound = p->rebound,
					  .soft = r->block.soft,
					  .slide = r->block.slide,
					  .rub = r->rub,
					  .arm_a = -v3_dot(r->arm_a, n),
					  .arm_b = r->ref.b < v->s->body.count ? v3_dot(r->arm_b, n) : 0,
					  .curved = r->curved,
					  .scale = r->scale};
}

constraint scree_ball_row_end(const solving *v, int64_t k, int64_t point)
{
	const contact_ref *c = v->of->ref + k;
	const ball_row *o = v->of->ball + k;
	constraint r = {.ref = *c, .points = 1, .first = point};
	scree_constraint_law(v, &r);
	const vec3 n = v3(o->nx, o->ny, o->nz), t = v3(o->tx, o->ty, o->tz);
	r.normal = n, r.moves = v3(o->mx, o->my, o->mz);
	r.arm_a = v3_mul(-o->arm_a, n), r.arm_b = v3_mul(o->arm_b, n);
	r.scale = o->scale;
	r.block.along = v3_across(n), r.block.beside = v3_cross(n, r.block.along);
	r.friction = v3(v3_dot(t, r.block.along), v3_dot(t, r.block.beside), 0);
	v->of->point[point] = (constraint_point){.arm_a = r.arm_a,
											 .arm_b = r.arm_b,
											 .impulse = o->impulse,
											 .weight = 1,
											 .depth = o->reaches}; /* without separation velocity */
	return r;
}

static void put_row(ball_rows *o, int64_t k, const contact_ref *c, const ball_row *r, int64_t of)
{
#define PUT(name) o->name[k] = r->name;
	BALL_COLUMNS(PUT)
	PUT(curved)
#undef PUT
	o->a[k] = c->a, o->b[k] = c->b;
	o->of[k] = of;
}

/* Prefetches a row some items ahead: they are scattered in memory. */
static void fetch_soon(const struct constraints *c, int64_t k)
{
	enum { AHEAD = 12 };
	const colouring *q = &c->colours;
	if (k + AHEAD >= q->all.count) return;
	const colour_item *i = q->all.item + k + AHEAD;
	const char *r = (const char *)(c->ball + c->of_row[i->kind][i->row] - 1);
	for (size_t at = 0; at < sizeof(ball_row); at += 64) __builtin_prefetch(r + at);
}

void scree_ball_rows_take(solving *v)
{
	struct constraints *c = v->of;
	const colouring *q = &c->colours;
	ball_rows *o = &c->balls;
	room(o, c->count);
	o->count = o->others = 0;
	for (int32_t colour = 0; colour <= q->colours; ++colour) {
		const int64_t end = colour < q->colours ? q->first[colour + 1] : q->all.count;
		o->first[colour] = o->count, o->rest[colour] = o->others;
		for (int64_t k = q->first[colour]; k < end; ++k) {
			fetch_soon(c, k);
			const int64_t at = c->of_row[q->all.item[k].kind][q->all.item[k].row] - 1;
			if (c->ref[at].full < 0)
				put_row(o, o->count++, c->ref + at, c->ball + at, at);
			else
				o->other[o->others++] = c->ref[at].full;
		}
	}
	o->quantum = quantum_of(v);
}

void scree_ball_rows_give(solving *v)
{
	const ball_rows *o = &v->of->balls;
	for (int64_t k = 0; k < o->count; ++k) {
		ball_row *r = v->of->ball + o->of[k];
		r->impulse = o->impulse[k], r->about = o->about[k];
		r->tx = o->tx[k], r->ty = o->ty[k], r->tz = o->tz[k];
	}
}

/* numbers of a body: velocity, angular velocity, inverse mass, inverse inertia of a ball */
enum { PER_BODY = sizeof(impulse_body) / sizeof(real), MASS = 6, INERTIA = 7 };

void scree_ball_rows_sweep(solving *v, int64_t from, int64_t to, int thread)
{
	ball_rows *const o = &v->of->balls;
#define COLUMN(name) real *const restrict name = o->name;
	BALL_COLUMNS(COLUMN)
#undef COLUMN
	const int32_t *const restrict ra = o->a, *const restrict rb = o->b, *const restrict curved = o->curved;
	real *const restrict u = &v->of->body->velocity.x;
	const real h = v->h, per = 1 / o->quantum;
	int64_t changed = 0, pressed = 0;
#pragma omp simd reduction(+ : changed, pressed)
	for (int64_t k = from; k < to; ++k) {
		const int32_t a = PER_BODY * ra[k], b = PER_BODY * rb[k];
		const real x = nx[k], y = ny[k], z = nz[k], ka = arm_a[k], kb = arm_b[k];
		/* relative velocity at the contact */
		const real px = ka * u[a + 3] + kb * u[b + 3], py = ka * u[a + 4] + kb * u[b + 4],
				   pz = ka * u[a + 5] + kb * u[b + 5];
		const real ux = u[a] - u[b] - mx[k] - (py * z - pz * y), uy = u[a + 1] - u[b + 1] - my[k] - (pz * x - px * z),
				   uz = u[a + 2] - u[b + 2] - mz[k] - (px * y - py * x);
		const real un = ux * x + uy * y + uz * z, had = impulse[k];
		/* the law, linear about the overlap of the last sweep */
		const real root = curved[k] ? sqrt(about[k]) : 1;
		const real stiff = (curved[k] ? (real)1.5 : 1) * spring[k] * root;
		const real goes = h * stiff + dashpot[k];
		const real wants = goes * un - stiff * (reaches[k] - (curved[k] ? about[k] / 3 : 0)) + had;
		const real by_spring = had - rigid[k] * wants / (goes + rigid[k]);
		const real by_impact = had - rigid[k] * (un - rebound[k]);
		const real most = by_spring > by_impact ? by_spring : by_impact, now = most > 0 ? most : 0;
		const real by = now - had, found = reaches[k] - h * (un + by / rigid[k]), quarter = about[k] / 4;
		const real at_least = found > quarter ? found : quarter;
		about[k] = at_least > least[k] ? at_least : least[k];
		impulse[k] = now;
		/* friction */
		real gx = tx[k] - slide[k] * (ux - un * x + soft[k] * (tx[k] - sx[k]));
		real gy = ty[k] - slide[k] * (uy - un * y + soft[k] * (ty[k] - sy[k]));
		real gz = tz[k] - slide[k] * (uz - un * z + soft[k] * (tz[k] - sz[k]));
		const real g2 = gx * gx + gy * gy + gz * gz, cap = rub[k] * now, part = g2 > cap * cap ? cap / sqrt(g2) : 1;
		gx = part * gx - tx[k], gy = part * gy - ty[k], gz = part * gz - tz[k];
		tx[k] += gx, ty[k] += gy, tz[k] += gz;
		/* new velocities; a partner that does not move is not written */
		const real fx = by * x + gx, fy = by * y + gy, fz = by * z + gz;
		const real wx = y * gz - z * gy, wy = z * gx - x * gz, wz = x * gy - y * gx;
		const real ma = u[a + MASS], mb = u[b + MASS], ia = ka * u[a + INERTIA], ib = kb * u[b + INERTIA];
		if (ma > 0) {
			u[a] += ma * fx, u[a + 1] += ma * fy, u[a + 2] += ma * fz;
			u[a + 3] -= ia * wx, u[a + 4] -= ia * wy, u[a + 5] -= ia * wz;
		}
		if (mb > 0) {
			u[b] -= mb * fx, u[b + 1] -= mb * fy, u[b + 2] -= mb * fz;
			u[b + 3] -= ib * wx, u[b + 4] -= ib * wy, u[b + 5] -= ib * wz;
		}
		const real change = per * ((by > 0 ? by : -by) + sqrt(gx * gx + gy * gy + gz * gz)), all = per * now;
		changed += (int64_t)(change < MOST_QUANTA ? change : MOST_QUANTA);
		pressed += (int64_t)(all < MOST_QUANTA ? all : MOST_QUANTA);
	}
	o->changed[thread] += changed;
	o->pressed[thread] += pressed;
}

void scree_ball_rows_push(solving *v, int64_t from, int64_t to)
{
	const ball_rows *const o = &v->of->balls;
	const int32_t *const restrict ra = o->a, *const restrict rb = o->b;
	const real *const restrict nx = o->nx, *const restrict ny = o->ny, *const restrict nz = o->nz;
	const real *const restrict tx = o->tx, *const restrict ty = o->ty, *const restrict tz = o->tz;
	const real *const restrict impulse = o->impulse, *const restrict arm_a = o->arm_a, *const restrict arm_b = o->arm_b;
	real *const restrict u = &v->of->body->velocity.x;
#pragma omp simd
	for (int64_t k = from; k < to; ++k) {
		const int32_t a = PER_BODY * ra[k], b = PER_BODY * rb[k];
		const real x = nx[k], y = ny[k], z = nz[k], gx = tx[k], gy = ty[k], gz = tz[k], by = impulse[k];
		const real fx = by * x + gx, fy = by * y + gy, fz = by * z + gz;
		const real wx = y * gz - z * gy, wy = z * gx - x * gz, wz = x * gy - y * gx;
		const real ma = u[a + MASS], mb = u[b + MASS];
		const real ia = arm_a[k] * u[a + INERTIA], ib = arm_b[k] * u[b + INERTIA];
		if (ma > 0) {
			u[a] += ma * fx, u[a + 1] += ma * fy, u[a + 2] += ma * fz;
			u[a + 3] -= ia * wx, u[a + 4] -= ia * wy, u[a + 5] -= ia * wz;
		}
		if (mb > 0) {
			u[b] -= mb * fx, u[b + 1] -= mb * fy, u[b + 2] -= mb * fz;
			u[b + 3] -= ib * wx, u[b + 4] -= ib * wy, u[b + 5] -= ib * wz;
		}
	}
}

void scree_ball_rows_free(ball_rows *o)
{
#define FREE(name) scree_free(o->name);
	BALL_COLUMNS(FREE)
	FREE(a)
	FREE(b)
	FREE(curved)
	FREE(of)
	FREE(other)
#undef FREE
}
