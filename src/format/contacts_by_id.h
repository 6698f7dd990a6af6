/* contacts_by_id.h: contacts in an order that the state alone gives; where their rows lie depends on when pairs were
 * last found. */
#ifndef SCREE_FORMAT_CONTACTS_BY_ID_H
#define SCREE_FORMAT_CONTACTS_BY_ID_H

#include <stdint.h>

struct scree_world;

/* Rows of what touches of one kind of pairs and is counted here, by rising keys (state/contact_key.h); to be freed with
 * scree_free. */
int64_t *scree_contacts_by_id(const struct scree_world *w, int kind, int32_t *count);

#endif
