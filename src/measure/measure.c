#include "measure/measure.h"

#include "state/contact_rows.h"
#include "state/pairs.h"
#include "world/world.h"

#include <string.h>

/* OTHERS: mass of all bodies of a cell, stored for its first size class */
enum { BODIES, MASS, OTHERS, MOVED, MOMENTUM, COMMON = MOMENTUM + 3 };

/* A measurement in progress. */
typedef struct job {
	const measure_plan *plan;
	const model *m;
	const state *s;
	const work *w;
	int32_t cells, each; /* each: number of sums per cell */
	int rows, row[PLAN_FIELDS];
	bool turns;	   /* whether a row needs the axes of a round region */
	int32_t *cell; /* [bodies, including ghosts]; -1 if in no cell */
	fixed *common; /* [cells][COMMON] */
	real *top;	   /* [cells] */
	vec3 *mean;	   /* [cells] mean velocity relative to the homogeneous flow */
	fixed *sum;	   /* [cells][each] */
	bool cuts;	   /* whether a row needs bodies cut at the borders of cells */
	fixed *cut;	   /* [cells][CUT_SUMS]; NULL if no row needs it */
} job;

/* ------------------------------------------------------------------ bodies */

static real size_of(const job *j, int32_t i) { return j->s->body.size[i] / j->m->shape.row[j->s->body.shape[i]].scale; }

/* velocity relative to the homogeneous flow of a sheared world */
static vec3 own_velocity(const job *j, int32_t i)
{
	const bodies *b = &j->s->body;
	return v3_sub(body_velocity(b, i), scree_periods_flow(&j->m->period, &j->s->images, body_position(b, i)));
}

static real moved_mass(const bodies *b, int32_t i) { return b->inv_mass[i] > 0 ? b->mass[i] : 0; }

/* The class of a body; -1 if the measure excludes it. */
static int32_t class_of(const job *j, int32_t i)
{
	if (j->plan->material >= 0 && j->s->body.material[i] != j->plan->material) return -1;
	return scree_class_of(j->plan, size_of(j, i));
}

static void find_cells(job *j)
{
	const bodies *b = &j->s->body;
	j->cell = scree_alloc((size_t)b->count, sizeof *j->cell);
	for (int32_t i = 0; i < b->count; ++i) {
		const int32_t cell = scree_cell_at(j->plan, body_position(b, i)), class = class_of(j, i);
		j->cell[i] = cell < 0 || class < 0 ? -1 : cell + class;
		if (cell >= 0 && i < b->owned) scree_fixed_add(j->common + cell * COMMON + OTHERS, b->mass[i]);
	}
}

static void add_common(job *j)
{
	const bodies *b = &j->s->body;
	const bool falls = v3_norm(j->m->gravity) > 0;
	const vec3 up = falls ? v3_neg(v3_unit(j->m->gravity)) : v3(0, 0, 0);
	for (int32_t i = 0; i < b->owned; ++i) {
		if (j->cell[i] < 0) continue;
		fixed *sum = j->common + j->cell[i] * COMMON;
		real *top = j->top + j->cell[i];
		sum[BODIES].quanta += 1;
		scree_fixed_add(sum + MASS, b->mass[i]);
		scree_fixed_add(sum + MOVED, moved_mass(b, i));
		fixed_add_vector(sum + MOMENTUM, v3_mul(moved_mass(b, i), own_velocity(j, i)));
		if (falls) *top = real_max(*top, v3_dot(up, body_position(b, i)) + b->radius[i]);
	}
	j->w->domain.by->add(j->w->domain.at, j->cells * COMMON, j->common);
	scree_domain_most(&j->w->domain, j->cells, j->top);
	for (int32_t k = 0; k < j->cells; ++k) {
		const fixed *sum = j->common + k * COMMON;
		const real moved = scree_fixed_value(sum[MOVED]);
		if (moved > 0) j->mean[k] = v3_mul(1 / moved, fixed_vector(sum + MOMENTUM));
	}
}

