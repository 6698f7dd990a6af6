/* evaluate: applies the law, which advances by a step: springs are first moved back, accounts restored afterwards. */
#include "change/change.h"

#include "base/memory.h"
#include "state/pairs.h"
#include "step/step.h"
#include "sum/stage.h"
#include "world/world.h"

/* Energy account of a patch at the current time. */
typedef struct account {
	real made, normal, friction, rolling;
} account;

static account account_of(const pair_list *l, int64_t k, real dt)
{
	return (account){l->elastic[k] + l->work[k] - dt / 2 * l->power[k], l->lost_normal[k] - dt / 2 * l->heat[k],
					 l->lost_friction[k], l->lost_rolling[k]};
}

static void set_account(pair_list *l, int64_t k, const account *o, real dt)
{
	l->work[k] = o->made - l->elastic[k] + dt / 2 * l->power[k];
	l->lost_normal[k] = o->normal + dt / 2 * l->heat[k];
	l->lost_friction[k] = o->friction;
	l->lost_rolling[k] = o->rolling;
}

/* Energy accounts by contact row; new contacts have none. */
static account *keep_accounts(const pair_list *l, real dt, bool *fresh)
{
	if (!(l->remembers & REMEMBERS_ACCOUNT) || !l->count) return NULL;
	account *of = scree_alloc((size_t)l->base[l->pieces], sizeof *of);
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
		of[c.row] = account_of(l, c.row, dt);
		*fresh |= !(l->stiff[c.row] > 0);
	}
	return of;
}

static void put_accounts(pair_list *l, account *of, real dt)
{
	for (contact_walk c = contact_first(l); of && contact_more(l, &c); ++c.row) set_account(l, c.row, of + c.row, dt);
}

/* ahead: time by which the springs are ahead, in s; the law adds a step. */
static void evaluate(const model *m, state *s, work *w, real ahead)
{
	scree_contacts_shift(m, s, w, -ahead);
	scree_bonds_shift(m, s, -ahead);
	scree_contacts_answer(m, s, w, s->time);
}

/* A new patch may return its present energy (kernel/patch_contact.h), which is known only after a first evaluation. */
void scree_contacts_evaluate(const model *m, state *s, work *w, real ahead)
{
	account *of[PAIR_KINDS];
	bool fresh = false;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) of[kind] = keep_accounts(s->pair + kind, m->dt, &fresh);
	fresh = scree_domain_any(&w->domain, fresh);
	for (int pass = 0; pass < (fresh ? 2 : 1); ++pass) {
		if (pass) scree_sums_forget(w);
		evaluate(m, s, w, pass ? m->dt : ahead);
		for (int kind = 0; kind < PAIR_KINDS; ++kind) put_accounts(s->pair + kind, of[kind], m->dt);
	}
	for (int kind = 0; kind < PAIR_KINDS; ++kind) scree_free(of[kind]);
}
