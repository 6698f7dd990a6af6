/* camera: the extent of the scene, and the position of the camera. The extent is a set of spheres: the bodies, and
 * points along the rims of finite walls. A single plane is not part of the extent, but two opposite planes near the
 * bodies, as in a box, are. Moving walls that have left the scene are excluded. The default camera looks into a
 * horizontal drum mostly along its axis, and shows other scenes in a three-quarter view from above. The camera is as
 * close as it can be with all spheres of the extent inside the frame. Each of the four sides gives one linear
 * inequality in the distance and the lateral shift. These are solved exactly. The right side is kept free for the
 * legend, the top for the title. */
#include "base/memory.h"
#include "kernel/quat.h"
#include "render/picture.h"

#include <math.h>

margins scree_render_margins(const image_plan *plan)
{
	const bool bare = plan->bodies != BODIES_SOLID && !plan->forces && plan->arrows == ARROWS_NONE;
	return (margins){.left = 0.94,
					 .right = plan->no_legend || bare ? 0.94 : 0.74,
					 .bottom = plan->scale_bar || plan->axes ? 0.84 : 0.9,
					 .top = plan->no_title ? 0.94 : 0.84};
}

static void add(extent *e, vec3 at, real radius)
{
	if (!isfinite(at.x) || !isfinite(at.y) || !isfinite(at.z) || !isfinite(radius)) return;
	if (e->count == e->capacity) {
		int32_t room = e->capacity ? 2 * e->capacity : 64;
		e->at = scree_grow(e->at, (size_t)e->count, (size_t)room, sizeof *e->at);
		e->radius = scree_grow(e->radius, (size_t)e->count, (size_t)room, sizeof *e->radius);
		e->capacity = room;
	}
	e->at[e->count] = at;
	e->radius[e->count++] = radius;
}

vec3 scree_render_up(const scree_world *w)
{
	if (v3_norm(w->model.gravity) > 0) return v3_unit(v3_neg(w->model.gravity));
	return w->model.flat ? v3(0, 1, 0) : v3(0, 0, 1);
}

static void add_ring(extent *e, vec3 centre, vec3 axis, real radius)
{
	vec3 a = v3_across(axis), b = v3_cross(axis, a);
	for (int k = 0; k < 24; ++k) {
		real angle = 2 * SCREE_PI * k / 24;
		add(e, v3_madd(v3_madd(centre, radius * cos(angle), a), radius * sin(angle), b), 0);
	}
}

static void add_tube(extent *e, const scree_world *w, const wall *l, vec3 up)
{
	vec3 axis = wall_axis(w, l), point = wall_point(w, l, l->point);
	real ends[2];
	scree_tube_ends(w, l, point, axis, ends);
	real slope = l->type == WALL_CONE ? (l->radius2 - l->radius) / l->length : 0;
	for (int k = 0; k < 2; ++k) add_ring(e, v3_madd(point, ends[k], axis), axis, (l->radius + slope * ends[k]) * 1.03);
	if (!w->model.flat && l->type == WALL_CYLINDER && l->side == SIDE_INSIDE && real_abs(v3_dot(axis, up)) < 0.3) {
		e->drum = true;
		e->drum_axis = axis;
	}
}

static void add_facets(extent *e, const scree_world *w, const wall *l)
{
	for (int32_t f = l->first_facet; f < l->first_facet + l->facets; ++f) {
		const facet *at = &w->model.wall.facet[f];
		for (int32_t k = at->first; k < at->first + at->corners; ++k)
			add(e, wall_point(w, l, w->model.wall.corner[k]), 0);
	}
}

static void add_polygon(extent *e, const scree_world *w, const wall *l)
{
	const shape *s = l->form;
	for (int32_t k = 0; k < scree_shape_corners(s); ++k)
		add(e, wall_point(w, l, v3_add(s->centre, scree_shape_corner(s, k))), 0);
}

static void add_pieces(extent *e, const scree_world *w)
{
	wall_pieces all = scree_wall_pieces(w, false, v3(0, 0, 0), 0);
	for (int64_t k = 0; k < all.points; ++k) add(e, all.point[k], 0);
	scree_wall_pieces_free(&all);
}

