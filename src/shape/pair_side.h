/* pair_side.h: what a shape may be on either side of a pair (state/pair_kinds.h). */
#ifndef SCREE_SHAPE_PAIR_SIDE_H
#define SCREE_SHAPE_PAIR_SIDE_H

/* partners on one side of a pair: sets of bodies (shape/shapes.h), or the surfaces of walls */
enum pair_side {
	TAKES_NONE = 0,
	TAKES_ROUND = 1,
	TAKES_OTHERS = 2,
	TAKES_ANY = 3,
	TAKES_SURFACE = 4,
	TAKES_COMPOUNDS = 8,
	TAKES_POINTED = 16 /* clumps and surfaces, which touch at several separate points */
};

#endif
