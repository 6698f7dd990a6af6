/* walls.h: the walls that contain bodies. A wall is geometry in its own frame, a material and a rule of motion; its
 * current pose is in wall_state.h.
 *
 * Planes, cylinders and cones are closed forms ("macro objects" of Govender et al. 2015); polygons and meshes are
 * convex facets. Connected facets in one plane form one surface. A body has at most one contact with a surface, so
 * seams inside it have no effect. */
#ifndef SCREE_WALL_WALLS_H
#define SCREE_WALL_WALLS_H

#include <stddef.h>

#include "base/fail.h"
#include "base/real.h"
#include "kernel/quat.h"

/* in a world in the plane, planes are lines and cylinders along z are circles; solid polygons exist only there */
typedef enum wall_type { WALL_PLANE, WALL_CYLINDER, WALL_CONE, WALL_FACETS, WALL_POLYGON, WALL_TYPES } wall_type;
struct shape;

typedef enum wall_side {
	SIDE_INSIDE, /* for cylinders and cones: bodies are inside the tube */
	SIDE_OUTSIDE
} wall_side;

typedef enum motion_type {
	MOTION_STILL,
	MOTION_VELOCITY,
	MOTION_ROTATION,
	MOTION_VIBRATION,
	MOTION_SERVO,
	MOTION_TORQUE,	/* a servo that rotates about an axis until the torque on the bodies is the given one */
	MOTION_FREE,	/* shifts along an axis by the forces on it */
	MOTION_WHEEL,	/* rotates about an axis by the torques on it */
	MOTION_SURFACE, /* the surface moves along itself, like a belt; the wall stays in place */
	MOTION_GIVEN,	/* set by a program during the run */
	MOTION_TABLE,	/* displacement from a table over time */
	MOTION_ANGLE,	/* angle of a rotation from a table over time */
	MOTION_TYPES
} motion_type;

/* A function of time given by rows of a table: a vector, or one number in x. Between rows it is linear, or cubic with
 * the slopes of both rows (Hermite). Before the first row it has that row's value; after the last it continues with
 * that row's slope. */
typedef struct motion_row {
	real time; /* s since the motion began */
	vec3 value, slope;
} motion_row;

typedef struct motion_table {
	int32_t rows;
	bool curved;		   /* cubic between rows */
	const motion_row *row; /* owned by the walls */
} motion_table;

/* Motions whose pose follows from the forces on the wall, by one degree of freedom along or about the motion's axis.
 * MOTION_SERVO presses with this force. MOTION_TORQUE and MOTION_WHEEL turn: forces are torques (N m), masses moments
 * of inertia (kg m2), displacements angles (rad). MOTION_FREE and MOTION_WHEEL move as bodies do; the force is an
 * external one, of either sign. */
typedef struct servo_rule {
	real force;		   /* N, > 0; with a table its largest value */
	motion_table over; /* the force over time; no rows: constant */
	real before;	   /* N: force at the start of the ramp */
	real mass;		   /* kg, of the wall; 0: from the bodies at the start */
	real damping;	   /* fraction of the critical damping of the wall on its contacts */
	real max_speed;	   /* m/s; 0: from the bodies at the start */
	real low, high; /* m along the axis: limits of the displacement from the position at the start; may be infinite */
	/* only free walls: N/m of a spring that is relaxed at the start, kg/s of a damper, m/s at the start */
	real spring, damper, speed;
	bool weight; /* MOTION_FREE: gravity acts on it */
} servo_rule;

/* Tests whether the pose follows from the forces on the wall; whether it is a body of its own, not a servo; whether it
 * turns. */
SCREE_FN bool motion_is_free(motion_type t) { return t == MOTION_FREE || t == MOTION_WHEEL; }
SCREE_FN bool motion_is_driven(motion_type t) { return t == MOTION_SERVO || t == MOTION_TORQUE || motion_is_free(t); }
SCREE_FN bool motion_is_turned(motion_type t) { return t == MOTION_TORQUE || t == MOTION_WHEEL; }

/* Constants of a servo, derived from the bodies at the start. */
typedef struct servo_constants {
	real mass, stiffness, max_speed; /* kg; N/m of one contact; m/s */
} servo_constants;

