/* schema_fill: the table of keys for fills, sources and sinks (see schema.h). */
#include "scene/schema.h"

#include <stddef.h>

static const key box_keys[] = {
	{"min", KEY_VECTOR, "m", .at = offsetof(box_spec, min), .required = true, .help = "lower corner"},
	{"max", KEY_VECTOR, "m", .at = offsetof(box_spec, max), .required = true, .help = "upper corner"},
};
static const section box = {"box_region", "A box.", sizeof(box_spec), ROWS(box_keys)};

static const key cylinder_keys[] = {
	{"radius", KEY_REAL, "m", NULL, "> 0", offsetof(tube_spec, radius), .required = true,
	 .help = "radius of the cylinder"},
	{"length", KEY_REAL, "m", NULL, "> 0", offsetof(tube_spec, length), .required = true,
	 .help = "length of the cylinder"},
	{"axis", KEY_DIRECTION, .standard = "z", .at = offsetof(tube_spec, axis), .help = "x, y, z or a vector"},
	{"center", KEY_VECTOR, "m", "[0, 0, 0]", .at = offsetof(tube_spec, center), .help = "centre of the cylinder"},
};
static const section cylinder = {"cylinder_region", "A cylinder.", sizeof(tube_spec), ROWS(cylinder_keys)};

static const key sphere_keys[] = {
	{"radius", KEY_REAL, "m", NULL, "> 0", offsetof(tube_spec, radius), .required = true,
	 .help = "radius of the sphere"},
	{"center", KEY_VECTOR, "m", "[0, 0, 0]", .at = offsetof(tube_spec, center), .help = "centre of the sphere"},
};
static const section sphere = {"sphere_region", "A sphere.", sizeof(tube_spec), ROWS(sphere_keys)};

static const key disc_keys[] = {
	{"radius", KEY_REAL, "m", NULL, "> 0", offsetof(tube_spec, radius), .required = true, .help = "radius of the disc"},
	{"center", KEY_VECTOR, "m", "[0, 0]", .at = offsetof(tube_spec, center), .help = "centre of the disc"},
};
static const section disc = {"disc_region", "A disc.", sizeof(tube_spec), ROWS(disc_keys)};

static const key segment_keys[] = {
	{"from", KEY_VECTOR, "m", .at = offsetof(segment_spec, from), .required = true, .help = "one end"},
	{"to", KEY_VECTOR, "m", .at = offsetof(segment_spec, to), .required = true, .help = "the other end"},
};
static const section segment = {"segment_region", "A straight line segment; centres of bodies lie on it.",
								sizeof(segment_spec), ROWS(segment_keys)};

static const key region_keys[] = {
	{"box", KEY_SECTION, .of = &box, .at = offsetof(region_spec, box), .group = 1, .help = "a box"},
	{"cylinder", KEY_SECTION, .of = &cylinder, .at = offsetof(region_spec, cylinder), .group = 1, .help = "a cylinder",
	 .only = 3, .instead = "disc"},
	{"sphere", KEY_SECTION, .of = &sphere, .at = offsetof(region_spec, sphere), .group = 1, .help = "a sphere",
	 .only = 3, .instead = "disc"},
	{"disc", KEY_SECTION, .of = &disc, .at = offsetof(region_spec, disc), .group = 1, .help = "a disc", .only = 2,
	 .instead = "sphere"},
	{"segment", KEY_SECTION, .of = &segment, .at = offsetof(region_spec, segment), .group = 1,
	 .help = "a straight line segment", .only = 2},
};
const section scree_section_region = {"region", "A part of space.", sizeof(region_spec), ROWS(region_keys),
									  .needs = 1u << 1};

static const key normal_keys[] = {
	{"mean", KEY_REAL, "m", NULL, "> 0", offsetof(normal_spec, mean), .required = true, .help = "mean size"},
	{"sd", KEY_REAL, "m", NULL, ">= 0", offsetof(normal_spec, sd), .required = true,
	 .help = "standard deviation before the cut, which leaves 0.987 of it for `normal` and `cut: 3`, 0.98 for "
			 "`lognormal` with "
			 "an `sd` of 0.3 of the mean, and 0.999 with `cut: 4`"},
	{"cut", KEY_REAL, NULL, "3", "[0.01, 10]", offsetof(normal_spec, cut),
	 .help =
		 "sizes that differ from the mean by more than this many standard deviations are drawn again; for `lognormal` "
		 "this holds for their logarithm"},
};
static const section normal = {"normal_size", "A distribution of sizes; all sizes are positive.", sizeof(normal_spec),
							   ROWS(normal_keys)};

