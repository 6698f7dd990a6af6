#include "chart.h"

#include "json.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ text of XML */

void put_xml(FILE *to, const char *text)
{
	for (const unsigned char *p = (const unsigned char *)text; *p;) {
		const int n = utf8_length(p);
		const bool control = n == 0 || (*p < ' ' && *p != '\n' && *p != '\t') || *p == 0x7f;
		if (control)
			fputs("\xef\xbf\xbd", to);
		else if (strchr("&<>\"'", *p))
			fprintf(to, "&#%d;", *p);
		else
			fwrite(p, 1, (size_t)n, to);
		p += n ? n : 1;
	}
}

/* ------------------------------------------------------------------ axes */

/* An axis with its ticks; log: of decades. */
typedef struct axis {
	double low, high, step; /* of log10 if log */
	bool log;
} axis;

static double place_on(const axis *a, double value)
{
	return ((a->log ? log10(value) : value) - a->low) / (a->high - a->low);
}
static bool is_drawable(bool log, double value) { return isfinite(value) && (!log || value > 0); }

/* 1, 2 or 5 times a power of ten, so that there are some five steps */
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
	if (!(high - low > 1e-12 * fmax(fabs(low), fabs(high)))) {
		const double about = low != 0 && !log ? fabs(low) / 10 : 1;
		low -= about;
		high += about;
	}
	a.step = log ? fmax(1, ceil((high - low) / 6)) : step_of(high - low);
	a.low = low;
	a.high = high;
	return a;
}

static axis x_axis(const chart *c)
{
	double low = INFINITY, high = -INFINITY;
	for (int k = 0; k < c->curves; ++k)
		for (int64_t i = 0; i < c->curve[k].count; ++i)
			if (isfinite(c->curve[k].x[i])) {
				low = fmin(low, c->curve[k].x[i]);
				high = fmax(high, c->curve[k].x[i]);
			}
	return axis_of(low, high, false);
}

/* Of curves from .. to-1, with a margin. */
static axis y_axis(const chart *c, int from, int to)
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

static double first_tick(const axis *a) { return ceil(a->low / a->step) * a->step; }

static void name_tick(const axis *a, double at, char text[32])
{
	if (fabs(at) < a->step * 1e-6) at = 0;
	snprintf(text, 32, "%.6g", a->log ? pow(10, at) : at);
}

/* ------------------------------------------------------------------ SVG */

enum { LEFT = 86, RIGHT = 16, TOP = 26, BOTTOM = 36 };
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
									  "#000000", "#8c564b", "#7f7f7f", "#bcbd22", "#9467bd", "#17becf"};

/* The rectangle of a chart, in pixels. */
typedef struct frame {
	double top;
	axis x, y;
} frame;

static double px(const frame *f, double x) { return LEFT + (CHART_WIDTH - LEFT - RIGHT) * place_on(&f->x, x); }
static double py(const frame *f, double y)
{
	return f->top + TOP + (CHART_HEIGHT - TOP - BOTTOM) * (1 - place_on(&f->y, y));
}

static void put_ticks(FILE *to, const frame *f)
{
	char text[32];
	const double bottom = f->top + CHART_HEIGHT - BOTTOM, right = CHART_WIDTH - RIGHT;
	for (double at = first_tick(&f->y); at <= f->y.high; at += f->y.step) {
		const double y = py(f, f->y.log ? pow(10, at) : at);
		name_tick(&f->y, at, text);
		fprintf(to,
				"<path d=\"M%d %.1fH%.1f\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
				LEFT, y, right, LEFT - 6, y + 4, text);
	}
	for (double at = first_tick(&f->x); at <= f->x.high + 1e-9 * f->x.step; at += f->x.step) {
		const double x = px(f, at);
		name_tick(&f->x, at, text);
		fprintf(to,
				"<path d=\"M%.1f %.1fV%.1f\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"%.1f\" "
				"text-anchor=\"middle\">%s</text>\n",
				x, f->top + TOP, bottom, x, bottom + 16, text);
	}
}

/* Points of one column of pixels: the first, the least, the greatest and the last draw the same picture as all. */
typedef struct pixel_column {
	int64_t at;
	double first, least, most, last;
	bool begun;
} pixel_column;

