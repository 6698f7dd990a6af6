/* mesh_parts.h: inside of the mesh readers: a mesh that grows, and words of a text with their place. */
#ifndef SCREE_FORMAT_MESH_PARTS_H
#define SCREE_FORMAT_MESH_PARTS_H

#include <stddef.h>

#include "format/mesh.h"

typedef struct mesh_builder {
	mesh made;
	int32_t vertex_room, triangle_room;
} mesh_builder;

/* room for so many more, all at once, for counts that were checked against the file's length */
void scree_build_reserve(mesh_builder *b, int32_t vertices, int32_t triangles);
void scree_build_vertex(mesh_builder *b, vec3 p);
void scree_build_triangle(mesh_builder *b, int32_t i, int32_t j, int32_t k);
/* A polygon comes corner by corner: the first two are kept, from the third on each makes a triangle of the fan. */
typedef struct fan {
	int64_t corners;
	int32_t first, last;
} fan;
void scree_build_corner(mesh_builder *b, fan *f, int32_t vertex);

/* A text being read. Words are cut at blanks; lines end at '\n', and '\r' is a blank. */
typedef struct text {
	const char *name; /* of the file */
	const unsigned char *start, *at, *end;
	const unsigned char *mark; /* where the last word begins, for messages */
	int64_t line;			   /* from 1 */
	bool comments;			   /* '#' starts one */
	fail *why;
} text;

/* length 0: the line, or the text, has ended */
typedef struct word {
	const char *start;
	int length;
} word;

text scree_text_start(const char *name, const void *bytes, size_t length, fail *why);
word scree_text_word(text *t);	   /* the next word of this line */
word scree_text_any_word(text *t); /* the next word of this or a later line */
void scree_text_next_line(text *t);
/* to the next line with words; false at the end */
bool scree_text_find_line(text *t);
bool scree_text_at_end(const text *t);
/* without regard to case */
bool scree_word_is(word w, const char *what);
bool scree_text_unexpected(text *t, word w, const char *expected);
/* a finite number, an integer, the end of the line; false with a sentence */
bool scree_text_real(text *t, word w, real *value);
bool scree_text_integer(text *t, word w, const char *expected, int64_t *value);
bool scree_text_end_line(text *t);
bool scree_text_vector(text *t, vec3 *p);
/* false, with file:line:column of the last word that was read and a sentence */
bool scree_text_fail(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

bool scree_mesh_parse_stl(const char *name, const void *bytes, size_t length, mesh *out, fail *why);
bool scree_mesh_parse_obj(const char *name, const void *bytes, size_t length, mesh *out, fail *why);
bool scree_mesh_parse_ply(const char *name, const void *bytes, size_t length, mesh *out, fail *why);
bool scree_mesh_parse_off(const char *name, const void *bytes, size_t length, mesh *out, fail *why);

#endif
