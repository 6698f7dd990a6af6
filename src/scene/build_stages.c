/* build_stages: contact rules for each pair of materials, ends of stages, and changes that stages make to a world. Only
 * differences between two scenes are applied to the world's model. The caller derives the rest (library/stages.c). */
#include "scene/reader.h"

#include "broad/broad.h"
#include "model/integrator.h"
#include "model/law.h"
#include "model/respond.h"
#include "model/response.h"
#include "prepare/prepare.h"
#include "wall/internal.h"
#include "kernel/cohesion.h"
#include "kernel/contact_law.h"
#include "world/world.h"

/* The coefficient's unit would contain powers of 3/2, so a scene gives the force at one overlap instead. */
static power_rule power_of(const power_spec *p)
{
	power_rule o = {.exponent = p->exponent, .tangential = p->tangential, .attraction = p->attraction};
	if (!p->h.where) return (power_rule){0};
	o.stiffness = p->force / (p->overlap * sqrt(p->overlap));
	o.damping = p->damping / quarter_power(p->overlap, 4 * p->exponent);
	return o;
}

static bond_rule bond_of(const bond_spec *s)
{
	return (bond_rule){.young = s->young,
					   .ratio = s->ratio,
					   .tension = s->tension,
					   .shear = s->shear,
					   .deviation = s->deviation,
					   .factor = s->factor,
					   .damping = s->damping,
					   .gap = s->gap,
					   .from = s->from,
					   .seed = s->seed};
}

static contact_rule contact_of(const rule_spec *s)
{
	uint32_t takes = scree_laws[s->law].takes;
	bool power = takes & TAKES_POWER, damps = takes & TAKES_RESTITUTION;
	const cohesion_spec *o = &s->cohesion;
	const bool some = o->jkr > 0 || o->dmt > 0 || o->simple > 0 || o->capillary.h.where;
	bool sticks = takes & TAKES_COHESION && o->h.where && some;
	const bool wet = sticks && o->capillary.h.where;
	contact_rule c = {.law = s->law,
					  .restitution = damps ? s->restitution : 1,
					  .friction = s->friction,
					  .rolling_friction = damps ? s->rolling_friction : 0,
					  .twisting_friction = damps ? s->twisting_friction : 0,
					  .cohesion = !sticks	   ? COHESION_NONE
								  : o->jkr > 0 ? COHESION_JKR
								  : o->dmt > 0 ? COHESION_DMT
								  : wet		   ? COHESION_CAPILLARY
											   : COHESION_SIMPLE,
					  .surface = !sticks	  ? 0
								 : o->jkr > 0 ? o->jkr
								 : o->dmt > 0 ? o->dmt
								 : wet		  ? o->capillary.tension
											  : o->simple,
					  .bridge = wet ? o->capillary.volume : 0,
					  .wetting = wet ? o->capillary.angle : 0,
					  .stiffness = s->stiffness,
					  .tangential_ratio = s->tangential_ratio,
					  .friction_heat = s->friction_heat,
					  .power = power ? power_of(&s->power) : (power_rule){0},
					  .plastic = {s->plastic.unloading, s->plastic.adhesion, s->plastic.depth}};
	if (!(takes & TAKES_PLASTIC)) c.plastic = (plastic_rule){0};
	if (s->bond.h.where) c.bond = bond_of(&s->bond);
	return c;
}

/* properties of a pair of materials for impulse-based responses */
static contact_rule hard_rule_of(const rule_spec *s, const response *solver)
{
	return (contact_rule){.restitution = s->restitution, .friction = solver->rubs ? s->friction : 0};
}

void scree_build_rules(reader *r, materials *m)
{
	const scene_spec *s = &r->spec;
	const rule_spec *rule = s->contacts.item;
	const response *solver = scree_scene_solver(&s->run);
	for (int32_t k = 0; k < s->contacts.count; ++k) {
		contact_rule c = solver ? hard_rule_of(rule + k, solver) : contact_of(rule + k);
		int32_t pair[2];
		if (!k) {
			for (int32_t i = 0; i < m->count; ++i)
				for (int32_t j = i; j < m->count; ++j) scree_materials_set_rule(m, i, j, c);
		} else if (scree_pair_of(r, scree_node_child(scree_node_child(r->root, "contacts"), rule[k].h.name), pair)) {
			scree_materials_set_rule(m, pair[0], pair[1], c);
		}
	}
}

