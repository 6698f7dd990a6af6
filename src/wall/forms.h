/* forms.h: tables of forms and motions of walls, a row for each wall_type or motion_type. Contacts of forms are in
 * narrow/wall/forms.c, their scene keys in scene/schema_walls.c. docs/adding.md shows how to add a row. */
#ifndef SCREE_WALL_FORMS_H
#define SCREE_WALL_FORMS_H

#include "shape/shapes.h"
#include "wall/wall_state.h"

/* Target for drawing walls: `point` adds a point in world coordinates, and `cell` adds a polygon of earlier points. */
typedef struct wall_canvas {
	void *to;
	int64_t (*point)(void *to, vec3 p);
	void (*cell)(void *to, int64_t corners, const int64_t *corner);
	const shapes *shapes;
	vec3 middle; /* centre of the scene, and radius of a ball around it within which infinite walls are drawn */
	real radius;
	bool flat; /* whether the world is two-dimensional */
} wall_canvas;

typedef struct wall_form {
	const char *name;
	/* checks a wall's members and normalizes its axis; NULL for facets or a shape, which are checked elsewhere */
	bool (*check)(wall *w, fail *why);
	/* tests whether a body can move to the other side of the wall; NULL if it always can */
	bool (*has_sides)(const wall *w);
	/* tests whether the wall has no finite bounds; NULL if the bounds are always finite */
	bool (*is_endless)(const wall *w);
	/* tests whether the wall may be in a 2D world (NULL if never); otherwise it may only be in a 3D world */
	bool (*in_plane)(const wall *w);
	bool in_space;
	bool on_devices; /* src/machine has kernels for the form */
	bool balls_only; /* the world may contain only spheres and clumps; narrow phases for polyhedra skip the wall */
	/* Tests whether a ball (centre p, wall's frame) is within the distance `far`. The result may also be true for some
	 * other balls; it is then also true for every ball that contains one of these. NULL if facets are tested instead */
	bool (*is_near)(const wall *w, vec3 p, real radius, real far);
	/* tests whether rotation about this axis and point (wall's frame) leaves the wall unchanged; NULL if never */
	bool (*turns_in_itself)(const wall *w, vec3 axis, vec3 point);
	/* Returns the reason why the wall is impossible in a world that is periodic along this axis from `low` to `high`,
	 * or NULL. If this member is NULL, the wall is always allowed */
	const char *(*cannot_repeat)(const wall *w, int32_t axis, real low, real high);
	/* extends a box in the wall's frame to include the wall */
	void (*bounds)(const walls *s, const wall *w, const shapes *shapes, vec3 *low, vec3 *high);
	/* For forms that act on one side and can be bypassed: radius, in m, of a ball around the frame's origin that
	 * contains the wall. For other forms, and for forms with facets, the member is NULL or returns 0 */
	real (*has_a_back)(const wall *w);
	void (*draw)(const walls *s, const wall *w, const wall_state *at, const wall_canvas *c);
} wall_form;

extern const wall_form scree_wall_forms[WALL_TYPES];

/* Adds the wall as a row; the members required by its form must be set. Returns -1 with a message on failure. */
int32_t scree_walls_add(walls *s, wall w, fail *why);
bool scree_wall_is_endless(const wall *w);
/* Returns the area of one side of a finite wall, in m2; infinite for an infinite wall. flat: its length, m */
real scree_wall_area(const walls *s, const wall *w, const shapes *shapes, bool flat);
/* Computes the bounds of a finite wall, in the wall's frame. */
void scree_wall_bounds(const walls *s, const wall *w, const shapes *shapes, vec3 *low, vec3 *high);

typedef struct motion_form {
	const char *name;
	bool turns; /* true for a rotation about motion.axis; other motions translate the wall */
	/* returns a vector with nonzero components along the axes of the wall's translation; NULL if there is none */
	vec3 (*way)(const wall_motion *m);
	/* checks a motion and derives its constants; NULL if nothing is required */
	bool (*check)(const wall *w, wall_motion *m, fail *why);
	/* Computes pose and velocity relative to the frame at rest. progress: time in which the full rate would give the
	 * same displacement; share: fraction of the full rate at present */
	void (*move)(const wall_motion *m, wall_state *to, real progress, real share);
	/* bound on the path between two values of the progress, in m, or in rad for a rotation. NULL if motions.c computes
	 * the bound, or if there is none, as for a servo, whose path is in its state */
	real (*travel)(const wall_motion *m, real from, real to);
	/* largest speed, in m/s, of a motion that translates the wall; NULL if 0 */
	real (*fastest)(const wall_motion *m);
} motion_form;

extern const motion_form scree_motion_forms[MOTION_TYPES];

#endif
