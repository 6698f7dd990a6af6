#include "model/model.h"

#include "wall/walls.h"

/* Returns the value from a table, which is constant after its last row, or the given constant if there are no rows. */
static vec3 value_at(const motion_table *t, vec3 constant, real time)
{
	vec3 value = constant, slope;
	if (t->rows && time > t->row[t->rows - 1].time) return t->row[t->rows - 1].value;
	if (t->rows) scree_motion_table_at(t, time, &value, &slope);
	return value;
}

vec3 scree_cell_rate(const cell_rule *c, real time)
{
	vec3 rate = value_at(&c->over, c->rate, time - c->from);
	for (int32_t d = 0; d < 3; ++d)
		if (c->servo[d]) *v3_along(&rate, d) = 0;
	return rate;
}

vec3 scree_cell_goal(const cell_rule *c, real time) { return value_at(&c->goal, c->stress, time - c->goal_from); }
