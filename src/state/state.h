/* state.h: the content of a snapshot, which a step changes. Its definition: step(load(save(s))) == step(s), bit for
 * bit. */
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

/* The stage of an experiment (`stages` of a scene) that a world is in, and what its end depends on. A stage is decided
 * between steps (src/library/stages.c). */
typedef struct stage_state {
	int32_t count;	/* stages of the scene; 0: it has none */
	int32_t now;	/* number of the present stage, from 0 */
	bool over;		/* it ended at this step: the next stage begins with the next step */
	int64_t step;	/* step at which it began */
	real time;		/* s: the time of that step */
	real since;		/* s: time since which its condition holds; negative: it does not hold */
	real reference; /* value of `unchanged` at that time */
	real mass;		/* kg: mass removed by sinks before it began */
	vec3 cell;		/* m: size of the periodic cell when it began; zero in the first stage */
} stage_state;

/* State of worlds with a solver for contacts: counts since the start. */
typedef struct impulses {
	int64_t collisions;
	/* of implicit steps */
	int64_t sweeps;
	int64_t capped;						 /* steps that needed the largest number of sweeps */
	real solved;						 /* N s: sum of all normal impulses */
	real unsolved;						 /* N s: the part that further sweeps would have changed */
	real window_solved, window_unsolved; /* N s: the same since the last test of the guard */
	/* for solvers with one problem per body (docs/theory/ffd.md): bodies that were stopped because their contacts
	 * contradict each other, and bodies whose response was reduced, each counted once per step */
	int64_t stopped, limited;
	fixed given, unbalanced; /* N s: impulses between bodies, and the momentum that they created or lost */
} impulses;

/* Bodies that have passed through a plane (model/flow_planes.h) since the start of a run. In a divided world each part
 * has its share. */
typedef struct flow_count {
	int64_t count[2]; /* along the normal, against it */
	fixed mass[2];	  /* kg */
} flow_count;

/* The numbers of a count as sums, to be added over the parts of a world, and back. */
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
	int64_t made, waiting_tries; /* number of bodies so far; failed tries since the last one */
	random_stream random;
	real mass; /* kg of these bodies, added in their order */
} source_state;

typedef struct sink_state {
	int64_t taken;
	real mass_taken; /* kg, in the order of ids */
} sink_state;

/* Number of bodies that the source should have placed by this time; estimated from their mean mass if it has a mass
 * rate or a total mass. */
int64_t scree_source_expected(const struct source *s, const source_state *now, real time);
/* s: time for which the next body has found no free space in any step; 0 if it may just be due */
real scree_source_waits(const struct source *s, const source_state *now, real dt);

/* Energy created or lost other than by the dissipation of a law, read every ENERGY_STEPS steps (docs/theory/laws.md,
 * "The guard of energy"). All of it is state, so that a resumed run stops where an uninterrupted one does. */
enum { ENERGY_STEPS = 500, ENERGY_READINGS = 8 };

/* Sums over intervals of ENERGY_STEPS steps in which the energy exchanged was at most the bound of a level. */
typedef struct energy_level {
	real wrong, made; /* J: of integration residual and geometry; of geometry alone */
	real turned;	  /* J: lost; and in motion or in springs of bodies that exchanged energy */
	int64_t steps;
} energy_level;

typedef struct energy_guard {
	real held;					  /* J, largest energy in motion and in springs so far, of bodies that took part */
	real busiest;				  /* J, largest kinetic energy, and weight times size, so far of one of these bodies */
	real floor;					  /* J: from weights and sizes; smaller energies are ignored */
	int32_t count;				  /* number of readings below, oldest first */
	real wrong[ENERGY_READINGS];  /* J, of residual and geometry */
	real made[ENERGY_READINGS];	  /* J, of geometry only */
	real lost[ENERGY_READINGS];	  /* J */
	real method[ENERGY_READINGS]; /* J, lost along normals, by laws and by the method */
	real turned[ENERGY_READINGS]; /* J: lost and exchanged since the previous reading */
	real springs;				  /* J, in springs at the last reading */
	real swing;					  /* J: largest error so far by the integration of free walls */
	energy_level level[ENERGY_LEVELS]; /* bounds grow by 16 from level to level */
	real worst, worst_time;			   /* the largest fraction so far, and its time, s */
	real worst_loss, worst_loss_time;  /* largest fraction of the energy lost by implicit steps so far */
	energy_class classes[ENERGY_LEVELS];
	real class_held[ENERGY_LEVELS]; /* J, largest energy in motion so far of bodies of this class and those below */
} energy_guard;

/* Largest values of all steps since the start, for reports only. */
typedef struct greatest_values {
	real overlap; /* as greatest_overlap_part of the work */
	real speed;	  /* m/s */
} greatest_values;

/* Notes a value; values that are not finite stop the run, and are not noted. */
SCREE_FN void greatest_note(real *to, real value)
{
	if (value > *to && value < INFINITY) *to = value;
}

typedef struct state {
	real time; /* s, at the end of `step`: scree_time_of */
	int64_t step;
	/* Step and time, s, of the last change of the time step; until: end of the interval of that step (0: never). */
	int64_t step_from;
	real time_from, until_from;
	bool begun; /* the first step has been made: contacts of the start have been noted */
	uint64_t next_id;
	bodies body;
	int32_t walls, sources, sinks; /* as many as the model has (scree_state_room) */
	wall_state *wall;
	source_state *source;
	sink_state *sink;
	ledger energy;
	energy_guard energy_guard;
	images images;				  /* positions of images, by the model's periods */
	impulses impulse;			  /* in worlds with a solver */
	pair_list *pair;			  /* [PAIR_KINDS], for as long as the world */
	flow_count flow[FLOW_PLANES]; /* by the planes of the model */
	int64_t lost;				  /* bodies removed because they left the domain */
	int64_t broken;				  /* bonds that broke */
	uint64_t bonded[2];			  /* ids of the first and the last body that came from a world with bonds; 0: none */
	stage_state stage;
	greatest_values greatest;
} state;

/* Makes rows for walls, sources and sinks of the model that have none yet: walls at rest in their frame, counters at
 * zero. */
void scree_state_room(const model *m, state *s);
void scree_state_room_free(state *s);

#endif
