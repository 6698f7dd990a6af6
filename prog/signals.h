/* signals.h: signals that stop a run: it ends its step, writes a snapshot, and exits with code 5. Repeated signals do
 * not prevent the snapshot; SIGQUIT (ctrl-\\ on a terminal) and SIGKILL end it immediately. */
#ifndef SCREE_PROG_SIGNALS_H
#define SCREE_PROG_SIGNALS_H

/* Watches SIGINT, SIGTERM, SIGUSR1, SIGXCPU (the limit of CPU time) and SIGHUP (the terminal closed; not under nohup).
 * Closed pipes cause write errors instead of signals. */
void watch_signals(void);
/* Files over the size limit cause write errors, for all verbs. */
void ignore_size_limit(void);
/* number of the signal that requested the stop; 0: none */
int signal_seen(void);

#endif
