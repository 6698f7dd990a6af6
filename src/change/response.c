/* response: switches to another response of contacts between two steps: forces, implicit steps or hard contacts. All
 * three store springs of friction, rolling and twisting, half a step or a whole step ahead of the state. Springs of
 * contacts that overlap now are taken back to the time of the state, at which the new response evaluates the contacts,
 * as in an extra step. Springs of hard contacts have a different stiffness and keep their force. Impulses of the last
 * step are used only by implicit steps; the counts of their solver are totals over the run. Energies of contacts are
 * computed for the new response; the difference is entered as `brought` (changes.c). */
#include "change/change.h"

#include "base/memory.h"
#include "choices/choices.h"
#include "kernel/law_constants.h"
#include "law/stage.h"
#include "model/respond.h"
#include "motion/stage.h"
#include "prepare/prepare.h"
#include "solver/stage.h"
#include "state/pairs.h"
#include "step/step.h"
#include "sum/stage.h"
#include "world/world.h"

#include <string.h>

/* An operation on contact row k of a list. */
typedef void row_fn(const model *m, const state *s, const work *w, int kind, int64_t k);

static void each_contact(row_fn *f, const model *m, const state *s, const work *w)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		for (contact_walk c = contact_first(s->pair + kind); contact_more(s->pair + kind, &c); ++c.row)
			f(m, s, w, kind, c.row);
}

/* ------------------------------------------------------------------ springs along the surface */

/* stiffness of the spring along the surface of contact row k, in N/m; 0 if there is none */
static real shear_of(const model *m, const state *s, const work *w, int kind, int64_t k)
{
	const law_constants *of = scree_contact_constants(m, s, kind, k);
	if (m->hard) return scree_hard_shear(m, s, w, kind, k);
	return of->law == LAW_POWER ? 0 : of->shear * s->pair[kind].stiff[k];
}

static void scale_spring(const pair_list *l, int64_t k, real by)
{
	l->sx[k] *= by, l->sy[k] *= by, l->sz[k] *= by;
	if (l->remembers & REMEMBERS_ACCOUNT) l->spun[k] *= by;
}

/* Converts a spring to its force, in N, which is kept when its stiffness changes. */
static void spring_to_force(const model *m, const state *s, const work *w, int kind, int64_t k)
{
	scale_spring(s->pair + kind, k, shear_of(m, s, w, kind, k));
}

static void force_to_spring(const model *m, const state *s, const work *w, int kind, int64_t k)
{
	const pair_list *l = s->pair + kind;
	const real stiff = shear_of(m, s, w, kind, k);
	scale_spring(l, k, stiff > 0 ? 1 / stiff : 0);
	if (m->hard && l->stiff[k] > 0) l->stiff[k] = 1; /* linear springs have the scale 1 */
}

/* Hard contacts have no springs for rolling and twisting. */
static void end_turning(const model *m, const state *s, const work *w, int kind, int64_t k)
{
	(void)m, (void)w;
	const pair_list *l = s->pair + kind;
	if (l->remembers & REMEMBERS_TURNS) l->rx[k] = l->ry[k] = l->rz[k] = l->twist[k] = l->rolled[k] = l->twisted[k] = 0;
}

/* ------------------------------------------------------------------ the change */

/* Moves an account to the time of the state, where it does not depend on the length of the step. */
static void account_to_now(const model *m, const state *s, const work *w, int kind, int64_t k)
{
	(void)w;
	const pair_list *l = s->pair + kind;
	if (!(l->remembers & REMEMBERS_ACCOUNT)) return;
	l->lost_normal[k] -= m->dt / 2 * l->heat[k];
	l->work[k] -= m->dt / 2 * l->power[k];
	l->heat[k] = l->power[k] = 0;
}

/* Finds contacts at the current positions, as explicit steps do; ends implicit contacts that do not overlap there. */
static void springs_to_now(model *m, state *s, work *w)
{
	const response *by = m->response;
	const bool ahead = m->implicit;
	if (ahead) model_respond(m, scree_response_row(0));
	if (scree_domain_any(&w->domain, ahead || w->skin.stale)) /* contacts of a loaded world have no geometry yet */
		scree_contacts_of_now(m, s, w);
	else
		scree_contacts_read(m, s, w);
	scree_contacts_shift(m, s, w, ahead ? -m->dt : -m->dt / 2);
	if (!ahead) scree_bonds_shift(m, s, -m->dt / 2);
	scree_contacts_to_shares(m, s, w);
	model_respond(m, by);
	each_contact(account_to_now, m, s, w);
}

