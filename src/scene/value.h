/* value.h: a scene as a tree of mappings, lists and scalars, each with its position in a file; and the meaning of
 * scalars: units and dimensions, quantities, and expressions with names of let. */
#ifndef SCREE_SCENE_VALUE_H
#define SCREE_SCENE_VALUE_H

#include "scene/report.h"

enum { TREE_DEPTH = 32, TREE_NODES = 1000000, TREE_BYTES = 16 << 20 };

typedef enum node_type { NODE_SCALAR, NODE_LIST, NODE_MAP } node_type;

typedef struct node node;
struct node {
	node_type type;
	bool quoted;	  /* scalar in quotes, or a block scalar, which is never a number, true, false or null */
	int32_t count;	  /* number of children */
	place at;		  /* position of its first character */
	const char *text; /* text of a scalar; ends with a zero byte and contains no other */
	const char *key;  /* the key of a member of a mapping, otherwise NULL */
	place key_at;
	node *first, *last; /* children, in their order in the file */
	node *next;
};

/* Parses source number `source` in the strict subset of YAML of docs/scene.md. column: column of its first character,
 * minus 1. NULL if it cannot be read to its end. Other errors (duplicate keys, tags) are reported and leave a tree. */
node *scree_tree_parse(report *r, int32_t source, const char *bytes, size_t length, int32_t column);
const node *scree_node_child(const node *map, const char *key); /* NULL: none */
const node *scree_node_item(const node *n, int32_t i);
/* Create in an arena: a node; a copy that shares the children; a mapping from one key to n, in place of n. */
node *scree_node_new(arena *a, node_type type, const char *key, place at);
node *scree_node_copy(arena *a, const node *n);
node *scree_node_wrap(arena *a, const node *n, const char *key);
/* overwrites a node with the content of `is`, but keeps its position among its siblings */
void scree_node_become(node *n, const node *is);
void scree_node_append(node *parent, node *child); /* appends as the last child */
void scree_node_drop(node *map, const char *key);  /* removes the child with this key, if there is one */
/* tests whether the value is plain null, ~ or missing */
bool scree_node_empty(const node *n);
/* kind of the value, for messages: "nothing", "a list" */
const char *scree_node_found(const node *n);
/* the keys of a mapping, for scree_nearest */
const char *scree_node_keys(const void *map, int i);

/* powers of kilogram, metre, second and kelvin */
typedef struct dimension {
	int32_t kg, m, s, kelvin;
} dimension;

enum {
	HAS_ANGLE = 1, /* made with rad, deg or rpm */
	HAS_CYCLES = 2 /* made with Hz: cycles per second instead of radians */
};

/* A unit is up / down * 10^decimal SI units; with a separate power of ten, `1.1 mm` is rounded only once. */
typedef struct unit {
	double up, down;
	int32_t decimal, flags;
	dimension of;
} unit;

bool scree_dimension_same(dimension a, dimension b);
/* writes "kg m^2/s^2", "a plain number" */
void scree_dimension_text(writing *t, dimension d);
/* writes the usual SI unit of this dimension: "Pa", "m/s", or a product */
void scree_dimension_unit(writing *t, dimension d);

/* Finds one unit without operators, with its prefix: "mm", "kPa", "%". length: length of the name */
bool scree_unit_find(const char *name, size_t length, unit *out);
/* Parses a product such as kg/m^3, 1/s or N*m, up to the end of the text. On failure *wrong points to the error. */
bool scree_unit_parse(const char *text, unit *out, const char **wrong);
/* multiplies u by v^power; false if a power is too large */
bool scree_unit_times(unit *u, unit v, int32_t power);

/* Reads a number as written in a scene ("1", "-0.5", "2.5e3"), shifted by 10^decimal and correctly rounded; *end is the
 * position after it. False if there is no number. Needs the C locale. */
bool scree_number_read(const char *text, const char **end);
double scree_number_value(const char *text, const char *end, int32_t decimal);

/* rows of the table of units, for tests and docs */
typedef struct unit_row {
	const char *name, *prefixes, *help;
	unit is;
} unit_row;
extern const unit_row scree_units[];
extern const int scree_unit_count;
typedef struct prefix_row {
	char letter;
	int32_t decimal;
} prefix_row;
extern const prefix_row scree_prefixes[];
extern const int scree_prefix_count;
const char *scree_unit_names(const void *unused, int i); /* all names with all prefixes, for scree_nearest */

typedef struct quantity {
	double value; /* SI */
	dimension of;
	int32_t flags; /* HAS_ANGLE, HAS_CYCLES */
} quantity;

enum {
	LETS_MOST = 1000,
	NESTING_MOST = 200 /* largest nesting depth of brackets, and of names defined by other names */
};

typedef struct let_row {
	const node *value;
	int32_t state; /* 0: not evaluated, 1: being evaluated, 2: evaluated, 3: faulty and reported */
	quantity is;
	int32_t set; /* source number of the --set that determines its value, or 0 */
} let_row;

typedef struct lets {
	report *r;
	int32_t count, depth;
	int32_t set; /* source number of the --set of a name in the value being evaluated, or 0 */
	bool lost;	 /* there are no names, perhaps because `let` was misspelled, which has already been reported */
	let_row row[LETS_MOST];
} lets;

const char *scree_dimension_words(const report *r, dimension d);

/* Reads and checks the names of let; values are evaluated on demand. map may be NULL. */
void scree_lets_open(lets *l, report *r, const node *map);
/* Evaluates all names, to report errors. before: evaluated names before --set, whose dimensions must stay, or NULL */
void scree_lets_check(lets *l, const lets *before);
/* Evaluates all names without messages; names with errors have no value. */
void scree_lets_try(lets *l);
const char *scree_let_names(const void *lets, int i);

/* Evaluates a scalar: "5 mm", "= 0.9*R". what: for messages ("radius"). False: reported. */
bool scree_quantity(lets *l, const node *n, const char *what, quantity *out);

#endif