/* lists as many of a stage's changes as there is room for */
static void name_changes(const stage_spec *s, char *to, size_t room)
{
	size_t used = 0;
	*to = 0;
	for (int k = 0; k < 8; ++k)
		for (const node *c = s->change[k] ? s->change[k]->first : NULL; c; c = c->next) {
			const int more = snprintf(to + used, room - used, "%s%s.%s", used ? ", " : "", s->change[k]->key, c->key);
			if (more < 0 || used + (size_t)more >= room) return;
			used += (size_t)more;
		}
}

/* The first keys of `until` are its conditions, in the order of stage_end. */
static stage_rule rule_of(const stage_spec *s)
{
	const until_spec *u = &s->until;
	const key *row = u->h.of ? u->h.of->row : NULL;
	int32_t k = row ? 0 : END_UNCHANGED;
	while (k < END_UNCHANGED && !scree_node_child(u->h.where, row[k].name)) ++k;
	stage_rule out = {.end = k < END_UNCHANGED ? (stage_end)(k + 1) : END_NEVER,
					  .area = u->area,
					  .along = scree_node_child(u->h.where, "along") ? u->along : -1,
					  .steady = u->unchanged,
					  .hold = u->hold,
					  .at_least = u->at_least,
					  .at_most = u->at_most,
					  .goes_on = u->then == 1};
	if (out.end != END_NEVER)
		out.limit = out.end == END_UNCHANGED ? u->within : *(const real *)((const char *)u + row[k].at);
	snprintf(out.name, sizeof out.name, "%s", s->name);
	name_changes(s, out.changes, sizeof out.changes);
	snprintf(out.wall, sizeof out.wall, "%s", u->wall ? u->wall : "");
	return out;
}

void scree_build_stage_rules(const reader *r, scene *out)
{
	const stage_spec *s = r->spec.stages.item;
	out->stages = r->spec.stages.count;
	out->stage = scree_alloc((size_t)out->stages, sizeof *out->stage);
	for (int32_t k = 0; k < out->stages; ++k) {
		const run_spec *run = &r->stage[k].spec.run;
		out->stage[k] = rule_of(s + k);
		out->stage[k].response = run->response;
		out->stage[k].integrator = run->integrator;
	}
}

typedef struct change_job {
	reader *r;
	const scene_spec *was, *is;
	scree_world *w;
	uint32_t kinds;
	fail *why;
} change_job;

/* Tests whether both nodes were read from the same place in a file. */
static bool same_node(const node *a, const node *b)
{
	if (!a || !b) return a == b;
	if (a->at.source != b->at.source || a->at.line != b->at.line || a->at.column != b->at.column || a->type != b->type)
		return false;
	const node *c = a->first, *d = b->first;
	for (; c && d; c = c->next, d = d->next)
		if (!same_node(c, d)) return false;
	return !c && !d;
}

static void set(change_job *j, real *to, real value, uint32_t kind)
{
	if (*to != value) j->kinds |= kind;
	*to = value;
}

/* Sets a new rule for the cell's size; times in a new table are counted from now. */
static bool change_cell(change_job *j)
{
	model *m = &j->w->model;
	const world_spec *was = &j->was->world, *is = &j->is->world;
	const bool same_servo = !was->servo.h.where == !is->servo.h.where && scree_same_values(&was->h, &is->h, "servo");
	const bool same_strain =
		scree_same_values(&was->h, &is->h, "strain_rate") && scree_same_values(&was->h, &is->h, "strain_table");
	const bool same_stress = scree_same_values(&was->servo.h, &is->servo.h, "stress") &&
							 scree_same_values(&was->servo.h, &is->servo.h, "table");
	cell_rule fresh;
	if (!was->h.where || (same_strain && same_servo)) return true;
	scree_build_cell(is, &m->wall, &fresh);
	if (!m->period.deforms)
		return scree_fail(
			j->why, FAIL_INPUT,
			"only a cell with world.strain_rate, strain_table or servo from the start can change its size: "
			"write strain_rate: [0, 0, 0] in the scene");
	fresh.from = same_strain ? m->cell.from : j->w->state.time;
	fresh.goal_from = same_stress ? m->cell.goal_from : j->w->state.time;
	m->cell = fresh;
	j->w->state.images.asked = j->w->state.images.given = v3(0, 0, 0);
	j->kinds |= CHANGED_MATERIALS;
	return true;
}

