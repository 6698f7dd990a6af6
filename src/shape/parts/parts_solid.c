/* parts_solid: convex polyhedra with shared points and planes, and their division by a plane; decisions depend only on
 * which side of a plane points are. Joins loops in one plane into one face, and sorts faces. */
#include "shape/parts/parts.h"

#include "base/memory.h"
#include "base/sort.h"
#include "shape/compound.h"

parts_solid scree_parts_solid_with(int32_t faces, int32_t corners)
{
	parts_solid p = {0};
	p.first = scree_alloc((size_t)faces + 1, sizeof *p.first);
	p.side = scree_alloc((size_t)faces, sizeof *p.side);
	p.corner = scree_alloc((size_t)corners, sizeof *p.corner);
	return p;
}

void scree_parts_solid_free(parts_solid *p)
{
	scree_free(p->first), scree_free(p->side), scree_free(p->corner);
	*p = (parts_solid){0};
}

parts_solid scree_parts_solid_copy(const parts_solid *from)
{
	parts_solid p = {.faces = from->faces};
	p.first = scree_copy(from->first, (size_t)p.faces + 1, sizeof *p.first);
	p.side = scree_copy(from->side, (size_t)p.faces, sizeof *p.side);
	p.corner = scree_copy(from->corner, (size_t)from->first[p.faces], sizeof *p.corner);
	return p;
}

