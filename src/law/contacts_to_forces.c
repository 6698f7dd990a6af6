/* contacts_to_forces: every contact of this step to the force and torques that it makes.
 *
 * in   normal, overlap, points of each touching pair (narrow/); velocities of the full step; what the contact remembers
 * out  force on a, torques on a and b; what the contact will remember; its energies
 *
 * Contacts with one point run through one straight loop that vectorises (law, partner and rolling are constants to the
 * compiler), patches one by one over their points. Where pairs of materials have different laws, a piece is first
 * sorted by law, and its contacts run one by one. */
#include "stages.h"

#include "base/parallel.h"
#include "kernel/cohesion.h"
#include "kernel/contact_law.h"
#include "kernel/sphere_contact.h"

#include <string.h>

typedef struct job {
	const body_record *record;
	pair_list *list;
	const thread_scratch *scratch;
	const law_constants *constants;
	const walls *wall;
	int32_t materials;
	real dt;
	const periods *period; /* NULL: space does not repeat */
} job;

typedef normal_part normal_fn(const contact_constants *k, real weight, real depth, real vn);
typedef contact_constants constants_fn(const law_constants *c, real radius, real mass);

/* What comes beside the normal force and friction, each with what stands before it: as few loops as will do. */
enum extra { EXTRA_NONE, EXTRA_TURNS, EXTRA_STICKS, EXTRAS };

/* who meets a body; constants to the compiler */
typedef enum partner { OF_SPHERES, OF_BODIES, OF_WALL } partner;

/* a and b of one contact */
typedef struct partners {
	vec3 v, wa, wb; /* velocity of a against b (centres; of a wall at the centre of a), angular velocities */
	vec3 apart;		/* from the centre of b (wall: from the place of the wall) to the centre of a */
	real ra, rb;	/* radii */
	real ma, mb;	/* 1 / masses; on a wall ma is the mass of a */
	real image;		/* code of the image of b, of worlds with periods */
} partners;

/* the image of b that contact row k is with */
SCREE_FN int32_t image_at(const job *j, int64_t k)
{
	const pair_list *l = j->list;
	return image_met(j->period, l->met[l->slot[k]], j->record[l->ca[k]].cell, j->record[l->cb[k]].cell);
}

SCREE_FN int32_t rule_of(const job *j, int64_t k, bool on_wall)
{
	int32_t b = j->list->cb[k];
	int32_t mb = on_wall ? j->wall->row[j->wall->surface_wall[b]].material : j->record[b].material;
	return j->record[j->list->ca[k]].material * j->materials + mb;
}

SCREE_FN partners partners_of(const job *j, int64_t k, bool on_wall)
{
	const body_record *a = j->record + j->list->ca[k];
	partners p = {.wa = a->spin, .ra = a->round};
	if (on_wall) {
		const wall *w = j->wall->row + j->wall->surface_wall[j->list->cb[k]];
		p.apart = v3_sub(a->place, w->place);
		p.v = v3_sub(a->velocity, v3_add(w->velocity, v3_cross(w->spin, p.apart)));
		p.wb = w->spin;
		p.rb = a->round;
		p.ma = a->mass;
		p.mb = 0;
	} else {
		const body_record *b = j->record + j->list->cb[k];
		p.apart = v3_sub(a->place, b->place);
		p.v = v3_sub(a->velocity, b->velocity);
		if (j->period) {
			int32_t code = image_at(j, k);
			p.apart = v3_sub(p.apart, j->period->shift[code]);
			p.v = v3_sub(p.v, j->period->drift[code]);
			p.image = code;
		}
		p.wb = b->spin;
		p.rb = b->round;
		p.ma = a->inv_mass;
		p.mb = b->inv_mass;
	}
	return p;
}

SCREE_FN real reduced_radius(const partners *p, bool on_wall)
{
	return on_wall ? p->ra : p->ra * p->rb / (p->ra + p->rb);
}
SCREE_FN real reduced_mass(const partners *p, bool on_wall) { return on_wall ? p->ma : 1 / (p->ma + p->mb); }
SCREE_FN real overlap_part(const partners *p, real depth) { return depth / (2 * real_min(p->ra, p->rb)); }

