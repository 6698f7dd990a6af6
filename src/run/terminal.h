/* terminal.h: what a run tells a person: a header, one line now and then, a closing table. */
#ifndef SCREE_RUN_TERMINAL_H
#define SCREE_RUN_TERMINAL_H

#include "world/world.h"

typedef struct terminal {
	bool quiet, tty;
	double began; /* wall clock, s */
	double last_status, last_line;
	int64_t first_step; /* of this process */
	real first_time, until;
	int64_t last_step;
	double last_step_at;
	bool titles; /* printed? */
} terminal;

terminal scree_terminal_open(const scree_world *w, const char *name, const char *title, real until, bool quiet);
/* Call often: refreshes the status line (on a terminal, 5 times a second at most) and prints a line of the table when
 * it is time. */
void scree_terminal_tick(terminal *t, const scree_world *w);
/* A line of the table now. */
void scree_terminal_line(terminal *t, const scree_world *w);
/* The closing table: where the time went, checks, the state's hash. */
void scree_terminal_close(terminal *t, scree_world *w, const char *verdict);

#endif
