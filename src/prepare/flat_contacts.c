/* flat_contacts: number of simultaneous contacts of a shape that lands flat. The springs of these contacts act in
 * parallel, so the impact is shorter and the contact stiffer than with one spring (docs/theory/motion.md, "Landing
 * flat"). */
#include "prepare/internal.h"

#include "base/memory.h"
#include "base/sort.h"
#include "shape/compound.h"

/* Fraction of the radius within which points count as level: about the unevenness due to rounding or an impact. */
static const real LEVEL = (real)5e-4;
/* Limit on evaluations per shape. Beyond it, an even selection of triangles or balls is tested, widest faces first. */
static const real MOST_WORK = 2e7;

/* Number of corners of the surface in this plane, or 0 if any part of the shape is beyond the plane. */
static int32_t corners_level(const shape *s, vec3 n, real off)
{
	const trimesh *m = &s->mesh;
	int32_t level = 0;
	for (int32_t v = 0; v < m->vertices; ++v) {
		const real high = v3_dot(n, m->vertex[v]) - off;
		if (high > LEVEL * s->radius) return 0;
		level += m->first[v] >= 0 && high > -LEVEL * s->radius;
	}
	return level;
}

/* Selects one triangle per plane, starting with the planes that contain the most triangles. */
static sort_item *planes_of(const trimesh *m, int32_t *count)
{
	const size_t n = (size_t)m->triangles;
	sort_item *item = scree_alloc(n, sizeof *item);
	for (int32_t t = 0; t < m->triangles; ++t) item[t] = (sort_item){n, t};
	for (int32_t t = 0; t < m->triangles; ++t) --item[m->plane[t]].key;
	scree_sort_alone(item, m->triangles);
	for (*count = 0; *count < m->triangles && item[*count].key < n;) ++*count;
	return item;
}

static int32_t flat_of_surface(const shape *s)
{
	const trimesh *m = &s->mesh;
	int32_t most = 3, planes = 0;
	sort_item *item = planes_of(m, &planes);
	for (int32_t k = 0; k < planes && (real)k * m->vertices < MOST_WORK; ++k) {
		const int32_t t = item[k].value;
		const int32_t level = corners_level(s, m->normal[t], v3_dot(m->normal[t], m->vertex[m->corner[3 * t]]));
		most = level > most ? level : most;
	}
	scree_free(item);
	return most;
}

static int32_t balls_level(const shape *s, vec3 n, real off)
{
	int32_t level = 0;
	for (int32_t k = 0; k < s->parts; ++k) {
		const real high = v3_dot(n, s->part[k].at) + s->part[k].radius - off;
		if (high > LEVEL * s->radius) return 0;
		level += high > -LEVEL * s->radius;
	}
	return level;
}

/* The two planes tangent to three balls, if any: n.(q - p) = rp - rq, n.(r - p) = rp - rr, |n| = 1 */
static bool planes_on(const shape_part *p, const shape_part *q, const shape_part *r, vec3 n[2])
{
	const vec3 u = v3_sub(q->at, p->at), v = v3_sub(r->at, p->at), across = v3_cross(u, v);
	const real area2 = v3_norm2(across), a = p->radius - q->radius, b = p->radius - r->radius;
	if (!(area2 > (real)1e-12 * v3_norm2(u) * v3_norm2(v))) return false;
	const vec3 in = v3_mul(1 / area2, v3_sub(v3_mul(a, v3_cross(v, across)), v3_mul(b, v3_cross(u, across))));
	const real left = 1 - v3_norm2(in);
	if (!(left >= 0)) return false;
	for (int side = 0; side < 2; ++side) n[side] = v3_madd(in, (side ? -1 : 1) * sqrt(left / area2), across);
	return true;
}

enum { NEIGHBOURS = 8 };

/* Finds the balls nearest to ball i, in order of increasing distance. */
static int32_t nearest_balls(const shape *s, int32_t i, int32_t near[NEIGHBOURS])
{
	real far[NEIGHBOURS];
	int32_t count = 0;
	for (int32_t k = 0; k < s->parts; ++k) {
		const real d = v3_norm2(v3_sub(s->part[k].at, s->part[i].at));
		int32_t at = count < NEIGHBOURS ? count++ : NEIGHBOURS;
		if (k == i || (at == NEIGHBOURS && !(d < far[NEIGHBOURS - 1]))) {
			count -= at < NEIGHBOURS; /* ball i itself is not included */
			continue;
		}
		if (at == NEIGHBOURS) --at;
		for (; at > 0 && far[at - 1] > d; --at) far[at] = far[at - 1], near[at] = near[at - 1];
		far[at] = d, near[at] = k;
	}
	return count;
}

static int32_t flat_at_ball(const shape *s, int32_t i)
{
	int32_t near[NEIGHBOURS], count = nearest_balls(s, i, near), most = 1;
	for (int32_t j = 0; j < count; ++j)
		for (int32_t k = 0; k < j; ++k) {
			vec3 n[2];
			if (!planes_on(s->part + i, s->part + near[j], s->part + near[k], n)) continue;
			for (int side = 0; side < 2; ++side) {
				const int32_t level = balls_level(s, n[side], v3_dot(n[side], s->part[i].at) + s->part[i].radius);
				most = level > most ? level : most;
			}
		}
	return most;
}

static int32_t flat_of_clump(const shape *s)
{
	const real work = (real)s->parts * s->parts * NEIGHBOURS * NEIGHBOURS;
	const int32_t stride = 1 + (int32_t)(work / MOST_WORK);
	int32_t most = s->parts < 2 ? s->parts : 2;
	for (int32_t i = 0; i < s->parts; i += stride) {
		const int32_t level = flat_at_ball(s, i);
		most = level > most ? level : most;
	}
	return most;
}

int32_t scree_flat_contacts(const shape *s)
{
	real roots;
	if (s->type == SHAPE_SURFACE) return flat_of_surface(s);
	if (s->type == SHAPE_CLUMP) return flat_of_clump(s);
	if (s->type == SHAPE_CAPSULE) return 2;
	return s->type == SHAPE_COMPOUND ? scree_compound_faces(s, LEVEL, &roots) : 1;
}
