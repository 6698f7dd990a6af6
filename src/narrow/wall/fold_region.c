/* fold_region: pressure on surfaces that meet at shallow folds (docs/theory/walls.md, "Folds under laws of depth").
 *
 * Two faces that meet at an angle of 1e-6 should act on a body like a plane. The corners of the region behind a plane
 * are the corners of the union of its facets: there are none where two facets meet. At a shallow fold, the corners on
 * the fold therefore fade. The strength of these corners is transferred to the corners at the ends of each side of the
 * body that crosses the fold. Each of the surfaces then has a contact with the nodes of all these surfaces, weighted by
 * their bonds. In a plane, all contacts have the nodes of the plane's single contact and share its stiffness.
 *
 * The share of contact i is S_i / sum over k of c_ik S_k, where S is the strength of a contact's nodes and c the bond
 * of two surfaces. The bond is 1 in a plane, where the shares add up to 1, and 0 above 30 degrees, where each contact
 * is complete. Faces share stiffness only with faces and border edges only with border edges, because faces are
 * measured by area and edges by length. */

#include "base/memory.h"
#include "narrow/wall/work.h"

typedef struct fold_member {
	int32_t surface, first, last; /* surface, and range of its facets in the scratch */
	bool flipped;
	vec3 n;
	real off;
} fold_member;

/* Part of a side of a face above one surface, and the members beyond the ends of the part, or -1 if there are none. */
typedef struct fold_span {
	int32_t face, side, member, before, after;
	real t0, t1;
} fold_span;

typedef struct fold_side {
	vec3 from, along;
} fold_side;

/* Part of a surface's border across a face, and the member beyond it, or -1 if there is none. */
typedef struct fold_piece {
	int32_t face, member, beyond;
	wall_corner p, q;
} fold_piece;

/* The intersection of a facet and a face; the corners of the intersection end at `end`. part: the fraction under
 * pressure */
typedef struct fold_polygon {
	int32_t member, end;
	real part;
} fold_polygon;

typedef struct fold_node {
	int32_t member;
	wall_node of;
} fold_node;

typedef struct fold_room {
	int32_t members, member_capacity, bond_capacity, middle_capacity;
	fold_member *member;
	real *bond;			   /* [members * members] */
	wall_centroid *middle; /* [members * faces of the body] */
	int32_t spans, span_capacity;
	fold_span *span;
	int32_t pieces, piece_capacity;
	fold_piece *piece;
	int32_t polygons, polygon_capacity;
	fold_polygon *polygon;
	int32_t corners, corner_capacity;
	wall_corner *corner;
	int32_t nodes, node_capacity;
	fold_node *node;
} fold_room;

/* distance, relative to a side of a face, within which parts end at a corner and are joined across gaps (as in
 * patch.c) */
static const real GAP = 1e-8, SEAM_GAP = 1e-4;

static real bond_at(const fold_room *r, int32_t i, int32_t k) { return r->bond[i * r->members + k]; }

/* ------------------------------------------------------------------ the surfaces within reach */

/* Finds the surfaces within reach. Includes untouched surfaces, since parts of the body may overhang them. */
static void find_members(fold_room *r, const wall_scratch *w)
{
	r->members = 0;
	for (int32_t first = 0, last; first < w->facets; first = last) {
		for (last = first; last < w->facets && w->facet[last].surface == w->facet[first].surface;) ++last;
		const wall_facet *a = w->facet + first;
		r->member = scree_wall_room(r->member, r->members, &r->member_capacity, sizeof *r->member);
		r->member[r->members++] = (fold_member){a->surface, first, last, a->flipped, a->n, a->off};
	}
}

/* Finds the bonds of members; returns whether any members share nodes. */
static bool find_bonds(fold_room *r, const walls *s)
{
	const int32_t n = r->members;
	bool any = false;
	r->bond = scree_wall_least(r->bond, n * n, &r->bond_capacity, sizeof *r->bond);
	for (int32_t i = 0; i < n; ++i) {
		r->bond[i * n + i] = 1;
		for (int32_t k = 0; k < i; ++k) {
			const fold_member *a = r->member + i, *b = r->member + k;
			const real bond =
				a->flipped == b->flipped ? scree_surface_bond(s, a->surface, b->surface, a->flipped).level : 0;
			r->bond[i * n + k] = r->bond[k * n + i] = bond;
			any |= bond > 0;
		}
	}
	return any;
}

static int32_t member_of(const fold_room *r, int32_t surface)
{
	for (int32_t i = 0; i < r->members; ++i)
		if (r->member[i].surface == surface) return i;
	return -1;
}

/* ------------------------------------------------------------------ parts of the body's faces above members */

