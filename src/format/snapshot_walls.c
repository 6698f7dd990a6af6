/* snapshot_walls: walls, facets and surfaces in a snapshot. */
#include "format/snapshot_parts.h"

#include "base/memory.h"

static void one_motion(snap_io *s, wall_motion *m)
{
	int32_t type = (int32_t)m->type;
	scree_snap_int_in(s, "type of a motion", &type, 0, MOTION_TYPES - 1);
	m->type = (motion_type)type;
	scree_snap_vec3(s, &m->velocity);
	scree_snap_vec3(s, &m->axis);
	scree_snap_vec3(s, &m->point);
	scree_snap_real(s, &m->rate);
	scree_snap_vec3(s, &m->amplitude);
	scree_snap_real(s, &m->frequency);
	scree_snap_real(s, &m->phase);
	scree_snap_real(s, &m->from);
	scree_snap_real(s, &m->ramp);
	scree_snap_real_or_inf(s, &m->until);
}

static void one_wall(snap_io *s, scree_world *w, wall *o)
{
	scree_snap_name(s, o->name, sizeof o->name);
	int32_t type = (int32_t)o->type, side = (int32_t)o->side;
	scree_snap_int_in(s, "type of a wall", &type, 0, WALL_TYPES - 1);
	o->type = (wall_type)type;
	scree_snap_int_in(s, "material of a wall", &o->material, 0, (int64_t)w->material.count - 1);
	scree_snap_bool(s, &o->two_sided);
	scree_snap_int_in(s, "side of a wall", &side, 0, SIDE_OUTSIDE);
	o->side = (wall_side)side;
	scree_snap_vec3(s, &o->point);
	scree_snap_vec3(s, &o->axis);
	scree_snap_real(s, &o->radius);
	scree_snap_real(s, &o->radius2);
	scree_snap_real_or_inf(s, &o->length);
	scree_snap_i32(s, &o->first_facet);
	scree_snap_i32(s, &o->facets);
	scree_snap_i32(s, &o->first_surface);
	scree_snap_i32(s, &o->surfaces);
	scree_snap_bool(s, &o->removed);
	one_motion(s, &o->motion);
	scree_snap_vec3(s, &o->place);
	scree_snap_quat(s, &o->turn);
	scree_snap_vec3(s, &o->velocity);
	scree_snap_vec3(s, &o->spin);
	scree_snap_vec3(s, &o->force);
	scree_snap_vec3(s, &o->torque);
}

static void one_facet(snap_io *s, walls *o, facet *f)
{
	scree_snap_int_in(s, "wall of a facet", &f->wall, 0, (int64_t)o->count - 1);
	scree_snap_int_in(s, "surface of a facet", &f->surface, 0, (int64_t)o->surfaces - 1);
	scree_snap_vec3(s, &f->normal);
	scree_snap_real(s, &f->off);
	scree_snap_int_in(s, "first corner of a facet", &f->first, 0, o->corners);
	scree_snap_int_in(s, "corners of a facet", &f->corners, 3, o->corners);
	scree_snap_vec3(s, &f->low);
	scree_snap_vec3(s, &f->high);
	if (s->reading && f->first > o->corners - f->corners)
		scree_snap_refuse(s, "a facet has corners that are not there");
}

/* the bounds are those of the corners: the grid over the facets relies on it */
static void check_facet(snap_io *s, const walls *o, int32_t row)
{
	const facet *f = o->facet + row;
	vec3 low = o->corner[f->first], high = low;
	for (int32_t k = 1; k < f->corners; ++k) {
		vec3 p = o->corner[f->first + k];
		low = v3(real_min(low.x, p.x), real_min(low.y, p.y), real_min(low.z, p.z));
		high = v3(real_max(high.x, p.x), real_max(high.y, p.y), real_max(high.z, p.z));
	}
	bool same = low.x == f->low.x && low.y == f->low.y && low.z == f->low.z && high.x == f->high.x &&
				high.y == f->high.y && high.z == f->high.z;
	real wide = real_max(high.x - low.x, real_max(high.y - low.y, high.z - low.z));
	if (!same || !(wide > 0 && wide <= (real)1e31))
		scree_snap_refuse(s, "the bounds of facet %d are not those of its corners", row);
}

/* Facets and surfaces lie in the order of walls, each wall's together. */
static void check_walls(snap_io *s, const walls *o)
{
	int64_t facets = 0, surfaces = 0, corners = 0;
	for (int32_t k = 0; s->ok && k < o->count; ++k) {
		const wall *w = o->row + k;
		bool fits =
			w->first_surface == surfaces && w->surfaces >= 1 && surfaces + w->surfaces <= o->surfaces &&
			w->facets >= 0 &&
			(w->type == WALL_FACETS ? w->facets > 0 && w->first_facet == facets && facets + w->facets <= o->facets
									: w->facets == 0 && w->surfaces == 1);
		if (!fits) scree_snap_refuse(s, "wall '%s' has facets or surfaces that are not there", w->name);
		if (!(w->length > 0 || w->type == WALL_PLANE || w->type == WALL_FACETS))
			scree_snap_refuse(s, "wall '%s' has length %g m", w->name, w->length);
		for (int32_t q = 0; s->ok && q < w->surfaces; ++q)
			if (o->surface_wall[surfaces + q] != k)
				scree_snap_refuse(s, "surface %lld is not of wall %d", (long long)surfaces + q, k);
		for (int32_t f = 0; s->ok && f < w->facets; ++f) {
			const facet *g = o->facet + facets + f;
			if (g->wall != k || g->surface < surfaces || g->surface >= surfaces + w->surfaces || g->first != corners)
				scree_snap_refuse(s, "facet %lld is not of wall '%s'", (long long)facets + f, w->name);
			else
				check_facet(s, o, (int32_t)facets + f);
			corners += g->corners;
		}
		facets += w->facets;
		surfaces += w->surfaces;
	}
	if (s->ok && (facets != o->facets || surfaces != o->surfaces || corners != o->corners))
		scree_snap_refuse(s, "there are facets, corners or surfaces of no wall");
}

static void make_room(walls *o)
{
	o->row = scree_alloc((size_t)o->count, sizeof *o->row);
	o->facet = scree_alloc((size_t)o->facets, sizeof *o->facet);
	o->capacity = o->count;
	o->facet_capacity = o->facets;
	o->corner_capacity = o->corners;
	o->surface_capacity = o->surfaces;
}

void scree_snap_walls(snap_io *s, scree_world *w)
{
	walls *o = &w->wall;
	scree_snap_count(s, "walls", &o->count, 300);
	scree_snap_count(s, "facets", &o->facets, 96);
	scree_snap_count(s, "corners", &o->corners, 60);
	scree_snap_count(s, "surfaces", &o->surfaces, 4);
	if (s->reading) make_room(o);
	for (int32_t k = 0; k < o->count; ++k) one_wall(s, w, o->row + k);
	for (int32_t k = 0; k < o->facets; ++k) one_facet(s, o, o->facet + k);
	scree_snap_vec3s(s, &o->corner, o->corners);
	scree_snap_vec3s(s, &o->outward, o->corners);
	scree_snap_i32s(s, "neighbour of a facet", &o->next, o->corners, EDGE_OPEN, (int64_t)o->facets - 1);
	scree_snap_reals(s, &o->bend, o->corners);
	scree_snap_i32s(s, "wall of a surface", &o->surface_wall, o->surfaces, 0, (int64_t)o->count - 1);
	if (s->reading) check_walls(s, o);
}
