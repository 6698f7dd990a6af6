/* overlap_convex: the common volume of two convex polyhedra: body a is cut along the planes of b's faces. */
#include "narrow/solid/convex_pair.h"
#include "narrow/solid/known_cuts.h"
#include "narrow/solid/overlap_form.h"
#include "narrow/solid/overlap.h"

/* largest distance, relative to the size, at which sharp corners may have a common volume because of the planes'
 * slack */
static const real NEARLY = 1e-9;

/* A face of b that cuts a, in a's frame. */
typedef struct cutter {
	vec3 n;
	real off;
} cutter;

/* Returns the smallest height of a shape's vertices above the plane n.p = off, in the shape's frame. */
static real height_over(const shape *s, real size, vec3 n, real off) { return size * convex_lowest(s, n) - off; }

static cutter face_of_b(const convex_pair *c, int32_t f)
{
	vec3 n = mat3_mul(c->turn, shape_normal(c->b, f));
	return (cutter){n, c->sb * c->b->off[f] + v3_dot(n, c->apart)};
}

/* Codes start at 1 with the faces of a, followed by the faces of b. */
static real apart_along(const convex_pair *c, int32_t code)
{
	if (code > c->a->faces) {
		cutter p = face_of_b(c, code - 1 - c->a->faces);
		return height_over(c->a, c->sa, p.n, p.off);
	}
	vec3 n = shape_normal(c->a, code - 1);
	return height_over(c->b, c->sb, mat3_tmul(c->turn, n), c->sa * c->a->off[code - 1] - v3_dot(n, c->apart));
}

static bool apart(const convex_pair *c, int32_t code, patch *out)
{
	real s = apart_along(c, code);
	if (!(s > 0)) return false;
	out->depth = -s;
	out->axis = code;
	return true;
}

/* Returns the face of this body above which a point, in the body's frame, is highest. */
SCREE_FN int32_t front_face(const shape *s, real size, vec3 p)
{
	int32_t best = 0;
	real top = -INFINITY;
	for (int32_t f = 0; f < s->faces; ++f) { /* without a branch */
		real h = convex_height(s, size, f, p);
		bool more = h > top;
		top = more ? h : top;
		best = more ? f : best;
	}
	return best;
}

/* Tests whether the faces towards the other body's centre separate the bodies; used if no axis is known. */
static bool fronts_apart(const convex_pair *c, patch *out)
{
	const vec3 a_in_b = v3_neg(mat3_tmul(c->turn, c->apart));
	return apart(c, 1 + front_face(c->a, c->sa, c->apart), out) ||
		   apart(c, 1 + c->a->faces + front_face(c->b, c->sb, a_in_b), out);
}

enum { AT_ONCE = 8 };

/* Several faces of b in arrays, in a's frame, with the smallest and largest heights of a's vertices above them. */
typedef struct face_block {
	real x[AT_ONCE], y[AT_ONCE], z[AT_ONCE], off[AT_ONCE], low[AT_ONCE], high[AT_ONCE];
} face_block;

SCREE_FN void look_at_faces(const convex_pair *c, int32_t first, face_block *o)
{
	const mat3 t = c->turn;
	const vec3 to = c->apart;
	const real *nx = c->b->nx + first, *ny = c->b->ny + first, *nz = c->b->nz + first, *far = c->b->off + first;
	const real size = c->sb;
#pragma omp simd
	for (int k = 0; k < AT_ONCE; ++k) {
		o->x[k] = t.x.x * nx[k] + t.y.x * ny[k] + t.z.x * nz[k];
		o->y[k] = t.x.y * nx[k] + t.y.y * ny[k] + t.z.y * nz[k];
		o->z[k] = t.x.z * nx[k] + t.y.z * ny[k] + t.z.z * nz[k];
		o->off[k] = size * far[k] + (o->x[k] * to.x + o->y[k] * to.y + o->z[k] * to.z);
		o->low[k] = INFINITY;
		o->high[k] = -INFINITY;
	}
	const real *x = c->a->vx, *y = c->a->vy, *z = c->a->vz;
	for (int32_t v = 0; v < c->a->vertices; ++v) {
#pragma omp simd
		for (int k = 0; k < AT_ONCE; ++k) {
			real h = o->x[k] * x[v] + o->y[k] * y[v] + o->z[k] * z[v];
			o->low[k] = h < o->low[k] ? h : o->low[k];
			o->high[k] = h > o->high[k] ? h : o->high[k];
		}
	}
#pragma omp simd
	for (int k = 0; k < AT_ONCE; ++k) {
		o->low[k] = c->sa * o->low[k] - o->off[k];
		o->high[k] = c->sa * o->high[k] - o->off[k];
	}
}