/* Returns the member beyond the facet edge that created a side, or -1. */
static int32_t beyond(const fold_room *r, const walls *s, const facet *g, int32_t side)
{
	if (side > SIDE_FACET) return -1;
	const int32_t next = s->next[g->first + SIDE_FACET - side];
	return next < 0 || s->facet[next].surface == g->surface ? -1 : member_of(r, s->facet[next].surface);
}

/* Adds a part of a side. Parts divided at seams between facets of one surface are joined. */
static void add_span(fold_room *r, fold_span a)
{
	for (int32_t k = 0; k < r->spans; ++k) {
		const fold_span b = r->span[k];
		if (b.face != a.face || b.side != a.side || b.member != a.member) continue;
		if (b.t0 > a.t1 + SEAM_GAP || a.t0 > b.t1 + SEAM_GAP) continue;
		if (b.t0 < a.t0) a.t0 = b.t0, a.before = b.before;
		if (b.t1 > a.t1) a.t1 = b.t1, a.after = b.after;
		r->span[k] = r->span[--r->spans];
		k = -1;
	}
	r->span = scree_wall_room(r->span, r->spans, &r->span_capacity, sizeof *r->span);
	r->span[r->spans++] = a;
}

static fold_side side_at(const shape *s, int32_t face, int32_t side)
{
	const int32_t first = s->first[face], n = s->first[face + 1] - first;
	const vec3 from = shape_vertex(s, s->corner[first + side]);
	return (fold_side){from, v3_sub(shape_vertex(s, s->corner[first + (side + 1 < n ? side + 1 : 0)]), from)};
}

static void note_sides(fold_room *r, const shape *s, const walls *from, fold_span at, const facet *g,
					   const wall_corner *p, int32_t count)
{
	for (int32_t i = 0; i < count; ++i) {
		const wall_corner a = p[i], b = p[i + 1 < count ? i + 1 : 0], last = p[i ? i - 1 : count - 1];
		if (a.side >= 0) {
			const fold_side line = side_at(s, at.face, a.side);
			const real length2 = v3_norm2(line.along);
			if (!(length2 > 0)) continue;
			at.side = a.side;
			at.t0 = v3_dot(v3_sub(a.p, line.from), line.along) / length2;
			at.t1 = v3_dot(v3_sub(b.p, line.from), line.along) / length2;
			at.before = beyond(r, from, g, last.side);
			at.after = beyond(r, from, g, b.side);
			add_span(r, at);
		} else if (a.side <= SIDE_FACET) {
			const int32_t next = from->next[g->first + SIDE_FACET - a.side];
			if (next >= 0 && from->facet[next].surface == g->surface) continue;
			r->piece = scree_wall_room(r->piece, r->pieces, &r->piece_capacity, sizeof *r->piece);
			r->piece[r->pieces++] = (fold_piece){at.face, at.member, beyond(r, from, g, a.side), a, b};
		}
	}
}

static void note_polygon(fold_room *r, int32_t member, real part, const wall_corner *p, int32_t count)
{
	r->polygon = scree_wall_room(r->polygon, r->polygons, &r->polygon_capacity, sizeof *r->polygon);
	r->corner = scree_wall_least(r->corner, r->corners + count, &r->corner_capacity, sizeof *r->corner);
	for (int32_t i = 0; i < count; ++i) r->corner[r->corners++] = p[i];
	r->polygon[r->polygons++] = (fold_polygon){member, r->corners, part};
}

static void cut_face(fold_room *r, wall_scratch *w, const shape *s, const walls *from, int32_t i, int32_t face,
					 real part)
{
	const fold_member *m = r->member + i;
	const int32_t count = wall_face_under(w, s, face);
	if (count < 3) return;
	wall_centroid sum = {w->poly[0][0].p, v3(0, 0, 0), 0};
	for (int32_t k = m->first; k < m->last; ++k) {
		int32_t left;
		const wall_corner *p = scree_wall_cut_face(w, count, from, w->facet + k, &left);
		if (left < 3) continue;
		wall_centroid_add(&sum, p, left, m->n);
		if (part > 0) note_polygon(r, i, part, p, left);
		note_sides(r, s, from, (fold_span){.face = face, .member = i}, from->facet + w->facet[k].row, p, left);
	}
	r->middle[i * s->faces + face] = sum;
}

static void cut_body(fold_room *r, wall_scratch *w, const shape *s, const walls *from, int32_t i)
{
	const fold_member *m = r->member + i;
	const wall_facing facing = wall_facing_of(s, m->n);
	wall_depths(w, s, m->n, m->off);
	for (int32_t f = 0; f < s->faces; ++f) {
		r->middle[i * s->faces + f] = (wall_centroid){.area = 0};
		if (wall_looks_at(&facing, s, f)) cut_face(r, w, s, from, i, f, wall_presses(&facing, s, f));
	}
}

