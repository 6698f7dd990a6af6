/* contacts: properties of contacts at the current time, computed on request for code that reads them between steps. */
#include "world/internal.h"

#include "kernel/point_contact.h"
#include "model/law.h"
#include "model/narrow.h"
#include "shape/thickness.h"
#include "state/bonds.h"
#include "state/contact_key.h"
#include "state/contact_rows.h"
#include "world/world.h"

static contact_history history_of(const pair_list *l, int64_t k)
{
	contact_history h = {v3(l->sx[k], l->sy[k], l->sz[k]), 0, l->stiff[k], l->bent[k], v3(0, 0, 0), 0, 0, 0, 0, 0};
	if (l->remembers & REMEMBERS_DEEPEST) h.deepest = l->deepest[k], h.torn = l->torn[k];
	if (!(l->remembers & REMEMBERS_TURNS)) return h;
	h.rolling = v3(l->rx[k], l->ry[k], l->rz[k]);
	h.rolled = l->rolled[k];
	h.twist = l->twist[k];
	h.twisted = l->twisted[k];
	return h;
}

const law_constants *scree_contact_constants(const model *m, const state *s, int kind, int64_t k)
{
	const pair_list *l = s->pair + kind;
	int32_t a = l->ca[k], b = l->cb[k];
	int32_t mb = pair_on_wall(kind) ? m->wall.row[m->wall.surface_wall[b]].material : s->body.material[b];
	return m->constants + s->body.material[a] * m->material.count + mb;
}

/* Motion of a relative to b: position, velocities, reduced mass and reduced radius. */
typedef struct pair_motion {
	vec3 apart, velocity, spin_a,
		spin_b;		   /* apart: from the centre of b; velocity: relative to b's centre, or to the wall at this point */
	real mass, radius; /* reduced mass and radius */
} pair_motion;

static pair_motion motion_of(const model *m, const state *s, const work *w, int kind, int64_t k)
{
	const pair_list *l = s->pair + kind;
	const contact_work *c = &w->pair[kind].contact;
	const bodies *o = &s->body;
	int32_t a = l->ca[k], b = l->cb[k];
	pair_motion motion = {
		.spin_a = body_angular_velocity(o, a), .mass = o->mass[a], .radius = c->ra ? c->ra[k] : o->round[a]};
	if (pair_on_wall(kind)) {
		const wall_state *wall = s->wall + m->wall.surface_wall[b];
		motion.apart = v3_sub(body_position(o, a), wall->position);
		motion.velocity = v3_sub(body_velocity(o, a), wall_velocity(wall, motion.apart));
		motion.spin_b = wall->angular_velocity;
		motion.mass *= contact_share(c, k);
		return motion;
	}
	motion.apart = v3_sub(body_position(o, a), body_position(o, b));
	motion.velocity = v3_sub(body_velocity(o, a), body_velocity(o, b));
	if (m->period.on) {
		int32_t code = scree_world_image(m, s, kind, l->slot[k]);
		motion.apart = v3_sub(motion.apart, s->images.shift[code]);
		motion.velocity = v3_sub(motion.velocity, s->images.drift[code]);
	}
	motion.spin_b = body_angular_velocity(o, b);
	motion.mass = contact_share(c, k) / (o->inv_mass[a] + o->inv_mass[b]);
	real ra = c->ra ? c->ra[k] : o->round[a], rb = c->rb ? c->rb[k] : o->round[b];
	motion.radius = ra * rb / (ra + rb);
	return motion;
}

static sphere_contact geometry_of(const state *s, const work *w, int kind, int64_t k, const pair_motion *motion)
{
	const pair_list *l = s->pair + kind;
	const contact_work *c = &w->pair[kind].contact;
	if (scree_pair_kinds[kind].formula)
		return sphere_contact_of(motion->apart, s->body.round[l->ca[k]], s->body.round[l->cb[k]]);
	return (sphere_contact){v3(c->nx[k], c->ny[k], c->nz[k]), v3(c->px[k], c->py[k], c->pz[k]), c->depth[k]};
}

