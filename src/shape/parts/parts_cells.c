/* parts_cells: cuts the inside of a surface into convex parts with planes (Chazelle 1984; Naylor 1990). A cell consists
 * of a convex polyhedron and the pieces of the surface inside it. If no piece is beyond the plane of another piece, the
 * cell cut by all these planes is a convex part. Otherwise a plane through concave edges cuts the cell. A plane
 * resolves an edge if the body's remaining angle on each side is less than 180 degrees. The chosen plane resolves many
 * edges and cuts few pieces that need no cut. */
#include "shape/parts/parts.h"

#include "base/memory.h"
#include "base/progress.h"

static const real NEEDLE = 1e-3; /* smallest sine of the angle between two edges whose common plane is tried */
static const real SLIVER =
	1e-6; /* distance of a point from a plane below which it cuts off a part too thin for a shape */

typedef struct cell {
	parts_solid solid;
	parts_sheet sheet;
} cell;

/* candidate planes, and the concave edges that each plane resolves */
typedef struct cuts {
	int32_t count, edges;
	int32_t *plane, *first, *edge;
	int32_t faces; /* number of face planes, which precede the others */
} cuts;

typedef struct work {
	parts_space *s;
	const parts_mesh *m;
	const parts_taste *taste;
	cuts c;
	cell *wait;
	int32_t waiting;
	int64_t room;
	parts_list *out;
	int32_t *present; /* [edges] number of pieces of the cell that contain the edge */
} work;

static vec3 edge_vector(const work *w, int32_t e)
{
	const int32_t *end = w->m->ends + 2 * e;
	return v3_sub(w->s->point[end[1]], w->s->point[end[0]]);
}

/* Tests whether both ends of edge e are in the plane and the edge's two faces are not on the same side of the plane. */
static bool resolves(const work *w, int32_t plane, int32_t e)
{
	const parts_mesh *m = w->m;
	if (parts_sign(w->s, m->ends[2 * e], plane) || parts_sign(w->s, m->ends[2 * e + 1], plane)) return false;
	int32_t t = m->sheets[2 * e], u = m->sheets[2 * e + 1];
	int i = m->side[t] >> 1 == plane ? 0 : parts_sign(w->s, scree_parts_opposite(m, t, e), plane);
	int j = m->side[u] >> 1 == plane ? 0 : parts_sign(w->s, scree_parts_opposite(m, u, e), plane);
	return i * j <= 0;
}

static void try_plane(work *w, vec3 normal, int32_t e)
{
	vec3 a = w->s->point[w->m->ends[2 * e]], b = w->s->point[w->m->ends[2 * e + 1]];
	scree_parts_side(w->s, normal, (v3_dot(normal, a) + v3_dot(normal, b)) / 2);
}

/* tries the plane that bisects the angle between both faces */
static void try_bisector(work *w, int32_t e)
{
	const parts_mesh *m = w->m;
	vec3 p = parts_normal(w->s, m->side[m->sheets[2 * e]]), q = parts_normal(w->s, m->side[m->sheets[2 * e + 1]]);
	vec3 apart = v3_sub(p, q), sum = v3_add(p, q);
	vec3 along = v3_unit(edge_vector(w, e));
	/* both expressions are equal apart from rounding; the longer vector has the smaller error */
	vec3 n = v3_norm2(apart) > v3_norm2(sum) ? v3_madd(apart, -v3_dot(apart, along), along) : v3_cross(along, sum);
	try_plane(w, v3_unit(n), e);
}

/* tries the plane through both edges, if there is one */
static void try_pair(work *w, int32_t e, int32_t f)
{
	const int32_t *b = w->m->ends + 2 * f;
	vec3 along = v3_unit(edge_vector(w, e)), from = w->s->point[w->m->ends[2 * e]];
	vec3 n = v3(0, 0, 0);
	for (int k = 0; k < 2; ++k) {
		vec3 to = v3_sub(w->s->point[b[k]], from), across = v3_cross(along, to);
		if (v3_norm(across) > NEEDLE * v3_norm(to) && v3_norm2(across) > v3_norm2(n)) n = across;
	}
	if (!(v3_norm2(n) > 0)) return;
	n = v3_unit(n);
	for (int k = 0; k < 2; ++k)
		if (real_abs(v3_dot(n, v3_sub(w->s->point[b[k]], from))) > w->s->near) return;
	try_plane(w, n, e);
}

static void try_centre(work *w, int32_t e)
{
	vec3 n = v3_cross(w->s->point[w->m->ends[2 * e]], w->s->point[w->m->ends[2 * e + 1]]);
	if (v3_norm(n) > NEEDLE * v3_norm(edge_vector(w, e))) try_plane(w, v3_unit(n), e);
}

