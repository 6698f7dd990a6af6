/* bodies_to_records: packs the data of partners that the next stages need (work/work.h). The drift packs the bodies
 * that it moves. All bodies are packed again after the search for pairs has sorted them. */
#include "motion/moving.h"

#include "base/lanes.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "motion/stage.h"
#include "world/world.h"

#include <stddef.h>

#ifdef SCREE_LANES
_Static_assert(offsetof(body_record, angular_velocity) == 64 && offsetof(body_record, cell) == 112,
			   "packed fields have fixed offsets");

/* Packs eight bodies at a time in worlds without cells. Returns the first body that was not packed. */
static int64_t pack_eights(const bodies *b, const int32_t *of, body_record *record, int64_t from, int64_t to)
{
	const real *const head[8] = {b->x, b->y, b->z, b->round, b->vx, b->vy, b->vz, b->inv_mass};
	const real *const tail[5] = {b->wx, b->wy, b->wz, b->mass, b->radius};
	for (; from + 8 <= to; from += 8) {
		lanes first[8], second[8] = {{0}};
		for (int c = 0; c < 8; ++c) first[c] = *(const lanes_anywhere *)(const void *)(head[c] + from);
		for (int c = 0; c < 5; ++c) second[c] = *(const lanes_anywhere *)(const void *)(tail[c] + from);
		for (int i = 0; i < 8; ++i)
			second[5][i] = (uint64_t)(uint32_t)b->material[from + i] | (uint64_t)(uint32_t)b->shape[from + i] << 32;
		lanes_transpose(first);
		lanes_transpose(second);
		for (int i = 0; i < 8; ++i) {
			lanes *r = (lanes *)(void *)(record + (of ? of[from + i] : from + i));
			r[0] = first[i];
			r[1] = second[i];
		}
	}
	return from;
}
#endif

void scree_pack_records(SCREE_UNUSED const model *m, const bodies *all, const int32_t *of, body_record *record,
						int64_t from, int64_t to)
{
	const bodies o = *all, *b = &o;
#ifdef SCREE_LANES
	if (!m->period.on) from = pack_eights(b, of, record, from, to);
#endif
	for (int64_t i = from; i < to; ++i) {
		body_record *r = record + (of ? of[i] : i);
		r->position = v3(b->x[i], b->y[i], b->z[i]);
		r->radius = b->radius[i];
		r->velocity = v3(b->vx[i], b->vy[i], b->vz[i]);
		r->inv_mass = b->inv_mass[i];
		r->angular_velocity = v3(b->wx[i], b->wy[i], b->wz[i]);
		r->mass = b->mass[i];
		r->round = b->round[i];
		r->material = b->material[i];
		r->shape = b->shape[i];
	}
}

void scree_records_room(state *s, work *w)
{
	if (w->records >= s->body.count) return;
	scree_free(w->record);
	w->records = s->body.capacity;
	w->record = scree_alloc((size_t)w->records, sizeof *w->record);
}

static void pack(void *what, int64_t from, int64_t to, SCREE_UNUSED int thread)
{
	const kind_job *j = what;
	const bodies *b = &j->s->body;
	scree_pack_records(j->m, b, NULL, j->w->record, from, to);
	for (int64_t i = from; j->m->period.on && i < to; ++i) j->w->record[i].cell = body_cell(b, (int32_t)i);
}

void scree_ghosts_to_records(const model *m, state *s, work *w)
{
	kind_job j = {.m = m, .s = s, .w = w};
	pack(&j, s->body.owned, s->body.count, 0);
}

void scree_bodies_to_records(const model *m, state *s, work *w)
{
	scree_records_room(s, w);
	kind_job j = {.m = m, .s = s, .w = w};
	scree_parallel(pack, &j, s->body.count, 4096);
}
