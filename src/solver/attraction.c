/* attraction: cohesion of contacts in implicit steps (docs/theory/implicit.md, "Cohesion").
 *
 * While surfaces adhere, a pull acts in addition to the springs, which only push. DMT and JKR have the same form, since
 * the force of JKR is its constant pull-off force plus a spring 4 F_c (y^3 - 1/2)^2 from the overlap at pull-off. */
#include "solver/constraints.h"

#include "base/maths.h"
#include "kernel/contact.h"
#include "kernel/contact_law.h"
#include "model/law.h"

/* least overlap about which springs are linearized, relative to the overlap that attraction by itself produces */
static const real LEAST = (real)1e-3;
enum { MOST_CHANGES = 4 };
/* phase of the contact's oscillation per step of an integrated impact, in rad, and the largest number of these steps */
static const real IMPACT_PHASE = (real)0.03;
enum { MOST_IMPACT = 2000 };

/* Returns the constants of the material's law, even for hard contacts. */
static contact_constants material_law(const constraint *r)
{
	const int32_t law = r->of->law;
	const bool point = r->points == 1;
	return constants_of((enum law_row)(point ? (int32_t)scree_laws[law].of_spheres : law), r->of, r->radius,
						r->mass_law);
}

static void set_jkr(const solving *v, constraint *r, const contact_constants *c)
{
	attraction *o = &r->pull;
	const real length = jkr_length(c->surface, (real)0.75 * c->stiffness, c->radius);
	o->most = o->press = v->tau * 3 * SCREE_PI * c->surface * c->radius;
	if (!v->m->hard) o->length = length, o->end = JKR_HOLDS * length;
}

void scree_attraction_set(const solving *v, constraint *r)
{
	attraction *o = &r->pull;
	contact_constants c = material_law(r);
	const bool shares = pair_on_wall(r->ref.kind) == scree_pair_kinds[r->ref.kind].patch; /* otherwise no attraction */
	*o = (attraction){.kind = c.cohesion, .least = INFINITY, .touched = v->s->pair[r->ref.kind].stiff[r->ref.row] > 0};
	if (shares) c.surface *= contact_part(&v->w->pair[r->ref.kind].contact, r->ref.row);
	if (o->kind == COHESION_JKR) set_jkr(v, r, &c);
	if (o->kind == COHESION_DMT) o->most = v->tau * adhesion_dmt(c.surface, c.radius, 0).force;
	if (o->kind == COHESION_CAPILLARY) o->most = v->tau * adhesion_capillary(c.surface, c.volume, c.radius, 0).force;
	const real pulled_in =
		v->m->hard ? o->most / (v->tau * r->constants.stiffness) : scree_law_pulled_in(r->of, r->radius);
	if (pulled_in > 0) o->least = LEAST * pulled_in;
	if (o->kind == COHESION_SIMPLE) o->per_overlap = v->tau * adhesion_simple(c.surface, c.radius, 1).force;
}

static real force_at(const contact_constants *c, enum law_row law, real overlap, real closing)
{
	normal_part all = normal_by(law, c, 1, real_max(overlap, 0), -closing);
	adhere(c, law, overlap, -closing, 1, &all);
	return all.force;
}

/* largest overlap in an impact without attraction and losses, plus the overlap at rest with attraction, in m */
static real deepest(const constraint *r, const contact_constants *c, enum law_row law, real energy)
{
	real about = r->radius;
	for (int k = 0; k < 6; ++k) about = sqrt(2 * energy * about / normal_by(law, c, 1, about, 0).force);
	return about + scree_law_pulled_in(r->of, r->radius);
}

/* With attraction, impacts lose more energy than under Newton's rule, and slow bodies stick: the law's dashpot acts
 * longer and its limit does not affect the pull. So the impact is integrated numerically (midpoint rule). */
static real leaves_with(const constraint *r, const constraint_point *p, real speed)
{
	const contact_constants c = material_law(r);
	const enum law_row law = (enum law_row)(r->points == 1 ? (int32_t)scree_laws[r->of->law].of_spheres : r->of->law);
	const real mass = p->rigid, deep = deepest(r, &c, law, mass * speed * speed / 2);
	const real end = is_capillary(&c) ? 0 : end_of(&c, law);
	const real dt = IMPACT_PHASE * sqrt(mass * deep / normal_by(law, &c, 1, deep, 0).force);
	real overlap = 0, closing = speed;
	for (int k = 0; k < MOST_IMPACT; ++k) {
		const real half = closing - dt / 2 / mass * force_at(&c, law, overlap, closing);
		const real force = force_at(&c, law, overlap + dt / 2 * closing, half);
		const real had = overlap, before = closing;
		overlap += dt * half, closing -= dt / mass * force;
		if (before < 0 && closing >= 0) break;
		if (overlap <= end && had > end) return -before + (before - closing) * (had - end) / (had - overlap);
	}
	return NO_IMPACT;
}

