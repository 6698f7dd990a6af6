/* halo_impacts: tests whether halos withstand the impacts expected from speeds and falls (docs/theory/halo.md, "Impacts
 * that a halo withstands"). The hardest impact is on one point in line with the centre, where one spring stops the
 * whole mass. The depth of this impact is computed step by step with the law. Impacts deeper than the halo would stop
 * the run, so they are reported before it. */
#include "prepare/wall_defects.h"

#include <stdio.h>

#include "base/maths.h"
#include "base/memory.h"
#include "base/sort.h"
#include "kernel/contact_law.h"
#include "model/law.h"
#include "model/model.h"
#include "prepare/internal.h"
#include "shape/shape_forms.h"
#include "state/state.h"

/* Largest overlap that the advice allows for, as a fraction of the halo's reach. The rest is a margin for loads that
 * are not counted, such as bodies that press from behind. */
static const real KEPT = (real)0.8;
static const real WIDE = (real)0.25; /* widest halo that is recommended, as a fraction of the size of a shape */
enum { STEPS = 400, MOST = 20 * STEPS };

/* Bodies with one shape and one material. The largest body has the weakest halo. */
typedef struct faller {
	int32_t shape, material;
	real size, speed, thin; /* largest size (m), largest speed (m/s), smallest size (m) */
} faller;

typedef struct fallers {
	faller *item; /* in order of shape and material */
	int64_t count, capacity;
	span velocity; /* velocities, in m/s, of all bodies at the start */
} fallers;

/* An impact or a load that is too strong for a halo. */
typedef struct too_hard {
	const faller *a, *b;	/* b: NULL against a wall */
	const law_constants *c; /* NULL if no impact is too strong */
	int32_t against;		/* material of the partner */
	real deep, reach;		/* m */
	real speed;				/* m/s */
	bool pressed;			/* whether the load of bodies at rest is too strong, not an impact */
} too_hard;

/* ------------------------------------------------------------------ falling bodies */

static void note_faller(fallers *g, const faller *o)
{
	int64_t k = 0;
	while (k < g->count && (g->item[k].shape != o->shape || g->item[k].material != o->material)) ++k;
	if (k == g->count) {
		SCREE_APPEND(g->item, g->count, g->capacity, *o);
		return;
	}
	faller *to = g->item + k;
	to->size = real_max(to->size, o->size);
	to->thin = real_min(to->thin, o->thin);
	to->speed = real_max(to->speed, o->speed);
}

/* Combines the bodies that may fall in all parts of the world, in an order that does not depend on the parts. */
static void join_parts(fallers *g, const model *m, const domain *d)
{
	fallers all = {.velocity = g->velocity};
	int64_t count = g->count;
	faller *part = d->by->gather(d->at, &count, sizeof *part, g->item);
	for (int64_t k = 0; k < count; ++k) {
		SCREE_ASSERT(part[k].shape >= 0 && part[k].shape < m->shape.count);
		SCREE_ASSERT(part[k].material >= 0 && part[k].material < m->material.count);
		note_faller(&all, part + k);
	}
	SCREE_FREE_ALL(part, g->item);
	scree_sort_by(all.item, all.count, sizeof *all.item, scree_sort_two);
	scree_span_join(&all.velocity, d);
	*g = all;
}

static real falling(const model *m, const falls *f, vec3 at, real speed, real size)
{
	const real way = real_max(scree_fall_from(f, at) - size, 0);
	const real v = sqrt(speed * speed + 2 * v3_norm(m->gravity) * way);
	return m->guard.speed > 0 ? real_min(v, m->guard.speed) : v;
}

static void note_bodies(fallers *g, const model *m, const state *s, const falls *f)
{
	const bodies *b = &s->body;
	for (int32_t i = 0; i < b->owned; ++i) {
		if (!(b->inv_mass[i] > 0)) continue;
		const real inner = m->shape.row[b->shape[i]].inradius * b->size[i];
		const real speed = falling(m, f, body_position(b, i), v3_norm(body_velocity(b, i)), inner);
		const faller o = {b->shape[i], b->material[i], b->size[i], speed, b->size[i]};
		v3_widen(&g->velocity.low, &g->velocity.high, body_velocity(b, i));
		note_faller(g, &o);
	}
}

