/* print.h: safe printing of text that comes from others, such as names of files, titles and sentences with them. */
#ifndef SCREE_PRINT_H
#define SCREE_PRINT_H

#include "scree/scree.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Prints a text with its control characters, which could move the cursor of a terminal or change its colours, shown
 * as \x1b; newlines and tabs stay. NULL is an empty text; without a
 * file nothing is printed. */
SCREE_API void scree_print_text(FILE *to, const char *text);
/* The same, quoted where necessary so that a shell reads it as one word. */
SCREE_API void scree_print_word(FILE *to, const char *text);

#ifdef __cplusplus
}
#endif

#endif
