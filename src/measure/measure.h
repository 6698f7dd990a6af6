/* measure.h: measures of bodies and contacts in the cells of a region: masses, mean velocities, stresses. Sums are in
 * fixed point, so that values do not depend on threads, ranks or the order of rows (docs/theory/measures.md). */
#ifndef SCREE_MEASURE_MEASURE_H
#define SCREE_MEASURE_MEASURE_H

#include "base/fixed.h"
#include "format/plan.h"
#include "model/declared.h"

struct clump_plane;
struct shape;

enum { MEASURE_SUMS = 8, MEASURE_COLUMNS = 8 };

/* The data of a body that measures use. */
typedef struct measured_body {
	real mass, moved;		  /* in kg; moved: 0 for a held body, which forces do not move */
	real volume, size;		  /* m3, m */
	real capacity;			  /* in J/K; 0 if no heat flows into it */
	real temperature;		  /* in K; 0 in worlds without heat */
	vec3 velocity, deviation; /* in m/s; deviation: from the mean of its cell */
	vec3 round_deviation;	  /* components along the radius, around the axis and along the axis; 0 if not needed */
} measured_body;

/* One end of a contact: the end whose body is in the cell. A contact between two bodies has two ends. */
typedef struct measured_end {
	vec3 force, arm, normal;	 /* force on the body; arm from its centre to the contact; normal out of the body */
	vec3 round_force, round_arm; /* components as above, at the body; 0 if not needed */
	bool first;					 /* the first contact with this partner */
} measured_end;

/* Sums over a cell that all measures may use. */
typedef struct measured_cell {
	real volume, mass, moved, bodies;
	real cut[2]; /* m3 and kg of all bodies, each cut at the borders of the cell; 0 if no row needs them */
	real others; /* mass of all bodies of the cell, including those that the measure excludes, in kg */
	real share;	 /* mass divided by `others`, for the whole region */
	real top;	 /* height of the highest body against gravity, in m; -infinite if there is none */
	int dimension;
} measured_cell;

/* A measure. To add a measure, add a row to the table in rows.c (docs/adding.md). */
typedef struct measure_row {
	const char *name, *help;
	const char *columns; /* "name[unit] ..." */
	int32_t sums;
	bool needs_volume;								  /* a region */
	bool needs_choice;								  /* `material` or `sizes` */
	bool needs_heat;								  /* a material that conducts heat; not a default value */
	bool needs_axis;								  /* a cylinder or a disc; not a default value */
	bool needs_cuts;								  /* a box in three dimensions; not a default value */
	void (*body)(const measured_body *b, fixed *sum); /* NULL if bodies add nothing */
	void (*end)(const measured_end *e, fixed *sum);	  /* NULL if contacts add nothing */
	void (*value)(const measured_cell *c, const real *sum, real *value);
} measure_row;
extern const measure_row scree_measures[];
extern const int scree_measure_count;

/* Fills `row`, with room for all rows, with the rows that a plan chooses as its columns; returns their number. */
int scree_measure_rows(const measure_plan *p, int row[]);

/* The plan with its present region; in a cell of variable size, a box follows the borders along axes it spans. */
measure_plan scree_measure_now(const measure_plan *p, const scree_world *w);

/* All present values, cell by cell, freed with scree_free. columns: number of values per cell. All parts of a divided
 * world must call this, and all receive the values; NaN if a cell of variable size no longer contains the region. */
real *scree_measure(const measure_plan *p, const scree_world *w, int32_t *columns);

/* Flow into a sink or through a plane since the start. All parts of a divided world must call the function. */
typedef struct measured_flow {
	real mass; /* mass in kg; through a plane, mass along its normal minus mass against it */
	int64_t count;
	real mass_back; /* mass against the normal, in kg */
	int64_t back;
} measured_flow;
measured_flow scree_measure_flow(const measure_plan *p, const scree_world *w);
/* Columns of a flow, as "name[unit]"; planes have all of them, and sinks only the first ones. */
typedef struct flow_column {
	const char *name, *help;
} flow_column;
extern const flow_column scree_flow_columns[];
extern const int scree_flow_column_count;
int scree_measure_flow_columns(const measure_plan *p);
bool scree_measure_has_flow(const measure_plan *p, const scree_world *w);

/* cells.c: the cells of a region. Number of cells: cells in space times size classes. */
int32_t scree_cells(const measure_plan *p);
/* The cell, for the first size class, that contains a point, such as a body's centre; -1 if the point is outside. */
int32_t scree_cell_at(const measure_plan *p, vec3 at);
/* The class of a size (in m), to be added to the index of the cell; -1 if there is none. */
int32_t scree_class_of(const measure_plan *p, real size);
/* volume of a cell of any size class, in m3, or in m2 in the plane; infinite if the region is unbounded */
real scree_cell_volume(const measure_plan *p, int32_t cell);

/* Columns, with units, for the position of a cell along the axes that have several cells. */
typedef struct cell_axes {
	int32_t count;
	const char *name[4];
} cell_axes;
cell_axes scree_cell_axes(const measure_plan *p);
/* The values of these columns, that is, the middle of the cell. */
void scree_cell_middle(const measure_plan *p, int32_t cell, real value[4]);

/* cut.c: the part of a body within each cell of a box, in three dimensions. */
enum { CUT_PLANES = 6 }; /* most planes */
enum { CUT_VOLUME, CUT_MASS, CUT_SUMS };

/* The fraction of a shape's volume, in its own frame for size 1, in which x.u <= h for all planes (at most CUT_PLANES).
 * It is exact, except for rounding, for balls, clumps, ellipsoids and flat faces; other bodies' triangles are cut. */
real scree_cut_part(const struct shape *s, int32_t planes, const struct clump_plane *plane);

/* Adds the parts of a body of this volume (m3) and size class, and of its images, to the cells [cells][CUT_SUMS]. */
void scree_cut_body(const measure_plan *p, const scree_world *w, int32_t body, int32_t class, real volume, fixed *sum);

#endif
