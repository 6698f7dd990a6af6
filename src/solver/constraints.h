/* constraints.h: the contacts of an implicit step in the form used by the solver; private to src/solver. */
#ifndef SCREE_SOLVER_CONSTRAINTS_H
#define SCREE_SOLVER_CONSTRAINTS_H

#include "base/fixed.h"
#include "base/parallel.h"
#include "kernel/bond.h"
#include "kernel/contact_constants.h"
#include "kernel/impulse.h"
#include "kernel/law_constants.h"
#include "kernel/slider.h"
#include "model/model.h"
#include "solver/ball_rows.h"
#include "solver/colours.h"
#include "solver/friction_springs.h"
#include "solver/plane_patches.h"
#include "solver/space_patches.h"
#include "state/state.h"
#include "work/ways_ahead.h"
#include "work/work.h"
#include "world/row_apart.h"
#include "world/world.h"

enum { CONSTRAINTS_GRAIN = 32 };

/* One point of a contact. */
typedef struct constraint_point {
	vec3 arm_a, arm_b; /* m, from the centres */
	real impulse;	   /* impulse on a along the normal, in N s */
	real goal;		   /* m/s */
	real soft;		   /* compliance divided by the square of the step, in 1/kg; 0 if rigid */
	real mass, rigid;  /* 1/(response + soft) and 1/response, in kg */
	real meets;		   /* separation velocity above which the point carries no load, in m/s */
	real rebound;	   /* least rebound velocity in m/s; NO_IMPACT if there is no impact */
	real limit;		   /* limit on the impulse for that rebound, in N s */
	real reaches;	   /* overlap, in m, to which the force responds if the bodies do not separate in the step */
	real had, came;	   /* separation velocities in m/s, predicted and before the step */
	real weight;
	real dashpot; /* kg/s */
	real about;	  /* overlap about which the law is linearized, in m */
	real moves;	  /* velocity of b's surface along the normal in addition to its body's, in m/s */
	bool pressed; /* whether constraint_patch.c assumes that the point is loaded */
} constraint_point;

/* A contact of this step: either a row of balls or a constraint. */
typedef struct contact_ref {
	int32_t kind; /* kind of the pair */
	int32_t a, b; /* rows of impulse bodies; for a wall b is the last row, which has no mass */
	int32_t full; /* row of the constraint; -1 for a row of balls */
	int32_t at;	  /* the lane of a tile for a row of balls, otherwise the position of the constraint in sweeps */
	int64_t row;  /* row in the list of this kind */
} contact_ref;

/* Limits on rolling or torsion in a contact. */
typedef struct turning_limit {
	real lever;		/* ratio of the largest couple to the normal force, in m */
	real stiffness; /* N m; 0: no spring */
	real soft;		/* compliance divided by the square of the step, in 1/(kg m^2); 0 if rigid */
	real mass;		/* upper limit of 1/(response + soft), in kg m^2 */
} turning_limit;

/* Attraction: a pull along the normal at the friction point while surfaces adhere; springs push, with impulses >= 0. */
typedef struct attraction {
	int32_t kind;	  /* cohesion_kind */
	bool touched;	  /* whether the surfaces touched at the end of the last step */
	bool held;		  /* now */
	int32_t changes;  /* number of changes of `held` in this solution */
	real most, given; /* pull while the surfaces adhere, and present pull on the bodies, in N s */
	real press;		  /* pressure on the surfaces for friction in addition to the impulses of springs, in N s */
	real per_overlap; /* N s/m: pull of `simple` */
	real end;		  /* overlap in m where adhesion ends, at most 0; the overlaps of points are measured from there */
	real length;	  /* a0^2/R in the JKR law, in m; 0 if the springs follow the law without cohesion */
	real least;		  /* least overlap about which springs are linearized, in m */
} attraction;

