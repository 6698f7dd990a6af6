/* check_run: keys that apply only to force-based or only to impulse-based steps. Keys that do not apply are refused if
 * given; otherwise their defaults are removed, so that the resolved scene can be read again. */
#include "model/integrator.h"
#include "model/law.h"
#include "model/narrow.h"
#include "model/response.h"
#include "narrow/triangle/triangles.h"
#include "prepare/prepare.h"
#include "scene/reader.h"

const response *scree_scene_solver(const run_spec *run)
{
	return run->response < 0 ? NULL : scree_solver_of(scree_response_row(run->response));
}

/* name of the response and of the stage that starts it, for messages */
static const char *response_of(reader *r)
{
	const int32_t k = r->spec.run.response;
	const char *name = scree_response_row(k < 0 ? 0 : k)->name;
	return r->staged ? scree_arena_print(&r->memory, "%s (stage %.60s)", name, r->staged) : name;
}

/* refuses a key that does not apply; the message starts with `what` */
static void refuse(reader *r, head *h, const char *name, const char *what)
{
	if (scree_given(h, name))
		REFUSE_KEY(r, h, name, "remove it", "%s'%s' does not apply to run.response: %s", what, name, response_of(r));
	scree_forget(h, name);
}

static bool is_implicit(const run_spec *run)
{
	return run->response >= 0 && scree_response_row(run->response)->implicit;
}

/* tests for laws, narrow phases, integrators and triangle comparisons of papers, which may not conserve energy */
static bool is_literal(const reader *r)
{
	const run_spec *run = &r->spec.run;
	if (run->integrator > 0 && scree_integrator_row(run->integrator)->literal) return true;
	if (run->narrow_phase > 0 && scree_narrow_row(run->narrow_phase)->literal) return true;
	if (run->triangles >= 0 && !scree_triangle_ways[run->triangles].proves) return true;
	EACH(const rule_spec, rule, r->spec.contacts)
	if (rule->law >= 0 && scree_laws[rule->law].literal) return true;
	return false;
}

/* Reports the energy error only at the end. In the resolved scene, the key would make the guard stop the run. */
static void tell_energy(guard_spec *guard)
{
	guard->tells = true;
	scree_forget(&guard->h, "energy");
}

static const real MOST_FRACTION = (real)0.1; /* fraction of a contact time above which steps are inaccurate */

static void check_forces(reader *r)
{
	run_spec *run = &r->spec.run;
	if (is_literal(r) && !scree_given(&run->guard.h, "energy")) tell_energy(&run->guard);
	const node *step = run->step.h.where;
	if (scree_node_child(step, "way"))
		REFUSE_KEY(r, &run->step.h, "way", "for example, set fraction: 0.02",
				   "step: 'way' does not apply to run.response: %s", response_of(r));
	if (scree_node_child(step, "fraction") && run->step.fraction > MOST_FRACTION && !is_implicit(run))
		REFUSE_KEY(r, &run->step.h, "fraction", "use run.response: implicit, or a smaller fraction",
				   "step: fraction is %g, expected at most %g with run.response: %s", run->step.fraction, MOST_FRACTION,
				   response_of(r));
	const series_spec *h = &r->spec.output.history;
	const int32_t *word = h->words.item;
	for (int32_t k = 0; k < h->words.count; ++k)
		if (word[k] >= 0 && !strncmp(scree_words_history(NULL, word[k]), "collisions", 10))
			scree_report(&r->r, scree_entry(&h->h, "values", k), NULL, "values: %s needs an impulse-based run.response",
						 scree_words_history(NULL, word[k]));
}

static void check_implicit(reader *r)
{
	run_spec *run = &r->spec.run;
	if (run->integrator > 0) refuse(r, &run->h, "integrator", "");
	EACH(const rule_spec, rule, r->spec.contacts)
	if (rule->law >= 0 && scree_laws[rule->law].round && scree_given(&rule->h, "law"))
		REFUSE_KEY(r, &rule->h, "law", "use response: forces, or another law",
				   "%s: the law %s does not apply to run.response: %s", rule->h.name, scree_laws[rule->law].name,
				   response_of(r));
}

static void check_rule(reader *r, rule_spec *rule, bool rubs)
{
	static const char *const of_laws[] = {"law",	  "stiffness", "tangential_ratio", "power", "plastic",
										  "cohesion", "bond"};
	static const char *const friction[] = {"friction", "rolling_friction", "twisting_friction"};
	const real given[3] = {rule->friction, rule->rolling_friction, rule->twisting_friction};
	char what[120];
	snprintf(what, sizeof what, "%.100s: ", rule->h.name);
	for (int i = 0; i < 7; ++i) refuse(r, &rule->h, of_laws[i], what);
	for (int i = rubs ? 1 : 0; i < 3; ++i) {
		if (scree_given(&rule->h, friction[i]) && given[i] > 0)
			REFUSE_KEY(r, &rule->h, friction[i], "set it to 0, or remove it",
					   "%s: the response %s does not support %sfriction", rule->h.name, response_of(r),
					   i == 0	? ""
					   : i == 1 ? "rolling "
								: "twisting ");
		scree_forget(&rule->h, friction[i]);
	}
	if (!strcmp(rule->h.name, "default") && !scree_given(&rule->h, "restitution"))
		REFUSE_KEY(r, &r->spec.run.h, "response", "for example, add contacts: {default: {restitution: 1}}",
				   "contacts.default: the key 'restitution' is missing; the response %s needs it", response_of(r));
}

static bool is_polyhedron(const shape_spec *s)
{
	return !s->clump.h.where && !s->granulate.h.where && (!s->mesh.h.where || s->mesh.as == MESH_HULL);
}