static const char *sieve_ways(const void *unused, int i)
{
	static const char *const word[] = {"mass", "number"};
	(void)unused;
	return i < 2 ? word[i] : NULL;
}

static const char *share_ways(const void *unused, int i) { return i < 2 ? sieve_ways(unused, 1 - i) : NULL; }

static const char *interpolations(const void *unused, int i)
{
	static const char *const word[] = {"logarithmic", "linear"};
	(void)unused;
	return i < 2 ? word[i] : NULL;
}

static const key sieve_keys[] = {
	{"size", KEY_REALS, "m", NULL, "> 0", offsetof(sieve_spec, size), .group = 1,
	 .help = "openings of the sieves, rising, at most 65"},
	{"file", KEY_FILE, .at = offsetof(sieve_spec, file), .group = 1,
	 .help = "a table (CSV) with the columns `size` and `passing`; the line of names may give units: `size [mm]`, "
			 "`passing [%]`"},
	{"passing", KEY_REALS, NULL, NULL, "[0, 100]", offsetof(sieve_spec, passing),
	 .help =
		 "with `size`: part of the bodies that passes each sieve, rising to 1, or to 100 in per cent; what passes the "
		 "finest sieve counts as of its size"},
	{"by", KEY_WORD, .standard = "mass", .words = sieve_ways, .at = offsetof(sieve_spec, by),
	 .help = "whether `passing` is a part of the mass or of the number of bodies"},
	{"interpolation", KEY_WORD, .standard = "logarithmic", .words = interpolations,
	 .at = offsetof(sieve_spec, interpolation),
	 .help = "between two sieves `passing` is linear in the logarithm of the size, or in the size"},
};
static const char *const sieve_columns[] = {"size", "passing", NULL};
static const section sieve = {"sieve_size",
							  "A sieve curve: the distribution of sizes between sieves.",
							  sizeof(sieve_spec),
							  ROWS(sieve_keys),
							  .needs = 1u << 1,
							  .columns = sieve_columns,
							  .example = "sieve: [[1 mm, 0], [2 mm, 20 %], [4 mm, 100 %]]"};

static const key size_keys[] = {
	{"value", KEY_REAL, "m", NULL, "> 0", offsetof(size_spec, value), .group = 1,
	 .help = "one size for all; `size: 4 mm` is short for it"},
	{"uniform", KEY_PAIR, "m", NULL, "> 0", offsetof(size_spec, uniform), .group = 1,
	 .help = "uniformly distributed between these two sizes"},
	{"normal", KEY_SECTION, .of = &normal, .at = offsetof(size_spec, normal), .group = 1,
	 .help = "normally distributed"},
	{"lognormal", KEY_SECTION, .of = &normal, .at = offsetof(size_spec, lognormal), .group = 1,
	 .help = "lognormally distributed; mean and sd are those of the size"},
	{"sieve", KEY_SECTION, .of = &sieve, .at = offsetof(size_spec, sieve), .group = 1, .help = "a sieve curve"},
};
static const section size = {"size",
							 "Factor that scales the unit shape: a length, or a distribution of lengths.",
							 sizeof(size_spec),
							 ROWS(size_keys),
							 .shorthand = "value",
							 .needs = 1u << 1};

static const key mix_keys[] = {
	{"shape", KEY_SHAPE, .at = offsetof(mix_spec, shape), .required = true, .help = "name of a shape under shapes"},
	{"share", KEY_REAL, NULL, "1", "> 0", offsetof(mix_spec, share), .group = 1,
	 .help = "share by number, or by mass (`by`); shares need not sum to 1"},
	{"mass_share", KEY_REAL, NULL, NULL, "> 0", offsetof(mix_spec, mass_share), .group = 1,
	 .help = "in all entries, instead of `share` and `by: mass`: share by mass"},
	{"size", KEY_SECTION, .of = &size, .at = offsetof(mix_spec, size), .required = true,
	 .help = "size or distribution of sizes"},
	{"material", KEY_MATERIAL, .at = offsetof(mix_spec, material),
	 .help = "material of these bodies; default: that of the fill or source"},
};
const section scree_section_mix = {"mix", "Kinds of bodies that are placed together.", sizeof(mix_spec), ROWS(mix_keys),
								   .most = 16};

static const key lattice_keys[] = {
	{"spacing", KEY_EVEN, "m", NULL, "> 0", offsetof(lattice_spec, spacing), .required = true,
	 .help =
		 "edge lengths of the cells, one or three; each cell has one body at its centre, without a test for overlap"},
	{"count", KEY_COUNTS, NULL, NULL, "[1, 100000]", offsetof(lattice_spec, count),
	 .help = "cells along x, y and z, centred in the region; default: as many as fit"},
};
static const section lattice = {"lattice", "A regular arrangement.", sizeof(lattice_spec), ROWS(lattice_keys),
								.shorthand = "spacing"};

