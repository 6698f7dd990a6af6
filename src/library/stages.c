/* stages: detects when a stage ends, and makes the changes that follow. Ends are detected between steps, from exact
 * sums and extremes over all parts of the world, so they do not depend on the number of threads or ranks. The next
 * stage begins with the next step, so outputs of a stage's last step show the world before the changes. */
#include "library/internal.h"

#include "base/maths.h"
#include "choices/choices.h"
#include "guard/guard.h"
#include "model/response.h"
#include "scene/schema.h"
#include "world/world.h"

#include <stdarg.h>
#include <string.h>

/* ------------------------------------------------------------------ times of steps, and steps up to a time */

int64_t scree_sim_next_watch(const scree_sim *s)
{
	const int64_t step = s->w->state.step;
	int64_t every = 2500;
	if (scree_world_follows(&s->w->model)) every = step < 500 ? 100 : step < 5000 ? 500 : 1000;
	return (step / every + 1) * every;
}

int64_t scree_sim_watch_steps(const scree_sim *s, int64_t most)
{
	const int64_t left = scree_sim_next_watch(s) - s->w->state.step;
	return scree_world_follows(&s->w->model) && left < most ? left : most;
}

/* whether this step is at or after `time`, to within half a step */
static bool reaches(const scree_sim *s, int64_t step, double time)
{
	return scree_in_time_of(s, step) + s->w->model.dt / 2 >= time;
}

int64_t scree_in_steps_until(const scree_sim *s, double time)
{
	static const double MOST_STEPS = 9e15;
	const int64_t now = s->w->state.step;
	const double steps = (time - s->w->state.time) / s->w->model.dt - 0.5;
	if (!(steps < MOST_STEPS)) return -1;
	int64_t n = steps > 0 ? (int64_t)steps : 0;
	while (n > 0 && reaches(s, now + n - 1, time)) --n;
	while (!reaches(s, now + n, time)) ++n;
	return n;
}

double scree_in_time_of(const scree_sim *s, int64_t step) { return scree_time_of(&s->w->model, &s->w->state, step); }

enum { TESTED_STEPS = 100 }; /* number of steps between two tests of a condition that is not tested at each step */

static const stage_rule *rule_now(const scree_sim *s) { return s->stage + s->w->state.stage.now; }

static bool is_last(const stage_state *o) { return o->now + 1 == o->count; }

/* ------------------------------------------------------------------ the record */

static void __attribute__((format(printf, 2, 3))) record(scree_sim *s, const char *format, ...)
{
	char line[400];
	va_list args;
	va_start(args, format);
	vsnprintf(line, sizeof line, format, args);
	va_end(args);
	const size_t had = s->extra.record ? strlen(s->extra.record) : 0, length = strlen(line);
	s->extra.record = scree_grow(s->extra.record, had, had + length + 2, 1);
	memcpy(s->extra.record + had, line, length);
	memcpy(s->extra.record + had + length, "\n", 2);
}

void scree_sim_record_set(scree_sim *s, const char *set)
{
	record(s, "set at %.6g s, step %lld: %.300s", s->w->state.time, (long long)s->w->state.step, set);
}

void scree_sim_record_step(scree_sim *s, double before)
{
	static const size_t ROOM = 20000; /* further changes are omitted */
	if (s->extra.record && strlen(s->extra.record) > ROOM) return;
	record(s, "step %.4g s after %.4g s at %.6g s, step %lld: contacts need a shorter one", s->w->model.dt, before,
		   s->w->state.time, (long long)s->w->state.step);
}

/* ------------------------------------------------------------------ values of conditions */

static real mass_out(const scree_world *w)
{
	real sum = 0;
	for (int32_t k = 0; k < w->state.sinks; ++k) sum += w->state.sink[k].mass_taken;
	return sum;
}

