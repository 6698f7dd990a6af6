/* axes.h: axes with their ticks; private to the charts. */
#ifndef SCREE_PROG_AXES_H
#define SCREE_PROG_AXES_H

#include "chart.h"

/* log: a logarithmic axis */
typedef struct axis {
	double low, high, step; /* for the log10 of values if log is set */
	bool log;
} axis;

axis x_axis(const chart *c);
/* Makes an axis that spans the curves from .. to-1, plus a margin. */
axis y_axis(const chart *c, int from, int to);
/* Position of a value along the axis, from 0 to 1 for values within its range. */
double place_on(const axis *a, double value);
/* Tests whether an axis can show this value. */
bool is_drawable(bool log, double value);
/* Ticks by number, from 0; returns false after the last one. at: log10 of the value if log is set */
bool tick_at(const axis *a, int number, double *at);
void name_tick(const axis *a, double at, char text[32]);

#endif
