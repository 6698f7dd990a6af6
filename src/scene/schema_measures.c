/* schema_measures: the table of keys for measures (see schema.h). */
#include "measure/measure.h"
#include "scene/schema.h"

#include <stddef.h>

static NAMES(measures, i < scree_measure_count ? scree_measures[i].name : NULL);

static const key flow_keys[] = {
	VECTOR(flow, point, "m", NULL, "any point of it; of a rectangle its middle", .required = true),
	VECTOR(flow, normal, NULL, NULL, "direction in which bodies count as positive; any length", .required = true),
	REAL(flow, length, "m", NULL, "> 0",
		 "of a rectangle, along `along`; in dimension 2 of a segment; default: the whole plane"),
	REAL(flow, width, "m", NULL, "> 0", "of a rectangle, across `along`", .only = 3),
	KEY(DIRECTION, flow, along,
		"direction of `length`, in the plane: x, y, z or a vector; default: y, z, x for a normal along x, y, z",
		.only = 3),
};
static const section flow =
	TABLE(flow, flow_keys, "flow", "A plane, or a rectangle, through which bodies are counted.");

static const key measure_keys[] = {
	REAL(measure, every, "s", NULL, "> 0",
		 "simulated time between output times; every step if shorter than a step; needed, unless `history` is true: "
		 "then the measure has no table of its own",
		 .changes = true),
	FLAG(measure, active, "true", "whether its table is written; a stage can begin and end it", .changes = true),
	FLAG(measure, history, "false",
		 "whether its values are also columns NAME.COLUMN of `output.history`, at the times of the history; only a "
		 "measure with one row per time"),
	SECTION(measure, region, scree_section_region,
			"bodies whose centre is in this part of space; default: `world.domain` (the present cell if it changes its "
			"size), or all bodies if there is none"),
	KEY(TEXT, measure, sink, "flow into the sink of this name"),
	SECTION(measure, plane, flow,
			"flow through this plane: centres of bodies that pass it, along its normal less against it"),
	KEY(COUNTS, measure, cells,
		"cells of the region, each with a row of its own: of a box along x, y, z; of a cylinder `[rings, 1, slices]`, "
		"slices along its axis; of a sphere `[shells, 1, 1]`",
		.standard = "[1, 1, 1]", .range = "[1, 100000]", .flat = "[1, 1]"),
	KEY(MATERIAL, measure, material, "only bodies of this material"),
	KEY(PAIR, measure, sizes, "only bodies of sizes between these", .unit = "m", .range = "> 0"),
	COUNT(measure, classes, "1", "[1, 1000]",
		  "with `sizes`: classes of size of equal width, each with rows of its own"),
	KEY_OF("values", WORDS, measure, words, "columns, as docs/files.md lists them; default: all that the region allows",
		   .words = measures),
};
const section scree_section_measure =
	TABLE(measure, measure_keys, "measure", "A table of averages and sums over the bodies of a region.", .most = 16);

static WORDS(functions, "lucy", "gaussian"); /* as field_function */

static const key field_keys[] = {
	REAL(field, every, "s", NULL, "> 0", "simulated time between files; every step if shorter than a step",
		 .required = true, .changes = true),
	FLAG(field, active, "true", "whether it is written; a stage can begin and end it", .changes = true),
	VECTOR(field, min, "m", NULL, "lower corner of the grid; default: `world.domain`"),
	VECTOR(field, max, "m", NULL, "upper corner of the grid; default: `world.domain`"),
	KEY(COUNTS, field, cells, "cells of the grid along x, y and z; values are those at their centres",
		.range = "[1, 100000]", .required = true),
	REAL(field, width, "m", NULL, "> 0",
		 "width of the coarse-graining function: standard deviation of the Gaussian, which ends at three widths; half "
		 "of the radius of Lucy's function",
		 .required = true),
	WORD(field, function, functions, "lucy", "coarse-graining function"),
};
const section scree_section_fields =
	TABLE(field, field_keys, "fields", "Coarse-grained fields on a grid (docs/theory/measures.md).");
