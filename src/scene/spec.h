/* spec.h: a scene as plain data in SI units, filled according to the table of keys (schema*.c) and read by build*.c.
 * Every struct begins with a head. Lists are arrays in the reader's arena. */
#ifndef SCREE_SCENE_SPEC_H
#define SCREE_SCENE_SPEC_H

#include "base/real.h"
#include "scene/value.h"

typedef struct head {
	const struct section *of; /* the keys of the section (schema.h), or NULL if it was not read */
	const node *where;		  /* NULL if the section was not given and has no default */
	uint64_t given;			  /* bit k: key k of the section is given in the scene */
	uint64_t set;			  /* bit k: key k is given, or filled from its default */
	const char *name;		  /* name of a named section: a material, shape, wall, or pair of contacts */
	int32_t strangers;		  /* number of unknown keys; each excuses a missing key, see scree_excused */
} head;

typedef struct spec_list {
	int32_t count;
	void *item;
} spec_list;

typedef enum direction_type { DIRECTION_X, DIRECTION_Y, DIRECTION_Z, DIRECTION_VECTOR } direction_type;
typedef struct direction {
	direction_type type;
	vec3 unit, given;
} direction;

typedef struct turn_spec {
	int32_t type; /* orient_type */
	quat q;
	real angle; /* rad, in dimension 2 */
} turn_spec;

typedef struct box_spec {
	head h;
	vec3 min, max;
	spec_list open; /* int32_t: indices into the names of faces */
} box_spec;

typedef struct shear_spec {
	head h;
	real rate;
	int32_t flow, gradient;
} shear_spec;

/* strain rates or stresses of the cell over time */
typedef struct cell_table_spec {
	head h;
	spec_list time, value; /* real, vec3 */
	const char *file;
} cell_table_spec;

/* the cell's size, controlled by a prescribed stress */
typedef struct cell_servo_spec {
	head h;
	vec3 stress;
	cell_table_spec table;
	spec_list axes; /* int32_t */
	real max_rate, lag;
	bool active;
} cell_servo_spec;

typedef struct fluid_spec {
	head h;
	real density, viscosity;
	vec3 velocity;
	int32_t drag;
	bool buoyancy;
} fluid_spec;

typedef struct world_spec {
	head h;
	int64_t dimension;
	real thickness, temperature;
	vec3 gravity;
	box_spec domain;
	fluid_spec fluid;
	spec_list periodic; /* int32_t: axes */
	shear_spec shear;
	vec3 strain_rate;
	cell_table_spec strain_table;
	cell_servo_spec servo;
} world_spec;

typedef struct material_spec {
	head h;
	real density, young, poisson, conductivity, capacity, conduction_young;
} material_spec;

typedef struct power_spec {
	head h;
	real overlap, force, damping, exponent, tangential;
	bool attraction;
} power_spec;

typedef struct plastic_spec {
	head h;
	real unloading, adhesion, depth;
} plastic_spec;

typedef struct capillary_spec {
	head h;
	real tension, volume, angle;
} capillary_spec;

typedef struct cohesion_spec {
	head h;
	real jkr, dmt, simple;
	capillary_spec capillary;
} cohesion_spec;

typedef struct bond_spec {
	head h;
	real young, ratio, tension, shear, deviation, factor, damping, gap, from;
	int64_t seed;
} bond_spec;

typedef struct rule_spec {
	head h;
	int32_t law;
	real restitution, friction, rolling_friction, twisting_friction, stiffness, tangential_ratio, friction_heat;
	power_spec power;
	plastic_spec plastic;
	cohesion_spec cohesion;
	bond_spec bond;
} rule_spec;

typedef struct mesh_spec {
	head h;
	const char *file;
	int32_t as; /* enum mesh_way */
	real scale, halo;
	vec3 move;
	bool flip, closed;
} mesh_spec;

enum mesh_way { MESH_HULL, MESH_COMPOUND, MESH_SURFACE, MESH_WAYS };

/* A random grain (format/granulate.h). */
typedef struct granulate_spec {
	head h;
	int64_t points, seed, number, count;
	real scale[2], halo;
	int32_t order, as;
} granulate_spec;

