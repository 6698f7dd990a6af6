/* constraint_results: forces, histories and energies of contacts, from their impulses.
 *
 * in   impulses; velocities before and after the step     out  touching, force, history and account of contact rows;
 *                                                              loads on walls; counts and largest overlaps */
#include "solver/constraints.h"

#include "base/parallel.h"
#include "kernel/contact_law.h"
#include "state/bonds.h"
#include "state/contact_rows.h"
#include "world/world.h"

typedef struct keeping {
	const solving *v;
	real most[SCREE_MOST_THREADS]; /* greatest overlap relative to the diameter of the smaller body */
	int64_t touching[SCREE_MOST_THREADS];
	int64_t broken[SCREE_MOST_THREADS];	 /* bonds */
	fixed images[SCREE_MOST_THREADS];	 /* power of the moving images of a sheared world, in W */
	fixed border[SCREE_MOST_THREADS][3]; /* force in N through the borders of a changing cell (model/periods.h) */
} keeping;

/* Computes the overlap at the end of the step (for creeping bodies at its start), and the energy of springs and
 * attraction then; at the start of a run, the present energy, which the ledger counts as brought in. */
static void add_springs(const solving *v, const constraint *r, contact_outcome *o)
{
	const enum law_row law = (enum law_row)r->law;
	const bool first = !v->w->ahead.drifted;
	real mean = 0, weights = 0;
	o->depth = -INFINITY;
	for (const constraint_point *p = v->of->point + r->first, *end = p + r->points; p < end; ++p) {
		if (!(p->weight > 0)) continue;
		const real goes = v3_dot(slip_at(v->of, r, p->arm_a, p->arm_b), r->normal);
		const real now = p->reaches - (1 - r->after) * v->h * p->came, ends = now - v->h * goes;
		const real stores = first ? now : ends;
		if (stores > 0 && !(r->pull.length > 0))
			o->elastic += r->share * normal_by(law, &r->constants, p->weight, stores, 0).elastic;
		o->depth = real_max(o->depth, (v->m->creeps ? now : ends) + r->pull.end);
		mean += p->weight * real_max(stores, 0), weights += p->weight;
	}
	if (r->pull.kind == COHESION_CAPILLARY)
		scree_bridge_end(v, r, v3_dot(slip_at(v->of, r, r->arm_a, r->arm_b), r->normal), o);
	else if (o->held)
		o->elastic += scree_attraction_energy(v, r, mean / weights + r->pull.end);
}

static void add_impulses(const solving *v, const constraint *r, contact_outcome *o)
{
	o->friction = friction_across(r);
	o->couple = v3_add(r->turning, friction_couple(r));
	o->torque = v3_add(o->couple, v3_cross(r->arm_a, o->friction));
	for (const constraint_point *p = v->of->point + r->first, *end = p + r->points; p < end; ++p) {
		const vec3 by = v3_mul(p->impulse, r->normal);
		o->pressed += p->impulse;
		o->torque = v3_add(o->torque, v3_cross(p->arm_a, by));
		o->moment = v3_add(o->moment, v3_cross(v3_sub(p->arm_a, r->arm_a), by));
	}
	o->impulse = v3_madd(o->friction, o->pressed - o->pull, r->normal);
	o->torque = v3_add(o->torque, v3_cross(r->arm_a, v3_mul(-o->pull, r->normal)));
}

static vec3 at_most(vec3 x, real most)
{
	const real size = v3_norm(x);
	return size > most ? v3_mul(most / size, x) : x;
}

static real inverse(real stiffness) { return stiffness > 0 ? 1 / stiffness : 0; }

static void add_shear(const solving *v, const constraint *r, contact_outcome *o)
{
	const pair_list *l = v->s->pair + r->ref.kind;
	const int64_t k = r->ref.row;
	const real pressed = o->pressed + (o->held ? r->pull.press : 0);
	friction_spring spring = r->spring;
	o->scale = r->scale > 0 ? scree_constraint_scale(v, r) : 0;
	if (!(o->scale > 0)) return;
	spring.stiffness *= o->scale / r->scale;
	const slip had = slip_across(r, slip_with(v->of->before, r, r->arm_a, r->arm_b), spin_with(v->of->before, r));
	const slip goes = slip_across(r, slip_at(v->of, r, r->arm_a, r->arm_b), spin_at(v->of, r));
	const slip held = friction_spring_held(l, k, r->normal, o->scale);
	o->sheared = friction_spring_end(&spring, held, had, goes, r->rub * pressed / v->tau);
	o->bent = friction_spring_energy(&spring, o->sheared);
}

