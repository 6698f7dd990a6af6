/* mesh_text: reads words and numbers from an untrusted text. Text is not copied and needs no terminator: a word is a
 * slice of the file's bytes. Numbers are decimal, with at most 63 bytes. They are read by strtod, which rounds
 * correctly. The program always stays in the C locale, so that the decimal separator is always a point. */
#include "format/mesh_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

text scree_text_start(const char *name, const void *bytes, size_t length, fail *why)
{
	const unsigned char *at = bytes;
	text t = {.name = name, .file = bytes, .length = length, .line = 1, .why = why};
	if (length >= 3 && at[0] == 0xEF && at[1] == 0xBB && at[2] == 0xBF) at += 3, length -= 3; /* byte order mark */
	t.start = t.at = t.mark = at;
	t.end = at + length;
	return t;
}

static bool blank(unsigned char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

/* '\r' before '\n' is a blank; otherwise it ends a line */
static bool ends_line(const text *t, const unsigned char *c)
{
	return *c == '\n' || (*c == '\r' && (c + 1 == t->end || c[1] != '\n'));
}

/* Returns the start of the next line if this line ends with a backslash; otherwise NULL. */
static const unsigned char *continued(const text *t, const unsigned char *c)
{
	if (!t->continues || *c != '\\') return NULL;
	for (++c; c < t->end && !ends_line(t, c); ++c)
		if (!blank(*c)) return NULL;
	return c < t->end ? c + 1 : c;
}

static void skip_blanks(text *t)
{
	while (t->at < t->end && !ends_line(t, t->at)) {
		const unsigned char *next = continued(t, t->at);
		if (!next && !blank(*t->at)) return;
		t->at = next ? next : t->at + 1;
		t->line += next != NULL;
	}
}

word scree_text_word(text *t)
{
	skip_blanks(t);
	word w = {.start = (const char *)t->at};
	t->mark = t->at;
	if (t->at == t->end || ends_line(t, t->at) || (t->comments && *t->at == '#')) return w;
	while (t->at < t->end && !blank(*t->at) && *t->at != '\n' && !continued(t, t->at)) ++t->at;
	ptrdiff_t length = (const char *)t->at - w.start;
	w.length = length < 1000000 ? (int)length : 1000000; /* only the start of a word is used */
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
	while (t->continues && scree_text_word(t).length) continue; /* skips all lines joined by backslashes */
	while (t->at < t->end && !ends_line(t, t->at)) ++t->at;
	if (t->at < t->end) ++t->line, ++t->at;
	t->mark = t->at;
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
	while (line > t->start && line[-1] != '\n' && line[-1] != '\r') --line;
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
	if (good) return true;
	bool comma = w.length > 1 && memchr(w.start, ',', (size_t)w.length);
	return scree_text_unexpected(t, w, comma ? "a finite number with a decimal point" : "a finite number");
}

real scree_ten_to(int power)
{
	real x = 1;
	for (int k = power < 0 ? -power : power; k > 0 && k < 400; --k) x *= 10;
	return power < 0 ? 1 / x : x;
}

/* Counts a number's significant digits and its digits after the point. */
static void count_digits(written *d, word w, real value)
{
	int digits = 0, decimals = 0, exponent = 0, k = 0;
	bool point = false;
	for (; k < w.length && w.start[k] != 'e' && w.start[k] != 'E'; ++k) {
		point |= w.start[k] == '.';
		if (w.start[k] < '0' || w.start[k] > '9') continue;
		digits += digits > 0 || w.start[k] != '0';
		decimals += point;
	}
	const bool minus = k + 1 < w.length && w.start[k + 1] == '-';
	for (++k; k < w.length; ++k)
		if (w.start[k] >= '0' && w.start[k] <= '9' && exponent < 1000) exponent = 10 * exponent + (w.start[k] - '0');
	decimals += minus ? exponent : -exponent;
	if (digits > d->digits) d->digits = digits;
	if (digits > 0 && decimals > d->decimals) d->decimals = decimals;
	d->wide |= !(real_abs(value) < 1e38 && real_abs(value - (real)(float)value) <= 0.5 * scree_ten_to(-decimals));
}

bool scree_text_coordinate(text *t, word w, real *value)
{
	if (!scree_text_real(t, w, value)) return false;
	count_digits(&t->digits, w, *value);
	return true;
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
	return scree_text_coordinate(t, scree_text_word(t), &p->x) && scree_text_coordinate(t, scree_text_word(t), &p->y) &&
		   scree_text_coordinate(t, scree_text_word(t), &p->z);
}
