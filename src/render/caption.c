/* caption: title, time and the scale of colours, set in DejaVu Sans by FreeType. */
#include "render/picture.h"

#include <freetype/freetype.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const fonts[] = {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
									"/usr/share/fonts/TTF/DejaVuSans.ttf",
									"/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf"};

typedef struct pen {
	FT_Library library;
	FT_Face face;
	picture *p;
} pen;

static bool pen_open(pen *o, picture *p)
{
	memset(o, 0, sizeof *o);
	o->p = p;
	if (FT_Init_FreeType(&o->library)) return false;
	for (size_t k = 0; k < sizeof fonts / sizeof *fonts; ++k)
		if (!FT_New_Face(o->library, fonts[k], 0, &o->face)) return true;
	return false;
}

static void pen_close(pen *o)
{
	if (o->face) FT_Done_Face(o->face);
	if (o->library) FT_Done_FreeType(o->library);
}

static void blend(picture *p, int x, int y, real part, real shade)
{
	if (x < 0 || y < 0 || x >= p->width || y >= p->height) return;
	float *c = p->pixel + 3 * ((size_t)y * (size_t)p->width + (size_t)x);
	for (int k = 0; k < 3; ++k) c[k] = (float)((1 - part) * c[k] + part * shade);
}

/* Returns the width; draws only when `draw`. y is the base line. */
static int set_text(pen *o, int size, int x, int y, real shade, bool draw, const char *text)
{
	FT_Set_Pixel_Sizes(o->face, 0, (FT_UInt)size);
	int start = x;
	for (const unsigned char *c = (const unsigned char *)text; *c; ++c) {
		if (FT_Load_Char(o->face, *c < 128 ? *c : '?', FT_LOAD_RENDER)) continue;
		const FT_GlyphSlot g = o->face->glyph;
		for (int r = 0; draw && r < (int)g->bitmap.rows; ++r)
			for (int q = 0; q < (int)g->bitmap.width; ++q)
				blend(o->p, x + g->bitmap_left + q, y - g->bitmap_top + r,
					  g->bitmap.buffer[r * g->bitmap.pitch + q] / 255.0, shade);
		x += (int)(g->advance.x >> 6);
	}
	return x - start;
}

/* a step of 1, 2 or 5 times a power of ten that gives four to eight ticks */
static real tick_step(real range)
{
	real step = pow(10, floor(log10(range / 4)));
	if (range / step > 20) return 5 * step;
	return range / step > 8 ? 2 * step : step;
}

static void scale_bar(pen *o, const coloring *c)
{
	picture *p = o->p;
	int unit = p->height / 48 > 9 ? p->height / 48 : 9; /* size of the letters */
	int wide = unit, high = p->height * 2 / 5, x0 = p->width - 6 * unit, y0 = p->height / 2 - high / 2;
	for (int y = 0; y < high; ++y) {
		vec3 q = scree_coloring_color(c, c->low + (c->high - c->low) * (high - 1 - y) / (high - 1));
		const real s[3] = {q.x, q.y, q.z};
		for (int x = 0; x < wide; ++x) {
			float *to = p->pixel + 3 * ((size_t)(y0 + y) * (size_t)p->width + (size_t)(x0 + x));
			for (int k = 0; k < 3; ++k)
				to[k] = (float)(s[k] <= 0.0031308 ? 12.92 * s[k] : 1.055 * pow(s[k], 1 / 2.4) - 0.055);
		}
	}
	real range = c->high - c->low, step = tick_step(range);
	for (real v = ceil(c->low / step - 1e-9) * step; v <= c->high + 1e-9 * range; v += step) {
		int y = y0 + (int)((high - 1) * (c->high - v) / range);
		for (int x = 0; x < unit / 3; ++x) blend(p, x0 + wide + x, y, 0.8, 0.2);
		char text[32];
		snprintf(text, sizeof text, "%.4g", real_abs(v) < 1e-9 * step ? 0 : v);
		set_text(o, unit * 4 / 5, x0 + wide + unit / 2, y + unit / 3, 0.15, true, text);
	}
	char label[64];
	snprintf(label, sizeof label, "%s%s%s%s", c->label, *c->unit ? " [" : "", c->unit, *c->unit ? "]" : "");
	set_text(o, unit * 4 / 5, x0 - unit / 2, y0 - unit, 0.15, true, label);
}

void scree_picture_caption(picture *p, const scree_world *w, const coloring *c, const char *title)
{
	pen o;
	if (!pen_open(&o, p)) {
		static bool told;
		if (!told)
			fputs("scree: warning: no DejaVu Sans found (Debian: fonts-dejavu-core): pictures go without text\n",
				  stderr);
		told = true;
		pen_close(&o);
		return;
	}
	int size = p->height / 40 > 11 ? p->height / 40 : 11;
	if (title && *title) set_text(&o, size, size, 2 * size, 0.12, true, title);
	char text[96];
	snprintf(text, sizeof text, "t = %.3f s    %d bodies", w->time, w->body.count);
	set_text(&o, size * 3 / 4, size, 2 * size + size * 5 / 4, 0.3, true, text);
	if (!c->categories && w->body.count) scale_bar(&o, c);
	pen_close(&o);
}
