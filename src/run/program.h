/* program.h: name of this program and location of installed files, for messages that name a command to type. */
#ifndef SCREE_RUN_PROGRAM_H
#define SCREE_RUN_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* The name to type instead of `scree`: see scree_called_as. */
const char *scree_program_name(void);
/* The path of share/paraview/scree_view.py, as installed or in the source tree that the program was built in; false if
 * it is in neither. */
bool scree_program_viewer(char *path, size_t room);
/* sets the number of threads; false, with a message, if there are too many */
bool scree_wants_threads(int threads);

#endif