/* Components of a vector at a body's centre: along the radius, around the axis and along the axis; 0 if not needed. */
static vec3 turned(const job *j, int32_t i, vec3 v)
{
	const region *g = &j->plan->where;
	if (!j->turns) return v3(0, 0, 0);
	const vec3 along = g->type == REGION_CYLINDER ? g->axis : v3(0, 0, 1);
	const vec3 from = v3_sub(body_position(&j->s->body, i), g->centre);
	const vec3 out = v3_madd(from, -v3_dot(from, along), along);
	const vec3 radial = v3_norm(out) > 0 ? v3_unit(out) : v3_across(along);
	return v3(v3_dot(radial, v), v3_dot(v3_cross(along, radial), v), v3_dot(along, v));
}

static real volume_of(const job *j, int32_t i)
{
	const real r = j->s->body.round[i], area = SCREE_PI * r * r;
	return area * (j->m->flat ? j->m->thickness : r * 4 / 3);
}

/* Adds the parts of bodies to all cells that they extend into. */
static void add_cuts(const job *j, const scree_world *w)
{
	for (int32_t i = 0; i < j->s->body.owned && j->cuts; ++i) {
		const int32_t class = class_of(j, i);
		if (class >= 0) scree_cut_body(j->plan, w, i, class, volume_of(j, i), j->cut);
	}
	if (j->cuts) j->w->domain.by->add(j->w->domain.at, j->cells * CUT_SUMS, j->cut);
}

static measured_body look_at(const job *j, int32_t i)
{
	const bodies *b = &j->s->body;
	const vec3 deviation = v3_sub(own_velocity(j, i), j->mean[j->cell[i]]);
	const real *warm = body_temperatures(b);
	return (measured_body){.mass = b->mass[i],
						   .moved = moved_mass(b, i),
						   .volume = volume_of(j, i),
						   .size = size_of(j, i),
						   .capacity = b->mass[i] * j->m->material.row[b->material[i]].capacity,
						   .temperature = warm ? warm[i] : 0,
						   .velocity = body_velocity(b, i),
						   .deviation = deviation,
						   .round_deviation = turned(j, i, deviation)};
}

static void add_bodies(const job *j)
{
	for (int32_t i = 0; i < j->s->body.owned; ++i) {
		if (j->cell[i] < 0) continue;
		const measured_body b = look_at(j, i);
		fixed *sum = j->sum + j->cell[i] * j->each;
		for (int k = 0; k < j->rows; sum += scree_measures[j->row[k++]].sums)
			if (scree_measures[j->row[k]].body) scree_measures[j->row[k]].body(&b, sum);
	}
}

/* ------------------------------------------------------------------ contacts */

static void add_end(const job *j, int32_t body, measured_end e)
{
	if (j->cell[body] < 0) return;
	e.round_force = turned(j, body, e.force);
	e.round_arm = turned(j, body, e.arm);
	fixed *sum = j->sum + j->cell[body] * j->each;
	for (int k = 0; k < j->rows; sum += scree_measures[j->row[k++]].sums)
		if (scree_measures[j->row[k]].end) scree_measures[j->row[k]].end(&e, sum);
}

/* The part of the world that counts a contact adds both ends: with impulses, other parts may not have the contact. */
static void add_contacts(const job *j, int kind)
{
	const pair_list *l = j->s->pair + kind;
	int32_t last = -1;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
		if (!scree_contact_counted(j->s, kind, c.row)) continue;
		const contact_look look = scree_contact_look(j->m, j->s, j->w, kind, c.row);
		const vec3 f = look.force.force;
		const bool first = l->slot[c.row] != last;
		last = l->slot[c.row];
		add_end(j, l->ca[c.row],
				(measured_end){.force = f, .arm = look.at, .normal = v3_neg(look.normal), .first = first});
		if (pair_on_wall(kind)) continue;
		const vec3 arm = v3_add(look.at, scree_contact_branch(j->m, j->s, j->w, kind, c.row));
		add_end(j, l->cb[c.row], (measured_end){.force = v3_neg(f), .arm = arm, .normal = look.normal, .first = first});
	}
}

