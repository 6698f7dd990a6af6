/* schema_walls: the table of keys for walls (see schema.h), and the functions that build each form. */
#include "scene/reader.h"

#include <stdio.h>
#include <string.h>

#include "base/maths.h"
#include "base/memory.h"

const char *scree_words_faces(const void *unused, int i)
{
	static const char *const word[] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
	(void)unused;
	return i < 6 ? word[i] : NULL;
}

static const char *sides(const void *unused, int i)
{
	static const char *const word[] = {"inside", "outside"}; /* as wall_side */
	(void)unused;
	return i < 2 ? word[i] : NULL;
}

static const char *classes(const void *unused, int i)
{
	static const char *const word[] = {"external", "internal"};
	(void)unused;
	return i < 2 ? word[i] : NULL;
}

static const key plane_keys[] = {
	{"point", KEY_VECTOR, "m", .at = offsetof(plane_spec, point), .required = true, .help = "any point of it"},
	{"normal", KEY_VECTOR, .at = offsetof(plane_spec, normal), .required = true,
	 .help = "normal, towards the bodies; any length"},
};
const section scree_section_plane = {"plane", "An endless plane.", sizeof(plane_spec), ROWS(plane_keys)};

static const section line = {"line", "An endless line, the border of a half plane.", sizeof(plane_spec),
							 ROWS(plane_keys)};

/* planes and lines */
static bool add_plane(reader *r, const void *value, wall w, fail *why)
{
	const plane_spec *s = value;
	return scree_walls_add_plane(&r->world->model.wall, w, s->point, v3_unit(s->normal), why) >= 0;
}

static const key circle_keys[] = {
	{"radius", KEY_REAL, "m", NULL, "> 0", offsetof(tube_spec, radius), .required = true,
	 .help = "radius of the circle"},
	{"side", KEY_WORD, .standard = "inside", .words = sides, .at = offsetof(tube_spec, side),
	 .help = "side where the bodies are"},
	{"center", KEY_VECTOR, "m", "[0, 0]", .at = offsetof(tube_spec, center), .help = "centre of the circle"},
};
static const section circle = {"circle", "A drum or a pillar.", sizeof(tube_spec), ROWS(circle_keys)};

static bool add_circle(reader *r, const void *value, wall w, fail *why)
{
	const tube_spec *t = value;
	return scree_walls_add_cylinder(&r->world->model.wall, w, t->center, v3(0, 0, 1), t->radius, INFINITY,
									(wall_side)t->side, why) >= 0;
}

static const key polygon_keys[] = {
	{"points", KEY_POINTS, "m", .at = offsetof(polygon_spec, points), .required = true,
	 .help = "corners in one plane, convex, counter-clockwise seen from the bodies; in dimension 2 corners of a convex "
			 "polygon that bodies cannot enter, counter-clockwise"},
};
static const section polygon = {"polygon", "A finite flat wall; in dimension 2 a convex body that fills its corners.",
								sizeof(polygon_spec), ROWS(polygon_keys), .shorthand = "points"};

/* a solid polygon of the plane: its form is a shape like those of bodies */
static bool add_flat_polygon(reader *r, const polygon_spec *s, wall w, fail *why)
{
	int32_t row = scree_shapes_add_polygon(&r->world->model.shape, w.name, s->points.count, s->points.item, why);
	return row >= 0 && scree_walls_add_flat_polygon(&r->world->model.wall, w, row, why) >= 0;
}

static bool add_polygon(reader *r, const void *value, wall w, fail *why)
{
	const polygon_spec *s = value;
	if (r->flat) return add_flat_polygon(r, s, w, why);
	return scree_walls_add_polygon(&r->world->model.wall, w, s->points.count, s->points.item, why) >= 0;
}

#define AXIS_HELP "axis of the wall: x, y, z or a vector"

