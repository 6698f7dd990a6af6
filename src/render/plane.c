/* plane: pictures of worlds in the plane, drawn by outlines and not by rays. Bodies are in their colours with a thin
 * darker border. Discs have a radius that shows their rotation. Walls are strips behind the line that bodies touch.
 *
 * x points to the right and y upwards, independent of gravity, unless a camera is given. The drawing order is: circles
 * around bodies (a disc of wall, and the free disc in it), lines, obstacles, bodies by their ids, the cell, forces. */
#include "base/memory.h"
#include "base/sort.h"
#include "kernel/quat.h"
#include "render/figures.h"
#include "wall/forms.h"

#include <math.h>

enum { BACK, WALL, WALL_HATCH, WALL_EDGE, FRAME, FORCE, FIRST_BODY };
enum { FILL, BORDER, MARK, TONES }; /* rows of the table of paints per body */

typedef struct plane {
	const scree_world *w;
	const canvas *out;
	vec3 middle, right, up; /* axes of the picture, in world coordinates */
	real scale;				/* px/m */
	real x, y;				/* px: position of `middle` in the picture */
	real unit;				/* px: unit of line widths */
	figures f;
} plane;

/* ---- positions in the picture ---- */

static vec3 to_pixels(const plane *p, vec3 at)
{
	vec3 off = v3_sub(at, p->middle);
	return v3(p->x + p->scale * v3_dot(off, p->right), p->y - p->scale * v3_dot(off, p->up), 0);
}

static vec3 way_to_pixels(const plane *p, vec3 v) { return v3(v3_dot(v, p->right), -v3_dot(v, p->up), 0); }

static void look_by_camera(plane *p, const image_plan *plan)
{
	vec3 up = v3(plan->up.x, plan->up.y, 0);
	real half = v3_norm(v3_sub(plan->target, plan->eye)) * tan((plan->fov > 0 ? plan->fov : SCREE_PI / 6) / 2);
	if (v3_norm(up) > 0) p->up = v3_unit(up);
	p->right = v3(p->up.y, -p->up.x, 0);
	p->middle = v3(plan->target.x, plan->target.y, 0);
	p->scale = p->out->height / (2 * half);
	p->x = 0.5 * p->out->width;
	p->y = 0.5 * p->out->height;
}

static void look_at_all(plane *p, const extent *e)
{
	const margins *m = &scree_render_margins;
	vec3 low = v3(INFINITY, INFINITY, 0), high = v3(-INFINITY, -INFINITY, 0);
	for (int32_t k = 0; k < e->count; ++k) {
		low = v3(real_min(low.x, e->at[k].x - e->radius[k]), real_min(low.y, e->at[k].y - e->radius[k]), 0);
		high = v3(real_max(high.x, e->at[k].x + e->radius[k]), real_max(high.y, e->at[k].y + e->radius[k]), 0);
	}
	vec3 size = v3_sub(high, low);
	real w = 0.5 * p->out->width, h = 0.5 * p->out->height;
	p->middle = v3_mul(0.5, v3_add(low, high));
	p->scale = real_min((m->left + m->right) * w / size.x, (m->bottom + m->top) * h / size.y);
	if (!isfinite(p->scale)) p->scale = w;
	p->x = w + 0.5 * (m->right - m->left) * w;
	p->y = h + 0.5 * (m->bottom - m->top) * h;
}

/* ---- figures of bodies and walls ---- */

static void add_disc(plane *p, vec3 centre, real radius, int32_t paint, bool hatched)
{
	scree_figure_begin(&p->f, paint, paint)->hatched = hatched;
	scree_figure_round(&p->f, (figure_round){centre.x, centre.y, 1, 0, radius, radius, 0});
}

/* width: px */
static void add_stroke(plane *p, vec3 from, vec3 to, real width, int32_t paint)
{
	vec3 way = v3_unit(v3_sub(to, from)), side = v3_mul(width / 2, v3(-way.y, way.x, 0));
	vec3 corner[4] = {v3_sub(from, side), v3_sub(to, side), v3_add(to, side), v3_add(from, side)};
	scree_figure_begin(&p->f, paint, paint);
	scree_figure_corners(&p->f, 4, corner, 0);
}

