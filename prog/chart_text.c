/* chart_text: draws charts as lines of text. */
#include "axes.h"
#include "command.h"

#include <math.h>
#include <string.h>

enum { TEXT_ROWS = 10, TEXT_LEFT = 11, TEXT_MOST = 400, DOT_ROWS = 4, DOT_COLUMNS = 2 };

/* The dots of a chart, [y][x], counted from the top left. */
typedef struct dot_grid {
	int rows, columns;
	bool set[TEXT_ROWS * DOT_ROWS][TEXT_MOST];
} dot_grid;

static int dot_at(double part, int count)
{
	const int k = (int)(part * count);
	return k < 0 ? 0 : k >= count ? count - 1 : k;
}

/* Connects two points with a line of dots. */
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
		const bool there = is_drawable(y->log, c->y[i]) && is_drawable(false, c->x[i]);
		const double at[2] = {there ? place_on(x, c->x[i]) : 0, there ? place_on(y, c->y[i]) : 0};
		if (there) draw(d, joined ? before[0] : at[0], joined ? before[1] : at[1], at[0], at[1]);
		before[0] = at[0];
		before[1] = at[1];
		joined = there;
	}
}

/* Returns the Braille character for the dots in a cell. */
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
	print_safely(to, "%s, %s\n", c->curve[number].name, c->y_name);
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