/* refuses shapes other than spheres and, if the response supports them, polyhedra; h: the section that names it */
static void check_shape(reader *r, const head *h, int32_t shape)
{
	const shape_spec *all = r->spec.shapes.item;
	if (shape < 0 || shape >= r->spec.shapes.count || all[shape].sphere.h.where || all[shape].disc.h.where) return;
	if (scree_scene_solver(&r->spec.run)->polyhedra) {
		if (is_polyhedron(all + shape)) return;
		REFUSE_VALUE(r, h, "shape", "use a convex polyhedron, or run.response: forces",
					 "shape: the response %s supports spheres and convex polyhedra only, and '%s' is neither",
					 response_of(r), all[shape].h.name);
		return;
	}
	REFUSE_VALUE(r, h, "shape", "use a sphere, or run.response: forces",
				 "shape: the response %s supports spheres only, and '%s' is not a sphere", response_of(r),
				 all[shape].h.name);
}

static void check_bodies(reader *r, const fill_spec *f)
{
	if (!f->h.where || f->h.where->type != NODE_MAP) return;
	if (scree_given(&f->h, "shape")) check_shape(r, &f->h, f->shape);
	EACH(const mix_spec, part, f->mix)
	if (part->h.where && part->h.where->type == NODE_MAP) check_shape(r, &part->h, part->shape);
}

static void check_output(reader *r)
{
	const output_spec *o = &r->spec.output;
	const char *cure = "there are no contact forces: use another quantity, for example speed", *word;
	if (o->images.h.where && (word = scree_words_colors(NULL, o->images.color)) && !strcmp(word, "force"))
		REFUSE_VALUE(r, &o->images.h, "color", cure, "color: force does not apply to run.response: %s", response_of(r));
	EACH(const int32_t, k, o->vtk.words)
	if (*k >= 0 && (word = scree_words_vtk(NULL, *k)) && (!strcmp(word, "force") || !strcmp(word, "torque")))
		scree_report(&r->r, scree_entry(&o->vtk.h, "fields", (int32_t)(k - (const int32_t *)o->vtk.words.item)), cure,
					 "fields: %s does not apply to run.response: %s", word, response_of(r));
}

/* By default, the step is chosen so that no body moves farther than a given fraction of the smallest diameter. Overlaps
 * are not checked: they are about as deep as the displacement per step, cause no forces and store no energy. */
static void set_defaults(reader *r)
{
	run_spec *run = &r->spec.run;
	step_spec *step = &run->step;
	if (!scree_given(&run->h, "step")) {
		step->h.set = 1u << 1; /* `way` is the second key */
		step->fraction = 0;
		step->way = SCREE_USUAL_WAY;
	} else if (scree_node_child(step->h.where, "fraction")) {
		REFUSE_KEY(r, &step->h, "fraction", "for example, set way: 0.05",
				   "step: 'fraction' needs a contact time, but run.response: %s has none", response_of(r));
	}
	const node *guard = run->guard.h.where;
	if (!scree_node_child(guard, "overlap")) run->guard.overlap = 0;
	if (scree_node_child(guard, "energy")) return;
	if (scree_scene_solver(run)->literal)
		tell_energy(&run->guard);
	else
		run->guard.energy = 0;
}

static void check_impulses(reader *r)
{
	scene_spec *s = &r->spec;
	run_spec *run = &s->run;
	EACH(rule_spec, rule, s->contacts) check_rule(r, rule, scree_scene_solver(run)->rubs);
	refuse(r, &s->world.h, "fluid", "world: ");
	if (run->integrator > 0) refuse(r, &run->h, "integrator", "");
	if (run->narrow_phase > 0) refuse(r, &run->h, "narrow_phase", "");
	EACH(const wall_spec, w, s->walls)
	if (w->h.where && w->motion.h.where && scree_motion_is_driven(&w->motion))
		REFUSE_KEY(r, &w->motion.h, "servo", "use another motion, or run.response: forces",
				   "motion: a servo or a free wall needs contact forces, but run.response: %s has none",
				   response_of(r));
	EACH(const fill_spec, f, s->fill) check_bodies(r, f);
	EACH(const fill_spec, f, s->sources) check_bodies(r, f);
	check_output(r);
	set_defaults(r);
}

void scree_check_response(reader *r)
{
	const response *solver = scree_scene_solver(&r->spec.run);
	run_spec *run = &r->spec.run;
	if (!solver || !solver->corrects) refuse(r, &run->h, "correction", "");
	if (!solver || !solver->sampled) refuse(r, &run->h, "friction_directions", "");
	if (solver && !scree_given(&run->h, "correction")) run->correction = solver->correction;
	if (solver)
		check_impulses(r);
	else
		check_forces(r);
	if (is_implicit(run)) check_implicit(r);
}

/* Checks the keys of stages, and derives the end of the run from them. */

static bool has_end(const stage_spec *s) { return s->until.h.where != NULL; }

/* Refuses keys that belong to other end conditions, and removes their defaults from the resolved scene. */
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
	for (int k = 0; after && k < 4; ++k) check_owner(r, u, of_conditions[k], "a condition, but 'after' is a time");
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
						 "stages: the first stage is the scene itself and cannot change anything");
}

/* maximum duration of the stages, in s */
static real longest(const stage_spec *all, int32_t count)
{
	real sum = 0;
	for (int32_t k = 0; k < count; ++k) sum += all[k].until.after > 0 ? all[k].until.after : all[k].until.at_most;
	return sum;
}

/* If the run has no end, sets it to the end of the last stage. */
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
			   "stages: neither the last stage nor the run has an end");
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
