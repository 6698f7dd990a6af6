/* sweep_table: writes one row per run: its values in the sweep, how it ended, and statistics of the quantities that it
 * wrote.
 */
#include "sweep.h"

#include "json.h"
#include "output.h"
#include "series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ statistics */

typedef enum statistic { LAST, MEAN, LEAST, MOST, DEVIATION, STATISTICS } statistic;
static const char *const statistics[STATISTICS] = {"last", "mean", "min", "max", "deviation"};

/* Returns the statistic named at the start of a text, or STATISTICS if there is none, and the length of the name. */
static statistic statistic_at(const char *text, size_t *length)
{
	*length = strcspn(text, ",");
	for (int k = 0; k < STATISTICS; ++k)
		if (strlen(statistics[k]) == *length && !strncmp(text, statistics[k], *length)) return (statistic)k;
	return STATISTICS;
}

static const char *chosen(const arguments *a) { return a->statistics ? a->statistics : "last"; }

int check_statistics(const arguments *a)
{
	size_t length;
	for (const char *at = chosen(a);; at += length + 1) {
		if (statistic_at(at, &length) == STATISTICS)
			return say_error_of(BAD_INPUT,
								"--statistics: there is no '%.*s'; there are last, mean, min, max, deviation",
								(int)length, at);
		if (!at[length]) return 0;
	}
}

/* Returns the statistic of the values from a given time on, ignoring NaN; returns NaN if there are no values. */
static double value_of(const series *s, statistic of, double from)
{
	double sum = 0, squares = 0, least = INFINITY, most = -INFINITY;
	int64_t n = 0;
	if (of == LAST) return s->count ? s->value[s->count - 1] : NAN;
	for (int64_t k = 0; k < s->count; ++k) {
		const double x = s->value[k];
		if (!(s->time[k] >= from) || x != x) continue;
		sum += x;
		least = fmin(least, x);
		most = fmax(most, x);
		++n;
	}
	const double mean = sum / (double)n;
	for (int64_t k = 0; k < s->count; ++k)
		if (s->time[k] >= from && s->value[k] == s->value[k]) squares += (s->value[k] - mean) * (s->value[k] - mean);
	if (!n) return NAN;
	return of == MEAN ? mean : of == LEAST ? least : of == MOST ? most : sqrt(squares / (double)n);
}

/* ------------------------------------------------------------------ columns */

/* Names of all series in all runs, in the order in which they first appear. */
typedef struct columns {
	int count, room;
	char (*name)[SERIES_NAME], (*unit)[16];
} columns;

static void add_columns(columns *to, const run_series *of)
{
	for (int k = 0; k < of->count; ++k) {
		int at = 0;
		while (at < to->count && strcmp(to->name[at], of->of[k].name) != 0) ++at;
		if (at < to->count) continue;
		if (to->count == to->room) {
			to->room = 2 * to->room + 64;
			to->name = grow(to->name, (size_t)to->room, sizeof *to->name);
			to->unit = grow(to->unit, (size_t)to->room, sizeof *to->unit);
		}
		snprintf(to->name[to->count], sizeof *to->name, "%s", of->of[k].name);
		snprintf(to->unit[to->count++], sizeof *to->unit, "%s", of->of[k].unit);
	}
}

/* ------------------------------------------------------------------ writing */

/* Writes a field of a table, quoted if it contains a comma or a quote. */
static void put_text(FILE *to, const char *text)
{
	if (!strpbrk(text, ",\"\n")) {
		fputs(text, to);
		return;
	}
	fputc('"', to);
	for (; *text; ++text) {
		if (*text == '"') fputc('"', to);
		fputc(*text, to);
	}
	fputc('"', to);
}

static void put_head(FILE *to, const sweep *s, const columns *c, bool units)
{
	size_t length;
	fputs(units ? "# units: run[1]" : "run", to);
	for (int k = 0; k < s->axes; ++k) {
		fputs(units ? " " : ",", to);
		put_text(to, s->axis[k].key);
		if (units) fputs("[as_given]", to);
	}
	fputs(units ? " end[1] code[1] hash[1] seconds[s]" : ",end,code,hash,seconds", to);
	for (int k = 0; k < c->count; ++k)
		for (const char *at = chosen(s->a);; at += length + 1) {
			const statistic of = statistic_at(at, &length);
			fprintf(to, "%s%s%s%s", units ? " " : ",", c->name[k], of == LAST ? "" : "_",
					of == LAST ? "" : statistics[of]);
			if (units) fprintf(to, "[%s]", *c->unit[k] ? c->unit[k] : "1");
			if (!at[length]) break;
		}
	fputc('\n', to);
}

