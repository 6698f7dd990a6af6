/* wall_forms: intersections of rays with planes, cylinders and cones in closed form, so that no facets are visible at
 * any magnification. A plane that closes a tube (across its axis, between its ends) is drawn only inside the tube.
 * Planes that meet end where they intersect; an unbounded plane fades with distance from the scene. An infinite
 * tube ends at planes across it or, without such planes, near the bodies. Each end of a tube has a rim, a narrow ring,
 * so that a cut-open shell remains visible. */
#include "base/memory.h"
#include "kernel/quat.h"
#include "render/picture.h"
#include "wall/forms.h"

#include <math.h>

static const real RIM = 0.025; /* width of a rim relative to the radius of the tube */

void scree_tube_ends(const scree_world *w, const wall *tube, vec3 point, vec3 axis, real ends[2])
{
	ends[0] = 0;
	ends[1] = tube->length;
	if (isfinite(tube->length)) return;
	real low = 1e300, high = -1e300;
	for (int32_t i = 0; i < w->state.body.count; ++i) {
		real s = v3_dot(axis, v3_sub(body_position(&w->state.body, i), point)), r = w->state.body.radius[i];
		low = real_min(low, s - r);
		high = real_max(high, s + r);
	}
	if (low > high) low = high = 0;
	real middle = (low + high) / 2;
	bool below = false, above = false;
	for (int32_t k = 0; k < w->model.wall.count; ++k) {
		const wall *l = &w->model.wall.row[k];
		if (l->type != WALL_PLANE || l->removed) continue;
		real along = v3_dot(axis, wall_axis(w, l)), s = v3_dot(axis, v3_sub(wall_point(w, l, l->point), point));
		if (real_abs(along) < 0.99) continue;
		if (s <= middle && (!below || s > low)) {
			low = s;
			below = true;
		} else if (s > middle && (!above || s < high)) {
			high = s;
			above = true;
		}
	}
	ends[0] = below ? low : low - 0.2 * tube->radius;
	ends[1] = above ? high : high + 0.2 * tube->radius;
}

static void add_rim(wall_view *v, const surface *tube, real s)
{
	surface *r = &v->row[v->count++];
	*r = *tube;
	r->kind = SURFACE_RING;
	r->point = v3_madd(tube->point, s, tube->axis);
	real radius = tube->radius + tube->slope * s, width = RIM * real_max(tube->radius, radius);
	r->radius = tube->inner > 0 ? radius : radius - width;
	r->outer = tube->inner > 0 ? radius + width : radius;
}

static void add_tube(wall_view *v, const scree_world *w, int32_t row, const picture_frame *f)
{
	const wall *l = &w->model.wall.row[row];
	surface s = {.kind = SURFACE_TUBE, .wall = row, .inner = l->side == SIDE_INSIDE ? 1 : -1};
	vec3 axis = wall_axis(w, l), point = wall_point(w, l, l->point);
	real ends[2];
	scree_tube_ends(w, l, point, axis, ends);
	s.axis = axis;
	s.slope = l->type == WALL_CONE ? (l->radius2 - l->radius) / l->length : 0;
	s.radius = (l->radius + s.slope * ends[0]) * f->scale;
	s.length = (ends[1] - ends[0]) * f->scale;
	s.point = to_picture(f, v3_madd(point, ends[0], axis));
	s.turns = scree_wall_turns(l);
	s.e1 = quat_rotate(wall_now(w, l)->orientation, v3_across(l->axis));
	s.e2 = v3_cross(axis, s.e1);
	v->row[v->count++] = s;
	add_rim(v, &s, 0);
	add_rim(v, &s, s.length);
}

static void add_plane(wall_view *v, const scree_world *w, int32_t row, const picture_frame *f)
{
	const wall *l = &w->model.wall.row[row];
	surface *s = &v->row[v->count++];
	*s = (surface){.kind = SURFACE_PLANE, .wall = row, .inner = 1, .two_sided = l->two_sided};
	s->axis = wall_axis(w, l);
	s->point = to_picture(f, wall_point(w, l, l->point));
}

