/* explain: describes the language of scenes from the table of keys: a single key (`scree explain fill.mix.size`), or
 * all of them as JSON Schema (draft 2020-12), for editors and other programs. JSON Schema has no units and no
 * expressions, so it covers structure, words and ranges of plain numbers. It accepts every scene that the reader
 * accepts (a test checks this), and some that the reader refuses. */
#include "scene/reader.h"

#define QUANTITY                                                                                                       \
	"\"type\":\"string\",\"pattern\":\"^\\\\s*(=.*|[-+]?(\\\\d+\\\\.?\\\\d*|\\\\.\\\\d+)([eE][-+]?\\\\d+)?\\\\s*[^,]*" \
	")$\""

static void write_bounds(writing *t, const key *k)
{
	range r = scree_range(k);
	scree_writing_add(t, r.open_low ? ",\"exclusiveMinimum\":" : ",\"minimum\":");
	scree_writing_real(t, r.or_zero ? 0 : r.low);
	scree_writing_add(t, r.open_high ? ",\"exclusiveMaximum\":" : ",\"maximum\":");
	scree_writing_real(t, r.high);
}

/* a plain number has no unit, so for a dimensional key it can only be 0 */
static void write_quantity(writing *t, const key *k, const char *type)
{
	bool angle = k->unit && !strcmp(k->unit, "rad");
	scree_writing_add(t, "{\"anyOf\":[{\"type\":\"%s\"", type);
	write_bounds(t, k);
	if (k->unit && !angle) scree_writing_add(t, ",\"const\":0");
	scree_writing_add(t, "},{%s}]}", QUANTITY);
}

static void word_item(writing *t, const key *k)
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

/* writes a list of values; most: 0 for any number */
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
static void point_item(writing *t, const key *k)
{
	write_some(t, k, 2, 3, real_item);
} /* two or three, depending on the dimension */

static void angle_item(writing *t, const key *k)
{
	(void)k;
	real_item(t, &(key){.unit = "rad"});
}

static void section_item(writing *t, const key *k) { scree_writing_add(t, "{\"$ref\":\"#/$defs/%s\"}", k->of->name); }

static void entries_item(writing *t, const key *k)
{
	const char *form = k->kind == KEY_NAMED ? "{\"type\":\"object\",\"maxProperties\":%d,\"additionalProperties\":"
											: "{\"type\":\"array\",\"maxItems\":%d,\"items\":";
	scree_writing_add(t, form, k->of->most);
	section_item(t, k);
	scree_writing_add(t, "}");
}

static void write_value(writing *t, const key *k);

/* writes a part of a scene with the keys that a stage can change, all optional */
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

/* writes the form of changes to the scene's key of this name, which is a section or a set of named sections */
static void changes_item(writing *t, const key *name)
{
	const key *k = scree_key(&scree_scene_section, name->name);
	if (k->kind != KEY_SECTION) scree_writing_add(t, "{\"type\":\"object\",\"additionalProperties\":");
	write_changes(t, k->of);
	if (k->kind != KEY_SECTION) scree_writing_add(t, "}");
}

static void text_item(writing *t, const key *k)
{
	(void)k;
	scree_writing_add(t, "{\"type\":[\"string\",\"number\",\"boolean\"]}");
}