/* Advances the springs of rolling and torsion to the end of the step; the springs slip at the largest couple. */
static void add_turning(const solving *v, const constraint *r, contact_outcome *o)
{
	turning_limit limit[2] = {r->roll, r->twist}, *const roll = limit, *const twist = limit + 1;
	if (!turns_on_springs(r)) return;
	roll->stiffness *= o->scale / r->scale, twist->stiffness *= o->scale / r->scale;
	const real force = (o->pressed + (o->held ? r->pull.press : 0)) / v->tau, most = twist->lever * force;
	const vec3 n = r->normal, spin = spin_at(v->of, r);
	const vec3 bent = v3_mul(1 / v->tau, scree_constraint_bent(v, r, o->scale));
	const vec3 rolls = v3_madd(bent, -v->h * roll->stiffness, spin);
	const vec3 flat = at_most(v3_madd(rolls, -v3_dot(rolls, n), n), roll->lever * force);
	const real twists = v3_dot(bent, n) - v->h * twist->stiffness * v3_dot(spin, n);
	const real about = real_clamp(twists, -most, most);
	o->turns = true, o->turning = r->turning;
	o->rolled = v3_mul(-inverse(roll->stiffness), flat);
	o->twisted = -inverse(twist->stiffness) * about;
	o->rolls = inverse(roll->stiffness) * v3_norm2(flat) / 2;
	o->twists = inverse(twist->stiffness) * about * about / 2;
}

/* Computes the loss in dashpots, or under Newton's rule at the last point. An impact also loads the other points.
 * Velocities determine which points are loaded, since impulses of individual points may depend on the sweeps. */
static void add_damped(const solving *v, const constraint *r, contact_outcome *o)
{
	o->whole = r->pull.kind != COHESION_NONE || v->m->creeps;
	const constraint_point *last = v->of->point + r->first + r->points - 1;
	if (!is_impulse(o->pressed, last->rigid, last->came)) return;
	for (const constraint_point *p = v->of->point + r->first, *end = p + r->points; p < end; ++p) {
		const real had = v3_dot(slip_with(v->of->before, r, p->arm_a, p->arm_b), r->normal);
		const real has = v3_dot(slip_at(v->of, r, p->arm_a, p->arm_b), r->normal);
		if (p->rebound > NO_IMPACT && is_slowed(p->came, p->rebound)) {
			o->damped = lost_by_impact(o->pressed, p->came, p->rebound);
			o->by_rule = true;
			return;
		}
		if (p->weight > 0 && has + p->goal < 0 && is_below_gap(has, p->meets))
			o->damped += lost_by_dashpot(v->tau * p->dashpot, had, has);
	}
}

static contact_works works_of(const constraint *r, const contact_outcome *o, vec3 slip, vec3 spin)
{
	contact_works w;
	const real along = (o->pressed - o->pull) * v3_dot(slip, r->normal);
	w.normal = along + v3_dot(o->moment, spin); /* when the bodies tilt, points move along the normal */
	w.friction = v3_dot(o->impulse, slip) - along + v3_dot(v3_sub(o->couple, r->turning), spin);
	w.rolling = v3_dot(r->turning, spin);
	return w;
}

/* Uses the wall's velocity at the time of the state, to which the mean of velocities before and after also refers. */
static void take_wall_now(const solving *v, constraint *r)
{
	if (!pair_on_wall(r->ref.kind)) return;
	const velocity_pair wall = scree_constraint_wall_now(v, &r->ref);
	r->moves = wall.linear, r->spins = wall.angular;
}

static void add_impact(const solving *v, const constraint *r, contact_outcome *o)
{
	const constraint_point *last = v->of->point + r->first + r->points - 1;
	if (!(v->s->pair[r->ref.kind].brought[r->ref.row] > 0)) return;
	const real goes = v3_dot(slip_at(v->of, r, last->arm_a, last->arm_b), r->normal);
	o->impact =
		(impact_end){last->came, goes, scree_impact_mass(v, r, last), last->rigid, scree_constraint_stiffness(v, r)};
}