static const key cylinder_keys[] = {
	{"radius", KEY_REAL, "m", NULL, "> 0", offsetof(tube_spec, radius), .required = true,
	 .help = "radius of the surface"},
	{"axis", KEY_DIRECTION, .standard = "z", .at = offsetof(tube_spec, axis), .help = AXIS_HELP},
	{"side", KEY_WORD, .standard = "inside", .words = sides, .at = offsetof(tube_spec, side),
	 .help = "side where the bodies are"},
	{"center", KEY_VECTOR, "m", "[0, 0, 0]", .at = offsetof(tube_spec, center),
	 .help = "centre of the cylinder; of an endless one any point of the axis"},
	{"length", KEY_REAL, "m", NULL, "> 0", offsetof(tube_spec, length),
	 .help = "length; default: endless. The ends are open"},
	{"facets", KEY_COUNT, .range = "[3, 4096]", .at = offsetof(tube_spec, facets),
	 .help =
		 "number of flat strips that replace the round surface and touch it along their centre lines; needs `length`"},
};
static const section cylinder = {"cylinder", "A tube or a pillar.", sizeof(tube_spec), ROWS(cylinder_keys)};

/* Adds a prism around the cylinder, whose flats touch it along their centre lines: the limit from outside. */
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
	{"radius", KEY_REAL, "m", NULL, ">= 0", offsetof(tube_spec, radius), .required = true,
	 .help = "radius at the first end, `center`"},
	{"radius2", KEY_REAL, "m", NULL, ">= 0", offsetof(tube_spec, radius2), .required = true,
	 .help = "radius at the second end"},
	{"length", KEY_REAL, "m", NULL, "> 0", offsetof(tube_spec, length), .required = true,
	 .help = "distance along the axis from the first end to the second"},
	{"axis", KEY_DIRECTION, .standard = "z", .at = offsetof(tube_spec, axis),
	 .help = AXIS_HELP ", from the first end to the second"},
	{"side", KEY_WORD, .standard = "inside", .words = sides, .at = offsetof(tube_spec, side),
	 .help = "side where the bodies are"},
	{"center", KEY_VECTOR, "m", "[0, 0, 0]", .at = offsetof(tube_spec, center), .help = "centre of the first end"},
};
static const section cone = {"cone", "A hopper or a spike, without caps.", sizeof(tube_spec), ROWS(cone_keys)};

static bool add_cone(reader *r, const void *value, wall w, fail *why)
{
	const tube_spec *t = value;
	return scree_walls_add_cone(&r->world->model.wall, w, t->center, t->axis.unit, t->radius, t->radius2, t->length,
								(wall_side)t->side, why) >= 0;
}