typedef struct clump_spec {
	head h;
	spec_list centers, radii; /* vec3, real */
	const char *file;
	int64_t count;
	real excess, scale;
	int32_t mass; /* 0: mass of the union, 1: sum of masses */
} clump_spec;

/* round shapes of bodies: spheres, discs, ellipses, capsules and cylinders */
typedef struct round_spec {
	head h;
	real length, width, diameter, power;
	int64_t facets;
} round_spec;

typedef struct random_polygon_spec {
	head h;
	int64_t corners, seed;
	real roundness;
} random_polygon_spec;

typedef struct flat_polygon_spec {
	head h;
	int64_t sides;
	spec_list points; /* vec3 */
	random_polygon_spec random;
} flat_polygon_spec;

typedef struct superquadric_spec {
	head h;
	vec3 axes;
	real power[2]; /* exponents of cross-sections at constant z, and along z */
} superquadric_spec;

typedef struct shape_spec {
	head h;
	round_spec sphere, disc, ellipse, capsule, cylinder;
	flat_polygon_spec polygon;
	vec3 box, ellipsoid;
	superquadric_spec superquadric;
	int32_t regular;
	spec_list hull; /* vec3 */
	mesh_spec mesh;
	clump_spec clump;
	granulate_spec granulate;
} shape_spec;

typedef struct plane_spec {
	head h;
	vec3 point, normal;
} plane_spec;

typedef struct tube_spec { /* cylinders and cones */
	head h;
	real radius, radius2, length;
	direction axis;
	int32_t side;
	vec3 center;
	int64_t facets;
} tube_spec;

typedef struct vibration_spec {
	head h;
	vec3 amplitude;
	real frequency, phase;
} vibration_spec;

/* tables of motions and servos: values over time */
typedef struct table_spec {
	head h;
	spec_list time, position, velocity;							/* real, vec3, vec3 */
	spec_list angle, angular_velocity, force, pressure, torque; /* real */
	const char *file;
	int32_t interpolate; /* 0: linear, 1: smooth */
} table_spec;

typedef struct servo_spec {
	head h;
	real force, pressure, area, mass, damping, max_speed, travel[2];
	real torque, inertia, max_angular_velocity;
	direction axis;
	vec3 point;
	table_spec table;
} servo_spec;

/* a wall that is moved by the forces on it: `free` and `wheel` */
typedef struct free_spec {
	head h;
	real mass, force, spring, damper, speed, travel[2]; /* for a wheel, all of these refer to rotation about its axis */
	direction axis;
	vec3 point;
	bool weight;
} free_spec;

typedef struct motion_spec {
	head h;
	real angular_velocity;
	direction about;
	vec3 point, velocity, surface_velocity;
	vibration_spec vibration;
	servo_spec servo;
	free_spec free, wheel;
	table_spec table;
	real from, ramp, until, duration;
	spec_list sequence, all; /* motion_spec */
} motion_spec;

typedef struct wall_spec {
	head h;
	plane_spec plane, line;
	flat_polygon_spec polygon;
	tube_spec cylinder, cone, circle;
	mesh_spec mesh;
	box_spec box;
	bool two_sided, active;
	int32_t material, class;
	real temperature;
	spec_list only; /* int32_t: indices into materials */
	motion_spec motion;
} wall_spec;

typedef struct segment_spec {
	head h;
	vec3 from, to;
} segment_spec;

typedef struct region_spec {
	head h;
	box_spec box;
	tube_spec cylinder, sphere, disc;
	segment_spec segment;
} region_spec;

typedef struct normal_spec {
	head h;
	real mean, sd, cut;
} normal_spec;

typedef struct sieve_spec {
	head h;
	spec_list size, passing; /* real */
	const char *file;
	int32_t by, interpolation; /* 0: by mass, logarithmic; 1: by number, linear */
} sieve_spec;

typedef struct size_spec {
	head h;
	real value, uniform[2];
	normal_spec normal, lognormal;
	sieve_spec sieve;
} size_spec;

typedef struct mix_spec {
	head h;
	int32_t shape, material;
	real share, mass_share;
	size_spec size;
} mix_spec;

typedef struct lattice_spec {
	head h;
	vec3 spacing;
	int32_t count[3];
} lattice_spec;