static contact_outcome outcome_of(const solving *v, constraint *r)
{
	contact_outcome o = {.small = r->small, .moves = r->moves};
	constraint_unpack(v, r);
	o.held = r->pull.held, o.pull = r->pull.given;
	add_impact(v, r, &o);
	add_impulses(v, r, &o);
	add_springs(v, r, &o);
	add_damped(v, r, &o);
	add_shear(v, r, &o);
	add_turning(v, r, &o);
	take_wall_now(v, r);
	/* prevents excess speed of a wall that yields */
	const impulse_body *a = v->of->body + r->ref.a;
	const impulse_body *b = v->of->body + (pair_on_wall(r->ref.kind) ? v->s->body.count : r->ref.b);
	const vec3 had = v3_sub(slip_with(v->of->before, r, r->arm_a, r->arm_b), scree_constraint_pull(v, &r->ref));
	const vec3 spin = spin_with(v->of->before, r);
	o.before = works_of(r, &o, had, spin);
	const vec3 turns = v3_sub(v3_sub(a->angular_velocity, b->angular_velocity), r->spins);
	o.after = works_of(r, &o, slip_of(r, a, b, r->arm_a, r->arm_b), turns);
	if (r->bond >= 0) scree_bond_outcome(v, r, had, spin, &o);
	return o;
}

static void put_impulses(const solving *v, pair_list *l, int64_t k, const contact_outcome *o)
{
	const real whole = v->h / v->tau;
	const vec3 across = v3_mul(whole, o->friction), couple = v3_mul(whole, v3_sub(o->couple, o->turning));
	l->jn[k] = whole * o->pressed;
	l->jx[k] = across.x, l->jy[k] = across.y, l->jz[k] = across.z;
	l->gx[k] = couple.x, l->gy[k] = couple.y, l->gz[k] = couple.z;
	if (l->mx) l->mx[k] = whole * o->moment.x, l->my[k] = whole * o->moment.y, l->mz[k] = whole * o->moment.z;
	l->sx[k] = o->sheared.flat.x, l->sy[k] = o->sheared.flat.y, l->sz[k] = o->sheared.flat.z;
	l->spun[k] = o->sheared.spin;
	l->stiff[k] = o->scale > 0 ? o->scale : 1; /* the history of a contact is never zero */
}

/* The springs of rolling and torsion store at most the energy that they had plus the energy that they absorbed. taken:
 * energy absorbed by rolling and torsion in this step, in J. Returns the energy that is lost. */
static real put_turning(const solving *v, pair_list *l, int64_t k, const contact_outcome *o, real taken)
{
	if (!o->turns) return taken;
	l->rx[k] = o->rolled.x, l->ry[k] = o->rolled.y, l->rz[k] = o->rolled.z, l->twist[k] = o->twisted;
	if (!v->w->ahead.drifted) return taken; /* none of this energy counts as brought in */
	const real sum = o->rolls + o->twists, had = l->rolled[k] + l->twisted[k], most = real_max(had + taken, 0);
	const real part = sum > most ? most / sum : 1;
	l->rolled[k] = part * o->rolls, l->twisted[k] = part * o->twists;
	return taken - part * sum + had;
}

static real all_works(const contact_works *w) { return w->normal + w->friction + w->rolling; }

/* A bond takes from the bodies the increase in its energy during the step, and the losses in its dashpots; the energy
 * stored in it when it breaks is lost. */
static void put_bond(const solving *v, pair_list *l, int64_t k, const bond_outcome *o)
{
	const bool first = !v->w->ahead.drifted;
	const real taken = -(first ? 1 : (real)0.5) * (all_works(&o->before) + all_works(&o->after));
	const real gains = first ? 0 : (o->breaks ? 0 : o->held) - real_max(l->bond_held[k], 0);
	l->lost_friction[k] += o->friction;
	l->lost_rolling[k] += o->rolling;
	l->lost_normal[k] += taken - gains - o->friction - o->rolling;
	if (o->breaks) {
		bond_end(l, k);
		return;
	}
	bond_springs_put(l, k, &o->springs);
	l->bond_held[k] = o->held;
}

/* The surfaces of bonded bodies that do not touch have no springs. */
static void end_springs(contact_outcome *o)
{
	o->elastic = o->bent = o->scale = o->rolls = o->twists = o->twisted = 0;
	o->sheared = (slip){v3(0, 0, 0), 0};
	o->rolled = v3(0, 0, 0);
}

/* Returns the part of a contact's loss along its normal that is due to the law, in J. The loss of the dashpot assumes a
 * likely overlap and linearly changing velocities, so it is limited to the total loss. */
static real law_takes(const contact_outcome *o, real lost)
{
	if (o->whole) return lost;
	return o->by_rule ? o->damped : real_clamp(o->damped, 0, real_max(lost, 0));
}