/* Motion of a wall. The wall is at rest before `from`; then the rate grows linearly over `ramp`, stays constant, and
 * ends at `until`. */
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
	/* MOTION_GIVEN: orientation at `from`; the position then is `point`; afterwards the wall moves by `rate` about
	 * `axis`, and `velocity`. Others, if placed: orientation and position of the wall before this motion, which began
	 * during the run; in its own frame otherwise */
	quat base;
	vec3 start; /* m */
	bool placed;
	real from, ramp, until; /* s; until may be INFINITY */
} wall_motion;

/* Repairs of triangles of a file that do not meet as in a surface and were cut and joined, with the position of the
 * first repair of each kind in the wall's frame. */
typedef struct mesh_repairs {
	int32_t junctions; /* corners on a side of another triangle */
	int32_t cracks;	   /* corners nearer to others than the tolerance */
	int32_t doubled;   /* triangles on top of others */
	vec3 first_junction, first_crack, first_doubled;
} mesh_repairs;

typedef struct wall {
	char name[48];
	wall_type type;
	int32_t material;
	bool two_sided; /* planes and facets: acts on bodies on both sides */
	bool internal;	/* facets of class internal, which surround the bodies: no border can touch an edge of a body */
	wall_side side; /* cylinders and cones */
	vec3 point;		/* plane: one of its points; cylinder, cone: centre of the first end; wall's frame */
	vec3 axis; /* plane: unit normal, towards the bodies; cylinder, cone: unit axis from the first end to the second */
	real radius, radius2;		 /* cylinder: radius; cone: at the first and at the second end */
	real length;				 /* length of cylinders and cones, which have no caps; INFINITY: endless cylinder */
	int32_t shape;				 /* polygon: row of the world's shapes */
	const struct shape *form;	 /* polygon: its shape, set by scree_world_prepare */
	int32_t first_facet, facets; /* rows of walls.facet */
	/* number of triangles of its mesh without area, or that are copies; only for the wall as read */
	int32_t dropped;
	mesh_repairs repaired; /* repairs of its mesh; only for the wall as read */
	/* m, facets: tolerance within the digits of the file; for scree_walls_add_mesh the last digit, or 0 */
	real tolerance;
	/* its surfaces in the list of all walls' surfaces; one surface unless it has facets */
	int32_t first_surface, surfaces;
	bool conducts; /* it conducts heat, at this temperature in K; else it is insulated */
	real temperature;
	bool removed; /* removed between steps: it no longer acts */
	wall_motion motion;
	/* Further motions, which act on the wall before `motion`, in this order; they belong to the walls. Each has its own
	 * times, and leaves the wall where it is when it ends. Only `motion` may be driven, or placed */
	int32_t parts;
	const wall_motion *part;
	servo_constants servo; /* only if the motion is driven */
	const bool *only;	   /* [materials] whether bodies of a material meet the wall; NULL: all. Owned by the walls */
	int32_t materials;	   /* number of materials in `only` */
} wall;

SCREE_FN bool wall_acts_on(const wall *w, int32_t material)
{
	return !w->only || (material < w->materials && w->only[material]);
}

/* An edge meets a facet (>= 0) or nothing, or lies on the face of another facet (EDGE_COVERED and below), within the
 * tolerance. The other facet is of this wall or of one that moves with it. Such an edge is not a border, since bodies
 * cannot reach it without touching that face. */
enum { EDGE_OPEN = -1, EDGE_COVERED = -2 };
SCREE_FN bool edge_is_covered(int32_t next) { return next <= EDGE_COVERED; }
SCREE_FN int32_t edge_cover(int32_t next)
{
	return EDGE_COVERED - next;
} /* converts between the covering facet and the value that is stored; its own inverse */

/* A convex planar polygon. Edge k runs from corner k to corner k+1. */
typedef struct facet {
	int32_t wall, surface;
	vec3 normal; /* unit, for one-sided walls towards the bodies; seen from its tip, corners are counter-clockwise */
	real off;	 /* plane: normal.p = off */
	int32_t first, corners; /* rows of walls.corner */
	vec3 low, high;			/* bounds, wall's frame */
} facet;

typedef struct wall_meeting {
	int32_t facet, next; /* facet: a covering facet; next: next item of the list, -1 at its end */
} wall_meeting;

/* Connections of a wall's surfaces, seen from one side, as a tree: the link of a surface to the one above it. Links
 * were added from strong to weak (links.c). */
