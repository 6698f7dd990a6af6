/* schema_walls: the table of keys for walls (see schema.h), and the functions that build each form. */
#include "scene/reader.h"

#include "world/world.h"

WORDS(scree_words_faces, "x_min", "x_max", "y_min", "y_max", "z_min", "z_max");
static WORDS(sides, "inside", "outside"); /* as wall_side */
static WORDS(classes, "external", "internal");

static const key plane_keys[] = {
	VECTOR(plane, point, "m", NULL, "any point on the plane or line", NEEDED),
	VECTOR(plane, normal, NULL, NULL, "normal, towards the bodies; any length", NEEDED),
};
TABLE(scree_section_plane, plane, plane_keys, "plane", "An infinite plane.");

static TABLE(line, plane, plane_keys, "line", "An infinite line that bounds a half-plane.");

/* planes and lines */
static bool add_plane(reader *r, const void *value, wall w, fail *why)
{
	const plane_spec *s = value;
	return scree_walls_add_plane(&r->world->model.wall, w, s->point, v3_unit(s->normal), why) >= 0;
}

static const key circle_keys[] = {
	REAL(tube, radius, "m", NULL, "> 0", "radius of the circle", NEEDED),
	WORD(tube, side, sides, "inside", "side where the bodies are"),
	VECTOR(tube, center, "m", "[0, 0]", "centre of the circle"),
};
static TABLE(circle, tube, circle_keys, "circle", "A drum or a pillar.");

static bool add_circle(reader *r, const void *value, wall w, fail *why)
{
	const tube_spec *t = value;
	return scree_walls_add_cylinder(&r->world->model.wall, w, t->center, v3(0, 0, 1), t->radius, INFINITY,
									(wall_side)t->side, why) >= 0;
}

static const key polygon_keys[] = {
	KEY(POINTS, flat_polygon, points,
		"corners in one plane, convex, counter-clockwise seen from the bodies; in dimension 2 the corners of a convex "
		"polygon that bodies cannot enter, counter-clockwise",
		.unit = "m", NEEDED),
};
static TABLE(polygon, flat_polygon, polygon_keys, "polygon",
			 "A finite flat wall; in dimension 2 a solid convex polygon.", .shorthand = "points");

/* adds a solid polygon in the plane, which is described by a shape, like a body */
static bool add_flat_polygon(reader *r, const flat_polygon_spec *s, wall w, fail *why)
{
	int32_t row = scree_shapes_add_polygon(&r->world->model.shape, w.name, s->points.count, s->points.item, why);
	return row >= 0 && scree_walls_add_flat_polygon(&r->world->model.wall, w, row, why) >= 0;
}

static bool add_polygon(reader *r, const void *value, wall w, fail *why)
{
	const flat_polygon_spec *s = value;
	if (r->flat) return add_flat_polygon(r, s, w, why);
	return scree_walls_add_polygon(&r->world->model.wall, w, s->points.count, s->points.item, why) >= 0;
}

#define AXIS_HELP "axis of the wall: x, y, z or a vector"

static const key cylinder_keys[] = {
	REAL(tube, radius, "m", NULL, "> 0", "radius of the surface", NEEDED),
	KEY(DIRECTION, tube, axis, AXIS_HELP, .standard = "z"),
	WORD(tube, side, sides, "inside", "side where the bodies are"),
	VECTOR(tube, center, "m", "[0, 0, 0]", "centre of the cylinder, or any point on the axis of an infinite cylinder"),
	REAL(tube, length, "m", NULL, "> 0", "length; default: infinite. The ends are open"),
	COUNT(tube, facets, NULL, "[3, 4096]",
		  "number of flat strips that replace the round surface and touch it along their centre lines; needs `length`"),
};
static TABLE(cylinder, tube, cylinder_keys, "cylinder", "A tube or a pillar.");

