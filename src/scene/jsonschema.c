/* jsonschema: the table of keys as JSON Schema (draft 2020-12), for editors and for other programs.
 *
 * JSON Schema has no units and no expressions: it covers structure, words and ranges of plain numbers. It accepts all
 * scenes that the reader accepts (a test compares), and some that the reader refuses. */
#include "scene/reader.h"

#include <string.h>

#include "base/memory.h"

static const char QUANTITY[] = "\"type\":\"string\",\"pattern\":\"^\\\\s*(=.*|[-+]?(\\\\d+\\\\.?\\\\d*|\\\\.\\\\d+)(["
							   "eE][-+]?\\\\d+)?\\\\s*[^,]*)$\"";

static void write_bounds(writing *t, const key *k)
{
	range r = scree_range(k);
	scree_writing_add(t, r.open_low ? ",\"exclusiveMinimum\":" : ",\"minimum\":");
	scree_writing_real(t, r.or_zero ? 0 : r.low);
	scree_writing_add(t, r.open_high ? ",\"exclusiveMaximum\":" : ",\"maximum\":");
	scree_writing_real(t, r.high);
}

/* a number alone has no unit: for a dimensional key it can only be 0 */
static void write_quantity(writing *t, const key *k, const char *type)
{
	bool angle = k->unit && !strcmp(k->unit, "rad");
	scree_writing_add(t, "{\"anyOf\":[{\"type\":\"%s\"", type);
	write_bounds(t, k);
	if (k->unit && !angle) scree_writing_add(t, ",\"const\":0");
	scree_writing_add(t, "},{%s}]}", QUANTITY);
}

static void write_words(writing *t, const key *k)
{
	const char *word;
	scree_writing_add(t, "{\"enum\":[");
	for (int i = 0; (word = k->words(NULL, i)); ++i) {
		if (i) scree_writing_add(t, ",");
		scree_writing_quote(t, word);
	}
	scree_writing_add(t, "]}");
}

typedef void item_fn(writing *t, const key *k);

/* writes a list of values; most: 0: any number */
static void write_some(writing *t, const key *k, int least, int most, item_fn *item)
{
	scree_writing_add(t, "{\"type\":\"array\",\"minItems\":%d", least);
	if (most) scree_writing_add(t, ",\"maxItems\":%d", most);
	scree_writing_add(t, ",\"items\":");
	item(t, k);
	scree_writing_add(t, "}");
}

static void real_item(writing *t, const key *k) { write_quantity(t, k, "number"); }
static void count_item(writing *t, const key *k) { write_quantity(t, k, "integer"); }
static void point_item(writing *t, const key *k) { write_some(t, k, 2, 3, real_item); } /* two or three by dimension */

static void angle_item(writing *t, const key *k)
{
	(void)k;
	real_item(t, &(key){.unit = "rad"});
}

static void free_item(writing *t, const key *k)
{
	scree_writing_add(t, "{\"anyOf\":[{\"type\":\"number\"");
	write_bounds(t, k);
	scree_writing_add(t, "},{%s}]}", QUANTITY);
}

static void section_item(writing *t, const key *k) { scree_writing_add(t, "{\"$ref\":\"#/$defs/%s\"}", k->of->name); }

static void list_item(writing *t, const key *k)
{
	scree_writing_add(t, "{\"type\":\"array\",\"maxItems\":%d,\"items\":", k->of->most);
	section_item(t, k);
	scree_writing_add(t, "}");
}

static void named_item(writing *t, const key *k)
{
	scree_writing_add(t, "{\"type\":\"object\",\"maxProperties\":%d,\"additionalProperties\":", k->of->most);
	section_item(t, k);
	scree_writing_add(t, "}");
}

static void write_value(writing *t, const key *k);

/* writes a part of a scene with the keys that a stage can change, none of them needed */
static void write_changes(writing *t, const section *s)
{
	int32_t n = 0;
	scree_writing_add(t, "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{");
	for (int32_t i = 0; i < s->rows; ++i) {
		const key *k = s->row + i, *only = k->of ? scree_key(k->of, k->of->shorthand) : NULL;
		if (!scree_may_change(s, k)) continue;
		scree_writing_add(t, "%s\"%s\":", n++ ? "," : "", k->name);
		if (only) scree_writing_add(t, "{\"anyOf\":[");
		if (k->kind == KEY_SECTION)
			write_changes(t, k->of);
		else
			write_value(t, k);
		if (!only) continue;
		scree_writing_add(t, ",");
		write_value(t, only);
		scree_writing_add(t, "]}");
	}
	scree_writing_add(t, "}}");
}

