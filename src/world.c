#include "world.h"

#include "base/maths.h"
#include "base/memory.h"
#include "kernel/cohesion.h"
#include "kernel/quat.h"
#include "kernel/sphere_contact.h"
#include "kernel/rotation.h"
#include "stages.h"

#include <string.h>

scree_world *scree_world_new(void)
{
	scree_world *w = scree_alloc(1, sizeof *w);
	w->search = scree_broads;
	w->narrow = scree_narrows;
	w->mover = scree_integrators;
	w->thickness = 1;
	w->guard.lost_is_error = true;
	w->next_id = 1;
	w->margin.stale = true;
	return w;
}

void scree_world_free(scree_world *w)
{
	if (!w) return;
	scree_bodies_free(&w->body);
	scree_shapes_free(&w->shape);
	scree_materials_free(&w->material);
	for (int32_t k = 0; w->grid && k < w->wall.count; ++k) scree_facet_grid_free(w->grid[k]);
	scree_free(w->grid);
	scree_walls_free(&w->wall);
	scree_population_free(&w->people);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) scree_pair_list_free(w->pair + kind);
	for (int t = 0; t < w->scratches; ++t) {
		contact_points *p = &w->scratch[t].points;
		real *array[6] = {p->x, p->y, p->z, p->depth, p->weight, p->pitch};
		for (int a = 0; a < 6; ++a) scree_free(array[a]);
		scree_touch_list_free(&w->scratch[t].touch);
		scree_free(w->scratch[t].was);
		scree_free(w->scratch[t].of);
		scree_free(w->scratch[t].copy);
	}
	scree_free(w->scratch);
	scree_free(w->turn);
	scree_free(w->record);
	for (int which = 0; which < 2; ++which) {
		scree_free(w->near[which].group);
		scree_free(w->near[which].facet);
		scree_free(w->near[which].piece);
	}
	scree_free(w->meets.row);
	scree_free(w->meets.item);
	scree_free(w->meets.pulls);
	scree_free(w->meets.used);
	scree_free(w->force);
	scree_free(w->acts);
	scree_free(w->constants);
	scree_impulses_free(&w->impulse);
	scree_broad_search_free(&w->finder);
	scree_free(w);
}

/* kinetic and potential energy of one body */
static real energy_of(const scree_world *w, int32_t i, real *potential)
{
	const bodies *b = &w->body;
	vec3 l = v3(b->lx[i], b->ly[i], b->lz[i]);
	bool held = b->inv_mass[i] == 0;
	vec3 at = w->period.on ? scree_world_unwrapped(w, i) : body_position(b, i);
	*potential = held ? 0 : -b->mass[i] * v3_dot(w->gravity, at);
	return held ? 0 : b->mass[i] / 2 * v3_norm2(body_velocity(b, i)) + v3_dot(l, body_spin(b, i)) / 2;
}

/* kg m2: a moment of inertia that no torque can turn within any run; its square is still a number */
static const real TOO_MUCH = 1e90;

/* of a body of this shape and size */
static real volume_of(const scree_world *w, const shape *s, real size)
{
	real area = size * size;
	return s->volume * area * (w->flat ? w->thickness : size);
}

/* radius of the sphere of a body's volume; in the plane of the disc of its area */
static real round_of(const scree_world *w, const shape *s, real size)
{
	if (w->flat) return sqrt(s->volume / SCREE_PI) * size;
	return scree_exp(scree_log(volume_of(w, s, size) * 3 / (4 * SCREE_PI)) / 3);
}

static void set_body(scree_world *w, int32_t i, const new_body *o)
{
	bodies *b = &w->body;
	const shape *s = w->shape.row + o->shape;
	bool held = o->flags & BODY_HELD;
	real size2 = o->size * o->size, volume = volume_of(w, s, o->size);
	real density = w->material.row[o->material].density;
	quat q = quat_unit(quat_mul(o->orientation, s->frame));
	vec3 inertia = v3_mul(density * size2 * size2 * (w->flat ? w->thickness : o->size), s->inertia);
	if (o->flags & BODY_LOCKED) inertia = v3(TOO_MUCH, TOO_MUCH, TOO_MUCH);
	vec3 l = momentum_of(q, o->spin, inertia);
	b->id[i] = w->next_id++;
	b->x[i] = o->position.x;
	b->y[i] = o->position.y;
	b->z[i] = o->position.z;
	b->qw[i] = q.w;
	b->qx[i] = q.x;
	b->qy[i] = q.y;
	b->qz[i] = q.z;
	b->vx[i] = o->velocity.x;
	b->vy[i] = o->velocity.y;
	b->vz[i] = o->velocity.z;
	b->wx[i] = o->spin.x;
	b->wy[i] = o->spin.y;
	b->wz[i] = o->spin.z;
	b->lx[i] = l.x;
	b->ly[i] = l.y;
	b->lz[i] = l.z;
	b->radius[i] = s->radius * o->size;
	b->size[i] = o->size;
	b->round[i] = s->type == SHAPE_SPHERE ? b->radius[i] : round_of(w, s, o->size);
	b->mass[i] = density * volume;
	b->inv_mass[i] = held ? 0 : 1 / b->mass[i];
	b->ix[i] = inertia.x;
	b->iy[i] = inertia.y;
	b->iz[i] = inertia.z;
	b->shape[i] = o->shape;
	b->material[i] = o->material;
	b->flags[i] = o->flags & BODY_HELD;
	if (w->period.on) scree_world_wrap(w, i);
}

