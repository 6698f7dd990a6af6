/* constraint_set: the springs, dashpots and friction of contacts, linearized about the state towards which bodies move.
 *
 * A point with stiffness K and damping C responds with the force K d' - C u, where d' = d - a h u is the predicted
 * overlap, d the overlap without separation in the step, and u the separation velocity found by the solver. Over the
 * time tau this is an impulse with a compliance, 1/(tau (a h K + C)) (docs/theory/implicit.md). */
#include "solver/constraints.h"

#include "base/maths.h"
#include "base/parallel.h"
#include "kernel/contact_law.h"
#include "kernel/sphere_contact.h"
#include "kernel/thickness.h"
#include "kernel/turning.h"
#include "model/law.h"
#include "solver/point_springs.h"
#include "world/world.h"

/* The impulse of a patch's impact passes through both centres if at least this fraction of the mass resists it.
 * Otherwise the bodies rotate, and the contact patch moves. */
static const real CENTRAL = (real)0.9;

/* Data shared by the points of a contact. */
typedef struct setting {
	vec3 ahead, to_b; /* vectors from the centre of b to the centre of a, predicted and present, in m; 0 on a wall */
	bool on_wall;
} setting;

static real ahead_of(const solving *v, const constraint *r, const constraint_point *p)
{
	return p->reaches - r->after * v->h * p->had;
}

/* Estimates the overlap at the end of the step: the present overlap, or the overlap at which the spring has
 * absorbed the energy of an impact, from K d^2 = m u^2. */
static real likely_overlap(const solving *v, const constraint *r, const constraint_point *p)
{
	const real least = least_overlap(r);
	real about = real_max(ahead_of(v, r, p), least);
	for (int k = 0; k < 3 && p->had < 0; ++k) {
		const real stiffness = r->share * constraint_normal_at(v, r, p, about, 0) / about;
		about = real_min(about, -p->had * sqrt(p->rigid / stiffness));
		about = real_max(about, least);
	}
	return real_max(p->reaches, about);
}

/* Needs arms. depth: m, ahead */
static void begin_point(const solving *v, const constraint *r, constraint_point *p, real depth)
{
	const struct constraints *c = v->of;
	const impulse_body *a = c->body + r->ref.a, *b = c->body + r->ref.b;
	const point_levers l = point_levers_of(r, p, a, b);
	p->moves = v3_dot(v3_add(r->moves, v3_cross(r->spins, p->arm_a)), r->normal);
	const real response = a->inv_mass + v3_dot(l.turn_a, l.give_a) + (b->inv_mass + v3_dot(l.turn_b, l.give_b));
	const real went = v3_dot(slip_with(c->aim, r, p->arm_a, p->arm_b), r->normal) + (1 - part_ahead(v->m)) * p->moves;
	p->came = v3_dot(slip_with(c->before, r, p->arm_a, p->arm_b), r->normal);
	p->had = going_ahead(v, went, p->came);
	p->reaches = depth + v->h * (went + (1 - r->after) * p->came);
	p->impulse = 0;
	/* if only a wall that yields can move: a share of the wall's mass */
	p->rigid = response > 0 ? 1 / response : r->mass_law / (real)r->points;
	p->rebound = NO_IMPACT, p->limit = INFINITY;
}

/* Tests whether a patch that carries a load is hit again: bodies that rock land on another edge or face of the patch.
 * By Newton's rule for the whole patch they would rebound too much, so they follow the law. */
static bool is_rocked(const solving *v, const constraint *r, real stiffness)
{
	const pair_list *l = v->s->pair + r->ref.kind;
	const constraint_point *last = v->of->point + r->first + r->points - 1;
	const bool patch = r->points > 1 && r->pull.kind == COHESION_NONE && !v->m->hard;
	if (!patch || !(l->jn[r->ref.row] > 0)) return false;
	return scree_constraint_rebound(v, &r->ref, last->came, last->rigid, stiffness) > NO_IMPACT;
}

