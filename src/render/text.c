/* text: a font of strokes, drawn with smooth edges at any size.
 *
 * A glyph is strokes separated by spaces. A stroke is a list of points, each of two hexadecimal digits (x, y). The base
 * line is y = 3; capitals reach to 12, small letters to 9, descenders to 0. '~' begins a quarter of an ellipse; its
 * corner and its end follow. The coverage of a pixel follows from its distance to the nearest stroke. */
#include "render/picture.h"

#include <math.h>
#include <string.h>

enum { FIRST = 32, LAST = 126, POINTS = 256, ARC = 6 };

static const char *const glyph[LAST - FIRST + 1] = {
	"",
	"0c06 0304",
	"0c0a 2c2a",
	"2c13 5c43 0969 0666",
	"6a~6c3c~0c0a~0838~6865~6333~0305 3d32",
	"1c~0c0b~0a1a~2a2b~2c1c 55~4544~4353~6364~6555 6c03",
	"630a~0c2c~4c4a~0805~0323~5367",
	"0c0a",
	"2d~0a08~0522",
	"0d~2a28~2502",
	"2b27 0a48 4a08",
	"3a34 0767",
	"1402",
	"0747",
	"0304",
	"025d",
	"3c2c~0c0906~032333~535659~5c3c",
	"1a3c33",
	"0a~0c2c3c~5c5a~580353",
	"0b~1c2c3c~5c5a~583828 38~5855~533323~1304",
	"434c0656",
	"5c0c0838~5855~533323~1304",
	"4c~0c06~032333~5355~583828~0805",
	"0c5c23",
	"28~080a~0c2c3c~5c5a~583828~0805~032333~5355~5838",
	"13~5359~5c3c2c~0c0a~072737~575a",
	"0304 0809",
	"1402 1819",
	"5a0754",
	"0868 0565",
	"0a5704",
	"0a~0c2c~4c4a~472725 2324",
	"68~6949~2926~2444~6466 6866~6484~8688~8c4c~0c07~034363",
	"033c63 1656",
	"030c3c~5c5a~583808 38~6865~633303",
	"6a~6c3c~0c0906~0333~6365",
	"030c2c~6c6966~632303",
	"63030c6c 0858",
	"030c6c 0858",
	"6a~6c3c~0c0906~0333~63666737",
	"030c 636c 0868",
	"030c",
	"4c46~4323~0305",
	"030c 6c07 2963",
	"0c0363",
	"030c458c83",
	"030c636c",
	"3c~0c0906~0333~636669~6c3c",
	"030c3c~6c6a~673707",
	"3c~0c0906~0333~636669~6c3c 4662",
	"030c3c~6c6a~673707 3763",
	"6a~6c3c~0c0a~0838~6865~6333~0305",
	"0c6c 3c33",
	"0c06~0333~63666c",
	"0c336c",
	"0c234a638c",
	"0c63 036c",
	"0c386c 3833",
	"0c6c0363",
	"2d0d0222",
	"0d52",
	"0d2d2202",
	"092c49",
	"0262",
	"0c1a",
	"5953 56~593929~0906~032333~5356",
	"0c03 06~092939~5956~533323~0306",
	"58~593929~0906~032333~5354",
	"5c53 56~593929~0906~032333~5356",
	"0656~593929~0906~032333~4354",
	"4c~1c1a13 0939",
	"5952~503020~0001 56~593929~0906~032333~5356",
	"0c03 06~092939~595653",
	"0903 0b0c",
	"2902~2000 2b2c",
	"0c03 4905 1643",
	"0c03",
	"0903 06~0929~494643 46~4969~898683",
	"0903 06~092939~595653",
	"29~0906~032333~5356~593929",
	"0900 06~092939~5956~533323~0306",
	"5950 56~593929~0906~032333~5356",
	"0903 06~092939",
	"48~4929~0907~0626~4644~4323~0304",
	"1c15~1333 0939",
	"0906~032333~5356 5953",
	"092349",
	"0923476389",
	"0943 0349",
	"0923 4910",
	"09490343",
	"3d~1d1a~1807~1714~1232",
	"0d02",
	"0d~2d2a~2837~2724~2202",
	"06~0928~3747~5658",
};

static int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

static const char *glyph_of(char c) { return c >= FIRST && c <= LAST ? glyph[c - FIRST] : glyph['?' - FIRST]; }

