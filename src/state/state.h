/* state.h: all that steps change, the content of a snapshot: step(load(save(s))) == step(s), bit for bit. */
#ifndef SCREE_STATE_STATE_H
#define SCREE_STATE_STATE_H

#include "base/fixed.h"
#include "base/random.h"
#include "model/declared.h"
#include "model/flow_planes.h"
#include "model/periods.h"
#include "state/bodies.h"
#include "state/energy_classes.h"
#include "state/ledger.h"
#include "state/pair_kinds.h"
#include "wall/wall_state.h"

struct source;

/* The stage of an experiment (`stages` of a scene); its end is decided between steps (src/library/stages.c). */
typedef struct stage_state {
	int32_t count;	/* number of stages of the scene; 0 if it has none */
	int32_t now;	/* number of the present stage, from 0 */
	bool over;		/* the stage ended at this step: the next stage begins with the next step */
	int64_t step;	/* step at which the stage began */
	real time;		/* time of that step, in s */
	real since;		/* time at which the condition of the stage became true, in s; negative if it is false */
	real reference; /* value of `unchanged` at that time */
	real mass;		/* mass removed by sinks before the stage began, in kg */
	vec3 cell;		/* size of the periodic cell when the stage began, in m; zero in the first stage */
} stage_state;

/* State of worlds with a solver for contacts: counts since the start of the run. */
typedef struct impulses {
	int64_t collisions;
	/* of implicit steps */
	int64_t sweeps;
	int64_t capped;						 /* steps that needed the largest number of sweeps */
	real solved;						 /* sum of all normal impulses, in N s */
	real unsolved;						 /* the part of this sum that further sweeps would have changed, in N s */
	real window_solved, window_unsolved; /* both sums since the last test of the guard, in N s */
	/* for solvers with one problem per body (docs/theory/ffd.md): bodies that were stopped due to contradictory
	 * contacts, and bodies whose response was reduced, each counted once per step */
	int64_t stopped, limited;
	fixed given, unbalanced; /* impulses between bodies, and the momentum that they created or destroyed, in N s */
} impulses;

/* Bodies that have passed a plane (model/flow_planes.h) since the start, counted by the part that owns them. */
typedef struct flow_count {
	int64_t count[2]; /* along the normal, and against it */
	fixed mass[2];	  /* kg */
} flow_count;

/* Converts a count to sums, which can be added over the parts of a world, and back. */
enum { FLOW_SUMS = 4 };
SCREE_FN void flow_to_sums(const flow_count *f, fixed to[FLOW_SUMS])
{
	for (int back = 0; back < 2; ++back) {
		to[2 * back] = (fixed){f->count[back], 0};
		to[2 * back + 1] = f->mass[back];
	}
}
SCREE_FN flow_count flow_of_sums(const fixed from[FLOW_SUMS])
{
	flow_count f = {{(int64_t)from[0].quanta, (int64_t)from[2].quanta}, {from[1], from[3]}};
	return f;
}

/* Counters and random streams of sources, counters of sinks. */
typedef struct source_state {
	int64_t made, waiting_tries; /* number of bodies so far; failed attempts since the last body */
	random_stream random;
	real mass; /* mass of these bodies, added in the order of placement, in kg */
} source_state;

typedef struct sink_state {
	int64_t taken;
	real mass_taken; /* mass, added in the order of ids, in kg */
} sink_state;

/* Bodies that a source should have placed by now; with a mass rate or total mass, estimated from the mean mass. */
int64_t scree_source_expected(const struct source *s, const source_state *now, real time);
/* time for which the next body has found no free space, in s; 0 as long as this may be due to chance */
real scree_source_waits(const struct source *s, const source_state *now, real dt);

/* Records, every ENERGY_STEPS steps, of energy created or lost other than by dissipation in a law (docs/theory/laws.md,
 * "The guard of energy"). They are part of the state, so a resumed run stops at the same step. */
enum { ENERGY_STEPS = 500, ENERGY_READINGS = 8 };

/* Sums over intervals of ENERGY_STEPS steps during which the energy exchanged was at most the bound of this level. */
typedef struct energy_level {
	real wrong, made; /* energy created by integration and geometry, and by geometry alone, in J */
	real turned;	  /* energy lost, and kinetic and spring energy of bodies that exchanged energy, in J */
	int64_t steps;
} energy_level;

typedef struct energy_guard {
	real held;					  /* largest kinetic and spring energy so far of bodies that exchanged energy, in J */
	real busiest;				  /* largest kinetic energy, or weight times size, of such a body so far, in J */
	real floor;					  /* bound computed from weights and sizes, in J; smaller energies are ignored */
	int32_t count;				  /* number of readings in the arrays below, oldest first */
	real wrong[ENERGY_READINGS];  /* energy created by the integration and by geometry, in J */
	real made[ENERGY_READINGS];	  /* energy created by geometry only, in J */
	real lost[ENERGY_READINGS];	  /* J */
	real method[ENERGY_READINGS]; /* energy lost along normals, by laws and by the method, in J */
	real turned[ENERGY_READINGS]; /* energy lost and exchanged since the previous reading, in J */
	real springs;				  /* energy of springs at the last reading, in J */
	real swing;					  /* largest error in the integration of free walls so far, in J */
	energy_level level[ENERGY_LEVELS]; /* each bound is 16 times the bound of the level below */
	real worst, worst_time;			   /* largest relative error of the energy so far, and its time in s */
	real worst_loss, worst_loss_time;  /* largest fraction of energy lost by implicit steps so far, and its time in s */
	energy_class classes[ENERGY_LEVELS];
	real class_held[ENERGY_LEVELS]; /* largest kinetic energy so far of bodies of this class and lower ones, in J */
} energy_guard;

/* Maxima over all steps since the start, for reporting only. */
typedef struct greatest_values {
	real overlap; /* defined as for work.greatest_overlap_part */
	real speed;	  /* m/s */
} greatest_values;

/* Records a value, unless it is not finite; in that case the run stops. */
SCREE_FN void greatest_note(real *to, real value)
{
	if (value > *to && value < INFINITY) *to = value;
}

typedef struct state {
	real time; /* time at the end of `step`, in s: scree_time_of */
	int64_t step;
	/* step and time, in s, of the last change of the time step; until: end of that step, 0 if there was no change */
	int64_t step_from;
	real time_from, until_from;
	bool begun; /* the first step has been made: initial contacts have been recorded */
	uint64_t next_id;
	bodies body;
	int32_t walls, sources, sinks; /* one per row of the model (scree_state_room) */
	wall_state *wall;
	source_state *source;
	sink_state *sink;
	ledger energy;
	energy_guard energy_guard;
	images images;				  /* positions of images, determined by the model's periods */
	impulses impulse;			  /* in worlds with a solver */
	pair_list *pair;			  /* [PAIR_KINDS], allocated for the lifetime of the world */
	flow_count flow[FLOW_PLANES]; /* counts for the planes of the model */
	int64_t lost;				  /* number of bodies removed because they left the domain */
	int64_t broken;				  /* bonds that broke */
	uint64_t bonded[2];			  /* ids of the first and the last body that came from a world with bonds; 0 if none */
	stage_state stage;
	greatest_values greatest;
} state;

/* Adds missing rows for walls, sources and sinks of the model: walls at rest in their frame, counters at zero. */
void scree_state_room(const model *m, state *s);
void scree_state_room_free(state *s);

#endif
