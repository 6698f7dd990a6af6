/* halos: how long a step may be so that nothing comes through a halo between two looks at it: what two bodies may go
 * towards each other in a step must be less than both halos reach together (docs/theory/halo.md, "The step").
 *
 * That holds of any two if each goes less than its own halo reaches: (a + b)/(c + d) lies between a/c and b/d. A ball
 * has no halo, but is seen until its centre is through; what has neither, walls and bodies with faces, takes its way
 * from the halo that it meets. */
#include "prepare/parts.h"

#include "broad/pair_lists.h"
#include "kernel/motion.h"
#include "state/shape_forms.h"

#include <stdio.h>

/* Of the halo. At half of it nothing comes nearer than half of the halos before it is pushed back. */
static const real SAFE = (real)0.5;
static const real PROBE = (real)1e-6; /* s: the speed of a wall, as its way in this time */

real scree_halo_reach(const shape *s, real size)
{
	const shape_form *f = scree_shape_forms + s->type;
	return f->rounding ? f->rounding(s) * size : 0;
}

bool scree_halos_any(const scree_world *w)
{
	bool any = false;
	for (int32_t k = 0; k < w->shape.count; ++k) any |= w->shape.row[k].type == SHAPE_SURFACE;
	return any;
}

/* ------------------------------------------------------------------ ways of a step */

real scree_halo_wall_way(const scree_world *w, const wall *o)
{
	if (o->motion.type == MOTION_STILL || scree_wall_turns_in_itself(o)) return 0;
	const vec3 middle = v3_add(o->velocity, v3_cross(o->angular_velocity, v3_sub(w->middle, o->position)));
	return w->dt * (v3_norm(middle) + w->reach * v3_norm(o->angular_velocity));
}

/* As fast as it was on the way and as it is now. */
real scree_halo_way(const scree_world *w, int32_t i)
{
	const bodies *b = &w->body;
	const real turns = swing_of(b->radius[i], b->round[i]) * v3_norm(body_angular_velocity(b, i));
	const real on_the_way = w->mover->gear || (b->flags[i] & BODY_HELD) ? 0 : v3_norm(v3(b->hx[i], b->hy[i], b->hz[i]));
	const real slip = periods_slip(&w->period);
	return w->dt * (real_max(on_the_way, v3_norm(body_velocity(b, i))) + turns + slip);
}

/* ------------------------------------------------------------------ before the first step */

/* Who goes, how fast at most, and how far its halo reaches. */
typedef struct goer {
	real speed, halo;
	uint64_t id;		/* of a body, or */
	const source *from; /* NULL: of none */
} goer;

typedef struct goers {
	goer worst;	 /* speed over halo */
	real bare;	 /* m/s: the fastest without a halo, walls too */
	real fall;	 /* (m/s)^2: what a fall through that adds to the square of a speed, */
	falls walls; /* or one onto a wall */
	vec3 low, high;
	bool any; /* places are known */
} goers;

static void note_place(goers *g, vec3 low, vec3 high)
{
	if (!g->any) g->low = low, g->high = high;
	g->low = v3(real_min(g->low.x, low.x), real_min(g->low.y, low.y), real_min(g->low.z, low.z));
	g->high = v3(real_max(g->high.x, high.x), real_max(g->high.y, high.y), real_max(g->high.z, high.z));
	g->any = true;
}

/* where bodies may fall: the domain, or all places that they begin at */
static void note_places(goers *g, const scree_world *w)
{
	const bodies *b = &w->body;
	for (int32_t i = 0; i < b->count; ++i) note_place(g, body_position(b, i), body_position(b, i));
	for (int32_t k = 0; k < w->people.sources; ++k) {
		vec3 low, high;
		scree_region_bounds(&w->people.source[k].where, &low, &high);
		note_place(g, low, high);
	}
}

static real fall_along(real g, real low, real high) { return g == 0 ? 0 : 2 * real_abs(g) * (high - low); }

static real fall_of(const goers *g, const scree_world *w)
{
	const bool domain = w->guard.bounded;
	const vec3 low = domain ? w->guard.low : g->low, high = domain ? w->guard.high : g->high;
	real fall = fall_along(w->gravity.x, low.x, high.x) + fall_along(w->gravity.y, low.y, high.y) +
				fall_along(w->gravity.z, low.z, high.z);
	if (fall < INFINITY) return fall;
	return fall_along(w->gravity.x, g->low.x, g->high.x) + fall_along(w->gravity.y, g->low.y, g->high.y) +
		   fall_along(w->gravity.z, g->low.z, g->high.z);
}