/* In two dimensions, adds lines such as a floor, unless farther from the rest of the scene than its width. */
static void add_near_lines(extent *e, const scree_world *w)
{
	vec3 low = v3(INFINITY, INFINITY, 0), high = v3_neg(low);
	for (int32_t k = 0; k < e->count; ++k) {
		low = v3(real_min(low.x, e->at[k].x), real_min(low.y, e->at[k].y), 0);
		high = v3(real_max(high.x, e->at[k].x), real_max(high.y, e->at[k].y), 0);
	}
	vec3 middle = v3_mul(0.5, v3_add(low, high)), half = v3_sub(high, middle);
	for (int32_t k = 0; e->count && k < w->model.wall.count; ++k) {
		const wall *l = &w->model.wall.row[k];
		if (l->type != WALL_PLANE || l->removed) continue;
		vec3 n = wall_axis(w, l), p = wall_point(w, l, l->point);
		real off = v3_dot(n, v3_sub(middle, p)), reach = real_abs(n.x) * half.x + real_abs(n.y) * half.y;
		if (off - reach <= 2 * real_max(half.x, half.y)) add(e, v3_madd(middle, -off, n), 0);
	}
}

/* Adds the initial cell along periodic axes, so that films show its changes, or the domain if there are no bodies. */
static void add_cell(extent *e, const scree_world *w)
{
	vec3 low = w->model.period.low, high = v3_add(low, w->model.period.size), middle = v3_mul(0.5, v3_add(low, high));
	real wide = 0; /* images of bodies extend beyond the cell */
	for (int32_t i = 0; i < w->state.body.count; ++i) wide = real_max(wide, w->state.body.radius[i]);
	for (int32_t axis = 0; w->model.period.on && axis < 2; ++axis)
		for (int32_t end = 0; w->model.period.axis[axis] && end < 2; ++end) {
			vec3 p = e->count ? e->at[0] : middle;
			*v3_along(&p, axis) = v3_part(end ? high : low, axis);
			add(e, p, 2 * wide);
		}
	if (w->state.body.count || !w->model.guard.bounded) return;
	add(e, w->model.guard.low, 0);
	add(e, w->model.guard.high, 0);
}

void scree_render_cell(const scree_world *w, vec3 *low, vec3 *high)
{
	const bodies *b = &w->state.body;
	const images *now = &w->state.images;
	vec3 least = now->low, most = now->low;
	for (int32_t i = 0; i < b->count; ++i) {
		const vec3 p = body_position(b, i), r = v3(b->radius[i], b->radius[i], b->radius[i]);
		least = i ? v3_min(least, v3_sub(p, r)) : v3_sub(p, r);
		most = i ? v3_max(most, v3_add(p, r)) : v3_add(p, r);
	}
	*low = least;
	*high = most;
	for (int32_t axis = 0; axis < 3; ++axis)
		if (w->model.period.axis[axis]) {
			*v3_along(low, axis) = v3_part(now->low, axis);
			*v3_along(high, axis) = v3_part(now->low, axis) + v3_part(now->size, axis);
		}
}

/* Adds the present cell of a three-dimensional world. */
static void add_cell_in_space(extent *e, const scree_world *w)
{
	vec3 low, high;
	scree_render_cell(w, &low, &high);
	for (int k = 0; k < 8; ++k) add(e, v3(k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z), 0);
}

/* ---- walls that are part of the scene ---- */

typedef struct box {
	vec3 low, high;
} box;

static box box_of(const extent *e)
{
	box b = {v3(INFINITY, INFINITY, INFINITY), v3(-INFINITY, -INFINITY, -INFINITY)};
	for (int32_t i = 0; i < e->count; ++i) {
		const vec3 r = v3(e->radius[i], e->radius[i], e->radius[i]);
		b.low = v3_min(b.low, v3_sub(e->at[i], r));
		b.high = v3_max(b.high, v3_add(e->at[i], r));
	}
	return b;
}

/* Tests whether the distance between two boxes exceeds half the diagonal of the first. */
static bool is_away(box from, box b)
{
	const vec3 gap = v3_max(v3_sub(b.low, from.high), v3_sub(from.low, b.high));
	return v3_norm(v3_max(gap, v3(0, 0, 0))) > 0.5 * v3_norm(v3_sub(from.high, from.low));
}

static void add_wall(extent *e, const scree_world *w, const wall *l, vec3 up)
{
	if (l->removed) return;
	if (l->type == WALL_CYLINDER || l->type == WALL_CONE) add_tube(e, w, l, up);
	if (l->type == WALL_FACETS) add_facets(e, w, l);
	if (l->type == WALL_POLYGON) add_polygon(e, w, l);
}

/* Adds a moving wall, such as a gate, unless it has left the scene. */
static void add_moving(extent *e, const scree_world *w, const wall *l, vec3 up)
{
	extent own = {0};
	add_wall(&own, w, l, up);
	if (own.count && e->count && is_away(box_of(e), box_of(&own))) own.count = 0;
	for (int32_t k = 0; k < own.count; ++k) add(e, own.at[k], own.radius[k]);
	e->drum = e->drum || (own.drum && own.count);
	if (own.drum) e->drum_axis = own.drum_axis;
	scree_render_extent_free(&own);
}