/* Starts with the face that leaves the smallest part of a (*first). Returns -1 if a face separates the bodies. */
static int32_t find_cutters(const convex_pair *c, real slack, cutter *list, int32_t *first, patch *out)
{
	int32_t count = 0;
	real best = -INFINITY, reach = c->sa * c->a->radius;
	face_block o;
	for (int32_t f = 0; f < c->b->faces; ++f) {
		int32_t k = f % AT_ONCE;
		if (k == 0) look_at_faces(c, f, &o);
		if (o.off[k] >= reach) continue;
		if (o.low[k] > 0) {
			out->depth = -o.low[k];
			out->axis = 1 + c->a->faces + f;
			return -1;
		}
		if (!(o.high[k] > slack)) continue;
		list[count++] = (cutter){v3(o.x[k], o.y[k], o.z[k]), o.off[k]};
		if (!(o.low[k] > best)) continue;
		best = o.low[k];
		*first = f;
		cutter last = list[count - 1];
		list[count - 1] = list[0];
		list[0] = last;
	}
	return count;
}

/* Stores a bound on the distance between two bodies without a common region, so that no test is needed for a while. */
static void no_overlap(const convex_pair *c, patch *out)
{
	for (int32_t f = 0; f < c->a->faces; ++f)
		if (apart(c, 1 + f, out)) return;
	patch gap; /* only edges separate the bodies */
	scree_convex_convex(c->at_a, c->at_b, 0, &gap);
	out->depth = real_min(NEARLY * c->scale + gap.depth, 0);
}

static real smaller_of(const convex_pair *c)
{
	return real_min(c->a->volume * c->sa * c->sa * c->sa, c->b->volume * c->sb * c->sb * c->sb);
}

static vec3 push_of(const solid *p, vec3 otherwise)
{
	vec3 sum = v3(0, 0, 0);
	for (int32_t f = 0; f < p->faces; ++f) {
		const uint16_t *corner = p->corner + p->first[f];
		vec3 a = p->vertex[corner[0]], b = v3_sub(p->vertex[corner[1]], a);
		for (int32_t i = 2; p->second[f] && i < p->first[f + 1] - p->first[f]; ++i) {
			vec3 e = v3_sub(p->vertex[corner[i]], a);
			sum = v3_add(sum, v3_cross(b, e));
			b = e;
		}
	}
	real size = v3_norm(sum);
	return size > 0 ? v3_mul(1 / size, sum) : otherwise;
}

/* Returns the part of a that remains after cuts with these planes, or NULL. */
static const solid *what_is_left(const convex_pair *c, const cutter *list, int32_t count, cutting *room)
{
	scree_cut_start(room, c->a, c->sa, OVERLAP_SLACK * c->scale);
	for (int32_t k = 0; k < count; ++k)
		if (!scree_cut(room, list[k].n, list[k].off)) return NULL;
	return room->part + room->now;
}

/* Hints for pairs whose solids are too large for known cuts: the face of b that leaves the smallest part of a. The
 * numbers of these hints follow the numbers of the forms. */
static int32_t hint_of_face(int32_t face) { return axis_of_form(KNOWN_FORMS + 1 + face, true); }
static int32_t face_of_hint(int32_t hint) { return form_of_axis(hint) - KNOWN_FORMS - 1; }

/* first: the face of b that cuts first; by_face: whether the hint is this face */
static const solid *what_is_known_left(const convex_pair *c, const cutter *list, int32_t count, int32_t first,
									   known_cuts *known, int32_t *hint, bool by_face, cutting *room)
{
	formed s;
	if (!known || by_face ||
		!scree_formed_start(known, &s, c->a, c->sa, OVERLAP_SLACK * c->scale, form_of_axis(*hint))) {
		if (known && count > 0) *hint = hint_of_face(first);
		return what_is_left(c, list, count, room);
	}
	for (int32_t k = 0; k < count; ++k) {
		cut_result r = scree_formed_cut(known, &s, list[k].n, list[k].off);
		if (r == CUT_TOO_LARGE) return what_is_left(c, list, count, room);
		if (r == CUT_NOTHING_LEFT) return NULL;
	}
	*hint = axis_of_form(scree_formed_hint(known, &s), true);
	scree_formed_solid(&s, room->part);
	return room->part;
}

/* Finds the region from nearby faces if the hint contains a starting face. */
static near_outcome region_near(const convex_pair *c, int32_t face, overlap_form *form, int32_t *hint, cutting *room,
								patch *out)
{
	if (face < 0) return NEAR_UNKNOWN;
	near_outcome found = scree_overlap_near(c, OVERLAP_SLACK * c->scale, &face, form, room->part, out);
	if (found == NEAR_LEFT) *hint = hint_of_face(face);
	return found;
}

/* Computes the region from the solid's form, if there is one, so that a kept form would give the same result. */
static const solid *by_form(const convex_pair *c, const solid *left, overlap_form *form, cutting *room)
{
	if (!scree_form_of_solid(c, left, form)) return left;
	if (scree_form_region(c, form, room->part)) return room->part;
	form->a = NULL;
	return left;
}