typedef struct constraint {
	contact_ref ref;
	int32_t points; /* number of points; the last point of a patch is for its impact */
	int64_t first;	/* row of the contact's first point */
	vec3 normal;
	vec3 moves;		   /* velocity of b's surface in addition to its body's, in m/s, for walls and sheared images */
	vec3 spins;		   /* 1/s, of a wall */
	vec3 arm_a, arm_b; /* m: where friction acts */
	friction_block block;
	vec3 friction, start;	/* friction on a in the block now, and friction that would end all slip, in N s */
	real scale;				/* scale of the stiffness along the surface, as in the history; 0 if there are no springs */
	friction_spring spring; /* at this scale */
	vec3 turning, bent;		/* couples of rolling and torsion on a, in N m s: present, and of springs at the start */
	turning_limit roll, twist;
	attraction pull;
	real rub;			   /* coefficient of friction */
	real radius, mass_law; /* radius (m) and mass (kg) for the law */
	real part, share;	   /* fraction of the stiffness, and each point's share */
	real after;			   /* weight of the velocities after the step in the overlap for which the force is computed */
	real small;			   /* radius of the smaller body, in m */
	const law_constants *of;
	int32_t law;
	bool curved;	  /* whether the stiffness depends on the overlap */
	bool resolved;	  /* whether the step resolves the contact */
	bool waits;		  /* whether the contact waits for others of its pair (constraint_set.c) */
	bool agrees;	  /* whether the step resolves all contacts of the pair */
	real stiffness;	  /* stiffness of a waiting contact, in N/m */
	real impact_mass; /* mass of a waiting contact, in kg; 0 for the usual mass */
	contact_constants constants;
	int32_t bond;	/* -1: none */
	int32_t packed; /* row in space_patches; -1: none */
} constraint;

/* The bond between two spheres. Forces and torques are impulses on a, at and about the point of the contact. */
typedef struct constraint_bond {
	bond_form form;
	real length;				  /* m */
	real stretch;				  /* stretch at the time of the state, in m */
	bond_springs now;			  /* at that time */
	bool begins;				  /* whether the bond is new and did not act in the last step */
	velocity_pair came;			  /* velocities of a relative to b before the step, in m/s and rad/s */
	vec3 goal, turn_goal;		  /* m/s, rad/s */
	real soft_along, soft_across; /* compliances divided by the square of the step, in 1/kg */
	real soft_bends, soft_twists; /* 1/(kg m^2); no torsion in the plane, where soft_twists is 0 */
	real push, slide, tilt, turn; /* responses of both bodies, in 1/kg, 1/kg, 1/(kg m) and 1/(kg m^2) */
	vec3 force, torque;			  /* N s, N m s */
	bool breaks;				  /* whether the bond breaks in this step */
	vec3 last_force, last_torque; /* impulses if the bond breaks */
} constraint_bond;

/* A wall that is moved by forces (yielding_walls.c). */
typedef struct yielding {
	bool yields;	  /* its motion acts */
	real before, now; /* speed before the step, and speed after it as found so far, in m/s or rad/s */
	real low, high;	  /* bounds on `now` in this sweep */
} yielding;

struct constraints {
	int64_t count, capacity; /* contacts */
	contact_ref *ref;
	int64_t fulls, full_capacity, points, point_capacity;
	constraint *row;		 /* [fulls] */
	constraint_point *point; /* [points] */
	int64_t bonds, bond_capacity;
	constraint_bond *bond; /* [bonds] */
	plane_patches plane;   /* [fulls] in the order of sweeps; unused in space */
	space_patches space;
	colouring colours;	/* the `row` of an item is its contact; in the last block contacts in tiles are first */
	int64_t everywhere; /* contacts in all parts of the world; those shared by two parts count twice */
	int64_t bodies;		/* room */
	impulse_body *body; /* [bodies + 1 + walls] a row without mass follows bodies, then walls that yield */
	velocity_pair *before, *aim; /* [as body] bodies before the step, and at the poses where contacts were found */
	bool yields;				 /* whether any wall may yield */
	int32_t walls, wall_threads; /* room */
	yielding *wall;				 /* [walls] */
	fixed *wall_sum;			 /* [threads][walls] sums over the contacts of a wall */
	int64_t on_walls, on_wall_capacity;
	int64_t *on_wall;			 /* [on_walls] rows of contacts with walls that yield */
	int32_t *of_row[PAIR_KINDS]; /* [rows of the list] contact of a contact row, plus 1; 0 if none */
	int64_t rows[PAIR_KINDS];	 /* room */
	ball_rows balls;			 /* contacts of balls */
	int32_t sweeps;				 /* number of sweeps in this step */
	bool capped;				 /* whether a solution in this step reached the largest number of sweeps */
	bool finite;				 /* whether velocities before the step and all forces are finite in all parts */
	real moving;				 /* sum of the magnitudes of the momenta before the step, in N s */
	real pressed;				 /* N s: all normal impulses */
	real left;					 /* fraction of all impulses that further sweeps would change */
};

