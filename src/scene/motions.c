/* motions: builds the motions of walls and of the periodic cell from their keys. */
#include "scene/reader.h"

#include "model/model.h"

/* sets a table from the rows of a list of numbers (times the factor), or of a list of vectors */
static motion_table build_rows(walls *all, const spec_list *times, const spec_list *numbers, const spec_list *vectors,
							   real factor, motion_table_kind kind)
{
	const spec_list *of = numbers->count ? numbers : vectors;
	const int32_t rows = of->count < times->count ? of->count : times->count; /* a wrong count has been reported */
	const real *time = times->item, *number = numbers->item;
	const vec3 *vector = vectors->item;
	motion_row *row = scree_alloc((size_t)rows, sizeof *row);
	for (int32_t k = 0; k < rows; ++k) {
		const vec3 value = numbers->count ? v3(factor * number[k], 0, 0) : vector[k];
		row[k].time = time[k];
		*(kind == TABLE_RATES ? &row[k].slope : &row[k].value) = value;
	}
	motion_table out = scree_motion_table_of(row, rows, kind);
	out.row = scree_walls_keep(all, row, rows, sizeof *row);
	scree_free(row);
	return out;
}

static motion_table table_of(walls *all, const table_spec *s)
{
	const bool rates = s->velocity.count || s->angular_velocity.count;
	const motion_table_kind kind = rates ? TABLE_RATES : s->interpolate ? TABLE_SMOOTH : TABLE_LINEAR;
	return build_rows(all, &s->time, rates ? &s->angular_velocity : &s->angle, rates ? &s->velocity : &s->position, 1,
					  kind);
}

static void set_load(walls *all, const servo_spec *s, servo_rule *out)
{
	const table_spec *t = &s->table;
	const spec_list *loads = t->force.count ? &t->force : t->torque.count ? &t->torque : &t->pressure;
	const motion_table_kind kind = t->interpolate ? TABLE_SMOOTH : TABLE_LINEAR;
	if (!t->h.where) return;
	out->over = build_rows(all, &t->time, loads, &(spec_list){0}, loads == &t->pressure ? s->area : 1, kind);
	out->force = 0;
	for (int32_t k = 0; k < out->over.rows; ++k) out->force = real_max(out->force, out->over.row[k].value.x);
}

static wall_motion build_one(walls *all, const motion_spec *m)
{
	wall_motion out = {.type = MOTION_STILL, .axis = v3(0, 0, 1), .until = INFINITY};
	const key *form = scree_form_given(&m->h);
	if (!form || form->make->several) return out;
	out.from = m->from;
	out.ramp = m->ramp;
	if (scree_node_child(m->h.where, "until")) out.until = m->until;
	form->make->motion(m, &out);
	if (m->table.h.where) out.table = table_of(all, &m->table);
	if (m->servo.h.where) set_load(all, &m->servo, &out.servo);
	return out;
}

/* Times in a list are counted from the start of the wall's motion, and no entry lasts beyond the end of this motion. */
static void set_times(const motion_spec *m, const motion_spec *entry, bool after, real *time, wall_motion *out)
{
	const real end = scree_node_child(m->h.where, "until") ? m->until : INFINITY;
	if (after) {
		out->from = *time;
		out->until = entry->duration > 0 ? *time + entry->duration : INFINITY;
		*time = out->until;
	} else {
		out->from += m->from;
		out->until += m->from;
	}
	out->until = real_min(out->until, end);
	out->from = real_min(out->from, out->until);
}