/* Work on the bodies is exact when computed with the mean of the velocities before and after. Half of an impulse acts
 * after the time of the state. Before the first step only this half exists. This half counts twice, as in other steps
 * (start/first_forces.c). Springs store at most the energy that they had plus the energy that they absorbed: in an
 * impact bodies overlap more than under the law, and friction exceeds the force of its spring. */
static void put_account(const solving *v, pair_list *l, int64_t k, const contact_outcome *o, real elastic,
						fixed *by_method)
{
	const contact_works *b = &o->before, *a = &o->after;
	const real before = all_works(b) + all_works(&o->bond.before), after = all_works(a) + all_works(&o->bond.after);
	const bool first = !v->w->ahead.drifted;
	const real part = first ? 1 : (real)0.5, later = first ? (before + after) / 2 : (before + 3 * after) / 8;
	const real pressed = -part * (b->normal + a->normal);
	const bool free = first || o->bridged; /* bridges store energy at a distance */
	const real held = free ? elastic : real_min(elastic, real_max(l->elastic[k] + pressed, 0));
	const real lost = pressed - (first ? 0 : held - l->elastic[k]);
	const real law = (first ? 2 : 1) * law_takes(o, (first ? (real)0.5 : 1) * lost);
	l->lost_normal[k] += law;
	if (by_method) scree_fixed_add(by_method, lost - law);
	if (l->brought[k] > 0) l->took[k] -= (b->normal + a->normal) / 2, l->lasts[k] += 1;
	const real most = real_max(l->bent[k] - part * (b->friction + a->friction), 0);
	const real bent = real_min(o->bent, most);
	l->lost_friction[k] -= part * (b->friction + a->friction) + (first ? 0 : bent - l->bent[k]);
	l->lost_rolling[k] += put_turning(v, l, k, o, -part * (b->rolling + a->rolling));
	l->bent[k] = first ? 0 : bent; /* none of this energy counts as brought in */
	l->elastic[k] = held;
	l->work[k] = -held;
	l->power[k] = 0;
	l->heat[k] = -2 / v->h * later;
}

static void add_to_wall(const solving *v, const contact_ref *r, const contact_force *f, int thread)
{
	const int32_t k = v->m->wall.surface_wall[v->s->pair[r->kind].cb[r->row]];
	if (v->m->wall.row[k].motion.type == MOTION_STILL) return;
	wall_sum *to = v->w->thread[thread].rows.wall + k;
	const vec3 t = torque_on_b(f, constraint_apart(v, r->kind, r->row));
	const real values[6] = {-f->force.x, -f->force.y, -f->force.z, t.x, t.y, t.z};
	for (int c = 0; c < 3; ++c) scree_fixed_add(to->force + c, values[c]);
	for (int c = 0; c < 3; ++c) scree_fixed_add(to->torque + c, values[3 + c]);
	to->contacts += 1;
}

/* Adds a force across the borders; it gives the work done when a cell changes size. */
static void add_border(keeping *q, const contact_ref *r, vec3 f, int thread)
{
	const solving *v = q->v;
	const image e = image_of_code(scree_world_image(v->m, v->s, r->kind, v->s->pair[r->kind].slot[r->row]));
	if (e.x) scree_fixed_add(q->border[thread] + 0, (real)e.x * f.x);
	if (e.y) scree_fixed_add(q->border[thread] + 1, (real)e.y * f.y);
	if (e.z) scree_fixed_add(q->border[thread] + 2, (real)e.z * f.z);
}

static void add_force(keeping *q, const contact_ref *r, const contact_outcome *o, const contact_force *f, int thread)
{
	const solving *v = q->v;
	const bool counted = scree_contact_counted(v->s, r->kind, r->row);
	q->most[thread] = real_max(q->most[thread], o->depth / (2 * o->small));
	q->touching[thread] += counted;
	if (pair_on_wall(r->kind))
		add_to_wall(v, r, f, thread);
	else if (v->m->period.shears && counted)
		scree_fixed_add(q->images + thread, v3_dot(f->force, o->moves));
	else if (v->m->period.deforms && counted)
		add_border(q, r, f->force, thread);
}

/* The account of a contact that no longer touches is added to the ledger. */
static void leave(const solving *v, int kind, int64_t row, int thread)
{
	const bool counted = scree_contact_counted(v->s, kind, row);
	scree_contact_end(counted ? &v->w->thread[thread].ended : NULL, v->s->pair + kind, row, v->h);
}

