/* convex_facets: contacts of a convex polyhedron with a plane or facets, in the frame of the body at size 1.
 *
 * Touch. A surface is touched if one of its facets, clipped to the body's half spaces, has a point in common with it.
 * Candidates must include all facets in the bounding sphere's box; more candidates do not affect the result.
 *
 * Face. The region of the body behind the surface's plane, bounded by the surface's facets (patch.c), pushes along the
 * surface's normal.
 *
 * Edge. If edges that bound the surface (ridges and open edges, never seams or valleys) pass through the body, there
 * may be a shorter way out past an edge. The direction of this way is the normal of one of the body's faces, or
 * perpendicular to the edge and one of the body's edges (the axes of the separating axis theorem). The edge must be
 * able to push in this direction. If its way is shorter by the factor `fade`, the edge replaces the face. Between 1 and
 * `fade`, both are mixed, so that the force is continuous when a body tips over an edge.
 *
 * Ownership. The contact at a ridge belongs to the surface whose normal is closest to the contact's direction. The
 * other surface fades in the same way, but does not have this contact. */
#include "narrow/wall/work.h"

static const real SLACK = 1e-9;
/* an open edge replaces the face if the way out past the edge is shorter by this factor */
static const real OPEN_FADE = 0.7;
/* sine below which a ridge's share of the contact is proportional to the sine squared, because a plane has no edges */
static const real SHARP = 0.5;

/* A way out of a surface that is shorter than the way along the surface's normal. */
typedef struct way {
	real d; /* length; INFINITY: none */
	vec3 m;
	real fade, sharp;
	bool own; /* the contact belongs to this surface */
} way;

/* True if a facet's polygon, in w->edge, has a point in common with the body reduced by `less` on all sides. */
static bool meets_body(wall_scratch *w, const shape *s, int32_t first, int32_t corners, real less)
{
	w->ring[0] = scree_wall_least(w->ring[0], corners + s->faces + 1, &w->ring_capacity[0], sizeof *w->ring[0]);
	w->ring[1] = scree_wall_least(w->ring[1], corners + s->faces + 1, &w->ring_capacity[1], sizeof *w->ring[1]);
	vec3 *in = w->ring[0], *out = w->ring[1];
	int32_t n = corners;
	for (int32_t k = 0; k < n; ++k) in[k] = w->edge[first + k].x;
	for (int32_t f = 0; f < s->faces && n; ++f) {
		vec3 m = shape_normal(s, f);
		int32_t made = 0;
		real ha = s->off[f] - less - v3_dot(m, in[n - 1]);
		vec3 a = in[n - 1];
		for (int32_t k = 0; k < n; ++k) {
			vec3 b = in[k];
			real hb = s->off[f] - less - v3_dot(m, b);
			if ((ha < 0 && hb > 0) || (ha > 0 && hb < 0)) out[made++] = v3_madd(a, ha / (ha - hb), v3_sub(b, a));
			if (hb >= 0) out[made++] = b;
			a = b;
			ha = hb;
		}
		vec3 *swap = in;
		in = out;
		out = swap;
		n = made;
	}
	return n > 0;
}

static void add_facet(wall_scratch *w, wall_facet f)
{
	w->facet = scree_wall_room(w->facet, w->facets, &w->facet_capacity, sizeof *w->facet);
	int32_t i = w->facets++;
	for (; i > 0 && w->facet[i - 1].surface > f.surface; --i) w->facet[i] = w->facet[i - 1];
	w->facet[i] = f;
}

static void see_edges(wall_scratch *w, const placed *body, const walls *s, const facet *f)
{
	w->edge = scree_wall_least(w->edge, w->edges + f->corners, &w->edge_capacity, sizeof *w->edge);
	for (int32_t k = 0; k < f->corners; ++k)
		w->edge[w->edges++] =
			(wall_edge){view_point(body, s->corner[f->first + k]), view_direction(body, s->outward[f->first + k])};
}

static bool has_border(const walls *s, const facet *f)
{
	for (int32_t k = f->first; k < f->first + f->corners; ++k)
		if (s->next[k] < 0 || s->facet[s->next[k]].surface != f->surface) return true;
	return false;
}

/* Copies facets within reach, sorted by surface, then by row. Untouched facets may be below overhanging parts of the
 * body, but only in its bounding sphere. from_behind: only facets with the body's centre behind them */
