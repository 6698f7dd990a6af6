/* page: Cairo's surfaces, text and lines. Text is not hinted, so that its shape is the same at any size. */
#include "render/page.h"

#include "format/file.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <strings.h>

#ifdef SCREE_SANITIZED
/* fontconfig stores pointers as offsets, which leak detection does not follow */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig\n"; }
const char *__lsan_default_options(void);
const char *__lsan_default_options(void) { return "print_suppressions=0"; }
#endif

static cairo_status_t take(void *to, const unsigned char *bytes, unsigned count)
{
	page_append(to, bytes, count);
	return CAIRO_STATUS_SUCCESS;
}

page_kind scree_page_kind(const char *path, bool *known)
{
	static const char *const endings[PAGE_KINDS] = {".png", ".svg", ".pdf"};
	const char *dot = strrchr(path, '.');
	int kind = PAGE_KINDS - 1;
	while (dot && kind >= 0 && strcasecmp(dot, endings[kind]) != 0) --kind;
	*known = dot && kind >= 0;
	return *known ? (page_kind)kind : PAGE_PNG;
}

static cairo_surface_t *new_surface(page *p)
{
	cairo_surface_t *s = NULL;
	switch (p->kind) {
	case PAGE_SVG:
		s = cairo_svg_surface_create_for_stream(take, &p->file, p->width, p->height);
		cairo_svg_surface_restrict_to_version(s, CAIRO_SVG_VERSION_1_2);
		return s;
	case PAGE_PDF:
		s = cairo_pdf_surface_create_for_stream(take, &p->file, p->width, p->height);
		/* makes the bytes of a picture independent of the date */
		cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
		cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_CREATOR, "scree");
		return s;
	default:
		return cairo_image_surface_create(CAIRO_FORMAT_ARGB32, p->width, p->height);
	}
}

static bool failed(const page *p, fail *why)
{
	cairo_status_t is = cairo_status(p->to);
	if (is == CAIRO_STATUS_SUCCESS) is = cairo_surface_status(p->surface);
	if (is == CAIRO_STATUS_SUCCESS) return false;
	scree_fail(why, FAIL_IO, "cannot draw a picture of %d x %d pixels: %s (Cairo)", p->width, p->height,
			   cairo_status_to_string(is));
	return true;
}