/* Contacts whose law depends on the overlap stiffen as it grows: at a corner, the slope is twice the ratio of force to
 * overlap. While a step resolves their stiffness they follow the law, and a body on a corner may rotate onto a face. */
static bool is_resolved(const solving *v, const constraint *r, real rigid)
{
	const real steeper = r->law < LAWS_OF_POINTS ? 1 : 2;
	const bool yields = scree_yielding_wall(v, r->ref.kind, r->ref.row) >= 0 && constraint_moves(v, &r->ref);
	/* on a wall that yields the body oscillates faster, as if it had only the mass fraction that dashpots damp */
	const real part = yields ? contact_share(&v->w->pair[r->ref.kind].contact, r->ref.row) : 1;
	const real stiffness = scree_constraint_stiffness(v, r);
	return scree_constraint_resolved(v, part * rigid, steeper * stiffness) || is_rocked(v, r, stiffness);
}

/* In a step that resolves the contact, its points respond to the overlap halfway through the step. */
static void resolve(const solving *v, constraint *r)
{
	if (!r->resolved) return;
	const real half = (real)0.5, less = (r->after - half) * v->h;
	r->after = half;
	for (constraint_point *p = v->of->point + r->first, *end = p + r->points; p < end; ++p) {
		p->reaches += less * p->came;
		if (p->weight > 0) constraint_point_linear(v, r, p, p->about);
	}
}

/* Tests whether the pull of a liquid bridge is strong enough to have caused this approach. */
static bool pulled_so_fast(const solving *v, const constraint *r, const constraint_point *p)
{
	if (r->pull.kind != COHESION_CAPILLARY || !r->pull.held) return false;
	const real falls = real_max(IMPACT_STEPS * v->h,
								IMPACT_PERIODS * scree_constraint_period(p->rigid, scree_constraint_stiffness(v, r)));
	return -p->came < r->pull.most / v->tau / p->rigid * falls;
}

/* Returns the rebound of a contact with attraction according to the material's law. */
static real sticky_rebound(const solving *v, const constraint *r, const constraint_point *p, bool meets)
{
	if (!(p->came < 0 && meets) || r->resolved) return NO_IMPACT;
	const real rebound = scree_constraint_rebound(v, &r->ref, p->came, p->rigid, scree_constraint_stiffness(v, r));
	return rebound == NO_IMPACT || pulled_so_fast(v, r, p) ? NO_IMPACT : scree_attraction_rebound(v, r, p);
}

/* separation velocity, in m/s, that the springs at all points give a mass of `rigid` kg */
static real added_by_law(const solving *v, const constraint *r, real rigid)
{
	real stiff = 0, force = 0;
	for (const constraint_point *p = v->of->point + r->first, *end = p + r->points; p < end; ++p) {
		const real pushes = -(p->had + p->goal) / p->soft;
		if (p->weight > 0 && pushes > 0 && p->had < p->meets) stiff += 1 / p->soft, force += pushes;
	}
	return force / (rigid + stiff);
}

/* Tests whether bodies separate in this step according to the law, so that the next step would not find them touching.
 * Contacts of balls are also found if the balls touch only at the end of that step. */
static bool parts_by_law(const solving *v, const constraint *r, real adds)
{
	const bool balls = scree_pair_kinds[r->ref.kind].formula || r->ref.kind == PAIR_SPHERE_WALL;
	const real goes = balls ? v->h : 2 * v->m->after * v->h;
	for (const constraint_point *p = v->of->point + r->first, *end = p + r->points; p < end; ++p) {
		const real now = p->reaches - (1 - r->after) * v->h * p->came;
		if (p->weight > 0 && now > goes * (p->had + adds)) return false;
	}
	return true;
}

/* Tests whether only the overlap changes as bodies move; for a patch, whether its impulse acts through the centres. */
static bool is_steady(const solving *v, const constraint *r, const constraint_point *last)
{
	const real one = v->of->body[r->ref.a].inv_mass + v->of->body[r->ref.b].inv_mass;
	return last->weight > 0 || last->rigid * one > CENTRAL;
}

