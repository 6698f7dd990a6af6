/* surface_surface: contacts between two closed surfaces. Trees find triangles that may be near each other (trees.c),
 * bounds select those that are near (pairs.c), and minima.c finds the features that touch. */
#include "base/memory.h"
#include "narrow/surface/room.h"

/* largest errors in single precision, relative to the sizes of two bodies, of coordinates and distances */
static const real FLOAT_ROUNDED = (real)5e-7;

void scree_surface_scratch_free(surface_scratch *s)
{
	if (s->room) {
		surface_sheet *o = &s->room->sheet;
		scree_surface_places_free(&s->room->of_a), scree_surface_places_free(&s->room->of_b);
		scree_surface_trees_free(s->room);
		SCREE_FREE_ALL(s->room->minimum, o->vertex, o->normal, o->corner, o->across, o->first, o->row, o->surface,
					   o->bend, o->from);
	}
	scree_free(s->room);
	*s = (surface_scratch){0};
}

/* ------------------------------------------------------------------ one surface inside the other */

static bool holds(const placed_surface *a, const placed_surface *b)
{
	vec3 p = v3_add(v3_sub(b->at, a->at), mat3_mul(b->turn, v3_mul(b->size, b->of->vertex[0])));
	p = v3_mul(1 / a->size, mat3_tmul(a->turn, p));
	const trimesh_node *n = a->of->node;
	return p.x > n->low.x && p.x < n->high.x && p.y > n->low.y && p.y < n->high.y && p.z > n->low.z &&
		   p.z < n->high.z && scree_trimesh_inside(a->of, p) > 0;
}

static real snap_of(const placed_surface *a, const placed_surface *b)
{
	real shortest = real_min(a->of->shortest * a->size, b->of->shortest * b->size);
	return SURFACE_SNAP * shortest + SURFACE_ROUNDED * (a->of->extent * a->size + b->of->extent * b->size);
}

real scree_surface_surface(const placed_surface *a, const placed_surface *b, surface_scratch *scratch, point_list *out,
						   bool *crossed)
{
	const real reach = a->halo + b->halo,
			   rounded = SURFACE_ROUNDED * (a->of->extent * a->size + b->of->extent * b->size);
	const real apart = scree_surface_boxes_apart(a, b) - rounded;
	*crossed = false;
	if (apart > reach) {
		++scratch->counts.boxes;
		return apart - reach;
	}
	surface_job j = {.reach = reach,
					 .snap = snap_of(a, b),
					 .least = INFINITY,
					 .room = scree_surface_room(scratch),
					 .how = scratch->how,
					 .counts = &scratch->counts,
					 /* otherwise the batches would depend on how the work is divided among threads */
					 .team = scratch->how.way == TRIANGLES_BATCHES ? NULL : scratch->team};
	if (j.how.in_float) j.rounded = FLOAT_ROUNDED * (reach + a->of->extent * a->size + b->of->extent * b->size);
	j.a = scree_skin_of(a, a->at, &j.room->of_a), j.b = scree_skin_of(b, a->at, &j.room->of_b);
	scree_surface_trees(&j, a, b, reach + rounded);
	const int32_t before = out->count;
	const real shortest = real_min(a->of->shortest * a->size, b->of->shortest * b->size);
	const surface_rule rule = {reach, shortest, a->round, b->round};
	scree_surface_contacts(j.room, &rule, j.counts, out);
	if (out->count == before && !j.crossed) j.crossed = holds(a, b) || holds(b, a);
	*crossed = j.crossed;
	return out->count > before || j.crossed ? 0 : real_max(j.least - rounded - reach, 0);
}
