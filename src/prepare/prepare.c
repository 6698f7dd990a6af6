/* prepare: derives constants of laws, the time step and grids of walls from a world's input before its first step. */
#include "prepare/prepare.h"

#include "base/memory.h"
#include "kernel/cohesion.h"
#include "model/integrator.h"
#include "model/law.h"
#include "prepare/internal.h"
#include "state/pairs.h"
#include "wall/facets.h"
#include "work/ways_ahead.h"
#include "world/world.h"

#include <string.h>

static bool derive_constants(model *m, fail *why)
{
	const materials *all = &m->material;
	scree_free(m->constants);
	m->constants = scree_alloc((size_t)all->count * (size_t)all->count, sizeof *m->constants);
	for (int32_t a = 0; a < all->count; ++a) {
		for (int32_t b = a; b < all->count; ++b) {
			const contact_rule *rule = scree_materials_rule(all, a, b);
			law_constants *c = m->constants + a * all->count + b;
			if (!scree_laws[rule->law].derive(all->row + a, all->row + b, rule, c, why))
				return scree_fail_in(why, "contact of %s with %s", all->row[a].name, all->row[b].name);
			if (m->flat && scree_laws[rule->law].overlaps) { /* the constants apply to a slice of this thickness */
				c->stiffness *= m->thickness;
				c->shear *= m->thickness;
			}
			m->constants[b * all->count + a] = *c;
		}
	}
	return true;
}

real scree_implicit_step(const model *m, real diameter, bool hard)
{
	static const real TIMES = 1, PART = (real)0.05, WAY = (real)0.15, HARD_WAY = (real)0.1;
	const real g = v3_norm(m->gravity), contact = TIMES * m->contact_time;
	const real flow = g > 0 && diameter > 0 ? PART * sqrt(diameter / g) : INFINITY;
	const real most = real_min(flow, (hard ? HARD_WAY : WAY) * m->passing);
	return hard && most < INFINITY ? real_min(TIMES * m->bond_time, most) : real_min(contact, most);
}

/* The step divided by each bound. Implicit contacts allow any step unless there are bonds (which would not converge),
 * drag or liquid bridges (which depend on the state before the step), or halos (through which surfaces could pass). */
static step_excess excess_of(const model *m, const extremes *e)
{
	const real bridges = m->implicit ? BRIDGE_MOST * scree_world_bridge_step(m, e).least : INFINITY;
	return (step_excess){.by = {[BOUND_HEAT] = m->dt / scree_world_heat_step(m, e).least,
								[BOUND_BONDS] = m->implicit ? m->dt / (BOND_MOST * m->bond_time) : 0,
								[BOUND_BRIDGES] = m->dt / bridges,
								[BOUND_DRAG] = m->dt / m->drag_step,
								[BOUND_HALO] = m->dt / m->halo_step,
								[BOUND_CONTACTS] = m->implicit || !(m->contact_time > 0) ? 0 : m->dt / m->safe_step}};
}

/* Tests whether a bound is exceeded by more than the run already tolerates because bodies have become faster. */
static bool is_beyond(real now, real before)
{
	static const real ROUNDING = (real)1e-9;
	return now > (1 + ROUNDING) * real_max(1, before);
}

static bool refuse_bound(const model *m, const state *s, const domain *d, const extremes *e, int bound, fail *why)
{
	const pair_time heat = scree_world_heat_step(m, e);
	const pair_time bridges = scree_world_bridge_step(m, e);
	switch (bound) {
	case BOUND_HEAT:
		return scree_world_heat_refuse(m, &heat, why);
	case BOUND_BONDS:
		return scree_world_bonds_refuse(m, why);
	case BOUND_BRIDGES:
		return scree_world_bridge_refuse(m, &bridges, why);
	case BOUND_DRAG:
		return scree_step_refuse_drag(m, s, d, why);
	case BOUND_HALO:
		return scree_step_refuse_halos(m, s, d, why);
	default:
		return scree_step_refuse_contacts(m, why);
	}
}

