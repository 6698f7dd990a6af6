#include "law/each_patch.h"

static real with_bodies(const job *j, const rows *r, enum extra extra)
{
	return patches_of(j, r, LAW_AREA, false, extra);
}
static real with_walls(const job *j, const rows *r, enum extra extra)
{
	return patches_of(j, r, LAW_AREA, true, extra);
}

real scree_patches_area(const job *j, const rows *r, bool on_wall, enum extra extra)
{
	return on_wall ? with_walls(j, r, extra) : with_bodies(j, r, extra);
}
