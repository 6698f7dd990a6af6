/* reader_set: --set NAME=VALUE. NAME is a name of let or a dotted key (run.until, fill.0.count); VALUE is what would
 * stand in the scene. The tree is changed before it is read, so that all checks apply, and messages show the text of
 * --set. */
#include "scene/reader.h"

#include <stdlib.h>
#include <string.h>

static const char *names(const void *what, int i)
{
	const reader *r = what;
	const node *let = scree_node_child(r->root, "let");
	int32_t count = let ? let->count : 0;
	return i < count ? scree_node_keys(let, i) : scree_key_names(&scree_scene_section, i - count);
}

static node *fresh_child(reader *r, node *parent, const char *word, place at)
{
	node *n = scree_arena_take(&r->memory, sizeof *n);
	n->type = NODE_MAP;
	n->at = n->key_at = at;
	n->key = word;
	if (parent->last)
		parent->last->next = n;
	else
		parent->first = n;
	parent->last = n;
	++parent->count;
	return n;
}

/* The child of that name or number; a mapping gets a new one. NULL: reported. */
static node *child(reader *r, node *parent, const char *segment, place at)
{
	if (parent->type == NODE_MAP) {
		node *found = (node *)scree_node_child(parent, segment);
		return found ? found : fresh_child(r, parent, segment, at);
	}
	if (parent->type == NODE_LIST) {
		char *end;
		long i = strtol(segment, &end, 10);
		if (end == segment || *end || i < 0 || i >= parent->count) {
			scree_report(&r->r, at, NULL, "'%.60s' is not the number of an entry: the list has %d, counted from 0",
						 segment, parent->count);
			return NULL;
		}
		return (node *)scree_node_item(parent, (int32_t)i);
	}
	scree_report(&r->r, at, NULL, "'%.60s': what stands before it is a value, not a mapping or a list", segment);
	return NULL;
}

/* what stands at the place gets the value, but keeps its key and its neighbours */
static void assign(node *to, const node *value)
{
	node kept = *to;
	*to = *value;
	to->key = kept.key;
	to->key_at = kept.key_at;
	to->next = kept.next;
}

void scree_reader_set(reader *r, const char *set)
{
	size_t length = strlen(set);
	int32_t number = scree_report_source(&r->r, "--set", "", set, length);
	place at = {number, 1, 1, (int32_t)strcspn(set, "=")};
	const char *equals = strchr(set, '=');
	if (number < 0) {
		scree_report(&r->r, (place){0, 1, 1, 1}, NULL, "too many --set");
		return;
	}
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
	node *let = (node *)scree_node_child(r->root, "let"), *to = r->root;
	char *dot = strchr(path, '.');
	if (!dot && let && let->type == NODE_MAP && scree_node_child(let, path)) {
		assign((node *)scree_node_child(let, path), value);
		return;
	}
	char *first = scree_arena_text(&r->memory, path, dot ? (size_t)(dot - path) : strlen(path));
	bool known = false;
	for (int32_t i = 0; i < scree_scene_section.rows; ++i) known |= !strcmp(scree_scene_section.row[i].name, first);
	if (!known) {
		const char *near = scree_nearest(first, names, r);
		scree_report(&r->r, at, NULL, "'%.60s' is neither a name of let nor a key%s%s%s", first,
					 near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
		return;
	}
	for (char *segment = path; segment && to;) {
		dot = strchr(segment, '.');
		if (dot) *dot = 0;
		at.column = (int32_t)(segment - path) + 1;
		at.width = (int32_t)strlen(segment);
		to = child(r, to, segment, at);
		segment = dot ? dot + 1 : NULL;
	}
	if (to) assign(to, value);
}
