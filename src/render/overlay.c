/* overlay: the legend on the right, the title and time at the top left, the axes at the bottom left, and the scale bar
 * at the bottom right. Sizes are proportional to the height of the picture. */
#include "render/page.h"

#include <math.h>
#include <stdio.h>

const vec3 scree_force_colour = {0.78, 0.08, 0.10};
static const vec3 ink = {0.13, 0.15, 0.19}, pale = {0.36, 0.40, 0.46};

enum { TICKS = 5, STOPS = 64 };

/* The step, 1, 2 or 5 times a power of ten, that divides the width into about this many parts. */
static real round_step(real width, int about)
{
	real step = pow(10, floor(log10(width / about)));
	real part = width / about / step;
	return step * (part > 5 ? 10 : part > 2 ? 5 : part > 1 ? 2 : 1);
}

/* The unit prefix with which the top of the scale is between 1 and 1000; angles and plain numbers have none. */
static real prefix(real most, const char *of, const char **letter)
{
	static const struct {
		real factor;
		const char *letter;
	} row[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}};
	enum { ROWS = sizeof row / sizeof row[0] };
	for (int k = 0; k < ROWS && of[0] && of[0] != 'r'; ++k) {
		if (most < 0.9999 * row[k].factor) continue;
		*letter = row[k].letter;
		return row[k].factor;
	}
	*letter = "";
	return 1;
}

/* The largest number of the form 1, 2 or 5 times a power of ten that is at most x > 0. */
static real round_below(real x)
{
	real step = pow(10, floor(log10(x) + 1e-9)), part = x / step;
	return step * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
}

/* ---- the legend ---- */

/* Draws the colours of the map as a band with a thin outline; an end is pointed if values lie beyond it. */
static void band(page *p, const legend *b, real x0, real x1, real top, real bottom)
{
	const real middle = (x0 + x1) / 2, tip = 0.9 * (x1 - x0), peak = b->over ? top - tip : top;
	cairo_pattern_t *colours = cairo_pattern_create_linear(0, bottom, 0, top);
	for (int k = 0; k <= STOPS; ++k) {
		const vec3 c = scree_encode(scree_colour_map(b->map, (real)k / STOPS));
		cairo_pattern_add_color_stop_rgb(colours, (real)k / STOPS, c.x, c.y, c.z);
	}
	cairo_move_to(p->to, x0, top);
	cairo_line_to(p->to, middle, peak);
	cairo_line_to(p->to, x1, top);
	cairo_line_to(p->to, x1, bottom);
	cairo_line_to(p->to, middle, b->under ? bottom + tip : bottom);
	cairo_line_to(p->to, x0, bottom);
	cairo_close_path(p->to);
	cairo_set_source(p->to, colours);
	cairo_fill_preserve(p->to);
	cairo_pattern_destroy(colours);
	scree_page_ink(p, ink, 0.7);
	cairo_set_line_width(p->to, 0.05 * (x1 - x0));
	cairo_stroke(p->to);
}

/* Prints a number with a true minus sign. */
static void print_number(char text[64], int digits, real value)
{
	snprintf(text, 64, "%s%.*f", value < 0 ? "−" : "", digits, real_abs(value));
}

static void numbers(page *p, const legend *b, real x, real top, real bottom, real h)
{
	const real width = 1.6 * h;
	const char *letter;
	const real unit = prefix(real_max(real_abs(b->low), real_abs(b->high)), b->unit, &letter);
	const real low = b->low / unit, high = b->high / unit, step = round_step(high - low, TICKS);
	const int digits = (int)real_clamp(-floor(log10(step) + 1e-9), 0, 9);
	band(p, b, x, x + width, top, bottom);
	for (int64_t k = (int64_t)ceil(low / step - 1e-6); (real)k <= high / step + 1e-6; ++k) {
		char text[64];
		const real y = bottom - ((real)k * step - low) / (high - low) * (bottom - top);
		print_number(text, digits, k == 0 ? 0 : (real)k * step);
		scree_page_line(p, v3(x + width, y, 0), v3(x + width + 0.45 * h, y, 0), 0.12 * h, ink, 1);
		scree_page_text(p, text, x + width + 0.8 * h, y + 0.42 * h, 0.85 * h, ink);
	}
	char name[96];
	snprintf(name, sizeof name, "%s%s", letter, b->unit);
	real above = top - (b->over ? 2.6 : 1.2) * h;
	if (name[0]) {
		scree_page_text(p, name, x, above, 0.85 * h, pale);
		above -= 1.8 * h;
	}
	scree_page_text(p, b->name, x, above, h, ink);
}

