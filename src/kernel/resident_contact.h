/* resident_contact.h: the law of one contact row in the memory of a device (law/each_point.h, law/gather.c). Two
 * spheres need no narrow phase; contacts with walls and polyhedra have been found. on_wall: a compile-time constant. */
#ifndef SCREE_KERNEL_RESIDENT_CONTACT_H
#define SCREE_KERNEL_RESIDENT_CONTACT_H

#include "kernel/contact_quanta.h"
#include "kernel/fixed_words.h"
#include "kernel/point_contact.h"
#include "kernel/resident.h"

/* The law, and what it has in addition, of all contacts: constants if the text before this header defines them. */
#ifndef RESIDENT_LAW
#define RESIDENT_LAW(c) ((enum law_row)(c)->law)
#endif
#ifndef RESIDENT_EXTRA
#define RESIDENT_EXTRA(r) ((enum extra)(r)->extra)
#endif

/* The contact of a sphere and a polyhedron in a row. part: overlap relative to the thickness */
typedef struct found_sphere {
	sphere_contact at;
	real part;
} found_sphere;

/* Memory of a device that contacts read. */
typedef struct resident_memory {
	columns body;
	SCREE_GLOBAL const law_constants *constants; /* [materials squared] */
	SCREE_GLOBAL const resident_wall *wall;		 /* [walls] in this step */
	SCREE_GLOBAL const resident_touch *touch;	 /* [rows] contacts with walls in this step */
	SCREE_GLOBAL const uint64_t *load;			 /* [walls * LOAD_ON_WALL_WORDS] in this step */
	SCREE_GLOBAL const resident_rule *rule;
	SCREE_GLOBAL const found_sphere *found; /* [rows] of spheres with polyhedra */
	resident_space space;
	SCREE_GLOBAL const int32_t *surface_wall; /* [surfaces] */
} resident_memory;

typedef struct resident_contact {
	partners of;
	sphere_contact at;
	int32_t a, b, materials[2];
	int32_t moves;		   /* row of a wall that moves, or -1 */
	int32_t image;		   /* code of b's image */
	real share, stiffness; /* on a wall: fractions of the mass and, for a polyhedron, of the stiffness */
	real part;			   /* overlap relative to the thickness of polyhedra, or 0 */
	bool touches, touched;
} resident_contact;

typedef struct resident_result {
	contact_quanta load;
	vec3 force, torque; /* on a, in N and N m */
	tally_quanta energy;
	real most; /* largest number of both, in quanta */
	real part; /* overlap relative to the smaller body; 0 if the contact does not touch */
	bool touches;
	bool counted; /* by this part of the world: the other one has a ghost of body a */
} resident_result;

SCREE_FN SCREE_GLOBAL uint64_t *touch_in(const columns *rows, int64_t k)
{
	return (SCREE_GLOBAL uint64_t *)column_of(rows, ROW_touch) + k;
}

SCREE_FN partners spheres_in(const columns *b, int64_t i, int64_t j)
{
	partners p = {v3_sub(vector_in(b, SPHERE_vx, i), vector_in(b, SPHERE_vx, j)),
				  vector_in(b, SPHERE_wx, i),
				  vector_in(b, SPHERE_wx, j),
				  v3_sub(vector_in(b, SPHERE_x, i), vector_in(b, SPHERE_x, j)),
				  real_in(b, SPHERE_round, i),
				  real_in(b, SPHERE_round, j),
				  real_in(b, SPHERE_inv_mass, i),
				  real_in(b, SPHERE_inv_mass, j)};
	return p;
}

SCREE_FN partners sphere_on_wall(const columns *b, int64_t i, SCREE_GLOBAL const resident_wall *w)
{
	const vec3 apart = v3_sub(vector_in(b, SPHERE_x, i), w->position);
	const vec3 moves = v3_add(w->velocity, v3_cross(w->spin, apart));
	const real round = real_in(b, SPHERE_round, i);
	partners p = {v3_sub(vector_in(b, SPHERE_vx, i), moves),
				  vector_in(b, SPHERE_wx, i),
				  w->spin,
				  apart,
				  round,
				  round,
				  real_in(b, SPHERE_mass, i),
				  0};
	return p;
}

/* Shifts b to its image (law/gather.c). */
SCREE_FN void shift_image(resident_contact *c, const resident_memory *m, int64_t k)
{
	const resident_space *o = &m->space;
	c->image = image_met(o->rule, o->now, o->met[k], cell_in(&m->body, SPHERE_cell_x, c->a),
						 cell_in(&m->body, SPHERE_cell_x, c->b));
	c->of.apart = v3_sub(c->of.apart, o->now->shift[c->image]);
	c->of.v = v3_sub(c->of.v, o->now->drift[c->image]);
}