/* Finds the discs on which this plane closes tubes. */
static void find_discs(const wall_view *v, surface *plane)
{
	for (int32_t k = 0; k < v->count && plane->discs < SURFACE_DISCS; ++k) {
		const surface *t = &v->row[k];
		if (t->kind != SURFACE_TUBE || t->inner < 0 || real_abs(v3_dot(t->axis, plane->axis)) < 0.99) continue;
		real s = v3_dot(plane->axis, v3_sub(plane->point, t->point)) / v3_dot(plane->axis, t->axis);
		real slack = 0.05 * real_max(t->length, t->radius);
		if (s < -slack || s > t->length + slack) continue;
		disc d = {v3_madd(t->point, s, t->axis), t->radius + t->slope * real_clamp(s, 0, t->length)};
		plane->disc[plane->discs++] = d;
	}
}

wall_view scree_wall_view(const scree_world *w, const picture_frame *f)
{
	wall_view v = {.fade = 0.95};
	v.row = scree_alloc(3 * (size_t)w->model.wall.count, sizeof *v.row);
	for (int32_t k = 0; k < w->model.wall.count; ++k) {
		const wall *l = &w->model.wall.row[k];
		if (l->removed) continue;
		if (l->type == WALL_PLANE) add_plane(&v, w, k, f);
		if (l->type == WALL_CYLINDER || l->type == WALL_CONE) add_tube(&v, w, k, f);
	}
	for (int32_t k = 0; k < v.count; ++k)
		if (v.row[k].kind == SURFACE_PLANE) find_discs(&v, &v.row[k]);
	return v;
}

bool scree_wall_view_has(wall_type type)
{
	/* plane.c draws polygons */
	return type == WALL_PLANE || type == WALL_CYLINDER || type == WALL_CONE || type == WALL_FACETS ||
		   type == WALL_POLYGON;
}

void scree_wall_view_free(wall_view *v) { scree_free(v->row); }

/* Opacity of the plane at p; 0 where it is not drawn. */
static real plane_alpha(const wall_view *v, const surface *s, vec3 p)
{
	for (int32_t k = 0; k < s->discs; ++k)
		if (v3_norm(v3_sub(p, s->disc[k].centre)) <= s->disc[k].radius) return 1;
	if (s->discs) return 0;
	for (int32_t k = 0; k < v->count; ++k) {
		const surface *o = &v->row[k];
		if (o == s || o->kind != SURFACE_PLANE || o->two_sided || o->discs) continue;
		if (v3_dot(o->axis, v3_sub(p, o->point)) < -1e-4) return 0;
	}
	return 1 - smooth_step(v->fade, 1.6 * v->fade, v3_norm(p));
}

static bool hit_plane(const wall_view *v, const surface *s, vec3 from, vec3 dir, real low, real high, wall_hit *hit)
{
	real along = v3_dot(s->axis, dir);
	if (real_abs(along) < 1e-9) return false;
	real t = v3_dot(s->axis, v3_sub(s->point, from)) / along;
	if (!(t > low && t < high)) return false;
	vec3 p = v3_madd(from, t, dir);
	if (s->kind == SURFACE_RING) {
		real r = v3_norm(v3_sub(p, s->point));
		if (r < s->radius || r > s->outer) return false;
		*hit = (wall_hit){.t = t, .normal = s->axis, .both = true, .edge = true, .alpha = 1, .wall = s->wall};
		return true;
	}
	real alpha = plane_alpha(v, s, p);
	if (alpha <= 0) return false;
	*hit = (wall_hit){.t = t, .normal = s->axis, .both = s->two_sided, .alpha = alpha, .wall = s->wall};
	return true;
}

/* Darkness of twelve fine lines along the shell, which make rotation visible. */
static real mark(const surface *s, vec3 out, real radius)
{
	if (!s->turns) return 0;
	real part = atan2(v3_dot(out, s->e2), v3_dot(out, s->e1)) / (2 * SCREE_PI) * 12;
	real off = real_abs(part - floor(part + 0.5)) * 2 * SCREE_PI / 12;
	return 1 - smooth_step(0.006, 0.014, off * (radius > 0 ? 1 : 0));
}

