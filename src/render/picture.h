/* picture.h: private to render/: data shared by the parts of a picture. Everything is drawn in the frame of the
 * picture: the world is shifted and scaled so that the scene has radius 1 about the origin, because Embree computes in
 * single precision. Pictures do not affect the state of a simulation, so libm is allowed here. */
#ifndef SCREE_RENDER_PICTURE_H
#define SCREE_RENDER_PICTURE_H

#include "base/fail.h"
#include "base/real.h"
#include "format/plan.h"
#include "model/declared.h"
#include "wall/wall_state.h"
#include "wall/walls.h"
#include "world/world.h"

/* Converts from the world's frame to the picture's frame: (p - centre) * scale. */
typedef struct picture_frame {
	vec3 centre;
	real scale;
} picture_frame;

SCREE_FN vec3 to_picture(const picture_frame *f, vec3 p) { return v3_mul(f->scale, v3_sub(p, f->centre)); }
SCREE_FN vec3 v3_mix(vec3 a, vec3 b, real t) { return v3_madd(v3_mul(1 - t, a), t, b); }
SCREE_FN vec3 v3_times(vec3 a, vec3 b) { return v3(a.x * b.x, a.y * b.y, a.z * b.z); }
SCREE_FN real smooth_step(real low, real high, real x)
{
	real t = real_clamp((x - low) / (high - low), 0, 1);
	return t * t * (3 - 2 * t);
}

/* camera.c */

typedef struct camera {
	vec3 eye, right, up, dir;	  /* orthonormal, in the picture's frame */
	real half_width, half_height; /* tangents of half the angles of view, or half the size of a parallel view */
	real pixel;					  /* angle of one pixel, rad; for a parallel view, the size of a pixel */
	bool parallel;				  /* orthographic: all rays have the direction `dir` */
} camera;

/* Size of a pixel at this distance. */
SCREE_FN real camera_pixel(const camera *c, real far) { return c->parallel ? c->pixel : c->pixel * far; }

/* Maps positions in the world to pixels. */
typedef struct lens {
	camera view;
	picture_frame frame;
	real width, height; /* px */
	bool flat;
} lens;

/* x, y: px, y downwards; z: distance along the camera's direction, in the picture's frame; > 0 in front of it */
vec3 scree_lens_pixel(const lens *l, vec3 at);
/* px/m across the camera's direction at this position */
real scree_lens_scale(const lens *l, vec3 at);

/* wall_forms.c: planes, cylinders and cones in closed form. */

typedef enum surface_kind { SURFACE_PLANE, SURFACE_TUBE, SURFACE_RING } surface_kind;

typedef struct disc {
	vec3 centre;
	real radius;
} disc;

enum { SURFACE_DISCS = 8 };

typedef struct surface {
	surface_kind kind;
	vec3 point, axis;	/* tube: centre of the first end and unit axis; ring and plane: a point and the normal */
	real radius, slope; /* tube: radius at the first end, and its increase per unit length; ring: inner radius */
	real length, outer; /* tube: length; ring: outer radius */
	real inner;			/* +1: bodies are inside the tube; -1: outside */
	bool two_sided, turns;
	int32_t wall;
	vec3 e1, e2;			  /* axes perpendicular to `axis` that rotate with the wall */
	disc disc[SURFACE_DISCS]; /* a plane that closes tubes is drawn only within these discs */
	int32_t discs;
} surface;

typedef struct wall_hit {
	real t;
	vec3 normal; /* points to the bodies' side */
	bool both;	 /* whether the wall looks the same from both sides */
	bool edge;	 /* a rim or a blade, drawn darker */
	real alpha;	 /* opacity; planes fade with the distance from the scene */
	real mark;	 /* 0..1: darkness of the lines that show a wall's rotation */
	int32_t wall;
} wall_hit;

typedef struct wall_view {
	int32_t count;
	surface *row;
	real fade; /* radius at which planes begin to fade */
} wall_view;

/* Finite parts of the scene that the camera must show, as spheres, in the world's frame. */
typedef struct extent {
	int32_t count, capacity;
	vec3 *at;
	real *radius;
	bool drum; /* a horizontal tube with bodies in it */
	vec3 drum_axis;
} extent;

/* Fraction of each half of the picture for the scene; the legend is on the right and the title at the top. */
typedef struct margins {
	real left, right, bottom, top;
} margins;
margins scree_render_margins(const image_plan *plan);

void scree_render_extent(extent *e, const scree_world *w, bool walls, bool bodies_only);
void scree_render_extent_free(extent *e);
/* The frame of reference in which the extent has radius 1. */
picture_frame scree_render_frame(const extent *e);
camera scree_render_camera(const extent *e, const image_plan *plan, vec3 up, const picture_frame *frame);
/* The direction opposite to gravity; without gravity, z, or y in two dimensions. */
vec3 scree_render_up(const scree_world *w);
/* The periodic cell; along axes without a period, the extent of the bodies. */
void scree_render_cell(const scree_world *w, vec3 *low, vec3 *high);