/* A servo or a free motion is applied last: it moves the wall along or about an axis that is fixed in space. */
static void build_several(walls *all, const motion_spec *m, const spec_list *list, bool after, wall *to)
{
	const motion_spec *entry = list->item;
	wall_motion *part = scree_alloc((size_t)list->count, sizeof *part);
	int32_t count = 0, servo = -1;
	real time = m->from;
	for (int32_t k = 0; k < list->count; ++k) {
		part[k] = build_one(all, entry + k);
		set_times(m, entry + k, after, &time, part + k);
		if (motion_is_driven(part[k].type)) servo = k;
	}
	to->motion = part[servo >= 0 ? servo : list->count - 1];
	for (int32_t k = 0; k < list->count; ++k)
		if (k != (servo >= 0 ? servo : list->count - 1)) part[count++] = part[k];
	for (int32_t k = 0; k < count; ++k) part[k].axis = v3_unit(part[k].axis);
	to->parts = count;
	to->part = scree_walls_keep(all, part, count, sizeof *part);
	scree_free(part);
}

void scree_build_motion(walls *all, const motion_spec *m, wall *to)
{
	const bool after = m->sequence.count > 0;
	to->parts = 0;
	to->part = NULL;
	to->motion = build_one(all, m);
	if (after || m->all.count) build_several(all, m, after ? &m->sequence : &m->all, after, to);
}

const servo_spec *scree_motion_servo(const motion_spec *m)
{
	const spec_list *list = m->sequence.count ? &m->sequence : &m->all;
	const motion_spec *entry = list->item;
	if (m->servo.h.where) return &m->servo;
	for (int32_t k = 0; k < list->count; ++k)
		if (entry[k].servo.h.where) return &entry[k].servo;
	return NULL;
}

/* tests whether the times of a table increase */
static void check_times(reader *r, const head *h, const spec_list *times)
{
	const real *time = times->item;
	for (int32_t k = 1; k < times->count; ++k)
		if (!(time[k] > time[k - 1])) {
			scree_report(&r->r, scree_entry(h, "time", k), NULL, "time: times must increase, but %g s follows %g s",
						 time[k], time[k - 1]);
			return;
		}
}

/* Tests whether the list of values has as many rows as the list of times. */
static void check_rows(reader *r, const table_spec *t, const char *name, const spec_list *values)
{
	if (!scree_node_child(t->h.where, name)) return;
	if (!scree_node_child(t->h.where, "time"))
		REFUSE(r, t->h.where, NULL, "table: the key 'time' is missing (times of the rows, in s)");
	else if (values->count != t->time.count)
		REFUSE_VALUE(r, &t->h, name, NULL, "%s: %d values for %d times", name, values->count, t->time.count);
	else if (!values->count)
		REFUSE_VALUE(r, &t->h, name, NULL, "%s: at least one row was expected", name);
}

static void check_table(reader *r, const table_spec *t)
{
	const struct {
		const char *name;
		const spec_list *values;
	} lists[] = {{"position", &t->position}, {"velocity", &t->velocity},
				 {"angle", &t->angle},		 {"angular_velocity", &t->angular_velocity},
				 {"force", &t->force},		 {"pressure", &t->pressure},
				 {"torque", &t->torque}};
	if (!t->h.where || t->h.where->type != NODE_MAP) return;
	check_times(r, &t->h, &t->time);
	for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k) check_rows(r, t, lists[k].name, lists[k].values);
	if (t->interpolate && (t->velocity.count || t->angular_velocity.count))
		REFUSE_KEY(r, &t->h, "interpolate", "remove it", "interpolate: velocities are always linear between rows");
}

/* Checks the keys of servos that rotate a wall and of servos that shift it. */
static void check_turning(reader *r, const servo_spec *v, bool turns)
{
	static const char *const of_turning[] = {"point", "inertia", "max_angular_velocity"};
	static const char *const of_shifting[] = {"mass", "max_speed", "travel"};
	for (int i = 0; i < 3; ++i) {
		const char *name = turns ? of_shifting[i] : of_turning[i];
		if (scree_node_child(v->h.where, name))
			REFUSE_KEY(r, &v->h, name, turns ? "use inertia, max_angular_velocity" : "use mass, max_speed",
					   "servo: '%s' belongs to a servo with %s", name, turns ? "a force" : "a torque");
	}
	if (turns && !r->flat && !scree_node_child(v->h.where, "axis"))
		REFUSE(r, v->h.where, "for example, axis: z", "servo: a torque needs the key 'axis'");
}