/* Partners lie anywhere: what they need is asked for some contacts ahead. */
enum { AHEAD = 16, PATCHES_AHEAD = 4 };
SCREE_FN void fetch_soon(const job *j, int64_t k)
{
	const char *b = (const char *)(j->record + j->list->cb[k]);
	__builtin_prefetch(b);
	__builtin_prefetch(b + 64);
}

/* The partners of some contacts, copied so that the loop over contacts reads what lies side by side: gathering from
 * records within the loop costs several times as much. */
enum { BLOCK = 64 };
typedef struct block {
	real vx[BLOCK], vy[BLOCK], vz[BLOCK], wax[BLOCK], way[BLOCK], waz[BLOCK], wbx[BLOCK], wby[BLOCK], wbz[BLOCK];
	real x[BLOCK], y[BLOCK], z[BLOCK], ra[BLOCK], rb[BLOCK], ma[BLOCK], mb[BLOCK];
	real image[BLOCK];
	/* where they differ */
	real stiffness[BLOCK], shear[BLOCK], damping[BLOCK], friction[BLOCK], rolling[BLOCK], exponent[BLOCK], pulls[BLOCK];
	real twisting[BLOCK], surface[BLOCK];
	int32_t cohesion[BLOCK];
	real fx[BLOCK], fy[BLOCK], fz[BLOCK], tx[BLOCK], ty[BLOCK], tz[BLOCK], normal[BLOCK]; /* what comes out */
} block;

SCREE_FN void put_partners(block *o, int64_t i, partners p)
{
	o->vx[i] = p.v.x, o->vy[i] = p.v.y, o->vz[i] = p.v.z;
	o->wax[i] = p.wa.x, o->way[i] = p.wa.y, o->waz[i] = p.wa.z;
	o->wbx[i] = p.wb.x, o->wby[i] = p.wb.y, o->wbz[i] = p.wb.z;
	o->x[i] = p.apart.x, o->y[i] = p.apart.y, o->z[i] = p.apart.z;
	o->ra[i] = p.ra, o->rb[i] = p.rb, o->ma[i] = p.ma, o->mb[i] = p.mb;
	o->image[i] = p.image;
}

SCREE_FN partners get_partners(const block *o, int64_t i)
{
	partners p = {v3(o->vx[i], o->vy[i], o->vz[i]),
				  v3(o->wax[i], o->way[i], o->waz[i]),
				  v3(o->wbx[i], o->wby[i], o->wbz[i]),
				  v3(o->x[i], o->y[i], o->z[i]),
				  o->ra[i],
				  o->rb[i],
				  o->ma[i],
				  o->mb[i],
				  0};
	return p;
}

SCREE_FN void put_constants(block *o, int64_t i, const law_constants *c)
{
	o->stiffness[i] = c->stiffness, o->shear[i] = c->shear, o->damping[i] = c->damping;
	o->friction[i] = c->friction, o->rolling[i] = c->rolling;
	o->exponent[i] = c->exponent, o->pulls[i] = c->pulls;
	o->twisting[i] = c->twisting, o->surface[i] = c->surface, o->cohesion[i] = c->cohesion;
}

SCREE_FN law_constants get_constants(const block *o, int64_t i)
{
	law_constants c = {.stiffness = o->stiffness[i],
					   .shear = o->shear[i],
					   .damping = o->damping[i],
					   .friction = o->friction[i],
					   .rolling = o->rolling[i],
					   .exponent = o->exponent[i],
					   .pulls = o->pulls[i],
					   .twisting = o->twisting[i],
					   .cohesion = o->cohesion[i],
					   .surface = o->surface[i]};
	return c;
}

/* velocity of a against b at the point `at` from the centre of a */
SCREE_FN vec3 slip_velocity(const partners *p, vec3 at, bool on_wall)
{
	vec3 from_b = on_wall ? at : v3_add(at, p->apart); /* the wall's velocity was taken at the centre of a */
	return v3_add(p->v, v3_sub(v3_cross(p->wa, at), v3_cross(p->wb, from_b)));
}

/* Rolling: an elastic-plastic spring of angle (Iwashita and Oda 1998; eqs. 15-17 of laws.md), for materials that resist
 * it */
