/* held: stops a run in which a held body meets something with which it cannot make contact (world/held.h). Held bodies
 * and prescribed walls keep their velocities, so they would pass through each other. */
#include "guard/guard.h"

#include "base/memory.h"
#include "model/model.h"
#include "state/state.h"
#include "work/work.h"
#include "world/held.h"

#include <stdio.h>

static bool report(const model *m, const state *s, work *w, const held_meeting *x)
{
	char partner[96];
	if (x->wall >= 0)
		snprintf(partner, sizeof partner, "wall %s", m->wall.row[x->wall].name);
	else
		snprintf(partner, sizeof partner, "held body %llu", (unsigned long long)x->other);
	return scree_fail(
		&w->why, FAIL_GUARD,
		"held body %llu runs into %s at %.3g m/s, t = %.6g s, but they do not interact: held bodies touch only bodies "
		"that move, free walls and servos: let the body move, or end its motion earlier",
		(unsigned long long)x->id, partner, x->speed, s->time);
}

/* Tests whether any part of the world has held bodies. Most worlds have none, and need no list of held bodies. */
static bool has_held(const bodies *b, const domain *d)
{
	fixed held = {0};
	for (int32_t i = 0; i < b->owned; ++i) held.quanta += b->inv_mass[i] == 0;
	d->by->add(d->at, 1, &held);
	return held.quanta > 0;
}

bool scree_held_hold(const model *m, const state *s, work *w)
{
	int64_t count;
	held_meeting found;
	if (!has_held(&s->body, &w->domain)) return true;
	held_row *row = scree_held_rows(m, s, &w->domain, &count);
	const bool meet = scree_held_meet(m, s->wall, count, row, &found);
	scree_free(row);
	return !meet || report(m, s, w, &found);
}