/* Width in units of the glyph. All digits have the same width, so that columns of numbers align. */
static real advance(char c)
{
	if (c == ' ') return 4;
	if (c >= '0' && c <= '9') return 7.4;
	int most = 0;
	bool y = false;
	for (const char *g = glyph_of(c); *g; ++g) {
		if (*g == '~' || *g == ' ') continue;
		if (!y && digit(*g) > most) most = digit(*g);
		y = !y;
	}
	return most + 2.4;
}

typedef struct line {
	real x0, y0, x1, y1;
} line;

/* The strokes of a glyph as straight lines, in pixels; returns their number. */
static int lines_of(char c, real x, real y, real unit, line *out)
{
	int count = 0;
	real px = 0, py = 0;
	bool pen = false;
	for (const char *g = glyph_of(c); *g && count + ARC < POINTS;) {
		if (*g == ' ') {
			pen = false;
			++g;
			continue;
		}
		bool arc = *g == '~';
		if (arc) ++g;
		real cx = x + unit * digit(g[0]), cy = y - unit * (digit(g[1]) - 3), ex = cx, ey = cy;
		g += 2;
		if (arc) {
			ex = x + unit * digit(g[0]);
			ey = y - unit * (digit(g[1]) - 3);
			g += 2;
		}
		real qx = px, qy = py;
		for (int k = 1; pen && k <= (arc ? ARC : 1); ++k) {
			/* a rational quadratic with this weight is a quarter of an ellipse */
			real t = k / (real)(arc ? ARC : 1), a = (1 - t) * (1 - t), b = arc ? 2 * t * (1 - t) * 0.70710678 : 0,
				 d = t * t, s = a + b + d;
			real nx = arc ? (a * px + b * cx + d * ex) / s : ex, ny = arc ? (a * py + b * cy + d * ey) / s : ey;
			out[count++] = (line){qx, qy, nx, ny};
			qx = nx;
			qy = ny;
		}
		px = ex;
		py = ey;
		pen = true;
	}
	return count;
}

static real distance(const line *l, real x, real y)
{
	real dx = l->x1 - l->x0, dy = l->y1 - l->y0, n = dx * dx + dy * dy;
	real t = n > 0 ? real_clamp(((x - l->x0) * dx + (y - l->y0) * dy) / n, 0, 1) : 0;
	return hypot(x - l->x0 - t * dx, y - l->y0 - t * dy);
}

void scree_canvas_blend(canvas *c, int32_t x, int32_t y, vec3 srgb, real alpha)
{
	if (x < 0 || y < 0 || x >= c->width || y >= c->height || alpha <= 0) return;
	float *at = c->rgb + 3 * ((size_t)y * (size_t)c->width + (size_t)x);
	real v[3] = {srgb.x, srgb.y, srgb.z};
	for (int k = 0; k < 3; ++k) at[k] = (float)((1 - alpha) * (real)at[k] + alpha * v[k]);
}

static void draw(canvas *c, const line *l, int count, real half, vec3 srgb)
{
	real x0 = 1e9, y0 = 1e9, x1 = -1e9, y1 = -1e9;
	for (int k = 0; k < count; ++k) {
		x0 = real_min(x0, real_min(l[k].x0, l[k].x1));
		y0 = real_min(y0, real_min(l[k].y0, l[k].y1));
		x1 = real_max(x1, real_max(l[k].x0, l[k].x1));
		y1 = real_max(y1, real_max(l[k].y0, l[k].y1));
	}
	if (!count || x1 < 0 || y1 < 0 || x0 > c->width || y0 > c->height) return;
	for (int32_t y = (int32_t)(y0 - half) - 2; y <= (int32_t)(y1 + half) + 2; ++y)
		for (int32_t x = (int32_t)(x0 - half) - 2; x <= (int32_t)(x1 + half) + 2; ++x) {
			real least = 1e9;
			for (int k = 0; k < count; ++k) least = real_min(least, distance(&l[k], x + 0.5, y + 0.5));
			scree_canvas_blend(c, x, y, srgb, real_clamp(half + 0.5 - least, 0, 1));
		}
}

void scree_text(canvas *c, const char *text, real x, real y, real height, real weight, vec3 srgb)
{
	line piece[POINTS];
	real unit = height / 9;
	for (; *text; ++text) {
		/* the remaining bytes of a letter beyond ASCII, which is drawn as one '?' */
		if (((unsigned char)*text & 0xC0) == 0x80) continue;
		draw(c, piece, lines_of(*text, x, y, unit, piece), weight * height / 2, srgb);
		x += advance(*text) * unit;
	}
}

real scree_text_width(const char *text, real height)
{
	real x = 0;
	for (; *text; ++text)
		if (((unsigned char)*text & 0xC0) != 0x80) x += advance(*text);
	return x * height / 9;
}