/* The present step. */
typedef struct solving {
	const model *m;
	state *s;
	work *w;
	struct constraints *of;
	real h, tau;   /* duration of the displacement, and duration of the impulse, in s */
	real gravity;  /* m/s^2 */
	real more;	   /* more_ahead in m (work/ways_ahead.h) */
	bool first;	   /* first solution of the step, in which contacts start with their last impulses */
	real over;	   /* over-relaxation of contacts with one point in this sweep */
	int64_t from;  /* first row of the loop */
	bool on_walls; /* whether to relax contacts with walls that yield, rather than all others */
	fixed changed[SCREE_MOST_THREADS], all[SCREE_MOST_THREADS];	  /* N s */
	fixed momenta[SCREE_MOST_THREADS], given[SCREE_MOST_THREADS]; /* momenta of bodies, and due to gravity, in N s */
	fixed outer[SCREE_MOST_THREADS][OUTER_SUMS];				  /* work of external forces (work/joint.h) */
} solving;

/* Hard contacts: compliance relative to the compliance of their mass in a step, and stiffness along the surface
 * relative to the stiffness along the normal. At the ends of a clump, a contact moves a quarter of the clump's mass.
 * The points of a patch share one overlap: if they were stiffer, errors left by the sweeps would keep bodies rocking.
 * Points resist tilt at a distance that is larger by this factor, since sliding makes bodies rock. */
static const real HARD_GIVE = (real)0.025, HARD_SEVERAL_GIVE = (real)0.1, HARD_PATCH_GIVE = (real)0.2;
/* compliance of creeping bodies relative to others, which only affects the number of steps they take to separate */
static const real CREEPING_GIVE = (real)0.25;
static const real HARD_SHEAR = 1, HARD_PATCH_SHEAR = (real)0.4, HARD_TILT = 2;

/* most relaxations of a patch per sweep, and the fraction of the first change above which it is relaxed again */
enum { ROUNDS = 10 };
static const real ROUND_PART = (real)0.1;

static const real NO_IMPACT = (real)-1e300; /* constraint_point.rebound without an impact */
/* impacts are faster than a free fall during this number of steps and during this fraction of a contact's period */
static const real IMPACT_STEPS = 4, IMPACT_PERIODS = (real)0.3;
static const real CONSTRAINT_LEAST = (real)1e-5; /* least overlap for linearized springs, as a fraction of the radius */

void scree_constraints_free(struct constraints *c);

/* constraint_terms.c: tests whether the two bodies of a contact are bonded. */
bool scree_constraint_bonded(const solving *v, const contact_ref *o);
/* Returns the yielding wall of this contact row; -1 if there is none. */
int32_t scree_yielding_wall(const solving *v, int kind, int64_t row);
/* vector, in m, from the reference point of a wall's contact arms to the body's centre; 0 if they coincide */
vec3 scree_yielding_offset(const solving *v, int32_t wall, vec3 body);
/* Velocities of a contact's wall at the body's centre: at the time of the state, and as the mean of both ends of the
 * step; with the mean, sticking bodies move as far as the wall. */
