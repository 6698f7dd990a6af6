/* block.h: some contacts side by side: what the law needs of both partners, their constants where they differ, and what
 * comes out, in quanta, added to the partners.
 *
 * Partners lie anywhere; a loop over contacts that reads what lies side by side vectorises. */
#ifndef SCREE_LAW_BLOCK_H
#define SCREE_LAW_BLOCK_H

#include "base/lanes.h"
#include "kernel/contact.h"
#include "kernel/contact_quanta.h"
#include "law/job.h"

/* of both partners the first twelve numbers of their records (state/record.h) */
enum { OF_X, OF_Y, OF_Z, OF_ROUND, OF_VX, OF_VY, OF_VZ, OF_INV_MASS, OF_WX, OF_WY, OF_WZ, OF_MASS, OF_RECORD };

typedef struct block {
	real a[OF_RECORD][BLOCK], b[OF_RECORD][BLOCK];
	real vx[BLOCK], vy[BLOCK], vz[BLOCK], x[BLOCK], y[BLOCK], z[BLOCK]; /* of a against b; from b to a */
	int32_t image[BLOCK];												/* of worlds with periods: code */
	/* of the contact's constants what follows from the materials alone */
	real stiffness[BLOCK], damping[BLOCK], shear[BLOCK], shear_damping[BLOCK], friction[BLOCK], rolling[BLOCK];
	real zeta[BLOCK], exponent[BLOCK], pulls[BLOCK], twisting[BLOCK], surface[BLOCK];
	int32_t cohesion[BLOCK];
	real radius[BLOCK], mass[BLOCK]; /* reduced */
	/* what comes out */
	real fx[BLOCK], fy[BLOCK], fz[BLOCK], tx[BLOCK], ty[BLOCK], tz[BLOCK], normal[BLOCK];
	int64_t to_a[8][BLOCK], to_b[8][BLOCK]; /* quanta, as a body_sum */
	real most[BLOCK];						/* quanta, of force and torques; NaN where they are no numbers */
} block __attribute__((aligned(64)));

/* ------------------------------------------------------------------ in */

SCREE_FN void put_record(real to[OF_RECORD][BLOCK], int64_t i, const body_record *r)
{
	to[OF_X][i] = r->place.x, to[OF_Y][i] = r->place.y, to[OF_Z][i] = r->place.z, to[OF_ROUND][i] = r->round;
	to[OF_VX][i] = r->velocity.x, to[OF_VY][i] = r->velocity.y, to[OF_VZ][i] = r->velocity.z;
	to[OF_INV_MASS][i] = r->inv_mass;
	to[OF_WX][i] = r->spin.x, to[OF_WY][i] = r->spin.y, to[OF_WZ][i] = r->spin.z, to[OF_MASS][i] = r->mass;
}

/* records of the bodies `of` to items i .. i+n-1 */
SCREE_FN void put_records(real to[OF_RECORD][BLOCK], int64_t i, const body_record *record, const int32_t *of, int64_t n)
{
	int64_t k = 0;
#ifdef SCREE_LANES
	for (; k + 8 <= n; k += 8) {
		lanes head[8], tail[8];
		for (int j = 0; j < 8; ++j) {
			const lanes *r = (const lanes *)(record + of[k + j]);
			head[j] = r[0];
			tail[j] = r[1];
		}
		lanes_transpose(head);
		lanes_transpose(tail);
		for (int j = 0; j < 8; ++j) *(lanes_anywhere *)(to[j] + i + k) = head[j];
		for (int j = 0; j < 4; ++j) *(lanes_anywhere *)(to[8 + j] + i + k) = tail[j];
	}
#endif
	for (; k < n; ++k) put_record(to, i + k, record + of[k]);
}

/* a wall is a partner that is as the body sees it: it moves with the velocity that it has at the body's centre */
SCREE_FN void put_wall(block *o, int64_t i, const wall *w, const body_record *a)
{
	vec3 apart = v3_sub(a->place, w->place), moves = v3_add(w->velocity, v3_cross(w->spin, apart));
	o->b[OF_X][i] = w->place.x, o->b[OF_Y][i] = w->place.y, o->b[OF_Z][i] = w->place.z, o->b[OF_ROUND][i] = a->round;
	o->b[OF_VX][i] = moves.x, o->b[OF_VY][i] = moves.y, o->b[OF_VZ][i] = moves.z, o->b[OF_INV_MASS][i] = 0;
	o->b[OF_WX][i] = w->spin.x, o->b[OF_WY][i] = w->spin.y, o->b[OF_WZ][i] = w->spin.z, o->b[OF_MASS][i] = 0;
}

