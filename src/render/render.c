/* render: makes a picture of a world. This file calls the steps in order; each step has its own file: extent and
 * camera, colours of bodies, rays (or outlines in two dimensions), legend and text, and the output file. */
#include "render/render.h"

#include "render/page.h"

enum { SIZE_LEAST = 16, SIZE_MOST = 16384, SAMPLES_MOST = 4096, WIDTH_DEFAULT = 960, HEIGHT_DEFAULT = 720 };

static bool check(image_plan *p, fail *why)
{
	if (p->width == 0 && p->height == 0) {
		p->width = WIDTH_DEFAULT;
		p->height = HEIGHT_DEFAULT;
	}
	if (p->width < SIZE_LEAST || p->height < SIZE_LEAST || p->width > SIZE_MOST || p->height > SIZE_MOST)
		return scree_fail(why, FAIL_INPUT, "a picture of %d x %d pixels: width and height must be %d to %d", p->width,
						  p->height, SIZE_LEAST, SIZE_MOST);
	if (p->samples == 0) p->samples = 9;
	if (p->samples < 1 || p->samples > SAMPLES_MOST)
		return scree_fail(why, FAIL_INPUT, "%d rays per pixel: the number must be 1 to %d", p->samples, SAMPLES_MOST);
	if (p->has_range && !(p->range[0] < p->range[1]))
		return scree_fail(why, FAIL_INPUT, "the range of colours is %g to %g: the first must be the lower one",
						  p->range[0], p->range[1]);
	if (p->has_camera && !(v3_norm(v3_sub(p->target, p->eye)) > 0))
		return scree_fail(why, FAIL_INPUT, "the camera's eye and target are the same point: it has no direction");
	if (p->fov < 0 || p->fov >= SCREE_PI)
		return scree_fail(why, FAIL_INPUT, "the camera's field of view is %g rad: it must lie between 0 and pi",
						  p->fov);
	if (p->has_cut && !(v3_norm(p->cut_normal) > 0))
		return scree_fail(why, FAIL_INPUT, "the normal of the picture's cut plane is zero");
	return true;
}

/* Tests that the camera of a two-dimensional world looks straight at the plane. */
static bool check_plane(const image_plan *p, fail *why)
{
	if (p->has_cut) return scree_fail(why, FAIL_INPUT, "there is no cut plane in a world of dimension 2");
	vec3 way = v3_sub(p->target, p->eye);
	if (p->has_camera && !(v3_norm(v3(way.x, way.y, 0)) <= 1e-9 * v3_norm(way) && way.z < 0))
		return scree_fail(why, FAIL_INPUT,
						  "the camera's eye must be above the target: the same x and y, and a greater z");
	if (p->has_camera && !(v3_norm(v3(p->up.x, p->up.y, 0)) > 0) && v3_norm(p->up) > 0)
		return scree_fail(why, FAIL_INPUT, "the camera's direction up is along z, its viewing direction");
	return true;
}

static bool trace(const scree_world *w, const image_plan *p, const lens *view, const vec3 *colour, vec3 up, page *out,
				  canvas *c, fail *why)
{
	tracer *t = scree_tracer_new(w, p, &view->view, &view->frame, colour, up, why);
	if (!t) return false;
	const size_t pixels = (size_t)p->width * (size_t)p->height;
	c->width = p->width;
	c->height = p->height;
	c->rgba = scree_alloc(4 * pixels, sizeof *c->rgba);
	c->depth = scree_alloc(pixels, sizeof *c->depth);
	scree_trace(t, c);
	scree_tracer_free(t);
	scree_page_lay(out, c);
	return true;
}

static lens lens_of(const scree_world *w, const image_plan *p, const extent *e, vec3 up)
{
	if (w->model.flat) return scree_plane_lens(p, e);
	const picture_frame frame = scree_render_frame(e);
	return (lens){scree_render_camera(e, p, up, &frame), frame, p->width, p->height, .flat = false};
}

/* Fills the background of a two-dimensional picture; in three dimensions, rays that hit nothing show the background. */
static void lay_ground(const scree_world *w, const image_plan *p, page *out)
{
	out->clear = p->ground == GROUND_TRANSPARENT;
	out->paper = scree_encode(scree_background(p->ground, 1));
	if (w->model.flat && !out->clear) scree_page_box(out, 0, 0, p->width, p->height, out->paper);
}

/* A position at the centre of the bodies. */
static vec3 middle_of(const scree_world *w, const extent *e)
{
	const bodies *b = &w->state.body;
	if (!b->count) return scree_render_frame(e).centre;
	vec3 low = body_position(b, 0), high = low;
	for (int32_t i = 1; i < b->count; ++i) v3_widen(&low, &high, body_position(b, i));
	return v3_mul(0.5, v3_add(low, high));
}

/* Pale bodies all have the same colour: tints that depend on a quantity would need a scale of their own. */
static void make_pale(int32_t count, vec3 *colour)
{
	for (int32_t i = 0; i < count; ++i) colour[i] = v3(0.8, 0.8, 0.8);
}

static bool draw(const scree_world *w, const image_plan *p, const char *title, page *out, fail *why)
{
	const vec3 up = scree_render_up(w);
	legend bar = {0};
	extent e = {0};
	vec3 *colour = scree_alloc((size_t)w->state.body.count, sizeof *colour);
	bool ok = scree_colours(w, p, up, colour, &bar, why);
	if (ok) {
		canvas pixels = {0};
		scree_render_extent(&e, w, p->walls != LOOK_HIDDEN, p->fit_bodies);
		const lens view = lens_of(w, p, &e, up);
		const vec3 middle = middle_of(w, &e);
		lay_ground(w, p, out);
		bar.none = p->bodies != BODIES_SOLID;
		if (p->bodies == BODIES_PALE) make_pale(w->state.body.count, colour);
		if (w->model.flat)
			scree_plane(w, p, &view, colour, out);
		else
			ok = trace(w, p, &view, colour, up, out, &pixels, why);
		if (ok) scree_marks(out, w, p, &view, w->model.flat ? NULL : &pixels, middle, &bar);
		if (ok) scree_overlay(out, p, &view, &bar, title, w->state.time, middle);
		SCREE_FREE_ALL(pixels.rgba, pixels.depth);
		scree_render_extent_free(&e);
	}
	scree_free(colour);
	return ok;
}

bool scree_render_possible(const struct scree_world *w, fail *why) { return w->model.flat || scree_tracer_built(why); }

bool scree_render_picture(const struct scree_world *w, const image_plan *plan, const char *title, const char *path,
						  fail *why)
{
	image_plan p = *plan;
	if (!scree_render_possible(w, why) || !check(&p, why) || (w->model.flat && !check_plane(&p, why))) return false;
	page out;
	bool known;
	if (!scree_page_open(&out, scree_page_kind(path, &known), p.width, p.height, why)) return false;
	const bool ok = draw(w, &p, title, &out, why) && scree_page_write(&out, path, why);
	scree_page_free(&out);
	return ok;
}
