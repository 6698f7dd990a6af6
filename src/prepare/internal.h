/* internal.h: functions shared by the files of the setup; private to src/prepare and src/guard. Functions that take a
 * domain return the result for all parts of the world, which must all call them together. */
#ifndef SCREE_PREPARE_INTERNAL_H
#define SCREE_PREPARE_INTERNAL_H

#include "kernel/law_constants.h"
#include "model/model.h"
#include "model/sources.h"
#include "ranks/together/domain.h"
#include "world/internal.h"

/* Largest mobility of a point on a body's surface, relative to the mobility of its centre, minus 1; mass R^2/moment of
 * inertia for spheres. pushes: for a force at a corner, normal to its face; rubs: for a force in any direction. Flags
 * are integers, since structures received from other ranks may contain any bytes. */
typedef struct mobility {
	real pushes, rubs;
	int32_t
		pointed; /* whether each contact is a point as stiff as that of a ball, not a patch that shares its stiffness */
	int32_t faced;		/* whether points of a face make contact at the same time */
	real points, parts; /* contacts per pair when one body lands flat: number of points, and of polyhedra */
} mobility;

/* A box, empty if low is above high. The size and the centre of an empty box are 0. */
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
/* A box around a source's region, and the corner of the box from which the fall is longest. */
span scree_region_bounds(const region *r);
vec3 scree_region_top(const region *r, vec3 gravity);
/* Extends the box to enclose the boxes of all parts of the world. */
void scree_span_join(span *s, const domain *d);
/* The box around all bodies, or around their centres if `whole` is false. _all: also around all regions of sources */
span scree_span_of_bodies(const state *s, const domain *d, bool whole);
span scree_span_of_all(const model *m, const state *s, const domain *d, bool whole);

/* An iterator over the kinds of bodies that sources make. */
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
/* Writes the name of the bodies of this source, or of the body with this id. */
void scree_name_of(const source *from, uint64_t id, char *name, size_t room);

/* Number of contacts of a shape that lands flat: points of a surface or clump, parts of a compound, otherwise 1 */
int32_t scree_flat_contacts(const shape *s);
/* One mobility per shape; the caller frees the array. */
mobility *scree_mobilities(const model *m);

/* Typical impact speed, in m/s; load of one contact due to weight and to walls that press with a given force, in N;
 * largest number of contacts of a body; rate at which the fluid brakes a body, in 1/s. */
typedef struct surroundings {
	real speed, load, contacts, drag;
} surroundings;
surroundings scree_surroundings(const model *m, const state *s, const domain *d);
/* largest load of one contact, in N: its share of the weight of all bodies, or of the force of a wall that presses */
real scree_world_pressed(const model *m, const state *s, const domain *d);
/* Mean load, in N, of a body at the bottom or on a pressing wall, not per contact; mean diameter, m; mean mass, kg */
typedef struct body_load {
	real force, size, mass, count; /* count: number of bodies that can move */
} body_load;
body_load scree_world_carried(const model *m, const state *s, const domain *d);

/* The lightest and the smallest body of a material, including bodies of sources. Some laws also need the radii of the
 * smallest and largest spheres that have the volume of a body. */
typedef struct extremes {
	real mass, radius, small, large;
	real slim;		/* m/kg: largest area^2/(volume mass) for the widest face; in the plane, largest chord/round */
	real broad;		/* m/kg: largest square root of the widest face's area, per mass; 0 if all are spheres */
	mobility most;	/* largest mobilities of all shapes */
	real ease;		/* m R^2/moment of inertia with R of the sphere (disc) of equal volume, for which it is 2.5 (2) */
	int64_t bodies; /* number of bodies that can move */
	int32_t wall, body, ball; /* whether there are any walls, any bodies and any balls */
} extremes;

/* One row per material; the caller frees the array. */
extremes *scree_extremes(const model *m, const state *s, const domain *d);
/* tests whether two bodies of these materials can touch */
SCREE_FN bool extremes_meet(const extremes *e, int32_t a, int32_t b)
{
	return e[b].body && (a != b || e[a].bodies > 1);
}

/* A safe and the longest stable step, in s or in radians of a contact's oscillation; infinite without a bound */
typedef struct step_bound {
	real safe, most;
} step_bound;

/* the shortest time over all pairs of materials, in s, and the pair that has it; infinite if there is no bound. */
typedef struct pair_time {
	real least;
	int32_t of[2];
} pair_time;
typedef real pair_time_fn(const model *m, const extremes *e, int32_t a, int32_t b);
pair_time scree_shortest_of(const model *m, const extremes *e, pair_time_fn *time_of);

/* Heat (heat.c). _check: tests whether the world supports heat; _derive: derives rules for all pairs of materials;
 * _step: returns the longest stable step, for bodies of material of[0] next to bodies of material of[1]. */
bool scree_world_heat_check(const model *m, const state *s, fail *why);
void scree_world_heat_derive(model *m);
pair_time scree_world_heat_step(const model *m, const extremes *e);
bool scree_world_heat_refuse(const model *m, const pair_time *o, fail *why);

