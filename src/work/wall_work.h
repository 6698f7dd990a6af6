/* wall_work.h: derived data of a wall. */
#ifndef SCREE_WORK_WALL_WORK_H
#define SCREE_WORK_WALL_WORK_H

#include "base/real.h"

typedef struct wall_work {
	vec3 position_before; /* pose before the last move */
	quat orientation_before;
	bool swept;	  /* a body may move past it by more than its radius in this step */
	bool watched; /* a body can pass through it: it has sides, or pushes by overlap */
	real gone;	  /* m: bound on its path since the last search for pairs, before its motion was set; by a program */
	/* driven motions */
	real half;					   /* m/s in the middle of a step */
	real load, began, from, power; /* N, J, m, W: of a free wall at the start of the step (motion/walls_to_poses.c) */
	bool stopped;				   /* its limits have changed its speed in this step */
	real paired;				   /* m: displacement along the axis at the last search for pairs */
} wall_work;

#endif