/* Tests bounds on the step set by bodies and materials. before: tolerated excess */
static bool check_bounds(const model *m, const state *s, const domain *d, const extremes *e, const step_excess *before,
						 fail *why)
{
	const step_excess now = excess_of(m, e);
	for (int k = 0; k < BOUNDS && !m->unsafe; ++k)
		if (is_beyond(now.by[k], before->by[k]))
			return refuse_bound(m, s, d, e, k, why) || scree_step_refuse_more(before->by[k], now.by[k], why);
	return true;
}

/* diameter, in m, of the smallest body of all materials, or 0 */
static real smallest_diameter(const model *m, const extremes *e)
{
	real least = INFINITY;
	for (int32_t k = 0; k < m->material.count; ++k)
		if (e[k].small > 0) least = real_min(least, e[k].small);
	return least < INFINITY ? 2 * least : 0;
}

/* default step, in s, before the bound due to heat is applied */
static real default_step(const model *m, const state *s, const domain *d, const extremes *e)
{
	if (!m->implicit) return real_min(m->usual_step, scree_step_walls(m, s, d));
	const real bridges = BRIDGE_SAFE * scree_world_bridge_step(m, e).least;
	const real others = real_min(scree_step_drag(m, s, d).safe, scree_step_halos(m, s, d).safe);
	return real_min(scree_implicit_step(m, smallest_diameter(m, e), m->hard), real_min(bridges, others));
}

/* Returns the largest part_after (kernel/impulse.h) of all pairs of materials, which suffices for every contact. */
static real greatest_part_after(const model *m)
{
	const int32_t n = m->material.count;
	real most = (real)0.5;
	for (int32_t k = 0; k < n * n; ++k) most = real_max(most, part_after_of(m, k));
	return most;
}

/* Sets the step, either the given one or the default. */
static bool set_step(model *m, const state *s, const domain *d, const extremes *e, real part, real step, fail *why)
{
	if (!(step > 0) && !(m->contact_time > 0))
		return scree_refuse(why, "no bodies or walls can touch, so run.step must be given");
	if (step > 0)
		m->dt = step;
	else if (part > 0)
		m->dt = part * m->contact_time;
	else
		m->dt = real_min(default_step(m, s, d, e), scree_world_heat_step(m, e).least);
	return true;
}

/* Derives the constants of the laws, and the step as a fraction of the shortest contact time. */
static bool prepare_forces(model *m, state *s, const domain *d, real step_part, real step, fail *why)
{
	if (!scree_domain_agree(
			d, derive_constants(m, why) && scree_world_check_laws(m, s, why) && scree_world_heat_check(m, s, why), why))
		return false;
	if (!s->begun && !scree_world_held_heat_check_new(m, s, d, 0, UINT64_MAX, why)) return false;
	scree_bodies_ask(&s->body, scree_world_asks(m));
	scree_world_heat_derive(m);
	extremes *e = scree_extremes(m, s, d);
	scree_world_contact_time(m, s, d, e);
	scree_world_bridges(m, e);
	m->passing = scree_passing_time(m, s, d);
	if (m->implicit) m->after = greatest_part_after(m);
	/* bodies of a resumed run may have become faster; this must not stop the run */
	const bool right = (s->begun || scree_world_check_cohesion(m, e, why)) &&
					   set_step(m, s, d, e, step_part, step, why) &&
					   (s->begun || check_bounds(m, s, d, e, &(step_excess){0}, why));
	scree_free(e);
	return right;
}

/* Derives positions, shapes and grids of walls. */
static void prepare_walls(model *m)
{
	for (int32_t k = 0; m->grid && k < m->wall.count; ++k) scree_facet_grid_free(m->grid[k]);
	scree_free(m->grid);
	m->grid = scree_alloc((size_t)m->wall.count, sizeof *m->grid);
	for (int32_t k = 0; k < m->wall.count; ++k) {
		wall *o = m->wall.row + k;
		o->form = o->type == WALL_POLYGON ? m->shape.row + o->shape : NULL;
		if (o->type == WALL_FACETS) m->grid[k] = scree_facet_grid_new(&m->wall, k);
	}
	scree_walls_meet(&m->wall, m->grid);
}

