#include "law/each_point.h"

LOOPS(each_point, hertz, LAW_HERTZ, spheres, OF_SPHERES)
LOOPS(each_point, hertz, LAW_HERTZ, bodies, OF_BODIES)
LOOPS(each_point, hertz, LAW_HERTZ, wall, OF_WALL)

loop_fn *const scree_points_hertz[PAIR_KINDS][EXTRAS] = {
	[PAIR_SPHERE_SPHERE] = CELL(each_point, hertz, spheres),
	[PAIR_SPHERE_CONVEX] = CELL(each_point, hertz, bodies),
	[PAIR_SPHERE_WALL] = CELL(each_point, hertz, wall),
};
