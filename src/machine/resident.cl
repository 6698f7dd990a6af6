/* resident.cl: the kernels of a step that stays on a device, for spheres (resident_solids.cl: for polyhedra), in OpenCL
 * C and CUDA (docs/gpu.md).
 *
 * Steps are launched one after another without waiting. `stop` is the first step that the host must make: from then on
 * kernels do nothing. Each step has its own report, which the host reads later. */
#include "kernel/fixed_words.h"
#include "kernel/item.h"
#include "kernel/resident_contact.h"
#include "kernel/resident_motion.h"

SCREE_FN columns columns_in(SCREE_GLOBAL real *at, int64_t stride)
{
	columns c = {at, stride};
	return c;
}

SCREE_FN bool is_off(SCREE_GLOBAL const int64_t *stop, int32_t step) { return step >= *stop; }

/* Sets the maximum. Most items find a larger number there already, without an atomic operation. */
SCREE_FN void report_most(SCREE_GLOBAL uint64_t *to, real x)
{
	const uint64_t bits = bits_of(x);
	uint64_t was = *to, seen = was;
	while (bits > was && (seen = atomic_swap(to, was, bits)) != was) was = seen;
}

SCREE_FN void report_plus(SCREE_GLOBAL uint64_t *to, two_words x)
{
	const uint64_t before = x.low ? atomic_plus(to, x.low) : 0, carry = before + x.low < before ? 1 : 0;
	if (x.high + carry) atomic_plus(to + 1, x.high + carry);
}

/* ------------------------------------------------------------------ motion */

SCREE_KERNEL void resident_look(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,
								SCREE_GLOBAL int64_t *stop)
{
	const int64_t i = item_number();
	const columns b = columns_in(bodies, r->body_stride);
	if (i < r->bodies && !resident_stays(&b, i, r)) *stop = 0;
}

SCREE_KERNEL void resident_drifts(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,
								  SCREE_GLOBAL uint64_t *reports, SCREE_GLOBAL const int64_t *stop, int32_t step)
{
	const int64_t i = item_number();
	const columns b = columns_in(bodies, r->body_stride);
	if (i >= r->bodies || is_off(stop, step)) return;
	report_most(reports + step * REPORT_WORDS + REPORT_LONGEST, resident_drift(&b, i, r));
	if (i == 0) reports[step * REPORT_WORDS + REPORT_DRIFTED] = 1;
}

/* Forces on body i, whose sums are then zero again. Returns false if they are out of range. */
SCREE_FN bool take_sums(SCREE_GLOBAL uint64_t *sum, SCREE_GLOBAL const resident_rule *r, vec3 *force, vec3 *torque)
{
	const real f = r->force_quantum, t = r->torque_quantum;
	const uint64_t most = sum[6] | sum[7];
	*force = v3(f * (real)(int64_t)sum[0], f * (real)(int64_t)sum[1], f * (real)(int64_t)sum[2]);
	*torque = v3(t * (real)(int64_t)sum[3], t * (real)(int64_t)sum[4], t * (real)(int64_t)sum[5]);
	for (int c = 0; c < 8; ++c) sum[c] = 0;
	return most < (uint64_t)1 << 46;
}

/* Tests whether the numbers of a step are usual ones; the sums over its contacts are complete. */
SCREE_FN bool is_usual(SCREE_GLOBAL const uint64_t *report, SCREE_GLOBAL const resident_rule *r)
{
	return report[REPORT_OVERLAP] <= bits_of(r->overlap) && !report[REPORT_UNBEARABLE];
}

SCREE_KERNEL void resident_kicks(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,
								 SCREE_GLOBAL uint64_t *sums, SCREE_GLOBAL uint64_t *reports,
								 SCREE_GLOBAL int64_t *stop, int32_t step)
{
	const int64_t i = item_number();
	const columns b = columns_in(bodies, r->body_stride);
	SCREE_GLOBAL uint64_t *report = reports + step * REPORT_WORDS;
	if (i >= r->bodies || is_off(stop, step)) return;
	vec3 force, torque;
	const bool holds = take_sums(sums + 8 * i, r, &force, &torque);
	const real speed2 = resident_kick(&b, i, force, torque, r);
	report_most(report + REPORT_FASTEST, speed2);
	if (!holds) report[REPORT_OVERFLOW] = 1;
	if (!holds || !(speed2 <= r->speed2) || !resident_stays(&b, i, r)) *stop = step + 1;
	if (i > 0) return;
	report[REPORT_DONE] = 1;
	if (!is_usual(report, r)) *stop = step + 1;
}

/* ------------------------------------------------------------------ contacts */

/* Adds to a sum of this item alone, in two words. */
SCREE_FN void own_plus(SCREE_GLOBAL uint64_t *to, two_words x)
{
	const two_words before = {to[0], to[1]}, sum = words_plus(before, x);
	to[0] = sum.low, to[1] = sum.high;
}

