/* notes_sinks: sinks that take all bodies, before a run and at its end. */
#include "report/notes.h"

#include "base/shown.h"
#include "population/population.h"
#include "world/world.h"

#include <stdio.h>

enum { PLACES = 256 };

static int64_t bodies_in(const scree_world *w, const sink *s)
{
	int64_t found = 0;
	for (int32_t i = 0; i < w->state.body.owned; ++i)
		found += scree_sink_takes(s, body_position(&w->state.body, i)) ? 1 : 0;
	return scree_world_sum(w, found);
}

/* The number of random positions in the region of a source that lie in a sink. */
static int32_t places_in(const scree_world *w, const source *from, const sink *s)
{
	random_stream r = scree_random_start(from->seed, 7ull << 32); /* a stream that no body uses */
	const real radius = scree_source_smallest(&w->model, from);
	int32_t found = 0;
	for (int32_t k = 0; k < PLACES; ++k)
		found += scree_sink_takes(s, scree_region_draw(&from->where, &r, radius)) ? 1 : 0;
	return found;
}

void scree_notes_print_sinks(FILE *to, const scree_world *w)
{
	for (int32_t k = 0; !w->state.begun && k < w->model.population.sinks; ++k) {
		const sink *s = w->model.population.sink + k;
		const int64_t found = bodies_in(w, s);
		if (found > 0 && found == scree_world_bodies(w))
			scree_print(to, "warning: %s removes all %lld bodies in the first step: move it, or the bodies\n", s->name,
						(long long)found);
		for (int32_t j = 0; j < w->model.population.sources; ++j) {
			const int32_t places = places_in(w, w->model.population.source + j, s);
			if (places > 0)
				scree_print(
					to, "warning: %s removes %.0f %% of the bodies of %s as soon as they appear: move one of the two\n",
					s->name, 100.0 * places / PLACES, w->model.population.source[j].name);
		}
	}
}

void scree_notes_close_sinks(FILE *to, const scree_world *w)
{
	if (scree_world_bodies(w) > 0) return;
	for (int32_t k = 0; k < w->model.population.sinks; ++k) {
		const int64_t taken = w->state.sink[k].taken;
		if (taken > 0)
			scree_print(to, "warning: no body is left: %s removed %lld of them\n", w->model.population.sink[k].name,
						(long long)taken);
	}
}
