/* rows: the table of measures. */
#include "measure/measure.h"

#include <string.h>

/* A function of the row's only value, computed from the cell and the sums of the row. */
#define VALUE(name, expression)                                                                                        \
	static void name(const measured_cell *c, const real *sum, real *value)                                             \
	{                                                                                                                  \
		(void)c, (void)sum;                                                                                            \
		*value = expression;                                                                                           \
	}                                                                                                                  \
	struct measure_row

VALUE(mass_of, c->mass);
VALUE(bodies_of, c->bodies);

static void add_volume(const measured_body *b, fixed *sum) { scree_fixed_add(sum, b->volume); }

VALUE(fraction_of, sum[0] / c->volume);
VALUE(cut_fraction_of, c->cut[0] / c->volume);
VALUE(cut_mass_of, c->cut[1]);

/* ------------------------------------------------------------------ motion */

static void add_momentum(const measured_body *b, fixed *sum) { fixed_add_vector(sum, v3_mul(b->moved, b->velocity)); }

static void velocity_of(const measured_cell *c, const real *sum, real *value)
{
	for (int k = 0; k < 3; ++k) value[k] = sum[k] / c->moved;
}

static void add_agitation(const measured_body *b, fixed *sum)
{
	scree_fixed_add(sum, b->moved * v3_norm2(b->deviation));
}

VALUE(temperature_of, sum[0] / c->moved / c->dimension);

/* ------------------------------------------------------------------ contacts */

static void add_neighbour(const measured_end *e, fixed *sum)
{
	if (e->first) scree_fixed_add(sum, 1);
}

VALUE(coordination_of, sum[0] / c->bodies);

static void add_flux(const measured_body *b, fixed *sum)
{
	fixed_add_product(sum, b->moved, b->deviation, b->deviation);
}

static void add_load(const measured_end *e, fixed *sum) { fixed_add_product(sum, -1, e->force, e->arm); }

static void add_round_flux(const measured_body *b, fixed *sum)
{
	fixed_add_product(sum, b->moved, b->round_deviation, b->round_deviation);
}

static void add_round_load(const measured_end *e, fixed *sum)
{
	fixed_add_product(sum, -1, e->round_force, e->round_arm);
}

static void stress_of(const measured_cell *c, const real *sum, real *value)
{
	for (int k = 0; k < 6; ++k) value[k] = sum[k] / c->volume;
}

/* the two ends of a contact have opposite normals, and so the same products */
static void add_direction(const measured_end *e, fixed *sum)
{
	fixed_add_product(sum, 1, e->normal, e->normal);
	scree_fixed_add(sum + 6, 1);
}

static void fabric_of(const measured_cell *c, const real *sum, real *value)
{
	(void)c;
	for (int k = 0; k < 6; ++k) value[k] = sum[k] / sum[6];
}

/* ------------------------------------------------------------------ sizes */

static void add_size(const measured_body *b, fixed *sum)
{
	const real d = b->size;
	scree_fixed_add(sum + 0, d);
	scree_fixed_add(sum + 1, d * d);
	scree_fixed_add(sum + 2, b->mass * d);
	scree_fixed_add(sum + 3, b->mass * (d * d));
}

static void mean_and_spread(real count, real sum, real squares, real *value)
{
	value[0] = sum / count;
	const real variance = squares / count - value[0] * value[0];
	value[1] = variance < 0 ? 0 : sqrt(variance); /* NaN without bodies */
}

static void size_of(const measured_cell *c, const real *sum, real *value)
{
	mean_and_spread(c->bodies, sum[0], sum[1], value);
	mean_and_spread(c->mass, sum[2], sum[3], value + 2);
}

/* ------------------------------------------------------------------ heat */

static void add_heat(const measured_body *b, fixed *sum)
{
	const real heat = b->capacity * b->temperature;
	scree_fixed_add(sum + 0, b->capacity);
	scree_fixed_add(sum + 1, heat);
	scree_fixed_add(sum + 2, heat * b->temperature);
}

static void body_temperature_of(const measured_cell *c, const real *sum, real *value)
{
	(void)c;
	mean_and_spread(sum[0], sum[1], sum[2], value);
}

/* ------------------------------------------------------------------ kinds */

VALUE(share_of, c->mass / c->others);

static void segregation_of(const measured_cell *c, const real *sum, real *value)
{
	const real off = c->mass / c->others - c->share;
	(void)sum;
	*value = off * off / (c->share * (1 - c->share));
}

