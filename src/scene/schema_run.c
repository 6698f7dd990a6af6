/* schema_run: the table of keys for the run, its output, and the root (see schema.h). */
#include "broad/broad.h"
#include "format/plan.h"
#include "measure/measure.h"
#include "choices/choices.h"
#include "model/integrator.h"
#include "model/narrow.h"
#include "model/response.h"
#include "model/sharing.h"
#include "narrow/triangle/triangles.h"
#include "scene/schema.h"

static NAMES(broads, scree_choice_name(&scree_broads, i));
static NAMES(triangle_ways, scree_triangle_way_name(i));
static WORDS(precisions, "double", "float");
static NAMES(sharings, scree_choice_name(&scree_sharings, i));
static NAMES(integrators, scree_choice_name(&scree_integrators, i));
static NAMES(narrows, scree_choice_name(&scree_narrows, i));
static NAMES(responses, scree_choice_name(&scree_responses, i));
static WORDS(lost_words, "error", "remove");
WORDS(scree_words_machines, "cpu", "auto", "opencl", "cuda");
static WORDS(looks, "cut", "translucent", "solid", "hidden"); /* as wall_look */
/* the next four lists are in the order of picture_ground, picture_map, body_look and picture_arrows */
static WORDS(grounds, "sky", "white", "transparent");
static WORDS(maps, "auto", "viridis", "ylorrd", "ylgnbu", "greys", "rdbu");
static WORDS(body_looks, "solid", "pale", "hidden");
static WORDS(arrows, "none", "velocity", "angular_velocity", "force");
static WORDS(projections, "perspective", "orthographic");
static WORDS(formats, "png", "svg", "pdf");
static WORDS(extents, "all", "bodies");
WORDS(scree_words_colors, "speed", "velocity", "angular_velocity", "size", "id", "shape", "material", "force", "height",
	  "coordination", "bonds", "pressure", "shear_stress", "temperature");
WORDS(scree_words_vtk, "velocity", "angular_velocity", "force", "torque", "mass", "size", "id", "shape", "material",
	  "contacts", "image", "radius", "type", "temperature");
WORDS(scree_words_history, "kinetic", "potential", "elastic", "lost_normal", "lost_friction", "lost_rolling",
	  "lost_method", "made", "wall_work", "brought", "residual", "bodies", "contacts", "max_overlap", "max_speed",
	  "contacts_face", "contacts_edge", "bonds", "bonds_broken", "thermal", "heat_walls", "heat_friction",
	  "heat_brought", "collisions", "collisions_total", "stress_xx", "stress_yy", "stress_zz", "stress_xy", "stress_xz",
	  "stress_yz", "stage", "cell_x", "cell_y", "cell_z", "strain_x", "strain_y", "strain_z", "void_ratio");

static const key step_keys[] = {
	REAL(step, fraction, NULL, NULL, "(0, 10]",
		 "fraction of the shortest contact time, at most 0.1 with run.response: forces", .group = 1, CHANGES),
	REAL(step, way, NULL, NULL, "(0, 0.5]",
		 "with an impulse-based response (`elastic`): distance that the initially fastest body travels per step, as a "
		 "fraction of the smallest diameter; 0.05 if no step is given",
		 .group = 1),
	REAL(step, time, "s", NULL, "> 0", "the time step itself; `step: 2 us` is a short form", .group = 1, CHANGES),
	FLAG(step, unsafe, "false",
		 "accept a step that is longer than is known to be safe; the end of the run reports this"),
};
static TABLE(step, step, step_keys, "step", "The time step.", .shorthand = "time", .needs = 1u << 1);

