/* bodies_to_records: what the next stages ask of partners, packed (state/record.h). The drift does it for the bodies at
 * hand; all are packed again where the search for pairs has put bodies into another order. */
#include "motion/records.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "stages.h"

void scree_pack_records(scree_world *w, int64_t from, int64_t to)
{
	const bodies all = w->body, *b = &all;
	for (int64_t i = from; i < to; ++i) {
		body_record *r = w->record + i;
		r->place = v3(b->x[i], b->y[i], b->z[i]);
		r->radius = b->radius[i];
		r->velocity = v3(b->vx[i], b->vy[i], b->vz[i]);
		r->inv_mass = b->inv_mass[i];
		r->spin = v3(b->wx[i], b->wy[i], b->wz[i]);
		r->mass = b->mass[i];
		r->round = b->round[i];
		r->material = b->material[i];
		r->shape = b->shape[i];
	}
}

void scree_records_room(scree_world *w)
{
	if (w->records >= w->body.count) return;
	scree_free(w->record);
	w->records = w->body.capacity;
	w->record = scree_alloc((size_t)w->records, sizeof *w->record);
}

static void pack(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	scree_world *w = what;
	scree_pack_records(w, from, to);
	for (int64_t i = from; w->period.on && i < to; ++i) w->record[i].cell = body_cell(&w->body, (int32_t)i);
}

void scree_ghosts_to_records(scree_world *w) { pack(w, w->body.owned, w->body.count, 0); }

void scree_bodies_to_records(scree_world *w)
{
	scree_records_room(w);
	scree_parallel(pack, w, w->body.count, 4096);
}
