/* work.h: derived data. It may be discarded between two steps and is then computed again, with the same results; `skin`
 * must be stale then (lab_lose_work in tests/lab.c does this). Not computed again by a step:
 * - `domain`, which the caller sets, and `why`;
 * - reports since the world was created or loaded, which start again: told, greatest_overlap_ever, deepest, rebuilds,
 *   features, wall_features, start, heaviest, clock, and of walls mean, reached and heard;
 * - noted and changing: without them a change by the caller counts as not announced. */
#ifndef SCREE_WORK_WORK_H
#define SCREE_WORK_WORK_H

#include "base/clock.h"
#include "base/fail.h"
#include "kernel/patch.h"
#include "model/periods.h"
#include "ranks/together/domain.h"
#include "state/pair_kinds.h"
#include "work/ahead.h"
#include "work/flights.h"
#include "work/joint.h"
#include "work/looks.h"
#include "work/pair_work.h"
#include "work/threads.h"

/* External forces on bodies, by a function of the caller (model/model.h), in the last step. */
typedef struct applied {
	real *force[6]; /* [room] */
	int32_t room;
	real power; /* W, in the last step */
	bool steps; /* bodies have moved since the previous implicit step: it is not an evaluation at the same time */
} applied;

/* Data of a partner that stages between drift and kick read, in two cache lines: partners are scattered in memory, and
 * separate arrays would cost a dozen cache lines each. Rebuilt each step from the arrays of bodies. Laws read the first
 * cache line and the first half of the second. */
typedef struct body_record {
	vec3 position;
	real round; /* radius of the sphere of the same volume */
	vec3 velocity;
	real inv_mass;
	vec3 angular_velocity;
	real mass, radius; /* radius: of the bounding sphere */
	int32_t material, shape;
	image cell; /* in worlds with periods: the cells that it has crossed */
	int32_t spare;
} body_record;
_Static_assert(sizeof(body_record) == 128, "two cache lines");

/* Displacements allowed before pairs must be searched for again. Affects only speed, not results. */
typedef struct broad_skin {
	real width;	   /* m: each box is enlarged by half of this on each side, or by more if its body is fast */
	real inner;	   /* m: slow bodies with surfaces this far apart do not touch before rows are selected again */
	real beyond;   /* m: displacement in excess of that for which rows hold, largest of all bodies; 0 or more: stale */
	bool spent;	   /* the displacement of a flying body may have reached its margin */
	real step;	   /* m: bound on the displacement of the fastest body in this step */
	real smallest; /* m: radius of the smallest body */
	real least_period; /* m: for cells that change their size, that at the start (scree_skin_least_period) */
	real gap;		   /* m: largest gap within which bodies become bonded */
	real reach;		   /* m: distance up to which surfaces act on each other (cohesion, bonds); 0: only in contact */
	real clings;	   /* m: range of cohesion, including that on walls */
	real bridges;	   /* m: largest length of liquid bridges; 0: there are none */
	bool stale;		   /* pairs must be searched for again in any case */
	bool unsure; /* distances in new slots were unknown: rows are chosen again after the narrow phase has tested all */
	int64_t since; /* steps since the rebuild */
	int64_t slots; /* pairs of spheres at the last rebuild */
} broad_skin;

/* The slots of one body and one wall, with their candidate facets, which the narrow phase examines together (seams). */
typedef struct wall_group {
	int32_t body, wall;
	int64_t slot; /* its slots are rows slot .. slot+slots-1 of the pair list, in ascending order of surface */
	int32_t slots, facets;
	int64_t facet; /* its candidate facets are rows facet .. facet+facets-1 of wall_groups.facet */
	real apart; /* cache: m; the centre meets no facet of a wall at rest while the body's displacement is below this */
} wall_group;

typedef struct wall_groups {
	int64_t count, capacity, facets, facet_capacity;
	wall_group *group;
	int32_t *facet;
	int64_t *piece, piece_capacity; /* first group of each piece of the pair list, and the end */
} wall_groups;

