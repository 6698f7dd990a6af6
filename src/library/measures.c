/* measures: properties of a packing, to compare runs. */
#include "library/internal.h"

#include "report/measures.h"
#include "scree/measures.h"

static double weight_of(const scree_world *w)
{
	const bodies *b = &w->state.body;
	const real g = v3_norm(w->model.gravity);
	fixed sum = {0};
	for (int32_t i = 0; i < b->owned; ++i) scree_fixed_add(&sum, b->inv_mass[i] > 0 ? g * b->mass[i] : 0);
	w->work.domain.by->add(w->work.domain.at, 1, &sum);
	return scree_fixed_value(sum);
}

scree_code scree_in_measure(scree_sim *s, scree_measures *out)
{
	scree_world *w = s->w;
	if (scree_sim_undivided(s)) return SCREE_BAD_INPUT;
	scree_sim_look(s);
	grains g = scree_grains(&w->model, &w->state);
	const packing inside = scree_packing(&g);
	*out = (scree_measures){.slope = scree_slope(&g, w->model.gravity),
							.fraction = inside.fraction,
							.density = inside.density,
							.weight = weight_of(w),
							.carried = scree_carried_by_walls(&w->model, &w->state, &w->work),
							.overlap = w->work.greatest_overlap_part,
							.mean = scree_world_mean_overlap(&w->model, &w->state, &w->work)};
	scree_free(g.row);
	return SCREE_DONE;
}

scree_code scree_in_wall_forces(scree_sim *s, double *force)
{
	scree_sim_look(s);
	scree_wall_normal_forces(&s->w->model, &s->w->state, &s->w->work, force);
	return SCREE_DONE;
}
