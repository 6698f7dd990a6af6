/* chart: lays out charts as marks of a drawing. */
#include "chart.h"

#include "axes.h"
#include "drawing.h"
#include "output.h"
#include "series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LEFT = 86, RIGHT = 16, TOP = 26, BOTTOM = 36, LEGEND_ROW = 16, LETTER_WIDTH = 7, LEGEND_GAP = 34 };
enum { GRID = 0xdddddd, FRAME = 0x444444, INK = 0 };
static const unsigned colours[MOST_CURVES] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9,
											  0x000000, 0x8c564b, 0x7f7f7f, 0xbcbd22, 0x9467bd, 0x17becf};

/* ------------------------------------------------------------------ marks */

static scree_mark *add_mark(drawing *d, scree_mark_kind kind, unsigned colour, double size)
{
	if (d->count == d->room) {
		d->room = 2 * d->room + 64;
		d->mark = grow(d->mark, (size_t)d->room, sizeof *d->mark);
	}
	scree_mark *m = d->mark + d->count++;
	*m = (scree_mark){.kind = kind, .colour = colour, .size = size};
	return m;
}

/* The mark owns its points. */
static void give_points(scree_mark *m, int points, const double *x, const double *y)
{
	double *own = grow(NULL, 2 * (size_t)points, sizeof *own);
	m->points = points;
	m->x = memcpy(own, x, (size_t)points * sizeof *x);
	m->y = memcpy(own + points, y, (size_t)points * sizeof *y);
}

static void add_two(drawing *d, scree_mark_kind kind, const double at[4], unsigned colour, double size)
{
	const double x[2] = {at[0], at[2]}, y[2] = {at[1], at[3]};
	give_points(add_mark(d, kind, colour, size), 2, x, y);
}

static scree_mark *add_text(drawing *d, double x, double y, const char *text, scree_anchor anchor)
{
	scree_mark *m = add_mark(d, SCREE_MARK_TEXT, INK, LETTERS);
	give_points(m, 1, &x, &y);
	m->text = strcpy(grow(NULL, strlen(text) + 1, 1), text);
	m->anchor = anchor;
	return m;
}

static void free_drawing(drawing *d)
{
	for (int k = 0; k < d->count; ++k) {
		free((void *)d->mark[k].x);
		free((void *)d->mark[k].text);
	}
	free(d->mark);
}

/* ------------------------------------------------------------------ axes */

/* The rectangle of a chart, in pixels. */
typedef struct frame {
	double top, bottom, right;
	axis x, y;
} frame;

static double px(const frame *f, double x) { return LEFT + (f->right - LEFT) * place_on(&f->x, x); }
static double py(const frame *f, double y) { return f->top + (f->bottom - f->top) * (1 - place_on(&f->y, y)); }

static void add_ticks(drawing *d, const frame *f)
{
	char text[32];
	double at;
	for (int k = 0; tick_at(&f->y, k, &at); ++k) {
		const double y = py(f, f->y.log ? pow(10, at) : at);
		name_tick(&f->y, at, text);
		add_two(d, SCREE_MARK_LINE, (const double[4]){LEFT, y, f->right, y}, GRID, 1);
		add_text(d, LEFT - 6, y + 4, text, SCREE_ANCHOR_RIGHT);
	}
	for (int k = 0; tick_at(&f->x, k, &at); ++k) {
		const double x = px(f, at);
		name_tick(&f->x, at, text);
		add_two(d, SCREE_MARK_LINE, (const double[4]){x, f->top, x, f->bottom}, GRID, 1);
		add_text(d, x, f->bottom + 16, text, SCREE_ANCHOR_MIDDLE);
	}
}

/* ------------------------------------------------------------------ curves */

/* Points in one column of pixels. Drawing only the first, smallest, largest and last of these points gives the same
 * picture as drawing all. */
typedef struct pixel_column {
	int64_t at;
	double first, least, most, last;
	bool begun;
} pixel_column;

typedef struct line_points {
	int count, room;
	double *x, *y;
} line_points;

static void add_point(line_points *l, double x, double y)
{
	if (l->count == l->room) {
		l->room = 2 * l->room + 256;
		l->x = grow(l->x, (size_t)l->room, sizeof *l->x);
		l->y = grow(l->y, (size_t)l->room, sizeof *l->y);
	}
	l->x[l->count] = x;
	l->y[l->count++] = y;
}

static void end_column(line_points *l, pixel_column *p)
{
	if (!p->begun) return;
	const double x = (double)p->at / 2;
	add_point(l, x, p->first);
	if (p->least < fmin(p->first, p->last)) add_point(l, x, p->least);
	if (p->most > fmax(p->first, p->last)) add_point(l, x, p->most);
	if (p->last != p->first) add_point(l, x, p->last);
	p->begun = false;
}

/* Draws an isolated point as a dot. */
static void end_part(line_points *l, pixel_column *p)
{
	end_column(l, p);
	if (!l->count || isnan(l->x[l->count - 1])) return;
	if (l->count == 1 || isnan(l->x[l->count - 2])) add_point(l, l->x[l->count - 1], l->y[l->count - 1]);
	add_point(l, NAN, NAN);
}