/* Adds a prism that encloses the cylinder. Its flats touch the cylinder along their centre lines. */
static bool add_strips(walls *to, const tube_spec *t, wall w, fail *why)
{
	int32_t n = (int32_t)t->facets, *corner = scree_alloc(6 * (size_t)n, sizeof *corner);
	vec3 *at = scree_alloc(2 * (size_t)n, sizeof *at);
	vec3 z = t->axis.unit, any = real_abs(z.x) < (real)0.5 ? v3(1, 0, 0) : v3(0, 1, 0);
	vec3 x = v3_unit(v3_cross(any, z)), y = v3_cross(z, x);
	real s, c;
	scree_sincos(SCREE_PI / n, &s, &c);
	real radius = t->radius / c;
	for (int32_t k = 0; k < n; ++k) {
		scree_sincos((2 * k + 1) * SCREE_PI / n, &s, &c);
		vec3 middle = v3_madd(v3_madd(t->center, radius * c, x), radius * s, y);
		at[2 * k] = v3_madd(middle, -t->length / 2, z);
		at[2 * k + 1] = v3_madd(middle, t->length / 2, z);
		int32_t a = 2 * k, b = 2 * ((k + 1) % n), *o = corner + 6 * (size_t)k;
		bool inside = t->side == SIDE_INSIDE;
		const int32_t turn[6] = {a, inside ? a + 1 : b, b + 1, a, b + 1, inside ? b : a + 1};
		for (int i = 0; i < 6; ++i) o[i] = turn[i];
	}
	int32_t row = scree_walls_add_mesh(to, w, 2 * n, at, 2 * n, corner, why);
	scree_free(at);
	scree_free(corner);
	return row >= 0;
}

static bool add_cylinder(reader *r, const void *value, wall w, fail *why)
{
	const tube_spec *t = value;
	walls *to = &r->world->model.wall;
	bool finite = scree_node_child(t->h.where, "length") != NULL;
	if (scree_node_child(t->h.where, "facets")) {
		if (finite) return add_strips(to, t, w, why);
		return scree_fail(why, FAIL_INPUT, "a cylinder of facets needs a length");
	}
	vec3 end = finite ? v3_madd(t->center, -t->length / 2, t->axis.unit) : t->center;
	return scree_walls_add_cylinder(to, w, end, t->axis.unit, t->radius, finite ? t->length : INFINITY,
									(wall_side)t->side, why) >= 0;
}

static const key cone_keys[] = {
	REAL(tube, radius, "m", NULL, ">= 0", "radius at the first end, `center`", NEEDED),
	REAL(tube, radius2, "m", NULL, ">= 0", "radius at the second end", NEEDED),
	REAL(tube, length, "m", NULL, "> 0", "distance along the axis from the first end to the second", NEEDED),
	KEY(DIRECTION, tube, axis, AXIS_HELP ", from the first end to the second", .standard = "z"),
	WORD(tube, side, sides, "inside", "side where the bodies are"),
	VECTOR(tube, center, "m", "[0, 0, 0]", "centre of the first end"),
};
static TABLE(cone, tube, cone_keys, "cone", "A hopper or a spike, without caps.");

static bool add_cone(reader *r, const void *value, wall w, fail *why)
{
	const tube_spec *t = value;
	return scree_walls_add_cone(&r->world->model.wall, w, t->center, t->axis.unit, t->radius, t->radius2, t->length,
								(wall_side)t->side, why) >= 0;
}

static const key mesh_keys[] = {
	KEY(FILE, mesh, file, "STL, OBJ, PLY or OFF, relative to the scene's folder; its normals point towards the bodies",
		NEEDED),
	REAL(mesh, scale, "m", "1 m", "> 0", "length of one unit of the file's coordinates"),
	VECTOR(mesh, move, "m", "[0, 0, 0]", "offset that is added to the scaled coordinates"),
	FLAG(mesh, flip, "false",
		 "reverses all triangles and thus the side on which the wall acts; for a mesh that is inside out"),
	FLAG(mesh, closed, "false", "requires a mesh without holes: an open edge is an error"),
};
static TABLE(mesh_section, mesh, mesh_keys, "mesh_wall", "Triangles from a file.");

static void turn_over(mesh *m)
{
	for (int32_t t = 0; t < m->triangles; ++t) {
		int32_t *c = m->triangle + 3 * t, swap = c[1];
		c[1] = c[2], c[2] = swap;
	}
}

static bool add_mesh(reader *r, const void *value, wall w, fail *why)
{
	const mesh_spec *s = value;
	mesh m;
	if (!scree_build_mesh(r, &s->h, s->file, &m)) return true; /* has been reported */
	w.tolerance = s->scale * scree_mesh_unit(&m);
	for (int32_t i = 0; i < m.vertices; ++i) m.vertex[i] = v3_madd(s->move, s->scale, m.vertex[i]);
	if (s->flip) turn_over(&m);
	int32_t row = scree_walls_add_mesh(&r->world->model.wall, w, m.vertices, m.vertex, m.triangles, m.triangle, why);
	scree_mesh_free(&m);
	return row >= 0;
}

