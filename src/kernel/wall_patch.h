/* wall_patch.h: the contact points between a polyhedron and a plane, in the frame of the body at size 1.
 *
 * Each face of the body that faces the wall is cut by the wall's plane. The result is a polygon whose corners are the
 * contact points (nodes). The strength of a corner is its overlap times its area projected along the normal, which is
 * half the area of the two triangles that the corner's sides form with the centroid. The centre of pressure of a flat
 * face is therefore its centroid. For a lone corner of the body, the whole overlap counts. Points appear and disappear
 * with strength 0, so force and couple are continuous functions of the pose. A contact is a sum of nodes
 * (docs/theory/walls.md): weights are strengths divided by their sum, and points at the same position are joined.
 *
 * On a processor, src/narrow/wall/work.h defines SCREE_WALL_PATCH and the same names for bodies and patches of any
 * size. On a device, larger ones are reported. */
#ifndef SCREE_KERNEL_WALL_PATCH_H
#define SCREE_KERNEL_WALL_PATCH_H

#include "kernel/convex_solid.h"
#include "kernel/item.h"
#include "kernel/pressure.h"
#include "kernel/wall_rows.h"

/* A point on the body's surface behind the wall's surface. */
typedef struct wall_node {
	vec3 p, n; /* the body's point, and the wall's normal at this point */
	real d, s; /* d: overlap along n; s: strength, which is the weight before division by the sum */
} wall_node;

/* A corner of a polygon cut from a face of the body. */
typedef struct wall_corner {
	vec3 p;
	real d;			/* overlap */
	int32_t vertex; /* vertex of the shape, or -1 if created by a cut */
	/* origin of the side to the next corner: the face's corner where the side starts, or a value of the enum below */
	int32_t side;
} wall_corner;

/* the side was created by the wall's plane; SIDE_FACET - k if created by edge k of a facet */
enum { SIDE_WATER = -1, SIDE_FACET = -2 };

#ifndef SCREE_WALL_PATCH
#ifdef SCREE_LARGE_SOLIDS
enum { WALL_NODES = 512, WALL_CORNERS = 130, WALL_PRESSED = 768, WALL_PARTS = 512 };
#else
enum { WALL_NODES = 128, WALL_CORNERS = 32, WALL_PRESSED = 192, WALL_PARTS = 128 };
#endif

/* The nodes of a contact, and memory for finding them. */
typedef struct wall_patch {
	int32_t nodes, full;   /* full: whether there was no room */
	real arm;			   /* the resulting lever arm */
	vec3 press_x, press_y; /* axes of the pressure's plane */
	real depth[CUT_VERTICES], lump[CUT_VERTICES];
	wall_corner poly[2][WALL_CORNERS];
	wall_node node[WALL_NODES];
	vec3 normal[CUT_VERTICES]; /* normals of a tube's side at the vertices */
	/* the pressure on the regions and lines of the nodes */
	int32_t corners, parts;
	pressure_sums sum;
	pressure_corner corner[WALL_PRESSED];
	pressure_part part[WALL_PARTS];
} wall_patch;

SCREE_FN void wall_add_node(SCREE_GLOBAL wall_patch *w, vec3 p, vec3 n, real d, real s)
{
	const wall_node a = {p, n, d, s};
	if (w->nodes == WALL_NODES)
		w->full = 1;
	else
		w->node[w->nodes++] = a;
}

SCREE_FN void wall_vertex_room(SCREE_UNUSED SCREE_GLOBAL wall_patch *w, SCREE_UNUSED SCREE_GLOBAL const convex_rows *s)
{
}

SCREE_FN bool wall_corner_room(SCREE_GLOBAL wall_patch *w, int32_t corners)
{
	if (corners > WALL_CORNERS) w->full = 1;
	return corners <= WALL_CORNERS;
}

SCREE_FN bool wall_press_room(SCREE_GLOBAL wall_patch *w, int32_t corners)
{
	const bool has = w->corners + corners <= WALL_PRESSED && w->parts < WALL_PARTS;
	if (!has) w->full = 1;
	return has;
}

SCREE_FN void wall_press_start(SCREE_GLOBAL wall_patch *w)
{
	w->corners = w->parts = 0;
	w->sum.p = w->sum.x = w->sum.y = 0;
}

