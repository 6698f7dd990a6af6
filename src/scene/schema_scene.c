/* schema_scene: the tables of keys for the whole scene and for its stages (see schema.h). */
#include "scene/schema.h"

/* Values of `unchanged`: energies and counts in the history (library/stages.c). */
WORDS(scree_words_steady, "kinetic", "potential", "elastic", "lost_normal", "lost_friction", "lost_rolling", "bodies",
	  "contacts");
static WORDS(thens, "stop", "continue");

static const key until_keys[] = {
	/* the first keys, from END_AFTER on, in the order of stage_end */
	REAL(until, after, "s", NULL, "> 0", "this long after the stage began, at the nearest step", .group = 1),
	REAL(until, kinetic_energy, "J", NULL, "> 0", "the kinetic energy of all bodies is below this", .group = 1),
	REAL(until, speed, "m/s", NULL, "> 0", "the fastest body is slower than this", .group = 1),
	REAL(until, force, "N", NULL, "> 0", "the force of all bodies on `wall` is at least this, in any direction",
		 .group = 1),
	REAL(until, pressure, "Pa", NULL, "> 0", "the force of all bodies on `wall`, divided by `area`, is at least this",
		 .group = 1),
	REAL(until, mass_out, "kg", NULL, "> 0", "sinks have removed at least this mass since the stage began", .group = 1),
	REAL(until, sliding, NULL, NULL, "(0, 1]",
		 "contacts are at rest: there are contacts, and fewer than this fraction of them slide", .group = 1),
	REAL(until, stress, "Pa", NULL, "> 0",
		 "the normal stress of the periodic cell along the axis `along` is at least this, positive in compression; "
		 "without `along`, the mean of the normal stresses is compared",
		 .group = 1),
	REAL(until, strain, NULL, NULL, "[-10, 10]",
		 "the cell has been strained by this much since the stage began, negative in compression: the change in the "
		 "logarithm of its size along the axis `along` or, without `along`, of its volume",
		 .group = 1),
	REAL(until, servo, NULL, NULL, "(0, 1]",
		 "all stresses of `world.servo` are reached within this tolerance, as a fraction of the largest target",
		 .group = 1),
	WORD(until, unchanged, scree_words_steady, NULL,
		 "this value in the history has changed by less than `within` during the time `for`", .group = 1),
	KEY(TEXT, until, wall, "name of the wall for `force` or `pressure`; a face of a box is NAME.z_max and so on"),
	REAL(until, area, "m^2", NULL, "> 0", "area of `pressure`"),
	WORD(until, along, scree_words_axes, NULL, "axis for `stress` or `strain`"),
	REAL(until, within, NULL, "1 %", "(0, 1]", "for `unchanged`: largest change, as a fraction of the value"),
	KEY_OF("for", REAL, until, hold, "time during which the condition must hold without interruption", .unit = "s",
		   .standard = "0", .range = ">= 0"),
	REAL(until, at_least, "s", "0", ">= 0", "the condition is not tested until this time after the stage began"),
	REAL(until, at_most, "s", NULL, "> 0",
		 "time limit for a condition, from the start of the stage; every condition needs one"),
	WORD(until, then, thens, "stop",
		 "what happens at `at_most`: `stop` stops the run, as a guard does (exit code 3), `continue` begins the next "
		 "stage"),
};
static TABLE(until, until, until_keys, "until", "End of a stage. Conditions are tested every 100 steps of the stage.",
			 .shorthand = "after", .needs = 1u << 1);

#define CHANGE(name, k, keys, help) KEY_OF(name, CHANGES, stage, change[k], help, .of = &(keys))

static const key stage_keys[] = {
	KEY(TEXT, stage, name, "name for messages and the history", NEEDED),
	SECTION(stage, until, until,
			"when the stage ends; if it is missing in the last stage, that stage ends at `run.until`"),
	CHANGE("world", 0, scree_section_world, "changes of `world`"),
	CHANGE("materials", 1, scree_section_material, "changes to `materials`, by name"),
	CHANGE("contacts", 2, scree_section_rule, "changes to `contacts`: `default` and pairs"),
	CHANGE("walls", 3, scree_section_wall, "changes to `walls`, by name"),
	CHANGE("sources", 4, scree_section_source, "changes to `sources`, by name"),
	CHANGE("sinks", 5, scree_section_sink, "changes to `sinks`, by name"),
	CHANGE("run", 6, scree_section_run, "changes of `run`"),
	CHANGE("output", 7, scree_section_output, "changes of `output`"),
};
static TABLE(stage, stage, stage_keys, "stage",
			 "A part of the run. It begins with the changes that it lists and ends when its condition holds.",
			 .most = 200);

static const key scene_keys[] = {
	COUNT(scene, scene, NULL, "[1, 1]", "version of the scene language", NEEDED),
	KEY(TEXT, scene, title, "one line", .standard = ""),
	{"include", KEY_INCLUDE, .help = "files to read first; the scene's own entries override theirs"},
	{"let", KEY_LETS, .help = "named values for expressions"},
	SECTION(scene, world, scree_section_world, "space and gravity", .standard = "{}", CHANGES),
	KEY(NAMED, scene, materials, "materials, by name", .of = &scree_section_material, CHANGES),
	KEY(NAMED, scene, contacts, "contact laws: `default` and pairs `a + b`", .standard = "{}",
		.of = &scree_section_rule, CHANGES),
	KEY(NAMED, scene, shapes, "shapes, by name", .of = &scree_section_shape),
	KEY(NAMED, scene, walls, "walls, by name", .of = &scree_section_wall, CHANGES),
	KEY(LIST, scene, fill, "bodies at the start", .of = &scree_section_fill),
	KEY(LIST, scene, sources, "streams of bodies", .of = &scree_section_source, CHANGES),
	KEY(LIST, scene, sinks, "regions that remove bodies", .of = &scree_section_sink, CHANGES),
	KEY(LIST, scene, stages, "consecutive parts of the run, each with its own changes", .of = &stage),
	SECTION(scene, run, scree_section_run, "duration, time step and methods", .standard = "{}", CHANGES),
	SECTION(scene, output, scree_section_output, "files to write", .standard = "{}", CHANGES),
};
TABLE(scree_scene_section, scene, scene_keys, "scene", "The whole scene.");
