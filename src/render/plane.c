/* plane: pictures of two-dimensional worlds, as outlines. Bodies have their colours and a thin, darker border. Discs
 * have a radius line that shows their rotation. Walls are strips behind the lines that bodies touch. x points to the
 * right and y upwards, whatever the direction of gravity, unless a camera is given. The drawing order is: circles
 * around bodies, lines, obstacles, bodies in the order of ids, and the cell. */
#include "kernel/quat.h"
#include "render/page.h"

#include <math.h>

static const vec3 wall_fill = {0.86, 0.87, 0.885}, wall_hatch = {0.70, 0.72, 0.75}, wall_edge = {0.33, 0.36, 0.41},
				  cell_frame = {0.45, 0.48, 0.53};

typedef struct plane {
	const scree_world *w;
	page *out;
	cairo_t *to;
	lens view;
	real scale; /* px/m */
	real unit;	/* unit of line widths, in px */
	const image_plan *plan;
} plane;

/* ---- positions in the picture ---- */

static vec3 to_pixels(const plane *p, vec3 at) { return scree_lens_pixel(&p->view, at); }

static vec3 way_to_pixels(const plane *p, vec3 v)
{
	return v3(v3_dot(v, p->view.view.right), -v3_dot(v, p->view.view.up), 0);
}

/* The lens that puts `middle` at the pixel x, y. */
static lens lens_at(const image_plan *plan, vec3 middle, vec3 up, real scale, real x, real y)
{
	lens l = {.frame = {.centre = middle, .scale = 1}, .width = plan->width, .height = plan->height, .flat = true};
	camera *c = &l.view;
	c->parallel = true;
	c->dir = v3(0, 0, -1);
	c->up = up;
	c->right = v3(up.y, -up.x, 0);
	c->half_width = plan->width / (2 * scale);
	c->half_height = plan->height / (2 * scale);
	c->eye = v3_madd(v3_mul((0.5 * plan->width - x) / scale, c->right), (y - 0.5 * plan->height) / scale, c->up);
	c->eye.z += 1;
	return l;
}

static lens look_by_camera(const image_plan *plan)
{
	vec3 up = v3(plan->up.x, plan->up.y, 0);
	real half = v3_norm(v3_sub(plan->target, plan->eye)) * tan((plan->fov > 0 ? plan->fov : SCREE_PI / 6) / 2);
	return lens_at(plan, v3(plan->target.x, plan->target.y, 0), v3_norm(up) > 0 ? v3_unit(up) : v3(0, 1, 0),
				   plan->height / (2 * half), 0.5 * plan->width, 0.5 * plan->height);
}

static lens look_at_all(const image_plan *plan, const extent *e)
{
	const margins m = scree_render_margins(plan);
	vec3 low = v3(INFINITY, INFINITY, 0), high = v3(-INFINITY, -INFINITY, 0);
	for (int32_t k = 0; k < e->count; ++k) {
		low = v3(real_min(low.x, e->at[k].x - e->radius[k]), real_min(low.y, e->at[k].y - e->radius[k]), 0);
		high = v3(real_max(high.x, e->at[k].x + e->radius[k]), real_max(high.y, e->at[k].y + e->radius[k]), 0);
	}
	const vec3 size = v3_sub(high, low);
	const real w = 0.5 * plan->width, h = 0.5 * plan->height;
	real scale = real_min((m.left + m.right) * w / size.x, (m.bottom + m.top) * h / size.y);
	if (!isfinite(scale)) scale = w;
	return lens_at(plan, v3_mul(0.5, v3_add(low, high)), v3(0, 1, 0), scale, w + 0.5 * (m.right - m.left) * w,
				   h + 0.5 * (m.bottom - m.top) * h);
}

lens scree_plane_lens(const image_plan *plan, const extent *e)
{
	return plan->has_camera ? look_by_camera(plan) : look_at_all(plan, e);
}

/* ---- paths ---- */

static void trace_circle(const plane *p, vec3 centre, real radius)
{
	cairo_new_sub_path(p->to);
	cairo_arc(p->to, centre.x, centre.y, radius, 0, 2 * SCREE_PI);
	cairo_close_path(p->to);
}

static void trace_polygon(const plane *p, int32_t count, const vec3 *corner)
{
	for (int32_t k = 0; k < count; ++k) cairo_line_to(p->to, corner[k].x, corner[k].y);
	cairo_close_path(p->to);
}

