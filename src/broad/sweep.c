/* sweep: the incremental sort-and-update of Schinner (1999). The ends of all boxes stay sorted along each axis from
 * call to call. An insertion sort restores the order of the ends; pairs can begin or end only when a lower and an upper
 * end are exchanged. The rules and proofs are in docs/theory/broad.md.
 *
 * The cost is one pass over the ends, plus the exchanges. This cost does not depend on the sizes of boxes, and a
 * packing at rest needs no exchanges. If the exchanges of an axis cost more than a sort (as in a falling tower or a
 * very dense flow), all ends are sorted, and the pairs are compared with the stored pairs. */
#include "broad/phases.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/sort.h"

#include <string.h>

/* ------------------------------------------------------------------ a set of pairs of small numbers */

/* Open addressing with linear probing, at most half full. A removal needs no marker, since later entries are moved up.
 * Every slot of the table holds a pair (the lower number in the upper half) or is empty. All zero is an empty set. */
typedef struct pair_set {
	int64_t count, places; /* slots: number of slots, a power of two or 0 */
	uint64_t *key;		   /* [slots] */
} pair_set;

static const uint64_t PAIR_EMPTY = UINT64_MAX;

static uint64_t key_of(int32_t a, int32_t b)
{
	uint64_t low = (uint32_t)(a < b ? a : b), high = (uint32_t)(a < b ? b : a);
	return low << 32 | high;
}

/* Fibonacci hashing: the upper half of the product, which depends on all bits of the key. */
static int64_t home(const pair_set *s, uint64_t key)
{
	return (int64_t)(((key ^ key >> 32) * 0x9e3779b97f4a7c15ULL) >> 32 & (uint64_t)(s->places - 1));
}

/* Returns the slot of the key, or the empty slot to which the key belongs. */
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

/* returns true if the pair was absent */
static bool pair_set_add(pair_set *s, int32_t a, int32_t b)
{
	if (2 * (s->count + 1) > s->places) resize(s, s->places ? 2 * s->places : 64);
	uint64_t key = key_of(a, b);
	int64_t k = place_of(s, key);
	if (s->key[k] == key) return false;
	s->key[k] = key;
	s->count += 1;
	return true;
}

/* returns true if the pair was present */
static bool pair_set_remove(pair_set *s, int32_t a, int32_t b)
{
	if (!s->count) return false;
	uint64_t key = key_of(a, b);
	int64_t hole = place_of(s, key), mask = s->places - 1;
	if (s->key[hole] != key) return false;
	/* later entries move into the hole unless their home slot is between the hole and their present slot */
	for (int64_t k = (hole + 1) & mask; s->key[k] != PAIR_EMPTY; k = (k + 1) & mask) {
		if (((k - home(s, s->key[k])) & mask) < ((k - hole) & mask)) continue;
		s->key[hole] = s->key[k];
		hole = k;
	}
	s->key[hole] = PAIR_EMPTY;
	s->count -= 1;
	return true;
}

static bool pair_set_has(const pair_set *s, int32_t a, int32_t b)
{
	uint64_t key = key_of(a, b);
	return s->count && s->key[place_of(s, key)] == key;
}

/* Removes the pairs that contain a removed number a, which has row[a] < 0. */
static void pair_set_purge(pair_set *s, const int32_t *row)
{
	pair_set kept = {0};
	for (int64_t k = 0; k < s->places; ++k) {
		if (s->key[k] == PAIR_EMPTY) continue;
		int32_t a = (int32_t)(s->key[k] >> 32), b = (int32_t)(s->key[k] & 0xffffffff);
		if (row[a] >= 0 && row[b] >= 0) pair_set_add(&kept, a, b);
	}
	scree_free(s->key);
	*s = kept;
}

static void pair_set_clear(pair_set *s)
{
	s->count = 0;
	if (s->places) memset(s->key, 0xff, (size_t)s->places * sizeof *s->key);
}

static void pair_set_free(pair_set *s)
{
	scree_free(s->key);
	memset(s, 0, sizeof *s);
}

/* ------------------------------------------------------------------ memory */

