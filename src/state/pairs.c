#include "state/pairs.h"

#include "base/memory.h"
#include "state/energy_classes.h"
#include "state/patch_accounts.h"

#include <string.h>

#define ROW(member, unit, help, type, saved, group)                                                                    \
	{                                                                                                                  \
#member, unit, help, offsetof(pair_list, member), type, SHARE_OWNER, saved, group                              \
	}

static const field slots[] = {
	ROW(a, "", "row of the first body", KIND_I32, false, 0),
	ROW(b, "", "row of the second body, or surface", KIND_I32, false, 0),
	ROW(row, "", "contact row, or -1", KIND_I32, false, 0),
};

static const field contacts[] = {
#define COLUMN(name, unit, help, group) ROW(name, unit, help, KIND_F64, true, group),
	CONTACT_HISTORY(COLUMN)
#undef COLUMN
	/* stored after the history columns */
	ROW(slot, "", "slot to which the row belongs", KIND_I32, false, 0),
	ROW(ca, "", "row of the first body", KIND_I32, false, 0),
	ROW(cb, "", "row of the second body, or surface", KIND_I32, false, 0),
	ROW(touch, "", "touches", KIND_U64, false, 0),
	ROW(feature, "", "index among the contacts of the slot", KIND_U64, false, REMEMBERS_FEATURES),
};

enum {
	SLOTS = sizeof slots / sizeof *slots,
	CONTACTS = sizeof contacts / sizeof *contacts,
	HISTORY = (offsetof(pair_list, slot) - offsetof(pair_list, sx)) / sizeof(void *)
};
_Static_assert(SLOTS + CONTACTS == (offsetof(pair_list, remembers) - offsetof(pair_list, a)) / sizeof(void *),
			   "each array has a row");

static const field_table slot_table = {slots, SLOTS};
static const field_table contact_table = {contacts, CONTACTS};
const field_table scree_history_table = {contacts, HISTORY};

uint32_t scree_pair_needs(int k) { return contacts[k].group; }

bool scree_pair_has(const pair_list *l, int k)
{
	uint32_t needs = scree_pair_needs(k);
	return (l->remembers & needs) == needs;
}

/* makes room for `count` contacts */
static void grow_contacts(pair_list *l, int64_t used, int64_t count)
{
	for (int k = 0; k < CONTACTS; ++k) {
		const field_table one = {contacts + k, 1};
		if (scree_pair_has(l, k))
			scree_fields_grow(one, l, scree_field_array(l, contacts + k) ? used : 0, count);
		else
			scree_fields_free(one, l);
	}
	if (l->remembers & REMEMBERS_FEATURES) {
		l->rows = scree_grow(l->rows, l->rows ? (size_t)used : 0, (size_t)count, sizeof *l->rows);
	} else {
		scree_free(l->rows);
		l->rows = NULL;
	}
}

/* end of the rows in use, of slots or of contacts */
static int64_t end_of(const pair_list *l)
{
	int64_t rows = l->pieces ? l->base[l->pieces] : 0;
	return rows > l->count ? rows : l->count;
}

void scree_pair_list_reserve(pair_list *l, int64_t count)
{
	if (count <= l->capacity) return;
	int64_t capacity = (count + count / 4 + 15) / 16 * 16;
	scree_fields_grow(slot_table, l, l->count, capacity);
	grow_contacts(l, end_of(l), capacity);
	l->capacity = capacity;
}

void scree_pair_list_remember(pair_list *l, uint32_t what)
{
	if (l->remembers == what) return;
	l->remembers = what;
	grow_contacts(l, end_of(l), l->capacity);
}

void scree_history_clear(pair_list *l, int64_t from, int64_t to)
{
	for (int k = 0; k < HISTORY; ++k)
		if (scree_pair_has(l, k)) scree_fields_clear((field_table){contacts + k, 1}, l, from, to);
}

void scree_history_restart(pair_list *l, int64_t k)
{
	const real place = l->place ? l->place[k] : 0;
	for (int c = 0; c < HISTORY; ++c)
		if (scree_pair_has(l, c) && scree_pair_needs(c) != REMEMBERS_BONDS)
			scree_fields_clear((field_table){contacts + c, 1}, l, k, k + 1);
	if (l->place) l->place[k] = place;
}

static void free_pieces(pair_list *l) { SCREE_FREE_ALL(l->piece, l->base, l->used, l->wants); }

void scree_pair_list_cut(pair_list *l, int32_t pieces, const int64_t *start)
{
	if (pieces > l->piece_capacity) {
		free_pieces(l);
		l->piece_capacity = pieces + pieces / 4 + 4;
		l->piece = scree_alloc((size_t)l->piece_capacity + 1, sizeof *l->piece);
		l->base = scree_alloc((size_t)l->piece_capacity + 1, sizeof *l->base);
		l->used = scree_alloc((size_t)l->piece_capacity, sizeof *l->used);
		l->wants = scree_alloc((size_t)l->piece_capacity, sizeof *l->wants);
	}
	l->pieces = pieces;
	l->largest = 0;
	for (int32_t p = 0; p < pieces; ++p) {
		l->piece[p] = l->base[p] = start[p];
		l->piece[p + 1] = l->base[p + 1] = start[p + 1];
		l->used[p] = l->wants[p] = 0;
		if (start[p + 1] - start[p] > l->largest) l->largest = (int32_t)(start[p + 1] - start[p]);
	}
	for (int64_t k = 0; k < l->count; ++k) l->row[k] = -1;
}