SCREE_FN slider roll(const job *j, int64_t k, bool now, const partners *p, const contact_constants *c, vec3 n,
					 real force, real stiffness, bool fresh)
{
	pair_list *l = j->list;
	real lever = c->rolling * c->radius;
	bool rolls = c->rolling > 0;
	real spring = rolls ? (real)2.25 * stiffness * lever * lever : 1;
	real damping = 2 * c->zeta * sqrt(spring * (real)1.4 * c->mass * c->radius * c->radius);
	vec3 spin = v3_sub(p->wa, p->wb), across = v3_madd(spin, -v3_dot(spin, n), n);
	slider r =
		slide(v3(l->rx[k], l->ry[k], l->rz[k]), l->rolled[k], fresh, across, n, spring, damping, lever * force, j->dt);
	l->rx[k] = now ? (rolls ? r.spring.x : 0) : l->rx[k];
	l->ry[k] = now ? (rolls ? r.spring.y : 0) : l->ry[k];
	l->rz[k] = now ? (rolls ? r.spring.z : 0) : l->rz[k];
	l->rolled[k] = now ? (rolls ? r.stored : 0) : l->rolled[k];
	l->lost_rolling[k] += now && rolls ? j->dt * r.heat + r.lost : 0;
	r.force = v3(rolls ? r.force.x : 0, rolls ? r.force.y : 0, rolls ? r.force.z : 0);
	r.heat = rolls ? r.heat : 0;
	return r;
}

/* Torsional resistance: the same about the normal, one angle; the moment of inertia is that of a sphere that spins in
 * its place (eq. 20 of laws.md). */
SCREE_FN slider twist(const job *j, int64_t k, bool now, const partners *p, const contact_constants *c, vec3 n,
					  real force, real stiffness, bool fresh)
{
	pair_list *l = j->list;
	real lever = c->twisting * c->radius;
	bool twists = c->twisting > 0;
	real spring = twists ? (real)2.25 * stiffness * lever * lever : 1;
	real damping = 2 * c->zeta * sqrt(spring * (real)0.4 * c->mass * c->radius * c->radius);
	real rate = v3_dot(v3_sub(p->wa, p->wb), n);
	/* one angle as the x of vectors across y */
	slider t = slide(v3(l->twist[k], 0, 0), l->twisted[k], fresh, v3(rate, 0, 0), v3(0, 1, 0), spring, damping,
					 lever * force, j->dt);
	l->twist[k] = now ? (twists ? t.spring.x : 0) : l->twist[k];
	l->twisted[k] = now ? (twists ? t.stored : 0) : l->twisted[k];
	l->lost_rolling[k] += now && twists ? j->dt * t.heat + t.lost : 0;
	t.force.x = twists ? t.force.x : 0;
	t.heat = twists ? t.heat : 0;
	return t;
}

/* dF/d(overlap) of the elastic part, which rolling stiffness follows */
SCREE_FN real normal_stiffness(const contact_constants *c, real depth, enum law_row law)
{
	if (law == LAW_HERTZ) return (real)1.5 * c->stiffness * sqrt(c->radius * depth);
	return law == LAW_POWER ? (real)1.5 * c->stiffness * sqrt(depth) : c->stiffness;
}

/* Friction, rolling resistance and energies of a contact whose normal part is known; writes what it remembers;
 * returns zeros if it does not touch now.
 * at: where the force acts, from the centre of a; mean: overlap that sets the tangential stiffness; moment: that of the
 * normal forces about the centre of a. The torque on b follows from force and torque on a: sum/ does it. */
SCREE_FN contact_force finish(const job *j, int64_t k, bool now, const partners *p, const contact_constants *c, vec3 n,
							  vec3 at, vec3 v, real mean, normal_part normal, vec3 moment, enum law_row law,
							  enum extra extra, const adhesion *sticks)
{
	pair_list *l = j->list;
	real dt = j->dt;
	vec3 vt = v3_madd(v, -v3_dot(v, n), n);

