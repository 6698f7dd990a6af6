/* patch: the contact points between a polyhedron and a flat surface or a line.
 *
 * The region. kernel/wall_patch.h finds the nodes of the region behind a plane. The polygons of a surface's region are
 * also cut by the facets that bound the surface; if facets meet, their polygons are unions.
 *
 * Seams. Sides common to two facets of a surface are omitted, and parts of a body's side on different facets are joined
 * before their strength is computed, so a triangulated floor gives the same result as a plane. */
#include "narrow/wall/work.h"

/* overlap, relative to the body's size, of a surface's facets at their seams, so that rounding does not cause gaps */
static const real SEAM = 1e-11;
/* distance from a corner, as a fraction of the side, within which a part of the side ends at the corner */
static const real GAP = 1e-8;
/* Largest gap, as a fraction of a side, across which the side's parts are joined. Rounding in a file may tilt facets of
 * one surface, which separates the regions below these facets at the seam. */
static const real SEAM_GAP = 1e-4;
void scree_wall_vertices(wall_scratch *w, const shape *s)
{
	if (w->vertices >= s->padded) return;
	int32_t c1 = w->vertices, c2 = c1, c3 = c1;
	w->depth = scree_wall_least(w->depth, s->padded, &c1, sizeof *w->depth);
	w->lump = scree_wall_least(w->lump, s->padded, &c2, sizeof *w->lump);
	w->normal = scree_wall_least(w->normal, s->padded, &c3, sizeof *w->normal);
	w->vertices = c1;
}

void scree_wall_corners(wall_scratch *w, int32_t corners)
{
	if (corners <= w->poly_capacity) return;
	int32_t had = w->poly_capacity, c0 = had;
	w->poly[0] = scree_wall_least(w->poly[0], corners, &c0, sizeof *w->poly[0]);
	w->poly_capacity = had;
	w->poly[1] = scree_wall_least(w->poly[1], corners, &w->poly_capacity, sizeof *w->poly[1]);
}

static void add_span(wall_scratch *w, int32_t side, real t0, real t1)
{
	int32_t i = w->spans;
	w->span = scree_wall_room(w->span, w->spans, &w->span_capacity, sizeof *w->span);
	++w->spans;
	/* sorted by side, then by t0 */
	for (; i > 0 && (w->span[i - 1].side > side || (w->span[i - 1].side == side && w->span[i - 1].t0 > t0)); --i)
		w->span[i] = w->span[i - 1];
	w->span[i] = (wall_span){side, t0, t1};
}

static void join_spans(wall_scratch *w)
{
	int32_t n = 0;
	for (int32_t i = 0; i < w->spans; ++i) {
		wall_span a = w->span[i], *b = w->span + (n ? n - 1 : 0);
		if (n && b->side == a.side && a.t0 <= b->t1 + SEAM_GAP)
			b->t1 = real_max(b->t1, a.t1);
		else
			w->span[n++] = a;
	}
	w->spans = n;
}

const wall_corner *scree_wall_cut_face(wall_scratch *w, int32_t count, const walls *from, const wall_facet *on,
									   int32_t *left)
{
	const struct facet *g = from->facet + on->row;
	scree_wall_corners(w, count + g->corners + 2);
	w->room = scree_wall_least(w->room, 2 * w->poly_capacity, &w->room_capacity, sizeof *w->room);
	wall_corner *room = w->room, *spare = room + w->poly_capacity, *in = w->poly[0], *out = room;
	int32_t n = count;
	for (int32_t k = 0; k < g->corners && n; ++k) {
		const wall_edge *e = w->edge + on->first + k;
		int32_t next = from->next[g->first + k];
		bool seam = next >= 0 && from->facet[next].surface == g->surface;
		n = wall_cut_polygon(in, n, e->out, v3_dot(e->out, e->x) + (seam ? SEAM : 0), SIDE_FACET - k, out);
		in = out;
		out = out == room ? spare : room;
	}
	*left = n;
	return in;
}

