/* sweep_values: reads the values of --set KEY=VALUE for a sweep: A:B:N for N values from A to B; A:B:N:log for equal
 * ratios; V,W,X for a list, whose items may be ranges; otherwise one value, which is the same in all runs. */
#include "sweep.h"

#include "series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add(axis *a, const char *text, size_t length)
{
	while (length && *text == ' ') ++text, --length;
	while (length && text[length - 1] == ' ') --length;
	a->value = grow(a->value, (size_t)a->count + 1, sizeof *a->value);
	a->value[a->count] = grow(NULL, length + 1, 1);
	memcpy(a->value[a->count], text, length);
	a->value[a->count++][length] = 0;
}

/* Length of a text up to the first of these characters that is outside brackets and quotes. */
static size_t part_length(const char *text, const char *ends)
{
	int depth = 0;
	char quote = 0;
	size_t k = 0;
	for (; text[k]; ++k) {
		const char c = text[k];
		if (quote)
			quote = c == quote ? 0 : quote;
		else if (c == '"' || c == '\'')
			quote = c;
		else if (strchr("([{", c))
			++depth;
		else if (strchr(")]}", c))
			--depth;
		else if (!depth && strchr(ends, c))
			break;
	}
	return k;
}

/* A number with a unit that is one end of a range. */
typedef struct quantity {
	double value;
	char unit[32];
} quantity;

static bool read_quantity(const char *text, size_t length, quantity *to)
{
	char copy[64], *end;
	if (length >= sizeof copy) return false;
	memcpy(copy, text, length);
	copy[length] = 0;
	to->value = strtod(copy, &end);
	if (end == copy || !isfinite(to->value)) return false;
	end += strspn(end, " ");
	snprintf(to->unit, sizeof to->unit, "%s", end);
	for (size_t n = strlen(to->unit); n && to->unit[n - 1] == ' ';) to->unit[--n] = 0;
	return strlen(end) < sizeof to->unit;
}

/* A:B:N or A:B:N:log */
typedef struct range {
	quantity from, to;
	long count;
	bool by_ratio;
} range;

static bool read_range(const char *text, size_t length, range *r)
{
	char copy[160], *end;
	if (length >= sizeof copy) return false;
	memcpy(copy, text, length);
	copy[length] = 0;
	const size_t first = part_length(copy, ":");
	if (!copy[first]) return false;
	const char *second = copy + first + 1;
	const size_t next = part_length(second, ":");
	if (!second[next] || !read_quantity(copy, first, &r->from) || !read_quantity(second, next, &r->to)) return false;
	r->count = strtol(second + next + 1, &end, 10);
	r->by_ratio = !strcmp(end, ":log");
	return end != second + next + 1 && (!*end || r->by_ratio) && r->count >= 2;
}

static int say_range(const char *text, size_t length, const char *why)
{
	return say_error_of(BAD_INPUT, "--set ...%.*s: %s", (int)length, text, why);
}

/* Adds the values of a range. An exit code. */
static int add_range(axis *a, const range *r, const char *text, size_t length)
{
	const double x = r->from.value, y = r->to.value;
	if (*r->from.unit && strcmp(r->from.unit, r->to.unit) != 0)
		return say_range(text, length, "both ends of a range need the same unit");
	if (r->by_ratio && !(x * y > 0))
		return say_range(text, length, "a range with :log needs two positive or two negative numbers");
	if (r->count > MOST_SWEPT) return say_range(text, length, "a range has at most 10000 values");
	for (long k = 0; k < r->count; ++k) {
		char value[80];
		const double part = (double)k / (double)(r->count - 1);
		const double now = k == r->count - 1 ? y : r->by_ratio ? x * pow(y / x, part) : x + (y - x) * part;
		snprintf(value, sizeof value, "%.12g%s%s", now, *r->to.unit ? " " : "", r->to.unit);
		add(a, value, strlen(value));
	}
	return 0;
}

static int add_values(axis *a, const char *text)
{
	for (;; ++text) {
		const size_t length = part_length(text, ",");
		range r;
		int code = 0;
		if (read_range(text, length, &r))
			code = add_range(a, &r, text, length);
		else
			add(a, text, length);
		if (code) return code;
		text += length;
		if (!*text) return 0;
	}
}

