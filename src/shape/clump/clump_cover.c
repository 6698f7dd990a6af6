/* clump_cover: distances to a surface, and the fraction of the interior covered by spheres, on a grid. The covered
 * fraction of the cube around a point increases from 0, half a step outside the sphere, to 1, half a step inside. The
 * covered volume thus changes smoothly with radius and position, so a search can follow its slope. If several spheres
 * cover a cube, the largest fraction counts. */
#include "shape/clump/clump_internal.h"

#include "base/maths.h"
#include "base/memory.h"
#include "base/progress.h"
#include "kernel/triangle.h"
#include "shape/clump/clump.h"

/* approximate number of points inside, points per sphere, and largest number of points in the box per point inside */
static const real POINTS = 20000, SPHERE_POINTS = 40, CELLS = 15;

/* The search for the point of a surface nearest to a given point visits the nearer of two boxes first, and skips boxes
 * that are farther away than the best result. */
static real box_apart2(const trimesh_node *n, vec3 p)
{
	real x = real_max(0, real_max(n->low.x - p.x, p.x - n->high.x));
	real y = real_max(0, real_max(n->low.y - p.y, p.y - n->high.y));
	real z = real_max(0, real_max(n->low.z - p.z, p.z - n->high.z));
	return x * x + y * y + z * z;
}

static void look_at(const trimesh *m, vec3 p, int32_t t, near_surface *best, real *best2)
{
	const int32_t *c = &m->corner[3 * (int64_t)t];
	vec3 a = m->vertex[c[0]], b = v3_sub(m->vertex[c[1]], a), d = v3_sub(m->vertex[c[2]], a), r = v3_sub(a, p);
	tri_weights w = tri_closest(t3(r.x, r.y, r.z), t3(b.x, b.y, b.z), t3(d.x, d.y, d.z));
	vec3 way = v3_madd(v3_madd(r, w.b, b), w.c, d);
	real apart2 = v3_norm2(way);
	if (!(apart2 < *best2)) return;
	*best2 = apart2;
	best->at = v3_add(p, way);
	best->triangle = t;
}

near_surface scree_trimesh_near(const trimesh *m, vec3 p, int32_t hint)
{
	enum { MOST = 128 };
	near_surface best = {.triangle = hint};
	real best2 = (real)INFINITY, apart2[MOST];
	int32_t wait[MOST];
	int waiting = 1;
	look_at(m, p, hint, &best, &best2);
	wait[0] = 0;
	apart2[0] = box_apart2(&m->node[0], p);
	while (waiting > 0) {
		--waiting;
		const trimesh_node *n = &m->node[wait[waiting]];
		if (!(apart2[waiting] < best2)) continue;
		for (int32_t k = 0; k < n->count; ++k) look_at(m, p, n->first + k, &best, &best2);
		if (n->count > 0) continue;
		real one = box_apart2(&m->node[n->first], p), two = box_apart2(&m->node[n->first + 1], p);
		SCREE_ASSERT(waiting + 2 <= MOST);
		bool swap = one < two; /* the nearer box is popped first */
		wait[waiting] = n->first + (swap ? 1 : 0), apart2[waiting++] = swap ? two : one;
		wait[waiting] = n->first + (swap ? 0 : 1), apart2[waiting++] = swap ? one : two;
	}
	best.apart = sqrt(best2);
	return best;
}

static int64_t cell(const cover_grid *g, int32_t x, int32_t y, int32_t z)
{
	return x + (int64_t)g->n[0] * (y + (int64_t)g->n[1] * z);
}

vec3 scree_cover_point(const cover_grid *g, int32_t x, int32_t y, int32_t z)
{
	return v3_add(g->from, v3((real)x * g->step.x, (real)y * g->step.y, (real)z * g->step.z));
}

/* Finds inside points and their depths. Points closer to a tested point than the surface are on the same side. */
static void make_row(cover_grid *g, const trimesh *m, int32_t y, int32_t z, int32_t *hint)
{
	bool solid = false;
	real far = 0; /* points within this distance of the last tested point are on the same side */
	for (int32_t x = 0; x < g->n[0]; ++x, far -= g->step.x) {
		int64_t i = cell(g, x, y, z);
		bool known = far > g->step.x * (real)1e-6;
		if (!known || solid) {
			vec3 p = scree_cover_point(g, x, y, z);
			near_surface s = scree_trimesh_near(m, p, *hint);
			*hint = s.triangle;
			if (!known) solid = scree_trimesh_inside(m, p) > 0;
			g->depth[i] = far = s.apart;
		}
		g->solid[i] = solid;
		g->covered[i] = solid ? 0 : 1;
		g->inside += solid;
	}
}

