/* ffd: computes velocities after contact body by body, each from its own two problems (one_body.h). All bodies start
 * from the same velocities, so that the order of bodies and threads has no effect.
 *
 * in   velocities at the start of the step, and contact points at its middle
 * out  velocities, impulses and the ledger */
#include "papers/iglberger2009/exchanges.h"

#include "base/maths.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "kernel/motion.h"
#include "world/world.h"

enum { GRAIN = 64 };

typedef struct sweep {
	const model *m;
	state *s;
	work *w;
	ffd_work *to;
} sweep;

bool scree_ffd_takes(const model *m, const state *s, const work *w, fail *why)
{
	const char *name = m->solver->name;
	if (m->flat) return scree_fail(why, FAIL_INPUT, "the response %s does not support two-dimensional worlds", name);
	if (m->period.shears)
		return scree_fail(why, FAIL_INPUT, "the response %s does not support sheared periodic cells", name);
	if (m->solver->sampled && !(m->directions >= 2 && m->directions <= FFD_MOST_DIRECTIONS))
		return scree_fail(why, FAIL_INPUT, "the response %s has %d friction directions, expected 2 to %d", name,
						  m->directions, FFD_MOST_DIRECTIONS);
	return scree_solver_takes(m, s, w, why);
}

/* ------------------------------------------------------------------ before the response */

/* The first half of the velocity update, which includes the whole effect of gravity. */
static void fall(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	const sweep *o = what;
	bodies *b = &o->s->body;
	for (int32_t i = (int32_t)from; i < (int32_t)to; ++i) {
		vec3 v = body_velocity(b, i);
		if (b->inv_mass[i] > 0) v = v3_madd(v, o->m->dt, o->m->gravity);
		b->vx[i] = v.x, b->vy[i] = v.y, b->vz[i] = v.z;
		o->to->velocity[i] = v;
		o->to->spin[i] = body_angular_velocity(b, i);
		o->to->end[i] = FFD_SOLVED;
		o->to->rubbed[i] = 0;
	}
}

/* One side of a contact. */
typedef struct side {
	ffd_body body;
	bool free;
	vec3 velocity; /* velocity at the contact point, in m/s */
} side;

/* Pe treats partners that do not respond as if they were at rest. */
static side side_of(const sweep *o, const ffd_contact *c, int k)
{
	side s = {.velocity = c->moves};
	if (c->body[k] >= 0) {
		s.body = scree_ffd_body(&o->s->body, c->body[k]);
		s.free = s.body.inv_mass > 0;
		s.velocity = ffd_velocity_at(&s.body, c->arm[k]);
	}
	if (!s.free && o->to->rules.literal) s.velocity = v3(0, 0, 0);
	return s;
}

/* The fraction that side k contributes to a change in the relative velocity along a direction, given by its inverse
 * mass as seen at the contact point, so that the two sides receive opposite impulses. */
static real share_of(const side s[2], const ffd_contact *c, vec3 along, int k)
{
	real soft[2] = {0, 0};
	for (int j = 0; j < 2; ++j) {
		const six twist = ffd_twist(&s[j].body, along, c->arm[j]);
		soft[j] = s[j].free ? six_dot(&twist, &twist) : 0;
	}
	return soft[k] > 0 ? soft[k] / (soft[0] + soft[1]) : 0;
}

/* Change in the relative velocity along the normal, before restitution. Pe adds the speed that removes an overlap.
 * Restitution also multiplies this speed, so each collision with an overlap gains energy. The corrected version does
 * not have this fault: the contact separates with this speed or the speed due to restitution, whichever is larger. */
static real wanted(const sweep *o, const ffd_contact *c, real closing)
{
	const real all = closing + o->m->correction * c->overlap / o->m->dt;
	return o->to->rules.literal ? all : real_max(closing, all / (1 + c->restitution));
}

/* Normal velocities: each side must reach the common velocity after a plastic impact of the two masses as seen at the
 * contact. */