static void note_part(fallers *g, const model *m, const falls *f, const source *o, const mix_part *part)
{
	const real thin = scree_spread_smallest(&part->size), inner = m->shape.row[part->shape].inradius * thin;
	const real speed = falling(m, f, scree_region_top(&o->where, m->gravity), v3_norm(o->velocity), inner);
	const faller made = {part->shape, part->material, scree_spread_largest(&part->size), speed, thin};
	v3_widen(&g->velocity.low, &g->velocity.high, o->velocity);
	note_faller(g, &made);
}

static fallers fallers_of(const model *m, const state *s, const domain *d)
{
	const falls f = scree_falls_of(m, s);
	fallers g = {.velocity = NO_SPAN};
	note_bodies(&g, m, s, &f);
	for (mix_walk w = {0}; mix_next(m, &w);) note_part(&g, m, &f, w.from, w.part);
	join_parts(&g, m, d);
	return g;
}

/* ------------------------------------------------------------------ depth of an impact */

/* largest overlap, in m, in an impact on one point, including the displacement in the last step before detection */
static real impact_depth(const law_constants *c, real radius, real mass, real speed, real dt)
{
	const enum law_row law = (enum law_row)scree_laws[c->law].of_spheres;
	const contact_constants k = constants_of(law, c, radius, mass);
	const real step = scree_laws[law].contact_time(c, mass, radius, speed) / STEPS;
	real deep = 0, v = speed, most = 0;
	for (int n = 0; n < MOST && v > 0; ++n) {
		v -= step * normal_by(law, &k, 1, deep, -v).force / mass;
		deep += step * v;
		most = real_max(most, deep + dt * real_max(v, 0));
	}
	return most;
}

/* overlap at rest, in m, under this load */
static real pressed_depth(const law_constants *c, real radius, real load)
{
	const law_spring spring = scree_laws[scree_laws[c->law].of_spheres].spring;
	if (spring == SPRING_EVEN) return load / c->stiffness;
	return scree_pow(load / (spring == SPRING_OF_RADIUS ? c->stiffness * sqrt(radius) : c->stiffness), (real)2 / 3);
}

typedef struct finding {
	const model *m;
	int64_t bodies; /* number of bodies in all parts of the world */
	fallers all;
	real load;
	too_hard worst;
} finding;

static void note_depth(finding *f, too_hard here)
{
	const too_hard *o = &f->worst;
	if (!(here.deep > here.reach)) return;
	if (!o->c || here.deep * o->reach > o->deep * here.reach) f->worst = here;
}

static real mass_of(const model *m, const faller *o)
{
	return m->material.row[o->material].density * scree_world_volume(m, m->shape.row + o->shape, o->size);
}

static real halo_of(const model *m, const faller *o) { return scree_halo_reach(m->shape.row + o->shape, o->size); }

static void try(finding *f, const faller *a, const faller *b, int32_t against)
{
	const model *m = f->m;
	real radius = scree_world_round(m, m->shape.row + a->shape, a->size), mass = mass_of(m, a);
	too_hard o = {a,		b,	  m->constants + a->material * m->material.count + against, against, 0, halo_of(m, a),
				  a->speed, false};
	if (b) {
		const real rb = scree_world_round(m, m->shape.row + b->shape, b->size), mb = mass_of(m, b);
		radius = radius * rb / (radius + rb);
		mass = mass * mb / (mass + mb);
		o.reach += halo_of(m, b);
		o.speed = real_max(real_max(a->speed, b->speed), v3_norm(v3_sub(f->all.velocity.high, f->all.velocity.low)));
	}
	if (o.speed > 0) o.deep = impact_depth(o.c, radius, mass, o.speed, m->dt);
	const real rests = pressed_depth(o.c, radius, f->load);
	if (rests > o.deep) o.deep = rests, o.pressed = true;
	note_depth(f, o);
}

static bool is_surface(const model *m, const faller *o) { return m->shape.row[o->shape].type == SHAPE_SURFACE; }

/* For each material, the hardest impacts are expected with its heaviest body with a halo, its heaviest round body, or
 * its heaviest other body. */
enum { WITH_HALO, ROUND, BARE, SORTS };

