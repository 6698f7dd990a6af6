/* bridges: liquid bridges in implicit steps (docs/theory/implicit.md, "Liquid bridges").
 *
 * Like an external force, the pull of a bridge depends on positions and velocities before the step: it is the mean over
 * a path around the present position. So bodies that pass the rupture distance in one step still lose the bridge's
 * energy. */
#include "solver/constraints.h"

/* paths shorter than this fraction of the length over which the force changes use the force at their midpoint */
static const real SHORT = (real)1e-3;

static adhesion bridge_at(const constraint *r, real overlap)
{
	return adhesion_capillary(r->of->surface, r->of->volume, r->radius, overlap);
}

/* energy in J relative to the energy at zero gap; beyond the rupture distance it stays constant */
static real energy_at(const constraint *r, real overlap)
{
	return bridge_at(r, real_max(overlap, -r->of->ruptures)).energy;
}

static real force_at(const constraint *r, real overlap)
{
	return overlap > -r->of->ruptures ? bridge_at(r, overlap).force : 0;
}

static real mean_force(const constraint *r, real from, real to)
{
	const real least = SHORT / bridge_of(r->of->surface, r->of->volume, r->radius).narrow;
	if (real_abs(from - to) < least) return force_at(r, (from + to) / 2);
	return (energy_at(r, to) - energy_at(r, from)) / (from - to);
}

/* overlap at the start of the step, in m; p: the contact's only point */
static real overlap_now(const solving *v, const constraint *r, const constraint_point *p)
{
	return p->reaches - (1 - r->after) * v->h * p->came;
}

/* overlap half a step ago, in m; at the start of a run the bodies have not moved yet */
static real overlap_before(const solving *v, const constraint *r, const constraint_point *p)
{
	const real now = overlap_now(v, r, p);
	return v->w->ahead.drifted ? now + v->h / 2 * p->came : now;
}

void scree_bridge_set(const solving *v, constraint *r)
{
	const constraint_point *p = v->of->point + r->first;
	const real now = overlap_now(v, r, p);
	attraction *o = &r->pull;
	o->held = o->touched || now > 0;
	o->most = o->held ? v->tau * mean_force(r, overlap_before(v, r, p), now - v->h / 2 * p->came) : 0;
}

real scree_bridge_meets(const solving *v, const constraint *r, const constraint_point *p)
{
	const real before = overlap_before(v, r, p);
	const real gains = r->pull.held && before < 0 ? energy_at(r, before) : 0;
	return sqrt(p->came * p->came + 2 / p->rigid * gains);
}

/* energy in J, above the energy at zero gap, of bodies with this speed in the middle of the step */
static real excess(const solving *v, const constraint *r, const constraint_point *p, real speed)
{
	const real gap = real_max(-overlap_now(v, r, p), 0) + v->h / 2 * speed;
	return p->rigid / 2 * speed * speed + energy_at(r, -gap);
}

real scree_bridge_leaves(const solving *v, const constraint *r, const constraint_point *p, real speed)
{
	enum { HALVES = 40 };
	const real has = p->rigid / 2 * speed * speed;
	real low = 0, high = speed;
	if (excess(v, r, p, 0) > has) return NO_IMPACT;
	for (int k = 0; k < HALVES; ++k) {
		const real middle = (low + high) / 2;
		if (excess(v, r, p, middle) > has)
			high = middle;
		else
			low = middle;
	}
	return low;
}

/* A bridge that forms in this step takes energy only if the bodies separate again. */
void scree_bridge_end(const solving *v, const constraint *r, real goes, contact_outcome *o)
{
	const constraint_point *p = v->of->point + r->first;
	const real now = overlap_now(v, r, p), at = v->w->ahead.drifted ? now - v->h / 2 * goes : now;
	if (o->held || goes > 0) o->elastic += energy_at(r, at);
	o->held = o->held && at > -r->of->ruptures;
	o->bridged = true;
}
