/* resident_walls.h: contacts of one sphere with one wall in the memory of a device, without their forces
 * (narrow/pairs_to_contacts.c, law/shares.c), and tests of walls that the host makes in usual steps. */
#ifndef SCREE_KERNEL_RESIDENT_WALLS_H
#define SCREE_KERNEL_RESIDENT_WALLS_H

#include "kernel/resident_contact.h"
#include "kernel/sphere_facets.h"

/* Memory of a device that contacts with walls need. */
typedef struct resident_walls {
	wall_table table;
	SCREE_GLOBAL const int32_t *near; /* rows of facets */
	SCREE_GLOBAL near_point *point;	  /* [rows] working memory */
	SCREE_GLOBAL wall_point *found;	  /* [rows] working memory */
	SCREE_GLOBAL resident_touch *touch;
} resident_walls;

SCREE_FN near_facets facets_of(const resident_walls *o, const resident_group *g)
{
	near_facets n = {&o->table, g->wall, g->facets, o->near + g->facet};
	return n;
}

/* position in the wall's frame */
SCREE_FN vec3 resident_at_wall(const columns *body, const resident_group *g, SCREE_GLOBAL const resident_wall *w,
							   mat3 turn)
{
	return mat3_tmul(turn, v3_sub(vector_in(body, SPHERE_x, g->body), w->position));
}

/* ------------------------------------------------------------------ contacts */

SCREE_FN void meet_wall(near_points *to, vec3 at, real radius, const near_facets *near)
{
	SCREE_GLOBAL const table_wall *w = wall_of_facets(near);
	if (w->type == WALL_FACETS) {
		rounded o = {at, radius, 0};
		meet_facets(to, &o, near);
		return;
	}
	const wall_point p = w->type == WALL_PLANE ? sphere_plane(at, radius, w) : sphere_tube(at, radius, w);
	to->point[0] = p;
	to->points = p.depth > 0 ? 1 : 0;
}

/* The contact in world axes. reach: distance within which cohesive contacts are found */
SCREE_FN resident_touch touch_of(const wall_point *p, mat3 turn, real reach, int32_t wall)
{
	const vec3 at = reach > 0 ? v3_madd(p->at, reach / 2, p->normal) : p->at;
	resident_touch t = {mat3_mul(turn, p->normal), mat3_mul(turn, at), reach > 0 ? p->depth - reach : p->depth, 1,
						wall};
	return t;
}

SCREE_FN real firmness_of(SCREE_GLOBAL const resident_touch *t, enum law_row law)
{
	return law == LAW_HERTZ ? sqrt(real_max(t->depth, 0)) : 1;
}

SCREE_FN real share_of(SCREE_GLOBAL const resident_touch *touch, const resident_group *g, int32_t k, enum law_row law)
{
	const real own = firmness_of(touch + k, law);
	const vec3 n = touch[k].normal;
	real sum = own;
	for (int32_t r = g->row; r < g->row + g->rows; ++r)
		if (r != k && touch_is(touch + r)) sum += firmness_of(touch + r, law) * real_max(v3_dot(n, touch[r].normal), 0);
	return own > 0 ? own / sum : 1;
}

/* Finds the contacts of a group. A cohesive contact may last after the surfaces have parted, which the law decides. */
SCREE_FN void resident_meet(const resident_memory *m, const resident_walls *o, const columns *rows,
							const resident_group *g)
{
	SCREE_GLOBAL const resident_wall *w = m->wall + g->wall;
	const mat3 turn = quat_matrix(w->orientation);
	const real reach = m->rule->reach;
	const near_facets near = facets_of(o, g);
	near_points all = {0, 0, g->rows, o->point + g->row, o->found + g->row};
	meet_wall(&all, resident_at_wall(&m->body, g, w, turn), real_in(&m->body, SPHERE_radius, g->body) + reach, &near);
	int32_t next = 0;
	for (int32_t k = g->row; k < g->row + g->rows; ++k) {
		const wall_point p = all.point[next < all.points ? next : 0];
		const bool found = next < all.points && p.surface == number_in(rows, ROW_cb, k);
		resident_touch t = touch_of(&p, turn, reach, g->wall);
		if (!found || (!(t.depth > 0) && !*touch_in(rows, k))) t.depth = -INFINITY;
		if (found) ++next;
		o->touch[k] = t;
	}
	const law_constants of =
		m->constants[number_in(&m->body, SPHERE_material, g->body) * m->rule->materials + w->material];
	for (int32_t k = g->row; g->rows > 1 && k < g->row + g->rows; ++k)
		if (touch_is(o->touch + k)) o->touch[k].share = share_of(o->touch, g, k, RESIDENT_LAW(&of));
}

/* ------------------------------------------------------------------ walls that the centre may cross */

SCREE_FN bool is_near_facet(const wall_table *s, SCREE_GLOBAL const facet *f, vec3 c, real far)
{
	const real h = facet_height(f, c);
	near_point a;
	if (real_abs(h) >= far || outside_box(f, c, far)) return false;
	closest_on_facet(s, f, c, h < 0, &a);
	return a.inside || v3_norm2(v3_sub(c, a.point)) < far * far;
}

/* Tests whether a point, in the wall's frame, is within this distance of the wall; also true for a bit farther points.
 */
SCREE_FN bool is_near_wall(const near_facets *near, vec3 c, real far)
{
	SCREE_GLOBAL const table_wall *w = wall_of_facets(near);
	if (w->type == WALL_PLANE) return real_abs(v3_dot(w->axis, v3_sub(c, w->point))) < far;
	if (w->type != WALL_FACETS) {
		const tube_side t = tube_side_of(c, w);
		const real along = (t.rho - w->radius) * t.sine + t.z * t.cosine;
		const real f = (t.rho - w->radius) * t.cosine - t.z * t.sine;
		return real_abs(f) < far && (!(w->length < INFINITY) || (along > -far && along < t.length + far));
	}
	for (int32_t i = 0; i < near->facets; ++i)
		if (is_near_facet(near->s, facet_near(near, i), c, far)) return true;
	return false;
}

/* Height of a point, in the wall's frame, above a wall with one side only; otherwise infinite. */
SCREE_FN real above_side(SCREE_GLOBAL const table_wall *w, vec3 c)
{
	const bool inside = w->type == WALL_CYLINDER && w->side == SIDE_INSIDE && !(w->length < INFINITY);
	if (w->type == WALL_PLANE && !w->two_sided) return v3_dot(w->axis, v3_sub(c, w->point));
	return inside ? w->radius - tube_side_of(c, w).rho : INFINITY;
}

/* Tests whether the next step needs no host because of this wall: the centre cannot cross it, and if it has one side
 * only, the whole body cannot be behind it then (narrow/bodies_through_walls.c). */
SCREE_FN bool resident_stays_apart(const resident_memory *m, const resident_walls *o, const resident_group *g)
{
	SCREE_GLOBAL const resident_wall *w = m->wall + g->wall;
	const near_facets near = facets_of(o, g);
	if (!(w->way > 0)) return true;
	const vec3 c = resident_at_wall(&m->body, g, w, quat_matrix(w->orientation));
	const real above = above_side(wall_of_facets(&near), c);
	if (above < INFINITY) return above + real_in(&m->body, SPHERE_radius, g->body) > w->way;
	return !is_near_wall(&near, c, w->way);
}

#endif
