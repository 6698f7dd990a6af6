/* refusals: tests whether the input of a world is supported; each refusal gives an error message. */
#include "prepare/internal.h"
#include "prepare/prepare.h"

#include "kernel/cohesion.h"
#include "kernel/motion.h"
#include "model/choices.h"
#include "model/integrator.h"
#include "model/law.h"
#include "model/model.h"
#include "model/narrow.h"
#include "shape/shape_forms.h"
#include "state/state.h"
#include "wall/forms.h"

/* The largest overlap that cohesion alone causes between bodies of materials a and b, relative to the smaller body's
 * size. Laws use only the reduced radius of a contact, so the smallest and largest bodies are sufficient. */
static real pulled_in(const model *m, const extremes *e, int32_t a, int32_t b)
{
	const law_constants *c = m->constants + a * m->material.count + b;
	real most = 0, ra[2] = {e[a].small, e[a].large}, rb[2] = {e[b].small, e[b].large};
	if (!e[a].body || c->cohesion == COHESION_NONE) return 0;
	for (int i = 0; i < 2; ++i) {
		if (e[b].wall) most = real_max(most, scree_law_pulled_in(c, ra[i]) / (2 * ra[i]));
		for (int k = 0; k < 2 && extremes_meet(e, a, b); ++k) {
			real deep = scree_law_pulled_in(c, ra[i] * rb[k] / (ra[i] + rb[k]));
			most = real_max(most, deep / (2 * real_min(ra[i], rb[k])));
		}
	}
	return most;
}

/* Refuses cohesion that is too strong for the law's stiffness. Such cohesion would pull bodies into each other until
 * the guard stops the run, or without limit if the guard does not check overlaps. */
bool scree_world_check_cohesion(const model *m, const extremes *e, fail *why)
{
	real limit = m->guard.overlap > 0 ? m->guard.overlap : (real)0.5;
	for (int32_t a = 0; a < m->material.count; ++a)
		for (int32_t b = 0; b < m->material.count; ++b) {
			real part = pulled_in(m, e, a, b);
			const char *one = m->material.row[a].name, *other = m->material.row[b].name;
			if (part <= limit) continue;
			if (part == INFINITY)
				return scree_refuse(why,
									"cohesion collapses: it pulls %s and %s together more strongly than the law pushes "
									"them apart, at any overlap: lower the cohesion or use a stiffer law",
									one, other);
			return scree_refuse(
				why,
				"cohesion collapses: it pulls %s and %s into each other by %.3g %% of the smaller body's size without "
				"any load, expected at most the %.3g %% of run.guard.overlap: lower the cohesion or use a stiffer law",
				one, other, 100 * part, 100 * limit);
		}
	return true;
}

/* Largest number of faces of the shape, or of its parts if these are polyhedra. */
static int32_t most_faces_of(const shape *s)
{
	int32_t most = s->faces;
	for (int32_t k = 0; k < s->parts; ++k)
		if (s->part[k].solid && s->part[k].solid->faces > most) most = s->part[k].solid->faces;
	return most;
}

/* Types of shapes that occur on these sides of a pair, one bit each. */
static uint32_t types_on(uint8_t sides)
{
	uint32_t types = 0;
	for (int type = 0; type < SHAPE_TYPES; ++type)
		if (scree_shape_forms[type].side & sides) types |= (uint32_t)1 << type;
	return types;
}

static bool is_one(const model *m, const body_kind *of, int32_t shape_row, int32_t material)
{
	const shape *o = m->shape.row + shape_row;
	return (of->types >> o->type & 1) && (!of->faces || most_faces_of(o) >= of->faces) &&
		   (of->any_material || material == of->material) &&
		   (!of->conducts || m->material.row[material].conductivity > 0);
}

const shape *scree_shape_with(const model *m, const state *s, body_kind of)
{
	const shape *odd = NULL;
	for (int32_t i = 0; i < s->body.owned; ++i)
		odd = is_one(m, &of, s->body.shape[i], s->body.material[i]) ? m->shape.row + s->body.shape[i] : odd;
	for (mix_walk w = {0}; mix_next(m, &w);)
		odd = is_one(m, &of, w.part->shape, w.part->material) ? m->shape.row + w.part->shape : odd;
	return odd;
}

