/* snapshot_shapes: shapes and walls in a snapshot. What is derived from faces and facets is saved as it is, not made
 * again, so that it has the same bits; what reads it relies on its indices, so these are checked here. */
#include "format/snapshot_parts.h"

#include "base/memory.h"

static void check_faces(snap_io *s, const shape *o)
{
	if (!s->ok) return;
	if (o->vertices < 4 || o->faces < 4 || o->padded != (o->vertices + 7) / 8 * 8 ||
		o->corners != 2 * (int64_t)o->edges)
		scree_snap_refuse(
			s, "shape '%s' has %d vertices (%d padded), %d faces, %d edges and %d corners, which is no polyhedron",
			o->name, o->vertices, o->padded, o->faces, o->edges, o->corners);
	else if (o->first[0] != 0 || o->first[o->faces] != o->corners)
		scree_snap_refuse(s, "shape '%s': its faces do not begin and end with its corners", o->name);
	for (int32_t f = 0; s->ok && f < o->faces; ++f)
		if (o->first[f + 1] - (int64_t)o->first[f] < 3)
			scree_snap_refuse(s, "shape '%s': face %d has less than 3 corners", o->name, f);
}

static void faces_of(snap_io *s, shape *o)
{
	scree_snap_count(s, "vertices", &o->vertices, 24);
	scree_snap_count(s, "padded vertices", &o->padded, 24);
	scree_snap_count(s, "faces", &o->faces, 32);
	scree_snap_count(s, "edges", &o->edges, 16);
	scree_snap_count(s, "corners", &o->corners, 8);
	real **vertex[3] = {&o->vx, &o->vy, &o->vz}, **plane[4] = {&o->nx, &o->ny, &o->nz, &o->off};
	for (int k = 0; k < 3; ++k) scree_snap_reals(s, vertex[k], o->padded);
	for (int k = 0; k < 4; ++k) scree_snap_reals(s, plane[k], o->faces);
	scree_snap_i32s(s, "first corner of a face", &o->first, (int64_t)o->faces + 1, 0, o->corners);
	scree_snap_i32s(s, "vertex of a face", &o->corner, o->corners, 0, o->vertices - 1);
	scree_snap_i32s(s, "neighbour of a face", &o->across, o->corners, 0, o->faces - 1);
	scree_snap_i32s(s, "end of an edge", &o->ends, 2 * (int64_t)o->edges, 0, o->vertices - 1);
	scree_snap_i32s(s, "side of an edge", &o->sides, 2 * (int64_t)o->edges, 0, o->faces - 1);
	if (s->reading) check_faces(s, o);
}

static void one_shape(snap_io *s, shape *o)
{
	scree_snap_name(s, o->name, sizeof o->name);
	int32_t type = (int32_t)o->type;
	scree_snap_int_in(s, "type of a shape", &type, 0, SHAPE_TYPES - 1);
	o->type = (shape_type)type;
	scree_snap_real(s, &o->radius);
	scree_snap_real(s, &o->inradius);
	scree_snap_real(s, &o->volume);
	scree_snap_vec3(s, &o->inertia);
	scree_snap_vec3(s, &o->centre);
	scree_snap_quat(s, &o->frame);
	if (s->reading && !(o->radius > 0 && o->inradius > 0 && o->volume > 0))
		scree_snap_refuse(s, "shape '%s' has radius %g, inradius %g and volume %g, expected all positive", o->name,
						  o->radius, o->inradius, o->volume);
	if (o->type == SHAPE_CONVEX) faces_of(s, o);
}

void scree_snap_shapes(snap_io *s, scree_world *w)
{
	scree_snap_count(s, "shapes", &w->shape.count, 116);
	if (s->reading) {
		w->shape.row = scree_alloc((size_t)w->shape.count, sizeof *w->shape.row);
		w->shape.capacity = w->shape.count;
	}
	for (int32_t k = 0; k < w->shape.count; ++k) one_shape(s, w->shape.row + k);
}
