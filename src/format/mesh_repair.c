/* mesh_repair: repairs of a mesh, each of which relies on the earlier ones. 1. Weld coincident vertices; drop triangles
 * with a repeated vertex, and duplicate triangles. 2. Weld vertices of open sides with a larger tolerance, which
 * elsewhere would destroy fine features. 3. Orient triangles consistently across shared sides. 4. Fill holes: flat
 * holes by cutting off ears, and holes of zero area (a vertex on the side of a triangle) with zero-height triangles. 5.
 * Remove zero-height triangles: in each, one vertex is on the opposite side, and the triangle across that side is cut
 * at this vertex. 6. Orient the whole surface outwards; drop vertices without triangles. The result must pass all
 * checks of a closed surface (shape/mesh/trimesh.h), including that it does not cross itself. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "format/mesh_mend.h"
#include "shape/mesh/surface.h"

static const real WELD = 1e-9;	  /* distance, relative to the extent, below which vertices count as coincident */
static const real JOIN = 1e-6;	  /* for vertices of open sides: a few times the rounding error of single precision */
static const real HEIGHT = 2e-10; /* smallest height of a triangle over the extent; surfaces need half of this */

/* ------------------------------------------------------------------ vertices and triangles */

static mesh copy_of(const mesh *in)
{
	return (mesh){in->vertices,
				  in->triangles,
				  scree_copy(in->vertex, (size_t)in->vertices, sizeof(vec3)),
				  scree_copy(in->triangle, 3 * (size_t)in->triangles, sizeof(int32_t)),
				  in->apart,
				  in->rounding};
}

/* Drops vertices without triangles; returns the number dropped, not counting those in `gone` if that is not NULL. */
static int32_t drop_unused(mesh *m, const bool *gone)
{
	int32_t *number = scree_alloc((size_t)m->vertices, sizeof *number), kept = 0, unused = 0;
	for (int32_t k = 0; k < 3 * m->triangles; ++k) number[m->triangle[k]] = 1;
	for (int32_t i = 0; i < m->vertices; ++i) {
		if (!number[i]) {
			unused += !gone || !gone[i];
			continue;
		}
		number[i] = kept;
		m->vertex[kept++] = m->vertex[i];
	}
	for (int32_t k = 0; k < 3 * m->triangles; ++k) m->triangle[k] = number[m->triangle[k]];
	m->vertices = kept;
	scree_free(number);
	return unused;
}

/* Replaces corners with the corners to which they were welded. */
static void weld_corners(mender *r, const int32_t *to)
{
	for (int32_t k = 0; k < 3 * r->m.triangles; ++k) r->m.triangle[k] = to[r->m.triangle[k]];
	for (int32_t i = 0; i < r->m.vertices; ++i)
		if (to[i] != i) r->gone[i] = true;
}

static void weld(mender *r)
{
	int32_t *to = scree_alloc((size_t)r->m.vertices, sizeof *to);
	r->done->welded = r->m.vertices - scree_weld(r->m.vertices, r->m.vertex, WELD * r->extent, to);
	weld_corners(r, to);
	scree_free(to);
}

/* Marks the ends of sides that belong to only one triangle. */
static bool *open_vertices(const mesh *m)
{
	bool *open = scree_alloc((size_t)m->vertices, sizeof *open);
	int64_t count = 3 * (int64_t)m->triangles;
	side *at = scree_sides(m->triangles, m->triangle);
	for (int64_t from = 0, end; from < count; from = end) {
		end = scree_sides_end(at, count, from);
		if (end - from == 1) open[at[from].low] = open[at[from].high] = true;
	}
	scree_free(at);
	return open;
}

static void weld_open(mender *r)
{
	mesh *m = &r->m;
	bool *open = open_vertices(m);
	int32_t *row = scree_alloc((size_t)m->vertices, sizeof *row), *to = scree_alloc((size_t)m->vertices, sizeof *to);
	int32_t *among = scree_alloc((size_t)m->vertices, sizeof *among), count = 0;
	vec3 *p = scree_alloc((size_t)m->vertices, sizeof *p);
	for (int32_t i = 0; i < m->vertices; ++i) {
		to[i] = i;
		if (!open[i]) continue;
		row[count] = i;
		p[count++] = m->vertex[i];
	}
	r->done->joined = count - scree_weld(count, p, JOIN * r->extent, among);
	for (int32_t k = 0; k < count; ++k) to[row[k]] = row[among[k]];
	weld_corners(r, to);
	SCREE_FREE_ALL(p, among, to, row, open);
}

