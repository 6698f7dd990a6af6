/* figures: draws convex figures. A convex figure covers one interval of a row of samples, so that it is drawn by the
 * two ends of the interval, without a test per sample. A pixel is the mean of its samples in linear light. Bands of
 * rows are drawn independently of each other; the result does not depend on threads. */
#include "render/figures.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

enum { BAND = 8 };

static void *room(void *array, int32_t count, int32_t *capacity, size_t size)
{
	if (count < *capacity) return array;
	int32_t more = *capacity ? 2 * *capacity : 64;
	array = scree_grow(array, (size_t)count, (size_t)more, size);
	*capacity = more;
	return array;
}

figure *scree_figure_begin(figures *f, int32_t paint, int32_t border)
{
	f->row = room(f->row, f->count, &f->capacity, sizeof *f->row);
	figure *now = &f->row[f->count++];
	*now = (figure){.first_side = f->sides,
					.first_round = f->rounds,
					.low = -INFINITY,
					.high = INFINITY,
					.paint = paint,
					.border = border};
	return now;
}

void scree_figure_side(figures *f, figure_side s)
{
	f->side = room(f->side, f->sides, &f->side_capacity, sizeof *f->side);
	f->side[f->sides++] = s;
	f->row[f->count - 1].sides += 1;
}

void scree_figure_round(figures *f, figure_round r)
{
	f->round = room(f->round, f->rounds, &f->round_capacity, sizeof *f->round);
	f->round[f->rounds++] = r;
	figure *now = &f->row[f->count - 1];
	now->rounds += 1;
	real reach = hypot(r.a * r.s, r.b * r.c);
	now->low = real_max(now->low, r.y - reach);
	now->high = real_min(now->high, r.y + reach);
}

void scree_figure_corners(figures *f, int32_t count, const vec3 *corner, real border)
{
	real low = INFINITY, high = -INFINITY, twice = 0;
	for (int32_t k = 0; k < count; ++k) {
		vec3 p = corner[k], q = corner[k + 1 < count ? k + 1 : 0];
		low = real_min(low, p.y);
		high = real_max(high, p.y);
		/* coordinates relative to the first corner, to avoid cancellation far from the origin */
		twice += (p.x - corner->x) * (q.y - corner->y) - (q.x - corner->x) * (p.y - corner->y);
	}
	for (int32_t k = 0; k < count; ++k) {
		vec3 p = corner[k], way = v3_sub(corner[k + 1 < count ? k + 1 : 0], p);
		real length = hypot(way.x, way.y), out = twice > 0 ? 1 : -1;
		if (!(length > 0)) continue;
		figure_side s = {out * way.y / length, -out * way.x / length, 0, border};
		s.off = s.nx * p.x + s.ny * p.y;
		scree_figure_side(f, s);
	}
	figure *now = &f->row[f->count - 1];
	now->low = real_max(now->low, low);
	now->high = real_min(now->high, high);
}

void scree_figures_free(figures *f)
{
	scree_free(f->row);
	scree_free(f->side);
	scree_free(f->round);
}

/* ---- a row of samples ---- */

typedef struct span {
	real low, high;
} span;

static void cut_by_side(const figure_side *s, real y, real border, span *to)
{
	real rest = s->off - border - s->ny * y;
	if (s->nx > 1e-12)
		to->high = real_min(to->high, rest / s->nx);
	else if (s->nx < -1e-12)
		to->low = real_max(to->low, rest / s->nx);
	else if (rest < 0)
		to->low = INFINITY;
}

static void cut_by_round(const figure_round *r, real y, real border, span *to)
{
	real a = r->a - border, b = r->b - border, dy = y - r->y;
	if (!(a > 0 && b > 0)) {
		to->low = INFINITY;
		return;
	}
	real c = r->c / a, d = r->s / a, e = r->s / b, f = r->c / b;
	/* (c dx + d dy)^2 + (f dy - e dx)^2 <= 1 */
	real p = c * c + e * e, q = (c * d - e * f) * dy, root = q * q - p * ((d * d + f * f) * dy * dy - 1);
	if (root < 0) {
		to->low = INFINITY;
		return;
	}
	root = sqrt(root);
	to->low = real_max(to->low, r->x + (-q - root) / p);
	to->high = real_min(to->high, r->x + (-q + root) / p);
}

static span across(const figures *f, const figure *g, real y, bool inside)
{
	span s = {-INFINITY, INFINITY};
	for (int32_t k = g->first_side; k < g->first_side + g->sides; ++k)
		cut_by_side(&f->side[k], y, inside ? f->side[k].border : 0, &s);
	for (int32_t k = g->first_round; k < g->first_round + g->rounds; ++k)
		cut_by_round(&f->round[k], y, inside ? f->round[k].border : 0, &s);
	return s;
}

typedef struct drawing {
	const figures *f;
	int32_t side;
	const vec3 *paint, *ready; /* linear colours; ready: encoded, for a pixel with only this paint */
	canvas *out;
	const int64_t *first;  /* [bands + 1] */
	const int32_t *member; /* figures of each band, in rising order */
	int32_t **sample;	   /* [threads] paints of the samples of a row of pixels */
} drawing;

/* The first sample whose middle is at x or to the right of it. */
static int32_t sample_at(const drawing *d, real x)
{
	return (int32_t)ceil(real_clamp(x * d->side - 0.5, 0, (real)d->out->width * d->side));
}

