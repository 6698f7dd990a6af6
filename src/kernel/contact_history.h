/* contact_history.h: the state that a contact keeps from step to step, and the result of one step of it. Values. */
#ifndef SCREE_KERNEL_CONTACT_HISTORY_H
#define SCREE_KERNEL_CONTACT_HISTORY_H

#include "base/real.h"

/* Zero in all fields before the first touch. Only fields that the law needs are stored, e.g. no rolling springs for a
 * law without rolling resistance (state/pairs.h). */
typedef struct contact_history {
	vec3 spring;  /* m    tangential spring, world axes, half a step ahead */
	real spun;	  /* m    patches only: spring about the normal, angle times arm */
	real scale;	  /* scale of the springs' stiffness (Hertz: m, contact radius); > 0: the bodies touch */
	real stored;  /* J    energy of the tangential spring */
	vec3 rolling; /* rad  rolling spring */
	real rolled;  /* J    energy of the rolling spring */
	real twist;	  /* rad  torsional spring */
	real twisted; /* J    energy of the torsional spring */
	real deepest; /* m    law plastic: largest overlap so far */
	real torn;	  /* J    law plastic: lost when the bodies part */
} contact_history;

/* Contribution of one contact and step to the ledger (docs/theory/laws.md, "The ledger"). */
typedef struct contact_tally {
	real normal, friction, rolling; /* J, lost */
	real work;						/* J, work of the normal spring on the bodies */
	real elastic;					/* J, present energy of the normal spring */
	real power, heat;				/* W, present power of the normal spring on the bodies, and present dissipation */
} contact_tally;

/* Result of a step of one contact. The opposite force acts on b. */
typedef struct contact_result {
	vec3 force, torque; /* N, N m: on a, about its centre */
	real normal;		/* N */
	contact_history history;
	contact_tally tally;
} contact_result;

#endif