static void change_world(change_job *j)
{
	model *m = &j->w->model;
	const vec3 g = j->is->world.gravity;
	if (!v3_equal(m->gravity, g)) j->kinds |= CHANGED_MATERIALS;
	m->gravity = g;
}

static bool same_rules(const scene_spec *a, const scene_spec *b)
{
	const rule_spec *x = a->contacts.item, *y = b->contacts.item;
	bool same = a->contacts.count == b->contacts.count;
	for (int32_t k = 0; same && k < a->contacts.count; ++k) same = scree_same_values(&x[k].h, &y[k].h, NULL);
	return same;
}

/* If the scene names no law for a pair, cohesion determines the law. */
static bool same_laws(const change_job *j, const contact_rule *was)
{
	const materials *m = &j->w->model.material;
	for (int32_t k = 0; k < m->count * m->count; ++k) {
		const char *a = m->row[k / m->count].name, *b = m->row[k % m->count].name;
		if (m->rule[k].law == was[k].law) continue;
		return scree_fail(j->why, FAIL_INPUT,
						  "contact of %s with %s: cohesion would change the law from %s to %s: write law: %s in the "
						  "scene",
						  a, b, scree_laws[was[k].law].name, scree_laws[m->rule[k].law].name,
						  scree_laws[m->rule[k].law].name);
	}
	return true;
}

static bool change_materials(change_job *j)
{
	materials *m = &j->w->model.material;
	const material_spec *row = j->is->materials.item;
	for (int32_t k = 0; k < m->count; ++k) {
		set(j, &m->row[k].density, row[k].density, CHANGED_MATERIALS);
		set(j, &m->row[k].young, row[k].young, CHANGED_MATERIALS);
		set(j, &m->row[k].poisson, row[k].poisson, CHANGED_MATERIALS);
	}
	if (same_rules(j->was, j->is)) return true;
	contact_rule *was = scree_copy(m->rule, (size_t)m->count * (size_t)m->count, sizeof *was);
	scree_build_rules(j->r, m);
	j->kinds |= CHANGED_MATERIALS;
	const bool same = same_laws(j, was);
	scree_free(was);
	return same;
}

/* Pose of a wall without the displacement due to its servo. */
static void place_without_servo(const wall *o, const wall_state *at, wall_motion *fresh)
{
	fresh->start = v3_madd(at->position, -at->servo.way, o->motion.axis);
	fresh->base = at->orientation;
}

/* A servo along the same axis keeps its displacement, and its force starts from the present value. Any other motion
 * starts from rest in the present pose. Times in lists are counted from now. */
static void begin(scree_world *w, int32_t row, const wall *fresh)
{
	wall *o = w->model.wall.row + row;
	wall_state *at = w->state.wall + row;
	const real now = w->state.time;
	wall_motion m = fresh->motion;
	const bool alike =
		o->motion.type == m.type && v3_equal(o->motion.axis, m.axis) && v3_equal(o->motion.point, m.point);
	const bool shifts = !motion_is_turned(m.type) || !(o->parts || fresh->parts);
	const bool continues = motion_is_driven(m.type) && alike && shifts && o->servo.mass > 0;
	if (fresh->parts) {
		m.from += now;
		m.until += now;
	}
	m.from = real_max(m.from, now);
	m.placed = true;
	m.start = at->position;
	m.base = at->orientation;
	if (continues) {
		if (o->parts || fresh->parts) {
			place_without_servo(o, at, &m);
		} else {
			m.start = o->motion.placed ? o->motion.start : v3(0, 0, 0);
			m.base = o->motion.placed ? o->motion.base : quat_one();
		}
		m.servo.before = motion_is_free(m.type) ? 0 : scree_servo_force(&o->motion, now);
		if (m.servo.mass > 0) o->servo.mass = m.servo.mass;
		if (m.servo.max_speed > 0) o->servo.max_speed = m.servo.max_speed;
		at->servo.speed = real_clamp(at->servo.speed, -o->servo.max_speed, o->servo.max_speed);
	} else {
		o->servo = (servo_constants){0};
		at->servo = (servo_state){0};
	}
	at->servo.carried = at->servo.mean = at->servo.reached = at->servo.asked = at->servo.given = 0;
	at->servo.heard = 0;
	o->motion = m;
	o->parts = fresh->parts;
	o->part = fresh->part;
}

