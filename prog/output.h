/* output.h: reads and writes files for the verbs with the library's reader and writer (scree/files.h); no verb opens a
 * file itself.
 */
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

/* Returns false if memory ran out. */
bool begin_output(text_output *o);
/* Writes the file; returns an exit code, after printing an error message if it is not 0. */
int end_output(text_output *o, const char *path);
/* Drops the text. */
void drop_output(text_output *o);
int say_no_memory(void);
/* Prints and frees the error message of a failed call to scree/files.h, and returns the code. */
int say_failure(int code, char **why);

enum {
	MOST_TABLE = 1 << 30,
	MOST_SMALL = 1 << 20
}; /* largest sizes, in bytes, of a table and of a file with only a few lines */

/* Reads a file of at most `most` bytes, which the caller frees with free_input; *text is NULL if there is no file.
 * Returns an exit code, after an error message if it is not 0. */
int read_input(const char *path, size_t most, char **text, size_t *length);
/* Does the same without messages; returns NULL if the file cannot be read. */
char *read_quietly(const char *path, size_t most, size_t *length);
void free_input(char *text);
/* Returns the next line of a text, replacing its newline with a zero byte, or NULL. whole: whether the line had a
 * newline */
char *next_line(char **at, const char *end, bool *whole);

#endif
