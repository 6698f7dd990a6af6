/* library.h: opens the library of a kind of device at run time. */
#ifndef SCREE_MACHINE_LIBRARY_H
#define SCREE_MACHINE_LIBRARY_H

#include "base/fail.h"

#include <stddef.h>

typedef struct library_function {
	const char *name;
	size_t at; /* offset of the pointer to it in a structure */
} library_function;

/* Opens the first of these files that is there, and stores pointers to its functions in the structure `to`. Both lists
 * end with NULL. The library stays open. product: what has these files, for messages */
bool scree_library_open(const char *const *files, const char *product, const library_function *functions, void *to,
						fail *why);

#endif
