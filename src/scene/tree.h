/* tree.h: a scene as a tree of mappings, lists and scalars, each with its position in a file. */
#ifndef SCREE_SCENE_TREE_H
#define SCREE_SCENE_TREE_H

#include "scene/report.h"

enum { TREE_DEPTH = 32, TREE_NODES = 1000000, TREE_BYTES = 16 << 20 };

typedef enum node_type { NODE_SCALAR, NODE_LIST, NODE_MAP } node_type;

typedef struct node node;
struct node {
	node_type type;
	bool quoted;	  /* scalar in quotes, or a block scalar: such a scalar is never a number, true, false or null */
	int32_t count;	  /* number of children */
	place at;		  /* position of its first character */
	const char *text; /* scalar; ends with a zero byte and contains no other */
	const char *key;  /* the key of a member of a mapping, else NULL */
	place key_at;
	node *first, *last; /* children, in the order of the file */
	node *next;
};

/* Parses source number `source` of the report, in the strict subset of YAML of docs/scene.md. column: of the text's
 * first character, less 1. NULL if the source cannot be read to its end. Errors that leave a tree (duplicate keys,
 * tags) are reported, and the tree is returned. */
node *scree_tree_parse(report *r, int32_t source, const char *bytes, size_t length, int32_t column);
const node *scree_node_child(const node *map, const char *key); /* NULL: none */
const node *scree_node_item(const node *n, int32_t i);
/* New nodes in an arena: at a place; a copy, which shares the children; a mapping in place of n, of one key with n. */
node *scree_node_new(arena *a, node_type type, const char *key, place at);
node *scree_node_copy(arena *a, const node *n);
node *scree_node_wrap(arena *a, const node *n, const char *key);
/* gives a node all that `is` has, but leaves it in its place among others */
void scree_node_become(node *n, const node *is);
void scree_node_append(node *parent, node *child); /* appends as the last child */
void scree_node_drop(node *map, const char *key);  /* removes the child of this key, if there is one */
/* tests whether the value is plain null, ~ or missing */
bool scree_node_empty(const node *n);
/* what the value is, for messages: "nothing", "a list" */
const char *scree_node_found(const node *n);
/* the keys of a mapping, for scree_nearest */
const char *scree_node_keys(const void *map, int i);

#endif
