/* colours.h: groups of contacts that share no moving body, called colours. The contacts of a colour may be processed in
 * any order and in parallel.
 *
 * One after the other, in the order of a hash of their keys, contacts take the smallest free colour. This is the result
 * of Jones and Plassmann (1993, SIAM J. Sci. Comput. 14, 654) on any number of processors: a function of the set of
 * contacts alone, independent of storage and threads. Ids enter through the hash only, so their order has no effect.
 * Walls and held bodies share nothing. */
#ifndef SCREE_SOLVER_COLOURS_H
#define SCREE_SOLVER_COLOURS_H

#include "base/parallel.h"
#include "base/sort.h"
#include "ranks/together/domain.h"

enum {
	COLOUR_PARTNERS = 32,			  /* largest number of contacts of a body whose contacts get colours */
	COLOUR_MOST = 2 * COLOUR_PARTNERS /* bound on the number of colours: 31 contacts of each body may come first */
};

typedef struct colour_item {
	uint64_t hash; /* hash of the key of the contact (state/contact_key.h) */
	int32_t a, b;  /* its moving bodies; -1: none */
	int32_t ghost; /* row of its ghost, plus 1; 0: both bodies are owned by this part of the world */
	int32_t kind;  /* kind and row of the contact, for the caller */
	int64_t row;
} colour_item;

/* {0} is an empty list. */
typedef struct colour_list {
	int64_t count, capacity;
	colour_item *item;
} colour_list;

typedef struct colouring {
	const domain *domain; /* NULL: a world in one part */
	colour_list all;	  /* contacts by colour; the last block by hash */
	int32_t colours;	  /* number, the same in all parts */
	/* The first contact of each colour. The last block begins at [colours]: contacts of bodies with more than
	 * COLOUR_PARTNERS of them, which may share bodies. */
	int64_t first[COLOUR_MOST + 1];
	bool last; /* any part has contacts in the last block */
	/* memory of scree_colours_find */
	int64_t room;
	colour_item *sorted; /* [room] */
	sort_item *sort[2];	 /* [room] */
	int8_t *colour;		 /* [room] */
	int32_t bodies;
	int32_t *partners; /* [bodies] number of contacts; 0 between calls */
	uint64_t *used;	   /* [bodies] bits of the colours of its contacts; 0 between calls in a world in one part */
} colouring;

void scree_colours_add(colour_list *l, colour_item i);
/* Finds the colours of the contacts in c->all, which are in any order, and sorts them. bodies: number of bodies */
void scree_colours_find(colouring *c, int32_t bodies);
/* The next three process contacts, which change values of bodies; all parts call them. Values of ghosts are those of
 * their owners after each colour and after the last block. values NULL: a world in one part.
 *
 * Calls `work` for ranges of contacts, colour by colour, on all threads; not for the last block. */
void scree_colours_each(const colouring *c, parallel_fn *work, void *what, const body_columns *values);
/* Calls `work` for the last block: for single contacts, if the world has several parts. from, to: rows of the block */
void scree_colours_last(const colouring *c, parallel_fn *work, void *what, const body_columns *values);
/* Ghosts get their values after a colour. */
void scree_colours_share(const colouring *c, int32_t colour, const body_columns *values);
void scree_colours_free(colouring *c);

/* turns.c: processes contacts in the same order on all ranks as in an undivided world.
 *
 * A contact has its turn when all earlier contacts of its moving bodies have had theirs. A rank has all contacts of its
 * own bodies. So both owners of a contact need the values that the other body has at that point, which its owner sends.
 * They both process the contact, with the same result. The number of rounds of messages is that of the longest chain of
 * contacts that goes from rank to rank. */
typedef struct turns {
	const domain *domain;
	int64_t count;
	const colour_item *item; /* contacts */
	const sort_item *order;	 /* [count] value: contact; NULL: in their own order */
	int32_t bodies;			 /* number of rows, with ghosts */
	body_columns values;	 /* columns of bodies that turns read and change */
	parallel_fn *take;		 /* processes one contact: from its number to the next one, thread 0 */
	void *what;				 /* argument of take */
} turns;

void scree_in_turn(const turns *o);

#endif
