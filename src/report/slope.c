/* slope: angle of the free surface, which consists of the highest grain in each column, one diameter wide. The surface
 * is compared with a cone, ridges in several directions, and a tilted plane, whose heights decrease along one
 * coordinate. The line of Theil (1950) and Sen (1968) is fitted to medians over strips of this coordinate; its slope is
 * the median of the slopes of all pairs of points and tolerates up to one third of outliers. The form that leaves the
 * least variation of heights unexplained determines the angle if it explains the medians. */
#include "report/measures.h"

#include "base/maths.h"
#include "base/memory.h"
#include "base/sort.h"

static const real TOP = 3, END = 1;	  /* length that is left out at the top and at the foot of a flank, in diameters */
static const real FOOT = (real)0.75;  /* height of a flank's foot above the lowest layer, in diameters */
static const real BORDER = (real)0.1; /* fraction of a plane's extent that is left out at each border */
static const real LEAST_DROP = 1;	  /* diameters */
static const real UNEXPLAINED = (real)0.5; /* largest of_strips with which a slope is reported */
enum { LEAST_STRIPS = 4, MOST_STRIPS = 1000, DIRECTIONS = 4 };
static const real MOST_COLUMNS = 1e6; /* along an axis */

typedef struct top {
	real u, v, h; /* coordinates perpendicular to gravity, and height, in m */
} top;

typedef struct surface {
	int64_t count;
	top *row;
	real u, v;	 /* centre of all grains, in m */
	real d, low; /* diameter, and height of the lowest layer, in m */
} surface;

/* a point of the surface: its coordinate along the slope, and its height */
typedef struct point {
	real s, h;
} point;

typedef struct line {
	real slope;
	/* median deviation from the line over median deviation from the median, for points (to compare forms) and for
	 * strips, which are less affected by surface roughness; INFINITY if there is no line */
	real of_points, of_strips;
} line;
static const line NO_LINE = {0, INFINITY, INFINITY};

/* sorts the values */
static real median(real *value, int64_t count)
{
	scree_sort_by(value, count, sizeof *value, scree_sort_rising);
	return count % 2 ? value[count / 2] : (value[count / 2 - 1] + value[count / 2]) / 2;
}

static int by_coordinate(const void *a, const void *b)
{
	const point *x = a, *y = b;
	return x->s < y->s ? -1 : x->s > y->s ? 1 : x->h < y->h ? -1 : x->h > y->h;
}

/* sorts grains by columns, with the highest grain of each column last */
typedef struct standing {
	uint64_t column;
	top at;
} standing;

static int by_column(const void *a, const void *b)
{
	const standing *x = a, *y = b;
	if (x->column != y->column) return x->column < y->column ? -1 : 1;
	return x->at.h < y->at.h ? -1 : x->at.h > y->at.h;
}

static int64_t project(const grains *g, vec3 up, standing *out)
{
	const vec3 e = g->flat ? v3(up.y, -up.x, 0) : v3_across(up);
	const vec3 f = g->flat ? v3(0, 0, 0) : v3_cross(up, e);
	int64_t count = 0;
	for (int64_t k = 0; k < g->count; ++k) {
		const vec3 at = g->row[k].at;
		if (!g->row[k].flies) out[count++].at = (top){v3_dot(at, e), v3_dot(at, f), v3_dot(at, up)};
	}
	return count;
}

/* Sets the number of columns in each direction; returns false if there are no grains, or if they are too far apart. */
static bool number_columns(standing *row, int64_t count, real d)
{
	real u = INFINITY, v = INFINITY, most = 0;
	for (int64_t k = 0; k < count; ++k) u = real_min(u, row[k].at.u), v = real_min(v, row[k].at.v);
	for (int64_t k = 0; k < count; ++k) most = real_max(most, real_max(row[k].at.u - u, row[k].at.v - v));
	if (!count || !(most < MOST_COLUMNS * d)) return false;
	for (int64_t k = 0; k < count; ++k)
		row[k].column = (uint64_t)((row[k].at.v - v) / d) << 32 | (uint64_t)((row[k].at.u - u) / d);
	scree_sort_by(row, count, sizeof *row, by_column);
	return true;
}

