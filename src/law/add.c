#include "law/block.h"

#include "base/lanes.h"

/* ------------------------------------------------------------------ bodies with 64-bit sums */

typedef int64_t whole_load[8]; /* in the order of the members of body_sum */

SCREE_FN quanta3 whole3(const block *o, int row, int64_t i)
{
	return quanta3_of(v3(o->load[row][i], o->load[row + 1][i], o->load[row + 2][i]));
}

SCREE_FN void whole_loads(whole_load a, whole_load b, const block *o, int64_t i)
{
	quanta3 f = whole3(o, LOAD_FORCE, i), ta = whole3(o, LOAD_TORQUE_A, i), tb = whole3(o, LOAD_TORQUE_B, i);
	a[0] = f.x, a[1] = f.y, a[2] = f.z, a[3] = ta.x, a[4] = ta.y, a[5] = ta.z;
	b[0] = opposite(f.x), b[1] = opposite(f.y), b[2] = opposite(f.z), b[3] = tb.x, b[4] = tb.y, b[5] = tb.z;
	a[6] = b[6] = quanta_small(o->load[LOAD_FORCES][i]);
	a[7] = b[7] = quanta_small(o->load[LOAD_TORQUES][i]);
}

SCREE_FN void touch_row(sum_rows *rows, int32_t of) { rows->touched[of / SUMS_BLOCK] = 1; }

static void add_row(sum_rows *rows, int32_t of, const whole_load q)
{
	/* unsigned, so that an overflow, which is detected, wraps around instead of trapping */
	uint64_t *to = (uint64_t *)(rows->body + of);
	for (int c = 0; c < 8; ++c) to[c] += (uint64_t)q[c];
	touch_row(rows, of);
}

#ifdef SCREE_LANES
SCREE_FN lanes eight_quanta(const block *o, int row, int64_t i)
{
	return lanes_quanta(*(const lanes_real *)(o->load[row] + i));
}

/* Adds eight loads, transposed so that each body needs one read, one addition and one write. skip: omitted bodies */
SCREE_FN void add_eight_rows(const sum_rows *rows, lanes q[8], const int32_t *of, unsigned skip)
{
	body_sum *const body = rows->body;
	uint8_t *const touched = rows->touched;
	lanes_transpose(q);
	for (int k = 0; k < 8; ++k) {
		const int32_t i = of[k];
		if (skip >> k & 1) continue;
		*(lanes *)(body + i) += q[k];
		touched[i / SUMS_BLOCK] = 1;
	}
}

/* Adds items i .. i+7. cb: NULL for walls; skip_a and skip_b: bits of wide partners */
SCREE_FN void add_eight(sum_rows *rows, const block *o, int64_t i, const int32_t *ca, const int32_t *cb,
						unsigned skip_a, unsigned skip_b)
{
	lanes a[8], b[8];
	for (int c = 0; c < 3; ++c) {
		a[c] = eight_quanta(o, LOAD_FORCE + c, i);
		b[c] = 0 - a[c];
		a[3 + c] = eight_quanta(o, LOAD_TORQUE_A + c, i);
		b[3 + c] = eight_quanta(o, LOAD_TORQUE_B + c, i);
	}
	a[6] = b[6] = eight_quanta(o, LOAD_FORCES, i);
	a[7] = b[7] = eight_quanta(o, LOAD_TORQUES, i);
	add_eight_rows(rows, a, ca, skip_a);
	if (cb) add_eight_rows(rows, b, cb, skip_b);
}
#endif

/* ------------------------------------------------------------------ wide sums */

/* Adds to a wide partner the same quanta as to the other partner, which is not wide. */
static void add_wide(wide_sum *to, const sums *s, const whole_load q)
{
	for (int c = 0; c < 3; ++c) scree_fixed_add(to->force + c, s->force_quantum * (real)q[c]);
	for (int c = 0; c < 3; ++c) scree_fixed_add(to->torque + c, s->torque_quantum * (real)q[3 + c]);
}

