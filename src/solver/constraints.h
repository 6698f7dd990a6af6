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
#include "state/state.h"
#include "work/ways_ahead.h"
#include "work/work.h"
#include "world/row_apart.h"
#include "world/world.h"

enum { CONSTRAINTS_GRAIN = 128, PATCH_WRENCH = 6 };

/* One point of a contact. */
typedef struct constraint_point {
	vec3 arm_a, arm_b; /* m, from the centres */
	real impulse;	   /* N s, along the normal, on a */
	real goal;		   /* m/s */
	real soft;		   /* 1/kg: compliance over the square of the step; 0: rigid */
	real mass, rigid;  /* kg: 1/(response + soft), 1/response */
	real meets;		   /* m/s: separation velocity from which on it does not press */
	real rebound;	   /* m/s: least rebound; NO_IMPACT: no impact */
	real limit;		   /* N s: limit of the impulse for that */
	real reaches;	   /* m: the overlap to which it responds, if the bodies do not separate in the step */
	real had, came;	   /* m/s: separation with which the bodies move ahead; before the step */
	real weight;
	real dashpot;		 /* kg/s */
	real about;			 /* m: overlap about which the law is linear */
	vec3 turn_a, turn_b; /* m: lever arms, arm x normal */
	vec3 give_a, give_b; /* 1/(kg m): angular velocity per impulse */
	real moves;			 /* m/s, along the normal: of b's surface in addition to its body's */
	bool pressed;		 /* as assumed in constraint_patch.c */
} constraint_point;

/* A contact of this step: a row of balls, or a constraint. */
typedef struct contact_ref {
	int32_t kind; /* kind of its pair */
	int32_t a, b; /* rows of impulse bodies; b of a wall: the last one, which has no mass */
	int32_t full; /* constraint; -1: it is a row of balls */
	int32_t at;	  /* this row: lane of a tile, or position of a constraint in the order of sweeps */
	int64_t row;  /* in the list of this kind */
} contact_ref;

/* Rolling or torsion of a contact. */
typedef struct turning_limit {
	real lever;		/* m: largest couple over the normal force */
	real stiffness; /* N m; 0: no spring */
	real soft;		/* 1/(kg m^2): compliance over the square of the step; 0: rigid */
	real mass;		/* kg m^2: 1/(response + soft), at most */
} turning_limit;

/* Attraction of a contact: a pull along the normal at the point of friction, while the surfaces hold each other.
 * Springs press in addition, with impulses >= 0. */
typedef struct attraction {
	int32_t kind;	  /* cohesion_kind */
	bool touched;	  /* at the end of the last step */
	bool held;		  /* now */
	int32_t changes;  /* index in `held` in this solution */
	real most, given; /* N s: the pull while it is held; now on the bodies */
	real press;		  /* N s: pressure on the surfaces for friction, besides the impulses of springs */
	real per_overlap; /* N s/m: pull of `simple` */
	real end;		  /* m: overlap at which it stops holding, at most 0. Overlaps of points are measured from it */
	real length;	  /* m: a0^2/R of JKR by its law; 0: the springs are those of the law without cohesion */
	real least;		  /* m: least overlap about which springs are linear */
} attraction;

