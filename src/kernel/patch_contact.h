/* patch_contact.h: one step of a contact with any number of points: of polyhedra or, in the plane, of any bodies but
 * two discs. Normal forces of points are added; the rest is as in contacts with one point. All functions are pure. */
#ifndef SCREE_KERNEL_PATCH_CONTACT_H
#define SCREE_KERNEL_PATCH_CONTACT_H

#include "kernel/contact.h"
#include "kernel/contact_law.h"
#include "kernel/thickness.h"

/* Limits the energy that a patch returns to the bodies to the energy that it has taken from them. This does not make an
 * elastic patch return less (docs/theory/laws.md, "Grazing impacts"). */
typedef struct restraint {
	real part; /* remaining fraction of the normal force */
	real drag; /* tangential force divided by the slip velocity, directed against the slip, in N s/m */
} restraint;

/* A patch has no potential. If its shape changes under load, its springs return an amount of work that differs from the
 * work put in. Grazing bodies would then separate faster than they approached. The excess over `left` is first removed
 * by a force against the sliding, because sliding changes the patch; this force is at most as large as the normal
 * force. The rest is removed by reducing the normal force. Each force changes by at most a quarter of the force that
 * would stop the motion of the reduced mass in its direction within the step. Bodies that are pressed together are thus
 * still held, by a strong dashpot instead of a force that is present in one step and absent in the next. Attraction is
 * not limited. left: power that the contact may still return over the step, in W; given: present power of the normal
 * force, in W; force: the normal force, in N; slip: in m/s; mass: reduced mass, in kg */
SCREE_FN restraint restraint_of(real left, real given, real force, real slip, real mass, real dt)
{
	const real nothing = (real)1e-300;
	real push = real_max(force, 0), gives = push > 0 ? given : 0;
	real strong = (real)0.25 * mass / dt, excess = real_max(gives - left, 0);
	real dragged = real_min(real_min(push, strong * slip) * slip, excess);
	real part = 1 - (excess - dragged) / real_max(gives - dragged, nothing);
	real least = 1 - strong * real_max(gives, 0) / real_max(push * push, nothing);
	part = real_max(part, least);
	restraint o = {part, part * dragged / real_max(slip * slip, nothing)};
	return o;
}

/* Returns the factor of the normal force of separating bodies with which a contact without dissipation returns the
 * energy `taken` in J; above 1 if a change of shape has left less. elastic: energy in the springs, in J */
SCREE_FN real repaid(real taken, real elastic)
{
	const real most = 4;
	return elastic > 0 ? real_clamp(taken / elastic, 1, most) : 1;
}

typedef struct patch_point {
	vec3 at; /* position relative to the centre of a */
	real depth, weight;
} patch_point;

/* Weight of a point. For areas the narrow phase computes the chord in m, and the weight is chord^2/l^2
 * (LAW_AREA_LITERAL: chord/l), where l = 4 ra rb/(ra + rb), and ra and rb are the radii of discs with the same areas as
 * the bodies (LAW_AREA_LITERAL: the distances of the point from the centres) (docs/theory/area.md). */
SCREE_FN real weight_of(real weight, const partners *p, const contact_constants *c, vec3 at, enum law_row law,
						bool on_wall)
{
	if (law == LAW_AREA) return weight * weight / (16 * c->radius * c->radius);
	if (law != LAW_AREA_LITERAL) return weight;
	real ra = v3_norm(at), rb = v3_norm(v3_add(at, p->apart));
	return weight / (4 * (on_wall ? ra : ra * rb / (ra + rb)));
}

/* ------------------------------------------------------------------ the points of a patch */

/* Data that all points share. Both bodies are rigid: at.turn + lead is the velocity of separation at a point. */
typedef struct patch_rates {
	vec3 normal, turn;
	real lead;
	real pitch; /* couple about the normal over the normal force, in m */
	real share; /* fraction of the force per point */
} patch_rates;

SCREE_FN bool has_pitch(enum law_row law) { return law == LAW_VOLUME || law == LAW_OVERLAP; }

