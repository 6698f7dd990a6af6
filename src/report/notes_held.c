/* notes_held: held bodies keep their velocities, and prescribed motions of walls are functions of time. So a note
 * before a run can say when held bodies will meet something with which they make no contact. */
#include "report/notes.h"

#include "world/held.h"
#include "world/world.h"

#include <string.h>

enum { TIMES = 1000, LEAST_TIMES = 10 };
static const real MOST_TESTS = 5e6; /* limit on tests of bodies against walls and facets */

static void print(FILE *to, const model *m, const held_meeting *x, real time)
{
	if (x->wall >= 0)
		scree_print(to, "warning: held body %llu runs into wall %s before t = %.3g s, and they do not interact",
					(unsigned long long)x->id, m->wall.row[x->wall].name, time);
	else
		fprintf(to,
				"warning: held bodies %llu and %llu run into each other before t = %.3g s, and they do not interact",
				(unsigned long long)x->id, (unsigned long long)x->other, time);
	fprintf(to, ": the run stops there; let bodies move, or end their motion earlier\n");
}

/* number of instants to test */
static int64_t times_of(const model *m, int64_t count)
{
	int64_t walls = 1;
	for (int32_t k = 0; k < m->wall.count; ++k) walls += 1 + m->wall.row[k].facets;
	const real most = MOST_TESTS / ((real)count * (real)walls);
	return most > TIMES ? TIMES : most > LEAST_TIMES ? (int64_t)most : LEAST_TIMES;
}

static bool anything_moves(const model *m, int64_t count, const held_row *row)
{
	bool any = false;
	for (int32_t k = 0; k < m->wall.count; ++k)
		any |= m->wall.row[k].motion.type != MOTION_STILL && !motion_is_driven(m->wall.row[k].motion.type);
	for (int64_t n = 0; n < count; ++n) any |= v3_norm2(row[n].velocity) > 0;
	return any;
}

void scree_notes_print_held(FILE *to, const scree_world *w, real until)
{
	const model *m = &w->model;
	const real now = w->state.time;
	int64_t count;
	held_row *row = scree_held_rows(m, &w->state, &w->work.domain, &count);
	if (count && until > now && anything_moves(m, count, row)) {
		const int64_t times = times_of(m, count);
		const real step = (until - now) / (real)times;
		const size_t size = (size_t)m->wall.count * sizeof(wall_state);
		wall_state *wall = scree_alloc((size_t)m->wall.count + 1, sizeof *wall);
		held_meeting found = {0};
		if (size) memcpy(wall, w->state.wall, size);
		for (int64_t k = 0; k <= times && !found.id; ++k) {
			for (int64_t n = 0; n < count && k; ++n) row[n].at = v3_madd(row[n].at, step, row[n].velocity);
			scree_walls_move(&m->wall, wall, now + (real)k * step);
			if (scree_held_meet(m, wall, count, row, &found)) print(to, m, &found, now + (real)k * step);
		}
		scree_free(wall);
	}
	scree_free(row);
}