/* height below which one twentieth of the grains lie */
static real lowest_layer(const standing *row, int64_t count)
{
	real *h = scree_alloc((size_t)count, sizeof *h);
	for (int64_t k = 0; k < count; ++k) h[k] = row[k].at.h;
	scree_sort_by(h, count, sizeof *h, scree_sort_rising);
	const real low = h[count / 20];
	scree_free(h);
	return low;
}

/* row: room for all grains; returns false if there is no surface */
static bool find_surface(const grains *g, vec3 up, standing *row, surface *out)
{
	const int64_t count = project(g, up, row);
	if (!number_columns(row, count, g->diameter)) return false;
	*out = (surface){.row = scree_alloc((size_t)count, sizeof *out->row), .d = g->diameter};
	for (int64_t k = 0; k < count; ++k) {
		out->u += row[k].at.u / (real)count;
		out->v += row[k].at.v / (real)count;
		if (k + 1 == count || row[k + 1].column != row[k].column) out->row[out->count++] = row[k].at;
	}
	out->low = lowest_layer(row, count);
	return true;
}

/* medians of sorted points over strips of this width; returns the number of strips */
static int64_t strips_of(const point *p, int64_t count, real width, point *out)
{
	real *h = scree_alloc((size_t)count, sizeof *h);
	int64_t strips = 0;
	for (int64_t from = 0, to; from < count; from = to) {
		const real end = p[0].s + (scree_floor((p[from].s - p[0].s) / width) + 1) * width;
		for (to = from; to < count && (to == from || p[to].s < end); ++to) h[to - from] = p[to].h;
		out[strips++] = (point){(p[from].s + p[to - 1].s) / 2, median(h, to - from)};
	}
	scree_free(h);
	return strips;
}

static real theil_sen(const point *p, int64_t count)
{
	real *slope = scree_alloc((size_t)(count * (count - 1) / 2), sizeof *slope);
	int64_t pairs = 0;
	for (int64_t a = 0; a < count; ++a)
		for (int64_t b = a + 1; b < count; ++b)
			if (p[b].s > p[a].s) slope[pairs++] = (p[b].h - p[a].h) / (p[b].s - p[a].s);
	const real found = pairs ? median(slope, pairs) : 0;
	scree_free(slope);
	return found;
}

/* median deviation of the heights from their median, after subtraction of `slope` */
static real deviation(const point *p, int64_t count, real slope, real *room)
{
	for (int64_t k = 0; k < count; ++k) room[k] = p[k].h - slope * p[k].s;
	const real middle = median(room, count);
	for (int64_t k = 0; k < count; ++k) room[k] = real_abs(room[k] - middle);
	return median(room, count);
}

/* Fits the line to the points with from <= s <= to; p is sorted. */
static line line_between(const surface *o, const point *p, int64_t count, real from, real to)
{
	int64_t first = 0, last = count;
	while (first < count && p[first].s < from) ++first;
	while (last > first && p[last - 1].s > to) --last;
	p += first, count = last - first;
	if (!(to - from >= LEAST_STRIPS * o->d) || count < LEAST_STRIPS) return NO_LINE;
	point *strip = scree_alloc((size_t)count, sizeof *strip);
	real *room = scree_alloc((size_t)count, sizeof *room);
	const int64_t strips = strips_of(p, count, real_max(o->d, (to - from) / MOST_STRIPS), strip);
	line found = {.slope = theil_sen(strip, strips)};
	found.of_points = deviation(p, count, found.slope, room) / deviation(p, count, 0, room);
	found.of_strips = deviation(strip, strips, found.slope, room) / deviation(strip, strips, 0, room);
	if (strips < LEAST_STRIPS || !(real_abs(found.slope) * (to - from) >= LEAST_DROP * o->d)) found = NO_LINE;
	scree_free(room);
	scree_free(strip);
	return found;
}

/* distance from the axis up to which strips are higher than the lowest layer */
static real foot_of(const surface *o, const point *p, int64_t count, point *strip)
{
	const int64_t strips = strips_of(p, count, real_max(o->d, (p[count - 1].s - p[0].s) / MOST_STRIPS), strip);
	int64_t last = 0;
	while (last + 1 < strips && strip[last + 1].h > o->low + FOOT * o->d) ++last;
	return strip[last].s + o->d / 2;
}

