/* overlap_near: the common region of polyhedra with many faces (overlap_form.h; docs/theory/volume.md, "Many faces").
 *
 * The full search computes heights of all vertices of a above all faces of b, and cuts along each face that has a
 * vertex above it. Most of these faces are far from the region and do not cut the part that remains after the first
 * cut. Here, bounds prove that they do not. A bound is relied on only if the full search would certainly decide in the
 * same way despite rounding; otherwise the heights are computed as in the full search. */

#include "kernel/cut.h"
#include "narrow/solid/overlap_form.h"

enum {
	PLANES = (OVERLAP_FACES + 7) & ~7,
	VERTICES = 2 * OVERLAP_FACES, /* maximum number of vertices of a shape, with padding */
	DEEP = 8,					  /* maximum number of vertices of body a used for bounds */
	MOST_CUTS = 24,
	WORD = 64,
};
_Static_assert(2 * sizeof(cut_solid) + sizeof(cut_room) <= 2560, "a cut needs at most 2.5 kB");

/* bound, relative to the size, on the error in a vertex height due to one cut */
static const real ERROR_PER_CUT = 64 * 0x1p-52;

/* The planes of b's faces in a's frame, and the heights, computed on demand, of a's vertices above these planes. */
typedef struct near_planes {
	const convex_pair *c;
	int32_t faces, padded;
	real reach, slack;
	real x[PLANES], y[PLANES], z[PLANES], off[PLANES];
	real bound[PLANES]; /* >= low */
	real most[PLANES];	/* largest height of the vertices that remain after the first cut */
	real low[PLANES], high[PLANES];
	bool known[PLANES]; /* whether `low` and `high` are computed */
} near_planes;

/* like look_at_faces in overlap_convex.c, with the same operations */
static void find_planes(near_planes *p, const convex_pair *c, real slack)
{
	p->c = c;
	p->faces = c->b->faces;
	p->padded = shape_padded_faces(c->b);
	p->reach = c->sa * c->a->radius;
	p->slack = slack;
	const mat3 t = c->turn;
	const vec3 to = c->apart;
	const real *nx = c->b->nx, *ny = c->b->ny, *nz = c->b->nz, *far = c->b->off, size = c->sb;
#pragma omp simd
	for (int32_t k = 0; k < p->padded; ++k) {
		p->x[k] = t.x.x * nx[k] + t.y.x * ny[k] + t.z.x * nz[k];
		p->y[k] = t.x.y * nx[k] + t.y.y * ny[k] + t.z.y * nz[k];
		p->z[k] = t.x.z * nx[k] + t.y.z * ny[k] + t.z.z * nz[k];
		p->off[k] = size * far[k] + (p->x[k] * to.x + p->y[k] * to.y + p->z[k] * to.z);
	}
	for (int32_t f = 0; f < p->faces; ++f) p->known[f] = false;
}

static bool in_reach(const near_planes *p, int32_t f) { return !(p->off[f] >= p->reach); }

/* Computes the smallest and largest heights of a's vertices above a face. */
static void look(near_planes *p, int32_t f)
{
	if (p->known[f]) return;
	const shape *a = p->c->a;
	const real *x = a->vx, *y = a->vy, *z = a->vz, nx = p->x[f], ny = p->y[f], nz = p->z[f];
	real low = INFINITY, high = -INFINITY;
#pragma omp simd reduction(min : low) reduction(max : high)
	for (int32_t v = 0; v < a->padded; ++v) {
		real h = nx * x[v] + ny * y[v] + nz * z[v];
		low = h < low ? h : low;
		high = h > high ? h : high;
	}
	p->low[f] = p->c->sa * low - p->off[f];
	p->high[f] = p->c->sa * high - p->off[f];
	p->known[f] = true;
}

static bool cuts(const near_planes *p, int32_t f) { return p->high[f] > p->slack; }

/* Bounds the smallest height above each face with the heights of the vertices below one face; the operations are the
 * same as in `look`, and monotonic. Returns false if there are no such vertices. */
static bool find_bounds(near_planes *p, int32_t face)
{
	const shape *a = p->c->a;
	const real size = p->c->sa;
	int32_t deep[DEEP], count = 0;
	for (int32_t v = 0; v < a->vertices && count < DEEP; ++v) {
		real h = p->x[face] * a->vx[v] + p->y[face] * a->vy[v] + p->z[face] * a->vz[v];
		if (size * h - p->off[face] <= p->slack) deep[count++] = v;
	}
	for (int32_t f = 0; f < p->padded; ++f) p->bound[f] = INFINITY;
	for (int32_t i = 0; i < count; ++i) {
		const real x = a->vx[deep[i]], y = a->vy[deep[i]], z = a->vz[deep[i]];
#pragma omp simd
		for (int32_t f = 0; f < p->padded; ++f) {
			real h = p->x[f] * x + p->y[f] * y + p->z[f] * z;
			p->bound[f] = h < p->bound[f] ? h : p->bound[f];
		}
	}
#pragma omp simd
	for (int32_t f = 0; f < p->padded; ++f) p->bound[f] = size * p->bound[f] - p->off[f];
	return count > 0;
}