typedef struct constraint {
	contact_ref ref;
	int32_t points; /* number; the last one of a patch is for its impact */
	int64_t first;	/* row of its first point */
	vec3 normal;
	vec3 moves;		   /* m/s, of b's surface in addition to its body's velocity: walls, images in sheared space */
	vec3 spins;		   /* 1/s, of a wall */
	vec3 arm_a, arm_b; /* m: where friction acts */
	friction_block block;
	vec3 friction, start;	/* N s, on a, in the directions of the block: now, and without slip after the step */
	real scale;				/* scale of the stiffness along the surface, as in the history; 0: no springs */
	friction_spring spring; /* at this scale */
	vec3 turning, bent;		/* N m s: rolling and torsion, on a: now, and of the springs as at the start */
	turning_limit roll, twist;
	attraction pull;
	real rub;			   /* coefficient of friction */
	real radius, mass_law; /* m, kg: of the law */
	real part, share;	   /* fraction of the stiffness; share of each point */
	real after;			   /* weight of the velocities after the step in the overlap for which the force is computed */
	real small;			   /* m: radius of the smaller body */
	const law_constants *of;
	int32_t law;
	bool curved;	  /* the stiffness depends on the overlap */
	bool resolved;	  /* the step resolves the contact */
	bool waits;		  /* waits for other contacts of its pair (constraint_set.c) */
	bool agrees;	  /* the step resolves all of them */
	real stiffness;	  /* N/m: stiffness of a contact that waits */
	real impact_mass; /* kg, of a contact that waits; 0: as for others */
	contact_constants constants;
	int32_t bond;							   /* -1: none */
	bool direct;							   /* a patch of springs, whose impulses may be found at once */
	real response[PATCH_WRENCH][PATCH_WRENCH]; /* 1/kg: of both bodies (constraint_patch.c) */
} constraint;

/* The bond of two spheres. Forces and torques are impulses on a, at the point of the contact and about it. */
typedef struct constraint_bond {
	bond_form form;
	real length;				  /* m */
	real stretch;				  /* m, at the time of the state */
	bond_springs now;			  /* at that time */
	bool begins;				  /* it did not act in the last step */
	velocity_pair came;			  /* m/s, rad/s: of a relative to b before the step */
	vec3 goal, turn_goal;		  /* m/s, rad/s */
	real soft_along, soft_across; /* 1/kg: compliances over the square of the step */
	real soft_bends, soft_twists; /* 1/(kg m^2); 0: no torsion, in the plane */
	real push, slide, tilt, turn; /* 1/kg, 1/kg, 1/(kg m), 1/(kg m^2): responses of both bodies */
	vec3 force, torque;			  /* N s, N m s */
	bool breaks;				  /* it breaks in this step; its impulses then are */
	vec3 last_force, last_torque; /* these */
} constraint_bond;

/* A wall moved by forces (yielding_walls.c). */
typedef struct yielding {
	bool yields;	  /* its motion acts */
	real before, now; /* m/s or rad/s: before the step, and after it as found so far */
	real low, high;	  /* bounds of `now` in this sweep */
} yielding;

struct constraints {
	int64_t count, capacity; /* contacts */
	contact_ref *ref;
	int64_t fulls, full_capacity, points, point_capacity;
	constraint *row;		 /* [fulls] */
	constraint_point *point; /* [points] */
	int64_t bonds, bond_capacity;
	constraint_bond *bond; /* [bonds] */
	plane_patches plane;   /* [fulls] in the order of sweeps; none in space */
	colouring colours;	   /* `row` of an item: its contact; in the last block those in tiles come first */
	int64_t everywhere;	   /* contacts of all parts of the world; those shared by two parts count twice */
	int64_t bodies;		   /* room */
	/* [bodies + 1 + walls] the first one after the bodies has no mass; then walls that yield (yielding_walls.c) */
	impulse_body *body;
	velocity_pair *before, *aim; /* [as body] before the step; of the poses for which contacts were found */
	bool yields;				 /* any wall may yield */
	int32_t walls, wall_threads; /* room */
	yielding *wall;				 /* [walls] */
	fixed *wall_sum;			 /* [threads][walls] sums of their contacts */
	int64_t on_walls, on_wall_capacity;
	int64_t *on_wall;			 /* [on_walls] contacts with walls that yield */
	int32_t *of_row[PAIR_KINDS]; /* [rows of the list] contact of a contact row, plus 1; 0: none */
	int64_t rows[PAIR_KINDS];	 /* room */
	ball_rows balls;			 /* contacts of balls */
	int32_t sweeps;				 /* number in this step */
	bool capped;				 /* a solution in this step needed the largest number of sweeps */
	bool finite;				 /* velocities before the step and all forces are numbers, in all parts of the world */
	real moving;				 /* N s: sum of the sizes of the momenta before the step */
	real pressed;				 /* N s: all normal impulses */
	real left;					 /* part of all impulses that further sweeps would change */
};