SCREE_FN bool row_is_used(const columns *rows, int64_t k) { return number_in(rows, ROW_cb, k) >= 0; }

/* The bodies of row k, without the contact. */
SCREE_FN resident_contact resident_of_bodies(const resident_memory *m, const columns *rows, int64_t k)
{
	resident_contact c;
	c.a = number_in(rows, ROW_ca, k);
	c.b = number_in(rows, ROW_cb, k);
	c.moves = -1;
	c.part = 0;
	c.of = spheres_in(&m->body, c.a, c.b);
	c.image = IMAGE_NONE;
	if (m->space.rule) shift_image(&c, m, k);
	c.touched = *touch_in(rows, k) != 0;
	c.materials[0] = number_in(&m->body, SPHERE_material, c.a);
	c.materials[1] = number_in(&m->body, SPHERE_material, c.b);
	return c;
}

SCREE_FN resident_contact resident_of_spheres(const resident_memory *m, const columns *rows, int64_t k)
{
	resident_contact c = resident_of_bodies(m, rows, k);
	c.at = sphere_contact_of(c.of.apart, c.of.ra, c.of.rb);
	c.touches = c.at.depth > 0;
	return c;
}

SCREE_FN resident_contact resident_on_solid(const resident_memory *m, const columns *rows, int64_t k)
{
	resident_contact c = resident_of_bodies(m, rows, k);
	c.at = m->found[k].at;
	c.part = m->found[k].part;
	c.touches = c.at.depth > 0;
	return c;
}

/* A contact with a wall that is moved by forces: its travel and its direction, and the mass that it adds to the wall's
 * sum (law/wall_shares.c). */
typedef struct resident_push {
	real way, mass;
	int32_t held, to;
} resident_push;

SCREE_FN resident_push push_of(const columns *body, int64_t i, SCREE_GLOBAL const resident_wall *w,
							   const resident_touch *t)
{
	const wall_axis along = w->along;
	resident_push p;
	p.held = real_in(body, SPHERE_inv_mass, i) == 0;
	p.way = wall_way(&along, t->normal, v3_add(vector_in(body, SPHERE_x, i), t->at));
	p.mass = p.held ? t->share : real_in(body, SPHERE_mass, i) * t->share;
	p.to = wall_push(p.way) + (p.held ? PUSH_HELD : 0);
	return p;
}
SCREE_FN bool push_counts(const resident_push *p, real depth) { return p->held || depth > 0; }

SCREE_FN real share_at_wall(const resident_memory *m, int64_t i, const resident_touch *t)
{
	SCREE_GLOBAL const resident_wall *w = m->wall + t->wall;
	if (!w->driven) return t->share;
	const resident_push p = push_of(&m->body, i, w, t);
	SCREE_GLOBAL const uint64_t *from = m->load + t->wall * LOAD_ON_WALL_WORDS + LOAD_ON_WALL_PUSH + 2 * p.to;
	const two_words sum = {from[0], from[1]};
	const real own = push_counts(&p, t->depth) ? 0 : p.mass * real_abs(p.way);
	const real all = real_abs(p.way) * (own + words_value(sum));
	if (!w->follows[wall_push(p.way)]) return t->share;
	return p.held ? share_of_held(t->share, all, w->mass, real_in(&m->body, SPHERE_mass, i))
				  : share_of_wall(t->share, all, w->mass);
}

/* The body a of row k and a wall, without the contact. */
SCREE_FN resident_contact resident_with_wall(const resident_memory *m, const columns *rows, int64_t k, int32_t a,
											 int32_t wall)
{
	resident_contact c;
	SCREE_GLOBAL const resident_wall *w = m->wall + wall;
	c.a = a;
	c.b = wall;
	c.of = sphere_on_wall(&m->body, a, w);
	c.touched = *touch_in(rows, k) != 0;
	c.materials[0] = number_in(&m->body, SPHERE_material, a);
	c.materials[1] = w->material;
	c.moves = w->moves ? wall : -1;
	c.part = 0;
	return c;
}

SCREE_FN resident_contact resident_on_wall(const resident_memory *m, const columns *rows, int64_t k)
{
	const resident_touch t = m->touch[k];
	const sphere_contact at = {t.normal, t.at, t.depth};
	resident_contact c = resident_with_wall(m, rows, k, number_in(rows, ROW_ca, k), t.wall);
	c.at = at;
	c.touches = t.depth > -INFINITY;
	c.share = c.touches ? share_at_wall(m, c.a, &t) : t.share;
	return c;
}

