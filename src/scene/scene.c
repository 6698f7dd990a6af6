/* scene: from a file to a world: tree, --set, loading, checks, building (each in its file), and what is left behind. */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "scene/reader.h"

/* reads and checks; builds a world unless only the plan is wanted */
static void read_all(reader *r, const char *name, const char *bytes, size_t length, int sets, const char *const *set,
					 scene *out)
{
	if (!scree_reader_tree(r, name, bytes, length)) return;
	for (int i = 0; i < sets; ++i) scree_reader_set(r, set[i]);
	scree_reader_load(r);
	scree_reader_check(r);
	if (!r->r.total && !r->plan_only) scree_reader_build(r);
	if (r->r.total) return;
	scree_build_plan(r, out);
	out->path = scree_copy_text(name);
	out->title = scree_copy_text(r->spec.title);
	out->resolved = scree_resolved(r);
	out->world = r->world;
	r->world = NULL;
}

static bool read_scene(reader *r, const char *name, const char *bytes, size_t length, int sets, const char *const *set,
					   scene *out, char **report_text)
{
	const char *slash = strrchr(name, '/');
	memset(out, 0, sizeof *out);
	*report_text = NULL;
	r->r.memory = &r->memory;
	r->folder = slash ? scree_arena_text(&r->memory, name, (size_t)(slash + 1 - name)) : "";
	/* numbers have points, whatever language the program speaks */
	locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
	locale_t before = plain ? uselocale(plain) : (locale_t)0;
	read_all(r, name, bytes, length, sets, set, out);
	bool ok = !r->r.total;
	if (!ok) *report_text = scree_report_text(&r->r);
	if (plain) {
		uselocale(before);
		freelocale(plain);
	}
	scree_world_free(r->world);
	scree_arena_free(&r->memory);
	scree_free(r);
	return ok;
}

bool scree_scene_parse(const char *name, const char *bytes, size_t length, int sets, const char *const *set,
					   bool sealed, scene *out, char **report_text)
{
	reader *r = scree_alloc(1, sizeof *r);
	r->sealed = sealed;
	return read_scene(r, name, bytes, length, sets, set, out, report_text);
}

bool scree_scene_plan(const char *name, const char *bytes, size_t length, int sets, const char *const *set, scene *out,
					  char **report_text)
{
	reader *r = scree_alloc(1, sizeof *r);
	r->sealed = r->plan_only = true;
	return read_scene(r, name, bytes, length, sets, set, out, report_text);
}

bool scree_scene_load(const char *path, int sets, const char *const *set, scene *out, char **report_text)
{
	writing bytes = {0}, why = {0};
	char piece[4096];
	FILE *file = fopen(path, "rb");
	size_t got;
	memset(out, 0, sizeof *out);
	while (file && (got = fread(piece, 1, sizeof piece, file)) > 0 && bytes.length <= TREE_BYTES)
		scree_writing_bytes(&bytes, piece, got);
	bool bad = !file || ferror(file);
	if (file) fclose(file);
	if (bad) {
		scree_writing_add(&why, "%s: error: the scene cannot be read%s\n", path,
						  file ? "" : ": there is no such file, or it may not be opened");
		*report_text = scree_writing_take(&why);
		scree_free(scree_writing_take(&bytes));
		return false;
	}
	size_t length = bytes.length;
	char *kept = scree_writing_take(&bytes);
	bool ok = scree_scene_parse(path, kept, length, sets, set, false, out, report_text);
	scree_free(kept);
	return ok;
}

void scree_scene_free(scene *s)
{
	scree_free(s->path);
	scree_free(s->title);
	scree_free(s->resolved);
	scree_world_free(s->world);
	memset(s, 0, sizeof *s);
}
