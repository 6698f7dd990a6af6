#include "measure/measure.h"

int32_t scree_cells(const measure_plan *p) { return p->cells[0] * p->cells[1] * p->cells[2] * p->classes; }

/* Index of one of `count` cells, for a position `part` (0 .. 1) along the axis; -1 if outside. */
static int32_t number(real part, int32_t count)
{
	if (!(part >= 0 && part <= 1)) return -1;
	const int32_t k = (int32_t)(part * (real)count);
	return k < count ? k : count - 1;
}

/* Position along the axes of cells, 0 to 1: x, y, z in a box; radius and height in a cylinder; radius in a ball. */
static vec3 parts_of(const region *g, vec3 at)
{
	if (g->type == REGION_BOX) {
		const vec3 d = v3_sub(at, g->low), size = v3_sub(g->high, g->low);
		return v3(d.x / size.x, d.y / size.y, g->flat ? 0 : d.z / size.z);
	}
	const vec3 d = v3_sub(at, g->centre);
	if (g->type == REGION_SPHERE) return v3(v3_norm(d) / g->radius, 0, 0);
	const real along = v3_dot(d, g->axis);
	return v3(v3_norm(v3_madd(d, -along, g->axis)) / g->radius, 0, along / g->length + (real)0.5);
}

int32_t scree_class_of(const measure_plan *p, real size)
{
	if (p->sizes[1] <= 0) return 0;
	const real wide = p->sizes[1] - p->sizes[0];
	return number(wide > 0 ? (size - p->sizes[0]) / wide : size == p->sizes[0] ? 0 : -1, p->classes);
}

int32_t scree_cell_at(const measure_plan *p, vec3 at)
{
	if (!p->bounded) return 0;
	const vec3 part = parts_of(&p->where, at);
	int32_t cell = 0;
	for (int d = 2; d >= 0; --d) {
		const int32_t k = number(v3_part(part, d), p->cells[d]);
		if (k < 0) return -1;
		cell = cell * p->cells[d] + k;
	}
	return cell * p->classes;
}

/* indices of a cell along the axes */
static void numbers_of(const measure_plan *p, int32_t cell, int32_t k[3])
{
	cell /= p->classes;
	for (int d = 0; d < 3; ++d) {
		k[d] = cell % p->cells[d];
		cell /= p->cells[d];
	}
}

/* Fraction of the region's volume between radii k and k + 1 of n; the volume grows as this power of the radius. */
static real ring(int32_t k, int32_t n, int power)
{
	const real in = (real)k / (real)n, out = (real)(k + 1) / (real)n;
	return power == 2 ? out * out - in * in : out * out * out - in * in * in;
}

real scree_cell_volume(const measure_plan *p, int32_t cell)
{
	const region *g = &p->where;
	int32_t k[3];
	if (!p->bounded) return INFINITY;
	numbers_of(p, cell, k);
	const real all = scree_region_volume(g);
	if (g->type == REGION_BOX) return all / (real)p->cells[0] / (real)p->cells[1] / (real)p->cells[2];
	return all * ring(k[0], p->cells[0], g->type == REGION_SPHERE && !g->flat ? 3 : 2) / (real)p->cells[2];
}

cell_axes scree_cell_axes(const measure_plan *p)
{
	static const char *const box[] = {"x[m]", "y[m]", "z[m]"}, *const round[] = {"radius[m]", "", "along[m]"};
	cell_axes a = {0};
	for (int d = 0; d < 3; ++d)
		if (p->cells[d] > 1) a.name[a.count++] = p->where.type == REGION_BOX ? box[d] : round[d];
	if (p->classes > 1) a.name[a.count++] = "size[m]";
	return a;
}

/* the middle of the cell along one axis */
static real middle(const measure_plan *p, int d, int32_t k)
{
	const region *g = &p->where;
	const real part = ((real)k + (real)0.5) / (real)p->cells[d];
	if (g->type == REGION_BOX) return v3_part(g->low, d) + part * (v3_part(g->high, d) - v3_part(g->low, d));
	return d == 0 ? part * g->radius : (part - (real)0.5) * g->length;
}

void scree_cell_middle(const measure_plan *p, int32_t cell, real value[4])
{
	int32_t k[3], n = 0;
	numbers_of(p, cell, k);
	for (int d = 0; d < 3; ++d)
		if (p->cells[d] > 1) value[n++] = middle(p, d, k[d]);
	const real part = ((real)(cell % p->classes) + (real)0.5) / (real)p->classes;
	if (p->classes > 1) value[n] = p->sizes[0] + part * (p->sizes[1] - p->sizes[0]);
}
