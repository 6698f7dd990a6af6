/* patch: the contact points between a polyhedron and a flat surface or a line.
 *
 * The region. Each face of the body that faces the wall is cut by the wall's plane and by the facets that bound the
 * surface. The result is a polygon (a union of polygons if facets meet) whose corners are the contact points. The
 * strength of a corner is its overlap times its area projected along the normal, which is half the area of the two
 * triangles that the corner's sides form with the centroid. The centre of pressure of a flat face is therefore its
 * centroid. For a lone corner of the body, the whole overlap counts. Points appear and disappear with strength 0, so
 * force and couple are continuous functions of the pose.
 *
 * Seams. Sides common to two facets of a surface are omitted, and parts of a body's side on different facets are joined
 * before their strength is computed, so a triangulated floor gives the same result as a plane.
 *
 * Lines. A line (an edge of a wall, the generator of a cylinder) pushes along m. The points are the corners of the
 * body's profile above the line, with lengths instead of areas. */
#include "narrow/wall/work.h"

/* overlap, relative to the body's size, of a surface's facets at their seams, so that rounding does not cause gaps */
static const real SEAM = 1e-11;
/* distance from a corner, as a fraction of the side, within which a part of the side ends at the corner */
static const real GAP = 1e-8;
/* Largest gap, as a fraction of a side, across which the side's parts are joined. Rounding in a file may tilt facets of
 * one surface, which separates the regions below these facets at the seam. */
static const real SEAM_GAP = 1e-4;
/* faces cross where their heights above a line differ by less than this value */
static const real SAME_HEIGHT = 1e-12;
/* cosine, relative to the cosine of the flattest face, above which a face counts for the arm and above which it counts
 * fully */
static const real PRESSES = 0.1, FULLY = 0.3;

void scree_wall_vertices(wall_scratch *w, const shape *s)
{
	if (w->vertices >= s->padded) return;
	int32_t c1 = w->vertices, c2 = c1, c3 = c1;
	w->depth = scree_wall_least(w->depth, s->padded, &c1, sizeof *w->depth);
	w->lump = scree_wall_least(w->lump, s->padded, &c2, sizeof *w->lump);
	w->normal = scree_wall_least(w->normal, s->padded, &c3, sizeof *w->normal);
	w->vertices = c1;
}

real scree_wall_depths(wall_scratch *w, const shape *s, vec3 n, real off)
{
	scree_wall_vertices(w, s);
	const real *x = s->vx, *y = s->vy, *z = s->vz;
	real *d = w->depth, most = -INFINITY;
	for (int32_t v = 0; v < s->vertices; ++v) {
		d[v] = off - (n.x * x[v] + n.y * y[v] + n.z * z[v]);
		most = d[v] > most ? d[v] : most;
	}
	return most;
}

static void room_for_polygon(wall_scratch *w, int32_t corners)
{
	if (corners <= w->poly_capacity) return;
	int32_t had = w->poly_capacity, c0 = had;
	w->poly[0] = scree_wall_least(w->poly[0], corners, &c0, sizeof *w->poly[0]);
	w->poly_capacity = had;
	w->poly[1] = scree_wall_least(w->poly[1], corners, &w->poly_capacity, sizeof *w->poly[1]);
}

static wall_corner between(wall_corner a, wall_corner b, real t)
{
	return (wall_corner){v3_madd(a.p, t, v3_sub(b.p, a.p)), a.d + t * (b.d - a.d), -1, a.side};
}

/* Keeps the part with h = off - n.p >= 0 (or d >= 0 if n = 0). The cut creates the side with number `side`. */
static int32_t cut_polygon(const wall_corner *in, int32_t count, vec3 n, real off, int32_t side, wall_corner *out)
{
	int32_t made = 0;
	bool water = side == SIDE_WATER;
	for (int32_t i = 0; i < count; ++i) {
		wall_corner a = in[i], b = in[i + 1 < count ? i + 1 : 0];
		real ha = water ? a.d : off - v3_dot(n, a.p), hb = water ? b.d : off - v3_dot(n, b.p);
		if (ha >= 0) out[made++] = a;
		if (ha >= 0 ? !(hb < 0) : !(hb > 0)) continue;
		if (ha == 0 || hb == 0) {
			if (ha == 0) out[made - 1].side = side;
			continue;
		}
		wall_corner x = between(a, b, ha / (ha - hb));
		if (water) x.d = 0;
		if (ha > 0) x.side = side;
		out[made++] = x;
	}
	return made;
}

