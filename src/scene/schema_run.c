/* schema_run: the table of keys for the run, its output, and the root (see schema.h). */
#include "broad/broad.h"
#include "model/integrator.h"
#include "model/narrow.h"
#include "model/sharing.h"
#include "model/solver.h"
#include "narrow/triangle/triangles.h"
#include "scene/schema.h"

#include <stddef.h>

const char *scree_words_broads(const void *unused, int i)
{
	(void)unused;
	return i < scree_broad_count ? scree_broads[i].name : NULL;
}

static const char *triangle_ways(const void *unused, int i)
{
	(void)unused;
	return i < TRIANGLE_WAYS ? scree_triangle_ways[i].name : NULL;
}

static const char *precisions(const void *unused, int i)
{
	static const char *const word[] = {"double", "float"};
	(void)unused;
	return i < 2 ? word[i] : NULL;
}

static const char *sharings(const void *unused, int i)
{
	(void)unused;
	return i < scree_sharing_count ? scree_sharings[i].name : NULL;
}

const char *scree_words_integrators(const void *unused, int i)
{
	(void)unused;
	return i < scree_integrator_count ? scree_integrators[i].name : NULL;
}

const char *scree_words_narrows(const void *unused, int i)
{
	(void)unused;
	return i < scree_narrow_count ? scree_narrows[i].name : NULL;
}

const char *scree_words_solvers(const void *unused, int i)
{
	(void)unused;
	return i < scree_solver_count ? scree_solvers[i].name : NULL;
}

static const char *responses(const void *unused, int i)
{
	static const char *const word[] = {"forces", "impulses"}; /* as response_type */
	(void)unused;
	return i < 2 ? word[i] : NULL;
}

static const char *lost_words(const void *unused, int i)
{
	static const char *const word[] = {"error", "remove"};
	(void)unused;
	return i < 2 ? word[i] : NULL;
}

static const char *looks(const void *unused, int i)
{
	static const char *const word[] = {"cut", "translucent", "solid", "hidden"}; /* as wall_look */
	(void)unused;
	return i < 4 ? word[i] : NULL;
}

const char *scree_words_colors(const void *unused, int i)
{
	static const char *const word[] = {"speed", "velocity", "angular_velocity", "size", "id", "shape", "material",
									   "force", "height"};
	(void)unused;
	return i < (int)(sizeof word / sizeof *word) ? word[i] : NULL;
}

const char *scree_words_vtk(const void *unused, int i)
{
	static const char *const word[] = {"velocity", "angular_velocity", "force",	   "torque", "mass",   "size", "id",
									   "shape",	   "material",		   "contacts", "image",	 "radius", "type"};
	(void)unused;
	return i < (int)(sizeof word / sizeof *word) ? word[i] : NULL;
}

const char *scree_words_history(const void *unused, int i)
{
	static const char *const word[] = {
		"kinetic",	   "potential", "elastic",		 "lost_normal",	  "lost_friction", "lost_rolling",
		"made",		   "wall_work", "brought",		 "residual",	  "bodies",		   "contacts",
		"max_overlap", "max_speed", "contacts_face", "contacts_edge", "collisions",	   "collisions_total",
		"stress_xx",   "stress_yy", "stress_zz",	 "stress_xy",	  "stress_xz",	   "stress_yz"};
	(void)unused;
	return i < (int)(sizeof word / sizeof *word) ? word[i] : NULL;
}

static const key step_keys[] = {
	{"fraction", KEY_REAL, NULL, NULL, "(0, 0.1]", offsetof(step_spec, fraction), .group = 1,
	 .help = "of the shortest contact time"},
	{"way", KEY_REAL, NULL, NULL, "(0, 0.5]", offsetof(step_spec, way), .group = 1,
	 .help = "with `response: impulses`: of the smallest diameter, what the fastest body of the start moves in a step; "
			 "0.05 if no step is given"},
	{"time", KEY_REAL, "s", NULL, "> 0", offsetof(step_spec, time), .group = 1,
	 .help = "the step itself; `step: 2 us` says the same"},
	{"unsafe", KEY_FLAG, .standard = "false", .at = offsetof(step_spec, unsafe),
	 .help = "take it even where it is longer than what is known to be safe; the closing lines of the run say so"},
};
static const section step = {"step",		  "The time step.",	   sizeof(step_spec),
							 ROWS(step_keys), .shorthand = "time", .needs = 1u << 1};