/* Shifts the times of all motions in a list. */
static void shift_parts(walls *all, wall *o, real by)
{
	wall_motion *part = scree_copy(o->part, (size_t)o->parts, sizeof *part);
	for (int32_t k = 0; k < o->parts; ++k) part[k].from += by, part[k].until += by;
	o->part = scree_walls_keep(all, part, o->parts, sizeof *part);
	scree_free(part);
}

static bool belts_are_along(const walls *all, const wall *o)
{
	for (int32_t k = 0; k <= o->parts; ++k) {
		const wall_motion *m = wall_motion_of(o, k);
		if (m->type == MOTION_SURFACE && !scree_wall_is_along(all, o, m->velocity)) return false;
	}
	return true;
}

static bool change_motion(change_job *j, const wall_spec *is, int32_t row)
{
	scree_world *w = j->w;
	walls *all = &w->model.wall;
	wall probe = all->row[row];
	scree_build_motion(all, is->active ? &is->motion : &(motion_spec){0}, &probe);
	const motion_type type = probe.motion.type;
	const servo_spec *servo = scree_motion_servo(&is->motion);
	wall turned = probe; /* pose of the wall when the motion begins */
	turned.motion.placed = true;
	turned.motion.base = w->state.wall[row].orientation;
	if (probe.parts) shift_parts(all, &probe, w->state.time);
	if (type == MOTION_SERVO && !scree_build_servo_axis(is, all, &probe))
		return scree_fail(j->why, FAIL_INPUT, "wall '%s': a servo needs the key 'axis'", probe.name);
	if (type == MOTION_STILL) probe.motion.type = MOTION_VELOCITY; /* present pose */
	if (type == MOTION_SERVO && !scree_node_child(servo->h.where, "axis"))
		probe.motion.axis = quat_rotate(w->state.wall[row].orientation, probe.motion.axis);
	if (!scree_wall_check(&probe, j->why)) return false;
	if (!belts_are_along(all, &turned))
		return scree_fail(j->why, FAIL_INPUT, "wall '%s': surface_velocity must be along its surface", probe.name);
	begin(w, row, &probe);
	j->kinds |= CHANGED_WALLS;
	return true;
}

/* Tests whether this wall of the world was made from this wall of the scene, as a whole or as a face of its box. */
static bool is_of(const wall_spec *s, const wall *o)
{
	const size_t length = strlen(s->h.name);
	if (!s->box.h.where) return !strcmp(o->name, s->h.name);
	if (strncmp(o->name, s->h.name, length) != 0 || o->name[length] != '.') return false;
	for (int face = 0; face < 6; ++face)
		if (!strcmp(o->name + length + 1, scree_words_faces(NULL, face))) return true;
	return false;
}

/* Inactive walls are at rest. */
static bool change_wall(change_job *j, const wall_spec *was, const wall_spec *is)
{
	walls *all = &j->w->model.wall;
	const bool turned = was->active != is->active, moves = !same_node(was->motion.h.where, is->motion.h.where);
	for (int32_t k = 0; k < all->count; ++k) {
		if (!is_of(is, all->row + k) || !(turned || (is->active && moves))) continue;
		all->row[k].removed = !is->active;
		if (is->motion.h.where && !change_motion(j, is, k)) return false;
		j->kinds |= CHANGED_WALLS;
	}
	return true;
}

static bool change_walls(change_job *j)
{
	const wall_spec *was = j->was->walls.item, *is = j->is->walls.item;
	/* the same poses, bit for bit, as in a restored world */
	scree_walls_move(&j->w->model.wall, j->w->state.wall, j->w->state.time);
	for (int32_t k = 0; k < j->is->walls.count; ++k)
		if (!change_wall(j, was + k, is + k)) return false;
	return true;
}

