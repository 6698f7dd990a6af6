/* colours.h: colours are groups of contacts without common moving bodies, which can be processed in parallel.
 *
 * One after another, contacts take the smallest free colour, in the order of a hash of their keys. The result is the
 * same as with the method of Jones and Plassmann (1993, SIAM J. Sci. Comput. 14, 654) on any number of processors: it
 * depends only on the set of contacts, not on storage or threads. Ids enter only through the hash, so their order has
 * no effect. Contacts may share walls and held bodies. */
#ifndef SCREE_SOLVER_COLOURS_H
#define SCREE_SOLVER_COLOURS_H

#include "base/parallel.h"
#include "base/sort.h"
#include "ranks/together/domain.h"

enum {
	COLOUR_PARTNERS = 32,			  /* largest number of contacts of a body whose contacts are coloured */
	COLOUR_MOST = 2 * COLOUR_PARTNERS /* bound on colours: up to 31 contacts of each body come before a contact */
};

typedef struct colour_item {
	uint64_t hash; /* hash of the contact's key (state/contact_key.h) */
	int32_t a, b;  /* moving bodies of the contact; -1 if none */
	int32_t ghost; /* row of the contact's ghost, plus 1; 0 if this part of the world owns both bodies */
	int32_t kind;  /* kind and row of the contact, for the caller */
	int64_t row;
} colour_item;

/* {0} is an empty list. */
typedef struct colour_list {
	int64_t count, capacity;
	colour_item *item;
} colour_list;

typedef struct colouring {
	const domain *domain; /* NULL for a world in one part */
	colour_list all;	  /* contacts by colour; in the last block by hash */
	int32_t colours;	  /* number of colours, the same in all parts */
	/* First rows of colours, then of the last block, where contacts share bodies with more than COLOUR_PARTNERS
	 * contacts. */
	int64_t first[COLOUR_MOST + 1];
	bool last; /* whether any part has contacts in the last block */
	/* memory for scree_colours_find */
	int64_t room;
	colour_item *sorted; /* [room] */
	sort_item *sort[2];	 /* [room] */
	int8_t *colour;		 /* [room] */
	int32_t bodies;
	int32_t *partners; /* [bodies] number of contacts; 0 between calls */
	uint64_t *used;	   /* [bodies] colours of the body's contacts, as bits; 0 between calls in a world in one part */
} colouring;

void scree_colours_add(colour_list *l, colour_item i);
/* Finds the colours of the contacts in c->all, in any order, and sorts the contacts. bodies: number of bodies */
void scree_colours_find(colouring *c, int32_t bodies);
/* The next three functions process contacts, which change values of bodies; all parts call them. After each colour and
 * after the last block, ghosts are set to the values of their owners. values: NULL for a world in one part. The first
 * function calls `work` for ranges of contacts, colour by colour, on all threads, except for the last block. */
void scree_colours_each(const colouring *c, parallel_fn *work, void *what, const body_columns *values);
/* Calls `work` for rows of the last block: one by one if the world has several parts. */
void scree_colours_last(const colouring *c, parallel_fn *work, void *what, const body_columns *values);
/* Sets ghosts to the values of their owners after each colour has been solved. */
void scree_colours_share(const colouring *c, int32_t colour, const body_columns *values);
void scree_colours_free(colouring *c);

/* turns.c: processes contacts on all ranks in the same order as in an undivided world. A contact is processed when all
 * earlier contacts of its moving bodies have been processed. Each rank stores all contacts of its own bodies, so each
 * owner needs the current values of a contact's other body, sent by that body's owner. Both owners obtain the same
 * result. The number of rounds of messages is the length of the longest chain of contacts that passes from rank to
 * rank. */
typedef struct turns {
	const domain *domain;
	int64_t count;
	const colour_item *item; /* contacts */
	const sort_item *order;	 /* [count] order, with contacts as `value`; NULL: as in `item` */
	int32_t bodies;			 /* number of rows, including ghosts */
	body_columns values;	 /* columns of bodies that contacts read and change */
	parallel_fn *take;		 /* processes contact k: called with k and k + 1 on thread 0 */
	void *what;				 /* argument of take */
} turns;

void scree_in_turn(const turns *o);

#endif
