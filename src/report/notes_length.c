/* notes_length: impractically long runs, and the reason for their short steps. */
#include "report/notes.h"

#include "base/shown.h"
#include "model/law.h"

#include <stdio.h>

/* On one core, steps of few bodies take a microsecond or two, those of many 0.1 us per body (docs/scaling.md). */
static const real STEP_SECONDS = (real)1e-6, BODY_SECONDS = (real)1e-7, LONG = 30 * (real)86400;
/* A step below this fraction of the duration of a contact is caused by damping. Beyond this damping ratio a pair is
 * overdamped, and a lower ratio gives the same picture. */
static const real SHORT_PART = (real)1e-3, OVERDAMPED = 5;

/* the pair with the largest damping ratio; false: no law has one */
static bool most_damped(const scree_world *w, int32_t pair[2], real *ratio)
{
	*ratio = 0;
	for (int32_t a = 0; a < w->model.material.count; ++a)
		for (int32_t b = a; b < w->model.material.count; ++b) {
			const law_constants *c = w->model.constants + a * w->model.material.count + b;
			if (scree_laws[c->law].viscous || !(c->damping > *ratio)) continue;
			*ratio = c->damping;
			pair[0] = a;
			pair[1] = b;
		}
	return *ratio > 0;
}

static void print_cause(FILE *to, const scree_world *w)
{
	int32_t pair[2] = {0};
	real ratio;
	if (w->model.solver || !(w->model.dt < SHORT_PART * w->model.contact_time)) return;
	if (!most_damped(w, pair, &ratio) || ratio < OVERDAMPED) return;
	scree_print(to,
				"warning: the step is 1/%.0f of a contact because %s + %s have restitution %.3g, a damping ratio of "
				"%.3g: restitution: 0.01 (ratio 4.8) is overdamped, too, and allows steps %.2g times as long\n",
				w->model.contact_time / w->model.dt, w->model.material.row[pair[0]].name,
				w->model.material.row[pair[1]].name,
				scree_materials_rule(&w->model.material, pair[0], pair[1])->restitution, ratio, ratio / (real)4.8);
}

void scree_notes_print_length(FILE *to, const scree_world *w, real until)
{
	const real steps = (until - w->state.time) / w->model.dt;
	const real seconds = steps * real_max(STEP_SECONDS, BODY_SECONDS * (real)w->state.body.count);
	print_cause(to, w);
	if (!(seconds > LONG)) return;
	fprintf(
		to,
		"warning: %.3g steps of %.3g s, which take %.2g days or more on one core: lower run.until, or the stiffness\n",
		steps, w->model.dt, seconds / 86400);
}
