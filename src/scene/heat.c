/* heat: random velocities of a fill with a temperature. Components of velocities are normally distributed. Their mean,
 * weighted by mass, is taken off, so that the momentum of the fill is that of its mean velocity to rounding; then they
 * are scaled to the temperature itself. All sums are in the order of the bodies. */
#include "scene/reader.h"

#include "base/memory.h"
#include "world/world.h"

static vec3 normal_vector(random_stream *s, bool flat)
{
	const real x = scree_random_normal(s), y = scree_random_normal(s);
	return v3(x, y, flat ? 0 : scree_random_normal(s));
}

/* m2/s2, from mass-weighted squares of deviations */
static real part_for(real wanted, real squares, real masses, int dimensions)
{
	return squares > 0 ? sqrt(wanted * dimensions * masses / squares) : 0;
}

static void heat_velocities(const reader *r, real temperature, random_stream *s, int64_t count, const real *mass,
							new_body *body)
{
	vec3 *v = scree_alloc((size_t)count, sizeof *v), mean = v3(0, 0, 0);
	real masses = 0, squares = 0;
	for (int64_t k = 0; k < count; ++k) {
		v[k] = normal_vector(s, r->flat);
		mean = v3_madd(mean, mass[k], v[k]);
		masses += mass[k];
	}
	mean = v3_mul(1 / masses, mean);
	for (int64_t k = 0; k < count; ++k) {
		v[k] = v3_sub(v[k], mean);
		squares += mass[k] * v3_norm2(v[k]);
	}
	const real part = part_for(temperature, squares, masses, r->flat ? 2 : 3);
	for (int64_t k = 0; k < count; ++k) body[k].velocity = v3_madd(body[k].velocity, part, v[k]);
	scree_free(v);
}

static void heat_rotations(const reader *r, real temperature, random_stream *s, int64_t count, new_body *body)
{
	vec3 *w = scree_alloc((size_t)count, sizeof *w);
	real squares = 0;
	for (int64_t k = 0; k < count; ++k) {
		w[k] = r->flat ? v3(0, 0, scree_random_normal(s)) : normal_vector(s, false);
		squares += v3_norm2(w[k]);
	}
	const real part = part_for(temperature, squares, (real)count, r->flat ? 1 : 3);
	for (int64_t k = 0; k < count; ++k) body[k].angular_velocity = v3_madd(body[k].angular_velocity, part, w[k]);
	scree_free(w);
}

bool scree_build_heat(reader *r, const fill_spec *f, int32_t number, body_list *all, int64_t from)
{
	const int64_t count = all->count - from;
	random_stream s = scree_random_start((uint64_t)f->seed, (8ull << 32) + (uint64_t)number); /* no body uses it */
	if (!(f->temperature > 0 || f->angular_temperature > 0)) return true;
	if (count < 2)
		return REFUSE_VALUE(r, &f->h, "temperature", NULL, "%s: a temperature needs at least two bodies",
							scree_fill_name(r, f));
	real *mass = scree_alloc((size_t)count, sizeof *mass);
	for (int64_t k = 0; k < count; ++k) mass[k] = scree_body_mass(r, all->row + from + k);
	if (f->temperature > 0) heat_velocities(r, f->temperature, &s, count, mass, all->row + from);
	if (f->angular_temperature > 0) heat_rotations(r, f->angular_temperature, &s, count, all->row + from);
	scree_free(mass);
	return true;
}
