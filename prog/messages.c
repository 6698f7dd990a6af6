/* messages: prints messages with untrusted text, and opens simulations and reports their problems. */
#include "command.h"
#include "json.h"

#include "scree/print.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void print_safely(FILE *to, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	const int length = vsnprintf(NULL, 0, format, args);
	char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
	if (!text) {
		fputs("scree: out of memory for a message\n", stderr);
		_Exit(FILES);
	}
	vsnprintf(text, (size_t)length + 1, format, again);
	scree_print_text(to, text);
	free(text);
	va_end(again);
	va_end(args);
}

static char *last_sentence; /* the last error, or NULL */

void keep_error(const char *sentence)
{
	free(last_sentence);
	last_sentence = strdup(sentence);
}

void note_error(const char *before, const char *sentence)
{
	keep_error(sentence);
	fflush(stdout);
	fprintf(stderr, "scree: %s", before);
	scree_print_text(stderr, sentence);
	fputc('\n', stderr);
}

int say_error(int code, const char *sentence)
{
	note_error("error: ", sentence);
	return code;
}

int say_error_of(int code, const char *format, ...)
{
	char text[8192];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return say_error(code, text);
}

int refuse_call(const char *what, const char *text, const char *verb)
{
	char sentence[8192];
	snprintf(sentence, sizeof sentence, "%s '%s' (%s%s%s --help)", what, text, command_name, verb ? " " : "",
			 verb ? verb : "");
	note_error("", sentence);
	return BAD_INPUT;
}

void print_failure_facts(const arguments *a, int code)
{
	json j = begin_json(a->verb);
	put_json_count(&j, "code", code);
	put_json_text(&j, "sentence", last_sentence);
	end_json(&j);
}

int say_and_close(scree_sim *s, int code)
{
	say_error(code, scree_sim_error(s));
	scree_sim_close(s);
	return code;
}

/* prints the progress of a slow operation on a shape */
static void say_progress(const char *sentence, void *unused)
{
	(void)unused;
	fflush(stdout);
	scree_print_text(stderr, sentence);
	fputc('\n', stderr);
}

static void drop(const char *sentence, void *unused) { (void)sentence, (void)unused; }

void print_refusal(const arguments *a, const char *path, int code, const scree_problems *problems)
{
	json j = begin_json(a->verb);
	put_json_text(&j, "file", path);
	if (a->swept) put_json_text(&j, "run", a->swept);
	put_json_flag(&j, "valid", false);
	put_json_count(&j, "code", code);
	put_json_problems(&j, problems);
	end_json(&j);
}

/* Returns s on the machine of --machine or of the scene; closes it if this is impossible. */
static scree_sim *on_machine(const arguments *a, scree_sim *s, int *code)
{
	if (!(*code = scree_sim_use_machine(s, a->machine))) return s;
	*code = say_and_close(s, *code);
	return NULL;
}

scree_sim *open_scene(const arguments *a, const char *path, int *code)
{
	scree_problems *problems;
	const scree_open_options o = {.path = path,
								  .sets = a->sets,
								  .set = a->set,
								  .threads = a->threads,
								  .repair = a->repair,
								  .progress = a->quiet && !a->repair ? drop : say_progress};
	scree_sim *s = scree_ranks_open(&o, &problems);
	if (s) return on_machine(a, s, code);
	fputs(scree_problems_text(problems), stderr);
	*code = scree_problems_code(problems);
	if (a->json) print_refusal(a, path, *code, problems);
	scree_problems_free(problems);
	return NULL;
}

scree_sim *open_snapshot(const arguments *a, const char *path, int *code)
{
	scree_problems *problems;
	scree_sim *s = scree_ranks_restore(path, a->threads, &problems);
	if (s) return on_machine(a, s, code);
	*code = say_error(scree_problems_code(problems), scree_problems_row(problems, 0).sentence);
	if (a->json) print_refusal(a, path, *code, problems);
	scree_problems_free(problems);
	return NULL;
}

int change_plan(scree_sim *s, const arguments *a)
{
	scree_problems *problems;
	const scree_code code = a->sets ? scree_sim_change_plan(s, a->sets, a->set, &problems) : SCREE_DONE;
	if (!code) return 0;
	if (!problems) return say_error(code, scree_sim_error(s));
	fputs(scree_problems_text(problems), stderr);
	if (a->json) print_refusal(a, a->resume ? a->resume : a->word[0], code, problems);
	scree_problems_free(problems);
	return code;
}
