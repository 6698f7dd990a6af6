/* cut: the fraction of a shape of size 1 on the near sides of several planes (docs/theory/measures.md, "Cut volumes").
 * Balls and clumps have a closed form (shape/clump/clump_share.h). A body with faces is a sum of signed tetrahedra,
 * from its centre to the triangles of its surface; the planes cut these tetrahedra one after another. */
#include "measure/measure.h"

#include "base/memory.h"
#include "kernel/quat.h"
#include "shape/clump/clump_share.h"
#include "world/world.h"

/* ------------------------------------------------------------------ balls */

/* A plane through a ball's centre is shifted by 1e-9 radii, as in clump.c, in the same direction for both cells. */
static real off_centre(vec3 u, real h)
{
	const real least = (real)1e-9;
	if (real_abs(h) > least) return h;
	const real way = u.x != 0 ? u.x : u.y != 0 ? u.y : u.z;
	return way > 0 ? least : -least;
}

/* Adds a plane to the planes of the unit ball, which are in ascending order of h. */
static void insert(int32_t count, clump_plane *plane, clump_plane p)
{
	for (; count > 0 && plane[count - 1].h > p.h; --count) plane[count] = plane[count - 1];
	plane[count] = p;
}

/* A ball cut by planes, with room for its own planes, in units of its radius and relative to its centre. */
typedef struct ball {
	vec3 at;
	real radius;
	int32_t planes;
	clump_plane *plane;
	bool gone; /* entirely beyond a plane */
} ball;

static void cut_ball(ball *b, vec3 u, real h)
{
	const real near = (h - v3_dot(u, b->at)) / b->radius;
	b->gone |= near <= -1;
	if (near > -1 && near < 1) insert(b->planes++, b->plane, (clump_plane){u, off_centre(u, near)});
}

static real ball_left(const ball *b, clump_edge *work)
{
	if (b->gone) return 0;
	return scree_clump_share(b->planes, b->plane, work).volume * b->radius * b->radius * b->radius;
}

/* Adds planes of equal power between the ball and others of a clump, so that shared volume counts once. */
static void share_with_others(const shape *s, int32_t i, ball *b)
{
	for (int32_t j = 0; j < s->parts; ++j) {
		const vec3 way = v3_sub(s->part[j].at, b->at);
		const real apart = v3_norm(way), other = s->part[j].radius;
		if (j == i || !(apart < b->radius + other)) continue;
		const vec3 u = v3_mul(1 / apart, way);
		cut_ball(b, u, v3_dot(u, b->at) + (apart + (b->radius - other) * (b->radius + other) / apart) / 2);
	}
}

static real clump_left(const shape *s, int32_t planes, const clump_plane *plane)
{
	const size_t room = (size_t)s->parts + (size_t)planes;
	clump_plane *own = scree_alloc(room, sizeof *own);
	clump_edge *work = scree_alloc(2 * (room + 4), sizeof *work);
	real sum = 0;
	for (int32_t i = 0; i < s->parts; ++i) {
		ball b = {.at = s->part[i].at, .radius = s->part[i].radius, .plane = own};
		if (!s->source.added) share_with_others(s, i, &b);
		for (int32_t k = 0; k < planes; ++k) cut_ball(&b, plane[k].u, plane[k].h);
		sum += ball_left(&b, work);
	}
	SCREE_FREE_ALL(own, work);
	return sum;
}

/* For an ellipsoid with these semi-axes, the planes are transformed to planes of the unit ball. */
static real ellipsoid_left(vec3 semi, int32_t planes, const clump_plane *plane)
{
	clump_plane own[CUT_PLANES];
	clump_edge work[2 * (CUT_PLANES + 4)];
	ball b = {.radius = 1, .plane = own};
	for (int32_t k = 0; k < planes; ++k) {
		const vec3 u = v3(plane[k].u.x * semi.x, plane[k].u.y * semi.y, plane[k].u.z * semi.z);
		cut_ball(&b, v3_unit(u), plane[k].h / v3_norm(u));
	}
	return ball_left(&b, work) * semi.x * semi.y * semi.z;
}

/* ------------------------------------------------------------------ tetrahedra */

static vec3 between(vec3 a, vec3 b, real a_above, real b_above)
{
	return v3_madd(a, a_above / (a_above - b_above), v3_sub(b, a));
}

static real tetrahedron_left(const vec3 p[4], int32_t planes, const clump_plane *plane);