static const key guard_keys[] = {
	REAL(guard, overlap, NULL, "50 %", "[0, 1]",
		 "largest allowed overlap as a fraction of the smaller body's size; for two bodies that are not both spheres, "
		 "also as a fraction of the smaller thickness at the contact, which is the diameter of the largest ball inside "
		 "(docs/theory/overlap.md, \"Bodies do not pass through each other\"). 0: no check, which is the default with "
		 "an impulse-based response. In any case the run stops when the centre of a body passes through a wall, or "
		 "when two bodies move so far in one step that they may have passed through each other"),
	REAL(guard, speed, "m/s", "0", ">= 0", "largest allowed speed; 0: no check"),
	REAL(guard, energy, NULL, "5 %", "[0, 1e6]",
		 "largest allowed energy error as a fraction of the kinetic, stored or lost energy (docs/theory/laws.md, "
		 "\"The guard of energy\"). 0: no check, which is the default with an impulse-based response. Methods that "
		 "reproduce a paper and need not conserve energy report the error at the end, and stop the run only if this "
		 "key is given"),
	REAL(guard, method, NULL, "0", "[0, 1e6]",
		 "with run.response: implicit or hard: largest loss caused by the steps, in addition to the losses due to "
		 "contact laws, as a fraction of the kinetic, stored or lost energy (`lost_method`; docs/theory/implicit.md, "
		 "\"Energy\"). 0: the run only reports it at the end, as a warning from 50 % upwards"),
	WORD(guard, lost, lost_words, "error",
		 "what happens when a body leaves `world.domain`: `error` stops the run, `remove` removes the body and counts "
		 "it"),
};
static TABLE(guard, guard, guard_keys, "guard", "Checks that stop a run whose results are no longer valid.", CHANGES);

static const key snapshot_keys[] = {
	REAL(snapshot, every, "s", "5 min", ">= 0",
		 "wall-clock time between snapshots; 0: only at the end, at the end of each stage, and on signals"),
	COUNT(snapshot, keep, "2", "[1, 2]", "number of snapshots to keep"),
};
static TABLE(snapshot, snapshot, snapshot_keys, "snapshot", "Files from which a run can continue.");

static const key run_keys[] = {
	REAL(run, until, "s", NULL, ">= 0", "simulated time at the end; needed unless all `stages` have an end"),
	SECTION(run, step, step,
			"time step; default: 1/50 of the shortest contact time, or less if damping, elastic faces or the approach "
			"speed of halos require it; a force-based run shortens the step if contacts require it",
			CHANGES),
	SECTION(run, guard, guard, "checks that stop the run", .standard = "{}", CHANGES),
	SECTION(run, snapshot, snapshot, "when snapshots are written", .standard = "{}"),
	WORD(run, response, responses, "forces",
		 "contact response: forces during overlap, implicit steps (docs/theory/implicit.md), or a method that computes "
		 "impulses at the end of the step (docs/theory/impulses.md). Stages can switch between `forces`, `implicit` "
		 "and `hard`",
		 CHANGES),
	REAL(run, correction, NULL, "0", "[0, 1]",
		 "with an impulse-based response: fraction of each overlap that is removed per step; default for responses "
		 "with friction: 0.1",
		 CHANGES),
	COUNT(run, friction_directions, "4", "[2, 64]",
		  "with a response that samples friction: number of directions per contact (docs/theory/ffd.md)"),
	WORD(run, broad_phase, broads, "grid", "method that finds neighbours; it does not affect results", CHANGES),
	REAL(run, skin, "m", NULL, ">= 0",
		 "skin distance of the neighbour list, which contains all pairs closer than this and so stays valid for "
		 "several steps; 0: a new list in every step; default: adapted to the motion. Does not affect results",
		 CHANGES),
	WORD(
		run, machine, scree_words_machines, "cpu",
		"what makes the steps: the processor, a device with OpenCL or CUDA, or a card if there is one and the world is "
		"large enough (docs/gpu.md). Does not affect results; snapshots do not contain it"),
	WORD(run, share, sharings, "nested",
		 "for surfaces with a halo only: how threads divide the work on their contacts (docs/theory/sharing.md); does "
		 "not affect results"),
	WORD(run, triangles, triangle_ways, "certified",
		 "for surfaces with a halo only: method that compares the triangles of two surfaces "
		 "(docs/theory/triangles.md). All methods that prove their distances, including the default, give "
		 "bit-identical results"),
	COUNT(run, triangle_batch, "64", "[1, 64]",
		  "with a batched method of `triangles`: number of pairs of triangles that are recomputed together"),
	WORD(run, triangle_precision, precisions, "double",
		 "number type of these comparisons. Contacts are always computed in double precision; certified gives "
		 "bit-identical results in float and double"),
	WORD(run, integrator, integrators, "velocity_verlet",
		 "time integration of translation and rotation (docs/theory/motion.md)", CHANGES),
	WORD(run, narrow_phase, narrows, "overlap-thickness",
		 "method that finds contacts of polyhedra, and in dimension 2 of all shapes; it affects results "
		 "(docs/theory/overlap.md, convex.md, volume.md, area.md). Default: depends on the laws; for laws that use "
		 "depth it is separating-plane, or closest-features in dimension 2",
		 .flat = "overlap-thickness/plane"),
};
TABLE(scree_section_run, run, run_keys, "run", "Duration, time step and methods.");

