/* place_walls: tests a body against borders and walls. Regions, the bodies' side of a plane and the inside of a tube
 * are convex: they contain a body if they contain its corners, or the balls of a clump. Facets are tested against the
 * body's triangles or balls. The outside of a tube and the solid polygons of the plane are tested against its bounding
 * sphere. */
#include "scene/place_apart.h"

#include "kernel/quat.h"
#include "population/population.h"
#include "wall/facets.h"
#include "shape/shapes.h"
#include "shape/shape_forms.h"
#include "world/world.h"

/* a superquadric is farther out than its triangles by at most this part of its radius */
static const real SAGITTA = 2.5e-3;

/* Number of balls whose convex hull contains the body: its own balls, or its corners with their halo. */
static int32_t balls_of(const shape *s)
{
	if (s->type == SHAPE_CONVEX) return s->vertices;
	if (s->type == SHAPE_POLYGON) return s->flat.corners;
	if (s->type == SHAPE_SUPERQUADRIC) return s->skin->vertices;
	if (s->type == SHAPE_CAPSULE) return 2;
	if (s->mesh.triangles) return s->mesh.vertices;
	return s->type == SHAPE_CLUMP ? s->parts : 1;
}

static shape_ball ball_of(const placed *o, int32_t k)
{
	const shape *s = o->shape;
	shape_ball b = {v3(0, 0, 0), s->radius};
	if (s->type == SHAPE_CONVEX) b = (shape_ball){shape_vertex(s, k), 0};
	if (s->type == SHAPE_POLYGON) b = (shape_ball){v3(s->flat.corner[k].x, s->flat.corner[k].y, 0), 0};
	if (s->type == SHAPE_SUPERQUADRIC) b = (shape_ball){s->skin->vertex[k], SAGITTA * s->radius};
	if (s->type == SHAPE_CAPSULE)
		b = (shape_ball){v3(0, 0, k ? scree_capsule_half(s) : -scree_capsule_half(s)), s->semi_x};
	if (s->mesh.triangles) b = (shape_ball){s->mesh.vertex[k], s->halo};
	if (s->type == SHAPE_CLUMP) b = (shape_ball){s->part[k].at, s->part[k].radius};
	return (shape_ball){v3_madd(o->at, o->size, mat3_mul(o->turn, b.at)), b.radius * o->size};
}

bool scree_shape_in_region(const placed *o, const region *own, const region *open)
{
	bool in = scree_region_holds(own, o->at, 0);
	if (own->type == REGION_SEGMENT) return in; /* bodies may extend beyond a line */
	for (int32_t k = 0; in && k < balls_of(o->shape); ++k) {
		const shape_ball b = ball_of(o, k);
		in = scree_region_holds(open, b.at, b.radius);
	}
	return in;
}

/* m: distance from the wall to p, on the side `side` */
static real clearance(const wall *w, vec3 p, real side)
{
	const vec3 d = v3_sub(p, w->point);
	const real along = v3_dot(d, w->axis);
	if (w->type == WALL_PLANE) return side * along;
	const real taper = w->type == WALL_CONE ? (w->radius2 - w->radius) / w->length : 0;
	return (w->radius + taper * along - v3_norm(v3_madd(d, -along, w->axis))) / sqrt(1 + taper * taper);
}

static bool has_convex_side(const wall *w)
{
	return w->type == WALL_PLANE || ((w->type == WALL_CYLINDER || w->type == WALL_CONE) && w->side == SIDE_INSIDE);
}

/* Tests a body in the wall's frame. Tubes count as infinite; a body outside of a tube is clear of it. */
static bool clears_form(const wall *w, const placed *o)
{
	const bool behind = clearance(w, o->at, 1) < 0;
	if (behind && w->type != WALL_PLANE) return clearance(w, o->at, 1) < -o->size * o->shape->radius;
	for (int32_t k = 0; k < balls_of(o->shape); ++k) {
		const shape_ball b = ball_of(o, k);
		if (!(clearance(w, b.at, behind && w->two_sided ? -1 : 1) > b.radius)) return false;
	}
	return true;
}

static bool clears_triangle(const placed *o, const trimesh *skin, const vec3 t[3])
{
	if (skin) {
		vec3 own[3];
		for (int k = 0; k < 3; ++k) own[k] = v3_mul(1 / o->size, mat3_tmul(o->turn, v3_sub(t[k], o->at)));
		return scree_mesh_triangle_apart(skin, own, o->shape->halo);
	}
	for (int32_t k = 0; k < balls_of(o->shape); ++k) {
		const shape_ball b = ball_of(o, k);
		if (!scree_triangle_ball_apart(t, b.at, b.radius)) return false;
	}
	return true;
}

static bool clears_facets(const scree_world *w, int32_t wall, const placed *o, const trimesh *skin)
{
	const real radius = o->size * o->shape->radius;
	const vec3 grown = v3(radius, radius, radius);
	facet_list near = {0};
	bool clear = true;
	scree_facet_grid_query(w->model.grid[wall], &w->model.wall, v3_sub(o->at, grown), v3_add(o->at, grown), &near);
	for (int32_t n = 0; clear && n < near.count; ++n) {
		const facet *f = w->model.wall.facet + near.facet[n];
		const vec3 *p = w->model.wall.corner + f->first;
		for (int32_t k = 2; clear && k < f->corners; ++k)
			clear = clears_triangle(o, skin, (const vec3[3]){p[0], p[k - 1], p[k]});
	}
	scree_facet_list_free(&near);
	return clear;
}

static bool clears_wall(const scree_world *w, int32_t k, const placed *o, const trimesh *skin)
{
	const wall *l = w->model.wall.row + k;
	const wall_state *at = w->state.wall + k;
	const mat3 turn = quat_matrix(quat_conj(at->orientation));
	const placed seen = {o->shape,
						 mat3_mul(turn, v3_sub(o->at, at->position)),
						 {mat3_mul(turn, o->turn.x), mat3_mul(turn, o->turn.y), mat3_mul(turn, o->turn.z)},
						 o->size};
	if (shape_is_curved(seen.shape)) return !scree_curved_meets_wall(&w->model, k, &seen);
	if (l->type == WALL_FACETS) return clears_facets(w, k, &seen, skin);
	return has_convex_side(l) ? clears_form(l, &seen)
							  : !scree_ball_meets_wall(&w->model, &w->state, k, o->at, o->size * o->shape->radius);
}

bool scree_shape_off_walls(const scree_world *w, const placed *o, int32_t material, const trimesh *skin)
{
	for (int32_t k = 0; k < w->model.wall.count; ++k) {
		const wall *l = w->model.wall.row + k;
		if (!l->removed && wall_acts_on(l, material) && !clears_wall(w, k, o, skin)) return false;
	}
	return true;
}
