#include "format/history.h"

#include "base/memory.h"
#include "world.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const history_value scree_history_values[] = {
	{"time", "s", "simulated time"},
	{"step", "", "number of the step"},
	{"kinetic", "J", "kinetic energy"},
	{"potential", "J", "potential energy of gravity"},
	{"elastic", "J", "energy stored in contacts"},
	{"lost_normal", "J", "dissipated by normal damping since the start"},
	{"lost_friction", "J", "dissipated by friction"},
	{"lost_rolling", "J", "dissipated by rolling resistance"},
	{"wall_work", "J", "work done by moving walls"},
	{"made", "J", "made (+) or taken (-) by changes of contact geometry"},
	{"brought", "J", "energy of bodies that were added, less that of those taken out"},
	{"residual", "J", "what the time integration made or took"},
	{"bodies", "", "how many there are"},
	{"contacts", "", "how many touch"},
	{"max_overlap", "", "greatest overlap over the diameter of the smaller body"},
	{"max_speed", "m/s", "greatest speed"},
};
enum { VALUES = sizeof scree_history_values / sizeof *scree_history_values };
const int scree_history_value_count = VALUES;

struct history {
	FILE *file;
	char path[1400];
	int count, value[VALUES];
};

static bool choose(history *h, const history_plan *plan, fail *why)
{
	if (!plan->values) {
		for (h->count = 0; h->count < VALUES; ++h->count) h->value[h->count] = h->count;
		return true;
	}
	h->value[h->count++] = 0; /* time, always */
	for (int32_t k = 0; k < plan->values; ++k) {
		int v = 0;
		while (v < VALUES && strcmp(scree_history_values[v].name, plan->value[k]) != 0) ++v;
		if (v == VALUES)
			return scree_fail(why, FAIL_INPUT, "output.history.values: there is no value '%s'", plan->value[k]);
		if (v && h->count < VALUES) h->value[h->count++] = v;
	}
	return true;
}

/* Where the row after `rows` rows begins; -1: the file has fewer. */
static long end_of_rows(const char *path, int64_t rows)
{
	FILE *file = fopen(path, "rb");
	if (!file) return -1;
	int64_t lines = 0;
	for (int c; lines < rows + 2 && (c = getc(file)) != EOF;) lines += c == '\n'; /* two lines of header */
	long at = lines == rows + 2 ? ftell(file) : -1;
	fclose(file);
	return at;
}

static bool write_header(history *h, fail *why)
{
	fputs("# units:", h->file);
	for (int k = 0; k < h->count; ++k) {
		const history_value *v = scree_history_values + h->value[k];
		fprintf(h->file, " %s[%s]", v->name, *v->unit ? v->unit : "1");
	}
	fputc('\n', h->file);
	for (int k = 0; k < h->count; ++k) fprintf(h->file, "%s%s", k ? "," : "", scree_history_values[h->value[k]].name);
	fputc('\n', h->file);
	return fflush(h->file) == 0 || scree_fail(why, FAIL_IO, "cannot write %s: %s", h->path, strerror(errno));
}

history *scree_history_open(const char *path, const history_plan *plan, const scree_world *w, int64_t rows, fail *why)
{
	(void)w;
	history *h = scree_alloc(1, sizeof *h);
	snprintf(h->path, sizeof h->path, "%s", path);
	long keep = rows > 0 ? end_of_rows(path, rows) : -1;
	bool ok = choose(h, plan, why);
	if (ok) {
		h->file = fopen(path, keep >= 0 ? "r+b" : "wb");
		ok = h->file != NULL;
		if (ok && keep >= 0) ok = ftruncate(fileno(h->file), keep) == 0 && fseek(h->file, keep, SEEK_SET) == 0;
		if (!ok) scree_fail(why, FAIL_IO, "cannot open %s: %s", path, strerror(errno));
	}
	if (ok) {
		setvbuf(h->file, NULL, _IOLBF, 1 << 12); /* a run can be watched, and a crash loses no row */
		ok = keep >= 0 || write_header(h, why);
	}
	if (ok) return h;
	scree_history_close(h);
	return NULL;
}

bool scree_history_row(history *h, const scree_world *w, fail *why)
{
	energy_row e = scree_world_energy(w);
	const double value[VALUES] = {w->time,
								  (double)w->step,
								  e.kinetic,
								  e.potential,
								  e.elastic,
								  e.lost_normal,
								  e.lost_friction,
								  e.lost_rolling,
								  e.wall_work,
								  e.made,
								  e.brought,
								  e.residual,
								  (double)w->body.count,
								  (double)w->touching,
								  w->greatest_overlap_part,
								  w->greatest_speed};
	for (int k = 0; k < h->count; ++k) fprintf(h->file, "%s%.12g", k ? "," : "", value[h->value[k]]);
	fputc('\n', h->file);
	return fflush(h->file) == 0 || scree_fail(why, FAIL_IO, "cannot write %s: %s", h->path, strerror(errno));
}

void scree_history_close(history *h)
{
	if (!h) return;
	if (h->file) fclose(h->file);
	scree_free(h);
}
