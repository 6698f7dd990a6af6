/* shapes: creates shapes that are specified without faces, including regular polygons.
 *
 * Solids are listed in the tables below: vertices as codes (0, 1, the golden ratio, or its inverse, with a sign), and
 * faces as loops of equal length, counter-clockwise seen from outside. These solids are built in the same way as shapes
 * from a user's faces (convex.c), with the same checks. */
#include "shape/shapes.h"

#include <string.h>

#include "base/maths.h"
#include "base/memory.h"
#include "shape/compound.h"

/* returns -1 if the name is longer than 47 bytes */
int32_t scree_shapes_add_sphere(shapes *s, const char *name)
{
	shape made = {.type = SHAPE_SPHERE, .radius = 0.5, .inradius = 0.5, .volume = SCREE_PI / 6, .frame = {1, 0, 0, 0}};
	fail why;
	if (!scree_shape_name(&made, name, &why)) return -1;
	real moment = made.volume / 10; /* 2/5 m r^2 */
	made.inertia = v3(moment, moment, moment);
	return scree_shapes_append(s, &made);
}

int32_t scree_shapes_add_polygon(shapes *s, const char *name, int32_t corners, const vec3 *point, fail *why)
{
	shape made = {.type = SHAPE_POLYGON, .frame = {1, 0, 0, 0}};
	real moment;
	if (!scree_shape_name(&made, name, why) ||
		!scree_polygon_build(&made.flat, name, corners, point, &made.centre, &made.volume, &moment, why))
		return -1;
	made.radius = made.flat.radius, made.inradius = made.flat.inradius;
	made.inertia = v3(moment, moment, moment);
	return scree_shapes_append(s, &made);
}

/* Corner k of a regular polygon, from the right end of the side at its bottom. The left half is bitwise the mirror
 * image of the right half, and the upper half of the lower half if `sides` is even, so that a polygon lies flat. */
static vec3 regular_corner(int32_t k, int32_t sides)
{
	bool left = 2 * k + 1 > sides;
	if (left) k = sides - 1 - k;
	bool up = sides % 2 == 0 && 2 * (2 * k + 1) > sides;
	if (up) k = sides / 2 - 1 - k;
	real sine, cosine;
	scree_sincos(SCREE_PI * (2 * k + 1) / sides, &sine, &cosine);
	if (2 * k + 1 == sides) sine = 0;
	if (2 * (2 * k + 1) == sides) cosine = 0;
	return v3((left ? -sine : sine) / 2, (up ? cosine : -cosine) / 2, 0);
}

int32_t scree_shapes_add_regular_polygon(shapes *s, const char *name, int32_t sides, fail *why)
{
	if (sides < 3 || sides > POLYGON_CORNERS) {
		scree_refuse(why, "shape '%s': a polygon of %d sides, expected 3 to %d", name, sides, POLYGON_CORNERS);
		return -1;
	}
	vec3 *corner = scree_alloc((size_t)sides, sizeof *corner);
	for (int32_t k = 0; k < sides; ++k) corner[k] = regular_corner(k, sides);
	int32_t row = scree_shapes_add_polygon(s, name, sides, corner, why);
	scree_free(corner);
	return row;
}

/* largest ratio of axes; a more slender ellipse is a line to within the precision of the contact point */
static const real SLENDER = 1000;

int32_t scree_shapes_add_disc(shapes *s, const char *name, fail *why)
{
	int32_t row = scree_shapes_add_sphere(s, name);
	if (row < 0) {
		scree_refuse(why, "shape '%s': the name is too long, expected at most %zu bytes", name,
					 sizeof s->row->name - 1);
		return -1;
	}
	real moment = SCREE_PI / 32; /* pi r^4 / 2 */
	s->row[row].volume = SCREE_PI / 4;
	s->row[row].inertia = v3(moment, moment, moment);
	return row;
}

int32_t scree_shapes_add_ellipse(shapes *s, const char *name, real semi_x, real semi_y, fail *why)
{
	real large = real_max(semi_x, semi_y), small = real_min(semi_x, semi_y);
	if (!(semi_x > 0 && semi_y > 0 && large < INFINITY && large <= SLENDER * small)) {
		scree_refuse(why,
					 "shape '%s': semi-axes %g and %g, expected two lengths above 0, one at most %g times the other",
					 name, semi_x, semi_y, SLENDER);
		return -1;
	}
	int32_t row = scree_shapes_add_disc(s, name, why);
	if (row < 0) return -1;
	shape *made = s->row + row;
	made->type = SHAPE_ELLIPSE;
	made->semi_x = semi_x;
	made->semi_y = semi_y;
	made->radius = large;
	made->inradius = small;
	made->thick = 2 * small;
	made->volume = SCREE_PI * semi_x * semi_y;
	real moment = made->volume * (semi_x * semi_x + semi_y * semi_y) / 4;
	made->inertia = v3(moment, moment, moment);
	return row;
}