void scree_cover_make(cover_grid *g, const trimesh *m, real volume, int32_t spheres)
{
	vec3 low = m->node[0].low, high = m->node[0].high, side = v3_sub(high, low);
	real points = real_max(POINTS, SPHERE_POINTS * (real)spheres);
	real box = side.x * side.y * side.z, step3 = real_max(volume / points, box / (CELLS * points));
	g->blur = scree_exp(scree_log(step3) / 3);
	const real sides[3] = {side.x, side.y, side.z};
	/* a side shorter than a cell has one cell, so thin plates may have too many cells, which are then widened */
	for (real cells = INFINITY; cells > 4 * CELLS * points; g->blur *= cells > 4 * CELLS * points ? (real)1.25 : 1) {
		for (int k = 0; k < 3; ++k)
			g->n[k] = (int32_t)real_clamp(scree_floor(sides[k] / g->blur + (real)0.5), 1, CELLS * points);
		cells = (real)g->n[0] * (real)g->n[1] * (real)g->n[2];
	}
	g->step = v3(side.x / (real)g->n[0], side.y / (real)g->n[1], side.z / (real)g->n[2]);
	g->from = v3_madd(low, (real)0.5, g->step);
	size_t cells = (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];
	g->solid = scree_alloc(cells, sizeof *g->solid);
	g->depth = scree_alloc(cells, sizeof *g->depth);
	g->covered = scree_alloc(cells, sizeof *g->covered);
	int32_t hint = 0;
	for (int32_t z = 0; z < g->n[2]; ++z)
		for (int32_t y = 0; y < g->n[1]; ++y) {
			scree_progress("points inside: row %d of %d", z * g->n[1] + y, g->n[1] * g->n[2]);
			make_row(g, m, y, z, &hint);
		}
}

void scree_cover_clear(cover_grid *g)
{
	int64_t cells = cell(g, 0, 0, g->n[2]);
	for (int64_t i = 0; i < cells; ++i) g->covered[i] = g->solid[i] ? 0 : 1;
}

void scree_cover_free(cover_grid *g)
{
	SCREE_FREE_ALL(g->solid, g->depth, g->covered);
	*g = (cover_grid){0};
}

/* ------------------------------------------------------------------ loops over the grid */

typedef struct range {
	int32_t low, high; /* range is empty if high < low */
} range;

static range points_within(real from, real step, int32_t n, real place, real half)
{
	real low = scree_floor((place - half - from) / step) + 1, high = scree_floor((place + half - from) / step);
	return (range){(int32_t)real_clamp(low, 0, (real)n), (int32_t)real_clamp(high, -1, (real)n - 1)};
}

typedef struct block {
	range x, y, z;
} block;

static block block_around(const cover_grid *g, vec3 middle, real half)
{
	return (block){points_within(g->from.x, g->step.x, g->n[0], middle.x, half),
				   points_within(g->from.y, g->step.y, g->n[1], middle.y, half),
				   points_within(g->from.z, g->step.z, g->n[2], middle.z, half)};
}

static block block_of(const cover_grid *g, sphere s) { return block_around(g, s.centre, s.radius + g->blur / 2); }

/* range of points in row (y, z) that a sphere covers partly; across2: squared distance of its centre from the row */
static range row_of(const cover_grid *g, sphere s, int32_t y, int32_t z, real *across2)
{
	vec3 d = v3_sub(scree_cover_point(g, 0, y, z), s.centre);
	real half = s.radius + g->blur / 2;
	*across2 = d.y * d.y + d.z * d.z;
	real left = half * half - *across2;
	if (!(left > 0)) return (range){0, -1};
	return points_within(g->from.x, g->step.x, g->n[0], s.centre.x, sqrt(left));
}

static real cover(real radius, real across2, real x, real by_blur)
{
	real part = (radius - sqrt(across2 + x * x)) * by_blur + (real)0.5;
	return part < 1 ? part : 1;
}

real scree_cover_gain(const cover_grid *g, sphere s)
{
	block b = block_of(g, s);
	real sum = 0, by_blur = 1 / g->blur;
	for (int32_t z = b.z.low; z <= b.z.high; ++z)
		for (int32_t y = b.y.low; y <= b.y.high; ++y) {
			real across2;
			range r = row_of(g, s, y, z, &across2);
			const real *covered = &g->covered[cell(g, 0, y, z)];
			real from = g->from.x - s.centre.x;
			for (int32_t x = r.low; x <= r.high; ++x)
				sum += real_max(0, cover(s.radius, across2, from + (real)x * g->step.x, by_blur) - covered[x]);
		}
	return sum;
}

