/* vtk.h: frames for ParaView and VTK: glyph points with quaternions (w,x,y,z), walls, contacts as a force network, a
 * table of shapes, and one PVD file. Arrays are inline base64 + zlib, since ParaView 5.11 cannot read appended data. */
#ifndef SCREE_FORMAT_VTK_H
#define SCREE_FORMAT_VTK_H

#include "base/fail.h"
#include "format/plan.h"

#include <stdint.h>

struct scree_world;

/* The frames that a run has written. */
typedef struct vtk_frames {
	int64_t count, room;
	int64_t *step; /* step number of each frame */
	real *time;	   /* s, of each frame */
	bool *divided; /* whether bodies and contacts are in several files, for each frame in the folder */
	int64_t first; /* number of the first frame in the folder */
} vtk_frames;

/* Finds the frames in the folder. A run that is resumed in another folder starts with no frames. */
bool scree_vtk_find(vtk_frames *frames, const char *folder, const char *name, fail *why);
/* Writes NAME_particles_NNNNNN.vtp, NAME_walls_NNNNNN.vtp and NAME_contacts_NNNNNN.vtp for the world's step, and once
 * NAME_shapes.vtm (and one .vtp per shape). Rewrites NAME.pvd atomically with all frames in the folder, which must
 * exist, then counts the frame. If there are more bodies than one file holds, they and contacts are in files such as
 * NAME_particles_NNNNNN_KKKK.vtp by ids, listed in NAME_particles_NNNNNN.pvtp. All ranks call this and write. */
bool scree_vtk_frame(const struct scree_world *w, const vtk_plan *plan, const char *folder, const char *name,
					 vtk_frames *frames, fail *why);
/* Writes full polyhedra at the present time: PATH.vtp with all faces; field arrays are per cell. */
bool scree_vtk_export_mesh(const struct scree_world *w, const char *path, fail *why);

#endif