real scree_attraction_rebound(const solving *v, const constraint *r, const constraint_point *p)
{
	if (r->pull.kind != COHESION_CAPILLARY) return leaves_with(r, p, -p->came);
	const real leaves = leaves_with(r, p, scree_bridge_meets(v, r, p));
	return leaves == NO_IMPACT ? NO_IMPACT : scree_bridge_leaves(v, r, p, leaves);
}

/* overlap, in m, at which the material's spring exerts the same force as the spring of a hard contact */
static real overlap_of_law(const solving *v, const constraint *r, real impulse)
{
	const contact_constants c = material_law(r);
	const real force = impulse / (v->tau * c.stiffness * r->part);
	if (r->of->law != LAW_HERTZ || !(force > 0)) return force;
	const real root = cube_root(force / sqrt(c.radius));
	return root * root;
}

/* overlap about which springs are linearized, in m; a weighted mean if the contact follows the law */
static real mean_overlap(const solving *v, const constraint *r)
{
	real mean = 0, weights = 0, pressed = 0;
	for (const constraint_point *p = v->of->point + r->first, *end = p + r->points; p < end; ++p)
		mean += p->weight * p->about, weights += p->weight, pressed += p->impulse;
	return v->m->hard ? overlap_of_law(v, r, pressed) : mean / weights;
}

real scree_attraction_pull(const solving *v, const constraint *r)
{
	if (r->pull.kind != COHESION_SIMPLE) return r->pull.most;
	return r->pull.per_overlap * mean_overlap(v, r);
}

/* separation velocity at the point of friction without the impulses of springs and attraction, in m/s */
static real free_separation(const solving *v, const constraint *r)
{
	const struct constraints *c = v->of;
	const constraint_point *const first = c->point + r->first, *const centre = first + r->points - 1;
	const impulse_body *a = c->body + r->ref.a, *b = c->body + r->ref.b;
	const point_levers mine = point_levers_of(r, centre, a, b);
	const real masses = a->inv_mass + b->inv_mass;
	real own = -r->pull.given / centre->rigid;
	for (const constraint_point *p = first; p <= centre; ++p) {
		const point_levers l = point_levers_of(r, p, a, b);
		own += p->impulse * (masses + v3_dot(mine.turn_a, l.give_a) + v3_dot(mine.turn_b, l.give_b));
	}
	return v3_dot(slip_at(c, r, r->arm_a, r->arm_b), r->normal) - own;
}

/* largest overlap to which a point responds without separation, minus the overlap at which the contact ends, in m */
static real overlap_now(const solving *v, const constraint *r)
{
	real most = -INFINITY;
	for (const constraint_point *p = v->of->point + r->first, *end = p + r->points; p < end; ++p)
		if (p->weight > 0) most = real_max(most, p->reaches);
	return most;
}

/* Touching surfaces adhere if the full pull keeps them touching; others begin to adhere when they touch without a pull.
 * Interdependent contacts could alternate, so after several changes they return to their state before the step. */
bool scree_attraction_holds(const solving *v, constraint *r)
{
	attraction *o = &r->pull;
	if (o->kind == COHESION_CAPILLARY) return o->held; /* bridges.c */
	const constraint_point *centre = v->of->point + r->first + r->points - 1;
	const real now = overlap_now(v, r), goes = free_separation(v, r), after = r->after * v->h;
	if (o->kind == COHESION_SIMPLE) return now > after * v3_dot(slip_at(v->of, r, r->arm_a, r->arm_b), r->normal);
	const bool touches = now > (o->touched ? 0 : -o->end);
	if (o->changes >= MOST_CHANGES) return touches;
	const bool holds = touches ? now - after * (goes - o->most / centre->rigid) >= 0 : now - after * goes >= -o->end;
	o->changes += holds != o->held;
	return holds;
}

real scree_attraction_energy(const solving *v, const constraint *r, real overlap)
{
	const attraction *o = &r->pull;
	const real pull = o->given / v->tau;
	if (o->length > 0) {
		const contact_constants c = r->constants;
		return adhesion_jkr(c.surface, c.radius, o->length, overlap).energy;
	}
	if (o->kind != COHESION_SIMPLE) return -pull * overlap;
	return -(r->of->law == LAW_HERTZ && v->m->hard ? (real)0.6 : (real)0.5) * pull * overlap;
}
