/* schema_walls: the table of keys for walls and their motion (see schema.h). */
#include "scene/schema.h"

#include <stddef.h>

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
	{"point", KEY_VECTOR, "m", .at = offsetof(plane_spec, point), .required = true, .help = "a point of it"},
	{"normal", KEY_VECTOR, .at = offsetof(plane_spec, normal), .required = true,
	 .help = "points towards the bodies; any length"},
};
const section scree_section_plane = {"plane", "An endless plane.", sizeof(plane_spec), ROWS(plane_keys)};

static const section line = {"line", "An endless line, the border of a half plane.", sizeof(plane_spec),
							 ROWS(plane_keys)};

static const key circle_keys[] = {
	{"radius", KEY_REAL, "m", NULL, "> 0", offsetof(tube_spec, radius), .required = true, .help = "of the circle"},
	{"side", KEY_WORD, .standard = "inside", .words = sides, .at = offsetof(tube_spec, side),
	 .help = "where the bodies are"},
	{"center", KEY_VECTOR, "m", "[0, 0]", .at = offsetof(tube_spec, center), .help = "its middle"},
};
static const section circle = {"circle", "A drum or a pillar.", sizeof(tube_spec), ROWS(circle_keys)};

static const key polygon_keys[] = {
	{"points", KEY_POINTS, "m", .at = offsetof(polygon_spec, points), .required = true,
	 .help = "corners in one plane, convex, counter-clockwise seen from the bodies; in dimension 2 the corners of a "
			 "convex polygon that bodies cannot enter, counter-clockwise"},
};
static const section polygon = {"polygon", "A finite flat wall; in dimension 2 a convex body that fills its corners.",
								sizeof(polygon_spec), ROWS(polygon_keys), .shorthand = "points"};

#define AXIS_HELP "its axis: x, y, z or a vector"

static const key cylinder_keys[] = {
	{"radius", KEY_REAL, "m", NULL, "> 0", offsetof(tube_spec, radius), .required = true, .help = "of the surface"},
	{"axis", KEY_DIRECTION, .standard = "z", .at = offsetof(tube_spec, axis), .help = AXIS_HELP},
	{"side", KEY_WORD, .standard = "inside", .words = sides, .at = offsetof(tube_spec, side),
	 .help = "where the bodies are"},
	{"center", KEY_VECTOR, "m", "[0, 0, 0]", .at = offsetof(tube_spec, center),
	 .help = "its middle; of an endless one any point of the axis"},
	{"length", KEY_REAL, "m", NULL, "> 0", offsetof(tube_spec, length),
	 .help = "endless if left out; ends have no caps"},
	{"facets", KEY_COUNT, .range = "[3, 4096]", .at = offsetof(tube_spec, facets),
	 .help = "built of so many flat strips that touch the round surface along their middles; needs `length`"},
};
static const section cylinder = {"cylinder", "A tube or a pillar.", sizeof(tube_spec), ROWS(cylinder_keys)};

static const key cone_keys[] = {
	{"radius", KEY_REAL, "m", NULL, ">= 0", offsetof(tube_spec, radius), .required = true,
	 .help = "at the first end, `center`"},
	{"radius2", KEY_REAL, "m", NULL, ">= 0", offsetof(tube_spec, radius2), .required = true,
	 .help = "at the second end"},
	{"length", KEY_REAL, "m", NULL, "> 0", offsetof(tube_spec, length), .required = true,
	 .help = "from the first end along the axis to the second"},
	{"axis", KEY_DIRECTION, .standard = "z", .at = offsetof(tube_spec, axis),
	 .help = AXIS_HELP ", from the first end to the second"},
	{"side", KEY_WORD, .standard = "inside", .words = sides, .at = offsetof(tube_spec, side),
	 .help = "where the bodies are"},
	{"center", KEY_VECTOR, "m", "[0, 0, 0]", .at = offsetof(tube_spec, center), .help = "centre of the first end"},
};
static const section cone = {"cone", "A hopper or a spike, without caps.", sizeof(tube_spec), ROWS(cone_keys)};

