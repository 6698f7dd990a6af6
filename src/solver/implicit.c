/* implicit: contact impulses with the material's compliance, in steps as long as a contact (docs/theory/implicit.md).
 *
 * in   contacts at predicted poses; velocities at the half step; external forces
 * out  forces on bodies and loads on walls; impulses and accounts of contacts
 *
 * The unknowns are the velocities of the next half step. */
#include "solver/stage.h"

#include "base/memory.h"
#include "model/response.h"
#include "solver/constraints.h"
#include "solver/work.h"
#include "work/ways_ahead.h"

/* overlap relative to the smaller radius above which further searches, and searches for held contacts, add a contact */
static const real WORTH = (real)1e-4, HELD = (real)1e-12;

struct solver_work *scree_solver_work_new(void) { return scree_alloc(1, sizeof(struct solver_work)); }

void scree_solver_work_free(struct solver_work *p)
{
	if (!p) return;
	for (int32_t t = 0; t < p->founds; ++t) scree_free(p->found[t].item);
	scree_free(p->found);
	scree_colours_free(&p->touching);
	scree_constraints_free(&p->of);
	if (p->own) p->free_own(p->own);
	scree_free(p);
}

static solving solving_of(const model *m, state *s, work *w)
{
	solving v = {.m = m, .s = s, .w = w, .of = &w->solver->of, .h = m->dt};
	v.tau = w->ahead.drifted ? m->dt : m->dt / 2;
	v.gravity = v3_norm(m->gravity);
	v.more = more_ahead(m, s);
	return v;
}

void scree_implicit_begin(const model *m, state *s, work *w)
{
	solving v = solving_of(m, s, w);
	v.first = true;
	v.of->sweeps = 0;
	v.of->capped = false;
	scree_constraints_bodies(&v);
	scree_constraints_add(&v, 0);
	scree_constraints_set(&v, 0);
	scree_constraints_move_freely(&v);
	scree_constraints_solve(&v);
}

velocity_pair *scree_implicit_velocities(const model *m, const state *s, work *w)
{
	struct constraints *c = &w->solver->of;
	const real after = m->after, before = 1 - after;
	for (int64_t i = 0; i < s->body.count; ++i) {
		const impulse_body *to = c->body + i;
		const velocity_pair *from = c->before + i;
		c->aim[i].linear = v3_madd(v3_mul(after, to->velocity), -before, from->linear);
		c->aim[i].angular = v3_madd(v3_mul(after, to->angular_velocity), -before, from->angular);
	}
	return c->aim;
}

/* Tests whether attraction held a contact that is not among the predicted contacts. At the predicted poses its surfaces
 * may be apart only because the pull is missing. Contacts of balls are found even at a distance. */
static bool misses(const solving *v, int kind, int64_t row)
{
	const pair_list *l = v->s->pair + kind;
	const contact_ref o = {kind, l->ca[row], l->cb[row], -1, 0, row};
	return l->stiff[row] > 0 && !v->of->of_row[kind][row] &&
		   scree_constraint_constants(v, &o)->cohesion != COHESION_NONE;
}

static bool misses_here(const model *m, state *s, work *w)
{
	const solving v = solving_of(m, s, w);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		if (!scree_pair_kinds[kind].patch || l->rows) continue; /* rows with several contacts are not searched again */
		for (int32_t p = 0; p < l->pieces; ++p)
			for (int64_t k = l->base[p]; k < l->base[p] + l->used[p]; ++k)
				if (misses(&v, kind, k)) return true;
	}
	return false;
}

bool scree_implicit_misses(const model *m, state *s, work *w)
{
	return scree_domain_any(&w->domain, misses_here(m, s, w));
}

velocity_pair *scree_implicit_still(const state *s, work *w)
{
	velocity_pair *aim = w->solver->of.aim;
	for (int64_t i = 0; i < s->body.count; ++i) aim[i] = (velocity_pair){{0, 0, 0}, {0, 0, 0}};
	return aim;
}

bool scree_implicit_more(const model *m, state *s, work *w, bool held)
{
	solving v = solving_of(m, s, w);
	const int64_t had = v.of->count;
	if (!scree_constraints_add(&v, held ? HELD : WORTH)) return false;
	scree_constraints_set(&v, had);
	scree_constraints_solve(&v);
	return true;
}

real scree_hard_shear(const model *m, const state *s, const work *w, int kind, int64_t k)
{
	const pair_list *l = s->pair + kind;
	const bodies *b = &s->body;
	const contact_work *found = &w->pair[kind].contact;
	const bool on_wall = pair_on_wall(kind);
	const real mass = on_wall ? b->mass[l->ca[k]] : 1 / (b->inv_mass[l->ca[k]] + b->inv_mass[l->cb[k]]);
	const solving v = {.m = m, .h = m->dt};
	contact_constants c = {0};
	constraint_harden(&v, &c, mass * contact_share(found, k) * (on_wall ? contact_part(found, k) : 1), kind);
	return c.shear;
}

void scree_implicit_end(const model *m, state *s, work *w)
{
	solving v = solving_of(m, s, w);
	scree_yielding_end(&v);
	scree_constraints_keep(&v);
	scree_yielding_start(&v);
	scree_constraints_forces(&v);
	s->impulse.sweeps += v.of->sweeps;
	s->impulse.capped += v.of->capped;
	s->impulse.solved += v.of->pressed;
	s->impulse.unsolved += v.of->left * v.of->pressed;
	s->impulse.window_solved += v.of->pressed;
	s->impulse.window_unsolved += v.of->left * v.of->pressed;
}