uint64_t scree_world_add(scree_world *w, int64_t count, const new_body *body)
{
	uint64_t first = w->next_id;
	scree_bodies_reserve(&w->body, (int32_t)(w->body.count + count));
	for (int64_t k = 0; k < count; ++k) {
		int32_t i = w->body.count++;
		scree_bodies_clear(&w->body, i, i + 1);
		set_body(w, i, body + k);
		if (w->step > 0) scree_motion_start(w, i, i + 1); /* gravity is all that acts on it as yet */
		real potential, kinetic = energy_of(w, i, &potential);
		scree_fixed_add(&w->energy.brought, kinetic + potential);
	}
	w->margin.stale = true;
	return first;
}

/* Pairs of bodies that are gone end; the others get their new rows. Slots stay where they are, of the dead ones nothing
 * is left but an empty slot of body 0 with itself: the next search makes all of them anew. */
static void renumber_pairs(scree_world *w, const int32_t *row)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		pair_list *l = w->pair + kind;
		bool on_wall = kind == PAIR_SPHERE_WALL || kind == PAIR_CONVEX_WALL;
		for (int64_t k = 0; k < l->count; ++k) {
			int32_t a = row[l->a[k]], b = on_wall ? l->b[k] : row[l->b[k]];
			bool dead = a < 0 || b < 0;
			if (dead && l->row[k] >= 0) scree_contact_end(&w->energy, l, l->row[k], w->dt);
			if (dead) l->row[k] = -1, l->axis[k] = 0;
			l->a[k] = dead ? 0 : a;
			l->b[k] = dead ? 0 : b;
			if (l->row[k] < 0) continue;
			l->ca[l->row[k]] = a; /* who looks at contacts before the next step needs rows of now */
			l->cb[l->row[k]] = b;
		}
	}
}

void scree_world_remove(scree_world *w, int64_t count, const int32_t *gone)
{
	bodies *b = &w->body;
	if (!count) return;
	int32_t *row = scree_alloc((size_t)b->count, sizeof *row);
	for (int64_t k = 0; k < count; ++k) {
		real potential, kinetic = energy_of(w, gone[k], &potential);
		scree_fixed_add(&w->energy.brought, -(kinetic + potential));
		row[gone[k]] = -1;
	}
	int32_t kept = 0;
	for (int32_t i = 0; i < b->count; ++i) {
		if (row[i] < 0) continue;
		if (kept != i) scree_bodies_copy(b, kept, i);
		row[i] = kept++;
	}
	b->count = kept;
	renumber_pairs(w, row);
	scree_free(row);
	w->margin.stale = true;
}

/* ------------------------------------------------------------------ set-up */

/* the lightest and the smallest body that each material will ever have, and for the laws the smallest and the largest
 * sphere of a body's volume */
typedef struct extremes {
	real mass, radius, small, large;
	real slim; /* m/kg: greatest area^2/(volume mass), with the area of the widest face; in the plane 1: widest chord
				  over round */
	real arm;  /* in the plane: greatest mass R^2/moment of inertia, with R that of the circle around the body */
	int64_t bodies; /* that move */
	bool wall, body;
} extremes;

static void note_round(extremes *e, real small, real large)
{
	e->small = e->large > 0 ? real_min(e->small, small) : small;
	e->large = real_max(e->large, large);
}

/* Chords of round shapes, and of polygons of many corners, grow with the overlap: that of an eighth of the diameter. */
static real widest_chord(const shape *s)
{
	real longest = s->inradius;
	for (int32_t k = 0; k < s->flat.corners; ++k) longest = real_max(longest, s->flat.corner[k].length);
	return longest;
}

