/* vtk.h: frames for ParaView and VTK: glyph points with quaternions (w,x,y,z), walls, contacts as a force network, a
 * table of shapes, one PVD. Inline base64 + zlib, never appended data (ParaView 5.11 cannot read it). */
#ifndef SCREE_FORMAT_VTK_H
#define SCREE_FORMAT_VTK_H

#include "base/fail.h"
#include "plan/plan.h"

#include <stdint.h>

struct scree_world;

/* The frames of a run. */
typedef struct vtk_frames {
	int64_t count, room;
	int64_t *step; /* of each frame */
	int64_t first; /* the folder holds the frames from this one on */
} vtk_frames;

/* Which of the frames are there: a run that goes on in another folder begins with none. */
bool scree_vtk_find(vtk_frames *frames, const char *folder, const char *name, fail *why);
/* Writes NAME_shapes.vtm (+ one .vtp a shape) once, NAME_particles_NNNNNN.vtp, NAME_walls_NNNNNN.vtp,
 * NAME_contacts_NNNNNN.vtp for the frame of the world's step, and NAME.pvd anew (atomically) with all frames that the
 * folder holds; then the frame is counted. folder must exist. */
bool scree_vtk_frame(const struct scree_world *w, const vtk_plan *plan, const char *folder, const char *name,
					 vtk_frames *frames, fail *why);
/* Full polyhedra of one moment: PATH.vtp with all faces, field arrays by cell. */
bool scree_vtk_export_mesh(const struct scree_world *w, const char *path, fail *why);

#endif
