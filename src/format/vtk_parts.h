/* vtk_parts.h: inside of vtk*.c: VTK's XML PolyData with inline base64 of zlib blocks, and surfaces to be written. */
#ifndef SCREE_FORMAT_VTK_PARTS_H
#define SCREE_FORMAT_VTK_PARTS_H

#include "base/fail.h"
#include "base/real.h"
#include "world.h"

#include <stddef.h>

/* a text that grows */
typedef struct vtk_text {
	char *text;
	size_t used, room;
} vtk_text;

void scree_vtk_print(vtk_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* with & < > " as XML wants them */
void scree_vtk_escape(vtk_text *t, const char *text);
void scree_vtk_free(vtk_text *t);

typedef enum vtk_type { VTK_F32, VTK_F64, VTK_I32, VTK_I64 } vtk_type;

/* `count` tuples of `components` numbers */
void scree_vtk_array(vtk_text *t, vtk_type type, const char *name, int components, int64_t count, const void *data);

/* The head of a file with one piece; then <PointData>, <CellData>, ... are printed by the caller. */
void scree_vtk_begin(vtk_text *t, real time, int64_t points, int64_t verts, int64_t lines, int64_t polys);
void scree_vtk_points(vtk_text *t, int64_t count, const vec3 *point);
/* "Verts", "Lines" or "Polys": cells with rising ends of their corner lists */
void scree_vtk_cells(vtk_text *t, const char *section, int64_t cells, const int64_t *end, const int64_t *corner);
void scree_vtk_end(vtk_text *t);
/* Ends the text as a file; frees it. */
bool scree_vtk_write(vtk_text *t, const char *path, fail *why);

/* Polygons that share points. Empty one: all zero. */
typedef struct vtk_mesh {
	int64_t points, point_room, cells, cell_room, corners, corner_room;
	vec3 *point;
	int64_t *end, *corner; /* cell k has corners end[k-1] .. end[k]-1 */
	int32_t *tag;		   /* [cells] what it belongs to */
} vtk_mesh;

int64_t scree_vtk_mesh_point(vtk_mesh *m, vec3 p);
void scree_vtk_mesh_cell(vtk_mesh *m, int corners, const int64_t *corner, int32_t tag);
void scree_vtk_mesh_free(vtk_mesh *m);
/* One body: shape scaled, turned, put; spheres as 24 by 12 facets. */
void scree_vtk_mesh_shape(vtk_mesh *m, const shape *s, real size, quat turn, vec3 at, int32_t tag);
/* All walls as they stand now, tag: row of the wall. What has no end is cut at what there is to see. */
void scree_vtk_mesh_walls(vtk_mesh *m, const scree_world *w);

#endif
