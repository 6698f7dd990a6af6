/* picture.h: what the parts of the renderer share. Colours are linear until the picture is finished. */
#ifndef SCREE_RENDER_PICTURE_H
#define SCREE_RENDER_PICTURE_H

#include "base/fail.h"
#include "base/real.h"
#include "scene/plan.h"
#include "world.h"

#include <embree3/rtcore.h>

typedef struct picture {
	int32_t width, height;
	float *pixel; /* [3*width*height] red, green, blue, 0 to 1, already sRGB */
} picture;

/* The field that bodies are coloured by. */
typedef struct coloring {
	const char *label, *unit;
	bool categories; /* a colour a value rather than a scale */
	real low, high;
	real *value; /* [bodies] */
} coloring;

bool scree_coloring_make(coloring *c, const scree_world *w, const image_plan *plan, fail *why);
vec3 scree_coloring_color(const coloring *c, real value); /* linear */
void scree_coloring_free(coloring *c);

typedef struct camera {
	vec3 eye, forward, right, up; /* right and up scaled to the half width and height at distance 1 */
	real pixel;					  /* half a pixel's height at distance 1 */
} camera;
camera scree_camera_make(const scree_world *w, const image_plan *plan, real aspect);

/* Which triangle belongs to what. */
typedef struct owner {
	int32_t body, face; /* of bodies; face -1: a sphere */
	int32_t wall;		/* of walls, else -1 */
} owner;

typedef struct stage_set {
	RTCDevice device;
	RTCScene solid;						 /* bodies, and walls made of facets: they cast shadows */
	RTCScene shell;						 /* planes and tubes: seen from within, no shadows */
	owner *mesh, *facets, *forms;		 /* triangles of polyhedra, of facets, of planes and tubes */
	int32_t *ball;						 /* bodies of sphere points */
	unsigned mesh_id, ball_id, facet_id; /* geometries of solid */
	real size;							 /* m: of a typical body */
	vec3 up;
} stage_set;
bool scree_stage_set_build(stage_set *s, const scree_world *w, const image_plan *plan, fail *why);
void scree_stage_set_free(stage_set *s);

void scree_picture_trace(picture *p, const scree_world *w, const image_plan *plan, const coloring *c,
						 const camera *view, const stage_set *s);
/* title, time and scale bar */
void scree_picture_caption(picture *p, const scree_world *w, const coloring *c, const char *title);
bool scree_picture_write(const picture *p, const char *path, fail *why);

#endif
