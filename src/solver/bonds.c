/* bonds: bonds between spheres in implicit steps (docs/theory/implicit.md, "Bonds").
 *
 * The springs of a bond are linear until it breaks. The springs respond to the mean of the positions before and after
 * the step, q + h/2 (u - v), with the velocities v before the step and u after it; the dashpots respond to (u + v)/2.
 * Without damping, the energy of the bodies between two steps plus the mean of the springs' energies before and after
 * is constant. A new bond responds to q + h u and dissipates energy. For two spheres, stretch and torsion decouple, and
 * shear and bending form a problem with two unknowns in each direction, so relaxing a bond once is exact. */
#include "solver/constraints.h"

#include "base/parallel.h"
#include "kernel/bond.h"
#include "kernel/sphere_contact.h"
#include "state/bonds.h"

static const bond_rule *rule_of(const solving *v, const contact_ref *o)
{
	return &v->m->material.rule[scree_constraint_materials(v, o)].bond;
}

/* ------------------------------------------------------------------ set up */

/* velocity of the centre of a relative to the centre of b before the step, in m/s */
static vec3 came_of(const solving *v, const constraint *r)
{
	const velocity_pair *t = v->of->before;
	const vec3 moves = v3_add(r->moves, scree_constraint_pull(v, &r->ref));
	return v3_sub(v3_sub(t[r->ref.a].linear, t[r->ref.b].linear), moves);
}

/* Motion of a relative to b before the step, which brought the bodies to their present positions. apart: vector from
 * the centre of b to the centre of a at any time during that motion, in m */
static bond_motion motion_of(const solving *v, const constraint *r, vec3 apart)
{
	const velocity_pair *t = v->of->before;
	const real *round = v->s->body.round;
	const sphere_contact at = sphere_contact_of(apart, round[r->ref.a], round[r->ref.b]);
	return bond_motion_of(at.normal, at.at, v3_norm(apart), came_of(v, r), apart, t[r->ref.a].angular,
						  t[r->ref.b].angular);
}

/* Returns the springs at the time of the state. The history stores those at the start of the last displacement. */
static bond_springs springs_now(const solving *v, const constraint *r, const constraint_bond *o, vec3 apart)
{
	const bond_springs had = bond_springs_of(v->s->pair + r->ref.kind, r->ref.row);
	if (o->begins) return had;
	const bond_motion middle = motion_of(v, r, v3_madd(apart, -v->h / 2, came_of(v, r)));
	return bond_moved(had, &middle, r->normal, v->h);
}

/* Weight of the velocities after the step in the strain to which the springs respond. */
static real after_of(const constraint_bond *o) { return o->begins ? 1 : (real)0.5; }

/* compliance of a spring and its dashpot, in 1/kg or 1/(kg m^2) */
static real compliance(const solving *v, const constraint_bond *o, real spring, real dashpot)
{
	return 1 / (after_of(o) * v->tau * (v->h * spring + dashpot));
}

/* negative of the velocity after the step, in m/s or rad/s, at which the spring gives no impulse. bent: strain before
 * the step, in m or rad; came: velocity before the step */
static vec3 goal_of(const solving *v, const constraint_bond *o, real spring, real dashpot, vec3 bent, vec3 came)
{
	const real goes = v->h * spring, after = after_of(o);
	const vec3 force = v3_madd(v3_mul(spring, bent), (1 - after) * (dashpot - goes), came);
	return v3_mul(1 / (after * (goes + dashpot)), force);
}

static vec3 along(vec3 x, vec3 n) { return v3_mul(v3_dot(x, n), n); }

static void set_springs(const solving *v, const constraint *r, constraint_bond *o)
{
	const bond_form *f = &o->form;
	const vec3 n = r->normal, slides = bond_across(o->came.linear, n), rolls = bond_across(o->came.angular, n);
	o->soft_along = compliance(v, o, f->along, f->along_dashpot);
	o->soft_across = compliance(v, o, f->across, f->across_dashpot);
	o->soft_bends = compliance(v, o, f->bends, f->bends_dashpot);
	o->goal = v3_add(goal_of(v, o, f->along, f->along_dashpot, v3_mul(o->stretch, n), along(o->came.linear, n)),
					 goal_of(v, o, f->across, f->across_dashpot, o->now.shear, slides));
	o->turn_goal = goal_of(v, o, f->bends, f->bends_dashpot, bond_across(o->now.turn, n), rolls);
	o->soft_twists = 0;
	if (!(f->polar > 0)) return;
	o->soft_twists = compliance(v, o, f->twists, f->twists_dashpot);
	o->turn_goal = v3_add(
		o->turn_goal, goal_of(v, o, f->twists, f->twists_dashpot, along(o->now.turn, n), along(o->came.angular, n)));
}

