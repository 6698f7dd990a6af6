/* tree: parses a strict subset of YAML with libyaml's events: one document; no anchors, aliases, tags, merge keys, keys
 * over several lines or duplicate keys; at most TREE_DEPTH levels, TREE_NODES nodes and TREE_BYTES bytes. With events,
 * reading stops at the first event beyond a limit; libyaml's document interface would first build all of it (over a
 * minute for 200 000 opening brackets). Scalars remain text for the table of keys, so that `yes` does not silently
 * become true. */
#include "scene/value.h"

#include <yaml.h>

#include "base/memory.h"
#include "base/sort.h"

enum { KEY_MOST = 1000 }; /* libyaml's limit of 1,024 includes text before the end of the key */

typedef struct builder {
	report *r;
	yaml_parser_t parser;
	int32_t source, shift, nodes, depth;
	bool broken; /* reading cannot continue */
} builder;

static place place_of(const builder *b, yaml_mark_t from, yaml_mark_t to)
{
	place p = {b->source, (int32_t)from.line + 1, (int32_t)from.column + 1, 1};
	if (to.line == from.line && to.column > from.column) p.width = (int32_t)(to.column - from.column);
	if (p.line == 1) p.column += b->shift;
	return p;
}

static place event_place(const builder *b, const yaml_event_t *e) { return place_of(b, e->start_mark, e->end_mark); }

/* the byte at a mark, or NULL */
static const char *byte_at(const source_text *s, yaml_mark_t mark)
{
	const char *p = s->bytes + scree_byte_order_mark(s->bytes, s->length), *end = s->bytes + s->length;
	for (size_t line = 0; line < mark.line && p; ++line) {
		p = memchr(p, '\n', (size_t)(end - p));
		if (p) ++p;
	}
	for (size_t column = 0; p && p < end && column < mark.column; ++column)
		for (++p; p < end && !begins_character(*p);) ++p;
	return p && p < end ? p : NULL;
}

/* Returns the length of the word or quoted text that ends at the ':' at the mark, or 0 if there is none. libyaml
 * looks back 1,024 characters for the start of a key, and reports misleading errors for longer keys. */
static int64_t key_length(const source_text *s, yaml_mark_t mark)
{
	const char *p = byte_at(s, mark);
	int64_t count = 0;
	if (!p || *p != ':' || p == s->bytes) return 0;
	const char quote = p[-1] == '"' || p[-1] == '\'' ? p[-1] : 0;
	for (p -= quote ? 2 : 1; p >= s->bytes; --p) {
		if (*p == '\n' || (quote ? *p == quote : strchr(" \t{[,", *p) != NULL)) break;
		count += begins_character(*p);
	}
	return count;
}

/* libyaml reports a byte offset for invalid bytes, and marks for other errors */
static void report_syntax(builder *b)
{
	yaml_parser_t *p = &b->parser;
	place at = place_of(b, p->problem_mark, p->problem_mark);
	if (p->error == YAML_READER_ERROR) {
		const source_text *s = &b->r->source[b->source];
		at = (place){b->source, 1, 1, 1};
		size_t mark = scree_byte_order_mark(s->bytes, s->length);
		for (size_t i = mark; i < s->length && i < mark + p->problem_offset; ++i) {
			if (s->bytes[i] == '\n') {
				++at.line;
				at.column = 1;
			} else if (begins_character(s->bytes[i])) {
				++at.column;
			}
		}
		scree_report(b->r, at, "scenes are text in UTF-8", "%s", p->problem ? p->problem : "unreadable text");
	} else if (key_length(b->r->source + b->source, p->problem_mark) > KEY_MOST) {
		scree_report(b->r, at, "shorten it", "a key of more than %d characters", (int)KEY_MOST);
	} else {
		const char *context = p->context ? p->context : "";
		scree_report(b->r, at, NULL, "not well-formed YAML: %s%s%s", p->problem ? p->problem : "unreadable text",
					 *context ? " " : "", context);
	}
	b->broken = true;
}

static bool next_event(builder *b, yaml_event_t *e)
{
	if (b->broken) return false;
	if (yaml_parser_parse(&b->parser, e)) return true;
	report_syntax(b);
	return false;
}

static node *refuse(builder *b, place at, const char *cure, const char *what)
{
	scree_report(b->r, at, cure, "%s", what);
	b->broken = true;
	return NULL;
}

static void no_extras(builder *b, place at, const void *anchor, const void *tag)
{
	if (anchor)
		scree_report(b->r, at, "name the value under let: and write '= name'",
					 "anchors (&) are not part of the scene language");
	if (tag) scree_report(b->r, at, "remove it", "tags (!) are not part of the scene language");
}