static const key box_keys[] = {
	VECTOR(box, min, "m", NULL, "lower corner", NEEDED),
	VECTOR(box, max, "m", NULL, "upper corner", NEEDED),
	KEY(WORDS, box, open, "faces of the box that are left out", .words = scree_words_faces),
};
static TABLE(
	box, box, box_keys, "box",
	"Six planes that face inwards; each becomes a wall, NAME.x_min to NAME.z_max. In dimension 2, four lines.");

static bool add_box(reader *r, const void *value, wall w, fail *why)
{
	const box_spec *b = value;
	char name[sizeof w.name];
	memcpy(name, w.name, sizeof name);
	const int32_t *open = b->open.item;
	for (int32_t face = 0; face < (r->flat ? 4 : 6); ++face) {
		bool left_out = false;
		for (int32_t i = 0; i < b->open.count; ++i) left_out |= open[i] == face;
		if (left_out) continue;
		real sign = face % 2 ? -1 : 1;
		vec3 normal = v3(face / 2 == 0 ? sign : 0, face / 2 == 1 ? sign : 0, face / 2 == 2 ? sign : 0);
		snprintf(w.name, sizeof w.name, "%.40s.%s", name, scree_words_faces(NULL, face));
		if (scree_walls_add_plane(&r->world->model.wall, w, face % 2 ? b->max : b->min, normal, why) < 0) return false;
	}
	return true;
}

static const maker MADE_PLANE = {.wall = add_plane, .two_sided = true}, MADE_CIRCLE = {.wall = add_circle},
				   MADE_POLYGON = {.wall = add_polygon, .two_sided = true}, MADE_CYLINDER = {.wall = add_cylinder},
				   MADE_CONE = {.wall = add_cone}, MADE_MESH = {.wall = add_mesh, .two_sided = true},
				   MADE_BOX = {.wall = add_box};

static const key wall_keys[] = {
	SECTION(wall, plane, scree_section_plane, "an infinite plane", .group = 1, .make = &MADE_PLANE, .only = 3,
			.instead = "line"),
	SECTION(wall, polygon, polygon, "a finite flat wall; in dimension 2, a convex polygon", .group = 1,
			.make = &MADE_POLYGON),
	SECTION(wall, cylinder, cylinder, "a tube or a pillar", .group = 1, .make = &MADE_CYLINDER, .only = 3,
			.instead = "circle"),
	SECTION(wall, cone, cone, "a hopper or a spike", .group = 1, .make = &MADE_CONE, .only = 3,
			.instead = "line or polygon"),
	SECTION(wall, mesh, mesh_section, "triangles from a file", .group = 1, .make = &MADE_MESH, .only = 3,
			.instead = "polygon"),
	SECTION(wall, box, box, "six planes that face inward; in dimension 2 four lines", .group = 1, .make = &MADE_BOX),
	SECTION(wall, line, line, "an infinite line", .group = 1, .make = &MADE_PLANE, .only = 2, .instead = "plane"),
	SECTION(wall, circle, circle, "a drum or a pillar", .group = 1, .make = &MADE_CIRCLE, .only = 2,
			.instead = "cylinder"),
	{"plate", KEY_LATER, .help = "plates with holes", .group = 1},
	{"disk", KEY_LATER, .help = "discs", .group = 1},
	KEY(MATERIAL, wall, material, "material of the wall", NEEDED),
	REAL(wall, temperature, "K", NULL, "> 0",
		 "temperature of the wall; its material needs a `conductivity`. Default: the wall is insulated", .only = 3),
	KEY(MATERIALS, wall, only, "materials of the bodies that touch the wall; all others pass through it; default: all"),
	FLAG(wall, two_sided, "false", "for planes, polygons and meshes: the wall acts on bodies on both sides"),
	WORD(wall, class, classes, "external",
		 "for polygons and meshes with `run.narrow_phase: overlap-volume` or a narrow phase that reproduces a paper; "
		 "internal: edges of bodies are not tested against the border"),
	SECTION(wall, motion, scree_section_motion, "motion of the wall; default: at rest", CHANGES),
	FLAG(wall, active, "true", "false: bodies pass through the wall until a stage sets this to true", CHANGES),
};
TABLE(scree_section_wall, wall, wall_keys, "wall", "Walls that contain the bodies, by name.", .needs = 1u << 1,
	  .most = 2000);