/* falls: m/s^2, by gravity */
static impact_due rebound_due(const solving *v, const constraint *r, const constraint_point *p, real falls, bool meets)
{
	if (r->bond >= 0) return (impact_due){INFINITY, NO_IMPACT, INFINITY};
	if (r->pull.kind != COHESION_NONE) return (impact_due){INFINITY, sticky_rebound(v, r, p, meets), INFINITY};
	const real mass = scree_impact_mass(v, r, p), law_adds = added_by_law(v, r, mass);
	const real adds = r->points > 1 ? law_adds : real_max(real_min(law_adds, p->meets - p->had), 0);
	const impact_course i = {.falls = falls,
							 .came = p->came,
							 .had = p->had,
							 .rigid = p->rigid,
							 .mass = mass,
							 .stiffness = scree_constraint_stiffness(v, r),
							 .meets = meets,
							 .goes = p->had + adds,
							 .ends = parts_by_law(v, r, adds),
							 .steady = is_steady(v, r, p),
							 .resolved = r->resolved};
	return scree_impact_due(v, &r->ref, &i);
}

/* A patch bounces as a whole, at its last point, because its points may separate at different speeds. */
static void set_impact(const solving *v, constraint *r)
{
	constraint_point *const first = v->of->point + r->first, *const last = first + r->points - 1;
	for (constraint_point *p = first; p <= last; ++p) p->meets = p->reaches / (r->after * v->h);
	const bool patch = !(last->weight > 0);
	const real falls = scree_falls_apart(v, &r->ref, r->normal), sinks = -r->after * v->h * v->tau * falls;
	const impact_due due = rebound_due(v, r, last, falls, patch || ahead_of(v, r, last) + sinks + r->pull.end > 0);
	last->rebound = due.rebound, last->limit = due.limit;
	if (patch) last->goal = -due.rebound;
	if (!is_steady(v, r, last)) return; /* its points separate at different speeds */
	for (constraint_point *p = first; p <= last; ++p) p->meets = real_min(p->meets, due.most + (p->had - last->had));
}

static void set_point(const solving *v, const constraint *r, constraint_point *p, real weight, real depth)
{
	begin_point(v, r, p, depth);
	p->weight = weight;
	const real about = likely_overlap(v, r, p);
	p->dashpot = r->share * (constraint_normal_at(v, r, p, about, -1) - constraint_normal_at(v, r, p, about, 0));
	constraint_point_linear(v, r, p, about);
}

/* largest difference between the speeds at two points of an impact without rotation, relative to the impact speed */
static const real FLAT = (real)0.03;

static void set_bounce(const solving *v, const constraint *r, const setting *o, constraint_point *p, vec3 at)
{
	p->arm_a = at, p->arm_b = v3_add(at, o->to_b);
	begin_point(v, r, p, -INFINITY);
	p->weight = 0;
	p->soft = 0, p->mass = p->rigid, p->dashpot = 0;
}

/* ------------------------------------------------------------------ where contacts act */

/* For spheres: uses their current positions, so that the force is central. Returns the contact point. */
static vec3 set_spheres(const solving *v, constraint *r, setting *o, vec3 apart)
{
	const bodies *b = &v->s->body;
	const velocity_pair *t = v->of->aim;
	const vec3 closing = v3_madd(v3_sub(t[r->ref.a].linear, t[r->ref.b].linear), -part_ahead(v->m), r->moves);
	const vec3 now = v3_madd(apart, -v->h, closing);
	const sphere_contact s = sphere_contact_of(now, b->round[r->ref.a], b->round[r->ref.b]);
	constraint_point *p = v->of->point + r->first;
	r->normal = s.normal;
	o->to_b = now;
	p->arm_a = s.at, p->arm_b = v3_add(s.at, now);
	set_point(v, r, p, 1, s.depth - v->h * v3_dot(closing, s.normal) - r->pull.end);
	return s.at;
}