/* values in the order of scree_words_steady */
static real steady_value(const scree_world *w, int32_t value)
{
	const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	const real of[] = {e.kinetic,
					   e.potential,
					   e.elastic,
					   e.lost_normal,
					   e.lost_friction,
					   e.lost_rolling,
					   (real)scree_world_bodies(w),
					   (real)w->work.touching};
	return of[value];
}

/* fraction of the contacts that slide; 1 if there are no contacts, since bodies are then not at rest */
static real sliding_part(const scree_world *w)
{
	const real sliding = (real)scree_world_sliding(&w->model, &w->state, &w->work);
	return w->work.touching > 0 ? sliding / (real)w->work.touching : 1;
}

static real wall_force(const scree_world *w, const stage_rule *r)
{
	const int32_t wall = scree_walls_find(&w->model.wall, r->wall);
	return wall < 0 ? 0 : v3_norm(scree_wall_load(&w->model, &w->state, &w->work, wall).force);
}

/* ------------------------------------------------------------------ the periodic cell */

/* in Pa, along this axis; if the axis is negative, the mean over all axes */
static real cell_stress(const scree_world *w, int32_t along)
{
	real of[6];
	scree_world_stress(&w->model, &w->state, &w->work, of);
	if (along >= 0) return of[along];
	return w->model.flat ? (of[0] + of[1]) / 2 : (of[0] + of[1] + of[2]) / 3;
}

/* strain since the stage began, not since the start as in the history; for a negative axis, the strain of the volume */
static real cell_strain(const scree_world *w, int32_t along)
{
	const vec3 was = w->state.stage.cell.x > 0 ? w->state.stage.cell : w->model.period.size, is = w->state.images.size;
	real sum = 0;
	for (int32_t d = 0; d < 3; ++d)
		if (along < 0 || along == d) sum += scree_log(v3_part(is, d) / v3_part(was, d));
	return sum;
}

/* largest deviation of a stress from its target, relative to the largest target of the servo; 1 if there is no servo */
static real servo_error(const scree_world *w)
{
	const cell_rule *c = &w->model.cell;
	const vec3 goal = scree_cell_goal(c, w->state.time);
	real of[6], most = 0, scale = 0;
	scree_world_stress(&w->model, &w->state, &w->work, of);
	for (int32_t d = 0; d < 3; ++d) {
		if (!c->servo[d]) continue;
		scale = real_max(scale, v3_part(goal, d));
		most = real_max(most, real_abs(of[d] - v3_part(goal, d)));
	}
	return scale > 0 ? most / scale : 1;
}

/* ------------------------------------------------------------------ whether a condition holds */

static real value_of(const scree_world *w, const stage_rule *r)
{
	switch (r->end) {
	case END_KINETIC_ENERGY:
		return scree_world_energy(&w->model, &w->state, &w->work).kinetic;
	case END_SPEED:
		return scree_world_greatest_speed(&w->state, &w->work);
	case END_FORCE:
		return wall_force(w, r);
	case END_PRESSURE:
		return wall_force(w, r) / r->area;
	case END_MASS_OUT:
		return mass_out(w) - w->state.stage.mass;
	case END_SLIDING:
		return sliding_part(w);
	case END_STRESS:
		return cell_stress(w, r->along);
	case END_STRAIN:
		return cell_strain(w, r->along);
	case END_SERVO:
		return servo_error(w);
	case END_UNCHANGED:
		return steady_value(w, r->steady);
	default:
		return 0;
	}
}

/* Tests whether the condition requires a value below the limit. */
static bool is_below(const stage_rule *r)
{
	return r->end == END_KINETIC_ENERGY || r->end == END_SPEED || r->end == END_SLIDING || r->end == END_SERVO;
}

/* Tests whether the condition holds now. If a steady value has changed, it becomes the new reference. */
static bool holds(stage_state *o, const stage_rule *r, real value)
{
	if (is_below(r)) return value < r->limit;
	if (r->end == END_STRAIN && r->limit < 0) return value <= r->limit;
	if (r->end != END_UNCHANGED) return value >= r->limit;
	const bool same = o->since >= 0 && real_abs(value - o->reference) <= r->limit * real_abs(o->reference);
	if (!same) o->reference = value;
	return same;
}

