/* work.h: derived data. Derived data may be discarded between two steps and are then computed again, with the same
 * results; `skin` must then be stale (lab_lose_work in tests/lab.c does this). A step does not compute these again:
 * - `domain` and `device`, which the caller sets, and `why`;
 * - reports since the world was created or loaded, which start again from zero: told, greatest_overlap_ever, deepest,
 * rebuilds, features, wall_features, start, heaviest, clock, and mean, reached and heard of walls;
 * - noted and changing: without them, a change by the caller counts as unannounced. */
#ifndef SCREE_WORK_WORK_H
#define SCREE_WORK_WORK_H

#include "base/clock.h"
#include "base/fail.h"
#include "kernel/patch.h"
#include "model/periods.h"
#include "ranks/together/domain.h"
#include "state/pair_kinds.h"
#include "work/ahead.h"
#include "work/device.h"
#include "work/flights.h"
#include "work/joint.h"
#include "work/looks.h"
#include "work/pair_work.h"
#include "work/threads.h"

/* External forces on bodies in the last step, given by a function of the caller (model/model.h). */
typedef struct applied {
	real *force[6]; /* [room] */
	int32_t room;
	real power; /* power in the last step, in W */
	bool steps; /* bodies moved since the last implicit step: no second evaluation of forces at the same time */
} applied;

/* Data of a partner that stages between drift and kick read, in two cache lines; separate arrays would cost a dozen, as
 * partners are scattered. Rebuilt in each step; the laws read one and a half cache lines. */
typedef struct body_record {
	vec3 position;
	real round; /* radius of the sphere with the body's volume */
	vec3 velocity;
	real inv_mass;
	vec3 angular_velocity;
	real mass, radius; /* radius: of the bounding sphere */
	int32_t material, shape;
	image cell; /* in periodic worlds: the numbers of periods that the partner has crossed */
	int32_t spare;
} body_record;
_Static_assert(sizeof(body_record) == 128, "two cache lines");

/* Displacements allowed before the next search for pairs. These numbers affect only speed, not results. */
typedef struct broad_skin {
	real width;	 /* each box is enlarged on each side by half of this, or by more if its body is fast, in m */
	real inner;	 /* slow bodies whose surfaces are this far apart do not touch before rows are selected again, in m */
	real beyond; /* largest excess of a displacement over the limit for rows, in m; stale if >= 0 */
	bool spent;	 /* whether a flying body may have moved as far as its margin */
	real step;	 /* bound on the displacement of the fastest body in this step, in m */
	real smallest, largest; /* radii of the smallest and the largest body, in m */
	real least_period;		/* for cells of variable size: the initial value, in m (scree_skin_least_period) */
	real gap;				/* largest gap within which bodies become bonded, in m */
	real reach;	   /* distance up to which surfaces act on each other (cohesion, bonds), in m; 0 if only in contact */
	real clings;   /* range of cohesion, including cohesion with walls, in m */
	real bridges;  /* maximum length of liquid bridges, in m; 0 if there are none */
	bool stale;	   /* whether a new search for pairs is needed in any case */
	bool unsure;   /* distances in new slots were unknown: rows are selected again after all are tested */
	int64_t since; /* number of steps since the rebuild */
	int64_t slots; /* number of pairs of spheres at the last rebuild */
} broad_skin;

/* The slots of one body and one wall, with candidate facets; narrow phases examine them together because of seams. */
typedef struct wall_group {
	int32_t body, wall;
	int64_t slot; /* slots of the group: rows slot .. slot+slots-1 of the list, ascending by surface */
	int32_t slots, facets;
	int64_t facet; /* the candidate facets of the group: rows facet .. facet+facets-1 of wall_groups.facet */
	real apart;	   /* cache, in m: the centre meets no facet of a resting wall below this displacement */
} wall_group;

typedef struct wall_groups {
	int64_t count, capacity, facets, facet_capacity;
	wall_group *group;
	int32_t *facet;
	int64_t *piece, piece_capacity; /* first group of each piece of the pair list, and the end */
} wall_groups;

typedef struct wall_work {
	vec3 position_before; /* pose before the last displacement */
	quat orientation_before;
	bool swept;	  /* whether a body may pass through the wall by more than its radius in this step */
	bool watched; /* whether a body can pass through the wall: it has two sides, or its force depends on the overlap */
	real gone;	  /* bound on the wall's path from the last search until a program moved it, in m */
	/* for driven motions */
	real half;					   /* velocity at the middle of a step, in m/s */
	real load, began, from, power; /* load (N), energy (J), position (m) and power (W) of free walls before the step */
	bool stopped;				   /* whether limits have changed the wall's speed in this step */
	real paired;				   /* displacement along the axis at the last search for pairs, in m */
} wall_work;