velocity_pair scree_constraint_wall_now(const solving *v, const contact_ref *o);
velocity_pair scree_constraint_wall_mean(const solving *v, const contact_ref *o);
/* Returns the row of the pair of materials. */
int32_t scree_constraint_materials(const solving *v, const contact_ref *o);
/* Tests whether the step resolves the oscillation of `rigid` kg on this stiffness. If so, the contact responds to the
 * overlap for the mean of the velocities before and after the step (second order), and the law gives the rebound. */
bool scree_constraint_resolved(const solving *v, real rigid, real stiffness);
const law_constants *scree_constraint_constants(const solving *v, const contact_ref *o);
/* Restitution under Newton's rule, for impacts that the step does not resolve and that are faster than gravity or the
 * contact's last force could make them; otherwise NO_IMPACT. came: separation velocity before the step, in m/s */
real scree_constraint_rebound(const solving *v, const contact_ref *o, real came, real rigid, real stiffness);
/* stiffness of all springs along the normal, about the present overlaps, in N/m */
real scree_constraint_stiffness(const solving *v, const constraint *r);
/* period, in s, at which `rigid` kg oscillate on this stiffness */
real scree_constraint_period(real rigid, real stiffness);
/* relative velocity before the step due to a cell that changes size, in m/s; only for bodies at present poses */
vec3 scree_constraint_pull(const solving *v, const contact_ref *o);
/* constraint_bodies.c */
void scree_constraints_bodies(solving *v);
void scree_constraints_move_freely(solving *v);
void scree_constraints_forces(solving *v);
/* The first numbers of bodies, for example their velocities, in columns. */
enum { BODY_VELOCITIES = 6 };
body_columns scree_constraints_columns(const struct constraints *c, int32_t count);
/* yielding_walls.c: sets up the walls before the step. */
void scree_yielding_begin(const solving *v);
/* The first function sets wall speeds from the initial impulses; the second finds speeds at which walls and their
 * contacts agree, by relaxing the contacts at several speeds. */
void scree_yielding_first(const solving *v);
void scree_yielding_relax(const solving *v, void (*again)(solving *v), solving *by);
/* Sets the velocities of walls at the time of the state from the impulses found. */
void scree_yielding_end(const solving *v);
/* At the start: sets the velocities before the first step, once the contacts have been accounted for. */
void scree_yielding_start(const solving *v);
void scree_yielding_free(struct constraints *c);
/* constraint_list.c: adds rows that touch at predicted poses and are not in the list. depth: least overlap of new rows
 * relative to the smaller radius; 0 begins a step. Returns the number added in all parts; this part's new contacts are
 * last. */
int64_t scree_constraints_add(solving *v, real depth);
/* Work of an impulse and its couples on two moving bodies, in N m; `rolling` includes twisting. */
typedef struct contact_works {
	real normal, friction, rolling;
} contact_works;

/* The effect of a bond in one step. */
typedef struct bond_outcome {
	bool acts, breaks;			 /* whether there is a bond, and whether the bond breaks */
	real pressed;				 /* impulse on a along the normal, in N s */
	contact_works before, after; /* work at the velocities before and after the step */
	real held;					 /* mean energy of both ends of the step in J; at the start, the present energy */
	real friction, rolling;		 /* energy taken by the dashpots of shear, and by those of bending and torsion, in J */
	bond_springs springs;		 /* springs at the time of the state */
} bond_outcome;

/* Data that decide whether an impact continues after a step. */
typedef struct impact_end {
	real came, goes;  /* separation velocity before and after the step, in m/s */
	real mass, rigid; /* as in impact_course, in kg */
	real stiffness;	  /* N/m */
} impact_end;

