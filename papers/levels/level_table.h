/* level_table.h: maps the vertices and cells of a many-level grid to numbers, under which data are stored. */
#ifndef SCREE_PAPERS_LEVEL_TABLE_H
#define SCREE_PAPERS_LEVEL_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/* A vertex by its indices in its level, or a cell by the indices of its lowest corner. */
typedef struct level_place {
	int64_t at[3];
	int64_t level; /* -1: unused number */
} level_place;

/* A slot of the table; its tag is part of the hash. Most queries are for absent vertices or cells; thanks to the tag,
 * their positions need not be compared. */
typedef struct level_slot {
	uint32_t tag;
	int32_t number; /* index of the vertex or cell, plus 1; 0 if the slot is empty */
} level_slot;

/* Open addressing. A zeroed table is empty. */
typedef struct level_table {
	int32_t count, numbers, capacity; /* numbers in use; numbers assigned so far, including removed ones; capacity */
	level_place *place;				  /* [capacity] position of each number */
	int32_t spares, *spare;
	int64_t slots; /* a power of two, or 0 */
	level_slot *slot;
} level_table;

/* Returns the index of a vertex or cell, or -1 if it is absent. */
int32_t scree_level_table_find(const level_table *t, const level_place *p);
/* Adds a vertex or cell that is absent. May raise the capacity; the caller then enlarges its arrays indexed by
 * number. */
int32_t scree_level_table_add(level_table *t, const level_place *p);
void scree_level_table_remove(level_table *t, int32_t number);
void scree_level_table_free(level_table *t);

static inline bool same_place(const level_place *a, const level_place *b)
{
	return a->at[0] == b->at[0] && a->at[1] == b->at[1] && a->at[2] == b->at[2] && a->level == b->level;
}

#endif
