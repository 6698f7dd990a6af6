/* contacts_to_forces: every contact of this step to the force and torques that it makes.
 *
 * in   normal, overlap, points of each touching pair (narrow/); velocities of the full step; what the contact remembers
 * out  force on a, torques on a and b; what the contact will remember; its energies
 *
 * Contacts with one point run through one straight loop that vectorises (law, partner and rolling are constants to the
 * compiler), patches one by one over their points. Where pairs of materials have different laws, a piece is first
 * sorted by law. */
#include "stages.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "kernel/contact_law.h"

#include <string.h>

/* what a kind of pair needs, gathered once a piece */
enum { RECORD = 16 };

typedef struct job {
	const bodies *body;
	const real *record; /* [RECORD * bodies] what a law asks of a body, in two cache lines: see pack_records */
	pair_list *list;
	const thread_scratch *scratch;
	const law_constants *constants;
	const walls *wall;
	int32_t materials;
	bool on_wall;
	real dt;
} job;

typedef normal_part normal_fn(const contact_constants *k, real weight, real depth, real vn);
typedef contact_constants constants_fn(const law_constants *c, real radius, real mass);

/* a and b of one contact */
typedef struct partners {
	vec3 va, wa, vb, wb; /* velocities, angular velocities; of b at the centre of b, of a wall at the centre of a */
	vec3 apart;			 /* from the centre of b (wall: from the place of the wall) to the centre of a */
	real radius, mass;	 /* reduced */
	real small;			 /* diameter of the smaller one */
	int32_t rule;		 /* row of constants */
} partners;

SCREE_FN partners partners_of(const job *j, int64_t k, bool on_wall)
{
	const bodies *o = j->body;
	int32_t a = j->list->ca[k], b = j->list->cb[k];
	const real *r = j->record;
	int64_t of_a = (int64_t)RECORD * a;
	partners p;
	p.va = v3(r[of_a + 0], r[of_a + 1], r[of_a + 2]);
	p.wa = v3(r[of_a + 3], r[of_a + 4], r[of_a + 5]);
	vec3 xa = v3(r[of_a + 6], r[of_a + 7], r[of_a + 8]);
	if (on_wall) {
		const wall *w = j->wall->row + j->wall->surface_wall[b];
		p.apart = v3_sub(xa, w->place);
		p.vb = v3_add(w->velocity, v3_cross(w->spin, p.apart));
		p.wb = w->spin;
		p.radius = r[of_a + 10];
		p.mass = r[of_a + 11];
		p.small = 2 * r[of_a + 10];
		p.rule = o->material[a] * j->materials + w->material;
	} else {
		int64_t of_b = (int64_t)RECORD * b;
		p.apart = v3_sub(xa, v3(r[of_b + 6], r[of_b + 7], r[of_b + 8]));
		p.vb = v3(r[of_b + 0], r[of_b + 1], r[of_b + 2]);
		p.wb = v3(r[of_b + 3], r[of_b + 4], r[of_b + 5]);
		real ra = r[of_a + 10], rb = r[of_b + 10];
		p.radius = ra * rb / (ra + rb);
		p.mass = 1 / (r[of_a + 9] + r[of_b + 9]);
		p.small = 2 * (ra < rb ? ra : rb);
		p.rule = o->material[a] * j->materials + o->material[b];
	}
	return p;
}

/* velocity of a against b at the point `at` from the centre of a */
SCREE_FN vec3 slip_velocity(const partners *p, vec3 at, bool on_wall)
{
	vec3 va = v3_add(p->va, v3_cross(p->wa, at));
	vec3 from_b = on_wall ? at : v3_add(at, p->apart); /* the wall's velocity was taken at the centre of a */
	vec3 vb = v3_add(p->vb, v3_cross(p->wb, from_b));
	return v3_sub(va, vb);
}

/* Rolling: an elastic-plastic spring of angle (Iwashita and Oda 1998; eqs. 15-17 of laws.md), for materials that resist
 * it */
