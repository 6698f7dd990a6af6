/* records.h: contacts as flat records, which travel between ranks: the key, then the history. */
#ifndef SCREE_RANKS_DIVISION_RECORDS_H
#define SCREE_RANKS_DIVISION_RECORDS_H

#include "prepare/prepare.h"

/* Rows of bytes. Contacts of one kind: each as scree_contact_put writes it, and what the owner of the list adds. */
typedef struct record_list {
	size_t each; /* bytes per row */
	int64_t count, room;
	char *bytes;
} record_list;

size_t scree_contact_bytes(const pair_list *l);
/* Writes key and history of row k; returns the end. */
char *scree_contact_put(char *to, const contact_key *key, const pair_list *l, int64_t k);
/* Reads them into contact k of this kind; returns the end. */
const char *scree_contact_get(kept_contacts *to, int kind, int64_t k, const char *from);

/* Adds rows, to be written to the memory that it returns. */
char *scree_records_add(record_list *l, int64_t more);
/* Adds the rows in these bytes; false: they end within a row. */
bool scree_records_append(record_list *l, size_t size, const void *bytes);
/* Sorts contacts by key, each once. */
void scree_records_sort(record_list *l);

#endif