static void fill(const plane *p, vec3 srgb)
{
	scree_page_ink(p->out, srgb, 1);
	cairo_fill(p->to);
}

/* The picture's colour for a wall, times `part`; `tone` if the picture sets no colour for the wall. */
static vec3 tone_of(const plane *p, const wall *l, real part, vec3 tone)
{
	const vec3 *own = scree_colour_of_wall(p->plan, l->name);
	return own ? v3_mul(part, *own) : tone;
}

static vec3 edge_of(const plane *p, const wall *l) { return tone_of(p, l, 0.6, wall_edge); }

/* Fills the path and hatches it; the hatching continues from wall to wall. */
static void fill_wall(const plane *p, const wall *l)
{
	const real between = 8 * p->unit * sqrt(2);
	real x0, y0, x1, y1;
	scree_page_ink(p->out, tone_of(p, l, 1, wall_fill), 1);
	cairo_fill_preserve(p->to);
	cairo_save(p->to);
	cairo_clip(p->to);
	cairo_clip_extents(p->to, &x0, &y0, &x1, &y1);
	for (real at = ceil((x0 + y0) / between) * between; at < x1 + y1; at += between) {
		cairo_move_to(p->to, at - y0, y0);
		cairo_line_to(p->to, at - y1, y1);
	}
	scree_page_ink(p->out, tone_of(p, l, 0.8, wall_hatch), 1);
	cairo_set_line_width(p->to, 1.6 * p->unit);
	cairo_stroke(p->to);
	cairo_restore(p->to);
}

/* Corners in px of the outline of a shape whose centroid is at `at`. The shape is rotated, then scaled. */
static vec3 *outline(const plane *p, const shape *s, vec3 at, mat3 turn, real size)
{
	vec3 *corner = scree_alloc((size_t)s->flat.corners, sizeof *corner);
	for (int32_t k = 0; k < s->flat.corners; ++k)
		corner[k] = to_pixels(p, v3_madd(at, size, mat3_mul(turn, scree_shape_corner(s, k))));
	return corner;
}

/* Corners of a convex polygon whose sides are moved inwards; corners of sides that vanish are moved to the middle. */
static void shrink(int32_t count, const vec3 *corner, real inset, vec3 *to)
{
	vec3 middle = v3(0, 0, 0);
	real area = 0;
	for (int32_t k = 0; k < count; ++k) {
		const vec3 a = corner[k], b = corner[(k + 1) % count];
		area += a.x * b.y - a.y * b.x;
		middle = v3_madd(middle, 1.0 / count, a);
	}
	const real turn = area > 0 ? 1 : -1;
	for (int32_t k = 0; k < count; ++k) {
		const vec3 in = v3_unit(v3_sub(corner[k], corner[(k + count - 1) % count])),
				   out = v3_unit(v3_sub(corner[(k + 1) % count], corner[k]));
		const vec3 n = v3(-turn * in.y, turn * in.x, 0), m = v3(-turn * out.y, turn * out.x, 0);
		const vec3 both = v3_add(n, m);
		const vec3 way = v3_mul(2 * inset / real_max(v3_norm2(both), 1e-9), both);
		const real room = v3_norm(v3_sub(middle, corner[k]));
		to[k] = v3_norm(way) < 0.5 * room ? v3_add(corner[k], way) : v3_mix(corner[k], middle, 0.5);
	}
}

/* Fills the outline, which is freed, with the colour of its border, and traces a path inside the border. */
static void fill_border(const plane *p, int32_t count, vec3 *corner, real width, vec3 srgb)
{
	vec3 *inner = scree_alloc((size_t)count, sizeof *inner);
	shrink(count, corner, width, inner);
	trace_polygon(p, count, corner);
	fill(p, srgb);
	trace_polygon(p, count, inner);
	SCREE_FREE_ALL(corner, inner);
}

/* ---- walls ---- */

static bool stands(const wall *l, wall_type type) { return l->type == type && !l->removed; }

static real strip_width(const plane *p) { return 12 * p->unit; }

static real edge_width(const plane *p) { return 1.6 * p->unit; }

/* The half plane nx x + ny y <= off, in px. */
typedef struct side {
	real nx, ny, off;
} side;

static side side_of(const plane *p, const wall *line)
{
	vec3 n = way_to_pixels(p, wall_axis(p->w, line)), at = to_pixels(p, wall_point(p->w, line, line->point));
	return (side){n.x, n.y, n.x * at.x + n.y * at.y};
}