/* separation velocity at a point for velocities towards the predicted poses, in m/s */
static real goes_at(const solving *v, const constraint *r, vec3 arm_a, vec3 arm_b, vec3 normal)
{
	const vec3 moves = v3_mul(1 - part_ahead(v->m), v3_add(r->moves, v3_cross(r->spins, arm_a)));
	return v3_dot(v3_add(slip_with(v->of->aim, r, arm_a, arm_b), moves), normal);
}

/* overlap at the predicted q, in m, extrapolated with these velocities and the means of present and predicted arms */
static real depth_along(const solving *v, const constraint *r, const setting *o, const constraint_point *p, vec3 q,
						vec3 normal, real depth)
{
	const real now = goes_at(v, r, p->arm_a, p->arm_b, r->normal),
			   then = goes_at(v, r, q, v3_add(q, o->on_wall ? o->to_b : o->ahead), normal);
	return depth + v->h / 2 * (then - now);
}

/* The point of a patch that is predicted to be at q: midway between the points of both bodies before their
 * displacement, so that angular momentum is conserved. On a wall this is the point of the body. */
static vec3 put_back(const setting *o, vec3 q)
{
	return o->on_wall ? q : v3_madd(q, (real)0.5, v3_sub(o->ahead, o->to_b));
}

/* Tests whether the present normal and arm of a single point are used. In an impact, the predicted normal and arm give
 * the required restitution. On flat sides the point moves far in a step, and an arm that did not follow would create
 * energy. */
static bool acts_now(const solving *v, const constraint *r)
{
	const enum pair_kind kind = r->ref.kind;
	if (!v->w->pair[kind].contact.ux || v->s->pair[kind].brought[r->ref.row] > 0) return false;
	return !scree_has_flat_sides(v, r->ref.a) && (pair_on_wall(kind) || !scree_has_flat_sides(v, r->ref.b));
}

/* For other contacts: uses the overlaps at the predicted poses. If the contact has only one point and its present
 * normal and arms are known, these are used, so that the force does not lag behind rocking bodies. */
static void set_others(const solving *v, constraint *r, setting *o, vec3 apart)
{
	const contact_work *found = &v->w->pair[r->ref.kind].contact;
	const velocity_pair *t = v->of->aim;
	const int64_t k = r->ref.row;
	const int32_t yields = scree_yielding_wall(v, r->ref.kind, k);
	const vec3 closing = v3_madd(v3_sub(t[r->ref.a].linear, t[r->ref.b].linear), -part_ahead(v->m), r->moves);
	o->on_wall = pair_on_wall(r->ref.kind);
	o->ahead = o->to_b = v3(0, 0, 0);
	if (yields >= 0) o->to_b = scree_yielding_offset(v, yields, v->w->record[r->ref.a].position);
	if (!o->on_wall) o->ahead = apart, o->to_b = v3_madd(apart, -v->h, closing);
	r->normal = v3(found->nx[k], found->ny[k], found->nz[k]);
	if (acts_now(v, r)) r->normal = v3(found->ux[k], found->uy[k], found->uz[k]);
}

/* Moves the point of an impact to the mean point of a flat side if the body lands there without rotating. Otherwise
 * the impulse would act where the bodies hardly approach each other. Returns its position. */
static vec3 to_flat_side(const solving *v, const constraint *r, constraint_point *p, real depth)
{
	if (v->m->hard) return p->arm_a; /* the whole impact takes place in one step */
	const vec3 way = scree_flat_side_way(v, r, p);
	if (!(v3_norm2(way) > 0)) return p->arm_a;
	const constraint_point there = *p;
	p->arm_a = v3_add(p->arm_a, way), p->arm_b = v3_add(p->arm_b, way);
	set_point(v, r, p, 1, depth);
	if (real_abs(p->came - there.came) > FLAT * scree_impact_speed(v, r, &there)) *p = there;
	return p->arm_a;
}

