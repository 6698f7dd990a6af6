/* contact_history.h: what a contact remembers from step to step, and what one step of it comes to. Values. */
#ifndef SCREE_KERNEL_CONTACT_HISTORY_H
#define SCREE_KERNEL_CONTACT_HISTORY_H

#include "base/real.h"

/* All zero before a contact touches. A law that resists no rolling asks for no rolling springs, and so on
 * (state/pairs.h). */
typedef struct contact_history {
	vec3 spring;  /* m    tangential spring, world axes, half a step ahead */
	real spun;	  /* m    the same about the normal, over the arm; of patches */
	real scale;	  /* what the stiffness of the springs was scaled by (Hertz: m, contact radius); > 0: it touches */
	real stored;  /* J    in the tangential spring */
	vec3 rolling; /* rad  rolling spring */
	real rolled;  /* J    stored in it */
	real twist;	  /* rad  torsional spring */
	real twisted; /* J    stored in it */
} contact_history;

/* What a step of one contact adds to the ledger (docs/theory/laws.md, "The ledger"). */
typedef struct contact_tally {
	real normal, friction, rolling; /* J, lost */
	real work;						/* J, by the normal spring on the bodies */
	real elastic;					/* J, stored in the normal spring now */
	real power, heat;				/* W, now: of the normal spring on the bodies, and lost */
} contact_tally;

/* What a step of one contact comes to. On b acts the opposite force. */
typedef struct contact_result {
	vec3 force, torque; /* N, N m: on a, about its centre */
	real normal;		/* N */
	contact_history history;
	contact_tally tally;
} contact_result;

#endif
