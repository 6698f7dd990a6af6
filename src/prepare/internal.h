/* internal.h: functions shared by the files of set-up; private to src/prepare and src/guard. Functions with a domain
 * return the result for all parts of the world, all of which call them together. */
#ifndef SCREE_PREPARE_INTERNAL_H
#define SCREE_PREPARE_INTERNAL_H

#include "kernel/law_constants.h"
#include "model/model.h"
#include "model/sources.h"
#include "ranks/together/domain.h"
#include "world/internal.h"

/* Largest mobility of a point of a body's surface, relative to that of its centre, less 1. pushes: for a force at a
 * corner, along the normal of its face; rubs: for a force in any direction. For spheres it is mass R^2/moment of
 * inertia. */
/* flags are integers here, since structures of other ranks may have any bytes */
typedef struct mobility {
	real pushes, rubs;
	/* contacts are single points, each as stiff as that of a ball, and not patches that share a stiffness */
	int32_t pointed;
	int32_t faced; /* such points of a face hit together */
	/* contacts per pair of bodies when one lands flat: number of points, and of polyhedra that are its parts */
	real points, parts;
} mobility;

/* A box; low above high: it is empty. Its size and its middle are then 0. */
typedef struct span {
	vec3 low, high;
} span;
static const span NO_SPAN = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
SCREE_FN void span_add(span *s, vec3 low, vec3 high) { s->low = v3_min(s->low, low), s->high = v3_max(s->high, high); }
SCREE_FN vec3 span_size(const span *s) { return s->low.x <= s->high.x ? v3_sub(s->high, s->low) : v3(0, 0, 0); }
SCREE_FN vec3 span_middle(const span *s)
{
	return s->low.x <= s->high.x ? v3_mul((real)0.5, v3_add(s->low, s->high)) : v3(0, 0, 0);
}
/* A box around the positions of a source, and the corner of the box with the longest fall. */
span scree_region_bounds(const region *r);
vec3 scree_region_top(const region *r, vec3 gravity);
/* The box around the boxes of all parts of the world. */
void scree_span_join(span *s, const domain *d);
/* The box around all bodies, or around their centres if they do not count as a whole; _all: with the regions of all
 * sources. */
span scree_span_of_bodies(const state *s, const domain *d, bool whole);
span scree_span_of_all(const model *m, const state *s, const domain *d, bool whole);

/* A walk through the kinds of bodies that sources make. */
typedef struct mix_walk {
	const source *from;
	const mix_part *part;
	int32_t source, next;
} mix_walk;
SCREE_FN bool mix_next(const model *m, mix_walk *w)
{
	for (; w->source < m->population.sources; ++w->source, w->next = 0) {
		w->from = m->population.source + w->source;
		w->part = w->from->part + w->next;
		if (w->next++ < w->from->parts) return true;
	}
	return false;
}
/* Writes the name of bodies of this source, or of the body with this id. */
void scree_name_of(const source *from, uint64_t id, char *name, size_t room);

/* Number of contacts of a shape with a plane when it lands flat: points of a surface or clump, parts of a compound; 1
 * for other shapes. */
int32_t scree_flat_contacts(const shape *s);
/* One mobility per shape; the caller frees the array. */
mobility *scree_mobilities(const model *m);

/* Typical impact speed, m/s; load of one contact by weight and by walls with a given force, N; largest number of
 * contacts of a body; rate at which the fluid brakes a body, 1/s. */
typedef struct surroundings {
	real speed, load, contacts, drag;
} surroundings;
surroundings scree_surroundings(const model *m, const state *s, const domain *d);
/* N: largest load of one contact, as its share of the weight of all bodies, or of the force of a wall that presses
 * with a given force. */
real scree_world_pressed(const model *m, const state *s, const domain *d);
/* The same before it is shared among contacts: mean load of a body at the bottom or on such a wall; mean diameter, m,
 * and mass, kg. */
typedef struct body_load {
	real force, size, mass, count; /* count: number of bodies that can move */
} body_load;
body_load scree_world_carried(const model *m, const state *s, const domain *d);

/* The lightest and the smallest body of a material, including those of sources. For the laws, also the smallest and the
 * largest sphere with the volume of a body. */
typedef struct extremes {
	real mass, radius, small, large;
	/* m/kg: largest area^2/(volume mass), for the area of the widest face; in the plane, dimensionless: widest
	 * chord/round */
	real slim;
	real broad; /* m/kg: largest root of the area of the widest face, divided by the mass; 0: there are only spheres */
	mobility most; /* largest mobilities of all shapes */
	/* rotational mobility, m R^2/moment of inertia with R of the sphere (disc) of the same volume: 2.5 (2) for a sphere
	 * (disc) */
	real ease;
	int64_t bodies;			  /* number of bodies that can move */
	int32_t wall, body, ball; /* whether there are any */
} extremes;

/* One row per material; the caller frees the array. */
extremes *scree_extremes(const model *m, const state *s, const domain *d);
/* tests whether two bodies of these materials can touch */
SCREE_FN bool extremes_meet(const extremes *e, int32_t a, int32_t b)
{
	return e[b].body && (a != b || e[a].bodies > 1);
}

/* A safe step and the longest stable one, in s or in radians of a contact; infinite: no bound. */
typedef struct step_bound {
	real safe, most;
} step_bound;

/* s: the shortest time of all pairs of materials, and its pair; infinite: no bound. */
typedef struct pair_time {
	real least;
	int32_t of[2];
} pair_time;
typedef real pair_time_fn(const model *m, const extremes *e, int32_t a, int32_t b);
pair_time scree_shortest_of(const model *m, const extremes *e, pair_time_fn *time_of);