/* Bodies in a 2D world rotate only about z. */
static void set_responses(const solving *v, const constraint *r, constraint_bond *o)
{
	const impulse_body *a = v->of->body + r->ref.a, *b = v->of->body + r->ref.b;
	const real to_a = -v3_dot(r->arm_a, r->normal), to_b = v3_dot(r->arm_b, r->normal);
	o->push = a->inv_mass + b->inv_mass;
	o->turn = a->inv_z + b->inv_z;
	o->tilt = b->inv_z * to_b - a->inv_z * to_a;
	o->slide = o->push + a->inv_z * to_a * to_a + b->inv_z * to_b * to_b;
}

/* initial impulse for the sweeps, from the springs and the velocities before the step, in N s and N m s */
static void guess(const solving *v, const constraint *r, constraint_bond *o)
{
	const bond_motion still = {.normal = r->normal,
							   .at = v3(0, 0, 0),
							   .velocity = o->came.linear,
							   .spin = o->came.angular,
							   .distance = o->stretch + o->length};
	const bond_result b = bond_act(&o->form, &still, &o->now, o->length);
	o->force = v3_mul(v->tau, b.force);
	o->torque = v3_mul(v->tau, b.torque); /* moment about the point where the bond acts */
}

void scree_bond_set(const solving *v, constraint *r, vec3 apart)
{
	const pair_list *l = v->s->pair + r->ref.kind;
	constraint_bond *o = v->of->bond + r->bond;
	const int64_t k = r->ref.row;
	const bond_motion motion = motion_of(v, r, apart);
	*o = (constraint_bond){.length = l->bond_length[k]};
	o->form = scree_bond_form(v->m, v->s, k);
	o->begins = !v->w->ahead.drifted || l->bond_held[k] < 0;
	o->came = (velocity_pair){motion.velocity, motion.spin};
	o->stretch = motion.distance - o->length;
	o->now = springs_now(v, r, o, apart);
	set_springs(v, r, o);
	set_responses(v, r, o);
	guess(v, r, o);
}

/* ------------------------------------------------------------------ sweeps */

static void push(const solving *v, const constraint *r, constraint_bond *o, vec3 force, vec3 torque)
{
	constraint_push(v, r, force, r->arm_a, r->arm_b, torque);
	o->force = v3_add(o->force, force);
	o->torque = v3_add(o->torque, torque);
}

/* size of an impulse and a moment, in N s */
static real size_of(const constraint_bond *o, vec3 force, vec3 torque)
{
	return v3_norm(force) + v3_norm(torque) / o->form.radius;
}

void scree_bond_push(const solving *v, const constraint *r)
{
	const constraint_bond *o = v->of->bond + r->bond;
	constraint_push(v, r, o->force, r->arm_a, r->arm_b, o->torque);
}

real scree_bond_size(const solving *v, const constraint *r)
{
	const constraint_bond *o = v->of->bond + r->bond;
	return size_of(o, o->force, o->torque);
}

/* An impulse and a moment on a, or the changes in velocity and angular velocity of a. */
typedef struct bond_wrench {
	vec3 force, torque;
} bond_wrench;

/* Solves for the impulses of the springs; rest: the velocities to remove. Moments perpendicular to the normal are
 * written as n x g, where g and the perpendicular force affect each other only if they are in the same direction. */
static bond_wrench solve(const constraint_bond *o, vec3 n, const bond_wrench *rest)
{
	const real p = o->slide + o->soft_across, q = o->tilt, s = o->turn + o->soft_bends, whole = p * s - q * q;
	const vec3 a = bond_across(rest->force, n), b = v3_cross(rest->torque, n);
	const vec3 f = v3_mul(1 / whole, v3_madd(v3_mul(s, a), -q, b)), g = v3_mul(1 / whole, v3_madd(v3_mul(p, b), -q, a));
	bond_wrench to = {v3_madd(f, v3_dot(rest->force, n) / (o->push + o->soft_along), n), v3_cross(n, g)};
	if (o->soft_twists > 0) to.torque = v3_madd(to.torque, v3_dot(rest->torque, n) / (o->turn + o->soft_twists), n);
	return to;
}

