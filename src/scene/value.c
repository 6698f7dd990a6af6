/* value: converts a scalar to a quantity: a number with a unit, or an expression if it begins with '='. Expressions are
 * parsed by recursive descent together with their dimension, so that R + 2 s is reported at its position. All
 * arithmetic uses only + - * / sqrt and base/maths.h, since values enter the state, which must be bitwise the same on
 * every machine. */
#include "scene/value.h"

#include <stdlib.h>

#include "base/maths.h"
#include "base/real.h"

/* Powers of ten are never applied as a factor: `1.1 mm` is read as the decimal number 1.1e-3, which is rounded once, so
 * that it has the same bits as 0.0011 and `0.0011 m`. Other factors (minutes, degrees, revolutions) are combined into
 * one, which is exact or rounded once. Each unit is tested against udunits2. */

#define PLAIN                                                                                                          \
	{                                                                                                                  \
		0, 0, 0, 0                                                                                                     \
	}

const unit_row scree_units[] = {
	{"m", "nucmdk", "metre", {1, 1, 0, 0, {0, 1, 0, 0}}},
	{"g", "umk", "gram", {1, 1, -3, 0, {1, 0, 0, 0}}},
	{"t", "", "tonne, 1000 kg", {1, 1, 3, 0, {1, 0, 0, 0}}},
	{"s", "num", "second", {1, 1, 0, 0, {0, 0, 1, 0}}},
	{"min", "", "minute", {60, 1, 0, 0, {0, 0, 1, 0}}},
	{"h", "", "hour", {3600, 1, 0, 0, {0, 0, 1, 0}}},
	{"N", "numkM", "newton", {1, 1, 0, 0, {1, 1, -2, 0}}},
	{"Pa", "mkMG", "pascal", {1, 1, 0, 0, {1, -1, -2, 0}}},
	{"bar", "m", "bar, 100 kPa", {1, 1, 5, 0, {1, -1, -2, 0}}},
	{"J", "numkM", "joule", {1, 1, 0, 0, {1, 2, -2, 0}}},
	{"W", "mk", "watt", {1, 1, 0, 0, {1, 2, -3, 0}}},
	{"Hz", "mkM", "hertz: cycles per second", {1, 1, 0, HAS_CYCLES, {0, 0, -1, 0}}},
	{"rad", "m", "radian", {1, 1, 0, HAS_ANGLE, PLAIN}},
	{"deg", "", "degree, pi/180 rad", {SCREE_PI, 180, 0, HAS_ANGLE, PLAIN}},
	{"rpm", "", "revolutions per minute, 2 pi/60 rad/s", {SCREE_PI, 30, 0, HAS_ANGLE, {0, 0, -1, 0}}},
	{"K", "m", "kelvin", {1, 1, 0, 0, {0, 0, 0, 1}}},
	{"%", "", "per cent", {1, 1, -2, 0, PLAIN}},
};
const int scree_unit_count = (int)(sizeof scree_units / sizeof *scree_units);

const prefix_row scree_prefixes[] = {{'n', -9}, {'u', -6}, {'m', -3}, {'c', -2},
									 {'d', -1}, {'k', 3},  {'M', 6},  {'G', 9}};
const int scree_prefix_count = (int)(sizeof scree_prefixes / sizeof *scree_prefixes);

bool scree_dimension_same(dimension a, dimension b)
{
	return a.kg == b.kg && a.m == b.m && a.s == b.s && a.kelvin == b.kelvin;
}

static void power_text(writing *t, const char *name, int32_t power, const char **join)
{
	if (!power) return;
	scree_writing_add(t, "%s%s", *join, name);
	if (power != 1) scree_writing_add(t, "^%d", power);
	*join = "*";
}

