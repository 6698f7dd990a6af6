/* place_apart: tests whether bodies are apart from each other and clear of walls and of the border of their region. */
#include "scene/reader.h"

#include "kernel/quat.h"
#include "wall/facets.h"
#include "shape/shapes.h"
#include "shape/shape_forms.h"
#include "world/world.h"

/* Two convex bodies have a point in common if their Minkowski difference contains the origin. A simplex of its corners
 * moves towards the origin until it contains it, or until the whole difference lies beyond a plane perpendicular to the
 * last direction (Gilbert, Johnson and Keerthi 1988, IEEE Journal on Robotics and Automation 4, 193). */

enum { MOST_TURNS = 32 };

typedef struct simplex {
	vec3 p[4]; /* newest point first */
	int32_t count;
} simplex;

static placed part_of(const placed *o, int32_t k)
{
	if (!o->shape->parts) return *o;
	const shape_part *p = o->shape->part + k;
	const mat3 turn = {mat3_mul(o->turn, p->turn.x), mat3_mul(o->turn, p->turn.y), mat3_mul(o->turn, p->turn.z)};
	return (placed){p->solid, v3_madd(o->at, o->size, mat3_mul(o->turn, p->at)), turn, o->size};
}

static real radius_of(const placed *o, int32_t k)
{
	return o->size * (o->shape->parts ? o->shape->part[k].radius : o->shape->radius);
}

/* the corner of a body farthest along n, relative to its centre */
static vec3 farthest(const placed *o, vec3 n)
{
	const shape *s = o->shape;
	const vec3 own = mat3_tmul(o->turn, n);
	int32_t best = 0;
	real most = -INFINITY;
	for (int32_t v = 0; v < s->vertices; ++v) {
		const real along = own.x * s->vx[v] + own.y * s->vy[v] + own.z * s->vz[v];
		if (along > most) most = along, best = v;
	}
	return v3_mul(o->size, mat3_mul(o->turn, shape_vertex(s, best)));
}

static vec3 corner_of_difference(const placed *a, const placed *b, vec3 n)
{
	return v3_add(v3_sub(a->at, b->at), v3_sub(farthest(a, n), farthest(b, v3_neg(n))));
}

static bool same_side(vec3 a, vec3 b) { return v3_dot(a, b) > 0; }

/* direction perpendicular to the line from a to b, towards the origin */
static vec3 across(vec3 a, vec3 b)
{
	const vec3 u = v3_sub(b, a);
	return v3_cross(v3_cross(u, v3_neg(a)), u);
}

/* Keeps the part of the line nearest to the origin, and returns the next direction. */
static vec3 from_line(simplex *s, vec3 a, vec3 b)
{
	const bool between = same_side(v3_sub(b, a), v3_neg(a));
	*s = (simplex){{a, b}, between ? 2 : 1};
	return between ? across(a, b) : v3_neg(a);
}

static vec3 from_triangle(simplex *s, vec3 a, vec3 b, vec3 c)
{
	const vec3 u = v3_sub(b, a), v = v3_sub(c, a), n = v3_cross(u, v), back = v3_neg(a);
	if (same_side(v3_cross(n, v), back)) return same_side(v, back) ? from_line(s, a, c) : from_line(s, a, b);
	if (same_side(v3_cross(u, n), back)) return from_line(s, a, b);
	const bool above = same_side(n, back);
	*s = (simplex){{a, above ? b : c, above ? c : b}, 3};
	return above ? n : v3_neg(n);
}

/* Tests the faces at the newest corner a, from which b, c and d are counter-clockwise. True if the origin is inside. */
static bool from_tetrahedron(simplex *s, vec3 *next)
{
	const vec3 a = s->p[0], b = s->p[1], c = s->p[2], d = s->p[3], back = v3_neg(a);
	const vec3 u = v3_sub(b, a), v = v3_sub(c, a), w = v3_sub(d, a);
	if (same_side(v3_cross(u, v), back))
		*next = from_triangle(s, a, b, c);
	else if (same_side(v3_cross(v, w), back))
		*next = from_triangle(s, a, c, d);
	else if (same_side(v3_cross(w, u), back))
		*next = from_triangle(s, a, d, b);
	else
		return true;
	return false;
}

static bool holds_origin(simplex *s, vec3 *next)
{
	if (s->count == 4) return from_tetrahedron(s, next);
	*next = s->count == 3 ? from_triangle(s, s->p[0], s->p[1], s->p[2]) : from_line(s, s->p[0], s->p[1]);
	return false;
}

