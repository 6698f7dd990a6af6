/* process: settings common to all simulations of the process. */
#include "library/internal.h"

#include "base/progress.h"

#include <string.h>

typedef struct listener {
	scree_log_fn *call;
	void *context;
} listener;

static listener log_to;

void scree_on_log(scree_log_fn *log, void *context) { log_to = (listener){log, context}; }

void scree_on_memory(scree_memory_fn *allocate, void *context) { scree_memory_from(allocate, context); }

void scree_on_failure(scree_failure_fn *handler, void *context) { scree_failure_handler(handler, context); }

static _Thread_local listener progress_to;

static void report(const char *text) { progress_to.call(text, progress_to.context); }

void scree_sim_log_begin(scree_log_fn *progress, void *context)
{
	progress_to = progress ? (listener){progress, context} : log_to;
	scree_progress_to(progress_to.call ? report : NULL);
}

bool scree_sim_has_log(void) { return log_to.call != NULL; }

void scree_sim_log_end(void) { scree_progress_to(NULL); }

void scree_sim_log_lines(const char *text)
{
	char line[1024];
	if (!log_to.call || !text) return;
	while (*text) {
		const size_t length = strcspn(text, "\n");
		snprintf(line, sizeof line, "%.*s", (int)length, text);
		if (length) log_to.call(line, log_to.context);
		text += length + (text[length] == '\n');
	}
}
