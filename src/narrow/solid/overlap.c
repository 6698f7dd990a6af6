/* overlap: a convex solid cut by planes, and sums over the faces of the result (overlap.h). */
#include "narrow/solid/overlap.h"

#include "base/fail.h"
#include "narrow/touch_list.h"

#include <string.h>

void scree_cut_start(cutting *c, const shape *s, real size, real slack)
{
	solid *p = c->part;
	c->now = 0;
	c->slack = slack;
	SCREE_ASSERT(s->faces <= OVERLAP_FACES);
	p->vertices = s->vertices;
	p->faces = s->faces;
	p->corners = s->corners;
	for (int32_t v = 0; v < s->vertices; ++v) p->vertex[v] = v3_mul(size, shape_vertex(s, v));
	for (int32_t k = 0; k < s->corners; ++k) p->corner[k] = (uint16_t)s->corner[k];
	for (int32_t f = 0; f < s->faces; ++f) {
		p->first[f] = s->first[f];
		p->normal[f] = shape_normal(s, f);
		p->second[f] = false;
	}
	p->first[s->faces] = s->corners;
}

static bool stays(const cutting *c, int32_t v) { return c->height[v] <= c->slack; }

static void push_corner(solid *p, int32_t v)
{
	SCREE_ASSERT(p->corners < SOLID_CORNERS);
	p->corner[p->corners++] = (uint16_t)v;
}

static void close_face(solid *p, int32_t start, vec3 normal, bool second)
{
	SCREE_ASSERT(p->faces < SOLID_FACES);
	p->first[p->faces] = start;
	p->normal[p->faces] = normal;
	p->second[p->faces++] = second;
	p->first[p->faces] = p->corners;
}

/* Returns the crossing of the plane with the edge from a kept vertex to a removed vertex. Both faces of the edge use
 * this point, which is already stored when the second face is processed. */
static int32_t crossing(cutting *c, const solid *in, solid *out, int32_t inner, int32_t outer)
{
	for (int32_t k = c->crossings - 1; k >= 0; --k)
		if (c->inner[k] == inner && c->outer[k] == outer) return c->kept + k;
	real h = c->height[inner], t = h < 0 ? h / (h - c->height[outer]) : 0;
	vec3 p = in->vertex[inner];
	SCREE_ASSERT(out->vertices < SOLID_VERTICES);
	c->inner[c->crossings] = (uint16_t)inner;
	c->outer[c->crossings++] = (uint16_t)outer;
	out->vertex[out->vertices] = v3_madd(p, t, v3_sub(in->vertex[outer], p));
	return out->vertices++;
}

/* Between the two crossings, the face's border follows the plane, and the cap's border follows the same line in the
 * opposite direction. Rounding may cause more crossings, which are closed in the same way. */
static void cut_face(cutting *c, const solid *in, solid *out, int32_t f)
{
	int32_t first = in->first[f], count = in->first[f + 1] - first, start = out->corners, left = -1, came = -1;
	for (int32_t i = 0; i < count; ++i) {
		int32_t u = in->corner[first + i], v = in->corner[first + (i + 1 < count ? i + 1 : 0)];
		bool here = stays(c, u), there = stays(c, v);
		if (here) push_corner(out, c->to[u]);
		if (here == there) continue;
		int32_t x = here ? crossing(c, in, out, u, v) : crossing(c, in, out, v, u);
		push_corner(out, x);
		if (here)
			left = x;
		else if (left >= 0)
			c->next[x - c->kept] = (uint16_t)left;
		else
			came = x;
	}
	if (came >= 0) c->next[came - c->kept] = (uint16_t)left;
	if (out->corners > start) close_face(out, start, in->normal[f], in->second[f]);
}

static void add_caps(cutting *c, solid *out, vec3 n)
{
	for (int32_t k = 0; k < c->crossings; ++k) {
		int32_t start = out->corners, at = k;
		while (c->next[at] != UINT16_MAX) {
			int32_t next = c->next[at] - c->kept;
			push_corner(out, c->kept + at);
			c->next[at] = UINT16_MAX;
			at = next;
		}
		if (out->corners > start) close_face(out, start, n, true);
	}
}

void scree_cut_heights(cutting *c, vec3 n, int32_t kept)
{
	const solid *in = c->part + c->now;
	solid *out = c->part + !c->now;
	out->vertices = out->faces = out->corners = c->crossings = 0;
	for (int32_t v = 0; v < in->vertices; ++v) {
		if (!stays(c, v)) continue;
		c->to[v] = (uint16_t)out->vertices;
		out->vertex[out->vertices++] = in->vertex[v];
	}
	c->kept = kept;
	for (int32_t f = 0; f < in->faces; ++f) cut_face(c, in, out, f);
	add_caps(c, out, n);
	c->now = !c->now;
}

bool scree_cut(cutting *c, vec3 n, real off)
{
	const solid *in = c->part + c->now;
	int32_t kept = 0;
	for (int32_t v = 0; v < in->vertices; ++v) {
		c->height[v] = v3_dot(n, in->vertex[v]) - off;
		kept += stays(c, v);
	}
	if (kept > 0 && kept < in->vertices) scree_cut_heights(c, n, kept);
	return kept > 0;
}

static vec3 farthest(const solid *p, vec3 from)
{
	vec3 way = v3(0, 0, 0);
	real most = 0;
	for (int32_t v = 0; v < p->vertices; ++v) {
		vec3 w = v3_sub(p->vertex[v], from);
		real square = v3_norm2(w);
		way = square > most ? w : way;
		most = real_max(square, most);
	}
	return way;
}

