/* whole: functions that concern the state as a whole. */
#include "library/internal.h"

#include "choices/choices.h"
#include "model/response.h"
#include "render/render.h"
#include "world/world.h"

#include <math.h>
#include <string.h>
#include <strings.h>

uint64_t scree_in_hash(scree_sim *s)
{
	scree_sim_settle(s);
	const uint64_t h = scree_world_hash(&s->w->model, &s->w->state, &s->w->work);
	double half[2] = {(double)(h >> 32), (double)(uint32_t)h};
	scree_sim_as_first(s, 2, half);
	return (uint64_t)half[0] << 32 | (uint64_t)half[1];
}

/* reads the plan of the scene with these --set changes; problems: freed with the simulation's memory */
static bool read_plan(scree_sim *s, int sets, const char *const *set, scene *changed, scene_problems *problems)
{
	const scene_input in = scree_sim_scene(s, sets, set);
	if (scree_scene_read(&in, changed, problems)) return true;
	return scree_fail(&s->why, FAIL_INPUT, "%s", problems->text);
}

typedef struct planning {
	int sets;
	const char *const *set;
	scree_problems **problems;
} planning;

static bool is_plan(const char *set)
{
	return !strncmp(set, "run.until=", 10) || !strncmp(set, "run.snapshot", 12) || !strncmp(set, "output.", 7);
}

/* Changes the world if the change affects more than the plan. */
static scree_code change_world(scree_sim *s, const planning *o)
{
	const int32_t stage = s->w->state.stage.now;
	const scene_input in = scree_sim_scene(s, o->sets, o->set);
	scene unused;
	scene_change change;
	scene_problems problems;
	fail why = {0};
	bool physics = false;
	for (int k = 0; k < o->sets; ++k) physics |= !is_plan(o->set[k]);
	if (!physics) return SCREE_DONE;
	if (s->held && !s->part) return scree_sim_refuse(s, "divide the simulation before you change its physics");
	scree_sim_touch(s);
	scree_sim_divide(s);
	scree_sim_testing_now(s);
	if (!scree_scene_change(&in, stage, stage, s->w, &unused, &change, &problems, &why)) {
		if (problems.count) scree_problems_give(&problems, o->problems);
		s->why = s->stop = why;
		return s->broken = SCREE_BAD_INPUT;
	}
	scree_scene_free(&unused);
	return scree_sim_apply_change(s, &change);
}

static void take_plan(scree_sim *s, const planning *o, const scene *changed)
{
	s->planned = true;
	scree_free(s->extra.resolved);
	s->extra.resolved = scree_copy_text(changed->resolved);
	scree_sim_take_plan(s, changed);
	scree_sim_take_stages(s, changed->stage, changed->stages);
	for (int k = 0; k < o->sets; ++k)
		if (s->w->state.step > 0 && !is_plan(o->set[k])) scree_sim_record_set(s, o->set[k]);
}

/* A scene with only walls and no steps has no step length (scene/build.c), contact time or smallest diameter. */
static bool lacks_step(const scree_sim *s, const run_plan *next)
{
	const run_plan *before = &s->extra.run;
	const model *m = &s->w->model;
	const bool chosen = m->solver ? m->longest < INFINITY : m->contact_time > 0;
	return !chosen && !(before->until > 0) && !(before->step > 0) && !s->w->state.stage.count &&
		   next->until > s->w->state.time && !(next->step > 0);
}

/* Returns why a response set by a change cannot replace the run's; NULL if it can, or if no response is set. */
static const char *response_stays(const scree_sim *s, const char *set)
{
	static const char name[] = "run.response=";
	const response *to = strncmp(set, name, sizeof name - 1) ? NULL : scree_response_find(set + sizeof name - 1);
	return to ? scree_response_stays(s->w->model.response, to) : NULL;
}

