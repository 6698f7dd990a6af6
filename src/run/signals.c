#include "run/signals.h"

#include "base/fail.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t seen;

static void note(int number)
{
	if (seen) _exit(FAIL_STOPPED);
	seen = number;
}

void scree_signals_watch(void)
{
	struct sigaction act;
	memset(&act, 0, sizeof act);
	act.sa_handler = note;
	sigemptyset(&act.sa_mask);
	const int watched[3] = {SIGINT, SIGTERM, SIGUSR1};
	for (int k = 0; k < 3; ++k) sigaction(watched[k], &act, NULL);
	seen = 0;
}

int scree_signals_seen(void) { return (int)seen; }
