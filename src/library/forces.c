/* forces: external forces, either from a function of the caller or constant per body (model/model.h). */
#include "library/internal.h"

#include "model/response.h"
#include "world/world.h"

#include <string.h>

/* the rows of bodies with constant forces */
static void add_constant(scree_sim *s, real *const force[6])
{
	for (int64_t k = 0; k < s->pushed; ++k) {
		const int64_t row = scree_sim_find(s, s->push[k].id);
		for (int c = 0; c < 6 && row >= 0; ++c) force[c][row] += s->push[k].force[c];
	}
}

static void add_forces(const state *now, real time, real *const force[6], void *context)
{
	scree_sim *s = context;
	const bodies *b = &now->body;
	add_constant(s, force);
	if (!s->force) return;
	const scree_force_rows rows = {.rows = b->owned,
								   .copies = b->count - b->owned,
								   .time = time,
								   .id = b->id,
								   .x = b->x,
								   .y = b->y,
								   .z = b->z,
								   .vx = b->vx,
								   .vy = b->vy,
								   .vz = b->vz,
								   .mass = b->mass,
								   .fx = force[0],
								   .fy = force[1],
								   .fz = force[2],
								   .tx = force[3],
								   .ty = force[4],
								   .tz = force[5]};
	s->in_force = true;
	s->force(&rows, s->force_context);
	s->in_force = false;
}

/* Adds newly set functions or forces to the present forces; in a loaded world, these already include them. */
static scree_code apply(scree_sim *s)
{
	scree_world *w = s->w;
	w->model.applied = s->force || s->pushed ? add_forces : NULL;
	w->model.applied_context = s;
	return s->fresh ? SCREE_DONE : scree_sim_changed_now(s, CHANGED_VELOCITIES);
}

/* returns the reason why the world does not accept forces; SCREE_DONE if it does */
static scree_code may_push(scree_sim *s)
{
	const model *m = &s->w->model;
	if (m->solver && !m->solver->halves) return scree_sim_refuse(s, "a world with elastic collisions has no forces");
	if (!m->period.deforms || !cell_has_servo(&m->cell)) return SCREE_DONE;
	return scree_sim_refuse(s,
							"a cell with a servo cannot have forces set by a program: they would count as its stress");
}

scree_code scree_in_on_force(scree_sim *s, scree_force_fn *force, void *context)
{
	const scree_code code = may_push(s);
	if (code) return code;
	if ((s->part && scree_sim_undivided(s)) || scree_sim_check_rows(s, false)) return SCREE_BAD_INPUT;
	scree_sim_touch(s);
	if (!s->fresh) scree_sim_changing_now(s);
	s->force = force;
	s->force_context = context;
	return apply(s);
}

/* returns the entry of a body, adding one if there is none; entries of removed bodies are dropped */
static push_row *entry_of(scree_sim *s, uint64_t id)
{
	int64_t kept = 0;
	for (int64_t k = 0; k < s->pushed; ++k)
		if (scree_sim_find(s, s->push[k].id) >= 0) s->push[kept++] = s->push[k];
	s->pushed = kept;
	for (int64_t k = 0; k < kept; ++k)
		if (s->push[k].id == id) return s->push + k;
	s->push = scree_room(s->push, kept, &s->push_room, sizeof *s->push);
	s->push[s->pushed] = (push_row){.id = id};
	return s->push + s->pushed++;
}

static bool is_zero(const push_row *o)
{
	for (int c = 0; c < 6; ++c)
		if (o->force[c] != 0) return false;
	return true;
}

scree_code scree_in_set_force(scree_sim *s, uint64_t id, const double force[3], const double torque[3])
{
	const scree_code code = may_push(s);
	if (code) return code;
	if ((force && !scree_sim_is_vector(force)) || (torque && !scree_sim_is_vector(torque)))
		return scree_sim_refuse(s, "a force is not a number, or exceeds 1e30");
	if (scree_sim_undivided(s)) return SCREE_BAD_INPUT;
	if (scree_sim_find(s, id) < 0) return scree_sim_refuse(s, "there is no body %llu", (unsigned long long)id);
	if (scree_sim_check_rows(s, false)) return SCREE_BAD_INPUT;
	scree_sim_touch(s);
	if (!s->fresh) scree_sim_changing_now(s);
	push_row *to = entry_of(s, id);
	for (int c = 0; c < 3; ++c) {
		to->force[c] = force ? force[c] : 0;
		to->force[c + 3] = torque ? torque[c] : 0;
	}
	if (is_zero(to)) *to = s->push[--s->pushed];
	return apply(s);
}