static scree_code plan(scree_sim *s, const planning *o)
{
	scene changed;
	scene_problems problems;
	for (int k = 0; k < o->sets; ++k)
		if (!scree_scene_may_change(o->set[k]))
			return scree_sim_refuse(
				s,
				"--set %s: it cannot change during a run: run the scene again. A run can change "
				"gravity, materials, contacts, motion and active of walls, rate and active of "
				"sources, run.until, run.step, run.response, run.integrator, run.broad_phase, run.skin, "
				"run.guard, run.snapshot, output "
				"and stages",
				o->set[k]);
	for (int k = 0; k < o->sets; ++k)
		if (response_stays(s, o->set[k]))
			return scree_sim_refuse(s, "--set %s: %s", o->set[k], response_stays(s, o->set[k]));
	if (!read_plan(s, o->sets, o->set, &changed, &problems)) {
		scree_problems_give(&problems, o->problems);
		return SCREE_BAD_INPUT;
	}
	if (lacks_step(s, &changed.run)) {
		scree_scene_free(&changed);
		return scree_sim_refuse(s, "the run cannot continue from its start: no bodies or walls can touch, so it has no "
								   "step, and run.step.time must be given (--set run.step.time=1ms)");
	}
	scree_code code = scree_flow_planes_add(&s->w->model.flow, &changed.flow, &s->why) ? SCREE_DONE : SCREE_BAD_INPUT;
	if (!code) code = change_world(s, o);
	if (!code) take_plan(s, o, &changed);
	scree_scene_free(&changed);
	return code;
}

scree_code scree_in_change_plan(scree_sim *s, int sets, const char *const *set, scree_problems **problems)
{
	if (s->out) return scree_sim_refuse(s, "the plan can change only before outputs are opened");
	if (sets < 0) return scree_sim_refuse(s, "%d changes, expected 0 or more", sets);
	for (int k = 0; k < sets; ++k)
		if (!set || !set[k]) return scree_sim_refuse(s, "a change of the plan is missing");
	return plan(s, &(planning){sets, set, problems});
}

static bool change_images(scree_sim *s, int sets, const char *const *set, image_plan *images)
{
	scene changed;
	scene_problems problems;
	if (!read_plan(s, sets, set, &changed, &problems)) return false;
	*images = changed.output.images;
	images->scales = s->extra.output.images.scales;
	scree_scene_free(&changed);
	return true;
}

static scree_code render(scree_sim *s, const char *png, int sets, const char *const *set)
{
	image_plan images = s->extra.output.images;
	for (int k = 0; k < sets; ++k) {
		if (!set[k] || strncmp(set[k], "output.images.", 14) != 0)
			return scree_sim_refuse(s, "'%s': only keys of output.images can be set for a picture",
									set[k] ? set[k] : "");
		if (!strncmp(set[k], "output.images.format=", 21))
			return scree_sim_refuse(s, "'%s': the format follows from the name of the file: .svg, .pdf, otherwise PNG",
									set[k]);
	}
	if (sets && !change_images(s, sets, set, &images)) return SCREE_BAD_INPUT;
	/* at t = 0 the initial forces act on bodies */
	if (!s->w->state.begun || scree_render_needs_contacts(&images)) scree_sim_look(s);
	return scree_render_picture(s->w, &images, s->extra.title, png, &s->why) ? SCREE_DONE : scree_sim_code(&s->why);
}

/* Refuses names with endings other than these; names without an ending are allowed. */
static scree_code check_ending(scree_sim *s, const char *path, const char *what, const char *const *known, int count)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
	char all[64] = "";
	if (!*name) return scree_sim_refuse(s, "%s: the name of the file is missing", path);
	for (int k = 0; k < count; ++k) {
		if (!dot || !strcasecmp(dot, known[k])) return SCREE_DONE;
		snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", k ? k + 1 < count ? ", " : " or " : "", known[k]);
	}
	return scree_sim_refuse(s, "%s: %s files have a name that ends in %s, not '%s'", path, what, all, dot);
}

scree_code scree_in_render(scree_sim *s, const char *png, int sets, const char *const *set)
{
	if (sets < 0 || (sets && !set)) return scree_sim_refuse(s, "a picture needs the path of a file");
	static const char *const known[] = {".png", ".svg", ".pdf"};
	if (check_ending(s, png, "picture", known, 3) || scree_sim_undivided(s)) return SCREE_BAD_INPUT;
	return render(s, png, sets, set);
}

scree_code scree_in_export(scree_sim *s, const char *path)
{
	static const char *const known[] = {".vtp"};
	if (check_ending(s, path, "mesh", known, 1) || scree_sim_undivided(s)) return SCREE_BAD_INPUT;
	return scree_vtk_export_mesh(s->w, path, &s->why) ? SCREE_DONE : scree_sim_code(&s->why);
}
