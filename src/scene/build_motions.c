/* build_motions: motions of walls, from their keys. */
#include "scene/reader.h"

#include "base/memory.h"

/* ------------------------------------------------------------------ tables */

motion_table scree_build_rows(walls *all, const spec_list *times, const spec_list *numbers, const spec_list *vectors,
							  real factor, table_kind kind)
{
	const spec_list *of = numbers->count ? numbers : vectors;
	const int32_t rows = of->count < times->count ? of->count : times->count; /* another count was reported */
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
	const table_kind kind = rates ? TABLE_RATES : s->interpolate ? TABLE_SMOOTH : TABLE_LINEAR;
	return scree_build_rows(all, &s->time, rates ? &s->angular_velocity : &s->angle,
							rates ? &s->velocity : &s->position, 1, kind);
}

static void set_load(walls *all, const servo_spec *s, servo_rule *out)
{
	const table_spec *t = &s->table;
	const spec_list *loads = t->force.count ? &t->force : t->torque.count ? &t->torque : &t->pressure;
	const table_kind kind = t->interpolate ? TABLE_SMOOTH : TABLE_LINEAR;
	if (!t->h.where) return;
	out->over = scree_build_rows(all, &t->time, loads, &(spec_list){0}, loads == &t->pressure ? s->area : 1, kind);
	out->force = 0;
	for (int32_t k = 0; k < out->over.rows; ++k) out->force = real_max(out->force, out->over.row[k].value.x);
}

/* ------------------------------------------------------------------ motions */

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

/* Times of a list count from the beginning of the wall's motion, and end with it. */
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

/* A servo, or a free motion, is the last of all: it moves the wall along or about an axis that is fixed in space. */
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
