#include "series.h"

#include "output.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A history has up to 42 columns, plus about 30 columns per measure. */
enum { COLUMNS = 640, COLUMN_NAME = 80 };

void *grow(void *block, size_t count, size_t size)
{
	void *more = realloc(block, (count ? count : 1) * size);
	if (more) return more;
	fputs("scree: out of memory for the tables of a run\n", stderr);
	_Exit(FILES);
}

/* ------------------------------------------------------------------ the run in a folder */

static const char resolved[] = ".resolved.scene.yaml";

/* Copies the name before an ending; returns false if the file has a different ending. */
static bool name_before(const char *file, const char *ending, char *name, size_t room)
{
	const size_t length = strlen(file), part = strlen(ending);
	if (length <= part || strcmp(file + length - part, ending) != 0 || length - part >= room) return false;
	memcpy(name, file, length - part);
	name[length - part] = 0;
	return true;
}

static int no_run(const char *path)
{
	char text[RUN_PATH + 128];
	snprintf(text, sizeof text, "%s has no run: there is no file NAME%s", path, resolved);
	return say_error(BAD_INPUT, text);
}

/* tests for FOLDER/NAME of a run with existing files */
static bool is_run(const char *path, run_place *out)
{
	char file[RUN_PATH + 64];
	const char *slash = strrchr(path, '/');
	snprintf(file, sizeof file, "%s%s", path, resolved);
	struct stat about;
	if (stat(file, &about) != 0) return false;
	snprintf(out->folder, sizeof out->folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
	if (slash == path) snprintf(out->folder, sizeof out->folder, "/");
	snprintf(out->name, sizeof out->name, "%s", slash ? slash + 1 : path);
	return true;
}

int find_run(const char *path, run_place *out)
{
	char name[256], text[2 * RUN_PATH];
	int found = 0;
	if (strlen(path) > RUN_PATH - 300) return no_run("a path that is too long");
	if (is_run(path, out)) return 0;
	DIR *list = opendir(path);
	if (!list && errno != ENOENT && errno != ENOTDIR) {
		snprintf(text, sizeof text, "cannot read the folder %s: %s", path, strerror(errno));
		return say_error(BAD_INPUT, text);
	}
	for (struct dirent *d; list && (d = readdir(list));) {
		if (!name_before(d->d_name, resolved, name, sizeof name)) continue;
		/* the alphabetically first name, so that the message does not depend on the file system */
		if (!found++ || strcmp(name, out->name) < 0) snprintf(out->name, sizeof out->name, "%s", name);
	}
	if (list) closedir(list);
	if (!found) return no_run(path);
	snprintf(out->folder, sizeof out->folder, "%s", path);
	if (found == 1) return 0;
	snprintf(text, sizeof text, "%s has the results of %d runs: choose one, such as %s/%s", path, found, path,
			 out->name);
	return say_error(BAD_INPUT, text);
}

void path_in(const run_place *at, const char *ending, char path[RUN_PATH])
{
	snprintf(path, RUN_PATH, "%.3800s/%.200s%.90s", at->folder, at->name, ending);
}

/* ------------------------------------------------------------------ one table */

/* A table being read. */
typedef struct reader {
	run_series *to;
	const char *group;					 /* "" for the history, otherwise "measures.NAME" or "walls" */
	bool labelled;						 /* the second column names the rows that share a time */
	int columns, first[CELLS_READ + 64]; /* index of the first series for each row that shares a time */
	int cells, rooms;
	char name[COLUMNS][COLUMN_NAME], unit[COLUMNS][16]; /* unit: "" if none is given */
	double time;
	int row; /* position of the row among the rows of this time, counted from 0 */
	bool begun;
} reader;

/* "# units: time[s] kinetic[J] ..." */
static void read_units(reader *r, const char *line)
{
	int k = 0;
	for (const char *at = strchr(line, '['); at && k < COLUMNS; at = strchr(at + 1, '['), ++k) {
		const int length = (int)strcspn(at + 1, "]");
		if (!at[1 + length]) return;
		snprintf(r->unit[k], sizeof r->unit[k], "%.*s", length < 15 ? length : 15, at + 1);
		if (!strcmp(r->unit[k], "1")) r->unit[k][0] = 0;
	}
}

static void read_names(reader *r, char *line)
{
	for (char *word = strtok(line, ",\r\n"); word && r->columns < COLUMNS; word = strtok(NULL, ",\r\n"))
		snprintf(r->name[r->columns++], sizeof r->name[0], "%s", word);
}

static series *add_series(run_series *to)
{
	if (to->count == to->room) {
		to->room = 2 * to->room + 32;
		to->of = grow(to->of, (size_t)to->room, sizeof *to->of);
	}
	to->of[to->count] = (series){0};
	return to->of + to->count++;
}

/* Creates the series for a row that appears for the first time. label: name of a wall, or NULL if rows are cells */
static void begin_cell(reader *r, const char *label)
{
	r->first[r->cells] = r->to->count;
	for (int k = 1 + r->labelled; k < r->columns; ++k) {
		series *s = add_series(r->to);
		snprintf(s->unit, sizeof s->unit, "%s", r->unit[k]);
		if (label)
			snprintf(s->name, sizeof s->name, "%s.%.48s.%s", r->group, label, r->name[k]);
		else
			snprintf(s->name, sizeof s->name, "%s%s%s", r->group, *r->group ? "." : "", r->name[k]);
	}
	r->cells += 1;
}

/* Cells of a measure are numbered if there are several. */
static void number_cells(const reader *r)
{
	if (r->labelled || !*r->group || r->cells < 2) return;
	for (int cell = 0; cell < r->cells; ++cell)
		for (int k = 1; k < r->columns; ++k) {
			series *s = r->to->of + r->first[cell] + k - 1;
			snprintf(s->name, sizeof s->name, "%s[%d].%s", r->group, cell + 1, r->name[k]);
		}
}

static void add_value(series *s, double time, double value)
{
	if (s->count == s->room) {
		s->room = 2 * s->room + 64;
		s->time = grow(s->time, (size_t)s->room, sizeof *s->time);
		s->value = grow(s->value, (size_t)s->room, sizeof *s->value);
	}
	s->time[s->count] = time;
	s->value[s->count++] = value;
}

/* Reads a row; returns false if it is incomplete. */
static bool read_row(reader *r, char *line)
{
	double value[COLUMNS];
	char label[64] = "", *at = line, *end;
	for (int k = 0; k < r->columns; ++k) {
		if (k == 1 && r->labelled) {
			snprintf(label, sizeof label, "%.*s", (int)strcspn(at, ","), at);
			end = at + strcspn(at, ",");
		} else {
			value[k] = strtod(at, &end);
			if (end == at) return false;
		}
		if (*end != (k + 1 < r->columns ? ',' : 0)) return false;
		at = end + 1;
	}
	r->row = r->begun && value[0] == r->time ? r->row + 1 : 0;
	r->time = value[0];
	r->begun = true;
	if (r->row >= CELLS_READ) {
		r->to->left_out += 1;
		return true;
	}
	if (r->row == r->cells) begin_cell(r, r->labelled ? label : NULL);
	series *s = r->to->of + r->first[r->row];
	for (int k = 1 + r->labelled; k < r->columns; ++k) add_value(s++, r->time, value[k]);
	return true;
}

void parse_table(run_series *to, const char *group, bool labelled, char *text, size_t length)
{
	reader r = {.to = to, .group = group, .labelled = labelled};
	char *at = text, *line;
	bool whole;
	while ((line = next_line(&at, text + length, &whole)) != NULL) {
		if (*line == '#')
			read_units(&r, line);
		else if (!r.columns)
			read_names(&r, line);
		else if (!whole || line + strlen(line) + 1 != at || !read_row(&r, line))
			break;
	}
	number_cells(&r);
}

static int read_table(const char *path, run_series *to, const char *group, bool labelled)
{
	char *text;
	size_t length;
	const int code = read_input(path, MOST_TABLE, &text, &length);
	if (text) parse_table(to, group, labelled, text, length);
	free_input(text);
	return code;
}

/* ------------------------------------------------------------------ all tables */

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Reads NAME_measure_ENTRY.csv for each entry, in the order of names. */
static int read_measures(const run_place *at, run_series *out)
{
	char prefix[300], entry[256], **found = NULL;
	int count = 0, code = 0;
	const int length = snprintf(prefix, sizeof prefix, "%s_measure_", at->name);
	DIR *list = opendir(at->folder);
	for (struct dirent *d; list && (d = readdir(list));)
		if (!strncmp(d->d_name, prefix, (size_t)length) && name_before(d->d_name + length, ".csv", entry, 64)) {
			found = grow(found, (size_t)count + 1, sizeof *found);
			found[count++] = strdup(entry);
		}
	if (list) closedir(list);
	if (count) qsort(found, (size_t)count, sizeof *found, by_name);
	for (int k = 0; k < count && !code; ++k) {
		char group[128], ending[128], path[RUN_PATH];
		snprintf(group, sizeof group, "measures.%s", found[k]);
		snprintf(ending, sizeof ending, "_measure_%s.csv", found[k]);
		path_in(at, ending, path);
		code = read_table(path, out, group, false);
	}
	for (int k = 0; k < count; ++k) free(found[k]);
	free(found);
	return code;
}

int read_series(const run_place *at, run_series *out)
{
	char path[RUN_PATH];
	*out = (run_series){0};
	path_in(at, "_history.csv", path);
	int code = read_table(path, out, "", false);
	if (!code) code = read_measures(at, out);
	path_in(at, "_walls.csv", path);
	if (!code) code = read_table(path, out, "walls", true);
	if (code) free_series(out);
	return code;
}

void free_series(run_series *of)
{
	for (int k = 0; k < of->count; ++k) {
		free(of->of[k].time);
		free(of->of[k].value);
	}
	free(of->of);
	*of = (run_series){0};
}

const series *find_series(const run_series *of, const char *name)
{
	for (int k = 0; k < of->count; ++k)
		if (!strcmp(of->of[k].name, name)) return of->of + k;
	return NULL;
}
