/* load_values: loads values of keys: quantities, words, vectors, lists, directions, names of materials and shapes. */
#include "scene/reader.h"

#include "base/shown.h"

static bool right_dimension(reader *r, const key *k, const node *n, const quantity *q)
{
	static const dimension plain = {0, 0, 0, 0};
	unit u = {1, 1, 0, 0, {0, 0, 0, 0}};
	const char *wrong;
	if (k->unit) SCREE_ASSERT(scree_unit_parse(k->unit, &u, &wrong));
	if (scree_dimension_same(u.of, q->of)) {
		bool angle = u.flags & HAS_ANGLE, cycles = u.flags & HAS_CYCLES;
		if (angle && q->flags & HAS_CYCLES)
			return REFUSE(r, n, "write rpm, rad/s or deg/s", "%s: Hz counts cycles; an angular velocity was expected",
						  k->name);
		if (cycles && q->flags & HAS_ANGLE)
			return REFUSE(r, n, "write Hz", "%s: cycles per second were expected, not an angular velocity", k->name);
		if (!k->unit && q->flags & HAS_ANGLE)
			return REFUSE(r, n, NULL, "%s: a plain number was expected, not an angle", k->name);
		return true;
	}
	if (scree_dimension_same(q->of, plain) && q->value == 0 && !(q->flags & HAS_ANGLE)) return true;
	const char *expected = scree_dimension_words(&r->r, u.of);
	if (!scree_dimension_same(q->of, plain))
		return REFUSE(r, n, NULL, "%s: %s was expected, not %s", k->name, expected,
					  scree_dimension_words(&r->r, q->of));
	char cure[120];
	snprintf(cure, sizeof cure, "write the unit: '%.40s %s'", n->text, k->unit);
	return REFUSE(r, n, *n->text == '=' ? NULL : cure, "%s: %s was expected; the unit is missing", k->name, expected);
}

static bool in_range(reader *r, const key *k, const node *n, double value)
{
	range g = scree_range(k);
	if (scree_range_holds(g, value)) return true;
	if (g.low == g.high) return REFUSE(r, n, k->help, "%s: must be %g, not %.60s", k->name, g.low, n->text);
	writing words = {0};
	scree_writing_add(&words, "'%.60s'", n->text);
	if (*n->text == '=') {
		scree_writing_add(&words, " (");
		scree_writing_plain(&words, value);
		scree_writing_add(&words, k->unit ? " %s)" : ")%s", k->unit ? k->unit : "");
	}
	scree_writing_add(&words, " is out of range: it must be ");
	scree_range_text(&words, g, k->unit);
	return REFUSE(r, n, NULL, "%s: %s", k->name, scree_report_keep(&r->r, &words));
}

bool scree_reader_real(reader *r, const key *k, const node *n, double *out)
{
	quantity q;
	*out = NAN; /* NaN tells later checks that the error has been reported */
	if (!scree_quantity(&r->let, n, k->name, &q) || !right_dimension(r, k, n, &q) || !in_range(r, k, n, q.value))
		return false;
	*out = q.value;
	return true;
}

static bool load_real(reader *r, const key *k, const node *n, void *to) { return scree_reader_real(r, k, n, to); }

static bool load_count(reader *r, const key *k, const node *n, void *to)
{
	double value;
	if (!scree_reader_real(r, k, n, &value)) return false;
	if (value != scree_floor(value) || real_abs(value) > 9e15)
		return REFUSE(r, n, NULL, "%s: a whole number was expected, not %.60s", k->name, n->text);
	*(int64_t *)to = (int64_t)value;
	return true;
}

static bool load_flag(reader *r, const key *k, const node *n, void *to)
{
	bool yes = n->type == NODE_SCALAR && !n->quoted && !strcmp(n->text, "true");
	bool no = n->type == NODE_SCALAR && !n->quoted && !strcmp(n->text, "false");
	*(bool *)to = yes;
	if (yes || no) return true;
	return REFUSE(r, n, "write true or false", "%s: true or false was expected, not %.60s", k->name,
				  n->type == NODE_SCALAR && *n->text ? n->text : scree_node_found(n));
}

static bool load_text(reader *r, const key *k, const node *n, void *to)
{
	if (n->type != NODE_SCALAR || scree_node_empty(n))
		return REFUSE(r, n, NULL, "%s: a text was expected, not %s", k->name, scree_node_found(n));
	if (strlen(n->text) > 200) return REFUSE(r, n, NULL, "%s: the text is longer than 200 bytes", k->name);
	for (const char *p = n->text; *p;) {
		size_t bytes = scree_plain_character(p, strlen(p));
		if (!bytes) return REFUSE(r, n, NULL, "%s: the text must be one line without control characters", k->name);
		p += bytes;
	}
	*(const char **)to = n->text;
	return true;
}