typedef struct surface_link {
	int32_t up, when; /* surface that it was joined to, -1: none; rank of the link among all links of the wall */
	real part;		  /* strength of the link: 1 for a ridge, the cosine of its angle for a valley */
} surface_link;

/* A surface by its first facet. */
typedef struct surface_face {
	vec3 normal, middle;
} surface_face;

typedef struct walls {
	int32_t count;
	int64_t capacity;
	wall *row;
	int32_t facets, facet_capacity;
	facet *facet;
	int32_t corners, corner_capacity;
	vec3 *corner;  /* [corners] points in the wall's frame */
	vec3 *outward; /* [corners] unit vector in the facet's plane, across edge k, out of the facet */
	int32_t *next; /* [corners] the facet across edge k, EDGE_OPEN, or EDGE_COVERED - the facet on which it lies */
	/* [corners] sine of the angle across the edge: < 0 a ridge (solid side convex), > 0 a valley; 0 if neither */
	real *bend;
	/* Facets of other walls on which border edge k, or a part of it, lies: a list from meeting[meets[k]] on. Only walls
	 * with the same motion; derived (meet.c). NULL: none */
	int32_t *meets; /* [corners] -1: none */
	int32_t meetings;
	int64_t meeting_capacity;
	wall_meeting *meeting;
	real meet_near; /* m: tolerance with which borders lie on facets of other walls */
	int32_t surfaces;
	int32_t *surface_wall; /* [surfaces] */
	surface_link *link[2]; /* [surfaces] seen from the side of the normals, and from behind; derived */
	surface_face *face;	   /* [surfaces] derived */
	int32_t surface_capacity;
	void **owned; /* [owned_count] arrays of tables and of parts of motions */
	int32_t owned_count;
	int64_t owned_capacity;
} walls;

/* A wall, and those of its facets that may meet a body. */
typedef struct near_wall {
	const walls *s;
	int32_t wall, facets;
	const int32_t *facet; /* [facets] in ascending order */
} near_wall;
SCREE_FN const facet *facet_near(const near_wall *o, int32_t i) { return o->s->facet + o->facet[i]; }

/* Tests whether forces move any of the walls. */
SCREE_FN bool scree_walls_driven(const walls *s)
{
	for (int32_t k = 0; k < s->count; ++k)
		if (motion_is_driven(s->row[k].motion.type)) return true;
	return false;
}

/* A wall with defaults: WALL_PLANE through the origin, normal z, at rest, one-sided, no length limit. */
wall scree_wall_default(const char *name, int32_t material);
/* Each of these functions adds the wall w with a geometry; w has the common members name, material, two_sided and
 * motion. Returns the row of the wall, or -1 with a message. */
int32_t scree_walls_add_plane(walls *s, wall w, vec3 point, vec3 normal, fail *why);
int32_t scree_walls_add_cylinder(walls *s, wall w, vec3 end, vec3 axis, real radius, real length, wall_side side,
								 fail *why);
int32_t scree_walls_add_cone(walls *s, wall w, vec3 end, vec3 axis, real radius, real radius2, real length,
							 wall_side side, fail *why);
/* Adds a finite convex polygon; corners are counter-clockwise seen from the side of the bodies. */
int32_t scree_walls_add_polygon(walls *s, wall w, int32_t corners, const vec3 *corner, fail *why);
/* Adds, in the plane, a convex polygon that bodies cannot enter; shape: row of the world's shapes. */
int32_t scree_walls_add_flat_polygon(walls *s, wall w, int32_t shape, fail *why);
/* Adds triangles. Coincident corners are welded, and coplanar neighbours become one surface. Degenerate triangles are
 * dropped. Triangles that do not meet as neighbours are cut until they do (net.h). */
int32_t scree_walls_add_mesh(walls *s, wall w, int32_t vertices, const vec3 *vertex, int32_t triangles,
							 const int32_t *triangle, fail *why);
int32_t scree_walls_find(const walls *s, const char *name);
/* A copy for another world, without the derived data. */
walls scree_walls_copy(const walls *s);
/* A copy of an array, freed with the walls; NULL if there is nothing to copy. */
void *scree_walls_keep(walls *s, const void *from, int32_t count, size_t size);
/* Derives link and face of this wall's surfaces; the arrays must have room for them. */
void scree_wall_link(walls *s, const wall *w);
/* Derives link and face for all walls of a table that was read. */
void scree_walls_link(walls *s);
/* Fraction of the stiffness that contacts of one body with two surfaces of a wall have in common, 0 to 1. It is
 * symmetric, and a function of the wall only (docs/theory/walls.md, "Folds"). */
