#include "format/tables.h"

#include "base/memory.h"
#include "format/contacts_by_id.h"
#include "shape/shape_axes.h"
#include "world/world.h"
#include "world/slice.h"

#include <math.h>
#include <string.h>

#define QUATERNION(help)                                                                                               \
	{"qw", "", help}, {"qx", "", help}, {"qy", "", help}, { "qz", "", help }
#define TIME                                                                                                           \
	{                                                                                                                  \
		"time", "s", "simulated time"                                                                                  \
	}

static const csv_column of_bodies[] = {
	TIME,
	{"id", "", "number of the body, which never changes"},
	CSV_VECTOR("x", "y", "z", "m", "position of the centre of mass"),
	CSV_VECTOR("vx", "vy", "vz", "m/s", "velocity of the centre of mass"),
	QUATERNION("rotation of the shape's own axes, as a quaternion"),
	CSV_VECTOR("wx", "wy", "wz", "rad/s", "angular velocity, in the axes of the world"),
	CSV_VECTOR("fx", "fy", "fz", "N", "sum of the forces of contacts on the body"),
	CSV_VECTOR("tx", "ty", "tz", "N*m", "sum of the torques of contacts on the body, about its centre of mass"),
	{"size", "m", "size as given in the scene: the factor that scales the unit shape"},
	{"mass", "kg", "mass of the body"},
	{"shape", "", "name of its shape"},
	{"material", "", "name of its material"},
	{"temperature", "K", "temperature of the body, in scenes with heat"},
};
static const csv_column of_walls[] = {
	TIME,
	{"wall", "", "name of the wall"},
	CSV_VECTOR("x", "y", "z", "m", "position of the wall's frame, which is at the origin at the start"),
	CSV_VECTOR("vx", "vy", "vz", "m/s", "velocity of the wall's frame"),
	CSV_VECTOR("fx", "fy", "fz", "N", "force of all bodies on the wall"),
	CSV_VECTOR("tx", "ty", "tz", "N*m", "torque of all bodies on the wall, about its position"),
	{"pressure", "Pa", "sum of the normal forces of bodies divided by the area of the wall; nan if it has no area"},
	{"power", "W", "power of the bodies on the wall: force times velocity plus torque times angular velocity"},
	QUATERNION("rotation of the wall since the start, as a quaternion"),
	CSV_VECTOR("wx", "wy", "wz", "rad/s", "angular velocity of the wall"),
};
static const csv_column of_contacts[] = {
	TIME,
	{"a", "", "id of the first body"},
	{"b", "", "id of the second body; 0: a wall"},
	{"wall", "", "name of the wall; empty: two bodies"},
	CSV_VECTOR("x", "y", "z", "m", "point of the contact"),
	CSV_VECTOR("nx", "ny", "nz", "", "normal, from b to a"),
	CSV_VECTOR("fx", "fy", "fz", "N", "force of the contact on a"),
	{"normal", "N", "normal part of the force"},
	{"tangential", "N", "length of the tangential part of the force"},
	{"overlap", "m", "overlap of the contact"},
	{"material_a", "", "name of the material of a"},
	{"material_b", "", "name of the material of b, or of the wall"},
};

const csv_column *scree_table_columns(table_kind kind, int *count)
{
	static const struct {
		const csv_column *row;
		int count;
	} tables[TABLES] = {[TABLE_BODIES] = {of_bodies, sizeof of_bodies / sizeof *of_bodies},
						[TABLE_WALLS] = {of_walls, sizeof of_walls / sizeof *of_walls},
						[TABLE_CONTACTS] = {of_contacts, sizeof of_contacts / sizeof *of_contacts}};
	*count = tables[kind].count;
	return tables[kind].row;
}

/* The header is empty for trajectories. The temperature is the last column of the table of bodies. */
static char *header_of(table_kind kind, const scree_world *w)
{
	int count;
	const csv_column *row = scree_table_columns(kind, &count);
	if (kind == TABLE_BODIES && !w->model.heat) --count;
	return row ? scree_csv_header(row, count) : scree_copy_text("");
}

csv *scree_table_open(const char *path, table_kind kind, const scree_world *w, const csv_mark *mark, fail *why)
{
	char *header = header_of(kind, w);
	csv *t = scree_csv_open(path, header, mark, why);
	scree_free(header);
	return t;
}

static void put(csv *file, const real *value, int count)
{
	for (int k = 0; k < count; ++k) scree_csv_print(file, ",%.17g", value[k]);
}

static void put3(csv *file, vec3 v)
{
	const real value[3] = {v.x, v.y, v.z};
	put(file, value, 3);
}

static void body_row(csv *file, const scree_world *w, const bodies *b, int32_t i)
{
	const shape *s = w->model.shape.row + b->shape[i];
	const quat q = shape_axes_out(s, body_orientation(b, i));
	const real turn[4] = {q.w, q.x, q.y, q.z}, last[2] = {b->size[i] / s->scale, b->mass[i]};
	scree_csv_print(file, "%.17g,%llu", w->state.time, (unsigned long long)b->id[i]);
	put3(file, body_position(b, i));
	put3(file, body_velocity(b, i));
	put(file, turn, 4);
	put3(file, body_angular_velocity(b, i));
	put3(file, v3(b->fx[i], b->fy[i], b->fz[i]));
	put3(file, v3(b->tx[i], b->ty[i], b->tz[i]));
	put(file, last, 2);
	scree_csv_print(file, ",%s,%s", s->name, w->model.material.row[b->material[i]].name);
	if (w->model.heat) put(file, body_temperatures(b) + i, 1);
	scree_csv_print(file, "\n");
}

