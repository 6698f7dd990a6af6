/* check_motions: rules of motions of walls beyond the table of keys. */
#include "scene/reader.h"

void scree_check_times(reader *r, const head *h, const spec_list *times)
{
	const real *time = times->item;
	for (int32_t k = 1; k < times->count; ++k)
		if (!(time[k] > time[k - 1])) {
			scree_report(&r->r, scree_entry(h, "time", k), NULL, "time: times must rise, and %g s follows %g s",
						 time[k], time[k - 1]);
			return;
		}
}

/* The list of values has as many rows as that of times. */
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
	scree_check_times(r, &t->h, &t->time);
	for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k) check_rows(r, t, lists[k].name, lists[k].values);
	if (t->interpolate && (t->velocity.count || t->angular_velocity.count))
		REFUSE_KEY(r, &t->h, "interpolate", "remove it", "interpolate: velocities are linear between rows");
}

/* Keys of servos that turn, and of those that shift. */
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

/* Motions that follow from the forces on the wall; a wall has one at most. */
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
		REFUSE_KEY(r, &f->h, speed, NULL, "%s: a wall that is at rest before `from` begins at rest", speed);
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
	if (loads->count && !presses) REFUSE(r, t->h.where, NULL, "table: all loads are 0; a servo needs a greater one");
}

/* The short form of a wheel has both keys. */
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
		if (after) refuse_time(r, m, "until", "give its duration by `for`");
		if (!after) refuse_time(r, m, "for", "write until");
		if (after && k + 1 < list->count && !(m->duration > 0))
			REFUSE(r, m->h.where, "for example, for: 1 s",
				   "motion: the key 'for' is missing (only the last motion may last without end)");
		if (presses && is_driven(m))
			REFUSE(r, m->h.where, "a table changes the force over time, stages change all",
				   "motion: a wall has one servo, free or wheel at most");
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
