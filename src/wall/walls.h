/* walls.h: the walls that contain bodies. A wall consists of geometry in the wall's frame, a material, and a rule of
 * motion; its current pose is in wall_state.h. Planes, cylinders, and cones are closed forms ("macro objects" of
 * Govender et al. 2015); polygons and meshes consist of convex facets. Connected facets in one plane form one surface.
 * A body has at most one contact with a surface, so seams inside a surface have no effect. */
#ifndef SCREE_WALL_WALLS_H
#define SCREE_WALL_WALLS_H

#include <stddef.h>

#include "base/fail.h"
#include "base/real.h"
#include "kernel/facet.h"
#include "kernel/quat.h"

struct shape;

typedef enum motion_type {
	MOTION_STILL,
	MOTION_VELOCITY,
	MOTION_ROTATION,
	MOTION_VIBRATION,
	MOTION_SERVO,
	MOTION_TORQUE,	/* a servo that rotates about an axis until the torque on the bodies has the given value */
	MOTION_FREE,	/* the wall moves along an axis due to the forces on the wall */
	MOTION_WHEEL,	/* the wall rotates about an axis due to the torques on the wall */
	MOTION_SURFACE, /* the surface moves within itself, like a belt, while the wall stays in place */
	MOTION_GIVEN,	/* set by a program during the run */
	MOTION_TABLE,	/* displacement from a table over time */
	MOTION_ANGLE,	/* angle of a rotation from a table over time */
	MOTION_TYPES
} motion_type;

/* A function of time from rows of vectors, or of numbers in x, linear or cubic with both slopes (Hermite) in
 * between. The function has the first row's value before the first row, and continues with the last row's slope
 * after the last. */
typedef struct motion_row {
	real time; /* time in s since the motion began */
	vec3 value, slope;
} motion_row;

typedef struct motion_table {
	int32_t rows;
	bool curved;		   /* cubic between rows */
	const motion_row *row; /* owned by the walls */
} motion_table;

/* Rule for motions whose pose follows from the forces on the wall, with one degree of freedom along or about the
 * motion's axis. A MOTION_SERVO presses with the given force. MOTION_TORQUE and MOTION_WHEEL rotate: forces are torques
 * (N m), masses are moments of inertia (kg m2), and displacements are angles (rad). MOTION_FREE and MOTION_WHEEL move
 * like bodies; the force is an external force of either sign. */
typedef struct servo_rule {
	real force;		   /* force in N, > 0; the largest force if there is a table */
	motion_table over; /* the force over time; constant if there are no rows */
	real before;	   /* force in N at the start of the ramp */
	real mass;		   /* mass of the wall in kg; if 0, it is derived from the bodies at the start */
	real damping;	   /* damping of the wall on its contacts, as a fraction of critical damping */
	real max_speed;	   /* in m/s; if 0, it is derived from the bodies at the start */
	real low, high;	   /* limits of the displacement along the axis from the initial position, in m; may be infinite */
	real spring, damper, speed; /* free walls only: in N/m (relaxed at the start), kg/s, and m/s (at the start) */
	bool weight;				/* for MOTION_FREE: whether gravity acts on the wall */
} servo_rule;

/* Test whether the wall moves like a body rather than a servo, whether forces set its pose, and whether it rotates. */
SCREE_FN bool motion_is_free(motion_type t) { return t == MOTION_FREE || t == MOTION_WHEEL; }
SCREE_FN bool motion_is_driven(motion_type t) { return t == MOTION_SERVO || t == MOTION_TORQUE || motion_is_free(t); }
SCREE_FN bool motion_is_turned(motion_type t) { return t == MOTION_TORQUE || t == MOTION_WHEEL; }

/* Constants of a servo, derived from the bodies at the start. */
typedef struct servo_constants {
	real mass, stiffness, max_speed; /* in kg, N/m (one contact) and m/s */
} servo_constants;

/* At rest before `from`; the rate then increases linearly over `ramp`, stays constant, and ends at `until`. */
typedef struct wall_motion {
	motion_type type;
	vec3 velocity;	  /* MOTION_VELOCITY, MOTION_SURFACE: m/s */
	vec3 axis, point; /* MOTION_ROTATION: unit axis and a point on it; MOTION_SERVO: unit vector towards the bodies */
	real rate;		  /* MOTION_ROTATION: rad/s */
	/* MOTION_VIBRATION: m; displacement = amplitude * (sin(2 pi frequency (t - from) + phase) - sin(phase)) */
	vec3 amplitude;
	real frequency, phase; /* MOTION_VIBRATION: Hz, rad */
	servo_rule servo;	   /* MOTION_SERVO */
	motion_table table;	   /* MOTION_TABLE: m; MOTION_ANGLE: rad, in x */
	/* MOTION_GIVEN: orientation at `from`, where the position is `point`; from then on the wall moves with `rate` about
	 * `axis` and with `velocity`. Other types, if placed: orientation and position of the wall before this motion,
	 * which began during the run; otherwise in the wall's frame */
	quat base;
	vec3 start; /* m */
	bool placed;
	real from, ramp, until; /* s; until may be INFINITY */
} wall_motion;

