/* report: writes a single-file HTML report of a run: its state, commands to repeat it, guards, pictures, curves, and
 * scene. The report needs no other file. */
#include "facts.h"
#include "output.h"
#include "panels.h"
#include "scree/files.h"
#include "scree/print.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { USUAL_PICTURES = 8, MOST_CHARTS = 100, MOST_PICTURE = 1 << 27, MOST_SCENE = 1 << 26 }; /* files: in bytes */

typedef struct report {
	const arguments *a;
	run_place at;
	run_series all;
	scree_sim *sim; /* state at the last snapshot, or NULL */
	char *why;		/* reason why the snapshot cannot be read, or NULL */
	bool running, guarded;
	FILE *to;
} report;

/* ------------------------------------------------------------------ HTML */

static void put(const report *r, const char *text) { put_xml(r->to, text); }

static void put_head(const report *r, const char *title)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\n"
		  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src "
		  "'unsafe-inline'\">\n<title>",
		  r->to);
	put(r, title);
	fputs("</title>\n<style>\n"
		  "body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222;background:#fff}\n"
		  "table{border-collapse:collapse}td,th{padding:.2em .8em .2em 0;text-align:left;vertical-align:top}\n"
		  "td.n{text-align:right;font-variant-numeric:tabular-nums}\n"
		  "pre{background:#f5f5f5;padding:.8em;overflow:auto}img,svg{max-width:100%;height:auto}\n"
		  "figure{display:inline-block;margin:0 1em 1em 0;max-width:48%}figcaption{color:#555}\n"
		  "</style></head>\n<body>\n<h1>",
		  r->to);
	put(r, title);
	fputs("</h1>\n", r->to);
}

static void put_section(const report *r, const char *name) { fprintf(r->to, "<h2>%s</h2>\n", name); }

static void begin_row(const report *r, const char *name)
{
	fputs("<tr><th>", r->to);
	put(r, name);
	fputs("</th><td>", r->to);
}

static void put_row(const report *r, const char *name, const char *value)
{
	begin_row(r, name);
	put(r, value);
	fputs("</td></tr>\n", r->to);
}

static void put_number(const report *r, const char *name, double value, const char *unit)
{
	char text[64];
	snprintf(text, sizeof text, "%.6g%s%s", value, *unit ? " " : "", unit);
	put_row(r, name, text);
}

/* ------------------------------------------------------------------ how it stands */

static bool exists(const report *r, const char *ending)
{
	char path[RUN_PATH];
	struct stat about;
	path_in(&r->at, ending, path);
	return stat(path, &about) == 0;
}

/* Writes the state at the last snapshot, or at the time when a guard stopped the run. */
static void open_state(report *r)
{
	char path[RUN_PATH];
	scree_problems *problems;
	r->running = scree_is_writing(r->at.folder, r->at.name) != 0;
	r->guarded = !r->running && exists(r, ".stopped.snap");
	const char *ending = r->guarded ? ".stopped.snap" : ".snap";
	if (!exists(r, ending)) return;
	path_in(&r->at, ending, path);
	r->sim = scree_sim_restore(path, r->a->threads, &problems);
	if (r->sim) return;
	r->why = strdup(scree_problems_row(problems, 0).sentence);
	scree_problems_free(problems);
}

static void say_state(const report *r, char *text, size_t room)
{
	const double time = r->sim ? scree_sim_time(r->sim) : 0;
	if (r->running)
		snprintf(text, room, "running");
	else if (r->why)
		snprintf(text, room, "unknown: its snapshot cannot be read");
	else if (r->guarded)
		snprintf(text, room, "stopped by a guard at %.6g s", time);
	else if (!r->sim)
		snprintf(text, room, "stopped before its first snapshot");
	else if (scree_sim_steps_until(r->sim, scree_sim_until(r->sim)) <= 0)
		snprintf(text, room, "done at %.6g s", time);
	else
		snprintf(text, room, "stopped at %.6g s of %.6g s", time, scree_sim_until(r->sim));
}

