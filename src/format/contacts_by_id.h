/* contacts_by_id.h: contacts in an order that the state alone gives; where their rows lie depends on when pairs were
 * last found. */
#ifndef SCREE_FORMAT_CONTACTS_BY_ID_H
#define SCREE_FORMAT_CONTACTS_BY_ID_H

#include "state/contact_key.h"

struct scree_world;

typedef struct contact_by_id {
	contact_key key;
	int64_t row;
} contact_by_id;

/* What touches of one kind of pairs and is counted here, by rising keys; to be freed with scree_free. */
contact_by_id *scree_contacts_by_id(const struct scree_world *w, int kind, int32_t *count);

#endif
