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

/* A body as measures see it. */
typedef struct measured_body {
	real mass, moved;		  /* kg; moved: 0 for a held body, which does not move by forces */
	real volume, size;		  /* m3, m */
	real capacity;			  /* J/K; 0: no heat flows into it */
	real temperature;		  /* K; 0 in worlds without heat */
	vec3 velocity, deviation; /* m/s; deviation from the mean of its cell */
	vec3 round_deviation;	  /* along the radius of a round region, around and along its axis; 0: no row needs it */
} measured_body;

/* One end of a contact: its body, in the body's cell. A contact of two bodies has two ends. */
typedef struct measured_end {
	vec3 force, arm, normal;	 /* on the body; from its centre to the contact; out of the body */
	vec3 round_force, round_arm; /* both along the radius, around and along the axis, where the body is; or 0 */
	bool first;					 /* the first contact with this partner */
} measured_end;

/* Sums of a cell that all measures may use. */
typedef struct measured_cell {
	real volume, mass, moved, bodies;
	real cut[2]; /* m3, kg: of all bodies, each cut at the borders of the cell; 0: no row needs them */
	real others; /* kg, of all bodies of the cell, including those that the measure excludes */
	real share;	 /* mass over `others`, in the whole region */
	real top;	 /* m, against gravity: of the highest body; -infinite: none */
	int dimension;
} measured_cell;

/* A measure. To add one, add a row to the table in rows.c (docs/adding.md). */
typedef struct measure_row {
	const char *name, *help;
	const char *columns; /* "name[unit] ..." */
	int32_t sums;
	bool needs_volume;								  /* a region */
	bool needs_choice;								  /* `material` or `sizes` */
	bool needs_heat;								  /* a material that conducts; only if it is named */
	bool needs_axis;								  /* a cylinder, or a disc; only if it is named */
	bool needs_cuts;								  /* a box in dimension 3; only if it is named */
	void (*body)(const measured_body *b, fixed *sum); /* NULL: bodies add nothing */
	void (*end)(const measured_end *e, fixed *sum);	  /* NULL: contacts add nothing */
	void (*value)(const measured_cell *c, const real *sum, real *value);
} measure_row;
extern const measure_row scree_measures[];
extern const int scree_measure_count;

/* Sets the rows of the table chosen by a plan, which are its columns; needs room for all. Returns their number. */
int scree_measure_rows(const measure_plan *p, int row[]);

/* The plan with its region at the present time: in a cell that changes its size, a box follows the borders along axes
 * that it spans. */
measure_plan scree_measure_now(const measure_plan *p, const scree_world *w);

/* All values at the present time, cell by cell, freed with scree_free. columns: of each cell. All parts of a divided
 * world call this, and all get the values. NaN: a cell that changes its size no longer contains the region. */
real *scree_measure(const measure_plan *p, const scree_world *w, int32_t *columns);

/* Flow into a sink or through a plane since the start, of the whole world. All parts of a divided world call this.
 *
 * */
typedef struct measured_flow {
	real mass; /* kg; through a plane: along its normal minus against it */
	int64_t count;
	real mass_back; /* kg, against the normal */
	int64_t back;
} measured_flow;
measured_flow scree_measure_flow(const measure_plan *p, const scree_world *w);
/* Columns of a flow, as "name[unit]"; flows through a plane have all of them, and sinks only the first ones. */
typedef struct flow_column {
	const char *name, *help;
} flow_column;
extern const flow_column scree_flow_columns[];
extern const int scree_flow_column_count;
int scree_measure_flow_columns(const measure_plan *p);
bool scree_measure_has_flow(const measure_plan *p, const scree_world *w);

/* cells.c: the cells of a region. Number of cells: those in space times the classes of size. */
int32_t scree_cells(const measure_plan *p);
/* The cell, of the first class, that contains a point, such as the centre of a body; -1: outside. */
int32_t scree_cell_at(const measure_plan *p, vec3 at);
/* The class of a size (m), to be added to the cell; -1: none. */
int32_t scree_class_of(const measure_plan *p, real size);
/* m3, in the plane m2: volume of a cell; infinite if the region is unbounded. Classes of size share their cell. */
real scree_cell_volume(const measure_plan *p, int32_t cell);

/* Columns for the position of a cell, along axes with several cells. Names with units, as in measure_row.columns. */
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
real scree_cut_part(const struct shape *s, int32_t planes, const struct clump_plane *plane);

/* Adds the parts of a body of this volume (m3), and of all its images, to the cells [cells][CUT_SUMS]. class: that of
 * its size. */
void scree_cut_body(const measure_plan *p, const scree_world *w, int32_t body, int32_t class, real volume, fixed *sum);

#endif