/* The present step. */
typedef struct solving {
	const model *m;
	state *s;
	work *w;
	struct constraints *of;
	real h, tau;   /* s: of the displacement, and of the impulse */
	real gravity;  /* m/s^2 */
	real more;	   /* m: more_ahead (work/ways_ahead.h) */
	bool first;	   /* the first solution of the step: contacts start with their impulses of the last step */
	real over;	   /* over-relaxation of contacts of one point in this sweep */
	int64_t from;  /* first row of a loop */
	bool on_walls; /* true: contacts with walls that yield are relaxed; false: the others */
	fixed changed[SCREE_MOST_THREADS], all[SCREE_MOST_THREADS];	  /* N s */
	fixed momenta[SCREE_MOST_THREADS], given[SCREE_MOST_THREADS]; /* N s: of bodies before the step, and by gravity */
	fixed outer[SCREE_MOST_THREADS][OUTER_SUMS];				  /* work of forces from outside (work/joint.h) */
} solving;

/* Hard contacts: compliance relative to that of their mass in a step, and stiffness along the surface relative to that
 * along the normal. At the ends of a clump, a contact moves a quarter of the clump's mass. The points of a patch share
 * one overlap: with stiffer ones, errors left by the sweeps would keep bodies rocking. They resist tilt farther out by
 * this factor, since sliding makes bodies rock. */
static const real HARD_GIVE = (real)0.025, HARD_SEVERAL_GIVE = (real)0.1, HARD_PATCH_GIVE = (real)0.2;
/* compliance of creeping bodies relative to that of others: it affects only the number of steps in which they
 * separate */
static const real CREEPING_GIVE = (real)0.25;
static const real HARD_SHEAR = 1, HARD_PATCH_SHEAR = (real)0.4, HARD_TILT = 2;

/* largest number of relaxations of a patch per sweep, and the fraction of the first change above which another one is
 * made */
enum { ROUNDS = 10 };
static const real ROUND_PART = (real)0.1;

/* value of constraint.rebound */
static const real NO_IMPACT = (real)-1e300;
/* impacts are faster than gravity makes bodies in this number of steps, and in this fraction of a period of the
 * contact */
static const real IMPACT_STEPS = 4, IMPACT_PERIODS = (real)0.3;
/* least overlap, as a fraction of the radius, about which springs are linear */
static const real CONSTRAINT_LEAST = (real)1e-5;

void scree_constraints_free(struct constraints *c);

/* constraint_terms.c: tests whether the two bodies of a contact are bonded. */
bool scree_constraint_bonded(const solving *v, const contact_ref *o);
/* The wall that yields and has this contact row; -1: none. */
int32_t scree_yielding_wall(const solving *v, int kind, int64_t row);
/* m: from the point of a wall at which arms of its contacts begin to the centre of a body; 0: they begin at that
 * centre */
vec3 scree_yielding_offset(const solving *v, int32_t wall, vec3 body);
/* Velocities of the wall of a contact at the body's centre: at the time of the state; and the mean over both ends of
 * the step, with which sticking bodies move as far as the wall. */
velocity_pair scree_constraint_wall_now(const solving *v, const contact_ref *o);
velocity_pair scree_constraint_wall_mean(const solving *v, const contact_ref *o);
/* Row of the pair of materials. */
int32_t scree_constraint_materials(const solving *v, const contact_ref *o);
/* Tests whether the step resolves a contact on which `rigid` kg oscillate with this stiffness. It then responds to the
 * overlap with half of the velocities before and after the step, to second order, and the law gives the rebound. */
bool scree_constraint_resolved(const solving *v, real rigid, real stiffness);
/* The constants of the law of a contact. */
const law_constants *scree_constraint_constants(const solving *v, const contact_ref *o);
/* Restitution by Newton's rule, for impacts that the step does not resolve and that are faster than gravity or the
 * contact's force in the last step could make them. came: m/s, separation before the step. NO_IMPACT: none */
