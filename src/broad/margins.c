/* margins: the displacements up to which contact rows remain valid. */
#include "broad/work.h"

#include "base/parallel.h"
#include "world/world.h"

/* inner margins are chosen like the margins of pairs, but for fewer steps, and never exceed the margins of pairs */
static void inner_piece(void *what, int64_t from, int64_t to, SCREE_UNUSED int thread)
{
	const kind_job *j = what;
	const bodies o = j->s->body, *b = &o;
	/* a device has rows for all pairs, as long as these are valid */
	const real least = j->w->device ? INFINITY : j->w->skin.inner / 2, dt = j->m->dt;
	const real steps = MARGIN_STEPS / (j->m->solver ? ROWS_PART_FAST : ROWS_PART);
#pragma omp simd
	for (int64_t i = from; i < to; ++i)
		b->inner[i] = real_min(b->way[i] + real_max(least, steps * way_ahead(b, i, dt)), b->margin[i]);
}

/* Implicit steps search for contacts at predicted poses. */
static void reach_ahead(const model *m, state *s, const work *w)
{
	bodies *b = &s->body;
	const real more = more_ahead(m, s);
	for (int32_t i = 0; i < b->count; ++i) {
		const real need = need_ahead(most_ahead(b, i, w->ahead.drifted, more, m->dt));
		b->inner[i] = real_max(b->inner[i], real_min(b->way[i] + AHEAD_STEPS_ROWS * need, b->margin[i]));
	}
}

void scree_rows_margins(const model *m, state *s, work *w)
{
	kind_job j = {.m = m, .s = s, .w = w};
	scree_parallel(inner_piece, &j, s->body.count, 4096);
	if (m->implicit) reach_ahead(m, s, w);
}