/* A triangle as its three corner numbers, lowest first, since a copy may be reversed. */
static named_triangle name_of(const int32_t *c, int32_t row)
{
	int32_t low = c[0] < c[1] ? c[0] : c[1], high = c[0] < c[1] ? c[1] : c[0];
	if (c[2] < low) return (named_triangle){{c[2], low, high}, row};
	return c[2] < high ? (named_triangle){{low, c[2], high}, row} : (named_triangle){{low, high, c[2]}, row};
}

/* Drops triangles with a repeated vertex, and all but one of the triangles with the same three vertices. */
static void drop_triangles(mender *r)
{
	mesh *m = &r->m;
	int32_t kept = 0;
	named_triangle *all = scree_alloc((size_t)m->triangles, sizeof *all);
	for (int32_t t = 0; t < m->triangles; ++t) all[t] = name_of(m->triangle + 3 * t, t);
	bool *copy = scree_triangle_copies(m->triangles, all);
	for (int32_t t = 0; t < m->triangles; ++t) {
		const int32_t *c = m->triangle + 3 * t;
		bool flat = c[0] == c[1] || c[1] == c[2] || c[2] == c[0];
		r->done->flat += flat;
		r->done->copies += copy[t] && !flat;
		if (flat || copy[t]) continue;
		r->turned[kept] = r->turned[t];
		memmove(m->triangle + 3 * kept++, c, 3 * sizeof *c);
	}
	m->triangles = kept;
	scree_free(copy);
}

/* ------------------------------------------------------------------ orientation of triangles */

static void turn_over(mender *r, int32_t t)
{
	int32_t *c = r->m.triangle + 3 * t, swap = c[1];
	c[1] = c[2], c[2] = swap;
	r->turned[t] = !r->turned[t];
}

/* Tests whether the side runs from its lower-numbered to its higher-numbered vertex. */
static bool runs_up(const mesh *m, int32_t side) { return m->triangle[side] < m->triangle[side_next(side)]; }

/* Orients all triangles connected to this triangle consistently. */
static bool turn_part(mender *r, int32_t seed, bool *seen, int32_t *wait)
{
	int32_t count = 0, done = 0;
	seen[seed] = true;
	wait[count++] = seed;
	while (done < count) {
		int32_t t = wait[done++];
		for (int32_t k = 3 * t; k < 3 * t + 3; ++k) {
			int32_t other = r->across[k], u = other / 3;
			if (other < 0) continue;
			bool alike = runs_up(&r->m, k) != runs_up(&r->m, other);
			if (seen[u] && !alike)
				return scree_mend_refuse_side(
					r, r->m.triangle[k], r->m.triangle[side_next(k)],
					"closes a one-sided surface (such as a Moebius strip), which has no inside");
			if (seen[u]) continue;
			seen[u] = true;
			wait[count++] = u;
			if (alike) continue;
			turn_over(r, u);
			/* the sides of a reversed triangle begin at different corners */
			int32_t *c = r->across + 3 * u, swap = c[0];
			c[0] = c[2], c[2] = swap;
			for (int j = 0; j < 3; ++j)
				if (c[j] >= 0) r->across[c[j]] = 3 * u + j;
		}
	}
	return true;
}

static bool turn_alike(mender *r)
{
	bool *seen = scree_alloc((size_t)r->m.triangles, sizeof *seen), good = scree_mend_across(r);
	int32_t *wait = scree_alloc((size_t)r->m.triangles, sizeof *wait);
	for (int32_t t = 0; good && t < r->m.triangles; ++t)
		if (!seen[t]) good = turn_part(r, t, seen, wait);
	SCREE_FREE_ALL(wait, seen);
	return good;
}

static void turn_outward(mender *r)
{
	const mesh *m = &r->m;
	real volume = 0;
	vec3 o = m->vertex[m->triangle[0]];
	for (const int32_t *c = m->triangle; c < m->triangle + 3 * m->triangles; c += 3)
		volume += v3_dot(v3_sub(m->vertex[c[0]], o), v3_cross(v3_sub(m->vertex[c[1]], o), v3_sub(m->vertex[c[2]], o)));
	for (int32_t t = 0; volume < 0 && t < m->triangles; ++t) turn_over(r, t);
}

/* ------------------------------------------------------------------ the whole repair */

