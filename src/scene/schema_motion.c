/* schema_motion: the table of keys for the motion of walls (see schema.h), and the functions that build each form. */
#include "scene/reader.h"

static void make_rotation(const motion_spec *s, wall_motion *out)
{
	out->type = MOTION_ROTATION;
	if (scree_node_child(s->h.where, "about")) out->axis = s->about.unit;
	out->point = s->point;
	out->rate = s->angular_velocity;
}

static void make_velocity(const motion_spec *s, wall_motion *out)
{
	out->type = MOTION_VELOCITY;
	out->velocity = s->velocity;
}

static const key vibration_keys[] = {
	{"amplitude", KEY_VECTOR, "m", .at = offsetof(vibration_spec, amplitude), .required = true,
	 .help = "displacement amplitude", .changes = true},
	{"frequency", KEY_REAL, "Hz", NULL, "> 0", offsetof(vibration_spec, frequency), .required = true,
	 .help = "cycles per second", .changes = true},
	{"phase", KEY_REAL, "rad", "0", .at = offsetof(vibration_spec, phase),
	 .help = "phase of the sine when the motion begins", .changes = true},
};
static const section vibration = {"vibration",
								  "amplitude * sin(2 pi frequency (t - from) + phase), less its value at `from`.",
								  sizeof(vibration_spec), ROWS(vibration_keys)};

static void make_vibration(const motion_spec *s, wall_motion *out)
{
	out->type = MOTION_VIBRATION;
	out->amplitude = s->vibration.amplitude;
	out->frequency = s->vibration.frequency;
	out->phase = s->vibration.phase;
}

static const char *interpolations(const void *unused, int i)
{
	static const char *const word[] = {"linear", "smooth"};
	(void)unused;
	return i < 2 ? word[i] : NULL;
}

#define TABLE_TIME                                                                                                     \
	{                                                                                                                  \
		"time", KEY_REALS, "s", NULL, ">= 0", offsetof(table_spec, time),                                              \
			.help = "times of the rows, rising, counted from the beginning of the motion", .changes = true             \
	}
#define TABLE_FILE                                                                                                     \
	{                                                                                                                  \
		"file", KEY_FILE, .at = offsetof(table_spec, file), .group = 1,                                                \
						  .help = "instead of the lists: a table of values (CSV), whose first line names the columns", \
						  .changes = true                                                                              \
	}
#define TABLE_WAY                                                                                                      \
	{                                                                                                                  \
		"interpolate", KEY_WORD,                                                                                       \
			.standard = "linear", .words = interpolations, .at = offsetof(table_spec, interpolate),                    \
			.help = "between rows: linear, or smooth (cubic, without overshoot, at rest at both ends)",                \
			.changes = true                                                                                            \
	}

static const key load_table_keys[] = {
	TABLE_TIME,
	{"force", KEY_REALS, "N", NULL, ">= 0", offsetof(table_spec, force), .group = 1, .help = "forces of the rows",
	 .changes = true},
	{"pressure", KEY_REALS, "Pa", NULL, ">= 0", offsetof(table_spec, pressure), .group = 1,
	 .help = "pressures of the rows, on the servo's `area`", .changes = true},
	{"torque", KEY_REALS, "N*m", NULL, ">= 0", offsetof(table_spec, torque), .group = 1, .help = "torques of the rows",
	 .changes = true},
	TABLE_FILE,
	TABLE_WAY,
};
const section scree_section_load_table = {"load_table", "The force, pressure or torque of a servo over time.",
										  sizeof(table_spec), ROWS(load_table_keys), .needs = 1u << 1};

static const key motion_table_keys[] = {
	TABLE_TIME,
	{"position", KEY_POINTS, "m", .at = offsetof(table_spec, position), .group = 1,
	 .help = "displacements, counted from that of the first row", .changes = true},
	{"velocity", KEY_POINTS, "m/s", .at = offsetof(table_spec, velocity), .group = 1,
	 .help = "velocities, linear between rows; the last one continues", .changes = true},
	{"angle", KEY_REALS, "rad", .at = offsetof(table_spec, angle), .group = 1,
	 .help = "angles of a rotation `about` an axis, counted from that of the first row", .changes = true},
	{"angular_velocity", KEY_REALS, "rad/s", .at = offsetof(table_spec, angular_velocity), .group = 1,
	 .help = "rates of a rotation `about` an axis, linear between rows; the last one continues", .changes = true},
	TABLE_FILE,
	TABLE_WAY,
};
const section scree_section_motion_table = {"motion_table", "The position or the velocity of a wall over time.",
											sizeof(table_spec), ROWS(motion_table_keys), .needs = 1u << 1};