static void gather(wall_scratch *w, const placed *body, const near_wall *to, bool from_behind)
{
	const walls *s = to->s;
	const bool two_sided = s->row[to->wall].two_sided;
	real bound = body->size * body->shape->radius;
	real less = from_behind ? SLACK : 0; /* a facet touched only at its edge is not inside the body */
	w->facets = w->edges = 0;
	for (int32_t i = 0; i < to->facets; ++i) {
		const struct facet *f = facet_near(to, i);
		real h = v3_dot(f->normal, body->at) - f->off;
		if (from_behind ? h >= 0 : h < 0 && !two_sided) continue;
		if (real_abs(h) >= bound || outside_box(f, body->at, bound)) continue;
		bool flipped = h < 0 && !from_behind;
		vec3 n = view_direction(body, flipped ? v3_neg(f->normal) : f->normal);
		real off = (flipped ? h : -h) / body->size;
		if (!(wall_reach(body->shape, v3_mul(off, n), n) > 0)) continue;
		if (two_sided && scree_place_at_surface(to, f->surface, body->at) == PLACE_BEYOND) continue;
		int32_t first = w->edges;
		see_edges(w, body, s, f);
		/* a facet without borders needs no test if its surface is already touched */
		bool known = false;
		for (int32_t k = 0; k < w->facets && !known && !from_behind; ++k)
			known = w->facet[k].surface == f->surface && w->facet[k].touched;
		bool touched = (known && !has_border(s, f)) || meets_body(w, body->shape, first, f->corners, less);
		add_facet(w, (wall_facet){to->facet[i], f->surface, flipped, touched, n, off, first});
	}
}

static void note_border(wall_scratch *w, const placed *body, const walls *s, const wall_facet *a, int32_t k)
{
	const facet *f = s->facet + a->row;
	int32_t next = s->next[f->first + k];
	bool ridge = next >= 0;
	if (edge_is_covered(next) || (ridge && s->facet[next].surface == f->surface)) return;
	real bend = a->flipped ? -s->bend[f->first + k] : s->bend[f->first + k];
	if (ridge && !(bend < 0)) return;
	wall_edge e = w->edge[a->first + k], to = w->edge[a->first + (k + 1 < f->corners ? k + 1 : 0)];
	vec3 r = v3_sub(to.x, e.x);
	wall_border b = {.x = e.x,
					 .n = a->n,
					 .out = e.out,
					 .length = v3_norm(r),
					 .fade = OPEN_FADE,
					 .sharp = 1,
					 .ridge = ridge,
					 .surface2 = -1};
	if (!(b.length > 0)) return;
	b.u = v3_mul(1 / b.length, r);
	if (!wall_chord(body->shape, b.x, b.u, b.length, &b.s0, &b.s1)) b.s0 = 1, b.s1 = 0;
	if (ridge) {
		const facet *g = s->facet + next;
		real h = v3_dot(g->normal, body->at) - g->off;
		b.n2 = view_direction(body, a->flipped ? v3_neg(g->normal) : g->normal);
		b.fade = sqrt(real_max(1 + v3_dot(b.n, b.n2), 0) / 2);
		if (v3_dot(b.n, b.n2) > 0) b.sharp = real_min(bend * bend / (SHARP * SHARP), 1);
		if ((a->flipped ? -h : h) >= 0) b.surface2 = g->surface;
	}
	w->border = scree_wall_room(w->border, w->borders, &w->border_capacity, sizeof *w->border);
	w->border[w->borders++] = b;
}

static bool may_push(const wall_border *b, vec3 m)
{
	real o = v3_dot(m, b->out), n = v3_dot(m, b->n);
	if (o < -SLACK || (b->ridge ? n < -SLACK && v3_dot(m, b->n2) < -SLACK : n < -0.9)) return false;
	if (!b->ridge) return true;
	/* m is between the normals on both sides of the ridge: n, m, and n2 are in this order about the edge */
	return v3_dot(v3_cross(m, b->n2), v3_cross(b->n, b->n2)) >= -SLACK &&
		   v3_dot(v3_cross(b->n, m), v3_cross(b->n, b->n2)) >= -SLACK;
}

static bool owns(const wall_border *b, int32_t surface, vec3 m)
{
	if (b->surface2 < 0) return true;
	real here = v3_dot(m, b->n), there = v3_dot(m, b->n2);
	return here > there || (here == there && surface < b->surface2);
}

static void try_line(const shape *s, const wall_border *b, int32_t surface, vec3 m, way *best)
{
	m = v3_madd(m, -v3_dot(m, b->u), b->u);
	real n = v3_norm(m);
	if (!(n > 1e-9)) return;
	m = v3_mul(1 / n, m);
	if (!may_push(b, m)) return;
	real d = wall_reach(s, b->x, m);
	if (d < best->d) *best = (way){d, m, b->fade, b->sharp, owns(b, surface, m)};
}

