/* internal.h: functions that files of set-up share; private to src/prepare and src/guard. With a domain they give the
 * answer for all parts of the world, which call them together. */
#ifndef SCREE_PREPARE_INTERNAL_H
#define SCREE_PREPARE_INTERNAL_H

#include "world/internal.h"

/* Mobility of a point of a body's surface over that of its centre, greatest value, less 1: pushes for a force along
 * the normal of a face at its corners, rubs for a force in any direction; for spheres mass R^2/moment of inertia. */
typedef struct mobility {
	real pushes, rubs;
	bool pointed; /* contacts are single points, each as stiff as that of a ball, not patches that share a stiffness */
	bool faced;	  /* faces hit with several such points at once */
	real points, parts; /* contacts per pair when it lands flat: points, and polyhedra that are its parts */
} mobility;

/* contacts of a shape with a plane when it lands flat: points of a surface or clump, parts of a compound; 1 for
 * others */
int32_t scree_flat_contacts(const shape *s);
/* one per shape; the caller frees */
mobility *scree_mobilities(const model *m);

/* Typical impact speed, m/s; load on one contact by weight and by walls with a given force, N; greatest number of
 * contacts of a body; rate at which the fluid brakes a body, 1/s. */
typedef struct surroundings {
	real speed, load, contacts, drag;
} surroundings;
surroundings scree_surroundings(const model *m, const state *s, const domain *d);
/* N: greatest share of one contact in the weight of all bodies, or in the force of a wall that presses with a given
 * force */
real scree_world_pressed(const model *m, const state *s, const domain *d);

/* the lightest and the smallest body, present or future, of a material, and for the laws the smallest and the
 * largest sphere of a body's volume */
typedef struct extremes {
	real mass, radius, small, large;
	real slim;	/* m/kg: greatest area^2/(volume mass), area of the widest face; in the plane 1: widest chord/round */
	real broad; /* m/kg: greatest root of the area of the widest face over the mass; 0: spheres alone */
	mobility most;	/* over all shapes */
	real ease;		/* rotational mobility: m R^2/moment of inertia, R of the sphere (disc) of its volume: 2.5 (2) */
	int64_t bodies; /* bodies that can move */
	bool wall, body, ball;
} extremes;

/* one row per material; the caller frees */
extremes *scree_extremes(const model *m, const state *s, const domain *d);
/* tests whether two bodies of these materials can touch */
SCREE_FN bool extremes_meet(const extremes *e, int32_t a, int32_t b)
{
	return e[b].body && (a != b || e[a].bodies > 1);
}

/* A safe step and the longest stable one, s or in radians of a contact; infinite: no bound. */
typedef struct step_bound {
	real safe, most;
} step_bound;

/* the greatest stable omega dt of the integrator for a mode of stiffness s m omega^2 and damping d m omega */
real scree_step_angle(const model *m, real lump, real d);
/* safe radians of a contact of damping ratio zeta for its rolling and torsional resistance */
real scree_step_turning(const model *m, const law_constants *c, real zeta, real share);
/* 1/s: rate at which the fluid brakes body i at its current velocity */
real scree_step_braking(const model *m, const state *s, int32_t i);
/* 1/s: greatest such rate of all bodies, including those that sources will make */
real scree_step_braked(const model *m, const state *s, const domain *d);
/* step bound by the drag of the fluid, s */
step_bound scree_step_drag(const model *m, const state *s, const domain *d);
bool scree_step_refuse_drag(const model *m, const state *s, const domain *d, fail *why);
/* tests after a step whether it was short enough for the drag at current velocities */
bool scree_drag_holds(const model *m, state *s, work *w);

/* Greatest fall of a body before a wall stops it: m, from a position; 0 without gravity or a wall below. */
typedef struct falls {
	const model *m;
	const state *s;
	vec3 down;
	real low; /* m along `down`: the lowest point of all walls but planes */
} falls;
falls scree_falls_of(const model *m, const state *s);
real scree_fall_from(const falls *f, vec3 at);
/* a box around the positions of a source, and its corner with the longest fall */
void scree_region_bounds(const region *r, vec3 *low, vec3 *high);
vec3 scree_region_top(const region *r, vec3 gravity);

/* m: displacement per step up to which a body's contacts are detected: its halo, or the radius of its smallest ball;
 * 0 for shapes without either */
real scree_halo_reach(const shape *s, real size);
/* tests for shapes with halos */
bool scree_halos_any(const model *m);
/* m: bound on the displacement of any point of body i, or of a wall, in the step that has ended */
real scree_halo_way(const model *m, const state *s, int32_t i);
real scree_halo_wall_way(const model *m, const state *s, const work *w, int32_t wall);
/* step bound by halos, from the speeds of the start, of sources, of walls and of a fall, s */
step_bound scree_step_halos(const model *m, const state *s, const domain *d);
bool scree_step_refuse_halos(const model *m, const state *s, const domain *d, fail *why);

/* computes w->contact_time, and the steps that follow from it */
void scree_world_contact_time(model *m, const state *s, const domain *d, const extremes *e);
/* Tests whether the step is short enough. */
bool scree_world_check_step(const model *m, const state *s, const domain *d, fail *why);

/* Tests whether this world supports its shapes, walls, laws and narrow phase; before anything is derived. */
bool scree_world_check_plane(const model *m, const state *s, fail *why);
bool scree_world_check_walls(const model *m, fail *why);
/* tests the laws, whose constants are known by then */
bool scree_world_laws_fit(const model *m, const state *s, fail *why);
bool scree_world_check_cohesion(const model *m, const extremes *e, fail *why);

#endif
