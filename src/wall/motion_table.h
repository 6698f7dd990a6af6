/* motion_table.h: functions of time by tables (see motion_table in walls.h). */
#ifndef SCREE_WALL_MOTION_TABLE_H
#define SCREE_WALL_MOTION_TABLE_H

#include "wall/walls.h"

/* How the values between rows follow from those of the rows. */
typedef enum table_kind {
	TABLE_LINEAR,
	TABLE_SMOOTH, /* cubic, without overshoot (Fritsch and Butland 1984), at rest in the first and the last row */
	TABLE_RATES	  /* the rows hold rates, linear in between; their values are set to the integral */
} table_kind;

/* Derives the slopes of rows from their times and values; TABLE_RATES: the values from the slopes. */
motion_table scree_motion_table_of(motion_row *row, int32_t rows, table_kind kind);
/* Value and rate at this time since the motion began. */
void scree_motion_table_at(const motion_table *t, real time, vec3 *value, vec3 *rate);
/* Bound on the length of the path between two times, and on the rate at any time. */
real scree_motion_table_way(const motion_table *t, real from, real to);
real scree_motion_table_fastest(const motion_table *t);
/* Whether it has rows of finite numbers with rising times from 0 on. */
bool scree_motion_table_is_valid(const motion_table *t);
bool scree_motion_table_same(const motion_table *a, const motion_table *b);

#endif