/* Tests the ways out past an edge in directions perpendicular to this edge and to one of the body's edges. */
static void past_edge(const shape *s, const wall_border *b, int32_t surface, way *best)
{
	for (int32_t k = 0; k < s->edges; ++k) {
		vec3 r = v3_sub(shape_vertex(s, s->ends[2 * k + 1]), shape_vertex(s, s->ends[2 * k]));
		vec3 m = v3_cross(b->u, r);
		if (v3_norm2(m) <= SLACK * v3_norm2(r)) continue;
		try_line(s, b, surface, m, best);
		try_line(s, b, surface, v3_neg(m), best);
	}
	for (int32_t f = 0; f < s->faces; ++f)
		if (real_abs(v3_dot(shape_normal(s, f), b->u)) < 1e-6)
			try_line(s, b, surface, v3_neg(shape_normal(s, f)), best);
	if (!b->ridge) return;
	/* along the normal of the surface beyond the ridge; the contact then belongs to that surface */
	real d = wall_reach(s, b->x, b->n2);
	if (d < best->d) *best = (way){d, b->n2, b->fade, b->sharp, b->surface2 < 0};
}

/* Tests the way out along the normal of face f if a corner of the surface is deepest behind this face. */
static void past_corner(const wall_scratch *w, const shape *s, int32_t surface, int32_t f, way *best)
{
	vec3 m = v3_neg(shape_normal(s, f));
	real most = 0, fade = 0, sharp = 0;
	bool inside = false, own = true;
	for (int32_t i = 0; i < w->borders; ++i) {
		const wall_border *b = w->border + i;
		if (v3_dot(b->n, m) < (b->ridge ? -SLACK : -0.9)) return;
		real d0 = s->off[f] + v3_dot(m, b->x), d1 = d0 + b->length * v3_dot(m, b->u);
		real d = real_max(d0, d1);
		bool within = b->s0 <= b->s1 && (d0 > d1 ? b->s0 <= 0 : b->s1 >= b->length);
		if (d > most + SLACK) {
			most = d;
			inside = within;
			own = true;
			fade = sharp = 0;
		}
		if (d >= most - SLACK) {
			own = own && owns(b, surface, m);
			fade = real_max(fade, b->fade);
			sharp = real_max(sharp, b->sharp);
		}
	}
	if (inside && most > 0 && most < best->d) *best = (way){most, m, fade, sharp, own};
}

static way shortest_way(wall_scratch *w, const placed *body, const walls *s, int32_t first, int32_t last)
{
	way best = {INFINITY, v3(0, 0, 0), 1, 1, false};
	w->borders = 0;
	for (int32_t i = first; i < last; ++i)
		for (int32_t k = 0; w->facet[i].touched && k < s->facet[w->facet[i].row].corners; ++k)
			note_border(w, body, s, w->facet + i, k);
	int32_t surface = w->facet[first].surface;
	for (int32_t i = 0; i < w->borders; ++i)
		if (w->border[i].s0 <= w->border[i].s1) past_edge(body->shape, w->border + i, surface, &best);
	for (int32_t f = 0; f < body->shape->faces && w->borders; ++f) past_corner(w, body->shape, surface, f, &best);
	return best;
}

/* Adds the nodes of all border edges, and computes their lever arm, for a body pushed along m. */
static void add_borders(wall_scratch *w, const shape *s, vec3 m)
{
	wall_press(w, m);
	for (int32_t i = 0; i < w->borders; ++i) {
		const wall_border *b = w->border + i;
		real s0, s1;
		if (wall_shadow(s, b->x, b->u, b->length, m, &s0, &s1)) wall_line(w, s, b->x, b->u, s0, s1, m, 1);
	}
	w->arm = scree_pressure_arm(&w->press);
}

/* The ways out of a surface: along the surface's normal, with nodes in the scratch, and past the surface's border. */
typedef struct ways {
	real face;
	way past;
} ways;

static ways ways_out(wall_scratch *w, const placed *body, const walls *s, const wall_facet *a, int32_t first,
					 int32_t last)
{
	vec3 n = a->n;
	wall_depths(w, body->shape, n, a->off);
	w->nodes = 0;
	real face = scree_wall_region(w, body->shape, n, s, first, last);
	return (ways){face, shortest_way(w, body, s, first, last)};
}

static bool centre_is_over(const wall_scratch *w, const placed *body, const walls *s, int32_t first, int32_t last)
{
	while (first < last && !is_over(s, s->facet + w->facet[first].row, body->at)) ++first;
	return first < last;
}

static void turn_over(wall_scratch *w, int32_t first, int32_t last)
{
	for (int32_t i = first; i < last; ++i) {
		wall_facet *a = w->facet + i;
		a->flipped = !a->flipped;
		a->n = v3_neg(a->n);
		a->off = -a->off;
	}
}

/* The ways out of a two-sided surface whose border the body overhangs. The body is on the side with the shorter way
 * out: a body that tips over the border stays on its side while its centre sinks below the surface. */
