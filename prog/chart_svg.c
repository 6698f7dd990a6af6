/* chart_svg: writes a drawing as an <svg> element whose texts can be searched and copied, and escapes text for XML. */
#include "drawing.h"
#include "json.h"

#include <math.h>
#include <string.h>

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

/* ------------------------------------------------------------------ marks */

/* A line, in which NaN marks gaps. */
static void put_line(FILE *to, const scree_mark *m)
{
	bool joined = false;
	fprintf(to, "<path %sstroke=\"#%06x\" stroke-width=\"%g\" stroke-linejoin=\"round\" stroke-linecap=\"round\" d=\"",
			m->points == 2 ? "" : "fill=\"none\" ", m->colour, m->size);
	if (!m->points) fputs("M0 0", to);
	for (int k = 0; k < m->points; ++k) {
		const bool there = isfinite(m->x[k]) && isfinite(m->y[k]);
		if (there) fprintf(to, "%s%.1f %.1f", joined ? "L" : "M", m->x[k], m->y[k]);
		joined = there;
	}
	fputs("\"/>\n", to);
}

static void put_box(FILE *to, const scree_mark *m)
{
	fprintf(to, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" ", m->x[0], m->y[0], m->x[1] - m->x[0],
			m->y[1] - m->y[0]);
	if (m->size > 0)
		fprintf(to, "fill=\"none\" stroke=\"#%06x\" stroke-width=\"%g\"/>\n", m->colour, m->size);
	else
		fprintf(to, "fill=\"#%06x\"/>\n", m->colour);
}

static void put_words(FILE *to, const scree_mark *m)
{
	static const char *const anchors[] = {"start", "middle", "end"};
	fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"", m->x[0], m->y[0], anchors[m->anchor]);
	if (m->upright) fprintf(to, " transform=\"rotate(-90 %.1f %.1f)\"", m->x[0], m->y[0]);
	fputc('>', to);
	put_xml(to, m->text);
	fputs("</text>\n", to);
}

void put_drawing(FILE *to, const drawing *d)
{
	fprintf(to,
			"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
			"font-family=\"sans-serif\" font-size=\"%d\">\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
			d->width, d->height, d->width, d->height, LETTERS, d->width, d->height);
	for (int k = 0; k < d->count; ++k) {
		const scree_mark *m = d->mark + k;
		if (m->kind == SCREE_MARK_LINE) put_line(to, m);
		if (m->kind == SCREE_MARK_BOX) put_box(to, m);
		if (m->kind == SCREE_MARK_TEXT) put_words(to, m);
	}
	fputs("</svg>\n", to);
}