bool scree_world_check_shear(const model *m, const state *s, const domain *d, fail *why)
{
	const periods *p = &m->period;
	if (p->deforms) return scree_world_cell_check_step(m, s, d, why);
	if (!p->shears || !scree_domain_any(d, s->body.owned > 0)) return true; /* without bodies the step has no effect */
	if (real_abs(s->images.speed) * m->dt < v3_part(p->size, p->flow) / 4) return true;
	return scree_refuse(
		why,
		"shear at %g 1/s moves the images by %.3g m in a step of %.3g s, expected less than a quarter of the period",
		p->rate, real_abs(s->images.speed) * m->dt, m->dt);
}

static bool prepare_periods(model *m, state *s, work *w, fail *why)
{
	periods_begin(&m->period);
	if (!s->images.begun) scree_periods_start(&m->period, &s->images, scree_cell_rate(&m->cell, s->time));
	s->body.in_cell = m->period.on;
	s->body.way_by_pose = !m->period.on && !m->implicit && !m->solver;
	scree_periods_set(&m->period, &s->images, s->step - s->step_from, m->dt);
	if (m->period.on && !scree_world_periods_check(m, s, w, why)) return false;
	scree_world_cell_set(m, s, w);
	/* a change may lead to a different step, for which scree_world_check_change makes these tests */
	return s->begun || scree_world_check_shear(m, s, &w->domain, why);
}

step_excess scree_world_step_excess(const model *m, const state *s, const domain *d)
{
	model now = *m; /* shares the arrays of m */
	if (m->solver) return (step_excess){0};
	extremes *e = scree_extremes(m, s, d);
	scree_world_contact_time(&now, s, d, e);
	step_excess o = excess_of(&now, e);
	o.mass = scree_world_servo_needs(&now, s, d);
	scree_free(e);
	return o;
}

/* Tests the bounds set by present speeds and loads. */
static bool check_all_bounds(const model *m, const state *s, const domain *d, const step_excess *before, fail *why)
{
	model now = *m;
	if (m->solver) return true;
	extremes *e = scree_extremes(m, s, d);
	scree_world_contact_time(&now, s, d, e);
	const bool holds = check_bounds(&now, s, d, e, before, why);
	scree_free(e);
	return holds;
}

bool scree_world_check_change(model *m, state *s, const domain *d, const step_excess *before, fail *why)
{
	return check_all_bounds(m, s, d, before, why) && scree_world_check_shear(m, s, d, why) &&
		   scree_world_servos_follow(m, s, d, before->mass, why);
}

bool scree_world_check_new_step(model *m, state *s, const domain *d, fail *why)
{
	return (!m->solver || scree_world_check_impulses(m, s, d, why)) &&
		   scree_world_check_change(m, s, d, &(step_excess){0}, why);
}

/* Counts the initial energy as brought into the world; it can be computed only now, after gravity has been set. */
static void open_ledger(model *m, state *s, const domain *d)
{
	memset(&s->energy, 0, sizeof s->energy);
	for (int32_t i = 0; m->period.on && i < s->body.owned; ++i) scree_world_wrap(m, s, i);
	for (int32_t i = 0; i < s->body.owned; ++i) scree_world_brought(m, s, i, false);
	for (int32_t k = 0; d->first && k < m->wall.count; ++k) {
		if (!motion_is_free(m->wall.row[k].motion.type)) continue;
		real potential, kinetic = scree_wall_free_energy(m->wall.row + k, s->wall + k, m->gravity, &potential);
		scree_fixed_add(&s->energy.brought, kinetic + potential);
	}
}

