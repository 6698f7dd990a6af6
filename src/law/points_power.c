#include "law/each_point.h"

static real with_spheres(const job *j, const rows *r, enum extra extra)
{
	return points_of(j, r, LAW_POWER, OF_SPHERES, extra);
}
static real with_bodies(const job *j, const rows *r, enum extra extra)
{
	return points_of(j, r, LAW_POWER, OF_BODIES, extra);
}
static real with_walls(const job *j, const rows *r, enum extra extra)
{
	return points_of(j, r, LAW_POWER, OF_WALL, extra);
}

real scree_points_power(const job *j, const rows *r, partner with, enum extra extra)
{
	return with == OF_SPHERES  ? with_spheres(j, r, extra)
		   : with == OF_BODIES ? with_bodies(j, r, extra)
							   : with_walls(j, r, extra);
}