#define SHAPE_ROWS                                                                                                     \
	{"shape", KEY_SHAPE, .at = offsetof(fill_spec, shape), .group = 1,                                                 \
	 .help = "name of a shape under shapes, for bodies of one shape"},                                                 \
		{"size", KEY_SECTION, .of = &size, .at = offsetof(fill_spec, size),                                            \
		 .help = "with `shape`: size or distribution of sizes"},                                                       \
		{"mix",                                                                                                        \
		 KEY_LIST,                                                                                                     \
		 .of = &scree_section_mix,                                                                                     \
		 .at = offsetof(fill_spec, mix),                                                                               \
		 .group = 1,                                                                                                   \
		 .help = "several shapes, sizes and materials with their shares"},                                             \
		{"by",                                                                                                         \
		 KEY_WORD,                                                                                                     \
		 .standard = "number",                                                                                         \
		 .words = share_ways,                                                                                          \
		 .at = offsetof(fill_spec, by),                                                                                \
		 .help = "with `mix`: whether shares are parts of the number of bodies, or of their mass"},                    \
		{"orientation", KEY_ORIENTATION, .standard = "aligned", .at = offsetof(fill_spec, orientation),                \
		 .help = "aligned, random, or a quaternion [w, x, y, z]; in dimension 2 an angle"},                            \
		{"velocity",                                                                                                   \
		 KEY_VECTOR,                                                                                                   \
		 "m/s",                                                                                                        \
		 "[0, 0, 0]",                                                                                                  \
		 .at = offsetof(fill_spec, velocity),                                                                          \
		 .help = "velocity at the start",                                                                              \
		 .flat = "[0, 0]"},                                                                                            \
		{"angular_velocity",                                                                                           \
		 KEY_SPIN,                                                                                                     \
		 "rad/s",                                                                                                      \
		 "[0, 0, 0]",                                                                                                  \
		 .at = offsetof(fill_spec, angular_velocity),                                                                  \
		 .help = "angular velocity at the start",                                                                      \
		 .flat = "0"},                                                                                                 \
	{                                                                                                                  \
		"seed", KEY_COUNT, NULL, "1", "[0, 1e15]", offsetof(fill_spec, seed), .help = "seed of all random choices"     \
	}

static const key fill_keys[] = {
	{"name", KEY_TEXT, .at = offsetof(fill_spec, name), .help = "name for messages"},
	{"region", KEY_SECTION, .of = &scree_section_region, .at = offsetof(fill_spec, region),
	 .help = "where bodies are placed, wholly inside"},
	{"lattice", KEY_SECTION, .of = &lattice, .at = offsetof(fill_spec, lattice), .group = 2,
	 .help = "regular arrangement instead of random positions"},
	{"from", KEY_FILE, .at = offsetof(fill_spec, from_table), .group = 2,
	 .help = "a table of bodies (CSV), for example NAME_bodies.csv of a run, or the snapshot NAME.snap of a run with "
			 "its contact histories; it excludes region and count"},
	{"time", KEY_REAL, "s", NULL, ">= 0", offsetof(fill_spec, time),
	 .help = "for a table with a column `time`: output time to read, the nearest one; default: the last one"},
	{"count", KEY_COUNT, NULL, NULL, "[1, 1e9]", offsetof(fill_spec, count), .group = 3,
	 .help = "number of bodies; on a lattice, the lowest cells are filled first"},
	{"solid_fraction", KEY_REAL, NULL, NULL, "(0, 1)", offsetof(fill_spec, solid_fraction), .group = 3,
	 .help = "add bodies until this solid fraction of the region is reached; at most 0.74 without `dense`"},
	{"dense", KEY_FLAG, .at = offsetof(fill_spec, dense),
	 .help = "instead of random positions without contacts: small bodies grow and push each other apart, without "
			 "friction, up to random close packing; default: true where random positions do not reach a "
			 "`solid_fraction` of spheres"},
	{"mass", KEY_REAL, "kg", NULL, "> 0", offsetof(fill_spec, mass), .group = 3,
	 .help = "total mass of the bodies, to half a body"},
	{"material", KEY_MATERIAL, .at = offsetof(fill_spec, material),
	 .help = "material of the bodies; needed unless `from` contains it, or each entry of `mix` names its own"},
	{"temperature", KEY_REAL, "m^2/s^2", NULL, "> 0", offsetof(fill_spec, temperature),
	 .help =
		 "granular temperature of random velocities at the start: the mean square of their deviation from `velocity`, "
		 "weighted by mass, over the dimension"},
	{"angular_temperature", KEY_REAL, "rad^2/s^2", NULL, "> 0", offsetof(fill_spec, angular_temperature),
	 .help =
		 "random angular velocities at the start: the mean square of the deviation from `angular_velocity`, per axis"},
	{"body_temperature", KEY_REAL, "K", NULL, "> 0", offsetof(fill_spec, body_temperature), .only = 3,
	 .help = "temperature of the bodies, in scenes with heat; default: `world.temperature`"},
	{"held", KEY_FLAG, .standard = "false", .at = offsetof(fill_spec, held),
	 .help = "bodies keep their velocities; forces do not move them. They meet bodies that move, free walls and "
			 "servos; a run stops where they meet other walls or each other"},
	{"locked", KEY_FLAG, .standard = "false", .at = offsetof(fill_spec, locked), .help = "bodies do not rotate"},
	SHAPE_ROWS,
};
const section scree_section_fill = {
	"fill", "Bodies at the start: at random positions without overlap, on a lattice, or from a table or snapshot.",
	sizeof(fill_spec), ROWS(fill_keys), .most = 1000};

