/* schema_measures: the table of keys for measures (see schema.h). */
#include "measure/measure.h"
#include "scene/schema.h"

#include <stddef.h>

const char *scree_words_measures(const void *unused, int i)
{
	(void)unused;
	return i < scree_measure_count ? scree_measures[i].name : NULL;
}

static const key flow_keys[] = {
	{"point", KEY_VECTOR, "m", .at = offsetof(flow_spec, point), .required = true,
	 .help = "any point of it; of a rectangle its middle"},
	{"normal", KEY_VECTOR, .at = offsetof(flow_spec, normal), .required = true,
	 .help = "direction in which bodies count as positive; any length"},
	{"length", KEY_REAL, "m", NULL, "> 0", offsetof(flow_spec, length),
	 .help = "of a rectangle, along `along`; in dimension 2 of a segment; default: the whole plane"},
	{"width", KEY_REAL, "m", NULL, "> 0", offsetof(flow_spec, width), .only = 3,
	 .help = "of a rectangle, across `along`"},
	{"along", KEY_DIRECTION, .at = offsetof(flow_spec, along), .only = 3,
	 .help = "direction of `length`, in the plane: x, y, z or a vector; default: y, z, x for a normal along x, y, z"},
};
static const section flow = {"flow", "A plane, or a rectangle, through which bodies are counted.", sizeof(flow_spec),
							 ROWS(flow_keys)};

static const key measure_keys[] = {
	{"every", KEY_REAL, "s", NULL, "> 0", offsetof(measure_spec, every),
	 .help =
		 "simulated time between output times; every step if shorter than a step; needed, unless `history` is true: "
		 "then the measure has no table of its own",
	 .changes = true},
	{"active", KEY_FLAG, .standard = "true", .at = offsetof(measure_spec, active), .changes = true,
	 .help = "whether its table is written; a stage can begin and end it"},
	{"history", KEY_FLAG, .standard = "false", .at = offsetof(measure_spec, history),
	 .help = "whether its values are also columns NAME.COLUMN of `output.history`, at the times of the history; only a "
			 "measure with one row per time"},
	{"region", KEY_SECTION, .of = &scree_section_region, .at = offsetof(measure_spec, region),
	 .help = "bodies whose centre is in this part of space; default: `world.domain` (the present cell if it changes "
			 "its size), "
			 "or all bodies if there is none"},
	{"sink", KEY_TEXT, .at = offsetof(measure_spec, sink), .help = "flow into the sink of this name"},
	{"plane", KEY_SECTION, .of = &flow, .at = offsetof(measure_spec, plane),
	 .help = "flow through this plane: centres of bodies that pass it, along its normal less against it"},
	{"cells", KEY_COUNTS, NULL, "[1, 1, 1]", "[1, 100000]", offsetof(measure_spec, cells),
	 .help = "cells of the region, each with a row of its own: of a box along x, y, z; of a cylinder `[rings, 1, "
			 "slices]`, slices along its axis; of a sphere `[shells, 1, 1]`",
	 .flat = "[1, 1]"},
	{"material", KEY_MATERIAL, .at = offsetof(measure_spec, material), .help = "only bodies of this material"},
	{"sizes", KEY_PAIR, "m", NULL, "> 0", offsetof(measure_spec, sizes), .help = "only bodies of sizes between these"},
	{"classes", KEY_COUNT, NULL, "1", "[1, 1000]", offsetof(measure_spec, classes),
	 .help = "with `sizes`: classes of size of equal width, each with rows of its own"},
	{"values", KEY_WORDS, .words = scree_words_measures, .at = offsetof(measure_spec, words),
	 .help = "columns, as docs/files.md lists them; default: all that the region allows"},
};
const section scree_section_measure = {"measure", "A table of averages and sums over the bodies of a region.",
									   sizeof(measure_spec), ROWS(measure_keys), .most = 16};

static const char *functions(const void *unused, int i)
{
	static const char *const word[] = {"lucy", "gaussian"}; /* as field_function */
	(void)unused;
	return i < 2 ? word[i] : NULL;
}

static const key field_keys[] = {
	{"every", KEY_REAL, "s", NULL, "> 0", offsetof(field_spec, every), .required = true,
	 .help = "simulated time between files; every step if shorter than a step", .changes = true},
	{"active", KEY_FLAG, .standard = "true", .at = offsetof(field_spec, active), .changes = true,
	 .help = "whether it is written; a stage can begin and end it"},
	{"min", KEY_VECTOR, "m", .at = offsetof(field_spec, min),
	 .help = "lower corner of the grid; default: `world.domain`"},
	{"max", KEY_VECTOR, "m", .at = offsetof(field_spec, max),
	 .help = "upper corner of the grid; default: `world.domain`"},
	{"cells", KEY_COUNTS, NULL, NULL, "[1, 100000]", offsetof(field_spec, cells), .required = true,
	 .help = "cells of the grid along x, y and z; values are those at their centres"},
	{"width", KEY_REAL, "m", NULL, "> 0", offsetof(field_spec, width), .required = true,
	 .help =
		 "width of the coarse-graining function: standard deviation of the Gaussian, which ends at three widths; half "
		 "of the radius of Lucy's function"},
	{"function", KEY_WORD, .standard = "lucy", .words = functions, .at = offsetof(field_spec, function),
	 .help = "coarse-graining function"},
};
const section scree_section_fields = {"fields", "Coarse-grained fields on a grid (docs/theory/measures.md).",
									  sizeof(field_spec), ROWS(field_keys)};
