/* forms: selects the functions for a form of wall: contacts of spheres and polyhedra with the wall, and crossings of
 * the wall by a centre's path. The choice is made for each body near a wall in each step, so a switch is used instead
 * of a pointer. */
#include "narrow/flat/flat.h"
#include "narrow/wall/work.h"
#include "kernel/sphere_wall.h"

/* See narrow.h. */
void scree_sphere_wall(vec3 sphere, real radius, const near_wall *to, touch_list *out)
{
	const struct wall *w = to->s->row + to->wall;
	wall_point p;
	out->count = out->points = 0;
	if (w->removed) return;
	switch (w->type) {
	case WALL_PLANE:
		p = sphere_plane(sphere, radius, w);
		if (p.depth > 0) scree_touch_wall_point(out, &p);
		break;
	case WALL_CYLINDER:
	case WALL_CONE:
		p = sphere_tube(sphere, radius, w);
		if (p.depth > 0) scree_touch_wall_point(out, &p);
		break;
	case WALL_POLYGON:
		scree_flat_disc_wall(sphere, radius, w, out);
		break;
	case WALL_FACETS:
	case WALL_TYPES:
		scree_round_facets(NULL, sphere, radius, to, out);
		break;
	}
}

/* See narrow.h. */
void scree_convex_wall(const placed *body, const near_wall *to, touch_list *out)
{
	const struct wall *w = to->s->row + to->wall;
	out->count = out->points = 0;
	if (w->removed) return;
	switch (w->type) {
	case WALL_PLANE:
		scree_convex_plane(body, w, out);
		break;
	case WALL_CYLINDER:
	case WALL_CONE:
		scree_convex_round(body, w, out);
		break;
	case WALL_FACETS:
	case WALL_POLYGON: /* worlds in the plane only */
	case WALL_TYPES:
		scree_convex_facets(body, to, out);
		break;
	}
}

bool scree_crosses_form(const wall *w, const centre_way *c, wall_crossing *out)
{
	if (!scree_wall_has_sides(w)) return false;
	switch (w->type) {
	case WALL_PLANE:
		return scree_crosses_plane(w, c, out);
	case WALL_CYLINDER:
	case WALL_CONE:
		return scree_crosses_tube(w, c, out);
	case WALL_POLYGON:
		return scree_enters_polygon(w, c, out);
	case WALL_FACETS:
	case WALL_TYPES:
		break;
	}
	return false;
}

real scree_behind_form(const wall *w, vec3 at)
{
	if (scree_wall_has_sides(w)) return -(real)INFINITY;
	return w->type == WALL_PLANE ? -v3_dot(w->axis, v3_sub(at, w->point)) : scree_outside_tube(w, at);
}
