/* signals.h: signals that stop a run: it completes the current step, writes a snapshot, and exits with code 5. Repeated
 * signals do not prevent the snapshot; SIGQUIT (ctrl-\\ on a terminal) and SIGKILL end the run immediately. */
#ifndef SCREE_PROG_SIGNALS_H
#define SCREE_PROG_SIGNALS_H

/* Watches SIGINT, SIGTERM, SIGUSR1, SIGXCPU (the limit of CPU time) and SIGHUP (sent when the terminal is closed, but
 * ignored under nohup). Closed pipes cause write errors instead of signals. */
void watch_signals(void);
/* For all verbs, files larger than the size limit cause write errors. */
void ignore_size_limit(void);
/* number of the signal that requested the stop, or 0 */
int signal_seen(void);

#endif
