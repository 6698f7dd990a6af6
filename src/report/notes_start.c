/* notes_start: bodies that overlap before the first step. */
#include "report/notes.h"

#include <stdio.h>

void scree_notes_print_start(FILE *to, const scree_world *w)
{
	const start_look *s = &w->work.start;
	char other[64];
	if (!s->contacts) return;
	if (s->other)
		snprintf(other, sizeof other, "body %llu", (unsigned long long)s->other);
	else
		snprintf(other, sizeof other, "wall %s", w->model.wall.row[s->wall].name);
	fprintf(to,
			"warning: bodies overlap before the first step by up to %.3g %% of the smaller one (body %llu and %s; %lld "
			"such contacts)",
			100 * s->overlap, (unsigned long long)s->body, other, (long long)s->contacts);
	const real stored = scree_fixed_value(s->elastic);
	if (stored > 0)
		fprintf(to, ": contacts store %.3g J, which the run releases; these two separate at up to %.3g m/s", stored,
				s->speed);
	fprintf(to, "\n");
}