/* Items 0 .. n-1 are contact rows first .. first+n-1; likewise below. */
SCREE_FN void put_partners(block *o, const job *j, int64_t first, int64_t n, bool on_wall)
{
	const pair_list *l = j->list;
	const int32_t *ca = l->ca + first, *cb = l->cb + first;
	put_records(o->a, 0, j->record, ca, n);
	if (on_wall)
		for (int64_t i = 0; i < n; ++i) put_wall(o, i, j->wall->row + j->wall->surface_wall[cb[i]], j->record + ca[i]);
	else
		put_records(o->b, 0, j->record, cb, n);
	for (int64_t i = 0; i < n; ++i) {
		o->x[i] = o->a[OF_X][i] - o->b[OF_X][i];
		o->y[i] = o->a[OF_Y][i] - o->b[OF_Y][i];
		o->z[i] = o->a[OF_Z][i] - o->b[OF_Z][i];
		o->vx[i] = o->a[OF_VX][i] - o->b[OF_VX][i];
		o->vy[i] = o->a[OF_VY][i] - o->b[OF_VY][i];
		o->vz[i] = o->a[OF_VZ][i] - o->b[OF_VZ][i];
	}
	if (!j->period || on_wall) return;
	for (int64_t i = 0; i < n; ++i) {
		int32_t code = o->image[i] = image_at(j, first + i);
		const vec3 shift = j->period->shift[code], drift = j->period->drift[code];
		o->x[i] -= shift.x, o->y[i] -= shift.y, o->z[i] -= shift.z;
		o->vx[i] -= drift.x, o->vy[i] -= drift.y, o->vz[i] -= drift.z;
	}
}

SCREE_FN partners get_partners(const block *o, int64_t i, bool on_wall)
{
	partners p = {v3(o->vx[i], o->vy[i], o->vz[i]),
				  v3(o->a[OF_WX][i], o->a[OF_WY][i], o->a[OF_WZ][i]),
				  v3(o->b[OF_WX][i], o->b[OF_WY][i], o->b[OF_WZ][i]),
				  v3(o->x[i], o->y[i], o->z[i]),
				  o->a[OF_ROUND][i],
				  o->b[OF_ROUND][i],
				  on_wall ? o->a[OF_MASS][i] : o->a[OF_INV_MASS][i],
				  o->b[OF_INV_MASS][i]};
	return p;
}

SCREE_FN void put_constants(block *o, int64_t i, const law_constants *of, enum law_row law)
{
	const contact_constants c = constants_of(law, of, 0, 0);
	o->stiffness[i] = c.stiffness, o->damping[i] = c.damping;
	o->shear[i] = c.shear, o->shear_damping[i] = c.shear_damping;
	o->friction[i] = c.friction, o->rolling[i] = c.rolling, o->twisting[i] = c.twisting;
	o->zeta[i] = c.zeta, o->exponent[i] = c.exponent, o->pulls[i] = c.pulls;
	o->surface[i] = c.surface, o->cohesion[i] = c.cohesion;
}

SCREE_FN void put_same_constants(block *o, const law_constants *of, enum law_row law)
{
	for (int64_t i = 0; i < BLOCK; ++i) put_constants(o, i, of, law);
}

SCREE_FN void put_their_constants(block *o, const job *j, int64_t first, int64_t n, enum law_row law, bool on_wall)
{
	for (int64_t i = 0; i < n; ++i) put_constants(o, i, j->constants + rule_of(j, first + i, on_wall), law);
}

/* radius and mass, of which law and overlap make what they need */
SCREE_FN void put_reduced(block *o, int64_t n, bool on_wall)
{
#pragma omp simd
	for (int64_t i = 0; i < n; ++i) {
		partners p = get_partners(o, i, on_wall);
		o->radius[i] = reduced_radius(&p, on_wall);
		o->mass[i] = reduced_mass(&p, on_wall);
	}
}