/* moves the used rows of one piece; later pieces must have been moved already */
static void move_piece(pair_list *l, int32_t p, int64_t to)
{
	int64_t from = l->base[p];
	size_t used = (size_t)l->used[p];
	if (to == from) return;
	for (int k = 0; k < CONTACTS; ++k) {
		size_t size = scree_kind_size(contacts[k].type);
		char *array = scree_field_array(l, contacts + k);
		if (scree_pair_has(l, k)) memmove(array + (size_t)to * size, array + (size_t)from * size, used * size);
	}
	for (int64_t k = l->piece[p]; k < l->piece[p + 1]; ++k)
		if (l->row[k] >= 0) l->row[k] += (int32_t)(to - from);
}

void scree_pair_list_widen(pair_list *l, const int32_t *room)
{
	int64_t end = 0;
	if (!l->pieces) return;
	for (int32_t p = 0; p < l->pieces; ++p) {
		int64_t has = l->base[p + 1] - l->base[p];
		end += room[p] > has ? room[p] : has;
	}
	scree_pair_list_reserve(l, end);
	int64_t last = l->base[l->pieces];
	for (int32_t p = l->pieces; p-- > 0;) {
		int64_t has = last - l->base[p], wide = room[p] > has ? room[p] : has;
		last = l->base[p];
		l->base[p + 1] = end;
		end -= wide;
		move_piece(l, p, end);
		if (wide > l->largest) l->largest = (int32_t)wide;
	}
}

void scree_pair_rows_move(pair_list *l, int64_t base, int32_t had, int32_t count, const int32_t *of, real *copy)
{
	for (int k = 0; k < HISTORY; ++k) {
		if (!scree_pair_has(l, k)) continue;
		real *array = (real *)scree_field_array(l, contacts + k) + base;
		memcpy(copy, array, (size_t)had * sizeof *copy);
		for (int32_t r = 0; r < count; ++r) array[r] = of[r] < 0 ? 0 : copy[of[r]];
	}
	uint64_t *was = (uint64_t *)(void *)copy, *word[2] = {l->touch, l->feature};
	for (int k = 0; k < (l->feature ? 2 : 1); ++k) {
		uint64_t *array = word[k] + base;
		memcpy(was, array, (size_t)had * sizeof *was);
		for (int32_t r = 0; r < count; ++r) array[r] = of[r] < 0 ? 0 : was[of[r]];
	}
}

int64_t scree_pair_list_grain(const pair_list *l, int64_t wanted)
{
	const int64_t pieces = l->count ? wanted * l->pieces / l->count : 0;
	return pieces > 1 ? pieces : 1;
}

void scree_pair_list_cut_even(pair_list *l, int32_t size)
{
	int32_t pieces = (int32_t)((l->count + size - 1) / size);
	int64_t *start = scree_alloc((size_t)pieces + 1, sizeof *start);
	for (int32_t p = 0; p < pieces; ++p) start[p] = (int64_t)p * size;
	start[pieces] = l->count;
	scree_pair_list_cut(l, pieces, start);
	scree_free(start);
}

void scree_pair_list_free(pair_list *l)
{
	scree_fields_free(slot_table, l);
	scree_fields_free(contact_table, l);
	free_pieces(l);
	SCREE_FREE_ALL(l->met, l->rows);
	memset(l, 0, sizeof *l);
}

/* Adds the energy account of a patch that ends to the ledger. */
static void leave_energies(ledger *to, const pair_list *l, int64_t k, real dt)
{
	if (l->remembers & REMEMBERS_ACCOUNT) {
		scree_fixed_add(&to->lost_normal, l->lost_normal[k]);
		scree_fixed_add(&to->lost_friction, l->lost_friction[k]);
		scree_fixed_add(&to->lost_rolling, l->lost_rolling[k]);
	}
	if (l->remembers & REMEMBERS_DEEPEST) scree_fixed_add(&to->lost_normal, l->torn[k]);
	scree_fixed_add(&to->made, made_at_end(l, k, dt));
}

static void restep_impulses(pair_list *l, int64_t k, real ratio)
{
	real *const whole[] = {l->jn, l->jx, l->jy, l->jz, l->gx, l->gy, l->gz, l->mx, l->my, l->mz};
	for (size_t c = 0; c < sizeof whole / sizeof *whole; ++c)
		if (whole[c]) whole[c][k] *= ratio;
	l->heat[k] /= ratio;
}

void scree_contact_restep(pair_list *l, int64_t k, real before, real after)
{
	const real by = after - before;
	if (!(l->remembers & REMEMBERS_ACCOUNT)) return;
	if (l->remembers & REMEMBERS_IMPULSES) {
		restep_impulses(l, k, after / before);
		return;
	}
	l->work[k] += by / 2 * l->power[k];
	l->lost_normal[k] += by / 2 * l->heat[k];
}

void scree_contact_release(pair_list *l, int64_t k)
{
	if (!(l->remembers & REMEMBERS_IMPULSES)) return;
	l->lost_normal[k] += l->elastic[k];
	l->lost_friction[k] += l->bent[k];
	l->elastic[k] = l->work[k] = l->bent[k] = 0;
	if (!(l->remembers & REMEMBERS_TURNS)) return;
	l->lost_rolling[k] += l->rolled[k] + l->twisted[k];
	l->rolled[k] = l->twisted[k] = 0;
}

void scree_contact_end(ledger *to, pair_list *l, int64_t k, real dt)
{
	scree_contact_release(l, k);
	if (to) leave_energies(to, l, k, dt);
	scree_history_clear(l, k, k + 1);
	l->touch[k] = 0;
}
