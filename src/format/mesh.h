/* mesh.h: triangle meshes from files. Readers never trust a file: every count is checked against the file's length
 * before memory is taken, and each refusal names line or byte, what was found and what was expected. */
#ifndef SCREE_FORMAT_MESH_H
#define SCREE_FORMAT_MESH_H

#include <stddef.h>

#include "base/fail.h"
#include "base/real.h"

typedef struct mesh {
	int32_t vertices, triangles;
	vec3 *vertex;
	int32_t *triangle; /* [3*triangles] */
} mesh;

/* By the file's contents and ending: .stl (ASCII, binary), .obj, .ply (ASCII, binary little-endian), .off. Polygons are
 * split into fans. */
bool scree_mesh_read(const char *path, mesh *out, fail *why);
/* The same from memory; format is the ending without dot; name is for messages. */
bool scree_mesh_parse(const char *name, const char *format, const void *bytes, size_t length, mesh *out, fail *why);
void scree_mesh_free(mesh *m);

/* Corners nearer than `part` of the extent become one vertex (STL has none in common); vertices that no triangle has
 * left, and triangles with a vertex twice, go. 1e-9 is what walls use. */
void scree_mesh_weld(mesh *m, real part);

/* What a welded mesh is like as a surface. */
typedef struct mesh_report {
	int32_t open;	 /* edges of one triangle only */
	int32_t crowded; /* edges of more than two */
	int32_t turned;	 /* edges that both triangles run the same way: one of them is turned over */
	int32_t parts;	 /* not connected by edges */
	real volume; /* what it encloses: > 0 when triangles turn counter-clockwise seen from outside; only if all above are
					0 */
	vec3 low, high; /* bounds */
} mesh_report;
mesh_report scree_mesh_look(const mesh *m);

typedef struct mesh_format {
	const char *ending, *help;
	bool (*parse)(const char *name, const void *bytes, size_t length, mesh *out, fail *why);
} mesh_format;
extern const mesh_format scree_mesh_formats[];
extern const int scree_mesh_format_count;

#endif
