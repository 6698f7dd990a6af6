/* place_mesh: tests whether two bodies are apart, if both have surfaces of triangles, or one is a ball. The test is
 * safe: if it says apart, the distance is at least that of their halos. Boxes of the trees are tested first. Two
 * triangles are apart if a plane separates them: their own planes, those across their sides, and those along a side of
 * each are tried (Gottschalk et al. 1996). A body inside of another one has no triangle near it: then one vertex
 * decides. */
#include "scene/place_apart.h"

#include "shape/shape_forms.h"

enum { AXES = 17, STACK = 2 * TRIMESH_DEPTH * 2 };

typedef struct interval {
	real low, high;
} interval;

static interval along(vec3 n, const vec3 p[3])
{
	const real a = v3_dot(n, p[0]), b = v3_dot(n, p[1]), c = v3_dot(n, p[2]);
	return (interval){real_min(a, real_min(b, c)), real_max(a, real_max(b, c))};
}

/* Tests whether a plane across n separates the triangles, with this gap. */
static bool splits(vec3 n, const vec3 p[3], const vec3 q[3], real gap)
{
	const interval a = along(n, p), b = along(n, q);
	const real between = real_max(a.low - b.high, b.low - a.high);
	return between > 0 && between * between > gap * gap * v3_norm2(n);
}

static bool triangles_apart(const vec3 p[3], const vec3 q[3], real gap)
{
	vec3 u[3], v[3];
	for (int k = 0; k < 3; ++k) {
		u[k] = v3_sub(p[(k + 1) % 3], p[k]);
		v[k] = v3_sub(q[(k + 1) % 3], q[k]);
	}
	const vec3 n = v3_cross(u[0], u[1]), m = v3_cross(v[0], v[1]);
	if (splits(n, p, q, gap) || splits(m, p, q, gap)) return true;
	for (int k = 0; k < 3; ++k)
		for (int j = 0; j < 3; ++j)
			if (splits(v3_cross(u[k], v[j]), p, q, gap)) return true;
	for (int k = 0; k < 3; ++k)
		if (splits(v3_cross(n, u[k]), p, q, gap) || splits(v3_cross(m, v[k]), p, q, gap)) return true;
	return false;
}

/* The square of the distance of p from a triangle (Ericson 2005, 5.1.5). */
static real distance2(const vec3 t[3], vec3 p)
{
	const vec3 n = v3_cross(v3_sub(t[1], t[0]), v3_sub(t[2], t[0]));
	real least = INFINITY;
	bool over = true;
	for (int k = 0; k < 3; ++k) {
		const vec3 a = t[k], u = v3_sub(t[(k + 1) % 3], a), d = v3_sub(p, a);
		const real s = real_clamp(v3_dot(d, u) / v3_norm2(u), 0, 1);
		least = real_min(least, v3_norm2(v3_madd(d, -s, u)));
		over = over && v3_dot(v3_cross(n, u), d) >= 0;
	}
	const real off = v3_dot(n, v3_sub(p, t[0]));
	return over ? off * off / v3_norm2(n) : least;
}

static real box_distance2(const trimesh_node *o, vec3 p)
{
	const vec3 d = v3(real_max(real_max(o->low.x - p.x, p.x - o->high.x), 0),
					  real_max(real_max(o->low.y - p.y, p.y - o->high.y), 0),
					  real_max(real_max(o->low.z - p.z, p.z - o->high.z), 0));
	return v3_norm2(d);
}

static void corners_of(const trimesh *m, int32_t t, vec3 out[3])
{
	for (int k = 0; k < 3; ++k) out[k] = m->vertex[m->corner[3 * t + k]];
}

