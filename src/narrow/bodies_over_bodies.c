/* bodies_over_bodies: finds bodies that passed through another body within a step. Contacts are found only at the ends
 * of steps. If two bodies move relative to each other by more than their thickness, all or most of their overlap may go
 * undetected (docs/theory/overlap.md, "Bodies do not pass through each other").
 *
 * in   slots, positions, and velocities at the half step          out  the first pair whose overlap was missed
 *
 * Bodies move along straight lines and rotate freely, so their positions within the step are known. The gap between two
 * pieces changes by at most their displacement, so the next test is as late as the gap allows (conservative
 * advancement, Mirtich 1996). Two bodies that move by less than an eighth of their thickness are not tested: at worst,
 * an overlap of less than half their displacement is missed. In most worlds few steps require a test
 * (scree_step_is_long). Before a long step is tested, neighbour pairs at its end are found, with margins equal to its
 * length (src/step/common.c). */
#include "narrow/stage.h"

#include "base/parallel.h"
#include "kernel/motion.h"
#include "model/integrator.h"
#include "narrow/compound.h"
#include "narrow/work.h"
#include "shape/thickness.h"

enum { GRAIN = 256 };

/* largest overlap that may be missed within a step, and shortest advance, both relative to the thickness */
static const real HIDDEN = (real)0.0625, ADVANCE = (real)0.03125;

typedef struct job {
	const model *m;
	state *s;
	work *w;
	int kind;
	passing first[SCREE_MOST_THREADS];
} job;

typedef struct moving_body {
	const shape *shape;
	real size, dt;
	vec3 at, velocity; /* position at the end of the step; velocity in m/s, constant during the step */
	quat orientation;  /* orientation at the end of the step */
	vec3 momentum, inertia, spin;
	bool free; /* if true, the rotation follows from the angular momentum; otherwise, from the angular velocity */
	real way;  /* bound on the displacement of the body's points due to rotation, in m */
} moving_body;

static moving_body moving_body_of(const model *m, const state *s, int32_t i, vec3 at)
{
	const bodies *b = &s->body;
	const bool known = i < b->owned && !m->integrator->gear; /* the half-step velocity is known only for owned bodies */
	moving_body o = {.shape = m->shape.row + b->shape[i], .size = b->size[i], .dt = m->dt, .at = at};
	o.velocity = known ? v3(b->hx[i], b->hy[i], b->hz[i]) : body_velocity(b, i);
	o.orientation = body_orientation(b, i);
	o.free = known && !(b->flags[i] & BODY_HELD);
	o.inertia = v3(b->ix[i], b->iy[i], b->iz[i]);
	o.momentum = v3(b->kx[i], b->ky[i], b->kz[i]);
	o.spin = o.free ? spin_of(o.orientation, o.momentum, o.inertia) : body_angular_velocity(b, i);
	/* the angular velocity of a free top oscillates and may exceed its current value */
	o.way = (real)1.5 * m->dt * swing_of(b->radius[i], b->round[i]) * v3_norm(o.spin);
	return o;
}

/* Returns the pose at the time `left` before the end of the step. apart: the body's displacement in that time */
static placed placed_before(const moving_body *m, real left, vec3 apart)
{
	const real back = -left * m->dt;
	const bool round = m->shape->type == SHAPE_SPHERE;
	const quat q = round	 ? m->orientation
				   : m->free ? turn_free(m->orientation, m->momentum, m->inertia, back)
							 : quat_unit(quat_mul(quat_exp(m->spin, back), m->orientation));
	return (placed){m->shape, v3_sub(m->at, apart), quat_matrix(q), m->size};
}

/* Two bodies that may touch, or one part of each. */
typedef struct meeting {
	moving_body a, b;
	vec3 apart;		 /* displacement of b relative to a during the step, in m */
	real way;		 /* bound on the change in any gap during the step, in m */
	int32_t part[2]; /* parts of a and b */
	bool flat;
} meeting;

static placed part_before(const meeting *m, bool second, real left)
{
	const vec3 none = v3(0, 0, 0);
	const placed p = second ? placed_before(&m->b, left, v3_mul(left, m->apart)) : placed_before(&m->a, left, none);
	return scree_part(&p, m->part[second]);
}

static real gap_before(const meeting *m, real left)
{
	const placed p = part_before(m, false, left), q = part_before(m, true, left);
	return scree_gap(&p, &q, m->flat);
}

/* Largest relative displacement of two bodies in a step, in multiples of their thickness, for which a pair is tested.
 * Faster bodies count as having passed through each other; such motion has no physical meaning. */