static bool load_file(reader *r, const key *k, const node *n, void *to)
{
	return (*(const char **)to = scree_reader_path(r, n, k->name)) != NULL;
}

const char *scree_elsewhere(const char *of, const char *word, bool *former)
{
	enum { FORMER = 2 };
	static const char
		by_mass[] = "write mass_share, a fraction of the mass, in all entries of the mix",
		by_number[] =
			"write share: a fraction of the number of bodies or, with `by: mass` next to `mix`, of their mass";
	static const struct {
		const char *of, *word, *here;
	} other[] = {
		{"run", "solver", "the method is the response itself: write response: elastic"},
		{"response", "impulses", "name the method that computes them: response: elastic"},
		{"mix", "mass_fraction", by_mass},
		{"mix", "mass", by_mass},
		{"mix", "number_share", by_number},
		{"mix", "fraction", by_number},
		{"mix", "probability", by_number},
	};
	for (size_t k = 0; k < sizeof other / sizeof *other; ++k) {
		*former = k < FORMER;
		if (!strcmp(other[k].of, of) && !strcmp(other[k].word, word)) return other[k].here;
	}
	return NULL;
}

static bool load_word(reader *r, const key *k, const node *n, void *to)
{
	int32_t *out = to;
	const char *word;
	*out = -1;
	if (n->type != NODE_SCALAR || scree_node_empty(n))
		return REFUSE(r, n, NULL, "%s: a word was expected, not %s", k->name, scree_node_found(n));
	for (int32_t i = 0; (word = k->words(NULL, i)); ++i)
		if (!strcmp(word, n->text)) {
			*out = i;
			return true;
		}
	if (scree_choice_left_out(n->text))
		return REFUSE(
			r, n, "build with -DSCREE_PAPERS=ON",
			"%s: '%.60s' is a method of a paper, and this scree was built without these methods (SCREE_PAPERS=OFF)",
			k->name, n->text);
	bool former;
	const char *now = scree_elsewhere(k->name, n->text, &former), *near = scree_nearest(n->text, k->words, NULL);
	if (now) return REFUSE(r, n, now, "%s: '%s' is a word of earlier versions", k->name, n->text);
	if (near) return REFUSE(r, n, NULL, "%s: '%.60s' is unknown (did you mean %s?)", k->name, n->text, near);
	writing all = {0};
	scree_writing_words(&all, "known: ", k->words, NULL);
	return REFUSE(r, n, scree_report_keep(&r->r, &all), "%s: '%.60s' is unknown", k->name, n->text);
}

/* tests whether the value is a list of `count` entries (0: at least one), and reports an error if it is not */
static bool is_list(reader *r, const key *k, const node *n, int32_t count, const char *of)
{
	if (n->type == NODE_LIST && (count ? n->count == count : n->count > 0)) return true;
	char wanted[60], got[60];
	if (count)
		snprintf(wanted, sizeof wanted, "a list of %d %s", count, of);
	else
		snprintf(wanted, sizeof wanted, "a list of %s", of);
	if (n->type == NODE_LIST)
		snprintf(got, sizeof got, n->count ? "one of %d" : "an empty one", n->count);
	else
		snprintf(got, sizeof got, "%s", scree_node_found(n));
	return REFUSE(r, n, NULL, "%s: %s was expected, not %s", k->name, wanted, got);
}

static bool load_reals(reader *r, const key *k, const node *n, int32_t count, double *out)
{
	bool ok = true;
	int32_t i = 0;
	if (!is_list(r, k, n, count, k->unit ? "quantities" : "numbers")) return false;
	for (const node *c = n->first; c; c = c->next) ok &= scree_reader_real(r, k, c, &out[i++]);
	return ok;
}

static bool load_space(reader *r, const key *k, const node *n, void *to)
{
	vec3 *out = to;
	double v[3];
	*out = v3(NAN, NAN, NAN);
	if (!load_reals(r, k, n, 3, v)) return false;
	*out = v3(v[0], v[1], v[2]);
	return true;
}

