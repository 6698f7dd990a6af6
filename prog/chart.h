/* chart.h: curves over time, as SVG, PNG and PDF, and as text. */
#ifndef SCREE_PROG_CHART_H
#define SCREE_PROG_CHART_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The points of a curve; NaN in y is a gap. */
typedef struct curve {
	const char *name;
	int64_t count;
	const double *x, *y;
} curve;

enum { CHART_WIDTH = 760, CHART_HEIGHT = 250, MOST_CURVES = 12 };

/* Curves that share one y axis. */
typedef struct chart {
	const char *x_name, *y_name; /* with their units */
	int curves;
	curve curve[MOST_CURVES];
	bool log; /* the y axis is logarithmic; values that are not above zero become gaps */
} chart;

/* Draws charts one below another, as an <svg> element. */
void put_svg(FILE *to, int charts, const chart *of);
/* Draws the same charts as an SVG, PNG or PDF file, depending on the extension; returns an exit code, after an error
 * message if it is not 0. */
int write_charts(const char *path, int charts, const chart *of);
/* Each curve as lines of text with this width, drawn in Braille if `dots` is set, and otherwise in ASCII. */
void put_text_chart(FILE *to, const chart *c, int width, bool dots);
/* Writes a text for XML and HTML: markup is escaped, and invalid bytes are replaced. */
void put_xml(FILE *to, const char *text);

#endif
