/* part.h: the part of a divided world at one rank: a rule of division (domain/domain.h) by a partition of space and a
 * channel to the other ranks. */
#ifndef SCREE_RANKS_PART_H
#define SCREE_RANKS_PART_H

#include "domain/domain.h"
#include "prepare/prepare.h"
#include "ranks/partition.h"
#include "transport/transport.h"

/* Segments of messages; of contacts: plus their kind. */
enum { SEGMENT_BODIES = 1, SEGMENT_CONTACTS = 100 };

/* Bodies that a neighbour has copies of, and copies of its bodies here. */
typedef struct border {
	int32_t *row; /* [rows] rows of owned bodies that it has */
	int32_t rows, room;
	int32_t first, copies; /* rows of the copies here */
} border;

typedef struct rank_part {
	channel *c;
	partition space;
	int32_t neighbours;
	int32_t *neighbour;	 /* since the last search, by rising rank */
	border *border;		 /* [neighbours] */
	int64_t left;		 /* bodies that have gone to other ranks so far */
	kept_contacts *kept; /* from `settle` to `renew`; NULL: bodies have kept their owners */
} rank_part;

extern const domain_row scree_domain_ranks;

void scree_rank_part_free(rank_part *o);
/* Breaks off the work (base/fail.h) if an exchange was not good. */
void scree_ranks_need(bool good, const fail *why);

/* settle.c, copies.c: see domain/domain.h */
bool scree_bodies_to_owners(void *at, const model *m, state *s, work *w);
void scree_owners_to_copies(void *at, const model *m, state *s, work *w);
void scree_copies_follow(void *at, state *s);
/* Gives the kept contacts to pair lists; ends those that have lost a body. Frees them. */
void scree_kept_contacts_settle(rank_part *o, const model *m, state *s, work *w);

#endif
