/* skin.h: displacements that are allowed before pairs, or rows, must be found again. */
#ifndef SCREE_WORK_SKIN_H
#define SCREE_WORK_SKIN_H

#include "base/real.h"

/* Displacements that are allowed before pairs must be found again. Affects speed only, not results. */
typedef struct broad_skin {
	real width;		   /* m: each box is enlarged by half of this on each side, or by more if its body is fast */
	real inner;		   /* m: slow bodies whose surfaces are this far apart do not touch before rows are chosen again */
	real beyond;	   /* m: displacement beyond that for which rows hold, largest of all bodies; from 0 on stale */
	bool spent;		   /* the displacement of a flying body may have reached its margin */
	real step;		   /* m: bound on the displacement of the fastest body in this step */
	real smallest;	   /* m: radius of the smallest body */
	real least_period; /* m: of cells that change their size, as at the start (scree_skin_least_period) */
	real gap;		   /* m: largest gap within which bodies become bonded */
	real reach;		   /* m: distance up to which surfaces act on each other (cohesion, bonds); 0: only in contact */
	real clings;	   /* m: up to which cohesion acts, on walls, too */
	real bridges;	   /* m: largest length of liquid bridges; 0: there are none */
	bool stale;		   /* pairs must be found again in any case */
	bool unsure; /* distances in new slots were unknown: rows are chosen again after the narrow phase has tested all */
	int64_t since; /* steps since the rebuild */
	int64_t slots; /* pairs of spheres at the last rebuild */
} broad_skin;

#endif