static void put_state(const report *r)
{
	char text[256];
	scree_progress_row now;
	put_section(r, "Run");
	fputs("<table>\n", r->to);
	say_state(r, text, sizeof text);
	put_row(r, "state", text);
	if (r->why) put_row(r, "snapshot", r->why);
	if (r->sim) {
		if (r->running) put_number(r, "last snapshot of", scree_sim_time(r->sim), "s");
		snprintf(text, sizeof text, "%lld, of %.6g s", (long long)scree_sim_steps(r->sim),
				 scree_sim_step_length(r->sim));
		put_row(r, "steps", text);
		if (!scree_sim_progress(r->sim, &now)) put_number(r, "bodies", (double)now.bodies, "");
		snprintf(text, sizeof text, "%016llx", (unsigned long long)scree_sim_hash(r->sim));
		put_row(r, "hash of the state", text);
	}
	put_row(r, "report by", "scree " SCREE_VERSION);
	fputs("</table>\n", r->to);
}

/* Writes a command with its words quoted for a shell. */
static void put_command(const report *r, const char *about, const char *option, const char *ending, const char *more)
{
	char path[RUN_PATH], *text = NULL;
	size_t length;
	path_in(&r->at, ending, path);
	FILE *to = open_memstream(&text, &length);
	if (!to) return;
	fprintf(to, "scree run %s", option);
	scree_print_word(to, path);
	fputs(more, to);
	fclose(to);
	fprintf(r->to, "<p>%s</p>\n<pre>", about);
	put(r, text);
	fputs("</pre>\n", r->to);
	free(text);
}

static void put_commands(const report *r)
{
	put_section(r, "Commands");
	put_command(
		r,
		"To repeat the run (with the same hash for the same version), put the files that the scene names next to it:",
		"", ".resolved.scene.yaml", " -o NEW_FOLDER");
	if (exists(r, ".snap") && !r->running)
		put_command(r, "To continue from the last snapshot:", "--resume ", ".snap", "");
}

/* ------------------------------------------------------------------ energies and guards */

static double last_of(const report *r, const char *name)
{
	const series *s = find_series(&r->all, name);
	return s && s->count ? s->value[s->count - 1] : NAN;
}

static double most_of(const report *r, const char *name)
{
	const series *s = find_series(&r->all, name);
	double most = NAN;
	for (int64_t k = 0; s && k < s->count; ++k) most = fmax(most, s->value[k]);
	return most;
}

static void put_energies(const report *r)
{
	put_section(r, "Energies");
	const series *any = NULL;
	for (int k = 0; k < r->all.count && !any; ++k)
		if (!strcmp(r->all.of[k].unit, "J") && r->all.of[k].count) any = r->all.of + k;
	if (!any) {
		fputs("<p>The run does not write energies (<code>output.history</code>).</p>\n", r->to);
		return;
	}
	fprintf(r->to, "<p>In joules, sums over the whole run, at %.6g s.</p>\n<table>\n", any->time[any->count - 1]);
	for (int k = 0; k < r->all.count; ++k)
		if (!strcmp(r->all.of[k].unit, "J") && !strchr(r->all.of[k].name, '.'))
			put_number(r, r->all.of[k].name, last_of(r, r->all.of[k].name), "J");
	fputs("</table>\n", r->to);
}

static void put_limit(const report *r, const char *name, double value, double limit, double factor, const char *unit)
{
	char text[128];
	if (value != value) return;
	if (limit > 0)
		snprintf(text, sizeof text, "%.4g%s, limit %.4g%s", factor * value, unit, factor * limit, unit);
	else
		snprintf(text, sizeof text, "%.4g%s, no limit", factor * value, unit);
	put_row(r, name, text);
}