static vec3 set_one(const solving *v, constraint *r, const setting *o)
{
	const contact_work *found = &v->w->pair[r->ref.kind].contact;
	const int64_t k = r->ref.row;
	const vec3 q = v3(found->px[k], found->py[k], found->pz[k]), n = v3(found->nx[k], found->ny[k], found->nz[k]);
	const vec3 at = acts_now(v, r) ? v3(found->qx[k], found->qy[k], found->qz[k]) : put_back(o, q);
	constraint_point *p = v->of->point + r->first;
	p->arm_a = at, p->arm_b = v3_add(at, o->to_b);
	const real depth = acts_now(v, r) ? depth_along(v, r, o, p, q, n, found->depth[k]) : found->depth[k];
	set_point(v, r, p, 1, depth - r->pull.end);
	return to_flat_side(v, r, p, depth - r->pull.end);
}

static void set_motion_of_b(const solving *v, constraint *r)
{
	r->moves = r->spins = v3(0, 0, 0);
	if (pair_on_wall(r->ref.kind)) {
		const velocity_pair wall = scree_constraint_wall_mean(v, &r->ref);
		r->moves = wall.linear, r->spins = wall.angular;
	} else if (v->m->period.on) {
		const int64_t slot = v->s->pair[r->ref.kind].slot[r->ref.row];
		r->moves = v->s->images.drift[scree_world_image(v->m, v->s, r->ref.kind, slot)];
	}
}

static void set_hard(const solving *v, constraint *r)
{
	const real part = pair_on_wall(r->ref.kind) ? contact_part(&v->w->pair[r->ref.kind].contact, r->ref.row) : 1;
	constraint_harden(v, &r->constants, part * r->mass_law, r->ref.kind);
	r->law = LAW_LINEAR;
	r->share = r->part = 1;
}

/* Sets the law of a contact whose kind, row and bodies are already set. */
static void set_law(const solving *v, constraint *r)
{
	const contact_work *found = &v->w->pair[r->ref.kind].contact;
	const bodies *b = &v->s->body;
	const bool on_wall = pair_on_wall(r->ref.kind);
	const real ra = found->ra ? found->ra[r->ref.row] : b->round[r->ref.a];
	const real rb = on_wall ? ra : found->rb ? found->rb[r->ref.row] : b->round[r->ref.b];
	const real mass = on_wall ? b->mass[r->ref.a] : 1 / (b->inv_mass[r->ref.a] + b->inv_mass[r->ref.b]);
	r->of = scree_constraint_constants(v, &r->ref);
	enum law_row law = (enum law_row)r->of->law;
	if (!scree_pair_kinds[r->ref.kind].patch) law = (enum law_row)scree_laws[law].of_spheres;
	r->law = (int32_t)law;
	r->radius = on_wall ? ra : ra * rb / (ra + rb);
	r->small = real_min(ra, rb);
	r->mass_law = mass * contact_share(found, r->ref.row);
	r->after = part_after_of(v->m, scree_constraint_materials(v, &r->ref));
	r->part = on_wall && law < LAWS_OF_POINTS ? contact_part(found, r->ref.row) : 1;
	r->share = scree_pair_kinds[r->ref.kind].patch && law == LAW_OVERLAP ? 1 / (real)(r->points - 1) : 1;
	r->constants = constants_of(law, r->of, r->radius, r->mass_law);
	if (r->part < 1) r->constants = normal_in_part(r->constants, r->part, law);
	if (v->m->hard)
		set_hard(v, r);
	else if (r->bond >= 0)
		r->after = (real)0.5; /* bonded bodies oscillate on both springs and have no impacts */
	r->curved = r->law == LAW_HERTZ || r->law == LAW_POWER;
}

/* Points of the law `overlap` around the first one come in pairs, which resist tilt at this distance from it. */
static vec3 tilted(const contact_points *all, int64_t first, int32_t e, int32_t points, real radius, real more)
{
	const vec3 centre = v3(all->x[first], all->y[first], all->z[first]);
	const int64_t pair = first + (e - 1) / 2 * 2 + 1;
	const vec3 off = v3_sub(v3(all->x[pair], all->y[pair], all->z[pair]), centre);
	const real part = more * tilt_part(tilt_reach(radius, points), v3_norm(off));
	return v3_madd(centre, (e - 1) % 2 ? -part : part, off);
}

