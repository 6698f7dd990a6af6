/* forms.h: the tables of wall forms and of wall motions: one row for each wall_type and each motion_type, with their
 * functions and properties. Contacts of a form are in narrow/wall/forms.c, its scene keys in scene/schema_walls.c.
 * docs/adding.md adds one of each. */
#ifndef SCREE_WALL_FORMS_H
#define SCREE_WALL_FORMS_H

#include "shape/shapes.h"
#include "wall/wall_state.h"

/* Target for drawing walls as polygons: points in world coordinates, and cells of points added before. */
typedef struct wall_canvas {
	void *to;
	int64_t (*point)(void *to, vec3 p);
	void (*cell)(void *to, int64_t corners, const int64_t *corner);
	const shapes *shapes;
	vec3 middle; /* middle of the scene, and radius of a ball around it, within which endless walls are drawn */
	real radius;
	bool flat; /* a world in the plane */
} wall_canvas;

typedef struct wall_form {
	const char *name;
	/* Checks its members, and makes an axis a unit vector. NULL: its facets, or its shape, are checked elsewhere */
	bool (*check)(wall *w, fail *why);
	/* tests whether a body can get to its other side; NULL: always */
	bool (*has_sides)(const wall *w);
	/* NULL: never. Endless walls have no finite bounds */
	bool (*is_endless)(const wall *w);
	/* tests whether it may be in a world in the plane (NULL: never); others: whether it may be in space */
	bool (*in_plane)(const wall *w);
	bool in_space;
	bool balls_only; /* a world with it has spheres and clumps only, and no narrow phase of polyhedra sees it */
	/* Tests whether a ball (centre p, wall's frame) is within the distance `far`. May be true too often, and is then
	 * true for every larger ball that contains this one. NULL: tested by facets */
	bool (*is_near)(const wall *w, vec3 p, real radius, real far);
	/* tests whether rotation about this axis and point, wall's frame, leaves it unchanged; NULL: never */
	bool (*turns_in_itself)(const wall *w, vec3 axis, vec3 point);
	/* Reason why it is impossible in a world that is periodic along this axis from low to high, or NULL. The row's
	 * NULL: always possible */
	const char *(*cannot_repeat)(const wall *w, int32_t axis, real low, real high);
	/* grows a box in its own frame */
	void (*bounds)(const walls *s, const wall *w, const shapes *shapes, vec3 *low, vec3 *high);
	/* m: for forms that act on one side and can be bypassed: radius around the frame's origin that contains all of
	 * it; 0, and the row's NULL: no such form, or facets */
	real (*has_a_back)(const wall *w);
	void (*draw)(const walls *s, const wall *w, const wall_state *at, const wall_canvas *c);
} wall_form;

extern const wall_form scree_wall_forms[WALL_TYPES];

/* Adds the wall as a row, with its members set for its form; -1 with a message. */
int32_t scree_walls_add(walls *s, wall w, fail *why);
bool scree_wall_is_endless(const wall *w);
/* Finite walls: bounds in the wall's frame. */
void scree_wall_bounds(const walls *s, const wall *w, const shapes *shapes, vec3 *low, vec3 *high);

typedef struct motion_form {
	const char *name;
	bool turns; /* rotates about motion.axis; others move along it */
	vec3 (*way)(const wall_motion *m);
	/* NULL: nothing to check or derive */
	bool (*check)(const wall *w, wall_motion *m, fail *why);
	/* Pose and velocity from the frame at rest; `progress` is the time that its rate has lasted, `share` the current
	 * fraction of its rate. */
	void (*move)(const wall *w, wall_state *to, real progress, real share);
	/* m: bound on the path of any point that came within `reach` of `middle`, in this progress and time */
	real (*travel)(const wall *w, vec3 middle, real reach, real progress, real time);
} motion_form;

extern const motion_form scree_motion_forms[MOTION_TYPES];

#endif
