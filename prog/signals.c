#include "signals.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t seen;

static void note(int number) { seen = number; }

static void handle(int number, void (*handler)(int))
{
	struct sigaction act;
	memset(&act, 0, sizeof act);
	act.sa_handler = handler;
	act.sa_flags = SA_RESTART;
	sigemptyset(&act.sa_mask);
	sigaction(number, &act, NULL);
}

void watch_signals(void)
{
	const int stops[] = {SIGINT, SIGTERM, SIGUSR1, SIGXCPU};
	struct sigaction before;
	seen = 0;
	for (size_t k = 0; k < sizeof stops / sizeof *stops; ++k) handle(stops[k], note);
	if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) handle(SIGHUP, note);
	handle(SIGPIPE, SIG_IGN);
}

void ignore_size_limit(void) { handle(SIGXFSZ, SIG_IGN); }

int signal_seen(void) { return (int)seen; }