SCREE_FN patch_rates patch_rates_of(const partners *p, vec3 n, real pitch, int64_t points, enum law_row law,
									bool on_wall)
{
	vec3 w = v3_sub(p->wa, p->wb);
	patch_rates r;
	r.normal = n;
	r.turn = v3_cross(n, w);
	r.lead = v3_dot(slip_velocity(p, v3(0, 0, 0), on_wall), n);
	r.pitch = 0;
	if (has_pitch(law)) {
		r.pitch = pitch;
		r.lead += pitch * v3_dot(w, n);
	}
	/* each point has the overlap and the weight of the whole patch; the force is divided among the points */
	r.share = law == LAW_OVERLAP ? 1 / (real)points : 1;
	return r;
}

typedef struct patch_sum {
	normal_part normal;
	vec3 pressed; /* sum of force times position, in N m */
	real mean;	  /* overlap, or the measure that `contact_of` uses instead */
	vec3 middle;  /* sum of weight times position, in m */
	real weight;
} patch_sum;

SCREE_FN patch_sum patch_empty(void)
{
	patch_sum s = {{0, 0, 0, 0}, {0, 0, 0}, 0, {0, 0, 0}, 0};
	return s;
}

/* Points share stiffness and mass in proportion to their weights, but have their own overlap and velocity. */
SCREE_FN patch_sum patch_add(patch_sum s, const patch_rates *r, patch_point e, const partners *p,
							 const contact_constants *c, enum law_row law, bool on_wall)
{
	real weight = weight_of(e.weight, p, c, e.at, law, on_wall);
	normal_part part = normal_by(law, c, weight, e.depth, v3_dot(e.at, r->turn) + r->lead);
	s.normal.force += r->share * part.force;
	s.normal.elastic += r->share * part.elastic;
	s.normal.power += r->share * part.power;
	s.normal.heat += r->share * part.heat;
	s.mean += is_energy(law) ? r->share * weight : weight * e.depth;
	s.pressed = v3_madd(s.pressed, r->share * part.force, e.at);
	return s;
}

/* Without a normal force, a patch acts at its middle, which patch_add_middle computes from the points. */
SCREE_FN bool patch_presses(const patch_sum *s) { return s->normal.force > 0; }
SCREE_FN patch_sum patch_add_middle(patch_sum s, patch_point e)
{
	s.middle = v3_madd(s.middle, e.weight, e.at);
	s.weight += e.weight;
	return s;
}

/* Sums for the law `overlap`: one point at the centre, and pairs of points on opposite sides of it, at a distance that
 * depends on the tilt. All points have the patch's weight and depth, so they differ only in velocity. */
typedef struct patch_spread {
	normal_part all;
	vec3 tilt;
	real reach, rate;
} patch_spread;

/* e: the centre; points: number of points */
SCREE_FN patch_spread spread_start(const patch_rates *r, patch_point e, int64_t points, const contact_constants *c)
{
	patch_spread s;
	s.reach = tilt_reach(c->radius, points);
	s.rate = v3_dot(e.at, r->turn) + r->lead;
	s.all = normal_by(LAW_OVERLAP, c, e.weight, e.depth, s.rate);
	s.tilt = v3(0, 0, 0);
	return s;
}

/* point: one of a pair */
SCREE_FN patch_spread spread_add(patch_spread s, const patch_rates *r, patch_point e, vec3 point,
								 const contact_constants *c)
{
	const vec3 off = v3_sub(point, e.at);
	const real part = tilt_part(s.reach, v3_norm(off)), more = part * v3_dot(off, r->turn);
	const normal_part one = normal_by(LAW_OVERLAP, c, e.weight, e.depth, s.rate + more);
	const normal_part other = normal_by(LAW_OVERLAP, c, e.weight, e.depth, s.rate - more);
	s.all.force += one.force + other.force;
	s.all.elastic += one.elastic + other.elastic;
	s.all.power += one.power + other.power;
	s.all.heat += one.heat + other.heat;
	s.tilt = v3_madd(s.tilt, part * (one.force - other.force), off);
	return s;
}

SCREE_FN patch_sum spread_sum(const patch_spread *s, const patch_rates *r, patch_point e)
{
	const real force = r->share * s->all.force;
	const patch_sum sum = {{force, r->share * s->all.elastic, r->share * s->all.power, r->share * s->all.heat},
						   v3_madd(v3_mul(r->share, s->tilt), force, e.at),
						   e.weight,
						   {0, 0, 0},
						   0};
	return sum;
}