static const struct {
	const char *name, *unit;
} conditions[] = {[END_AFTER] = {"time", "s"},
				  [END_KINETIC_ENERGY] = {"kinetic energy", "J"},
				  [END_SPEED] = {"speed", "m/s"},
				  [END_FORCE] = {"force on the wall", "N"},
				  [END_PRESSURE] = {"pressure on the wall", "Pa"},
				  [END_MASS_OUT] = {"mass out", "kg"},
				  [END_SLIDING] = {"fraction of contacts that slide", ""},
				  [END_STRESS] = {"stress of the cell", "Pa"},
				  [END_STRAIN] = {"strain of the cell", ""},
				  [END_SERVO] = {"error of the stresses of the cell", ""},
				  [END_UNCHANGED] = {"", ""}};

/* " along z" */
static const char *along(const stage_rule *r)
{
	static const char *const axis[] = {" along x", " along y", " along z"};
	return (r->end == END_STRESS || r->end == END_STRAIN) && r->along >= 0 ? axis[r->along] : "";
}

/* "kinetic energy 3e-05 J" */
static void write_value(char text[64], const stage_rule *r, real value)
{
	const char *name = r->end == END_UNCHANGED ? scree_words_steady(NULL, r->steady) : conditions[r->end].name;
	const char *unit = conditions[r->end].unit;
	snprintf(text, 64, "%s%s %.4g%s%s", name, along(r), value, *unit ? " " : "", unit);
}

/* ------------------------------------------------------------------ the end of a stage */

static scree_code end(scree_sim *s, const char *why)
{
	stage_state *o = &s->w->state.stage;
	if (!scree_sim_holds_at_end(s)) return scree_sim_stopped(s);
	o->over = true;
	record(s, "stage %s ended at %.6g s, step %lld%s", rule_now(s)->name, s->w->state.time, (long long)s->w->state.step,
		   why);
	if (is_last(o)) s->extra.run.until = s->w->state.time;
	return SCREE_DONE;
}

/* before: state of the stage before this test; a longer run would not make this test */
static scree_code out_of_time(scree_sim *s, const stage_state *before, real value)
{
	const stage_rule *r = rule_now(s);
	char why[120], text[64];
	write_value(text, r, value);
	snprintf(why, sizeof why, ", %.6g s after its start: %s, limit %.4g", r->at_most, text, r->limit);
	if (r->goes_on) return end(s, why);
	s->w->state.stage = *before;
	s->stopped = s->late = true;
	scree_fail(&s->stop, FAIL_GUARD,
			   "stage %s has not ended within at_most, %.4g s: %s, limit %.4g: continue with more time (--resume with "
			   "--set stages.%d.until.at_most=%.2gs), change the condition, or add then: continue to it",
			   r->name, r->at_most, text, r->limit, s->w->state.stage.now, 2 * r->at_most);
	s->why = s->stop;
	return SCREE_GUARD;
}

/* Tests whether a condition is tested at each step, since its value may exceed the limit briefly between tests, as in
 * an impact. The stress of a cell, a sum over contacts, is tested so often only near its limit. */
static bool is_tested_often(const stage_state *o, const stage_rule *r)
{
	if (r->hold > 0) return false;
	if (r->end == END_STRESS) return o->reference >= r->limit / 2;
	return r->end == END_FORCE || r->end == END_PRESSURE || r->end == END_MASS_OUT || r->end == END_STRAIN;
}

/* Returns the number of steps from this one to the next test of the condition. The tests depend only on the state. */
static int64_t steps_to_test(const scree_sim *s)
{
	const stage_state *o = &s->w->state.stage;
	const stage_rule *r = rule_now(s);
	const int64_t past = (s->w->state.step - o->step) % TESTED_STEPS;
	if (!is_tested_often(o, r)) return past ? TESTED_STEPS - past : 0;
	return r->at_least > 0 ? scree_in_steps_until(s, o->time + r->at_least) : 0;
}