static int sort_of(const model *m, const faller *o)
{
	return is_surface(m, o) ? WITH_HALO : halo_of(m, o) > 0 ? ROUND : BARE;
}

static const faller *heaviest(const finding *f, int32_t material, int sort)
{
	const model *m = f->m;
	const faller *most = NULL;
	for (int64_t k = 0; k < f->all.count; ++k) {
		const faller *o = f->all.item + k;
		if (o->material == material && sort_of(m, o) == sort && (!most || mass_of(m, o) > mass_of(m, most))) most = o;
	}
	return most;
}

static bool is_of_a_wall(const model *m, int32_t material)
{
	bool any = false;
	for (int32_t k = 0; k < m->wall.count; ++k) any |= m->wall.row[k].material == material;
	return any;
}

static void try_with(finding *f, int32_t material, const faller *partner)
{
	for (int64_t i = 0; i < f->all.count; ++i) {
		const faller *a = f->all.item + i;
		if (!is_surface(f->m, a)) continue;
		if (partner)
			try(f, a, partner, material);
		else if (is_of_a_wall(f->m, material))
			try(f, a, NULL, material);
	}
}

static void try_all(finding *f)
{
	const model *m = f->m;
	for (int32_t k = 0; k < m->material.count; ++k) {
		try_with(f, k, NULL);
		for (int sort = 0; sort < SORTS && (f->bodies > 1 || m->population.sources); ++sort) {
			const faller *partner = heaviest(f, k, sort);
			if (partner) try_with(f, k, partner);
		}
	}
}

/* ------------------------------------------------------------------ messages */

/* Factor for the stiffness that reduces the overlap by the factor `less`. */
static real stiffer(const too_hard *o, real less)
{
	const bool even = scree_laws[scree_laws[o->c->law].of_spheres].spring == SPRING_EVEN;
	const real power = o->pressed ? (even ? 1 : (real)1.5) : (even ? 2 : (real)2.5);
	return scree_pow(less, power);
}

/* Writes the advice. A wider halo is recommended only if the halo is thin compared with the body. */
static void advise(const finding *f, char *text, size_t room)
{
	const too_hard *o = &f->worst;
	const material *m = f->m->material.row + o->a->material;
	const shape *s = f->m->shape.row + o->a->shape;
	const real less = o->deep / (KEPT * o->reach), more = stiffer(o, less);
	char halo[140] = "";
	if (s->halo * less < WIDE)
		snprintf(halo, sizeof halo, "set the halo of shape %s to %.2g, or ", s->name, s->halo * less);
	if (!(scree_laws[o->c->law].takes & TAKES_YOUNG))
		snprintf(text, room, "%smultiply the stiffness of contacts of %s with %s by %.2g", halo, m->name,
				 f->m->material.row[o->against].name, more);
	else if (o->against == o->a->material)
		snprintf(text, room, "%sset young of material %s to %.2g Pa", halo, m->name, m->young * more);
	else
		snprintf(text, room, "%smultiply young of materials %s and %s by %.2g", halo, m->name,
				 f->m->material.row[o->against].name, more);
}

bool scree_halo_defect(const model *m, const state *s, const domain *d, char *text, size_t room)
{
	finding f = {.m = m};
	if (m->solver || !scree_halos_any(m)) return false;
	f.bodies = scree_domain_count(d, s->body.owned);
	f.all = fallers_of(m, s, d);
	f.load = scree_world_pressed(m, s, d);
	try_all(&f);
	const too_hard *o = &f.worst;
	if (o->c) {
		char how[80], cure[280];
		if (o->pressed)
			snprintf(how, sizeof how, "a load of up to %.3g N", f.load);
		else
			snprintf(how, sizeof how, "an impact at %.3g m/s", o->speed);
		advise(&f, cure, sizeof cure);
		snprintf(text, room,
				 "shape %s: %s on one point causes an overlap of %.3g mm, but %s %.3g mm: the run stops when surfaces "
				 "pass through their halos; %s",
				 m->shape.row[o->a->shape].name, how, 1e3 * o->deep,
				 o->b && halo_of(m, o->b) > 0 ? "both halos reach" : "its halo reaches", 1e3 * o->reach, cure);
	}
	scree_free(f.all.item);
	return o->c != NULL;
}
