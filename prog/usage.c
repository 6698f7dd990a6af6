#include "usage.h"

#include "scree/language.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char tables[] =
	"laws, broad_phases, narrow_phases, integrators, responses, sharings, triangles, mesh_formats, machines";

const verb scree_verbs[] = {
	{"run", RUN, "SCENE | --resume SNAPSHOT", "run a scene, or continue from a snapshot",
	 "Results go into the folder NAME for a scene NAME.scene.yaml, or into the folder given by --output: a table of "
	 "energies, frames for ParaView, pictures and tables, as specified by the scene, and NAME.snap, from which the run "
	 "continues. SIGTERM, SIGINT and SIGUSR1 stop it with a snapshot.",
	 command_run, 0, 1},
	{"sweep", SWEEP, "SCENE --set KEY=VALUES", "run a scene with several values of some keys, and write one table",
	 "VALUES are A:B:N (N values from A to B), A:B:N:log (with equal ratios) or a list V,W,X; several --set give all "
	 "combinations. Each run has a folder; sweep.csv has one row per run, with the last values of its history, "
	 "measures and walls, or other statistics. The same command continues a sweep that was stopped. The exit code is "
	 "the most severe exit code of all runs.",
	 command_sweep, 1, 1},
	{"plot", PLOT, "DIR [COLUMN...]", "plot what a run has written over time, in the terminal or as a picture",
	 "COLUMN is a name such as kinetic, measures.ENTRY.mass or walls.NAME.fz, with * for any text; without a COLUMN "
	 "the names are listed. --output FILE writes a picture; the ending of its name decides whether it is an SVG, a PNG "
	 "or a PDF.",
	 command_plot, 1, 1000},
	{"report", REPORT, "DIR", "write a single-file HTML report of a run: state, guards, energies, pictures and plots",
	 "It goes into DIR/NAME_report.html, or into the file of --output, and needs no other file. The run may have "
	 "ended, "
	 "have been stopped, or still be running.",
	 command_report, 1, 1},
	{"check", CHECK, "SCENE", "check a scene and print its summary without running it",
	 "Mistakes are reported with file, line and column, and with what was expected.", command_check, 1, 1},
	{"list", LIST, "[TABLE]", "print the tables of names from which a scene chooses", tables, command_list, 0, 1},
	{"explain", EXPLAIN, "[KEY]", "explain a key of the scene language, e.g. run.step, or a column of a table",
	 "Without a key, it explains the top-level keys.", command_explain, 0, 1},
	{"schema", SCHEMA, "", "print the JSON Schema of the scene language", "Editors check and complete scenes with it.",
	 command_schema, 0, 0},
	{"render", RENDER, "SNAPSHOT", "draw a snapshot (--set output.images.color=size ...)",
	 "The picture goes into scree.png, or into the file of --output, which may be a PNG, SVG or PDF.", command_render,
	 1, 1},
	{"hash", HASH, "SNAPSHOT", "print the hash of a snapshot's state",
	 "Runs with the same hash have the same state, bit for bit.", command_hash, 1, 1},
	{"export", EXPORT, "SNAPSHOT", "write the full meshes of all bodies",
	 "They go into mesh.vtp, or into the file of --output.", command_export, 1, 1},
	{"compare", COMPARE, "SCENE", "run a scene with several responses and compare the results",
	 "It prints heap angles, densities, loads, energies, speeds, and which responses can be trusted.", command_compare,
	 1, 1},
	{"bench", BENCH, "SNAPSHOT", "measure the speed of a run from a snapshot, without output files",
	 "It makes 1,000 steps, or the number of --steps; stages end as in a run.", command_bench, 1, 1},
	{"manual", MANUAL, "[PAGE]", "print a manual page (scree, scree-scene) or a completion script (bash)",
	 "Pages are in the format of man: scree manual | man -l -", command_manual, 0, 1},
};