/* Tests whether two partners of this kind may have several contacts, including walls with several surfaces. */
static bool several_contacts(const model *m, int kind)
{
	return scree_world_several(m, kind) || (pair_on_wall(kind) && m->wall.surfaces > m->wall.count);
}

/* Tests whether contacts of this kind change gradually into each other, as between two capsules. */
static bool fades(const model *m, const pair_row *row)
{
	return any_shape(m, SHAPE_CAPSULE) && row->several && !row->patch && !row->on_wall;
}

/* Tests whether contacts of this kind are tracked by their positions: those of superquadrics with round walls. */
static bool has_places(const model *m, const pair_row *row)
{
	bool round = false;
	for (int32_t k = 0; k < m->wall.count; ++k)
		round |= m->wall.row[k].type == WALL_CYLINDER || m->wall.row[k].type == WALL_CONE;
	return any_shape(m, SHAPE_SUPERQUADRIC) && round && row->several && !row->patch && row->on_wall;
}

/* Sets up the history columns that the laws need for contacts of each kind. */
static void ask_contacts(model *m, state *s, work *w)
{
	uint32_t turns = 0, deepest = 0, bonds = 0;
	for (int32_t k = 0; !m->solver && k < m->material.count * m->material.count; ++k) {
		const law_constants *c = m->constants + k;
		if (c->rolling > 0 || c->twisting > 0 || c->cohesion != COHESION_NONE) turns = REMEMBERS_TURNS;
		if (c->law == LAW_PLASTIC) deepest = REMEMBERS_DEEPEST;
		if (m->material.rule[k].bond.tension > 0) bonds = REMEMBERS_BONDS;
	}
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_row *row = scree_pair_kinds + kind;
		uint32_t what = scree_world_several(m, kind) ? REMEMBERS_FEATURES : 0;
		uint32_t derives = row->formula ? 0 : DERIVES_GEOMETRY;
		if (row->several && !row->patch) derives |= DERIVES_RADII;
		if (m->implicit && row->several && !row->patch) derives |= DERIVES_NOW;
		const bool yields = row->on_wall && scree_walls_driven(&m->wall);
		if (!m->solver && (yields || several_contacts(m, kind))) derives |= DERIVES_SHARES;
		if (!m->solver && row->patch && row->on_wall && m->wall.surfaces > m->wall.count) derives |= DERIVES_PARTS;
		if (!m->solver && fades(m, row)) derives |= DERIVES_PARTS;
		if (m->solver || row->patch) derives |= DERIVES_FORCE;
		if (!m->solver) what |= turns | (row->patch ? REMEMBERS_ACCOUNT : deepest);
		if (row->formula) what |= bonds;
		if (!m->solver && has_places(m, row)) what |= REMEMBERS_PLACES;
		if (m->implicit)
			what |= REMEMBERS_ACCOUNT | REMEMBERS_IMPULSES | (row->patch ? REMEMBERS_MOMENT : 0),
				derives |= DERIVES_FORCE;
		scree_pair_list_remember(s->pair + kind, what);
		scree_contact_work_room(&w->pair[kind].contact, derives, s->pair[kind].capacity);
	}
}

/* Shortens a step chosen by the engine to the step that walls with a given mass require. */
static bool set_servos(model *m, state *s, const domain *d, bool chosen, fail *why)
{
	static const real SHORTER = (real)0.9, LEAST = (real)1e-3;
	const real usual = m->dt;
	bool right = scree_world_servos_set(m, s, d, why);
	while (!right && chosen && m->dt > LEAST * usual) {
		m->dt *= SHORTER;
		right = scree_world_servos_set(m, s, d, why);
	}
	if (!right) m->dt = usual;
	return right;
}