/* Heat (heat.c). _check: whether the world supports it; _derive: rules of all pairs of materials; _step: the longest
 * stable step, for bodies of material of[0] next to of[1]. */
bool scree_world_heat_check(const model *m, const state *s, fail *why);
void scree_world_heat_derive(model *m);
pair_time scree_world_heat_step(const model *m, const extremes *e);
bool scree_world_heat_refuse(const model *m, const pair_time *o, fail *why);

/* The largest stable omega dt of the integrator, for a mode of stiffness s m omega^2 and damping d m omega. */
real scree_step_angle(const model *m, real lump, real d);
/* Safe radians of a contact with damping ratio zeta, for its rolling and torsional resistance. */
real scree_step_turning(const model *m, const law_constants *c, real zeta, real share);
/* 1/s: rate at which the fluid brakes body i at its current velocity. */
real scree_step_braking(const model *m, const state *s, int32_t i);
/* 1/s: largest rate at which the fluid brakes any body, including those that sources will make. */
real scree_step_braked(const model *m, const state *s, const domain *d);
/* s: bound on the default step, so that walls moved by forces are heavy enough, if their masses are given. */
real scree_step_walls(const model *m, const state *s, const domain *d);
/* s: bound on the step by the drag of the fluid. */
step_bound scree_step_drag(const model *m, const state *s, const domain *d);
bool scree_step_refuse_drag(const model *m, const state *s, const domain *d, fail *why);
/* Tests after a step whether the step was short enough for the drag at current velocities. */
bool scree_drag_holds(const model *m, state *s, work *w);

/* Largest fall of a body before a wall stops it. scree_fall_from: m, from a position; 0 without gravity or without a
 * wall below. */
typedef struct falls {
	const model *m;
	const state *s;
	vec3 down;
	real low; /* m along `down`: the lowest point of all walls except planes */
} falls;
falls scree_falls_of(const model *m, const state *s);
real scree_fall_from(const falls *f, vec3 at);
/* m: displacement per step up to which a body's contacts are detected: its halo, or the radius of its smallest ball; 0
 * for shapes with neither. */
real scree_halo_reach(const shape *s, real size);
/* Tests whether any shape is of this type, or has a halo. */
SCREE_FN bool any_shape(const model *m, shape_type type)
{
	bool any = false;
	for (int32_t k = 0; k < m->shape.count; ++k) any |= m->shape.row[k].type == type;
	return any;
}
SCREE_FN bool scree_halos_any(const model *m) { return any_shape(m, SHAPE_SURFACE); }
/* m: bound on the displacement of any point of body i, or of a wall, in the step that has ended. */
real scree_halo_way(const model *m, const state *s, int32_t i);
real scree_halo_wall_way(const model *m, const state *s, const work *w, int32_t wall);
/* s: time in which a body or wall moves by the thickness of the thinnest body, from a bound on the speeds of present
 * bodies, sources, walls and falls. */
real scree_passing_time(const model *m, const state *s, const domain *d);
/* s: bound on the step by halos, from the speeds of present bodies, sources, walls and falls. */
step_bound scree_step_halos(const model *m, const state *s, const domain *d);
bool scree_step_refuse_halos(const model *m, const state *s, const domain *d, fail *why);

/* Computes w->contact_time and the steps that follow from it. */
void scree_world_contact_time(model *m, const state *s, const domain *d, const extremes *e);
/* Refuses a step that is too long for contacts. */
bool scree_step_refuse_contacts(const model *m, fail *why);
/* Adds to a refusal that the run was beyond the limit before the change, if so. before, now: the step relative to the
 * limit, before and after. Returns false. */
bool scree_step_refuse_more(real before, real now, fail *why);

/* Bodies of these types of shapes, one bit each, with at least this number of faces; of one material, or of those that
 * conduct heat. */
typedef struct body_kind {
	uint32_t types;
	int32_t faces, material;
	bool any_material, conducts;
} body_kind;
/* The shape of such a body, or of one made by a source; NULL: there is none. */
const shape *scree_shape_with(const model *m, const state *s, body_kind of);
/* Tests, before anything is derived, whether this world supports its shapes, walls, laws and narrow phase. */
bool scree_world_check_plane(const model *m, const state *s, fail *why);
bool scree_world_check_walls(const model *m, fail *why);
/* Tests the laws, after their constants have been derived. */
bool scree_world_check_laws(const model *m, const state *s, fail *why);
/* Finds the largest volume of liquid bridges relative to the spheres that they join (model.bridge_part). */
void scree_world_bridges(model *m, const extremes *e);
/* s: shortest time in which bodies move apart on a liquid bridge, of materials of[0] and of[1]; infinite: no bridges.
 * Implicit steps use the pull before the step: they are safe up to the first of these fractions of it, and refused
 * beyond the second. */
static const real BRIDGE_SAFE = (real)0.5, BRIDGE_MOST = 1;
pair_time scree_world_bridge_step(const model *m, const extremes *e);
bool scree_world_bridge_refuse(const model *m, const pair_time *o, fail *why);
/* largest length of an implicit step, in half periods of two bonded bodies */
static const real BOND_MOST = 3;
bool scree_world_bonds_refuse(const model *m, fail *why);
bool scree_world_check_cohesion(const model *m, const extremes *e, fail *why);

/* A cell that changes its size. _check_step: tests whether it changes little in a step; _set: sets the limit and the
 * lag of its servo, if they are not given. */
bool scree_world_cell_check_step(const model *m, const state *s, const domain *d, fail *why);
void scree_world_cell_set(model *m, const state *s, const work *w);

#endif
