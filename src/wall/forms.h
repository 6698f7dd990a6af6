/* forms.h: the tables of wall forms and of wall motions: one row for each wall_type and each motion_type, with all
 * that others ask of it. What a form is to bodies stands in narrow/wall/forms.c, what a scene says of it in
 * scene/schema_walls.c. docs/adding.md adds one of each. */
#ifndef SCREE_WALL_FORMS_H
#define SCREE_WALL_FORMS_H

#include "shape/shapes.h"
#include "wall/walls.h"

/* What a wall is drawn into, as polygons: points of the world, and cells of points that went in before. */
typedef struct wall_canvas {
	void *to;
	int64_t (*point)(void *to, vec3 p);
	void (*cell)(void *to, int64_t corners, const int64_t *corner);
	const shapes *shapes;
	vec3 middle; /* of the scene, and the radius of a ball around it: as much of an endless wall is drawn */
	real radius;
	bool flat; /* a world in the plane */
} wall_canvas;

typedef struct wall_form {
	const char *name;
	/* Are its members in order? An axis is made a unit vector. NULL: its facets, or its shape, are checked elsewhere */
	bool (*check)(wall *w, fail *why);
	/* can a body come to its other side? NULL: always */
	bool (*has_sides)(const wall *w);
	/* NULL: never. Of endless walls finite bounds are not asked for */
	bool (*is_endless)(const wall *w);
	/* may it stand in a world in the plane? NULL: never; and in others? */
	bool (*fits_plane)(const wall *w);
	bool fits_space;
	/* Is a ball (centre p, wall's frame) within the distance `far`? May say yes too often, and says so of every ball
	 * that holds one of which it does. NULL: facets know better */
	bool (*is_near)(const wall *w, vec3 p, real radius, real far);
	/* does turning about this axis and point, wall's frame, leave it as it is? NULL: never */
	bool (*turns_in_itself)(const wall *w, vec3 axis, vec3 point);
	/* What keeps it out of a world that repeats along this axis from low to high, or NULL. The row's NULL: nothing */
	const char *(*cannot_repeat)(const wall *w, int32_t axis, real low, real high);
	/* grows a box in its own frame */
	void (*bounds)(const walls *s, const wall *w, const shapes *shapes, vec3 *low, vec3 *high);
	/* m: of a form that acts on one side, and has a way round to the other one: within this of its frame's origin is
	 * all of it; 0, and the row's NULL: no such form, or facets */
	real (*has_a_back)(const wall *w);
	void (*draw)(const walls *s, const wall *w, const wall_canvas *c);
} wall_form;

extern const wall_form scree_wall_forms[WALL_TYPES];

/* The wall as a row, its members as its form has them; -1 with a sentence. */
int32_t scree_walls_add(walls *s, wall w, fail *why);
bool scree_wall_is_endless(const wall *w);
/* Finite walls: bounds in the wall's frame. */
void scree_wall_bounds(const walls *s, const wall *w, const shapes *shapes, vec3 *low, vec3 *high);

typedef struct motion_form {
	const char *name;
	bool turns; /* about motion.axis; others shift, along: */
	vec3 (*way)(const wall_motion *m);
	/* NULL: there is nothing to check, or to do */
	bool (*check)(const wall *w, wall_motion *m, fail *why);
	/* From a frame at rest to pose and velocity, `progress` being the time that its rate has lasted, `share` the part
	 * of its rate now. */
	void (*move)(wall *w, real progress, real share);
	/* m: no point that came within `reach` of `middle` has gone farther in this progress and time */
	real (*travel)(const wall *w, vec3 middle, real reach, real progress, real time);
} motion_form;

extern const motion_form scree_motion_forms[MOTION_TYPES];

#endif
