/* contacts: converts minima of the distance to contacts. For each pair of features only the nearest minimum is kept,
 * and of close minima with nearly equal normals only the deepest (Krestenitis 2017), in any order of minima. */
#include "base/memory.h"
#include "narrow/surface/room.h"

/* LIKE: cosine of 30 degrees, within which normals count as nearly equal; SAME: cosine above which surfaces count as
 * parallel */
static const real LIKE = (real)0.86602540378443865, SAME = (real)0.99951171875;
/* Contacts with the same normal are corners of an area on which a body rests. These contacts are joined only if they
 * are closer together than this fraction of the shortest edge. */
static const real CORNERS = (real)1 / 64;

surface_minimum *scree_surface_found(struct surface_room *r)
{
	r->minimum = scree_room(r->minimum, r->minima, &r->minima_capacity, sizeof *r->minimum);
	return r->minimum + r->minima++;
}

void scree_surface_found_wall(surface_job *j, feature f, vec3 x, vec3 normal, real distance, int32_t surface,
							  uint32_t of_wall)
{
	const uint64_t name = (uint64_t)scree_skin_name(&j->a, f) << 32 | of_wall;
	const vec3 at = v3_madd(x, -(distance + j->a.halo) / 2, normal);
	*scree_surface_found(j->room) = (surface_minimum){name, surface, normal, at, distance};
}

typedef bool before(const surface_minimum *a, const surface_minimum *b);

/* A vertex next to an edge may be found with either triangle of the edge, at the same distance but with different
 * rounding. All bits are compared, so the choice does not depend on the order of the minima. */
static int order_of(const surface_minimum *a, const surface_minimum *b)
{
	const real of_a[7] = {a->distance, a->at.x, a->at.y, a->at.z, a->normal.x, a->normal.y, a->normal.z};
	const real of_b[7] = {b->distance, b->at.x, b->at.y, b->at.z, b->normal.x, b->normal.y, b->normal.z};
	for (int k = 0; k < 7; ++k)
		if (of_a[k] != of_b[k]) return of_a[k] < of_b[k] ? -1 : 1;
	return 0;
}

static bool by_feature(const surface_minimum *a, const surface_minimum *b)
{
	if (a->surface != b->surface) return a->surface < b->surface;
	if (a->feature != b->feature) return a->feature < b->feature;
	return order_of(a, b) < 0;
}

static bool by_distance(const surface_minimum *a, const surface_minimum *b)
{
	return a->distance != b->distance ? a->distance < b->distance : by_feature(a, b);
}

/* Heap sort requires no memory and no recursion, and has no slow worst case. */
static void sift(surface_minimum *m, int32_t from, int32_t count, before *first)
{
	surface_minimum x = m[from];
	for (int32_t child; (child = 2 * from + 1) < count; from = child) {
		if (child + 1 < count && first(m + child, m + child + 1)) ++child;
		if (!first(&x, m + child)) break;
		m[from] = m[child];
	}
	m[from] = x;
}
static void sort(surface_minimum *m, int32_t count, before *first)
{
	for (int32_t i = count / 2; i-- > 0;) sift(m, i, count, first);
	for (int32_t i = count; i-- > 1;) {
		surface_minimum x = m[0];
		m[0] = m[i], m[i] = x;
		sift(m, 0, i, first);
	}
}

static bool are_one(const surface_minimum *a, const surface_minimum *b, real apart)
{
	real cosine = v3_dot(a->normal, b->normal);
	if (cosine < LIKE) return false;
	if (cosine > SAME) apart *= CORNERS;
	return v3_norm2(v3_sub(a->at, b->at)) < apart * apart;
}

static void each_feature_once(struct surface_room *r)
{
	int32_t kept = 0;
	sort(r->minimum, r->minima, by_feature);
	for (int32_t i = 0; i < r->minima; ++i) {
		const surface_minimum *m = r->minimum + i, *last = r->minimum + kept - 1;
		if (kept && m->feature == last->feature && m->surface == last->surface) continue;
		r->minimum[kept++] = *m;
	}
	r->minima = kept;
}

static void deepest_of_each_place(struct surface_room *r, real apart, surface_counts *counts)
{
	int32_t kept = 0;
	sort(r->minimum, r->minima, by_distance);
	for (int32_t i = 0; i < r->minima; ++i) {
		int32_t k = 0;
		while (k < kept && !are_one(r->minimum + k, r->minimum + i, apart)) ++k;
		if (k == kept)
			r->minimum[kept++] = r->minimum[i];
		else
			++counts->duplicates;
	}
	r->minima = kept;
}

void scree_surface_contacts(struct surface_room *r, const surface_rule *rule, surface_counts *counts, point_list *out)
{
	each_feature_once(r);
	deepest_of_each_place(r, rule->apart, counts);
	sort(r->minimum, r->minima, by_feature);
	for (int32_t i = 0; i < r->minima; ++i) {
		const surface_minimum *m = r->minimum + i;
		const real depth = rule->reach - m->distance;
		const point_found p = {m->feature, m->surface, m->normal, m->at, depth, rule->ra, rule->rb, 1};
		if (depth > 0) scree_point_list_add(out, p);
	}
	r->minima = 0;
}
