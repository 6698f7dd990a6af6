/* ground: while some bodies fly, the others are copied to a contiguous store (work/flights.h). The others are few and
 * far apart in memory: each number read in their steps would cost a cache line. */
#include "motion/moving.h"

#include "base/parallel.h"
#include "model/model.h"
#include "state/state.h"
#include "work/work.h"

#include <string.h>

typedef struct job {
	const flights *f;
	bodies *all;
	bool back; /* copies values from `ground` to the rows of the bodies */
} job;

/* Tests whether stages of a step change this field; other fields are set when bodies are added and in searches. */
static bool moves(const field *o)
{
	return (o->at >= offsetof(bodies, x) && o->at <= offsetof(bodies, way)) ||
		   (o->at >= offsetof(bodies, cell_x) && o->at <= offsetof(bodies, cell_z));
}

static void list_grounded(flights *f, int32_t owned)
{
	bodies *b = &f->ground;
	int32_t count = 0;
	for (int64_t word = 0; word * FLIGHT_WORD < owned; ++word) {
		f->before[word] = count;
		const int64_t end = (word + 1) * FLIGHT_WORD < owned ? (word + 1) * FLIGHT_WORD : owned;
		count += (int32_t)rows_grounded(f, word * FLIGHT_WORD, end, f->of + count);
	}
	b->count = 0;
	scree_bodies_reserve(b, count);
	b->count = b->owned = count;
}

static void copy_fields(void *what, int64_t from, int64_t to, SCREE_UNUSED int thread)
{
	const job *j = what;
	const int32_t *of = j->f->of;
	for (int64_t n = from; n < to; ++n) {
		const field *o = scree_body_table.row + n;
		const size_t size = scree_kind_size(o->type);
		char *a = scree_field_array(j->all, o), *b = scree_field_array(&j->f->ground, o);
		if (j->back && !moves(o)) continue;
		for (int64_t k = 0; k < j->f->ground.owned; ++k) {
			char *there = a + (size_t)of[k] * size, *here = b + (size_t)k * size;
			memcpy(j->back ? there : here, j->back ? here : there, size);
		}
	}
}

static bool are_balls(const model *m)
{
	for (int32_t k = 0; k < m->shape.count; ++k)
		if (m->shape.row[k].type != SHAPE_SPHERE) return false;
	return !m->flat;
}

void scree_ground_take(const model *m, state *s, work *w)
{
	flights *f = &w->flight;
	job j = {f, &s->body, false};
	f->balls = are_balls(m);
	list_grounded(f, s->body.owned);
	scree_parallel(copy_fields, &j, scree_body_table.count, 1);
}

void scree_ground_put(state *s, work *w)
{
	job j = {&w->flight, &s->body, true};
	scree_parallel(copy_fields, &j, scree_body_table.count, 1);
}

void scree_ground_show_poses(state *s, const flights *f, bool before, int64_t from, int64_t to)
{
	const bodies *b = &f->ground, all = s->body, *a = &all;
	for (int64_t k = from; k < to; ++k) {
		const int64_t i = f->of[k];
		a->x[i] = b->x[k], a->y[i] = b->y[k], a->z[i] = b->z[k];
		a->way[i] = b->way[k];
		if (before) a->ox[i] = b->ox[k], a->oy[i] = b->oy[k], a->oz[i] = b->oz[k];
		if (!f->balls) a->qw[i] = b->qw[k], a->qx[i] = b->qx[k], a->qy[i] = b->qy[k], a->qz[i] = b->qz[k];
	}
	if (!f->balls) scree_ground_show_velocities(s, f, from, to);
}

void scree_ground_show_cell(state *s, const flights *f, int64_t k)
{
	const bodies *b = &f->ground, *a = &s->body;
	const int64_t i = f->of[k];
	a->cell_x[i] = b->cell_x[k], a->cell_y[i] = b->cell_y[k], a->cell_z[i] = b->cell_z[k];
}

void scree_ground_show_velocities(state *s, const flights *f, int64_t from, int64_t to)
{
	const bodies *b = &f->ground, all = s->body, *a = &all;
	for (int64_t k = from; k < to; ++k) {
		const int64_t i = f->of[k];
		a->vx[i] = b->vx[k], a->vy[i] = b->vy[k], a->vz[i] = b->vz[k];
		if (!f->balls) a->wx[i] = b->wx[k], a->wy[i] = b->wy[k], a->wz[i] = b->wz[k];
	}
}