/* form: NULL, or an empty form that is replaced */
static const solid *region_by_cuts(const convex_pair *c, int32_t *hint, known_cuts *known, overlap_form *form,
								   cutting *room, patch *out)
{
	cutter list[OVERLAP_FACES];
	if (*hint > 0 && *hint <= c->a->faces + c->b->faces && apart(c, *hint, out)) return NULL;
	if (*hint == 0 && fronts_apart(c, out)) return NULL;
	near_outcome found = known ? region_near(c, face_of_hint(*hint), form, hint, room, out) : NEAR_UNKNOWN;
	if (found == NEAR_LEFT) return room->part;
	if (found == NEAR_NOTHING) no_overlap(c, out);
	if (found != NEAR_UNKNOWN) return NULL;
	int32_t first = 0, count = find_cutters(c, OVERLAP_SLACK * c->scale, list, &first, out);
	if (count < 0) return NULL;
	const solid *left = what_is_known_left(c, list, count, first, known, hint, form != NULL, room);
	if (left) return form ? by_form(c, left, form, room) : left;
	no_overlap(c, out);
	return NULL;
}

/* The region, or NULL with the distance in `out`. Pairs with few faces have no form, as known cuts are equally fast. */
static const solid *region_of(const convex_pair *c, int32_t *hint, known_cuts *known, overlap_form *kept, cutting *room,
							  patch *out)
{
	overlap_form fresh, *form = !form_may_exist(c) ? NULL : kept ? kept : &fresh;
	real gap = v3_norm(c->apart) - c->sa * c->a->radius - c->sb * c->b->radius;
	out->points = out->axis = 0;
	out->depth = -gap;
	if (gap > 0) return NULL;
	out->depth = 0;
	if (form && form == kept && scree_form_region(c, form, room->part)) return room->part;
	if (form) form->a = NULL;
	return region_by_cuts(c, hint, known, form, room, out);
}

static vec3 from_b(const convex_pair *c)
{
	real way = v3_norm(c->apart);
	return way > 0 ? v3_mul(-1 / way, c->apart) : v3(0, 0, 1);
}

/* Computes the sums over the common region. Returns NULL if there is none; the distance is then in `out`. */
static const solid *sums_of(const convex_pair *c, overlap_energy of, int32_t *hint, known_cuts *known,
							overlap_form *kept, cutting *room, overlap *sum, vec3 *otherwise, patch *out)
{
	const bool thickness = of == ENERGY_OF_THICKNESS;
	const solid *left = region_of(c, hint, known, kept, room, out);
	if (!left) return NULL;
	*otherwise = from_b(c);
	const vec3 along = thickness ? push_of(left, *otherwise) : *otherwise;
	scree_overlap_begin(sum, of, left, thickness ? solid_lowest(left, along) : left->vertex[0], along);
	scree_overlap_add(sum, left);
	return left;
}

bool scree_overlap_region(const placed *a, const placed *b, int32_t *hint, known_cuts *known, overlap_form *kept,
						  overlap *sum, vec3 *otherwise, patch *out)
{
	convex_pair c = convex_pair_of(a, b);
	cutting room;
	return sums_of(&c, ENERGY_OF_THICKNESS, hint, known, kept, &room, sum, otherwise, out) != NULL;
}

static void of_both(const placed *a, const placed *b, overlap_energy of, int32_t hint, known_cuts *known,
					overlap_form *kept, patch *out)
{
	convex_pair c = convex_pair_of(a, b);
	cutting room;
	overlap sum;
	overlap_contact found;
	vec3 otherwise;
	const solid *left = sums_of(&c, of, &hint, known, kept, &room, &sum, &otherwise, out);
	if (!left) return;
	if (!scree_overlap_contact(&sum, smaller_of(&c), otherwise, &found)) {
		no_overlap(&c, out);
		return;
	}
	scree_overlap_patch(&found, of, &a->turn, out);
	out->axis = axis_of_form(known ? form_of_axis(hint) : 0, found.flat);
	if (of == ENERGY_OF_THICKNESS) return;
	pressure on;
	pressure_start(&on);
	scree_overlap_press(left, found.normal, &on);
	out->arm = scree_pressure_arm(&on);
}

void scree_overlap_convex_convex(const placed *a, const placed *b, int32_t hint, patch *out)
{
	of_both(a, b, ENERGY_OF_VOLUME, hint, NULL, NULL, out);
}

void scree_overlap_known(const placed *a, const placed *b, int32_t hint, known_cuts *known, overlap_form *kept,
						 patch *out)
{
	of_both(a, b, ENERGY_OF_VOLUME, hint, known, kept, out);
}

void scree_thickness_convex_convex(const placed *a, const placed *b, int32_t hint, patch *out)
{
	of_both(a, b, ENERGY_OF_THICKNESS, hint, NULL, NULL, out);
}

void scree_thickness_known(const placed *a, const placed *b, int32_t hint, known_cuts *known, overlap_form *kept,
						   patch *out)
{
	of_both(a, b, ENERGY_OF_THICKNESS, hint, known, kept, out);
}