/* Computes a one-point contact from the current state: positions, velocities and springs all refer to the same time. */
static contact_result point_now(const model *m, const state *s, const contact_work *found, int kind, int64_t k,
								const pair_motion *motion, const sphere_contact *at)
{
	const pair_list *l = s->pair + kind;
	const law_constants *of = scree_contact_constants(m, s, kind, k);
	enum law_row law = (enum law_row)scree_laws[of->law].of_spheres;
	contact_constants c = constants_of(law, of, motion->radius, motion->mass);
	if (!pair_on_wall(kind)) c = pull_in_part(c, contact_part(found, k));
	vec3 from_b = pair_on_wall(kind) ? at->at : v3_add(at->at, motion->apart),
		 spin = v3_sub(motion->spin_a, motion->spin_b);
	vec3 v = v3_add(motion->velocity, v3_sub(v3_cross(motion->spin_a, at->at), v3_cross(motion->spin_b, from_b)));
	contact_history h = history_now(history_of(l, k), v, spin, at->normal, m->dt);
	point_step now = {v, spin, is_bonded(l, k) ? at->depth > 0 : l->touch[k] != 0, 0};
	bool turns = l->remembers & REMEMBERS_TURNS;
	if (of->cohesion != COHESION_NONE) return point_contact(&c, at, &now, &h, law, EXTRA_STICKS).of;
	return turns ? point_contact(&c, at, &now, &h, law, EXTRA_TURNS).of
				 : point_contact(&c, at, &now, &h, law, EXTRA_NONE).of;
}

bond_form scree_bond_form(const model *m, const state *s, int64_t k)
{
	const pair_list *l = s->pair + PAIR_SPHERE_SPHERE;
	const bodies *b = &s->body;
	const int32_t i = l->ca[k], j = l->cb[k];
	const bond_rule *r = &m->material.rule[b->material[i] * m->material.count + b->material[j]].bond;
	return bond_form_of(r, (bonded_body){b->round[i], b->inv_mass[i]}, (bonded_body){b->round[j], b->inv_mass[j]},
						l->bond_length[k], m->flat ? m->thickness : 0);
}

bond_motion scree_bond_motion(const model *m, const state *s, int64_t k)
{
	const pair_list *l = s->pair + PAIR_SPHERE_SPHERE;
	const bodies *b = &s->body;
	const int32_t i = l->ca[k], j = l->cb[k];
	vec3 apart = v3_sub(body_position(b, i), body_position(b, j)), v = v3_sub(body_velocity(b, i), body_velocity(b, j));
	if (m->period.on) {
		const int32_t code = scree_world_image(m, s, PAIR_SPHERE_SPHERE, l->slot[k]);
		apart = v3_sub(apart, s->images.shift[code]);
		v = v3_sub(v, s->images.drift[code]);
	}
	const sphere_contact at = sphere_contact_of(apart, b->round[i], b->round[j]);
	return bond_motion_of(at.normal, at.at, b->round[i] + b->round[j] - at.depth, v, apart, body_angular_velocity(b, i),
						  body_angular_velocity(b, j));
}

static void add_bond(const model *m, const state *s, int64_t k, contact_look *to)
{
	const pair_list *l = s->pair + PAIR_SPHERE_SPHERE;
	const bond_form f = scree_bond_form(m, s, k);
	const bond_motion motion = scree_bond_motion(m, s, k);
	const bond_springs now = bond_ahead(bond_springs_of(l, k), &motion, -bonds_are_ahead(m));
	const bond_result o = bond_act(&f, &motion, &now, l->bond_length[k]);
	to->force.force = v3_add(to->force.force, o.force);
	to->force.torque = v3_add(to->force.torque, o.torque);
	to->force.normal += o.normal;
}

/* Normal of contact row k, and the motion of a relative to b at the contact point. */
static contact_motion slip_of(const model *m, const state *s, const work *w, int kind, int64_t k)
{
	const pair_motion motion = motion_of(m, s, w, kind, k);
	const sphere_contact at = geometry_of(s, w, kind, k, &motion);
	const vec3 from_b = pair_on_wall(kind) ? at.at : v3_add(at.at, motion.apart);
	const vec3 v = v3_add(motion.velocity, v3_sub(v3_cross(motion.spin_a, at.at), v3_cross(motion.spin_b, from_b)));
	return (contact_motion){
		.normal = at.normal, .velocity = v, .angular_velocity = v3_sub(motion.spin_a, motion.spin_b)};
}

static bool is_zero(real x, real y, real z) { return x == 0 && y == 0 && z == 0; }

