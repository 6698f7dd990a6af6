/* restored: contacts, with their histories, that a new world takes over from the snapshot of another run: the rows that
 * have a history before the first step. The law evaluates all initial contacts for the first forces; the histories are
 * restored afterwards. If no contact is new and none has ended, the restored forces are used, bit for bit.
 *
 * Forces of implicit steps are not restored. The other run may also have had different springs, for example if only one
 * of the two has hard contacts. The energy held by contacts is then the energy of the present springs, and the work of
 * the first half step is the work of the present forces. */
#include "start/start.h"

#include "base/memory.h"
#include "law/stage.h"
#include "state/bonds.h"
#include "state/contact_rows.h"
#include "step/step.h"
#include "sum/stage.h"
#include "world/world.h"

#include <string.h>

enum { COLUMNS = 64 };

/* rows of one kind that have histories */
typedef struct restored_rows {
	int64_t count;
	int64_t *row;
	real *value;		  /* [count * COLUMNS] */
	real *elastic, *heat; /* [count] for implicit steps: present energy of springs, J, and power of forces, W */
	real *bonded;		  /* [count] energy of bonds in J, like `elastic` */
} restored_rows;

struct restored {
	restored_rows of[PAIR_KINDS];
	real *force[6]; /* restored forces on bodies; NULL if none were saved */
	vec3 border;	/* restored forces through the borders of a cell, in N; 0 if none were saved */
	bool whole;		/* whether the contacts are exactly the restored ones */
};

static bool remembers(const pair_list *l, int64_t k) { return l->stiff[k] > 0 || is_bonded(l, k); }

static void copy_row(const pair_list *l, int64_t k, real *to)
{
	for (int f = 0; f < scree_history_table.count; ++f)
		to[f] = scree_pair_has(l, f) ? ((real *)scree_field_array(l, scree_history_table.row + f))[k] : 0;
}

static void put_back(state *s, const restored *b)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		const restored_rows *o = b->of + kind;
		for (int64_t k = 0; k < o->count; ++k)
			for (int f = 0; f < scree_history_table.count; ++f)
				if (scree_pair_has(l, f))
					((real *)scree_field_array(l, scree_history_table.row + f))[o->row[k]] = o->value[k * COLUMNS + f];
	}
}

static void keep_rows(const pair_list *l, restored_rows *o)
{
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) o->count += remembers(l, c.row);
	o->row = scree_alloc((size_t)o->count, sizeof *o->row);
	o->value = scree_alloc((size_t)o->count * COLUMNS, sizeof *o->value);
	o->count = 0;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
		if (!remembers(l, c.row)) continue;
		copy_row(l, c.row, o->value + o->count * COLUMNS);
		o->row[o->count++] = c.row;
	}
}

static real **forces_of(bodies *b, real *array[6])
{
	real *const all[6] = {b->fx, b->fy, b->fz, b->tx, b->ty, b->tz};
	memcpy(array, all, sizeof all);
	return array;
}

static void keep_forces(state *s, const work *w, restored *b)
{
	real *array[6];
	bool any = false;
	forces_of(&s->body, array);
	for (int c = 0; c < 6; ++c)
		for (int32_t i = 0; i < s->body.owned && !any; ++i) any = array[c][i] != 0;
	any = scree_domain_any(&w->domain, any);
	for (int c = 0; c < 6 && any; ++c) b->force[c] = scree_copy(array[c], (size_t)s->body.owned, sizeof(real));
}

/* In a divided world, either all parts have restored contacts or none has. */
restored *scree_restored_find(state *s, const work *w)
{
	bool any = false;
	SCREE_ASSERT(scree_history_table.count <= COLUMNS);
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		for (contact_walk c = contact_first(s->pair + kind); contact_more(s->pair + kind, &c) && !any; ++c.row)
			any = remembers(s->pair + kind, c.row);
	if (!scree_domain_any(&w->domain, any)) return NULL;
	restored *b = scree_alloc(1, sizeof *b);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) keep_rows(s->pair + kind, b->of + kind);
	keep_forces(s, w, b);
	b->border = s->images.border;
	return b;
}

/* Energy held by a new contact is also entered as `brought` (first_forces.c). */
static void begin_rows(pair_list *l, real dt)
{
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
		const bool account = l->remembers & REMEMBERS_ACCOUNT;
		const real held = account ? l->elastic[c.row] : 0, power = account ? l->power[c.row] : 0;
		const real heat = account ? l->heat[c.row] : 0;
		scree_history_restart(l, c.row);
		if (!account) continue;
		l->work[c.row] = -held - dt / 2 * power;
		l->lost_normal[c.row] = -dt / 2 * heat;
	}
}

