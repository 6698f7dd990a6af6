/* convex_parts: decomposes a closed surface into convex polyhedra.
 *
 * in   triangles, closed and oriented
 * out  one polyhedron if the surface is convex; otherwise the best of several cuttings into parts that do not overlap
 * (parts_cells.c), merged as far as possible (parts_merge.c)
 *
 * The surface is scaled by a power of two into the box from -1 to 1; the result has its original vertices. Each part is
 * verified as a shape, and all parts must have the volume and, except for common faces, the area of the surface. */
#include "shape/parts/convex_parts.h"

#include "base/memory.h"
#include "base/sort.h"
#include "shape/compound.h"
#include "shape/mesh/surface.h"
#include "shape/parts/parts.h"
#include "shape/shapes.h"

enum { SPARE = 256 };
static const real NEAR = 1e-11;		   /* tolerance for points on a plane, relative to half the surface's width */
static const real ROUNDED = 1e-15;	   /* fraction of the largest coordinate */
static const real SAME_VOLUME = 1e-12; /* relative */
static const real SAME_AREA = 1e-9;	   /* relative tolerance, also for faces that count as uncovered or fully covered */
static const real LARGEST = 1e30;

/* cutting methods; the best result is used */
static const parts_taste tastes[] = {
	{.hollow = 0.5, .piece = 0.05, .face = 0.25, .bisect = true, .bodies = true},
	{.hollow = 1, .piece = 0.2, .face = 0.25, .bisect = true, .bodies = true},
	{.hollow = 0.25, .piece = 0, .face = 0, .bisect = true, .bodies = true},
	{.hollow = 0.5, .piece = 0.05, .face = 4, .bodies = true},
	{.hollow = 0.5, .piece = 0.05, .face = -4, .bisect = true, .bodies = true},
	{.hollow = 0.5, .piece = 0.05, .bisect = true, .bodies = true, .central = true},
	{.hollow = 0.5, .piece = 0.05, .face = 0.25, .bisect = true},
};
enum { TASTES = sizeof tastes / sizeof *tastes };

typedef struct job {
	const char *name;
	int32_t vertices, triangles;
	const vec3 *vertex;
	const int32_t *triangle;
	vec3 *point; /* moved and scaled */
	vec3 centre;
	real scale, near;
	real rounded;	   /* error in lengths due to rounding of coordinates, scaled */
	real uneven;	   /* distance of corners from the planes of their triangles */
	real loose;		   /* allowed distance of corners from the cutting planes */
	bool hopeless;	   /* so many parts that no other method will halve their number */
	real volume, area; /* volume and area of the surface, scaled */
	fail *why;
} job;

void scree_convex_parts_free(convex_parts *p)
{
	for (int32_t k = 0; k < p->count; ++k) {
		const convex_part *c = p->part + k;
		SCREE_FREE_ALL(c->vertex, c->first, c->corner, c->inner);
	}
	scree_free(p->part);
	*p = (convex_parts){0};
}

static bool check_numbers(const job *j)
{
	if (j->triangles > PARTS_TRIANGLES)
		return scree_refuse(j->why,
							"mesh '%s' has %d triangles, but only meshes of up to %d can be cut into convex parts: use "
							"its hull, use it as a surface with a halo, or simplify it",
							j->name, j->triangles, (int)PARTS_TRIANGLES);
	if (j->vertices < 4 || j->triangles < 4)
		return scree_refuse(j->why, "mesh '%s': %d vertices and %d triangles, expected at least 4 of each", j->name,
							j->vertices, j->triangles);
	if (!scree_check_points("mesh", j->name, "vertex", j->vertices, j->vertex, j->why)) return false;
	for (int32_t k = 0; k < 3 * j->triangles; ++k)
		if (j->triangle[k] < 0 || j->triangle[k] >= j->vertices)
			return scree_refuse(j->why, "mesh '%s': corner %d of triangle %d is vertex %d, expected 0 to %d", j->name,
								k % 3, k / 3, j->triangle[k], j->vertices - 1);
	return true;
}

