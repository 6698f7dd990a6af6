/* reader_tree: reads a scene file and its includes into one tree. Paths are relative to the file that names them. Once
 * links are followed, a path must lead to a file inside the scene's folder, so that an untrusted scene cannot read the
 * rest of the disk. Sections of names (let, materials, contacts, shapes, walls) and of keys (world, run, output)
 * receive the entries of both files; those of the including file take precedence. Lists (fill, sources, sinks) are
 * joined. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "scene/reader.h"

#include <errno.h>
#include <limits.h>

#include "base/input.h"

/* Tests whether path is inside the scene's folder after following links. */
static bool inside(const reader *r, const char *path, fail *why)
{
	char folder[PATH_MAX], file[PATH_MAX];
	if (!realpath(path, file) || !realpath(*r->folder ? r->folder : ".", folder))
		return scree_fail(why, FAIL_IO, "%s", strerror(errno));
	size_t length = strlen(folder);
	return (!strncmp(file, folder, length) && (length == 1 || file[length] == '/')) ||
		   scree_fail(why, FAIL_INPUT, "it lies outside the scene's folder");
}

/* tests whether a path, as text, leads out of the folder where it starts */
static bool climbs_out(const char *path)
{
	int depth = 0;
	for (const char *p = path; *p;) {
		size_t length = strcspn(p, "/");
		if (length == 2 && !memcmp(p, "..", 2))
			--depth;
		else if (length && !(length == 1 && *p == '.'))
			++depth;
		if (depth < 0) return true;
		p += length + (p[length] == '/');
	}
	return false;
}

const char *scree_reader_path(reader *r, const node *n, const char *what)
{
	if (n->type != NODE_SCALAR || scree_node_empty(n) || !*n->text)
		return scree_null(REFUSE(r, n, NULL, "%s: the name of a file was expected", what));
	if (n->text[0] == '/')
		return scree_null(
			REFUSE(r, n, "give a path relative to this file", "%s: '%.200s' is an absolute path", what, n->text));
	for (const char *p = n->text; *p; ++p)
		if ((unsigned char)*p < ' ')
			return scree_null(REFUSE(r, n, NULL, "%s: the name of a file contains a control character", what));
	const char *folder = r->r.source[n->at.source].folder;
	const char *kept = scree_arena_print(&r->memory, "%s%s", folder ? folder : "", n->text);
	if (climbs_out(kept))
		return scree_null(REFUSE(r, n, "keep it inside the folder of the scene",
								 "%s: '%.200s' lies outside the scene's folder", what, n->text));
	if (strlen(kept) > 1000) return scree_null(REFUSE(r, n, NULL, "%s: the path is longer than 1000 characters", what));
	return kept;
}

static const char *refuse(reader *r, const node *at, const char *path, const char *why)
{
	return scree_null(REFUSE(r, at, NULL, "cannot read '%.300s': %s", path, why));
}

const char *scree_reader_file(reader *r, const node *at, const char *path, size_t most, size_t *length)
{
	if (r->sealed) return refuse(r, at, path, "this scene may not read files");
	const char *full = scree_arena_print(&r->memory, "%s%s", r->folder, path);
	fail why;
	char *bytes = NULL;
	if (!inside(r, full, &why) || !scree_read_whole(full, most, &bytes, length, &why))
		return refuse(r, at, path, why.text);
	const char *kept = scree_arena_text(&r->memory, bytes, *length);
	scree_free(bytes);
	return kept;
}

/* Merges the entries of `over` into `base`, in the order of `base`. Both are sections of the same kind. */
static void join_entries(node *base, node *over)
{
	for (node *c = over->first, *next; c; c = next) {
		next = c->next;
		node *old = base->type == NODE_MAP ? (node *)scree_node_child(base, c->key) : NULL;
		if (old)
			scree_node_become(old, c);
		else
			scree_node_append(base, c);
	}
	base->at = over->at;
	base->key_at = over->key_at;
}

