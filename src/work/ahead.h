/* ahead.h: implicit steps search for contacts at the positions of bodies in the next step (work/ways_ahead.h). */
#ifndef SCREE_WORK_AHEAD_H
#define SCREE_WORK_AHEAD_H

#include "base/real.h"
#include "model/periods.h"
#include "wall/wall_state.h"

typedef struct velocity_pair {
	vec3 linear, angular; /* m/s, 1/s */
} velocity_pair;

typedef struct look_ahead {
	bool drifted;	  /* whether bodies have moved in the present step; velocities are then those at the half step */
	bool springs;	  /* whether springs still hold results of a step that will be repeated and will then revert them */
	int64_t rows;	  /* number of bodies for which arrays have room */
	real *most;		  /* limit on the displacement ahead of each body in this step, in m */
	real *far;		  /* displacement of each body while it is ahead, otherwise 0, in m */
	real *column[8];  /* positions, orientations and paths of bodies before they are moved ahead */
	wall_state *wall; /* [walls] walls before they are moved ahead */
	images images;	  /* images before they are moved ahead */
} look_ahead;

#endif