/* Adds the force itself to two wide partners. */
static void add_wide_pair(wide_sum *a, wide_sum *b, const sums *s, const block *o, int64_t i)
{
	vec3 f = load_at(o, LOAD_FORCE, i, s->force_quantum), t = load_at(o, LOAD_TORQUE_A, i, s->torque_quantum);
	fixed_add_vector(a->force, f);
	fixed_add_vector(a->torque, t);
	if (!b) return;
	fixed_add_vector(b->force, v3_neg(f));
	fixed_add_vector(b->torque, torque_on(f, t, v3(o->x[i], o->y[i], o->z[i])));
}

/* Adds item i to its one or two wide partners (b: -1 for a wall). Returns false if their sums cannot hold the item. */
static bool add_to_wide(sum_rows *rows, const sums *s, const block *o, int64_t i, int32_t a, int32_t b)
{
	int32_t wa = s->wide[a], wb = b >= 0 ? s->wide[b] : wa;
	if (wa >= 0 && wb >= 0) {
		add_wide_pair(rows->wide + wa, b >= 0 ? rows->wide + wb : NULL, s, o, i);
		return true;
	}
	whole_load on_a, on_b;
	whole_loads(on_a, on_b, o, i);
	add_wide(rows->wide + (wa >= 0 ? wa : wb), s, wa >= 0 ? on_a : on_b);
	return o->most[i] < QUANTA_MOST;
}

/* Adds item i; b is -1 for a wall. Returns false if the sums of its partners cannot hold the item. */
static bool add_any(sum_rows *rows, const sums *s, const block *o, int64_t i, int32_t a, int32_t b)
{
	bool wide_a = sum_is_wide(s, a), wide_b = b >= 0 ? sum_is_wide(s, b) : wide_a, wide = wide_a || wide_b;
	if (!(wide_a && wide_b)) {
		whole_load on_a, on_b;
		whole_loads(on_a, on_b, o, i);
		if (!wide_a) add_row(rows, a, on_a);
		if (!wide_b && b >= 0) add_row(rows, b, on_b);
	}
	return wide ? add_to_wide(rows, s, o, i, a, b) : o->most[i] < QUANTA_MOST;
}

/* Adds to the load of walls that move or press with a force, and of walls at rest only if their load is needed. */
static void add_to_wall(thread_work *own, const job *j, const block *o, int64_t i, int64_t k)
{
	int32_t row = j->wall->surface_wall[j->list->cb[k]];
	if (j->wall->row[row].motion.type == MOTION_STILL || !j->list->touch[k]) return;
	wall_sum *to = own->rows.wall + row;
	vec3 f = load_at(o, LOAD_FORCE, i, j->sums->force_quantum);
	vec3 t = load_at(o, LOAD_TORQUE_A, i, j->sums->torque_quantum);
	fixed_add_vector(to->force, v3_neg(f));
	fixed_add_vector(to->torque, torque_on(f, t, v3(o->x[i], o->y[i], o->z[i])));
	to->contacts += 1;
}

/* ------------------------------------------------------------------ a block */

#ifdef SCREE_LANES
/* Returns one bit for each of eight bodies, set if its sum is wide. */
SCREE_FN unsigned wide_among(const sums *s, const int32_t *of)
{
	unsigned set = 0;
	for (int k = 0; s->wide && k < 8; ++k) set |= (unsigned)sum_is_wide(s, of[k]) << k;
	return set;
}

/* Adds items i .. i+7. Returns the number of contacts that the partners' sums cannot hold. */
static int64_t add_eight_any(sum_rows *rows, const sums *s, const block *o, int64_t i, const int32_t *ca,
							 const int32_t *cb)
{
	const lanes_real most = *(const lanes_real *)(o->most + i);
	if (lanes_all_zero(most)) return 0; /* none of the eight contacts touches */
	unsigned wide_a = wide_among(s, ca), wide_b = cb ? wide_among(s, cb) : wide_a, wide = wide_a | wide_b;
	if (!wide) {
		add_eight(rows, o, i, ca, cb, 0, 0);
		return SCREE_LANES - lanes_below(most, QUANTA_MOST);
	}
	int64_t bad = 0;
	add_eight(rows, o, i, ca, cb, wide_a, wide_b);
	for (int k = 0; k < 8; ++k)
		bad += !(wide >> k & 1 ? add_to_wide(rows, s, o, i + k, ca[k], cb ? cb[k] : -1) : o->most[i + k] < QUANTA_MOST);
	return bad;
}
#endif

