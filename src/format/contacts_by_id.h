/* contacts_by_id.h: contacts in an order that follows from the state alone. The order of rows depends on the time of
 * the last search for pairs. */
#ifndef SCREE_FORMAT_CONTACTS_BY_ID_H
#define SCREE_FORMAT_CONTACTS_BY_ID_H

#include "base/real.h"

struct scree_world;

/* A contact as files show it. */
typedef struct contact_entry {
	uint64_t a, b; /* ids; b: 0 for a wall */
	int32_t wall;  /* row of the wall; -1: two bodies */
	int32_t material[2];
	vec3 at, normal; /* m, of the world; from b to a */
	vec3 force;		 /* N, on a */
	real normal_force, tangential_force, overlap;
} contact_entry;
contact_entry scree_contact_entry(const struct scree_world *w, int kind, int64_t k);

/* Rows of contacts of one kind of pairs that this part of the world counts, by rising keys (state/contact_key.h); freed
 * with scree_free. */
int64_t *scree_contacts_by_id(const struct scree_world *w, int kind, int32_t *count);

#endif
