/* stage_rules.h: when the stages of a run end. Their changes are in the resolved scene. */
#ifndef SCREE_SCENE_STAGE_RULES_H
#define SCREE_SCENE_STAGE_RULES_H

#include "base/real.h"

typedef enum stage_end {
	END_NEVER, /* with the run */
	END_AFTER,
	END_KINETIC_ENERGY,
	END_SPEED,
	END_FORCE,
	END_PRESSURE,
	END_MASS_OUT,
	END_SLIDING,
	END_STRESS,
	END_STRAIN,
	END_SERVO,
	END_UNCHANGED
} stage_end;

typedef struct stage_rule {
	char name[48];
	char changes[160]; /* what it changes: "walls.lid, world.gravity" */
	stage_end end;
	real limit;				/* END_AFTER: s; of the others: the value that is compared, SI */
	char wall[48];			/* END_FORCE, END_PRESSURE */
	real area;				/* m2, END_PRESSURE */
	int32_t along;			/* END_STRESS, END_STRAIN: an axis; negative: of all axes */
	int32_t steady;			/* END_UNCHANGED: the value, its number in the words of the key `unchanged` */
	real hold;				/* s: for which the condition must hold */
	real at_least, at_most; /* s, from the start of the stage */
	bool goes_on;			/* at `at_most` the next stage begins; otherwise the run stops */
} stage_rule;

#endif
