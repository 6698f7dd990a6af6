/* overlap_pair.h: the contact of two convex polyhedra by volume and thickness (docs/theory/overlap.md), in four steps,
 * each of which fits into the registers of a device: the common region, the same from its form, the sums over its
 * faces, and their effect.
 *
 * Results are bit-identical to those of scree_thickness_convex_convex (src/narrow/solid/overlap_convex.c), which does
 * the same operations in the same order, but skips some for pairs that it has seen before. Regions with
 * more than 32 faces or vertices or 96 corners are reported, and then computed by the same text with larger limits
 * (SCREE_LARGE_SOLIDS in cut.h). */
#ifndef SCREE_KERNEL_OVERLAP_PAIR_H
#define SCREE_KERNEL_OVERLAP_PAIR_H

#include "kernel/convex_rows.h"
#include "kernel/cut.h"
#include "kernel/form_of_cut.h"
#include "kernel/form_region.h"
#include "kernel/item.h"
#include "kernel/overlap_faces.h"

/* Body b in the frame of body a. */
typedef struct overlap_frame {
	mat3 turn;
	vec3 apart;
	real size_a, size_b, slack;
	int32_t a, b; /* rows of the shapes */
} overlap_frame;

typedef struct overlap_plane {
	vec3 n;
	real off;
} overlap_plane;

typedef enum overlap_outcome { OVERLAP_NONE, OVERLAP_FOUND, OVERLAP_TOO_LARGE } overlap_outcome;

SCREE_FN overlap_frame overlap_frame_of(const convex_pose *a, const convex_pose *b,
										SCREE_GLOBAL const convex_rows *shapes)
{
	overlap_frame f;
	f.a = a->shape;
	f.b = b->shape;
	f.size_a = a->size;
	f.size_b = b->size;
	f.turn.x = mat3_tmul(a->turn, b->turn.x);
	f.turn.y = mat3_tmul(a->turn, b->turn.y);
	f.turn.z = mat3_tmul(a->turn, b->turn.z);
	f.apart = mat3_tmul(a->turn, v3_sub(b->at, a->at));
	f.slack = OVERLAP_SLACK * real_max(f.size_a * shapes[f.a].radius, f.size_b * shapes[f.b].radius);
	return f;
}

/* Direction of the force if the region does not determine one: from b to a. */
SCREE_FN vec3 overlap_otherwise(SCREE_GLOBAL const overlap_frame *f)
{
	real way = v3_norm(f->apart);
	return way > 0 ? v3_mul(-1 / way, f->apart) : v3(0, 0, 1);
}

/* The plane of a face of b in the frame of a, not stored since the planes of all faces would fill a device's memory. */
SCREE_FN overlap_plane overlap_plane_of(SCREE_GLOBAL const overlap_frame *m, SCREE_GLOBAL const convex_rows *b,
										int32_t f)
{
	overlap_plane p;
	p.n = mat3_mul(m->turn, v3(b->nx[f], b->ny[f], b->nz[f]));
	p.off = m->size_b * b->off[f] + v3_dot(p.n, m->apart);
	return p;
}

/* ------------------------------------------------------------------ the region */

typedef struct overlap_parts {
	cut_room cut;
	cut_solid part[2];
	uint8_t cutter[ROWS_FACES];
} overlap_parts;