#define EVERY(of, what)                                                                                                \
	REAL(of, every, "s", NULL, "> 0", "simulated time between " what "; every step if this is shorter than a step",    \
		 NEEDED, CHANGES)
#define ACTIVE(of) FLAG(of, active, "true", "whether this output is written; a stage can turn it on and off", CHANGES)

static const key vtk_keys[] = {
	EVERY(series, "frames"),
	KEY_OF("fields", WORDS, series, words, "quantities to write per body; default: all", .words = scree_words_vtk),
	KEY_OF("bodies_per_file", COUNT, series, per_file,
		   "frames with more bodies are split into files with this number of bodies (docs/files.md, \"Frames\")",
		   .standard = "4e6", .range = "[1, 4e6]"),
	ACTIVE(series),
};
static TABLE(vtk, series, vtk_keys, "vtk", "Frames for ParaView.");

static const key history_keys[] = {
	EVERY(series, "rows"),
	KEY_OF("values", WORDS, series, words, "columns in addition to the time; default: all",
		   .words = scree_words_history),
	ACTIVE(series),
};
static TABLE(history, series, history_keys, "history", "A table of energies and counts over time.");

static const key table_keys[] = {
	EVERY(series, "outputs"),
	ACTIVE(series),
};
static const key body_table_keys[] = {
	EVERY(series, "outputs"),
	COUNT(series, up_to, NULL, "[1, 1e9]",
		  "only bodies with ids up to this one; ids start at 1, in the order of the fills; default: all"),
	ACTIVE(series),
};
static TABLE(table_of_bodies, series, body_table_keys, "body_table",
			 "A table of bodies at every output time, in full precision.");
static TABLE(table_of_walls, series, table_keys, "wall_table",
			 "A table of all walls at every output time: position, velocity, and the force and torque on them.");

static TABLE(table_of_contacts, series, table_keys, "contact_table",
			 "A table of all contacts at every output time, in full precision.");

static TABLE(trajectory, series, body_table_keys, "trajectory", "Frames of all bodies in one text file.");

static const key camera_keys[] = {
	KEY(SPACE, camera, eye,
		"position of the camera; in dimension 2 above the target: [x, y, z] with the x and y of the target",
		.unit = "m", NEEDED),
	KEY(SPACE, camera, target, "point at the centre of the picture", .unit = "m", NEEDED),
	KEY(SPACE, camera, up, "direction that points up in the picture", .standard = "[0, 0, 1]", .flat = "[0, 1, 0]"),
	REAL(camera, fov, "rad", "30 deg", "[1e-6, 3]", "vertical angle of view"),
};
static TABLE(camera, camera, camera_keys, "camera", "Position and direction of the camera.", CHANGES);

static const key color_keys[] = {
	KEY(TEXT, color, value, "a name, such as red, grey or tan, or \"#rrggbb\"; `steel: grey` is a short form", NEEDED),
};
static TABLE(color_of, color, color_keys, "color", "The colour of a material or a shape.", .shorthand = "value",
			 .most = PLAN_COLOURS);