static void find_cuts(work *w)
{
	const parts_mesh *m = w->m;
	enum { MOST_PAIRS = 400 };
	w->c.faces = w->s->planes;
	for (int32_t i = 0; i < m->hollows; ++i) {
		scree_progress("planes through %d of %d concave edges, attempt %d of %d", i, m->hollows, w->s->way + 1,
					   w->s->ways);
		if (w->taste->bisect) try_bisector(w, m->hollow[i]);
		if (w->taste->central) try_centre(w, m->hollow[i]);
		for (int32_t j = 0; j < i && m->hollows <= MOST_PAIRS; ++j) try_pair(w, m->hollow[i], m->hollow[j]);
	}
	cuts *c = &w->c;
	c->plane = scree_alloc((size_t)w->s->planes, sizeof *c->plane);
	c->first = scree_alloc((size_t)w->s->planes + 1, sizeof *c->first);
	int64_t room = 0;
	for (int32_t p = 0; p < w->s->planes; ++p) {
		int32_t before = c->edges;
		for (int32_t i = 0; i < m->hollows; ++i)
			if (resolves(w, p, m->hollow[i])) SCREE_APPEND(c->edge, c->edges, room, m->hollow[i]);
		if (c->edges == before) continue;
		c->plane[c->count++] = p;
		c->first[c->count] = c->edges;
	}
}

static bool trouble(work *w, const char *what)
{
	w->s->trouble = what;
	return false;
}

static void cell_free(cell *c)
{
	scree_parts_solid_free(&c->solid);
	scree_parts_sheet_free(&c->sheet);
}

static int32_t side_of(const work *w, const cell *c, int32_t i) { return w->m->side[c->sheet.triangle[i]]; }

static bool beyond_some(const work *w, const cell *c, int32_t side)
{
	for (int32_t k = 0; k < c->sheet.corners; ++k)
		if (parts_beyond(w->s, c->sheet.at[k].point, side) > 0) return true;
	return false;
}

static bool seen_before(const work *w, const cell *c, int32_t i)
{
	for (int32_t j = 0; j < i; ++j)
		if (side_of(w, c, j) == side_of(w, c, i)) return true;
	return false;
}

static bool is_convex(const work *w, const cell *c)
{
	for (int32_t i = 0; i < c->sheet.pieces; ++i)
		if (!seen_before(w, c, i) && beyond_some(w, c, side_of(w, c, i))) return false;
	return true;
}

static bool take_part(work *w, cell *c)
{
	for (int32_t i = 0; i < c->sheet.pieces; ++i)
		if (!scree_parts_solid_clip(w->s, &c->solid, side_of(w, c, i)))
			return trouble(w, "a part would be no thicker than rounding errors");
	SCREE_APPEND(w->out->solid, w->out->count, w->out->room, c->solid);
	c->solid = (parts_solid){0};
	return true;
}

typedef struct effect {
	int32_t under, over;	 /* corners of the cell below and above the plane */
	int32_t hollows, pieces; /* numbers of concave edges and of pieces that the plane cuts in two */
	bool sliver;
} effect;

static const real ROUNDING = (real)1e-9; /* rounding of scores */

/* Stops if the plane cuts more than `most` pieces, because it will not be chosen. */
static effect effect_of(const work *w, const cell *c, int32_t plane, real most)
{
	effect is = {0};
	for (int32_t k = 0; k < c->solid.first[c->solid.faces]; ++k) {
		int sign = parts_sign(w->s, c->solid.corner[k], plane);
		is.under += sign < 0;
		is.over += sign > 0;
	}
	for (int32_t i = 0; i < c->sheet.pieces && is.pieces <= most; ++i) {
		int32_t under = 0, over = 0, from = c->sheet.first[i], to = c->sheet.first[i + 1];
		real last = parts_height(w->s, c->sheet.at[to - 1].point, plane), near = w->s->near;
		int32_t edge = c->sheet.at[to - 1].edge;
		for (int32_t k = from; k < to; ++k) {
			real h = parts_height(w->s, c->sheet.at[k].point, plane);
			under += h < -near;
			over += h > near;
			is.sliver = is.sliver || (real_abs(h) > near && real_abs(h) < SLIVER);
			bool through = (h > near && last < -near) || (h < -near && last > near);
			is.hollows += through && edge >= 0 && w->m->is_hollow[edge] && w->present[edge] == 2;
			last = h;
			edge = c->sheet.at[k].edge;
		}
		is.pieces += under && over;
	}
	is.hollows /= 2; /* each edge was counted twice, once for each of its pieces */
	return is;
}

static void note_present(work *w, const cell *c, int32_t by)
{
	for (int32_t k = 0; k < c->sheet.corners; ++k)
		if (c->sheet.at[k].edge >= 0) w->present[c->sheet.at[k].edge] += by;
}

typedef struct choice {
	real score;
	int32_t plane;
} choice;