static bool hit_tube(const surface *s, vec3 from, vec3 dir, real low, real high, wall_hit *hit)
{
	vec3 o = v3_sub(from, s->point);
	real os = v3_dot(o, s->axis), ds = v3_dot(dir, s->axis), r = s->radius + s->slope * os, k = s->slope;
	real a = v3_norm2(dir) - ds * ds - k * k * ds * ds;
	real b = v3_dot(o, dir) - os * ds - k * ds * r;
	real c = v3_norm2(o) - os * os - r * r;
	real root = b * b - a * c;
	if (root < 0 || real_abs(a) < 1e-14) return false;
	root = sqrt(root);
	real t[2] = {(-b - root) / a, (-b + root) / a};
	bool found = false;
	for (int i = 0; i < 2; ++i) {
		real along = os + t[i] * ds, radius = s->radius + k * along;
		if (!(t[i] > low && t[i] < high) || along < 0 || along > s->length || radius < 0) continue;
		vec3 out = v3_madd(v3_madd(o, t[i], dir), -along, s->axis);
		vec3 n = v3_unit(v3_mul(s->inner, v3_madd(v3_neg(v3_unit(out)), k, s->axis)));
		*hit = (wall_hit){.t = t[i], .normal = n, .alpha = 1, .mark = mark(s, out, radius), .wall = s->wall};
		high = t[i];
		found = true;
	}
	return found;
}

bool scree_wall_view_hit(const wall_view *v, vec3 from, vec3 dir, real low, real high, wall_hit *hit)
{
	bool found = false;
	for (int32_t k = 0; k < v->count; ++k) {
		const surface *s = &v->row[k];
		bool here = s->kind == SURFACE_TUBE ? hit_tube(s, from, dir, low, high, hit)
											: hit_plane(v, s, from, dir, low, high, hit);
		if (!here) continue;
		high = hit->t;
		found = true;
	}
	return found;
}

/* Draws walls with neither facets nor a closed form as triangles, which their row in the table of forms (wall/forms.h)
 * provides. A new form of wall therefore appears in pictures without further code. */

static int64_t add_point(void *to, vec3 p)
{
	wall_pieces *o = to;
	o->point = scree_room(o->point, o->points, &o->point_capacity, sizeof *o->point);
	o->point[o->points] = p;
	return o->points++;
}

static void add_cell(void *to, int64_t corners, const int64_t *corner)
{
	wall_pieces *o = to;
	for (int64_t k = 1; k + 1 < corners; ++k) {
		if (o->triangles == o->capacity) {
			int64_t capacity = o->capacity ? 2 * o->capacity : 256;
			o->corner = scree_grow(o->corner, 3 * (size_t)o->triangles, 3 * (size_t)capacity, sizeof *o->corner);
			o->wall = scree_grow(o->wall, (size_t)o->triangles, (size_t)capacity, sizeof *o->wall);
			o->capacity = capacity;
		}
		int64_t *to_corner = o->corner + 3 * o->triangles;
		to_corner[0] = corner[0], to_corner[1] = corner[k], to_corner[2] = corner[k + 1];
		o->wall[o->triangles++] = o->row;
	}
}

wall_pieces scree_wall_pieces(const scree_world *w, bool endless, vec3 middle, real radius)
{
	wall_pieces o = {0};
	wall_canvas c = {&o, add_point, add_cell, &w->model.shape, middle, radius, w->model.flat};
	for (o.row = 0; o.row < w->model.wall.count; ++o.row) {
		const wall *l = w->model.wall.row + o.row;
		if (l->removed || scree_wall_view_has(l->type) || (!endless && scree_wall_is_endless(l))) continue;
		scree_wall_forms[l->type].draw(&w->model.wall, l, w->state.wall + o.row, &c);
	}
	return o;
}

void scree_wall_pieces_free(wall_pieces *o) { SCREE_FREE_ALL(o->point, o->corner, o->wall); }