/* usual units, and names of the quantities that they measure, or NULL */
static const struct {
	const char *unit, *words;
	dimension of;
} usual[] = {{"1", "a plain number", PLAIN},		 {"m", "a length", {0, 1, 0, 0}},
			 {"s", "a time", {0, 0, 1, 0}},			 {"kg", "a mass", {1, 0, 0, 0}},
			 {"m/s", "a velocity", {0, 1, -1, 0}},	 {"m/s^2", "an acceleration", {0, 1, -2, 0}},
			 {"kg/m^3", "a density", {1, -3, 0, 0}}, {"Pa", "a pressure", {1, -1, -2, 0}},
			 {"N", "a force", {1, 1, -2, 0}},		 {"J", "an energy", {1, 2, -2, 0}},
			 {"N/m", "a stiffness", {1, 0, -2, 0}},	 {"1/s", "a rate", {0, 0, -1, 0}},
			 {"m^2", "an area", {0, 2, 0, 0}},		 {"m^3", "a volume", {0, 3, 0, 0}},
			 {"K", "a temperature", {0, 0, 0, 1}},	 {"W", NULL, {1, 2, -3, 0}},
			 {"1/m", NULL, {0, -1, 0, 0}},			 {"kg/s", NULL, {1, 0, -1, 0}},
			 {"W/m/K", NULL, {1, 1, -3, -1}},		 {"J/kg/K", NULL, {0, 2, -2, -1}}};

/* row in `usual`, or the number of rows if there is none */
static size_t usual_row(dimension d)
{
	size_t i = 0;
	while (i < sizeof usual / sizeof *usual && !scree_dimension_same(d, usual[i].of)) ++i;
	return i;
}

void scree_dimension_unit(writing *t, dimension d)
{
	const size_t row = usual_row(d);
	const char *join = "";
	if (row < sizeof usual / sizeof *usual) {
		scree_writing_add(t, "%s", usual[row].unit);
		return;
	}
	power_text(t, "kg", d.kg, &join);
	power_text(t, "m", d.m, &join);
	power_text(t, "s", d.s, &join);
	power_text(t, "K", d.kelvin, &join);
}

void scree_dimension_text(writing *t, dimension d)
{
	const size_t row = usual_row(d);
	const bool known = row < sizeof usual / sizeof *usual && usual[row].words;
	scree_writing_add(t, "%s", known ? usual[row].words : "a quantity in ");
	if (!row) return;
	if (known) scree_writing_add(t, " (");
	scree_dimension_unit(t, d);
	if (known) scree_writing_add(t, ")");
}

static bool same_name(const char *name, size_t length, const char *row)
{
	return strlen(row) == length && !memcmp(name, row, length);
}

bool scree_unit_find(const char *name, size_t length, unit *out)
{
	char plain[16];
	/* both signs for micro, U+00B5 and U+03BC, are read as 'u' */
	if (length > 2 && length < sizeof plain && (!memcmp(name, "\xC2\xB5", 2) || !memcmp(name, "\xCE\xBC", 2))) {
		plain[0] = 'u';
		memcpy(plain + 1, name + 2, length - 2);
		name = plain;
		length -= 1;
	}
	for (int i = 0; i < scree_unit_count; ++i)
		if (same_name(name, length, scree_units[i].name)) {
			*out = scree_units[i].is;
			return true;
		}
	for (int k = 0; k < scree_prefix_count && length > 1; ++k) {
		if (scree_prefixes[k].letter != name[0]) continue;
		for (int i = 0; i < scree_unit_count; ++i) {
			const unit_row *row = &scree_units[i];
			if (!strchr(row->prefixes, name[0]) || !same_name(name + 1, length - 1, row->name)) continue;
			*out = row->is;
			out->decimal += scree_prefixes[k].decimal;
			return true;
		}
	}
	return false;
}

static bool sane(int32_t power) { return power >= -30 && power <= 30; }

bool scree_unit_times(unit *u, unit v, int32_t power)
{
	for (int32_t i = 0; i < (power < 0 ? -power : power); ++i) {
		u->up *= power > 0 ? v.up : v.down;
		u->down *= power > 0 ? v.down : v.up;
	}
	u->decimal += power * v.decimal;
	u->flags |= v.flags;
	u->of.kg += power * v.of.kg;
	u->of.m += power * v.of.m;
	u->of.s += power * v.of.s;
	u->of.kelvin += power * v.of.kelvin;
	return sane(u->of.kelvin) && sane(u->of.kg) && sane(u->of.m) && sane(u->of.s) && u->decimal > -200 &&
		   u->decimal < 200;
}