static void print_unnamed(char text[32], const legend *b) { snprintf(text, 32, "and %d more", b->unnamed); }

static void names(page *p, const legend *b, real x, real y, real h)
{
	scree_page_text(p, b->name, x, y, h, ink);
	for (int32_t k = 0; k < b->names; ++k) {
		y += 2.2 * h;
		scree_page_box(p, x, y - 1.2 * h, x + 1.4 * h, y + 0.2 * h, b->swatch[k]);
		scree_page_text(p, b->label[k], x + 2.1 * h, y, 0.85 * h, ink);
	}
	if (!b->unnamed) return;
	char more[32];
	print_unnamed(more, b);
	scree_page_text(p, more, x + 2.1 * h, y + 2.2 * h, 0.85 * h, ink);
}

/* Draws the scale of forces: a line whose width corresponds to a round value. */
static void force_scale(page *p, const legend *b, real x, real y, real h)
{
	char text[64];
	const char *letter;
	const real force = round_below(b->force), unit = prefix(force, "N", &letter), middle = y + 2.1 * h;
	scree_page_text(p, "contact force", x, y, h, ink);
	scree_page_line(p, v3(x, middle, 0), v3(x + 3 * h, middle, 0), real_max(b->force_width * force / b->force, 1),
					scree_force_colour, 1);
	snprintf(text, sizeof text, "%.4g %sN", force / unit, letter);
	scree_page_text(p, text, x + 3.6 * h, middle + 0.42 * h, 0.85 * h, ink);
}

/* Draws the scale of arrows: an arrow that corresponds to a round value. */
static void arrow_scale(page *p, const legend *b, real x, real y, real h)
{
	char text[64];
	const char *letter;
	const real value = round_below(b->arrow), length = b->arrow_length * value / b->arrow, middle = y + 1.6 * h;
	const real unit = prefix(value, b->arrows_unit, &letter);
	snprintf(text, sizeof text, "%.4g %s%s", value / unit, letter, b->arrows_unit);
	scree_page_text(p, b->arrows, x, y, h, ink);
	scree_page_arrow(p, v3(x, middle, 0), v3(x + length, middle, 0), 0.7 * h, ink, false);
	scree_page_text(p, text, x, middle + 1.8 * h, 0.85 * h, ink);
}

static real widest(page *p, const legend *b, real h)
{
	real most = b->none ? 0 : scree_page_text_width(p, b->name, h);
	if (b->force_width > 0) most = real_max(most, scree_page_text_width(p, "contact force", h));
	if (b->arrow > 0) most = real_max(most, scree_page_text_width(p, b->arrows, h));
	for (int32_t k = 0; k < b->names; ++k)
		most = real_max(most, 2.1 * h + scree_page_text_width(p, b->label[k], 0.85 * h));
	if (b->unnamed) {
		char more[32];
		print_unnamed(more, b);
		most = real_max(most, 2.1 * h + scree_page_text_width(p, more, 0.85 * h));
	}
	return real_max(most, 5.5 * h);
}

static void draw_legend(page *p, const legend *bar, real edge, real h)
{
	const real x = real_max(p->width - edge - widest(p, bar, h), 0.5 * p->width);
	const bool both = bar->force_width > 0 && bar->arrow > 0;
	if (!bar->none && bar->categories) names(p, bar, x, 0.27 * p->height, h);
	if (!bar->none && !bar->categories) numbers(p, bar, x, 0.27 * p->height, (both ? 0.67 : 0.75) * p->height, h);
	if (bar->force_width > 0) force_scale(p, bar, x, (both ? 0.74 : 0.82) * p->height, h);
	if (bar->arrow > 0) arrow_scale(p, bar, x, 0.82 * p->height, h);
}

