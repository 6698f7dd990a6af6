/* kept_contacts.h: keeps the histories of contacts, without rows, while bodies and pairs change. */
#ifndef SCREE_STATE_KEPT_CONTACTS_H
#define SCREE_STATE_KEPT_CONTACTS_H

#include "state/contact_key.h"
#include "state/pairs.h"

/* Histories of contacts, sorted by key, for scree_world_restore_contacts (prepare/prepare.h). */
struct kept_contacts {
	int64_t count[PAIR_KINDS];
	contact_key *key[PAIR_KINDS];
	pair_list history[PAIR_KINDS];
};

#endif
