/* bodies: functions that change bodies in place, and that add, remove and move them. */
#include "library/internal.h"

#include "shape/shape_axes.h"
#include "world/world.h"

#include <string.h>

/* ------------------------------------------------------------------ changes in arrays */

scree_code scree_in_changing(scree_sim *s)
{
	if (scree_sim_undivided(s)) return SCREE_BAD_INPUT;
	scree_sim_note_ledger(s);
	return SCREE_DONE;
}

/* whether the caller has changed the orientation of a row in the caller's copies; *to: the new orientation */
static bool is_turned(const scree_sim *s, int32_t i, quat *to)
{
	const bodies *b = &s->w->state.body;
	const quat is = shape_axes_out(s->w->model.shape.row + b->shape[i], body_orientation(b, i));
	*to = scree_sim_copied_orientation(s, i);
	return is.w != to->w || is.x != to->x || is.y != to->y || is.z != to->z;
}

static void turn_in(scree_sim *s)
{
	bodies *b = &s->w->state.body;
	quat to, q;
	for (int32_t i = 0; scree_sim_has_copies(s) && i < b->owned; ++i)
		if (is_turned(s, i, &to) && scree_sim_orientation((double[4]){to.w, to.x, to.y, to.z}, &q))
			body_set_orientation(b, i, shape_axes_in(s->w->model.shape.row + b->shape[i], q));
}

/* Refuses changed orientations, which would be lost, if the caller has declared only other changes. */
static scree_code check_unturned(scree_sim *s)
{
	quat to;
	for (int32_t i = 0; scree_sim_has_copies(s) && i < s->w->state.body.owned; ++i)
		if (is_turned(s, i, &to))
			return scree_sim_refuse(s, "the orientation of body %llu was changed: such a change needs SCREE_POSITIONS",
									(unsigned long long)s->w->state.body.id[i]);
	return SCREE_DONE;
}

scree_code scree_in_changed(scree_sim *s, int what)
{
	const uint32_t changed =
		(what & SCREE_POSITIONS ? CHANGED_POSITIONS : 0) | (what & SCREE_VELOCITIES ? CHANGED_VELOCITIES : 0);
	if (what & ~(SCREE_POSITIONS | SCREE_VELOCITIES))
		return scree_sim_refuse(s, "%d names nothing that can change", what);
	if (scree_sim_undivided(s) || scree_sim_check_rows(s, what & SCREE_POSITIONS)) return SCREE_BAD_INPUT;
	if (what & SCREE_POSITIONS)
		turn_in(s);
	else if (check_unturned(s))
		return SCREE_BAD_INPUT;
	return scree_sim_changed_now(s, changed);
}

/* ------------------------------------------------------------------ addition */

const char *scree_in_shape_name(const scree_sim *s, int k)
{
	return k >= 0 && k < s->w->model.shape.count ? s->w->model.shape.row[k].name : NULL;
}

static vec3 vector(const double v[3]) { return v3(v[0], v[1], v[2]); }

static scree_code convert(scree_sim *s, const scree_body *from, new_body *to)
{
	static const double zero[4] = {0, 0, 0, 0};
	const model *m = &s->w->model;
	const int32_t form = from->shape ? scree_shapes_find(&m->shape, from->shape) : -1,
				  stuff = from->material ? scree_materials_find(&m->material, from->material) : -1;
	quat q = quat_one();
	if (form < 0) return scree_sim_refuse(s, "there is no shape '%s'", from->shape ? from->shape : "");
	if (stuff < 0) return scree_sim_refuse(s, "there is no material '%s'", from->material ? from->material : "");
	if (!(from->size > 0 && from->size <= 1e12))
		return scree_sim_refuse(s, "a size of %g m; it must be above 0", from->size);
	if (!scree_sim_is_vector(from->position) || !scree_sim_is_vector(from->velocity) ||
		!scree_sim_is_vector(from->angular_velocity))
		return scree_sim_refuse(s, "a position or velocity of a new body is not a number, or exceeds 1e30");
	if (memcmp(from->orientation, zero, sizeof zero) != 0 && !scree_sim_orientation(from->orientation, &q))
		return scree_sim_refuse(s, "a new body has no orientation");
	*to = (new_body){.shape = form,
					 .material = stuff,
					 .size = from->size * m->shape.row[form].scale,
					 .position = vector(from->position),
					 .orientation = q,
					 .velocity = vector(from->velocity),
					 .angular_velocity = vector(from->angular_velocity),
					 .flags = from->held ? BODY_HELD : 0};
	if (scree_sim_in_plane(s, to->position, q, to->velocity, to->angular_velocity)) return SCREE_DONE;
	return scree_sim_refuse(s, "a new body is not in the plane of the world");
}

