/* The part of docs/scene.md generated from the table of keys. */
#include "reference.h"

#include "base/memory.h"
#include "scene/reader.h"

/* '|' would end a cell of a Markdown table */
static void write_cell(writing *t, const char *words)
{
	for (const char *p = words; *p; ++p) scree_writing_add(t, *p == '|' ? "\\%c" : "%c", *p);
}

static void write_row(writing *t, const key *k)
{
	writing cell = {0};
	scree_writing_add(t, "| `%s` | ", k->name);
	scree_write_kind(&cell, k);
	write_cell(t, cell.bytes);
	scree_writing_add(t, " | ");
	cell.length = 0;
	scree_writing_add(&cell, "%s", "");
	scree_write_default(&cell, k);
	write_cell(t, cell.bytes);
	scree_writing_add(t, " | ");
	cell.length = 0;
	scree_write_help(&cell, k);
	write_cell(t, cell.bytes);
	if (k->of) scree_writing_add(t, " ([%s](#%s))", k->of->name, k->of->name);
	scree_writing_add(t, " |\n");
	scree_free(scree_writing_take(&cell));
}

enum { SECTIONS_MOST = 80 };
typedef struct section_list {
	int32_t count;
	const section *row[SECTIONS_MOST];
} section_list;

static void collect(section_list *l, const section *s)
{
	for (int32_t i = 0; i < l->count; ++i)
		if (l->row[i] == s) return;
	SCREE_ASSERT(l->count < SECTIONS_MOST);
	l->row[l->count++] = s;
	for (int32_t i = 0; i < s->rows; ++i)
		if (s->row[i].of) collect(l, s->row[i].of);
}

static void write_groups(writing *t, const section *s)
{
	for (int32_t group = 1; group <= 3; ++group) {
		int32_t count = 0;
		for (int32_t i = 0; i < s->rows; ++i) count += s->row[i].group == group && s->row[i].kind != KEY_LATER;
		if (!count) continue;
		scree_writing_add(t, s->needs >> group & 1 ? "Exactly one of" : "At most one of");
		for (int32_t i = 0, n = 0; i < s->rows; ++i)
			if (s->row[i].group == group && s->row[i].kind != KEY_LATER)
				scree_writing_add(t, "%s `%s`", n++ ? "," : "", s->row[i].name);
		scree_writing_add(t, ".\n\n");
	}
}

static void write_later(writing *t, const section *s)
{
	int32_t n = 0;
	for (int32_t i = 0; i < s->rows; ++i)
		if (s->row[i].kind == KEY_LATER)
			scree_writing_add(t, "%s`%s` (%s)",
							  n++ ? ", " : "Reserved for a later version, and refused: ", s->row[i].name,
							  s->row[i].help);
	if (n) scree_writing_add(t, ".\n\n");
}

char *scene_reference(void)
{
	section_list all = {0};
	writing t = {0};
	collect(&all, &scree_scene_section);
	for (int32_t i = 0; i < all.count; ++i) {
		const section *s = all.row[i];
		scree_writing_add(&t, "### %s\n\n%s", s->name, s->help);
		if (s->shorthand) scree_writing_add(&t, " A value instead of the mapping sets `%s`.", s->shorthand);
		if (s->columns) scree_writing_add(&t, " ");
		scree_write_columns(&t, s, "`");
		scree_writing_add(&t, "\n\n| key | value | default | meaning |\n|---|---|---|---|\n");
		for (int32_t k = 0; k < s->rows; ++k)
			if (s->row[k].kind != KEY_LATER) write_row(&t, &s->row[k]);
		scree_writing_add(&t, "\n");
		write_groups(&t, s);
		scree_write_changing(&t, s, "A [stage](#stage) can change", "`");
		bool changes = false;
		for (int32_t k = 0; k < s->rows; ++k) changes |= scree_may_change(s, s->row + k);
		if (changes) scree_writing_add(&t, "\n");
		write_later(&t, s);
	}
	scree_writing_add(&t, "### Units\n\n| unit | prefixes | meaning |\n|---|---|---|\n");
	for (int i = 0; i < scree_unit_count; ++i) {
		const unit_row *u = &scree_units[i];
		scree_writing_add(&t, "| `%s` |", u->name);
		for (const char *p = u->prefixes; *p; ++p) scree_writing_add(&t, " `%c%s`", *p, u->name);
		scree_writing_add(&t, " | %s |\n", u->help);
	}
	return scree_writing_take(&t);
}
