/* check_stages: keys of stages, and the end of a run that follows from them. */
#include "scene/reader.h"

#include <string.h>

static bool has_end(const stage_spec *s) { return s->until.h.where != NULL; }

/* Keys that belong to another end are refused, and their defaults are removed from the resolved scene. */
static void check_owner(reader *r, until_spec *u, const char *name, const char *owner)
{
	if (scree_given(&u->h, name)) REFUSE_KEY(r, &u->h, name, "remove it", "until: '%s' belongs to %s", name, owner);
	scree_forget(&u->h, name);
}

static void check_cell_ends(reader *r, until_spec *u)
{
	const bool strain = scree_given(&u->h, "strain");
	if (!strain && !scree_given(&u->h, "stress")) check_owner(r, u, "along", "stress and strain");
	if (strain && u->strain == 0)
		REFUSE_KEY(r, &u->h, "strain", "for example, strain: -10 %", "strain: a strain above or below 0 was expected");
}

static void check_until(reader *r, until_spec *u)
{
	static const char *const of_conditions[] = {"for", "at_least", "at_most", "then"};
	if (!u->h.where || u->h.where->type != NODE_MAP) return;
	const bool load = scree_given(&u->h, "force") || scree_given(&u->h, "pressure");
	const bool slides = scree_given(&u->h, "sliding");
	const bool after = scree_given(&u->h, "after"), steady = scree_given(&u->h, "unchanged");
	for (int k = 0; after && k < 4; ++k) check_owner(r, u, of_conditions[k], "a condition, and 'after' is a time");
	if (!steady) check_owner(r, u, "within", "unchanged");
	if (!load) check_owner(r, u, "wall", "force and pressure");
	check_cell_ends(r, u);
	if (!after && !scree_given(&u->h, "at_most"))
		REFUSE(r, u->h.where, "for example, add at_most: 1 s",
			   "until: the key 'at_most' is missing (time limit of the condition, in s)");
	if (load && !scree_given(&u->h, "wall"))
		REFUSE(r, u->h.where, "add wall: NAME", "until: the key 'wall' is missing");
	if ((load || slides) && scree_scene_solver(&r->spec.run))
		REFUSE(r, u->h.where, "use another condition, or run.response: forces",
			   "until: there are no contact forces with this run.response");
	if (scree_given(&u->h, "pressure") != scree_given(&u->h, "area"))
		REFUSE(r, u->h.where, "for example, pressure: 10 kPa, area: 4 cm^2",
			   "until: 'pressure' and 'area' belong together");
	if (steady && !(u->hold > 0))
		REFUSE(r, u->h.where, "for example, add for: 10 ms",
			   "until: 'unchanged' needs the key 'for', the time without a change");
	if (u->at_least + u->hold >= u->at_most && scree_given(&u->h, "at_most"))
		REFUSE_KEY(r, &u->h, "at_most", NULL, "at_most: must be more than at_least and for");
}

static void check_name(reader *r, const stage_spec *all, int32_t k)
{
	enum { MOST = 40 };
	const char *name = all[k].name ? all[k].name : "";
	bool twice = false;
	for (int32_t i = 0; i < k && all[k].name; ++i) twice |= all[i].name && !strcmp(all[i].name, name);
	if (twice)
		REFUSE_VALUE(r, &all[k].h, "name", "give each stage its own name",
					 "name: '%.60s' is the name of an earlier stage", name);
	if (strlen(name) > MOST) REFUSE_VALUE(r, &all[k].h, "name", NULL, "name: at most %d characters are allowed", MOST);
}

static void check_stage(reader *r, stage_spec *all, int32_t count, int32_t k)
{
	stage_spec *s = all + k;
	if (s->h.where->type != NODE_MAP) return;
	check_name(r, all, k);
	check_until(r, &s->until);
	if (!has_end(s) && k + 1 < count)
		REFUSE(r, s->h.where, "for example, add until: 0.5 s",
			   "stages: the key 'until' is missing; only the last stage may have none");
	for (int i = 0; !k && i < 8; ++i)
		if (s->change[i])
			scree_report(&r->r, s->change[i]->key_at, "write the values in the scene itself",
						 "stages: the first stage is the scene as it is and changes nothing");
}

/* s: the longest time that the stages can take */
static real longest(const stage_spec *all, int32_t count)
{
	real sum = 0;
	for (int32_t k = 0; k < count; ++k) sum += all[k].until.after > 0 ? all[k].until.after : all[k].until.at_most;
	return sum;
}

/* Sets the end of a run that is not given: that of the last stage. */
static void check_end(reader *r)
{
	run_spec *run = &r->spec.run;
	const stage_spec *all = r->spec.stages.item;
	const int32_t count = r->spec.stages.count;
	const bool given = scree_given(&r->spec.h, "run");
	if (scree_given(&run->h, "until") || !run->h.where || run->h.where->type != NODE_MAP) return;
	if (count && has_end(all + count - 1))
		run->until = longest(all, count);
	else if (scree_excused(given ? &run->h : &r->spec.h))
		return;
	else if (count)
		REFUSE(r, all[count - 1].h.where, "for example, add until: 0.5 s, or set run.until",
			   "stages: the last stage has no end, and the run neither");
	else if (!given)
		REFUSE(r, r->root, NULL, "scene: the key 'run' is missing (duration, time step and methods)");
	else
		scree_report(&r->r, scree_named_at(run->h.where), NULL,
					 "run: the key 'until' is missing (simulated time at the end, in s)");
}

void scree_check_stages(reader *r)
{
	stage_spec *all = r->spec.stages.item;
	for (int32_t k = 0; k < r->spec.stages.count; ++k) check_stage(r, all, r->spec.stages.count, k);
	check_end(r);
}