static const key mesh_keys[] = {
	{"file", KEY_FILE, .at = offsetof(mesh_spec, file), .required = true,
	 .help = "STL, OBJ, PLY or OFF, relative to the scene's folder; its normals point towards the bodies"},
	{"scale", KEY_REAL, "m", "1 m", "> 0", offsetof(mesh_spec, scale),
	 .help = "length of one unit of the file's coordinates"},
	{"move", KEY_VECTOR, "m", "[0, 0, 0]", .at = offsetof(mesh_spec, move),
	 .help = "offset added to the scaled coordinates"},
	{"flip", KEY_FLAG, .standard = "false", .at = offsetof(mesh_spec, flip),
	 .help = "reverses all triangles, so that the other side acts: for a mesh that is inside out"},
	{"closed", KEY_FLAG, .standard = "false", .at = offsetof(mesh_spec, closed),
	 .help = "requires a mesh without holes: an open edge is an error"},
};
const section scree_section_mesh_wall = {"mesh_wall", "Triangles from a file.", sizeof(mesh_spec), ROWS(mesh_keys)};

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
	{"min", KEY_VECTOR, "m", .at = offsetof(box_spec, min), .required = true, .help = "lower corner"},
	{"max", KEY_VECTOR, "m", .at = offsetof(box_spec, max), .required = true, .help = "upper corner"},
	{"open", KEY_WORDS, .words = scree_words_faces, .at = offsetof(box_spec, open), .help = "faces to leave out"},
};
static const section box = {
	"box", "Six planes that face inwards; each becomes a wall, NAME.x_min to NAME.z_max. In dimension 2 four lines.",
	sizeof(box_spec), ROWS(box_keys)};

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
	{"plane", KEY_SECTION, .of = &scree_section_plane, .at = offsetof(wall_spec, plane), .group = 1,
	 .make = &MADE_PLANE, .help = "an endless plane", .only = 3, .instead = "line"},
	{"polygon", KEY_SECTION, .of = &polygon, .at = offsetof(wall_spec, polygon), .group = 1, .make = &MADE_POLYGON,
	 .help = "a finite flat wall; in dimension 2 a convex polygon"},
	{"cylinder", KEY_SECTION, .of = &cylinder, .at = offsetof(wall_spec, cylinder), .group = 1, .make = &MADE_CYLINDER,
	 .help = "a tube or a pillar", .only = 3, .instead = "circle"},
	{"cone", KEY_SECTION, .of = &cone, .at = offsetof(wall_spec, cone), .group = 1, .make = &MADE_CONE,
	 .help = "a hopper or a spike", .only = 3, .instead = "line or polygon"},
	{"mesh", KEY_SECTION, .of = &scree_section_mesh_wall, .at = offsetof(wall_spec, mesh), .group = 1,
	 .make = &MADE_MESH, .help = "triangles from a file", .only = 3, .instead = "polygon"},
	{"box", KEY_SECTION, .of = &box, .at = offsetof(wall_spec, box), .group = 1, .make = &MADE_BOX,
	 .help = "six planes that face inward; in dimension 2 four lines"},
	{"line", KEY_SECTION, .of = &line, .at = offsetof(wall_spec, line), .group = 1, .make = &MADE_PLANE,
	 .help = "an endless line", .only = 2, .instead = "plane"},
	{"circle", KEY_SECTION, .of = &circle, .at = offsetof(wall_spec, circle), .group = 1, .make = &MADE_CIRCLE,
	 .help = "a drum or a pillar", .only = 2, .instead = "cylinder"},
	{"plate", KEY_LATER, .group = 1, .help = "plates with holes"},
	{"disk", KEY_LATER, .group = 1, .help = "discs"},
	{"material", KEY_MATERIAL, .at = offsetof(wall_spec, material), .required = true, .help = "material of the wall"},
	{"temperature", KEY_REAL, "K", NULL, "> 0", offsetof(wall_spec, temperature), .only = 3,
	 .help = "temperature of the wall; its material needs a `conductivity`. Default: the wall is insulated"},
	{"only", KEY_MATERIALS, .at = offsetof(wall_spec, only),
	 .help = "materials of the bodies that meet the wall; all others pass through it; default: all"},
	{"two_sided", KEY_FLAG, .standard = "false", .at = offsetof(wall_spec, two_sided),
	 .help = "for planes, polygons and meshes: acts on bodies on both sides"},
	{"class", KEY_WORD, .standard = "external", .words = classes, .at = offsetof(wall_spec, class),
	 .help = "for polygons and meshes with `run.narrow_phase: overlap-volume` or a narrow phase that repeats a paper; "
			 "internal: edges of bodies are not tested against the border"},
	{"motion", KEY_SECTION, .of = &scree_section_motion, .at = offsetof(wall_spec, motion),
	 .help = "motion of the wall; default: at rest", .changes = true},
	{"active", KEY_FLAG, .standard = "true", .at = offsetof(wall_spec, active),
	 .help = "false: bodies do not meet the wall, until a stage sets it to true", .changes = true},
};
const section scree_section_wall = {
	"wall",		 "Walls that contain the bodies, by name.", sizeof(wall_spec), ROWS(wall_keys), .needs = 1u << 1,
	.most = 2000};