static void set_normals(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	const sweep *o = what;
	for (int64_t k = from; k < to; ++k) {
		ffd_contact *c = o->to->contact + k;
		const side s[2] = {side_of(o, c, 0), side_of(o, c, 1)};
		const real closing = -v3_dot(c->normal, v3_sub(s[0].velocity, s[1].velocity));
		const real wants = wanted(o, c, closing);
		for (int i = 0; i < 2; ++i) {
			const real share = share_of(s, c, c->normal, i);
			c->closing[i] = closing >= 0 && s[i].free ? share * closing : -1;
			c->wants[i] = o->to->rules.literal ? c->closing[i] + wants - closing : share * wants;
			c->press[i] = 0;
			c->rub[i] = c->aim[i] = v3(0, 0, 0);
		}
	}
}

/* Tangential velocities in ffd/corrected: each side must reach the common velocity along the direction of slip. */
static void set_aims(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	const sweep *o = what;
	for (int64_t k = from; k < to; ++k) {
		ffd_contact *c = o->to->contact + k;
		if (!(c->press[0] > 0 || c->press[1] > 0)) continue;
		const side s[2] = {side_of(o, c, 0), side_of(o, c, 1)};
		vec3 slip = v3_sub(s[0].velocity, s[1].velocity);
		slip = v3_madd(slip, -v3_dot(slip, c->normal), c->normal);
		const vec3 along = v3_unit(slip);
		for (int i = 0; i < 2; ++i) c->aim[i] = v3_madd(s[i].velocity, (i ? 1 : -1) * share_of(s, c, along, i), slip);
	}
}

/* ------------------------------------------------------------------ body by body */

static void room_to_solve(ffd_room *o, int64_t count, int64_t directions)
{
	if (count <= o->capacity) return;
	const size_t room = (size_t)(count + count / 2), each = directions > 2 ? (size_t)directions : 2;
	scree_free(o->touch), scree_free(o->normal), scree_free(o->offset), scree_free(o->across), scree_free(o->tangent);
	o->capacity = (int64_t)room;
	o->touch = scree_alloc(room, sizeof *o->touch);
	o->normal = scree_alloc(room * each, sizeof *o->normal);
	o->offset = scree_alloc(room * each, sizeof *o->offset);
	o->across = scree_alloc(2 * room, sizeof *o->across);
	o->tangent = scree_alloc(2 * room, sizeof *o->tangent);
}

/* The active contacts of body i, from its point of view. */
static int32_t touches_of(const ffd_work *from, int64_t i, ffd_touch *touch)
{
	int32_t count = 0;
	for (int64_t k = from->first[i]; k < from->first[i + 1]; ++k) {
		const ffd_contact *c = from->contact + from->side[k] / 2;
		const int at = (int)(from->side[k] % 2);
		if (c->closing[at] < 0) continue;
		touch[count++] = (ffd_touch){.normal = at ? v3_neg(c->normal) : c->normal,
									 .arm = c->arm[at],
									 .closing = c->closing[at],
									 .wants = c->wants[at],
									 .friction = c->friction,
									 .restitution = c->restitution,
									 .aim = c->aim[at],
									 .press = c->press[at],
									 .rub = c->rub[at]};
	}
	return count;
}

static void give_back(ffd_work *to, int64_t i, const ffd_touch *touch)
{
	for (int64_t k = to->first[i]; k < to->first[i + 1]; ++k) {
		ffd_contact *c = to->contact + to->side[k] / 2;
		const int at = (int)(to->side[k] % 2);
		if (c->closing[at] < 0) continue;
		c->press[at] = touch->press;
		c->rub[at] = touch++->rub;
	}
}

