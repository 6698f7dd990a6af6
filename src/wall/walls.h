/* walls.h: the walls that contain bodies. A wall is geometry in its own frame, a material and a rule of motion; where
 * it is now is in wall_state.h.
 *
 * Planes, cylinders and cones are closed forms ("macro objects" of Govender et al. 2015); polygons and meshes are
 * convex facets. Connected facets in one plane form one surface: a body has at most one contact with a surface, so
 * that seams inside it have no effect. */
#ifndef SCREE_WALL_WALLS_H
#define SCREE_WALL_WALLS_H

#include "base/fail.h"
#include "base/real.h"
#include "kernel/quat.h"

/* in a world in the plane planes are lines and cylinders along z are circles; a (solid) polygon exists only there */
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
	MOTION_GIVEN, /* set by a program while it runs */
	MOTION_TYPES
} motion_type;

/* MOTION_SERVO: presses along the motion's axis with this force. */
typedef struct servo_rule {
	real force;		/* N, > 0 */
	real mass;		/* kg of the wall; 0: from the bodies at the start */
	real damping;	/* fraction of the critical damping of the wall on its contacts */
	real max_speed; /* m/s; 0: from the bodies at the start */
	real low, high; /* m along the axis, limits from the position at the start; may be infinite */
} servo_rule;

/* Constants of a servo, derived from the bodies at the start. */
typedef struct servo_constants {
	real mass, stiffness, max_speed; /* kg, N/m of one contact, m/s */
} servo_constants;

/* Motion of a wall: none before `from`; then the rate grows linearly over `ramp`, stays constant, and ends at
 * `until`. */
typedef struct wall_motion {
	motion_type type;
	vec3 velocity;	  /* MOTION_VELOCITY: m/s */
	vec3 axis, point; /* MOTION_ROTATION: unit axis and a point on it; MOTION_SERVO: unit vector towards the bodies */
	real rate;		  /* MOTION_ROTATION: rad/s */
	vec3 amplitude;	  /* MOTION_VIBRATION: m; displacement = amplitude * sin(2 pi frequency (t - from) + phase) - its
						 value at from */
	real frequency, phase; /* MOTION_VIBRATION: Hz, rad */
	servo_rule servo;	   /* MOTION_SERVO: during the ramp the force grows from 0 */
	quat base; /* MOTION_GIVEN: orientation at `from`; position then: point; then rate about axis, and velocity */
	real from, ramp, until; /* s; until may be INFINITY */
} wall_motion;

/* Defects of a file: triangles that do not meet as in a surface, and were cut and joined; each kind with its first
 * position in the wall's frame. */
typedef struct mesh_repairs {
	int32_t junctions; /* corners that lie on a side of another triangle */
	int32_t cracks;	   /* corners that missed others by less than the tolerance */
	int32_t doubled;   /* triangles that lay on others */
	vec3 first_junction, first_crack, first_doubled;
} mesh_repairs;

typedef struct wall {
	char name[48];
	wall_type type;
	int32_t material;
	bool two_sided; /* planes and facets: acts on bodies on either side */
	bool internal;	/* facets of class internal, which surround the bodies: no border can meet an edge */
	wall_side side; /* cylinders and cones */
	vec3 point;		/* plane: a point of it; cylinder, cone: centre of the first end; wall's frame */
	vec3 axis; /* plane: unit normal, towards the bodies; cylinder, cone: unit axis from the first end to the second */
	real radius, radius2;	  /* cylinder: radius; cone: at the first and at the second end */
	real length;			  /* cylinder, cone: INFINITY for an endless cylinder; the tube ends there, without caps */
	int32_t shape;			  /* polygon: row of the world's shapes */
	const struct shape *form; /* polygon: that row, set by scree_world_prepare */
	int32_t first_facet, facets; /* rows of walls.facet */
	int32_t dropped;			 /* triangles of its mesh without area, or copies; only for the wall as read */
	mesh_repairs repaired;		 /* repairs of its mesh; only for the wall as read */
	real tolerance; /* m, facets: equality within the digits of its file; scree_walls_add_mesh: last digit or 0 */
	int32_t first_surface, surfaces; /* numbers of its surfaces among those of all walls; 1 surface unless facets */
	bool removed;					 /* removed between steps: acts no more */
	wall_motion motion;
	servo_constants servo; /* MOTION_SERVO */
} wall;

/* Across an edge there is a facet (>= 0), nothing, or, from EDGE_COVERED down, the face of another facet, of this
 * wall or of one that moves with it, on which the edge lies within the tolerance. Such an edge is no border, since
 * bodies cannot reach it without touching that face. */
enum { EDGE_OPEN = -1, EDGE_COVERED = -2 };
SCREE_FN bool edge_is_covered(int32_t next) { return next <= EDGE_COVERED; }
SCREE_FN int32_t edge_cover(int32_t next)
{
	return EDGE_COVERED - next;
} /* the covering facet; the function is its own inverse */

/* A convex planar polygon. Edge k runs from corner k to corner k+1. */
typedef struct facet {
	int32_t wall, surface;
	vec3 normal; /* unit, towards the bodies for one-sided walls: corners are counter-clockwise seen from its tip */
	real off;	 /* plane: normal.p = off */
	int32_t first, corners; /* rows of walls.corner */
	vec3 low, high;			/* bounds, wall's frame */
} facet;

typedef struct wall_meeting {
	int32_t facet, next; /* next: of the list, -1 at its end */
} wall_meeting;