/* The effect of a contact in one step. */
typedef struct contact_outcome {
	real pressed, pull;	  /* impulses of springs and of attraction, in N s */
	bool held;			  /* by attraction */
	bool bridged;		  /* whether the contact follows a law with liquid bridges */
	vec3 impulse, torque; /* impulse on a and torque about its centre, in N s and N m s */
	vec3 friction, couple,
		moment; /* contributions to impulse and torque: the impulse perpendicular to the normal; the couple of friction,
				   rolling and twisting; the moment of the springs' impulses about the point of friction */
	contact_works before, after; /* work at the velocities before and after the step */
	real depth, elastic;		 /* overlap (m) and energy (J) at the end of the step */
	real damped;				 /* loss along the normal due to dashpots or the restitution of an impact, in J */
	bool by_rule;				 /* whether Newton's rule removes energy from an approach */
	bool whole;					 /* with attraction: whether the whole loss is due to the law */
	real scale;					 /* tangential stiffness at the end of the step; 0 if there are no springs */
	slip sheared;				 /* spring along the surface at that time, in m */
	real bent;					 /* J: its energy */
	real small;					 /* radius of the smaller body, in m */
	vec3 moves;					 /* velocity of b's surface in addition to its body's, in m/s */
	bool turns;					 /* whether the contact has springs for rolling and torsion */
	vec3 turning, rolled;		 /* couple (N m s) and angles (rad) of these springs */
	real twisted, rolls, twists; /* rad, J, J */
	impact_end impact;
	bond_outcome bond;
} contact_outcome;

/* Loss in J according to the law of the material (docs/theory/implicit.md, "Energy"). The first function is for an
 * impact under Newton's rule (came, rebound: velocities in m/s, before the impact and required after it); the other is
 * for a dashpot with this coefficient, in N s per m/s, whose velocity changes linearly in the step. */
SCREE_FN real lost_by_impact(real impulse, real came, real rebound) { return -impulse * (came + rebound) / 2; }
/* Tests whether Newton's rule removes energy: at the end of a long impact the rule may return only spring energy. */
SCREE_FN bool is_slowed(real came, real rebound) { return came < -(real)(1 + 1e-6) * rebound; }
/* Tests whether an impulse exceeds rounding: bodies that separate as fast as allowed have no impulse. */
SCREE_FN bool is_impulse(real impulse, real rigid, real had) { return impulse > (real)1e-9 * rigid * real_abs(had); }
/* Tests whether springs and dashpots act: a contact that they just pushed apart has this speed up to rounding. */
SCREE_FN bool is_below_gap(real has, real meets) { return has < meets + (real)1e-6 * real_abs(meets); }
SCREE_FN real lost_by_dashpot(real dashpot, real had, real has)
{
	return dashpot * (had * had + had * has + has * has) / 3;
}

/* constraint_set.c: sets up constraints, starting at this row. */
void scree_constraints_set(solving *v, int64_t from);
/* ball_contacts.c: sets up a row of balls, and computes the effect of its impulses */
void scree_ball_row_set(const solving *v, const contact_ref *o);
contact_outcome scree_ball_outcome(const solving *v, const contact_ref *o);
/* separation velocity towards the predicted poses, in m/s, from the velocities of that motion and before the step */
SCREE_FN real going_ahead(const solving *v, real went, real came)
{
	const real after = v->m->after;
	return (went + (1 - after) * came) / after;
}

/* impacts.c: separation along the normal, from b to a, due to gravity, in m/s^2; 0 for hard contacts */
real scree_falls_apart(const solving *v, const contact_ref *o, vec3 normal);
/* The state of a contact before a step, along its normal. */
typedef struct impact_course {
	real falls;		  /* m/s^2: scree_falls_apart */
	real came, had;	  /* separation velocities before the step, and towards the predicted poses, in m/s */
	real rigid, mass; /* 1/response of the bodies, and this contact's share of that mass, in kg */
	real stiffness;	  /* N/m */
	real goes;		  /* separation velocity after the step according to the law, in m/s */
	bool meets, ends; /* whether bodies are predicted to overlap, with gravity, and to be apart after the step */
	bool steady;	  /* whether only the overlap of the contact changes while the bodies move */
	bool resolved;	  /* scree_constraint_resolved */
} impact_course;

