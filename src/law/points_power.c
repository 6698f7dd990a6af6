#include "law/each_point.h"

LOOPS(each_point, power, LAW_POWER, spheres, OF_SPHERES)
LOOPS(each_point, power, LAW_POWER, bodies, OF_BODIES)
LOOPS(each_point, power, LAW_POWER, wall, OF_WALL)

loop_fn *const scree_points_power[PAIR_KINDS][EXTRAS] = {
	[PAIR_SPHERE_SPHERE] = CELL(each_point, power, spheres),
	[PAIR_SPHERE_CONVEX] = CELL(each_point, power, bodies),
	[PAIR_SPHERE_WALL] = CELL(each_point, power, wall),
};