/* Connected surfaces of a wall, seen from one side: a tree, whose links were added from strong to weak (links.c). */
typedef struct surface_link {
	int32_t up, when; /* the surface that it was joined to, -1: none; rank of the link among all of the wall */
	real part;		  /* strength of the link: 1 for a ridge, the cosine of its angle for a valley */
} surface_link;

/* A surface by its first facet. */
typedef struct surface_face {
	vec3 normal, middle;
} surface_face;

typedef struct walls {
	int32_t count, capacity;
	wall *row;
	int32_t facets, facet_capacity;
	facet *facet;
	int32_t corners, corner_capacity;
	vec3 *corner;  /* [corners] points in the wall's frame */
	vec3 *outward; /* [corners] unit vector in the facet's plane, across edge k, out of the facet */
	int32_t *next; /* [corners] the facet across edge k, EDGE_OPEN, or EDGE_COVERED - the facet on which it lies */
	real *bend; /* [corners] sine of the angle across the edge: < 0 a ridge (solid side convex), > 0 a valley; 0 else */
	/* Facets of other walls on which all or part of border edge k lies: a list from meeting[meets[k]] on. Only walls
	 * with the same motion; derived (meet.c). NULL: none */
	int32_t *meets; /* [corners] -1: none */
	int32_t meetings, meeting_capacity;
	wall_meeting *meeting;
	real meet_near; /* m: tolerance for these meetings */
	int32_t surfaces;
	int32_t *surface_wall; /* [surfaces] */
	surface_link *link[2]; /* [surfaces] seen from the side of the normals, and from behind; derived */
	surface_face *face;	   /* [surfaces] derived */
	int32_t surface_capacity;
} walls;

/* A wall with defaults: WALL_PLANE through the origin, normal z, still, one-sided, no length limit. */
wall scree_wall_default(const char *name, int32_t material);
/* Each adds w (its common members name, material, two_sided, motion) with the geometry; returns its row, or -1 with
 * a message. */
int32_t scree_walls_add_plane(walls *s, wall w, vec3 point, vec3 normal, fail *why);
int32_t scree_walls_add_cylinder(walls *s, wall w, vec3 end, vec3 axis, real radius, real length, wall_side side,
								 fail *why);
int32_t scree_walls_add_cone(walls *s, wall w, vec3 end, vec3 axis, real radius, real radius2, real length,
							 wall_side side, fail *why);
/* A finite convex polygon, corners counter-clockwise seen from the side of the bodies. */
int32_t scree_walls_add_polygon(walls *s, wall w, int32_t corners, const vec3 *corner, fail *why);
/* In the plane: a convex polygon that bodies cannot enter, a row of the world's shapes. */
int32_t scree_walls_add_flat_polygon(walls *s, wall w, int32_t shape, fail *why);
/* Triangles; corners that coincide are welded, coplanar neighbours become one surface. Degenerate triangles are
 * dropped, and those that do not meet as neighbours are cut until they do (net.h). */
int32_t scree_walls_add_mesh(walls *s, wall w, int32_t vertices, const vec3 *vertex, int32_t triangles,
							 const int32_t *triangle, fail *why);
int32_t scree_walls_find(const walls *s, const char *name);
/* Derives link and face of this wall's surfaces, for which there is room. */
void scree_wall_link(walls *s, const wall *w);
/* Derives these for all walls of a table that was read. */
void scree_walls_link(walls *s);
/* Fraction of the stiffness that contacts of one body with two surfaces of a wall share, 0 to 1; symmetric, a
 * function of the wall alone (docs/theory/walls.md, "Folds"). */
typedef struct surface_bond {
	real part;
	real level;	 /* flatness of the two: 1 in a plane, 0 from 30 degrees on */
	bool convex; /* each of the two is behind the other one's plane */
} surface_bond;
surface_bond scree_surface_bond(const walls *s, int32_t a, int32_t b, bool behind);
/* Tests whether a body can get to its other side. One-sided planes and the insides of endless cylinders push back
 * every body behind them, however far. */
bool scree_wall_has_sides(const wall *w);
/* A point that touches a border where two walls meet (frame of the walls). */
typedef struct wall_border_point {
	int32_t edge, surface; /* the border edge (corners), and its surface */
	vec3 at, p;			   /* at: the point on the edge; p: that of the body near it */
	enum {
		OVER_NONE,
		OVER_SURFACE,
		ALONG
	} how; /* p may be over either; is over this surface; or a line of the body crosses the edge to the other wall */
} wall_border_point;
/* Tests whether another wall, on which the edge lies, carries it. If p is over neither, as in a crack between them,
 * or over both, it belongs to the lower surface. */
bool scree_wall_carries(const walls *s, const wall_border_point *o, real slack);
/* Fraction of its full rate, or force, that a motion has at this time; 0 if it does not act. */
real scree_motion_share(const wall_motion *m, real time);
bool scree_motion_acts(const wall_motion *m, real time);
/* Bound on the distance that a point of wall w that came within `reach` of `middle` moves from time t0 to t1. */
real scree_wall_travel(const wall *w, vec3 middle, real reach, real t0, real t1);
/* Whether a wall rotates about its own axis of symmetry, so that its surface does not move. */
bool scree_wall_turns_in_itself(const wall *w);
/* Upper bound of the distance by which wall w, which is no servo, approaches anything within reach of `middle` between
 * two times. */
real scree_wall_way(const wall *w, vec3 middle, real reach, real t0, real t1);
void scree_walls_free(walls *s);

#endif
