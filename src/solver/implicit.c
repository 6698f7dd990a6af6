/* implicit: impulses of all contacts of a step with the material's own compliance, so that steps may last as long as a
 * contact (docs/theory/implicit.md).
 *
 * in   contacts ahead; velocities at the half step; external forces
 * out  forces on bodies and loads of walls; impulses and accounts of contacts
 *
 * The unknowns are the velocities of the next half step. */
#include "solver/stage.h"

#include "solver/constraints.h"
#include "solver/work.h"
#include "work/ways_ahead.h"

/* overlap over the radius of the smaller body from which a further search adds a contact */
static const real WORTH = (real)1e-4;

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
	scree_constraints_sweep(&v);
}

velocity_pair *scree_implicit_velocities(const state *s, work *w)
{
	struct constraints *c = &w->solver->of;
	for (int64_t i = 0; i < s->body.count; ++i)
		c->aim[i] = (velocity_pair){c->body[i].velocity, c->body[i].angular_velocity};
	return c->aim;
}

bool scree_implicit_more(const model *m, state *s, work *w)
{
	solving v = solving_of(m, s, w);
	const int64_t had = v.of->count;
	const int64_t added = scree_constraints_add(&v, WORTH);
	if (!added) return false;
	scree_constraints_set(&v, had);
	scree_constraints_sweep(&v);
	return true;
}

void scree_implicit_end(const model *m, state *s, work *w)
{
	solving v = solving_of(m, s, w);
	scree_constraints_keep(&v);
	scree_constraints_forces(&v);
	s->impulse.sweeps += v.of->sweeps;
	s->impulse.capped += v.of->capped;
	s->impulse.solved += v.of->pressed;
	s->impulse.unsolved += v.of->left * v.of->pressed;
	s->impulse.window_solved += v.of->pressed;
	s->impulse.window_unsolved += v.of->left * v.of->pressed;
}
