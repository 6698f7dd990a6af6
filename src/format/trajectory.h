/* trajectory.h: frames of all bodies in the text formats of molecular dynamics, for OVITO, MDAnalysis, ASE and others:
 * extended XYZ, and the text dump of LAMMPS. A file has all frames one after the other. */
#ifndef SCREE_FORMAT_TRAJECTORY_H
#define SCREE_FORMAT_TRAJECTORY_H

#include "base/fail.h"
#include "format/csv.h"

#include <stdint.h>

struct scree_world;

/* Each adds a frame of the whole world at its time: bodies in ascending order of ids, up to an id unless it is 0. */
void scree_xyz_frame(csv *file, const struct scree_world *w, int64_t up_to);
void scree_dump_frame(csv *file, const struct scree_world *w, int64_t up_to);
/* Whether a dump can hold the cell of this world; false with an error message. */
bool scree_dump_possible(const struct scree_world *w, fail *why);

#endif
