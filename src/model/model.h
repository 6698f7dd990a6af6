/* model.h: data that are constant during a step and the same in all parts of a divided world. Devices copy it once; a
 * stage of an experiment is a new model for the same state. */
#ifndef SCREE_MODEL_MODEL_H
#define SCREE_MODEL_MODEL_H

#include "base/maths.h"
#include "model/declared.h"
#include "model/flow_planes.h"
#include "model/materials.h"
#include "model/periods.h"
#include "model/population.h"
#include "model/triangle_choice.h"
#include "shape/shapes.h"
#include "wall/walls.h"

struct broad;
struct choices;
struct facet_grid;
struct heat_rule;
struct integrator;
struct law_constants;
struct narrow;
struct sharing;
struct response;

/* How a periodic cell changes size, along each axis at a given strain rate or by a servo (docs/theory/periodic.md). */
typedef struct cell_rule {
	vec3 rate;		   /* d ln(size) / dt in 1/s; the cell shrinks if negative */
	motion_table over; /* these rates over time in 1/s, counted from `from`; constant if there are no rows */
	real from;		   /* s */
	bool servo[3];	   /* whether the size along each axis is controlled by the stress */
	/* stress in Pa, compression positive, for axes with a servo; with a table, the largest value along each axis */
	vec3 stress;
	motion_table goal; /* these stresses over time in Pa, counted from `goal_from`; constant if there are no rows */
	real goal_from;	   /* s */
	real limit;		   /* largest strain rate of a servo, in 1/s; 0 to derive it from the bodies at the start */
	/* time over which a servo changes the rate, in s; 0 to derive it from the contact time at the start */
	real lag;
} cell_rule;

SCREE_FN bool cell_has_servo(const cell_rule *c) { return c->servo[0] || c->servo[1] || c->servo[2]; }
vec3 scree_cell_rate(const cell_rule *c, real time);
/* the target stresses of axes with a servo at this time, in Pa */
vec3 scree_cell_goal(const cell_rule *c, real time);

/* A fluid through which bodies move without affecting it. */
typedef enum drag_law { DRAG_STOKES, DRAG_SCHILLER_NAUMANN, DRAGS } drag_law;

typedef struct fluid {
	bool on, buoyancy;
	real density, viscosity; /* kg/m3, Pa s */
	vec3 velocity;			 /* m/s, uniform */
	int32_t drag;			 /* drag_law */
} fluid;

/* Drag on a sphere moving at `speed` relative to the fluid: force over speed, and derivative dF/dspeed, in N s/m. */
typedef struct drag_rate {
	real force, slope;
} drag_rate;

/* Stokes (1851): 3 pi mu d. Schiller and Naumann (1933): the Stokes drag times 1 + 0.15 Re^0.687, or a drag coefficient
 * of 0.44 from Re = 1000 on (eqs. 7 and 8 of motion.md). */
SCREE_FN drag_rate drag_rate_of(const fluid *f, real diameter, real speed)
{
	real stokes = 3 * SCREE_PI * f->viscosity * diameter;
	if (f->drag == DRAG_STOKES) return (drag_rate){stokes, stokes};
	real reynolds = f->density * speed * diameter / f->viscosity;
	if (reynolds > 1000) {
		real force = (real)0.44 * SCREE_PI / 8 * f->density * diameter * diameter * speed;
		return (drag_rate){force, 2 * force};
	}
	real more = reynolds > 0 ? (real)0.15 * scree_pow(reynolds, (real)0.687) : 0;
	return (drag_rate){stokes * (1 + more), stokes * (1 + (real)1.687 * more)};
}

/* Heat conduction between two materials, derived from them by scree_world_prepare. */
typedef struct heat_rule {
	real conduction; /* heat flow per kelvin and metre of the contact radius, in W/(m K); 0 if there is none */
	real modulus;	 /* E* in the formula for the contact radius due to a force, in Pa; 0 if unknown */
	real friction;	 /* fraction of the frictional loss that heats the bodies */
	real to_a;		 /* fraction of this heat that the first of two conducting bodies receives */
} heat_rule;