static const char *skip_blanks(const char *p)
{
	while (*p == ' ') ++p;
	return p;
}

static bool name_byte(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%' || (c & 0x80); }

/* reads ^2 or ^-2; without a power it is ^1 */
static bool read_power(const char **p, int32_t *power)
{
	*power = 1;
	if (**p != '^') return true;
	const char *q = *p + 1;
	int32_t sign = *q == '-' ? -1 : 1, n = 0;
	if (*q == '-' || *q == '+') ++q;
	if (*q < '0' || *q > '9') return false;
	for (; *q >= '0' && *q <= '9' && n < 100; ++q) n = 10 * n + (*q - '0');
	*power = sign * n;
	*p = q;
	return n <= 12;
}

bool scree_unit_parse(const char *text, unit *out, const char **wrong)
{
	const char *p = skip_blanks(text);
	int32_t sign = 1;
	*out = (unit){1, 1, 0, 0, PLAIN};
	for (bool first = true;; first = false) {
		const char *name = p;
		unit u = {1, 1, 0, 0, PLAIN};
		*wrong = p;
		if (first && *p == '1') {
			++p;
		} else {
			while (name_byte(*p)) ++p;
			if (p == name || !scree_unit_find(name, (size_t)(p - name), &u)) return false;
		}
		int32_t power;
		if (!read_power(&p, &power) || !scree_unit_times(out, u, sign * power)) return false;
		p = skip_blanks(p);
		*wrong = p;
		if (!*p) return true;
		if (*p != '*' && *p != '/') return false;
		sign = *p == '*' ? 1 : -1;
		p = skip_blanks(p + 1);
	}
}

static const char *digits(const char *p)
{
	while (*p >= '0' && *p <= '9') ++p;
	return p;
}

bool scree_number_read(const char *text, const char **end)
{
	const char *p = text + (*text == '-' || *text == '+');
	const char *whole = digits(p);
	const char *q = *whole == '.' ? digits(whole + 1) : whole;
	if (q - p - (*whole == '.') < 1) return false;
	if (*q == 'e' || *q == 'E') {
		const char *e = q + 1 + (q[1] == '-' || q[1] == '+');
		if (digits(e) > e) q = digits(e);
	}
	*end = q;
	return true;
}

double scree_number_value(const char *text, const char *end, int32_t decimal)
{
	char small[400];
	size_t mantissa = strcspn(text, "eE");
	long power = 0;
	if (mantissa > (size_t)(end - text)) mantissa = (size_t)(end - text);
	if (text + mantissa < end) power = strtol(text + mantissa + 1, NULL, 10);
	if (power > 100000) power = 100000;
	if (power < -100000) power = -100000;
	/* numbers with more than about 380 digits are not supported */
	if (mantissa > 380) return NAN;
	memcpy(small, text, mantissa);
	snprintf(small + mantissa, sizeof small - mantissa, "e%ld", power + decimal);
	return strtod(small, NULL);
}

const char *scree_unit_names(const void *unused, int i)
{
	/* one buffer per name, since the caller keeps several names */
	static _Thread_local char names[128][8];
	(void)unused;
	for (int k = 0, at = 0; k < scree_unit_count; ++k) {
		const unit_row *row = &scree_units[k];
		int count = 1 + (int)strlen(row->prefixes);
		if (i == at) return row->name;
		if (i > at && i < at + count && i < 128) {
			snprintf(names[i], sizeof names[i], "%c%s", row->prefixes[i - at - 1], row->name);
			return names[i];
		}
		at += count;
	}
	return NULL;
}

/* ------------------------------------------------------------------ expressions */

const char *scree_dimension_words(const report *r, dimension d)
{
	writing t = {0};
	scree_dimension_text(&t, d);
	return scree_report_keep(r, &t);
}

typedef struct expression {
	lets *l;
	const node *n;
	const char *what;
	const char *text, *p;
	bool failed;
} expression;

/* The position of a piece of a scalar's text, or of the scalar if the file does not contain the text literally. */
static place piece(const lets *l, const node *n, const char *p, size_t length)
{
	size_t line_length = 0;
	if (scree_report_full(l->r)) return n->at;
	const char *line = scree_report_line(&l->r->source[n->at.source], n->at.line, &line_length);
	size_t text_length = strlen(n->text);
	place at = n->at;
	if (!line) return at;
	const char *end = line + line_length;
	for (int32_t c = 1; line < end && c < at.column; ++line)
		if (line + 1 == end || begins_character(line[1])) ++c;
	if (n->quoted) ++line;
	if (line > end || (size_t)(end - line) < text_length || memcmp(line, n->text, text_length)) return at;
	at.column += n->quoted ? 1 : 0;
	for (const char *q = n->text; q < p; ++q) at.column += begins_character(*q);
	at.width = length > 1 ? (int32_t)length : 1;
	return at;
}

static quantity nothing(expression *e)
{
	e->failed = true;
	return (quantity){0, PLAIN, 0};
}

/* reports only the first error of an expression */
#define FAULT(e, p, length, cure, ...)                                                                                 \
	(((e)->failed ? 0 : scree_report((e)->l->r, piece((e)->l, (e)->n, (p), (length)), (cure), __VA_ARGS__)), nothing(e))

static void skip(expression *e)
{
	while (*e->p == ' ' || *e->p == '\t' || *e->p == '\n') ++e->p;
}

static bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool digit(char c) { return c >= '0' && c <= '9'; }
static bool unit_letter(char c) { return letter(c) || c == '%' || (c & 0x80); }

static size_t word_length(const char *p, bool of_unit)
{
	size_t n = 0;
	while (of_unit ? unit_letter(p[n]) : letter(p[n]) || (n && digit(p[n]))) ++n;
	return n;
}

static const let_row *find_let(const lets *l, const char *name, size_t length)
{
	for (int32_t i = 0; i < l->count; ++i)
		if (strlen(l->row[i].value->key) == length && !memcmp(l->row[i].value->key, name, length)) return &l->row[i];
	return NULL;
}

const char *scree_let_names(const void *what, int i)
{
	const lets *l = what;
	return i < l->count ? l->row[i].value->key : NULL;
}

static quantity known(lets *l, let_row *row);
static quantity sum(expression *e);

typedef double one_fn(double x);

static quantity function_of_one(expression *e, const char *name, quantity x)
{
	static const struct {
		const char *name;
		one_fn *f;
	} plain[] = {{"sin", scree_sin}, {"cos", scree_cos}, {"exp", scree_exp}, {"log", scree_log}};
	if (!strcmp(name, "abs")) return (quantity){real_abs(x.value), x.of, x.flags};
	if (!strcmp(name, "sqrt")) {
		if (x.of.kg % 2 || x.of.m % 2 || x.of.s % 2 || x.of.kelvin % 2)
			return FAULT(e, e->text, strlen(e->text), NULL, "%s: sqrt of a quantity whose unit is not a square",
						 e->what);
		return (quantity){sqrt(x.value), {x.of.kg / 2, x.of.m / 2, x.of.s / 2, x.of.kelvin / 2}, 0};
	}
	if (!scree_dimension_same(x.of, (dimension)PLAIN))
		return FAULT(e, e->text, strlen(e->text), NULL, "%s: %s takes a plain number or an angle", e->what, name);
	for (size_t i = 0; i < sizeof plain / sizeof *plain; ++i)
		if (!strcmp(name, plain[i].name)) return (quantity){plain[i].f(x.value), PLAIN, 0};
	return nothing(e);
}

static quantity function_of_two(expression *e, const char *name, quantity a, quantity b)
{
	if (!scree_dimension_same(a.of, b.of))
		return FAULT(e, e->text, strlen(e->text), NULL, "%s: %s of two quantities with different units", e->what, name);
	return !strcmp(name, "min") == (a.value < b.value) ? a : b;
}

static const char *const function_names[] = {"sqrt", "sin", "cos", "exp", "log", "abs", "min", "max", NULL};

static quantity call(expression *e, const char *name, size_t length)
{
	char fn[8] = "";
	for (int i = 0; function_names[i]; ++i)
		if (strlen(function_names[i]) == length && !memcmp(function_names[i], name, length)) memcpy(fn, name, length);
	if (!*fn)
		return FAULT(e, name, length, "functions are sqrt, sin, cos, exp, log, abs, min and max",
					 "%s: there is no function '%.*s'", e->what, (int)length, name);
	++e->p; /* skips the bracket */
	bool two = !strcmp(fn, "min") || !strcmp(fn, "max");
	quantity a = sum(e), b = {0, PLAIN, 0};
	skip(e);
	if (two && !e->failed) {
		if (*e->p != ',')
			return FAULT(e, e->p, 1, NULL, "%s: %s takes two values with a comma between them", e->what, fn);
		++e->p;
		b = sum(e);
		skip(e);
	}
	if (e->failed) return nothing(e);
	if (*e->p != ')') return FAULT(e, e->p, 1, NULL, "%s: ')' is missing after the argument of %s", e->what, fn);
	++e->p;
	return two ? function_of_two(e, fn, a, b) : function_of_one(e, fn, a);
}

static const char *names_and_pi(const void *what, int i)
{
	const lets *l = what;
	return i < l->count ? scree_let_names(l, i) : i == l->count ? "pi" : NULL;
}

static quantity name(expression *e)
{
	const char *start = e->p;
	size_t length = word_length(start, false);
	e->p += length;
	skip(e);
	if (*e->p == '(') return call(e, start, length);
	const let_row *row = find_let(e->l, start, length);
	if (row) {
		if (row->state == 1)
			return FAULT(e, start, length, "the value of a name must not depend on the name itself",
						 "%s: '%.*s' is defined by itself", e->what, (int)length, start);
		quantity q = known(e->l, (let_row *)row);
		if (row->state == 3) e->failed = true; /* already reported */
		if (row->set) e->l->set = row->set;
		return q;
	}
	if (length == 2 && !memcmp(start, "pi", 2)) return (quantity){SCREE_PI, PLAIN, 0};
	if (e->l->lost) {
		e->failed = true;
		return (quantity){0};
	}
	if (scree_report_full(e->l->r)) return FAULT(e, start, length, NULL, "%s: unknown name", e->what);
	char *found = scree_arena_text(e->l->r->memory, start, length);
	const char *near = scree_nearest(found, names_and_pi, e->l);
	if (near)
		return FAULT(e, start, length, NULL, "%s: there is no name '%s' under let (did you mean %s?)", e->what, found,
					 near);
	return FAULT(e, start, length, "define it: let: {NAME: VALUE}", "%s: there is no name '%s' under let", e->what,
				 found);
}

/* Reads the unit after a number: a unit or its power, then / or * and further units, unless these are names of let. */
static bool unit_behind(expression *e, unit *u)
{
	*u = (unit){1, 1, 0, 0, PLAIN};
	const char *p = e->p;
	while (*p == ' ') ++p;
	if (!unit_letter(*p)) return true;
	for (int32_t sign = 1;;) {
		size_t length = word_length(p, true);
		unit v;
		if (!scree_unit_find(p, length, &v)) {
			char *found = scree_arena_text(e->l->r->memory, p, length);
			FAULT(e, p, length, find_let(e->l, p, length) ? "a product needs its sign: *" : NULL,
				  "%s: '%s' is not a unit%s", e->what, found, scree_meant(e->l->r, found, scree_unit_names, NULL));
			return false;
		}
		p += length;
		int32_t power = 1;
		if (*p == '^' && (digit(p[1]) || (p[1] == '-' && digit(p[2])))) {
			power = p[1] == '-' ? -(p[2] - '0') : p[1] - '0';
			p += p[1] == '-' ? 3 : 2;
		}
		if (!scree_unit_times(u, v, sign * power)) return false;
		e->p = p;
		while (*p == ' ') ++p;
		if (*p != '*' && *p != '/') return true;
		sign = *p == '*' ? 1 : -1;
		for (++p; *p == ' '; ++p)
			;
		length = word_length(p, true);
		if (!length || find_let(e->l, p, word_length(p, false)) || p[length] == '(' || !scree_unit_find(p, length, &v))
			return true;
	}
}

static quantity times_unit(const char *from, const char *to, unit u)
{
	double value = scree_number_value(from, to, u.decimal);
	if (u.up != 1) value *= u.up;
	if (u.down != 1) value /= u.down;
	return (quantity){value, u.of, u.flags};
}

static quantity primary(expression *e)
{
	skip(e);
	const char *end;
	if (*e->p == '(') {
		++e->p;
		quantity q = sum(e);
		skip(e);
		if (e->failed) return nothing(e);
		if (*e->p != ')') return FAULT(e, e->p, 1, NULL, "%s: ')' is missing", e->what);
		++e->p;
		return q;
	}
	if (letter(*e->p)) return name(e);
	if ((digit(*e->p) || *e->p == '.') && scree_number_read(e->p, &end)) {
		const char *start = e->p;
		unit u;
		e->p = end;
		return unit_behind(e, &u) ? times_unit(start, end, u) : nothing(e);
	}
	if (!*e->p) return FAULT(e, e->text, strlen(e->text), NULL, "%s: the expression ends too early", e->what);
	return FAULT(e, e->p, 1, NULL, "%s: a number, a name or '(' was expected, not '%.1s'", e->what,
				 (*e->p & 0x80) ? "?" : e->p);
}

static quantity unary(expression *e);

static quantity raise(expression *e, quantity a, quantity b, const char *at)
{
	if (!scree_dimension_same(b.of, (dimension)PLAIN))
		return FAULT(e, at, 1, NULL, "%s: an exponent must be a plain number", e->what);
	bool whole = b.value == scree_floor(b.value) && b.value >= -12 && b.value <= 12;
	bool plain = scree_dimension_same(a.of, (dimension)PLAIN);
	if (!plain && !whole)
		return FAULT(e, at, 1, "sqrt() takes square roots",
					 "%s: a quantity with a unit can be raised to whole powers up to 12 only", e->what);
	if (!whole) return (quantity){scree_pow(a.value, b.value), a.of, 0};
	int32_t n = (int32_t)b.value;
	quantity q = {1, {a.of.kg * n, a.of.m * n, a.of.s * n, a.of.kelvin * n}, 0};
	for (int32_t i = 0; i < (n < 0 ? -n : n); ++i) q.value *= a.value;
	if (n < 0) q.value = 1 / q.value;
	return q;
}

static quantity power(expression *e)
{
	quantity a = primary(e);
	skip(e);
	if (e->failed || *e->p != '^') return a;
	const char *at = e->p++;
	if (++e->l->depth > NESTING_MOST) {
		--e->l->depth;
		return FAULT(e, at, 1, NULL, "%s: more than %d levels of powers", e->what, NESTING_MOST);
	}
	quantity b = unary(e);
	--e->l->depth;
	return e->failed ? nothing(e) : raise(e, a, b, at);
}

static quantity unary(expression *e)
{
	skip(e);
	bool minus = false;
	for (; *e->p == '-' || *e->p == '+' || *e->p == ' '; ++e->p)
		if (*e->p == '-') minus = !minus;
	quantity q = power(e);
	if (minus) q.value = -q.value;
	return q;
}

static bool small(dimension d)
{
	return d.kg > -100 && d.kg < 100 && d.m > -100 && d.m < 100 && d.s > -100 && d.s < 100 && d.kelvin > -100 &&
		   d.kelvin < 100;
}

static quantity product(expression *e)
{
	quantity a = unary(e);
	for (skip(e); !e->failed && (*e->p == '*' || *e->p == '/'); skip(e)) {
		const char *at = e->p++;
		int32_t sign = *at == '*' ? 1 : -1;
		quantity b = unary(e);
		a.value = sign > 0 ? a.value * b.value : a.value / b.value;
		a.of = (dimension){a.of.kg + sign * b.of.kg, a.of.m + sign * b.of.m, a.of.s + sign * b.of.s,
						   a.of.kelvin + sign * b.of.kelvin};
		a.flags |= b.flags;
		if (!e->failed && !small(a.of))
			return FAULT(e, at, 1, NULL, "%s: this power of the unit is not supported", e->what);
	}
	return a;
}

static quantity sum(expression *e)
{
	if (++e->l->depth > NESTING_MOST) {
		--e->l->depth;
		return FAULT(e, e->p, 1, NULL, "%s: more than %d levels of brackets and names", e->what, NESTING_MOST);
	}
	quantity a = product(e);
	for (skip(e); !e->failed && (*e->p == '+' || *e->p == '-'); skip(e)) {
		const char *at = e->p++;
		quantity b = product(e);
		if (e->failed) break;
		if (!scree_dimension_same(a.of, b.of)) {
			a = FAULT(e, at, 1, NULL, "%s: %s %c %s", e->what, scree_dimension_words(e->l->r, a.of), *at,
					  scree_dimension_words(e->l->r, b.of));
			break;
		}
		a.value = *at == '+' ? a.value + b.value : a.value - b.value;
		a.flags |= b.flags;
	}
	--e->l->depth;
	return a;
}

/* Tests whether the text after a number looks like the rest of an expression. */
static bool is_formula(const lets *l, const char *text)
{
	if (strpbrk(text, "+-()")) return true;
	for (const char *p = text; *p;) {
		size_t length = word_length(p, false);
		if (length && find_let(l, p, length)) return true;
		p += length ? length : 1;
	}
	return false;
}

static void formula_cure(const expression *e, const char *formula, char *cure, size_t room)
{
	const source_text *s = &e->l->r->source[e->n->at.source];
	if (s->set)
		snprintf(cure, room, "an expression begins with =: --set '%.*s==%.60s'", (int)strcspn(s->bytes, "="), s->bytes,
				 formula);
	else
		snprintf(cure, room, "an expression begins with =: '= %.60s'", formula);
}

/* reads "5 mm": a number and its unit */
static quantity plain(expression *e)
{
	const char *end, *wrong;
	skip(e);
	const char *start = e->p;
	unit u = {1, 1, 0, 0, PLAIN};
	size_t length = strlen(start);
	if (!scree_number_read(start, &end)) {
		if (find_let(e->l, start, length) || (length == 2 && !strcmp(start, "pi"))) {
			char cure[200];
			formula_cure(e, start, cure, sizeof cure);
			return FAULT(e, start, length, cure, "%s: '%.60s' is a name, not a number", e->what, start);
		}
		return FAULT(e, start, length, NULL, "%s: '%.60s' is not a number", e->what, start);
	}
	if (*end == ',' && digit(end[1])) {
		char mended[80];
		snprintf(mended, sizeof mended, "%.70s", start);
		char *comma = strchr(mended, ',');
		if (comma) *comma = '.';
		return FAULT(e, start, length, NULL, "%s: '%.60s' is not a number (did you mean %s?)", e->what, start, mended);
	}
	const char *unit_text = end;
	while (*unit_text == ' ') ++unit_text;
	if (*unit_text && !scree_unit_parse(unit_text, &u, &wrong)) {
		size_t bad = word_length(wrong, true);
		char *found = scree_arena_text(e->l->r->memory, bad ? wrong : unit_text, bad ? bad : strlen(unit_text));
		const char *meant = bad ? scree_meant(e->l->r, found, scree_unit_names, NULL) : "";
		bool no_sign = digit(*wrong) && wrong > unit_text && unit_letter(wrong[-1]);
		char formula[200];
		formula_cure(e, start, formula, sizeof formula);
		const char *cure = no_sign ? "a power needs its sign: m^3" : is_formula(e->l, unit_text) ? formula : NULL;
		return FAULT(e, bad ? wrong : unit_text, bad ? bad : strlen(unit_text), cure, "%s: '%.60s' is not a unit%s",
					 e->what, found, meant);
	}
	e->p = end + strlen(end);
	return times_unit(start, end, u);
}

bool scree_quantity(lets *l, const node *n, const char *what, quantity *out)
{
	*out = (quantity){0, PLAIN, 0};
	l->set = 0;
	if (n->type != NODE_SCALAR || scree_node_empty(n))
		return scree_report(l->r, n->at, NULL, "%s: a value was expected, not %s", what, scree_node_found(n));
	expression e = {l, n, what, n->text, n->text, false};
	skip(&e);
	bool formula = *e.p == '=';
	e.p += formula;
	if (formula) e.text = e.p;
	quantity q = formula ? sum(&e) : plain(&e);
	if (l->set) scree_report_consequence(l->r, n->at, l->set);
	skip(&e);
	if (!e.failed && *e.p) {
		if (*e.p == ')') FAULT(&e, e.p, 1, NULL, "%s: this ')' closes nothing", what);
		FAULT(&e, e.p, 1, "a product needs its sign: *", "%s: an operator (+ - * / ^) was expected here", what);
	}
	if (!e.failed && !(q.value - q.value == 0))
		FAULT(&e, n->text, strlen(n->text), NULL, "%s: the value is not a finite number", what);
	if (e.failed) return false;
	*out = q;
	return true;
}

static quantity known(lets *l, let_row *row)
{
	if (row->state == 2) return row->is;
	if (row->state == 3) return (quantity){0, PLAIN, 0};
	int32_t source = row->value->at.source, outer = l->set;
	row->state = 1;
	row->state = scree_quantity(l, row->value, row->value->key, &row->is) ? 2 : 3;
	row->set = l->r->source[source].set ? source : l->set;
	l->set = outer;
	return row->is;
}

void scree_lets_open(lets *l, report *r, const node *map)
{
	l->r = r;
	l->count = 0;
	l->depth = 0;
	for (const node *c = map && map->type == NODE_MAP ? map->first : NULL; c; c = c->next) {
		size_t length = strlen(c->key);
		if (!length || word_length(c->key, false) != length || length > 40) {
			scree_report(r, c->key_at, "letters, digits and _, at most 40, a letter first",
						 "let: '%.60s' is not a valid name", c->key);
			continue;
		}
		if (!strcmp(c->key, "pi")) {
			scree_report(r, c->key_at, NULL, "let: pi is predefined");
			continue;
		}
		if (l->count == LETS_MOST) {
			scree_report(r, c->key_at, NULL, "more than %d names under let", LETS_MOST);
			break;
		}
		l->row[l->count++] = (let_row){.value = c};
	}
}

/* Reports a change in the dimension of a name once, at its definition, instead of in every line that uses the name. */
static void same_dimension(lets *l, let_row *row, const lets *before)
{
	const let_row *was = find_let(before, row->value->key, strlen(row->value->key));
	if (!was || was->state != 2 || row->state != 2 || scree_dimension_same(was->is.of, row->is.of)) return;
	if (row->is.value == 0 && scree_dimension_same(row->is.of, (dimension)PLAIN)) return; /* 0 needs no unit */
	char cure[120]; /* names have at most 40 letters */
	snprintf(cure, sizeof cure, "the scene has %s: %.60s", row->value->key, was->value->text);
	scree_report(l->r, row->value->at, cure, "%s: %s was expected, as in the scene, not %s", row->value->key,
				 scree_dimension_words(l->r, was->is.of), scree_dimension_words(l->r, row->is.of));
	row->state = 3;
}

void scree_lets_check(lets *l, const lets *before)
{
	for (int32_t i = 0; before && i < l->count; ++i) {
		if (!l->r->source[l->row[i].value->at.source].set) continue;
		known(l, &l->row[i]);
		same_dimension(l, &l->row[i], before);
	}
	for (int32_t i = 0; i < l->count; ++i) known(l, &l->row[i]);
}

void scree_lets_try(lets *l)
{
	int32_t count = l->r->count, total = l->r->total;
	for (int32_t i = 0; i < l->count; ++i) known(l, &l->row[i]);
	l->r->count = count;
	l->r->total = total;
}
