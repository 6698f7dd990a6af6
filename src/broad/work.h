/* work.h: memory that the broad phase keeps from step to step; used only in this folder. */
#ifndef SCREE_BROAD_WORK_H
#define SCREE_BROAD_WORK_H

#include "broad/broad.h"
#include "kernel/margin.h"
#include "model/model.h"
#include "state/pairs.h"
#include "state/state.h"
#include "work/ways_ahead.h"
#include "work/work.h"

/* Memory of one thread while it chooses the rows of one piece. */
typedef struct row_room {
	int32_t room;
	int32_t *was, *of; /* [room] slots that had a row before, and the old row for each new row */
	real *copy;		   /* [room] */
} row_room;

struct broad_work {
	broad_search search;
	row_room *thread; /* [threads] */
	int32_t threads;
};

static const real MARGIN_STEPS = 200; /* intended number of steps between two searches */
/* ratio of steps between searches to steps between choices of rows; the second value is for instantaneous contacts */
enum { ROWS_PART = 10, ROWS_PART_FAST = 2 };
/* implicit steps at constant velocities between searches (first if few bodies are fast), and between choices of rows */
static const real AHEAD_STEPS = 4, FEWEST_AHEAD = (real)1.2, AHEAD_STEPS_ROWS = 2;

/* Bound on the displacement of body i in a step at its present velocity and spin, in m. */
SCREE_FN real way_ahead(const bodies *b, int64_t i, real dt)
{
	vec3 v = v3(b->vx[i], b->vy[i], b->vz[i]), w = v3(b->wx[i], b->wy[i], b->wz[i]);
	return way_at_speed(v, w, swing_of(b->radius[i], b->round[i]), dt);
}

/* vector, in m, from the second body of a slot, or its image, to the first body */
SCREE_FN vec3 slot_apart(const model *m, const state *s, const body_record *a, const body_record *b, const pair_list *l,
						 int64_t k)
{
	const vec3 apart = v3_sub(a->position, b->position);
	if (!m->period.on) return apart;
	return v3_sub(apart, s->images.shift[image_met(&m->period, &s->images, l->met[k], a->cell, b->cell)]);
}

/* Sets the displacements of bodies up to which contact rows are valid. */
void scree_rows_margins(const model *m, state *s, work *w);
/* Finds bodies that cannot meet anything for some steps and therefore need no rows. May widen the inner skin. */
void scree_pairs_to_flights(const model *m, state *s, work *w);

#endif