/* A source does not catch up on bodies that it could not place, or that were due while it was idle. */
static void change_source(change_job *j, const fill_spec *was, const fill_spec *is, int32_t k)
{
	source *s = j->w->model.population.source + k;
	if (scree_same_values(&was->h, &is->h, NULL)) return;
	s->before = j->w->state.source[k].made;
	s->mass_before = j->w->state.source[k].mass;
	s->from = real_max(is->from, j->w->state.time);
	s->mass_rate = is->mass_rate;
	s->rate = is->mass_rate > 0 ? is->mass_rate / s->mean_mass : is->rate;
	s->idle = !is->active;
}

static void change_population(change_job *j)
{
	const fill_spec *was = j->was->sources.item, *is = j->is->sources.item;
	const sink_spec *sink = j->is->sinks.item;
	for (int32_t k = 0; k < j->is->sources.count; ++k) change_source(j, was + k, is + k, k);
	for (int32_t k = 0; k < j->is->sinks.count; ++k) j->w->model.population.sink[k].idle = !sink[k].active;
}

static void change_guards(change_job *j)
{
	const guard_spec *was = &j->was->run.guard, *is = &j->is->run.guard;
	guards *g = &j->w->model.guard;
	if (was->overlap != is->overlap) g->overlap = is->overlap;
	if (was->speed != is->speed) g->speed = is->speed;
	if (was->energy != is->energy) g->energy = is->energy;
	if (was->method != is->method) g->method = is->method;
	if (was->lost != is->lost) g->lost_is_error = is->lost == 0;
	if (was->tells != is->tells) g->energy_reports = is->tells;
}

/* Changes the neighbour search, which does not affect results. A new integrator starts from the present forces. */
static bool change_methods(change_job *j)
{
	const run_spec *was = &j->was->run, *is = &j->is->run;
	model *m = &j->w->model;
	const bool given = scree_node_child(is->h.where, "skin") != NULL;
	if (was->broad_phase != is->broad_phase) m->search = scree_broad_row(is->broad_phase);
	if (was->skin != is->skin || m->skin_given != given) m->skin_given = given, m->skin = given ? is->skin : 0;
	j->w->work.skin.stale |= m->search != scree_broad_row(was->broad_phase) || was->skin != is->skin;
	if (was->integrator != is->integrator) j->kinds |= CHANGED_MATERIALS;
	m->integrator = scree_integrator_row(is->integrator);
	return !m->period.on || was->skin == is->skin || scree_world_periods_check(m, &j->w->state, &j->w->work, j->why);
}

/* After a change of response, the step is the default of the new response, unless the stage gives one. */
static bool change_response(change_job *j, scene_change *out)
{
	const run_spec *was = &j->was->run, *is = &j->is->run;
	const response *to = scree_response_row(is->response);
	const bool other = was->response != is->response;
	const char *stays = scree_response_stays(scree_response_row(was->response), to);
	if (stays) return scree_fail(j->why, FAIL_INPUT, "run.response cannot change to %s: %s", to->name, stays);
	if (other) j->w->model.unsafe = is->step.unsafe;
	if (other) out->response = to;
	if (other || is->step.time != was->step.time) out->step = is->step.time;
	if (other || is->step.fraction != was->step.fraction) out->part = is->step.fraction;
	return true;
}

bool scree_build_changes(reader *r, const stage_scene *was, const stage_scene *is, scree_world *w, scene_change *out,
						 fail *why)
{
	change_job j = {.r = r, .was = &was->spec, .is = &is->spec, .w = w, .why = why};
	r->root = is->root;
	r->spec = is->spec;
	change_world(&j);
	if (!change_cell(&j)) return false;
	if (!change_materials(&j) || !change_walls(&j)) return false;
	change_population(&j);
	change_guards(&j);
	if (was->spec.run.correction != is->spec.run.correction) w->model.correction = is->spec.run.correction;
	if (!change_methods(&j)) return false;
	*out = (scene_change){.kinds = j.kinds};
	return change_response(&j, out);
}

static const char *wall_names(const void *of, int i)
{
	const walls *all = of;
	return i < all->count ? all->row[i].name : NULL;
}

