/* shown.h: words of others (names of files, text of scenes and snapshots) on a terminal: control characters, which
 * could move its cursor, change its colours or its title, are shown as \x1b. */
#ifndef SCREE_BASE_SHOWN_H
#define SCREE_BASE_SHOWN_H

#include <stddef.h>
#include <stdio.h>

/* bytes of the character of UTF-8 that begins at p; 0 if it is none, or a control character */
size_t scree_plain_character(const char *p, size_t length);
/* as fprintf; newlines and tabs stay */
void scree_print(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* the same, but so that a shell reads all of it as one word: in quotes where it needs them */
void scree_print_word(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