SCREE_FN slider roll(const job *j, int64_t k, const partners *p, const contact_constants *c, vec3 n, real force,
					 real stiffness, bool fresh)
{
	pair_list *l = j->list;
	real lever = c->rolling * c->radius;
	bool rolls = c->rolling > 0;
	real spring = rolls ? (real)2.25 * stiffness * lever * lever : 1;
	real damping = 2 * c->zeta * sqrt(spring * (real)1.4 * c->mass * c->radius * c->radius);
	vec3 spin = v3_sub(p->wa, p->wb), across = v3_madd(spin, -v3_dot(spin, n), n);
	slider r =
		slide(v3(l->rx[k], l->ry[k], l->rz[k]), l->rolled[k], fresh, across, n, spring, damping, lever * force, j->dt);
	l->rx[k] = rolls ? r.spring.x : 0;
	l->ry[k] = rolls ? r.spring.y : 0;
	l->rz[k] = rolls ? r.spring.z : 0;
	l->rolled[k] = rolls ? r.stored : 0;
	l->lost_rolling[k] += rolls ? j->dt * r.heat + r.lost : 0;
	r.force = v3(rolls ? r.force.x : 0, rolls ? r.force.y : 0, rolls ? r.force.z : 0);
	r.heat = rolls ? r.heat : 0;
	return r;
}

/* Friction, rolling resistance and energies of a contact whose normal part is known; writes everything.
 * at: where the force acts, from the centre of a; mean: overlap that sets the tangential stiffness */
SCREE_FN void finish(const job *j, int64_t k, const partners *p, const contact_constants *c, vec3 n, vec3 at, vec3 v,
					 real mean, normal_part normal, vec3 moment, bool hertz, bool rolls)
{
	pair_list *l = j->list;
	real dt = j->dt;
	vec3 vt = v3_madd(v, -v3_dot(v, n), n);

	/* Mindlin, incremental: a growing radius of contact keeps the force, a shrinking one scales it (eq. 12 of laws.md)
	 */
	real scale = hertz ? sqrt(c->radius * mean) : 1;
	real before = l->stiff[k];
	real grows = before > 0 && scale > before ? before / scale : 1;
	real ratio = before > 0 ? (scale > before ? before / scale : scale / before) : 1;
	/* the half step that the spring is ahead is a way, not a force: it keeps its length */
	vec3 spring = v3_madd(v3_mul(grows, v3(l->sx[k], l->sy[k], l->sz[k])), (1 - grows) * dt / 2, vt);
	real stiffness = c->shear * scale;
	real damping = hertz ? c->shear_damping * sqrt(scale) : c->shear_damping;
	/* work on this step's slip of the force that shrinking took away: the stored energy knows only what was left */
	real dropped = scale < before ? (real)0.5 * (before - scale) / scale * stiffness * dt * v3_dot(spring, vt) : 0;
	slider t =
		slide(spring, l->bent[k] * ratio, !(before > 0), vt, n, stiffness, damping, c->friction * normal.force, dt);
	bool rough = c->friction > 0;

	vec3 f = v3_mul(normal.force, n);
	f = v3(f.x + (rough ? t.force.x : 0), f.y + (rough ? t.force.y : 0), f.z + (rough ? t.force.z : 0));
	vec3 friction = v3(rough ? t.force.x : 0, rough ? t.force.y : 0, rough ? t.force.z : 0);
	/* moment: that of the normal forces about the centre of a */
	vec3 ta = v3_add(moment, v3_cross(at, friction));
	real roll_heat = 0;
	if (rolls) {
		slider r = roll(j, k, p, c, n, normal.force, hertz ? (real)1.5 * c->stiffness * sqrt(mean) : c->stiffness,
						!(before > 0));
		ta = v3_add(ta, r.force);
		roll_heat = r.heat;
	}
	vec3 tb = v3_neg(v3_add(ta, v3_cross(p->apart, f)));

	l->fx[k] = f.x;
	l->fy[k] = f.y;
	l->fz[k] = f.z;
	l->tx[k] = ta.x;
	l->ty[k] = ta.y;
	l->tz[k] = ta.z;
	l->ux[k] = tb.x;
	l->uy[k] = tb.y;
	l->uz[k] = tb.z;
	l->sx[k] = rough ? t.spring.x : 0;
	l->sy[k] = rough ? t.spring.y : 0;
	l->sz[k] = rough ? t.spring.z : 0;
	l->stiff[k] = scale;

	/* energies by the trapezoidal rule: docs/theory/laws.md, "The ledger" */
	real friction_heat = rough ? t.heat : 0;
	l->lost_normal[k] += dt * normal.heat;
	l->lost_friction[k] += dt * friction_heat + (rough ? t.lost : 0);
	l->work[k] += dt * normal.power + l->bent[k] * (ratio - 1) - (rough ? dropped : 0);
	l->elastic[k] = normal.elastic;
	l->power[k] = normal.power;
	l->bent[k] = rough ? t.stored : 0;
	l->heat[k] = normal.heat + friction_heat + roll_heat;
}

