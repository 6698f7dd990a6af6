/* render: from a world to a picture. This file calls the steps in order, and each has its own file: extent and camera,
 * colours of bodies, rays (or figures for worlds in the plane), scale bar and text, file. */
#include "render/render.h"

#include "base/memory.h"
#include "render/picture.h"

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

/* Tests that a camera in the plane looks straight at the plane. */
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

static bool trace(const scree_world *w, const image_plan *p, const extent *e, const vec3 *colour, vec3 up, canvas *c,
				  fail *why)
{
	picture_frame frame = scree_render_frame(e);
	camera view = scree_render_camera(e, p, up, &frame);
	tracer *t = scree_tracer_new(w, p, &view, &frame, colour, up, why);
	if (!t) return false;
	scree_trace(t, c);
	scree_tracer_free(t);
	return true;
}

bool scree_render_possible(const struct scree_world *w, fail *why) { return w->model.flat || scree_tracer_built(why); }

bool scree_render_png(const struct scree_world *w, const image_plan *plan, const char *title, const char *path,
					  fail *why)
{
	image_plan p = *plan;
	if (!scree_render_possible(w, why) || !check(&p, why) || (w->model.flat && !check_plane(&p, why))) return false;
	vec3 up = scree_render_up(w);
	scale_bar bar = {0};
	extent e = {0};
	canvas c = {.width = p.width, .height = p.height};
	c.rgb = scree_alloc(3 * (size_t)c.width * (size_t)c.height, sizeof *c.rgb);
	vec3 *colour = scree_alloc((size_t)w->state.body.count, sizeof *colour);
	bool ok = scree_colours(w, &p, up, colour, &bar, why);
	if (ok) scree_render_extent(&e, w, p.walls != LOOK_HIDDEN);
	if (ok && w->model.flat)
		scree_plane(w, &p, &e, colour, &c, &bar);
	else if (ok)
		ok = trace(w, &p, &e, colour, up, &c, why);
	if (ok) {
		scree_overlay(&c, &bar, title, w->state.time);
		ok = scree_png_write(&c, path, why);
	}
	scree_render_extent_free(&e);
	scree_free(colour);
	scree_free(c.rgb);
	return ok;
}