/* ------------------------------------------------------------------ flatness of folds under the body */

static real depth_over(const fold_member *m, vec3 p) { return m->off - v3_dot(m->n, p); }

/* Returns the centroid of the body's whole region above member i. */
static vec3 middle_of_all(const fold_room *r, int32_t faces, int32_t i)
{
	real area = 0;
	vec3 sum = v3(0, 0, 0);
	for (int32_t f = 0; f < faces; ++f) {
		const wall_centroid *c = r->middle + i * faces + f;
		area += c->area;
		sum = v3_add(sum, v3_madd(c->moment, c->area, c->from));
	}
	return area > 0 ? v3_mul(1 / area, sum) : sum;
}

/* The flatness of a fold is 1 if the overlap is large compared with the fold's departure e = 2 a b/(a + b) from the
 * line between the ends, with the heights a and b of each centroid above the other plane. */
static real flatness(const fold_member *m, const fold_member *o, vec3 c, vec3 d)
{
	const real dm = depth_over(m, c), dd = depth_over(o, d);
	const real a = real_abs(depth_over(o, c) - dm), b = real_abs(depth_over(m, d) - dd);
	const real e = a + b > 0 ? 2 * a * b / (a + b) : 0;
	return dm + dd > 0 ? real_max(1 - 4 * e / (dm + dd), 0) : 0;
}

static void weaken_bonds(fold_room *r, int32_t faces)
{
	const int32_t n = r->members;
	for (int32_t i = 0; i < n; ++i)
		for (int32_t k = 0; k < i; ++k) {
			if (!(bond_at(r, i, k) > 0)) continue;
			const vec3 c = middle_of_all(r, faces, i), d = middle_of_all(r, faces, k);
			r->bond[i * n + k] *= flatness(r->member + i, r->member + k, c, d);
			r->bond[k * n + i] = r->bond[i * n + k];
		}
}

/* ------------------------------------------------------------------ nodes */

static void add_node(fold_room *r, int32_t member, vec3 p, real area)
{
	const real d = depth_over(r->member + member, p);
	if (!(area > 0 && d > 0)) return;
	r->node = scree_wall_room(r->node, r->nodes, &r->node_capacity, sizeof *r->node);
	r->node[r->nodes++] = (fold_node){member, {p, r->member[member].n, d, area * d}};
}

/* Returns the centroid of the area of a body's face above member i and the members bonded to i. */
static vec3 middle_of(const fold_room *r, int32_t faces, int32_t i, int32_t face)
{
	const wall_centroid *own = r->middle + i * faces + face;
	real area = 0;
	vec3 moment = v3(0, 0, 0);
	for (int32_t k = 0; k < r->members; ++k) {
		const wall_centroid *c = r->middle + k * faces + face;
		const real part = bond_at(r, i, k);
		if (!(part > 0 && c->area > 0)) continue;
		area += part * c->area;
		moment = v3_madd(moment, part, v3_madd(c->moment, c->area, v3_sub(c->from, own->from)));
	}
	return area > 0 ? v3_madd(own->from, 1 / area, moment) : own->from;
}

/* Returns the span beyond the end of e on the same side, or NULL. */
static const fold_span *next_span(const fold_room *r, const fold_span *e, bool forth)
{
	const int32_t to = forth ? e->after : e->before;
	const fold_span *best = NULL;
	real least = INFINITY;
	for (int32_t k = 0; to >= 0 && k < r->spans; ++k) {
		const fold_span *g = r->span + k;
		if (g->face != e->face || g->side != e->side || g->member != to) continue;
		if ((forth ? g->before : g->after) != e->member) continue;
		const real gap = real_abs(forth ? g->t0 - e->t1 : e->t0 - g->t1);
		if (gap < least) least = gap, best = g;
	}
	return best;
}

/* Adds nodes at the end of a span with the strength that remains at the fold, and passes the rest to the next span. */
static void add_end(fold_room *r, const shape *s, const fold_span *e, bool forth, real area)
{
	const fold_side line = side_at(s, e->face, e->side);
	for (int32_t folds = 0; e && folds <= r->members; ++folds) {
		const fold_span *g = next_span(r, e, forth);
		const real bond = g ? bond_at(r, e->member, g->member) : 0, t = forth ? e->t1 : e->t0;
		const vec3 p = v3_madd(line.from, t <= GAP ? 0 : t >= 1 - GAP ? 1 : t, line.along);
		add_node(r, e->member, p, (1 - bond) * area);
		area *= bond;
		e = bond > 0 ? g : NULL;
	}
}

