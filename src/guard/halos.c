/* halos: stops a run before anything can pass through a halo undetected. Surfaces closer than the sum of both halos are
 * in contact, so bodies that approach by less in a step cannot miss each other. A body that moves farther stops the
 * run, even far from others. Contacts that would pass through next are found in src/narrow/several_contacts.c. */
#include "guard/guard.h"

#include "model/model.h"
#include "prepare/internal.h"
#include "state/state.h"
#include "work/work.h"

#include <stdio.h>

void scree_halos_renew(const model *m, state *s, work *w)
{
	halo_bounds o = {.thinnest = INFINITY, .ball = INFINITY};
	const bodies *b = &s->body;
	o.any = scree_halos_any(m);
	for (int32_t i = 0; o.any && i < b->count; ++i) {
		const shape *form = m->shape.row + b->shape[i];
		const real reach = scree_halo_reach(form, b->size[i]);
		if (form->type == SHAPE_SURFACE)
			o.thinnest = real_min(o.thinnest, reach);
		else if (reach > 0)
			o.ball = real_min(o.ball, reach);
	}
	real least[2] = {o.thinnest, o.ball};
	if (o.any) scree_domain_least(&w->domain, 2, least);
	o.thinnest = least[0], o.ball = least[1];
	o.any &= o.thinnest < INFINITY;
	w->halo = o;
}

static real walls_way(const model *m, const state *s, const work *w)
{
	real most = 0;
	for (int32_t k = 0; k < m->wall.count; ++k) most = real_max(most, scree_halo_wall_way(m, s, w, k));
	return most;
}

bool scree_halos_quiet(const model *m, const state *s, const work *w)
{
	if (!w->halo.any) return true;
	const real most = real_max(w->drift_way, walls_way(m, s, w));
	return 2 * most <= w->halo.thinnest && w->drift_way <= w->halo.ball;
}

/* The body with the largest ratio of displacement to halo width; among equal ratios, the body with the lowest id. */
typedef struct goer {
	int32_t row; /* -1: none */
	real way, reach;
	suspect of;
} goer;

static goer farthest(const model *m, const state *s, real bare)
{
	const bodies *b = &s->body;
	goer most = {-1, 1, 1, {NO_SUSPECT, 0, 0}};
	for (int32_t i = 0; i < b->owned; ++i) {
		const shape *form = m->shape.row + b->shape[i];
		goer o = {i, scree_halo_way(m, s, i), scree_halo_reach(form, b->size[i]), {0, b->id[i], 0}};
		if (form->type == SHAPE_SURFACE) o.way += bare;
		if (!(o.reach > 0) || !(o.way > o.reach)) continue;
		o.of.extent = o.way / o.reach;
		if (scree_suspect_before(&o.of, &most.of)) most = o;
	}
	return most;
}

/* largest displacement of bodies and walls without a halo, in m */
static real bare_way(const model *m, const state *s, const work *w)
{
	const bodies *b = &s->body;
	real most = walls_way(m, s, w);
	for (int32_t i = 0; i < b->owned; ++i)
		if (!(scree_halo_reach(m->shape.row + b->shape[i], b->size[i]) > 0))
			most = real_max(most, scree_halo_way(m, s, i));
	scree_domain_most(&w->domain, 1, &most);
	return most;
}

static bool report(const model *m, state *s, work *w, const goer *o, real bare)
{
	const bodies *b = &s->body;
	if (!scree_domain_names(&w->domain, &o->of)) return scree_world_fails_elsewhere(w);
	const int32_t i = o->row;
	const bool surface = m->shape.row[b->shape[i]].type == SHAPE_SURFACE;
	char meets[80] = "";
	if (surface && bare > 0) snprintf(meets, sizeof meets, " and bodies without a halo %.3g m", bare);
	const char *shear =
		periods_slip(&m->period, &s->images) > 0 ? " (including half of the displacement of images)" : "";
	return scree_fail(
		&w->why, FAIL_GUARD,
		"body %llu moves %.3g m%s%s in a step at (%.6g, %.6g, %.6g) m, t = %.6g s, moving at %.4g m/s, and its %s is "
		"%.3g "
		"m: surfaces could pass through each other undetected; set run.step to %.3g s%s, or find out why it moves so "
		"fast",
		(unsigned long long)b->id[i], surface ? o->way - bare : o->way, meets, shear, b->x[i], b->y[i], b->z[i],
		s->time, v3_norm(body_velocity(b, i)), surface ? "halo" : "radius", o->reach, m->dt / 2 * o->reach / o->way,
		surface ? " or less, use a wider halo" : " or less");
}

bool scree_halos_hold(const model *m, state *s, work *w)
{
	if (scree_halos_quiet(m, s, w)) return true;
	const real bare = bare_way(m, s, w);
	const goer most = farthest(m, s, bare);
	if (!scree_domain_any(&w->domain, most.row >= 0)) return true;
	return report(m, s, w, &most, bare);
}