/* Limits on a run, which is stopped when its state makes no physical sense. */
typedef struct guards {
	/* largest overlap relative to the size of the smaller body, or of the body on a wall; 0 if not watched */
	real overlap;
	real speed;	 /* m/s; 0: not watched */
	real energy; /* largest fraction of energy that may be created or lost (state/state.h); 0 if not watched */
	real method; /* largest fraction of energy that implicit steps themselves may lose; 0 if losses are only reported */
	bool energy_reports; /* whether energy is only reported, for laws exactly as in a paper */
	bool bounded;		 /* whether the domain is limited */
	bool lost_is_error;	 /* whether a body that leaves the domain is an error; otherwise it is removed and counted */
	vec3 low, high;		 /* the domain, m */
} guards;

/* Adds forces (N) and torques (N m, about centres of mass) on owned bodies to force[0] .. [5], zero on entry. */
typedef void applied_fn(const state *s, real time, real *const force[6], void *context);

typedef struct model {
	bool flat;		/* whether this is a world in the plane z = 0, where bodies move in this plane and rotate about z */
	real thickness; /* thickness of bodies along z in a plane world, in m; 1 in space */
	real dt;
	vec3 gravity;
	shapes shape;
	materials material;
	fluid fluid;
	guards guard;
	periods period;
	cell_rule cell; /* used if the cell deforms */
	walls wall;
	struct facet_grid **grid;		 /* [wall.count] */
	population population;			 /* sources and sinks */
	flow_planes flow;				 /* planes through which the flow is counted */
	struct law_constants *constants; /* [materials.count squared], from the rules by scree_world_prepare */
	struct heat_rule *heat; /* [materials.count squared], for heat conduction; NULL if no material conducts heat */
	real temperature;		/* temperature, in K, of bodies without a given temperature */
	real usual_step;
	real passing;	/* time, in s, for the fastest body or wall to move by the least thickness; infinite at rest */
	real safe_step; /* the default time step in s; longer steps are not known to be safe */
	real turning_step;
	real drag_step; /* step in s above which rolling friction or drag creates energy; infinite if there is no bound */
	real own_step;	/* default step in s, which limits a chosen step (src/change/step_size.c); 0 if the step is given */
	bool unsafe;	/* whether the scene requested a step longer than the safe one */
	real halo_step; /* step in s above which bodies may pass through halos undetected; infinite if there is no bound */
	/* with a solver: distance, in m; a body that moves farther in one step may pass through another body undetected */
	real longest;
	/* shortest half period, in s, of two bonded bodies, and their materials; INFINITY if there are no bonds */
	real bond_time;
	int32_t swinging[2];
	real contact_time; /* shortest possible contact time in s, between the materials stiffest[0] and stiffest[1] */
	int32_t stiffest[2];
	real bridge_part; /* largest bridge volume over mean radius^3, for the smallest spheres of `bridged` materials */
	int32_t bridged[2];
	const struct broad *search;
	/* whether the user has set the skin; otherwise the skin adapts to motion (work/work.h) */
	bool skin_given;
	real skin;							 /* skin in m, if given; 0 for a search in every step */
	const struct narrow *narrow;		 /* state */
	const struct choices *narrows;		 /* the table in which `search` is a row, for messages */
	triangle_choice triangles;			 /* method of comparing the triangles of two surfaces; part of the state */
	const struct sharing *share;		 /* how threads share the work of surface contacts; saved with the state */
	const struct integrator *integrator; /* integrator for position and rotation; part of the state */
	const struct response *response;	 /* state. This and the next three members are set by model_respond */
	const struct response *solver;		 /* computes velocities from contacts; NULL if the step is force-based */
	bool implicit; /* whether contacts respond to the positions predicted for the next step (src/step/implicit.c) */
	bool hard;	   /* whether contacts are as stiff as the step allows */
	real after;	   /* for implicit contacts: largest weight of end-of-step velocities (solver/constraints.h) */
	/* whether bodies of hard contacts stop after each step: they move only as far as contacts push them apart */
	bool creeps;
	real correction;	 /* with a solver: fraction of an overlap that is removed per step */
	int32_t directions;	 /* for solvers that need it: number of friction directions per contact */
	applied_fn *applied; /* external forces on bodies, from a function of the caller; NULL if there are none */
	void *applied_context;
	bool unsorted; /* whether to skip sorting bodies by position, to measure the benefit of the sort */
} model;

#endif
