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
	VECTOR(vibration, amplitude, "m", NULL, "displacement amplitude", NEEDED),
	REAL(vibration, frequency, "Hz", NULL, "> 0", "cycles per second", NEEDED),
	REAL(vibration, phase, "rad", "0", NULL, "phase of the sine when the motion begins"),
};
static TABLE(vibration, vibration, vibration_keys, "vibration",
			 "amplitude * sin(2 pi frequency (t - from) + phase), minus its value at `from`.", CHANGES);

static void make_vibration(const motion_spec *s, wall_motion *out)
{
	out->type = MOTION_VIBRATION;
	out->amplitude = s->vibration.amplitude;
	out->frequency = s->vibration.frequency;
	out->phase = s->vibration.phase;
}

static WORDS(interpolations, "linear", "smooth");

#define TABLE_TIME                                                                                                     \
	KEY(REALS, table, time, "times of the rows, increasing, counted from the start of the motion", .unit = "s",        \
		.range = ">= 0")
#define TABLE_FILE                                                                                                     \
	KEY(FILE, table, file, "instead of the lists: a table of values (CSV), whose first line names the columns",        \
		.group = 1)
#define TABLE_WAY                                                                                                      \
	WORD(table, interpolate, interpolations, "linear",                                                                 \
		 "between rows: linear, or smooth (cubic, without overshoot, at rest at both ends)")

static const key load_table_keys[] = {
	TABLE_TIME,
	KEY(REALS, table, force, "forces of the rows", .unit = "N", .range = ">= 0", .group = 1),
	KEY(REALS, table, pressure, "pressures of the rows, on the servo's `area`", .unit = "Pa", .range = ">= 0",
		.group = 1),
	KEY(REALS, table, torque, "torques of the rows", .unit = "N*m", .range = ">= 0", .group = 1),
	TABLE_FILE,
	TABLE_WAY,
};
static TABLE(load_table, table, load_table_keys, "load_table", "The force, pressure or torque of a servo over time.",
			 .needs = 1u << 1, CHANGES);

static const key motion_table_keys[] = {
	TABLE_TIME,
	KEY(POINTS, table, position, "displacements relative to the first row", .unit = "m", .group = 1),
	KEY(POINTS, table, velocity, "velocities, linear between rows; the last velocity continues", .unit = "m/s",
		.group = 1),
	KEY(REALS, table, angle, "angles of rotation `about` an axis, relative to the first row", .unit = "rad",
		.group = 1),
	KEY(REALS, table, angular_velocity,
		"rates of rotation `about` an axis, linear between rows; the last rate continues", .unit = "rad/s", .group = 1),
	TABLE_FILE,
	TABLE_WAY,
};
static TABLE(table_section, table, motion_table_keys, "motion_table",
			 "The position or the velocity of a wall over time.", .needs = 1u << 1, CHANGES);

