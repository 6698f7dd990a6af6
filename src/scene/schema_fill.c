/* schema_fill: the table of keys for fills, sources and sinks (see schema.h). */
#include "scene/schema.h"

static const key box_keys[] = {
	VECTOR(box, min, "m", NULL, "lower corner", NEEDED),
	VECTOR(box, max, "m", NULL, "upper corner", NEEDED),
};
static TABLE(box, box, box_keys, "box_region", "A box.");

static const key cylinder_keys[] = {
	REAL(tube, radius, "m", NULL, "> 0", "radius of the cylinder", NEEDED),
	REAL(tube, length, "m", NULL, "> 0", "length of the cylinder", NEEDED),
	KEY(DIRECTION, tube, axis, "x, y, z or a vector", .standard = "z"),
	VECTOR(tube, center, "m", "[0, 0, 0]", "centre of the cylinder"),
};
static TABLE(cylinder, tube, cylinder_keys, "cylinder_region", "A cylinder.");

static const key sphere_keys[] = {
	REAL(tube, radius, "m", NULL, "> 0", "radius of the sphere", NEEDED),
	VECTOR(tube, center, "m", "[0, 0, 0]", "centre of the sphere"),
};
static TABLE(sphere, tube, sphere_keys, "sphere_region", "A sphere.");

static const key disc_keys[] = {
	REAL(tube, radius, "m", NULL, "> 0", "radius of the disc", NEEDED),
	VECTOR(tube, center, "m", "[0, 0]", "centre of the disc"),
};
static TABLE(disc, tube, disc_keys, "disc_region", "A disc.");

static const key segment_keys[] = {
	VECTOR(segment, from, "m", NULL, "one end", NEEDED),
	VECTOR(segment, to, "m", NULL, "the other end", NEEDED),
};
static TABLE(segment, segment, segment_keys, "segment_region",
			 "A straight line segment, along which the centres of bodies lie.");

static const key region_keys[] = {
	SECTION(region, box, box, "a box", .group = 1),
	SECTION(region, cylinder, cylinder, "a cylinder", .group = 1, .only = 3, .instead = "disc"),
	SECTION(region, sphere, sphere, "a sphere", .group = 1, .only = 3, .instead = "disc"),
	SECTION(region, disc, disc, "a disc", .group = 1, .only = 2, .instead = "sphere"),
	SECTION(region, segment, segment, "a straight line segment", .group = 1, .only = 2),
};
TABLE(scree_section_region, region, region_keys, "region", "A part of space.", .needs = 1u << 1);

static const key normal_keys[] = {
	REAL(normal, mean, "m", NULL, "> 0", "mean size", NEEDED),
	REAL(normal, sd, "m", NULL, ">= 0",
		 "standard deviation before the cut. The cut reduces it: with `cut: 3` to 0.987 of this value for `normal`, "
		 "and to 0.98 for `lognormal` with an `sd` of 0.3 of the mean; with `cut: 4` to 0.999",
		 NEEDED),
	REAL(normal, cut, NULL, "3", "[0.01, 10]",
		 "sizes that differ from the mean by more than this many standard deviations are drawn again; for `lognormal` "
		 "this applies to the logarithm of the size"),
};
static TABLE(normal, normal, normal_keys, "normal_size", "A distribution of sizes; all sizes are positive.");

static WORDS(sieve_ways, "mass", "number");
static WORDS(share_ways, "number", "mass");
static WORDS(interpolations, "logarithmic", "linear");

static const key sieve_keys[] = {
	KEY(REALS, sieve, size, "openings of the sieves, in increasing order, at most 65", .unit = "m", .range = "> 0",
		.group = 1),
	KEY(FILE, sieve, file,
		"a table (CSV) with the columns `size` and `passing`; the line of column names may give units: `size [mm]`, "
		"`passing [%]`",
		.group = 1),
	KEY(REALS, sieve, passing,
		"with `size`: fraction of the bodies that passes each sieve, increasing to 1 (or to 100, in per cent); bodies "
		"that pass the finest sieve have its size",
		.range = "[0, 100]"),
	WORD(sieve, by, sieve_ways, "mass", "whether `passing` is a fraction of the mass or of the number of bodies"),
	WORD(sieve, interpolation, interpolations, "logarithmic",
		 "between two sieves `passing` is linear in the logarithm of the size, or in the size"),
};
static const char *const sieve_columns[] = {"size", "passing", NULL};
static TABLE(sieve, sieve, sieve_keys, "sieve_size", "A sieve curve: the distribution of sizes between sieves.",
			 .needs = 1u << 1, .columns = sieve_columns,
			 .example = "for example, sieve: [[1 mm, 0], [2 mm, 20 %], [4 mm, 100 %]]");

