/* state.h: the content of a snapshot, which a step changes. Its definition: step(load(save(s))) == step(s), bit for
 * bit. */
#ifndef SCREE_STATE_STATE_H
#define SCREE_STATE_STATE_H

#include "model/declared.h"
#include "model/flow_planes.h"
#include "model/periods.h"
#include "state/bodies.h"
#include "state/energy_guard.h"
#include "state/flow_count.h"
#include "state/impulses.h"
#include "state/ledger.h"
#include "state/pair_kinds.h"
#include "state/source_state.h"
#include "state/stage_state.h"
#include "wall/wall_state.h"

/* Largest values of all steps since the start; reports read them, no step does. */
typedef struct greatest_values {
	real overlap; /* as greatest_overlap_part of the work */
	real speed;	  /* m/s */
} greatest_values;

/* Values that are not finite stop the run, and are not noted. */
SCREE_FN void greatest_note(real *to, real value)
{
	if (value > *to && value < INFINITY) *to = value;
}

typedef struct state {
	real time; /* s, at the end of `step`: scree_time_of */
	int64_t step;
	/* The time step was changed last at this step and time, s; until: end of the interval of that step (0: never). */
	int64_t step_from;
	real time_from, until_from;
	bool begun; /* contacts of the start have been noted: the first step has been made */
	uint64_t next_id;
	bodies body;
	int32_t walls, sources, sinks; /* as many as the model has (scree_state_room) */
	wall_state *wall;
	source_state *source;
	sink_state *sink;
	ledger energy;
	energy_guard energy_guard;
	images images;				  /* positions of images, by the model's periods */
	impulses impulse;			  /* in worlds with a solver */
	pair_list *pair;			  /* [PAIR_KINDS], for as long as the world */
	flow_count flow[FLOW_PLANES]; /* by the planes of the model */
	int64_t lost;				  /* bodies removed because they left the domain */
	int64_t broken;				  /* bonds that broke */
	uint64_t bonded[2];			  /* ids of the first and the last body that came from a world with bonds; 0: none */
	stage_state stage;
	greatest_values greatest;
} state;

/* Makes rows for walls, sources and sinks of the model that have none yet: walls at rest in their frame, counters at
 * zero. */
void scree_state_room(const model *m, state *s);
void scree_state_room_free(state *s);

#endif
