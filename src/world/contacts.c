/* contacts: what the contacts of a world are at one moment, for those who look at it between steps. */
#include "world/parts.h"

#include "kernel/sphere_contact.h"

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

real scree_contact_part(const scree_world *w, int kind, int64_t k)
{
	const pair_list *l = w->pair + kind;
	real small = w->body.round[l->ca[k]];
	if (kind < PAIR_SPHERE_WALL) small = real_min(small, w->body.round[l->cb[k]]);
	return scree_contact_look(w, kind, k).depth / (2 * small);
}

static bool slides(const scree_world *w, int kind, int64_t k)
{
	const pair_list *l = w->pair + kind;
	bool on_wall = kind == PAIR_SPHERE_WALL || kind == PAIR_CONVEX_WALL;
	int32_t mb = on_wall ? w->wall.row[w->wall.surface_wall[l->cb[k]]].material : w->body.material[l->cb[k]];
	const law_constants *of = w->constants + w->body.material[l->ca[k]] * w->material.count + mb;
	contact_look c = scree_contact_look(w, kind, k);
	real across = v3_norm(v3_madd(c.force.force, -v3_dot(c.force.force, c.normal), c.normal));
	/* a face that turns slips by less force across: what its spring holds tells it */
	if (l->spun[k] != 0) across = real_max(across, sqrt(2 * of->shear * l->stiff[k] * l->bent[k]));
	return across >= (1 - (real)1e-9) * of->friction * c.force.normal;
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

/* The code of the axis (solid/convex_pair.h): faces come before pairs of edges, of which those beyond 32 bits have code
 * 0. */
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
