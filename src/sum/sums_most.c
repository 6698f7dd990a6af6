/* sums_most: what the contacts of a step can do to a body at most, before their sums are taken: the greatest load of a
 * contact, as often as the body has contact rows. */
#include "stages.h"

#include "base/memory.h"
#include "kernel/contact_quanta.h"

/* loads are rounded to quanta; sums of absolute values are kept over SUMS_COARSER, of 46 bits (docs/theory/sums.md) */
static const real A_LITTLE_MORE = (real)1.001, HELD = (real)4e18;

static void count_one(sums *s, int32_t i) { s->rows[i] += 1; }

static void count_rows(scree_world *w)
{
	sums *s = &w->sums;
	const bodies *b = &w->body;
	if (s->rows_room < b->count) {
		scree_free(s->rows);
		s->rows_room = b->capacity;
		s->rows = scree_alloc((size_t)s->rows_room, sizeof *s->rows);
	}
	for (int32_t i = 0; i < b->count; ++i) s->rows[i] = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = w->pair + kind;
		for (int32_t p = 0; p < l->pieces; ++p)
			for (int64_t k = l->base[p]; k < l->base[p] + l->used[p]; ++k) {
				count_one(s, l->ca[k]);
				if (!pair_on_wall(kind)) count_one(s, l->cb[k]);
			}
	}
	s->rows_most = 0;
	s->rows_by_mass = 0;
	for (int32_t i = 0; i < b->owned; ++i) {
		s->rows_by_mass = real_max(s->rows_by_mass, (real)s->rows[i] * b->inv_mass[i]);
		bool wide = s->wide && s->wide[i] >= 0;
		if (!wide && s->rows[i] > s->rows_most) s->rows_most = s->rows[i];
	}
}

/* rows of a slot that may have several come and go in any step */
static bool rows_vary(const scree_world *w)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		if (w->pair[kind].rows) return true;
	return false;
}

real scree_sums_most(scree_world *w)
{
	sums *s = &w->sums;
	if (!s->counted || rows_vary(w)) count_rows(w);
	s->counted = true;
	const real load = A_LITTLE_MORE * s->most + (real)SUMS_COARSER;
	return (real)s->rows_most * load < HELD ? s->rows_by_mass * load * s->force_quantum : (real)INFINITY;
}