/* Kinds of keys, and forms of their values: one word of a list, a single value, or a list of values. */
static const struct {
	const char *name;  /* writes the form of a value in one phrase */
	bool numbers;	   /* the key takes numbers with a range */
	const char *words; /* as JSON */
	item_fn *one, *item;
	int least, most; /* number of items; most: 0 for any */
} forms[] = {
	[KEY_REAL] = {"number", true, .one = real_item},
	[KEY_COUNT] = {"whole number", true, .one = count_item},
	[KEY_FLAG] = {"true or false", .words = "{\"type\":\"boolean\"}"},
	[KEY_TEXT] = {"text", .one = text_item},
	[KEY_FILE] = {"file", .one = text_item},
	[KEY_MATERIAL] = {"name of a material", .one = text_item},
	[KEY_SHAPE] = {"name of a shape", .one = text_item},
	[KEY_WORD] = {"word", .one = word_item},
	[KEY_WORDS] = {"list of words", .item = word_item, .least = 1},
	[KEY_MATERIALS] = {"list of material names", .item = text_item, .least = 1},
	[KEY_VECTOR] = {"[x, y, z]", true, .one = point_item},
	[KEY_SPACE] = {"[x, y, z]", true, .item = real_item, .least = 3, .most = 3},
	[KEY_SPIN] = {"[x, y, z]", true, .one = real_item, .item = real_item, .least = 2, .most = 3},
	[KEY_EVEN] = {"one number or [x, y, z]", true, .one = real_item, .item = real_item, .least = 2, .most = 3},
	[KEY_PAIR] = {"[low, high]", true, .item = real_item, .least = 2, .most = 2},
	[KEY_BOTH] = {"one number or a list of two", true, .one = real_item, .item = real_item, .least = 2, .most = 2},
	[KEY_RANGE] = {"[low, high]", true, .item = real_item, .least = 2, .most = 2},
	[KEY_COUNTS] = {"[i, j, k]", true, .item = count_item, .least = 2, .most = 3},
	[KEY_PIXELS] = {"[width, height]", true, .item = count_item, .least = 2, .most = 2},
	[KEY_REALS] = {"list of numbers", true, .item = real_item, .least = 1},
	[KEY_POINTS] = {"list of [x, y, z]", true, .item = point_item, .least = 1},
	[KEY_DIRECTION] = {"x, y, z or [x, y, z]", .words = "{\"enum\":[\"x\",\"y\",\"z\"]}", .one = point_item},
	[KEY_ORIENTATION] = {"aligned, random or [w, x, y, z]", .words = "{\"enum\":[\"aligned\",\"random\"]}",
						 .one = angle_item, .item = real_item, .least = 4, .most = 4},
	[KEY_SECTION] = {"mapping", .one = section_item},
	[KEY_LIST] = {"list of mappings", .one = entries_item},
	[KEY_NAMED] = {"mapping by names", .one = entries_item},
	[KEY_CHANGES] = {"mapping of the keys that change", .one = changes_item},
	[KEY_LETS] = {"names and values",
				  .words = "{\"type\":\"object\",\"additionalProperties\":{\"anyOf\":[{\"type\":\"number\"},{" QUANTITY
						   "}]}}"},
	[KEY_INCLUDE] = {"file or list of files",
					 .words =
						 "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"array\",\"items\":{\"type\":\"string\"}}]}"},
	[KEY_LATER] = {.name = ""},
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

bool scree_takes_numbers(const key *k) { return forms[k->kind].numbers; }

void scree_write_kind(writing *t, const key *k)
{
	if (k->words)
		scree_writing_words(t, k->kind == KEY_WORDS ? "list of: " : "", k->words, NULL);
	else
		scree_writing_add(t, "%s", forms[k->kind].name);
	if (k->unit) scree_writing_add(t, " in %s", k->unit);
	if (!scree_takes_numbers(k)) return;
	scree_writing_add(t, ": ");
	scree_range_text(t, scree_range(k), NULL);
}

void scree_write_default(writing *t, const key *k)
{
	if (k->required)
		scree_writing_add(t, "needed");
	else if (!k->standard || k->kind == KEY_SECTION || k->kind == KEY_NAMED)
		scree_writing_add(t, "%s", k->standard && strcmp(k->standard, "{}") ? k->standard : "");
	else if (!*k->standard)
		scree_writing_add(t, "none");
	else
		scree_writing_add(t, k->flat ? "%s; in dimension 2 %s" : "%s", k->standard, k->flat);
}

void scree_write_help(writing *t, const key *k)
{
	if (k->only) scree_writing_add(t, "dimension %d: ", k->only);
	scree_writing_add(t, "%s", k->help);
}

void scree_write_changing(writing *t, const section *s, const char *before, const char *mark)
{
	int32_t n = 0;
	for (int32_t i = 0; i < s->rows; ++i)
		if (scree_may_change(s, s->row + i))
			scree_writing_add(t, "%s %s%s%s", n++ ? "," : before, mark, s->row[i].name, mark);
	if (n) scree_writing_add(t, ".\n");
}

void scree_write_columns(writing *t, const section *s, const char *mark)
{
	if (s->columns) scree_writing_add(t, "A list instead of the mapping has rows of");
	for (int32_t k = 0; s->columns && s->columns[k]; ++k)
		scree_writing_add(t, "%s %s%s%s", k ? "," : "", mark, s->columns[k], mark);
	if (s->columns) scree_writing_add(t, ".");
}

/* the keys of a group; returns their number */
static int32_t keys_of(const section *s, int32_t group, const key *in[16])
{
	int32_t n = 0;
	for (int32_t i = 0; i < s->rows; ++i)
		if (s->row[i].group == group && s->row[i].kind != KEY_LATER && n < 16) in[n++] = &s->row[i];
	return n;
}

static void write_section_keys(writing *t, const section *s)
{
	scree_writing_add(t, "\n%s Keys:\n", s->help);
	for (int32_t i = 0; i < s->rows; ++i) {
		const key *k = &s->row[i];
		if (k->kind == KEY_LATER) continue;
		scree_writing_add(t, "  %-18s ", k->name);
		scree_write_help(t, k);
		if (k->required) scree_writing_add(t, " (needed)");
		scree_writing_add(t, "\n");
	}
	scree_write_changing(t, s, "A stage can change:", "");
	if (s->shorthand) scree_writing_add(t, "A value instead of the mapping sets the key '%s'.\n", s->shorthand);
	scree_write_columns(t, s, "'");
	if (s->columns) scree_writing_add(t, "\n");
	for (int32_t group = 1; group <= 3; ++group) {
		const key *in[16];
		const int32_t count = keys_of(s, group, in);
		if (!count) continue;
		scree_writing_add(t, s->needs >> group & 1 ? "Exactly one of these must be given:"
												   : "At most one of these can be given:");
		for (int32_t i = 0; i < count; ++i) scree_writing_add(t, "%s %s", i ? "," : "", in[i]->name);
		scree_writing_add(t, ".\n");
	}
}

static char *explain_key(const char *dotted, const key *k)
{
	writing t = {0};
	scree_writing_add(&t, "%s: ", dotted);
	scree_write_help(&t, k);
	scree_writing_add(&t, "\n");
	if (k->kind == KEY_LATER) {
		scree_writing_add(&t, "  This key is reserved for a later version of scree and is not accepted now.\n");
		return scree_writing_take(&t);
	}
	scree_writing_add(&t, "  value    ");
	scree_write_kind(&t, k);
	writing standard = {0};
	scree_write_default(&standard, k);
	if (standard.length) scree_writing_add(&t, k->required ? "\n  %s" : "\n  default  %s", standard.bytes);
	scree_free(scree_writing_take(&standard));
	scree_writing_add(&t, "\n");
	if (k->of) write_section_keys(&t, k->of);
	return scree_writing_take(&t);
}

enum { PATHS = 4 };

static bool is_walked(const section_walk *w, const section *of)
{
	for (int k = 0; k < w->count; ++k)
		if (w->row[k].of == of) return true;
	return false;
}

/* Adds the sections below row k that have not been added yet. */
static void walk_below(section_walk *w, int k)
{
	const section *s = w->row[k].of;
	for (int32_t i = 0; i < s->rows; ++i) {
		const key *o = s->row + i;
		if (!o->of || o->kind == KEY_CHANGES || is_walked(w, o->of)) continue;
		char path[sizeof w->row->path];
		snprintf(path, sizeof path, "%.200s%s%.50s", w->row[k].path, *w->row[k].path ? "." : "", o->name);
		w->row = scree_grow(w->row, (size_t)w->count, (size_t)w->count + 1, sizeof *w->row);
		w->row[w->count].of = o->of;
		memcpy(w->row[w->count++].path, path, sizeof path);
	}
}

section_walk scree_sections(void)
{
	section_walk w = {.row = scree_grow(NULL, 0, 1, sizeof *w.row), .count = 1};
	w.row[0].of = &scree_scene_section;
	w.row[0].path[0] = 0;
	for (int k = 0; k < w.count; ++k) walk_below(&w, k);
	return w;
}

char *scree_scene_keys_named(const char *name)
{
	writing paths = {0};
	section_walk w = scree_sections();
	int found = 0;
	for (int k = 0; k < w.count && found < PATHS; ++k)
		for (int32_t i = 0; i < w.row[k].of->rows && found < PATHS; ++i) {
			const key *o = w.row[k].of->row + i;
			const char *path = w.row[k].path;
			if (strcmp(o->name, name) != 0 || o->kind == KEY_LATER) continue;
			scree_writing_add(&paths, "%s%s%s%s", found++ ? ", " : "", path, *path ? "." : "", name);
		}
	scree_free(w.row);
	return found ? scree_writing_take(&paths) : NULL;
}

key_names scree_scene_all_keys(void)
{
	key_names all = {0};
	section_walk w = scree_sections();
	for (int k = 0; k < w.count; ++k)
		for (int32_t i = 0; i < w.row[k].of->rows; ++i) {
			if (w.row[k].of->row[i].kind == KEY_LATER) continue;
			all.name = scree_grow(all.name, (size_t)all.count, (size_t)all.count + 1, sizeof *all.name);
			all.name[all.count++] = w.row[k].of->row[i].name;
		}
	scree_free(w.row);
	return all;
}

/* suggests the most similar key of the section with this path, or keys of the same name in other sections */
static void fail_missing(const char *name, const char *path, int length, const section *at, fail *why)
{
	const char *near = at ? scree_nearest(name, scree_key_names, at) : NULL;
	char *paths = near ? NULL : scree_scene_keys_named(name);
	if (paths) near = paths;
	scree_fail(why, FAIL_INPUT, "there is no key '%s'%s%.*s%s%s%s%s", name, length ? " in '" : "", length, path,
			   length ? "'" : "", near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
	scree_free(paths);
}

/* The path may contain names and positions in lists, or omit them: walls.shell.motion, walls.motion, fill.0.mix. */
char *scree_scene_explain(const char *dotted, fail *why)
{
	const section *at = &scree_scene_section;
	const key *k = NULL;
	bool skipped = false; /* the name or number of an entry was omitted or skipped, at most once per list or mapping */
	char name[64];
	if (!*dotted || !strcmp(dotted, "scene")) {
		writing t = {0};
		scree_writing_add(&t, "A scene file describes a simulation.\n");
		write_section_keys(&t, at);
		return scree_writing_take(&t);
	}
	for (const char *p = dotted; *p;) {
		const int before = p > dotted ? (int)(p - dotted) - 1 : 0;
		size_t length = strcspn(p, ".");
		if (length >= sizeof name) length = sizeof name - 1;
		memcpy(name, p, length);
		name[length] = 0;
		p += strcspn(p, ".");
		if (*p) ++p;
		const key *next = scree_key(at, name);
		bool changes = k && k->kind == KEY_CHANGES;
		bool entry = k && (k->kind == KEY_NAMED || k->kind == KEY_LIST || changes) && k->of == at;
		if (!next && entry && !skipped) {
			skipped = true;
			at = k->of; /* skips the name or the number of an entry */
			if (*p || k->kind == KEY_NAMED || changes || (*name >= '0' && *name <= '9')) continue;
		}
		if (!next) {
			fail_missing(name, dotted, before, at, why);
			return NULL;
		}
		k = next;
		at = k->of;
		skipped = false;
	}
	return explain_key(dotted, k);
}

static void write_groups(writing *t, const section *s)
{
	int32_t parts = 0;
	for (int32_t group = 1; group <= 3; ++group) {
		const key *in[16];
		const int32_t n = keys_of(s, group, in);
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

/* adds the range to the help, since a schema cannot check the range of a quantity written as text */
static void quote_help(writing *t, const key *k)
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
		quote_help(t, k);
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

/* a list of rows, each with one value per column */
static void columns_schema(writing *t, const section *s)
{
	int32_t count = 0;
	scree_writing_add(t, "{\"type\":\"array\",\"minItems\":1,\"items\":{\"type\":\"array\",\"prefixItems\":[");
	for (; s->columns[count]; ++count) {
		if (count) scree_writing_add(t, ",");
		real_item(t, scree_key(s, s->columns[count]));
	}
	scree_writing_add(t, "],\"minItems\":%d,\"maxItems\":%d}}", count, count);
}

static void section_schema(writing *t, const section *s)
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
		columns_schema(t, s);
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
		section_schema(&t, all.row[k].of);
	}
	scree_free(all.row);
	scree_writing_add(&t, "}}\n");
	return scree_writing_take(&t);
}
