/* cells.h: inside of src/measure: the cells of a region. A body belongs to the cell that its centre is in. */
#ifndef SCREE_MEASURE_CELLS_H
#define SCREE_MEASURE_CELLS_H

#include "format/plan.h"

/* Number of cells: those of space times the classes of size. */
int32_t scree_cells(const measure_plan *p);
/* The cell of a point, in the first class; -1: outside. */
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

#endif
