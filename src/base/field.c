#include "base/field.h"

#include "base/memory.h"

#include <string.h>

size_t scree_kind_size(kind type) { return type == KIND_I32 ? 4 : 8; }

void *scree_field_array(const void *store, const field *f)
{
	void *p;
	memcpy(&p, (const char *)store + f->at, sizeof p);
	return p;
}

static void set_array(void *store, const field *f, void *p) { memcpy((char *)store + f->at, &p, sizeof p); }

void scree_fields_grow(field_table table, void *store, int64_t used, int64_t count)
{
	for (int k = 0; k < table.count; ++k) {
		const field *f = table.row + k;
		set_array(store, f,
				  scree_grow(scree_field_array(store, f), (size_t)used, (size_t)count, scree_kind_size(f->type)));
	}
}

void scree_fields_permute(field_table table, void *store, const int32_t *order, int64_t count, void *tmp)
{
	if (!count) return; /* arrays without rows may be null, and passing a null pointer to memcpy is not allowed */
	for (int k = 0; k < table.count; ++k) {
		const field *f = table.row + k;
		if (f->type == KIND_I32) {
			int32_t *from = scree_field_array(store, f), *to = tmp;
			for (int64_t i = 0; i < count; ++i) to[i] = from[order[i]];
			memcpy(from, to, (size_t)count * sizeof *to);
		} else {
			uint64_t *from = scree_field_array(store, f), *to = tmp;
			for (int64_t i = 0; i < count; ++i) to[i] = from[order[i]];
			memcpy(from, to, (size_t)count * sizeof *to);
		}
	}
}

void scree_fields_copy(field_table table, void *store, int64_t to, int64_t from)
{
	for (int k = 0; k < table.count; ++k) {
		const field *f = table.row + k;
		size_t size = scree_kind_size(f->type);
		char *array = scree_field_array(store, f);
		memcpy(array + (size_t)to * size, array + (size_t)from * size, size);
	}
}

void scree_fields_clear(field_table table, void *store, int64_t from, int64_t to)
{
	for (int k = 0; k < table.count; ++k) {
		const field *f = table.row + k;
		size_t size = scree_kind_size(f->type);
		if (to > from) memset((char *)scree_field_array(store, f) + (size_t)from * size, 0, (size_t)(to - from) * size);
	}
}

void scree_fields_free(field_table table, void *store)
{
	for (int k = 0; k < table.count; ++k) {
		scree_free(scree_field_array(store, table.row + k));
		set_array(store, table.row + k, NULL);
	}
}
