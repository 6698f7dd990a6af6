/* contacts_to_forces: computes the force and torques of every contact of this step and adds them to both partners.
 *
 * in   normal, overlap and points of each touching pair (narrow/); velocities at the full step; histories of contacts
 * out  sums of bodies and of moving walls; histories of contacts; energies
 *
 * This file selects the loop for each range of rows: consecutive rows with the same law if the law depends on the pair
 * of materials. The loops are in each_point.h and each_patch.h and are compiled once per law from loop.c.in. */
#include "law/stage.h"

#include "base/parallel.h"
#include "kernel/cohesion.h"
#include "law/block.h"
#include "model/narrow.h"
#include "state/contact_rows.h"

#include <string.h>

enum { GRAIN = 1024 }; /* minimum number of slots that a thread takes at a time */

typedef struct stage {
	job of;
	const model *m;
	state *s;
	work *w;
	int kind;
	enum extra extra;
	bool plain;				   /* one-point contacts, which cannot create energy */
	int32_t law;			   /* law of all pairs of materials, or -1 if the laws differ */
	const law_constants *only; /* constants of all pairs of materials if they are equal */
	bool shared;			   /* this kind of pair has shares */
	real most[SCREE_MOST_THREADS];
} stage;

static real run(const job *j, const rows *r, int32_t law, int kind, enum extra extra)
{
	const pair_row *row = scree_pair_kinds + kind;
	partner with = row->formula ? OF_SPHERES : row->on_wall ? OF_WALL : OF_BODIES;
	if (row->patch) return scree_law_loops[law].patch[with](j, r, extra);
	return scree_law_loops[scree_laws[law].of_spheres].point[with](j, r, extra);
}

/* Computes contacts of materials with different laws, in runs of consecutive rows with the same law. */
static real run_mixed(const stage *s, const job *j, int64_t from, int64_t count)
{
	const bool on_wall = pair_on_wall(s->kind);
	const int64_t end = from + count;
	real most = 0;
	while (from < end) {
		int32_t law = j->constants[rule_of(j, from, on_wall)].law;
		int64_t k = from + 1;
		while (k < end && j->constants[rule_of(j, k, on_wall)].law == law) ++k;
		const rows r = {from, k - from, NULL, k, end - k};
		most = real_max(most, run(j, &r, law, s->kind, s->extra));
		from = k;
	}
	return most;
}

static int64_t count_touching(const stage *s, const rows *r)
{
	const pair_list *l = s->of.list;
	int32_t touching = 0;
	for (int64_t k = r->from; k < r->from + r->count; ++k) touching += l->touch[k] != 0;
	for (int64_t k = r->from; s->of.divided && k < r->from + r->count; ++k)
		touching -= l->touch[k] && !scree_contact_counted(s->s, s->kind, k);
	return touching;
}

static void piece(void *what, int64_t from, int64_t to, int thread)
{
	stage *s = what;
	pair_list *l = s->of.list;
	job j = s->of;
	j.own = s->w->thread + thread;
	for (int64_t p = from; p < to; ++p) {
		if (!l->used[p]) continue;
		if (j.contact->share && !s->shared) scree_law_shares(&j, s->kind, l->base[p], l->base[p] + l->used[p]);
		const bool last = p + 1 == to;
		const rows r = {l->base[p], l->used[p], s->only, last ? 0 : l->base[p + 1], last ? 0 : l->used[p + 1]};
		int128 *const energy = j.own->tally.energy, made = energy[TALLY_MADE], power = energy[TALLY_POWER];
		real most = s->law >= 0 ? run(&j, &r, s->law, s->kind, s->extra) : run_mixed(s, &j, r.from, r.count);
		/* the loss of a spring of this kind follows from its energy; if computed from the power, the loss would inherit
		 * the error in the velocities */
		if (s->plain) energy[TALLY_MADE] = made, energy[TALLY_POWER] = power;
		s->most[thread] = real_max(s->most[thread], most);
		if (j.list->remembers & REMEMBERS_BONDS) scree_law_bonds(&j, s->m, r.from, r.count);
		j.own->tally.touching += count_touching(s, &r);
	}
}

static bool all_the_same(const law_constants *c, int64_t count)
{
	for (int64_t k = 1; k < count; ++k) {
		const law_constants *d = c + k;
		if (d->law != c->law || d->stiffness != c->stiffness || d->shear != c->shear || d->damping != c->damping ||
			d->friction != c->friction || d->rolling != c->rolling || d->exponent != c->exponent ||
			d->pulls != c->pulls || d->twisting != c->twisting || d->cohesion != c->cohesion ||
			d->surface != c->surface || d->loading != c->loading || d->adhesion != c->adhesion ||
			d->hardens != c->hardens || d->volume != c->volume || d->ruptures != c->ruptures)
			return false;
	}
	return true;
}

static real taken(int128 quanta, real quantum) { return (real)quanta * quantum; }

