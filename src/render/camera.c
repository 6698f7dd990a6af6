/* camera: given, or one that shows all bodies and finite walls. */
#include "render/picture.h"

#include "kernel/quat.h"

#include <math.h>

typedef struct frame {
	vec3 eye_to, right, up; /* unit: from the eye into the picture */
	vec3 middle;
	real tan_y, tan_x, far; /* far: least distance from the middle that shows everything so far */
} frame;

static void show(frame *f, vec3 p)
{
	vec3 d = v3_sub(p, f->middle);
	real z = v3_dot(d, f->eye_to), x = real_abs(v3_dot(d, f->right)), y = real_abs(v3_dot(d, f->up));
	f->far = real_max(f->far, real_max(x / f->tan_x, y / f->tan_y) - z);
}

/* the part of a tube that holds the bodies, or all of a finite one */
static void tube_ends(const scree_world *w, const wall *o, real *from, real *to)
{
	*from = 0;
	*to = o->length;
	if (o->length < INFINITY) return;
	*from = INFINITY;
	*to = -INFINITY;
	for (int32_t i = 0; i < w->body.count; ++i) {
		vec3 p = quat_unrotate(o->turn, v3_sub(body_position(&w->body, i), o->place));
		real along = v3_dot(v3_sub(p, o->point), o->axis);
		*from = real_min(*from, along - w->body.radius[i]);
		*to = real_max(*to, along + w->body.radius[i]);
	}
	if (!(*from <= *to)) *from = *to = 0;
}

static void show_wall(frame *f, const scree_world *w, const wall *o)
{
	if (o->type == WALL_PLANE || o->removed) return;
	if (o->type == WALL_FACETS) {
		for (int32_t k = o->first_facet; k < o->first_facet + o->facets; ++k) {
			const facet *x = w->wall.facet + k;
			for (int32_t c = x->first; c < x->first + x->corners; ++c)
				show(f, v3_add(o->place, quat_rotate(o->turn, w->wall.corner[c])));
		}
		return;
	}
	real from, to;
	tube_ends(w, o, &from, &to);
	vec3 u = v3_across(o->axis), v = v3_cross(o->axis, u);
	for (int k = 0; k < 64; ++k) {
		real a = 2 * SCREE_PI * (k % 32) / 32, r = k >= 32 && o->type == WALL_CONE ? o->radius2 : o->radius;
		vec3 p = v3_madd(v3_madd(v3_madd(o->point, k < 32 ? from : to, o->axis), r * cos(a), u), r * sin(a), v);
		show(f, v3_add(o->place, quat_rotate(o->turn, p)));
	}
}

static vec3 view_direction(const scree_world *w, vec3 up)
{
	vec3 side = v3_across(up);
	/* keep x to the right, y into the picture where up is z */
	if (up.z > 0.9) side = v3(1, 0, 0);
	vec3 into = v3_cross(up, side);
	for (int32_t k = 0; k < w->wall.count; ++k) {
		const wall *o = w->wall.row + k;
		if (o->type != WALL_CYLINDER || o->side != SIDE_INSIDE) continue;
		vec3 axis = quat_rotate(o->turn, o->axis);
		if (real_abs(v3_dot(axis, up)) > 0.5) continue;
		if (v3_dot(axis, into) < 0) axis = v3_neg(axis);
		/* along the drum, a little from the side and from above */
		return v3_unit(v3_madd(v3_madd(axis, -0.20, v3_cross(axis, up)), -0.24, up));
	}
	return v3_unit(v3_madd(v3_madd(into, -0.55, side), -0.55, up));
}

camera scree_camera_make(const scree_world *w, const image_plan *plan, real aspect)
{
	real fov = plan->fov > 0 ? plan->fov : SCREE_PI / 6;
	vec3 up = v3_norm2(w->gravity) > 0 ? v3_unit(v3_neg(w->gravity)) : v3(0, 0, 1);
	camera c;
	frame f = {.tan_y = tan(fov / 2), .far = 0};
	f.tan_x = f.tan_y * aspect;
	if (plan->has_camera) {
		f.eye_to = v3_unit(v3_sub(plan->target, plan->eye));
		if (v3_norm2(plan->up) > 0) up = v3_unit(plan->up);
	} else {
		f.eye_to = view_direction(w, up);
	}
	f.right = v3_cross(f.eye_to, up);
	f.right = v3_norm2(f.right) > 1e-12 ? v3_unit(f.right) : v3_across(f.eye_to);
	f.up = v3_cross(f.right, f.eye_to);
	/* twice: the middle of what is seen, then how far from it */
	vec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3_neg(low);
	for (int32_t i = 0; i < w->body.count; ++i) {
		vec3 p = body_position(&w->body, i);
		low = v3(real_min(low.x, p.x), real_min(low.y, p.y), real_min(low.z, p.z));
		high = v3(real_max(high.x, p.x), real_max(high.y, p.y), real_max(high.z, p.z));
	}
	f.middle = low.x <= high.x ? v3_mul(0.5, v3_add(low, high)) : v3(0, 0, 0);
	for (int32_t k = 0; k < w->wall.count; ++k) {
		const wall *o = w->wall.row + k;
		if (o->type == WALL_PLANE || o->type == WALL_FACETS || o->removed) continue;
		real from, to;
		tube_ends(w, o, &from, &to);
		f.middle = v3_add(o->place, quat_rotate(o->turn, v3_madd(o->point, (from + to) / 2, o->axis)));
	}
	for (int32_t i = 0; i < w->body.count; ++i) {
		vec3 p = body_position(&w->body, i);
		real r = w->body.radius[i];
		show(&f, v3_madd(p, r, f.up));
		show(&f, v3_madd(p, -r, f.up));
		show(&f, v3_madd(p, r, f.right));
		show(&f, v3_madd(p, -r, f.right));
	}
	for (int32_t k = 0; k < w->wall.count && plan->walls != LOOK_HIDDEN; ++k) show_wall(&f, w, w->wall.row + k);
	if (!(f.far > 0)) f.far = 1;
	c.eye = plan->has_camera ? plan->eye : v3_madd(f.middle, -1.13 * f.far, f.eye_to);
	c.forward = f.eye_to;
	c.right = v3_mul(f.tan_x, f.right);
	c.up = v3_mul(f.tan_y, f.up);
	c.pixel = 0;
	return c;
}
