/* domain.h: a world may be divided among several processes. Each owns some of its bodies and has ghosts of those of
 * others that may touch them (state/bodies.h); walls, materials, sources and whatever else a world has stands in all of
 * them. What they have to do together goes through the table below; nothing else of a step knows that there are others.
 *
 * Who owns a body computes its contacts, those with ghosts too: the other owner computes these once more, with the same
 * bits, so that no force travels. The ledger of each part is its share; the whole is their sum, and what all parts know
 * alike is added by the first one. Every function is called by all parts at the same point of a step. */
#ifndef SCREE_DOMAIN_DOMAIN_H
#define SCREE_DOMAIN_DOMAIN_H

#include "base/fixed.h"
#include "base/real.h"

#include <stddef.h>

struct state;

/* A way to divide a world. `at` is what it keeps of this part. */
typedef struct domain_row {
	const char *name, *help;
	/* each number becomes the greatest that any part gave; NaN is greater than all */
	void (*most)(void *at, int32_t count, real *x);
	/* each becomes the sum of all parts */
	void (*add)(void *at, int32_t count, fixed *x);
	/* What all parts gave, in the order of parts: rows of this size, to be freed with scree_free. count: of this part
	 * before, of all after. */
	void *(*gather)(void *at, int64_t *count, size_t size, const void *rows);
	/* is a body that appears here this part's? */
	bool (*owns)(void *at, vec3 position);
	/* Ghosts as bodies lie now, in place of those of before; at a search for pairs. NULL: there are no others. */
	void (*renew)(void *at, struct state *s);
	/* the same ghosts as their owners have them now: after the drift of a step without a search, and after the kick */
	void (*refresh)(void *at, struct state *s);
} domain_row;

/* Which part of a world this is. */
typedef struct domain {
	const domain_row *by;
	void *at;
	bool first; /* adds what all parts know alike */
} domain;

extern const domain_row scree_domain_one; /* the whole is one part */

void scree_domain_most(const domain *d, int32_t count, real *x);
void scree_domain_least(const domain *d, int32_t count, real *x);
bool scree_domain_any(const domain *d, bool here);
int64_t scree_domain_count(const domain *d, int64_t here); /* the sum of all parts */

#endif
