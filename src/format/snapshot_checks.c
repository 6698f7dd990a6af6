/* snapshot_checks: checks of loaded data. Shapes and walls are rebuilt from the few numbers that determine them and
 * compared, so that their tables of faces and edges are consistent. Other data are checked against ranges. */
#include "format/snapshot_world.h"

#include <string.h>

#include "base/memory.h"
#include "shape/shape_forms.h"
#include "state/contact_key.h"
#include "state/pairs.h"
#include "wall/internal.h"
#include "world/world.h"

/* the squares and cubes of numbers within this limit are still finite doubles; valid worlds have far smaller numbers */
static const real MOST = 1e100;
static const int64_t COUNT_LIMIT = (int64_t)1 << 60; /* limit on steps, ids and outputs, so that sums do not overflow */
static const real ALIKE = 1e-9;						 /* tolerance for numbers that are equal up to rounding errors */

static bool bounded(real x) { return real_abs(x) <= MOST; } /* false for NaN */
static bool bounded3(vec3 v) { return v3_within(v, MOST); }
static bool positive(real x) { return x > 0 && bounded(x); }
static bool not_negative(real x) { return x >= 0 && bounded(x); }
static bool is_number(real x) { return x == x; }
static bool counts(int64_t n) { return n >= 0 && n <= COUNT_LIMIT; }
static bool near(real a, real b, real scale) { return real_abs(a - b) <= ALIKE * scale; }
static bool is_unit(vec3 v) { return near(v3_norm2(v), 1, 1); }
static bool turns(quat q) { return near(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1000); }

static bool in_range(const int32_t *x, int64_t count, int32_t least, int32_t most)
{
	for (int64_t k = 0; k < count; ++k)
		if (x[k] < least || x[k] > most) return false;
	return true;
}

/* ------------------------------------------------------------------ numbers and materials */

static bool right_energy_guard(const energy_guard *e)
{
	bool right = not_negative(e->held) && not_negative(e->busiest) && not_negative(e->floor) &&
				 not_negative(e->worst) && bounded(e->worst_time);
	for (int32_t k = 0; k < e->count; ++k) right &= bounded(e->wrong[k]) && bounded(e->made[k]) && bounded(e->lost[k]);
	for (int32_t k = 0; k < ENERGY_LEVELS; ++k) {
		const energy_level *o = e->level + k;
		right &= bounded(o->wrong) && bounded(o->made) && not_negative(o->turned) && counts(o->steps) &&
				 not_negative(e->class_held[k]) && counts(e->classes[k].patches);
	}
	return right;
}

static bool right_time(const model *m, const state *s)
{
	return positive(m->dt) && m->dt < 1e30 && s->step >= 0 && s->step <= COUNT_LIMIT && s->step_from >= 0 &&
		   s->step_from <= s->step && not_negative(s->time_from) && not_negative(s->until_from) &&
		   s->until_from < 1e300 && not_negative(s->time) && s->time < 1e300 &&
		   near(s->time, scree_time_of(m, s, s->step), s->time + m->dt);
}

static bool right_stage(const state *s)
{
	const stage_state *o = &s->stage;
	if (!o->count) return true;
	return o->count > 0 && o->now >= 0 && o->now < o->count && o->step >= 0 && o->step <= s->step &&
		   not_negative(o->time) && o->time <= s->time && bounded(o->since) && bounded(o->reference) &&
		   not_negative(o->mass) && bounded3(o->cell);
}

const char *scree_check_energy(const scree_world *w)
{
	const energy_guard *g = &w->state.energy_guard;
	bool right = bounded(w->state.energy.method_now) && not_negative(w->model.guard.method) && not_negative(g->swing) &&
				 not_negative(g->springs) && not_negative(g->worst_loss) && bounded(g->worst_loss_time);
	for (int32_t k = 0; k < g->count; ++k) right &= not_negative(g->turned[k]) && bounded(g->method[k]);
	return right ? NULL : "the losses of the method or the readings of the energy guard are invalid";
}

