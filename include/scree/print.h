/* print.h: safe printing of untrusted text, such as file names, titles and messages that contain them. */
#ifndef SCREE_PRINT_H
#define SCREE_PRINT_H

#include "scree/scree.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Prints a text; control characters, which could move a terminal's cursor or change its colours, are shown as \x1b;
 * newlines and tabs stay. NULL is an empty text; without a file nothing is printed. */
SCREE_API void scree_print_text(FILE *to, const char *text);
/* The same, quoted where necessary so that a shell reads it as one word. */
SCREE_API void scree_print_word(FILE *to, const char *text);

#ifdef __cplusplus
}
#endif

#endif