/* Motions determined by the forces on the wall; a wall has at most one such motion. */
static bool is_driven(const motion_spec *m)
{
	return m->servo.h.where || m->free.h.where || m->wheel.h.where || scree_node_child(m->h.where, "torque");
}

static void check_free(reader *r, const free_spec *f, const motion_spec *m, const char *speed)
{
	if (!f->h.where || f->h.where->type != NODE_MAP) return;
	if (scree_node_child(f->h.where, "travel") && !(f->travel[0] <= 0 && f->travel[1] >= 0))
		REFUSE_VALUE(r, &f->h, "travel", NULL, "travel: must contain 0, where the wall starts");
	if (f->speed != 0 && m->from > 0)
		REFUSE_KEY(r, &f->h, speed, NULL, "%s: a wall that is at rest before `from` must begin at rest", speed);
}

static void check_servo(reader *r, const servo_spec *v)
{
	const table_spec *t = &v->table;
	const spec_list *loads = t->force.count ? &t->force : t->torque.count ? &t->torque : &t->pressure;
	const real *load = loads->item;
	bool presses = false;
	if (!v->h.where) return;
	const bool area = scree_given(&v->h, "area"), pressure = scree_given(&v->h, "pressure") || t->pressure.count;
	if (area != pressure)
		REFUSE(r, v->h.where, "for example, pressure: 10 kPa, area: 4 cm^2",
			   "servo: 'pressure' and 'area' belong together");
	check_turning(r, v, v->torque > 0 || t->torque.count);
	if (scree_node_child(v->h.where, "travel") && !(v->travel[0] <= 0 && v->travel[1] >= 0))
		REFUSE_VALUE(r, &v->h, "travel", NULL, "travel: must contain 0, where the wall starts");
	check_table(r, t);
	for (int32_t k = 0; k < loads->count; ++k) presses |= load[k] > 0;
	if (loads->count && !presses)
		REFUSE(r, t->h.where, NULL, "table: all loads are 0, but a servo needs at least one load above 0");
}

/* Tests whether the short form of a wheel has both keys. */
static void check_torque(reader *r, const motion_spec *m)
{
	const bool torque = scree_node_child(m->h.where, "torque"), inertia = scree_node_child(m->h.where, "inertia");
	if (torque && !inertia && !m->h.strangers)
		REFUSE_KEY(r, &m->h, "torque", "add inertia: 1e-3 kg*m^2, or write servo: {torque: ..}, which finds its own",
				   "motion: 'torque' needs the key 'inertia' (moment of inertia of the wall, in kg*m^2)");
	if (inertia && !torque)
		REFUSE_KEY(r, &m->h, "inertia", "write torque: 0 N*m, or wheel: {inertia: ..}",
				   "motion: 'inertia' belongs to torque");
}

static void check_one(reader *r, const motion_spec *m)
{
	const node *n = m->h.where;
	const key *form = scree_form_given(&m->h);
	const table_spec *t = &m->table;
	const bool turns = !form || (form->make->turns && (!t->h.where || t->angle.count || t->angular_velocity.count));
	static const char *const of_rotation[] = {"about", "point"};
	for (int i = 0; i < 2; ++i)
		if (scree_node_child(n, of_rotation[i]) && !turns)
			REFUSE_KEY(r, &m->h, of_rotation[i], "remove it",
					   "motion: '%s' belongs to angular_velocity, torque, or a table of angles", of_rotation[i]);
	check_servo(r, &m->servo);
	check_torque(r, m);
	check_table(r, t);
	check_free(r, &m->free, m, "speed");
	check_free(r, &m->wheel, m, "angular_velocity");
	if (m->ramp > 0 && (t->h.where || (form && form->make->several)))
		REFUSE_KEY(r, &m->h, "ramp", "remove it", "motion: '%s' has no ramp", form ? form->name : "table");
	if (scree_node_child(n, "until") && m->until <= m->from)
		REFUSE_VALUE(r, &m->h, "until", NULL, "until: must be later than from");
}