static void end_column(FILE *to, pixel_column *p, bool *joined)
{
	if (!p->begun) return;
	const double x = (double)p->at / 2;
	fprintf(to, "%s%.1f %.1f", *joined ? "L" : "M", x, p->first);
	if (p->least < fmin(p->first, p->last)) fprintf(to, "L%.1f %.1f", x, p->least);
	if (p->most > fmax(p->first, p->last)) fprintf(to, "L%.1f %.1f", x, p->most);
	if (p->last != p->first) fprintf(to, "L%.1f %.1f", x, p->last);
	*joined = true;
	p->begun = false;
}

static void put_curve(FILE *to, const frame *f, const curve *c, const char *colour)
{
	pixel_column p = {0};
	bool joined = false;
	fprintf(to,
			"<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.4\" stroke-linejoin=\"round\" stroke-linecap=\"round\" "
			"d=\"",
			colour);
	for (int64_t i = 0; i < c->count; ++i) {
		if (!is_drawable(f->y.log, c->y[i]) || !isfinite(c->x[i])) {
			end_column(to, &p, &joined);
			joined = false;
			continue;
		}
		const int64_t at = (int64_t)(2 * px(f, c->x[i]) + 0.5);
		const double y = py(f, c->y[i]);
		if (p.begun && p.at != at) end_column(to, &p, &joined);
		if (!p.begun) p = (pixel_column){at, y, y, y, y, true};
		p.least = fmin(p.least, y);
		p.most = fmax(p.most, y);
		p.last = y;
	}
	end_column(to, &p, &joined);
	if (!joined && !c->count) fputs("M0 0", to);
	fputs("\"/>\n", to);
}

static void put_legend(FILE *to, const frame *f, const chart *c)
{
	double x = LEFT + 6;
	for (int k = 0; k < c->curves; ++k) {
		const double width = 26 + 7.0 * (double)strlen(c->curve[k].name);
		fprintf(to, "<path d=\"M%.1f %.1fh14\" stroke=\"%s\" stroke-width=\"3\"/><text x=\"%.1f\" y=\"%.1f\">", x,
				f->top + TOP - 11, colours[k], x + 18, f->top + TOP - 7);
		put_xml(to, c->curve[k].name);
		fputs("</text>\n", to);
		x += width;
	}
}

static void put_chart(FILE *to, const chart *c, double top)
{
	const frame f = {top, x_axis(c), y_axis(c, 0, c->curves)};
	put_ticks(to, &f);
	fprintf(to, "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#444\"/>\n", LEFT,
			top + TOP, CHART_WIDTH - LEFT - RIGHT, CHART_HEIGHT - TOP - BOTTOM);
	for (int k = 0; k < c->curves; ++k) put_curve(to, &f, c->curve + k, colours[k]);
	put_legend(to, &f, c);
	fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", (LEFT + CHART_WIDTH - RIGHT) / 2.0,
			top + CHART_HEIGHT - 5);
	put_xml(to, c->x_name);
	const double middle = top + TOP + (CHART_HEIGHT - TOP - BOTTOM) / 2.0;
	fprintf(to, "</text><text x=\"14\" y=\"%.1f\" text-anchor=\"middle\" transform=\"rotate(-90 14 %.1f)\">", middle,
			middle);
	put_xml(to, c->y_name);
	fputs("</text>\n", to);
}

void put_svg(FILE *to, int charts, const chart *of)
{
	const int height = CHART_HEIGHT * charts;
	fprintf(to,
			"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
			"font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
			CHART_WIDTH, height, CHART_WIDTH, height, CHART_WIDTH, height);
	for (int k = 0; k < charts; ++k) put_chart(to, of + k, (double)k * CHART_HEIGHT);
	fputs("</svg>\n", to);
}

/* ------------------------------------------------------------------ text */

enum { TEXT_ROWS = 10, TEXT_LEFT = 11, TEXT_MOST = 400, DOT_ROWS = 4, DOT_COLUMNS = 2 };

/* Dots of a chart, [y][x] from the top left. */
typedef struct dot_grid {
	int rows, columns;
	bool set[TEXT_ROWS * DOT_ROWS][TEXT_MOST];
} dot_grid;

