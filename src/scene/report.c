/* report: writes messages with the file, line, column, the line itself, a caret and the remedy.
 *
 *     drum.scene.yaml:31:13: error: friction: '0,5' is not a number (did you mean 0.5?)
 *       31 |   friction: 0,5
 *          |             ^~~
 *          = write 0.5
 *
 * All errors of a scene are reported at once, in the order of the file, but at most REPORT_SHOWN of them. Lines are
 * shown unchanged, except that control characters are replaced and long lines are cut around the column. */
#include "scene/report.h"

#include <stdarg.h>

#include "base/memory.h"
#include "base/shown.h"
#include "base/sort.h"

int32_t scree_report_source(report *r, const char *name, const char *folder, const char *bytes, size_t length)
{
	if (r->sources == SOURCES_MOST) return -1;
	r->source[r->sources] = (source_text){name, folder, bytes, length, false};
	return r->sources++;
}

bool scree_report_full(const report *r) { return r->count == REPORT_KEPT; }

const char *scree_report_keep(const report *r, writing *t)
{
	const bool kept = t->bytes && !scree_report_full(r);
	const char *text = kept ? scree_arena_text(r->memory, t->bytes, t->length) : t->bytes ? "" : NULL;
	scree_free(scree_writing_take(t));
	return text;
}

static bool is_known(const report *r, place at)
{
	for (int32_t k = 0; k < r->known; ++k) {
		const place *o = &r->row[k].at;
		if (o->source == at.source && o->line == at.line && o->column == at.column) return true;
	}
	return r->known == REPORT_KEPT;
}

int scree_report(report *r, place at, const char *cure, const char *format, ...)
{
	if (is_known(r, at)) return 0;
	++r->total;
	if (r->count == REPORT_KEPT) return 0;
	char said[1024];
	va_list args;
	va_start(args, format);
	vsnprintf(said, sizeof said, format, args);
	va_end(args);
	message *m = &r->row[r->count];
	*m = (message){at, r->count, scree_arena_text(r->memory, said, strlen(said)), NULL};
	if (cure) m->cure = scree_arena_text(r->memory, cure, strlen(cure));
	++r->count;
	return 0;
}

void scree_report_consequence(report *r, place at, int32_t set)
{
	consequence *c = scree_arena_take(r->memory, sizeof *c);
	*c = (consequence){r->consequences, at, set};
	r->consequences = c;
}

/* the --set that a message refers to or results from, or NULL */
static const source_text *set_behind(const report *r, const message *m)
{
	const source_text *own = &r->source[m->at.source];
	if (own->set) return own;
	for (const consequence *c = r->consequences; c; c = c->next)
		if (c->at.source == m->at.source && c->at.line == m->at.line && m->at.column >= c->at.column &&
			m->at.column < c->at.column + c->at.width)
			return &r->source[c->set];
	return NULL;
}

static int by_place(const void *a, const void *b)
{
	const message *m = a, *n = b;
	if (m->at.source != n->at.source) return m->at.source < n->at.source ? -1 : 1;
	if (m->at.line != n->at.line) return m->at.line < n->at.line ? -1 : 1;
	if (m->at.column != n->at.column) return m->at.column < n->at.column ? -1 : 1;
	return m->number < n->number ? -1 : 1;
}

const char *scree_report_line(const source_text *s, int32_t line, size_t *length)
{
	const char *p = s->bytes, *end = s->bytes + s->length;
	p += scree_byte_order_mark(p, s->length);
	for (int32_t l = 1; p && l < line; ++l) {
		p = memchr(p, '\n', (size_t)(end - p));
		if (p) ++p;
	}
	if (!p) return NULL;
	const char *stop = memchr(p, '\n', (size_t)(end - p));
	*length = (size_t)((stop ? stop : end) - p);
	if (*length && p[*length - 1] == '\r') --*length;
	return p;
}

/* Shows the line with at most 150 characters around the column, and the caret under it. */
static void show_line(writing *out, const source_text *s, place at)
{
	enum { AROUND = 150, BEFORE = 100 };
	size_t length;
	const char *line = scree_report_line(s, at.line, &length);
	if (!line) return;
	writing shown = {0}, under = {0};
	int32_t from = at.column > BEFORE ? at.column - BEFORE : 1, column = 0, last = from;
	for (size_t i = 0, bytes; i < length; i += bytes ? bytes : 1) {
		const char *p = line + i;
		bytes = *p == '\t' ? 1 : scree_plain_character(p, length - i);
		++column;
		if (column < from) continue;
		if (column >= from + AROUND) break;
		if (!bytes)
			scree_writing_bytes(&shown, "?", 1);
		else
			scree_writing_bytes(&shown, p, bytes);
		if (column < at.column) scree_writing_bytes(&under, *p == '\t' ? "\t" : " ", 1);
		last = column;
	}
	for (int32_t c = last + 1; c < at.column && c < from + AROUND; ++c) scree_writing_bytes(&under, " ", 1);
	scree_writing_add(&under, "^");
	for (int32_t c = at.column + 1; c < at.column + at.width && c <= last; ++c) scree_writing_add(&under, "~");
	char *a = scree_writing_take(&shown), *b = scree_writing_take(&under);
	scree_writing_add(out, "%6d | %s\n       | %s\n", at.line, a, b);
	scree_free(a);
	scree_free(b);
}