enum { AROUND = 64 };

int32_t scree_shape_corners(const shape *s) { return s->type == SHAPE_POLYGON ? s->flat.corners : AROUND; }

vec3 scree_shape_corner(const shape *s, int32_t k)
{
	real y, x;
	if (s->type == SHAPE_POLYGON) return v3(s->flat.corner[k].x, s->flat.corner[k].y, 0);
	scree_sincos(2 * SCREE_PI * k / AROUND, &y, &x);
	return s->type == SHAPE_ELLIPSE ? v3(s->semi_x * x, s->semi_y * y, 0) : v3(s->radius * x, s->radius * y, 0);
}

typedef struct solid {
	const char *name;
	int32_t vertices, faces, corners; /* corners: number of corners per face */
	const signed char *vertex;		  /* [3*vertices] codes: 1 for 1, 2 for the golden ratio, 3 for its inverse */
	const signed char *loop;		  /* [faces*corners] */
} solid;

/* clang-format off */
static const signed char tetrahedron_vertex[] = {1,1,1, 1,-1,-1, -1,1,-1, -1,-1,1};
static const signed char tetrahedron_loop[] = {0,1,2, 0,3,1, 0,2,3, 1,3,2};
static const signed char cube_vertex[] = {-1,-1,-1, 1,-1,-1, -1,1,-1, 1,1,-1, -1,-1,1, 1,-1,1, -1,1,1, 1,1,1};
static const signed char cube_loop[] = {0,2,3,1, 0,1,5,4, 0,4,6,2, 1,3,7,5, 2,6,7,3, 4,5,7,6};
static const signed char octahedron_vertex[] = {1,0,0, -1,0,0, 0,1,0, 0,-1,0, 0,0,1, 0,0,-1};
static const signed char octahedron_loop[] = {0,2,4, 0,5,2, 0,4,3, 0,3,5, 1,4,2, 1,2,5, 1,3,4, 1,5,3};
static const signed char icosahedron_vertex[] = {
	0,-1,-2, 0,-1,2, 0,1,-2, 0,1,2, -1,-2,0, -1,2,0, 1,-2,0, 1,2,0, -2,0,-1, 2,0,-1, -2,0,1, 2,0,1};
static const signed char icosahedron_loop[] = {
	0,8,2, 0,2,9, 0,6,4, 0,4,8, 0,9,6, 1,3,10, 1,11,3, 1,4,6, 1,10,4, 1,6,11,
	2,5,7, 2,8,5, 2,7,9, 3,7,5, 3,5,10, 3,11,7, 4,10,8, 5,8,10, 6,9,11, 7,11,9};
static const signed char dodecahedron_vertex[] = {
	-1,-1,-1, 1,-1,-1, -1,1,-1, 1,1,-1, -1,-1,1, 1,-1,1, -1,1,1, 1,1,1,
	0,-3,-2, 0,-3,2, 0,3,-2, 0,3,2, -3,-2,0, -3,2,0, 3,-2,0, 3,2,0, -2,0,-3, 2,0,-3, -2,0,3, 2,0,3};
static const signed char dodecahedron_loop[] = {
	0,8,1,14,12, 0,16,2,10,8, 0,12,4,18,16, 1,8,10,3,17, 1,17,19,5,14, 2,13,15,3,10,
	2,16,18,6,13, 3,15,7,19,17, 4,12,14,5,9, 4,9,11,6,18, 5,19,7,11,9, 6,11,7,15,13};
/* clang-format on */

static const solid solids[] = {
	{"tetrahedron", 4, 4, 3, tetrahedron_vertex, tetrahedron_loop},
	{"cube", 8, 6, 4, cube_vertex, cube_loop},
	{"octahedron", 6, 8, 3, octahedron_vertex, octahedron_loop},
	{"dodecahedron", 20, 12, 5, dodecahedron_vertex, dodecahedron_loop},
	{"icosahedron", 12, 20, 3, icosahedron_vertex, icosahedron_loop},
};
enum { SOLIDS = sizeof solids / sizeof *solids, MOST_VERTICES = 20, MOST_FACES = 20, MOST_CORNERS = 60 };

static real decode(int code)
{
	real golden = (1 + sqrt((real)5)) / 2;
	real size[] = {0, 1, golden, golden - 1};
	return code < 0 ? -size[-code] : size[code];
}