/* ------------------------------------------------------------------ the patch */

typedef struct patch_press {
	normal_part normal;
	vec3 moment; /* torque of the normal forces about the centre of a, in N m */
	vec3 at;	 /* position relative to a's centre where the normal forces act, or the patch's middle if none do */
	vec3 hold;	 /* centre of the area, where friction acts while the contact sticks */
	vec3 pulled; /* where attraction acts */
	real mean;
} patch_press;

/* Computes the normal forces and where they act; does not set `hold`. */
SCREE_FN patch_press patch_press_of(const patch_sum *s, const patch_rates *r)
{
	patch_press o;
	o.normal = s->normal;
	o.moment = v3_madd(v3_cross(s->pressed, r->normal), r->pitch * s->normal.force, r->normal);
	o.at = o.hold = o.pulled =
		patch_presses(s) ? v3_mul(1 / s->normal.force, s->pressed) : v3_mul(1 / s->weight, s->middle);
	o.mean = s->mean;
	return o;
}

/* Energies of a patch half a step ahead, except those in its normal springs, in J. */
typedef struct patch_account {
	real lost_normal, lost_friction, lost_rolling, work;
} patch_account;

/* Energy in J taken from the bodies and not returned, except in friction and rolling springs, which return theirs. */
SCREE_FN real taken_by(const patch_account *y, enum extra extra)
{
	real taken = y->lost_normal + y->lost_friction - y->work;
	return extra == EXTRA_NONE ? taken : taken + y->lost_rolling;
}

/* Returns the point where friction acts. While the contact sticks, the friction springs are distributed uniformly, so
 * friction acts at the centre of the area. While the contact slides, friction acts where the pressure does. Between
 * nine tenths of the friction limit and the limit, the point moves from one to the other. (If friction always acted
 * where the pressure does, it would rotate a body that rocks on a slope and keep it rocking.) */
SCREE_FN vec3 where_friction_acts(const contact_history *h, const contact_constants *c, vec3 hold, vec3 pressed,
								  real force)
{
	real size = sqrt(2 * c->shear * real_max(h->scale * h->stored, 0)), cap = c->friction * real_max(force, 0);
	real slides = cap > 0 ? real_clamp(10 * size / cap - 9, 0, 1) : 1;
	return v3_madd(hold, slides, v3_sub(pressed, hold));
}

typedef struct patch_step {
	vec3 normal;
	bool touches;
	real depth, arm;
	real loose; /* power that the patch may return in excess of the energy that it has absorbed, in W */
	real dt;
} patch_step;

/* Limits the energy that the patch returns (restraint_of). Returns the tangential force that removes the excess where
 * the normal force acts. v: velocity of a relative to b there; pull: normal part of cohesion */
SCREE_FN vec3 restrain(const contact_constants *c, const patch_step *t, vec3 v, const patch_account *y,
					   const normal_part *pull, patch_press *s, enum law_row law, enum extra extra)
{
	normal_part *sum = &s->normal;
	vec3 vt = v3_madd(v, -v3_dot(v, t->normal), t->normal);
	real taken = taken_by(y, extra), slip = v3_norm(vt), dt = t->dt;
	/* energy taken by cohesion may be returned too */
	if (extra == EXTRA_STICKS) taken -= pull->elastic + dt / 2 * pull->power;
	real left = real_max(taken, 0) / dt + t->loose;
	restraint r = restraint_of(left, sum->power - sum->heat, sum->force, slip, c->mass, dt);
	bool keeps = law != LAW_POWER && c->damping == 0 && c->friction == 0 && c->rolling == 0 && t->loose == 0;
	real holds = taken - dt / 2 * sum->power; /* `taken` is half a step old */
	if (keeps && sum->power > 0) r.part *= repaid(holds, sum->elastic);
	sum->force *= r.part;
	sum->power = r.part * sum->power - r.drag * slip * slip;
	sum->heat *= r.part;
	s->moment = v3_mul(r.part, s->moment);
	return v3_mul(t->touches ? -r.drag : 0, vt);
}

