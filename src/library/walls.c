/* walls: their poses and loads. */
#include "library/internal.h"

static void put(double to[3], vec3 v)
{
	to[0] = v.x;
	to[1] = v.y;
	to[2] = v.z;
}

int scree_sim_walls(const scree_sim *s) { return s->w->model.wall.count; }

int scree_sim_find_wall(const scree_sim *s, const char *name)
{
	return name && !s->broken ? scree_walls_find(&s->w->model.wall, name) : -1;
}

typedef struct wanted {
	int wall;
	scree_wall *out;
} wanted;

static scree_code give(scree_sim *s, void *of)
{
	const wanted *o = of;
	scree_wall *to = o->out;
	scree_sim_look(s);
	const wall *w = s->w->model.wall.row + o->wall;
	const wall_state *at = s->w->state.wall + o->wall;
	const wall_load load = scree_wall_load(&s->w->model, &s->w->state, &s->w->work, o->wall);
	const double turn[4] = {at->orientation.w, at->orientation.x, at->orientation.y, at->orientation.z};
	*to = (scree_wall){.name = w->name, .contacts = load.contacts, .removed = w->removed};
	for (int c = 0; c < 4; ++c) to->orientation[c] = turn[c];
	put(to->position, at->position);
	put(to->velocity, at->velocity);
	put(to->angular_velocity, at->angular_velocity);
	put(to->force, load.force);
	put(to->torque, load.torque);
	return SCREE_DONE;
}

scree_code scree_sim_refuse_wall(scree_sim *s, int wall)
{
	return scree_sim_refuse(s, "there is no wall %d; there are %d", wall, scree_sim_walls(s));
}

scree_code scree_sim_wall(scree_sim *s, int wall, scree_wall *out)
{
	if (s->broken) return s->broken;
	if (wall < 0 || wall >= scree_sim_walls(s)) return scree_sim_refuse_wall(s, wall);
	return scree_sim_call(s, give, &(wanted){wall, out});
}
