#include "outputs/outputs.h"

#include "base/memory.h"
#include "world/world.h"

#include <string.h>

void scree_measure_ending(const measure_plan *p, char ending[MEASURE_ENDING])
{
	snprintf(ending, MEASURE_ENDING, "_measure_%.40s.csv", p->name);
}

/* Texts "name[unit] .." for the values of a measure, one after another; NULL after the last. */
static const char *columns_at(const measure_plan *p, int k)
{
	int row[PLAN_FIELDS];
	if (p->type != MEASURE_REGION) return k < scree_measure_flow_columns(p) ? scree_flow_columns[k].name : NULL;
	return k < scree_measure_rows(p, row) ? scree_measures[row[k]].columns : NULL;
}

enum { COLUMN_TEXT = 128, MOST_COLUMNS = PLAN_MEASURES * PLAN_FIELDS };
/* COLUMN_TEXT: bytes for the name of an entry, the name of a column, and a unit */

static measured_columns no_columns(void)
{
	measured_columns c = {0};
	c.column = scree_alloc(MOST_COLUMNS, sizeof *c.column);
	c.text = scree_alloc(MOST_COLUMNS, COLUMN_TEXT);
	return c;
}

/* Adds the columns "name[unit] .." of an entry, consecutive in memory. entry: "" in the entry's own table */
static void add_columns(measured_columns *to, const char *entry, const char *columns)
{
	for (const char *from = columns; *from;) {
		const size_t length = strcspn(from, " ");
		const int name = (int)strcspn(from, "["), unit = (int)length - name - 2;
		char *text = to->text + (size_t)to->count * COLUMN_TEXT;
		const int used = snprintf(text, COLUMN_TEXT, "%.47s%s%.*s", entry, *entry ? "." : "", name, from) + 1;
		snprintf(text + used, (size_t)(COLUMN_TEXT - used), "%.*s", unit, from + name + 1);
		to->column[to->count++] = (csv_column){.name = text, .unit = text + used};
		from += length + (from[length] == ' ');
	}
}

static void add_values(measured_columns *to, const char *entry, const measure_plan *p)
{
	const char *columns;
	for (int k = 0; (columns = columns_at(p, k)); ++k) add_columns(to, entry, columns);
}

csv *scree_measure_open(const char *path, const measure_plan *p, const csv_mark *mark, fail *why)
{
	const cell_axes a = scree_cell_axes(p);
	measured_columns c = no_columns();
	add_columns(&c, "", "time[s]");
	for (int32_t k = 0; k < a.count && p->type == MEASURE_REGION; ++k) add_columns(&c, "", a.name[k]);
	add_values(&c, "", p);
	char *header = scree_csv_header(c.column, c.count);
	csv *file = scree_csv_open(path, header, mark, why);
	scree_free(header);
	scree_measured_columns_free(&c);
	return file;
}

static void put_rows(csv *file, const measure_plan *p, real time, const real *value, int32_t columns)
{
	const int32_t axes = scree_cell_axes(p).count;
	for (int32_t cell = 0; cell < scree_cells(p); ++cell) {
		real at[4];
		scree_cell_middle(p, cell, at);
		scree_csv_print(file, "%.15g", time);
		for (int32_t k = 0; k < axes; ++k) scree_csv_value(file, at[k]);
		for (int32_t k = 0; k < columns; ++k) scree_csv_value(file, *value++);
		scree_csv_print(file, "\n");
	}
}

bool scree_measure_possible(const measure_plan *p, const scree_world *w, fail *why)
{
	if (p->type == MEASURE_REGION || scree_measure_has_flow(p, w)) return true;
	if (p->type == MEASURE_SINK)
		return scree_fail(why, FAIL_INPUT, "output.measures.%s: the snapshot has no sink '%s'", p->name, p->sink);
	return scree_fail(why, FAIL_INPUT, "output.measures.%s: the snapshot does not count bodies through this plane",
					  p->name);
}

/* The values of a flow, with its rates since the last row. */
enum { FLOW_VALUES = 6 };
static int32_t flow_values(const measure_plan *p, real time, const measured_flow *f, const flow_mark *last,
						   real value[FLOW_VALUES])
{
	const real passed = last->flowed ? time - last->time : 0;
	value[0] = f->mass;
	value[1] = (real)f->count;
	value[2] = passed > 0 ? (f->mass - last->mass) / passed : NAN;
	value[3] = passed > 0 ? (real)(f->count - last->count) / passed : NAN;
	value[4] = f->mass_back;
	value[5] = (real)f->back;
	return scree_measure_flow_columns(p);
}

static flow_mark mark_of(real time, const measured_flow *f) { return (flow_mark){true, time, f->mass, f->count}; }

static bool write_flow(csv *file, const measure_plan *p, const scree_world *w, flow_mark *last, fail *why)
{
	const measured_flow f = scree_measure_flow(p, w);
	real value[FLOW_VALUES];
	const int32_t columns = flow_values(p, w->state.time, &f, last, value);
	if (file) {
		scree_csv_print(file, "%.15g", w->state.time);
		for (int32_t k = 0; k < columns; ++k) scree_csv_value(file, value[k]);
		scree_csv_print(file, "\n");
		if (!scree_csv_commit(file, why)) return false;
	}
	*last = mark_of(w->state.time, &f);
	return true;
}

bool scree_measure_write(csv *file, const measure_plan *p, const scree_world *w, measure_mark *mark, fail *why)
{
	int32_t columns;
	if (p->type != MEASURE_REGION) return write_flow(file, p, w, &mark->last, why);
	real *value = scree_measure(p, w, &columns);
	const measure_plan here = scree_measure_now(p, w);
	if (file) put_rows(file, &here, w->state.time, value, columns);
	scree_free(value);
	return !file || scree_csv_commit(file, why);
}

/* ------------------------------------------------------------------ columns of the history */

measured_columns scree_measured_columns(const output_plan *p)
{
	measured_columns c = no_columns();
	for (int32_t k = 0; k < p->measures; ++k)
		if (p->measure[k].history) add_values(&c, p->measure[k].name, p->measure + k);
	return c;
}

void scree_measured_columns_free(measured_columns *c)
{
	SCREE_FREE_ALL(c->column, c->text);
	*c = (measured_columns){0};
}

void scree_measured_values(const output_plan *p, const scree_world *w, const measure_mark *mark, real *value,
						   flow_mark *now)
{
	for (int32_t k = 0; k < p->measures; ++k) {
		const measure_plan *m = p->measure + k;
		if (!m->history) continue;
		if (m->type == MEASURE_REGION) {
			int32_t columns;
			real *own = scree_measure(m, w, &columns);
			memcpy(value, own, (size_t)columns * sizeof *own);
			scree_free(own);
			value += columns;
		} else {
			real own[FLOW_VALUES];
			const measured_flow f = scree_measure_flow(m, w);
			const int32_t columns = flow_values(m, w->state.time, &f, &mark[k].in_history, own);
			memcpy(value, own, (size_t)columns * sizeof *own);
			value += columns;
			now[k] = mark_of(w->state.time, &f);
		}
	}
}
