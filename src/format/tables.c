#include "format/tables.h"

#include "base/memory.h"
#include "base/sort.h"
#include "world.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct table {
	FILE *file;
	char path[1400];
	table_kind kind;
	int64_t end;
};

static const char *const heads[TABLES] = {
	[TABLE_BODIES] = "# units: time[s] id[1] x[m] y[m] z[m] vx[m/s] vy[m/s] vz[m/s] qw[1] qx[1] qy[1] qz[1] wx[rad/s] "
					 "wy[rad/s] wz[rad/s] fx[N] fy[N] fz[N] tx[N*m] ty[N*m] tz[N*m] size[m] mass[kg] shape[1] "
					 "material[1]\n"
					 "time,id,x,y,z,vx,vy,vz,qw,qx,qy,qz,wx,wy,wz,fx,fy,fz,tx,ty,tz,size,mass,shape,material\n",
	[TABLE_WALLS] = "# units: time[s] wall[1] x[m] y[m] z[m] vx[m/s] vy[m/s] vz[m/s] fx[N] fy[N] fz[N] tx[N*m] ty[N*m] "
					"tz[N*m]\n"
					"time,wall,x,y,z,vx,vy,vz,fx,fy,fz,tx,ty,tz\n",
};

/* does the file begin with these columns, and is it long enough? */
static bool goes_on(const char *path, const char *head, int64_t end)
{
	FILE *file = fopen(path, "rb");
	if (!file) return false;
	bool same = true;
	for (const char *h = head; *h && same; ++h) same = getc(file) == (unsigned char)*h;
	same = same && fseek(file, 0, SEEK_END) == 0 && ftell(file) >= end;
	fclose(file);
	return same;
}

table *scree_table_open(const char *path, table_kind kind, int64_t end, fail *why)
{
	table *t = scree_alloc(1, sizeof *t);
	snprintf(t->path, sizeof t->path, "%s", path);
	t->kind = kind;
	bool on = end > 0 && goes_on(path, heads[kind], end);
	t->file = fopen(path, on ? "r+b" : "wb");
	bool ok = t->file != NULL;
	if (ok && on) ok = ftruncate(fileno(t->file), end) == 0 && fseek(t->file, end, SEEK_SET) == 0;
	if (ok && !on) ok = fputs(heads[kind], t->file) != EOF && fflush(t->file) == 0;
	if (!ok) {
		scree_fail(why, FAIL_IO, "cannot open %s: %s", path, strerror(errno));
		scree_table_close(t);
		return NULL;
	}
	t->end = ftell(t->file);
	return t;
}

static void put(FILE *file, const real *value, int count)
{
	for (int k = 0; k < count; ++k) fprintf(file, ",%.17g", value[k]);
}

static void put3(FILE *file, vec3 v)
{
	const real value[3] = {v.x, v.y, v.z};
	put(file, value, 3);
}

static void body_row(FILE *file, const scree_world *w, int32_t i)
{
	const bodies *b = &w->body;
	const real turn[4] = {b->qw[i], b->qx[i], b->qy[i], b->qz[i]}, last[2] = {b->size[i], b->mass[i]};
	fprintf(file, "%.17g,%llu", w->time, (unsigned long long)b->id[i]);
	put3(file, body_position(b, i));
	put3(file, body_velocity(b, i));
	put(file, turn, 4);
	put3(file, body_spin(b, i));
	put3(file, v3(b->fx[i], b->fy[i], b->fz[i]));
	put3(file, v3(b->tx[i], b->ty[i], b->tz[i]));
	put(file, last, 2);
	fprintf(file, ",%s,%s\n", w->shape.row[b->shape[i]].name, w->material.row[b->material[i]].name);
}

static void body_rows(FILE *file, const scree_world *w, int64_t up_to)
{
	int32_t count = 0, bodies = w->body.count;
	sort_item *item = scree_alloc((size_t)bodies, sizeof *item), *tmp = scree_alloc((size_t)bodies, sizeof *tmp);
	for (int32_t i = 0; i < bodies; ++i)
		if (!up_to || w->body.id[i] <= (uint64_t)up_to) item[count++] = (sort_item){w->body.id[i], i};
	scree_sort(item, tmp, count);
	for (int32_t k = 0; k < count; ++k) body_row(file, w, item[k].value);
	scree_free(item);
	scree_free(tmp);
}

static void wall_rows(FILE *file, const scree_world *w)
{
	for (int32_t k = 0; k < w->wall.count; ++k) {
		const wall *o = w->wall.row + k;
		wall_load load = scree_wall_load(w, k);
		fprintf(file, "%.17g,%s", w->time, o->name);
		put3(file, o->place);
		put3(file, o->velocity);
		put3(file, load.force);
		put3(file, load.torque);
		fputc('\n', file);
	}
}

bool scree_table_rows(table *t, const scree_world *w, int64_t up_to, fail *why)
{
	if (t->kind == TABLE_BODIES)
		body_rows(t->file, w, up_to);
	else
		wall_rows(t->file, w);
	if (fflush(t->file) != 0 || ferror(t->file))
		return scree_fail(why, FAIL_IO, "cannot write %s: %s", t->path, strerror(errno));
	t->end = ftell(t->file);
	return true;
}

int64_t scree_table_end(const table *t) { return t->end; }

void scree_table_close(table *t)
{
	if (!t) return;
	if (t->file) fclose(t->file);
	scree_free(t);
}