const char *scree_check_counts(const impulses *o)
{
	const bool right = counts(o->sweeps) && counts(o->capped) && not_negative(o->solved) && not_negative(o->unsolved) &&
					   not_negative(o->window_solved) && not_negative(o->window_unsolved);
	return right ? NULL : "the counts of implicit steps are invalid";
}

const char *scree_check_numbers(const scree_world *w)
{
	const guards *g = &w->model.guard;
	const fluid *f = &w->model.fluid;
	if (!right_time(&w->model, &w->state)) return "the time or the step is invalid";
	if (!right_stage(&w->state)) return "the stage is invalid";
	if (!bounded3(w->model.gravity)) return "gravity is invalid";
	if (!(w->state.next_id > 0 && w->state.next_id <= (uint64_t)COUNT_LIMIT && counts(w->state.lost)))
		return "a count of bodies is invalid";
	/* the domain may be infinite */
	bool domain = g->low.x <= g->high.x && g->low.y <= g->high.y && g->low.z <= g->high.z;
	if (!(not_negative(g->overlap) && not_negative(g->speed) && (domain || !g->bounded))) return "a guard is invalid";
	if (!not_negative(g->energy) || !right_energy_guard(&w->state.energy_guard)) return "the energy guard is invalid";
	const ledger *sum = &w->state.energy;
	if (!(bounded(sum->wall_power) && bounded(sum->fluid_power) && bounded(sum->points_power) &&
		  bounded(sum->points_heat)))
		return "the ledger is invalid";
	if (!(not_negative(f->density) && not_negative(f->viscosity) && bounded3(f->velocity)))
		return "the fluid is invalid";
	if (!(w->model.correction >= 0 && w->model.correction <= 1 && counts(w->state.impulse.collisions)))
		return "the correction or the count of collisions is invalid";
	const impulses *o = &w->state.impulse;
	if (!(w->model.directions >= 0 && counts(o->stopped) && counts(o->limited)))
		return "the directions of friction or the counts of a solver are invalid";
	const char *wrong = scree_check_counts(o);
	if (wrong) return wrong;
	if (!(w->model.skin >= 0 && w->model.skin < 1e30)) return "the skin is invalid";
	return NULL;
}

const char *scree_check_heat(const scree_world *w)
{
	const materials *m = &w->model.material;
	for (int32_t k = 0; k < m->count; ++k) {
		const material *o = m->row + k;
		if (!not_negative(o->conductivity) || !not_negative(o->capacity) || !not_negative(o->conduction_young) ||
			(o->conductivity > 0) != (o->capacity > 0))
			return "the heat of a material is invalid";
	}
	for (int32_t k = 0; k < m->count * m->count; ++k)
		if (!not_negative(m->rule[k].friction_heat) || m->rule[k].friction_heat > 1)
			return "the heat of friction is invalid";
	return positive(w->model.temperature) ? NULL : "the temperature of the world is invalid";
}

const char *scree_check_materials(const materials *m)
{
	for (int32_t k = 0; k < m->count; ++k) {
		const material *o = m->row + k;
		if (!(positive(o->density) && not_negative(o->young) && o->poisson > -1 && o->poisson <= (real)0.5))
			return "a material is invalid";
	}
	for (int64_t k = 0; k < (int64_t)m->count * m->count; ++k) {
		const contact_rule *r = m->rule + k;
		const power_rule *p = &r->power;
		const real number[] = {r->restitution,		r->friction,	  r->rolling_friction, r->twisting_friction,
							   r->surface,			r->stiffness,	  r->tangential_ratio, p->stiffness,
							   p->damping,			p->exponent,	  p->tangential,	   r->plastic.unloading,
							   r->plastic.adhesion, r->plastic.depth, r->bridge,		   r->wetting};
		for (size_t i = 0; i < sizeof number / sizeof *number; ++i)
			if (!not_negative(number[i])) return "a rule of contacts is invalid";
		if (r->restitution > 1 || p->exponent > 1) return "a rule of contacts is invalid";
		const bond_rule *o = &r->bond;
		const real bond[] = {o->tension, o->deviation, o->damping, o->gap, o->from};
		for (size_t i = 0; i < sizeof bond / sizeof *bond; ++i)
			if (!not_negative(bond[i])) return "a bond of materials is invalid";
		if (o->tension > 0 && !(positive(o->young) && positive(o->ratio) && positive(o->shear) && positive(o->factor) &&
								o->factor <= 1 && o->deviation <= (real)0.3))
			return "a bond of materials is invalid";
	}
	return NULL;
}

