/* arrays: access to columns of the table of bodies by name, without copying. Orientations are copies, since the state
 * stores the orientations of the principal axes (shape/shape_axes.h). */
#include "library/internal.h"

#include "shape/shape_axes.h"
#include "world/world.h"

#include <string.h>

uint64_t scree_in_epoch(const scree_sim *s) { return scree_world_epoch(s->w); }

int64_t scree_in_bodies(const scree_sim *s) { return s->w->state.body.owned; }

static void make_room(copies *o, int32_t count)
{
	for (int c = 0; c < COPIES; ++c) {
		scree_free(o->of[c]);
		o->of[c] = scree_alloc((size_t)count + 1, sizeof *o->of[c]);
	}
}

/* Copies keep their addresses until the epoch changes, since the caller may still use them. */
static void make_copies(scree_sim *s)
{
	const bodies *b = &s->w->state.body;
	copies *o = &s->copy;
	const uint64_t epoch = scree_in_epoch(s);
	if (scree_sim_has_copies(s)) return;
	if (o->epoch != epoch || !o->of[0]) make_room(o, b->owned);
	for (int32_t i = 0; i < b->owned; ++i) {
		const shape *form = s->w->model.shape.row + b->shape[i];
		const quat q = shape_axes_out(form, body_orientation(b, i));
		o->of[0][i] = q.w, o->of[1][i] = q.x, o->of[2][i] = q.y, o->of[3][i] = q.z;
		o->of[4][i] = b->size[i] / form->scale;
	}
	o->made = s->changes;
	o->epoch = epoch;
}

static int find_name(const char *name, int count, const char *const *names)
{
	int k = count - 1;
	while (k >= 0 && strcmp(name, names[k]) != 0) --k;
	return k;
}

/* index of a copy, 0 to COPIES-1; -1 if the column is not a copy */
static int copy_of(const char *name)
{
	static const char *const names[COPIES] = {"qw", "qx", "qy", "qz", "size"};
	return find_name(name, COPIES, names);
}

/* The columns are those of a snapshot, without the records of the energy guard. */
static bool is_shown(const field *f)
{
	return f->saved && strcmp(f->name, "energy") != 0 && strcmp(f->name, "stirred") != 0;
}

/* Number of columns: the fields of the table, and temperatures; other optional arrays belong to integrators. */
static int rows_of(const scree_sim *s)
{
	return scree_body_table.count + (body_temperatures(&s->w->state.body) ? scree_heat_table.count : 0);
}

static const field *shown(const scree_sim *s, int column)
{
	for (int k = 0; k < rows_of(s) && column >= 0; ++k) {
		const field *f = scree_body_row(&s->w->state.body, k);
		if (is_shown(f) && column-- == 0) return f;
	}
	return NULL;
}

static bool is_writable(const char *name)
{
	static const char *const names[] = {"x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"};
	return find_name(name, sizeof names / sizeof *names, names) >= 0;
}

static scree_type type_of(const field *f)
{
	return f->type == KIND_F64 ? SCREE_F64 : f->type == KIND_I32 ? SCREE_I32 : SCREE_U64;
}

static scree_code give(scree_sim *s, const field *f, scree_array *out)
{
	const int c = copy_of(f->name);
	scree_sim_look(s); /* computes forces at t = 0, and sorts rows as at the start of the first step */
	if (c >= 0) make_copies(s);
	*out = (scree_array){.name = f->name,
						 .unit = f->unit,
						 .help = f->help,
						 .data = c >= 0 ? s->copy.of[c] : scree_field_array(&s->w->state.body, f),
						 .type = type_of(f),
						 .rows = s->w->state.body.owned,
						 .writable = is_writable(f->name),
						 .epoch = scree_in_epoch(s)};
	return SCREE_DONE;
}

int scree_in_arrays(const scree_sim *s)
{
	int count = 0;
	for (int k = 0; k < rows_of(s); ++k) count += is_shown(scree_body_row(&s->w->state.body, k));
	return count;
}

scree_code scree_in_array_at(scree_sim *s, int column, scree_array *out)
{
	const field *f = shown(s, column);
	if (!f) return scree_sim_refuse(s, "bodies have no column %d; there are %d columns", column, scree_in_arrays(s));
	return give(s, f, out);
}

scree_code scree_in_array(scree_sim *s, const char *name, scree_array *out)
{
	for (int k = 0; name && k < rows_of(s); ++k) {
		const field *f = scree_body_row(&s->w->state.body, k);
		if (is_shown(f) && !strcmp(f->name, name)) return give(s, f, out);
	}
	return scree_sim_refuse(s, "bodies have no column '%s'", name ? name : "");
}

static void sort_ids(scree_sim *s)
{
	const bodies *b = &s->w->state.body;
	scree_free(s->id.item);
	s->id.item = NULL;
	s->id = scree_ids_of_rows(b, 0, b->owned);
	s->id_epoch = scree_in_epoch(s);
}

int64_t scree_sim_find(scree_sim *s, uint64_t id)
{
	if (s->id_epoch != scree_in_epoch(s)) sort_ids(s);
	return id_value(&s->id, id);
}

/* rows have the same order as in arrays */
int64_t scree_in_row(scree_sim *s, uint64_t id)
{
	scree_sim_look(s);
	return scree_sim_find(s, id);
}
