/* contacts_by_id.h: contacts in an order that depends only on the state, not on when pairs were last found. */
#ifndef SCREE_FORMAT_CONTACTS_BY_ID_H
#define SCREE_FORMAT_CONTACTS_BY_ID_H

#include <stdint.h>

struct scree_world;

/* Rows of contacts of one kind that this part of the world counts, sorted by key; freed with scree_free. */
int64_t *scree_contacts_by_id(const struct scree_world *w, int kind, int32_t *count);

#endif