/* Pose of a wall of this world; converts a point from the wall's frame to world coordinates. */
SCREE_FN const wall_state *wall_now(const scree_world *w, const wall *l)
{
	return w->state.wall + (l - w->model.wall.row);
}
SCREE_FN vec3 wall_point(const scree_world *w, const wall *l, vec3 p) { return wall_to_world(wall_now(w, l), p); }
SCREE_FN vec3 wall_axis(const scree_world *w, const wall *l)
{
	return quat_rotate(wall_now(w, l)->orientation, l->axis);
}

wall_view scree_wall_view(const scree_world *w, const picture_frame *frame);
void scree_wall_view_free(wall_view *v);
/* Finds the nearest crossing with t in (low, high), from either side. */
bool scree_wall_view_hit(const wall_view *v, vec3 from, vec3 dir, real low, real high, wall_hit *hit);
/* Tests whether wall_view draws a wall in closed form instead of its facets. */
bool scree_wall_view_has(wall_type type);
/* Ends of an infinite tube, along the axis from `point` in the world's frame: planes across it, or near the bodies */
void scree_tube_ends(const scree_world *w, const wall *tube, vec3 point, vec3 axis, real ends[2]);

/* triangles of walls that have neither a closed form nor facets, in the world's frame */

typedef struct wall_pieces {
	int64_t points, point_capacity, triangles, capacity;
	vec3 *point;
	int64_t *corner; /* [3*triangles] */
	int32_t *wall;	 /* [triangles] */
	int32_t row;	 /* row of the wall being collected */
} wall_pieces;

/* Pieces of finite walls; with `endless`, also pieces of infinite walls within this ball. */
wall_pieces scree_wall_pieces(const scree_world *w, bool endless, vec3 middle, real radius);
void scree_wall_pieces_free(wall_pieces *o);

/* colours.c, maps.c */

typedef struct legend {
	const char *name, *unit;
	picture_map map;
	real low, high; /* ends of the scale, SI */
	bool none;		/* bodies are not coloured by the quantity, so there is no scale */
	bool categories;
	bool over, under;		/* some values are above high, or below low */
	int32_t names, unnamed; /* unnamed: number of names that do not fit */
	const char *label[12];
	vec3 swatch[12];
	real force, force_width;		  /* N, px: force and width of the widest line of a force network; 0 without one */
	const char *arrows, *arrows_unit; /* name and unit of the arrows */
	real arrow, arrow_length;		  /* value and length in px of the longest arrow; arrow: 0 without arrows */
} legend;

/* linear RGB, t in 0..1 */
vec3 scree_colour_map(picture_map map, real t);
/* sRGB: eight colours, repeated */
enum { SCREE_PALETTE = 8 };
vec3 scree_palette(int64_t row);
vec3 scree_linear(vec3 srgb);
/* from linear RGB to sRGB, clipped to 0..1 */
vec3 scree_encode(vec3 linear);
/* colour of the background in linear RGB; row: 0 at the top of the picture and 1 at the bottom */
vec3 scree_background(picture_ground ground, real row);
/* the picture's colour for this wall, sRGB; NULL if none. A box consists of several walls: NAME.x_min and others */
const vec3 *scree_colour_of_wall(const image_plan *plan, const char *name);
/* Linear RGB of every body. Returns false, with an error message, if the field does not exist. */
bool scree_colours(const scree_world *w, const image_plan *plan, vec3 up, vec3 *colour, legend *bar, fail *why);

/* sRGB premultiplied by alpha, and alpha, 0..1; rows from the top */
typedef struct canvas {
	int32_t width, height;
	float *rgba;
	float *depth; /* distance of the visible object along the camera's direction, in the picture's frame */
} canvas;

typedef struct page page; /* page.h */

/* trace.c, or trace_none.c in a build without Embree */

typedef struct tracer tracer;
/* Returns false, with an error message, if this build has no ray tracer. */
bool scree_tracer_built(fail *why);
tracer *scree_tracer_new(const scree_world *w, const image_plan *plan, const camera *view, const picture_frame *frame,
						 const vec3 *colour, vec3 up, fail *why);
void scree_tracer_free(tracer *t);
void scree_trace(const tracer *t, canvas *out);

/* plane.c: draws a two-dimensional world without rays */
lens scree_plane_lens(const image_plan *plan, const extent *e);
void scree_plane(const scree_world *w, const image_plan *plan, const lens *view, const vec3 *colour, page *out);

/* marks.c: lines and arrows with their scales for the legend; pixels: NULL in 2D; middle: centre of the bodies */
void scree_marks(page *out, const scree_world *w, const image_plan *plan, const lens *view, const canvas *pixels,
				 vec3 middle, legend *bar);

/* overlay.c: sRGB, colour of lines for contact forces */
extern const vec3 scree_force_colour;
/* Draws the title, legend, scale bar and axes; the scale bar is valid at the distance of `middle`. */
void scree_overlay(page *p, const image_plan *plan, const lens *view, const legend *bar, const char *title, real time,
				   vec3 middle);

#endif
