/* constraint_results: forces, histories and energies of contacts, from their impulses.
 *
 * in   impulses; velocities before and after the step     out  touching, force, history and account of contact rows;
 *                                                              loads of walls; counts and greatest overlaps */
#include "solver/constraints.h"

#include "base/parallel.h"
#include "kernel/contact_law.h"
#include "world/world.h"

typedef struct keeping {
	const solving *v;
	real most[SCREE_MOST_THREADS]; /* overlap over the diameter of the smaller body */
	int64_t touching[SCREE_MOST_THREADS];
	fixed images[SCREE_MOST_THREADS]; /* W: by moving images */
} keeping;

/* Overlap at the end of the step, and the energy of the springs there. */
static real elastic_of(const solving *v, const constraint *r, real *depth)
{
	const enum law_row law = (enum law_row)r->law;
	real elastic = 0;
	*depth = -INFINITY;
	for (const constraint_point *p = v->of->point + r->first, *end = p + r->points; p < end; ++p) {
		if (!(p->weight > 0)) continue;
		const real goes = v3_dot(slip_at(v->of, r, p->arm_a, p->arm_b), r->normal);
		const real now = p->depth - v->h * (goes - p->had);
		if (now > 0) elastic += r->share * normal_by(law, &r->constants, p->weight, now, 0).elastic;
		*depth = real_max(*depth, now);
	}
	return v->m->hard ? 0 : elastic;
}

/* Sums of a contact's impulses: on a, about its centre. */
typedef struct impulse_sum {
	real pressed;
	vec3 impulse, torque, couple; /* couple: about the point of friction */
	vec3 moment;				  /* the part of the couple that comes from the normal impulses */
} impulse_sum;

static impulse_sum sum_of(const solving *v, const constraint *r)
{
	impulse_sum o = {.couple = v3_add(r->turning, friction_couple(r))};
	o.torque = v3_add(o.couple, v3_cross(r->arm_a, friction_across(r)));
	for (const constraint_point *p = v->of->point + r->first, *end = p + r->points; p < end; ++p) {
		const vec3 by = v3_mul(p->impulse, r->normal);
		o.pressed += p->impulse;
		o.torque = v3_add(o.torque, v3_cross(p->arm_a, by));
		o.moment = v3_add(o.moment, v3_cross(v3_sub(p->arm_a, r->arm_a), by));
	}
	o.couple = v3_add(o.couple, o.moment);
	o.impulse = v3_madd(friction_across(r), o.pressed, r->normal);
	return o;
}

static void put_impulses(const solving *v, pair_list *l, const constraint *r, const impulse_sum *o)
{
	const real whole = v->h / v->tau;
	const int64_t k = r->ref.row;
	const vec3 couple = v3_mul(whole, v3_add(r->turning, friction_couple(r)));
	l->jn[k] = whole * o->pressed;
	const vec3 across = v3_mul(whole, friction_across(r));
	l->jx[k] = across.x, l->jy[k] = across.y, l->jz[k] = across.z;
	l->gx[k] = couple.x, l->gy[k] = couple.y, l->gz[k] = couple.z;
	if (l->mx) l->mx[k] = whole * o->moment.x, l->my[k] = whole * o->moment.y, l->mz[k] = whole * o->moment.z;
	l->stiff[k] = r->scale > 0 ? r->scale : 1; /* the history of a contact is not zero */
}

/* Work on the bodies, by the mean of the velocities before and after, is exact. Half of an impulse acts after the time
 * of the state. Before the first step there is this half alone, and it counts twice, as in other steps
 * (step_forces.c). The springs of friction hold at most what they held and took: in an impact the law is too soft for
 * its impulse. */
static void put_account(const solving *v, pair_list *l, const constraint *r, const impulse_sum *o, real elastic)
{
	const vec3 had = slip_with(v->of->before, r, r->arm_a, r->arm_b), has = slip_at(v->of, r, r->arm_a, r->arm_b);
	const real had_n = v3_dot(had, r->normal), has_n = v3_dot(has, r->normal);
	const real before_n = o->pressed * had_n, after_n = o->pressed * has_n;
	const vec3 spun = spin_with(v->of->before, r), spins = spin_at(v->of, r), couple = v3_sub(o->couple, r->turning);
	const real before_t = v3_dot(o->impulse, had) - before_n + v3_dot(couple, spun);
	const real after_t = v3_dot(o->impulse, has) - after_n + v3_dot(couple, spins);
	const real before_r = v3_dot(r->turning, spun), after_r = v3_dot(r->turning, spins);
	const real before = before_n + before_t + before_r, after = after_n + after_t + after_r;
	const bool first = !v->w->ahead.drifted;
	const real part = first ? 1 : (real)0.5, later = first ? (before + after) / 2 : (before + 3 * after) / 8;
	const int64_t k = r->ref.row;
	l->lost_normal[k] -= part * (before_n + after_n) + (first ? 0 : elastic - l->elastic[k]);
	const real shear = r->scale * r->constants.shear;
	const real most = real_max(l->bent[k] - part * (before_t + after_t), 0);
	const real bent = shear > 0 ? real_min(v3_norm2(r->friction) / (2 * v->tau * v->tau * shear), most) : 0;
	l->lost_friction[k] -= part * (before_t + after_t) + (first ? 0 : bent - l->bent[k]);
	l->lost_rolling[k] -= part * (before_r + after_r);
	l->bent[k] = first ? 0 : bent; /* nothing of it counts as brought */
	l->elastic[k] = elastic;
	l->work[k] = -elastic;
	l->power[k] = 0;
	l->heat[k] = -2 / v->h * later;
}

