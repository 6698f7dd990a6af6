/* parts_sheet: the surface inside a cell: pieces of triangles cut by planes, grouped by the bodies that they bound. */
#include "shape/parts/parts.h"

#include "base/join.h"
#include "base/memory.h"
#include "base/sort.h"
#include "shape/mesh/surface.h"

static const real CLEAR = 1e-9; /* relative distance below which the test of a line past an edge is undecided */
static const real STEEP = 1e-5; /* smallest sine of the angle between a line and a piece that it pierces */

static bool find_edges(parts_mesh *m)
{
	int32_t count = 3 * m->triangles;
	side *all = scree_sides(m->triangles, m->corner);
	bool good = count % 2 == 0;
	for (int32_t k = 0; good && k < count; k += 2) {
		const side *r = all + k;
		good = r[0].low == r[1].low && r[0].high == r[1].high && r->low != r->high &&
			   (k + 2 == count || r[2].low != r->low || r[2].high != r->high) && r[0].forward != r[1].forward;
		int32_t e = m->edges++;
		m->edge[r[0].corner] = m->edge[r[1].corner] = e;
		m->ends[2 * e] = r->low, m->ends[2 * e + 1] = r->high;
		m->sheets[2 * e] = r[0].corner / 3, m->sheets[2 * e + 1] = r[1].corner / 3;
	}
	scree_free(all);
	return good;
}

static vec3 area_of(const parts_mesh *m, const parts_space *s, int32_t t)
{
	const int32_t *c = m->corner + 3 * t;
	return v3_cross(v3_sub(s->point[c[1]], s->point[c[0]]), v3_sub(s->point[c[2]], s->point[c[0]]));
}

/* Assigns to all triangles in one plane the plane of the largest triangle, which is the most accurate. */
static void find_sides(parts_mesh *m, parts_space *s)
{
	sized *order = scree_alloc((size_t)m->triangles, sizeof *order);
	for (int32_t t = 0; t < m->triangles; ++t) {
		order[t] = (sized){v3_norm(area_of(m, s, t)), {t}};
		m->side[t] = -1;
	}
	scree_sort_by(order, m->triangles, sizeof *order, scree_sort_largest);
	for (int32_t i = 0; i < m->triangles; ++i) {
		int32_t t = order[i].row[0];
		if (m->side[t] >= 0) continue;
		vec3 n = v3_unit(area_of(m, s, t));
		const int32_t *c = m->corner + 3 * t;
		real off = (v3_dot(n, s->point[c[0]]) + v3_dot(n, s->point[c[1]]) + v3_dot(n, s->point[c[2]])) / 3;
		int32_t side = scree_parts_side(s, n, off);
		m->side[t] = side;
		for (int32_t j = i + 1; j < m->triangles; ++j) {
			int32_t u = order[j].row[0];
			const int32_t *d = m->corner + 3 * u;
			if (m->side[u] >= 0 || parts_sign(s, d[0], side >> 1) || parts_sign(s, d[1], side >> 1) ||
				parts_sign(s, d[2], side >> 1))
				continue;
			m->side[u] = v3_dot(area_of(m, s, u), parts_normal(s, side)) > 0 ? side : side ^ 1;
		}
	}
	scree_free(order);
}

int32_t scree_parts_opposite(const parts_mesh *m, int32_t triangle, int32_t edge)
{
	const int32_t *c = m->corner + 3 * triangle, *e = m->ends + 2 * edge;
	for (int k = 0; k < 2; ++k)
		if (c[k] != e[0] && c[k] != e[1]) return c[k];
	return c[2];
}