int32_t scree_wall_face_under(wall_scratch *w, const shape *s, int32_t f)
{
	int32_t first = s->first[f], n = s->first[f + 1] - first, above = 0, below = 0;
	for (int32_t k = 0; k < n; ++k) {
		real d = w->depth[s->corner[first + k]];
		if (d > 0) ++below;
		if (d < 0) ++above;
	}
	if (!below) return 0;
	room_for_polygon(w, 2 * n + 2);
	wall_corner *whole = w->poly[above ? 1 : 0];
	for (int32_t k = 0; k < n; ++k) {
		int32_t v = s->corner[first + k];
		whole[k] = (wall_corner){shape_vertex(s, v), w->depth[v], v, k};
	}
	return above ? cut_polygon(whole, n, v3(0, 0, 0), 0, SIDE_WATER, w->poly[0]) : n;
}

static void add_to_corner(wall_scratch *w, wall_corner c, vec3 n, real t)
{
	if (c.vertex >= 0)
		w->lump[c.vertex] += t;
	else if (c.d > 0)
		scree_wall_add_node(w, c.p, n, c.d, t * c.d);
}

static void press_on(wall_scratch *w, const wall_corner *p, int32_t count, real part)
{
	if (!(part > 0)) return;
	for (int32_t i = 0; i < count; ++i) wall_press_at(w, p[i].p, part * p[i].d);
	scree_pressure_close(&w->press);
}

static void whole_face(wall_scratch *w, vec3 n, int32_t count)
{
	const wall_corner *p = w->poly[0];
	wall_centroid sum = {p[0].p, v3(0, 0, 0), 0};
	wall_centroid_add(&sum, p, count, n);
	vec3 c = wall_centroid_at(sum);
	for (int32_t i = 0; i < count; ++i) {
		wall_corner a = p[i], b = p[i + 1 < count ? i + 1 : 0];
		real t = wall_share(n, c, a.p, b.p);
		add_to_corner(w, a, n, t);
		add_to_corner(w, b, n, t);
	}
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
	room_for_polygon(w, count + g->corners + 2);
	w->room = scree_wall_least(w->room, 2 * w->poly_capacity, &w->room_capacity, sizeof *w->room);
	wall_corner *room = w->room, *spare = room + w->poly_capacity, *in = w->poly[0], *out = room;
	int32_t n = count;
	for (int32_t k = 0; k < g->corners && n; ++k) {
		const wall_edge *e = w->edge + on->first + k;
		int32_t next = from->next[g->first + k];
		bool seam = next >= 0 && from->facet[next].surface == g->surface;
		n = cut_polygon(in, n, e->out, v3_dot(e->out, e->x) + (seam ? SEAM : 0), SIDE_FACET - k, out);
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
	return between((wall_corner){shape_vertex(s, a), w->depth[a], -1, 0},
				   (wall_corner){shape_vertex(s, b), w->depth[b], -1, 0}, t);
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
		press_on(w, p, left, part);
		note_sides(w, s, f, from, w->facet + i, p, left);
	}
	vec3 c = wall_centroid_at(sum);
	join_spans(w);
	for (int32_t i = 0; i < w->spans; ++i) {
		wall_span e = w->span[i];
		int32_t a = s->corner[begin + e.side], b = s->corner[begin + (e.side + 1 < corners ? e.side + 1 : 0)];
		wall_corner from_a = end_of_span(w, s, a, b, e.t0), to_b = end_of_span(w, s, a, b, e.t1);
		real t = wall_share(n, c, from_a.p, to_b.p);
		add_to_corner(w, from_a, n, t);
		add_to_corner(w, to_b, n, t);
	}
	for (int32_t i = 0; i < w->pieces; ++i) {
		wall_piece e = w->piece[i];
		real t = wall_share(n, c, e.p, e.q);
		if (e.dp > 0) scree_wall_add_node(w, e.p, n, e.dp, t * e.dp);
		if (e.dq > 0) scree_wall_add_node(w, e.q, n, e.dq, t * e.dq);
	}
}