static const key servo_keys[] = {
	REAL(servo, force, "N", NULL, "> 0", "total force on the bodies; it increases linearly from zero during `ramp`",
		 .group = 1),
	REAL(servo, pressure, "Pa", NULL, "> 0", "instead of the force: pressure on `area`", .group = 1),
	REAL(servo, torque, "N*m", NULL, "> 0",
		 "instead of the force: torque on the bodies about `axis`; the wall turns about it", .group = 1),
	SECTION(servo, table, load_table, "instead of the force: forces, pressures or torques over time", .group = 1),
	REAL(servo, area, "m^2", NULL, "> 0",
		 "area for `pressure`, also in a table; it stays the same when the wall moves"),
	KEY(DIRECTION, servo, axis,
		"direction of the force: x, y, z or a vector towards the bodies; default for planes, polygons and boxes: their "
		"normal. For `torque`: axis of the torque; a positive torque turns the wall clockwise when seen along the "
		"axis"),
	VECTOR(servo, point, "m", NULL, "for `torque`: point on the axis; default: the origin"),
	REAL(servo, max_speed, "m/s", NULL, "> 0",
		 "largest speed; default: slow enough for one body to stop the wall with an overlap of 1 %"),
	REAL(servo, mass, "kg", NULL, "> 0",
		 "mass of the wall (gravity does not act on it); default: the mass of one layer of bodies"),
	REAL(servo, max_angular_velocity, "rad/s", NULL, "> 0",
		 "for `torque`: largest rate of rotation; default: slow enough for one body to stop the wall with an overlap "
		 "of 1 %"),
	REAL(servo, inertia, "kg*m^2", NULL, "> 0",
		 "for `torque`: moment of inertia of the wall; default: the moment of one layer of bodies at the wall's "
		 "largest distance from the axis"),
	REAL(servo, damping, NULL, "1", ">= 0",
		 "damping of the wall as a fraction of the critical damping of its contacts"),
	KEY(PAIR, servo, travel,
		"range of displacements along the axis: [low, high], which must contain 0, the start; if a wall is outside "
		"this range when a stage begins, it moves no farther out; default: no limit",
		.unit = "m"),
};
TABLE(scree_section_servo, servo, servo_keys, "servo",
	  "Presses with a given force: mass * a = force - load - damping * v, see theory/walls.md.", .needs = 1u << 1,
	  CHANGES);

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

#define FREE_TRAVEL(si)                                                                                                \
	KEY(PAIR, free, travel,                                                                                            \
		"range of displacements: [low, high], which must contain 0, the start; the wall stops at the ends of the "     \
		"range; a wall that is outside it when a stage begins moves no farther out; default: no limit",                \
		.unit = si)

static const key free_keys[] = {
	REAL(free, mass, "kg", NULL, "> 0", "mass of the wall", NEEDED),
	KEY_OF("along", DIRECTION, free, axis, "direction along which the wall can move: x, y, z or a vector", NEEDED),
	FLAG(free, weight, "true", "whether gravity acts on the wall"),
	REAL(free, force, "N", "0 N", NULL, "external force on the wall along its direction"),
	REAL(free, spring, "N/m", "0 N/m", ">= 0", "stiffness of a spring that holds the wall, relaxed at the start"),
	REAL(free, damper, "kg/s", "0 kg/s", ">= 0", "force of a damper, divided by the wall's speed"),
	REAL(free, speed, "m/s", "0 m/s", NULL, "speed at the start"),
	FREE_TRAVEL("m"),
};
static TABLE(free_section, free, free_keys, "free_wall",
			 "Moves along a direction, driven by the forces on the wall: mass * a = sum of forces.", CHANGES);

static const key wheel_keys[] = {
	KEY_OF("inertia", REAL, free, mass, "moment of inertia about the axis, which passes through the centre of mass",
		   .unit = "kg*m^2", .range = "> 0", NEEDED),
	KEY_OF("about", DIRECTION, free, axis, "axis: x, y, z or a vector", .standard = "z", .only = 3),
	VECTOR(free, point, "m", "[0, 0, 0]", "a point on the axis", .flat = "[0, 0]"),
	KEY_OF("torque", REAL, free, force, "external torque on the wall", .unit = "N*m", .standard = "0 N*m"),
	REAL(free, spring, "N*m", "0 N*m", ">= 0", "torque of a spring per radian, relaxed at the start"),
	REAL(free, damper, "N*m*s", "0 N*m*s", ">= 0", "torque of a damper, divided by the angular velocity"),
	KEY_OF("angular_velocity", REAL, free, speed, "angular velocity at the start", .unit = "rad/s",
		   .standard = "0 rad/s"),
	FREE_TRAVEL("rad"),
};
static TABLE(wheel, free, wheel_keys, "wheel",
			 "Turns about an axis, driven by the torques on the wall: inertia * a = sum of torques.", CHANGES);

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

/* `torque` and `inertia` are the short form of a wheel, and are loaded into one. */
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

