/* terminal.h: output of a run to the terminal: a header, one line now and then, a closing table. */
#ifndef SCREE_RUN_TERMINAL_H
#define SCREE_RUN_TERMINAL_H

#include "run/progress.h"

typedef struct terminal {
	double began;		/* wall clock, s */
	int64_t first_step; /* of this process */
	progress progress;
} terminal;

terminal scree_terminal_open(const scree_world *w, const char *name, const char *title, real until, bool quiet);
/* Prints the closing table: times of stages, checks, the state's hash. */
void scree_terminal_close(terminal *t, scree_world *w, const char *verdict);

#endif