static real sum_of_weights(const contact_points *all, int64_t first, int32_t points)
{
	real sum = 0;
	for (int32_t e = 0; e < points; ++e) sum += all->weight[first + e];
	return sum > 0 ? sum : 1;
}

/* Faces that separate at a small angle touch at an edge last. There, the rest of the impulse would rotate the bodies,
 * but forces act in the middle until then. So an impact that starts central stays central until its end. */
static void keep_central(const solving *v, const constraint *r, const setting *o, constraint_point *p)
{
	if (v->m->hard || is_steady(v, r, p) || !scree_impact_was_central(v, &r->ref)) return;
	const constraint_point there = *p;
	set_bounce(v, r, o, p, v3_mul(v3_dot(p->arm_a, r->normal), r->normal));
	const real change = real_abs(p->came - there.came);
	if (!is_steady(v, r, p) || change > FLAT * scree_impact_speed(v, r, &there)) *p = there;
}

/* Sets a patch. Returns the centre of the contact, or, with attraction, the centre of its area. */
static vec3 set_patch(const solving *v, constraint *r, const setting *o)
{
	const contact_work *found = &v->w->pair[r->ref.kind].contact;
	const contact_points *all = &v->w->thread[found->first[r->ref.row] >> 32].points;
	const int64_t first = (int64_t)(found->first[r->ref.row] & 0xffffffffu);
	constraint_point *p = v->of->point + r->first;
	vec3 middle = v3(0, 0, 0);
	real sum = 0;
	const int32_t points = r->points - 1;
	const real more = v->m->hard ? HARD_TILT : 1, whole = v->m->hard ? sum_of_weights(all, first, points) : 1;
	for (int32_t e = 0; e < points; ++e, ++p) {
		vec3 q = v3(all->x[first + e], all->y[first + e], all->z[first + e]);
		if (r->of->law == LAW_OVERLAP && e > 0) q = tilted(all, first, e, points, r->radius, more);
		p->arm_a = put_back(o, q), p->arm_b = v3_add(p->arm_a, o->to_b);
		real weight = all->weight[first + e] / whole;
		if (r->law == LAW_AREA) weight = weight * weight / (16 * r->radius * r->radius);
		set_point(v, r, p, weight, all->depth[first + e]);
		middle = v3_madd(middle, weight, p->arm_a), sum += weight;
	}
	middle = v3_mul(1 / sum, middle);
	if (r->pull.kind != COHESION_NONE) middle = put_back(o, area_centre(all, first, first + points, o->on_wall));
	set_bounce(v, r, o, p, middle);
	keep_central(v, r, o, p);
	return middle;
}

real scree_constraint_scale(const solving *v, const constraint *r)
{
	const contact_constants *c = &r->constants;
	const enum law_row law = (enum law_row)r->law;
	real overlap = 0, weights = 0;
	for (const constraint_point *p = v->of->point + r->first, *end = p + r->points; p < end; ++p) {
		if (!(p->weight > 0)) continue;
		overlap += p->weight * p->about, weights += r->share * p->weight;
	}
	if (law == LAW_POWER) return 0;
	const real scale = r->pull.length > 0	  ? jkr_spring_of(r, v->tau, overlap).radius
					   : law == LAW_HERTZ	  ? sqrt(c->radius * overlap)
					   : law < LAWS_OF_POINTS ? 1
											  : weights;
	return r->part * scale;
}

