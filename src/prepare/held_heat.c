/* held_heat: held bodies make no contacts with each other or with walls at rest, so no heat flows between them. Worlds
 * with such contacts of conducting partners are refused, as are held bodies added or moved into such a contact. */
#include "base/memory.h"
#include "base/sort.h"
#include "model/model.h"
#include "prepare/internal.h"
#include "prepare/prepare.h"
#include "state/state.h"

/* A held body that conducts heat; for a clump, the ball around it. */
typedef struct held_row {
	uint64_t id;
	vec3 at;
	real radius;
} held_row;

static int by_x(const void *a, const void *b)
{
	const held_row *p = a, *q = b;
	const real x = p->at.x - p->radius, y = q->at.x - q->radius;
	return x != y ? (x > y) - (x < y) : (p->id > q->id) - (p->id < q->id);
}

static held_row *held_bodies(const model *m, const state *s, const domain *d, int64_t *count)
{
	const bodies *b = &s->body;
	held_row *here = scree_alloc((size_t)b->owned, sizeof *here);
	*count = 0;
	for (int32_t i = 0; i < b->owned; ++i)
		if (b->inv_mass[i] == 0 && m->material.row[b->material[i]].conductivity > 0)
			here[(*count)++] = (held_row){b->id[i], body_position(b, i), b->radius[i]};
	held_row *all = d->by->gather(d->at, count, sizeof *all, here);
	scree_sort_by(all, *count, sizeof *all, by_x);
	scree_free(here);
	return all;
}

static bool touch(const held_row *p, const held_row *q)
{
	const real reach = p->radius + q->radius;
	return v3_norm2(v3_sub(p->at, q->at)) < reach * reach;
}

/* Ids of the bodies to test: all others have already been tested. */
typedef struct newcomers {
	uint64_t first, last;
} newcomers;

static bool is_new(const newcomers *of, const held_row *row) { return row->id >= of->first && row->id <= of->last; }

static bool two_touch(const held_row *row, int64_t count, const newcomers *of, fail *why)
{
	for (int64_t k = 0; k < count; ++k)
		for (int64_t n = k + 1; n < count && row[n].at.x - row[n].radius < row[k].at.x + row[k].radius; ++n)
			if ((is_new(of, row + k) || is_new(of, row + n)) && touch(row + k, row + n))
				return scree_refuse(why,
									"held bodies %llu and %llu touch, and heat does not pass between held bodies: "
									"leave a gap between them, let bodies move, or replace the held bodies with a wall "
									"that has a temperature",
									(unsigned long long)row[k].id, (unsigned long long)row[n].id) ||
					   true;
	return false;
}

/* distance, in m, from a point to a wall at rest, where it is known: for planes, and inside and outside tubes */
static real distance_to(const wall *o, vec3 at)
{
	const vec3 from = v3_sub(at, o->point);
	if (o->type == WALL_PLANE) return v3_dot(from, o->axis);
	if (o->type != WALL_CYLINDER) return INFINITY;
	const real along = v3_dot(from, o->axis);
	if (along < 0 || along > o->length) return INFINITY;
	return real_abs(o->radius - v3_norm(v3_madd(from, -along, o->axis)));
}

static bool one_touches_wall(const model *m, const held_row *row, int64_t count, const newcomers *of, fail *why)
{
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const wall *o = m->wall.row + k;
		if (!o->conducts || o->motion.type != MOTION_STILL) continue;
		for (int64_t n = 0; n < count; ++n)
			if (is_new(of, row + n) && real_abs(distance_to(o, row[n].at)) < row[n].radius)
				return scree_refuse(why,
									"held body %llu touches wall '%s', and heat does not pass between them: leave a "
									"gap, let the body move, or remove the temperature of the wall",
									(unsigned long long)row[n].id, o->name) ||
					   true;
	}
	return false;
}

bool scree_world_held_heat_check_new(const model *m, const state *s, const domain *d, uint64_t first, uint64_t last,
									 fail *why)
{
	const newcomers of = {first, last};
	int64_t count;
	if (!scree_materials_conduct(&m->material)) return true;
	held_row *row = held_bodies(m, s, d, &count);
	const bool wrong = two_touch(row, count, &of, why) || one_touches_wall(m, row, count, &of, why);
	scree_free(row);
	return !wrong;
}