static void add_curve(drawing *d, const frame *f, const curve *c, unsigned colour)
{
	pixel_column p = {0};
	line_points l = {0};
	for (int64_t i = 0; i < c->count; ++i) {
		if (!is_drawable(f->y.log, c->y[i]) || !is_drawable(false, c->x[i])) {
			end_part(&l, &p);
			continue;
		}
		const int64_t at = (int64_t)(2 * px(f, c->x[i]) + 0.5);
		const double y = py(f, c->y[i]);
		if (p.begun && p.at != at) end_column(&l, &p);
		if (!p.begun) p = (pixel_column){at, y, y, y, y, true};
		p.least = fmin(p.least, y);
		p.most = fmax(p.most, y);
		p.last = y;
	}
	end_part(&l, &p);
	scree_mark *m = add_mark(d, SCREE_MARK_LINE, colour, 1.4);
	if (l.count) give_points(m, l.count, l.x, l.y);
	free(l.x);
	free(l.y);
}

/* ------------------------------------------------------------------ the legend */

static int letters(const char *text)
{
	int count = 0;
	for (; *text; ++text) count += (*text & 0xc0) != 0x80;
	return count;
}

/* Draws a name, which is cut off if it is longer than a row of the legend. */
static const char *shown_name(const char *name, char text[SERIES_NAME])
{
	int left = (CHART_WIDTH - LEFT - RIGHT - LEGEND_GAP) / LETTER_WIDTH - 3;
	if (letters(name) <= left + 3) return name;
	size_t k = 0;
	for (; k < SERIES_NAME - 4 && name[k]; ++k)
		if ((name[k] & 0xc0) != 0x80 && left-- == 0) break;
	snprintf(text, SERIES_NAME, "%.*s...", (int)k, name);
	return text;
}

/* Draws the names of the curves above the chart, in as many rows as needed; if d is NULL, only counts the rows. */
static int add_legend(drawing *d, double y, const chart *c)
{
	double x = LEFT + 6;
	int rows = 1;
	for (int k = 0; k < c->curves; ++k) {
		char text[SERIES_NAME];
		const char *name = shown_name(c->curve[k].name, text);
		const double width = LEGEND_GAP + (double)LETTER_WIDTH * letters(name);
		if (k && x + width > CHART_WIDTH - RIGHT) {
			x = LEFT + 6;
			y += LEGEND_ROW;
			++rows;
		}
		if (d) add_two(d, SCREE_MARK_LINE, (const double[4]){x, y - 4, x + 14, y - 4}, colours[k], 3);
		if (d) add_text(d, x + 18, y, name, SCREE_ANCHOR_LEFT);
		x += width;
	}
	return rows;
}

/* ------------------------------------------------------------------ charts */

/* Adds a chart below the existing ones. */
static void add_chart(drawing *d, const chart *c)
{
	const double above = TOP + LEGEND_ROW * (add_legend(NULL, 0, c) - 1);
	const frame f = {.top = d->height + above,
					 .bottom = d->height + above + CHART_HEIGHT - TOP - BOTTOM,
					 .right = CHART_WIDTH - RIGHT,
					 .x = x_axis(c),
					 .y = y_axis(c, 0, c->curves)};
	add_ticks(d, &f);
	add_two(d, SCREE_MARK_BOX, (const double[4]){LEFT, f.top, f.right, f.bottom}, FRAME, 1);
	for (int k = 0; k < c->curves; ++k) add_curve(d, &f, c->curve + k, colours[k]);
	add_legend(d, d->height + TOP - 7, c);
	add_text(d, (LEFT + f.right) / 2, f.bottom + BOTTOM - 5, c->x_name, SCREE_ANCHOR_MIDDLE);
	add_text(d, 14, (f.top + f.bottom) / 2, c->y_name, SCREE_ANCHOR_MIDDLE)->upright = 1;
	d->height = (int)f.bottom + BOTTOM;
}

static drawing draw_charts(int charts, const chart *of)
{
	drawing d = {.width = CHART_WIDTH};
	for (int k = 0; k < charts; ++k) add_chart(&d, of + k);
	return d;
}

void put_svg(FILE *to, int charts, const chart *of)
{
	drawing d = draw_charts(charts, of);
	put_drawing(to, &d);
	free_drawing(&d);
}

static int write_svg(const char *path, const drawing *d)
{
	text_output o;
	if (!begin_output(&o)) return say_no_memory();
	put_drawing(o.to, d);
	return end_output(&o, path);
}

int write_charts(const char *path, int charts, const chart *of)
{
	const char *dot = strrchr(path, '.');
	drawing d = draw_charts(charts, of);
	int code = 0;
	if (dot && !strcasecmp(dot, ".svg")) {
		code = write_svg(path, &d);
	} else {
		char *why;
		code = say_failure((int)scree_draw(path, d.width, d.height, d.count, d.mark, &why), &why);
	}
	free_drawing(&d);
	return code;
}
