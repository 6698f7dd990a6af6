/* solids.h: polyhedra, and random poses, for the programs in this folder. */
#ifndef SCREE_TESTS_POCL_SOLIDS_H
#define SCREE_TESTS_POCL_SOLIDS_H

#include "cl.h"
#include "kernel/convex_rows.h"
#include "kernel/quat.h"
#include "narrow/narrow.h"
#include "shape/shapes.h"

static convex_rows rows_of(const shape *s)
{
	convex_rows r = {.vertices = s->vertices, .faces = s->faces, .corners = s->corners, .edges = s->edges};
	r.radius = s->radius;
	r.inradius = s->inradius;
	for (int32_t v = 0; v < s->vertices; ++v) r.vx[v] = s->vx[v], r.vy[v] = s->vy[v], r.vz[v] = s->vz[v];
	for (int32_t f = 0; f < s->faces; ++f) r.nx[f] = s->nx[f], r.ny[f] = s->ny[f], r.nz[f] = s->nz[f];
	for (int32_t f = 0; f < s->faces; ++f) r.off[f] = s->off[f];
	for (int32_t f = 0; f <= s->faces; ++f) r.first[f] = (uint8_t)s->first[f];
	for (int32_t k = 0; k < s->corners; ++k) r.corner[k] = (uint8_t)s->corner[k];
	for (int32_t k = 0; k < 2 * s->edges; ++k) r.ends[k] = (uint8_t)s->ends[k], r.sides[k] = (uint8_t)s->sides[k];
	return r;
}

static mat3 turned_by(real tilt)
{
	return quat_matrix(quat_unit(quat_of(1, draw(-tilt, tilt), draw(-tilt, tilt), draw(-tilt, tilt))));
}

static placed placed_of(const shapes *s, const convex_pose *p)
{
	return (placed){s->row + p->shape, p->at, p->turn, p->size};
}

static void *get_room(size_t count, size_t bytes)
{
	void *p = calloc(count, bytes);
	if (!p) exit((printf("out of memory\n"), 2));
	return p;
}

#endif
