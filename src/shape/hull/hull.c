/* hull: creates a shape at set-up as the convex hull of points, using qhull (Barber, Dobkin and Huhdanpaa 1996). qhull
 * only determines the corners and the neighbours of facets. The input points of qhull are shifted and scaled by a power
 * of two, so that qhull's constants have no effect. Stored numbers are computed from the user's points. Facets in one
 * plane are merged, corners inside straight edges are removed, vertices keep the order of the points, and faces are
 * sorted by their loops, so the order of qhull's lists does not affect the state. The result passes all checks of
 * shapes.h, and its volume is compared with qhull's.
 *
 * Duplicate points are removed first. Points may be off a common plane by more than the flatness tolerance of shapes,
 * but by less than the rounding error of single precision, which would give faces with no angle between them. If this
 * makes the hull of all points an invalid shape, points that protrude by less than a width are omitted (qhull's option
 * W). The smallest width that gives a shape is used.
 *
 * Sets of points without a volume are refused before qhull is called, because qhull's message is a page long. */
#include "shape/shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libqhull_r/qhull_ra.h>

#include "base/memory.h"
#include "base/sort.h"
#include "shape/compound.h"
#include "shape/mesh/surface.h"
#include "shape/parts/parts.h"

enum { MOST_POINTS = 4096 };
static const real LARGEST = 1e30; /* the same value as for vertices of shapes */
static const real FLAT = 1e-7;	  /* smallest height above a line or plane, relative to the extent */
/* allowed distances from a face's plane, relative to the extent, in the order tried; shapes allow 1e-9 */
static const real IN_PLANE[] = {2e-10, 5e-11, 6e-10};
static const real SAME_VOLUME = 1e-9;			   /* relative */
static const real width[] = {0, 1e-9, 1e-8, 1e-7}; /* relative widths below which protruding points are omitted */
enum { WIDTHS = sizeof width / sizeof *width, PLANES = sizeof IN_PLANE / sizeof *IN_PLANE };

static int32_t farthest(int32_t count, const vec3 *p, vec3 from, vec3 along, vec3 normal, real *distance)
{
	int32_t best = 0;
	*distance = -1;
	for (int32_t i = 0; i < count; ++i) {
		vec3 d = v3_sub(p[i], from);
		d = v3_madd(d, -v3_dot(d, along), along);
		real far = v3_norm2(normal) > 0 ? real_abs(v3_dot(d, normal)) : v3_norm(d);
		if (far > *distance) {
			*distance = far;
			best = i;
		}
	}
	return best;
}

static bool check_points(const char *name, int32_t count, const vec3 *p, vec3 *mean, real *extent, fail *why)
{
	if (count < 4) return scree_refuse(why, "shape '%s': the hull of %d points, expected at least 4", name, count);
	if (count > MOST_POINTS)
		return scree_refuse(why, "shape '%s': the hull of %d points, expected at most %d: simplify the mesh", name,
							count, (int)MOST_POINTS);
	vec3 sum = v3(0, 0, 0), none = sum;
	if (!scree_check_points("shape", name, "point", count, p, why)) return false;
	for (int32_t i = 0; i < count; ++i) sum = v3_add(sum, p[i]);
	*mean = v3_mul(1 / (real)count, sum);
	real height;
	vec3 a = p[farthest(count, p, *mean, none, none, extent)];
	if (!(*extent > 1 / LARGEST))
		return scree_refuse(why, "shape '%s': all %d points are the same, but a hull needs a volume", name, count);
	vec3 b = p[farthest(count, p, a, none, none, &height)], along = v3_unit(v3_mul(1 / *extent, v3_sub(b, a)));
	vec3 c = p[farthest(count, p, a, along, none, &height)];
	if (!(height > FLAT * *extent))
		return scree_refuse(why, "shape '%s': all %d points lie on one line, but a hull needs a volume", name, count);
	vec3 across = v3_mul(1 / *extent, v3_sub(c, a));
	farthest(count, p, a, none, v3_unit(v3_cross(along, across)), &height);
	if (!(height > FLAT * *extent))
		return scree_refuse(why, "shape '%s': all %d points lie in one plane, but a hull needs a volume", name, count);
	return true;
}

/* returns the power of two nearest to x > 0 */
static real power_near(real x)
{
	real p = 1;
	while (p < x / 2) p *= 2;
	while (p > x) p /= 2;
	return p;
}