/* changes of the key of the scene that has this name: of a section, or of sections by names */
static void changes_item(writing *t, const key *name)
{
	const key *k = scree_key(&scree_scene_section, name->name);
	if (k->kind != KEY_SECTION) scree_writing_add(t, "{\"type\":\"object\",\"additionalProperties\":");
	write_changes(t, k->of);
	if (k->kind != KEY_SECTION) scree_writing_add(t, "}");
}

static void lets_item(writing *t, const key *k)
{
	(void)k;
	scree_writing_add(t, "{\"type\":\"object\",\"additionalProperties\":{\"anyOf\":[{\"type\":\"number\"},{%s}]}}",
					  QUANTITY);
}

static void text_item(writing *t, const key *k)
{
	(void)k;
	scree_writing_add(t, "{\"type\":[\"string\",\"number\",\"boolean\"]}");
}

/* The forms that a value of a kind may have: one of some words, a single value, a list of values. */
static const struct {
	const char *words; /* as JSON */
	item_fn *one, *item;
	int least, most; /* number of items; most: 0: any */
} forms[] = {
	[KEY_REAL] = {.one = real_item},
	[KEY_COUNT] = {.one = count_item},
	[KEY_FLAG] = {.words = "{\"type\":\"boolean\"}"},
	[KEY_TEXT] = {.one = text_item},
	[KEY_FILE] = {.one = text_item},
	[KEY_MATERIAL] = {.one = text_item},
	[KEY_SHAPE] = {.one = text_item},
	[KEY_WORD] = {.one = write_words},
	[KEY_WORDS] = {.item = write_words, .least = 1},
	[KEY_MATERIALS] = {.item = text_item, .least = 1},
	[KEY_VECTOR] = {.one = point_item},
	[KEY_SPACE] = {.item = real_item, .least = 3, .most = 3},
	[KEY_SPIN] = {.one = real_item, .item = real_item, .least = 2, .most = 3},
	[KEY_EVEN] = {.one = real_item, .item = real_item, .least = 2, .most = 3},
	[KEY_PAIR] = {.item = real_item, .least = 2, .most = 2},
	[KEY_BOTH] = {.one = real_item, .item = real_item, .least = 2, .most = 2},
	[KEY_RANGE] = {.item = free_item, .least = 2, .most = 2},
	[KEY_COUNTS] = {.item = count_item, .least = 2, .most = 3},
	[KEY_PIXELS] = {.item = count_item, .least = 2, .most = 2},
	[KEY_REALS] = {.item = real_item, .least = 1},
	[KEY_POINTS] = {.item = point_item, .least = 1},
	[KEY_DIRECTION] = {"{\"enum\":[\"x\",\"y\",\"z\"]}", .one = point_item},
	[KEY_ORIENTATION] = {"{\"enum\":[\"aligned\",\"random\"]}", angle_item, real_item, 4, 4},
	[KEY_SECTION] = {.one = section_item},
	[KEY_LIST] = {.one = list_item},
	[KEY_NAMED] = {.one = named_item},
	[KEY_CHANGES] = {.one = changes_item},
	[KEY_LETS] = {.one = lets_item},
	[KEY_INCLUDE] = {.words =
						 "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"array\",\"items\":{\"type\":\"string\"}}]}"},
	[KEY_LATER] = {NULL},
};

static void write_value(writing *t, const key *k)
{
	const bool words = forms[k->kind].words, one = forms[k->kind].one, some = forms[k->kind].item;
	const int count = words + one + some;
	SCREE_ASSERT(count);
	if (count > 1) scree_writing_add(t, "{\"anyOf\":[");
	if (words) scree_writing_add(t, one || some ? "%s," : "%s", forms[k->kind].words);
	if (one) forms[k->kind].one(t, k);
	if (one && some) scree_writing_add(t, ",");
	if (some) write_some(t, k, forms[k->kind].least, forms[k->kind].most, forms[k->kind].item);
	if (count > 1) scree_writing_add(t, "]}");
}