/* Adds the outline of a shape with its centroid at `at`. The shape is rotated, then scaled. */
static void add_outline(plane *p, const shape *s, vec3 at, mat3 turn, real size, real border)
{
	vec3 *corner = scree_alloc((size_t)s->flat.corners, sizeof *corner);
	for (int32_t k = 0; k < s->flat.corners; ++k)
		corner[k] = to_pixels(p, v3_madd(at, size, mat3_mul(turn, scree_shape_corner(s, k))));
	scree_figure_corners(&p->f, s->flat.corners, corner, border);
	scree_free(corner);
}

/* ---- walls ---- */

static bool stands(const wall *l, wall_type type) { return l->type == type && !l->removed; }

static real strip_width(const plane *p) { return 12 * p->unit; }

static real edge_width(const plane *p) { return 1.6 * p->unit; }

static figure_side side_of(const plane *p, const wall *line)
{
	vec3 n = way_to_pixels(p, wall_axis(p->w, line)), at = to_pixels(p, wall_point(p->w, line, line->point));
	return (figure_side){n.x, n.y, n.x * at.x + n.y * at.y, 0};
}

/* Cuts strips by the other walls, with a margin, so that they meet at corners and end at a drum. */
static void cut_by_others(plane *p, const wall *line, real width)
{
	for (int32_t k = 0; k < p->w->model.wall.count; ++k) {
		const wall *o = &p->w->model.wall.row[k];
		if (stands(o, WALL_PLANE) && o != line && !o->two_sided) {
			figure_side s = side_of(p, o);
			scree_figure_side(&p->f, (figure_side){-s.nx, -s.ny, width - s.off, 0});
		}
		if (stands(o, WALL_CYLINDER) && o->side == SIDE_INSIDE) {
			vec3 c = to_pixels(p, wall_point(p->w, o, o->point));
			real r = o->radius * p->scale + width;
			scree_figure_round(&p->f, (figure_round){c.x, c.y, 1, 0, r, r, 0});
		}
	}
}

/* Adds a strip along a line, from `before` in front of the line to `behind` it. */
static void add_strip(plane *p, const wall *l, real before, real behind, int32_t paint)
{
	figure_side s = side_of(p, l);
	scree_figure_begin(&p->f, paint, paint)->hatched = paint == WALL;
	scree_figure_side(&p->f, (figure_side){s.nx, s.ny, s.off + before, 0});
	scree_figure_side(&p->f, (figure_side){-s.nx, -s.ny, behind - s.off, 0});
	cut_by_others(p, l, behind);
}

/* Adds all strips before all edges, so that no strip hides an edge where walls meet. */
static void add_lines(plane *p)
{
	const walls *all = &p->w->model.wall;
	real edge = edge_width(p);
	for (int32_t k = 0; k < all->count; ++k)
		if (stands(&all->row[k], WALL_PLANE) && !all->row[k].two_sided)
			add_strip(p, &all->row[k], 0, strip_width(p), WALL);
	for (int32_t k = 0; k < all->count; ++k)
		if (stands(&all->row[k], WALL_PLANE))
			add_strip(p, &all->row[k], all->row[k].two_sided ? edge / 2 : 0, edge, WALL_EDGE);
}

/* Adds twelve lines that show rotation. */
static void add_ticks(plane *p, const wall *l, real from, real to)
{
	enum { TICKS = 12 };
	if (!scree_wall_turns(l)) return;
	vec3 c = to_pixels(p, wall_point(p->w, l, l->point)),
		 x = way_to_pixels(p, quat_rotate(wall_now(p->w, l)->orientation, v3(1, 0, 0))), y = v3(-x.y, x.x, 0);
	for (int k = 0; k < TICKS; ++k) {
		real angle = 2 * SCREE_PI * k / TICKS;
		vec3 out = v3_madd(v3_mul(cos(angle), x), sin(angle), y);
		add_stroke(p, v3_madd(c, from, out), v3_madd(c, to, out), edge_width(p), WALL_EDGE);
	}
}