SCREE_FN void wall_press_add(SCREE_GLOBAL wall_patch *w, real x, real y, real p)
{
	if (wall_press_room(w, 1)) w->corner[w->corners++] = pressure_corner_of(x, y, p);
}

SCREE_FN void wall_press_close(SCREE_GLOBAL wall_patch *w)
{
	pressure_close(&w->corners, &w->parts, &w->sum, w->corner, w->part);
}

SCREE_FN_APART real wall_arm(SCREE_GLOBAL wall_patch *w) { return pressure_arm(w->corner, w->part, w->parts, w->sum); }
#endif

/* ------------------------------------------------------------------ the pressure */

/* The axes of the pressure, projected along n, are found without a square root (Duff et al. 2017). */
SCREE_FN void wall_press(SCREE_GLOBAL wall_patch *w, vec3 n)
{
	real up = n.z < 0 ? -1 : 1, a = -1 / (up + n.z), b = n.x * n.y * a;
	wall_press_start(w);
	w->press_x = v3(1 + up * n.x * n.x * a, up * b, -up * n.x);
	w->press_y = v3(b, up + n.y * n.y * a, -n.y);
}

SCREE_FN void wall_press_at(SCREE_GLOBAL wall_patch *w, vec3 p, real d)
{
	wall_press_add(w, v3_dot(w->press_x, p), v3_dot(w->press_y, p), d);
}

SCREE_FN void wall_press_on(SCREE_GLOBAL wall_patch *w, SCREE_GLOBAL const wall_corner *p, int32_t count, real part)
{
	if (!(part > 0) || !wall_press_room(w, count)) return;
	SCREE_ROLLED
	for (int32_t i = 0; i < count; ++i) wall_press_at(w, p[i].p, part * p[i].d);
	wall_press_close(w);
}

/* steeper faces (by this sine) do not face the wall */
#define WALL_STEEP ((real)1e-12)
/* cosine, relative to the cosine of the flattest face, above which a face counts for the arm and above which it counts
 * fully; steeper faces have almost no projected area (as in face_patch.h) */
SCREE_CONSTANT real WALL_PRESSES = 0.1, WALL_FULLY = 0.3;

/* Slopes of the body's faces relative to a wall with this normal. */
typedef struct wall_facing {
	vec3 n;
	real least, inverse; /* slope above which a face presses; inverse: 1 divided by the additional slope at which it
							presses fully */
} wall_facing;

SCREE_FN vec3 wall_face_normal(SCREE_GLOBAL const convex_solid *s, int32_t f)
{
	return v3(s->nx[f], s->ny[f], s->nz[f]);
}
SCREE_FN vec3 wall_vertex(SCREE_GLOBAL const convex_solid *s, int32_t v) { return v3(s->vx[v], s->vy[v], s->vz[v]); }

SCREE_FN real wall_slope(const wall_facing *o, SCREE_GLOBAL const convex_solid *s, int32_t f)
{
	return -v3_dot(wall_face_normal(s, f), o->n);
}
SCREE_FN bool wall_looks_at(const wall_facing *o, SCREE_GLOBAL const convex_solid *s, int32_t f)
{
	return wall_slope(o, s, f) > WALL_STEEP;
}
SCREE_FN real wall_presses(const wall_facing *o, SCREE_GLOBAL const convex_solid *s, int32_t f)
{
	return real_min((wall_slope(o, s, f) - o->least) * o->inverse, 1);
}

SCREE_FN wall_facing wall_facing_of(SCREE_GLOBAL const convex_solid *s, vec3 n)
{
	wall_facing o = {n, 0, 0};
	real flat = 0;
	SCREE_ROLLED
	for (int32_t f = 0; f < s->faces; ++f) flat = real_max(flat, wall_slope(&o, s, f));
	o.least = WALL_PRESSES * flat;
	o.inverse = flat > 0 ? 1 / ((WALL_FULLY - WALL_PRESSES) * flat) : 0;
	return o;
}

/* ------------------------------------------------------------------ polygons */

/* Computes each vertex's overlap with the half space n.p <= off; returns the largest overlap. */
SCREE_FN real wall_depths(SCREE_GLOBAL wall_patch *w, SCREE_GLOBAL const convex_solid *s, vec3 n, real off)
{
	wall_vertex_room(w, s);
	SCREE_GLOBAL const real *x = s->vx, *y = s->vy, *z = s->vz;
	SCREE_GLOBAL real *d = w->depth;
	real most = -INFINITY;
	SCREE_ROLLED
	for (int32_t v = 0; v < s->vertices; ++v) {
		d[v] = off - (n.x * x[v] + n.y * y[v] + n.z * z[v]);
		most = d[v] > most ? d[v] : most;
	}
	return most;
}

