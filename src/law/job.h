/* job.h: what a loop over contacts is given, and what it knows of the two partners of a contact. The constants of a
 * loop (law, partner, extra) are known to the compiler: each loop is compiled for every value that they can have. */
#ifndef SCREE_LAW_JOB_H
#define SCREE_LAW_JOB_H

#include "kernel/contact.h"
#include "kernel/partners.h"
#include "law/law.h"
#include "world/world.h"

typedef struct job {
	const body_record *record;
	pair_list *list;
	const thread_scratch *scratch;
	thread_scratch *own; /* of this thread */
	const sums *sums;
	const law_constants *constants;
	const walls *wall;
	int32_t materials;
	real dt;
	bool walls_move;
	real loose; /* W: what a patch may give beyond what it took: nothing, or anything where it is as a paper has it */
	const periods *period; /* NULL: space does not repeat */
	const bodies *divided; /* NULL: no body is a ghost */
} job;

/* who meets a body; constants to the compiler */
typedef enum partner { OF_SPHERES, OF_BODIES, OF_WALL, PARTNERS } partner;

/* the image of b that contact row k is with */
SCREE_FN int32_t image_at(const job *j, int64_t k)
{
	const pair_list *l = j->list;
	return image_met(j->period, l->met[l->slot[k]], j->record[l->ca[k]].cell, j->record[l->cb[k]].cell);
}

SCREE_FN int32_t rule_of(const job *j, int64_t k, bool on_wall)
{
	int32_t b = j->list->cb[k];
	int32_t mb = on_wall ? j->wall->row[j->wall->surface_wall[b]].material : j->record[b].material;
	return j->record[j->list->ca[k]].material * j->materials + mb;
}

/* Contact rows from .. from+count-1 of a list; of: their constants, or NULL where they differ. */
typedef struct rows {
	int64_t from, count;
	const law_constants *of;
} rows;

/* May contact row k be counted elsewhere, and is it? A question for worlds that are divided. */
SCREE_FN bool counted_elsewhere(const job *j, int64_t k, bool on_wall)
{
	return !on_wall && !bodies_counted(j->divided, j->list->ca[k], j->list->cb[k]);
}

enum { BLOCK = 32, AHEAD = 64 }; /* contacts that are looked at side by side; how far ahead memory is asked for */

/* Partners lie anywhere. What is needed of those some rows further on is asked for in three turns between the loops of
 * a block: so many lines at once are more than a core waits for. end: of the rows */
SCREE_FN void fetch_records(const job *j, const int32_t *cb, int64_t from, int64_t count, int64_t end, size_t offset)
{
	for (int64_t k = from; k < from + count; ++k)
		__builtin_prefetch((const char *)(j->record + cb[k + AHEAD < end ? k + AHEAD : end - 1]) + offset);
}

/* these are added to when the block is computed */
SCREE_FN void fetch_sums(const job *j, const int32_t *cb, int64_t from, int64_t count)
{
	for (int64_t k = from; k < from + count; ++k) __builtin_prefetch(j->own->rows.body + cb[k], 1);
}

/* The loop over contacts of a law with one kind of partner. Returns the greatest overlap over the smaller one's size.
 */
typedef real contact_loop(const job *j, const rows *r, enum extra extra);

/* By partner; NULL: there is none. Laws of overlaps have no points, patches are never of two spheres. */
typedef struct law_loops {
	contact_loop *point[PARTNERS], *patch[PARTNERS];
} law_loops;

extern const law_loops scree_law_loops[LAWS];

#endif