static const key mesh_keys[] = {
	{"file", KEY_FILE, .at = offsetof(mesh_spec, file), .required = true,
	 .help = "STL, OBJ, PLY or OFF, relative to the scene's folder; its normals point towards the bodies"},
	{"scale", KEY_REAL, "m", "1 m", "> 0", offsetof(mesh_spec, scale), .help = "one unit of the file's coordinates"},
	{"move", KEY_VECTOR, "m", "[0, 0, 0]", .at = offsetof(mesh_spec, move), .help = "added to the scaled coordinates"},
	{"flip", KEY_FLAG, .standard = "false", .at = offsetof(mesh_spec, flip),
	 .help = "turns all triangles over, so that the other side acts: for a mesh that is inside out"},
	{"closed", KEY_FLAG, .standard = "false", .at = offsetof(mesh_spec, closed),
	 .help = "asks for a mesh without holes: an open edge is an error"},
};
const section scree_section_mesh_wall = {"mesh_wall", "Triangles from a file.", sizeof(mesh_spec), ROWS(mesh_keys)};

static const key box_keys[] = {
	{"min", KEY_VECTOR, "m", .at = offsetof(box_spec, min), .required = true, .help = "lower corner"},
	{"max", KEY_VECTOR, "m", .at = offsetof(box_spec, max), .required = true, .help = "upper corner"},
	{"open", KEY_WORDS, .words = scree_words_faces, .at = offsetof(box_spec, open), .help = "faces that are left out"},
};
static const section box = {
	"box",
	"Six planes that face inward; each becomes a wall, NAME.x_min to NAME.z_max. In dimension 2 "
	"four lines.",
	sizeof(box_spec), ROWS(box_keys)};

static const key vibration_keys[] = {
	{"amplitude", KEY_VECTOR, "m", .at = offsetof(vibration_spec, amplitude), .required = true,
	 .help = "way from the middle to the turning point"},
	{"frequency", KEY_REAL, "Hz", NULL, "> 0", offsetof(vibration_spec, frequency), .required = true,
	 .help = "cycles in a second"},
	{"phase", KEY_REAL, "rad", "0", .at = offsetof(vibration_spec, phase),
	 .help = "of the sine when the motion begins"},
};
static const section vibration = {"vibration",
								  "amplitude * sin(2 pi frequency (t - from) + phase), less its value at `from`.",
								  sizeof(vibration_spec), ROWS(vibration_keys)};

static const key servo_keys[] = {
	{"force", KEY_REAL, "N", NULL, "> 0", offsetof(servo_spec, force), .required = true,
	 .help = "with which it presses on the bodies, all together; grows from nothing during `ramp`"},
	{"axis", KEY_DIRECTION, .at = offsetof(servo_spec, axis),
	 .help = "where it presses: x, y, z or a vector towards the bodies; of planes, polygons and boxes their normal if "
			 "left out"},
	{"max_speed", KEY_REAL, "m/s", NULL, "> 0", offsetof(servo_spec, max_speed),
	 .help = "it never moves faster; slow enough for one body to stop it with an overlap of 1 % if left out"},
	{"mass", KEY_REAL, "kg", NULL, "> 0", offsetof(servo_spec, mass),
	 .help = "of the wall, without weight; that of one layer of the bodies if left out"},
	{"damping", KEY_REAL, .standard = "1", .range = ">= 0", .at = offsetof(servo_spec, damping),
	 .help = "part of the critical damping of the wall on the contacts that it has"},
	{"travel", KEY_PAIR, "m", .at = offsetof(servo_spec, travel),
	 .help = "how far it may go along the axis, back and forth: [low, high] with 0 where it starts; no limit if left "
			 "out"},
};
static const section servo = {"servo",
							  "Presses with a given force: mass * a = force - load - damping * v, see theory/walls.md.",
							  sizeof(servo_spec), ROWS(servo_keys)};

