/* contacts_by_id.h: contacts in an order that depends only on the state. The row order of contacts depends on when
 * the last search for pairs took place. */
#ifndef SCREE_FORMAT_CONTACTS_BY_ID_H
#define SCREE_FORMAT_CONTACTS_BY_ID_H

#include <stdint.h>

struct scree_world;

/* Returns the rows of the contacts that this part of the world counts, for one kind of pair, in ascending order of keys
 * (state/contact_key.h); freed with scree_free. */
int64_t *scree_contacts_by_id(const struct scree_world *w, int kind, int32_t *count);

#endif