static bool check_mesh(const mender *r)
{
	const mesh *m = &r->m;
	if (m->vertices < 4 || m->triangles < 1)
		return scree_fail(r->why, FAIL_INPUT,
						  "mesh '%s' has %d vertices and %d triangles: a body needs a closed surface", r->name,
						  m->vertices, m->triangles);
	for (int32_t i = 0; i < m->vertices; ++i) {
		vec3 p = m->vertex[i];
		if (!v3_within(p, 1e30))
			return scree_fail(r->why, FAIL_INPUT,
							  "mesh '%s': vertex %d is (%g, %g, %g), expected finite numbers up to 1e30", r->name, i,
							  p.x, p.y, p.z);
	}
	for (int32_t k = 0; k < 3 * m->triangles; ++k)
		if (m->triangle[k] < 0 || m->triangle[k] >= m->vertices)
			return scree_fail(r->why, FAIL_INPUT, "mesh '%s': triangle %d names vertex %d, expected 0 to %d", r->name,
							  k / 3, m->triangle[k], m->vertices - 1);
	return true;
}

static real extent_of(const mesh *m)
{
	vec3 low = m->vertex[m->triangle[0]], high = low;
	for (int32_t k = 0; k < 3 * m->triangles; ++k) v3_widen(&low, &high, m->vertex[m->triangle[k]]);
	return 0.5 * v3_norm(v3_sub(high, low));
}

static bool mend(mender *r)
{
	r->extent = extent_of(&r->m);
	r->height = HEIGHT * r->extent;
	weld(r);
	drop_triangles(r);
	weld_open(r);
	drop_triangles(r);
	if (!r->m.triangles)
		return scree_fail(r->why, FAIL_INPUT, "mesh '%s' has no triangle with an area: a body needs a closed surface",
						  r->name);
	int32_t given = r->done->triangles = r->m.triangles;
	r->done->flat += scree_flat_triangles(r);
	scree_mender_room(r, given);
	if (!turn_alike(r) || !scree_mend_holes(r) || !scree_mend_flat(r)) return false;
	turn_outward(r);
	for (int32_t t = 0; t < given; ++t) r->done->turned += r->turned[t];
	r->done->unused = drop_unused(&r->m, r->gone);
	trimesh probe;
	if (!scree_trimesh_build(&probe, r->name, r->m.vertices, r->m.vertex, r->m.triangles, r->m.triangle, r->why))
		return scree_fail_in(r->why, "after all repairs");
	scree_trimesh_free(&probe);
	return true;
}

/* ------------------------------------------------------------------ description of the repairs */

bool scree_mends_any(const mesh_mends *d)
{
	return d->welded || d->joined || d->flat || d->copies || d->turned || d->holes || d->slits || d->unused;
}

/* Adds "what N thing(s)rest" after a comma. */
static void say(char *text, size_t room, const char *what, int32_t count, const char *thing, const char *things,
				const char *rest)
{
	size_t at = strlen(text);
	if (count)
		snprintf(text + at, room - at, "%s%s %d %s%s", at ? ", " : "", what, count, count == 1 ? thing : things, rest);
}

void scree_mends_say(const mesh_mends *d, char *text, size_t room)
{
	char rest[80];
	text[0] = 0;
	say(text, room, "welded", d->welded, "vertex that lay", "vertices that lay", " at the position of another one");
	say(text, room, "joined", d->joined, "vertex", "vertices", " at open sides with a nearby one");
	say(text, room, "dropped", d->copies, "copy of a triangle", "copies of triangles", "");
	say(text, room, "removed", d->flat, "triangle", "triangles", " without height");
	say(text, room, "cut sides of triangles at", d->slits, "vertex that lay on one", "vertices that lay on them", "");
	snprintf(rest, sizeof rest, " with %d triangle%s (%.2g %% of the surface)", d->filled, d->filled == 1 ? "" : "s",
			 100 * d->hole_share);
	say(text, room, "filled", d->holes, "flat hole", "flat holes", rest);
	bool all = d->turned == d->triangles;
	say(text, room, all ? "turned all" : "turned over", d->turned, "triangle", "triangles",
		all ? ", since the surface was inside out" : " to match their neighbours");
	say(text, room, "dropped", d->unused, "vertex", "vertices", " without triangles");
	if (!text[0]) snprintf(text, room, "nothing");
}

bool scree_mesh_repair(const char *name, const mesh *in, mesh *out, mesh_mends *done, fail *why)
{
	*done = (mesh_mends){0};
	mender r = {.name = name, .m = copy_of(in), .done = done, .why = why};
	r.gone = scree_alloc((size_t)in->vertices, sizeof *r.gone);
	r.turned = scree_alloc((size_t)in->triangles, sizeof *r.turned);
	bool good = check_mesh(&r) && mend(&r);
	SCREE_FREE_ALL(r.gone, r.turned, r.across);
	*out = (mesh){0};
	if (good)
		*out = r.m;
	else
		scree_mesh_free(&r.m);
	return good;
}