static apartness convex_apart(const placed *a, const placed *b)
{
	vec3 n = v3_sub(a->at, b->at);
	simplex s = {{corner_of_difference(a, b, n)}, 1};
	n = v3_neg(s.p[0]);
	for (int turn = 0; turn < MOST_TURNS && v3_norm2(n) > 0; ++turn) {
		const vec3 p = corner_of_difference(a, b, n);
		if (v3_dot(p, n) < 0) return APART;
		for (int32_t k = s.count++; k > 0; --k) s.p[k] = s.p[k - 1];
		s.p[0] = p;
		if (holds_origin(&s, &n)) return TOGETHER;
	}
	return UNSURE;
}

apartness scree_solids_apart(const placed *a, const placed *b)
{
	apartness all = APART;
	for (int32_t i = 0; i < (a->shape->parts ? a->shape->parts : 1); ++i) {
		const placed p = part_of(a, i);
		for (int32_t k = 0; k < (b->shape->parts ? b->shape->parts : 1); ++k) {
			const placed q = part_of(b, k);
			const real reach = radius_of(a, i) + radius_of(b, k);
			if (v3_norm2(v3_sub(p.at, q.at)) > reach * reach) continue;
			const apartness one = convex_apart(&p, &q);
			if (one == TOGETHER) return TOGETHER;
			all = one == UNSURE ? UNSURE : all;
		}
	}
	return all;
}

/* Tests whether two triangulated bodies, or one and a ball, are apart. The test is conservative: bodies found apart are
 * at least as far apart as their halos require. The boxes in the trees are tested first. Two triangles are apart if one
 * of these planes separates them: their own, planes perpendicular to their sides, and planes parallel to a side of each
 * (Gottschalk et al. 1996). If no triangles are close, one vertex tells whether one body is inside the other. */

enum { AXES = 17, STACK = 2 * TRIMESH_DEPTH * 2 };

typedef struct interval {
	real low, high;
} interval;

static interval along(vec3 n, const vec3 p[3])
{
	const real a = v3_dot(n, p[0]), b = v3_dot(n, p[1]), c = v3_dot(n, p[2]);
	return (interval){real_min(a, real_min(b, c)), real_max(a, real_max(b, c))};
}

/* Tests whether a plane with normal n separates the triangles by this gap. */
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

/* Returns the squared distance of p from a triangle (Ericson 2005, 5.1.5). */
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

/* Tests whether a surface, without its interior, and a triangle in the surface's frame are at least this gap apart. */
static bool triangle_apart(const trimesh *m, const vec3 t[3], real gap)
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

/* converts a point of b to the frame of a, in which a has size 1 */
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

/* Tests of a body against borders and walls. Regions, the active side of a plane and the inside of a tube are convex:
 * they contain a body if they contain its corners, or the balls of a clump. Facets are tested against triangles or
 * balls. The outside of a tube and solid polygons in the plane are tested against the bounding sphere. */

static const real SAGITTA = 2.5e-3; /* bound on how far a superquadric protrudes from its triangles, in radii */

/* Returns the number of balls whose convex hull contains the body: its own balls, or its corners with their halo. */
static int32_t balls_of(const shape *s)
{
	if (s->type == SHAPE_CONVEX) return s->vertices;
	if (s->type == SHAPE_POLYGON) return s->flat.corners;
	if (s->type == SHAPE_SUPERQUADRIC) return s->skin->vertices;
	if (s->type == SHAPE_CAPSULE) return 2;
	if (s->mesh.triangles) return s->mesh.vertices;
	return s->type == SHAPE_CLUMP ? s->parts : 1;
}

static shape_ball ball_of(const placed *o, int32_t k)
{
	const shape *s = o->shape;
	shape_ball b = {v3(0, 0, 0), s->radius};
	if (s->type == SHAPE_CONVEX) b = (shape_ball){shape_vertex(s, k), 0};
	if (s->type == SHAPE_POLYGON) b = (shape_ball){v3(s->flat.corner[k].x, s->flat.corner[k].y, 0), 0};
	if (s->type == SHAPE_SUPERQUADRIC) b = (shape_ball){s->skin->vertex[k], SAGITTA * s->radius};
	if (s->type == SHAPE_CAPSULE)
		b = (shape_ball){v3(0, 0, k ? scree_capsule_half(s) : -scree_capsule_half(s)), s->semi_x};
	if (s->mesh.triangles) b = (shape_ball){s->mesh.vertex[k], s->halo};
	if (s->type == SHAPE_CLUMP) b = (shape_ball){s->part[k].at, s->part[k].radius};
	return (shape_ball){v3_madd(o->at, o->size, mat3_mul(o->turn, b.at)), b.radius * o->size};
}

