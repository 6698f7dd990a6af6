/* state.h: what a snapshot holds and a step changes: step(load(save(s))) == step(s), bit for bit, is its definition. */
#ifndef SCREE_STATE_STATE_H
#define SCREE_STATE_STATE_H

#include "model/periods.h"
#include "state/bodies.h"
#include "state/energy_guard.h"
#include "state/impulses.h"
#include "state/ledger.h"
#include "state/pairs.h"
#include "state/sources.h"
#include "wall/walls.h"

typedef struct state {
	real time;
	int64_t step;
	uint64_t next_id;
	bodies body;
	walls wall;
	population population; /* sources, sinks and their counters */
	ledger energy;
	energy_guard energy_guard;
	periods period;
	impulses impulse; /* of worlds with a solver */
	pair_list pair[PAIR_KINDS];
	bool unsafe;  /* a step that is longer than what is known to be safe was asked for; state */
	int64_t lost; /* bodies taken out because they left the domain; state */
} state;

#endif
