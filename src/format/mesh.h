/* mesh.h: reads and writes triangle meshes. Readers do not trust the file: every count is compared with the file's
 * length before memory is allocated. Error messages give the line or byte, what was found and what was expected. */
#ifndef SCREE_FORMAT_MESH_H
#define SCREE_FORMAT_MESH_H

#include <stddef.h>

#include "base/fail.h"
#include "base/real.h"

struct text;
struct mesh_builder;

typedef struct mesh {
	int32_t vertices, triangles;
	vec3 *vertex;
	int32_t *triangle; /* [3*triangles] */
	real apart;		   /* half the distance between adjacent representable numbers at the largest coordinate */
	real rounding;	   /* largest error of a coordinate due to digits or single precision; 0 for doubles */
} mesh;

/* Reads a mesh from the bytes of a file. format: stl (ASCII, binary), obj, ply (ASCII, binary) or off; name: for
 * messages. Polygons are cut into triangles (mesh_polygon.c); convex ones become a fan from their first corner. */
bool scree_mesh_parse(const char *name, const char *format, const void *bytes, size_t length, mesh *out, fail *why);
void scree_mesh_free(mesh *m);
/* Returns the largest absolute value of a coordinate. */
real scree_mesh_farthest(const mesh *m);
/* The unit of the last digit of the coordinates as written in the file; 0 if unknown. */
real scree_mesh_unit(const mesh *m);

/* Makes a binary PLY file that reads back as exactly the same mesh. comment: a line, or NULL. The caller frees it. */
void *scree_mesh_ply(const mesh *m, const char *comment, size_t *length);
bool scree_mesh_write_ply(const char *path, const mesh *m, const char *comment, fail *why);
/* Writes this PLY file unless it exists already. *other: whether the existing file has different contents */
bool scree_mesh_add_ply(const char *path, const mesh *m, const char *comment, bool *other, fail *why);

typedef struct mesh_format {
	const char *ending, *help;
	bool (*parse)(struct text *t, struct mesh_builder *b); /* mesh_reader.h */
} mesh_format;
extern const mesh_format scree_mesh_formats[];
extern const int scree_mesh_format_count;

#endif