static bool load_vector(reader *r, const key *k, const node *n, void *to)
{
	vec3 *out = to;
	double v[2];
	if (!r->flat) return load_space(r, k, n, to);
	*out = v3(NAN, NAN, 0);
	if (!load_reals(r, k, n, 2, v)) return false;
	*out = v3(v[0], v[1], 0);
	return true;
}

static bool load_spin(reader *r, const key *k, const node *n, void *to)
{
	vec3 *out = to;
	if (!r->flat) return load_space(r, k, n, to);
	*out = v3(0, 0, 0);
	return scree_reader_real(r, k, n, &out->z);
}

static bool load_even(reader *r, const key *k, const node *n, void *to)
{
	double one;
	if (n->type != NODE_SCALAR) return load_vector(r, k, n, to);
	if (!scree_reader_real(r, k, n, &one)) return false;
	*(vec3 *)to = v3(one, one, one);
	return true;
}

static bool load_both(reader *r, const key *k, const node *n, void *to)
{
	real *out = to;
	if (n->type != NODE_SCALAR) return load_reals(r, k, n, 2, out);
	if (!scree_reader_real(r, k, n, out)) return false;
	out[1] = out[0];
	return true;
}

static bool load_pair(reader *r, const key *k, const node *n, void *to)
{
	const real *out = to;
	if (!load_reals(r, k, n, 2, to)) return false;
	return out[0] <= out[1] ? true : REFUSE(r, n, "swap them", "%s: the first value is above the second", k->name);
}

/* loads two values with the same unit, whatever it is; the right unit depends on other keys */
static bool load_range(reader *r, const key *k, const node *n, void *to)
{
	quantity low, high;
	if (!is_list(r, k, n, 2, "values")) return false;
	if (!scree_quantity(&r->let, n->first, k->name, &low) || !scree_quantity(&r->let, n->last, k->name, &high))
		return false;
	if (!in_range(r, k, n->first, low.value) || !in_range(r, k, n->last, high.value)) return false;
	bool zero_low = low.value == 0 && scree_dimension_same(low.of, (dimension){0, 0, 0, 0});
	if (zero_low) low.of = high.of;
	if (!scree_dimension_same(low.of, high.of))
		return REFUSE(r, n, NULL, "%s: the two values have different units", k->name);
	if (!(low.value < high.value)) return REFUSE(r, n, NULL, "%s: the first value must be below the second", k->name);
	*(range_value *)to =
		(range_value){low.value, high.value, low.of, scree_dimension_same(high.of, (dimension){0, 0, 0, 0})};
	return true;
}

static bool load_counts(reader *r, const key *k, const node *n, void *to)
{
	const int32_t count = k->kind == KEY_PIXELS || r->flat ? 2 : 3;
	int32_t *out = to;
	bool ok = true;
	int32_t i = 0;
	if (k->kind == KEY_COUNTS) out[2] = 1;
	if (!is_list(r, k, n, count, "whole numbers")) return false;
	for (const node *c = n->first; c; c = c->next) {
		int64_t value = 0;
		ok &= load_count(r, k, c, &value);
		out[i++] = (int32_t)value;
	}
	return ok;
}

static bool load_direction(reader *r, const key *k, const node *n, void *to)
{
	direction *out = to;
	if (n->type == NODE_SCALAR && strlen(n->text) == 1 && strchr(r->flat ? "xy" : "xyz", *n->text)) {
		int c = *n->text - 'x';
		out->type = (direction_type)c;
		out->unit = out->given = v3(c == 0, c == 1, c == 2);
		return true;
	}
	if (n->type == NODE_SCALAR)
		return REFUSE(r, n, NULL, "%s: %s numbers was expected, not '%.60s'", k->name,
					  r->flat ? "x, y or a list of two" : "x, y, z or a list of three", n->text);
	if (!load_vector(r, k, n, &out->given)) return false;
	out->type = DIRECTION_VECTOR;
	real length = v3_norm(out->given);
	out->unit = v3_unit(out->given);
	return length > 1e-100 && length < 1e100 ? true : REFUSE(r, n, NULL, "%s: this vector has no direction", k->name);
}

static bool load_angle(reader *r, const key *k, const node *n, turn_spec *out)
{
	key angle = *k;
	angle.unit = "rad";
	out->type = ORIENT_GIVEN;
	if (!scree_reader_real(r, &angle, n, &out->angle)) return false;
	out->q.x = out->q.y = 0;
	scree_sincos(out->angle / 2, &out->q.z, &out->q.w);
	return true;
}