/* one contact with one point */
SCREE_FN real one_point(const job *j, int64_t k, const law_constants *of, constants_fn *constants, normal_fn *push,
						bool hertz, bool on_wall, bool rolls)
{
	const pair_list *l = j->list;
	partners p = partners_of(j, k, on_wall);
	vec3 n = v3(l->nx[k], l->ny[k], l->nz[k]), at = v3(l->px[k], l->py[k], l->pz[k]);
	real depth = l->depth[k];
	contact_constants c = constants(of ? of : j->constants + p.rule, p.radius, p.mass);
	vec3 v = slip_velocity(&p, at, on_wall);
	normal_part normal = push(&c, 1, depth, v3_dot(v, n));
	vec3 moment = v3_cross(at, v3_mul(normal.force, n));
	finish(j, k, &p, &c, n, at, v, depth, normal, moment, hertz, rolls);
	return depth / p.small;
}

/* one patch: its points share stiffness and mass by weight, each with its own overlap and velocity; friction acts where
 * the normal forces do */
SCREE_FN real one_patch(const job *j, int64_t k, const law_constants *of, constants_fn *constants, normal_fn *push,
						bool hertz, bool on_wall, bool rolls)
{
	const pair_list *l = j->list;
	partners p = partners_of(j, k, on_wall);
	vec3 n = v3(l->nx[k], l->ny[k], l->nz[k]);
	contact_constants c = constants(of ? of : j->constants + p.rule, p.radius, p.mass);
	const contact_points *points = &j->scratch[l->first[k] >> 32].points;
	int64_t first = (int64_t)(l->first[k] & 0xffffffffu);
	normal_part sum = {0, 0, 0, 0};
	vec3 moment = v3(0, 0, 0), middle = v3(0, 0, 0), pressed = v3(0, 0, 0);
	real mean = 0;
	for (int64_t i = first; i < first + l->points[k]; ++i) {
		vec3 at = v3(points->x[i], points->y[i], points->z[i]);
		real weight = points->weight[i];
		normal_part part = push(&c, weight, points->depth[i], v3_dot(slip_velocity(&p, at, on_wall), n));
		sum.force += part.force;
		sum.elastic += part.elastic;
		sum.power += part.power;
		sum.heat += part.heat;
		mean += weight * points->depth[i];
		moment = v3_add(moment, v3_cross(at, v3_mul(part.force, n)));
		middle = v3_madd(middle, weight, at);
		pressed = v3_madd(pressed, part.force, at);
	}
	vec3 at = sum.force > 0 ? v3_mul(1 / sum.force, pressed) : middle;
	finish(j, k, &p, &c, n, at, slip_velocity(&p, at, on_wall), mean, sum, moment, hertz, rolls);
	return l->depth[k] / p.small;
}

/* Contact rows from .. from+count-1, or those in `listed`. Everything but j and the rows is a constant to the compiler.
 */