static void add_circle(plane *p, const wall *l)
{
	vec3 c = to_pixels(p, wall_point(p->w, l, l->point));
	real r = l->radius * p->scale, strip = strip_width(p), line = edge_width(p);
	if (l->side == SIDE_INSIDE) {
		add_disc(p, c, r + strip, WALL, true);
		add_ticks(p, l, r, r + strip);
		add_disc(p, c, r + line, WALL_EDGE, false);
		add_disc(p, c, r, BACK, false);
	} else {
		scree_figure_begin(&p->f, WALL, WALL_EDGE)->hatched = true;
		scree_figure_round(&p->f, (figure_round){c.x, c.y, 1, 0, r, r, real_min(line, 0.2 * r)});
		add_ticks(p, l, real_max(r - strip, 0.5 * r), r);
	}
}

static void add_polygon(plane *p, const wall *l)
{
	const shape *s = l->form;
	scree_figure_begin(&p->f, WALL, WALL_EDGE)->hatched = true;
	add_outline(p, s, wall_point(p->w, l, s->centre), quat_matrix(wall_now(p->w, l)->orientation), 1,
				real_min(edge_width(p), 0.2 * s->inradius * p->scale));
}

static int wider(const void *a, const void *b)
{
	const wall *x = *(const wall *const *)a, *y = *(const wall *const *)b;
	return x->radius > y->radius ? -1 : x->radius < y->radius;
}

/* Adds circles around the bodies, larger circles first, since each clears its interior. */
static void add_drums(plane *p)
{
	const walls *all = &p->w->model.wall;
	const wall **drum = scree_alloc((size_t)all->count, sizeof *drum);
	int32_t count = 0;
	for (int32_t k = 0; k < all->count; ++k)
		if (stands(&all->row[k], WALL_CYLINDER) && all->row[k].side == SIDE_INSIDE) drum[count++] = &all->row[k];
	scree_sort_by(drum, count, sizeof *drum, wider);
	for (int32_t k = 0; k < count; ++k) add_circle(p, drum[k]);
	scree_free(drum);
}

static void add_walls(plane *p)
{
	const walls *all = &p->w->model.wall;
	add_drums(p);
	add_lines(p);
	for (int32_t k = 0; k < all->count; ++k) {
		const wall *l = &all->row[k];
		if (stands(l, WALL_CYLINDER) && l->side == SIDE_OUTSIDE) add_circle(p, l);
		if (stands(l, WALL_POLYGON)) add_polygon(p, l);
	}
}

/* ---- bodies ---- */

