/* history: energies and counts over time.
 *
 * Two lines of head: a comment with the units, then the names, so that pandas.read_csv(..., comment='#') and gnuplot
 * (columnhead) take it as it is. Each row is written with one call and is with the operating system when the call
 * returns, so a live run can be watched and a killed one loses nothing. A resumed run cuts the file to the rows
 * that its snapshot knew, so that it ends as the file of a run that was never stopped. */
#include "format/history.h"

#include "base/memory.h"
#include "format/file.h"
#include "world.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FIXED_COLUMNS = 2, PATH_ROOM = 1400, LINE_ROOM = 2048 };

const history_column scree_history_columns[] = {
	{"time", "s", "simulated time"},
	{"step", "1", "steps made"},
	{"kinetic", "J", "kinetic energy of the bodies"},
	{"potential", "J", "potential energy in gravity, from the origin"},
	{"elastic", "J", "stored in contacts"},
	{"lost_normal", "J", "dissipated along normals since the start"},
	{"lost_friction", "J", "dissipated by friction since the start"},
	{"lost_rolling", "J", "dissipated by rolling resistance since the start"},
	{"made", "J", "made by changes of contact geometry since the start"},
	{"wall_work", "J", "done by moving walls on bodies since the start"},
	{"brought", "J", "kinetic and potential energy of bodies added, less that of those taken out"},
	{"residual", "J",
	 "what the time integration made or took: kinetic + potential + elastic + lost - wall_work - made - brought"},
	{"bodies", "1", "bodies present"},
	{"contacts", "1", "contacts in the last step"},
	{"max_overlap", "1", "greatest overlap in the last step over the size of the smaller body"},
	{"max_speed", "m/s", "greatest speed of a body in the last step"},
};
enum { COLUMNS = sizeof scree_history_columns / sizeof *scree_history_columns };
const int scree_history_column_count = COLUMNS;

struct history {
	FILE *file;
	char path[PATH_ROOM];
	bool shown[COLUMNS];
};

static void values_of(const scree_world *w, double out[COLUMNS])
{
	energy_row e = scree_world_energy(w);
	const double value[COLUMNS] = {
		w->time,		   (double)w->step,		e.kinetic,
		e.potential,	   e.elastic,			e.lost_normal,
		e.lost_friction,   e.lost_rolling,		e.made,
		e.wall_work,	   e.brought,			e.residual,
		w->body.count,	   (double)w->touching, w->greatest_overlap_part,
		w->greatest_speed,
	};
	memcpy(out, value, sizeof value);
}

static bool choose(history *h, const history_plan *plan, fail *why)
{
	for (int c = 0; c < COLUMNS; ++c) h->shown[c] = c < FIXED_COLUMNS || plan->values == 0;
	for (int32_t k = 0; k < plan->values; ++k) {
		int c = 0;
		while (c < COLUMNS && strcmp(scree_history_columns[c].name, plan->value[k]) != 0) ++c;
		if (c < COLUMNS) {
			h->shown[c] = true;
			continue;
		}
		char list[LINE_ROOM] = "";
		for (c = 0; c < COLUMNS; ++c)
			snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", c ? ", " : "",
					 scree_history_columns[c].name);
		return scree_fail(why, FAIL_INPUT, "the history has no value '%s'; there are %s", plan->value[k], list);
	}
	return true;
}

static void head(const history *h, char units[LINE_ROOM], char names[LINE_ROOM])
{
	int u = snprintf(units, LINE_ROOM, "# scree history:"), n = 0;
	for (int c = 0; c < COLUMNS; ++c) {
		if (!h->shown[c]) continue;
		u += snprintf(units + u, (size_t)(LINE_ROOM - u), "%s %s [%s]", c ? "," : "", scree_history_columns[c].name,
					  scree_history_columns[c].unit);
		n += snprintf(names + n, (size_t)(LINE_ROOM - n), "%s%s", c ? "," : "", scree_history_columns[c].name);
	}
	snprintf(units + u, (size_t)(LINE_ROOM - u), "\n");
	snprintf(names + n, (size_t)(LINE_ROOM - n), "\n");
}

static bool cannot(fail *why, const char *what, const char *path)
{
	return scree_fail(why, FAIL_IO, "cannot %s the history %s: %s", what, path, strerror(errno));
}

/* the length of the head and of `rows` whole rows after it (fewer when there are fewer); 0: another head */
static size_t length_kept(const char *text, size_t length, const char *units, const char *names, int64_t rows)
{
	size_t at = strlen(units) + strlen(names);
	if (length < at || memcmp(text, units, strlen(units)) != 0 ||
		memcmp(text + strlen(units), names, strlen(names)) != 0)
		return 0;
	for (int64_t k = 0; k < rows; ++k) {
		const char *end = memchr(text + at, '\n', length - at);
		if (!end) break;
		at = (size_t)(end - text) + 1;
	}
	return at;
}

static bool cut(const char *path, const char *units, const char *names, int64_t rows, fail *why)
{
	unsigned char *text;
	size_t length;
	if (!scree_file_read(path, &text, &length, why)) return false;
	size_t kept = length_kept((const char *)text, length, units, names, rows);
	scree_free(text);
	if (!kept)
		return scree_fail(
			why, FAIL_INPUT,
			"%s has other columns than the history of this run; keep its values or give the results another folder",
			path);
	return truncate(path, (off_t)kept) == 0 ? true : cannot(why, "cut", path);
}

history *scree_history_open(const char *path, const history_plan *plan, const scree_world *w, int64_t rows_to_keep,
							fail *why)
{
	(void)w;
	history *h = scree_alloc(1, sizeof *h);
	char units[LINE_ROOM], names[LINE_ROOM];
	bool ok = choose(h, plan, why);
	if (ok && strlen(path) >= sizeof h->path)
		ok = scree_fail(why, FAIL_IO, "cannot write the history %.200s...: the path is longer than %d bytes", path,
						PATH_ROOM - 1);
	if (ok) {
		snprintf(h->path, sizeof h->path, "%s", path);
		head(h, units, names);
		bool go_on = rows_to_keep > 0 && access(path, F_OK) == 0;
		ok = !go_on || cut(path, units, names, rows_to_keep, why);
		if (ok) h->file = fopen(path, go_on ? "a" : "w");
		if (ok && !h->file) ok = cannot(why, "open", path);
		if (ok && !go_on && (fprintf(h->file, "%s%s", units, names) < 0 || fflush(h->file) != 0))
			ok = cannot(why, "write", path);
	}
	if (ok) return h;
	if (h->file) fclose(h->file);
	scree_free(h);
	return NULL;
}

bool scree_history_row(history *h, const scree_world *w, fail *why)
{
	double value[COLUMNS];
	char line[LINE_ROOM];
	int n = 0;
	values_of(w, value);
	for (int c = 0; c < COLUMNS; ++c) {
		if (!h->shown[c]) continue;
		/* times and counts in full */
		bool count = c == 1 || !strcmp(scree_history_columns[c].name, "bodies") ||
					 !strcmp(scree_history_columns[c].name, "contacts");
		n += snprintf(line + n, (size_t)(LINE_ROOM - n), count ? "%s%.0f" : "%s%.9g", c ? "," : "", value[c]);
	}
	if (fprintf(h->file, "%s\n", line) < 0 || fflush(h->file) != 0) return cannot(why, "write", h->path);
	return true;
}

void scree_history_close(history *h)
{
	if (!h) return;
	fclose(h->file);
	scree_free(h);
}
