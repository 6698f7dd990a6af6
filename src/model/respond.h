/* respond.h: sets the response of a model, and the members that depend on it. */
#ifndef SCREE_MODEL_RESPOND_H
#define SCREE_MODEL_RESPOND_H

#include "model/model.h"
#include "model/response.h"

SCREE_FN void model_respond(model *m, const response *r)
{
	m->response = r;
	m->solver = scree_solver_of(r);
	m->implicit = r->implicit;
	m->hard = r->hard;
}

#endif
