/* schema_scene: the tables of keys for a scene as a whole and for its stages (see schema.h). */
#include "scene/schema.h"

#include <stddef.h>

/* Values of `unchanged`, as energies and counts of the history (library/stages.c). */
const char *scree_words_steady(const void *unused, int i)
{
	static const char *const word[] = {"kinetic",		"potential",	"elastic", "lost_normal",
									   "lost_friction", "lost_rolling", "bodies",  "contacts"};
	(void)unused;
	return i < (int)(sizeof word / sizeof *word) ? word[i] : NULL;
}

static const char *thens(const void *unused, int i)
{
	static const char *const word[] = {"stop", "continue"};
	(void)unused;
	return i < 2 ? word[i] : NULL;
}

static const key until_keys[] = {
	{"after", KEY_REAL, "s", NULL, "> 0", offsetof(until_spec, after), .group = 1,
	 .help = "this long after the stage began, at the nearest step"},
	{"kinetic_energy", KEY_REAL, "J", NULL, "> 0", offsetof(until_spec, kinetic_energy), .group = 1,
	 .help = "the kinetic energy of all bodies is below this"},
	{"speed", KEY_REAL, "m/s", NULL, "> 0", offsetof(until_spec, speed), .group = 1,
	 .help = "the fastest body is slower than this"},
	{"force", KEY_REAL, "N", NULL, "> 0", offsetof(until_spec, force), .group = 1,
	 .help = "the force of all bodies on `wall` is at least this, in any direction"},
	{"pressure", KEY_REAL, "Pa", NULL, "> 0", offsetof(until_spec, pressure), .group = 1,
	 .help = "the force of all bodies on `wall`, divided by `area`, is at least this"},
	{"mass_out", KEY_REAL, "kg", NULL, "> 0", offsetof(until_spec, mass_out), .group = 1,
	 .help = "sinks have removed at least this mass since the stage began"},
	{"sliding", KEY_REAL, NULL, NULL, "(0, 1]", offsetof(until_spec, sliding), .group = 1,
	 .help = "contacts are at rest: there are some, and less than this fraction of them slides"},
	{"stress", KEY_REAL, "Pa", NULL, "> 0", offsetof(until_spec, stress), .group = 1,
	 .help = "the normal stress of the periodic cell along the axis `along` is at least this, compression positive; "
			 "without `along` the mean of the normal stresses"},
	{"strain", KEY_REAL, NULL, NULL, "[-10, 10]", offsetof(until_spec, strain), .group = 1,
	 .help = "the cell has been strained by this much since the stage began, negative in compression: the logarithm of "
			 "its size along the axis `along`; without `along` that of its volume"},
	{"servo", KEY_REAL, NULL, NULL, "(0, 1]", offsetof(until_spec, servo), .group = 1,
	 .help = "all stresses of `world.servo` are reached: relative tolerance, as a fraction of the largest target"},
	{"unchanged", KEY_WORD, .words = scree_words_steady, .at = offsetof(until_spec, unchanged), .group = 1,
	 .help = "this value of the history has changed by less than `within` during the time `for`"},
	{"wall", KEY_TEXT, .at = offsetof(until_spec, wall),
	 .help = "name of the wall of `force` or `pressure`; of a box, NAME.z_max and so on"},
	{"area", KEY_REAL, "m^2", NULL, "> 0", offsetof(until_spec, area), .help = "area of `pressure`"},
	{"along", KEY_WORD, .words = scree_words_axes, .at = offsetof(until_spec, along),
	 .help = "axis of `stress` or `strain`"},
	{"within", KEY_REAL, NULL, "1 %", "(0, 1]", offsetof(until_spec, within),
	 .help = "for `unchanged`: largest change, as a fraction of the value"},
	{"for", KEY_REAL, "s", "0", ">= 0", offsetof(until_spec, hold),
	 .help = "time during which the condition must hold without a break"},
	{"at_least", KEY_REAL, "s", "0", ">= 0", offsetof(until_spec, at_least),
	 .help = "the condition is not tested earlier than this after the stage began"},
	{"at_most", KEY_REAL, "s", NULL, "> 0", offsetof(until_spec, at_most),
	 .help = "time limit of a condition, from the start of the stage; every condition needs one"},
	{"then", KEY_WORD, .standard = "stop", .words = thens, .at = offsetof(until_spec, then),
	 .help =
		 "what happens at `at_most`: `stop` stops the run as a guard does (exit code 3), `continue` begins the next "
		 "stage"},
};
static const section until = {"until",
							  "End of a stage. Conditions are tested every 100 steps, from its start.",
							  sizeof(until_spec),
							  ROWS(until_keys),
							  .shorthand = "after",
							  .needs = 1u << 1};

