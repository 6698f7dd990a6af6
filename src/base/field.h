/* field.h: arrays described by rows of a table. Growing, sorting, saving, hashing and comparing a store are loops over
 * its table; no other list of its arrays exists. */
#ifndef SCREE_BASE_FIELD_H
#define SCREE_BASE_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* When another process receives a copy of an array. Each value up to SHARE_OWNER includes the values above it. */
typedef enum share {
	SHARE_STEP,	 /* ghosts need the array in every step             */
	SHARE_AHEAD, /* ghosts need the array in every implicit step    */
	SHARE_BIRTH, /* ghosts need the array once, when they appear */
	SHARE_OWNER, /* only a new owner needs the array             */
	SHARE_NEVER	 /* recomputed in each step */
} share;

typedef enum kind { KIND_F64, KIND_I32, KIND_U64 } kind;

typedef struct field {
	const char *name, *unit, *help;
	size_t at; /* offset in the store of the pointer to the array */
	kind type;
	share when;
	bool saved;		/* part of a snapshot and of the state's hash */
	uint32_t group; /* for optional arrays: bits that the store interprets; 0 if always present */
} field;

typedef struct field_table {
	const field *row;
	int count;
} field_table;

size_t scree_kind_size(kind type);
void *scree_field_array(const void *store, const field *f);
/* Makes room for `count` items in every array of the store; keeps the first `used` items. */
void scree_fields_grow(field_table table, void *store, int64_t used, int64_t count);
/* moves item order[k] to position k, for k in 0 .. count-1; tmp holds at least 8*count bytes */
void scree_fields_permute(field_table table, void *store, const int32_t *order, int64_t count, void *tmp);
void scree_fields_copy(field_table table, void *store, int64_t to, int64_t from);
void scree_fields_clear(field_table table, void *store, int64_t from, int64_t to);
void scree_fields_free(field_table table, void *store);

#endif