typedef struct work {
	struct broad_work *broad;	/* broad/work.h */
	struct narrow_work *narrow; /* narrow/work.h */
	struct solver_work *solver; /* solver/work.h */
	int64_t collisions;			/* number of collisions in the last step, in worlds with a solver */
	int32_t records;
	body_record *record; /* [records] packed data of partners for the stages */
	sums sums;
	real images_power;	 /* power of moving images in the last step, in W */
	bool heats;			 /* whether losses of the law heat bodies in this step (law/heat.c) */
	bool unbearable;	 /* whether a force on a body or in a contact exceeded the range of sums in the last step */
	thread_work *thread; /* [threads] */
	int32_t threads;
	int32_t walls, sources; /* rows of `wall` and `told` */
	wall_work *wall;
	fixed *load; /* [walls * WALL_SUMS] loads on walls that move (work/joint.h) */
	bool *told;	 /* two flags per source: whether lack of free space, and falling behind, were reported */
	pair_work pair[PAIR_KINDS];
	wall_groups near[PAIR_KINDS]; /* candidate facets, for kinds with walls */
	broad_skin skin;			  /* displacements allowed before the next search for pairs */
	flights flight;
	look_ahead ahead;			/* in implicit steps */
	vec3 middle;				/* centre of the box around all bodies at the last search, in m */
	real reach;					/* bound on the distance from `middle` to any body and to its paths to walls, in m */
	real paired_at;				/* time of the wall poses used in the last search, in s */
	real greatest_overlap_part; /* overlap in the last step, relative to scree_contact_small */
	real greatest_overlap_ever; /* maximum of this ratio since the world was created or loaded */
	deep_look deepest;			/* the deepest contact since the world was created or loaded */
	real greatest_speed;		/* largest speed in the last step, in m/s; NaN if any speed is NaN */
	bool not_a_number;			/* whether the position or speed of a body is NaN or infinite after the drift */
	breach breach;				/* the breach in the last step; if there are several, the one with the lowest id */
	crossing crossed;			/* the crossing in the last step; if there are several, the one with the lowest ids */
	passing passed;		/* bodies that may pass through each other in the last step: the pair with the lowest ids */
	real thinnest;		/* lower bound on the thickness between two bodies, in m; computed in each search */
	halo_bounds halo;	/* computed in each search for pairs */
	bool left_domain;	/* whether a body is outside guard.low .. high */
	bool ghosts_behind; /* whether ghosts still have the values from before the kick of this step */
	int64_t touching;	/* number of contacts in the last step */
	int64_t rebuilds;
	feature_counts features;
	feature_counts wall_features; /* contacts between bodies (features) and with walls, since creation or loading */
	real drift_way;				  /* bound on a body's last drift, and half the motion of sheared images, in m */
	start_look start;			  /* set before the first step of a scene, otherwise zero */
	real stiffest_drag;			  /* highest rate at which the fluid slowed down a body in the last step, in 1/s */
	step_load heaviest; /* the heaviest load since creation or loading, among those at calls of scree_world_watch */
	energy_row noted;	/* the ledger before changes by the caller (scree_world_changing), if `changing` is set */
	bool changing;
	applied applied; /* external forces */
	clock_table clock;
	joint_numbers_of_step joint;
	after_join after; /* functions called when the combined numbers have arrived */
	fail why;
	device *device; /* makes the steps; NULL: the processor */
	domain domain;	/* this part of a divided world; the numbers above cover all parts, except `breach` */
} work;

SCREE_FN void scree_overlap_noted(work *w)
{
	w->greatest_overlap_ever = real_max(w->greatest_overlap_ever, w->greatest_overlap_part);
}

/* makes room for one thread_work per current thread; existing ones keep their contents */
void scree_threads_room(work *w);
/* Moves the energies of ended contacts from all threads to the ledger and the classes. */
void scree_threads_ended(work *w, ledger *to, energy_class *classes);
void scree_threads_free(work *w);
/* makes rows for this number of walls and sources; existing ones keep their contents */
void scree_work_room(work *w, int32_t walls, int32_t sources);

#endif