/* Lists faces of b that cut a, first the one that leaves least. Returns their number; -1: one separates a and b. */
SCREE_FN int32_t overlap_cutters(SCREE_GLOBAL const overlap_frame *m, SCREE_GLOBAL const convex_rows *a,
								 SCREE_GLOBAL const convex_rows *b, SCREE_ROOM uint8_t *list)
{
	int32_t count = 0;
	real best = -INFINITY, reach = m->size_a * a->radius;
	for (int32_t f = 0; f < b->faces; ++f) {
		const overlap_plane p = overlap_plane_of(m, b, f);
		real low = INFINITY, high = -INFINITY;
		for (int32_t v = 0; v < a->vertices; ++v) {
			real h = p.n.x * a->vx[v] + p.n.y * a->vy[v] + p.n.z * a->vz[v];
			low = h < low ? h : low;
			high = h > high ? h : high;
		}
		low = m->size_a * low - p.off;
		high = m->size_a * high - p.off;
		if (p.off >= reach) continue;
		if (low > 0) return -1;
		if (!(high > m->slack)) continue;
		list[count++] = (uint8_t)f;
		if (!(low > best)) continue;
		best = low;
		list[count - 1] = list[0];
		list[0] = (uint8_t)f;
	}
	return count;
}

SCREE_FN void overlap_whole(SCREE_GLOBAL const convex_rows *a, real size, SCREE_ROOM cut_solid *s)
{
	s->vertices = a->vertices;
	s->faces = a->faces;
	s->corners = a->corners;
	for (int32_t v = 0; v < a->vertices; ++v)
		s->x[v] = size * a->vx[v], s->y[v] = size * a->vy[v], s->z[v] = size * a->vz[v];
	for (int32_t f = 0; f <= a->faces; ++f) s->first[f] = a->first[f];
	for (int32_t f = 0; f < a->faces; ++f) s->plane[f] = (uint16_t)f;
	for (int32_t k = 0; k < a->corners; ++k) s->corner[k] = a->corner[k];
}

/* Computes the common region in the frame of a; its planes are faces of a, followed by those of b. */
SCREE_FN overlap_outcome overlap_solid_of(SCREE_GLOBAL const overlap_frame *m, SCREE_GLOBAL const convex_rows *shapes,
										  SCREE_ROOM overlap_parts *room, SCREE_GLOBAL cut_solid *out)
{
	SCREE_GLOBAL const convex_rows *a = shapes + m->a, *b = shapes + m->b;
	SCREE_ROOM cut_solid *part = room->part;
	if (v3_norm(m->apart) - m->size_a * a->radius - m->size_b * b->radius > 0) return OVERLAP_NONE;
	const int32_t cuts = overlap_cutters(m, a, b, room->cutter);
	if (cuts < 0) return OVERLAP_NONE;
	if (a->vertices > CUT_VERTICES || a->faces > CUT_FACES || a->corners > CUT_CORNERS) return OVERLAP_TOO_LARGE;
	int32_t now = 0;
	overlap_whole(a, m->size_a, part);
	for (int32_t k = 0; k < cuts; ++k) {
		const int32_t f = room->cutter[k];
		const overlap_plane p = overlap_plane_of(m, b, f);
		cut_heights(part + now, p.n, p.off, &room->cut);
		cut_outcome o = cut_by_heights(part + now, &room->cut, m->slack, a->faces + f, part + !now);
		if (o == CUT_OUTSIDE) return OVERLAP_NONE;
		if (o == CUT_FULL) return OVERLAP_TOO_LARGE;
		if (o == CUT_CROSSED) now = !now;
	}
	*out = part[now];
	return OVERLAP_FOUND;
}

/* For bodies with many faces: replaces a region by the region computed from its form; returns false if it has none. */
SCREE_FN bool overlap_solid_by_form(const convex_pair *c, SCREE_GLOBAL cut_solid *s)
{
	overlap_form f;
	return form_may_exist(c) && form_find(c, s, &f) && form_region(c, &f, s);
}

/* ------------------------------------------------------------------ sums over its faces */

SCREE_FN vec3 overlap_vertex(SCREE_GLOBAL const cut_solid *s, int32_t v) { return v3(s->x[v], s->y[v], s->z[v]); }