/* qhull's facets as loops in qhull's order; all loops have the same orientation */
static parts_solid read_facets(qhT *qh, const coordT *points)
{
	parts_solid l = scree_parts_solid_with(qh->num_facets, 0);
	facetT *facet;
	vertexT *vertex, **vertexp;
	int32_t corners = 0;
	int64_t room = 0;
	FORALLfacets
	{
		setT *around = qh_facet3vertex(qh, facet);
		FOREACHvertex_(around) SCREE_APPEND(l.corner, corners, room, (int32_t)((vertex->point - points) / 3));
		qh_settempfree(qh, &around);
		l.first[++l.faces] = corners;
	}
	return l;
}

static bool call_qhull(const char *name, int32_t count, const vec3 *p, vec3 mean, real scale, real least,
					   parts_solid *out, real *volume, fail *why)
{
	coordT *points = scree_alloc(3 * (size_t)count, sizeof *points);
	for (int32_t i = 0; i < count; ++i) {
		vec3 d = v3_mul(1 / scale, v3_sub(p[i], mean));
		points[3 * i] = d.x, points[3 * i + 1] = d.y, points[3 * i + 2] = d.z;
	}
	char *said = NULL, options[40] = "qhull Pp";
	if (least > 0) snprintf(options, sizeof options, "qhull Pp W%.3g", least);
	size_t length = 0;
	FILE *errors = open_memstream(&said, &length);
	bool good = errors != NULL;
	if (!good) scree_fail(why, FAIL_IO, "shape '%s': no memory for the messages of qhull", name);
	if (good) {
		qhT *qh = scree_alloc(1, sizeof *qh);
		qh_zero(qh, errors);
		int code = qh_new_qhull(qh, 3, count, points, False, options, NULL, errors);
		if (code == 0) {
			qh_getarea(qh, qh->facet_list);
			*volume = qh->totvol;
			*out = read_facets(qh, points);
		}
		qh_freeqhull(qh, !qh_ALL);
		int curlong, totlong;
		qh_memfreeshort(qh, &curlong, &totlong);
		scree_free(qh);
		fclose(errors);
		good = code == 0;
		if (!good)
			scree_refuse(why, "shape '%s': qhull found no hull (code %d): %.*s", name, code, (int)strcspn(said, "\n"),
						 said);
	}
	free(said);
	scree_free(points);
	return good;
}

/* orients qhull's loops, which all have the same orientation: outwards if the volume is positive */
static void turn_outwards(parts_solid *l, const vec3 *p, vec3 mean)
{
	real volume = 0;
	for (int32_t f = 0; f < l->faces; ++f)
		volume += v3_dot(scree_parts_solid_area(p, l, f), v3_sub(p[l->corner[l->first[f]]], mean));
	if (volume > 0) return;
	for (int32_t f = 0; f < l->faces; ++f)
		for (int32_t i = l->first[f], j = l->first[f + 1] - 1; i < j; ++i, --j) SCREE_SWAP(l->corner[i], l->corner[j]);
}

/* Sets group[f] to the largest face connected to f in the same plane. Large faces have the most accurate planes. */
static void group_faces(const parts_solid *l, const half_edge *all, const vec3 *p, real near, int32_t *group)
{
	sized *seed = scree_alloc((size_t)l->faces, sizeof *seed);
	int32_t *wait = scree_alloc((size_t)l->faces, sizeof *wait);
	for (int32_t f = 0; f < l->faces; ++f) {
		seed[f] = (sized){v3_norm(scree_parts_solid_area(p, l, f)), {f}};
		group[f] = -1;
	}
	scree_sort_by(seed, l->faces, sizeof *seed, scree_sort_largest);
	for (int32_t s = 0; s < l->faces; ++s) {
		int32_t own = seed[s].row[0], count = 0, done = 0;
		if (group[own] >= 0) continue;
		vec3 normal = v3_unit(scree_parts_solid_area(p, l, own)), base = p[l->corner[l->first[own]]];
		group[own] = own;
		wait[count++] = own;
		while (done < count) {
			int32_t f = wait[done++];
			for (int32_t k = l->first[f]; k < l->first[f + 1]; ++k) {
				int32_t to = l->corner[k + 1 < l->first[f + 1] ? k + 1 : l->first[f]];
				const half_edge *across = scree_half_edge(all, l->first[l->faces], to, l->corner[k]);
				int32_t g = across ? across->face : -1;
				bool flat = g >= 0 && group[g] < 0 && v3_dot(scree_parts_solid_area(p, l, g), normal) >= 0;
				for (int32_t j = flat ? l->first[g] : 0; flat && j < l->first[g + 1]; ++j)
					flat = real_abs(v3_dot(normal, v3_sub(p[l->corner[j]], base))) <= near;
				if (!flat) continue;
				group[g] = own;
				wait[count++] = g;
			}
		}
	}
	SCREE_FREE_ALL(wait, seed);
}