real scree_constraint_rebound(const solving *v, const contact_ref *o, real came, real rigid, real stiffness);
/* N/m: of all springs along the normal, about the present overlaps */
real scree_constraint_stiffness(const solving *v, const constraint *r);
/* s: period with which `rigid` kg oscillate on this stiffness */
real scree_constraint_period(real rigid, real stiffness);
/* m/s: part of their relative velocity before the step that is due to a cell that changes its size, if bodies are not
 * ahead */
vec3 scree_constraint_pull(const solving *v, const contact_ref *o);
/* constraint_bodies.c */
void scree_constraints_bodies(solving *v);
void scree_constraints_move_freely(solving *v);
void scree_constraints_forces(solving *v);
/* The first numbers of bodies, such as their velocities, in columns. */
enum { BODY_VELOCITIES = 6 };
body_columns scree_constraints_columns(const struct constraints *c, int32_t count);
/* yielding_walls.c: the walls before the step. */
void scree_yielding_begin(const solving *v);
/* Sets speeds of walls by the initial impulses; then finds speeds with which walls and their contacts agree, by
 * relaxing the contacts with several speeds. */
void scree_yielding_first(const solving *v);
void scree_yielding_relax(const solving *v, void (*again)(solving *v), solving *by);
/* Sets velocities of walls at the time of the state by the impulses found. */
void scree_yielding_end(const solving *v);
/* At the start: sets the velocities before the first step, after contacts have been accounted for. */
void scree_yielding_start(const solving *v);
void scree_yielding_free(struct constraints *c);
/* constraint_list.c: adds the rows that touch ahead and are not in the list yet. depth: least overlap of new rows,
 * relative to the radius of the smaller body; 0: begins a step. Returns the number added in all parts of the world;
 * those of this part are the last rows. */
int64_t scree_constraints_add(solving *v, real depth);
/* N m: work of an impulse and its couples on two bodies with velocities: normal, friction, rolling and twisting. */
typedef struct contact_works {
	real normal, friction, rolling;
} contact_works;

/* The effect of a bond in a step. */
typedef struct bond_outcome {
	bool acts, breaks;			 /* there is a bond; it breaks */
	real pressed;				 /* N s, along the normal, on a */
	contact_works before, after; /* with the velocities before and after the step */
	real held;					 /* J: mean of the energies at both ends of the step; at the start, now */
	real friction, rolling;		 /* J: taken by dashpots of shear, and of bending and torsion */
	bond_springs springs;		 /* at the time of the state */
} bond_outcome;

/* Data that decide whether an impact continues after a step. */
typedef struct impact_end {
	real came, goes;  /* m/s: separation before and after it */
	real mass, rigid; /* kg: as in impact_course */
	real stiffness;	  /* N/m */
} impact_end;

/* The effect of a contact in a step. */
typedef struct contact_outcome {
	real pressed, pull;			   /* N s: of springs; of attraction */
	bool held;					   /* by attraction */
	bool bridged;				   /* by a law with liquid bridges */
	vec3 impulse, torque;		   /* N s, N m s: on a, about its centre */
	vec3 friction, couple, moment; /* parts of these: across the normal; of friction, rolling and twisting; of the
									  springs' impulses about the point of friction */
	contact_works before, after;   /* with the velocities before and after the step */
	real depth, elastic;		   /* m, J: at the end of the step */
	real damped;				   /* J: loss by dashpots, or by an impact's restitution, along the normal */
	bool by_rule;				   /* Newton's rule takes energy from an approach */
	bool whole;					   /* with attraction: the whole loss is that of the law */
	real scale;					   /* tangential stiffness at the end of the step; 0: no springs */
	slip sheared;				   /* m: spring along the surface at that time */
	real bent;					   /* J: its energy */
	real small;					   /* m: radius of the smaller body */
	vec3 moves;					   /* m/s, of b's surface in addition to its body's velocity */
	bool turns;					   /* it has springs of rolling and torsion */
	vec3 turning, rolled;		   /* N m s, rad: their couple and angles */
	real twisted, rolls, twists;   /* rad, J, J */
	impact_end impact;
	bond_outcome bond;
} contact_outcome;

/* J, by the law of the material (docs/theory/implicit.md, "Energy"). First for an impact by Newton's rule (came,
 * rebound: m/s, before it and required after it); then for a dashpot with this coefficient, N s per m/s, whose velocity
 * changes linearly in the step. */