static const real FASTEST = 1e4;

/* Returns the overlap within the step, in m, if it exceeds the overlaps at both ends of the step by more than the
 * overlap that may be missed; otherwise returns 0. */
static real hidden_overlap(const meeting *m, real thick)
{
	if (!(m->way < FASTEST * thick)) return thick;
	const real shown = real_max(real_max(-gap_before(m, 1), -gap_before(m, 0)), 0), limit = shown + HIDDEN * thick;
	for (real s = 0; s < 1;) {
		const real gap = gap_before(m, 1 - s);
		if (-gap > limit) return -gap;
		s += real_max(limit + gap, ADVANCE * thick) / m->way;
	}
	return 0;
}

static bool balls_meet(const placed *p, const placed *q, real way)
{
	const real reach = p->shape->radius * p->size + q->shape->radius * q->size + way;
	return v3_norm2(v3_sub(p->at, q->at)) < reach * reach;
}

static void note(job *j, const meeting *met, int64_t slot, real depth, real thick, int thread)
{
	const state *s = j->s;
	const pair_list *l = s->pair + j->kind;
	const passing p = {.found = true,
					   .jumped = true,
					   .way = met->way,
					   .a = l->a[slot],
					   .b = l->b[slot],
					   .depth = depth,
					   .thick = thick,
					   .limit = HIDDEN,
					   .at = body_position(&s->body, l->a[slot])};
	scree_keep_first_passing(&s->body, &p, j->first + thread);
}

static void look_at_parts(job *j, meeting *m, int64_t slot, int thread)
{
	const placed a = placed_before(&m->a, 0, v3(0, 0, 0)), b = placed_before(&m->b, 0, v3(0, 0, 0));
	if (!balls_meet(&a, &b, m->way)) return;
	for (int32_t i = 0; i < scree_parts_of(&a); ++i) {
		const placed p = scree_part(&a, i);
		if (!balls_meet(&p, &b, m->way)) continue;
		for (int32_t k = 0; k < scree_parts_of(&b); ++k) {
			const placed q = scree_part(&b, k);
			const two_thick both =
				two_thick_of(scree_thick_piece(a.shape, i, a.size), scree_thick_piece(b.shape, k, b.size));
			const real thick = thick_in_steps(both);
			if (m->way <= STEP_OF_THICKNESS * thick || !balls_meet(&p, &q, m->way)) continue;
			m->part[0] = i, m->part[1] = k;
			const real hidden = hidden_overlap(m, thick);
			if (hidden > 0) note(j, m, slot, hidden, thick, thread);
		}
	}
}

/* Surfaces with a halo are tested elsewhere (src/guard/halos.c). */
static bool has_halo(const moving_body *m) { return m->shape->type == SHAPE_SURFACE; }

static void look_at_slot(job *j, int64_t slot, int thread)
{
	const model *m = j->m;
	const state *s = j->s;
	const work *w = j->w;
	const pair_list *l = s->pair + j->kind;
	const int32_t a = l->a[slot], b = l->b[slot];
	if (s->body.inv_mass[a] == 0 && s->body.inv_mass[b] == 0) return;
	meeting met = {.flat = m->flat};
	met.a = moving_body_of(m, s, a, v3(0, 0, 0));
	met.b = moving_body_of(m, s, b, way_to(m, s, w, j->kind, slot));
	if (has_halo(&met.a) || has_halo(&met.b)) return;
	vec3 against = v3_sub(met.b.velocity, met.a.velocity);
	if (m->period.on) against = v3_add(against, s->images.drift[scree_world_image(m, s, j->kind, slot)]);
	met.apart = v3_mul(m->dt, against);
	met.way = v3_norm(met.apart) + met.a.way + met.b.way;
	if (met.way > STEP_OF_THICKNESS * w->thinnest) look_at_parts(j, &met, slot, thread);
}

static void look_at_slots(void *what, int64_t from, int64_t to, int thread)
{
	for (int64_t k = from; k < to; ++k) look_at_slot(what, k, thread);
}

void scree_bodies_over_bodies(const model *m, state *s, work *w)
{
	if (!scree_step_is_long(m, w)) return;
	job j = {.m = m, .s = s, .w = w};
	for (j.kind = 0; j.kind < PAIR_KINDS; ++j.kind)
		if (!pair_on_wall(j.kind)) scree_parallel(look_at_slots, &j, s->pair[j.kind].count, GRAIN);
	passing found = {0};
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) scree_keep_first_passing(&s->body, j.first + t, &found);
	if (found.found) w->passed = found;
}