static void fill(const drawing *d, int32_t *row, span s, int32_t paint)
{
	int32_t end = sample_at(d, s.high);
	for (int32_t x = sample_at(d, s.low); x < end; ++x) row[x] = paint;
}

/* Draws lines from the lower left to the upper right. */
static void hatch(const drawing *d, int32_t *row, span s, int32_t paint, real y)
{
	int32_t end = sample_at(d, s.high);
	for (int32_t x = sample_at(d, s.low); x < end; ++x) {
		real along = ((x + 0.5) / d->side + y) / d->f->hatch;
		row[x] = paint + (along - floor(along) < 0.25 ? 1 : 0);
	}
}

static void draw_figure(const drawing *d, const figure *g, real y, int32_t *row)
{
	span s = across(d->f, g, y, false);
	if (!(s.low < s.high)) return;
	if (g->border != g->paint) {
		fill(d, row, s, g->border);
		s = across(d->f, g, y, true);
	}
	if (!(s.low < s.high)) return;
	if (g->hatched)
		hatch(d, row, s, g->paint, y);
	else
		fill(d, row, s, g->paint);
}

/* ---- pixels ---- */

static void put_pixel(const drawing *d, const int32_t *sample, float *to)
{
	int32_t n = d->side, stride = d->out->width * n, first = sample[0];
	bool even = true;
	vec3 sum = v3(0, 0, 0);
	for (int32_t j = 0; j < n; ++j)
		for (int32_t i = 0; i < n; ++i) even = even && sample[j * stride + i] == first;
	vec3 seen = d->ready[first];
	if (!even) {
		for (int32_t j = 0; j < n; ++j)
			for (int32_t i = 0; i < n; ++i) sum = v3_add(sum, d->paint[sample[j * stride + i]]);
		seen = scree_encode(v3_mul(1 / (real)(n * n), sum));
	}
	to[0] = (float)seen.x;
	to[1] = (float)seen.y;
	to[2] = (float)seen.z;
}

static void draw_row(const drawing *d, int32_t band, int32_t y, int32_t *sample)
{
	int32_t width = d->out->width, n = d->side;
	memset(sample, 0, (size_t)width * (size_t)n * (size_t)n * sizeof *sample);
	for (int64_t k = d->first[band]; k < d->first[band + 1]; ++k) {
		const figure *g = &d->f->row[d->member[k]];
		if (g->high < y || g->low > y + 1) continue;
		for (int32_t j = 0; j < n; ++j) {
			real at = y + (j + 0.5) / n;
			if (at >= g->low && at <= g->high) draw_figure(d, g, at, sample + (size_t)j * (size_t)width * (size_t)n);
		}
	}
	float *to = d->out->rgb + 3 * (size_t)y * (size_t)width;
	for (int32_t x = 0; x < width; ++x) put_pixel(d, sample + (size_t)x * (size_t)n, to + 3 * (size_t)x);
}

static void bands(void *what, int64_t from, int64_t to, int thread)
{
	const drawing *d = what;
	for (int64_t band = from; band < to; ++band)
		for (int32_t y = (int32_t)band * BAND; y < ((int32_t)band + 1) * BAND && y < d->out->height; ++y)
			draw_row(d, (int32_t)band, y, d->sample[thread]);
}

/* The bands from .. to-1 that a figure covers. */
static void reached(const figure *g, int32_t count, int32_t *from, int32_t *to)
{
	bool nowhere = !(g->low <= g->high); /* also true if a bound is NaN */
	*from = nowhere ? 0 : (int32_t)floor(real_clamp(g->low / BAND, 0, count));
	*to = nowhere ? 0 : (int32_t)floor(real_clamp(g->high / BAND, -1, count - 1)) + 1;
}

/* The figures of each band, in their order. first: bands + 1 rows, all zero */
static int32_t *sort_to_bands(const figures *f, int32_t count, int64_t *first)
{
	int32_t from, to;
	for (int32_t k = 0; k < f->count; ++k) {
		reached(&f->row[k], count, &from, &to);
		for (int32_t b = from; b < to; ++b) ++first[b + 1];
	}
	for (int32_t b = 0; b < count; ++b) first[b + 1] += first[b];
	int32_t *member = scree_alloc((size_t)first[count], sizeof *member);
	int64_t *next = scree_copy(first, (size_t)count, sizeof *next);
	for (int32_t k = 0; k < f->count; ++k) {
		reached(&f->row[k], count, &from, &to);
		for (int32_t b = from; b < to; ++b) member[next[b]++] = k;
	}
	scree_free(next);
	return member;
}

void scree_figures_paint(const figures *f, int32_t paints, const vec3 *paint, int32_t side, canvas *out)
{
	int32_t count = (out->height + BAND - 1) / BAND, *sample[SCREE_MOST_THREADS];
	int64_t *first = scree_alloc((size_t)count + 1, sizeof *first);
	int32_t *member = sort_to_bands(f, count, first);
	vec3 *ready = scree_alloc((size_t)paints, sizeof *ready);
	for (int32_t k = 0; k < paints; ++k) ready[k] = scree_encode(paint[k]);
	int threads = scree_threads();
	for (int t = 0; t < threads; ++t)
		sample[t] = scree_alloc((size_t)out->width * (size_t)side * (size_t)side, sizeof **sample);
	drawing d = {f, side, paint, ready, out, first, member, sample};
	scree_parallel(bands, &d, count, 1);
	for (int t = 0; t < threads; ++t) scree_free(sample[t]);
	scree_free(ready);
	scree_free(member);
	scree_free(first);
}
