/* output.h: files of the verbs, by the library's reader and writer (scree/files.h): no verb opens a file itself. */
#ifndef SCREE_PROG_OUTPUT_H
#define SCREE_PROG_OUTPUT_H

#include "command.h"

#include <stddef.h>

/* A text that is written to a file once it is complete. */
typedef struct text_output {
	FILE *to;
	char *text;
	size_t length;
} text_output;

/* False: there is no memory. */
bool begin_output(text_output *o);
/* Writes the file; an exit code, after an error message if it is not 0. */
int end_output(text_output *o, const char *path);
/* Drops the text. */
void drop_output(text_output *o);
int say_no_memory(void);
/* Prints the error message of a failed call of scree/files.h, which it frees, and returns the code. */
int say_failure(int code, char **why);

enum { MOST_TABLE = 1 << 30, MOST_SMALL = 1 << 20 }; /* bytes of a table, of a file with few lines */

/* Reads a file of at most `most` bytes, to be freed with free_input; NULL if there is none. An exit code, after a
 * sentence if it is not 0. */
int read_input(const char *path, size_t most, char **text, size_t *length);
/* The same without a word: NULL if it cannot be read. */
char *read_quietly(const char *path, size_t most, size_t *length);
void free_input(char *text);
/* The next line of a text, which it ends with a zero byte in the place of its newline; NULL: there is none. whole: it
 * has a newline */
char *next_line(char **at, const char *end, bool *whole);

#endif