static const key motion_keys[] = {
	{"angular_velocity", KEY_REAL, "rad/s", .at = offsetof(motion_spec, angular_velocity), .group = 1,
	 .help = "turns about an axis at this rate"},
	{"velocity", KEY_VECTOR, "m/s", .at = offsetof(motion_spec, velocity), .group = 1, .help = "moves straight"},
	{"vibration", KEY_SECTION, .of = &vibration, .at = offsetof(motion_spec, vibration), .group = 1, .help = "swings"},
	{"servo", KEY_SECTION, .of = &servo, .at = offsetof(motion_spec, servo), .group = 1,
	 .help = "presses with a given force"},
	{"about", KEY_DIRECTION, .at = offsetof(motion_spec, about),
	 .help = "axis of `angular_velocity`: x, y, z or a vector; z if left out", .only = 3},
	{"point", KEY_VECTOR, "m", .at = offsetof(motion_spec, point),
	 .help = "a point on that axis; the origin if left out"},
	{"from", KEY_REAL, "s", "0", ">= 0", offsetof(motion_spec, from), .help = "the wall stands still before"},
	{"ramp", KEY_REAL, "s", "0", ">= 0", offsetof(motion_spec, ramp),
	 .help = "time in which the rate, or force, grows from nothing"},
	{"until", KEY_REAL, "s", NULL, "> 0", offsetof(motion_spec, until),
	 .help = "the wall stands still after; never if left out"},
};
static const section motion = {"motion", "How a wall moves.", sizeof(motion_spec), ROWS(motion_keys), .needs = 1u << 1};

static const key wall_keys[] = {
	{"plane", KEY_SECTION, .of = &scree_section_plane, .at = offsetof(wall_spec, plane), .group = 1,
	 .help = "an endless plane", .only = 3, .instead = "line"},
	{"polygon", KEY_SECTION, .of = &polygon, .at = offsetof(wall_spec, polygon), .group = 1,
	 .help = "a finite flat wall; in dimension 2 a convex polygon"},
	{"cylinder", KEY_SECTION, .of = &cylinder, .at = offsetof(wall_spec, cylinder), .group = 1,
	 .help = "a tube or a pillar", .only = 3, .instead = "circle"},
	{"cone", KEY_SECTION, .of = &cone, .at = offsetof(wall_spec, cone), .group = 1, .help = "a hopper or a spike",
	 .only = 3, .instead = "line or polygon"},
	{"mesh", KEY_SECTION, .of = &scree_section_mesh_wall, .at = offsetof(wall_spec, mesh), .group = 1,
	 .help = "triangles from a file", .only = 3, .instead = "polygon"},
	{"box", KEY_SECTION, .of = &box, .at = offsetof(wall_spec, box), .group = 1,
	 .help = "six planes that face inward; in dimension 2 four lines"},
	{"line", KEY_SECTION, .of = &line, .at = offsetof(wall_spec, line), .group = 1, .help = "an endless line",
	 .only = 2, .instead = "plane"},
	{"circle", KEY_SECTION, .of = &circle, .at = offsetof(wall_spec, circle), .group = 1, .help = "a drum or a pillar",
	 .only = 2, .instead = "cylinder"},
	{"plate", KEY_LATER, .group = 1, .help = "plates with holes"},
	{"disk", KEY_LATER, .group = 1, .help = "discs"},
	{"material", KEY_MATERIAL, .at = offsetof(wall_spec, material), .required = true, .help = "what it is made of"},
	{"two_sided", KEY_FLAG, .standard = "false", .at = offsetof(wall_spec, two_sided),
	 .help = "planes, polygons and meshes: acts on bodies on either side"},
	{"class", KEY_WORD, .standard = "external", .words = classes, .at = offsetof(wall_spec, class),
	 .help = "of polygons and meshes with `run.narrow_phase: separating-plane/seed` or `overlap-volume`; internal: no "
			 "edges of bodies are "
			 "held against the border"},
	{"motion", KEY_SECTION, .of = &motion, .at = offsetof(wall_spec, motion),
	 .help = "how it moves; still if left out"},
};
const section scree_section_wall = {
	"wall", "What contains the bodies, by name.", sizeof(wall_spec), ROWS(wall_keys), .needs = 1u << 1, .most = 2000};
