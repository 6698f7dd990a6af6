/* schema_run: the table of keys for the run, its output, and the root (see schema.h). */
#include "broad/broad.h"
#include "format/plan.h"
#include "choices/choices.h"
#include "model/integrator.h"
#include "model/narrow.h"
#include "model/response.h"
#include "model/sharing.h"
#include "narrow/triangle/triangles.h"
#include "scene/schema.h"

#include <stddef.h>

static const char *broads(const void *unused, int i)
{
	(void)unused;
	return scree_choice_name(&scree_broads, i);
}

static const char *triangle_ways(const void *unused, int i)
{
	(void)unused;
	return scree_triangle_way_name(i);
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
	return scree_choice_name(&scree_sharings, i);
}

static const char *integrators(const void *unused, int i)
{
	(void)unused;
	return scree_choice_name(&scree_integrators, i);
}

static const char *narrows(const void *unused, int i)
{
	(void)unused;
	return scree_choice_name(&scree_narrows, i);
}

static const char *responses(const void *unused, int i)
{
	(void)unused;
	return scree_choice_name(&scree_responses, i);
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

/* the next as picture_ground, picture_map, body_look, picture_arrows */
static const char *grounds(const void *unused, int i)
{
	static const char *const word[] = {"sky", "white", "transparent"};
	(void)unused;
	return i < 3 ? word[i] : NULL;
}

static const char *maps(const void *unused, int i)
{
	static const char *const word[] = {"auto", "viridis", "ylorrd", "ylgnbu", "greys", "rdbu"};
	(void)unused;
	return i < 6 ? word[i] : NULL;
}

static const char *body_looks(const void *unused, int i)
{
	static const char *const word[] = {"solid", "pale", "hidden"};
	(void)unused;
	return i < 3 ? word[i] : NULL;
}

static const char *arrows(const void *unused, int i)
{
	static const char *const word[] = {"none", "velocity", "angular_velocity", "force"};
	(void)unused;
	return i < 4 ? word[i] : NULL;
}

static const char *projections(const void *unused, int i)
{
	static const char *const word[] = {"perspective", "orthographic"};
	(void)unused;
	return i < 2 ? word[i] : NULL;
}

static const char *formats(const void *unused, int i)
{
	static const char *const word[FORMATS] = {"png", "svg", "pdf"};
	(void)unused;
	return i < FORMATS ? word[i] : NULL;
}

static const char *extents(const void *unused, int i)
{
	static const char *const word[] = {"all", "bodies"};
	(void)unused;
	return i < 2 ? word[i] : NULL;
}

const char *scree_words_colors(const void *unused, int i)
{
	static const char *const word[] = {
		"speed", "velocity", "angular_velocity", "size",  "id",		  "shape",		  "material",
		"force", "height",	 "coordination",	 "bonds", "pressure", "shear_stress", "temperature"};
	(void)unused;
	return i < (int)(sizeof word / sizeof *word) ? word[i] : NULL;
}

const char *scree_words_vtk(const void *unused, int i)
{
	static const char *const word[] = {
		"velocity", "angular_velocity", "force",	"torque", "mass",	"size", "id",
		"shape",	"material",			"contacts", "image",  "radius", "type", "temperature"};
	(void)unused;
	return i < (int)(sizeof word / sizeof *word) ? word[i] : NULL;
}

const char *scree_words_history(const void *unused, int i)
{
	static const char *const word[] = {
		"kinetic",			"potential",   "elastic",	 "lost_normal",	  "lost_friction", "lost_rolling",
		"lost_method",		"made",		   "wall_work",	 "brought",		  "residual",	   "bodies",
		"contacts",			"max_overlap", "max_speed",	 "contacts_face", "contacts_edge", "bonds",
		"bonds_broken",		"thermal",	   "heat_walls", "heat_friction", "heat_brought",  "collisions",
		"collisions_total", "stress_xx",   "stress_yy",	 "stress_zz",	  "stress_xy",	   "stress_xz",
		"stress_yz",		"stage",	   "cell_x",	 "cell_y",		  "cell_z",		   "strain_x",
		"strain_y",			"strain_z",	   "void_ratio"};
	(void)unused;
	return i < (int)(sizeof word / sizeof *word) ? word[i] : NULL;
}

static const key step_keys[] = {
	{"fraction", KEY_REAL, NULL, NULL, "(0, 10]", offsetof(step_spec, fraction), .group = 1,
	 .help = "fraction of the shortest contact time: at most 0.1 with run.response: forces", .changes = true},
	{"way", KEY_REAL, NULL, NULL, "(0, 0.5]", offsetof(step_spec, way), .group = 1,
	 .help =
		 "with a response by impulses (`elastic`): distance the fastest initial body travels per step, as a fraction "
		 "of the smallest diameter; 0.05 if no step is given"},
	{"time", KEY_REAL, "s", NULL, "> 0", offsetof(step_spec, time), .group = 1,
	 .help = "the time step itself; `step: 2 us` is short for it", .changes = true},
	{"unsafe", KEY_FLAG, .standard = "false", .at = offsetof(step_spec, unsafe),
	 .help = "accept a step longer than what is known to be safe; the end of the run reports it"},
};
static const section step = {"step",		  "The time step.",	   sizeof(step_spec),
							 ROWS(step_keys), .shorthand = "time", .needs = 1u << 1};

static const key guard_keys[] = {
	{"overlap", KEY_REAL, NULL, "50 %", "[0, 1]", offsetof(guard_spec, overlap),
	 .help = "largest allowed overlap as a fraction of the smaller body's size; for two bodies that are not both "
			 "spheres, also as a fraction of the thickness of the thinner one at the contact, the diameter of the "
			 "largest ball inside (docs/theory/overlap.md, \"Bodies do not pass through each other\"). 0: no check, "
			 "which is the default with a response by impulses. In any case the run stops "
			 "when the centre of a body passes through a wall, or when two bodies move so far in one step "
			 "that they may have passed through each other",
	 .changes = true},
	{"speed", KEY_REAL, "m/s", "0", ">= 0", offsetof(guard_spec, speed), .help = "largest allowed speed; 0: no check",
	 .changes = true},
	{"energy", KEY_REAL, NULL, "5 %", "[0, 1e6]", offsetof(guard_spec, energy),
	 .help = "largest allowed energy error as a fraction of the energy that moves, is stored or is lost "
			 "(docs/theory/laws.md, \"The guard of energy\"). 0: no check, which is the default with a response by "
			 "impulses. Methods that repeat a paper and need not conserve energy report the error at the end; they "
			 "stop only if this key is given",
	 .changes = true},
	{"method", KEY_REAL, NULL, "0", "[0, 1e6]", offsetof(guard_spec, method),
	 .help = "with run.response: implicit or hard: largest loss by the steps themselves, in addition to that by the "
			 "laws of "
			 "contacts, as a fraction of the moving, stored or lost energy (`lost_method`; "
			 "docs/theory/implicit.md, \"Energy\"). 0: the run only reports it at its end, as a warning from 50 %",
	 .changes = true},
	{"lost", KEY_WORD, .standard = "error", .words = lost_words, .at = offsetof(guard_spec, lost),
	 .help = "what happens when a body leaves `world.domain`: `error` stops the run, `remove` removes the body and "
			 "counts it",
	 .changes = true},
};
const section scree_section_guard = {"guard", "Checks that stop a run whose results are no longer valid.",
									 sizeof(guard_spec), ROWS(guard_keys)};

static const key snapshot_keys[] = {
	{"every", KEY_REAL, "s", "5 min", ">= 0", offsetof(snapshot_spec, every),
	 .help = "wall-clock time between snapshots; 0: only at the end, at the end of each stage, and on signals"},
	{"keep", KEY_COUNT, NULL, "2", "[1, 2]", offsetof(snapshot_spec, keep), .help = "number of snapshots to keep"},
};
static const section snapshot = {"snapshot", "Files from which a run can continue.", sizeof(snapshot_spec),
								 ROWS(snapshot_keys)};

static const key run_keys[] = {
	{"until", KEY_REAL, "s", NULL, ">= 0", offsetof(run_spec, until),
	 .help = "simulated time at the end; needed, unless all `stages` have an end"},
	{"step", KEY_SECTION, .of = &step, .at = offsetof(run_spec, step),
	 .help = "time step; default: 1/50 of the shortest contact time, or less where damping, elastic faces or the speed "
			 "at which halos meet require it; a run by forces shortens it where contacts need it",
	 .changes = true},
	{"guard", KEY_SECTION, .of = &scree_section_guard, .standard = "{}", .at = offsetof(run_spec, guard),
	 .help = "checks that stop the run", .changes = true},
	{"snapshot", KEY_SECTION, .of = &snapshot, .standard = "{}", .at = offsetof(run_spec, snapshot),
	 .help = "when snapshots are written"},
	{"response", KEY_WORD, .standard = "forces", .words = responses, .at = offsetof(run_spec, response),
	 .help = "contact response: forces during overlap, implicit steps (docs/theory/implicit.md), or a method that "
			 "computes impulses at the end of the step "
			 "(docs/theory/impulses.md). A stage can change between `forces`, `implicit` and `hard`",
	 .changes = true},
	{"correction", KEY_REAL, NULL, "0", "[0, 1]", offsetof(run_spec, correction),
	 .help = "with a response by impulses: fraction of each overlap that is removed per step; responses with friction "
			 "have 0.1 if it is not given",
	 .changes = true},
	{"friction_directions", KEY_COUNT, NULL, "4", "[2, 64]", offsetof(run_spec, friction_directions),
	 .help = "with a response that takes samples of friction: number of directions per contact (docs/theory/ffd.md)"},
	{"broad_phase", KEY_WORD, NULL, "grid", .words = broads, .at = offsetof(run_spec, broad_phase),
	 .help = "method that finds neighbours; does not affect results", .changes = true},
	{"skin", KEY_REAL, "m", NULL, ">= 0", offsetof(run_spec, skin),
	 .help = "skin distance of the neighbour list: it holds the pairs closer than this, so that one list lasts for "
			 "several steps; 0: a new list in every step; default: follows the motion. Does not affect results",
	 .changes = true},
	{"share", KEY_WORD, NULL, "nested", .words = sharings, .at = offsetof(run_spec, share),
	 .help = "for surfaces with a halo only: how threads share their contacts (docs/theory/sharing.md); does not "
			 "affect results"},
	{"triangles", KEY_WORD, NULL, "certified", .words = triangle_ways, .at = offsetof(run_spec, triangles),
	 .help =
		 "for surfaces with a halo only: method that compares the triangles of two surfaces "
		 "(docs/theory/triangles.md). All methods that prove their distances, as the default does, give the same bits"},
	{"triangle_batch", KEY_COUNT, NULL, "64", "[1, 64]", offsetof(run_spec, triangle_batch),
	 .help = "with a method of `triangles` that works in batches: number of pairs of triangles that are redone "
			 "together"},
	{"triangle_precision", KEY_WORD, NULL, "double", .words = precisions, .at = offsetof(run_spec, triangle_precision),
	 .help = "number type of these comparisons. Contacts are always computed in double; certified gives the same bits "
			 "in float and double"},
	{"integrator", KEY_WORD, NULL, "velocity_verlet", .words = integrators, .at = offsetof(run_spec, integrator),
	 .help = "time integration of translation and rotation (docs/theory/motion.md)", .changes = true},
	{"narrow_phase", KEY_WORD, NULL, "overlap-thickness", .words = narrows, .at = offsetof(run_spec, narrow_phase),
	 .help = "method that finds contacts of polyhedra, and in dimension 2 of all shapes; affects results "
			 "(docs/theory/overlap.md, convex.md, volume.md, area.md). Follows from the laws: for laws that use depth "
			 "it is separating-plane, in dimension 2 closest-features",
	 .flat = "overlap-thickness/plane"},
};
const section scree_section_run = {"run", "Duration, time step and methods.", sizeof(run_spec), ROWS(run_keys)};

#define ACTIVE(type)                                                                                                   \
	{                                                                                                                  \
		"active", KEY_FLAG, .standard = "true", .at = offsetof(type, active), .changes = true,                         \
							.help = "whether it is written; a stage can begin and end it"                              \
	}

static const key vtk_keys[] = {
	{"every", KEY_REAL, "s", NULL, "> 0", offsetof(series_spec, every), .required = true,
	 .help = "simulated time between frames; every step if shorter than a step", .changes = true},
	{"fields", KEY_WORDS, .words = scree_words_vtk, .at = offsetof(series_spec, words),
	 .help = "quantities to write per body; default: all"},
	{"bodies_per_file", KEY_COUNT, .standard = "4e6", .range = "[1, 4e6]", .at = offsetof(series_spec, per_file),
	 .help = "a frame of more bodies is divided into files with this number of bodies (docs/files.md, \"Frames\")"},
	ACTIVE(series_spec),
};
static const section vtk = {"vtk", "Frames for ParaView.", sizeof(series_spec), ROWS(vtk_keys)};

static const key history_keys[] = {
	{"every", KEY_REAL, "s", NULL, "> 0", offsetof(series_spec, every), .required = true,
	 .help = "simulated time between rows; every step if shorter than a step", .changes = true},
	{"values", KEY_WORDS, .words = scree_words_history, .at = offsetof(series_spec, words),
	 .help = "columns in addition to the time; default: all"},
	ACTIVE(series_spec),
};
static const section history = {"history", "A table of energies and counts over time.", sizeof(series_spec),
								ROWS(history_keys)};

static const key table_keys[] = {
	{"every", KEY_REAL, "s", NULL, "> 0", offsetof(series_spec, every), .required = true,
	 .help = "simulated time between outputs; every step if shorter than a step", .changes = true},
	ACTIVE(series_spec),
};
static const key body_table_keys[] = {
	{"every", KEY_REAL, "s", NULL, "> 0", offsetof(series_spec, every), .required = true,
	 .help = "simulated time between outputs; every step if shorter than a step", .changes = true},
	{"up_to", KEY_COUNT, .range = "[1, 1e9]", .at = offsetof(series_spec, up_to),
	 .help = "only bodies whose id is at most this; ids start at 1, in the order of the fills; default: all"},
	ACTIVE(series_spec),
};
static const section table_of_bodies = {"body_table", "A table of bodies at every output time, in full precision.",
										sizeof(series_spec), ROWS(body_table_keys)};
static const section table_of_walls = {
	"wall_table", "A table of all walls at every output time: position, velocity, and the force and torque on them.",
	sizeof(series_spec), ROWS(table_keys)};

static const section table_of_contacts = {"contact_table",
										  "A table of all contacts at every output time, in full precision.",
										  sizeof(series_spec), ROWS(table_keys)};

static const section trajectory = {"trajectory", "Frames of all bodies in one text file.", sizeof(series_spec),
								   ROWS(body_table_keys)};

static const key camera_keys[] = {
	{"eye", KEY_SPACE, "m", .at = offsetof(camera_spec, eye), .required = true,
	 .help = "position of the camera; in dimension 2 above the target: [x, y, z] with the x and y of the target",
	 .changes = true},
	{"target", KEY_SPACE, "m", .at = offsetof(camera_spec, target), .required = true,
	 .help = "point at the centre of the picture", .changes = true},
	{"up", KEY_SPACE, .standard = "[0, 0, 1]", .at = offsetof(camera_spec, up),
	 .help = "direction that points up in the picture", .flat = "[0, 1, 0]", .changes = true},
	{"fov", KEY_REAL, "rad", "30 deg", "[1e-6, 3]", offsetof(camera_spec, fov), .help = "vertical angle of view",
	 .changes = true},
};
static const section camera = {"camera", "Position and direction of the camera.", sizeof(camera_spec),
							   ROWS(camera_keys)};

static const key color_keys[] = {
	{"value", KEY_TEXT, .required = true, .at = offsetof(color_spec, value),
	 .help = "a name such as red, grey or tan, or \"#rrggbb\"; `steel: grey` is short for it"},
};
static const section color_of = {"color",
								 "The colour of a material or a shape.",
								 sizeof(color_spec),
								 ROWS(color_keys),
								 .shorthand = "value",
								 .most = PLAN_COLOURS};

static const key image_keys[] = {
	{"every", KEY_REAL, "s", "0", ">= 0", offsetof(image_spec, every),
	 .help = "simulated time between pictures; every step if shorter than a step; 0: only those of `at`",
	 .changes = true},
	{"at", KEY_REALS, "s", NULL, ">= 0", offsetof(image_spec, at),
	 .help = "further times, at most 64; start and end are always drawn", .changes = true},
	{"format", KEY_WORD, .standard = "png", .words = formats, .at = offsetof(image_spec, format),
	 .help = "files of a run (docs/pictures.md); `scree render` decides by the name of its file", .changes = true},
	{"size", KEY_PIXELS, NULL, "[960, 720]", "[16, 16384]", offsetof(image_spec, size),
	 .help = "width and height in pixels", .changes = true},
	{"color", KEY_WORD, .standard = "speed", .words = scree_words_colors, .at = offsetof(image_spec, color),
	 .help = "quantity that bodies are coloured by", .changes = true},
	{"range", KEY_RANGE, .range = "[-1e30, 1e30]", .at = offsetof(image_spec, range),
	 .help = "range of the colour scale, in the unit of `color`; default: one for all pictures of the run "
			 "(docs/pictures.md)",
	 .changes = true},
	{"camera", KEY_SECTION, .of = &camera, .at = offsetof(image_spec, camera), .help = "default: a view of everything",
	 .changes = true},
	{"walls", KEY_WORD, .standard = "translucent", .words = looks, .at = offsetof(image_spec, walls),
	 .help = "how walls are drawn; `cut` draws only what is behind the bodies", .changes = true},
	{"cut", KEY_SECTION, .of = &scree_section_plane, .at = offsetof(image_spec, cut),
	 .help = "plane; parts on the side of its normal are not drawn", .only = 3},
	{"forces", KEY_FLAG, .standard = "false", .at = offsetof(image_spec, forces),
	 .help = "draw contact forces as lines over the bodies; a greater normal force gives a wider line",
	 .changes = true},
	{"arrows", KEY_WORD, .standard = "none", .words = arrows, .at = offsetof(image_spec, arrows),
	 .help = "draw a vector of each body as an arrow", .changes = true},
	{"bodies", KEY_WORD, .standard = "solid", .words = body_looks, .at = offsetof(image_spec, bodies),
	 .help = "how bodies are drawn; `pale` shows the lines and arrows over them", .changes = true},
	{"map", KEY_WORD, .standard = "auto", .words = maps, .at = offsetof(image_spec, map),
	 .help = "colours of numbers; `auto` is viridis for size and height, otherwise a map with a light low end",
	 .changes = true},
	{"colors", KEY_NAMED, .of = &color_of, .at = offsetof(image_spec, colors),
	 .help = "colours by names: of materials and shapes, for color: material and color: shape, and of walls"},
	{"background", KEY_WORD, .standard = "sky", .words = grounds, .at = offsetof(image_spec, ground),
	 .help = "background of the picture", .changes = true},
	{"projection", KEY_WORD, .standard = "perspective", .words = projections, .at = offsetof(image_spec, projection),
	 .help = "orthographic: equal lengths are equal at any distance", .only = 3, .changes = true},
	{"fit", KEY_WORD, .standard = "all", .words = extents, .at = offsetof(image_spec, fit),
	 .help = "without a given camera, what the picture shows: all finite things near the bodies, or only the bodies",
	 .changes = true},
	{"title", KEY_FLAG, .standard = "true", .at = offsetof(image_spec, title), .help = "draw title and time",
	 .changes = true},
	{"legend", KEY_FLAG, .standard = "true", .at = offsetof(image_spec, legend),
	 .help = "draw the scale of the colours and of forces and arrows", .changes = true},
	{"scale_bar", KEY_FLAG, .standard = "false", .at = offsetof(image_spec, scale_bar),
	 .help = "draw a bar of a round length; in perspective it is right in the middle of the bodies", .changes = true},
	{"axes", KEY_FLAG, .standard = "false", .at = offsetof(image_spec, axes), .help = "draw the directions of the axes",
	 .changes = true},
	{"samples", KEY_COUNT, NULL, "9", "[1, 1024]", offsetof(image_spec, samples),
	 .help = "rays per pixel at edges, a square number; elsewhere one is enough", .changes = true},
	ACTIVE(image_spec),
};
static const section picture = {"images", "Pictures.", sizeof(image_spec), ROWS(image_keys)};

static const key film_keys[] = {
	{"rate", KEY_REAL, "1/s", "25 1/s", "(0, 240]", offsetof(film_spec, rate),
	 .help = "pictures per second of the film"},
};
static const section film = {"film", "A film of all pictures of a run (MP4, by ffmpeg), made at its end.",
							 sizeof(film_spec), ROWS(film_keys)};

static const key output_keys[] = {
	{"vtk", KEY_SECTION, .of = &vtk, .at = offsetof(output_spec, vtk), .help = "frames for ParaView", .changes = true},
	{"images", KEY_SECTION, .of = &picture, .at = offsetof(output_spec, images), .help = "pictures", .changes = true},
	{"film", KEY_SECTION, .of = &film, .at = offsetof(output_spec, film),
	 .help = "a film of the pictures, which needs `images`, and ffmpeg on the machine"},
	{"history", KEY_SECTION, .of = &history, .at = offsetof(output_spec, history),
	 .help = "energies and counts over time", .changes = true},
	{"bodies", KEY_SECTION, .of = &table_of_bodies, .at = offsetof(output_spec, bodies),
	 .help = "positions and motion of bodies and the loads on them, as a table (CSV)", .changes = true},
	{"walls", KEY_SECTION, .of = &table_of_walls, .at = offsetof(output_spec, walls),
	 .help = "positions and motion of walls and the loads on them, as a table (CSV)", .changes = true},
	{"contacts", KEY_SECTION, .of = &table_of_contacts, .at = offsetof(output_spec, contacts),
	 .help = "points, forces and partners of contacts, as a table (CSV)", .changes = true},
	{"xyz", KEY_SECTION, .of = &trajectory, .at = offsetof(output_spec, xyz),
	 .help = "bodies as extended XYZ, for OVITO", .changes = true},
	{"dump", KEY_SECTION, .of = &trajectory, .at = offsetof(output_spec, dump),
	 .help = "bodies as a dump of LAMMPS, for OVITO, MDAnalysis, ASE and VMD", .changes = true},
	{"measures", KEY_NAMED, .of = &scree_section_measure, .at = offsetof(output_spec, measures),
	 .help = "tables of solid fraction, velocity, stress and others in regions, by name (CSV)", .changes = true},
	{"fields", KEY_SECTION, .of = &scree_section_fields, .at = offsetof(output_spec, fields),
	 .help = "coarse-grained density, velocity and stress on a grid (VTK image data)", .changes = true},
	{"frames", KEY_LATER, .help = "frames for the viewer"},
};
const section scree_section_output = {"output", "Output; only what is listed here is written.", sizeof(output_spec),
									  ROWS(output_keys)};