const option_row scree_options[] = {
	{"output", 'o', "PATH", RUN | RENDER | EXPORT | COMPARE | SWEEP | PLOT | REPORT, "where results go"},
	{"set", 's', "K=V", RUN | CHECK | RENDER | COMPARE | SWEEP,
	 "set a key, or a name defined under let: --set R=60mm --set run.until=0.02s"},
	{"threads", 't', "N", RUN | CHECK | RENDER | HASH | EXPORT | COMPARE | BENCH | SWEEP | REPORT,
	 "number of threads, all by default; results do not depend on it"},
	{"machine", 0, "M", RUN | CHECK | BENCH,
	 "cpu, opencl, cuda, or auto: a card if there is one and the world is large enough; results do not depend on it"},
	{"partition", 0, "P", RUN,
	 "with mpirun: how space is divided: rcb, grid (also grid:4x2x1) or hexagons, or grid/pe for ffd/pe; results do "
	 "not depend on it"},
	{"wall", 'w', "H:M:S", RUN, "write a snapshot and stop before this wall-clock time has passed"},
	{"steps", 0, "N", RUN | BENCH, "stop after N steps"},
	{"resume", 0, "FILE", RUN, "continue from a snapshot, with the same results as a run without a stop"},
	{"resume", 0, "FILE", COMPARE, "record finished runs in this file, and skip runs that it already contains"},
	{"overwrite", 0, NULL, RUN | SWEEP, "replace the results of an earlier run or sweep in the folder"},
	{"wait-for-space", 0, NULL, RUN, "wait when the disk is full, instead of stopping"},
	{"quiet", 'q', NULL, RUN, "print only errors, warnings and the hash"},
	{"quiet", 'q', NULL, CHECK | COMPARE | SWEEP, "no progress"},
	{"repair", 0, NULL, CHECK,
	 "write body meshes that can be repaired safely as NAME.repaired.ply next to the originals"},
	{"response", 0, "A,B", COMPARE, "responses to compare, all by default"},
	{"time", 0, "T", COMPARE, "run until this time, instead of run.until"},
	{"repeat", 0, "N", COMPARE, "N more force-based runs with shorter steps, to find the spread of the results"},
	{"json", 0, NULL, COMPARE, "print JSON; -o FILE.json writes it to a file"},
	{"json", 0, NULL, RUN | CHECK | LIST | EXPLAIN | HASH | BENCH | SWEEP | PLOT | REPORT | RENDER | EXPORT,
	 "print facts as JSON (docs/json.md); all other text goes to standard error"},
	{"jobs", 'j', "N", SWEEP, "number of runs at a time; they share the threads unless --threads is given"},
	{"zip", 0, NULL, SWEEP, "pair the values of the keys in order, instead of running all combinations"},
	{"statistics", 0, "A,B", SWEEP, "columns of the table: last (default), mean, min, max, deviation"},
	{"from", 0, "T", SWEEP, "time from which statistics other than last are taken, e.g. 0.5s"},
	{"log", 0, NULL, PLOT, "a logarithmic axis of values"},
	{"pictures", 0, "N", REPORT, "number of pictures, 8 by default: the first, the last, and some between"},
	{"unsorted", 0, NULL, BENCH, "keep bodies in the order of their ids, to measure the benefit of sorting"},
	{"help", 'h', NULL, ~0U, "this help"},
};

enum { VERBS = sizeof scree_verbs / sizeof *scree_verbs, OPTIONS = sizeof scree_options / sizeof *scree_options };

int verb_count(void) { return VERBS; }
int option_count(void) { return OPTIONS; }

const verb *find_verb(const char *name)
{
	for (int k = 0; k < VERBS; ++k)
		if (!strcmp(name, scree_verbs[k].name)) return scree_verbs + k;
	return NULL;
}

/* ------------------------------------------------------------------ help */

/* prints words, starting at column `from`, in lines of at most 100 characters */
static void print_wrapped(FILE *to, const char *text, int from)
{
	enum { WIDTH = 100 };
	int column = from;
	while (*text) {
		const int word = (int)strcspn(text, " "), gap = column > from;
		if (gap && column + gap + word > WIDTH) {
			fprintf(to, "\n%*s", from, "");
			column = from;
		} else if (gap) {
			putc(' ', to);
			column += 1;
		}
		fprintf(to, "%.*s", word, text);
		column += word;
		text += word;
		text += strspn(text, " ");
	}
	putc('\n', to);
}

static void print_option(FILE *to, const option_row *o)
{
	enum { COLUMN = 24 };
	char name[64], letter[5] = "    ";
	if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
	const int used =
		snprintf(name, sizeof name, "  %s--%s%s%s", letter, o->name, o->value ? " " : "", o->value ? o->value : "");
	fprintf(to, "%s%*s", name, used < COLUMN ? COLUMN - used : 1, "");
	print_wrapped(to, o->help, used < COLUMN ? COLUMN : used + 1);
}

static void print_verb(FILE *to, const verb *of)
{
	fprintf(to, "usage: %s %s%s%s [OPTION...]\n\n", command_name, of->name, *of->takes ? " " : "", of->takes);
	print_wrapped(to, of->help, 0);
	print_wrapped(to, of->more, 0);
	putc('\n', to);
	for (int k = 0; k < OPTIONS; ++k)
		if (scree_options[k].verbs & of->bit) print_option(to, scree_options + k);
}