/* ------------------------------------------------------------------ shapes */

static bool make_polygon(shapes *made, const shape *s)
{
	fail why;
	const flat_polygon *p = &s->flat;
	if (!p->corner || memcmp(p->corner - 1, p->corner + p->corners - 1, sizeof *p->corner) != 0 ||
		memcmp(p->corner + p->corners, p->corner, sizeof *p->corner) != 0)
		return false;
	vec3 *point = scree_alloc((size_t)p->corners, sizeof *point);
	for (int32_t k = 0; k < p->corners; ++k) point[k] = v3(p->corner[k].x, p->corner[k].y, 0);
	bool right = scree_shapes_add_polygon(made, s->name, p->corners, point, &why) >= 0;
	scree_free(point);
	return right;
}

static bool make_convex(shapes *made, const shape *s)
{
	fail why;
	bool right =
		s->first[0] == 0 && s->first[s->faces] == s->corners && in_range(s->corner, s->corners, 0, s->vertices - 1);
	for (int32_t f = 0; right && f < s->faces; ++f)
		right = s->first[f + 1] >= s->first[f] + 3 && s->first[f + 1] - s->first[f] <= 62;
	for (int32_t k = s->vertices; right && k < s->padded; ++k)
		right = s->vx[k] == s->vx[0] && s->vy[k] == s->vy[0] && s->vz[k] == s->vz[0];
	if (!right) return false;
	vec3 *point = scree_alloc((size_t)s->vertices, sizeof *point);
	for (int32_t k = 0; k < s->vertices; ++k) point[k] = shape_vertex(s, k);
	right = scree_shapes_add_convex(made, s->name, s->vertices, point, s->faces, s->first, s->corner, &why) >= 0;
	scree_free(point);
	return right;
}

