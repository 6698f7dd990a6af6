/* internal.h: what the files that make a world ready ask of each other; private to src/prepare and src/guard. */
#ifndef SCREE_PREPARE_INTERNAL_H
#define SCREE_PREPARE_INTERNAL_H

#include "world/internal.h"

/* How much more easily than the centre of a body a point of its surface is moved, at most, less 1: by a force along the
 * normal of a face at its corners, and by one in any direction; mass R^2/moment of inertia of spheres. */
typedef struct mobility {
	real pushes, rubs;
	bool pointed; /* contacts are single points, each as stiff as that of a ball, and not patches that share a stiffness
				   */
	bool faced;	  /* of faces that hit with several such points at once */
	real points, parts; /* contacts of one pair where it lands flat: of points, and of polyhedra that are its parts */
} mobility;

/* contacts that a shape has with a plane where it lands flat: points of a surface or clump, parts of a compound; of
 * others 1 */
int32_t scree_flat_contacts(const shape *s);
/* of each shape; the caller frees */
mobility *scree_mobilities(const model *m);

/* How fast bodies meet, m/s; N that presses one contact, by weight and walls with a given force; how many contacts a
 * body can have, at most; 1/s: how fast the fluid brakes a body. */
typedef struct surroundings {
	real speed, load, contacts, drag;
} surroundings;
surroundings scree_surroundings(const model *m, const state *s);
/* N: the greatest share of one contact in the weight of all bodies, or in the force of a wall that presses with a given
 * one */
real scree_world_pressed(const model *m, const state *s);

/* the lightest and the smallest body that each material will ever have, and for the laws the smallest and the largest
 * sphere of a body's volume */
typedef struct extremes {
	real mass, radius, small, large;
	real slim;	/* m/kg: greatest area^2/(volume mass), with the area of the widest face; in the plane 1: widest chord
				   over round */
	real broad; /* m/kg: greatest root of the area of the widest face over the mass; 0: spheres alone */
	mobility most; /* of all shapes */
	real ease; /* to be turned: the same in any world with R that of the sphere (disc) of its volume; 2.5 (2) for these
				*/
	int64_t bodies; /* that move */
	bool wall, body, ball;
} extremes;

/* a row for each material; the caller frees */
extremes *scree_extremes(const model *m, const state *s);
/* can there be a contact of two bodies of these materials? */
SCREE_FN bool extremes_meet(const extremes *e, int32_t a, int32_t b)
{
	return e[b].body && (a != b || e[a].bodies > 1);
}

/* A step that is safe and the longest one that is borne, s or in radians of a contact; infinite: no bound. */
typedef struct step_bound {
	real safe, most;
} step_bound;

/* the greatest omega dt that the integrator bears of a mode of stiffness s m omega^2 and damping d m omega */
real scree_step_angle(const model *m, real lump, real d);
/* radians of a contact of damping ratio zeta that are safe for its rolling and torsional resistance */
real scree_step_turning(const model *m, const law_constants *c, real zeta, real share);
/* 1/s: how fast the fluid brakes body i as it moves now */
real scree_step_braking(const model *m, const state *s, int32_t i);
/* the same of the body that it brakes fastest, also of those that sources will make */
real scree_step_braked(const model *m, const state *s);
/* what the drag of the fluid bears, s */
step_bound scree_step_drag(const model *m, const state *s);
bool scree_step_refuse_drag(const model *m, const state *s, fail *why);
/* after a step: was it short enough for the drag of the velocities that there are now? */
bool scree_drag_holds(const model *m, state *s, work *w);

/* How far a body may fall before a wall stops it: m, at most, from a place; 0 without gravity or a wall below. */
typedef struct falls {
	const state *s;
	vec3 down;
	real low; /* m along `down`: the lowest point of all walls but planes */
} falls;
falls scree_falls_of(const model *m, const state *s);
real scree_fall_from(const falls *f, vec3 at);
/* a box around the places of a source, and its corner from which bodies fall farthest */
void scree_region_bounds(const region *r, vec3 *low, vec3 *high);
vec3 scree_region_top(const region *r, vec3 gravity);

/* m: how far a body may go in a step so that what it meets is seen: its halo, the radius of its smallest ball; 0 of
 * shapes that have neither */
real scree_halo_reach(const shape *s, real size);
/* are there shapes with halos? */
bool scree_halos_any(const model *m);
/* m, in the step that has ended: of no point of body i, or of a wall, is it longer */
real scree_halo_way(const model *m, const state *s, int32_t i);
real scree_halo_wall_way(const model *m, const work *w, const wall *o);
/* what halos bear, by the speeds of the start, of sources, of walls and of a fall, s */
step_bound scree_step_halos(const model *m, const state *s);
bool scree_step_refuse_halos(const model *m, const state *s, fail *why);

/* w->contact_time, and the steps that follow from it */
void scree_world_contact_time(model *m, state *s, const extremes *e);
/* Is the step short enough? */
bool scree_world_step_fits(const model *m, const state *s, fail *why);

/* Can this world have its shapes, walls, laws and narrow phase? Before anything is derived. */
bool scree_world_plane_fits(const model *m, const state *s, fail *why);
bool scree_world_walls_fit(const model *m, const state *s, fail *why);
/* and the laws: their constants are known */
bool scree_world_laws_fit(const model *m, const state *s, fail *why);
bool scree_world_cohesion_fits(const model *m, const extremes *e, fail *why);

#endif