/* Angular velocities are computed from angular momenta, as in the drift. */
static void set_motion(bodies *b, int32_t i, const ffd_body *o, bool stopped)
{
	const vec3 inertia = v3(b->ix[i], b->iy[i], b->iz[i]), none = v3(0, 0, 0);
	const vec3 l = stopped ? none : v3_add(v3(b->lx[i], b->ly[i], b->lz[i]), o->torque_impulse);
	const vec3 v = stopped ? none : o->velocity;
	const vec3 w = is_round(inertia) ? v3_mul(1 / inertia.x, l) : spin_of(body_orientation(b, i), l, inertia);
	b->vx[i] = v.x, b->vy[i] = v.y, b->vz[i] = v.z;
	b->lx[i] = l.x, b->ly[i] = l.y, b->lz[i] = l.z;
	b->wx[i] = w.x, b->wy[i] = w.y, b->wz[i] = w.z;
}

typedef void solve_fn(const sweep *o, int32_t i, ffd_body *body, int32_t count, ffd_room *room);

static void respond(const sweep *o, int32_t i, ffd_body *body, int32_t count, ffd_room *room)
{
	o->to->end[i] = (uint8_t)scree_ffd_respond(body, count, room->touch, &o->to->rules, room);
}

static void rub(const sweep *o, int32_t i, ffd_body *body, int32_t count, ffd_room *room)
{
	if (o->to->end[i] != FFD_STOPPED) scree_ffd_rub(body, count, room->touch, room);
}

static void solve(const sweep *o, int64_t from, int64_t to, int thread, solve_fn *by)
{
	ffd_work *all = o->to;
	ffd_room *room = all->room + thread;
	for (int32_t i = (int32_t)from; i < (int32_t)to; ++i) {
		if (all->first[i] == all->first[i + 1] || !(o->s->body.inv_mass[i] > 0)) continue;
		room_to_solve(room, all->first[i + 1] - all->first[i], all->rules.directions);
		const int32_t count = touches_of(all, i, room->touch);
		if (!count) continue;
		ffd_body body = scree_ffd_body(&o->s->body, i);
		by(o, i, &body, count, room);
		set_motion(&o->s->body, i, &body, all->end[i] == FFD_STOPPED);
		give_back(all, i, room->touch);
	}
}

static void respond_all(void *what, int64_t from, int64_t to, int thread) { solve(what, from, to, thread, respond); }
static void rub_all(void *what, int64_t from, int64_t to, int thread) { solve(what, from, to, thread, rub); }

/* ------------------------------------------------------------------ the books */

/* Tests whether this part of the world counts the contact. */
static bool is_counted(const sweep *o, const ffd_contact *c)
{
	if (c->body[0] == FFD_ELSEWHERE || c->body[1] == FFD_ELSEWHERE) return false;
	return c->body[1] == FFD_WALL || bodies_counted(&o->s->body, c->body[0], c->body[1]);
}

/* The impulse on side k. The work of the impulse is exact if computed with the mean of the contact point's velocities
 * before and after the impulse. */
static vec3 impulse_on(const ffd_contact *c, int k)
{
	return v3_madd(c->rub[k], (k ? -1 : 1) * c->press[k], c->normal);
}

/* Mean velocity of the contact point of side k; a wall keeps its own velocity. */
static vec3 mean_velocity(const sweep *o, const ffd_contact *c, int k)
{
	const int32_t i = c->body[k];
	if (i < 0) return c->moves;
	const bodies *b = &o->s->body;
	const vec3 v = v3_add(o->to->velocity[i], body_velocity(b, i));
	const vec3 w = v3_add(o->to->spin[i], body_angular_velocity(b, i));
	return v3_mul((real)0.5, v3_add(v, v3_cross(w, c->arm[k])));
}

static bool responds(const sweep *o, const ffd_contact *c, int k)
{
	return c->body[k] >= 0 && o->s->body.inv_mass[c->body[k]] > 0;
}

/* Records the energy that a contact gave to its bodies. */
static void note_energy(ledger *e, fixed *lost, real gained)
{
	if (gained > 0)
		scree_fixed_add(&e->made, gained);
	else
		scree_fixed_add(lost, -gained);
}