VALUE(height_of, c->top > -INFINITY ? c->top : NAN);

/* ------------------------------------------------------------------ the table */

#define TENSOR(name, unit)                                                                                             \
	name "_xx[" unit "] " name "_yy[" unit "] " name "_zz[" unit "] " name "_xy[" unit "] " name "_xz[" unit "] " name \
		 "_yz[" unit "]"

const measure_row scree_measures[] = {
	{"mass", "mass of the bodies", "mass[kg]", .value = mass_of},
	{"bodies", "number of bodies", "bodies[1]", .value = bodies_of},
	{"solid_fraction", "volume of the bodies divided by the volume of the cell", "solid_fraction[1]", 1,
	 .needs_volume = true, .body = add_volume, .value = fraction_of},
	{"solid_fraction_cut",
	 "solid fraction with bodies cut at the borders of the cell, for boxes in dimension 3; only if `values` names it",
	 "solid_fraction_cut[1]", .needs_volume = true, .needs_cuts = true, .value = cut_fraction_of},
	{"mass_cut",
	 "mass of the parts of bodies inside the cell, assuming uniform density, for boxes in dimension 3; only if "
	 "`values` names it",
	 "mass_cut[kg]", .needs_volume = true, .needs_cuts = true, .value = cut_mass_of},
	{"velocity", "mean velocity, weighted by mass", "velocity_x[m/s] velocity_y[m/s] velocity_z[m/s]", 3,
	 .body = add_momentum, .value = velocity_of},
	{"temperature", "granular temperature: mean square of the deviation from the mean velocity, per dimension",
	 "temperature[m2/s2]", 1, .body = add_agitation, .value = temperature_of},
	{"coordination", "mean number of contacts per body, with bodies and walls", "coordination[1]", 1,
	 .end = add_neighbour, .value = coordination_of},
	{"stress", "stress from contacts (Love and Weber) and from deviations from the mean velocity; compression positive",
	 TENSOR("stress", "Pa"), 6, .needs_volume = true, .body = add_flux, .end = add_load, .value = stress_of},
	{"stress_cylindrical",
	 "the same stress along the radius (r) of a cylinder or disc, around (t) and along (a) its axis; only if `values` "
	 "names it",
	 "stress_rr[Pa] stress_tt[Pa] stress_aa[Pa] stress_rt[Pa] stress_ra[Pa] stress_ta[Pa]", 6, .needs_volume = true,
	 .needs_axis = true, .body = add_round_flux, .end = add_round_load, .value = stress_of},
	{"fabric", "mean product of the components of contact normals; its trace is 1", TENSOR("fabric", "1"), 7,
	 .end = add_direction, .value = fabric_of},
	{"size", "mean and standard deviation of sizes, by number and by mass",
	 "size_mean[m] size_sd[m] size_mean_by_mass[m] size_sd_by_mass[m]", 4, .body = add_size, .value = size_of},
	{"body_temperature",
	 "mean and standard deviation of the temperature of bodies, weighted by heat capacity; only in scenes with heat, "
	 "and if `values` names it",
	 "body_temperature_mean[K] body_temperature_sd[K]", 3, .needs_heat = true, .body = add_heat,
	 .value = body_temperature_of},
	{"share", "mass of the bodies of `material` and `sizes` divided by the mass of all bodies", "share[1]",
	 .needs_choice = true, .value = share_of},
	{"segregation",
	 "squared deviation of the share from the share in the region, relative to fully separated kinds: the "
	 "mass-weighted mean is 0 if mixed, 1 if separated",
	 "segregation[1]", .needs_choice = true, .value = segregation_of},
	{"height", "height of the top of the highest body, measured against gravity and with bounding spheres", "height[m]",
	 .value = height_of},
};
const int scree_measure_count = (int)(sizeof scree_measures / sizeof *scree_measures);

static bool is_wanted(const measure_plan *p, const measure_row *row)
{
	const bool chooses = p->material >= 0 || p->sizes[1] > 0;
	if (!p->values)
		return (p->bounded || !row->needs_volume) && (chooses || !row->needs_choice) && !row->needs_heat &&
			   !row->needs_axis && !row->needs_cuts;
	for (int32_t k = 0; k < p->values; ++k)
		if (!strcmp(p->value[k], row->name)) return true;
	return false;
}

int scree_measure_rows(const measure_plan *p, int row[])
{
	int count = 0;
	for (int k = 0; k < scree_measure_count; ++k)
		if (is_wanted(p, scree_measures + k)) row[count++] = k;
	return count;
}
