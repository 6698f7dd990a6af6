/* text.h: memory for reading one scene, and text that grows. */
#ifndef SCREE_SCENE_TEXT_H
#define SCREE_SCENE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct arena {
	struct arena_block *block;
} arena;

/* returns zeroed memory that lives until scree_arena_free */
void *scree_arena_take(arena *a, size_t bytes);
/* a copy with a final zero byte */
char *scree_arena_text(arena *a, const char *text, size_t length);
char *scree_arena_print(arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
void scree_arena_free(arena *a);

/* length of the byte order mark that some editors write before a text in UTF-8 */
size_t scree_byte_order_mark(const char *bytes, size_t length);
/* whether a byte of UTF-8 is the first byte of its character */
static inline bool begins_character(char c) { return ((unsigned char)c & 0xC0) != 0x80; }
/* the encoding with two or four bytes per character that a byte order mark indicates, or NULL for others */
const char *scree_other_encoding(const char *bytes, size_t length);

typedef struct writing {
	char *bytes; /* ends with a zero byte, or is NULL while empty */
	size_t length, capacity;
} writing;

void scree_writing_add(writing *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void scree_writing_bytes(writing *t, const char *bytes, size_t length);
/* writes untrusted text: control characters, including line ends, become \x1b */
void scree_writing_shown(writing *t, const char *text);
/* writes text in double quotes, valid in YAML and JSON */
void scree_writing_quote(writing *t, const char *text);
/* Returns the text, which is never NULL and is freed with scree_free; empties t. */
char *scree_writing_take(writing *t);
/* Writes the shortest of %.15g, %.16g and %.17g that reads back as the same number. */
void scree_writing_real(writing *t, double value);
/* writes a number for messages: 1e-9 and 1e12, not 1e-09 and 1e+12 */
void scree_writing_plain(writing *t, double value);

#endif
