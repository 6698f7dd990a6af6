/* report: notes, summaries and closing lines of a simulation, as text. */
#include "library/ranks.h"
#include "library/stages.h"
#include "library/text.h"

#include "render/render.h"
#include "report/notes.h"

#include <string.h>

scree_code scree_sim_keep_text(scree_sim *s, text_fn *write, const void *of)
{
	scree_free(s->text);
	s->text = NULL;
	s->text = scree_text_of(write, of, &s->why);
	return s->text ? SCREE_DONE : scree_sim_code(&s->why);
}

static const char *text_or_none(const scree_sim *s, scree_code code) { return code ? "" : s->text; }

/* ------------------------------------------------------------------ notes */

typedef struct noting {
	const scree_sim *s;
	double until;
} noting;

static bool write_notes(FILE *to, const void *of, fail *why)
{
	const noting *o = of;
	(void)why;
	scree_notes_print(to, o->s->w, o->until);
	if (o->s->notes_of_scene) fputs(o->s->notes_of_scene, to);
	return true;
}

static scree_code note(scree_sim *s, void *until)
{
	return scree_sim_keep_text(s, write_notes, &(noting){s, *(double *)until});
}

const char *scree_in_notes_until(scree_sim *s, double until)
{
	return text_or_none(s, scree_sim_call(s, note, &until));
}

static scree_code note_once(scree_sim *s, void *of)
{
	(void)of;
	if (!s->notes) s->notes = scree_text_of(write_notes, &(noting){s, s->extra.run.until}, &s->why);
	return SCREE_DONE;
}

const char *scree_in_notes(scree_sim *s) { return scree_sim_call(s, note_once, NULL) ? "" : s->notes; }

/* ------------------------------------------------------------------ before a run */

static bool write_summary(FILE *to, const void *of, fail *why)
{
	const scree_sim *s = of;
	(void)why;
	scree_summary_print_run(to, s->w);
	return true;
}

typedef struct telling {
	text_fn *write;
} telling;

static scree_code tell(scree_sim *s, void *of) { return scree_sim_keep_text(s, ((const telling *)of)->write, s); }

const char *scree_in_summary(scree_sim *s)
{
	return text_or_none(s, scree_sim_call(s, tell, &(telling){write_summary}));
}

static bool write_check(FILE *to, const void *of, fail *why)
{
	const scree_sim *s = of;
	if (s->extra.output.images.on && !scree_render_possible(s->w, why)) return false;
	scree_summary_print_check(to, s->w, s->extra.run.until);
	scree_sim_print_stages(to, s);
	return true;
}

scree_code scree_in_check(scree_sim *s, const char **text)
{
	const scree_code code = scree_sim_call(s, tell, &(telling){write_check});
	*text = text_or_none(s, code);
	return code;
}

/* ------------------------------------------------------------------ during a run, and at its end */

typedef struct warning {
	scree_world *shown;
	const char *record; /* new lines of it */
} warning;

static bool write_warnings(FILE *to, const void *of, fail *why)
{
	const warning *o = of;
	(void)why;
	fputs(o->record, to);
	scree_notes_print_blocked(to, o->shown);
	return true;
}

static const char *record_of(const scree_sim *s) { return s->extra.record ? s->extra.record : ""; }

/* The obstacles are those of all ranks; others than the first only note that it was reported. */
static scree_code tell_warnings(scree_sim *s, void *of)
{
	scree_world *whole = scree_sim_whole(s);
	(void)of;
	const scree_code code =
		scree_sim_keep_text(s, write_warnings, &(warning){whole ? whole : s->w, record_of(s) + s->told});
	s->told = strlen(record_of(s));
	scree_sim_whole_end(s, whole);
	return code;
}

const char *scree_in_warnings(scree_sim *s)
{
	if (s->broken || (!scree_notes_blocked(s->w) && s->told == strlen(record_of(s)))) return "";
	return text_or_none(s, scree_sim_call(s, tell_warnings, NULL));
}

static void print_stage(FILE *to, const scree_sim *s)
{
	const stage_state *o = &s->w->state.stage;
	fprintf(to, "stage    %s, %d of %d", s->stage[o->now].name, o->now + 1, o->count);
	fprintf(to, o->over ? ", ended at %.6g s\n" : ", since %.6g s\n", o->over ? s->w->state.time : o->time);
}

typedef struct closing {
	const scree_sim *s;
	uint64_t hash;
} closing;

static bool write_closing(FILE *to, const void *of, fail *why)
{
	const closing *o = of;
	(void)why;
	if (scree_in_stages(o->s)) print_stage(to, o->s);
	scree_closing_print(to, o->s->w, o->hash);
	return true;
}

/* The hash is that of the state; energies of a loaded world need its contacts. */
static scree_code close_report(scree_sim *s, void *of)
{
	const scree_world *w = s->w;
	(void)of;
	scree_sim_settle(s);
	const closing o = {s, scree_world_hash(&w->model, &w->state, &w->work)};
	if (w->state.step > 0) scree_sim_look_at_ledger(s);
	return scree_sim_keep_text(s, write_closing, &o);
}

static bool write_servos(FILE *to, const void *of, fail *why)
{
	const scree_sim *s = of;
	(void)why;
	scree_closing_print_servos(to, s->w);
	return true;
}

const char *scree_in_servos(scree_sim *s) { return text_or_none(s, scree_sim_call(s, tell, &(telling){write_servos})); }

const char *scree_in_closing(scree_sim *s) { return text_or_none(s, scree_sim_call(s, close_report, NULL)); }
