#include "axes.h"

#include <math.h>

/* Values beyond MOST are not drawn, since their differences may be infinite. Ranges smaller than LEAST have no ticks.
 */
static const double MOST = 1e300, LEAST = 1e-290;
enum { MOST_TICKS = 40 };

double place_on(const axis *a, double value) { return ((a->log ? log10(value) : value) - a->low) / (a->high - a->low); }

bool is_drawable(bool log, double value) { return fabs(value) <= MOST && (!log || value > 0); }

/* the interval between ticks: 1, 2 or 5 times a power of ten, for about five intervals */
static double step_of(double range)
{
	const double raw = range / 5, power = pow(10, floor(log10(raw))), part = raw / power;
	return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

static axis axis_of(double low, double high, bool log)
{
	axis a = {.log = log};
	if (!(low <= high)) low = log ? 1 : 0, high = log ? 10 : 1;
	if (log) low = log10(low), high = log10(high);
	if (!(high - low > fmax(LEAST, 1e-12 * fmax(fabs(low), fabs(high))))) {
		const double about = fabs(low) > LEAST && !log ? fabs(low) / 10 : 1;
		low -= about;
		high += about;
	}
	a.step = log ? fmax(1, ceil((high - low) / 6)) : step_of(high - low);
	a.low = low;
	a.high = high;
	return a;
}

axis x_axis(const chart *c)
{
	double low = INFINITY, high = -INFINITY;
	for (int k = 0; k < c->curves; ++k)
		for (int64_t i = 0; i < c->curve[k].count; ++i)
			if (is_drawable(false, c->curve[k].x[i])) {
				low = fmin(low, c->curve[k].x[i]);
				high = fmax(high, c->curve[k].x[i]);
			}
	return axis_of(low, high, false);
}

axis y_axis(const chart *c, int from, int to)
{
	double low = INFINITY, high = -INFINITY;
	for (int k = from; k < to; ++k)
		for (int64_t i = 0; i < c->curve[k].count; ++i)
			if (is_drawable(c->log, c->curve[k].y[i])) {
				low = fmin(low, c->curve[k].y[i]);
				high = fmax(high, c->curve[k].y[i]);
			}
	axis a = axis_of(low, high, c->log);
	const double margin = (a.high - a.low) / 25;
	a.low -= margin;
	a.high += margin;
	return a;
}

bool tick_at(const axis *a, int number, double *at)
{
	*at = (ceil(a->low / a->step) + number) * a->step;
	return number < MOST_TICKS && *at <= a->high + 1e-9 * a->step;
}

void name_tick(const axis *a, double at, char text[32])
{
	if (fabs(at) < a->step * 1e-6) at = 0;
	snprintf(text, 32, "%.6g", a->log ? pow(10, at) : at);
}