/* An axis with n ends stops after PATIENCE n log2(n) exchanges; PATIENCE was measured (docs/theory/broad.md). */
enum { PATIENCE = 1 };

typedef struct sweep {
	box_numbers numbers;
	int32_t capacity;
	real (*side)[6];	 /* [capacity] by number */
	int axes;			 /* 2 or 3; 0 before the first call */
	int failures, skips; /* consecutive updates that stopped at the limit; coming searches that only sort */
	sweep_axis axis[3];
	pair_set pairs;
} sweep;

void *scree_sweep_make(void) { return scree_alloc(1, sizeof(sweep)); }

void scree_sweep_forget(void *memory)
{
	sweep *s = memory;
	for (int d = 0; d < 3; ++d) scree_sweep_axis_free(s->axis + d);
	pair_set_free(&s->pairs);
	scree_box_numbers_free(&s->numbers);
	SCREE_FREE_ALL(s->side, s);
}

/* Finds the number of each row, removes boxes that are gone and appends new boxes; returns the number of new boxes. */
static int32_t match(sweep *s, const box_list *l)
{
	box_changes c = scree_box_numbers_match(&s->numbers, l);
	if (c.gone) {
		for (int d = 0; d < s->axes; ++d) scree_sweep_purge(s->axis + d, s->numbers.row);
		pair_set_purge(&s->pairs, s->numbers.row);
	}
	scree_box_numbers_give(&s->numbers, l, &c);
	for (int32_t k = 0; k < c.come; ++k)
		for (int d = 0; d < s->axes; ++d) scree_sweep_append(s->axis + d, s->numbers.number[c.new_row[k]]);
	if (s->capacity < s->numbers.capacity) {
		s->side = scree_grow(s->side, (size_t)s->capacity, (size_t)s->numbers.capacity, sizeof *s->side);
		s->capacity = s->numbers.capacity;
	}
	int32_t come = c.come;
	scree_box_changes_free(&c);
	return come;
}

static void take_sides(sweep *s, const box_list *l)
{
	for (int32_t i = 0; i < l->count; ++i) {
		real *side = s->side[s->numbers.number[i]];
		for (int d = 0; d < 3; ++d) {
			side[d] = l->low[d][i];
			side[d + 3] = l->high[d][i];
			/* this test also fails for NaN; a lower end after its upper end would never be found again */
			SCREE_ASSERT(side[d] <= side[d + 3]);
		}
	}
}

/* ------------------------------------------------------------------ the two methods of sorting ends */

typedef struct axes_job {
	sweep *s;
	sweep_boxes boxes;
	int64_t limit;
	const int32_t *box; /* NULL: update */
} axes_job;

static void do_axes(void *what, int64_t from, int64_t to, SCREE_UNUSED int thread)
{
	axes_job *j = what;
	for (int64_t d = from; d < to; ++d) {
		if (j->box)
			scree_sweep_sort(j->s->axis + d, &j->boxes, (int)d, j->box, j->s->numbers.rows);
		else
			scree_sweep_update(j->s->axis + d, &j->boxes, (int)d, j->limit);
	}
}

static axes_job job_of(sweep *s)
{
	return (axes_job){.s = s, .boxes = {(const real(*)[6])s->side, s->numbers.id, s->axes}};
}

/* Tests whether the list of pairs differs from the stored pairs. */
static bool is_news(const sweep *s, const box_pairs *found)
{
	if (found->count != s->pairs.count) return true;
	for (int64_t k = 0; k < found->count; ++k)
		if (!pair_set_has(&s->pairs, s->numbers.number[found->pair[k][0]], s->numbers.number[found->pair[k][1]]))
			return true;
	return false;
}

