/* figures.h: inside of render/: convex figures on a canvas, in pixels (y downwards). Later figures are painted over
 * earlier ones.
 *
 * A figure is the intersection of its sides (half planes) and its rounds (ellipses). Each side or round may have a
 * border, which is a strip along it, inside of the figure, in another paint. */
#ifndef SCREE_RENDER_FIGURES_H
#define SCREE_RENDER_FIGURES_H

#include "render/picture.h"

/* The half plane nx x + ny y <= off, with a unit normal; border: width in px. */
typedef struct figure_side {
	real nx, ny, off, border;
} figure_side;

/* An ellipse with semi-axes a along (c, s) and b across it. */
typedef struct figure_round {
	real x, y, c, s, a, b, border;
} figure_round;

typedef struct figure {
	int32_t first_side, sides, first_round, rounds;
	real low, high;		   /* rows that it may cover */
	int32_t paint, border; /* rows of the table of paints */
	bool hatched;		   /* hatched with lines in the paint that follows `paint` */
} figure;

typedef struct figures {
	int32_t count, capacity, sides, side_capacity, rounds, round_capacity;
	figure *row;
	figure_side *side;
	figure_round *round;
	real hatch; /* px between two lines of a hatching */
} figures;

/* Begins a figure, which covers the whole plane; the next calls cut it. */
figure *scree_figure_begin(figures *f, int32_t paint, int32_t border);
void scree_figure_side(figures *f, figure_side s);
void scree_figure_round(figures *f, figure_round r);
/* Cuts the figure to a convex polygon, corners in either order; z is ignored. */
void scree_figure_corners(figures *f, int32_t count, const vec3 *corner, real border);
void scree_figures_free(figures *f);
/* Paints all figures. paint: linear RGB, row 0 is the background; side: a pixel has side x side samples */
void scree_figures_paint(const figures *f, int32_t paints, const vec3 *paint, int32_t side, canvas *out);

#endif
