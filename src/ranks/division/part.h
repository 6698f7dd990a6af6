/* part.h: one rank's part of a divided world: a rule of division, a partition of space and a channel to other ranks. */
#ifndef SCREE_RANKS_DIVISION_PART_H
#define SCREE_RANKS_DIVISION_PART_H

#include "prepare/prepare.h"
#include "ranks/division/partition.h"
#include "ranks/division/records.h"
#include "ranks/messages/transport.h"
#include "ranks/together/domain.h"
#include "world/slice.h"

/* tags of segments in messages; for contacts, the kind of pair is added */
enum { SEGMENT_BODIES = 1, SEGMENT_VALUES, SEGMENT_RECORDS, SEGMENT_CONTACTS = 100 };

/* Bodies of which a neighbour has copies, and copies of the neighbour's bodies on this rank. */
typedef struct border {
	int32_t *row; /* [rows] owned bodies that have copies on the neighbour */
	int32_t rows;
	int64_t room;
	int32_t first, copies; /* rows of the copies on this rank */
} border;

typedef struct rank_part {
	channel *c;
	const domain_row *rule; /* rule of division, set by scree_rank_part_plan */
	partition space;
	int32_t neighbours;
	int32_t *neighbour;	 /* neighbouring ranks as of the last search, in ascending order */
	border *border;		 /* [neighbours] */
	int64_t step;		 /* step of the last exchange of bodies */
	int64_t left;		 /* number of bodies that have moved to other ranks so far */
	int64_t cuts;		 /* number of times that parts were cut for equal work */
	real reached;		 /* largest work of a rank, divided by the mean, after the last cut */
	void *own;			 /* data for rules of division other than scree_domain_ranks */
	kept_contacts *kept; /* used between `settle` and `renew`; NULL if bodies have kept their owners */
} rank_part;

extern const domain_row scree_domain_ranks; /* rule.c */

void scree_rank_part_free(rank_part *o);
/* part.c: parts divide the initial cell. If the cell changes size, positions are mapped to the initial cell. place:
 * a mapped position; stretch: factors for lengths along each axis. */
vec3 scree_rank_stretch(const rank_part *o, const state *s);
vec3 scree_rank_place(const rank_part *o, const state *s, vec3 at);
/* plan.c: chooses the partition of a world that is complete on all ranks or only on the first: NAME or NAME:AxBxC (a
 * number of parts along each axis); NULL means rcb if there is a function that cuts, otherwise the grid with the
 * smallest area of cuts. Returns false with an error message on failure. All ranks call this function. */
bool scree_rank_part_plan(rank_part *o, const model *m, const state *s, const char *partition, cut_fn *cut, fail *why);
/* divide.c: divides a world that is complete on all ranks, before its next step: each rank keeps its bodies and contact
 * histories, which the next search for pairs must restore before any code reads contacts. */
void scree_world_divide(const model *m, state *s, work *w, rank_part *part);
/* Divides a world whose bodies and contacts are all on the first rank, which hands them to their owners. */
void scree_world_hand_out(const model *m, state *s, work *w, rank_part *part);
/* For both divisions: the first function sets the rule; the second takes over contacts, and frees `had` and `came`. */
void scree_world_begin_division(work *w, rank_part *part);
void scree_world_end_division(state *s, work *w, rank_part *part, kept_contacts *had, record_list came[PAIR_KINDS]);
/* Like scree_world_keep_contacts, but returns an empty list if there are none. */
kept_contacts *scree_world_keep_all(const model *m, const state *s);
/* Returns the rank of each owned body; free with scree_free. */
int32_t *scree_ranks_of_bodies(const rank_part *o, const state *s);
/* Keeps only the owned bodies i with to[i] == rank. */
void scree_ranks_close_rows(bodies *b, const int32_t *to, int32_t rank);
/* Adds bodies of this rank, packed for `when`, and contacts from a message. Returns false with an error message. */
bool scree_ranks_read_bodies(const rank_part *o, const model *m, state *s, share when, record_list came[PAIR_KINDS],
							 message_reader *r, fail *why);