static void note_body(const scree_world *w, extremes *e, const shape *s, real size, real mass, real radius)
{
	real face = w->flat ? widest_chord(s) : scree_shape_widest_face(s);
	e->slim = real_max(e->slim, w->flat ? face / round_of(w, s, 1) : face * face * size / (s->volume * mass));
	if (w->flat) e->arm = real_max(e->arm, s->volume * s->radius * s->radius / s->inertia.z);
	e->mass = e->body ? real_min(e->mass, mass) : mass;
	e->radius = e->body ? real_min(e->radius, radius) : radius;
	e->body = true;
	e->bodies += 1;
}

static void note_source(const scree_world *w, const source *s, extremes *e)
{
	for (int32_t p = 0; p < s->parts; ++p) {
		const mix_part *m = s->part + p;
		const shape *o = w->shape.row + m->shape;
		real size = m->size.type == SPREAD_ONE || m->size.type == SPREAD_UNIFORM
						? m->size.a
						: real_max(m->size.a / 10, m->size.a - (m->size.cut > 0 ? m->size.cut : 3) * m->size.b);
		real volume = o->volume * size * size * (w->flat ? w->thickness : size);
		real cut = m->size.cut > 0 ? m->size.cut : 3;
		real large = m->size.type == SPREAD_ONE		  ? m->size.a
					 : m->size.type == SPREAD_UNIFORM ? m->size.b
													  : m->size.a + cut * m->size.b;
		note_body(w, e, o, size, w->material.row[s->material].density * volume, o->inradius * size);
		note_round(e, round_of(w, o, size), round_of(w, o, large));
		e->bodies += 1; /* a source makes more than one */
	}
}

/* a speed that will hardly be exceeded: the guard's, or the initial one and that of a fall through the bodies' extent
 */
static real typical_speed(const scree_world *w)
{
	if (w->guard.speed > 0) return w->guard.speed;
	const bodies *b = &w->body;
	real v2 = 0;
	vec3 low = v3(0, 0, 0), high = low;
	for (int32_t i = 0; i < b->count; ++i) {
		vec3 p = body_position(b, i);
		if (i == 0) low = high = p;
		low = v3(real_min(low.x, p.x), real_min(low.y, p.y), real_min(low.z, p.z));
		high = v3(real_max(high.x, p.x), real_max(high.y, p.y), real_max(high.z, p.z));
		v2 = real_max(v2, v3_norm2(body_velocity(b, i)));
	}
	v2 += 2 * v3_norm(w->gravity) * v3_norm(v3_sub(high, low));
	return v2 > 0 ? sqrt(v2) : 1;
}

static bool derive_constants(scree_world *w, fail *why)
{
	const materials *m = &w->material;
	scree_free(w->constants);
	w->constants = scree_alloc((size_t)m->count * (size_t)m->count, sizeof *w->constants);
	for (int32_t a = 0; a < m->count; ++a) {
		for (int32_t b = a; b < m->count; ++b) {
			const contact_rule *rule = scree_materials_rule(m, a, b);
			law_constants *c = w->constants + a * m->count + b;
			if (!scree_laws[rule->law].derive(m->row + a, m->row + b, rule, c, why))
				return scree_fail_in(why, "contact of %s with %s", m->row[a].name, m->row[b].name);
			if (w->flat && scree_laws[rule->law].overlaps) { /* of a slice of this thickness */
				c->stiffness *= w->thickness;
				c->shear *= w->thickness;
			}
			w->constants[b * m->count + a] = *c;
		}
	}
	return true;
}

/* a row for each material */
static extremes *find_extremes(const scree_world *w)
{
	extremes *e = scree_alloc((size_t)w->material.count, sizeof *e);
	for (int32_t i = 0; i < w->body.count; ++i) {
		extremes *o = e + w->body.material[i];
		if (w->body.inv_mass[i] > 0)
			note_body(w, o, w->shape.row + w->body.shape[i], w->body.size[i], w->body.mass[i], w->body.round[i]);
		note_round(o, w->body.round[i], w->body.round[i]);
	}
	for (int32_t k = 0; k < w->people.sources; ++k)
		note_source(w, w->people.source + k, e + w->people.source[k].material);
	for (int32_t k = 0; k < w->wall.count; ++k) e[w->wall.row[k].material].wall = true;
	for (int32_t i = 0; i < w->body.count; ++i) /* held bodies give way as little as walls */
		if (w->body.inv_mass[i] == 0) e[w->body.material[i]].wall = true;
	return e;
}

/* can there be a contact of two bodies of these materials? */
static bool two_meet(const extremes *e, int32_t a, int32_t b) { return e[b].body && (a != b || e[a].bodies > 1); }

/* Of a law of overlaps: the greatest weight (law/patches.c). In the plane it is (chord/l)^2 with l twice the radius of
 * the smaller one at least, with a wall four times that of the body; literally no square, and l half as long. */
