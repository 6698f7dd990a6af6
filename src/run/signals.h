/* signals.h: SIGINT, SIGTERM and SIGUSR1 ask the run to stop after the step; a second one ends the process at once. */
#ifndef SCREE_RUN_SIGNALS_H
#define SCREE_RUN_SIGNALS_H

void scree_signals_watch(void);
/* the number of the signal that asked to stop; 0: none */
int scree_signals_seen(void);

#endif