enum { CORNERS = 256 };

typedef struct cut_shape {
	int32_t corners;
	vec3 corner[CORNERS];
} cut_shape;

static void cut_region(cut_shape *r, side s)
{
	cut_shape out = {0};
	for (int32_t k = 0; k < r->corners && out.corners < CORNERS - 1; ++k) {
		const vec3 a = r->corner[k], b = r->corner[(k + 1) % r->corners];
		const real da = s.nx * a.x + s.ny * a.y - s.off, db = s.nx * b.x + s.ny * b.y - s.off;
		if (da <= 0) out.corner[out.corners++] = a;
		if ((da <= 0) != (db <= 0)) out.corner[out.corners++] = v3_mix(a, b, da / (da - db));
	}
	*r = out;
}

static cut_shape page_region(const plane *p)
{
	const real m = 4 * strip_width(p), w = p->view.width + m, h = p->view.height + m;
	return (cut_shape){4, {{-m, -m, 0}, {w, -m, 0}, {w, h, 0}, {-m, h, 0}}};
}

/* Clips strips by the other walls, with a margin, so that strips meet at corners and end at a drum. */
static void cut_by_others(const plane *p, const wall *line, real width, cut_shape *r)
{
	for (int32_t k = 0; k < p->w->model.wall.count; ++k) {
		const wall *o = &p->w->model.wall.row[k];
		if (stands(o, WALL_PLANE) && o != line && !o->two_sided) {
			const side s = side_of(p, o);
			cut_region(r, (side){-s.nx, -s.ny, width - s.off});
		}
		if (stands(o, WALL_CYLINDER) && o->side == SIDE_INSIDE) {
			trace_circle(p, to_pixels(p, wall_point(p->w, o, o->point)), o->radius * p->scale + width);
			cairo_clip(p->to);
		}
	}
}

/* Draws a strip along a line; the strip extends `before` in front of the line and `behind` at its back. */
static void draw_strip(const plane *p, const wall *l, real before, real behind, bool edge)
{
	const side s = side_of(p, l);
	cut_shape r = page_region(p);
	cairo_save(p->to);
	cut_region(&r, (side){s.nx, s.ny, s.off + before});
	cut_region(&r, (side){-s.nx, -s.ny, behind - s.off});
	cut_by_others(p, l, behind, &r);
	if (r.corners > 2) {
		trace_polygon(p, r.corners, r.corner);
		if (edge)
			fill(p, edge_of(p, l));
		else
			fill_wall(p, l);
	}
	cairo_restore(p->to);
}

/* Draws all strips before any edges, so that strips do not hide the edges where walls meet. */
static void draw_lines(const plane *p)
{
	const walls *all = &p->w->model.wall;
	real edge = edge_width(p);
	for (int32_t k = 0; k < all->count; ++k)
		if (stands(&all->row[k], WALL_PLANE) && !all->row[k].two_sided)
			draw_strip(p, &all->row[k], 0, strip_width(p), false);
	for (int32_t k = 0; k < all->count; ++k)
		if (stands(&all->row[k], WALL_PLANE))
			draw_strip(p, &all->row[k], all->row[k].two_sided ? edge / 2 : 0, edge, true);
}

/* Draws twelve lines that show rotation. */
static void draw_ticks(const plane *p, const wall *l, real from, real to)
{
	enum { TICKS = 12 };
	if (!scree_wall_turns(l)) return;
	vec3 c = to_pixels(p, wall_point(p->w, l, l->point)),
		 x = way_to_pixels(p, quat_rotate(wall_now(p->w, l)->orientation, v3(1, 0, 0))), y = v3(-x.y, x.x, 0);
	for (int k = 0; k < TICKS; ++k) {
		real angle = 2 * SCREE_PI * k / TICKS;
		vec3 out = v3_madd(v3_mul(cos(angle), x), sin(angle), y);
		scree_page_line(p->out, v3_madd(c, from, out), v3_madd(c, to, out), edge_width(p), edge_of(p, l), 1);
	}
}

static void trace_ring(const plane *p, vec3 centre, real inner, real outer)
{
	trace_circle(p, centre, outer);
	cairo_new_sub_path(p->to);
	cairo_arc_negative(p->to, centre.x, centre.y, inner, 2 * SCREE_PI, 0);
	cairo_close_path(p->to);
}

