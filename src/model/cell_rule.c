#include "model/cell_rule.h"

#include "wall/motion_table.h"

vec3 scree_cell_rate(const cell_rule *c, real time)
{
	vec3 rate = c->rate, slope;
	if (c->over.rows) scree_motion_table_at(&c->over, time - c->from, &rate, &slope);
	if (c->over.rows && time - c->from > c->over.row[c->over.rows - 1].time) rate = c->over.row[c->over.rows - 1].value;
	for (int32_t d = 0; d < 3; ++d)
		if (c->servo[d]) *v3_along(&rate, d) = 0;
	return rate;
}
