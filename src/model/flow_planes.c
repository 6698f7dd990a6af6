#include "model/flow_planes.h"

#include "model/periods.h"

#include <string.h>

int32_t scree_flow_plane_axis(const periods *p, const flow_plane *f)
{
	for (int32_t d = 0; d < 3; ++d)
		if (p->axis[d] && real_abs(v3_part(f->normal, d)) == 1) return d;
	return -1;
}

const char *scree_flow_plane_fault(const periods *p, const flow_plane *f)
{
	if (!p->on) return NULL;
	const int32_t axis = scree_flow_plane_axis(p, f);
	if (p->shears && f->bounded)
		return "a rectangle cannot count in a sheared world, whose images move past it: count the whole plane";
	if (p->shears && axis == p->flow)
		return "its normal cannot be along the flow of a sheared world, whose images move past the plane";
	for (int32_t d = 0; d < 3; ++d) {
		const real from = v3_part(f->point, d) - v3_part(p->low, d);
		if (p->axis[d] && axis != d && v3_part(f->normal, d) != 0)
			return "in a periodic world its normal must be along an axis, or across all periodic axes";
		if (p->axis[d] && (axis == d || f->bounded) && !(from >= 0 && from < v3_part(p->size, d)))
			return "its point must be inside world.domain along periodic axes";
	}
	return NULL;
}

int32_t scree_flow_plane_find(const flow_planes *f, const char *name)
{
	int32_t k = f->count - 1;
	while (k >= 0 && strcmp(f->row[k].name, name) != 0) --k;
	return k;
}

static bool same_plane(const flow_plane *a, const flow_plane *b)
{
	return v3_equal(a->point, b->point) && v3_equal(a->normal, b->normal) && a->bounded == b->bounded &&
		   v3_equal(a->along, b->along) && v3_equal(a->across, b->across) && a->half[0] == b->half[0] &&
		   a->half[1] == b->half[1] && a->material == b->material && a->sizes[0] == b->sizes[0] &&
		   a->sizes[1] == b->sizes[1];
}

bool scree_flow_planes_add(flow_planes *f, const flow_planes *more, fail *why)
{
	for (int32_t k = 0; k < more->count; ++k) {
		const flow_plane *plane = more->row + k;
		const int32_t row = scree_flow_plane_find(f, plane->name);
		if (row >= 0 && !same_plane(f->row + row, plane))
			return scree_refuse(why,
								"output.measures.%s: bodies that pass this plane have been counted since the start; "
								"give a new plane a new name",
								plane->name);
		if (row < 0 && f->count == FLOW_PLANES)
			return scree_refuse(
				why, "output.measures.%s: a run has counted bodies through %d planes, but at most %d are allowed",
				plane->name, FLOW_PLANES, FLOW_PLANES);
		if (row < 0) f->row[f->count++] = *plane;
	}
	return true;
}
