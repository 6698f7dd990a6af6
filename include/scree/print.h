/* print.h: safe printing of untrusted text, such as file names, titles and messages that contain them. */
#ifndef SCREE_PRINT_H
#define SCREE_PRINT_H

#include "scree/scree.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Prints a text with its control characters, which could move a terminal's cursor or change its colours, shown as
 * escapes such as \x1b; newlines and tabs are kept. NULL counts as an empty text; if `to` is NULL, nothing is printed.
 */
SCREE_API void scree_print_text(FILE *to, const char *text);
/* Prints a text in the same way, with quotes where a shell needs them to read it as one word. */
SCREE_API void scree_print_word(FILE *to, const char *text);

#ifdef __cplusplus
}
#endif

#endif