static const key guard_keys[] = {
	{"overlap", KEY_REAL, NULL, "50 %", "[0, 1]", offsetof(guard_spec, overlap),
	 .help =
		 "greatest overlap as a part of the smaller body's size, and of two bodies that are not both spheres also of "
		 "the "
		 "thickness of the thinner one where they meet: the diameter of the largest ball inside "
		 "(docs/theory/overlap.md, "
		 "\"Bodies do not pass through each other\"); 0: not watched, as it is with `response: impulses` if left out. "
		 "A "
		 "body whose centre comes through a wall, and two bodies that move past each other's overlap within one step, "
		 "stop the run in any case"},
	{"speed", KEY_REAL, "m/s", "0", ">= 0", offsetof(guard_spec, speed), .help = "greatest speed; 0: not watched"},
	{"energy", KEY_REAL, NULL, "5 %", "[0, 1e6]", offsetof(guard_spec, energy),
	 .help =
		 "energy that comes from nowhere or goes nowhere, as a part of what moves, is stored or lost "
		 "(docs/theory/laws.md, \"The guard of energy\"); 0: not watched, as it is with `response: impulses` if left "
		 "out. What is as a paper has it (`area/literal`, `separating-plane/govender2015`, `seed`) is told of at the "
		 "end, "
		 "and stopped only where this key is given"},
	{"lost", KEY_WORD, .standard = "error", .words = lost_words, .at = offsetof(guard_spec, lost),
	 .help = "what happens when a body leaves `world.domain`: the run stops, or the body is taken out and counted"},
};
const section scree_section_guard = {"guard", "What stops a run that has become nonsense.", sizeof(guard_spec),
									 ROWS(guard_keys)};

static const key snapshot_keys[] = {
	{"every", KEY_REAL, "s", "15 min", ">= 0", offsetof(snapshot_spec, every),
	 .help = "of wall-clock time; 0: only at the end and on signals"},
	{"keep", KEY_COUNT, NULL, "2", "[1, 2]", offsetof(snapshot_spec, keep), .help = "how many"},
};
static const section snapshot = {"snapshot", "Files that a run can go on from.", sizeof(snapshot_spec),
								 ROWS(snapshot_keys)};

static const key run_keys[] = {
	{"until", KEY_REAL, "s", NULL, ">= 0", offsetof(run_spec, until), .required = true,
	 .help = "simulated time at the end"},
	{"step", KEY_SECTION, .of = &step, .at = offsetof(run_spec, step),
	 .help = "the time step; if left out 1/50 of the shortest contact time, less where damping, elastic faces or the "
			 "speed at which halos are met ask for it"},
	{"guard", KEY_SECTION, .of = &scree_section_guard, .standard = "{}", .at = offsetof(run_spec, guard),
	 .help = "what stops the run"},
	{"snapshot", KEY_SECTION, .of = &snapshot, .standard = "{}", .at = offsetof(run_spec, snapshot),
	 .help = "when snapshots are written"},
	{"response", KEY_WORD, .standard = "forces", .words = responses, .at = offsetof(run_spec, response),
	 .help = "what contacts answer with: forces that act while bodies overlap, or impulses at the end of a step"},
	{"solver", KEY_WORD, .standard = "elastic", .words = scree_words_solvers, .at = offsetof(run_spec, solver),
	 .help = "with `response: impulses`: how they are found (docs/theory/impulses.md)"},
	{"correction", KEY_REAL, NULL, "0", "[0, 1]", offsetof(run_spec, correction),
	 .help = "with `response: impulses`: part of each overlap that is taken back in a step"},
	{"broad_phase", KEY_WORD, NULL, "grid", .words = scree_words_broads, .at = offsetof(run_spec, broad_phase),
	 .help = "how the neighbour list is made; never changes a result"},
	{"skin", KEY_REAL, "m", NULL, ">= 0", offsetof(run_spec, skin),
	 .help = "skin distance of the neighbour list: pairs closer than this are listed, so that a list lasts for some "
			 "steps; 0: a new list in every step. Never changes a result; follows the motion if left out"},
	{"share", KEY_WORD, NULL, "nested", .words = sharings, .at = offsetof(run_spec, share),
	 .help = "how threads share the contacts of surfaces with a halo (docs/theory/sharing.md); never changes a result. "
			 "Only where there are such surfaces"},
	{"triangles", KEY_WORD, NULL, "certified", .words = triangle_ways, .at = offsetof(run_spec, triangles),
	 .help =
		 "how the triangles of two surfaces with a halo are compared (docs/theory/triangles.md). certified and brute "
		 "give the same bits; the others prove nothing. Only where there are such surfaces"},
	{"triangle_batch", KEY_COUNT, NULL, "64", "[1, 64]", offsetof(run_spec, triangle_batch),
	 .help = "triangles: hybrid/batch: pairs of triangles that are redone together"},
	{"triangle_precision", KEY_WORD, NULL, "double", .words = precisions, .at = offsetof(run_spec, triangle_precision),
	 .help =
		 "number type of these comparisons; contacts themselves are always computed in double, and certified in float "
		 "gives the bits of double"},
	{"integrator", KEY_WORD, NULL, "velocity_verlet", .words = scree_words_integrators,
	 .at = offsetof(run_spec, integrator), .help = "how bodies move and turn (docs/theory/motion.md)"},
	{"narrow_phase", KEY_WORD, NULL, "overlap-thickness", .words = scree_words_narrows,
	 .at = offsetof(run_spec, narrow_phase),
	 .help = "how contacts are found, of polyhedra and in dimension 2; changes results (docs/theory/overlap.md, "
			 "convex.md, volume.md, area.md). Follows from the laws: separating-plane, in dimension 2 "
			 "closest-features, where they go by depth",
	 .flat = "overlap-thickness/plane"},
};
const section scree_section_run = {"run", "How long and how.", sizeof(run_spec), ROWS(run_keys)};