/* Impulses are proportional to the length of the step. */
static void restep_impulses(state *s, real before, real after)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		pair_list *l = s->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row)
			scree_contact_restep(l, c.row, before, after);
	}
}

bool scree_response_change(scree_world *o, const new_response *to, bool between, const response **came, fail *why)
{
	model *m = &o->model;
	state *s = &o->state;
	work *w = &o->work;
	const real dt = m->dt;
	const bool keeps_force = m->hard != to->by->hard;
	*came = m->response;
	SCREE_ASSERT(!m->solver && !scree_solver_of(to->by));
	if (s->begun) springs_to_now(m, s, w);
	if (s->begun && keeps_force) each_contact(spring_to_force, m, s, w);
	if (s->begun) scree_time_restep(m, s);
	model_respond(m, to->by);
	if (!(between ? scree_world_prepare_between(o, why) : scree_world_prepare_step(o, to->part, to->step, why)))
		return false;
	if (!m->implicit) scree_bodies_ahead_free(&w->ahead);
	s->impulse.window_solved = s->impulse.window_unsolved = 0;
	if (!s->begun) return true;
	restep_impulses(s, dt, m->dt);
	if (m->hard && keeps_force) each_contact(force_to_spring, m, s, w);
	if (m->hard) each_contact(end_turning, m, s, w);
	return true;
}

/* ------------------------------------------------------------------ the first forces */

/* springs of one kind, by contact row */
typedef struct kept_springs {
	real *of[4];
} kept_springs;

static void columns_of(const pair_list *l, real *to[4])
{
	real *const all[4] = {l->sx, l->sy, l->sz, l->remembers & REMEMBERS_ACCOUNT ? l->spun : NULL};
	memcpy(to, all, sizeof all);
}

static int64_t rows_of(const pair_list *l) { return l->pieces ? l->base[l->pieces] : 0; }

static kept_springs take_springs(pair_list *l)
{
	kept_springs o;
	real *column[4];
	columns_of(l, column);
	for (int c = 0; c < 4; ++c) {
		const size_t rows = column[c] ? (size_t)rows_of(l) : 0;
		o.of[c] = scree_copy(column[c], rows, sizeof(real));
		if (rows) memset(column[c], 0, rows * sizeof(real));
	}
	return o;
}

static void put_springs(pair_list *l, const kept_springs *o)
{
	real *column[4];
	columns_of(l, column);
	for (int c = 0; c < 4; ++c) {
		if (column[c] && rows_of(l)) memcpy(column[c], o->of[c], (size_t)rows_of(l) * sizeof(real));
		scree_free(o->of[c]);
	}
}

/* Evaluates twice, since the stiffness given by the law is known only after the first evaluation. */
static void evaluate_after_hard(const model *m, state *s, work *w)
{
	kept_springs of[PAIR_KINDS];
	for (int kind = 0; kind < PAIR_KINDS; ++kind) of[kind] = take_springs(s->pair + kind);
	scree_contacts_evaluate(m, s, w, m->dt / 2);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) put_springs(s->pair + kind, of + kind);
	each_contact(force_to_spring, m, s, w);
	scree_sums_forget(w);
}

/* energy of a spring of friction, in J, which an implicit step omits if bodies did not move (constraint_results.c) */
static void fill_spring(const model *m, const state *s, const work *w, int kind, int64_t k)
{
	const pair_list *l = s->pair + kind;
	const vec3 bent = v3(l->sx[k], l->sy[k], l->sz[k]);
	const real all = v3_norm2(bent) + l->spun[k] * l->spun[k];
	l->bent[k] = all > 0 ? shear_of(m, s, w, kind, k) / 2 * all : 0;
}

/* In implicit steps, predicting contacts moves rows of pairs with several; sums are settled later (changes.c). */
void scree_response_evaluate(const model *m, state *s, work *w, const response *came)
{
	if (m->implicit) {
		scree_contacts_answer(m, s, w, s->time);
		each_contact(fill_spring, m, s, w);
		return;
	}
	if (came && came->hard) evaluate_after_hard(m, s, w);
	scree_contacts_evaluate(m, s, w, m->dt / 2);
}