static const key image_keys[] = {
	REAL(image, every, "s", "0", ">= 0",
		 "simulated time between pictures; every step if shorter than a step; 0: only at the times in `at`"),
	KEY(REALS, image, at, "additional times, at most 64; start and end are always drawn", .unit = "s", .range = ">= 0"),
	WORD(image, format, formats, "png",
		 "file format of a run's pictures (docs/pictures.md); `scree render` uses the extension of its output file"),
	KEY(PIXELS, image, size, "width and height, in pixels", .standard = "[960, 720]", .range = "[16, 16384]"),
	WORD(image, color, scree_words_colors, "speed", "quantity that determines the colours of bodies"),
	KEY(RANGE, image, range,
		"range of the colour scale, in the unit of `color`; default: one range for all pictures of the run "
		"(docs/pictures.md)",
		.range = "[-1e30, 1e30]"),
	SECTION(image, camera, camera, "default: a view of the whole scene"),
	WORD(image, walls, looks, "translucent", "how walls are drawn; `cut` leaves out walls that would hide the bodies"),
	SECTION(image, cut, scree_section_plane,
			"plane that cuts the scene; the part on the side of its normal is not drawn", .only = 3, STAYS),
	FLAG(image, forces, "false",
		 "draw contact forces as lines over the bodies; the line width grows with the normal force"),
	WORD(image, arrows, arrows, "none", "draw an arrow for a vector of each body"),
	WORD(image, bodies, body_looks, "solid",
		 "how bodies are drawn; with `pale`, lines and arrows drawn over them stay visible"),
	WORD(image, map, maps, "auto",
		 "colour map for numbers; `auto` is viridis for size and height, otherwise a map whose low end is light"),
	KEY(NAMED, image, colors,
		"colours by name: of materials (for color: material), of shapes (for color: shape), and of walls",
		.of = &color_of, STAYS),
	KEY_OF("background", WORD, image, ground, "background of the picture", .standard = "sky", .words = grounds),
	WORD(image, projection, projections, "perspective", "orthographic: equal lengths look equal at any distance",
		 .only = 3),
	WORD(image, fit, extents, "all",
		 "what the picture shows if no camera is given: all finite objects near the bodies, or only the bodies"),
	FLAG(image, title, "true", "draw title and time"),
	FLAG(image, legend, "true", "draw the scales of colours, forces and arrows"),
	FLAG(image, scale_bar, "false",
		 "draw a scale bar with a round length; in perspective, correct at the distance of the bodies' centre"),
	FLAG(image, axes, "false", "draw the directions of the axes"),
	COUNT(image, samples, "9", "[1, 1024]", "rays per pixel at edges, a square number; elsewhere one is enough"),
	ACTIVE(image),
};
static TABLE(picture, image, image_keys, "images", "Pictures.", CHANGES);

static const key film_keys[] = {
	REAL(film, rate, "1/s", "25 1/s", "(0, 240]", "pictures per second of the film"),
};
static TABLE(film, film, film_keys, "film",
			 "A film of all pictures of a run (MP4, made with ffmpeg), written at its end.");

static NAMES(measures, i < scree_measure_count ? scree_measures[i].name : NULL);

static const key flow_keys[] = {
	VECTOR(flow, point, "m", NULL, "any point on the plane; for a rectangle, its middle", NEEDED),
	VECTOR(flow, normal, NULL, NULL, "direction in which passing bodies count as positive; any length", NEEDED),
	REAL(flow, length, "m", NULL, "> 0",
		 "length of a rectangle, along `along`; in dimension 2, the length of a segment; default: the whole plane"),
	REAL(flow, width, "m", NULL, "> 0", "width of a rectangle, perpendicular to `along`", .only = 3),
	KEY(DIRECTION, flow, along,
		"direction of `length`, in the plane: x, y, z or a vector; default: y, z or x for a normal along x, y or z",
		.only = 3),
};
static TABLE(flow, flow, flow_keys, "flow", "A plane or rectangle at which passing bodies are counted.");

