/* grains: bodies and contacts as used by measures. */
#include "report/measures.h"

#include "base/memory.h"
#include "state/pairs.h"
#include "world/world.h"

static void mark_partners(const state *s, bool *touches)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
			touches[l->ca[c.row]] = true;
			if (!pair_on_wall(kind)) touches[l->cb[c.row]] = true;
		}
	}
}

static grain grain_of(const model *m, const bodies *b, int32_t i)
{
	const real r = b->round[i], area = SCREE_PI * r * r;
	return (grain){.at = body_position(b, i),
				   .radius = r,
				   .volume = m->flat ? area : area * r * 4 / 3,
				   .mass = m->flat ? b->mass[i] / m->thickness : b->mass[i]};
}

static real mean_diameter(const grains *g)
{
	real sum = 0, volume = 0;
	for (int64_t k = 0; k < g->count; ++k) {
		sum += 2 * g->row[k].radius * g->row[k].volume;
		volume += g->row[k].volume;
	}
	return volume > 0 ? sum / volume : 0;
}

/* false for a body whose position is infinite, as after a guard has stopped a diverging run */
static bool is_somewhere(vec3 at) { return v3_norm2(at) < INFINITY; }

/* whether a body is faster than it would be after a fall of an eighth of a diameter; fall: this speed squared */
static bool is_fast(const bodies *b, int32_t i, real fall) { return v3_norm2(body_velocity(b, i)) > fall; }

grains scree_grains(const model *m, const state *s)
{
	const bodies *b = &s->body;
	grains g = {.row = scree_alloc((size_t)b->owned, sizeof *g.row), .flat = m->flat};
	int32_t *order = scree_bodies_by_id(b);
	bool *touches = scree_alloc((size_t)b->count, sizeof *touches);
	mark_partners(s, touches);
	for (int32_t k = 0; k < b->owned; ++k)
		if (is_somewhere(body_position(b, order[k]))) order[g.count++] = order[k];
	for (int64_t k = 0; k < g.count; ++k) g.row[k] = grain_of(m, b, order[k]);
	g.diameter = mean_diameter(&g);
	const real fall = v3_norm(m->gravity) * g.diameter / 4;
	for (int64_t k = 0; k < g.count; ++k) g.row[k].flies = !touches[order[k]] && is_fast(b, order[k], fall);
	scree_free(touches);
	scree_free(order);
	return g;
}

real scree_carried_by_walls(const model *m, const state *s, const work *w)
{
	const vec3 down = v3_unit(m->gravity);
	fixed sum = {0};
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		if (!pair_on_wall(kind)) continue;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row)
			scree_fixed_add(&sum, -v3_dot(down, scree_contact_look(m, s, w, kind, c.row).force.force));
	}
	w->domain.by->add(w->domain.at, 1, &sum);
	return v3_norm(down) > 0 ? scree_fixed_value(sum) : NAN;
}

void scree_wall_normal_forces(const model *m, const state *s, const work *w, real *force)
{
	fixed *sum = scree_alloc((size_t)m->wall.count, sizeof *sum);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		if (!pair_on_wall(kind)) continue;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
			const contact_look look = scree_contact_look(m, s, w, kind, c.row);
			scree_fixed_add(sum + m->wall.surface_wall[l->cb[c.row]], v3_dot(look.force.force, look.normal));
		}
	}
	if (m->wall.count) w->domain.by->add(w->domain.at, m->wall.count, sum);
	for (int32_t k = 0; k < m->wall.count; ++k) force[k] = scree_fixed_value(sum[k]);
	scree_free(sum);
}