static void check_wall_name(reader *r, const until_spec *u)
{
	const walls *all = &r->world->model.wall;
	if (!u->wall || scree_walls_find(all, u->wall) >= 0) return;
	REFUSE_VALUE(r, &u->h, "wall", NULL, "wall: there is no wall '%.60s'%s", u->wall,
				 scree_meant(&r->r, u->wall, wall_names, all));
}

/* Checks that the periodic cell of this stage has the quantity or axis named in the condition that ends the stage. */
static void check_cell_end(reader *r, const stage_spec *s)
{
	const model *m = &r->world->model;
	const stage_rule rule = rule_of(s);
	const until_spec *u = &s->until;
	const char axis = "xyz"[rule.along > 0 ? rule.along : 0];
	if (rule.end == END_STRESS && !m->period.on)
		REFUSE_KEY(r, &u->h, "stress", "for example, use the pressure on a wall",
				   "stress: only a world with world.periodic has a stress");
	if (rule.end == END_STRAIN && !m->period.deforms)
		REFUSE_KEY(r, &u->h, "strain", NULL,
				   "strain: only a cell with world.strain_rate, strain_table or servo has a strain");
	else if (rule.end == END_STRAIN && rule.along >= 0 && !m->period.axis[rule.along])
		REFUSE_KEY(r, &u->h, "along", NULL, "along: the world is not periodic along %c", axis);
	if (rule.end == END_STRESS && rule.along == 2 && m->flat)
		REFUSE_KEY(r, &u->h, "along", NULL, "along: there is no z in dimension 2");
	if (rule.end == END_SERVO && !(m->period.deforms && cell_has_servo(&m->cell)))
		REFUSE_KEY(r, &u->h, "servo", NULL, "servo: world.servo controls no axis of the cell in this stage");
}

/* Parts of a world that a stage can change. */
typedef struct kept_world {
	model was; /* without its rows, which are stored separately below */
	wall *wall;
	wall_state *at;
	material *material;
	contact_rule *rule;
	source *source;
	sink *sink;
} kept_world;

static kept_world keep(const scree_world *w)
{
	const model *m = &w->model;
	const size_t walls = (size_t)m->wall.count, materials = (size_t)m->material.count;
	return (kept_world){.was = *m,
						.wall = scree_copy(m->wall.row, walls, sizeof *m->wall.row),
						.at = scree_copy(w->state.wall, walls, sizeof *w->state.wall),
						.material = scree_copy(m->material.row, materials, sizeof *m->material.row),
						.rule = scree_copy(m->material.rule, materials * materials, sizeof *m->material.rule),
						.source = scree_copy(m->population.source, (size_t)m->population.sources, sizeof(source)),
						.sink = scree_copy(m->population.sink, (size_t)m->population.sinks, sizeof(sink))};
}

static void put_rows(void *to, void *from, int32_t count, size_t size)
{
	if (count) memcpy(to, from, (size_t)count * size);
	scree_free(from);
}

static void put_back(scree_world *w, kept_world *o)
{
	model *m = &w->model;
	put_rows(m->wall.row, o->wall, m->wall.count, sizeof *o->wall);
	put_rows(w->state.wall, o->at, m->wall.count, sizeof *o->at);
	put_rows(m->material.row, o->material, m->material.count, sizeof *o->material);
	put_rows(m->material.rule, o->rule, m->material.count * m->material.count, sizeof *o->rule);
	put_rows(m->population.source, o->source, m->population.sources, sizeof *o->source);
	put_rows(m->population.sink, o->sink, m->population.sinks, sizeof *o->sink);
	m->guard = o->was.guard;
	m->cell = o->was.cell;
	m->gravity = o->was.gravity;
	m->correction = o->was.correction;
	m->unsafe = o->was.unsafe;
	m->integrator = o->was.integrator;
	m->search = o->was.search;
	m->skin = o->was.skin;
	m->skin_given = o->was.skin_given;
	model_respond(m, o->was.response);
}

/* A step chosen by the engine is shortened if the stage requires it, for example because a wall presses harder. */
static bool prepare_stage(scree_world *w, bool chosen, real part, real step, fail *why)
{
	fail of_default = {0};
	if (scree_world_prepare(w, part, step, why)) return true;
	return chosen && scree_world_prepare(w, part, 0, &of_default) && w->model.dt < step;
}