static const shape *shape_with(const model *m, const state *s, uint32_t types, int32_t faces)
{
	return scree_shape_with(m, s, (body_kind){.types = types, .faces = faces, .any_material = true});
}

/* The shape, of one of these types, of some body with this material. */
static const shape *shape_of_material(const model *m, const state *s, uint32_t types, int32_t material)
{
	return scree_shape_with(m, s, (body_kind){.types = types, .material = material});
}

/* Tests whether a body or a wall has this material, or whether a source makes bodies of this material. */
static bool is_used(const model *m, const state *s, int32_t material)
{
	for (int32_t k = 0; k < m->wall.count; ++k)
		if (m->wall.row[k].material == material) return true;
	return shape_of_material(m, s, ~(uint32_t)0, material) != NULL;
}

/* The shape, of one of these types, of some body whose contacts with bodies or walls have the constants of row k */
static const shape *shape_of_pair(const model *m, const state *s, uint32_t types, int32_t k)
{
	const int32_t a = k / m->material.count, b = k % m->material.count;
	return is_used(m, s, b) ? shape_of_material(m, s, types, a) : NULL;
}

/* Tests the shapes of contacts with JKR and with liquid bridges. These theories are for spheres, and define no radius
 * for corners or faces. Bodies whose possible contacts all have other laws may have any shape. */
static bool jkr_knows_shapes(const model *m, const state *s, fail *why)
{
	for (int32_t k = 0; k < m->material.count * m->material.count; ++k) {
		const law_constants *c = m->constants + k;
		const bool bridges = c->cohesion == COHESION_CAPILLARY;
		if (bridges && m->flat)
			return scree_refuse(why, "cohesion capillary is available only in worlds of dimension 3");
		const bool spheres = bridges || c->cohesion == COHESION_JKR;
		const shape *odd = spheres ? shape_of_pair(m, s, ~((uint32_t)1 << SHAPE_SPHERE), k) : NULL;
		if (odd)
			return scree_refuse(why,
								"cohesion %s supports spheres only, but some bodies have shape '%s': use dmt or simple",
								bridges ? "capillary" : "jkr", odd->name);
	}
	return true;
}

/* Tests the shapes of laws that support only contacts of balls. */
static bool round_laws_know_shapes(const model *m, const state *s, fail *why)
{
	const uint32_t others = ~((uint32_t)1 << SHAPE_SPHERE | (uint32_t)1 << SHAPE_CLUMP);
	const law *l = NULL;
	const shape *odd = NULL;
	for (int32_t k = 0; k < m->material.count * m->material.count && !odd; ++k) {
		if (!scree_laws[m->constants[k].law].round) continue;
		l = scree_laws + m->constants[k].law;
		odd = shape_of_pair(m, s, others, k);
	}
	if (odd)
		return scree_refuse(
			why, "the law %s supports spheres and clumps only, but some bodies have shape '%s': use another law",
			l->name, odd->name);
	if (l && m->implicit)
		return scree_refuse(why, "run.response: %s does not support the law %s: use response: forces",
							m->hard ? "hard" : "implicit", l->name);
	return true;
}

/* Tests the bodies of bonds, which must be spheres, or discs in the plane. */
static bool bonds_know_bodies(const model *m, const state *s, fail *why)
{
	const int32_t n = m->material.count;
	const uint32_t others = ~((uint32_t)1 << SHAPE_SPHERE);
	bool some = false;
	for (int32_t k = 0; k < n * n; ++k) {
		const bond_rule *r = &m->material.rule[k].bond;
		if (!(r->tension > 0)) continue;
		some = true;
		const real strain = (1 + 3 * r->deviation) * r->tension / r->young;
		if (strain > (real)0.1)
			return scree_refuse(why,
								"a bond of %s with %s stretches by %.3g %% before it breaks, expected at most 10 %%: "
								"lower its tensile_strength, or raise its young",
								m->material.row[k / n].name, m->material.row[k % n].name, 100 * strain);
	}
	if (!some) return true;
	if (m->flat && m->narrow->gives != OVERLAP_DEPTH)
		return scree_refuse(why, "bonds in the plane need the law hertz, linear or power");
	for (int32_t k = 0; k < n * n; ++k) {
		const shape *odd = m->material.rule[k].bond.tension > 0 ? shape_of_pair(m, s, others, k) : NULL;
		if (odd)
			return scree_refuse(why,
								"bonds are for %s, but some bodies of %s have shape '%s': give these bodies a separate "
								"material, and set the bond only in the rules of the other materials",
								m->flat ? "discs" : "spheres", m->material.row[k / n].name, odd->name);
	}
	return true;
}

