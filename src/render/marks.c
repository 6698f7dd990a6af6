/* marks: lines and arrows over the bodies: the frame of a periodic cell in space, contact forces, vectors of bodies.
 * They are drawn from far to near, in an order independent of the bodies' rows, which change during a run. */
#include "base/sort.h"
#include "render/page.h"
#include "state/pairs.h"

#include <math.h>

static const vec3 frame_colour = {0.30, 0.34, 0.40}, arrow_colour = {0.10, 0.13, 0.30};

typedef struct marks {
	const scree_world *w;
	const image_plan *plan;
	page *out;
	const lens *view;
	const canvas *pixels; /* with the depth of visible objects; NULL in two dimensions */
	real unit;			  /* unit of line widths, in px */
	real size;			  /* mean radius of the bodies, in m */
	vec3 middle;
} marks;

/* A line from a to b, in m; its width depends on its value. */
typedef struct mark {
	vec3 a, b;
	real value, far; /* far: distance from the camera */
	bool wall;		 /* b is on a wall */
} mark;

static int by_depth(const void *a, const void *b)
{
	const mark *x = a, *y = b;
	const real of_x[8] = {-x->far, x->value, x->a.x, x->a.y, x->a.z, x->b.x, x->b.y, x->b.z},
			   of_y[8] = {-y->far, y->value, y->a.x, y->a.y, y->a.z, y->b.x, y->b.y, y->b.z};
	for (int k = 0; k < 8; ++k)
		if (of_x[k] != of_y[k]) return of_x[k] < of_y[k] ? -1 : 1;
	return 0;
}

static void sort_marks(const marks *m, mark *all, int64_t count)
{
	for (int64_t k = 0; k < count; ++k)
		all[k].far = scree_lens_pixel(m->view, v3_mul(0.5, v3_add(all[k].a, all[k].b))).z;
	scree_sort_by(all, count, sizeof *all, by_depth);
}

/* The value that one mark in 200 exceeds; scaling by the largest value could make all other marks thin. */
static real strongest(const mark *all, int64_t count)
{
	real *value = scree_alloc((size_t)count, sizeof *value);
	for (int64_t k = 0; k < count; ++k) value[k] = all[k].value;
	scree_sort_by(value, count, sizeof *value, scree_sort_rising);
	const real most = count ? value[count - 1 - count / 200] : 0;
	scree_free(value);
	return most;
}

/* Tests whether a point is in front of the object visible at its pixel, to within a margin in the picture's frame */
static bool is_seen(const marks *m, vec3 pixel, real margin)
{
	if (pixel.z <= 0) return false;
	if (!m->pixels) return true;
	const int32_t w = m->pixels->width, h = m->pixels->height;
	if (!(pixel.x >= 0 && pixel.x < w && pixel.y >= 0 && pixel.y < h)) return true;
	const size_t at = (size_t)(int32_t)pixel.y * (size_t)w + (size_t)(int32_t)pixel.x;
	return pixel.z - margin <= (real)m->pixels->depth[at];
}

/* ---- the cell in space ---- */

/* Draws the parts of an edge that are not hidden by bodies. */
static void draw_edge(const marks *m, vec3 a, vec3 b)
{
	const vec3 from = scree_lens_pixel(m->view, a), to = scree_lens_pixel(m->view, b);
	const int steps = (int)real_clamp(hypot(to.x - from.x, to.y - from.y) / 1.5, 1, 4000);
	bool on = false;
	vec3 last = from;
	for (int k = 0; k <= steps; ++k) {
		const vec3 at = scree_lens_pixel(m->view, v3_mix(a, b, (real)k / steps));
		const bool seen = is_seen(m, at, 0.002);
		if (seen && !on) cairo_move_to(m->out->to, at.x, at.y);
		if (on && (!seen || k == steps)) cairo_line_to(m->out->to, last.x, last.y);
		on = seen;
		last = at;
	}
	scree_page_ink(m->out, frame_colour, 1);
	cairo_set_line_width(m->out->to, 1.4 * m->unit);
	cairo_stroke(m->out->to);
}

static void draw_cell(const marks *m)
{
	vec3 low, high;
	scree_render_cell(m->w, &low, &high);
	for (int axis = 0; axis < 3; ++axis)
		for (int k = 0; k < 4; ++k) {
			vec3 a = low, b;
			if (k & 1) *v3_along(&a, (axis + 1) % 3) = v3_part(high, (axis + 1) % 3);
			if (k & 2) *v3_along(&a, (axis + 2) % 3) = v3_part(high, (axis + 2) % 3);
			b = a;
			*v3_along(&b, axis) = v3_part(high, axis);
			draw_edge(m, a, b);
		}
}

/* ---- contact forces ---- */

/* Adds a line from centre to centre or to the contact point on a wall, or two lines across the border of the cell. */
static int64_t add_contact(const scree_world *w, int kind, int64_t row, mark *to)
{
	const pair_list *l = &w->state.pair[kind];
	contact_look look = scree_contact_look(&w->model, &w->state, &w->work, kind, row);
	vec3 a = body_position(&w->state.body, l->ca[row]);
	if (pair_on_wall(kind)) {
		to[0] = (mark){.a = a, .b = v3_add(a, look.at), .value = look.force.normal, .wall = true};
		return 1;
	}
	vec3 b = body_position(&w->state.body, l->cb[row]), shift = v3(0, 0, 0);
	if (w->model.period.on) shift = w->state.images.shift[scree_world_image(&w->model, &w->state, kind, l->slot[row])];
	to[0] = (mark){.a = a, .b = v3_add(b, shift), .value = look.force.normal};
	to[1] = (mark){.a = v3_sub(a, shift), .b = b, .value = look.force.normal};
	return v3_norm2(shift) > 0 ? 2 : 1;
}

