/* mesh_text: words and numbers of a text that nobody vouches for.
 *
 * Nothing is copied and nothing needs an end mark: a word is a slice of the bytes. Numbers are decimal, at most 63
 * bytes long, and go through strtod, which rounds correctly; the program never leaves the C locale, so the decimal sign
 * is a point everywhere. */
#include "format/mesh_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

text scree_text_start(const char *name, const void *bytes, size_t length, fail *why)
{
	const unsigned char *at = bytes;
	return (text){.name = name, .start = at, .at = at, .end = at + length, .mark = at, .line = 1, .why = why};
}

static bool blank(unsigned char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

word scree_text_word(text *t)
{
	while (t->at < t->end && blank(*t->at)) ++t->at;
	word w = {.start = (const char *)t->at};
	t->mark = t->at;
	if (t->at == t->end || *t->at == '\n' || (t->comments && *t->at == '#')) return w;
	while (t->at < t->end && !blank(*t->at) && *t->at != '\n') ++t->at;
	ptrdiff_t length = (const char *)t->at - w.start;
	w.length = length < 1000000 ? (int)length : 1000000; /* only its beginning is ever looked at */
	return w;
}

word scree_text_any_word(text *t)
{
	word w = scree_text_word(t);
	while (!w.length && t->at < t->end) {
		scree_text_next_line(t);
		w = scree_text_word(t);
	}
	return w;
}

void scree_text_next_line(text *t)
{
	const unsigned char *found = t->at < t->end ? memchr(t->at, '\n', (size_t)(t->end - t->at)) : NULL;
	if (found) ++t->line;
	t->at = t->mark = found ? found + 1 : t->end;
}

bool scree_text_at_end(const text *t)
{
	const unsigned char *c = t->at;
	while (c < t->end && (blank(*c) || *c == '\n')) ++c;
	return c == t->end;
}

bool scree_text_find_line(text *t)
{
	while (t->at < t->end) {
		text before = *t;
		if (scree_text_word(t).length) {
			before.mark = t->mark;
			*t = before;
			return true;
		}
		scree_text_next_line(t);
	}
	return false;
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bool scree_word_is(word w, const char *what)
{
	if ((size_t)w.length != strlen(what)) return false;
	for (int k = 0; k < w.length; ++k)
		if (lower(w.start[k]) != lower(what[k])) return false;
	return true;
}

bool scree_text_fail(text *t, const char *format, ...)
{
	char sentence[512];
	va_list args;
	va_start(args, format);
	vsnprintf(sentence, sizeof sentence, format, args);
	va_end(args);
	const unsigned char *line = t->mark;
	while (line > t->start && line[-1] != '\n') --line;
	int64_t column = t->mark - line + 1;
	return scree_fail(t->why, FAIL_INPUT, "%s:%lld:%lld: %s", t->name, (long long)t->line, (long long)column, sentence);
}

bool scree_text_unexpected(text *t, word w, const char *expected)
{
	if (!w.length)
		return scree_text_fail(t, "found the end of the %s, expected %s", scree_text_at_end(t) ? "file" : "line",
							   expected);
	char shown[32];
	int count = w.length < 24 ? w.length : 24;
	for (int k = 0; k < count; ++k) shown[k] = w.start[k] >= ' ' && w.start[k] <= '~' ? w.start[k] : '?';
	strcpy(shown + count, w.length > count ? "..." : "");
	return scree_text_fail(t, "found '%s', expected %s", shown, expected);
}

bool scree_text_real(text *t, word w, real *value)
{
	char copy[64];
	bool good = w.length > 0 && w.length < (int)sizeof copy;
	for (int k = 0; good && k < w.length; ++k) good = w.start[k] != 0 && strchr("0123456789+-.eE", w.start[k]) != NULL;
	if (good) {
		memcpy(copy, w.start, (size_t)w.length);
		copy[w.length] = 0;
		char *end;
		*value = strtod(copy, &end);
		good = !*end && real_abs(*value) <= 1.7976931348623157e308;
	}
	return good || scree_text_unexpected(t, w, "a finite number");
}

bool scree_text_integer(text *t, word w, const char *expected, int64_t *value)
{
	int k = w.length && (w.start[0] == '-' || w.start[0] == '+');
	bool good = w.length > k && w.length - k <= 18;
	*value = 0;
	for (int j = k; good && j < w.length; ++j) {
		good = w.start[j] >= '0' && w.start[j] <= '9';
		*value = 10 * *value + (w.start[j] - '0');
	}
	if (good && w.start[0] == '-') *value = -*value;
	return good || scree_text_unexpected(t, w, expected);
}

bool scree_text_end_line(text *t)
{
	word w = scree_text_word(t);
	if (w.length) return scree_text_unexpected(t, w, "the end of the line");
	scree_text_next_line(t);
	return true;
}

bool scree_text_vector(text *t, vec3 *p)
{
	return scree_text_real(t, scree_text_word(t), &p->x) && scree_text_real(t, scree_text_word(t), &p->y) &&
		   scree_text_real(t, scree_text_word(t), &p->z);
}