SCREE_FN real lost_by_impact(real impulse, real came, real rebound) { return -impulse * (came + rebound) / 2; }
/* Tests whether the rule takes energy. At the end of an impact of several steps it may return only the energy of its
 * springs. */
SCREE_FN bool is_slowed(real came, real rebound) { return came < -(real)(1 + 1e-6) * rebound; }
/* Tests whether an impulse is more than rounding: bodies that separate as fast as allowed have no impulse. */
SCREE_FN bool is_impulse(real impulse, real rigid, real had) { return impulse > (real)1e-9 * rigid * real_abs(had); }
/* Tests whether springs and dashpots still act: a contact pushed by them to the end of its gap has this speed to within
 * rounding. */
SCREE_FN bool is_below_gap(real has, real meets) { return has < meets + (real)1e-6 * real_abs(meets); }
SCREE_FN real lost_by_dashpot(real dashpot, real had, real has)
{
	return dashpot * (had * had + had * has + has * has) / 3;
}

/* constraint_set.c: sets up constraints from this row on. */
void scree_constraints_set(solving *v, int64_t from);
/* ball_contacts.c: sets up a row of balls; computes the effect of its impulses */
void scree_ball_row_set(const solving *v, const contact_ref *o);
contact_outcome scree_ball_outcome(const solving *v, const contact_ref *o);
/* m/s: separation with which bodies move ahead, from that of their displacement and that before the step */
SCREE_FN real going_ahead(const solving *v, real went, real came)
{
	const real after = v->m->after;
	return (went + (1 - after) * came) / after;
}

/* impacts.c. m/s^2: separation along the normal, from b to a, that gravity causes; 0 for hard contacts */
real scree_falls_apart(const solving *v, const contact_ref *o, vec3 normal);
/* A contact before a step, along its normal. */
typedef struct impact_course {
	real falls;		  /* m/s^2: scree_falls_apart */
	real came, had;	  /* m/s: separation before the step; with which bodies move ahead */
	real rigid, mass; /* kg: 1/response of the bodies; the share of it that this contact moves, if there are several */
	real stiffness;	  /* N/m */
	real goes;		  /* m/s: separation after it, by the law alone */
	bool meets, ends; /* it overlaps ahead, with gravity; and no longer after the step, by the law alone */
	bool steady;	  /* only its overlap changes while the bodies move */
	bool resolved;	  /* scree_constraint_resolved */
} impact_course;

/* m/s, m/s, N s: separation from which on it does not press; least separation; largest impulse for that */
typedef struct impact_due {
	real most, rebound, limit;
} impact_due;

/* The restitution that is due in this step, in which an impact begins or continues. */
impact_due scree_impact_due(const solving *v, const contact_ref *o, const impact_course *i);
/* kg: impact_course.mass, for its point of impact */
real scree_impact_mass(const solving *v, const constraint *r, const constraint_point *p);
/* After the step: ends an impact in which the bodies approach again, or that lasts too long. */
void scree_impact_goes_on(const solving *v, const contact_ref *o, const impact_end *i);
/* Tests whether an unfinished impact acted through the centres of the bodies in each step so far. */
bool scree_impact_was_central(const solving *v, const contact_ref *o);
void scree_impact_forget(const solving *v, const contact_ref *o);
/* Scale of the stiffness along the surface, about the present overlaps; 0: no springs */
real scree_constraint_scale(const solving *v, const constraint *r);
/* flat_sides.c. m: from the point of a contact, which is set, to the point at which the impulse of an impact acts on a
 * flat side of a smooth body */
