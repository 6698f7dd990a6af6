/* energy: the ledger, values recorded by the guards, the stress, and properties of a packing for comparing runs. */
#include "scree/measures.h"

#include "library/internal.h"

#include "guard/guard.h"
#include "report/measures.h"
#include "report/notes.h"
#include "world/world.h"

#include <string.h>

scree_code scree_in_ledger(scree_sim *s, scree_ledger *out)
{
	scree_sim_look_at_ledger(s);
	const energy_row e = scree_world_energy(&s->w->model, &s->w->state, &s->w->work);
	_Static_assert(offsetof(energy_row, residual) == offsetof(scree_ledger, residual), "the same columns");
	memcpy(out, &e, sizeof *out);
	scree_sim_as_first(s, sizeof *out / sizeof(double), &out->kinetic);
	return SCREE_DONE;
}

scree_code scree_in_guards(scree_sim *s, scree_guards *out)
{
	const scree_world *w = s->w;
	scree_sim_look(s);
	scree_world_watch(&w->model, &s->w->state, &s->w->work);
	const real overlap = real_max(w->work.greatest_overlap_ever, w->work.greatest_overlap_part);
	*out = (scree_guards){.overlap = overlap,
						  .overlap_limit = w->model.guard.overlap,
						  .speed = w->work.greatest_speed,
						  .speed_limit = w->model.guard.speed,
						  .energy = w->state.energy_guard.worst,
						  .energy_limit = w->model.guard.energy,
						  .method = w->state.energy_guard.worst_loss,
						  .method_limit = w->model.guard.method,
						  .step_used = w->work.heaviest.part,
						  .unsolved =
							  w->state.impulse.solved > 0 ? w->state.impulse.unsolved / w->state.impulse.solved : 0,
						  .lost = w->state.lost,
						  .stopped = s->stopped,
						  .unsafe = scree_notes_unsafe(w),
						  .run_overlap = real_max(w->state.greatest.overlap, overlap),
						  .run_speed = real_max(w->state.greatest.speed, w->work.greatest_speed),
						  .own_step = scree_world_follows(&w->model) ? w->model.own_step : 0};
	double *const read[] = {&out->overlap,	&out->speed,  &out->energy,		 &out->step_used,
							&out->unsolved, &out->method, &out->run_overlap, &out->run_speed};
	enum { READ = sizeof read / sizeof *read };
	double values[READ];
	for (int k = 0; k < READ; ++k) values[k] = *read[k];
	scree_sim_as_first(s, READ, values);
	for (int k = 0; k < READ; ++k) *read[k] = values[k];
	return SCREE_DONE;
}

scree_code scree_in_stress(scree_sim *s, double out[6])
{
	if (!s->w->model.period.on) return scree_sim_refuse(s, "only a world with periods has a stress");
	scree_sim_look(s);
	scree_world_stress(&s->w->model, &s->w->state, &s->w->work, out);
	scree_sim_as_first(s, 6, out);
	return SCREE_DONE;
}

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