/* The polyhedron and the wall of row k, as if it had no contact with other surfaces of the wall. */
SCREE_FN resident_contact resident_on_surface(const resident_memory *m, const columns *rows, int64_t k)
{
	resident_contact c =
		resident_with_wall(m, rows, k, number_in(rows, ROW_ca, k), m->surface_wall[number_in(rows, ROW_cb, k)]);
	c.share = c.stiffness = 1;
	return c;
}

/* The contact of row k of a list of spheres. list: a compile-time constant */
SCREE_FN resident_contact contact_in(const resident_memory *m, const columns *rows, int64_t k, int list)
{
	return list == LIST_ON_WALLS	   ? resident_on_wall(m, rows, k)
		   : list == LIST_SPHERE_SOLID ? resident_on_solid(m, rows, k)
									   : resident_of_spheres(m, rows, k);
}

/* ------------------------------------------------------------------ the law */

SCREE_FN contact_history history_in(const columns *rows, int64_t k, enum law_row law, enum extra extra)
{
	contact_history h;
	const bool turns = extra != EXTRA_NONE, yields = law == LAW_PLASTIC;
	h.spring = vector_in(rows, ROW_sx, k);
	h.spun = 0;
	h.scale = real_in(rows, ROW_stiff, k);
	h.stored = real_in(rows, ROW_bent, k);
	h.rolling = turns ? vector_in(rows, ROW_rx, k) : v3(0, 0, 0);
	h.rolled = turns ? real_in(rows, ROW_rolled, k) : 0;
	h.twist = turns ? real_in(rows, ROW_twist, k) : 0;
	h.twisted = turns ? real_in(rows, ROW_twisted, k) : 0;
	h.deepest = yields ? real_in(rows, ROW_deepest, k) : 0;
	h.torn = yields ? real_in(rows, ROW_torn, k) : 0;
	return h;
}

SCREE_FN void history_put(const columns *rows, int64_t k, const contact_history *h, enum law_row law, enum extra extra)
{
	vector_put(rows, ROW_sx, k, h->spring);
	real_put(rows, ROW_stiff, k, h->scale);
	real_put(rows, ROW_bent, k, h->stored);
	if (law == LAW_PLASTIC) {
		real_put(rows, ROW_deepest, k, h->deepest);
		real_put(rows, ROW_torn, k, h->torn);
	}
	if (extra == EXTRA_NONE) return;
	vector_put(rows, ROW_rx, k, h->rolling);
	real_put(rows, ROW_rolled, k, h->rolled);
	real_put(rows, ROW_twist, k, h->twist);
	real_put(rows, ROW_twisted, k, h->twisted);
}

/* Stores the next history of the turning of a contact, and its effect in `to`, with the energies of its springs before
 * the step. */
SCREE_FN void turning_put(const columns *rows, int64_t k, const contact_turning *u, SCREE_GLOBAL contact_turning *to)
{
	to->rolls = u->rolls;
	to->twists = u->twists;
	to->lost = u->lost;
	to->heat = u->heat;
	to->rolled = real_in(rows, ROW_rolled, k);
	to->twisted = real_in(rows, ROW_twisted, k);
	vector_put(rows, ROW_rx, k, u->rolling);
	real_put(rows, ROW_rolled, k, u->rolled);
	real_put(rows, ROW_twist, k, u->twist);
	real_put(rows, ROW_twisted, k, u->twisted);
}

/* gone: energy in the springs of a contact that has ended */
SCREE_FN resident_result resident_result_of(const resident_contact *o, const point_result *p, real gone,
											SCREE_GLOBAL const resident_rule *r, bool on_wall)
{
	const vec3 apart = on_wall ? v3(0, 0, 0) : o->of.apart;
	const contact_load load =
		contact_load_of(p->of.force, p->of.torque, apart, 1 / r->force_quantum, 1 / r->torque_quantum);
	const tally_load energy = tally_load_of(&p->of.tally, gone, p->torn, 1 / r->energy_quantum, r->dt);
	resident_result q;
	q.load = contact_quanta_of(&load);
	q.force = v3_mul(r->force_quantum, load.force);
	q.torque = v3_mul(r->torque_quantum, load.torque_a);
	q.energy = tally_quanta_of(&energy);
	q.most = load.most + energy.most;
	q.touches = p->touches;
	q.counted = o->a < r->bodies;
	q.part = p->touches ? real_max(overlap_part(&o->of, o->at.depth), o->part) : 0;
	return q;
}

/* What a law reads, but for the contact itself. */
typedef struct resident_input {
	contact_constants c;
	point_step s;
	contact_history h;
} resident_input;

SCREE_FN law_constants constants_between(const resident_memory *m, const resident_contact *o)
{
	return m->constants[o->materials[0] * m->rule->materials + o->materials[1]];
}