static void body_rows(csv *file, const scree_world *w, int64_t up_to)
{
	int32_t *order = scree_bodies_by_id(&w->state.body);
	for (int32_t k = 0; k < w->state.body.owned && (!up_to || w->state.body.id[order[k]] <= (uint64_t)up_to); ++k)
		body_row(file, w, &w->state.body, order[k]);
	scree_free(order);
}

static void wall_rows(csv *file, const scree_world *w)
{
	for (int32_t k = 0; k < w->model.wall.count; ++k) {
		const wall *o = w->model.wall.row + k;
		const wall_loads load = scree_wall_loads(w, k);
		if (!file) continue;
		scree_csv_print(file, "%.17g,%s", w->state.time, o->name);
		put3(file, w->state.wall[k].position);
		put3(file, w->state.wall[k].velocity);
		put3(file, load.force);
		put3(file, load.torque);
		if (isnan(load.pressure))
			scree_csv_print(file, ",nan");
		else
			put(file, &load.pressure, 1);
		put(file, &load.power, 1);
		const quat q = w->state.wall[k].orientation;
		const real turn[4] = {q.w, q.x, q.y, q.z};
		put(file, turn, 4);
		put3(file, w->state.wall[k].angular_velocity);
		scree_csv_print(file, "\n");
	}
}

static void contact_row(csv *file, const scree_world *w, contact_entry e)
{
	const real loads[3] = {e.normal_force, e.tangential_force, e.overlap};
	scree_csv_print(file, "%.17g,%llu,%llu,%s", w->state.time, (unsigned long long)e.a, (unsigned long long)e.b,
					e.wall < 0 ? "" : w->model.wall.row[e.wall].name);
	put3(file, e.at);
	put3(file, e.normal);
	put3(file, e.force);
	put(file, loads, 3);
	scree_csv_print(file, ",%s,%s\n", w->model.material.row[e.material[0]].name,
					w->model.material.row[e.material[1]].name);
}

static void contact_rows(csv *file, const scree_world *w)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		int32_t count;
		int64_t *order = scree_contacts_by_id(w, kind, &count);
		for (int32_t k = 0; k < count; ++k)
			contact_row(file, w, scree_contact_entry(&w->model, &w->state, &w->work, kind, order[k]));
		scree_free(order);
	}
}

/* ------------------------------------------------------------------ rows of ranks */

/* Prints the rows of a slice: bodies, or contacts of this kind. */
static void slice_rows(csv *file, const scree_world *w, const world_slice *g, int kind, int64_t up_to)
{
	for (int32_t k = 0; k < g->body.owned && (!up_to || g->body.id[k] <= (uint64_t)up_to); ++k)
		body_row(file, w, &g->body, k);
	for (int64_t k = 0; k < g->lines; ++k)
		if (g->line[k].kind == kind) contact_row(file, w, g->line[k].entry);
}

static void append(void *file, const void *bytes, size_t size) { scree_csv_append(file, bytes, size); }

/* Each rank prints its slice, and the first rank appends the others to its own. file: NULL on all other ranks */
static void joint_rows(csv *file, table_kind table, const scree_world *w, int64_t up_to)
{
	const domain *d = &w->work.domain;
	const bool contacts = table == TABLE_CONTACTS;
	world_slice *g =
		d->by->slice(d->at, &w->model, &w->state, &w->work, 1, contacts ? SLICE_LINES_ALONE : SLICE_BODIES_ALONE);
	for (int kind = 0; kind < (contacts ? PAIR_KINDS : 1); ++kind) {
		csv *to = file ? file : scree_csv_in_memory();
		const char *text = NULL;
		size_t size = 0;
		fail none;
		slice_rows(to, w, g, kind, up_to);
		if (!file) text = scree_csv_text(to, &size);
		d->by->collect(d->at, size, text, append, file);
		if (!file) scree_csv_close(to, &none);
	}
	scree_world_slice_free(g);
}

static void whole_rows(csv *file, table_kind kind, const scree_world *w, int64_t up_to)
{
	if (kind == TABLE_BODIES) body_rows(file, w, up_to);
	if (kind == TABLE_CONTACTS) contact_rows(file, w);
	if (kind == TABLE_XYZ) scree_xyz_frame(file, w, up_to);
	if (kind == TABLE_DUMP) scree_dump_frame(file, w, up_to);
}

bool scree_table_rows(csv *file, table_kind kind, const scree_world *w, int64_t up_to, fail *why)
{
	if (kind == TABLE_WALLS)
		wall_rows(file, w);
	else if (w->work.domain.by->slice)
		joint_rows(file, kind, w, up_to);
	else
		whole_rows(file, kind, w, up_to);
	return !file || scree_csv_commit(file, why);
}