static void print_verbs(FILE *to)
{
	enum { COLUMN = 32 };
	fprintf(to, "scree %s: granular matter of any shape\n\n", SCREE_VERSION);
	for (int k = 0; k < VERBS; ++k) {
		char call[64];
		const verb *v = scree_verbs + k;
		snprintf(call, sizeof call, "%s %s", v->name, v->takes);
		fprintf(to, "  scree %-*s ", COLUMN, call);
		print_wrapped(to, v->help, COLUMN + 9);
	}
	fprintf(to, "\nscree VERB --help shows the options of a verb.\n");
	if (strcmp(command_name, "scree") != 0) fprintf(to, "\n`scree` is at %s\n", command_name);
	fputs("\nexit codes: 0 done, 2 bad input, 3 physics guard, 4 file error, 5 stopped with a snapshot, 70 internal "
		  "error\n",
		  to);
}

void print_help(FILE *to, const verb *of)
{
	if (of)
		print_verb(to, of);
	else
		print_verbs(to);
}

/* ------------------------------------------------------------------ reading */

static int bad(const char *what, const char *text, const verb *of) { return refuse_call(what, text, of->name); }

/* converts H:M:S, M:S or S to seconds; returns -1 if it is not a time */
static double read_wall(const char *text)
{
	double total = 0;
	for (;;) {
		char *end;
		double part = strtod(text, &end);
		if (end == text || part < 0) return -1;
		total = 60 * total + part;
		if (*end == 0) return total;
		if (*end != ':') return -1;
		text = end + 1;
	}
}

/* Converts a simulated time to seconds; returns -1 if it is not a time */
static double read_time(const char *text)
{
	static const struct {
		const char *name;
		double seconds;
	} unit[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"min", 60}, {"h", 3600}};
	char *end;
	const double number = strtod(text, &end);
	if (end == text) return -1;
	end += strspn(end, " ");
	for (size_t k = 0; k < sizeof unit / sizeof *unit; ++k)
		if (!strcmp(end, unit[k].name)) return number * unit[k].seconds;
	return -1;
}

/* Reads a whole number between two bounds; returns false if it is not one. */
static bool read_number(const char *text, long long least, long long most, long long *to)
{
	char *end;
	*to = strtoll(text, &end, 10);
	return end != text && !*end && *to >= least && *to <= most;
}

static int take_number(const option_row *o, const verb *of, arguments *a)
{
	long long n;
	if (!strcmp(o->name, "threads")) {
		if (!read_number(optarg, 1, SCREE_THREADS_MOST, &n))
			return bad("--threads needs a whole number from 1 to 64, not", optarg, of);
		a->threads = (int)n;
	} else if (!strcmp(o->name, "steps")) {
		if (!read_number(optarg, 1, 1LL << 62, &n)) return bad("--steps needs a whole number above 0, not", optarg, of);
		a->steps = n;
	} else if (!strcmp(o->name, "jobs")) {
		if (!read_number(optarg, 1, 1024, &n))
			return bad("--jobs needs a whole number from 1 to 1024, not", optarg, of);
		a->jobs = (int)n;
	} else if (!strcmp(o->name, "pictures")) {
		if (!read_number(optarg, 0, 100000, &n)) return bad("--pictures needs a whole number, not", optarg, of);
		a->pictures = (int)n;
	} else {
		if (!read_number(optarg, 1, 16, &n)) return bad("--repeat needs a whole number from 1 to 16, not", optarg, of);
		a->repeats = (int)n;
	}
	return 0;
}

static const char **text_of(const option_row *o, arguments *a)
{
	const struct {
		const char *name, **to;
	} row[] = {{"output", &a->output}, {"machine", &a->machine},	{"partition", &a->partition},
			   {"resume", &a->resume}, {"response", &a->responses}, {"statistics", &a->statistics},
			   {"time", &a->time}};
	for (size_t k = 0; k < sizeof row / sizeof *row; ++k)
		if (!strcmp(o->name, row[k].name)) return row[k].to;
	return NULL;
}

static int *flag_of(const option_row *o, arguments *a)
{
	const struct {
		const char *name;
		int *to;
	} row[] = {{"quiet", &a->quiet},
			   {"overwrite", &a->overwrite},
			   {"wait-for-space", &a->wait_for_space},
			   {"repair", &a->repair},
			   {"unsorted", &a->unsorted},
			   {"json", &a->json},
			   {"zip", &a->zip},
			   {"log", &a->log}};
	for (size_t k = 0; k < sizeof row / sizeof *row; ++k)
		if (!strcmp(o->name, row[k].name)) return row[k].to;
	return NULL;
}

