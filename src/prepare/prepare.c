/* prepare: what a world derives from what it was given, before its first step: constants of the laws, the time
 * step, grids of walls. */
#include "prepare/prepare.h"

#include "base/memory.h"
#include "kernel/cohesion.h"
#include "prepare/parts.h"

#include <string.h>

static bool derive_constants(scree_world *w, fail *why)
{
	const materials *m = &w->material;
	scree_free(w->constants);
	w->constants = scree_alloc((size_t)m->count * (size_t)m->count, sizeof *w->constants);
	for (int32_t a = 0; a < m->count; ++a) {
		for (int32_t b = a; b < m->count; ++b) {
			const contact_rule *rule = scree_materials_rule(m, a, b);
			law_constants *c = w->constants + a * m->count + b;
			if (!scree_laws[rule->law].derive(m->row + a, m->row + b, rule, c, why))
				return scree_fail_in(why, "contact of %s with %s", m->row[a].name, m->row[b].name);
			if (w->flat && scree_laws[rule->law].overlaps) { /* of a slice of this thickness */
				c->stiffness *= w->thickness;
				c->shear *= w->thickness;
			}
			w->constants[b * m->count + a] = *c;
		}
	}
	return true;
}

/* constants of the laws, and the step as a part of the shortest contact */
static bool prepare_forces(scree_world *w, real step_part, real step, fail *why)
{
	if (!derive_constants(w, why) || !scree_world_laws_fit(w, why)) return false;
	scree_bodies_ask(&w->body, w->mover->asks);
	extremes *e = scree_extremes(w);
	scree_world_contact_time(w, e);
	bool holds = w->step > 0 || scree_world_cohesion_fits(w, e, why);
	scree_free(e);
	if (!holds) return false;
	real shortest = w->contact_time;
	if (!(step > 0) && !(shortest > 0))
		return scree_fail(why, FAIL_INPUT, "there is nothing that could touch, so the time step must be given");
	w->dt = step > 0 ? step : step_part > 0 ? shortest * step_part : w->usual_step;
	return scree_world_step_fits(w, why);
}

/* places, forms and grids of walls */
static void prepare_walls(scree_world *w)
{
	for (int32_t k = 0; w->grid && k < w->wall.count; ++k) scree_facet_grid_free(w->grid[k]);
	scree_free(w->grid);
	w->grid = scree_alloc((size_t)w->wall.count, sizeof *w->grid);
	for (int32_t k = 0; k < w->wall.count; ++k) {
		wall *o = w->wall.row + k;
		o->form = o->type == WALL_POLYGON ? w->shape.row + o->shape : NULL;
		if (o->type == WALL_FACETS) w->grid[k] = scree_facet_grid_new(&w->wall, k);
	}
	scree_walls_meet(&w->wall, w->grid);
}

static bool prepare_periods(scree_world *w, fail *why)
{
	const periods *p = &w->period;
	scree_periods_set(&w->period, w->step, w->dt);
	if (p->on && !scree_world_periods_check(w, why)) return false;
	if (!w->body.count || !p->shears) return true; /* without bodies the step is of no consequence */
	if (real_abs(p->speed) * w->dt < v3_part(p->size, p->flow) / 4) return true;
	return scree_fail(why, FAIL_INPUT,
					  "shear at %g 1/s moves the images by %.3g m in a step of %.3g s, expected less than a quarter of "
					  "the period",
					  p->rate, real_abs(p->speed) * w->dt, w->dt);
}

/* everything that is there at the start was brought; gravity is known only now */
static void open_ledger(scree_world *w)
{
	memset(&w->energy, 0, sizeof w->energy);
	for (int32_t i = 0; w->period.on && i < w->body.count; ++i) scree_world_wrap(w, i);
	for (int32_t i = 0; i < w->body.count; ++i) scree_world_brought(w, i, false);
}

/* May two partners of this kind touch in several contacts? Also where a wall has several surfaces. */
static bool several_contacts(const scree_world *w, int kind)
{
	return scree_world_many(w, kind) || (pair_on_wall(kind) && w->wall.surfaces > w->wall.count);
}

/* what contacts of each kind have to remember by the laws that there are */
static void ask_contacts(scree_world *w)
{
	uint32_t turns = 0;
	for (int32_t k = 0; !w->solver && k < w->material.count * w->material.count; ++k) {
		const law_constants *c = w->constants + k;
		if (c->rolling > 0 || c->twisting > 0 || c->cohesion != COHESION_NONE) turns = REMEMBERS_TURNS;
	}
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_row *row = scree_pair_kinds + kind;
		uint32_t what = row->formula ? 0 : REMEMBERS_GEOMETRY;
		if (scree_world_many(w, kind)) what |= REMEMBERS_FEATURES;
		if (row->many && !row->patch) what |= REMEMBERS_RADII;
		if (!w->solver && several_contacts(w, kind)) what |= REMEMBERS_SHARES;
		if (!w->solver && row->patch && row->on_wall && w->wall.surfaces > w->wall.count) what |= REMEMBERS_PARTS;
		if (w->solver) what |= REMEMBERS_FORCE;
		if (!w->solver) what |= turns | (row->patch ? REMEMBERS_ACCOUNT | REMEMBERS_FORCE : 0);
		scree_pair_list_remember(w->pair + kind, what);
	}
}

bool scree_world_prepare(scree_world *w, real step_part, real step, fail *why)
{
	if (!w->material.count) return scree_fail(why, FAIL_INPUT, "a world needs at least one material");
	if (!scree_world_plane_fits(w, why) || !scree_shapes_need_skins(&w->shape, why)) return false;
	bool right = w->solver ? scree_world_impulses_prepare(w, step_part, step, why) && scree_world_walls_fit(w, why)
						   : prepare_forces(w, step_part, step, why);
	if (!right) return false;
	ask_contacts(w);
	prepare_walls(w);
	if (w->step == 0 && !scree_world_servos_set(w, why)) return false;
	scree_walls_move(&w->wall, w->time);
	if (!prepare_periods(w, why)) return false;
	if (w->step == 0) open_ledger(w);
	w->skin.stale = true;
	return true;
}
