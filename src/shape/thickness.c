/* thickness: finds the largest ball inside a convex shape, and the thickness of compounds along rays. */
#include "shape/thickness.h"

/* The ball with centre c and radius r is inside if n.c + r <= off for all planes. The largest r solves a linear program
 * in four unknowns by its dual: four planes are tight; the plane that the ball violates most is added, and the plane
 * whose multiplier reaches zero first is removed. The initial planes are a tetrahedron around the body. */
enum { TIGHT = 4, MOST_TURNS = 2000 };

typedef struct half_space {
	vec3 normal;
	real off;
} half_space;

typedef half_space plane_fn(const shape *s, int32_t k);

typedef struct tight_planes {
	half_space plane[TIGHT];
	real weight[TIGHT]; /* the multipliers, >= 0 */
} tight_planes;

static half_space polyhedron_plane(const shape *s, int32_t k) { return (half_space){shape_normal(s, k), s->off[k]}; }

static half_space polygon_plane(const shape *s, int32_t k)
{
	const flat_corner *c = s->flat.corner + k;
	return (half_space){v3(c->ty, -c->tx, 0), c->ty * c->x - c->tx * c->y};
}

static real entry(const tight_planes *t, int row, int column, bool transposed)
{
	const int plane = transposed ? column : row, part = transposed ? row : column;
	return part == 3 ? 1 : v3_part(t->plane[plane].normal, part);
}

/* Solves M x = b with pivoting; rows of M or its transpose are (n, 1) of the tight planes. False: singular. */
static bool solve(const tight_planes *t, bool transposed, const real b[TIGHT], real x[TIGHT])
{
	real m[TIGHT][TIGHT + 1];
	for (int r = 0; r < TIGHT; ++r) {
		for (int c = 0; c < TIGHT; ++c) m[r][c] = entry(t, r, c, transposed);
		m[r][TIGHT] = b[r];
	}
	for (int k = 0; k < TIGHT; ++k) {
		int best = k;
		for (int r = k + 1; r < TIGHT; ++r)
			if (real_abs(m[r][k]) > real_abs(m[best][k])) best = r;
		if (!(real_abs(m[best][k]) > (real)1e-12)) return false;
		for (int c = 0; c <= TIGHT; ++c) {
			const real was = m[k][c];
			m[k][c] = m[best][c];
			m[best][c] = was;
		}
		for (int r = 0; r < TIGHT; ++r) {
			const real part = m[r][k] / m[k][k];
			for (int c = k; r != k && c <= TIGHT; ++c) m[r][c] -= part * m[k][c];
		}
	}
	for (int k = 0; k < TIGHT; ++k) x[k] = m[k][TIGHT] / m[k][k];
	return true;
}

static tight_planes tetrahedron_around(real radius)
{
	const real a = (real)0.57735026918962576;
	const vec3 n[TIGHT] = {{a, a, a}, {a, -a, -a}, {-a, a, -a}, {-a, -a, a}};
	tight_planes t;
	for (int k = 0; k < TIGHT; ++k) {
		t.plane[k] = (half_space){n[k], 4 * radius};
		t.weight[k] = (real)0.25;
	}
	return t;
}

/* Returns false if no plane can be removed, which happens only due to rounding. */
static bool exchange(tight_planes *t, half_space enters)
{
	const real b[TIGHT] = {enters.normal.x, enters.normal.y, enters.normal.z, 1};
	real d[TIGHT], most = INFINITY;
	int leaves = -1;
	if (!solve(t, true, b, d)) return false;
	for (int k = 0; k < TIGHT; ++k) {
		if (!(d[k] > (real)1e-9) || !(t->weight[k] < most * d[k])) continue;
		most = t->weight[k] / d[k];
		leaves = k;
	}
	if (leaves < 0) return false;
	for (int k = 0; k < TIGHT; ++k) t->weight[k] = real_max(t->weight[k] - most * d[k], 0);
	t->plane[leaves] = enters;
	t->weight[leaves] = most;
	return true;
}

/* returns the radius of the ball around c bounded by the planes, and the nearest plane */
static real room_at(const shape *s, int32_t planes, plane_fn *plane, vec3 c, int32_t *nearest)
{
	real least = INFINITY;
	for (int32_t k = 0; k < planes; ++k) {
		const half_space h = plane(s, k);
		const real room = h.off - v3_dot(h.normal, c);
		if (!(room < least)) continue;
		least = room;
		*nearest = k;
	}
	return least;
}

