/* drawing.h: marks of a picture, written as SVG by chart_svg.c, or as PNG or PDF by the library; private to the charts.
 */
#ifndef SCREE_PROG_DRAWING_H
#define SCREE_PROG_DRAWING_H

#include "chart.h"
#include "scree/files.h"

enum { LETTERS = 12 }; /* height of text */

typedef struct drawing {
	int width, height, count, room;
	scree_mark *mark; /* each mark owns its points and text */
} drawing;

/* chart_svg.c */
void put_drawing(FILE *to, const drawing *d);

#endif