static real greatest_weight(const scree_world *w, const extremes *a, const extremes *b, real mass, bool two,
							int32_t law)
{
	if (!w->flat) return mass * (two ? a->slim + b->slim : a->slim);
	real part = (two ? real_max(a->slim, b->slim) / 2 : a->slim / 4);
	return law == LAW_AREA_LITERAL ? 2 * part : part * part;
}

static const real USUAL_PART = 0.02, LARGEST_PART = 0.1;
/* In a packing a body has several contacts, and what turns is lighter than what moves: its stiffest mode and the
 * damping of that are 2.2 to 2.3 times those of one contact (measured in heaps, docs/theory/motion.md). */
static const real USUAL_MODE = 3, LEAST_MODE = 2.2;
static const real CALM_MODE = 2.5; /* of velocity Verlet in space, for a note */
/* Of velocity Verlet in the plane: the contacts of a body that count, for a step that is safe and for the longest one.
 * By laws this part of them: a spring that grows with the overlap is softer at rest than in the impact that gives the
 * contact time, and one of areas than flat along the longest edge (measured, docs/theory/motion.md). */
static const real USUAL_CONTACTS = 6, LEAST_CONTACTS = 4;
static const real AT_REST[LAWS] = {
	[LAW_LINEAR] = 1, [LAW_HERTZ] = (real)1 / 2, [LAW_POWER] = (real)1 / 2,
	[LAW_VOLUME] = 1, [LAW_AREA] = (real)1 / 3,	 [LAW_AREA_LITERAL] = (real)1 / 3,
};

/* One contact as an oscillator: its time is pi/(root omega). */
typedef struct swing {
	real zeta, root;
	real rub; /* damping of what slides, over m omega */
} swing;

static swing swing_of(const law_constants *c, real mass, real speed, real time)
{
	bool longer = (c->law == LAW_LINEAR || scree_laws[c->law].overlaps) && c->damping < 1; /* by its damping */
	swing s = {.zeta = scree_law_damping_ratio(c, mass, speed)};
	s.root = longer ? sqrt(1 - s.zeta * s.zeta) : 1;
	real spring = c->law == LAW_HERTZ ? (real)1.5 * c->stiffness : c->stiffness; /* as c->shear is one */
	s.rub = c->law == LAW_POWER ? c->shear * time / (SCREE_PI * mass) : 2 * s.zeta * sqrt(c->shear / spring);
	if (c->friction == 0) s.rub = 0;
	return s;
}

/* Velocity Verlet with predicted velocities bears a mode of stiffness s k and damping d m omega as long as
 * d x + s x^2/4 < 1, x = omega dt: the greatest x. */
static real verlet_angle(real s, real d) { return 2 / (d + sqrt(d * d + s)); }

/* What a packing makes of one contact: its stiffest mode has omega and zeta times `mode`. In the plane `contacts` count
 * besides; bodies that all turn the same way slide on each other twice as fast as either turns, so that what rubs has
 * contacts times `arm`, that is mass R^2/moment of inertia, the damping of one. */
typedef struct packing {
	real mode, contacts, arm;
} packing;

/* The longest step that a packing bears, in parts of the time of a contact. Gear's integrators bear little damping. */
static real stable_part(const scree_world *w, const swing *s, packing p)
{
	const gear_rule *r = w->mover->gear;
	if (r) return s->root / (SCREE_PI * p.mode * (r->limit[0] + r->limit[1] * p.mode * s->zeta));
	real many = w->flat ? p.contacts : p.mode * p.mode;
	real damped = real_max(2 * s->zeta * many, w->flat ? s->rub * many * p.arm : 0);
	return s->root / SCREE_PI * verlet_angle(many, damped);
}

static real shorter(real a, real b) { return a > 0 ? real_min(a, b) : b; }

/* Steps for contacts of this time, of which these parts are safe and the most that a packing bears. In space velocity
 * Verlet takes longer ones, too, also where no step is given: a note says so. */
static void note_steps(scree_world *w, real time, real safe, real most)
{
	bool heeded = w->mover->gear || w->flat;
	w->usual_step = shorter(w->usual_step, time * (heeded ? real_min(USUAL_PART, safe) : USUAL_PART));
	w->largest_step = shorter(w->largest_step, time * (heeded ? real_min(LARGEST_PART, most) : LARGEST_PART));
	w->calm_step = shorter(w->calm_step, time * (heeded ? safe : most));
}

