/* page.h: private to render/: a sheet on which Cairo draws. Pages are saved as PNG (pixels), SVG or PDF (paths),
 * depending on the file extension. Lengths are in px from the top left; in SVG and PDF files, a pixel is 1/72 inch. */
#ifndef SCREE_RENDER_PAGE_H
#define SCREE_RENDER_PAGE_H

#include "base/memory.h"
#include "render/picture.h"

#include <cairo.h>
#include <string.h>

typedef enum page_kind { PAGE_PNG, PAGE_SVG, PAGE_PDF, PAGE_KINDS } page_kind;

typedef struct page_bytes {
	unsigned char *bytes;
	size_t used, room;
} page_bytes;

SCREE_FN void page_append(page_bytes *to, const void *bytes, size_t count)
{
	to->bytes = scree_bytes_room(to->bytes, to->used, count, &to->room);
	memcpy(to->bytes + to->used, bytes, count);
	to->used += count;
}

struct page {
	page_kind kind;
	int32_t width, height;
	bool clear; /* without a background, the page is transparent where nothing is drawn */
	cairo_surface_t *surface;
	cairo_t *to;
	page_bytes file; /* content of the file */
	vec3 paper;		 /* sRGB, behind texts */
};

/* The file type according to the extension: SVG, PDF, otherwise PNG; known: whether the extension is one of these */
page_kind scree_page_kind(const char *path, bool *known);
bool scree_page_open(page *p, page_kind kind, int32_t width, int32_t height, fail *why);
/* Draws pixels that cover the whole page. */
void scree_page_lay(page *p, const canvas *c);
/* Produces the bytes of the file; path: for error messages. */
bool scree_page_encode(page *p, const char *path, fail *why);
bool scree_page_write(page *p, const char *path, fail *why);
void scree_page_free(page *p);

void scree_page_ink(page *p, vec3 srgb, real alpha);
void scree_page_box(page *p, real x0, real y0, real x1, real y1, vec3 srgb);
void scree_page_line(page *p, vec3 from, vec3 to, real width, vec3 srgb, real alpha);
/* An arrow with a head of size h; rim: whether it has a pale rim, which makes it visible on any background. */
void scree_page_arrow(page *p, vec3 from, vec3 to, real h, vec3 srgb, bool rim);
/* Text in DejaVu Sans, with a rim in the colour of the paper, so that it is readable on any background. height: cap
 * height; x, y: left end of the base line. Bytes that are not valid UTF-8 become question marks. */
void scree_page_text(page *p, const char *text, real x, real y, real height, vec3 srgb);
real scree_page_text_width(page *p, const char *text, real height);

/* png.c */
bool scree_png_encode(const page *p, page_bytes *to);
/* Makes the numbers in an SVG independent of earlier drawings of the process. */
void scree_svg_renumber(page_bytes *file);

#endif
