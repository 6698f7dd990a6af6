#include "broad/phases.h"

#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

static int32_t give_number(box_numbers *n, uint64_t id)
{
	if (n->spares) {
		int32_t again = n->spare[--n->spares];
		n->id[again] = id;
		return again;
	}
	if (n->count == n->capacity) {
		int32_t capacity = n->capacity + n->capacity / 2 + 64;
		size_t old = (size_t)n->capacity, room = (size_t)capacity;
		n->id = scree_grow(n->id, old, room, sizeof *n->id);
		n->row = scree_grow(n->row, old, room, sizeof *n->row);
		n->spare = scree_grow(n->spare, old, room, sizeof *n->spare);
		n->capacity = capacity;
	}
	n->id[n->count] = id;
	return n->count++;
}

/* Rows of this call, and numbers of the last call, whose box is not in the same row in both calls. */
typedef struct strays {
	int32_t rows, numbers;
	sort_item *row, *number;
} strays;

static strays find_strays(box_numbers *n, const box_list *l)
{
	strays o = {.row = scree_alloc((size_t)l->count, sizeof *o.row),
				.number = scree_alloc((size_t)n->rows, sizeof *o.number)};
	int32_t most = l->count > n->rows ? l->count : n->rows;
	for (int32_t i = 0; i < most; ++i) {
		bool was = i < n->rows, is = i < l->count;
		if (was && is && n->id[n->number[i]] == box_id(l, i)) {
			n->row[n->number[i]] = i;
			continue;
		}
		if (was) o.number[o.numbers++] = (sort_item){n->id[n->number[i]], n->number[i]};
		if (is) o.row[o.rows++] = (sort_item){box_id(l, i), i};
	}
	scree_sort_alone(o.row, o.rows);
	scree_sort_alone(o.number, o.numbers);
	return o;
}

static void reserve_rows(box_numbers *n, int32_t count)
{
	if (count <= n->row_capacity) return;
	int32_t capacity = count + count / 4;
	n->number = scree_grow(n->number, (size_t)n->rows, (size_t)capacity, sizeof *n->number);
	n->row_capacity = capacity;
}

box_changes scree_box_numbers_match(box_numbers *n, const box_list *l)
{
	strays o = find_strays(n, l);
	box_changes c = {.number = scree_alloc((size_t)o.numbers, sizeof *c.number),
					 .new_row = scree_alloc((size_t)o.rows, sizeof *c.new_row)};
	int32_t k = 0;
	reserve_rows(n, l->count);
	for (int32_t r = 0; r < o.rows; ++r) {
		for (; k < o.numbers && o.number[k].key < o.row[r].key; ++k) c.number[c.gone++] = o.number[k].value;
		bool known = k < o.numbers && o.number[k].key == o.row[r].key;
		if (known) {
			n->number[o.row[r].value] = o.number[k].value;
			n->row[o.number[k++].value] = o.row[r].value;
		} else {
			c.new_row[c.come++] = o.row[r].value;
		}
	}
	for (; k < o.numbers; ++k) c.number[c.gone++] = o.number[k].value;
	for (k = 0; k < c.gone; ++k) n->row[c.number[k]] = -1;
	n->rows = l->count;
	SCREE_FREE_ALL(o.row, o.number);
	return c;
}

void scree_box_numbers_give(box_numbers *n, const box_list *l, const box_changes *c)
{
	for (int32_t k = 0; k < c->gone; ++k) n->spare[n->spares++] = c->number[k];
	for (int32_t k = 0; k < c->come; ++k) {
		int32_t i = c->new_row[k], number = give_number(n, box_id(l, i));
		n->number[i] = number;
		n->row[number] = i;
	}
}

void scree_box_changes_free(box_changes *c)
{
	SCREE_FREE_ALL(c->number, c->new_row);
	memset(c, 0, sizeof *c);
}

void scree_box_numbers_free(box_numbers *n)
{
	SCREE_FREE_ALL(n->number, n->id, n->row, n->spare);
	memset(n, 0, sizeof *n);
}
