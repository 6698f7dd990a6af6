/* exchanges.h: pe's division rule, with the four communications per step of Algorithm 2 of Iglberger and Ruede
 * (2009), as an alternative to scree's own rule (ranks/division/part.h). A rank has shadow copies of bodies that
 * overlap its part. A contact belongs to the rank whose part contains its point; this rank sends constraints on copies
 * to the owners of these copies. */
#ifndef SCREE_PAPERS_IGLBERGER2009_EXCHANGES_H
#define SCREE_PAPERS_IGLBERGER2009_EXCHANGES_H

#include "papers/iglberger2009/ffd.h"
#include "ranks/division/part.h"
#include "work/work.h"

/* Segments of messages 2 and 4: whole bodies; updates; updates after which copies are destroyed; columns of a body that
 * the receiver owns from now on; another rank that has a copy of the body. */
enum { SEGMENT_FIRST = 10, SEGMENT_UPDATE, SEGMENT_LAST, SEGMENT_HANDED, SEGMENT_HOLDER };

/* Role of a body on a rank. */
typedef enum role { ROLE_OWN, ROLE_COPY, ROLE_NONE, ROLES } role;

/* Records that a rank has a copy of an owned body. */
typedef struct holding {
	uint64_t id;
	int32_t rank;
} holding;

/* Data of this rule on a rank (`own` of rank_part). */
typedef struct pe_part {
	const bodies *b;
	real margin; /* dx of Fig. 6, in m, by which parts are enlarged for copies */
	int64_t holdings, room;
	holding *held; /* [holdings] sorted by id, then by rank */
	int32_t rows;
	uint8_t *role; /* [rows] role of each body at the next change of roles */
} pe_part;

extern const domain_row scree_domain_pe;

/* Tests whether a contact with its point at this position belongs to this rank; always true in worlds divided by other
 * rules. */
bool scree_pe_has(const work *w, vec3 at);
/* Communication 1: sends forces on copies to owners; like `deliver` of ranks/together/domain.h. */
void *scree_pe_send_forces(void *at, const domain_records *out, int64_t *came);
/* Tests whether the world is divided by this rule, judging by its `deliver`. */
SCREE_FN bool pe_divides(const work *w) { return w->domain.by->deliver == scree_pe_send_forces; }
/* Tests whether all of these numbers are finite. */
SCREE_FN bool ffd_all_finite(const real *x, int count)
{
	real none = 0;
	for (int k = 0; k < count; ++k) none += x[k] - x[k];
	return none == 0;
}
/* Communication 3: sends constraints to the owners of the bodies. */
void scree_pe_send_constraints(state *s, const work *w, ffd_work *of);

#endif
