#include "ranks/division/records.h"

#include "base/memory.h"
#include "base/sort.h"
#include "state/kept_contacts.h"
#include "state/pairs.h"

#include <string.h>

static int32_t columns_of(const pair_list *l)
{
	int32_t columns = 0;
	for (int f = 0; f < scree_history_table.count; ++f) columns += scree_pair_has(l, f);
	return columns;
}

size_t scree_contact_bytes(const pair_list *l) { return sizeof(contact_key) + (size_t)columns_of(l) * sizeof(real); }

char *scree_contact_put(char *to, const contact_key *key, const pair_list *l, int64_t k)
{
	memcpy(to, key, sizeof *key);
	to += sizeof *key;
	for (int f = 0; f < scree_history_table.count; ++f) {
		if (!scree_pair_has(l, f)) continue;
		memcpy(to, (real *)scree_field_array(l, scree_history_table.row + f) + k, sizeof(real));
		to += sizeof(real);
	}
	return to;
}

const char *scree_contact_get(kept_contacts *to, int kind, int64_t k, const char *from)
{
	const pair_list *l = to->history + kind;
	memcpy(to->key[kind] + k, from, sizeof(contact_key));
	from += sizeof(contact_key);
	for (int f = 0; f < scree_history_table.count; ++f) {
		if (!scree_pair_has(l, f)) continue;
		memcpy((real *)scree_field_array(l, scree_history_table.row + f) + k, from, sizeof(real));
		from += sizeof(real);
	}
	return from;
}

char *scree_records_add(record_list *l, int64_t more)
{
	l->bytes = scree_room_for(l->bytes, l->count, more, &l->room, l->each);
	l->count += more;
	return l->bytes + (size_t)(l->count - more) * l->each;
}

bool scree_records_append(record_list *l, size_t size, const void *bytes)
{
	if (size % l->each) return false;
	if (size) memcpy(scree_records_add(l, (int64_t)(size / l->each)), bytes, size);
	return true;
}

static int by_key(const void *a, const void *b) { return contact_key_order(a, b); }

void scree_records_sort(record_list *l)
{
	int64_t count = 0;
	scree_sort_by(l->bytes, l->count, l->each, by_key);
	for (int64_t k = 0; k < l->count; ++k) {
		const char *from = l->bytes + (size_t)k * l->each;
		if (count && !by_key(from - l->each, from)) continue;
		memmove(l->bytes + (size_t)count++ * l->each, from, l->each);
	}
	l->count = count;
}