static const key vtk_keys[] = {
	{"every", KEY_REAL, "s", NULL, "> 0", offsetof(series_spec, every), .required = true,
	 .help = "simulated time between frames; every step if shorter than a step"},
	{"fields", KEY_WORDS, .words = scree_words_vtk, .at = offsetof(series_spec, words),
	 .help = "what is written for each body; all if left out"},
};
static const section vtk = {"vtk", "Frames for ParaView.", sizeof(series_spec), ROWS(vtk_keys)};

static const key history_keys[] = {
	{"every", KEY_REAL, "s", NULL, "> 0", offsetof(series_spec, every), .required = true,
	 .help = "simulated time between rows; every step if shorter than a step"},
	{"values", KEY_WORDS, .words = scree_words_history, .at = offsetof(series_spec, words),
	 .help = "columns beside the time; all if left out"},
};
static const section history = {"history", "A table of energies and counts over time.", sizeof(series_spec),
								ROWS(history_keys)};

static const key table_keys[] = {
	{"every", KEY_REAL, "s", NULL, "> 0", offsetof(series_spec, every), .required = true,
	 .help = "simulated time between moments; every step if shorter than a step"},
};
static const key body_table_keys[] = {
	{"every", KEY_REAL, "s", NULL, "> 0", offsetof(series_spec, every), .required = true,
	 .help = "simulated time between moments; every step if shorter than a step"},
	{"up_to", KEY_COUNT, .range = "[1, 1e9]", .at = offsetof(series_spec, up_to),
	 .help = "only bodies whose id is at most this: ids begin with 1, in the order of the fills; all if left out"},
};
static const section table_of_bodies = {"body_table", "A table of bodies at every moment, in full precision.",
										sizeof(series_spec), ROWS(body_table_keys)};
static const section table_of_walls = {
	"wall_table", "A table of all walls at every moment: place, velocity, force and torque on them.",
	sizeof(series_spec), ROWS(table_keys)};

static const key camera_keys[] = {
	{"eye", KEY_SPACE, "m", .at = offsetof(camera_spec, eye), .required = true,
	 .help = "where it stands; in dimension 2 above the target: [x, y, z] with the x and y of the target"},
	{"target", KEY_SPACE, "m", .at = offsetof(camera_spec, target), .required = true,
	 .help = "the point in the middle of the picture"},
	{"up", KEY_SPACE, .standard = "[0, 0, 1]", .at = offsetof(camera_spec, up),
	 .help = "direction that is up in the picture", .flat = "[0, 1, 0]"},
	{"fov", KEY_REAL, "rad", "30 deg", "[1e-6, 3]", offsetof(camera_spec, fov), .help = "angle of view, vertical"},
};
static const section camera = {"camera", "Where pictures are taken from.", sizeof(camera_spec), ROWS(camera_keys)};

