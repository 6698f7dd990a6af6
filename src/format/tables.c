#include "format/tables.h"

#include "base/memory.h"
#include "format/contacts_by_id.h"
#include "format/trajectory.h"
#include "format/wall_loads.h"
#include "shape/shape_axes.h"
#include "wall/forms.h"
#include "world/ends.h"
#include "world/slice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct table {
	csv *file;
	table_kind kind;
};

static const char *const heads[TABLES] = {
	[TABLE_BODIES] = "# units: time[s] id[1] x[m] y[m] z[m] vx[m/s] vy[m/s] vz[m/s] qw[1] qx[1] qy[1] qz[1] wx[rad/s] "
					 "wy[rad/s] wz[rad/s] fx[N] fy[N] fz[N] tx[N*m] ty[N*m] tz[N*m] size[m] mass[kg] shape[1] "
					 "material[1]\n"
					 "time,id,x,y,z,vx,vy,vz,qw,qx,qy,qz,wx,wy,wz,fx,fy,fz,tx,ty,tz,size,mass,shape,material\n",
	[TABLE_WALLS] = "# units: time[s] wall[1] x[m] y[m] z[m] vx[m/s] vy[m/s] vz[m/s] fx[N] fy[N] fz[N] tx[N*m] ty[N*m] "
					"tz[N*m] pressure[Pa] power[W] qw[1] qx[1] qy[1] qz[1] wx[rad/s] wy[rad/s] wz[rad/s]\n"
					"time,wall,x,y,z,vx,vy,vz,fx,fy,fz,tx,ty,tz,pressure,power,qw,qx,qy,qz,wx,wy,wz\n",
	[TABLE_CONTACTS] =
		"# units: time[s] a[1] b[1] wall[1] x[m] y[m] z[m] nx[1] ny[1] nz[1] fx[N] fy[N] fz[N] normal[N] "
		"tangential[N] overlap[m] material_a[1] material_b[1]\n"
		"time,a,b,wall,x,y,z,nx,ny,nz,fx,fy,fz,normal,tangential,overlap,material_a,material_b\n",
	[TABLE_XYZ] = "",
	[TABLE_DUMP] = "",
};

/* Both lines of a head with a further column. */
static void widen(char *to, size_t room, const char *head, const char *name, const char *unit)
{
	const int first = (int)(strchr(head, '\n') - head), rest = (int)strlen(head) - first - 2;
	snprintf(to, room, "%.*s %s[%s]%.*s,%s\n", first, head, name, unit, rest + 1, head + first, name);
}

table *scree_table_open(const char *path, table_kind kind, const scree_world *w, const csv_mark *mark, fail *why)
{
	table *t = scree_alloc(1, sizeof *t);
	char wide[1024];
	const bool warm = kind == TABLE_BODIES && w->model.heat;
	if (warm) widen(wide, sizeof wide, heads[kind], "temperature", "K");
	t->kind = kind;
	t->file = scree_csv_open(path, warm ? wide : heads[kind], mark, why);
	if (t->file) return t;
	scree_free(t);
	return NULL;
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

/* Rows of a slice: of bodies, or of contacts of this kind. */
static void slice_rows(csv *file, const scree_world *w, const world_slice *g, int kind, int64_t up_to)
{
	for (int32_t k = 0; k < g->body.owned && (!up_to || g->body.id[k] <= (uint64_t)up_to); ++k)
		body_row(file, w, &g->body, k);
	for (int64_t k = 0; k < g->lines; ++k)
		if (g->line[k].kind == kind) contact_row(file, w, g->line[k].entry);
}

static void append(void *file, const void *bytes, size_t size) { scree_csv_append(file, bytes, size); }

/* Each rank prints the rows of its slice, and the first one appends them to its own. file: NULL at the others */
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

bool scree_table_rows(table *t, table_kind kind, const scree_world *w, int64_t up_to, fail *why)
{
	csv *file = t ? t->file : NULL;
	if (kind == TABLE_WALLS)
		wall_rows(file, w);
	else if (w->work.domain.by->slice)
		joint_rows(file, kind, w, up_to);
	else
		whole_rows(file, kind, w, up_to);
	return !t || scree_csv_commit(t->file, why);
}

csv *scree_table_file(const table *t) { return t->file; }

bool scree_table_close(table *t, fail *why)
{
	if (!t) return true;
	bool ok = scree_csv_close(t->file, why);
	scree_free(t);
	return ok;
}
