/* tables: the rows of each choice, except those of papers, and names of laws and of methods for triangles. */
#include "choices/choices.h"

#include "broad/phases.h"
#include "kernel/resident.h"
#include "narrow/flat/flat.h"
#include "narrow/narrow.h"
#include "narrow/solid/known_cuts.h"
#include "narrow/triangle/triangles.h"
#include "papers/rows.h"
#include "start/start.h"

#include <string.h>

static const broad broad_table[] = {
	{"grid", "boxes sorted into cells as large as the largest box; unbounded space", scree_grid_find, NULL, NULL,
	 false},
	{"sweep", "sorted ends of boxes along each axis, kept between searches (Schinner 1999)", scree_sweep_find,
	 scree_sweep_make, scree_sweep_forget, true},
	{"sweep/once", "ends of boxes, sorted from scratch in each search; sweep starts with it and falls back to it",
	 scree_sort_sweep_find, NULL, NULL, false},
	{"slots/x", "strips across x, each compared with itself and the next; slices in 3D", scree_slots_x_find, NULL, NULL,
	 false},
	{"slots/y", "strips across y, each compared with itself and the next; slices in 3D", scree_slots_y_find, NULL, NULL,
	 false},
	{"slots/cells", "cells of x and y, each compared with itself and four others; columns in 3D",
	 scree_slots_cells_find, NULL, NULL, false},
	{"brute", "all pairs (reference for testing)", scree_brute_find, NULL, NULL, false},
};
const choices scree_broads = {sizeof *broad_table, ROWS_OF(broad_table), &scree_paper_broads};

static const narrow_kernels by_depth = {
	SOLIDS_BY_DEPTH,
	{"pair_faces", "pair_edges", "pair_references", "pair_patches", "pair_arms", "pair_contacts"},
	{"at_wall_points", "at_wall_arms", "at_wall_contacts"},
	{NULL},
	{"at_facet_gathers", "at_facet_folds", "at_facet_meets", "at_facet_finishes", "at_facet_contacts"}};
static const narrow_kernels by_overlap = {
	SOLIDS_BY_OVERLAP,
	{"pair_regions", "pair_forms", "pair_sums", "pair_effects"},
	{"at_wall_regions", "at_wall_sums", "at_wall_effects"},
	{"at_wall_regions", "at_wall_sums", "at_wall_effects", "at_tube_sums", "at_tube_effects", "at_tube_contacts"},
	{"at_facet_regions", "at_facet_sums", "at_facet_effects", "at_facet_joins", "at_facet_contacts"}};

/* for polyhedra and polygons */
static const narrow narrow_table[] = {
	{"separating-plane", "the axis of least penetration, patches of points; continuous", scree_convex_convex,
	 scree_convex_wall, scree_convex_refuses, OVERLAP_DEPTH, 0, false, false, false, false, NULL, scree_convex_kept,
	 NULL, &by_depth},
	{"overlap-volume", "common volume of two bodies and its gradient, for the law volume; conserves energy",
	 scree_overlap_convex_convex, scree_overlap_convex_wall, scree_overlap_refuses, OVERLAP_VOLUME, OVERLAP_FACES,
	 false, false, false, false, scree_overlap_known, NULL, NULL, NULL},
	{"overlap-area", "common area of two bodies in the plane and its gradient, for area-based laws", scree_flat_area,
	 scree_flat_area_wall, scree_flat_refuses, OVERLAP_VOLUME, 0, true, false, false, false, NULL, NULL, NULL, NULL},
	{"closest-features", "in the plane: by depth, for all other laws; closest features of polygons", scree_flat_depth,
	 scree_flat_depth_wall, scree_flat_refuses, OVERLAP_DEPTH, 0, true, false, true, false, NULL, NULL, NULL, NULL},
	{"overlap-thickness", "volume and thickness of the overlap of polyhedra, for the law overlap; conserves energy",
	 scree_thickness_convex_convex, scree_thickness_convex_wall, scree_thickness_refuses, OVERLAP_THICKNESS,
	 OVERLAP_FACES, false, false, false, true, scree_thickness_known, NULL, NULL, &by_overlap},
	{"overlap-thickness/plane", "in the plane: thickness of the overlap, for the law overlap; conserves energy",
	 scree_flat_thickness, scree_flat_thickness_wall, scree_flat_refuses, OVERLAP_THICKNESS, 0, true, false, false,
	 false, NULL, NULL, NULL, NULL},
};
const choices scree_narrows = {sizeof *narrow_table, ROWS_OF(narrow_table), &scree_paper_narrows};

