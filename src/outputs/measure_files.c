#include "outputs/measure_files.h"

#include "measure/cells.h"

#include <stdio.h>
#include <string.h>

void scree_measure_ending(const measure_plan *p, char ending[MEASURE_ENDING])
{
	snprintf(ending, MEASURE_ENDING, "_measure_%.40s.csv", p->name);
}

enum { HEADER = 4096 };

/* Appends columns "name[unit] .." to a header, with their units or without. */
static void add_columns(char *head, const char *columns, bool units)
{
	for (const char *from = columns; *from;) {
		const size_t length = strcspn(from, " ");
		const int shown = (int)(units ? length : strcspn(from, "["));
		const size_t used = strlen(head);
		snprintf(head + used, HEADER - used, "%s%.*s", units ? " " : ",", shown, from);
		from += length + (from[length] == ' ');
	}
}

static void add_line(char *head, const measure_plan *p, bool units)
{
	int row[PLAN_FIELDS];
	const cell_axes a = scree_cell_axes(p);
	const bool flows = p->type != MEASURE_REGION;
	const int rows = flows ? 0 : scree_measure_rows(p, row);
	strcat(head, units ? "# units: time[s]" : "time");
	for (int k = 0; flows && k < scree_measure_flow_columns(p); ++k)
		add_columns(head, scree_flow_columns[k].name, units);
	for (int32_t k = 0; k < a.count && !flows; ++k) add_columns(head, a.name[k], units);
	for (int k = 0; k < rows; ++k) add_columns(head, scree_measures[row[k]].columns, units);
	strcat(head, "\n");
}

csv *scree_measure_open(const char *path, const measure_plan *p, const csv_mark *mark, fail *why)
{
	char head[HEADER] = "";
	add_line(head, p, true);
	add_line(head, p, false);
	return scree_csv_open(path, head, mark, why);
}

static void put(csv *file, real value)
{
	if (value == value)
		scree_csv_print(file, ",%.15g", value);
	else
		scree_csv_print(file, ",nan"); /* without the sign that some C libraries print */
}

static void put_rows(csv *file, const measure_plan *p, real time, const real *value, int32_t columns)
{
	const int32_t axes = scree_cell_axes(p).count;
	for (int32_t cell = 0; cell < scree_cells(p); ++cell) {
		real at[4];
		scree_cell_middle(p, cell, at);
		scree_csv_print(file, "%.15g", time);
		for (int32_t k = 0; k < axes; ++k) put(file, at[k]);
		for (int32_t k = 0; k < columns; ++k) put(file, *value++);
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

/* The row of a flow, with its rates since the last row. */
static void put_flow(csv *file, const measure_plan *p, real time, const measured_flow *f, const measure_mark *last)
{
	const real passed = last->flowed ? time - last->time : 0;
	scree_csv_print(file, "%.15g", time);
	put(file, f->mass);
	put(file, (real)f->count);
	put(file, passed > 0 ? (f->mass - last->mass) / passed : NAN);
	put(file, passed > 0 ? (real)(f->count - last->count) / passed : NAN);
	if (p->type == MEASURE_PLANE) {
		put(file, f->mass_back);
		put(file, (real)f->back);
	}
	scree_csv_print(file, "\n");
}

static bool write_flow(csv *file, const measure_plan *p, const scree_world *w, measure_mark *mark, fail *why)
{
	const measured_flow f = scree_measure_flow(p, w);
	if (file) put_flow(file, p, w->state.time, &f, mark);
	if (file && !scree_csv_commit(file, why)) return false;
	mark->flowed = true;
	mark->time = w->state.time;
	mark->mass = f.mass;
	mark->count = f.count;
	return true;
}

bool scree_measure_write(csv *file, const measure_plan *p, const scree_world *w, measure_mark *mark, fail *why)
{
	int32_t columns;
	if (p->type != MEASURE_REGION) return write_flow(file, p, w, mark, why);
	real *value = scree_measure(p, w, &columns);
	const measure_plan here = scree_measure_now(p, w);
	if (file) put_rows(file, &here, w->state.time, value, columns);
	scree_free(value);
	return !file || scree_csv_commit(file, why);
}
