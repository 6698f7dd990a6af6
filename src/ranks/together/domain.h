/* The owner of a body computes its contacts, including those with ghosts. The owner of the other body computes them
 * too, with bit-identical results, so no forces are sent. Each part's ledger has its share of the world's ledger, and
 * only the first part adds terms common to all parts. All parts call every function at the same point in a step. */
#ifndef SCREE_RANKS_TOGETHER_DOMAIN_H
#define SCREE_RANKS_TOGETHER_DOMAIN_H

#include "base/fail.h"
#include "base/field.h"
#include "base/fixed.h"
#include "base/real.h"

#include <stddef.h>

struct model;
struct state;
struct work;

/* Values of bodies that a solver changes, in columns of 8 bytes: column c of row i is i * stride bytes after of[c].
 * finite: whether the values are reals, for which NaN from another part aborts the work. */
enum { BODY_COLUMNS = 16 };
typedef struct body_columns {
	int32_t count;
	bool finite;
	size_t stride;
	void *of[BODY_COLUMNS];
} body_columns;

/* Returns the reason why a record received from part `from` cannot be used; NULL if it can. */
typedef const char *domain_fault_fn(const void *context, int32_t from, const void *record);
/* Records to be sent to the owners of ghosts. */
typedef struct domain_records {
	int64_t count;
	size_t size;		/* bytes per record */
	const int32_t *row; /* [count] ghosts */
	const void *record; /* [count] */
	/* tests received records, and aborts the work with a message if one is wrong; NULL if all can be used */
	domain_fault_fn *fault;
	const void *context;
} domain_records;

/* Takes the next piece of data from another part. */
typedef void domain_take_fn(void *context, const void *bytes, size_t size);

/* A rule of division. `at` is the data that the rule keeps for this part. */
typedef struct domain_row {
	/* replaces each number with the largest value over all parts; NaN counts as the largest */
	void (*most)(void *at, int32_t count, real *x);
	/* replaces each number with the sum over all parts */
	void (*add)(void *at, int32_t count, fixed *x);
	/* has the effect of both `most` and `add`, in one message */
	void (*both)(void *at, int32_t mosts, real *most, int32_t sums, fixed *sum);
	/* Collects the rows of all parts, in the order of the parts. size: bytes per row; count: on entry the number of
	 * rows in this part, on return the number in all parts. Free the result with scree_free. */
	void *(*gather)(void *at, int64_t *count, size_t size, const void *rows);
	/* Tests whether a new body at this position belongs to this part. */
	bool (*owns)(void *at, vec3 position);
	/* Sends bodies with contact histories to the owners of their positions, in a search for pairs. Returns true if any
	 * part lost or gained a body: pair lists are then invalid until `renew`. NULL if owners stay. */
	bool (*settle)(void *at, const struct model *m, struct state *s, struct work *w);
	/* Replaces the ghosts in a search, when margins of ghosts are chosen. NULL if there are no other parts. */
	void (*renew)(void *at, const struct model *m, struct state *s, struct work *w);
	/* Updates the same ghosts from their owners: after the drift of a step without a search, and after the kick. when:
	 * SHARE_STEP or SHARE_AHEAD; finite: whether the speeds of all bodies of all parts are finite. If not, a guard
	 * stops the run in this step, so the velocities of ghosts do not matter. */
	void (*refresh)(void *at, struct state *s, share when, bool finite);
	/* Returns the rows of own bodies that have ghosts in other parts, some of them several times; free with
	 * scree_free. NULL if there are no other parts. */
	int32_t *(*sent)(void *at, int64_t *count);
	/* The next two functions are for rules that also send bodies at the end of a step: the first is called when a step
	 * begins, and the second at its very end. NULL if there is nothing to do. */
	void (*begin)(void *at, const struct model *m, struct state *s, struct work *w);
	void (*end)(void *at, const struct model *m, struct state *s, struct work *w);
	/* Notifies the other parts that the work of this part was aborted (base/fail.h): their next collective call ends
	 * with the same error message, which then names this part. NULL if there are no other parts. */
	void (*break_off)(void *at, fail *why);
	/* The next two functions are for solvers, the first one also for guards; NULL if not supported. Owners send ghosts
	 * these values in rows whose mask, the same for owner and ghost, has one of `bits` set. mask: NULL for all rows. */
	void (*share)(void *at, const body_columns *values, const uint64_t *mask, uint64_t bits);
	/* Sends record k to the owner of the ghost row[k], for all records. Returns the received records, in any order, and
	 * their number in `came`; free with scree_free. */
	void *(*deliver)(void *at, const domain_records *out, int64_t *came);
	/* Returns this rank's slice of the world by ids (world/slice.h), between two steps: whole units of this number of
	 * bodies, counted in ascending order of ids. Free with scree_world_slice_free. NULL if there are no other parts. */
	struct world_slice *(*slice)(void *at, const struct model *m, const struct state *s, const struct work *w,
								 int64_t unit, int content);
	/* The first part receives bytes from all others, part by part, in bounded pieces. NULL without other parts. */
	void (*collect)(void *at, size_t size, const void *bytes, domain_take_fn *take, void *context);
} domain_row;

