/* vtk.h: frames for ParaView and VTK: glyph points with quaternions (w,x,y,z), walls, contacts as a force network, a
 * table of shapes, one PVD. Inline base64 + zlib, never appended data (ParaView 5.11 cannot read it). */
#ifndef SCREE_FORMAT_VTK_H
#define SCREE_FORMAT_VTK_H

#include "base/fail.h"
#include "scene/plan.h"

struct scree_world;

/* Writes NAME_shapes.vtm (+ one .vtp a shape) once, NAME_particles_NNNNNN.vtp, NAME_walls_NNNNNN.vtp,
 * NAME_contacts_NNNNNN.vtp for frame number `frame`, and NAME.pvd anew (atomically) with all frames up to this one.
 * folder must exist. */
bool scree_vtk_frame(const struct scree_world *w, const vtk_plan *plan, const char *folder, const char *name,
					 int64_t frame, fail *why);
/* Full polyhedra of one moment: PATH.vtp with all faces, field arrays by cell. */
bool scree_vtk_export_mesh(const struct scree_world *w, const char *path, fail *why);

#endif
