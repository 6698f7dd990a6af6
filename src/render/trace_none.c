/* trace_none: replaces trace.c in builds without Embree (SCREE_EMBREE=OFF, or neither version 4 nor 3 was found). */
#include "render/picture.h"

bool scree_tracer_built(fail *why)
{
	return scree_fail(why, FAIL_INPUT,
					  "output.images: this scree was built without Embree and cannot draw three-dimensional pictures; "
					  "leave output.images out (VTK frames need no Embree), or install libembree-dev and build again");
}

tracer *scree_tracer_new(const scree_world *w, const image_plan *plan, const camera *view, const picture_frame *frame,
						 const vec3 *colour, vec3 up, fail *why)
{
	(void)w, (void)plan, (void)view, (void)frame, (void)colour, (void)up;
	scree_tracer_built(why);
	return NULL;
}

void scree_tracer_free(tracer *t) { (void)t; }

void scree_trace(const tracer *t, canvas *out) { (void)t, (void)out; }
