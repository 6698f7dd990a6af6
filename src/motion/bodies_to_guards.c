/* bodies_to_guards: the largest speed, and bodies outside the domain, in impulse steps; other steps use the kick. */
#include "motion/stage.h"

#include "base/parallel.h"
#include "model/model.h"
#include "motion/moving.h"
#include "state/state.h"
#include "work/work.h"

enum { GRAIN = 4096 };

typedef struct job {
	const model *m;
	state *s;
	real fastest[SCREE_MOST_THREADS], broken[SCREE_MOST_THREADS]; /* (m/s)^2; 0, or NaN */
	bool left[SCREE_MOST_THREADS];
} job;

static void look(void *what, int64_t from, int64_t to, int thread)
{
	job *j = what;
	const bodies o = j->s->body, *b = &o;
	real fastest = j->fastest[thread], nan = 0;
#pragma omp simd reduction(max : fastest) reduction(+ : nan)
	for (int64_t i = from; i < to; ++i) {
		real v2 = b->vx[i] * b->vx[i] + b->vy[i] * b->vy[i] + b->vz[i] * b->vz[i];
		fastest = v2 > fastest ? v2 : fastest;
		nan += v2 - v2;
	}
	j->fastest[thread] = fastest;
	j->broken[thread] += nan;
	if (j->m->guard.bounded && scree_any_outside(b, from, to, &j->m->guard)) j->left[thread] = true;
}

static void use(SCREE_UNUSED const model *m, SCREE_UNUSED state *s, work *w)
{
	w->greatest_speed = sqrt(w->joint.fastest);
	w->left_domain = w->joint.left > 0;
}

void scree_bodies_to_guards(const model *m, state *s, work *w)
{
	job j = {.m = m, .s = s};
	scree_parallel(look, &j, s->body.owned, GRAIN);
	joint_numbers_of_step *o = &w->joint;
	o->fastest = o->left = 0;
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) {
		o->fastest = real_max(o->fastest, j.fastest[t]) + j.broken[t];
		o->left = real_max(o->left, j.left[t]);
	}
	scree_domain_put_most(&w->domain, 1, &o->fastest);
	scree_domain_put_most(&w->domain, 1, &o->left);
	scree_after_join(w, use);
}