/* The springs along the surface follow the law (kernel/contact.h). Returns the compliance of these springs, in 1/kg. */
static real set_shear(const solving *v, constraint *r)
{
	const contact_constants *c = &r->constants;
	r->scale = scree_constraint_scale(v, r);
	const real damping = r->law == LAW_POWER ? r->part * c->shear : c->shear_damping * sqrt(c->mass * r->scale);
	const real after = friction_spring_after(v->s->pair + r->ref.kind, r->ref.row, r->after);
	r->spring = (friction_spring){r->scale * c->shear, damping, after, v->h};
	const real gives = v->tau * friction_spring_gives(&r->spring);
	return gives > 0 ? 1 / gives : constraint_moves(v, &r->ref) ? 0 : 1 / r->mass_law;
}

/* Rolling and torsion springs (kernel/turning.h), not in hard contacts. response: of both bodies, in 1/(kg m^2) */
static turning_limit turning_of(const solving *v, const constraint *r, real resists, real lump, real response)
{
	const angular_spring s = angular_spring_of(&r->constants, resists, lump, (enum law_row)r->law, r->scale / r->part);
	turning_limit o = {.lever = s.lever};
	if (!(resists > 0)) return o;
	const real goes = v->tau * (v->h * s.stiffness + s.damping), least = (real)1e-290; /* so that 1/least is finite */
	if (goes > least && !v->m->hard) o.stiffness = s.stiffness, o.soft = 1 / goes;
	o.mass = response + o.soft > 0 ? 1 / (response + o.soft) : 0;
	return o;
}

static void set_friction(const solving *v, constraint *r, real arm)
{
	const impulse_body *a = v->of->body + r->ref.a, *b = v->of->body + r->ref.b;
	r->block = friction_block_of(a, r->arm_a, b, r->arm_b, r->normal, arm, set_shear(v, r));
	const sym3 response = {a->inv_x + b->inv_x,	  a->inv_y + b->inv_y,	 a->inv_z + b->inv_z,
						   a->inv_xy + b->inv_xy, a->inv_xz + b->inv_xz, a->inv_yz + b->inv_yz};
	const real most = sym3_bound(&response);
	r->rub = r->of->friction;
	r->roll = turning_of(v, r, r->of->rolling, ROLLING_LUMP, most);
	r->twist = turning_of(v, r, r->of->twisting, TWISTING_LUMP, most);
	r->friction = r->start = r->turning = r->bent = v3(0, 0, 0);
}

/* Sets up the points of a contact. Returns the point at which friction acts. */
static vec3 set_points(const solving *v, constraint *r, setting *o)
{
	const vec3 apart = constraint_apart(v, r->ref.kind, r->ref.row);
	if (!scree_pair_kinds[r->ref.kind].formula) set_others(v, r, o, apart);
	if (scree_pair_kinds[r->ref.kind].patch) return set_patch(v, r, o);
	const vec3 at = scree_pair_kinds[r->ref.kind].formula ? set_spheres(v, r, o, apart) : set_one(v, r, o);
	if (r->pull.kind == COHESION_CAPILLARY) scree_bridge_set(v, r);
	return at;
}

/* ------------------------------------------------------------------ contacts of one pair */

/* largest relative difference in stiffness from another contact of the pair */
static const real ALIKE = (real)0.1;

/* Tests whether a contact shares an impact with other contacts of its pair, for example at the ends of two capsules
 * side by side. If the step resolved only one of two contacts equally stiff up to rounding, the bodies would rotate. */
static bool is_one_of_several(const solving *v, const constraint *r)
{
	const pair_list *l = v->s->pair + r->ref.kind;
	const int64_t k = r->ref.row;
	return l->rows && r->points == 1 && r->bond < 0 && l->brought[k] > 0 && slot_rows(l, l->slot[k]) > 1;
}

/* Finds the data that the contacts of one impact share: whether the step resolves all contacts with about the same
 * stiffness, and the mass of each contact, from its share of the impact's energy. The overlaps do not determine the
 * mass while bodies separate: one contact may be slightly loaded while another carries no load at all. */