/* The largest stable omega dt of the integrator, for a mode of stiffness s m omega^2 and damping d m omega. */
real scree_step_angle(const model *m, real lump, real d);
/* Safe step, in radians, for the rolling and torsional resistance of a contact with damping ratio zeta. */
real scree_step_turning(const model *m, const law_constants *c, real zeta, real share);
/* rate, in 1/s, at which the fluid brakes body i at its current velocity. */
real scree_step_braking(const model *m, const state *s, int32_t i);
/* largest rate, in 1/s, at which the fluid brakes any body, including future bodies of sources. */
real scree_step_braked(const model *m, const state *s, const domain *d);
/* largest default step, in s, for which walls moved by forces are heavy enough, if their masses are given. */
real scree_step_walls(const model *m, const state *s, const domain *d);
/* bound on the step due to the drag of the fluid, in s. */
step_bound scree_step_drag(const model *m, const state *s, const domain *d);
bool scree_step_refuse_drag(const model *m, const state *s, const domain *d, fail *why);
/* Tests after a step whether the step was short enough for the drag at current velocities. */
bool scree_drag_holds(const model *m, state *s, work *w);

/* Longest fall of a body before a wall stops it. scree_fall_from: in m, 0 without gravity or without a wall below */
typedef struct falls {
	const model *m;
	const state *s;
	vec3 down;
	real low; /* lowest point of all walls except planes, in m along `down` */
} falls;
falls scree_falls_of(const model *m, const state *s);
real scree_fall_from(const falls *f, vec3 at);
/* displacement per step, in m, that contacts tolerate: width of the halo, or radius of the smallest ball, or 0 */
real scree_halo_reach(const shape *s, real size);
/* Tests whether any shape is of this type, or has a halo. */
SCREE_FN bool any_shape(const model *m, shape_type type)
{
	bool any = false;
	for (int32_t k = 0; k < m->shape.count; ++k) any |= m->shape.row[k].type == type;
	return any;
}
SCREE_FN bool scree_halos_any(const model *m) { return any_shape(m, SHAPE_SURFACE); }
/* bound, in m, on the displacement of any point of body i, or of a wall, in the last step. */
real scree_halo_way(const model *m, const state *s, int32_t i);
real scree_halo_wall_way(const model *m, const state *s, const work *w, int32_t wall);
/* time, in s, in which a body or wall moves by the thickness of the thinnest body, computed from a bound on the speeds
 * of present bodies, sources, walls and falls. */
real scree_passing_time(const model *m, const state *s, const domain *d);
/* bound on the step due to halos, in s, from the speeds of present bodies, sources, walls and falls. */
step_bound scree_step_halos(const model *m, const state *s, const domain *d);
bool scree_step_refuse_halos(const model *m, const state *s, const domain *d, fail *why);

/* Computes w->contact_time and the steps that follow from it. */
void scree_world_contact_time(model *m, const state *s, const domain *d, const extremes *e);
/* Refuses a step that is too long for contacts. */
bool scree_step_refuse_contacts(const model *m, fail *why);
/* If the run was already beyond the limit before the change, adds this fact to the refusal. Returns false. */
bool scree_step_refuse_more(real before, real now, fail *why);

/* Bodies with these types of shapes (one bit each) and at least this number of faces, made of one material or of any
 * material that conducts heat. */
typedef struct body_kind {
	uint32_t types;
	int32_t faces, material;
	bool any_material, conducts;
} body_kind;
/* The shape of a body of this kind, which is present or made by a source, or NULL if there is none. */
const shape *scree_shape_with(const model *m, const state *s, body_kind of);
/* Tests, before anything is derived, whether this world supports its shapes, walls, laws and narrow phase. */
bool scree_world_check_plane(const model *m, const state *s, fail *why);
bool scree_world_check_walls(const model *m, fail *why);
/* Tests the laws, after their constants have been derived. */
bool scree_world_check_laws(const model *m, const state *s, fail *why);
/* Finds the largest volume of liquid bridges relative to the spheres that they join (model.bridge_part). */
void scree_world_bridges(model *m, const extremes *e);
/* shortest time, in s, in which bodies of materials of[0] and of[1] that are joined by a liquid bridge move apart;
 * infinite without bridges. Implicit steps use the pull at the start of the step: they are safe up to the first of
 * these fractions of that time, and refused beyond the second. */
static const real BRIDGE_SAFE = (real)0.5, BRIDGE_MOST = 1;
pair_time scree_world_bridge_step(const model *m, const extremes *e);
bool scree_world_bridge_refuse(const model *m, const pair_time *o, fail *why);
/* longest implicit step, in half periods of two bonded bodies */
static const real BOND_MOST = 3;
bool scree_world_bonds_refuse(const model *m, fail *why);
bool scree_world_check_cohesion(const model *m, const extremes *e, fail *why);

/* A cell that changes size. _check_step: tests whether the cell changes little enough in a step; _set: sets the
 * limit and the lag of its servo, if these are not given. */
bool scree_world_cell_check_step(const model *m, const state *s, const domain *d, fail *why);
void scree_world_cell_set(model *m, const state *s, const work *w);

#endif
