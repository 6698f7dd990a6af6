#include "state/names.h"

#include "base/field.h"
#include "kernel/cohesion.h"
#include "model/model.h"
#include "model/sources.h"
#include "wall/walls.h"

#define NAMES(list, most)                                                                                              \
	{                                                                                                                  \
		(most) + 1, list                                                                                               \
	}

static const char *const side[] = {[SIDE_INSIDE] = "inside", [SIDE_OUTSIDE] = "outside"};
static const char *const cohesion[] = {[COHESION_NONE] = "none",
									   [COHESION_JKR] = "jkr",
									   [COHESION_DMT] = "dmt",
									   [COHESION_SIMPLE] = "simple",
									   [COHESION_CAPILLARY] = "capillary"};
static const char *const drag[] = {[DRAG_STOKES] = "stokes", [DRAG_SCHILLER_NAUMANN] = "schiller-naumann"};
static const char *const area[] = {
	[REGION_BOX] = "box", [REGION_CYLINDER] = "cylinder", [REGION_SPHERE] = "sphere", [REGION_SEGMENT] = "segment"};
static const char *const sizes[] = {[SPREAD_ONE] = "one",
									[SPREAD_UNIFORM] = "uniform",
									[SPREAD_NORMAL] = "normal",
									[SPREAD_LOGNORMAL] = "lognormal",
									[SPREAD_SIEVE] = "sieve"};
static const char *const orient[] = {
	[ORIENT_ALIGNED] = "aligned", [ORIENT_RANDOM] = "random", [ORIENT_GIVEN] = "given"};
static const char *const takes[] = {[SINK_BELOW] = "below", [SINK_REGION] = "region"};
static const char *const number[] = {[KIND_F64] = "f64", [KIND_I32] = "i32", [KIND_U64] = "u64"};

const names scree_side_names = NAMES(side, SIDE_OUTSIDE), scree_cohesion_names = NAMES(cohesion, COHESIONS - 1),
			scree_drag_names = NAMES(drag, DRAGS - 1), scree_region_names = NAMES(area, REGION_SEGMENT),
			scree_spread_names = NAMES(sizes, SPREAD_SIEVE), scree_orient_names = NAMES(orient, ORIENT_GIVEN),
			scree_sink_names = NAMES(takes, SINK_REGION), scree_number_names = NAMES(number, KIND_U64);

_Static_assert(sizeof cohesion / sizeof *cohesion == COHESIONS && sizeof drag / sizeof *drag == DRAGS,
			   "each value has a name");