/* Advances the springs of a contact; springs of zero length stay zero, since most of them do not exist. */
static void shift_springs(pair_list *l, const contact_work *c, int64_t k, const contact_motion *o, real by)
{
	const contact_history h = history_now(history_of(l, k), o->velocity, o->angular_velocity, o->normal, -2 * by);
	if (!is_zero(l->sx[k], l->sy[k], l->sz[k])) l->sx[k] = h.spring.x, l->sy[k] = h.spring.y, l->sz[k] = h.spring.z;
	if (l->remembers & REMEMBERS_ACCOUNT && l->spun[k] != 0)
		l->spun[k] += by * c->arm[k] * v3_dot(o->angular_velocity, o->normal);
	if (!(l->remembers & REMEMBERS_TURNS)) return;
	if (!is_zero(l->rx[k], l->ry[k], l->rz[k])) l->rx[k] = h.rolling.x, l->ry[k] = h.rolling.y, l->rz[k] = h.rolling.z;
	if (l->twist[k] != 0) l->twist[k] = h.twist;
}

bond_springs scree_bond_shifted(const model *m, const state *s, int64_t k, real by)
{
	const bond_motion motion = scree_bond_motion(m, s, k);
	return bond_ahead(bond_springs_of(s->pair + PAIR_SPHERE_SPHERE, k), &motion, by);
}

void scree_bonds_shift(const model *m, state *s, real by)
{
	pair_list *l = s->pair + PAIR_SPHERE_SPHERE;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
		if (!is_bonded(l, c.row)) continue;
		const bond_springs to = scree_bond_shifted(m, s, c.row, by);
		bond_springs_put(l, c.row, &to);
	}
}

void scree_contacts_shift(const model *m, state *s, const work *w, real by)
{
	for (int kind = 0; kind < PAIR_KINDS && !m->solver; ++kind) {
		pair_list *l = s->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
			const contact_motion o = slip_of(m, s, w, kind, c.row);
			shift_springs(l, &w->pair[kind].contact, c.row, &o, by);
		}
	}
}

contact_look scree_contact_look(const model *m, const state *s, const work *w, int kind, int64_t k)
{
	const pair_list *l = s->pair + kind;
	const contact_force *force = w->pair[kind].contact.force;
	pair_motion motion = motion_of(m, s, w, kind, k);
	sphere_contact at = geometry_of(s, w, kind, k, &motion);
	contact_look c = {.normal = at.normal, .at = at.at, .depth = at.depth};
	if (!l->touch[k]) return c;
	if (force) {
		c.force = force[k];
		c.elastic = l->remembers & REMEMBERS_ACCOUNT ? l->elastic[k] : 0;
	} else {
		contact_result now = point_now(m, s, &w->pair[kind].contact, kind, k, &motion, &at);
		c.force = (contact_force){now.force, now.torque, now.normal};
		c.elastic = now.tally.elastic;
		if (is_bonded(l, k)) add_bond(m, s, k, &c);
	}
	return c;
}

contact_key scree_contact_key(const model *m, const state *s, int kind, int64_t k)
{
	const pair_list *l = s->pair + kind;
	contact_key key = contact_key_of(l, pair_on_wall(kind), s->body.id, &m->wall, l->slot[k]);
	if (l->feature) *(pair_on_wall(kind) ? &key.part : &key.feature) = l->feature[k];
	return key;
}

real scree_contact_round(const state *s, const work *w, int kind, int64_t k)
{
	const pair_list *l = s->pair + kind;
	const contact_work *c = &w->pair[kind].contact;
	if (c->ra) return real_min(c->ra[k], c->rb[k]);
	real small = s->body.round[l->ca[k]];
	return pair_on_wall(kind) ? small : real_min(small, s->body.round[l->cb[k]]);
}

/* piece `part` of a body, with its thickness */
static thick_piece piece_of(const model *m, const state *s, int32_t body, int32_t part)
{
	return scree_thick_piece(m->shape.row + s->body.shape[body], part, s->body.size[body]);
}

static bool has_halo(const model *m, const state *s, int32_t body)
{
	return m->shape.row[s->body.shape[body]].type == SHAPE_SURFACE;
}

two_thick scree_contact_thickness(const model *m, const state *s, int kind, int64_t k)
{
	const pair_list *l = s->pair + kind;
	const int32_t a = l->ca[k], b = l->cb[k];
	if (pair_on_wall(kind) || scree_pair_kinds[kind].formula || has_halo(m, s, a) || has_halo(m, s, b))
		return (two_thick){INFINITY, INFINITY};
	const uint64_t feature = scree_pair_kinds[kind].several ? l->feature[k] : 0; /* as in src/narrow/compound.c */
	return two_thick_of(piece_of(m, s, a, (int32_t)(feature >> 32)),
						piece_of(m, s, b, (int32_t)(feature & UINT32_MAX)));
}

