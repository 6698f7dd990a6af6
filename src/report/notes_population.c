/* notes_population: sources that cannot place their bodies, and sinks that remove all bodies. All notes are derived
 * from the state, so a resumed run prints the same notes. */
#include "report/notes.h"

#include "narrow/narrow.h"
#include "population/population.h"
#include "world/world.h"

enum { PLACES = 256 };
enum { BLOCKED, BEHIND }; /* flags for the reports already made on a source, stored in `told` of the work */

/* prints what blocks the next body */
static void print_cause(FILE *to, const scree_world *w, int32_t k)
{
	const source *s = w->model.population.source + k;
	source_look look = scree_source_look(&w->model, &w->state, s, scree_source_next(&w->model, &w->state, k), PLACES,
										 true, scree_ball_meets_wall);
	double part = 100.0 / look.places;
	fprintf(to, "; of the positions in its region %.0f %% touch bodies, %.0f %% touch walls or lie behind them",
			part * look.on_bodies, part * look.on_walls);
	if (look.wall >= 0) scree_print(to, " (most often wall %s)", w->model.wall.row[look.wall].name);
	if (look.outside) fprintf(to, ", %.0f %% are outside the domain", part * look.outside);
	fprintf(to, ": %s\n",
			look.on_bodies > look.on_walls ? "lower its rate, or let bodies leave the region faster"
										   : "move or enlarge the region");
}

void scree_notes_print_sources(FILE *to, const scree_world *w)
{
	for (int32_t k = 0; !w->state.begun && k < w->model.population.sources; ++k) {
		const source *s = w->model.population.source + k;
		real radius = scree_source_smallest(&w->model, s);
		source_look look = scree_source_look(&w->model, &w->state, s, radius, PLACES, false, scree_ball_meets_wall);
		if (look.outside)
			scree_print(to, "warning: %s: %.0f %% of its region is outside the domain, where bodies are lost\n",
						s->name, 100.0 * look.outside / look.places);
		if (look.on_walls == look.places - look.outside)
			scree_print(to,
						"warning: %s: no body (%.3g m across) fits into the region unless walls move: bodies touch a "
						"wall, or lie behind one, most often wall %s\n",
						s->name, 2 * radius, w->model.wall.row[look.wall].name);
	}
}

static bool is_newly_blocked(const scree_world *w, int32_t k)
{
	return !w->work.told[2 * k + BLOCKED] &&
		   scree_source_waits(w->model.population.source + k, w->state.source + k, w->model.dt) > 0;
}

/* Tests whether a source has begun to fall behind its rate. A short delay is normal if bodies must leave first. */
static bool is_newly_behind(const scree_world *w, int32_t k)
{
	enum { FEW = 10, TENTH = 10 };
	if (w->work.told[2 * k + BEHIND] || w->work.told[2 * k + BLOCKED] || is_newly_blocked(w, k)) return false;
	const source_state *now = w->state.source + k;
	const int64_t due = scree_source_expected(w->model.population.source + k, now, w->state.time);
	return due - now->made > (due > FEW * TENTH ? due / TENTH : FEW);
}

bool scree_notes_blocked(const scree_world *w)
{
	for (int32_t k = 0; k < w->model.population.sources; ++k)
		if (is_newly_blocked(w, k) || is_newly_behind(w, k)) return true;
	return false;
}

static void print_behind(FILE *to, scree_world *w, int32_t k)
{
	const source *s = w->model.population.source + k;
	const source_state *now = w->state.source + k;
	if (!is_newly_behind(w, k)) return;
	w->work.told[2 * k + BEHIND] = true;
	scree_print(to, "warning: %s falls behind its rate of %.4g %s: %lld of %lld bodies placed at %.4g s", s->name,
				s->mass_rate > 0 ? s->mass_rate : s->rate, s->mass_rate > 0 ? "kg/s" : "1/s", (long long)now->made,
				(long long)scree_source_expected(s, now, w->state.time), w->state.time);
	print_cause(to, w, k);
}

void scree_notes_print_blocked(FILE *to, scree_world *w)
{
	for (int32_t k = 0; k < w->model.population.sources; ++k) {
		const source *s = w->model.population.source + k;
		const source_state *now = w->state.source + k;
		print_behind(to, w, k);
		if (!is_newly_blocked(w, k)) continue;
		w->work.told[2 * k + BLOCKED] = true;
		scree_print(to, "warning: %s has been blocked since %.4g s: %lld of %lld bodies placed at %.4g s", s->name,
					real_max(w->state.time - scree_source_waits(s, now, w->model.dt), s->from), (long long)now->made,
					(long long)scree_source_expected(s, now, w->state.time), w->state.time);
		print_cause(to, w, k);
	}
}

void scree_notes_close_sources(FILE *to, const scree_world *w)
{
	for (int32_t k = 0; k < w->model.population.sources; ++k) {
		const source *s = w->model.population.source + k;
		const source_state *now = w->state.source + k;
		int64_t due = scree_source_expected(s, now, w->state.time);
		real waits = scree_source_waits(s, now, w->model.dt);
		bool late = due - now->made > (due > 1000 ? due / 100 : 10);
		if (!late && !(waits > 0)) continue;
		scree_print(to, "warning: %s: %lld of %lld bodies placed", s->name, (long long)now->made, (long long)due);
		if (waits > 0)
			fprintf(to, "; blocked since %.4g s\n", real_max(w->state.time - waits, s->from));
		else
			fprintf(to, "; its region is too small for its rate of %.4g %s\n",
					s->mass_rate > 0 ? s->mass_rate : s->rate, s->mass_rate > 0 ? "kg/s" : "1/s");
	}
}

static int64_t bodies_in(const scree_world *w, const sink *s)
{
	int64_t found = 0;
	for (int32_t i = 0; i < w->state.body.owned; ++i)
		found += scree_sink_takes(s, body_position(&w->state.body, i)) ? 1 : 0;
	return scree_world_sum(w, found);
}

/* Number of random positions in a source's region that are also in a sink. */
static int32_t places_in(const scree_world *w, const source *from, const sink *s)
{
	random_stream r = scree_random_start(from->seed, 7ull << 32); /* a stream not used for bodies */
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