static void add_body(plane *p, int32_t i, vec3 at)
{
	const shape *s = &p->w->model.shape.row[p->w->state.body.shape[i]];
	mat3 turn = quat_matrix(body_orientation(&p->w->state.body, i));
	real size = p->w->state.body.size[i], small = s->inradius * size * p->scale,
		 border = real_min(1.1 * p->unit, 0.14 * small);
	int32_t tone = FIRST_BODY + TONES * i;
	scree_figure_begin(&p->f, tone + FILL, tone + BORDER);
	if (s->type == SHAPE_POLYGON) {
		add_outline(p, s, at, turn, size, border);
		return;
	}
	bool disc = s->type != SHAPE_ELLIPSE;
	vec3 c = to_pixels(p, at), x = way_to_pixels(p, turn.x);
	real a = (disc ? s->radius : s->semi_x) * size * p->scale, b = (disc ? s->radius : s->semi_y) * size * p->scale;
	scree_figure_round(&p->f, (figure_round){c.x, c.y, x.x, x.y, a, b, border});
	if (disc && a > 3 * p->unit)
		add_stroke(p, c, v3_madd(c, a - border, x), real_min(1.1 * p->unit, 0.16 * a), tone + MARK);
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

/* Adds the images of a body that extend into the cell. */
static void add_images(plane *p, int32_t i)
{
	const periods *q = &p->w->model.period;
	vec3 at = body_position(&p->w->state.body, i);
	for (int32_t code = 0; code < IMAGE_CODES; ++code) {
		image e = image_of_code(code);
		bool is = e.z == 0 && (e.x == 0 || q->axis[0]) && (e.y == 0 || q->axis[1]);
		if (!is || code == IMAGE_NONE) continue;
		vec3 there = v3_add(at, p->w->state.images.shift[code]);
		if (beside_cell(q, &p->w->state.images, there) < p->w->state.body.radius[i]) add_body(p, i, there);
	}
}

static int by_id(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* Adds bodies in the order of ids, because their rows change during a run. */
static void add_bodies(plane *p)
{
	const bodies *b = &p->w->state.body;
	uint64_t(*order)[2] = scree_alloc((size_t)b->count, sizeof *order);
	for (int32_t i = 0; i < b->count; ++i) {
		order[i][0] = b->id[i];
		order[i][1] = (uint64_t)i;
	}
	scree_sort_by(order, b->count, sizeof *order, by_id);
	for (int32_t k = 0; k < b->count; ++k) {
		int32_t i = (int32_t)order[k][1];
		add_body(p, i, body_position(b, i));
		if (p->w->model.period.on) add_images(p, i);
	}
	scree_free(order);
}

/* ---- the periodic cell ---- */

static void add_frame(plane *p)
{
	const periods *q = &p->w->model.period;
	const images *now = &p->w->state.images;
	vec3 low = now->low, high = v3_add(now->low, now->size);
	real far = 2 * (p->out->width + p->out->height) / p->scale;
	for (int32_t axis = 0; axis < 2; ++axis) {
		if (!q->axis[axis]) continue;
		int32_t other = 1 - axis;
		real middle = v3_part(p->middle, other);
		vec3 from = v3(0, 0, 0), to = from;
		*v3_along(&from, other) = q->axis[other] ? v3_part(low, other) : middle - far;
		*v3_along(&to, other) = q->axis[other] ? v3_part(high, other) : middle + far;
		for (int end = 0; end < 2; ++end) {
			*v3_along(&from, axis) = *v3_along(&to, axis) = v3_part(end ? high : low, axis);
			add_stroke(p, to_pixels(p, from), to_pixels(p, to), 1.4 * p->unit, FRAME);
		}
	}
}

/* Makes the outside of the cell pale, since it repeats the inside. */
static void veil(const plane *p, canvas *out)
{
	vec3 paper = scree_encode(scree_background(1));
	for (int32_t y = 0; y < out->height; ++y)
		for (int32_t x = 0; x < out->width; ++x) {
			real right = (x + 0.5 - p->x) / p->scale, up = (p->y - y - 0.5) / p->scale;
			vec3 at = v3_madd(v3_madd(p->middle, right, p->right), up, p->up);
			if (beside_cell(&p->w->model.period, &p->w->state.images, at) > 0)
				scree_canvas_blend(out, x, y, paper, 0.6);
		}
}

/* ---- the network of contact forces ---- */

typedef struct chain {
	vec3 a, b; /* m: ends of a line */
	real force;
} chain;

/* The force of the widest line, which one contact in 200 exceeds. Otherwise a single strong contact would make all
 * other lines thin. */
static real strongest(const chain *all, int64_t count)
{
	real *force = scree_alloc((size_t)count, sizeof *force);
	for (int64_t k = 0; k < count; ++k) force[k] = all[k].force;
	scree_sort_by(force, count, sizeof *force, scree_sort_rising);
	real most = count ? force[count - 1 - count / 200] : 0;
	scree_free(force);
	return most;
}

/* Adds a line between two centres, or from a centre to the contact point on a wall; across the border of the cell, two
 * lines. */
static int64_t add_contact(const scree_world *w, int kind, int64_t row, chain *to)
{
	const pair_list *l = &w->state.pair[kind];
	contact_look look = scree_contact_look(&w->model, &w->state, &w->work, kind, row);
	vec3 a = body_position(&w->state.body, l->ca[row]);
	if (pair_on_wall(kind)) {
		to[0] = (chain){a, v3_add(a, look.at), look.force.normal};
		return 1;
	}
	vec3 b = body_position(&w->state.body, l->cb[row]), shift = v3(0, 0, 0);
	if (w->model.period.on) shift = w->state.images.shift[scree_world_image(&w->model, &w->state, kind, l->slot[row])];
	to[0] = (chain){a, v3_add(b, shift), look.force.normal};
	to[1] = (chain){v3_sub(a, shift), b, look.force.normal};
	return v3_norm2(shift) > 0 ? 2 : 1;
}

static void add_forces(plane *p, scale_bar *bar)
{
	const scree_world *w = p->w;
	chain *all = scree_alloc(2 * (size_t)w->work.touching + 2, sizeof *all);
	int64_t count = 0;
	real size = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		for (contact_walk c = contact_first(&w->state.pair[kind]); contact_more(&w->state.pair[kind], &c); ++c.row)
			if (count < 2 * w->work.touching) count += add_contact(w, kind, c.row, all + count);
	for (int32_t i = 0; i < w->state.body.count; ++i) size += w->state.body.radius[i] / w->state.body.count;
	bar->force = strongest(all, count);
	bar->force_width = bar->force > 0 ? real_max(0.55 * size * p->scale, 2 * p->unit) : 0;
	for (int64_t k = 0; k < count && bar->force_width > 0; ++k) {
		real width = bar->force_width * real_min(all[k].force / bar->force, 1);
		if (width > 0.1 * p->unit) add_stroke(p, to_pixels(p, all[k].a), to_pixels(p, all[k].b), width, FORCE);
	}
	scree_free(all);
}

/* ---- the picture ---- */

static vec3 *paints_of(const scree_world *w, const vec3 *colour)
{
	vec3 *paint = scree_alloc((size_t)FIRST_BODY + TONES * (size_t)w->state.body.count, sizeof *paint);
	paint[BACK] = scree_background(1);
	paint[WALL] = scree_linear(v3(0.86, 0.87, 0.885));
	paint[WALL_HATCH] = scree_linear(v3(0.70, 0.72, 0.75));
	paint[WALL_EDGE] = scree_linear(v3(0.33, 0.36, 0.41));
	paint[FRAME] = scree_linear(v3(0.45, 0.48, 0.53));
	paint[FORCE] = scree_linear(scree_force_colour);
	for (int32_t i = 0; i < w->state.body.count; ++i) {
		vec3 *tone = paint + FIRST_BODY + TONES * i;
		tone[FILL] = colour[i];
		tone[BORDER] = v3_mul(0.30, colour[i]);
		tone[MARK] = v3_mul(0.45, colour[i]);
	}
	return paint;
}

void scree_plane(const scree_world *w, const image_plan *plan, const extent *e, const vec3 *colour, canvas *out,
				 scale_bar *bar)
{
	plane p = {.w = w, .out = out, .right = v3(1, 0, 0), .up = v3(0, 1, 0)};
	p.unit = real_max(real_min(out->height, 0.75 * out->width) / 960, 0.5);
	p.f.hatch = 8 * p.unit;
	if (plan->has_camera)
		look_by_camera(&p, plan);
	else
		look_at_all(&p, e);
	if (plan->walls != LOOK_HIDDEN) add_walls(&p);
	add_bodies(&p);
	if (w->model.period.on) add_frame(&p);
	if (plan->forces) add_forces(&p, bar);
	vec3 *paint = paints_of(w, colour);
	int32_t side = (int32_t)(sqrt((real)plan->samples) + 0.5);
	scree_figures_paint(&p.f, FIRST_BODY + TONES * w->state.body.count, paint, side, out);
	if (w->model.period.on) veil(&p, out);
	scree_free(paint);
	scree_figures_free(&p.f);
}
