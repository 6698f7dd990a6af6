/* value.h: what scalars of a scene mean: quantities with units, expressions over the names of let. */
#ifndef SCREE_SCENE_VALUE_H
#define SCREE_SCENE_VALUE_H

#include "scene/tree.h"
#include "scene/unit.h"

typedef struct quantity {
	double value; /* SI */
	dimension of;
	int32_t flags; /* HAS_ANGLE, HAS_CYCLES */
} quantity;

enum {
	LETS_MOST = 1000,
	NESTING_MOST = 200 /* brackets and names within names */
};

typedef struct let_row {
	const node *value;
	int32_t state; /* 0: not worked out, 1: being worked out, 2: known, 3: faulty and reported */
	quantity is;
	int32_t set; /* source of the --set that its value follows from; 0: none */
} let_row;

typedef struct lets {
	report *r;
	int32_t count, depth;
	int32_t set; /* of a name in the value that is being worked out; 0: none */
	bool lost;	 /* there are no names, maybe since `let` is misspelled, which has been reported */
	let_row row[LETS_MOST];
} lets;

/* The names of let, checked; values are worked out when they are asked for. map may be NULL. */
void scree_lets_open(lets *l, report *r, const node *map);
/* Works out all, for their messages. before: the names as they were before --set, worked out, or NULL: a --set must not
 * give a name another dimension. */
void scree_lets_check(lets *l, const lets *before);
/* Works out all without a message: what cannot be is left unknown. */
void scree_lets_try(lets *l);
const char *scree_let_names(const void *lets, int i);

/* The quantity of a scalar: "5 mm", "= 0.9*R". what: for messages ("radius"). False: reported. */
bool scree_quantity(lets *l, const node *n, const char *what, quantity *out);

#endif