bool scree_page_open(page *p, page_kind kind, int32_t width, int32_t height, fail *why)
{
	*p = (page){.kind = kind, .width = width, .height = height, .paper = {1, 1, 1}};
	p->surface = new_surface(p);
	p->to = cairo_create(p->surface);
	cairo_font_options_t *fonts = cairo_font_options_create();
	cairo_font_options_set_antialias(fonts, CAIRO_ANTIALIAS_GRAY);
	cairo_font_options_set_hint_style(fonts, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_hint_metrics(fonts, CAIRO_HINT_METRICS_OFF);
	cairo_set_font_options(p->to, fonts);
	cairo_font_options_destroy(fonts);
	cairo_select_font_face(p->to, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_line_join(p->to, CAIRO_LINE_JOIN_ROUND);
	if (!failed(p, why)) return true;
	scree_page_free(p);
	return false;
}

void scree_page_free(page *p)
{
	cairo_destroy(p->to);
	cairo_surface_destroy(p->surface);
	scree_free(p->file.bytes);
	*p = (page){0};
}

static uint32_t byte_of(float x)
{
	const real v = real_clamp((real)x, 0, 1) * 255 + 0.5;
	return (uint32_t)v;
}

void scree_page_lay(page *p, const canvas *c)
{
	cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, c->width, c->height);
	unsigned char *bytes = cairo_image_surface_get_data(image);
	const int stride = cairo_image_surface_get_stride(image);
	for (int32_t y = 0; bytes && y < c->height; ++y)
		for (int32_t x = 0; x < c->width; ++x) {
			const float *in = c->rgba + 4 * ((size_t)y * (size_t)c->width + (size_t)x);
			const uint32_t out = byte_of(in[3]) << 24 | byte_of(in[0]) << 16 | byte_of(in[1]) << 8 | byte_of(in[2]);
			memcpy(bytes + (size_t)y * (size_t)stride + 4 * (size_t)x, &out, 4);
		}
	cairo_surface_mark_dirty(image);
	cairo_save(p->to);
	cairo_set_source_surface(p->to, image, 0, 0);
	cairo_paint(p->to);
	cairo_restore(p->to);
	cairo_surface_destroy(image);
}

bool scree_page_encode(page *p, const char *path, fail *why)
{
	if (p->kind == PAGE_PNG) {
		cairo_surface_flush(p->surface);
		if (failed(p, why)) return false;
		if (!scree_png_encode(p, &p->file))
			return scree_fail(why, FAIL_IO, "cannot make the picture %s: libpng failed", path);
	} else {
		cairo_show_page(p->to);
		cairo_surface_finish(p->surface);
		if (failed(p, why)) return false;
		if (p->kind == PAGE_SVG) scree_svg_renumber(&p->file);
	}
	return true;
}

bool scree_page_write(page *p, const char *path, fail *why)
{
	return scree_page_encode(p, path, why) && scree_file_write(path, p->file.bytes, p->file.used, why);
}

/* ---- what is drawn ---- */

void scree_page_ink(page *p, vec3 srgb, real alpha) { cairo_set_source_rgba(p->to, srgb.x, srgb.y, srgb.z, alpha); }

void scree_page_box(page *p, real x0, real y0, real x1, real y1, vec3 srgb)
{
	scree_page_ink(p, srgb, 1);
	cairo_rectangle(p->to, x0, y0, x1 - x0, y1 - y0);
	cairo_fill(p->to);
}

void scree_page_line(page *p, vec3 from, vec3 to, real width, vec3 srgb, real alpha)
{
	scree_page_ink(p, srgb, alpha);
	cairo_set_line_width(p->to, width);
	cairo_move_to(p->to, from.x, from.y);
	cairo_line_to(p->to, to.x, to.y);
	cairo_stroke(p->to);
}

void scree_page_arrow(page *p, vec3 from, vec3 to, real h, vec3 srgb, bool rim)
{
	const vec3 way = v3_sub(to, from);
	const real length = hypot(way.x, way.y);
	if (length < 0.3 * h) return;
	const vec3 u = v3(way.x / length, way.y / length, 0), v = v3(-u.y, u.x, 0);
	const vec3 neck = v3_madd(to, -real_min(0.9 * h, 0.6 * length), u);
	const vec3 left = v3_madd(neck, 0.32 * h, v), right = v3_madd(neck, -0.32 * h, v);
	for (int pass = rim ? 0 : 1; pass < 2; ++pass) {
		scree_page_line(p, from, neck, (pass ? 0.16 : 0.4) * h, pass ? srgb : v3(1, 1, 1), pass ? 1 : 0.8);
		cairo_move_to(p->to, to.x, to.y);
		cairo_line_to(p->to, left.x, left.y);
		cairo_line_to(p->to, right.x, right.y);
		cairo_close_path(p->to);
		cairo_set_line_width(p->to, 0.24 * h);
		if (pass)
			cairo_fill(p->to);
		else
			cairo_stroke(p->to);
	}
}

/* Length in bytes of the UTF-8 character that begins here; 0 if there is none. */
static int length_of(const unsigned char *s)
{
	const int length = s[0] < 0x80					 ? 1
					   : s[0] >= 0xC2 && s[0] < 0xE0 ? 2
					   : s[0] >= 0xE0 && s[0] < 0xF0 ? 3
					   : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
													 : 0;
	for (int k = 1; k < length; ++k)
		if ((s[k] & 0xC0) != 0x80) return 0;
	if (length == 3 && ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F))) return 0;
	if (length == 4 && ((s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F))) return 0;
	/* noncharacters, which Cairo treats as errors */
	if (length == 3 && s[0] == 0xEF && s[1] == 0xB7 && s[2] >= 0x90 && s[2] <= 0xAF) return 0;
	if (length >= 3 && s[length - 2] == 0xBF && s[length - 1] >= 0xBE && (s[length - 3] & 0x0F) == 0x0F) return 0;
	return length;
}

/* The text in a form accepted by Cairo: UTF-8 without control characters. */
static char *writable(const char *text)
{
	char *out = scree_copy_text(text);
	for (char *at = out; *at;) {
		const int length = length_of((const unsigned char *)at);
		if (length == 0) *at = '?';
		if (length == 1 && ((unsigned char)*at < 0x20 || *at == 0x7F)) *at = ' ';
		at += length ? length : 1;
	}
	return out;
}

static const real CAPITALS = 0.729; /* cap height of DejaVu Sans as a fraction of the font size */

void scree_page_text(page *p, const char *text, real x, real y, real height, vec3 srgb)
{
	char *words = writable(text);
	cairo_set_font_size(p->to, height / CAPITALS);
	scree_page_ink(p, p->paper, 0.8);
	cairo_set_line_width(p->to, 0.5 * height);
	cairo_move_to(p->to, x, y);
	cairo_text_path(p->to, words);
	cairo_stroke(p->to);
	scree_page_ink(p, srgb, 1);
	cairo_move_to(p->to, x, y);
	cairo_show_text(p->to, words);
	scree_free(words);
}

real scree_page_text_width(page *p, const char *text, real height)
{
	char *words = writable(text);
	cairo_text_extents_t size;
	cairo_set_font_size(p->to, height / CAPITALS);
	cairo_text_extents(p->to, words, &size);
	scree_free(words);
	return size.x_advance;
}