/* The direction of the total force on b's faces. */
SCREE_FN vec3 overlap_push(SCREE_GLOBAL const cut_solid *s, int32_t own, vec3 otherwise)
{
	vec3 sum = v3(0, 0, 0);
	for (int32_t f = 0; f < s->faces; ++f) {
		if (s->plane[f] < own) continue;
		vec3 a = overlap_vertex(s, s->corner[s->first[f]]);
		vec3 b = v3_sub(overlap_vertex(s, s->corner[s->first[f] + 1]), a);
		SCREE_ROLLED
		for (int32_t i = s->first[f] + 2; i < s->first[f + 1]; ++i) {
			vec3 e = v3_sub(overlap_vertex(s, s->corner[i]), a);
			sum = v3_add(sum, v3_cross(b, e));
			b = e;
		}
	}
	real size = v3_norm(sum);
	return size > 0 ? v3_mul(1 / size, sum) : otherwise;
}

/* The sums over a region, and the points of its part that is added, in the axes of the region. */
typedef struct overlap_sums {
	overlap_region region;
	region_moments inner;
	real x[CUT_VERTICES], y[CUT_VERTICES], z[CUT_VERTICES];
} overlap_sums;

/* The vector from a point to the farthest vertex. */
SCREE_FN vec3 overlap_farthest(SCREE_GLOBAL const cut_solid *s, vec3 from)
{
	vec3 way = v3(0, 0, 0);
	real most = 0;
	for (int32_t v = 0; v < s->vertices; ++v) {
		vec3 w = v3_sub(overlap_vertex(s, v), from);
		real square = v3_norm2(w);
		if (square > most) way = w;
		most = real_max(square, most);
	}
	return way;
}

SCREE_FN vec3 overlap_lowest(SCREE_GLOBAL const cut_solid *s, vec3 along)
{
	vec3 best = overlap_vertex(s, 0);
	real least = v3_dot(along, best);
	for (int32_t v = 1; v < s->vertices; ++v) {
		const vec3 p = overlap_vertex(s, v);
		const real height = v3_dot(along, p);
		if (height < least) best = p;
		least = real_min(least, height);
	}
	return best;
}

/* Converts the points of a part to the axes of the region. */
SCREE_FN void overlap_place(SCREE_GLOBAL const cut_solid *s, SCREE_GLOBAL overlap_sums *out)
{
	const mat3 axes = out->region.axes;
	const vec3 from = out->region.from;
	SCREE_ROLLED
	for (int32_t v = 0; v < s->vertices; ++v) {
		const vec3 p = mat3_tmul(axes, v3_sub(overlap_vertex(s, v), from));
		out->x[v] = p.x, out->y[v] = p.y, out->z[v] = p.z;
	}
}

/* Starts sums about a point, with axes towards the vertex farthest from it. along: where the region is thin */
SCREE_FN void overlap_start(SCREE_GLOBAL const cut_solid *s, vec3 from, vec3 along, SCREE_GLOBAL overlap_sums *out)
{
	out->region.from = from;
	out->region.axes = region_axes(overlap_farthest(s, from), along);
	out->region.push = v3(0, 0, 0);
	out->region.widest = 0;
	out->inner = region_moments_none();
	for (int k = 0; k < MONOMIALS; ++k) out->region.border[k] = v3(0, 0, 0);
	overlap_place(s, out);
}

SCREE_FN triple overlap_point(SCREE_GLOBAL const cut_solid *s, int32_t corner, SCREE_GLOBAL const overlap_sums *o)
{
	const int32_t v = s->corner[corner];
	return triple_of(v3(o->x[v], o->y[v], o->z[v]));
}

/* Integrates over a face. n: its normal in the axes of the region */
SCREE_FN face_moments overlap_face(SCREE_GLOBAL const cut_solid *s, int32_t f, vec3 n,
								   SCREE_GLOBAL const overlap_sums *o, int what)
{
	face_moments m = moments_none();
	face_fan fan = fan_of(n, overlap_point(s, s->first[f], o), overlap_point(s, s->first[f] + 1, o));
	SCREE_ROLLED
	for (int32_t i = s->first[f] + 2; i < s->first[f + 1]; ++i) fan_add(&m, &fan, overlap_point(s, i, o), what);
	fan_close(&m, &fan, what);
	return m;
}