static const key servo_keys[] = {
	{"force", KEY_REAL, "N", NULL, "> 0", offsetof(servo_spec, force), .group = 1,
	 .help = "total force on the bodies; increases linearly from zero during `ramp`", .changes = true},
	{"pressure", KEY_REAL, "Pa", NULL, "> 0", offsetof(servo_spec, pressure), .group = 1,
	 .help = "instead of the force: pressure on `area`", .changes = true},
	{"torque", KEY_REAL, "N*m", NULL, "> 0", offsetof(servo_spec, torque), .group = 1,
	 .help = "instead of the force: torque on the bodies about `axis`; the wall turns about it", .changes = true},
	{"table", KEY_SECTION, .of = &scree_section_load_table, .at = offsetof(servo_spec, table), .group = 1,
	 .help = "instead of the force: forces, pressures or torques over time", .changes = true},
	{"area", KEY_REAL, "m^2", NULL, "> 0", offsetof(servo_spec, area),
	 .help = "area of `pressure`, also in a table; it stays the same when the wall moves", .changes = true},
	{"axis", KEY_DIRECTION, .at = offsetof(servo_spec, axis),
	 .help = "direction of the force: x, y, z or a vector towards the bodies; default for planes, polygons and boxes: "
			 "their normal. For `torque`: axis of the torque, which turns the wall to the right about it",
	 .changes = true},
	{"point", KEY_VECTOR, "m", .at = offsetof(servo_spec, point),
	 .help = "for `torque`: a point on the axis; default: the origin", .changes = true},
	{"max_speed", KEY_REAL, "m/s", NULL, "> 0", offsetof(servo_spec, max_speed),
	 .help = "largest speed; default: so slow that one body stops it with an overlap of 1 %", .changes = true},
	{"mass", KEY_REAL, "kg", NULL, "> 0", offsetof(servo_spec, mass),
	 .help = "mass of the wall, without weight; default: the mass of one layer of the bodies", .changes = true},
	{"max_angular_velocity", KEY_REAL, "rad/s", NULL, "> 0", offsetof(servo_spec, max_angular_velocity),
	 .help = "for `torque`: largest rate; default: so slow that one body stops it with an overlap of 1 %",
	 .changes = true},
	{"inertia", KEY_REAL, "kg*m^2", NULL, "> 0", offsetof(servo_spec, inertia),
	 .help =
		 "for `torque`: moment of inertia of the wall; default: that of one layer of the bodies at the wall's farthest "
		 "distance from the axis",
	 .changes = true},
	{"damping", KEY_REAL, .standard = "1", .range = ">= 0", .at = offsetof(servo_spec, damping),
	 .help = "damping of the wall as a fraction of the critical damping on its contacts", .changes = true},
	{"travel", KEY_PAIR, "m", .at = offsetof(servo_spec, travel),
	 .help = "displacements allowed along the axis: [low, high], which contain the start, 0; a wall that a stage finds "
			 "beyond them goes no farther; default: no limit",
	 .changes = true},
};
const section scree_section_servo = {
	"servo", "Presses with a given force: mass * a = force - load - damping * v, see theory/walls.md.",
	sizeof(servo_spec), ROWS(servo_keys), .needs = 1u << 1};

static servo_rule build_servo(const servo_spec *s, bool turns)
{
	const node *n = s->h.where;
	bool ends = scree_node_child(n, "travel") != NULL;
	const real force = s->pressure > 0 ? s->pressure * s->area : s->force;
	return (servo_rule){.force = turns ? s->torque : force,
						.mass = scree_node_child(n, turns ? "inertia" : "mass") ? turns ? s->inertia : s->mass : 0,
						.damping = s->damping,
						.max_speed = turns ? s->max_angular_velocity : s->max_speed,
						.low = ends ? s->travel[0] : -INFINITY,
						.high = ends ? s->travel[1] : INFINITY};
}