static const key source_keys[] = {
	{"name", KEY_TEXT, .at = offsetof(fill_spec, name), .help = "name for messages and stages"},
	{"region", KEY_SECTION, .of = &scree_section_region, .at = offsetof(fill_spec, region), .required = true,
	 .help = "where bodies appear, wholly inside"},
	{"rate", KEY_REAL, "1/s", NULL, "> 0", offsetof(fill_spec, rate), .group = 2, .help = "bodies per second",
	 .changes = true},
	{"mass_rate", KEY_REAL, "kg/s", NULL, "> 0", offsetof(fill_spec, mass_rate), .group = 2,
	 .help = "mass of bodies per second", .changes = true},
	{"active", KEY_FLAG, .standard = "true", .at = offsetof(fill_spec, active),
	 .help = "false: no bodies appear, until a stage sets it to true", .changes = true},
	{"from", KEY_REAL, "s", "0", ">= 0", offsetof(fill_spec, from), .help = "start time"},
	{"until", KEY_REAL, "s", NULL, "> 0", offsetof(fill_spec, until), .help = "end time; default: never"},
	{"count", KEY_COUNT, NULL, NULL, "[1, 1e9]", offsetof(fill_spec, count), .group = 3,
	 .help = "total number of bodies; default: no limit"},
	{"mass", KEY_REAL, "kg", NULL, "> 0", offsetof(fill_spec, mass), .group = 3,
	 .help = "total mass of the bodies, to half a body; default: no limit"},
	{"material", KEY_MATERIAL, .at = offsetof(fill_spec, material),
	 .help = "material of the bodies; needed unless each entry of `mix` names its own"},
	{"body_temperature", KEY_REAL, "K", NULL, "> 0", offsetof(fill_spec, body_temperature), .only = 3,
	 .help = "temperature of the bodies, in scenes with heat; default: `world.temperature`"},
	SHAPE_ROWS,
};
const section scree_section_source = {
	"source",		   "Streams of bodies. A source waits while its region has no free position.",
	sizeof(fill_spec), ROWS(source_keys),
	.needs = 1u << 2,  .most = 200};

static const key below_keys[] = {
	{"x", KEY_REAL, "m", .at = offsetof(below_spec, at[0]), .group = 1, .help = "bodies with a smaller x"},
	{"y", KEY_REAL, "m", .at = offsetof(below_spec, at[1]), .group = 1, .help = "bodies with a smaller y"},
	{"z", KEY_REAL, "m", .at = offsetof(below_spec, at[2]), .group = 1, .help = "bodies with a smaller z", .only = 3},
};
static const section below = {"below", "A half-space.", sizeof(below_spec), ROWS(below_keys), .needs = 1u << 1};

static const key sink_keys[] = {
	{"name", KEY_TEXT, .at = offsetof(sink_spec, name), .help = "name for messages and stages"},
	{"below", KEY_SECTION, .of = &below, .at = offsetof(sink_spec, below), .group = 1,
	 .help = "removes bodies whose centre is below"},
	{"region", KEY_SECTION, .of = &scree_section_region, .at = offsetof(sink_spec, region), .group = 1,
	 .help = "removes bodies whose centre is inside"},
	{"active", KEY_FLAG, .standard = "true", .at = offsetof(sink_spec, active),
	 .help = "false: it removes nothing, until a stage sets it to true", .changes = true},
	{"count_as", KEY_LATER, .help = "columns of the history that count removed bodies"},
};
const section scree_section_sink = {"sink",			 "Removes bodies.", sizeof(sink_spec),
									ROWS(sink_keys), .needs = 1u << 1,	.most = 200};
