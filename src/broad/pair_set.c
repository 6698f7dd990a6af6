/* pair_set: linear probing, at most half full. Removal leaves no mark, since later entries are moved up. */
#include "broad/pair_set.h"

#include "base/memory.h"

#include <string.h>

static uint64_t key_of(int32_t a, int32_t b)
{
	uint64_t low = (uint32_t)(a < b ? a : b), high = (uint32_t)(a < b ? b : a);
	return low << 32 | high;
}

/* Fibonacci hashing: the upper half of the product, which depends on all bits of the key. */
static int64_t home(const pair_set *s, uint64_t key)
{
	uint64_t mixed = (key ^ key >> 32) * 0x9e3779b97f4a7c15ULL;
	return (int64_t)(mixed >> 32 & (uint64_t)(s->places - 1));
}

/* The slot of the key, or the empty slot for it. */
static int64_t place_of(const pair_set *s, uint64_t key)
{
	int64_t k = home(s, key);
	while (s->key[k] != key && s->key[k] != PAIR_EMPTY) k = (k + 1) & (s->places - 1);
	return k;
}

static void resize(pair_set *s, int64_t places)
{
	pair_set old = *s;
	s->places = places;
	s->key = scree_alloc((size_t)places, sizeof *s->key);
	memset(s->key, 0xff, (size_t)places * sizeof *s->key);
	for (int64_t k = 0; k < old.places; ++k)
		if (old.key[k] != PAIR_EMPTY) s->key[place_of(s, old.key[k])] = old.key[k];
	scree_free(old.key);
}

bool scree_pair_set_add(pair_set *s, int32_t a, int32_t b)
{
	if (2 * (s->count + 1) > s->places) resize(s, s->places ? 2 * s->places : 64);
	uint64_t key = key_of(a, b);
	int64_t k = place_of(s, key);
	if (s->key[k] == key) return false;
	s->key[k] = key;
	s->count += 1;
	return true;
}

bool scree_pair_set_remove(pair_set *s, int32_t a, int32_t b)
{
	if (!s->count) return false;
	uint64_t key = key_of(a, b);
	int64_t hole = place_of(s, key), mask = s->places - 1;
	if (s->key[hole] != key) return false;
	/* later entries move into the hole unless their home is between the hole and their slot */
	for (int64_t k = (hole + 1) & mask; s->key[k] != PAIR_EMPTY; k = (k + 1) & mask) {
		if (((k - home(s, s->key[k])) & mask) < ((k - hole) & mask)) continue;
		s->key[hole] = s->key[k];
		hole = k;
	}
	s->key[hole] = PAIR_EMPTY;
	s->count -= 1;
	return true;
}

bool scree_pair_set_has(const pair_set *s, int32_t a, int32_t b)
{
	uint64_t key = key_of(a, b);
	return s->count && s->key[place_of(s, key)] == key;
}

void scree_pair_set_purge(pair_set *s, const int32_t *row)
{
	pair_set kept = {0};
	for (int64_t k = 0; k < s->places; ++k) {
		if (s->key[k] == PAIR_EMPTY) continue;
		int32_t a = (int32_t)(s->key[k] >> 32), b = (int32_t)(s->key[k] & 0xffffffff);
		if (row[a] >= 0 && row[b] >= 0) scree_pair_set_add(&kept, a, b);
	}
	scree_free(s->key);
	*s = kept;
}

void scree_pair_set_clear(pair_set *s)
{
	s->count = 0;
	if (s->places) memset(s->key, 0xff, (size_t)s->places * sizeof *s->key);
}

void scree_pair_set_free(pair_set *s)
{
	scree_free(s->key);
	memset(s, 0, sizeof *s);
}