vec3 scree_flat_side_way(const solving *v, const constraint *r, const constraint_point *p);
/* tests whether a body is a superquadric that is far from an ellipsoid */
bool scree_has_flat_sides(const solving *v, int32_t i);
/* m/s: speed of the approach now, or when the impact began; not above 0 outside of impacts */
real scree_impact_speed(const solving *v, const constraint *r, const constraint_point *p);
/* attraction.c: sets the attraction of a contact whose law is set; N s: its pull while the surfaces hold each other */
void scree_attraction_set(const solving *v, constraint *r);
real scree_attraction_pull(const solving *v, const constraint *r);
/* m/s: separation after an impact by the material's law with attraction; NO_IMPACT: the bodies stick */
real scree_attraction_rebound(const solving *v, const constraint *r, const constraint_point *p);
/* bridges.c: sets the pull of a liquid bridge, once the point is set. */
void scree_bridge_set(const solving *v, constraint *r);
/* m/s: speed of an impact at touch; and the speed, midway between both ends of the step, of bodies that separate at
 * touch with this speed; NO_IMPACT: the bridge holds them. */
real scree_bridge_meets(const solving *v, const constraint *r, const constraint_point *p);
real scree_bridge_leaves(const solving *v, const constraint *r, const constraint_point *p, real speed);
/* Adds the energy of a bridge to the outcome, and sets whether it lasts. goes: m/s, separation after the step */
void scree_bridge_end(const solving *v, const constraint *r, real goes, contact_outcome *o);
/* bonds.c: sets up the bond of a constraint whose friction is set; apart: m, from the centre of b to that of a */
void scree_bond_set(const solving *v, constraint *r, vec3 apart);
/* Adds the initial impulse of the bond; and relaxes the bond by this fraction of its change. N s */
void scree_bond_push(const solving *v, const constraint *r);
void scree_bond_relax(const solving *v, const constraint *r, real over, real *change);
real scree_bond_size(const solving *v, const constraint *r);
/* Tests whether the bond breaks with the present velocities and has not broken before: it then gets its last
 * impulse. */
bool scree_bond_breaks(const solving *v, const constraint *r);
/* Adds the effect of the bond. had, spin: m/s, rad/s, at its point before the step */
void scree_bond_outcome(const solving *v, const constraint *r, vec3 had, vec3 spin, contact_outcome *to);
/* Tests whether the surfaces hold each other at the end of the step with the present velocities. */
bool scree_attraction_holds(const solving *v, constraint *r);
/* J, stored at this mean overlap; with JKR also that of springs */
real scree_attraction_energy(const solving *v, const constraint *r, real overlap);
/* constraint_warm.c: a contact starts with its springs, and in the first solution with its impulses of the last step.
 */
void scree_constraint_warm(const solving *v, constraint *r);
/* N m s: couple of the springs of rolling and torsion as at the start, at this scale of the stiffness */
vec3 scree_constraint_bent(const solving *v, const constraint *r, real scale);
/* constraint_patch.c: prepares a patch whose friction is set, and finds all its impulses at once. Returns the sum of
 * the normal ones in `pressed`, and adds to `change`, N s. False: nothing is changed, since the state of points or
 * friction is uncertain. */
void scree_constraint_patch_set(const solving *v, constraint *r);
bool scree_constraint_patch_relax(const solving *v, constraint *r, real *pressed, real *change);
/* constraint_sweeps.c: finds the velocities; bonds break between solutions of a step. */
void scree_constraints_solve(solving *v);
/* constraint_results.c */
void scree_constraints_keep(solving *v);

/* Tests whether the contact moves one of its bodies; it does not move a held body on a wall, even if the wall
 * yields. */
SCREE_FN bool constraint_moves(const solving *v, const contact_ref *o)
{
	return v->of->body[o->a].inv_mass > 0 || v->of->body[o->b].inv_mass > 0;
}

/* Relative velocity of the surfaces at a point. */
SCREE_FN vec3 slip_of(const constraint *r, const impulse_body *a, const impulse_body *b, vec3 arm_a, vec3 arm_b)
{
	const vec3 on_b = v3_add(velocity_at(b, arm_b), v3_add(r->moves, v3_cross(r->spins, arm_a)));
	return v3_sub(velocity_at(a, arm_a), on_b);
}

SCREE_FN vec3 slip_at(const struct constraints *c, const constraint *r, vec3 arm_a, vec3 arm_b)
{
	return slip_of(r, c->body + r->ref.a, c->body + r->ref.b, arm_a, arm_b);
}