/* Tests a condition. last: whether the time limit has been reached */
static scree_code test(scree_sim *s, bool last)
{
	stage_state *o = &s->w->state.stage;
	const stage_state before = *o;
	const stage_rule *r = rule_now(s);
	const real now = s->w->state.time, passed = now - o->time, value = value_of(s->w, r);
	char why[120], text[64];
	const bool held = passed >= r->at_least && holds(o, r, value);
	if (!held) o->since = r->end == END_UNCHANGED && passed >= r->at_least ? now : -1;
	if (held && o->since < 0) o->since = now;
	if (r->end == END_STRESS) o->reference = value;
	write_value(text, r, value);
	snprintf(why, sizeof why, r->end == END_UNCHANGED ? ": %s" : ": %s, limit %.4g", text, r->limit);
	if (held && now - o->since >= r->hold) return end(s, why);
	return last ? out_of_time(s, &before, value) : SCREE_DONE;
}

/* number of steps up to the duration or the time limit of the stage, to the nearest step */
static int64_t steps_left(const scree_sim *s)
{
	const stage_rule *r = rule_now(s);
	const real length = r->end == END_AFTER ? r->limit : r->at_most;
	const int64_t left = scree_in_steps_until(s, s->w->state.stage.time + length);
	return left > 0 ? left : 0;
}

double scree_in_until(const scree_sim *s)
{
	const stage_state *o = &s->w->state.stage;
	const double until = s->extra.run.until, next = s->w->state.time + s->w->model.dt;
	const bool goes_on = s->extra.run.by_stages && !(o->over && is_last(o));
	return goes_on && until < next ? next : until;
}

int64_t scree_sim_stage_steps(const scree_sim *s, int64_t most)
{
	const stage_state *o = &s->w->state.stage;
	if (!o->count) return most;
	/* the next stage, which begins with the next step, may have longer steps and other outputs */
	if (o->over) return is_last(o) ? most : 1;
	if (rule_now(s)->end == END_NEVER) return most;
	int64_t left = steps_left(s);
	if (rule_now(s)->end != END_AFTER) {
		const int64_t now = steps_to_test(s), test = now ? now : is_tested_often(o, rule_now(s)) ? 1 : TESTED_STEPS;
		if (test < left) left = test;
	}
	return left < 1 ? 1 : left < most ? left : most;
}

scree_code scree_sim_end_stage(scree_sim *s)
{
	const stage_state *o = &s->w->state.stage;
	if (!o->count || o->over || rule_now(s)->end == END_NEVER) return SCREE_DONE;
	const int64_t left = steps_left(s);
	if (rule_now(s)->end == END_AFTER) return left ? SCREE_DONE : end(s, "");
	return left && steps_to_test(s) ? SCREE_DONE : test(s, left == 0);
}

bool scree_sim_is_over(const scree_sim *s)
{
	const stage_state *o = &s->w->state.stage;
	return o->count && o->over && !is_last(o);
}

/* Tests whether a time limit has passed before the next step, because it stopped the run or was shortened later. */
static bool has_passed(const scree_sim *s)
{
	const stage_state *o = &s->w->state.stage;
	return o->count && !o->over && rule_now(s)->end > END_AFTER && s->w->state.step > o->step && !steps_left(s);
}

scree_code scree_sim_end_late(scree_sim *s)
{
	if (!has_passed(s)) return SCREE_DONE;
	scree_sim_look(s);
	const scree_code code = test(s, true);
	scree_sim_touch(s);
	return code;
}

/* ------------------------------------------------------------------ another end */

static bool same_end(const stage_rule *a, const stage_rule *b)
{
	return a->end == b->end && a->limit == b->limit && !strcmp(a->wall, b->wall) && a->area == b->area &&
		   a->along == b->along && a->steady == b->steady && a->hold == b->hold && a->at_least == b->at_least &&
		   a->at_most == b->at_most && a->goes_on == b->goes_on;
}

