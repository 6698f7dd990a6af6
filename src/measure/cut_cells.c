/* cut_cells: the cells of a box that a body and its images reach, and the part of the body in each. */
#include "kernel/quat.h"
#include "measure/cells.h"

/* A body, or one of its images. */
typedef struct cut_body {
	const shape *of;
	vec3 at;
	mat3 turn;
	real size, radius, volume, mass;
	int32_t class;
} cut_body;

/* The first and the last cell along an axis that a ball reaches; none: last < first. */
typedef struct reach {
	int32_t first, last;
} reach;

static real border(const measure_plan *p, int d, int32_t k)
{
	const real low = v3_part(p->where.low, d), high = v3_part(p->where.high, d);
	return k == p->cells[d] ? high : low + (high - low) * ((real)k / (real)p->cells[d]);
}

static reach reach_along(const measure_plan *p, const cut_body *b, int d)
{
	const real low = v3_part(p->where.low, d), n = (real)p->cells[d], each = (v3_part(p->where.high, d) - low) / n,
			   at = v3_part(b->at, d) - low;
	if (at + b->radius <= 0 || at - b->radius >= each * n) return (reach){0, -1};
	return (reach){(int32_t)real_clamp((at - b->radius) / each - (real)0.01, 0, n - 1),
				   (int32_t)real_clamp((at + b->radius) / each + (real)0.01, 0, n - 1)};
}

/* The planes of a cell that cut the body, in the frame of its shape and for size 1; -1: it is outside. */
static int32_t planes_of(const measure_plan *p, const cut_body *b, const int32_t cell[3], clump_plane *plane)
{
	int32_t count = 0;
	for (int side = 0; side < 6; ++side) {
		const int d = side / 2;
		const real sign = side % 2 ? 1 : -1, h = sign * (border(p, d, cell[d] + side % 2) - v3_part(b->at, d));
		if (h <= -b->radius) return -1;
		if (h >= b->radius) continue;
		vec3 u = v3(0, 0, 0);
		*v3_along(&u, d) = sign;
		plane[count++] = (clump_plane){mat3_tmul(b->turn, u), h / b->size};
	}
	return count;
}

static void add_to_cell(const measure_plan *p, const cut_body *b, const int32_t k[3], fixed *sum)
{
	clump_plane plane[CUT_PLANES];
	const int32_t planes = planes_of(p, b, k, plane);
	if (planes < 0) return;
	const real part = scree_cut_part(b->of, planes, plane);
	const int64_t cell = ((int64_t)k[2] * p->cells[1] + k[1]) * p->cells[0] + k[0];
	fixed *to = sum + (cell * p->classes + b->class) * CUT_SUMS;
	scree_fixed_add(to + CUT_VOLUME, b->volume * part);
	scree_fixed_add(to + CUT_MASS, b->mass * part);
}

static void add_to_cells(const measure_plan *p, const cut_body *b, fixed *sum)
{
	const reach x = reach_along(p, b, 0), y = reach_along(p, b, 1), z = reach_along(p, b, 2);
	if (x.last < x.first || y.last < y.first) return;
	for (int32_t k = z.first; k <= z.last; ++k)
		for (int32_t j = y.first; j <= y.last; ++j)
			for (int32_t i = x.first; i <= x.last; ++i) add_to_cell(p, b, (int32_t[]){i, j, k}, sum);
}

/* Whether space repeats along all axes along which this image is another one than the body. */
static bool repeats(const periods *p, image e)
{
	return (p->axis[0] || !e.x) && (p->axis[1] || !e.y) && (p->axis[2] || !e.z);
}

void scree_cut_body(const measure_plan *p, const scree_world *w, int32_t i, int32_t class, real volume, fixed *sum)
{
	const bodies *a = &w->state.body;
	const vec3 at = body_position(a, i);
	cut_body b = {.of = w->model.shape.row + a->shape[i],
				  .at = at,
				  .turn = quat_matrix(body_orientation(a, i)),
				  .size = a->size[i],
				  .radius = a->radius[i],
				  .volume = volume,
				  .mass = a->mass[i],
				  .class = class};
	if (!w->model.period.on) add_to_cells(p, &b, sum);
	for (int32_t code = 0; code < IMAGE_CODES && w->model.period.on; ++code) {
		if (!repeats(&w->model.period, image_of_code(code))) continue;
		b.at = v3_add(at, w->state.images.shift[code]);
		add_to_cells(p, &b, sum);
	}
}
