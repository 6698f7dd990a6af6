/* open: makes, saves and frees simulations. */
#include "library/internal.h"

#include "base/hash.h"
#include "base/parallel.h"
#include "render/render.h"
#include "world/world.h"

#include <string.h>

const char *scree_version(void) { return SCREE_VERSION; }

static void make_sim(void *what) { *(scree_sim **)what = scree_alloc(1, sizeof(scree_sim)); }

/* the number of threads for a call */
static int all_or(int wanted)
{
	const int before = scree_threads();
	scree_set_threads(wanted);
	const int threads = scree_threads();
	scree_set_threads(before);
	return wanted ? threads : scree_ranks_share(threads);
}

/* returns NULL, with an error message, if the number of threads is wrong or there is no memory */
static scree_sim *new_sim(int threads, fail *why)
{
	scree_sim *s = NULL;
	if (threads < 0 || threads > SCREE_THREADS_MOST) {
		scree_fail(why, FAIL_INPUT, "%d threads, expected 1 to %d, or 0 for all", threads, SCREE_THREADS_MOST);
	} else {
		memory_list *outer = scree_memory_into(NULL);
		scree_attempt(make_sim, &s, why);
		scree_memory_into(outer);
	}
	if (!s) return NULL;
	s->threads = all_or(threads);
	s->fresh = true;
	return s;
}

/* returns s if it is valid on all ranks; otherwise returns NULL, and the error message becomes a problem of the file
 * unless there are problems already. file may be NULL; none: reason why s is NULL */
static scree_sim *given(scree_sim *s, const char *file, scree_code code, const fail *none, scree_problems **problems)
{
	const bool here = s && code == SCREE_DONE && !s->broken;
	fail why = s ? s->why : *none;
	if (scree_ranks_agree(here, &why)) return s;
	if (problems && !*problems) scree_problems_say(file, &why, problems);
	scree_in_close(s);
	return NULL;
}

static scree_code write_notes(scree_sim *s, void *unused)
{
	(void)unused;
	scree_in_notes(s);
	return SCREE_DONE;
}

/* writes the notes of s to the log, and returns s */
static scree_sim *noted(scree_sim *s)
{
	if (s && scree_sim_has_log() && !scree_sim_call(s, write_notes, NULL)) scree_sim_log_lines(s->notes);
	return s;
}

/* Sets up the rest of a simulation whose world was read. */
static scree_code continue_run(scree_sim *s)
{
	s->stopped = s->extra.stopped;
	if (s->stopped) scree_fail(&s->stop, FAIL_GUARD, "a guard stopped the run in this state"), s->why = s->stop;
	s->first = s->w->state.step;
	s->told = s->extra.record ? strlen(s->extra.record) : 0;
	return scree_sim_read_stages(s);
}

/* Other ranks receive all except bodies and contacts from rank 0. snapshot: its path; NULL for a scene */
static scree_code share_world(scree_sim *s, void *snapshot)
{
	if (!scree_sim_from_first(s)) return scree_sim_code(&s->why);
	if (scree_rank() == 0) return SCREE_DONE;
	if (snapshot) s->from = scree_copy_text(snapshot);
	return continue_run(s);
}

/* Makes a simulation if all ranks can. held: rank 0 opens it for all; otherwise ranks check for agreement afterwards */
static scree_sim *given_new(const char *file, int threads, bool held, scree_problems **problems)
{
	fail why;
	scree_sim *s = new_sim(threads, &why);
	return s && !held ? s : given(s, file, SCREE_DONE, &why, problems);
}

static scree_code compare_inputs(scree_sim *s, void *hash)
{
	if (scree_ranks_same(*(const uint64_t *)hash)) return SCREE_DONE;
	return scree_sim_refuse(s, "the ranks were given different scenes, snapshots or changes");
}

/* Opens a simulation for all ranks; only rank 0 reads files. snapshot: as for share_world; hash: hash of arguments */
static scree_sim *open_at_first(scree_sim *s, const char *file, call_fn *read, void *of, const char *snapshot,
								uint64_t hash, scree_problems **problems)
{
	s->held = true;
	if (!(s = given(s, file, scree_sim_call(s, compare_inputs, &hash), NULL, problems))) return NULL;
	s = given(s, file, scree_rank() == 0 ? scree_sim_call(s, read, of) : SCREE_DONE, NULL, problems);
	if (!s) return NULL;
	return noted(given(s, file, scree_sim_call(s, share_world, (void *)(uintptr_t)snapshot), NULL, problems));
}

/* ------------------------------------------------------------------ scenes */

typedef struct opening {
	scene_input in;
	const scree_open_options *options;
	scree_problems **problems;
} opening;

static scree_code open_scene(scree_sim *s, void *of)
{
	const opening *o = of;
	scene read;
	scene_problems problems;
	scree_sim_log_begin(o->options->progress, o->options->progress_context);
	const bool good = scree_scene_read(&o->in, &read, &problems);
	scree_sim_log_end();
	if (!good) {
		scree_problems_give(&problems, o->problems);
		return scree_sim_refuse(s, "%s", problems.text);
	}
	s->w = read.world;
	s->extra = (snapshot_extra){.scene_path = read.path,
								.title = read.title,
								.resolved = read.resolved,
								.run = read.run,
								.output = read.output,
								.last_image = -1};
	scree_render_scales(s->w, &s->extra.output.images.scales);
	s->notes_of_scene = read.notes;
	s->stage = read.stage;
	return SCREE_DONE;
}