/* writes one row per line: "servo left: 2.01 of 2 N ..." or a warning */
static void put_servos(const report *r)
{
	char text[512];
	for (const char *line = scree_sim_servos(r->sim); *line; line += strcspn(line, "\n"), line += *line != 0) {
		const bool mean = !strncmp(line, "servo ", 6);
		const char *from = mean ? line + strlen("servo    ") : line;
		snprintf(text, sizeof text, "%.*s", (int)strcspn(from, "\n"), from);
		put_row(r, mean ? "servo" : "", text);
	}
}

/* writes the same text as the closing lines; own: initial step of the run, in s, or 0 */
static void put_own_step(const report *r, double own)
{
	char text[128];
	const double step = scree_sim_step_length(r->sim);
	if (!(step < own)) return;
	snprintf(text, sizeof text, "%.4g s, shortened from %.4g s because contacts required it", step, own);
	put_row(r, "step", text);
}

static void put_guards(const report *r)
{
	scree_guards g;
	put_section(r, "Guards");
	if (!r->sim || scree_sim_guards(r->sim, &g)) {
		fputs("<p>There is no snapshot from which to read them.</p>\n", r->to);
		return;
	}
	fputs("<table>\n", r->to);
	if (r->guarded && scree_sim_step(r->sim, 1)) put_row(r, "stopped by", scree_sim_error(r->sim));
	/* the history extends beyond the last snapshot if a run is in progress or was killed */
	put_limit(r, "greatest overlap", fmax(g.run_overlap, most_of(r, "max_overlap")), g.overlap_limit, 100, " %");
	put_limit(r, "greatest speed", fmax(g.run_speed, most_of(r, "max_speed")), g.speed_limit, 1, " m/s");
	put_limit(r, "energy created or lost", g.energy, g.energy_limit, 100, " %");
	if (g.method > 0) put_limit(r, "energy lost by implicit steps", g.method, g.method_limit, 100, " %");
	put_number(r, "used fraction of the step's stability limit", 100 * g.step_used, "%");
	put_number(r, "bodies that left the domain", (double)g.lost, "");
	if (g.unsafe) put_row(r, "step", "longer than is known to be safe");
	put_own_step(r, g.own_step);
	put_servos(r);
	fputs("</table>\n<p>Overlap and speed are the maxima over all steps up to the snapshot and over later rows of the "
		  "history.</p>\n",
		  r->to);
}

/* ------------------------------------------------------------------ pictures */

static void put_base64(FILE *to, const unsigned char *bytes, size_t length)
{
	static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t k = 0; k < length; k += 3) {
		const unsigned a = bytes[k], b = k + 1 < length ? bytes[k + 1] : 0, c = k + 2 < length ? bytes[k + 2] : 0;
		fputc(digit[a >> 2], to);
		fputc(digit[(a & 3) << 4 | b >> 4], to);
		fputc(k + 1 < length ? digit[(b & 15) << 2 | c >> 6] : '=', to);
		fputc(k + 2 < length ? digit[c & 63] : '=', to);
	}
}

/* Extensions of pictures, with the media types of formats that a page can show. */
enum { PICTURE_KINDS = 3 };
static const struct {
	const char *ending, *type;
} picture_kinds[PICTURE_KINDS] = {{".png", "png"}, {".svg", "svg+xml"}, {".pdf", NULL}};

/* Returns the bytes of a file of the run, or NULL if it does not exist, or if it cannot be shown, in which case the
 * page says why. */
static char *read_shown(const report *r, const char *ending, size_t most, size_t *length)
{
	char path[RUN_PATH], *text;
	uint64_t count;
	path_in(&r->at, ending, path);
	const scree_code code = scree_read_file(path, most, &text, &count);
	*length = (size_t)count;
	if (!code) return text;
	fputs("<p>Not shown: ", r->to);
	put(r, text ? text : "out of memory");
	fputs(".</p>\n", r->to);
	free_input(text);
	return NULL;
}

