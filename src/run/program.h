/* program.h: how this program is called and what was installed beside it, for messages that name a command to type. */
#ifndef SCREE_RUN_PROGRAM_H
#define SCREE_RUN_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* What to type in place of `scree`: see scree_called_as. */
const char *scree_program_name(void);
/* The path of share/paraview/scree_view.py, as installed or in the source tree that the program was built in; false if
 * it is in neither. */
bool scree_program_viewer(char *path, size_t room);
/* sets how many threads help; false, with words on the standard error, for more than there can be */
bool scree_wants_threads(int threads);

#endif