static int dot_at(double part, int count)
{
	const int k = (int)(part * count);
	return k < 0 ? 0 : k >= count ? count - 1 : k;
}

/* Joins two points by a line of dots. */
static void draw(dot_grid *d, double x0, double y0, double x1, double y1)
{
	const double long_way = fmax(fabs(x1 - x0) * d->columns, fabs(y1 - y0) * d->rows);
	const int steps = long_way < 1 ? 1 : (int)long_way + 1;
	for (int k = 0; k <= steps; ++k) {
		const double part = (double)k / steps;
		d->set[dot_at(1 - (y0 + part * (y1 - y0)), d->rows)][dot_at(x0 + part * (x1 - x0), d->columns)] = true;
	}
}

static void draw_curve(dot_grid *d, const curve *c, const axis *x, const axis *y)
{
	double before[2] = {0};
	bool joined = false;
	for (int64_t i = 0; i < c->count; ++i) {
		const bool there = is_drawable(y->log, c->y[i]) && isfinite(c->x[i]);
		const double at[2] = {there ? place_on(x, c->x[i]) : 0, there ? place_on(y, c->y[i]) : 0};
		if (there) draw(d, joined ? before[0] : at[0], joined ? before[1] : at[1], at[0], at[1]);
		before[0] = at[0];
		before[1] = at[1];
		joined = there;
	}
}

/* The character of Braille with the dots of a cell. */
static void put_dots(FILE *to, const dot_grid *d, int row, int column)
{
	static const int bit[DOT_ROWS][DOT_COLUMNS] = {{0, 3}, {1, 4}, {2, 5}, {6, 7}};
	int bits = 0;
	for (int j = 0; j < DOT_ROWS; ++j)
		for (int i = 0; i < DOT_COLUMNS; ++i)
			if (d->set[DOT_ROWS * row + j][DOT_COLUMNS * column + i]) bits |= 1 << bit[j][i];
	if (bits)
		fprintf(to, "\xe2%c%c", 0xa0 + (bits >> 6), 0x80 + (bits & 63));
	else
		fputc(' ', to);
}

static void put_text_curve(FILE *to, const chart *c, int number, int width, bool fine)
{
	static dot_grid d;
	const axis x = x_axis(c), y = y_axis(c, number, number + 1);
	int columns = width - TEXT_LEFT - 2;
	if (columns > TEXT_MOST / DOT_COLUMNS) columns = TEXT_MOST / DOT_COLUMNS;
	if (columns < 10) columns = 10;
	memset(&d, 0, sizeof d);
	d.rows = fine ? TEXT_ROWS * DOT_ROWS : TEXT_ROWS;
	d.columns = fine ? columns * DOT_COLUMNS : columns;
	draw_curve(&d, c->curve + number, &x, &y);
	fprintf(to, "%s, %s\n", c->curve[number].name, c->y_name);
	for (int row = 0; row < TEXT_ROWS; ++row) {
		char label[32] = "";
		const double part = 1 - (row + 0.5) / TEXT_ROWS, at = y.low + part * (y.high - y.low);
		if (row == 0 || row == TEXT_ROWS / 2 || row == TEXT_ROWS - 1)
			snprintf(label, sizeof label, "%.4g", y.log ? pow(10, at) : at);
		fprintf(to, "%*s |", TEXT_LEFT - 1, label);
		int last = columns;
		while (!fine && last > 0 && !d.set[row][last - 1]) --last;
		for (int k = 0; k < last; ++k)
			if (fine)
				put_dots(to, &d, row, k);
			else
				fputc(d.set[row][k] ? '*' : ' ', to);
		fputc('\n', to);
	}
	char right[64];
	const int length = snprintf(right, sizeof right, "%.4g %s", x.high, c->x_name);
	fprintf(to, "%*s %-*.4g%s\n", TEXT_LEFT, "", columns > length ? columns - length : 1, x.low, right);
}

void put_text_chart(FILE *to, const chart *c, int width, bool dots)
{
	for (int k = 0; k < c->curves; ++k) put_text_curve(to, c, k, width, dots);
}