static const key image_keys[] = {
	{"every", KEY_REAL, "s", "0", ">= 0", offsetof(image_spec, every),
	 .help = "simulated time between pictures; every step if shorter than a step; 0: only those of `at`"},
	{"at", KEY_REALS, "s", NULL, ">= 0", offsetof(image_spec, at),
	 .help = "further moments, at most 64; start and end are always drawn"},
	{"size", KEY_PIXELS, NULL, "[960, 720]", "[16, 16384]", offsetof(image_spec, size),
	 .help = "width and height in pixels"},
	{"color", KEY_WORD, .standard = "speed", .words = scree_words_colors, .at = offsetof(image_spec, color),
	 .help = "what bodies are coloured by"},
	{"range", KEY_RANGE, .range = "[-1e30, 1e30]", .at = offsetof(image_spec, range),
	 .help = "of the colour scale, in the unit of `color`; from the data if left out"},
	{"camera", KEY_SECTION, .of = &camera, .at = offsetof(image_spec, camera), .help = "shows everything if left out"},
	{"walls", KEY_WORD, .standard = "translucent", .words = looks, .at = offsetof(image_spec, walls),
	 .help = "how walls are drawn; cut: only what lies behind the bodies"},
	{"cut", KEY_SECTION, .of = &scree_section_plane, .at = offsetof(image_spec, cut),
	 .help = "what lies on the side that the normal points to is not drawn", .only = 3},
	{"forces", KEY_FLAG, .standard = "false", .at = offsetof(image_spec, forces), .only = 2,
	 .help = "contact forces are drawn as lines over the bodies, as wide as the normal force is great"},
	{"samples", KEY_COUNT, NULL, "9", "[1, 1024]", offsetof(image_spec, samples),
	 .help = "rays of a pixel at edges, a square number; inside of faces one is enough"},
};
static const section picture = {"images", "Pictures (PNG).", sizeof(image_spec), ROWS(image_keys)};

static const key output_keys[] = {
	{"vtk", KEY_SECTION, .of = &vtk, .at = offsetof(output_spec, vtk), .help = "frames for ParaView"},
	{"images", KEY_SECTION, .of = &picture, .at = offsetof(output_spec, images), .help = "pictures"},
	{"history", KEY_SECTION, .of = &history, .at = offsetof(output_spec, history),
	 .help = "energies and counts over time"},
	{"bodies", KEY_SECTION, .of = &table_of_bodies, .at = offsetof(output_spec, bodies),
	 .help = "where bodies are, how they move and what acts on them, as a table (CSV)"},
	{"walls", KEY_SECTION, .of = &table_of_walls, .at = offsetof(output_spec, walls),
	 .help = "where walls are and what bodies do to them, as a table (CSV)"},
	{"frames", KEY_LATER, .help = "frames for the viewer"},
};
const section scree_section_output = {"output", "What is written; nothing that is not named here.", sizeof(output_spec),
									  ROWS(output_keys)};

static const key scene_keys[] = {
	{"scene", KEY_COUNT, .range = "[1, 1]", .at = offsetof(scene_spec, scene), .required = true,
	 .help = "version of the scene language"},
	{"title", KEY_TEXT, .standard = "", .at = offsetof(scene_spec, title), .help = "one line"},
	{"include", KEY_INCLUDE,
	 .help = "files that are read first: their entries stand beside the scene's own, which win"},
	{"let", KEY_LETS, .help = "named values for expressions"},
	{"world", KEY_SECTION, .of = &scree_section_world, .standard = "{}", .at = offsetof(scene_spec, world),
	 .help = "space and gravity"},
	{"materials", KEY_NAMED, .of = &scree_section_material, .at = offsetof(scene_spec, materials), .help = "by name"},
	{"contacts", KEY_NAMED, .of = &scree_section_rule, .standard = "{}", .at = offsetof(scene_spec, contacts),
	 .help = "`default` and pairs `a + b`"},
	{"shapes", KEY_NAMED, .of = &scree_section_shape, .at = offsetof(scene_spec, shapes), .help = "by name"},
	{"walls", KEY_NAMED, .of = &scree_section_wall, .at = offsetof(scene_spec, walls), .help = "by name"},
	{"fill", KEY_LIST, .of = &scree_section_fill, .at = offsetof(scene_spec, fill), .help = "bodies at the start"},
	{"sources", KEY_LIST, .of = &scree_section_source, .at = offsetof(scene_spec, sources),
	 .help = "streams of bodies"},
	{"sinks", KEY_LIST, .of = &scree_section_sink, .at = offsetof(scene_spec, sinks), .help = "what takes bodies out"},
	{"events", KEY_LATER, .help = "things that happen when a condition holds"},
	{"run", KEY_SECTION, .of = &scree_section_run, .at = offsetof(scene_spec, run), .required = true,
	 .help = "how long and how"},
	{"output", KEY_SECTION, .of = &scree_section_output, .standard = "{}", .at = offsetof(scene_spec, output),
	 .help = "what is written"},
};
const section scree_scene_section = {"scene", "The whole scene.", sizeof(scene_spec), ROWS(scene_keys)};
