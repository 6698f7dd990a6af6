/* ahead.h: implicit steps search for contacts where bodies will be in the next step (work/ways_ahead.h). */
#ifndef SCREE_WORK_AHEAD_H
#define SCREE_WORK_AHEAD_H

#include "base/real.h"
#include "model/periods.h"
#include "wall/wall_state.h"

typedef struct velocity_pair {
	vec3 linear, angular; /* m/s, 1/s */
} velocity_pair;

typedef struct look_ahead {
	bool drifted;	  /* bodies have moved in the present step, so their velocities are those of the half step */
	bool springs;	  /* springs are those after a step that is repeated: they are taken back by it */
	int64_t rows;	  /* number of bodies for which there is room */
	real *most;		  /* m: limit of the displacement ahead of each body in this step */
	real *far;		  /* m: the displacement of each body while it is ahead, otherwise 0 */
	real *column[8];  /* positions, orientations and paths of bodies before they move ahead */
	wall_state *wall; /* [walls] walls before they move ahead */
	images images;	  /* images before they move ahead */
} look_ahead;

#endif