static bool same_ints(const int32_t *a, const int32_t *b, int64_t count)
{
	return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

/* Compares only the faces, which determine the tables. The planes of slivers may have a large rounding error. */
static bool same_convex(const shape *a, const shape *b)
{
	bool right = a->edges == b->edges && a->corners == b->corners && same_ints(a->across, b->across, b->corners) &&
				 same_ints(a->ends, b->ends, 2 * (int64_t)b->edges) &&
				 same_ints(a->sides, b->sides, 2 * (int64_t)b->edges);
	for (int32_t k = 0; right && k < b->vertices; ++k)
		right = near(a->vx[k], b->vx[k], b->radius) && near(a->vy[k], b->vy[k], b->radius) &&
				near(a->vz[k], b->vz[k], b->radius);
	for (int32_t f = 0; right && f < b->faces; ++f) {
		vec3 n = shape_normal(a, f), m = shape_normal(b, f);
		right = is_unit(n) && v3_norm(v3_sub(n, m)) < 1e-3 && real_abs(a->off[f] - b->off[f]) <= 1e-3 * b->radius;
	}
	return right;
}

static bool same_polygon(const flat_polygon *a, const flat_polygon *b)
{
	bool right =
		a->corners == b->corners && near(a->radius, b->radius, b->radius) && near(a->inradius, b->inradius, b->radius);
	for (int32_t k = 0; right && k < b->corners; ++k) {
		const flat_corner *p = a->corner + k, *q = b->corner + k;
		right = near(p->x, q->x, b->radius) && near(p->y, q->y, b->radius) && near(p->length, q->length, b->radius) &&
				real_abs(p->tx - q->tx) < 1e-3 && real_abs(p->ty - q->ty) < 1e-3;
	}
	return right;
}

static bool same_measures(const shape *a, const shape *b)
{
	vec3 i = a->inertia, j = b->inertia;
	real most = real_max(j.x, real_max(j.y, j.z));
	return near(a->radius, b->radius, b->radius) && near(a->inradius, b->inradius, b->radius) &&
		   near(a->volume, b->volume, b->volume) && near(i.x, j.x, most) && near(i.y, j.y, most) &&
		   near(i.z, j.z, most);
}

static bool make_parts(shapes *made, const shape *s)
{
	const shape_source *o = &s->source;
	fail why;
	int32_t row = -1;
	if (!o->point || !in_range(o->triangle, 3 * o->triangles, 0, o->points - 1)) return false;
	if (s->type == SHAPE_CLUMP)
		row = scree_shapes_add_clump(made, s->name, o->points, o->point, o->radius, o->added, &why);
	else if (s->type == SHAPE_COMPOUND)
		row = scree_shapes_add_compound(made, s->name, o->points, o->point, o->triangles, o->triangle, &why);
	else if (positive(s->halo))
		row = scree_shapes_add_surface(made, s->name, o->points, o->point, o->triangles, o->triangle, s->halo, &why);
	return row >= 0 && made->row->type == s->type;
}

/* Rebuilds and compares a shape. Keeps data that are not saved: faces of vertices, and curved surfaces for pictures. */
static const char *check_shape(shape *s, bool flat)
{
	bool faces = s->vertices || s->padded || s->faces || s->edges || s->corners;
	if (faces != (s->type == SHAPE_CONVEX)) return "a round shape or a polygon has faces of a polyhedron";
	if (!bounded3(s->centre) || !turns(s->frame)) return "a shape's frame is invalid";
	shapes made = {0};
	bool right = s->type == SHAPE_CONVEX	? make_convex(&made, s) && same_convex(s, made.row)
				 : s->type == SHAPE_POLYGON ? make_polygon(&made, s) && same_polygon(&s->flat, &made.row->flat)
											: scree_shape_forms[s->type].again(&made, s, flat);
	right = right && same_measures(s, made.row);
	if (right && shape_is_curved(s)) s->skin = made.row->skin, made.row->skin = NULL;
	if (right && s->type == SHAPE_CONVEX) {
		s->at_first = made.row->at_first, made.row->at_first = NULL;
		s->at = made.row->at, made.row->at = NULL;
	}
	scree_shapes_free(&made);
	return right ? NULL : "a shape's faces, edges, corners and measures do not fit together";
}

const char *scree_restore_shape(shape *s, bool flat)
{
	if (!scree_shape_forms[s->type].source) return check_shape(s, flat);
	shapes made = {0};
	bool right = make_parts(&made, s) && same_measures(s, made.row);
	if (right) {
		shape was = *s;
		*s = *made.row;
		*made.row = was;
	}
	scree_shapes_free(&made);
	return right ? NULL : "a shape of parts does not match its measures";
}

/* ------------------------------------------------------------------ bodies */

static bool body_is_valid(const bodies *b, int32_t i, const shape *s)
{
	real r = s->radius * b->size[i];
	vec3 inertia = v3(b->ix[i], b->iy[i], b->iz[i]);
	return positive(b->size[i]) && positive(b->mass[i]) && near(b->radius[i], r, r) && b->round[i] > 0 &&
		   b->round[i] <= r * (1 + ALIKE) && (b->inv_mass[i] == 0 || near(b->inv_mass[i] * b->mass[i], 1, 1)) &&
		   inertia.x > 0 && inertia.y > 0 && inertia.z > 0 && turns(body_orientation(b, i)) &&
		   !(b->flags[i] & ~BODY_HELD);
}

const char *scree_check_motion(const scree_world *w)
{
	const bodies *b = &w->state.body;
	bool right = true;
	for (int k = 0; right && k < scree_body_rows(b); ++k) {
		const field *f = scree_body_row(b, k);
		const real *x = f->saved && f->type == KIND_F64 ? scree_field_array(b, f) : NULL;
		for (int32_t i = 0; x && right && i < b->owned; ++i) right = bounded(x[i]);
	}
	for (int32_t i = 0; right && i < b->owned; ++i) right = body_is_valid(b, i, w->model.shape.row + b->shape[i]);
	return right ? NULL : "a body's size, mass, position or motion is invalid";
}

const char *scree_check_bodies(const scree_world *w)
{
	const bodies *b = &w->state.body;
	bool right = in_range(b->shape, b->count, 0, w->model.shape.count - 1) &&
				 in_range(b->material, b->count, 0, w->model.material.count - 1) &&
				 in_range(b->stirred, b->count, 0, 1);
	for (int32_t i = 0; right && i < b->count; ++i)
		right = b->id[i] > 0 && b->id[i] < w->state.next_id && (i == 0 || b->id[i - 1] < b->id[i]);
	return right ? scree_check_motion(w) : "a body has no shape or material, or an invalid id";
}

/* ------------------------------------------------------------------ walls */

/* Checks the form of a wall as if it came from a scene; its axis must be normalized already. */
static bool form_is_valid(const wall *o)
{
	const wall_form *f = scree_wall_forms + o->type;
	wall copy = *o;
	fail why;
	return !f->check || (f->check(&copy, &why) && v3_norm(v3_sub(copy.axis, o->axis)) < ALIKE);
}

static bool servo_is_valid(const wall *o, const servo_state *v)
{
	const servo_constants *c = &o->servo;
	const servo_rule *r = &o->motion.servo;
	if (!motion_is_driven(o->motion.type)) return true;
	return positive(c->mass) && positive(c->max_speed) && not_negative(c->stiffness) && bounded(v->way) &&
		   real_abs(v->speed) <= c->max_speed && counts(v->contacts) && r->low <= r->high &&
		   real_abs(v->carried) <= c->max_speed && bounded(v->mean) && bounded(v->reached) && counts(v->heard) &&
		   bounded(v->asked) && bounded(v->given);
}

/* Tests whether facets and surfaces of a wall directly follow those of the previous wall. */
static bool wall_is_valid(const scree_world *w, int32_t row, int32_t facets, int32_t surfaces)
{
	const walls *a = &w->model.wall;
	const wall *o = a->row + row;
	const wall_state *at = w->state.wall + row;
	wall copy = *o;
	fail why;
	bool right = o->material >= 0 && o->material < w->model.material.count &&
				 o->first_facet == (o->facets ? facets : 0) && o->facets >= 0 && o->facets <= a->facets - facets &&
				 (o->type == WALL_FACETS) == (o->facets > 0) && o->first_surface == surfaces && o->surfaces >= 1 &&
				 o->surfaces <= a->surfaces - surfaces && (o->type == WALL_FACETS || o->surfaces == 1) &&
				 o->tolerance >= 0 && o->tolerance <= 1e30;
	right = right && (o->type != WALL_POLYGON || (o->shape >= 0 && o->shape < w->model.shape.count &&
												  w->model.shape.row[o->shape].type == SHAPE_POLYGON));
	right = right && scree_wall_check(&copy, &why) && form_is_valid(o) && servo_is_valid(o, &at->servo);
	return right && bounded3(at->position) && turns(at->orientation) && bounded3(at->velocity) &&
		   bounded3(at->angular_velocity) && bounded3(at->force) && bounded3(at->torque);
}

static int32_t after(const facet *f, int32_t k) { return k + 1 < f->first + f->corners ? k + 1 : f->first; }

/* Tests whether the facet across edge k has the same edge, reversed, and refers back to the first facet. */
static bool knows_back(const walls *a, int32_t of, int32_t k)
{
	const facet *f = a->facet + of;
	int32_t to = a->next[k];
	if (edge_is_covered(to)) return edge_cover(to) < a->facets && edge_cover(to) != of && a->bend[k] == 0;
	if (to == EDGE_OPEN) return a->bend[k] == 0;
	if (to < 0 || to >= a->facets || a->facet[to].wall != f->wall || !(real_abs(a->bend[k]) <= 1 + ALIKE)) return false;
	const facet *g = a->facet + to;
	for (int32_t j = g->first; j < g->first + g->corners; ++j)
		if (a->next[j] == of && v3_equal(a->corner[j], a->corner[after(f, k)]) &&
			v3_equal(a->corner[after(g, j)], a->corner[k]))
			return true;
	return false;
}

/* The grid over facets requires corners in the plane of their facet, and exact bounds that are not empty. */
static bool facet_is_valid(const walls *a, const facet *f)
{
	vec3 low = a->corner[f->first], high = low;
	for (int32_t k = f->first; k < f->first + f->corners; ++k) {
		if (!v3_within(a->corner[k], 1e30)) return false;
		v3_widen(&low, &high, a->corner[k]);
	}
	real reach = real_max(v3_norm(low), v3_norm(high)), span = v3_norm(v3_sub(high, low));
	/* if a triangle was cut, its pieces keep its normal (wall/net.h) */
	real off = 1e-5 * reach + 2 * a->row[f->wall].tolerance;
	bool right = v3_equal(low, f->low) && v3_equal(high, f->high) && span > 0 && is_unit(f->normal);
	for (int32_t k = f->first; right && k < f->first + f->corners; ++k)
		right = real_abs(v3_dot(f->normal, a->corner[k]) - f->off) <= off && is_unit(a->outward[k]);
	return right;
}

const char *scree_check_walls(const scree_world *w)
{
	const walls *a = &w->model.wall;
	int32_t facets = 0, surfaces = 0, corners = 0;
	for (int32_t k = 0; k < a->count; ++k) {
		const wall *o = a->row + k;
		if (!wall_is_valid(w, k, facets, surfaces)) return "a wall's form, motion or position is invalid";
		for (int32_t i = 0; i < o->surfaces; ++i)
			if (a->surface_wall[surfaces + i] != k) return "a surface belongs to the wrong wall";
		facets += o->facets;
		surfaces += o->surfaces;
	}
	if (facets != a->facets || surfaces != a->surfaces) return "some facets or surfaces belong to no wall";
	for (int32_t k = 0; k < a->facets; ++k) {
		const facet *f = a->facet + k;
		bool right = f->wall >= 0 && f->wall < a->count && f->first == corners && f->corners >= 3 &&
					 f->corners <= a->corners - corners;
		const wall *o = right ? a->row + f->wall : NULL;
		right = right && k >= o->first_facet && k - o->first_facet < o->facets && f->surface >= o->first_surface &&
				f->surface - o->first_surface < o->surfaces && facet_is_valid(a, f);
		if (!right) return "a facet's wall, surface or corners are invalid";
		corners += f->corners;
	}
	if (corners != a->corners) return "some corners belong to no facet";
	for (int32_t k = 0; k < a->facets; ++k)
		for (int32_t i = a->facet[k].first; i < a->facet[k].first + a->facet[k].corners; ++i)
			if (!knows_back(a, k, i)) return "two facets do not share the edge that they should";
	return NULL;
}

/* ------------------------------------------------------------------ sources and sinks */

static bool region_is_valid(const region *g, bool flat)
{
	bool box = g->low.x <= g->high.x && g->low.y <= g->high.y && g->low.z <= g->high.z;
	return g->flat == flat && bounded3(g->low) && bounded3(g->high) && bounded3(g->centre) && bounded3(g->axis) &&
		   not_negative(g->radius) && not_negative(g->length) && (g->type != REGION_BOX || box) &&
		   (g->type != REGION_CYLINDER || is_unit(g->axis)) && (g->type != REGION_SEGMENT || flat);
}

static bool sieve_is_valid(const spread *s)
{
	bool right = s->a == s->size[0] && s->b <= 4 && positive(s->size[0]) && s->size[0] < s->size[s->classes];
	real all = 0;
	for (int32_t k = 0; k < s->classes; ++k) {
		right = right && bounded(s->size[k + 1]) && (k ? s->size[k] < s->size[k + 1] : s->size[0] <= s->size[1]) &&
				not_negative(s->share[k]);
		all += s->share[k];
	}
	return right && all > 0 && all < 2;
}

static bool mix_is_valid(const mix_part *m, const scree_world *w)
{
	const spread *s = &m->size;
	return m->shape >= 0 && m->shape < w->model.shape.count && m->material >= 0 &&
		   m->material < w->model.material.count && not_negative(m->share) && positive(s->a) && not_negative(s->b) &&
		   not_negative(s->cut) && (s->type != SPREAD_UNIFORM || s->a <= s->b) &&
		   (s->type != SPREAD_SIEVE || sieve_is_valid(s));
}

const char *scree_check_source(const source *s, const source_state *now, const scree_world *w)
{
	real shares = 0;
	if (!region_is_valid(&s->where, w->model.flat)) return "a source's region is invalid";
	for (int32_t k = 0; k < s->parts; ++k) {
		if (!mix_is_valid(s->part + k, w)) return "a source has an unknown shape or material, or an invalid size";
		shares += s->part[k].share;
	}
	bool right = shares > 0 && positive(s->rate) && not_negative(s->mass_rate) && not_negative(s->mass_before) &&
				 not_negative(s->mass_limit) && not_negative(s->mean_mass) && not_negative(now->mass) &&
				 (positive(s->mean_mass) || !(s->mass_rate > 0 || s->mass_limit > 0)) && bounded(s->from) &&
				 s->until >= s->from && counts(s->limit) && counts(now->made) && counts(now->waiting_tries) &&
				 bounded3(s->velocity) && bounded3(s->angular_velocity) &&
				 (s->orient != ORIENT_GIVEN || turns(s->orientation));
	return right ? NULL : "a source's rate, times or motion is invalid";
}

const char *scree_check_sink(const sink *s, const sink_state *now, const scree_world *w)
{
	bool right = bounded3(s->normal) && bounded(s->off) && counts(now->taken) && not_negative(now->mass_taken) &&
				 (s->type == SINK_BELOW || region_is_valid(&s->where, w->model.flat));
	return right ? NULL : "a sink is invalid";
}

static bool flow_is_valid(const flow_plane *f, const flow_count *now)
{
	for (int k = 0; k < 2; ++k)
		if (!(counts(now->count[k]) && scree_fixed_value(now->mass[k]) >= 0 && f->half[k] >= 0 &&
			  not_negative(f->sizes[k])))
			return false;
	return bounded3(f->point) && is_unit(f->normal) && (!f->bounded || (is_unit(f->along) && is_unit(f->across)));
}

const char *scree_check_flow_plane(const flow_plane *f, const flow_count *now, const scree_world *w)
{
	const bool chooses = f->material >= -1 && f->material < w->model.material.count;
	return chooses && flow_is_valid(f, now) ? NULL : "a counting plane is invalid";
}

/* ------------------------------------------------------------------ contacts */

/* Returns the row of the body with this id, or -1; bodies are sorted by id. */
static int32_t row_of(const bodies *b, uint64_t id)
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

/* Only image 0 is allowed on walls and along axes that are not periodic; other images must be within range. */
static bool image_is_valid(const scree_world *w, bool on_wall, image m, int32_t a, int32_t b)
{
	const periods *p = &w->model.period;
	if (on_wall || !p->on) return image_order(m, (image){0, 0, 0}) == 0;
	image ca = body_cell(&w->state.body, a), cb = body_cell(&w->state.body, b);
	int32_t code = image_met(p, &w->state.images, m, ca, cb);
	for (int32_t d = 0; d < 3; ++d)
		if (!p->axis[d] && image_along(image_of_code(code), d) != 0) return false;
	return image_order(image_kept(p, &w->state.images, code, ca, cb), m) == 0;
}

static uint8_t side_of(const scree_world *w, int32_t i)
{
	return shape_side(w->model.shape.row[w->state.body.shape[i]].type);
}

static const char *key_fault(const scree_world *w, int kind, const contact_key *k)
{
	const pair_row *row = scree_pair_kinds + kind;
	const uint8_t *takes = row->takes[scree_world_place(&w->model)];
	int32_t a = row_of(&w->state.body, k->a), b = row->on_wall ? -1 : row_of(&w->state.body, k->b);
	bool there = a >= 0 && (row->on_wall ? k->b < (uint64_t)w->model.wall.count : b >= 0 && a != b);
	if (!there || !(takes[0] & side_of(w, a)) || !(takes[1] & (row->on_wall ? TAKES_SURFACE : side_of(w, b))))
		return "a contact has a partner that does not exist or has another kind";
	bool several = scree_world_several(&w->model, kind);
	if ((!several || row->on_wall) && k->feature >= (row->on_wall ? (uint64_t)w->model.wall.row[k->b].surfaces : 1))
		return "a contact has a feature that its shapes do not have";
	return image_is_valid(w, row->on_wall, k->image, a, b) ? NULL : "a contact refers to an image out of reach";
}

const char *scree_check_contacts(const scree_world *w, int kind, int32_t count, const contact_key *key,
								 const pair_list *history)
{
	for (int32_t k = 0; k < count; ++k) {
		const char *fault = key_fault(w, kind, key + k);
		if (fault) return fault;
		if (k && contact_key_order(key + k - 1, key + k) >= 0) return "contacts are out of order or duplicated";
	}
	for (int f = 0; f < scree_history_table.count; ++f) {
		if (!scree_pair_has(history, f)) continue;
		const real *x = scree_field_array(history, scree_history_table.row + f);
		for (int32_t k = 0; k < count; ++k)
			if (!bounded(x[k])) return "the history of a contact is invalid";
	}
	return NULL;
}

/* ------------------------------------------------------------------ the plan */

static bool pixels(int32_t n) { return n == 0 || (n >= 16 && n <= 16384); }

static bool images_valid(const image_plan *p)
{
	for (int32_t k = 0; k < p->times; ++k)
		if (!not_negative(p->at[k])) return false;
	return not_negative(p->every) && pixels(p->width) && pixels(p->height) && p->samples >= 0 && p->samples <= 1024 &&
		   bounded(p->range[0]) && bounded(p->range[1]) && bounded3(p->eye) && bounded3(p->target) && bounded3(p->up) &&
		   p->fov >= 0 && p->fov <= 3 && bounded3(p->cut_point) && bounded3(p->cut_normal);
}

const char *scree_check_extra(const snapshot_extra *e)
{
	const output_plan *o = &e->output;
	bool right = is_number(e->run.until) && not_negative(e->run.step_part) && not_negative(e->run.step) &&
				 not_negative(e->run.snapshot_every) && e->run.snapshots_kept >= 0 && not_negative(o->vtk.every) &&
				 not_negative(o->history.every) && counts(o->vtk.per_file) && not_negative(o->film.rate) &&
				 counts(e->images) && e->last_image >= -1 && counts(e->history.end);
	for (int k = 0; right && k < PLAN_TABLES; ++k)
		right = not_negative(o->table[k].every) && counts(o->table[k].up_to) && counts(e->table[k].end);
	if (!right) return "a time or a count of outputs is invalid";
	return images_valid(&o->images) ? NULL : "the plan of pictures is invalid";
}
