/* scene: from a file to a world: tree, --set, loading, checks, building (each in its file), and release of memory. */
#include <locale.h>
#include <string.h>

#include "base/input.h"
#include "base/memory.h"
#include "scene/reader.h"

typedef struct reading {
	reader *r;
	const char *name, *bytes;
	size_t length;
	int sets;
	const char *const *set;
	scene *out;
	char **report_text;
} reading;

/* reads and checks; builds a world unless only the plan is wanted */
static void read_all(const reading *o)
{
	reader *r = o->r;
	if (!scree_reader_tree(r, o->name, o->bytes, o->length)) return;
	scree_reader_sets(r, o->sets, o->set);
	scree_reader_load(r);
	scree_reader_check(r);
	if (!r->r.total && !r->plan_only) scree_reader_build(r);
	if (r->r.total) return;
	scree_build_plan(r, o->out);
	o->out->path = scree_copy_text(o->name);
	o->out->title = scree_copy_text(r->spec.title);
	o->out->resolved = scree_resolved(r);
	o->out->notes = scree_writing_take(&r->notes);
	o->out->world = r->world;
	r->world = NULL;
}

static void read_and_report(void *what)
{
	const reading *o = what;
	read_all(o);
	if (o->r->r.total) *o->report_text = scree_report_text(&o->r->r);
}

/* Reads in the C locale, so that decimal signs are points, and restores the locale afterwards, also after a failure. */
static void read_in_plain_language(reading *o)
{
	locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
	locale_t before = plain ? uselocale(plain) : (locale_t)0;
	fail why;
	bool whole = scree_attempt(read_and_report, o, &why);
	if (plain) {
		uselocale(before);
		freelocale(plain);
	}
	if (!whole) scree_break_again(&why);
}

static bool read_scene(reader *r, const char *name, const char *bytes, size_t length, int sets, const char *const *set,
					   scene *out, char **report_text)
{
	const char *slash = strrchr(name, '/');
	reading o = {r, name, bytes, length, sets, set, out, report_text};
	memset(out, 0, sizeof *out);
	*report_text = NULL;
	r->r.memory = &r->memory;
	r->folder = slash ? scree_arena_text(&r->memory, name, (size_t)(slash + 1 - name)) : "";
	read_in_plain_language(&o);
	bool ok = !r->r.total;
	scree_world_free(r->world);
	scree_build_imports_free(r);
	scree_free(scree_writing_take(&r->notes));
	scree_arena_free(&r->memory);
	scree_free(r);
	return ok;
}

static bool parse(const char *name, const char *bytes, size_t length, int sets, const char *const *set, bool sealed,
				  bool repairs, scene *out, char **report_text)
{
	reader *r = scree_alloc(1, sizeof *r);
	r->sealed = sealed;
	r->repairs = repairs;
	return read_scene(r, name, bytes, length, sets, set, out, report_text);
}

bool scree_scene_parse(const char *name, const char *bytes, size_t length, int sets, const char *const *set,
					   bool sealed, scene *out, char **report_text)
{
	return parse(name, bytes, length, sets, set, sealed, false, out, report_text);
}

bool scree_scene_plan(const char *name, const char *bytes, size_t length, int sets, const char *const *set, scene *out,
					  char **report_text)
{
	reader *r = scree_alloc(1, sizeof *r);
	r->sealed = r->plan_only = true;
	return read_scene(r, name, bytes, length, sets, set, out, report_text);
}

static bool load(const char *path, int sets, const char *const *set, bool repairs, scene *out, char **report_text)
{
	char *bytes;
	size_t length;
	fail why;
	if (!scree_read_whole(path, TREE_BYTES, &bytes, &length, &why)) {
		writing said = {0};
		memset(out, 0, sizeof *out);
		scree_writing_shown(&said, path);
		scree_writing_add(&said, ": error: the scene cannot be read: %s\n", why.text);
		*report_text = scree_writing_take(&said);
		return false;
	}
	bool ok = parse(path, bytes, length, sets, set, false, repairs, out, report_text);
	scree_free(bytes);
	return ok;
}

bool scree_scene_load(const char *path, int sets, const char *const *set, scene *out, char **report_text)
{
	return load(path, sets, set, false, out, report_text);
}

bool scree_scene_repair(const char *path, int sets, const char *const *set, scene *out, char **report_text)
{
	return load(path, sets, set, true, out, report_text);
}

void scree_scene_free(scene *s)
{
	scree_free(s->path);
	scree_free(s->title);
	scree_free(s->resolved);
	scree_free(s->notes);
	scree_world_free(s->world);
	memset(s, 0, sizeof *s);
}
