/* impacts: the restitution of an impact that lasts for several steps, or that a step is too long to resolve.
 *
 * The springs and dashpots of a step do not give the prescribed restitution: a dashpot uses the velocity after the
 * step, a step in which bodies meet or separate has either the full force or no force, and the spring of a long step
 * returns more energy than Newton's rule does. So a contact stores the energy of the impact, and the energy taken from
 * the bodies so far. In the end it must keep the fraction 1 - e^2 of the energy of the impact (the energetic
 * restitution of Stronge 1990). The energy still to be returned gives a separation speed: springs do not push the
 * bodies beyond this speed, and any energy that is missing is returned in the step in which the bodies separate. A
 * contact returns only energy that it absorbed before, so the rule creates no energy, whatever other contacts do. */
#include "solver/constraints.h"

#include "base/maths.h"

/* number of periods after which an impact that does not rebound counts as a contact under load */
static const real MOST_PERIODS = 1;
/* fractions of the required speed, and of the approach speed, below which an impact does not rebound */
static const real REBOUNDS = (real)0.5, SLOW = (real)0.01;
/* fraction of the approach speed that counts as zero, so that rounding has no effect */
static const real NONE = (real)1e-9;
/* Speed that a step may add at the end, relative to the approach speed, times the number of steps of the impact, since
 * the error is of first order in the step. In short steps the law is right, even if it keeps more energy than the rule:
 * a cube that falls on a corner and rotates onto a face has two impacts in one contact. */
static const real MOST_ERROR = 1;
/* fraction of an impact's energy by which the bodies' energy may differ from the energy taken by the contact */
static const real ALONE = (real)0.1;
/* numbers added to the step count if bodies rotate, and when the impact ends: an error is corrected only once */
static const real ROTATED = (real)1e6, ENDED = (real)1e12;

static real restitution_of(const solving *v, const contact_ref *o)
{
	return v->m->material.rule[scree_constraint_materials(v, o)].restitution;
}

static void forget(pair_list *l, int64_t k) { l->brought[k] = l->took[k] = l->lasts[k] = 0; }

static real steps_of(const pair_list *l, int64_t k)
{
	const real n = l->lasts[k] < ENDED ? l->lasts[k] : 0;
	return n < ROTATED ? n : n - ROTATED;
}

static real approach_of(const pair_list *l, int64_t k, real mass) { return sqrt(2 * l->brought[k] / mass); } /* m/s */

/* separation velocity, in m/s, at which the contact keeps this fraction of the impact's energy */
static real speed_that_keeps(const pair_list *l, int64_t k, real part, real came, real mass)
{
	const real square = came * came + 2 / mass * (l->took[k] - part * l->brought[k]);
	return square > 0 ? sqrt(square) : 0;
}

static real due_speed(const solving *v, const contact_ref *o, real came, real mass)
{
	const real e = restitution_of(v, o);
	return speed_that_keeps(v->s->pair + o->kind, o->row, 1 - e * e, came, mass);
}

/* Tests whether nothing but the contact has changed the approach, in which case the energy of the bodies along the
 * normal is the energy of the impact minus the energy taken by the contact. Otherwise there may have been a second
 * impact, for example if a cube rotates from its corner onto a face. */
static bool is_alone(const pair_list *l, int64_t k, const impact_course *i)
{
	const real has = l->took[k] + i->mass / 2 * i->came * i->came;
	return l->lasts[k] < ROTATED && real_abs(has - l->brought[k]) < ALONE * l->brought[k];
}

/* Returns the least separation velocity of a contact at its end. */
static real least_speed(const solving *v, const contact_ref *o, const impact_course *i)
{
	const pair_list *l = v->s->pair + o->kind;
	const int64_t k = o->row;
	const real e = restitution_of(v, o), e2 = e * e;
	return speed_that_keeps(l, k, 1 - (is_alone(l, k, i) ? e2 : e2 * e2), i->came, i->mass);
}

/* Rebound under Newton's rule after an approach that may begin an impact, in m/s. If a step resolves the contact, an
 * impact can begin only when the contact begins; after that the law applies. */
static real begins_with(const solving *v, const contact_ref *o, const impact_course *i)
{
	const bool pressed = v->s->pair[o->kind].jn[o->row] > 0;
	if (!(i->came < 0 && i->meets) || (i->resolved && pressed)) return NO_IMPACT;
	return scree_constraint_rebound(v, o, i->came, i->rigid, i->stiffness);
}

real scree_impact_mass(const solving *v, const constraint *r, const constraint_point *p)
{
	if (r->waits && r->impact_mass > 0) return r->impact_mass;
	return contact_share(&v->w->pair[r->ref.kind].contact, r->ref.row) < 1 ? r->mass_law : p->rigid;
}

/* Rebound within one step that does not resolve the contact, in m/s. Earlier steps, in which the contact was softer,
 * have removed part of the approach velocity; this part is included, up to the original approach velocity. */
static real at_once_of(const solving *v, const contact_ref *o, const impact_course *i, real begins)
{
	const pair_list *l = v->s->pair + o->kind;
	if (i->resolved || begins == NO_IMPACT) return NO_IMPACT;
	if (!i->steady || !(l->brought[o->row] > 0) || !is_alone(l, o->row, i)) return begins;
	return real_max(begins, restitution_of(v, o) * approach_of(l, o->row, i->mass));
}

