/* axes.h: private to the charts: axes with their ticks. */
#ifndef SCREE_PROG_AXES_H
#define SCREE_PROG_AXES_H

#include "chart.h"

/* log: a scale of decades */
typedef struct axis {
	double low, high, step; /* of log10 if log */
	bool log;
} axis;

axis x_axis(const chart *c);
/* Makes an axis for curves from .. to-1, with a margin. */
axis y_axis(const chart *c, int from, int to);
/* Position as a fraction of the axis, 0 to 1 within it. */
double place_on(const axis *a, double value);
/* Tests whether a chart can show the value. */
bool is_drawable(bool log, double value);
/* Ticks by number, from 0: false after the last one. at: log10 if log */
bool tick_at(const axis *a, int number, double *at);
void name_tick(const axis *a, double at, char text[32]);

#endif
