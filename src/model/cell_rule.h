/* cell_rule.h: how a periodic cell changes its size (model/periods.h): each axis by a given strain rate, or by a servo
 * for a given stress. docs/theory/periodic.md */
#ifndef SCREE_MODEL_CELL_RULE_H
#define SCREE_MODEL_CELL_RULE_H

#include "wall/walls.h"

typedef struct cell_rule {
	vec3 rate;		   /* 1/s: d ln(size) / dt; negative: the cell shrinks */
	motion_table over; /* 1/s: these rates over time, counted from `from`; no rows: constant */
	real from;		   /* s */
	bool servo[3];	   /* the size of these axes follows from the stress */
	vec3 stress;	   /* Pa, compression positive: of axes with a servo; with a table the greatest along each axis */
	motion_table goal; /* Pa: these stresses over time, counted from `goal_from`; no rows: constant */
	real goal_from;	   /* s */
	real limit;		   /* 1/s: greatest strain rate of a servo; 0: from the bodies at the start */
	real lag;		   /* s: time in which a servo changes the rate; 0: from the contact time at the start */
} cell_rule;

SCREE_FN bool cell_has_servo(const cell_rule *c) { return c->servo[0] || c->servo[1] || c->servo[2]; }
/* 1/s: the given strain rates at this time; zero along axes with a servo */
vec3 scree_cell_rate(const cell_rule *c, real time);
/* Pa: the stresses that axes with a servo are to have at this time */
vec3 scree_cell_goal(const cell_rule *c, real time);

#endif