/* At least the radius of the ball around the centroid, because balls around all centres tried are inside. */
static real largest_ball(const shape *s, int32_t planes, plane_fn *plane)
{
	const real near = (real)1e-9 * s->radius;
	tight_planes t = tetrahedron_around(s->radius);
	real best = s->inradius;
	for (int turn = 0; turn < MOST_TURNS; ++turn) {
		real off[TIGHT], x[TIGHT];
		int32_t nearest = 0;
		for (int k = 0; k < TIGHT; ++k) off[k] = t.plane[k].off;
		if (!solve(&t, false, off, x)) break;
		const real room = room_at(s, planes, plane, v3(x[0], x[1], x[2]), &nearest);
		best = real_max(best, room);
		if (room >= x[3] - near || !exchange(&t, plane(s, nearest))) break;
	}
	return best;
}

static real thinnest_part(const shape *s)
{
	real least = INFINITY;
	for (int32_t k = 0; k < s->parts; ++k) least = real_min(least, s->part[k].thick);
	return least;
}

real scree_shape_thickness(const shape *s)
{
	if (s->parts) return thinnest_part(s);
	if (s->type == SHAPE_CONVEX) return 2 * largest_ball(s, s->faces, polyhedron_plane);
	if (s->type == SHAPE_POLYGON) return 2 * largest_ball(s, s->flat.corners, polygon_plane);
	return 2 * s->inradius;
}

/* Returns the distance, in m, from p along d to the exit from the body through triangle t; infinite if none */
static real leaves_through(const trimesh *m, int32_t t, vec3 p, vec3 d)
{
	const int32_t *c = m->corner + 3 * (int64_t)t;
	const vec3 n = m->normal[t], a = m->vertex[c[0]];
	const real out = v3_dot(n, d), height = v3_dot(n, v3_sub(a, p)), slack = (real)1e-9 * m->extent;
	if (!(out > (real)1e-9) || !(height > slack)) return INFINITY;
	const vec3 at = v3_madd(p, height / out, d);
	for (int k = 0; k < 3; ++k) {
		const vec3 from = m->vertex[c[k]], edge = v3_sub(m->vertex[c[(k + 1) % 3]], from);
		if (v3_dot(v3_cross(n, edge), v3_sub(at, from)) < -slack * v3_norm(edge)) return INFINITY;
	}
	return height / out;
}

static real thickness_behind(const shape *s, const shape_part *o, int32_t face)
{
	const shape *solid = o->solid;
	const int32_t from = solid->first[face], to = solid->first[face + 1];
	vec3 sum = v3(0, 0, 0);
	for (int32_t k = from; k < to; ++k) sum = v3_add(sum, shape_vertex(solid, solid->corner[k]));
	const vec3 p = v3_add(o->at, mat3_mul(o->turn, v3_mul(1 / (real)(to - from), sum)));
	const vec3 d = mat3_mul(o->turn, v3_neg(shape_normal(solid, face)));
	real least = INFINITY;
	for (int32_t t = 0; t < s->mesh.triangles; ++t) least = real_min(least, leaves_through(&s->mesh, t, p, d));
	return least;
}

real scree_shape_face_area(const shape *s, int32_t f)
{
	const int32_t *corner = s->corner + s->first[f];
	vec3 sum = v3(0, 0, 0), from = v3(s->vx[corner[0]], s->vy[corner[0]], s->vz[corner[0]]), last = sum;
	for (int32_t k = 1; k < s->first[f + 1] - s->first[f]; ++k) {
		vec3 p = v3_sub(v3(s->vx[corner[k]], s->vy[corner[k]], s->vz[corner[k]]), from);
		sum = v3_add(sum, v3_cross(last, p));
		last = p;
	}
	return v3_norm(sum) / 2;
}

/* Behind a small face of a part at a sharp edge, the body is thin even if it is thick elsewhere. Therefore the largest
 * face is used, which is the flat side of a fin or the outer surface of a lump. */
real scree_part_thickness(const shape *s, int32_t k, const real *inner)
{
	const shape_part *o = s->part + k;
	const real own = scree_shape_thickness(o->solid);
	real most = 0;
	int32_t largest = -1;
	for (int32_t f = 0; f < o->solid->faces; ++f) {
		const real area = (1 - inner[f]) * scree_shape_face_area(o->solid, f);
		if (!(inner[f] < (real)0.999) || !(area > most)) continue;
		most = area;
		largest = f;
	}
	const real behind = largest < 0 ? INFINITY : thickness_behind(s, o, largest);
	return behind < INFINITY ? real_max(own, behind) : own;
}