/* largest separation velocity under load, least separation velocity (both m/s); largest impulse for the latter (N s) */
typedef struct impact_due {
	real most, rebound, limit;
} impact_due;

/* The restitution required in this step, in which an impact begins or continues. */
impact_due scree_impact_due(const solving *v, const contact_ref *o, const impact_course *i);
/* impact_course.mass at the point of impact, in kg */
real scree_impact_mass(const solving *v, const constraint *r, const constraint_point *p);
/* After the step: ends an impact in which the bodies approach again, or which lasts too long. */
void scree_impact_goes_on(const solving *v, const contact_ref *o, const impact_end *i);
/* Tests whether an unfinished impact acted through the centres of the bodies in each step so far. */
bool scree_impact_was_central(const solving *v, const contact_ref *o);
void scree_impact_forget(const solving *v, const contact_ref *o);
/* Scale of the stiffness along the surface, about the present overlaps; 0 if there are no springs */
real scree_constraint_scale(const solving *v, const constraint *r);
/* flat_sides.c: vector in m from the given contact point to where an impact acts on a flat side of a smooth body */
vec3 scree_flat_side_way(const solving *v, const constraint *r, const constraint_point *p);
/* tests whether a body is a superquadric that differs greatly from an ellipsoid */
bool scree_has_flat_sides(const solving *v, int32_t i);
/* approach speed, now or at the beginning of the impact, in m/s; 0 or less if there is no impact */
real scree_impact_speed(const solving *v, const constraint *r, const constraint_point *p);
/* attraction.c: sets up attraction once the law is set; returns the pull, in N s, while the surfaces adhere */
void scree_attraction_set(const solving *v, constraint *r);
real scree_attraction_pull(const solving *v, const constraint *r);
/* separation velocity after an impact according to the law with attraction, in m/s; NO_IMPACT if the bodies stick */
real scree_attraction_rebound(const solving *v, const constraint *r, const constraint_point *p);
/* bridges.c: sets the pull of a liquid bridge; called when the point is set. */
void scree_bridge_set(const solving *v, constraint *r);
/* The first function returns the speed of an impact at zero gap, in m/s; the second returns the speed in the middle of
 * the step for bodies that separate at zero gap with the given speed, or NO_IMPACT if the bridge holds them. */
real scree_bridge_meets(const solving *v, const constraint *r, const constraint_point *p);
real scree_bridge_leaves(const solving *v, const constraint *r, const constraint_point *p, real speed);
/* Adds the energy of a bridge, and sets whether the bridge lasts. goes: separation velocity after the step, in m/s */
void scree_bridge_end(const solving *v, const constraint *r, real goes, contact_outcome *o);
/* bonds.c: sets up the bond of a constraint whose friction is set; apart: vector from b's centre to a's, in m */
void scree_bond_set(const solving *v, constraint *r, vec3 apart);
/* The first adds the bond's initial impulse; the second relaxes the bond by `over` times its change, in N s. */
void scree_bond_push(const solving *v, const constraint *r);
void scree_bond_relax(const solving *v, const constraint *r, real over, real *change);
real scree_bond_size(const solving *v, const constraint *r);
/* Tests whether the bond breaks now and has not broken before; if so, sets the last impulse of the bond. */
bool scree_bond_breaks(const solving *v, const constraint *r);
/* Adds the effect of the bond. had, spin: velocities at the point of the bond before the step, in m/s and rad/s */
void scree_bond_outcome(const solving *v, const constraint *r, vec3 had, vec3 spin, contact_outcome *to);
/* Tests whether the surfaces adhere at the end of the step for the present velocities. */
bool scree_attraction_holds(const solving *v, constraint *r);
/* energy stored at this mean overlap, in J; with JKR it includes the energy of springs */
real scree_attraction_energy(const solving *v, const constraint *r, real overlap);
/* constraint_warm.c: a contact starts with its springs, and in the first solution with the last step's impulses. */
void scree_constraint_warm(const solving *v, constraint *r);
/* couple of the springs of rolling and torsion at the start, for this scale of the stiffness, in N m s */
vec3 scree_constraint_bent(const solving *v, const constraint *r, real scale);
/* constraint_sweeps.c: finds the velocities; bonds break between the solutions of a step. */
void scree_constraints_solve(solving *v);
/* constraint_results.c */
void scree_constraints_keep(solving *v);

