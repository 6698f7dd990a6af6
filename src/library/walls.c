/* walls: poses of walls, and loads on walls. */
#include "library/internal.h"

#include "world/world.h"

int scree_in_walls(const scree_sim *s) { return s->w->model.wall.count; }

int scree_in_find_wall(const scree_sim *s, const char *name)
{
	return name && !s->broken ? scree_walls_find(&s->w->model.wall, name) : -1;
}

static scree_code refuse_wall(scree_sim *s, int wall)
{
	return scree_sim_refuse(s, "there is no wall %d; there are %d walls", wall, scree_in_walls(s));
}

scree_code scree_in_wall(scree_sim *s, int k, scree_wall *to)
{
	if (k < 0 || k >= scree_in_walls(s)) return refuse_wall(s, k);
	if (!to) return scree_sim_refuse(s, "scree_sim_wall: a required pointer is NULL");
	scree_sim_look(s);
	const wall *w = s->w->model.wall.row + k;
	const wall_state *at = s->w->state.wall + k;
	const wall_load load = scree_wall_load(&s->w->model, &s->w->state, &s->w->work, k);
	const quat q = at->orientation;
	*to = (scree_wall){.name = w->name, .contacts = load.contacts, .removed = w->removed};
	to->orientation[0] = q.w, to->orientation[1] = q.x, to->orientation[2] = q.y, to->orientation[3] = q.z;
	put_vector(to->position, at->position);
	put_vector(to->velocity, at->velocity);
	put_vector(to->angular_velocity, at->angular_velocity);
	put_vector(to->force, load.force);
	put_vector(to->torque, load.torque);
	return SCREE_DONE;
}

typedef struct moving {
	int32_t wall;
	vec3 velocity, spin;
} moving;

/* returns the motion from the present pose onwards */
static wall_motion motion_from_now(scree_sim *s, const moving *o)
{
	/* gives the same poses, bit for bit, as in a restored world */
	scree_walls_move(&s->w->model.wall, s->w->state.wall, s->w->state.time);
	const wall_state *at = s->w->state.wall + o->wall;
	const real rate = v3_norm(o->spin);
	return (wall_motion){.type = MOTION_GIVEN,
						 .velocity = o->velocity,
						 .axis = rate > 0 ? v3_unit(o->spin) : v3(0, 0, 1),
						 .rate = rate,
						 .point = at->position,
						 .base = at->orientation,
						 .from = s->w->state.time,
						 .until = INFINITY};
}

static bool has_halos(const model *m)
{
	for (int32_t k = 0; k < m->shape.count; ++k)
		if (m->shape.row[k].type == SHAPE_SURFACE) return true;
	return false;
}

/* Tests whether the change affects only the velocity of a wall that the program already moves. Bounds for halos,
 * solvers and periods depend on the motions of walls. */
static bool is_only_velocity(const scree_sim *s, const moving *o)
{
	const model *m = &s->w->model;
	return m->wall.row[o->wall].motion.type == MOTION_GIVEN && s->w->state.step > 0 && !s->fresh && !m->solver &&
		   !s->w->model.period.on && !has_halos(m);
}

/* Contacts are evaluated again, since damping changes with the velocity, but no new search for pairs is needed. */
static scree_code change_velocity(scree_sim *s, const moving *o)
{
	state *now = &s->w->state;
	work *w = &s->w->work;
	wall *row = s->w->model.wall.row + o->wall;
	scree_sim_changing_now(s);
	w->wall[o->wall].gone += scree_wall_way(row, w->middle, w->reach, w->paired_at, now->time);
	row->motion = motion_from_now(s, o);
	now->wall[o->wall].velocity = o->velocity;
	now->wall[o->wall].angular_velocity = o->spin;
	return scree_sim_changed_now(s, CHANGED_VELOCITIES);
}

static scree_code move_wall(scree_sim *s, const moving *o)
{
	if (scree_sim_check_rows(s, false)) return SCREE_BAD_INPUT;
	if (is_only_velocity(s, o)) return change_velocity(s, o);
	scree_sim_testing_now(s);
	wall *row = s->w->model.wall.row + o->wall;
	const wall before = *row;
	row->motion = motion_from_now(s, o);
	row->parts = 0;
	if (scree_sim_is_possible(s, &s->why)) return scree_sim_changed_now(s, CHANGED_WALLS);
	*row = before;
	scree_sim_prepare_again(s);
	return SCREE_BAD_INPUT;
}

static bool stays_in_plane(const scree_sim *s, const double v[3], const double w[3])
{
	return !s->w->model.flat || (v[2] == 0 && w[0] == 0 && w[1] == 0);
}

static bool turns(const double w[3]) { return w[0] != 0 || w[1] != 0 || w[2] != 0; }

scree_code scree_in_move_wall(scree_sim *s, int wall, const double velocity[3], const double angular_velocity[3])
{
	static const double none[3] = {0, 0, 0};
	const double *v = velocity ? velocity : none, *w = angular_velocity ? angular_velocity : none;
	if (wall < 0 || wall >= scree_in_walls(s)) return refuse_wall(s, wall);
	if (!scree_sim_is_vector(v) || !scree_sim_is_vector(w))
		return scree_sim_refuse(s, "a velocity of a wall is not a number, or exceeds 1e30");
	if (!stays_in_plane(s, v, w)) return scree_sim_refuse(s, "the wall would leave the plane of its world");
	if (turns(w) && s->w->model.period.on)
		return scree_sim_refuse(s, "a wall in a world with periods cannot be turned");
	if (scree_sim_undivided(s)) return SCREE_BAD_INPUT;
	return move_wall(s, &(moving){wall, v3(v[0], v[1], v[2]), v3(w[0], w[1], w[2])});
}
