/* resident.cl: the kernels of a step that stays on a device, in OpenCL C and CUDA (docs/gpu.md), for spheres;
 * resident_solids.cl has those of polyhedra.
 *
 * Steps are launched one after another without waiting. `stop` is the first step that cannot be made yet: from then on
 * kernels do nothing. Each step has its own report, which the host reads later. */
#include "kernel/report.h"
#include "kernel/resident_contact.h"
#include "kernel/resident_motion.h"

SCREE_FN bool is_off(SCREE_GLOBAL const int64_t *stop, int32_t step) { return step >= *stop; }

SCREE_FN resident_space space_in(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL const period_rule *rule,
								 SCREE_GLOBAL const period_images *images, SCREE_GLOBAL const image *met, int32_t step)
{
	resident_space s = {r->periodic ? rule : 0, images + (r->flows ? step : 0), met};
	return s;
}

/* Arguments of kernels at walls, and the members of a wall_table that they are. near: rows of the facets near bodies */
#define WALL_TABLES                                                                                                    \
	SCREE_GLOBAL const wall_row *row, SCREE_GLOBAL const facet *face, SCREE_GLOBAL const vec3 *corner,                 \
		SCREE_GLOBAL const vec3 *outward, SCREE_GLOBAL const int32_t *next, SCREE_GLOBAL const int32_t *meets,         \
		SCREE_GLOBAL const real *bend, SCREE_GLOBAL const wall_meeting *meeting, SCREE_GLOBAL const int32_t *near
#define IN_WALL_TABLE(r) row, face, corner, outward, next, (r)->meetings ? meets : 0, bend, meeting, (r)->meet_near

/* ------------------------------------------------------------------ motion */

/* Stops before this step, which needs new pairs, or which the host must make. */
SCREE_FN void stop_before(SCREE_GLOBAL int64_t *stop, int64_t step, bool by_host)
{
	stop[STOP_STEP] = step;
	if (by_host) stop[STOP_BY_HOST] = 1;
}

SCREE_KERNEL void resident_look(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,
								SCREE_GLOBAL const resident_sink *sinks, SCREE_GLOBAL int64_t *stop)
{
	const int64_t i = item_number();
	const columns b = columns_in(bodies, &r->body_stride);
	if (i >= r->bodies) return;
	const enum next_step next = resident_next(&b, i, r, sinks);
	if (next != NEXT_IS_USUAL) stop_before(stop, 0, next == NEXT_IS_UNUSUAL);
}

