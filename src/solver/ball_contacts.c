/* ball_contacts: sets up rows of ball contacts (like constraint_set.c) and computes their outcome. Except for friction,
 * the impulse of a ball contact passes through both centres, so its responses are scalars. */
#include "solver/constraints.h"

#include "kernel/contact_law.h"
#include "kernel/sphere_contact.h"
#include "model/law.h"
#include "state/pair_kinds.h"
#include "world/world.h"

/* Returns the tile of a contact. A loop over contacts revisits a colour only after hundreds of contacts, so the next
 * tile is prefetched at the first lane. */
static ball_tile *tile_of(const solving *v, const contact_ref *o)
{
	ball_tile *const t = v->of->balls.tile + o->at / BALL_LANES;
	if (o->at % BALL_LANES == 0) fetch_tile(t + 1);
	return t;
}

/* The geometry of a contact, and velocities along its normal in m/s, positive when the bodies separate. */
typedef struct ball_place {
	vec3 normal, moves; /* moves: velocity of b's surface in addition to its body's velocity, in m/s */
	real arm_a, arm_b;	/* distances from the centres to the contact along the normal, in m */
	real now;			/* overlap at the start of the step, in m */
	real had, came;		/* separation velocities towards the predicted poses and before the step, in m/s */
	real radius, mass;	/* reduced radius (m) and mass (kg), for the law */
} ball_place;

/* For spheres: uses their current positions, so that the force is central. */
static ball_place between_balls(const solving *v, const contact_ref *o)
{
	const body_record *a = v->w->record + o->a, *b = v->w->record + o->b;
	const velocity_pair *aim = v->of->aim, *before = v->of->before;
	const real ra = a->round, rb = b->round;
	ball_place p = {.moves = {0, 0, 0}};
	if (v->m->period.on)
		p.moves = v->s->images.drift[scree_world_image(v->m, v->s, o->kind, v->s->pair[o->kind].slot[o->row])];
	const vec3 goes = v3_madd(v3_sub(aim[o->a].linear, aim[o->b].linear), -part_ahead(v->m), p.moves);
	const vec3 apart = v3_madd(constraint_apart(v, o->kind, o->row), -v->h, goes);
	const sphere_contact s = sphere_contact_of(apart, ra, rb);
	p.normal = s.normal;
	p.came = v3_dot(v3_sub(v3_sub(before[o->a].linear, before[o->b].linear), p.moves), s.normal);
	const real went = v3_dot(goes, s.normal);
	p.had = going_ahead(v, went, p.came), p.now = s.depth;
	p.arm_a = ra - s.depth / 2, p.arm_b = rb - s.depth / 2;
	p.radius = ra * rb / (ra + rb), p.mass = 1 / (a->inv_mass + b->inv_mass);
	return p;
}

/* For a ball and a wall: uses the contact that the narrow phase found at the predicted poses. */
static ball_place on_wall(const solving *v, const contact_ref *o)
{
	const contact_work *found = &v->w->pair[o->kind].contact;
	const velocity_pair wall = scree_constraint_wall_mean(v, o);
	const int64_t k = o->row;
	const vec3 at = v3(found->px[k], found->py[k], found->pz[k]);
	ball_place p = {.normal = {found->nx[k], found->ny[k], found->nz[k]}};
	p.moves = v3_add(wall.linear, v3_cross(wall.angular, at));
	p.came = v3_dot(v3_sub(v->of->before[o->a].linear, p.moves), p.normal);
	const vec3 aim = v3_sub(v->of->aim[o->a].linear, v->of->aim[o->b].linear);
	const real went = v3_dot(v3_madd(aim, -part_ahead(v->m), p.moves), p.normal);
	p.had = going_ahead(v, went, p.came), p.now = found->depth[k] + v->h * went;
	p.arm_a = -v3_dot(at, p.normal);
	p.radius = v->w->record[o->a].round, p.mass = v->w->record[o->a].mass * contact_share(found, k);
	return p;
}

/* The law of a contact: its force is stiffness * scale * overlap, where the scale for Hertz is sqrt(radius overlap). */
typedef struct ball_law {
	contact_constants of;
	bool curved;
	real part; /* fraction of the law's stiffness */
} ball_law;