static const key size_keys[] = {
	REAL(size, value, "m", NULL, "> 0", "one size for all bodies; `size: 4 mm` is a short form", .group = 1),
	KEY(PAIR, size, uniform, "sizes uniformly distributed between these two", .unit = "m", .range = "> 0", .group = 1),
	SECTION(size, normal, normal, "normally distributed", .group = 1),
	SECTION(size, lognormal, normal,
			"lognormally distributed sizes; mean and sd refer to the size, not to its logarithm", .group = 1),
	SECTION(size, sieve, sieve, "a sieve curve", .group = 1),
};
static TABLE(size, size, size_keys, "size",
			 "Factor that scales the unit shape: a length, or a distribution of lengths.", .shorthand = "value",
			 .needs = 1u << 1);

static const key mix_keys[] = {
	KEY(SHAPE, mix, shape, "name of a shape under shapes", NEEDED),
	REAL(mix, share, NULL, "1", "> 0", "share by number, or by mass (`by`); shares need not sum to 1", .group = 1),
	REAL(mix, mass_share, NULL, NULL, "> 0", "share by mass; given in all entries, instead of `share` and `by: mass`",
		 .group = 1),
	SECTION(mix, size, size, "size, or distribution of sizes", NEEDED),
	KEY(MATERIAL, mix, material, "material of these bodies; default: the material of the fill or source"),
};
static TABLE(mix, mix, mix_keys, "mix", "A kind of body in a mix of several kinds.", .most = 16);

static const key lattice_keys[] = {
	KEY(EVEN, lattice, spacing,
		"edge lengths of the cells, one or three values; there is one body at the centre of each cell, and overlaps "
		"are not tested",
		.unit = "m", .range = "> 0", NEEDED),
	KEY(COUNTS, lattice, count, "cells along x, y and z, centred in the region; default: as many as fit",
		.range = "[1, 100000]"),
};
static TABLE(lattice, lattice, lattice_keys, "lattice", "A regular arrangement.", .shorthand = "spacing");

#define SHAPE_ROWS                                                                                                     \
	KEY(SHAPE, fill, shape, "name of a shape under shapes, if all bodies have one shape", .group = 1),                 \
		SECTION(fill, size, size, "with `shape`: size or distribution of sizes"),                                      \
		KEY(LIST, fill, mix, "several shapes, sizes and materials, with their shares", .of = &mix, .group = 1),        \
		WORD(fill, by, share_ways, "number",                                                                           \
			 "with `mix`: whether shares are fractions of the number of bodies, or of their mass"),                    \
		KEY(ORIENTATION, fill, orientation, "aligned, random, or a quaternion [w, x, y, z]; in dimension 2 an angle",  \
			.standard = "aligned"),                                                                                    \
		VECTOR(fill, velocity, "m/s", "[0, 0, 0]", "velocity at the start", .flat = "[0, 0]"),                         \
		KEY(SPIN, fill, angular_velocity, "angular velocity at the start", .unit = "rad/s", .standard = "[0, 0, 0]",   \
			.flat = "0"),                                                                                              \
		COUNT(fill, seed, "1", "[0, 1e15]", "seed of all random choices")

