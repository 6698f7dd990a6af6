/* cells.h: inside of src/measure: the cells of a region, and the parts of bodies in each of them. */
#ifndef SCREE_MEASURE_CELLS_H
#define SCREE_MEASURE_CELLS_H

#include "format/plan.h"
#include "shape/clump/clump_share.h"
#include "world/world.h"

/* Number of cells: those of space times the classes of size. */
int32_t scree_cells(const measure_plan *p);
/* The cell of a point, such as the centre of a body, which belongs to it; in the first class; -1: outside. */
int32_t scree_cell_at(const measure_plan *p, vec3 at);
/* The class of a size (m), which is added to the cell; -1: none. */
int32_t scree_class_of(const measure_plan *p, real size);
/* m3, in the plane m2: volume of a cell; infinite if the region has no bounds. Classes of size share their cell. */
real scree_cell_volume(const measure_plan *p, int32_t cell);

/* Columns that say where a cell is: those axes along which there are several. Names with units, as in
 * measure_row.columns. */
typedef struct cell_axes {
	int32_t count;
	const char *name[4];
} cell_axes;
cell_axes scree_cell_axes(const measure_plan *p);
/* The values of these columns: the middle of the cell. */
void scree_cell_middle(const measure_plan *p, int32_t cell, real value[4]);

/* cut.c: the part of a body in each cell of a box, in dimension 3. */
enum { CUT_PLANES = 6 }; /* most planes */
enum { CUT_VOLUME, CUT_MASS, CUT_SUMS };

/* The fraction of a shape's volume in which x.u <= h for all planes, at most CUT_PLANES, in its own frame and for
 * size 1. Exact but for rounding for balls, clumps, ellipsoids and all bodies with flat faces. Other smooth bodies are
 * cut as their surface of triangles is. */
real scree_cut_part(const shape *s, int32_t planes, const clump_plane *plane);

/* Adds the parts of a body of this volume (m3), and of all its images, to the cells [cells][CUT_SUMS]. class: of its
 * size. */
void scree_cut_body(const measure_plan *p, const scree_world *w, int32_t body, int32_t class, real volume, fixed *sum);

#endif
