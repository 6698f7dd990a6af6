#include "bisect.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/sort.h"

typedef struct bisection {
	const weighted_points *p;
	random_stream r;
	int32_t *part;
} bisection;

/* Returns the number of rows, sorted along an axis, that account for this share of the work; rows with equal
 * coordinates stay together. */
static int32_t count_lower(const bisection *o, const point_row *row, int32_t count, real share)
{
	real all = 0, sum = 0;
	int32_t n = 0;
	for (int32_t k = 0; k < count; ++k) all += o->p->row[row[k].row].work;
	while (n < count && (sum < share * all || (n && row[n].p.x == row[n - 1].p.x))) sum += o->p->row[row[n++].row].work;
	return n;
}

/* Divides points among the parts first .. first+parts-1. */
static void halve(bisection *o, int32_t first, int32_t parts, point_row *row, int32_t count)
{
	const int32_t axis = (int32_t)(scree_random_bits(&o->r) % 3), half = parts / 2;
	const real even = (real)half / parts, share = scree_random_bits(&o->r) % 4 ? even : scree_random_real(&o->r);
	if (parts == 1) {
		for (int32_t k = 0; k < count; ++k) o->part[row[k].row] = first;
		return;
	}
	for (int32_t k = 0; k < count; ++k) row[k].p = v3(v3_part(o->p->row[row[k].row].at, axis), 0, 0);
	scree_sort_by(row, count, sizeof *row, scree_sort_points);
	const int32_t lower = count_lower(o, row, count, share);
	halve(o, first, half, row, lower);
	halve(o, first + half, parts - half, row + lower, count - lower);
}

bool bisect(int32_t parts, const weighted_points *p, int32_t *part, fail *why)
{
	(void)why;
	bisection o = {p, scree_random_start(scree_hash(p->row, (size_t)p->count * sizeof *p->row), 1), part};
	point_row *row = scree_alloc((size_t)p->count, sizeof *row);
	for (int32_t k = 0; k < p->count; ++k) row[k].row = k;
	halve(&o, 0, parts, row, (int32_t)p->count);
	scree_free(row);
	return true;
}