/* Numbers to be combined in one message with the numbers of other stages. */
enum { DOMAIN_MOST_TERMS = 32 };
typedef struct domain_term {
	void *at; /* array of reals or of fixed */
	int32_t count;
	bool is_sum, is_flag; /* is_flag: whether the number must be 0 or 1 */
} domain_term;
typedef struct domain_terms {
	int32_t count;
	domain_term of[DOMAIN_MOST_TERMS];
} domain_terms;

/* One part of a divided world. */
typedef struct domain {
	const domain_row *by;
	void *at;
	bool first; /* whether this part adds the terms that all parts have in common */
	domain_terms waiting;
} domain;

extern const domain_row scree_domain_one; /* a world with one part */
extern const domain
	scree_domain_alone; /* the only part of a world in one part; also for queries about the bodies of this process */

void scree_domain_most(const domain *d, int32_t count, real *x);
void scree_domain_least(const domain *d, int32_t count, real *x);
/* scree_domain_join sets maxima and sums over parts. Until then this part may change its numbers, but not move them. */
void scree_domain_put_most(domain *d, int32_t count, real *x);
void scree_domain_put_flag(domain *d, real *x); /* 0 or 1 */
void scree_domain_put_sum(domain *d, int32_t count, fixed *x);
void scree_domain_join(domain *d);
bool scree_domain_any(const domain *d, bool here);
/* the sum of `here` over all parts; all terms are nonnegative */
int64_t scree_domain_count(const domain *d, int64_t here);
/* Aborts the work unless the numbers joined in this phase are valid, since another part may send wrong numbers. Not
 * used in a world with one part: guards then report invalid numbers, and name the body. */
void scree_domain_need(const domain *d, bool right, const char *phase, const char *what);

/* Tests whether all parts have succeeded. If not, all parts report the same failure: the one with the smallest code
 * and, among equal codes, that of the first part with an error message. */
bool scree_domain_agree(const domain *d, bool here, fail *why);

/* A body, or a contact of two bodies, to be named by a failure. */
typedef struct suspect {
	real extent;		  /* extent of the violation; NO_SUSPECT if there is none in this part */
	uint64_t body, other; /* ids; 0 if there is no other body */
} suspect;
#define NO_SUSPECT (-(real)INFINITY)

/* Tests whether x takes precedence over y: its extent is greater, or the extents are equal and its ids are lower. */
bool scree_suspect_before(const suspect *x, const suspect *y);
/* Tests that no part of the world has a suspect that takes precedence over this one. */
bool scree_domain_names(const domain *d, const suspect *here);

#endif