static const key measure_keys[] = {
	REAL(measure, every, "s", NULL, "> 0",
		 "simulated time between output times; every step if shorter than a step; needed unless `history` is true, in "
		 "which case the measure has no table of its own",
		 CHANGES),
	FLAG(measure, active, "true", "whether the measure's table is written; a stage can turn this on and off", CHANGES),
	FLAG(measure, history, "false",
		 "whether the values are also columns NAME.COLUMN of `output.history`, at the times of the history; only for a "
		 "measure with one row per time"),
	SECTION(measure, region, scree_section_region,
			"bodies whose centre is in this part of space; default: `world.domain` (the present cell if the cell "
			"changes size), or all bodies if there is none"),
	KEY(TEXT, measure, sink, "flow into the sink with this name"),
	SECTION(measure, plane, flow,
			"flow through this plane: number of body centres that pass the plane along its normal, minus the number in "
			"the opposite direction"),
	KEY(COUNTS, measure, cells,
		"cells of the region, each with its own row: of a box along x, y, z; of a cylinder `[rings, 1, slices]`, "
		"slices along its axis; of a sphere `[shells, 1, 1]`",
		.standard = "[1, 1, 1]", .range = "[1, 100000]", .flat = "[1, 1]"),
	KEY(MATERIAL, measure, material, "only bodies of this material"),
	KEY(PAIR, measure, sizes, "only bodies with sizes between these two", .unit = "m", .range = "> 0"),
	COUNT(measure, classes, "1", "[1, 1000]",
		  "with `sizes`: number of size classes of equal width, each with its own rows"),
	KEY_OF("values", WORDS, measure, words, "columns, listed in docs/files.md; default: all that the region allows",
		   .words = measures),
};
TABLE(scree_section_measure, measure, measure_keys, "measure",
	  "A table of averages and sums over the bodies of a region.", .most = 16);

static WORDS(functions, "lucy", "gaussian"); /* as field_function */

static const key field_keys[] = {
	EVERY(field, "files"),
	FLAG(field, active, "true", "whether this output is written; a stage can turn it on and off", CHANGES),
	VECTOR(field, min, "m", NULL, "lower corner of the grid; default: `world.domain`"),
	VECTOR(field, max, "m", NULL, "upper corner of the grid; default: `world.domain`"),
	KEY(COUNTS, field, cells, "cells of the grid along x, y and z; values are those at cell centres",
		.range = "[1, 100000]", NEEDED),
	REAL(field, width, "m", NULL, "> 0",
		 "width of the coarse-graining function: standard deviation of the Gaussian, which ends at three widths; half "
		 "the radius of Lucy's function",
		 NEEDED),
	WORD(field, function, functions, "lucy", "coarse-graining function"),
};
static TABLE(fields, field, field_keys, "fields", "Coarse-grained fields on a grid (docs/theory/measures.md).");

static const key output_keys[] = {
	SECTION(output, vtk, vtk, "frames for ParaView"),
	SECTION(output, images, picture, "pictures"),
	SECTION(output, film, film, "a film of the pictures; needs `images`, and ffmpeg on the machine", STAYS),
	SECTION(output, history, history, "energies and counts over time"),
	SECTION(output, bodies, table_of_bodies, "positions and motion of bodies, and loads on them, as a table (CSV)"),
	SECTION(output, walls, table_of_walls, "positions and motion of walls, and loads on them, as a table (CSV)"),
	SECTION(output, contacts, table_of_contacts, "points, forces and partners of contacts, as a table (CSV)"),
	SECTION(output, xyz, trajectory, "bodies as extended XYZ, for OVITO"),
	SECTION(output, dump, trajectory, "bodies as a LAMMPS dump, for OVITO, MDAnalysis, ASE and VMD"),
	KEY(NAMED, output, measures,
		"tables of solid fraction, velocity, stress and other quantities in regions, by name (CSV)",
		.of = &scree_section_measure),
	SECTION(output, fields, fields, "coarse-grained density, velocity and stress on a grid (VTK image data)"),
	{"frames", KEY_LATER, .help = "frames for the viewer", STAYS},
};
TABLE(scree_section_output, output, output_keys, "output", "Output; only what is listed here is written.", CHANGES);