bool scree_mesh_ball_apart(const trimesh *m, vec3 at, real radius)
{
	int32_t wait[STACK], waiting = 0;
	for (wait[waiting++] = 0; waiting;) {
		const trimesh_node *o = m->node + wait[--waiting];
		if (box_distance2(o, at) > radius * radius) continue;
		for (int32_t k = o->first; k < o->first + o->count; ++k) {
			vec3 t[3];
			corners_of(m, k, t);
			if (!(distance2(t, at) > radius * radius)) return false;
		}
		if (o->count) continue;
		wait[waiting++] = o->first;
		wait[waiting++] = o->first + 1;
	}
	return scree_trimesh_inside(m, at) < 0;
}

bool scree_triangle_ball_apart(const vec3 t[3], vec3 at, real radius) { return distance2(t, at) > radius * radius; }

bool scree_mesh_triangle_apart(const trimesh *m, const vec3 t[3], real gap)
{
	const vec3 middle = v3_mul((real)1 / 3, v3_add(t[0], v3_add(t[1], t[2])));
	real reach2 = 0;
	for (int k = 0; k < 3; ++k) reach2 = real_max(reach2, v3_norm2(v3_sub(t[k], middle)));
	const real reach = sqrt(reach2) + gap;
	int32_t wait[STACK], waiting = 0;
	for (wait[waiting++] = 0; waiting;) {
		const trimesh_node *o = m->node + wait[--waiting];
		if (box_distance2(o, middle) > reach * reach) continue;
		for (int32_t k = o->first; k < o->first + o->count; ++k) {
			vec3 own[3];
			corners_of(m, k, own);
			if (!triangles_apart(own, t, gap)) return false;
		}
		if (o->count) continue;
		wait[waiting++] = o->first;
		wait[waiting++] = o->first + 1;
	}
	return true;
}

/* a point of b in the frame of a, in which a has size 1 */
static vec3 in_frame(const mesh_place *b, vec3 p) { return v3_madd(b->at, b->size, mat3_mul(b->turn, p)); }

static vec3 middle(const trimesh_node *o) { return v3_mul((real)0.5, v3_add(o->low, o->high)); }
static real half_diagonal(const trimesh_node *o) { return (real)0.5 * v3_norm(v3_sub(o->high, o->low)); }

static bool leaves_apart(const trimesh *a, const trimesh_node *m, const trimesh *b, const trimesh_node *n,
						 const mesh_place *of)
{
	for (int32_t j = n->first; j < n->first + n->count; ++j) {
		vec3 q[3];
		corners_of(b, j, q);
		for (int k = 0; k < 3; ++k) q[k] = in_frame(of, q[k]);
		for (int32_t i = m->first; i < m->first + m->count; ++i) {
			vec3 p[3];
			corners_of(a, i, p);
			if (!triangles_apart(p, q, of->gap)) return false;
		}
	}
	return true;
}

static bool surfaces_apart(const trimesh *a, const trimesh *b, const mesh_place *of)
{
	int32_t wait[STACK][2], waiting = 1;
	wait[0][0] = wait[0][1] = 0;
	while (waiting) {
		--waiting;
		const int32_t i = wait[waiting][0], j = wait[waiting][1];
		const trimesh_node *m = a->node + i, *n = b->node + j;
		const real radius = of->size * half_diagonal(n), reach = radius + of->gap;
		if (box_distance2(m, in_frame(of, middle(n))) > reach * reach) continue;
		if (m->count && n->count) {
			if (!leaves_apart(a, m, b, n, of)) return false;
			continue;
		}
		/* descends into the larger of the two nodes */
		const bool first = !m->count && (n->count || half_diagonal(m) > radius);
		for (int k = 0; k < 2; ++k, ++waiting) {
			wait[waiting][0] = first ? m->first + k : i;
			wait[waiting][1] = first ? j : n->first + k;
		}
	}
	return true;
}

bool scree_meshes_apart(const trimesh *a, const trimesh *b, const mesh_place *of)
{
	if (!surfaces_apart(a, b, of)) return false;
	const vec3 back = v3_mul(1 / of->size, mat3_tmul(of->turn, v3_sub(a->vertex[0], of->at)));
	return scree_trimesh_inside(a, in_frame(of, b->vertex[0])) < 0 && scree_trimesh_inside(b, back) < 0;
}