/* the shortest contact that two bodies, or a body and a wall, can have */
static void find_contact_time(scree_world *w, const extremes *e)
{
	int32_t n = w->material.count;
	real speed = typical_speed(w);
	w->contact_time = w->largest_step = w->usual_step = w->calm_step = 0;
	for (int32_t a = 0; a < n; ++a) {
		for (int32_t b = 0; b < n; ++b) {
			bool two = two_meet(e, a, b); /* lighter together than a body against a wall */
			if (!e[a].body || !(two || e[b].wall)) continue;
			const law_constants *c = w->constants + a * n + b;
			real mass = two ? e[a].mass * e[b].mass / (e[a].mass + e[b].mass) : e[a].mass;
			real radius = two ? e[a].radius * e[b].radius / (e[a].radius + e[b].radius) : e[a].radius;
			if (scree_laws[c->law].overlaps) radius = greatest_weight(w, e + a, e + b, mass, two, c->law);
			real t = scree_laws[c->law].contact_time(c, mass, radius, speed);
			real arm = AT_REST[c->law] * real_max(e[a].arm, two ? e[b].arm : 0);
			swing s = swing_of(c, mass, speed, t);
			note_steps(w, t, stable_part(w, &s, (packing){USUAL_MODE, USUAL_CONTACTS, arm}),
					   stable_part(w, &s, (packing){w->mover->gear ? LEAST_MODE : CALM_MODE, LEAST_CONTACTS, arm}));
			if (w->contact_time > 0 && !(t < w->contact_time)) continue;
			w->contact_time = t;
			w->stiffest[0] = a;
			w->stiffest[1] = b;
		}
	}
}

/* The greatest overlap, over the smaller one's size, to which cohesion alone pulls bodies of materials a and b. The
 * laws know the size of a contact by its reduced radius: all that matters are the smallest and the largest bodies. */
static real pulled_in(const scree_world *w, const extremes *e, int32_t a, int32_t b)
{
	const law_constants *c = w->constants + a * w->material.count + b;
	real most = 0, ra[2] = {e[a].small, e[a].large}, rb[2] = {e[b].small, e[b].large};
	if (!e[a].body || c->cohesion == COHESION_NONE) return 0;
	for (int i = 0; i < 2; ++i) {
		if (e[b].wall) most = real_max(most, scree_law_pulled_in(c, ra[i]) / (2 * ra[i]));
		for (int k = 0; k < 2 && two_meet(e, a, b); ++k) {
			real deep = scree_law_pulled_in(c, ra[i] * rb[k] / (ra[i] + rb[k]));
			most = real_max(most, deep / (2 * real_min(ra[i], rb[k])));
		}
	}
	return most;
}

/* Cohesion that the law's stiffness cannot bear pulls bodies into one another until the guard stops the run, or ever on
 * where it watches no overlap. */
static bool cohesion_holds(const scree_world *w, const extremes *e, fail *why)
{
	real limit = w->guard.overlap > 0 ? w->guard.overlap : (real)0.5;
	for (int32_t a = 0; a < w->material.count; ++a)
		for (int32_t b = 0; b < w->material.count; ++b) {
			real part = pulled_in(w, e, a, b);
			const char *one = w->material.row[a].name, *other = w->material.row[b].name;
			if (part <= limit) continue;
			if (part == INFINITY)
				return scree_fail(why, FAIL_INPUT,
								  "cohesion collapses: it pulls %s and %s together more strongly than the law pushes "
								  "them apart, at any overlap: take less cohesion or a stiffer law",
								  one, other);
			return scree_fail(why, FAIL_INPUT,
							  "cohesion collapses: it alone pulls %s and %s into each other by %.3g %% of the smaller "
							  "one's size, expected at most the %.3g %% of run.guard.overlap: take less cohesion or a "
							  "stiffer law",
							  one, other, 100 * part, 100 * limit);
		}
	return true;
}

/* a shape of bodies that there are or will be and that is of this type, or has more faces than these; NULL: none */
static const shape *shape_with(const scree_world *w, shape_type type, int32_t faces)
{
	const shape *odd = NULL;
	for (int32_t i = 0; i < w->body.count; ++i) {
		const shape *o = w->shape.row + w->body.shape[i];
		odd = o->type == type && o->faces >= faces ? o : odd;
	}
	for (int32_t k = 0; k < w->people.sources; ++k)
		for (int32_t p = 0; p < w->people.source[k].parts; ++p) {
			const shape *o = w->shape.row + w->people.source[k].part[p].shape;
			odd = o->type == type && o->faces >= faces ? o : odd;
		}
	return odd;
}

/* JKR is a theory of spheres: what its radius would be for a corner or a face nobody can say */
static bool jkr_knows_shapes(const scree_world *w, fail *why)
{
	bool jkr = false;
	for (int64_t k = 0; k < (int64_t)w->material.count * w->material.count; ++k)
		jkr |= w->constants[k].cohesion == COHESION_JKR;
	const shape *odd = NULL;
	for (int type = SHAPE_SPHERE + 1; jkr && type < SHAPE_TYPES; ++type)
		if (!odd) odd = shape_with(w, (shape_type)type, 0);
	if (odd)
		return scree_fail(why, FAIL_INPUT,
						  "cohesion jkr knows spheres only, and there are bodies of the shape '%s': take dmt or simple",
						  odd->name);
	return true;
}