static bool set_scale(job *j)
{
	vec3 low = j->vertex[j->triangle[0]], high = low;
	real far = 0;
	for (int32_t k = 0; k < 3 * j->triangles; ++k) {
		vec3 p = j->vertex[j->triangle[k]];
		v3_widen(&low, &high, p);
		far = real_max(far, real_max(real_abs(p.x), real_max(real_abs(p.y), real_abs(p.z))));
	}
	vec3 wide = v3_mul((real)0.5, v3_sub(high, low));
	real half = v3_greatest(wide);
	if (!(half > 1 / LARGEST)) return scree_refuse(j->why, "mesh '%s': all its vertices are at one point", j->name);
	j->centre = v3_mul((real)0.5, v3_add(low, high));
	j->scale = 1;
	while (j->scale < half) j->scale *= 2;
	while (j->scale / 2 >= half) j->scale /= 2;
	j->rounded = ROUNDED * far / j->scale;
	j->near = NEAR + 10 * j->rounded;
	j->point = scree_alloc((size_t)j->vertices, sizeof *j->point);
	for (int32_t i = 0; i < j->vertices; ++i) {
		vec3 x = v3_mul(1 / j->scale, v3_sub(j->vertex[i], j->centre));
		j->point[i] = v3(real_clamp(x.x, -1, 1), real_clamp(x.y, -1, 1), real_clamp(x.z, -1, 1)); /* for unused ones */
	}
	return true;
}

static bool measure(job *j)
{
	for (int32_t t = 0; t < j->triangles; ++t) {
		vec3 a = j->point[j->triangle[3 * t]], b = j->point[j->triangle[3 * t + 1]],
			 c = j->point[j->triangle[3 * t + 2]];
		vec3 area = v3_cross(v3_sub(b, a), v3_sub(c, a));
		j->volume += v3_dot(a, area) / 6;
		j->area += v3_norm(area) / 2;
	}
	if (!(j->volume > 0))
		return scree_refuse(j->why, "mesh '%s': its volume is %g, so its triangles are oriented inwards", j->name,
							j->volume * (j->scale * j->scale * j->scale));
	return true;
}

/* The part in the user's coordinates; vertices are in the order of their numbers, so the surface's come first. */
static convex_part part_of(const job *j, const parts_space *s, const parts_solid *p)
{
	convex_part c = {.faces = p->faces};
	int32_t *number = scree_alloc((size_t)s->points, sizeof *number), corners = p->first[p->faces];
	for (int32_t k = 0; k < corners; ++k) number[p->corner[k]] = 1;
	c.vertex = scree_alloc((size_t)corners, sizeof *c.vertex);
	for (int32_t i = 0; i < s->points; ++i) {
		if (!number[i]) continue;
		c.vertex[c.vertices] = i < j->vertices ? j->vertex[i] : v3_madd(j->centre, j->scale, s->point[i]);
		number[i] = c.vertices++;
	}
	c.first = scree_copy(p->first, (size_t)p->faces + 1, sizeof *c.first);
	c.corner = scree_alloc((size_t)corners, sizeof *c.corner);
	for (int32_t k = 0; k < corners; ++k) c.corner[k] = number[p->corner[k]];
	c.inner = scree_alloc((size_t)p->faces, sizeof *c.inner);
	c.volume = scree_parts_solid_volume(s, p) * (j->scale * j->scale * j->scale);
	scree_free(number);
	return c;
}

static bool is_shape(const convex_part *c, fail *why)
{
	shapes alone = {0};
	bool good =
		scree_shapes_add_convex(&alone, "part", c->vertices, c->vertex, c->faces, c->first, c->corner, why) == 0;
	scree_shapes_free(&alone);
	return good;
}

/* Returns the area of face f of p that face g of q covers in the same plane: loop f is clipped by the edges of g
 * (Sutherland and Hodgman 1974). */