/* Rows shared by a wall's only motion and by motions in a list. */
#define MOTION_FORMS                                                                                                   \
	REAL(motion, angular_velocity, "rad/s", NULL, NULL, "rotates about an axis at this rate", .group = 1,              \
		 .make = &MADE_ROTATION),                                                                                      \
		VECTOR(motion, velocity, "m/s", NULL, "moves with constant velocity", .group = 1, .make = &MADE_VELOCITY),     \
		SECTION(motion, vibration, vibration, "vibrates", .group = 1, .make = &MADE_VIBRATION),                        \
		SECTION(motion, servo, scree_section_servo, "presses with a given force, or turns with a given torque",        \
				.group = 1, .make = &MADE_SERVO),                                                                      \
		SECTION(motion, free, free_section,                                                                            \
				"moves along a direction, driven by the forces on the wall, with a given mass", .group = 1,            \
				.make = &MADE_FREE),                                                                                   \
		SECTION(motion, wheel, wheel,                                                                                  \
				"turns about an axis, driven by the torques on the wall, with a given moment of inertia", .group = 1,  \
				.make = &MADE_WHEEL),                                                                                  \
		KEY_OF("torque", REAL, motion, wheel.force, "with `inertia`: external torque; short form of `wheel`",          \
			   .unit = "N*m", .group = 1, .make = &MADE_TORQUE),                                                       \
		KEY_OF("inertia", REAL, motion, wheel.mass, "with `torque`: moment of inertia of the wall about the axis",     \
			   .unit = "kg*m^2", .range = "> 0"),                                                                      \
		VECTOR(motion, surface_velocity, "m/s", NULL,                                                                  \
			   "tangential velocity of the wall's surface, as of a conveyor belt; the wall itself stays in place",     \
			   .group = 1, .make = &MADE_SURFACE),                                                                     \
		SECTION(motion, table, table_section, "moves according to a table over time", .group = 1,                      \
				.make = &MADE_TABLE),                                                                                  \
		KEY(DIRECTION, motion, about, "axis of `angular_velocity` or `torque`: x, y, z or a vector; default: z",       \
			.only = 3),                                                                                                \
		VECTOR(motion, point, "m", NULL, "a point on this axis; default: the origin"),                                 \
		REAL(motion, ramp, "s", "0", ">= 0", "time in which the velocity or the force increases linearly from zero")

static const key part_keys[] = {
	MOTION_FORMS,
	KEY_OF("for", REAL, motion, duration,
		   "in a `sequence`: duration; the last motion may omit it, and then continues without end", .unit = "s",
		   .range = "> 0", STAYS),
	REAL(motion, from, "s", NULL, ">= 0",
		 "in `all`: start time, counted from the start of the wall's motion; default: 0", STAYS),
	REAL(motion, until, "s", NULL, "> 0",
		 "in `all`: end time, counted from the start of the wall's motion; default: never", STAYS),
};
static TABLE(part, motion, part_keys, "motion_part", "One of several motions of a wall.", .needs = 1u << 1, .most = 100,
			 CHANGES);

static const key motion_keys[] = {
	MOTION_FORMS,
	KEY(LIST, motion, sequence, "motions one after another; `motion: [...]` is a short form", .of = &part, .group = 1,
		.make = &MADE_LIST),
	KEY(LIST, motion, all,
		"motions at the same time; each one moves the wall from the pose given by the motions before it in the list",
		.of = &part, .group = 1, .make = &MADE_LIST),
	REAL(motion, from, "s", "0", ">= 0", "start time, before which the wall is at rest", STAYS),
	REAL(motion, until, "s", NULL, "> 0", "end time, after which the wall is at rest; default: never", STAYS),
};
TABLE(scree_section_motion, motion, motion_keys, "motion", "How a wall moves.", .shorthand = "sequence",
	  .needs = 1u << 1, CHANGES);