static void draw_circle(const plane *p, const wall *l)
{
	vec3 c = to_pixels(p, wall_point(p->w, l, l->point));
	real r = l->radius * p->scale, strip = strip_width(p), line = edge_width(p);
	if (l->side == SIDE_INSIDE) {
		trace_ring(p, c, r, r + strip);
		fill_wall(p, l);
		draw_ticks(p, l, r, r + strip);
		trace_ring(p, c, r, r + line);
		fill(p, edge_of(p, l));
	} else {
		trace_circle(p, c, r);
		fill_wall(p, l);
		draw_ticks(p, l, real_max(r - strip, 0.5 * r), r);
		trace_ring(p, c, r - real_min(line, 0.2 * r), r);
		fill(p, edge_of(p, l));
	}
}

static void draw_polygon(const plane *p, const wall *l)
{
	const shape *s = l->form;
	vec3 *corner = outline(p, s, wall_point(p->w, l, s->centre), quat_matrix(wall_now(p->w, l)->orientation), 1);
	fill_border(p, s->flat.corners, corner, real_min(edge_width(p), 0.2 * s->inradius * p->scale), edge_of(p, l));
	fill_wall(p, l);
}

static void draw_walls(const plane *p)
{
	const walls *all = &p->w->model.wall;
	for (int32_t k = 0; k < all->count; ++k)
		if (stands(&all->row[k], WALL_CYLINDER) && all->row[k].side == SIDE_INSIDE) draw_circle(p, &all->row[k]);
	draw_lines(p);
	for (int32_t k = 0; k < all->count; ++k) {
		const wall *l = &all->row[k];
		if (stands(l, WALL_CYLINDER) && l->side == SIDE_OUTSIDE) draw_circle(p, l);
		if (stands(l, WALL_POLYGON)) draw_polygon(p, l);
	}
}

/* ---- bodies ---- */

/* The sRGB colours of a body: its inside, its border, and the line that shows its rotation. */
typedef struct tones {
	vec3 fill, border, mark;
} tones;

static void draw_polygonal_body(const plane *p, const shape *s, vec3 at, mat3 turn, real size, real border, tones c)
{
	fill_border(p, s->flat.corners, outline(p, s, at, turn, size), border, c.border);
	fill(p, c.fill);
}

static void trace_ellipse(const plane *p, vec3 c, vec3 x, real a, real b)
{
	cairo_matrix_t before;
	cairo_get_matrix(p->to, &before);
	const cairo_matrix_t here = {x.x * a, x.y * a, -x.y * b, x.x * b, c.x, c.y};
	cairo_transform(p->to, &here);
	cairo_arc(p->to, 0, 0, 1, 0, 2 * SCREE_PI);
	cairo_close_path(p->to);
	cairo_set_matrix(p->to, &before);
}

static void draw_body(const plane *p, int32_t i, vec3 at, tones tone)
{
	const shape *s = &p->w->model.shape.row[p->w->state.body.shape[i]];
	mat3 turn = quat_matrix(body_orientation(&p->w->state.body, i));
	real size = p->w->state.body.size[i], small = s->inradius * size * p->scale,
		 border = real_min(1.1 * p->unit, 0.14 * small);
	if (s->type == SHAPE_POLYGON) {
		draw_polygonal_body(p, s, at, turn, size, border, tone);
		return;
	}
	bool disc = s->type != SHAPE_ELLIPSE;
	vec3 c = to_pixels(p, at), x = way_to_pixels(p, turn.x);
	real a = (disc ? s->radius : s->semi_x) * size * p->scale, b = (disc ? s->radius : s->semi_y) * size * p->scale;
	trace_ellipse(p, c, x, a, b);
	fill(p, tone.border);
	trace_ellipse(p, c, x, a - border, b - border);
	fill(p, tone.fill);
	if (disc && a > 3 * p->unit)
		scree_page_line(p->out, c, v3_madd(c, a - border, x), real_min(1.1 * p->unit, 0.16 * a), tone.mark, 1);
}

/* Distance of a position from the cell along its periodic axes; 0 inside. */
static real beside_cell(const periods *q, const images *now, vec3 at)
{
	real far = 0;
	for (int32_t axis = 0; axis < 2; ++axis) {
		real low = v3_part(now->low, axis), x = v3_part(at, axis);
		if (q->axis[axis]) far = real_max(far, real_max(low - x, x - low - v3_part(now->size, axis)));
	}
	return far;
}

