/* language.h: texts about the scene language: its tables, its keys and its schema. */
#ifndef SCREE_LANGUAGE_H
#define SCREE_LANGUAGE_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each call sets *text to the result, to the error message if the call fails, or to NULL if memory ran out
 * (SCREE_FILES). The caller frees it with scree_text_free. A call returns SCREE_BAD_INPUT if `text` itself is NULL. */
SCREE_API void scree_text_free(char *text); /* NULL has no effect */
/* Lists the rows of a table (laws, broad_phases, narrow_phases, integrators, responses, sharings, triangles,
 * mesh_formats), or of all tables if `table` is NULL. */
SCREE_API scree_code scree_list(const char *table, char **text);
/* Explains a key, such as "run.step", or all top-level keys if `key` is "". */
SCREE_API scree_code scree_explain(const char *key, char **text);
/* Returns the JSON Schema of the language. */
SCREE_API scree_code scree_schema(char **text);
/* Returns the word that `found` was probably meant to be, allowing for a few typing errors, or NULL if no word is
 * close. next(what, k) must return word k, counted from 0, and NULL after the last one. */
SCREE_API const char *scree_near_word(const char *found, const char *(*next)(const void *what, int k),
									  const void *what);

#ifdef __cplusplus
}
#endif

#endif