/* Sums the contributions of all threads. The contributions are integers, so the order of threads has no effect. */
static void join_ledgers(state *s, work *w)
{
	fixed *all = w->joint.law;
	memset(all, 0, sizeof w->joint.law);
	w->sums.most = 0;
	for (int t = 0; t < w->threads; ++t) {
		law_tally *y = &w->thread[t].tally;
		for (int k = 0; k < TALLIES; ++k) all[k].quanta += y->energy[k];
		scree_fixed_join(all + LAW_IMAGES, y->images);
		for (int k = 0; k < 3; ++k) scree_fixed_join(all + LAW_BORDER + k, y->border[k]);
		w->sums.most = real_max(w->sums.most, y->most);
		all[LAW_UNBEARABLE].quanta += y->unbearable;
		all[LAW_TOUCHING].quanta += y->touching;
		all[LAW_BROKEN].quanta += y->broken;
		memset(y, 0, sizeof *y);
	}
	scree_threads_ended(w, &s->energy, s->energy_guard.classes);
	scree_domain_put_sum(&w->domain, LAW_SUMS, all);
}

void scree_contact_sums_use(const model *m, state *s, work *w)
{
	const fixed *all = w->joint.law;
	real one = w->sums.energy_quantum;
	if (w->domain.first) {
		scree_fixed_add(&s->energy.lost_normal, taken(all[TALLY_NORMAL].quanta, one));
		scree_fixed_add(&s->energy.lost_friction, taken(all[TALLY_FRICTION].quanta, one));
		scree_fixed_add(&s->energy.lost_rolling, taken(all[TALLY_ROLLING].quanta, one));
		scree_fixed_add(&s->energy.made, taken(all[TALLY_MADE].quanta, one));
	}
	s->energy.points_power = taken(all[TALLY_POWER].quanta, one);
	s->energy.points_heat = taken(all[TALLY_HEAT].quanta, one);
	w->images_power = scree_fixed_value(all[LAW_IMAGES]);
	if (m->period.deforms) {
		s->images.border = fixed_vector(all + LAW_BORDER);
		w->images_power = v3_dot(s->images.border, s->images.growth);
	}
	w->unbearable = all[LAW_UNBEARABLE].quanta > 0;
	w->touching = (int64_t)all[LAW_TOUCHING].quanta;
	s->broken += (int64_t)all[LAW_BROKEN].quanta;
	scree_overlap_noted(w);
}

static bool any_wall_moves(const walls *s)
{
	for (int32_t k = 0; k < s->count; ++k)
		if (s->row[k].motion.type != MOTION_STILL) return true;
	return false;
}

static void share_pieces(void *what, int64_t from, int64_t to, SCREE_UNUSED int thread)
{
	const stage *s = what;
	const pair_list *l = s->of.list;
	for (int64_t p = from; p < to; ++p)
		if (l->used[p]) scree_law_shares(&s->of, s->kind, l->base[p], l->base[p] + l->used[p]);
}

static void shares_of_kind(stage *o)
{
	if (o->of.list->count && o->of.contact->share)
		scree_parallel(share_pieces, o, o->of.list->pieces, scree_pair_list_grain(o->of.list, GRAIN));
}

static void take_kind(stage *o, int kind)
{
	o->kind = kind;
	o->of.list = o->s->pair + kind;
	o->of.contact = &o->w->pair[kind].contact;
}

/* Walls moved by forces yield to all of their contacts together, so their shares are computed before any forces. */
static void shares_on_walls(stage *o)
{
	if (!scree_walls_driven(&o->m->wall)) return;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		if (!pair_on_wall(kind)) continue;
		take_kind(o, kind);
		shares_of_kind(o);
	}
	scree_law_wall_shares(o->m, o->s, o->w);
	o->shared = true;
}

void scree_contacts_to_shares(const model *m, state *s, work *w)
{
	stage job = {.of = job_of(m, s, w), .m = m, .s = s, .w = w};
	job.of.ahead = m->implicit;
	job.of.even = m->hard;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		take_kind(&job, kind);
		if (!pair_on_wall(kind) || !scree_walls_driven(&m->wall)) shares_of_kind(&job);
	}
	shares_on_walls(&job);
}

void scree_contacts_to_forces(const model *m, state *s, work *w)
{
	int64_t materials = m->material.count, rules = materials * materials;
	w->greatest_overlap_part = 0;
	stage job = {.of = job_of(m, s, w),
				 .m = m,
				 .s = s,
				 .w = w,
				 .extra = scree_laws_extra(m->constants, rules),
				 .law = scree_laws_same(m->constants, rules),
				 .only = all_the_same(m->constants, rules) ? m->constants : NULL};
	if (!w->heats) job.of.heat = NULL;
	job.of.walls_move = any_wall_moves(&m->wall);
	job.of.loose = m->narrow->literal ? INFINITY : 0;
	job.of.divided = s->body.owned < s->body.count ? &s->body : NULL;
	shares_on_walls(&job);
	const bool driven = job.shared;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		take_kind(&job, kind);
		job.shared = driven && pair_on_wall(kind);
		job.plain = !scree_pair_kinds[job.kind].patch && contact_work_plain(job.of.contact);
		if (job.of.list->count)
			scree_parallel(piece, &job, job.of.list->pieces, scree_pair_list_grain(job.of.list, GRAIN));
	}
	for (int t = 0; t < SCREE_MOST_THREADS; ++t)
		w->greatest_overlap_part = real_max(w->greatest_overlap_part, job.most[t]);
	scree_domain_put_most(&w->domain, 1, &w->greatest_overlap_part);
	join_ledgers(s, w);
	scree_after_join(w, scree_contact_sums_use);
}