/* Derived data of a wall. */
typedef struct wall_work {
	vec3 position_before; /* pose before the last displacement */
	quat orientation_before;
	bool swept;	  /* a body may pass it by more than its radius in this step */
	bool watched; /* a body can pass through it: it has sides, or pushes by overlap */
	real gone;	  /* m: bound on its path since the last search for pairs, before a program set its motion */
	/* for driven motions */
	real half;					   /* m/s in the middle of a step */
	real load, began, from, power; /* N, J, m, W: for a free wall at the start of the step (motion/walls_to_poses.c) */
	bool stopped;				   /* its limits have changed its speed in this step */
	real paired;				   /* m: displacement along the axis at the last search for pairs */
} wall_work;

typedef struct work {
	struct broad_work *broad;	/* broad/work.h */
	struct narrow_work *narrow; /* narrow/work.h */
	struct solver_work *solver; /* solver/work.h */
	int64_t collisions;			/* number in the last step, in worlds with a solver */
	int32_t records;
	body_record *record; /* [records] data of partners for the stages, packed */
	sums sums;
	real images_power;	 /* W: power of moving images in the last step */
	bool heats;			 /* in this step the law's losses heat bodies (law/heat.c) */
	bool unbearable;	 /* in the last step the force on a body, or of one contact, was beyond the range of sums */
	thread_work *thread; /* [threads] */
	int32_t threads;
	int32_t walls, sources; /* rows of `wall` and `told` */
	wall_work *wall;
	fixed *load; /* [walls * WALL_SUMS] load on walls that move (work/joint.h) */
	bool *told;	 /* two per source: the run has reported that it finds no free space, that it falls behind */
	pair_work pair[PAIR_KINDS];
	wall_groups near[PAIR_KINDS]; /* candidate facets, for kinds with walls */
	broad_skin skin;			  /* displacements allowed before pairs must be searched for again */
	flights flight;
	look_ahead ahead;			/* in implicit steps */
	vec3 middle;				/* m: centre of the box around all bodies at the last search */
	real reach;					/* m: bound on the distance of all bodies, and of their paths to walls, from `middle` */
	real paired_at;				/* s: time for which walls were placed in the last search */
	real greatest_overlap_part; /* overlap in the last step, relative to the diameter of the smaller body's sphere of
								   the same volume, or to the thickness between two bodies if that gives more */
	real greatest_overlap_ever; /* maximum of this since the world was created or loaded */
	deep_look deepest;			/* since the world was created or loaded */
	real greatest_speed;		/* m/s, in the last step; NaN if any speed is NaN */
	bool not_a_number;			/* the position or speed of a body is NaN or infinite after the drift */
	breach breach;				/* in the last step, the first one by the body's id */
	crossing crossed;			/* in the last step, the first one by ids */
	passing passed;				/* in the last step, the first one by ids */
	real thinnest;				/* m: lower bound on the thickness between two bodies; derived at each search */
	halo_bounds halo;			/* derived, at each search for pairs */
	bool left_domain;			/* a body is outside of guard.low .. high */
	bool ghosts_behind;			/* ghosts have their values before the kick of this step */
	int64_t touching;			/* contacts in the last step */
	int64_t rebuilds;
	feature_counts features;
	feature_counts wall_features; /* contacts of bodies (features) and with walls, since creation or loading */
	real drift_way;	  /* m: bound on the displacement of a body in the last drift, and half of that of sheared images */
	start_look start; /* before the first step of a scene; otherwise zero */
	real stiffest_drag; /* 1/s, in the last step: the fastest rate at which the fluid brakes a body */
	step_load heaviest; /* since creation or loading, by calls of scree_world_watch */
	energy_row noted;	/* the ledger before changes by the caller (scree_world_changing), if `changing` */
	bool changing;
	applied applied; /* external forces */
	clock_table clock;
	joint_numbers_of_step joint;
	after_join after; /* functions called when the numbers have arrived */
	fail why;
	domain domain; /* this part of a divided world; numbers above are over all parts, except `breach` */
} work;

SCREE_FN void scree_overlap_noted(work *w)
{
	w->greatest_overlap_ever = real_max(w->greatest_overlap_ever, w->greatest_overlap_part);
}

/* makes room for one thread_work per current thread; existing ones keep their contents */
void scree_threads_room(work *w);
/* Moves the energies of contacts that ended from all threads to the ledger and the classes. */
void scree_threads_ended(work *w, ledger *to, energy_class *classes);
void scree_threads_free(work *w);
/* makes rows for this number of walls and sources; existing ones keep their contents */
void scree_work_room(work *w, int32_t walls, int32_t sources);

#endif