/* received.c: returns why another rank's rows from .. from+count-1 cannot be used; NULL if they can. pose:
 * positions, orientations and periods crossed; motion: everything else sent in each step; index: rows of shapes and
 * materials, flags and ids; bodies: everything. A state in which a guard stopped the run may contain NaN, but is
 * sent, for files. */
const char *scree_ranks_pose_fault(const bodies *b, int32_t from, int32_t count);
const char *scree_ranks_motion_fault(const bodies *b, share when, int32_t from, int32_t count);
const char *scree_ranks_bodies_fault(const model *m, const state *s, share when, int32_t from, int32_t count);
const char *scree_ranks_index_fault(const model *m, const state *s, const bodies *b, int32_t from, int32_t count);
/* Checks contacts in `size` bytes, `each` bytes per contact (scree_contact_put). finite: numbers must be finite. */
const char *scree_ranks_contacts_fault(const model *m, const state *s, int kind, size_t each, size_t size,
									   const char *bytes, bool finite);
/* Adds the contacts of a segment if they can be used; otherwise returns the reason. */
const char *scree_ranks_add_contacts(const model *m, const state *s, record_list came[PAIR_KINDS], const segment *g,
									 bool finite);
/* whole.c: on rank 0 returns the world of all ranks, for code that writes or draws it; NULL on other ranks. This world
 * shares all data except bodies and contacts with `part`. All ranks call this function between two steps. */
scree_world *scree_ranks_whole(rank_part *o, const scree_world *part);
void scree_ranks_whole_free(scree_world *whole);
/* Replaces the ledger and the accounts of patches with their sums over all parts. */
void scree_ranks_sums(const domain *d, state *s);
/* Aborts the work (base/fail.h) unless an exchange succeeded. */
void scree_ranks_need(bool good, const fail *why);

/* settle.c, copies.c: see ranks/together/domain.h */
bool scree_bodies_to_owners(void *at, const model *m, state *s, work *w);
void scree_owners_to_copies(void *at, const model *m, state *s, work *w);
void scree_copies_follow(void *at, state *s, share when, bool finite);
int32_t *scree_rows_of_copies(void *at, int64_t *count);
/* part.c: see ranks/together/domain.h; also used by other rules of division among ranks */
void scree_ranks_most(void *at, int32_t count, real *x);
void scree_ranks_add(void *at, int32_t count, fixed *x);
void scree_ranks_both(void *at, int32_t mosts, real *most, int32_t sums, fixed *sum);
void *scree_ranks_gather(void *at, int64_t *count, size_t size, const void *rows);
bool scree_ranks_owns(void *at, vec3 position);
void scree_ranks_break_off(void *at, fail *why);
/* values.c: see ranks/together/domain.h */
void scree_owners_to_ghosts(void *at, const body_columns *values, const uint64_t *mask, uint64_t bits);
void *scree_records_to_owners(void *at, const domain_records *out, int64_t *came);
/* Like scree_records_to_owners, but for the given neighbouring ranks, in messages of this phase; rows are not read. */
void *scree_records_to_ranks(rank_part *o, message_phase phase, const domain_records *out, const int32_t *rank,
							 int64_t *came);
/* slice.c: see ranks/together/domain.h */
world_slice *scree_ranks_slice(void *at, const model *m, const state *s, const work *w, int64_t unit, int content);
/* part.c: see ranks/together/domain.h */
void scree_ranks_collect(void *at, size_t size, const void *bytes, domain_take_fn *take, void *context);
bool scree_rank_is_neighbour(const rank_part *o, int32_t rank);
border *scree_border_with(rank_part *o, int32_t rank);
/* balance.c: returns the largest work of a rank over the mean, from the last step's contacts. All ranks call this
 * function. */
real scree_ranks_uneven(const rank_part *o, const state *s, const work *w);
/* Cuts parts according to the bodies of a whole world on the first rank, before it is divided. All ranks call this
 * function. */
void scree_ranks_cut(rank_part *o, const state *s);
/* Cuts the parts again if their work is uneven; called before bodies are sent to their owners. */
void scree_ranks_balance(rank_part *o, const state *s, const work *w);
/* Moves the kept contacts to pair lists; ends contacts that have lost a body. Frees the kept contacts. */
void scree_kept_contacts_settle(rank_part *o, const model *m, state *s, work *w);

#endif