/* Inlines a picture. */
static void put_picture(const report *r, const char *ending, const char *type)
{
	size_t length;
	char *bytes = read_shown(r, ending, MOST_PICTURE, &length);
	if (!bytes) return;
	fprintf(r->to, "<figure><img alt=\"\" src=\"data:image/%s;base64,", type);
	put_base64(r->to, (const unsigned char *)bytes, length);
	fputs("\"><figcaption>", r->to);
	put(r, r->at.name);
	put(r, ending);
	fputs("</figcaption></figure>\n", r->to);
	free_input(bytes);
}

/* Finds the picture with this number, and returns its kind, or PICTURE_KINDS if there is none. */
static int find_picture(const report *r, int number, char ending[32])
{
	for (int k = 0; k < PICTURE_KINDS; ++k) {
		snprintf(ending, 32, "_%04d%s", number, picture_kinds[k].ending);
		if (exists(r, ending)) return k;
	}
	return PICTURE_KINDS;
}

static int count_pictures(const report *r)
{
	char ending[32];
	int count = 0;
	while (find_picture(r, count, ending) < PICTURE_KINDS) ++count;
	return count;
}

/* Inlines the first and the last picture, and evenly spaced ones between them. */
static void put_pictures(const report *r)
{
	char ending[32];
	const int all = count_pictures(r), most = r->a->pictures >= 0 ? r->a->pictures : USUAL_PICTURES;
	const int shown = all < most ? all : most;
	const bool stopped = exists(r, "_stopped.png");
	bool hidden = false;
	if (!all && !stopped) return;
	put_section(r, "Pictures");
	for (int k = 0; k < shown; ++k) {
		const int number = shown == 1 ? all - 1 : (int)((long long)k * (all - 1) / (shown - 1));
		const int kind = find_picture(r, number, ending);
		const char *type = kind < PICTURE_KINDS ? picture_kinds[kind].type : NULL;
		hidden |= !type;
		if (type) put_picture(r, ending, type);
	}
	if (stopped) put_picture(r, "_stopped.png", "png");
	if (hidden) fputs("<p>PDF files are not shown.</p>\n", r->to);
	if (shown < all) fprintf(r->to, "<p>%d of %d pictures (<code>--pictures</code>).</p>\n", shown, all);
}

/* ------------------------------------------------------------------ curves, scene, files */

static void put_curves(const report *r)
{
	panels p = all_panels(&r->all);
	if (p.count) put_section(r, "Over time");
	const int shown = p.count < MOST_CHARTS ? p.count : MOST_CHARTS;
	for (int k = 0; k < shown; ++k) {
		fputs("<h3>", r->to);
		put(r, p.title[k]);
		fputs("</h3>\n", r->to);
		put_svg(r->to, 1, p.chart + k);
	}
	if (shown < p.count) fprintf(r->to, "<p>%d of %d charts.</p>\n", shown, p.count);
	if (p.left_out || r->all.left_out)
		fprintf(r->to, "<p>A chart has at most %d curves, and cells of a measure beyond %d are not shown.</p>\n",
				MOST_CURVES, CELLS_READ);
	free_panels(&p);
}

static void put_scene(const report *r)
{
	size_t length;
	put_section(r, "Scene");
	char *text = read_shown(r, ".resolved.scene.yaml", MOST_SCENE, &length);
	fputs(
		"<p>With all defaults and the values of all expressions; comments say what changed before a resume.</p>\n<pre>",
		r->to);
	if (text) put(r, text);
	fputs("</pre>\n", r->to);
	free_input(text);
}

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static void put_file(const report *r, const char *name)
{
	char path[RUN_PATH];
	struct stat about;
	snprintf(path, sizeof path, "%.3800s/%.255s", r->at.folder, name);
	if (stat(path, &about) != 0) return;
	fputs("<tr><td>", r->to);
	put(r, name);
	fprintf(r->to, "</td><td class=\"n\">%lld</td></tr>\n", (long long)about.st_size);
}

