/* stress: the stress tensor of the cell (Love and Weber; docs/theory/periodic.md): what fluctuating velocities
 * carry, and forces times branches. Sums in fixed point, so that no order changes them. */
#include "world/world.h"

typedef struct tensor {
	fixed at[6]; /* xx, yy, zz, xy, xz, yz */
} tensor;

/* the symmetric part of a times b */
static void add(tensor *t, real weight, vec3 a, vec3 b)
{
	scree_fixed_add(t->at + 0, weight * (a.x * b.x));
	scree_fixed_add(t->at + 1, weight * (a.y * b.y));
	scree_fixed_add(t->at + 2, weight * (a.z * b.z));
	scree_fixed_add(t->at + 3, weight * (a.x * b.y + a.y * b.x) / 2);
	scree_fixed_add(t->at + 4, weight * (a.x * b.z + a.z * b.x) / 2);
	scree_fixed_add(t->at + 5, weight * (a.y * b.z + a.z * b.y) / 2);
}

/* velocity beside the homogeneous flow */
static vec3 velocity_of(const scree_world *w, int32_t i)
{
	return v3_sub(body_velocity(&w->body, i), scree_periods_flow(&w->period, body_position(&w->body, i)));
}

static void add_motion(const scree_world *w, tensor *t)
{
	fixed sum[4] = {{0}}, *momentum = sum, *mass = sum + 3;
	for (int32_t i = 0; i < w->body.owned; ++i) {
		real m = w->body.inv_mass[i] > 0 ? w->body.mass[i] : 0;
		vec3 v = velocity_of(w, i);
		scree_fixed_add(mass, m);
		scree_fixed_add(momentum + 0, m * v.x);
		scree_fixed_add(momentum + 1, m * v.y);
		scree_fixed_add(momentum + 2, m * v.z);
	}
	w->parts.by->add(w->parts.at, 4, sum);
	real all = scree_fixed_value(*mass);
	if (!(all > 0)) return;
	vec3 mean = v3_mul(
		1 / all, v3(scree_fixed_value(momentum[0]), scree_fixed_value(momentum[1]), scree_fixed_value(momentum[2])));
	for (int32_t i = 0; i < w->body.owned; ++i) {
		vec3 v = v3_sub(velocity_of(w, i), mean);
		add(t, w->body.inv_mass[i] > 0 ? w->body.mass[i] : 0, v, v);
	}
}

/* from the centre of b (or its image) to that of a; of a wall from the contact point */
static vec3 branch(const scree_world *w, int kind, const pair_list *l, int64_t k)
{
	if (pair_on_wall(kind)) return v3_neg(v3(l->px[k], l->py[k], l->pz[k]));
	vec3 apart = v3_sub(body_position(&w->body, l->ca[k]), body_position(&w->body, l->cb[k]));
	return v3_sub(apart, w->period.shift[scree_world_image(w, kind, l->slot[k])]);
}

void scree_world_stress(const scree_world *w, real stress[6])
{
	tensor t = {{{0}}};
	vec3 size = w->period.size;
	add_motion(w, &t);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = w->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row)
			if (scree_contact_counted(w, kind, c.row))
				add(&t, 1, scree_contact_look(w, kind, c.row).force.force, branch(w, kind, l, c.row));
	}
	w->parts.by->add(w->parts.at, 6, t.at);
	for (int k = 0; k < 6; ++k) stress[k] = scree_fixed_value(t.at[k]) / (size.x * size.y * size.z);
}