/* Tests whether a face has a corner at the origin, so that its cone has no volume. */
SCREE_FN bool overlap_meets_origin(SCREE_GLOBAL const cut_solid *s, int32_t f, SCREE_GLOBAL const overlap_sums *o)
{
	SCREE_ROLLED
	for (int32_t i = s->first[f]; i < s->first[f + 1]; ++i)
		if (at_origin(overlap_point(s, i, o))) return true;
	return false;
}

/* Adds a face of a, which bounds the region. Returns its area. */
SCREE_FN real overlap_bound(SCREE_GLOBAL const cut_solid *s, int32_t f, vec3 n, SCREE_GLOBAL overlap_sums *out)
{
	if (overlap_meets_origin(s, f, out)) return overlap_face(s, f, n, out, FACE_AREA).area;
	const face_moments m = overlap_face(s, f, n, out, FACE_SQUARES);
	out->inner = region_with(out->inner, &m, n);
	return m.area;
}

/* Adds a face of b, which bounds the region and carries the pressure. Returns its area. */
SCREE_FN real overlap_press(SCREE_GLOBAL const cut_solid *s, int32_t f, vec3 n, SCREE_GLOBAL overlap_sums *out)
{
	const face_moments m = overlap_face(s, f, n, out, FACE_CUBES);
	real of[MONOMIALS];
	moments_list(&m, of);
	if (!overlap_meets_origin(s, f, out)) out->inner = region_with(out->inner, &m, n);
	SCREE_ROLLED
	for (int k = 0; k < MONOMIALS; ++k) out->region.border[k] = v3_madd(out->region.border[k], of[k], n);
	return m.area;
}

/* second: whether it is a face of the second body; n: its normal */
SCREE_FN void overlap_add_face(SCREE_GLOBAL const cut_solid *s, int32_t f, bool second, vec3 n,
							   SCREE_GLOBAL overlap_sums *out)
{
	const vec3 in_axes = mat3_tmul(out->region.axes, n);
	const real area = second ? overlap_press(s, f, in_axes, out) : overlap_bound(s, f, in_axes, out);
	if (second) out->region.push = v3_madd(out->region.push, area, n);
	out->region.widest = real_max(out->region.widest, area);
}

SCREE_FN void overlap_finish(SCREE_GLOBAL overlap_sums *out)
{
	const region_moments inner = out->inner;
	overlap_inner(&inner, out->region.inner);
}

SCREE_FN void overlap_sums_of(SCREE_GLOBAL const overlap_frame *m, SCREE_GLOBAL const convex_rows *shapes,
							  SCREE_GLOBAL const cut_solid *s, SCREE_GLOBAL overlap_sums *out)
{
	SCREE_GLOBAL const convex_rows *a = shapes + m->a, *b = shapes + m->b;
	const int32_t own = a->faces;
	const vec3 push = overlap_push(s, own, overlap_otherwise(m));
	overlap_start(s, overlap_lowest(s, push), push, out);
	SCREE_ROLLED
	for (int32_t f = 0; f < s->faces; ++f) {
		const int32_t p = s->plane[f];
		const bool second = p >= own;
		overlap_add_face(s, f, second, second ? overlap_plane_of(m, b, p - own).n : v3(a->nx[p], a->ny[p], a->nz[p]),
						 out);
	}
	overlap_finish(out);
}

/* ------------------------------------------------------------------ the contact */

/* Computes the contact in the frame of a from the sums. Returns false if no volume is left after rounding. */
SCREE_FN bool overlap_contact_of(SCREE_GLOBAL const overlap_region *r, vec3 otherwise, SCREE_GLOBAL overlap_contact *c)
{
	overlap_effect e = overlap_no_effect();
	const bool is = region_effect(r, &e);
	overlap_screw(&e, otherwise, c);
	return is;
}

#endif