SCREE_FN wall_corner wall_corner_between(const wall_corner *a, const wall_corner *b, real t)
{
	const wall_corner c = {v3_madd(a->p, t, v3_sub(b->p, a->p)), a->d + t * (b->d - a->d), -1, a->side};
	return c;
}

/* Keeps the part with h = off - n.p >= 0 (or d >= 0 if `side` is SIDE_WATER). The cut creates the side with this
 * number. */
SCREE_FN int32_t wall_cut_polygon(SCREE_GLOBAL const wall_corner *in, int32_t count, vec3 n, real off, int32_t side,
								  SCREE_GLOBAL wall_corner *out)
{
	int32_t made = 0;
	const bool water = side == SIDE_WATER;
	SCREE_ROLLED
	for (int32_t i = 0; i < count; ++i) {
		const wall_corner a = in[i], b = in[i + 1 < count ? i + 1 : 0];
		const real ha = water ? a.d : off - v3_dot(n, a.p), hb = water ? b.d : off - v3_dot(n, b.p);
		if (ha >= 0) out[made++] = a;
		if (ha >= 0 ? !(hb < 0) : !(hb > 0)) continue;
		if (ha == 0 || hb == 0) {
			if (ha == 0) out[made - 1].side = side;
			continue;
		}
		wall_corner x = wall_corner_between(&a, &b, ha / (ha - hb));
		if (water) x.d = 0;
		if (ha > 0) x.side = side;
		out[made++] = x;
	}
	return made;
}

/* Computes face f as a polygon in w->poly[0], cut at the plane of w->depth. Returns the number of its corners. */
SCREE_FN int32_t wall_face_under(SCREE_GLOBAL wall_patch *w, SCREE_GLOBAL const convex_solid *s, int32_t f)
{
	const int32_t first = s->first[f], n = s->first[f + 1] - first;
	int32_t above = 0, below = 0;
	SCREE_ROLLED
	for (int32_t k = 0; k < n; ++k) {
		const real d = w->depth[s->corner[first + k]];
		if (d > 0) ++below;
		if (d < 0) ++above;
	}
	if (!below || !wall_corner_room(w, 2 * n + 2)) return 0;
	SCREE_GLOBAL wall_corner *whole = w->poly[above ? 1 : 0];
	SCREE_ROLLED
	for (int32_t k = 0; k < n; ++k) {
		const int32_t v = s->corner[first + k];
		const wall_corner c = {wall_vertex(s, v), w->depth[v], v, k};
		whole[k] = c;
	}
	return above ? wall_cut_polygon(whole, n, v3(0, 0, 0), 0, SIDE_WATER, w->poly[0]) : n;
}

/* Area of polygons, projected along a wall's normal, and its first moment about `from`. */
typedef struct wall_centroid {
	vec3 from, moment;
	real area;
} wall_centroid;

SCREE_FN void wall_centroid_add(wall_centroid *c, SCREE_GLOBAL const wall_corner *p, int32_t count, vec3 n)
{
	vec3 a = v3_sub(p[0].p, c->from);
	vec3 b = v3_sub(p[1].p, c->from);
	SCREE_ROLLED
	for (int32_t i = 2; i < count; ++i) {
		vec3 e = v3_sub(p[i].p, c->from);
		real t = real_abs(v3_dot(n, v3_cross(v3_sub(b, a), v3_sub(e, a)))) / 2;
		c->area += t;
		c->moment = v3_madd(c->moment, t / 3, v3_add(a, v3_add(b, e)));
		b = e;
	}
}
SCREE_FN vec3 wall_centroid_at(wall_centroid c) { return c.area > 0 ? v3_madd(c.from, 1 / c.area, c.moment) : c.from; }

/* Returns the area at either end of a side, in the triangle with the centroid. */
SCREE_FN real wall_share(vec3 n, vec3 c, vec3 p, vec3 q)
{
	return real_abs(v3_dot(n, v3_cross(v3_sub(p, c), v3_sub(q, c)))) / 4;
}

/* ------------------------------------------------------------------ nodes */