static bool is_moving(const wall *l) { return l->motion.type != MOTION_STILL || l->parts; }

static void add_walls(extent *e, const scree_world *w, vec3 up)
{
	const walls *all = &w->model.wall;
	for (int32_t k = 0; k < all->count; ++k)
		if (!is_moving(&all->row[k])) add_wall(e, w, &all->row[k], up);
	for (int32_t k = 0; k < all->count; ++k)
		if (is_moving(&all->row[k])) add_moving(e, w, &all->row[k], up);
}

/* Adds a point, level with the middle of the bodies, on each of two opposite planes that are near the other parts. */
static void add_planes(extent *e, const scree_world *w, vec3 middle)
{
	const box scene = box_of(e);
	const bool any = e->count > 0;
	for (int32_t i = 0; i < w->model.wall.count; ++i) {
		const wall *a = &w->model.wall.row[i];
		if (a->type != WALL_PLANE || a->removed) continue;
		vec3 n = wall_axis(w, a), p = wall_point(w, a, a->point);
		for (int32_t j = 0; j < w->model.wall.count; ++j) {
			const wall *b = &w->model.wall.row[j];
			if (b->type != WALL_PLANE || b->removed || v3_dot(n, wall_axis(w, b)) > -0.99) continue;
			const vec3 at = v3_madd(middle, -v3_dot(n, v3_sub(middle, p)), n);
			if (!any || !is_away(scene, (box){at, at})) add(e, at, 0);
			break;
		}
	}
}

void scree_render_extent(extent *e, const scree_world *w, bool walls, bool bodies_only)
{
	const vec3 up = scree_render_up(w);
	for (int32_t i = 0; i < w->state.body.count; ++i) add(e, body_position(&w->state.body, i), w->state.body.radius[i]);
	const box bodies = box_of(e);
	const vec3 middle = e->count ? v3_mul(0.5, v3_add(bodies.low, bodies.high)) : v3(0, 0, 0);
	if (walls && !bodies_only) {
		add_walls(e, w, up);
		add_pieces(e, w);
		if (!e->drum) add_planes(e, w, middle);
		if (w->model.flat) add_near_lines(e, w);
	}
	if (w->model.flat && !bodies_only) add_cell(e, w);
	if (!w->model.flat && w->model.period.on) add_cell_in_space(e, w);
	if (e->count == 0) add(e, v3(0, 0, 0), 1);
}

void scree_render_extent_free(extent *e) { SCREE_FREE_ALL(e->at, e->radius); }

picture_frame scree_render_frame(const extent *e)
{
	const box b = box_of(e);
	const real radius = v3_norm(v3_sub(b.high, b.low)) / 2;
	return (picture_frame){v3_mul(0.5, v3_add(b.low, b.high)), radius > 0 ? 1 / radius : 1};
}

/* Replaces `up` by its component perpendicular to `dir`. If `up` is parallel to `dir`, uses another axis. */
static void stand_up(camera *c, vec3 up)
{
	vec3 right = v3_cross(c->dir, up);
	if (v3_norm(right) < 1e-6 * v3_norm(up)) right = v3_across(c->dir);
	c->right = v3_unit(right);
	c->up = v3_cross(c->right, c->dir);
}

static vec3 chosen_direction(const extent *e, vec3 up)
{
	vec3 side = real_abs(up.x) < 0.9 ? v3(1, 0, 0) : v3(0, 1, 0);
	vec3 right = v3_unit(v3_madd(side, -v3_dot(side, up), up)), ahead = v3_cross(up, right);
	if (!e->drum) return v3_unit(v3_madd(v3_madd(v3_mul(-0.5, right), 0.8, ahead), -0.42, up));
	vec3 axis = e->drum_axis;
	/* the direction along the axis in which the coordinate increases to the right in the picture */
	vec3 across = v3_cross(axis, up);
	if (across.x + across.y + across.z < 0) axis = v3_neg(axis);
	across = v3_unit(v3_cross(axis, up));
	return v3_unit(v3_madd(v3_madd(axis, 0.26, across), -0.17, up));
}

/* Finds the smallest distance, with the best shift, at which all spheres are within -low .. high of the frame. right,
 * left: distances required by the two sides without a shift */
static real fit(const extent *e, const picture_frame *f, vec3 axis, vec3 dir, real low, real high, real *right,
				real *left)
{
	real cl = sqrt(1 + low * low), ch = sqrt(1 + high * high);
	*right = *left = -1e300;
	for (int32_t i = 0; i < e->count; ++i) {
		vec3 p = to_picture(f, e->at[i]);
		real x = v3_dot(p, axis), z = v3_dot(p, dir), r = e->radius[i] * f->scale;
		*right = real_max(*right, (x + r * ch) / high - z);
		*left = real_max(*left, (-x + r * cl) / low - z);
	}
	real shift = (*right - *left) / (1 / high + 1 / low);
	return *right - shift / high;
}