static void keep_accounts(const pair_list *l, restored_rows *o)
{
	if (!(l->remembers & REMEMBERS_ACCOUNT)) return;
	o->elastic = scree_alloc((size_t)o->count, sizeof *o->elastic);
	o->heat = scree_alloc((size_t)o->count, sizeof *o->heat);
	o->bonded = scree_alloc((size_t)o->count, sizeof *o->bonded);
	for (int64_t k = 0; k < o->count; ++k) {
		const int64_t row = o->row[k];
		o->elastic[k] = l->elastic[row], o->heat[k] = l->heat[row], o->bonded[k] = bond_held(l, row);
	}
}

static void begin_accounts(pair_list *l, const restored_rows *o, real dt)
{
	for (int64_t k = 0; k < o->count && o->elastic; ++k) {
		const int64_t row = o->row[k];
		l->elastic[row] = o->elastic[k];
		l->work[row] = -o->elastic[k];
		if (is_bonded(l, row)) l->bond_held[row] = o->bonded[k];
		l->heat[row] = o->heat[k];
		l->lost_normal[row] = dt / 2 * o->heat[k];
	}
}

static void begin_accounts_here(state *s, restored *b, real dt)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) keep_accounts(s->pair + kind, b->of + kind);
	put_back(s, b);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) begin_accounts(s->pair + kind, b->of + kind, dt);
}

/* compares the current contacts with the restored ones */
static bool is_whole(const state *s, const restored *b)
{
	int64_t touching = 0, came = 0, all = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) ++touching;
		for (int64_t k = 0; k < b->of[kind].count; ++k) came += l->touch[b->of[kind].row[k]] != 0;
		all += b->of[kind].count;
	}
	return touching == came && came == all;
}

/* J, in tangential springs */
static real held_across(const pair_list *l, int64_t k)
{
	return l->bent[k] + (l->remembers & REMEMBERS_TURNS ? l->rolled[k] + l->twisted[k] : 0) + bond_held(l, k);
}

/* The ledger starts now: energies of contacts are entered as `brought`, and their earlier losses are not counted. */
static void settle_contact(const model *m, state *s, const work *w, int kind, int64_t k)
{
	const pair_list *l = s->pair + kind;
	ledger *e = &s->energy;
	const real dt = m->dt;
	if (!scree_contact_counted(s, kind, k)) return;
	const bool account = l->remembers & REMEMBERS_ACCOUNT;
	const real held = account ? l->elastic[k] : scree_contact_look(m, s, w, kind, k).elastic;
	scree_fixed_add(&e->brought, held + held_across(l, k));
	if (account)
		scree_fixed_add(&e->made, -(held + l->work[k] - dt / 2 * l->power[k]));
	else if (!contact_work_plain(&w->pair[kind].contact))
		scree_fixed_add(&e->made, -held);
	if (!account) return;
	scree_fixed_add(&e->lost_normal, -(l->lost_normal[k] - dt / 2 * l->heat[k]));
	scree_fixed_add(&e->lost_friction, -l->lost_friction[k]);
	scree_fixed_add(&e->lost_rolling, -l->lost_rolling[k]);
}

static void settle_ledger(const model *m, state *s, work *w, const ledger *before)
{
	const ledger now = s->energy;
	const real power = now.points_power, heat = now.points_heat;
	s->energy = *before;
	s->energy.points_power = power, s->energy.points_heat = heat;
	s->energy.fluid_power = now.fluid_power, s->energy.method_now = now.method_now;
	if (w->domain.first) {
		scree_fixed_add(&s->energy.made, power / 2);
		scree_fixed_add(&s->energy.lost_normal, heat / 2);
	}
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		for (contact_walk c = contact_first(s->pair + kind); contact_more(s->pair + kind, &c); ++c.row)
			settle_contact(m, s, w, kind, c.row);
}

void scree_restored_settle(const model *m, state *s, work *w, restored *b, const ledger *before)
{
	b->whole = !scree_domain_any(&w->domain, !is_whole(s, b));
	for (int kind = 0; kind < PAIR_KINDS; ++kind) begin_rows(s->pair + kind, m->dt);
	put_back(s, b);
	scree_sums_forget(w);
	scree_contacts_answer(m, s, w, s->time);
	if (m->implicit)
		begin_accounts_here(s, b, m->dt);
	else
		put_back(s, b);
	settle_ledger(m, s, w, before);
}

void scree_restored_end(state *s, restored *b)
{
	real *array[6];
	forces_of(&s->body, array);
	if (b->whole && b->force[0] && v3_norm2(b->border) > 0) s->images.border = b->border;
	for (int c = 0; c < 6; ++c) {
		if (b->whole && b->force[c]) memcpy(array[c], b->force[c], (size_t)s->body.owned * sizeof(real));
		scree_free(b->force[c]);
	}
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		scree_free(b->of[kind].row);
		scree_free(b->of[kind].value);
		scree_free(b->of[kind].elastic);
		scree_free(b->of[kind].heat);
		scree_free(b->of[kind].bonded);
	}
	scree_free(b);
}