/* Tests whether another contact of the pair is in an impact, for example at the ends of parallel capsules: a point that
 * appears then is not a separate spring. Losses in earlier steps, unchanged in this step, indicate an impact. */
static bool joins_impact(const pair_list *l, int64_t k)
{
	if (!l->rows) return false;
	const int64_t pair = l->slot[k];
	for (int32_t r = l->row[pair], end = r + slot_rows(l, pair); r < end; ++r)
		if (r != k && l->took[r] > 0) return true;
	return false;
}

/* component along the normal of the acceleration of a freely falling wall, in m/s^2 */
static real wall_falls(const solving *v, const contact_ref *o, vec3 normal)
{
	const int32_t k = scree_yielding_wall(v, o->kind, o->row);
	if (k < 0 || v->m->wall.row[k].motion.type != MOTION_FREE) return 0;
	const vec3 axis = v->m->wall.row[k].motion.axis;
	return v3_dot(v->m->gravity, axis) * v3_dot(axis, normal);
}

real scree_falls_apart(const solving *v, const contact_ref *o, vec3 normal)
{
	if (v->m->hard) return 0;
	const impulse_body *a = v->of->body + o->a, *b = v->of->body + o->b;
	const real g = v3_dot(v->m->gravity, normal), falls = a->inv_mass > 0 ? g : 0;
	if (pair_on_wall(o->kind)) return falls - wall_falls(v, o, normal);
	return falls - (b->inv_mass > 0 ? g : 0);
}

/* Rebound required at the time of the state; i->came: separation velocity then due to the earlier forces, in m/s. */
static impact_due due_now(const solving *v, const contact_ref *o, const impact_course *i, real begins)
{
	pair_list *l = v->s->pair + o->kind;
	const int64_t k = o->row;
	const real at_once = at_once_of(v, o, i, begins);
	if (i->came < 0) l->brought[k] = l->took[k] + i->mass / 2 * i->came * i->came;
	l->brought[k] = real_max(l->brought[k], l->took[k]);
	const real most = real_max(due_speed(v, o, i->came, i->mass), at_once);
	if (!i->steady) l->lasts[k] += l->lasts[k] < ROTATED ? ROTATED : 0;
	if (!i->ends || l->lasts[k] >= ENDED) return (impact_due){most, at_once, INFINITY};
	const real speed = least_speed(v, o, i);
	if (at_once > NO_IMPACT) return (impact_due){most, real_max(at_once, speed), INFINITY};
	const real error = MOST_ERROR * approach_of(l, k, i->mass) / (steps_of(l, k) + 1);
	const real adds = real_min(speed - i->came, real_max(i->goes - i->came, 0) + error);
	l->lasts[k] += ENDED;
	return (impact_due){most, speed, real_max(i->mass * (adds + real_max(i->came - i->had, 0)), 0)};
}

/* Hard contacts always follow the rule, since their springs return less. */
static impact_due due_of_hard(const solving *v, const contact_ref *o, const impact_course *i, real begins)
{
	forget(v->s->pair + o->kind, o->row);
	return (impact_due){INFINITY, i->resolved ? NO_IMPACT : begins, INFINITY};
}

/* Impulses act at the time of the state, and gravity acts half a step before and after it. So a bouncing ball keeps
 * the energy that its restitution prescribes, whatever the length of the steps. */
impact_due scree_impact_due(const solving *v, const contact_ref *o, const impact_course *i)
{
	const pair_list *l = v->s->pair + o->kind;
	const real begins = begins_with(v, o, i);
	if (v->m->hard) return due_of_hard(v, o, i, begins);
	if (begins == NO_IMPACT && !(l->brought[o->row] > 0))
		return (impact_due){joins_impact(l, o->row) ? 0 : INFINITY, NO_IMPACT, INFINITY};
	const real before = (v->tau - v->h / 2) * i->falls, after = v->h / 2 * i->falls;
	impact_course now = *i;
	now.came += before, now.had += before, now.goes += before;
	const bool starts = begins > NO_IMPACT;
	impact_due due = due_now(v, o, &now, starts ? real_max(-restitution_of(v, o) * now.came, 0) : NO_IMPACT);
	due.most = real_max(due.most + after, 0);
	if (due.rebound == NO_IMPACT) return due;
	due.rebound += after;
	if (starts) due.rebound = real_max(due.rebound, 0);
	return due;
}

void scree_impact_goes_on(const solving *v, const contact_ref *o, const impact_end *i)
{
	pair_list *l = v->s->pair + o->kind;
	const int64_t k = o->row;
	if (!(l->brought[k] > 0)) return;
	const real approach = approach_of(l, k, i->mass), least = SLOW * approach, none = NONE * approach;
	const real due = REBOUNDS * due_speed(v, o, i->came, i->mass);
	const bool slow = i->goes < real_max(due, least);
	const real periods =
		(l->lasts[k] < ENDED ? steps_of(l, k) : ENDED) * v->h / scree_constraint_period(i->rigid, i->stiffness);
	if ((slow && periods > MOST_PERIODS) || (i->came > none && i->goes < -none)) forget(l, k);
}

bool scree_impact_was_central(const solving *v, const contact_ref *o)
{
	const pair_list *l = v->s->pair + o->kind;
	return l->took[o->row] > 0 && l->lasts[o->row] < ROTATED;
}

void scree_impact_forget(const solving *v, const contact_ref *o) { forget(v->s->pair + o->kind, o->row); }
