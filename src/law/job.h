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
typedef enum partner { OF_SPHERES, OF_BODIES, OF_WALL } partner;

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

enum { BLOCK = 64 }; /* contacts that are looked at side by side */

/* Partners lie anywhere: those of the next block are asked for while this one is computed. end: of the rows */
SCREE_FN void fetch_next(const job *j, int64_t from, int64_t end)
{
	for (int64_t k = from; k < end && k < from + BLOCK; ++k) {
		const char *b = (const char *)(j->record + j->list->cb[k]);
		__builtin_prefetch(b);
		__builtin_prefetch(b + 64);
	}
}

/* The loops over contacts with one point, and over patches, of a law. They return the greatest overlap over the smaller
 * one's size. */
real scree_points_linear(const job *j, const rows *r, partner with, enum extra extra);
real scree_points_hertz(const job *j, const rows *r, partner with, enum extra extra);
real scree_points_power(const job *j, const rows *r, partner with, enum extra extra);
real scree_patches_linear(const job *j, const rows *r, bool on_wall, enum extra extra);
real scree_patches_hertz(const job *j, const rows *r, bool on_wall, enum extra extra);
real scree_patches_power(const job *j, const rows *r, bool on_wall, enum extra extra);
real scree_patches_volume(const job *j, const rows *r, bool on_wall, enum extra extra);
real scree_patches_area(const job *j, const rows *r, bool on_wall, enum extra extra);
real scree_patches_area_literal(const job *j, const rows *r, bool on_wall, enum extra extra);
real scree_patches_overlap(const job *j, const rows *r, bool on_wall, enum extra extra);

#endif