static void write_groups(writing *t, const section *s)
{
	int32_t parts = 0;
	for (int32_t group = 1; group <= 3; ++group) {
		const key *in[16];
		int32_t n = 0;
		for (int32_t i = 0; i < s->rows; ++i)
			if (s->row[i].group == group && s->row[i].kind != KEY_LATER && n < 16) in[n++] = &s->row[i];
		if (n && s->needs >> group & 1) {
			scree_writing_add(t, "%s{\"oneOf\":[", parts++ ? "," : ",\"allOf\":[");
			for (int32_t i = 0; i < n; ++i)
				scree_writing_add(t, "%s{\"required\":[\"%s\"]}", i ? "," : "", in[i]->name);
			scree_writing_add(t, "]}");
			continue;
		}
		for (int32_t i = 0; i < n; ++i)
			for (int32_t j = 0; j < i; ++j)
				scree_writing_add(t, "%s{\"not\":{\"required\":[\"%s\",\"%s\"]}}", parts++ ? "," : ",\"allOf\":[",
								  in[j]->name, in[i]->name);
	}
	if (parts) scree_writing_add(t, "]");
}

/* writes the help with the range, since a schema cannot check a range in the text of a quantity */
static void write_help(writing *t, const key *k)
{
	writing words = {0};
	scree_writing_add(&words, "%s", k->help);
	if (k->unit) {
		scree_writing_add(&words, "; ");
		scree_range_text(&words, scree_range(k), k->unit);
	}
	scree_writing_quote(t, words.bytes);
	scree_free(scree_writing_take(&words));
}

static void write_object(writing *t, const section *s)
{
	int32_t n = 0;
	scree_writing_add(t, "\"type\":\"object\",\"additionalProperties\":false,\"description\":");
	scree_writing_quote(t, s->help);
	scree_writing_add(t, ",\"properties\":{");
	for (int32_t i = 0; i < s->rows; ++i) {
		const key *k = &s->row[i];
		if (k->kind == KEY_LATER) continue;
		scree_writing_add(t, "%s\n    \"%s\":{\"description\":", n++ ? "," : "", k->name);
		write_help(t, k);
		if (k->standard && k->kind != KEY_SECTION && k->kind != KEY_NAMED) {
			scree_writing_add(t, ",\"default\":");
			scree_writing_quote(t, k->standard);
		}
		scree_writing_add(t, ",\"allOf\":[");
		write_value(t, k);
		scree_writing_add(t, "]}");
	}
	scree_writing_add(t, "}");
	n = 0;
	for (int32_t i = 0; i < s->rows; ++i)
		if (s->row[i].required) scree_writing_add(t, "%s\"%s\"", n++ ? "," : ",\"required\":[", s->row[i].name);
	if (n) scree_writing_add(t, "]");
	write_groups(t, s);
}

/* a list of rows with a value of each column */
static void write_columns(writing *t, const section *s)
{
	int32_t count = 0;
	scree_writing_add(t, "{\"type\":\"array\",\"minItems\":1,\"items\":{\"type\":\"array\",\"prefixItems\":[");
	for (; s->columns[count]; ++count) {
		if (count) scree_writing_add(t, ",");
		real_item(t, scree_key(s, s->columns[count]));
	}
	scree_writing_add(t, "],\"minItems\":%d,\"maxItems\":%d}}", count, count);
}

static void write_section(writing *t, const section *s)
{
	const key *only = scree_key(s, s->shorthand);
	if (!only && !s->columns) {
		scree_writing_add(t, "{");
		write_object(t, s);
		scree_writing_add(t, "}");
		return;
	}
	scree_writing_add(t, "{\"anyOf\":[{");
	write_object(t, s);
	scree_writing_add(t, "},\n  ");
	if (only)
		write_value(t, only);
	else
		write_columns(t, s);
	scree_writing_add(t, "]}");
}

char *scree_scene_schema(void)
{
	section_walk all = scree_sections();
	writing t = {0};
	scree_writing_add(&t,
					  "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\n\"title\":\"scree scene\",\n");
	write_object(&t, &scree_scene_section);
	scree_writing_add(&t, ",\n\"$defs\":{");
	for (int k = 1; k < all.count; ++k) {
		scree_writing_add(&t, "%s\n\"%s\":", k > 1 ? "," : "", all.row[k].of->name);
		write_section(&t, all.row[k].of);
	}
	scree_free(all.row);
	scree_writing_add(&t, "}}\n");
	return scree_writing_take(&t);
}
