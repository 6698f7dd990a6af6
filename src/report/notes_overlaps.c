/* notes_overlaps: overlaps beyond the range of the laws that a run is expected to have. */
#include "report/notes.h"

#include "base/shown.h"
#include "prepare/prepare.h"
#include "report/stiffness.h"

void scree_notes_print_overlaps(FILE *to, const scree_world *w, real until)
{
	const expected_overlap o = scree_world_expected_overlap(&w->model, &w->state, &w->work.domain, until);
	if (!(o.part > DEEP_OVERLAP)) return;
	const material *row = w->model.material.row;
	scree_print(to, "warning: overlaps of up to about %.2g %% are expected: bodies of %s ", 100 * o.part,
				row[o.material[0]].name);
	if (o.force > 0)
		scree_print(to, "press on %s%s with up to about %.2g N", o.wall ? "walls of " : "", row[o.material[1]].name,
					o.force);
	else
		scree_print(to, "meet %s%s at up to about %.2g m/s", o.wall ? "walls of " : "", row[o.material[1]].name,
					o.speed);
	fprintf(to, ", and contact laws hold for overlaps of a few per cent; ");
	scree_stiffness_print(to, w, o.material, o.part, o.force > 0 ? STIFFNESS_OF_LOAD : STIFFNESS_OF_IMPACT);
	if (w->model.guard.overlap > 0 && o.part > w->model.guard.overlap)
		fprintf(to, "; run.guard.overlap stops the run at %.3g %%", 100 * w->model.guard.overlap);
	fprintf(to, "\n");
}
