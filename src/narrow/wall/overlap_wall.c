/* overlap_wall: a convex polyhedron and a wall, by the volume of the body behind the wall's surface: a plane, or facets
 * (overlap_facets.c). */
#include "narrow/wall/overlap_work.h"

static bool is_known(const wall *w)
{
	switch (w->type) {
	case WALL_PLANE:
	case WALL_CYLINDER:
	case WALL_CONE:
	case WALL_FACETS:
	case WALL_POLYGON: /* in worlds in the plane only */
		return true;
	default:
		return false;
	}
}

const char *scree_thickness_refuses(const walls *s, int32_t wall)
{
	const struct wall *w = s->row + wall;
	if (!is_known(w)) return "it supports planes, boxes, cylinders, cones, polygons and meshes";
	for (int32_t f = w->first_facet; w->type == WALL_FACETS && f < w->first_facet + w->facets; ++f)
		if (s->facet[f].corners > OVERLAP_CORNERS) return "it supports polygons of up to 250 corners";
	return NULL;
}

const char *scree_overlap_refuses(const walls *s, int32_t wall)
{
	const struct wall *w = s->row + wall;
	if (!is_known(w) || w->type == WALL_CYLINDER || w->type == WALL_CONE)
		return "it supports planes, boxes, polygons and meshes; a cylinder can be made of facets";
	return scree_thickness_refuses(s, wall);
}

static void at_plane(const placed *body, const wall *w, overlap_energy of, touch_list *out)
{
	real h = v3_dot(w->axis, v3_sub(body->at, w->point));
	vec3 n = w->two_sided && h < 0 ? v3_neg(w->axis) : w->axis;
	if ((h < 0 ? -h : h) >= placed_radius(body) && (h > 0 || w->two_sided)) return;
	if (!reaches(body, n, w->point)) return;
	cutting c;
	start(&c, body);
	if (!cut(&c, body, n, w->point)) return;
	overlap sum = scree_overlap_start(of, c.part + c.now, deepest(body, n), view_direction(body, n));
	scree_overlap_add(&sum, c.part + c.now);
	pressure on;
	pressure_start(&on);
	if (of == ENERGY_OF_VOLUME) scree_overlap_press(c.part + c.now, view_direction(body, n), &on);
	set_touch(out, w->first_surface, body, &sum, n, scree_pressure_arm(&on));
}

static void contacts_of(const placed *body, const walls *s, int32_t which, int32_t facets, const int32_t *candidate,
						overlap_energy of, touch_list *out)
{
	const struct wall *w = s->row + which;
	out->count = out->points = 0;
	if (w->removed) return;
	if (w->type == WALL_PLANE) at_plane(body, w, of, out);
	if (of == ENERGY_OF_THICKNESS && (w->type == WALL_CYLINDER || w->type == WALL_CONE))
		scree_thickness_round(body, w, out);
	if (w->type == WALL_FACETS) scree_overlap_facets(body, s, which, facets, candidate, of, out);
}

void scree_overlap_convex_wall(const placed *body, const walls *s, int32_t wall, int32_t facets, const int32_t *facet,
							   touch_list *out)
{
	contacts_of(body, s, wall, facets, facet, ENERGY_OF_VOLUME, out);
}

void scree_thickness_convex_wall(const placed *body, const walls *s, int32_t wall, int32_t facets, const int32_t *facet,
								 touch_list *out)
{
	contacts_of(body, s, wall, facets, facet, ENERGY_OF_THICKNESS, out);
}
