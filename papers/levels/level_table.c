/* level_table: a hash table with linear probing, at most half full; removal leaves no markers, since later entries are
 * moved up. */
#include "papers/levels/level_table.h"

#include "base/memory.h"

#include <string.h>

/* Fibonacci hashing: the product depends on all bits. The upper half of the product is the home slot, and the lower
 * half is the tag. */
static uint64_t hash_of(const level_place *p)
{
	uint64_t mixed = (uint64_t)p->at[0] * 0x9e3779b97f4a7c15ULL + (uint64_t)p->at[1] * 0xc2b2ae3d27d4eb4fULL +
					 (uint64_t)p->at[2] * 0x165667b19e3779f9ULL + (uint64_t)p->level * 0xd6e8feb86659fd93ULL;
	return (mixed ^ mixed >> 32) * 0x9e3779b97f4a7c15ULL;
}

static int64_t home(const level_table *t, const level_place *p)
{
	return (int64_t)(hash_of(p) >> 32 & (uint64_t)(t->slots - 1));
}

/* The slot of a vertex or cell, or an empty slot where it can be stored. */
static int64_t slot_of(const level_table *t, const level_place *p, uint64_t hash)
{
	int64_t k = (int64_t)(hash >> 32 & (uint64_t)(t->slots - 1));
	uint32_t tag = (uint32_t)hash;
	for (; t->slot[k].number; k = (k + 1) & (t->slots - 1))
		if (t->slot[k].tag == tag && same_place(t->place + t->slot[k].number - 1, p)) break;
	return k;
}

static void fill(level_table *t, int32_t number)
{
	uint64_t hash = hash_of(t->place + number);
	t->slot[slot_of(t, t->place + number, hash)] = (level_slot){(uint32_t)hash, number + 1};
}

static void widen(level_table *t)
{
	scree_free(t->slot);
	t->slots = t->slots ? 2 * t->slots : 64;
	t->slot = scree_alloc((size_t)t->slots, sizeof *t->slot);
	for (int32_t n = 0; n < t->numbers; ++n)
		if (t->place[n].level >= 0) fill(t, n);
}

static void reserve(level_table *t)
{
	if (t->numbers < t->capacity) return;
	int32_t capacity = t->capacity + t->capacity / 2 + 64;
	t->place = scree_grow(t->place, (size_t)t->capacity, (size_t)capacity, sizeof *t->place);
	t->spare = scree_grow(t->spare, (size_t)t->capacity, (size_t)capacity, sizeof *t->spare);
	t->capacity = capacity;
}

int32_t scree_level_table_find(const level_table *t, const level_place *p)
{
	return t->count ? t->slot[slot_of(t, p, hash_of(p))].number - 1 : -1;
}

int32_t scree_level_table_add(level_table *t, const level_place *p)
{
	reserve(t);
	if (2 * ((int64_t)t->count + 1) > t->slots) widen(t);
	int32_t number = t->spares ? t->spare[--t->spares] : t->numbers++;
	t->place[number] = *p;
	fill(t, number);
	t->count += 1;
	return number;
}

void scree_level_table_remove(level_table *t, int32_t number)
{
	const level_place *p = t->place + number;
	int64_t hole = slot_of(t, p, hash_of(p)), mask = t->slots - 1;
	/* later entries are moved into the hole unless their home is between the hole and their slot */
	for (int64_t k = (hole + 1) & mask; t->slot[k].number; k = (k + 1) & mask) {
		if (((k - home(t, t->place + t->slot[k].number - 1)) & mask) < ((k - hole) & mask)) continue;
		t->slot[hole] = t->slot[k];
		hole = k;
	}
	t->slot[hole] = (level_slot){0, 0};
	t->place[number].level = -1;
	t->spare[t->spares++] = number;
	t->count -= 1;
}

void scree_level_table_free(level_table *t)
{
	scree_free(t->place);
	scree_free(t->spare);
	scree_free(t->slot);
	memset(t, 0, sizeof *t);
}
