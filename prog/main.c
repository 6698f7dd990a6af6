/* scree: the command. It reads the arguments, makes one call of the library and returns its exit code. */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

typedef struct verb {
	const char *name, *usage, *help;
	verb_fn *call;
	int least, most; /* least and greatest number of words */
} verb;

static const verb verbs[] = {
	{"run", "run SCENE | run --resume SNAPSHOT", "run a scene, or continue from a snapshot", command_run, 0, 1},
	{"check", "check SCENE [--repair]", "check a scene and print its summary without running it", command_check, 1, 1},
	{"list", "list [TABLE]",
	 "print the tables: laws, broad_phases, narrow_phases, integrators, responses, sharings, mesh_formats",
	 command_list, 0, 1},
	{"explain", "explain [KEY]", "explain a key of the scene language, e.g. run.step", command_explain, 0, 1},
	{"schema", "schema", "print the JSON Schema of the scene language", command_schema, 0, 0},
	{"render", "render SNAPSHOT -o PNG", "draw a snapshot (--set output.images.color=size ...)", command_render, 1, 1},
	{"hash", "hash SNAPSHOT", "print the hash of a snapshot's state", command_hash, 1, 1},
	{"export", "export SNAPSHOT -o FILE.vtp", "write the full meshes of all bodies", command_export, 1, 1},
	{"compare", "compare SCENE [--response A,B,...] [--resume FILE]",
	 "run a scene by several responses and compare the results", command_compare, 1, 1},
	{"bench", "bench SNAPSHOT --steps N [--unsorted]", "measure the speed from a snapshot, without output files",
	 command_bench, 1, 1},
};
enum { VERBS = sizeof verbs / sizeof *verbs };

static int close_output(int code);
const char *command_name = "scree";

static int usage(FILE *to, int code)
{
	fprintf(to, "scree %s: granular matter of any shape\n\n", SCREE_VERSION);
	for (int k = 0; k < VERBS; ++k) fprintf(to, "  scree %-36s %s\n", verbs[k].usage, verbs[k].help);
	if (strcmp(command_name, "scree") != 0) fprintf(to, "\n`scree` is at %s\n", command_name);
	fputs("\n  -o, --output PATH   where results go\n"
		  "  -s, --set K=V       set a name of let or a key: --set R=60mm --set run.until=0.02s\n"
		  "  -t, --threads N     number of threads, all by default; results do not depend on it\n"
		  "      --partition P   run by mpirun: division of space, rcb, grid (also grid:4x2x1) or hexagons; results\n"
		  "                      do not depend on it\n"
		  "  -w, --wall H:M:S    write a snapshot and stop before this wall-clock time has passed\n"
		  "      --steps N       stop after N steps\n"
		  "      --resume FILE   continue from a snapshot, with the results of a run without a stop\n"
		  "      --overwrite     replace the results of an earlier run in the folder\n"
		  "      --wait-for-space  wait when the disk is full, instead of stopping\n"
		  "  -q, --quiet         no progress\n"
		  "      --repair        check: repair meshes of bodies where that is safe, as NAME.repaired.ply next to them\n"
		  "      --response A,B  compare: responses of contacts, all by default\n"
		  "      --time T        compare: run until this time, instead of run.until\n"
		  "      --repeat N      compare: N further runs by forces with shorter steps, to find the spread of its "
		  "results\n"
		  "      --resume FILE   compare: keep runs that have ended in this file, and do not repeat those in it\n"
		  "      --json          compare: print JSON; -o FILE.json writes it into a file\n"
		  "      --unsorted      bench: keep bodies in the order of their ids, to measure what sorting gains\n\n"
		  "exit codes: 0 done, 2 bad input, 3 physics guard, 4 file error, 5 stopped with a snapshot, 70 internal "
		  "error\n",
		  to);
	return code;
}

static int bad(const char *what, const char *text)
{
	print_safely(stderr, "scree: %s '%s' (%s --help)\n", what, text, command_name);
	return BAD_INPUT;
}

