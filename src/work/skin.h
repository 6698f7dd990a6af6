/* skin.h: how far bodies may move before pairs, or rows, must be found again. */
#ifndef SCREE_WORK_SKIN_H
#define SCREE_WORK_SKIN_H

#include "base/real.h"

/* How far bodies may move before pairs must be found anew. Never changes a result, only the time it takes. */
typedef struct broad_skin {
	real width;	   /* m: each box is swollen by half of this on each side, or by more if its body is fast */
	bool given;	   /* the width is the user's; 0: pairs are found anew in every step. Else it follows the motion */
	real inner;	   /* m: slow bodies whose surfaces are this far apart do not touch before rows are chosen anew */
	real beyond;   /* m: greatest of all bodies' ways less what rows hold for; from 0 on they are stale */
	bool spent;	   /* of a body that flies the way may be as long as its margin */
	real step;	   /* m: bound on the way of the fastest body in this step */
	real smallest; /* m: radius of the smallest body */
	real reach;	   /* m: how far apart surfaces still act on each other (JKR cohesion); 0: not at all */
	bool stale;	   /* pairs must be found anew in any case */
	bool unsure;   /* of new slots nobody knew how far apart their bodies are: rows are chosen anew when all were looked
					  at */
	int64_t since; /* steps since the rebuild */
	int64_t slots; /* pairs of spheres that it found */
} broad_skin;

#endif