/* ---- title, lengths, axes ---- */

/* Number of decimals, at least three, needed to resolve this time and the interval between pictures. */
static int time_digits(const image_plan *plan, real time)
{
	int digits = 3;
	real unit = 1e-3;
	for (; digits < 9; ++digits, unit /= 10) {
		const real off = real_abs(round(time / unit) * unit - time);
		const real apart = real_abs(round(plan->every / unit) * unit - plan->every);
		if (off <= 1e-2 * time && apart <= 1e-2 * plan->every) break;
	}
	return digits;
}

static void draw_title(page *p, const image_plan *plan, const char *title, real time, real edge, real h)
{
	char text[64];
	real y = edge + 0.6 * h;
	if (title && title[0]) {
		const real size = 1.35 * h, room = p->width - 2 * edge; /* a long title is made smaller */
		scree_page_text(p, title, edge, y, size * real_min(1, room / scree_page_text_width(p, title, size)), ink);
		y += 2.4 * h;
	}
	snprintf(text, sizeof text, "t = %.*f s", time_digits(plan, time), time);
	scree_page_text(p, text, edge, y, 0.95 * h, pale);
}

/* A scale bar of round length, at most a fifth of the width of the picture. */
static void draw_lengths(page *p, const lens *view, vec3 middle, real edge, real h)
{
	const real scale = scree_lens_scale(view, middle), length = round_below(0.2 * p->width / scale);
	const real x1 = p->width - edge, x0 = x1 - length * scale, y = p->height - edge;
	const char *letter;
	const real unit = prefix(length, "m", &letter);
	char text[64];
	snprintf(text, sizeof text, "%.4g %sm", length / unit, letter);
	const real wide = scree_page_text_width(p, text, 0.85 * h);
	scree_page_box(p, x0 - 0.2 * h, y - 0.5 * h, x1 + 0.2 * h, y + 0.2 * h, p->paper);
	scree_page_box(p, x0, y - 0.3 * h, x1, y, ink);
	scree_page_text(p, text, (x0 + x1 - wide) / 2, y - 0.9 * h, 0.85 * h, ink);
}

/* The directions of x, y and, in space, z; axes that point away from the viewer are drawn first. */
static void draw_axes(page *p, const lens *view, real edge, real h)
{
	static const char *const name[3] = {"x", "y", "z"};
	const camera *c = &view->view;
	const vec3 from = v3(edge + 4.5 * h, p->height - edge - 4 * h, 0);
	for (int back = 1; back >= 0; --back)
		for (int k = 0; k < (view->flat ? 2 : 3); ++k) {
			const vec3 axis = v3(k == 0, k == 1, k == 2);
			if ((v3_dot(axis, c->dir) > 0) != (back == 1)) continue;
			const vec3 way = v3(v3_dot(axis, c->right), -v3_dot(axis, c->up), 0);
			const vec3 to = v3_madd(from, 4 * h, way), word = v3_madd(from, 5 * h, way);
			scree_page_arrow(p, from, to, h, back ? pale : ink, false);
			scree_page_text(p, name[k], word.x - scree_page_text_width(p, name[k], 0.85 * h) / 2, word.y + 0.4 * h,
							0.85 * h, back ? pale : ink);
		}
}

void scree_overlay(page *p, const image_plan *plan, const lens *view, const legend *bar, const char *title, real time,
				   vec3 middle)
{
	const real h = real_max(0.0145 * real_min(p->height, 0.75 * p->width), 5), edge = 2.6 * h;
	if (!plan->no_title) draw_title(p, plan, title, time, edge, h);
	if (!plan->no_legend) draw_legend(p, bar, edge, h);
	if (plan->scale_bar) draw_lengths(p, view, middle, edge, h);
	if (plan->axes) draw_axes(p, view, edge, h);
}