SCREE_FN void add_three(SCREE_GLOBAL uint64_t *to, int64_t x, int64_t y, int64_t z)
{
	atomic_plus(to, (uint64_t)x);
	atomic_plus(to + 1, (uint64_t)y);
	atomic_plus(to + 2, (uint64_t)z);
}

SCREE_FN void add_load(SCREE_GLOBAL uint64_t *sum, quanta3 force, quanta3 torque, const contact_quanta *q)
{
	add_three(sum, force.x, force.y, force.z);
	add_three(sum + 3, torque.x, torque.y, torque.z);
	atomic_plus(sum + 6, (uint64_t)q->forces);
	atomic_plus(sum + 7, (uint64_t)q->torques);
}

SCREE_FN void add_loads(SCREE_GLOBAL uint64_t *sums, const resident_contact *o, const contact_quanta *q, bool on_wall)
{
	const quanta3 f = q->force, back = {opposite(f.x), opposite(f.y), opposite(f.z)};
	add_load(sums + 8 * (int64_t)o->a, f, q->torque_a, q);
	if (!on_wall) add_load(sums + 8 * (int64_t)o->b, back, q->torque_b, q);
}

SCREE_FN void add_result(SCREE_GLOBAL uint64_t *own, SCREE_GLOBAL uint64_t *report, const resident_result *q)
{
	own_plus(own + REPORT_NORMAL, words_of(q->energy.normal));
	own_plus(own + REPORT_FRICTION, words_of(q->energy.friction));
	own_plus(own + REPORT_ROLLING, words_of(q->energy.rolling));
	own_plus(own + REPORT_HEAT, words_of(q->energy.heat));
	own[REPORT_TOUCHING] += q->touches ? 1 : 0;
	own[REPORT_UNBEARABLE] += q->most < QUANTA_MOST ? 0 : 1;
	report_most(report + REPORT_MOST, q->most - q->most == 0 ? q->most : INFINITY);
	if (q->part > 0) report_most(report + REPORT_OVERLAP, q->part);
}

/* An energy beyond 67 MJ counts as a load out of range. */
SCREE_FN void add_ended(SCREE_GLOBAL uint64_t *own, resident_end e)
{
	const bool small =
		fixed_is_small(e.normal) && fixed_is_small(e.friction) && fixed_is_small(e.rolling) && fixed_is_small(e.made);
	own[REPORT_UNBEARABLE] += small ? 0 : 1;
	if (!small) return;
	own_plus(own + REPORT_LEFT_NORMAL, fixed_words(e.normal));
	own_plus(own + REPORT_LEFT_FRICTION, fixed_words(e.friction));
	own_plus(own + REPORT_LEFT_ROLLING, fixed_words(e.rolling));
	own_plus(own + REPORT_LEFT_MADE, fixed_words(e.made));
}

SCREE_FN void end_row(const resident_memory *m, const resident_contact *o, const columns *rows, int64_t k,
					  SCREE_GLOBAL uint64_t *own)
{
	const law_constants of = m->constants[o->materials[0] * m->rule->materials + o->materials[1]];
	add_ended(own, resident_ended(rows, k, RESIDENT_LAW(&of), RESIDENT_EXTRA(m->rule)));
}

/* Where a contact adds its load and its energies: sums of bodies, loads on walls that move, sums of this item, and the
 * report of the step. */
typedef struct sums_in {
	SCREE_GLOBAL uint64_t *bodies, *walls, *own, *report;
} sums_in;

SCREE_FN bool vector_plus(SCREE_GLOBAL uint64_t *to, vec3 v)
{
	report_plus(to, fixed_words(v.x));
	report_plus(to + 2, fixed_words(v.y));
	report_plus(to + 4, fixed_words(v.z));
	return fixed_is_small(v.x) && fixed_is_small(v.y) && fixed_is_small(v.z);
}

/* The load of body a on a wall, with the torque about the wall's position. A load beyond 67 MN is out of range. */
SCREE_FN void add_to_wall(const sums_in *to, const resident_contact *o, const resident_result *q)
{
	SCREE_GLOBAL uint64_t *load = to->walls + (int64_t)o->moves * LOAD_ON_WALL_WORDS;
	const bool force = vector_plus(load + LOAD_ON_WALL_FORCE, v3_neg(q->force));
	const bool torque = vector_plus(load + LOAD_ON_WALL_TORQUE, torque_on(q->force, q->torque, o->of.apart));
	atomic_plus(load + LOAD_ON_WALL_CONTACTS, 1);
	to->own[REPORT_UNBEARABLE] += force && torque ? 0 : 1;
}

/* Adds the result of a row. on_wall: a compile-time constant */
SCREE_FN void add_row(const resident_contact *o, const resident_result *q, const sums_in *to, bool on_wall)
{
	add_result(to->own, to->report, q);
	add_loads(to->bodies, o, &q->load, on_wall);
	if (on_wall && o->moves >= 0 && q->touches) add_to_wall(to, o, q);
}