static void refuse_time(reader *r, const motion_spec *m, const char *name, const char *cure)
{
	if (scree_node_child(m->h.where, name))
		REFUSE_KEY(r, &m->h, name, cure, "motion: '%s' does not belong to %s", name,
				   strcmp(name, "for") ? "an entry of a sequence" : "an entry of `all`");
}

static void check_list(reader *r, const spec_list *list, bool after)
{
	const motion_spec *entry = list->item;
	bool presses = false;
	for (int32_t k = 0; k < list->count; ++k) {
		const motion_spec *m = entry + k;
		if (!m->h.where || m->h.where->type != NODE_MAP) continue;
		check_one(r, m);
		if (after)
			refuse_time(r, m, "from", "each begins when the one before it ends; to wait, add velocity: [0, 0, 0]");
		if (after) refuse_time(r, m, "until", "give its duration with `for`");
		if (!after) refuse_time(r, m, "for", "write until");
		if (after && k + 1 < list->count && !(m->duration > 0))
			REFUSE(r, m->h.where, "for example, for: 1 s",
				   "motion: the key 'for' is missing (only the last motion may last without end)");
		if (presses && is_driven(m))
			REFUSE(r, m->h.where, "a table can change the force over time, stages can change everything",
				   "motion: a wall can have only one of servo, free and wheel");
		presses |= is_driven(m);
	}
}

void scree_check_wall_motion(reader *r, const motion_spec *m)
{
	if (!m->h.where || m->h.where->type != NODE_MAP) return;
	check_one(r, m);
	check_list(r, &m->sequence, true);
	check_list(r, &m->all, false);
}

bool scree_motion_is_driven(const motion_spec *m)
{
	const spec_list *list = m->sequence.count ? &m->sequence : &m->all;
	const motion_spec *entry = list->item;
	for (int32_t k = 0; k < list->count; ++k)
		if (is_driven(entry + k)) return true;
	return is_driven(m);
}

/* ------------------------------------------------------------------ the periodic cell
 * Motions that change the cell's size, and rules for keys of `world` that the table of keys cannot express. */

static bool gives(const head *h, const char *name) { return scree_node_child(h->where, name); }

/* name: the key that gives the values */
static void check_cell_table(reader *r, const cell_table_spec *t, const char *name)
{
	if (!t->h.where || t->h.where->type != NODE_MAP || !gives(&t->h, name)) return;
	if (!gives(&t->h, "time")) {
		REFUSE(r, t->h.where, NULL, "%s: the key 'time' is missing (times of the rows, in s)", t->h.where->key);
		return;
	}
	if (!t->time.count || t->value.count != t->time.count)
		REFUSE_VALUE(r, &t->h, name, NULL, "%s: %d values for %d times", name, t->value.count, t->time.count);
	check_times(r, &t->h, &t->time);
}

/* Tests whether a strain is given along this axis; a number that could not be read does not count. */
static bool strains(const world_spec *w, int32_t d)
{
	const vec3 *rate = w->strain_table.value.item;
	bool any = real_abs(v3_part(w->strain_rate, d)) > 0;
	for (int32_t k = 0; k < w->strain_table.value.count; ++k) any |= real_abs(v3_part(rate[k], d)) > 0;
	return any;
}

/* Tests whether all axes with a servo have a stress; numbers that could not be read have already been reported. */
static bool check_stress(reader *r, vec3 stress, const bool servo[3], place at)
{
	for (int32_t d = 0; d < 3; ++d)
		if (servo[d] && v3_part(stress, d) <= 0)
			return scree_report(&r->r, at, "name the axes that have one: axes: [x, y], say",
								"stress: a positive stress along %c was expected", "xyz"[d]);
	return true;
}

