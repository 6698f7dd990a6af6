/* shown.h: safe printing of untrusted text (file names, text of scenes and snapshots) on a terminal: control
 * characters, which could move the cursor or change colours or the window title, are shown as \x1b. */
#ifndef SCREE_BASE_SHOWN_H
#define SCREE_BASE_SHOWN_H

#include <stddef.h>
#include <stdio.h>

/* length of the UTF-8 character at p; 0 if it is invalid or a control character */
size_t scree_plain_character(const char *p, size_t length);
void scree_shown(FILE *to, const char *text); /* newlines and tabs are kept */
/* the same, with the arguments of fprintf */
void scree_print(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void scree_shown_word(FILE *to, const char *text); /* quoted if necessary, so that a shell reads it as one word */

#endif
