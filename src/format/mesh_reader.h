/* mesh_reader.h: private to the mesh readers: a growing mesh, its polygons, and the words of a text */
#ifndef SCREE_FORMAT_MESH_READER_H
#define SCREE_FORMAT_MESH_READER_H

#include "format/mesh.h"

/* A face with more than three corners. Its triangles form a fan until all vertices have been read. */
typedef struct polygon_face {
	int32_t first, corners; /* row of the face's first triangle */
	int64_t where;			/* line in a text file, or byte in a binary file */
} polygon_face;

typedef struct mesh_builder {
	mesh made;
	int32_t vertex_room, triangle_room;
	polygon_face *polygon;
	int32_t polygons, polygon_room;
} mesh_builder;

/* Digit counts of the coordinates as written in a file. */
typedef struct written {
	int decimals, digits; /* largest counts after the point and of significant digits; 0 if no text was read */
	bool wide;			  /* whether some coordinate is not exact in single precision */
} written;

/* Reserves memory for more items, whose counts have been checked against the file's length. */
void scree_build_reserve(mesh_builder *b, int32_t vertices, int32_t triangles);
void scree_build_vertex(mesh_builder *b, vec3 p);
void scree_build_triangle(mesh_builder *b, int32_t i, int32_t j, int32_t k);
/* A polygon that is read corner by corner. After the first two corners each further one adds a triangle to the fan. */
typedef struct fan {
	int64_t corners;
	int32_t first, last;
} fan;
void scree_build_corner(mesh_builder *b, fan *f, int32_t vertex);
void scree_build_face(mesh_builder *b, const fan *f, int64_t where);
/* Cuts a polygon in space into triangles [3*(corners-2)]: the fan from its first corner if it has no overlaps,
 * otherwise others of the same orientation. Returns their number, smaller if corners repeat, or -1 with the
 * reason. */
int32_t scree_polygon_cut(const vec3 *vertex, int32_t corners, const int32_t *corner, int32_t *triangle,
						  const char **reason);

/* A text being read. Words are separated by blanks; lines end at '\n', "\r\n" or '\r'. A byte order mark is skipped. */
typedef struct text {
	const char *name;		   /* file name */
	const unsigned char *file; /* all bytes of the file */
	size_t length;
	bool binary;						   /* whether the file is binary, set by its reader */
	const unsigned char *start, *at, *end; /* start: the beginning, after a byte order mark */
	const unsigned char *mark;			   /* start of the last word, for messages */
	int64_t line;						   /* line number, from 1 */
	bool comments;						   /* '#' starts a comment */
	bool continues;						   /* '\\' at the end of a line joins it to the next one */
	written digits;						   /* digits of the coordinates so far */
	fail *why;
} text;

/* A word; the length is 0 at the end of the line or of the text. */
typedef struct word {
	const char *start;
	int length;
} word;

text scree_text_start(const char *name, const void *bytes, size_t length, fail *why);
word scree_text_word(text *t);	   /* Returns the next word of this line. */
word scree_text_any_word(text *t); /* returns the next word of this line or of a later one */
void scree_text_next_line(text *t);
/* Moves to the next line that has words; returns false at the end of the text. */
bool scree_text_find_line(text *t);
bool scree_text_at_end(const text *t);
/* Compares two words, ignoring case. */
bool scree_word_is(word w, const char *what);
bool scree_text_unexpected(text *t, word w, const char *expected);
/* Read a finite number, an integer, or the end of the line; false with an error message if anything else is found. */
bool scree_text_real(text *t, word w, real *value);
bool scree_text_integer(text *t, word w, const char *expected, int64_t *value);
bool scree_text_end_line(text *t);
bool scree_text_vector(text *t, vec3 *p);
real scree_ten_to(int power);
/* Reads a coordinate of a vertex, and counts its digits in text.digits. */
bool scree_text_coordinate(text *t, word w, real *value);
/* Returns false with an error message that begins with file:line:column of the last word read. */
bool scree_text_fail(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Called after the last face. Replaces unsuitable fans of polygons, and stores the precision of the coordinates. good:
 * whether reading succeeded. Returns false if it failed, or with an error message if a polygon crosses itself. */
bool scree_build_finish(mesh_builder *b, bool good, const text *t);

bool scree_mesh_parse_stl(text *t, mesh_builder *b);
bool scree_mesh_parse_obj(text *t, mesh_builder *b);
bool scree_mesh_parse_ply(text *t, mesh_builder *b);
bool scree_mesh_parse_off(text *t, mesh_builder *b);

#endif