/* Even if only an early search found a contact and a later search found the bodies apart, the narrow phase must
 * not skip the pair, or the points of the row would be out of date. */
static void look_next_time(const solving *v, const contact_ref *r)
{
	const pair_list *l = v->s->pair + r->kind;
	real *clear = v->w->pair[r->kind].cache.clear;
	if (clear && !l->rows) clear[l->slot[r->row]] = 0;
}

static void keep(keeping *q, const contact_ref *r, contact_outcome *o, int thread)
{
	const solving *v = q->v;
	pair_list *l = v->s->pair + r->kind;
	const int64_t k = r->row;
	const real per = 1 / v->tau;
	const bool stores = !v->w->ahead.drifted && o->elastic > 0; /* at the start */
	const bool presses = o->held || o->depth > 0 || o->pressed > 0 || stores, touches = presses || o->bond.acts;
	const bool touched = l->stiff[k] > 0;
	contact_work *found = &v->w->pair[r->kind].contact;
	found->force[k] = (contact_force){v3_mul(per, o->impulse), v3_mul(per, o->torque),
									  per * (o->pressed - o->pull + o->bond.pressed)};
	if (found->depth) found->depth[k] = o->depth;
	l->touch[k] = touches;
	if (touches) look_next_time(v, r);
	if (!touches) scree_impact_forget(v, r);
	if (!touches && !touched) return; /* the contact has no history */
	scree_impact_goes_on(v, r, &o->impact);
	if (!presses && o->bond.acts) end_springs(o);
	const bool counted = scree_contact_counted(v->s, r->kind, k);
	put_account(v, l, k, o, touches ? o->elastic : 0, counted ? &v->w->thread[thread].ended.lost_method : NULL);
	put_impulses(v, l, k, o);
	if (o->bond.acts) {
		put_bond(v, l, k, &o->bond);
		q->broken[thread] += o->bond.breaks && counted;
		if (!presses && !o->bond.breaks) l->stiff[k] = 0; /* there is no history of friction */
	}
	if (touches)
		add_force(q, r, o, found->force + k, thread);
	else
		leave(v, r->kind, k, thread);
}

static void keep_contacts(void *what, int64_t from, int64_t to, int thread)
{
	keeping *q = what;
	const struct constraints *c = q->v->of;
	for (int64_t k = from; k < to; ++k) {
		fetch_soon(q->v, k, to);
		const contact_ref *r = c->ref + k;
		contact_outcome o = r->full < 0 ? scree_ball_outcome(q->v, r) : outcome_of(q->v, c->row + r->full);
		keep(q, r, &o, thread);
	}
}

/* Ends the contacts of rows that touched before and are not among the constraints. */
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

static void note_overlaps(const keeping *q)
{
	enum { IMAGES, TOUCHING, BROKEN, BORDER, SUMS = BORDER + 3 };
	fixed of[SUMS] = {{0, 0}};
	work *w = q->v->w;
	images *now = &q->v->s->images;
	w->greatest_overlap_part = 0;
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) {
		w->greatest_overlap_part = real_max(w->greatest_overlap_part, q->most[t]);
		of[TOUCHING].quanta += q->touching[t];
		of[BROKEN].quanta += q->broken[t];
		scree_fixed_join(of + IMAGES, q->images[t]);
		for (int k = 0; k < 3; ++k) scree_fixed_join(of + BORDER + k, q->border[t][k]);
	}
	scree_domain_put_most(&w->domain, 1, &w->greatest_overlap_part);
	scree_domain_put_sum(&w->domain, SUMS, of);
	scree_domain_join(&w->domain);
	w->images_power = scree_fixed_value(of[IMAGES]);
	if (q->v->m->period.deforms) {
		now->border = fixed_vector(of + BORDER);
		w->images_power = v3_dot(now->border, now->growth);
	}
	w->touching = (int64_t)of[TOUCHING].quanta;
	q->v->s->broken += (int64_t)of[BROKEN].quanta;
	scree_overlap_noted(w);
}

void scree_constraints_keep(solving *v)
{
	keeping q = {.v = v};
	scree_parallel(keep_contacts, &q, v->of->count, CONSTRAINTS_GRAIN);
	leave_rows(v);
	note_overlaps(&q);
	scree_threads_ended(v->w, &v->s->energy, v->s->energy_guard.classes);
	v->s->energy.points_power = v->s->energy.points_heat = 0;
	v->w->unbearable = false;
}
