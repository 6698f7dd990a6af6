/* work.h: derived; it may be thrown away and made again at any time. */
#ifndef SCREE_WORK_WORK_H
#define SCREE_WORK_WORK_H

#include "base/clock.h"
#include "base/fail.h"
#include "domain/domain.h"
#include "kernel/patch.h"
#include "state/pair_kinds.h"
#include "work/flights.h"
#include "work/looks.h"
#include "work/record.h"
#include "work/skin.h"
#include "work/threads.h"
#include "work/wall_groups.h"

typedef struct work {
	struct broad_work *broad;	/* broad/work.h */
	struct narrow_work *narrow; /* narrow/work.h */
	struct solver_work *solver; /* solver/work.h */
	int64_t collisions;			/* in the last step, of worlds with a solver */
	real longest; /* m: with a solver, a body that moves farther in a step may pass through another unseen */
	int32_t records;
	body_record *record; /* [records] what stages ask of partners, packed */
	sums sums;
	real images_power;	 /* W, by images that move, in the last step */
	bool unbearable;	 /* in the last step: a contact's force, or a body's sum, is beyond what sums hold */
	thread_work *thread; /* [threads] */
	int32_t threads;
	wall_groups near[PAIR_KINDS]; /* candidate facets, of kinds with walls */
	broad_skin skin;			  /* how far bodies may move before pairs must be found anew */
	flights flight;
	vec3 middle;				/* m: of the box around all bodies when pairs were found; */
	real reach;					/* m: no body and no way to a wall was farther from it */
	real paired_at;				/* s: time for which walls were placed in that search */
	real greatest_overlap_part; /* in the last step: overlap over the diameter of the smaller body's sphere of the same
								   volume; of two bodies over the thickness between them, if that is more */
	real greatest_overlap_ever; /* the same since the world was made or loaded */
	deep_look deepest;			/* since the world was made or loaded */
	real greatest_speed;		/* m/s, in the last step; NaN when anything is */
	bool not_a_number;			/* the place or the speed of a body, after its drift */
	breach breach;				/* in the last step, the first one by the body's id */
	crossing crossed;			/* in the last step, the first one by ids */
	passing passed;				/* in the last step, the first one by ids */
	real thinnest;				/* m: no two bodies have less thickness between them; derived, at each search */
	halo_bounds halo;			/* derived, at each search for pairs */
	bool left_domain;			/* a body is outside of guard.low .. high */
	int64_t touching;			/* contacts in the last step */
	int64_t rebuilds;
	feature_counts features;
	feature_counts wall_features; /* of bodies with one another and with walls, since made or loaded */
	real drift_way;	  /* m: bound on the displacement of a body in the last drift, and half of that of sheared images */
	start_look start; /* of a scene, before its first step; else zero */
	real stiffest_drag; /* 1/s, in the last step: the fastest rate at which the fluid brakes a body */
	step_load heaviest; /* since made or loaded, of the moments at which scree_world_watch was called */
	clock_table clock;
	fail why;
	domain domain; /* which part of a divided world this is; numbers above are of all parts, but for `breach` */
} work;

/* as many thread_work as there are threads now; those of before keep what they hold */
void scree_threads_room(work *w);
void scree_threads_free(work *w);

#endif