/* at: the highest place that it begins at */
static real fastest(const scree_world *w, const goers *g, real speed, real turns, bool falls, vec3 at)
{
	const real fall = falls ? real_max(g->fall, 2 * v3_norm(w->gravity) * scree_fall_from(&g->walls, at)) : 0;
	real v = sqrt(speed * speed + fall);
	if (w->guard.speed > 0) v = real_min(v, w->guard.speed);
	return v + turns + periods_slip(&w->period);
}

static void note_bare(goers *g, const goer *o)
{
	if (!(o->halo > 0)) g->bare = real_max(g->bare, o->speed);
}

static void note_worst(goers *g, const goer *o, bool surface)
{
	goer k = *o;
	if (!(k.halo > 0)) return;
	if (surface) k.speed += g->bare;
	if (k.speed * g->worst.halo > g->worst.speed * k.halo) g->worst = k;
}

static void note(goers *g, const goer *o, bool surface, bool bare)
{
	if (bare)
		note_bare(g, o);
	else
		note_worst(g, o, surface);
}

/* bare: those without a halo, else the others, to whose speed that of the first is added */
static void note_bodies(goers *g, const scree_world *w, bool bare)
{
	const bodies *b = &w->body;
	for (int32_t i = 0; i < b->count; ++i) {
		const shape *s = w->shape.row + b->shape[i];
		const real turns = swing_of(b->radius[i], b->round[i]) * v3_norm(body_angular_velocity(b, i));
		const bool falls = b->inv_mass[i] > 0;
		const goer o = {fastest(w, g, v3_norm(body_velocity(b, i)), turns, falls, body_position(b, i)),
						scree_halo_reach(s, b->size[i]), b->id[i], NULL};
		note(g, &o, s->type == SHAPE_SURFACE, bare);
	}
	for (int32_t k = 0; k < w->people.sources; ++k) {
		const source *from = w->people.source + k;
		for (int32_t p = 0; p < from->parts; ++p) {
			const shape *s = w->shape.row + from->part[p].shape;
			const real large = scree_spread_largest(&from->part[p].size) * s->radius;
			const real turns = (s->type == SHAPE_SPHERE ? 0 : large) * v3_norm(from->angular_velocity);
			const goer o = {
				fastest(w, g, v3_norm(from->velocity), turns, true, scree_region_top(&from->where, w->gravity)),
				scree_halo_reach(s, scree_spread_smallest(&from->part[p].size)), 0, from};
			note(g, &o, s->type == SHAPE_SURFACE, bare);
		}
	}
}

static void note_walls(goers *g, const scree_world *w)
{
	const vec3 middle = v3_mul((real)0.5, v3_add(g->low, g->high));
	const real reach = v3_norm(v3_sub(g->high, g->low)) / 2;
	for (int32_t k = 0; k < w->wall.count; ++k) {
		const wall *o = w->wall.row + k;
		const real from = o->motion.from + o->motion.ramp;
		if (o->motion.type == MOTION_SERVO)
			g->bare = real_max(g->bare, o->motion.servo.max_speed);
		else if (o->motion.type != MOTION_STILL)
			g->bare = real_max(g->bare, scree_wall_way(o, middle, reach, from, from + PROBE) / PROBE);
	}
}

static goers goers_of(const scree_world *w)
{
	goers g = {.worst = {.halo = 1}};
	if (!scree_halos_any(w)) return g;
	note_places(&g, w);
	g.walls = scree_falls_of(w);
	g.fall = fall_of(&g, w);
	note_walls(&g, w);
	note_bodies(&g, w, true);
	note_bodies(&g, w, false);
	return g;
}

step_bound scree_step_halos(const scree_world *w)
{
	const goer worst = goers_of(w).worst;
	if (!(worst.speed > 0)) return (step_bound){INFINITY, INFINITY};
	return (step_bound){SAFE * worst.halo / worst.speed, worst.halo / worst.speed};
}

static void name_of(const goer *o, char *who, size_t room)
{
	if (o->from)
		snprintf(who, room, "bodies of %s", o->from->name);
	else
		snprintf(who, room, "body %llu", (unsigned long long)o->id);
}

bool scree_step_refuse_halos(const scree_world *w, fail *why)
{
	const goer o = goers_of(w).worst;
	const step_bound b = scree_step_halos(w);
	char who[80];
	name_of(&o, who, sizeof who);
	return scree_fail(why, FAIL_INPUT,
					  "the time step %.3g s is too large for halos: %s may be met at %.3g m/s, %.3g m in a step, and "
					  "its halo reaches %.3g m, so that surfaces could pass through each other unseen; take %.3g s, at "
					  "most %.3g s, or a wider halo; run.step.unsafe: true allows it",
					  w->dt, who, o.speed, w->dt * o.speed, o.halo, b.safe, b.most);
}
