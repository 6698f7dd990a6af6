/* scree: the command. It reads the arguments, makes one call to the library and returns its exit code. */
#include "json.h"
#include "run.h"
#include "signals.h"
#include "usage.h"

#include "scree/language.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

const char *command_name = "scree";

/* Searches for pairs repeatedly free and reallocate the same large blocks. These blocks are kept, instead of being
 * returned to the system and fetched again page by page. */
static void keep_memory(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, 1 << 30);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

/* The partners of contacts are scattered in memory. Pages of 2 MiB need fewer address translations, which makes a step
 * 5 to 8 % faster. glibc requests them from the system if this variable is set before a program starts (its manual,
 * "Memory Allocation Tunables", since 2.35). A value set by the caller, even an empty one, is respected. */
static void ask_for_huge_pages(char **text)
{
#if defined __GLIBC__ && !defined SCREE_SANITIZED
	if (getenv("GLIBC_TUNABLES") || setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 1) != 0) return;
	execv("/proc/self/exe", text); /* on failure the command continues without them */
#else
	(void)text;
#endif
}

/* A program started through /proc/self/exe is named `exe` in ps and top; this restores the program's name, which helper
 * threads inherit. */
static void name_process(void) { prctl(PR_SET_NAME, "scree"); }

/* Opens missing standard streams, so that files opened later do not receive the numbers of these streams, and thus
 * output meant for them. */
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

/* stream for messages about failures of a single rank */
static int errors = STDERR_FILENO;

/* From now on, prints only failures of this rank. */
static void be_silent(void)
{
	const int to = open("/dev/null", O_WRONLY);
	errors = dup(STDERR_FILENO);
	fflush(NULL);
	dup2(to, STDOUT_FILENO);
	dup2(to, STDERR_FILENO);
	close(to);
}

/* If memory runs out or an internal error occurs, keeps the output printed so far; nothing else is closed, since it may
 * be damaged. */
static void give_up(int code, const char *sentence, void *unused)
{
	(void)unused;
	if (scree_ranks() > 1)
		dprintf(errors, "scree: rank %d: %s\n", scree_rank(), sentence);
	else
		fprintf(stderr, "scree: %s\n", sentence);
	if (scree_rank() == 0) print_last_snapshot(stderr);
	if (code == INTERNAL) fflush(NULL);
	scree_ranks_abort(code);
	_Exit(code);
}

/* With --json, a call that failed without facts prints its code and its last error. */
static int with_facts(int code, const arguments *a)
{
	if (a->json && code && !has_begun_json()) print_failure_facts(a, code);
	return code;
}

/* All ranks run a scene, and only the first rank prints. Other verbs are executed by a single rank. */
static int call_verb(verb_fn *verb, const arguments *a)
{
	if (scree_rank() > 0) be_silent();
	if (a->json && verb != command_compare) keep_output_for_json();
	if (verb != command_run) return scree_rank() > 0 ? 0 : with_facts(verb(a), a);
	int code = (int)scree_ranks_begin();
	if (code)
		say_error(code, scree_ranks_error());
	else
		code = with_facts(verb(a), a);
	code = close_output(code);
	scree_ranks_end(code);
	return code;
}

/* Prints the usage of a verb called with too few or too many words. */
static int show_usage(const verb *v)
{
	char usage[1024];
	snprintf(usage, sizeof usage, "usage: %s %s %s", command_name, v->name, v->takes);
	fprintf(stderr, "%s\n", usage);
	keep_error(usage);
	return BAD_INPUT;
}

/* Reports a call refused before its verb began. */
static int refused(int code, const verb *v, int count, char **text)
{
	if (scree_rank() > 0 || !asks_for_json(v, count, text)) return code;
	return with_facts(code, &(arguments){.verb = v ? v->name : NULL, .json = true});
}

static const char *verb_name(const void *unused, int k)
{
	(void)unused;
	return k < verb_count() ? scree_verbs[k].name : NULL;
}

static int refuse_verb(const char *name)
{
	const char *near = scree_near_word(name, verb_name, NULL);
	if (!near) return refuse_call("no such command:", name, NULL);
	char sentence[4096];
	snprintf(sentence, sizeof sentence, "no such command: '%.3000s' (did you mean %s? %s --help)", name, near,
			 command_name);
	note_error("", sentence);
	return BAD_INPUT;
}

static int call(int count, char **text)
{
	if (count > 0) command_name = text[0];
	if (count < 2) {
		print_help(stderr, NULL);
		return BAD_INPUT;
	}
	const bool helps = !strcmp(text[1], "--help") || !strcmp(text[1], "-h") || !strcmp(text[1], "help");
	const char *name = helps && count > 2 ? text[2] : text[1];
	if (!strcmp(text[1], "--version")) {
		puts("scree " SCREE_VERSION);
		return 0;
	}
	const verb *v = find_verb(name);
	arguments a = {.pictures = -1};
	if (!v && (!helps || count > 2)) return refused(refuse_verb(name), v, count, text);
	a.verb = v ? v->name : NULL;
	const int code = helps ? 0 : read_options(v, count - 1, text + 1, &a);
	if (code) return refused(code, v, count, text);
	if (helps || a.help) {
		print_help(stdout, v);
		return 0;
	}
	if (a.words >= v->least && a.words <= v->most) return call_verb(v->call, &a);
	return refused(show_usage(v), v, count, text);
}

int main(int count, char **text)
{
	ask_for_huge_pages(text);
	name_process();
	keep_memory();
	scree_on_failure(give_up, NULL);
	open_streams();
	ignore_size_limit();
	return close_output(call(count, text));
}