static bool moments_equal(vec3 inertia) { return inertia.x == inertia.y && inertia.y == inertia.z; }

/* The laws of overlaps are functions of what narrow phases of overlaps find, and of nothing else. */
static bool volumes_fit(const scree_world *w, fail *why)
{
	const char *narrow = w->flat ? "overlap-area" : "overlap-volume", *law = w->flat ? "area" : "volume";
	const materials *m = &w->material;
	for (int32_t k = 0; k < m->count * m->count; ++k) {
		const char *a = m->row[k / m->count].name, *b = m->row[k % m->count].name;
		bool volume = scree_laws[w->constants[k].law].overlaps;
		if (volume && !w->narrow->volumes)
			return scree_fail(why, FAIL_INPUT, "contact of %s with %s: the law %s needs run.narrow_phase: %s", a, b,
							  scree_laws[w->constants[k].law].name, narrow);
		if (!volume && w->narrow->volumes)
			return scree_fail(why, FAIL_INPUT,
							  "contact of %s with %s: run.narrow_phase %s needs the law %s for all contacts, not %s", a,
							  b, w->narrow->name, law, scree_laws[w->constants[k].law].name);
	}
	if (!w->narrow->volumes || w->flat) return true;
	const shape *ball = shape_with(w, SHAPE_SPHERE, 0), *large = shape_with(w, SHAPE_CONVEX, w->narrow->most_faces + 1);
	if (ball)
		return scree_fail(why, FAIL_INPUT,
						  "the law volume knows polyhedra only, and there are bodies of the shape '%s'", ball->name);
	if (large)
		return scree_fail(why, FAIL_INPUT, "run.narrow_phase %s knows shapes of up to %d faces; '%s' has %d",
						  w->narrow->name, w->narrow->most_faces, large->name, large->faces);
	return true;
}

static bool laws_fit(const scree_world *w, fail *why)
{
	for (int32_t k = 0; k < w->material.count * w->material.count; ++k) {
		const law *l = scree_laws + w->constants[k].law;
		if (l->dimension && (l->dimension == 2) != w->flat)
			return scree_fail(why, FAIL_INPUT, "the law %s belongs to worlds of dimension %d", l->name, l->dimension);
	}
	return true;
}

/* In the plane there are shapes, walls and narrow phases of the plane, elsewhere none of them. */
static bool plane_fits(const scree_world *w, fail *why)
{
	if (w->narrow->flat != w->flat)
		return scree_fail(why, FAIL_INPUT, "run.narrow_phase %s belongs to worlds of dimension %d", w->narrow->name,
						  w->narrow->flat ? 2 : 3);
	for (int type = SHAPE_SPHERE + 1; type < SHAPE_TYPES; ++type) {
		const shape *odd = shape_with(w, (shape_type)type, 0);
		if (odd && (type != SHAPE_CONVEX) != w->flat)
			return scree_fail(why, FAIL_INPUT, "the shape '%s' cannot be in a world of dimension %d", odd->name,
							  w->flat ? 2 : 3);
	}
	for (int32_t k = 0; k < w->wall.count; ++k) {
		const wall *o = w->wall.row + k;
		bool round = o->type == WALL_CYLINDER && o->axis.x == 0 && o->axis.y == 0 && !(o->length < (real)INFINITY);
		bool right = w->flat ? (o->type == WALL_PLANE && o->axis.z == 0) || round || o->type == WALL_POLYGON
							 : o->type != WALL_POLYGON;
		bool stays = !w->flat || o->motion.type != MOTION_ROTATION || (o->motion.axis.x == 0 && o->motion.axis.y == 0);
		if (!right || !stays)
			return scree_fail(why, FAIL_INPUT, "wall %s cannot be in a world of dimension %d", o->name,
							  w->flat ? 2 : 3);
	}
	return true;
}

bool scree_world_turns_check(const scree_world *w, fail *why)
{
	const bodies *b = &w->body;
	const char *odd = NULL;
	if (!w->mover->gear || w->flat) return true;
	for (int32_t i = 0; i < b->count; ++i)
		if (!(b->flags[i] & BODY_HELD) && !moments_equal(v3(b->ix[i], b->iy[i], b->iz[i])))
			odd = w->shape.row[b->shape[i]].name;
	for (int32_t k = 0; k < w->people.sources; ++k)
		for (int32_t p = 0; p < w->people.source[k].parts; ++p) {
			const shape *o = w->shape.row + w->people.source[k].part[p].shape;
			odd = moments_equal(o->inertia) ? odd : o->name;
		}
	if (!odd) return true;
	return scree_fail(why, FAIL_INPUT,
					  "integrator %s turns only bodies whose three moments of inertia are equal (spheres, regular "
					  "solids), and there are bodies of the shape '%s': take velocity_verlet",
					  w->mover->name, odd);
}