/* Adds the shape with these faces, without points that are not corners. */
static int32_t add(shapes *s, const char *name, const parts_solid *l, int32_t points, const vec3 *p, fail *why)
{
	int32_t *number = scree_alloc((size_t)points, sizeof *number), vertices = 0, corners = l->first[l->faces];
	int32_t *corner = scree_alloc((size_t)corners, sizeof *corner);
	vec3 *vertex = scree_alloc((size_t)points, sizeof *vertex);
	for (int32_t k = 0; k < corners; ++k) number[l->corner[k]] = 1;
	for (int32_t i = 0; i < points; ++i) {
		if (!number[i]) continue;
		vertex[vertices] = p[i];
		number[i] = vertices++;
	}
	for (int32_t k = 0; k < corners; ++k) corner[k] = number[l->corner[k]];
	int32_t row = scree_shapes_add_convex(s, name, vertices, vertex, l->faces, l->first, corner, why);
	scree_free(number), scree_free(corner), scree_free(vertex);
	return row;
}

/* builds the shape in a separate table and compares its volume with qhull's */
static int32_t add_checked(shapes *s, const char *name, const parts_solid *l, int32_t points, const vec3 *p, real scale,
						   real volume, fail *why)
{
	shapes alone = {0};
	int32_t row = add(&alone, name, l, points, p, why);
	const real ours = row < 0 ? 0 : alone.row->volume / (scale * scale * scale);
	if (row == 0 && real_abs(ours - volume) <= SAME_VOLUME * volume) {
		row = scree_shapes_append(s, alone.row);
		alone.count = 0; /* the row's memory now belongs to the other table */
	} else if (row == 0) {
		scree_refuse(why, "shape '%s': its volume divided by %g m^3 is %.15g, but %.15g according to qhull", name,
					 scale * scale * scale, ours, volume);
		row = -1;
	}
	scree_shapes_free(&alone);
	return row;
}

/* Adds the hull of the points, without points that protrude by less than `least`; returns the row or -1. */
static int32_t add_without(shapes *s, const char *name, int32_t points, const vec3 *point, vec3 mean, real extent,
						   real least, real near, fail *why)
{
	const real scale = power_near(extent);
	real volume = 0;
	parts_solid raw = {0}, faces = {0};
	int32_t row = -1;
	if (call_qhull(name, points, point, mean, scale, least / scale, &raw, &volume, why)) {
		turn_outwards(&raw, point, mean);
		half_edge *all = scree_half_edges(raw.faces, raw.first, raw.corner);
		group_faces(&raw, all, point, near, raw.side);
		if (scree_parts_solid_join(points, &raw, &faces)) {
			scree_parts_solid_sort(&faces);
			row = add_checked(s, name, &faces, points, point, scale, volume, why);
		} else {
			scree_refuse(why,
						 "shape '%s': the faces of the hull of %d points do not form a closed surface: points are too "
						 "close to each other",
						 name, points);
		}
		scree_free(all);
	}
	scree_parts_solid_free(&raw);
	scree_parts_solid_free(&faces);
	return row;
}

/* returns the points without copies, in the order of their first occurrence; to be freed by the caller */
static vec3 *without_copies(int32_t *points, const vec3 *point)
{
	const int32_t all = *points;
	point_row *at = scree_alloc((size_t)all, sizeof *at);
	bool *copy = scree_alloc((size_t)all, sizeof *copy);
	vec3 *kept = scree_alloc((size_t)all, sizeof *kept);
	for (int32_t i = 0; i < all; ++i) at[i] = (point_row){point[i], i};
	scree_sort_by(at, all, sizeof *at, scree_sort_points);
	for (int32_t i = 1; i < all; ++i) copy[at[i].row] = v3_equal(at[i].p, at[i - 1].p);
	*points = 0;
	for (int32_t i = 0; i < all; ++i)
		if (!copy[i]) kept[(*points)++] = point[i];
	scree_free(at), scree_free(copy);
	return kept;
}

int32_t scree_shapes_add_hull(shapes *s, const char *name, int32_t points, const vec3 *point, fail *why)
{
	int32_t distinct = points, row = -1;
	vec3 mean, *own = points > 0 ? without_copies(&distinct, point) : NULL;
	real extent;
	fail wider = {0};
	/* fewer than four points have no hull; the message gives the number of all points */
	const bool few = distinct < 4;
	if (check_points(name, few ? points : distinct, few ? point : own, &mean, &extent, why)) {
		for (int k = 0; row < 0 && k < WIDTHS * PLANES; ++k)
			row = add_without(s, name, distinct, own, mean, extent, width[k / PLANES] * extent,
							  IN_PLANE[k % PLANES] * extent, k ? &wider : why);
	}
	scree_free(own);
	return row;
}