static node *new_node(builder *b, node_type type, const yaml_event_t *e)
{
	if (++b->nodes > TREE_NODES)
		return refuse(b, event_place(b, e), "put bulk data into a table: from: FILE.csv",
					  "more than 1000000 values in one scene");
	node *n = scree_arena_take(b->r->memory, sizeof *n);
	n->type = type;
	n->at = event_place(b, e);
	if (type != NODE_SCALAR) n->at.width = 1;
	return n;
}

node *scree_node_new(arena *a, node_type type, const char *key, place at)
{
	node *n = scree_arena_take(a, sizeof *n);
	*n = (node){.type = type, .at = at, .key = key, .key_at = at};
	return n;
}

node *scree_node_copy(arena *a, const node *n)
{
	node *to = scree_arena_take(a, sizeof *to);
	*to = *n;
	return to;
}

node *scree_node_wrap(arena *a, const node *n, const char *key)
{
	node *map = scree_node_new(a, NODE_MAP, n->key, n->at), *only = scree_node_copy(a, n);
	map->key_at = n->key_at;
	only->key = key;
	only->key_at = n->at;
	scree_node_append(map, only);
	return map;
}

void scree_node_become(node *n, const node *is)
{
	node *next = n->next;
	*n = *is;
	n->next = next;
}

void scree_node_append(node *parent, node *child)
{
	child->next = NULL;
	if (parent->last)
		parent->last->next = child;
	else
		parent->first = child;
	parent->last = child;
	++parent->count;
}

void scree_node_drop(node *map, const char *key)
{
	node *before = NULL;
	for (node *c = map->first; c; before = c, c = c->next) {
		if (strcmp(c->key, key) != 0) continue;
		*(before ? &before->next : &map->first) = c->next;
		if (map->last == c) map->last = before;
		--map->count;
		return;
	}
}

static node *read_node(builder *b, const yaml_event_t *e);

static node *read_scalar(builder *b, const yaml_event_t *e)
{
	node *n = new_node(b, NODE_SCALAR, e);
	if (!n) return NULL;
	no_extras(b, n->at, e->data.scalar.anchor, e->data.scalar.tag);
	n->quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	if (memchr(e->data.scalar.value, 0, e->data.scalar.length))
		return refuse(b, n->at, NULL, "a text must not contain a null character");
	n->text = scree_arena_text(b->r->memory, (const char *)e->data.scalar.value, e->data.scalar.length);
	return n;
}

static int by_key(const void *a, const void *b)
{
	const node *m = *(node *const *)a, *n = *(node *const *)b;
	int order = strcmp(m->key, n->key);
	if (order) return order;
	if (m->key_at.line != n->key_at.line) return m->key_at.line < n->key_at.line ? -1 : 1;
	return m->key_at.column < n->key_at.column ? -1 : m->key_at.column > n->key_at.column;
}

static void find_duplicates(builder *b, const node *map)
{
	if (map->count < 2) return;
	const node **row = scree_alloc((size_t)map->count, sizeof(void *));
	int32_t k = 0;
	for (const node *c = map->first; c; c = c->next) row[k++] = c;
	scree_sort_by(row, k, sizeof *row, by_key);
	for (int32_t i = 1; i < k; ++i)
		if (!strcmp(row[i]->key, row[i - 1]->key))
			scree_report(b->r, row[i]->key_at, "remove one of the two", "key '%s' is given twice, first in line %d",
						 row[i]->key, row[i - 1]->key_at.line);
	scree_free(row);
}

/* reads a key; returns NULL if the key is not valid */
static const char *read_key(builder *b, const yaml_event_t *e, place *at)
{
	*at = event_place(b, e);
	if (e->type == YAML_ALIAS_EVENT) refuse(b, *at, NULL, "aliases (*) are not part of the scene language");
	if (e->type != YAML_SCALAR_EVENT && e->type != YAML_ALIAS_EVENT)
		refuse(b, *at, "keys are single words", "a key must be a text, not a mapping or a list");
	if (e->type != YAML_SCALAR_EVENT) return NULL;
	no_extras(b, *at, e->data.scalar.anchor, e->data.scalar.tag);
	if (e->end_mark.line != e->start_mark.line) scree_report(b->r, *at, NULL, "a key must be on one line");
	if (memchr(e->data.scalar.value, 0, e->data.scalar.length)) {
		refuse(b, *at, NULL, "a key must not contain a null character");
		return NULL;
	}
	const char *key = scree_arena_text(b->r->memory, (const char *)e->data.scalar.value, e->data.scalar.length);
	if (!strcmp(key, "<<"))
		scree_report(b->r, *at,
					 "write the keys out, or use include:", "merge keys (<<) are not part of the scene language");
	return key;
}

