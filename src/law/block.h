/* block.h: a block of contacts as arrays: inputs of the law for both partners, constants that differ between contacts,
 * and outputs in quanta. gather.c fills in the partners, and add.c sums the outputs. */
#ifndef SCREE_LAW_BLOCK_H
#define SCREE_LAW_BLOCK_H

#include "kernel/contact.h"
#include "kernel/contact_quanta.h"
#include "model/law.h"
#include "state/pairs.h"
#include "world/world.h"

/* Arguments of a loop over contacts, and its constants for the two partners. Law, partner and extra are compile-time
 * constants: each loop is compiled for every combination. */
typedef struct job {
	const body_record *record;
	pair_list *list;
	contact_work *contact; /* derived data of the list's rows */
	const thread_work *thread;
	thread_work *own; /* memory of this thread */
	const sums *sums;
	const law_constants *constants;
	const heat_rule *heat; /* NULL if friction heats no bodies */
	const walls *wall;
	const wall_state *wall_now;
	int32_t materials;
	real dt;
	bool walls_move;
	real loose; /* power, in W, that a patch may return beyond the energy it absorbed: 0; infinite in papers/ */
	const periods *period; /* NULL: no periods */
	const images *images;
	const bodies *divided; /* NULL if no body is a ghost */
	bool ahead, even; /* ahead: some contacts act at a distance; even: all contacts of a pair have equal stiffness */
} job;

/* Returns a job whose list of pairs is not set yet. */
SCREE_FN job job_of(const model *m, const state *s, const work *w)
{
	return (job){.record = w->record,
				 .thread = w->thread,
				 .sums = &w->sums,
				 .constants = m->constants,
				 .heat = m->heat,
				 .wall = &m->wall,
				 .wall_now = s->wall,
				 .materials = m->material.count,
				 .dt = m->dt,
				 .period = m->period.on ? &m->period : NULL,
				 .images = &s->images};
}

/* Type of the partners in a contact; a compile-time constant. */
typedef enum partner { OF_SPHERES, OF_BODIES, OF_WALL, PARTNERS } partner;

/* The image of b in contact row k. */
SCREE_FN int32_t image_at(const job *j, int64_t k)
{
	const pair_list *l = j->list;
	return image_met(j->period, j->images, l->met[l->slot[k]], j->record[l->ca[k]].cell, j->record[l->cb[k]].cell);
}

SCREE_FN int32_t rule_of(const job *j, int64_t k, bool on_wall)
{
	int32_t b = j->list->cb[k];
	int32_t mb = on_wall ? j->wall->row[j->wall->surface_wall[b]].material : j->record[b].material;
	return j->record[j->list->ca[k]].material * j->materials + mb;
}

/* Contact rows from .. from+count-1 of a list. */
typedef struct rows {
	int64_t from, count;
	const law_constants *of;  /* constants for the pair of materials of all rows, or NULL if they differ */
	int64_t next, next_count; /* rows to prefetch next; none if next_count is 0 */
} rows;

/* Tests whether contact row k is counted by another part of the world, which happens only in divided worlds. */
SCREE_FN bool counted_elsewhere(const job *j, int64_t k, bool on_wall)
{
	return !on_wall && !bodies_counted(j->divided, j->list->ca[k], j->list->cb[k]);
}

/* Loop over contacts of one law and type of partner; returns the largest ratio of an overlap to the smaller size. */
typedef real contact_loop(const job *j, const rows *r, enum extra extra);

/* Loops by type of partner, or NULL. Overlap-based laws have no point contacts, and two spheres have no patches. */
typedef struct law_loops {
	contact_loop *point[PARTNERS], *patch[PARTNERS];
} law_loops;

extern const law_loops scree_law_loops[LAWS];

/* bonds.c: adds the forces of the bonds in rows from .. from+count-1 of a list of spheres; bonds may break. Called
 * after the loop of the law, which has recorded which spheres touch: bonded spheres always count as touching. */
void scree_law_bonds(const job *j, const model *m, int64_t from, int64_t count);
/* shares.c: writes `share` of rows from .. end-1 (complete pairs) after the narrow phase and before the law's loop. */
void scree_law_shares(const job *j, int kind, int64_t from, int64_t end);
/* wall_shares.c: shares of contacts with walls that are moved by forces, computed after the shares of the pairs. */
void scree_law_wall_shares(const model *m, const state *s, work *w);

enum { BLOCK = 32 }; /* number of contacts computed together */

/* Contributions of a contact to sums, in quanta before rounding (kernel/contact_quanta.h). */
enum { LOAD_FORCE, LOAD_TORQUE_A = 3, LOAD_TORQUE_B = 6, LOAD_FORCES = 9, LOAD_TORQUES, LOAD_PARTS };

