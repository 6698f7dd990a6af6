/* integrator: the table of integrators; further rows are in papers. */
#include "choices/choices.h"
#include "papers/rows.h"

static const integrator table[] = {
	{.name = "velocity_verlet",
	 .help = "second order; angular momentum to rounding, energy bounded",
	 .standard = true,
	 .drift = scree_turn_drift,
	 .kick = scree_turn_kick},
};
const choices scree_integrators = {sizeof *table, ROWS_OF(table), &scree_paper_integrators};
