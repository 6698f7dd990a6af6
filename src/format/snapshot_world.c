/* snapshot_world: materials, sources and sinks, and all the single numbers of a world in a snapshot. */
#include "format/snapshot_parts.h"

#include "base/memory.h"

#include <string.h>

static void one_rule(snap_io *s, contact_rule *r)
{
	scree_snap_int_in(s, "contact law", &r->law, 0, LAWS - 1);
	scree_snap_real(s, &r->restitution);
	scree_snap_real(s, &r->friction);
	scree_snap_real(s, &r->rolling_friction);
	scree_snap_real(s, &r->stiffness);
	scree_snap_real(s, &r->tangential_ratio);
}

void scree_snap_materials(snap_io *s, scree_world *w)
{
	materials *m = &w->material;
	scree_snap_count(s, "materials", &m->count, 28);
	int64_t rules = (int64_t)m->count * m->count;
	if (s->reading && rules > (int64_t)((s->end - s->at) / 44))
		scree_snap_refuse(s, "it is too short for %d materials", m->count);
	if (s->reading) {
		if (!s->ok) m->count = 0;
		m->row = scree_alloc((size_t)m->count, sizeof *m->row);
		m->rule = scree_alloc((size_t)m->count * (size_t)m->count, sizeof *m->rule);
		m->capacity = m->count;
	}
	for (int32_t k = 0; k < m->count; ++k) {
		scree_snap_name(s, m->row[k].name, sizeof m->row[k].name);
		scree_snap_real(s, &m->row[k].density);
		scree_snap_real(s, &m->row[k].young);
		scree_snap_real(s, &m->row[k].poisson);
	}
	for (int64_t k = 0; k < (int64_t)m->count * m->count; ++k) one_rule(s, m->rule + k);
}

static void one_region(snap_io *s, region *g)
{
	int32_t type = (int32_t)g->type;
	scree_snap_int_in(s, "type of a region", &type, 0, REGION_SPHERE);
	g->type = (region_type)type;
	scree_snap_vec3(s, &g->low);
	scree_snap_vec3(s, &g->high);
	scree_snap_vec3(s, &g->centre);
	scree_snap_vec3(s, &g->axis);
	scree_snap_real(s, &g->radius);
	scree_snap_real(s, &g->length);
}

static void one_part(snap_io *s, const scree_world *w, mix_part *p)
{
	scree_snap_int_in(s, "shape of a source", &p->shape, 0, (int64_t)w->shape.count - 1);
	scree_snap_real(s, &p->share);
	int32_t type = (int32_t)p->size.type;
	scree_snap_int_in(s, "type of a spread", &type, 0, SPREAD_LOGNORMAL);
	p->size.type = (spread_type)type;
	scree_snap_real(s, &p->size.a);
	scree_snap_real(s, &p->size.b);
	scree_snap_real(s, &p->size.cut);
}

static void one_source(snap_io *s, const scree_world *w, source *o)
{
	scree_snap_name(s, o->name, sizeof o->name);
	one_region(s, &o->where);
	scree_snap_real(s, &o->rate);
	scree_snap_real(s, &o->from);
	scree_snap_real_or_inf(s, &o->until);
	scree_snap_i64(s, &o->limit);
	scree_snap_int_in(s, "material of a source", &o->material, 0, (int64_t)w->material.count - 1);
	scree_snap_int_in(s, "parts of a source", &o->parts, 1, sizeof o->part / sizeof *o->part);
	for (int32_t k = 0; s->ok && k < o->parts; ++k) one_part(s, w, o->part + k);
	int32_t orient = (int32_t)o->orient;
	scree_snap_int_in(s, "orientation of a source", &orient, 0, ORIENT_GIVEN);
	o->orient = (orient_type)orient;
	scree_snap_quat(s, &o->orientation);
	scree_snap_vec3(s, &o->velocity);
	scree_snap_vec3(s, &o->spin);
	scree_snap_u64(s, &o->seed);
	scree_snap_i64(s, &o->made);
	scree_snap_i64(s, &o->waiting_tries);
	scree_snap_random(s, &o->random);
}

static void one_sink(snap_io *s, sink *o)
{
	scree_snap_name(s, o->name, sizeof o->name);
	int32_t type = (int32_t)o->type;
	scree_snap_int_in(s, "type of a sink", &type, 0, SINK_REGION);
	o->type = (sink_type)type;
	scree_snap_vec3(s, &o->normal);
	scree_snap_real(s, &o->off);
	one_region(s, &o->where);
	scree_snap_i64(s, &o->taken);
	scree_snap_real(s, &o->mass_taken);
}

void scree_snap_population(snap_io *s, scree_world *w)
{
	population *p = &w->people;
	scree_snap_count(s, "sources", &p->sources, 300);
	scree_snap_count(s, "sinks", &p->sinks, 150);
	if (s->reading) {
		p->source = scree_alloc((size_t)p->sources, sizeof *p->source);
		p->sink = scree_alloc((size_t)p->sinks, sizeof *p->sink);
	}
	for (int32_t k = 0; k < p->sources; ++k) one_source(s, w, p->source + k);
	for (int32_t k = 0; k < p->sinks; ++k) one_sink(s, p->sink + k);
}

static void one_guard(snap_io *s, guards *g)
{
	scree_snap_real(s, &g->overlap);
	scree_snap_real(s, &g->speed);
	scree_snap_bool(s, &g->bounded);
	scree_snap_bool(s, &g->lost_is_error);
	real *limit[6] = {&g->low.x, &g->low.y, &g->low.z, &g->high.x, &g->high.y, &g->high.z};
	for (int k = 0; k < 6; ++k) scree_snap_real_or_inf(s, limit[k]);
}

static void one_ledger(snap_io *s, ledger *e)
{
	fixed *sum[] = {&e->lost_normal, &e->lost_friction, &e->lost_rolling, &e->made, &e->wall_work, &e->brought};
	for (size_t k = 0; k < sizeof sum / sizeof *sum; ++k) scree_snap_fixed(s, sum[k]);
	scree_snap_real(s, &e->wall_power);
}

void scree_snap_numbers(snap_io *s, scree_world *w)
{
	scree_snap_real(s, &w->time);
	scree_snap_real(s, &w->dt);
	scree_snap_i64(s, &w->step);
	scree_snap_u64(s, &w->next_id);
	scree_snap_vec3(s, &w->gravity);
	scree_snap_i64(s, &w->lost);
	one_guard(s, &w->guard);
	one_ledger(s, &w->energy);
	char search[48] = "";
	if (!s->reading) memcpy(search, w->search->name, strlen(w->search->name) + 1);
	scree_snap_name(s, search, sizeof search);
	if (!s->reading || !s->ok) return;
	if (!(w->dt > 0) || w->step < 0)
		scree_snap_refuse(s, "the time step is %g s and %lld were made", w->dt, (long long)w->step);
	const broad *found = scree_broad_find(search);
	if (found)
		w->search = found;
	else
		scree_snap_refuse(s, "this build has no broad phase '%s'", search);
}