typedef struct block {
	/* both partners (kernel/partners.h): vector from b to a, and velocity of a relative to b */
	real x[BLOCK], y[BLOCK], z[BLOCK], vx[BLOCK], vy[BLOCK], vz[BLOCK];
	real wa[3][BLOCK], wb[3][BLOCK], ra[BLOCK], rb[BLOCK], ma[BLOCK], mb[BLOCK];
	int32_t image[BLOCK]; /* periodic worlds: code of b's image */
	/* constants of the contact that depend only on the materials */
	real stiffness[BLOCK], damping[BLOCK], shear[BLOCK], shear_damping[BLOCK], friction[BLOCK], rolling[BLOCK];
	real zeta[BLOCK], exponent[BLOCK], pulls[BLOCK], twisting[BLOCK], surface[BLOCK];
	int32_t cohesion[BLOCK];
	real volume[BLOCK], ruptures[BLOCK];				  /* capillary */
	real loading[BLOCK], adhesion[BLOCK], hardens[BLOCK]; /* law plastic */
	real radius[BLOCK], mass[BLOCK];					  /* reduced radius and reduced mass */
	real part[BLOCK]; /* for patches on walls, the share of the stiffness; for capsules, the share of the attraction */
	/* outputs */
	real load[LOAD_PARTS][BLOCK];
	real most[BLOCK];	/* largest absolute value of a load and its energies; NaN if any of them is NaN */
	real normal[BLOCK]; /* N */
} block __attribute__((aligned(64)));

/* ------------------------------------------------------------------ inputs */

SCREE_FN void put_partners(block *o, int64_t i, const partners *p)
{
	o->x[i] = p->apart.x, o->y[i] = p->apart.y, o->z[i] = p->apart.z;
	o->vx[i] = p->v.x, o->vy[i] = p->v.y, o->vz[i] = p->v.z;
	o->wa[0][i] = p->wa.x, o->wa[1][i] = p->wa.y, o->wa[2][i] = p->wa.z;
	o->wb[0][i] = p->wb.x, o->wb[1][i] = p->wb.y, o->wb[2][i] = p->wb.z;
	o->ra[i] = p->ra, o->rb[i] = p->rb, o->ma[i] = p->ma, o->mb[i] = p->mb;
}

SCREE_FN partners get_partners(const block *o, int64_t i)
{
	partners p = {v3(o->vx[i], o->vy[i], o->vz[i]),
				  v3(o->wa[0][i], o->wa[1][i], o->wa[2][i]),
				  v3(o->wb[0][i], o->wb[1][i], o->wb[2][i]),
				  v3(o->x[i], o->y[i], o->z[i]),
				  o->ra[i],
				  o->rb[i],
				  o->ma[i],
				  o->mb[i]};
	return p;
}

SCREE_FN contact_constants get_constants(const block *o, int64_t i, enum law_row law)
{
	contact_constants c;
	c.radius = o->radius[i], c.mass = o->mass[i];
	c.stiffness = o->stiffness[i], c.damping = o->damping[i];
	c.shear = o->shear[i], c.shear_damping = o->shear_damping[i];
	c.friction = o->friction[i], c.rolling = o->rolling[i], c.twisting = o->twisting[i];
	c.zeta = o->zeta[i], c.exponent = o->exponent[i], c.pulls = o->pulls[i];
	c.surface = o->surface[i], c.cohesion = o->cohesion[i];
	c.volume = o->volume[i], c.ruptures = o->ruptures[i];
	const bool plastic = law == LAW_PLASTIC;
	c.loading = plastic ? o->loading[i] : 0, c.adhesion = plastic ? o->adhesion[i] : 0;
	c.hardens = plastic ? o->hardens[i] : 0;
	c.part = 1;
	return c;
}

SCREE_FN contact_history get_history(const pair_list *l, int64_t k, bool patch, enum law_row law, enum extra extra)
{
	contact_history h;
	h.spring = v3(l->sx[k], l->sy[k], l->sz[k]);
	h.spun = patch ? l->spun[k] : 0;
	h.scale = l->stiff[k];
	h.stored = l->bent[k];
	h.deepest = law == LAW_PLASTIC && !patch ? l->deepest[k] : 0;
	h.torn = law == LAW_PLASTIC && !patch ? l->torn[k] : 0;
	bool turns = extra != EXTRA_NONE;
	h.rolling = v3(turns ? l->rx[k] : 0, turns ? l->ry[k] : 0, turns ? l->rz[k] : 0);
	h.rolled = turns ? l->rolled[k] : 0;
	h.twist = turns ? l->twist[k] : 0;
	h.twisted = turns ? l->twisted[k] : 0;
	return h;
}