/* Draws the images of a body that extend into the cell. */
static void draw_images(const plane *p, int32_t i, tones tone)
{
	const periods *q = &p->w->model.period;
	vec3 at = body_position(&p->w->state.body, i);
	for (int32_t code = 0; code < IMAGE_CODES; ++code) {
		image e = image_of_code(code);
		bool is = e.z == 0 && (e.x == 0 || q->axis[0]) && (e.y == 0 || q->axis[1]);
		if (!is || code == IMAGE_NONE) continue;
		vec3 there = v3_add(at, p->w->state.images.shift[code]);
		if (beside_cell(q, &p->w->state.images, there) < p->w->state.body.radius[i]) draw_body(p, i, there, tone);
	}
}

/* Draws bodies in the order of ids, because their rows change during a run. */
static void draw_bodies(const plane *p, const vec3 *colour)
{
	const bodies *b = &p->w->state.body;
	int32_t *order = scree_bodies_by_id(b);
	for (int32_t k = 0; k < b->owned; ++k) {
		const int32_t i = order[k];
		const tones tone = {scree_encode(colour[i]), scree_encode(v3_mul(0.30, colour[i])),
							scree_encode(v3_mul(0.45, colour[i]))};
		draw_body(p, i, body_position(b, i), tone);
		if (p->w->model.period.on) draw_images(p, i, tone);
	}
	scree_free(order);
}

/* ---- the periodic cell ---- */

/* The corners of the cell; along axes without a period the cell extends beyond the page. */
static void cell_corners(const plane *p, vec3 corner[4])
{
	const periods *q = &p->w->model.period;
	const images *now = &p->w->state.images;
	const real far = 2 * (p->view.width + p->view.height) / p->scale;
	vec3 low = now->low, high = v3_add(now->low, now->size);
	for (int32_t axis = 0; axis < 2; ++axis)
		if (!q->axis[axis]) {
			*v3_along(&low, axis) = v3_part(p->view.frame.centre, axis) - far;
			*v3_along(&high, axis) = v3_part(p->view.frame.centre, axis) + far;
		}
	for (int k = 0; k < 4; ++k)
		corner[k] = to_pixels(p, v3(k == 1 || k == 2 ? high.x : low.x, k < 2 ? low.y : high.y, 0));
}

/* Makes everything outside the cell pale, since it repeats the inside, and draws the border of the cell. */
static void draw_cell(const plane *p)
{
	vec3 corner[4];
	cell_corners(p, corner);
	const real m = p->view.width + p->view.height;
	cairo_rectangle(p->to, -m, -m, 3 * m, 3 * m);
	cairo_new_sub_path(p->to);
	trace_polygon(p, 4, corner);
	cairo_set_fill_rule(p->to, CAIRO_FILL_RULE_EVEN_ODD);
	scree_page_ink(p->out, p->out->paper, 0.6);
	cairo_fill(p->to);
	cairo_set_fill_rule(p->to, CAIRO_FILL_RULE_WINDING);
	trace_polygon(p, 4, corner);
	scree_page_ink(p->out, cell_frame, 1);
	cairo_set_line_width(p->to, 1.4 * p->unit);
	cairo_stroke(p->to);
}

/* ---- the picture ---- */

/* With few samples per pixel, edges are smoothed less, or not at all. */
static cairo_antialias_t smoothing(int32_t samples)
{
	return samples == 1 ? CAIRO_ANTIALIAS_NONE : samples <= 4 ? CAIRO_ANTIALIAS_FAST : CAIRO_ANTIALIAS_GOOD;
}

void scree_plane(const scree_world *w, const image_plan *plan, const lens *view, const vec3 *colour, page *out)
{
	plane p = {.w = w, .out = out, .to = out->to, .view = *view, .plan = plan};
	p.scale = view->height / (2 * view->view.half_height);
	p.unit = real_max(real_min(view->height, 0.75 * view->width) / 960, 0.5);
	cairo_save(p.to);
	cairo_set_antialias(p.to, smoothing(plan->samples));
	if (plan->walls != LOOK_HIDDEN) draw_walls(&p);
	if (plan->bodies != BODIES_HIDDEN) draw_bodies(&p, colour);
	if (w->model.period.on) draw_cell(&p);
	cairo_restore(p.to);
}