SCREE_FN void wall_add_to_corner(SCREE_GLOBAL wall_patch *w, const wall_corner *c, vec3 n, real t)
{
	if (c->vertex >= 0)
		w->lump[c->vertex] += t;
	else if (c->d > 0)
		wall_add_node(w, c->p, n, c->d, t * c->d);
}

SCREE_FN void wall_whole_face(SCREE_GLOBAL wall_patch *w, vec3 n, int32_t count)
{
	SCREE_GLOBAL const wall_corner *p = w->poly[0];
	wall_centroid sum = {p[0].p, {0, 0, 0}, 0};
	wall_centroid_add(&sum, p, count, n);
	const vec3 c = wall_centroid_at(sum);
	SCREE_ROLLED
	for (int32_t i = 0; i < count; ++i) {
		const wall_corner a = p[i], b = p[i + 1 < count ? i + 1 : 0];
		const real t = wall_share(n, c, a.p, b.p);
		wall_add_to_corner(w, &a, n, t);
		wall_add_to_corner(w, &b, n, t);
	}
}

/* lone: one vertex is below the wall, so faces matter only for the arm */
SCREE_FN void wall_each_face(SCREE_GLOBAL wall_patch *w, SCREE_GLOBAL const convex_solid *s, vec3 n, bool lone)
{
	const wall_facing facing = wall_facing_of(s, n);
	wall_press(w, n);
	SCREE_ROLLED
	for (int32_t f = 0; f < s->faces; ++f) {
		if (!wall_looks_at(&facing, s, f) || (lone && !(wall_slope(&facing, s, f) > facing.least))) continue;
		const int32_t count = wall_face_under(w, s, f);
		if (count < 3) continue;
		wall_press_on(w, w->poly[0], count, wall_presses(&facing, s, f));
		if (!lone) wall_whole_face(w, n, count);
	}
}

SCREE_FN real wall_strength(SCREE_GLOBAL const wall_patch *w, int32_t first, int32_t last)
{
	real sum = 0;
	SCREE_ROLLED
	for (int32_t i = first; i < last; ++i) sum += w->node[i].s;
	return sum;
}

SCREE_FN void wall_scale_to(SCREE_GLOBAL wall_patch *w, int32_t first, int32_t last, real whole)
{
	const real sum = wall_strength(w, first, last);
	SCREE_ROLLED
	for (int32_t i = first; i < last; ++i) w->node[i].s *= sum > 0 ? whole / sum : 0;
}

/* Clears the vertices' areas; returns the number of vertices below the wall, and finds the deepest. */
SCREE_FN int32_t wall_vertices_below(SCREE_GLOBAL wall_patch *w, SCREE_GLOBAL const convex_solid *s, int32_t *deepest)
{
	int32_t below = 0;
	*deepest = 0;
	SCREE_ROLLED
	for (int32_t v = 0; v < s->vertices; ++v) {
		w->lump[v] = 0;
		below += w->depth[v] > 0;
		if (w->depth[v] > w->depth[*deepest]) *deepest = v;
	}
	return below;
}

/* Adds the nodes at vertices; returns the largest overlap, and the sum of all strengths, of nodes from `before` on. */
SCREE_FN real wall_vertex_nodes(SCREE_GLOBAL wall_patch *w, SCREE_GLOBAL const convex_solid *s, vec3 n, int32_t before,
								real *sum)
{
	real most = 0;
	*sum = 0;
	SCREE_ROLLED
	for (int32_t v = 0; v < s->vertices; ++v)
		if (w->lump[v] > 0 && w->depth[v] > 0)
			wall_add_node(w, wall_vertex(s, v), n, w->depth[v], w->lump[v] * w->depth[v]);
	SCREE_ROLLED
	for (int32_t i = before; i < w->nodes; ++i) {
		*sum += w->node[i].s;
		if (w->node[i].s > 0 && w->node[i].d > most) most = w->node[i].d;
	}
	return most;
}

/* Finds nodes and pressure of the region behind the plane with normal n, after wall_depths. Returns the largest overlap
 * of all nodes. */