static void choose(const work *w, const cell *c, int32_t plane, int32_t gain, const bool *bad, choice *best)
{
	if (bad[plane]) return;
	const parts_taste *t = w->taste;
	const real highest = gain + (plane < w->c.faces ? t->face : 0) + ROUNDING; /* score without any cut */
	if (best->plane >= 0 && highest < best->score) return;
	const real most = best->plane < 0 || !(t->piece > 0) ? INFINITY : (highest - best->score) / t->piece;
	effect is = effect_of(w, c, plane, most);
	if (!is.under || !is.over || is.pieces > most) return;
	real score = gain - t->hollow * is.hollows - t->piece * is.pieces + (plane < w->c.faces ? t->face : 0);
	if (is.sliver) score -= 1e6;
	if (best->plane < 0 || score > best->score) *best = (choice){score, plane};
}

static int32_t best_plane(work *w, const cell *c, const bool *bad)
{
	choice best = {0, -1};
	note_present(w, c, 1);
	for (int32_t k = 0; k < w->c.count; ++k) {
		int32_t gain = 0;
		for (int32_t j = w->c.first[k]; j < w->c.first[k + 1]; ++j) gain += w->present[w->c.edge[j]] == 2;
		if (gain) choose(w, c, w->c.plane[k], gain, bad, &best);
	}
	/* if bodies are separate or no plane resolves an edge, tries planes of faces with pieces beyond them */
	for (int32_t i = 0; best.plane < 0 && i < c->sheet.pieces; ++i)
		if (!seen_before(w, c, i) && beyond_some(w, c, side_of(w, c, i)))
			choose(w, c, side_of(w, c, i) >> 1, 0, bad, &best);
	note_present(w, c, -1);
	return best.plane;
}

static bool put_half(work *w, const cell *from, parts_solid solid, parts_sheet sheet)
{
	if (sheet.pieces == 0) {
		int inside = scree_parts_sheet_inside(w->s, w->m, &from->sheet, scree_parts_solid_middle(w->s, &solid));
		if (inside == 1)
			SCREE_APPEND(w->out->solid, w->out->count, w->out->room, solid);
		else
			scree_parts_solid_free(&solid);
		scree_parts_sheet_free(&sheet);
		return inside >= 0 || trouble(w, "cannot decide whether a part is inside");
	}
	int32_t *body = scree_alloc((size_t)sheet.pieces, sizeof *body);
	int32_t bodies = w->taste->bodies ? scree_parts_sheet_bodies(w->s, w->m, &sheet, body) : 1;
	for (int32_t k = 0; bodies > 1 && k < bodies; ++k) {
		parts_sheet own;
		scree_parts_sheet_take(&sheet, body, k, &own);
		SCREE_APPEND(w->wait, w->waiting, w->room, (cell){scree_parts_solid_copy(&solid), own});
	}
	scree_free(body);
	cell whole = {solid, sheet};
	if (bodies <= 1)
		SCREE_APPEND(w->wait, w->waiting, w->room, whole);
	else
		cell_free(&whole);
	return true;
}

static bool cut_cell(work *w, const cell *c)
{
	bool *bad = scree_alloc((size_t)w->s->planes, sizeof *bad), good = false;
	for (int32_t plane; !good && (plane = best_plane(w, c, bad)) >= 0;) {
		parts_solid below, above;
		bad[plane] = true;
		if (!scree_parts_solid_split(w->s, &c->solid, plane, &below, &above)) continue;
		parts_sheet under, over;
		scree_parts_sheet_split(w->s, w->m, &c->sheet, plane, &under, &over);
		bool low = put_half(w, c, below, under), high = put_half(w, c, above, over);
		good = low && high;
		if (!good) break;
	}
	scree_free(bad);
	return good || (!w->s->trouble && trouble(w, "no plane cuts the remaining parts that are not convex"));
}

bool scree_parts_cut(parts_space *s, const parts_mesh *m, const parts_taste *taste, int32_t most, parts_list *out)
{
	work w = {.s = s, .m = m, .taste = taste, .out = out};
	w.present = scree_alloc((size_t)m->edges, sizeof *w.present);
	parts_solid box = scree_parts_box(s);
	find_cuts(&w);
	bool good = put_half(&w, NULL, box, scree_parts_sheet_of(m));
	while (good && w.waiting) {
		cell c = w.wait[--w.waiting];
		s->limit_reached = out->count + w.waiting >= most;
		scree_progress("cut into convex parts, attempt %d of %d: %d parts, %d pieces left", s->way + 1, s->ways,
					   out->count, w.waiting + 1);
		good = (!s->limit_reached || trouble(&w, "there are too many cells")) &&
			   (is_convex(&w, &c) ? take_part(&w, &c) : cut_cell(&w, &c));
		cell_free(&c);
	}
	while (w.waiting) cell_free(w.wait + --w.waiting);
	SCREE_FREE_ALL(w.wait, w.present, w.c.plane, w.c.first, w.c.edge);
	return good;
}
