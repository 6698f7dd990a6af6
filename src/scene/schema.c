/* schema: functions for the table of keys: names and ranges, and queries about the keys given in a section. */
#include "scene/reader.h"

const char *scree_key_names(const void *what, int i)
{
	const section *s = what;
	return i < s->rows ? s->row[i].name : NULL;
}

const key *scree_key(const section *s, const char *name)
{
	for (int32_t i = 0; s && name && i < s->rows; ++i)
		if (!strcmp(s->row[i].name, name)) return s->row + i;
	return NULL;
}

bool scree_may_change(const section *s, const key *k) { return k->changes || (s->changes && !k->stays); }

/* Allowed ranges of numbers with each unit. They are far wider than granular matter requires, from nanometre powders to
 * planet-sized rubble, but narrow enough that no product in the engine overflows: a mass is at most 1e45 kg, and its
 * square times a stiffness is at most 1e110. least: the smallest value if 0 is not allowed */
static const struct {
	const char *unit;
	double least, most;
} limits[] = {
	{"", 1e-9, 1e9},		  {"rad", 1e-6, 1e6},		  {"m", 1e-12, 1e12},	  {"s", 1e-15, 1e15},
	{"1/s", 1e-15, 1e15},	  {"Hz", 1e-15, 1e15},		  {"m/s", 1e-12, 1e9},	  {"m/s^2", 1e-12, 1e12},
	{"rad/s", 1e-15, 1e12},	  {"kg", 1e-30, 1e30},		  {"kg/m^3", 1e-9, 1e9},  {"kg/s", 1e-30, 1e30},
	{"N", 1e-30, 1e30},		  {"N/m", 1e-15, 1e24},		  {"Pa", 1e-6, 1e24},	  {"Pa*s", 1e-9, 1e15},
	{"J/m^2", 1e-12, 1e12},	  {"J/m^3", 1e-9, 1e15},	  {"J", 1e-30, 1e30},	  {"m^2", 1e-24, 1e24},
	{"m^3", 1e-36, 1e36},	  {"N*m", 1e-30, 1e30},		  {"N*m*s", 1e-30, 1e30}, {"kg*m^2", 1e-45, 1e45},
	{"m^2/s^2", 1e-24, 1e18}, {"rad^2/s^2", 1e-30, 1e24}, {"K", 1e-6, 1e9},		  {"W/m/K", 1e-9, 1e9},
	{"J/kg/K", 1e-6, 1e12},
};

static range interval(const char *words)
{
	char *rest;
	range r = {.open_low = *words == '('};
	r.low = strtod(words + 1, &rest);
	r.high = strtod(rest + 1, &rest);
	r.open_high = *rest == ')';
	return r;
}

range scree_range(const key *k)
{
	const char *unit = k->unit ? k->unit : "";
	size_t row = 0, rows = sizeof limits / sizeof *limits;
	if (k->range && *k->range != '>') return interval(k->range);
	while (row < rows && strcmp(limits[row].unit, unit) != 0) ++row;
	SCREE_ASSERT(row < rows);
	double least = limits[row].least, most = limits[row].most;
	if (!k->range) return (range){.low = -most, .high = most};
	if (k->range[1] != '=') return (range){.low = least, .high = most};
	/* a coefficient may be arbitrarily small, but a number with a unit may be a divisor */
	return *unit ? (range){.low = least, .high = most, .or_zero = true} : (range){.low = 0, .high = most};
}

bool scree_range_holds(range r, double x)
{
	if (r.or_zero && x == 0) return true;
	return (r.open_low ? x > r.low : x >= r.low) && (r.open_high ? x < r.high : x <= r.high);
}

void scree_range_text(writing *t, range r, const char *unit)
{
	if (r.or_zero) scree_writing_add(t, "0, or ");
	if (r.low == r.high) {
		scree_writing_plain(t, r.low);
	} else {
		bool open = r.open_low || r.open_high;
		scree_writing_add(t, open ? r.open_low ? "above " : "at least " : "between ");
		scree_writing_plain(t, r.low);
		scree_writing_add(t, open ? r.open_high ? " and below " : ", at most " : " and ");
		scree_writing_plain(t, r.high);
	}
	if (unit) scree_writing_add(t, " %s", unit);
}

/* ------------------------------------------------------------------ the keys given in a section */

const node *scree_where(const head *h, const char *name)
{
	const node *n = scree_node_child(h->where, name);
	return n ? n : h->where;
}

static uint64_t bit_of(const head *h, const char *name)
{
	const key *k = scree_key(h->of, name);
	return k ? 1ull << (k - h->of->row) : 0;
}

bool scree_given(const head *h, const char *name) { return h->given & bit_of(h, name); }

bool scree_excused(head *h)
{
	bool excused = h->strangers > 0;
	h->strangers -= excused;
	return excused;
}

const key *scree_form_given(const head *h)
{
	for (int32_t i = 0; h->of && i < h->of->rows; ++i)
		if (h->of->row[i].make && h->given >> i & 1) return &h->of->row[i];
	return NULL;
}

void scree_forget(head *h, const char *name) { h->set &= ~bit_of(h, name); }

void scree_resolve(head *h, const char *name) { h->set |= bit_of(h, name); }

place scree_named_at(const node *n) { return n->key ? n->key_at : n->at; }

place scree_key_at(const head *h, const char *name) { return scree_named_at(scree_where(h, name)); }

int32_t scree_entry_named(const spec_list *list, size_t stride, const char *name, size_t length)
{
	const char *item = list->item;
	for (int32_t i = 0; i < list->count; ++i, item += stride) {
		const char *own = ((const head *)item)->name;
		if (strlen(own) == length && !memcmp(own, name, length)) return i;
	}
	return -1;
}

place scree_entry(const head *h, const char *name, int32_t i)
{
	const node *n = scree_where(h, name), *entry = n->type == NODE_LIST ? scree_node_item(n, i) : NULL;
	return entry ? entry->at : n->at;
}

static bool same_value(const key *k, const void *a, const void *b)
{
	const spec_list *l = a, *m = b;
	if (k->kind == KEY_SECTION) return scree_same_values(a, b, NULL);
	if (k->kind == KEY_REAL) return *(const real *)a == *(const real *)b;
	if (k->kind == KEY_FLAG) return *(const bool *)a == *(const bool *)b;
	if (k->kind == KEY_VECTOR) return v3_equal(*(const vec3 *)a, *(const vec3 *)b);
	if (k->kind == KEY_FILE) return true; /* the rows of the file are given as lists */
	SCREE_ASSERT(k->kind == KEY_REALS || k->kind == KEY_POINTS || k->kind == KEY_WORDS);
	const size_t size = k->kind == KEY_REALS ? sizeof(real) : k->kind == KEY_POINTS ? sizeof(vec3) : sizeof(int32_t);
	return l->count == m->count && (!l->count || !memcmp(l->item, m->item, (size_t)l->count * size));
}

bool scree_same_values(const head *a, const head *b, const char *name)
{
	const section *s = a->of ? a->of : b->of;
	bool same = true;
	for (int32_t i = 0; s && same && i < s->rows; ++i) {
		const key *k = s->row + i;
		if (name ? strcmp(k->name, name) != 0 : !scree_may_change(s, k)) continue;
		same = same_value(k, (const char *)a + k->at, (const char *)b + k->at);
	}
	return same;
}