SCREE_FN real each_point(const job *given, int64_t from, int64_t count, const int32_t *listed, const law_constants *of,
						 constants_fn *constants, normal_fn *push, bool hertz, bool on_wall, bool rolls)
{
	const job j = *given;
	real most = 0;
	if (listed) {
		for (int64_t i = 0; i < count; ++i)
			most = real_max(most, one_point(&j, listed[i], NULL, constants, push, hertz, on_wall, rolls));
		return most;
	}
	const law_constants own = *of; /* copies: what is fetched through pointers is fetched for each contact */
	pair_list list = *j.list;
	job near = j;
	near.list = &list;
#pragma omp simd reduction(max : most)
	for (int64_t k = from; k < from + count; ++k) {
		real part = one_point(&near, k, &own, constants, push, hertz, on_wall, rolls);
		most = part > most ? part : most;
	}
	return most;
}

SCREE_FN real each_patch(const job *j, int64_t from, int64_t count, const int32_t *listed, const law_constants *of,
						 constants_fn *constants, normal_fn *push, bool hertz, bool on_wall, bool rolls)
{
	real most = 0;
	for (int64_t i = 0; i < count; ++i)
		most = real_max(most, one_patch(j, listed ? listed[i] : from + i, of, constants, push, hertz, on_wall, rolls));
	return most;
}

