/* model.h: data that is constant during a step and the same in all parts of a divided world. Devices copy it once; a
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

/* How a periodic cell changes its size (model/periods.h): each axis by a given strain rate, or by a servo for a given
 * stress (docs/theory/periodic.md). */
typedef struct cell_rule {
	vec3 rate;		   /* 1/s: d ln(size) / dt; negative: the cell shrinks */
	motion_table over; /* 1/s: these rates over time, counted from `from`; no rows: constant */
	real from;		   /* s */
	bool servo[3];	   /* the size of these axes follows from the stress */
	vec3 stress;	   /* Pa, compression positive: for axes with a servo; with a table the largest along each axis */
	motion_table goal; /* Pa: these stresses over time, counted from `goal_from`; no rows: constant */
	real goal_from;	   /* s */
	real limit;		   /* 1/s: largest strain rate of a servo; 0: from the bodies at the start */
	real lag;		   /* s: time in which a servo changes the rate; 0: from the contact time at the start */
} cell_rule;

SCREE_FN bool cell_has_servo(const cell_rule *c) { return c->servo[0] || c->servo[1] || c->servo[2]; }
/* 1/s: the given strain rates at this time; zero along axes with a servo */
vec3 scree_cell_rate(const cell_rule *c, real time);
/* Pa: the target stresses of axes with a servo at this time */
vec3 scree_cell_goal(const cell_rule *c, real time);

/* A fluid through which bodies move, without acting on it. */
typedef enum drag_law { DRAG_STOKES, DRAG_SCHILLER_NAUMANN, DRAGS } drag_law;

typedef struct fluid {
	bool on, buoyancy;
	real density, viscosity; /* kg/m3, Pa s */
	vec3 velocity;			 /* m/s, uniform */
	int32_t drag;			 /* drag_law */
} fluid;

/* Drag on a sphere moving at `speed` relative to the fluid: force divided by speed, and slope dF/dspeed, in N s/m. */
typedef struct drag_rate {
	real force, slope;
} drag_rate;

/* Stokes (1851): 3 pi mu d. Schiller and Naumann (1933): that times 1 + 0.15 Re^0.687, from Re = 1000 on a drag
 * coefficient of 0.44 (eqs. 7 and 8 of motion.md). */
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

/* Conduction of heat between two materials, derived from them by scree_world_prepare. */
typedef struct heat_rule {
	real conduction; /* W/(m K): heat that flows per kelvin and metre of the contact radius; 0: none */
	real modulus;	 /* Pa: E* of the contact radius derived from a force; 0: unknown */
	real friction;	 /* fraction of the frictional loss that heats the bodies */
	real to_a;		 /* fraction of this that heats the first of two bodies that conduct */
} heat_rule;

/* Limits of a run, which stop it when its state makes no physical sense. */
typedef struct guards {
	real overlap; /* largest overlap relative to the size of the smaller body (at walls: of the body); 0: not watched */
	real speed;	  /* m/s; 0: not watched */
	real energy;  /* largest fraction of energy that may be created or lost (state/state.h); 0: not watched */
	real method;  /* largest fraction of energy that implicit steps themselves may lose; 0: only reported */
	bool energy_reports; /* energy is only reported: for laws exactly as in a paper */
	bool bounded;		 /* the domain has limits */
	bool lost_is_error;	 /* a body that leaves the domain is an error; otherwise it is removed and counted */
	vec3 low, high;		 /* the domain, m */
} guards;

/* Adds forces (N) and torques (N m, about centres of mass) of owned bodies to the zeros of force[0] .. force[5]. */
typedef void applied_fn(const state *s, real time, real *const force[6], void *context);

typedef struct model {
	bool flat;		/* a world in the plane z = 0: bodies move in it and rotate about z */
	real thickness; /* m: thickness of its bodies along z; 1 in worlds in space */
	real dt;
	vec3 gravity;
	shapes shape;
	materials material;
	fluid fluid;
	guards guard;
	periods period;
	cell_rule cell; /* if the period deforms */
	walls wall;
	struct facet_grid **grid;		 /* [wall.count] */
	population population;			 /* sources and sinks */
	flow_planes flow;				 /* planes whose flow is counted */
	struct law_constants *constants; /* [materials.count squared], from the rules by scree_world_prepare */
	struct heat_rule *heat;			 /* the same for conduction of heat; NULL: no material conducts */
	real temperature;				 /* K: of bodies that are given none */
	real usual_step;
	real passing;	/* s: time in which the fastest body or wall moves by the thickness of the thinnest body; infinite:
					   none moves */
	real safe_step; /* s: the default time step; longer steps are not known to be safe */
	real turning_step;
	real drag_step; /* s: longer steps create energy by rolling friction or drag; infinite: no bound */
	real own_step;	/* s: default step of this run, upper limit of the step that it chooses by the load of contacts
					   (src/change/step_size.c); 0: the step is given */
	bool unsafe;	/* the scene requested a step longer than the safe one */
	real halo_step; /* s: in longer steps bodies may pass through halos undetected; infinite: no bound */
	real longest;	/* m: with a solver, a body that moves farther in a step may pass through another undetected */
	real bond_time; /* s: shortest half period of two bonded bodies, and their materials; INFINITY: no bonds */
	int32_t swinging[2];
	real contact_time; /* s: shortest possible contact time, between the materials stiffest[0] and stiffest[1] */
	int32_t stiffest[2];
	real bridge_part; /* largest volume of a liquid bridge, divided by the cube of the mean radius of the smallest
						 spheres of the materials bridged[0] and bridged[1]; 0: there is none */
	int32_t bridged[2];
	const struct broad *search;
	bool skin_given;					 /* the user has set the skin; otherwise it adapts to motion (work/work.h) */
	real skin;							 /* m, if given; 0: a search in every step */
	const struct narrow *narrow;		 /* state */
	const struct choices *narrows;		 /* its table, for messages */
	triangle_choice triangles;			 /* state: comparison of the triangles of two surfaces */
	const struct sharing *share;		 /* saved with the state: work sharing of surface contacts between threads */
	const struct integrator *integrator; /* state: integrator of position and rotation */
	const struct response *response;	 /* state. Set by model_respond, with the next three */
	const struct response *solver;		 /* computes velocities from contacts; NULL: the step uses forces */
	bool implicit;						 /* contacts respond ahead, in the next step (src/step/implicit.c) */
	bool hard;							 /* contacts are as stiff as the step allows */
	real after;	 /* for implicit contacts: largest weight of velocities after a step (solver/constraints.h) */
	bool creeps; /* bodies of hard contacts stop after each step: they move only as far as contacts push them apart */
	real correction;	 /* with a solver: fraction of an overlap that is removed per step */
	int32_t directions;	 /* with a solver that needs it: directions of friction per contact */
	applied_fn *applied; /* external forces on bodies, by a function of the caller; NULL: none */
	void *applied_context;
	bool unsorted; /* skips sorting bodies by position: to measure the benefit of the sort */
} model;

#endif