/* ------------------------------------------------------------------ values */

static int32_t columns_of(const char *text)
{
	int32_t count = 1;
	for (; *text; ++text) count += *text == ' ';
	return count;
}

static measured_cell cell_of(const job *j, int32_t k)
{
	const fixed *sum = j->common + k * COMMON;
	return (measured_cell){.volume = scree_cell_volume(j->plan, k),
						   .bodies = (real)sum[BODIES].quanta,
						   .mass = scree_fixed_value(sum[MASS]),
						   .others =
							   scree_fixed_value(j->common[k / j->plan->classes * j->plan->classes * COMMON + OTHERS]),
						   .moved = scree_fixed_value(sum[MOVED]),
						   .top = j->top[k],
						   .dimension = j->m->flat ? 2 : 3};
}

static real share_of(const job *j)
{
	fixed sum[2] = {0};
	for (int32_t k = 0; k < j->cells; ++k) {
		scree_fixed_join(sum + 0, j->common[k * COMMON + MASS]);
		scree_fixed_join(sum + 1, j->common[k * COMMON + OTHERS]);
	}
	return scree_fixed_value(sum[0]) / scree_fixed_value(sum[1]);
}

static void put_values(const job *j, int32_t cell, measured_cell c, real *value)
{
	real sum[MEASURE_SUMS];
	const fixed *from = j->sum + cell * j->each;
	for (int k = 0; k < j->rows; ++k) {
		const measure_row *row = scree_measures + j->row[k];
		for (int32_t n = 0; n < row->sums; ++n) sum[n] = scree_fixed_value(*from++);
		row->value(&c, sum, value);
		value += columns_of(row->columns);
	}
}

static real *values_of(const job *j, int32_t *columns)
{
	*columns = 0;
	for (int k = 0; k < j->rows; ++k) *columns += columns_of(scree_measures[j->row[k]].columns);
	real *value = scree_alloc((size_t)j->cells * (size_t)*columns + 1, sizeof *value);
	const real share = share_of(j);
	for (int32_t k = 0; k < j->cells; ++k) {
		measured_cell c = cell_of(j, k);
		c.share = share;
		for (int n = 0; n < CUT_SUMS && j->cuts; ++n) c.cut[n] = scree_fixed_value(j->cut[k * CUT_SUMS + n]);
		if (j->m->flat) c.volume *= j->m->thickness;
		put_values(j, k, c, value + (int64_t)k * *columns);
	}
	return value;
}

measure_plan scree_measure_now(const measure_plan *p, const scree_world *w)
{
	const periods *period = &w->model.period;
	const images *now = &w->state.images;
	measure_plan o = *p;
	for (int32_t d = 0; period->deforms && p->bounded && d < 3; ++d) {
		if (!scree_region_spans(period, &p->where, d)) continue;
		*v3_along(&o.where.low, d) = v3_part(now->low, d);
		*v3_along(&o.where.high, d) = v3_part(now->low, d) + v3_part(now->size, d);
	}
	return o;
}

/* Tests whether part of the region is outside a cell of variable size, where only images of bodies would be. */
static bool reaches_out(const measure_plan *p, const scree_world *w)
{
	const images *now = &w->state.images;
	vec3 low, high;
	if (!w->model.period.deforms || !p->bounded) return false;
	scree_region_reach(&p->where, &low, &high);
	for (int32_t d = 0; d < 3; ++d)
		if (w->model.period.axis[d] &&
			(v3_part(low, d) < v3_part(now->low, d) || v3_part(high, d) > v3_part(now->low, d) + v3_part(now->size, d)))
			return true;
	return false;
}