/* Tests whether the contact moves one of its bodies: this excludes a held body on a wall, even if the wall yields. */
SCREE_FN bool constraint_moves(const solving *v, const contact_ref *o)
{
	return v->of->body[o->a].inv_mass > 0 || v->of->body[o->b].inv_mass > 0;
}

/* Returns the relative velocity of the surfaces at a point. */
SCREE_FN vec3 slip_of(const constraint *r, const impulse_body *a, const impulse_body *b, vec3 arm_a, vec3 arm_b)
{
	const vec3 on_b = v3_add(velocity_at(b, arm_b), v3_add(r->moves, v3_cross(r->spins, arm_a)));
	return v3_sub(velocity_at(a, arm_a), on_b);
}

SCREE_FN vec3 slip_at(const struct constraints *c, const constraint *r, vec3 arm_a, vec3 arm_b)
{
	return slip_of(r, c->body + r->ref.a, c->body + r->ref.b, arm_a, arm_b);
}

/* Lever arms of the normal at a point, arm x normal in m, and the angular velocities per impulse, in 1/(kg m). */
typedef struct point_levers {
	vec3 turn_a, turn_b, give_a, give_b;
} point_levers;

SCREE_FN point_levers point_levers_of(const constraint *r, const constraint_point *p, const impulse_body *a,
									  const impulse_body *b)
{
	point_levers l = {.turn_a = v3_cross(p->arm_a, r->normal), .turn_b = v3_cross(p->arm_b, r->normal)};
	l.give_a = inertia_response(a, l.turn_a), l.give_b = inertia_response(b, l.turn_b);
	return l;
}

/* Prefetches the partner of a contact later than k and before `end`, since partners are scattered in memory. */
SCREE_FN void fetch_soon(const solving *v, int64_t k, int64_t end)
{
	enum { AHEAD = 12 };
	if (k + AHEAD >= end) return;
	const int32_t b = v->of->ref[k + AHEAD].b;
	__builtin_prefetch(v->w->record + b);
	__builtin_prefetch(v->of->body + b);
	__builtin_prefetch(v->of->before + b);
	__builtin_prefetch(v->of->aim + b);
}

/* Returns the packed patch at this position in the order of sweeps; NULL if the constraint there is not packed. */
SCREE_FN plane_patch *packed_as(const solving *v, int64_t place)
{
	plane_patch *o = v->m->flat ? v->of->plane.row + place : NULL;
	return o && o->points > 0 ? o : NULL;
}

/* Copies the impulses of a packed constraint back to it. */
SCREE_FN void constraint_unpack(const solving *v, constraint *r)
{
	const plane_patch *plane = packed_as(v, r->ref.at);
	const space_patch *space = scree_space_patch_of(v, r);
	if (plane) scree_plane_patch_unpack(v, r, plane);
	if (space) scree_space_patch_unpack(v, r, space);
}

SCREE_FN velocity_pair velocities_of(const impulse_body *b)
{
	return (velocity_pair){b->velocity, b->angular_velocity};
}

/* Like slip_at, but with the velocities of another array. */
SCREE_FN vec3 slip_with(const velocity_pair *t, const constraint *r, vec3 arm_a, vec3 arm_b)
{
	const vec3 on_b = v3_add(v3_add(t[r->ref.b].linear, v3_cross(t[r->ref.b].angular, arm_b)),
							 v3_add(r->moves, v3_cross(r->spins, arm_a)));
	return v3_sub(v3_add(t[r->ref.a].linear, v3_cross(t[r->ref.a].angular, arm_a)), on_b);
}

