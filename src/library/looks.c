/* looks: contacts that no step has found yet exist while they are read, and are hidden before the next change. */
#include "library/internal.h"

#include "guard/guard.h"
#include "prepare/prepare.h"

void scree_sim_touch(scree_sim *s)
{
	if (!s->shown) return;
	scree_world_hide_start(&s->w->model, &s->w->state, &s->w->work, &s->hidden);
	s->shown = false;
}

void scree_sim_look(scree_sim *s)
{
	if (s->shown || !s->fresh || scree_sim_check_rows(s, false)) return;
	s->shown = true;
	s->hidden = scree_world_show_start(&s->w->model, &s->w->state, &s->w->work);
}

/* Implicit steps keep all energies of contacts in their histories; to show the contacts of a loaded world solves them
 * again, for another time. */
void scree_sim_look_at_ledger(scree_sim *s)
{
	if (s->w->state.step > 0 && s->w->model.implicit)
		scree_sim_touch(s);
	else
		scree_sim_look(s);
}

void scree_sim_settle(scree_sim *s)
{
	if (!s->w->state.begun) scree_sim_look(s);
	scree_sim_touch(s);
}

bool scree_sim_holds_at_end(scree_sim *s)
{
	scree_world *w = s->w;
	scree_sim_look_at_ledger(s); /* a snapshot of the end has no energy of springs yet */
	return scree_held_hold(&w->model, &w->state, &w->work) &&
		   scree_solver_holds_at_end(&w->model, &w->state, &w->work) &&
		   scree_energy_holds_at_end(&w->model, &w->state, &w->work);
}