static bool prepare(scree_world *w, real step_part, real step, fail *why)
{
	const domain *d = &w->work.domain;
	if (!scree_domain_agree(
			d, scree_world_check_plane(&w->model, &w->state, why) && scree_shapes_need_skins(&w->model.shape, why),
			why))
		return false;
	scree_state_room(&w->model, &w->state);
	scree_work_room(&w->work, w->model.wall.count, w->model.population.sources);
	if (w->model.solver && !scree_domain_agree(d, scree_world_heat_check(&w->model, &w->state, why), why)) return false;
	bool right = w->model.solver ? scree_world_impulses_prepare(&w->model, &w->state, &w->work, step_part, step, why) &&
									   scree_world_check_walls(&w->model, why)
								 : prepare_forces(&w->model, &w->state, d, step_part, step, why);
	if (!right) return false;
	ask_contacts(&w->model, &w->state, &w->work);
	prepare_walls(&w->model);
	const bool chosen = !(step > 0) && !(step_part > 0) && !w->model.solver;
	if (!set_servos(&w->model, &w->state, d, chosen, why)) return false;
	/* later on, steps move walls to time + dt, which may differ from this due to rounding */
	if (!w->state.begun) scree_walls_move(&w->model.wall, w->state.wall, w->state.time);
	if (!prepare_periods(&w->model, &w->state, &w->work, why)) return false;
	if (!w->state.begun) open_ledger(&w->model, &w->state, d);
	w->work.skin.stale = true;
	return true;
}

bool scree_world_prepare(scree_world *w, real step_part, real step, fail *why)
{
	if (!w->model.material.count) return scree_refuse(why, "a world needs at least one material");
	if (w->state.begun && step > 0 && step != w->model.dt)
		return scree_refuse(
			why,
			"a run that has begun with a time step of %.3g s is prepared for a step of %.3g s; both must be the same",
			w->model.dt, step);
	return prepare(w, step_part, w->state.begun ? w->model.dt : step, why);
}

void scree_world_own_step(model *m) { m->own_step = m->implicit || m->solver ? 0 : m->dt; }

bool scree_world_prepare_step(scree_world *w, real step_part, real step, fail *why)
{
	w->model.own_step = 0;
	return prepare(w, step_part, step, why) && scree_world_check_new_step(&w->model, &w->state, &w->work.domain, why) &&
		   (step > 0 || step_part > 0 || (scree_world_own_step(&w->model), true));
}

bool scree_world_prepare_between(scree_world *w, fail *why)
{
	model *m = &w->model;
	const bool unsafe = m->unsafe;
	const size_t walls = (size_t)m->wall.count;
	wall *kept = scree_copy(m->wall.row, walls, sizeof *kept);
	m->unsafe = true;
	const bool right = prepare(w, 0, m->contact_time > 0 ? 0 : m->dt, why);
	for (size_t k = 0; k < walls; ++k) m->wall.row[k].servo = kept[k].servo;
	m->unsafe = unsafe;
	scree_free(kept);
	return right;
}

static const size_t prepared[PREPARED_REALS] = {
	offsetof(model, dt),		   offsetof(model, usual_step), offsetof(model, passing),	offsetof(model, safe_step),
	offsetof(model, turning_step), offsetof(model, drag_step),	offsetof(model, halo_step), offsetof(model, longest),
	offsetof(model, contact_time), offsetof(model, after)};

prepared_numbers scree_world_prepared(const model *m, const state *s)
{
	prepared_numbers o = {.stiffest = {m->stiffest[0], m->stiffest[1]}};
	for (int k = 0; k < PREPARED_REALS; ++k) o.of[k] = *(const real *)(const void *)((const char *)m + prepared[k]);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) o.remembers[kind] = s->pair[kind].remembers;
	return o;
}

void scree_world_take_prepared(model *m, state *s, const prepared_numbers *from)
{
	for (int k = 0; k < PREPARED_REALS; ++k) *(real *)(void *)((char *)m + prepared[k]) = from->of[k];
	for (int k = 0; k < 2; ++k) m->stiffest[k] = from->stiffest[k];
	for (int kind = 0; kind < PAIR_KINDS; ++kind) scree_pair_list_remember(s->pair + kind, from->remembers[kind]);
}