void scree_sim_take_stages(scree_sim *s, const stage_rule *rule, int32_t count)
{
	stage_state *o = &s->w->state.stage;
	const bool same = !o->count || same_end(rule_now(s), rule + o->now);
	scree_free(s->stage);
	s->stage = scree_copy(rule, (size_t)count, sizeof *rule);
	if (!o->count || !o->over) return;
	if (!same && (rule_now(s)->end == END_NEVER || steps_left(s))) o->over = false, o->since = -1;
	if (o->over && is_last(o) && s->extra.run.by_stages) s->extra.run.until = s->w->state.time;
}

/* ------------------------------------------------------------------ changes */

void scree_sim_take_plan(scree_sim *s, const scene *plan)
{
	const picture_scales scales = s->extra.output.images.scales;
	s->extra.run = plan->run;
	s->extra.output = plan->output;
	s->extra.output.images.scales = scales;
}

/* step length after a change, in s; 0 to keep the length */
static real step_of(const scree_world *w, const scene_change *change)
{
	return change->step > 0 ? change->step : change->part * w->model.contact_time;
}

/* Adds a change of response to the record. was: NULL means forces */
static void record_response(scree_sim *s, const response *was)
{
	const scree_world *w = s->w;
	if (!was) was = scree_response_row(0);
	record(s, "response %s after %s at %.6g s, step %lld, in steps of %.4g s: %s", w->model.response->name, was->name,
		   w->state.time, (long long)w->state.step, w->model.dt, scree_response_keeps(was, w->model.response));
}

/* Records why the world cannot continue after a change. */
static scree_code break_off(scree_sim *s, const fail *why)
{
	s->why = s->stop = *why;
	return s->broken = SCREE_BAD_INPUT;
}

static scree_code change_response(scree_sim *s, const scene_change *change)
{
	fail why;
	const new_response to = {change->response, change->part, change->step};
	const response *was = s->w->model.response;
	if (scree_sim_respond_now(s, &to, change->kinds, &why)) {
		record_response(s, was);
		return SCREE_DONE;
	}
	return break_off(s, &why);
}

/* If the change includes a new step, changed contacts may be too stiff for the old step. */
static bool is_possible(scree_sim *s, const scene_change *change, fail *why)
{
	if (!(change->step > 0 || change->part > 0)) return scree_sim_is_possible(s, why);
	return scree_sim_is_possible_in_steps(s, change->part, change->step, why);
}

scree_code scree_sim_apply_change(scree_sim *s, const scene_change *change)
{
	fail why;
	scree_world *w = s->w;
	if (change->response) return change_response(s, change);
	if (change->kinds && !is_possible(s, change, &why)) return break_off(s, &why);
	if (scree_sim_changed_now(s, change->kinds)) return s->broken;
	const real step = step_of(w, change);
	return !(step > 0) || scree_world_set_step(w, step, &why) ? SCREE_DONE : break_off(s, &why);
}

/* Loads on servos are reported only for the last stage. */
static void forget_loads(state *s)
{
	for (int32_t k = 0; k < s->walls; ++k) s->wall[k].servo.asked = s->wall[k].servo.given = 0;
	s->images.asked = s->images.given = v3(0, 0, 0);
}

static void start(scree_sim *s)
{
	stage_state *o = &s->w->state.stage;
	*o = (stage_state){.count = o->count,
					   .now = o->now + 1,
					   .step = s->w->state.step,
					   .time = s->w->state.time,
					   .since = -1,
					   .mass = mass_out(s->w),
					   .cell = s->w->state.images.size};
}

scene_input scree_sim_scene(const scree_sim *s, int sets, const char *const *set)
{
	const char *text = s->extra.resolved;
	return (scene_input){.name = "the scene in the snapshot",
						 .text = text,
						 .length = text ? strlen(text) : 0,
						 .sets = sets,
						 .set = set,
						 .plan_only = true};
}