static void make_servo(const motion_spec *s, wall_motion *out)
{
	const bool turns = s->servo.torque > 0 || s->servo.table.torque.count;
	out->type = turns ? MOTION_TORQUE : MOTION_SERVO;
	out->servo = build_servo(&s->servo, turns);
	out->point = s->servo.point;
	if (scree_node_child(s->servo.h.where, "axis")) out->axis = s->servo.axis.unit;
}

#define FREE_TRAVEL(unit)                                                                                              \
	{                                                                                                                  \
		"travel", KEY_PAIR, unit, .at = offsetof(free_spec, travel),                                                   \
								  .help = "displacements allowed: [low, high], which contain the start, 0; the wall "  \
										  "stops there, and goes no farther if a stage finds it beyond; default: no "  \
										  "limit",                                                                     \
								  .changes = true                                                                      \
	}

static const key free_keys[] = {
	{"mass", KEY_REAL, "kg", NULL, "> 0", offsetof(free_spec, mass), .required = true, .help = "mass of the wall",
	 .changes = true},
	{"along", KEY_DIRECTION, .at = offsetof(free_spec, axis), .required = true,
	 .help = "direction in which it can move: x, y, z or a vector", .changes = true},
	{"weight", KEY_FLAG, .standard = "true", .at = offsetof(free_spec, weight), .help = "whether gravity acts on it",
	 .changes = true},
	{"force", KEY_REAL, "N", "0 N", .at = offsetof(free_spec, force),
	 .help = "force on the wall from outside, along its direction", .changes = true},
	{"spring", KEY_REAL, "N/m", "0 N/m", ">= 0", offsetof(free_spec, spring),
	 .help = "stiffness of a spring that holds it, relaxed at the start", .changes = true},
	{"damper", KEY_REAL, "kg/s", "0 kg/s", ">= 0", offsetof(free_spec, damper),
	 .help = "force of a damper over the wall's speed", .changes = true},
	{"speed", KEY_REAL, "m/s", "0 m/s", .at = offsetof(free_spec, speed), .help = "speed at the start",
	 .changes = true},
	FREE_TRAVEL("m"),
};
static const section free_section = {"free_wall",
									 "Moves along a direction by the forces on it: mass * a = sum of forces.",
									 sizeof(free_spec), ROWS(free_keys)};

static const key wheel_keys[] = {
	{"inertia", KEY_REAL, "kg*m^2", NULL, "> 0", offsetof(free_spec, mass), .required = true,
	 .help = "moment of inertia about the axis, on which its centre of mass lies", .changes = true},
	{"about", KEY_DIRECTION, .standard = "z", .at = offsetof(free_spec, axis), .help = "axis: x, y, z or a vector",
	 .only = 3, .changes = true},
	{"point", KEY_VECTOR, "m", "[0, 0, 0]", .at = offsetof(free_spec, point), .help = "a point on the axis",
	 .flat = "[0, 0]", .changes = true},
	{"torque", KEY_REAL, "N*m", "0 N*m", .at = offsetof(free_spec, force), .help = "torque on the wall from outside",
	 .changes = true},
	{"spring", KEY_REAL, "N*m", "0 N*m", ">= 0", offsetof(free_spec, spring),
	 .help = "torque of a spring per radian, relaxed at the start", .changes = true},
	{"damper", KEY_REAL, "N*m*s", "0 N*m*s", ">= 0", offsetof(free_spec, damper),
	 .help = "torque of a damper over the angular velocity", .changes = true},
	{"angular_velocity", KEY_REAL, "rad/s", "0 rad/s", .at = offsetof(free_spec, speed),
	 .help = "angular velocity at the start", .changes = true},
	FREE_TRAVEL("rad"),
};
static const section wheel = {"wheel", "Turns about an axis by the torques on it: inertia * a = sum of torques.",
							  sizeof(free_spec), ROWS(wheel_keys)};

static void set_free(const free_spec *s, wall_motion *out)
{
	const bool ends = scree_node_child(s->h.where, "travel") != NULL;
	out->point = s->point;
	out->servo = (servo_rule){.force = s->force,
							  .mass = s->mass,
							  .spring = s->spring,
							  .damper = s->damper,
							  .speed = s->speed,
							  .weight = s->weight,
							  .low = ends ? s->travel[0] : -INFINITY,
							  .high = ends ? s->travel[1] : INFINITY};
}

