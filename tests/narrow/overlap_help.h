/* overlap_help.h: code shared by tests of overlaps: solids close to each other, and a test of whether force and torque
 * are the derivatives of a potential. */
#ifndef SCREE_TESTS_OVERLAP_HELP_H
#define SCREE_TESTS_OVERLAP_HELP_H

#include "narrow/solid/overlap.h"

#include "wall_help.h"

static stage all;

SCREE_FN int make_shapes(void **state)
{
	(void)state;
	fail why;
	add_solids(&all);
	CHECK(scree_shapes_add_box(&all.shape, "bar", v3(4, 1, 1), &why) == SOLIDS, "%s", why.text);
	return 0;
}

SCREE_FN int free_shapes(void **state)
{
	(void)state;
	stage_clear(&all);
	return 0;
}

static const quat UPRIGHT = {1, 0, 0, 0};

SCREE_FN real volume_of(const placed *p) { return p->shape->volume * p->size * p->size * p->size; }

/* Effect of a potential on the first body: its value, force -grad V, and torque about its centre. */
typedef struct pull {
	real value;
	vec3 force, torque;
} pull;

/* from separate to deeply overlapping */
SCREE_FN placed near_body(random_stream *r, const placed *a, int32_t row)
{
	placed b = place_random(&all, row, r, 1, 0.5, 1.5);
	vec3 way = v3_unit(b.at);
	real touch = a->size * a->shape->radius + b.size * b.shape->radius;
	b.at = v3_madd(a->at, touch * scree_random_between(r, 0.2, 1), way);
	return b;
}

SCREE_FN void two_bodies(uint64_t seed, uint64_t stream, placed *a, placed *b, random_stream *r)
{
	*r = scree_random_start(seed, stream);
	*a = place_random(&all, (int32_t)(seed % (SOLIDS + 1)), r, 1, 0.5, 1.5);
	*b = near_body(r, a, (int32_t)(seed / (SOLIDS + 1) % (SOLIDS + 1)));
}

SCREE_FN placed shifted(const placed *p, vec3 by)
{
	placed q = *p;
	q.at = v3_add(p->at, by);
	return q;
}

SCREE_FN placed turned(const placed *p, vec3 axis, real angle)
{
	mat3 m = quat_matrix(turn_about(axis, angle));
	placed q = *p;
	q.turn = (mat3){mat3_mul(m, p->turn.x), mat3_mul(m, p->turn.y), mat3_mul(m, p->turn.z)};
	return q;
}

static const vec3 AXIS[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

typedef real energy_fn(const void *what, const placed *a);

/* force and torque on a are minus the derivatives of the potential, to second order in the step; at kinks, to first
 * order */
SCREE_FN real slopes(const void *what, energy_fn *energy, const placed *a, const pull *p)
{
	const real h = 1e-5;
	real worst = 0;
	for (int k = 0; k < 3; ++k) {
		placed up = shifted(a, v3_mul(h, AXIS[k])), down = shifted(a, v3_mul(-h, AXIS[k]));
		placed left = turned(a, AXIS[k], h), right = turned(a, AXIS[k], -h);
		real f = -(energy(what, &up) - energy(what, &down)) / (2 * h);
		real t = -(energy(what, &left) - energy(what, &right)) / (2 * h);
		worst = real_max(worst, real_abs(f - v3_dot(p->force, AXIS[k])));
		worst = real_max(worst, real_abs(t - v3_dot(p->torque, AXIS[k])));
	}
	return worst;
}

SCREE_FN placed over_floor(stage *s, random_stream *r, real reach)
{
	placed a = place_random(s, (int32_t)(test_seed % SOLIDS), r, reach, 0.5, 1.5);
	a.at.z = a.size * a.shape->radius * scree_random_between(r, 0.05, 0.95);
	return a;
}

#endif