#define CHANGE(name, k, section, help_text)                                                                            \
	{                                                                                                                  \
		name, KEY_CHANGES, .of = &(section), .at = offsetof(stage_spec, change[k]), .help = help_text                  \
	}

static const key stage_keys[] = {
	{"name", KEY_TEXT, .at = offsetof(stage_spec, name), .required = true, .help = "name for messages and the history"},
	{"until", KEY_SECTION, .of = &until, .at = offsetof(stage_spec, until),
	 .help = "when the stage ends; without it the last stage ends at `run.until`"},
	CHANGE("world", 0, scree_section_world, "changes of `world`"),
	CHANGE("materials", 1, scree_section_material, "changes of `materials`, by name"),
	CHANGE("contacts", 2, scree_section_rule, "changes of `contacts`: `default` and pairs"),
	CHANGE("walls", 3, scree_section_wall, "changes of `walls`, by name"),
	CHANGE("sources", 4, scree_section_source, "changes of `sources`, by name"),
	CHANGE("sinks", 5, scree_section_sink, "changes of `sinks`, by name"),
	CHANGE("run", 6, scree_section_run, "changes of `run`"),
	CHANGE("output", 7, scree_section_output, "changes of `output`"),
};
static const section stage = {
	"stage", "A part of the run. It begins with the changes that it names, and ends when its condition holds.",
	sizeof(stage_spec), ROWS(stage_keys), .most = 200};

static const key scene_keys[] = {
	{"scene", KEY_COUNT, .range = "[1, 1]", .at = offsetof(scene_spec, scene), .required = true,
	 .help = "version of the scene language"},
	{"title", KEY_TEXT, .standard = "", .at = offsetof(scene_spec, title), .help = "one line"},
	{"include", KEY_INCLUDE, .help = "files to read first; the scene's own entries override theirs"},
	{"let", KEY_LETS, .help = "named values for expressions"},
	{"world", KEY_SECTION, .of = &scree_section_world, .standard = "{}", .at = offsetof(scene_spec, world),
	 .help = "space and gravity", .changes = true},
	{"materials", KEY_NAMED, .of = &scree_section_material, .at = offsetof(scene_spec, materials),
	 .help = "materials, by name", .changes = true},
	{"contacts", KEY_NAMED, .of = &scree_section_rule, .standard = "{}", .at = offsetof(scene_spec, contacts),
	 .help = "contact laws: `default` and pairs `a + b`", .changes = true},
	{"shapes", KEY_NAMED, .of = &scree_section_shape, .at = offsetof(scene_spec, shapes), .help = "shapes, by name"},
	{"walls", KEY_NAMED, .of = &scree_section_wall, .at = offsetof(scene_spec, walls), .help = "walls, by name",
	 .changes = true},
	{"fill", KEY_LIST, .of = &scree_section_fill, .at = offsetof(scene_spec, fill), .help = "bodies at the start"},
	{"sources", KEY_LIST, .of = &scree_section_source, .at = offsetof(scene_spec, sources), .help = "streams of bodies",
	 .changes = true},
	{"sinks", KEY_LIST, .of = &scree_section_sink, .at = offsetof(scene_spec, sinks),
	 .help = "regions that remove bodies", .changes = true},
	{"stages", KEY_LIST, .of = &stage, .at = offsetof(scene_spec, stages),
	 .help = "parts of the run one after another, each with its changes"},
	{"run", KEY_SECTION, .of = &scree_section_run, .standard = "{}", .at = offsetof(scene_spec, run),
	 .help = "duration, time step and methods", .changes = true},
	{"output", KEY_SECTION, .of = &scree_section_output, .standard = "{}", .at = offsetof(scene_spec, output),
	 .help = "files to write", .changes = true},
};
const section scree_scene_section = {"scene", "The whole scene.", sizeof(scene_spec), ROWS(scene_keys)};
