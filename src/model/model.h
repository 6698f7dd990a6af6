/* model.h: all that is constant during a step and the same in all parts of a divided world. A device copies it once; a
 * stage of an experiment is a new model for the same state. */
#ifndef SCREE_MODEL_MODEL_H
#define SCREE_MODEL_MODEL_H

#include "kernel/law_constants.h"
#include "model/fluid.h"
#include "model/guards.h"
#include "model/materials.h"
#include "model/triangle_choice.h"
#include "shape/shapes.h"
#include "wall/facets.h"

struct broad;
struct integrator;
struct narrow;
struct sharing;
struct solver;

typedef struct model {
	bool flat;		/* a world in the plane z = 0: bodies move in it and turn about z */
	real thickness; /* m, of its bodies along z; 1 elsewhere */
	real dt;
	vec3 gravity;
	shapes shape;
	materials material;
	fluid fluid;
	guards guard;
	facet_grid **grid;		  /* [walls.count] */
	law_constants *constants; /* [materials.count squared], from the rules by scree_world_prepare */
	real usual_step;
	real safe_step; /* s: that taken where none is given; longer ones are not known to be safe */
	real turning_step;
	real drag_step;	   /* s: longer ones make energy of rolling friction, or of drag; infinite: no bound */
	real halo_step;	   /* s: in longer ones bodies may pass through halos; infinite: no bound */
	real contact_time; /* s: the shortest that may happen, between these two materials: */
	int32_t stiffest[2];
	const struct broad *search;
	const struct narrow *narrow;		 /* state */
	triangle_choice triangles;			 /* state: how the triangles of two surfaces are compared */
	const struct sharing *share;		 /* saved with the state: how threads share contacts of surfaces */
	const struct integrator *integrator; /* state: how bodies move and turn */
	const struct solver *solver;		 /* state: makes velocities from contacts; NULL: forces do */
	bool unsorted; /* bodies are not put in the order of their places: to measure what that is worth */
} model;

#endif
