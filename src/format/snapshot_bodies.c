/* snapshot_bodies: bodies in the order of their ids, by the table of their fields, and what contacts remember, in the
 * order of their keys: two worlds of one state give the same bytes, however their rows lie.
 *
 * The columns carry their names and types, so that a build with other fields says which one it misses. */
#include "format/snapshot_parts.h"

#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

static int saved_fields(field_table t)
{
	int n = 0;
	for (int f = 0; f < t.count; ++f) n += t.row[f].saved ? 1 : 0;
	return n;
}

/* name and type of each column; NULL where the table has none of the name */
static const field *column_head(snap_io *s, field_table t, const field *f)
{
	char name[32] = "";
	int32_t type = 0;
	if (!s->reading) {
		memcpy(name, f->name, strlen(f->name) + 1);
		type = (int32_t)f->type;
	}
	scree_snap_name(s, name, sizeof name);
	scree_snap_int_in(s, "type of a column", &type, 0, KIND_U64);
	if (!s->reading || !s->ok) return s->ok ? f : NULL;
	for (int k = 0; k < t.count; ++k) {
		if (strcmp(t.row[k].name, name) != 0 || !t.row[k].saved) continue;
		if ((int32_t)t.row[k].type == type) return t.row + k;
		scree_snap_refuse(s, "column '%s' has another type of number than in this build", name);
		return NULL;
	}
	scree_snap_refuse(s, "column '%s' is unknown to this build", name);
	return NULL;
}

static void column(snap_io *s, void *store, const field *f, const int32_t *order, int64_t count)
{
	size_t size = scree_kind_size(f->type);
	char *array = scree_field_array(store, f);
	for (int64_t k = 0; k < count; ++k) {
		size_t row = (size_t)(order ? order[k] : k);
		if (f->type == KIND_F64)
			scree_snap_real(s, (real *)(void *)(array + row * size));
		else
			scree_snap_bytes(s, array + row * size, size);
	}
}

/* All saved columns of a table; when reading, each must come once. */
static void columns(snap_io *s, field_table t, void *store, const int32_t *order, int64_t count)
{
	int32_t n = saved_fields(t);
	bool seen[64] = {false};
	SCREE_ASSERT(t.count <= 64);
	scree_snap_int_in(s, "number of columns", &n, 0, 64);
	for (int32_t k = 0, f = 0; s->ok && k < n; ++k, ++f) {
		while (!s->reading && !t.row[f].saved) ++f;
		const field *at = column_head(s, t, s->reading ? NULL : t.row + f);
		if (!at) return;
		if (seen[at - t.row]) scree_snap_refuse(s, "column '%s' comes twice", at->name);
		seen[at - t.row] = true;
		column(s, store, at, order, count);
	}
	for (int f = 0; s->ok && f < t.count; ++f)
		if (s->reading && t.row[f].saved && !seen[f]) scree_snap_refuse(s, "column '%s' is missing", t.row[f].name);
}

static void check_bodies(snap_io *s, const scree_world *w)
{
	const bodies *b = &w->body;
	for (int32_t i = 0; s->ok && i < b->count; ++i) {
		if (b->id[i] == 0 || b->id[i] >= w->next_id || (i && b->id[i] <= b->id[i - 1]))
			scree_snap_refuse(s, "the ids of bodies do not rise from 1 to below %llu", (unsigned long long)w->next_id);
		else if (b->shape[i] < 0 || b->shape[i] >= w->shape.count || b->material[i] < 0 ||
				 b->material[i] >= w->material.count)
			scree_snap_refuse(s, "body %llu is of a shape or a material that is not there",
							  (unsigned long long)b->id[i]);
		else if (!(b->size[i] > 0 && b->mass[i] > 0 && b->radius[i] > 0 && b->round[i] > 0 && b->inv_mass[i] >= 0 &&
				   b->ix[i] > 0 && b->iy[i] > 0 && b->iz[i] > 0))
			scree_snap_refuse(s, "the size, mass or inertia of body %llu is not positive",
							  (unsigned long long)b->id[i]);
	}
}

/* rows by rising id; the caller frees */
static int32_t *rows_by_id(const bodies *b)
{
	size_t n = (size_t)b->count;
	sort_item *item = scree_alloc(n, sizeof *item), *tmp = scree_alloc(n, sizeof *tmp);
	int32_t *order = scree_alloc(n, sizeof *order);
	for (int32_t i = 0; i < b->count; ++i) item[i] = (sort_item){b->id[i], i};
	scree_sort(item, tmp, b->count);
	for (int32_t i = 0; i < b->count; ++i) order[i] = item[i].value;
	scree_free(item);
	scree_free(tmp);
	return order;
}