bool scree_parts_mesh_start(parts_mesh *m, parts_space *s, int32_t triangles, const int32_t *corner)
{
	*m = (parts_mesh){.triangles = triangles, .corner = corner};
	size_t sides = 3 * (size_t)triangles;
	m->edge = scree_alloc(sides, sizeof *m->edge);
	m->ends = scree_alloc(sides + 1, sizeof *m->ends);
	m->sheets = scree_alloc(sides + 1, sizeof *m->sheets);
	m->side = scree_alloc((size_t)triangles, sizeof *m->side);
	if (!find_edges(m)) return false;
	find_sides(m, s);
	m->is_hollow = scree_alloc((size_t)m->edges, sizeof *m->is_hollow);
	m->hollow = scree_alloc((size_t)m->edges, sizeof *m->hollow);
	for (int32_t e = 0; e < m->edges; ++e) {
		int32_t t = m->sheets[2 * e], u = m->sheets[2 * e + 1];
		m->is_hollow[e] = m->side[t] != m->side[u] && (parts_beyond(s, scree_parts_opposite(m, u, e), m->side[t]) > 0 ||
													   parts_beyond(s, scree_parts_opposite(m, t, e), m->side[u]) > 0);
		if (m->is_hollow[e]) m->hollow[m->hollows++] = e;
	}
	return true;
}

void scree_parts_mesh_free(parts_mesh *m)
{
	SCREE_FREE_ALL(m->edge, m->ends, m->sheets, m->side, m->hollow, m->is_hollow);
	*m = (parts_mesh){0};
}

void scree_parts_sheet_free(parts_sheet *t)
{
	SCREE_FREE_ALL(t->first, t->triangle, t->at);
	*t = (parts_sheet){0};
}

static void put_corner(parts_sheet *t, int32_t point, int32_t edge)
{
	SCREE_APPEND(t->at, t->corners, t->corner_room, (parts_corner){point, edge});
}

static void put_piece(parts_sheet *t, int32_t triangle)
{
	if (t->pieces == t->piece_room) {
		int32_t room = 2 * t->piece_room + 16;
		t->first = scree_grow(t->first, t->first ? (size_t)t->pieces + 1 : 0, (size_t)room + 1, sizeof *t->first);
		t->triangle = scree_grow(t->triangle, (size_t)t->pieces, (size_t)room, sizeof *t->triangle);
		t->piece_room = room;
	}
	t->triangle[t->pieces++] = triangle;
	t->first[t->pieces] = t->corners;
}

parts_sheet scree_parts_sheet_of(const parts_mesh *m)
{
	parts_sheet t = {0};
	for (int32_t k = 0; k < 3 * m->triangles; ++k) {
		put_corner(&t, m->corner[k], m->edge[k]);
		if (k % 3 == 2) put_piece(&t, k / 3);
	}
	return t;
}

static void copy_piece(const parts_sheet *t, int32_t i, parts_sheet *to)
{
	for (int32_t k = t->first[i]; k < t->first[i + 1]; ++k) put_corner(to, t->at[k].point, t->at[k].edge);
	put_piece(to, t->triangle[i]);
}

static void split_piece(parts_space *s, const parts_mesh *m, const parts_sheet *t, int32_t i, int32_t plane,
						parts_sheet *below, parts_sheet *above)
{
	for (int32_t k = t->first[i]; k < t->first[i + 1]; ++k) {
		int32_t a = t->at[k].point, b = t->at[k + 1 < t->first[i + 1] ? k + 1 : t->first[i]].point, e = t->at[k].edge;
		int u = parts_sign(s, a, plane), v = parts_sign(s, b, plane);
		if (u <= 0) put_corner(below, a, u == 0 && v > 0 ? -1 : e);
		if (u >= 0) put_corner(above, a, u == 0 && v < 0 ? -1 : e);
		if (u * v >= 0) continue;
		int32_t f = e < 0 ? -1 : m->side[m->sheets[2 * e]] >> 1, g = e < 0 ? -1 : m->side[m->sheets[2 * e + 1]] >> 1;
		int32_t x = scree_parts_crossing(s, a, b, plane, f, g);
		put_corner(below, x, u < 0 ? -1 : e);
		put_corner(above, x, u < 0 ? e : -1);
	}
	put_piece(below, t->triangle[i]);
	put_piece(above, t->triangle[i]);
}