typedef struct surface_bond {
	real part;
	real level;	 /* flatness of the pair: 1 in a plane, 0 from 30 degrees on */
	bool convex; /* each surface is behind the plane of the other */
} surface_bond;
surface_bond scree_surface_bond(const walls *s, int32_t a, int32_t b, bool behind);
/* Tests whether a body can get to the other side of the wall. One-sided planes, and the insides of endless cylinders,
 * push back every body behind them at any distance. */
bool scree_wall_has_sides(const wall *w);
/* A point where a body touches a border at which two walls meet (frame of the walls). */
typedef struct wall_border_point {
	int32_t edge, surface; /* the border edge (corners), and its surface */
	vec3 at, p;			   /* at: the point on the edge; p: the point of the body near it */
	enum {
		OVER_NONE,
		OVER_SURFACE,
		ALONG
		/* OVER_NONE: p may be over either wall; OVER_SURFACE: it is over this one; ALONG: a line of the body crosses
		 * the edge */
	} how;
} wall_border_point;
/* Tests whether another wall, on which the edge lies, carries the body at this point. If p is over both walls, or over
 * neither (as in a crack between them), the lower surface carries it. */
bool scree_wall_carries(const walls *s, const wall_border_point *o, real slack);
bool scree_motion_acts(const wall_motion *m, real time);
/* The force, or torque, of a servo or from outside at this time; 0 if it does not act. */
real scree_servo_force(const wall_motion *m, real time);
/* m: bound on the displacement of a point within `reach` of `middle` by a driven motion that has moved by `way`. */
real scree_driven_way(const wall *w, vec3 middle, real reach, real way);
/* Motion k of the wall, from 0 to w->parts; the last one is w->motion. */
SCREE_FN const wall_motion *wall_motion_of(const wall *w, int32_t k) { return k < w->parts ? w->part + k : &w->motion; }
/* Tests whether some motion of the wall is a rotation. */
bool scree_wall_turns(const wall *w);
/* m/s: the largest speed at which the motions shift the wall; a rotation carries bodies along, and does not count. */
real scree_wall_speed(const wall *w);
/* Bound on the displacement, from time t0 to t1, of any point of wall w that came within `reach` of `middle`; without
 * that of a servo. */
real scree_wall_travel(const wall *w, vec3 middle, real reach, real t0, real t1);
/* m/s: bound on the speed of such a point, without a driven motion; for motions with a ramp, the speed after it */
real scree_wall_fastest(const wall *w, vec3 middle, real reach);
/* Tests whether a wall rotates about its own axis of symmetry, so that its surface does not move. */
bool scree_wall_turns_in_itself(const wall *w);
/* Tests whether a velocity is along the surface everywhere: along a plane, along all facets, or along the axis of a
 * cylinder. */
bool scree_wall_is_along(const walls *all, const wall *w, vec3 v);
/* Upper bound, between two times, of the approach of wall w to anything within `reach` of `middle`, without that of a
 * servo. */
real scree_wall_way(const wall *w, vec3 middle, real reach, real t0, real t1);
/* How the values between rows follow from the rows. */
typedef enum motion_table_kind {
	TABLE_LINEAR,
	TABLE_SMOOTH, /* cubic, without overshoot (Fritsch and Butland 1984), at rest in the first and the last row */
	TABLE_RATES	  /* the rows hold rates, linear in between; the values are set to their integral */
} motion_table_kind;

/* Derives the slopes of rows from their times and values; TABLE_RATES: the values from the slopes. */
motion_table scree_motion_table_of(motion_row *row, int32_t rows, motion_table_kind kind);
/* Value and rate at this time since the motion began. */
void scree_motion_table_at(const motion_table *t, real time, vec3 *value, vec3 *rate);
/* Bound on the length of the path between two times, and on the rate at any time. */
real scree_motion_table_way(const motion_table *t, real from, real to);
real scree_motion_table_fastest(const motion_table *t);
/* Tests whether it has rows of finite numbers with ascending times from 0 on. */
bool scree_motion_table_is_valid(const motion_table *t);
bool scree_motion_table_same(const motion_table *a, const motion_table *b);

void scree_walls_free(walls *s);

#endif