/* removes the bodies added last, as if they had never been added */
static void take_back(scree_sim *s, int64_t count, uint64_t next_id)
{
	scree_world *w = s->w;
	int32_t *row = scree_alloc((size_t)count, sizeof *row);
	for (int64_t k = 0; k < count; ++k) row[k] = (int32_t)(w->state.body.owned - count + k);
	scree_world_remove(&w->model, &w->state, &w->work, count, row);
	scree_free(row);
	w->state.next_id = next_id;
	scree_sim_prepare_again(s);
}

static bool can_be_weighed(const bodies *b, int32_t i)
{
	return b->mass[i] > 0 && b->mass[i] < 1e30 && b->ix[i] > 0 && b->iy[i] > 0 && b->iz[i] > 0;
}

/* Tests that held bodies with these ids touch no held body or resting wall with which they would exchange heat. */
static bool heat_passes(scree_sim *s, uint64_t first, uint64_t last)
{
	scree_world *w = s->w;
	return scree_world_held_heat_check_new(&w->model, &w->state, &w->work.domain, first, last, &s->why);
}

static scree_code add_all(scree_sim *s, int64_t count, const new_body *body, uint64_t *first_id)
{
	scree_world *w = s->w;
	const uint64_t next_id = w->state.next_id;
	bool heavy = true;
	if (scree_sim_check_rows(s, false)) return SCREE_BAD_INPUT;
	scree_sim_testing_now(s);
	const uint64_t first = scree_world_add(&w->model, &w->state, &w->work, count, body);
	for (int64_t k = 1; k <= count; ++k) heavy &= can_be_weighed(&w->state.body, (int32_t)(w->state.body.owned - k));
	if (!heavy) scree_sim_refuse(s, "the mass of a new body is out of the range of numbers");
	if (!heavy || !scree_sim_is_possible(s, &s->why) || !heat_passes(s, first, w->state.next_id - 1)) {
		take_back(s, count, next_id);
		return SCREE_BAD_INPUT;
	}
	if (first_id) *first_id = first;
	return scree_sim_changed_now(s, CHANGED_BODIES);
}

scree_code scree_in_add(scree_sim *s, int64_t count, const scree_body *from, uint64_t *first_id)
{
	static const int64_t MOST = INT32_MAX / 4;
	if (count < 0 || (count && !from) || count > MOST - scree_in_bodies(s))
		return scree_sim_refuse(s, "%lld bodies cannot be added", (long long)count);
	scree_code code = count ? scree_sim_undivided(s) : SCREE_DONE;
	if (code || !count) return code;
	new_body *body = scree_alloc((size_t)count, sizeof *body);
	for (int64_t k = 0; k < count && !code; ++k) code = convert(s, from + k, body + k);
	if (!code) code = add_all(s, count, body, first_id);
	scree_free(body);
	return code;
}

/* ------------------------------------------------------------------ removal */

static int by_row(const void *a, const void *b)
{
	const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
	return x < y ? -1 : x > y;
}

static scree_code find_rows(scree_sim *s, int64_t count, const uint64_t *id, int32_t *row)
{
	for (int64_t k = 0; k < count; ++k) {
		row[k] = (int32_t)scree_sim_find(s, id[k]);
		if (row[k] < 0) return scree_sim_refuse(s, "there is no body %llu", (unsigned long long)id[k]);
	}
	scree_sort_by(row, count, sizeof *row, by_row);
	for (int64_t k = 1; k < count; ++k)
		if (row[k] == row[k - 1])
			return scree_sim_refuse(s, "body %llu is named twice", (unsigned long long)s->w->state.body.id[row[k]]);
	return SCREE_DONE;
}