static bool sets_are_there(const scree_open_options *o)
{
	for (int k = 0; k < o->sets; ++k)
		if (!o->set || !o->set[k]) return false;
	return true;
}

static uint64_t hash_of_text(uint64_t running, const char *text)
{
	return scree_hash_join(running, text ? text : "", text ? strlen(text) + 1 : 0);
}

static uint64_t hash_of(const scene_input *in)
{
	uint64_t hash = hash_of_text(hash_of_text((uint64_t)in->sets, in->name), in->response);
	for (int k = 0; k < in->sets; ++k) hash = hash_of_text(hash, in->set[k]);
	return scree_hash_join(hash, in->text, in->text ? in->length : 0);
}

scree_sim *scree_in_open(const scree_open_options *o, bool held, scree_problems **problems)
{
	fail why;
	if (problems) *problems = NULL;
	if (!o || (!o->path && !o->text) || o->sets < 0 || !sets_are_there(o)) {
		scree_fail(&why, FAIL_INPUT,
				   "a simulation needs the path or the text of a scene, and none of its sets may be NULL");
		return given(NULL, NULL, SCREE_BAD_INPUT, &why, problems);
	}
	const char *name = o->path ? o->path : "text";
	opening of = {.in = {.name = name,
						 .text = o->text,
						 .length = o->text && !o->length ? strlen(o->text) : o->length,
						 .sets = o->sets,
						 .set = o->set,
						 .response = o->response,
						 .repairs = o->repair},
				  .options = o,
				  .problems = problems};
	scree_sim *s = given_new(name, o->threads, held, problems);
	if (!s || held) return s ? open_at_first(s, name, open_scene, &of, NULL, hash_of(&of.in), problems) : NULL;
	return noted(given(s, name, scree_sim_call(s, open_scene, &of), NULL, problems));
}

/* ------------------------------------------------------------------ snapshots */

/* Since version 13 snapshots contain the friction springs of implicit steps. */
static bool lacks_springs(const scree_sim *s)
{
	return s->extra.version < 13 && s->w->model.implicit && s->w->state.step > 0;
}

static scree_code read_snapshot(scree_sim *s, void *of)
{
	if (!of) return scree_sim_refuse(s, "a snapshot needs a path");
	s->w = scree_snapshot_read(of, &s->extra, &s->why);
	if (!s->w) return scree_sim_code(&s->why);
	/* snapshots from earlier versions do not contain the ranges */
	if (!s->extra.output.images.scales.on) scree_render_scales(s->w, &s->extra.output.images.scales);
	s->from = scree_copy_text(of);
	if (lacks_springs(s))
		s->notes_of_scene = scree_copy_text("note: the snapshot was written by an earlier version, in which implicit "
											"steps kept no springs of friction: contacts begin without them\n");
	return continue_run(s);
}

scree_sim *scree_in_restore(const char *path, int threads, bool held, scree_problems **problems)
{
	if (problems) *problems = NULL;
	scree_sim *s = given_new(path, threads, held, problems);
	if (!s || held)
		return s ? open_at_first(s, path, read_snapshot, (void *)path, path, hash_of_text(0, path), problems) : NULL;
	return noted(given(s, path, scree_sim_call(s, read_snapshot, (void *)path), NULL, problems));
}

static void note_forces(const scree_sim *s)
{
	char note[120];
	snprintf(note, sizeof note, "the snapshot does not hold the constant forces (of %lld bodies)",
			 (long long)s->pushed);
	if (s->pushed) scree_sim_log_lines(note);
}

scree_code scree_in_save(scree_sim *s, const char *path)
{
	if (scree_sim_undivided(s)) return SCREE_BAD_INPUT;
	if (scree_sim_outputs_hold(s, path))
		return scree_sim_refuse(s,
								"%s is the snapshot of the open outputs, which scree_sim_outputs_finish writes: save "
								"under another name",
								path);
	if (!s->stopped && scree_sim_check_rows(s, false)) return SCREE_BAD_INPUT;
	scree_sim_settle(s);
	/* output files are left out, since a run that continues from this snapshot does not append to them */
	const snapshot_extra e = {.scene_path = s->extra.scene_path,
							  .title = s->extra.title,
							  .resolved = s->extra.resolved,
							  .run = s->extra.run,
							  .output = s->extra.output,
							  .stopped = s->stopped && !s->late,
							  .last_image = -1};
	fail why;
	note_forces(s);
	if (scree_snapshot_write(s->w, &e, path, &why)) return SCREE_DONE;
	s->why = why;
	return SCREE_FILES;
}

scree_code scree_in_close(scree_sim *s)
{
	if (!s) return SCREE_DONE;
	const scree_code code = scree_in_outputs_close(s);
	const bool broken = s->broken;
	device *const on = s->w ? s->w->work.device : NULL;
	if (broken && on) on->close(on);
	if (!broken) scree_world_free(s->w); /* otherwise the blocks of the world are freed with the list */
	scree_memory_drop(&s->memory);
	scree_free(s);
	return broken ? SCREE_DONE : code;
}
