/* contacts_to_forces: every contact of this step to the force and torques that it makes.
 *
 * in   normal, overlap, points of each touching pair (narrow/); velocities of the full step; what the contact remembers
 * out  force on a, torques on a and b; what the contact will remember; its energies
 *
 * Here: which loop runs over which rows, and what follows for rows that end. The loops stand in points_*.c and
 * patches.c. Where pairs of materials have different laws, a piece is first sorted by law, and its contacts run one by
 * one. */
#include "stages.h"

#include "base/parallel.h"
#include "kernel/cohesion.h"
#include "law/job.h"

#include <string.h>

void scree_contact_end(ledger *to, pair_list *l, int64_t k, real dt)
{
	scree_fixed_add(&to->lost_normal, l->lost_normal[k]);
	scree_fixed_add(&to->lost_friction, l->lost_friction[k]);
	scree_fixed_add(&to->lost_rolling, l->lost_rolling[k]);
	/* what the springs still held is gone with the contact */
	scree_fixed_add(&to->made, l->work[k] - dt / 2 * l->power[k] - l->bent[k] - l->rolled[k] - l->twisted[k]);
	scree_fields_clear(scree_history_table, l, k, k + 1);
	l->touch[k] = 0;
	if (l->force) l->force[k] = (contact_force){0};
}

typedef struct stage {
	job of;
	int kind;
	enum extra extra;
	thread_scratch *scratch;
	int32_t law;			   /* that of all pairs of materials, or -1  */
	const law_constants *only; /* their constants if they are the same   */
	real most[SCREE_MOST_THREADS];
	int64_t touching[SCREE_MOST_THREADS];
} stage;

static loop_fn *loop_of(int32_t law, int kind, enum extra extra)
{
	static loop_fn *const(*const points[LAWS])[EXTRAS] = {[LAW_LINEAR] = scree_points_linear,
														  [LAW_HERTZ] = scree_points_hertz,
														  [LAW_POWER] = scree_points_power,
														  [LAW_OVERLAP] = scree_points_hertz};
	loop_fn *loop = points[law] ? points[law][kind][extra] : NULL; /* other overlaps have patches alone */
	return loop ? loop : scree_patch_loops[law][kind][extra];
}

/* pairs of materials with different laws: one law after the other */
static real mixed_laws(const stage *s, int64_t from, int64_t count)
{
	enum { MOST = 1024 };
	int32_t listed[MOST];
	bool on_wall = s->kind >= PAIR_SPHERE_WALL;
	real most = 0;
	for (int64_t start = from; start < from + count; start += MOST) {
		int64_t end = start + MOST < from + count ? start + MOST : from + count;
		for (int32_t law = 0; law < LAWS; ++law) {
			int64_t found = 0;
			for (int64_t k = start; k < end; ++k)
				if (s->of.constants[rule_of(&s->of, k, on_wall)].law == law) listed[found++] = (int32_t)k;
			if (found) most = real_max(most, loop_of(law, s->kind, s->extra)(&s->of, 0, found, listed, NULL));
		}
	}
	return most;
}

/* what a contact that is torn off still holds heats the grains */
static void snap(ledger *to, real held)
{
	if (!(held > 0)) return;
	scree_fixed_add(&to->lost_normal, held);
	scree_fixed_add(&to->made, held);
}

/* how many of the rows touch, and which; those that ended now, end */
static int64_t count_touching(stage *s, int64_t from, int64_t count, int thread)
{
	pair_list *l = s->of.list;
	int32_t touching = 0, ended = 0;
	for (int64_t k = from; k < from + count; ++k) {
		l->acts[k] = l->touch[k] == 1;
		touching += l->touch[k] == 1;
		ended += l->touch[k] == ENDED;
	}
	for (int64_t k = from; ended && k < from + count; ++k) {
		if (l->touch[k] != ENDED) continue;
		const contact_force last = l->force[k];
		if (s->extra == EXTRA_STICKS) snap(&s->scratch[thread].ended, l->elastic[k]);
		scree_contact_end(&s->scratch[thread].ended, l, k, s->of.dt);
		/* what a force that jumped still has to do */
		l->force[k] = last;
		l->acts[k] = last.normal != 0;
	}
	return touching;
}

static void piece(void *what, int64_t from, int64_t to, int thread)
{
	stage *s = what;
	const pair_list *l = s->of.list;
	for (int64_t p = from; p < to; ++p) {
		if (!l->used[p]) continue;
		real most = s->law >= 0 ? loop_of(s->law, s->kind, s->extra)(&s->of, l->piece[p], l->used[p], NULL, s->only)
								: mixed_laws(s, l->piece[p], l->used[p]);
		s->most[thread] = real_max(s->most[thread], most);
		s->touching[thread] += count_touching(s, l->piece[p], l->used[p], thread);
	}
}

static int32_t one_law(const law_constants *c, int64_t count)
{
	for (int64_t k = 1; k < count; ++k)
		if (c[k].law != c->law) return -1;
	return c->law;
}

static bool all_the_same(const law_constants *c, int64_t count)
{
	for (int64_t k = 1; k < count; ++k) {
		const law_constants *d = c + k;
		if (d->law != c->law || d->stiffness != c->stiffness || d->shear != c->shear || d->damping != c->damping ||
			d->friction != c->friction || d->rolling != c->rolling || d->exponent != c->exponent ||
			d->pulls != c->pulls || d->twisting != c->twisting || d->cohesion != c->cohesion ||
			d->surface != c->surface)
			return false;
	}
	return true;
}

static enum extra extra_of(const law_constants *c, int64_t count)
{
	enum extra most = EXTRA_NONE;
	for (int64_t k = 0; k < count; ++k) {
		if (c[k].cohesion != COHESION_NONE) return EXTRA_STICKS;
		if (c[k].rolling > 0 || c[k].twisting > 0) most = EXTRA_TURNS;
	}
	return most;
}

/* what contacts that ended left: fixed point, so that the order of threads means nothing */
static void join_ledgers(scree_world *w)
{
	for (int t = 0; t < w->scratches; ++t) {
		ledger *e = &w->scratch[t].ended;
		scree_fixed_join(&w->energy.lost_normal, e->lost_normal);
		scree_fixed_join(&w->energy.lost_friction, e->lost_friction);
		scree_fixed_join(&w->energy.lost_rolling, e->lost_rolling);
		scree_fixed_join(&w->energy.made, e->made);
		memset(e, 0, sizeof *e);
	}
}

void scree_contacts_to_forces(scree_world *w)
{
	int64_t materials = w->material.count, rules = materials * materials;
	w->greatest_overlap_part = 0;
	w->touching = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		pair_list *l = w->pair + kind;
		if (!l->count) continue;
		stage s = {.of = {w->record, l, w->scratch, w->constants, &w->wall, (int32_t)materials, w->dt,
						  w->narrow->literal ? INFINITY : 0, w->period.on ? &w->period : NULL},
				   .kind = kind,
				   .scratch = w->scratch,
				   .extra = extra_of(w->constants, rules),
				   .law = one_law(w->constants, rules),
				   .only = all_the_same(w->constants, rules) ? w->constants : NULL};
		scree_parallel(piece, &s, l->pieces, 8);
		for (int t = 0; t < SCREE_MOST_THREADS; ++t) {
			w->greatest_overlap_part = real_max(w->greatest_overlap_part, s.most[t]);
			w->touching += s.touching[t];
		}
	}
	join_ledgers(w);
	w->greatest_overlap_ever = real_max(w->greatest_overlap_ever, w->greatest_overlap_part);
}