real *scree_measure(const measure_plan *p, const scree_world *w, int32_t *columns)
{
	const measure_plan here = scree_measure_now(p, w);
	job j = {.plan = &here, .m = &w->model, .s = &w->state, .w = &w->work, .cells = scree_cells(p)};
	j.rows = scree_measure_rows(p, j.row);
	for (int k = 0; k < j.rows; ++k) {
		j.each += scree_measures[j.row[k]].sums;
		j.turns |= scree_measures[j.row[k]].needs_axis;
		j.cuts |= scree_measures[j.row[k]].needs_cuts;
	}
	j.common = scree_alloc((size_t)j.cells * COMMON, sizeof *j.common);
	j.sum = scree_alloc((size_t)(j.cells * j.each) + 1, sizeof *j.sum);
	j.mean = scree_alloc((size_t)j.cells, sizeof *j.mean);
	j.top = scree_alloc((size_t)j.cells, sizeof *j.top);
	if (j.cuts) j.cut = scree_alloc((size_t)j.cells * CUT_SUMS, sizeof *j.cut);
	for (int32_t k = 0; k < j.cells; ++k) j.top[k] = -INFINITY;
	find_cells(&j);
	add_common(&j);
	add_bodies(&j);
	add_cuts(&j, w);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) add_contacts(&j, kind);
	w->work.domain.by->add(w->work.domain.at, j.cells * j.each, j.sum);
	real *value = values_of(&j, columns);
	const int32_t values = reaches_out(&here, w) ? j.cells * *columns : 0;
	for (int32_t k = 0; k < values; ++k) value[k] = NAN;
	SCREE_FREE_ALL(j.common, j.sum, j.mean, j.top, j.cell, j.cut);
	return value;
}

/* ------------------------------------------------------------------ flow into a sink, or through a plane */

static int32_t find_sink(const measure_plan *p, const population *o)
{
	int32_t k = o->sinks - 1;
	while (k >= 0 && strcmp(o->sink[k].name, p->sink) != 0) --k;
	return k;
}

bool scree_measure_has_flow(const measure_plan *p, const scree_world *w)
{
	if (p->type == MEASURE_PLANE) return scree_flow_plane_find(&w->model.flow, p->name) >= 0;
	return find_sink(p, &w->model.population) >= 0;
}

static real difference(fixed a, fixed b)
{
	scree_fixed_join(&a, (fixed){-b.quanta, -b.beyond});
	return scree_fixed_value(a);
}

measured_flow scree_measure_flow(const measure_plan *p, const scree_world *w)
{
	if (p->type == MEASURE_SINK) {
		const sink_state *s = w->state.sink + find_sink(p, &w->model.population);
		return (measured_flow){.mass = s->mass_taken, .count = s->taken};
	}
	fixed sum[FLOW_SUMS];
	flow_to_sums(w->state.flow + scree_flow_plane_find(&w->model.flow, p->name), sum);
	w->work.domain.by->add(w->work.domain.at, FLOW_SUMS, sum);
	const flow_count all = flow_of_sums(sum);
	return (measured_flow){.mass = difference(all.mass[0], all.mass[1]),
						   .count = all.count[0] - all.count[1],
						   .mass_back = scree_fixed_value(all.mass[1]),
						   .back = all.count[1]};
}

const flow_column scree_flow_columns[] = {
	{"mass[kg]", "mass that flowed since the start"},
	{"bodies[1]", "number of bodies that flowed since the start"},
	{"mass_rate[kg/s]", "mean flow of mass since the previous row"},
	{"body_rate[1/s]", "mean flow of bodies since the previous row"},
	{"mass_back[kg]", "mass that flowed against the normal of the plane since the start"},
	{"bodies_back[1]", "number of bodies that flowed against the normal of the plane since the start"},
};
const int scree_flow_column_count = sizeof scree_flow_columns / sizeof *scree_flow_columns;

int scree_measure_flow_columns(const measure_plan *p) { return p->type == MEASURE_SINK ? 4 : scree_flow_column_count; }
