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
	real apart;	   /* half the distance between neighbouring numbers of the file's type, at the largest coordinate */
	real rounding; /* largest error of a coordinate that the file's digits, or single precision, may make; 0: doubles */
} mesh;

/* Reads a file by its contents and extension: .stl (ASCII, binary), .obj, .ply (ASCII, binary), .off. Polygons are
 * cut into triangles (mesh_polygon.c): convex ones into the fan of their first corner. */
bool scree_mesh_read(const char *path, mesh *out, fail *why);
/* As scree_mesh_read, from memory; format is the extension without dot; name is for messages. */
bool scree_mesh_parse(const char *name, const char *format, const void *bytes, size_t length, mesh *out, fail *why);
void scree_mesh_free(mesh *m);
/* The unit of the last digit that the coordinates of the file were written with; 0: not known. */
real scree_mesh_unit(const mesh *m);

/* A binary PLY file with doubles, which gives exactly this mesh when read; comment: one line, or NULL. To be freed
 * by the caller. */
void *scree_mesh_ply(const mesh *m, const char *comment, size_t *length);
bool scree_mesh_write_ply(const char *path, const mesh *m, const char *comment, fail *why);
/* Writes that file unless one exists already; *other: the existing file has other contents. */
bool scree_mesh_add_ply(const char *path, const mesh *m, const char *comment, bool *other, fail *why);

typedef struct mesh_format {
	const char *ending, *help;
	bool (*parse)(const char *name, const void *bytes, size_t length, mesh *out, fail *why);
} mesh_format;
extern const mesh_format scree_mesh_formats[];
extern const int scree_mesh_format_count;

#endif