static ball_law law_of(const solving *v, const contact_ref *o, const ball_place *p, const law_constants *c)
{
	const enum law_row law = (enum law_row)scree_laws[c->law].of_spheres;
	ball_law l = {.of = constants_of(law, c, p->radius, p->mass), .curved = law == LAW_HERTZ, .part = 1};
	if (v->m->hard) {
		const real part = pair_on_wall(o->kind) ? contact_part(&v->w->pair[o->kind].contact, o->row) : 1;
		constraint_harden(v, &l.of, part * p->mass, o->kind);
		l.curved = false;
		return l;
	}
	if (!pair_on_wall(o->kind)) return l;
	l.part = contact_part(&v->w->pair[o->kind].contact, o->row);
	if (l.part < 1) l.of = normal_in_part(l.of, l.part, law);
	return l;
}

static real scale_at(const ball_law *l, real overlap) { return l->curved ? sqrt(l->of.radius * overlap) : 1; }

/* Estimates the overlap at the end of the step: the present overlap, or the overlap at which the spring has
 * absorbed the energy of an impact, from K d^2 = m u^2. */
static real likely_overlap(const ball_law *l, const ball_place *p, real reaches, real ahead, real rigid, real least)
{
	real about = real_max(ahead, least);
	for (int k = 0; k < 3 && p->had < 0; ++k) {
		const real stiffness = l->of.stiffness * scale_at(l, about);
		about = real_max(real_min(about, -p->had * sqrt(rigid / stiffness)), least);
	}
	return real_max(reaches, about);
}

SCREE_FN vec3 slip_in(const ball_tile *t, int k, const velocity_pair *a, const velocity_pair *b)
{
	const vec3 spins = v3_madd(v3_mul(t->arm_a[k], a->angular), t->arm_b[k], b->angular);
	const vec3 goes = v3_sub(v3_sub(a->linear, b->linear), v3(t->mx[k], t->my[k], t->mz[k]));
	return v3_sub(goes, v3_cross(spins, v3(t->nx[k], t->ny[k], t->nz[k])));
}

SCREE_FN slip across(vec3 slips, vec3 normal) { return (slip){v3_madd(slips, -v3_dot(slips, normal), normal), 0}; }

static void begin(const solving *v, const contact_ref *o, vec3 normal, ball_tile *t, int lane)
{
	const pair_list *l = v->s->pair + o->kind;
	const int64_t k = o->row;
	const real part = v->tau / v->h;
	const vec3 had = v3_mul(part, v3(l->jx[k], l->jy[k], l->jz[k]));
	const vec3 flat = across(had, normal).flat;
	t->impulse[lane] = v->first ? real_max(part * l->jn[k], 0) : 0;
	t->tx[lane] = v->first ? flat.x : 0;
	t->ty[lane] = v->first ? flat.y : 0;
	t->tz[lane] = v->first ? flat.z : 0;
}

/* stiffness (N/m) and damping (kg/s) along the surface, for this fraction of the law's stiffness */
static friction_spring spring_of(const solving *v, const contact_ref *o, const ball_law *l, real scale, real after)
{
	const real part = friction_spring_after(v->s->pair + o->kind, o->row, after / v->h);
	return (friction_spring){scale * l->of.shear, l->of.shear_damping * sqrt(l->of.mass * scale), part, v->h};
}

static void set_friction(const solving *v, const contact_ref *o, const ball_place *p, const ball_law *l, ball_tile *t)
{
	const int k = o->at % BALL_LANES;
	const impulse_body *a = v->of->body + t->a[k], *b = v->of->body + t->b[k];
	const real scale = l->part * scale_at(l, t->about[k]);
	const friction_spring spring = spring_of(v, o, l, scale, t->after[k]);
	const real gives = v->tau * friction_spring_gives(&spring);
	const real turns = p->arm_a * p->arm_a * a->inv_x + p->arm_b * p->arm_b * b->inv_x;
	t->shear[k] = l->part * l->of.shear * (l->curved ? sqrt(l->of.radius) : 1);
	t->scale[k] = l->part * (l->curved ? sqrt(l->of.radius) : 1);
	t->soft[k] = gives > 0 ? 1 / gives : constraint_moves(v, o) ? 0 : 1 / p->mass;
	t->slide[k] = 1 / (a->inv_mass + b->inv_mass + turns + t->soft[k]);
	t->rub[k] = l->of.friction;
	t->arm_a[k] = p->arm_a, t->arm_b[k] = p->arm_b;
	const slip held = friction_spring_held(v->s->pair + o->kind, o->row, p->normal, scale);
	const slip came = across(slip_in(t, k, v->of->before + o->a, v->of->before + o->b), p->normal);
	const vec3 start = v3_mul(v->tau, friction_spring_force(&spring, held, came).flat);
	t->sx[k] = start.x, t->sy[k] = start.y, t->sz[k] = start.z;
}

