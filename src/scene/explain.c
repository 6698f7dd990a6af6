/* explain: one key of a scene, from the table of keys (`scree explain fill.mix.size`). */
#include "scene/reader.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

static const char *const kind_names[] = {
	[KEY_REAL] = "number",
	[KEY_COUNT] = "whole number",
	[KEY_FLAG] = "true or false",
	[KEY_TEXT] = "text",
	[KEY_WORD] = "word",
	[KEY_WORDS] = "list of words",
	[KEY_VECTOR] = "[x, y, z]",
	[KEY_EVEN] = "one number or [x, y, z]",
	[KEY_PAIR] = "[low, high]",
	[KEY_BOTH] = "one number or a list of two",
	[KEY_RANGE] = "[low, high]",
	[KEY_COUNTS] = "[i, j, k]",
	[KEY_PIXELS] = "[width, height]",
	[KEY_REALS] = "list of numbers",
	[KEY_POINTS] = "list of [x, y, z]",
	[KEY_DIRECTION] = "x, y, z or [x, y, z]",
	[KEY_SPACE] = "[x, y, z]",
	[KEY_SPIN] = "[x, y, z]",
	[KEY_ORIENTATION] = "aligned, random or [w, x, y, z]",
	[KEY_FILE] = "file",
	[KEY_MATERIAL] = "name of a material",
	[KEY_MATERIALS] = "list of names of materials",
	[KEY_SHAPE] = "name of a shape",
	[KEY_SECTION] = "mapping",
	[KEY_LIST] = "list of mappings",
	[KEY_NAMED] = "mapping by names",
	[KEY_CHANGES] = "the keys of it that change",
	[KEY_LETS] = "names and values",
	[KEY_INCLUDE] = "file or list of files",
	[KEY_LATER] = "",
};

static void write_words(writing *t, const key *k)
{
	if (k->words) scree_writing_words(t, "", k->words, NULL);
}

/* writes the form of a value, in one phrase */
void scree_write_kind(writing *t, const key *k)
{
	if (k->kind == KEY_WORD) {
		write_words(t, k);
	} else if (k->kind == KEY_WORDS) {
		scree_writing_add(t, "list of: ");
		write_words(t, k);
	} else {
		scree_writing_add(t, "%s", kind_names[k->kind]);
	}
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
		int32_t count = 0;
		for (int32_t i = 0; i < s->rows; ++i) count += s->row[i].group == group && s->row[i].kind != KEY_LATER;
		if (!count) continue;
		scree_writing_add(t, s->needs >> group & 1 ? "Exactly one of these must be given:"
												   : "At most one of these can be given:");
		for (int32_t i = 0, n = 0; i < s->rows; ++i)
			if (s->row[i].group == group && s->row[i].kind != KEY_LATER)
				scree_writing_add(t, "%s %s", n++ ? "," : "", s->row[i].name);
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
		scree_writing_add(&t, "  This key is reserved for a later version of scree and is refused.\n");
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

/* Adds the sections of the keys of row k, unless they were met before. */
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

/* a missing key: names the most similar key of the section, or keys of this name in other sections. path: of the
 * section, of this length */
static void fail_missing(const char *name, const char *path, int length, const section *at, fail *why)
{
	const char *near = at ? scree_nearest(name, scree_key_names, at) : NULL;
	char *paths = near ? NULL : scree_scene_keys_named(name);
	if (paths) near = paths;
	scree_fail(why, FAIL_INPUT, "there is no key '%s'%s%.*s%s%s%s%s", name, length ? " in '" : "", length, path,
			   length ? "'" : "", near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
	scree_free(paths);
}

/* The path may contain names of materials and walls and numbers of lists, or omit them: walls.shell.motion,
 * walls.motion, fill.0.mix. */
char *scree_scene_explain(const char *dotted, fail *why)
{
	const section *at = &scree_scene_section;
	const key *k = NULL;
	bool skipped = false; /* the name of an entry, once per list or mapping by names */
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