static bool load_orientation(reader *r, const key *k, const node *n, void *to)
{
	turn_spec *out = to;
	double q[4];
	if (n->type == NODE_SCALAR) {
		bool random = !strcmp(n->text, "random");
		out->type = random ? ORIENT_RANDOM : ORIENT_ALIGNED;
		out->q = (quat){1, 0, 0, 0};
		if (random || !strcmp(n->text, "aligned")) return true;
		if (r->flat) return load_angle(r, k, n, out);
		return REFUSE(r, n, NULL, "%s: aligned, random or [w, x, y, z] was expected, not '%.60s'", k->name, n->text);
	}
	if (r->flat)
		return REFUSE(r, n, "for example, write 30 deg", "%s: aligned, random or an angle was expected, not a list",
					  k->name);
	if (!load_reals(r, k, n, 4, q)) return false;
	*out = (turn_spec){ORIENT_GIVEN, {q[0], q[1], q[2], q[3]}, 0};
	real length2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
	return length2 > 1e-20 && length2 < 1e20 ? true
											 : REFUSE(r, n, NULL, "%s: this quaternion is not a rotation", k->name);
}

/* Loads the name of a material or shape as its index. */
static bool load_reference(reader *r, const key *k, const node *n, void *to)
{
	const char *where = k->kind == KEY_SHAPE ? "shapes" : "materials";
	int32_t *out = to;
	const node *map = scree_node_child(r->root, where);
	*out = -1;
	if (n->type != NODE_SCALAR || scree_node_empty(n))
		return REFUSE(r, n, NULL, "%s: a name was expected, not %s", k->name, scree_node_found(n));
	int32_t i = 0;
	if (map && (map->type != NODE_MAP || map->count > 2000)) return false; /* already reported */
	if (!map && r->strange) return false;								   /* already reported as an unknown key */
	for (const node *c = map ? map->first : NULL; c; c = c->next, ++i)
		if (!strcmp(c->key, n->text)) {
			*out = i;
			return true;
		}
	return REFUSE(r, n, NULL, "%s: there is no '%.60s' under %s%s", k->name, n->text, where,
				  map ? scree_meant(&r->r, n->text, scree_node_keys, map) : "");
}

typedef bool value_fn(reader *r, const key *k, const node *n, void *to);

/* Kinds of lists: the reader of an item, the size of an item, and what the items are called. */
static const struct {
	value_fn *read;
	size_t size;
	const char *of;
} items[] = {
	[KEY_REALS] = {load_real, sizeof(real), "quantities"},
	[KEY_POINTS] = {load_vector, sizeof(vec3), "points"},
	[KEY_WORDS] = {load_word, sizeof(int32_t), "words"},
	[KEY_MATERIALS] = {load_reference, sizeof(int32_t), "names of materials"},
};

static bool load_items(reader *r, const key *k, const node *n, void *to)
{
	const size_t size = items[k->kind].size;
	spec_list *out = to;
	bool ok = true;
	if (!is_list(r, k, n, 0, items[k->kind].of)) return false;
	out->item = scree_arena_take(&r->memory, (size_t)n->count * size);
	for (const node *c = n->first; c; c = c->next)
		ok &= items[k->kind].read(r, k, c, (char *)out->item + (size_t)out->count++ * size);
	return ok;
}

static bool load_words(reader *r, const key *k, const node *n, void *to)
{
	if (!load_items(r, k, n, to)) return false;
	const spec_list *out = to;
	const int32_t *word = out->item;
	for (int32_t i = 1; i < out->count && i < 64; ++i)
		for (int32_t j = 0; j < i; ++j)
			if (word[i] == word[j])
				return scree_report(&r->r, scree_node_item(n, i)->at, "remove it", "%s: '%s' is given twice", k->name,
									k->words(NULL, word[i]));
	return out->count < 64 ? true : REFUSE(r, n, NULL, "%s: too many words", k->name);
}

static value_fn *const readers[] = {load_real,		load_count,	 load_flag,		load_text,		  load_word,
									load_words,		load_vector, load_even,		load_pair,		  load_both,
									load_range,		load_counts, load_counts,	load_items,		  load_items,
									load_direction, load_space,	 load_spin,		load_orientation, load_file,
									load_reference, load_items,	 load_reference}; /* as key_kind */
_Static_assert(sizeof readers / sizeof *readers == KEY_SHAPE + 1, "a reader for each kind of value");

bool scree_reader_value(reader *r, const key *k, const node *n, void *to)
{
	SCREE_ASSERT(k->kind <= KEY_SHAPE);
	return readers[k->kind](r, k, n, to);
}