	/* Mindlin, incremental: a growing radius of contact keeps the force, a shrinking one scales it (eq. 12 of laws.md)
	 */
	real scale = law == LAW_HERTZ ? sqrt(c->radius * mean) : 1;
	if (extra == EXTRA_STICKS) scale = sticks->radius > 0 ? sticks->radius : scale;
	real before = l->stiff[k];
	bool fresh = !(before > 0), growing = scale > before;
	real ratio = fresh ? 1 : (growing ? before : scale) / (growing ? scale : before);
	real grows = growing ? ratio : 1;
	/* the half step that the spring is ahead is a way, not a force: it keeps its length */
	vec3 spring = v3_madd(v3_mul(grows, v3(l->sx[k], l->sy[k], l->sz[k])), (1 - grows) * dt / 2, vt);
	real damping = c->shear_damping * sqrt(c->mass * scale);
	/* work on this step's slip of the force that shrinking took away: the stored energy knows only what was left */
	real dropped = scale < before ? (real)0.5 * (before - scale) * c->shear * dt * v3_dot(spring, vt) : 0;
	real bent = l->bent[k];
	/* what presses the surfaces: with cohesion more than what is seen from outside */
	real pressed = extra == EXTRA_STICKS ? real_max(normal.force + sticks->pull, 0) : real_abs(normal.force);
	real cap = c->friction * pressed;
	slider t = law == LAW_POWER ? drag(vt, c->shear, cap)
								: slide(spring, bent * ratio, fresh, vt, n, c->shear * scale, damping, cap, dt);
	bool rough = c->friction > 0;

	vec3 friction = v3(rough ? t.force.x : 0, rough ? t.force.y : 0, rough ? t.force.z : 0);
	vec3 f = v3_madd(friction, normal.force, n);
	vec3 ta = v3_add(moment, v3_cross(at, friction));
	real roll_heat = 0;
	if (extra != EXTRA_NONE) {
		real stiffness = normal_stiffness(c, real_max(mean, 0), law);
		slider r = roll(j, k, now, p, c, n, pressed, stiffness, fresh);
		slider q = twist(j, k, now, p, c, n, pressed, stiffness, fresh);
		ta = v3_madd(v3_add(ta, r.force), q.force.x, n);
		roll_heat = r.heat + q.heat;
	}
	contact_force out = {v3(now ? f.x : 0, now ? f.y : 0, now ? f.z : 0),
						 v3(now ? ta.x : 0, now ? ta.y : 0, now ? ta.z : 0), now ? normal.force : 0, 0};
	l->sx[k] = now ? (rough ? t.spring.x : 0) : l->sx[k];
	l->sy[k] = now ? (rough ? t.spring.y : 0) : l->sy[k];
	l->sz[k] = now ? (rough ? t.spring.z : 0) : l->sz[k];
	l->stiff[k] = now ? scale : before;
	l->bent[k] = now ? (rough ? t.stored : 0) : bent;

	/* energies by the trapezoidal rule: docs/theory/laws.md, "The ledger" */
	real friction_heat = rough ? t.heat : 0;
	l->lost_normal[k] += now ? dt * normal.heat : 0;
	l->lost_friction[k] += now ? dt * friction_heat + (rough ? t.lost : 0) : 0;
	l->work[k] += now ? dt * normal.power + bent * (ratio - 1) - (rough ? dropped : 0) : 0;
	l->elastic[k] = now ? normal.elastic : l->elastic[k];
	l->power[k] = now ? normal.power : l->power[k];
	l->heat[k] = now ? normal.heat + friction_heat + roll_heat : l->heat[k];
	return out;
}

