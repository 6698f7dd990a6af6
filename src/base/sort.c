#include "base/sort.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void scree_sort(sort_item *items, sort_item *tmp, int64_t count)
{
	uint64_t varies = 0;
	for (int64_t i = 1; i < count; ++i) varies |= items[i].key ^ items[0].key;
	sort_item *from = items, *to = tmp;
	for (int shift = 0; shift < 64; shift += 8) {
		if (!(varies >> shift & 0xff)) continue; /* all keys have the same digit in this position */
		int64_t start[256] = {0};
		for (int64_t i = 0; i < count; ++i) ++start[from[i].key >> shift & 0xff];
		int64_t sum = 0;
		for (int d = 0; d < 256; ++d) {
			int64_t n = start[d];
			start[d] = sum;
			sum += n;
		}
		for (int64_t i = 0; i < count; ++i) to[start[from[i].key >> shift & 0xff]++] = from[i];
		SCREE_SWAP(from, to);
	}
	if (from != items) memcpy(items, from, (size_t)count * sizeof *items);
}

void scree_sort_alone(sort_item *items, int64_t count)
{
	sort_item *tmp = scree_alloc((size_t)count, sizeof *tmp);
	scree_sort(items, tmp, count);
	scree_free(tmp);
}

void scree_sort_short(sort_item *items, int64_t count)
{
	if (count > 48) {
		scree_sort_alone(items, count);
		return;
	}
	for (int64_t i = 1; i < count; ++i) {
		sort_item x = items[i];
		int64_t k = i;
		for (; k > 0 && items[k - 1].key > x.key; --k) items[k] = items[k - 1];
		items[k] = x;
	}
}

int64_t scree_sort_find(const sort_item *items, int64_t low, int64_t high, uint64_t key)
{
	while (low < high) {
		int64_t mid = low + (high - low) / 2;
		if (items[mid].key < key)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void scree_sort_by(void *items, int64_t count, size_t size, int (*order)(const void *, const void *))
{
	if (count > 1) qsort(items, (size_t)count, size, order);
}

int scree_sort_rising(const void *a, const void *b)
{
	const real x = *(const real *)a, y = *(const real *)b;
	return x < y ? -1 : x > y;
}

static int order_of(const int32_t *a, const int32_t *b, int count)
{
	for (int k = 0; k < count; ++k)
		if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
	return 0;
}

int scree_sort_one(const void *a, const void *b) { return order_of(a, b, 1); }
int scree_sort_two(const void *a, const void *b) { return order_of(a, b, 2); }
int scree_sort_three(const void *a, const void *b) { return order_of(a, b, 3); }
int scree_sort_four(const void *a, const void *b) { return order_of(a, b, 4); }

int scree_sort_largest(const void *a, const void *b)
{
	const sized *x = a, *y = b;
	if (x->size != y->size) return x->size > y->size ? -1 : 1;
	return order_of(x->row, y->row, 2);
}

int scree_sort_points(const void *a, const void *b)
{
	const point_row *p = a, *q = b;
	if (p->p.x != q->p.x) return p->p.x < q->p.x ? -1 : 1;
	if (p->p.y != q->p.y) return p->p.y < q->p.y ? -1 : 1;
	if (p->p.z != q->p.z) return p->p.z < q->p.z ? -1 : 1;
	return p->row < q->row ? -1 : p->row > q->row;
}