/* line of a heap's flank; s is the distance from the heap's axis */
static line flank(const surface *o, point *p)
{
	scree_sort_by(p, o->count, sizeof *p, by_coordinate);
	point *strip = scree_alloc((size_t)o->count, sizeof *strip);
	const real foot = foot_of(o, p, o->count, strip);
	scree_free(strip);
	return line_between(o, p, o->count, TOP * o->d, foot - END * o->d);
}

static line cone(const surface *o, point *p)
{
	for (int64_t k = 0; k < o->count; ++k) {
		const real u = o->row[k].u - o->u, v = o->row[k].v - o->v;
		p[k] = (point){sqrt(u * u + v * v), o->row[k].h};
	}
	return flank(o, p);
}

/* line of a heap whose heights decrease along the direction (c, s) on both sides of a ridge */
static line ridge(const surface *o, real c, real s, point *p)
{
	for (int64_t k = 0; k < o->count; ++k)
		p[k] = (point){real_abs((o->row[k].u - o->u) * c + (o->row[k].v - o->v) * s), o->row[k].h};
	return flank(o, p);
}

/* sums of products of deviations from the mean of the surface points */
typedef struct moments {
	real uu, uv, vv, uh, vh;
	real bent_uu, bent_uv, bent_vv; /* sums of products of two coordinates, weighted by height */
} moments;

static top mean_top(const surface *o)
{
	top mean = {0};
	for (int64_t k = 0; k < o->count; ++k) {
		mean.u += o->row[k].u / (real)o->count;
		mean.v += o->row[k].v / (real)o->count;
		mean.h += o->row[k].h / (real)o->count;
	}
	return mean;
}

static moments moments_of(const surface *o)
{
	const top mean = mean_top(o);
	moments m = {0};
	for (int64_t k = 0; k < o->count; ++k) {
		const real u = o->row[k].u - mean.u, v = o->row[k].v - mean.v, h = o->row[k].h - mean.h;
		m.uu += u * u, m.uv += u * v, m.vv += v * v;
		m.uh += u * h, m.vh += v * h;
		m.bent_uu += h * u * u, m.bent_uv += h * u * v, m.bent_vv += h * v * v;
	}
	return m;
}

/* line of a plane, along the gradient of the least-squares plane */
static line plane(const surface *o, const moments *m, point *p)
{
	const real det = m->uu * m->vv - m->uv * m->uv, flat = m->uu * m->uu * (real)1e-9;
	real c = det > flat ? m->uh * m->vv - m->vh * m->uv : 1, s = det > flat ? m->vh * m->uu - m->uh * m->uv : 0;
	const real length = sqrt(c * c + s * s);
	if (!(length > 0)) return NO_LINE;
	for (int64_t k = 0; k < o->count; ++k) p[k] = (point){(o->row[k].u * c + o->row[k].v * s) / length, o->row[k].h};
	scree_sort_by(p, o->count, sizeof *p, by_coordinate);
	const real from = p[0].s, range = p[o->count - 1].s - from;
	return line_between(o, p, o->count, from + BORDER * range, from + (1 - BORDER) * range);
}

static line better(line a, line b) { return b.of_points < a.of_points ? b : a; }

static line best_line(const surface *o, bool flat, point *p)
{
	const moments m = moments_of(o);
	line best = better(plane(o, &m, p), ridge(o, 1, 0, p));
	if (flat) return best;
	best = better(best, cone(o, p));
	const real turn = scree_atan2(2 * m.bent_uv, m.bent_uu - m.bent_vv) / 2; /* direction along a ridge, or across it */
	const real angle[DIRECTIONS] = {0, SCREE_PI / 2, turn, turn + SCREE_PI / 2};
	for (int k = 1; k < DIRECTIONS; ++k) best = better(best, ridge(o, scree_cos(angle[k]), scree_sin(angle[k]), p));
	return best;
}

real scree_slope(const grains *g, vec3 gravity)
{
	surface o;
	if (!(v3_norm(gravity) > 0)) return NAN;
	standing *row = scree_alloc((size_t)g->count, sizeof *row);
	const bool found = find_surface(g, v3_neg(v3_unit(gravity)), row, &o);
	scree_free(row);
	if (!found) return NAN;
	point *p = scree_alloc((size_t)o.count, sizeof *p);
	const line best = best_line(&o, g->flat, p);
	scree_free(p);
	scree_free(o.row);
	return best.of_strips < UNEXPLAINED ? scree_atan2(real_abs(best.slope), 1) : NAN;
}