/* Limits on the time steps of all stages, determined at the start. */
typedef struct rehearsal {
	real part, step, least; /* least: smallest step of the first response, in s */
	bool chosen;			/* the engine chose the step and may shorten it */
	real *mass;				/* [walls] largest mass of a servo in any stage, in kg */
} rehearsal;

static void note_response(reader *r, const stage_spec *s, const response *was)
{
	const model *m = &r->world->model;
	scree_writing_add(&r->notes, "note: stage %s: response: %s after %s, in steps of %.3g s: %s\n", s->name,
					  m->response->name, was->name, m->dt, scree_response_keeps(was, m->response));
}

/* largest sum of prescribed strain rates at any time, in 1/s */
static real given_rate(const cell_rule *c)
{
	real most = real_abs(c->rate.x + c->rate.y + c->rate.z);
	for (int32_t k = 0; k < c->over.rows; ++k) {
		const vec3 v = c->over.row[k].value;
		most = real_max(most, real_abs(v.x + v.y + v.z));
	}
	return most;
}

/* Warns about a cell's servo that cannot keep up with the other axes at constant volume. stage: NULL for the scene */
static void note_cell(reader *r, const char *stage)
{
	const cell_rule *c = &r->world->model.cell;
	const int axes = c->servo[0] + c->servo[1] + c->servo[2];
	if (!r->world->model.period.deforms || !axes || !(c->limit > 0)) return;
	const real needed = given_rate(c) / (real)axes;
	if (c->limit >= needed) return;
	scree_writing_add(
		&r->notes,
		"warning: %s%s%sworld.servo moves its axes by at most %.3g 1/s, but at a constant volume the other "
		"axes need %.3g 1/s: its stress will not be reached: raise world.servo.max_rate, or lower the "
		"strain rates\n",
		stage ? "stage " : "", stage ? stage : "", stage ? ": " : "", c->limit, needed);
}

/* A different response has its own step, which does not shorten the run's step. */
static bool rehearse_change(reader *r, const stage_spec *s, const scene_change *change, rehearsal *o, fail *why)
{
	const response *was = r->world->model.response;
	const bool given = change->step > 0 || change->part > 0;
	if (change->response) model_respond(&r->world->model, change->response);
	if (change->response || given) {
		o->chosen = false;
		o->part = change->part, o->step = change->step;
	}
	const bool good = prepare_stage(r->world, o->chosen, o->part, o->step, why);
	if (good && change->response) note_response(r, s, was);
	if (good) o->step = r->world->model.dt;
	if (good && o->chosen) o->least = o->step;
	return good;
}

/* Sets servo masses that are derived from the step and the bodies. */
static void note_masses(rehearsal *o, const walls *all)
{
	for (int32_t k = 0; k < all->count; ++k) {
		const wall *is = all->row + k;
		if (motion_is_driven(is->motion.type) && !(is->motion.servo.mass > 0))
			o->mass[k] = real_max(o->mass[k], is->servo.mass);
	}
}

real scree_build_rehearse(reader *r, real part, bool chosen, real *mass)
{
	const scene_spec whole = r->spec;
	const stage_spec *s = whole.stages.item;
	node *root = r->root;
	kept_world before = keep(r->world);
	rehearsal o = {
		.part = part, .step = r->world->model.dt, .least = r->world->model.dt, .chosen = chosen, .mass = mass};
	fail why = {0};
	for (int32_t k = 0; k < whole.stages.count; ++k) check_wall_name(r, &s[k].until);
	if (whole.stages.count) check_cell_end(r, s);
	note_cell(r, NULL);
	for (int32_t k = 1; k < whole.stages.count && !r->r.total; ++k) {
		scene_change change;
		const bool good = scree_build_changes(r, r->stage + k - 1, r->stage + k, r->world, &change, &why) &&
						  rehearse_change(r, s + k, &change, &o, &why);
		if (good) note_masses(&o, &r->world->model.wall);
		if (good) note_cell(r, s[k].name);
		if (good)
			check_cell_end(r, s + k);
		else
			REFUSE(r, s[k].h.where, NULL, "stage %s: %s", s[k].name, why.text);
	}
	put_back(r->world, &before);
	r->root = root;
	r->spec = whole;
	return o.least;
}
