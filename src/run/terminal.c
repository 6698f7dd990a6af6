#include "run/terminal.h"

#include "base/shown.h"
#include "report/closing.h"
#include "report/notes.h"
#include "report/summary.h"
#include "scree/scree.h"
#include "world/world.h"

#include <stdio.h>

terminal scree_terminal_open(const scree_world *w, const char *name, const char *title, real until, bool quiet)
{
	terminal t = {.began = scree_now(), .first_step = w->state.step, .progress = scree_progress_start(w, until, quiet)};
	scree_print(stdout, "scree %s  %s%s%s\n", SCREE_VERSION, name, title && *title ? ": " : "",
				title && *title ? title : "");
	scree_summary_print_run(stdout, w);
	scree_notes_print(stdout, w, until);
	fflush(stdout);
	return t;
}

void scree_terminal_close(terminal *t, scree_world *w, const char *verdict)
{
	scree_progress_clear(&t->progress);
	char passed[16];
	double stepping = scree_progress_seconds(w);
	int64_t steps = w->state.step - t->first_step;
	printf("%s at %.6g s, step %lld, after %s", verdict, w->state.time, (long long)w->state.step,
		   scree_duration(scree_now() - t->began, passed));
	if (steps > 0 && stepping > 0)
		printf("   %lld steps at %.3g steps/s, %.3g particle-steps/s", (long long)steps, (double)steps / stepping,
			   (double)steps * (double)scree_world_bodies(w) / stepping);
	printf("\n");
	scree_closing_print(stdout, w);
	fflush(stdout);
}
