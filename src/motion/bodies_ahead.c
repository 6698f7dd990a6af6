/* bodies_ahead: moves bodies ahead to the poses at which implicit steps evaluate contacts (work/ways_ahead.h), to find
 * approaching bodies before they overlap. The first search uses velocities before the step, and later ones the solver's
 * latest. A body moves by a limited distance that depends only on its state, so pairs and rows stay valid. */
#include "motion/stage.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "kernel/motion.h"
#include "motion/moving.h"
#include "wall/wall_state.h"
#include "work/ways_ahead.h"
#include "work/work.h"

#include <string.h>

enum { PLACES = 7, COLUMNS = 8, GRAIN = 1024 };

typedef struct moving {
	const model *m;
	state *s;
	work *w;
	velocity_pair *velocity; /* NULL for a fraction of the velocities before the step */
	real more;				 /* m: more_ahead */
	real images;			 /* half of the predicted displacement of images, in m, in a cell of variable size */
	real beyond[SCREE_MOST_THREADS];
} moving;

static void columns_of(const bodies *b, real *to[COLUMNS])
{
	real *const of[COLUMNS] = {b->x, b->y, b->z, b->qw, b->qx, b->qy, b->qz, b->way};
	memcpy(to, of, sizeof of);
}

static void room(const state *s, look_ahead *o)
{
	if (o->rows >= s->body.count) return;
	o->rows = s->body.capacity;
	SCREE_FREE_ALL(o->most, o->far);
	o->most = scree_alloc((size_t)o->rows, sizeof *o->most);
	o->far = scree_alloc((size_t)o->rows, sizeof *o->far);
	for (int c = 0; c < COLUMNS; ++c) {
		scree_free(o->column[c]);
		o->column[c] = scree_alloc((size_t)o->rows, sizeof *o->column[c]);
	}
}

static void set_limits(void *what, int64_t from, int64_t to, int thread)
{
	moving *j = what;
	const bodies *b = &j->s->body;
	for (int64_t i = from; i < to; ++i) {
		const real most = most_ahead(b, i, j->w->ahead.drifted, j->more, j->m->dt);
		j->w->ahead.most[i] = most;
		j->w->ahead.far[i] = 0;
		j->beyond[thread] = real_max(j->beyond[thread], b->way[i] + need_ahead(most) - b->inner[i]);
	}
}

void scree_bodies_limits(const model *m, state *s, work *w)
{
	room(s, &w->ahead);
	if (m->period.deforms) scree_cell_ahead(m, s, w->ahead.drifted);
	moving j = {.m = m, .s = s, .w = w, .more = more_ahead(m, s)};
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) j.beyond[t] = -INFINITY;
	scree_parallel(set_limits, &j, s->body.count, GRAIN);
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) w->skin.beyond = real_max(w->skin.beyond, j.beyond[t]);
}

/* free: fraction of the step during which the body rotates freely; if 0, it rotates at the angular velocity in v */
static quat turned_ahead(const bodies *b, int64_t i, const velocity_pair *v, real free, real dt)
{
	const quat q = body_orientation(b, (int32_t)i);
	if (!(free > 0) || b->flags[i] & BODY_HELD) return quat_unit(quat_mul(quat_exp(v->angular, dt), q));
	const vec3 l = v3(b->kx[i], b->ky[i], b->kz[i]);
	return turn_drift(q, l, v3(0, 0, 0), v3(b->ix[i], b->iy[i], b->iz[i]), free * dt).orientation;
}

static velocity_pair part_of(velocity_pair v, real part)
{
	return (velocity_pair){v3_mul(part, v.linear), v3_mul(part, v.angular)};
}

/* Returns the velocities before the step plus those that the cell adds. */
static velocity_pair going(const moving *j, int64_t i)
{
	velocity_pair v = velocity_before(&j->s->body, i, j->w->ahead.drifted);
	v.linear =
		v3_add(v.linear, periods_pull(&j->m->period, &j->w->ahead.images, body_position(&j->s->body, (int32_t)i)));
	return v;
}

static velocity_pair within_limit(const moving *j, int64_t i)
{
	velocity_pair *v = j->velocity + i;
	const real way = way_with(&j->s->body, i, v, j->m->dt), most = j->w->ahead.most[i] - j->images;
	return *v = part_of(*v, way > most ? most / way : 1);
}

