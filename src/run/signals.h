/* signals.h: what asks a run to stop: it ends its step, writes a snapshot, and leaves with exit code 5. However often
 * it is asked, it does not leave without the snapshot; SIGQUIT (ctrl-\\ on a terminal) and SIGKILL end it at once. */
#ifndef SCREE_RUN_SIGNALS_H
#define SCREE_RUN_SIGNALS_H

/* SIGINT, SIGTERM, SIGUSR1, SIGXCPU (the limit of CPU time) and SIGHUP (the terminal went; not if nohup says so) are
 * watched. Pipes that nobody reads and files over the size limit give errors of writing instead of signals. */
void scree_signals_watch(void);
/* the number of the signal that asked to stop; 0: none */
int scree_signals_seen(void);

#endif