void scree_bond_relax(const solving *v, const constraint *r, real over, real *change)
{
	constraint_bond *o = v->of->bond + r->bond;
	const vec3 n = r->normal;
	vec3 force = v3_sub(o->last_force, o->force), torque = v3_sub(o->last_torque, o->torque);
	if (!o->breaks) {
		const vec3 u = v3_add(slip_at(v->of, r, r->arm_a, r->arm_b), o->goal);
		const vec3 w = v3_add(spin_at(v->of, r), o->turn_goal);
		const vec3 give =
			v3_madd(v3_mul(o->soft_across, o->force), (o->soft_along - o->soft_across) * v3_dot(o->force, n), n);
		const vec3 turn =
			v3_madd(v3_mul(o->soft_bends, o->torque), (o->soft_twists - o->soft_bends) * v3_dot(o->torque, n), n);
		const bond_wrench rest = {v3_add(u, give), v3_add(w, turn)}, by = solve(o, n, &rest);
		force = v3_mul(-over, by.force), torque = v3_mul(-over, by.torque);
	}
	*change += size_of(o, force, torque);
	push(v, r, o, force, torque);
}

/* ------------------------------------------------------------------ breakage */

typedef struct bond_strain {
	real stretch; /* m */
	bond_springs springs;
} bond_strain;

/* Strain after a further time `by`, in s, at these velocities. */
static bond_strain strain_at(const constraint_bond *o, vec3 n, real by, vec3 u, vec3 w)
{
	bond_strain s = {o->stretch + by * v3_dot(u, n), o->now};
	s.springs.shear = v3_madd(s.springs.shear, by, bond_across(u, n));
	s.springs.turn = v3_madd(s.springs.turn, by, w);
	return s;
}

static bond_strain between(const bond_strain *a, const bond_strain *b, real part)
{
	bond_strain s = {a->stretch + part * (b->stretch - a->stretch), a->springs};
	s.springs.shear = v3_madd(s.springs.shear, part, v3_sub(b->springs.shear, a->springs.shear));
	s.springs.turn = v3_madd(s.springs.turn, part, v3_sub(b->springs.turn, a->springs.turn));
	return s;
}

static bond_load load_of(const constraint_bond *o, vec3 n, const bond_strain *s)
{
	return bond_load_of(&o->form, n, s->stretch, &s->springs);
}

static bool withstands(const solving *v, const constraint *r, const constraint_bond *o, const bond_strain *s)
{
	const bond_rule *rule = rule_of(v, &r->ref);
	const real strength = v->s->pair[r->ref.kind].bond_strength[r->ref.row];
	const bond_load load = load_of(o, r->normal, s);
	return !(load.tension > strength * rule->tension || load.shear > strength * rule->shear);
}

/* Returns the strain, between two given strains, at which the bond breaks. */
static bond_strain breaking(const solving *v, const constraint *r, const constraint_bond *o, const bond_strain *from,
							const bond_strain *to)
{
	enum { HALVES = 40 };
	real low = 0, high = 1;
	for (int k = 0; k < HALVES; ++k) {
		const real middle = (low + high) / 2;
		const bond_strain s = between(from, to, middle);
		if (withstands(v, r, o, &s))
			low = middle;
		else
			high = middle;
	}
	return between(from, to, high);
}

/* N, N m: of the springs */
static bond_wrench pull_of(const bond_form *f, vec3 n, const bond_strain *s)
{
	const vec3 shear = v3_mul(-f->across, s->springs.shear), bend = v3_mul(-f->bends, bond_across(s->springs.turn, n));
	return (bond_wrench){v3_madd(shear, -f->along * s->stretch, n),
						 v3_madd(bend, -f->twists * v3_dot(s->springs.turn, n), n)};
}

/* Changes in the velocities of a relative to b due to an impulse of the bond. */
static bond_wrench responds(const constraint_bond *o, vec3 n, vec3 force, vec3 torque)
{
	const vec3 f = bond_across(force, n), g = v3_cross(torque, n);
	const vec3 slides = v3_madd(v3_mul(o->slide, f), o->tilt, g), turns = v3_madd(v3_mul(o->tilt, f), o->turn, g);
	return (bond_wrench){v3_madd(slides, o->push * v3_dot(force, n), n),
						 v3_madd(v3_cross(n, turns), o->turn * v3_dot(torque, n), n)};
}

static real work_of(vec3 force, vec3 torque, vec3 u, vec3 w) { return v3_dot(force, u) + v3_dot(torque, w); }

/* time, in s, in which a pull takes this energy, in J, from separating bodies: the smaller root of square/2 t^2 +
 * line t + energy = 0, or the time at which they stop */
static real lasts(real square, real line, real energy)
{
	const real whole = line * line - 2 * square * energy;
	if (energy > 0 && !(line < 0)) return 0;
	if (!(whole > 0)) return -line / square;
	return -2 * energy / (line + (line < 0 ? -sqrt(whole) : sqrt(whole)));
}