/* The first face above which a's lowest vertex is highest. face: a guess. Only a face whose bound is at least the
 * lowest vertex's height above the guessed face can be this face or separate the bodies. */
static near_outcome find_first(near_planes *p, int32_t *face, patch *out)
{
	if (!find_bounds(p, *face)) return NEAR_UNKNOWN;
	look(p, *face);
	const real least = p->low[*face];
	if (!in_reach(p, *face) || !cuts(p, *face) || !(least <= 0)) return NEAR_UNKNOWN;
	real best = -INFINITY;
	for (int32_t f = 0; f < p->faces; ++f) {
		if (!in_reach(p, f) || p->bound[f] < least) continue;
		look(p, f);
		if (p->low[f] > 0) {
			out->depth = -p->low[f];
			out->axis = 1 + p->c->a->faces + f;
			return NEAR_APART;
		}
		if (!cuts(p, f) || !(p->low[f] > best)) continue;
		best = p->low[f];
		*face = f;
	}
	return NEAR_LEFT;
}

/* Sets of vertices and faces as bits. */
typedef struct near_set {
	uint64_t word[VERTICES / WORD + 1];
} near_set;

SCREE_FN void set_add(near_set *s, int32_t i) { s->word[i / WORD] |= (uint64_t)1 << i % WORD; }

/* Writes the members of a set in ascending order; returns the number of members, or -1 if it exceeds `most`. */
static int32_t set_list(const near_set *s, int32_t words, int32_t most, int32_t *list)
{
	int32_t count = 0;
	for (int32_t w = 0; w < words; ++w)
		for (uint64_t left = s->word[w]; left; left &= left - 1) {
			if (count == most) return -1;
			list[count++] = w * WORD + __builtin_ctzll(left);
		}
	return count;
}

/* Copies the faces of a that have a vertex below the plane of a face of b, and the heights of the vertices of these
 * faces. Returns false if all or none of the vertices stay (*kept), or if there is too little room. */
static bool copy_near(const near_planes *p, int32_t face, cut_solid *out, cut_room *room, int32_t *kept)
{
	const shape *a = p->c->a;
	const real size = p->c->sa, nx = p->x[face], ny = p->y[face], nz = p->z[face], off = p->off[face];
	real height[VERTICES + 8];
	near_set faces = {{0}}, vertices = {{0}};
	int32_t list[CUT_FACES], row[CUT_VERTICES], to[VERTICES], corner[CUT_CORNERS];
	*kept = 0;
#pragma omp simd
	for (int32_t v = 0; v < a->padded; ++v)
		height[v] = nx * (size * a->vx[v]) + ny * (size * a->vy[v]) + nz * (size * a->vz[v]) - off;
	for (int32_t v = 0; v < a->vertices; ++v) {
		if (!(height[v] <= p->slack)) continue;
		*kept += 1;
		for (int32_t k = a->at_first[v]; k < a->at_first[v + 1]; ++k) set_add(&faces, a->at[k]);
	}
	if (*kept == 0 || *kept == a->vertices) return false;
	out->faces = set_list(&faces, a->faces / WORD + 1, CUT_FACES, list);
	if (out->faces < 0) return false;
	out->corners = 0;
	out->first[0] = 0;
	for (int32_t i = 0; i < out->faces; ++i) {
		for (int32_t k = a->first[list[i]]; k < a->first[list[i] + 1]; ++k) {
			if (out->corners == CUT_CORNERS) return false;
			corner[out->corners++] = a->corner[k];
			set_add(&vertices, a->corner[k]);
		}
		out->plane[i] = (uint16_t)list[i];
		out->first[i + 1] = (uint8_t)out->corners;
	}
	out->vertices = set_list(&vertices, a->vertices / WORD + 1, CUT_VERTICES, row);
	if (out->vertices < 0) return false;
	for (int32_t i = 0; i < out->vertices; ++i) {
		int32_t v = row[i];
		to[v] = i;
		out->x[i] = size * a->vx[v], out->y[i] = size * a->vy[v], out->z[i] = size * a->vz[v];
		room->height[i] = height[v];
	}
	for (int32_t k = 0; k < out->corners; ++k) out->corner[k] = (uint8_t)to[corner[k]];
	return true;
}

static void find_most(near_planes *p, const cut_solid *s)
{
	for (int32_t f = 0; f < p->padded; ++f) p->most[f] = -INFINITY;
	for (int32_t v = 0; v < s->vertices; ++v) {
		const real x = s->x[v], y = s->y[v], z = s->z[v];
#pragma omp simd
		for (int32_t f = 0; f < p->padded; ++f) {
			real h = p->x[f] * x + p->y[f] * y + p->z[f] * z - p->off[f];
			p->most[f] = h > p->most[f] ? h : p->most[f];
		}
	}
}