SCREE_FN vec3 spin_at(const struct constraints *c, const constraint *r)
{
	return v3_sub(v3_sub(c->body[r->ref.a].angular_velocity, c->body[r->ref.b].angular_velocity), r->spins);
}

SCREE_FN vec3 spin_with(const velocity_pair *t, const constraint *r)
{
	return v3_sub(v3_sub(t[r->ref.a].angular, t[r->ref.b].angular), r->spins);
}

/* The law of a hard contact: springs as stiff as a step can resolve, k = mass/(give h^2). A body that hits another
 * penetrates it by give/(1 + give) of the displacement, and bodies at rest overlap by give g h^2 per body above. */
SCREE_FN void constraint_harden(const solving *v, contact_constants *c, real mass, int kind)
{
	const bool patch = scree_pair_kinds[kind].patch;
	const real give = patch ? HARD_PATCH_GIVE : scree_pair_kinds[kind].several ? HARD_SEVERAL_GIVE : HARD_GIVE;
	c->stiffness = mass / ((v->m->creeps ? CREEPING_GIVE : 1) * give * v->h * v->h);
	c->shear = (patch ? HARD_PATCH_SHEAR : HARD_SHEAR) * c->stiffness;
	c->damping = c->shear_damping = 0;
}

/* slip of a contact perpendicular to its normal, and slip of the rim of its patch about the normal, in m/s */
SCREE_FN slip slip_across(const constraint *r, vec3 surfaces, vec3 spin)
{
	return (slip){v3_madd(surfaces, -v3_dot(surfaces, r->normal), r->normal), r->block.arm * v3_dot(spin, r->normal)};
}

/* friction of a contact in world axes, in N s and N m s */
SCREE_FN vec3 friction_across(const constraint *r)
{
	return v3_madd(v3_mul(r->friction.x, r->block.along), r->friction.y, r->block.beside);
}

SCREE_FN bool resists_turning(const constraint *r) { return r->roll.lever > 0 || r->twist.lever > 0; }

SCREE_FN bool turns_on_springs(const constraint *r) { return r->roll.stiffness > 0 || r->twist.stiffness > 0; }

SCREE_FN vec3 friction_couple(const constraint *r) { return v3_mul(r->block.arm * r->friction.z, r->normal); }

/* Adds an impulse and a couple to the bodies that move; contacts of a colour may share bodies that do not move. */
SCREE_FN void constraint_push(const solving *v, const constraint *r, vec3 impulse, vec3 arm_a, vec3 arm_b, vec3 turning)
{
	impulse_body *a = v->of->body + r->ref.a, *b = v->of->body + r->ref.b;
	if (a->inv_mass > 0) push_body(a, impulse, arm_a, turning);
	if (b->inv_mass > 0) push_body(b, v3_neg(impulse), arm_b, v3_neg(turning));
}

/* Slip in the directions of the block, plus the rate at which the springs yield, in m/s. */
SCREE_FN vec3 constraint_gives(const solving *v, const constraint *r)
{
	const struct constraints *c = v->of;
	const friction_block *f = &r->block;
	const vec3 u = slip_at(c, r, r->arm_a, r->arm_b);
	const vec3 slip = v3(v3_dot(u, f->along), v3_dot(u, f->beside), f->arm * v3_dot(spin_at(c, r), r->normal));
	return v3_madd(slip, f->soft, v3_sub(r->friction, r->start));
}

/* vector, in m, from the centre of b or its image, or from the position of the wall, to the centre of a */
SCREE_FN vec3 constraint_apart(const solving *v, int kind, int64_t row)
{
	const pair_list *l = v->s->pair + kind;
	if (!pair_on_wall(kind)) return row_apart(v->m, v->s, v->w, kind, row);
	return v3_sub(v->w->record[l->ca[row]].position, v->s->wall[v->m->wall.surface_wall[l->cb[row]]].position);
}

#endif