SCREE_FN void set_history(pair_list *l, int64_t k, const contact_history *h, bool patch, enum law_row law,
						  enum extra extra)
{
	l->sx[k] = h->spring.x, l->sy[k] = h->spring.y, l->sz[k] = h->spring.z;
	l->stiff[k] = h->scale;
	l->bent[k] = h->stored;
	if (patch) l->spun[k] = h->spun;
	if (law == LAW_PLASTIC && !patch) l->deepest[k] = h->deepest, l->torn[k] = h->torn;
	if (extra == EXTRA_NONE) return;
	l->rx[k] = h->rolling.x, l->ry[k] = h->rolling.y, l->rz[k] = h->rolling.z;
	l->rolled[k] = h->rolled;
	l->twist[k] = h->twist, l->twisted[k] = h->twisted;
}

/* ------------------------------------------------------------------ outputs */

/* Constants of a loop, the same for all rows. */
typedef struct loop_numbers {
	real dt, forces, torques, energies; /* quanta per 1 N, 1 N m, 1 J */
} loop_numbers;

SCREE_FN loop_numbers numbers_of(const job *j)
{
	return (loop_numbers){j->dt, 1 / j->sums->force_quantum, 1 / j->sums->torque_quantum, 1 / j->sums->energy_quantum};
}

/* Returns the load on body a of the force and torque of item i. A wall's torque is summed in 128 bits (add.c): the wall
 * may be far from the contact, and its torque must not affect the size of the load. on_wall: a compile-time constant */
SCREE_FN contact_load load_of(const block *o, int64_t i, const contact_result *r, const loop_numbers *by, bool on_wall)
{
	const vec3 apart = on_wall ? v3(0, 0, 0) : v3(o->x[i], o->y[i], o->z[i]);
	return contact_load_of(r->force, r->torque, apart, by->forces, by->torques);
}

/* Stores the load of item i. worst: the largest of its energies, in quanta */
SCREE_FN void put_load(block *o, int64_t i, const contact_load *q, real worst)
{
	o->load[0][i] = q->force.x, o->load[1][i] = q->force.y, o->load[2][i] = q->force.z;
	o->load[3][i] = q->torque_a.x, o->load[4][i] = q->torque_a.y, o->load[5][i] = q->torque_a.z;
	o->load[6][i] = q->torque_b.x, o->load[7][i] = q->torque_b.y, o->load[8][i] = q->torque_b.z;
	o->load[LOAD_FORCES][i] = q->forces, o->load[LOAD_TORQUES][i] = q->torques;
	o->most[i] = q->most + worst;
}

/* Force or torque of item i from quanta `row` .. `row`+2, exact since a quantum is a power of two. */
SCREE_FN vec3 load_at(const block *o, int row, int64_t i, real quantum)
{
	return v3(quantum * o->load[row][i], quantum * o->load[row + 1][i], quantum * o->load[row + 2][i]);
}

enum { AHEAD = 64 }; /* distance of prefetches in rows */

/* Rows from .. from+count-1, which will be used soon. The data of the rows are prefetched in several calls between the
 * loops of a block, since the number of cache lines that a core can have in flight is limited. */
typedef struct soon {
	int64_t from, count;
} soon;

/* The n rows that begin `far` rows after row `first`; a piece's rows are followed by those of the next piece. */
soon scree_soon(const rows *r, int64_t first, int64_t n, int64_t far);
/* Prefetches, from the records of the rows' second partners, the cache line at `offset`. */
void scree_fetch_records(const job *j, const soon *s, size_t offset);
void scree_fetch_sums(const job *j, const soon *s); /* prefetches sums of the rows' second partners */
void scree_fetch_history(const pair_list *l, const soon *s);
void scree_fetch_partners(const pair_list *l, const soon *s);

/* Loads the partners of contact rows first .. first+n-1 into items 0 .. n-1 of the block. */
void scree_gather_partners(block *o, const job *j, int64_t first, int64_t n, bool on_wall);
/* Loads the reduced radius (used by laws based on volume or overlap), the contact's share of the reduced mass, and
 * `part`: the share of the stiffness on walls, or of the attraction in a fading contact of capsules. */
void scree_gather_reduced(block *o, const contact_work *c, int64_t first, int64_t n, bool on_wall);

/* add.c: adds the contacts of a block to both partners and to the ledger, in whole quanta, so that the order has no
 * effect (docs/theory/sums.md). Items 0 .. n-1 of the block are contact rows first .. first+n-1. */
void scree_add_block(const job *j, const block *o, int64_t first, int64_t n, bool on_wall);
/* Adds energies of contacts, in quanta before rounding; sets energies counted by another part of the world to 0. */
void scree_add_energies(const job *j, real energy[TALLIES][BLOCK], int64_t first, int64_t n, bool on_wall);
/* heat.c: adds the frictional heat of a block, a fraction of the energies in quanta before rounding; called before
 * energies counted by another part of the world are set to 0. */
void scree_add_friction_heat(const job *j, real energy[TALLIES][BLOCK], int64_t first, int64_t n, bool on_wall);

#endif