static void make_free(const motion_spec *s, wall_motion *out)
{
	out->type = MOTION_FREE;
	out->axis = s->free.axis.unit;
	set_free(&s->free, out);
}

static void make_wheel(const motion_spec *s, wall_motion *out)
{
	out->type = MOTION_WHEEL;
	if (scree_node_child(s->wheel.h.where, "about")) out->axis = s->wheel.axis.unit;
	set_free(&s->wheel, out);
}

/* `torque` and `inertia` are loaded into the wheel, of which they are the short form. */
static void make_torque(const motion_spec *s, wall_motion *out)
{
	out->type = MOTION_WHEEL;
	if (scree_node_child(s->h.where, "about")) out->axis = s->about.unit;
	set_free(&s->wheel, out);
	out->point = s->point;
}

static void make_table(const motion_spec *s, wall_motion *out)
{
	const bool turns = s->table.angle.count || s->table.angular_velocity.count;
	if (turns) make_rotation(s, out);
	out->type = turns ? MOTION_ANGLE : MOTION_TABLE;
}

static void make_surface(const motion_spec *s, wall_motion *out)
{
	out->type = MOTION_SURFACE;
	out->velocity = s->surface_velocity;
}

static const maker MADE_ROTATION = {.motion = make_rotation, .turns = true}, MADE_VELOCITY = {.motion = make_velocity},
				   MADE_VIBRATION = {.motion = make_vibration}, MADE_SERVO = {.motion = make_servo},
				   MADE_SURFACE = {.motion = make_surface}, MADE_TABLE = {.motion = make_table, .turns = true},
				   MADE_FREE = {.motion = make_free}, MADE_WHEEL = {.motion = make_wheel},
				   MADE_TORQUE = {.motion = make_torque, .turns = true}, MADE_LIST = {.several = true};

/* Rows that a motion of its own and one of a list have in common. */
#define MOTION_FORMS                                                                                                     \
	{"angular_velocity",                                                                                                 \
	 KEY_REAL,                                                                                                           \
	 "rad/s",                                                                                                            \
	 .at = offsetof(motion_spec, angular_velocity),                                                                      \
	 .group = 1,                                                                                                         \
	 .make = &MADE_ROTATION,                                                                                             \
	 .help = "rotates about an axis at this rate",                                                                       \
	 .changes = true},                                                                                                   \
		{"velocity",                                                                                                     \
		 KEY_VECTOR,                                                                                                     \
		 "m/s",                                                                                                          \
		 .at = offsetof(motion_spec, velocity),                                                                          \
		 .group = 1,                                                                                                     \
		 .make = &MADE_VELOCITY,                                                                                         \
		 .help = "moves with constant velocity",                                                                         \
		 .changes = true},                                                                                               \
		{"vibration",		 KEY_SECTION,                                                                                \
		 .of = &vibration,	 .at = offsetof(motion_spec, vibration),                                                     \
		 .group = 1,		 .make = &MADE_VIBRATION,                                                                    \
		 .help = "vibrates", .changes = true},                                                                           \
		{"servo",                                                                                                        \
		 KEY_SECTION,                                                                                                    \
		 .of = &scree_section_servo,                                                                                     \
		 .at = offsetof(motion_spec, servo),                                                                             \
		 .group = 1,                                                                                                     \
		 .make = &MADE_SERVO,                                                                                            \
		 .help = "presses with a given force, or turns with a given torque",                                             \
		 .changes = true},                                                                                               \
		{"free",                                                                                                         \
		 KEY_SECTION,                                                                                                    \
		 .of = &free_section,                                                                                            \
		 .at = offsetof(motion_spec, free),                                                                              \
		 .group = 1,                                                                                                     \
		 .make = &MADE_FREE,                                                                                             \
		 .help = "moves along a direction by the forces on it, by its mass",                                             \
		 .changes = true},                                                                                               \
		{"wheel",                                                                                                        \
		 KEY_SECTION,                                                                                                    \
		 .of = &wheel,                                                                                                   \
		 .at = offsetof(motion_spec, wheel),                                                                             \
		 .group = 1,                                                                                                     \
		 .make = &MADE_WHEEL,                                                                                            \
		 .help = "turns about an axis by the torques on it, by its moment of inertia",                                   \
		 .changes = true},                                                                                               \
		{"torque",                                                                                                       \
		 KEY_REAL,                                                                                                       \
		 "N*m",                                                                                                          \
		 .at = offsetof(motion_spec, wheel.force),                                                                       \
		 .group = 1,                                                                                                     \
		 .make = &MADE_TORQUE,                                                                                           \
		 .help = "with `inertia`, short for a `wheel` with this torque from outside",                                    \
		 .changes = true},                                                                                               \
		{"inertia",                                                                                                      \
		 KEY_REAL,                                                                                                       \
		 "kg*m^2",                                                                                                       \
		 NULL,                                                                                                           \
		 "> 0",                                                                                                          \
		 offsetof(motion_spec, wheel.mass),                                                                              \
		 .help = "with `torque`: moment of inertia of the wall about the axis",                                          \
		 .changes = true},                                                                                               \
		{"surface_velocity",                                                                                             \
		 KEY_VECTOR,                                                                                                     \
		 "m/s",                                                                                                          \
		 .at = offsetof(motion_spec, surface_velocity),                                                                  \
		 .group = 1,                                                                                                     \
		 .make = &MADE_SURFACE,                                                                                          \
		 .help = "its surface moves with this velocity, along itself, as that of a belt; the wall stays in place",       \
		 .changes = true},                                                                                               \
		{"table",	 KEY_SECTION,		  .of = &scree_section_motion_table,		 .at = offsetof(motion_spec, table), \
		 .group = 1, .make = &MADE_TABLE, .help = "moves as a table over time says", .changes = true},                   \
		{"about",                                                                                                        \
		 KEY_DIRECTION,                                                                                                  \
		 .at = offsetof(motion_spec, about),                                                                             \
		 .help = "axis of `angular_velocity` or `torque`: x, y, z or a vector; default: z",                              \
		 .only = 3,                                                                                                      \
		 .changes = true},                                                                                               \
		{"point",                                                                                                        \
		 KEY_VECTOR,                                                                                                     \
		 "m",                                                                                                            \
		 .at = offsetof(motion_spec, point),                                                                             \
		 .help = "a point on that axis; default: the origin",                                                            \
		 .changes = true},                                                                                               \
	{                                                                                                                    \
		"ramp", KEY_REAL, "s", "0", ">= 0", offsetof(motion_spec, ramp),                                                 \
			.help = "time in which the velocity, or the force, increases linearly from zero", .changes = true            \
	}

