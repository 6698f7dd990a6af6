/* checks: points and directions of walls. */
#include "wall/internal.h"

static bool finite_vector(vec3 p) { return wall_bounded(p.x) && wall_bounded(p.y) && wall_bounded(p.z); }

bool scree_wall_check_point(const wall *w, const char *what, vec3 p, fail *why)
{
	if (finite_vector(p)) return true;
	return scree_fail(why, FAIL_INPUT, "wall '%s': %s is (%g, %g, %g), expected finite numbers up to 1e30", w->name,
					  what, p.x, p.y, p.z);
}

bool scree_wall_check_unit(const wall *w, const char *what, vec3 *axis, fail *why)
{
	if (!scree_wall_check_point(w, what, *axis, why)) return false;
	real most = real_max(real_abs(axis->x), real_max(real_abs(axis->y), real_abs(axis->z)));
	if (!(most > 0)) return scree_fail(why, FAIL_INPUT, "wall '%s': %s is zero, expected a direction", w->name, what);
	/* an axis of length 1 within rounding is unchanged */
	if (real_abs(v3_norm2(*axis) - 1) > 4e-16) *axis = v3_unit(v3_mul(1 / most, *axis));
	return true;
}