static void add_to_wall(const solving *v, const constraint *r, const contact_force *f, int thread)
{
	const int32_t k = v->m->wall.surface_wall[v->s->pair[r->ref.kind].cb[r->ref.row]];
	if (v->m->wall.row[k].motion.type == MOTION_STILL) return;
	wall_sum *to = v->w->thread[thread].rows.wall + k;
	const vec3 t = torque_on_b(f, scree_constraint_apart(v, r->ref.kind, r->ref.row));
	const real values[6] = {-f->force.x, -f->force.y, -f->force.z, t.x, t.y, t.z};
	for (int c = 0; c < 3; ++c) scree_fixed_add(to->force + c, values[c]);
	for (int c = 0; c < 3; ++c) scree_fixed_add(to->torque + c, values[3 + c]);
	to->contacts += 1;
}

/* A contact that no longer touches leaves its account to the ledger. */
static void leave(const solving *v, int kind, int64_t row, int thread)
{
	const bool counted = scree_contact_counted(v->s, kind, row);
	scree_contact_end(counted ? &v->w->thread[thread].ended : NULL, v->s->pair + kind, row, v->h);
}

/* Walls are back at the time of the state, as is the mean of the velocities before and after the step. */
static void take_wall_now(const solving *v, constraint *r)
{
	if (!pair_on_wall(r->ref.kind)) return;
	const wall_state *wall = v->s->wall + v->m->wall.surface_wall[v->s->pair[r->ref.kind].cb[r->ref.row]];
	r->moves = wall_velocity(wall, scree_constraint_apart(v, r->ref.kind, r->ref.row));
	r->spins = wall->angular_velocity;
}

static void keep(keeping *q, constraint *r, int thread)
{
	const solving *v = q->v;
	pair_list *l = v->s->pair + r->ref.kind;
	const int64_t k = r->ref.row;
	const impulse_sum o = sum_of(v, r);
	const real per = 1 / v->tau;
	real depth;
	const real held = elastic_of(v, r, &depth);
	const bool touches = depth > 0 || o.pressed > 0;
	contact_work *found = &v->w->pair[r->ref.kind].contact;
	contact_force *f = found->force + k;
	*f = (contact_force){v3_mul(per, o.impulse), v3_mul(per, o.torque), per * o.pressed};
	l->touch[k] = touches;
	if (found->depth) found->depth[k] = depth;
	take_wall_now(v, r);
	put_account(v, l, r, &o, touches ? held : 0);
	put_impulses(v, l, r, &o);
	if (pair_on_wall(r->ref.kind))
		add_to_wall(v, r, f, thread);
	else if (v->m->period.shears && scree_contact_counted(v->s, r->ref.kind, k))
		scree_fixed_add(q->images + thread, v3_dot(f->force, r->moves));
	if (!touches) {
		leave(v, r->ref.kind, k, thread);
		return;
	}
	q->most[thread] = real_max(q->most[thread], depth / (2 * r->small));
	q->touching[thread] += scree_contact_counted(v->s, r->ref.kind, k);
}

static void keep_contacts(void *what, int64_t from, int64_t to, int thread)
{
	keeping *q = what;
	struct constraints *c = q->v->of;
	for (int64_t k = from; k < to; ++k) {
		const int32_t full = c->ref[k].full;
		constraint ball = full < 0 ? scree_ball_row_end(q->v, k, thread) : (constraint){.points = 0};
		keep(q, full < 0 ? &ball : c->row + full, thread);
	}
}

/* Rows that touched before and are not among the constraints. */
static void leave_rows(const solving *v)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = v->s->pair + kind;
		for (int32_t p = 0; p < l->pieces; ++p)
			for (int64_t k = l->base[p]; k < l->base[p] + l->used[p]; ++k) {
				if (v->of->of_row[kind][k]) continue;
				if (l->stiff[k] > 0) leave(v, kind, k, 0);
				l->touch[k] = 0;
			}
	}
}

static void note_overlaps(const keeping *q, work *w)
{
	fixed images = {0};
	w->greatest_overlap_part = 0;
	w->touching = 0;
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) {
		w->greatest_overlap_part = real_max(w->greatest_overlap_part, q->most[t]);
		w->touching += q->touching[t];
		scree_fixed_join(&images, q->images[t]);
	}
	w->images_power = scree_fixed_value(images);
	w->greatest_overlap_ever = real_max(w->greatest_overlap_ever, w->greatest_overlap_part);
}

void scree_constraints_keep(solving *v)
{
	keeping q = {.v = v};
	scree_parallel(keep_contacts, &q, v->of->count, CONSTRAINTS_GRAIN);
	leave_rows(v);
	note_overlaps(&q, v->w);
	scree_threads_ended(v->w, &v->s->energy, v->s->energy_guard.classes);
	v->s->energy.points_power = v->s->energy.points_heat = 0;
	v->w->unbearable = false;
}
