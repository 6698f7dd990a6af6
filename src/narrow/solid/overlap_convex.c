/* overlap_convex: two convex polyhedra by the volume that they have in common: a, cut by the planes of b's faces. */
#include "narrow/solid/convex_pair.h"
#include "narrow/solid/overlap.h"

/* of the size: heights below it are rounding */
static const real SLACK = 1e-12;

/* A face of b that cuts a, in a's frame. */
typedef struct cutter {
	vec3 n;
	real off;
} cutter;

typedef struct heights {
	real low, high;
} heights;

/* of the vertices of a shape over the plane n.p = off of its frame */
static heights heights_over(const shape *s, real size, vec3 n, real off)
{
	const real *x = s->vx, *y = s->vy, *z = s->vz;
	real low = INFINITY, high = -INFINITY;
#pragma omp simd reduction(min : low) reduction(max : high)
	for (int32_t v = 0; v < s->padded; ++v) {
		real h = n.x * x[v] + n.y * y[v] + n.z * z[v];
		low = h < low ? h : low;
		high = h > high ? h : high;
	}
	return (heights){size * low - off, size * high - off};
}

static cutter face_of_b(const convex_pair *c, int32_t f)
{
	vec3 n = mat3_mul(c->turn, convex_normal(c->b, f));
	return (cutter){n, c->sb * c->b->off[f] + v3_dot(n, c->apart)};
}

/* how far the bodies are apart along this face's normal: codes 1 .. are faces of a, then of b */
static real apart_along(const convex_pair *c, int32_t code)
{
	if (code > c->a->faces) {
		cutter p = face_of_b(c, code - 1 - c->a->faces);
		return heights_over(c->a, c->sa, p.n, p.off).low;
	}
	vec3 n = convex_normal(c->a, code - 1);
	real off = c->sa * c->a->off[code - 1] - v3_dot(n, c->apart);
	return heights_over(c->b, c->sb, mat3_tmul(c->turn, n), off).low;
}

static bool apart(const convex_pair *c, int32_t code, patch *out)
{
	real s = apart_along(c, code);
	if (!(s > 0)) return false;
	out->depth = -s;
	out->axis = code;
	return true;
}

/* The faces of b that cut a, first the one that leaves the least of it; -1 when one of them separates the bodies. */
static int32_t find_cutters(const convex_pair *c, real slack, cutter *list, patch *out)
{
	int32_t count = 0;
	real best = -INFINITY, reach = c->sa * c->a->radius;
	for (int32_t f = 0; f < c->b->faces; ++f) {
		cutter p = face_of_b(c, f);
		if (p.off >= reach) continue;
		heights h = heights_over(c->a, c->sa, p.n, p.off);
		if (h.low > 0) {
			out->depth = -h.low;
			out->axis = 1 + c->a->faces + f;
			return -1;
		}
		if (!(h.high > slack)) continue;
		list[count++] = p;
		if (!(h.low > best)) continue;
		best = h.low;
		list[count - 1] = list[0];
		list[0] = p;
	}
	return count;
}

static void no_overlap(const convex_pair *c, patch *out)
{
	for (int32_t f = 0; f < c->a->faces; ++f)
		if (apart(c, 1 + f, out)) return;
}

static real smaller_of(const convex_pair *c)
{
	return real_min(c->a->volume * c->sa * c->sa * c->sa, c->b->volume * c->sb * c->sb * c->sb);
}

static void set_patch(const convex_pair *c, const overlap_contact *o, overlap_energy of, patch *out)
{
	vec3 point[SPREAD_POINTS];
	scree_overlap_points(o, point);
	out->points = of == ENERGY_OF_VOLUME ? 1 : SPREAD_POINTS;
	out->normal = mat3_mul(c->at_a->turn, o->normal);
	for (int32_t k = 0; k < out->points; ++k) {
		out->at[k] = mat3_mul(c->at_a->turn, point[k]);
		out->deep[k] = o->depth;
		out->weight[k] = o->weight;
	}
	out->depth = o->depth;
	out->pitch = o->pitch;
	out->arm = o->arm;
	out->hold = mat3_mul(c->at_a->turn, o->hold);
	out->axis = -(o->flat ? 1 : 1 + c->a->faces + c->b->faces);
}

static convex_pair pair_of(const placed *a, const placed *b)
{
	convex_pair c = {.at_a = a, .at_b = b, .a = a->shape, .b = b->shape, .sa = a->size, .sb = b->size};
	c.turn = (mat3){mat3_tmul(a->turn, b->turn.x), mat3_tmul(a->turn, b->turn.y), mat3_tmul(a->turn, b->turn.z)};
	c.apart = mat3_tmul(a->turn, v3_sub(b->at, a->at));
	c.scale = real_max(c.sa * c.a->radius, c.sb * c.b->radius);
	return c;
}

/* the direction in which b's faces push */
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

static vec3 lowest_of(const solid *p, vec3 along)
{
	int32_t best = 0;
	for (int32_t v = 1; v < p->vertices; ++v)
		if (v3_dot(along, p->vertex[v]) < v3_dot(along, p->vertex[best])) best = v;
	return p->vertex[best];
}

static void contact_of(const placed *a, const placed *b, int32_t hint, overlap_energy of, patch *out)
{
	convex_pair c = pair_of(a, b);
	cutter list[OVERLAP_FACES];
	cutting room;
	overlap_contact found;
	real way = v3_norm(c.apart), gap = way - c.sa * c.a->radius - c.sb * c.b->radius;
	out->points = out->axis = 0;
	out->depth = -gap;
	if (gap > 0) return;
	out->depth = 0;
	if (hint > 0 && hint <= c.a->faces + c.b->faces && apart(&c, hint, out)) return;
	int32_t count = find_cutters(&c, SLACK * c.scale, list, out);
	if (count < 0) return;
	scree_cut_start(&room, c.a, c.sa, SLACK * c.scale);
	for (int32_t k = 0; k < count; ++k)
		if (!scree_cut(&room, list[k].n, list[k].off)) {
			no_overlap(&c, out);
			return;
		}
	const solid *left = room.part + room.now;
	vec3 any = way > 0 ? v3_mul(-1 / way, c.apart) : v3(0, 0, 1);
	vec3 along = of == ENERGY_OF_VOLUME ? any : push_of(left, any);
	overlap sum =
		scree_overlap_start(of, left, of == ENERGY_OF_VOLUME ? left->vertex[0] : lowest_of(left, along), along);
	scree_overlap_add(&sum, left);
	if (!scree_overlap_contact(&sum, smaller_of(&c), any, &found)) {
		no_overlap(&c, out);
		return;
	}
	set_patch(&c, &found, of, out);
	if (of != ENERGY_OF_VOLUME) return;
	pressure on;
	pressure_start(&on);
	scree_overlap_press(left, found.normal, &on);
	out->arm = scree_pressure_arm(&on);
}

void scree_overlap_convex_convex(const placed *a, const placed *b, int32_t hint, patch *out)
{
	contact_of(a, b, hint, ENERGY_OF_VOLUME, out);
}

void scree_thickness_convex_convex(const placed *a, const placed *b, int32_t hint, patch *out)
{
	contact_of(a, b, hint, ENERGY_OF_THICKNESS, out);
}