static void join_roots(node *base, node *over)
{
	for (node *c = over->first, *next; c; c = next) {
		next = c->next;
		node *old = (node *)scree_node_child(base, c->key);
		if (!old)
			scree_node_append(base, c);
		else if (old->type == c->type && c->type != NODE_SCALAR)
			join_entries(old, c);
		else
			scree_node_become(old, c);
	}
	base->at = over->at;
}

/* the folder of a path, with a trailing '/' */
static const char *folder_of(reader *r, const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? scree_arena_text(&r->memory, path, (size_t)(slash + 1 - path)) : "";
}

typedef struct open_file {
	const char *path;
	const struct open_file *by;
} open_file;

static node *with_includes(reader *r, node *root, const open_file *by, int depth);

static node *included(reader *r, const node *n, const open_file *by, int depth)
{
	const char *path = scree_reader_path(r, n, "include");
	if (!path) return NULL;
	for (const open_file *o = by; o; o = o->by)
		if (!strcmp(o->path, path))
			return scree_null(REFUSE(
				r, n, NULL, "include: '%.200s' is being read already: the files include each other in a cycle", path));
	if (depth == INCLUDE_DEPTH)
		return scree_null(REFUSE(r, n, NULL, "include: more than %d files within files", INCLUDE_DEPTH));
	size_t length;
	const char *bytes = scree_reader_file(r, n, path, TREE_BYTES, &length);
	if (!bytes) return NULL;
	const char *shown = scree_arena_print(&r->memory, "%s%s", r->folder, path);
	int32_t number = scree_report_source(&r->r, shown, folder_of(r, path), bytes, length);
	if (number < 0) return scree_null(REFUSE(r, n, NULL, "include: more than %d files in one scene", SOURCES_MOST));
	node *root = scree_tree_parse(&r->r, number, bytes, length, 0);
	if (!root) return NULL;
	if (root->type != NODE_MAP)
		return scree_null(REFUSE(r, root, NULL, "a scene is a mapping of sections (materials:, walls:, ..)"));
	open_file here = {path, by};
	return with_includes(r, root, &here, depth + 1);
}

static node *with_includes(reader *r, node *root, const open_file *by, int depth)
{
	const node *list = scree_node_child(root, "include");
	if (!list) return root;
	node *base = NULL;
	if (list->type == NODE_MAP) REFUSE(r, list, NULL, "include: a list of files was expected, not a mapping");
	for (const node *n = list->type == NODE_SCALAR ? list : list->first; n && list->type != NODE_MAP;
		 n = list->type == NODE_SCALAR ? NULL : n->next) {
		node *other = included(r, n, by, depth);
		if (!other) r->broken = true;
		if (!other) continue;
		if (base)
			join_roots(base, other);
		else
			base = other;
	}
	/* removes the key `include`, whose files are now in the tree */
	while (scree_node_child(root, "include")) scree_node_drop(root, "include");
	if (!base) return root;
	join_roots(base, root);
	return base;
}

bool scree_reader_tree(reader *r, const char *name, const char *bytes, size_t length)
{
	r->r.memory = &r->memory;
	int32_t number = scree_report_source(&r->r, name, "", bytes, length);
	r->defaults = scree_report_source(&r->r, "default values", "", "", 0);
	node *root = scree_tree_parse(&r->r, number, bytes, length, 0);
	if (!root) {
		if (!r->r.total)
			scree_report(&r->r, (place){number, 1, 1, 1}, "a scene begins with 'scene: 1'", "the scene is empty");
		return false;
	}
	if (root->type != NODE_MAP)
		return REFUSE(r, root, "a scene begins with 'scene: 1'",
					  "a scene is a mapping of sections (materials:, walls:, ..)");
	open_file here = {strrchr(name, '/') ? strrchr(name, '/') + 1 : name, NULL};
	r->root = with_includes(r, root, &here, 0);
	return !r->broken;
}