const narrow *scree_narrow_guest;

const narrow *scree_narrow_find(const char *name)
{
	if (scree_narrow_guest && !strcmp(scree_narrow_guest->name, name)) return scree_narrow_guest;
	return scree_choice_find(&scree_narrows, name);
}

static const integrator integrator_table[] = {
	{.name = "velocity_verlet",
	 .help = "second order; conserves angular momentum to rounding; the energy error is bounded",
	 .standard = true,
	 .drift = scree_turn_drift,
	 .kick = scree_turn_kick},
};
const choices scree_integrators = {sizeof *integrator_table, ROWS_OF(integrator_table), &scree_paper_integrators};

/* ways in which threads share the contacts of surfaces with a halo */
static const sharing sharing_table[] = {
	{"nested",
	 "each thread takes one pair at a time, but all threads share the triangles of pairs much larger than the rest",
	 true, scree_sharing_nested, false},
};
const choices scree_sharings = {sizeof *sharing_table, ROWS_OF(sharing_table), &scree_paper_sharings};

static const response response_table[] = {
	{.name = "forces",
	 .help = "forces of the contact laws while bodies overlap",
	 .steps = &scree_step_by_forces,
	 .first = scree_first_forces},
	{.name = "implicit",
	 .help = "the same laws, solved implicitly, for steps as long as a contact",
	 .steps = &scree_step_ahead,
	 .first = scree_first_forces_ahead,
	 .implicit = true},
	{.name = "hard",
	 .help = "contacts as stiff as the step allows, regardless of the material",
	 .steps = &scree_step_ahead,
	 .first = scree_first_forces_ahead,
	 .implicit = true,
	 .hard = true},
	{.name = "elastic",
	 .help = "impulses: instantaneous frictionless collisions of spheres",
	 .steps = &scree_step_by_impulses,
	 .takes = scree_solver_takes,
	 .prepare = scree_elastic_prepare,
	 .sweep = scree_elastic_sweep,
	 .done = scree_elastic_done,
	 .corrects = true},
};
const choices scree_responses = {sizeof *response_table, ROWS_OF(response_table), &scree_paper_responses};

const char *scree_response_stays(const response *was, const response *is)
{
	static const char why[] = "only 'forces', 'implicit' and 'hard' can follow one another, since impulse-based "
							  "contacts have no springs or forces from which the other responses could continue: start "
							  "another scene from the snapshot of this run, fill: [{from: NAME.snap}]";
	return was != is && (scree_solver_of(was) || scree_solver_of(is)) ? why : NULL;
}

const char *scree_response_keeps(const response *was, const response *is)
{
	if (was->hard != is->hard)
		return "friction springs keep their force, and other springs start at zero; overlaps are kept";
	return is->implicit ? "springs of contacts are kept, and impulses start at zero"
						: "springs of contacts are kept, and impulses of the last step are discarded";
}

bool scree_choice_left_out(const char *name) { return scree_paper_left_out(name); }

static const char *name_in_build(const char *name) { return scree_paper_left_out(name) ? NULL : name; }

const char *scree_law_name(int k) { return k < LAWS ? name_in_build(scree_laws[k].name) : NULL; }

const char *scree_triangle_way_name(int k)
{
	return k < TRIANGLE_WAYS ? name_in_build(scree_triangle_ways[k].name) : NULL;
}

int32_t scree_triangle_way_find(const char *name)
{
	for (int32_t k = 0; scree_triangle_way_name(k); ++k)
		if (!strcmp(scree_triangle_ways[k].name, name)) return k;
	return -1;
}
