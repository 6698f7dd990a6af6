
#include "base/random.h"
#include "kernel/bond.h"
#include "kernel/sphere_contact.h"
#include "law/block.h"
#include "law/stage.h"
#include "state/bonds.h"
#include "state/contact_rows.h"

static bool any_bonded(const pair_list *l, int64_t first, int64_t n)
{
	bool any = false;
	for (int64_t k = first; k < first + n; ++k) any |= l->bond_length[k] > 0;
	return any;
}

static void no_load(block *o, real energy[TALLIES][BLOCK], int64_t i)
{
	for (int k = 0; k < LOAD_PARTS; ++k) o->load[k][i] = 0;
	for (int t = 0; t < TALLIES; ++t) energy[t][i] = 0;
	o->most[i] = 0;
}

/* Writes the springs of the next step to the row, or ends the bond. */
static void put_state(pair_list *l, int64_t k, const bond_springs *s, real held, bool breaks)
{
	if (breaks) {
		bond_end(l, k);
		return;
	}
	bond_springs_put(l, k, s);
	l->bond_held[k] = held;
	l->touch[k] = 1;
}

/* Computes the bond of a row. A bond that breaks acts for the first half of the step, then loses its energy. */
static void bond_row(const job *j, const model *m, block *o, real energy[TALLIES][BLOCK], int64_t i, int64_t k)
{
	pair_list *l = j->list;
	const loop_numbers by = numbers_of(j);
	const partners p = get_partners(o, i);
	const sphere_contact at = sphere_contact_of(p.apart, p.ra, p.rb);
	const bond_rule *r = &m->material.rule[rule_of(j, k, false)].bond;
	const bond_form f = bond_form_of(r, (bonded_body){p.ra, p.ma}, (bonded_body){p.rb, p.mb}, l->bond_length[k],
									 m->flat ? m->thickness : 0);
	const bond_motion motion = bond_motion_of(at.normal, at.at, p.ra + p.rb - at.depth, p.v, p.apart, p.wa, p.wb);
	const bond_springs now = bond_carried(bond_springs_of(l, k), &motion, j->dt);
	const bond_springs next = bond_ahead(now, &motion, j->dt / 2);
	const bond_result b = bond_act(&f, &motion, &now, l->bond_length[k]);
	const real strength = l->bond_strength[k];
	const bool breaks = b.load.tension > strength * r->tension || b.load.shear > strength * r->shear;
	const real part = breaks ? (real)0.5 : 1, dt = part * j->dt;
	const contact_load load =
		contact_load_of(v3_mul(part, b.force), v3_mul(part, b.torque), p.apart, by.forces, by.torques);
	const real lost = dt * b.heat + (breaks ? b.load.held : 0), rate = b.heat + b.heat_across + b.heat_turning;
	energy[TALLY_NORMAL][i] = by.energies * lost;
	energy[TALLY_FRICTION][i] = by.energies * dt * b.heat_across;
	energy[TALLY_ROLLING][i] = by.energies * dt * b.heat_turning;
	energy[TALLY_MADE][i] = energy[TALLY_POWER][i] = 0;
	energy[TALLY_HEAT][i] = breaks ? 0 : by.energies * dt * rate;
	put_load(o, i, &load, by.energies * (lost + dt * rate));
	put_state(l, k, &next, b.load.held, breaks);
	if (breaks && !(j->divided && counted_elsewhere(j, k, false))) j->own->tally.broken += 1;
}

void scree_law_bonds(const job *j, const model *m, int64_t from, int64_t count)
{
	block o;
	real energy[TALLIES][BLOCK] __attribute__((aligned(64)));
	for (int64_t start = 0; start < count; start += BLOCK) {
		const int64_t n = count - start < BLOCK ? count - start : BLOCK, first = from + start;
		if (!any_bonded(j->list, first, n)) continue;
		scree_gather_partners(&o, j, first, n, false);
		for (int64_t i = 0; i < n; ++i)
			if (j->list->bond_length[first + i] > 0)
				bond_row(j, m, &o, energy, i, first + i);
			else
				no_load(&o, energy, i);
		scree_add_block(j, &o, first, n, false);
		scree_add_energies(j, energy, first, n, false);
	}
}

/* ------------------------------------------------------------------ new bonds */

/* The strength of a bond is a function of the two bodies, so it does not depend on the order of contacts. */
static real strength_of(const bond_rule *r, uint64_t a, uint64_t b)
{
	if (!(r->deviation > 0)) return 1;
	random_stream way = scree_random_start((uint64_t)r->seed, a * (uint64_t)0x9e3779b97f4a7c15 + b);
	return 1 + r->deviation * real_clamp(scree_random_normal(&way), -3, 3);
}

/* Bonds a pair with a small enough gap. Returns whether the pair does not touch and is counted by this part. */
static bool form(const model *m, state *s, int64_t k, const bond_rule *r)
{
	pair_list *l = s->pair + PAIR_SPHERE_SPHERE;
	const bodies *b = &s->body;
	const int32_t i = l->ca[k], j = l->cb[k];
	const bond_motion motion = scree_bond_motion(m, s, k);
	if (l->bond_length[k] > 0 || !(b->inv_mass[i] + b->inv_mass[j] > 0)) return false;
	if (motion.distance - b->round[i] - b->round[j] > r->gap) return false;
	const bond_springs none = {v3(0, 0, 0), v3(0, 0, 0)}, next = bond_ahead(none, &motion, bonds_are_ahead(m));
	const bool apart = !l->touch[k];
	l->bond_length[k] = motion.distance;
	l->bond_strength[k] = strength_of(r, b->id[i], b->id[j]);
	put_state(l, k, &next, m->implicit ? BOND_BEGINS : 0, false);
	return apart && scree_contact_counted(s, PAIR_SPHERE_SPHERE, k);
}

static bool came_bonded(const state *s, int32_t row)
{
	return s->body.id[row] >= s->bonded[0] && s->body.id[row] <= s->bonded[1];
}

static int64_t form_all(const model *m, state *s, real after, real until, bool start)
{
	pair_list *l = s->pair + PAIR_SPHERE_SPHERE;
	int64_t count = 0;
	if (!(l->remembers & REMEMBERS_BONDS)) return 0;
	for (int32_t p = 0; p < l->pieces; ++p)
		for (int64_t k = l->base[p]; k < l->base[p] + l->used[p]; ++k) {
			const int32_t a = s->body.material[l->ca[k]], b = s->body.material[l->cb[k]];
			const bond_rule *r = &m->material.rule[a * m->material.count + b].bond;
			if (!(r->tension > 0 && r->from > after && r->from <= until)) continue;
			if (start && came_bonded(s, l->ca[k]) && came_bonded(s, l->cb[k])) continue;
			count += form(m, s, k, r);
		}
	return count;
}

int64_t scree_bonds_form(const model *m, state *s, real after, real until)
{
	return form_all(m, s, after, until, false);
}

int64_t scree_bonds_begin(const model *m, state *s) { return form_all(m, s, -INFINITY, s->time, true); }