static const char *narrow_for(const choices *all, bool flat, overlap_kind gives)
{
	const narrow *row;
	for (int k = 0; (row = scree_choice(all, k)); ++k)
		if (row->flat == flat && row->gives == gives) return row->name;
	return "";
}

/* Tests whether the narrow phase computes the overlap required by the laws. Under laws with an energy, all contacts
 * need the same measure of overlap. Spheres in 3D need no narrow phase. */
static bool overlaps_supported(const model *m, const state *s, fail *why)
{
	const materials *all = &m->material;
	const shape *solid = shape_with(m, s, types_on(TAKES_OTHERS | TAKES_COMPOUNDS), 0);
	const shape *ball = shape_with(m, s, types_on(TAKES_ROUND | TAKES_POINTED), 0);
	const int32_t most = m->narrow->most_faces + 1;
	const shape *large = shape_with(m, s, types_on(TAKES_OTHERS | TAKES_COMPOUNDS), most);
	for (int32_t k = 0; k < all->count * all->count; ++k) {
		const char *a = all->row[k / all->count].name, *b = all->row[k % all->count].name;
		const law *l = scree_laws + m->constants[k].law;
		bool no_matter = !m->flat && !solid && l->overlaps != OVERLAP_VOLUME && m->narrow->gives != OVERLAP_VOLUME;
		if (l->overlaps == m->narrow->gives || no_matter) continue;
		return scree_refuse(
			why,
			"contact of %s with %s: the law %s needs run.narrow_phase: %s for all contacts, not %s; omit narrow_phase, "
			"and use this law for all pairs, or only the laws linear, hertz, power and plastic",
			a, b, l->name, narrow_for(m->narrows, m->flat, l->overlaps), m->narrow->name);
	}
	if (m->hard && m->narrow->gives == OVERLAP_VOLUME)
		return scree_refuse(why, "run.response: hard does not support the laws volume and area, whose contacts do not "
								 "resist tilting: use law: overlap");
	if (m->flat) return true;
	if (m->narrow->gives == OVERLAP_VOLUME && ball)
		return scree_refuse(why, "the law volume supports polyhedra only, but some bodies have shape '%s'", ball->name);
	if (m->narrow->most_faces && large)
		return scree_refuse(why,
							"run.narrow_phase %s supports shapes with at most %d faces; '%s' has %d: use `law: hertz`",
							m->narrow->name, m->narrow->most_faces, large->name, most_faces_of(large));
	return true;
}

/* Superquadrics and capsules support contacts with walls, and with bodies without a halo (docs/theory/smooth.md). */
static bool smooth_meet(const model *m, const state *s, fail *why)
{
	const shape *smooth = shape_with(m, s, (uint32_t)1 << SHAPE_SUPERQUADRIC, 0);
	const shape *curved = smooth ? smooth : shape_with(m, s, (uint32_t)1 << SHAPE_CAPSULE, 0);
	const shape *grain = shape_with(m, s, (uint32_t)1 << SHAPE_SURFACE, 0);
	if (curved && grain)
		return scree_refuse(why,
							"ellipsoids, superquadrics, cylinders and capsules, such as '%s', do not meet surfaces "
							"with a halo yet, but some bodies have shape '%s': make it a compound",
							curved->name, grain->name);
	return true;
}