/* Prefetches the partner of a later contact than k, before `end`: partners are scattered in memory. */
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

/* The packed patch at this position in the order of sweeps; NULL: the constraint there is not packed. */
SCREE_FN plane_patch *packed_as(const solving *v, int64_t place)
{
	plane_patch *o = v->m->flat ? v->of->plane.row + place : NULL;
	return o && o->points > 0 ? o : NULL;
}

SCREE_FN velocity_pair velocities_of(const impulse_body *b)
{
	return (velocity_pair){b->velocity, b->angular_velocity};
}

/* The same with the velocities of another array. */
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

/* The law of a hard contact: springs as stiff as a step can resolve, k = m/(give h^2). A body that hits another one
 * penetrates it by give/(1 + give) of the displacement in a step, and bodies at rest overlap by give g h^2 per body
 * above. mass: kg, of the law */
SCREE_FN void constraint_harden(const solving *v, contact_constants *c, real mass, int kind)
{
	const bool patch = scree_pair_kinds[kind].patch;
	const real give = patch ? HARD_PATCH_GIVE : scree_pair_kinds[kind].several ? HARD_SEVERAL_GIVE : HARD_GIVE;
	c->stiffness = mass / ((v->m->creeps ? CREEPING_GIVE : 1) * give * v->h * v->h);
	c->shear = (patch ? HARD_PATCH_SHEAR : HARD_SHEAR) * c->stiffness;
	c->damping = c->shear_damping = 0;
}

/* m/s: the slip of a contact across its normal, and of the rim of its patch about the normal */
SCREE_FN slip slip_across(const constraint *r, vec3 surfaces, vec3 spin)
{
	return (slip){v3_madd(surfaces, -v3_dot(surfaces, r->normal), r->normal), r->block.arm * v3_dot(spin, r->normal)};
}

/* N s and N m s: the friction of a contact in world axes */
SCREE_FN vec3 friction_across(const constraint *r)
{
	return v3_madd(v3_mul(r->friction.x, r->block.along), r->friction.y, r->block.beside);
}

SCREE_FN bool resists_turning(const constraint *r) { return r->roll.lever > 0 || r->twist.lever > 0; }

SCREE_FN bool turns_on_springs(const constraint *r) { return r->roll.stiffness > 0 || r->twist.stiffness > 0; }

SCREE_FN vec3 friction_couple(const constraint *r) { return v3_mul(r->block.arm * r->friction.z, r->normal); }

/* Adds an impulse and a couple of a contact to both bodies. Bodies that contacts do not move are shared by the contacts
 * of a colour, and are not written. */
SCREE_FN void constraint_push(const solving *v, const constraint *r, vec3 impulse, vec3 arm_a, vec3 arm_b, vec3 turning)
{
	impulse_body *a = v->of->body + r->ref.a, *b = v->of->body + r->ref.b;
	if (a->inv_mass > 0) push_body(a, impulse, arm_a, turning);
	if (b->inv_mass > 0) push_body(b, v3_neg(impulse), arm_b, v3_neg(turning));
}

/* m/s: slip in the directions of the block, plus the yield of the springs. */
SCREE_FN vec3 constraint_gives(const solving *v, const constraint *r)
{
	const struct constraints *c = v->of;
	const friction_block *f = &r->block;
	const vec3 u = slip_at(c, r, r->arm_a, r->arm_b);
	const vec3 slip = v3(v3_dot(u, f->along), v3_dot(u, f->beside), f->arm * v3_dot(spin_at(c, r), r->normal));
	return v3_madd(slip, f->soft, v3_sub(r->friction, r->start));
}

/* m: from the centre of b, or of its image, or from the position of the wall, to the centre of a */
SCREE_FN vec3 constraint_apart(const solving *v, int kind, int64_t row)
{
	const pair_list *l = v->s->pair + kind;
	if (!pair_on_wall(kind)) return row_apart(v->m, v->s, v->w, kind, row);
	return v3_sub(v->w->record[l->ca[row]].position, v->s->wall[v->m->wall.surface_wall[l->cb[row]]].position);
}

#endif
