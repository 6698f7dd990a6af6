/* fields.h: coarse-grained fields of a world on a grid (Goldhirsch 2010), as image data for VTK
 * (docs/theory/measures.md, "Fields"). */
#ifndef SCREE_OUTPUTS_FIELDS_H
#define SCREE_OUTPUTS_FIELDS_H

#include "base/fail.h"
#include "format/plan.h"
#include "model/declared.h"

/* Values at the centres of the cells of the grid, x first. Tensors are xx, yy, zz, xy, xz, yz. */
typedef struct grid_fields {
	int64_t count;
	real *density, *momentum, *velocity; /* kg/m3, kg/(m2 s), m/s: 0 where nothing is near */
	real *contact, *kinetic;			 /* Pa: the two parts of the stress, compression positive */
} grid_fields;

/* w: the whole world. Bodies and contacts are added in ascending order of ids. */
grid_fields scree_grid_fields(const field_plan *p, const scree_world *w);
void scree_grid_fields_free(grid_fields *f);
/* Writes them to a file (.vti). */
bool scree_grid_fields_write(const field_plan *p, const scree_world *w, const char *path, fail *why);

#endif