static bool walls_fit(const scree_world *w, fail *why)
{
	for (int32_t k = 0; k < w->wall.count; ++k) {
		const char *refusal = w->narrow->refuses(&w->wall, k);
		if (refusal)
			return scree_fail(why, FAIL_INPUT, "wall %s, narrow phase %s: %s", w->wall.row[k].name, w->narrow->name,
							  refusal);
	}
	return true;
}

/* constants of the laws, and the step as a part of the shortest contact */
static bool prepare_forces(scree_world *w, real step_part, real step, fail *why)
{
	if (!derive_constants(w, why) || !laws_fit(w, why) || !walls_fit(w, why)) return false;
	if (!jkr_knows_shapes(w, why) || !volumes_fit(w, why) || !scree_world_turns_check(w, why)) return false;
	scree_bodies_ask(&w->body, w->mover->asks);
	extremes *e = find_extremes(w);
	find_contact_time(w, e);
	bool holds = w->step > 0 || cohesion_holds(w, e, why);
	scree_free(e);
	if (!holds) return false;
	real shortest = w->contact_time;
	if (!(step > 0) && !(shortest > 0))
		return scree_fail(why, FAIL_INPUT, "there is nothing that could touch, so the time step must be given");
	w->dt = step > 0 ? step : step_part > 0 ? shortest * step_part : w->usual_step;
	bool heeded = (w->mover->gear || w->flat) && !(w->dt > LARGEST_PART * shortest); /* is it damping that limits it? */
	/* bodies of a resumed run may have become faster, which must not stop it */
	if (w->step == 0 && shortest > 0 && w->dt > w->largest_step)
		return scree_fail(
			why, FAIL_INPUT,
			"the time step %.3g s is too large%s%s: a contact of %s with %s lasts only %.3g s; take %.3g s (1/%.0f of "
			"it), at most %.3g s",
			w->dt, heeded ? " for damping and integrator " : "", heeded ? w->mover->name : "",
			w->material.row[w->stiffest[0]].name, w->material.row[w->stiffest[1]].name, shortest, w->usual_step,
			shortest / w->usual_step, w->largest_step);
	return true;
}

bool scree_world_prepare(scree_world *w, real step_part, real step, fail *why)
{
	if (!w->material.count) return scree_fail(why, FAIL_INPUT, "a world needs at least one material");
	if (!plane_fits(w, why)) return false;
	bool right = w->solver ? scree_world_impulses_prepare(w, step_part, step, why) && walls_fit(w, why)
						   : prepare_forces(w, step_part, step, why);
	if (!right) return false;
	for (int32_t k = 0; w->grid && k < w->wall.count; ++k) scree_facet_grid_free(w->grid[k]);
	scree_free(w->grid);
	w->grid = scree_alloc((size_t)w->wall.count, sizeof *w->grid);
	for (int32_t k = 0; k < w->wall.count; ++k)
		w->wall.row[k].form = w->wall.row[k].type == WALL_POLYGON ? w->shape.row + w->wall.row[k].shape : NULL;
	for (int32_t k = 0; k < w->wall.count; ++k)
		if (w->wall.row[k].type == WALL_FACETS) w->grid[k] = scree_facet_grid_new(&w->wall, k);
	if (w->step == 0 && !scree_world_servos_set(w, why)) return false;
	scree_walls_move(&w->wall, w->time);
	scree_periods_set(&w->period, w->step, w->dt);
	if (w->period.on && !scree_world_periods_check(w, why)) return false;
	/* without bodies the step is of no consequence */
	if (w->body.count && !(real_abs(w->period.speed) * w->dt < v3_part(w->period.size, w->period.flow) / 4) &&
		w->period.shears)
		return scree_fail(
			why, FAIL_INPUT,
			"shear at %g 1/s moves the images by %.3g m in a step of %.3g s, expected less than a quarter of "
			"the period",
			w->period.rate, real_abs(w->period.speed) * w->dt, w->dt);
	if (w->step == 0) { /* everything that is there at the start was brought; gravity is known only now */
		memset(&w->energy, 0, sizeof w->energy);
		for (int32_t i = 0; w->period.on && i < w->body.count; ++i) scree_world_wrap(w, i);
		for (int32_t i = 0; i < w->body.count; ++i) {
			real potential, kinetic = energy_of(w, i, &potential);
			scree_fixed_add(&w->energy.brought, kinetic + potential);
		}
	}
	w->margin.stale = true;
	return true;
}

