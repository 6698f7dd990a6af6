/* mesh_reader.h: inside of the mesh readers: a mesh that grows, polygons, and words of a text with their position. */
#ifndef SCREE_FORMAT_MESH_READER_H
#define SCREE_FORMAT_MESH_READER_H

#include <stddef.h>

#include "format/mesh.h"

/* A face of more than three corners: its triangles are a fan until all vertices are known. */
typedef struct polygon_face {
	int32_t first, corners; /* row of its first triangle */
	int64_t where;			/* line of a text, byte of a binary file */
} polygon_face;

typedef struct mesh_builder {
	mesh made;
	int32_t vertex_room, triangle_room;
	polygon_face *polygon;
	int32_t polygons, polygon_room;
} mesh_builder;

/* Digits with which a file gives its coordinates. */
typedef struct written {
	int decimals, digits; /* most digits after the point, most significant digits; 0: none was read from a text */
	bool wide;			  /* some coordinate is not a number of single precision */
} written;

/* reserves space for further items, for counts that were compared with the file's length */
void scree_build_reserve(mesh_builder *b, int32_t vertices, int32_t triangles);
void scree_build_vertex(mesh_builder *b, vec3 p);
void scree_build_triangle(mesh_builder *b, int32_t i, int32_t j, int32_t k);
/* A polygon is read corner by corner: the first two are kept, each further one makes a triangle of the fan. */
typedef struct fan {
	int64_t corners;
	int32_t first, last;
} fan;
void scree_build_corner(mesh_builder *b, fan *f, int32_t vertex);
void scree_build_face(mesh_builder *b, const fan *f, int64_t where);
/* After the last face: replaces wrong fans of polygons by other triangles, and stores the precision of the
 * coordinates. good: the file was read. False if it was not, or, with a sentence, for a polygon that crosses itself. */
bool scree_build_finish(mesh_builder *b, bool good, const written *digits, const char *name, bool binary, fail *why);

/* Cuts a polygon in space into the triangles [3*(corners-2)] of the fan of its first corner if these do not overlap,
 * otherwise into others of the same orientation. Returns the number of triangles, which is less if corners repeat;
 * or -1, with the reason. */
int32_t scree_polygon_cut(const vec3 *vertex, int32_t corners, const int32_t *corner, int32_t *triangle,
						  const char **reason);

/* A text being read. Words are cut at blanks; lines end at '\n', "\r\n" or '\r'. A byte order mark is skipped. */
typedef struct text {
	const char *name; /* file name */
	const unsigned char *start, *at, *end;
	const unsigned char *mark; /* begin of the last word, for messages */
	int64_t line;			   /* from 1 */
	bool comments;			   /* '#' starts one */
	bool continues;			   /* '\\' at the end of a line joins it with the next one */
	written digits;			   /* digits of the coordinates so far */
	fail *why;
} text;

/* length 0: end of the line or of the text */
typedef struct word {
	const char *start;
	int length;
} word;

text scree_text_start(const char *name, const void *bytes, size_t length, fail *why);
word scree_text_word(text *t);	   /* the next word of this line */
word scree_text_any_word(text *t); /* the next word of this or a later line */
void scree_text_next_line(text *t);
/* moves to the next line with words; false at the end */
bool scree_text_find_line(text *t);
bool scree_text_at_end(const text *t);
/* comparison that ignores case */
bool scree_word_is(word w, const char *what);
bool scree_text_unexpected(text *t, word w, const char *expected);
/* a finite number, an integer, the end of the line; false with a sentence */
bool scree_text_real(text *t, word w, real *value);
bool scree_text_integer(text *t, word w, const char *expected, int64_t *value);
bool scree_text_end_line(text *t);
bool scree_text_vector(text *t, vec3 *p);
real scree_ten_to(int power);
/* a real number of a vertex: its digits count for text.digits */
bool scree_text_coordinate(text *t, word w, real *value);
/* false, with file:line:column of the last word that was read and a sentence */
bool scree_text_fail(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

bool scree_mesh_parse_stl(const char *name, const void *bytes, size_t length, mesh *out, fail *why);
bool scree_mesh_parse_obj(const char *name, const void *bytes, size_t length, mesh *out, fail *why);
bool scree_mesh_parse_ply(const char *name, const void *bytes, size_t length, mesh *out, fail *why);
bool scree_mesh_parse_off(const char *name, const void *bytes, size_t length, mesh *out, fail *why);

#endif