/* The position of a face in the order of cuts. The full search lists the cutting faces in ascending order, and swaps
 * each face above which a's lowest vertex is higher than above all previous faces with the first entry. Each swapped
 * face therefore moves to the position of the next swapped face. */
static int32_t place_of(near_planes *p, int32_t face, int32_t first)
{
	if (face > first) return face;
	const real low = p->low[face];
	for (int32_t f = 0; f < face; ++f) {
		if (!in_reach(p, f) || p->bound[f] < low) continue;
		look(p, f);
		if (cuts(p, f) && !(p->low[f] < low)) return face;
	}
	for (int32_t f = face + 1; f < first; ++f) {
		if (!in_reach(p, f) || p->bound[f] <= low) continue;
		look(p, f);
		if (cuts(p, f) && p->low[f] > low) return f;
	}
	return first;
}

/* Lists the faces that may cut after the first cut, in the order of cuts; returns -1 if there are too many. */
static int32_t find_cuts(near_planes *p, const cut_solid *s, int32_t first, int32_t *list)
{
	int32_t count = 0, place[MOST_CUTS];
	/* due to rounding, vertices created by later cuts may be higher than the solid's vertices */
	const real surely = p->slack - ERROR_PER_CUT * (real)p->faces * p->c->scale;
	find_most(p, s);
	for (int32_t f = 0; f < p->faces; ++f) {
		if (p->most[f] <= surely || f == first || !in_reach(p, f)) continue;
		look(p, f);
		if (!cuts(p, f)) continue;
		if (count == MOST_CUTS) return -1;
		int32_t at = place_of(p, f, first), k = count++;
		for (; k > 0 && place[k - 1] > at; --k) place[k] = place[k - 1], list[k] = list[k - 1];
		place[k] = at;
		list[k] = f;
	}
	return count;
}

static void write_solid(const near_planes *p, const cut_solid *s, solid *out)
{
	const int32_t own = p->c->a->faces;
	out->vertices = s->vertices;
	out->faces = s->faces;
	out->corners = s->corners;
	for (int32_t v = 0; v < s->vertices; ++v) out->vertex[v] = v3(s->x[v], s->y[v], s->z[v]);
	for (int32_t k = 0; k < s->corners; ++k) out->corner[k] = s->corner[k];
	for (int32_t f = 0; f <= s->faces; ++f) out->first[f] = s->first[f];
	for (int32_t f = 0; f < s->faces; ++f) {
		int32_t k = s->plane[f] - own;
		out->second[f] = k >= 0;
		out->normal[f] = k >= 0 ? v3(p->x[k], p->y[k], p->z[k]) : shape_normal(p->c->a, s->plane[f]);
	}
}

/* Cuts along the other faces, and writes the result. s: two solids, the first of which is cut */
static near_outcome cut_further(near_planes *p, int32_t first, cut_solid *s, cut_room *room, overlap_form *form,
								solid *left)
{
	int32_t list[MOST_CUTS], now = 0, count = find_cuts(p, s, first, list);
	if (count < 0) return NEAR_UNKNOWN;
	for (int32_t i = 0; i < count; ++i) {
		int32_t f = list[i];
		cut_heights(s + now, v3(p->x[f], p->y[f], p->z[f]), p->off[f], room);
		cut_outcome r = cut_by_heights(s + now, room, p->slack, p->c->a->faces + f, s + !now);
		if (r == CUT_OUTSIDE) return NEAR_NOTHING;
		if (r == CUT_FULL) return NEAR_UNKNOWN;
		if (r == CUT_CROSSED) now = !now;
	}
	if (form && scree_form_of_cut(p->c, s + now, form) && scree_form_region(p->c, form, left)) return NEAR_LEFT;
	if (form) form->a = NULL;
	write_solid(p, s + now, left);
	return NEAR_LEFT;
}

near_outcome scree_overlap_near(const convex_pair *c, real slack, int32_t *face, overlap_form *form, solid *left,
								patch *out)
{
	near_planes p;
	cut_solid s[2];
	cut_room room;
	int32_t kept;
	if (c->a->vertices > VERTICES || *face >= c->b->faces) return NEAR_UNKNOWN;
	find_planes(&p, c, slack);
	near_outcome first = find_first(&p, face, out);
	if (first != NEAR_LEFT) return first;
	if (!copy_near(&p, *face, s + 1, &room, &kept)) return kept == 0 ? NEAR_NOTHING : NEAR_UNKNOWN;
	if (cut_by_heights(s + 1, &room, slack, c->a->faces + *face, s) != CUT_CROSSED) return NEAR_UNKNOWN;
	return cut_further(&p, *face, s, &room, form, left);
}
