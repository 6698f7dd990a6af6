/* whole: the state as a whole. */
#include "library/internal.h"

#include "render/render.h"
#include "scene/scene.h"

#include <string.h>

static scree_code hash(scree_sim *s, void *of)
{
	scree_sim_settle(s);
	*(uint64_t *)of = scree_world_hash(&s->w->model, &s->w->state, &s->w->work);
	return SCREE_DONE;
}

uint64_t scree_sim_hash(scree_sim *s)
{
	uint64_t h = 0;
	scree_sim_call(s, hash, &h);
	return h;
}

/* ------------------------------------------------------------------ pictures */

typedef struct picture {
	const char *png;
	int sets;
	const char *const *set;
} picture;

static bool change_plan(scree_sim *s, const picture *o, image_plan *plan)
{
	scene changed;
	scene_problems problems;
	const scene_input in = {"the scene", s->extra.resolved, strlen(s->extra.resolved), o->sets,
							o->set,		 .plan_only = true};
	if (!scree_scene_read(&in, &changed, &problems)) return scree_fail(&s->why, FAIL_INPUT, "%s", problems.text);
	*plan = changed.output.images;
	scree_scene_free(&changed);
	return true;
}

static scree_code render(scree_sim *s, void *of)
{
	const picture *o = of;
	image_plan plan = s->extra.output.images;
	for (int k = 0; k < o->sets; ++k)
		if (!o->set[k] || strncmp(o->set[k], "output.images.", 14) != 0)
			return scree_sim_refuse(s, "'%s': a picture takes output.images...", o->set[k] ? o->set[k] : "");
	if (o->sets && !change_plan(s, o, &plan)) return SCREE_BAD_INPUT;
	scree_sim_look(s);
	return scree_render_png(s->w, &plan, s->extra.title, o->png, &s->why) ? SCREE_DONE : scree_sim_code(&s->why);
}

scree_code scree_sim_render(scree_sim *s, const char *png, int sets, const char *const *set)
{
	if (s->broken) return s->broken;
	if (!png || sets < 0 || (sets && !set)) return scree_sim_refuse(s, "a picture needs the path of a file");
	return scree_sim_call(s, render, &(picture){png, sets, set});
}