/* Adds the part of a tetrahedron behind the first plane, cut by the other planes; near corners are 0 .. near-1. */
static real near_part(const vec3 p[4], const real above[4], int near, int32_t planes, const clump_plane *plane)
{
	vec3 c[4][4];
	for (int i = 0; i < near; ++i)
		for (int k = near; k < 4; ++k) c[i][k] = between(p[i], p[k], above[i], above[k]);
	if (near == 1) return tetrahedron_left((vec3[]){p[0], c[0][1], c[0][2], c[0][3]}, planes, plane);
	if (near == 3)
		return tetrahedron_left(p, planes, plane) -
			   tetrahedron_left((vec3[]){p[3], c[0][3], c[1][3], c[2][3]}, planes, plane);
	return tetrahedron_left((vec3[]){p[0], c[0][2], c[0][3], p[1]}, planes, plane) +
		   tetrahedron_left((vec3[]){c[0][2], c[0][3], p[1], c[1][2]}, planes, plane) +
		   tetrahedron_left((vec3[]){c[0][3], p[1], c[1][2], c[1][3]}, planes, plane);
}

static real tetrahedron_left(const vec3 p[4], int32_t planes, const clump_plane *plane)
{
	if (!planes) return real_abs(v3_dot(v3_sub(p[1], p[0]), v3_cross(v3_sub(p[2], p[0]), v3_sub(p[3], p[0])))) / 6;
	vec3 q[4];
	real above[4];
	int near = 0, far = 4;
	for (int i = 0; i < 4; ++i) {
		const real over = v3_dot(plane->u, p[i]) - plane->h;
		const int to = over <= 0 ? near++ : --far;
		q[to] = p[i];
		above[to] = over;
	}
	if (near == 0) return 0;
	if (near == 4) return tetrahedron_left(p, planes - 1, plane + 1);
	return near_part(q, above, near, planes - 1, plane + 1);
}

static real triangle_left(vec3 a, vec3 b, vec3 c, int32_t planes, const clump_plane *plane)
{
	const real left = tetrahedron_left((vec3[]){v3(0, 0, 0), a, b, c}, planes, plane);
	return v3_dot(a, v3_cross(b, c)) < 0 ? -left : left;
}

static real surface_left(const trimesh *m, int32_t planes, const clump_plane *plane)
{
	real sum = 0;
	for (int32_t t = 0; t < m->triangles; ++t) {
		const int32_t *at = m->corner + 3 * (int64_t)t;
		sum += triangle_left(m->vertex[at[0]], m->vertex[at[1]], m->vertex[at[2]], planes, plane);
	}
	return sum;
}

static real faces_left(const shape *s, int32_t planes, const clump_plane *plane)
{
	real sum = 0;
	for (int32_t f = 0; f < s->faces; ++f) {
		const int32_t *at = s->corner + s->first[f];
		const vec3 from = shape_vertex(s, at[0]);
		for (int32_t k = 1; k + 1 < s->first[f + 1] - s->first[f]; ++k)
			sum += triangle_left(from, shape_vertex(s, at[k]), shape_vertex(s, at[k + 1]), planes, plane);
	}
	return sum;
}

/* ------------------------------------------------------------------ shapes */

static real left(const shape *s, int32_t planes, const clump_plane *plane)
{
	const vec3 semi = v3(s->semi_x, s->semi_y, s->semi_z);
	if (s->type == SHAPE_SPHERE) return ellipsoid_left(v3(s->radius, s->radius, s->radius), planes, plane);
	if (s->type == SHAPE_CLUMP) return clump_left(s, planes, plane);
	if (s->type == SHAPE_CONVEX) return faces_left(s, planes, plane);
	if (s->type == SHAPE_SUPERQUADRIC && s->power_xy == 2 && s->power_z == 2)
		return ellipsoid_left(semi, planes, plane);
	return surface_left(shape_surface(s), planes, plane);
}

real scree_cut_part(const shape *s, int32_t planes, const clump_plane *plane)
{
	return planes ? real_clamp(left(s, planes, plane) / left(s, 0, NULL), 0, 1) : 1;
}

/* ------------------------------------------------------------------ cells reached by a body and its images */

/* A body, or one of its images. */
typedef struct cut_body {
	const shape *of;
	vec3 at;
	mat3 turn;
	real size, radius, volume, mass;
	int32_t class;
} cut_body;

/* The first and the last cell along an axis that a ball reaches; if none, last < first. */
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

/* The planes of a cell that cut the body, in its shape's frame and for size 1; -1 if the body is outside the cell. */
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

/* Tests whether space is periodic along all axes along which this image differs from the body. */
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