scree_code scree_in_remove(scree_sim *s, int64_t count, const uint64_t *id)
{
	scree_world *w = s->w;
	if (count < 0 || (count && !id) || count > scree_in_bodies(s))
		return scree_sim_refuse(s, "%lld bodies cannot be removed", (long long)count);
	if (!count) return SCREE_DONE;
	if (scree_sim_undivided(s) || scree_sim_check_rows(s, false)) return SCREE_BAD_INPUT;
	scree_sim_testing_now(s); /* called before looking up rows, since it may sort the rows */
	int32_t *row = scree_alloc((size_t)count, sizeof *row);
	scree_code code = find_rows(s, count, id, row);
	/* before the first step, bodies changed by the caller may be too fast for the step */
	if (!code && !w->state.begun && !scree_sim_is_possible(s, &s->why)) code = SCREE_BAD_INPUT;
	if (!code) {
		scree_world_remove(&w->model, &w->state, &w->work, count, row);
		code = scree_sim_changed_now(s, CHANGED_BODIES);
	}
	scree_free(row);
	return code;
}

/* ------------------------------------------------------------------ one body */

typedef struct placing {
	uint64_t id;
	const double *position, *orientation, *velocity, *spin;
} placing;

static void place_row(scree_world *w, int32_t i, const placing *o, quat q)
{
	bodies *b = &w->state.body;
	const double *x = o->position, *v = o->velocity, *spin = o->spin;
	if (x) b->x[i] = x[0], b->y[i] = x[1], b->z[i] = x[2];
	if (o->orientation) body_set_orientation(b, i, shape_axes_in(w->model.shape.row + b->shape[i], q));
	if (v) b->vx[i] = v[0], b->vy[i] = v[1], b->vz[i] = v[2];
	if (spin) b->wx[i] = spin[0], b->wy[i] = spin[1], b->wz[i] = spin[2];
}

/* Tests whether heat conduction allows the new position of a held body. */
static bool may_be_at(scree_sim *s, int32_t i, const placing *o)
{
	bodies *b = &s->w->state.body;
	const vec3 was = body_position(b, i);
	if (!o->position || b->inv_mass[i] > 0) return true;
	b->x[i] = o->position[0], b->y[i] = o->position[1], b->z[i] = o->position[2];
	const bool may = heat_passes(s, o->id, o->id);
	b->x[i] = was.x, b->y[i] = was.y, b->z[i] = was.z;
	return may;
}

static scree_code place(scree_sim *s, const placing *o)
{
	static const vec3 none = {0, 0, 0};
	quat q = quat_one();
	const double *const given[3] = {o->position, o->velocity, o->spin};
	for (int k = 0; k < 3; ++k)
		if (given[k] && !scree_sim_is_vector(given[k]))
			return scree_sim_refuse(s, "a new position is not a number, or exceeds 1e30");
	if (o->orientation && !scree_sim_orientation(o->orientation, &q))
		return scree_sim_refuse(s, "this is not an orientation");
	if (!scree_sim_in_plane(s, o->position ? vector(o->position) : none, q, o->velocity ? vector(o->velocity) : none,
							o->spin ? vector(o->spin) : none))
		return scree_sim_refuse(s, "body %llu would leave the plane of the world", (unsigned long long)o->id);
	if (scree_sim_check_rows(s, false)) return SCREE_BAD_INPUT;
	scree_sim_changing_now(s);
	const int64_t row = scree_sim_find(s, o->id);
	if (row < 0) return scree_sim_refuse(s, "there is no body %llu", (unsigned long long)o->id);
	if (!may_be_at(s, (int32_t)row, o)) return SCREE_BAD_INPUT;
	place_row(s->w, (int32_t)row, o, q);
	return scree_sim_changed_now(s, CHANGED_POSITIONS | CHANGED_VELOCITIES);
}

scree_code scree_in_place(scree_sim *s, uint64_t id, const double position[3], const double orientation[4],
						  const double velocity[3], const double angular_velocity[3])
{
	if (scree_sim_undivided(s)) return SCREE_BAD_INPUT;
	return place(s, &(placing){id, position, orientation, velocity, angular_velocity});
}