SCREE_KERNEL void resident_drifts(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,
								  SCREE_GLOBAL const period_rule *period, SCREE_GLOBAL const period_images *images,
								  SCREE_GLOBAL uint64_t *reports, SCREE_GLOBAL const int64_t *stop, int32_t step)
{
	const int64_t i = item_number();
	const columns b = columns_in(bodies, &r->body_stride);
	const resident_space space = space_in(r, period, images, 0, step);
	SCREE_GLOBAL uint64_t *report = reports + step * REPORT_WORDS;
	if (i >= r->bodies || is_off(stop, step)) return;
	report_most(report + REPORT_LONGEST, resident_drift(&b, i, r));
	if (i == 0) report[REPORT_DRIFTED] = 1;
	if (!space.rule) return;
	const real made = resident_to_cell(&b, i, &space);
	if (made != 0 && !report_value(report + REPORT_CROSSED, made)) report[REPORT_OVERFLOW] = 1;
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

SCREE_FN vec3 take_vector(SCREE_GLOBAL uint64_t *sum)
{
	const two_words x = {sum[0], sum[1]}, y = {sum[2], sum[3]}, z = {sum[4], sum[5]};
	for (int c = 0; c < 6; ++c) sum[c] = 0;
	return v3(words_value(x), words_value(y), words_value(z));
}

SCREE_KERNEL void resident_kicks(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,
								 SCREE_GLOBAL uint64_t *sums, SCREE_GLOBAL const int32_t *wide,
								 SCREE_GLOBAL uint64_t *wide_sum, SCREE_GLOBAL const resident_sink *sinks,
								 SCREE_GLOBAL uint64_t *reports, SCREE_GLOBAL int64_t *stop, int32_t step)
{
	const int64_t i = item_number();
	const columns b = columns_in(bodies, &r->body_stride);
	SCREE_GLOBAL uint64_t *report = reports + step * REPORT_WORDS;
	if (i >= r->bodies || is_off(stop, step)) return;
	vec3 force, torque;
	const bool holds = take_sums(sums + 8 * i, r, &force, &torque);
	if (r->wides && wide[i] >= 0) {
		force = take_vector(wide_sum + wide[i] * WIDE_WORDS);
		torque = take_vector(wide_sum + wide[i] * WIDE_WORDS + WIDE_WORDS / 2);
	}
	const real speed2 = resident_kick(&b, i, force, torque, r);
	report_most(report + REPORT_FASTEST, speed2);
	if (!holds) report[REPORT_OVERFLOW] = 1;
	const enum next_step next = holds && speed2 <= r->speed2 ? resident_next(&b, i, r, sinks) : NEXT_IS_UNUSUAL;
	if (next != NEXT_IS_USUAL) stop_before(stop, step + 1, next == NEXT_IS_UNUSUAL);
	if (i > 0) return;
	report[REPORT_DONE] = 1;
	if (!is_usual(report, r)) stop_before(stop, step + 1, true);
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

/* Sums of bodies with far larger loads than others, in 128 bits (work/sums.h): their rows, or -1, and WIDE_WORDS each.
 */
typedef struct wide_sums {
	SCREE_GLOBAL const int32_t *row; /* 0: there are none */
	SCREE_GLOBAL uint64_t *sum;
} wide_sums;

SCREE_FN wide_sums wide_in(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL const int32_t *row,
						   SCREE_GLOBAL uint64_t *sum)
{
	wide_sums w = {r->wides ? row : 0, sum};
	return w;
}

SCREE_FN int32_t wide_row(const wide_sums *w, int64_t i) { return w->row ? w->row[i] : -1; }

/* Adds three numbers; returns false if they are too large for the sums of a device. */
SCREE_FN bool vector_plus(SCREE_GLOBAL uint64_t *to, vec3 v)
{
	return report_value(to, v.x) && report_value(to + 2, v.y) && report_value(to + 4, v.z);
}

/* Adds a force and a torque to the sum of a wide body. */
SCREE_FN bool wide_plus(const wide_sums *w, int32_t row, vec3 force, vec3 torque)
{
	SCREE_GLOBAL uint64_t *to = w->sum + row * WIDE_WORDS;
	const bool held = vector_plus(to, force);
	return vector_plus(to + WIDE_WORDS / 2, torque) && held;
}

SCREE_FN vec3 v3_of_quanta(quanta3 q, real one) { return v3(one * (real)q.x, one * (real)q.y, one * (real)q.z); }

/* Two wide bodies get the force itself, and one the quanta that the other gets (law/add.c). */
SCREE_FN bool wide_loads(const wide_sums *w, const resident_contact *o, const resident_result *q, int32_t a, int32_t b,
						 bool on_wall, SCREE_GLOBAL const resident_rule *r)
{
	const quanta3 f = q->load.force, back = {opposite(f.x), opposite(f.y), opposite(f.z)};
	const real force = r->force_quantum, torque = r->torque_quantum;
	if (a >= 0 && (on_wall || b >= 0)) {
		const bool held = wide_plus(w, a, q->force, q->torque);
		if (on_wall) return held;
		return wide_plus(w, b, v3_neg(q->force), torque_on(q->force, q->torque, o->of.apart)) && held;
	}
	if (a >= 0) return wide_plus(w, a, v3_of_quanta(f, force), v3_of_quanta(q->load.torque_a, torque));
	return wide_plus(w, b, v3_of_quanta(back, force), v3_of_quanta(q->load.torque_b, torque));
}

/* Where a contact adds its load and its energies: sums of bodies, loads on walls that move, sums of this item, and the
 * report of the step. */
typedef struct sums_in {
	SCREE_GLOBAL uint64_t *bodies, *walls, *own, *report;
	wide_sums wide;
} sums_in;

/* Adds a contact to the sums of its bodies; returns false if they cannot hold it. */
SCREE_FN bool add_loads(const sums_in *to, const resident_contact *o, const resident_result *q, bool on_wall,
						SCREE_GLOBAL const resident_rule *r)
{
	const quanta3 f = q->load.force, back = {opposite(f.x), opposite(f.y), opposite(f.z)};
	const int32_t a = wide_row(&to->wide, o->a), b = on_wall ? -1 : wide_row(&to->wide, o->b);
	const bool both = a >= 0 && (on_wall || b >= 0);
	if (a < 0) add_load(to->bodies + 8 * (int64_t)o->a, f, q->load.torque_a, &q->load);
	if (!on_wall && b < 0) add_load(to->bodies + 8 * (int64_t)o->b, back, q->load.torque_b, &q->load);
	const bool held = (a < 0 && b < 0) || wide_loads(&to->wide, o, q, a, b, on_wall, r);
	return held && (both || q->most < QUANTA_MOST);
}

/* shared: whether the energy of the contact does not follow from its overlap alone */
SCREE_FN void add_result(SCREE_GLOBAL uint64_t *own, SCREE_GLOBAL uint64_t *report, const resident_result *q,
						 bool shared)
{
	report_most(report + REPORT_MOST, q->most - q->most == 0 ? q->most : INFINITY);
	if (q->part > 0) report_most(report + REPORT_OVERLAP, q->part);
	if (!q->counted) return;
	own_plus(own + REPORT_NORMAL, words_of(q->energy.normal));
	own_plus(own + REPORT_FRICTION, words_of(q->energy.friction));
	own_plus(own + REPORT_ROLLING, words_of(q->energy.rolling));
	own_plus(own + REPORT_HEAT, words_of(q->energy.heat));
	if (shared) {
		own_plus(own + REPORT_MADE, words_of(q->energy.made));
		own_plus(own + REPORT_POWER, words_of(q->energy.power));
	}
	own[REPORT_TOUCHING] += q->touches ? 1 : 0;
}

/* Adds a value in quanta of `fixed`. An energy beyond 130 GJ counts as a load out of range. */
SCREE_FN void own_value(SCREE_GLOBAL uint64_t *own, int word, real value)
{
	const bool small = fixed_is_small(value);
	if (small) own_plus(own + word, fixed_words(value));
	own[REPORT_UNBEARABLE] += small ? 0 : 1;
}

SCREE_FN void add_ended(SCREE_GLOBAL uint64_t *own, resident_end e)
{
	own_value(own, REPORT_LEFT_NORMAL, e.normal);
	own_value(own, REPORT_LEFT_FRICTION, e.friction);
	own_value(own, REPORT_LEFT_ROLLING, e.rolling);
	own_value(own, REPORT_LEFT_MADE, e.made);
}

SCREE_FN void end_row(const resident_memory *m, const resident_contact *o, const columns *rows, int64_t k,
					  SCREE_GLOBAL uint64_t *own)
{
	const law_constants of = m->constants[o->materials[0] * m->rule->materials + o->materials[1]];
	add_ended(own, resident_ended(rows, k, RESIDENT_LAW(&of), RESIDENT_EXTRA(m->rule)));
}

/* Walls after this step of a launch; before it, they are those after step -1. */
SCREE_FN SCREE_GLOBAL const resident_wall *walls_after(SCREE_GLOBAL const resident_wall *walls,
													   SCREE_GLOBAL const resident_rule *r, int32_t step)
{
	return walls + (step + 1) * r->walls;
}

/* The loads on walls in this step of a launch. */
SCREE_FN SCREE_GLOBAL uint64_t *loads_in(SCREE_GLOBAL uint64_t *loads, SCREE_GLOBAL const resident_rule *r,
										 int32_t step)
{
	return loads + (int64_t)step * r->walls * LOAD_ON_WALL_WORDS;
}

/* Adds a contact of body i with a wall that is moved by forces to the masses that press on the wall. */
SCREE_FN void add_push(const resident_memory *m, int64_t i, const resident_touch *t, SCREE_GLOBAL uint64_t *loads)
{
	const resident_push p = push_of(&m->body, i, m->wall + t->wall, t);
	SCREE_GLOBAL uint64_t *load = loads + t->wall * LOAD_ON_WALL_WORDS;
	if (push_counts(&p, t->depth) && !report_value(load + LOAD_ON_WALL_PUSH + 2 * p.to, p.mass * real_abs(p.way)))
		load[LOAD_ON_WALL_BEYOND] = 1;
}

/* The load of body a on a wall, with the torque about the wall's position. A load beyond 130 GN is out of range. */
SCREE_FN void add_to_wall(const sums_in *to, const resident_contact *o, const resident_result *q)
{
	SCREE_GLOBAL uint64_t *load = to->walls + (int64_t)o->moves * LOAD_ON_WALL_WORDS;
	const bool force = vector_plus(load + LOAD_ON_WALL_FORCE, v3_neg(q->force));
	const bool torque = vector_plus(load + LOAD_ON_WALL_TORQUE, torque_on(q->force, q->torque, o->of.apart));
	atomic_plus(load + LOAD_ON_WALL_CONTACTS, 1);
	to->own[REPORT_UNBEARABLE] += force && torque ? 0 : 1;
}

/* The work of a contact's force on a moving image. */
SCREE_FN void add_image(const resident_memory *m, const resident_contact *o, const resident_result *q,
						SCREE_GLOBAL uint64_t *own)
{
	const real power = v3_dot(q->force, m->space.now->drift[o->image]);
	own_value(own, REPORT_IMAGES, power);
}

/* Adds the result of a row. shared: as in add_result; on_wall: a compile-time constant */
SCREE_FN void add_row(const resident_memory *m, const resident_contact *o, const resident_result *q, const sums_in *to,
					  bool shared, bool on_wall)
{
	add_result(to->own, to->report, q, shared);
	if (!add_loads(to, o, q, on_wall, m->rule)) to->own[REPORT_UNBEARABLE] += 1;
	if (on_wall && o->moves >= 0 && q->touches) add_to_wall(to, o, q);
}

SCREE_FN void step_row(const resident_memory *m, const columns *rows, int64_t k, const sums_in *to, int list)
{
	const bool on_wall = list == LIST_ON_WALLS;
	if (!row_is_used(rows, k)) return;
	const resident_contact o = contact_in(m, rows, k, list);
	if (!o.touches && !o.touched) return;
	if (list != LIST_SPHERES && !o.touches) {
		end_row(m, &o, rows, k, to->own);
		return;
	}
	const resident_result q =
		resident_step(m, &o, rows, k, (SCREE_GLOBAL contact_turning *)(to->own + ITEM_PASSED), list);
	const resident_contact again = contact_in(m, rows, k, list); /* has not been kept in registers */
	add_row(m, &again, &q, to, on_wall && m->rule->shared, on_wall);
	if (list == LIST_SPHERES && m->rule->flows) add_image(m, &again, &q, to->own);
}

/* The rows of one list, shared by all workers. list: a compile-time constant */
SCREE_FN void step_rows(const resident_memory *m, SCREE_GLOBAL real *rows, const sums_in *to, int list)
{
	const columns in = columns_in(rows, &m->rule->row_stride[list]);
	for (int c = 0; c < REPORT_SUMS; ++c) to->own[c] = 0;
	for (int64_t k = item_number(); k < m->rule->rows[list]; k += m->rule->workers) step_row(m, &in, k, to, list);
}

/* Sums of this item over a list. */
SCREE_FN SCREE_GLOBAL uint64_t *own_in(SCREE_GLOBAL uint64_t *partial, SCREE_GLOBAL const resident_rule *r, int list)
{
	return partial + (list * r->workers + item_number()) * ITEM_WORDS;
}

SCREE_KERNEL_128 void resident_pairs(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,
									 SCREE_GLOBAL real *rows, SCREE_GLOBAL const law_constants *constants,
									 SCREE_GLOBAL const period_rule *period, SCREE_GLOBAL const period_images *images,
									 SCREE_GLOBAL const image *met, SCREE_GLOBAL uint64_t *sums,
									 SCREE_GLOBAL const int32_t *wide, SCREE_GLOBAL uint64_t *wide_sum,
									 SCREE_GLOBAL uint64_t *partial, SCREE_GLOBAL uint64_t *reports,
									 SCREE_GLOBAL const int64_t *stop, int32_t step)
{
	const int64_t item = item_number();
	const resident_memory m = {columns_in(bodies, &r->body_stride),	  constants, 0, 0, 0, r, 0,
							   space_in(r, period, images, met, step)};
	const sums_in to = {sums, 0, own_in(partial, r, LIST_SPHERES), reports + step * REPORT_WORDS,
						wide_in(r, wide, wide_sum)};
	if (item < r->workers && !is_off(stop, step)) step_rows(&m, rows, &to, LIST_SPHERES);
}

SCREE_KERNEL_128 void resident_on_walls(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,
										SCREE_GLOBAL real *rows, SCREE_GLOBAL const law_constants *constants,
										SCREE_GLOBAL const resident_wall *walls,
										SCREE_GLOBAL const resident_touch *touch, SCREE_GLOBAL uint64_t *sums,
										SCREE_GLOBAL const int32_t *wide, SCREE_GLOBAL uint64_t *wide_sum,
										SCREE_GLOBAL uint64_t *loads, SCREE_GLOBAL uint64_t *partial,
										SCREE_GLOBAL uint64_t *reports, SCREE_GLOBAL const int64_t *stop, int32_t step)
{
	const int64_t item = item_number();
	SCREE_GLOBAL uint64_t *load = loads_in(loads, r, step);
	const resident_memory m = {
		columns_in(bodies, &r->body_stride), constants, walls_after(walls, r, step), touch, load, r, 0};
	const sums_in to = {sums, load, own_in(partial, r, LIST_ON_WALLS), reports + step * REPORT_WORDS,
						wide_in(r, wide, wide_sum)};
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
		SCREE_GLOBAL const uint64_t *from = partial + k * ITEM_WORDS;
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

/* ------------------------------------------------------------------ ghosts */

/* Copies the columns that other parts of the world need of these rows, column by column. */
SCREE_KERNEL void resident_sends(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,
								 SCREE_GLOBAL const int32_t *rows, SCREE_GLOBAL real *sent, int32_t count)
{
	const int64_t item = item_number();
	if (item >= (int64_t)count * SPHERE_SENT) return;
	sent[item] = bodies[item / count * r->body_stride + rows[item % count]];
}