/* Records the contact force for output files: the mean over the step. */
static void note_force(const sweep *o, const ffd_contact *c)
{
	contact_force *f = o->w->pair[c->kind].contact.force + c->row;
	const real rate = 1 / o->m->dt;
	const int k = responds(o, c, 0) ? 0 : 1;
	const vec3 on_a = v3_mul(k ? -rate : rate, impulse_on(c, k));
	f->force = v3_add(f->force, on_a);
	f->torque = v3_add(f->torque, v3_cross(c->arm[0], on_a));
	f->normal += rate * c->press[k];
}

/* Records the momentum created by the two one-body problems, and the total momentum transferred. */
static void note_momentum(impulses *to, vec3 on_a, vec3 on_b)
{
	scree_fixed_add(&to->given, (v3_norm(on_a) + v3_norm(on_b)) / 2);
	scree_fixed_add(&to->unbalanced, v3_norm(v3_add(on_a, on_b)) / 2);
}

/* Velocity of the contact point of side k relative to a partner that does not respond: the rest of the impulse's work
 * is done on the partner. */
static vec3 slips_at(const sweep *o, const ffd_contact *c, int k)
{
	const vec3 moves = responds(o, c, 1 - k) ? v3(0, 0, 0) : mean_velocity(o, c, 1 - k);
	return v3_sub(mean_velocity(o, c, k), moves);
}

/* Records the energies of a contact that this part of the world counts. Pe solves friction body by body, so its energy
 * is recorded per body. */
static void book_energies(const sweep *o, const ffd_contact *c, impulses *sum)
{
	ledger *e = &o->s->energy;
	const bool free[2] = {responds(o, c, 0), responds(o, c, 1)};
	real normal = 0, friction = 0;
	for (int k = 0; k < 2; ++k) {
		if (!free[k]) continue;
		const vec3 slips = slips_at(o, c, k);
		normal += (k ? -1 : 1) * c->press[k] * v3_dot(c->normal, slips);
		if (!o->to->rules.literal) friction += v3_dot(c->rub[k], slips);
		if (!free[1 - k]) scree_fixed_add(&e->wall_work, v3_dot(impulse_on(c, k), mean_velocity(o, c, 1 - k)));
	}
	note_energy(e, &e->lost_normal, normal);
	note_energy(e, &e->lost_friction, friction);
	if (free[0] && free[1]) note_momentum(sum, impulse_on(c, 0), impulse_on(c, 1));
	sum->collisions += c->press[0] > 0 || c->press[1] > 0;
}

static void book_contact(const sweep *o, const ffd_contact *c, impulses *sum)
{
	const bool counted = is_counted(o, c);
	if (counted && (c->press[0] > 0 || c->press[1] > 0)) note_force(o, c);
	if (counted) book_energies(o, c, sum);
	for (int k = 0; k < 2 && o->to->rules.literal; ++k)
		if (responds(o, c, k)) o->to->rubbed[c->body[k]] += v3_dot(c->rub[k], slips_at(o, c, k));
}

static real kinetic_energy(const bodies *b, int32_t i, vec3 velocity, vec3 spin)
{
	const vec3 l = momentum_of(body_orientation(b, i), spin, v3(b->ix[i], b->iy[i], b->iz[i]));
	return (b->mass[i] * v3_norm2(velocity) + v3_dot(l, spin)) / 2;
}

/* Records the changes to a body whose contacts have no impulses. Positions move with the mean of the velocities before
 * and after the step, which agrees with the work of gravity only if contacts do not change the velocity; the difference
 * is entered as energy created. */