/* mean of the energies at both ends of the last displacement, in J */
static real held_before(const solving *v, const constraint *r, const constraint_bond *o)
{
	const vec3 n = r->normal;
	const bond_strain was = strain_at(o, n, -v->h, o->came.linear, o->came.angular);
	const bond_strain is = strain_at(o, n, 0, o->came.linear, o->came.angular);
	return (load_of(o, n, &was).held + load_of(o, n, &is).held) / 2;
}

/* In the step in which a bond breaks, its impulse takes from the bodies the energy of the bond at its strength, minus
 * the energy that the bond stored before. This impulse acts along the mean pull during the step. */
static void end_at(const solving *v, const constraint *r, constraint_bond *o, const bond_strain *from,
				   const bond_strain *at)
{
	const vec3 n = r->normal, u = slip_at(v->of, r, r->arm_a, r->arm_b), w = spin_at(v->of, r);
	const bond_strain mean = between(from, at, (real)0.5);
	const bond_wrench pull = pull_of(&o->form, n, &mean), by = responds(o, n, pull.force, pull.torque);
	const bond_wrench has = responds(o, n, o->force, o->torque);
	const vec3 slides = v3_add(o->came.linear, v3_sub(u, has.force));
	const vec3 turns = v3_add(o->came.angular, v3_sub(w, has.torque));
	const real square = work_of(pull.force, pull.torque, by.force, by.torque);
	const real takes = load_of(o, n, at).held - held_before(v, r, o);
	const real line = work_of(pull.force, pull.torque, slides, turns) / 2,
			   time = square > 0 ? lasts(square, line, takes) : 0;
	o->breaks = true;
	o->last_force = v3_mul(time, pull.force);
	o->last_torque = v3_mul(time, pull.torque);
}

bool scree_bond_breaks(const solving *v, const constraint *r)
{
	constraint_bond *o = v->of->bond + r->bond;
	if (o->breaks || !v->w->ahead.drifted) return false;
	const vec3 n = r->normal, u = slip_at(v->of, r, r->arm_a, r->arm_b);
	const bond_strain to = strain_at(o, n, v->h / 2, u, spin_at(v->of, r));
	if (withstands(v, r, o, &to)) return false;
	const bond_strain from = strain_at(o, n, -v->h / 2, o->came.linear, o->came.angular);
	const bond_strain at = breaking(v, r, o, &from, &to);
	end_at(v, r, o, &from, &at);
	return true;
}

/* ------------------------------------------------------------------ results */

static contact_works works_of(const constraint_bond *o, vec3 n, vec3 slip, vec3 spin)
{
	const real normal = v3_dot(o->force, n) * v3_dot(slip, n);
	return (contact_works){normal, v3_dot(o->force, slip) - normal, v3_dot(o->torque, spin)};
}

/* losses in dashpots, from the mean of the velocities before and after the step, in J */
static void add_heat(const solving *v, const constraint_bond *o, vec3 n, vec3 u, vec3 w, bond_outcome *to)
{
	const bond_form *f = &o->form;
	const vec3 slides = v3_mul((real)0.5, v3_add(o->came.linear, u)),
			   turns = v3_mul((real)0.5, v3_add(o->came.angular, w));
	const vec3 across = bond_across(slides, n), rolls = bond_across(turns, n);
	const real twists = v3_dot(turns, n);
	to->friction = v->tau * f->across_dashpot * v3_norm2(across);
	to->rolling = v->tau * (f->bends_dashpot * v3_norm2(rolls) + f->twists_dashpot * twists * twists);
}

void scree_bond_outcome(const solving *v, const constraint *r, vec3 had, vec3 spin, contact_outcome *to)
{
	const constraint_bond *o = v->of->bond + r->bond;
	const vec3 n = r->normal, u = slip_at(v->of, r, r->arm_a, r->arm_b), w = spin_at(v->of, r);
	const bond_strain ends = strain_at(o, n, v->h, u, w), now = strain_at(o, n, 0, u, w);
	bond_outcome *b = &to->bond;
	const bool first = !v->w->ahead.drifted;
	*b = (bond_outcome){.acts = true, .breaks = o->breaks, .springs = o->now};
	b->before = works_of(o, n, had, spin);
	b->after = works_of(o, n, u, w);
	b->held = load_of(o, n, &now).held;
	if (!first) b->held = (b->held + load_of(o, n, &ends).held) / 2;
	if (!first && !o->breaks) add_heat(v, o, n, u, w, b);
	b->pressed = v3_dot(o->force, n);
	to->impulse = v3_add(to->impulse, o->force);
	to->torque = v3_add(to->torque, v3_add(o->torque, v3_cross(r->arm_a, o->force)));
}
