/* scene: turns a file into a world in steps, each with its own file: the tree, --set, loading, checks and building. */
#include "base/input.h"
#include "base/locale.h"
#include "scene/reader.h"
#include "world/world.h"

typedef struct reading {
	reader *r;
	const scene_input *in;
	scene *out;
	scene_problems *problems;
} reading;

/* reads and checks a scene; builds a world unless only the plan is wanted */
static void read_all(const reading *o)
{
	reader *r = o->r;
	if (!scree_reader_tree(r, o->in->name, o->in->text, o->in->length)) return;
	scree_reader_sets(r, o->in->sets, o->in->set);
	if (o->in->response) scree_reader_response(r, o->in->response);
	scree_reader_load(r);
	scree_reader_check(r);
	scree_reader_stages(r);
	if (!r->r.total && !r->plan_only) scree_reader_build(r);
	if (r->r.total) return;
	scree_build_plan(r, o->out);
	scree_build_stage_rules(r, o->out);
	o->out->path = scree_copy_text(o->in->name);
	o->out->title = scree_copy_text(r->spec.title);
	o->out->resolved = scree_resolved(r);
	o->out->notes = scree_writing_take(&r->notes);
	o->out->world = r->world;
	r->world = NULL;
}

static void list_problems(report *r, scene_problems *out)
{
	out->text = scree_report_text(r); /* also sorts the messages */
	out->row = scree_alloc((size_t)r->count, sizeof *out->row);
	for (; out->count < r->count; ++out->count) {
		const message *m = r->row + out->count;
		out->row[out->count] = (scene_problem){scree_copy_text(r->source[m->at.source].name), m->at.line, m->at.column,
											   scree_copy_text(m->text), scree_copy_text(m->cure)};
	}
}

static void read_and_report(void *what)
{
	const reading *o = what;
	read_all(o);
	if (o->r->r.total) list_problems(&o->r->r, o->problems);
}

/* Reads in the C locale, so that decimal signs are points. The locale is restored afterwards, even after a failure. */
static void read_in_plain_language(reading *o)
{
	const locale_t before = scree_locale_enter();
	fail why;
	bool whole = scree_attempt(read_and_report, o, &why);
	scree_locale_leave(before);
	if (!whole) scree_break_again(&why);
}

/* Reads a text; afterwards the reader contains the scenes of all stages, and must be freed. */
static reader *open_text(const scene_input *in, scene *out, scene_problems *problems)
{
	reader *r = scree_alloc(1, sizeof *r);
	const char *slash = strrchr(in->name, '/');
	reading o = {r, in, out, problems};
	r->sealed = in->sealed || in->plan_only;
	r->repairs = in->repairs;
	r->plan_only = in->plan_only;
	r->r.memory = &r->memory;
	r->folder = slash ? scree_arena_text(&r->memory, in->name, (size_t)(slash + 1 - in->name)) : "";
	read_in_plain_language(&o);
	return r;
}

static bool close_text(reader *r)
{
	bool ok = !r->r.total;
	scree_world_free(r->world);
	scree_build_imports_free(r);
	scree_free(scree_writing_take(&r->notes));
	scree_arena_free(&r->memory);
	scree_free(r);
	return ok;
}

static bool read_text(const scene_input *in, scene *out, scene_problems *problems)
{
	return close_text(open_text(in, out, problems));
}

static bool cannot_read(const char *path, const fail *why, scene_problems *out)
{
	writing text = {0}, sentence = {0};
	scree_writing_add(&sentence, "the scene cannot be read: %s", why->text);
	scree_writing_shown(&text, path);
	scree_writing_add(&text, ": error: %s\n", sentence.bytes);
	out->row = scree_alloc(1, sizeof *out->row);
	out->row[out->count++] = (scene_problem){.file = scree_copy_text(path), .sentence = scree_writing_take(&sentence)};
	out->text = scree_writing_take(&text);
	return false;
}

bool scree_scene_read(const scene_input *in, scene *out, scene_problems *problems)
{
	char *bytes;
	fail why;
	scene_input whole = *in;
	memset(out, 0, sizeof *out);
	memset(problems, 0, sizeof *problems);
	if (in->text) return read_text(in, out, problems);
	if (!scree_read_whole(in->name, TREE_BYTES, &bytes, &whole.length, &why))
		return cannot_read(in->name, &why, problems);
	whole.text = bytes;
	bool ok = read_text(&whole, out, problems);
	scree_free(bytes);
	return ok;
}

void scree_scene_problems_free(scene_problems *p)
{
	for (int32_t k = 0; k < p->count; ++k) {
		scree_free(p->row[k].file);
		scree_free(p->row[k].sentence);
		scree_free(p->row[k].cure);
	}
	scree_free(p->row);
	scree_free(p->text);
	memset(p, 0, sizeof *p);
}

bool scree_scene_load(const char *path, int sets, const char *const *set, scene *out, char **report_text)
{
	scene_problems problems;
	bool ok = scree_scene_read(&(scene_input){.name = path, .sets = sets, .set = set}, out, &problems);
	*report_text = problems.text;
	problems.text = NULL;
	scree_scene_problems_free(&problems);
	return ok;
}

void scree_scene_free(scene *s)
{
	scree_free(s->path);
	scree_free(s->title);
	scree_free(s->resolved);
	scree_free(s->notes);
	scree_free(s->stage);
	scree_world_free(s->world);
	memset(s, 0, sizeof *s);
}

bool scree_scene_change(const scene_input *in, int32_t from, int32_t to, scree_world *w, scene *plan, scene_change *out,
						scene_problems *problems, fail *why)
{
	scene before = {0};
	scene_input unset = *in;
	unset.sets = 0;
	memset(plan, 0, sizeof *plan);
	memset(problems, 0, sizeof *problems);
	reader *was = open_text(&unset, &before, problems), *is = was->r.total ? was : open_text(in, plan, problems);
	const int32_t last = is->spec.stages.count > 1 ? is->spec.stages.count - 1 : 0;
	bool good = !was->r.total && !is->r.total;
	if (good && (to > last || is->spec.stages.count != was->spec.stages.count))
		good = scree_fail(why, FAIL_INPUT, "the number of stages cannot change");
	for (int k = 0; good && k < in->sets; ++k) {
		const char *stage = scree_stage_that_sets(was, to, in->set[k]);
		if (stage)
			good = scree_fail(why, FAIL_INPUT, "'%s' has no effect now: stage %s sets it (change it under stages)",
							  in->set[k], stage);
	}
	if (good) good = scree_build_changes(is, was->stage + from, is->stage + to, w, out, why);
	if (good) scree_build_plan(is, plan);
	if (is != was) close_text(is);
	close_text(was);
	scree_scene_free(&before);
	if (!good) scree_scene_free(plan);
	return good;
}
