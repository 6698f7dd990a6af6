/* run.h: functions shared by the files of `scree run`. */
#ifndef SCREE_PROG_RUN_H
#define SCREE_PROG_RUN_H

#include "command.h"

/* After a failure of which nothing but the message is left: prints where the run can be continued, on the processor. */
void print_last_snapshot(FILE *to);
/* Prints the names of the results. */
void print_files(scree_sim *s);
/* Path of share/paraview/scree_view.py, as installed or in the source tree of the build; returns false if it is in
 * neither. */
bool find_viewer(char *path, size_t room);

#endif