/* Adds items 0 .. n-1 to partners ca and cb (NULL for walls). Returns the number of items that the sums cannot hold. */
static int64_t add_bodies(const job *j, const block *o, const int32_t *ca, const int32_t *cb, int64_t n)
{
	sum_rows *rows = &j->own->rows;
	const sums *s = j->sums;
	int64_t bad = 0, i = 0;
#ifdef SCREE_LANES
	for (; i + SCREE_LANES <= n; i += SCREE_LANES) bad += add_eight_any(rows, s, o, i, ca + i, cb ? cb + i : NULL);
#endif
	for (; i < n; ++i) bad += !add_any(rows, s, o, i, ca[i], cb ? cb[i] : -1);
	return bad;
}

/* Adds the work of a contact's force on a moving image. In a cell of variable size, adds the force through the cell's
 * borders, from which the work is computed. */
static void add_image(const job *j, const block *o, int64_t i)
{
	vec3 f = load_at(o, LOAD_FORCE, i, j->sums->force_quantum);
	if (j->period->deforms) {
		const image e = image_of_code(o->image[i]);
		if (e.x) scree_fixed_add(j->own->tally.border + 0, (real)e.x * f.x);
		if (e.y) scree_fixed_add(j->own->tally.border + 1, (real)e.y * f.y);
		if (e.z) scree_fixed_add(j->own->tally.border + 2, (real)e.z * f.z);
		return;
	}
	scree_fixed_add(&j->own->tally.images, v3_dot(f, j->images->drift[o->image[i]]));
}

SCREE_FN real most_of(const real of[BLOCK], int64_t n)
{
	real most = 0, nan = 0;
#pragma omp simd reduction(max : most) reduction(+ : nan)
	for (int64_t i = 0; i < n; ++i) {
		most = of[i] > most ? of[i] : most;
		nan += of[i] - of[i];
	}
	return nan == 0 ? most : INFINITY;
}

void scree_add_block(const job *j, const block *o, int64_t first, int64_t n, bool on_wall)
{
	const pair_list *l = j->list;
	j->own->tally.most = real_max(j->own->tally.most, most_of(o->most, n));
	j->own->tally.unbearable += add_bodies(j, o, l->ca + first, on_wall ? NULL : l->cb + first, n);
	if (on_wall && j->walls_move)
		for (int64_t i = 0; i < n; ++i) add_to_wall(j->own, j, o, i, first + i);
	if (!on_wall && j->period && periods_flow_any(j->period))
		for (int64_t i = 0; i < n; ++i)
			if (!j->divided || !counted_elsewhere(j, first + i, on_wall)) add_image(j, o, i);
}

/* unsigned, so that an overflow wraps around instead of trapping; `unbearable` reports it */
SCREE_FN uint64_t sum_of_quanta(const real of[BLOCK], int64_t n)
{
	uint64_t sum = 0;
	int64_t i = 0;
#ifdef SCREE_LANES
	lanes eight = {0};
	for (; i + SCREE_LANES <= n; i += SCREE_LANES) eight += lanes_quanta(*(const lanes_real *)(of + i));
	sum = lanes_sum(eight);
#endif
	for (; i < n; ++i) sum += (uint64_t)quanta_of(of[i]);
	return sum;
}

void scree_add_energies(const job *j, real energy[TALLIES][BLOCK], int64_t first, int64_t n, bool on_wall)
{
	if (j->heat) scree_add_friction_heat(j, energy, first, n, on_wall);
	for (int64_t i = 0; j->divided && i < n; ++i)
		for (int t = 0; counted_elsewhere(j, first + i, on_wall) && t < TALLIES; ++t) energy[t][i] = 0;
	for (int t = 0; t < TALLIES; ++t) j->own->tally.energy[t] += (int64_t)sum_of_quanta(energy[t], n);
}