static void show_message(writing *out, const report *r, const message *m, const source_text *set)
{
	const source_text *s = &r->source[m->at.source];
	scree_writing_shown(out, s->name);
	scree_writing_add(out, ":%d:%d: error: ", m->at.line, m->at.column);
	scree_writing_shown(out, m->text);
	scree_writing_add(out, "\n");
	show_line(out, s, m->at);
	if (m->cure) {
		scree_writing_add(out, "       = ");
		scree_writing_shown(out, m->cure);
		scree_writing_add(out, "\n");
	}
	if (!set || set == s) return;
	scree_writing_add(out, "       = this results from --set ");
	scree_writing_shown(out, set->bytes);
	scree_writing_add(out, "\n");
}

/* lists all --sets if one of them may have caused a message that does not show one */
static void show_sets(writing *out, const report *r)
{
	int sets = 0;
	for (int32_t k = 0; k < r->sources; ++k) {
		if (!r->source[k].set) continue;
		scree_writing_add(out, sets++ ? " --set " : "the scene was changed by --set ");
		scree_writing_shown(out, r->source[k].bytes);
	}
	if (sets) scree_writing_add(out, "\n");
}

char *scree_report_text(report *r)
{
	writing out = {0};
	scree_sort_by(r->row, r->count, sizeof r->row[0], by_place);
	int shown = 0;
	bool explained = true;
	for (; shown < r->count && shown < REPORT_SHOWN; ++shown) {
		const source_text *set = set_behind(r, &r->row[shown]);
		show_message(&out, r, &r->row[shown], set);
		explained = explained && set;
	}
	if (!explained) show_sets(&out, r);
	if (r->total > shown) scree_writing_add(&out, "%d more errors are not shown\n", r->total - shown);
	return scree_writing_take(&out);
}

/* Edit distance of Damerau and Levenshtein (1966), with swaps of adjacent letters, for short words; ignores case. */
static int slips(const char *a, const char *b)
{
	enum { MOST = 48 };
	int d[MOST + 1][MOST + 1];
	int m = (int)strlen(a), n = (int)strlen(b);
	if (m > MOST || n > MOST) return MOST;
	for (int i = 0; i <= m; ++i) d[i][0] = i;
	for (int j = 0; j <= n; ++j) d[0][j] = j;
	for (int i = 1; i <= m; ++i) {
		for (int j = 1; j <= n; ++j) {
			char x = a[i - 1], y = b[j - 1];
			if (x >= 'A' && x <= 'Z') x = (char)(x + 32);
			if (y >= 'A' && y <= 'Z') y = (char)(y + 32);
			int least = d[i - 1][j - 1] + (x != y);
			if (d[i - 1][j] + 1 < least) least = d[i - 1][j] + 1;
			if (d[i][j - 1] + 1 < least) least = d[i][j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < least)
				least = d[i - 2][j - 2] + 1;
			d[i][j] = least;
		}
	}
	return d[m][n];
}

/* distance between two words: 100 per typing error, 1 per letter in the wrong case */
static int distance(const char *a, const char *b)
{
	int d = 100 * slips(a, b);
	for (size_t i = 0; strlen(a) == strlen(b) && a[i]; ++i) d += a[i] != b[i];
	return d;
}

const char *scree_nearest(const char *found, word_fn *next, const void *what)
{
	int length = (int)strlen(found);
	int least = 100 * (length <= 2 ? 1 : length <= 5 ? 2 : 3) + 99; /* typing errors allowed at this length */
	const char *nearest = NULL, *word;
	for (int i = 0; i < 2000 && (word = next(what, i)); ++i) {
		int d = distance(found, word);
		/* at least half of the letters must agree: 'x' is not a misspelt 'y' */
		if (d > least || (nearest && d == least) || 2 * (d / 100) > (length > 1 ? length : 1)) continue;
		least = d;
		nearest = word;
	}
	return nearest;
}

void scree_writing_words(writing *t, const char *before, word_fn *next, const void *what)
{
	const char *word;
	for (int i = 0; (word = next(what, i)); ++i) scree_writing_add(t, "%s%s", i ? ", " : before, word);
}

const char *scree_meant(const report *r, const char *found, word_fn *next, const void *what)
{
	const char *near = scree_report_full(r) ? NULL : scree_nearest(found, next, what);
	return near ? scree_arena_print(r->memory, " (did you mean %s?)", near) : "";
}