static bool dimensions_supported(const model *m, fail *why)
{
	for (int32_t k = 0; k < m->material.count * m->material.count; ++k) {
		const law *l = scree_laws + m->constants[k].law;
		if (l->dimension && (l->dimension == 2) != m->flat)
			return scree_refuse(why, "the law %s is available only in worlds of dimension %d", l->name, l->dimension);
	}
	return true;
}

/* Tests whether a wall rotates only about z. */
static bool stays_flat(const wall *o)
{
	for (int32_t k = 0; k <= o->parts; ++k) {
		const wall_motion *m = wall_motion_of(o, k);
		if (scree_motion_forms[m->type].turns && (m->axis.x != 0 || m->axis.y != 0)) return false;
	}
	return true;
}

/* Two-dimensional worlds need shapes, walls and narrow phases of their own, which 3D worlds do not support. */
bool scree_world_check_plane(const model *m, const state *s, fail *why)
{
	if (m->narrow->flat != m->flat)
		return scree_refuse(why, "run.narrow_phase %s is available only in worlds of dimension %d", m->narrow->name,
							m->narrow->flat ? 2 : 3);
	for (int type = SHAPE_SPHERE + 1; type < SHAPE_TYPES; ++type) {
		const shape *odd = shape_with(m, s, (uint32_t)1 << type, 0);
		if (odd && !(m->flat ? scree_shape_forms[type].in_plane : scree_shape_forms[type].in_space))
			return scree_refuse(why, "the shape '%s' cannot be in a world of dimension %d", odd->name, m->flat ? 2 : 3);
	}
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const wall *o = m->wall.row + k;
		const wall_form *f = scree_wall_forms + o->type;
		bool right = m->flat ? f->in_plane && f->in_plane(o) : f->in_space;
		if (!right || (m->flat && !stays_flat(o)))
			return scree_refuse(why, "wall %s cannot be in a world of dimension %d", o->name, m->flat ? 2 : 3);
	}
	return true;
}

bool scree_world_turns_check(const model *m, const state *s, fail *why)
{
	const bodies *b = &s->body;
	const char *odd = NULL;
	if (!m->integrator->gear || m->flat) return true;
	for (int32_t i = 0; i < b->owned; ++i)
		if (!(b->flags[i] & BODY_HELD) && !is_round(v3(b->ix[i], b->iy[i], b->iz[i])))
			odd = m->shape.row[b->shape[i]].name;
	for (mix_walk w = {0}; mix_next(m, &w);)
		odd = is_round(m->shape.row[w.part->shape].inertia) ? odd : m->shape.row[w.part->shape].name;
	if (!odd) return true;
	return scree_refuse(why,
						"integrator %s rotates only bodies with three equal moments of inertia (spheres, regular "
						"solids), but some bodies have shape '%s': use velocity_verlet",
						m->integrator->name, odd);
}

bool scree_world_check_walls(const model *m, fail *why)
{
	const shape *odd = NULL; /* shapes are refused even if no body has them yet, because a program may add one later */
	for (int32_t k = 0; k < m->shape.count; ++k)
		if (m->shape.row[k].type != SHAPE_SPHERE && m->shape.row[k].type != SHAPE_CLUMP) odd = m->shape.row + k;
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const bool balls_only = scree_wall_forms[m->wall.row[k].type].balls_only;
		if (balls_only && odd)
			return scree_refuse(
				why,
				"wall %s supports spheres and clumps only, but the scene has the shape '%s': make the wall from facets",
				m->wall.row[k].name, odd->name);
		const char *refusal = balls_only ? NULL : m->narrow->refuses(&m->wall, k);
		if (refusal)
			return scree_refuse(why, "wall %s, narrow phase %s: %s", m->wall.row[k].name, m->narrow->name, refusal);
	}
	return true;
}

bool scree_world_check_laws(const model *m, const state *s, fail *why)
{
	return dimensions_supported(m, why) && scree_world_check_walls(m, why) && jkr_knows_shapes(m, s, why) &&
		   smooth_meet(m, s, why) && round_laws_know_shapes(m, s, why) && bonds_know_bodies(m, s, why) &&
		   overlaps_supported(m, s, why) && scree_world_turns_check(m, s, why);
}