SCREE_FN contact_constants get_constants(const block *o, int64_t i)
{
	contact_constants c;
	c.radius = o->radius[i], c.mass = o->mass[i];
	c.stiffness = o->stiffness[i], c.damping = o->damping[i];
	c.shear = o->shear[i], c.shear_damping = o->shear_damping[i];
	c.friction = o->friction[i], c.rolling = o->rolling[i], c.twisting = o->twisting[i];
	c.zeta = o->zeta[i], c.exponent = o->exponent[i], c.pulls = o->pulls[i];
	c.surface = o->surface[i], c.cohesion = o->cohesion[i];
	return c;
}

/* ------------------------------------------------------------------ what a contact remembers */

SCREE_FN contact_history get_history(const pair_list *l, int64_t k, bool patch, enum extra extra)
{
	contact_history h;
	h.spring = v3(l->sx[k], l->sy[k], l->sz[k]);
	h.spun = patch ? l->spun[k] : 0;
	h.scale = l->stiff[k];
	h.stored = l->bent[k];
	bool turns = extra != EXTRA_NONE;
	h.rolling = v3(turns ? l->rx[k] : 0, turns ? l->ry[k] : 0, turns ? l->rz[k] : 0);
	h.rolled = turns ? l->rolled[k] : 0;
	h.twist = turns ? l->twist[k] : 0;
	h.twisted = turns ? l->twisted[k] : 0;
	return h;
}

SCREE_FN void set_history(pair_list *l, int64_t k, const contact_history *h, bool patch, enum extra extra)
{
	l->sx[k] = h->spring.x, l->sy[k] = h->spring.y, l->sz[k] = h->spring.z;
	l->stiff[k] = h->scale;
	l->bent[k] = h->stored;
	if (patch) l->spun[k] = h->spun;
	if (extra == EXTRA_NONE) return;
	l->rx[k] = h->rolling.x, l->ry[k] = h->rolling.y, l->rz[k] = h->rolling.z;
	l->rolled[k] = h->rolled;
	l->twist[k] = h->twist, l->twisted[k] = h->twisted;
}

/* ------------------------------------------------------------------ out */

/* What is constant over the rows of a loop. */
typedef struct loop_numbers {
	real dt, forces, torques, energies; /* quanta to 1 N, 1 N m, 1 J */
} loop_numbers;

SCREE_FN loop_numbers numbers_of(const job *j)
{
	loop_numbers n = {j->dt, 1 / j->sums->force_quantum, 1 / j->sums->torque_quantum, 1 / j->sums->energy_quantum};
	return n;
}

/* Force and torque on a of item i. */
SCREE_FN void put_result(block *o, int64_t i, const contact_result *r)
{
	o->fx[i] = r->force.x, o->fy[i] = r->force.y, o->fz[i] = r->force.z;
	o->tx[i] = r->torque.x, o->ty[i] = r->torque.y, o->tz[i] = r->torque.z;
}

/* What the results come to, in quanta, for both partners. A loop of its own: short ones overlap in time. */
SCREE_FN void put_quanta(block *o, int64_t n, const loop_numbers *by)
{
#pragma omp simd
	for (int64_t i = 0; i < n; ++i) {
		vec3 force = v3(o->fx[i], o->fy[i], o->fz[i]), torque = v3(o->tx[i], o->ty[i], o->tz[i]);
		contact_quanta q = contact_quanta_of(force, torque, v3(o->x[i], o->y[i], o->z[i]), by->forces, by->torques);
		o->to_a[0][i] = q.force.x, o->to_a[1][i] = q.force.y, o->to_a[2][i] = q.force.z;
		o->to_b[0][i] = opposite(q.force.x), o->to_b[1][i] = opposite(q.force.y), o->to_b[2][i] = opposite(q.force.z);
		o->to_a[3][i] = q.torque_a.x, o->to_a[4][i] = q.torque_a.y, o->to_a[5][i] = q.torque_a.z;
		o->to_b[3][i] = q.torque_b.x, o->to_b[4][i] = q.torque_b.y, o->to_b[5][i] = q.torque_b.z;
		o->to_a[6][i] = o->to_b[6][i] = q.forces;
		o->to_a[7][i] = o->to_b[7][i] = q.torques;
		o->most[i] = q.most;
	}
}

#endif