static void put_files(const report *r)
{
	struct dirent **list;
	const size_t length = strlen(r->at.name);
	const int count = scandir(r->at.folder, &list, NULL, by_name);
	put_section(r, "Files");
	fputs("<details><summary>names and bytes</summary><table>\n", r->to);
	for (int k = 0; k < count; ++k) {
		if (!strncmp(list[k]->d_name, r->at.name, length)) put_file(r, list[k]->d_name);
		free(list[k]);
	}
	if (count >= 0) free(list);
	fputs("</table></details>\n", r->to);
}

static void put_report(const report *r)
{
	const char *title = r->sim ? scree_sim_title(r->sim) : NULL;
	put_head(r, title && *title ? title : r->at.name);
	put_state(r);
	put_commands(r);
	put_guards(r);
	put_energies(r);
	put_pictures(r);
	put_curves(r);
	put_scene(r);
	put_files(r);
	fputs("</body>\n</html>\n", r->to);
}

/* ------------------------------------------------------------------ the call */

/* The status of the run, in one word. */
static const char *state_of(const report *r)
{
	if (r->running) return "running";
	if (r->why) return "unknown";
	if (r->guarded) return "guard";
	if (!r->sim) return "not_begun";
	return scree_sim_steps_until(r->sim, scree_sim_until(r->sim)) <= 0 ? "done" : "stopped";
}

/* The members of the snapshot as text, or NULL. This is called before the report is written, since writing it repeats
 * the step at which a guard stopped the run, after which there is no state to read. */
static char *snapshot_facts(const report *r)
{
	char path[RUN_PATH], *text = NULL;
	size_t length;
	FILE *to = r->sim && r->a->json ? open_memstream(&text, &length) : NULL;
	if (!to) return NULL;
	json state = {.to = to};
	path_in(&r->at, r->guarded ? ".stopped.snap" : ".snap", path);
	put_json_text(&state, "file", path);
	put_state_facts(&state, r->sim);
	put_energy_facts(&state, r->sim);
	fclose(to);
	return text;
}

static void put_snapshot_facts(json *j, const char *facts)
{
	if (!facts) {
		put_json_text(j, "snapshot", NULL);
		return;
	}
	const json state = open_json(j, "snapshot", '{');
	fputs(facts, j->to);
	close_json(&state, '}');
}

static void print_facts(const report *r, const char *path, const char *state, const char *snapshot)
{
	json j = begin_json("report");
	put_json_text(&j, "report", path);
	put_json_text(&j, "folder", r->at.folder);
	put_json_text(&j, "name", r->at.name);
	put_json_text(&j, "state", state);
	put_json_text(&j, "sentence", r->why);
	put_json_count(&j, "pictures", count_pictures(r));
	put_json_count(&j, "columns", r->all.count);
	put_snapshot_facts(&j, snapshot);
	end_json(&j);
}

static int write_file(report *r, const char *path)
{
	text_output o;
	if (!begin_output(&o)) return say_no_memory();
	r->to = o.to;
	put_report(r);
	return end_output(&o, path);
}

static int write_report(report *r, const char *path)
{
	const char *state = state_of(r);
	char *snapshot = snapshot_facts(r);
	const int code = write_file(r, path);
	if (!code && r->a->json) print_facts(r, path, state, snapshot);
	if (!code && !r->a->json) print_safely(stdout, "%s\n", path);
	free(snapshot);
	return code;
}

int command_report(const arguments *a)
{
	char own[RUN_PATH];
	report r = {.a = a};
	int code = a->output && !has_ending(a->output, "html", "a report is HTML") ? BAD_INPUT : 0;
	if (!code) code = find_run(a->word[0], &r.at);
	if (!code) code = read_series(&r.at, &r.all);
	if (code) return code;
	open_state(&r);
	path_in(&r.at, "_report.html", own);
	code = write_report(&r, a->output ? a->output : own);
	if (r.sim) scree_sim_close(r.sim);
	free(r.why);
	free_series(&r.all);
	return code;
}
