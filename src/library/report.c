/* report: notes, summaries and closing lines of a simulation, as text. */
#include "library/internal.h"

#include "render/render.h"
#include "report/notes.h"
#include "world/world.h"

#include <string.h>

const char *scree_sim_keep_text(scree_sim *s, written_text *t)
{
	scree_free(s->text);
	s->text = NULL;
	return s->text = scree_text_end(t);
}

static void print_notes(FILE *to, const scree_sim *s, double until)
{
	scree_notes_print(to, s->w, until);
	if (s->notes_of_scene) fputs(s->notes_of_scene, to);
}

const char *scree_in_notes_until(scree_sim *s, double until)
{
	written_text t;
	print_notes(scree_text_begin(&t), s, until);
	return scree_sim_keep_text(s, &t);
}

const char *scree_in_notes(scree_sim *s)
{
	written_text t;
	if (s->notes) return s->notes;
	print_notes(scree_text_begin(&t), s, s->extra.run.until);
	return s->notes = scree_text_end(&t);
}

const char *scree_in_summary(scree_sim *s)
{
	written_text t;
	scree_summary_print_run(scree_text_begin(&t), s->w);
	scree_sim_print_device(t.to, s);
	return scree_sim_keep_text(s, &t);
}

scree_code scree_in_check(scree_sim *s, const char **text)
{
	written_text t;
	if (s->extra.output.images.on && !scree_render_possible(s->w, &s->why)) return scree_sim_code(&s->why);
	scree_summary_print_check(scree_text_begin(&t), s->w, s->extra.run.until);
	scree_sim_print_stages(t.to, s);
	scree_sim_print_machine(t.to, s);
	*text = scree_sim_keep_text(s, &t);
	return SCREE_DONE;
}

static const char *record_of(const scree_sim *s) { return s->extra.record ? s->extra.record : ""; }

/* Obstacles are counted over all ranks. Only the first rank reports them; the others record the report. */
const char *scree_in_warnings(scree_sim *s)
{
	written_text t;
	if (!scree_notes_blocked(s->w) && s->told == strlen(record_of(s))) return "";
	scree_world *whole = scree_sim_whole(s);
	fputs(record_of(s) + s->told, scree_text_begin(&t));
	scree_notes_print_blocked(t.to, whole ? whole : s->w);
	s->told = strlen(record_of(s));
	scree_sim_whole_end(s, whole);
	return scree_sim_keep_text(s, &t);
}

static void print_stage(FILE *to, const scree_sim *s)
{
	const stage_state *o = &s->w->state.stage;
	fprintf(to, "stage    %s, %d of %d", s->stage[o->now].name, o->now + 1, o->count);
	fprintf(to, o->over ? ", ended at %.6g s\n" : ", since %.6g s\n", o->over ? s->w->state.time : o->time);
}

/* The hash covers only the state; the energies of a loaded world depend on its contacts. */
const char *scree_in_closing(scree_sim *s)
{
	const scree_world *w = s->w;
	written_text t;
	scree_sim_settle(s);
	const uint64_t hash = scree_world_hash(&w->model, &w->state, &w->work);
	if (w->state.step > 0) scree_sim_look_at_ledger(s);
	scree_text_begin(&t);
	if (scree_in_stages(s)) print_stage(t.to, s);
	scree_closing_print(t.to, s->w, hash);
	return scree_sim_keep_text(s, &t);
}

const char *scree_in_servos(scree_sim *s)
{
	written_text t;
	scree_closing_print_servos(scree_text_begin(&t), s->w);
	return scree_sim_keep_text(s, &t);
}