static ways ways_out_of_either(wall_scratch *w, const placed *body, const walls *s, const wall_facet *a, int32_t first,
							   int32_t last)
{
	if (centre_is_over(w, body, s, first, last)) return ways_out(w, body, s, a, first, last);
	turn_over(w, first, last);
	ways there = ways_out(w, body, s, a, first, last);
	turn_over(w, first, last);
	/* computed last, so that the nodes of this way, which is usually the shorter, remain in the scratch */
	ways here = ways_out(w, body, s, a, first, last);
	if (!(real_min(there.face, there.past.d) < real_min(here.face, here.past.d))) return here;
	turn_over(w, first, last);
	return ways_out(w, body, s, a, first, last);
}

/* Returns the border's share of the contact with a surface. */
static real mix_of(const ways *o)
{
	const way *past = &o->past;
	if (!(past->d < INFINITY)) return 0;
	if (!(o->face > 0)) return past->sharp;
	if (!(past->d < o->face)) return 0;
	return past->sharp * (past->fade < 1 ? real_clamp((1 - past->d / o->face) / (1 - past->fade), 0, 1) : 1);
}

static void mix_border(wall_scratch *w, const shape *s, vec3 m, touch_extent *e)
{
	const int32_t faces = w->nodes;
	const real arm = w->arm;
	wall_scale_to(w, 0, w->nodes, 1 - e->mix);
	add_borders(w, s, m);
	e->edges = e->mix * wall_strength(w, faces, w->nodes);
	wall_scale_to(w, faces, w->nodes, e->mix);
	w->arm = (1 - e->mix) * arm + e->mix * w->arm;
}

static void meet_surface(wall_scratch *w, const placed *body, const walls *s, bool two_sided, int32_t first,
						 int32_t last, touch_list *out)
{
	const wall_facet *a = w->facet + first;
	while (a < w->facet + last && !a->touched) ++a;
	if (a == w->facet + last) return;
	const facet *f = s->facet + a->row;
	const ways o = two_sided ? ways_out_of_either(w, body, s, a, first, last) : ways_out(w, body, s, a, first, last);
	const real mix = mix_of(&o), factor = o.past.own ? 1 : 1 - mix;
	touch_extent e = {
		.faces = factor * wall_strength(w, 0, w->nodes), .mix = o.past.own ? mix : 0, .behind = a->flipped};
	scree_wall_fold_nodes(w, a->surface, a->flipped);
	if (e.mix > 0) mix_border(w, body->shape, o.past.m, &e);
	const int32_t before = out->count;
	scree_touch_nodes(out, a->surface, body, factor);
	if (out->count == before) return;
	/* exactly the wall's normal */
	if (e.mix == 0) out->item[before].normal = a->flipped ? v3_neg(f->normal) : f->normal;
	w->extent = scree_wall_room(w->extent, before, &w->extent_capacity, sizeof *w->extent);
	w->extent[before] = e;
}

/* Pushes a body in a closed mesh out through the nearest plane if its centre is behind all facets that it touches. */
static void push_out(wall_scratch *w, const placed *body, const near_wall *to, touch_list *out)
{
	gather(w, body, to, true);
	int32_t best = -1;
	for (int32_t i = 0; i < w->facets; ++i)
		if (w->facet[i].touched && (best < 0 || w->facet[i].off < w->facet[best].off)) best = i;
	if (best < 0 || !wall_closed(to->s, to->s->row + to->wall)) return;
	const wall_facet *a = w->facet + best;
	wall_depths(w, body->shape, a->n, a->off);
	w->nodes = 0;
	scree_wall_region(w, body->shape, a->n, NULL, 0, 0);
	scree_touch_nodes(out, a->surface, body, 1);
}

void scree_convex_facets(const placed *body, const near_wall *to, touch_list *out)
{
	wall_scratch *w = scree_wall_scratch(out);
	const walls *s = to->s;
	bool two_sided = s->row[to->wall].two_sided, touched = false;
	gather(w, body, to, false);
	scree_wall_fold_region(w, body->shape, s);
	for (int32_t first = 0, last; first < w->facets; first = last) {
		for (last = first + 1; last < w->facets && w->facet[last].surface == w->facet[first].surface;) ++last;
		meet_surface(w, body, s, two_sided, first, last, out);
		for (int32_t i = first; i < last; ++i) touched |= w->facet[i].touched;
	}
	if (!touched && to->facets && !two_sided) push_out(w, body, to, out);
	if (touched && out->count > 1) scree_wall_fold_parts(w, s, out);
}

void scree_convex_plane(const placed *body, const wall *w, touch_list *out)
{
	vec3 n;
	wall_scratch *scratch = scree_wall_scratch(out);
	if (!wall_plane_nodes(scratch, body->shape, body, w, &n)) return;
	scratch->arm = scree_pressure_arm(&scratch->press);
	scree_touch_nodes(out, w->first_surface, body, 1);
	if (out->count) out->item[0].normal = n;
}