/* Pieces in the plane are assigned to the side on which the body is. */
void scree_parts_sheet_split(parts_space *s, const parts_mesh *m, const parts_sheet *t, int32_t plane,
							 parts_sheet *below, parts_sheet *above)
{
	*below = *above = (parts_sheet){0};
	for (int32_t i = 0; i < t->pieces; ++i) {
		int32_t side = m->side[t->triangle[i]], under = 0, over = 0;
		for (int32_t k = t->first[i]; side >> 1 != plane && k < t->first[i + 1]; ++k) {
			int sign = parts_sign(s, t->at[k].point, plane);
			under += sign < 0;
			over += sign > 0;
		}
		if (under && over)
			split_piece(s, m, t, i, plane, below, above);
		else if (under || (!over && v3_dot(parts_normal(s, side), s->plane[plane].normal) > 0))
			copy_piece(t, i, below);
		else
			copy_piece(t, i, above);
	}
}

static vec3 piece_middle(const parts_space *s, const parts_sheet *t, int32_t i)
{
	vec3 sum = v3(0, 0, 0);
	for (int32_t k = t->first[i]; k < t->first[i + 1]; ++k) sum = v3_add(sum, s->point[t->at[k].point]);
	return v3_mul(1 / (real)(t->first[i + 1] - t->first[i]), sum);
}

/* A point where a line from p along d pierces a piece. */
typedef struct hit {
	real at; /* the point is p + at d */
	int32_t piece;
	bool out; /* whether the line leaves the body at this point */
} hit;

static int hit_order(const void *p, const void *q)
{
	const hit *a = p, *b = q;
	if (a->at != b->at) return a->at < b->at ? -1 : 1;
	return a->piece < b->piece ? -1 : a->piece > b->piece;
}

/* Returns whether the line pierces piece i between p and p + d; -1 if undecided (too near to an edge, or too flat). */
static int pierce(const parts_space *s, const parts_mesh *m, const parts_sheet *t, int32_t i, vec3 p, vec3 d, hit *h)
{
	int32_t side = m->side[t->triangle[i]];
	vec3 n = parts_normal(s, side);
	real off = side & 1 ? -s->plane[side >> 1].off : s->plane[side >> 1].off;
	real up = v3_dot(n, p) - off, rise = v3_dot(n, d), end = up + rise;
	if ((up > CLEAR && end > CLEAR) || (up < -CLEAR && end < -CLEAR)) return 0;
	if (real_abs(rise) <= STEEP * v3_norm(d)) return -1;
	real at = -up / rise;
	vec3 x = v3_madd(p, at, d);
	int answer = at < 0 || at > 1 ? 0 : 1;
	for (int32_t k = t->first[i]; k < t->first[i + 1]; ++k) {
		vec3 a = s->point[t->at[k].point], b = s->point[t->at[k + 1 < t->first[i + 1] ? k + 1 : t->first[i]].point];
		real in = v3_dot(n, v3_cross(v3_unit(v3_sub(b, a)), v3_sub(x, a)));
		if (in < -CLEAR) return 0;
		if (in < CLEAR) answer = -1;
	}
	if (answer == 1 && (real_abs(up) <= CLEAR || real_abs(end) <= CLEAR)) answer = -1;
	*h = (hit){at, i, rise > 0};
	return answer;
}