/* separation velocity after the step according to the law, for this mass, in m/s */
static real separation_by_law(const ball_tile *t, int k, real had, real mass)
{
	const real stiff = (t->curved[k] ? (real)1.5 * sqrt(t->about[k]) : 1) * t->spring[k];
	const real goes = t->after[k] * stiff + t->dashpot[k];
	const real wants = goes * had - stiff * (t->reaches[k] - (t->curved[k] ? t->about[k] / 3 : 0));
	const real by_spring = had - wants / (goes + mass), at_gap = t->reaches[k] / t->after[k];
	return real_max(had, real_min(by_spring, at_gap));
}

static void set_impact(const solving *v, const contact_ref *o, const ball_place *p, const ball_law *l, ball_tile *t)
{
	const int k = o->at % BALL_LANES;
	const real ahead = t->reaches[k] - t->after[k] * p->had;
	const real share = pair_on_wall(o->kind) ? contact_share(&v->w->pair[o->kind].contact, o->row) : 1;
	const real falls = scree_falls_apart(v, o, p->normal);
	const real goes = separation_by_law(t, k, p->had, share * t->rigid[k]);
	const impact_course i = {.falls = falls,
							 .came = p->came,
							 .had = p->had,
							 .rigid = t->rigid[k],
							 .mass = share * t->rigid[k],
							 .stiffness = l->of.stiffness * scale_at(l, t->about[k]),
							 .meets = ahead > t->after[k] * v->tau * falls,
							 .goes = goes,
							 .ends = p->now < v->h * goes,
							 .steady = true,
							 .resolved = t->after[k] == v->h / 2};
	const impact_due due = scree_impact_due(v, o, &i);
	t->rebound[k] = due.rebound, t->limit[k] = due.limit;
	t->meets[k] = real_min(t->reaches[k] / t->after[k], due.most);
}

void scree_ball_row_set(const solving *v, const contact_ref *o)
{
	ball_tile *const t = tile_of(v, o);
	const int k = o->at % BALL_LANES;
	const int32_t materials = scree_constraint_materials(v, o);
	const ball_place p = pair_on_wall(o->kind) ? on_wall(v, o) : between_balls(v, o);
	const ball_law l = law_of(v, o, &p, v->m->constants + materials);
	const real ease = v->of->body[o->a].inv_mass + v->of->body[o->b].inv_mass;
	const real rigid = ease > 0 ? 1 / ease : p.mass; /* if only a wall that yields can move: the wall's share */
	const real back = (1 - part_after_of(v->m, materials)) * v->h, reaches = p.now + back * p.came;
	const real ahead = reaches - (v->h - back) * p.had;
	const real least = CONSTRAINT_LEAST * p.radius, about = likely_overlap(&l, &p, reaches, ahead, rigid, least);
	const real scale = scale_at(&l, about);
	t->nx[k] = p.normal.x, t->ny[k] = p.normal.y, t->nz[k] = p.normal.z;
	t->mx[k] = p.moves.x, t->my[k] = p.moves.y, t->mz[k] = p.moves.z;
	t->spring[k] = v->tau * l.of.stiffness * (l.curved ? sqrt(l.of.radius) : 1);
	t->dashpot[k] = v->tau * l.of.damping * sqrt(l.of.mass * scale);
	const bool yields =
		scree_yielding_wall(v, o->kind, o->row) >= 0; /* on a wall that yields the body oscillates faster */
	const bool resolved = scree_constraint_resolved(v, yields ? p.mass : rigid, l.of.stiffness * scale);
	t->after[k] = resolved ? v->h / 2 : v->h - back;
	t->reaches[k] = p.now + (v->h - t->after[k]) * p.came;
	t->about[k] = about, t->least[k] = least, t->rigid[k] = rigid;
	t->curved[k] = l.curved;
	set_impact(v, o, &p, &l, t);
	set_friction(v, o, &p, &l, t);
	begin(v, o, p.normal, t, k);
}

SCREE_FN contact_works works_of(real pressed, vec3 normal, vec3 friction, vec3 slip)
{
	return (contact_works){pressed * v3_dot(slip, normal), v3_dot(friction, slip), 0};
}

/* a wall's velocity in the solver minus its velocity at the time of the state (used for work), in m/s */
static vec3 wall_lead(const solving *v, const contact_ref *o, const ball_tile *t, int k)
{
	if (!pair_on_wall(o->kind)) return v3(0, 0, 0);
	const velocity_pair wall = scree_constraint_wall_now(v, o);
	const vec3 turns = v3_cross(wall.angular, v3(t->nx[k], t->ny[k], t->nz[k]));
	return v3_sub(v3(t->mx[k], t->my[k], t->mz[k]), v3_madd(wall.linear, -t->arm_a[k], turns));
}