SCREE_FN resident_input input_of(const resident_memory *m, const resident_contact *o, const columns *rows, int64_t k,
								 enum law_row law, enum extra extra, bool on_wall)
{
	const law_constants of = constants_between(m, o);
	const real mass = on_wall ? reduced_mass(&o->of, on_wall) * o->share : reduced_mass(&o->of, on_wall);
	const resident_input i = {
		constants_of(law, &of, reduced_radius(&o->of, on_wall), mass),
		{slip_velocity(&o->of, o->at.at, on_wall), v3_sub(o->of.wa, o->of.wb), o->touches, m->rule->dt},
		history_in(rows, k, law, extra)};
	return i;
}

/* The resistance to turning comes first. Its result is passed in memory, and all data is then read again, since a
 * kernel has too few registers to keep it. */
SCREE_FN void resident_turn(const resident_memory *m, const columns *rows, int64_t k, SCREE_GLOBAL contact_turning *to,
							enum law_row law, enum extra extra, int list)
{
	const resident_contact o = contact_in(m, rows, k, list);
	const resident_input i = input_of(m, &o, rows, k, law, extra, list_on_wall(list));
	const point_trial g = point_trial_of(&i.c, &o.at, &i.s, &i.h, law, extra);
	const contact_turning u = point_turning(&i.c, &o.at, &i.s, &g, &i.h, law, extra);
	turning_put(rows, k, &u, to);
}

SCREE_FN resident_result resident_by(const resident_memory *m, const columns *rows, int64_t k,
									 SCREE_GLOBAL contact_turning *to, enum law_row law, enum extra extra, int list)
{
	const bool on_wall = list_on_wall(list);
	if (extra != EXTRA_NONE) resident_turn(m, rows, k, to, law, extra, list);
	const resident_contact o = contact_in(m, rows, k, list);
	const resident_input i = input_of(m, &o, rows, k, law, EXTRA_NONE, on_wall);
	const point_trial g = point_trial_of(&i.c, &o.at, &i.s, &i.h, law, extra);
	point_result p = point_friction(&i.c, &o.at, &i.s, &g, &i.h, law, extra);
	real gone = p.touches ? 0 : i.h.stored;
	*touch_in(rows, k) = p.touches ? 1 : 0;
	history_put(rows, k, &p.of.history, law, EXTRA_NONE);
	const resident_contact again = contact_in(m, rows, k, list);
	if (extra != EXTRA_NONE) {
		const contact_turning u = *to;
		add_turning(&p.of, &u, again.at.normal, p.touches);
		gone = p.touches ? 0 : gone + u.rolled + u.twisted;
	}
	return resident_result_of(&again, &p, gone, m->rule, on_wall);
}

SCREE_FN resident_result resident_extra(const resident_memory *m, const columns *rows, int64_t k,
										SCREE_GLOBAL contact_turning *to, enum law_row law, int list)
{
	switch (RESIDENT_EXTRA(m->rule)) {
	case EXTRA_NONE:
		return resident_by(m, rows, k, to, law, EXTRA_NONE, list);
	case EXTRA_TURNS:
		return resident_by(m, rows, k, to, law, EXTRA_TURNS, list);
	default:
		return resident_by(m, rows, k, to, law, law == LAW_POWER ? EXTRA_TURNS : EXTRA_STICKS, list);
	}
}

/* Computes one step of row k and its next history. to: memory of this item */
SCREE_FN resident_result resident_step(const resident_memory *m, const resident_contact *o, const columns *rows,
									   int64_t k, SCREE_GLOBAL contact_turning *to, int list)
{
	const law_constants of = constants_between(m, o);
	switch (RESIDENT_LAW(&of)) {
	case LAW_LINEAR:
		return resident_extra(m, rows, k, to, LAW_LINEAR, list);
	case LAW_POWER:
		return resident_extra(m, rows, k, to, LAW_POWER, list);
	case LAW_PLASTIC:
		return resident_extra(m, rows, k, to, LAW_PLASTIC, list);
	default:
		return resident_extra(m, rows, k, to, LAW_HERTZ, list);
	}
}

/* Energies of a contact that ended because the narrow phase no longer found it (state/pairs.c), in J. */
typedef struct resident_end {
	real normal, friction, rolling, made;
} resident_end;

SCREE_FN resident_end resident_ended(const columns *rows, int64_t k, enum law_row law, enum extra extra)
{
	const contact_history h = history_in(rows, k, law, extra);
	const contact_history none = {{0, 0, 0}, 0, 0, 0, {0, 0, 0}, 0, 0, 0, 0, 0};
	const resident_end e = {h.torn, 0, 0, -(h.stored + (h.rolled + h.twisted)) + h.torn};
	history_put(rows, k, &none, law, extra);
	*touch_in(rows, k) = 0;
	return e;
}

#endif