/* reads a list or a mapping up to its end */
static node *read_parts(builder *b, const yaml_event_t *e)
{
	const bool map = e->type == YAML_MAPPING_START_EVENT;
	node *n = new_node(b, map ? NODE_MAP : NODE_LIST, e);
	if (!n) return NULL;
	if (map)
		no_extras(b, n->at, e->data.mapping_start.anchor, e->data.mapping_start.tag);
	else
		no_extras(b, n->at, e->data.sequence_start.anchor, e->data.sequence_start.tag);
	yaml_event_t item;
	while (next_event(b, &item)) {
		place at = {0};
		const bool end = item.type == YAML_SEQUENCE_END_EVENT || item.type == YAML_MAPPING_END_EVENT;
		const char *key = map && !end ? read_key(b, &item, &at) : NULL;
		if (end || map) yaml_event_delete(&item);
		if (end && map) find_duplicates(b, n);
		if (end) return n;
		if (map && !next_event(b, &item)) break;
		node *child = read_node(b, &item);
		yaml_event_delete(&item);
		if (!child || (map && !key)) continue;
		child->key = key;
		child->key_at = at;
		scree_node_append(n, child);
	}
	return n;
}

static node *read_node(builder *b, const yaml_event_t *e)
{
	place at = event_place(b, e);
	if (e->type == YAML_ALIAS_EVENT)
		return refuse(b, at, "name the value under let: and write '= name'",
					  "aliases (*) are not part of the scene language");
	if (e->type == YAML_SCALAR_EVENT) return read_scalar(b, e);
	if (b->depth == TREE_DEPTH) return refuse(b, at, NULL, "more than 32 levels of lists and mappings");
	++b->depth;
	node *n = read_parts(b, e);
	--b->depth;
	return n;
}

static node *read_documents(builder *b)
{
	node *root = NULL;
	yaml_event_t e;
	int32_t documents = 0;
	while (next_event(b, &e)) {
		yaml_event_type_t type = e.type;
		place at = event_place(b, &e);
		if (type == YAML_DOCUMENT_START_EVENT && ++documents > 1)
			refuse(b, at, "make it a scene file of its own", "a second document begins here; a scene is one document");
		if (type == YAML_SCALAR_EVENT || type == YAML_SEQUENCE_START_EVENT || type == YAML_MAPPING_START_EVENT ||
			type == YAML_ALIAS_EVENT)
			root = read_node(b, &e);
		yaml_event_delete(&e);
		if (type == YAML_STREAM_END_EVENT) break;
	}
	return root;
}

node *scree_tree_parse(report *r, int32_t source, const char *bytes, size_t length, int32_t column)
{
	builder b = {.r = r, .source = source, .shift = column};
	if (length > TREE_BYTES)
		return scree_null(scree_report(r, (place){source, 1, 1, 1}, "put bulk data into a table: from: FILE.csv",
									   "the file has %zu bytes; a scene may have 16 MiB", length));
	const char *other = scree_other_encoding(bytes, length);
	if (other)
		return scree_null(scree_report(r, (place){source, 1, 1, 1}, "save it as UTF-8",
									   "the file is in %s, but scenes are text in UTF-8", other));
	size_t mark = scree_byte_order_mark(bytes, length);
	if (!yaml_parser_initialize(&b.parser))
		return refuse(&b, (place){source, 1, 1, 1}, NULL, "no memory for the YAML parser");
	yaml_parser_set_encoding(&b.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&b.parser, (const unsigned char *)bytes + mark, length - mark);
	node *root = read_documents(&b);
	yaml_parser_delete(&b.parser);
	/* an incomplete tree would cause false errors */
	return b.broken ? NULL : root;
}

const node *scree_node_child(const node *map, const char *key)
{
	if (!map || map->type != NODE_MAP) return NULL;
	for (const node *c = map->first; c; c = c->next)
		if (!strcmp(c->key, key)) return c;
	return NULL;
}

const node *scree_node_item(const node *n, int32_t i)
{
	const node *c = n->first;
	while (c && i-- > 0) c = c->next;
	return c;
}

bool scree_node_empty(const node *n)
{
	return n->type == NODE_SCALAR && !n->quoted && (!*n->text || !strcmp(n->text, "~") || !strcmp(n->text, "null"));
}

const char *scree_node_found(const node *n)
{
	static const char *const names[] = {"a value", "a list", "a mapping"};
	return scree_node_empty(n) ? "nothing" : names[n->type];
}

const char *scree_node_keys(const void *map, int i)
{
	const node *child = scree_node_item(map, i);
	return child ? child->key : NULL;
}