/* Attraction beside, or with JKR in place of, the spring of the law. */
SCREE_FN adhesion adhere(const contact_constants *c, enum law_row law, real depth, real vn, normal_part *normal)
{
	real young = (real)0.75 * c->stiffness, deep = real_max(depth, 0);
	bool jkr = c->cohesion == COHESION_JKR && law == LAW_HERTZ, dmt = c->cohesion == COHESION_DMT;
	adhesion o = {0, 0, 0, 0};
	if (law == LAW_HERTZ) {
		real gamma = jkr ? c->surface : 1, length = jkr_length(gamma, young, c->radius);
		adhesion a = adhesion_jkr(gamma, c->radius, length, depth);
		real dashpot = c->damping * sqrt(c->mass * a.radius) * vn;
		normal->force = jkr ? a.force - dashpot : normal->force;
		normal->elastic = jkr ? a.energy : normal->elastic;
		normal->power = jkr ? a.force * vn : normal->power;
		normal->heat = jkr ? dashpot * vn : normal->heat;
		o.pull = jkr ? a.pull : 0;
		o.radius = jkr ? a.radius : 0;
	}
	adhesion d = adhesion_dmt(c->surface, c->radius, deep), m = adhesion_simple(c->surface, c->radius, deep);
	bool simple = c->cohesion == COHESION_SIMPLE;
	real pull = dmt ? d.force : simple ? m.force : 0, energy = dmt ? d.energy : simple ? m.energy : 0;
	normal->force -= pull;
	normal->elastic += energy;
	normal->power -= pull * vn;
	o.pull += pull;
	return o;
}

/* the overlap, below zero, at which a contact that sticks ends */
SCREE_FN real end_of(const contact_constants *c, enum law_row law)
{
	bool jkr = c->cohesion == COHESION_JKR && law == LAW_HERTZ;
	real length = law == LAW_HERTZ ? jkr_length(jkr ? c->surface : 1, (real)0.75 * c->stiffness, c->radius) : 0;
	return jkr ? -JKR_SNAP * length : 0;
}

enum { ENDED = 2 }; /* of pair_list.touch, while the law looks at spheres */

/* one row with one point at most; *part: the overlap over the smaller one's size */
SCREE_FN contact_force one_point(const job *j, int64_t k, const partners *p, const law_constants *of,
								 constants_fn *constants, normal_fn *push, enum law_row law, partner with,
								 enum extra extra, real *part)
{
	const pair_list *l = j->list;
	bool on_wall = with == OF_WALL;
	sphere_contact at;
	if (with == OF_SPHERES) {
		at = sphere_contact_of(p->apart, p->ra, p->rb);
	} else {
		at.normal = v3(l->nx[k], l->ny[k], l->nz[k]);
		at.at = v3(l->px[k], l->py[k], l->pz[k]);
		at.depth = l->depth[k];
	}
	contact_constants c = constants(of, reduced_radius(p, on_wall), reduced_mass(p, on_wall));
	bool now = with == OF_SPHERES ? at.depth > 0 : l->touch[k] != 0;
	if (extra == EXTRA_STICKS) {
		bool held = l->touch[k] != 0 && at.depth > end_of(&c, law);
		now = at.depth > 0 ? now : held;
	}
	if (with == OF_SPHERES || extra == EXTRA_STICKS)
		l->touch[k] = now ? (uint64_t)1 : l->touch[k] != 0 ? (uint64_t)ENDED : (uint64_t)0;
	vec3 v = slip_velocity(p, at.at, on_wall);
	real vn = v3_dot(v, at.normal);
	normal_part normal = push(&c, 1, extra == EXTRA_STICKS ? real_max(at.depth, 0) : at.depth, vn);
	adhesion sticks = {0, 0, 0, 0};
	if (extra == EXTRA_STICKS) sticks = adhere(&c, law, at.depth, vn, &normal);
	vec3 moment = v3_cross(at.at, v3_mul(normal.force, at.normal));
	*part = now ? overlap_part(p, at.depth) : 0;
	return finish(j, k, now, p, &c, at.normal, at.at, v, at.depth, normal, moment, law, extra, &sticks);
}

/* one patch: its points share stiffness and mass by weight, each with its own overlap and velocity; friction acts where
 * the normal forces do */
SCREE_FN real one_patch(const job *j, int64_t k, const law_constants *of, constants_fn *constants, normal_fn *push,
						enum law_row law, partner with, enum extra extra)
{
	const pair_list *l = j->list;
	bool on_wall = with == OF_WALL;
	partners p = partners_of(j, k, on_wall);
	vec3 n = v3(l->nx[k], l->ny[k], l->nz[k]);
	contact_constants c = constants(of ? of : j->constants + rule_of(j, k, on_wall), reduced_radius(&p, on_wall),
									reduced_mass(&p, on_wall));
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
	vec3 at = sum.force > 0 ? v3_mul(1 / sum.force, pressed) : middle; /* a patch that pulls: at its middle */
	adhesion sticks = {0, 0, 0, 0};
	if (extra == EXTRA_STICKS) { /* a patch has no overlap below zero, and its pull acts where it presses */
		real before = sum.force;
		sticks = adhere(&c, law, mean, v3_dot(slip_velocity(&p, at, on_wall), n), &sum);
		moment = v3_add(moment, v3_cross(at, v3_mul(sum.force - before, n)));
	}
	l->force[k] =
		finish(j, k, true, &p, &c, n, at, slip_velocity(&p, at, on_wall), mean, sum, moment, law, extra, &sticks);
	l->force[k].image = p.image;
	return overlap_part(&p, l->depth[k]);
}

