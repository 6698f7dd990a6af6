/* rows_margins: how far bodies may go before contact rows are chosen again. */
#include "broad/margins.h"

#include "base/parallel.h"

/* inner margins are chosen like those of pairs, for fewer steps; the margins of pairs limit them */
typedef struct inner_margins {
	const model *m;
	const state *s;
	const work *w;
} inner_margins;

static void inner_piece(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	const inner_margins *j = what;
	const model *m = j->m;
	const state *s = j->s;
	const work *w = j->w;
	const bodies o = s->body, *b = &o;
	const real least = w->skin.inner / 2, steps = MARGIN_STEPS / (m->solver ? ROWS_PART_FAST : ROWS_PART), dt = m->dt;
#pragma omp simd
	for (int64_t i = from; i < to; ++i)
		b->inner[i] = real_min(b->way[i] + real_max(least, steps * way_ahead(b, i, dt)), b->margin[i]);
}

/* Implicit steps look for contacts ahead. */
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
	inner_margins j = {.m = m, .s = s, .w = w};
	scree_parallel(inner_piece, &j, s->body.count, 4096);
	if (m->implicit) reach_ahead(m, s, w);
}
