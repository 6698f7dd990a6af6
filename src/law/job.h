/* job.h: arguments of a loop over contacts, and its constants for the two partners. Law, partner and extra are
 * constants to the compiler: each loop is compiled for every possible value of them. */
#ifndef SCREE_LAW_JOB_H
#define SCREE_LAW_JOB_H

#include "kernel/contact.h"
#include "model/heat.h"
#include "model/law.h"
#include "state/pairs.h"
#include "world/world.h"

typedef struct job {
	const body_record *record;
	pair_list *list;
	contact_work *contact; /* derived data of its rows */
	const thread_work *thread;
	thread_work *own; /* memory of this thread */
	const sums *sums;
	const law_constants *constants;
	const heat_rule *heat; /* NULL: friction heats no bodies */
	const walls *wall;
	const wall_state *wall_now;
	int32_t materials;
	real dt;
	bool walls_move;
	real loose; /* W: power that a patch may return beyond the energy it took: zero, or infinite for the methods of a
				   paper */
	const periods *period; /* NULL: no periods */
	const images *images;
	const bodies *divided; /* NULL: no body is a ghost */
	bool ahead, even;	   /* contacts at a distance are among them; all of a pair have equal stiffness */
} job;

/* A job for any list. */
SCREE_FN job job_of(const model *m, const state *s, const work *w)
{
	return (job){.record = w->record,
				 .thread = w->thread,
				 .sums = &w->sums,
				 .constants = m->constants,
				 .heat = m->heat,
				 .wall = &m->wall,
				 .wall_now = s->wall,
				 .materials = m->material.count,
				 .dt = m->dt,
				 .period = m->period.on ? &m->period : NULL,
				 .images = &s->images};
}

/* Partner of a body in a contact; a constant to the compiler. */
typedef enum partner { OF_SPHERES, OF_BODIES, OF_WALL, PARTNERS } partner;

/* The image of b in contact row k. */
SCREE_FN int32_t image_at(const job *j, int64_t k)
{
	const pair_list *l = j->list;
	return image_met(j->period, j->images, l->met[l->slot[k]], j->record[l->ca[k]].cell, j->record[l->cb[k]].cell);
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
	const law_constants *of;  /* constants of the rows' pair of materials, or NULL if they differ */
	int64_t next, next_count; /* rows to be prefetched next; next_count 0: none */
} rows;

/* Whether contact row k is counted by another part of the world; only in divided worlds. */
SCREE_FN bool counted_elsewhere(const job *j, int64_t k, bool on_wall)
{
	return !on_wall && !bodies_counted(j->divided, j->list->ca[k], j->list->cb[k]);
}

/* A loop over contacts of one law and one type of partner. Returns the largest overlap over the smaller body's
 * size. */
typedef real contact_loop(const job *j, const rows *r, enum extra extra);

/* Loops by partner; NULL: none. Laws of overlaps have no points, and two spheres have no patches. */
typedef struct law_loops {
	contact_loop *point[PARTNERS], *patch[PARTNERS];
} law_loops;

extern const law_loops scree_law_loops[LAWS];

/* bonds.c: adds the forces of the bonds of rows from .. from+count-1 of a list of spheres; bonds break. Called after
 * the loop of the law, which has noted where spheres touch: bonded ones always do. */
void scree_law_bonds(const job *j, const model *m, int64_t from, int64_t count);
/* shares.c: writes `share` of contact rows from .. end-1 of a list, which hold whole pairs. Called after the narrow
 * phase and before the loop of the law. */
void scree_law_shares(const job *j, int kind, int64_t from, int64_t end);
/* The shares of contacts with walls that forces move, after those of the pairs (wall_shares.c). */
void scree_law_wall_shares(const model *m, const state *s, work *w);

#endif