void scree_cover_open(const cover_grid *g, vec3 middle, real half, open_points *o)
{
	block b = block_around(g, middle, half);
	o->count = 0;
	for (int32_t z = b.z.low; z <= b.z.high; ++z)
		for (int32_t y = b.y.low; y <= b.y.high; ++y) {
			const real *covered = &g->covered[cell(g, 0, y, z)];
			for (int32_t x = b.x.low; x <= b.x.high; ++x) {
				if (!(covered[x] < 1)) continue;
				vec3 p = scree_cover_point(g, x, y, z);
				o->x[o->count] = p.x, o->y[o->count] = p.y, o->z[o->count] = p.z;
				o->covered[o->count++] = covered[x];
			}
		}
}

/* Points are processed in blocks; their gains are computed in parallel lanes and then added in order. */
real scree_cover_gain_of(const open_points *o, real blur, sphere s)
{
	enum { SIDE = 64 };
	real sum = 0, by_blur = 1 / blur, gain[SIDE];
	for (int32_t from = 0; from < o->count; from += SIDE) {
		const int32_t n = o->count - from < SIDE ? o->count - from : SIDE;
		const real *x = o->x + from, *y = o->y + from, *z = o->z + from, *covered = o->covered + from;
		for (int32_t i = 0; i < n; ++i) {
			real dx = x[i] - s.centre.x, dy = y[i] - s.centre.y, dz = z[i] - s.centre.z;
			gain[i] = real_max(0, cover(s.radius, dy * dy + dz * dz, dx, by_blur) - covered[i]);
		}
		for (int32_t i = 0; i < n; ++i) sum += gain[i];
	}
	return sum;
}

void scree_cover_add(cover_grid *g, sphere s)
{
	block b = block_of(g, s);
	real by_blur = 1 / g->blur, from = g->from.x - s.centre.x;
	for (int32_t z = b.z.low; z <= b.z.high; ++z)
		for (int32_t y = b.y.low; y <= b.y.high; ++y) {
			real across2;
			range r = row_of(g, s, y, z, &across2);
			real *covered = &g->covered[cell(g, 0, y, z)];
			for (int32_t x = r.low; x <= r.high; ++x)
				covered[x] = real_max(covered[x], cover(s.radius, across2, from + (real)x * g->step.x, by_blur));
		}
}

/* Uses the arithmetic of scree_cover_add. Most bricks are completely covered by one of the first spheres. */
static real covered_by(const cover_grid *g, int32_t x, vec3 row, int32_t count, const int32_t *near, const sphere *all)
{
	real most = 0, by_blur = 1 / g->blur;
	for (int32_t k = 0; k < count && most < 1; ++k) {
		const sphere *s = &all[near[k]];
		vec3 d = v3_sub(row, s->centre);
		real reach = s->radius + g->blur / 2, across2 = d.y * d.y + d.z * d.z;
		real along = (g->from.x - s->centre.x) + (real)x * g->step.x;
		if (across2 + along * along < reach * reach) most = real_max(most, cover(s->radius, across2, along, by_blur));
	}
	return most;
}

/* Changes only the bricks of which no other sphere covers a larger fraction than sphere i. */
void scree_cover_remove(cover_grid *g, int32_t count, const sphere *all, int32_t i)
{
	int32_t near[CLUMP_MOST], others = 0;
	sphere s = all[i];
	for (int32_t k = 0; k < count; ++k) {
		real reach = s.radius + all[k].radius + g->blur;
		if (k != i && v3_norm2(v3_sub(all[k].centre, s.centre)) < reach * reach) near[others++] = k;
	}
	block b = block_of(g, s);
	real by_blur = 1 / g->blur, from = g->from.x - s.centre.x;
	for (int32_t z = b.z.low; z <= b.z.high; ++z)
		for (int32_t y = b.y.low; y <= b.y.high; ++y) {
			real across2;
			range r = row_of(g, s, y, z, &across2);
			const int64_t row = cell(g, 0, y, z);
			const vec3 first = scree_cover_point(g, 0, y, z);
			for (int32_t x = r.low; x <= r.high; ++x)
				if (g->solid[row + x] &&
					g->covered[row + x] <= cover(s.radius, across2, from + (real)x * g->step.x, by_blur))
					g->covered[row + x] = covered_by(g, x, first, others, near, all);
		}
}

real scree_cover_sum(const cover_grid *g)
{
	real sum = 0;
	int64_t cells = cell(g, 0, 0, g->n[2]);
	for (int64_t i = 0; i < cells; ++i) sum += g->solid[i] ? g->covered[i] : 0;
	return sum;
}