/* Advances the friction spring to the end of the step. had, goes: slip before and after the step, in m/s */
static void add_shear(const solving *v, const contact_ref *o, const ball_tile *t, vec3 had, vec3 goes,
					  contact_outcome *r)
{
	const int k = o->at % BALL_LANES;
	const vec3 n = v3(t->nx[k], t->ny[k], t->nz[k]);
	const real root = t->curved[k] ? sqrt(t->about[k]) : 1;
	const pair_list *l = v->s->pair + o->kind;
	const friction_spring spring = {t->shear[k] * root, 0, friction_spring_after(l, o->row, t->after[k] / v->h), v->h};
	r->scale = t->scale[k] * root;
	const slip held = friction_spring_held(l, o->row, n, r->scale);
	const real most = t->rub[k] * t->impulse[k] / v->tau;
	r->sheared = friction_spring_end(&spring, held, across(had, n), across(goes, n), most);
	r->bent = friction_spring_energy(&spring, r->sheared);
}

/* Tests whether the spring and dashpot push at the end of the step, at this separation velocity. */
static bool presses(const ball_tile *t, int k, real has)
{
	const real about = t->about[k], curved = t->curved[k] ? 1 : 0;
	const real stiff = (1 + curved / 2) * t->spring[k] * (t->curved[k] ? sqrt(about) : 1);
	const real pushes = stiff * (t->reaches[k] - curved * about / 3) - (t->after[k] * stiff + t->dashpot[k]) * has;
	return pushes > 0 && is_below_gap(has, t->meets[k]);
}

/* had, has: separation velocity before and after the step, in m/s */
static void add_damped(const ball_tile *t, int k, real had, real has, contact_outcome *r)
{
	r->by_rule = t->rebound[k] > NO_IMPACT && is_slowed(had, t->rebound[k]);
	if (!is_impulse(t->impulse[k], t->rigid[k], had)) return;
	if (r->by_rule)
		r->damped = lost_by_impact(t->impulse[k], had, t->rebound[k]);
	else if (presses(t, k, has))
		r->damped = lost_by_dashpot(t->dashpot[k], had, has);
}

contact_outcome scree_ball_outcome(const solving *v, const contact_ref *o)
{
	const ball_tile *const t = tile_of(v, o);
	const int k = o->at % BALL_LANES;
	const real *const round = v->s->body.round;
	const vec3 n = v3(t->nx[k], t->ny[k], t->nz[k]), friction = v3(t->tx[k], t->ty[k], t->tz[k]);
	const velocity_pair a = velocities_of(v->of->body + o->a), b = velocities_of(v->of->body + o->b);
	const vec3 had = slip_in(t, k, v->of->before + o->a, v->of->before + o->b), has = slip_in(t, k, &a, &b);
	contact_outcome r = {.pressed = t->impulse[k], .friction = friction};
	r.impulse = v3_madd(friction, r.pressed, n);
	r.torque = v3_mul(-t->arm_a[k], v3_cross(n, friction));
	const vec3 lead = wall_lead(v, o, t, k);
	r.before = works_of(r.pressed, n, friction, v3_sub(v3_add(had, lead), scree_constraint_pull(v, o)));
	/* a wall that yields has changed its speed */
	const vec3 led = pair_on_wall(o->kind) ? v3_add(lead, b.linear) : lead;
	r.after = works_of(r.pressed, n, friction, v3_add(has, led));
	const real now = t->reaches[k] - (v->h - t->after[k]) * v3_dot(had, n);
	const real ends = now - v->h * v3_dot(has, n);
	r.depth = v->m->creeps ? now : ends;
	const real stores = v->w->ahead.drifted ? ends : now; /* the present overlap at the start of a run */
	if (stores > 0)
		r.elastic = t->spring[k] / v->tau * (t->curved[k] ? (real)0.4 * sqrt(stores) : (real)0.5) * stores * stores;
	add_shear(v, o, t, had, has, &r);
	add_damped(t, k, v3_dot(had, n), v3_dot(has, n), &r);
	const real share = pair_on_wall(o->kind) ? contact_share(&v->w->pair[o->kind].contact, o->row) : 1;
	const real stiffness = t->spring[k] / v->tau * (t->curved[k] ? sqrt(t->about[k]) : 1);
	r.impact = (impact_end){v3_dot(had, n), v3_dot(has, n), share * t->rigid[k], t->rigid[k], stiffness};
	r.small = pair_on_wall(o->kind) ? round[o->a] : real_min(round[o->a], round[o->b]);
	r.moves = v3(t->mx[k], t->my[k], t->mz[k]);
	return r;
}