bool scree_shape_in_region(const placed *o, const region *own, const region *open)
{
	bool in = scree_region_holds(own, o->at, 0);
	if (own->type == REGION_SEGMENT) return in; /* bodies may extend beyond the ends of a line segment */
	for (int32_t k = 0; in && k < balls_of(o->shape); ++k) {
		const shape_ball b = ball_of(o, k);
		in = scree_region_holds(open, b.at, b.radius);
	}
	return in;
}

/* distance from the wall to p, in m, on side `side` */
static real clearance(const wall *w, vec3 p, real side)
{
	const vec3 d = v3_sub(p, w->point);
	const real along = v3_dot(d, w->axis);
	if (w->type == WALL_PLANE) return side * along;
	const real taper = w->type == WALL_CONE ? (w->radius2 - w->radius) / w->length : 0;
	return (w->radius + taper * along - v3_norm(v3_madd(d, -along, w->axis))) / sqrt(1 + taper * taper);
}

static bool has_convex_side(const wall *w)
{
	return w->type == WALL_PLANE || ((w->type == WALL_CYLINDER || w->type == WALL_CONE) && w->side == SIDE_INSIDE);
}

/* Tests a body in the wall's frame. Tubes count as infinitely long, and a body outside a tube counts as clear of it. */
static bool clears_form(const wall *w, const placed *o)
{
	const bool behind = clearance(w, o->at, 1) < 0;
	if (behind && w->type != WALL_PLANE) return clearance(w, o->at, 1) < -o->size * o->shape->radius;
	for (int32_t k = 0; k < balls_of(o->shape); ++k) {
		const shape_ball b = ball_of(o, k);
		if (!(clearance(w, b.at, behind && w->two_sided ? -1 : 1) > b.radius)) return false;
	}
	return true;
}

static bool clears_triangle(const placed *o, const trimesh *skin, const vec3 t[3])
{
	if (skin) {
		vec3 own[3];
		for (int k = 0; k < 3; ++k) own[k] = v3_mul(1 / o->size, mat3_tmul(o->turn, v3_sub(t[k], o->at)));
		return triangle_apart(skin, own, o->shape->halo);
	}
	for (int32_t k = 0; k < balls_of(o->shape); ++k) {
		const shape_ball b = ball_of(o, k);
		if (!(distance2(t, b.at) > b.radius * b.radius)) return false;
	}
	return true;
}

static bool clears_facets(const scree_world *w, int32_t wall, const placed *o, const trimesh *skin)
{
	const real radius = o->size * o->shape->radius;
	const vec3 grown = v3(radius, radius, radius);
	facet_list near = {0};
	bool clear = true;
	scree_facet_grid_query(w->model.grid[wall], &w->model.wall, v3_sub(o->at, grown), v3_add(o->at, grown), &near);
	for (int32_t n = 0; clear && n < near.count; ++n) {
		const facet *f = w->model.wall.facet + near.facet[n];
		const vec3 *p = w->model.wall.corner + f->first;
		for (int32_t k = 2; clear && k < f->corners; ++k)
			clear = clears_triangle(o, skin, (const vec3[3]){p[0], p[k - 1], p[k]});
	}
	scree_facet_list_free(&near);
	return clear;
}

static bool clears_wall(const scree_world *w, int32_t k, const placed *o, const trimesh *skin)
{
	const wall *l = w->model.wall.row + k;
	const wall_state *at = w->state.wall + k;
	const mat3 turn = quat_matrix(quat_conj(at->orientation));
	const placed seen = {o->shape,
						 mat3_mul(turn, v3_sub(o->at, at->position)),
						 {mat3_mul(turn, o->turn.x), mat3_mul(turn, o->turn.y), mat3_mul(turn, o->turn.z)},
						 o->size};
	if (shape_is_curved(seen.shape)) return !scree_curved_meets_wall(&w->model, k, &seen);
	if (l->type == WALL_FACETS) return clears_facets(w, k, &seen, skin);
	return has_convex_side(l) ? clears_form(l, &seen)
							  : !scree_ball_meets_wall(&w->model, &w->state, k, o->at, o->size * o->shape->radius);
}

bool scree_shape_off_walls(const scree_world *w, const placed *o, int32_t material, const trimesh *skin)
{
	for (int32_t k = 0; k < w->model.wall.count; ++k) {
		const wall *l = w->model.wall.row + k;
		if (!l->removed && wall_acts_on(l, material) && !clears_wall(w, k, o, skin)) return false;
	}
	return true;
}
