/* reader_set: applies --set NAME=VALUE. NAME is a name of let or a dotted key (run.until, fill.0.count); VALUE is as in
 * a scene. The tree is changed before loading, so that all checks apply, and messages show the text of --set. */
#include "scene/reader.h"

static const char *names(const void *what, int i)
{
	const reader *r = what;
	int32_t count = r->before->count;
	return i < count ? scree_let_names(r->before, i) : scree_key_names(&scree_scene_section, i - count);
}

/* The child with this name or number. A missing child of a mapping is added. NULL: reported. */
static node *child(reader *r, node *parent, const char *segment, place at)
{
	if (parent->type == NODE_MAP) {
		node *found = (node *)scree_node_child(parent, segment);
		if (!found) scree_node_append(parent, found = scree_node_new(&r->memory, NODE_MAP, segment, at));
		return found;
	}
	if (parent->type == NODE_LIST) {
		char *end;
		long i = strtol(segment, &end, 10);
		if (end == segment || *end || i < 0 || i >= parent->count)
			return scree_null(scree_report(&r->r, at, NULL,
										   "'%.60s' is not the number of an entry: the list has %d, counted from 0",
										   segment, parent->count));
		return (node *)scree_node_item(parent, (int32_t)i);
	}
	return scree_null(
		scree_report(&r->r, at, NULL, "'%.60s': the part before it is a value, not a mapping or a list", segment));
}

/* replaces the value of a node, but keeps its key and its position among its siblings */
static void assign(node *to, const node *value)
{
	node fresh = *value;
	fresh.key = to->key;
	fresh.key_at = to->key_at;
	scree_node_become(to, &fresh);
}

/* Reports a first word that is neither a name of let nor a key of the scene, and suggests valid words. */
static void report_unknown(reader *r, const char *first, place at)
{
	writing all = {0};
	if (!r->before->count) scree_writing_add(&all, "names of let: none");
	scree_writing_words(&all, "names of let: ", scree_let_names, r->before);
	scree_writing_words(&all, "; keys: ", scree_key_names, &scree_scene_section);
	scree_report(&r->r, at, scree_report_keep(&r->r, &all), "'%.60s' is neither a name of let nor a key%s", first,
				 scree_meant(&r->r, first, names, r));
}

/* Tests whether the path leads into a material, shape or wall that does not exist, and would lack its other keys. */
static bool is_part_of_nothing(reader *r, const char *first, const node *parent, const char *segment, place at)
{
	static const char *const named[] = {"materials", "shapes", "walls"};
	bool is_named = false;
	for (int i = 0; i < 3; ++i) is_named |= !strcmp(first, named[i]);
	if (!is_named || scree_node_child(parent, segment)) return false;
	scree_report(&r->r, at, NULL, "there is no '%.60s' under %s%s", segment, first,
				 scree_meant(&r->r, segment, scree_node_keys, parent));
	return true;
}

/* Returns the node of a path; replaces the dots in the path with zero bytes. NULL: reported. */
static node *find(reader *r, char *path, place at)
{
	node *to = r->root;
	const char *first = path;
	int depth = 0;
	for (char *segment = path, *dot; segment && to; segment = dot ? dot + 1 : NULL, ++depth) {
		dot = strchr(segment, '.');
		if (dot) *dot = 0;
		at.column = (int32_t)(segment - path) + 1;
		at.width = (int32_t)strlen(segment);
		if (depth == 1 && dot && is_part_of_nothing(r, first, to, segment, at)) return NULL;
		to = child(r, to, segment, at);
	}
	return to;
}

static void set_one(reader *r, const char *set)
{
	size_t length = strlen(set);
	int32_t number = scree_report_source(&r->r, "--set", "", set, length);
	place at = {number, 1, 1, (int32_t)strcspn(set, "=")};
	const char *equals = strchr(set, '=');
	if (number < 0) {
		scree_report(&r->r, (place){0, 1, 1, 1}, NULL, "too many --set");
		return;
	}
	r->r.source[number].set = true;
	if (!equals || equals == set) {
		scree_report(&r->r, at, "write --set NAME=VALUE", "'%.60s' has no name or no value", set);
		return;
	}
	node *value = scree_tree_parse(&r->r, number, equals + 1, strlen(equals + 1), (int32_t)(equals + 1 - set));
	if (!value) {
		if (!equals[1]) scree_report(&r->r, at, "write --set NAME=VALUE", "'%.60s' has no value", set);
		return;
	}
	char *path = scree_arena_text(&r->memory, set, (size_t)(equals - set));
	size_t width = strcspn(path, ".");
	char *first = scree_arena_text(&r->memory, path, width);
	node *let = (node *)scree_node_child(scree_node_child(r->root, "let"), first);
	at.width = (int32_t)width;
	node *to = NULL;
	if (let && !path[width])
		to = let;
	else if (scree_key(&scree_scene_section, first))
		to = find(r, path, at);
	else if (let)
		scree_report(&r->r, at, NULL, "'%.60s' is a name of let: it has a value and no keys", first);
	else
		report_unknown(r, first, at);
	if (to) assign(to, value);
}

/* In a resumed run, as in a stage, a different response drops run.step, which applied to the previous response. */
static void begin_response(reader *r, int sets, const char *const *set)
{
	static const char name[] = "run.response=";
	node *run = (node *)scree_node_child(r->root, "run");
	const node *is = scree_node_child(run, "response");
	bool other = false;
	for (int i = 0; i < sets; ++i)
		other |= !strncmp(set[i], name, sizeof name - 1) && (!is || strcmp(set[i] + sizeof name - 1, is->text) != 0);
	if (r->plan_only && other && run && run->type == NODE_MAP) scree_node_drop(run, "step");
}

void scree_reader_sets(reader *r, int sets, const char *const *set)
{
	if (!sets) return;
	begin_response(r, sets, set);
	r->before = scree_arena_take(&r->memory, sizeof *r->before);
	int32_t count = r->r.count, total = r->r.total;
	scree_lets_open(r->before, &r->r, scree_node_child(r->root, "let"));
	r->r.count = count; /* drops errors about names, which will be reported with the other errors */
	r->r.total = total;
	scree_lets_try(r->before);
	for (int32_t i = 0; i < r->before->count; ++i) /* copies names, since --set will overwrite their values */
		r->before->row[i].value = scree_node_copy(&r->memory, r->before->row[i].value);
	for (int i = 0; i < sets; ++i) set_one(r, set[i]);
}

/* removes the keys of a scene or stage that apply only to its own response */
static void drop_own(node *scene)
{
	static const char *const own[] = {"step", "correction", "friction_directions"};
	node *run = (node *)scree_node_child(scene, "run");
	for (size_t k = 0; run && run->type == NODE_MAP && k < sizeof own / sizeof *own; ++k) scree_node_drop(run, own[k]);
	if (scene->type == NODE_MAP) scree_node_drop(scene, "output");
}

void scree_reader_response(reader *r, const char *response)
{
	const node *stages = scree_node_child(r->root, "stages");
	node *run = (node *)scree_node_child(r->root, "run");
	if (!run || run->type != NODE_MAP) return; /* reported when the scene is loaded */
	const node *is = scree_node_child(run, "response");
	if (!strcmp(response, is && is->type == NODE_SCALAR ? is->text : "forces")) return;
	set_one(r, scree_arena_print(&r->memory, "run.response=%s", response));
	drop_own(r->root);
	for (node *n = stages && stages->type == NODE_LIST ? stages->first : NULL; n; n = n->next) drop_own(n);
}
