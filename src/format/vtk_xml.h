/* vtk_xml.h: VTK's XML PolyData files, with arrays inline as base64 of zlib blocks with 64-bit headers (see vtk.h). */
#ifndef SCREE_FORMAT_VTK_XML_H
#define SCREE_FORMAT_VTK_XML_H

#include "base/fail.h"
#include "base/real.h"

#include <stddef.h>

typedef struct vtk_text {
	char *text;
	size_t used, room;
	bool lists; /* whether to list arrays without their numbers, as in the index of a file in pieces */
	const char *data;
} vtk_text;

void scree_vtk_put(vtk_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Writes an untrusted name in an attribute; the characters & < > and " become entities. */
void scree_vtk_put_name(vtk_text *t, const char *name);
/* Writes an array. type: "Float64", "Float32" or "Int64", "Int32"; bytes: the array as in memory */
void scree_vtk_array(vtk_text *t, const char *type, const char *name, int components, const void *bytes, size_t length);
/* Writes doubles as Float32. */
void scree_vtk_floats(vtk_text *t, const char *name, int components, const real *value, int64_t count);

/* Points and cells of one file; the cells are all polygons, all lines or all single points. */
typedef struct vtk_mesh {
	int64_t points, point_room, cells, cell_room, corners, corner_room;
	real *point;		   /* [3*points] */
	int64_t *corner, *end; /* corner: [corners] rows of points; end: [cells] end of each cell in `corner` */
} vtk_mesh;

int64_t scree_vtk_mesh_point(vtk_mesh *m, vec3 p);
void scree_vtk_mesh_cell(vtk_mesh *m, int64_t count, const int64_t *corner);
/* Starts a file and frees the mesh. kind: "Verts", "Lines" or "Polys"; data: "PointData", "CellData" or NULL */
void scree_vtk_begin(vtk_text *t, vtk_mesh *m, const char *kind, const char *data);
/* Completes the file, writes it atomically and frees the text. */
bool scree_vtk_end(vtk_text *t, const char *path, fail *why);
/* Starts the index of a file in pieces; the caller adds a list of arrays, scree_vtk_end_data and the names of pieces.
 * data: "PPointData" or "PCellData" */
void scree_vtk_begin_index(vtk_text *t, const char *data);
void scree_vtk_end_data(vtk_text *t);
bool scree_vtk_end_index(vtk_text *t, const char *path, fail *why);

#endif
