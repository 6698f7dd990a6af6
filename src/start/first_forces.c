/* first_forces: forces before the first step; without them, half a kick would be missing, a first-order error. */
#include "start/start.h"

#include "law/stage.h"
#include "model/integrator.h"
#include "model/model.h"
#include "motion/stage.h"
#include "state/contact_rows.h"
#include "state/pairs.h"
#include "step/step.h"
#include "sum/stage.h"
#include "world/world.h"

/* Energy that contacts hold at the start is entered as `brought`, and they may return it (kernel/patch_contact.h). The
 * law also adds the half step before each step, but before the first step there was none. */
static void note_initial_patches(const model *m, state *s, int kind)
{
	pair_list *l = s->pair + kind;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
		real held = l->elastic[c.row], power = l->power[c.row], heat = l->heat[c.row];
		scree_history_restart(l, c.row);
		l->work[c.row] = -held - m->dt / 2 * power;
		l->lost_normal[c.row] = -m->dt / 2 * heat;
		if (scree_contact_counted(s, kind, c.row)) scree_fixed_add(&s->energy.brought, held);
	}
}

/* Clears springs: initial contacts are treated as if they had been loaded to their overlap without loss. */
static void begin_anew(pair_list *l, int64_t k)
{
	const bool yields = l->remembers & REMEMBERS_DEEPEST;
	const real deepest = yields ? l->deepest[k] : 0, torn = yields ? l->torn[k] : 0;
	scree_history_restart(l, k);
	if (yields) l->deepest[k] = deepest, l->torn[k] = torn;
}

/* Records the initial contacts that have no energy account. */
static void note_initial_points(const model *m, state *s, const work *w, int kind)
{
	pair_list *l = s->pair + kind;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
		real held = scree_contact_look(m, s, w, kind, c.row).elastic;
		if (!scree_contact_counted(s, kind, c.row)) continue;
		scree_fixed_add(&s->energy.brought, held);
		if (!contact_work_plain(&w->pair[kind].contact)) scree_fixed_add(&s->energy.made, -held);
	}
	for (int32_t p = 0; p < l->pieces; ++p)
		for (int64_t k = l->base[p]; k < l->base[p] + l->used[p]; ++k) begin_anew(l, k);
}

/* before: the ledger without the initial contacts */
static void note_initial_contacts(const model *m, state *s, work *w, const ledger *before)
{
	real power = s->energy.points_power, heat = s->energy.points_heat;
	s->energy = *before;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		if (s->pair[kind].remembers & REMEMBERS_ACCOUNT)
			note_initial_patches(m, s, kind);
		else
			note_initial_points(m, s, w, kind);
	}
	if (w->domain.first) {
		scree_fixed_add(&s->energy.made, -power / 2);
		scree_fixed_add(&s->energy.lost_normal, -heat / 2);
	}
	scree_sums_forget(w);
	scree_contacts_answer(m, s, w, s->time);
}

/* came: the contacts restored from another run, or NULL */
static void settle(const model *m, state *s, work *w, restored *came, const ledger *before)
{
	if (came)
		scree_restored_settle(m, s, w, came, before);
	else if (!s->begun)
		note_initial_contacts(m, s, w, before);
}

/* power: power of walls and of the fluid, in W; there was no half step before */
static void take_half_step(const model *m, state *s, const work *w, real power)
{
	if (w->domain.first) scree_fixed_add(&s->energy.wall_work, -m->dt / 2 * power);
}

static void end(const model *m, state *s, work *w, restored *came)
{
	if (came) scree_restored_end(s, came);
	scree_overlaps_of_now(m, s, w);
	if (!s->begun && m->integrator->start) m->integrator->start(m, s, 0, s->body.owned);
}

/* Initial bonds are counted as contacts immediately. */
static void begin_bonds(const model *m, state *s, work *w)
{
	const int64_t apart = scree_bonds_begin(m, s);
	if (s->pair[PAIR_SPHERE_SPHERE].remembers & REMEMBERS_BONDS) w->touching += scree_domain_count(&w->domain, apart);
}

void scree_first_forces(const model *m, state *s, work *w)
{
	scree_contacts_of_now(m, s, w);
	const ledger before = s->energy;
	restored *came = scree_restored_find(s, w);
	scree_contacts_answer(m, s, w, s->time);
	settle(m, s, w, came, &before);
	if (!s->begun) begin_bonds(m, s, w);
	scree_forces_of_now(m, s, w);
	take_half_step(m, s, w, s->energy.fluid_power);
	end(m, s, w, came);
}

void scree_first_forces_ahead(const model *m, state *s, work *w)
{
	scree_bodies_limits(m, s, w);
	scree_contacts_of_now(m, s, w);
	const ledger before = s->energy;
	restored *came = scree_restored_find(s, w);
	if (!s->begun) scree_bonds_begin(m, s); /* new bonds act in the first half of the step */
	scree_contacts_answer(m, s, w, s->time);
	settle(m, s, w, came, &before);
	scree_forces_of_now(m, s, w);
	take_half_step(m, s, w,
				   s->energy.wall_power); /* the correction is large only if the step begins with an impact on a wall */
	scree_outer_work_begin(m, s, w);
	end(m, s, w, came);
}
