/* halos: bounds the step so that nothing passes through a halo between two tests. Two bodies must approach in a step by
 * less than the sum of their halos (docs/theory/halo.md, "The step"). This holds for any two bodies if each moves by
 * less than the width of its own halo, since (a + b)/(c + d) lies between a/c and b/d. A ball has no halo, but its
 * contact is detected until its centre has passed. Walls, and bodies with faces, have no halo; their displacement is
 * deducted from the halo they meet. These speeds limit the usual step of implicit responses even without halos. */
#include "prepare/internal.h"

#include "base/memory.h"
#include "kernel/motion.h"
#include "model/integrator.h"
#include "model/model.h"
#include "shape/shape_forms.h"
#include "state/state.h"
#include "work/work.h"

#include <stdio.h>

/* Safe displacement in a step, as a fraction of the halo. At one half, bodies stay farther apart than half of their
 * halos until contacts push them back. */
static const real SAFE = (real)0.5;

real scree_halo_reach(const shape *s, real size)
{
	const shape_form *f = scree_shape_forms + s->type;
	return f->rounding ? f->rounding(s) * size : 0;
}

real scree_halo_wall_way(const model *m, const state *s, const work *w, int32_t wall)
{
	const struct wall *of = m->wall.row + wall;
	const wall_state *o = s->wall + wall;
	if (of->motion.type == MOTION_STILL || scree_wall_turns_in_itself(of)) return 0;
	return m->dt *
		   (v3_norm(wall_velocity(o, v3_sub(w->middle, o->position))) + w->reach * v3_norm(o->angular_velocity));
}

/* Uses the speed during the drift or the current speed, whichever is larger. */
real scree_halo_way(const model *m, const state *s, int32_t i)
{
	const bodies *b = &s->body;
	const real turns = swing_of(b->radius[i], b->round[i]) * v3_norm(body_angular_velocity(b, i));
	const real on_the_way =
		m->integrator->gear || (b->flags[i] & BODY_HELD) ? 0 : v3_norm(v3(b->hx[i], b->hy[i], b->hz[i]));
	const real slip = periods_slip(&m->period, &s->images);
	return m->dt * (real_max(on_the_way, v3_norm(body_velocity(b, i))) + turns + slip);
}

/* A moving body with its largest speed and its halo. */
typedef struct goer {
	real speed, halo;
	uint64_t id;		/* id of the body, if from is NULL */
	const source *from; /* the source that makes it, or NULL */
} goer;

typedef struct goers {
	goer worst;	 /* the body with the largest ratio of speed to halo */
	real bare;	 /* largest speed of bodies without a halo, and of walls, in m/s */
	real all;	 /* largest speed of bodies, in m/s */
	real thin;	 /* smallest thickness of a moving body, in m */
	real fall;	 /* largest increase in a squared speed, in (m/s)^2, due to a fall through the extent of the bodies */
	falls walls; /* bounds on falls onto walls */
	real slip;	 /* m/s: periods_slip */
	span at;	 /* box of all initial positions, in which bodies may fall if the domain does not bound them */
} goers;

static real fall_along(real g, real way) { return g == 0 ? 0 : 2 * real_abs(g) * way; }

static real fall_through(const model *m, vec3 size)
{
	return fall_along(m->gravity.x, size.x) + fall_along(m->gravity.y, size.y) + fall_along(m->gravity.z, size.z);
}

static real fall_of(const goers *g, const model *m)
{
	const real fall = m->guard.bounded ? fall_through(m, v3_sub(m->guard.high, m->guard.low)) : INFINITY;
	return fall < INFINITY ? fall : fall_through(m, span_size(&g->at));
}

/* Largest speed that a body can reach. at: the highest initial position */
static real fastest(const model *m, const goers *g, real speed, real turns, bool falls, vec3 at)
{
	const real fall = falls ? real_max(g->fall, 2 * v3_norm(m->gravity) * scree_fall_from(&g->walls, at)) : 0;
	real v = sqrt(speed * speed + fall);
	if (m->guard.speed > 0) v = real_min(v, m->guard.speed);
	return v + turns + g->slip;
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
	g->all = real_max(g->all, o->speed);
	if (!bare)
		note_worst(g, o, surface);
	else if (!(o->halo > 0))
		g->bare = real_max(g->bare, o->speed);
}

static void join_parts(goers *g, const domain *d)
{
	int64_t parts = 1;
	scree_domain_most(d, 1, &g->bare);
	scree_domain_most(d, 1, &g->all);
	scree_domain_least(d, 1, &g->thin);
	goer *part = d->by->gather(d->at, &parts, sizeof *part, &g->worst);
	for (int64_t k = 0; k < parts; ++k) {
		part[k].from = NULL; /* bodies are compared, since a pointer from another rank is meaningless here */
		note_worst(g, part + k, false);
	}
	scree_free(part);
}