static void note_sides(wall_scratch *w, const shape *s, int32_t f, const walls *from, const wall_facet *on,
					   const wall_corner *p, int32_t count)
{
	const struct facet *g = from->facet + on->row;
	int32_t first = s->first[f], n = s->first[f + 1] - first;
	for (int32_t i = 0; i < count; ++i) {
		wall_corner a = p[i], b = p[i + 1 < count ? i + 1 : 0];
		if (a.side >= 0) {
			vec3 v = shape_vertex(s, s->corner[first + a.side]);
			vec3 r = v3_sub(shape_vertex(s, s->corner[first + (a.side + 1 < n ? a.side + 1 : 0)]), v);
			real r2 = v3_norm2(r);
			if (r2 > 0) add_span(w, a.side, v3_dot(v3_sub(a.p, v), r) / r2, v3_dot(v3_sub(b.p, v), r) / r2);
		} else if (a.side <= SIDE_FACET) {
			int32_t next = from->next[g->first + SIDE_FACET - a.side];
			if (next >= 0 && from->facet[next].surface == g->surface) continue;
			w->piece = scree_wall_room(w->piece, w->pieces, &w->piece_capacity, sizeof *w->piece);
			w->piece[w->pieces++] = (wall_piece){a.p, b.p, a.d, b.d};
		}
	}
}

static wall_corner end_of_span(const wall_scratch *w, const shape *s, int32_t a, int32_t b, real t)
{
	if (t <= GAP) return (wall_corner){shape_vertex(s, a), w->depth[a], a, 0};
	if (t >= 1 - GAP) return (wall_corner){shape_vertex(s, b), w->depth[b], b, 0};
	const wall_corner from = {shape_vertex(s, a), w->depth[a], -1, 0}, to = {shape_vertex(s, b), w->depth[b], -1, 0};
	return wall_corner_between(&from, &to, t);
}

static void face_on_facets(wall_scratch *w, const shape *s, int32_t f, vec3 n, const walls *from, int32_t first,
						   int32_t last, int32_t count, real part)
{
	wall_centroid sum = {w->poly[0][0].p, v3(0, 0, 0), 0};
	int32_t begin = s->first[f], corners = s->first[f + 1] - begin;
	w->spans = w->pieces = 0;
	for (int32_t i = first; i < last; ++i) {
		int32_t left;
		const wall_corner *p = scree_wall_cut_face(w, count, from, w->facet + i, &left);
		if (left < 3) continue;
		wall_centroid_add(&sum, p, left, n);
		wall_press_on(w, p, left, part);
		note_sides(w, s, f, from, w->facet + i, p, left);
	}
	vec3 c = wall_centroid_at(sum);
	join_spans(w);
	for (int32_t i = 0; i < w->spans; ++i) {
		wall_span e = w->span[i];
		int32_t a = s->corner[begin + e.side], b = s->corner[begin + (e.side + 1 < corners ? e.side + 1 : 0)];
		wall_corner from_a = end_of_span(w, s, a, b, e.t0), to_b = end_of_span(w, s, a, b, e.t1);
		real t = wall_share(n, c, from_a.p, to_b.p);
		wall_add_to_corner(w, &from_a, n, t);
		wall_add_to_corner(w, &to_b, n, t);
	}
	for (int32_t i = 0; i < w->pieces; ++i) {
		wall_piece e = w->piece[i];
		real t = wall_share(n, c, e.p, e.q);
		if (e.dp > 0) scree_wall_add_node(w, e.p, n, e.dp, t * e.dp);
		if (e.dq > 0) scree_wall_add_node(w, e.q, n, e.dq, t * e.dq);
	}
}

static void each_face_on_facets(wall_scratch *w, const shape *s, vec3 n, const walls *from, int32_t first, int32_t last)
{
	const wall_facing facing = wall_facing_of(s, n);
	wall_press(w, n);
	for (int32_t f = 0; f < s->faces; ++f) {
		if (!wall_looks_at(&facing, s, f)) continue;
		const int32_t count = wall_face_under(w, s, f);
		if (count >= 3) face_on_facets(w, s, f, n, from, first, last, count, wall_presses(&facing, s, f));
	}
}

real scree_wall_region(wall_scratch *w, const shape *s, vec3 n, const walls *from, int32_t first, int32_t last)
{
	const int32_t before = w->nodes;
	int32_t deepest;
	real sum, most;
	if (first == last) {
		most = wall_plane_region(w, s, n);
	} else {
		wall_vertices_below(w, s, &deepest);
		each_face_on_facets(w, s, n, from, first, last);
		most = wall_vertex_nodes(w, s, n, before, &sum);
	}
	w->arm = scree_pressure_arm(&w->press);
	return most;
}
