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

static const key servo_keys[] = {
	{"force", KEY_REAL, "N", NULL, "> 0", offsetof(servo_spec, force), .group = 1,
	 .help = "total force on the bodies; increases linearly from zero during `ramp`", .changes = true},
	{"pressure", KEY_REAL, "Pa", NULL, "> 0", offsetof(servo_spec, pressure), .group = 1,
	 .help = "instead of the force: pressure on `area`", .changes = true},
	{"area", KEY_REAL, "m^2", NULL, "> 0", offsetof(servo_spec, area),
	 .help = "area of `pressure`; it stays the same when the wall moves", .changes = true},
	{"axis", KEY_DIRECTION, .at = offsetof(servo_spec, axis),
	 .help = "direction of the force: x, y, z or a vector towards the bodies; default for planes, polygons and boxes: "
			 "their normal",
	 .changes = true},
	{"max_speed", KEY_REAL, "m/s", NULL, "> 0", offsetof(servo_spec, max_speed),
	 .help = "largest speed; default: so slow that one body stops it with an overlap of 1 %", .changes = true},
	{"mass", KEY_REAL, "kg", NULL, "> 0", offsetof(servo_spec, mass),
	 .help = "mass of the wall, without weight; default: the mass of one layer of the bodies", .changes = true},
	{"damping", KEY_REAL, .standard = "1", .range = ">= 0", .at = offsetof(servo_spec, damping),
	 .help = "damping of the wall as a fraction of the critical damping on its contacts", .changes = true},
	{"travel", KEY_PAIR, "m", .at = offsetof(servo_spec, travel),
	 .help = "displacements allowed along the axis: [low, high], which contain the start, 0; default: no limit",
	 .changes = true},
};
const section scree_section_servo = {
	"servo", "Presses with a given force: mass * a = force - load - damping * v, see theory/walls.md.",
	sizeof(servo_spec), ROWS(servo_keys), .needs = 1u << 1};

static servo_rule build_servo(const servo_spec *s)
{
	const node *n = s->h.where;
	bool ends = scree_node_child(n, "travel") != NULL;
	return (servo_rule){.force = s->pressure > 0 ? s->pressure * s->area : s->force,
						.mass = scree_node_child(n, "mass") ? s->mass : 0,
						.damping = s->damping,
						.max_speed = scree_node_child(n, "max_speed") ? s->max_speed : 0,
						.low = ends ? s->travel[0] : -INFINITY,
						.high = ends ? s->travel[1] : INFINITY};
}

static void make_servo(const motion_spec *s, wall_motion *out)
{
	out->type = MOTION_SERVO;
	out->servo = build_servo(&s->servo);
	if (scree_node_child(s->servo.h.where, "axis")) out->axis = s->servo.axis.unit;
}

static void make_surface(const motion_spec *s, wall_motion *out)
{
	out->type = MOTION_SURFACE;
	out->velocity = s->surface_velocity;
}

static const maker MADE_ROTATION = {.motion = make_rotation, .turns = true}, MADE_VELOCITY = {.motion = make_velocity},
				   MADE_VIBRATION = {.motion = make_vibration}, MADE_SERVO = {.motion = make_servo},
				   MADE_SURFACE = {.motion = make_surface};

static const key motion_keys[] = {
	{"angular_velocity", KEY_REAL, "rad/s", .at = offsetof(motion_spec, angular_velocity), .group = 1,
	 .make = &MADE_ROTATION, .help = "rotates about an axis at this rate", .changes = true},
	{"velocity", KEY_VECTOR, "m/s", .at = offsetof(motion_spec, velocity), .group = 1, .make = &MADE_VELOCITY,
	 .help = "moves with constant velocity", .changes = true},
	{"vibration", KEY_SECTION, .of = &vibration, .at = offsetof(motion_spec, vibration), .group = 1,
	 .make = &MADE_VIBRATION, .help = "vibrates", .changes = true},
	{"servo", KEY_SECTION, .of = &scree_section_servo, .at = offsetof(motion_spec, servo), .group = 1,
	 .make = &MADE_SERVO, .help = "presses with a given force", .changes = true},
	{"surface_velocity", KEY_VECTOR, "m/s", .at = offsetof(motion_spec, surface_velocity), .group = 1,
	 .make = &MADE_SURFACE,
	 .help = "its surface moves with this velocity, along itself, as that of a belt; the wall stays in place",
	 .changes = true},
	{"about", KEY_DIRECTION, .at = offsetof(motion_spec, about),
	 .help = "axis of `angular_velocity`: x, y, z or a vector; default: z", .only = 3, .changes = true},
	{"point", KEY_VECTOR, "m", .at = offsetof(motion_spec, point), .help = "a point on that axis; default: the origin",
	 .changes = true},
	{"from", KEY_REAL, "s", "0", ">= 0", offsetof(motion_spec, from), .help = "start time; the wall is at rest before"},
	{"ramp", KEY_REAL, "s", "0", ">= 0", offsetof(motion_spec, ramp),
	 .help = "time in which the velocity, or the force, increases linearly from zero", .changes = true},
	{"until", KEY_REAL, "s", NULL, "> 0", offsetof(motion_spec, until),
	 .help = "end time; the wall is at rest after; default: never"},
};
const section scree_section_motion = {"motion", "How a wall moves.", sizeof(motion_spec), ROWS(motion_keys),
									  .needs = 1u << 1};