/* ------------------------------------------------------------------ energies */

energy_row scree_world_energy(const scree_world *w)
{
	fixed kinetic = {0}, potential = {0}, elastic = {0}, heat = {0};
	fixed normal = w->energy.lost_normal, friction = w->energy.lost_friction, rolling = w->energy.lost_rolling,
		  made = w->energy.made;
	for (int32_t i = 0; i < w->body.count; ++i) {
		real p, k = energy_of(w, i, &p);
		scree_fixed_add(&kinetic, k);
		scree_fixed_add(&potential, p);
	}
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = w->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
			int64_t k = c.row;
			scree_fixed_add(&elastic, l->elastic[k] + l->bent[k] + l->rolled[k] + l->twisted[k]);
			scree_fixed_add(&normal, l->lost_normal[k]);
			scree_fixed_add(&friction, l->lost_friction[k]);
			scree_fixed_add(&rolling, l->lost_rolling[k]);
			scree_fixed_add(&made, l->elastic[k] + l->work[k] - w->dt / 2 * l->power[k]);
			scree_fixed_add(&heat, l->heat[k]);
		}
	}
	energy_row e = {.kinetic = scree_fixed_value(kinetic),
					.potential = scree_fixed_value(potential),
					.elastic = scree_fixed_value(elastic),
					.lost_normal = scree_fixed_value(normal),
					.lost_friction = scree_fixed_value(friction),
					.lost_rolling = scree_fixed_value(rolling),
					.made = scree_fixed_value(made),
					.brought = scree_fixed_value(w->energy.brought)};
	e.wall_work = scree_fixed_value(w->energy.wall_work) - w->dt / 2 * (w->energy.wall_power + w->energy.fluid_power);
	/* rates were counted for the half step to come as well */
	real lost = e.lost_normal + e.lost_friction + e.lost_rolling - w->dt / 2 * scree_fixed_value(heat);
	e.residual = e.kinetic + e.potential + e.elastic + lost - e.wall_work - e.made - e.brought;
	return e;
}

contact_look scree_contact_look(const scree_world *w, int kind, int64_t k)
{
	const pair_list *l = w->pair + kind;
	int32_t a = l->ca[k], b = l->cb[k];
	contact_look c = {0};
	if (l->force) c.force = l->force[k]; /* else no step was made */
	if (kind == PAIR_SPHERE_SPHERE) {
		vec3 apart = v3_sub(body_position(&w->body, a), body_position(&w->body, b));
		if (w->period.on) apart = v3_sub(apart, w->period.shift[scree_world_image(w, kind, l->slot[k])]);
		sphere_contact s = sphere_contact_of(apart, w->body.radius[a], w->body.radius[b]);
		c.normal = s.normal;
		c.at = s.at;
		c.depth = s.depth;
	} else {
		c.normal = v3(l->nx[k], l->ny[k], l->nz[k]);
		c.at = v3(l->px[k], l->py[k], l->pz[k]);
		c.depth = l->depth[k];
	}
	return c;
}

static bool slides(const scree_world *w, int kind, int64_t k)
{
	const pair_list *l = w->pair + kind;
	bool on_wall = kind == PAIR_SPHERE_WALL || kind == PAIR_CONVEX_WALL;
	int32_t mb = on_wall ? w->wall.row[w->wall.surface_wall[l->cb[k]]].material : w->body.material[l->cb[k]];
	real friction = w->constants[w->body.material[l->ca[k]] * w->material.count + mb].friction;
	contact_look c = scree_contact_look(w, kind, k);
	real across = v3_norm(v3_madd(c.force.force, -v3_dot(c.force.force, c.normal), c.normal));
	return across >= (1 - (real)1e-9) * friction * c.force.normal;
}

int64_t scree_world_sliding(const scree_world *w)
{
	int64_t count = 0;
	if (w->solver) return 0; /* without friction nothing has a cone */
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = w->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) count += slides(w, kind, c.row) ? 1 : 0;
	}
	return count;
}

/* The code of the axis (convex_pair.h): faces come before pairs of edges, of which those beyond 32 bits have code 0. */
contact_types scree_world_contact_types(const scree_world *w)
{
	contact_types t = {0, 0};
	if (w->flat) return t; /* there are no faces */
	const pair_list *l = w->pair + PAIR_CONVEX_CONVEX;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
		int32_t code = -l->axis[l->slot[c.row]];
		int32_t faces =
			w->shape.row[w->body.shape[l->ca[c.row]]].faces + w->shape.row[w->body.shape[l->cb[c.row]]].faces;
		if (code > 0 && code <= faces)
			++t.face;
		else
			++t.edge;
	}
	return t;
}
