/* rows: table rows for the options that implement published methods (choices/choices.h). */
#include "broad/broad.h"
#include "model/integrator.h"
#include "model/narrow.h"
#include "model/response.h"
#include "model/sharing.h"
#include "papers/gear/gear.h"
#include "papers/govender2014/rotation.h"
#include "papers/govender2015/govender2015.h"
#include "papers/iglberger2009/exchanges.h"
#include "papers/krestenitis2017/symplectic_euler.h"
#include "papers/levels/levels.h"
#include "papers/rows.h"

static const broad broads[] = {
	{"levels/regular", "vertices on many levels, each level three times as dense as the one above", scree_levels_find,
	 scree_levels_regular, scree_levels_forget, false},
	{"levels/adaptive", "as levels/regular, kept between searches and refined where bodies are small enough",
	 scree_levels_find, scree_levels_adaptive, scree_levels_forget, false},
	{"levels/reluctant", "as levels/adaptive, refined only where two bodies share a cell", scree_levels_find,
	 scree_levels_reluctant, scree_levels_forget, false},
	{"levels/regular/k2", "as levels/regular, each level twice as dense as the one above", scree_levels_find,
	 scree_levels_regular_k2, scree_levels_forget, false},
	{"levels/adaptive/k2", "as levels/adaptive, each level twice as dense as the one above", scree_levels_find,
	 scree_levels_adaptive_k2, scree_levels_forget, false},
	{"levels/reluctant/k2", "as levels/reluctant, each level twice as dense as the one above", scree_levels_find,
	 scree_levels_reluctant_k2, scree_levels_forget, false},
};

static const narrow narrows[] = {
	{"separating-plane/govender2015",
	 "Algorithms 1 and 2 of Govender, Wilke and Kok (2015) as intended, for comparison; edges are accepted as "
	 "separating axes",
	 scree_govender2015_convex_convex, scree_govender2015_convex_wall, scree_govender2015_refuses, OVERLAP_DEPTH, 0,
	 false, true, false, false, NULL, NULL, NULL, &scree_govender2015_kernels},
	{"separating-plane/govender2015/branching",
	 "as separating-plane/govender2015; on a device, one kernel tests vertices and edges of a pair",
	 scree_govender2015_convex_convex, scree_govender2015_convex_wall, scree_govender2015_refuses, OVERLAP_DEPTH, 0,
	 false, true, false, false, NULL, NULL, NULL, &scree_govender2015_kernels_branching},
	{"separating-plane/govender2015/printed",
	 "Algorithms 1 and 2 as printed: some bodies separated only by edges count as touching",
	 scree_govender2015_convex_convex_printed, scree_govender2015_convex_wall, scree_govender2015_refuses,
	 OVERLAP_DEPTH, 0, false, true, false, false, NULL, NULL, NULL, &scree_govender2015_kernels_printed},
};

#define GEAR(of_name, of_help, rule, count)                                                                            \
	{                                                                                                                  \
		.name = of_name, .help = of_help, .gear = &(rule), .drift_whole = scree_gear_drift,                            \
		.kick_whole = scree_gear_kick, .start = scree_gear_start, .restep = scree_gear_restep, .asks = {               \
			scree_gear_fields,                                                                                         \
			((count)-GEAR_FIRST) * GEAR_EACH                                                                           \
		}                                                                                                              \
	}

static const integrator integrators[] = {
	{.name = "govender2014",
	 .help = "rotation of Govender et al. (2014): forward Euler, no gyroscopic term",
	 .drift = scree_govender2014_drift,
	 .kick = scree_govender2014_kick,
	 .literal = true},
	{.name = "govender2014/printed",
	 .help = "govender2014 with the quaternion step as printed: twice the angle, factors in reverse order",
	 .drift = scree_govender2014_drift_printed,
	 .kick = scree_govender2014_kick,
	 .literal = true},
	{.name = "symplectic_euler",
	 .help =
		 "velocity first, then position with the new velocity (Krestenitis 2017): first order, energy error bounded",
	 .drift = scree_symplectic_euler_drift,
	 .kick = scree_symplectic_euler_kick,
	 .symplectic_euler = true,
	 .literal = true},
	GEAR("gear4", "predictor and corrector of Gear (1971) with 4 values; only for bodies with equal moments of inertia",
		 GEAR_4, 4),
	GEAR("gear5", "Gear (1971) with 5 values, for forces that depend on velocity", GEAR_5, 5),
	GEAR("gear5/position", "Gear (1971) with 5 values, for forces that depend only on positions", GEAR_5_POSITION, 5),
	GEAR("gear6", "Gear (1971) with 6 values, for forces that depend on velocity", GEAR_6, 6),
	GEAR("gear6/position", "Gear (1971) with 6 values, for forces that depend only on positions", GEAR_6_POSITION, 6),
};

#define FFD(of_name, of_help, by, of_pe)                                                                               \
	{                                                                                                                  \
		.name = of_name, .help = of_help, .steps = &scree_step_by_impulses, .takes = scree_ffd_takes,                  \
		.prepare = scree_ffd_prepare, .sweep = by, .done = scree_ffd_done, .corrects = true, .correction = (real)0.1,  \
		.rubs = true, .polyhedra = true, .halves = true, .literal = true, .sampled = of_pe, .splits = of_pe,           \
		.exchanges = of_pe ? &scree_domain_pe : NULL                                                                   \
	}

static const response responses[] = {
	FFD("ffd/pe",
		"impulses: fast frictional dynamics of spheres and polyhedra, body by body, as in pe (Iglberger and Ruede "
		"2009)",
		scree_ffd_sweep_pe, true),
	FFD("ffd/corrected", "as ffd/pe, with relative velocities and correct friction in individual contacts",
		scree_ffd_sweep_corrected, false),
};

static bool all_triangles(real work, real total)
{
	(void)total;
	return work > 0;
}

/* ways of sharing work among threads, from Krestenitis (2017) */
static const sharing sharings[] = {
	{"nested/static", "as nested, with an equal share for each thread", true, scree_sharing_nested, true},
	{"pieces", "pieces of the neighbour list, of 32 consecutive pairs, assigned to threads dynamically", false, NULL,
	 false},
	{"pieces/static", "as pieces, with the same number of consecutive pieces for each thread", false, NULL, true},
	{"pairs", "pairs of bodies one by one, assigned to threads dynamically", true, NULL, false},
	{"pairs/static", "as pairs, with the same number of consecutive pairs for each thread", true, NULL, true},
	{"triangles", "the triangles of one pair of bodies shared among all threads, one pair after another", true,
	 all_triangles, false},
	{"triangles/static", "as triangles, with an equal share of the pair's boxes for each thread", true, all_triangles,
	 true},
};

const choice_rows scree_paper_broads = ROWS_OF(broads);
const choice_rows scree_paper_narrows = ROWS_OF(narrows);
const choice_rows scree_paper_integrators = ROWS_OF(integrators);
const choice_rows scree_paper_responses = ROWS_OF(responses);
const choice_rows scree_paper_sharings = ROWS_OF(sharings);

bool scree_paper_left_out(const char *name)
{
	(void)name;
	return false;
}
