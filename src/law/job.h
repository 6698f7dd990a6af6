/* job.h: what a loop over contacts is given, and what it knows of the two partners of a contact. The constants of a
 * loop (law, partner, extra) are known to the compiler: each loop is compiled for every value that they can have. */
#ifndef SCREE_LAW_JOB_H
#define SCREE_LAW_JOB_H

#include "kernel/contact.h"
#include "kernel/partners.h"
#include "model/law.h"
#include "world/world.h"

typedef struct job {
	const body_record *record;
	pair_list *list;
	const thread_work *thread;
	thread_work *own; /* of this thread */
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

/* Contact rows from .. from+count-1 of a list. */
typedef struct rows {
	int64_t from, count;
	const law_constants *of;  /* their constants, or NULL where they differ */
	int64_t next, next_count; /* rows that come after them, to be asked for ahead; or none */
} rows;

/* May contact row k be counted elsewhere, and is it? A question for worlds that are divided. */
SCREE_FN bool counted_elsewhere(const job *j, int64_t k, bool on_wall)
{
	return !on_wall && !bodies_counted(j->divided, j->list->ca[k], j->list->cb[k]);
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