wall_facing scree_wall_facing(const shape *s, vec3 n)
{
	wall_facing o = {n, 0, 0};
	real flat = 0;
	for (int32_t f = 0; f < s->faces; ++f) flat = real_max(flat, wall_slope(&o, s, f));
	o.least = PRESSES * flat;
	o.inverse = flat > 0 ? 1 / ((FULLY - PRESSES) * flat) : 0;
	return o;
}

/* lone: one vertex is below the wall and no facet bounds the wall, so faces matter only for the arm */
static void each_face(wall_scratch *w, const shape *s, vec3 n, const walls *from, int32_t first, int32_t last,
					  bool lone)
{
	const wall_facing facing = scree_wall_facing(s, n);
	wall_press(w, n);
	for (int32_t f = 0; f < s->faces; ++f) {
		if (!wall_looks_at(&facing, s, f) || (lone && !(wall_slope(&facing, s, f) > facing.least))) continue;
		real part = wall_presses(&facing, s, f);
		int32_t count = scree_wall_face_under(w, s, f);
		if (count < 3) continue;
		if (first == last) press_on(w, w->poly[0], count, part);
		if (first == last && !lone) whole_face(w, n, count);
		if (first < last) face_on_facets(w, s, f, n, from, first, last, count, part);
	}
	w->arm = scree_pressure_arm(&w->press);
}

real scree_wall_region(wall_scratch *w, const shape *s, vec3 n, const walls *from, int32_t first, int32_t last)
{
	int32_t before = w->nodes, deepest = 0, below = 0;
	for (int32_t v = 0; v < s->vertices; ++v) {
		w->lump[v] = 0;
		below += w->depth[v] > 0;
		if (w->depth[v] > w->depth[deepest]) deepest = v;
	}
	bool lone = below == 1 && first == last;
	each_face(w, s, n, from, first, last, lone);
	if (lone) {
		scree_wall_add_node(w, shape_vertex(s, deepest), n, w->depth[deepest], 1);
		return w->depth[deepest];
	}
	real most = 0, sum = 0;
	for (int32_t v = 0; v < s->vertices; ++v)
		if (w->lump[v] > 0 && w->depth[v] > 0)
			scree_wall_add_node(w, shape_vertex(s, v), n, w->depth[v], w->lump[v] * w->depth[v]);
	for (int32_t i = before; i < w->nodes; ++i) {
		sum += w->node[i].s;
		if (w->node[i].s > 0 && w->node[i].d > most) most = w->node[i].d;
	}
	/* the overlap is too small to have an area, so only the deepest vertex counts */
	if (!(sum > 0) && first == last && w->depth[deepest] > 0) {
		most = w->depth[deepest];
		scree_wall_add_node(w, shape_vertex(s, deepest), n, most, 1);
	}
	return most;
}

bool scree_wall_chord(const shape *s, vec3 x, vec3 u, real length, real *s0, real *s1)
{
	real low = 0, high = length;
	for (int32_t f = 0; f < s->faces; ++f) {
		vec3 n = shape_normal(s, f);
		real h = s->off[f] - v3_dot(n, x), slope = v3_dot(n, u);
		if (slope > 0) {
			if (h < slope * high) high = h / slope;
		} else if (slope < 0) {
			if (h < slope * low) low = h / slope;
		} else if (h < 0) {
			return false;
		}
		if (!(low < high)) return false;
	}
	*s0 = low;
	*s1 = high;
	return true;
}

/* The distance along -m from the point t of the line to face f, and its derivative with respect to t. */
static bool face_height(const shape *s, int32_t f, vec3 x, vec3 u, vec3 m, real t, real *h, real *slope)
{
	vec3 n = shape_normal(s, f);
	real a = -v3_dot(n, m);
	if (!(a > WALL_STEEP)) return false;
	*slope = -v3_dot(n, u) / a;
	*h = (s->off[f] - v3_dot(n, v3_madd(x, t, u))) / a;
	return true;
}

