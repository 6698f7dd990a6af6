/* rows: the table of measures. */
#include "measure/measure.h"

#include <string.h>

/* ------------------------------------------------------------------ amounts */

static void mass_of(const measured_cell *c, const real *sum, real *value)
{
	(void)sum;
	*value = c->mass;
}

static void bodies_of(const measured_cell *c, const real *sum, real *value)
{
	(void)sum;
	*value = c->bodies;
}

static void add_volume(const measured_body *b, fixed *sum) { scree_fixed_add(sum, b->volume); }

static void fraction_of(const measured_cell *c, const real *sum, real *value) { *value = sum[0] / c->volume; }

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

static void temperature_of(const measured_cell *c, const real *sum, real *value)
{
	*value = sum[0] / c->moved / c->dimension;
}

/* ------------------------------------------------------------------ contacts */

static void add_neighbour(const measured_end *e, fixed *sum)
{
	if (e->first) scree_fixed_add(sum, 1);
}

static void coordination_of(const measured_cell *c, const real *sum, real *value) { *value = sum[0] / c->bodies; }

/* adds weight times the symmetric part of the product of a and b: xx, yy, zz, xy, xz, yz */
static void add_tensor(fixed *sum, real weight, vec3 a, vec3 b)
{
	scree_fixed_add(sum + 0, weight * (a.x * b.x));
	scree_fixed_add(sum + 1, weight * (a.y * b.y));
	scree_fixed_add(sum + 2, weight * (a.z * b.z));
	scree_fixed_add(sum + 3, weight * (a.x * b.y + a.y * b.x) / 2);
	scree_fixed_add(sum + 4, weight * (a.x * b.z + a.z * b.x) / 2);
	scree_fixed_add(sum + 5, weight * (a.y * b.z + a.z * b.y) / 2);
}

static void add_flux(const measured_body *b, fixed *sum) { add_tensor(sum, b->moved, b->deviation, b->deviation); }

static void add_load(const measured_end *e, fixed *sum) { add_tensor(sum, -1, e->force, e->arm); }

static void stress_of(const measured_cell *c, const real *sum, real *value)
{
	for (int k = 0; k < 6; ++k) value[k] = sum[k] / c->volume;
}

/* ------------------------------------------------------------------ the table */

#define TENSOR(name, unit)                                                                                             \
	name "_xx[" unit "] " name "_yy[" unit "] " name "_zz[" unit "] " name "_xy[" unit "] " name "_xz[" unit "] " name \
		 "_yz[" unit "]"

const measure_row scree_measures[] = {
	{"mass", "mass of the bodies", "mass[kg]", .value = mass_of},
	{"bodies", "number of bodies", "bodies[1]", .value = bodies_of},
	{"solid_fraction", "volume of the bodies over that of the cell", "solid_fraction[1]", 1, .needs_volume = true,
	 .body = add_volume, .value = fraction_of},
	{"velocity", "mean velocity, weighted by mass", "velocity_x[m/s] velocity_y[m/s] velocity_z[m/s]", 3,
	 .body = add_momentum, .value = velocity_of},
	{"temperature", "granular temperature: mean square of the deviation from the mean velocity, per dimension",
	 "temperature[m2/s2]", 1, .body = add_agitation, .value = temperature_of},
	{"coordination", "mean number of contacts of a body, with bodies and walls", "coordination[1]", 1,
	 .end = add_neighbour, .value = coordination_of},
	{"stress", "stress of contacts (Love and Weber) and of the deviation from the mean velocity; compression positive",
	 TENSOR("stress", "Pa"), 6, .needs_volume = true, .body = add_flux, .end = add_load, .value = stress_of},
};
const int scree_measure_count = (int)(sizeof scree_measures / sizeof *scree_measures);

static bool is_wanted(const measure_plan *p, const measure_row *row)
{
	if (!p->values) return p->bounded || !row->needs_volume;
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