static void book_body(const sweep *o, int32_t i, impulses *sum)
{
	state *s = o->s;
	const bodies *b = &s->body;
	const vec3 was = o->to->velocity[i], is = body_velocity(b, i), change = v3_sub(is, was);
	const uint8_t end = o->to->end[i];
	if (end >= FFD_VAGUE) {
		const real gained =
			kinetic_energy(b, i, is, body_angular_velocity(b, i)) - kinetic_energy(b, i, was, o->to->spin[i]);
		note_energy(&s->energy, &s->energy.lost_normal, gained);
		note_momentum(sum, v3_mul(b->mass[i], change), v3_mul(b->mass[i], change));
	}
	note_energy(&s->energy, &s->energy.lost_friction, o->to->rubbed[i]);
	sum->stopped += end == FFD_STOPPED;
	sum->limited += end == FFD_LIMITED || end == FFD_VAGUE;
	scree_fixed_add(&s->energy.made, -b->mass[i] * o->m->dt / 2 * v3_dot(o->m->gravity, change));
}

/* Sums the counts of all parts of the world and returns the sums to all parts. */
static void join_counts(const sweep *o, const impulses *here)
{
	const domain *d = &o->w->domain;
	impulses *to = &o->s->impulse;
	fixed sum[5] = {here->given, here->unbalanced, {here->stopped, 0}, {here->limited, 0}, {here->collisions, 0}};
	d->by->add(d->at, 5, sum);
	scree_fixed_join(&to->given, sum[0]);
	scree_fixed_join(&to->unbalanced, sum[1]);
	to->stopped += (int64_t)sum[2].quanta;
	to->limited += (int64_t)sum[3].quanta;
	o->w->collisions = (int64_t)sum[4].quanta;
}

static void keep_books(const sweep *o)
{
	impulses sum = {0};
	for (int64_t k = 0; k < o->to->count; ++k) book_contact(o, o->to->contact + k, &sum);
	for (int32_t i = 0; i < o->s->body.owned; ++i)
		if (o->to->first[i] < o->to->first[i + 1] && o->s->body.inv_mass[i] > 0) book_body(o, i, &sum);
	join_counts(o, &sum);
}

/* ------------------------------------------------------------------ the solver */

static void set_rules(ffd_rules *r, bool literal, int32_t directions)
{
	*r = (ffd_rules){.literal = literal, .directions = literal ? directions : 0};
	for (int32_t k = 0; k < r->directions; ++k)
		scree_sincos(2 * (real)SCREE_PI * (real)k / (real)directions, r->sine + k, r->cosine + k);
}

/* The second half of the velocity update, for bodies without constraints. */
static void push_free(const sweep *o)
{
	const ffd_work *all = o->to;
	for (int32_t i = 0; i < o->s->body.owned; ++i) {
		bool held = false;
		for (int64_t k = all->first[i]; k < all->first[i + 1]; ++k)
			held = held || !(all->contact[all->side[k] / 2].closing[all->side[k] % 2] < 0);
		if (!held) scree_world_push(o->m, o->s, i, o->m->dt / 2);
	}
}

static bool sweep_all(const model *m, state *s, work *w, bool literal)
{
	sweep o = {m, s, w, scree_ffd_work(w)};
	set_rules(&o.to->rules, literal, m->directions);
	o.to->finite = !m->applied;
	scree_parallel(fall, &o, s->body.count, 1024);
	scree_parallel(set_normals, &o, o.to->count, GRAIN);
	if (pe_divides(w)) scree_pe_send_constraints(s, w, o.to);
	scree_ffd_contacts_to_bodies(o.to, &s->body);
	scree_parallel(respond_all, &o, s->body.owned, GRAIN);
	scree_ffd_share_results(s, w, o.to);
	if (!literal) {
		scree_parallel(set_aims, &o, o.to->count, GRAIN);
		scree_parallel(rub_all, &o, s->body.owned, GRAIN);
		scree_ffd_share_results(s, w, o.to);
	}
	keep_books(&o);
	if (literal && m->applied) push_free(&o);
	return false; /* nothing remains to be done here */
}

bool scree_ffd_sweep_pe(const model *m, state *s, work *w) { return sweep_all(m, s, w, true); }
bool scree_ffd_sweep_corrected(const model *m, state *s, work *w) { return sweep_all(m, s, w, false); }

void scree_ffd_done(const model *m, state *s, work *w)
{
	(void)m;
	s->impulse.collisions += w->collisions;
}
