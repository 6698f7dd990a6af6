/* overlap_convex: two convex polyhedra by the volume that they have in common: a, cut by the planes of b's faces. */
#include "narrow/convex_pair.h"
#include "narrow/overlap.h"

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

static void set_patch(const convex_pair *c, const overlap_contact *o, patch *out)
{
	real va = c->a->volume * c->sa * c->sa * c->sa, vb = c->b->volume * c->sb * c->sb * c->sb;
	out->points = 1;
	out->normal = mat3_mul(c->at_a->turn, o->normal);
	out->at[0] = mat3_mul(c->at_a->turn, o->at);
	out->depth = out->deep[0] = o->volume / o->area;
	out->weight[0] = o->area * o->area / real_min(va, vb);
	out->pitch = o->pitch;
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

void scree_overlap_convex_convex(const placed *a, const placed *b, int32_t hint, patch *out)
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
	overlap sum = overlap_from(left->vertex[0]);
	scree_overlap_add(&sum, left);
	vec3 any = way > 0 ? v3_mul(-1 / way, c.apart) : v3(0, 0, 1);
	if (!scree_overlap_contact(&sum, any, &found)) {
		no_overlap(&c, out);
		return;
	}
	set_patch(&c, &found, out);
	pressure on;
	pressure_start(&on);
	scree_overlap_press(left, found.normal, &on);
	out->arm = scree_pressure_arm(&on);
}
