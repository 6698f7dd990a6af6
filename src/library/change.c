/* change: changes by the caller: tests of values, contacts found before any step, and the required updates. */
#include "library/internal.h"

#include "guard/guard.h"
#include "shape/shape_axes.h"
#include "world/world.h"

/* ------------------------------------------------------------------ values given by the caller or written to arrays */

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
		return scree_sim_refuse(s, "a position or velocity of body %llu is not a number, or exceeds 1e30",
								(unsigned long long)b->id[i]);
	if (!scree_sim_in_plane(s, body_position(b, i), q, body_velocity(b, i), body_angular_velocity(b, i)))
		return scree_sim_refuse(s, "body %llu leaves the plane of the world", (unsigned long long)b->id[i]);
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

/* ------------------------------------------------------------------ looks: contacts found only for reading */

void scree_sim_touch(scree_sim *s)
{
	if (!s->shown) return;
	scree_world_hide_start(&s->w->model, &s->w->state, &s->w->work, &s->hidden);
	s->shown = false;
}

void scree_sim_look(scree_sim *s)
{
	if (s->shown || !s->fresh || scree_sim_check_rows(s, false)) return;
	s->shown = true;
	s->hidden = scree_world_show_start(&s->w->model, &s->w->state, &s->w->work);
}

/* Implicit steps keep all contact energies in their histories; showing the contacts of a loaded world would solve for
 * the contacts again, at another time. */
void scree_sim_look_at_ledger(scree_sim *s)
{
	if (s->w->state.step > 0 && s->w->model.implicit)
		scree_sim_touch(s);
	else
		scree_sim_look(s);
}

void scree_sim_settle(scree_sim *s)
{
	if (!s->w->state.begun) scree_sim_look(s);
	scree_sim_touch(s);
}

bool scree_sim_holds_at_end(scree_sim *s)
{
	scree_world *w = s->w;
	scree_sim_look_at_ledger(s); /* a snapshot from the end of a run does not include the energy of springs */
	return scree_held_hold(&w->model, &w->state, &w->work) &&
		   scree_solver_holds_at_end(&w->model, &w->state, &w->work) &&
		   scree_energy_holds_at_end(&w->model, &w->state, &w->work);
}

/* ------------------------------------------------------------------ changes */

void scree_sim_note_ledger(scree_sim *s)
{
	if (s->w->state.step > 0)
		scree_sim_look_at_ledger(s); /* the ledger of a loaded world includes the contacts, so these are found first */
	scree_world_changing(s->w);
}

void scree_sim_changing_now(scree_sim *s)
{
	scree_sim_note_ledger(s);
	scree_sim_touch(s);
}

void scree_sim_testing_now(scree_sim *s)
{
	const scree_world *w = s->w;
	scree_sim_changing_now(s);
	scree_free(s->before.mass);
	s->before = scree_world_step_excess(&w->model, &w->state, &w->work.domain);
}

scree_code scree_sim_changed_now(scree_sim *s, uint32_t what)
{
	scree_world *w = s->w;
	scree_sim_touch(s);
	s->changes += 1;
	if (!scree_world_changed(w, what, &s->why)) return s->broken = SCREE_INTERNAL;
	if (w->state.step > 0 && !w->model.solver) s->fresh = false; /* the contacts of this world were found for reading */
	return SCREE_DONE;
}

bool scree_sim_respond_now(scree_sim *s, const new_response *to, uint32_t what, fail *why)
{
	scree_world *w = s->w;
	scree_sim_touch(s);
	s->changes += 1;
	if (!scree_world_respond(w, to, what, why) || !scree_world_turns_check(&w->model, &w->state, why)) return false;
	if (w->state.step > 0) s->fresh = false; /* the contacts of this world were found for reading */
	return true;
}

bool scree_sim_is_possible(scree_sim *s, fail *why)
{
	scree_world *w = s->w;
	return scree_world_prepare(w, 0, w->model.dt, why) && scree_world_turns_check(&w->model, &w->state, why) &&
		   scree_world_check_change(&w->model, &w->state, &w->work.domain, &s->before, why);
}

/* The step of a world that has already made steps is set later (change/step_size.c). */
bool scree_sim_is_possible_in_steps(scree_sim *s, real part, real step, fail *why)
{
	scree_world *w = s->w;
	const real before = w->model.dt, own = w->model.own_step;
	const bool possible =
		scree_world_prepare_step(w, part, step, why) && scree_world_turns_check(&w->model, &w->state, why);
	if (w->state.begun) w->model.dt = before, w->model.own_step = own;
	return possible;
}

void scree_sim_prepare_again(scree_sim *s)
{
	fail why;
	const bool possible = scree_world_prepare(s->w, 0, s->w->model.dt, &why);
	/* The previous state was valid, unless the caller has made bodies too fast, which the next step reports. */
	SCREE_ASSERT(possible || !s->w->state.begun);
	s->changes += 1;
}
