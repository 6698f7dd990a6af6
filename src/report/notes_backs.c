/* notes_backs: bodies that start behind walls that act only on the other side. A guard would stop the run when they
 * pass through a wall; this note warns before the run. */
#include "report/notes.h"

#include "narrow/narrow.h"
#include "population/population.h"
#include "prepare/wall_defects.h"
#include "world/world.h"

enum { PLACES = 64, BODIES = 256 }; /* number of positions and of bodies tested */

/* whether notes.c already reports the wall as an open mesh that is inside out */
static bool is_reported(const scree_world *w, int32_t row)
{
	wall_defects all = scree_wall_defects(&w->model, &w->state, &w->work.domain, row);
	for (int k = 0; k < all.count; ++k)
		if (all.row[k].weight <= DEFECT_WARNED) return true;
	return false;
}

static const char *cure(const wall *o)
{
	if (o->type != WALL_FACETS) return o->side == SIDE_INSIDE ? "set side: outside" : "set side: inside";
	return o->facets > 1 ? "set flip: true in mesh, or two_sided: true"
						 : "reverse the order of its points, or set two_sided: true";
}

static void print_walls(FILE *to, const scree_world *w, const char *subject, int32_t tested, const int32_t *hits)
{
	for (int32_t k = 0; k < w->model.wall.count; ++k) {
		if (!hits[k] || is_reported(w, k)) continue;
		scree_print(to, "warning: %s ", subject);
		if (hits[k] < tested) fprintf(to, "(%.0f %% of them) ", 100.0 * hits[k] / tested);
		scree_print(to, "start behind wall %s, which acts only on its other side, and fall through it: %s\n",
					w->model.wall.row[k].name, cure(w->model.wall.row + k));
	}
}

static void note_source(FILE *to, const scree_world *w, const source *s, int32_t *hits)
{
	char subject[80];
	random_stream r = scree_random_start(s->seed, 6ull << 32); /* a stream not used for bodies */
	real radius = scree_source_smallest(&w->model, s);
	for (int k = 0; k < PLACES; ++k) {
		int32_t wall = scree_falls_to_back(&w->model, &w->state, scree_region_draw(&s->where, &r, radius), s->velocity);
		if (wall < 0) return;
		hits[wall] += 1;
	}
	snprintf(subject, sizeof subject, "bodies of %s", s->name);
	print_walls(to, w, subject, PLACES, hits);
}

/* Tests whether all sampled bodies of this part fall through a wall. The sample depends on ids only. */
static bool all_fall(const scree_world *w, uint64_t stride, int32_t *tested, int32_t *hits)
{
	const bodies *b = &w->state.body;
	for (int32_t i = 0; i < b->owned; ++i) {
		if (b->id[i] % stride || (b->flags[i] & BODY_HELD)) continue;
		int32_t wall = scree_falls_to_back(&w->model, &w->state, body_position(b, i), body_velocity(b, i));
		if (wall < 0) return false;
		hits[wall] += 1;
		*tested += 1;
	}
	return true;
}

static void note_bodies(FILE *to, const scree_world *w, int32_t *hits)
{
	int32_t tested = 0;
	const bool some_do_not = !all_fall(w, 1 + (uint64_t)(scree_world_bodies(w) / BODIES), &tested, hits);
	if (scree_world_sum(w, some_do_not)) return;
	for (int32_t k = 0; k < w->model.wall.count; ++k) hits[k] = (int32_t)scree_world_sum(w, hits[k]);
	print_walls(to, w, "all bodies", (int32_t)scree_world_sum(w, tested), hits);
}

void scree_notes_print_backs(FILE *to, const scree_world *w)
{
	if (w->state.begun) return;
	for (int32_t k = -1; k < w->model.population.sources; ++k) {
		int32_t *hits = scree_alloc((size_t)w->model.wall.count, sizeof *hits);
		if (k < 0)
			note_bodies(to, w, hits);
		else
			note_source(to, w, w->model.population.source + k, hits);
		scree_free(hits);
	}
}