/* fills and sources */
typedef struct fill_spec {
	head h;
	const char *name, *from_table;
	region_spec region;
	lattice_spec lattice;
	int64_t count, seed;
	real solid_fraction, mass, rate, mass_rate, from, until, time, temperature, angular_temperature;
	real body_temperature;
	int32_t material, shape, by; /* by: meaning of the shares, 0 for number, 1 for mass */
	size_spec size;
	spec_list mix; /* mix_spec */
	turn_spec orientation;
	vec3 velocity, angular_velocity;
	bool held, locked, dense;
	bool active; /* sources only */
} fill_spec;

typedef struct below_spec {
	head h;
	real at[3];
} below_spec;

typedef struct sink_spec {
	head h;
	const char *name;
	below_spec below;
	region_spec region;
	bool active;
} sink_spec;

typedef struct step_spec {
	head h;
	real fraction, way, time;
	bool unsafe;
} step_spec;

typedef struct guard_spec {
	head h;
	real overlap, speed, energy, method;
	int32_t lost;
	bool tells; /* the energy guard only reports, since a method reproduces a paper and no limit is given */
} guard_spec;

typedef struct snapshot_spec {
	head h;
	real every;
	int64_t keep;
} snapshot_spec;

typedef struct run_spec {
	head h;
	real until;
	step_spec step;
	guard_spec guard;
	snapshot_spec snapshot;
	int32_t broad_phase, narrow_phase, integrator, machine, share, triangles, triangle_precision;
	int64_t triangle_batch;
	int32_t response; /* row in scree_responses */
	real correction;
	int64_t friction_directions;
	real skin;
} run_spec;

typedef struct camera_spec {
	head h;
	vec3 eye, target, up;
	real fov;
} camera_spec;

/* two numbers whose unit depends on another key */
typedef struct range_value {
	real low, high;
	dimension of;
	bool plain; /* written without a unit, and so in SI units */
} range_value;

/* the colour of a material or shape, by name */
typedef struct color_spec {
	head h;
	const char *value;
} color_spec;

typedef struct image_spec {
	head h;
	real every;
	spec_list at; /* real */
	int32_t format, size[3], color, walls;
	range_value range;
	camera_spec camera;
	plane_spec cut;
	int64_t samples;
	bool forces, title, legend, scale_bar, axes;
	int32_t ground, map, projection, fit, bodies, arrows;
	spec_list colors; /* color_spec */
	bool active;
} image_spec;

typedef struct series_spec { /* vtk, history and tables */
	head h;
	real every;
	bool active;
	int64_t up_to, per_file;
	spec_list words; /* int32_t */
} series_spec;

/* a plane that counts the bodies that pass through it */
typedef struct flow_spec {
	head h;
	vec3 point, normal;
	real length, width;
	direction along;
} flow_spec;

typedef struct measure_spec {
	head h;
	real every, sizes[2];
	bool active, history;
	region_spec region;
	const char *sink;
	flow_spec plane;
	int32_t cells[3], material;
	int64_t classes;
	spec_list words; /* int32_t: rows in scree_measures */
} measure_spec;

typedef struct field_spec {
	head h;
	real every, width;
	bool active;
	vec3 min, max;
	int32_t cells[3], function;
} field_spec;

typedef struct film_spec {
	head h;
	real rate;
} film_spec;

typedef struct output_spec {
	head h;
	series_spec vtk, history, bodies, walls, contacts, xyz, dump;
	image_spec images;
	film_spec film;
	spec_list measures; /* measure_spec */
	field_spec fields;
} output_spec;

/* The condition that ends a stage. */
typedef struct until_spec {
	head h;
	real after, kinetic_energy, speed, force, pressure, mass_out, sliding, within, area, hold, at_least, at_most;
	real stress, strain, servo;
	int32_t unchanged, then, along; /* index of a value in the history; 0 to stop, 1 to continue; number of an axis */
	const char *wall;
} until_spec;

typedef struct stage_spec {
	head h;
	const char *name;
	until_spec until;
	const node *change[8]; /* the changed parts of the scene, in the order of their keys */
} stage_spec;

typedef struct scene_spec {
	head h;
	int64_t scene;
	const char *title;
	world_spec world;
	spec_list materials, contacts, shapes, walls, fill, sources, sinks, stages;
	run_spec run;
	output_spec output;
} scene_spec;

#endif