static void agree_of(const solving *v, constraint *r)
{
	const struct constraints *c = v->of;
	const pair_list *l = v->s->pair + r->ref.kind;
	const int64_t pair = l->slot[r->ref.row];
	real brought = 0;
	r->agrees = true;
	for (int32_t k = l->row[pair], end = k + slot_rows(l, pair); k < end; ++k) {
		const int32_t at = c->of_row[r->ref.kind][k];
		if (at <= 0 || c->ref[at - 1].full < 0) continue;
		const constraint *o = c->row + c->ref[at - 1].full;
		if (!o->waits) continue;
		brought += l->brought[k];
		if (real_abs(o->stiffness - r->stiffness) <= ALIKE * r->stiffness) r->agrees = r->agrees && o->resolved;
	}
	const real mine = l->brought[r->ref.row], share = contact_share(&v->w->pair[r->ref.kind].contact, r->ref.row);
	/* a wall that yields takes part in the motion */
	const bool yields = scree_yielding_wall(v, r->ref.kind, r->ref.row) >= 0;
	r->impact_mass = !yields && mine < brought ? r->mass_law / share * (mine / brought) : 0;
}

/* Sets the data that depend on whether the step resolves the contact. */
static void set_answer(const solving *v, constraint *r)
{
	const real *arm = v->w->pair[r->ref.kind].contact.arm;
	resolve(v, r);
	set_impact(v, r);
	set_friction(v, r, scree_pair_kinds[r->ref.kind].patch ? arm[r->ref.row] : 0);
	scree_constraint_warm(v, r);
}

static void pack(const solving *v, const constraint *r)
{
	if (v->m->flat) scree_plane_patch_set(v, r, v->of->plane.row + r->ref.at);
	scree_space_patch_set(v, r);
}

static void set_constraint(const solving *v, constraint *r)
{
	setting o = {.on_wall = false};
	set_law(v, r);
	scree_attraction_set(v, r);
	set_motion_of_b(v, r);
	const vec3 at = set_points(v, r, &o);
	r->arm_a = at, r->arm_b = v3_add(at, o.to_b);
	r->resolved = is_resolved(v, r, v->of->point[r->first + r->points - 1].rigid);
	r->waits = is_one_of_several(v, r);
	if (r->waits) {
		r->stiffness = scree_constraint_stiffness(v, r);
		return;
	}
	set_answer(v, r);
	if (r->bond >= 0) scree_bond_set(v, r, o.to_b);
	pack(v, r);
}

/* Sets up the waiting contacts. Each result stays in `resolved` until the results of all contacts are known. */
static void agree(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	const solving *v = what;
	for (int64_t k = v->from + from, end = v->from + to; k < end; ++k) {
		const int32_t full = v->of->ref[k].full;
		constraint *r = v->of->row + full;
		if (full >= 0 && r->waits) agree_of(v, r);
	}
}

static void set_waiting(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	const solving *v = what;
	for (int64_t k = v->from + from, end = v->from + to; k < end; ++k) {
		const int32_t full = v->of->ref[k].full;
		constraint *r = v->of->row + full;
		if (full < 0 || !r->waits) continue;
		r->resolved = r->agrees;
		set_answer(v, r);
		pack(v, r);
	}
}

static void set_contacts(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	const solving *v = what;
	for (int64_t k = v->from + from, end = v->from + to; k < end; ++k) {
		fetch_soon(v, k, end);
		const int32_t full = v->of->ref[k].full;
		if (full < 0)
			scree_ball_row_set(v, v->of->ref + k);
		else
			set_constraint(v, v->of->row + full);
	}
}

/* Tests whether any pair has several contacts. */
static bool some_wait(const solving *v)
{
	bool some = false;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) some = some || (v->s->pair[kind].rows && v->s->pair[kind].count > 0);
	return some && v->of->fulls > 0;
}

void scree_constraints_set(solving *v, int64_t from)
{
	v->from = from;
	scree_parallel(set_contacts, v, v->of->count - from, CONSTRAINTS_GRAIN);
	if (!some_wait(v)) return;
	scree_parallel(agree, v, v->of->count - from, CONSTRAINTS_GRAIN);
	scree_parallel(set_waiting, v, v->of->count - from, CONSTRAINTS_GRAIN);
}
