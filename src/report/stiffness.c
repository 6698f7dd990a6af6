#include "report/notes.h"

#include "base/maths.h"
#include "base/shown.h"
#include "model/law.h"

/* The key that makes contacts of these materials stiffer, and the exponent by which it reduces the overlap of an
 * impact. */
typedef struct stiffness_key {
	const char *key;
	real power;
} stiffness_key;

static stiffness_key key_of(const scree_world *w, const int32_t material[2])
{
	const int32_t law = w->model.constants[material[0] * w->model.material.count + material[1]].law;
	if (law == LAW_LINEAR || law == LAW_PLASTIC) return (stiffness_key){"stiffness", 2};
	if (law == LAW_POWER) return (stiffness_key){"power.force", (real)2.5};
	/* the exponent of hertz, which spheres have under overlap, too; faces need less */
	return (stiffness_key){"young", law == LAW_HERTZ || law == LAW_OVERLAP ? (real)2.5 : 2};
}

/* margin, so that the factor suffices although it is rounded and impacts differ */
static const real SURELY = (real)0.03;

static void print_impact(FILE *to, real over, const stiffness_key *k, overlap_cause by)
{
	fprintf(to, " by a factor of %.2g", scree_pow(over, k->power));
	fprintf(to, ", or lower the impact speed by a factor of %.2g", scree_pow(over, k->power / 2));
	if (by == STIFFNESS_OF_BOTH) /* a force rises by one power less than its energy */
		fprintf(to,
				"; where a load presses them, pressure over stiffness counts, and a factor of %.2g in either is enough",
				scree_pow(over, k->power - 1));
}

void scree_stiffness_print(FILE *to, const scree_world *w, const int32_t material[2], real part, overlap_cause by)
{
	const real over = (1 + SURELY) * part / DEEP_OVERLAP;
	if (w->model.solver || w->model.hard) {
		fprintf(to, "set run.step to %.2g s to stay below %g %%", w->model.dt / over, 100 * DEEP_OVERLAP);
		return;
	}
	const stiffness_key k = key_of(w, material);
	scree_print(to, "to stay below %g %% raise %s of %s", 100 * DEEP_OVERLAP, k.key,
				w->model.material.row[material[0]].name);
	if (material[1] != material[0]) scree_print(to, " and %s", w->model.material.row[material[1]].name);
	if (by == STIFFNESS_OF_LOAD)
		fprintf(to, ", or lower the load, by a factor of %.2g", scree_pow(over, k.power - 1));
	else
		print_impact(to, over, &k, by);
}
