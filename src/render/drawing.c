/* drawing: draws marks placed by a program on a page. */
#include "render/render.h"

#include "format/file.h"
#include "render/page.h"
#include "scree/files.h"

#include <math.h>

enum { MOST_PIXELS = 32767 }; /* Cairo's limit */
static const real CAPITALS = 0.729;

static vec3 colour_of(const scree_mark *m)
{
	return v3((real)(m->colour >> 16 & 255) / 255, (real)(m->colour >> 8 & 255) / 255, (real)(m->colour & 255) / 255);
}

static void draw_line(page *p, const scree_mark *m)
{
	bool joined = false;
	scree_page_ink(p, colour_of(m), 1);
	cairo_set_line_width(p->to, m->size);
	cairo_set_line_cap(p->to, CAIRO_LINE_CAP_ROUND);
	for (int k = 0; k < m->points; ++k) {
		const bool there = isfinite(m->x[k]) && isfinite(m->y[k]);
		if (there && joined)
			cairo_line_to(p->to, m->x[k], m->y[k]);
		else if (there)
			cairo_move_to(p->to, m->x[k], m->y[k]);
		joined = there;
	}
	cairo_stroke(p->to);
}

static void draw_box(page *p, const scree_mark *m)
{
	scree_page_ink(p, colour_of(m), 1);
	cairo_rectangle(p->to, m->x[0], m->y[0], m->x[1] - m->x[0], m->y[1] - m->y[0]);
	cairo_set_line_width(p->to, m->size);
	if (m->size > 0)
		cairo_stroke(p->to);
	else
		cairo_fill(p->to);
}

static void draw_text(page *p, const scree_mark *m)
{
	const real height = CAPITALS * m->size, width = scree_page_text_width(p, m->text, height);
	const real back = m->anchor == SCREE_ANCHOR_LEFT ? 0 : m->anchor == SCREE_ANCHOR_MIDDLE ? width / 2 : width;
	cairo_save(p->to);
	cairo_translate(p->to, m->x[0], m->y[0]);
	if (m->upright) cairo_rotate(p->to, -1.5707963267948966);
	scree_page_text(p, m->text, -back, 0, height, colour_of(m));
	cairo_restore(p->to);
}

static void draw(page *p, const scree_mark *m)
{
	if (m->kind == SCREE_MARK_LINE && m->points > 0) draw_line(p, m);
	if (m->kind == SCREE_MARK_BOX && m->points > 1) draw_box(p, m);
	if (m->kind == SCREE_MARK_TEXT && m->points > 0 && m->text) draw_text(p, m);
}

bool scree_drawing_write(const char *path, int width, int height, int marks, const scree_mark *mark, fail *why)
{
	page p;
	bool known;
	const page_kind kind = scree_page_kind(path, &known);
	if (!known)
		return scree_fail(why, FAIL_INPUT,
						  "%s: a picture is PNG, SVG or PDF: use a name that ends in .png, .svg or .pdf", path);
	if (width < 1 || height < 1 || width > MOST_PIXELS || height > MOST_PIXELS)
		return scree_fail(why, FAIL_INPUT,
						  "a picture of %d x %d pixels cannot be drawn: at most %d each way are allowed", width, height,
						  MOST_PIXELS);
	if (!scree_page_open(&p, kind, width, height, why)) return false;
	scree_page_box(&p, 0, 0, width, height, v3(1, 1, 1));
	for (int k = 0; k < marks; ++k) draw(&p, mark + k);
	const bool good = scree_page_encode(&p, path, why) && scree_file_write_alone(path, p.file.bytes, p.file.used, why);
	scree_page_free(&p);
	return good;
}