/* Sets the values that a key takes in the runs, in the order given in the command. */
static int read_axis(sweep *s, const char *set)
{
	const char *is = strchr(set, '=');
	if (!is || is == set)
		return say_error_of(BAD_INPUT, "--set %s: KEY=VALUE, KEY=A:B:N or KEY=A,B,C was expected", set);
	axis *a = s->axis + s->axes++;
	a->key = grow(NULL, (size_t)(is - set) + 1, 1);
	memcpy(a->key, set, (size_t)(is - set));
	a->key[is - set] = 0;
	for (int k = 0; k + 1 < s->axes; ++k)
		if (!strcmp(s->axis[k].key, a->key)) return say_error_of(BAD_INPUT, "--set %s: this key is given twice", set);
	return add_values(a, is + 1);
}

/* With --zip, all keys with several values must have the same number of values. */
static int count_zipped(sweep *s)
{
	s->runs = 1;
	for (int k = 0; k < s->axes; ++k) {
		const int count = s->axis[k].count;
		if (count > 1 && s->runs > 1 && count != s->runs)
			return say_error_of(BAD_INPUT, "--zip: %s has %d values, but an earlier key has %d", s->axis[k].key, count,
								s->runs);
		if (count > 1) s->runs = count;
	}
	return 0;
}

static int count_runs(sweep *s)
{
	long long runs = 1;
	if (s->a->zip && count_zipped(s)) return BAD_INPUT;
	for (int k = 0; k < s->axes && !s->a->zip && runs <= MOST_SWEPT; ++k) runs *= s->axis[k].count;
	if (!s->a->zip) s->runs = (int)(runs < MOST_SWEPT ? runs : MOST_SWEPT + 1);
	if (s->runs <= MOST_SWEPT) return 0;
	return say_error_of(BAD_INPUT, "this sweep has more than %d runs", MOST_SWEPT);
}

/* "003-mu=0.2-size=20mm", from the keys that vary; blanks are dropped, and characters that a file name should not
 * contain are replaced. */
static void name_run(const sweep *s, int number, swept *o)
{
	size_t used = (size_t)snprintf(o->folder, sizeof o->folder, "%0*d", s->runs > 999 ? 5 : 3, number + 1);
	for (int k = 0; k < s->axes && used + 2 < sizeof o->folder; ++k) {
		if (s->axis[k].count < 2) continue;
		const char *dot = strrchr(s->axis[k].key, '.'), *key = dot ? dot + 1 : s->axis[k].key;
		used += (size_t)snprintf(o->folder + used, sizeof o->folder - used, "-%s=%s", key, s->axis[k].value[o->at[k]]);
	}
	static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.=+-_";
	char *to = o->folder;
	for (const char *p = o->folder; *p; ++p)
		if (*p != ' ') *to++ = strchr(good, *p) ? *p : '_';
	*to = 0;
}

static void make_runs(sweep *s)
{
	s->run = grow(NULL, (size_t)s->runs, sizeof *s->run);
	for (int n = 0; n < s->runs; ++n) {
		swept *o = s->run + n;
		*o = (swept){0};
		int rest = n;
		for (int k = s->axes - 1; k >= 0; --k) { /* the last key varies fastest */
			const int count = s->axis[k].count;
			o->at[k] = s->a->zip ? (count > 1 ? n : 0) : rest % count;
			rest /= count;
		}
		name_run(s, n, o);
	}
}

int read_axes(sweep *s)
{
	for (int k = 0; k < s->a->sets; ++k) {
		const int code = read_axis(s, s->a->set[k]);
		if (code) return code;
	}
	const int code = count_runs(s);
	if (!code) make_runs(s);
	return code;
}

void free_axes(sweep *s)
{
	for (int k = 0; k < s->axes; ++k) {
		for (int j = 0; j < s->axis[k].count; ++j) free(s->axis[k].value[j]);
		free(s->axis[k].value);
		free(s->axis[k].key);
	}
	free(s->run);
}
