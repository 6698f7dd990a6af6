/* values: whether numbers that a caller gives, or writes to arrays, can be. */
#include "library/internal.h"

#include "shape/shape_axes.h"

bool scree_sim_is_vector(const double v[3])
{
	static const double MOST = 1e30;
	for (int c = 0; c < 3; ++c)
		if (!(v[c] >= -MOST && v[c] <= MOST)) return false;
	return true;
}

bool scree_sim_orientation(const double q[4], quat *out)
{
	double most = 0;
	for (int c = 0; c < 4; ++c) {
		if (!(q[c] >= -1e30 && q[c] <= 1e30)) return false;
		most = real_max(most, real_abs(q[c]));
	}
	if (!(most > 0)) return false;
	*out = quat_unit(quat_of(q[0] / most, q[1] / most, q[2] / most, q[3] / most));
	return true;
}

bool scree_sim_in_plane(const scree_sim *s, vec3 position, quat q, vec3 velocity, vec3 spin)
{
	if (!s->w->model.flat) return true;
	return position.z == 0 && velocity.z == 0 && q.x == 0 && q.y == 0 && spin.x == 0 && spin.y == 0;
}

quat scree_sim_copied_orientation(const scree_sim *s, int32_t i)
{
	real *const *q = s->copy.of;
	return quat_of(q[0][i], q[1][i], q[2][i], q[3][i]);
}

bool scree_sim_has_copies(const scree_sim *s)
{
	return s->copy.of[0] && s->copy.made == s->changes && s->copy.epoch == scree_world_epoch(s->w);
}

static scree_code check_row(scree_sim *s, int32_t i, bool copies)
{
	const bodies *b = &s->w->state.body;
	const double x[3] = {b->x[i], b->y[i], b->z[i]}, v[3] = {b->vx[i], b->vy[i], b->vz[i]};
	const double w[3] = {b->wx[i], b->wy[i], b->wz[i]};
	quat q = body_orientation(b, i);
	if (copies) {
		const quat given = scree_sim_copied_orientation(s, i);
		if (!scree_sim_orientation((double[4]){given.w, given.x, given.y, given.z}, &q))
			return scree_sim_refuse(s, "body %llu has no orientation", (unsigned long long)b->id[i]);
	}
	if (!scree_sim_is_vector(x) || !scree_sim_is_vector(v) || !scree_sim_is_vector(w))
		return scree_sim_refuse(s, "a position or velocity of body %llu is no number, or beyond 1e30",
								(unsigned long long)b->id[i]);
	if (!scree_sim_in_plane(s, body_position(b, i), q, body_velocity(b, i), body_angular_velocity(b, i)))
		return scree_sim_refuse(s, "body %llu leaves the plane of its world", (unsigned long long)b->id[i]);
	return SCREE_DONE;
}

scree_code scree_sim_check_rows(scree_sim *s, bool copies)
{
	copies = copies && scree_sim_has_copies(s);
	s->wrong = false;
	for (int32_t i = 0; i < s->w->state.body.owned && !s->wrong; ++i) s->wrong = check_row(s, i, copies) != SCREE_DONE;
	if (s->wrong) s->stop = s->why;
	return s->wrong ? SCREE_BAD_INPUT : SCREE_DONE;
}
