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
	r.uneven = s->uneven;
	for (int32_t v = 0; v < s->vertices; ++v) r.vx[v] = s->vx[v], r.vy[v] = s->vy[v], r.vz[v] = s->vz[v];
	for (int32_t f = 0; f < s->faces; ++f) r.nx[f] = s->nx[f], r.ny[f] = s->ny[f], r.nz[f] = s->nz[f];
	for (int32_t f = 0; f < s->faces; ++f) r.off[f] = s->off[f];
	for (int32_t f = 0; f <= s->faces; ++f) r.first[f] = (uint8_t)s->first[f];
	for (int32_t k = 0; k < s->corners; ++k) r.corner[k] = (uint8_t)s->corner[k], r.across[k] = (uint8_t)s->across[k];
	for (int32_t v = 0; v <= s->vertices; ++v) r.at_first[v] = (uint8_t)s->at_first[v];
	for (int32_t k = 0; k < s->corners; ++k) r.at[k] = (uint8_t)s->at[k];
	for (int32_t k = 0; k < 2 * s->edges; ++k) r.ends[k] = (uint8_t)s->ends[k], r.sides[k] = (uint8_t)s->sides[k];
	return r;
}

/* An icosahedron with a low pyramid on each face: 60 faces. Returns the row. */
static SCREE_UNUSED int32_t add_round(shapes *s, const shape *of, fail *why)
{
	vec3 at[32];
	int32_t first[61] = {0}, corner[180], faces = 0;
	for (int32_t v = 0; v < of->vertices; ++v) at[v] = shape_vertex(of, v);
	for (int32_t f = 0; f < of->faces; ++f) {
		const int32_t *c = of->corner + of->first[f], apex = of->vertices + f;
		at[apex] = v3_mul((real)1.075 / 3, v3_add(v3_add(at[c[0]], at[c[1]]), at[c[2]]));
		for (int k = 0; k < 3; ++k) {
			corner[3 * faces] = c[k], corner[3 * faces + 1] = c[(k + 1) % 3], corner[3 * faces + 2] = apex;
			first[faces + 1] = 3 * (faces + 1);
			++faces;
		}
	}
	return scree_shapes_add_convex(s, "round", of->vertices + of->faces, at, faces, first, corner, why);
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
