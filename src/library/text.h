/* text.h: texts that calls return; private to src/library. */
#ifndef SCREE_LIBRARY_TEXT_H
#define SCREE_LIBRARY_TEXT_H

#include "library/internal.h"

#include <stdio.h>

/* Writes a text; false with an error message. */
typedef bool text_fn(FILE *to, const void *of, fail *why);
/* Output of `write`, to be freed; NULL with an error message if it returned false. */
char *scree_text_of(text_fn *write, const void *of, fail *why);
/* report.c: the same as s->text, which lives until the next call of this; inside of a call of the simulation */
scree_code scree_sim_keep_text(scree_sim *s, text_fn *write, const void *of);

#endif