static int take(const option_row *o, const verb *of, arguments *a)
{
	const char **text = text_of(o, a);
	int *flag = flag_of(o, a);
	if (text) {
		*text = optarg;
	} else if (flag) {
		*flag = 1;
	} else if (!strcmp(o->name, "set")) {
		if (a->sets == MOST_SETS) return bad("too many --set, at", optarg, of);
		a->set[a->sets++] = optarg;
	} else if (!strcmp(o->name, "wall")) {
		a->wall_seconds = read_wall(optarg);
		if (!(a->wall_seconds > 0)) return bad("--wall needs a time like 1:30:00, not", optarg, of);
	} else if (!strcmp(o->name, "from")) {
		a->from = read_time(optarg);
		if (!(a->from >= 0)) return bad("--from needs a time like 0.5s or 20 ms, not", optarg, of);
	} else if (!strcmp(o->name, "help")) {
		a->help = true;
	} else {
		return take_number(o, of, a);
	}
	return 0;
}

/* The row of an option with this name or letter for this verb; otherwise a row for another verb, or NULL if there is
 * none. */
static const option_row *row_of(const char *name, int letter, const verb *of)
{
	const option_row *found = NULL;
	for (int k = 0; k < OPTIONS; ++k) {
		const option_row *o = scree_options + k;
		if (name ? strcmp(o->name, name) != 0 : o->letter != letter) continue;
		if (o->verbs & of->bit) return o;
		found = o;
	}
	return found;
}

/* "for scree run" or "for scree run, check and render" */
static void say_verbs(char *to, size_t room, unsigned verbs)
{
	int count = 0, at = 0;
	size_t used = 0;
	for (int k = 0; k < VERBS; ++k) count += (verbs & scree_verbs[k].bit) != 0;
	for (int k = 0; k < VERBS && used < room; ++k) {
		if (!(verbs & scree_verbs[k].bit)) continue;
		const char *join = !at ? "" : at + 1 == count ? " and " : ", ";
		used += (size_t)snprintf(to + used, room - used, "%s%s", join, scree_verbs[k].name);
		++at;
	}
}

static int refuse(const option_row *o, const verb *of)
{
	char what[256], verbs[160];
	say_verbs(verbs, sizeof verbs, o->verbs);
	snprintf(what, sizeof what, "--%s is for scree %s, not for", o->name, verbs);
	return bad(what, of->name, of);
}

/* Names and letters in the form used by getopt. A name that several verbs share is printed once. */
static void fill_getopt(struct option to[OPTIONS + 1], char letters[3 * OPTIONS])
{
	int n = 0;
	size_t used = 0;
	for (int k = 0; k < OPTIONS; ++k) {
		const option_row *o = scree_options + k;
		const int takes = o->value ? required_argument : no_argument;
		bool there = false;
		for (int j = 0; j < n; ++j) there |= !strcmp(to[j].name, o->name);
		if (!there) to[n++] = (struct option){o->name, takes, NULL, 256 + k};
		if (o->letter) letters[used++] = o->letter;
		if (o->letter && o->value) letters[used++] = ':';
	}
	letters[used] = 0;
	to[n] = (struct option){NULL, 0, NULL, 0};
}

/* Returns the names of a verb's options, by number. */
static const char *option_name(const void *of, int k)
{
	const verb *v = of;
	for (int j = 0; j < OPTIONS; ++j)
		if (scree_options[j].verbs & v->bit && k-- == 0) return scree_options[j].name;
	return NULL;
}

static int refuse_option(const char *text, const verb *of)
{
	char name[64], what[160];
	const bool long_name = !strncmp(text, "--", 2);
	snprintf(name, sizeof name, "%.*s", long_name ? (int)strcspn(text + 2, "=") : 0, text + 2);
	const char *near = long_name ? scree_near_word(name, option_name, of) : NULL;
	if (!near || !strcmp(near, name)) return bad("no such option, or its value is missing:", text, of);
	snprintf(what, sizeof what, "no such option (did you mean --%s?):", near);
	return bad(what, text, of);
}

int read_options(const verb *of, int count, char **text, arguments *a)
{
	struct option names[OPTIONS + 1];
	char letters[3 * OPTIONS];
	fill_getopt(names, letters);
	opterr = 0; /* getopt would print the argument without escaping its control characters */
	for (int c, code; (c = getopt_long(count, text, letters, names, NULL)) != -1;) {
		const char letter[] = {'-', (char)optopt, 0};
		/* getopt stores the letter of a short option, and has moved past a long one */
		if (c == '?') return refuse_option(optopt && optopt < 256 ? letter : text[optind - 1], of);
		const option_row *o = row_of(c >= 256 ? scree_options[c - 256].name : NULL, c, of);
		if (!(o->verbs & of->bit)) return refuse(o, of);
		if ((code = take(o, of, a))) return code;
	}
	a->words = count - optind;
	a->word = text + optind;
	return 0;
}

bool asks_for_json(const verb *of, int count, char **text)
{
	if (of && !(row_of("json", 0, of)->verbs & of->bit)) return false;
	for (int k = 1; k < count && strcmp(text[k], "--") != 0; ++k)
		if (!strcmp(text[k], "--json")) return true;
	return false;
}
