#include "base/progress.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/clock.h"

static _Thread_local progress_fn *said_to;
static _Thread_local double began, due; /* s */
static _Thread_local char of[80];

void scree_progress_to(progress_fn *to) { said_to = to; }

void scree_progress_begin(const char *kind, const char *name)
{
	snprintf(of, sizeof of, "%.16s %.60s", kind, name);
	began = scree_now();
	due = 2;
}

void scree_progress(const char *format, ...)
{
	if (!said_to) return;
	const double seconds = scree_now() - began;
	if (seconds < due) return;
	while (due <= seconds) due *= 2;
	char text[120], all[280];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	snprintf(all, sizeof all, "%s: %s (%.0f s)", of, text, seconds);
	said_to(all);
}

void scree_progress_say(const char *text)
{
	if (said_to) said_to(text);
}