/* thickness in m; for a clump, the thickness of its smallest ball */
static real thickness_of(const shape *s, real size) { return real_max(size * s->thick, 2 * scree_halo_reach(s, size)); }

/* bare: considers only bodies without a halo; otherwise bodies with one, and the largest speed of the others */
static void note_bodies(goers *g, const model *m, const state *s, const domain *d, bool bare)
{
	const bodies *b = &s->body;
	for (int32_t i = 0; i < b->owned; ++i) {
		const shape *form = m->shape.row + b->shape[i];
		const real turns = swing_of(b->radius[i], b->round[i]) * v3_norm(body_angular_velocity(b, i));
		const bool falls = b->inv_mass[i] > 0;
		const goer o = {fastest(m, g, v3_norm(body_velocity(b, i)), turns, falls, body_position(b, i)),
						scree_halo_reach(form, b->size[i]), b->id[i], NULL};
		if (falls) g->thin = real_min(g->thin, thickness_of(form, b->size[i]));
		note(g, &o, form->type == SHAPE_SURFACE, bare);
	}
	join_parts(g, d);
	for (mix_walk w = {0}; mix_next(m, &w);) {
		const source *from = w.from;
		const shape *form = m->shape.row + w.part->shape;
		const real large = scree_spread_largest(&w.part->size) * form->radius;
		const real small = scree_spread_smallest(&w.part->size);
		const real turns = (form->type == SHAPE_SPHERE ? 0 : large) * v3_norm(from->angular_velocity);
		const goer o = {fastest(m, g, v3_norm(from->velocity), turns, true, scree_region_top(&from->where, m->gravity)),
						scree_halo_reach(form, small), 0, from};
		g->thin = real_min(g->thin, thickness_of(form, small));
		note(g, &o, form->type == SHAPE_SURFACE, bare);
	}
}

static const real SHORT = (real)1e-6; /* s; a wheel's speed is computed from its displacement in this time */

static void note_walls(goers *g, const model *m)
{
	const vec3 middle = span_middle(&g->at);
	const real reach = v3_norm(span_size(&g->at)) / 2;
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const wall *o = m->wall.row + k;
		const bool servo = o->motion.type == MOTION_SERVO || o->motion.type == MOTION_TORQUE;
		const real rate = servo ? o->motion.servo.max_speed : real_abs(o->motion.servo.speed);
		real speed = motion_is_turned(o->motion.type) ? scree_driven_way(o, middle, reach, SHORT * rate) / SHORT : rate;
		if (!scree_wall_turns_in_itself(o)) speed += scree_wall_fastest(o, middle, reach);
		g->bare = real_max(g->bare, speed);
	}
}

/* everywhere: bodies may fall through the whole domain */
static goers goers_of(const model *m, const state *s, const domain *d, bool everywhere)
{
	goers g = {.worst = {.halo = 1}, .thin = INFINITY, .slip = periods_slip(&m->period, &s->images)};
	g.at = scree_span_of_all(m, s, d, false);
	g.walls = scree_falls_of(m, s);
	g.fall = everywhere ? fall_of(&g, m) : fall_through(m, span_size(&g.at));
	note_walls(&g, m);
	note_bodies(&g, m, s, d, true);
	note_bodies(&g, m, s, d, false);
	return g;
}

real scree_passing_time(const model *m, const state *s, const domain *d)
{
	const goers g = goers_of(m, s, d, false);
	const real speed = real_max(g.all, g.bare);
	return speed > 0 ? g.thin / speed : INFINITY;
}

step_bound scree_step_halos(const model *m, const state *s, const domain *d)
{
	if (!scree_halos_any(m)) return (step_bound){INFINITY, INFINITY};
	const goer worst = goers_of(m, s, d, true).worst;
	if (!(worst.speed > 0)) return (step_bound){INFINITY, INFINITY};
	return (step_bound){SAFE * worst.halo / worst.speed, worst.halo / worst.speed};
}

void scree_name_of(const source *from, uint64_t id, char *name, size_t room)
{
	if (from)
		snprintf(name, room, "bodies of %s", from->name);
	else
		snprintf(name, room, "body %llu", (unsigned long long)id);
}

bool scree_step_refuse_halos(const model *m, const state *s, const domain *d, fail *why)
{
	const goer o = goers_of(m, s, d, true).worst;
	const step_bound b = scree_step_halos(m, s, d);
	char name[80];
	scree_name_of(o.from, o.id, name, sizeof name);
	return scree_refuse(why,
						"the time step %.3g s is too large for halos: %s may be hit at %.3g m/s, %.3g m in a step, and "
						"its halo reaches %.3g m, so that surfaces could pass through each other undetected; set "
						"run.step to %.3g s, at most %.3g s, or use a wider halo; run.step.unsafe: true allows it",
						m->dt, name, o.speed, m->dt * o.speed, o.halo, b.safe, b.most);
}