void scree_snap_bodies(snap_io *s, scree_world *w)
{
	int32_t count = w->body.count, *order = NULL;
	scree_snap_count(s, "bodies", &count, 200);
	if (s->reading) {
		scree_bodies_reserve(&w->body, count);
		w->body.count = count;
	} else {
		order = rows_by_id(&w->body);
	}
	columns(s, scree_body_table, &w->body, order, count);
	scree_free(order);
	if (s->reading) check_bodies(s, w);
}

/* ------------------------------------------------------------------ contacts */

typedef struct contact_key {
	uint64_t ida, idb; /* idb: surface of wall pairs */
	int32_t row;
} contact_key;

static int by_key(const void *one, const void *two)
{
	const contact_key *p = one, *q = two;
	if (p->ida != q->ida) return p->ida < q->ida ? -1 : 1;
	return p->idb < q->idb ? -1 : p->idb > q->idb;
}

static bool on_wall(int kind) { return kind == PAIR_SPHERE_WALL || kind == PAIR_CONVEX_WALL; }

static void write_kind(snap_io *s, scree_world *w, int kind)
{
	pair_list *l = w->pair + kind;
	int64_t count = 0;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) ++count;
	contact_key *key = scree_alloc((size_t)count, sizeof *key);
	int32_t *order = scree_alloc((size_t)count, sizeof *order);
	int64_t k = 0;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row, ++k) {
		/* slots hold the rows of now; those of the contacts are of the last step, before bodies were taken out */
		int32_t a = l->a[l->slot[c.row]], b = l->b[l->slot[c.row]];
		key[k] = (contact_key){w->body.id[a], on_wall(kind) ? (uint64_t)b : w->body.id[b], (int32_t)c.row};
	}
	if (count) qsort(key, (size_t)count, sizeof *key, by_key);
	scree_snap_i64(s, &count);
	for (k = 0; k < count; ++k) {
		scree_snap_u64(s, &key[k].ida);
		scree_snap_u64(s, &key[k].idb);
		order[k] = key[k].row;
	}
	columns(s, scree_history_table, l, order, count);
	scree_free(key);
	scree_free(order);
}

static int32_t find_body(const bodies *b, uint64_t id)
{
	int32_t low = 0, high = b->count;
	while (low < high) {
		int32_t mid = low + (high - low) / 2;
		if (b->id[mid] < id)
			low = mid + 1;
		else
			high = mid;
	}
	return low < b->count && b->id[low] == id ? low : -1;
}

/* could these two be a pair of this kind, written this way round? */
static bool is_pair(const scree_world *w, int kind, uint64_t ida, uint64_t idb)
{
	const bodies *b = &w->body;
	int32_t i = find_body(b, ida);
	if (i < 0) return false;
	bool round = w->shape.row[b->shape[i]].type == SHAPE_SPHERE;
	if (on_wall(kind)) return idb < (uint64_t)w->wall.surfaces && round == (kind == PAIR_SPHERE_WALL);
	int32_t j = find_body(b, idb);
	if (j < 0 || i == j) return false;
	bool round2 = w->shape.row[b->shape[j]].type == SHAPE_SPHERE;
	if (kind == PAIR_SPHERE_CONVEX) return round && !round2;
	return ida < idb && round == round2 && round == (kind == PAIR_SPHERE_SPHERE);
}

static void read_kind(snap_io *s, scree_world *w, int kind)
{
	int64_t count = 0;
	scree_snap_count64(s, "contacts", &count, 16 + 8 * (size_t)scree_history_table.count);
	uint64_t *ida = scree_alloc((size_t)count, 8), *idb = scree_alloc((size_t)count, 8);
	for (int64_t k = 0; k < count; ++k) {
		scree_snap_u64(s, ida + k);
		scree_snap_u64(s, idb + k);
		if (!s->ok) break;
		bool rises = !k || ida[k] > ida[k - 1] || (ida[k] == ida[k - 1] && idb[k] > idb[k - 1]);
		if (!rises || !is_pair(w, kind, ida[k], idb[k]))
			scree_snap_refuse(s, "%llu and %llu are no pair of kind %d, or out of order", (unsigned long long)ida[k],
							  (unsigned long long)idb[k], kind);
	}
	pair_list history = {0};
	scree_pair_list_reserve(&history, count);
	columns(s, scree_history_table, &history, NULL, count);
	if (s->ok && count) scree_world_restore_pairs(w, kind, count, ida, idb, &history);
	if (s->ok) w->touching += count;
	scree_pair_list_free(&history);
	scree_free(ida);
	scree_free(idb);
}

void scree_snap_contacts(snap_io *s, scree_world *w)
{
	for (int kind = 0; s->ok && kind < PAIR_KINDS; ++kind) {
		if (s->reading)
			read_kind(s, w, kind);
		else
			write_kind(s, w, kind);
	}
}