static void check_cell_servo(reader *r, const world_spec *w, const bool periodic[3], bool servo[3])
{
	const cell_servo_spec *o = &w->servo;
	const int32_t *axis = o->axes.item;
	if (!o->h.where || o->h.where->type != NODE_MAP) return;
	for (int32_t d = 0; d < 3; ++d) servo[d] = o->active && periodic[d] && !o->axes.count;
	for (int32_t k = 0; k < o->axes.count; ++k) {
		if (axis[k] < 0) continue;
		servo[axis[k]] = o->active;
		if (!periodic[axis[k]])
			scree_report(&r->r, scree_entry(&o->h, "axes", k), "add it to periodic",
						 "axes: the world is not periodic along %c", "xyz"[axis[k]]);
	}
	check_cell_table(r, &o->table, "stress");
	if (gives(&o->h, "stress")) check_stress(r, o->stress, servo, scree_where(&o->h, "stress")->at);
	for (int32_t k = 0; k < o->table.value.count; ++k)
		if (!check_stress(r, ((const vec3 *)o->table.value.item)[k], servo, scree_entry(&o->table.h, "stress", k)))
			return;
}

void scree_check_cell(reader *r, const world_spec *w, const bool periodic[3])
{
	static const char axis[] = "xyz";
	bool servo[3] = {false, false, false};
	const node *rate = scree_node_child(w->h.where, "strain_rate");
	if (!rate) rate = scree_node_child(w->h.where, "strain_table");
	check_cell_table(r, &w->strain_table, "rate");
	check_cell_servo(r, w, periodic, servo);
	for (int32_t d = 0; rate && d < 3; ++d) {
		if (!strains(w, d)) continue;
		if (!periodic[d])
			REFUSE(r, rate, "add it to periodic", "%s: the world is not periodic along %c", rate->key, axis[d]);
		if (servo[d])
			REFUSE(r, rate, "name the axes of the servo: servo: {axes: [x, y], ..}, say",
				   "%s: the size along %c follows from the stress of the servo", rate->key, axis[d]);
	}
	if (w->servo.h.where && !(periodic[0] || periodic[1] || periodic[2]))
		REFUSE(r, w->servo.h.where, "add periodic: [x, y, z], say", "servo: space is not periodic");
}

static motion_table cell_table_of(walls *all, const cell_table_spec *s)
{
	return build_rows(all, &s->time, &(spec_list){0}, &s->value, 1, TABLE_LINEAR);
}

/* Returns the largest stress along an axis. */
static real greatest(const motion_table *t, vec3 constant, int32_t axis)
{
	real most = t->rows ? 0 : v3_part(constant, axis);
	for (int32_t k = 0; k < t->rows; ++k) most = real_max(most, v3_part(t->row[k].value, axis));
	return most;
}

bool scree_build_cell(const world_spec *s, walls *all, cell_rule *out)
{
	const cell_servo_spec *servo = &s->servo;
	const spec_list *axes = servo->axes.count ? &servo->axes : &s->periodic;
	const int32_t *axis = axes->item;
	*out = (cell_rule){.rate = s->strain_rate, .limit = servo->max_rate, .lag = servo->lag};
	if (s->strain_table.h.where) out->over = cell_table_of(all, &s->strain_table);
	if (servo->table.h.where) out->goal = cell_table_of(all, &servo->table);
	for (int32_t k = 0; servo->h.where && servo->active && k < axes->count; ++k) {
		out->servo[axis[k]] = true;
		*v3_along(&out->stress, axis[k]) = greatest(&out->goal, servo->stress, axis[k]);
	}
	return servo->h.where || s->strain_table.h.where || scree_node_child(s->h.where, "strain_rate");
}