/* Item i of a block, which is contact row k; of: the constants, or NULL for those in the block. Returns as `part` does.
 */
SCREE_FN real block_row(const job *j, block *o, int64_t i, int64_t k, const law_constants *of, constants_fn *constants,
						normal_fn *push, enum law_row law, partner with, enum extra extra)
{
	partners p = get_partners(o, i);
	const law_constants c = of ? *of : get_constants(o, i);
	real part;
	contact_force f = one_point(j, k, &p, &c, constants, push, law, with, extra, &part);
	o->fx[i] = f.force.x, o->fy[i] = f.force.y, o->fz[i] = f.force.z;
	o->tx[i] = f.torque.x, o->ty[i] = f.torque.y, o->tz[i] = f.torque.z;
	o->normal[i] = f.normal;
	return part;
}

/* Contact rows from .. from+count-1, or those in `listed`; of: their constants, or NULL where they differ. Everything
 * but j, the rows and of is a constant to the compiler. */
SCREE_FN real each_point(const job *given, int64_t from, int64_t count, const int32_t *listed, const law_constants *of,
						 constants_fn *constants, normal_fn *push, enum law_row law, partner with, enum extra extra)
{
	const bool on_wall = with == OF_WALL;
	pair_list list = *given->list; /* copies: what is fetched through pointers is fetched for each contact */
	job j = *given;
	j.list = &list;
	const law_constants same = of ? *of : given->constants[0];
	real most = 0;
	block o;
	for (int64_t start = 0; start < count; start += BLOCK) {
		int64_t n = count - start < BLOCK ? count - start : BLOCK, first = from + start;
		for (int64_t i = 0; i < n; ++i) {
			int64_t k = listed ? listed[start + i] : first + i, soon = start + i + AHEAD < count ? i + AHEAD : i;
			if (!on_wall) fetch_soon(given, listed ? listed[start + soon] : first + soon);
			put_partners(&o, i, partners_of(given, k, on_wall));
			if (!of) put_constants(&o, i, given->constants + rule_of(given, k, on_wall));
		}
		for (int64_t i = 0; listed && i < n; ++i) {
			real part = block_row(&j, &o, i, listed[start + i], NULL, constants, push, law, with, extra);
			most = part > most ? part : most;
		}
		if (!listed && of) {
#pragma omp simd reduction(max : most)
			for (int64_t i = 0; i < n; ++i) {
				real part = block_row(&j, &o, i, first + i, &same, constants, push, law, with, extra);
				most = part > most ? part : most;
			}
		} else if (!listed) {
#pragma omp simd reduction(max : most)
			for (int64_t i = 0; i < n; ++i) {
				real part = block_row(&j, &o, i, first + i, NULL, constants, push, law, with, extra);
				most = part > most ? part : most;
			}
		}
		for (int64_t i = 0; i < n; ++i)
			list.force[listed ? listed[start + i] : first + i] =
				(contact_force){v3(o.fx[i], o.fy[i], o.fz[i]), v3(o.tx[i], o.ty[i], o.tz[i]), o.normal[i], o.image[i]};
	}
	return most;
}

SCREE_FN real each_patch(const job *j, int64_t from, int64_t count, const int32_t *listed, const law_constants *of,
						 constants_fn *constants, normal_fn *push, enum law_row law, partner with, enum extra extra)
{
	real most = 0;
	for (int64_t i = 0; i < count; ++i) {
		int64_t then = i + PATCHES_AHEAD < count ? i + PATCHES_AHEAD : i;
		int64_t k = listed ? listed[i] : from + i, soon = listed ? listed[then] : from + then;
		if (with != OF_WALL && j->list->touch[soon]) fetch_soon(j, soon);
		if (j->list->touch[k]) most = real_max(most, one_patch(j, k, of, constants, push, law, with, extra));
	}
	return most;
}