static real shared_area(const parts_space *s, const parts_solid *p, int32_t f, const parts_solid *q, int32_t g)
{
	int32_t count = p->first[f + 1] - p->first[f], edges = q->first[g + 1] - q->first[g];
	vec3 *now = scree_alloc(2 * (size_t)(count + edges), sizeof *now), *next = now + count + edges;
	vec3 n = parts_normal(s, q->side[g]);
	for (int32_t k = 0; k < count; ++k) now[k] = s->point[p->corner[p->first[f] + k]];
	for (int32_t e = 0; e < edges; ++e) {
		vec3 a = s->point[q->corner[q->first[g] + e]], b = s->point[q->corner[q->first[g] + (e + 1) % edges]];
		vec3 in = v3_cross(n, v3_sub(b, a));
		int32_t kept = 0;
		for (int32_t k = 0; k < count; ++k) {
			vec3 x = now[k], y = now[(k + 1) % count];
			real u = v3_dot(in, v3_sub(x, a)), v = v3_dot(in, v3_sub(y, a));
			if (u >= 0) next[kept++] = x;
			if ((u > 0 && v < 0) || (u < 0 && v > 0)) next[kept++] = v3_madd(x, u / (u - v), v3_sub(y, x));
		}
		SCREE_SWAP(now, next);
		count = kept;
	}
	vec3 area = v3(0, 0, 0);
	for (int32_t k = 1; k + 1 < count; ++k)
		area = v3_add(area, v3_cross(v3_sub(now[k], now[0]), v3_sub(now[k + 1], now[0])));
	scree_free(now < next ? now : next);
	return v3_norm(area) / 2;
}

/* computes `inner` for the faces of part i; returns the area of these faces on the outside */
static real outer_area(const parts_space *s, const parts_list *l, int32_t i, real *inner)
{
	real outer = 0;
	const parts_solid *p = l->solid + i;
	for (int32_t f = 0; f < p->faces; ++f) {
		real all = v3_norm(scree_parts_solid_area(s->point, p, f)) / 2, shared = 0;
		for (int32_t k = 0; k < l->count; ++k)
			for (int32_t g = 0; k != i && g < l->solid[k].faces; ++g)
				if (l->solid[k].side[g] == (p->side[f] ^ 1)) shared += shared_area(s, p, f, l->solid + k, g);
		real share = shared / all;
		inner[f] = share < SAME_AREA ? 0 : share > 1 - SAME_AREA ? 1 : share;
		outer += all - shared;
	}
	return outer;
}

/* Converts and verifies the parts, or sets a message. */
static bool finish(const job *j, const parts_space *s, const parts_list *l, real volume_off, real area_off,
				   convex_parts *out)
{
	real volume = 0, outer = 0;
	*out = (convex_parts){.volume = j->volume * (j->scale * j->scale * j->scale)};
	out->part = scree_alloc((size_t)l->count, sizeof *out->part);
	bool good = true;
	for (int32_t k = 0; good && k < l->count; ++k) {
		out->part[out->count++] = part_of(j, s, l->solid + k);
		good = is_shape(out->part + k, j->why);
		volume += scree_parts_solid_volume(s, l->solid + k);
		outer += outer_area(s, l, k, out->part[k].inner);
	}
	if (good && !(real_abs(volume - j->volume) <= volume_off))
		good = scree_refuse(
			j->why, "the total volume of the parts differs from the volume of the surface by a fraction of %.2g",
			volume / j->volume - 1);
	if (good && !(real_abs(outer - j->area) <= area_off))
		good = scree_refuse(j->why,
							"the total area of the parts differs from the area of the surface by a fraction of %.2g",
							outer / j->area - 1);
	if (!good) scree_convex_parts_free(out);
	return good;
}

/* Converts a convex surface into one part whose faces are flat to within the tolerance of shapes; false otherwise. */
static bool whole(job *j, real near, convex_parts *out, bool *closed)
{
	parts_space s = scree_parts_space_start(j->vertices, j->point, near);
	parts_mesh m;
	parts_list l = {0};
	parts_solid all = {.faces = j->triangles}, one;
	*closed = scree_parts_mesh_start(&m, &s, j->triangles, j->triangle);
	bool good = *closed && m.hollows == 0;
	if (good) {
		all.first = scree_alloc((size_t)j->triangles + 1, sizeof *all.first);
		for (int32_t t = 0; t <= j->triangles; ++t) all.first[t] = 3 * t;
		all.side = scree_copy(m.side, (size_t)j->triangles, sizeof *all.side);
		all.corner = scree_copy(j->triangle, 3 * (size_t)j->triangles, sizeof *all.corner);
		good = scree_parts_solid_join(s.points, &all, &one);
		scree_parts_solid_free(&all);
		if (good) {
			SCREE_APPEND(l.solid, l.count, l.room, one);
			/* corners inside faces and edges have been removed if their distance was less than `near` */
			good = finish(j, &s, &l, SAME_VOLUME * j->volume + near * j->area, (SAME_AREA + 8 * near) * j->area, out);
		}
	}
	scree_parts_list_free(&l);
	scree_parts_mesh_free(&m);
	scree_parts_space_free(&s);
	return good;
}