/* Normal forces with attraction, and limited in energy. */
typedef struct patch_held {
	patch_press press;
	vec3 drag; /* force on a that removes energy, where the normal force acts */
	sticking sticks;
} patch_held;

SCREE_FN patch_held patch_held_of(const contact_constants *c, const partners *p, patch_press s, const patch_step *t,
								  const patch_account *y, const contact_history *h, enum law_row law, bool on_wall,
								  enum extra extra)
{
	const vec3 n = t->normal;
	vec3 v = slip_velocity(p, s.at, on_wall), drag = v3(0, 0, 0);
	normal_part pull = {0, 0, 0, 0};
	sticking sticks = {0, 0, false, 0};
	/* a patch has no negative overlap; its attraction acts at the centre of its area */
	if (extra == EXTRA_STICKS) {
		real vn = v3_dot(slip_velocity(p, s.pulled, on_wall), n);
		real share = h->scale > 0 || !jumps(c, law) ? 1 : share_begun(t->depth, -vn * t->dt);
		sticks = adhere(c, law, s.mean, vn, share, &pull);
	}
	if (law == LAW_LINEAR || law == LAW_HERTZ || law == LAW_POWER) drag = restrain(c, t, v, y, &pull, &s, law, extra);
	if (extra == EXTRA_STICKS) {
		s.normal.force += pull.force;
		s.normal.elastic += pull.elastic;
		s.normal.power += pull.power;
		s.normal.heat += pull.heat;
		s.moment = v3_add(s.moment, v3_cross(s.pulled, v3_mul(pull.force, n)));
	}
	patch_held g = {s, drag, sticks};
	return g;
}

/* Tangential state before slip. */
typedef struct patch_trial {
	contact_motion motion;
	tangential of;
} patch_trial;

SCREE_FN patch_trial patch_trial_of(const contact_constants *c, const partners *p, const patch_held *s,
									const patch_step *t, const contact_history *h, enum law_row law, bool on_wall,
									enum extra extra)
{
	const patch_press *o = &s->press;
	vec3 rubs = law == LAW_POWER ? o->at : where_friction_acts(h, c, o->hold, o->at, o->normal.force);
	contact_motion m = {t->normal, rubs, slip_velocity(p, rubs, on_wall), v3_sub(p->wa, p->wb), t->arm};
	patch_trial g = {m, tangential_of(c, &m, o->mean, &o->normal, h, &s->sticks, true, law, extra, t->dt)};
	return g;
}

SCREE_FN contact_turning patch_turning(const contact_constants *c, const patch_held *s, const patch_step *t,
									   const patch_trial *g, const contact_history *h, enum law_row law,
									   enum extra extra)
{
	return turning_of(c, &g->motion, &g->of.stiff, &s->press.normal, h, &s->sticks, t->touches, law, extra, t->dt);
}

/* The second half without the resistance to turning and the drag. */
SCREE_FN contact_result patch_friction(const contact_constants *c, const patch_held *s, const patch_step *t,
									   const patch_trial *g, const contact_history *h, enum law_row law,
									   enum extra extra)
{
	return contact_friction(c, &g->motion, &g->of, s->press.normal, s->press.moment, h, &s->sticks, t->touches, true,
							law, extra, t->dt);
}

SCREE_FN void add_drag(contact_result *r, vec3 at, vec3 drag)
{
	r->force = v3_add(r->force, drag);
	r->torque = v3_add(r->torque, v3_cross(at, drag));
}

SCREE_FN contact_result patch_contact(const contact_constants *c, const partners *p, patch_press s, const patch_step *t,
									  const patch_account *y, const contact_history *h, enum law_row law, bool on_wall,
									  enum extra extra)
{
	const patch_held o = patch_held_of(c, p, s, t, y, h, law, on_wall, extra);
	const patch_trial g = patch_trial_of(c, p, &o, t, h, law, on_wall, extra);
	contact_result r = patch_friction(c, &o, t, &g, h, law, extra);
	if (extra != EXTRA_NONE) {
		const contact_turning u = patch_turning(c, &o, t, &g, h, law, extra);
		add_turning(&r, &u, t->normal, t->touches);
		turning_kept(&r.history, &u);
	}
	add_drag(&r, o.press.at, o.drag);
	return r;
}

#endif