void scree_overlap_begin(overlap *o, overlap_energy of, const solid *first, vec3 from, vec3 along)
{
	memset(o, 0, sizeof *o);
	o->of = of;
	o->from = from;
	if (of == ENERGY_OF_VOLUME) return;
	o->axes = region_axes(farthest(first, from), along);
}

overlap scree_overlap_start(overlap_energy of, const solid *first, vec3 from, vec3 along)
{
	overlap o;
	scree_overlap_begin(&o, of, first, from, along);
	return o;
}

static void add_column(mat3 *to, vec3 n, vec3 m)
{
	to->x = v3_madd(to->x, n.x, m);
	to->y = v3_madd(to->y, n.y, m);
	to->z = v3_madd(to->z, n.z, m);
}

static void add_volume(overlap *o, const solid *p)
{
	for (int32_t f = 0; f < p->faces; ++f) {
		const uint16_t *corner = p->corner + p->first[f];
		int32_t count = p->first[f + 1] - p->first[f];
		vec3 n = p->normal[f], a = v3_sub(p->vertex[corner[0]], o->from), b = v3_sub(p->vertex[corner[1]], o->from);
		vec3 moment = v3(0, 0, 0);
		real area = 0;
		for (int32_t i = 2; i < count; ++i) {
			vec3 e = v3_sub(p->vertex[corner[i]], o->from);
			real t = v3_dot(n, v3_cross(v3_sub(b, a), v3_sub(e, a))) / 2;
			area += t;
			moment = v3_madd(moment, t / 3, v3_add(a, v3_add(b, e)));
			b = e;
		}
		add_column(p->second[f] ? &o->second : &o->first, n, moment);
		if (p->second[f]) o->push = v3_madd(o->push, area, n);
		o->widest = real_max(o->widest, area);
	}
}

void scree_overlap_add(overlap *o, const solid *part)
{
	if (o->of == ENERGY_OF_VOLUME)
		add_volume(o, part);
	else
		scree_thickness_add(o, part);
}

void scree_overlap_screw(const overlap_effect *e, vec3 otherwise, overlap_contact *c)
{
	overlap_screw(e, otherwise, c);
}

void scree_overlap_patch(const overlap_contact *c, overlap_energy of, const mat3 *turn, patch *out)
{
	vec3 point[SPREAD_POINTS];
	overlap_spread_points(c, point);
	out->points = of == ENERGY_OF_VOLUME ? 1 : SPREAD_POINTS;
	out->normal = mat3_mul(*turn, c->normal);
	for (int32_t k = 0; k < out->points; ++k) {
		out->at[k] = mat3_mul(*turn, point[k]);
		out->deep[k] = c->depth;
		out->weight[k] = c->weight;
	}
	out->depth = c->depth;
	out->pitch = c->pitch;
	out->arm = c->arm;
	out->hold = mat3_mul(*turn, c->hold);
}

void scree_overlap_touch(const overlap_contact *c, overlap_energy of, const mat3 *turn, int32_t surface,
						 touch_list *out)
{
	patch p;
	scree_overlap_patch(c, of, turn, &p);
	scree_touch_patch(out, surface, &p);
	out->item[out->count - 1].arm = p.arm;
	out->item[out->count - 1].hold = p.hold;
}

real scree_overlap_volume(const overlap *o)
{
	const mat3 *s = &o->second;
	return (o->first.x.x + o->first.y.y + o->first.z.z + s->x.x + s->y.y + s->z.z) / 3;
}

void scree_volume_effect(const overlap *o, real volume, real scale, overlap_effect *e)
{
	const mat3 *s = &o->second;
	/* the sum of m x n over the second body's faces, which is the moment of the force about `from` */
	vec3 moment = v3(s->z.y - s->y.z, s->x.z - s->z.x, s->y.x - s->x.y), middle = o->from;
	real area = v3_norm(o->push);
	if (area > OVERLAP_NO_PUSH * o->widest) {
		/* heights of the two surfaces along n, averaged over the area projected along n */
		vec3 n = v3_mul(1 / area, o->push);
		real low = -v3_dot(n, mat3_mul(o->first, n)) / area, high = v3_dot(n, mat3_mul(*s, n)) / area;
		middle = v3_madd(middle, (low + high) / 2, n);
	}
	e->energy = scale * volume / 2;
	e->nothing = scale * o->widest;
	e->push = v3_mul(scale, o->push);
	e->moment = v3_add(v3_mul(scale, moment), v3_cross(o->from, e->push));
	e->middle = v3_mul(e->energy, middle);
	e->areas = o->push;
	e->widest = o->widest;
}

static bool volume_effect(const overlap *o, real smaller, overlap_effect *e)
{
	real volume = scree_overlap_volume(o);
	if (!(volume > 0)) return false;
	scree_volume_effect(o, volume, volume / smaller, e);
	return true;
}

bool scree_overlap_contact(const overlap *o, real smaller, vec3 otherwise, overlap_contact *c)
{
	overlap_effect e = {0};
	bool any = o->of == ENERGY_OF_VOLUME ? volume_effect(o, smaller, &e) : scree_thickness_effect(o, &e);
	if (any) scree_overlap_screw(&e, otherwise, c);
	return any;
}

void scree_overlap_press(const solid *p, vec3 n, pressure *to)
{
	vec3 x = v3_across(n), y = v3_cross(n, x);
	for (int32_t f = 0; f < p->faces; ++f) {
		if (!p->second[f] || !(v3_dot(p->normal[f], n) > 0)) continue;
		for (int32_t k = p->first[f]; k < p->first[f + 1]; ++k) {
			vec3 at = p->vertex[p->corner[k]];
			pressure_corner_add(to, v3_dot(x, at), v3_dot(y, at), 1);
		}
		scree_pressure_close(to);
	}
}