static const key part_keys[] = {
	MOTION_FORMS,
	{"for", KEY_REAL, "s", NULL, "> 0", offsetof(motion_spec, duration),
	 .help = "in a `sequence`: duration; the last motion may last without end"},
	{"from", KEY_REAL, "s", NULL, ">= 0", offsetof(motion_spec, from),
	 .help = "in `all`: start, counted from the beginning of the wall's motion; default: 0"},
	{"until", KEY_REAL, "s", NULL, "> 0", offsetof(motion_spec, until),
	 .help = "in `all`: end, counted from the beginning of the wall's motion; default: never"},
};
const section scree_section_motion_part = {"motion_part",		"One of several motions of a wall.",
										   sizeof(motion_spec), ROWS(part_keys),
										   .needs = 1u << 1,	.most = 100};

static const key motion_keys[] = {
	MOTION_FORMS,
	{"sequence", KEY_LIST, .of = &scree_section_motion_part, .at = offsetof(motion_spec, sequence), .group = 1,
	 .make = &MADE_LIST, .help = "motions one after another; `motion: [...]` is short for it", .changes = true},
	{"all", KEY_LIST, .of = &scree_section_motion_part, .at = offsetof(motion_spec, all), .group = 1,
	 .make = &MADE_LIST,
	 .help = "motions at the same time; each moves the wall from the pose given by those before it in the list",
	 .changes = true},
	{"from", KEY_REAL, "s", "0", ">= 0", offsetof(motion_spec, from), .help = "start time; the wall is at rest before"},
	{"until", KEY_REAL, "s", NULL, "> 0", offsetof(motion_spec, until),
	 .help = "end time; the wall is at rest after; default: never"},
};
const section scree_section_motion = {"motion",			 "How a wall moves.",	  sizeof(motion_spec),
									  ROWS(motion_keys), .shorthand = "sequence", .needs = 1u << 1};