/* Repairs of a mesh whose triangles did not meet, with the position of the first of each kind (wall's frame) */
typedef struct mesh_repairs {
	int32_t junctions; /* corners on a side of another triangle */
	int32_t cracks;	   /* corners closer to other corners than the tolerance */
	int32_t doubled;   /* triangles on top of other triangles */
	vec3 first_junction, first_crack, first_doubled;
} mesh_repairs;

typedef struct wall {
	char name[48];
	wall_type type;
	int32_t material;
	bool two_sided; /* planes and facets: whether the wall acts on bodies on both sides */
	bool internal;	/* facets of class `internal` surround the bodies, so that no border can touch a body's edge */
	wall_side side; /* cylinders and cones */
	vec3 point;		/* plane: a point of the plane; cylinder, cone: centre of the first end; in the wall's frame */
	vec3 axis; /* plane: unit normal, towards the bodies; cylinder, cone: unit axis from the first end to the second */
	real radius, radius2;	  /* radius of a cylinder; radii of a cone at the first and second ends */
	real length;			  /* length of cylinders and cones, which have no caps; INFINITY for an infinite cylinder */
	int32_t shape;			  /* polygon: row of the world's shapes */
	const struct shape *form; /* polygon: the shape, set by scree_world_prepare */
	int32_t first_facet, facets; /* rows of walls.facet */
	int32_t dropped;			 /* triangles of the mesh without area, and copies; only for the wall as read */
	mesh_repairs repaired;		 /* repairs of the wall's mesh; only for the wall as read */
	real tolerance; /* tolerance, in m, for facets due to the file; for scree_walls_add_mesh its last digit, or 0 */
	int32_t first_surface, surfaces; /* in the list of all walls' surfaces; one unless the wall has facets */
	bool conducts; /* whether the wall conducts heat, at this temperature in K, instead of being insulated */
	real temperature;
	bool removed; /* whether the wall was removed between steps and no longer acts */
	wall_motion motion;
	/* Further motions, which act on the wall before `motion`, in this order; owned by the walls. Each motion has
	 * separate times, and the wall keeps its pose when the motion ends. Only `motion` may be driven or placed */
	int32_t parts;
	const wall_motion *part;
	servo_constants servo; /* only if the motion is driven */
	const bool *only;  /* [materials] whether bodies of a material touch the wall; NULL if all do; owned by the walls */
	int32_t materials; /* number of materials in `only` */
} wall;

SCREE_FN bool wall_acts_on(const wall *w, int32_t material)
{
	return !w->only || (material < w->materials && w->only[material]);
}

typedef struct walls {
	int32_t count;
	int64_t capacity;
	wall *row;
	int32_t facets, facet_capacity;
	facet *facet;
	int32_t corners, corner_capacity;
	vec3 *corner;  /* [corners] points in the wall's frame */
	vec3 *outward; /* [corners] unit vector in the facet's plane, perpendicular to edge k, out of the facet */
	int32_t *next; /* [corners] the facet across edge k, EDGE_OPEN, or EDGE_COVERED - the covering facet */
	real *bend; /* [corners] sine of the angle across the edge: < 0 ridge (solid side convex), > 0 valley, 0 neither */
	/* Facets of other walls that contain border edge k or a part of it: a list that starts at meeting[meets[k]]. Only
	 * walls with the same motion are included; derived (meet.c). NULL: none */
	int32_t *meets; /* [corners] -1: none */
	int32_t meetings;
	int64_t meeting_capacity;
	wall_meeting *meeting;
	real meet_near; /* tolerance, in m, for borders on facets of other walls */
	int32_t surfaces;
	int32_t *surface_wall; /* [surfaces] */
	surface_link *link[2]; /* [surfaces] trees as seen from the side of the normals, and from behind; derived */
	surface_face *face;	   /* [surfaces] derived */
	int32_t surface_capacity;
	void **owned; /* [owned_count] arrays of tables and of parts of motions */
	int32_t owned_count;
	int64_t owned_capacity;
} walls;

/* A wall, and its facets that may touch a body. */
typedef struct near_wall {
	const walls *s;
	int32_t wall, facets;
	const int32_t *facet; /* [facets] rows in ascending order */
} near_wall;

#define SCREE_WALL_ROWS /* the names of kernel/wall_rows.h */
typedef wall table_wall;
typedef walls wall_table;
typedef near_wall near_facets;

/* Tests whether forces move any of the walls. */
SCREE_FN bool scree_walls_driven(const walls *s)
{
	for (int32_t k = 0; k < s->count; ++k)
		if (motion_is_driven(s->row[k].motion.type)) return true;
	return false;
}