/* getopt stores the letter of a short option, and has moved past a long one */
static int bad_option(const char *last)
{
	const char letter[] = {'-', (char)optopt, 0};
	return bad("no such option, or its value is missing:", optopt ? letter : last);
}

/* H:M:S, M:S or S, converted to seconds; -1: not a time */
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

static int read_options(int count, char **text, arguments *a)
{
	static const struct option options[] = {
		{"output", required_argument, NULL, 'o'},
		{"set", required_argument, NULL, 's'},
		{"threads", required_argument, NULL, 't'},
		{"wall", required_argument, NULL, 'w'},
		{"steps", required_argument, NULL, 'n'},
		{"resume", required_argument, NULL, 'r'},
		{"quiet", no_argument, NULL, 'q'},
		{"unsorted", no_argument, NULL, 'u'},
		{"partition", required_argument, NULL, 'P'},
		{"overwrite", no_argument, NULL, 'O'},
		{"wait-for-space", no_argument, NULL, 'W'},
		{"repair", no_argument, NULL, 'R'},
		{"response", required_argument, NULL, 'c'},
		{"time", required_argument, NULL, 'T'},
		{"json", no_argument, NULL, 'j'},
		{"repeat", required_argument, NULL, 'p'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	opterr = 0; /* getopt would print the argument without escaping control characters */
	for (int c; (c = getopt_long(count, text, "o:s:t:w:qh", options, NULL)) != -1;) {
		char *end = NULL;
		switch (c) {
		case 'o':
			a->output = optarg;
			break;
		case 's':
			if (a->sets == MOST_SETS) return bad("too many --set, at", optarg);
			a->set[a->sets++] = optarg;
			break;
		case 't':
			a->threads = (int)strtol(optarg, &end, 10);
			if (*end || a->threads < 1 || a->threads > SCREE_THREADS_MOST)
				return bad("--threads needs a whole number from 1 to 64, not", optarg);
			break;
		case 'w':
			a->wall_seconds = read_wall(optarg);
			if (a->wall_seconds <= 0) return bad("--wall needs a time like 1:30:00, not", optarg);
			break;
		case 'n':
			a->steps = strtoll(optarg, &end, 10);
			if (*end || a->steps < 1) return bad("--steps needs a whole number above 0, not", optarg);
			break;
		case 'r':
			a->resume = optarg;
			break;
		case 'q':
			a->quiet = 1;
			break;
		case 'O':
			a->overwrite = 1;
			break;
		case 'W':
			a->wait_for_space = 1;
			break;
		case 'u':
			a->unsorted = 1;
			break;
		case 'P':
			a->partition = optarg;
			break;
		case 'R':
			a->repair = 1;
			break;
		case 'c':
			a->responses = optarg;
			break;
		case 'T':
			a->time = optarg;
			break;
		case 'p':
			a->repeats = (int)strtol(optarg, &end, 10);
			if (*end || a->repeats < 1 || a->repeats > 16)
				return bad("--repeat needs a whole number from 1 to 16, not", optarg);
			break;
		case 'j':
			a->json = 1;
			break;
		case 'h':
			exit(close_output(usage(stdout, 0)));
		default:
			return bad_option(text[optind - 1]);
		}
	}
	a->words = count - optind;
	a->word = text + optind;
	return 0;
}

/* Searches for pairs free and allocate the same large blocks repeatedly. They are kept, instead of being returned to
 * the system and fetched again page by page. */
static void keep_memory(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, 1 << 30);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

/* The partners of contacts are scattered in memory. Pages of 2 MiB save address translations, and a step takes 5 to
 * 8 % less time. glibc requests them from the system if this variable is set before a program starts ("Memory
 * Allocation Tunables" of its manual, since 2.35). A value set by the caller, even an empty one, is respected. */
static void ask_for_huge_pages(char **text)
{
#if defined __GLIBC__ && !defined SCREE_SANITIZED
	if (getenv("GLIBC_TUNABLES") || setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 1) != 0) return;
	execv("/proc/self/exe", text); /* on failure the command continues without them */
#else
	(void)text;
#endif
}

/* A program started by /proc/self/exe is named `exe` in ps and top: restore its name, which helper threads inherit. */
static void name_process(void) { prctl(PR_SET_NAME, "scree"); }

/* Opens missing standard streams, so that files opened later do not get their numbers and receive the output. */
static void open_streams(void)
{
	int file;
	do file = open("/dev/null", O_RDWR);
	while (file >= 0 && file <= STDERR_FILENO);
	if (file >= 0) close(file);
}

/* Output that could not be printed is an error, as for any other file. */
static int close_output(int code)
{
	bool ok = fflush(stdout) == 0 && !ferror(stdout);
	if (ok) return code;
	fprintf(stderr, "scree: error: cannot write to the standard output: %s\n", strerror(errno));
	return code ? code : FILES;
}

/* where failures of a single rank are printed */
static int errors = STDERR_FILENO;

/* Prints nothing from here on, but failures of this rank alone. */
static void be_silent(void)
{
	const int to = open("/dev/null", O_WRONLY);
	errors = dup(STDERR_FILENO);
	fflush(NULL);
	dup2(to, STDOUT_FILENO);
	dup2(to, STDERR_FILENO);
	close(to);
}

/* Out of memory or an internal error: keeps the output printed so far; nothing else is closed, since it may be
 * broken. */
static void give_up(int code, const char *sentence, void *unused)
{
	(void)unused;
	if (scree_ranks() > 1)
		dprintf(errors, "scree: rank %d: %s\n", scree_rank(), sentence);
	else
		fprintf(stderr, "scree: %s\n", sentence);
	if (code == INTERNAL) fflush(NULL);
	scree_ranks_abort(code);
	_Exit(code);
}

/* Of ranks all run a scene, and all but the first one are silent. Other verbs are work for one of them. */
static int call_verb(verb_fn *verb, const arguments *a)
{
	if (scree_rank() > 0) be_silent();
	if (verb != command_run) return scree_rank() > 0 ? 0 : verb(a);
	int code = (int)scree_ranks_begin();
	if (code)
		say_error(code, scree_ranks_error());
	else
		code = verb(a);
	code = close_output(code);
	scree_ranks_end(code);
	return code;
}

static int call(int count, char **text)
{
	if (count > 0) command_name = text[0];
	if (count < 2) return usage(stderr, BAD_INPUT);
	if (!strcmp(text[1], "--help") || !strcmp(text[1], "-h") || !strcmp(text[1], "help")) return usage(stdout, 0);
	if (!strcmp(text[1], "--version")) {
		puts("scree " SCREE_VERSION);
		return 0;
	}
	for (int k = 0; k < VERBS; ++k) {
		if (strcmp(text[1], verbs[k].name) != 0) continue;
		arguments a = {0};
		int code = read_options(count - 1, text + 1, &a);
		if (code) return code;
		if (a.words < verbs[k].least || a.words > verbs[k].most) {
			fprintf(stderr, "usage: %s %s\n", command_name, verbs[k].usage);
			return BAD_INPUT;
		}
		if (a.unsorted && verbs[k].call != command_bench)
			return bad("--unsorted is for scree bench, not for", verbs[k].name);
		if (a.partition && verbs[k].call != command_run)
			return bad("--partition is for scree run, not for", verbs[k].name);
		if ((a.responses || a.time || a.json || a.repeats) && verbs[k].call != command_compare)
			return bad("--response, --time, --repeat and --json are for scree compare, not for", verbs[k].name);
		return call_verb(verbs[k].call, &a);
	}
	return bad("no such command:", text[1]);
}

int main(int count, char **text)
{
	ask_for_huge_pages(text);
	name_process();
	keep_memory();
	scree_on_failure(give_up, NULL);
	open_streams();
	return close_output(call(count, text));
}