/* a cube somewhat larger than the box from -1 to 1 */
parts_solid scree_parts_box(parts_space *s)
{
	static const int32_t loop[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
	const real wide = 1.25;
	parts_solid p = scree_parts_solid_with(6, 24);
	int32_t corner[8];
	for (int k = 0; k < 8; ++k)
		corner[k] = scree_parts_point(s, v3(k & 1 ? wide : -wide, k & 2 ? wide : -wide, k & 4 ? wide : -wide));
	for (int32_t f = 0; f < 6; ++f) {
		real out = f & 1 ? 1 : -1;
		p.side[f] = scree_parts_side(s, v3(f / 2 == 0 ? out : 0, f / 2 == 1 ? out : 0, f / 2 == 2 ? out : 0), wide);
		p.first[f + 1] = 4 * (f + 1);
	}
	for (int k = 0; k < 24; ++k) p.corner[k] = corner[loop[k]];
	p.faces = 6;
	return p;
}

typedef struct parts_rim {
	int32_t from, to;
} parts_rim;

/* returns the rim that starts at a corner, or -1 */
static int32_t rim_from(const parts_rim *r, int32_t count, int32_t at)
{
	for (int32_t k = 0; k < count; ++k)
		if (r[k].from == at) return k;
	return -1;
}

/* Joins all edges into one loop from this edge on; returns its length, or -1 if the edges do not form one loop. */
static int32_t walk_rims(const parts_rim *r, int32_t count, int32_t first, int32_t *corner)
{
	int32_t k = first;
	for (int32_t walked = 0; k >= 0 && walked < count; ++walked) {
		corner[walked] = r[k].from;
		if (r[k].to == r[first].from) return walked + 1 == count ? count : -1;
		k = rim_from(r, count, r[k].to);
	}
	return -1;
}

typedef struct half {
	parts_solid solid;
	int32_t corners;
	int32_t edges;
	parts_rim *rim; /* [edges] edges of the solid's faces along the plane */
} half;

static void half_free(half *h)
{
	scree_parts_solid_free(&h->solid);
	scree_free(h->rim);
}

/* closes the face that was built corner by corner; removes it if it only touches the plane */
static void end_face(const parts_space *s, half *h, int32_t side, int32_t plane, int own)
{
	parts_solid *p = &h->solid;
	int32_t begin = p->first[p->faces];
	bool touches = true;
	for (int32_t k = begin; k < h->corners; ++k) touches = touches && parts_sign(s, p->corner[k], plane) != own;
	if (touches) {
		h->corners = begin;
		return;
	}
	for (int32_t k = begin; k < h->corners; ++k) {
		int32_t a = p->corner[k], b = p->corner[k + 1 < h->corners ? k + 1 : begin];
		if (parts_sign(s, a, plane) != 0 || parts_sign(s, b, plane) != 0) continue;
		h->rim[h->edges++] = (parts_rim){b, a};
	}
	p->side[p->faces++] = side;
	p->first[p->faces] = h->corners;
}

/* creates the face in the plane from the edges of the other faces along the plane, which must form one loop or none */
static bool close_half(half *h, int32_t side)
{
	parts_solid *p = &h->solid;
	int32_t low = 0;
	for (int32_t k = 1; k < h->edges; ++k)
		if (h->rim[k].from < h->rim[low].from) low = k;
	if (h->edges < 3 || walk_rims(h->rim, h->edges, low, p->corner + h->corners) < 0) return false;
	h->corners += h->edges;
	p->side[p->faces++] = side;
	p->first[p->faces] = h->corners;
	return true;
}

/* returns the plane of the face on the other side of the edge from a to b */
static int32_t plane_across(const parts_solid *p, int32_t a, int32_t b)
{
	for (int32_t f = 0; f < p->faces; ++f)
		for (int32_t k = p->first[f]; k < p->first[f + 1]; ++k)
			if (p->corner[k] == b && p->corner[k + 1 < p->first[f + 1] ? k + 1 : p->first[f]] == a)
				return p->side[f] >> 1;
	return -1;
}

static void cut_face(parts_space *s, const parts_solid *p, int32_t f, int32_t plane, half *below, half *above)
{
	for (int32_t k = p->first[f]; k < p->first[f + 1]; ++k) {
		int32_t a = p->corner[k], b = p->corner[k + 1 < p->first[f + 1] ? k + 1 : p->first[f]];
		int i = parts_sign(s, a, plane), j = parts_sign(s, b, plane);
		if (i <= 0) below->solid.corner[below->corners++] = a;
		if (i >= 0) above->solid.corner[above->corners++] = a;
		if (i * j >= 0) continue;
		int32_t x = scree_parts_crossing(s, a, b, plane, p->side[f] >> 1, plane_across(p, a, b));
		below->solid.corner[below->corners++] = x;
		above->solid.corner[above->corners++] = x;
	}
	end_face(s, below, p->side[f], plane, -1);
	end_face(s, above, p->side[f], plane, 1);
}

static half half_start(const parts_solid *p)
{
	int32_t corners = p->first[p->faces];
	half h = {0};
	h.solid = scree_parts_solid_with(p->faces + 1, 3 * corners);
	h.rim = scree_alloc((size_t)corners * 2, sizeof *h.rim);
	return h;
}

bool scree_parts_solid_split(parts_space *s, const parts_solid *p, int32_t plane, parts_solid *below,
							 parts_solid *above)
{
	int32_t under = 0, over = 0;
	*below = *above = (parts_solid){0};
	for (int32_t k = 0; k < p->first[p->faces]; ++k) {
		int sign = parts_sign(s, p->corner[k], plane);
		under += sign < 0;
		over += sign > 0;
	}
	if (under == 0 || over == 0) {
		*(over == 0 ? below : above) = scree_parts_solid_copy(p);
		return under + over > 0;
	}
	half low = half_start(p), high = half_start(p);
	for (int32_t f = 0; f < p->faces; ++f) cut_face(s, p, f, plane, &low, &high);
	bool good = close_half(&low, 2 * plane) && close_half(&high, 2 * plane + 1);
	if (good) {
		*below = low.solid;
		*above = high.solid;
		low.solid = high.solid = (parts_solid){0};
	}
	half_free(&low);
	half_free(&high);
	return good;
}

bool scree_parts_solid_clip(parts_space *s, parts_solid *p, int32_t side)
{
	for (int32_t f = 0; f < p->faces; ++f)
		if (p->side[f] == side) return true;
	parts_solid below, above;
	bool good = scree_parts_solid_split(s, p, side >> 1, &below, &above);
	parts_solid *keep = side & 1 ? &above : &below, *lose = side & 1 ? &below : &above;
	scree_parts_solid_free(lose);
	if (!good || keep->faces == 0) {
		scree_parts_solid_free(keep);
		return false;
	}
	scree_parts_solid_free(p);
	*p = *keep;
	return true;
}

vec3 scree_parts_solid_middle(const parts_space *s, const parts_solid *p)
{
	vec3 sum = v3(0, 0, 0);
	int32_t corners = p->first[p->faces];
	for (int32_t k = 0; k < corners; ++k) sum = v3_add(sum, s->point[p->corner[k]]);
	return v3_mul(1 / (real)corners, sum);
}

vec3 scree_parts_solid_area(const vec3 *point, const parts_solid *p, int32_t f)
{
	return fan_area(point, p->corner + p->first[f], p->first[f + 1] - p->first[f]);
}

real scree_parts_solid_volume(const parts_space *s, const parts_solid *p)
{
	real sum = 0;
	for (int32_t f = 0; f < p->faces; ++f)
		sum += v3_dot(scree_parts_solid_area(s->point, p, f), s->point[p->corner[p->first[f]]]);
	return sum / 6;
}

/* adds the edges of a loop; edges along which two loops meet are removed */
static int32_t put_rims(const parts_solid *p, int32_t f, parts_rim *r, int32_t count)
{
	for (int32_t k = p->first[f]; k < p->first[f + 1]; ++k) {
		parts_rim now = {p->corner[k], p->corner[k + 1 < p->first[f + 1] ? k + 1 : p->first[f]]};
		int32_t back = 0;
		while (back < count && (r[back].from != now.to || r[back].to != now.from)) ++back;
		if (back < count)
			r[back] = r[--count];
		else
			r[count++] = now;
	}
	return count;
}

/* joins all rims into one loop that starts at the first remaining corner of loop f */
static int32_t walk(const parts_solid *p, int32_t f, const parts_rim *r, int32_t count, int32_t *corner)
{
	int32_t k = -1;
	for (int32_t j = p->first[f]; k < 0 && j < p->first[f + 1]; ++j) k = rim_from(r, count, p->corner[j]);
	return walk_rims(r, count, k < 0 ? 0 : k, corner);
}

/* removes corners with only two faces; returns false if fewer than three corners of a face remain */
static bool straighten(int32_t points, parts_solid *p)
{
	int32_t *uses = scree_alloc((size_t)points, sizeof *uses), kept = 0, from = 0;
	bool good = true;
	for (int32_t k = 0; k < p->first[p->faces]; ++k) ++uses[p->corner[k]];
	for (int32_t f = 0; f < p->faces; ++f) {
		int32_t to = p->first[f + 1], before = kept;
		for (int32_t k = from; k < to; ++k)
			if (uses[p->corner[k]] >= 3) p->corner[kept++] = p->corner[k];
		from = to;
		p->first[f + 1] = kept;
		good = good && kept - before >= 3;
	}
	scree_free(uses);
	return good;
}

/* a loop and its side; sorted by sides, then by loops */
typedef struct by_side {
	int32_t side, loop;
} by_side;

bool scree_parts_solid_join(int32_t points, const parts_solid *loops, parts_solid *out)
{
	int32_t corners = loops->first[loops->faces];
	parts_solid p = scree_parts_solid_with(loops->faces, corners);
	parts_rim *r = scree_alloc((size_t)corners, sizeof *r);
	by_side *order = scree_alloc((size_t)loops->faces, sizeof *order);
	int32_t *run = scree_alloc((size_t)loops->faces, sizeof *run); /* row in `order` of a side's first loop, or -1 */
	for (int32_t f = 0; f < loops->faces; ++f) order[f] = (by_side){loops->side[f], f};
	scree_sort_by(order, loops->faces, sizeof *order, scree_sort_two);
	for (int32_t k = 0; k < loops->faces; ++k)
		run[order[k].loop] = k == 0 || order[k].side != order[k - 1].side ? k : -1;
	bool good = true;
	for (int32_t f = 0; good && f < loops->faces; ++f) {
		if (run[f] < 0) continue;
		int32_t count = 0;
		for (int32_t k = run[f]; k < loops->faces && order[k].side == loops->side[f]; ++k)
			count = put_rims(loops, order[k].loop, r, count);
		int32_t walked = walk(loops, f, r, count, p.corner + p.first[p.faces]);
		good = walked >= 3;
		p.side[p.faces++] = loops->side[f];
		p.first[p.faces] = p.first[p.faces - 1] + (good ? walked : 0);
	}
	scree_free(r), scree_free(order), scree_free(run);
	good = good && straighten(points, &p);
	if (good)
		*out = p;
	else
		scree_parts_solid_free(&p);
	return good;
}

/* order of faces by their loops, which start at their lowest vertices */
static int loop_order(const void *p, const void *q)
{
	const int32_t *const *a = p, *const *b = q;
	for (int32_t k = 0; *a != *b; ++k)
		if ((*a)[k] != (*b)[k]) return (*a)[k] < (*b)[k] ? -1 : 1;
	return 0;
}

void scree_parts_solid_sort(parts_solid *p)
{
	int32_t corners = p->first[p->faces], faces = p->faces, at = 0;
	int32_t *all = scree_alloc((size_t)corners + 3 * (size_t)faces, sizeof *all); /* corners, -1, length, side */
	int32_t **row = scree_alloc((size_t)faces, sizeof *row);
	for (int32_t f = 0; f < faces; ++f) {
		const int32_t *loop = p->corner + p->first[f], count = p->first[f + 1] - p->first[f];
		int32_t low = 0;
		for (int32_t k = 1; k < count; ++k)
			if (loop[k] < loop[low]) low = k;
		row[f] = all + at;
		for (int32_t k = 0; k < count; ++k) all[at++] = loop[(low + k) % count];
		all[at++] = -1;
		all[at++] = p->side[f];
		++at;
	}
	scree_sort_by(row, faces, sizeof *row, loop_order);
	at = 0;
	for (int32_t f = 0; f < faces; ++f) {
		const int32_t *loop = row[f];
		while (*loop >= 0) p->corner[at++] = *loop++;
		p->side[f] = loop[1];
		p->first[f + 1] = at;
	}
	scree_free(all), scree_free(row);
}

void scree_parts_list_free(parts_list *l)
{
	for (int32_t k = 0; k < l->count; ++k) scree_parts_solid_free(l->solid + k);
	scree_free(l->solid);
	*l = (parts_list){0};
}