/* A line with round ends, so that chains have no gaps; on a wall, the line ends at the contact point. */
static void draw_force(const marks *m, const mark *f, real width)
{
	vec3 a = scree_lens_pixel(m->view, f->a), b = scree_lens_pixel(m->view, f->b);
	if (width <= 0.1 * m->unit || a.z <= 0 || b.z <= 0) return;
	const vec3 way = v3(b.x - a.x, b.y - a.y, 0);
	const real length = hypot(way.x, way.y);
	if (f->wall && length > 0) b = v3_madd(b, -real_min(0.5 * width / length, 1), way);
	/* a rim shows which line is in front */
	if (!m->view->flat) scree_page_line(m->out, a, b, width + 1.2 * m->unit, v3(1, 1, 1), 0.7);
	cairo_set_line_cap(m->out->to, CAIRO_LINE_CAP_ROUND);
	scree_page_line(m->out, a, b, width, scree_force_colour, 1);
	cairo_set_line_cap(m->out->to, CAIRO_LINE_CAP_BUTT);
}

static void draw_forces(const marks *m, legend *bar)
{
	const scree_world *w = m->w;
	mark *all = scree_alloc(2 * (size_t)w->work.touching + 2, sizeof *all);
	int64_t count = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		for (contact_walk c = contact_first(&w->state.pair[kind]); contact_more(&w->state.pair[kind], &c); ++c.row)
			if (count < 2 * w->work.touching) count += add_contact(w, kind, c.row, all + count);
	sort_marks(m, all, count);
	const real wide = 0.55 * m->size, least = 2 * m->unit / scree_lens_scale(m->view, m->middle);
	const real width = real_max(wide, least); /* m */
	bar->force = strongest(all, count);
	bar->force_width = bar->force > 0 ? width * scree_lens_scale(m->view, m->middle) : 0;
	for (int64_t k = 0; k < count && bar->force > 0; ++k) {
		const real scale = scree_lens_scale(m->view, all[k].a);
		draw_force(m, all + k, width * scale * real_min(all[k].value / bar->force, 1));
	}
	scree_free(all);
}

/* ---- vectors of bodies ---- */

static vec3 vector_of(const bodies *b, int32_t i, picture_arrows kind)
{
	if (kind == ARROWS_VELOCITY) return body_velocity(b, i);
	return kind == ARROWS_ANGULAR_VELOCITY ? body_angular_velocity(b, i) : v3(b->fx[i], b->fy[i], b->fz[i]);
}

/* Draws an arrow from the centre of each visible body; the longest arrows are two mean diameters long. */
static void draw_arrows(const marks *m, legend *bar)
{
	static const char *const name[] = {NULL, "velocity", "angular velocity", "contact force"};
	static const char *const unit[] = {NULL, "m/s", "rad/s", "N"};
	const bodies *b = &m->w->state.body;
	mark *all = scree_alloc((size_t)b->count, sizeof *all);
	int64_t count = 0;
	for (int32_t i = 0; i < b->count; ++i) {
		const vec3 v = vector_of(b, i, m->plan->arrows), at = body_position(b, i),
				   pixel = scree_lens_pixel(m->view, at);
		const real value = v3_norm(v);
		if (!(value > 0) || !isfinite(value) || !is_seen(m, pixel, 1.2 * b->radius[i] * m->view->frame.scale)) continue;
		all[count++] = (mark){.a = at, .b = v, .value = value};
	}
	const real most = strongest(all, count), length = 4 * m->size; /* m */
	for (int64_t k = 0; k < count; ++k) {
		const real part = real_min(all[k].value / most, 1);
		all[k].b = v3_madd(all[k].a, length * part / all[k].value, all[k].b);
	}
	sort_marks(m, all, count);
	for (int64_t k = 0; k < count; ++k) {
		const vec3 from = scree_lens_pixel(m->view, all[k].a), to = scree_lens_pixel(m->view, all[k].b);
		if (to.z > 0) scree_page_arrow(m->out, from, to, 6 * m->unit, arrow_colour, true);
	}
	bar->arrows = name[m->plan->arrows];
	bar->arrows_unit = unit[m->plan->arrows];
	bar->arrow = count ? most : 0;
	bar->arrow_length = length * scree_lens_scale(m->view, m->middle);
	scree_free(all);
}

void scree_marks(page *out, const scree_world *w, const image_plan *plan, const lens *view, const canvas *pixels,
				 vec3 middle, legend *bar)
{
	marks m = {w, plan, out, view, pixels, .middle = middle};
	m.unit = real_max(real_min(view->height, 0.75 * view->width) / 960, 0.5);
	for (int32_t i = 0; i < w->state.body.count; ++i) m.size += w->state.body.radius[i] / w->state.body.count;
	if (w->model.period.on && !view->flat) draw_cell(&m);
	if (plan->forces) draw_forces(&m, bar);
	if (plan->arrows != ARROWS_NONE) draw_arrows(&m, bar);
}