real scree_contact_small(const model *m, const state *s, const work *w, int kind, int64_t k)
{
	return real_min(2 * scree_contact_round(s, w, kind, k), scree_contact_thickness(m, s, kind, k).least);
}

real scree_contact_part(const model *m, const state *s, const work *w, int kind, int64_t k)
{
	return scree_contact_look(m, s, w, kind, k).depth / scree_contact_small(m, s, w, kind, k);
}

real scree_world_mean_overlap(const model *m, const state *s, const work *w)
{
	fixed sum[2] = {0};
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
			const real part = scree_contact_part(m, s, w, kind, c.row);
			if (!(part > 0) || !scree_contact_counted(s, kind, c.row)) continue;
			scree_fixed_add(sum, part);
			sum[1].quanta += 1;
		}
	}
	w->domain.by->add(w->domain.at, 2, sum);
	return sum[1].quanta > 0 ? scree_fixed_value(sum[0]) / (real)sum[1].quanta : 0;
}

wall_load scree_wall_load(const model *m, const state *s, const work *w, int32_t wall)
{
	fixed sum[7] = {0}, *force = sum, *torque = sum + 3, *contacts = sum + 6;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		if (!pair_on_wall(kind)) continue;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
			int64_t k = c.row;
			if (m->wall.surface_wall[l->cb[k]] != wall) continue;
			contact_look look = scree_contact_look(m, s, w, kind, k);
			vec3 apart = v3_sub(body_position(&s->body, l->ca[k]), s->wall[wall].position);
			contacts->quanta += 1;
			fixed_add_vector(force, v3_neg(look.force.force));
			fixed_add_vector(torque, torque_on_b(&look.force, apart));
		}
	}
	w->domain.by->add(w->domain.at, 7, sum);
	return (wall_load){fixed_vector(force), fixed_vector(torque), (int64_t)contacts->quanta};
}

bool scree_contact_slides(const model *m, const state *s, const work *w, int kind, int64_t k)
{
	const pair_list *l = s->pair + kind;
	const law_constants *of = scree_contact_constants(m, s, kind, k);
	if (is_bonded(l, k)) return false;
	contact_look c = scree_contact_look(m, s, w, kind, k);
	real across = v3_norm(v3_madd(c.force.force, -v3_dot(c.force.force, c.normal), c.normal));
	/* a rotating face slips at a smaller tangential force, so the energy of its spring is used */
	if ((l->remembers & REMEMBERS_ACCOUNT) && l->spun[k] != 0)
		across = real_max(across, sqrt(2 * of->shear * l->stiff[k] * l->bent[k]));
	return across >= (1 - (real)1e-9) * of->friction * c.force.normal;
}

int64_t scree_world_bonds(const state *s, const work *w)
{
	const pair_list *l = s->pair + PAIR_SPHERE_SPHERE;
	int64_t count = 0;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row)
		count += is_bonded(l, c.row) && scree_contact_counted(s, PAIR_SPHERE_SPHERE, c.row);
	return scree_domain_count(&w->domain, count);
}

int64_t scree_world_sliding(const model *m, const state *s, const work *w)
{
	int64_t count = 0;
	if (m->solver) return 0; /* impulses have no history of friction */
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row)
			count += scree_contact_counted(s, kind, c.row) && scree_contact_slides(m, s, w, kind, c.row) ? 1 : 0;
	}
	return scree_domain_count(&w->domain, count);
}

/* The code of the axis decides (solid/convex_pair.h): faces come before edges, except code 0 (edges whose code does not
 * fit in 32 bits). */
contact_types scree_world_contact_types(const model *m, const state *s, const work *w)
{
	contact_types t = {0, 0};
	if (m->flat) return t; /* bodies in the plane have no faces */
	const pair_list *l = s->pair + PAIR_CONVEX_CONVEX;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
		if (!scree_contact_counted(s, PAIR_CONVEX_CONVEX, c.row)) continue;
		int32_t axis = w->pair[PAIR_CONVEX_CONVEX].cache.axis[l->slot[c.row]];
		int32_t faces =
			m->shape.row[s->body.shape[l->ca[c.row]]].faces + m->shape.row[s->body.shape[l->cb[c.row]]].faces;
		if (m->narrow->gives == OVERLAP_DEPTH ? -axis > 0 && -axis <= faces : axis_is_flat(axis))
			++t.face;
		else
			++t.edge;
	}
	t.face = scree_domain_count(&w->domain, t.face);
	t.edge = scree_domain_count(&w->domain, t.edge);
	return t;
}