static void find_nodes(fold_room *r, const shape *s)
{
	r->nodes = 0;
	for (int32_t k = 0; k < r->spans; ++k) {
		const fold_span *e = r->span + k;
		const fold_side line = side_at(s, e->face, e->side);
		const real area = wall_share(r->member[e->member].n, middle_of(r, s->faces, e->member, e->face),
									 v3_madd(line.from, e->t0, line.along), v3_madd(line.from, e->t1, line.along));
		add_end(r, s, e, false, area);
		add_end(r, s, e, true, area);
	}
	for (int32_t k = 0; k < r->pieces; ++k) {
		const fold_piece *e = r->piece + k;
		const real left = 1 - (e->beyond < 0 ? 0 : bond_at(r, e->member, e->beyond));
		const vec3 middle = middle_of(r, s->faces, e->member, e->face);
		const real area = left * wall_share(r->member[e->member].n, middle, e->p.p, e->q.p);
		add_node(r, e->member, e->p.p, area);
		add_node(r, e->member, e->q.p, area);
	}
}

void scree_wall_fold_region(wall_scratch *w, const shape *s, const walls *from)
{
	if (!w->fold) w->fold = scree_alloc(1, sizeof *w->fold);
	fold_room *r = w->fold;
	find_members(r, w);
	if (r->members < 2 || !find_bonds(r, from)) {
		r->members = 0;
		return;
	}
	r->spans = r->pieces = r->polygons = r->corners = 0;
	r->middle = scree_wall_least(r->middle, r->members * s->faces, &r->middle_capacity, sizeof *r->middle);
	for (int32_t i = 0; i < r->members; ++i) cut_body(r, w, s, from, i);
	weaken_bonds(r, s->faces);
	find_nodes(r, s);
}

/* ------------------------------------------------------------------ nodes of one surface */

static bool is_bound(const fold_room *r, int32_t i)
{
	for (int32_t k = 0; k < r->members; ++k)
		if (k != i && bond_at(r, i, k) > 0) return true;
	return false;
}

static real arm_of(const fold_room *r, wall_scratch *w, int32_t i)
{
	wall_press(w, r->member[i].n);
	for (int32_t k = 0, c = 0; k < r->polygons; ++k) {
		const fold_polygon *o = r->polygon + k;
		const real part = o->part * bond_at(r, i, o->member);
		const int32_t first = c;
		for (; c < o->end; ++c)
			if (part > 0) wall_press_at(w, r->corner[c].p, part * r->corner[c].d);
		if (part > 0 && c > first) scree_pressure_close(&w->press);
	}
	return scree_pressure_arm(&w->press);
}

void scree_wall_fold_nodes(wall_scratch *w, int32_t surface, bool flipped)
{
	const fold_room *r = w->fold;
	const int32_t i = member_of(r, surface);
	if (i < 0 || r->member[i].flipped != flipped || !is_bound(r, i)) return;
	w->nodes = 0;
	for (int32_t k = 0; k < r->nodes; ++k) {
		const wall_node *a = &r->node[k].of;
		const real bond = bond_at(r, i, r->node[k].member);
		if (bond > 0) scree_wall_add_node(w, a->p, r->member[i].n, a->d, bond * a->s);
	}
	w->arm = arm_of(r, w, i);
}

void scree_wall_fold_free(fold_room *r)
{
	if (!r) return;
	SCREE_FREE_ALL(r->member, r->bond, r->middle, r->span, r->piece, r->polygon, r->corner, r->node, r);
}

static real bond_of(const walls *s, const touch_list *l, const touch_extent *e, int32_t i, int32_t k)
{
	if (i == k) return 1;
	if (e[i].behind != e[k].behind) return 0;
	return scree_surface_bond(s, l->item[i].surface, l->item[k].surface, e[i].behind).level;
}

static real part_in(real own, real all) { return all > 0 ? own / all : 1; }

void scree_wall_fold_parts(const wall_scratch *w, const walls *s, touch_list *out)
{
	const touch_extent *e = w->extent;
	for (int32_t i = 0; i < out->count; ++i) {
		real faces = 0, edges = 0;
		for (int32_t k = 0; k < out->count; ++k) {
			const real bond = bond_of(s, out, e, i, k);
			faces += bond * e[k].faces;
			edges += bond * e[k].edges;
		}
		const real part = part_in(e[i].faces, faces);
		out->item[i].part = part + e[i].mix * (part_in(e[i].edges, edges) - part);
	}
}