typedef real loop_fn(const job *j, int64_t from, int64_t count, const int32_t *listed, const law_constants *of);
#define LOOP(name, each, law, row, with, extra)                                                                        \
	static real name(const job *j, int64_t from, int64_t count, const int32_t *listed, const law_constants *of)        \
	{                                                                                                                  \
		return each(j, from, count, listed, of, contact_constants_##law, normal_##law, row, with, extra);              \
	}
#define LOOPS(each, law, row, name, with)                                                                              \
	LOOP(each##_##law##_##name, each, law, row, with, EXTRA_NONE)                                                      \
	LOOP(each##_##law##_##name##_turning, each, law, row, with, EXTRA_TURNS)                                           \
	LOOP(each##_##law##_##name##_sticking, each, law, row, with, EXTRA_STICKS)
LOOPS(each_point, linear, LAW_LINEAR, spheres, OF_SPHERES)
LOOPS(each_point, linear, LAW_LINEAR, bodies, OF_BODIES)
LOOPS(each_point, linear, LAW_LINEAR, wall, OF_WALL)
LOOPS(each_point, hertz, LAW_HERTZ, spheres, OF_SPHERES)
LOOPS(each_point, hertz, LAW_HERTZ, bodies, OF_BODIES)
LOOPS(each_point, hertz, LAW_HERTZ, wall, OF_WALL)
LOOPS(each_point, power, LAW_POWER, spheres, OF_SPHERES)
LOOPS(each_point, power, LAW_POWER, bodies, OF_BODIES)
LOOPS(each_point, power, LAW_POWER, wall, OF_WALL)
LOOPS(each_patch, linear, LAW_LINEAR, bodies, OF_BODIES)
LOOPS(each_patch, linear, LAW_LINEAR, wall, OF_WALL)
LOOPS(each_patch, hertz, LAW_HERTZ, bodies, OF_BODIES)
LOOPS(each_patch, hertz, LAW_HERTZ, wall, OF_WALL)
LOOPS(each_patch, power, LAW_POWER, bodies, OF_BODIES)
LOOPS(each_patch, power, LAW_POWER, wall, OF_WALL)

#define CELL(each, law, name)                                                                                          \
	{                                                                                                                  \
		each##_##law##_##name, each##_##law##_##name##_turning, each##_##law##_##name##_sticking                       \
	}
#define CELLS(law)                                                                                                     \
	{                                                                                                                  \
		[PAIR_SPHERE_SPHERE] = CELL(each_point, law, spheres), [PAIR_SPHERE_CONVEX] = CELL(each_point, law, bodies),   \
		[PAIR_CONVEX_CONVEX] = CELL(each_patch, law, bodies), [PAIR_SPHERE_WALL] = CELL(each_point, law, wall),        \
		[PAIR_CONVEX_WALL] = CELL(each_patch, law, wall),                                                              \
	}
static loop_fn *const loops[LAWS][PAIR_KINDS][EXTRAS] = {
	[LAW_LINEAR] = CELLS(linear), [LAW_HERTZ] = CELLS(hertz), [LAW_POWER] = CELLS(power)};

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
			if (found) most = real_max(most, loops[law][s->kind][s->extra](&s->of, 0, found, listed, NULL));
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
		if (s->extra == EXTRA_STICKS) snap(&s->scratch[thread].ended, l->elastic[k]);
		scree_contact_end(&s->scratch[thread].ended, l, k, s->of.dt);
	}
	return touching;
}

static void piece(void *what, int64_t from, int64_t to, int thread)
{
	stage *s = what;
	const pair_list *l = s->of.list;
	for (int64_t p = from; p < to; ++p) {
		if (!l->used[p]) continue;
		real most = s->law >= 0 ? loops[s->law][s->kind][s->extra](&s->of, l->piece[p], l->used[p], NULL, s->only)
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
						  w->period.on ? &w->period : NULL},
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
