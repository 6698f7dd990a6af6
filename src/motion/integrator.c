/* integrator: the table of integrators; further rows are in papers/. */
#include "model/integrator.h"

static const integrator table[] = {
	{.name = "velocity_verlet",
	 .help = "second order; angular momentum to rounding, energy bounded",
	 .standard = true,
	 .drift = scree_turn_drift,
	 .kick = scree_turn_kick},
};
const choices scree_integrators = {sizeof *table, {table, sizeof table / sizeof *table}, &scree_paper_integrators};
