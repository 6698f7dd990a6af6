/* tables.h: tables in full precision (CSV). NAME_bodies.csv has one row per body and output time, NAME_walls.csv one
 * row per wall and NAME_contacts.csv one row per contact. Trajectories are handled in the same way. */
#ifndef SCREE_FORMAT_TABLES_H
#define SCREE_FORMAT_TABLES_H

#include "base/real.h"
#include "format/csv.h"

struct scree_world;

typedef enum table_kind { TABLE_BODIES, TABLE_WALLS, TABLE_CONTACTS, TABLE_XYZ, TABLE_DUMP, TABLES } table_kind;

/* Returns all columns of a table; NULL for trajectories. */
const csv_column *scree_table_columns(table_kind kind, int *count);
/* Opens or creates the file. mark: position at which the file continues (csv.h). Returns NULL with an error message
 * if the file cannot be used. Tables of bodies have a temperature column in worlds with heat. */
csv *scree_table_open(const char *path, table_kind kind, const struct scree_world *w, const csv_mark *mark, fail *why);
/* Writes the rows for this output time: bodies in ascending order of ids, up to an id unless it is 0; walls in the
 * order of the scene; contacts by the ids of their bodies; or one frame of a trajectory, with the whole world. In a
 * divided world all ranks call this for tables other than trajectories; ranks without the file pass NULL. */
bool scree_table_rows(csv *file, table_kind kind, const struct scree_world *w, int64_t up_to, fail *why);

/* Append a frame of the whole world in a text format for OVITO, MDAnalysis, ASE and other programs: extended XYZ, or
 * the text dump of LAMMPS. Bodies are in ascending order of ids, up to an id unless it is 0. */
void scree_xyz_frame(csv *file, const struct scree_world *w, int64_t up_to);
void scree_dump_frame(csv *file, const struct scree_world *w, int64_t up_to);
/* Tests whether a dump can represent the cell of this world; returns false with an error message if not. */
bool scree_dump_possible(const struct scree_world *w, fail *why);

/* The loads that bodies exert on a wall, for tables and VTK files. */
typedef struct wall_loads {
	vec3 force, torque; /* force (N) and torque (N m, about the wall's position) that bodies exert on the wall */
	real pressure;		/* sum of normal forces over the area of the wall, in Pa; NaN if it has no area */
	real power;			/* power of these forces on the moving wall, in W */
} wall_loads;

/* All parts of a divided world call this function. */
wall_loads scree_wall_loads(const struct scree_world *w, int32_t wall);

#endif
