/* language.h: texts about the language of scenes: its tables, its keys and its schema. */
#ifndef SCREE_LANGUAGE_H
#define SCREE_LANGUAGE_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each call sets *text to the result, or to the error message of a failure; NULL if memory ran out (SCREE_FILES). It is
 * freed by scree_text_free. SCREE_BAD_INPUT if `text` itself is NULL. */
SCREE_API void scree_text_free(char *text); /* NULL: nothing */
/* The rows of a table (laws, broad_phases, narrow_phases, integrators, responses, sharings, triangles, mesh_formats),
 * or of all tables if `table` is NULL. */
SCREE_API scree_code scree_list(const char *table, char **text);
/* Explanation of a key, such as "run.step"; "": of all top-level keys. */
SCREE_API scree_code scree_explain(const char *key, char **text);
/* The JSON Schema of the language. */
SCREE_API scree_code scree_schema(char **text);
/* The word that `found` was probably meant to be, within a few typing errors; NULL: none is near. next(what, k) gives
 * word k, from 0, and NULL after the last one. */
SCREE_API const char *scree_near_word(const char *found, const char *(*next)(const void *what, int k),
									  const void *what);

#ifdef __cplusplus
}
#endif

#endif