static const char *end_of(const swept *o)
{
	if (!o->ended && o->code != STOPPED) return o->code ? "failed" : "not run";
	switch (o->code) {
	case 0:
		return "done";
	case SCREE_GUARD:
		return "guard";
	case STOPPED:
		return "stopped";
	case BAD_INPUT:
		return "refused";
	default:
		return "failed";
	}
}

static void put_row(FILE *to, const sweep *s, const swept *o, const columns *c, const run_series *of)
{
	size_t length;
	put_text(to, o->folder);
	for (int k = 0; k < s->axes; ++k) {
		fputc(',', to);
		put_text(to, s->axis[k].value[o->at[k]]);
	}
	fprintf(to, ",%s,%d,%s,%.3f", end_of(o), o->code, o->hash, o->seconds);
	for (int k = 0; k < c->count; ++k) {
		const series *at_time = find_series(of, c->name[k]);
		for (const char *at = chosen(s->a);; at += length + 1) {
			const double x = at_time ? value_of(at_time, statistic_at(at, &length), s->a->from) : NAN;
			if (!at_time) statistic_at(at, &length);
			fprintf(to, x == x ? ",%.15g" : ",nan", x);
			if (!at[length]) break;
		}
	}
	fputc('\n', to);
}

/* Writes a run as JSON, with the same columns. */
static void put_run_facts(json *list, const sweep *s, const swept *o, const columns *c, const run_series *of)
{
	char folder[RUN_PATH];
	size_t length;
	json one = open_json(list, NULL, '{');
	snprintf(folder, sizeof folder, "%s/%s", s->folder, o->folder);
	put_json_text(&one, "run", o->folder);
	put_json_text(&one, "folder", folder);
	json values = open_json(&one, "values", '{');
	for (int k = 0; k < s->axes; ++k) put_json_text(&values, s->axis[k].key, s->axis[k].value[o->at[k]]);
	close_json(&values, '}');
	put_json_text(&one, "end", end_of(o));
	put_json_count(&one, "code", o->code);
	put_json_text(&one, "hash", *o->hash ? o->hash : NULL);
	put_json_number(&one, "seconds", o->seconds);
	json results = open_json(&one, "results", '{');
	for (int k = 0; k < c->count; ++k) {
		const series *found = find_series(of, c->name[k]);
		for (const char *at = chosen(s->a); found; at += length + 1) {
			char name[SERIES_NAME + 16];
			const statistic by = statistic_at(at, &length);
			snprintf(name, sizeof name, "%s%s%s", c->name[k], by == LAST ? "" : "_", by == LAST ? "" : statistics[by]);
			put_json_number(&results, name, value_of(found, by, s->a->from));
			if (!at[length]) break;
		}
	}
	close_json(&results, '}');
	close_json(&one, '}');
}

/* Reads the tables of a run, which has none if it has not begun. */
static int read_run(const sweep *s, const swept *o, run_series *out)
{
	run_place at;
	*out = (run_series){0};
	if (!o->known) return 0;
	snprintf(at.folder, sizeof at.folder, "%s/%s", s->folder, o->folder);
	snprintf(at.name, sizeof at.name, "%s", s->name);
	return read_series(&at, out);
}

static int put_table(FILE *to, json *runs, const sweep *s, columns *c)
{
	run_series *of = grow(NULL, (size_t)s->runs, sizeof *of);
	int code = 0, read = 0;
	int64_t left_out = 0;
	for (; read < s->runs && !code; ++read) {
		code = read_run(s, s->run + read, of + read);
		add_columns(c, of + read);
		left_out += of[read].left_out;
	}
	if (!code) {
		put_head(to, s, c, true);
		put_head(to, s, c, false);
		for (int k = 0; k < s->runs; ++k) put_row(to, s, s->run + k, c, of + k);
		for (int k = 0; k < s->runs && runs; ++k) put_run_facts(runs, s, s->run + k, c, of + k);
	}
	for (int k = 0; k < read; ++k) free_series(of + k);
	free(of);
	if (left_out)
		fprintf(stderr,
				"scree: note: the table has the first %d cells of each measure; the others are in the folders of "
				"the runs\n",
				CELLS_READ);
	return code;
}

int write_table(const sweep *s, struct json *runs)
{
	char path[RUN_PATH];
	columns c = {0};
	text_output o;
	snprintf(path, sizeof path, "%s/sweep.csv", s->folder);
	if (!begin_output(&o)) return say_no_memory();
	int code = put_table(o.to, runs, s, &c);
	if (code)
		drop_output(&o);
	else
		code = end_output(&o, path);
	free(c.name);
	free(c.unit);
	return code;
}