/* Makes a perspective view parallel, of the same size at the target. All rays start in front of the scene. */
static void make_parallel(camera *c, real far, const image_plan *plan)
{
	c->parallel = true;
	c->half_height *= far;
	c->half_width *= far;
	c->pixel = 2 * c->half_height / plan->height;
	c->eye = v3_madd(c->eye, -3 - v3_dot(c->eye, c->dir), c->dir);
}

/* Lowest and highest coordinate of the extent's spheres along an axis. */
static void ends_along(const extent *e, const picture_frame *f, vec3 axis, real *low, real *high)
{
	*low = 1e300;
	*high = -1e300;
	for (int32_t i = 0; i < e->count; ++i) {
		const real x = v3_dot(to_picture(f, e->at[i]), axis), r = e->radius[i] * f->scale;
		*low = real_min(*low, x - r);
		*high = real_max(*high, x + r);
	}
}

/* The smallest parallel view that shows the whole extent within the margins. */
static void fit_parallel(camera *c, const extent *e, const image_plan *plan, const picture_frame *f)
{
	const margins m = scree_render_margins(plan);
	real left, right, bottom, top;
	ends_along(e, f, c->right, &left, &right);
	ends_along(e, f, c->up, &bottom, &top);
	const real across = (right - left) / (m.left + m.right) * plan->height / plan->width;
	const real half = real_max(real_max(across, (top - bottom) / (m.bottom + m.top)), 1e-3);
	const real wide = half * plan->width / plan->height;
	const real x = (left + right - wide * (m.right - m.left)) / 2, y = (bottom + top - half * (m.top - m.bottom)) / 2;
	c->half_height = c->half_width = 1;
	c->half_width *= (real)plan->width / plan->height;
	c->eye = v3_madd(v3_mul(x, c->right), y, c->up);
	make_parallel(c, half, plan);
}

/* The nearest camera position that shows the whole extent within the margins. */
static void fit_near(camera *c, const extent *e, const image_plan *plan, const picture_frame *f)
{
	const margins m = scree_render_margins(plan);
	real w = c->half_width, h = c->half_height, right, left, top, bottom;
	real across = fit(e, f, c->right, c->dir, m.left * w, m.right * w, &right, &left);
	real along = fit(e, f, c->up, c->dir, m.bottom * h, m.top * h, &top, &bottom);
	real d = real_max(across, along) + 1e-3;
	real x = ((right - d) * m.right * w + (d - left) * m.left * w) / 2,
		 y = ((top - d) * m.top * h + (d - bottom) * m.bottom * h) / 2;
	c->eye = v3_madd(v3_madd(v3_mul(-d, c->dir), x, c->right), y, c->up);
}

camera scree_render_camera(const extent *e, const image_plan *plan, vec3 up, const picture_frame *frame)
{
	camera c = {0};
	c.half_height = tan((plan->fov > 0 ? plan->fov : SCREE_PI / 6) / 2);
	c.half_width = c.half_height * plan->width / plan->height;
	c.pixel = 2 * c.half_height / plan->height;
	if (plan->has_camera) {
		c.eye = to_picture(frame, plan->eye);
		c.dir = v3_unit(v3_sub(plan->target, plan->eye));
		stand_up(&c, v3_norm(plan->up) > 0 ? plan->up : up);
		if (plan->parallel) make_parallel(&c, v3_norm(v3_sub(plan->target, plan->eye)) * frame->scale, plan);
		return c;
	}
	c.dir = chosen_direction(e, up);
	stand_up(&c, up);
	if (plan->parallel)
		fit_parallel(&c, e, plan, frame);
	else
		fit_near(&c, e, plan, frame);
	return c;
}

vec3 scree_lens_pixel(const lens *l, vec3 at)
{
	const camera *c = &l->view;
	const vec3 way = v3_sub(to_picture(&l->frame, at), c->eye);
	const real far = v3_dot(way, c->dir), by = c->parallel ? 1 : real_max(far, 1e-9);
	const real x = v3_dot(way, c->right) / (by * c->half_width), y = v3_dot(way, c->up) / (by * c->half_height);
	return v3(0.5 * l->width * (1 + x), 0.5 * l->height * (1 - y), far);
}

real scree_lens_scale(const lens *l, vec3 at)
{
	const real by = l->view.parallel ? 1 : real_max(scree_lens_pixel(l, at).z, 1e-9);
	return l->frame.scale * l->height / (2 * l->view.half_height * by);
}