static bool keep_above(real h, real slope, real *low, real *high)
{
	if (slope > 0)
		*low = real_max(*low, -h / slope);
	else if (slope < 0)
		*high = real_min(*high, -h / slope);
	else if (h < 0)
		return false;
	return *low < *high;
}

bool scree_wall_shadow(const shape *s, vec3 x, vec3 u, real length, vec3 m, real *s0, real *s1)
{
	real low = 0, high = length;
	for (int32_t f = 0; f < s->faces; ++f) {
		vec3 n = shape_normal(s, f);
		real a = -v3_dot(n, m), h = s->off[f] - v3_dot(n, x), slope = -v3_dot(n, u);
		if (a < -WALL_STEEP) continue;
		/* the line must be above the face or, if the face is parallel to m, next to it */
		if (!keep_above(h, slope, &low, &high)) return false;
		if (!(a > WALL_STEEP)) continue;
		/* moved along m by some distance, the line must also be below each face on the opposite side */
		for (int32_t g = 0; g < s->faces; ++g) {
			vec3 n2 = shape_normal(s, g);
			real b = v3_dot(n2, m);
			if (!(b > WALL_STEEP)) continue;
			real h2 = s->off[g] - v3_dot(n2, x), slope2 = -v3_dot(n2, u);
			if (!keep_above(h * b + h2 * a, slope * b + slope2 * a, &low, &high)) return false;
		}
	}
	*s0 = low;
	*s1 = high;
	return true;
}

/* Returns the next t where the lowest face above the line changes, or `end`. */
static real next_bend(const shape *s, vec3 x, vec3 u, vec3 m, real t, real end, real h, real slope)
{
	real at = end, hf, sf;
	for (int32_t f = 0; f < s->faces; ++f) {
		if (!face_height(s, f, x, u, m, t, &hf, &sf) || !(sf < slope)) continue;
		real when = t + (hf - h) / (slope - sf);
		if (when > t && when < at) at = when;
	}
	return at;
}

static void press_along(wall_scratch *w, vec3 x, vec3 u, real t0, real t1, real h0, real h1)
{
	if (!(h0 < INFINITY && h1 < INFINITY)) return;
	wall_press_at(w, v3_madd(x, t0, u), h0);
	wall_press_at(w, v3_madd(x, t1, u), h1);
	scree_pressure_close(&w->press);
}

void scree_wall_line(wall_scratch *w, const shape *s, vec3 x, vec3 u, real s0, real s1, vec3 m, real strength)
{
	real t = s0, before = 0, last = 0;
	for (int32_t turns = 0; turns <= s->faces + 1; ++turns) {
		real h = INFINITY, slope = INFINITY, hf, sf;
		for (int32_t f = 0; f < s->faces; ++f)
			if (face_height(s, f, x, u, m, t, &hf, &sf) && hf < h) h = hf;
		/* the face that crosses here and continues below */
		for (int32_t f = 0; f < s->faces; ++f)
			if (face_height(s, f, x, u, m, t, &hf, &sf) && hf < h + SAME_HEIGHT && sf < slope) slope = sf;
		real end = t < s1 ? next_bend(s, x, u, m, t, s1, h, slope) : s1;
		real after = end - t;
		if (turns) press_along(w, x, u, t - before, t, last, h);
		last = h;
		if (h > 0 && h < INFINITY) {
			vec3 p = v3_madd(v3_madd(x, t, u), -h, m);
			scree_wall_add_node(w, p, m, h, strength * (before + after) / 2 * h);
		}
		if (!(t < s1)) break;
		before = after;
		t = end;
	}
}

real scree_wall_reach(const shape *s, vec3 x, vec3 m)
{
	real low = INFINITY;
	for (int32_t v = 0; v < s->vertices; ++v) {
		real h = m.x * s->vx[v] + m.y * s->vy[v] + m.z * s->vz[v];
		low = h < low ? h : low;
	}
	return v3_dot(m, x) - low;
}
