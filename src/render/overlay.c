/* overlay: scale bar on the right, title and time at the top left. Sizes are proportional to the height of the
 * picture. */
#include "render/picture.h"

#include <math.h>
#include <stdio.h>

const vec3 scree_force_colour = {0.78, 0.08, 0.10};
static const vec3 ink = {0.16, 0.19, 0.24}, pale = {0.42, 0.46, 0.52};

enum { TICKS = 5 };

static void box(canvas *c, real x0, real y0, real x1, real y1, vec3 srgb, real alpha)
{
	for (int32_t y = (int32_t)floor(y0); y < (int32_t)ceil(y1); ++y)
		for (int32_t x = (int32_t)floor(x0); x < (int32_t)ceil(x1); ++x) {
			real cover = (real_min(x + 1, x1) - real_max(x, x0)) * (real_min(y + 1, y1) - real_max(y, y0));
			scree_canvas_blend(c, x, y, srgb, alpha * real_max(cover, 0));
		}
}

/* The step of 1, 2 or 5 times a power of ten that divides the width into about this many parts. */
static real round_step(real width, int about)
{
	real step = pow(10, floor(log10(width / about)));
	real part = width / about / step;
	return step * (part > 5 ? 10 : part > 2 ? 5 : part > 1 ? 2 : 1);
}

/* The unit prefix with which the top of the scale is in 1 .. 1000. */
static real prefix(real most, const char **letter)
{
	static const struct {
		real factor;
		const char *letter;
	} row[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}};
	enum { ROWS = sizeof row / sizeof row[0] };
	for (int k = 0; k < ROWS; ++k) {
		if (most < 0.9999 * row[k].factor) continue;
		*letter = row[k].letter;
		return row[k].factor;
	}
	*letter = "";
	return 1;
}

static void tip(canvas *c, real x0, real x1, real y, vec3 srgb)
{
	real middle = (x0 + x1) / 2, half = (x1 - x0) / 2, height = 0.9 * (x1 - x0);
	for (int32_t k = 0; k < (int32_t)height; ++k) {
		real w = half * (1 - (k + 0.5) / height);
		box(c, middle - w, y - k - 1, middle + w, y - k, srgb, 1);
	}
}

static void numbers(canvas *c, const scale_bar *b, real x, real top, real bottom, real h)
{
	real width = 1.6 * h;
	for (int32_t y = (int32_t)top; y < (int32_t)bottom; ++y) {
		vec3 srgb = scree_encode(scree_colour_map(1 - (y + 0.5 - top) / (bottom - top)));
		box(c, x, y, x + width, y + 1, srgb, 1);
	}
	if (b->over) tip(c, x, x + width, (int32_t)top, scree_encode(scree_colour_map(1)));
	const char *letter;
	bool angle = b->unit[0] == 'r';
	real unit = prefix(real_max(real_abs(b->low), real_abs(b->high)), &letter);
	if (angle) {
		unit = 1;
		letter = "";
	}
	real low = b->low / unit, high = b->high / unit, step = round_step(high - low, TICKS);
	int digits = (int)real_clamp(-floor(log10(step) + 1e-9), 0, 9);
	for (int64_t k = (int64_t)ceil(low / step - 1e-6); (real)k <= high / step + 1e-6; ++k) {
		char text[64];
		real y = bottom - ((real)k * step - low) / (high - low) * (bottom - top);
		snprintf(text, sizeof text, "%.*f", digits, k == 0 ? 0.0 : (real)k * step);
		box(c, x + width, y - 0.06 * h, x + width + 0.45 * h, y + 0.06 * h, ink, 1);
		scree_text(c, text, x + width + 0.8 * h, y + 0.42 * h, 0.85 * h, 0.13, ink);
	}
	char name[96];
	snprintf(name, sizeof name, "%s%s", letter, b->unit);
	real above = top - (b->over ? 2.6 : 1.2) * h;
	scree_text(c, name, x, above, 0.85 * h, 0.13, pale);
	scree_text(c, b->name, x, above - 1.8 * h, h, 0.14, ink);
}

static void names(canvas *c, const scale_bar *b, real x, real y, real h)
{
	scree_text(c, b->name, x, y, h, 0.14, ink);
	for (int32_t k = 0; k < b->names; ++k) {
		y += 2.2 * h;
		box(c, x, y - 1.2 * h, x + 1.4 * h, y + 0.2 * h, b->swatch[k], 1);
		scree_text(c, b->label[k], x + 2.1 * h, y, 0.85 * h, 0.13, ink);
	}
}

/* The greatest value of 1, 2 or 5 times a power of ten that is at most x > 0. */
static real round_below(real x)
{
	real step = pow(10, floor(log10(x))), part = x / step;
	return step * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
}

/* Draws the scale of forces: a line whose width corresponds to a round value. */
static void force_scale(canvas *c, const scale_bar *b, real x, real y, real h)
{
	char text[64];
	const char *letter;
	real force = round_below(b->force), unit = prefix(force, &letter);
	real half = real_max(b->force_width * force / b->force, 1) / 2, middle = y + 2.1 * h;
	scree_text(c, "contact force", x, y, h, 0.14, ink);
	box(c, x, middle - half, x + 3 * h, middle + half, scree_force_colour, 1);
	snprintf(text, sizeof text, "%.4g %sN", force / unit, letter);
	scree_text(c, text, x + 3.6 * h, middle + 0.42 * h, 0.85 * h, 0.13, ink);
}

static real widest(const scale_bar *b, real h)
{
	real most = scree_text_width(b->force_width > 0 ? "contact force" : b->name, h);
	for (int32_t k = 0; k < b->names; ++k) most = real_max(most, 2.1 * h + scree_text_width(b->label[k], 0.85 * h));
	return real_max(most, 5.5 * h);
}

void scree_overlay(canvas *c, const scale_bar *bar, const char *title, real time)
{
	real h = real_max(0.0145 * real_min(c->height, 0.75 * c->width), 5), edge = 2.6 * h;
	char text[64];
	real y = edge + 0.6 * h;
	if (title && title[0]) {
		scree_text(c, title, edge, y, 1.35 * h, 0.125, ink);
		y += 2.4 * h;
	}
	snprintf(text, sizeof text, "t = %.3f s", time);
	scree_text(c, text, edge, y, 0.95 * h, 0.13, pale);
	real x = real_max(c->width - edge - widest(bar, h), 0.5 * c->width);
	if (bar->categories)
		names(c, bar, x, 0.3 * c->height, h);
	else
		numbers(c, bar, x, 0.27 * c->height, 0.75 * c->height, h);
	if (bar->force_width > 0) force_scale(c, bar, x, 0.82 * c->height, h);
}