SCREE_FN real wall_plane_region(SCREE_GLOBAL wall_patch *w, SCREE_GLOBAL const convex_solid *s, vec3 n)
{
	const int32_t before = w->nodes;
	int32_t deepest;
	real sum = 0, most = 0;
	const bool lone = wall_vertices_below(w, s, &deepest) == 1;
	wall_each_face(w, s, n, lone);
	if (!lone) most = wall_vertex_nodes(w, s, n, before, &sum);
	/* a lone vertex, or the overlap is too small to have an area, so only the deepest vertex counts */
	if (sum > 0 || !(w->depth[deepest] > 0)) return most;
	wall_add_node(w, wall_vertex(s, deepest), n, w->depth[deepest], 1);
	return w->depth[deepest];
}

/* Finds the nodes of a body behind a plane; returns false if there are none. n: the normal towards the body */
SCREE_FN bool wall_plane_nodes(SCREE_GLOBAL wall_patch *w, SCREE_GLOBAL const convex_solid *s,
							   SCREE_GLOBAL const convex_placed *body, SCREE_GLOBAL const table_wall *o, vec3 *n)
{
	const real h = v3_dot(o->axis, v3_sub(body->at, o->point));
	const bool behind = o->two_sided && h < 0;
	const real height = behind ? -h : h;
	*n = behind ? v3_neg(o->axis) : o->axis;
	w->nodes = 0;
	if (height >= body->size * s->radius) return false;
	const vec3 m = mat3_tmul(body->turn, *n);
	if (!(wall_depths(w, s, m, -height / body->size) > 0)) return false;
	wall_plane_region(w, s, m);
	return true;
}

/* ------------------------------------------------------------------ the contact */

/* distance, relative to the size of the body, below which nodes are merged */
#define WALL_SAME_PLACE ((real)1e-9)

SCREE_FN bool wall_same_place(SCREE_GLOBAL const wall_node *b, const wall_node *a)
{
	return v3_norm2(v3_sub(a->p, b->p)) < WALL_SAME_PLACE * WALL_SAME_PLACE &&
		   v3_norm2(v3_sub(a->n, b->n)) < WALL_SAME_PLACE * WALL_SAME_PLACE;
}

SCREE_FN void wall_join_nodes(SCREE_GLOBAL wall_patch *w)
{
	int32_t n = 0;
	SCREE_ROLLED
	for (int32_t i = 0; i < w->nodes; ++i) {
		const wall_node a = w->node[i];
		int32_t k = 0;
		if (!(a.s > 0 && a.d > 0)) continue;
		SCREE_ROLLED
		while (k < n && !wall_same_place(w->node + k, &a)) ++k;
		if (k < n)
			w->node[k].s += a.s;
		else
			w->node[n++] = a;
	}
	w->nodes = n;
}

/* The contact of the nodes: normal from the wall to the body, and the lever arm. */
typedef struct wall_contact {
	vec3 normal;
	real arm;
} wall_contact;

SCREE_FN_APART void wall_place_node(SCREE_GLOBAL wall_node *a, SCREE_GLOBAL const convex_placed *body, real weight,
									real factor)
{
	const real d = a->d;
	a->p = mat3_mul(body->turn, v3_mul(body->size, v3_madd(a->p, d / 2, a->n)));
	a->d = body->size * d * factor;
	a->s = weight;
}

/* Joins nodes, and replaces position, overlap and strength of each by the values of a contact point: position relative
 * to the centre of the body, midway between the surfaces; overlap; weight. The normal is the mean weighted by pressure;
 * for flat walls, this is the wall's normal. Returns false if there is no contact. factor: for overlaps */
SCREE_FN bool wall_complete(SCREE_GLOBAL wall_patch *w, SCREE_GLOBAL const convex_placed *body, real factor,
							wall_contact *out)
{
	real sum = 0;
	bool same = true;
	wall_join_nodes(w);
	if (!w->nodes || !(factor > 0)) return false;
	SCREE_ROLLED
	for (int32_t i = 0; i < w->nodes; ++i) {
		sum += w->node[i].s;
		same &= v3_equal(w->node[i].n, w->node->n);
	}
	vec3 normal = v3(0, 0, 0);
	SCREE_ROLLED
	for (int32_t i = 0; i < w->nodes; ++i) {
		SCREE_GLOBAL wall_node *a = w->node + i;
		const real weight = w->nodes == 1 ? 1 : a->s / sum;
		normal = v3_madd(normal, weight * a->d, a->n);
		wall_place_node(a, body, weight, factor);
	}
	out->normal = mat3_mul(body->turn, same || !(v3_norm2(normal) > 0) ? w->node->n : v3_unit(normal));
	out->arm = body->size * w->arm;
	return true;
}

#endif
