#include "papers/iglberger2009/nearest.h"

/* A normal within this angle of the span of other normals counts as dependent on them. */
static const real DEPENDENT = (real)1e-6;
/* relative rounding error up to which a constraint counts as satisfied */
static const real MET = (real)1e-12;

six scree_six_across(const six_frame *f, const six *a, real part[6])
{
	six z = *a;
	for (int k = 0; k < 6; ++k) part[k] = 0;
	for (int pass = 0; pass < 2; ++pass) /* the second pass removes the rounding errors of the first */
		for (int32_t k = 0; k < f->count; ++k) {
			real along = six_dot(f->q + k, &z);
			part[k] += along;
			six_add(&z, -along, f->q + k);
		}
	return z;
}

void scree_six_join(six_frame *f, const six *across, const real part[6])
{
	const int32_t n = f->count++;
	real length = sqrt(six_dot(across, across));
	for (int32_t k = 0; k < n; ++k) f->r[k][n] = part[k];
	f->r[n][n] = length;
	for (int c = 0; c < 6; ++c) f->q[n].at[c] = across->at[c] / length;
}

/* Finds the coefficients for which the sum of the vectors from which the frame was built has these components in the
 * frame. */
static void solve(const six_frame *f, const real part[6], real of[6])
{
	for (int32_t k = f->count - 1; k >= 0; --k) {
		of[k] = part[k];
		for (int32_t n = k + 1; n < f->count; ++n) of[k] -= f->r[k][n] * of[n];
		of[k] /= f->r[k][k];
	}
}

static six_frame frame_of_active(const nearest_point *o, const six *normal)
{
	six_frame f = {0};
	for (int32_t k = 0; k < o->active; ++k) {
		real part[6];
		const six across = scree_six_across(&f, normal + o->of[k], part);
		scree_six_join(&f, &across, part);
	}
	return f;
}

static bool is_active(const nearest_point *o, int32_t k)
{
	for (int32_t j = 0; j < o->active; ++j)
		if (o->of[j] == k) return true;
	return false;
}

/* The most violated constraint; -1 if all are satisfied. */
static int32_t most_violated(const nearest_point *o, int32_t count, const six *normal, const real *offset)
{
	const real far = sqrt(six_dot(&o->at, &o->at));
	int32_t worst = -1;
	real most = 0;
	for (int32_t k = 0; k < count; ++k) {
		const real length = sqrt(six_dot(normal + k, normal + k));
		const real lacks = offset[k] - six_dot(normal + k, &o->at);
		if (!(lacks > MET * (length * far + real_abs(offset[k])))) continue;
		if ((worst >= 0 && !(lacks / length > most)) || is_active(o, k)) continue;
		worst = k;
		most = lacks / length;
	}
	return worst;
}

static void drop(nearest_point *o, int32_t j)
{
	for (o->active -= 1; j < o->active; ++j) {
		o->of[j] = o->of[j + 1];
		o->multiplier[j] = o->multiplier[j + 1];
	}
}

static void take(nearest_point *o, int32_t k, real multiplier)
{
	o->of[o->active] = k;
	o->multiplier[o->active++] = multiplier;
}

/* The active constraint whose multiplier first reaches 0 at these rates; -1 if none does; step: step length at which it
 * reaches 0. */
static int32_t first_to_drop(const nearest_point *o, const real rate[6], real *step)
{
	int32_t first = -1;
	*step = INFINITY;
	for (int32_t j = 0; j < o->active; ++j)
		if (rate[j] > 0 && o->multiplier[j] / rate[j] < *step) {
			*step = o->multiplier[j] / rate[j];
			first = j;
		}
	return first;
}

/* Moves the point until constraint k is satisfied, dropping constraints that become inactive. Returns false if the
 * active constraints contradict constraint k. */
static bool meet(nearest_point *o, const six *normal, const real *offset, int32_t k)
{
	const six *a = normal + k;
	real multiplier = 0;
	for (;;) {
		const six_frame f = frame_of_active(o, normal);
		real part[6], rate[6], step;
		const six z = scree_six_across(&f, a, part);
		solve(&f, part, rate);
		const int32_t leaves = first_to_drop(o, rate, &step);
		const real z2 = six_dot(&z, &z);
		const bool moves = z2 > DEPENDENT * DEPENDENT * six_dot(a, a);
		if (leaves < 0 && !moves) return false;
		const real full = moves ? (offset[k] - six_dot(a, &o->at)) / z2 : INFINITY;
		const bool met = full <= step;
		step = real_min(step, full);
		multiplier += step;
		for (int32_t j = 0; j < o->active; ++j) o->multiplier[j] = real_max(o->multiplier[j] - step * rate[j], 0);
		if (moves) six_add(&o->at, step, &z);
		if (met) {
			take(o, k, multiplier);
			return true;
		}
		drop(o, leaves);
	}
}

nearest_point scree_nearest_point(int32_t count, const six *normal, const real *offset)
{
	/* Each round moves the point farther from the origin, so that no active set occurs twice. Usually there are as many
	 * rounds as active constraints; only rounding errors could cause more. */
	const int64_t most = 64 + 16 * (int64_t)count;
	nearest_point o = {.exists = true};
	int32_t k = 0;
	for (int64_t round = 0; (k = most_violated(&o, count, normal, offset)) >= 0; ++round)
		if (round == most || !meet(&o, normal, offset, k)) return (nearest_point){.exists = false};
	o.at = (six){{0}};
	for (int32_t j = 0; j < o.active; ++j) six_add(&o.at, o.multiplier[j], normal + o.of[j]);
	return o;
}
