/* columns: prints `scree explain COLUMN` from the tables of columns that define the files. */
#include "outputs/outputs.h"

#include <string.h>

typedef struct columns {
	FILE *to;
	const char *name;
	int found;
} columns;

static void put(columns *c, const char *table, const char *unit, int length, const char *help)
{
	if (!c->found++) fprintf(c->to, "Columns of this name in the tables of a run, with their units:\n");
	fprintf(c->to, "  %-10s %-7.*s %s\n", table, length, unit, help);
}

static void explain_table(columns *c, const char *table, const csv_column *row, int count)
{
	for (int k = 0; k < count; ++k) {
		const char *unit = *row[k].unit ? row[k].unit : "1";
		if (!strcmp(row[k].name, c->name)) put(c, table, unit, (int)strlen(unit), row[k].help);
	}
}

/* Columns as "name[unit] .."; `value` is the name common to all of them. */
static void explain_measure(columns *c, const char *table, const char *value, const char *of, const char *help)
{
	const size_t length = strlen(c->name);
	for (const char *at = of; at; at = strchr(at, ' ')) {
		at += *at == ' ';
		const char *unit = at + strcspn(at, "[") + 1;
		const bool named = !strncmp(at, c->name, length) && at[length] == '[';
		if (!named && strcmp(value, c->name) != 0) continue;
		put(c, table, unit, (int)strcspn(unit, "]"), help);
		return;
	}
}

static void explain_measures(columns *c, const char *table, bool values)
{
	for (int k = 0; k < scree_measure_count; ++k)
		explain_measure(c, table, values ? scree_measures[k].name : "", scree_measures[k].columns,
						scree_measures[k].help);
	for (int k = 0; k < scree_flow_column_count; ++k)
		explain_measure(c, table, "", scree_flow_columns[k].name, scree_flow_columns[k].help);
}

/* Names with an entry: `ENTRY.COLUMN` (history), `measures.ENTRY.COLUMN`, `walls.NAME.COLUMN` (`scree plot`). */
static void explain_entry(columns *c, const char *name, const char *last_dot, bool of_scene)
{
	int count;
	const csv_column *row = scree_table_columns(TABLE_WALLS, &count);
	c->name = last_dot + 1;
	if (!strncmp(name, "walls.", 6))
		explain_table(c, "walls", row, count);
	else if (!strncmp(name, "measures.", 9))
		explain_measures(c, "measures", false);
	else if (!of_scene)
		explain_measures(c, "history", false);
}

static const char *name_in_tables(int *k)
{
	for (int of = TABLE_BODIES; of <= TABLE_CONTACTS; ++of) {
		int count;
		const csv_column *row = scree_table_columns((table_kind)of, &count);
		if (row && *k < count) return row[*k].name;
		*k -= count;
	}
	return NULL;
}

const char *scree_column_name(int k)
{
	if (k < scree_history_value_count) return scree_history_values[k].name;
	k -= scree_history_value_count;
	const char *name = name_in_tables(&k);
	return name ? name : k < scree_measure_count ? scree_measures[k].name : NULL;
}

bool scree_columns_explain(FILE *to, const char *name, bool of_scene)
{
	static const char *const tables[] = {
		[TABLE_BODIES] = "bodies", [TABLE_WALLS] = "walls", [TABLE_CONTACTS] = "contacts"};
	const char *last_dot = strrchr(name, '.');
	columns c = {to, name, 0};
	explain_table(&c, "history", scree_history_values, scree_history_value_count);
	for (int k = 0; k < (int)(sizeof tables / sizeof *tables); ++k) {
		int count;
		const csv_column *row = scree_table_columns((table_kind)k, &count);
		explain_table(&c, tables[k], row, count);
	}
	explain_measures(&c, "measures", true);
	if (last_dot && !c.found) explain_entry(&c, name, last_dot, of_scene);
	return c.found;
}