SCREE_FN resident_contact contact_in(const resident_memory *m, const columns *rows, int64_t k, int list)
{
	return list == LIST_ON_WALLS	   ? resident_on_wall(m, rows, k)
		   : list == LIST_SPHERE_SOLID ? resident_on_solid(m, rows, k)
									   : resident_of_spheres(m, rows, k);
}

SCREE_FN void step_row(const resident_memory *m, const columns *rows, int64_t k, const sums_in *to, int list)
{
	const resident_contact o = contact_in(m, rows, k, list);
	if (o.a < 0 || (!o.touches && !o.touched)) return;
	if (list != LIST_SPHERES && !o.touches) {
		end_row(m, &o, rows, k, to->own);
		return;
	}
	const resident_result q = resident_step(m, &o, rows, k, list == LIST_ON_WALLS);
	add_row(&o, &q, to, list == LIST_ON_WALLS);
}

/* The rows of one list, shared by all workers. */
SCREE_FN void step_rows(const resident_memory *m, SCREE_GLOBAL real *rows, const sums_in *to, int list)
{
	const int64_t count = m->rule->rows[list], workers = m->rule->workers;
	const columns in = columns_in(rows, m->rule->row_stride[list]);
	for (int c = 0; c < REPORT_SUMS; ++c) to->own[c] = 0;
	for (int64_t k = item_number(); k < count; k += workers) step_row(m, &in, k, to, list);
}

/* Sums of this item over a list. */
SCREE_FN SCREE_GLOBAL uint64_t *own_in(SCREE_GLOBAL uint64_t *partial, SCREE_GLOBAL const resident_rule *r, int list)
{
	return partial + (list * r->workers + item_number()) * REPORT_SUMS;
}

SCREE_KERNEL_128 void resident_pairs(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,
									 SCREE_GLOBAL real *rows, SCREE_GLOBAL const law_constants *constants,
									 SCREE_GLOBAL uint64_t *sums, SCREE_GLOBAL uint64_t *partial,
									 SCREE_GLOBAL uint64_t *reports, SCREE_GLOBAL const int64_t *stop, int32_t step)
{
	const int64_t item = item_number();
	const resident_memory m = {columns_in(bodies, r->body_stride), constants, 0, r, 0};
	const sums_in to = {sums, 0, own_in(partial, r, LIST_SPHERES), reports + step * REPORT_WORDS};
	if (item < r->workers && !is_off(stop, step)) step_rows(&m, rows, &to, LIST_SPHERES);
}

SCREE_KERNEL_128 void resident_on_walls(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,
										SCREE_GLOBAL real *rows, SCREE_GLOBAL const law_constants *constants,
										SCREE_GLOBAL const resident_wall *walls, SCREE_GLOBAL uint64_t *sums,
										SCREE_GLOBAL uint64_t *loads, SCREE_GLOBAL uint64_t *partial,
										SCREE_GLOBAL uint64_t *reports, SCREE_GLOBAL const int64_t *stop, int32_t step)
{
	const int64_t item = item_number();
	const resident_memory m = {columns_in(bodies, r->body_stride), constants, walls + step * r->surfaces, r, 0};
	const sums_in to = {sums, loads + (int64_t)step * r->walls * LOAD_ON_WALL_WORDS, own_in(partial, r, LIST_ON_WALLS),
						reports + step * REPORT_WORDS};
	if (item < r->workers && !is_off(stop, step)) step_rows(&m, rows, &to, LIST_ON_WALLS);
}

/* Adds the sums of all workers over all lists; `adders` items share them. */
SCREE_KERNEL void resident_sums(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL const uint64_t *partial,
								SCREE_GLOBAL uint64_t *reports, SCREE_GLOBAL const int64_t *stop, int32_t step,
								int32_t adders)
{
	const int64_t item = item_number();
	SCREE_GLOBAL uint64_t *report = reports + step * REPORT_WORDS;
	if (item >= adders || is_off(stop, step)) return;
	two_words of[REPORT_WIDE_SUMS / 2] = {{0, 0}};
	uint64_t touching = 0, unbearable = 0;
	for (int64_t k = item; k < r->lists * r->workers; k += adders) {
		SCREE_GLOBAL const uint64_t *from = partial + k * REPORT_SUMS;
		for (int c = 0; c < REPORT_WIDE_SUMS / 2; ++c) {
			const two_words x = {from[2 * c], from[2 * c + 1]};
			of[c] = words_plus(of[c], x);
		}
		touching += from[REPORT_TOUCHING], unbearable += from[REPORT_UNBEARABLE];
	}
	for (int c = 0; c < REPORT_WIDE_SUMS / 2; ++c) report_plus(report + 2 * c, of[c]);
	if (touching) atomic_plus(report + REPORT_TOUCHING, touching);
	if (unbearable) atomic_plus(report + REPORT_UNBEARABLE, unbearable);
}
