/* guards.h: limits that stop a run when its state makes no physical sense. */
#ifndef SCREE_MODEL_GUARDS_H
#define SCREE_MODEL_GUARDS_H

#include "base/real.h"

/* Limits of a run; exceeding one stops it. */
typedef struct guards {
	real overlap; /* greatest overlap over the size of the smaller body (walls: of the body); 0: not watched */
	real speed;	  /* m/s; 0: not watched */
	real energy;  /* greatest fraction of energy that may be made or lost (state/energy_guard.h); 0: not watched */
	real method;  /* greatest fraction of energy that implicit steps may lose by themselves; 0: only reported */
	bool energy_reports; /* the run only reports the energy: for laws that are exactly as in a paper */
	bool bounded;		 /* the domain has limits */
	bool lost_is_error;	 /* a body that leaves the domain is an error; else it is removed and counted */
	vec3 low, high;		 /* the domain, m */
} guards;

#endif