static real unevenness(const parts_space *s, const parts_mesh *m)
{
	real most = 0;
	for (int32_t k = 0; k < 3 * m->triangles; ++k)
		most = real_max(most, real_abs(parts_height(s, m->corner[k], m->side[k / 3] >> 1)));
	return most;
}

static bool cut(job *j, int way, int32_t most, convex_parts *out)
{
	parts_space s = scree_parts_space_start(j->vertices, j->point, j->near);
	s.way = way, s.ways = TASTES;
	parts_mesh m;
	parts_list l = {0};
	bool good = scree_parts_mesh_start(&m, &s, j->triangles, j->triangle);
	if (good && !scree_parts_cut(&s, &m, tastes + way, most, &l)) {
		good = scree_refuse(j->why, "%s", s.trouble);
		j->hopeless = s.limit_reached;
	}
	if (good) {
		scree_parts_merge(&s, &l);
		j->uneven = unevenness(&s, &m);
		for (int32_t k = 0; k < l.count; ++k) scree_parts_solid_sort(l.solid + k);
		good = finish(j, &s, &l, SAME_VOLUME * j->volume + (j->rounded + j->uneven + j->loose) * j->area,
					  SAME_AREA * j->area, out);
	}
	scree_parts_list_free(&l);
	scree_parts_mesh_free(&m);
	scree_parts_space_free(&s);
	return good;
}

static bool try_tastes(job *j, int32_t most, convex_parts *out)
{
	bool found = false;
	for (int k = 0; k < TASTES; ++k) {
		convex_parts made;
		if (!cut(j, k, SPARE + 16 * most, &made)) {
			if (j->hopeless) break;
			continue;
		}
		bool better = !found || made.count < out->count;
		scree_convex_parts_free(better ? out : &made);
		if (better) *out = made;
		found = true;
	}
	return found;
}

/* Chooses the cutting method that gives the fewest parts. Points within `near` of a plane count as being on the plane,
 * so the volume of the parts may differ from the surface's by `near` times the area if coordinates were rounded. If
 * points of flat faces are farther off and no cut is found, `near` is increased. */
enum { WIDER = 4 };

static bool best_cut(job *j, int32_t most, convex_parts *out)
{
	fail *why = j->why, last = {0};
	*out = (convex_parts){.volume = j->volume * (j->scale * j->scale * j->scale)};
	j->why = &last;
	bool found = try_tastes(j, most, out);
	for (int k = 0; k < WIDER && !found && !j->hopeless; ++k) {
		if (k) j->near *= 16;
		j->loose = j->near;
		found = try_tastes(j, most, out);
	}
	j->why = why;
	if (!found)
		return scree_refuse(why, "mesh '%s' cannot be cut into convex parts (%s): use it as a surface with a halo",
							j->name, last.text);
	if (out->count <= most) return true;
	int32_t count = out->count;
	scree_convex_parts_free(out);
	return scree_refuse(why,
						"mesh '%s' needs %d convex parts, more than the %d that are allowed: use it as a surface with "
						"a halo, or simplify it",
						j->name, count, most);
}

bool scree_convex_parts(const char *name, int32_t vertices, const vec3 *vertex, int32_t triangles,
						const int32_t *triangle, int32_t most, convex_parts *out, fail *why)
{
	static const real flat[] = {1e-9, 2e-10, 1e-11}; /* relative to the extent, as for shapes */
	job j = {
		.name = name, .vertices = vertices, .triangles = triangles, .vertex = vertex, .triangle = triangle, .why = why};
	*out = (convex_parts){0};
	bool good = check_numbers(&j) && set_scale(&j) && measure(&j), closed = true, done = false;
	fail not_convex;
	j.why = &not_convex;
	for (int k = 0; good && closed && !done && k < 3; ++k) done = whole(&j, flat[k], out, &closed);
	j.why = why;
	if (good && !closed)
		good = scree_refuse(why, "mesh '%s' is open: some of its edges do not belong to two triangles", name);
	else if (good && !done)
		good = best_cut(&j, most, out);
	scree_free(j.point);
	return good;
}