/* adds the solid, with its vertices multiplied by `scale` component by component */
static int32_t add_solid(shapes *s, const char *name, const solid *of, vec3 scale, fail *why)
{
	vec3 vertex[MOST_VERTICES];
	int32_t first[MOST_FACES + 1], corner[MOST_CORNERS];
	for (int32_t i = 0; i < of->vertices; ++i)
		vertex[i] = v3(scale.x * decode(of->vertex[3 * i]), scale.y * decode(of->vertex[3 * i + 1]),
					   scale.z * decode(of->vertex[3 * i + 2]));
	for (int32_t f = 0; f <= of->faces; ++f) first[f] = f * of->corners;
	for (int32_t k = 0; k < of->faces * of->corners; ++k) corner[k] = of->loop[k];
	return scree_shapes_add_convex(s, name, of->vertices, vertex, of->faces, first, corner, why);
}

int32_t scree_shapes_add_box(shapes *s, const char *name, vec3 edge, fail *why)
{
	if (!(edge.x > 0 && edge.y > 0 && edge.z > 0)) {
		scree_refuse(why, "shape '%s': a box with edges %g, %g, %g, expected positive lengths", name, edge.x, edge.y,
					 edge.z);
		return -1;
	}
	return add_solid(s, name, solids + 1, v3_mul((real)0.5, edge), why);
}

int32_t scree_shapes_add_regular(shapes *s, const char *name, const char *of, fail *why)
{
	for (int k = 0; k < SOLIDS; ++k) {
		if (strcmp(solids[k].name, of) != 0) continue;
		vec3 corner = v3(decode(solids[k].vertex[0]), decode(solids[k].vertex[1]), decode(solids[k].vertex[2]));
		real scale = k == 1 ? (real)0.5 : (real)0.5 / v3_norm(corner);
		return add_solid(s, name, solids + k, v3(scale, scale, scale), why);
	}
	scree_refuse(why,
				 "shape '%s': unknown solid '%s', expected tetrahedron, cube, octahedron, dodecahedron or icosahedron",
				 name, of);
	return -1;
}

/* Cylinders with flat ends and sharp edges are prisms. The section is a regular polygon with the same area as the
 * cylinder's circular section, so volume and mass are also the same (docs/theory/shapes.md, "Cylinders"). Returns the
 * corners of both ends, starting with the bottom, counter-clockwise seen from above. A flat is across x. */
static vec3 *corners_of(real length, real diameter, int32_t n)
{
	const real turn = SCREE_PI / (real)n;
	real sine, cosine;
	scree_sincos(2 * turn, &sine, &cosine);
	const real radius = diameter / 2 * sqrt(2 * turn / sine);
	vec3 *at = scree_alloc(2 * (size_t)n, sizeof *at);
	for (int32_t k = 0; k < n; ++k) {
		scree_sincos(turn * (real)(2 * k + 1), &sine, &cosine);
		at[k] = v3(radius * cosine, radius * sine, -length / 2);
		at[k + n] = v3(at[k].x, at[k].y, length / 2);
	}
	return at;
}

/* Returns loops of both ends and then the flats, counter-clockwise seen from outside; `first` has n+3 members. */
static void join_corners(int32_t n, int32_t *first, int32_t *corner)
{
	int32_t f = 0, c = 0;
	first[f++] = 0;
	for (int32_t k = 0; k < n; ++k) corner[c++] = n - 1 - k;
	first[f++] = c;
	for (int32_t k = 0; k < n; ++k) corner[c++] = n + k;
	first[f++] = c;
	for (int32_t k = 0; k < n; ++k) {
		const int32_t next = (k + 1) % n;
		corner[c++] = k, corner[c++] = next, corner[c++] = n + next, corner[c++] = n + k;
		first[f++] = c;
	}
}

int32_t scree_shapes_add_prism(shapes *s, const char *name, real length, real diameter, int32_t n, fail *why)
{
	vec3 *at = corners_of(length, diameter, n);
	int32_t *first = scree_alloc((size_t)n + 3, sizeof *first), *corner = scree_alloc(6 * (size_t)n, sizeof *corner);
	join_corners(n, first, corner);
	const int32_t row = scree_shapes_add_convex(s, name, 2 * n, at, n + 2, first, corner, why);
	SCREE_FREE_ALL(at, first, corner);
	return row;
}

real scree_shape_widest_face(const shape *s)
{
	real widest = 0, roots;
	if (s->type == SHAPE_COMPOUND) {
		scree_compound_faces(s, (real)1e-6, &roots);
		return roots * roots;
	}
	for (int32_t f = 0; f < s->faces; ++f) widest = real_max(widest, scree_shape_face_area(s, f));
	return widest;
}
