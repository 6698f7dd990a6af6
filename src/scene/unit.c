/* unit: the table of units, products of units, and numbers.
 *
 * Powers of ten never become a factor: `1.1 mm` is read as the decimal number 1.1e-3, which is rounded once, so that it
 * has the same bits as 0.0011 and `0.0011 m`. Other factors (minutes, degrees, revolutions) are combined into one,
 * which is exact or rounded once. Each unit is tested against udunits2. */
#include "scene/value.h"

#include <stdlib.h>

#include "base/real.h"

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

/* usual units, and words for what they measure; NULL: there is none */
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

/* row of `usual`, or their number */
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
	/* both signs for micro, U+00B5 and U+03BC, are 'u' */
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
	/* more than some 380 digits are not supported */
	if (mantissa > 380) return NAN;
	memcpy(small, text, mantissa);
	snprintf(small + mantissa, sizeof small - mantissa, "e%ld", power + decimal);
	return strtod(small, NULL);
}

const char *scree_unit_names(const void *unused, int i)
{
	/* one row per name, since the caller keeps several names */
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