static scree_code refuse_stage(scree_sim *s, const char *why)
{
	scree_fail(&s->why, FAIL_INPUT, "stage %s cannot begin at %.6g s: %s", rule_now(s)->name, s->w->state.time, why);
	return break_off(s, &s->why);
}

scree_code scree_sim_begin_stage(scree_sim *s)
{
	stage_state *o = &s->w->state.stage;
	const scene_input in = scree_sim_scene(s, 0, NULL);
	scene plan;
	scene_change change;
	scene_problems problems = {0};
	fail why = {0};
	if (!o->over || is_last(o)) return SCREE_DONE;
	scree_sim_touch(s);
	scree_sim_divide(s);
	scree_sim_testing_now(s);
	start(s);
	forget_loads(&s->w->state);
	if (!scree_scene_change(&in, o->now - 1, o->now, s->w, &plan, &change, &problems, &why)) {
		refuse_stage(s, problems.count ? problems.text : why.text);
		scree_scene_problems_free(&problems);
		return s->broken;
	}
	scree_sim_take_plan(s, &plan);
	scree_scene_free(&plan);
	const scree_code code = scree_sim_apply_change(s, &change);
	why = s->why;
	return code == SCREE_BAD_INPUT ? refuse_stage(s, why.text) : code;
}

scree_code scree_sim_read_stages(scree_sim *s)
{
	scene read;
	scene_problems problems;
	const scene_input in = scree_sim_scene(s, 0, NULL);
	if (!s->w->state.stage.count) return SCREE_DONE;
	if (!scree_scene_read(&in, &read, &problems)) {
		scree_fail(&s->why, FAIL_INPUT, "%s", problems.text);
		scree_scene_problems_free(&problems);
		return SCREE_BAD_INPUT;
	}
	const bool right = read.stages == s->w->state.stage.count;
	s->extra.run.by_stages = read.run.by_stages;
	s->extra.output.history.solves = read.output.history.solves;
	s->stage = scree_copy(read.stage, (size_t)read.stages, sizeof *read.stage);
	scree_scene_free(&read);
	return right ? SCREE_DONE
				 : scree_sim_refuse(s, "the scene in the snapshot has %d stages, but the state has %d", read.stages,
									s->w->state.stage.count);
}

/* ------------------------------------------------------------------ reports */

static void print_end(FILE *to, const stage_rule *r)
{
	const char *unit = conditions[r->end].unit;
	if (r->end == END_NEVER) fprintf(to, "until the end of the run");
	if (r->end == END_AFTER) fprintf(to, "for %.6g s", r->limit);
	if (r->end <= END_AFTER) return;
	if (r->end == END_UNCHANGED)
		fprintf(to, "until %s has changed by less than %g %%", scree_words_steady(NULL, r->steady), 100 * r->limit);
	else
		fprintf(to, "until %s%s%s%s is %s %g%s%s", conditions[r->end].name, along(r), *r->wall ? " " : "", r->wall,
				is_below(r)	   ? "below"
				: r->limit < 0 ? "at most"
							   : "at least",
				r->limit, *unit ? " " : "", unit);
	if (r->hold > 0) fprintf(to, " for %g s", r->hold);
	if (r->at_least > 0) fprintf(to, ", at least %g s", r->at_least);
	fprintf(to, ", at most %g s, then %s", r->at_most, r->goes_on ? "continue" : "stop");
}

void scree_sim_print_stages(FILE *to, const scree_sim *s)
{
	for (int k = 0; k < scree_in_stages(s); ++k) {
		const stage_rule *r = s->stage + k;
		fprintf(to, "stage %s: ", r->name);
		print_end(to, r);
		if (*r->changes) fprintf(to, "; changes %s", r->changes);
		fprintf(to, "\n");
	}
}

int scree_in_stages(const scree_sim *s) { return s->w->state.stage.count; }

const char *scree_in_stage_name(const scree_sim *s, int stage)
{
	return stage >= 0 && stage < s->w->state.stage.count ? s->stage[stage].name : NULL;
}
