#include "law/each_point.h"

LOOPS(each_point, linear, LAW_LINEAR, spheres, OF_SPHERES)
LOOPS(each_point, linear, LAW_LINEAR, bodies, OF_BODIES)
LOOPS(each_point, linear, LAW_LINEAR, wall, OF_WALL)

loop_fn *const scree_points_linear[PAIR_KINDS][EXTRAS] = {
	[PAIR_SPHERE_SPHERE] = CELL(each_point, linear, spheres),
	[PAIR_SPHERE_CONVEX] = CELL(each_point, linear, bodies),
	[PAIR_SPHERE_WALL] = CELL(each_point, linear, wall),
};
