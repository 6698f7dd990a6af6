/* contacts_to_forces: every contact of this step to the force and torques that it makes.
 *
 * in   normal, overlap, points of each touching pair (narrow/); velocities of the full step; what the contact remembers
 * out  force on a, torques on a and b; what the contact will remember; its energies
 *
 * A piece of pairs is first sorted into its touching ones, one list a law; contacts with one point then run through one
 * straight loop that vectorises (the law is a constant to the compiler), patches one by one over their points.
 * A contact that ended leaves its energies to the ledger, in fixed point: no order changes that sum. */
#include "stages.h"

#include "base/parallel.h"
#include "kernel/contact_law.h"

#include <string.h>

enum { GRAIN = 1024, FIELDS_OF_MEMORY = 16 };

/* what a kind of pair needs, gathered once a piece */
typedef struct job {
	const bodies *body;
	pair_list *list;
	const contact_points *pool;
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
	vec3 apart;          /* from the centre of b (wall: from the place of the wall) to the centre of a */
	real radius, mass;   /* reduced */
	real small;          /* diameter of the smaller one */
	int32_t rule;        /* row of constants */
} partners;

SCREE_FN partners partners_of(const job *j, int64_t k, bool on_wall)
{
	const bodies *o = j->body;
	int32_t a = j->list->a[k], b = j->list->b[k];
	partners p;
	p.va = v3(o->vx[a], o->vy[a], o->vz[a]);
	p.wa = v3(o->wx[a], o->wy[a], o->wz[a]);
	vec3 xa = v3(o->x[a], o->y[a], o->z[a]);
	if (on_wall) {
		const wall *w = j->wall->row + j->wall->surface_wall[b];
		p.apart = v3_sub(xa, w->place);
		p.vb = v3_add(w->velocity, v3_cross(w->spin, p.apart));
		p.wb = w->spin;
		p.radius = o->round[a];
		p.mass = o->mass[a];
		p.small = 2 * o->round[a];
		p.rule = o->material[a] * j->materials + w->material;
	} else {
		p.apart = v3_sub(xa, v3(o->x[b], o->y[b], o->z[b]));
		p.vb = v3(o->vx[b], o->vy[b], o->vz[b]);
		p.wb = v3(o->wx[b], o->wy[b], o->wz[b]);
		real ra = o->round[a], rb = o->round[b];
		p.radius = ra * rb / (ra + rb);
		p.mass = 1 / (o->inv_mass[a] + o->inv_mass[b]);
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

/* Friction, rolling resistance and energies of a contact whose normal part is known; writes everything.
 * at: where the force acts, from the centre of a; mean: overlap that sets the tangential stiffness */
SCREE_FN void finish(const job *j, int64_t k, const partners *p, const contact_constants *c, vec3 n, vec3 at, vec3 v, real mean,
                     normal_part normal, vec3 moment, bool hertz, bool on_wall)
{
	pair_list *l = j->list;
	real dt = j->dt;
	vec3 vt = v3_madd(v, -v3_dot(v, n), n);

	/* Mindlin, incremental: a growing radius of contact keeps the force, a shrinking one scales it (eq. 12 of laws.md) */
	real scale = hertz ? sqrt(c->radius * mean) : 1;
	real before = l->stiff[k];
	real grows = before > 0 && scale > before ? before / scale : 1;
	real ratio = before > 0 ? (scale > before ? before / scale : scale / before) : 1;
	vec3 spring = v3_mul(grows, v3(l->sx[k], l->sy[k], l->sz[k]));
	real stiffness = c->shear * scale;
	real damping = hertz ? c->shear_damping * sqrt(scale) : c->shear_damping;
	slider t = slide(spring, vt, n, stiffness, damping, c->friction * normal.force, dt);
	bool rough = c->friction > 0;

	/* rolling: an elastic-plastic spring of angle (Iwashita and Oda 1998; eqs. 15-17 of laws.md) */
	real normal_stiffness = hertz ? (real)1.5 * c->stiffness * sqrt(mean) : c->stiffness;
	real lever = c->rolling * c->radius;
	bool rolls = c->rolling > 0;
	real roll_stiffness = rolls ? (real)2.25 * normal_stiffness * lever * lever : 1;
	real roll_damping = 2 * c->zeta * sqrt(roll_stiffness * (real)1.4 * c->mass * c->radius * c->radius);
	vec3 spin = v3_sub(p->wa, p->wb);
	vec3 roll = v3_madd(spin, -v3_dot(spin, n), n);
	slider r = slide(v3(l->rx[k], l->ry[k], l->rz[k]), roll, n, roll_stiffness, roll_damping, lever * normal.force, dt);

	vec3 f = v3_mul(normal.force, n);
	f = v3(f.x + (rough ? t.force.x : 0), f.y + (rough ? t.force.y : 0), f.z + (rough ? t.force.z : 0));
	vec3 couple = v3(rolls ? r.force.x : 0, rolls ? r.force.y : 0, rolls ? r.force.z : 0);
	vec3 friction = v3(rough ? t.force.x : 0, rough ? t.force.y : 0, rough ? t.force.z : 0);
	/* moment: that of the normal forces about the centre of a */
	vec3 ta = v3_add(v3_add(moment, v3_cross(at, friction)), couple);
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
	l->rx[k] = rolls ? r.spring.x : 0;
	l->ry[k] = rolls ? r.spring.y : 0;
	l->rz[k] = rolls ? r.spring.z : 0;
	l->stiff[k] = scale;

	/* energies by the trapezoidal rule: docs/theory/laws.md, "The ledger" */
	real normal_loss = normal.heat, friction_heat = rough ? t.heat : 0, roll_heat = rolls ? r.heat : 0;
	l->lost_normal[k] += dt * normal_loss;
	l->lost_friction[k] += dt * friction_heat + (rough ? t.lost : 0);
	l->lost_rolling[k] += dt * roll_heat + (rolls ? r.lost : 0);
	l->made[k] += normal.elastic - l->elastic[k] + dt / 2 * (l->power[k] + normal.power) + l->bent[k] * (ratio - 1);
	l->elastic[k] = normal.elastic;
	l->bent[k] = rough ? t.stored : 0;
	l->rolled[k] = rolls ? r.stored : 0;
	l->power[k] = normal.power;
	l->heat[k] = normal_loss + friction_heat + roll_heat;
	(void)on_wall;
}

/* one contact with one point */
SCREE_FN real one_point(const job *j, int64_t k, const law_constants *of, constants_fn *constants, normal_fn *push, bool hertz,
                        bool on_wall)
{
	const pair_list *l = j->list;
	partners p = partners_of(j, k, on_wall);
	vec3 n = v3(l->nx[k], l->ny[k], l->nz[k]), at = v3(l->px[k], l->py[k], l->pz[k]);
	real depth = l->depth[k];
	contact_constants c = constants(of ? of : j->constants + p.rule, p.radius, p.mass);
	vec3 v = slip_velocity(&p, at, on_wall);
	normal_part normal = push(&c, 1, depth, v3_dot(v, n));
	vec3 moment = v3_cross(at, v3_mul(normal.force, n));
	finish(j, k, &p, &c, n, at, v, depth, normal, moment, hertz, on_wall);
	return depth / p.small;
}

/* one patch: its points share stiffness and mass by weight, each with its own overlap and velocity; friction acts where
 * the normal forces do */
SCREE_FN real one_patch(const job *j, int64_t k, const law_constants *of, constants_fn *constants, normal_fn *push, bool hertz,
                        bool on_wall)
{
	const pair_list *l = j->list;
	partners p = partners_of(j, k, on_wall);
	vec3 n = v3(l->nx[k], l->ny[k], l->nz[k]);
	contact_constants c = constants(of ? of : j->constants + p.rule, p.radius, p.mass);
	const contact_points *points = j->pool + (l->first[k] >> 32);
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
	finish(j, k, &p, &c, n, at, slip_velocity(&p, at, on_wall), mean, sum, moment, hertz, on_wall);
	return l->depth[k] / p.small;
}

/* The four loops over points that vectorise: law and partner are constants in each. `of`: the constants when all pairs have the same. */
#define POINT_LOOP(name, constants, push, hertz, on_wall)                                                                    \
	static real name(const job *given, const int32_t *slot, int64_t count, const law_constants *of)                            \
	{                                                                                                                          \
		const job j = *given;                                                                                                  \
		real most = 0;                                                                                                         \
		_Pragma("omp simd reduction(max : most)") for (int64_t i = 0; i < count; ++i)                                          \
		{                                                                                                                      \
			real part = one_point(&j, slot[i], of, constants, push, hertz, on_wall);                                           \
			most = part > most ? part : most;                                                                                  \
		}                                                                                                                      \
		return most;                                                                                                           \
	}
#define PATCH_LOOP(name, constants, push, hertz, on_wall)                                                                    \
	static real name(const job *j, const int32_t *slot, int64_t count, const law_constants *of)                                \
	{                                                                                                                          \
		real most = 0;                                                                                                         \
		for (int64_t i = 0; i < count; ++i)                                                                                    \
			most = real_max(most, one_patch(j, slot[i], of, constants, push, hertz, on_wall));                                 \
		return most;                                                                                                           \
	}

POINT_LOOP(points_linear, contact_constants_linear, normal_linear, false, false)
POINT_LOOP(points_hertz, contact_constants_hertz, normal_hertz, true, false)
POINT_LOOP(points_linear_wall, contact_constants_linear, normal_linear, false, true)
POINT_LOOP(points_hertz_wall, contact_constants_hertz, normal_hertz, true, true)
PATCH_LOOP(patches_linear, contact_constants_linear, normal_linear, false, false)
PATCH_LOOP(patches_hertz, contact_constants_hertz, normal_hertz, true, false)
PATCH_LOOP(patches_linear_wall, contact_constants_linear, normal_linear, false, true)
PATCH_LOOP(patches_hertz_wall, contact_constants_hertz, normal_hertz, true, true)

typedef real loop_fn(const job *j, const int32_t *slot, int64_t count, const law_constants *of);
static loop_fn *const loops[LAWS][2][2] = { /* [law][has patches][on wall] */
	[LAW_LINEAR] = {{points_linear, points_linear_wall}, {patches_linear, patches_linear_wall}},
	[LAW_HERTZ] = {{points_hertz, points_hertz_wall}, {patches_hertz, patches_hertz_wall}},
};

void scree_contact_end(ledger *to, pair_list *l, int64_t k, real dt)
{
	scree_fixed_add(&to->lost_normal, l->lost_normal[k]);
	scree_fixed_add(&to->lost_friction, l->lost_friction[k]);
	scree_fixed_add(&to->lost_rolling, l->lost_rolling[k]);
	scree_fixed_add(&to->made, l->made[k] - l->elastic[k] - l->bent[k] - l->rolled[k] + dt / 2 * l->power[k]);
	scree_fields_clear(scree_history_table, l, k, k + 1);
}

typedef struct stage {
	job of;
	scree_world *w;
	bool patches;
	const law_constants *only; /* when all pairs of materials have the same */
	ledger ended[SCREE_MOST_THREADS];
	real most[SCREE_MOST_THREADS];
	int64_t touching[SCREE_MOST_THREADS];
} stage;

static void piece(void *what, int64_t from, int64_t to, int thread)
{
	stage *s = what;
	const job *j = &s->of;
	pair_list *l = j->list;
	int32_t slot[LAWS][GRAIN];
	int64_t count[LAWS] = {0};
	for (int64_t k = from; k < to; ++k) {
		int32_t touching = l->touching[k];
		if (touching == 2) scree_contact_end(&s->ended[thread], l, k, j->dt);
		if (!(touching & 1)) continue;
		int32_t law = s->w->constants[0].law;
		if (!s->only) {
			int32_t ma = j->body->material[l->a[k]];
			int32_t mb = j->on_wall ? j->wall->row[j->wall->surface_wall[l->b[k]]].material : j->body->material[l->b[k]];
			law = j->constants[ma * j->materials + mb].law;
		}
		slot[law][count[law]++] = (int32_t)k;
	}
	for (int law = 0; law < LAWS; ++law) {
		if (!count[law]) continue;
		real most = loops[law][s->patches][j->on_wall](j, slot[law], count[law], s->only);
		s->most[thread] = real_max(s->most[thread], most);
		s->touching[thread] += count[law];
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

static void join(ledger *to, const ledger *from)
{
	scree_fixed_join(&to->lost_normal, from->lost_normal);
	scree_fixed_join(&to->lost_friction, from->lost_friction);
	scree_fixed_join(&to->lost_rolling, from->lost_rolling);
	scree_fixed_join(&to->made, from->made);
}

void scree_contacts_to_forces(scree_world *w)
{
	int32_t materials = w->material.count;
	const law_constants *only = all_the_same(w->constants, (int64_t)materials * materials) ? w->constants : NULL;
	w->greatest_overlap_part = 0;
	w->touching = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		pair_list *l = w->pair + kind;
		if (!l->count) continue;
		bool on_wall = kind == PAIR_SPHERE_WALL || kind == PAIR_CONVEX_WALL;
		stage s = {.of = {&w->body, l, w->pool, w->constants, &w->wall, materials, on_wall, w->dt},
		           .w = w,
		           .patches = kind == PAIR_CONVEX_CONVEX || kind == PAIR_CONVEX_WALL,
		           .only = only};
		scree_parallel(piece, &s, l->count, GRAIN);
		for (int t = 0; t < SCREE_MOST_THREADS; ++t) {
			join(&w->energy, s.ended + t);
			w->greatest_overlap_part = real_max(w->greatest_overlap_part, s.most[t]);
			w->touching += s.touching[t];
		}
	}
	w->greatest_overlap_ever = real_max(w->greatest_overlap_ever, w->greatest_overlap_part);
}
