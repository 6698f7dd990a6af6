/* stage_state.h: the stage of an experiment (`stages` of a scene) that a world is in, and what its end depends on. A
 * stage is decided between steps (src/library/stages.c). */
#ifndef SCREE_STATE_STAGE_STATE_H
#define SCREE_STATE_STAGE_STATE_H

#include "base/real.h"

typedef struct stage_state {
	int32_t count;	/* stages of the scene; 0: it has none */
	int32_t now;	/* number of the present stage, from 0 */
	bool over;		/* it has ended at this step: the next stage begins with the next step */
	int64_t step;	/* step at which it began */
	real time;		/* s: the time of that step */
	real since;		/* s: time since which its condition holds; negative: it does not hold */
	real reference; /* value of `unchanged` at that time */
	real mass;		/* kg: that sinks had removed when it began */
	vec3 cell;		/* m: size of the periodic cell when it began; zero in the first stage */
} stage_state;

#endif