typedef real loop_fn(const job *j, int64_t from, int64_t count, const int32_t *listed, const law_constants *of);
#define LOOP(name, each, law, hertz, on_wall, rolls)                                                                   \
	static real name(const job *j, int64_t from, int64_t count, const int32_t *listed, const law_constants *of)        \
	{                                                                                                                  \
		return each(j, from, count, listed, of, contact_constants_##law, normal_##law, hertz, on_wall, rolls);         \
	}
#define LOOPS(each, law, hertz)                                                                                        \
	LOOP(each##_##law, each, law, hertz, false, false)                                                                 \
	LOOP(each##_##law##_rolling, each, law, hertz, false, true)                                                        \
	LOOP(each##_##law##_wall, each, law, hertz, true, false)                                                           \
	LOOP(each##_##law##_wall_rolling, each, law, hertz, true, true)
LOOPS(each_point, linear, false)
LOOPS(each_point, hertz, true)
LOOPS(each_patch, linear, false)
LOOPS(each_patch, hertz, true)

#define CELLS(each, law)                                                                                               \
	{                                                                                                                  \
		{each##_##law, each##_##law##_rolling}, { each##_##law##_wall, each##_##law##_wall_rolling }                   \
	}
static loop_fn *const loops[LAWS][2][2][2] = {
	/* [law][has patches][on wall][rolls] */
	[LAW_LINEAR] = {CELLS(each_point, linear), CELLS(each_patch, linear)},
	[LAW_HERTZ] = {CELLS(each_point, hertz), CELLS(each_patch, hertz)},
};

void scree_contact_end(ledger *to, pair_list *l, int64_t k, real dt)
{
	scree_fixed_add(&to->lost_normal, l->lost_normal[k]);
	scree_fixed_add(&to->lost_friction, l->lost_friction[k]);
	scree_fixed_add(&to->lost_rolling, l->lost_rolling[k]);
	/* what the springs still held is gone with the contact */
	scree_fixed_add(&to->made, l->work[k] - dt / 2 * l->power[k] - l->bent[k] - l->rolled[k]);
	scree_fields_clear(scree_history_table, l, k, k + 1);
}

typedef struct stage {
	job of;
	int patches, rolls;
	const law_constants *only; /* when all pairs of materials have the same */
	real most[SCREE_MOST_THREADS];
	int64_t touching[SCREE_MOST_THREADS];
} stage;

static int32_t law_of(const job *j, int64_t k)
{
	const pair_list *l = j->list;
	int32_t ma = j->body->material[l->ca[k]];
	int32_t mb = j->on_wall ? j->wall->row[j->wall->surface_wall[l->cb[k]]].material : j->body->material[l->cb[k]];
	return j->constants[ma * j->materials + mb].law;
}

/* pairs of materials with different laws: one law after the other */
static real mixed_laws(const stage *s, int64_t from, int64_t count)
{
	enum { MOST = 1024 };
	int32_t listed[MOST];
	real most = 0;
	for (int64_t start = from; start < from + count; start += MOST) {
		int64_t end = start + MOST < from + count ? start + MOST : from + count;
		for (int32_t law = 0; law < LAWS; ++law) {
			int64_t found = 0;
			for (int64_t k = start; k < end; ++k)
				if (law_of(&s->of, k) == law) listed[found++] = (int32_t)k;
			if (found)
				most = real_max(most, loops[law][s->patches][s->of.on_wall][s->rolls](&s->of, 0, found, listed, NULL));
		}
	}
	return most;
}

static void piece(void *what, int64_t from, int64_t to, int thread)
{
	stage *s = what;
	const pair_list *l = s->of.list;
	for (int64_t p = from; p < to; ++p) {
		if (!l->used[p]) continue;
		real most = s->only ? loops[s->only->law][s->patches][s->of.on_wall][s->rolls](&s->of, l->piece[p], l->used[p],
																					   NULL, s->only)
							: mixed_laws(s, l->piece[p], l->used[p]);
		s->most[thread] = real_max(s->most[thread], most);
		s->touching[thread] += l->used[p];
	}
}

static bool all_the_same(const law_constants *c, int64_t count)
{
	for (int64_t k = 1; k < count; ++k) {
		const law_constants *d = c + k;
		if (d->law != c->law || d->stiffness != c->stiffness || d->shear != c->shear || d->damping != c->damping ||
			d->friction != c->friction || d->rolling != c->rolling)
			return false;
	}
	return true;
}

static bool any_rolls(const law_constants *c, int64_t count)
{
	for (int64_t k = 0; k < count; ++k)
		if (c[k].rolling > 0) return true;
	return false;
}

/* Partners lie anywhere in memory: fetched from separate arrays each would cost a dozen cache lines. */
static void pack_records(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	scree_world *w = what;
	const bodies *b = &w->body;
	for (int64_t i = from; i < to; ++i) {
		real *r = w->record + RECORD * i;
		r[0] = b->vx[i];
		r[1] = b->vy[i];
		r[2] = b->vz[i];
		r[3] = b->wx[i];
		r[4] = b->wy[i];
		r[5] = b->wz[i];
		r[6] = b->x[i];
		r[7] = b->y[i];
		r[8] = b->z[i];
		r[9] = b->inv_mass[i];
		r[10] = b->round[i];
		r[11] = b->mass[i];
	}
}

static void make_records(scree_world *w)
{
	if (w->records < w->body.count) {
		scree_free(w->record);
		w->records = w->body.capacity;
		w->record = scree_alloc((size_t)w->records * RECORD, sizeof *w->record);
	}
	scree_parallel(pack_records, w, w->body.count, 4096);
}

void scree_contacts_to_forces(scree_world *w)
{
	make_records(w);
	int64_t materials = w->material.count, rules = materials * materials;
	w->greatest_overlap_part = 0;
	w->touching = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		pair_list *l = w->pair + kind;
		if (!l->count) continue;
		bool on_wall = kind == PAIR_SPHERE_WALL || kind == PAIR_CONVEX_WALL;
		stage s = {
			.of = {&w->body, w->record, l, w->scratch, w->constants, &w->wall, (int32_t)materials, on_wall, w->dt},
			.patches = kind == PAIR_CONVEX_CONVEX || kind == PAIR_CONVEX_WALL,
			.rolls = any_rolls(w->constants, rules),
			.only = all_the_same(w->constants, rules) ? w->constants : NULL};
		scree_parallel(piece, &s, l->pieces, 8);
		for (int t = 0; t < SCREE_MOST_THREADS; ++t) {
			w->greatest_overlap_part = real_max(w->greatest_overlap_part, s.most[t]);
			w->touching += s.touching[t];
		}
	}
	w->greatest_overlap_ever = real_max(w->greatest_overlap_ever, w->greatest_overlap_part);
}