static void move(void *what, int64_t from, int64_t to, SCREE_UNUSED int thread)
{
	const moving *j = what;
	bodies *b = &j->s->body;
	look_ahead *o = &j->w->ahead;
	const bool first = !j->velocity && o->drifted;
	const real part = part_ahead(j->m);
	for (int64_t i = from; i < to; ++i) {
		const velocity_pair v = j->velocity ? within_limit(j, i) : part_of(going(j, i), part);
		o->far[i] = way_with(b, i, &v, j->m->dt) + j->images;
		b->x[i] += j->m->dt * v.linear.x, b->y[i] += j->m->dt * v.linear.y, b->z[i] += j->m->dt * v.linear.z;
		body_set_orientation(b, i, turned_ahead(b, i, &v, first ? part : 0, j->m->dt));
		b->way[i] += o->far[i];
	}
}

/* In sheared space and in a cell of variable size, moves images ahead at the velocities used for contacts. */
static void images_ahead(const model *m, state *s)
{
	scree_periods_hold(&s->images);
	s->images.growth = s->images.coming;
	s->images.speeding = v3(0, 0, 0);
	if (m->period.deforms) scree_periods_grow(&m->period, &s->images, part_ahead(m) * m->dt);
	scree_periods_set(&m->period, &s->images, 1, part_ahead(m) * m->dt);
}

/* Moves ahead the walls that are driven by forces, at their velocities before the step, like bodies. */
static void walls_move_on(const model *m, state *s, const work *w, real part)
{
	for (int32_t k = 0; k < s->walls; ++k)
		if (motion_is_driven(m->wall.row[k].motion.type))
			s->wall[k].servo.way = w->ahead.wall[k].servo.way +
								   part * m->dt * driven_before(s->wall + k, w->wall[k].half, w->ahead.drifted);
	scree_walls_move(&m->wall, s->wall, s->time + ((w->ahead.drifted ? 1 : 0) + part) * m->dt);
}

/* Moves walls ahead by part of a step, like bodies; velocities at the end of the step serve as its mean. */
static void walls_ahead(const model *m, state *s, work *w)
{
	scree_free(w->ahead.wall);
	w->ahead.wall = scree_copy(s->wall, (size_t)s->walls, sizeof *s->wall);
	walls_move_on(m, s, w, 1);
	if (part_ahead(m) == 1) return;
	wall_state *end = scree_copy(s->wall, (size_t)s->walls, sizeof *s->wall);
	walls_move_on(m, s, w, part_ahead(m));
	for (int32_t k = 0; k < s->walls; ++k)
		s->wall[k].velocity = end[k].velocity, s->wall[k].angular_velocity = end[k].angular_velocity;
	scree_free(end);
}

static real way_of_images(const model *m, const state *s)
{
	return m->period.deforms ? part_ahead(m) * m->dt * v3_norm(s->images.coming) / 2 : 0;
}

void scree_bodies_ahead(const model *m, state *s, work *w)
{
	room(s, &w->ahead);
	real *of[COLUMNS];
	columns_of(&s->body, of);
	for (int c = 0; c < COLUMNS && s->body.count; ++c)
		memcpy(w->ahead.column[c], of[c], (size_t)s->body.count * sizeof(real));
	w->ahead.images = s->images;
	moving j = {.m = m, .s = s, .w = w, .images = way_of_images(m, s)};
	scree_parallel(move, &j, s->body.count, GRAIN);
	walls_ahead(m, s, w);
	if (periods_flow_any(&m->period)) images_ahead(m, s);
	scree_bodies_to_records(m, s, w);
}

static void put_back(state *s, look_ahead *o)
{
	real *to[COLUMNS];
	columns_of(&s->body, to);
	for (int c = 0; c < COLUMNS && s->body.count; ++c)
		memcpy(to[c], o->column[c], (size_t)s->body.count * sizeof(real));
	for (int32_t i = 0; i < s->body.count; ++i) o->far[i] = 0;
}

void scree_bodies_ahead_by(const model *m, state *s, work *w, velocity_pair *velocity)
{
	put_back(s, &w->ahead);
	moving j = {.m = m, .s = s, .w = w, .velocity = velocity, .images = way_of_images(m, s)};
	scree_parallel(move, &j, s->body.count, GRAIN);
	scree_bodies_to_records(m, s, w);
}

void scree_bodies_back(const model *m, state *s, work *w)
{
	put_back(s, &w->ahead);
	if (periods_flow_any(&m->period)) s->images = w->ahead.images;
	if (s->walls) memcpy(s->wall, w->ahead.wall, (size_t)s->walls * sizeof *s->wall);
	scree_bodies_to_records(m, s, w);
}

void scree_bodies_ahead_free(look_ahead *o)
{
	SCREE_FREE_ALL(o->most, o->far);
	for (int c = 0; c < COLUMNS; ++c) scree_free(o->column[c]);
	scree_free(o->wall);
	*o = (look_ahead){0};
}
