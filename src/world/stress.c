/* stress: the stress tensor of the cell (Love and Weber; docs/theory/periodic.md): the momentum flux of velocity
 * fluctuations, and forces times branch vectors. Sums are in fixed point, so they do not depend on order. */
#include "state/contact_rows.h"
#include "state/pairs.h"
#include "world/internal.h"
#include "world/world.h"

/* velocity relative to the homogeneous flow */
static vec3 velocity_of(const model *m, const state *s, int32_t i)
{
	return v3_sub(body_velocity(&s->body, i), scree_periods_flow(&m->period, &s->images, body_position(&s->body, i)));
}

static void add_motion(const model *m, const state *s, const work *w, fixed tensor[6])
{
	fixed sum[4] = {{0}}, *momentum = sum, *mass = sum + 3;
	for (int32_t i = 0; i < s->body.owned; ++i) {
		real lump = s->body.inv_mass[i] > 0 ? s->body.mass[i] : 0;
		vec3 v = velocity_of(m, s, i);
		scree_fixed_add(mass, lump);
		fixed_add_vector(momentum, v3_mul(lump, v));
	}
	w->domain.by->add(w->domain.at, 4, sum);
	real all = scree_fixed_value(*mass);
	if (!(all > 0)) return;
	vec3 mean = v3_mul(1 / all, fixed_vector(momentum));
	for (int32_t i = 0; i < s->body.owned; ++i) {
		vec3 v = v3_sub(velocity_of(m, s, i), mean);
		fixed_add_product(tensor, s->body.inv_mass[i] > 0 ? s->body.mass[i] : 0, v, v);
	}
}

vec3 scree_contact_branch(const model *m, const state *s, const work *w, int kind, int64_t k)
{
	const pair_list *l = s->pair + kind;
	const contact_work *c = &w->pair[kind].contact;
	if (pair_on_wall(kind)) return v3_neg(v3(c->px[k], c->py[k], c->pz[k]));
	vec3 apart = v3_sub(body_position(&s->body, l->ca[k]), body_position(&s->body, l->cb[k]));
	if (!m->period.on) return apart;
	return v3_sub(apart, s->images.shift[scree_world_image(m, s, kind, l->slot[k])]);
}

void scree_world_stress(const model *m, const state *s, const work *w, real stress[6])
{
	fixed tensor[6] = {{0}};
	vec3 size = s->images.size;
	add_motion(m, s, w, tensor);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row)
			if (scree_contact_counted(s, kind, c.row))
				fixed_add_product(tensor, 1, scree_contact_look(m, s, w, kind, c.row).force.force,
								  scree_contact_branch(m, s, w, kind, c.row));
	}
	w->domain.by->add(w->domain.at, 6, tensor);
	for (int k = 0; k < 6; ++k) stress[k] = scree_fixed_value(tensor[k]) / (size.x * size.y * size.z);
}

real scree_world_solid_fraction(const model *m, const state *s, const work *w)
{
	const vec3 size = s->images.size;
	const real volume = size.x * size.y * size.z;
	fixed sum = {0};
	for (int32_t i = 0; i < s->body.owned; ++i)
		scree_fixed_add(&sum, scree_world_volume(m, m->shape.row + s->body.shape[i], s->body.size[i]) / volume);
	w->domain.by->add(w->domain.at, 1, &sum);
	return scree_fixed_value(sum);
}

real scree_wall_push(const model *m, const state *s, const work *w, int32_t wall)
{
	fixed sum = {0};
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		if (!pair_on_wall(kind)) continue;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row)
			if (m->wall.surface_wall[l->cb[c.row]] == wall)
				scree_fixed_add(&sum, scree_contact_look(m, s, w, kind, c.row).force.normal);
	}
	w->domain.by->add(w->domain.at, 1, &sum);
	return scree_fixed_value(sum);
}
