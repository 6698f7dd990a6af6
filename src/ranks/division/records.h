/* records.h: contacts as flat records, which are sent between ranks: the key, then the history. */
#ifndef SCREE_RANKS_DIVISION_RECORDS_H
#define SCREE_RANKS_DIVISION_RECORDS_H

#include "prepare/prepare.h"

/* Rows of bytes: contacts of one kind, each as written by scree_contact_put, then data of the list's owner. */
typedef struct record_list {
	size_t each; /* bytes per row */
	int64_t count, room;
	char *bytes;
} record_list;

size_t scree_contact_bytes(const pair_list *l);
/* Writes the key and the history of row k; returns the end. */
char *scree_contact_put(char *to, const contact_key *key, const pair_list *l, int64_t k);
/* Reads a key and a history into contact k of this kind; returns the end. */
const char *scree_contact_get(kept_contacts *to, int kind, int64_t k, const char *from);

/* Adds rows, and returns the memory to which the caller writes them. */
char *scree_records_add(record_list *l, int64_t more);
/* Adds the rows in these bytes; returns false if the bytes end within a row. */
bool scree_records_append(record_list *l, size_t size, const void *bytes);
/* Sorts contacts by key and drops duplicates. */
void scree_records_sort(record_list *l);

#endif