static bool sort_all(sweep *s, broad_counts *count, const box_list *l)
{
	sort_item *item = scree_alloc((size_t)l->count, sizeof *item);
	int32_t *box = scree_alloc((size_t)l->count, sizeof *box);
	for (int32_t i = 0; i < l->count; ++i) item[i] = (sort_item){box_id(l, i), s->numbers.number[i]};
	scree_sort_alone(item, l->count);
	for (int32_t i = 0; i < l->count; ++i) box[i] = item[i].value;
	axes_job j = job_of(s);
	j.box = box;
	if (l->count) scree_parallel(do_axes, &j, s->axes, 1);
	SCREE_FREE_ALL(item, box);

	broad_search once = {0};
	box_pairs found = {0};
	scree_sort_sweep_find(&once, l, true, &found);
	bool news = is_news(s, &found);
	if (news) pair_set_clear(&s->pairs);
	for (int64_t k = 0; news && k < found.count; ++k)
		pair_set_add(&s->pairs, s->numbers.number[found.pair[k][0]], s->numbers.number[found.pair[k][1]]);
	scree_box_pairs_free(&found);
	count->comparisons += once.count.comparisons;
	count->fallbacks += 1;
	return news;
}

/* Applies the changes found by the axes, one axis after the other. The order of axes has no effect: no axis removes a
 * pair that meets on all axes, and an axis that adds any other pair also removes it. */
static bool apply(sweep *s, broad_counts *count)
{
	bool news = false;
	for (int d = 0; d < s->axes; ++d) {
		const sweep_axis *a = s->axis + d;
		for (int64_t k = 0; k < a->changes; ++k) {
			const pair_change *c = a->change + k;
			bool done = c->add ? pair_set_add(&s->pairs, c->a, c->b) : pair_set_remove(&s->pairs, c->a, c->b);
			news |= done;
			*(c->add ? &count->adds : &count->removes) += done;
		}
	}
	return news;
}

static int64_t limit_of(int64_t ends)
{
	int64_t digits = 0;
	while (ends >> digits > 0) ++digits;
	return PATIENCE * ends * digits;
}

/* Records whether an update stopped at its limit. Trying an update in each step of a dense flow doubles the cost. */
static void note_outcome(sweep *s, bool gave_up)
{
	enum { MOST = 6 };
	s->failures = !gave_up ? 0 : s->failures < MOST ? s->failures + 1 : MOST;
	s->skips = s->failures < 2 ? 0 : 1 << s->failures;
}

static bool update(sweep *s, broad_search *search, const box_list *l, int32_t come)
{
	int64_t ends = 2 * (int64_t)l->count;
	axes_job j = job_of(s);
	j.limit = search->patient ? INT64_MAX : limit_of(ends);
	/* each end of a new box passes about half of all ends */
	bool hopeless = come * ends > j.limit || s->skips > 0;
	if (!search->patient && hopeless) {
		s->skips -= s->skips > 0 ? 1 : 0;
		return sort_all(s, &search->count, l);
	}
	scree_parallel(do_axes, &j, s->axes, 1);
	bool gave_up = false;
	for (int d = 0; d < s->axes; ++d) {
		search->count.exchanges += s->axis[d].exchanges;
		gave_up |= s->axis[d].gave_up;
	}
	note_outcome(s, gave_up);
	return gave_up ? sort_all(s, &search->count, l) : apply(s, &search->count);
}

static void list_pairs(const sweep *s, box_pairs *out)
{
	out->count = 0;
	for (int64_t k = 0; k < s->pairs.places; ++k) {
		uint64_t key = s->pairs.key[k];
		if (key != PAIR_EMPTY) scree_box_pairs_add(out, s->numbers.row[key >> 32], s->numbers.row[key & 0xffffffff]);
	}
}

bool scree_sweep_find(broad_search *search, const box_list *l, bool all, box_pairs *out)
{
	sweep *s = search->memory;
	int axes = l->flat ? 2 : 3;
	bool first = s->axes != axes;
	if (first) {
		scree_sweep_forget(s);
		search->memory = s = scree_sweep_make();
		s->axes = axes;
	}
	int64_t known = s->pairs.count;
	int32_t come = match(s, l);
	bool news = s->pairs.count != known; /* this also removes the pairs of removed boxes */
	take_sides(s, l);
	news |= first ? sort_all(s, &search->count, l) : update(s, search, l, come);
	news |= first;
	if (news || all) list_pairs(s, out);
	return news || all;
}