/* A default wall: a WALL_PLANE through the origin with normal z, at rest, one-sided, without a length limit */
wall scree_wall_default(const char *name, int32_t material);
/* Each adds wall w (name, material, two_sided, motion) with a geometry. Returns the row, or -1 with a message. */
int32_t scree_walls_add_plane(walls *s, wall w, vec3 point, vec3 normal, fail *why);
int32_t scree_walls_add_cylinder(walls *s, wall w, vec3 end, vec3 axis, real radius, real length, wall_side side,
								 fail *why);
int32_t scree_walls_add_cone(walls *s, wall w, vec3 end, vec3 axis, real radius, real radius2, real length,
							 wall_side side, fail *why);
/* Adds a finite convex polygon; corners are counter-clockwise seen from the side of the bodies. */
int32_t scree_walls_add_polygon(walls *s, wall w, int32_t corners, const vec3 *corner, fail *why);
/* Adds a convex polygon, in the plane, that bodies cannot enter; shape: row of the world's shapes. */
int32_t scree_walls_add_flat_polygon(walls *s, wall w, int32_t shape, fail *why);
/* Adds triangles. Coincident corners are welded, and coplanar neighbours become one surface. Degenerate triangles are
 * removed. Triangles that do not meet as neighbours are cut until they do (net.h). */
int32_t scree_walls_add_mesh(walls *s, wall w, int32_t vertices, const vec3 *vertex, int32_t triangles,
							 const int32_t *triangle, fail *why);
int32_t scree_walls_find(const walls *s, const char *name);
/* Returns a copy for another world, without derived data. */
walls scree_walls_copy(const walls *s);
/* Returns a copy of an array, which is freed with the walls; NULL if there is nothing to copy. */
void *scree_walls_keep(walls *s, const void *from, int32_t count, size_t size);
/* Derives `link` and `face` of this wall's surfaces; the arrays must have room for these. */
void scree_wall_link(walls *s, const wall *w);
/* Derives `link` and `face` for all walls of a table that was read. */
void scree_walls_link(walls *s);
/* Tests whether a body can move to the other side of the wall. One-sided planes and the insides of infinite cylinders
 * push back bodies behind them at any distance. */
bool scree_wall_has_sides(const wall *w);
bool scree_motion_acts(const wall_motion *m, real time);
/* Returns the servo's or the external force (or torque) at this time; 0 if it does not act. */
real scree_servo_force(const wall_motion *m, real time);
/* Bound, in m, on the displacement of a point within `reach` of `middle` by a driven motion of length `way` */
real scree_driven_way(const wall *w, vec3 middle, real reach, real way);
/* Returns motion k of the wall, from 0 to w->parts; the last motion is w->motion. */
SCREE_FN const wall_motion *wall_motion_of(const wall *w, int32_t k) { return k < w->parts ? w->part + k : &w->motion; }
/* Tests whether any motion of the wall is a rotation. */
bool scree_wall_turns(const wall *w);
/* The largest speed, in m/s, of translation by the motions; rotations are excluded, because they carry bodies along. */
real scree_wall_speed(const wall *w);
/* Returns a bound on the displacement, from time t0 to t1, of any point of wall w that came within `reach` of `middle`,
 * excluding displacement by a servo. */
real scree_wall_travel(const wall *w, vec3 middle, real reach, real t0, real t1);
/* Bound, in m/s, on the speed of these points, without driven motions; a ramp counts with the speed after it */
real scree_wall_fastest(const wall *w, vec3 middle, real reach);
/* Tests whether a wall rotates about its own axis of symmetry, so that its surface does not move. */
bool scree_wall_turns_in_itself(const wall *w);
/* Tests whether a velocity is along the surface everywhere: a plane, all facets, or the axis of a cylinder. */
bool scree_wall_is_along(const walls *all, const wall *w, vec3 v);
/* Returns a bound on the approach, from t0 to t1, of w to anything within `reach` of `middle`, excluding servos. */
real scree_wall_way(const wall *w, vec3 middle, real reach, real t0, real t1);
/* How values are interpolated between rows. */
typedef enum motion_table_kind {
	TABLE_LINEAR,
	TABLE_SMOOTH, /* cubic without overshoot (Fritsch and Butland 1984), at rest in the first and last rows */
	TABLE_RATES /* rows contain rates, which are linear between rows; the values are set to the integral of the rates */
} motion_table_kind;

/* Derives the slopes in the rows from times and values or, for TABLE_RATES, the values from the slopes. */
motion_table scree_motion_table_of(motion_row *row, int32_t rows, motion_table_kind kind);
/* Computes the value and the rate at this time, measured from the beginning of the motion. */
void scree_motion_table_at(const motion_table *t, real time, vec3 *value, vec3 *rate);
/* Return bounds on the path length between two times and on the rate at any time. */
real scree_motion_table_way(const motion_table *t, real from, real to);
real scree_motion_table_fastest(const motion_table *t);
/* Tests whether the table has rows of finite numbers with times that ascend from 0. */
bool scree_motion_table_is_valid(const motion_table *t);
bool scree_motion_table_same(const motion_table *a, const motion_table *b);

void scree_walls_free(walls *s);

#endif