static const key fill_keys[] = {
	KEY(TEXT, fill, name, "name for messages"),
	SECTION(fill, region, scree_section_region, "region in which bodies are placed; they are entirely inside it"),
	SECTION(fill, lattice, lattice, "regular arrangement instead of random positions", .group = 2),
	KEY_OF("from", FILE, fill, from_table,
		   "a table of bodies (CSV), such as NAME_bodies.csv of a run, or a run's snapshot NAME.snap with its contact "
		   "histories; cannot be combined with region or count",
		   .group = 2),
	REAL(fill, time, "s", NULL, ">= 0",
		 "for a table with a column `time`: the output time nearest to this one is read; default: the last one"),
	COUNT(fill, count, NULL, "[1, 1e9]", "number of bodies; on a lattice, the lowest cells are filled first",
		  .group = 3),
	REAL(fill, solid_fraction, NULL, NULL, "(0, 1)",
		 "bodies are added until they fill this solid fraction of the region, at most 0.74 without `dense`",
		 .group = 3),
	FLAG(fill, dense, NULL,
		 "instead of random positions without contacts: small bodies grow and push each other apart, without friction, "
		 "up to random close packing; default: true if random positions cannot reach the `solid_fraction` of a fill of "
		 "spheres"),
	REAL(fill, mass, "kg", NULL, "> 0", "total mass of the bodies, to within half a body", .group = 3),
	KEY(MATERIAL, fill, material,
		"material of the bodies; needed unless `from` contains it, or each entry of `mix` has its own"),
	REAL(fill, temperature, "m^2/s^2", NULL, "> 0",
		 "granular temperature of the random velocities at the start: the mass-weighted mean square of the deviations "
		 "from `velocity`, divided by the dimension"),
	REAL(fill, angular_temperature, "rad^2/s^2", NULL, "> 0",
		 "strength of the random angular velocities at the start: the mean square of the deviations from "
		 "`angular_velocity`, per axis"),
	REAL(fill, body_temperature, "K", NULL, "> 0",
		 "temperature of the bodies, in scenes with heat; default: `world.temperature`", .only = 3),
	FLAG(fill, held, "false",
		 "bodies keep their velocities; forces do not move them. Moving bodies, free walls and servos may touch them; "
		 "a run stops when they touch other walls or each other"),
	FLAG(fill, locked, "false", "bodies do not rotate"),
	SHAPE_ROWS,
};
TABLE(scree_section_fill, fill, fill_keys, "fill",
	  "Bodies present at the start: at random positions without overlap, on a lattice, or from a table or snapshot.",
	  .most = 1000);

static const key source_keys[] = {
	KEY(TEXT, fill, name, "name for messages and stages"),
	SECTION(fill, region, scree_section_region, "region in which bodies appear; they are entirely inside it", NEEDED),
	REAL(fill, rate, "1/s", NULL, "> 0", "bodies per second", .group = 2, CHANGES),
	REAL(fill, mass_rate, "kg/s", NULL, "> 0", "mass of bodies per second", .group = 2, CHANGES),
	FLAG(fill, active, "true", "false: no bodies appear until a stage sets this to true", CHANGES),
	REAL(fill, from, "s", "0", ">= 0", "start time"),
	REAL(fill, until, "s", NULL, "> 0", "end time; default: never"),
	COUNT(fill, count, NULL, "[1, 1e9]", "total number of bodies; default: no limit", .group = 3),
	REAL(fill, mass, "kg", NULL, "> 0", "total mass of the bodies, to within half a body; default: no limit",
		 .group = 3),
	KEY(MATERIAL, fill, material, "material of the bodies; needed unless each entry of `mix` has its own"),
	REAL(fill, body_temperature, "K", NULL, "> 0",
		 "temperature of the bodies, in scenes with heat; default: `world.temperature`", .only = 3),
	SHAPE_ROWS,
};
TABLE(scree_section_source, fill, source_keys, "source",
	  "Streams of bodies. A source waits while its region has no free position.", .needs = 1u << 2, .most = 200);

static const key below_keys[] = {
	KEY_OF("x", REAL, below, at[0], "bodies with a smaller x", .unit = "m", .group = 1),
	KEY_OF("y", REAL, below, at[1], "bodies with a smaller y", .unit = "m", .group = 1),
	KEY_OF("z", REAL, below, at[2], "bodies with a smaller z", .unit = "m", .group = 1, .only = 3),
};
static TABLE(below, below, below_keys, "below", "A half-space.", .needs = 1u << 1);

static const key sink_keys[] = {
	KEY(TEXT, sink, name, "name for messages and stages"),
	SECTION(sink, below, below, "removes bodies whose centre is below this plane", .group = 1),
	SECTION(sink, region, scree_section_region, "removes bodies whose centre is inside this region", .group = 1),
	FLAG(sink, active, "true", "false: the sink removes nothing until a stage sets this to true", CHANGES),
	{"count_as", KEY_LATER, .help = "columns of the history that count the removed bodies"},
};
TABLE(scree_section_sink, sink, sink_keys, "sink", "Removes bodies.", .needs = 1u << 1, .most = 200);
