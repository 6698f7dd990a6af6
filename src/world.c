/* world: creates and frees a world. */
#include "world/world.h"

#include "base/memory.h"
#include "broad/broad.h"
#include "broad/stage.h"
#include "choices/choices.h"
#include "model/integrator.h"
#include "model/narrow.h"
#include "model/respond.h"
#include "model/sharing.h"
#include "model/response.h"
#include "model/sources.h"
#include "motion/stage.h"
#include "narrow/stage.h"
#include "state/pairs.h"
#include "wall/facets.h"

scree_world *scree_world_new(void)
{
	scree_world *w = scree_alloc(1, sizeof *w);
	model_respond(&w->model, scree_response_row(0));
	w->model.search = scree_broad_row(0);
	w->model.narrow = scree_narrow_row(0);
	w->model.narrows = &scree_narrows;
	w->model.integrator = scree_integrator_row(0);
	w->model.share = scree_sharing_row(0);
	w->model.thickness = 1;
	w->model.temperature = (real)293.15;
	w->model.guard.lost_is_error = true;
	w->state.next_id = 1;
	w->work.skin.stale = true;
	memory_list *outer = scree_memory_now(); /* memory of the stages is freed even for a broken world */
	scree_memory_into(outer ? outer : &w->memory);
	w->state.pair = scree_alloc(PAIR_KINDS, sizeof *w->state.pair);
	w->work.broad = scree_broad_work_new();
	w->work.narrow = scree_narrow_work_new();
	w->work.solver = scree_solver_work_new();
	scree_memory_into(outer);
	w->work.domain = (domain){.by = &scree_domain_one, .first = true};
	return w;
}

static void free_parts(scree_world *w)
{
	scree_bodies_free(&w->state.body);
	scree_shapes_free(&w->model.shape);
	scree_materials_free(&w->model.material);
	for (int32_t k = 0; w->model.grid && k < w->model.wall.count; ++k) scree_facet_grid_free(w->model.grid[k]);
	scree_free(w->model.grid);
	scree_walls_free(&w->model.wall);
	scree_state_room_free(&w->state);
	scree_free(w->work.wall);
	scree_free(w->work.told);
	scree_free(w->work.load);
	scree_population_free(&w->model.population);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) scree_pair_list_free(w->state.pair + kind);
	scree_free(w->state.pair);
	scree_broad_work_free(w->work.broad);
	scree_narrow_work_free(w->work.narrow);
	scree_threads_free(&w->work);
	scree_free(w->work.flight.fly);
	scree_free(w->work.flight.near);
	scree_free(w->work.flight.of);
	scree_free(w->work.flight.before);
	scree_bodies_free(&w->work.flight.ground);
	scree_free(w->work.record);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		scree_pair_work_free(w->work.pair + kind);
		scree_free(w->work.near[kind].group);
		scree_free(w->work.near[kind].facet);
		scree_free(w->work.near[kind].piece);
	}
	scree_free(w->work.sums.wide);
	scree_free(w->work.sums.wide_set);
	for (int c = 0; c < 6; ++c) scree_free(w->work.applied.force[c]);
	scree_free(w->model.constants);
	scree_free(w->model.heat);
	scree_solver_work_free(w->work.solver);
	scree_bodies_ahead_free(&w->work.ahead);
}

void scree_world_free(scree_world *w)
{
	if (!w) return;
	if (w->work.device) w->work.device->close(w->work.device);
	if (!w->broken) free_parts(w); /* a broken world may have pointers to freed memory */
	scree_memory_drop(&w->memory);
	scree_free(w);
}
