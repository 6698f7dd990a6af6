/* overlap_join: the energy of overlaps with several surfaces of a wall (kernel/overlap_join.h). */
#include "base/memory.h"
#include "narrow/solid/overlap.h"
#include "narrow/touch_list.h"

static void effects_of_thickness(overlap_room *r)
{
	r->view = scree_wall_least(r->view, r->members, &r->view_capacity, sizeof *r->view);
	for (int32_t k = 0; k < r->members; ++k) {
		scree_thickness_region(&r->member[k].sum, &r->view[k].own);
		r->view[k].height = r->member[k].at.height;
	}
	join_effects(r->view, r->bond, r->members, r->effect);
}

static void effects_of_volume(overlap_room *r, real smaller)
{
	for (int32_t k = 0; k < r->members; ++k) {
		const real own = scree_overlap_volume(&r->member[k].sum);
		real volume = 0;
		for (int32_t i = 0; i < r->members; ++i)
			volume += r->bond[k * r->members + i].part * real_max(scree_overlap_volume(&r->member[i].sum), 0);
		if (own > 0) scree_volume_effect(&r->member[k].sum, own, volume / smaller, r->effect + k);
	}
}

void scree_overlap_join(overlap_room *r, real smaller)
{
	r->effect = scree_wall_least(r->effect, r->members, &r->effect_capacity, sizeof *r->effect);
	r->shared = scree_wall_least(r->shared, r->members, &r->shared_capacity, sizeof *r->shared);
	for (int32_t k = 0; k < r->members; ++k) r->effect[k] = overlap_no_effect();
	if (r->member->sum.of == ENERGY_OF_VOLUME)
		effects_of_volume(r, smaller);
	else
		effects_of_thickness(r);
	join_share_energy(r->effect, r->bond, r->members, r->shared);
	for (int32_t k = 0; k < r->members; ++k) {
		member_overlap *m = r->member + k;
		m->any = r->effect[k].energy > 0;
		if (m->any) overlap_screw(r->effect + k, m->at.along, &m->contact);
	}
}

void scree_overlap_room_free(overlap_room *r)
{
	SCREE_FREE_ALL(r->member, r->bond, r->view, r->effect, r->shared, r->ridge);
	*r = (overlap_room){0};
}