/* Finds all hits in order on the line from p, on piece `from` (-1: none), to the centre of piece `to`. 0: undecided. */
static int32_t hits_between(const parts_space *s, const parts_mesh *m, const parts_sheet *t, int32_t from, vec3 p,
							int32_t to, hit *h)
{
	vec3 d = v3_sub(piece_middle(s, t, to), p);
	int32_t count = 0;
	for (int32_t i = 0; i < t->pieces; ++i) {
		if (i == from || i == to) {
			real rise = v3_dot(parts_normal(s, m->side[t->triangle[i]]), d);
			if (real_abs(rise) <= STEEP * v3_norm(d)) return 0;
			h[count++] = (hit){i == to ? 2 : -1, i, rise > 0};
			continue;
		}
		int pierced = pierce(s, m, t, i, p, d, h + count);
		if (pierced < 0) return 0;
		count += pierced;
	}
	scree_sort_by(h, count, sizeof *h, hit_order);
	return count;
}

int scree_parts_sheet_inside(const parts_space *s, const parts_mesh *m, const parts_sheet *t, vec3 x)
{
	hit *h = scree_alloc((size_t)t->pieces, sizeof *h);
	int answer = -1;
	for (int32_t i = 0; answer < 0 && i < t->pieces; ++i)
		if (hits_between(s, m, t, -1, x, i, h) > 0) answer = h[0].out;
	scree_free(h);
	return answer;
}

/* Follows a line from piece i to j: pieces at both ends of an inside section bound the same body. False: undecided. */
static bool join_along(const parts_space *s, const parts_mesh *m, const parts_sheet *t, int32_t i, int32_t j, hit *h,
					   int32_t *body)
{
	int32_t count = hits_between(s, m, t, i, piece_middle(s, t, i), j, h);
	if (count < 2) return false;
	for (int32_t k = 1; k < count; ++k)
		if (h[k].out == h[k - 1].out) return false;
	for (int32_t k = 1; k < count; ++k)
		if (h[k].out) join_two(body, h[k - 1].piece, h[k].piece);
	return true;
}

/* Connected groups of pieces divide a convex cell into regions that form a tree. Lines from the first group to all
 * others cross every region between them, so their inside sections show which groups bound the same body. */
int32_t scree_parts_sheet_bodies(const parts_space *s, const parts_mesh *m, const parts_sheet *t, int32_t *body)
{
	enum { TRIES = 12 };
	int32_t *owner = scree_alloc((size_t)m->edges, sizeof *owner),
			*group = scree_alloc((size_t)t->pieces, sizeof *group);
	hit *h = scree_alloc((size_t)t->pieces, sizeof *h);
	for (int32_t i = 0; i < t->pieces; ++i) group[i] = body[i] = i;
	for (int32_t i = 0; i < t->pieces; ++i)
		for (int32_t k = t->first[i]; k < t->first[i + 1]; ++k) {
			if (t->at[k].edge < 0) continue;
			int32_t *other = owner + t->at[k].edge;
			if (*other) join_two(group, i, *other - 1);
			*other = i + 1;
		}
	for (int32_t i = 0; i < t->pieces; ++i) body[i] = join_root(group, i);
	for (int32_t g = 1; g < t->pieces; ++g) {
		if (join_root(group, g) != g) continue; /* the first piece of each group except the group of piece 0 */
		bool told = false;
		int32_t tries = 0;
		for (int32_t j = g; !told && j < t->pieces; ++j)
			for (int32_t i = 0; !told && i < t->pieces && tries < TRIES * TRIES && join_root(group, j) == g; ++i)
				if (join_root(group, i) == 0) told = ++tries && join_along(s, m, t, i, j, h, body);
		if (!told) join_two(body, 0, g);
	}
	int32_t count = 0;
	for (int32_t i = 0; i < t->pieces; ++i) group[i] = join_root(body, i);
	for (int32_t i = 0; i < t->pieces; ++i) body[i] = group[i] == i ? count++ : body[group[i]];
	scree_free(owner), scree_free(group), scree_free(h);
	return count;
}

void scree_parts_sheet_take(const parts_sheet *t, const int32_t *body, int32_t which, parts_sheet *out)
{
	*out = (parts_sheet){0};
	for (int32_t i = 0; i < t->pieces; ++i)
		if (body[i] == which) copy_piece(t, i, out);
}
