#include "wall/internal.h"

static vec3 rise(const motion_row *r) { return v3_mul(1 / (r[1].time - r[0].time), v3_sub(r[1].value, r[0].value)); }

/* Returns the weighted harmonic mean of the slopes on both sides, or 0 if their signs differ (Fritsch and Butland 1984,
 * SIAM J. Sci. Stat. Comput. 5, 300): the cubic then stays between the values in the rows. */
static real mean_slope(real before, real after, real h0, real h1)
{
	const real w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
	if (!(before * after > 0)) return 0;
	return (w0 + w1) / (w0 / before + w1 / after);
}

static void slopes_of_smooth(motion_row *row, int32_t rows)
{
	row[0].slope = row[rows - 1].slope = v3(0, 0, 0);
	for (int32_t k = 1; k + 1 < rows; ++k) {
		const vec3 a = rise(row + k - 1), b = rise(row + k);
		const real h0 = row[k].time - row[k - 1].time, h1 = row[k + 1].time - row[k].time;
		row[k].slope = v3(mean_slope(a.x, b.x, h0, h1), mean_slope(a.y, b.y, h0, h1), mean_slope(a.z, b.z, h0, h1));
	}
}

motion_table scree_motion_table_of(motion_row *row, int32_t rows, motion_table_kind kind)
{
	if (kind == TABLE_SMOOTH && rows > 0) slopes_of_smooth(row, rows);
	for (int32_t k = 0; kind == TABLE_LINEAR && k < rows; ++k)
		row[k].slope = k + 1 < rows ? rise(row + k) : v3(0, 0, 0);
	for (int32_t k = 0; kind == TABLE_RATES && k < rows; ++k) {
		const real half = k ? (row[k].time - row[k - 1].time) / 2 : 0;
		row[k].value = k ? v3_madd(row[k - 1].value, half, v3_add(row[k - 1].slope, row[k].slope)) : v3(0, 0, 0);
	}
	return (motion_table){.rows = rows, .curved = kind != TABLE_LINEAR, .row = row};
}

/* Returns the last row at or before this time; 0 if there is none. */
static int32_t row_at(const motion_table *t, real time)
{
	int32_t low = 0, high = t->rows;
	while (high - low > 1) {
		const int32_t middle = low + (high - low) / 2;
		if (t->row[middle].time <= time)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Cubic Hermite interpolation between two rows. */
static void curve_at(const motion_row *r, real time, vec3 *value, vec3 *rate)
{
	const real h = r[1].time - r[0].time, x = (time - r[0].time) / h;
	const vec3 d = rise(r);
	/* value = r0 + h x (s0 + x (3 d - 2 s0 - s1 + x (s0 + s1 - 2 d))) */
	const vec3 b = v3_sub(v3_mul(3, d), v3_add(v3_mul(2, r[0].slope), r[1].slope)),
			   c = v3_sub(v3_add(r[0].slope, r[1].slope), v3_mul(2, d));
	*value = v3_madd(r[0].value, h * x, v3_madd(r[0].slope, x, v3_madd(b, x, c)));
	*rate = v3_madd(r[0].slope, x, v3_madd(v3_mul(2, b), 3 * x, c));
}

void scree_motion_table_at(const motion_table *t, real time, vec3 *value, vec3 *rate)
{
	const int32_t k = row_at(t, time);
	const motion_row *r = t->row + k;
	if (time < r->time) {
		*value = r->value;
		*rate = v3(0, 0, 0);
	} else if (t->curved && k + 1 < t->rows) {
		curve_at(r, time, value, rate);
	} else {
		*value = v3_madd(r->value, time - r->time, r->slope);
		*rate = r->slope;
	}
}

/* The rate of a cubic is a quadratic, which is bounded by its Bezier coefficients. */
static real greatest_rate(const motion_table *t, int32_t k)
{
	const motion_row *r = t->row + k;
	const real own = v3_norm(r->slope);
	if (!t->curved || k + 1 == t->rows) return own;
	const vec3 middle = v3_sub(v3_mul(3, rise(r)), v3_add(r[0].slope, r[1].slope));
	return real_max(real_max(own, v3_norm(r[1].slope)), v3_norm(middle));
}

real scree_motion_table_way(const motion_table *t, real from, real to)
{
	real all = 0;
	for (int32_t k = row_at(t, from); k < t->rows && t->row[k].time < to; ++k) {
		const real begin = real_max(from, t->row[k].time),
				   end = k + 1 < t->rows ? real_min(to, t->row[k + 1].time) : to;
		if (end > begin) all += greatest_rate(t, k) * (end - begin);
	}
	return all;
}

real scree_motion_table_fastest(const motion_table *t)
{
	real most = 0;
	for (int32_t k = 0; k < t->rows; ++k) most = real_max(most, greatest_rate(t, k));
	return most;
}

bool scree_motion_table_is_valid(const motion_table *t)
{
	bool right = t->rows >= 1;
	for (int32_t k = 0; right && k < t->rows; ++k) {
		const motion_row *r = t->row + k;
		right = v3_within(r->value, WALL_LARGEST) && v3_within(r->slope, WALL_LARGEST) && wall_bounded(r->time) &&
				(k ? r->time > r[-1].time : r->time >= 0);
	}
	return right;
}

bool scree_motion_table_same(const motion_table *a, const motion_table *b)
{
	bool same = a->rows == b->rows && a->curved == b->curved;
	for (int32_t k = 0; same && a->row != b->row && k < a->rows; ++k)
		same = a->row[k].time == b->row[k].time && v3_equal(a->row[k].value, b->row[k].value) &&
			   v3_equal(a->row[k].slope, b->row[k].slope);
	return same;
}
